"""Reports say what results say: the same numbers, the verdict first, nothing cut or left out."""

import re
from collections.abc import Iterator
from math import isfinite
from typing import Any

import pytest

from analysis.figures.style import NARROW, WIDE
from analysis.report.compose import compose_result
from analysis.report.document import Cell, Part, Picture, Provenance, Report, Table, Verdict
from simcore.errors import BadInput
from tests.analysis.figures import check_texts
from tests.report.results import KINDS, result

_NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?")


def parts_of(report: Report) -> list[Part]:
    return [*report.lead, *(part for one in report.sections for part in one.parts)]


def tables_of(report: Report) -> list[Table]:
    return [part for part in parts_of(report) if isinstance(part, Table)]


def leaves(whole: Any) -> Iterator[float]:
    if isinstance(whole, dict | list):
        for one in whole.values() if isinstance(whole, dict) else whole:
            yield from leaves(one)
    elif isinstance(whole, int | float) and not isinstance(whole, bool):
        yield float(whole)
    elif isinstance(whole, str) and whole.isdecimal():  # a value of a sweep, as it was written
        yield float(whole)


def is_shown_as(text: str, value: float) -> bool:
    """Whether a text begins with a value, rounded to the decimals it has, perhaps in per cent."""
    found = _NUMBER.search(text)
    if found is None:
        return False
    shown = found.group().replace(",", "")
    half = 0.5000001 * 10.0 ** -len(shown.partition(".")[2])
    return any(abs(float(shown) - scale * value) <= half for scale in (1, 100))


@pytest.mark.parametrize("kind", KINDS)
def test_the_verdict_stands_first_and_the_command_last(kind: str) -> None:
    report = compose_result(result(kind))
    assert isinstance(report.lead[0], Verdict) and report.lead[0].text.strip()
    assert report.lead[0].text[-1] in ".!?"
    last = report.sections[-1].parts[-1]
    assert isinstance(last, Provenance) and last.command.startswith("herdlab ")
    assert all(one.parts for one in report.sections)
    titles = [one.title for one in report.sections]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("kind", KINDS)
def test_every_number_in_a_table_is_one_of_the_result(kind: str) -> None:
    whole = result(kind)
    known = {round(one, 9) for one in leaves(whole)}
    known |= {round(100 * one, 9) for one in known} | {round(-one, 9) for one in known}
    cells = [
        cell
        for table in tables_of(compose_result(whole))
        for row in table.rows
        for cell in row
        if cell.key is not None and isfinite(cell.key)
    ]
    assert cells or kind == "solve without end"
    for cell in cells:
        assert cell.key is not None
        assert is_shown_as(cell.text, cell.key) or "to" in cell.text, cell
    strangers = [cell for cell in cells if cell.key is not None and round(cell.key, 9) not in known]
    derived = {"solve"}  # quantiles, and turns above the best, are worked out
    assert not strangers or kind in derived or kind.startswith("luck"), strangers


def test_a_wrong_number_in_a_table_would_be_seen() -> None:
    assert is_shown_as("37.62", 0.37618) and is_shown_as("+5.3 (5.0 to 5.7)", 0.0531)
    assert not is_shown_as("37.62", 0.37633)
    assert not is_shown_as("–", 0.1)


@pytest.mark.parametrize("kind", KINDS)
def test_rows_have_as_many_cells_as_there_are_columns(kind: str) -> None:
    for table in tables_of(compose_result(result(kind))):
        assert table.rows and all(len(row) == len(table.columns) for row in table.rows), table.title
        assert all(isinstance(cell, Cell) for row in table.rows for cell in row)


@pytest.mark.parametrize("kind", KINDS)
def test_figures_are_neither_cut_nor_overlapping_at_any_width(kind: str) -> None:
    pictures = [
        part for part in parts_of(compose_result(result(kind))) if isinstance(part, Picture)
    ]
    for picture in pictures:
        assert picture.drawing.title and picture.drawing.alt
        assert not re.search(r"\bnan\b|\bNone\b|\binf\b", picture.drawing.alt), picture.drawing.alt
        for wide in (WIDE, NARROW):
            figure = picture.drawing.draw(wide)
            assert figure.get_size_inches()[0] == pytest.approx(wide)
            check_texts(figure)


def test_the_verdict_of_a_simulation_names_who_wins_most() -> None:
    whole = result("simulate by seat")
    best = max(whole["seats"], key=lambda one: one["win_rate"])
    text = compose_result(whole).lead[0]
    assert isinstance(text, Verdict)
    assert f"{best['strategy']} (seat {best['seat']}) wins most" in text.text
    assert f"{100 * best['win_rate']:.2f} %" in text.text


def test_a_lead_that_intervals_do_not_show_is_not_called_sure() -> None:
    whole = result("simulate by seat")
    for place, one in enumerate(whole["seats"]):
        one |= {"win_rate": 0.33 + 0.001 * place, "ci_low": 0.3, "ci_high": 0.36}
    text = compose_result(whole).lead[0]
    assert isinstance(text, Verdict) and "but the intervals of" in text.text
    whole["seats"][2] |= {"win_rate": 0.5, "ci_low": 0.49, "ci_high": 0.51}
    text = compose_result(whole).lead[0]
    assert isinstance(text, Verdict) and "nobody else's interval reaches as far" in text.text


def test_games_that_nobody_won_are_said_to_be_so() -> None:
    text = compose_result(result("nobody won")).lead[0]
    assert isinstance(text, Verdict) and text.text == "Nobody won any of 400 games."


@pytest.mark.parametrize("kind", ["compare", "readings", "tournament", "luck", "ask", "race"])
def test_the_verdict_is_the_one_of_the_result(kind: str) -> None:
    whole = result(kind)
    said = whole.get("verdict") or whole["sentence"]
    lead = compose_result(whole).lead[0]
    assert isinstance(lead, Verdict)
    together = f"{lead.text} {lead.more}".strip()
    assert together.lower().startswith(said.lower().rstrip("."))


def test_nothing_in_a_report_depends_on_how_long_it_took() -> None:
    once, again = result("simulate by seat"), result("simulate by seat")
    again |= {"seconds": 99.0, "games_per_second": 1.0}
    one, other = compose_result(once), compose_result(again)
    assert tables_of(one) == tables_of(other)
    assert one.lead == other.lead and one.sections[-1] == other.sections[-1]


def test_what_cannot_be_reported_is_refused() -> None:
    with pytest.raises(BadInput, match="unknown command to report on 'tune'"):
        compose_result({**result("compare"), "command": "tune"})
