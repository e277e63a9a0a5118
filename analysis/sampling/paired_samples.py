"""Several line-ups on the same deals, measured side by side: what all findings are made of.

A *contender* is a player in one or more line-ups; its value on a deal is the mean over these games.
All contenders meet the same deals, and the sums keep the products of every two of them: so the
standard error of any difference is taken over deals, with all that the pairing is worth.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import hypot, lcm
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from herdlab.analysis.experiment import FEWEST_DEALS, Interrupted, asking_for
from herdlab.analysis.runs.progress import OnProgress, part_progress
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

if TYPE_CHECKING:
    from herdlab.analysis.stats.confidence_sequences import ConfidenceSequence

_GAMES_AT_ONCE = 2 * LARGEST_CHUNK
_FEWEST_DEALS = 64
_EXACT_IN_FLOATS, _LARGEST = 2**53, 2**63


@dataclass(frozen=True)
class Contender:
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
) -> Contender:
    """Return `who` among each of the fields, in every seat in turn, the others going round.

    `weights` say how much each field counts; by default all the same.
    """
    places, counts = [], []
    for field, weight in zip(fields, weights or [1] * len(fields), strict=True):
        line_up = [who, *field]
        turns = range(len(line_up))
        places += [(tuple(line_up[-r:] + line_up[:-r]), r % len(line_up)) for r in turns]
        counts += [weight] * len(line_up)
    return Contender(rules, tuple(places), tuple(counts))


@dataclass
class PairedSums:
    """What deals add up to, exactly; all in whole units of each contender's scale."""

    deals: int
    totals: npt.NDArray[Any]
    """By contender: the sum over deals of its value.  (Arrays of Python's integers.)"""
    products: npt.NDArray[Any]
    """By contender and contender: the sum over deals of the product of their values."""
    seat_totals: npt.NDArray[Any]
    """By place of all contenders, one after another: the sum of the single game's value."""
    seat_squares: npt.NDArray[Any]
    differing: npt.NDArray[Any]
    """By contender: deals in which some game's value was not the first contender's in its place."""

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


