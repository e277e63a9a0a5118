"""The picture of the Guard Dog's answer: when to buy, and what buying does to the win rate."""

from collections.abc import Sequence
from dataclasses import replace
from textwrap import fill
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from analysis.compare import MARGIN_OF_WIN
from analysis.figures import GREY, STYLE
from analysis.figures_answers import forest, forest_legend, forest_on
from analysis.questions.asking import POINTS, Finding
from analysis.questions.guard_dog_findings import ELSEWHERE, HABITS

if TYPE_CHECKING:
    from analysis.questions.asking import Answer

_COLOURS = "PuOr"
"""From orange, where buying costs turns, to purple, where it saves some."""
_SHARE_IN_SCALE = 0.9
"""Of the cells; those beyond have the colour of the end."""
_DARK = 0.6
_ROW = 0.29


def draw_answer(answer: "Answer") -> Figure:
    """Draw the map of rabbits and sheep beside the win rates; without dogs, what there is."""
    if "exact" not in answer.data:
        return forest(
            answer.findings,
            title=_title(answer),
            x_label="turns",
            above="",
            below="",
            zero=0.0,
        )
    shown = _shown(answer.findings)
    high = max(6.4, 1.9 + _ROW * (len(shown) + 3))
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(14.0, high), layout="constrained")
        figure.suptitle(fill(_title(answer), 110), x=0.01, ha="left", size=14)
        left, right = figure.subplots(1, 2, width_ratios=(1.25, 1))
        _map(figure, left, answer.data["exact"]["maps"]["nothing more"])
        forest_on(right, shown, margin=100 * MARGIN_OF_WIN)
        right.set_xlabel("win rate of one who buys, less that of one who never does, % points")
        handles = forest_legend(shown, 0.0, "buying gains", "buying loses", 100 * MARGIN_OF_WIN)
        right.legend(handles=handles, loc="upper left", bbox_to_anchor=(0.0, -0.11), ncols=2)
        return figure


def _title(answer: "Answer") -> str:
    return f"Is the Guard Dog worth it?  {answer.verdict.split('. ')[0].rstrip('.')}."


def _shown(findings: Sequence[Finding]) -> list[Finding]:
    """Return the win rates that matter most, under shorter headings."""
    headings = {HABITS: "By when he buys", ELSEWHERE: "When he can spare it, 3 players"}
    return [
        replace(one, section=headings[one.section])
        for one in findings
        if one.section in headings and one.unit == POINTS and one.value is not None
    ]


def _map(figure: Figure, axes: Axes, cells: list[list[float | None]]) -> None:
    """Draw what buying saves by rabbits (across) and sheep (up), right moments outlined."""
    values = np.array(cells, dtype=float).T
    known = np.abs(values[np.isfinite(values)])
    limit = float(np.quantile(known, _SHARE_IN_SCALE)) if known.size else 1.0
    limit = limit or 1.0
    edges: dict[str, Any] = {"edgecolors": "white", "linewidth": 0.8}
    mesh = axes.pcolormesh(values, cmap=_COLOURS, vmin=-limit, vmax=limit, **edges)
    axes.set_facecolor("#EEEEEE")
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    axes.set_xticks(np.arange(values.shape[1]) + 0.5, [str(n + 1) for n in range(values.shape[1])])
    axes.set_yticks(np.arange(values.shape[0]) + 0.5, [str(n + 1) for n in range(values.shape[0])])
    axes.set_xlabel("rabbits")
    axes.set_ylabel("sheep")
    axes.set_title(
        "Turns that buying a dog saves, with these rabbits and sheep and nothing else\n"
        "(beside the best other move before the roll; exact)",
        loc="left",
        size=10.5,
    )
    _write(axes, values, limit)
    bar = figure.colorbar(mesh, ax=axes, extend="both", shrink=0.85, pad=0.02)
    bar.set_label("turns saved (below 0: lost)")
    bar.outline.set_visible(False)
    if (values > 0).any():
        frame = Patch(facecolor="none", edgecolor="black", linewidth=2, label="buy")
        axes.legend(handles=[frame], loc="upper left", bbox_to_anchor=(0.0, -0.11))
    else:
        axes.annotate(
            "Nowhere on this map is buying the fastest move.",
            (0, -0.13),
            xycoords="axes fraction",
            va="top",
            color=GREY,
        )


def _write(axes: Axes, values: npt.NDArray[np.float64], limit: float) -> None:
    """Write each value into its cell, and outline those where buying is right."""
    digits = 2 if limit < 1 else 1
    for (row, column), value in np.ndenumerate(values):
        if not np.isfinite(value):
            continue
        colour = "white" if abs(value) > _DARK * limit else "black"
        text = f"{value:+.{digits}f}".replace("-", "\N{MINUS SIGN}")
        middle = (column + 0.5, row + 0.5)
        axes.text(*middle, text, color=colour, ha="center", va="center", size=8.5)
        if value > 0:
            inside = (column + 0.05, row + 0.05)
            box = Rectangle(inside, 0.9, 0.9, fill=False, edgecolor="black", linewidth=2)
            axes.add_patch(box)
