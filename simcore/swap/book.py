"""The rules and the position to start from, as the loop of SWAP! reads them."""

import numpy as np
import numpy.typing as npt

from herdlab.simcore.swap.rules import SwapRules
from herdlab.simcore.swap.view import CARDS, ROOM

(
    DECK_SIZE,
    HAND_SIZE,
    PLAYS_ON,
    MAX_TURNS,
    FALSE_SLAPS,
    SWAP_SEATS,
    NEXT_BY_PLAYER,
    ALL_WEIGHTS,
    HAS_START,
    START_PLACE,
    START_TURN,
    START_COLOUR,
    START_LOOSE,
    START_FIXED,
    START_DISCARDS,
) = range(15)
"""FALSE_SLAPS: the rate in 2**-32.  The last three: how many cards there are of each."""
WEIGHTS = 16
"""By player: how likely he is to be the last to slap, in parts of ALL_WEIGHTS."""
START_HANDS = WEIGHTS + ROOM
START_WHO = START_HANDS + ROOM
DECK = START_WHO + ROOM
START_LOOSE_AT = DECK + CARDS
START_FIXED_AT = START_LOOSE_AT + CARDS
START_DISCARDS_AT = START_FIXED_AT + CARDS
BOOK_SIZE = START_DISCARDS_AT + CARDS

_SLOWEST_WEIGHT = 1 << 27


def write_rules(rules: SwapRules, players: int) -> npt.NDArray[np.int64]:
    """Return the book of a game that begins with the deal."""
    book = np.zeros(BOOK_SIZE, dtype=np.int64)
    deck, speeds = rules.deck(), rules.speeds(players)
    book[DECK_SIZE], book[HAND_SIZE] = len(deck), rules.cards
    book[PLAYS_ON] = rules.slap_empties == "plays_on"
    book[MAX_TURNS] = rules.max_turns
    book[FALSE_SLAPS] = round(rules.false_slap_rate * 2**32)
    book[SWAP_SEATS] = rules.swap_seats
    book[NEXT_BY_PLAYER] = rules.seat_next == "player"
    weights = [max(1, round(_SLOWEST_WEIGHT * min(speeds) / speed)) for speed in speeds]
    book[WEIGHTS : WEIGHTS + players] = weights
    book[ALL_WEIGHTS] = sum(weights)
    book[DECK : DECK + len(deck)] = deck
    return book
