"""Figures: what is on them, and that files are what their names say."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import FillBetweenPolyCollection, LineCollection, QuadMesh
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from analysis import figures
from analysis.figures import curve, heat, save_figure
from simcore.errors import BadInput

ROOT = Path(__file__).resolve().parent.parent.parent
LABELS = {"title": "A sweep", "x_label": "sheep kept", "y_label": "share of wins"}


def points(xs: list[Any]) -> pd.DataFrame:
    value = 0.5 - 0.01 * (np.arange(len(xs)) - 2.0) ** 2
    return pd.DataFrame({"x": xs, "value": value, "low": value - 0.02, "high": value + 0.03})


def grid(xs: list[Any], ys: list[Any], best: set[tuple[Any, Any]]) -> pd.DataFrame:
    rows = [(x, y, (x, y) in best) for x in xs for y in ys]
    value = np.linspace(0.4, 0.6, len(rows))
    frame = pd.DataFrame(rows, columns=["x", "y", "best"])
    return frame.assign(value=value, low=value - 0.011, high=value + 0.013)


def sweep(xs: list[Any], marked: list[bool], baseline: float | None = None) -> Figure:
    return curve(points(xs), "x", **LABELS, marked=marked, baseline=baseline)


def heated(frame: pd.DataFrame) -> Figure:
    return heat(frame, "x", "y", **LABELS, value_label="share", region="best")


def axes_of(figure: Figure) -> Axes:
    return figure.axes[0]


def drawn(axes: Axes, colour: str) -> list[list[float]]:
    """Return the places of the dots and lines of a colour."""
    found = [line for line in axes.lines if line.get_color() == colour]
    return [pair for line in found for pair in np.asarray(line.get_xydata()).tolist()]


def names_on(axis: Any) -> list[str]:
    return [label.get_text() for label in axis.get_ticklabels()]


def legend_of(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.legends[0].get_texts()]


def spans(axes: Axes) -> list[tuple[float, float]]:
    patches = [one for one in axes.patches if isinstance(one, Rectangle)]
    return [(one.get_x(), one.get_x() + one.get_width()) for one in patches]


def test_numbers_are_a_line_with_a_band() -> None:
    figure = sweep([0, 1, 2, 3, 4], [False, True, True, False, True], baseline=0.47)
    axes = axes_of(figure)
    assert figure.get_suptitle() == "A sweep"
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("sheep kept", "share of wins")
    assert drawn(axes, figures.VERMILLION) == [[1, 0.49], [2, 0.5], [4, 0.46]]
    assert [x for x, _ in drawn(axes, figures.BLUE)] == [0, 1, 2, 3, 4]
    assert spans(axes) == [(0.5, 2.5), (3.5, 4.5)]
    assert {y for _, y in drawn(axes, figures.GREY)} == {0.47}
    assert legend_of(figure) == ["value", "interval", "best region", "baseline"]
    (band,) = (one for one in axes.collections if isinstance(one, FillBetweenPolyCollection))
    corners = {(x, round(y, 9)) for x, y in np.asarray(band.get_paths()[0].vertices).tolist()}
    assert {(2, 0.48), (2, 0.53), (4, 0.44), (4, 0.49)} <= corners
    assert names_on(axes.xaxis) == ["0", "1", "2", "3", "4"]


def test_numbers_are_drawn_in_their_order() -> None:
    axes = axes_of(sweep([3, 1, 2], [True, False, False]))
    assert [x for x, _ in drawn(axes, figures.BLUE)] == [1, 2, 3]
    assert drawn(axes, figures.VERMILLION) == [[3, 0.46]]


def test_what_is_not_there_is_not_explained() -> None:
    figure = sweep([0, 1, 2], [False, False, False])
    assert legend_of(figure) == ["value", "interval"]
    assert not spans(axes_of(figure)) and not drawn(axes_of(figure), figures.GREY)


def test_one_point_has_a_visible_interval() -> None:
    axes = axes_of(sweep([7], [True]))
    assert drawn(axes, figures.VERMILLION) == [[7, 0.46]]
    (line,) = (one for one in axes.collections if isinstance(one, LineCollection))
    assert np.allclose(line.get_segments()[0], [[7, 0.44], [7, 0.49]])


def test_doubling_numbers_have_a_logarithmic_axis() -> None:
    doubling = [2**i for i in range(9)]
    axes = axes_of(sweep(doubling, [False] * 3 + [True] * 2 + [False] * 4))
    assert axes.get_xscale() == "log"
    assert names_on(axes.xaxis) == [str(one) for one in doubling]
    assert np.allclose(spans(axes), [(2**2.5, 2**4.5)])
    assert axes_of(sweep([2 * i for i in range(9)], [False] * 9)).get_xscale() == "linear"


def test_names_are_dots_one_below_the_other() -> None:
    figure = sweep(["never", "spare", "first"], [False, True, False], baseline=0.47)
    axes = axes_of(figure)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("share of wins", "sheep kept")
    assert names_on(axes.yaxis) == ["never", "spare", "first"]
    assert drawn(axes, figures.VERMILLION) == [[0.49, 1]]
    bottom, top = axes.get_ylim()
    assert bottom > top  # the first name stands on top
    (bars,) = (one for one in axes.collections if isinstance(one, LineCollection))
    assert np.allclose(bars.get_segments()[2], [[0.48, 2], [0.53, 2]])
    assert legend_of(figure) == ["value", "interval", "best region", "baseline"]


@pytest.mark.parametrize("xs", [[False, True], [1, "never"], ["$a$", "b_c"]])
def test_yes_and_no_and_numbers_beside_words_are_names(xs: list[Any], tmp_path: Path) -> None:
    figure = sweep(xs, [True, False])
    assert names_on(axes_of(figure).yaxis) == [str(one) for one in xs]
    save_figure(figure, tmp_path / "names.png")


def texts(axes: Axes) -> dict[tuple[float, float], str]:
    return {one.get_position(): one.get_text() for one in axes.texts}


def test_two_parameters_are_cells_with_values_and_half_widths() -> None:
    figure = heated(grid([3, 1], [0.5, 0.25], {(1, 0.5)}))
    axes = axes_of(figure)
    assert figure.get_suptitle() == "A sweep"
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("sheep kept", "share of wins")
    assert names_on(axes.xaxis) == ["1", "3"] and names_on(axes.yaxis) == ["0.25", "0.5"]
    assert texts(axes) == {
        (1.5, 1.5): "0.400\n± 0.012",
        (1.5, 0.5): "0.467\n± 0.012",
        (0.5, 1.5): "0.533\n± 0.012",
        (0.5, 0.5): "0.600\n± 0.012",
    }
    (mesh,) = (one for one in axes.collections if isinstance(one, QuadMesh))
    assert np.allclose(np.asarray(mesh.get_array()), [[0.6, 1.4 / 3], [1.6 / 3, 0.4]])
    assert figure.axes[1].get_ylabel() == "share"


def border(axes: Axes) -> set[frozenset[tuple[float, ...]]]:
    lines = [one for one in axes.collections if isinstance(one, LineCollection)]
    segments = lines[-1].get_segments() if lines else []
    return {frozenset(map(tuple, np.asarray(one).tolist())) for one in segments}


def test_the_best_region_is_outlined_not_its_inside() -> None:
    figure = heated(grid([0, 1, 2], [0, 1], {(1, 0), (2, 0)}))
    sides = [((1, 0), (2, 0)), ((2, 0), (3, 0)), ((1, 1), (2, 1)), ((2, 1), (3, 1))]
    sides += [((1, 0), (1, 1)), ((3, 0), (3, 1))]
    assert border(axes_of(figure)) == {frozenset(side) for side in sides}
    assert legend_of(figure) == ["best region"]


def test_without_a_best_region_nothing_is_outlined() -> None:
    figure = heated(grid([0, 1], [0, 1], set()))
    assert not border(axes_of(figure)) and not figure.legends


def test_cells_that_were_not_measured_are_empty(tmp_path: Path) -> None:
    frame = grid([0, 1], [0, 1], set()).iloc[1:]
    figure = heated(frame)
    assert texts(axes_of(figure))[0.5, 0.5] == ""
    save_figure(figure, tmp_path / "grid.png")


def test_large_grids_have_no_writing_and_few_ticks() -> None:
    axes = axes_of(heated(grid(list(range(13)), list(range(60)), set())))
    assert not axes.texts
    assert names_on(axes.xaxis) == [str(one) for one in range(13)]
    assert names_on(axes.yaxis) == [str(one) for one in range(0, 60, 3)]


def test_names_of_rows_begin_on_top() -> None:
    axes = axes_of(heated(grid([0, 1], ["never", "first"], set())))
    assert names_on(axes.yaxis) == ["never", "first"]
    assert axes.get_ylim()[0] > axes.get_ylim()[1]


LONG = "patient-farmer:patience=12:keep_sheep=3:dog=spare"
HARD: dict[str, Callable[[], Figure]] = {
    "long names": lambda: sweep([LONG, f"{LONG}:more=1", "x"], [True, False, False]),
    "forty names": lambda: sweep([f"strategy-{i}" for i in range(40)], [True] * 40),
    "one name": lambda: sweep(["only"], [True]),
    "forty numbers": lambda: sweep(list(range(40)), [True] * 40),
    "large numbers": lambda: sweep([10**6 + i for i in range(11)], [False] * 11),
    "a long title": lambda: curve(
        points([1, 2]), "x", title="word " * 40, x_label=LONG * 3, y_label=LONG, marked=[True] * 2
    ),
    "a wide grid": lambda: heated(grid(list(range(12)), [0, 1], {(0, 0)})),
    "a tall grid": lambda: heated(grid([0, 1], list(range(12)), {(0, 0)})),
    "a grid of long names": lambda: heated(grid([LONG, f"{LONG}:more=1"], [LONG, "x"], set())),
    "one cell": lambda: heated(grid([0], [0], {(0, 0)})),
}


def overlaps(figure: Figure) -> list[str]:
    """Return pairs of tick labels that lie over each other, and texts beyond the figure's edge."""
    figure.draw_without_rendering()
    found = []
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            shown = [tick for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
            sides = [side for tick in shown for side in (tick.label1, tick.label2)]
            labels = [one for one in sides if one.get_visible() and one.get_text()]
            is_straight = not any(one.get_rotation() for one in labels)
            boxes = [one.get_window_extent() for one in labels]
            for first, second in zip(boxes, boxes[1:], strict=False):
                if is_straight and first.overlaps(second):
                    found.append(f"labels of {axis.axis_name}")
            for box in [*boxes, axis.label.get_window_extent()]:
                page = figure.bbox.padded(1)
                if box.x0 < page.x0 or box.y0 < page.y0 or box.x1 > page.x1 or box.y1 > page.y1:
                    found.append(f"{axis.axis_name} beyond the edge")
    return found


@pytest.mark.parametrize("which", HARD)
def test_labels_neither_overlap_nor_are_cut(which: str) -> None:
    assert overlaps(HARD[which]()) == []


def test_overlaps_are_noticed() -> None:
    figure = sweep([0, 1, 2], [False] * 3)
    axes_of(figure).set_xticks([0, 1, 2], [LONG] * 3)
    assert "labels of x" in overlaps(figure)


BEGINNINGS = {".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF"}


@pytest.mark.parametrize("suffix", BEGINNINGS)
def test_the_suffix_chooses_the_format(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"figure{suffix}"
    save_figure(sweep([0, 1, 2], [True, False, False]), path)
    assert path.read_bytes().startswith(BEGINNINGS[suffix])
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("figure.sgv", "did you mean '.svg'? known: .svg, .png, .pdf"),
        ("figure.csv", "unknown kind of file '.csv'"),
        ("figure", "must end in one of .svg, .png, .pdf"),
        ("no-such/figure.svg", "there is no folder"),
    ],
)
def test_a_wrong_name_is_refused(tmp_path: Path, name: str, part: str) -> None:
    with pytest.raises(BadInput, match="figure|kind of file") as mistake:
        save_figure(sweep([0, 1], [True, False]), tmp_path / name)
    assert part in str(mistake.value)


