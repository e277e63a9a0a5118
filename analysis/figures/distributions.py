"""Distributions: histograms one below the other on one scale, with their means.

For scores and for lengths of games.  The middle nine tenths stand out from the tails; a long tail
is cut off, and the figure says so.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import floor, isfinite, log10
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from herdlab.analysis.figures.parts import style
from herdlab.analysis.figures.parts.legend import explain
from herdlab.analysis.figures.parts.rows import Rows
from herdlab.analysis.words.numbers import written

_TAILS = ((0.001, 0.2), (0.01, 3.0))
"""A tail of no more than this is cut off, if it is so many times as long as all that is left."""
_MIDDLE, _REST = 0.6, 0.25
"""How strong the colours of the middle 90 % and of the rest are."""
_BARS, _ALONE, _LOWEST = 0.6, 1.9, 0.22
"""Inches that the highest bar has: usually, in a figure of one row, and in one of very many."""
_FULL_ROWS = 10
"""More rows are set closer."""
_HEAD = 0.2
"""Inches over the bars for the mean."""
_FEW_NUMBERS = 20
"""Means on a shorter axis have two digits."""
_FEWEST = 4
"""Whole numbers that an axis has at least."""
_LEAST = 0.01
"""Per cent: shares below it are not said exactly."""
_SMALL = 8.5


@dataclass(frozen=True)
class Spread:
    """A row: counts of bins from `low` on, each `width` whole numbers wide."""

    label: str
    low: int
    width: int
    counts: Sequence[int]
    mean: float | None

    def edge(self, place: int) -> float:
        """Return where a bin begins, if every whole number lies in the middle of its place."""
        return self.low + self.width * place - 0.5

    def bin_of(self, share: float) -> int:
        """Return the bin that a quantile lies in."""
        wanted = max(share * sum(self.counts), 1e-9)
        return next(place for place, n in enumerate(accumulate(self.counts)) if n >= wanted)

    def outside(self, left: float, right: float) -> tuple[float, float]:
        """Return the shares of what lies below and beyond two edges of bins."""
        below = sum(n for place, n in enumerate(self.counts) if self.edge(place + 1) <= left)
        beyond = sum(n for place, n in enumerate(self.counts) if self.edge(place) >= right)
        return below / sum(self.counts), beyond / sum(self.counts)


def distributions(
    rows: Sequence[Spread], wide: float, *, x_label: str, y_label: str = "share of games, %"
) -> Figure:
    """Draw a histogram for each row, all on the same scales, and write their means."""
    rows = rows or [Spread("", 0, 1, [], None)]
    filled = [one for one in rows if any(one.counts)]
    left, right, notes = _cut(filled)
    peak = max((100 * max(one.counts) / sum(one.counts) for one in filled), default=1.0)
    many = max(1.0, len(rows) / _FULL_ROWS)
    bars = _ALONE if len(rows) == 1 else max(_LOWEST, _BARS / many)
    is_beside = wide >= style.IS_NARROW and len(rows) > 1
    with style.styled():
        names = [one.label for one in rows]
        placed = Rows(names, wide, bars + _HEAD, is_beside=is_beside, indent=0.8)
        figure, axes = style.empty(x_label, "", (wide, 1))
        figure.set_size_inches(wide, placed.high + 0.62 + explain(figure, _keys(notes)))
        placed.name_on(axes)
        air = max(0.02 * (right - left), (_FEWEST - (right - left)) / 2)
        axes.set_xlim(left - air, right + air)
        axes.grid(visible=False)
        bottoms = [at + placed.thick / 2 for at in placed.at]
        axes.set_ylim(max(bottoms, default=placed.high), 0)
        scale = (placed.thick - _HEAD) / peak
        _draw_scale(axes, bottoms, scale, peak, style.wrapped(y_label, placed.high), is_beside)
        digits = 2 if right - left < _FEW_NUMBERS else 1
        for one, bottom in zip(rows, bottoms, strict=True):
            if not any(one.counts):
                middle: Any = {"xycoords": ("axes fraction", "data"), "ha": "center"}
                at = 0.5, bottom - style.LINE
                axes.annotate("no games", at, color=style.GREY, **middle)
                continue
            _draw_bars(axes, one, bottom, scale, (left, right))
            if one.mean is not None and isfinite(one.mean):
                word = "mean " if one is filled[0] else ""
                top = bottom - placed.thick + _HEAD
                _draw_mean(axes, one.mean, bottom, top, word + written(one.mean, digits))
        axes.xaxis.set_major_locator(MaxNLocator(5 if wide < style.IS_NARROW else 9, integer=True))
        return figure


def _keys(notes: list[str]) -> list[Patch | Line2D]:
    """Return what is to be said below: what is strong and what is pale, and the notes."""
    return [
        Patch(color=style.BLUE, alpha=_MIDDLE, linewidth=0, label="the middle 90 %"),
        Patch(color=style.BLUE, alpha=_REST, linewidth=0, label="the rest"),
        *(Line2D([], [], linestyle="none", label=note) for note in notes),
    ]


def _cut(filled: Sequence[Spread]) -> tuple[float, float, list[str]]:
    """Return the ends of the axis, and what to say about what lies beyond them."""
    if not filled:
        return -0.5, 1.5, []
    means = [one.mean for one in filled if one.mean is not None and isfinite(one.mean)]
    begin = min(one.edge(one.bin_of(0)) for one in filled)
    end = max(one.edge(one.bin_of(1) + 1) for one in filled)
    left, right = min([begin, *means]), max([end, *means])
    for tail, times in _TAILS:
        first = min([one.edge(one.bin_of(tail)) for one in filled] + means)
        last = max([one.edge(one.bin_of(1 - tail) + 1) for one in filled] + means)
        worth = times * (last - first)
        left = first if first - begin > worth else left
        right = last if end - last > worth else right
    below, beyond = np.max([one.outside(left, right) for one in filled], axis=0)
    up_to = "up to " if len(filled) > 1 else ""
    notes = []
    for share, word, end in ((below, "below", left + 0.5), (beyond, "beyond", right - 0.5)):
        said = f"{100 * share:.1g} %" if 100 * share >= _LEAST else f"less than {_LEAST} %"
        if share:
            notes.append(f"{up_to}{said} lie {word} {written(end, 0)}")
    return left, right, notes


def _draw_scale(
    axes: Axes, bottoms: list[float], scale: float, peak: float, label: str, is_beside: bool
) -> None:
    """Draw a line below each row's bars and one or more over it, with numbers at one side."""
    numbers = [10.0 ** floor(log10(peak)) * nice for nice in (1, 2, 5)]
    numbers = [max(number for number in numbers if number <= peak)]
    if len(bottoms) == 1:
        numbers = [n for n in MaxNLocator(4).tick_values(0, peak) if n <= peak]
    places = [(bottom - number * scale, number) for bottom in bottoms for number in numbers]
    across = axes.get_yaxis_transform()
    heights, names = [at for at, _ in places], [f"{number:g}" for _, number in places]
    axes.hlines(heights, 0, 1, style.GRID, linewidth=0.7, transform=across, zorder=0.5)
    axes.hlines(bottoms[:-1], 0, 1, style.AXIS, linewidth=0.8, transform=across, zorder=3)
    axis = axes.secondary_yaxis("right") if is_beside else axes
    axis.set_yticks(heights, names)
    axis.tick_params(axis="y", length=0, labelsize=_SMALL, labelcolor=style.GREY)
    axis.set_ylabel(label)
    if is_beside:
        axis.spines["right"].set_visible(False)


