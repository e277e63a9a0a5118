"""Advice as a report: what to do in a position, and what every other move costs."""

import pandas as pd

from herdlab.analysis.exact.advise_request import AFTER, BEFORE, SKUNK
from herdlab.analysis.exact.herd_moves import PLACES, other_player
from herdlab.analysis.report import columns
from herdlab.analysis.report.columns import Row, Shown, table_of, text
from herdlab.analysis.report.document import Cell, Composed, Section, Table, Verdict
from herdlab.analysis.tables import Whole, tables_of
from herdlab.analysis.words.numbers import RATE
from herdlab.analysis.words.phrases import counted
from herdlab.analysis.words.stories.herd import in_words

_MOMENTS = {
    BEFORE: "your trade before the roll",
    AFTER: "your trade after the roll",
    SKUNK: "your skunk to give away",
}
_ENDS = {"win": "wins at once", "loss": "they win at once", "nobody": "the game ends"}


def compose_advice(whole: Whole) -> Composed:
    """Return advice as parts of a document."""
    t = ", after a T" if whole["position"]["t_in_force"] else ""
    sure = (
        f"{counted(whole['lucks'], 'game')} a move, all on the same deals; the intervals of "
        f"differences hold together."
    )
    played = (
        f"Every legal move was played on from the position it leads to: "
        f"{counted(whole['games'], 'game')} in all."
    )
    return Composed(
        f"{_MOMENTS[whole['position']['phase']]}{t}",
        Verdict(whole["sentence"], how_sure=sure),
        whole["settled"],
        (Section("The position", (_position(whole),)), Section("Every move", (_moves(whole),))),
        (played,),
    )


def _position(whole: Whole) -> Table:
    """Return a row for each player, the one to move first."""
    herds, given = whole["position"]["herds"], whole["arguments"]["others"]
    rows = []
    for seat, (herd, player) in enumerate(zip(herds, whole["players"], strict=True)):
        name = "you" if seat == 0 else other_player(seat, len(herds)).removeprefix("the ")
        skunk = ", and the skunk" if whole["position"]["skunk"] == seat else ""
        assumed = ", assumed to match yours (no --other given)" if seat and not given else ""
        rows.append((name, f"{in_words(list(herd.values()))}{skunk}{assumed}", player))
    names = ("player", "herd", "plays on as")
    shown = [text(name, name) for name in names]
    return table_of("The position", pd.DataFrame(rows, columns=names), shown)


def _moves(whole: Whole) -> Table:
    """Return every legal move, the best first."""
    sure = columns.confidence_of(whole)
    is_skunk = whole["position"]["phase"] == SKUNK

    def short(row: Row) -> Cell:
        """Return a move in words that leave room for its numbers in 80 columns."""
        words = row["words"]
        if row.get("partner") is not None:
            whom = other_player(int(row["partner"]), len(whole["players"]))
            words = f"to {whom}" if is_skunk else words.removesuffix(f" from {whom}")
        return Cell(words.replace(" and ", " + "))

    def at_once(row: Row) -> Cell | None:
        """Return what a move that ends the game comes to, in place of an interval."""
        return Cell(_ENDS[row["at_once"]]) if row.get("at_once") else None

    shown = (
        Shown("move", "words", short, is_number=False),
        text("from", "partner", lambda one: "" if one is None else PLACES[int(one) - 1]),
        columns.value("win %", RATE),
        columns.instead(columns.ends(f"{sure} interval", RATE), at_once),
        columns.value("less", RATE, "behind"),
        columns.ends(f"{sure} of all", RATE, "behind"),
        columns.number("alone", "solo_turns", ".2f"),
    )
    note = (
        "win %: each interval by itself; less: percentage points below the first, on the same "
        "deals; these intervals hold all together; alone: turns to a complete herd without the "
        "others, this turn counted, exact."
    )
    moves = tables_of(whole)["moves"].dropna(axis="columns", how="all")
    return table_of("Every move", moves, shown, note)
