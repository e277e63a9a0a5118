"""Legends below a figure, as wide as it is."""

from collections.abc import Sequence

from matplotlib.artist import Artist
from matplotlib.figure import Figure

from herdlab.analysis.figures.parts.style import IS_NARROW, LINE, inches_of, wrapped

SMALL, LETTERS = 0.9, 9.0
"""Of words within a figure, as a multiple of the usual and in points."""
_HANDLE, _GAP, _EDGES = 0.38, 0.22, 0.3
"""Inches: of a mark with its distance from the words, between columns, and of both edges."""
_KEY_LINE = 0.19
_MOST_COLUMNS = 4


def explain(figure: Figure, handles: Sequence[Artist]) -> float:
    """Put a legend below, in as many columns as fit; return how high it is, in inches."""
    if not handles:
        return 0.0
    wide = float(figure.get_size_inches()[0])
    room = wide - _EDGES
    texts = [wrapped(str(one.get_label()), room - _HANDLE, SMALL) for one in handles]
    columns = 1
    for n in range(2, min(len(texts), _MOST_COLUMNS) + 1):
        if wide >= IS_NARROW and _inches(texts, n) <= room:
            columns = n
    figure.legend(
        handles=list(handles),
        labels=texts,
        loc="outside lower left",
        ncols=columns,
        fontsize=LETTERS,
        handlelength=1.6,
        columnspacing=1.4,
    )
    return 0.12 + max(
        sum(0.03 + _KEY_LINE * (text.count("\n") + 1) for text in column)
        for column in _columns(texts, columns)
    )


def high_of(text: str) -> float:
    """Return how many inches high the lines of a text are."""
    return LINE * (text.count("\n") + 1)


def _columns(texts: Sequence[str], n: int) -> list[Sequence[str]]:
    """Return which texts a legend puts into each of its columns."""
    few, more = divmod(len(texts), n)
    begun, found = 0, []
    for column in range(n):
        size = few + (column < more)
        found.append(texts[begun : begun + size])
        begun += size
    return found


def _inches(texts: Sequence[str], n: int) -> float:
    """Return how wide a legend of `n` columns is."""
    columns = [max(inches_of(text, SMALL) for text in one) + _HANDLE for one in _columns(texts, n)]
    return sum(columns) + _GAP * (n - 1)
