"""The rulebooks of Horse Trader and Bronco as typed, validated data (clauses P1-P13)."""

import dataclasses
from typing import ClassVar

from herdlab.simcore.rules import Rules, check_weights, read_weights, reading, rule, weights

PIECES = 40
"""P1: the pieces of a puzzle, and what each player is dealt."""
MIN_PLAYERS, MAX_PLAYERS = 3, 4
LARGEST_OFFER = 4
CURVE_STEP, CURVE_POINTS = 10, 41
"""Own pieces are noted after every ten beats, up to 400."""

IN_A_ROW, STRAIGHT, WHOLE_GAME = range(3)
"""How passes are limited: P7, P8 and P9."""


@dataclasses.dataclass(frozen=True)
class PuzzleRules(Rules):
    """What both editions share; every [reading] that is a setting is a field."""

    limits: ClassVar[tuple[int, int]]
    """How an edition limits passes in its plain and in its advanced game."""

    advanced: bool = rule(False, "P11", "the advanced game, in which offers may be bluffs")
    tempo: tuple[float, ...] = weights(
        "P3", "how often each player has the word: 0.001 to 1000 each, as 1,2,4,0.5 [reading]"
    )
    reaction: tuple[float, ...] = weights(
        "P4", "how fast each player answers or calls: 0.001 to 1000 each, as 1,2,4,0.5 [reading]"
    )
    largest_offer: int = rule(
        LARGEST_OFFER, "P4", "pieces that may be offered at once", low=1, high=LARGEST_OFFER
    )
    calls: int = rule(
        3,
        "P7-P9",
        "passes that a player may call before he is stopped (P7, P8 or P9, by edition)",
        low=0,
        high=9,
    )
    simultaneous: str = reading(
        "share",
        "P10",
        "several complete their puzzles in one movement: they share the win, or the player with "
        "the word wins, else the first to his left",
        alternatives=("share", "order"),
    )
    max_beats: int = rule(
        20_000, "P13", "beats after which a game ends with no winner", low=1, high=1_000_000
    )

    def check(self) -> None:
        """Refuse weights that are none."""
        read_weights("tempo", "P3", self.tempo)
        read_weights("reaction", "P4", self.reaction)

    def check_players(self, n_players: int) -> None:
        """P3, P4: refuse weights for another number of players."""
        check_weights("tempo", "P3", self.tempo, n_players)
        check_weights("reaction", "P4", self.reaction, n_players)

    @property
    def limit(self) -> int:
        """How this game of the edition limits passes: IN_A_ROW, STRAIGHT or WHOLE_GAME."""
        return self.limits[self.advanced]


@dataclasses.dataclass(frozen=True)
class HorseTraderRules(PuzzleRules):
    """The rules of Horse Trader."""

    game: ClassVar[str] = "horse-trader"
    limits: ClassVar[tuple[int, int]] = (IN_A_ROW, WHOLE_GAME)  # P7, P9


@dataclasses.dataclass(frozen=True)
class BroncoRules(PuzzleRules):
    """The rules of Bronco."""

    game: ClassVar[str] = "bronco"
    limits: ClassVar[tuple[int, int]] = (STRAIGHT, STRAIGHT)  # P8
