"""Several line-ups on the same deals, measured side by side: what all findings are made of.

A *contender* is a player in one or more line-ups; its value on a deal is the mean over these games.
All meet the same deals, and the sums keep the products of every two contenders, so the standard
error of any difference is that of paired values.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from herdlab.analysis.experiment import FEWEST_DEALS, Interrupted, asking_for
from herdlab.analysis.runs.runner import HERE, Runner
from herdlab.analysis.sampling.line_ups import are_alike
from herdlab.analysis.sampling.metrics import find_metric
from herdlab.analysis.sampling.paired_estimates import PairedEstimates
from herdlab.simcore.batch import LARGEST_CHUNK, Bout, ChoiceTables, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import Game
from herdlab.simcore.rules import Rules
from herdlab.strategies.registry import seat_players

T = TypeVar("T")

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
    """Return `who` in every seat in turn among each field; `weights` say how much fields count."""
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
        for name, more in vars(other).items():
            setattr(self, name, getattr(self, name) + more)

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
    players = seat_players(game, rules, line_up)
    return Bout(game, rules, players, stream_seeds(seed), start, moves)


def deals_at_once(games_a_deal: int) -> int:
    """Return how many deals a thread plays at a time: few where each has many games."""
    return max(_FEWEST_DEALS, _GAMES_AT_ONCE // games_a_deal)


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
        ends = accumulate((len(contender.places) for contender in self.contenders), initial=0)
        self.places = [slice(*ends) for ends in pairwise(ends)]
        """By contender, where its places are among those of all, one after another."""
        watched: dict[tuple[str, tuple[str, ...], Any], list[tuple[int, int, int]]] = {}
        for number, contender in enumerate(self.contenders):
            for place, (line_up, seat) in enumerate(contender.places, self.places[number].start):
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
        """Each different line-up and who is watched there: (contender, place, seat)."""
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
        """How many deals a thread plays at a time."""
        return deals_at_once(self.games_a_deal)

    def empty(self) -> PairedSums:
        """Return the sums of no deals."""
        n, places = len(self.contenders), self.places[-1].stop
        shapes = (n,), (n, n), (places,), (places,), (n,)
        return PairedSums(0, *(np.zeros(shape, dtype=object) for shape in shapes))

    def values(self, part: range) -> npt.NDArray[np.int64]:
        """Play the deals of `part`; return (contenders, deals), in whole units of each scale."""
        return self._play(part)[0]

    def _play(self, part: range) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the contenders' values on each deal, and those of each of their places."""
        single = np.zeros((self.places[-1].stop, len(part)), dtype=np.int64)
        for bout, seats in self._tables:
            rows = bout.rows(part.start, part.stop)
            for number, place, seat in seats:
                single[place] = self.metrics[number].of(rows, seat)
        values = [
            np.dot(contender.weights, single[at])
            for contender, at in zip(self.contenders, self.places, strict=True)
        ]
        return np.array(values), single

    def play(self, part: range) -> PairedSums:
        """Play the deals of `part` at every table."""
        values, single = self._play(part)
        first, n = single[self.places[0]], len(part)
        by_contender = [single[at] for at in self.places]
        differing = [
            (mine != first).any(0).sum() if len(mine) == len(first) else n for mine in by_contender
        ]
        squares = [_products(one[None])[0, 0] for one in single]
        sums = values.sum(1), _products(values), single.sum(1), squares, differing
        return PairedSums(n, *map(_integers, sums))

    def measure(
        self,
        deals: range,
        *,
        into: PairedSums | None = None,
        runner: Runner = HERE,
        on_progress: Callable[[int], None] | None = None,
    ) -> PairedEstimates:
        """Play `deals` and return what was measured, with what was there before in `into`."""
        sums = self.empty() if into is None else into
        runner.simulate(self.play, sums, deals, chunk=self.chunk, on_progress=on_progress)
        return PairedEstimates(self, sums)

    def measure_until(
        self,
        first_look: int,
        most: int,
        look: Callable[[PairedEstimates, PairedEstimates], int | None],
        *,
        into: PairedSums | None = None,
        runner: Runner = HERE,
    ) -> PairedEstimates:
        """Play up to `most` deals, until a `look` at what is new, and at all, finds it enough."""
        from herdlab.analysis.stats.confidence_sequences import looks  # brings scipy

        sums = self.empty() if into is None else into
        seen = sums.copy()

        def looked() -> int | None:
            nonlocal seen
            new, seen = PairedEstimates(self, sums.less(seen)), sums.copy()
            return look(new, PairedEstimates(self, sums))

        ends = looks(first_look, most)
        try:
            runner.play_until(self.play, sums, ends, looked, chunk=self.chunk)
        except KeyboardInterrupt:
            if sums.deals > seen.deals and sums.deals >= FEWEST_DEALS:
                looked()
            raise
        return PairedEstimates(self, sums)

    def measure_for(
        self,
        result: Callable[[PairedEstimates], T],
        deals: int,
        *,
        first_look: int | None = None,
        look: Callable[[PairedEstimates, PairedEstimates], int | None] | None = None,
        runner: Runner = HERE,
    ) -> T:
        """Play `deals`, or with `look` at most so many, and return the `result`.

        Interrupted, it raises the result of what was played, whose request asks for just that.
        """
        sums = self.empty()
        try:
            if look is None or first_look is None:
                self.measure(range(deals), into=sums, runner=runner)
            else:
                self.measure_until(first_look, deals, look, into=sums, runner=runner)
        except KeyboardInterrupt:
            so_far = None
            if sums.deals >= FEWEST_DEALS:
                so_far = asking_for(sums.deals, result(PairedEstimates(self, sums)))
            option = "--games" if look is None else "--max-games"
            raise Interrupted(so_far, f"{option} {sums.deals}") from None
        return result(PairedEstimates(self, sums))


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
