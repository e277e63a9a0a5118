"""The rules and the position to start from, as the loop of Barnyard Swap reads them."""

import numpy as np
import numpy.typing as npt

from herdlab.simcore.barnyard.rules import NO_TARGET, BarnyardRules, hand_size
from herdlab.simcore.barnyard.view import CARDS, ROOM
from herdlab.simcore.window import Places

BOOK = Places(
    0,
    *("hand_size", "deck_size", "redraw", "discard_wild", "recycle", "max_rounds", "declared"),
    *("sessions", "target", "match_scale"),
    *("has_start", "start_session", "start_turn", "start_runaway"),
    *("n_loose", "n_fixed", "n_pile"),
    start_totals=ROOM,
    start_hands=ROOM,
    start_twice=ROOM,
    deck=CARDS,
    start_loose=CARDS,
    start_fixed=CARDS,
    start_pile=CARDS,
)
SHUFFLED, TURNED, AS_IS = range(3)
_RECYCLE = ("shuffled", "turned", "as_is")


def write_rules(rules: BarnyardRules, players: int) -> npt.NDArray[np.int64]:
    """Return the book of a match that begins with the deal."""
    book = np.zeros(BOOK.end, dtype=np.int64)
    deck = rules.deck(players)
    book[BOOK.hand_size], book[BOOK.deck_size] = hand_size(players), len(deck)
    book[BOOK.redraw] = rules.runaway_wild == "redraw"
    book[BOOK.discard_wild] = rules.discard_wild
    book[BOOK.recycle] = _RECYCLE.index(rules.recycle)
    book[BOOK.max_rounds] = rules.max_rounds
    book[BOOK.declared] = rules.collecting == "declared"
    book[BOOK.sessions] = rules.sessions if rules.target == NO_TARGET else rules.max_sessions
    book[BOOK.target] = rules.target
    book[BOOK.match_scale] = rules.match_scale
    book[BOOK.deck : BOOK.deck + len(deck)] = deck
    return book
