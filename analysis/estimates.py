"""Estimates with their uncertainty; no number leaves here without an interval and its n."""

from dataclasses import dataclass
from math import hypot, sqrt
from statistics import NormalDist

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its confidence interval, from `n` independent observations."""

    value: float
    low: float
    high: float
    n: int


def corrected(intervals: int) -> float:
    """Return the confidence of each of several intervals that all are to hold (Bonferroni)."""
    return 1 - (1 - CONFIDENCE) / max(1, intervals)


def quantile(confidence: float = CONFIDENCE) -> float:
    """Return the two-sided normal quantile of a confidence level."""
    return NormalDist().inv_cdf(0.5 + confidence / 2)


def wilson(successes: int, n: int, confidence: float = CONFIDENCE) -> Estimate:
    """Return a rate with Wilson's score interval (Wilson 1927), good near 0 and 1 too."""
    rate = successes / n
    return Estimate(rate, *_wilson(rate, n, confidence), n)


def _wilson(rate: float, n: float, confidence: float) -> tuple[float, float]:
    """Return Wilson's interval; `n` need not be whole."""
    z2 = quantile(confidence) ** 2
    middle = (rate + z2 / (2 * n)) / (1 + z2 / n)
    half = sqrt(z2 * (rate * (1 - rate) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    low = 0.0 if rate == 0 else max(0.0, middle - half)  # exactly, whatever the rounding
    high = 1.0 if rate == 1 else min(1.0, middle + half)
    return low, high


def mean_of(
    total: float, squares: float, n: int, confidence: float = CONFIDENCE, *, scale: int = 1
) -> Estimate:
    """Return a mean with the interval of its standard error (sample variance, large n).

    The sums are of observations in units of 1 / `scale`; of integers they are exact.
    """
    mean = total / (n * scale)
    half = quantile(confidence) * deviation(total, squares, n) / (scale * sqrt(n))
    return Estimate(mean, mean - half, mean + half, n)


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
    """Return the mean of paired differences with an interval that holds also if few differ.

    Differences above and below 0 each get Wilson's score interval for a rare event; the two are
    put together by recovered variances (Newcombe 1998, method 10; Zou and Donner 2008).  With many
    differing pairs it is the interval of the standard error.

    Parameters
    ----------
    total, squares
        Sums of the differences and of their squares, in units of 1 / `scale`.
    n, differing
        All pairs, and at most how many of them are not 0.
    largest
        The largest difference there can be, if known.  It counts as one pair that was not seen,
        so that a few small differences do not pass for all there are.
    """
    spread = deviation(total, squares, n) / scale  # exact for integers, so before dividing
    total, squares = total / scale, squares / scale**2
    mean = total / n
    if not spread:
        if largest is None:
            return Estimate(mean, mean, mean, n)
        return unvaried(mean, n, -largest, largest, confidence)
    size = sqrt(squares / max(1, differing))
    if largest is not None:
        size = (squares * size + largest**3) / (squares + largest**2)
    z, varied = quantile(confidence), n * spread**2
    above = varied * min(1.0, max(0.0, (1 + size * total / squares) / 2))
    skew = z * z * size * (1 - differing / n) / 2
    up, down = (hypot(z * sqrt(part), skew) for part in (above, varied - above))
    return Estimate(
        mean, mean - hypot(up - skew, down + skew) / n, mean + hypot(up + skew, down - skew) / n, n
    )


def unvaried(
    value: float, n: int, low: float, high: float, confidence: float = CONFIDENCE
) -> Estimate:
    """Return a mean within [low, high] of which all `n` observations were alike.

    They have no variance; Wilson's interval says what share of others there may be after all, and
    those may lie anywhere.
    """
    others = wilson(0, n, confidence).high
    return Estimate(value, value - others * (value - low), value + others * (high - value), n)


def ratio_of(
    total: int, squares: int, products: int, parts: int, squared_parts: int, n: int
) -> Estimate:
    """Return a mean a part, such as a session, with its interval from `n` independent games.

    The sums over games are of x, x², x times the game's parts, its parts, and their squares.  Parts
    of one game need not be independent (linearised ratio; Cochran, Sampling Techniques, 6.5).
    Of integers the spread is exact however large the sums are.
    """
    spread = squares * parts**2 - 2 * total * products * parts + total**2 * squared_parts
    mean = total / parts
    half = quantile() * sqrt(max(0, spread) / parts**2 * n / max(1, n - 1)) / parts
    return Estimate(mean, mean - half, mean + half, n)


def deviation(total: float, squares: float, n: int) -> float:
    """Return the sample standard deviation; 0 of a single observation.

    For integers the numerator is exact however large the sums are.
    """
    if n < 2:  # noqa: PLR2004
        return 0.0
    return sqrt(max(0, n * squares - total * total) / (n * (n - 1)))


def rate_of(
    total: float, squares: float, n: int, confidence: float = CONFIDENCE, *, scale: int = 1
) -> Estimate:
    """Return a rate whose observations are shares from 0 to 1, from their sample variance.

    The interval is Wilson's for as many whole wins and losses as would vary as much: good near 0
    and 1, where a mean and its standard error say too little.  Where all are 0, or all 1, it is
    that for `n`; where all are another share, as of copies at one table, there is no variance.
    """
    rate = total / (n * scale)
    if n == 1:
        return Estimate(rate, 0.0, 1.0, n)
    variance = (deviation(total, squares, n) / scale) ** 2
    if rate in (0, 1):
        return wilson(round(rate) * n, n, confidence)
    if not variance:
        return Estimate(rate, rate, rate, n)
    return Estimate(rate, *_wilson(rate, n * rate * (1 - rate) / variance, confidence), n)
