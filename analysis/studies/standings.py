"""The standings of a tournament: win rates, which differences are real, ratings, the mix."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr, stdtrit

from herdlab.analysis.stats import estimates
from herdlab.analysis.stats.cycles import cycles, in_words
from herdlab.analysis.stats.equilibrium import ResampledMix, resampled
from herdlab.analysis.stats.estimates import CONFIDENCE, Estimate
from herdlab.analysis.stats.ratings import fit_ratings
from herdlab.analysis.stats.verdicts import MARGIN_OF_WIN, Kind, is_clear, kind_of
from herdlab.analysis.words.phrases import listed

Floats = npt.NDArray[np.float64]

FEWEST_SHARED = 5
"""Line-ups of a sample in which two must both sit to be compared there."""
_NAMED = 7
"""Entrants that a sentence names."""
_OFTEN = 0.8
"""In so many resampled tournaments a mix comes out that is said to be settled."""
_ROUNDING = 1e-12
"""Differences of win rates below this are those of sums in another order: the same play."""


@dataclass(frozen=True)
class Standing:
    """One entrant."""

    strategy: str
    win_rate: Estimate
    """Of one seat, everybody else at the table being drawn at random from the entrants."""
    games: int
    """Those in which it sat."""
    rating: Estimate
    ties: list[str]
    """Entrants whose win rate is surely within the margin of its own."""
    too_close: list[str]
    """Entrants too close to call."""
    mix: Estimate | None
    """Its share of the mix that no single entrant can invade."""

    @property
    def not_told_apart(self) -> list[str]:
        """Return the entrants from whom it does not clearly differ in win rate."""
        return [*self.ties, *self.too_close]

    def as_json(self) -> dict[str, Any]:
        """Return it as an object of the result."""
        return {
            "strategy": self.strategy,
            **estimates.as_columns(self.win_rate, "win_rate"),
            "games": self.games,
            "not_told_apart": self.not_told_apart,
            "ties": self.ties,
            **estimates.as_columns(self.rating, "rating", "rating_"),
            **estimates.as_columns(self.mix, "equilibrium_share", "share_"),
        }


@dataclass(frozen=True)
class Pair:
    """Two entrants at the tables where both sit."""

    a: str
    b: str
    difference: Estimate
    """Win rate of one of A's seats minus one of B's; the interval is this pair's alone."""
    kind: Kind
    """A compared with B, all pairs of the tournament wrong together in 5 % at most."""

    @property
    def is_real(self) -> bool:
        """Whether one of them is clearly higher."""
        return is_clear(self.kind)

    def as_json(self) -> dict[str, Any]:
        """Return it as an object of the result."""
        difference = estimates.as_columns(self.difference, "difference")
        return {"a": self.a, "b": self.b, **difference, "kind": self.kind, "real": self.is_real}


@dataclass(frozen=True)
class Standings:
    """Everything that is said of a tournament."""

    entrants: list[Standing]
    """The best first."""
    pairs: list[Pair]
    seats: list[Estimate]
    """What each seat is worth, in points of rating."""
    mix: ResampledMix | None
    """None where not every line-up was played."""
    cycles: list[str]
    """In words, where there is no best because A beats B, B beats C and C beats A."""

    @property
    def leader(self) -> str:
        """Who is ahead, in a sentence."""
        best = self.entrants[0]
        lead = f"{best.strategy} wins most, {100 * best.win_rate.value:.2f} % of games"
        n_others = len(self.entrants) - 1
        if not best.not_told_apart:
            return f"{lead}, and every other entrant clearly less"
        if len(best.ties) == n_others:
            return "all entrants tie with the best"
        if len(best.not_told_apart) == n_others:
            return "too close to call: no entrant is clearly behind the best"
        parts = [lead]
        for names, one, many in (
            (best.ties, "ties with it", "tie with it"),
            (best.too_close, "is too close to call", "are too close to call"),
        ):
            if names:
                others = listed(names) if len(names) < _NAMED else f"{len(names)} others"
                parts.append(f"{others} {one if len(names) == 1 else many}")
        return "; ".join(parts)

    @property
    def equilibrium(self) -> str | None:
        """The mix in a sentence."""
        if self.mix is None:
            return None
        shares = [(one.mix.value, one.strategy) for one in self.entrants if one.mix is not None]
        made = [(share, name) for share, name in sorted(shares, reverse=True) if share]
        parts = ", ".join(f"{name} {100 * share:.1f} %" for share, name in made)
        what = f"a table of {made[0][1]} alone" if len(made) == 1 else f"a mix of {parts}"
        gain = f"would gain {100 * max(0.0, self.mix.regret.high):.2f} percentage points at most"
        said = f"no single entrant can invade {what} (as far as luck leaves open, it {gain})"
        if self.mix.same_support < _OFTEN:
            settled = "not settled which mix cannot be invaded"
            said = f"{settled}: by these games {what}, against which another {gain}"
        return (
            f"{said}; the same strategies make it in {100 * self.mix.same_support:.0f} % of "
            f"{self.mix.replicates} tournaments resampled from these deals"
        )


