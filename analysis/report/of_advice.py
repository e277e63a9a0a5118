"""Advice as a report: what to do in a position, and what every other move costs."""

from herdlab.analysis.exact.advise_request import AFTER, BEFORE, SKUNK
from herdlab.analysis.exact.herd_moves import PLACES, other_player
from herdlab.analysis.report.composing import (
    NOTHING,
    Composed,
    Result,
    number,
    rate_between,
    rate_cells,
    table,
)
from herdlab.analysis.report.document import Cell, Section, Table, Verdict
from herdlab.analysis.words.phrases import counted
from herdlab.analysis.words.stories.herd import in_words

_MOMENTS = {
    BEFORE: "your trade before the roll",
    AFTER: "your trade after the roll",
    SKUNK: "your skunk to give away",
}
_ENDS = {"win": "wins at once", "loss": "he wins at once", "nobody": "the game ends"}


def compose_advice(whole: Result) -> Composed:
    """Return advice as parts of a document."""
    t = ", after a T" if whole["position"]["t_in_force"] else ""
    sure = (
        f"{counted(whole['lucks'], 'game')} a move, all on the same deals; the intervals of "
        f"differences hold together."
    )
    return Composed(
        f"{_MOMENTS[whole['position']['phase']]}{t}",
        Verdict(whole["sentence"], (), sure),
        whole["settled"],
        (Section("The position", (_position(whole),)), Section("Every move", (_moves(whole),))),
        (
            f"Every legal move was played on from the position it leads to: "
            f"{counted(whole['games'], 'game')} in all.",
        ),
    )


def _position(whole: Result) -> Table:
    """Return a row for each player, the one to move first."""
    herds, given = whole["position"]["herds"], whole["arguments"]["others"]
    rows = []
    for seat, (herd, player) in enumerate(zip(herds, whole["players"], strict=True)):
        name = "you" if seat == 0 else other_player(seat, len(herds)).removeprefix("the ")
        skunk = ", and the skunk" if whole["position"]["skunk"] == seat else ""
        assumed = ", assumed to match yours (no --other given)" if seat and not given else ""
        held = in_words(list(herd.values()))
        rows.append([Cell(name), Cell(f"{held}{skunk}{assumed}"), Cell(player)])
    return table("The position", ["player", "herd", "plays on as"], rows)


def _moves(whole: Result) -> Table:
    """Return every legal move, the best first."""
    has_partner = any(one["partner"] is not None for one in whole["moves"])
    rows = []
    for one in whole["moves"]:
        words = one["words"].removeprefix("the skunk ").split(" from ")[0]
        row = [Cell(words.replace(" and ", " + "))]  # for 80 columns
        if has_partner:
            row.append(Cell("" if one["partner"] is None else PLACES[one["partner"] - 1]))
        rate, interval = rate_cells(one["win_rate"], one["ci_low"], one["ci_high"])
        row += [rate, Cell(_ENDS[one["at_once"]]) if one["at_once"] else interval]
        row += _behind(one)
        turns = one["solo_turns"]
        row.append(NOTHING if turns is None else number(turns, f"{turns:.2f}"))
        rows.append(row)
    sure = f"{100 * whole['confidence']:.4g} %"
    head = ["move", *(["from"] if has_partner else []), "win % ", f"{sure} interval "]
    note = (
        "win %: each interval by itself; less: percentage points below the first, on the same "
        "deals; these intervals hold all together; alone: turns to a complete herd without the "
        "others, this turn counted, exact."
    )
    return table("Every move", [*head, "less ", f"{sure} of all ", "alone "], rows, note)


def _behind(one: Result) -> tuple[Cell, Cell]:
    value, low, high = (one[f"behind_{key}"] for key in ("best", "low", "high"))
    if value is None:
        return NOTHING, NOTHING
    return number(value, f"{100 * value:.2f}"), number(low, rate_between(low, high))
