"""From results to a document: one result by itself, or all parts of a study."""

from collections.abc import Sequence
from importlib import import_module
from itertools import islice
from shlex import join
from typing import TYPE_CHECKING

from herdlab.analysis.commands import RESULTS
from herdlab.analysis.report import document
from herdlab.analysis.report.command_line import command_line
from herdlab.analysis.report.composing import Composed, Result, game_of
from herdlab.analysis.report.overview import compose_overview
from herdlab.analysis.report.study.values import BRIEF
from herdlab.analysis.report.who_plays import who_plays
from herdlab.analysis.words.phrases import sentence
from herdlab.simcore.errors import unknown
from herdlab.simcore.rules import shown

if TYPE_CHECKING:
    from herdlab.analysis.report.study.study import Study

_HOW, _AGAIN = "How it was found", "How to make it again"
_LUCK = (
    "A deal is everything that chance decides in a game, dice and cards; several line-ups can be "
    "played on the same one, so that only their play differs."
)
_SUMMED_UP = 8
"""Parts up to which each has its sentence at the beginning; of more there is an overview."""
_FEW_GAMES = 3
"""More games than that are counted above a title, not named."""


def compose(whole: Result) -> Composed:
    """Return a result as parts of a document."""
    if whole["command"] not in RESULTS:
        raise unknown("command to report on", str(whole["command"]), RESULTS)
    module, function = RESULTS[whole["command"]].composer.split(".")
    found: Composed = getattr(import_module(f"{__package__}.{module}"), function)(whole)
    return found


def compose_result(whole: Result) -> document.Report:
    """Return the report of a result by itself."""
    found = compose(whole)
    line = f"{command_line(whole)} --report report.html"
    return document.Report(
        found.title,
        game_of(whole).title,
        (found.verdict,),
        (
            *found.sections,
            document.Section(
                _HOW, _how([whole], [one for one in found.method if one != found.verdict.how_sure])
            ),
            document.Section(_AGAIN, (document.Provenance(line, _facts([whole])),)),
        ),
    )


def compose_study(
    study: "Study", results: Sequence[Result | None], *, is_quick: bool = False
) -> document.Report:
    """Return the report of a study: the first part's verdict, then every part as a section.

    `results` are those of its parts; None stands for the overview, which is made of the others.
    """
    known = [one for one in results if one is not None]
    parts = [compose_overview(known) if one is None else compose(one) for one in results]
    shown_ = [(a, b) for a, b in zip(study.parts, parts, strict=True) if a.is_shown]
    is_rough = is_quick or any(one["command"] == "ask" and one["rough"] for one in known)
    first = shown_[0][1]
    lead: list[document.Part] = [
        document.Verdict(
            first.verdict.headline,
            first.verdict.points,
            first.verdict.how_sure,
            is_rough=is_rough,
        )
    ]
    if 1 < len(shown_) <= _SUMMED_UP:
        lead.append(
            document.Summary(
                tuple((asked.title, one.verdict.headline) for asked, one in shown_[1:])
            )
        )
    if study.text.strip():
        lead.append(document.Paragraph(study.text.strip()))
    sections = [
        document.Section(
            asked.title,
            (
                *_text(asked.text),
                *_said(part.verdict, is_first=part is first),
                *_shown(part, is_brief=asked.show == BRIEF),
            ),
        )
        for asked, part in shown_
    ]
    name = study.path.name
    name = f"./{name}" if name.startswith("-") else name  # which would be an option
    words = ["herdlab", "report", name, *(["--quick"] if is_quick else [])]
    line = join([*words, *(word for file in study.added for word in ("--plugin", file))])
    file = ("study file", f"{study.path.name}, as it stands below")
    again = document.Provenance(line, (file, *_facts(known)), study.source)
    return document.Report(
        study.title,
        _about(known),
        tuple(lead),
        (
            *sections,
            document.Section(_HOW, _how(known, [point for part in parts for point in part.method])),
            document.Section(_AGAIN, (again,)),
        ),
    )


def _how(results: Sequence[Result], method: Sequence[str]) -> tuple[document.Part, ...]:
    """Return how it was found, and who the strategies are that it speaks of."""
    points = list(dict.fromkeys(map(sentence, method)))
    if any("lucks" in point for point in points):
        points.append(_LUCK)
    players = who_plays(results)
    return (document.Method(tuple(points)), *([] if players is None else [players]))


def _text(text: str) -> tuple[document.Part, ...]:
    return (document.Paragraph(text.strip()),) if text.strip() else ()


def _said(verdict: document.Verdict, *, is_first: bool) -> tuple[document.Part, ...]:
    """Return the verdict of a part of a study; the first one's stands above already."""
    return () if is_first else (document.Verdict(verdict.headline, verdict.points),)


def _shown(part: Composed, *, is_brief: bool) -> list[document.Part]:
    """Return what stands below the verdict of a part of a study."""
    everything = (one for section in part.sections for one in section.parts)
    pictures = (
        one
        for section in part.sections
        for one in section.parts
        if isinstance(one, document.Picture)
    )
    return [*islice(pictures, 1)] if is_brief else [*everything]


def _about(results: Sequence[Result]) -> str:
    titles = list(dict.fromkeys(game_of(one).title for one in results))
    return " · ".join(titles) if len(titles) <= _FEW_GAMES else f"{len(titles)} trading games"


def _facts(results: Sequence[Result]) -> tuple[tuple[str, str], ...]:
    """Return what results come from; nothing that differs when they are made again."""
    facts: list[tuple[str, str]] = []
    for one in results:
        game = game_of(one)
        facts.append((f"rules of {game.title}", _rules(one)))
        facts += [(f"plug-in {p['file']}", f"sha256 {p['sha256']}") for p in one["plugins"]]
    seeds = list(dict.fromkeys(str(one["seed"]) for one in results))
    games = sum(one.get("games", 0) for one in results)
    versions = list(dict.fromkeys(_version(one) for one in results))
    return (
        ("seed", ", ".join(seeds)),
        *dict.fromkeys(facts),
        *([("games", f"{games:,}")] if games else []),
        ("herdlab", ", ".join(versions)),
    )


def _rules(whole: Result) -> str:
    """Return which settings differ from the rulebook's, and the hash of all."""
    rules = game_of(whole).rules_type.from_settings(whole["rules"])
    changed = ", ".join(f"{key}={shown(value)}" for key, value in rules.changed().items())
    return f"{changed or 'as printed'} (hash {rules.hash})"


def _version(whole: Result) -> str:
    revision = whole["revision"]
    return f"{whole['version']}" + (f", revision {revision}" if revision else "")
