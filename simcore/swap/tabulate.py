"""Tables of the choices that depend on nothing but what can be played, made once a run."""

import numpy as np
import numpy.typing as npt
from numba import int64, uint8

from herdlab.simcore._jit import njit_as
from herdlab.simcore.swap.asking import choose_kind
from herdlab.simcore.swap.rules import KINDS
from herdlab.simcore.swap.view import SEEN
from herdlab.simcore.table import (
    ASKED_ANSWER,
    DREW_LUCK,
    FAILED,
    OWN_ONLY,
    SEAT_FLAGS,
    SEAT_WORDS,
    TABLE,
    Table,
)

MOVES_SIZE = 1 << len(KINDS)
"""A table has a kind for every set of kinds that can be played."""


@njit_as(int64(int64, TABLE, uint8[::1]))
def tabulate(seat: int, table: Table, moves: npt.NDArray[np.uint8]) -> int:
    """Fill `moves` with the kind that `seat`'s strategy plays of every set that can be played.

    A strategy that looks at more is asked in play.  Returns FAILED or 0.
    """
    if table.seats[SEAT_WORDS * seat + SEAT_FLAGS] & OWN_ONLY == 0:
        return 0
    table.memory[SEEN.who] = seat
    for playable in range(1, MOVES_SIZE):
        luck = table.streams[seat]
        kind = choose_kind(0, playable, table)
        if table.streams[seat] != luck:
            table.memory[ASKED_ANSWER] = DREW_LUCK
            return FAILED
        if kind == FAILED:
            return FAILED
        moves[playable] = kind
    return 0
