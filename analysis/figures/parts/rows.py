"""Rows one below the other, each named beside it or, where there is little room, above it.

They are measured in inches from the top down, so that names of several lines have their room.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from matplotlib.axes import Axes

from herdlab.analysis.figures.parts import style
from herdlab.analysis.words.numbers import spanned

_NAME_SHARE = 0.36
"""Of a figure's width: the most that names beside rows take."""
_MANY, _SMALL = 24, 0.8
"""More rows than so many are set closer, in letters of this size."""
_BELOW = 0.85
"""The size of letters below a row."""
_GAP = 0.07


@dataclass(frozen=True)
class Measured:
    """A row: a value with its interval, if that is known."""

    label: str
    value: float
    low: float | None = None
    high: float | None = None
    words: str = ""
    """What it means."""

    @property
    def interval(self) -> tuple[float, float] | None:
        """Both ends, if they are known."""
        if self.low is None or self.high is None or not isfinite(self.low - self.high):
            return None
        return self.low, self.high

    @property
    def only_end(self) -> float | None:
        """The end of an interval that is open on the other side."""
        ends = [end for end in (self.low, self.high) if end is not None]
        return ends[0] if len(ends) == 1 and isfinite(ends[0]) else None

    def drawn(self, edges: tuple[float, float]) -> tuple[float, float] | None:
        """Return from where to where it is drawn between the edges of an axis."""
        if self.only_end is None:
            return self.interval
        return (edges[0], self.only_end) if self.low is None else (self.only_end, edges[1])

    def told(self, digits: int, unit: str = "", sign: str = "-") -> str:
        """Return it for who cannot see it: "keeper 33.4 % (33.1 to 33.7)"."""
        estimate = self.value, self.low, self.high
        return f"{self.label} {spanned(estimate, digits, unit, sign)}"


class Rows:
    """Places for rows of marks, `thick` inches each, with their names and a text below each.

    `indent` is what stands left of names above rows, in inches.
    """

    def __init__(
        self,
        names: Sequence[str],
        wide: float,
        thick: float,
        below: Sequence[str] = (),
        is_beside: bool | None = None,
        indent: float = 0.0,
    ) -> None:
        self.is_beside = wide >= style.IS_NARROW if is_beside is None else is_beside
        self.size = _SMALL if len(names) > _MANY else 1.0
        """Of the letters, as a multiple of the usual."""
        self.thick = thick * self.size
        room = wide * _NAME_SHARE if self.is_beside else wide - indent - 0.25
        self._names = [style.wrapped(name, room, self.size) for name in names]
        longest = style.longest(self._names, self.size)
        self.beside = longest if self.is_beside else 0.0
        """Inches of the width that names take."""
        room = wide * (1 - _NAME_SHARE) - 1 if self.is_beside else wide - indent - 0.25
        self._below = [style.wrapped(text, room, _BELOW) for text in below or [""] * len(names)]
        gap = (_GAP if self.is_beside else 1.5 * _GAP) * self.size
        self.at: list[float] = []
        """The middles of the marks."""
        self._tops: list[float] = []
        end = 0.0
        for name, text in zip(self._names, self._below, strict=True):
            name_high, text_high = _high(name, self.size), _high(text, _BELOW)
            above, under = name_high + self.thick / 2, self.thick / 2 + text_high
            if self.is_beside:
                above, under = max(name_high, self.thick) / 2, max(name_high / 2, under)
            end += above + under + gap
            self.at.append(end - under - gap / 2)
            self._tops.append(self.at[-1] - above)
        self.high = end or style.LINE
        """Inches of all of them."""

    def name_on(self, axes: Axes) -> None:
        """Name the rows, and let the axes be as high as they are."""
        axes.set_ylim(self.high, 0)
        axes.set_yticks(self.at, self._names if self.is_beside else [""] * len(self.at))
        axes.tick_params(axis="y", length=0, labelsize=10 * self.size, pad=6)
        axes.spines["left"].set_visible(False)
        if not self.is_beside:
            for name, top in zip(self._names, self._tops, strict=True):
                _write(axes, name, top, style.INK, self.size)
        for text, at in zip(self._below, self.at, strict=True):
            _write(axes, text, at + self.thick / 2, style.GREY, _BELOW)

    def value_on(self, axes: Axes, values: Sequence[str]) -> None:
        """Write a value at the right end of each row."""
        longest = style.longest(values, self.size)
        for value, at in zip(values, self.at, strict=True):
            look: Any = {"ha": "right", "va": "center", "size": 10 * self.size}
            _note(axes, value, (1, at), (8 + 72 * longest, 0), **look)


def _high(text: str, size: float) -> float:
    return size * style.LINE * (text.count("\n") + 1) if text else 0.0


def _write(axes: Axes, text: str, top: float, colour: str, size: float) -> None:
    """Write a text below a place, on a ground that hides lines behind it."""
    ground = {"facecolor": style.PAGE, "edgecolor": "none", "pad": 0.5} if text else None
    look: Any = {"ha": "left", "va": "top", "size": 10 * size, "color": colour, "bbox": ground}
    _note(axes, text, (0, top), **look)


def _note(
    axes: Axes, text: str, at: tuple[float, float], away: tuple[float, float] = (0, 0), **look: Any
) -> None:
    """Write at a share of the width and so many inches down, some points away."""
    how: Any = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points"}
    axes.annotate(text, at, away, annotation_clip=False, **how, **look)
