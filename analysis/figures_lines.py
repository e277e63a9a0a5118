"""Figures of answers: several measured lines over one axis, with their intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.figures import BLUE, GREY, ORANGE, STYLE, VERMILLION

_GREEN, _PURPLE = "#009E73", "#CC79A7"
"""More of Okabe's and Ito's colours."""
_COLOURS = (BLUE, VERMILLION, ORANGE, _GREEN, _PURPLE, GREY)
_MARKERS = "osD^vX"
_LETTER = 0.085
_WIDE, _HIGH = 5.6, 4.6


@dataclass(frozen=True)
class Line:
    """Measured values over the axis, each with its interval: (value, low, high)."""

    label: str
    x: Sequence[float]
    values: Sequence[tuple[float, float, float]]


@dataclass(frozen=True)
class Pane:
    """Lines that belong together."""

    lines: Sequence[Line]
    title: str
    """What is to be seen, in a line."""
    x_label: str
    y_label: str
    zero: str
    """What lies at nothing, which all are compared with."""
    is_log: bool = False
    ticks: Sequence[tuple[float, str]] = ()
    """Names for places of the axis; the values of the lines if there are none."""


def draw_panes(panes: Sequence[Pane], *, title: str) -> Figure:
    """Draw one pane, or several side by side."""
    with mpl.rc_context(STYLE):
        wide = _WIDE * len(panes) + (1.4 if len(panes) == 1 else 0)
        figure = Figure(figsize=(wide, _HIGH), layout="constrained")
        figure.suptitle(fill(title, int(wide / (1.2 * _LETTER))), x=0.015, ha="left", size=12)
        for axes, pane in zip(figure.subplots(1, len(panes), squeeze=False)[0], panes, strict=True):
            _draw(axes, pane)
        return figure


def _draw(axes: Axes, pane: Pane) -> None:
    if pane.title:
        axes.set_title(pane.title, size=10, loc="left")
    axes.set_xlabel(pane.x_label)
    axes.set_ylabel(fill(pane.y_label, int(0.75 * _HIGH / _LETTER)))
    axes.axhline(0, color=GREY, linestyle="--", linewidth=1.2, label=pane.zero)
    if pane.is_log:
        axes.set_xscale("log")
        axes.minorticks_off()
    for place, line in enumerate(pane.lines):
        colour = _COLOURS[place % len(_COLOURS)]
        value, low, high = zip(*line.values, strict=True)
        axes.fill_between(line.x, low, high, color=colour, alpha=0.2, linewidth=0)
        axes.plot(
            line.x,
            value,
            color=colour,
            marker=_MARKERS[place % len(_MARKERS)],
            markersize=5,
            linewidth=1.4,
            label=line.label,
        )
    at = sorted({x for line in pane.lines for x in line.x})
    ticks = pane.ticks or [(x, f"{x:g}") for x in at]
    axes.set_xticks([x for x, _ in ticks], [name for _, name in ticks])
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.17), ncols=2, fontsize=9)
