"""Courses: what happens over the turns of a game, a line for each strategy, with bands.

For shares of games finished by a turn, and for own pieces over beats.  Lines are named at their
ends where there is room; dashes and marks tell them apart in grey, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from herdlab.analysis.figures.parts import style
from herdlab.analysis.figures.parts.legend import End, name_or_explain

_HIGH, _NARROW_HIGH = 3.0, 2.5
"""Inches of the axes."""
_AXIS_HIGH = 0.62
"""Inches below them."""
_MOST_NAMED = 7
"""More lines than so many have a legend instead of names at their ends."""
_NAME_SHARE = 0.26
"""Of a figure's width: what names at ends of lines take at most."""
_DASHES: tuple[Any, ...] = ("-", (0, (6, 2)), (0, (2, 1.5)), (0, (7, 2, 1.5, 2)))
_MARKS = 6
"""Marks that a line has, about."""


@dataclass(frozen=True)
class Course:
    """A line: its places, and a band from `low` to `high`, if there is one."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None
    mark: float | None = None
    """Where on the x axis it is marked, say at its median."""

    @property
    def end(self) -> tuple[float, float] | None:
        """Its last place that is known."""
        known = [(x, y) for x, y in zip(self.x, self.y, strict=True) if np.isfinite(y)]
        return known[-1] if known else None


def courses(
    lines: Sequence[Course],
    wide: float,
    *,
    x_label: str,
    y_label: str,
    is_step: bool = False,
    zero_to: tuple[float, float] | None = None,
) -> Figure:
    """Draw lines over time, as steps if they are; `zero_to` are the ends of the y axis."""
    is_narrow = wide < style.IS_NARROW
    high = _NARROW_HIGH if is_narrow else _HIGH
    with style.styled():
        figure, axes = style.empty(x_label, "", (wide, high + _AXIS_HIGH))
        axes.set_ylabel(style.wrapped(y_label, high))
        axes.grid(visible=False, axis="x")
        looks = [_look(place) for place in range(len(lines))]
        for one, look in zip(lines, looks, strict=True):
            _draw(axes, one, look, is_step)
        if zero_to is not None:
            axes.set_ylim(*zero_to)
        axes.margins(x=0.015)
        axes.set_xlim(axes.get_xlim())
        axes.set_ylim(axes.get_ylim())
        for one, look in zip(lines, looks, strict=True):
            _mark(axes, one, look, is_step)
        are_whole = all(float(x).is_integer() for one in lines for x in one.x)
        axes.xaxis.set_major_locator(MaxNLocator(5 if is_narrow else 8, integer=are_whole))
        ends = [
            End(*one.end, style.wrapped(one.label, wide * _NAME_SHARE), look["color"])
            for one, look in zip(lines, looks, strict=True)
            if one.end is not None
        ]
        is_named = len(ends) == len(lines) <= _MOST_NAMED
        name_or_explain(figure, axes, ends if is_named else [], axes.lines[: len(lines)], high)
        return figure


def _look(place: int) -> dict[str, Any]:
    """Return how the line of a place is drawn: no two of the first 36 alike."""
    turn = place // len(style.COLOURS)
    return {
        "color": style.COLOURS[place % len(style.COLOURS)],
        "marker": style.MARKERS[(place + turn) % len(style.MARKERS)],
        "linestyle": _DASHES[(place + turn) % len(_DASHES)],
        "markersize": 5.5,
        "markeredgecolor": style.PAGE,
        "markeredgewidth": 0.6,
        "linewidth": 1.6,
    }


def _draw(axes: Axes, one: Course, look: dict[str, Any], is_step: bool) -> None:
    """Draw a line with its band and some marks on it."""
    x, y = _known(one.x), _known(one.y)
    if one.low is not None and one.high is not None:
        band: Any = {"color": look["color"], "alpha": 0.17, "linewidth": 0}
        low, high = _known(one.low), _known(one.high)
        axes.fill_between(x, low, high, step="post" if is_step else None, **band)
    every = max(1, round(len(x) / _MARKS))
    first = len(axes.lines) * max(1, every // 3) % every  # not all at the same places
    how: Any = {"drawstyle": "steps-post" if is_step else "default", "markevery": (first, every)}
    label = one.label if one.end else f"{one.label} (nothing known)"
    axes.plot(x, y, label=label, **how, **look)


def _mark(axes: Axes, one: Course, look: dict[str, Any], is_step: bool) -> None:
    """Draw a dot on a line, and a line down to the axis, where it is to be marked."""
    if one.mark is None or not np.isfinite(one.mark) or one.end is None:
        return
    x, y = _known(one.x), _known(one.y)
    if is_step:
        at = float(y[max(0, int(np.searchsorted(x, one.mark, side="right")) - 1)])
    else:
        at = float(np.interp(one.mark, x, y))
    bottom = axes.get_ylim()[0]
    axes.vlines(one.mark, bottom, at, look["color"], linewidth=1, linestyle=":")
    axes.plot([one.mark], [at], **(look | {"markersize": 8, "zorder": 4}))


def _known(values: Sequence[float]) -> NDArray[np.float64]:
    """Return values with a gap where they are not finite."""
    found = np.array(values, dtype=float)
    return np.where(np.isfinite(found), found, np.nan)
