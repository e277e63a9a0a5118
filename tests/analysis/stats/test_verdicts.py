"""What `compare` says: the words of each verdict, and how many more deals would settle it."""

from math import ceil, inf
from types import SimpleNamespace
from typing import Any

import pytest

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.runs.run_options import names_if
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.verdicts import (
    MARGIN_OF_WIN,
    Kind,
    is_clear,
    kind_of,
    kind_of_wins,
    more_to_settle,
)
from herdlab.analysis.studies.compare import CompareRequest, Comparison, compare
from herdlab.simcore.game import find_game

HERD = find_game("herd")


def compared(a: str, b: str, field: str | None = None, **options: Any) -> Comparison:
    experiment = Experiment(HERD, HERD.rules_type(), options.pop("seed", 0))
    return compare(CompareRequest(experiment, a, b, names_if(field), **{"deals": 1000, **options}))


def points(value: float) -> str:
    return f"{100 * value:.2f}"


def test_a_is_better() -> None:
    found = compared("keeper", "climber")
    one = found.difference
    assert found.kind == Kind.HIGHER and found.is_settled and found.more is None
    assert found.verdict == (
        f"keeper wins more often than climber: by {points(one.value)} percentage points "
        f"({points(one.low)} to {points(one.high)})"
    )


def test_b_is_better_by_a_positive_amount() -> None:
    found = compared("climber", "keeper", "climber")
    one = found.difference
    assert found.kind == Kind.LOWER and found.is_settled and one.high < 0
    assert found.verdict == (
        f"keeper wins more often than climber: by {points(-one.value)} percentage points "
        f"({points(-one.high)} to {points(-one.low)})"
    )
    turned = compared("keeper", "climber", "climber").difference
    assert (-one.value, -one.high, -one.low) == pytest.approx(
        (turned.value, turned.low, turned.high)
    )


@pytest.mark.parametrize(
    ("a", "b", "kind"), [("climber", "keeper", Kind.HIGHER), ("keeper", "climber", Kind.LOWER)]
)
def test_other_metrics_are_higher_not_better(a: str, b: str, kind: Kind) -> None:
    """Climbers trade their last animal away, so their games are the longer ones."""
    found = compared(a, b, "random", metric="length")
    one = found.difference
    assert found.kind == kind and found.is_settled
    assert 20 < (one.value if kind == Kind.HIGHER else -one.value) < 32
    assert found.verdict.startswith("length in turns is higher with climber than with keeper: by ")
    assert f"{abs(one.value):.4g}" in found.verdict and "percentage" not in found.verdict


def test_alike_only_where_the_interval_lies_within_the_margin() -> None:
    found = compared("closer", "keeper", deals=2000, margin=0.02, seed=3)
    one = found.difference
    assert -0.02 < one.low < 0 < one.high < 0.02
    assert found.kind == Kind.TIE and found.is_settled and found.more is None
    assert found.verdict == (
        f"a tie: closer and keeper differ by {points(one.value)} percentage points "
        f"({points(one.low)} to {points(one.high)}), within ± 2.00 percentage points"
    )
    closer = compared("closer", "keeper", deals=2000, margin=0.9 * max(-one.low, one.high), seed=3)
    assert closer.difference == one and closer.kind == Kind.OPEN
    without = compared("closer", "keeper", deals=2000, seed=3)
    assert without.request.tolerance == MARGIN_OF_WIN == 0.005 and without.kind == Kind.OPEN


def test_a_margin_of_length_is_in_turns_and_none_by_default() -> None:
    options: dict[str, Any] = {"metric": "length", "deals": 100}
    found = compared("keeper", "spoiler", "random", **options)
    assert found.request.tolerance is None and found.as_json()["margin"] is None
    assert found.kind == Kind.OPEN and found.more is not None
    within = compared("keeper", "spoiler", "random", margin=50.0, **options)
    assert within.kind == Kind.TIE and within.verdict.endswith("within ± 50")


