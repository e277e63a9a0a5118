"""Statistical checks with a stated false-alarm rate: |z| < 5, once in 1.7 million by chance."""

from collections.abc import Sequence
from math import sqrt

import numpy as np
from scipy.special import chdtrc

from herdlab.analysis.stats.estimates import CONFIDENCE, Estimate, deviation, quantile

LARGEST_Z = 5.0
FALSE_ALARM = 5.7e-7
"""The chance of |z| >= 5, two-sided; the same rate is used for chi-square tests."""


def z_of_rate(successes: int, n: int, p: float) -> float:
    """Return how many standard errors a rate lies from the exact `p`."""
    return (successes - n * p) / sqrt(n * p * (1 - p))


def z_of_mean(mean: float, sd: float, n: int, exact: float) -> float:
    """Return how many standard errors a mean lies from the exact value."""
    return (mean - exact) / (sd / sqrt(n))


def chi_square_p(counts: Sequence[int] | np.ndarray, expected: Sequence[float] | float) -> float:
    """Return the chance of counts at least as uneven as these."""
    observed = np.asarray(counts, dtype=float)
    statistic = float(((observed - expected) ** 2 / expected).sum())
    return float(chdtrc(observed.size - 1, statistic))


def mean_of(
    total: float, squares: float, n: int, confidence: float = CONFIDENCE, *, scale: int = 1
) -> Estimate:
    """Return a mean with the interval of its standard error: the textbook's, which can collapse.

    The sums are of observations in units of 1 / `scale`.
    """
    mean = total / (n * scale)
    half = quantile(confidence) * deviation(total, squares, n) / (scale * sqrt(n))
    return Estimate(mean, mean - half, mean + half, n)
