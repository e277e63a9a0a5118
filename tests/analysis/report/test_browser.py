"""Pages as people see them: in a browser, on a desktop, on a phone, in the dark, on paper."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page
from pypdf import PdfReader

from herdlab.analysis.report.document import Cell, Column, Report, Section, Table, Verdict
from herdlab.analysis.report.render.html import render_html
from tests.analysis.report import samples
from tests.analysis.report.browser import (
    DESKTOP,
    PHONE,
    Open,
    cut_texts,
    faint_texts,
    find_chromium,
    overlapping_texts,
    small_texts,
    violations,
)

every_sample = pytest.mark.parametrize("sample", samples.SAMPLES, ids=lambda one: one.__name__)
every_size = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
every_screen = pytest.mark.parametrize(
    ("size", "scheme"), [(PHONE, "dark"), (DESKTOP, "light")], ids=["dark phone", "light desktop"]
)
Sample = Callable[[], Report]


def test_a_page_that_asks_for_something_or_complains_is_caught(open_page: Open) -> None:
    page = '<img src="https://example.invalid/a.png"><script>alert(1); nothing()</script>'
    visit = open_page(page)
    said = "\n".join(visit.troubles)
    assert "request: https://example.invalid/a.png" in said
    assert "dialog: 1" in said
    assert "error: nothing is not defined" in said


def test_without_a_browser_tests_are_skipped_and_say_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(pytest.skip.Exception, match="NO BROWSER.*install Debian's chromium"):
        find_chromium()


def test_a_script_that_got_into_the_page_would_not_run(open_page: Open) -> None:
    page = samples.page_of(samples.tiny).replace("</body>", "<script>alert(1)</script></body>")
    said = "\n".join(open_page(page).troubles)
    assert "dialog" not in said
    assert "Content Security Policy" in said


@pytest.mark.parametrize("wide", [641, 820, 1100])
def test_nothing_is_wider_than_a_window_between_phone_and_desktop(
    open_page: Open, wide: int
) -> None:
    page = open_page(samples.page_of(samples.strange), (wide, 800)).page
    assert page.evaluate("document.scrollingElement.scrollWidth") <= wide
    assert small_texts(page) == []


@every_sample
@every_screen
def test_a_page_is_quiet_fits_the_window_and_can_be_read_by_all(
    open_page: Open, sample: Sample, size: tuple[int, int], scheme: str
) -> None:
    visit = open_page(samples.page_of(sample), size, scheme)
    page = visit.page
    assert visit.troubles == []
    assert page.evaluate("document.scrollingElement.scrollWidth") <= size[0]
    for faults in (overlapping_texts, cut_texts, small_texts, faint_texts, violations):
        assert faults(page) == [], faults.__name__


def test_words_that_overlap_are_cut_or_are_small_are_caught(open_page: Open) -> None:
    page = open_page(
        '<svg viewBox="0 0 100 50" width="100"><text x="10" y="20">one</text>'
        '<text x="14" y="24">two</text><text x="95" y="40" font-size="8">three</text></svg>'
    ).page
    assert overlapping_texts(page) == ["one | two"]
    tilted = (
        '<text transform="translate(10 45) rotate(-45)">first</text>'
        '<text transform="translate({} 45) rotate(-45)">second</text>'
    )
    beside, upon = (f'<svg width="100">{tilted.format(x)}</svg>' for x in (40, 14))
    assert overlapping_texts(open_page(beside).page) == []
    assert overlapping_texts(open_page(upon).page) == ["first | second"]
    assert cut_texts(page) == ["three"]
    assert small_texts(page) == ["three"]


def test_faint_words_are_caught_on_the_page_and_on_a_shape(open_page: Open) -> None:
    page = open_page(
        '<body style="background:#fff"><p style="color:#aaa">faint</p><p>clear</p>'
        '<svg viewBox="0 0 200 50" width="200"><path d="M0 0H100V50H0z" fill="#222"/>'
        '<text x="10" y="30">dark</text><text x="120" y="30">fine</text></svg>'
    ).page
    assert [one.split(": ")[1] for one in faint_texts(page)] == ["dark", "faint"]


def test_a_dark_page_is_dark_and_its_cells_keep_their_words(open_page: Open) -> None:
    def colours(scheme: str) -> tuple[str, str]:
        page = open_page(samples.page_of(samples.plain), DESKTOP, scheme).page
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        cell = page.locator("svg.wide text", has_text="+0.5").first
        return ground, cell.evaluate("text => getComputedStyle(text).fill")

    assert colours("light") == ("rgb(255, 255, 255)", "rgb(0, 0, 0)")
    ground, cell = colours("dark")
    assert max(int(one) for one in ground[4:-1].split(",")) < 40
    assert cell == "rgb(0, 0, 0)"


def test_a_column_without_a_name_has_no_button_and_is_no_fault(open_page: Open) -> None:
    columns = (Column("name"), Column("", True))
    rows = ((Cell("a"), Cell("1", 1.0)), (Cell("b"), Cell("2", 2.0)))
    report = Report("T", "", (Verdict("Yes."),), (Section("S", (Table("T", columns, rows),)),))
    page = open_page(render_html(report)).page
    assert page.locator("thead button").all_text_contents() == ["name"]
    assert violations(page) == []


def test_axe_does_find_faults(open_page: Open) -> None:
    page = samples.page_of(samples.plain).replace('role="img"', "").replace('lang="en"', "")
    found = {one.split(":")[0] for one in violations(open_page(page).page)}
    assert "html-has-lang" in found


def test_axe_judges_the_page_and_not_figures_whose_words_are_judged_here(open_page: Open) -> None:
    visit = open_page(
        '<html lang="en"><title>T</title><body style="background:#fff;color:#ddd"><main>'
        '<h1>head</h1><p>page</p><svg viewBox="0 0 300 50" width="300" role="img" aria-label="it">'
        '<path d="M0 0H100V50H0z" fill="#222"/><text x="10" y="30" fill="#333">shape</text>'
        '<text x="120" y="30" fill="#eee">ground</text><text x="200" y="30" fill="#ddd">7</text>'
        "</svg></main>"
    )
    faint = [one.split(": ")[1] for one in faint_texts(visit.page)]
    assert faint == ["shape", "ground", "7", "head", "page"]
    usual = open_page(visit.page.content()).page
    usual.evaluate(AXE_SCRIPT)
    verdict = usual.evaluate("axe.run({runOnly: ['color-contrast']})")
    unknown = [node["html"] for one in verdict["incomplete"] for node in one["nodes"]]
    assert len(unknown) == 3 and all(one.startswith("<text") for one in unknown)
    known = [node["html"] for one in verdict["violations"] for node in one["nodes"]]
    assert known == ["<h1>head</h1>", "<p>page</p>"]
    assert verdict["passes"] == []
    assert violations(visit.page) == [f"color-contrast: {one}" for one in known]


@every_size
def test_the_answer_stands_in_the_first_screen(open_page: Open, size: tuple[int, int]) -> None:
    for sample in (samples.plain, samples.many, samples.tiny):
        box = open_page(samples.page_of(sample), size).page.locator(".verdict").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= size[1]


def test_a_phone_shows_the_narrow_figures_and_a_desktop_the_wide_ones(open_page: Open) -> None:
    def shown(size: tuple[int, int]) -> list[str]:
        page = open_page(samples.page_of(samples.plain), size).page
        script = (
            "all => all.filter(one => one.getClientRects().length).map(one => one.classList[1])"
        )
        return list(page.locator("svg.plot").evaluate_all(script))

    assert shown(PHONE) == ["narrow"] * 3
    assert shown(DESKTOP) == ["wide"] * 3


def test_figures_are_set_in_the_letters_that_the_page_carries(open_page: Open) -> None:
    page = open_page(samples.page_of(samples.plain)).page
    faces = "Array.from(document.fonts).map(one => [one.family, one.weight, one.status].join(' '))"
    assert sorted(page.evaluate(faces)) == [
        "DejaVu Sans bold loaded",
        "DejaVu Sans normal loaded",
    ]


SORTED = Report(
    "Sorted",
    "",
    (Verdict("Yes."),),
    (
        Section(
            "Table",
            (
                Table(
                    "Of everything",
                    (Column("name"), Column("rate", True)),
                    tuple(
                        (Cell(name), Cell(text, key))
                        for name, text, key in [
                            ("b2", "9 %", 0.09),
                            ("b10", "–", None),
                            ("a", "10 %", 0.1),
                            ("C", "−3 %", -0.03),
                            ("d", "also 9 %", 0.09),
                            ("e", "no number", float("nan")),
                            ("f", "endless", float("inf")),
                        ]
                    ),
                ),
            ),
        ),
    ),
)
AS_GIVEN = ["b2", "b10", "a", "C", "d", "e", "f"]


def order(page: Page) -> list[str]:
    return page.locator("tbody th").all_text_contents()


def test_numbers_sort_by_value_missing_ones_last_and_a_third_click_restores(
    open_page: Open,
) -> None:
    page = open_page(render_html(SORTED)).page
    rate = page.get_by_role("button", name="rate")
    head = page.locator("thead th").nth(1)
    assert order(page) == AS_GIVEN
    rate.click()
    assert head.get_attribute("aria-sort") == "descending"
    assert order(page) == ["f", "a", "b2", "d", "C", "b10", "e"]
    rate.click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert order(page) == ["C", "b2", "d", "a", "f", "b10", "e"]
    rate.click()
    assert head.get_attribute("aria-sort") is None
    assert order(page) == AS_GIVEN


def test_words_sort_as_people_count_and_one_column_at_a_time(open_page: Open) -> None:
    page = open_page(render_html(SORTED)).page
    page.get_by_role("button", name="rate").click()
    page.get_by_role("button", name="name").click()
    heads = page.locator("thead th")
    assert heads.nth(0).get_attribute("aria-sort") == "ascending"
    assert heads.nth(1).get_attribute("aria-sort") is None
    assert order(page) == ["a", "b2", "b10", "C", "d", "e", "f"]


def test_a_table_sorts_by_keyboard(open_page: Open) -> None:
    page = open_page(render_html(SORTED)).page
    page.get_by_role("button", name="rate").focus()
    page.keyboard.press("Enter")
    assert order(page)[0] == "f"
    page.keyboard.press("Space")
    assert order(page)[0] == "C"
    focused = "document.activeElement.textContent"
    assert page.evaluate(focused) == "rate"


def test_tab_leads_to_the_report_its_sections_and_the_table(open_page: Open) -> None:
    page = open_page(samples.page_of(samples.plain)).page
    reached = []
    for _ in range(16):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.textContent.trim()"))
    assert reached[0] == "Skip to the report"
    assert reached[1:4] == ["Win rates", "Length of games", "Dog and luck"]
    assert "99 % interval" in reached


def test_a_wide_table_scrolls_within_itself_by_keyboard(open_page: Open) -> None:
    page = open_page(samples.page_of(samples.many), PHONE).page
    region = page.get_by_role("region", name="Table 1: Win rates in per cent by table")
    region.focus()
    page.keyboard.press("ArrowRight")
    # it scrolls smoothly
    page.wait_for_function("one => one.scrollLeft > 0", arg=region.element_handle())
    first = page.locator("tbody th").first.bounding_box()
    assert first is not None
    assert first["x"] >= 0  # the names stay in sight


def test_the_command_is_copied(open_page: Open) -> None:
    page = open_page(samples.page_of(samples.strange)).page
    page.get_by_role("button", name="Copy").click()
    page.get_by_role("button", name="Copied").wait_for()
    said = f"herdlab simulate herd '{samples.SCRIPT}' {samples.LONG_WORD}"
    assert page.evaluate("navigator.clipboard.readText()") == said


def test_strange_texts_are_shown_letter_by_letter_and_inject_nothing(open_page: Open) -> None:
    visit = open_page(samples.page_of(samples.strange))
    page, report = visit.page, samples.strange()
    assert page.title() == report.title
    assert page.locator("h1").text_content() == report.title
    assert page.locator(".answer").text_content() == f"{samples.SCRIPT} wins. {samples.MARKUP}"
    assert page.locator("tbody th").all_text_contents() == ["nobody", *samples.STRANGE]
    assert page.locator(".method li").all_text_contents() == list(samples.STRANGE)
    assert page.locator("script").count() == 1
    assert page.locator("style").count() == 1
    assert page.locator("svg script, svg style, svg a, svg foreignObject, iframe").count() == 0
    written = page.locator("svg.wide text").all_text_contents()
    assert "<script>alert(1)</scrip…" in written
    assert visit.troubles == []


def test_links_of_the_summary_and_the_contents_lead_to_their_sections(open_page: Open) -> None:
    page = open_page(samples.page_of(samples.plain)).page
    page.locator(".summary a", has_text="Dog and luck").click()
    assert page.url.endswith("#dog-and-luck")
    page.locator("nav [aria-current]", has_text="Dog and luck").wait_for()
    page.locator("nav a", has_text="Make it again").click()
    assert page.url.endswith("#make-it-again")
    assert page.locator(":target h2").text_content() == "Make it again"


def test_the_contents_stay_in_sight_beside_the_text_on_a_desktop(open_page: Open) -> None:
    page = open_page(samples.page_of(samples.plain)).page
    page.evaluate("scrollTo({top: 1500, behavior: 'instant'})")
    box = page.locator("nav").bounding_box()
    assert box is not None
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= DESKTOP[1]


def test_on_paper_everything_is_there_but_buttons_and_contents(
    open_page: Open, tmp_path: Path
) -> None:
    path = tmp_path / "printed.pdf"
    for sample in (samples.plain, samples.many):
        page = open_page(samples.page_of(sample), DESKTOP, "dark").page
        page.pdf(path=path, prefer_css_page_size=True)
        pages = [one.extract_text() for one in PdfReader(path).pages]
        text = "\n".join(pages)
        assert 2 <= len(pages) <= 5
        assert "Copy" not in text
        assert "Contents" not in text
        if sample is samples.plain:
            assert "do not buy it" in pages[0]
            assert 'command = "simulate"' in text  # of the folded study file
        else:
            assert "table" in pages[-1]  # the table's head is repeated


def test_on_paper_the_name_of_a_folded_table_stays_with_its_rows(
    open_page: Open, tmp_path: Path
) -> None:
    path = tmp_path / "printed.pdf"
    columns = (Column("what"), Column("value", is_number=True))
    tables = [
        Table(f"name-{n}.", columns, tuple((Cell(f"row-{n}."), Cell("1", 1.0)) for _ in range(5)))
        for n in range(30)
    ]
    parts = tuple(replace(one, is_folded=True) for one in tables)
    page = open_page(render_html(Report("A report", "", (), (Section("All", parts),)))).page
    page.pdf(path=path, prefer_css_page_size=True)
    pages = [one.extract_text() for one in PdfReader(path).pages]
    for n in range(30):
        assert [(f"name-{n}." in text, text.count(f"row-{n}.")) for text in pages].count(
            (True, 5)
        ) == 1


def test_on_paper_the_page_is_light_even_in_the_dark(open_page: Open) -> None:
    page = open_page(samples.page_of(samples.plain), DESKTOP, "dark").page
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
