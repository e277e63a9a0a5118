"""The pictures of the Guard Dog's answer: when to buy, what buyers win, and where that stands."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from herdlab.analysis.findings import Finding
from herdlab.analysis.questions.asking import Answer
from herdlab.analysis.questions.drawn import forest_of_wins, headed, rows_of
from herdlab.analysis.questions.guard_dog.findings import OTHERS_BUY, WAYS
from herdlab.analysis.questions.guard_dog.habits import SPARE
from herdlab.analysis.words.phrases import capital

if TYPE_CHECKING:
    from herdlab.analysis.figures.drawing import Drawing

_LESS = "win rate of one who buys, less that of one who never does, percentage points"


def drawings(answer: Answer) -> list["Drawing"]:
    """Draw when to buy, what buyers win, and whether that stands; without dogs, what there is."""
    from herdlab.analysis.figures.forest import forest_drawing
    from herdlab.analysis.figures.guard_dog import map_drawing

    if "exact" not in answer.data:
        turns = [one for one in answer.findings if one.value is not None]
        title = answer.said[0].removesuffix(".")
        return [forest_drawing(turns, title, x_label="turns", above="", below="")]
    found = [map_drawing(answer.data["exact"]["maps"]["nothing more"])]
    habits = [
        replace(one, section=f"Buys {WAYS[one.of.who]}", label=f"{one.of.players} players")
        for one in rows_of(answer.findings, "habits")
    ]
    found += _drawing(habits, "cases", "When he buys, and how many play; the others never buy")
    again = rows_of(answer.findings, "again")
    if again:
        tables = [one for one in habits if one.of.who == SPARE]
        among = [
            replace(one, label=f"others buy {OTHERS_BUY.get(one.of.others, WAYS[one.of.others])}")
            for one in rows_of(answer.findings, "sparing")
        ]
        rows = headed([*tables, *among], "Tables")  # as given is among these
        for change in ("readings", "dice"):
            rows += headed([one for one in again if one.of.change == change], capital(change))
        found += _drawing(
            rows,
            "tables, readings and dice",
            "He buys whenever he can spare it, which is what people do; three play, and the "
            "others never buy, unless the row says otherwise",
        )
    return found


def _drawing(rows: Sequence[Finding], among: str, caption: str) -> list["Drawing"]:
    above, below = "buying wins more", "buying wins less"
    return forest_of_wins(
        rows, "Buying", _LESS, above=above, below=below, among=among, caption=caption
    )
