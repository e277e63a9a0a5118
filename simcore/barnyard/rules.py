"""The rulebook of Barnyard Swap as typed, validated data (clauses B1-B18)."""

import dataclasses
from typing import ClassVar

from herdlab.simcore.errors import BadInput
from herdlab.simcore.rules import Rules, reading, rule

SHEEP, PIGS, GOATS, COWS, HORSES = range(5)
ANIMALS = ("sheep", "pigs", "goats", "cows", "horses")
NUMBERS = 10
KINDS = len(ANIMALS) * NUMBERS
"""A farm-animal card is its kind, 10 * animal + number - 1: from 0 to 49."""
DONKEY, WATCHDOG = KINDS, KINDS + 1
"""The wild cards, numbered after the farm animals."""

MIN_PLAYERS, MAX_PLAYERS = 3, 14
_HIGH_SCORE = 60
"""More than a player scores in a session on the average."""
ONE_PACK_PLAYERS, SMALL_HAND_PLAYERS = 7, 7
FEWEST_FOR_TWO_DONKEYS = 4
NO_TARGET = 0
MOST_ROUNDS, MOST_SESSIONS = 1000, 250

SCORE_LOW, SCORE_BINS = -128, 256
"""The histogram of session scores: no score of a session lies outside."""
MATCH_LOW, MATCH_WIDTH, MATCH_BINS = -500, 5, 400
"""The histogram of match totals, for 25 sessions; longer matches have wider bins."""

POINTS_FIRST, POINTS_WHOLE_RUN = 5, 10
POINTS_DONKEY, POINTS_WATCHDOG = -10, 10


@dataclasses.dataclass(frozen=True)
class BarnyardRules(Rules):
    """The rules of Barnyard Swap; every [reading] with a name is a field with its alternatives."""

    game: ClassVar[str] = "barnyard"

    donkeys: int = rule(1, "B1", "Donkeys in a pack; two need four or more players", options=(1, 2))
    runaway_wild: str = reading(
        "out",
        "B3",
        "a wild card laid aside as the runaway is out of play, or put under and drawn again",
        alternatives=("out", "redraw"),
    )
    discard_wild: bool = rule(False, "B9", "Donkey and Watchdog may be discarded")
    recycle: str = reading(
        "shuffled",
        "B10",
        "how the pile of discards is drawn from: shuffled, oldest on top, or newest on top",
        alternatives=("shuffled", "turned", "as_is"),
    )
    max_rounds: int = rule(
        200, "B13", "rounds after which a session stalls", low=1, high=MOST_ROUNDS
    )
    collecting: str = reading(
        "best",
        "B15",
        "the animal a player collects: that of his highest sum, or the one his strategy says",
        alternatives=("best", "declared"),
    )
    sessions: int = rule(4, "B18", "sessions of a match", low=1, high=MOST_SESSIONS)
    target: int = rule(
        NO_TARGET,
        "B18",
        "play to this total, such as 150 or 200; 0: play a number of sessions",
        low=0,
        high=10_000,
    )
    max_sessions: int = rule(
        100, "B18", "sessions after which a match to a target ends", low=1, high=MOST_SESSIONS
    )

    def check_players(self, n_players: int) -> None:
        """B1: refuse two Donkeys with fewer than four players."""
        if self.donkeys > 1 and n_players < FEWEST_FOR_TWO_DONKEYS:
            raise BadInput(
                f"rule donkeys (B1) can be {self.donkeys} only with "
                f"{FEWEST_FOR_TWO_DONKEYS} or more players, and there are {n_players}"
            )

    @property
    def match_scale(self) -> int:
        """How many times wider the bins of match totals are, for all totals to lie within."""
        highest = self.sessions * _HIGH_SCORE
        if self.target != NO_TARGET:
            highest = self.target + 2 * _HIGH_SCORE
        return max(1, -(-highest // (MATCH_LOW + MATCH_WIDTH * MATCH_BINS)))

    def deck(self, n_players: int) -> tuple[int, ...]:
        """B1, B2: return the cards, in the order in which the packs are stacked."""
        pack = (*range(KINDS), *[DONKEY] * self.donkeys, WATCHDOG)
        return pack * packs(n_players)


def packs(n_players: int) -> int:
    """B2: return how many packs are shuffled together."""
    return 1 if n_players <= ONE_PACK_PLAYERS else 2


def hand_size(n_players: int) -> int:
    """B2: return how many cards each player holds."""
    return 6 if n_players == SMALL_HAND_PLAYERS else 7
