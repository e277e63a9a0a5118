from functools import partial
from itertools import combinations
from math import nan

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.collections import QuadMesh
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

from herdlab.analysis.figures.pairs import Pair, pairs
from herdlab.analysis.figures.parts.style import DIVERGING, EMPTY
from tests.analysis.figures import (
    HOSTILE,
    WIDTHS,
    check_bytes,
    check_figure,
    check_texts,
    unwrapped,
)

NAMES = ["keeper", "keeper-dog", "closer"]
FOUND = [
    Pair("keeper", "keeper-dog", 1.24, False),
    Pair("keeper", "closer", 8.0, True),
    Pair("closer", "keeper-dog", -4.0, True),
]


def _every(names: list[str]) -> list[Pair]:
    """Return a pair for any two names, every third of them uncertain."""
    return [Pair(a, b, (i % 7) - 2.5, i % 3 > 0) for i, (a, b) in enumerate(combinations(names, 2))]


def _cells(figure: Figure) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    mesh = next(one for one in figure.axes[0].collections if isinstance(one, QuadMesh))
    return np.asarray(mesh.get_array())


def _signs(figure: Figure, marker: str) -> int:
    lines = [one for one in figure.axes[0].lines if one.get_marker() == marker]
    return sum(len(np.asarray(one.get_xdata())) for one in lines)


@pytest.mark.parametrize("wide", WIDTHS)
def test_each_width_is_kept_and_each_number_is_written_both_ways_round(wide: float) -> None:
    texts = check_figure(partial(pairs, NAMES, FOUND), wide)
    assert {"+1.2", "−1.2", "+8.0", "−8.0", "+4.0", "−4.0"} <= set(texts)
    assert all(texts.count(name) == 2 for name in NAMES)
    assert {"the row wins more", "the column wins more", "tie or too close to call"} <= set(texts)


def test_colours_say_who_is_ahead_and_uncertain_cells_and_the_diagonal_have_none() -> None:
    cells = _cells(pairs(NAMES, FOUND, 7.2))
    purple, orange = mpl.colormaps[DIVERGING](0.92), mpl.colormaps[DIVERGING](0.08)
    assert cells[0, 2] == pytest.approx(purple) and cells[2, 0] == pytest.approx(orange)
    assert cells[0, 1] == pytest.approx(to_rgba(EMPTY))
    assert cells[1, 0] == pytest.approx(to_rgba(EMPTY))
    assert (cells[[0, 1, 2], [0, 1, 2], 3] == 0).all()


def test_a_smaller_difference_is_fainter_but_never_taken_for_none() -> None:
    found = [Pair("a", "b", 10.0, True), Pair("a", "c", 5.0, True)]
    found.append(Pair("b", "c", 0.01, True))
    cells = _cells(pairs(["a", "b", "c"], found, 7.2))
    strong, middle, faint = (cells[place][:3].sum() for place in ((0, 1), (0, 2), (1, 2)))
    assert strong < middle < faint < 3 * 0.9


@pytest.mark.parametrize("wide", WIDTHS)
@pytest.mark.parametrize("n", [1, 2, 7, 12, 13, 40])
def test_any_number_of_names_is_shown_without_overlap(wide: float, n: int) -> None:
    names = [f"strategy-{i}" for i in range(n)]
    texts = check_texts(pairs(names, _every(names), wide))
    for name in names:
        assert name in unwrapped(texts)


def test_where_numbers_do_not_fit_signs_say_who_is_ahead() -> None:
    names = [f"strategy-{i}" for i in range(13)]
    found = _every(names)
    figure = pairs(names, found, 7.2)
    real = sum(one.is_real for one in found)
    assert _signs(figure, "+") == _signs(figure, "_") == real
    texts = check_texts(figure)
    assert "the row wins more, at most +3.5" in texts
    assert "the column wins more, at most −3.5" in texts


def test_columns_are_numbered_like_rows_where_their_names_do_not_fit() -> None:
    names = [f"strategy-{i}" for i in range(12)]
    texts = check_texts(pairs(names, _every(names), 3.7))
    assert {"1", "12", "1  strategy-0", "12  strategy-11"} <= set(texts)


@pytest.mark.parametrize("wide", WIDTHS)
def test_hard_names_are_shown_letter_by_letter(wide: float) -> None:
    names = list(HOSTILE)
    texts = check_figure(partial(pairs, names, _every(names)), wide)
    for name in names:
        assert unwrapped([name]) in unwrapped(texts)


@pytest.mark.parametrize("wide", WIDTHS)
def test_nothing_found_all_equal_and_unknown_differences_work(wide: float) -> None:
    for found in (
        [],
        [Pair("a", "b", 0.0, False)],
        [Pair("a", "b", nan, True)],
    ):
        texts = check_figure(partial(pairs, ["a", "b"], found), wide)
        assert not any("wins more" in text for text in texts)
    check_texts(pairs([], [], wide))


def test_it_is_the_same_bytes_each_time_and_names_are_no_markup() -> None:
    check_bytes(partial(pairs, list(HOSTILE), _every(list(HOSTILE))))
    names = [f"strategy-{i}" for i in range(13)]
    check_bytes(partial(pairs, names, _every(names)))
