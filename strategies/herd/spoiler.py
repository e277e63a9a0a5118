"""The spoiler: trades like a keeper, and aims skunk and T at whoever is about to win."""

from herdlab.simcore._jit import inner
from herdlab.simcore.herd.rules import HORSE, NO_TRADE, RABBIT, SHEEP, TO_DOG, TO_HORSE, TO_SHEEP
from herdlab.simcore.herd.view import PARTNER, TRADE, View
from herdlab.simcore.table import Me
from herdlab.strategies import number, strategy
from herdlab.strategies.herd.table_sense import can_serve, herd_value, stays, winning_trade

P_KEEP = 0
_PER_GAP = 1000
"""A missing animal outweighs any difference in herd value when threats are compared."""


@inner
def threat(view: View, k: int) -> int:
    """Return how close the k-th player is to winning: first by what they lack, then by value."""
    missing = 0
    for animal in range(HORSE + 1):
        missing += view.herds[k, animal] == 0
    return herd_value(view, k) - _PER_GAP * missing


@inner
def would_complete(view: View, k: int, trade: int) -> bool:
    """Whether paying the k-th player for `trade` completes their herd."""
    for animal in range(HORSE + 1):
        gets = animal == trade - 1 or (trade == TO_DOG and animal in (RABBIT, SHEEP))
        left = view.herds[k, animal] - (animal == trade)
        if left == 0 and not gets:
            return False
    return True


@inner
def is_safe(view: View, trade: int) -> bool:
    """Whether `trade` is legal, and can be made without completing somebody else's herd."""
    if (view.legal[0] >> trade) & 1:
        return True
    for k in range(1, view.players):
        if (view.legal[k] >> trade) & 1 and not would_complete(view, k, trade):
            return True
    return False


@strategy(
    "herd",
    "spoiler",
    deterministic=True,
    keep=number(1, "how many of the animal given must stay"),
)
def spoiler(decision: int, view: View, me: Me) -> int:
    """Trades like keeper, gives the skunk to whoever lacks least, and with a T takes from him."""
    if decision == TRADE:
        trade = winning_trade(view)
        if trade != NO_TRADE:
            return trade
        for upward in range(TO_HORSE, TO_SHEEP - 1, -1):
            if is_safe(view, upward) and stays(view, upward) >= me.params[P_KEEP]:
                return upward
        return NO_TRADE
    best, highest = 1, -(10**6)
    for k in range(1, view.players):
        danger = threat(view, k)
        if decision == PARTNER:
            if not can_serve(view, k):
                continue
            if would_complete(view, k, view.trade):
                danger -= 10 * _PER_GAP
            elif view.herds[k, view.trade] == 1:
                danger += 10 * _PER_GAP
        if danger > highest:
            best, highest = k, danger
    return best
