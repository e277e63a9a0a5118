"""Tables of the choices that depend on nothing but a player's own herd, made once a run."""

import numpy as np
import numpy.typing as npt
from numba import int64, uint8

from simcore._jit import inlined, njit_as
from simcore.herd.asking import choose, marked, show_legal
from simcore.herd.herds import affordable, entry, is_complete, is_possible
from simcore.herd.rules import NO_TRADE
from simcore.herd.tables import ASK, COMPLETE, LOW_BYTE
from simcore.herd.view import BEFORE, HERDS, NOBODY
from simcore.table import FAILED, OWN_ONLY, SEAT_FLAGS, SEAT_WORDS, TABLE, Table


@inlined
def _tabulated(herd: int, seat: int, own_only: int, table: Table) -> int:
    """Return the move, with its marks, that `seat`'s strategy makes with `herd`, or FAILED."""
    book = table.book
    if not is_possible(herd, book):
        return NO_TRADE
    if is_complete(herd):
        return COMPLETE
    legal = affordable(herd, book)
    if legal == 0:
        return NO_TRADE
    if not own_only:
        return ASK
    table.memory[HERDS + seat] = herd
    show_legal(legal, table.players, table.memory)
    return marked(choose(seat, legal, 0, NOBODY, 0, BEFORE, 0, table), herd, book)


@njit_as(int64(int64, TABLE, uint8[::1]))
def tabulate(seat: int, table: Table, moves: npt.NDArray[np.uint8]) -> int:
    """Fill `moves` with the trade that `seat`'s strategy makes with every herd it can have.

    The trades hold while the supply can serve them.  Of a strategy that looks at more than its
    own herd only the marks COMPLETE and ASK are set.  Returns FAILED or 0.
    """
    own_only = table.seats[SEAT_WORDS * seat + SEAT_FLAGS] & OWN_ONLY
    for high in range(0, moves.shape[0], LOW_BYTE + 1):
        if not is_possible(high, table.book):
            continue
        for herd in range(high, high + LOW_BYTE + 1):
            move = _tabulated(herd, seat, own_only, table)
            if move == FAILED:
                return FAILED
            moves[entry(0, herd)] = move
    return 0
