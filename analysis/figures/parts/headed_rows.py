"""Rows under headings: their names beside the marks where there is room, above them on a phone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from herdlab.analysis.figures.parts.legend import LETTERS, SMALL, explain, high_of
from herdlab.analysis.figures.parts.style import IS_NARROW, PAGE, inches_of, wrapped

_ROW, _LANE, _GAP = 0.25, 0.2, 0.1
"""Inches: of a row, on a phone of its marks below its name, and above a heading."""
_LABELS_SHARE = 0.46
"""Of the width that names take at most."""
_POINTS_AN_INCH = 72
_EDGE = 0.1
_BOLD = 1.14
"""Times as wide as other letters."""


@dataclass(frozen=True)
class Row:
    """A row: its name, what is written at its end, and the heading that it stands under."""

    label: str
    value: str = ""
    section: str = ""


@dataclass(frozen=True)
class HeadedRows:
    """An empty figure with the names of rows; down the axis is measured in inches."""

    figure: Figure
    axes: Axes
    at: list[float]
    """Where each row's marks belong."""
    lanes: list[tuple[float, float]]
    """Where there is nothing but marks: from, to."""
    end: float
    beside: float = 0.0
    """Inches of the width that names take."""

    def across(self, low: float, high: float, **how: Any) -> None:
        """Shade from `low` to `high`, but for where names stand."""
        for top, bottom in self.lanes:
            self.axes.fill_betweenx([top, bottom], low, high, linewidth=0, zorder=0.5, **how)

    def line(self, at: float, **how: Any) -> None:
        """Draw a line down through the rows, but for where names stand."""
        for top, bottom in self.lanes:
            self.axes.plot([at, at], [top, bottom], zorder=1.5, marker="", **how)

    def lane_of(self, row: int) -> tuple[float, float]:
        """Return from where to where there are marks of a row, and of it alone."""
        half = min(_LANE, _ROW) / 2
        return self.at[row] - half, self.at[row] + half

    def finish(self, x_label: str, handles: Sequence[Artist]) -> Figure:
        """Name the axis, explain the marks, and give the figure its height."""
        wide = float(self.figure.get_size_inches()[0])
        label = wrapped(x_label, max(2.4, wide - 6 * _EDGE - self.beside))
        self.axes.set_xlabel(label)
        self.axes.set_ylim(self.end, 0)
        self.axes.grid(visible=False, axis="y")
        self.axes.spines["left"].set_visible(False)
        self.axes.tick_params(axis="y", length=0)
        below = 0.45 + 1.1 * high_of(label) + explain(self.figure, handles)
        self.figure.set_size_inches(wide, self.end + below)
        return self.figure


def rows_figure(rows: Sequence[Row], wide: float) -> HeadedRows:
    """Return a figure with the names of rows, and nothing in them."""
    figure = Figure(figsize=(wide, 2.0), layout="constrained")
    axes = figure.add_subplot()
    return _above(figure, axes, rows) if wide < IS_NARROW else _aside(figure, axes, rows)


def _aside(figure: Figure, axes: Axes, rows: Sequence[Row]) -> HeadedRows:
    """Put names to the left of their rows, values to the right."""
    wide = float(figure.get_size_inches()[0])
    labels = [wrapped(one.label, _LABELS_SHARE * wide, SMALL) for one in rows]
    beside = max((1.03 * inches_of(one, SMALL) for one in labels), default=0.0) + 0.1
    offset = -_POINTS_AN_INCH * beside
    at, lanes, end, section = list[float](), list[tuple[float, float]](), 0.04, ""
    for row, label in zip(rows, labels, strict=True):
        if row.section != section and row.section:
            heading = wrapped(row.section, wide - 3 * _EDGE, SMALL * _BOLD)
            end += _GAP if at else 0.0
            _heading(axes, heading, end, offset)
            end += high_of(heading) + 0.06
        if row.section != section or not lanes:
            lanes.append((end, end))
        section = row.section
        high = max(_ROW, high_of(label) + 0.07)
        at.append(end + high / 2)
        end += high
        lanes[-1] = (lanes[-1][0], end)
        axes.annotate(
            row.value,
            (1, at[-1]),
            (7, 0),
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            ha="left",
            va="center_baseline",
            size=LETTERS,
        )
    axes.set_yticks(at, labels, size=LETTERS, ha="left", linespacing=1.15)
    axes.tick_params(axis="y", pad=-offset)
    return HeadedRows(figure, axes, at, lanes, end + 0.04, beside)


def _above(figure: Figure, axes: Axes, rows: Sequence[Row]) -> HeadedRows:
    """Put names above their rows, values at the end of the same line."""
    room = float(figure.get_size_inches()[0]) - 4 * _EDGE
    at, lanes, end, section = list[float](), list[tuple[float, float]](), 0.02, ""
    how: dict[str, Any] = {"size": LETTERS, "va": "top", "linespacing": 1.15, "zorder": 3}
    how["bbox"] = {"facecolor": PAGE, "edgecolor": "none", "pad": 0.8}
    for row in rows:
        if row.section != section and row.section:
            heading = wrapped(row.section, room, SMALL * _BOLD)
            end += _GAP if at else 0.0
            _heading(axes, heading, end, 0.0)
            end += high_of(heading) + 0.07
        section = row.section
        label = wrapped(row.label, room - inches_of(row.value, SMALL) - 0.1, SMALL)
        across = axes.get_yaxis_transform()
        axes.text(0, end, label, transform=across, **how)
        axes.text(1, end, row.value, transform=across, ha="right", **how)
        end += high_of(label)
        lanes.append((end, end + _LANE))
        at.append(end + _LANE / 2)
        end += _LANE + 0.07
    axes.set_yticks([])
    return HeadedRows(figure, axes, at, lanes, end)


def _heading(axes: Axes, text: str, at: float, offset: float) -> None:
    axes.annotate(
        text,
        (0, at),
        (offset, 0),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        ha="left",
        va="top",
        weight="bold",
        size=LETTERS,
        linespacing=1.15,
        zorder=3,
        bbox={"facecolor": PAGE, "edgecolor": "none", "pad": 0.8},
    )
