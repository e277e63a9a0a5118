"""What a number of games add up to: exact integers that merge in any order.

Each game leaves a row of small integers; a chunk's rows are added up, and the sums of all chunks
merged as Python integers, which do not overflow.
"""

from collections import Counter
from dataclasses import dataclass, field
from itertools import zip_longest

import numpy as np
import numpy.typing as npt
from numba import int32, int64, void

from herdlab.simcore._jit import njit_as
from herdlab.simcore.table import Ints

Rows = npt.NDArray[np.int32]

WINNERS, LENGTH, PARTS = 0, 1, 2
"""Columns that every row begins with; the third only in a game of parts."""


@dataclass
class Sums:
    """What a number of games add up to, exactly."""

    n_players: int
    games: int = 0
    wins: list[list[int]] = field(default_factory=list)
    """wins[seat][k - 1]: games that `seat` won together with k - 1 others."""
    unfinished: int = 0
    totals: list[int] = field(default_factory=list)
    """The sum of each column of the rows."""
    squares: list[int] = field(default_factory=list)
    """The sum of squares of each column."""
    lengths: list[int] = field(default_factory=list)
    """lengths[n]: games of length n; not kept in a game of parts."""
    by_parts: list[int] = field(default_factory=list)
    """In a game of parts: the sum of each column times the game's number of parts."""
    tallies: Counter[int] = field(default_factory=Counter)
    """What the games tallied, by place (see `Game.tallies`); most places are empty."""

    def add(self, other: "Sums") -> None:
        """Merge `other` into this; the order does not matter."""
        self.games += other.games
        self.unfinished += other.unfinished
        mine = self.wins or [[] for _ in other.wins]
        self.wins = [added(a, b) for a, b in zip(mine, other.wins, strict=True)]
        self.totals = added(self.totals, other.totals)
        self.squares = added(self.squares, other.squares)
        self.lengths = added(self.lengths, other.lengths)
        self.by_parts = added(self.by_parts, other.by_parts)
        self.tallies.update(other.tallies)

    def tallied(self, places: slice) -> list[int]:
        """Return what stands at `places` of the tallies."""
        return [self.tallies[place] for place in range(places.start, places.stop)]


def added(a: list[int], b: list[int]) -> list[int]:
    """Return two lists added place by place; what the shorter lacks counts as 0."""
    return [x + y for x, y in zip_longest(a, b, fillvalue=0)]


@njit_as(void(int32[:, ::1], int64, int64[::1], int64[::1], int64[::1], int64[:, ::1], int64[::1]))
def _add_up(
    rows: Rows, players: int, totals: Ints, squares: Ints, by_parts: Ints, wins: Ints, lengths: Ints
) -> None:
    """Add the rows to the sums.  Modified in place: all but `rows` and `players`."""
    for game in range(rows.shape[0]):
        row = rows[game]
        for column in range(row.shape[0]):
            value = np.int64(row[column])
            totals[column] += value
            squares[column] += value * value
        parts = np.int64(row[PARTS])
        for column in range(by_parts.shape[0]):
            by_parts[column] += row[column] * parts
        winners = row[WINNERS]
        sharers = 0
        for seat in range(players):
            sharers += (winners >> seat) & 1
        for seat in range(players):
            wins[seat, sharers] += (winners >> seat) & 1
        wins[players, 0] += sharers == 0
        if lengths.shape[0]:
            lengths[row[LENGTH]] += 1


def add_up(rows: Rows, n_players: int, has_parts: bool = False) -> Sums:
    """Return the sums over `rows`."""
    n_columns = rows.shape[1]
    totals, squares = np.zeros((2, n_columns), dtype=np.int64)
    by_parts = np.zeros(n_columns if has_parts else 0, dtype=np.int64)
    wins = np.zeros((n_players + 1, n_players + 1), dtype=np.int64)
    longest = -1 if has_parts else int(rows[:, LENGTH].max(initial=0))
    lengths = np.zeros(longest + 1, dtype=np.int64)
    _add_up(rows, n_players, totals, squares, by_parts, wins, lengths)
    by_seat = wins[:n_players, 1:].tolist()
    columns = (one.tolist() for one in (totals, squares, lengths, by_parts))
    return Sums(n_players, len(rows), by_seat, int(wins[n_players, 0]), *columns)
