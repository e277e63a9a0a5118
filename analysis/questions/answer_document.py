"""An answer as a report: the verdict, its pictures, the numbers behind it, where it stops."""

from collections.abc import Iterator
from math import floor, isfinite, log10
from typing import TYPE_CHECKING

from herdlab.analysis.findings import PER_CENT, POINTS, TURNS
from herdlab.analysis.questions import find_question
from herdlab.analysis.questions.asking import Answer
from herdlab.analysis.report import document
from herdlab.analysis.report.columns import Row, Shown, table_of, text
from herdlab.analysis.tables import Whole, tables_of
from herdlab.analysis.words.numbers import Look
from herdlab.analysis.words.phrases import capital, counted, sentence
from herdlab.simcore.game import find_game

if TYPE_CHECKING:
    import pandas as pd

_DIGITS_OF_RATES, _DIGITS_OF_EXACT, _MOST_DIGITS = 2, 3, 6


def compose_answer(whole: Whole) -> document.Composed:
    """Return an answer as parts of a document."""
    question, answer = find_question(whole["question"]), Answer.from_json(whole)
    headline, *points = answer.said
    notes = tuple(map(sentence, answer.notes))
    sections: dict[str, tuple[document.Part, ...]] = {
        "In pictures": tuple(question.drawings(answer)),
        "Where it holds, and where not": (document.Points(notes),) if notes else (),
        "The numbers": tuple(_numbers(tables_of(whole)["findings"])),
    }
    how = "a small, fixed number of games was played: the answer is rough"
    if not whole["rough"]:
        how = "every comparison went on until it was settled, or to its limit"
    state = "Settled" if whole["settled"] else "Not all of it is settled"
    sure = f"{state}: {counted(whole['games'], 'game')}; intervals are with the numbers."
    return document.Composed(
        question.words,
        document.Verdict(headline, tuple(points), sure, is_rough=whole["rough"]),
        whole["settled"],
        tuple(document.Section(title, parts) for title, parts in sections.items() if parts),
        (
            f"For “{question.words}” {how}: {whole['games']:,} games of "
            f"{find_game(whole['game']).title}, both sides of every comparison on the same deals.",
        ),
        tuple(answer.strategies),
    )


def _numbers(findings: "pd.DataFrame") -> Iterator[document.Table]:
    """Yield a table for each section; a unit that all have stands above the values."""
    for section, found in findings.groupby("section", sort=False):
        units = list(found["unit"].unique())
        shown = [
            text("what", "label"),
            Shown(units[0] if len(units) == 1 else "value", "value", _value),
            Shown("interval", "low", _interval),
            text("unit", "unit"),
        ]
        shown = shown[:-1] if len(units) == 1 else shown
        yield table_of(capital(str(section)) or "Numbers", found, shown, is_folded=True)


def _value(row: Row) -> document.Cell:
    value = row["value"]
    return document.Cell("none" if value is None else _look(row).number(value), value)


def _interval(row: Row) -> document.Cell:
    found = "exact" if row["exact"] else ""
    if row["value"] is not None and not row["exact"]:
        found = _look(row).between(row["low"], row["high"])
    return document.Cell(found, row["low"])


def _look(row: Row) -> Look:
    """Return how a figure is written: an interval's half-width with about two digits."""
    value, low, high, unit = (row[key] for key in ("value", "low", "high", "unit"))
    if unit in (POINTS, PER_CENT):
        return Look(1, _DIGITS_OF_RATES, "+" if unit == POINTS else "")
    half = (high - low) / 2 if high is not None and low is not None else 0.0
    if half and isfinite(half) and not (row["exact"] and unit == TURNS):
        return Look(1, min(_MOST_DIGITS, max(0, 1 - floor(log10(half)))))
    is_whole = value == round(value) and not (row["exact"] and unit == TURNS)
    return Look(1, 0 if is_whole else _DIGITS_OF_EXACT)
