"""Reports say what results say: the same numbers, the verdict first, nothing cut or left out."""

import html
import json
import re
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from math import ceil, isfinite
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

import herdlab
from herdlab.analysis.figures.drawing import Drawing
from herdlab.analysis.figures.parts.style import NARROW, WIDE
from herdlab.analysis.report.compose import compose_result, compose_study
from herdlab.analysis.report.document import (
    Cell,
    Method,
    Paragraph,
    Part,
    Provenance,
    Report,
    Table,
    Verdict,
)
from herdlab.analysis.report.render.html import render_html
from herdlab.analysis.report.render.pdf import render_pdf
from herdlab.analysis.report.study.overview import compose_overview
from herdlab.analysis.report.study.study import Study, StudyPart
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game
from tests.analysis.figures import check_texts
from tests.analysis.report.results import KINDS, result

_NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?")


@cache
def composed(kind: str) -> Report:
    return compose_result(result(kind))


def answer_of(whole: dict[str, Any]) -> Verdict:
    first = compose_result(whole).lead[0]
    assert isinstance(first, Verdict)
    return first


def verdict_of(whole: dict[str, Any]) -> str:
    return answer_of(whole).headline


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
    report = composed(kind)
    assert isinstance(report.lead[0], Verdict) and report.lead[0].headline.strip()
    assert report.lead[0].headline[-1] in ".!?"
    last = report.sections[-1].parts[-1]
    assert isinstance(last, Provenance) and last.command.startswith("herdlab ")
    assert all(one.parts for one in report.sections)
    titles = [one.title for one in report.sections]
    assert len(set(titles)) == len(titles)


def measured_at(whole: dict[str, Any]) -> Iterator[float]:
    """Yield where curves over the course of a game are measured."""
    for curve in find_game(whole["game"]).curves:
        for one in whole.get("curves", {}).get(curve.name, []):
            yield from (curve.step * place for place in range(len(one["means"])))


def quantiles(whole: dict[str, Any]) -> Iterator[float]:
    """Yield the values that 5, 25, 50, 75 and 95 % of a result's histograms do not exceed."""
    found = whole.get("histograms", {}).values()
    for one in [one for each in found for one in (each if isinstance(each, list) else [each])]:
        values = [place for place, count in enumerate(one["counts"]) for _ in range(count)]
        for percent in (5, 25, 50, 75, 95):
            place = values[max(0, ceil(percent * len(values) / 100) - 1)]
            yield one["low"] + one["width"] * (place + 1) - 1


@pytest.mark.parametrize("kind", KINDS)
def test_every_number_in_a_table_is_one_of_the_result(kind: str) -> None:
    whole = result(kind)
    known = {round(one, 9) for one in [*leaves(whole), *quantiles(whole), *measured_at(whole)]}
    known |= {round(100 * one, 9) for one in known}
    known |= {round(-one, 9) for one in known}
    cells = [
        cell
        for table in tables_of(composed(kind))
        for row in table.rows
        for cell in row
        if cell.key is not None and isfinite(cell.key)
    ]
    assert cells or kind == "solve without end"
    for cell in cells:
        assert cell.key is not None
        assert is_shown_as(cell.text, cell.key), cell
    strangers = [cell for cell in cells if cell.key is not None and round(cell.key, 9) not in known]
    derived = {"solve"}  # quantiles, and turns above the best, are worked out
    assert not strangers or kind in derived, strangers


def test_a_wrong_number_in_a_table_would_be_seen() -> None:
    assert is_shown_as("37.62", 0.37618) and is_shown_as("+5.3 (5.0 to 5.7)", 0.0531)
    assert not is_shown_as("37.62", 0.37633)
    assert not is_shown_as("–", 0.1)


