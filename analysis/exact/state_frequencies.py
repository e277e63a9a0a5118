"""How often a player alone has each herd: exact, from the chances of every turn."""

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from herdlab.simcore.herd.lattice import AGAIN, Lattice

if TYPE_CHECKING:  # loading the solver costs every start its time
    from herdlab.simcore.herd.exact import Policy

_TAIL = 1e-9
"""Of games that go on longer, or of doubles in a row, no more than this is left out."""
_LONGEST = 10_000

Floats = npt.NDArray[np.float64]
Herds = npt.NDArray[np.int64]
"""Numbers of herds."""


@dataclass(frozen=True)
class StateFrequencies:
    """What is to be expected of a whole game."""

    begun: Floats
    """By herd: turns that begin with it."""
    rolled: Floats
    """By herd: rolls made with it, those after a double (H8) too."""


def state_frequencies(lattice: Lattice, policy: "Policy") -> StateFrequencies:
    """Return how often a policy has each herd, from the deal to the end."""
    from herdlab.simcore.herd.exact import turns

    begun, rolled = np.zeros((2, lattice.size))
    for turn in islice(turns(lattice, policy), _LONGEST):
        begun += turn.begun
        rolled += turn.rolling
        if turn.left.sum() < _TAIL:
            break
    return StateFrequencies(begun, _with_doubles(lattice, rolled))


def after_column(lattice: Lattice, herds: Herds, column: int | np.integer[Any]) -> Herds:
    """Return what becomes of herds by a result of the dice: a column of the lattice."""
    columns = lattice.columns
    rows, rabbits = divmod(herds, lattice.in_row)
    changed = columns.rabbits[columns.maps[rows, column], rabbits]
    found: Herds = columns.rows[rows, column] * lattice.in_row + changed
    return found


def _with_doubles(lattice: Lattice, first: Floats) -> Floats:
    """Return all rolls, from the first ones of each turn."""
    columns = lattice.columns
    again = np.flatnonzero(columns.after == AGAIN)
    total, now = first.copy(), first
    while again.size and now.sum() > _TAIL:
        at = np.flatnonzero(now)
        moved = np.zeros(lattice.size)
        for column in again:
            chances = columns.chances[column] * now[at]
            moved += np.bincount(after_column(lattice, at, column), chances, lattice.size)
        moved[lattice.complete] = 0.0
        total, now = total + moved, moved
    return total
