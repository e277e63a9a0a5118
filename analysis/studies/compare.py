"""`compare`: two strategies in the same seats, against the same field, on the same deals."""

import time
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

from herdlab.analysis.experiment import FEWEST_DEALS, Experiment, check_games, joined, respell
from herdlab.analysis.result import Result
from herdlab.analysis.runs.provenance import provenance
from herdlab.analysis.runs.runner import HERE, Runner
from herdlab.analysis.sampling.metrics import WIN, Metric, find_metric
from herdlab.analysis.sampling.paired_estimates import PairedEstimates, Sequences
from herdlab.analysis.sampling.paired_samples import PairedSamples, in_every_seat
from herdlab.analysis.stats import confidence_sequences
from herdlab.analysis.stats.confidence_sequences import AsymptoticSequence, BoundedSequence
from herdlab.analysis.stats.estimates import CONFIDENCE, Estimate, as_columns
from herdlab.analysis.stats.verdicts import MARGIN_OF_WIN, Kind, kind_of, more_to_settle
from herdlab.simcore.errors import BadInput
from herdlab.strategies.registry import spelled

_FIRST_LOOK = 1_000
_FIRST_ASYMPTOTIC = 10 * confidence_sequences.LEAST
"""Rare events need more than the least: one in 200 deals is missed by 9 % of sequences then."""
_USUAL_VARIANCE = 0.1
"""Of the difference of win rates on a deal: what a sequence is tuned to; it holds for any."""

_SAME_FROM = 10_000
"""Deals without any difference after which play is called the same, where nothing else says so."""
_BUDGET = (0.8, 0.1, 0.1)
"""How the chance of a wrong interval is shared when stopping by what is seen: difference, A, B."""


@dataclass(frozen=True)
class CompareRequest:
    """Everything that decides a comparison."""

    experiment: Experiment
    a: str
    b: str
    field: tuple[str, ...] | None = None
    """The others at the table; copies of `b` at the smallest table if None."""
    metric: str = WIN
    deals: int = 100_000
    """How many; with `decide` at most so many."""
    decide: bool = False
    margin: float | None = None
    """Smaller differences are a tie; None: 0.005 for win rates, nothing for other metrics."""
    confidence: float = CONFIDENCE

    def __post_init__(self) -> None:
        check_games(self.deals, at_least=FEWEST_DEALS)
        game, rules = self.experiment.game, self.experiment.rules
        respell(self, a=spelled(game, self.a), b=spelled(game, self.b))
        if self.field is not None:
            respell(self, field=self.experiment.spelled(self.field))
        respell(self, metric=find_metric(game, rules, self.metric, self.seats).name)
        if self.margin is not None and not 0 < self.margin < float("inf"):
            raise BadInput(
                f"the margin must be above 0, since no number of games shows that two are exactly "
                f"equal, and got {self.margin:g}"
            )
        if self.metric == WIN and self.margin is not None and self.margin >= 1:
            raise BadInput(
                f"the margin of win rates must be below 1, 0.01 being one percentage point, and "
                f"got {self.margin:g}"
            )
        for who in (self.a, self.b):
            self.experiment.check_line_up([who, *self.others])

    @property
    def others(self) -> tuple[str, ...]:
        """The rest of the table."""
        copies = (self.b,) * (self.experiment.smallest_table - 1)
        return copies if self.field is None else self.field

    @property
    def seats(self) -> int:
        """How many sit at it."""
        return 1 + len(self.others)

    @property
    def tolerance(self) -> float | None:
        """The margin that counts, if there is one."""
        return MARGIN_OF_WIN if self.margin is None and self.metric == WIN else self.margin

    def arguments(self) -> dict[str, Any]:
        """Return what repeats it."""
        return {
            "a": self.a,
            "b": self.b,
            "field": joined(self.field),
            "metric": self.metric,
            "max_games" if self.decide else "games": self.deals,
            "decide": self.decide,
            "margin": self.margin,
        }