def test_a_difference_within_the_margin_is_a_tie_whatever_its_sign() -> None:
    found = compared("cautious", "keeper", deals=20_000, margin=0.05)
    assert -0.05 < found.difference.low < found.difference.high < 0
    assert found.kind == Kind.TIE and found.is_settled
    strict = compared("cautious", "keeper", deals=20_000)
    assert strict.difference == found.difference and strict.kind == Kind.LOWER


def test_what_is_not_settled_says_so_and_how_many_more_would_settle_it() -> None:
    found = compared("closer", "keeper", "keeper,random", seed=1)
    one = found.difference
    assert found.kind == Kind.OPEN and not found.is_settled and found.more is not None
    assert found.verdict == (
        f"too close to call: closer and keeper differ by {points(one.low)} to {points(one.high)} "
        f"percentage points; about {found.more:,} more deals would tell"
    )
    assert not found.as_json()["settled"] and found.as_json()["more_lucks"] == found.more
    enough = compared("closer", "keeper", "keeper,random", deals=1000 + found.more, seed=1)
    assert enough.is_settled


LIKELY = 0.6
"""Half-widths are 1.96 standard errors: 0.6 of a difference is 3.27, of which 1.28 for luck."""


@pytest.mark.parametrize("seed", range(4))
def test_after_so_many_more_the_interval_is_as_narrow_as_was_foretold(seed: int) -> None:
    """So narrow that the same difference would be settled: its sign, or that it does not matter."""
    found = compared("closer", "keeper", "keeper,random", seed=seed)
    assert found.more is not None
    size = abs(found.difference.value)
    wanted = LIKELY * max(size, MARGIN_OF_WIN - size)
    later = compared("closer", "keeper", "keeper,random", seed=seed, deals=1000 + found.more)
    assert (later.difference.high - later.difference.low) / 2 == pytest.approx(wanted, rel=0.1)
    assert (found.difference.high - found.difference.low) / 2 > 1.1 * wanted


@pytest.mark.parametrize(
    ("value", "half", "margin", "kind"),
    [
        (0.010, 0.009, 0.005, Kind.HIGHER),
        (-0.010, 0.009, 0.005, Kind.LOWER),
        (0.001, 0.003, 0.005, Kind.TIE),
        (0.003, 0.0015, 0.005, Kind.TIE),
        (-0.003, 0.0015, 0.005, Kind.TIE),
        (0.003, 0.0015, 0.0, Kind.HIGHER),
        (0.003, 0.0025, 0.005, Kind.HIGHER),
        (0.001, 0.006, 0.005, Kind.OPEN),
        (0.010, 0.020, 0.005, Kind.OPEN),
        (0.004, 0.0045, 0.005, Kind.OPEN),
        (-0.004, 0.0045, 0.005, Kind.OPEN),
    ],
)
def test_verdicts_by_interval(value: float, half: float, margin: float, kind: Kind) -> None:
    one = Estimate(value, value - half, value + half, 1000)
    assert kind_of(one, margin) == kind
    if kind == Kind.OPEN:  # the half-width falls with the square root
        wanted = LIKELY * max(abs(value), margin - abs(value))
        assert more_to_settle(one, margin) == max(1, ceil(1000 * ((half / wanted) ** 2 - 1)))


@pytest.mark.parametrize(
    ("low", "high", "more"),
    [
        (-0.0001, 0.0107, 1),  # narrow enough already, yet lopsided: it still holds 0
        (-0.0001, 0.0119, 1),  # just as narrow as is wanted
        (-0.0100, 0.0141, 3034),  # 2.00833 times as wide as is wanted: 4.0334 times the deals
    ],
)
def test_an_open_verdict_always_asks_for_more_deals(low: float, high: float, more: int) -> None:
    """Intervals of rates near 0 or 1 are lopsided, so a narrow one may still hold 0."""
    one = Estimate(0.01, low, high, 1000)
    assert kind_of(one) == Kind.OPEN and more_to_settle(one) == more


