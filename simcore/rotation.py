"""Line-ups played in every rotation of the seats on the same luck."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import lcm

import numpy as np

from simcore.batch import Bout
from simcore.sums import LENGTH, PARTS, WINNERS, Rows, Sums, added


@dataclass
class RotationSums:
    """What lucks add up to that were each played in every rotation of the seats."""

    sums: list[Sums]
    """By rotation; in rotation r the player of place i sits in seat (i + r) % players."""
    unit: int
    """Shares of a win are counted in 1 / unit."""
    lucks: int = 0
    shares: list[int] = field(default_factory=list)
    """By group of players: the sum over lucks of its wins in all rotations together."""
    squared_shares: list[int] = field(default_factory=list)
    squared_length: int = 0
    """The sum over lucks of the square of the length of all rotations together."""
    squared_parts: int = 0
    """The same of the number of parts (a game without parts is one)."""
    length_by_parts: int = 0
    """The same of their product."""

    def add(self, other: "RotationSums") -> None:
        """Merge `other` into this; the order does not matter."""
        self.lucks += other.lucks
        for mine, others in zip(self.sums, other.sums, strict=True):
            mine.add(others)
        self.shares = added(self.shares, other.shares)
        self.squared_shares = added(self.squared_shares, other.squared_shares)
        self.squared_length += other.squared_length
        self.squared_parts += other.squared_parts
        self.length_by_parts += other.length_by_parts


class Rotation:
    """A line-up played in all its different rotations on the same luck."""

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

    def empty(self) -> RotationSums:
        """Return the sums of no lucks."""
        return RotationSums([Sums(self.n_players) for _ in self.bouts], self._unit)

    def play(self, part: range) -> RotationSums:
        """Play the lucks of `part` in every rotation."""
        return self.rows_and_sums(part)[1]

    def rows_and_sums(self, part: range) -> tuple[list[Rows], RotationSums]:
        """Play the lucks of `part` in every rotation; return the rows of each, and the sums."""
        n = self.n_players
        shares = np.zeros((max(self.groups) + 1, len(part)), dtype=np.int64)
        lengths, parts = np.zeros(len(part), dtype=np.int64), np.zeros(len(part), dtype=np.int64)
        sums, every = [], []
        for r, bout in enumerate(self.bouts):
            rows, added = bout.rows_and_sums(part)
            won = (rows[:, WINNERS, None] >> np.arange(n)) & 1
            share = np.where(won, self._unit // np.maximum(1, won.sum(1))[:, None], 0)
            for place, group in enumerate(self.groups):
                shares[group] += share[:, (place + r) % n]
            lengths += rows[:, LENGTH]
            parts += 1 if bout.game.part is None else rows[:, PARTS]
            sums.append(added)
            every.append(rows)
        return every, RotationSums(
            sums,
            self._unit,
            len(part),
            shares.sum(1).tolist(),
            (shares * shares).sum(1).tolist(),
            int((lengths * lengths).sum()),
            int((parts * parts).sum()),
            int((lengths * parts).sum()),
        )
