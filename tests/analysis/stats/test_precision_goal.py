"""`--precision`: what its sequences are tuned to, and when it is reached."""

from math import ceil

import pytest

from herdlab.analysis.stats.confidence_sequences import BoundedSequence, v_for_half_width
from herdlab.analysis.stats.estimates import Estimate, rate_of
from herdlab.analysis.stats.precision_goal import (
    FIRST_LOOK,
    PrecisionGoal,
    WinSums,
    check_precision,
)
from herdlab.simcore.errors import BadInput


def looked_at(v: float, alpha: float, fair: float, *batches: tuple[int, float, float]) -> Estimate:
    """Return the interval of a sequence of shares from 0 to 1 after batches: n, sum, squares."""
    sequence = BoundedSequence(0, 1, alpha, v, fair)
    for batch in batches:
        sequence.add(*batch)
    return sequence.interval()


def are_alike(found: list[Estimate], expected: list[Estimate]) -> bool:
    """Return whether estimates are the same but for rounding."""
    for one, other in zip(found, expected, strict=True):
        numbers = (one.value, one.low, one.high, one.n)
        if numbers != pytest.approx((other.value, other.low, other.high, other.n), rel=1e-9):
            return False
    return True


def test_the_rates_share_five_per_cent_and_are_tuned_to_the_half_width() -> None:
    """Wins in sixths of two players in 1,000 deals, and then in 200 more."""
    goal = PrecisionGoal(0.02, 2, 0.4)
    v = v_for_half_width(0.02, 0.24, 0.025, 0, 1)
    goal.take_in(1000, [WinSums(2400, 14_400, 6), WinSums(3600, 21_600, 6)])
    expected = [
        looked_at(v, 0.025, 0.4, (1000, 400, 400)),
        looked_at(v, 0.025, 0.4, (1000, 600, 600)),
    ]
    assert are_alike(goal.rates, expected)
    goal.take_in(1200, [WinSums(3000, 16_200, 6), WinSums(4200, 23_400, 6)])
    expected = [
        looked_at(v, 0.025, 0.4, (1000, 400, 400), (200, 100, 50)),
        looked_at(v, 0.025, 0.4, (1000, 600, 600), (200, 100, 50)),
    ]
    assert are_alike(goal.rates, expected)


def test_what_is_not_new_is_not_taken_in() -> None:
    goal = PrecisionGoal(0.02, 1, 0.5)
    goal.take_in(0, [WinSums(0, 0, 1)])
    assert goal.rates == [Estimate(0.5, 0.0, 1.0, 0)]
    goal.take_in(1000, [WinSums(500, 500, 1)])
    before = goal.rates
    goal.take_in(1000, [WinSums(500, 500, 1)])
    assert goal.rates == before and goal.rates[0].n == 1000


def test_a_fine_precision_is_tuned_to_a_million_deals() -> None:
    """By half of 0.0001 that would be a hundred million, and say little for long."""
    goal = PrecisionGoal(0.0001, 1, 0.5)
    goal.take_in(1000, [WinSums(500, 500, 1)])
    assert are_alike(goal.rates, [looked_at(250_000.0, 0.05, 0.5, (1000, 500, 500))])


def test_one_who_plays_alone_is_tuned_to_one_in_a_hundred() -> None:
    """A variance of 0.01, as a rate of 99 in 100 nearly has, where that of 1 would be none."""
    goal = PrecisionGoal(0.02, 1, 1.0)
    goal.take_in(1000, [WinSums(1000, 1000, 1)])
    v = v_for_half_width(0.02, 0.01, 0.05, 0, 1)
    assert are_alike(goal.rates, [looked_at(v, 0.05, 1.0, (1000, 1000, 1000))])


def test_it_is_reached_when_the_widest_is_as_wide_as_asked() -> None:
    goal = PrecisionGoal(0.01, 2, 0.5)
    goal.take_in(10_000, [WinSums(5000, 5000, 1), WinSums(1000, 1000, 1)])
    widths = [one.half_width for one in goal.rates]
    assert goal.widest == max(widths) > min(widths)
    assert goal.needed == ceil(10_000 * (goal.widest / 0.01) ** 2)
    assert goal.is_reached == (goal.widest <= 0.01)
    goal.half = goal.widest
    assert goal.is_reached and goal.needed == 10_000
    goal.half = goal.widest * 0.999
    assert not goal.is_reached and goal.needed > 10_000


def test_a_precision_is_from_one_in_a_million_to_below_a_half() -> None:
    check_precision(1e-6)
    check_precision(0.4999)
    for half in (0.99e-6, 0.0, -0.1, 0.5, 0.6, float("nan")):
        with pytest.raises(BadInput, match="from 1e-06 to below 0.5"):
            check_precision(half)


def test_wins_are_a_rate_in_units_of_their_scale() -> None:
    assert WinSums(50, 90, 2).rate(100) == rate_of(50, 90, 100, scale=2)
    assert FIRST_LOOK == 1000  # docs/statistics.md: batches grow by a fifth from 1,000 on
