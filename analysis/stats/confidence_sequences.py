"""Confidence sequences: intervals that hold at every look at once, however often one looks.

With a chance of at least 1 - alpha the truth lies in *all* intervals of a sequence, so one may stop
at any look for any reason.  `BoundedSequence`, for observations between known limits, holds for any
sample size; `AsymptoticSequence`, for all others, needs a large one.

Sources:
Howard, Ramdas, McAuliffe and Sekhon, "Time-uniform, nonparametric, nonasymptotic confidence
sequences", Annals of Statistics 49 (2021) [HRMS];
Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic
confidence sequences", Annals of Statistics 52 (2024) [WASKR].
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from math import ceil, inf, isfinite, log, nan, pi, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import gammainc, gammaln

from herdlab.analysis.stats.estimates import Estimate, deviation
from herdlab.simcore.errors import BadInput

Floats = npt.NDArray[np.float64]

LEAST = 1_000
"""Observations before which an asymptotic sequence says nothing.

At alpha = 5 %, with a look every tenth more, sequences of squares of exponential numbers (skewness
6.6) that begin at 30, 100, 300 and 1,000 miss the truth in 20, 9, 4 and 2 % of cases; those of
exponential numbers in 6, 3.5, 2.4 and 1.8 %.
"""

SERIES_FROM = 20.0
"""From here on the first term left out of Stirling's series is below 2e-15."""

STEPS, SMALL = 50, 1e-7
"""Newton's steps: more than any boundary needs, and the relative size of the last.  Each squares
the error: after a step of 1e-7 about 1e-14 is left."""
_KEPT_SETTINGS = 256


def tuning(target: float, alpha: float) -> float:
    """Return the rho whose boundary is the tightest at `target` [HRMS; WASKR].

    `alpha` is that of both sides together, as in the authors' own programs.  For the gamma-
    exponential mixture too the boundary is then within 0.2 % of the tightest from 100 c^2 on.
    """
    spent = -2 * log(alpha)
    return target / (spent + log(1 + spent))


def _stirling(x: Floats) -> Floats:
    """Return log gamma(x) minus Stirling's (x - 1/2) log x - x + log(2 pi) / 2.

    For large x by its series: the difference of two large numbers would have no digit left.
    """
    small, large = np.minimum(x, SERIES_FROM), np.maximum(x, SERIES_FROM)
    direct = gammaln(small) - ((small - 0.5) * np.log(small) - small + 0.5 * log(2 * pi))
    square = 1 / (large * large)
    series = (1 / 12 - (1 / 360 - (1 / 1260 - square / 1680) * square) * square) / large
    return np.asarray(np.where(x < SERIES_FROM, direct, series))


def _apart_from_s(b: Floats, k: float, stirling_of_b: Floats) -> Floats:
    """Return the part of the log of the mixture that does not depend on s."""
    return np.asarray(0.5 * np.log(k / b) + stirling_of_b - _of_k(k))


@lru_cache(_KEPT_SETTINGS)
def _of_k(k: float) -> float:
    """Return what all looks at one sequence share."""
    return float(_stirling(np.asarray(k)) + np.log(gammainc(k, k)))


def boundary(v: npt.ArrayLike, rho: float, c: float, alpha_side: float) -> Floats:
    """Return the s at which the mixture of scale `c` reaches 1 / alpha_side, for each v >= 0.

    The sum of deviations of observations within a range of c ever exceeds this with a chance of at
    most `alpha_side`, v being the sum of their squares (`scatter`).
    """
    k = rho / c**2
    b = np.asarray(v, dtype=float) / c**2 + k
    stirling_of_b = _stirling(b)
    fixed = _apart_from_s(b, k, stirling_of_b) + log(alpha_side)
    log_density = 0.5 * np.log(b / (2 * pi)) - stirling_of_b
    # The log of the mixture is convex and rises in s, so from above Newton's steps go down to the
    # root and never past it.  This start is above, as P(b, b + y) > 1/2 and, by a Pade bound of
    # the log, y - b log1p(y / b) > 3 y^2 / (6 b + 4 y).
    above = log(2) - fixed
    y = (2 * above + np.sqrt(4 * above**2 + 18 * b * above)) / 3
    for _ in range(STEPS):
        below = gammainc(b, b + y)
        bent = y - b * np.log1p(y / b)
        slope = (y + np.exp(log_density - bent) / below) / (b + y)
        step = (fixed + np.log(below) + bent) / slope
        y = y - step
        if np.all(np.abs(step) <= SMALL * y):
            break
    return c * y


def scatter(n: Any, total: Any, squares: Any, expected: Any) -> Any:
    """Return the sum of (x - expected)^2 over `n` observations with these sums; also of arrays.

    It is their spread, exact for integer sums, plus the distance of their mean: no difference of
    large numbers.
    """
    spread = np.maximum(0.0, (n * squares - total * total) / n)
    return spread + n * (total / n - expected) ** 2


def asymptotic_half_width(n: npt.ArrayLike, n_opt: float, alpha: float) -> Floats:
    """Return the half-width in standard deviations, tightest at `n_opt` [WASKR, Theorem 2.2]."""
    t = np.asarray(n, dtype=float)
    spread = t / tuning(n_opt, alpha)  # their t rho^2
    return np.asarray(np.sqrt((1 + 1 / spread) * (np.log1p(spread) - 2 * log(alpha)) / t))


