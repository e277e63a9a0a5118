"""`sweep`: a strategy, or the rules, at every point of a grid, all on the same luck.

The answer is not the best point alone but the best *region*: all points that the games played
cannot tell apart from it.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from analysis.estimates import Estimate, corrected, quantile, unvaried
from analysis.grid import Grid, Point, Variable, read_grid
from analysis.metrics import LENGTH_NAME, SCORE, WIN, Metric, find_metric
from analysis.panel import Measured, Panel, in_every_seat
from analysis.progress import OnProgress, part_of
from analysis.scene import FEWEST_LUCKS, Interrupted, Scene, check_games, provenance, respell
from analysis.venue import HERE, Venue
from simcore.errors import BadInput, find, split_names
from strategies.registry import check_line_up, read_line_up, spelled

if TYPE_CHECKING:
    import pandas as pd

FloatArray = npt.NDArray[np.float64]

MOST_VARIABLES = 2
HIGH, LOW = "high", "low"
BEST = {WIN: HIGH, SCORE: HIGH, LENGTH_NAME: LOW}
"""What is good of a metric, unless it is said."""
_FEW_POINTS = 4
"""So many points are listed in a sentence; more are counted."""


@dataclass(frozen=True)
class SweepRequest:
    """Everything that decides a sweep."""

    scene: Scene
    strategy: str
    """Who is watched, with the parameters that stay: ``herder:dog=never``."""
    vary: tuple[str, ...]
    """``keep_sheep=0:5:1``, ``dog=never,spare``, ``rules.horse_price=2,3``."""
    field: str | None = None
    """The others, with commas; None: as many of the strategy as it was given as make a table."""
    metric: str = WIN
    lucks: int = 20_000
    best: str | None = None
    """"high" or "low"; None: high for wins and scores, low for lengths, neither for events."""

    def __post_init__(self) -> None:
        """Refuse what cannot be played, before any engine is loaded."""
        check_games(self.lucks, at_least=FEWEST_LUCKS)
        if self.best is not None:
            respell(self, best=find("value of --best", str(self.best), (HIGH, LOW)))
        game = self.scene.game
        if self.field is not None:
            respell(self, field=spelled(game, self.field))
        respell(self, strategy=spelled(game, self.strategy), vary=self.grid.vary)
        metric = find_metric(game, self.scene.rules, self.metric, 1 + len(self.others))
        respell(self, metric=metric.name)
        read_line_up(game, ",".join([self.grid.given, *self.others]))
        check_points(self.points, self.others)

    @cached_property
    def grid(self) -> Grid:
        """All points."""
        return read_grid(self.scene, self.strategy, self.vary, most_variables=MOST_VARIABLES)

    @cached_property
    def points(self) -> list[Point]:
        """All points, in order."""
        return list(self.grid.points())

    @property
    def others(self) -> tuple[str, ...]:
        """The others at the table, by place after the one who is watched."""
        if self.field is None:
            return (self.grid.given,) * (self.scene.smallest_table - 1)
        return tuple(split_names(self.field))

    @property
    def best_is(self) -> str | None:
        """Whether high or low is best; None where nobody can say."""
        return self.best or BEST.get(self.metric)

    def arguments(self) -> dict[str, Any]:
        """Return what repeats it."""
        return {
            "strategy": self.strategy,
            "vary": list(self.vary),
            "field": self.field,
            "metric": self.metric,
            "games": self.lucks,
            "best": self.best,
        }


@dataclass(frozen=True)
class SweepPoint:
    """What was measured at one point."""

    values: dict[str, str]
    """By variable, as written."""
    player: str
    rules_hash: str
    estimate: Estimate
    """The metric's mean with its pointwise 95 % interval."""
    difference: Estimate | None
    """This point less the best one; its interval holds for all points of the grid together."""
    in_region: bool
    """Whether it cannot be told apart from the best one; False where no best is asked for."""

    @property
    def title(self) -> str:
        """The point in words: ``keep_sheep=2, dog=never``."""
        return ", ".join(f"{name}={text}" for name, text in self.values.items())

    def as_json(self) -> dict[str, Any]:
        """Return it as an object of the result."""
        apart = self.difference
        return {
            "values": self.values,
            "player": self.player,
            "rules_hash": self.rules_hash,
            "value": self.estimate.value,
            "ci_low": self.estimate.low,
            "ci_high": self.estimate.high,
            "difference_to_best": None if apart is None else apart.value,
            "difference_ci_low": None if apart is None else apart.low,
            "difference_ci_high": None if apart is None else apart.high,
            "in_best_region": self.in_region,
        }


