"""Dealing, drawing and reshuffling the piles of SWAP! (S2, S5, S11)."""

import numpy as np
import numpy.typing as npt
from numba import int64, uint64

from herdlab.simcore._jit import inlined, inner_as
from herdlab.simcore.piles import take
from herdlab.simcore.rng import GAMMA, mix64
from herdlab.simcore.swap.book import (
    DECK,
    DECK_SIZE,
    HAND_SIZE,
    START_DISCARDS,
    START_DISCARDS_AT,
    START_FIXED,
    START_FIXED_AT,
    START_HANDS,
    START_LOOSE,
    START_LOOSE_AT,
    START_WHO,
)
from herdlab.simcore.swap.cards import CARD_WORD, count_of
from herdlab.simcore.swap.rules import SWAP_CARD
from herdlab.simcore.swap.view import (
    AHEAD_AT,
    COUNT_DRAWN,
    COUNT_RESHUFFLES,
    DEAL_AT,
    DISCARDS,
    FIXED,
    FIXED_AT,
    HANDS,
    LOOSE,
    N_LOOSE,
    NONE,
    SEEN_CARDS,
    SEEN_DISCARDS,
    SEEN_PILE,
    SEEN_TOP,
    SEEN_WHO,
)
from herdlab.simcore.table import Ints

Streams = npt.NDArray[np.uint64]

CARD_BITS = 31  # tells the compiler that a card is not negative


@inlined
def take_next(loose: int, memory: Ints, streams: Streams) -> int:
    """Take a card from the shuffled part, which has `loose` cards."""
    bits = streams[AHEAD_AT]
    position = streams[DEAL_AT] + GAMMA
    streams[DEAL_AT] = position
    streams[AHEAD_AT] = mix64(position)
    return take(LOOSE, loose, bits, memory) & CARD_BITS


@inner_as(int64(int64[::1], uint64[::1]))
def draw(memory: Ints, streams: Streams) -> int:
    """Draw a card; return NONE if there is none to draw.

    S11: when the pile is empty, the discards under the top card are shuffled into a new one.
    """
    if memory[SEEN_PILE] == 0:
        under = memory[SEEN_DISCARDS] - 1
        if under == 0:
            return NONE
        for place in range(under):
            memory[LOOSE + place] = memory[DISCARDS + place]
        memory[DISCARDS] = memory[DISCARDS + under]
        memory[SEEN_DISCARDS] = 1
        memory[SEEN_PILE] = memory[N_LOOSE] = under
        memory[COUNT_RESHUFFLES] += 1
    memory[SEEN_PILE] -= 1
    memory[COUNT_DRAWN] += 1
    loose = memory[N_LOOSE]
    if loose > 0:
        memory[N_LOOSE] = loose - 1
        return take_next(loose, memory, streams)
    card = memory[FIXED + memory[FIXED_AT]]
    memory[FIXED_AT] += 1
    return card


@inlined
def draw_into_hand(place: int, memory: Ints, streams: Streams) -> int:
    """Draw a card into the hand at `place`; return it, or NONE."""
    card = draw(memory, streams)
    if card != NONE:
        memory[HANDS + place] += CARD_WORD[card]
        memory[SEEN_CARDS + place] += 1
    return card


@inlined
def deal(players: int, book: Ints, memory: Ints, streams: Streams) -> None:
    """S2: deal the hands, one card at a time from seat 0 on, and turn up a card to start."""
    loose = book[DECK_SIZE]
    for place in range(loose):
        memory[LOOSE + place] = book[DECK + place]
    for place in range(players):
        memory[HANDS + place] = 0
        memory[SEEN_CARDS + place] = book[HAND_SIZE]
        memory[SEEN_WHO + place] = place
    for _ in range(book[HAND_SIZE]):
        for place in range(players):
            memory[HANDS + place] += CARD_WORD[take_next(loose, memory, streams)]
            loose -= 1
    memory[DISCARDS] = memory[SEEN_TOP] = take_next(loose, memory, streams)
    memory[SEEN_DISCARDS] = 1
    memory[N_LOOSE] = memory[SEEN_PILE] = loose - 1
    memory[FIXED_AT] = 0


@inlined
def lay_out_start(players: int, book: Ints, memory: Ints) -> None:
    """Lay out the hands and piles of the position that the game begins from."""
    for place in range(players):
        hand = book[START_HANDS + place]
        n_cards = 0
        for card in range(SWAP_CARD + 1):
            n_cards += count_of(hand, card)
        memory[HANDS + place], memory[SEEN_CARDS + place] = hand, n_cards
        memory[SEEN_WHO + place] = book[START_WHO + place]
    for at in range(book[START_LOOSE]):
        memory[LOOSE + at] = book[START_LOOSE_AT + at]
    for at in range(book[START_FIXED]):
        memory[FIXED + at] = book[START_FIXED_AT + at]
    for at in range(book[START_DISCARDS]):
        memory[DISCARDS + at] = book[START_DISCARDS_AT + at]
    memory[SEEN_DISCARDS] = book[START_DISCARDS]
    memory[SEEN_TOP] = memory[DISCARDS + book[START_DISCARDS] - 1]
    memory[N_LOOSE] = book[START_LOOSE]
    memory[SEEN_PILE] = book[START_LOOSE] + book[START_FIXED]
    memory[FIXED_AT] = 0
