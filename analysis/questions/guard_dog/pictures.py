"""The pictures of the Guard Dog's answer: when to buy, what buyers win, and where that stands."""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from herdlab.analysis.questions.asking import Answer
from herdlab.analysis.questions.drawn import forest_of_wins, headed, rows_of
from herdlab.analysis.questions.guard_dog.findings import WAYS
from herdlab.analysis.questions.guard_dog.habits import SPARE
from herdlab.analysis.words.phrases import capital

if TYPE_CHECKING:
    from herdlab.analysis.figures.drawing import Drawing


def drawings(answer: Answer) -> list["Drawing"]:
    """Draw when to buy, what buyers win, and whether that stands; without dogs, what there is."""
    from herdlab.analysis.figures.forest import forest_drawing
    from herdlab.analysis.figures.guard_dog import map_drawing

    if "exact" not in answer.data:
        turns = [one for one in answer.findings if one.value is not None]
        title = answer.said[0].removesuffix(".")
        return [forest_drawing(turns, title, x_label="turns", above="", below="")]
    forest = partial(
        forest_of_wins,
        subject="Buying",
        x_label="win rate with buying minus that without, percentage points",
        above="buying wins more",
        below="buying wins less",
    )
    habits = [
        replace(one, section=f"Buys {WAYS[one.of.who]}", label=f"{one.of.players} players")
        for one in rows_of(answer.findings, "habits")
    ]
    caption = "When dogs are bought, and how many play; the others never buy"
    found = [
        map_drawing(answer.data["exact"]["maps"]["nothing more"]),
        *forest(habits, among="cases", caption=caption),
    ]
    again = rows_of(answer.findings, "again")
    if not again:
        return found
    tables = [one for one in habits if one.of.who == SPARE]
    tables += [
        replace(one, label=f"others buy {WAYS[one.of.others]}")
        for one in rows_of(answer.findings, "sparing")
    ]
    rows = headed(tables, "Tables")  # as given is among these
    for change in ("readings", "dice"):
        rows += headed([one for one in again if one.of.change == change], capital(change))
    caption = (
        "One player buys whenever they can spare it, which is what people do; three play, and the "
        "others never buy, unless the row says otherwise"
    )
    return [*found, *forest(rows, among="tables, readings and dice", caption=caption)]
