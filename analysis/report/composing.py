"""What all composers share: what they return, and how numbers and intervals are written."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from herdlab.analysis.report.columns import Look
from herdlab.analysis.report.document import Cell, Column, Section, Table, Verdict
from herdlab.simcore.game import Game, find_game

Result = Mapping[str, Any]
"""The object that ``--json`` prints: reports have no other source of numbers."""


@dataclass(frozen=True)
class Composed:
    """A result as parts of a document, by itself or as a part of a study."""

    title: str
    """Of a report of its own."""
    verdict: Verdict
    settled: bool
    """Whether the games were enough for all that the verdict says."""
    sections: tuple[Section, ...]
    method: tuple[str, ...]
    """How it was found, in sentences that hold beside those of other parts."""


def game_of(whole: Result) -> Game:
    """Return the game that a result is about."""
    return find_game(whole["game"])


def metric_words(whole: Result) -> str:
    """Return what a result measured, with its unit."""
    game, metric = game_of(whole), whole["metric"]
    if metric == "length":
        return f"length in {game.length_unit}"
    return next((one.words for one in game.events if one.name == metric), str(metric))


def percent(rate: float, digits: int = 2) -> str:
    """Return a rate as per cent."""
    return f"{100 * rate:.{digits}f} %"


def between(low: float | None, high: float | None, digits: int, *, sign: str = "") -> str:
    """Return an interval, without its unit; "unknown" if it has no ends."""
    return Look(1, digits, sign).between(low, high)


def table(
    title: str,
    columns: Iterable[str],
    rows: Iterable[Sequence[Cell]],
    note: str = "",
    *,
    is_folded: bool = False,
) -> Table:
    """Return a table; columns whose name ends in a blank are numbers."""
    made = tuple(Column(name.strip(), name.endswith(" ")) for name in columns)
    return Table(title, made, tuple(tuple(row) for row in rows), note, is_folded)
