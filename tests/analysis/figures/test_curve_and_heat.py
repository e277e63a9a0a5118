"""Curves and heat maps: what is on them, and that files are what their names say."""

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

from herdlab.analysis.figures.curve import curve
from herdlab.analysis.figures.drawing import Drawing, as_svg, save_drawing
from herdlab.analysis.figures.heat import heat
from herdlab.analysis.figures.parts import style
from herdlab.simcore.errors import BadInput
from tests.analysis.figures import check_texts
from tests.children import ROOT, run

WIDTHS = (style.WIDE, style.PAPER, style.NARROW)


def points(xs: list[Any]) -> pd.DataFrame:
    value = 0.5 - 0.01 * (np.arange(len(xs)) - 2.0) ** 2
    return pd.DataFrame({"x": xs, "value": value, "low": value - 0.02, "high": value + 0.03})


def grid(xs: list[Any], ys: list[Any], best: set[tuple[Any, Any]]) -> pd.DataFrame:
    rows = [(x, y, (x, y) in best) for x in xs for y in ys]
    value = np.linspace(0.4, 0.6, len(rows))
    frame = pd.DataFrame(rows, columns=["x", "y", "in_best_region"])
    return frame.assign(value=value, low=value - 0.011, high=value + 0.013)


def sweep(xs: list[Any], marked: list[bool], wide: float = style.WIDE) -> Figure:
    return curve(points(xs).assign(in_best_region=marked), "x", wide, label="share of wins")


def heated(frame: pd.DataFrame, wide: float = style.WIDE) -> Figure:
    return heat(frame, "x", "y", wide, label="share")


def save(draw: Callable[[float], Figure], path: Path) -> None:
    save_drawing(Drawing("A sweep", draw, "nothing"), path)


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
    figure = sweep([0, 1, 2, 3, 4], [False, True, True, False, True])
    axes = axes_of(figure)
    assert figure.get_suptitle() == ""
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x", "share of wins")
    assert drawn(axes, style.VERMILLION) == [[1, 0.49], [2, 0.5], [4, 0.46]]
    assert [x for x, _ in drawn(axes, style.BLUE)] == [0, 1, 2, 3, 4]
    assert spans(axes) == [(0.5, 2.5), (3.5, 4.5)]
    assert legend_of(figure) == ["value", "interval", "best region"]
    (band,) = (one for one in axes.collections if isinstance(one, FillBetweenPolyCollection))
    corners = {(x, round(y, 9)) for x, y in np.asarray(band.get_paths()[0].vertices).tolist()}
    assert {(2, 0.48), (2, 0.53), (4, 0.44), (4, 0.49)} <= corners
    assert names_on(axes.xaxis) == ["0", "1", "2", "3", "4"]


def test_numbers_are_drawn_in_their_order() -> None:
    axes = axes_of(sweep([3, 1, 2], [True, False, False]))
    assert [x for x, _ in drawn(axes, style.BLUE)] == [1, 2, 3]
    assert drawn(axes, style.VERMILLION) == [[3, 0.46]]


def test_what_is_not_there_is_not_explained() -> None:
    figure = sweep([0, 1, 2], [False, False, False])
    assert legend_of(figure) == ["value", "interval"]
    assert not spans(axes_of(figure))


def test_one_point_has_a_visible_interval() -> None:
    axes = axes_of(sweep([7], [True]))
    assert drawn(axes, style.VERMILLION) == [[7, 0.46]]
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
    figure = sweep(["never", "spare", "first"], [False, True, False])
    axes = axes_of(figure)
    assert axes.get_xlabel() == "share of wins"
    assert [text.get_text() for text in axes.texts] == ["0.460", "0.490", "0.500"]
    assert names_on(axes.yaxis) == ["never", "spare", "first"]
    places = list(axes.get_yticks())
    assert drawn(axes, style.VERMILLION) == [[0.49, places[1]]]
    bottom, top = axes.get_ylim()
    assert bottom > places[2] > places[0] > top  # the first name stands on top
    (bars,) = (one for one in axes.collections if isinstance(one, LineCollection))
    assert np.allclose(bars.get_segments()[2], [[0.48, places[2]], [0.53, places[2]]])
    assert legend_of(figure) == ["value", "interval", "best region"]


@pytest.mark.parametrize("xs", [[False, True], [1, "never"], ["$a$", "b_c"]])
def test_yes_and_no_and_numbers_beside_words_are_names(xs: list[Any], tmp_path: Path) -> None:
    assert names_on(axes_of(sweep(xs, [True, False])).yaxis) == [str(one) for one in xs]
    save(lambda wide: sweep(xs, [True, False], wide=wide), tmp_path / "names.png")


def texts(axes: Axes) -> dict[tuple[float, float], str]:
    return {one.get_position(): one.get_text() for one in axes.texts}


def test_two_parameters_are_cells_with_values_and_half_widths() -> None:
    figure = heated(grid([3, 1], [0.5, 0.25], {(1, 0.5)}))
    axes = axes_of(figure)
    assert figure.get_suptitle() == ""
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x", "y")
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
    assert (0.5, 0.5) not in texts(axes_of(heated(frame)))
    save(lambda wide: heated(frame, wide), tmp_path / "grid.png")


