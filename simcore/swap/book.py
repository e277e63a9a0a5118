"""The rules and the position to start from, as the loop of SWAP! reads them."""

import numpy as np
import numpy.typing as npt

from herdlab.simcore.swap.rules import SwapRules
from herdlab.simcore.swap.view import CARDS, ROOM
from herdlab.simcore.window import Places

BOOK = Places(
    0,
    *("deck_size", "hand_size", "plays_on", "max_turns", "swap_seats", "next_by_player"),
    "false_slaps",  # the rate in 2**-32
    "all_weights",
    *("has_start", "start_place", "start_turn", "start_colour"),
    *("n_loose", "n_fixed", "n_discards"),
    weights=ROOM,  # by player: how likely he is to be the last to slap, in parts of all_weights
    start_hands=ROOM,
    start_who=ROOM,
    deck=CARDS,
    start_loose=CARDS,
    start_fixed=CARDS,
    start_discards=CARDS,
)
_SLOWEST_WEIGHT = 1 << 27


def write_rules(rules: SwapRules, players: int) -> npt.NDArray[np.int64]:
    """Return the book of a game that begins with the deal."""
    book = np.zeros(BOOK.end, dtype=np.int64)
    deck, speeds = rules.deck(), rules.speeds(players)
    book[BOOK.deck_size], book[BOOK.hand_size] = len(deck), rules.cards
    book[BOOK.plays_on] = rules.slap_empties == "plays_on"
    book[BOOK.max_turns] = rules.max_turns
    book[BOOK.false_slaps] = round(rules.false_slap_rate * 2**32)
    book[BOOK.swap_seats] = rules.swap_seats
    book[BOOK.next_by_player] = rules.seat_next == "player"
    weights = [max(1, round(_SLOWEST_WEIGHT * min(speeds) / speed)) for speed in speeds]
    book[BOOK.weights : BOOK.weights + players] = weights
    book[BOOK.all_weights] = sum(weights)
    book[BOOK.deck : BOOK.deck + len(deck)] = deck
    return book