@dataclass(frozen=True)
class Sweep:
    """The result of a sweep."""

    request: SweepRequest
    variables: tuple[Variable, ...]
    metric: Metric
    points: list[SweepPoint]
    """In the order of the grid, the last variable fastest."""
    best: int | None
    """The place of the best point in `points`."""
    games: int
    seconds: float

    @property
    def lucks(self) -> int:
        """How many lucks every point met."""
        return self.points[0].estimate.n

    @property
    def region(self) -> list[SweepPoint]:
        """The points that cannot be told apart from the best, and it."""
        return [one for one in self.points if one.in_region]

    @property
    def best_word(self) -> str:
        """What the best point is called: of rules alone nothing is better, but higher or lower."""
        if not all(variable.is_rule for variable in self.variables):
            return "best"
        return "highest" if self.request.best_is == HIGH else "lowest"

    @property
    def sentence(self) -> str:
        """What came of it, in a sentence."""
        if self.best is None:
            values = [one.estimate.value for one in self.points]
            low, high = (self.points[int(at)] for at in (np.argmin(values), np.argmax(values)))
            return f"lowest {self._with_value(low)}, highest {self._with_value(high)}"
        best, word = self.points[self.best], self.best_word
        if len(self.points) == 1:
            return f"a single point, {self._with_value(best).removeprefix('at ')}"
        if len(self.region) == len(self.points):
            return (
                f"all {len(self.points)} points alike: none can be told apart from the {word}, "
                f"{self._with_value(best).removeprefix('at ')}"
            )
        if len(self.region) == 1:
            others = {"best": "worse", "highest": "lower", "lowest": "higher"}[word]
            return f"{word} {self._with_value(best)}; every other point is {others}"
        region = self._region_in_words()
        return f"{word} {self._with_value(best)}; {region} cannot be told apart from it"

    def _with_value(self, one: SweepPoint) -> str:
        found = one.estimate
        value = self.amount(found.value)
        unit = " %" if self.metric.is_rate else ""
        between = f"{self.amount(found.low)} to {self.amount(found.high)}"
        return f"at {one.title} ({value}{unit}, {between})"

    def amount(self, value: float) -> str:
        """Return a value of the metric as tables have it; a rate in per cent, without the sign."""
        return f"{100 * value:.2f}" if self.metric.is_rate else f"{value:,.3f}"

    def _region_in_words(self) -> str:
        """Return the region as ranges, if it is all of their combinations; else what is in it."""
        region = self.region
        seen = [{one.values[variable.name] for one in region} for variable in self.variables]
        if len(region) == prod(map(len, seen)):
            sides = zip(self.variables, seen, strict=True)
            return ", ".join(
                f"{variable.name} {_in_words(variable, one)}" for variable, one in sides
            )
        others = [f"({one.title})" for one in region if one is not self.points[self.best or 0]]
        if len(others) <= _FEW_POINTS:
            return _listed(others)
        return f"{len(others)} of {len(self.points) - 1} other points"

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``sweep --json`` prints."""
        request = self.request
        return {
            **request.scene.as_json(),
            "command": "sweep",
            "arguments": request.arguments(),
            "field": list(request.others),
            "metric": request.metric,
            "lucks": self.lucks,
            "games": self.games,
            "unit": self.metric.words,
            "interval": "pointwise; of differences simultaneous over the grid",
            "points": [one.as_json() for one in self.points],
            "best": None if self.best is None else self.points[self.best].values,
            "sentence": self.sentence,
            **provenance(self.seconds),
        }

    def frame(self) -> "pd.DataFrame":
        """Return one row a point: its variables, the value, how far it is from the best."""
        import pandas as pd

        columns: dict[str, list[Any]] = {}
        for variable in self.variables:
            texts = [one.values[variable.name] for one in self.points]
            known = dict(zip(variable.texts, variable.numbers or variable.texts, strict=True))
            columns[variable.name] = [known[text] for text in texts]
        estimates = [one.estimate for one in self.points]
        nothing = Estimate(np.nan, np.nan, np.nan, 0)
        apart = [one.difference or nothing for one in self.points]
        return pd.DataFrame(
            {
                **columns,
                "value": [one.value for one in estimates],
                "low": [one.low for one in estimates],
                "high": [one.high for one in estimates],
                "n": [one.n for one in estimates],
                "difference_to_best": [one.value for one in apart],
                "difference_low": [one.low for one in apart],
                "difference_high": [one.high for one in apart],
                "in_best_region": [one.in_region for one in self.points],
            }
        )


def sweep(
    request: SweepRequest,
    *,
    venue: Venue = HERE,
    on_progress: OnProgress | None = None,
) -> Sweep:
    """Play every point of the grid on the same luck; `on_progress` is told the lucks done."""
    begun = venue.begin()
    scene, points = request.scene, request.points
    arms = [in_every_seat(point.scene.rules, point.player, request.others) for point in points]
    panel = Panel(scene.game, arms, request.metric, scene.seed)
    sums = panel.empty()

    def result() -> Sweep:
        played = request if sums.lucks == request.lucks else replace(request, lucks=sums.lucks)
        return _result(played, Measured(panel, sums), time.perf_counter() - begun)

    try:
        panel.measure(
            range(request.lucks),
            into=sums,
            venue=venue,
            on_progress=part_of(on_progress, 0, request.lucks),
        )
    except KeyboardInterrupt:
        so_far = result() if sums.lucks >= FEWEST_LUCKS else None
        raise Interrupted(so_far, f"--games {sums.lucks}") from None
    return result()


def check_points(points: Sequence[Point], others: Sequence[str]) -> None:
    """Refuse a point at which somebody cannot play."""
    for point in points:
        try:
            check_line_up(point.scene.game, point.scene.rules, ",".join([point.player, *others]))
        except BadInput as error:
            raise BadInput(f"at {point.title}: {error}") from None


def _result(request: SweepRequest, measured: Measured, seconds: float) -> Sweep:
    points, metric = request.points, measured.panel.metrics[0]
    estimates = [measured.mean(place) for place in range(len(points))]
    best: int | None = None
    apart: Sequence[Estimate | None] = [None] * len(points)
    if request.best_is is not None:
        means = np.array([one.value for one in estimates])
        best, differences = apart_from_best(
            means, covariances(measured), measured.lucks, is_high=request.best_is == HIGH
        )
        if metric.is_rate:
            differences[:] = [
                one if at == best else or_unseen(one, corrected(len(points) - 1))
                for at, one in enumerate(differences)
            ]
        apart = differences
    found = []
    for point, estimate, difference in zip(points, estimates, apart, strict=True):
        is_in = difference is not None and not is_settled(difference)
        rules_hash = point.scene.rules.hash
        found.append(
            SweepPoint(point.values, point.player, rules_hash, estimate, difference, is_in)
        )
    return Sweep(request, request.grid.variables, metric, found, best, measured.games, seconds)


def or_unseen(difference: Estimate, confidence: float) -> Estimate:
    """Return a difference of rates; if it was the same on every luck, with what that can mean."""
    if difference.low < difference.high:
        return difference
    return unvaried(difference.value, difference.n, -1, 1, confidence)


def covariances(measured: Measured) -> FloatArray:
    """Return the covariances of the arms' means over lucks, each from exact sums."""
    n, sums = measured.lucks, measured.sums
    scales = np.array(measured.panel.scales, dtype=object)
    spread = n * sums.products - np.outer(sums.totals, sums.totals)
    whole = np.outer(scales, scales) * (n * n * (n - 1))
    covariance: FloatArray = (spread / whole).astype(np.float64)
    return covariance


