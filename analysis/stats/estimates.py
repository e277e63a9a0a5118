"""Estimates with their uncertainty; no number leaves here without an interval and its n."""

from dataclasses import dataclass
from math import ceil, hypot, isfinite, sqrt
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

CONFIDENCE = 0.95
LOPSIDED = 1.25
"""An interval is not printed with ± if one side is this many times as long as the other."""
FAR = 3.0
"""An unseen difference may be this many times the usual one, where nothing limits it."""
_FEW = 12
"""Successes below which Wilson's lower bound is too high; there the Poisson law holds well."""
_MANY = 30
"""Differing pairs from which on the standard error serves."""
_ALIKE = 1e-9
"""Below this, groups differ by rounding only."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its confidence interval, from `n` independent observations."""

    value: float
    low: float
    high: float
    n: int

    @property
    def half_width(self) -> float:
        """The longer side of the interval."""
        return max(self.high - self.value, self.value - self.low)

    def moved(self, by: float) -> "Estimate":
        """Return the estimate of something that is more by an exact amount."""
        return Estimate(self.value + by, self.low + by, self.high + by, self.n)

    def negative(self) -> "Estimate":
        """Return the estimate of minus the same."""
        return Estimate(-self.value, -self.high, -self.low, self.n)


def as_columns(one: Estimate | None, value: str, ends: str = "ci_") -> dict[str, float | None]:
    """Return columns or JSON keys: `value`, and the ends, whose names begin with `ends`.

    All are None where there is no estimate, and an end where there is none.
    """
    numbers = (None, None, None) if one is None else (one.value, one.low, one.high)
    found = (end if end is None or isfinite(end) else None for end in numbers)
    return dict(zip((value, f"{ends}low", f"{ends}high"), found, strict=True))


def corrected(intervals: int) -> float:
    """Return the confidence of each of several intervals that all are to hold (Bonferroni)."""
    return 1 - (1 - CONFIDENCE) / max(1, intervals)


def quantile(confidence: float = CONFIDENCE) -> float:
    """Return the two-sided normal quantile of a confidence level."""
    return NormalDist().inv_cdf(0.5 + confidence / 2)


def wilson(successes: int, n: int, confidence: float = CONFIDENCE) -> Estimate:
    """Return a rate with Wilson's score interval (Wilson 1927), good near 0 and 1 too.

    With few successes (or failures) Wilson's lower bound is too high: it covers 84 % where 0.2 are
    expected.  There it is the one-sided Poisson bound (Brown, Cai and DasGupta, "Interval
    estimation for a binomial proportion", Statistical Science 16, 2001, 4.1.1).
    """
    rate = successes / n
    return Estimate(rate, *_wilson(rate, n, confidence), n)


