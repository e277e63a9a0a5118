"""Intervals: known values, and coverage over seeded experiments with known truth."""

from math import hypot, sqrt

import numpy as np
import pytest

from herdlab.analysis.stats.estimates import (
    Estimate,
    _one_sided_low,
    alikeness,
    as_columns,
    as_count,
    corrected,
    deviation,
    difference_of,
    difference_with,
    differing_of,
    quantile,
    rate_of,
    rate_with,
    ratio_of,
    shared_evenly,
    unvaried,
    wilson,
)
from tests.statistics import LARGEST_Z, mean_of


def test_wilson_has_the_published_values() -> None:
    """Newcombe (1998), table I: 81 of 263 and 0 of 20."""
    one = wilson(81, 263)
    assert (round(one.low, 4), round(one.high, 4)) == (0.2553, 0.3662)
    none = wilson(0, 20)
    assert none.low == 0 and round(none.high, 4) == 0.1611


def test_quantile_is_the_normal_one() -> None:
    assert quantile(0.95) == pytest.approx(1.959963984540054, abs=1e-12)


def test_several_intervals_share_one_chance_of_error() -> None:
    assert [corrected(n) for n in (0, 1, 2, 5)] == pytest.approx([0.95, 0.95, 0.975, 0.99])


@pytest.mark.parametrize(
    ("successes", "expected"), [(1, 0.039515), (2, 0.345121), (3, 0.810348), (5, 1.965744)]
)
def test_a_few_successes_have_the_one_sided_bound(successes: int, expected: float) -> None:
    """Byar: k (1 - 1 / 9k - 1.6449 / 3 sqrt k)^3.  Exact are 0.051, 0.355, 0.818 and 1.970."""
    n = 10**6
    assert n * wilson(successes, n).low == pytest.approx(expected, rel=1e-4)
    assert n * (1 - wilson(n - successes, n).high) == pytest.approx(expected, rel=1e-4)


def test_a_dozen_successes_have_wilsons_own_bound() -> None:
    """Both ends solve (12 - m)^2 = z^2 m, to one part in n."""
    one, z2 = wilson(12, 10**9), quantile() ** 2
    for end in (one.low, one.high):
        assert (12 - end * 10**9) ** 2 == pytest.approx(z2 * end * 10**9, rel=1e-6)


def test_what_never_varied_may_be_another_in_so_many_cases() -> None:
    """After n failures Wilson's bound is z^2 / (n + z^2)."""
    others = quantile() ** 2 / (96 + quantile() ** 2)
    one = unvaried(0.25, 96, -1, 2)
    assert (one.value, one.n) == (0.25, 96)
    assert (one.low, one.high) == pytest.approx((0.25 - 1.25 * others, 0.25 + 1.75 * others))


def test_copies_share_what_is_decided() -> None:
    whole = wilson(90, 100)
    one = shared_evenly(whole, 3, may_be_undecided=False)
    expected = whole.value / 3, whole.low / 3, whole.high / 3, 100
    assert (one.value, one.low, one.high, one.n) == expected
    always = wilson(100, 100)
    assert shared_evenly(always, 3, may_be_undecided=True).low == always.low / 3 < 1 / 3
    known = shared_evenly(always, 3, may_be_undecided=False)
    assert known == Estimate(1 / 3, 1 / 3, 1 / 3, 100)


def test_deviation_is_exact_for_large_integers() -> None:
    values = [10**9 + 1, 10**9 + 2, 10**9 + 3]
    total, squares = sum(values), sum(value * value for value in values)
    assert deviation(total, squares, 3) == 1.0
    assert deviation(5, 25, 1) == 0.0
    assert deviation(4, 10, 2) == pytest.approx(sqrt(2))


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


def solves_wilson(rate: float, end: float, n: float) -> bool:
    """Return whether `end` is Wilson's: so far from the rate as z of its own standard errors."""
    return (rate - end) ** 2 == pytest.approx(quantile() ** 2 * end * (1 - end) / n, rel=1e-9)


