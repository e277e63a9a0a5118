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
from herdlab.analysis.figures.parts import style
from herdlab.analysis.figures.parts.legend import LETTERS, SMALL, explain
from herdlab.analysis.words.numbers import spanned
from herdlab.analysis.words.phrases import capital, in_words

Rates = npt.NDArray[np.float64]
_ARROW = 9.0
"""Length of an arrow, in per cent, where a rate gains as much as it can."""
_KEYS_SHARE = 0.34
"""Of the width, for what explains it, where that stands beside."""


def plane_drawing(line_up: Mapping[str, Any], bluff: str) -> Drawing:
    """Return the plane of one table, with its balance; `bluff` says who bluffs how."""
    players = f"{in_words(line_up['players'])} players"
    bluffs, calls = _balance(line_up)
    title = f"With {players} no rates in balance were found"
    if line_up["balance"]["found"]:
        rates = [f"{one[0]:.0f}\N{NO-BREAK SPACE}%" for one in (bluffs, calls)]
        title = f"{capital(players)} are in balance where {rates[0]} of offers are bluffs and "
        title += f"{rates[1]} are called"
    return Drawing(
        title,
        lambda wide: plane(line_up, wide),
        f"Plane of rates: across the share of offers that are bluffs, up the share that the table "
        f"calls, both from 0 to 100 %. Arrows show which way a table moves. The marked point, "
        f"where neither rate moves: bluffs {spanned(bluffs, 1, '%')}, calls "
        f"{spanned(calls, 1, '%')}.",
        f"Each arrow is a table at which all bluff and call at these rates, and points to the "
        f"rates that would win more there, the longer the more. On the solid line bluffing breaks "
        f"even, on the dotted one calling does, both drawn between the tables that were measured. "
        f"The large point is where both do, measured by itself; a box around it, if it is not "
        f"hidden by the point, shows its 95 % intervals. A bluff here {bluff}.",
    )


def plane(line_up: Mapping[str, Any], wide: float) -> Figure:
    """Draw arrows to the better rates, both break-evens, and the balance."""
    is_narrow = wide < style.IS_NARROW
    inner = wide - 0.75 if is_narrow else wide * (1 - _KEYS_SHARE) - 0.8
    labels = ("offers that are bluffs, %", "offers that are called, %")
    keys = _keys(line_up)
    with style.styled():
        figure, axes = style.empty(*labels, (wide, inner + 0.65))
        _draw(axes, line_up)
        if is_narrow:
            figure.set_size_inches(wide, inner + 0.65 + explain(figure, keys))
        else:
            room = _KEYS_SHARE * wide - 0.5
            axes.legend(
                handles=keys,
                labels=[style.wrapped(str(one.get_label()), room, SMALL) for one in keys],
                loc="upper left",
                bbox_to_anchor=(1.01, 1.0),
                fontsize=LETTERS,
                handlelength=1.6,
                labelspacing=1.0,
            )
        return figure


def _balance(line_up: Mapping[str, Any]) -> list[list[float]]:
    """Return the rates of bluffs and of calls, with their intervals, in per cent."""
    return [[100 * one for one in line_up["balance"][name]] for name in ("bluffs", "calls")]


def _draw(axes: Axes, line_up: Mapping[str, Any]) -> None:
    whole = line_up["plane"]
    rates = 100 * np.array(whole["rates"])
    both = ("bluffing_gains", "calling_gains")
    bluffing, calling = (np.array(whole[name]).T for name in both)  # rows are the rates of calls
    _arrows(axes, rates, bluffing, calling)
    solid: dict[str, Any] = {"colors": style.BLUE, "linestyles": "solid"}
    dotted: dict[str, Any] = {"colors": style.ORANGE, "linestyles": "dotted"}
    for gains, look in ((bluffing, solid), (calling, dotted)):
        if gains.min() < 0 < gains.max():
            axes.contour(rates, rates, gains, levels=[0.0], linewidths=2.2, **look)
    (x, left, right), (y, low, high) = _balance(line_up)
    size = (right - left, high - low)
    axes.add_patch(Rectangle((left, low), *size, color=style.VERMILLION, alpha=0.35, linewidth=0))
    axes.plot([x], [y], "o", color=style.VERMILLION, markersize=7, zorder=5)
    ticks = range(0, 101, 20)
    axes.set(xlim=(-8, 108), ylim=(-8, 108), xticks=ticks, yticks=ticks)


def _arrows(axes: Axes, rates: Rates, bluffing: Rates, calling: Rates) -> None:
    """Draw at each table which way its rates move, as far as they can."""
    x, y = np.meshgrid(rates, rates)
    most = max(np.abs(bluffing).max(), np.abs(calling).max()) or 1.0
    along = [_held(gains / most, at) for gains, at in ((bluffing, x), (calling, y))]
    look: dict[str, Any] = {"color": style.GREY, "width": 0.006, "pivot": "tail", "zorder": 3}
    in_data: dict[str, Any] = {"angles": "xy", "scale_units": "xy", "scale": 1}
    axes.quiver(x, y, *(_ARROW * one for one in along), **look, **in_data)


def _held(pull: Rates, at: Rates) -> Rates:
    """Return the pull, but for one beyond 0 or 100 %; square roots, so that small ones are seen."""
    free = ~(((at <= 0) & (pull < 0)) | ((at >= 100) & (pull > 0)))  # noqa: PLR2004
    found: Rates = np.sign(pull) * np.sqrt(np.abs(pull)) * free
    return found


def _keys(line_up: Mapping[str, Any]) -> list[Line2D]:
    bluffs, calls = (spanned(one, 1, "%") for one in _balance(line_up))
    is_found = "in balance" if line_up["balance"]["found"] else "nearest to a balance"
    looks: dict[str, dict[str, Any]] = {
        f"{is_found}: bluff {bluffs}, call {calls}": {
            "color": style.VERMILLION,
            "marker": "o",
            "linestyle": "none",
        },
        "bluffing breaks even": {"color": style.BLUE, "linewidth": 2.2},
        "calling breaks even": {"color": style.ORANGE, "linewidth": 2.2, "linestyle": "dotted"},
        "to rates that win more at such a table": {
            "color": style.GREY,
            "marker": ">",
            "markersize": 5,
        },
    }
    return [Line2D([], [], label=label, **look) for label, look in looks.items()]
