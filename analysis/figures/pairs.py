"""Pairs: how much more the strategy of each row wins than that of each column, as a heat map.

Colours tell who is ahead and how far; ties and what is too close to call have none.  Where numbers
do not fit, signs say who is ahead, so that nothing is lost in grey.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import isfinite
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from herdlab.analysis.figures.parts import style
from herdlab.analysis.figures.parts.legend import explain, high_of
from herdlab.analysis.words.numbers import written

Colour = tuple[float, float, float, float]

_NUMBERED = 12
"""Up to so many names have their numbers in the cells, if these fit."""
_NAME_SHARE = 0.3
_WIDEST, _HIGHEST = 1.0, 0.45
"""Inches of a cell at most."""
_SMALL = 0.8
"""The size of letters in cells, and of names if there are many."""
_TILT = 0.2
"""Inches of a cell at least for names of columns to be tilted."""
_LONGEST = 1.6
"""Inches of a tilted name at most."""
_ROUND = 10
"""Points: of greater differences the colours' legend has no digits."""
_SIGN = 29
"""Of points of a cell, 72 an inch, what its sign takes."""
_STEPS = (1, 2, 5, 10, 20)
_FAINTEST, _STRONGEST = 0.12, 0.42
"""How far colours are from the middle of the scale, whose ends, 0.5 away, are almost black.  That
of a tiny difference is not to be taken for none."""


@dataclass(frozen=True)
class Pair:
    """What strategy `a` has more than `b`, in percentage points."""

    a: str
    b: str
    difference: float
    is_real: bool
    """Whether one of them is clearly higher."""


def pairs(names: Sequence[str], found: Sequence[Pair], wide: float) -> Figure:
    """Draw what each row has more than each column; each pair may be found either way round."""
    cells = {(one.a, one.b): (one.difference, one.is_real) for one in found}
    cells |= {(one.b, one.a): (-one.difference, one.is_real) for one in found}
    known = {key: cell for key, cell in cells.items() if isfinite(cell[0]) and key[0] != key[1]}
    most = max((abs(value) for value, is_real in known.values() if is_real), default=0.0)
    with style.styled():
        grid = _Grid(names, wide)
        digits = grid.digits_for([value for value, _ in known.values()])
        figure, axes = style.empty("", "", (wide, 1))
        label = style.wrapped("row less column, percentage points", grid.across, 0.9)
        axes.set_xlabel(label, loc="left", size=9)
        grid.name_on(axes)
        signs: dict[tuple[str, str], list[tuple[float, float]]] = {}
        colours = np.zeros((len(names), len(names), 4))
        for (a, b), (value, is_real) in known.items():
            row, column = names.index(a), names.index(b)
            colour = _colour(value, most) if is_real else to_rgba(style.EMPTY)
            colours[row, column] = colour
            middle = (column + 0.5, grid.middles[row])
            ink = style.text_on(colour) if is_real else style.GREY
            if digits is not None:
                text = written(value, digits, sign="+")
                axes.annotate(text, middle, ha="center", va="center", color=ink, size=10 * _SMALL)
            elif is_real and value:
                signs.setdefault(("+" if value > 0 else "_", ink), []).append(middle)
        size = _SIGN * min(grid.cell, grid.lowest)
        for (marker, ink), middles in signs.items():
            look: Any = {"color": ink, "markersize": size, "markeredgewidth": size / 7}
            axes.plot(*zip(*middles, strict=True), marker, **look)
        if names:
            look = {"edgecolors": style.PAGE, "linewidth": min(1.0, 3 * grid.cell), "zorder": 0.5}
            axes.pcolormesh(range(len(names) + 1), grid.edges, colours, **look)
        high = grid.edges[-1] + grid.head + 0.25 + high_of(label)
        figure.set_size_inches(wide, high + explain(figure, _keys(known, most, digits)))
        return figure


def _colour(value: float, most: float) -> Colour:
    """Return the colour of a clear difference."""
    far = _FAINTEST + (_STRONGEST - _FAINTEST) * abs(value) / (most or 1.0)
    colour: Colour = mpl.colormaps[style.DIVERGING](0.5 + (far if value > 0 else -far))
    return colour


def _keys(
    known: dict[tuple[str, str], tuple[float, bool]], most: float, digits: int | None
) -> list[Patch]:
    """Return what explains the colours."""
    keys = []
    for sign, words in ((1, "the row wins more"), (-1, "the column wins more")):
        by = f", at most {written(sign * most, int(most < _ROUND), sign='+')}"
        label = words if digits is not None else words + by
        if most:
            keys.append(Patch(facecolor=_colour(sign * most, most), label=label))
    if not all(is_real for _, is_real in known.values()):
        keys.append(Patch(facecolor=style.EMPTY, label="tie or too close to call"))
    return keys


class _Grid:
    """Where rows and columns lie, and how they are named."""

    def __init__(self, names: Sequence[str], wide: float) -> None:
        n = max(1, len(names))
        is_narrow = wide < style.IS_NARROW
        self.size = _SMALL if n > _NUMBERED or is_narrow else 0.9
        longest = style.longest(names, self.size)
        beside = min(wide * (_NAME_SHARE + 0.1 * is_narrow), longest + 0.02)
        room = wide - beside - 0.25
        self.cell = min(_WIDEST, room / n)
        self.columns, self.is_tilted, self.head = list(names), False, 0.85 * style.LINE
        if longest > self.cell - 0.05:
            slanted = longest * np.cos(np.pi / 4)
            tilted = min(_WIDEST, (room - slanted) / n)
            if longest <= _LONGEST and tilted >= _TILT:
                self.cell, self.is_tilted, self.head = tilted, True, slanted + 0.15
            else:
                names = [f"{place}  {name}" for place, name in enumerate(names, 1)]
                beside += 0.2
                self.cell = min(_WIDEST, (room - 0.2) / n)
                needed = style.inches_of(str(n), self.size) + 0.06
                step = next((s for s in _STEPS if s * self.cell >= needed), n)
                self.columns = [
                    str(place) if place % step == 0 or place == step == 1 else ""
                    for place in range(1, n + 1)
                ]
        self.names = [style.wrapped(name, beside, self.size) for name in names]
        least = min(self.cell, _HIGHEST)
        highs = [max(least, self.size * high_of(name) + 0.03) for name in self.names]
        self.lowest = min(highs, default=least)
        self.edges = [0.0, *accumulate(highs)]
        self.middles = [(a + b) / 2 for a, b in pairwise(self.edges)]
        self.across = wide - beside - 0.25 - (longest * 0.7 if self.is_tilted else 0)

    def digits_for(self, values: Sequence[float]) -> int | None:
        """Return how many digits numbers in cells can have, or None if they do not fit."""
        if len(self.names) <= _NUMBERED:
            for digits in (1, 0):
                texts = [written(value, digits, sign="+") for value in values]
                if style.longest(texts, _SMALL) + 0.04 <= self.cell:
                    return digits
        return None

    def name_on(self, axes: Axes) -> None:
        """Name rows and columns."""
        axes.set_ylim(self.edges[-1] or 1, 0)
        axes.set_xlim(0, max(1.0, self.across / self.cell))
        axes.set_yticks(self.middles, self.names)
        axes.xaxis.tick_top()
        how: dict[str, Any] = {}
        if self.is_tilted:
            how = {"rotation": 45, "ha": "left", "rotation_mode": "anchor"}
        axes.set_xticks(np.arange(len(self.names)) + 0.5, self.columns, **how)
        axes.tick_params(length=0, labelsize=10 * self.size)
        axes.grid(visible=False)
        axes.spines[:].set_visible(False)