@pytest.mark.parametrize("kind", KINDS)
def test_rows_have_as_many_cells_as_there_are_columns(kind: str) -> None:
    tables = tables_of(composed(kind))
    assert len(tables) >= 2
    for table in tables:
        assert table.rows and all(len(row) == len(table.columns) for row in table.rows), table.title
        assert all(isinstance(cell, Cell) for row in table.rows for cell in row)


@pytest.mark.parametrize("kind", KINDS)
def test_figures_are_neither_cut_nor_overlapping_at_any_width(kind: str) -> None:
    pictures = [part for part in parts_of(composed(kind)) if isinstance(part, Drawing)]
    assert bool(pictures) == (kind not in ("solve without end", "race"))
    for picture in pictures:
        assert picture.title and picture.alt
        assert not re.search(r"\bnan\b|\bNone\b|\binf\b", picture.alt), picture.alt
        for wide in (WIDE, NARROW):
            figure = picture.draw(wide)
            assert figure.get_size_inches()[0] == pytest.approx(wide)
            check_texts(figure)


def test_the_verdict_of_a_simulation_names_who_wins_most() -> None:
    whole = result("simulate by seat")
    best = max(whole["seats"], key=lambda one: one["win_rate"])
    text = compose_result(whole).lead[0]
    assert isinstance(text, Verdict)
    assert f"{best['strategy']} (seat {best['seat']}) wins most" in text.headline
    assert f"{100 * best['win_rate']:.2f} %" in text.headline


def test_a_lead_that_intervals_do_not_show_is_not_called_sure() -> None:
    whole = result("simulate by seat")
    for place, one in enumerate(whole["seats"]):
        one |= {"win_rate": 0.33 + 0.001 * place, "ci_low": 0.3, "ci_high": 0.36}
    text = compose_result(whole).lead[0]
    assert isinstance(text, Verdict) and "but the intervals of" in text.headline
    whole["seats"][2] |= {"win_rate": 0.5, "ci_low": 0.49, "ci_high": 0.51}
    text = compose_result(whole).lead[0]
    assert isinstance(text, Verdict) and "nobody else's interval reaches as far" in text.headline


def test_games_that_nobody_won_are_said_to_be_so() -> None:
    text = compose_result(result("nobody won")).lead[0]
    assert isinstance(text, Verdict) and text.headline == "Nobody won any of 400 games."


@pytest.mark.parametrize("kind", ["compare", "readings", "tournament", "luck", "ask", "race"])
def test_the_verdict_is_the_one_of_the_result(kind: str) -> None:
    whole = result(kind)
    said = whole.get("verdict") or whole["sentence"]
    lead = compose_result(whole).lead[0]
    assert isinstance(lead, Verdict)
    together = " ".join((lead.headline, *lead.points))
    assert together.lower().startswith(said.lower().rstrip("."))


def test_nothing_in_a_report_depends_on_how_long_it_took() -> None:
    once, again = result("simulate by seat"), result("simulate by seat")
    again |= {"seconds": 99.0, "games_per_second": 1.0}
    one, other = compose_result(once), compose_result(again)
    assert tables_of(one) == tables_of(other)
    assert one.lead == other.lead and one.sections[-1] == other.sections[-1]


def test_what_was_stopped_unsettled_is_not_said_to_be_settled() -> None:
    whole = result("compare undecided")
    assert not whole["settled"]
    assert verdict_of(whole).startswith("Too close to call: keeper and closer")
    told = answer_of(whole).how_sure
    assert "stopped at its limit" in told and "until it was settled" not in told
    whole["settled"] = True
    assert "until it was settled" in answer_of(whole).how_sure


def test_readings_that_settle_nothing_are_no_same_finding() -> None:
    whole = result("readings")
    last = [table for table in tables_of(compose_result(whole)) if table.title == "Every reading"][
        0
    ]
    assert [row[-1].text for row in last.rows] == ["as given", *["yes"] * (len(last.rows) - 1)]
    for one in whole["readings"]:
        one["settled"] = False
    last = [table for table in tables_of(compose_result(whole)) if table.title == "Every reading"][
        0
    ]
    assert {row[-1].text for row in last.rows} == {"too close to call"}


