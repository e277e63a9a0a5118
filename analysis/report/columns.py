"""From a result's frame to a document's table: what columns are called, and how they are written.

A column is declared once, with its name for people, its name in the frame, and its look.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any

from herdlab.analysis.figures.parts.rows import Measured
from herdlab.analysis.report.document import Cell, Column, Table
from herdlab.analysis.sampling.metrics import WIN
from herdlab.analysis.stats.estimates import LOPSIDED
from herdlab.analysis.tables import Whole
from herdlab.analysis.words.numbers import CHANGE, MEAN, POINTS, RATE, Look

if TYPE_CHECKING:
    import pandas as pd

Row = Mapping[str, Any]
NOTHING = Cell("–")


def looks_of(whole: Whole) -> tuple[Look, Look]:
    """Return how what a result measured is written, and how differences of it are."""
    return (RATE, POINTS) if whole["metric"] == WIN else (MEAN, CHANGE)


def confidence_of(whole: Whole) -> str:
    """Return with how much the intervals of a result's differences hold, such as "95 %"."""
    return f"{100 * whole['confidence']:.4g} %"


@dataclass(frozen=True)
class Shown:
    """A column of a frame as a table has it."""

    name: str
    key: str
    """In the frame; where it has no such column, the table has none either."""
    cell: Callable[[Row], Cell]
    is_number: bool = True


def text(name: str, key: str, write: Callable[[Any], str] = str) -> Shown:
    """Return a column of words."""
    return Shown(name, key, lambda row: Cell(write(row[key])), is_number=False)


def number(name: str, key: str, form: str = ",.0f") -> Shown:
    """Return a column of numbers without intervals."""
    return _estimate(name, key, lambda found, *_: f"{found:{form}}")


def value(name: str, look: Look, key: str = "value") -> Shown:
    """Return a column of estimates alone."""
    return _estimate(name, key, look.number)


def ends(name: str, look: Look, key: str = "value") -> Shown:
    """Return a column of intervals alone, sorted by where they begin; those open below first."""

    def cell(row: Row) -> Cell:
        _, low, high = estimate_of(row, key)
        if low is None and high is None:
            return NOTHING
        return Cell(look.between(low, high), -inf if low is None else low)

    return Shown(name, key, cell)


def whole(name: str, look: Look, key: str = "value") -> Shown:
    """Return a column of estimates with their intervals."""
    return _estimate(name, key, look.whole)


def half(name: str, look: Look, key: str = "value", most: float = LOPSIDED) -> Shown:
    """Return a column of estimates with half their intervals."""
    return _estimate(name, key, partial(look.half, most=most))


def instead(column: Shown, when: Callable[[Row], Cell | None]) -> Shown:
    """Return a column that has another cell in some of its rows."""
    return replace(column, cell=lambda row: when(row) or column.cell(row))


def _estimate(name: str, key: str, write: Callable[..., str]) -> Shown:
    def cell(row: Row) -> Cell:
        found = estimate_of(row, key)
        return NOTHING if found[0] is None else Cell(write(*found), found[0])

    return Shown(name, key, cell)


def estimate_of(row: Row, key: str = "value") -> tuple[Any, Any, Any]:
    """Return an estimate of a row: value, low, high; None where there is none."""
    begin = "" if key == "value" else f"{key}_"
    return row[key], row.get(f"{begin}low"), row.get(f"{begin}high")


def rows_of(frame: "pd.DataFrame") -> list[dict[str, Any]]:
    """Return the rows of a frame, with None for what is not known."""
    found: Any = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return list(found)


def marks(
    look: Look, frame: "pd.DataFrame", label: str, words: str = "", key: str = "value"
) -> list[Measured]:
    """Return a frame's estimates for a picture, named by the column `label`."""
    found = []
    for row in rows_of(frame):
        at, low, high = (None if x is None else look.scale * x for x in estimate_of(row, key))
        assert at is not None
        found.append(Measured(row[label], at, low, high, row[words] if words else ""))
    return found


def table_of(
    title: str,
    frame: "pd.DataFrame",
    columns: Sequence[Shown],
    note: str = "",
    *,
    is_folded: bool = False,
) -> Table:
    """Return a frame as a table of a document, with those columns that it has."""
    kept = [one for one in columns if one.key in frame]
    rows = tuple(tuple(one.cell(row) for one in kept) for row in rows_of(frame))
    return Table(title, tuple(map(_head, kept)), rows, note, is_folded)


def crossed(
    title: str,
    frame: "pd.DataFrame",
    down: Sequence[Shown],
    across: str,
    cell: Shown,
    note: str = "",
    *,
    name: Callable[[Any], str] = str,
    is_folded: bool = False,
) -> Table:
    """Return a table with a column for each value that the frame's column `across` has."""
    rows: dict[tuple[str, ...], tuple[list[Cell], dict[Any, Cell]]] = {}
    for row in rows_of(frame):
        first = [one.cell(row) for one in down]
        _, found = rows.setdefault(tuple(one.text for one in first), (first, {}))
        found[row[across]] = cell.cell(row)
    heads = list(frame[across].unique())
    return Table(
        title,
        (*map(_head, down), *(Column(name(one), is_number=True) for one in heads)),
        tuple(
            (*first, *(found.get(one, Cell("")) for one in heads)) for first, found in rows.values()
        ),
        note,
        is_folded,
    )


def _head(one: Shown) -> Column:
    return Column(one.name, one.is_number)
