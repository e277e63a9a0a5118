from functools import partial
from math import inf, nan

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from herdlab.analysis.figures.parts.rows import Measured
from herdlab.analysis.figures.shares import shares, stacked
from tests.analysis.figures import (
    HOSTILE,
    LONG,
    WIDTHS,
    check_bytes,
    check_figure,
    check_texts,
    unwrapped,
)

LUCK = [
    Measured("luck", 61.3, 58.1, 64.2, "what remains if all play alike"),
    Measured("seat", 4.2, 3.1, 5.5, "who begins"),
    Measured("interplay", -0.4, -1.2, 0.4),
]
DRAW = partial(shares, x_label="share of the variance, %")
POINTS = partial(stacked, x_label="mean points a game")
PARTS = ["sheep", "rabbits", "fines"]
SCORES = [("keeper", [22.1, 10.3, -3.3]), ("closer", [12.4, 0.0, -1.1])]


def _bars(figure: Figure) -> list[tuple[float, float]]:
    """Return the ends of all bars, as they were drawn."""
    bars = [one for one in figure.axes[0].patches if isinstance(one, Rectangle)]
    return [(one.get_x(), one.get_x() + one.get_width()) for one in bars]


@pytest.mark.parametrize("wide", WIDTHS)
def test_each_width_is_kept_and_names_values_and_words_are_written(wide: float) -> None:
    texts = check_figure(partial(DRAW, LUCK), wide)
    assert {"luck", "seat", "61.3\u00a0%", "4.2\u00a0%", "−0.4\u00a0%"} <= set(texts)
    assert unwrapped(["what remains if all play alike"]) in unwrapped(texts)


def test_bars_go_from_nothing_to_their_values_and_whiskers_from_low_to_high() -> None:
    figure = DRAW(LUCK, 7.2)
    assert _bars(figure) == [(0, 61.3), (0, 4.2), (0, -0.4)]
    whiskers = [one for one in figure.axes[0].lines if one.get_marker() == "|"]
    ends = [np.asarray(one.get_xdata()).tolist() for one in whiskers]
    assert ends == [[58.1, 64.2], [3.1, 5.5], [-1.2, 0.4]]
    left, right = figure.axes[0].get_xlim()
    assert left < -1.2 and right > 64.2


def test_an_axis_without_negatives_begins_at_nothing() -> None:
    assert DRAW(LUCK[:2], 7.2).axes[0].get_xlim()[0] == 0


@pytest.mark.parametrize("wide", WIDTHS)
def test_hard_names_and_long_words_are_shown_letter_by_letter(wide: float) -> None:
    rows = [Measured(name, 50.0, None, inf, f"{LONG} {LONG}") for name in HOSTILE]
    texts = check_figure(partial(DRAW, rows), wide)
    for name in HOSTILE:
        assert unwrapped([name]) in unwrapped(texts)


@pytest.mark.parametrize("wide", WIDTHS)
@pytest.mark.parametrize(
    "rows",
    [
        [],
        [Measured("none", 0.0, 0.0, 0.0)],
        [Measured("unknown", nan, nan, nan)],
        [Measured("all", 100.0, 100.0, 100.0), Measured("less", -5.0)],
        [Measured("only below", -5.0, -6.0, -4.0)],
        [Measured(f"strategy {i}", float(i), i - 1, i + 1) for i in range(30)],
    ],
)
def test_zeros_unknowns_and_many_rows_work(wide: float, rows: list[Measured]) -> None:
    texts = check_texts(DRAW(rows, wide))
    assert {one.label for one in rows} <= set(texts)


@pytest.mark.parametrize("wide", WIDTHS)
def test_stacked_bars_keep_their_width_and_name_their_parts(wide: float) -> None:
    texts = check_figure(partial(POINTS, SCORES, PARTS), wide)
    assert {"keeper", "closer", *PARTS, "22.1", "10.3", "12.4"} <= set(texts)
    assert "0.0" not in texts


def test_parts_stand_one_after_the_other_and_negative_ones_to_the_left() -> None:
    figure = POINTS(SCORES, PARTS, 7.2)
    expected = [(0, 22.1), (22.1, 32.4), (0, -3.3), (0, 12.4), (12.4, 12.4), (0, -1.1)]
    assert np.array(_bars(figure)) == pytest.approx(np.array(expected))


@pytest.mark.parametrize("n", [2, 5, 8])
def test_parts_differ_in_grey_from_dark_to_bright(n: int) -> None:
    figure = POINTS([("a", [1.0] * n)], [f"part {i}" for i in range(n)], 7.2)
    weights = np.array([0.299, 0.587, 0.114])
    grey = [float(weights @ to_rgb(one.get_facecolor())) for one in figure.axes[0].patches]
    assert (np.diff(grey) > 0.05).all()


@pytest.mark.parametrize("wide", WIDTHS)
def test_many_hard_names_and_parts_work(wide: float) -> None:
    rows = [(f"{name} {i}", [float(i), 2.5, 0.0, 1e-9, nan]) for i in range(6) for name in HOSTILE]
    texts = check_texts(POINTS(rows, HOSTILE, wide))
    for name in HOSTILE:
        assert unwrapped([name, "5"]) in unwrapped(texts)


@pytest.mark.parametrize("wide", WIDTHS)
def test_nothing_to_stack_works(wide: float) -> None:
    check_figure(partial(POINTS, [], []), wide)
    check_figure(partial(POINTS, [("a", [0.0, 0.0])], ["one", "two"]), wide)
    check_figure(partial(POINTS, [("a", [-1.0, -12345.0])], ["one", "two"]), wide)


def test_it_is_the_same_bytes_each_time_and_names_are_no_markup() -> None:
    check_bytes(partial(DRAW, [*LUCK, *(Measured(name, 5.0, 4.0, 6.0) for name in HOSTILE)]))
    check_bytes(partial(POINTS, [(name, [1.0] * 5) for name in HOSTILE], HOSTILE))
