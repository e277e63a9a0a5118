"""The intervals of Sobol's indices, by the formulas they cite; test_luck.py has the indices."""

from math import hypot

import numpy as np
import numpy.typing as npt
import pytest

from herdlab.analysis.stats.estimates import Estimate, as_count, quantile, wilson
from herdlab.analysis.stats.variance_shares import (
    GROUPS,
    _count_of,
    _jackknife,
    _of_squares,
    _squared,
    _sum,
    _wider,
)

T = 2.0095752371292397
"""Student's t with 49 degrees of freedom, 97.5 %."""
Floats = npt.NDArray[np.float64]


def without_each(groups: Floats) -> Floats:
    """Return the mean of all groups, and then that without each."""
    total = groups.sum(0)
    return np.array([total / GROUPS, *((total - one) / (GROUPS - 1) for one in groups)])


def noisy(middle: float, spread: float) -> Floats:
    """Return groups with exactly this mean and standard deviation."""
    drawn = np.random.default_rng(1).normal(size=GROUPS)
    found: Floats = middle + spread * (drawn - drawn.mean()) / drawn.std(ddof=1)
    return found


def test_the_jackknife_of_a_mean_is_students_interval() -> None:
    one = _jackknife(without_each(noisy(0.3, 0.05)), 1000)
    half = T * 0.05 / GROUPS**0.5
    assert (one.value, one.low, one.high) == pytest.approx((0.3, 0.3 - half, 0.3 + half))
    assert one.n == 1000


def test_a_poisson_count_varies_as_much_as_its_mean() -> None:
    """A mean of 0.3 with a standard error of 0.05 / sqrt 50 is a count of 0.3² 50 / 0.05²."""
    assert _count_of(without_each(noisy(0.3, 0.05))) == pytest.approx(1800)
    assert _count_of(np.full(GROUPS + 1, 0.25)) == 0


@pytest.mark.parametrize("share", [0.1, 0.49])
def test_a_small_share_has_the_interval_of_a_count(share: float) -> None:
    found = without_each(noisy(share, 0.2))
    one, wanted = (
        _of_squares(found, 1000),
        as_count(share, 0.2**2 / GROUPS * (T / quantile()) ** 2, 1000),
    )
    assert (one.value, one.low, one.high) == pytest.approx((share, wanted.low, wanted.high))


@pytest.mark.parametrize(("spread", "is_count"), [(0.12, True), (0.16, False)])
def test_a_large_share_has_that_of_what_it_lacks_unless_it_is_noise(
    spread: float, is_count: bool
) -> None:
    """A tenth of 1,000 deals may lack something up to a variance of 4 * 0.1 / 1000."""
    variance = spread**2 / GROUPS * (T / quantile()) ** 2
    assert (variance < 4 * 0.1 / 1000) == is_count
    found = without_each(noisy(0.9, spread))
    one, rest, plain = (
        _of_squares(found, 1000),
        as_count(0.1, variance, 1000),
        _jackknife(found, 1000),
    )
    wanted = (1 - rest.high, 1 - rest.low) if is_count else (plain.low, plain.high)
    assert (one.value, one.low, one.high) == pytest.approx((0.9, *wanted))


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_a_share_of_all_or_nothing_has_wilsons(share: float) -> None:
    assert _of_squares(np.full(GROUPS + 1, share), 500) == wilson(round(500 * share), 500)


def test_parts_of_a_sum_add_up_their_squared_sides() -> None:
    one, other = Estimate(1.0, 0.7, 1.1, 9), Estimate(2.0, 1.6, 2.5, 9)
    found = _sum([one, other], 3.0)
    assert (found.low, found.high) == pytest.approx((3 - hypot(0.3, 0.4), 3 + hypot(0.1, 0.5)))
    assert (found.value, found.n) == (3.0, 9)
    both = _wider(Estimate(1.0, 0.7, 1.1, 9), Estimate(1.0, 0.8, 1.3, 9))
    assert (both.low, both.high) == (0.7, 1.3)


def squared_lengths(means: Floats) -> Floats:
    """Return the unbiased squared length of the mean vector, and that without each group."""
    found = []
    for kept in [np.arange(GROUPS), *(np.delete(np.arange(GROUPS), g) for g in range(GROUPS))]:
        these = means[kept]
        found.append((these.mean(0) ** 2).sum() - these.var(0, ddof=1).sum() / len(kept))
    return np.array(found)


@pytest.mark.parametrize("length", [0.0, 0.5, 5.0])
@pytest.mark.parametrize("dimensions", [2, 3, 6])
def test_ends_are_the_squared_lengths_within_t_standard_errors(
    length: float, dimensions: int
) -> None:
    """(value - q)² = t² (4 c q + 2 tr(C²)), with the unbiased tr(C²) of Bai and Saranadasa 1996.

    The noise c in the vector's direction is that of the vector, and by the jackknife where the
    vector is clear of noise.
    """
    rng = np.random.default_rng([dimensions, round(10 * length)])
    scales = np.linspace(0.5, 2.0, dimensions)
    means = length / dimensions**0.5 + rng.normal(size=(GROUPS, dimensions)) * scales
    found = squared_lengths(means)
    one = _squared(found, means, 777)

    covariance, mean = np.cov(means.T) / GROUPS, means.mean(0)
    noise, free = np.trace(covariance), GROUPS - 1
    squared = np.trace(covariance @ covariance) - noise**2 / free
    squared = max(squared * free**2 / ((free - 1) * (free + 2)), noise**2 / dimensions)
    along = mean @ covariance @ mean / (mean @ mean)
    if mean @ mean > 10 * noise:
        spread = (GROUPS - 1) / GROUPS * ((found[1:] - found[1:].mean()) ** 2).sum()
        along = spread / (4 * mean @ mean)
    assert (mean @ mean > 10 * noise) == (length == 5.0)
    assert one.value == found[0] and one.n == 777 and one.low <= one.value < one.high
    ends = [one.high] if one.low == one.value else [one.low, one.high]
    for q in ends:
        assert (one.value - q) ** 2 == pytest.approx(T**2 * (4 * along * q + 2 * squared))
    # An estimate so far below 0 that no squared length lies below it.
    assert (len(ends) == 1) == (4 * along * one.value + 2 * squared <= 0)


@pytest.mark.parametrize(("length", "is_clear"), [(9.5, False), (10.5, True)])
def test_a_vector_ten_times_as_long_as_its_noise_is_clear_of_it(
    length: float, is_clear: bool
) -> None:
    """One dimension whose noise is 4, while the jackknife saw none at all."""
    means = length**0.5 + (GROUPS - 1) ** 0.5 * np.array([1.0, -1.0] * (GROUPS // 2))
    one = _squared(np.full(GROUPS + 1, 4 * length), 2 * means, 10)
    along = 0 if is_clear else 4
    for q in (one.low, one.high):
        assert (4 * length - q) ** 2 == pytest.approx(T**2 * (4 * along * q + 2 * 4**2))


def test_a_vector_without_noise_is_known() -> None:
    means = np.tile([1.0, 2.0], (GROUPS, 1))
    one = _squared(np.full(GROUPS + 1, 5.0), means, 10)
    assert (one.value, one.low, one.high) == (5.0, 5.0, 5.0)
