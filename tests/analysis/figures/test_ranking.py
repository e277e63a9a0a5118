from functools import partial
from math import inf, nan

import numpy as np
import pytest
from matplotlib.figure import Figure

from herdlab.analysis.figures.parts.rows import Measured
from herdlab.analysis.figures.ranking import ranking, ranking_drawing
from tests.analysis.figures import (
    HOSTILE,
    LONG,
    WIDTHS,
    check_bytes,
    check_figure,
    check_texts,
    unwrapped,
)

THREE = [
    Measured("closer", 28.2, 27.7, 28.7),
    Measured("keeper", 37.64, 37.1, 38.1),
    Measured("keeper-dog", 34.2, 33.6, 34.8),
]
WINS = partial(ranking, x_label="games won, %", unit="%", line=100 / 3, line_label="fair share")


def _dots(figure: Figure) -> list[float]:
    """Return the values of the dots from the top down."""
    dots = [line for line in figure.axes[0].lines if line.get_marker() == "o"]
    dots.sort(key=lambda one: float(np.asarray(one.get_ydata())[0]))
    return [float(np.asarray(one.get_xdata())[0]) for one in dots]


def _intervals(figure: Figure) -> list[tuple[float, ...]]:
    lines = [line for line in figure.axes[0].lines if line.get_alpha() is not None]
    return [tuple(np.asarray(line.get_xdata()).tolist()) for line in lines]


@pytest.mark.parametrize("wide", WIDTHS)
def test_each_width_is_kept_and_no_text_is_cut(wide: float) -> None:
    texts = check_figure(partial(WINS, THREE), wide)
    assert {"keeper", "37.6\u00a0%", "34.2\u00a0%", "28.2\u00a0%", "games won, %"} <= set(texts)
    assert texts.count("fair share") == 1


def test_dots_and_intervals_are_the_numbers_given_and_the_best_is_on_top() -> None:
    figure = WINS(THREE, 7.2)
    assert _dots(figure) == [37.64, 34.2, 28.2]
    assert _intervals(figure) == [(37.1, 38.1), (33.6, 34.8), (27.7, 28.7)]


def test_equal_rows_stay_in_the_order_given() -> None:
    rows = [Measured(name, 5.0, 4.0, 6.0) for name in "zab"]
    texts = check_texts(WINS(rows, 7.2))
    assert [text for text in texts if text in "zab"] == ["z", "a", "b"]


@pytest.mark.parametrize("wide", WIDTHS)
@pytest.mark.parametrize("ends", [(None, None), (nan, 3.0), (1.0, inf), (-inf, inf), (None, nan)])
def test_a_value_without_an_interval_is_a_hollow_dot_which_is_explained(
    wide: float, ends: tuple[float | None, float | None]
) -> None:
    figure = WINS([*THREE, Measured("new", 30.0, *ends)], wide)
    assert "interval unknown" in check_texts(figure)
    assert len(_intervals(figure)) == 3
    assert "interval unknown" not in check_texts(WINS(THREE, wide))


@pytest.mark.parametrize("wide", WIDTHS)
def test_an_interval_that_is_open_goes_to_the_edge_which_is_explained(wide: float) -> None:
    rows = [*THREE, Measured("never", 20.0, None, 31.0), Measured("always", 45.0, 40.0, None)]
    drawing = ranking_drawing(rows, "Wins", what="wins", x_label="x", digits=0)
    figure = drawing.draw(wide)
    left, right = figure.axes[0].get_xlim()
    assert left < 20 and right > 45
    assert _intervals(figure)[::4] == [(40.0, right), (left, 31.0)]
    assert "interval unknown" not in check_texts(figure)
    assert "never 20 (below 31)" in drawing.alt
    assert "always 45 (above 40)" in drawing.alt
    assert drawing.caption.endswith("A bar to the edge goes on beyond it.")


@pytest.mark.parametrize("wide", WIDTHS)
@pytest.mark.parametrize("n", [1, 30])
def test_any_number_of_rows_is_named_without_overlap(wide: float, n: int) -> None:
    rows = [Measured(f"strategy {i}", 1500.0 - i, 1490.0 - i, 1510.0 - i) for i in range(n)]
    figure = ranking(rows, wide, x_label="rating", digits=0, line=1500, line_label="all alike")
    assert {f"strategy {i}" for i in range(n)} <= set(check_texts(figure))


@pytest.mark.parametrize("wide", WIDTHS)
def test_hard_names_are_shown_letter_by_letter(wide: float) -> None:
    rows = [Measured(name, 10.0 + i, 9.0, 20.0) for i, name in enumerate(HOSTILE)]
    texts = check_figure(partial(WINS, rows), wide)
    for name in HOSTILE:
        assert unwrapped([name]) in unwrapped(texts)


@pytest.mark.parametrize("value", [0.0, 50.0, 100.0])
def test_an_axis_of_rates_ends_at_nothing_and_at_all(value: float) -> None:
    figure = WINS([Measured("a", value, value, value)] * 3, 3.7)
    check_texts(figure)
    left, right = figure.axes[0].get_xlim()
    assert 0 <= left < right <= 100


def test_an_axis_of_ratings_goes_around_all_that_is_shown() -> None:
    rows = [Measured("a", -3.0, -9.0, 2.0), Measured("b", 4.0, 3.0, 5.0)]
    figure = ranking(rows, 6.3, x_label="rating", line=7.0, line_label="line")
    left, right = figure.axes[0].get_xlim()
    assert left < -9 and right > 7
    assert "−3.0" in check_texts(figure)


@pytest.mark.parametrize("wide", WIDTHS)
def test_unknown_values_come_last_without_a_dot_and_no_rows_give_an_empty_figure(
    wide: float,
) -> None:
    figure = WINS([Measured("lost", nan, None, None), *THREE], wide)
    assert "unknown" in check_texts(figure)
    assert _dots(figure) == [37.64, 34.2, 28.2]
    assert _dots(WINS([], wide)) == []
    check_texts(WINS([], wide))


@pytest.mark.parametrize("wide", WIDTHS)
@pytest.mark.parametrize("at", [0.0, 28.0, 50.0, 72.0, 100.0])
def test_a_long_label_of_the_line_fits_wherever_the_line_is(wide: float, at: float) -> None:
    rows = [Measured("a", 0.0, 0.0, 1.0), Measured("b", 100.0, 99.0, 100.0)]
    figure = ranking(rows, wide, x_label="x", unit="%", line=at, line_label=LONG)
    assert unwrapped([LONG]) in unwrapped(check_texts(figure))


def test_it_is_the_same_bytes_each_time_and_names_are_no_markup() -> None:
    rows = [Measured(name, 10.0, 9.0, 20.0, LONG) for name in HOSTILE]
    check_bytes(partial(WINS, rows))
