"""What all composers share: what they return, and how numbers and intervals are written."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import floor, isfinite, log10
from typing import Any

from herdlab.analysis.report.document import Cell, Column, Section, Table, Verdict
from herdlab.simcore.game import Game, find_game

Result = Mapping[str, Any]
"""The object that ``--json`` prints: reports have no other source of figures."""

NOTHING = Cell("–")
_MOST_DIGITS = 6


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


def in_per_cent(value: float, low: float, high: float) -> tuple[float, float, float]:
    """Return a rate and its interval in per cent."""
    return 100 * value, 100 * low, 100 * high


def between(low: float | None, high: float | None, digits: int, *, sign: str = "") -> str:
    """Return an interval, without its unit; "unknown" if it has no ends."""
    if low is None or high is None or not isfinite(high - low):
        return "unknown"
    return f"{low:{sign}z.{digits}f} to {high:{sign}z.{digits}f}"


def rate_between(low: float | None, high: float | None, *, sign: str = "") -> str:
    """Return a rate's interval in per cent, without the unit."""
    if low is None or high is None:
        return "unknown"
    return between(100 * low, 100 * high, 2, sign=sign)


def digits_for(low: float | None, high: float | None) -> int:
    """Return the decimals with which an interval's half-width has about two digits."""
    if low is None or high is None or not isfinite(high - low) or high <= low:
        return 3
    return min(_MOST_DIGITS, max(0, 1 - floor(log10((high - low) / 2))))


def number(value: float | None, text: str) -> Cell:
    """Return a cell that is sorted by its value."""
    return NOTHING if value is None or not isfinite(value) else Cell(text, value)


def rate_cells(value: float, low: float | None, high: float | None) -> tuple[Cell, Cell]:
    """Return a rate and its interval, in per cent."""
    return number(value, f"{100 * value:.2f}"), number(low, rate_between(low, high))


def mean_cells(value: float, low: float | None, high: float | None) -> tuple[Cell, Cell]:
    """Return a mean and its interval, with as many decimals as the interval is worth."""
    digits = digits_for(low, high)
    return number(value, f"{value:.{digits}f}"), number(low, between(low, high, digits))


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
