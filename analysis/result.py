"""What every result can do: say what came of it, show tables and figures, become JSON or a page.

A result says of itself only `as_json`.  All else is made of that, so a result of today and one
that was saved long ago are shown in the same way.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any

from herdlab.analysis.tables import tables_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from herdlab.analysis.figures.drawing import Drawing
    from herdlab.analysis.report.document import Composed, Report

_REPORTS = "herdlab.analysis.report"
"""Known by name only: reports are made of results, and results know nothing of reports."""
_WIDE = 7.0
"""Inches."""


def plain(whole: Mapping[str, Any]) -> dict[str, Any]:
    """Return a result exactly as a file gives it back."""
    again: dict[str, Any] = json.loads(json.dumps(dict(whole), allow_nan=False))
    return again


class Result(ABC):
    """What a function of herdlab found out."""

    @abstractmethod
    def as_json(self) -> dict[str, Any]:
        """Return the object that ``--json`` prints."""

    def frame(self) -> "pd.DataFrame":
        """Return the main table, one row for each thing found; ``--save`` writes it."""
        return next(iter(self.tables().values()))

    def tables(self) -> "dict[str, pd.DataFrame]":
        """Return every table by its name, tidy: the report's tables are made of these."""
        return tables_of(self._plain)

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
        return self.document().drawings

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
        return plain(self.as_json())

    @property
    def _composed(self) -> "Composed":
        composed: Composed = import_module(f"{_REPORTS}.compose").compose(self._plain)
        return composed
