"""What all figures share: colours, letters, widths, and an empty figure to begin with.

Colours are those of Okabe and Ito, which the colour-blind can tell apart; where they carry meaning
a shape or a word carries it too, so that nothing is lost in grey.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import islice
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

WIDE, PAPER, NARROW = 7.2, 6.3, 3.7
"""Inches: of a figure on a desktop's screen (and in a file), on paper, and on a phone."""
IS_NARROW = 5.0
"""A figure of less is laid out for a phone."""

BLUE, ORANGE, VERMILLION, GREY = "#0072B2", "#E69F00", "#D55E00", "#595959"
GREEN, PURPLE = "#009E73", "#CC79A7"
COLOURS = (BLUE, VERMILLION, ORANGE, GREEN, PURPLE, GREY)
"""Of lines side by side, in this order."""
MARKERS = "osD^vX"
SCALE = "viridis"
"""Of heat maps."""
DIVERGING = "PuOr"
"""Of those of what is more (purple) or less (orange) than nothing."""
INK, AXIS, GRID, EMPTY, PAGE = "#222222", "#999999", "#E3E3E3", "#EEEEEE", "#FFFFFE"
"""Words, axes, grid, what was not measured, and what has the colour of the page behind it.

A report shows them in other colours where its reader prefers a dark page; all else stays."""

STYLE: Any = {  # matplotlib's type of it lists every key there is
    "font.family": "DejaVu Sans",  # comes with matplotlib; reports carry it with them
    "font.size": 10,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": AXIS,
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.labelpad": 6,
    "axes.formatter.useoffset": False,
    "axes.formatter.limits": (-5, 9),
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "xtick.color": AXIS,
    "ytick.color": AXIS,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "legend.frameon": False,
    "text.parse_math": False,  # a name may have dollars
    "svg.hashsalt": "herdlab",  # the same figure gives the same bytes
    "pdf.fonttype": 42,
}
LETTER, LINE = 0.085, 0.165
"""Inches that a letter takes, and a line of text."""


@contextmanager
def styled() -> Iterator[None]:
    """Draw in herdlab's style within."""
    with mpl.rc_context(STYLE):
        yield


def empty(x_label: str, y_label: str, size: tuple[float, float]) -> tuple[Figure, Axes]:
    """Return a figure with one pair of axes, their labels broken where they are too long."""
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.add_subplot()
    axes.set_xlabel(wrapped(x_label, size[0] - 1.5))
    axes.set_ylabel(wrapped(y_label, size[1] - 1.2))
    return figure, axes


def wrapped(text: str, inches: float, size: float = 1.0) -> str:
    """Return a text in lines of so many inches, for letters `size` times as large as usual."""
    most = max(inches, 12 * LETTER * size)
    lines = [""]
    for piece in _PIECES.findall(text):
        if lines[-1] and inches_of((lines[-1] + piece).rstrip(), size) > most:
            lines.append("")
        for letter in piece if inches_of(piece.rstrip(), size) > most else [piece]:
            if lines[-1] and inches_of((lines[-1] + letter).rstrip(), size) > most:
                lines.append("")
            lines[-1] += letter
    return "\n".join(line.rstrip() for line in lines)


_PIECES = re.compile(r"[^ \n]+?(?:(?<=\w)[-,:;/](?=[^ \n])|(?=[ \n]|$))[ \n]*")
"""Words; after some marks within one a line may end, too.  A space that may not be broken holds."""


@cache
def inches_of(text: str, size: float = 1.0) -> float:
    """Return how long the longest line of a text is, for letters `size` times as large as usual."""
    font = FontProperties(family=STYLE["font.family"], size=STYLE["font.size"] * size)
    return max(
        float(text_to_path.get_text_width_height_descent(line, font, ismath=False)[0]) / 72
        for line in text.split("\n")
    )


def longest(texts: Iterable[str], size: float = 1.0) -> float:
    """Return how many inches the longest of some texts takes."""
    return max((inches_of(text, size) for text in texts), default=0.0)


def text_on(colour: Iterable[float]) -> str:
    """Return the colour of letters that stand out more from a cell of a colour."""
    red, green, blue = (part**2.2 for part in islice(colour, 3))  # as much light as it gives
    return "black" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > _BRIGHT else "white"


_BRIGHT = 0.18
"""Light that is as far from black as from white, to the eye."""
