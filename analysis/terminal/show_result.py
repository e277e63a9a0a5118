"""A result on a terminal: the same document that becomes a page or a PDF, without its pictures."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from herdlab.analysis.catalogue import Listing
from herdlab.analysis.figures.drawing import Drawing
from herdlab.analysis.report import document
from herdlab.analysis.report.compose import compose_result
from herdlab.analysis.result import Result, plain
from herdlab.analysis.terminal import listings
from herdlab.analysis.terminal.console import console, table
from herdlab.analysis.words.phrases import counted

_FEWEST_COLUMNS = 3
"""Columns that a table has at least when it is too wide and printed in blocks."""


def show_result(found: Result | Listing) -> None:
    """Print a result, the answer first."""
    if isinstance(found, Listing):
        listings.show_listing(found)
        return
    whole = plain(found.as_json())
    show(compose_result(whole))
    played, seconds = whole.get("games"), whole.get("seconds")
    if played and seconds:
        speed = f"{counted(played, 'game')} in {seconds:.1f} s, {played / seconds:,.0f} a second"
        console().print(Text(speed, style="dim"))


def show(report: document.Report) -> None:
    """Print a document."""
    out = console()
    out.print(Text.assemble((report.about, "bold"), f"  {report.title}"))
    for part in report.lead:
        _print(out, part)
    for section in report.sections:
        printed = [part for part in section.parts if not isinstance(part, Drawing)]
        titles = [part.title for part in printed if isinstance(part, document.Table)]
        if any(isinstance(part, document.Method | document.Provenance) for part in printed):
            _in_small(out, printed)
            continue
        if not printed:
            continue
        out.print()
        if section.title not in titles:
            out.print(Text(section.title, style="bold"))
        for part in printed:
            _print(out, part)


def _in_small(out: Console, parts: Sequence[document.Part]) -> None:
    """Print how it was found, and what makes it again, in a few lines."""
    for part in parts:
        match part:
            case document.Method():
                said = " ".join(part.points)
                out.print(Text(f"\n{said}" if said else "", style="dim"))
            case document.Provenance():
                out.print(Text("; ".join(" ".join(fact) for fact in part.facts), style="dim"))


def _print(out: Console, part: document.Part) -> None:
    match part:
        case document.Verdict():
            out.print(Text(part.headline, style="bold"))
            if part.is_rough:
                out.print(Text("Rough, from few games.", style="italic"))
            _listed(out, part.points)
            if part.how_sure:
                out.print(Text.assemble(("How sure? ", "bold"), part.how_sure))
        case document.Summary():
            _listed(out, [f"{title}: {text}" for title, text in part.points])
        case document.Paragraph():
            out.print(Text(part.text))
        case document.Points():
            _listed(out, part.points)
        case document.Table():
            _table(out, part)


def _listed(out: Console, points: Sequence[str]) -> None:
    """Print sentences one by one, each with a mark before it."""
    made = table(["", ""], [["-", point] for point in points])
    made.show_header = False
    if points:
        out.print(made)


def _table(out: Console, part: document.Table) -> None:
    """Print a table; one that is too wide in blocks of columns, each with the first column."""
    out.print(Text(part.title, style="bold"))
    names = [f"{one.name} " if one.is_number else one.name for one in part.columns]
    texts = [[cell.text for cell in row] for row in part.rows]
    for chosen in _blocks([names, *texts], [one.is_number for one in part.columns], out.width):
        head = [names[place] for place in chosen]
        out.print(table(head, [[row[place] for place in chosen] for row in texts]))
    if part.note:
        out.print(Text(part.note, style="dim"))


def _blocks(rows: list[list[str]], is_number: list[bool], width: int) -> list[list[int]]:
    """Return the columns of each block, as many as fit beside the first.

    Text can be set in several lines, numbers cannot.
    """
    widest = [max(len(row[place]) for row in rows) + 1 for place in range(len(rows[0]))]
    if sum(widest) <= width or not all(is_number[1:]):
        return [list(range(len(widest)))]
    blocks, room = [[0]], width - widest[0]
    for place in range(1, len(widest)):
        if room < widest[place] and len(blocks[-1]) >= _FEWEST_COLUMNS:
            blocks.append([0])
            room = width - widest[0]
        blocks[-1].append(place)
        room -= widest[place]
    return blocks
