from functools import partial
from itertools import pairwise
from math import inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.collections import FillBetweenPolyCollection
from matplotlib.figure import Figure

from herdlab.analysis.figures.courses import Course, courses
from herdlab.analysis.figures.parts.legend import apart
from tests.analysis.figures import (
    HOSTILE,
    WIDTHS,
    check_bytes,
    check_figure,
    check_texts,
    unwrapped,
)

DRAW = partial(courses, x_label="beats", y_label="mean own pieces")


def _falling(n: int) -> list[Course]:
    x = list(range(30))
    return [
        Course(f"strategy {i}", x, y := [9.0 - 0.03 * i * at for at in x], y, [v + 1 for v in y])
        for i in range(n)
    ]


def _lines(figure: Figure) -> list[list[list[float]]]:
    return [np.asarray(line.get_xydata()).tolist() for line in figure.axes[0].lines]


@pytest.mark.parametrize("wide", WIDTHS)
@pytest.mark.parametrize("n", [1, 7, 40])
def test_any_number_of_lines_is_named_once_without_overlap(wide: float, n: int) -> None:
    texts = check_figure(partial(DRAW, _falling(n)), wide)
    assert {"beats", "mean own pieces"} <= set(texts)
    assert all(texts.count(f"strategy {i}") == 1 for i in range(n))


def test_lines_and_bands_are_the_numbers_given() -> None:
    figure = DRAW([Course("a", [0, 1, 2], [3.5, 2.5, 1.0], [3, 2, 0.5], [4, 3, 1.5])], 7.2)
    assert _lines(figure) == [[[0, 3.5], [1, 2.5], [2, 1.0]]]
    bands = [
        one for one in figure.axes[0].collections if isinstance(one, FillBetweenPolyCollection)
    ]
    corners = {tuple(place) for place in np.asarray(bands[0].get_paths()[0].vertices).tolist()}
    assert corners >= {(0, 3), (1, 2), (2, 0.5), (0, 4), (1, 3), (2, 1.5)}


def test_no_two_lines_look_alike() -> None:
    lines = DRAW(_falling(36), 7.2).axes[0].lines
    looks = {(line.get_color(), line.get_marker(), line.get_linestyle()) for line in lines}
    assert len(looks) == 36


def test_lines_side_by_side_differ_in_grey() -> None:
    lines = DRAW(_falling(6), 7.2).axes[0].lines
    assert len({line.get_marker() for line in lines}) == 6


def test_few_lines_are_named_at_their_ends_and_more_or_narrow_ones_in_a_legend() -> None:
    assert not DRAW(_falling(6), 7.2).legends
    assert DRAW(_falling(6), 3.7).legends
    assert DRAW(_falling(8), 7.2).legends


def test_lines_that_all_end_at_one_place_have_a_legend() -> None:
    lines = [Course(f"s{i}", [0, 1 + i, 20], [0.0, 50.0, 100.0]) for i in range(6)]
    assert courses(lines, 7.2, x_label="turns", y_label="%", zero_to=(0, 100)).legends
    assert not courses(lines[:2], 7.2, x_label="turns", y_label="%", zero_to=(0, 100)).legends


def test_steps_are_drawn_as_steps_and_marked_where_they_are_reached() -> None:
    one = Course("a", [0, 10, 20], [0.0, 60.0, 100.0], mark=12.0)
    figure = courses([one], 7.2, x_label="turns", y_label="%", is_step=True, zero_to=(0, 100))
    assert figure.axes[0].lines[0].get_drawstyle() == "steps-post"
    assert _lines(figure)[1] == [[12.0, 60.0]]
    assert figure.axes[0].get_ylim() == (0, 100)


def test_a_mark_on_a_line_lies_on_it() -> None:
    one = Course("a", [0, 10, 20], [0.0, 60.0, 100.0], mark=5.0)
    assert _lines(DRAW([one], 6.3))[1] == [[5.0, 30.0]]


@pytest.mark.parametrize("wide", WIDTHS)
def test_hard_names_are_shown_letter_by_letter(wide: float) -> None:
    lines = [Course(name, [0, 1], [0.0, float(i)]) for i, name in enumerate(HOSTILE)]
    texts = check_figure(partial(DRAW, lines), wide)
    for name in HOSTILE:
        assert unwrapped([name]) in unwrapped(texts)


@pytest.mark.parametrize("wide", WIDTHS)
@pytest.mark.parametrize(
    "line",
    [
        Course("one place", [3], [2.0], mark=3.0),
        Course("flat", [0, 1], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]),
        Course("gap", [0, 1, 2], [0.0, nan, 3.0], [-inf, nan, 2.0], [inf, nan, 4.0], mark=nan),
        Course("end unknown", [0, 1, 2], [0.0, 1.0, inf]),
    ],
)
def test_strange_lines_work(wide: float, line: Course) -> None:
    assert line.label in check_figure(partial(DRAW, [line]), wide)


@pytest.mark.parametrize("wide", WIDTHS)
def test_lines_of_which_nothing_is_known_are_told(wide: float) -> None:
    lines = [*_falling(1), Course("empty", [], []), Course("lost", [1], [nan])]
    texts = check_figure(partial(DRAW, lines), wide)
    assert {"empty (nothing known)", "lost (nothing known)", "strategy 0"} <= set(texts)
    check_texts(DRAW([], wide))


@given(st.lists(st.tuples(st.floats(-1, 4), st.floats(0.1, 0.4)), max_size=7))
def test_names_are_moved_apart_within_the_axes(wanted: list[tuple[float, float]]) -> None:
    wanted.sort()
    sizes = [size for _, size in wanted]
    middles = apart([at for at, _ in wanted], sizes, 3.0)
    spans = [(at - size / 2, at + size / 2) for at, size in zip(middles, sizes, strict=True)]
    assert all(-1e-9 <= low and high <= 3 + 1e-9 for low, high in spans)
    assert all(below[1] <= above[0] + 1e-9 for below, above in pairwise(spans))


def test_names_that_do_not_touch_stay_at_their_places() -> None:
    assert apart([0.5, 1.0, 2.0], [0.2, 0.2, 0.2], 3.0) == pytest.approx([0.5, 1.0, 2.0])
    assert apart([1.0, 1.0], [0.2, 0.2], 3.0) == pytest.approx([0.9, 1.1])


def test_it_is_the_same_bytes_each_time_and_names_are_no_markup() -> None:
    lines = [Course(name, [0, 1], [0.0, float(i)]) for i, name in enumerate(HOSTILE)]
    check_bytes(partial(DRAW, [*lines, *_falling(3)]))
