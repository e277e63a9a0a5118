"""`compare`: two strategies in the same seats, against the same field, on the same luck."""

import time
from dataclasses import dataclass, replace
from math import ceil, inf, isfinite
from typing import TYPE_CHECKING, Any

from analysis.estimates import CONFIDENCE, Estimate, unvaried
from analysis.metrics import WIN, Metric, find_metric
from analysis.panel import Measured, Panel, in_every_seat
from analysis.progress import OnProgress, part_of
from analysis.scene import FEWEST_LUCKS, Interrupted, Scene, check_games, provenance, respell
from analysis.sequences import LEAST, Asymptotic, Bounded, Track, looks, v_for_half_width
from analysis.venue import HERE, Venue
from simcore.errors import BadInput, split_names
from strategies.registry import check_line_up, spelled

if TYPE_CHECKING:
    import pandas as pd

MARGIN_OF_WIN = 0.005
"""Win rates that differ by less are as good as equal, unless told otherwise."""
_FIRST_LOOK = 1_000
_FIRST_ASYMPTOTIC = 10 * LEAST
"""Rare events need more than the least: one in 200 lucks is missed by 9 % of sequences then."""
_USUAL_VARIANCE = 0.1
"""Of the difference of win rates on a luck: what a sequence is tuned to; it holds for any."""

_LIKELY = 0.6
"""A half-width of this part of the difference excludes 0 nine times in ten, if it is the truth."""
_SAME_FROM = 10_000
"""Lucks without any difference after which play is called the same, where nothing else says so."""
_BUDGET = (0.8, 0.1, 0.1)
"""How the chance of a wrong interval is shared when stopping by what is seen: difference, A, B."""

A_HIGHER, B_HIGHER, ALIKE, SAME, UNSETTLED = "a", "b", "alike", "same", "unsettled"


@dataclass(frozen=True)
class CompareRequest:
    """Everything that decides a comparison."""

    scene: Scene
    a: str
    b: str
    field: str | None = None
    """The others at the table, with commas; copies of `b` at the smallest table if None."""
    metric: str = WIN
    lucks: int = 100_000
    """How many; with `decide` at most so many."""
    decide: bool = False
    margin: float | None = None
    """Within this a difference does not matter; 0.005 for win rates if None."""
    confidence: float = CONFIDENCE

    def __post_init__(self) -> None:
        check_games(self.lucks, at_least=FEWEST_LUCKS)
        game, rules = self.scene.game, self.scene.rules
        respell(self, a=spelled(game, self.a), b=spelled(game, self.b))
        if self.field is not None:
            respell(self, field=spelled(game, self.field))
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
            check_line_up(game, rules, ",".join([who, *self.others]))

    @property
    def others(self) -> list[str]:
        """The rest of the table."""
        if self.field is None:
            return [self.b] * (self.scene.smallest_table - 1)
        return split_names(self.field)

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
            "field": self.field,
            "metric": self.metric,
            "max_games" if self.decide else "games": self.lucks,
            "decide": self.decide,
            "margin": self.margin,
        }


@dataclass(frozen=True)
class Comparison:
    """What came of it."""

    request: CompareRequest
    metric: Metric
    a: Estimate
    b: Estimate
    difference: Estimate
    """A less B, luck by luck."""
    lucks: int
    games: int
    differing: int
    """Lucks on which A and B did not come out alike in every seat."""
    variance_ratio: float | None
    """How many times as many games it would take, each on its own luck; None without variance."""
    interval: str
    """"blocks"; when stopped by what was seen "anytime", or "anytime-asymptotic"."""
    kind: str
    """A_HIGHER, B_HIGHER, ALIKE, SAME or UNSETTLED."""
    more: int | None
    """About how many more lucks would settle it, where it is not settled."""
    seconds: float

    @property
    def verdict(self) -> str:
        """What follows from it, in a sentence."""
        request, one = self.request, self.difference
        if self.kind == SAME:
            return (
                f"the same in every game: {request.a} and {request.b} came out alike on all "
                f"{self.lucks:,} lucks"
            )
        if self.kind == ALIKE:
            return (
                f"no difference that matters between {request.a} and {request.b}: "
                f"{self.amount(one.value)} ({self.span(one)}), within ± "
                f"{self.amount(request.tolerance or 0)}"
            )
        if self.kind == UNSETTLED:
            more = "" if self.more is None else f"; about {self.more:,} more lucks should settle it"
            if not isfinite(one.high):
                return f"not settled: {self.lucks:,} lucks are too few to say anything"
            unit = " percentage points" if self.metric.is_rate else ""
            return f"not settled: the difference may be anything from {self.span(one)}{unit}{more}"
        better, worse = (request.a, request.b) if one.value > 0 else (request.b, request.a)
        size = one if one.value > 0 else Estimate(-one.value, -one.high, -one.low, one.n)
        by = f"by {self.amount(size.value)} ({self.span(size)})"
        if request.margin is not None and size.high < request.margin:
            by += f", which is within the margin of {self.amount(request.margin)}"
        if self.metric.is_rate:
            return f"{better} wins more often than {worse}: {by}"
        return f"{self.metric.words} is higher with {better} than with {worse}: {by}"

    @property
    def is_settled(self) -> bool:
        """Whether there is a verdict.

        That play is the same settles that no difference matters only where the interval, or a
        good number of lucks, says so.
        """
        if self.kind != SAME:
            return self.kind != UNSETTLED
        if self.metric.is_rate:
            return self.difference.high < (self.request.tolerance or 0)
        return self.lucks >= _SAME_FROM

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
            **self.request.scene.as_json(),
            "arguments": self.request.arguments(),
            **self._figures(),
            "verdict": self.verdict,
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
            "field": self.request.others,
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
            "lucks": self.lucks,
            "games": self.games,
            "lucks_differing": self.differing,
            "variance_ratio": self.variance_ratio,
            "margin": self.request.tolerance,
        }

    def frame(self) -> "pd.DataFrame":
        """Return one row with all figures."""
        import pandas as pd

        figures = self._figures()
        row = {**figures, "field": ",".join(figures["field"]), "verdict": self.verdict}
        return pd.DataFrame([row])


