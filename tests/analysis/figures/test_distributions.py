from functools import partial

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import StepPatch

from herdlab.analysis.figures.distributions import Spread, distributions
from tests.analysis.figures import (
    HOSTILE,
    WIDTHS,
    check_bytes,
    check_figure,
    check_texts,
    unwrapped,
)

TURNS = partial(distributions, x_label="turns")
BELL = (1, 4, 20, 50, 100, 50, 20, 4, 1)


def _bars(figure: Figure) -> list[tuple[float, float, float]]:
    """Return (from, to, height in inches) of all bars."""
    found = []
    for patch in figure.axes[0].patches:
        assert isinstance(patch, StepPatch)
        tops, edges, bottom = patch.get_data()
        highs = np.asarray(bottom) - tops
        found += list(zip(edges[:-1], edges[1:], highs, strict=True))
    return sorted((float(a), float(b), float(high)) for a, b, high in found)


@pytest.mark.parametrize("wide", WIDTHS)
@pytest.mark.parametrize("n", [1, 2, 10, 30])
def test_any_number_of_rows_has_its_width_and_no_text_is_cut(wide: float, n: int) -> None:
    rows = [Spread(f"strategy {i}", 20 + i, 3, BELL, 33.0 + i) for i in range(n)]
    texts = check_figure(partial(TURNS, rows), wide)
    assert {f"strategy {i}" for i in range(n)} | {"turns", "the middle 90 %"} <= set(texts)
    assert ["mean 33.0"] == [text for text in texts if text.startswith("mean ")]
    assert {f"{33 + i:.1f}" for i in range(1, n)} <= set(texts)


def test_bars_are_as_high_as_shares_are_and_lie_around_their_numbers() -> None:
    bars = _bars(TURNS([Spread("a", 3, 1, [1, 2, 5], 4.5)], 7.2))
    assert [(a, b) for a, b, _ in bars] == [(2.5, 3.5), (3.5, 4.5), (4.5, 5.5)]
    highs = np.array([high for _, _, high in bars])
    assert highs / highs.sum() == pytest.approx([1 / 8, 2 / 8, 5 / 8])


def test_wide_bins_lie_around_all_their_numbers() -> None:
    bars = _bars(TURNS([Spread("a", -10, 5, [1, 1], -5.5)], 7.2))
    assert [(a, b) for a, b, _ in bars] == [(-10.5, -5.5), (-5.5, -0.5)]


def test_all_rows_have_one_scale() -> None:
    rows = [Spread("even", 0, 1, [10, 10], 0.5), Spread("one", 0, 1, [7], 0.0)]
    highs = [high for _, _, high in _bars(TURNS(rows, 7.2))]
    assert sorted(highs) == pytest.approx([max(highs) / 2, max(highs) / 2, max(highs)])


def test_the_middle_nine_tenths_are_stronger_than_the_tails() -> None:
    figure = TURNS([Spread("a", 0, 1, [4, 2, 88, 2, 4], 2.0)], 7.2)
    by_strength: dict[float, list[float]] = {}
    for patch in figure.axes[0].patches:
        assert isinstance(patch, StepPatch)
        alpha = patch.get_alpha()
        assert isinstance(alpha, float)
        by_strength.setdefault(alpha, []).extend(patch.get_data()[1].tolist())
    pale, strong = (by_strength[alpha] for alpha in sorted(by_strength))
    assert (min(strong), max(strong)) == (0.5, 3.5)
    assert (min(pale), max(pale)) == (-0.5, 4.5)


def test_the_mean_is_drawn_where_it_is() -> None:
    figure = TURNS([Spread("a", 0, 1, [1, 2, 1], 1.125)], 6.3)
    assert [np.asarray(line.get_xdata()).tolist() for line in figure.axes[0].lines] == [
        [1.125, 1.125]
    ]
    assert "mean 1.12" in check_texts(figure)


@pytest.mark.parametrize("wide", WIDTHS)
def test_a_long_tail_is_cut_off_and_the_figure_says_so(wide: float) -> None:
    long = Spread("", 5, 1, [4000, 4000, 1995, *[0] * 500, 5], 6.0)
    figure = TURNS([long], wide)
    assert "0.05 % lie beyond 7" in check_texts(figure)
    assert figure.axes[0].get_xlim()[1] < 10
    assert max(end for _, end, _ in _bars(figure)) == 7.5
    early = Spread("", -500, 1, [5, *[0] * 500, 1995, 4000, 4000], 2.0)
    assert "0.05 % lie below 1" in check_texts(TURNS([early], wide))


def test_a_few_that_lie_very_far_out_do_not_press_all_others_together() -> None:
    row = Spread("", 0, 1, [10, 400, 580, *[0] * 194, 7], 2.0)
    figure = TURNS([row], 7.2)
    assert "0.7 % lie beyond 2" in check_texts(figure)
    assert figure.axes[0].get_xlim()[1] < 5
    near = Spread("", 0, 1, [10, 400, 580, 0, 0, 0, 7], 2.0)
    assert not any("lie beyond" in text for text in check_texts(TURNS([near], 7.2)))


def test_of_several_rows_the_longest_tail_is_told_and_a_tiny_one_not_exactly() -> None:
    rows = [Spread(str(n), 0, 1, [1000 * n, *[0] * 99, 1], 0.1) for n in (2, 4)]
    assert "up to 0.05 % lie beyond 0" in check_texts(TURNS(rows, 7.2))
    rare = Spread("", 0, 1, [1_000_000, *[0] * 99, 1], 0.1)
    assert "less than 0.01 % lie beyond 0" in check_texts(TURNS([rare], 7.2))


def test_a_tail_that_takes_little_room_is_shown() -> None:
    figure = TURNS([Spread("", 0, 1, [*[1000] * 20, 1, 1], 10.0)], 7.2)
    assert not [text for text in check_texts(figure) if "lie" in text]
    assert len(_bars(figure)) == 22


@pytest.mark.parametrize("wide", WIDTHS)
def test_one_game_one_value_nothing_and_hard_names_work_together(wide: float) -> None:
    rows = [Spread(name, 7, 1, [1], 7.0) for name in HOSTILE]
    rows += [Spread("never", 0, 1, [], None), Spread("zeros", 0, 1, [0, 0], None)]
    rows += [Spread("no mean", 6, 1, [0, 0, 9, 0], None), Spread("nan", 6, 1, [3], float("nan"))]
    texts = check_figure(partial(TURNS, rows), wide)
    assert texts.count("no games") == 2
    for name in HOSTILE:
        assert unwrapped([name]) in unwrapped(texts)


@pytest.mark.parametrize("wide", WIDTHS)
@pytest.mark.parametrize("rows", [[], [Spread("", 0, 1, [], None)], [Spread("", 0, 1, [1], 0.0)]])
def test_the_least_there_can_be_works(wide: float, rows: list[Spread]) -> None:
    check_figure(partial(TURNS, rows), wide)


def test_it_is_the_same_bytes_each_time_and_names_are_no_markup() -> None:
    rows = [Spread(name, 2, 3, BELL, 9.0) for name in HOSTILE]
    check_bytes(partial(TURNS, rows))
