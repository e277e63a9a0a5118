"""An answer as a report: the verdict, its pictures, the figures behind it, where it stops."""

import re
from itertools import groupby

from herdlab.analysis.findings import Finding
from herdlab.analysis.questions import find_question
from herdlab.analysis.questions.asking import Answer
from herdlab.analysis.report.composing import Composed, Result, capital, game_of, sentence, table
from herdlab.analysis.report.document import Cell, Picture, Points, Section, Table, Verdict
from herdlab.analysis.terminal.show_answer import value_and_interval

_BETWEEN = re.compile(r"(?<=[.!?]) (?=[A-Z])")
"""Where a sentence ends and another begins."""
_SHORT = 60
"""Letters up to which a sentence, such as "No: do not buy it", needs the next one too."""


def compose_answer(whole: Result) -> Composed:
    """Return an answer as parts of a document."""
    question = find_question(whole["question"])
    answer = Answer.from_json(whole)
    first, others = _sentences(sentence(answer.verdict))
    pictures = tuple(Picture(one) for one in question.drawings(answer))
    tables = tuple(
        _figures(section, list(findings))
        for section, findings in groupby(answer.findings, lambda one: one.section)
    )
    notes = (Points(tuple(map(sentence, answer.notes))),) if answer.notes else ()
    sections = [
        Section("In pictures", pictures),
        Section("In words", (Points(tuple(others)),) if others else ()),
        Section("Where it holds, and where not", notes),
        Section("The figures", tables),
    ]
    how = "a small, fixed number of games was played: the answer is rough"
    if not whole["rough"]:
        how = "every comparison went on until it was settled, or to its limit"
    about = game_of(whole).title
    return Composed(
        question.words,
        Verdict(first, is_rough=whole["rough"]),
        tuple(one for one in sections if one.parts),
        (
            f"For “{question.words}” {how}: {whole['games']:,} games of {about}, both sides of "
            f"every comparison on the same luck.",
        ),
    )


def _sentences(text: str) -> tuple[str, list[str]]:
    """Return as many sentences as make an answer with a figure in it, and the others."""
    first, *others = _BETWEEN.split(text)
    while others and len(first) < _SHORT:
        first = f"{first} {others.pop(0)}"
    return first, others


def _figures(section: str, findings: list[Finding]) -> Table:
    """Return one section; a unit that all have stands above the values."""
    units = {one.unit for one in findings}
    rows = []
    for one in findings:
        value, interval = value_and_interval(one)
        cells = [Cell(one.label), Cell(value, one.value), Cell(interval, one.low), Cell(one.unit)]
        rows.append(cells)
    head = ["what", "value ", "interval ", "unit"]
    if len(units) == 1:
        rows = [row[:-1] for row in rows]
        head = ["what", f"{units.pop()} ", "interval "]
    return table(capital(section) or "Figures", head, rows, is_folded=True)