@pytest.mark.parametrize(
    ("rate", "far"),
    [(0.5, 0.25), (0.25, 0.375), (0.75, 0.375), (0.4, 0.36), (0.6, 0.36), (0.04, 0.0768)],
)
@pytest.mark.parametrize("part", [0.0, 0.5, 1.0, 1.5])
def test_a_rate_that_varies_less_than_a_coin_allows_for_four_more(
    rate: float, far: float, part: float
) -> None:
    """z^2 more at the far end, whose square is at most twice a coin's variance.

    The less of a coin's variance is missing, the less it allows for; beyond it nothing.
    """
    n, coin = 1000, rate * (1 - rate)
    variance = part * coin / n
    more = max(0.0, 1 - part) * quantile() ** 2 * far / n**2
    one = rate_with(rate, variance, n)
    assert one.value == rate and one.n == n and one.low < rate < one.high
    for end in (one.low, one.high):
        assert solves_wilson(rate, end, coin / (variance + more))


def test_a_rate_of_one_observation_is_not_known() -> None:
    one = rate_of(1, 1, 1, scale=2)
    assert (one.value, one.low, one.high, one.n) == (0.5, 0.0, 1.0, 1)


def test_a_rate_in_shares_is_that_of_its_variance() -> None:
    """20 whole wins, 10 halves and 70 losses: squares of 22.5, of which 100 / 16 are the mean's."""
    one, expected = rate_of(50, 90, 100, scale=2), rate_with(0.25, (22.5 - 6.25) / 99 / 100, 100)
    assert (one.value, one.n) == (0.25, 100)
    assert (one.low, one.high) == pytest.approx((expected.low, expected.high))


GAMES = np.array([[30, 2], [50, 3], [10, 1], [40, 3], [25, 2]])
"""What was counted in five games, and their parts."""


def sums_of_games() -> tuple[int, int, int, int, int, int]:
    x, parts = GAMES.T
    found = x.sum(), x @ x, x @ parts, parts.sum(), parts @ parts
    total, squares, products, all_parts, squared_parts = (int(one) for one in found)
    return total, squares, products, all_parts, squared_parts, len(GAMES)


def variance_of_total() -> float:
    """Return that of five games about what their parts let expect (Cochran 6.5)."""
    x, parts = GAMES.T
    rest = x - parts * x.sum() / parts.sum()
    return float(rest @ rest) * 5 / 4


def test_a_count_a_part_has_the_score_interval_of_its_variance() -> None:
    """Both ends m solve (mean - m)^2 = z^2 variance m / mean, z^2 games of one occurrence more."""
    for size in (1.0, 5.0):
        one, z2 = ratio_of(*sums_of_games(), size=size), quantile() ** 2
        variance = (variance_of_total() + z2 * size**2) / 11**2
        assert (one.value, one.n) == (155 / 11, 5) and one.low < one.value < one.high
        for end in (one.low, one.high):
            assert (one.value - end) ** 2 == pytest.approx(z2 * variance * end / one.value)


def test_what_may_be_below_0_has_the_interval_of_its_standard_error() -> None:
    one, z2 = ratio_of(*sums_of_games(), size=3.0, is_signed=True), quantile() ** 2
    half = sqrt(z2 * (variance_of_total() + z2 * 3.0**2)) / 11
    assert (one.low, one.high) == pytest.approx((one.value - half, one.value + half))


def test_a_rare_count_allows_for_games_as_rare() -> None:
    """20 once in 10,000 games: four more games differ by 2 * 20 / 10,000, not by 1."""
    one, z2, n = ratio_of(20, 20, 20, 10_000, 10_000, 10_000), quantile() ** 2, 10_000
    variance = (20 - 20**2 / n) * n / (n - 1) + z2 * 2 * 20 / n
    for end in (one.low, one.high):
        assert (20 - n * end) ** 2 == pytest.approx(z2 * variance / 20 * n * end)


def test_what_was_never_seen_may_have_been_missed() -> None:
    """The score interval of a Poisson count of 0 ends at z^2; each counts 5, of 400 parts."""
    one = ratio_of(0, 0, 0, 400, 1600, 100, size=5)
    assert (one.value, one.low, one.n) == (0.0, 0.0, 100)
    assert one.high == pytest.approx(5 * quantile() ** 2 / 400)


def test_a_count_of_few_has_the_one_sided_bound_too() -> None:
    one = as_count(3.0, 3.0, 50)
    assert one.low == pytest.approx(0.810348, rel=1e-4) and one.n == 50
    assert (3 - one.high) ** 2 == pytest.approx(quantile() ** 2 * one.high)


