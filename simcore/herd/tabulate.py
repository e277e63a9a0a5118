"""Asking a strategy for many choices at once.

Tables of the choices that depend on nothing but a player's own herd are made once a run; the
choices of a player alone are what his game can be solved from.
"""

import numpy as np
import numpy.typing as npt
from numba import float64, int64, uint8

from herdlab.simcore._jit import inlined, njit_as
from herdlab.simcore.herd.asking import choose, marked, show_legal
from herdlab.simcore.herd.herds import (
    RABBITS,
    affordable,
    count,
    entry,
    is_complete,
    is_possible,
)
from herdlab.simcore.herd.rule_tables import ASK, BOOK, COMPLETE, LOW_BYTE
from herdlab.simcore.herd.rules import DOG, HORSE, NO_TRADE, RABBIT
from herdlab.simcore.herd.view import BEFORE, NOBODY, STATE
from herdlab.simcore.table import (
    ASKED_ANSWER,
    DREW_LUCK,
    FAILED,
    OWN_ONLY,
    SEAT_FLAGS,
    SEAT_WORDS,
    TABLE,
    Ints,
    Table,
)


@inlined
def _tabulated(herd: int, seat: int, own_only: int, table: Table) -> int:
    """Return the move, with its marks, that `seat`'s strategy makes with `herd`, or FAILED."""
    book = table.book
    if is_complete(herd):
        return COMPLETE
    legal = affordable(herd, book)
    if legal == 0:
        return NO_TRADE
    if not own_only:
        return ASK
    table.memory[STATE.herds + seat] = herd
    show_legal(legal, table.players, table.memory)
    return marked(choose(seat, legal, 0, NOBODY, 0, BEFORE, 0, table), herd, book)


@njit_as(int64(int64, TABLE, uint8[::1]))
def tabulate(seat: int, table: Table, moves: npt.NDArray[np.uint8]) -> int:
    """Fill `moves` with the trade that `seat`'s strategy makes with every herd it can have.

    The trades hold while the supply can serve them.  Of a strategy that looks at more than its
    own herd only the marks COMPLETE and ASK are set.  Returns FAILED or 0.
    """
    own_only = table.seats[SEAT_WORDS * seat + SEAT_FLAGS] & OWN_ONLY
    book = table.book
    rabbits, horses, dogs = (
        book[BOOK.limits + RABBIT],
        book[BOOK.limits + HORSE],
        book[BOOK.limits + DOG],
    )
    for high in range(0, moves.shape[0], LOW_BYTE + 1):
        if not is_possible(high, book):
            continue
        for low in range(0, LOW_BYTE + 1, RABBITS + 1):
            if count(low, HORSE) > horses or count(low, DOG) > dogs:
                continue
            for herd in range(high + low, high + low + rabbits + 1):
                move = _tabulated(herd, seat, own_only, table)
                if move == FAILED:
                    return FAILED
                moves[entry(0, herd)] = move
    return 0


@njit_as(int64(float64[::1], int64[::1], uint8[::1], int64, int64, uint8[::1], TABLE))
def ask_alone(
    chances: npt.NDArray[np.float64],
    herds: Ints,
    legal: npt.NDArray[np.uint8],
    turn: int,
    phase: int,
    moves: npt.NDArray[np.uint8],
    table: Table,
) -> int:
    """Fill `moves` with what the only player does with each of the `herds` that has a chance.

    Returns FAILED or 0.
    """
    tiles = table.book[BOOK.start_supply]  # and what is dealt, which is put back
    for animal in range(DOG + 1):
        tiles += count(table.book[BOOK.start_herds], animal) << (8 * animal)
    for number in range(herds.shape[0]):
        moves[number] = NO_TRADE
        if chances[number] == 0.0 or legal[number] == 0:
            continue
        herd, supply = herds[number], tiles
        for animal in range(DOG + 1):
            supply -= count(herd, animal) << (8 * animal)
        table.memory[STATE.herds] = herd
        show_legal(legal[number], 1, table.memory)
        luck = table.streams[0]
        move = choose(0, np.int64(legal[number]), supply, NOBODY, turn, phase, 0, table)
        if table.streams[0] != luck:
            table.memory[ASKED_ANSWER] = DREW_LUCK
            return FAILED
        if move == FAILED:
            return FAILED
        moves[number] = move
    return 0
