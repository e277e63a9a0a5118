"""The figure that most answers need: findings one below the other, with their intervals.

A *forest plot*: each finding is a dot with its interval beside a line at nothing, coloured by the
side of it on which the whole interval lies.
"""

from collections.abc import Sequence
from itertools import groupby
from math import isfinite
from textwrap import fill

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from analysis.figures import BLUE, GREY, ORANGE, STYLE, VERMILLION
from analysis.questions.asking import Finding

_LETTER = 0.085
"""Inches that a letter takes."""
_ROW = 0.27
_PLOT_INCHES = 4.6
_MOST_LETTERS = 44


def forest(
    findings: Sequence[Finding],
    *,
    title: str,
    x_label: str,
    above: str,
    below: str,
    zero: float = 0.0,
    margin: float | None = None,
) -> Figure:
    """Draw findings of one unit by section, with a line at `zero` and a band of ± `margin`.

    `above` and `below` say what it means to lie wholly on either side of the line.  Exact figures
    are diamonds; those without a value are left out.
    """
    drawn = [one for one in findings if one.value is not None]
    headed = [name for name, _ in groupby(drawn, lambda one: one.section) if name]
    labels = [fill(one.label, _MOST_LETTERS) for one in drawn] + headed
    letters = max((len(line) for label in labels for line in label.split("\n")), default=0)
    wide = _PLOT_INCHES + _LETTER * min(letters, _MOST_LETTERS)
    with mpl.rc_context(STYLE):
        figure = Figure(
            figsize=(wide, 1.7 + _ROW * (len(drawn) + 1.4 * len(headed))), layout="constrained"
        )
        heading = fill(title, int(wide / (1.15 * _LETTER)))
        figure.suptitle(heading, x=0.015, ha="left", size=12)
        axes = figure.add_subplot()
        axes.set_xlabel(x_label)
        forest_on(axes, drawn, zero, margin)
        handles = forest_legend(drawn, zero, above, below, margin)
        figure.legend(handles=handles, loc="outside lower left", ncols=2)
        return figure


def forest_on(
    axes: Axes, findings: Sequence[Finding], zero: float = 0.0, margin: float | None = None
) -> None:
    """Draw findings that have values into `axes`, by section, for a figure of several parts."""
    sections = [(name, list(rows)) for name, rows in groupby(findings, lambda one: one.section)]
    if margin is not None:
        axes.axvspan(zero - margin, zero + margin, color=ORANGE, alpha=0.16, linewidth=0)
    axes.axvline(zero, color=GREY, linestyle="--", linewidth=1.2)
    bottom = _rows(axes, sections, zero)
    axes.set_ylim(bottom, -0.8)
    axes.grid(visible=False, axis="y")


def _rows(axes: Axes, sections: list[tuple[str, list[Finding]]], zero: float) -> float:
    """Draw the findings from the top down; return where they end."""
    at, places, names = 0.0, [], []
    for section, findings in sections:
        if section:
            axes.annotate(
                section,
                (0, at),
                (-4, 0),
                xycoords=("axes fraction", "data"),
                textcoords="offset points",
                ha="right",
                va="center",
                weight="bold",
            )
            at += 1
        for one in findings:
            assert one.value is not None
            colour = _colour(one, zero)
            if one.is_exact:
                axes.plot([one.value], [at], "D", color=colour, markersize=6)
            else:
                if one.low is not None and one.high is not None and isfinite(one.high - one.low):
                    axes.hlines(at, one.low, one.high, color=colour, alpha=0.5, linewidth=2.5)
                axes.plot([one.value], [at], "o", color=colour, markersize=5)
            places.append(at)
            names.append(fill(one.label, _MOST_LETTERS))
            at += 1
        at += 0.4 if section else 0.0
    axes.set_yticks(places, names)
    return at - 0.2


def _side(one: Finding, zero: float) -> int:
    """Return 1 or -1 where a whole interval lies above or below `zero`, otherwise 0."""
    if one.low is None or one.high is None:
        return 0
    return int(one.low > zero) - int(one.high < zero)


def _colour(one: Finding, zero: float) -> str:
    return {1: BLUE, -1: VERMILLION, 0: GREY}[_side(one, zero)]


def forest_legend(
    drawn: Sequence[Finding], zero: float, above: str, below: str, margin: float | None
) -> list[Line2D | Patch]:
    """Return what explains the colours and marks that were used."""
    handles: list[Line2D | Patch] = []
    sides = {_side(one, zero) for one in drawn if not one.is_exact}
    for side, colour, words in (
        (1, BLUE, above),
        (-1, VERMILLION, below),
        (0, GREY, "not told apart from the line"),
    ):
        if side in sides:
            handles.append(
                Line2D([], [], color=colour, marker="o", markersize=5, linewidth=2.5, label=words)
            )
    if any(one.is_exact for one in drawn):
        handles.append(Line2D([], [], color=GREY, marker="D", linestyle="none", label="exact"))
    if margin is not None:
        handles.append(Patch(color=ORANGE, alpha=0.16, label="too small to matter"))
    return handles
