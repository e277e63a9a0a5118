"""`compare`: two strategies in the same seats, against the same field, on the same deals."""

import time
from dataclasses import dataclass, replace
from math import inf, isfinite
from typing import TYPE_CHECKING, Any

from herdlab.analysis.experiment import (
    FEWEST_DEALS,
    Experiment,
    Interrupted,
    check_games,
    joined,
    respell,
)
from herdlab.analysis.result import Result
from herdlab.analysis.runs.progress import OnProgress, part_of
from herdlab.analysis.runs.provenance import provenance
from herdlab.analysis.runs.runner import HERE, Runner
from herdlab.analysis.sampling.metrics import WIN, Metric, find_metric
from herdlab.analysis.sampling.paired_samples import Measured, PairedSamples, in_every_seat
from herdlab.analysis.stats.confidence_sequences import (
    LEAST,
    Asymptotic,
    Bounded,
    Track,
    looks,
    v_for_half_width,
)
from herdlab.analysis.stats.estimates import CONFIDENCE, Estimate
from herdlab.analysis.stats.verdicts import MARGIN_OF_WIN, Kind, is_clear, kind_of, more_to_settle
from herdlab.simcore.errors import BadInput
from herdlab.strategies.registry import spelled

if TYPE_CHECKING:
    import pandas as pd

_FIRST_LOOK = 1_000
_FIRST_ASYMPTOTIC = 10 * LEAST
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
        respell(self, metric=find_metric(game, rules, self.metric, self.table).name)
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
            if "," in who:
                raise BadInput(f"one strategy is compared with one other, and got '{who}'")
            self.experiment.check_line_up([who, *self.others])

    @property
    def others(self) -> tuple[str, ...]:
        """The rest of the table."""
        if self.field is None:
            return (self.b,) * (self.experiment.smallest_table - 1)
        return self.field

    @property
    def table(self) -> int:
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
    """A less B, deal by deal."""
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
        request, one = self.request, self.difference
        both = f"{request.a} and {request.b}"
        if self.kind == Kind.SAME:
            return f"the same in every game: {both} came out alike on all {self.deals:,} deals"
        if self.kind == Kind.TIE:
            return (
                f"a tie: {both} differ by {self.amount(one.value)} ({self.span(one)}), within ± "
                f"{self.amount(request.tolerance or 0)}"
            )
        if self.kind == Kind.OPEN:
            if not isfinite(one.high):
                return f"too close to call: {self.deals:,} deals say nothing about {both}"
            unit = " percentage points" if self.metric.is_rate else ""
            more = "" if self.more is None else f"; about {self.more:,} more deals would tell"
            return f"too close to call: {both} differ by {self.span(one)}{unit}{more}"
        better, worse = (
            (request.a, request.b) if self.kind == Kind.HIGHER else (request.b, request.a)
        )
        size = one if self.kind == Kind.HIGHER else Estimate(-one.value, -one.high, -one.low, one.n)
        by = f"by {self.amount(size.value)} ({self.span(size)})"
        if self.metric.is_rate:
            return f"{better} wins more often than {worse}: {by}"
        return f"{self.metric.words} is higher with {better} than with {worse}: {by}"

    @property
    def short(self) -> str:
        """Return the verdict as a table has it, in a few words."""
        if not is_clear(self.outcome):
            return {Kind.TIE: "tie", Kind.OPEN: "too close to call"}[self.outcome]
        better = self.request.a if self.outcome == Kind.HIGHER else self.request.b
        return f"{better} {'wins more' if self.metric.is_rate else 'is higher'}"

    @property
    def outcome(self) -> Kind:
        """Return the verdict; identical play is a tie where enough was seen to say so.

        That is where the interval lies within the margin, or, of metrics whose range nobody
        knows, after a good number of deals.
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

    def amount(self, value: float) -> str:
        """Return a difference as people write it, win rates in percentage points."""
        if self.metric.is_rate:
            return f"{100 * value:.2f} percentage points"
        return f"{value:.4g}"

    def span(self, one: Estimate) -> str:
        """Return an interval in the same units, without their name."""
        if self.metric.is_rate:
            return f"{100 * one.low:.2f} to {100 * one.high:.2f}"
        return f"{one.low:.4g} to {one.high:.4g}"

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``compare --json`` prints."""
        return {
            "command": "compare",
            **self.request.experiment.as_json(),
            "arguments": self.request.arguments(),
            **self._figures(),
            "verdict": self.verdict,
            "kind": self.kind,
            "settled": self.is_settled,
            "more_lucks": self.more,
            **provenance(self.seconds),
        }

    def _figures(self) -> dict[str, Any]:
        def finite(value: float) -> float | None:
            return value if isfinite(value) else None

        return {
            "a": self.request.a,
            "b": self.request.b,
            "field": list(self.request.others),
            "metric": self.request.metric,
            "difference": self.difference.value,
            "ci_low": finite(self.difference.low),
            "ci_high": finite(self.difference.high),
            "confidence": self.request.confidence,
            "interval": self.interval,
            "a_mean": self.a.value,
            "a_ci_low": finite(self.a.low),
            "a_ci_high": finite(self.a.high),
            "b_mean": self.b.value,
            "b_ci_low": finite(self.b.low),
            "b_ci_high": finite(self.b.high),
            "lucks": self.deals,
            "games": self.games,
            "lucks_differing": self.differing,
            "variance_ratio": self.variance_ratio,
            "margin": self.request.tolerance,
        }

    def frame(self) -> "pd.DataFrame":
        """Return one row with all figures."""
        import pandas as pd

        figures = self._figures()
        row = {
            **figures,
            "field": ",".join(figures["field"]),
            "verdict": self.verdict,
            "kind": self.kind,
        }
        return pd.DataFrame([row])