def _draw_bars(
    axes: Axes, one: Spread, bottom: float, scale: float, within: tuple[float, float]
) -> None:
    """Draw a histogram upon a line, its middle 90 % stronger than the rest."""
    shares = 100 * np.array(one.counts) / sum(one.counts)
    edges = np.array([one.edge(place) for place in range(len(shares) + 1)])
    shown = np.flatnonzero((within[0] <= edges[:-1]) & (edges[1:] <= within[1]))
    ends = (shown[0], one.bin_of(0.05), one.bin_of(0.95) + 1, shown[-1] + 1)
    look: Any = {"color": style.BLUE, "fill": True, "linewidth": 0, "baseline": bottom}
    for (begin, end), strength in zip(pairwise(ends), (_REST, _MIDDLE, _REST), strict=True):
        if begin < end:
            tops = bottom - scale * shares[begin:end]
            axes.stairs(tops, edges[begin : end + 1], alpha=strength, **look)


def _draw_mean(axes: Axes, mean: float, bottom: float, top: float, words: str) -> None:
    line: Any = {"color": style.INK, "linewidth": 1.2, "solid_capstyle": "butt"}
    axes.plot([mean, mean], [bottom, top - 0.03], **line)
    left, right = axes.get_xlim()
    side = {0: "left", 7: "right"}.get(int(8 * (mean - left) / (right - left)), "center")
    look: Any = {"ha": side, "va": "bottom", "size": 9}
    axes.annotate(words, (mean, top - 0.03), (0, 1), textcoords="offset points", **look)
