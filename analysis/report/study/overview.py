"""The overview of a study of several games: length, luck, seat and best strategies, a row each."""

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from typing import Any

import pandas as pd

from herdlab.analysis.figures.ranking import ranking_drawing
from herdlab.analysis.figures.shares import shares_drawing
from herdlab.analysis.report.columns import Shown, half, marks, table_of, text
from herdlab.analysis.report.document import Cell, Composed, Part, Section, Verdict
from herdlab.analysis.tables import Whole
from herdlab.analysis.words.numbers import MEAN, RATE, Look, percent
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
    frame = pd.DataFrame([_row(game, of) for game, of in found.items()])
    parts: list[Part] = [table_of("Length, luck, seat and strategies", frame, _TABLE, _NOTE)]
    by_luck = frame.dropna(subset=["luck"]).sort_values("luck", ascending=False, kind="stable")
    if len(by_luck):
        drawing = shares_drawing(
            marks(RATE, by_luck, "game", key="luck"),
            "How much luck is in who wins",
            "With the strategies that were compared; against equals luck would decide it all.",
            x_label="variance of who wins in which luck has a hand, %",
        )
        parts.append(drawing)
    seats = frame.dropna(subset=["seat"])
    if len(seats):
        drawing = ranking_drawing(
            marks(RATE, seats, "game", key="seat"),
            "What the first seat is worth where all play alike",
            what="gains at the first table of each question",
            intervals="intervals",
            sign="+",
            x_label="wins beyond a fair share, percentage points",
            line=0.0,
            line_label="fair share",
        )
        parts.append(drawing)
    section = Section("Side by side", tuple(parts))
    return Composed("An overview", Verdict(_verdict(found, by_luck)), True, (section,), ())


def _row(name: str, of: dict[str, Whole]) -> dict[str, Any]:
    """Return what is known of a game."""
    game = find_game(name)
    row: dict[str, Any] = {"game": game.title, "length": "–", "mean": None, "best": "–"}
    if "simulate" in of:
        length = of["simulate"]["length"]
        mean = MEAN.number(length["mean"], length["ci_low"], length["ci_high"])
        each = f" a {game.part}" if game.part else ""
        row |= {"length": f"{mean} {game.length_unit}{each}", "mean": length["mean"]}
    luck, seat = (None,) * 3, (None,) * 3
    if "luck" in of:
        share = of["luck"]["all_luck"]
        luck = share["total"], share["total_ci_low"], share["total_ci_high"]
    if "ask" in of and of["ask"]["question"] == "seat":
        seat = of["ask"]["data"]["tables"][0]["gains"][0]
    for key, ends in (("luck", luck), ("seat", seat)):
        row |= dict(zip((key, f"{key}_low", f"{key}_high"), ends, strict=True))
    if "tournament" in of:
        row["best"] = _leaders(of["tournament"], _NAMED_IN_A_TABLE, "and")
    return row


def _leaders(whole: Whole, most: int, last: str) -> str:
    """Return all that may be the best; of many the first, and how many others there are."""
    best = whole["entrants"][0]
    names = [best["strategy"], *best["not_told_apart"]]
    others = len(names) - most
    shown = names if others <= 1 else [*names[:most], f"{in_words(others)} others"]
    return listed(shown, last)


def _verdict(found: Found, by_luck: pd.DataFrame) -> str:
    """Return which game is most a matter of luck, and who leads each."""
    said = []
    by_share: dict[str, list[str]] = {}
    for title, share in zip(by_luck["game"], by_luck["luck"], strict=True):
        by_share.setdefault(percent(share, 1), []).append(title)
    if len(by_share) > 1:
        (most, there), *_, (least, here) = by_share.items()
        said.append(
            f"Among the strategies compared luck decides most in {listed(there)} (it has a "
            f"hand in {most} of who wins) and least in {listed(here)} ({least})."
        )
    cups = [
        f"{find_game(game).title} {_leaders(of['tournament'], _NAMED, 'or')}"
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
_NOTE = (
    "Lengths are means of the first line-up simulated; luck: the share of the variance of who "
    "wins in which luck has a hand, with the strategies compared; first seat: what it wins "
    "more than its fair share where all play alike, at the first table asked about; best "
    "strategies: who wins most in the tournament, and who is not clearly behind. "
    "± is the longer side of an interval."
)
