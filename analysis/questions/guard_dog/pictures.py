"""The pictures of the Guard Dog's answer: when to buy, what buyers win, and where that stands."""

from collections.abc import Sequence
from dataclasses import replace

from herdlab.analysis.figures.drawing import Drawing
from herdlab.analysis.figures.forest import forest_drawing, tallied
from herdlab.analysis.figures.guard_dog import map_drawing
from herdlab.analysis.findings import Finding
from herdlab.analysis.questions.asking import Answer
from herdlab.analysis.questions.drawn import headed, sections
from herdlab.analysis.questions.guard_dog.findings import ELSEWHERE, HABITS, SPARING, WAYS
from herdlab.analysis.questions.guard_dog.habits import SPARE
from herdlab.analysis.stats.verdicts import MARGIN_OF_WIN

_LESS = "win rate of one who buys, less that of one who never does, percentage points"
_ABOVE, _BELOW = "buying wins more", "buying wins less"
_AS_GIVEN = "as given"


def drawn(answer: Answer) -> list[Drawing]:
    """Return the map first; without dogs, what there is."""
    if "exact" not in answer.data:
        turns = [one for one in answer.findings if one.value is not None]
        title = answer.verdict.split(". ")[0].rstrip(".")
        return [forest_drawing(turns, title, x_label="turns", above="", below="")]
    found = [map_drawing(answer.data["exact"]["maps"]["nothing more"])]
    habits = sections(answer.findings, HABITS)
    found.append(
        _drawing(
            _by_way(habits),
            "cases",
            "When he buys, and how many play; the others never buy",
        )
    )
    again = sections(answer.findings, ELSEWHERE)
    if again:
        sparing = [one for one in habits if one.label.startswith(WAYS[SPARE])]
        others = sections(answer.findings, SPARING)
        tables = [replace(one, label=one.label.rpartition(", ")[2]) for one in sparing]
        among = [replace(one, label=_others_buy(one.label)) for one in others]
        changed = [one for one in again if one.label != _AS_GIVEN]  # which is among the tables
        rows = [
            *headed([*tables, *among], "Tables"),
            *headed([one for one in changed if not _is_dice(one)], "Readings"),
            *headed([one for one in changed if _is_dice(one)], "Dice"),
        ]
        found.append(
            _drawing(
                rows,
                "tables, readings and dice",
                "He buys whenever he can spare it, which is what people do; three play, and the "
                "others never buy, unless the row says otherwise",
            )
        )
    return found


def _drawing(rows: Sequence[Finding], among: str, caption: str) -> Drawing:
    return forest_drawing(
        rows,
        tallied(rows, "Buying", among=among, margin=100 * MARGIN_OF_WIN),
        x_label=_LESS,
        above=_ABOVE,
        below=_BELOW,
        margin=100 * MARGIN_OF_WIN,
        caption=caption,
    )


def _by_way(habits: Sequence[Finding]) -> list[Finding]:
    """Return findings under the way in which one buys, each with how many play."""
    found = []
    for one in habits:
        way, _, players = one.label.rpartition(", ")
        found.append(replace(one, section=f"Buys {way}", label=players))
    return found


def _others_buy(when: str) -> str:
    return f"others buy {when}".replace(" he ", " they ")


def _is_dice(one: Finding) -> bool:
    return "=" not in one.label or one.label.startswith("dice=")
