"""Forest plots: what they show and say, at every width."""

from typing import Any

import pytest
from matplotlib.collections import LineCollection

from herdlab.analysis.figures.forest import forest, forest_drawing, tallied, values_of
from herdlab.analysis.figures.parts.style import BLUE, GREY, NARROW, PAPER, VERMILLION, WIDE
from herdlab.analysis.findings import POINTS, TURNS, Finding, exactly
from tests.analysis.figures import check_texts

WIDTHS = (WIDE, PAPER, NARROW)
WORDS: dict[str, Any] = {
    "x_label": "win rate less keeper's, percentage points",
    "above": "more",
    "below": "less",
}


def finding(value: float, half: float = 1.0, label: str = "a row", section: str = "") -> Finding:
    return Finding(section, label, value, value - half, value + half, POINTS)


SIDES = [finding(3.0, label="above"), finding(-3.0, label="below"), finding(0.5, label="open")]


def test_colours_and_marks_say_on_which_side_an_interval_lies() -> None:
    axes = forest(SIDES, WIDE, **WORDS).axes[0]
    marks = [line for line in axes.lines if line.get_marker() not in ("", "None")]
    assert [line.get_color() for line in marks] == [BLUE, VERMILLION, GREY]
    looks = {(line.get_marker(), line.get_markerfacecolor()) for line in marks}
    assert len({marker for marker, _ in looks}) == 2 and len(looks) == 3  # without colour, too
    bars = [one for one in axes.collections if isinstance(one, LineCollection)]
    assert [bar.get_segments()[0][:, 0].tolist() for bar in bars] == [[2, 4], [-4, -2], [-0.5, 1.5]]


def test_a_value_stands_at_the_end_of_each_row() -> None:
    for wide in WIDTHS:
        texts = check_texts(forest(SIDES, wide, **WORDS))
        assert {"+3.0", "\N{MINUS SIGN}3.0", "+0.5", "above", "below", "open"} <= set(texts)


def test_names_stand_above_their_rows_where_there_is_little_room() -> None:
    assert [t.get_text() for t in forest(SIDES, WIDE, **WORDS).axes[0].get_yticklabels()] == [
        "above",
        "below",
        "open",
    ]
    assert not forest(SIDES, NARROW, **WORDS).axes[0].get_yticklabels()


@pytest.mark.parametrize("wide", WIDTHS)
def test_long_words_many_rows_and_missing_ends_fit(wide: float) -> None:
    long = "herder:keep_rabbits=1:keep_sheep=2:keep_pigs=2:keep_cows=0:dog=never, <b>$x$</b>"
    rows = [finding(n / 7, 0.3, f"{long} {n}", f"{long} of section {n // 13}") for n in range(40)]
    rows.append(Finding("", "without an interval", 2.0, None, None, POINTS))
    rows.append(Finding("", "without a value", None, None, None, POINTS))
    words = {**WORDS, "x_label": long, "above": long, "below": long}
    figure = forest(rows, wide, **words, margin=0.5)
    texts = check_texts(figure)
    assert figure.get_size_inches()[0] == wide
    assert "without an interval" in texts and "without a value" not in texts


def test_exact_figures_have_the_digits_of_turns() -> None:
    assert values_of([exactly("", "a", 36.8123, TURNS), exactly("", "b", 40.0, TURNS)]) == [
        "36.81",
        "40.00",
    ]


@pytest.mark.parametrize(
    ("values", "title"),
    [
        ([3, 4], "Buying wins more in both cases"),
        ([3, 4, 5], "Buying wins more in all 3 cases"),
        ([-3, -4, 5], "Buying wins less in 2 of 3 cases, wins more in 1"),
        ([-3, 0, 0.5], "Buying wins less in 1 of 3 cases; 2 are too close to call"),
        ([0, 0.5], "Buying: none of 2 cases is clear"),
        ([], "Buying: none of 0 cases is clear"),
    ],
)
def test_the_title_says_what_the_findings_say(values: list[float], title: str) -> None:
    assert tallied([finding(one) for one in values], "Buying") == title


def test_what_is_too_small_to_matter_is_not_called_a_gain() -> None:
    rows = [finding(0.2, 0.1), finding(0.7, 0.1)]
    assert tallied(rows, "Buying", margin=0.5) == (
        "Buying wins more in 1 of 2 cases, is a tie in 1"
    )


def test_who_cannot_see_it_is_told_the_numbers() -> None:
    drawing = forest_drawing(SIDES, "A title", **WORDS, margin=0.5)
    assert "above: +3.0 (+2.0 to +4.0); below: \N{MINUS SIGN}3.0" in drawing.alt
    assert "whose whole interval lies within the shaded band, ± 0.5, is a tie" in drawing.caption
    many = forest_drawing([finding(1.0)] * 20, "A title", **WORDS)
    assert many.alt.endswith("and 8 more rows.")