@dataclass(frozen=True)
class _Sample:
    """How much of a tournament was played."""

    line_ups: int
    possible: int
    deals: int
    """The fewest deals of a line-up."""

    @property
    def is_complete(self) -> bool:
        return self.line_ups == self.possible

    def freedom(self, n_groups: int, line_ups: int) -> int:
        """Return the degrees of freedom of a standard error over so many line-ups."""
        return n_groups - 1 if self.is_complete else min(n_groups, line_ups) - 1

    def widening(self, n_groups: int, line_ups: int, confidence: float = CONFIDENCE) -> float:
        """Return how many times as wide as the normal interval Student's is."""
        t = stdtrit(self.freedom(n_groups, line_ups), 0.5 + confidence / 2)
        return float(t) / estimates.quantile(confidence)

    def covariance(self, values: Floats, weights: Floats) -> Floats:
        """Return how means over line-ups vary with which line-ups are drawn; 0 of all of them.

        Both are by (line-up, what).  A weighted mean is linearised, and a sample of most line-ups
        varies less (Cochran, Sampling Techniques, 2.6 and 6.5).
        """
        if self.is_complete:
            return np.zeros((values.shape[1],) * 2)
        mean = (values * weights).sum(0) / weights.sum(0)
        apart = weights * (values - mean) / weights.sum(0)
        sits = (weights > 0).sum(0)
        apart *= np.sqrt(sits / np.maximum(1, sits - 1) * (1 - self.line_ups / self.possible))
        found: Floats = apart.T @ apart
        return found

    def rate(self, values: Floats, drawn: float, weights: Floats, unknown: float) -> Estimate:
        """Return a win rate with Wilson's interval, as `stats.estimates.rate_of` does.

        `weights` say how much each line-up counts, `drawn` is the variance by which were drawn, and
        `unknown` what a table of copies adds that was not played: nobody may win there.  All
        line-ups meet the same deals; of near-copies about four more (z²) may differ, in each.
        """
        mean = min(1.0, max(0.0, float(values.mean())))  # what is corrected may be beyond
        sits = int((weights > 0).sum())
        wider = self.widening(len(values), sits)
        variance = wider**2 * (float(values.var(ddof=1)) / len(values) + max(0.0, drawn))
        deals = round(self.deals * float(weights.sum() ** 2 / (weights**2).sum()))
        far = max(mean, 1 - mean) * estimates.quantile() / self.deals
        unseen = float(estimates.alikeness(values)) * far**2
        one = estimates.rate_with(mean, variance + unseen, deals)
        return Estimate(mean, max(0.0, one.low - unknown), one.high, len(values))

    def difference(
        self, values: Floats, drawn: float, line_ups: int, confidence: float = CONFIDENCE
    ) -> Estimate:
        """Return the mean over groups of deals with its interval.

        `drawn` is its variance by which line-ups were drawn.  Without any variance the interval
        says what share of deals may differ after all.
        """
        n = len(values)
        mean = min(1.0, max(-1.0, float(values.mean())))
        variance = float(values.var(ddof=1)) / n + max(0.0, drawn)
        if variance < _ROUNDING**2:
            one = estimates.unvaried(mean, self.deals, -1.0, 1.0, confidence)
            return Estimate(mean, one.low, one.high, n)
        variance *= self.widening(n, line_ups, confidence) ** 2
        one = estimates.difference_with(mean, variance, self.deals * line_ups, confidence)
        return Estimate(mean, one.low, one.high, n)


