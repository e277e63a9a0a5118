"""The picture of bluffing and calling: the plane of their rates, and which way a table moves."""

from collections.abc import Sequence
from textwrap import fill
from typing import Any

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from analysis.figures import BLUE, GREY, ORANGE, STYLE, VERMILLION
from analysis.questions.wording import in_words

_INCHES, _LETTER = 4.4, 0.1
_MIDDLE = 50
_ARROW = 9.0
"""Length of an arrow, in per cent, where a rate gains as much as it can."""


def draw_planes(tables: Sequence[dict[str, Any]], title: str) -> Figure:
    """Draw one plane a table: arrows to the better rate, both break-evens, and the balance."""
    with mpl.rc_context(STYLE):
        wide = 0.7 + _INCHES * len(tables)
        figure = Figure(figsize=(wide, _INCHES + 1.5), layout="constrained")
        figure.suptitle(fill(title, int(wide / _LETTER)), x=0.015, ha="left", size=12)
        axes = figure.subplots(1, len(tables), sharey=True, squeeze=False)[0]
        for one, table in zip(axes, tables, strict=True):
            _plane(one, table)
        axes[0].set_ylabel("share of offers that the table calls, %")
        figure.legend(handles=_legend(), loc="outside lower left", ncols=2)
        return figure


def _plane(axes: Axes, table: dict[str, Any]) -> None:
    plane = table["plane"]
    rates = 100 * np.array(plane["rates"])
    bluffing, calling = (
        np.array(plane[name]).T for name in ("bluffing_gains", "calling_gains")
    )  # rows are the rates of calls
    axes.set_title(f"{in_words(table['players'])} players", loc="left", size=10)
    _arrows(axes, rates, bluffing, calling)
    for gains, colour in ((bluffing, BLUE), (calling, ORANGE)):
        axes.contour(rates, rates, gains, levels=[0.0], colors=colour, linewidths=2)
    (x, left, right), (y, low, high) = (
        [100 * one for one in table["balance"][name]] for name in ("bluffs", "calls")
    )
    size = (right - left, high - low)
    axes.add_patch(Rectangle((left, low), *size, color=VERMILLION, alpha=0.35, linewidth=0))
    axes.plot([x], [y], "o", color=VERMILLION, markersize=6, zorder=5)
    axes.annotate(
        f"bluff {x:.1f} % ({left:.1f} to {right:.1f})\ncall {y:.1f} % ({low:.1f} to {high:.1f})",
        (x, y),
        (x + 8, y + (33 if y < _MIDDLE else -33)),
        color=VERMILLION,
        arrowprops={"arrowstyle": "-", "color": VERMILLION},
        bbox={"facecolor": "white", "edgecolor": VERMILLION, "linewidth": 0.8, "pad": 3},
        zorder=6,
    )
    axes.set_xlim(-8, 108)
    axes.set_ylim(-8, 108)
    axes.set_xlabel("share of offers that are bluffs, %")


def _arrows(
    axes: Axes,
    rates: npt.NDArray[np.float64],
    bluffing: npt.NDArray[np.float64],
    calling: npt.NDArray[np.float64],
) -> None:
    """Draw at each table which way its rates move, as far as they can."""
    x, y = np.meshgrid(rates, rates)
    most = max(np.abs(bluffing).max(), np.abs(calling).max())
    along = [_held(gains / most, at) for gains, at in ((bluffing, x), (calling, y))]
    axes.quiver(
        x,
        y,
        *(_ARROW * one for one in along),
        color=GREY,
        angles="xy",
        scale_units="xy",
        scale=1,
        width=0.005,
        pivot="tail",
        zorder=3,
    )


def _held(pull: npt.NDArray[np.float64], at: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the pull, but for one beyond 0 or 100 %; square roots, so that small ones are seen."""
    free = ~(((at <= 0) & (pull < 0)) | ((at >= 100) & (pull > 0)))  # noqa: PLR2004
    found: npt.NDArray[np.float64] = np.sign(pull) * np.sqrt(np.abs(pull)) * free
    return found


def _legend() -> list[Any]:
    arrow: dict[str, Any] = {"marker": ">", "markersize": 5}
    return [
        Line2D([], [], color=BLUE, linewidth=2, label="bluffing breaks even"),
        Line2D([], [], color=ORANGE, linewidth=2, label="calling breaks even"),
        Line2D([], [], color=GREY, label="to the rates that win more at such a table", **arrow),
        Line2D([], [], color=VERMILLION, marker="o", linestyle="none", label="in balance"),
    ]