def recovered(up: float, down: float) -> tuple[float, float]:
    """Return how far below and above their difference that of two Poisson means may lie.

    Zou and Donner 2008; the ends m of a count k solve (k - m)^2 = z^2 m.
    """
    z2 = quantile() ** 2
    (low, high), (other_low, other_high) = (
        sorted(np.roots([1, -2 * k - z2, k * k]).real) for k in (up, down)
    )
    return hypot(up - low, other_high - down), hypot(high - up, down - other_low)


@pytest.mark.parametrize(("up", "down"), [(3, 1), (1, 3), (4, 0), (0, 4), (2, 2)])
@pytest.mark.parametrize("largest", [None, 1.0])
def test_few_differences_have_recovered_variances(
    up: int, down: int, largest: float | None
) -> None:
    """Four quarters among ten million pairs, and one unseen: a whole, or else three quarters.

    A step is the sum of cubes over the sum of squares, (4 / 64 + 1) / (4 / 16 + 1) with a whole.
    The squares are shared between above and below so that steps up minus steps down are the total.
    """
    n, total, squares = 10**7, (up - down) / 4, 4 / 16
    one = difference_of(up - down, 4, n, 4, scale=4, largest=largest)
    unseen = largest or 0.75
    step = (4 / 64 + unseen**3) / (4 / 16 + unseen**2)
    part = min(1.0, max(0.0, (1 + step * total / squares) / 2))
    below, above = recovered(squares * part / step**2, squares * (1 - part) / step**2)
    assert one.value == total / n and one.n == n
    assert n * (one.value - one.low) == pytest.approx(step * below, rel=1e-5)
    assert n * (one.high - one.value) == pytest.approx(step * above, rel=1e-5)


def test_the_more_pairs_differ_the_less_skewed_is_their_interval() -> None:
    """3 up and 1 down of 10 pairs: variance 0.4 a pair, skewness by 6 in 10 that do not differ."""
    one, z = difference_of(2, 4, 10, 4, largest=1), quantile()
    varied = (4 - 2**2 / 10) / 9 * 10
    above, skew = varied * 0.75, z * z * 0.6 / 2
    up, down = hypot(z * sqrt(above), skew), hypot(z * sqrt(varied - above), skew)
    assert 10 * (0.2 - one.low) == pytest.approx(hypot(up - skew, down + skew))
    assert 10 * (one.high - 0.2) == pytest.approx(hypot(up + skew, down - skew))


def test_differences_that_are_all_alike_are_not_certain_where_others_are_possible() -> None:
    assert difference_of(20, 40, 10, 10, scale=4) == Estimate(0.5, 0.5, 0.5, 10)
    assert difference_of(20, 40, 10, 10, scale=4, largest=1) == unvaried(0.5, 10, -1, 1)


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
        alike, alone = rng.poisson(5, size=200), rng.poisson(5 * parts)  # a sum of Poissons is one
        x = alike * parts if together else alone
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


@pytest.mark.parametrize("n", [64, 128])
def test_fewer_than_twelve_have_the_one_sided_bound(n: int) -> None:
    """Of eleven it is Byar's, of twelve Wilson's own."""
    z = 1.6448536269514722
    byar = 11 * (1 - 1 / 99 - z / (3 * sqrt(11))) ** 3 / n
    assert wilson(11, n).low == pytest.approx(byar)
    assert wilson(n - 11, n).high == pytest.approx(1 - byar)
    for one in (wilson(12, n), wilson(n - 12, n)):
        assert solves_wilson(one.value, one.low, n) and solves_wilson(one.value, one.high, n)


def test_an_interval_ends_at_0_and_1_exactly() -> None:
    for n in range(1, 1000):  # whatever rounding does
        assert wilson(0, n).low == 0.0 and wilson(n, n).high == 1.0
        assert wilson(1, n).low >= 0.0 and wilson(n - 1, n).high <= 1.0
    assert _one_sided_low(0.0, 0.95) == 0.0
    assert _one_sided_low(0.1, 0.95) == 0.0  # Byar's would be below
    assert as_count(0.1, 0.1, 9).low == 0.0


def test_a_single_observation_says_nothing_and_two_something() -> None:
    assert rate_of(0, 0, 1) == Estimate(0.0, 0.0, 1.0, 1)
    assert rate_of(0, 0, 2) == wilson(0, 2)
    one = ratio_of(3, 9, 3, 1, 1, 1, is_signed=True)
    assert (one.low, one.high) == pytest.approx((3 - quantile() ** 2, 3 + quantile() ** 2))


