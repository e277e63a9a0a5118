"""Hands and piles of SWAP!: dealing, drawing, reshuffling (S2, S5, S11)."""

from numba import int64, uint64

from herdlab.simcore._jit import inlined, inner_as
from herdlab.simcore.piles import copy_words, take
from herdlab.simcore.rng import GAMMA, Luck, mix64
from herdlab.simcore.swap.asking import tell
from herdlab.simcore.swap.cards import CARD_WORD, count_of
from herdlab.simcore.swap.rules import SWAP_CARD
from herdlab.simcore.swap.view import AHEAD_AT, BOOK, CARDS, DEAL_AT, NONE, RESHUFFLED, SEEN, STATE
from herdlab.simcore.table import Ints, Table

CARD_BITS = 31  # tells the compiler that a card is not negative


@inlined
def put_into_hand(card: int, place: int, memory: Ints) -> None:
    """Add a card to the hand at `place`."""
    memory[STATE.hands + place] += CARD_WORD[card]
    memory[SEEN.cards + place] += 1


@inlined
def take_from_hand(card: int, place: int, memory: Ints) -> None:
    """Take a card from the hand at `place`."""
    memory[STATE.hands + place] -= CARD_WORD[card]
    memory[SEEN.cards + place] -= 1


@inlined
def take_next(loose: int, memory: Ints, streams: Luck) -> int:
    """Take a card from the shuffled part, which has `loose` cards."""
    bits = streams[AHEAD_AT]
    streams[DEAL_AT] += GAMMA
    streams[AHEAD_AT] = mix64(streams[DEAL_AT])
    return take(STATE.loose, loose, bits, memory) & CARD_BITS


@inner_as(int64(int64[::1]))
def reshuffle(memory: Ints) -> int:
    """S11: shuffle the discards under the top card into a new pile; return how many they are."""
    under = memory[SEEN.discards] - 1
    if under > 0:
        copy_words(under, memory, STATE.discards, memory, STATE.loose)
        memory[STATE.discards] = memory[STATE.discards + under]
        memory[SEEN.discards] = 1
        memory[SEEN.pile] = memory[STATE.n_loose] = under
        memory[STATE.reshuffles] += 1
    return under


@inner_as(int64(int64[::1], uint64[::1]))
def take_top(memory: Ints, streams: Luck) -> int:
    """Take the top card of the pile, which has one."""
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
def draw(place: int, table: Table) -> int:
    """S5, S11: draw a card for `place`, of a new pile if need be; return it, or NONE."""
    if table.memory[SEEN.pile] == 0:
        left = reshuffle(table.memory)
        if left == 0:
            return NONE
        tell(RESHUFFLED, place, left, NONE, table)
    return take_top(table.memory, table.streams)


@inlined
def draw_into_hand(place: int, table: Table) -> int:
    """Draw a card into the hand at `place`; return it, or NONE."""
    card = draw(place, table)
    if card != NONE:
        put_into_hand(card, place, table.memory)
    return card


@inlined
def deal(players: int, book: Ints, memory: Ints, streams: Luck) -> None:
    """S2: deal the hands, one card at a time from seat 0 on, and turn up a card to start."""
    loose = book[BOOK.deck_size]
    copy_words(loose, book, BOOK.deck, memory, STATE.loose)
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
    copy_words(players, book, BOOK.start_hands, memory, STATE.hands)
    copy_words(players, book, BOOK.start_who, memory, SEEN.who)
    for place in range(players):
        memory[SEEN.cards + place] = 0
        for card in range(SWAP_CARD + 1):
            memory[SEEN.cards + place] += count_of(memory[STATE.hands + place], card)
    copy_words(3 * CARDS, book, BOOK.start_loose, memory, STATE.loose)
    memory[SEEN.discards] = book[BOOK.n_discards]
    memory[SEEN.top] = memory[STATE.discards + book[BOOK.n_discards] - 1]
    memory[STATE.n_loose] = book[BOOK.n_loose]
    memory[SEEN.pile] = book[BOOK.n_loose] + book[BOOK.n_fixed]
    memory[STATE.fixed_at] = 0
