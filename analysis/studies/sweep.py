"""`sweep`: a strategy, or the rules, at every point of a grid, all on the same deals.

The answer is not the best point alone but the best *region*: it, all points that tie with it, and
those too close to call.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from herdlab.analysis.experiment import FEWEST_DEALS, Experiment, check_games, joined, respell
from herdlab.analysis.result import Result
from herdlab.analysis.runs.provenance import provenance
from herdlab.analysis.runs.runner import HERE, Runner
from herdlab.analysis.sampling.metrics import LENGTH_NAME, SCORE, WIN, Metric, find_metric
from herdlab.analysis.sampling.paired_estimates import PairedEstimates
from herdlab.analysis.sampling.paired_samples import PairedSamples, in_every_seat
from herdlab.analysis.sampling.parameter_grid import Grid, GridPoint, Variable, read_grid
from herdlab.analysis.stats.estimates import Estimate, as_columns, corrected
from herdlab.analysis.stats.verdicts import MARGIN_OF_WIN, Kind, kind_of
from herdlab.analysis.words.phrases import listed
from herdlab.simcore.errors import BadInput, find
from herdlab.strategies.registry import read_line_up, spelled

MOST_VARIABLES = 2
HIGH, LOW = "high", "low"
BEST = {WIN: HIGH, SCORE: HIGH, LENGTH_NAME: LOW}
"""What is good of a metric, unless it is said."""
_VERBS = {
    Kind.TIE: ("ties with it", "tie with it"),
    Kind.OPEN: ("is too close to call", "are too close to call"),
}
"""What points of the best region do: of one, and of many."""
_FEW_POINTS = 4
"""So many points are listed in a sentence; more are counted."""


@dataclass(frozen=True)
class SweepRequest:
    """Everything that decides a sweep."""

    experiment: Experiment
    strategy: str
    """Who is watched, with the parameters that stay: ``herder:dog=never``."""
    vary: tuple[str, ...]
    """``keep_sheep=0:5:1``, ``dog=never,spare``, ``rules.horse_price=2,3``."""
    field: tuple[str, ...] | None = None
    """The others; None: as many of the strategy as it was given as make a table."""
    metric: str = WIN
    deals: int = 20_000
    best: str | None = None
    """"high" or "low"; None: high for wins and scores, low for lengths, neither for events."""

    def __post_init__(self) -> None:
        """Refuse what cannot be played, before any engine is loaded."""
        check_games(self.deals, at_least=FEWEST_DEALS)
        if self.best is not None:
            respell(self, best=find("value of --best", str(self.best), (HIGH, LOW)))
        game = self.experiment.game
        if self.field is not None:
            respell(self, field=self.experiment.spelled(self.field))
        respell(self, strategy=spelled(game, self.strategy), vary=self.grid.vary)
        metric = find_metric(game, self.experiment.rules, self.metric, 1 + len(self.others))
        respell(self, metric=metric.name)
        read_line_up(game, [self.grid.given, *self.others])
        check_points(self.points, self.others)
        is_rules_only = all(variable.is_rule for variable in self.grid.variables)
        if self.metric == WIN and is_rules_only and set(self.others) <= {self.grid.given}:
            raise BadInput(
                f"everyone at the table plays {self.grid.given}, so each seat wins its share under "
                f"any rules: use another metric, such as --metric length, or --field with others"
            )

    @cached_property
    def grid(self) -> Grid:
        """All points."""
        return read_grid(self.experiment, self.strategy, self.vary, most_variables=MOST_VARIABLES)

    @cached_property
    def points(self) -> list[GridPoint]:
        """All points, in order."""
        return list(self.grid.points())

    @property
    def others(self) -> tuple[str, ...]:
        """The others at the table, by place after the one who is watched."""
        copies = (self.grid.given,) * (self.experiment.smallest_table - 1)
        return copies if self.field is None else self.field

    @property
    def best_is(self) -> str | None:
        """Whether high or low is best; None where nobody can say."""
        return self.best or BEST.get(self.metric)

    @property
    def margin(self) -> float:
        """Return below what a difference is a tie."""
        return MARGIN_OF_WIN if self.metric == WIN else 0.0

    def arguments(self) -> dict[str, Any]:
        """Return what repeats it."""
        return {
            "strategy": self.strategy,
            "vary": list(self.vary),
            "field": joined(self.field),
            "metric": self.metric,
            "games": self.deals,
            "best": self.best,
        }


@dataclass(frozen=True)
class SweepPoint(GridPoint):
    """A point of the grid with what was measured there."""

    estimate: Estimate
    """The metric's mean with its pointwise 95 % interval."""
    difference: Estimate | None
    """This point minus the best one; its interval holds for all points of the grid together."""
    kind: Kind | None
    """This point compared with the best one, which ties with itself; None without a best."""

    @property
    def in_region(self) -> bool:
        """Whether it may be as good as the best: a tie, or too close to call."""
        return self.kind in (Kind.TIE, Kind.OPEN)

    def as_json(self) -> dict[str, Any]:
        """Return it as an object of the result."""
        return {
            "values": self.values,
            "player": self.player,
            "rules_hash": self.experiment.rules.hash,
            **as_columns(self.estimate, "value"),
            **as_columns(self.difference, "difference_to_best", "difference_ci_"),
            "kind": self.kind,
            "in_best_region": self.in_region,
        }


