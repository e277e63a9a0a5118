"""What every result can do: say what came of it, show tables and figures, become JSON or a page.

A result says of itself only `as_json`.  All else is made of that, so a result of today and one
that was saved long ago are shown in the same way.
"""

from abc import ABC, abstractmethod
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from herdlab.analysis.figures.drawing import Drawing
    from herdlab.analysis.report.composing import Composed
    from herdlab.analysis.report.document import Report

_REPORTS = "herdlab.analysis.report"
"""Known by name only: reports are made of results, and results know nothing of reports."""
_WIDE = 7.0
"""Inches."""
_NAMES = {"ci_low": "low", "ci_high": "high"}


class Result(ABC):
    """What a function of herdlab found out."""

    @abstractmethod
    def as_json(self) -> dict[str, Any]:
        """Return the object that ``--json`` prints."""

    def frame(self) -> "pd.DataFrame":
        """Return the main table, one row for each thing found; ``--save`` writes it."""
        return next(iter(self.tables().values()))

    def tables(self) -> "dict[str, pd.DataFrame]":
        """Return every table of the result, by its name in the JSON; ends are `low`, `high`."""
        import pandas as pd

        return {
            name: pd.json_normalize(rows, sep="_").rename(columns=_plain).map(_joined)
            for name, rows in self.as_json().items()
            if isinstance(rows, list) and rows and all(isinstance(row, dict) for row in rows)
        }

    @property
    def headline(self) -> str:
        """The answer."""
        return self._composed.verdict.headline

    @property
    def points(self) -> tuple[str, ...]:
        """Why, where it is different, what to do instead."""
        return self._composed.verdict.points

    @property
    def how_sure(self) -> str:
        """How far it can be trusted."""
        return self._composed.verdict.how_sure

    @property
    def settled(self) -> bool:
        """Whether the games were enough for all that the answer says."""
        return self._composed.settled

    def document(self) -> "Report":
        """Return what a page, a PDF and the terminal are made of."""
        report: Report = import_module(f"{_REPORTS}.compose").compose_result(self._plain)
        return report

    def figures(self) -> "list[Drawing]":
        """Return the figures of the document."""
        parts = (part for section in self.document().sections for part in section.parts)
        return [part.drawing for part in parts if hasattr(part, "drawing")]

    def plot(self) -> "Figure | None":
        """Draw the first figure, if there is one."""
        drawings = self.figures()
        return drawings[0].draw(_WIDE) if drawings else None

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.headline}>"

    def __str__(self) -> str:
        return self.headline

    def _repr_html_(self) -> str:
        """Show the answer and the main table in a notebook."""
        points = "".join(f"<li>{escape(point)}</li>" for point in self.points)
        said = f"<p><b>{escape(self.headline)}</b></p><ul>{points}</ul>"
        return said + str(self.frame().to_html(max_rows=20))

    @property
    def _plain(self) -> dict[str, Any]:
        whole: dict[str, Any] = import_module(f"{_REPORTS}.writing").plain(self.as_json())
        return whole

    @property
    def _composed(self) -> "Composed":
        composed: Composed = import_module(f"{_REPORTS}.compose").compose(self._plain)
        return composed


def _joined(value: Any) -> Any:
    """Return a list of names as text, and all else as it is."""
    is_names = isinstance(value, list) and all(isinstance(one, str) for one in value)
    return ",".join(value) if is_names else value


def _plain(name: str) -> str:
    """Return a column's name with the ends of intervals called alike everywhere."""
    for long, short in _NAMES.items():
        name = name.replace(long, short)
    return name