def test_the_same_figure_gives_the_same_bytes_in_another_process(tmp_path: Path) -> None:
    """And no window was got ready there."""
    script = (
        "import sys; from pathlib import Path; from tests.analysis import test_drawings as it\n"
        "figure = it.heated(it.grid([0, 1, 2], ['a', 'b'], {(1, 'a')}))\n"
        "for name in sys.argv[1:]:\n    it.save_figure(figure, Path(name))\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    others = [tmp_path / "other.svg", tmp_path / "other.pdf"]
    subprocess.run([sys.executable, "-c", script, *map(str, others)], cwd=ROOT, check=True)
    same = heated(grid([0, 1, 2], ["a", "b"], {(1, "a")}))
    different = heated(grid([0, 1, 2], ["a", "b"], {(0, "a")}))
    for other in others:
        here = tmp_path / f"here{other.suffix}"
        save_figure(same, here)
        assert other.read_bytes() == here.read_bytes()
        save_figure(different, here)
        assert other.read_bytes() != here.read_bytes()


@pytest.mark.parametrize("which", ["a wide grid", "long names"])
def test_a_figure_saved_twice_gives_the_same_bytes(tmp_path: Path, which: str) -> None:
    figure, paths = HARD[which](), [tmp_path / "first.svg", tmp_path / "second.svg"]
    for path in paths:
        save_figure(figure, path)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_drawing_leaves_the_users_style_alone(tmp_path: Path) -> None:
    before = dict(mpl.rcParams)
    save_figure(sweep([0, 1], [True, False]), tmp_path / "figure.svg")
    assert dict(mpl.rcParams) == before


def test_marks_can_be_told_without_colours() -> None:
    axes = axes_of(sweep([0, 1], [True, False]))
    markers = {line.get_color(): line.get_marker() for line in axes.lines}
    assert markers[figures.VERMILLION] != markers[figures.BLUE]
