"""From results to a document: one result by itself, or all parts of a study."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from shlex import join
from typing import TYPE_CHECKING, Any

import pandas as pd

from herdlab.analysis.commands import RESULTS
from herdlab.analysis.figures.drawing import Drawing
from herdlab.analysis.report import document
from herdlab.analysis.report.columns import table_of, text
from herdlab.analysis.report.command_line import command_line
from herdlab.analysis.report.study.overview import compose_overview
from herdlab.analysis.report.study.values import BRIEF
from herdlab.analysis.tables import Whole
from herdlab.analysis.words.phrases import sentence
from herdlab.simcore.errors import unknown
from herdlab.simcore.game import find_game
from herdlab.simcore.rules import shown
from herdlab.strategies.registry import strategies_of

if TYPE_CHECKING:
    from herdlab.analysis.report.study.study import Study

Found = tuple[Whole, document.Composed]
"""A result, and what was made of it."""
_DEAL = (
    "A deal is everything that chance decides in a game, dice and cards; several line-ups can be "
    "played on the same one, so that only their play differs."
)
_NAMING = ("players", "entrants", "a", "b", "field", "strategy", "strategies", "results", "seats")
"""Where results name strategies."""
_SUMMED_UP = 8
"""Parts up to which each has its sentence at the beginning; of more there is an overview."""
_FEW_GAMES = 3
"""More games than that are counted above a title, not named."""


def compose(whole: Whole) -> document.Composed:
    """Return a result as parts of a document."""
    if whole["command"] not in RESULTS:
        raise unknown("command to report on", str(whole["command"]), RESULTS)
    module, function = RESULTS[whole["command"]].composer.rsplit(".", 1)
    module = f"herdlab.analysis.{module}"
    found: document.Composed = getattr(import_module(module), function)(whole)
    return found


def compose_result(whole: Whole) -> document.Report:
    """Return the report of a result by itself."""
    found = compose(whole)
    again = document.Provenance(f"{command_line(whole)} --report report.html", _facts([whole]))
    method = [one for one in found.method if one != found.verdict.how_sure]
    sections = (*found.sections, *_ending([(whole, found)], method, again))
    return document.Report(found.title, find_game(whole["game"]).title, (found.verdict,), sections)


def compose_study(
    study: "Study", results: Sequence[Whole | None], *, is_quick: bool = False
) -> document.Report:
    """Return the report of a study: the first part's verdict, then every part as a section.

    `results` are those of its parts; None stands for the overview, which is made of the others.
    """
    known = [one for one in results if one is not None]
    parts = [compose_overview(known) if one is None else compose(one) for one in results]
    told = [(a, b) for a, b in zip(study.parts, parts, strict=True) if a.is_shown]
    is_rough = is_quick or any(one["command"] == "ask" and one["rough"] for one in known)
    first = told[0][1]
    lead: list[document.Part] = [replace(first.verdict, is_rough=is_rough)]
    if 1 < len(told) <= _SUMMED_UP:
        points = tuple((asked.title, one.verdict.headline) for asked, one in told[1:])
        lead.append(document.Summary(points))
    sections = []
    for asked, part in told:
        below = list(_text(asked.text))
        if part is not first:  # whose verdict stands above already
            below.append(document.Verdict(part.verdict.headline, part.verdict.points))
        found = [one for section in part.sections for one in section.parts]
        drawn = [one for one in found if isinstance(one, Drawing)]
        below += drawn[:1] if asked.show == BRIEF else found
        sections.append(document.Section(asked.title, tuple(below)))
    name = study.path.name
    name = f"./{name}" if name.startswith("-") else name  # which would be an option
    words = ["herdlab", "report", name, *(["--quick"] if is_quick else [])]
    line = join([*words, *(word for file in study.added for word in ("--plugin", file))])
    file = ("study file", f"{study.path.name}, as it stands below")
    made = document.Provenance(line, (file, *_facts(known)), study.source)
    method = [point for part in parts for point in part.method]
    pairs = [(one, part) for one, part in zip(results, parts, strict=True) if one is not None]
    games = list(dict.fromkeys(find_game(one["game"]).title for one in known))
    return document.Report(
        study.title,
        " · ".join(games) if len(games) <= _FEW_GAMES else f"{len(games)} trading games",
        (*lead, *_text(study.text)),
        (*sections, *_ending(pairs, method, made)),
    )


def _ending(
    found: Sequence[Found], method: Sequence[str], again: document.Provenance
) -> tuple[document.Section, ...]:
    """Return how it was found, who the strategies are that it speaks of, and what repeats it."""
    points = list(dict.fromkeys(map(sentence, method)))
    if any(one["command"] != "solve" and one.get("rotate", True) for one, _ in found):
        points.append(_DEAL)  # as what was found speaks of deals
    how = document.Section("How it was found", (document.Method(tuple(points)), *_who_plays(found)))
    return how, document.Section("How to make it again", (again,))


def _who_plays(found: Sequence[Found]) -> tuple[document.Table, ...]:
    """Return the strategies that results name, if any; none that this herdlab does not know."""
    rows: dict[tuple[str, str], tuple[str, str, str]] = {}
    for whole, part in found:
        game = find_game(whole["game"])
        known = strategies_of(game)
        for name in (*_named(whole), *part.plays):
            if name in known:
                rows[game.name, name] = game.title, name, known[name].words
    frame = pd.DataFrame(rows.values(), columns=["game", "strategy", "words"])
    columns = [text("strategy", "strategy"), text("what a human would do", "words")]
    if len({whole["game"] for whole, _ in found}) > 1:
        columns.insert(0, text("game", "game"))
    return (table_of("Who plays", frame, columns, is_folded=True),) if rows else ()


def _named(whole: Whole) -> Iterator[str]:
    """Yield what may be names of strategies, in the order in which they come."""
    for said in _texts([whole[key] for key in _NAMING if key in whole]):
        for line_up in said.split(","):
            yield line_up.strip().split(":")[0]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts(one)


def _text(text: str) -> tuple[document.Part, ...]:
    return (document.Paragraph(text.strip()),) if text.strip() else ()


def _facts(results: Sequence[Whole]) -> tuple[tuple[str, str], ...]:
    """Return what results come from; nothing that differs when they are made again."""
    facts: list[tuple[str, str]] = []
    versions: dict[str, None] = {}
    for one in results:
        game = find_game(one["game"])
        rules = game.rules_type.from_settings(one["rules"])
        changed = ", ".join(f"{key}={shown(value)}" for key, value in rules.changed().items())
        said = f"{changed or 'as printed'} (hash {rules.hash})"
        facts.append((f"rules of {game.title}", said))
        facts += [(f"plug-in {p['file']}", f"sha256 {p['sha256']}") for p in one["plugins"]]
        revision = f", revision {one['revision']}" if one["revision"] else ""
        versions[f"{one['version']}{revision}"] = None
    seeds = dict.fromkeys(str(one["seed"]) for one in results)
    games = sum(one.get("games", 0) for one in results)
    return (
        ("seed", ", ".join(seeds)),
        *dict.fromkeys(facts),
        *([("games", f"{games:,}")] if games else []),
        ("herdlab", ", ".join(versions)),
    )
