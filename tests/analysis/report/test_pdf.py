"""The PDF of a report, read back with pypdf."""

import re
import shlex
from collections.abc import Callable, Iterator
from functools import cache
from io import BytesIO
from typing import Any, NamedTuple

import pytest
import typst
from matplotlib.figure import Figure
from pypdf import PdfReader

from herdlab.analysis.figures.drawing import Drawing
from herdlab.analysis.figures.parts.style import PAPER, empty, styled
from herdlab.analysis.report.document import (
    Cell,
    Column,
    Method,
    Paragraph,
    Part,
    Provenance,
    Report,
    Section,
    Summary,
    Table,
    Verdict,
)
from herdlab.analysis.report.render.pdf import render_pdf
from tests.analysis.report import samples
from tests.children import run

A4 = (595, 842)
"""Points."""
MARGIN = (A4[0] - 72 * PAPER) / 2
CONTROL = "a\x00b\x0bc\x1b\x7fd\x85e\u2028f\u202eg\ud800h\uffff\ufeffi\u200b\u00adj\tk\rl"

of_samples = pytest.mark.parametrize("sample", samples.SAMPLES, ids=lambda one: one.__name__)


class Seen(NamedTuple):
    """What stands on a page."""

    text: str
    places: list[tuple[str, float, float]]
    """Each text, with where it begins in points from the lower left."""


class Typeset(NamedTuple):
    """A sample as a PDF, made and read once for all tests."""

    content: bytes
    warnings: list[Any]
    pdf: PdfReader
    pages: list[Seen]


@cache
def typeset(sample: Callable[[], Report]) -> Typeset:
    warned: list[Any] = []

    def compiled(*given: Any, **more: Any) -> bytes:
        content, warnings = typst.compile_with_warnings(*given, **more)
        warned.extend(warnings)
        return bytes(content)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typst, "compile", compiled)
        content = render_pdf(sample())
    pdf = PdfReader(BytesIO(content))
    return Typeset(content, warned, pdf, [seen_on(page) for page in pdf.pages])


def read(report: Report) -> PdfReader:
    return PdfReader(BytesIO(render_pdf(report)))


def text_of(pdf: PdfReader) -> str:
    return "\n".join(page.extract_text() for page in pdf.pages)


def solid(text: str) -> str:
    """Return a text without white space, as lines break where the page wants them to."""
    return re.sub(r"\s", "", text)


def report_of(*parts: Part) -> Report:
    return Report("A report", "Have You Herd?", (), (Section("All", parts),))


def numbers(columns: int, rows: int, text: str = "12.5") -> Table:
    names = tuple(Column(f"name {place}", is_number=True) for place in range(columns))
    return Table("A table", names, tuple((Cell(text, 12.5),) * columns for _ in range(rows)))


def picture(label: str, high: float = 2.0, **said: str) -> Drawing:
    def draw(wide: float) -> Figure:
        with styled():
            return empty(label, "", (wide, high))[0]

    return Drawing(**({"title": "A title", "alt": "Nothing."} | said), draw=draw)


def fonts_of(resources: Any) -> Iterator[Any]:
    """Yield the fonts of a page, those in its figures too."""
    for font in resources.get("/Font", {}).values():
        yield font.get_object()
    for form in resources.get("/XObject", {}).values():
        yield from fonts_of(form.get_object().get("/Resources", {}))


def seen_on(page: Any) -> Seen:
    found = []

    def see(text: str, at: Any, within: Any, *_: Any) -> None:
        x = within[4] * at[0] + within[5] * at[2] + at[4]
        y = within[4] * at[1] + within[5] * at[3] + at[5]
        if text.strip():
            found.append((text, x, y))

    return Seen(page.extract_text(visitor_text=see), found)


def places_of(page: Any) -> list[tuple[str, float, float]]:
    return seen_on(page).places


@of_samples
def test_every_page_says_which_of_how_many_it_is(sample: Callable[[], Report]) -> None:
    pages = typeset(sample).pages
    for number, page in enumerate(pages, 1):
        assert f"{number} / {len(pages)}" in page.text


