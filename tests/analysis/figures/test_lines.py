"""Lines over one axis, with names at their ends or in a legend."""

import pytest

from herdlab.analysis.figures.lines import Line, Pane, draw_lines, lines_drawing
from herdlab.analysis.figures.parts.style import NARROW, PAPER, WIDE
from tests.analysis.figures import check_texts


def line(label: str, *values: float, half: float = 1.0) -> Line:
    at = [2, 3, 4, 6, 8][: len(values)]
    return Line(label, at, [(one, one - half, one + half) for one in values])


def pane(*lines: Line) -> Pane:
    return Pane(lines, "players at the table", "win rate less that of keeping it", "keep it")


APART = pane(line("burn it", -4, -5, -6), line("pass it on", 3, 4, 6))


@pytest.mark.parametrize("wide", [WIDE, PAPER])
def test_lines_are_named_at_their_ends(wide: float) -> None:
    figure = draw_lines(APART, wide)
    texts = check_texts(figure)
    assert {"burn it", "pass it on", "keep it", "2", "3", "4"} <= set(texts)
    assert not figure.legends and figure.get_size_inches()[0] == wide


def test_on_a_phone_they_have_a_legend() -> None:
    figure = draw_lines(APART, NARROW)
    check_texts(figure)
    (legend,) = figure.legends
    assert [one.get_text() for one in legend.get_texts()] == ["burn it", "pass it on", "keep it"]


@pytest.mark.parametrize("wide", [WIDE, PAPER, NARROW])
def test_six_long_names_at_one_place_fit(wide: float) -> None:
    same = [line(f"the way of treating it that is number {n}", 1, 1, 1) for n in range(6)]
    texts = check_texts(draw_lines(pane(*same), wide))
    assert sum("number" in one for one in texts) == 6


def test_all_intervals_are_within_the_axes() -> None:
    axes = draw_lines(pane(line("burn it", -4, 5, half=20.0)), WIDE).axes[0]
    bottom, top = axes.get_ylim()
    assert bottom < -24 and top > 25


def test_who_cannot_see_it_is_told_the_numbers() -> None:
    drawing = lines_drawing(APART, "A title", "Something special.")
    assert "pass it on: +3.0 (+2.0 to +4.0) at 2, +4.0 (+3.0 to +5.0) at 3" in drawing.alt
    assert drawing.caption.startswith("Something special. The dashed line is keep it;")
