"""The holder: banks at a certain number of points, and for the win."""

from herdlab.simcore.pig.view import BANK, ROLL, View
from herdlab.simcore.rng import below
from herdlab.simcore.table import Me
from herdlab.strategies import members, number, strategy


@strategy("pig", "holder", deterministic=True, at=number(20, "banks at so many points", low=2))
def holder(decision: int, view: View, me: Me) -> int:
    """Banks once a good number of points is at stake, or enough to win."""
    enough = min(me.params[0], view.goal - view.mine)
    return BANK if view.at_stake >= enough else ROLL


@strategy("pig", "random")
def random(decision: int, view: View, me: Me) -> int:
    """Tosses a coin after every roll."""
    return below(me.luck, 2)


MEMBERS = {
    "timid:at=10": "Banks as soon as it has ten points at stake.",
    "bold:at=25": "Rolls on until 25 points are at stake.",
}
members("pig", "holder", MEMBERS)