@of_samples
def test_every_font_is_embedded(sample: Callable[[], Report]) -> None:
    fonts = [font for page in typeset(sample).pdf.pages for font in fonts_of(page["/Resources"])]
    assert fonts
    for font in fonts:
        assert font["/Subtype"] == "/Type0"
        assert "/ToUnicode" in font
        described = font["/DescendantFonts"][0].get_object()["/FontDescriptor"]
        assert {"/FontFile2", "/FontFile3"} & set(described)


@of_samples
def test_typst_has_nothing_to_warn_about(sample: Callable[[], Report]) -> None:
    made = typeset(sample)
    assert made.warnings == []
    assert made.content.startswith(b"%PDF")


@of_samples
def test_nothing_begins_outside_of_the_margins(sample: Callable[[], Report]) -> None:
    for page in typeset(sample).pages:
        assert page.places
        for text, x, y in page.places:
            assert MARGIN - 1 <= x <= A4[0] - MARGIN, text
            assert 0 < y < A4[1], text


@of_samples
def test_the_same_report_gives_the_same_bytes(sample: Callable[[], Report]) -> None:
    assert render_pdf(sample()) == typeset(sample).content


def test_the_answer_stands_on_the_first_page_and_all_else_follows() -> None:
    report = samples.plain()
    pages = [solid(page.text) for page in typeset(samples.plain).pages]
    first, everything = pages[0], "".join(pages)
    verdict, summary, paragraph = report.lead
    assert isinstance(verdict, Verdict) and isinstance(summary, Summary)
    assert isinstance(paragraph, Paragraph)
    said = [report.title, report.about, verdict.headline, *verdict.points, "Contents"]
    for text in [*said, *(sentence for _, sentence in summary.points)]:
        assert solid(text) in first
    assert solid(paragraph.text) in everything
    for section in report.sections:
        assert everything.count(solid(section.title)) >= 2  # in the contents, and above it
        for part in section.parts:
            for text in words_of(part):
                assert solid(text) in everything


def words_of(part: Part) -> list[str]:
    match part:
        case Table():
            cells = [cell.text for row in part.rows for cell in row]
            return [part.title, part.note, *(column.name for column in part.columns), *cells]
        case Drawing():
            return [part.title, part.caption]
        case Method():
            return list(part.points)
        case Provenance():
            return [part.command, part.study, *(text for fact in part.facts for text in fact)]
        case Paragraph():
            return [part.text]
        case _:
            return []


def test_nothing_is_taken_for_markup() -> None:
    everything = solid("".join(page.text for page in typeset(samples.strange).pages))
    for text in (samples.SCRIPT, samples.MARKUP, samples.CLOSING, samples.BRACES):
        # as a title, in the verdict, a cell, a fact and the study file
        assert everything.count(solid(text)) >= 5
    assert everything.count(samples.LONG_WORD) >= 5


def test_quotes_dashes_and_ligatures_stay_as_they_were_written() -> None:
    text = "Dashes -- and --- and \"quotes\" 'too' ... ~ 1/2 -> fi ffl"
    assert text in text_of(read(report_of(Paragraph(text))))


def test_letters_that_no_font_has_are_boxes_and_the_rest_stays_readable() -> None:
    words = text_of(read(report_of(Paragraph("🐑 sheep"), picture("🐑 lamb"))))
    assert "🐑 sheep" in words
    assert "\N{WHITE SQUARE} lamb" in words


@pytest.mark.parametrize(
    "words",
    [
        ["simulate", "herd", "--games", "7"],
        ["simulate", "herd", *("--players keeper,climber,random --games 2000 --seed 0".split())]
        + ["--report", "report.html"],
        ["simulate", "herd", "--set", "x" * 500, "--games", "7"],
        ["x" * 75, "y" * 76, "z" * 77],
        ["tournament", "--entrants", ",".join(f"herder:keep_sheep={n}" for n in range(40))],
        ["--plugin", "it's; $(x) <i>.py", *["--plugin"] * 9, "a b"],
    ],
)
def test_a_command_that_is_copied_is_the_same_to_a_shell(words: list[str]) -> None:
    command = shlex.join(["herdlab", *words])
    text = text_of(read(report_of(Provenance(command, ()))))
    copied = text[text.index("herdlab") :].split("\nherdlab")[0]  # which stands below the page
    echo = copied.replace("herdlab", r"printf '%s\n'", 1)
    assert run(["sh", "-c", echo]).stdout.splitlines() == words, copied


