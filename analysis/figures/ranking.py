"""A ranking: values with their intervals one below the other, the best on top.

For win rates by seat or strategy, and for ratings.  Each value is written at the end of its row.
"""

from collections.abc import Sequence
from math import inf, isfinite
from typing import Any, Literal

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from herdlab.analysis.figures.drawing import Drawing
from herdlab.analysis.figures.parts import style
from herdlab.analysis.figures.parts.legend import explain, high_of
from herdlab.analysis.figures.parts.rows import Measured, Rows
from herdlab.analysis.words.numbers import written

Side = Literal["left", "center", "right"]

_THICK = 0.19
_EDGES = 0.4
"""Inches of the width that are no axis, beside names and values."""
_AIR = 0.05
"""Of the axis: what it goes on beyond the data."""


def ranking_drawing(
    rows: Sequence[Measured],
    title: str,
    *,
    what: str,
    intervals: str = "95 % intervals",
    more: str = "",
    most_told: int | None = None,
    sign: str = "-",
    **how: Any,
) -> Drawing:
    """Return a ranking with its words: `what` its dots are, and `more` to be said of it.

    `how` it is drawn, `ranking` knows.
    """
    label, line = how.get("line_label"), how.get("line")
    shown = sorted(rows, key=lambda one: -one.value)[:most_told]
    told = [one.told(how.get("digits", 1), how.get("unit", ""), sign) for one in shown]
    told += ["and so on"] if len(shown) < len(rows) else []
    told += [] if line is None else [f"{label} {line:.4g}"]
    dashed = "" if line is None else f"; the dashed line is the {label}"
    if any(one.only_end is not None for one in rows):
        more = f" A bar to the edge goes on beyond it.{more}"
    return Drawing(
        title,
        lambda wide: ranking(rows, wide, **how),
        f"Dots with their intervals, the highest on top: {'; '.join(told)}.",
        f"Dots are {what}, bars their {intervals} where wider than a dot{dashed}.{more}",
    )


def ranking(
    rows: Sequence[Measured],
    wide: float,
    *,
    x_label: str,
    unit: str = "",
    digits: int = 1,
    line: float | None = None,
    line_label: str = "",
) -> Figure:
    """Draw values as dots with intervals, the highest on top, with a dashed line."""
    rows = sorted(rows, key=lambda one: -one.value if isfinite(one.value) else inf)
    with style.styled():
        placed = Rows([one.label for one in rows], wide, _THICK)
        values = [written(one.value, digits, unit) for one in rows]
        figure, axes = style.empty(x_label, "", (wide, 1))
        placed.name_on(axes)
        axes.grid(visible=False, axis="x")
        ends = axes.set_xlim(_limits(rows, line, unit))
        beside = placed.beside, style.longest(values, placed.size)
        over = 0.0 if line is None else _draw_line(axes, line, line_label, wide, beside)
        for one, at in zip(rows, placed.at, strict=True):
            _draw_row(axes, one, at, 5 * placed.size)
        placed.value_on(axes, values)
        axes.locator_params(axis="x", nbins=6 if placed.is_beside else 4)
        unknown = any(isfinite(one.value) and one.drawn(ends) is None for one in rows)
        keys = [Line2D([], [], **_dot(is_hollow=True), label="interval unknown")] if unknown else []
        figure.set_size_inches(wide, placed.high + 0.62 + over + explain(figure, keys))
        return figure


def _limits(rows: Sequence[Measured], line: float | None, unit: str) -> tuple[float, float]:
    """Return the ends of the axis: the data with some air, but no rates below 0 or above 100 %."""
    shown = [one.value for one in rows if isfinite(one.value)]
    shown += [end for one in rows for end in one.interval or (one.only_end,) if end is not None]
    shown += [] if line is None else [line]
    low, high = min(shown, default=0.0), max(shown, default=1.0)
    air = _AIR * (high - low) or max(1.0, abs(high)) * 0.05
    left, right = low - air, high + air
    if unit == "%":
        left, right = max(left, min(low, 0.0)), min(right, max(high, 100.0))
    return left, right


def _draw_line(
    axes: Axes, line: float, label: str, wide: float, beside: tuple[float, float]
) -> float:
    """Draw a dashed line over all rows, and say once what it is; return how high that is.

    The axes have so many inches `beside` them, left and right.
    """
    axes.axvline(line, color=style.GREY, linestyle=(0, (4, 3)), linewidth=1.1, zorder=1.5)
    if not label:
        return 0.0
    across, (low, high) = wide - sum(beside) - _EDGES, axes.get_xlim()
    place = (line - low) / (high - low)
    left, right = beside[0] + place * across, (1 - place) * across + beside[1]
    side: Side = "center"
    if style.inches_of(label) >= 2 * min(left, right):
        label, side = style.wrapped(label, max(left, right)), "left" if right > left else "right"
    where: dict[str, Any] = {"xycoords": ("data", "axes fraction"), "annotation_clip": False}
    look: dict[str, Any] = {"ha": side, "va": "bottom", "color": style.GREY}
    axes.annotate(label, (line, 1), (0, 3), textcoords="offset points", **where, **look)
    return high_of(label) + 0.05


def _draw_row(axes: Axes, one: Measured, at: float, size: float) -> None:
    drawn = one.drawn(axes.get_xlim())
    if drawn is not None:
        bar: dict[str, Any] = {"color": style.BLUE, "alpha": 0.45, "linewidth": 0.6 * size}
        axes.plot(drawn, [at, at], **bar, solid_capstyle="butt", clip_on=False)
    if isfinite(one.value):
        axes.plot([one.value], [at], **_dot(size, is_hollow=drawn is None))


def _dot(size: float = 5, *, is_hollow: bool) -> dict[str, Any]:
    return {
        "color": style.BLUE,
        "marker": "o",
        "markersize": size + 0.5,
        "markerfacecolor": style.PAGE if is_hollow else style.BLUE,
        "linestyle": "none",
        "clip_on": False,
        "zorder": 3,
    }