def apart_from_best(
    means: FloatArray, covariance: FloatArray, n: int, *, is_high: bool
) -> tuple[int, list[Estimate]]:
    """Return which mean is best, and all less it, with intervals that hold for all together.

    `covariance` is that of the means.  The best one is only the best of these games: a true best
    is missing from those not settled against it only if one of the other k - 1 has come out too
    far above it.  So each difference has the confidence 1 - 0.05 / (k - 1) (Bonferroni), and the
    true best is among them in at least 95 of 100 sweeps.
    """
    best = int(np.argmax(means if is_high else -means))
    values = means - means[best]
    spread = np.diag(covariance) - 2 * covariance[best] + covariance[best, best]
    half = quantile(corrected(len(means) - 1)) * np.sqrt(np.maximum(0.0, spread))
    half[best] = 0.0
    return best, [
        Estimate(float(value), float(value - wide), float(value + wide), n)
        for value, wide in zip(values, half, strict=True)
    ]


def is_settled(difference: Estimate) -> bool:
    """Whether a difference's interval excludes 0; one of exactly 0 is not settled."""
    return difference.low > 0 or difference.high < 0


def _in_words(variable: Variable, texts: set[str]) -> str:
    """Return some of a variable's values: numbers in a row as "1 to 3"."""
    places = [place for place, text in enumerate(variable.texts) if text in texts]
    chosen = [variable.texts[place] for place in places]
    if variable.numbers is not None and len(places) == places[-1] - places[0] + 1 > 1:
        return f"{chosen[0]} to {chosen[-1]}"
    return _listed(chosen)


def _listed(words: Sequence[str]) -> str:
    """Return "a", "a and b" or "a, b and c"."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
