"""Figures: how a measured value follows one parameter or two, with its uncertainty.

Nothing here knows games or opens windows: a table of points goes in, a matplotlib figure comes out.
Colours are those of Okabe and Ito, and viridis: both can be told apart by the colour-blind.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from math import ceil, floor, log10
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from analysis import outputs

if TYPE_CHECKING:
    from analysis.sweep import Sweep

BLUE, ORANGE, VERMILLION, GREY = "#0072B2", "#E69F00", "#D55E00", "#595959"
COLOURS = "viridis"
MARKED = "best region"
STYLE: Any = {  # matplotlib's type of it lists every key there is
    "font.size": 10,
    "axes.labelcolor": "#222222",
    "axes.edgecolor": "#999999",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.labelpad": 6,
    "axes.formatter.useoffset": False,
    "axes.formatter.limits": (-5, 9),
    "grid.color": "#E3E3E3",
    "grid.linewidth": 0.7,
    "xtick.color": "#999999",
    "ytick.color": "#999999",
    "xtick.labelcolor": "#222222",
    "ytick.labelcolor": "#222222",
    "legend.frameon": False,
    "text.parse_math": False,  # a name may have dollars
    "svg.hashsalt": "herdlab",  # the same figure gives the same bytes
    "pdf.fonttype": 42,
}
_LETTER = 0.085
"""Inches that a letter takes."""
_MOST_INCHES = 15.0
_SMALL_CELL = (0.3, 0.3)
_WRITTEN_CELLS = 12  # grids up to that many by that many have figures in their cells
_MANY_DOTS = 25
_MOST_TICKS = 24
_BAND_INCHES = 5.8  # from the first to the last point of a curve
_DOUBLING = 1.5  # numbers that grow by such a factor are drawn on a logarithmic axis
_BRIGHTNESS = np.array([0.299, 0.587, 0.114])  # of red, green and blue


def of_sweep(found: "Sweep") -> Figure:
    """Draw a sweep: a curve with its band, or for two parameters a heat map."""
    request, points = found.request, found.frame()
    names = [variable.name for variable in found.variables]
    label = found.metric.words
    if found.metric.is_rate:
        points[["value", "low", "high"]] *= 100
        label += ", %"
    field = ", ".join(request.others)
    title = f"{request.scene.game.title}: {request.strategy} with {field}, {found.lucks:,} lucks"
    is_rules = all(variable.is_rule for variable in found.variables)
    region = f"cannot be told apart from the {request.best_is}est" if is_rules else MARKED
    if len(names) == 1:
        return curve(
            points,
            names[0],
            title=title,
            x_label=names[0],
            y_label=f"{label} (band: 95 % interval)",
            marked=points["in_best_region"].tolist(),
            marked_as=region,
        )
    return heat(
        points,
        *names,
        title=title,
        x_label=names[0],
        y_label=names[1],
        value_label=label,
        region="in_best_region",
        marked_as=region,
    )


def curve(
    points: pd.DataFrame,
    x: str,
    *,
    title: str,
    x_label: str,
    y_label: str,
    marked: Sequence[bool],
    marked_as: str = MARKED,
    baseline: float | None = None,
) -> Figure:
    """Draw a value and its interval against one parameter.

    `points` has the columns `x`, value, low, high; `marked` says which rows are the best region.
    Numbers are drawn as a line with a band.  Names are drawn one below the other, with their values
    to the right, for which long names leave room.
    """
    shown = points.assign(_marked=np.asarray(marked, bool)).replace([np.inf, -np.inf], np.nan)
    with _style():
        if _are_numbers(points[x]):
            figure = _band(shown.sort_values(x), x, (title, x_label, y_label), baseline)
        else:
            figure = _dots(shown, x, (title, y_label, x_label), baseline)
        for text in figure.legends[0].get_texts():
            if text.get_text() == MARKED:
                text.set_text(marked_as)
        return figure


def heat(
    points: pd.DataFrame,
    x: str,
    y: str,
    *,
    title: str,
    x_label: str,
    y_label: str,
    value_label: str,
    region: str,
    marked_as: str = MARKED,
) -> Figure:
    """Draw a value as colour against two parameters, the best region outlined.

    `points` has the columns `x`, `y`, value, low, high, and `region`, which says of each row
    whether it belongs to the best.  Small grids have value and half-width written into the cells.
    """
    grid = _grid(points, x, y, region)
    texts = _cell_texts(grid) if max(grid.values.shape) <= _WRITTEN_CELLS else None
    x_names, y_names = _names(grid.columns), _names(grid.rows)
    cell = _SMALL_CELL if texts is None else _cell_size(texts)
    wide = max(3.4, min(_MOST_INCHES, cell[0] * len(x_names)))
    high = max(2.6, min(_MOST_INCHES, cell[1] * len(y_names)))
    is_tilted = _LETTER * max(map(len, x_names)) > wide / len(x_names)
    below = 0.7 * _LETTER * max(map(len, x_names)) if is_tilted else 0.0
    with _style():
        size = (wide + 1.8 + _LETTER * max(map(len, y_names)), high + 1.6 + below)
        figure, axes = _empty(title, x_label, y_label, size)
        sides: dict[str, Any] = {"edgecolors": "face" if texts is None else "white"}
        mesh = axes.pcolormesh(grid.values, cmap=COLOURS, linewidth=0.5, **sides)
        axes.set_facecolor("#EEEEEE")  # where nothing was measured
        axes.grid(visible=False)
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0)
        _tick(axes, x_names, y_names, is_tilted=is_tilted)
        if not _are_numbers(points[y]):
            axes.invert_yaxis()  # the first name on top
        bar = figure.colorbar(mesh, ax=axes)
        bar.set_label(_wrapped(value_label, high))
        bar.outline.set_visible(False)
        if texts is not None:
            for (row, column), text in np.ndenumerate(texts):
                is_dark = _is_dark(mesh.to_rgba(grid.values[row, column]))
                colour = "white" if is_dark else "black"
                middle = (column + 0.5, row + 0.5)
                axes.text(*middle, text, color=colour, ha="center", va="center", size=9)
        if grid.is_best.any():
            _outline(axes, grid.is_best)
            frame = Patch(facecolor="none", edgecolor="black", linewidth=1.8, label=marked_as)
            figure.legend(handles=[frame], loc="outside lower left")
        figure.draw_without_rendering()
        figure.set_layout_engine("none")  # with a colour bar it would move a little every time
        return figure


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure as the file's suffix says: .svg, .png or .pdf."""
    outputs.check(path, outputs.FIGURES)
    kind = path.suffix.lower().removeprefix(".")
    undated: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    content = BytesIO()
    with _style():
        figure.savefig(
            content, format=kind, dpi=160, bbox_inches="tight", metadata=undated.get(kind)
        )
    outputs.write(content.getvalue(), path)


