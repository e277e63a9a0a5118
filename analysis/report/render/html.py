"""Renders a report as one HTML page that needs nothing else: no network, no other file."""

import re
import unicodedata
from base64 import b64encode
from collections import Counter, defaultdict
from functools import cache
from hashlib import sha256
from math import isnan
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from herdlab.analysis.figures.drawing import Drawing, any_letters, as_svg
from herdlab.analysis.figures.parts.style import NARROW, WIDE
from herdlab.analysis.report.document import Cell, Part, Report, Section, Verdict
from herdlab.analysis.report.render.fonts import font_faces
from herdlab.analysis.report.render.inline_svg import inline
from herdlab.analysis.words.numbers import bound

_TEMPLATES = Path(__file__).with_name("templates")
_ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">'
    '<rect width="16" height="16" rx="3.5" fill="#0072B2"/>'
    '<g fill="#fff"><circle cx="4.5" cy="4.5" r="1.6"/><circle cx="8" cy="8" r="1.6"/>'
    '<circle cx="11.5" cy="11.5" r="1.6"/></g></svg>'
)
"""A die."""
_OWN_IDS = ("report", "contents")


def render_html(report: Report) -> str:
    """Return a report as a page; the same report gives the same page, to the byte."""
    script = _asset("report.js")
    maker = _Maker()
    lead = maker.blocks(report.lead)
    sections = [maker.section(one) for one in report.sections]
    verdicts = [part.headline for part in report.lead if isinstance(part, Verdict)]
    template = _environment().get_template("report.html.j2")
    page = template.render(
        report=report,
        lead=lead,
        sections=sections,
        id_of={section.title: section.id for section in reversed(sections)},
        description=next(iter(verdicts), report.title),
        policy=_policy(script),
        icon="data:image/svg+xml," + quote(_ICON),
        css=Markup(_asset("report.css")),
        script=Markup(script),
        font_faces=Markup(font_faces(maker.letters)),
    )
    # A command line can hold halves of letters.
    return page.lstrip().encode(errors="replace").decode()


class _Block(NamedTuple):
    """A part as the page shows it."""

    part: Part
    kind: str
    number: int
    """Among those of its kind, from 1."""
    svgs: list[Markup]
    """Of a picture: for a desktop and for a phone; the page shows one of them."""


class _Section(NamedTuple):
    """A section as the page shows it."""

    id: str
    title: str
    blocks: list[_Block]


class _Maker:
    """Makes blocks and sections, and keeps in mind what a page may have only once."""

    def __init__(self) -> None:
        self.letters: defaultdict[str, set[str]] = defaultdict(set)
        """Those written in figures, by face."""
        self._numbers: Counter[str] = Counter()
        self._ids = set(_OWN_IDS)

    def section(self, one: Section) -> _Section:
        return _Section(self._id(one.title), one.title, self.blocks(one.parts))

    def blocks(self, parts: tuple[Part, ...]) -> list[_Block]:
        return [self._block(part) for part in parts]

    def _block(self, part: Part) -> _Block:
        kind = type(part).__name__
        self._numbers[kind] += 1
        number = self._numbers[kind]
        svgs = self._svgs(part, f"figure-{number}") if isinstance(part, Drawing) else []
        return _Block(part, kind, number, svgs)

    def _svgs(self, drawing: Drawing, name: str) -> list[Markup]:
        svgs = []
        for kind, wide in (("wide", WIDE), ("narrow", NARROW)):
            with any_letters():
                svg = as_svg(drawing.draw(wide))
            made = inline(svg, prefix=f"{name}-{kind}", label=drawing.alt, kind=kind)
            for face, letters in made.letters.items():
                self.letters[face] |= letters
            svgs.append(Markup(made.markup))
        return svgs

    def _id(self, title: str) -> str:
        """Return a name for links to a section, made of its title, that no other one has."""
        plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
        slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60] or "section"
        if re.fullmatch(r"figure-\d.*", slug):
            slug = f"section-{slug}"  # figures have these
        name, number = slug, 1
        while name in self._ids:
            number += 1
            name = f"{slug}-{number}"
        self._ids.add(name)
        return name


def _policy(script: str) -> str:
    """Return what the page may do: show itself and run its own script, nothing from elsewhere."""
    seal = b64encode(sha256(script.encode()).digest()).decode()
    return (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
        f"script-src 'sha256-{seal}'; base-uri 'none'; form-action 'none'"
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"paragraphs": _paragraphs, "key": _key, "bound": bound}
    return environment


@cache
def _asset(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8").strip()


def _paragraphs(text: str) -> list[str]:
    return [one.strip() for one in re.split(r"\n\s*\n", text) if one.strip()]


def _key(cell: Cell) -> str:
    """Return what a cell is sorted by as JavaScript reads it, or nothing."""
    if cell.key is None or isnan(cell.key):
        return ""
    return repr(float(cell.key)).replace("inf", "Infinity")