def standings(
    *,
    entrants_at: npt.NDArray[np.int64],
    wins: Floats,
    line_up_of: npt.NDArray[np.int64],
    deals: Floats,
    line_ups: npt.NDArray[np.int64],
    weights: Floats,
    possible: int,
    with_mix: bool,
    names: Sequence[str],
    seed: int,
) -> Standings:
    """Return the standings from wins by (group of deals, seating, seat).

    `entrants_at` (seating, seat) says who sat there, `line_up_of` to which line-up a seating
    belongs, `line_ups` (line-up, entrant) how many copies; `deals` is by line-up, for one group.
    With fewer line-ups than are `possible`, intervals allow for which were drawn.
    """
    n_groups, _, size = wins.shape
    games_of = np.bincount(line_up_of, minlength=len(line_ups)) * deals

    def win_rates(won: Floats) -> Floats:
        """Return those of one copy by group, line-up and entrant; 0 for who does not sit there."""
        total = np.zeros((*line_ups.shape, len(won)))
        for seat in range(size):
            np.add.at(total, (line_up_of, entrants_at[:, seat]), won[:, :, seat].T)
        found: Floats = total.transpose(2, 0, 1) / (games_of[:, None] * np.maximum(1, line_ups))
        return found

    by_group = win_rates(wins)
    sample = _Sample(len(line_ups), possible, round(float(deals.min()) * n_groups))
    n_games = round(float(deals[line_up_of].sum()) * n_groups)
    ratings = fit_ratings(entrants_at, wins, len(names), n_games=n_games)
    each = weights[:, None] * line_ups
    # Of a sample of line-ups, what the ratings lead one to expect of all line-ups is corrected by
    # how much the played ones differ from what was expected of them: which were drawn then matters
    # little.  The model need not be true (difference estimator; Cochran, Sampling Techniques, 7.3).
    apart, everywhere = by_group, np.zeros(len(names))
    if not sample.is_complete:
        chances = ratings.chances(entrants_at)[None] * deals[line_up_of][:, None]
        apart, everywhere = by_group - win_rates(chances)[0], ratings.everywhere()
    overall = everywhere + (apart * each).sum(1) / each.sum(0)
    drawn = sample.covariance(apart.mean(0), each)
    is_alone = (line_ups == size).any(0)
    unknown = np.where(is_alone, 0.0, len(names) ** (1.0 - size) / size)
    pairs = _pairs(by_group, line_ups, weights, names, sample)
    sits = (line_ups > 0).sum(0)
    overall_kinds = _kinds_of_all(overall, drawn, sits, sample)
    mix, mixed = None, list[Estimate | None]([None] * len(names))
    if with_mix:
        shares = by_group.mean(0)
        mix = resampled(line_ups, by_group, shares, size, deals=sample.deals, seed=seed)
        ends = zip(mix.mix.shares.tolist(), mix.low.tolist(), mix.high.tolist(), strict=True)
        mixed = [Estimate(*one, n_groups) for one in ends]
    beats = np.zeros((len(names), len(names)), dtype=bool)
    for pair in pairs:
        a, b = names.index(pair.a), names.index(pair.b)
        beats[(a, b) if pair.kind == Kind.HIGHER else (b, a)] = pair.is_real
    found = [
        Standing(
            strategy=name,
            win_rate=sample.rate(overall[:, e], float(drawn[e, e]), each[:, e], float(unknown[e])),
            games=round(float((games_of * n_groups * (line_ups[:, e] > 0)).sum())),
            rating=ratings.ratings[e],
            ties=_named(names, overall_kinds, e, Kind.TIE),
            too_close=_named(names, overall_kinds, e, Kind.OPEN),
            mix=mixed[e],
        )
        for e, name in enumerate(names)
    ]
    return Standings(
        entrants=sorted(found, key=lambda one: (-one.win_rate.value, one.strategy)),
        pairs=pairs,
        seats=ratings.seats,
        mix=mix,
        cycles=[in_words(cycle) for cycle in cycles(names, beats)],
    )


