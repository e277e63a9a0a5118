"""The rulebook of Pig as typed, validated data (clauses G1-G5), and in a sentence each."""

import dataclasses
from typing import ClassVar

from herdlab.simcore.rules import Rules, reading, rule

MIN_PLAYERS, MAX_PLAYERS = 1, 6
FACES = 6

CLAUSES: tuple[tuple[str, str], ...] = (
    ("G1", "Order: seat 0 begins, to the left throughout."),
    ("G2", "Turn: roll the die as often as you like; the points are at stake until you bank them."),
    ("G3", "A 1 ends the turn and takes what is at stake."),
    ("G4", "Win: whoever banks enough points for the goal wins at once."),
    ("G5", "Long games: after max_turns nobody wins."),
)


@dataclasses.dataclass(frozen=True)
class PigRules(Rules):
    """The rules of Pig; every [reading] is a field with its alternatives."""

    game: ClassVar[str] = "pig"

    one_takes: str = reading(
        "turn",
        "G3",
        "a 1 takes the points of the turn, or all that the player has",
        alternatives=("turn", "all"),
    )
    goal: int = rule(50, "G4", "points that win", low=2, high=1000)
    max_turns: int = rule(1000, "G5", "turns after which nobody wins", low=1, high=1_000_000)
