"""The reports that herdlab publishes: they are whole, small, and of the studies beside them."""

import html
import re
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar

import pytest
from pypdf import PdfReader

import herdlab
from herdlab.analysis.figures.drawing import Drawing
from herdlab.analysis.questions.guard_dog import habits
from herdlab.analysis.report.compose import compose_study
from herdlab.analysis.report.document import Report, Summary, Table, Verdict
from herdlab.analysis.report.render.html import render_html
from herdlab.analysis.report.render.pdf import render_pdf
from herdlab.analysis.report.study import running
from herdlab.analysis.report.study.running import quickly, run_study
from herdlab.analysis.report.study.study import COMMANDS, OVERVIEW, Study, StudyPart, read_study
from herdlab.analysis.words.numbers import bound
from tests import quick
from tests.analysis.report.test_compose import parts_of

REPORTS = Path(__file__).resolve().parents[3] / "reports"
STUDIES = sorted(path.stem for path in REPORTS.glob("*.toml"))
FUNCTIONS = {name: getattr(herdlab, name) for name in COMMANDS}
_MOST_BYTES = 3_000_000
_ENTRANTS = 4
_HERD = {"sheep": 8, "pigs": 6, "cows": 5, "max_turns": 300}
"""Few animals, so that Have You Herd? is solved at once."""
_CELLS = re.compile(r'<(?:td|th scope="row")(?: class="number")?(?: data-key="[^"]*")?>([^<]*)</')
_PLAYED = [  # these two have every command, and all five games
    name if name in ("guard-dog", "field-guide") else pytest.param(name, marks=pytest.mark.slow)
    for name in STUDIES
]
T = TypeVar("T")


@cache
def study(name: str) -> Study:
    """Return a study with few games and small tournaments: pages are looked at, not figures."""
    whole = quickly(read_study(REPORTS / f"{name}.toml", FUNCTIONS))
    return replace(whole, parts=tuple(map(_small, whole.parts)))


def _small(part: StudyPart) -> StudyPart:
    if part.game == "herd":  # the Guard Dog's question itself keeps the usual rules
        part = replace(part, rules={**part.rules, **_HERD})
    entrants = part.arguments.get("entrants")
    if entrants is None:
        return part
    return replace(part, arguments={**part.arguments, "entrants": entrants[:_ENTRANTS]})


@pytest.fixture(scope="module")
def quick_results(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return a function that plays a study quickly, once."""
    keep = tmp_path_factory.mktemp("kept")
    patch = pytest.MonkeyPatch()
    patch.setattr(running, "_QUICK_DEALS", 100)
    quick.few_replicates(patch)
    quick.few_games_of_seats(patch)
    patch.setattr(habits, "_QUICK_DEALS", 1_000)
    patch.setattr(habits, "_QUICK_MOMENTS", 2_000)

    @cache
    def play(name: str) -> list[dict[str, Any] | None]:
        return run_study(study(name), FUNCTIONS, keep=keep / name)

    yield play
    patch.undo()


def of_kind(report: Report, kind: type[T]) -> list[T]:
    return [part for part in parts_of(report) if isinstance(part, kind)]


def test_there_is_one_for_the_guard_dog_for_each_other_game_and_a_guide() -> None:
    wanted = ["barnyard", "bronco", "field-guide", "guard-dog", "horse-trader", "swap"]
    assert wanted == STUDIES


@pytest.mark.parametrize("name", _PLAYED)
def test_a_study_played_quickly_becomes_a_page_and_a_pdf(name: str, quick_results: Any) -> None:
    results = quick_results(name)
    report = compose_study(study(name), results, is_quick=True)
    first = report.lead[0]
    assert isinstance(first, Verdict) and first.is_rough
    shown = [one.title for one in study(name).parts if one.is_shown]
    assert [one.title for one in report.sections[:-2]] == shown
    page, pdf = render_html(report), render_pdf(report)
    text = html.unescape(re.sub(r"<[^>]*>", "", page))
    written = "".join(one.extract_text() for one in PdfReader(BytesIO(pdf)).pages)
    squeezed = "".join(written.split())
    assert bound(first.headline) in text and "".join(first.headline.split()) in squeezed
    shown_cells = [html.unescape(one) for one in _CELLS.findall(page)]
    tables = of_kind(report, Table)
    assert shown_cells == [cell.text for one in tables for row in one.rows for cell in row]
    for one in tables:
        for row in one.rows:
            line = "".join("".join(cell.text.split()) for cell in row if cell.key is not None)
            assert line in squeezed, row
    assert of_kind(report, Drawing)
    assert len(page.encode()) < _MOST_BYTES and len(pdf) < _MOST_BYTES


def test_the_field_guide_sets_all_five_games_side_by_side(quick_results: Any) -> None:
    results = quick_results("field-guide")
    assert [one.command for one in study("field-guide").parts].index(OVERVIEW) == 0
    report = compose_study(study("field-guide"), results, is_quick=True)
    table = next(iter(of_kind(report, Table)))
    assert [row[0].text for row in table.rows] == [
        "Have You Herd?",
        "Barnyard Swap",
        "SWAP!",
        "Horse Trader",
        "Bronco",
    ]
    assert all(cell.text != "–" for row in table.rows for cell in row)
    by_game = {one["game"]: one for one in results if one and one["command"] == "simulate"}
    assert [row[1].key for row in table.rows] == [one["length"]["mean"] for one in by_game.values()]
    summary = of_kind(report, Summary)[0]
    assert [title for title, _ in summary.points] == [row[0].text for row in table.rows]


@pytest.mark.parametrize("name", STUDIES)
def test_what_is_published_is_of_the_study_beside_it(name: str) -> None:
    page = (REPORTS / f"{name}.html").read_text()
    source = (REPORTS / f"{name}.toml").read_text()
    assert source.strip() in html.unescape(page)
    pdf = REPORTS / f"{name}.pdf"
    reader = PdfReader(pdf)
    assert reader.metadata is not None and reader.metadata.title == study(name).title
    assert len(page.encode()) < _MOST_BYTES and pdf.stat().st_size < _MOST_BYTES
    assert "-dirty" not in page
    for part in study(name).parts:
        if not part.is_shown:
            continue
        assert html.escape(part.title, quote=False) in page or part.title in html.unescape(page)


@pytest.mark.parametrize("name", STUDIES)
def test_the_gallery_shows_every_report(name: str) -> None:
    gallery = (REPORTS / "README.md").read_text()
    for ending in (".html", ".pdf", ".toml"):
        assert f"({name}{ending})" in gallery
    assert f"(pictures/{name}.svg)" in gallery and (REPORTS / "pictures" / f"{name}.svg").exists()
