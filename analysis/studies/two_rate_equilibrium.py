"""Two rates in balance: the rates of a whole table from which nobody gains by another rate.

Everybody plays `player(x, y)`, which does one thing at rate x and another at rate y.  What one
player gains by another rate, per unit of it, is the *pull* of that rate.  In balance both pulls are
nil, or push a rate against 0 or 1.  It is found in three steps: where the pulls of the whole plane
change sign; a small box of tables there, moved until it holds the balance; and that box on fresh
deals, with planes laid through the pulls.  Intervals are by jackknife over groups of deals.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil, hypot, inf, isnan, nan

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.runs.progress import OnProgress
from herdlab.analysis.runs.runner import HERE, Runner
from herdlab.analysis.sampling.paired_samples import Contender, PairedSamples, in_every_seat
from herdlab.analysis.stats.estimates import CONFIDENCE, Estimate
from herdlab.analysis.stats.verdicts import Kind, kind_of

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Rates = tuple[float, float]

GROUPS = 16
"""Of deals; intervals are by Student's distribution."""
_FINE = 101
"""Points a side at which the plane is searched."""
_APART = 0.25
"""How far from the table's rate one is tried out for its pull."""
_HALVES = (0.12, 0.06, 0.06)
"""Half-widths of the box while it is moved."""
_FINAL_HALF = 0.05
_NEAR = 2 * _FINAL_HALF
"""Planes laid through the last box are believed so far from its middle."""
_AROUND = (-0.12, -0.08, -0.04, 0.0, 0.04, 0.08, 0.12)
"""Where a break-even is looked for."""
_ROUNDING = 1e-12
_DIGITS = 4
"""Of rates, as strategies are told them."""


class FreshDeals:
    """Deals that are taken one after another, so that nothing is measured twice on the same."""

    def __init__(self, experiment: Experiment, runner: Runner = HERE) -> None:
        self.experiment, self.runner = experiment, runner
        self.taken = self.games = 0

    def groups(
        self, contenders: Sequence[Contender], deals: int, on_progress: OnProgress | None = None
    ) -> Floats:
        """Return (groups, contenders): win rates on the next `deals` deals, or a few more."""
        samples = PairedSamples(self.experiment.game, contenders, "win", self.experiment.seed)
        number = GROUPS * ceil(deals / GROUPS)
        mine = range(self.taken, self.taken + number)

        def work(part: range) -> Integers:
            in_group = np.arange(part.start, part.stop) % GROUPS == np.arange(GROUPS)[:, None]
            won: Integers = in_group.astype(np.int64) @ samples.values(part).T
            return won

        sums = _Sums(np.zeros((GROUPS, len(contenders)), dtype=np.int64))
        heard = None if on_progress is None else lambda done: on_progress(done, number)
        chunk = min(samples.chunk, ceil(number / (2 * self.runner.crew.hands)))
        self.runner.simulate(work, sums, mine, chunk=chunk, on_progress=heard)
        self.taken += number
        self.games += number * samples.games_a_deal
        rates: Floats = sums.won * GROUPS / (number * np.array(samples.scales))
        return rates


@dataclass
class _Sums:
    """Whole numbers, so that the order in which they are added does not matter."""

    won: Integers

    def add(self, other: Integers) -> None:
        """Merge what another run of deals won."""
        self.won += other


@dataclass(frozen=True)
class TwoRateGame:
    """Players that have two rates, at a table."""

    experiment: Experiment
    size: int
    player: Callable[[float, float], str]
    """The strategy with these rates."""

    def among(self, mine: Rates, others: Rates) -> Contender:
        """Return a player with rates of their own among others with theirs."""
        field = [self.player(*others)] * (self.size - 1)
        return in_every_seat(self.experiment.rules, self.player(*mine), field)


def estimates(values: Floats, confidence: float = CONFIDENCE) -> list[Estimate]:
    """Return the mean of each column over groups, with its interval."""
    return jackknifed(values, lambda means: means, confidence)


def jackknifed(
    values: Floats, of: Callable[[Floats], Floats], confidence: float = CONFIDENCE
) -> list[Estimate]:
    """Return what `of` makes of the means over groups, with intervals (Tukey 1958)."""
    n = len(values)
    total = values.sum(0)
    whole = of(total / n)
    without = np.array([of((total - row) / (n - 1)) for row in values])
    spread = np.sqrt((n - 1) / n * ((without - without.mean(0)) ** 2).sum(0))
    halves = stdtrit(n - 1, 0.5 + confidence / 2) * spread
    return [
        Estimate(float(value), float(value - half), float(value + half), n)
        for value, half in zip(whole, halves, strict=True)
    ]


# ---- the whole plane ----


