"""A strategy of your own: copy this file, change it, and let it play.

    herdlab simulate herd --players patient-farmer,keeper --plugin examples/patient_farmer.py

A strategy is one function that is asked for a decision and answers with a whole number.  It is
compiled, so it can use numbers, loops and the functions imported here, but no lists or strings.
docs/writing-a-strategy.md tells all that `view` and `me` hold.
"""

from herdlab.simcore.herd.rules import COW, NO_TRADE, TO_HORSE
from herdlab.simcore.herd.view import PARTNER, TRADE, View
from herdlab.simcore.table import Me
from herdlab.strategies import number, strategy
from herdlab.strategies.herd.table_sense import (
    can_trade,
    leader,
    nearest_partner,
    stays,
    winning_trade,
)

RESERVE = 0  # the place of the parameter below in me.params


@strategy(
    "herd",
    "patient-farmer",
    own_only=True,  # it looks only at its own herd when it trades: tabulated, several times as fast
    deterministic=True,  # it draws no deal
    reserve=number(2, "how many of an animal stay behind until it owns a cow"),
)
def patient_farmer(decision: int, view: View, me: Me) -> int:
    """Breeds a reserve of every animal before it trades up, until it owns a cow."""
    if decision == TRADE:
        trade = winning_trade(view)
        if trade != NO_TRADE:
            return trade
        keep = me.params[RESERVE] if view.herds[0, COW] == 0 else 1
        for upward in range(TO_HORSE, NO_TRADE, -1):  # horse, cow, pig, sheep
            if can_trade(view, upward) and stays(view, upward) >= keep:
                return upward
        return NO_TRADE
    if decision == PARTNER:  # after a T: whom to trade with
        return nearest_partner(view)
    return leader(view)  # who gets the skunk
