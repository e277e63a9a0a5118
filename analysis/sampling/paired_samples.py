"""Several line-ups on the same deals, measured side by side: what all findings are made of.

An *arm* is somebody at one or more tables; its value on a deal is the mean over these tables.
All arms of a panel meet the same deals, and the sums keep the products of every two of them: so
the standard error of any difference is taken over deals, with all that the pairing is worth.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import hypot, lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from herdlab.analysis.runs.runner import HERE, Runner
from herdlab.analysis.sampling.line_ups import are_alike
from herdlab.analysis.sampling.metrics import find_metric
from herdlab.analysis.stats.estimates import (
    CONFIDENCE,
    FAR,
    Estimate,
    deviation,
    difference_of,
    differing_of,
    rate_of,
    ratio_of,
    shared_evenly,
    unvaried,
)
from herdlab.simcore.batch import LARGEST_CHUNK, Bout, ChoiceTables, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import Game
from herdlab.simcore.rules import Rules
from herdlab.strategies.registry import seat_players

_GAMES_AT_ONCE = 2 * LARGEST_CHUNK
_FEWEST_DEALS = 64
_EXACT_IN_FLOATS, _LARGEST = 2**53, 2**63


@dataclass(frozen=True)
class Arm:
    """Somebody at one or more tables: the seats whose mean is measured."""

    rules: Rules
    places: tuple[tuple[tuple[str, ...], int], ...]
    """(line-up, seat) of each table."""
    weights: tuple[int, ...]
    """How much each counts."""
    start: Any = None
    """The position of the game that all its tables start from; the deal if None."""

    @property
    def heaviest_table(self) -> int:
        """How much the table counts of which most seats count."""
        counted: Counter[tuple[str, ...]] = Counter()
        for (line_up, _), weight in zip(self.places, self.weights, strict=True):
            counted[line_up] += weight
        return max(counted.values())


def in_every_seat(
    rules: Rules, who: str, *fields: Sequence[str], weights: Sequence[int] | None = None
) -> Arm:
    """Return `who` among each of the fields, in every seat in turn, the others going round.

    `weights` say how much each field counts; by default all the same.
    """
    places, counts = [], []
    for field, weight in zip(fields, weights or [1] * len(fields), strict=True):
        line_up = [who, *field]
        turns = range(len(line_up))
        places += [(tuple(line_up[-r:] + line_up[:-r]), r % len(line_up)) for r in turns]
        counts += [weight] * len(line_up)
    return Arm(rules, tuple(places), tuple(counts))


@dataclass
class PairedSums:
    """What deals add up to, exactly; all in whole units of each arm's scale."""

    deals: int
    totals: npt.NDArray[Any]
    """By arm: the sum over deals of its value.  (Arrays of Python's integers.)"""
    products: npt.NDArray[Any]
    """By arm and arm: the sum over deals of the product of their values."""
    seat_totals: npt.NDArray[Any]
    """By place of all arms, one after another: the sum of the single game's value."""
    seat_squares: npt.NDArray[Any]
    differing: npt.NDArray[Any]
    """By arm: deals in which some game's value was not that of the first arm in its place."""

    def add(self, other: "PairedSums") -> None:
        """Merge `other` into this; the order does not matter."""
        self.deals += other.deals
        self.totals = self.totals + other.totals
        self.products = self.products + other.products
        self.seat_totals = self.seat_totals + other.seat_totals
        self.seat_squares = self.seat_squares + other.seat_squares
        self.differing = self.differing + other.differing

    def less(self, earlier: "PairedSums") -> "PairedSums":
        """Return what has been added since `earlier`."""
        mine, others = vars(self), vars(earlier)
        return PairedSums(**{key: mine[key] - others[key] for key in mine})

    def copy(self) -> "PairedSums":
        """Return it as it is now; merging makes new arrays."""
        return PairedSums(**vars(self))