@dataclass(frozen=True, repr=False)
class Comparison(Result):
    """What came of it."""

    request: CompareRequest
    metric: Metric
    a: Estimate
    b: Estimate
    difference: Estimate
    """A minus B, deal by deal."""
    deals: int
    games: int
    differing: int
    """Deals on which A and B did not come out alike in every seat."""
    variance_ratio: float | None
    """How many times as many games it would take, each on its own deal; None without variance.

    The win rate of a strategy among its own copies is known, and needs no games.
    """
    interval: str
    """"blocks"; when stopped by what was seen "anytime", or "anytime-asymptotic"."""
    kind: Kind
    """Of A compared with B; SAME where both came out alike on every deal."""
    more: int | None
    """About how many more deals would settle it, where it is not settled."""
    seconds: float

    @property
    def verdict(self) -> str:
        """Return what follows from it, in a sentence."""
        request, one, is_rate = self.request, self.difference, self.metric.is_rate
        both, unit = f"{request.a} and {request.b}", " percentage points" if is_rate else ""

        def shown(*values: float) -> str:
            return " to ".join(f"{100 * v:.2f}" if is_rate else f"{v:.4g}" for v in values)

        if self.kind == Kind.SAME:
            return f"the same in every game: {both} came out alike on all {self.deals:,} deals"
        if self.kind == Kind.OPEN:
            if not isfinite(one.high):
                return f"too close to call: {self.deals:,} deals say nothing about {both}"
            more = "" if self.more is None else f"; about {self.more:,} more deals would tell"
            return f"too close to call: {both} differ by {shown(one.low, one.high)}{unit}{more}"
        better, worse = request.a, request.b
        if self.kind == Kind.LOWER:
            better, worse, one = worse, better, one.negative()
        by = f"by {shown(one.value)}{unit} ({shown(one.low, one.high)})"
        if self.kind == Kind.TIE:
            return f"a tie: {both} differ {by}, within ± {shown(request.tolerance or 0)}{unit}"
        if is_rate:
            return f"{better} wins more often than {worse}: {by}"
        return f"{self.metric.words} is higher with {better} than with {worse}: {by}"

    @property
    def outcome(self) -> Kind:
        """Return the verdict; identical play is a tie where enough was seen to say so.

        That is where the interval lies within the margin, or, for metrics without a known range,
        after a good number of deals.
        """
        if self.kind != Kind.SAME:
            return self.kind
        if self.metric.is_rate:
            return kind_of(self.difference, self.request.tolerance or 0)
        return Kind.TIE if self.deals >= _SAME_FROM else Kind.OPEN

    @property
    def is_settled(self) -> bool:
        """Whether there is a verdict."""
        return self.outcome != Kind.OPEN

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``compare --json`` prints."""
        return {
            "command": "compare",
            **self.request.experiment.as_json(),
            "arguments": self.request.arguments(),
            "a": self.request.a,
            "b": self.request.b,
            "field": list(self.request.others),
            "metric": self.request.metric,
            **as_columns(self.difference, "difference"),
            "confidence": self.request.confidence,
            "interval": self.interval,
            **as_columns(self.a, "a_mean", "a_ci_"),
            **as_columns(self.b, "b_mean", "b_ci_"),
            "lucks": self.deals,
            "games": self.games,
            "lucks_differing": self.differing,
            "variance_ratio": self.variance_ratio,
            "margin": self.request.tolerance,
            "verdict": self.verdict,
            "kind": self.kind,
            "settled": self.is_settled,
            "more_lucks": self.more,
            **provenance(self.seconds),
        }


def compare(request: CompareRequest, runner: Runner = HERE) -> Comparison:
    """Play A and B in every seat in turn and return by how much they differ."""
    begun = runner.begin()
    experiment = request.experiment
    both, rules = (request.a, request.b), experiment.rules
    contenders = [in_every_seat(rules, who, request.others) for who in both]
    samples = PairedSamples(experiment.game, contenders, request.metric, experiment.seed)
    sequences = _sequences(request, samples.metrics[0]) if request.decide else None

    def result(found: PairedEstimates) -> Comparison:
        return _comparison(request, found, sequences, time.perf_counter() - begun)

    def look(new: PairedEstimates, found: PairedEstimates) -> int | None:
        new.add_to(sequences or {})
        so_far = result(found)
        return None if so_far.is_settled else found.deals + (so_far.more or request.deals)

    first_look = _FIRST_LOOK if request.metric == WIN else _FIRST_ASYMPTOTIC
    decide = look if request.decide else None
    return samples.measure_for(
        result, request.deals, first_look=first_look, look=decide, runner=runner
    )


def _sequences(request: CompareRequest, metric: Metric) -> Sequences:
    """Return confidence sequences for difference, A and B, which share one chance of error.

    Those of win rates are the tightest where the margin is reached, and hold at any time.
    """
    alphas = [(1 - request.confidence) * share for share in _BUDGET]
    places = ((0, 1), (0, None), (1, None))
    if not metric.is_rate:
        found = [AsymptoticSequence(alpha, _FIRST_ASYMPTOTIC) for alpha in alphas]
        return dict(zip(places, found, strict=True))
    half = max(request.tolerance or 0, MARGIN_OF_WIN)  # tuned to less, it would see less at first
    v = confidence_sequences.v_for_half_width(half, _USUAL_VARIANCE, alphas[0], -1, 1)
    fair = 1 / request.seats
    rates = [BoundedSequence(0, 1, alpha, v, fair) for alpha in alphas[1:]]
    return dict(zip(places, [BoundedSequence(-1, 1, alphas[0], v, 0), *rates], strict=True))


def _comparison(
    request: CompareRequest, found: PairedEstimates, sequences: Sequences | None, seconds: float
) -> Comparison:
    metric = found.samples.metrics[0]
    differing, spread = int(found.sums.differing[1]), found.deviation(0, 1)
    alone = sum(_unpaired(request, found, contender) for contender in (0, 1))
    ratio = alone / spread**2 if spread else None
    if sequences is not None:
        difference, a, b = (one.interval() for one in sequences.values())
        interval = "anytime" if metric.is_rate else "anytime-asymptotic"
    else:
        a, b = (found.mean(contender, request.confidence) for contender in (0, 1))
        difference, interval = found.difference(0, 1, request.confidence), "blocks"
        if not spread and not metric.is_rate:  # what might still come has no known bounds
            difference = Estimate(difference.value, -inf, inf, found.deals)
    margin = request.tolerance or 0
    kind = kind_of(difference, margin) if differing else Kind.SAME
    more = more_to_settle(difference, margin) if kind == Kind.OPEN else None
    numbers = a, b, difference, found.deals, found.games, differing, ratio
    return Comparison(request, metric, *numbers, interval, kind, more, seconds)


def _unpaired(request: CompareRequest, found: PairedEstimates, contender: int) -> float:
    """Return the variance of A's or B's mean on a deal, had each game had a deal of its own.

    Among its own copies a strategy sits in every seat of one game, and wins 1 / n of those that
    have a winner.
    """
    who = (request.a, request.b)[contender]
    if found.samples.metrics[contender].is_rate and set(request.others) <= {who}:
        return found.deviation(contender) ** 2
    return found.unpaired_variance(contender)
