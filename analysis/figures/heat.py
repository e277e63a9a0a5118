"""How a measured value follows two parameters: colours in a grid, with numbers where they fit."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, QuadMesh
from matplotlib.colorbar import Colorbar
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from herdlab.analysis.figures.curve import BEST_REGION, IN_BEST, are_numbers, names_of
from herdlab.analysis.figures.parts import style
from herdlab.analysis.figures.parts.legend import LETTERS, SMALL, explain, high_of
from herdlab.analysis.words.numbers import digits_of, written

_LETTERS = 8.5
"""Points, of numbers in cells."""
_CELL, _SMALLEST_CELL = 0.42, 0.12
"""Inches: a cell is so high where something is written into it, and at least otherwise."""
_LOWEST, _HIGHEST = 1.6, 7.0
"""Inches that a grid is high."""
_NAMES_SHARE = 0.3
"""Of the width that names of rows take at most."""
_LONGEST_TILTED = 1.6
"""Inches, of names of columns that stand upright."""
_BAR_TICKS = 4
Values = npt.NDArray[np.float64]
"""By row and column; not a number where nothing was measured."""


def heat(
    points: pd.DataFrame, x: str, y: str, wide: float, *, label: str, marked_as: str = BEST_REGION
) -> Figure:
    """Draw a value as colour against two parameters, the best region outlined.

    `points` has the columns `x`, `y`, value, low, high, and in_best_region.  Where they fit, value
    and half-width stand in the cells.
    """
    is_narrow = wide < style.IS_NARROW
    grid = _grid(points, x, y)
    n_rows, n_columns = grid.values.shape
    x_names, y_names = names_of(grid.columns), names_of(grid.rows)
    y_names = [style.wrapped(name, _NAMES_SHARE * wide, SMALL) for name in y_names]
    room = wide - 0.55 - style.longest(y_names, SMALL) - (0.1 if is_narrow else 1.15)
    are_too_long = style.longest(x_names, SMALL) > room / n_columns - 0.08
    is_tilted = are_too_long and not are_numbers(points[x])
    if is_tilted:
        x_names = [style.wrapped(name, _LONGEST_TILTED, SMALL) for name in x_names]
    texts = _cell_texts(grid, room / n_columns)
    lines = 0 if texts is None else 1 + max(text.count("\n") for text in texts.flat)
    cell = _SMALLEST_CELL if not lines else max(_CELL, 0.2 + 0.14 * lines)
    cell = max(cell, max(map(high_of, y_names)) + 0.05 if n_rows * cell < _HIGHEST else 0)
    high = max(_LOWEST, n_rows * cell) if lines else min(_HIGHEST, max(_LOWEST, n_rows * cell))
    below = style.longest(x_names, SMALL) if is_tilted else 0.2
    with style.styled():
        figure, axes = style.empty(x, "", (wide, high))
        axes.set_ylabel(style.wrapped(y, high))
        sides: dict[str, Any] = {"edgecolors": "face" if texts is None else "white"}
        mesh = axes.pcolormesh(grid.values, cmap=style.SCALE, linewidth=0.5, **sides)
        bare(axes)
        axes.tick_params(labelsize=LETTERS)
        _tick(axes, (x_names, y_names), (room, high), is_tilted=is_tilted)
        if not are_numbers(points[y]):
            axes.invert_yaxis()  # the first name on top
        said = style.wrapped(label, wide - 0.6 if is_narrow else high)
        bar = colour_bar(figure, mesh, said, pad=0.03 if is_narrow else None)
        bar.ax.tick_params(labelsize=LETTERS)
        bar.locator = MaxNLocator(_BAR_TICKS)
        if texts is not None:
            write_cells(axes, mesh, grid.values, texts, _LETTERS)
        keys = outline(axes, grid.is_best, marked_as, 1.8)
        around = 0.3 + below + high_of(axes.get_xlabel()) + (0.75 if is_narrow else 0.0)
        figure.set_size_inches(wide, high + around + explain(figure, keys))
        return figure


def colour_bar(
    figure: Figure, mesh: QuadMesh, label: str, *, pad: float | None, **how: Any
) -> Colorbar:
    """Explain the colours of a map beside it, or with a `pad` below it."""
    if pad is not None:
        how |= {"orientation": "horizontal", "pad": pad}
    bar = figure.colorbar(mesh, ax=figure.axes[0], **how)
    bar.set_label(label)
    bar.outline.set_visible(False)
    return bar


def write_cells(axes: Axes, mesh: QuadMesh, values: Values, texts: Any, size: float) -> None:
    """Write into each cell of a map that has a value, in letters that its colour leaves seen."""
    colours = mesh.to_rgba(values)
    for row, column in np.argwhere(np.isfinite(values)).tolist():
        how: Any = {"color": style.text_on(colours[row, column]), "size": size}
        text = texts[row, column]
        axes.text(column + 0.5, row + 0.5, text, ha="center", va="center", **how)


def bare(axes: Axes) -> None:
    """Take away what a map of cells does not need, and show which have no value."""
    axes.set_facecolor(style.EMPTY)
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


@dataclass(frozen=True)
class _Grid:
    """The points of two parameters as grids (rows, columns); not measured is not a number."""

    columns: list[Any]
    rows: list[Any]
    values: Values
    halves: Values
    is_best: npt.NDArray[np.bool]


def _grid(points: pd.DataFrame, x: str, y: str) -> _Grid:
    columns, rows = _values(points[x]), _values(points[y])
    values, halves = np.full((2, len(rows), len(columns)), np.nan)
    is_best = np.zeros(values.shape, bool)
    fields = (points[name] for name in (x, y, "value", "low", "high", IN_BEST))
    for column, row, value, low, high, best in zip(*fields, strict=True):
        place = rows.index(row), columns.index(column)
        if np.isfinite(value):
            values[place], halves[place], is_best[place] = value, (high - low) / 2, best
    return _Grid(columns, rows, values, halves, is_best)


def _values(column: "pd.Series[Any]") -> list[Any]:
    """Return the values of a parameter: numbers in their order, names as they come."""
    values = list(column.drop_duplicates())
    return sorted(values) if are_numbers(column) else values


def _cell_texts(grid: _Grid, cell: float) -> npt.NDArray[np.str_] | None:
    """Return value and half-width of each cell, or values alone, or nothing: what fits."""
    digits = digits_of(grid.halves.flat)
    for with_half in (True, False):
        texts = np.full(grid.values.shape, "", dtype="U40")
        for place, value in np.ndenumerate(grid.values):
            if np.isfinite(value):
                half = grid.halves[place]
                more = f"\n± {half:.{digits}f}" if with_half and np.isfinite(half) else ""
                texts[place] = f"{written(value, digits)}{more}"
        if style.longest(map(str, texts.flat), _LETTERS / 10) < cell - 0.08:
            return texts
    return None


def _tick(
    axes: Axes, names: tuple[list[str], list[str]], room: tuple[float, float], *, is_tilted: bool
) -> None:
    """Name cells at their middle; where names would touch only every second, third and so on."""
    for axis, some, inches in zip((axes.xaxis, axes.yaxis), names, room, strict=True):
        is_upright = axis is axes.yaxis or is_tilted
        needed = max(map(high_of, some)) if is_upright else style.longest(some, SMALL)
        every = -(-len(some) * (needed + (0.02 if is_upright else 0.1)) // inches)
        step = max(1, int(every))
        axis.set_ticks(np.arange(0, len(some), step) + 0.5, some[::step])
    if is_tilted:
        axes.tick_params(axis="x", labelrotation=90)


def outline(axes: Axes, region: npt.NDArray[np.bool], label: str, width: float) -> list[Patch]:
    """Draw the border of a region, sides that no two of its cells have; return what explains it."""
    sides: Counter[tuple[tuple[int, int], tuple[int, int]]] = Counter()
    for row, column in np.argwhere(region).tolist():
        corners = [(column, row), (column + 1, row), (column, row + 1), (column + 1, row + 1)]
        places = ((0, 1), (2, 3), (0, 2), (1, 3))
        sides.update((corners[start], corners[end]) for start, end in places)
    border = [side for side, cells in sides.items() if cells == 1]
    if not border:
        return []
    for colour, wide in (("white", 4.6), ("black", 2.2)):  # seen on dark and on light cells
        lines = LineCollection(border, colors=colour, linewidths=wide, capstyle="projecting")
        lines.set_clip_on(False)
        axes.add_collection(lines)
    return [Patch(facecolor="none", edgecolor=style.INK, linewidth=width, label=label)]
