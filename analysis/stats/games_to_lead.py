"""How many games the better of two players needs to be ahead.

The chance to have won more after N independent games, all seats equally likely, is worked out
exactly from how often a single game has which difference.  The bound where the search begins is
from Shevtsova, "On the absolute constants in the Berry-Esseen type inequalities for identically
distributed summands", arXiv 1111.6554 (2011).
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil, gcd, lcm, log, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from herdlab.analysis.stats import estimates
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.verdicts import Kind, kind_of
from herdlab.simcore.sums import WINNERS, Rows

Floats = npt.NDArray[np.float64]

OFTEN, MOSTLY = 0.75, 0.95
"""The chances of being ahead that are asked for."""
EXACT_UP_TO = 1_000_000
"""Games from which on the normal approximation serves; it is off by less than one in 1,000."""

_BERRY_ESSEEN = 0.4748
_ROUNDING = 1e-12
_NEGLIGIBLE = 40.0
"""exp(-40) is 4e-18."""
_AT_ONCE = 1 << 20


@dataclass
class StrategyPairSums:
    """What deals add up to for every two strategies of a line-up; exact."""

    counts: npt.NDArray[Any]
    """By pair and outcome: n + k if the first won with k - 1 others, n - k if the second did, n if
    both or neither.  (Arrays of Python's integers.)"""
    totals: npt.NDArray[Any]
    """By pair: the sum over deals of the difference in all games of a deal."""
    squares: npt.NDArray[Any]

    def add(self, other: "StrategyPairSums") -> None:
        """Merge `other` into this; the order does not matter."""
        for name, more in vars(other).items():
            setattr(self, name, getattr(self, name) + more)


class StrategyPairs:
    """Every two different strategies of a line-up, with all their copies."""

    def __init__(self, names: Sequence[str]) -> None:
        self.n, self.unit = len(names), lcm(*range(1, len(names) + 1))
        places: dict[str, list[int]] = {}
        for place, name in enumerate(names):
            places.setdefault(name, []).append(place)
        self.names = list(combinations(places, 2))
        self._places = [
            [(i, j) for i in places[first] for j in places[second]] for first, second in self.names
        ]

    def games_of_a_deal(self, pair: int, rotations: int) -> int:
        """Return how many differences a deal has, of copies and rotations."""
        return len(self._places[pair]) * rotations

    def empty(self) -> StrategyPairSums:
        """Return the sums of no deals."""
        pairs = len(self.names)
        shapes = (pairs, 2 * self.n + 1), pairs, pairs
        return StrategyPairSums(*(np.zeros(shape, dtype=object) for shape in shapes))

    def sums(self, rotations: Sequence[Rows]) -> StrategyPairSums:
        """Return the sums of rows of the same deals, rotation by rotation."""
        n, found = self.n, self.empty()
        shares = np.array([0, *(self.unit // k for k in range(1, n + 1))])
        for pair, places in enumerate(self._places):
            total = np.zeros(len(rotations[0]), dtype=np.int64)
            for r, rows in enumerate(rotations):
                winners = rows[:, WINNERS]
                sharers = np.bitwise_count(winners)
                for i, j in places:
                    sign = ((winners >> (i + r) % n) & 1) - ((winners >> (j + r) % n) & 1)
                    counted = np.bincount(n + sign * sharers, minlength=2 * n + 1)
                    found.counts[pair] += np.array(counted.tolist(), dtype=object)
                    total += sign * shares[sharers]
            found.totals[pair] = int(total.sum())
            found.squares[pair] = int((total * total).sum())
        return found


@dataclass(frozen=True)
class GamesToLead:
    """Two strategies of a line-up: who is better, and after how many games that shows."""

    better: str
    worse: str
    difference: Estimate
    """Of their shares of a win in a game: the better minus the worse."""
    deviation: float
    """Of that difference, from game to game."""
    is_same: bool
    """Whether they came out alike on every deal."""
    games_75: int | None
    """From so many games on the better is ahead with this chance; None if it is not settled who
    that is.  Then `games_75_low` holds whoever is better, and there is no upper end."""
    games_75_low: int | None
    games_75_high: int | None
    games_95: int | None
    games_95_low: int | None
    games_95_high: int | None

    @property
    def is_settled(self) -> bool:
        """Whether it is known which of them is better."""
        return self.games_95 is not None

    @property
    def sentence(self) -> str:
        """Return what is known, in a sentence."""
        one, both = self.difference, f"{self.better} and {self.worse}"
        often, mostly = f"{100 * OFTEN:.0f} %", f"{100 * MOSTLY:.0f} %"
        if self.is_same:
            return f"{both} won as often as each other on each of {one.n:,} deals"
        if not self.is_settled:
            return (
                f"it is not settled which of {both} is better: the difference of their win rates "
                f"is {100 * one.value:.2f} percentage points ({100 * one.low:.2f} to "
                f"{100 * one.high:.2f}). The better one needs at least {self.games_95_low:,} games "
                f"to be ahead with {mostly} probability"
            )
        first = _games(self.games_75, self.games_75_low, self.games_75_high, " game")
        then = _games(self.games_95, self.games_95_low, self.games_95_high, "")
        ahead = f"{self.better} is ahead of {self.worse}"
        return f"{ahead} after {first} with {often} probability, after {then} with {mostly}"

    def as_json(self) -> dict[str, Any]:
        """Return its numbers."""
        return {
            "better": self.better,
            "worse": self.worse,
            "settled": self.is_settled,
            **estimates.as_columns(self.difference, "difference"),
            "deviation_a_game": self.deviation,
            **{name: vars(self)[name] for name in vars(self) if name.startswith("games_")},
            "sentence": self.sentence,
        }


def _games(games: int | None, low: int | None, high: int | None, unit: str) -> str:
    assert games is not None
    many = "s" if unit and games != 1 else ""
    span = "" if low == high else f" ({low:,} to {high:,})"
    return f"{games:,}{unit}{many}{span}"


def games_to_lead(
    pairs: StrategyPairs, sums: StrategyPairSums, deals: int, rotations: int
) -> list[GamesToLead]:
    """Return who is better in each pair; their intervals hold all at once (Bonferroni)."""
    confidence, found = estimates.corrected(len(pairs.names)), []
    shares = [pairs.unit // k for k in range(1, pairs.n + 1)]
    values = [*(-share for share in reversed(shares)), 0, *shares]
    for pair, names in enumerate(pairs.names):
        better, worse = names
        counts, total, squares = sums.counts[pair], sums.totals[pair], sums.squares[pair]
        if total < 0:
            better, worse, counts, total = worse, better, counts[::-1], -total
        each = pairs.games_of_a_deal(pair, rotations)
        one = each * pairs.unit
        if squares:
            mean = total / (deals * one)
            variance = (estimates.deviation(total, squares, deals) / one) ** 2 / deals
            difference = estimates.difference_with(mean, variance, deals, confidence)
        else:
            difference = estimates.unvaried(0.0, deals, -1.0, 1.0, confidence)
        chances = np.array([count / (deals * each) for count in counts])
        game = GameDifference(values, chances, pairs.unit)
        best, least = game.with_mean(difference.high), game.with_mean(difference.low)
        needed: list[int | None] = []
        for probability in (OFTEN, MOSTLY):
            fewest = best.games_needed(probability)
            if kind_of(difference) == Kind.HIGHER:
                needed += [game.games_needed(probability), fewest, least.games_needed(probability)]
            else:  # the interval reaches at least as far on the side of the better
                needed += [None, fewest, None]
        found.append(GamesToLead(better, worse, difference, game.deviation, not squares, *needed))
    return found


class GameDifference:
    """By how much one player does better than another in a single game: values and chances."""

    def __init__(self, values: Sequence[int], chances: npt.ArrayLike, unit: int = 1) -> None:
        """Take values in whole units of 1 / `unit`."""
        self.values = np.asarray(values, dtype=np.int64)
        self.chances = np.asarray(chances, dtype=np.float64)
        self.unit = unit
        amounts = self.values / unit
        self.mean = float((self.chances * amounts).sum())
        self.deviation = sqrt(float((self.chances * (amounts - self.mean) ** 2).sum()))

    def with_mean(self, mean: float) -> "GameDifference":
        """Return it with another mean: some games are won, or lost, outright instead."""
        end = int(np.argmin(self.values) if mean < self.mean else np.argmax(self.values))
        extreme = self.values[end] / self.unit
        if self.mean in (mean, extreme):
            return self
        moved = (mean - self.mean) / (extreme - self.mean)
        chances = (1 - moved) * self.chances
        chances[end] += moved
        return GameDifference(self.values.tolist(), chances, self.unit)

    def games_needed(self, probability: float) -> int | None:
        """Return after how many games one is strictly ahead with this chance, and ever after.

        With few draws an odd number of games is better than the even one after it; that is why
        "ever after".  None if one is not better at all.
        """
        if self.mean <= 0:
            return None
        if not self.deviation:
            return 1
        about = self._normal(probability)
        if about > EXACT_UP_TO:
            return about
        enough = min(self._chernoff(probability), self._berry_esseen(probability))
        ahead = LeadChance(self, enough)
        last = enough - 1
        while last > 0:
            first = max(1, last - max(64, last // 8) + 1)
            failing = np.flatnonzero(ahead.probabilities(first, last) < probability - _ROUNDING)
            if failing.size:
                return int(first + failing[-1] + 1)
            last = first - 1
        return 1

    def _normal(self, probability: float) -> int:
        """Return about how many games it takes: normal, with half a step as correction.

        Without drawn games that step is 2, and sums that can be 0 after even numbers decide.
        """
        z = NormalDist().inv_cdf(probability) * self.deviation
        played = self.values[self.chances > 0]
        step = gcd(*(played - played[0]).tolist()) / self.unit
        return ceil(((z + sqrt(z * z + 2 * self.mean * step)) / (2 * self.mean)) ** 2)

    def _chernoff(self, probability: float) -> int:
        """Return a number of games after which it is certain ever after: Chernoff's bound."""
        natural = self.mean / self.deviation**2  # the best tilt of a normal distribution
        tilts = np.geomspace(min(natural, 0.1) / 4, 40, 300)
        rate = float((np.exp(-np.outer(tilts, self.values / self.unit)) @ self.chances).min())
        return max(1, ceil(log(1 - probability) / log(rate)))

    def _berry_esseen(self, probability: float) -> int:
        """Return the same by the normal approximation and how far it may be off."""
        third = float(self.chances @ np.abs(self.values / self.unit - self.mean) ** 3)
        off = _BERRY_ESSEEN * third / self.deviation**3
        quality, normal = self.mean / self.deviation, NormalDist()

        def is_enough(games: int) -> bool:
            root = sqrt(games)
            return normal.cdf(-root * quality) + off / root <= 1 - probability

        return 1 + bisect_left(range(1, 1 << 62), True, key=is_enough)


class LeadChance:
    """The chance to be ahead after N games, from the characteristic function of one.

    The sum moves on a circle of M points, so many that it cannot go round (Hoeffding).  Then both
    P(sum = 0) and P(sum > 0) - P(sum < 0) are sums over the M-th roots of unity of phi^N, times 1
    and times a cotangent: exact up to rounding, and for large N only few roots matter.
    """

    def __init__(self, game: GameDifference, most: int) -> None:
        """Prepare for up to `most` games."""
        played = game.chances > 0
        values = game.values[played]
        values = values // gcd(*values.tolist())  # of a lattice, the steps on it
        largest = int(np.abs(values).max())
        mean = float(game.chances[played] @ values)
        reach = most * mean + largest * sqrt(2 * most * _NEGLIGIBLE)
        farthest = min(most * largest, ceil(reach))
        self._size = 1 << max(2, (2 * farthest + 2).bit_length())
        circle = np.zeros(self._size)
        np.add.at(circle, values % self._size, game.chances[played])
        self._phi = np.conj(np.fft.rfft(circle))
        j = np.arange(self._phi.size)
        self._zero = np.where((j == 0) | (j == j[-1]), 1.0, 2.0) / self._size
        cotangent = 1 / np.tan(np.pi * np.maximum(1, j) / self._size)
        self._sign = np.where(j % 2 == 1, 4 * cotangent, 0) / self._size

    def probabilities(self, first: int, last: int) -> Floats:
        """Return the chance to be ahead after `first` … `last` games."""
        size = np.abs(self._phi)
        kept = np.flatnonzero(size > np.exp(-_NEGLIGIBLE / first))
        logs, zero, sign = np.log(self._phi[kept]), self._zero[kept], self._sign[kept]
        found = []
        rows = max(1, _AT_ONCE // kept.size)
        for begin in range(first, last + 1, rows):
            games = np.arange(begin, min(begin + rows, last + 1))
            powers = np.exp(np.outer(games, logs))
            found.append((1 - powers.real @ zero + powers.imag @ sign) / 2)
        return np.concatenate(found)
