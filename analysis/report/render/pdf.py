"""A report as a typeset PDF.

The page is laid out by `templates/report.typ`, a fixed piece of typst; what the report says is
handed over as JSON and set letter by letter, so no text is ever taken for markup.  Fonts are those
that typst and matplotlib bring with them, so that every machine makes the same file.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import fields
from functools import cache
from importlib import resources
from typing import Any

import matplotlib as mpl
import typst
from matplotlib.ft2font import FT2Font

from herdlab.analysis.figures.drawing import Drawing, any_letters, as_svg
from herdlab.analysis.figures.parts.style import PAPER
from herdlab.analysis.report import document
from herdlab.analysis.words.numbers import bound

_SHORT = 70
"""Letters of the title that a page's head has room for."""
_UNSETTABLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # control characters, which no font has
    "\u202a-\u202e\u2066-\u2069"  # turn around the letters that follow
    "\ud800-\udfff\ufdd0-\ufdef\ufeff\ufff0-\ufffb\ufffe\uffff]"  # are no letters
)
_COMMAND_WIDE = 78
"""Letters of a command that a line has room for."""
_WORD = re.compile(r"""(?:'[^']*'|"[^"]*"|[^\s'"])+""")
"""A word of a command, as a shell reads it."""
_INSTEAD = "\N{REPLACEMENT CHARACTER}"


def render_pdf(report: document.Report) -> bytes:
    """Return a report as a PDF, the same bytes every time."""
    template = resources.files("herdlab.analysis.report.render") / "templates" / "report.typ"
    return typst.compile(
        template.read_bytes(),
        format="pdf",
        font_paths=_fonts(),
        sys_inputs={"report": json.dumps(_report(report))},
        pdf_standards="ua-1",
    )


@cache
def _fonts() -> typst.Fonts:
    """Return typst's own fonts and matplotlib's, and none of the machine's."""
    return typst.Fonts(include_system_fonts=False, font_paths=[_font_folder()])


def _font_folder() -> str:
    return f"{mpl.get_data_path()}/fonts/ttf"


def _report(report: document.Report) -> dict[str, Any]:
    title = _line(report.title) or "Report"
    return {
        "wide": PAPER,
        "title": title,
        "short": title if len(title) <= _SHORT else title[: _SHORT - 1].rstrip() + "…",
        "about": _line(report.about),
        "lead": [_part(part, report.sections) for part in report.lead],
        "sections": [
            {
                "title": _line(section.title) or "–",
                "parts": [_part(part, report.sections) for part in section.parts],
            }
            for section in report.sections
        ],
    }


def _part(part: document.Part, sections: Sequence[document.Section]) -> dict[str, Any]:
    """Return what the template needs of a part."""
    if isinstance(part, Drawing):
        return _picture(part)
    made = {"kind": type(part).__name__.lower()} | {
        one.name: _settled(getattr(part, one.name)) for one in fields(part)
    }
    match part:
        case document.Summary():
            places = {section.title: place for place, section in reversed([*enumerate(sections)])}
            made["points"] = [
                {"title": _line(title), "text": _line(text), "place": places.get(title)}
                for title, text in part.points
            ]
        case document.Paragraph():
            made["texts"] = [one for one in map(_line, re.split(r"\n\s*\n", part.text)) if one]
        case document.Points():
            made["kind"] = "method"
        case document.Table():
            made["columns"] = [
                {"name": _line(one.name), "is_number": one.is_number} for one in part.columns
            ]
        case document.Provenance():
            made["command"] = _command(part.command)
            made["study"] = _lines(part.study.strip("\n")) if part.study.strip() else []
    return made


def _settled(value: Any) -> Any:
    """Return a value whose texts are set, each in one line; of a cell its text."""
    if isinstance(value, document.Cell):
        return _line(value.text)
    if isinstance(value, tuple):
        return [_settled(one) for one in value]
    return _line(value) if isinstance(value, str) else value


def _picture(drawing: Drawing) -> dict[str, Any]:
    """Draw a figure for paper."""
    with any_letters():
        figure = drawing.draw(PAPER)
        svg = as_svg(figure)
    wide, high = figure.get_size_inches()
    return {
        "kind": "picture",
        "title": _line(drawing.title),
        "svg": _with_boxes(_settable(svg)),
        "high": high / wide,
        "alt": _line(drawing.alt) or _line(drawing.title) or "A figure.",
        "caption": _line(drawing.caption),
    }


def _with_boxes(svg: str) -> str:
    """Put a box for each letter that the figures' font lacks, or typst sets whole lines in another.

    Beside the figure, such letters stand as they are.
    """
    return "".join(letter if ord(letter) in _letters() else "\N{WHITE SQUARE}" for letter in svg)


@cache
def _letters() -> frozenset[int]:
    """Return the letters of the figures' font, and the white space of an SVG."""
    font = FT2Font(f"{_font_folder()}/DejaVuSans.ttf")
    return frozenset(font.get_charmap()) | {ord("\n"), ord("\t")}


def _line(text: str) -> str:
    """Return a text in one line, as its breaks are not meant to be seen."""
    return bound(_settable(" ".join(text.split())))


def _lines(text: str) -> list[str]:
    """Return the lines of a text whose breaks and blanks are."""
    return [_settable(line.expandtabs(4)) for line in text.split("\n")]


def _command(command: str) -> list[str]:
    """Return a command in lines that a shell takes for one, since a copy has their ends too."""
    words, room = _WORD.findall(command), _COMMAND_WIDE - len(" \\")
    if not words or " ".join(words) != command or "\n" in command:
        return _lines(command)
    lines, line = [], words[0]
    for word in words[1:]:
        if len(line) + len(" ") + len(word) <= room:
            line += f" {word}"
            continue
        *whole, line = _cut(line, room)
        lines += [*(f"{one}\\" for one in whole), f"{line} \\"]
        line = word
    *whole, line = _cut(line, room)
    return [_settable(one) for one in (*lines, *(f"{one}\\" for one in whole), line)]


def _cut(line: str, room: int) -> list[str]:
    """Return a line in pieces that have room, but within quotes, where a shell joins none."""
    if set("'\"") & set(line):
        return [line]
    return [line[place : place + room] for place in range(0, len(line), room)]


def _settable(text: str) -> str:
    """Return a text with a mark in place of what cannot be set."""
    return _UNSETTABLE.sub(_INSTEAD, text)