def test_games_without_a_winner_are_in_the_verdict_and_in_the_fair_share() -> None:
    some = {"unfinished_rate": 0.4, "unfinished_ci_low": 0.35, "unfinished_ci_high": 0.45}
    whole = result("simulate by seat") | some
    text = verdict_of(whole)
    assert "a fair share is 20.00 %" in text
    assert text.endswith("; 40.00 % of games ended without a winner (35.00 to 45.00).")
    told = [part.text for part in parts_of(compose_result(whole)) if isinstance(part, Paragraph)]
    assert any("cut off count as long as they went on" in one for one in told)


def test_a_table_of_rotated_seats_is_ordered_as_its_figure() -> None:
    whole = result("simulate rotated")
    table = next(one for one in tables_of(compose_result(whole)) if one.title == "Win rates")
    rates = [row[2].key or 0.0 for row in table.rows]
    assert table.columns[2].name == "win rate, %" and rates == sorted(rates, reverse=True)


def test_axes_say_of_what_and_of_whom() -> None:
    pictures = [one for one in parts_of(composed("scores")) if isinstance(one, Drawing)]
    labels = {one.draw(WIDE).axes[0].get_xlabel() for one in pictures}
    assert {"score of a session, points", "total of a match, points"} <= labels
    pictures = [one for one in parts_of(composed("simulate by seat")) if isinstance(one, Drawing)]
    assert pictures[-1].draw(WIDE).axes[0].get_xlabel() == "turns of all players"


@pytest.mark.parametrize(("kind", "has_one"), [("simulate by seat", True), ("one game", False)])
def test_one_game_has_no_spread(kind: str, has_one: bool) -> None:
    told = [part.text for part in parts_of(composed(kind)) if isinstance(part, Paragraph)]
    assert any("standard deviation" in one for one in told) == has_one


def test_one_game_is_called_one_game() -> None:
    method = next(part for part in parts_of(composed("one game")) if isinstance(part, Method))
    assert method.points[0].endswith(": 1 game.")


def test_a_share_of_luck_below_0_is_shown_as_none() -> None:
    whole = result("luck")
    whole["shares"][0] |= {"first": -0.003, "first_ci_low": -0.0034, "first_ci_high": 0.11}
    table = tables_of(compose_result(whole))[0]
    assert table.rows[0][1].text == "0.00 (0.00 to 11.30)"


def test_an_overview_names_all_that_may_be_best_or_says_how_many() -> None:
    tournament, luck = result("tournament"), result("luck")
    other = {**luck, "game": "swap", "all_luck": {**luck["all_luck"], "total": 0.5}}

    def told(*others: str) -> str:
        best = {**tournament["entrants"][0], "strategy": "a", "not_told_apart": list(others)}
        entrants = [best, *tournament["entrants"][1:]]
        return compose_overview(
            [luck, other, {**tournament, "entrants": entrants}]
        ).verdict.headline

    assert told().endswith("Have You Herd? a.")
    assert told("b", "c").endswith("Have You Herd? a, b or c.")
    assert told("b", "c", "d", "e").endswith("Have You Herd? a, b or three others.")
    assert told().startswith("Among the strategies compared luck decides most in ")


def test_one_game_alone_has_no_interval() -> None:
    whole = herdlab.simulate("herd", "keeper", games=1).as_json()
    assert re.fullmatch(r"keeper \(seat 0\) alone takes [\d.]+ turns\.", verdict_of(whole))


def test_many_who_are_not_told_apart_are_counted_and_do_not_fill_pages() -> None:
    standings = tables_of(composed("forty entrants"))[0]
    assert {row[3].text for row in standings.rows} >= {"39 others"}
    assert all(len(row[3].text) < 200 for row in standings.rows) and "--json" in standings.note
    few = tables_of(composed("tournament"))[0]
    assert "others" not in str(few.rows) and few.note == ""


