"""The map of the Guard Dog: with how many rabbits and sheep to buy one, and what that saves."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from herdlab.analysis.figures.drawing import Drawing
from herdlab.analysis.figures.heat import bare, colour_bar, outline, write_cells
from herdlab.analysis.figures.parts import style
from herdlab.analysis.figures.parts.legend import explain
from herdlab.analysis.words.numbers import written

Cells = Sequence[Sequence[float | None]]
"""By 1, 2, … rabbits (rows) and sheep; None: nothing can be bought."""
_SHARE_IN_SCALE = 0.9
"""Of the cells; those beyond have the colour of the end."""
_NOTEWORTHY = 1e-9
"""Turns below which one move is not faster than another."""
_SMALL, _USUAL = 8.0, 8.5
"""Points, of what is written into cells."""
_SAVED = (
    "Purple and + are turns saved, orange and \N{MINUS SIGN} turns lost; a frame is around the "
    "herds with which buying is right."
)
_CELL = 0.36
"""Inches that a cell is high."""


def map_drawing(cells: Cells) -> Drawing:
    """Return the map with its words: what buying saves beside the best other move."""
    values = np.array(cells, dtype=float)
    known = values[np.isfinite(values)]
    right = int((known > _NOTEWORTHY).sum())
    herds = f"{known.size} herds of rabbits and sheep alone"
    title = f"Buying a dog saves turns with {right} of the {herds}"
    title = title if right else f"With none of the {herds} does buying a dog save turns"
    least, most = (float(end) for end in (known.min(), known.max())) if known.size else (0.0, 0.0)
    return Drawing(
        title,
        lambda wide: dog_map(cells, wide),
        f"Map of {values.shape[0]} numbers of rabbits by {values.shape[1]} of sheep, in each cell "
        f"the turns that buying a dog saves: from {_turns(least, 2)} to {_turns(most, 2)}, above 0 "
        f"with {right} of {known.size} herds.",
        "Turns that buying a dog saves with so many rabbits and sheep and nothing else, beside the "
        "best other move before the roll: exact, for a player alone who plays perfectly from then "
        "on. " + (_SAVED if right else "Orange and \N{MINUS SIGN} are turns lost."),
    )


def dog_map(cells: Cells, wide: float) -> Figure:
    """Draw what buying saves, rabbits across; sheep across where rabbits have no room."""
    values = np.array(cells, dtype=float)
    known = np.abs(values[np.isfinite(values)])
    limit = (float(np.quantile(known, _SHARE_IN_SCALE)) if known.size else 0.0) or 1.0
    digits = 2 if limit < 1 else 1
    is_narrow = wide < style.IS_NARROW
    room = wide - (0.6 if is_narrow else 1.6)
    letters = style.longest((_turns(one, digits) for one in known), _SMALL / 10)
    is_turned = values.shape[0] * (letters + 0.02) <= room  # rabbits, which are rows, across
    shown = values.T if is_turned else values
    names = ("rabbits", "sheep") if is_turned else ("sheep", "rabbits")
    with style.styled():
        figure, axes = style.empty(*names, (wide, 0.75 + _CELL * shown.shape[0]))
        sides: dict[str, Any] = {"edgecolors": "white", "linewidth": 0.8}
        mesh = axes.pcolormesh(shown, cmap=style.DIVERGING, vmin=-limit, vmax=limit, **sides)
        bare(axes)
        for axis, many in ((axes.xaxis, shown.shape[1]), (axes.yaxis, shown.shape[0])):
            axis.set_ticks(np.arange(many) + 0.5, [str(n + 1) for n in range(many)])
        cell = room / shown.shape[1]
        size = _USUAL if letters * _USUAL / _SMALL + 0.04 <= cell else _SMALL
        if letters <= cell:
            texts = np.vectorize(lambda one: _turns(one, digits), otypes=[object])(shown)
            write_cells(axes, mesh, shown, texts, size)
        label, pad = "turns saved (below 0: lost)", 0.02 if is_narrow else None
        colour_bar(figure, mesh, label, pad=pad, extend="both")
        keys = outline(axes, shown > _NOTEWORTHY, "buy", 2)
        high = 0.75 + _CELL * shown.shape[0] + (0.7 if is_narrow else 0.0)
        figure.set_size_inches(wide, max(2.4, high) + explain(figure, keys))
        return figure


def _turns(value: float, digits: int) -> str:
    return written(value, digits, sign="+")
