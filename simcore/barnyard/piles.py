"""Dealing, drawing and turning the piles of Barnyard Swap over (B3, B9, B10)."""

import numpy as np
import numpy.typing as npt

from herdlab.simcore._jit import inlined
from herdlab.simcore.barnyard.book import (
    DECK,
    DECK_SIZE,
    HAND_SIZE,
    SHUFFLED,
    START_FIXED,
    START_FIXED_AT,
    START_HANDS,
    START_LOOSE,
    START_LOOSE_AT,
    START_PILE,
    START_PILE_AT,
    START_TWICE,
    TURNED,
)
from herdlab.simcore.barnyard.cards import with_card
from herdlab.simcore.barnyard.view import DEAL_AT, FIXED, HANDS, LOOSE, PILE, TWICE
from herdlab.simcore.piles import left_of, take
from herdlab.simcore.rng import GAMMA, mix64
from herdlab.simcore.table import Ints


@inlined
def deal(
    first: int, players: int, book: Ints, memory: Ints, streams: npt.NDArray[np.uint64]
) -> int:
    """B3: deal the hands, one card at a time from the first swapper on; return what is left."""
    loose = book[DECK_SIZE]
    for place in range(loose):
        memory[LOOSE + place] = book[DECK + place]
    for seat in range(players):
        memory[HANDS + seat] = 0
        memory[TWICE + seat] = 0
    position = streams[DEAL_AT]
    for _ in range(book[HAND_SIZE]):
        seat = first
        for _ in range(players):
            position += GAMMA
            card = take(LOOSE, loose, mix64(position), memory)
            loose -= 1
            hand, twice = with_card(memory[HANDS + seat], memory[TWICE + seat], card)
            memory[HANDS + seat], memory[TWICE + seat] = hand, twice
            seat = left_of(seat, 1, players)
    streams[DEAL_AT] = position
    return loose


@inlined
def lay_out_start(players: int, book: Ints, memory: Ints) -> None:
    """Lay out the hands and piles of the position that the match begins from."""
    for seat in range(players):
        memory[HANDS + seat] = book[START_HANDS + seat]
        memory[TWICE + seat] = book[START_TWICE + seat]
    for place in range(book[START_LOOSE]):
        memory[LOOSE + place] = book[START_LOOSE_AT + place]
    for place in range(book[START_FIXED]):
        memory[FIXED + place] = book[START_FIXED_AT + place]
    for place in range(book[START_PILE]):
        memory[PILE + place] = book[START_PILE_AT + place]


@inlined
def turn_over(pile: int, how: int, memory: Ints) -> tuple[int, int]:
    """B10: the discards become the barnyard; return how many are shuffled and how many fixed."""
    for place in range(pile):
        card = memory[PILE + place]
        if how == SHUFFLED:
            memory[LOOSE + place] = card
        elif how == TURNED:
            memory[FIXED + place] = card
        else:
            memory[FIXED + pile - 1 - place] = card
    return (pile, 0) if how == SHUFFLED else (0, pile)