def _pairs(
    by_group: Floats,
    line_ups: npt.NDArray[np.int64],
    weights: Floats,
    names: Sequence[str],
    sample: _Sample,
) -> list[Pair]:
    """Return every two entrants at the tables where both sit."""
    found: list[tuple[Floats, float, int]] = []
    who = []
    for a, b in combinations(range(len(names)), 2):
        both = weights * (line_ups[:, a] > 0) * (line_ups[:, b] > 0)
        shared = int((both > 0).sum())
        # A sample of line-ups may have too few to say how much it matters which were drawn.
        if sample.is_complete or shared >= FEWEST_SHARED:
            gap = by_group[:, :, a] - by_group[:, :, b]
            drawn = float(sample.covariance(gap.mean(0)[:, None], both[:, None])[0, 0])
            found.append(((gap * both).sum(1) / both.sum(), drawn, shared))
            who.append((names[a], names[b]))
    if not found:
        return []
    differences, more, line_ups_of_both = map(np.array, zip(*found, strict=True))
    kinds = _kinds(differences.T, more, line_ups_of_both, sample)
    each = zip(who, found, kinds, strict=True)
    return [Pair(*two, sample.difference(*one), kind) for two, one, kind in each]


Kinds = dict[tuple[int, int], Kind]
"""By two entrants, the one who was entered first before the other."""


def _kinds_of_all(
    overall: Floats, drawn: Floats, sits: npt.NDArray[np.int64], sample: _Sample
) -> Kinds:
    """Return the verdicts on win rates by (group, entrant), for all pairs together."""
    a, b = np.triu_indices(overall.shape[1], 1)
    more = drawn[a, a] + drawn[b, b] - 2 * drawn[a, b]
    found = _kinds(overall[:, a] - overall[:, b], more, np.minimum(sits[a], sits[b]), sample)
    return dict(zip(zip(a.tolist(), b.tolist(), strict=True), found, strict=True))


def _named(names: Sequence[str], kinds: Kinds, entrant: int, wanted: Kind) -> list[str]:
    """Return who stands so with an entrant; ties and open pairs are the same both ways."""
    return [
        name
        for other, name in enumerate(names)
        if other != entrant and kinds[min(entrant, other), max(entrant, other)] == wanted
    ]


def _kinds(
    differences: Floats, drawn: Floats, line_ups: npt.NDArray[np.int64], sample: _Sample
) -> list[Kind]:
    """Return the verdict on each column of differences by group, wrong in 5 % in all at most.

    Holm's test says which are not 0; for ties, intervals are corrected for all pairs.
    """
    real = _holm(differences, drawn, line_ups, sample)
    confidence = estimates.corrected(len(real))
    each = zip(differences.T, drawn.tolist(), line_ups.tolist(), strict=True)
    found = [sample.difference(*one, confidence) for one in each]
    return [
        kind_of(one, MARGIN_OF_WIN, is_real=is_real)
        for one, is_real in zip(found, real.tolist(), strict=True)
    ]


def _holm(
    differences: Floats, drawn: Floats, line_ups: npt.NDArray[np.int64], sample: _Sample
) -> npt.NDArray[np.bool_]:
    """Return which columns' means over groups are not 0, in all wrong in 5 % (Holm 1979)."""
    n_groups, n_tests = differences.shape
    spread = np.sqrt(differences.var(axis=0, ddof=1) / n_groups + np.maximum(0, drawn))
    mean = differences.mean(0)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(np.abs(mean) < _ROUNDING, 0.0, np.abs(mean) / spread)
    p = 2 * stdtr([sample.freedom(n_groups, n) for n in line_ups.tolist()], -t)
    order = np.argsort(p, kind="stable")
    is_small = p[order] <= (1 - CONFIDENCE) / (n_tests - np.arange(n_tests))
    real = np.zeros(n_tests, dtype=bool)
    real[order] = np.logical_and.accumulate(is_small)
    return real