@contextmanager
def _style() -> Iterator[None]:
    with mpl.rc_context(STYLE):
        yield


def _empty(
    title: str, x_label: str, y_label: str, size: tuple[float, float]
) -> tuple[Figure, Axes]:
    figure = Figure(figsize=size, layout="constrained")
    figure.suptitle(_wrapped(title, size[0] - 0.4, 1.25), x=0.015, ha="left", size=12)
    axes = figure.add_subplot()
    axes.set_xlabel(_wrapped(x_label, size[0] - 1.5))
    axes.set_ylabel(_wrapped(y_label, size[1] - 1.2))
    return figure, axes


def _wrapped(text: str, inches: float, size: float = 1.0) -> str:
    return fill(text, max(12, int(inches / (_LETTER * size))))


def _band(
    points: pd.DataFrame, x: str, labels: tuple[str, str, str], baseline: float | None
) -> Figure:
    figure, axes = _empty(*labels, (7.0, 4.4))
    at, value, low, high = (points[name].to_numpy(float) for name in (x, "value", "low", "high"))
    marked = points["_marked"].to_numpy(bool)
    names = _names(list(points[x]))
    is_roomy = _every(at, names) == 1
    is_log = not is_roomy and at[0] > 0 and (at[1:] / at[:-1]).min() >= _DOUBLING
    for span in _spans(np.log(at), marked) if is_log else _spans(at, marked):
        left, right = np.exp(span) if is_log else span
        axes.axvspan(left, right, color=ORANGE, alpha=0.16, linewidth=0)
    size = 5.0 if len(at) <= _MANY_DOTS else 3.0
    if baseline is not None:
        axes.axhline(baseline, color=GREY, linestyle="--", linewidth=1.2)
    axes.fill_between(at, low, high, color=BLUE, alpha=0.22, linewidth=0)
    if len(at) == 1:  # a band of no width cannot be seen
        axes.vlines(at, low, high, color=BLUE, alpha=0.5, linewidth=1.5)
    axes.plot(at, value, "-o", color=BLUE, markersize=size, linewidth=1.4)
    axes.plot(at[marked], value[marked], "D", color=VERMILLION, markersize=size + 1.5)
    if is_log:
        axes.set_xscale("log")
        axes.minorticks_off()
        every = _every(np.log(at), names)
        axes.set_xticks(at[::every], names[::every])
    elif is_roomy:
        axes.set_xticks(at, names)
    elif (at == np.round(at)).all():
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    dot = Line2D([], [], color=BLUE, marker="o", markersize=5, label="value")
    band = Patch(color=BLUE, alpha=0.22, label="interval")
    _explain(figure, [dot, band], marked.any(), baseline)
    return figure