def test_a_study_that_is_copied_keeps_its_lines_and_blanks() -> None:
    study = 'title = "A"\n  indented = 1\n\ttab = 2'
    words = text_of(read(report_of(Provenance("herdlab", (), study))))
    assert "\n  indented = 1\n    tab = 2" in words


def test_what_a_figure_says_is_text_in_the_font_of_figures() -> None:
    pdf = read(report_of(picture("won in % of games")))
    assert "won in % of games" in text_of(pdf)
    names = {font["/BaseFont"] for font in fonts_of(pdf.pages[0]["/Resources"])}
    assert any("DejaVuSans" in name for name in names)


def test_a_figure_is_as_wide_as_the_text_at_its_own_size() -> None:
    def draw(wide: float) -> Figure:
        with styled():
            figure = Figure(figsize=(wide, 2))
            figure.text(0, 0.9, "<")
            figure.text(0.5, 0.1, ">")
            return figure

    page = read(report_of(Drawing("A title", draw, "Two words."))).pages[0]
    at = {text: (x, y) for text, x, y in places_of(page) if text in "<>"}
    assert at["<"][0] == pytest.approx(MARGIN, abs=0.5)
    assert at[">"][0] - at["<"][0] == pytest.approx(72 * PAPER / 2, abs=0.5)
    assert at["<"][1] - at[">"][1] == pytest.approx(72 * 2 * 0.8, abs=0.5)


def test_a_figure_higher_than_a_page_is_made_smaller_and_stays_with_its_heading() -> None:
    _, page = read(report_of(picture("at the bottom", high=30.0))).pages
    for text in ("All", "A title", "at the bottom"):
        assert text in page.extract_text()
    assert all(y > 70 for text, _, y in places_of(page) if len(text) == 1)


def test_a_verdict_stays_with_what_stands_before_it_and_with_its_figure() -> None:
    fill, said = Paragraph("word " * 600), (Paragraph("What it is about."), Verdict("It is so."))
    sections = (Section("First", (fill,)), Section("Next", (*said, picture("across", high=6.0))))
    pages = [page.extract_text() for page in read(Report("A report", "", (), sections)).pages]
    (last,) = [text for text in pages if "across" in text]
    assert "Next" in last and "What it is about." in last and "It is so." in last


def test_a_question_in_the_summary_has_no_colon() -> None:
    summary = Summary((("How long?", "Very."), ("Luck", "Much.")))
    text = text_of(read(Report("A report", "", (summary,), ())))
    assert "How long? Very." in text and "Luck: Much." in text


def test_a_number_and_its_unit_stay_in_one_line() -> None:
    text = text_of(read(report_of(Verdict("It wins 5.4 \N{PLUS-MINUS SIGN} 0.6 % more."))))
    assert "5.4 \N{PLUS-MINUS SIGN}\N{NO-BREAK SPACE}0.6\N{NO-BREAK SPACE}% more" in text


def test_a_long_table_goes_on_with_its_header() -> None:
    pages = read(report_of(Paragraph("word " * 500), numbers(4, 60))).pages
    with_cells = [page.extract_text() for page in pages if "12.5" in page.extract_text()]
    assert len(with_cells) >= 2
    assert all("name 0" in text and "name 3" in text for text in with_cells)
    assert sum(text.count("12.5") for text in with_cells) == 4 * 60


def test_numbers_are_set_to_the_right() -> None:
    columns = (Column("word"), Column("number", is_number=True))
    rows = tuple((Cell(text), Cell(text)) for text in ("1", "11111"))
    places = places_of(read(report_of(Table("", columns, rows))).pages[0])
    at = [round(x) for text, x, _ in places if set(text.strip()) == {"1"}]
    words, figures = (at[0], at[2]), (at[1], at[3])
    assert words[0] == words[1]
    assert figures[0] > figures[1]