@dataclass
class ConfidenceSequence(ABC):
    """One sequence as far as it has come: batches go in, and each look gives an interval."""

    n: int = field(default=0, init=False, compare=False)
    """How many observations there have been."""
    total: float = field(default=0, init=False, compare=False)
    squares: float = field(default=0, init=False, compare=False)

    @property
    def mean(self) -> float:
        """The mean of all observations; NaN before the first."""
        return self.total / self.n if self.n else nan

    def add(self, n: int, total: float, squares: float) -> None:
        """Take in a batch: its number of observations, their sum, and the sum of their squares."""
        self.n += n
        self.total += total
        self.squares += squares

    @abstractmethod
    def interval(self) -> Estimate:
        """Return the mean with the interval of this look."""


@dataclass
class BoundedSequence(ConfidenceSequence):
    """An empirical-Bernstein sequence for observations in [low, high] [HRMS, Theorem 4].

    It holds for any number of independent observations with one mean, whatever their distribution.
    What is expected of an observation is the mean of all earlier batches.
    """

    low: float
    high: float
    alpha: float
    """The chance that any look's interval misses the truth is at most this."""
    v_opt: float
    """Where the sequence is the tightest, in sums of squared deviations (`v_for_half_width`)."""
    guess: float
    """What is expected of the first batch; a bad guess costs width, not validity."""
    v: float = field(default=0.0, init=False, compare=False)
    """The sum of squared distances of observations from what was expected of them."""

    def __post_init__(self) -> None:
        """Refuse settings with which nothing would be guaranteed."""
        if not self.low <= self.guess <= self.high or not self.low < self.high:
            raise ValueError(f"not in order: {self.low}, {self.guess}, {self.high}")
        if not 0 < self.alpha < 1 or not 0 < self.v_opt < inf:
            raise ValueError(f"alpha {self.alpha} or v_opt {self.v_opt} is out of range")

    def boundary(self, v: npt.ArrayLike) -> Floats:
        """Return how far sums of deviations go on either side; their number times a half-width."""
        c = self.high - self.low
        return boundary(v, tuning(self.v_opt, self.alpha), c, self.alpha / 2)

    def add(self, n: int, total: float, squares: float) -> None:
        """Take in a batch, of which the mean of all earlier ones was expected."""
        low, high = self.low, self.high
        inside = (low + high) * total - n * low * high - squares  # sum of (x - low) (high - x)
        rounding = 1e-9 * n * max(abs(low), abs(high), 1.0) ** 2
        if inside < -rounding or not n * low - rounding <= total <= n * high + rounding:
            raise ValueError(f"observations beyond {low} to {high}: {n=}, {total=}, {squares=}")
        if n:
            self.v += float(scatter(n, total, squares, self.mean if self.n else self.guess))
        super().add(n, total, squares)

    def interval(self) -> Estimate:
        """Return the mean with the interval of this look, within the limits."""
        if not self.n:
            return Estimate(self.guess, self.low, self.high, 0)
        half = float(self.boundary(self.v)) / self.n
        low, high = max(self.low, self.mean - half), min(self.high, self.mean + half)
        return Estimate(self.mean, low, high, self.n)


@dataclass
class AsymptoticSequence(ConfidenceSequence):
    """A sequence for observations without limits but with a variance [WASKR, Theorem 2.2].

    The more observations before the first look, the nearer is the chance of a miss to `alpha`.
    """

    alpha: float
    n_opt: float
    """The number of observations at which it is the tightest."""

    def __post_init__(self) -> None:
        """Refuse settings with which nothing would be guaranteed."""
        if not 0 < self.alpha < 1 or not 0 < self.n_opt < inf:
            raise ValueError(f"alpha {self.alpha} or n_opt {self.n_opt} is out of range")

    def interval(self) -> Estimate:
        """Return the mean with the interval of this look.

        It has no ends before `LEAST` observations, and while all are alike: something rare may not
        have happened yet.
        """
        spread = deviation(self.total, self.squares, self.n)
        if self.n < LEAST or not spread:
            return Estimate(self.mean, -inf, inf, self.n)
        half = spread * float(asymptotic_half_width(self.n, self.n_opt, self.alpha))
        return Estimate(self.mean, self.mean - half, self.mean + half, self.n)


def looks(first: int, most: int, growth: float = 1.2) -> Iterator[int]:
    """Yield how many observations there are at each look: `first`, growing, at last `most`."""
    if first < 1 or most < 1 or not growth > 1:
        raise ValueError(f"no looks from {first} to {most} growing by {growth}")
    n = min(first, most)
    while n < most:
        yield n
        n = min(most, ceil(n * growth))
    yield most


def v_for_half_width(half: float, variance: float, alpha: float, low: float, high: float) -> float:
    """Return the v at which a `BoundedSequence` tuned to it has the half-width `half`.

    That is after v / variance observations.  It is at least (high - low)^2: below that the range
    makes the width, and hardly the variance, which may be 0 as far as is known.
    """
    if not (half > 0 and isfinite(half)):
        raise BadInput(f"the half-width of an interval must be above 0, not {half}")
    c = float(high - low)

    def too_wide(v: float) -> bool:
        return float(boundary(v, tuning(v, alpha), c, alpha / 2)) * variance > half * v

    below = above = c**2
    while too_wide(above):
        below, above = above, above * 4
    while above > below * (1 + 1e-9):
        middle = sqrt(below * above)
        below, above = (middle, above) if too_wide(middle) else (below, middle)
    return above
