"""The figures of an answer as tables: a section each, with the digits that they deserve."""

import json
from typing import Any

from herdlab.analysis.findings import PER_CENT, POINTS, TURNS, Finding, exactly
from herdlab.analysis.questions.answer_document import compose_answer
from herdlab.analysis.report.document import Table
from tests.golden.regenerate import RESULTS


def tables_with(*findings: Finding) -> list[Table]:
    whole: dict[str, Any] = json.loads((RESULTS / "ask-seat.json").read_text())
    found = [one.as_json() for one in findings]
    composed = compose_answer({**whole, "seconds": 1.0, "findings": found})
    return [part for part in composed.sections[-1].parts if isinstance(part, Table)]


def texts(table: Table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in table.rows]


def test_a_unit_that_all_figures_of_a_section_have_stands_above_them() -> None:
    gain = Finding("wins", "three players", 4.88, 4.1, 5.69, POINTS)
    rate = Finding("games without a winner", "three players", 0.5, 0.25, 1.0, PER_CENT)
    wins, mixed = tables_with(gain, rate, exactly("games without a winner", "alone", 2.0, TURNS))
    assert wins.title == "Wins"
    assert [one.name for one in wins.columns] == ["what", POINTS, "interval"]
    assert texts(wins) == [["three players", "+4.88", "+4.10 to +5.69"]]
    assert [one.name for one in mixed.columns] == ["what", "value", "interval", "unit"]
    assert texts(mixed) == [
        ["three players", "0.50", "0.25 to 1.00", PER_CENT],
        ["alone", "2.000", "exact", TURNS],
    ]
    assert [one.is_number for one in mixed.columns] == [False, True, True, False]


def test_a_section_is_one_table_wherever_its_figures_stand() -> None:
    first, second = (Finding("wins", name, 1.0, 0.5, 1.5, POINTS) for name in ("a", "b"))
    between = Finding("losses", "c", 1.0, 0.5, 1.5, POINTS)
    found = tables_with(first, between, second)
    assert [(one.title, len(one.rows)) for one in found] == [("Wins", 2), ("Losses", 1)]


def test_figures_have_as_many_digits_as_they_deserve() -> None:
    (table,) = tables_with(
        exactly("lengths", "optimal", 36.81234, TURNS),
        exactly("lengths", "nobody finishes", None, TURNS),
        Finding("lengths", "keeper", 36.81234, 36.5, 37.1, TURNS),
        Finding("lengths", "closer", 36.8, None, None, TURNS),
    )
    assert [row[1:] for row in texts(table)] == [
        ["36.812", "exact"],
        ["none", "exact"],
        ["36.81", "36.50 to 37.10"],
        ["36.800", "unknown"],
    ]
    (table,) = tables_with(exactly("herds", "where it is right", 96.0, "herds"))
    assert texts(table) == [["where it is right", "96", "exact"]]