def compare(
    request: CompareRequest,
    *,
    venue: Venue = HERE,
    on_progress: OnProgress | None = None,
) -> Comparison:
    """Play A and B in every seat in turn and return by how much they differ."""
    begun = venue.begin()
    scene = request.scene
    arms = [in_every_seat(scene.rules, who, request.others) for who in (request.a, request.b)]
    panel = Panel(scene.game, arms, request.metric, scene.seed)
    sums = panel.empty()
    tracks = _sequences(request, panel.metrics[0]) if request.decide else None
    seen = sums.copy()

    def result() -> Comparison:
        return _comparison(request, Measured(panel, sums), tracks, time.perf_counter() - begun)

    def look() -> int | None:
        nonlocal seen
        if tracks is not None and sums.lucks > seen.lucks:
            _take_in(tracks, Measured(panel, sums.less(seen)))
            seen = sums.copy()
        found = result()
        return None if found.is_settled else sums.lucks + (found.more or request.lucks)

    try:
        if request.decide:
            venue.play_until(
                panel.play,
                sums,
                looks(_FIRST_LOOK if request.metric == WIN else _FIRST_ASYMPTOTIC, request.lucks),
                look,
                chunk=panel.chunk,
                on_progress=on_progress,
            )
        else:
            heard = part_of(on_progress, 0, request.lucks)
            panel.measure(range(request.lucks), into=sums, venue=venue, on_progress=heard)
    except KeyboardInterrupt:
        option = "--max-games" if request.decide else "--games"
        so_far = None
        if sums.lucks >= FEWEST_LUCKS:
            look()
            so_far = replace(result(), request=replace(request, lucks=sums.lucks))
        raise Interrupted(so_far, f"{option} {sums.lucks}") from None
    return result()


def _sequences(request: CompareRequest, metric: Metric) -> list[Track]:
    """Return confidence sequences for difference, A and B, before any game.

    They share one chance of error.  Those of win rates are tuned to the number of lucks at which
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
        track.add(new.lucks, total, squares)


def _comparison(
    request: CompareRequest, found: Measured, tracks: list[Track] | None, seconds: float
) -> Comparison:
    metric = found.panel.metrics[0]
    differing = int(found.sums.differing[1])
    spread = found.deviation_of_difference(0, 1)
    ratio = None
    if spread:
        ratio = (found.unpaired_variance(0) + found.unpaired_variance(1)) / spread**2
    if tracks is not None:
        difference, a, b = (track.interval() for track in tracks)
        interval = "anytime" if metric.is_rate else "anytime-asymptotic"
    else:
        a, b = (found.mean(arm, request.confidence) for arm in (0, 1))
        difference, interval = found.difference(0, 1, request.confidence), "blocks"
        if not spread:  # nothing varied, of which only for rates is known what it can mean
            difference = Estimate(difference.value, -inf, inf, found.lucks)
            if metric.is_rate:
                difference = unvaried(difference.value, found.lucks, -1, 1, request.confidence)
    kind, more = (SAME, None) if not differing else _settled(request, difference)
    return Comparison(
        request=request,
        metric=metric,
        a=a,
        b=b,
        difference=difference,
        lucks=found.lucks,
        games=found.games,
        differing=differing,
        variance_ratio=ratio,
        interval=interval,
        kind=kind,
        more=more,
        seconds=seconds,
    )


def _settled(request: CompareRequest, one: Estimate) -> tuple[str, int | None]:
    """Return what is settled about a difference, and if nothing how many more lucks would do it."""
    tolerance = request.tolerance or 0
    if one.low > 0 or one.high < 0:
        return (A_HIGHER if one.low > 0 else B_HIGHER), None
    if max(-one.low, one.high) < tolerance:
        return ALIKE, None
    return UNSETTLED, lucks_to_settle(one, tolerance)


def lucks_to_settle(one: Estimate, margin: float) -> int | None:
    """Return about how many more lucks would settle a difference, or that it is within a margin."""
    half = (one.high - one.low) / 2
    wanted = _LIKELY * max(abs(one.value), margin - abs(one.value))
    if not wanted or not isfinite(half):
        return None
    return max(1, ceil(one.n * ((half / wanted) ** 2 - 1)))
