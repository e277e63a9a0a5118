"""How answers about the Guard Dog begin: the one place where tests have these words."""

NO = "No: do not buy it"
NO_USE = "No: a dog guards against nothing here, since neither fox nor wolf is on the dice"
FREE = "There is no need to buy one: the dice give it free"
NONE = "There is no Guard Dog to be had: with "
YES = "Yes: buying "
NO_MATTER = "It makes no difference that matters whether you buy"