def test_large_grids_have_no_writing_and_few_ticks() -> None:
    axes = axes_of(heated(grid(list(range(13)), list(range(60)), set())))
    assert not axes.texts
    assert names_on(axes.xaxis) == [str(one) for one in range(13)]
    assert names_on(axes.yaxis) == [str(one) for one in range(0, 60, 2)]


def test_names_of_rows_begin_on_top() -> None:
    axes = axes_of(heated(grid([0, 1], ["never", "first"], set())))
    assert names_on(axes.yaxis) == ["never", "first"]
    assert axes.get_ylim()[0] > axes.get_ylim()[1]


def test_where_values_fit_and_half_widths_do_not_values_stand_alone() -> None:
    frame = grid(list(range(12)), [0, 1], set())
    written = set(texts(axes_of(heated(frame.assign(low=0.3, high=0.7)))).values())
    assert written and not any("±" in one for one in written)


LONG = "patient-farmer:patience=12:keep_sheep=3:dog=spare"
HARD: dict[str, Callable[[float], Figure]] = {
    "long names": lambda wide: sweep([LONG, f"{LONG}:more=1", "x"], [True, False, False], wide),
    "forty names": lambda wide: sweep([f"strategy-{i}" for i in range(40)], [True] * 40, wide),
    "one name": lambda wide: sweep(["only"], [True], wide),
    "forty numbers": lambda wide: sweep(list(range(40)), [True] * 40, wide),
    "large numbers": lambda wide: sweep([10**6 + i for i in range(11)], [False] * 11, wide),
    "doubling numbers": lambda wide: sweep([2**i for i in range(12)], [False] * 12, wide),
    "long labels": lambda wide: curve(
        points([1, 2]).rename(columns={"x": LONG}).assign(in_best_region=True),
        LONG,
        wide,
        label=LONG,
    ),
    "a wide grid": lambda wide: heated(grid(list(range(12)), [0, 1], {(0, 0)}), wide),
    "a tall grid": lambda wide: heated(grid([0, 1], list(range(12)), {(0, 0)}), wide),
    "a large grid": lambda wide: heated(grid(list(range(30)), list(range(60)), {(0, 0)}), wide),
    "a grid of long names": lambda wide: heated(
        grid([LONG, f"{LONG}:more=1"], [LONG, "x"], set()), wide
    ),
    "one cell": lambda wide: heated(grid([0], [0], {(0, 0)}), wide),
}


@pytest.mark.parametrize("wide", WIDTHS)
@pytest.mark.parametrize("which", HARD)
def test_words_neither_overlap_nor_are_cut(which: str, wide: float) -> None:
    figure = HARD[which](wide)
    check_texts(figure)
    assert figure.get_size_inches()[0] == wide


BEGINNINGS = {".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF"}


@pytest.mark.parametrize("suffix", BEGINNINGS)
def test_the_suffix_chooses_the_format(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"figure{suffix}"
    save(lambda wide: sweep([0, 1, 2], [True, False, False], wide=wide), path)
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
        save(lambda wide: sweep([0, 1], [True, False], wide=wide), tmp_path / name)
    assert part in str(mistake.value)


def test_the_same_figure_gives_the_same_bytes_in_another_process(tmp_path: Path) -> None:
    """And no window was got ready there."""
    script = (
        "import sys; from pathlib import Path\n"
        "from tests.analysis.figures import test_curve_and_heat as it\n"
        "frame = it.grid([0, 1, 2], ['a', 'b'], {(1, 'a')})\n"
        "for name in sys.argv[1:]:\n    it.save(lambda wide: it.heated(frame, wide), Path(name))\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    others = [tmp_path / "other.svg", tmp_path / "other.pdf"]
    done = run([sys.executable, "-c", script, *others], cwd=ROOT)
    assert done.returncode == 0, done.stderr
    same = grid([0, 1, 2], ["a", "b"], {(1, "a")})
    different = grid([0, 1, 2], ["a", "b"], {(0, "a")})
    for other in others:
        here = tmp_path / f"here{other.suffix}"
        save(lambda wide: heated(same, wide), here)
        assert other.read_bytes() == here.read_bytes()
        save(lambda wide: heated(different, wide), here)
        assert other.read_bytes() != here.read_bytes()


@pytest.mark.parametrize("which", ["a wide grid", "long names"])
def test_a_figure_drawn_twice_gives_the_same_bytes(which: str) -> None:
    assert as_svg(HARD[which](style.WIDE)) == as_svg(HARD[which](style.WIDE))


def test_drawing_leaves_the_users_style_alone(tmp_path: Path) -> None:
    before = dict(mpl.rcParams)
    save(lambda wide: sweep([0, 1], [True, False], wide=wide), tmp_path / "figure.svg")
    assert dict(mpl.rcParams) == before


def test_marks_can_be_told_without_colours() -> None:
    axes = axes_of(sweep([0, 1], [True, False]))
    markers = {line.get_color(): line.get_marker() for line in axes.lines}
    assert markers[style.VERMILLION] != markers[style.BLUE]
