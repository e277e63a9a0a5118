"""What `ask` prints: the verdict, the figures by section, where it stops being true."""

from itertools import groupby
from math import floor, isfinite, log10

from rich.console import Console
from rich.text import Text

from herdlab.analysis.findings import PER_CENT, POINTS, TURNS, Finding
from herdlab.analysis.questions import QUESTIONS
from herdlab.analysis.questions.asking import Answer
from herdlab.analysis.terminal.show import console, table

_WIDTH = 80
"""Columns that a table may take, and what is printed into a pipe."""
_DIGITS_OF_RATES, _DIGITS_OF_EXACT, _MOST_DIGITS = 2, 3, 6
_SIGNED = {POINTS}


def questions() -> None:
    """Print what can be asked, and how."""
    out = console(_WIDTH)
    rows = [[one.name, ", ".join(one.games) or "any", one.words] for one in QUESTIONS.values()]
    out.print(table(["question", "game", "what it asks"], rows))
    out.print(
        Text(
            "\n'herdlab ask guard-dog' plays until it is settled, and with --quick gives a rough "
            "answer; a question about any game is asked as 'herdlab ask seat swap'."
        )
    )


def answer(found: Answer) -> None:
    """Print an answer, the verdict first."""
    out, mine = console(_WIDTH), found.ask
    out.print(Text(_sentence(found.verdict)), style="bold")
    if mine.quick:
        out.print(
            Text(
                f"rough: {found.games:,} games; without --quick it plays until it is settled",
                style="italic",
            )
        )
    for section, findings in groupby(found.findings, lambda one: one.section):
        out.print()
        if section:
            out.print(Text(section), style="bold")
        _figures(out, list(findings))
    if found.notes:
        out.print()
    for note in found.notes:
        out.print(Text(_sentence(note)))
    out.print(
        Text(
            f"\n{mine.experiment.game.title}: {found.games:,} games in {found.seconds:.1f} s; "
            f"{mine.experiment.title()}; rules {mine.experiment.rules.hash}",
            style="dim",
        )
    )


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _figures(out: Console, findings: list[Finding]) -> None:
    """Print one section; a unit that all have stands above the values."""
    units = {one.unit for one in findings}
    rows = [[one.label, *value_and_interval(one), one.unit] for one in findings]
    head = ["", "value ", "interval ", "unit"]
    if len(units) == 1:
        rows = [row[:-1] for row in rows]
        head = ["", f"{units.pop()} ", "interval "]
    out.print(table(head, rows), width=min(_WIDTH, out.width))


def value_and_interval(one: Finding) -> tuple[str, str]:
    """Return value and interval in words."""
    if one.value is None:
        return "none", "exact" if one.is_exact else ""
    digits, sign = _digits(one), "+" if one.unit in _SIGNED else ""
    value = f"{one.value:{sign}.{digits}f}"
    if one.is_exact:
        return value, "exact"
    if one.low is None or one.high is None or not isfinite(one.high - one.low):
        return value, "unknown"
    return value, f"{one.low:{sign}.{digits}f} to {one.high:{sign}.{digits}f}"


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
