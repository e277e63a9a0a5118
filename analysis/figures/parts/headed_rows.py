"""Rows under headings: their names beside the marks where there is room, above them on a phone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.artist import Artist
from matplotlib.figure import Figure

from herdlab.analysis.figures.parts.legend import LETTERS, SMALL, explain, high_of
from herdlab.analysis.figures.parts.style import IS_NARROW, PAGE, inches_of, longest, wrapped

_ROW, _LANE, _GAP = 0.25, 0.2, 0.1
"""Inches: of a row, on a phone of its marks below its name, and above a heading."""
_LABELS_SHARE = 0.46
"""Of the width that names take at most."""
_POINTS_AN_INCH = 72
_EDGE = 0.1
_BOLD = 1.14
"""Times as wide as other letters."""
_ON_PAGE: dict[str, Any] = {
    "size": LETTERS,
    "va": "top",
    "linespacing": 1.15,
    "zorder": 3,
    "bbox": {"facecolor": PAGE, "edgecolor": "none", "pad": 0.8},
}
"""Words on a ground that hides lines behind them."""


@dataclass(frozen=True)
class Row:
    """A row: its name, what is written at its end, and the heading that it stands under."""

    label: str
    value: str = ""
    section: str = ""


class HeadedRows:
    """An empty figure with the names of rows; down the axis is measured in inches."""

    def __init__(self, rows: Sequence[Row], wide: float) -> None:
        self.figure, self._wide = Figure(figsize=(wide, 2.0), layout="constrained"), wide
        self.axes = self.figure.add_subplot()
        self.at: list[float] = []
        """Where each row's marks belong."""
        self._lanes: list[tuple[float, float]] = []
        """Where there is nothing but marks: from, to."""
        self._beside = 0.0
        """Inches of the width that names take."""
        if wide < IS_NARROW:
            self._end = 0.02
            self._name_above(rows)
        else:
            self._end = 0.04
            self._name_aside(rows)

    def across(self, low: float, high: float, **how: Any) -> None:
        """Shade from `low` to `high`, but for where names stand."""
        for top, bottom in self._lanes:
            self.axes.fill_betweenx([top, bottom], low, high, linewidth=0, zorder=0.5, **how)

    def line(self, at: float, **how: Any) -> None:
        """Draw a line down through the rows, but for where names stand."""
        for top, bottom in self._lanes:
            self.axes.plot([at, at], [top, bottom], zorder=1.5, marker="", **how)

    def lane_of(self, row: int) -> tuple[float, float]:
        """Return from where to where there are marks of a row, and of it alone."""
        half = min(_LANE, _ROW) / 2
        return self.at[row] - half, self.at[row] + half

    def finish(self, x_label: str, handles: Sequence[Artist]) -> Figure:
        """Name the axis, explain the marks, and give the figure its height."""
        label = wrapped(x_label, max(2.4, self._wide - 6 * _EDGE - self._beside))
        self.axes.set_xlabel(label)
        self.axes.set_ylim(self._end, 0)
        self.axes.grid(visible=False, axis="y")
        self.axes.spines["left"].set_visible(False)
        self.axes.tick_params(axis="y", length=0)
        below = 0.45 + 1.1 * high_of(label) + explain(self.figure, handles)
        self.figure.set_size_inches(self._wide, self._end + below)
        return self.figure

    def _name_aside(self, rows: Sequence[Row]) -> None:
        """Put names to the left of their rows, values to the right."""
        labels = [wrapped(one.label, _LABELS_SHARE * self._wide, SMALL) for one in rows]
        self._beside = 1.03 * longest(labels, SMALL) + 0.1
        offset, section = -_POINTS_AN_INCH * self._beside, ""
        for row, label in zip(rows, labels, strict=True):
            if row.section != section:
                self._head(row.section, self._wide - 3 * _EDGE, offset, 0.06)
            if row.section != section or not self._lanes:
                self._lanes.append((self._end, self._end))
            section = row.section
            high = max(_ROW, high_of(label) + 0.07)
            self.at.append(self._end + high / 2)
            self._end += high
            self._lanes[-1] = (self._lanes[-1][0], self._end)
            how: dict[str, Any] = {"va": "center_baseline", "size": LETTERS}
            self._write(row.value, (1, self.at[-1]), (7, 0), **how)
        self._end += 0.04
        self.axes.set_yticks(self.at, labels, size=LETTERS, ha="left", linespacing=1.15)
        self.axes.tick_params(axis="y", pad=-offset)

    def _name_above(self, rows: Sequence[Row]) -> None:
        """Put names above their rows, values at the end of the same line."""
        room, section = self._wide - 4 * _EDGE, ""
        for row in rows:
            if row.section != section:
                self._head(row.section, room, 0.0, 0.07)
            section = row.section
            label = wrapped(row.label, room - inches_of(row.value, SMALL) - 0.1, SMALL)
            self._write(label, (0, self._end), **_ON_PAGE)
            self._write(row.value, (1, self._end), ha="right", **_ON_PAGE)
            self._end += high_of(label)
            self._lanes.append((self._end, self._end + _LANE))
            self.at.append(self._end + _LANE / 2)
            self._end += _LANE + 0.07
        self.axes.set_yticks([])

    def _head(self, section: str, room: float, offset: float, below: float) -> None:
        """Write a heading, if there is one."""
        if section:
            heading = wrapped(section, room, SMALL * _BOLD)
            self._end += _GAP if self.at else 0.0
            self._write(heading, (0, self._end), (offset, 0), weight="bold", **_ON_PAGE)
            self._end += high_of(heading) + below

    def _write(
        self, text: str, at: tuple[float, float], offset: tuple[float, float] = (0, 0), **how: Any
    ) -> None:
        """Write at a share of the width and so many inches down."""
        how = {"ha": "left", "xycoords": ("axes fraction", "data"), **how}
        self.axes.annotate(text, at, offset, textcoords="offset points", **how)