@dataclass(frozen=True, repr=False)
class Sweep(Result):
    """The result of a sweep."""

    request: SweepRequest
    variables: tuple[Variable, ...]
    metric: Metric
    measured: list[SweepPoint]
    """In the order of the grid, the last variable fastest."""
    best: int | None
    """The place of the best point among those measured."""
    games: int
    seconds: float

    @property
    def deals(self) -> int:
        """How many deals every point met."""
        return self.measured[0].estimate.n

    @property
    def region(self) -> list[SweepPoint]:
        """The best point, those that tie with it, and those too close to call."""
        return [one for one in self.measured if one.in_region]

    @property
    def best_word(self) -> str:
        """What the best point is called: of rules alone nothing is better, but higher or lower."""
        if not all(variable.is_rule for variable in self.variables):
            return "best"
        return "highest" if self.request.best_is == HIGH else "lowest"

    @property
    def sentence(self) -> str:
        """Return what came of it, in a sentence."""
        return self._told(has_intervals=True)

    @property
    def headline(self) -> str:
        """Return the sentence without intervals."""
        return self._told(has_intervals=False)

    def _told(self, *, has_intervals: bool) -> str:
        def shown(one: SweepPoint) -> str:
            ends = one.estimate.low, one.estimate.high
            between = f", {' to '.join(map(self.amount, ends))}" if has_intervals else ""
            unit = " %" if self.metric.is_rate else ""
            return f"{one.title} ({self.amount(one.estimate.value)}{unit}{between})"

        if self.best is None:
            low, high = (f(self.measured, key=lambda one: one.estimate.value) for f in (min, max))
            return f"lowest at {shown(low)}, highest at {shown(high)}"
        best, word = self.measured[self.best], self.best_word
        if len(self.measured) == 1:
            return f"a single point, {shown(best)}"
        others, ranges = [one for one in self.region if one is not best], self._ranges()
        if not others:
            worse = {"best": "worse", "highest": "lower", "lowest": "higher"}[word]
            return f"{word} at {shown(best)}; every other point is clearly {worse}"
        where = f"{len(others)} of {len(self.measured) - 1} other points"
        if len(others) == len(self.measured) - 1:
            where = "all other points"
        elif ranges is not None:
            where = ranges
        elif len(others) <= _FEW_POINTS:
            where = listed([f"({one.title})" for one in others])
        is_many, kinds = len(others) > 1 or ranges is not None, {one.kind for one in others}
        does = " or ".join(verbs[is_many] for kind, verbs in _VERBS.items() if kind in kinds)
        return f"{word} at {shown(best)}; {where} {does}"

    def amount(self, value: float) -> str:
        """Return a value of the metric as tables have it; a rate in per cent, without the sign."""
        return f"{100 * value:.2f}" if self.metric.is_rate else f"{value:,.3f}"

    def _ranges(self) -> str | None:
        """Return the region as ranges of the variables, if it is all of their combinations."""
        values = [{one.values[variable.name] for one in self.region} for variable in self.variables]
        if len(self.region) != prod(map(len, values)):
            return None
        sides = zip(self.variables, values, strict=True)
        return ", ".join(f"{variable.name} {_in_words(variable, one)}" for variable, one in sides)

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``sweep --json`` prints."""
        request = self.request
        return {
            **request.experiment.as_json(),
            "command": "sweep",
            "arguments": request.arguments(),
            "field": list(request.others),
            "metric": request.metric,
            "lucks": self.deals,
            "games": self.games,
            "unit": self.metric.words,
            "interval": "pointwise; of differences simultaneous over the grid",
            "points": [one.as_json() for one in self.measured],
            "best": None if self.best is None else self.measured[self.best].values,
            "best_word": self.best_word,
            "margin": request.margin,
            "headline": self.headline,
            "sentence": self.sentence,
            **provenance(self.seconds),
        }


def sweep(request: SweepRequest, runner: Runner = HERE) -> Sweep:
    """Play every point of the grid on the same deals."""
    begun = runner.begin()
    experiment = request.experiment
    contenders = [
        in_every_seat(one.experiment.rules, one.player, request.others) for one in request.points
    ]
    samples = PairedSamples(experiment.game, contenders, request.metric, experiment.seed)

    def result(measured: PairedEstimates) -> Sweep:
        return _result(request, measured, time.perf_counter() - begun)

    return samples.measure_for(result, request.deals, runner=runner)


def check_points(points: Sequence[GridPoint], others: Sequence[str]) -> None:
    """Refuse a point at which somebody cannot play."""
    for point in points:
        try:
            point.experiment.check_line_up([point.player, *others])
        except BadInput as error:
            raise BadInput(f"at {point.title}: {error}") from None


def _result(request: SweepRequest, measured: PairedEstimates, seconds: float) -> Sweep:
    points, metric = request.points, measured.samples.metrics[0]
    estimates = [measured.mean(place) for place in range(len(points))]
    best: int | None = None
    if request.best_is is not None:
        means = np.array([one.value for one in estimates])
        best = int(np.argmax(means if request.best_is == HIGH else -means))
    found = []
    for place, (point, estimate) in enumerate(zip(points, estimates, strict=True)):
        difference = kind = None
        if best is not None:
            difference = difference_to_best(measured, place, best)
            kind = Kind.TIE if place == best else kind_of(difference, request.margin)
        where = point.values, point.player, point.experiment
        found.append(SweepPoint(*where, estimate, difference, kind))
    return Sweep(request, request.grid.variables, metric, found, best, measured.games, seconds)


def difference_to_best(measured: PairedEstimates, place: int, best: int) -> Estimate:
    """Return a contender minus the best one, with an interval that holds for all together.

    The best one is only the best of these games.  With the confidence 1 - 0.05 / (k - 1) for each
    of the k - 1 differences (Bonferroni), the true best is in the region in 95 of 100 sweeps.
    """
    if place == best:
        return Estimate(0.0, 0.0, 0.0, measured.deals)
    return measured.difference(place, best, corrected(len(measured.samples.contenders) - 1))


def _in_words(variable: Variable, texts: set[str]) -> str:
    """Return some of a variable's values: numbers in a row as "1 to 3"."""
    places = [place for place, text in enumerate(variable.texts) if text in texts]
    chosen = [variable.texts[place] for place in places]
    if variable.numbers is not None and len(places) == places[-1] - places[0] + 1 > 1:
        return f"{chosen[0]} to {chosen[-1]}"
    return listed(chosen)