def _dots(
    points: pd.DataFrame, x: str, labels: tuple[str, str, str], baseline: float | None
) -> Figure:
    names = _names(list(points[x]))
    size = (5.4 + _LETTER * max(map(len, names)), max(2.8, 1.7 + 0.3 * len(names)))
    figure, axes = _empty(*labels, size)
    value, low, high = (points[name].to_numpy(float) for name in ("value", "low", "high"))
    marked = points["_marked"].to_numpy(bool)
    at = np.arange(len(names))
    for row in at[marked]:
        axes.axhspan(row - 0.5, row + 0.5, color=ORANGE, alpha=0.16, linewidth=0)
    if baseline is not None:
        axes.axvline(baseline, color=GREY, linestyle="--", linewidth=1.2)
    axes.hlines(at, low, high, color=BLUE, alpha=0.5, linewidth=2.5)
    axes.plot(value, at, "o", color=BLUE, markersize=5)
    axes.plot(value[marked], at[marked], "D", color=VERMILLION, markersize=6.5)
    axes.set_yticks(at, names)
    axes.set_ylim(len(names) - 0.5, -0.5)  # the first on top
    dot = Line2D([], [], color=BLUE, marker="o", markersize=5, linestyle="none", label="value")
    bar = Line2D([], [], color=BLUE, alpha=0.5, linewidth=2.5, label="interval")
    _explain(figure, [dot, bar], marked.any(), baseline)
    return figure


def _explain(
    figure: Figure, handles: list[Any], has_marked: bool | np.bool, baseline: float | None
) -> None:
    if has_marked:
        shape: dict[str, Any] = {"marker": "D", "markersize": 6.5, "linestyle": "none"}
        handles.append(Line2D([], [], color=VERMILLION, label=MARKED, **shape))
    if baseline is not None:
        handles.append(Line2D([], [], color=GREY, linestyle="--", linewidth=1.2, label="baseline"))
    figure.legend(handles=handles, loc="outside lower left", ncols=len(handles))


def _spans(at: npt.NDArray[np.float64], marked: npt.NDArray[np.bool]) -> list[tuple[float, float]]:
    """Return the runs of marked points, each to half the way to its neighbours."""
    if len(at) == 1:
        return []
    middles = (at[1:] + at[:-1]) / 2
    edges = [at[0] - (middles[0] - at[0]), *middles, at[-1] + (at[-1] - middles[-1])]
    spans: list[tuple[float, float]] = []
    for (left, right), is_marked in zip(pairwise(edges), marked, strict=True):
        if is_marked and spans and spans[-1][1] == left:
            spans[-1] = (spans[-1][0], right)
        elif is_marked:
            spans.append((left, right))
    return spans


def _every(at: npt.NDArray[np.float64], names: list[str]) -> int:
    """Return how many points there must be from one name to the next, if names may not touch."""
    if len(at) == 1:
        return 1
    closest = _BAND_INCHES * np.diff(at).min() / (at[-1] - at[0])
    return ceil(_LETTER * (max(map(len, names)) + 1) / closest) if closest else len(at)


