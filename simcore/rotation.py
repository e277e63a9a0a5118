"""Line-ups played in every rotation of the seats on the same deals."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import lcm

import numpy as np
from numba import int32, int64, void

from herdlab.simcore._jit import njit_as
from herdlab.simcore.batch import Bout
from herdlab.simcore.game import Game
from herdlab.simcore.sums import WINNERS, Rows, Sums, added
from herdlab.simcore.table import Ints

_NOWHERE = -1
_DEAL_UNFINISHED, _DEAL_PARTS = 0, 2
"""Columns of a deal; a game without parts is one part."""


def deal_columns(game: Game, n_groups: int) -> list[str]:
    """Return the names of what is added up over all games of a deal.

    After the first three come share of wins, score and events by group of players, such as
    ``trades_0``, then the events of the whole table.
    """
    each = ["share", *(["score"] if game.has_scores else [])]
    each += [event.name for event in game.events if event.per_seat]
    by_group = [f"{name}_{group}" for group in range(n_groups) for name in each]
    of_table = [event.name for event in game.events if not event.per_seat]
    return ["unfinished", "length", "parts", *by_group, *of_table]


@dataclass
class RotationSums:
    """What deals add up to that were each played in every rotation of the seats."""

    sums: list[Sums]
    """By rotation; in rotation r the player of place i sits in seat (i + r) % players."""
    columns: list[str] = field(metadata={"kept": False})
    """What the lists below have: see `deal_columns`."""
    unit: int = field(metadata={"kept": False})
    """Shares of a win are counted in 1 / unit."""
    deals: int = 0
    totals: list[int] = field(default_factory=list)
    """The sum over deals of each column, all rotations and all players of a group together."""
    squares: list[int] = field(default_factory=list)
    """The sum over deals of its square."""
    by_parts: list[int] = field(default_factory=list)
    """The sum over deals of its product with the number of parts."""

    def add(self, other: "RotationSums") -> None:
        """Merge `other` into this; the order does not matter."""
        self.deals += other.deals
        for mine, others in zip(self.sums, other.sums, strict=True):
            mine.add(others)
        self.totals = added(self.totals, other.totals)
        self.squares = added(self.squares, other.squares)
        self.by_parts = added(self.by_parts, other.by_parts)

    def of(self, column: str) -> tuple[int, int, int]:
        """Return a column's sum, that of its squares, and that of its products with parts."""
        place = self.columns.index(column)
        return self.totals[place], self.squares[place], self.by_parts[place]


@njit_as(void(int32[:, ::1], int64[::1], int64[::1], int64, int64, int64[:, ::1]))
def _add_games(
    rows: Rows, into: Ints, share_into: Ints, unit: int, games_are_parts: int, deals: Ints
) -> None:
    """Add the rows of one rotation to what their deals add up to.  Modified in place: `deals`.

    Columns of a row go `into` columns of a deal, and a seat's share of a win to `share_into`.
    """
    for game in range(rows.shape[0]):
        row, deal = rows[game], deals[game]
        for column in range(row.shape[0]):
            if into[column] != _NOWHERE:
                deal[into[column]] += row[column]
        deal[_DEAL_PARTS] += games_are_parts
        winners, sharers = row[WINNERS], 0
        for seat in range(share_into.shape[0]):
            sharers += (winners >> seat) & 1
        deal[_DEAL_UNFINISHED] += sharers == 0
        if sharers:
            for seat in range(share_into.shape[0]):
                if (winners >> seat) & 1:
                    deal[share_into[seat]] += unit // sharers


class Rotation:
    """A line-up played in all its different rotations on the same deals."""

    def __init__(self, first: Bout, groups: Sequence[int]) -> None:
        """Seat `first`'s players in every rotation; `groups` says who counts together."""
        n = len(first.players)
        self.groups = list(groups)
        turned = [self.groups[-r:] + self.groups[:-r] for r in range(n)]
        period = next((r for r in range(1, n) if turned[r] == self.groups), n)
        self.bouts = [first]
        for r in range(1, period):
            players = first.players[-r:] + first.players[:-r]
            self.bouts.append(
                Bout(first.game, first.rules, players, first.seeds, moves=first.moves)
            )
        self.n_players = n
        self._unit = lcm(*range(1, n + 1))
        self._columns = deal_columns(first.game, max(self.groups) + 1)
        self._into = [self._places(turned[r]) for r in range(period)]

    def _places(self, group_at: Sequence[int]) -> tuple[Ints, Ints]:
        """Return where the columns of a row, and the seats' shares of a win, go in a deal."""
        game, n = self.bouts[0].game, self.n_players
        place = {name: number for number, name in enumerate(self._columns)}
        into = {
            f"{name}_{seat}": place.get(f"{name}_{group_at[seat]}", _NOWHERE)
            for name in ("score", *(event.name for event in game.events if event.per_seat))
            for seat in range(n)
        }
        into |= {name: place[name] for name in ("length", "parts")}
        into |= {event.name: place[event.name] for event in game.events if not event.per_seat}
        columns = [into.get(name, _NOWHERE) for name in game.columns(n)]
        shares = [place[f"share_{group_at[seat]}"] for seat in range(n)]
        return np.array(columns, dtype=np.int64), np.array(shares, dtype=np.int64)

    def empty(self) -> RotationSums:
        """Return the sums of no deals."""
        return RotationSums([Sums(self.n_players) for _ in self.bouts], self._columns, self._unit)

    def play(self, part: range) -> RotationSums:
        """Play the deals of `part` in every rotation."""
        return self.rows_and_sums(part)[1]

    def rows_and_sums(self, part: range) -> tuple[list[Rows], RotationSums]:
        """Play the deals of `part` in every rotation; return the rows of each, and the sums."""
        deals = np.zeros((len(part), len(self._columns)), dtype=np.int64)
        sums, every = [], []
        for bout, (into, share_into) in zip(self.bouts, self._into, strict=True):
            rows, of_rows = bout.rows_and_sums(part)
            _add_games(rows, into, share_into, self._unit, bout.game.part is None, deals)
            sums.append(of_rows)
            every.append(rows)
        parts = deals[:, _DEAL_PARTS]
        totals = (deals.sum(0), np.einsum("dc,dc->c", deals, deals), parts @ deals)
        each = (one.tolist() for one in totals)
        return every, RotationSums(sums, self._columns, self._unit, len(part), *each)
