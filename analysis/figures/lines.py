"""Pictures of answers: several measured lines over one axis, with their intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import ScaledTranslation

from herdlab.analysis.figures.drawing import Drawing
from herdlab.analysis.figures.parts import style
from herdlab.analysis.figures.parts.legend import End, name_or_explain
from herdlab.analysis.words.numbers import spanned

_HIGH = 3.6
"""Inches, of the axes with their names."""
_BELOW = 0.65
"""Of that, below the axes."""
_ASIDE, _POINTS_AN_INCH = 4.0, 72
"""Points from one line's bars to those of the next."""
_NAMES_SHARE = 0.24
"""Of the width, for the names at the ends of lines."""


@dataclass(frozen=True)
class Line:
    """Measured values over the axis, each with its interval: (value, low, high)."""

    label: str
    x: Sequence[float]
    values: Sequence[Sequence[float]]


@dataclass(frozen=True)
class Pane:
    """Lines that belong together."""

    lines: Sequence[Line]
    x_label: str
    y_label: str
    zero: str
    """What lies at nothing, which all are compared with."""
    is_log: bool = False
    ticks: Sequence[tuple[float, str]] = ()
    """Names for places of the axis; the values of the lines if there are none."""


def lines_drawing(pane: Pane, title: str, caption: str = "") -> Drawing:
    """Return lines with their words; `caption` says what is special about these."""
    names, told = dict(_ticks(pane)), []
    for line in pane.lines:
        points = [
            f"{spanned(values, 1, sign='+')} at {names.get(x, f'{x:g}')}"
            for x, values in zip(line.x, line.values, strict=True)
        ]
        told.append(f"{line.label}: {', '.join(points)}")
    said = [caption] if caption else []
    said.append(
        f"The dashed line is {pane.zero}; bars are the intervals, which hold with 95 % for "
        f"the whole figure together."
    )
    return Drawing(
        title,
        lambda wide: draw_lines(pane, wide),
        f"Line chart; across: {pane.x_label}; up: {pane.y_label}. {'. '.join(told)}.",
        " ".join(said),
    )


def draw_lines(pane: Pane, wide: float) -> Figure:
    """Draw the lines with their names at their ends; where there is no room, in a legend."""
    with style.styled():
        figure, axes = style.empty(pane.x_label, pane.y_label, (wide, _HIGH))
        axes.axhline(0, color=style.GREY, linestyle="--", linewidth=1.2, label=pane.zero)
        if pane.is_log:
            axes.set_xscale("log")
            axes.minorticks_off()
        for place, line in enumerate(pane.lines):
            _draw(figure, axes, line, place, len(pane.lines))
        ticks = _ticks(pane)
        axes.set_xticks([x for x, _ in ticks], [name for _, name in ticks])
        axes.set_xlim(axes.get_xlim())
        axes.set_ylim(axes.get_ylim())
        zero, *lines = axes.lines
        name_or_explain(figure, axes, _ends(pane, wide), [*lines, zero], _HIGH - _BELOW)
        return figure


def _draw(figure: Figure, axes: Axes, line: Line, place: int, n: int) -> None:
    """Draw a line and its intervals, a little beside those of the others."""
    inches = _ASIDE * (place - (n - 1) / 2) / _POINTS_AN_INCH
    aside = ScaledTranslation(inches, 0, figure.dpi_scale_trans)
    how: dict[str, Any] = {"color": _colour(place), "transform": axes.transData + aside}
    value, low, high = zip(*line.values, strict=True)
    axes.vlines(line.x, low, high, alpha=0.5, linewidth=2.2, **how)
    mark = style.MARKERS[place % len(style.MARKERS)]
    axes.plot(line.x, value, marker=mark, markersize=5, linewidth=1.4, label=line.label, **how)
    axes.update_datalim([(x, y) for x, ends in zip(line.x, line.values, strict=True) for y in ends])
    axes.autoscale_view()


def _ends(pane: Pane, wide: float) -> list[End]:
    """Return where the lines end, and what they are compared with."""
    found = [
        (line.x[-1], line.values[-1][0], line.label, _colour(place))
        for place, line in enumerate(pane.lines)
    ]
    found.append((max(line.x[-1] for line in pane.lines), 0.0, pane.zero, style.GREY))
    return [
        End(x, y, style.wrapped(name, _NAMES_SHARE * wide), colour) for x, y, name, colour in found
    ]


def _colour(place: int) -> str:
    return style.COLOURS[place % len(style.COLOURS)]


def _ticks(pane: Pane) -> Sequence[tuple[float, str]]:
    at = sorted({x for line in pane.lines for x in line.x})
    return pane.ticks or [(x, f"{x:g}") for x in at]