@dataclass(frozen=True)
class GainPlane:
    """What each rate gains, always minus never, at tables all over the plane."""

    rates: tuple[float, ...]
    gains: Floats
    """(2, x, y): of the first rate and of the second."""

    def start(self) -> Rates:
        """Return where the balance seems to lie, between the tables that were measured."""
        fine = np.linspace(0, 1, _FINE)
        pulls = [_between(one, self.rates, fine) for one in self.gains]
        x, y = np.meshgrid(fine, fine, indexing="ij")
        off = _unrest(pulls[0], x) ** 2 + _unrest(pulls[1], y) ** 2
        at = np.unravel_index(off.argmin(), off.shape)
        return float(fine[at[0]]), float(fine[at[1]])


def gain_plane(
    game: TwoRateGame,
    deals: FreshDeals,
    rates: Sequence[float],
    number: int,
    on_progress: OnProgress | None = None,
) -> GainPlane:
    """Measure what always minus never gains, for either rate, at tables of all pairs of rates."""
    contenders = [
        game.among(mine, (x, y))
        for x, y in product(rates, rates)
        for mine in ((1, y), (0, y), (x, 1), (x, 0))
    ]
    won = deals.groups(contenders, number, on_progress).mean(0)
    found = won.reshape(len(rates), len(rates), 2, 2)
    return GainPlane(tuple(rates), np.moveaxis(found[..., 0] - found[..., 1], 2, 0))


def _between(values: Floats, at: Sequence[float], fine: Floats) -> Floats:
    """Return values at fine points of both axes, linear between the measured ones."""
    rows = np.array([np.interp(fine, at, row) for row in values])
    return np.array([np.interp(fine, at, column) for column in rows.T]).T


def _unrest(pull: Floats, rate: Floats) -> Floats:
    """Return how much a pull moves a rate, which it cannot beyond 0 and 1."""
    held = ((rate <= 0) & (pull < 0)) | ((rate >= 1) & (pull > 0))
    return np.where(held, 0.0, pull)


def break_even(
    game: TwoRateGame,
    deals: FreshDeals,
    x: float,
    near: float,
    number: int,
    on_progress: OnProgress | None = None,
    confidence: float = CONFIDENCE,
) -> Estimate | None:
    """Return the second rate of the table at which the first gains nothing, always minus never.

    All others have the first rate `x`.  None if it is not around `near`.
    """
    rates = [round(near + step, _DIGITS) for step in _AROUND if 0 <= near + step <= 1]
    contenders = [game.among((mine, y), (x, y)) for y in rates for mine in (1, 0)]
    values = deals.groups(contenders, number, on_progress).reshape(GROUPS, len(rates), 2)
    gains = values[..., 0] - values[..., 1]
    found = jackknifed(gains, lambda means: np.array([_crossing(rates, means)]), confidence)[0]
    return None if isnan(found.high) else found


def _crossing(at: Sequence[float], values: Floats) -> float:
    """Return where values fall through nil, linear between neighbours; not a number if nowhere."""
    for left, right, before, after in zip(at, at[1:], values, values[1:], strict=False):
        if before > 0 >= after:
            return float(left + (right - left) * before / (before - after))
    return nan


# ---- the balance ----


@dataclass(frozen=True)
class RateEquilibrium:
    """Rates from which nobody gains by another."""

    x: Estimate
    y: Estimate
    deals: int
    is_found: bool
    """Whether it lies in the box that was measured or no farther outside than half its width."""
    held: tuple[bool, bool] = (False, False)
    """Which rates are at 0 or 1, and known to be: others would lose by leaving it.

    Such a rate has no width.  One that seems to be at 0 or 1, but is not known to be held there,
    has an interval as wide as the box.
    """

    @property
    def rates(self) -> Rates:
        """Both, as a strategy can be told them."""
        return round(self.x.value, _DIGITS), round(self.y.value, _DIGITS)


def find_equilibrium(
    game: TwoRateGame,
    deals: FreshDeals,
    start: Rates,
    *,
    pilot: int,
    most: int,
    half_width: float | None = None,
    confidence: float = CONFIDENCE,
    on_progress: OnProgress | None = None,
) -> RateEquilibrium:
    """Return the balance near `start`.

    The box is moved on `pilot` deals at a time.  The last move says how many deals the measurement
    takes for intervals of ± `half_width` (Stein 1945); if that is None it takes `most`.
    """
    centre = start
    for half in _HALVES:
        box = _Box.around(centre, half)
        x, y = jackknifed(deals.groups(box.contenders(game), pilot), box.solve, confidence)
        centre = x.value, y.value
    number = most
    if half_width is not None:
        widest = max((one.high - one.low) / 2 for one in (x, y))
        number = min(most, max(pilot, ceil(pilot * (widest / half_width) ** 2)))
    box = _Box.around(centre, _FINAL_HALF)
    values = deals.groups(box.contenders(game), number, on_progress)
    x, y = jackknifed(values, box.solve, confidence)
    at = x.value, y.value
    pulls = jackknifed(values, lambda wins: box.pulls_at(wins, at), confidence)
    (x, x_held), (y, y_held) = (_within(*one) for one in zip((x, y), pulls, strict=True))
    far = max(abs(one - middle) for one, middle in zip(at, box.middle, strict=True))
    return RateEquilibrium(x, y, number, far <= _NEAR, (x_held, y_held))


