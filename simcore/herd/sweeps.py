"""The compiled steps of exact work on the solo game: rolls and trades, backwards and forwards.

Backwards, a value of every herd after the roll gives its value before; forwards, chances move.
"""

import numpy as np
import numpy.typing as npt
from numba import boolean, float64, int32, int64, types, uint8, void

from herdlab.simcore._jit import njit_as, readonly
from herdlab.simcore.herd.lattice import AGAIN, BOUND, SAME_RABBITS, Columns
from herdlab.simcore.herd.rules import TO_DOG

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]

NEGLIGIBLE = 1e-19
"""A herd's chance below which it is dropped: in play some 1e-16 a turn, at most 5e-14."""

_COLUMNS = types.NamedTuple(
    (
        readonly(int64),
        *(readonly(float64), readonly(int32, 2), readonly(uint8, 2), readonly(int64, 2)),
    ),
    Columns,
)


@njit_as(void(readonly(float64), readonly(float64), readonly(boolean), _COLUMNS, float64[::1]))
def value_rolls(
    free: Floats, bound: Floats, complete: Bools, columns: Columns, values: Floats
) -> None:
    """Fill `values` with each herd's value before it rolls, from those after the roll.

    `free` are the values when the final trade may be made, `bound` when a T bars it.  A double
    (H8) never takes anything away, so that all it can lead to has been worked out before, if one
    begins with the largest herds; one that changes nothing repeats the roll, and is left out.
    """
    after, chances, rows, maps, rabbits = columns
    n_rabbits = rabbits.shape[1]
    for row in range(rows.shape[0] - 1, -1, -1):
        here = row * n_rabbits
        n_open = n_rabbits  # herds that are not complete, which are those with fewest rabbits
        while n_open > 0 and complete[here + n_open - 1]:
            n_open -= 1
            values[here + n_open] = free[here + n_open]
        for r in range(n_open):
            values[here + r] = 0.0
        for column in range(after.shape[0]):
            chance, there = chances[column], rows[row, column] * n_rabbits
            changed = rabbits[maps[row, column]]
            if after[column] == AGAIN:
                break
            source = bound if after[column] == BOUND else free
            if maps[row, column] == SAME_RABBITS:  # side by side, which is several times as fast
                for r in range(n_open):
                    values[here + r] += chance * source[there + r]
            else:
                for r in range(n_open):
                    values[here + r] += chance * source[there + changed[r]]
        for r in range(n_open - 1, -1, -1):
            value, repeated = values[here + r], 0.0
            for column in range(after.shape[0] - 1, -1, -1):
                if after[column] != AGAIN:
                    break
                there = rows[row, column] * n_rabbits + rabbits[maps[row, column], r]
                if there == here + r:
                    repeated += chances[column]
                else:
                    value += chances[column] * values[there]
            values[here + r] = value / (1.0 - repeated)


@njit_as(void(readonly(float64), readonly(uint8), readonly(int64), float64[::1], uint8[::1]))
def value_trades(values: Floats, trades: Bytes, steps: Ints, best: Floats, moves: Bytes) -> None:
    """Fill `best` with the highest value that each herd's trades lead to, and `moves` with which.

    Of equals the first is taken, no trade before any.
    """
    for herd in range(values.shape[0]):
        highest, move = values[herd], 0
        legal = trades[herd]
        for trade in range(1, TO_DOG + 1):
            if (legal >> trade) & 1:
                value = values[herd + steps[trade]]
                if value > highest:
                    highest, move = value, trade
        best[herd] = highest
        moves[herd] = move


@njit_as(float64(float64[::1], readonly(boolean), _COLUMNS, float64[::1], float64[::1]))
def move_rolls(
    chance_of: Floats, complete: Bools, columns: Columns, free: Floats, bound: Floats
) -> float:
    """Move the chance of each herd before it rolls to where the dice lead; empties `chance_of`.

    Adds to `free` and `bound`, and returns the chance that the herd is complete.
    """
    after, chances, rows, maps, rabbits = columns
    n_rabbits = rabbits.shape[1]
    won = 0.0
    for row in range(rows.shape[0]):
        here = row * n_rabbits
        is_empty = True
        for r in range(n_rabbits):
            mass = chance_of[here + r]
            if mass < NEGLIGIBLE or complete[here + r]:
                won += mass if complete[here + r] else 0.0
                chance_of[here + r] = 0.0
                continue
            is_empty = False
            repeated = 0.0
            for column in range(after.shape[0] - 1, -1, -1):
                if after[column] != AGAIN:
                    break
                if rows[row, column] == row and rabbits[maps[row, column], r] == r:
                    repeated += chances[column]
            mass /= 1.0 - repeated
            chance_of[here + r] = mass
            for column in range(after.shape[0] - 1, -1, -1):
                if after[column] != AGAIN:
                    break
                there = rows[row, column] * n_rabbits + rabbits[maps[row, column], r]
                if there != here + r:
                    chance_of[there] += mass * chances[column]
        if is_empty:
            continue
        for column in range(after.shape[0]):
            if after[column] == AGAIN:
                break
            chance, there = chances[column], rows[row, column] * n_rabbits
            changed = rabbits[maps[row, column]]
            goal = bound if after[column] == BOUND else free
            if maps[row, column] == SAME_RABBITS:
                for r in range(n_rabbits):
                    goal[there + r] += chance * chance_of[here + r]
            else:
                for r in range(n_rabbits):
                    goal[there + changed[r]] += chance * chance_of[here + r]
        for r in range(n_rabbits):
            chance_of[here + r] = 0.0
    for herd in range(chance_of.shape[0]):
        if complete[herd]:
            won += free[herd] + bound[herd]
            free[herd] = bound[herd] = 0.0
    return won


@njit_as(float64(float64[::1], readonly(boolean), readonly(uint8), readonly(int64), float64[::1]))
def move_trades(
    chance_of: Floats, complete: Bools, moves: Bytes, steps: Ints, traded: Floats
) -> float:
    """Move the chance of each herd to where its trade leads; empties `chance_of`.

    Adds to `traded`, and returns the chance that the herd is complete.
    """
    won = 0.0
    for herd in range(chance_of.shape[0]):
        mass = chance_of[herd]
        if mass != 0.0:
            chance_of[herd] = 0.0
            there = herd + steps[moves[herd]]
            if complete[there]:
                won += mass
            else:
                traded[there] += mass
    return won