@pytest.mark.parametrize(
    ("tied", "cell", "said"),
    [
        (0, "keeper", "Have You Herd? keeper."),
        (1, "keeper and s0", "Have You Herd? keeper or s0."),
        (3, "keeper, s0, s1 and s2", "Have You Herd? keeper, s0 or two others."),
        (39, "keeper, s0, s1, s2, s3, s4 and 34 others", "Have You Herd? keeper, s0 or 38 others."),
    ],
)
def test_an_overview_says_of_all_the_best_that_there_are(tied: int, cell: str, said: str) -> None:
    whole = result("tournament")
    whole["entrants"][0] |= {
        "strategy": "keeper",
        "not_told_apart": [f"s{n}" for n in range(tied)],
    }
    found = compose_overview([whole])
    assert found.verdict.headline.endswith(said)
    table = found.sections[0].parts[0]
    assert isinstance(table, Table) and table.rows[0][-1].text == cell


def test_every_strategy_that_is_named_is_explained() -> None:
    table = tables_of(composed("tournament"))[-1]
    assert table.title == "Who plays"
    assert {row[0].text for row in table.rows} == {"keeper", "closer", "random", "climber"}
    assert all(len(row[1].text) > 20 for row in table.rows)


def test_a_study_names_the_plug_ins_that_were_given_beside_it() -> None:
    whole = result("compare")
    part = StudyPart("A part", "", "compare", "herd", {}, 0, (), {}, 1)
    study = Study(Path("my study.toml"), "", "Mine", "", (part,), added=("mine.py",))
    last = compose_study(study, [whole]).sections[-1].parts[-1]
    assert isinstance(last, Provenance)
    assert last.command == "herdlab report 'my study.toml' --plugin mine.py"


def test_a_study_whose_name_looks_like_an_option_is_named_as_a_file() -> None:
    part = StudyPart("A part", "", "compare", "herd", {}, 0, (), {}, 1)
    study = Study(Path("-x.toml"), "", "Mine", "", (part,))
    last = compose_study(study, [result("compare")]).sections[-1].parts[-1]
    assert isinstance(last, Provenance) and last.command == "herdlab report ./-x.toml"


@pytest.mark.parametrize("kind", ["simulate rotated", "compare", "tournament", "luck", "solve"])
def test_a_strategy_with_a_strange_name_is_only_a_name(kind: str) -> None:
    strange = '<script>alert("1")</script> #typst[*b*] $x^2$'
    text = json.dumps(result(kind)).replace("keeper-dog", "dog")
    whole = json.loads(text.replace('"keeper"', json.dumps(strange)))
    report = compose_result(whole)
    page, pdf = render_html(report), render_pdf(report)
    assert page.count("<script") == 1 and strange not in page
    assert strange in html.unescape(page)
    words = "".join(one.extract_text() for one in PdfReader(BytesIO(pdf)).pages)
    assert "".join(strange.split()) in "".join(words.split())


def test_a_part_may_be_shown_briefly_or_not_at_all() -> None:
    whole = result("tournament")
    parts = [
        StudyPart(str(show), "", "tournament", "herd", {}, 0, (), {}, 1, show)
        for show in (True, "brief", False)
    ]
    study = Study(Path("mine.toml"), "", "Mine", "", tuple(parts))
    sections = compose_study(study, [whole] * 3).sections
    assert [one.title for one in sections[:-2]] == ["True", "brief"]
    assert len([part for part in sections[0].parts if isinstance(part, Drawing)]) == 3
    kinds = [type(part) for part in sections[1].parts]
    assert kinds == [Verdict, Drawing]


def test_what_cannot_be_reported_is_refused() -> None:
    with pytest.raises(BadInput, match="unknown command to report on 'bench'"):
        compose_result({**result("compare"), "command": "bench"})
