"""How numbers and intervals are written, in tables and in figures."""

from math import inf, nan

import pytest

from herdlab.analysis.words.numbers import (
    MEAN,
    POINTS,
    RATE,
    Look,
    bound,
    digits_of,
    first_of,
    percent,
    spanned,
    written,
)


def test_a_lopsided_interval_is_printed_from_where_to_where() -> None:
    """docs/statistics.md: if one side is over a quarter longer."""
    assert Look(digits=2).half(5.0, 4.0, 6.25) == "5.00 ± 1.25"
    assert Look(digits=2).half(5.0, 3.75, 6.0) == "5.00 ± 1.25"
    assert Look(digits=2).half(5.0, 4.0, 6.26) == "5.00 (4.00 to 6.26)"
    assert Look(digits=2).half(5.0, 3.74, 6.0) == "5.00 (3.74 to 6.00)"


def test_nothing_is_written_as_less_than_nothing() -> None:
    assert Look(1, 2).between(-0.001, 0.001) == "0.00 to 0.00"
    assert Look(1, 1, "+").between(-0.001, 0.2) == "+0.0 to +0.2"
    assert written(-0.04) == "0.0" and written(-0.04, sign="+") == "0.0"


def test_a_number_has_as_many_digits_as_its_interval_is_worth() -> None:
    assert MEAN.whole(36.8123, 36.5, 37.1) == "36.81 (36.50 to 37.10)"
    assert MEAN.number(36.8123) == "36.812"  # without an interval
    assert digits_of([0.3, 0.02, 0.025]) == 3 and digits_of([nan, 0.0]) == 3


@pytest.mark.parametrize(
    ("low", "high", "table", "figure"),
    [
        (0.33, 0.34, "33.00 to 34.00", "33.5 % (33.0 to 34.0)"),
        (None, 0.34, "below 34.00", "33.5 % (below 34.0)"),
        (0.33, None, "above 33.00", "33.5 % (above 33.0)"),
        (None, None, "unknown", "33.5 %"),
        (0.33, inf, "unknown", "33.5 %"),
    ],
)
def test_an_interval_is_written_with_the_ends_that_are_known(
    low: float | None, high: float | None, table: str, figure: str
) -> None:
    assert RATE.between(low, high) == table
    ends = [one if one is None else 100 * one for one in (low, high)]
    assert spanned((33.5, *ends), 1, "%").replace("\u00a0", " ") == figure


def test_signs_commas_and_units() -> None:
    assert POINTS.number(0.0488) == "+4.88" and percent(0.334) == "33.40 %"
    assert written(-3.52, 1, "%") == "\u22123.5\u00a0%" and written(12345.6, 0) == "12,346"
    assert written(nan) == "unknown"
    assert bound("± 0.6 %") == "±\u00a00.6\u00a0%"


def test_of_many_things_the_first_are_told() -> None:
    assert first_of(["a", "b", "c"], "rows", most=2) == "a; b; and 1 more rows"
    assert first_of(["a", "b"], "rows", most=2) == "a; b"