def bout_of(
    game: Game,
    rules: Rules,
    line_up: Sequence[str],
    seed: int,
    moves: ChoiceTables,
    start: Any = None,
) -> Bout:
    """Return a line-up seated to play, with tables of choices that several bouts share."""
    players = seat_players(game, rules, ",".join(line_up))
    return Bout(game, rules, players, stream_seeds(seed), start, moves)


class PairedSamples:
    """Arms that are measured on the same deals."""

    def __init__(self, game: Game, arms: Sequence[Arm], metric: str, seed: int) -> None:
        self.game, self.arms = game, list(arms)
        self._made_of = game, self.arms, metric, seed
        self.metrics = [
            find_metric(game, arm.rules, metric, len(arm.places[0][0])) for arm in self.arms
        ]
        if len({one.words for one in self.metrics}) > 1:
            words = " and ".join(dict.fromkeys(one.words for one in self.metrics))
            raise BadInput(f"{words} cannot be held against each other")
        self.scales = [
            one.scale * sum(arm.weights) for one, arm in zip(self.metrics, arms, strict=True)
        ]
        watched: dict[tuple[str, tuple[str, ...], Any], list[tuple[int, int, int]]] = {}
        for number, arm in enumerate(self.arms):
            for place, (line_up, seat) in enumerate(arm.places):
                key = arm.rules.hash, line_up, arm.start
                watched.setdefault(key, []).append((number, place, seat))
        rules = {arm.rules.hash: arm.rules for arm in self.arms}
        moves = ChoiceTables(
            game, len({(by, len(up), name) for by, up, _ in watched for name in up})
        )
        self._tables = [
            (bout_of(game, rules[by], line_up, seed, moves, start), seats)
            for (by, line_up, start), seats in watched.items()
        ]
        """Each different table, and who is watched there: (arm, place of the arm, seat)."""
        self._bouts = {key[:2]: bout for key, (bout, _) in zip(watched, self._tables, strict=True)}

    def __reduce__(self) -> tuple[Any, ...]:
        """Let another process make the same panel of its own."""
        return PairedSamples, self._made_of

    def even_seats(self, number: int) -> int:
        """Return the seats of an arm's table if only its copies sit there, all counted; or 0."""
        arm, counted = self.arms[number], Counter[int]()
        for (line_up, seat), weight in zip(arm.places, arm.weights, strict=True):
            if not are_alike(self._bouts[arm.rules.hash, line_up].players):
                return 0
            counted[seat] += weight
        seats = len(arm.places[0][0])
        return seats if len(counted) == seats and len(set(counted.values())) == 1 else 0

    @property
    def tables(self) -> int:
        """Different tables, each a game on every deal."""
        return len(self._tables)

    @property
    def chunk(self) -> int:
        """How many deals a thread plays at a time: few where there are many tables."""
        return max(_FEWEST_DEALS, _GAMES_AT_ONCE // self.tables)

    def empty(self) -> PairedSums:
        """Return the sums of no deals."""
        arms, places = len(self.arms), sum(len(arm.places) for arm in self.arms)
        sizes: tuple[int | tuple[int, int], ...] = (arms, (arms, arms), places, places, arms)
        return PairedSums(0, *(np.zeros(size, dtype=object) for size in sizes))

    def values(self, part: range) -> npt.NDArray[np.int64]:
        """Play the deals of `part` and return (arms, deals), in whole units of each arm's scale."""
        return self._play(part)[0]

    def _play(
        self, part: range
    ) -> tuple[npt.NDArray[np.int64], dict[tuple[int, int], npt.NDArray[np.int64]]]:
        """Return the arms' values on each deal, and those of each of their places."""
        values = np.zeros((len(self.arms), len(part)), dtype=np.int64)
        by_place = {}
        for bout, seats in self._tables:
            rows = bout.rows(part.start, part.stop)
            for number, place, seat in seats:
                found = self.metrics[number].of(rows, seat)
                by_place[number, place] = found
                values[number] += self.arms[number].weights[place] * found
        return values, by_place

    def play(self, part: range) -> PairedSums:
        """Play the deals of `part` at every table."""
        values, by_place = self._play(part)
        single = [
            by_place[number, place]
            for number, arm in enumerate(self.arms)
            for place in range(len(arm.places))
        ]
        return PairedSums(
            len(part),
            _integers(values.sum(1)),
            _integers(_products(values)),
            _integers([one.sum() for one in single]),
            _integers([_products(one[None])[0, 0] for one in single]),
            _integers([self._differing(by_place, number) for number in range(len(self.arms))]),
        )

    def _differing(self, by_place: dict[tuple[int, int], Any], number: int) -> int:
        if len(self.arms[number].places) != len(self.arms[0].places):
            return len(by_place[number, 0])
        differ = np.zeros(len(by_place[number, 0]), dtype=bool)
        for place in range(len(self.arms[number].places)):
            differ |= by_place[number, place] != by_place[0, place]
        return int(differ.sum())

    def measure(
        self,
        deals: range,
        *,
        into: PairedSums | None = None,
        runner: Runner = HERE,
        on_progress: Callable[[int], None] | None = None,
    ) -> "Measured":
        """Play `deals` and return what was measured, with what was there before in `into`."""
        sums = self.empty() if into is None else into
        runner.simulate(self.play, sums, deals, chunk=self.chunk, on_progress=on_progress)
        return Measured(self, sums)


@dataclass(frozen=True)
class Measured:
    """Arms as measured: means and paired differences."""

    panel: PairedSamples
    sums: PairedSums

    @property
    def deals(self) -> int:
        """How many deals."""
        return self.sums.deals

    @property
    def games(self) -> int:
        """All games that were played."""
        return self.sums.deals * self.panel.tables

    def mean(self, arm: int, confidence: float = CONFIDENCE) -> Estimate:
        """Return an arm's mean with the interval of blocks: one deal, all its tables."""
        scale, n, metric = self.panel.scales[arm], self.deals, self.panel.metrics[arm]
        total, squares = self.sums.totals[arm], self.sums.products[arm, arm]
        if not metric.is_rate:
            return ratio_of(
                total,
                squares,
                total * scale,
                n * scale,
                n * scale**2,
                n,
                confidence,
                size=metric.size * self.panel.arms[arm].heaviest_table,
                is_signed=metric.is_signed,
            )
        seats = self.panel.even_seats(arm)
        if not seats:
            return rate_of(total, squares, n, confidence, scale=scale)
        # Of copies at all places only the games that nobody wins are left to chance.
        decided = rate_of(total * seats, squares * seats**2, n, confidence, scale=scale)
        if decided.value == 1 and not self.panel.game.may_be_undecided(self.panel.arms[arm].rules):
            decided = Estimate(1.0, 1.0, 1.0, n)
        return shared_evenly(decided, seats)

    def _difference(self, a: int, b: int) -> tuple[int, int, int]:
        """Return scale, sum and sum of squares of the differences of two arms, deal by deal."""
        scale = lcm(self.panel.scales[a], self.panel.scales[b])
        x, y = scale // self.panel.scales[a], scale // self.panel.scales[b]
        totals, products = self.sums.totals, self.sums.products
        squares = x * x * products[a, a] - 2 * x * y * products[a, b] + y * y * products[b, b]
        return scale, x * totals[a] - y * totals[b], squares

    def difference(self, a: int, b: int, confidence: float = CONFIDENCE) -> Estimate:
        """Return arm `a` minus arm `b` with its interval over deals, good also if few differ.

        Of metrics without a known range, where no deal differs, one that was not seen may differ
        by three times what two unrelated deals do.
        """
        scale, total, squares = self._difference(a, b)
        apart = self._apart(a, b)
        differing = self._differing(a, b, squares / scale**2, apart)
        is_rate = self.panel.metrics[a].is_rate and self.panel.metrics[b].is_rate
        largest = apart if is_rate else None
        if not is_rate and a != b and not deviation(total, squares, self.deals):
            one = unvaried(0.0, self.deals, -FAR * apart, FAR * apart, confidence)
            mean = total / (scale * self.deals)
            return Estimate(mean, mean + one.low, mean + one.high, self.deals)
        return difference_of(
            total, squares, self.deals, differing, confidence, scale=scale, largest=largest
        )

    def _apart(self, a: int, b: int) -> float:
        """Return how far two arms are apart on a deal that differs: rates by 1 at most.

        Others by about what two unrelated deals are, or by one occurrence if nothing ever varied.
        """
        if self.panel.metrics[a].is_rate and self.panel.metrics[b].is_rate:
            return 1.0
        usual = hypot(self.deviation_of_arm(a), self.deviation_of_arm(b))
        return usual or max(self._occurrence(a), self._occurrence(b))

    def _occurrence(self, arm: int) -> float:
        """Return the most that one occurrence counts in an arm's mean."""
        heaviest = self.panel.arms[arm].heaviest_table
        return self.panel.metrics[arm].size * heaviest / self.panel.scales[arm]

    def _differing(self, a: int, b: int, squares: float, apart: float) -> int:
        """Return on how many deals two arms differ.

        It is counted if one of them is the first arm.  Of two others it is only known to lie
        between two numbers, and taken for as few as have the squares if they are `apart`.
        """
        one, other = int(self.sums.differing[a]), int(self.sums.differing[b])
        most = min(self.deals, one + other)
        if 0 in (a, b):
            return most
        return max(abs(one - other), differing_of(squares / apart**2, most))

    def of_difference(self, a: int, b: int) -> tuple[float, float]:
        """Return the sum, and the sum of squares, of the differences of two arms."""
        scale, total, squares = self._difference(a, b)
        return total / scale, squares / scale**2

    def of_arm(self, arm: int) -> tuple[float, float]:
        """Return the sum, and the sum of squares, of an arm's values."""
        scale = self.panel.scales[arm]
        return self.sums.totals[arm] / scale, self.sums.products[arm, arm] / scale**2

    def deviation_of_difference(self, a: int, b: int) -> float:
        """Return the standard deviation, over deals, of the difference of two arms."""
        scale, total, squares = self._difference(a, b)
        return deviation(total, squares, self.deals) / scale

    def deviation_of_arm(self, arm: int) -> float:
        """Return the standard deviation, over deals, of an arm's value."""
        total, squares = self.sums.totals[arm], self.sums.products[arm, arm]
        return deviation(total, squares, self.deals) / self.panel.scales[arm]

    def unpaired_variance(self, arm: int) -> float:
        """Return the variance of an arm's mean a deal, had each game had a deal of its own."""
        first = sum(len(one.places) for one in self.panel.arms[:arm])
        sums = self.sums
        spread = [
            (weight * deviation(sums.seat_totals[p], sums.seat_squares[p], self.deals)) ** 2
            for p, weight in enumerate(self.panel.arms[arm].weights, first)
        ]
        return sum(spread) / self.panel.scales[arm] ** 2


def _integers(values: Any) -> npt.NDArray[Any]:
    """Return an array of Python's integers, which do not overflow."""
    return np.array(np.asarray(values).tolist(), dtype=object)


def _products(values: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """Return the sums of products of every two rows, exactly."""
    most = int(np.abs(values).max(initial=0)) ** 2 * values.shape[1]
    if most < _EXACT_IN_FLOATS:  # and several times as fast
        floats = values.astype(np.float64)
        exact: npt.NDArray[Any] = (floats @ floats.T).astype(np.int64)
        return exact
    wide: npt.NDArray[Any] = values if most < _LARGEST else values.astype(object)
    found: npt.NDArray[Any] = wide @ wide.T
    return found
