"""HTML as text: what is in it, what cannot be in it, and that it is always the same."""

import re
import sys
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from io import BytesIO

import pytest
from fontTools.ttLib import TTFont
from matplotlib.figure import Figure

from herdlab.analysis.figures.drawing import Drawing, as_svg
from herdlab.analysis.figures.parts import style
from herdlab.analysis.report.document import (
    Cell,
    Column,
    Paragraph,
    Part,
    Provenance,
    Report,
    Section,
    Summary,
    Table,
    Verdict,
)
from herdlab.analysis.report.render.fonts import font_faces
from herdlab.analysis.report.render.html import render_html
from herdlab.analysis.report.render.inline_svg import InlineSvg, inline
from tests.analysis.report import samples
from tests.children import ROOT, run

every_sample = pytest.mark.parametrize("sample", samples.SAMPLES, ids=lambda one: one.__name__)


class Read(HTMLParser):
    """A page's elements in their order, and the text within each kind of them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: dict[str, str] = {}
        self._open = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        self._open = tag

    def handle_data(self, data: str) -> None:
        self.texts[self._open] = self.texts.get(self._open, "") + data

    def all_of(self, name: str) -> list[str]:
        """Return the values of an attribute, wherever it stands."""
        return [attributes[name] for _, attributes in self.elements if name in attributes]


def section(*parts: Part, title: str = "Section") -> Section:
    return Section(title, parts)


def report(*sections: Section) -> Report:
    return replace(samples.tiny(), sections=sections)


@every_sample
def test_a_page_refers_to_nothing_but_itself(sample: Callable[[], Report]) -> None:
    read = Read(samples.page_of(sample))
    ids = read.all_of("id")
    assert len(ids) == len(set(ids))
    for link in read.all_of("href"):
        assert link.startswith("data:") or link.removeprefix("#") in ids
    assert set(read.all_of("aria-labelledby")) <= set(ids)
    assert read.all_of("src") == []
    css = " ".join([read.texts["style"], *read.all_of("style"), *read.all_of("clip-path")])
    assert "@import" not in css
    addresses = re.findall(r"url\(([^)]*)\)", css)
    assert bool(addresses) == (sample is not samples.tiny)  # which has no figure
    for address in addresses:
        assert address.startswith("data:font/woff;") or address.removeprefix("#") in ids


def test_a_page_is_the_same_to_the_byte_whatever_the_order_of_sets() -> None:
    code = (
        "from hashlib import sha256; from herdlab.analysis.report.render.html import render_html\n"
        "from tests.analysis.report import samples\n"
        "print(sha256(render_html(samples.strange()).encode()).hexdigest())"
    )

    def printed(seed: str) -> str:
        done = run([sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, cwd=ROOT)
        return done.stdout.strip()

    here = sha256(render_html(samples.strange()).encode()).hexdigest()
    assert printed("1") == printed("2") == here


def test_only_the_pages_own_script_may_run() -> None:
    page = samples.page_of(samples.strange)
    scripts = re.findall(r"<script[^>]*>(.*?)</script>", page, re.DOTALL)
    assert len(scripts) == 1
    seal = b64encode(sha256(scripts[0].encode()).digest()).decode()
    policy = next(one["content"] for _, one in Read(page).elements if "http-equiv" in one)
    assert f"script-src 'sha256-{seal}'" in policy
    assert policy.startswith("default-src 'none';")


def test_strange_texts_stay_texts() -> None:
    strange, read = samples.strange(), Read(samples.page_of(samples.strange))
    assert read.texts["h1"].strip() == strange.title
    assert read.texts["title"].strip() == strange.title
    known = {
        *("html head meta title link style body script main header nav section div p span").split(),
        *("h1 h2 a b ul ol li figure figcaption table caption thead tbody tr th td").split(),
        *("pre code button dl dt dd details summary").split(),
        *("svg defs g path use text clippath rect").split(),
    }
    assert {tag for tag, _ in read.elements} <= known
    assert not [name for _, one in read.elements for name in one if name.startswith("on")]


def test_the_description_is_the_verdict() -> None:
    read = Read(samples.page_of(samples.plain))
    said = {one["name"]: one["content"] for tag, one in read.elements if "name" in one}
    (verdict,) = [part for part in samples.plain().lead if isinstance(part, Verdict)]
    assert said["description"].startswith(verdict.headline.split(". ")[0])
    assert said["generator"] == "herdlab"
    assert said["color-scheme"] == "light dark"
    assert read.elements[0] == ("html", {"lang": "en"})


def test_sections_of_one_title_have_ids_of_their_own_and_the_summary_leads_to_the_first() -> None:
    titles = ["Schafe & Kühe", "Schafe & Kühe", "!", "contents", "Figure 1"]
    points = Summary((("Schafe & Kühe", "are many"), ("gone", "is gone")))
    page = render_html(
        replace(report(*(section(title=title) for title in titles)), lead=(Verdict("Yes."), points))
    )
    read = Read(page)
    ids = [one["id"] for tag, one in read.elements if tag == "section"]
    assert ids == [
        "schafe-kuhe",
        "schafe-kuhe-2",
        "section",
        "contents-2",
        "section-figure-1",
    ]
    assert re.search(r'"#schafe-kuhe">Schafe &amp; Kühe</a>\s+<span>are many</span>', page)
    assert page.startswith("<!DOCTYPE html>")
    assert "<b>gone</b>" in page


def test_empty_lines_begin_paragraphs_and_a_blank_text_has_none() -> None:
    texts = section(Paragraph("one\ntwo\n\n \nthree\n"), Paragraph(" \n\n"))
    page = render_html(report(texts))
    assert page.count("<p>") == 2
    assert "<p>one\ntwo</p>" in page
    assert "<p>three</p>" in page


def test_a_number_and_its_unit_stay_in_one_line_but_not_in_what_is_copied() -> None:
    made = Provenance("herdlab x --y '5 %'", (), "# 5 %")
    page = render_html(report(section(Paragraph("5.4 ± 0.6 % more"), made)))
    assert "<p>5.4 ±\N{NO-BREAK SPACE}0.6\N{NO-BREAK SPACE}% more</p>" in page
    assert page.count("\N{NO-BREAK SPACE}") == 2


def test_cells_are_sorted_by_keys_and_missing_ones_have_none() -> None:
    keys = [0.0, -1.5, 1e-9, None, float("nan"), float("inf"), float("-inf")]
    table = Table("T", (Column("n", True),), tuple((Cell("x", key),) for key in keys))
    read = Read(render_html(report(section(table))))
    cells = [one.get("data-key") for tag, one in read.elements if tag == "td"]
    assert cells == ["0.0", "-1.5", "1e-09", None, None, "Infinity", "-Infinity"]


def test_tables_and_figures_that_come_twice_are_told_apart() -> None:
    table = Table("Rates", (Column("n"),), ((Cell("a"),),))
    picture = next(one for one in samples.plain().sections[0].parts if isinstance(one, Drawing))
    read = Read(render_html(report(section(table, picture), section(table, picture))))
    ids = read.all_of("id")
    assert len(ids) == len(set(ids))
    assert {"Table 1: Rates", "Table 2: Rates"} <= set(read.all_of("aria-label"))


def test_a_page_without_figures_carries_no_letters() -> None:
    assert "@font-face" not in samples.page_of(samples.tiny)
    assert samples.page_of(samples.plain).count("@font-face") == 2  # regular and bold


def test_half_a_letter_from_a_command_line_does_not_break_the_page() -> None:
    page = render_html(replace(samples.tiny(), title="a\udcffb"))
    assert "<h1>a?b</h1>" in page


def test_a_font_has_the_letters_asked_for_and_no_others() -> None:
    css = font_faces({"": "Sheep −3 %🐑", "Bold": "a"})
    fonts = [b64decode(one) for one in re.findall(r"base64,([^)]*)\)", css)]
    regular, bold = (set(TTFont(BytesIO(one)).getBestCmap()) for one in fonts)
    assert regular == {ord(letter) for letter in "Shep −3 %"}  # it has no sheep
    assert bold == {ord("a")}


def inlined(content: str, attributes: str = "") -> InlineSvg:
    svg = (
        '<?xml version="1.0"?><!DOCTYPE svg><svg xmlns="http://www.w3.org/2000/svg" width="72pt" '
        f'xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 72 36"{attributes}>'
        f"<metadata>when</metadata><defs><style>*{{}}</style></defs>{content}</svg>"
    )
    return inline(svg, prefix="f1", label='say "<b>"', kind="wide")


def test_an_inlined_figure_is_an_element_that_is_read_out_and_scales() -> None:
    assert inlined("").markup == (
        '<svg class="plot wide" viewBox="0 0 72 36" role="img" '
        'aria-label="say &quot;&lt;b&gt;&quot;" style="max-width:96px" />'
    )


def test_herdlabs_colours_become_the_pages_and_others_stay() -> None:
    markup = inlined(
        '<path d="M 0 0" style="fill: #0072b2; stroke: #222222"/><path d="M 1 1" fill="#EEEEEE"/>'
        '<path d="M 2 2" style="fill: #440154"/><text>black</text>'
        '<text style="fill: #d55e00">red</text><text style="fill: #ffffff">white</text>'
    ).markup
    assert 'style="fill: var(--blue);stroke: var(--ink)"' in markup
    assert '<path d="M1 1" style="fill: var(--empty)" />' in markup
    assert "fill: #440154" in markup
    assert ">black<" in markup
    assert '<text style="fill: var(--vermillion-words)">red' in markup
    assert '<text style="fill: #ffffff">white' in markup


def test_every_colour_of_the_style_is_the_pages_to_choose() -> None:
    css = Read(samples.page_of(samples.tiny)).texts["style"]
    tones = [*style.COLOURS, style.INK, style.AXIS, style.GRID, style.EMPTY, style.PAGE]
    for colour in tones:
        for words in (
            f'<path d="M 0 0" style="fill: {colour}"/>',
            f'<text fill="{colour}">a</text>',
        ):
            tone = re.findall(r"var\((--[a-z-]+)\)", inlined(words).markup)
            assert len(tone) == 1
            assert css.count(f"{tone[0]}: #") == 2  # light and dark


def test_ids_are_the_figures_own_and_only_where_they_are_used() -> None:
    markup = inlined(
        '<g id="axes_1"><defs><path id="m1" d="M 0 0"/><clipPath id="p1"><rect width="1.0"/>'
        '</clipPath></defs><g clip-path="url(#p1)"><use xlink:href="#m1"/></g></g>'
    ).markup
    assert re.findall(r' id="([^"]*)"', markup) == ["f1-2", "f1-1"]
    assert '<g clip-path="url(#f1-1)"><use href="#f1-2" /></g>' in markup
    assert "axes_1" not in markup


def test_places_are_rounded_but_factors_are_not() -> None:
    markup = inlined(
        '<path d="M 1.23456 -0.001 \nL 2.5 1e-05 \nz"/>'
        '<path d="M 0 0" transform="scale(0.015625)"/>'
        '<text x="1.0" y="2.006" transform="rotate(-0 1.0 2.006)">a</text>'
        '<text transform="rotate(-90 1.23456 7)">b</text>'
    ).markup
    assert 'd="M1.23 0L2.5 0z"' in markup
    assert 'transform="scale(0.015625)"' in markup
    assert '<text x="1" y="2.01" style="">a' in markup
    assert 'transform="rotate(-90 1.23 7)"' in markup


def test_letters_are_counted_by_face() -> None:
    letters = inlined(
        '<text style="font-weight: 700; font-size: 10px">ab</text>'
        '<text style="font-style: italic">c</text><text>a&lt;</text>'
    ).letters
    assert letters == {"Bold": {"a", "b"}, "Oblique": {"c"}, "": {"a", "<"}}


def test_a_name_with_letters_that_svg_cannot_hold_is_still_drawn() -> None:
    assert "a\N{REPLACEMENT CHARACTER}b" in inlined("<text>a\x07b</text>").markup


def test_a_real_figure_is_half_as_long_inline() -> None:
    drawn = samples.plain().sections[2].parts[0]
    assert isinstance(drawn, Drawing)
    svg = as_svg(drawn.draw(style.WIDE))
    short = inline(svg, prefix="f", label="a map", kind="wide").markup
    assert len(short) < 0.6 * len(svg)
    assert short.count("<text") == svg.count("<text")
    assert "<?xml" not in short
    assert "xmlns" not in short


def test_a_figure_that_cannot_be_drawn_is_not_passed_over() -> None:
    def draw(wide: float) -> Figure:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        render_html(report(section(Drawing("No", draw, "none"))))
