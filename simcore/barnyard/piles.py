"""Dealing, drawing and turning the piles of Barnyard Swap over (B3, B9, B10)."""

import numpy as np
import numpy.typing as npt

from herdlab.simcore._jit import inlined
from herdlab.simcore.barnyard.book import BOOK, SHUFFLED, TURNED
from herdlab.simcore.barnyard.cards import with_card
from herdlab.simcore.barnyard.view import DEAL_AT, STATE
from herdlab.simcore.piles import left_of, take
from herdlab.simcore.rng import GAMMA, mix64
from herdlab.simcore.table import Ints


@inlined
def deal(
    first: int, players: int, book: Ints, memory: Ints, streams: npt.NDArray[np.uint64]
) -> int:
    """B3: deal the hands, one card at a time from the first swapper on; return what is left."""
    loose = book[BOOK.deck_size]
    for place in range(loose):
        memory[STATE.loose + place] = book[BOOK.deck + place]
    for seat in range(players):
        memory[STATE.hands + seat] = 0
        memory[STATE.twice + seat] = 0
    position = streams[DEAL_AT]
    for _ in range(book[BOOK.hand_size]):
        seat = first
        for _ in range(players):
            position += GAMMA
            card = take(STATE.loose, loose, mix64(position), memory)
            loose -= 1
            hand, twice = with_card(memory[STATE.hands + seat], memory[STATE.twice + seat], card)
            memory[STATE.hands + seat], memory[STATE.twice + seat] = hand, twice
            seat = left_of(seat, 1, players)
    streams[DEAL_AT] = position
    return loose


@inlined
def lay_out_start(players: int, book: Ints, memory: Ints) -> None:
    """Lay out the hands and piles of the position that the match begins from."""
    for seat in range(players):
        memory[STATE.hands + seat] = book[BOOK.start_hands + seat]
        memory[STATE.twice + seat] = book[BOOK.start_twice + seat]
    for place in range(book[BOOK.n_loose]):
        memory[STATE.loose + place] = book[BOOK.start_loose + place]
    for place in range(book[BOOK.n_fixed]):
        memory[STATE.fixed + place] = book[BOOK.start_fixed + place]
    for place in range(book[BOOK.n_pile]):
        memory[STATE.pile + place] = book[BOOK.start_pile + place]


@inlined
def turn_over(pile: int, how: int, memory: Ints) -> tuple[int, int]:
    """B10: the discards become the barnyard; return how many are shuffled and how many fixed."""
    for place in range(pile):
        card = memory[STATE.pile + place]
        if how == SHUFFLED:
            memory[STATE.loose + place] = card
        elif how == TURNED:
            memory[STATE.fixed + place] = card
        else:
            memory[STATE.fixed + pile - 1 - place] = card
    return (pile, 0) if how == SHUFFLED else (0, pile)