def _within(rate: Estimate, pull: Estimate) -> tuple[Estimate, bool]:
    """Return a rate within 0 and 1, and whether its pull is known to hold it at either.

    That all groups of deals agree on 0 or 1 says nothing of how surely it lies there.
    """
    low, high = max(0.0, rate.low), min(1.0, rate.high)
    is_edge = rate.value in (0, 1) and rate.low == rate.high
    is_held = is_edge and kind_of(pull) == (Kind.LOWER if rate.value == 0 else Kind.HIGHER)
    if is_edge and not is_held:
        low, high = max(0.0, rate.value - _NEAR), min(1.0, rate.value + _NEAR)
    return Estimate(rate.value, low, high, rate.n), is_held


@dataclass(frozen=True)
class _Box:
    """Nine tables around a point, and at each the pulls of both rates."""

    middle: Rates
    fields: tuple[Rates, ...]

    @classmethod
    def around(cls, centre: Rates, half: float) -> "_Box":
        """Return the box of so much each way, moved to lie within 0 and 1."""
        x, y = (min(max(one, half), 1 - half) for one in centre)
        steps = (-half, 0.0, half)
        xs, ys = ([round(one + step, _DIGITS) for step in steps] for one in (x, y))
        return cls((x, y), tuple(product(xs, ys)))

    def _trials(self) -> Iterator[tuple[Rates, Rates, float]]:
        """Yield the table, the rates of who tries out more or less, and how far these are apart."""
        for x, y in self.fields:
            less, more = max(0.0, x - _APART), min(1.0, x + _APART)
            yield from (((x, y), (tried, y), more - less) for tried in (more, less))
            less, more = max(0.0, y - _APART), min(1.0, y + _APART)
            yield from (((x, y), (x, tried), more - less) for tried in (more, less))

    def contenders(self, game: TwoRateGame) -> list[Contender]:
        """Return all who try out another rate."""
        return [game.among(mine, field) for field, mine, _ in self._trials()]

    def solve(self, wins: Floats) -> Floats:
        """Return the rates at which planes through the pulls say that nobody gains."""
        return np.array(_at_rest(self._planes(wins)))

    def pulls_at(self, wins: Floats, rates: Rates) -> Floats:
        """Return both pulls at a point, by these planes."""
        pulls: Floats = self._planes(wins) @ np.array([1.0, *rates])
        return pulls

    def _planes(self, wins: Floats) -> Floats:
        """Return by rate its pull at 0, 0 and the slopes."""
        apart = np.array([one for _, _, one in self._trials()]).reshape(-1, 2, 2)[..., 0]
        won = wins.reshape(-1, 2, 2)
        pulls = (won[..., 0] - won[..., 1]) / apart
        design = np.column_stack([np.ones(len(self.fields)), np.array(self.fields)])
        planes: Floats = np.linalg.lstsq(design, pulls, rcond=None)[0].T
        return planes


def _at_rest(planes: Floats) -> Rates:
    """Return where pulls that are planes leave both rates alone, each from 0 to 1."""
    best, least = (0.5, 0.5), inf
    for x, y in _candidates(planes):
        pulls = planes @ np.array([1.0, x, y])
        off = hypot(*_unrest(pulls, np.array([x, y])).tolist())
        if 0 <= x <= 1 and 0 <= y <= 1 and off < least - _ROUNDING:
            best, least = (x, y), off
    return best


def _candidates(planes: Floats) -> Iterator[Rates]:
    """Yield the point where both pulls are nil, those on the sides where one is, and corners."""
    slopes, at = planes[:, 1:], -planes[:, 0]
    if abs(np.linalg.det(slopes)) > 0:
        x, y = np.linalg.solve(slopes, at)
        yield float(x), float(y)
    for side in (0.0, 1.0):
        if slopes[1, 1]:
            yield side, float((at[1] - slopes[1, 0] * side) / slopes[1, 1])
        if slopes[0, 0]:
            yield float((at[0] - slopes[0, 1] * side) / slopes[0, 0]), side
    yield from product((0.0, 1.0), (0.0, 1.0))