def _wilson(rate: float, n: float, confidence: float) -> tuple[float, float]:
    """Return Wilson's interval; `n` need not be whole."""
    z2 = quantile(confidence) ** 2
    middle = (rate + z2 / (2 * n)) / (1 + z2 / n)
    half = sqrt(z2 * (rate * (1 - rate) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    low, high = middle - half, middle + half
    if rate * n < _FEW:
        low = min(low, _one_sided_low(rate * n, confidence) / n)
    if (1 - rate) * n < _FEW:
        high = max(high, 1 - _one_sided_low((1 - rate) * n, confidence) / n)
    return max(0.0, low), min(1.0, high)


def _one_sided_low(count: float, confidence: float) -> float:
    """Return the one-sided lower bound of a Poisson mean; `count` need not be whole.

    Byar's approximation (Breslow and Day, Statistical Methods in Cancer Research II, 1987, p. 69).
    """
    if not count:
        return 0.0
    z = NormalDist().inv_cdf(confidence)
    return count * float(max(0.0, 1 - 1 / (9 * count) - z / (3 * sqrt(count))) ** 3)


def _poisson(count: float, confidence: float) -> tuple[float, float]:
    """Return the score interval of a Poisson mean, with the lower bound as in `wilson`."""
    z = quantile(confidence)
    middle, half = count + z * z / 2, z * sqrt(count + z * z / 4)
    low = min(middle - half, _one_sided_low(count, confidence))
    return max(0.0, low), middle + half


def difference_of(
    total: float,
    squares: float,
    n: int,
    differing: int,
    confidence: float = CONFIDENCE,
    *,
    scale: int = 1,
    largest: float | None = None,
) -> Estimate:
    """Return the mean of paired differences, with an interval that also holds if few differ.

    Differences above and below 0 each get Wilson's score interval for a rare event; recovered
    variances combine them (Newcombe 1998, method 10; Zou and Donner 2008).  With many differing
    pairs it is the interval of the standard error.

    `total` and `squares` are sums of the differences and of their squares, in units of 1 / `scale`;
    of `n` pairs at most `differing` differ.  One unseen pair with the `largest` possible difference
    (if that is not known, three times the usual one) counts too, so that a few small differences
    do not pass for all.
    """
    spread = deviation(total, squares, n) / scale  # exact for integers, so before dividing
    total, squares = total / scale, squares / scale**2
    mean = total / n
    if not spread:
        if largest is None:
            return Estimate(mean, mean, mean, n)
        return unvaried(mean, n, -largest, largest, confidence)
    size = sqrt(squares / max(1, differing))
    far = FAR * size if largest is None else largest
    size = size if differing == n else (squares * size + far**3) / (squares + far**2)
    z, varied = quantile(confidence), n * spread**2
    above = varied * min(1.0, max(0.0, (1 + size * total / squares) / 2))
    skew = z * z * size * (1 - differing / n) / 2
    up, down = (hypot(z * sqrt(part), skew) for part in (above, varied - above))
    return Estimate(
        mean, mean - hypot(up - skew, down + skew) / n, mean + hypot(up + skew, down - skew) / n, n
    )


def differing_of(squares: float, most: int) -> int:
    """Return on how many pairs contenders differ, for `difference_of`, where it was not counted.

    `squares` are in units of the largest difference, so at least as many differ, and at `most`
    so many.  Where they are many, it does not matter which.
    """
    return most if squares >= _MANY else min(most, max(1, ceil(squares)))


def unvaried(
    value: float, n: int, low: float, high: float, confidence: float = CONFIDENCE
) -> Estimate:
    """Return a mean within [low, high] of which all `n` observations were alike.

    Wilson's interval says what share of others there may be, and these may lie anywhere.
    """
    others = wilson(0, n, confidence).high
    return Estimate(value, value - others * (value - low), value + others * (high - value), n)


def ratio_of(
    total: int,
    squares: int,
    products: int,
    parts: int,
    squared_parts: int,
    n: int,
    confidence: float = CONFIDENCE,
    *,
    size: float = 1,
    is_signed: bool = False,
) -> Estimate:
    """Return the mean of x a part (such as a session), from sums over `n` independent games.

    The sums are of x, x², x times the game's parts, its parts, and their squares.  Parts of a game
    need not be independent (linearised ratio; Cochran, Sampling Techniques, 6.5).

    A count has the score interval of a Poisson count that varies as much ("quasi-Poisson";
    McCullagh and Nelder, Generalized Linear Models, 1989, 6.2), which is good for rare events too;
    one occurrence counts `size`.  What may be below 0 (`is_signed`) has the interval of its
    standard error.  Both allow for about four more games (z²) that differ by `size`, so that a
    sample without variance is not certain ("plus four"; Agresti and Coull, American Statistician
    52, 1998).
    """
    spread = squares * parts**2 - 2 * total * products * parts + total**2 * squared_parts
    variance = max(0, spread) / parts**2 * n / max(1, n - 1)
    mean, z2 = total / parts, quantile(confidence) ** 2
    if is_signed:
        half = sqrt(z2 * (variance + z2 * size**2)) / parts
        return Estimate(mean, mean - half, mean + half, n)
    if not total:
        return Estimate(0.0, 0.0, size * _poisson(0, confidence)[1] / parts, n)
    variance += z2 * min(size**2, 2 * size * total / n)
    return as_count(mean, variance / parts**2, n, confidence)


def as_count(mean: float, variance: float, n: int, confidence: float = CONFIDENCE) -> Estimate:
    """Return a mean above 0, with the interval of a Poisson count that varies as much."""
    step = variance / mean  # what one of the Poisson's counts is worth
    low, high = _poisson(mean / step, confidence)
    return Estimate(mean, step * low, step * high, n)


def deviation(total: float, squares: float, n: int) -> float:
    """Return the sample standard deviation, exact for integer sums; 0 of a single observation."""
    if n < 2:  # noqa: PLR2004
        return 0.0
    return sqrt(max(0, n * squares - total * total) / (n * (n - 1)))


def rate_of(
    total: float, squares: float, n: int, confidence: float = CONFIDENCE, *, scale: int = 1
) -> Estimate:
    """Return a rate whose observations are shares from 0 to 1, from their sample variance.

    The interval is Wilson's for as many whole wins and losses as would vary as much, which is good
    near 0 and 1.  Where all are 0, or all 1, it is that for `n`.

    Where nearly all are the same share in between, as for near-copies at one table, the sample may
    have few of the deals on which they differ.  The more the variance falls short of a coin's, the
    more is added for about four more deals (z²) at the far end ("plus four"; Agresti and Coull
    1998), up to twice a coin's.
    """
    rate = total / (n * scale)
    if n == 1:
        return Estimate(rate, 0.0, 1.0, n)
    return rate_with(rate, (deviation(total, squares, n) / scale) ** 2 / n, n, confidence)


def rate_with(rate: float, variance: float, n: int, confidence: float = CONFIDENCE) -> Estimate:
    """Return a rate whose variance is known, as `rate_of` does."""
    if rate in (0, 1):
        return wilson(round(rate) * n, n, confidence)
    coin = rate * (1 - rate)
    far = min(max(rate, 1 - rate) ** 2, 2 * coin)
    more = quantile(confidence) ** 2 * far / n**2 * max(0.0, 1 - n * variance / coin)
    return Estimate(rate, *_wilson(rate, coin / (variance + more), confidence), n)


def alikeness(by_group: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return how far groups of deals (the first axis) came out alike: 1 if all did, 0 if half.

    Those of near-copies do: the few deals on which they differ are in a few groups.
    """
    is_usual = np.abs(by_group - np.median(by_group, axis=0)) < _ALIKE
    found: npt.NDArray[np.float64] = np.maximum(0.0, 2 * is_usual.mean(axis=0) - 1)
    return found


def difference_with(
    mean: float, variance: float, n: int, confidence: float = CONFIDENCE
) -> Estimate:
    """Return a difference from -1 to 1 whose variance is known, with the interval of a rate."""
    rate = rate_with((1 + mean) / 2, variance / 4, n, confidence)
    return Estimate(mean, 2 * rate.low - 1, 2 * rate.high - 1, n)


def shared_evenly(decided: Estimate, seats: int, *, may_be_undecided: bool = True) -> Estimate:
    """Return the win rate of one of `seats` copies that sit in every seat in turn.

    By symmetry, not because all deals of a sample came out alike, they share evenly what is
    `decided`, the rate of games that somebody wins.  It is known where somebody always does.
    """
    low = 1.0 if decided.value == 1 and not may_be_undecided else decided.low
    return Estimate(decided.value / seats, low / seats, decided.high / seats, decided.n)
