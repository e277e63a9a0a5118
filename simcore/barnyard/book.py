"""The rules and the position to start from, as the loop of Barnyard Swap reads them."""

import numpy as np
import numpy.typing as npt

from herdlab.simcore.barnyard.rules import NO_TARGET, BarnyardRules, hand_size
from herdlab.simcore.barnyard.view import CARDS, ROOM

(
    HAND_SIZE,
    DECK_SIZE,
    REDRAW,
    DISCARD_WILD,
    RECYCLE,
    MAX_ROUNDS,
    DECLARED,
    SESSIONS,
    TARGET,
    MATCH_SCALE,
    HAS_START,
    START_SESSION,
    START_TURN,
    START_RUNAWAY,
    START_LOOSE,
    START_FIXED,
    START_PILE,
) = range(17)
"""The last three: how many cards there are of each."""
START_TOTALS = 17
START_HANDS = START_TOTALS + ROOM
START_TWICE = START_HANDS + ROOM
DECK = START_TWICE + ROOM
START_LOOSE_AT = DECK + CARDS
START_FIXED_AT = START_LOOSE_AT + CARDS
START_PILE_AT = START_FIXED_AT + CARDS
BOOK_SIZE = START_PILE_AT + CARDS

SHUFFLED, TURNED, AS_IS = range(3)
_RECYCLE = ("shuffled", "turned", "as_is")


def write_rules(rules: BarnyardRules, players: int) -> npt.NDArray[np.int64]:
    """Return the book of a match that begins with the deal."""
    book = np.zeros(BOOK_SIZE, dtype=np.int64)
    deck = rules.deck(players)
    book[HAND_SIZE], book[DECK_SIZE] = hand_size(players), len(deck)
    book[REDRAW] = rules.runaway_wild == "redraw"
    book[DISCARD_WILD] = rules.discard_wild
    book[RECYCLE] = _RECYCLE.index(rules.recycle)
    book[MAX_ROUNDS] = rules.max_rounds
    book[DECLARED] = rules.collecting == "declared"
    book[SESSIONS] = rules.sessions if rules.target == NO_TARGET else rules.max_sessions
    book[TARGET] = rules.target
    book[MATCH_SCALE] = rules.match_scale
    book[DECK : DECK + len(deck)] = deck
    return book
