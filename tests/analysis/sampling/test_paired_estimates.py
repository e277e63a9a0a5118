"""What paired samples come to, on sums made by hand: scales, weights, deals that do not differ."""

from collections.abc import Sequence
from math import hypot, lcm, sqrt
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from herdlab.analysis.sampling.metrics import Metric
from herdlab.analysis.sampling.paired_estimates import PairedEstimates
from herdlab.analysis.sampling.paired_samples import Contender, PairedSums
from herdlab.analysis.stats.confidence_sequences import AsymptoticSequence
from herdlab.analysis.stats.estimates import (
    Estimate,
    difference_of,
    rate_of,
    ratio_of,
    wilson,
)

WIN = Metric("win", "win rate", 6, None, (), 3)
CARDS = Metric("cards", "cards a game", 1, "cards", ("cards",), 3, size=4)
SCORE = Metric("score", "score", 1, "score", ("score",), 3, is_signed=True)


def made(
    metric: Metric,
    values: Sequence[Sequence[int]],
    *,
    scales: Sequence[int] | None = None,
    weights: Sequence[Sequence[int]] = ((1,),),
    differing: Sequence[int] | None = None,
    even_seats: int = 0,
    may_be_undecided: bool = True,
    places: Sequence[Sequence[int]] = (),
) -> PairedEstimates:
    """Return contenders with these values on each deal, in whole units of each scale."""
    x = np.array(values, dtype=object)
    each = [weights[min(number, len(weights) - 1)] for number in range(len(values))]
    contenders = [
        Contender(None, tuple((("a", "b"), seat) for seat in range(len(one))), tuple(one))  # type: ignore[arg-type]
        for one in each
    ]
    seats = np.array(places or [[0]], dtype=object)
    first = np.cumsum([0, *map(len, each)])
    samples: Any = SimpleNamespace(
        scales=scales or [metric.scale] * len(values),
        metrics=[metric] * len(values),
        contenders=contenders,
        games_a_deal=7,
        places=[slice(begin, end) for begin, end in zip(first, first[1:], strict=False)],
        even_seats=lambda number: even_seats,
        game=SimpleNamespace(may_be_undecided=lambda rules: may_be_undecided),
    )
    differs = differing or [int((row != x[0]).sum()) for row in x]
    sums = PairedSums(
        x.shape[1], x.sum(1), x @ x.T, seats.sum(1), (seats * seats).sum(1), np.array(differs)
    )
    return PairedEstimates(samples, sums)


def ends(one: Estimate) -> tuple[float, float, float, int]:
    return one.value, one.low, one.high, one.n


def test_a_mean_in_units_of_its_scale_with_the_heaviest_table() -> None:
    """Cards of two seats of one table, the second counting three times: four times four at once."""
    values = [3, 0, 7, 2, 9, 4]
    found = made(CARDS, [values], scales=[4], weights=[[1, 3]])
    total, squares = sum(values), sum(v * v for v in values)
    wanted = ratio_of(total, squares, total * 4, 24, 96, 6, size=16)
    assert ends(found.mean(0)) == pytest.approx(ends(wanted))
    assert ends(found.mean(0, 0.8)) == pytest.approx(
        ends(ratio_of(total, squares, total * 4, 24, 96, 6, 0.8, size=16))
    )
    assert (found.deals, found.games) == (6, 42)
    signed = made(SCORE, [values], scales=[4])
    wanted = ratio_of(total, squares, total * 4, 24, 96, 6, size=1, is_signed=True)
    assert ends(signed.mean(0)) == pytest.approx(ends(wanted))
    assert found.estimate(0, None) == found.mean(0)


def test_a_rate_is_that_of_its_shares() -> None:
    values = [0, 6, 3, 6, 0, 2]
    assert made(WIN, [values]).mean(0) == rate_of(17, 85, 6, scale=6)
    assert made(WIN, [values]).mean(0, 0.8) == rate_of(17, 85, 6, 0.8, scale=6)


def half(one: Estimate) -> Estimate:
    return Estimate(one.value / 2, one.low / 2, one.high / 2, one.n)


def test_copies_in_all_seats_share_what_is_decided() -> None:
    """Of two copies each has half of every game that is won."""
    values = [3, 3, 0, 3, 3]
    one = made(WIN, [values], even_seats=2).mean(0)
    assert ends(one) == pytest.approx(ends(half(rate_of(24, 144, 5, scale=6))))
    always = made(WIN, [[3] * 5], even_seats=2).mean(0)
    assert always == half(wilson(5, 5))
    sure = made(WIN, [[3] * 5], even_seats=2, may_be_undecided=False).mean(0)
    assert sure == Estimate(0.5, 0.5, 0.5, 5)
    hardly = made(WIN, [values], even_seats=2, may_be_undecided=False).mean(0)
    assert hardly == one


