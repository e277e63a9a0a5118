"""The herder: a family over what a player keeps back, when they buy a dog, and whom they trouble.

All anchor strategies of docs/rules/herd.md are members of it.
"""

from herdlab.simcore._jit import inner
from herdlab.simcore.herd.rules import HORSE, NO_TRADE, TO_DOG, TO_HORSE
from herdlab.simcore.herd.view import PARTNER, TRADE, View
from herdlab.simcore.rng import below
from herdlab.simcore.table import Me
from herdlab.strategies import choice, members, number, strategy, switch
from herdlab.strategies.herd import table_sense as sense

# Parameters in the order of their declaration below; the first four by animal.
P_DOG, P_DOG_RABBITS, P_DOG_SHEEP, P_DOG_UNTIL_HORSE, P_SKUNK, P_PARTNER, P_TRADE = range(4, 11)
NEVER, SPARE, FIRST = range(3)
LEADER, LEFT, RANDOM = range(3)
BEST, ANY, NONE = range(3)


@inner
def wants_dog(view: View, me: Me) -> bool:
    """Whether the herder would buy a dog now."""
    if me.params[P_DOG_UNTIL_HORSE] == 1 and view.herds[0, HORSE] > 0:
        return False
    return sense.can_spare_for_dog(view, me.params[P_DOG_RABBITS], me.params[P_DOG_SHEEP])


@inner
def best_trade(view: View, me: Me) -> int:
    """Return the herder's trade: one that wins, a dog if it comes first, the best upward one."""
    trade = sense.winning_trade(view)
    if trade != NO_TRADE:
        return trade
    dog = me.params[P_DOG]
    if dog == FIRST and wants_dog(view, me):
        return TO_DOG
    for upward in range(TO_HORSE, NO_TRADE, -1):
        if sense.can_trade(view, upward) and sense.stays(view, upward) >= me.params[upward - 1]:
            return upward
    if dog == SPARE and wants_dog(view, me):
        return TO_DOG
    return NO_TRADE


@inner
def random_trade(view: View, me: Me) -> int:
    """Return a trade, uniformly among the legal ones (after a T, with each partner) and none."""
    n_ways = 1
    for k in range(view.players):
        for trade in range(NO_TRADE + 1, TO_DOG + 1):
            n_ways += (view.legal[k] >> trade) & 1
    way = below(me.luck, n_ways)
    for k in range(view.players):
        for trade in range(NO_TRADE + 1, TO_DOG + 1):
            way -= (view.legal[k] >> trade) & 1
            if way < 0:
                return trade
    return NO_TRADE


@strategy(
    "herd",
    "herder",
    own_only=lambda values: values["trade"] != "any",
    deterministic=lambda values: (
        values["trade"] != "any" and "random" not in (values["skunk"], values["partner"])
    ),
    keep_rabbits=number(1, "rabbits that must stay when it trades rabbits away"),
    keep_sheep=number(1, "sheep that must stay when it trades sheep for a pig"),
    keep_pigs=number(1, "pigs that must stay when it trades pigs for a cow"),
    keep_cows=number(1, "cows that must stay when it trades cows for a horse"),
    dog=choice(
        "spare",
        ("never", "spare", "first"),
        "buys a dog never, where it can make no other trade, or before any other trade",
    ),
    dog_rabbits=number(2, "rabbits it must own to buy a dog"),
    dog_sheep=number(2, "sheep it must own to buy a dog"),
    dog_until_horse=switch(False, "buys a dog only while it owns no horse"),
    skunk=choice("leader", ("leader", "left", "random"), "who gets the skunk"),
    partner=choice("left", ("leader", "left", "random"), "from whom it takes with a T"),
    trade=choice("best", ("best", "any", "none"), "the best trade it allows itself, any, or none"),
)
def herder(decision: int, view: View, me: Me) -> int:
    """Trades up whenever enough stays behind to breed on, and buys a dog when it can spare one."""
    if decision == TRADE:
        if me.params[P_TRADE] == BEST:
            return best_trade(view, me)
        return random_trade(view, me) if me.params[P_TRADE] == ANY else NO_TRADE
    if decision == PARTNER:
        if me.params[P_PARTNER] == LEFT:
            return sense.nearest_partner(view)
        if me.params[P_PARTNER] == LEADER:
            return sense.richest_partner(view)
        return sense.random_partner(view, me.luck)
    if me.params[P_SKUNK] == LEADER:
        return sense.leader(view)
    return 1 if me.params[P_SKUNK] == LEFT else 1 + below(me.luck, view.players - 1)


MEMBERS = {
    "random:trade=any:skunk=random:partner=random": (
        "Does anything that is allowed, or nothing, each as likely: somebody who is learning "
        "the game."
    ),
    "climber:keep_rabbits=0:keep_sheep=0:keep_pigs=0:keep_cows=0:dog=never": (
        "Always makes the best upward trade at once, down to the last animal; never buys a dog."
    ),
    "keeper:dog=never": (
        "Makes the best upward trade that leaves one of the animal given; never buys a dog."
    ),
    "keeper-dog:dog=spare": (
        "Trades like keeper, and buys a dog when there is no such trade and a rabbit and a "
        "sheep stay."
    ),
    "dog-first:dog=first": (
        "Trades like keeper, but a dog comes before everything except a trade that wins."
    ),
    "hermit:trade=none": "Never trades: the floor that everybody should beat.",
    "closer:dog=never:keep_cows=0": (
        "Trades like keeper, but gives even its last cows for the horse, the hardest animal to get."
    ),
    "cautious:dog=first:dog_rabbits=8:dog_sheep=3": (
        "Trades like keeper, but out of plenty, eight rabbits and three sheep, buys a dog first."
    ),
    "tuned:dog=never:keep_pigs=2:keep_cows=0": (
        "Trades like closer, but keeps two pigs when it trades for a cow: what tuning its "
        "family gave."
    ),
}
members("herd", "herder", MEMBERS)