def test_games_that_are_all_alike_have_no_variance_but_four_more() -> None:
    one, z2 = ratio_of(4, 8, 4, 2, 2, 2, size=0.5, is_signed=True), quantile() ** 2
    assert (one.high - one.value) * 2 == pytest.approx(z2 * 0.5)


def test_estimates_are_moved_and_turned() -> None:
    one = Estimate(1.0, 0.5, 2.5, 9)
    assert one.moved(2.0) == Estimate(3.0, 2.5, 4.5, 9)
    assert one.negative() == Estimate(-1.0, -2.5, -0.5, 9)
    assert one.half_width == 1.5 and one.negative().half_width == 1.5
    assert as_columns(one, "mean") == {"mean": 1.0, "ci_low": 0.5, "ci_high": 2.5}
    assert as_columns(None, "at", "") == {"at": None, "low": None, "high": None}


@pytest.mark.parametrize("mean", [-0.6, 0.0, 0.25])
def test_a_difference_is_a_rate_from_minus_1_to_1(mean: float) -> None:
    """Halfway up it is a rate with a quarter of the variance."""
    variance, n = 0.002, 400
    one = difference_with(mean, variance, n)
    rate = (1 + mean) / 2
    far = min(max(rate, 1 - rate) ** 2, 2 * rate * (1 - rate))
    coin = rate * (1 - rate)
    more = quantile() ** 2 * far / n**2 * max(0.0, 1 - n * variance / 4 / coin)
    assert (one.value, one.n) == (mean, n) and -1 < one.low < mean < one.high < 1
    for end in (one.low, one.high):
        assert solves_wilson(rate, (1 + end) / 2, coin / (variance / 4 + more))


def test_groups_are_alike_where_they_differ_by_rounding_only() -> None:
    """A billionth; and only what more than half of the groups share counts."""
    by_group = np.zeros((10, 5))
    by_group[:, 0] = 0.3
    by_group[:4, 1] = 1e-9  # six are alike
    by_group[:4, 2] = 0.9e-9  # all are
    by_group[:5, 3] = 2e-9, 3e-9, 4e-9, 5e-9, 6e-9  # none is, or half
    by_group[:2, 4] = -1.0, 1.0
    assert alikeness(by_group)[[0, 1, 2, 4]] == pytest.approx([1.0, 0.2, 1.0, 0.6])
    assert alikeness(np.arange(4.0)[:, None]) == [0.0]


@pytest.mark.parametrize(
    ("squares", "most", "differing"),
    [(0.0, 50, 1), (0.2, 50, 1), (2.0, 50, 2), (2.1, 50, 3), (29.0, 50, 29), (29.5, 50, 30)]
    + [(30.0, 50, 50), (30.5, 50, 50), (12.0, 10, 10), (45.0, 40, 40)],
)
def test_fewer_than_thirty_squares_are_of_as_few_deals_as_explain_them(
    squares: float, most: int, differing: int
) -> None:
    assert differing_of(squares, most) == differing


@pytest.mark.parametrize("largest", [None, 1.0])
def test_one_difference_alone(largest: float | None) -> None:
    """A quarter in ten million pairs; one unseen is three times as far, or the largest."""
    n, unseen = 10**7, largest or 0.75
    step = (1 / 64 + unseen**3) / (1 / 16 + unseen**2)
    part = min(1.0, (1 + step * 4) / 2)
    below, above = recovered(part / 16 / step**2, (1 - part) / 16 / step**2)
    one = difference_of(1, 1, n, 1, scale=4, largest=largest)
    assert n * (one.value - one.low) == pytest.approx(step * below, rel=1e-5)
    assert n * (one.high - one.value) == pytest.approx(step * above, rel=1e-5)


def test_where_all_pairs_differ_it_is_the_standard_error() -> None:
    """Newcombe's skew is for pairs that do not differ, and here all do."""
    values = np.array([3, -1, 2, 4, -2, 1, 5, -3])
    total, squares = int(values.sum()), int(values @ values)
    half = quantile() * values.std(ddof=1) / sqrt(8)
    for largest in (None, 5.0):
        one = difference_of(total, squares, 8, 8, largest=largest)
        assert (one.low, one.high) == pytest.approx((total / 8 - half, total / 8 + half))