def test_a_difference_of_two_scales_is_in_units_of_both() -> None:
    """Shares in sixths and in quarters."""
    a, b = [6, 0, 3, 6, 0, 2, 0, 0], [4, 4, 0, 2, 0, 0, 1, 0]
    found = made(WIN, [a, b], scales=[6, 4])
    gap = [2 * x - 3 * y for x, y in zip(a, b, strict=True)]
    squares = sum(d * d for d in gap)
    differing = sum(x != y for x, y in zip(a, b, strict=True))
    wanted = difference_of(sum(gap), squares, 8, differing, scale=lcm(6, 4), largest=1.0)
    assert ends(found.difference(0, 1)) == pytest.approx(ends(wanted))
    assert found.estimate(0, 1, 0.9) == found.difference(0, 1, 0.9) != found.difference(0, 1)
    assert found.added_up(0, 1) == pytest.approx((sum(gap) / 12, squares / 144))
    assert found.added_up(1) == pytest.approx((11 / 4, 37 / 16))
    exact = np.array(a) / 6 - np.array(b) / 4
    assert found.deviation(0, 1) == pytest.approx(exact.std(ddof=1))
    assert found.deviation(1) == pytest.approx((np.array(b) / 4).std(ddof=1))


def test_on_how_many_deals_two_differ() -> None:
    """Counted from the first; of two others at least as many as one differs more than the other,

    at most both together, and in between as few as explain the squares.
    """
    rows = [[0] * 60, [1] * 20 + [0] * 40, [0] * 12 + [1] * 13 + [0] * 35]
    found = made(SCORE, rows)
    unit = hypot(found.deviation(1), found.deviation(2))
    assert found._differing(0, 1, 20.0, 1.0) == 20 == found._differing(1, 0, 20.0, 1.0)
    assert found._differing(0, 2, 13.0, 1.0) == 13
    assert found._differing(1, 2, 17.0, 1.0) == 17
    assert found._differing(1, 2, 17.0, 2.0) == 7  # five squares, but 20 less 13
    assert found._differing(1, 2, 17.0, unit) == 33  # many squares: then it does not matter
    assert found._differing(1, 2, 68.0, 2.0) == 17
    assert made(SCORE, rows, differing=[0, 50, 40])._differing(1, 2, 99.0, 1.0) == 60
    gap = np.array(rows[1]) - np.array(rows[2])
    squares = int(gap @ gap)
    wanted = difference_of(int(gap.sum()), squares, 60, found._differing(1, 2, squares, unit))
    assert ends(found.difference(1, 2)) == pytest.approx(ends(wanted))


def test_where_no_deal_differs_one_may_by_three_times_the_usual() -> None:
    """Rule of three: as many deals as Wilson has, by three times what two unrelated deals do."""
    values = [1, 4, 2, 8, 5, 7]
    found = made(CARDS, [values, values], scales=[2, 2])
    apart = sqrt(2) * np.std(values, ddof=1) / 2
    others = wilson(0, 6).high
    one = found.difference(0, 1)
    assert ends(one) == pytest.approx((0.0, -3 * apart * others, 3 * apart * others, 6))
    more = [v + 2 for v in values]
    moved = made(CARDS, [values, more], scales=[2, 2]).difference(1, 0)
    assert ends(moved) == pytest.approx((1.0, 1 - 3 * apart * others, 1 + 3 * apart * others, 6))
    assert ends(found.difference(0, 0)) == (0.0, 0.0, 0.0, 6)  # it is itself


def test_where_nothing_ever_varied_one_occurrence_is_the_measure() -> None:
    """The larger of the two: four cards at a table that counts five of eight, or all of one."""
    found = made(CARDS, [[2] * 6, [2] * 6], scales=[8, 2], weights=[[5], [1]])
    apart, others = 4 * 5 / 8, wilson(0, 6).high
    one = found.difference(0, 1)
    assert ends(one) == pytest.approx(
        (-0.75, -0.75 - 3 * apart * others, -0.75 + 3 * apart * others, 6)
    )
    assert found._apart(0, 1) == found._apart(1, 0) == apart
    assert made(WIN, [[2] * 6, [2] * 6])._apart(0, 1) == 1.0
    assert made(WIN, [[2] * 6, [2] * 6]).difference(0, 1).high == pytest.approx(others)


def test_the_variance_of_unpaired_games_counts_weights() -> None:
    """Two contenders with two places and one; the second's place is the third."""
    places = [[1, 0, 1, 0], [2, 2, 5, 1], [9, 0, 0, 3]]
    found = made(SCORE, [[0] * 4, [0] * 4], scales=[4, 2], weights=[[1, 3], [2]], places=places)
    first, second, third = (np.var(one, ddof=1) for one in places)
    assert found.unpaired_variance(0) == pytest.approx((first + 9 * second) / 16)
    assert found.unpaired_variance(1) == pytest.approx(4 * third / 4)


def test_sequences_take_in_what_was_added_up() -> None:
    found = made(CARDS, [[1, 4, 2], [0, 4, 3]], scales=[2, 2])
    mean, gap = AsymptoticSequence(0.05, 100), AsymptoticSequence(0.05, 100)
    found.add_to({(1, None): mean, (0, 1): gap})
    assert (mean.n, mean.total, mean.squares) == (3, 3.5, 25 / 4)
    assert (gap.n, gap.total, gap.squares) == (3, 0.0, 2 / 4)
