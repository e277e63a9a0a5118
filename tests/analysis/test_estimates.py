"""Intervals: known values, and coverage over seeded experiments with known truth."""

from math import sqrt

import numpy as np
import pytest

from analysis.estimates import deviation, quantile, rate_of, ratio_of, wilson
from tests.statistics import LARGEST_Z, mean_of


def test_wilson_has_the_published_values() -> None:
    """Newcombe (1998), table I: 81 of 263 and 0 of 20."""
    one = wilson(81, 263)
    assert (round(one.low, 4), round(one.high, 4)) == (0.2553, 0.3662)
    none = wilson(0, 20)
    assert none.low == 0 and round(none.high, 4) == 0.1611


def test_quantile_is_the_normal_one() -> None:
    assert quantile(0.95) == pytest.approx(1.959963984540054, abs=1e-12)


def test_deviation_is_exact_for_large_integers() -> None:
    values = [10**9 + 1, 10**9 + 2, 10**9 + 3]
    total, squares = sum(values), sum(value * value for value in values)
    assert deviation(total, squares, 3) == 1.0
    assert deviation(5, 25, 1) == 0.0


def test_a_mean_has_the_interval_of_its_standard_error() -> None:
    one = mean_of(10, 30, 10)
    half = quantile() * sqrt((30 - 10) / 9) / sqrt(10)
    assert (one.value, one.n) == (1.0, 10)
    assert one.high - one.low == pytest.approx(2 * half)


def test_a_rate_stays_between_0_and_1_and_is_never_certain() -> None:
    assert 0.95 < rate_of(9, 9, 10).high < 1.0  # as Wilson's for as much variance
    assert rate_of(3, 3, 10_000).low == pytest.approx(wilson(3, 10_000).low, rel=1e-3)
    assert rate_of(0, 0, 20) == wilson(0, 20)
    assert rate_of(20.0, 20.0, 20) == wilson(20, 20)
    same = rate_of(5.0, 1.25, 20)  # a quarter each time: the next may be another share after all
    assert same.low < 0.25 < same.high


def test_a_mean_a_part_with_one_part_a_game_is_a_mean() -> None:
    values = list(range(1000))
    total, squares = sum(values), sum(x * x for x in values)
    plain = mean_of(total, squares, 1000)
    for is_signed in (False, True):
        one = ratio_of(total, squares, total, 1000, 1000, 1000, is_signed=is_signed)
        assert (one.value, one.n) == (plain.value, plain.n)
        half = plain.high - plain.value
        assert one.low == pytest.approx(plain.low, abs=half / 20)
        assert one.high == pytest.approx(plain.high, abs=half / 20)


@pytest.mark.parametrize("together", [0.0, 1.0])
def test_a_mean_a_part_covers_as_often_as_it_says(together: float) -> None:
    """2,000 experiments of 200 games with 1 to 6 parts; parts of a game alike or independent.

    Coverage within 5 standard errors of 95 %, plus 1 % for the sample being finite.  Taking parts
    that are alike for independent ones would be caught.
    """
    rng = np.random.default_rng(2)
    covered = naive = 0
    for _ in range(2000):
        parts = rng.integers(1, 7, size=200)
        alike = rng.poisson(5, size=200)
        alone = np.array([rng.poisson(5, size=n).sum() for n in parts])
        x = (alike * parts if together else alone).astype(int)
        total, squares, products = int(x.sum()), int((x * x).sum()), int((x * parts).sum())
        n_parts = int(parts.sum())
        one = ratio_of(total, squares, products, n_parts, int((parts * parts).sum()), 200)
        covered += one.low <= 5 <= one.high
        half = quantile() * sqrt(5 / n_parts)
        naive += abs(one.value - 5) <= half
    allowed = LARGEST_Z * sqrt(0.95 * 0.05 / 2000) + 0.01
    assert abs(covered / 2000 - 0.95) < allowed
    assert (abs(naive / 2000 - 0.95) < allowed) == (not together)


@pytest.mark.parametrize("p", [0.1, 0.3, 0.5])
def test_wilson_covers_as_often_as_it_says(p: float) -> None:
    """2,000 experiments of 400 games: coverage within 5 standard errors of 95 %, plus 1 % for the
    steps of a binomial; an interval of 90 % is told apart."""
    rng = np.random.default_rng(1)
    wins = rng.binomial(400, p, size=2000)
    covered = np.mean([wilson(int(k), 400).low <= p <= wilson(int(k), 400).high for k in wins])
    allowed = LARGEST_Z * sqrt(0.95 * 0.05 / 2000)
    assert abs(covered - 0.95) < allowed + 0.01
    narrow = np.mean(
        [wilson(int(k), 400, 0.85).low <= p <= wilson(int(k), 400, 0.85).high for k in wins]
    )
    assert abs(narrow - 0.95) > allowed + 0.01
