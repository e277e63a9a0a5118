"""An answer as a report: the verdict, its pictures, the figures behind it, where it stops."""

from itertools import groupby
from math import floor, isfinite, log10

from herdlab.analysis.findings import PER_CENT, POINTS, TURNS, Finding
from herdlab.analysis.questions import find_question
from herdlab.analysis.questions.asking import Answer
from herdlab.analysis.report.composing import Composed, Result, between, game_of, table
from herdlab.analysis.report.document import Cell, Picture, Points, Section, Table, Verdict
from herdlab.analysis.words.phrases import capital, counted, sentence

_DIGITS_OF_RATES, _DIGITS_OF_EXACT, _MOST_DIGITS = 2, 3, 6


def compose_answer(whole: Result) -> Composed:
    """Return an answer as parts of a document."""
    question = find_question(whole["question"])
    answer = Answer.from_json(whole)
    headline, *points = answer.said
    pictures = tuple(Picture(one) for one in question.drawings(answer))
    tables = tuple(
        _figures(section, list(findings))
        for section, findings in groupby(answer.findings, lambda one: one.section)
    )
    notes = (Points(tuple(map(sentence, answer.notes))),) if answer.notes else ()
    sections = [
        Section("In pictures", pictures),
        Section("Where it holds, and where not", notes),
        Section("The figures", tables),
    ]
    how = "a small, fixed number of games was played: the answer is rough"
    if not whole["rough"]:
        how = "every comparison went on until it was settled, or to its limit"
    state = "Settled" if whole["settled"] else "Not all of it is settled"
    sure = f"{state}: {counted(whole['games'], 'game')}; intervals are with the figures."
    about = game_of(whole).title
    return Composed(
        question.words,
        Verdict(headline, tuple(points), sure, is_rough=whole["rough"]),
        whole["settled"],
        tuple(one for one in sections if one.parts),
        (
            f"For “{question.words}” {how}: {whole['games']:,} games of {about}, both sides of "
            f"every comparison on the same deals.",
        ),
    )


def _figures(section: str, findings: list[Finding]) -> Table:
    """Return one section; a unit that all have stands above the values."""
    units = {one.unit for one in findings}
    rows = []
    for one in findings:
        value, interval = _value_and_interval(one)
        cells = [Cell(one.label), Cell(value, one.value), Cell(interval, one.low), Cell(one.unit)]
        rows.append(cells)
    head = ["what", "value ", "interval ", "unit"]
    if len(units) == 1:
        rows = [row[:-1] for row in rows]
        head = ["what", f"{units.pop()} ", "interval "]
    return table(capital(section) or "Figures", head, rows, is_folded=True)


def _value_and_interval(one: Finding) -> tuple[str, str]:
    """Return value and interval in words."""
    if one.value is None:
        return "none", "exact" if one.is_exact else ""
    digits, sign = _digits(one), "+" if one.unit == POINTS else ""
    value = f"{one.value:{sign}.{digits}f}"
    if one.is_exact:
        return value, "exact"
    return value, between(one.low, one.high, digits, sign=sign)


def _digits(one: Finding) -> int:
    """Return how many decimals a figure has: an interval's half-width with about two digits."""
    if one.unit in (POINTS, PER_CENT):
        return _DIGITS_OF_RATES
    if one.is_exact and one.unit == TURNS:
        return _DIGITS_OF_EXACT
    half = (one.high - one.low) / 2 if one.high is not None and one.low is not None else 0.0
    if not half or not isfinite(half):
        whole = one.value is not None and one.value == round(one.value)
        return 0 if whole else _DIGITS_OF_EXACT
    return min(_MOST_DIGITS, max(0, 1 - floor(log10(half))))