def _are_numbers(column: "pd.Series[Any]") -> bool:
    found = column.infer_objects()
    return pd.api.types.is_numeric_dtype(found) and not pd.api.types.is_bool_dtype(found)


def _axis(column: "pd.Series[Any]") -> list[Any]:
    """Return the values of a parameter: numbers in their order, names as they come."""
    values = list(column.drop_duplicates())
    return sorted(values) if _are_numbers(column) else values


def _names(values: Sequence[Any]) -> list[str]:
    return [f"{one:.12g}" if isinstance(one, float) else str(one) for one in values]


@dataclass(frozen=True)
class _Grid:
    """The points of two parameters as tables (rows, columns); not measured is not a number."""

    columns: list[Any]
    rows: list[Any]
    values: npt.NDArray[np.float64]
    halves: npt.NDArray[np.float64]
    is_best: npt.NDArray[np.bool]


def _grid(points: pd.DataFrame, x: str, y: str, region: str) -> _Grid:
    columns, rows = _axis(points[x]), _axis(points[y])
    values, halves = np.full((2, len(rows), len(columns)), np.nan)
    is_best = np.zeros(values.shape, bool)
    fields = (points[name] for name in (x, y, "value", "low", "high", region))
    for column, row, value, low, high, best in zip(*fields, strict=True):
        place = rows.index(row), columns.index(column)
        if np.isfinite(value):
            values[place], halves[place], is_best[place] = value, (high - low) / 2, best
    return _Grid(columns, rows, values, halves, is_best)


def _cell_texts(grid: _Grid) -> npt.NDArray[np.str_]:
    """Return value and half-width of each cell, half-widths with about two digits."""
    known = grid.halves[np.isfinite(grid.halves) & (grid.halves > 0)]
    digits = min(6, max(0, 1 - floor(log10(np.median(known))))) if known.size else 3
    texts = np.full(grid.values.shape, "", dtype="U40")
    for place, value in np.ndenumerate(grid.values):
        if np.isfinite(value):
            half = grid.halves[place]
            with_half = f"\n± {half:.{digits}f}" if np.isfinite(half) else ""
            texts[place] = f"{value:.{digits}f}{with_half}"
    return texts


def _cell_size(texts: npt.NDArray[np.str_]) -> tuple[float, float]:
    letters = max(len(line) for text in texts.flat for line in text.split("\n"))
    return max(0.9, _LETTER * letters + 0.15), 0.55


def _tick(axes: Axes, x_names: list[str], y_names: list[str], *, is_tilted: bool) -> None:
    """Name cells at their middle; of many cells only every second, third and so on."""
    every = -(-len(x_names) // _MOST_TICKS)
    axes.set_xticks(np.arange(0, len(x_names), every) + 0.5, x_names[::every])
    if is_tilted:
        for label in axes.get_xticklabels():
            label.set(rotation=45, ha="right", rotation_mode="anchor")
    every = -(-len(y_names) // _MOST_TICKS)
    axes.set_yticks(np.arange(0, len(y_names), every) + 0.5, y_names[::every])


def _outline(axes: Axes, is_best: npt.NDArray[np.bool]) -> None:
    """Draw the border of the best region: sides of its cells that no other of its cells has."""
    sides: dict[tuple[tuple[int, int], tuple[int, int]], int] = {}
    for row, column in np.argwhere(is_best).tolist():
        corners = [(column, row), (column + 1, row), (column, row + 1), (column + 1, row + 1)]
        for start, end in ((0, 1), (2, 3), (0, 2), (1, 3)):
            side = corners[start], corners[end]
            sides[side] = sides.get(side, 0) + 1
    border = [side for side, cells in sides.items() if cells == 1]
    for colour, width in (("white", 4.6), ("black", 2.2)):  # seen on dark and on light cells
        lines = LineCollection(border, colors=colour, linewidths=width, capstyle="projecting")
        lines.set(clip_on=False, label=MARKED)
        axes.add_collection(lines)


def _is_dark(colour: npt.NDArray[np.float64]) -> bool:
    return bool(colour[:3] @ _BRIGHTNESS < 0.5)  # noqa: PLR2004
