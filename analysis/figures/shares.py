"""Shares: bars from nothing on, whole with their intervals or made of parts.

For how much is luck, for what scores are made of, and for how games end.
"""

from collections.abc import Sequence
from math import isfinite
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from herdlab.analysis.figures.drawing import Drawing
from herdlab.analysis.figures.parts import style
from herdlab.analysis.figures.parts.legend import explain
from herdlab.analysis.figures.parts.rows import Measured, Rows
from herdlab.analysis.words.numbers import written

_THICK = 0.24
_BAR = 0.8
"""Of a row's thickness: what its bar takes."""
_AXIS_HIGH = 0.62
_AIR = 0.03
"""Of the axis: what it goes on beyond the data."""
_EDGES = 0.3
"""Inches of the width that are no axis, beside the names."""
_LONG = 1000
"""Bars as long have no digits after the point."""
_SMALL = 0.85
"""The size of letters in bars."""
_DARKEST, _BRIGHTEST = 0.12, 0.95
"""Of the scale: the first and the last part."""


def shares_drawing(rows: Sequence[Measured], title: str, caption: str, *, x_label: str) -> Drawing:
    """Return bars with their words."""
    return Drawing(
        title,
        lambda wide: shares(rows, wide, x_label=x_label),
        f"Bars, across: {x_label}. {'; '.join(one.told(1, '%') for one in rows)}.",
        f"{caption} Thin lines are 95 % intervals.",
    )


def shares(rows: Sequence[Measured], wide: float, *, x_label: str) -> Figure:
    """Draw per cents as bars with their intervals, in the order given."""
    with style.styled():
        placed = Rows([one.label for one in rows], wide, _THICK, [one.words for one in rows])
        figure, axes = style.empty(x_label, "", (wide, placed.high + _AXIS_HIGH))
        placed.name_on(axes)
        ends = [0.0]
        for one, at in zip(rows, placed.at, strict=True):
            if isfinite(one.value):
                bar: Any = {"color": style.BLUE, "alpha": 0.6, "linewidth": 0}
                axes.barh(at, one.value, _BAR * placed.thick, **bar)
                ends.append(one.value)
            if one.interval is not None:
                mark: Any = {"marker": "|", "markersize": 6, "linewidth": 1.3, "clip_on": False}
                axes.plot(one.interval, [at, at], color=style.INK, **mark)
                ends += one.interval
        _finish(axes, min(ends), max(ends), wide)
        axes.grid(visible=False)  # the values are written
        placed.value_on(axes, [written(one.value, 1, "%") for one in rows])
        return figure


def stacked(
    rows: Sequence[tuple[str, Sequence[float]]], parts: Sequence[str], wide: float, *, x_label: str
) -> Figure:
    """Draw bars made of parts, what is below 0 to the left, with the numbers that fit."""
    filled = [(name, [v if isfinite(v) else 0.0 for v in values]) for name, values in rows]
    low = min((sum(min(v, 0.0) for v in values) for _, values in filled), default=0.0)
    high = max((sum(max(v, 0.0) for v in values) for _, values in filled), default=0.0)
    digits = 1 if max(high, -low) < _LONG else 0
    with style.styled():
        placed = Rows([name for name, _ in filled], wide, _THICK)
        figure, axes = style.empty(x_label, "", (wide, 1))
        placed.name_on(axes)
        left, right = _finish(axes, low, high, wide)
        inch = (right - left) / (wide - placed.beside - _EDGES)
        colours = _colours(len(parts))
        for (_, values), at in zip(filled, placed.at, strict=True):
            ends = {True: 0.0, False: 0.0}
            for value, colour in zip(values, colours, strict=True):
                begin = ends[value < 0]
                ends[value < 0] += value
                look: Any = {"color": colour, "edgecolor": style.PAGE, "linewidth": 0.8}
                axes.barh(at, value, _BAR * placed.thick, left=begin, **look)
                text = written(value, digits)
                if style.inches_of(text, _SMALL) + 0.06 < abs(value) / inch:
                    words: Any = {"color": style.text_on(colour), "size": 10 * _SMALL}
                    axes.annotate(text, (begin + value / 2, at), ha="center", va="center", **words)
        keys = [Patch(color=colour, label=p) for p, colour in zip(parts, colours, strict=True)]
        figure.set_size_inches(wide, placed.high + _AXIS_HIGH + explain(figure, keys))
        return figure


def _finish(axes: Axes, low: float, high: float, wide: float) -> tuple[float, float]:
    """Let the axis go from nothing to all there is, and return its ends."""
    air = _AIR * (high - low) or 1.0
    left, right = low - air if low < 0 else 0.0, high + air if high > 0 or not low else 0.0
    axes.set_xlim(left, right)
    axes.axvline(0, color=style.AXIS, linewidth=1)
    axes.grid(visible=False, axis="y")
    axes.locator_params(axis="x", nbins=8 if wide >= style.IS_NARROW else 5)
    return left, right


def _colours(n: int) -> list[tuple[float, float, float, float]]:
    """Return colours of parts, from dark to bright, so that they differ in grey."""
    scale = mpl.colormaps[style.SCALE]
    step = (_BRIGHTEST - _DARKEST) / max(1, n - 1)
    return [scale(_DARKEST + step * place) for place in range(n)]
