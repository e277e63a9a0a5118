"""Hands and piles of Barnyard Swap: dealing, drawing, turning over (B3, B9, B10)."""

from herdlab.simcore._jit import inlined
from herdlab.simcore.barnyard.cards import with_card, without_card
from herdlab.simcore.barnyard.view import BOOK, CARDS, DEAL_AT, ROOM, SHUFFLED, STATE, TURNED
from herdlab.simcore.piles import copy_words, left_of, take
from herdlab.simcore.rng import GAMMA, Luck, mix64
from herdlab.simcore.table import Ints


@inlined
def put_into_hand(card: int, seat: int, memory: Ints) -> None:
    """Add a card to the hand of `seat`."""
    hand, twice = with_card(memory[STATE.hands + seat], memory[STATE.twice + seat], card)
    memory[STATE.hands + seat], memory[STATE.twice + seat] = hand, twice


@inlined
def take_from_hand(card: int, seat: int, memory: Ints) -> None:
    """Take a card from the hand of `seat`."""
    hand, twice = without_card(memory[STATE.hands + seat], memory[STATE.twice + seat], card)
    memory[STATE.hands + seat], memory[STATE.twice + seat] = hand, twice


@inlined
def exchange(given: int, got: int, seat: int, memory: Ints) -> None:
    """Take a card from the hand of `seat`, and add another."""
    hand, twice = without_card(memory[STATE.hands + seat], memory[STATE.twice + seat], given)
    memory[STATE.hands + seat], memory[STATE.twice + seat] = with_card(hand, twice, got)


@inlined
def deal(first: int, players: int, book: Ints, memory: Ints, streams: Luck) -> int:
    """B3: deal the hands, one card at a time from the first swapper on; return what is left."""
    loose = book[BOOK.deck_size]
    copy_words(loose, book, BOOK.deck, memory, STATE.loose)
    for seat in range(players):
        memory[STATE.hands + seat] = 0
        memory[STATE.twice + seat] = 0
    position = streams[DEAL_AT]
    for _ in range(book[BOOK.hand_size]):
        seat = first
        for _ in range(players):
            position += GAMMA
            put_into_hand(take(STATE.loose, loose, mix64(position), memory), seat, memory)
            loose -= 1
            seat = left_of(seat, 1, players)
    streams[DEAL_AT] = position
    return loose


@inlined
def lay_out_start(book: Ints, memory: Ints) -> None:
    """Lay out the hands and piles of the position that the match begins from."""
    copy_words(2 * ROOM, book, BOOK.start_hands, memory, STATE.hands)
    copy_words(3 * CARDS, book, BOOK.start_loose, memory, STATE.loose)


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