@pytest.mark.parametrize("columns", [12, 20])
def test_a_wide_table_stays_on_the_page(columns: int) -> None:
    for page in read(report_of(numbers(columns, 5))).pages:
        assert page.mediabox.width < page.mediabox.height
        assert all(x < A4[0] - MARGIN - 5 for _, x, _ in places_of(page))


@pytest.mark.parametrize("columns", [40, 90])
def test_a_wider_one_is_set_sideways_and_breaks_its_cells_at_the_worst(columns: int) -> None:
    page = read(report_of(numbers(columns, 3), Paragraph("after"))).pages[1]
    assert page.mediabox.width > page.mediabox.height
    assert all(x < A4[1] - 56 for _, x, _ in places_of(page))
    letters = "".join(text for text, *_ in places_of(page))
    assert letters.count("5") >= 3 * columns


def test_the_file_knows_its_title_and_language_and_has_no_date() -> None:
    pdf = typeset(samples.plain).pdf
    assert pdf.metadata is not None
    assert pdf.metadata.title == "Is the Guard Dog worth it?"
    assert pdf.metadata.author == "herdlab"
    assert pdf.metadata.creation_date is None and pdf.metadata.modification_date is None
    catalog: Any = pdf.trailer["/Root"]
    assert catalog["/Lang"] == "en"
    assert catalog["/MarkInfo"]["/Marked"]
    assert b"pdfuaid:part" in catalog["/Metadata"].get_object().get_data()


def test_figures_have_their_alternative_text() -> None:
    pdf = read(report_of(picture("x", alt="A line that rises from 1 to 7.")))
    alts = [item.get("/Alt") for item in elements_of(pdf.trailer["/Root"]["/StructTreeRoot"])]  # type: ignore[index]
    assert "A line that rises from 1 to 7." in alts


def elements_of(element: Any) -> Iterator[Any]:
    """Yield a tagged file's elements."""
    element = element.get_object()
    if isinstance(element, list):
        for item in element:
            yield from elements_of(item)
    elif isinstance(element, dict):
        yield element
        yield from elements_of(element["/K"]) if "/K" in element else ()


def test_sections_are_bookmarks_and_the_summary_leads_to_them() -> None:
    pdf = typeset(samples.plain).pdf
    assert [mark.title for mark in pdf.outline if not isinstance(mark, list)] == [
        section.title for section in samples.plain().sections
    ]
    links: Any = [note.get_object() for note in pdf.pages[0]["/Annots"]]  # type: ignore[attr-defined]
    assert len(links) >= 3 + 5


EMPTY = Report(
    "",
    "",
    (Verdict(""), Summary(()), Summary((("", ""),)), Paragraph("\n\n")),
    (
        Section("", ()),
        Section(
            "", (Method(()), Method(("",)), Provenance("", (), ""), Provenance("", (("", ""),)))
        ),
        Section("tables", (numbers(0, 0), numbers(3, 0), numbers(0, 2), numbers(2, 2, ""))),
        Section("figures", (picture("", title="", alt=""),)),
    ),
)
STEERING = Report(
    CONTROL,
    CONTROL,
    (Verdict(CONTROL, (CONTROL,), CONTROL), Summary(((CONTROL, CONTROL),)), Paragraph(CONTROL)),
    (
        Section(
            CONTROL,
            (
                Table(CONTROL, (Column(CONTROL),), ((Cell(CONTROL),),), CONTROL),
                Method((CONTROL,)),
                Provenance(CONTROL, ((CONTROL, CONTROL),), CONTROL),
                picture("x\x01y", title=CONTROL, alt=CONTROL, caption=CONTROL),
            ),
        ),
    ),
)


@pytest.mark.parametrize("report", [EMPTY, STEERING], ids=["empty", "control characters"])
def test_texts_that_are_hard_to_set_make_a_page_all_the_same(report: Report) -> None:
    assert "1 /" in text_of(read(report))


def test_control_characters_are_marked() -> None:
    assert "a�b c��d" in text_of(read(report_of(Paragraph(CONTROL))))
