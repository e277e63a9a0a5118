"""Dealing, drawing and reshuffling the piles of SWAP! (S2, S5, S11)."""

import numpy as np
import numpy.typing as npt
from numba import int64, uint64

from herdlab.simcore._jit import inlined, inner_as
from herdlab.simcore.piles import take
from herdlab.simcore.rng import GAMMA, mix64
from herdlab.simcore.swap.book import BOOK
from herdlab.simcore.swap.cards import CARD_WORD, count_of
from herdlab.simcore.swap.rules import SWAP_CARD
from herdlab.simcore.swap.view import AHEAD_AT, DEAL_AT, NONE, SEEN, STATE
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
    return take(STATE.loose, loose, bits, memory) & CARD_BITS


@inner_as(int64(int64[::1], uint64[::1]))
def draw(memory: Ints, streams: Streams) -> int:
    """Draw a card; return NONE if there is none to draw.

    S11: when the pile is empty, the discards under the top card are shuffled into a new one.
    """
    if memory[SEEN.pile] == 0:
        under = memory[SEEN.discards] - 1
        if under == 0:
            return NONE
        for place in range(under):
            memory[STATE.loose + place] = memory[STATE.discards + place]
        memory[STATE.discards] = memory[STATE.discards + under]
        memory[SEEN.discards] = 1
        memory[SEEN.pile] = memory[STATE.n_loose] = under
        memory[STATE.reshuffles] += 1
    memory[SEEN.pile] -= 1
    memory[STATE.drawn] += 1
    loose = memory[STATE.n_loose]
    if loose > 0:
        memory[STATE.n_loose] = loose - 1
        return take_next(loose, memory, streams)
    card = memory[STATE.fixed + memory[STATE.fixed_at]]
    memory[STATE.fixed_at] += 1
    return card


@inlined
def draw_into_hand(place: int, memory: Ints, streams: Streams) -> int:
    """Draw a card into the hand at `place`; return it, or NONE."""
    card = draw(memory, streams)
    if card != NONE:
        memory[STATE.hands + place] += CARD_WORD[card]
        memory[SEEN.cards + place] += 1
    return card


@inlined
def deal(players: int, book: Ints, memory: Ints, streams: Streams) -> None:
    """S2: deal the hands, one card at a time from seat 0 on, and turn up a card to start."""
    loose = book[BOOK.deck_size]
    for place in range(loose):
        memory[STATE.loose + place] = book[BOOK.deck + place]
    for place in range(players):
        memory[STATE.hands + place] = 0
        memory[SEEN.cards + place] = book[BOOK.hand_size]
        memory[SEEN.who + place] = place
    for _ in range(book[BOOK.hand_size]):
        for place in range(players):
            memory[STATE.hands + place] += CARD_WORD[take_next(loose, memory, streams)]
            loose -= 1
    memory[STATE.discards] = memory[SEEN.top] = take_next(loose, memory, streams)
    memory[SEEN.discards] = 1
    memory[STATE.n_loose] = memory[SEEN.pile] = loose - 1
    memory[STATE.fixed_at] = 0


@inlined
def lay_out_start(players: int, book: Ints, memory: Ints) -> None:
    """Lay out the hands and piles of the position that the game begins from."""
    for place in range(players):
        hand = book[BOOK.start_hands + place]
        n_cards = 0
        for card in range(SWAP_CARD + 1):
            n_cards += count_of(hand, card)
        memory[STATE.hands + place], memory[SEEN.cards + place] = hand, n_cards
        memory[SEEN.who + place] = book[BOOK.start_who + place]
    for at in range(book[BOOK.n_loose]):
        memory[STATE.loose + at] = book[BOOK.start_loose + at]
    for at in range(book[BOOK.n_fixed]):
        memory[STATE.fixed + at] = book[BOOK.start_fixed + at]
    for at in range(book[BOOK.n_discards]):
        memory[STATE.discards + at] = book[BOOK.start_discards + at]
    memory[SEEN.discards] = book[BOOK.n_discards]
    memory[SEEN.top] = memory[STATE.discards + book[BOOK.n_discards] - 1]
    memory[STATE.n_loose] = book[BOOK.n_loose]
    memory[SEEN.pile] = book[BOOK.n_loose] + book[BOOK.n_fixed]
    memory[STATE.fixed_at] = 0