# ---- few deals settle little ----


def test_a_difference_that_came_out_alike_on_each_of_few_deals_is_still_uncertain() -> None:
    """A hermit never wins, on any of a hundred deals: no interval of width 0."""
    found = compared("keeper", "hermit", deals=100, seed=5)
    assert found.difference.value == 1.0 and found.variance_ratio is None
    assert 0.9 < found.difference.low < 1.0 == found.difference.high and found.is_settled


def test_few_deals_that_came_out_alike_do_not_settle_that_nothing_matters() -> None:
    """The interval is far from lying within the margin."""
    found = compared("spoiler", "keeper", deals=100, seed=3)
    assert found.differing == 0 and found.difference.high > 0.03 > MARGIN_OF_WIN
    assert not found.is_settled


@pytest.mark.parametrize(
    ("low", "high", "kind"),
    [
        (0.001, 0.004, Kind.TIE),
        (-0.004, 0.004, Kind.TIE),
        (0.003, 0.005, Kind.HIGHER),  # it touches the margin, so it is not inside
        (-0.005, -0.003, Kind.LOWER),
        (-0.005, 0.001, Kind.OPEN),
        (-0.001, 0.005, Kind.OPEN),
        (0.0, 0.01, Kind.OPEN),  # it touches 0, so it does not exclude it
        (-0.01, 0.0, Kind.OPEN),
        (0.0001, 0.01, Kind.HIGHER),
        (-0.01, -0.0001, Kind.LOWER),
        (None, 0.001, Kind.OPEN),
        (0.001, None, Kind.OPEN),
    ],
)
def test_an_interval_that_touches_a_border_is_not_inside(
    low: float | None, high: float | None, kind: Kind
) -> None:
    one = SimpleNamespace(low=low, high=high)
    assert kind_of(one, 0.005) == kind == kind_of_wins(one)
    if low is not None and high is not None:
        moved = SimpleNamespace(low=low + 1, high=high + 1)
        assert kind_of(moved, 0.0049999, zero=1.0) == (Kind.TIE if kind == Kind.TIE else kind)


def test_a_test_of_many_pairs_decides_what_is_real() -> None:
    """Also where the pair's own interval, made for all pairs, has 0 in it."""
    around = SimpleNamespace(low=-0.01, high=0.03)
    assert kind_of(around, is_real=True) == Kind.HIGHER
    assert kind_of(around, is_real=False) == Kind.OPEN
    assert kind_of(SimpleNamespace(low=-0.03, high=0.01), is_real=True) == Kind.LOWER
    assert kind_of(SimpleNamespace(low=-0.03, high=0.03), is_real=True) == Kind.LOWER
    assert kind_of(SimpleNamespace(low=0.01, high=0.03), is_real=False) == Kind.OPEN
    assert kind_of(SimpleNamespace(low=-0.01, high=0.01), 0.02, is_real=True) == Kind.TIE


def test_so_many_more_deals_make_the_half_width_three_fifths_of_what_is_to_be_seen() -> None:
    """Of the difference, or of what is left up to the margin, whichever is more."""
    assert more_to_settle(Estimate(0.01, -0.02, 0.04, 1000)) == ceil(
        1000 * ((0.03 / 0.006) ** 2 - 1)
    )
    assert more_to_settle(Estimate(-0.01, -0.04, 0.02, 1000)) == 24_000
    assert more_to_settle(Estimate(0.001, -0.009, 0.011, 1000), 0.006) == ceil(
        1000 * ((0.01 / (0.6 * 0.005)) ** 2 - 1)
    )
    assert more_to_settle(Estimate(0.01, 0.009, 0.011, 1000)) == 1
    assert more_to_settle(Estimate(0.0, -0.01, 0.01, 1000)) is None
    assert more_to_settle(Estimate(0.1, -inf, inf, 1000)) is None
    assert [is_clear(kind) for kind in Kind] == [True, True, False, False, False]
