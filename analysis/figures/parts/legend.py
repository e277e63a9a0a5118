"""What marks and lines mean: in a legend below a figure, or named at the ends of lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from herdlab.analysis.figures.parts.style import IS_NARROW, LINE, longest, wrapped

SMALL, LETTERS = 0.9, 9.0
"""Of words within a figure, as a multiple of the usual and in points."""
_HANDLE, _GAP, _EDGES = 0.38, 0.22, 0.3
"""Inches: of a mark with its distance from the words, between columns, and of both edges."""
_KEY_LINE = 0.19
_MOST_COLUMNS = 4
_AWAY = 1.035
"""Of the axes' width: where names begin."""
_APART = 0.03
"""Inches between names."""
_SHRUNK = {"shrinkA": 0, "shrinkB": 3}
"""Points between such a thin line and what it leads to."""
_FAR = 0.4
"""Inches that a name is away from the height of its line's end at most."""


def explain(figure: Figure, handles: Sequence[Artist]) -> float:
    """Put a legend below, in as many columns as fit; return how high it is, in inches."""
    if not handles:
        return 0.0
    wide = float(figure.get_size_inches()[0])
    room = wide - _EDGES
    texts = [wrapped(str(one.get_label()), room - _HANDLE, SMALL) for one in handles]
    columns = 1
    for n in range(2, min(len(texts), _MOST_COLUMNS) + 1):
        widths = [longest(column, SMALL) + _HANDLE for column in _columns(texts, n)]
        if wide >= IS_NARROW and sum(widths) + _GAP * (n - 1) <= room:
            columns = n
    look: Any = {"fontsize": LETTERS, "handlelength": 1.6, "columnspacing": 1.4}
    keys = list(handles)
    figure.legend(handles=keys, labels=texts, loc="outside lower left", ncols=columns, **look)
    return 0.12 + max(
        sum(0.03 + _KEY_LINE * (text.count("\n") + 1) for text in column)
        for column in _columns(texts, columns)
    )


def high_of(text: str) -> float:
    """Return how many inches high the lines of a text are."""
    return LINE * (text.count("\n") + 1)


def _columns(texts: Sequence[str], n: int) -> list[list[str]]:
    """Return which texts a legend puts into each of its columns."""
    return [list(column) for column in np.array_split(np.array(texts, dtype=object), n)]


@dataclass(frozen=True)
class End:
    """Where a line ends, and its name, in lines that fit beside the axes."""

    x: float
    y: float
    name: str
    colour: str


def name_ends(axes: Axes, ends: Sequence[End], high: float) -> bool:
    """Name lines in axes whose limits are set and which are `high` inches high.

    If names had to be too far from their lines, as where all end at one place, none is written.
    """
    sizes = [high_of(one.name) + _APART for one in ends]
    if sum(sizes) > high:
        return False
    bottom, top = axes.get_ylim()
    inches = [high * (one.y - bottom) / (top - bottom) for one in ends]
    order = sorted(range(len(ends)), key=lambda place: inches[place])
    middles = apart([inches[place] for place in order], [sizes[place] for place in order], high)
    if any(abs(inches[place] - at) > _FAR for place, at in zip(order, middles, strict=True)):
        return False
    for place, middle in zip(order, middles, strict=True):
        one, at = ends[place], bottom + (top - bottom) * middle / high
        beside = axes.get_yaxis_transform()
        line = {"arrowstyle": "-", "color": one.colour, "linewidth": 0.7} | _SHRUNK
        how: Any = {"textcoords": beside, "arrowprops": line, "annotation_clip": False}
        axes.annotate("", (one.x, one.y), (_AWAY - 0.005, at), **how)
        axes.text(_AWAY, at, one.name, transform=beside, va="center")
    return True


def name_or_explain(
    figure: Figure, axes: Axes, ends: Sequence[End], keys: Sequence[Artist], high: float
) -> None:
    """Name lines at their ends, or in a legend below where there is no room or there are no ends.

    The axes are `high` inches high; the figure grows by its legend.
    """
    wide, all_high = figure.get_size_inches()
    if wide < IS_NARROW or not ends or not name_ends(axes, ends, high):
        figure.set_size_inches(wide, all_high + explain(figure, keys))


def apart(wanted: Sequence[float], sizes: Sequence[float], end: float) -> list[float]:
    """Return middles near those wanted, which rise, so that nothing overlaps from 0 to `end`.

    What would touch is put together around the mean of what is wanted, as in isotonic regression.
    """
    groups: list[tuple[list[float], list[float]]] = []

    def start(place: int) -> float:
        """Return where things that stand together begin."""
        middles, high = groups[place][0], sum(groups[place][1])
        return max(0.0, min(sum(middles) / len(middles) - high / 2, end - high))

    for one, size in zip(wanted, sizes, strict=True):
        groups.append(([one], [size]))
        while len(groups) > 1 and start(-2) + sum(groups[-2][1]) > start(-1):
            values, their_sizes = groups.pop()
            groups[-1][0].extend(values)
            groups[-1][1].extend(their_sizes)
    found = []
    for place, (_, together) in enumerate(groups):
        tops = accumulate(together, initial=start(place))
        found += [top + size / 2 for top, size in zip(tops, together, strict=False)]
    return found
