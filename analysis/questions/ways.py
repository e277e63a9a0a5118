"""Ways to play weighed against each other on common deals.

A *way* is the mean of one or more contenders: several where the rules go round with the
player, as slap speeds must.  All intervals of an answer share one chance of being wrong.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, compress
from math import lcm

import numpy as np

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.questions.asking import Ask
from herdlab.analysis.sampling.paired_estimates import PairedEstimates
from herdlab.analysis.sampling.paired_samples import Contender, PairedSamples, PairedSums
from herdlab.analysis.stats.confidence_sequences import BoundedSequence, v_for_half_width
from herdlab.analysis.stats.estimates import CONFIDENCE, Estimate, difference_of, differing_of
from herdlab.analysis.stats.verdicts import MARGIN_OF_WIN, Kind, kind_of_wins

CLOSE = 0.003
"""Win rates are known closely enough within this, or within `_SHARE` of what they are."""
_SHARE = 0.1
_FIRST_LOOK = 1_000
_A_BIT_MORE = 1.01
_USUAL_VARIANCE = 0.02
"""Of the difference of two ways on a deal, averaged over seats; what the sequences are tuned to."""


@dataclass(frozen=True)
class Ranking:
    """What is settled about ways at one table."""

    best: tuple[str, ...]
    """The way that won most, then those that are not worse than it by any amount that matters."""
    worse: tuple[str, ...]
    unsettled: tuple[str, ...]
    """Those of which the games do not say whether they are worse."""


@dataclass(frozen=True)
class Weighed:
    """Ways as measured on the same deals."""

    names: tuple[str, ...]
    rates: tuple[float, ...]
    deals: int
    apart: dict[tuple[str, str], Estimate]
    """By two ways, the first less the second: the difference of their win rates."""
    same: frozenset[tuple[str, str]]
    """Of these, the pairs that came out alike on every deal."""

    def less(self, way: str, other: str) -> Estimate:
        """Return the win rate of `way` less that of `other`, whichever way round it was taken."""
        if (way, other) in self.apart:
            return self.apart[way, other]
        found = self.apart[other, way]
        return Estimate(-found.value, -found.high, -found.low, found.n)

    @property
    def is_all_the_same(self) -> bool:
        """Whether nothing ever hung on the way."""
        return len(self.same) == len(self.apart)

    def too_wide(self, close: float) -> float:
        """Return how many times too wide the widest interval is."""
        return max(
            (one.high - one.low) / (2 * max(close, _SHARE * abs(one.value)))
            for one in self.apart.values()
        )

    def too_unsettled(self, names: Sequence[str]) -> float:
        """Return how many times too wide intervals are to rank these ways; 0 if they are not.

        With half of the margin everything is settled: nothing, or all that matters, is excluded.
        """
        ranking = self.ranking(names)
        open_ = [self.less(ranking.best[0], name) for name in ranking.unsettled]
        halves = [(one.high - one.low) / 2 for one in open_]
        return max([0.0, *(max(half / (MARGIN_OF_WIN / 2), _A_BIT_MORE) for half in halves)])

    def ranking(self, names: Sequence[str] | None = None) -> Ranking:
        """Return which ways, of some or of all, are best; the intervals hold for all pairs."""
        names = names or self.names
        first = max(names, key=lambda name: self.rates[self.names.index(name)])
        best, worse, unsettled = [first], list[str](), list[str]()
        for name in names:
            if name != first:
                gain = self.less(first, name)
                # Where the intervals of pairs contradict the means, nothing is settled.
                {Kind.TIE: best, Kind.HIGHER: worse}.get(kind_of_wins(gain), unsettled).append(name)
        return Ranking(tuple(best), tuple(worse), tuple(unsettled))


class _Sums:
    """Wins of ways, and by how much they differ, from the sums of their contenders."""

    def __init__(
        self, samples: PairedSamples, contenders: Sequence[int], pairs: Sequence[tuple[int, int]]
    ) -> None:
        owners = [way for way, n in enumerate(contenders) for _ in range(n)]
        each = [
            scale * contenders[owner] for scale, owner in zip(samples.scales, owners, strict=True)
        ]  # so many units are a win of its way
        self.scale = lcm(*each)
        self._units = np.zeros((len(contenders), len(owners)), dtype=object)
        for contender, owner in enumerate(owners):
            self._units[owner, contender] = self.scale // each[contender]
        self._apart = [self._units[a] - self._units[b] for a, b in pairs]

    def rates(self, sums: PairedSums) -> tuple[float, ...]:
        """Return the win rate of each way."""
        return tuple(float(won / (self.scale * sums.deals)) for won in self._units @ sums.totals)

    def of(self, sums: PairedSums) -> list[tuple[int, int]]:
        """Return by pair the sum and the sum of squares of its differences, in whole units."""
        return [
            (int(units @ sums.totals), int(units @ sums.products @ units)) for units in self._apart
        ]

    def differing(self, sums: PairedSums) -> list[int]:
        """Return by pair on how many deals it differs, as `PairedEstimates.difference` takes it.

        Of two contenders they are counted.  Of more they are as few as have the squares.
        """
        if len(sums.totals) == 2:  # noqa: PLR2004
            return [int(sums.differing[1])] * len(self._apart)
        wins = [squares / self.scale**2 for _, squares in self.of(sums)]
        return [differing_of(one, sums.deals) for one in wins]


def weigh(
    ask: Ask,
    experiment: Experiment,
    ways: Mapping[str, Sequence[Contender]],
    *,
    pairs: Sequence[tuple[str, str]] | None = None,
    rank: Sequence[Sequence[str]] | None = None,
    quick_deals: int,
    close: float = CLOSE,
) -> Weighed:
    """Measure ways on the same deals: every two of them, or the `pairs` that matter.

    It goes on until every difference is known to within `close` or a tenth of itself, and the
    ranking of all, or of those in each of `rank`, is settled; or for as many deals as the question
    allows.  Of single `pairs` nothing is ranked but what `rank` names.
    """
    names = list(ways)
    if pairs is None:
        pairs, rank = list(combinations(names, 2)), rank or [names]
    samples = PairedSamples(
        experiment.game, [one for way in ways.values() for one in way], "win", experiment.seed
    )
    places = [(names.index(a), names.index(b)) for a, b in pairs]
    reckon = _Sums(samples, list(map(len, ways.values())), places)
    alpha = (1 - CONFIDENCE) / ask.intervals
    v = v_for_half_width(close, _USUAL_VARIANCE, alpha, -1, 1)
    tracks = [BoundedSequence(-1, 1, alpha, v, 0) for _ in pairs]

    def weighed(sums: PairedSums, apart: Sequence[Estimate]) -> Weighed:
        are_same = [not squares for _, squares in reckon.of(sums)]
        return Weighed(
            *(tuple(names), reckon.rates(sums), sums.deals),
            dict(zip(pairs, apart, strict=True)),
            frozenset(compress(pairs, are_same)),
        )

    def look(new: PairedEstimates, found: PairedEstimates) -> int | None:
        for track, (total, squares) in zip(tracks, reckon.of(new.sums), strict=True):
            track.add(new.deals, total / reckon.scale, squares / reckon.scale**2)
        so_far = weighed(found.sums, [track.interval() for track in tracks])
        more = max(so_far.too_wide(close), *(so_far.too_unsettled(some) for some in rank or ()), 0)
        return None if more <= 1 else int(found.deals * more**2)

    runner = ask.next_runner()
    if ask.quick:
        sums = samples.measure(range(quick_deals), runner=runner).sums
        apart = [
            difference_of(*one, sums.deals, few, 1 - alpha, scale=reckon.scale, largest=1)
            for one, few in zip(reckon.of(sums), reckon.differing(sums), strict=True)
        ]
    else:
        sums = samples.measure_until(_FIRST_LOOK, ask.max_deals, look, runner=runner).sums
        apart = [track.interval() for track in tracks]
    ask.games += sums.deals * samples.games_a_deal
    return weighed(sums, apart)
