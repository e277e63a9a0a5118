"""The gap filler: trades for what its herd lacks, and for nothing else."""

from herdlab.simcore._jit import inner
from herdlab.simcore.herd.rules import HORSE, NO_TRADE, TO_DOG, TO_HORSE
from herdlab.simcore.herd.view import PARTNER, TRADE, View
from herdlab.simcore.table import Me
from herdlab.strategies import number, strategy, switch
from herdlab.strategies.herd.table_sense import (
    can_spare_for_dog,
    can_trade,
    leader,
    nearest_partner,
    stays,
    winning_trade,
)

P_KEEP, P_DOG, P_DOG_RABBITS, P_DOG_SHEEP = range(4)


@inner
def is_missing_above(view: View, animal: int) -> bool:
    """Whether the player lacks an animal worth more than `animal`."""
    for higher in range(animal + 1, HORSE + 1):
        if view.herds[0, higher] == 0:
            return True
    return False


@inner
def filling_trade(view: View, keep: float) -> int:
    """Return the best trade that fills a gap, else the best that saves up for one above."""
    for trade in range(TO_HORSE, NO_TRADE, -1):
        if can_trade(view, trade) and view.herds[0, trade] == 0 and stays(view, trade) >= keep:
            return trade
    for trade in range(TO_HORSE, NO_TRADE, -1):
        if (
            can_trade(view, trade)
            and stays(view, trade) >= keep
            and trade < TO_HORSE
            and view.herds[0, trade] < view.prices[trade + 1] + keep
            and is_missing_above(view, trade)
        ):
            return trade
    return NO_TRADE


@strategy(
    "herd",
    "gap-filler",
    own_only=True,
    deterministic=True,
    keep=number(1, "how many of the animal given must stay"),
    dog=switch(False, "buys a dog when it makes no other trade"),
    dog_rabbits=number(4, "rabbits it must own to buy a dog"),
    dog_sheep=number(2, "sheep it must own to buy a dog"),
)
def gap_filler(decision: int, view: View, me: Me) -> int:
    """Asks what is still missing and trades only for that, or to save up for something higher."""
    if decision == TRADE:
        trade = winning_trade(view)
        if trade == NO_TRADE:
            trade = filling_trade(view, me.params[P_KEEP])
        if trade == NO_TRADE and me.params[P_DOG] == 1:
            if can_spare_for_dog(view, me.params[P_DOG_RABBITS], me.params[P_DOG_SHEEP]):
                trade = TO_DOG
        return trade
    if decision == PARTNER:
        return nearest_partner(view)
    return leader(view)
