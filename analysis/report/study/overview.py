"""The overview of a study of several games: length, luck, seat and best strategies, a row each."""

from collections.abc import Sequence
from dataclasses import replace
from math import inf

import pandas as pd

from herdlab.analysis.figures.drawing import Drawing
from herdlab.analysis.figures.parts.rows import Measured
from herdlab.analysis.figures.ranking import ranking_drawing
from herdlab.analysis.figures.shares import shares_drawing
from herdlab.analysis.report.columns import Shown, half, table_of, text
from herdlab.analysis.report.document import Cell, Composed, Part, Section, Table, Verdict
from herdlab.analysis.tables import Whole
from herdlab.analysis.words.numbers import MEAN, Look, percent
from herdlab.analysis.words.phrases import in_words, listed
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game

Found = dict[str, dict[str, Whole]]
"""By game, by command: its first result."""
_NAMED, _NAMED_IN_A_TABLE = 2, 6
"""Leaders of a game that are named, in a verdict that would grow long and in a table."""


def compose_overview(results: Sequence[Whole]) -> Composed:
    """Return what all parts say of each game, side by side."""
    found: Found = {}
    for one in results:
        found.setdefault(one["game"], {}).setdefault(one["command"], one)
    if not found:
        raise BadInput("an overview needs other parts to be made of")
    lucks = [_measured(game, _share(of["luck"])) for game, of in found.items() if "luck" in of]
    seats = [_measured(game, _seat(of["ask"])) for game, of in found.items() if _is_seat(of)]
    parts: list[Part] = [_table(found)]
    if lucks:
        parts.append(_luck_drawing(lucks))
    if seats:
        parts.append(_seat_drawing(seats))
    section = Section("Side by side", tuple(parts))
    return Composed("An overview", Verdict(_verdict(found)), True, (section,), ())


def _measured(game: str, rate: tuple[float, float, float]) -> Measured:
    """Return a rate of a game in per cent."""
    value, low, high = (100 * part for part in rate)
    return Measured(find_game(game).title, value, low, high)


def _is_seat(of: dict[str, Whole]) -> bool:
    return "ask" in of and of["ask"]["question"] == "seat"


def _share(whole: Whole) -> tuple[float, float, float]:
    """Return in how much of who wins luck has a hand."""
    one = whole["all_luck"]
    return one["total"], one["total_ci_low"], one["total_ci_high"]


def _seat(whole: Whole) -> tuple[float, float, float]:
    """Return what the first seat wins more than its fair share, at the question's first table."""
    value, low, high = whole["data"]["tables"][0]["gains"][0]
    return value, low, high


def _leaders(whole: Whole) -> list[str]:
    best = whole["entrants"][0]
    return [best["strategy"], *best["not_told_apart"]]


def _few(names: list[str], most: int, last: str) -> str:
    """Return all that may be the best; of many the first, and how many others there are."""
    others = len(names) - most
    shown = names if others <= 1 else [*names[:most], f"{in_words(others)} others"]
    return listed(shown, last)


def _verdict(found: Found) -> str:
    """Return which game is most a matter of luck, and who leads each."""
    said = []
    lucks = {game: _share(of["luck"]) for game, of in found.items() if "luck" in of}
    if len(lucks) > 1:
        by_share: dict[str, list[str]] = {}
        for game in sorted(lucks, key=lambda one: -lucks[one][0]):
            by_share.setdefault(percent(lucks[game][0], 1), []).append(find_game(game).title)
        ordered = list(by_share.items())
        (most, there), (least, here) = ordered[0], ordered[-1]
        if most != least:
            said.append(
                f"Among the strategies compared luck decides most in {listed(there)} (it has a "
                f"hand in {most} of who wins) and least in {listed(here)} ({least})."
            )
    cups = [
        f"{find_game(game).title} {_few(_leaders(of['tournament']), _NAMED, 'or')}"
        for game, of in found.items()
        if "tournament" in of
    ]
    if cups:
        said.append(f"Best of the strategies tried: {listed(cups)}.")
    return " ".join(said) or f"{len(found)} games side by side."


_ROUGH = Look(100, 1)
_TABLE = (
    text("game", "game"),
    Shown("length", "length", lambda row: Cell(row["length"], row["mean"])),
    half("luck, %", _ROUGH, "luck", inf),
    half("first seat, % points", replace(_ROUGH, sign="+"), "seat", inf),
    text("best strategies", "best"),
)


def _table(found: Found) -> Table:
    rows = []
    for game, of in found.items():
        luck = _share(of["luck"]) if "luck" in of else (None,) * 3
        seat = _seat(of["ask"]) if _is_seat(of) else (None,) * 3
        best = "–"
        if "tournament" in of:
            best = _few(_leaders(of["tournament"]), _NAMED_IN_A_TABLE, "and")
        rows.append((find_game(game).title, *_length(of), *luck, *seat, best))
    ends = [f"{name}{end}" for name in ("luck", "seat") for end in ("", "_low", "_high")]
    note = (
        "Lengths are means of the first line-up simulated; luck: the share of the variance of who "
        "wins in which luck has a hand, with the strategies compared; first seat: what it wins "
        "more than its fair share where all play alike, at the first table asked about; best "
        "strategies: who wins most in the tournament, and who is not clearly behind. "
        "± is the longer side of an interval."
    )
    frame = pd.DataFrame(rows, columns=["game", "length", "mean", *ends, "best"])
    return table_of("Length, luck, seat and strategies", frame, _TABLE, note)


def _length(of: dict[str, Whole]) -> tuple[str, float | None]:
    if "simulate" not in of:
        return "–", None
    game, one = find_game(of["simulate"]["game"]), of["simulate"]["length"]
    each = f" a {game.part}" if game.part else ""
    mean = MEAN.number(one["mean"], one["ci_low"], one["ci_high"])
    return f"{mean} {game.length_unit}{each}", one["mean"]


def _luck_drawing(lucks: list[Measured]) -> Drawing:
    return shares_drawing(
        sorted(lucks, key=lambda one: -one.value),
        "How much luck is in who wins",
        "With the strategies that were compared; against equals luck would decide it all.",
        x_label="variance of who wins in which luck has a hand, %",
    )


def _seat_drawing(seats: list[Measured]) -> Drawing:
    return ranking_drawing(
        seats,
        "What the first seat is worth where all play alike",
        what="gains at the first table of each question",
        intervals="intervals",
        sign="+",
        x_label="wins beyond a fair share, percentage points",
        line=0.0,
        line_label="fair share",
    )