def compare(
    request: CompareRequest,
    *,
    runner: Runner = HERE,
    on_progress: OnProgress | None = None,
) -> Comparison:
    """Play A and B in every seat in turn and return by how much they differ."""
    begun = runner.begin()
    experiment = request.experiment
    arms = [in_every_seat(experiment.rules, who, request.others) for who in (request.a, request.b)]
    panel = PairedSamples(experiment.game, arms, request.metric, experiment.seed)
    sums = panel.empty()
    tracks = _sequences(request, panel.metrics[0]) if request.decide else None
    seen = sums.copy()

    def result() -> Comparison:
        return _comparison(request, Measured(panel, sums), tracks, time.perf_counter() - begun)

    def look() -> int | None:
        nonlocal seen
        if tracks is not None and sums.deals > seen.deals:
            _take_in(tracks, Measured(panel, sums.less(seen)))
            seen = sums.copy()
        found = result()
        return None if found.is_settled else sums.deals + (found.more or request.deals)

    try:
        if request.decide:
            runner.play_until(
                panel.play,
                sums,
                looks(_FIRST_LOOK if request.metric == WIN else _FIRST_ASYMPTOTIC, request.deals),
                look,
                chunk=panel.chunk,
                on_progress=on_progress,
            )
        else:
            heard = part_of(on_progress, 0, request.deals)
            panel.measure(range(request.deals), into=sums, runner=runner, on_progress=heard)
    except KeyboardInterrupt:
        option = "--max-games" if request.decide else "--games"
        so_far = None
        if sums.deals >= FEWEST_DEALS:
            look()
            so_far = replace(result(), request=replace(request, deals=sums.deals))
        raise Interrupted(so_far, f"{option} {sums.deals}") from None
    return result()


def _sequences(request: CompareRequest, metric: Metric) -> list[Track]:
    """Return confidence sequences for difference, A and B, before any game.

    They share one chance of error.  Those of win rates are tuned to the number of deals at which
    the margin is reached; they hold at any.
    """
    alphas = [(1 - request.confidence) * share for share in _BUDGET]
    if not metric.is_rate:
        return [Asymptotic(alpha, _FIRST_ASYMPTOTIC).start() for alpha in alphas]
    half = max(request.tolerance or 0, MARGIN_OF_WIN)  # tuned to less, it would see less at first
    v = v_for_half_width(half, _USUAL_VARIANCE, alphas[0], -1, 1)
    fair = 1 / request.table
    return [
        Bounded(-1, 1, alphas[0], v, 0).start(),
        *(Bounded(0, 1, alpha, v, fair).start() for alpha in alphas[1:]),
    ]


def _take_in(tracks: list[Track], new: Measured) -> None:
    for track, (total, squares) in zip(
        tracks, [new.of_difference(0, 1), new.of_arm(0), new.of_arm(1)], strict=True
    ):
        track.add(new.deals, total, squares)


def _comparison(
    request: CompareRequest, found: Measured, tracks: list[Track] | None, seconds: float
) -> Comparison:
    metric = found.panel.metrics[0]
    differing = int(found.sums.differing[1])
    spread = found.deviation_of_difference(0, 1)
    ratio = None
    if spread:
        alone = sum(_unpaired(request, found, arm) for arm in (0, 1))
        ratio = alone / spread**2
    if tracks is not None:
        difference, a, b = (track.interval() for track in tracks)
        interval = "anytime" if metric.is_rate else "anytime-asymptotic"
    else:
        a, b = (found.mean(arm, request.confidence) for arm in (0, 1))
        difference, interval = found.difference(0, 1, request.confidence), "blocks"
        if not spread and not metric.is_rate:  # what might still come has no known bounds
            difference = Estimate(difference.value, -inf, inf, found.deals)
    margin = request.tolerance or 0
    kind = kind_of(difference, margin) if differing else Kind.SAME
    more = more_to_settle(difference, margin) if kind == Kind.OPEN else None
    return Comparison(
        request=request,
        metric=metric,
        a=a,
        b=b,
        difference=difference,
        deals=found.deals,
        games=found.games,
        differing=differing,
        variance_ratio=ratio,
        interval=interval,
        kind=kind,
        more=more,
        seconds=seconds,
    )


def _unpaired(request: CompareRequest, found: Measured, arm: int) -> float:
    """Return the variance of A's or B's mean on a deal, had each game had a deal of its own.

    Among copies of itself a strategy sits in every seat of one game.  Its win rate is then known,
    1 / n, but for games without a winner.
    """
    who = (request.a, request.b)[arm]
    if found.panel.metrics[arm].is_rate and set(request.others) <= {who}:
        return found.deviation_of_arm(arm) ** 2
    return found.unpaired_variance(arm)
