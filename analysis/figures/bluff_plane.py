"""The picture of bluffing and calling: the plane of their rates, and which way a table moves."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from herdlab.analysis.figures.drawing import Drawing
from herdlab.analysis.figures.parts.legend import LETTERS, SMALL, explain
from herdlab.analysis.figures.parts.style import (
    BLUE,
    GREY,
    IS_NARROW,
    ORANGE,
    VERMILLION,
    empty,
    spanned,
    styled,
    wrapped,
)
from herdlab.analysis.words.phrases import in_words

_ARROW = 9.0
"""Length of an arrow, in per cent, where a rate gains as much as it can."""
_KEYS_SHARE = 0.34
"""Of the width, for what explains it, where that stands beside."""


def plane_drawing(line_up: Mapping[str, Any], bluff: str) -> Drawing:
    """Return the plane of one table, with its balance; `bluff` says who bluffs how."""
    players = f"{in_words(line_up['players'])} players"
    at = _balance(line_up)
    return Drawing(
        f"{players[0].upper()}{players[1:]} are in balance where {_rates(line_up)}"
        if line_up["balance"]["found"]
        else f"With {players} no rates in balance were found",
        lambda wide: plane(line_up, wide),
        f"Plane of rates: across the share of offers that are bluffs, up the share that the table "
        f"calls, both from 0 to 100 %. Arrows show which way a table moves. The marked point, "
        f"where neither rate moves: bluffs {spanned(at['bluffs'], 1, '%')}, calls "
        f"{spanned(at['calls'], 1, '%')}.",
        f"Each arrow is a table at which all bluff and call at these rates, and points to the "
        f"rates that would win more there, the longer the more. On the solid line bluffing breaks "
        f"even, on the dotted one calling does, both drawn between the tables that were measured. "
        f"The large point is where both do, measured by itself; a box around it, if it is not "
        f"hidden by the point, shows its 95 % intervals. A bluff here {bluff}.",
    )


def plane(line_up: Mapping[str, Any], wide: float) -> Figure:
    """Draw arrows to the better rates, both break-evens, and the balance."""
    is_narrow = wide < IS_NARROW
    inner = wide - 0.75 if is_narrow else wide * (1 - _KEYS_SHARE) - 0.8
    labels = ("offers that are bluffs, %", "offers that are called, %")
    keys = _keys(line_up)
    with styled():
        figure, axes = empty(*labels, (wide, inner + 0.65))
        _draw(axes, line_up)
        if is_narrow:
            figure.set_size_inches(wide, inner + 0.65 + explain(figure, keys))
        else:
            room = _KEYS_SHARE * wide - 0.5
            axes.legend(
                handles=keys,
                labels=[wrapped(str(one.get_label()), room, SMALL) for one in keys],
                loc="upper left",
                bbox_to_anchor=(1.01, 1.0),
                fontsize=LETTERS,
                handlelength=1.6,
                labelspacing=1.0,
            )
        return figure


def _balance(line_up: Mapping[str, Any]) -> dict[str, list[float]]:
    return {name: [100 * one for one in line_up["balance"][name]] for name in ("bluffs", "calls")}


def _rates(line_up: Mapping[str, Any]) -> str:
    bluffs, calls = _balance(line_up).values()
    bluffing, calling = (f"{one[0]:.0f}\N{NO-BREAK SPACE}%" for one in (bluffs, calls))
    return f"{bluffing} of offers are bluffs and {calling} are called"


def _draw(axes: Axes, line_up: Mapping[str, Any]) -> None:
    whole = line_up["plane"]
    rates = 100 * np.array(whole["rates"])
    bluffing, calling = (
        np.array(whole[name]).T for name in ("bluffing_gains", "calling_gains")
    )  # rows are the rates of calls
    _arrows(axes, rates, bluffing, calling)
    for gains, colour, dashes in ((bluffing, BLUE, "solid"), (calling, ORANGE, "dotted")):
        if gains.min() < 0 < gains.max():
            axes.contour(
                rates, rates, gains, levels=[0.0], colors=colour, linewidths=2.2, linestyles=dashes
            )
    (x, left, right), (y, low, high) = _balance(line_up).values()
    size = (right - left, high - low)
    axes.add_patch(Rectangle((left, low), *size, color=VERMILLION, alpha=0.35, linewidth=0))
    axes.plot([x], [y], "o", color=VERMILLION, markersize=7, zorder=5)
    axes.set_xlim(-8, 108)
    axes.set_ylim(-8, 108)
    ticks = range(0, 101, 20)
    axes.set_xticks(ticks)
    axes.set_yticks(ticks)


def _arrows(
    axes: Axes,
    rates: npt.NDArray[np.float64],
    bluffing: npt.NDArray[np.float64],
    calling: npt.NDArray[np.float64],
) -> None:
    """Draw at each table which way its rates move, as far as they can."""
    x, y = np.meshgrid(rates, rates)
    most = max(np.abs(bluffing).max(), np.abs(calling).max()) or 1.0
    along = [_held(gains / most, at) for gains, at in ((bluffing, x), (calling, y))]
    axes.quiver(
        x,
        y,
        *(_ARROW * one for one in along),
        color=GREY,
        angles="xy",
        scale_units="xy",
        scale=1,
        width=0.006,
        pivot="tail",
        zorder=3,
    )


def _held(pull: npt.NDArray[np.float64], at: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the pull, but for one beyond 0 or 100 %; square roots, so that small ones are seen."""
    free = ~(((at <= 0) & (pull < 0)) | ((at >= 100) & (pull > 0)))  # noqa: PLR2004
    found: npt.NDArray[np.float64] = np.sign(pull) * np.sqrt(np.abs(pull)) * free
    return found


def _keys(line_up: Mapping[str, Any]) -> list[Line2D]:
    bluffs, calls = (spanned(one, 1, "%") for one in _balance(line_up).values())
    arrow: dict[str, Any] = {"marker": ">", "markersize": 5}
    balance = f"in balance: bluff {bluffs}, call {calls}"
    if not line_up["balance"]["found"]:
        balance = f"nearest to a balance: bluff {bluffs}, call {calls}"
    return [
        Line2D([], [], color=VERMILLION, marker="o", linestyle="none", label=balance),
        Line2D([], [], color=BLUE, linewidth=2.2, label="bluffing breaks even"),
        Line2D(
            [], [], color=ORANGE, linewidth=2.2, linestyle="dotted", label="calling breaks even"
        ),
        Line2D([], [], color=GREY, label="to rates that win more at such a table", **arrow),
    ]