def make_bout(
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
    """Contenders that are measured on the same deals."""

    def __init__(self, game: Game, contenders: Sequence[Contender], metric: str, seed: int) -> None:
        self.game, self.contenders = game, list(contenders)
        self._made_of = game, self.contenders, metric, seed
        self.metrics = [
            find_metric(game, contender.rules, metric, len(contender.places[0][0]))
            for contender in self.contenders
        ]
        if len({one.words for one in self.metrics}) > 1:
            words = " and ".join(dict.fromkeys(one.words for one in self.metrics))
            raise BadInput(f"{words} cannot be held against each other")
        self.scales = [
            one.scale * sum(contender.weights)
            for one, contender in zip(self.metrics, contenders, strict=True)
        ]
        watched: dict[tuple[str, tuple[str, ...], Any], list[tuple[int, int, int]]] = {}
        for number, contender in enumerate(self.contenders):
            for place, (line_up, seat) in enumerate(contender.places):
                key = contender.rules.hash, line_up, contender.start
                watched.setdefault(key, []).append((number, place, seat))
        rules = {contender.rules.hash: contender.rules for contender in self.contenders}
        moves = ChoiceTables(
            game, len({(by, len(up), name) for by, up, _ in watched for name in up})
        )
        self._tables = [
            (make_bout(game, rules[by], line_up, seed, moves, start), seats)
            for (by, line_up, start), seats in watched.items()
        ]
        """Each different line-up and who is watched there: (contender, its place, seat)."""
        self._bouts = {key[:2]: bout for key, (bout, _) in zip(watched, self._tables, strict=True)}

    def __reduce__(self) -> tuple[Any, ...]:
        """Let another process make the same samples of its own."""
        return PairedSamples, self._made_of

    def even_seats(self, number: int) -> int:
        """Return the seats of a contender's line-up if all are its copies and count alike; or 0."""
        contender, counted = self.contenders[number], Counter[int]()
        for (line_up, seat), weight in zip(contender.places, contender.weights, strict=True):
            if not are_alike(self._bouts[contender.rules.hash, line_up].players):
                return 0
            counted[seat] += weight
        seats = len(contender.places[0][0])
        return seats if len(counted) == seats and len(set(counted.values())) == 1 else 0

    @property
    def games_a_deal(self) -> int:
        """Different line-ups, each a game on every deal."""
        return len(self._tables)

    @property
    def chunk(self) -> int:
        """How many deals a thread plays at a time: few where there are many tables."""
        return max(_FEWEST_DEALS, _GAMES_AT_ONCE // self.games_a_deal)

    def empty(self) -> PairedSums:
        """Return the sums of no deals."""
        contenders, places = (
            len(self.contenders),
            sum(len(contender.places) for contender in self.contenders),
        )
        sizes: tuple[int | tuple[int, int], ...] = (
            contenders,
            (contenders, contenders),
            places,
            places,
            contenders,
        )
        return PairedSums(0, *(np.zeros(size, dtype=object) for size in sizes))

    def values(self, part: range) -> npt.NDArray[np.int64]:
        """Play the deals of `part`; return (contenders, deals), in whole units of each scale."""
        return self._play(part)[0]

    def _play(
        self, part: range
    ) -> tuple[npt.NDArray[np.int64], dict[tuple[int, int], npt.NDArray[np.int64]]]:
        """Return the contenders' values on each deal, and those of each of their places."""
        values = np.zeros((len(self.contenders), len(part)), dtype=np.int64)
        by_place = {}
        for bout, seats in self._tables:
            rows = bout.rows(part.start, part.stop)
            for number, place, seat in seats:
                found = self.metrics[number].of(rows, seat)
                by_place[number, place] = found
                values[number] += self.contenders[number].weights[place] * found
        return values, by_place

    def play(self, part: range) -> PairedSums:
        """Play the deals of `part` at every table."""
        values, by_place = self._play(part)
        single = [
            by_place[number, place]
            for number, contender in enumerate(self.contenders)
            for place in range(len(contender.places))
        ]
        return PairedSums(
            len(part),
            _integers(values.sum(1)),
            _integers(_products(values)),
            _integers([one.sum() for one in single]),
            _integers([_products(one[None])[0, 0] for one in single]),
            _integers(
                [self._differing(by_place, number) for number in range(len(self.contenders))]
            ),
        )

    def _differing(self, by_place: dict[tuple[int, int], Any], number: int) -> int:
        if len(self.contenders[number].places) != len(self.contenders[0].places):
            return len(by_place[number, 0])
        differ = np.zeros(len(by_place[number, 0]), dtype=bool)
        for place in range(len(self.contenders[number].places)):
            differ |= by_place[number, place] != by_place[0, place]
        return int(differ.sum())

    def measure(
        self,
        deals: range,
        *,
        into: PairedSums | None = None,
        runner: Runner = HERE,
        on_progress: Callable[[int], None] | None = None,
    ) -> "PairedEstimates":
        """Play `deals` and return what was measured, with what was there before in `into`."""
        sums = self.empty() if into is None else into
        runner.simulate(self.play, sums, deals, chunk=self.chunk, on_progress=on_progress)
        return PairedEstimates(self, sums)

    def measure_until(
        self,
        first_look: int,
        most: int,
        look: "Callable[[PairedEstimates, PairedEstimates], int | None]",
        *,
        into: PairedSums | None = None,
        runner: Runner = HERE,
        on_progress: OnProgress | None = None,
    ) -> "PairedEstimates":
        """Play up to `most` deals, until a `look` finds it enough: see `Runner.play_until`.

        A look is given what is new since the last one, and all.
        """
        from herdlab.analysis.stats.confidence_sequences import looks  # brings scipy

        sums = self.empty() if into is None else into
        seen = sums.copy()

        def looked() -> int | None:
            nonlocal seen
            new, seen = PairedEstimates(self, sums.less(seen)), sums.copy()
            return look(new, PairedEstimates(self, sums))

        ends = looks(first_look, most)
        try:
            runner.play_until(
                self.play, sums, ends, looked, chunk=self.chunk, on_progress=on_progress
            )
        except KeyboardInterrupt:
            if sums.deals > seen.deals and sums.deals >= FEWEST_DEALS:
                looked()
            raise
        return PairedEstimates(self, sums)

    def measure_for(
        self,
        result: "Callable[[PairedEstimates], Any]",
        deals: int,
        *,
        first_look: int | None = None,
        look: "Callable[[PairedEstimates, PairedEstimates], int | None] | None" = None,
        runner: Runner = HERE,
        on_progress: OnProgress | None = None,
    ) -> Any:
        """Play `deals`, or with `look` at most so many, and return the `result`.

        Interrupted, it raises the result of what was played, whose request asks for just that.
        """
        sums = self.empty()
        try:
            if look is None or first_look is None:
                heard = part_progress(on_progress, 0, deals)
                self.measure(range(deals), into=sums, runner=runner, on_progress=heard)
            else:
                self.measure_until(
                    first_look, deals, look, into=sums, runner=runner, on_progress=on_progress
                )
        except KeyboardInterrupt:
            so_far = None
            if sums.deals >= FEWEST_DEALS:
                so_far = asking_for(sums.deals, result(PairedEstimates(self, sums)))
            option = "--games" if look is None else "--max-games"
            raise Interrupted(so_far, f"{option} {sums.deals}") from None
        return result(PairedEstimates(self, sums))


@dataclass(frozen=True)
class PairedEstimates:
    """Contenders as measured: means and paired differences."""

    samples: PairedSamples
    sums: PairedSums

    @property
    def deals(self) -> int:
        """How many deals."""
        return self.sums.deals

    @property
    def games(self) -> int:
        """All games that were played."""
        return self.sums.deals * self.samples.games_a_deal

    def mean(self, contender: int, confidence: float = CONFIDENCE) -> Estimate:
        """Return a contender's mean with the interval of blocks: one deal, all its tables."""
        scale, n, metric = (
            self.samples.scales[contender],
            self.deals,
            self.samples.metrics[contender],
        )
        total, squares = self.sums.totals[contender], self.sums.products[contender, contender]
        if not metric.is_rate:
            return ratio_of(
                total,
                squares,
                total * scale,
                n * scale,
                n * scale**2,
                n,
                confidence,
                size=metric.size * self.samples.contenders[contender].heaviest_table,
                is_signed=metric.is_signed,
            )
        seats = self.samples.even_seats(contender)
        if not seats:
            return rate_of(total, squares, n, confidence, scale=scale)
        # Of copies at all places only the games that nobody wins are left to chance.
        decided = rate_of(total * seats, squares * seats**2, n, confidence, scale=scale)
        if decided.value == 1 and not self.samples.game.may_be_undecided(
            self.samples.contenders[contender].rules
        ):
            decided = Estimate(1.0, 1.0, 1.0, n)
        return shared_evenly(decided, seats)

    def _sums(self, a: int, b: int | None) -> tuple[int, int, int]:
        """Return scale, sum and sum of squares of a contender, or of `a` minus `b`."""
        scales, totals, products = self.samples.scales, self.sums.totals, self.sums.products
        if b is None:
            return scales[a], totals[a], products[a, a]
        scale = lcm(scales[a], scales[b])
        x, y = scale // scales[a], scale // scales[b]
        squares = x * x * products[a, a] - 2 * x * y * products[a, b] + y * y * products[b, b]
        return scale, x * totals[a] - y * totals[b], squares

    def difference(self, a: int, b: int, confidence: float = CONFIDENCE) -> Estimate:
        """Return contender `a` minus `b` with its interval over deals, good also if few differ.

        Of metrics without a known range, where no deal differs, one that was not seen may differ
        by three times what two unrelated deals do.
        """
        scale, total, squares = self._sums(a, b)
        apart = self._apart(a, b)
        differing = self._differing(a, b, squares / scale**2, apart)
        is_rate = self.samples.metrics[a].is_rate and self.samples.metrics[b].is_rate
        largest = apart if is_rate else None
        if not is_rate and a != b and not deviation(total, squares, self.deals):
            one = unvaried(0.0, self.deals, -FAR * apart, FAR * apart, confidence)
            mean = total / (scale * self.deals)
            return Estimate(mean, mean + one.low, mean + one.high, self.deals)
        return difference_of(
            total, squares, self.deals, differing, confidence, scale=scale, largest=largest
        )

    def _apart(self, a: int, b: int) -> float:
        """Return how far two contenders are apart on a deal that differs: rates by 1 at most.

        Others by about what two unrelated deals are, or by one occurrence if nothing ever varied.
        """
        if self.samples.metrics[a].is_rate and self.samples.metrics[b].is_rate:
            return 1.0
        usual = hypot(self.deviation(a), self.deviation(b))
        return usual or max(self._occurrence(a), self._occurrence(b))

    def _occurrence(self, contender: int) -> float:
        """Return the most that one occurrence counts in a contender's mean."""
        heaviest = self.samples.contenders[contender].heaviest_table
        return self.samples.metrics[contender].size * heaviest / self.samples.scales[contender]

    def _differing(self, a: int, b: int, squares: float, apart: float) -> int:
        """Return on how many deals two contenders differ.

        It is counted if one of them is the first contender.  Of two others it is only known to lie
        between two numbers, and taken for as few as have the squares if they are `apart`.
        """
        one, other = int(self.sums.differing[a]), int(self.sums.differing[b])
        most = min(self.deals, one + other)
        if 0 in (a, b):
            return most
        return max(abs(one - other), differing_of(squares / apart**2, most))

    def estimate(self, a: int, b: int | None, confidence: float = CONFIDENCE) -> Estimate:
        """Return a contender's mean, or that of `a` minus `b`."""
        return self.mean(a, confidence) if b is None else self.difference(a, b, confidence)

    def added_up(self, a: int, b: int | None = None) -> tuple[float, float]:
        """Return the sum, and the sum of squares, of a contender's values, or of `a` minus `b`."""
        scale, total, squares = self._sums(a, b)
        return total / scale, squares / scale**2

    def deviation(self, a: int, b: int | None = None) -> float:
        """Return the standard deviation, over deals, of a contender, or of `a` minus `b`."""
        scale, total, squares = self._sums(a, b)
        return deviation(total, squares, self.deals) / scale

    def add_to(self, sequences: "Sequences") -> None:
        """Let confidence sequences, of contenders or of differences, take in these deals."""
        for (a, b), sequence in sequences.items():
            sequence.add(self.deals, *self.added_up(a, b))

    def unpaired_variance(self, contender: int) -> float:
        """Return the variance of a contender's mean a deal, had each game had a deal of its own."""
        first = sum(len(one.places) for one in self.samples.contenders[:contender])
        sums = self.sums
        spread = [
            (weight * deviation(sums.seat_totals[p], sums.seat_squares[p], self.deals)) ** 2
            for p, weight in enumerate(self.samples.contenders[contender].weights, first)
        ]
        return sum(spread) / self.samples.scales[contender] ** 2


Sequences = dict[tuple[int, int | None], "ConfidenceSequence"]
"""By contender, or by the two of a difference."""


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
