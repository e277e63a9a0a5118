"""A table of SWAP!: the position to start from, and what a batch needs to set it up."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from herdlab.simcore.errors import BadInput, check_below
from herdlab.simcore.piles import unplaced, write_cards
from herdlab.simcore.swap.asking import MOVES_SIZE, tabulate
from herdlab.simcore.swap.cards import CARD_WORD, MASK, SHIFT
from herdlab.simcore.swap.engine import play_games
from herdlab.simcore.swap.rules import COLOURED_KINDS, COLOURS, KINDS, N_CARDS, SWAP_CARD, SwapRules
from herdlab.simcore.swap.view import BOOK, CHOOSE, LOG_COLUMNS, MEMORY_SIZE, NONE, SEEN, STREAMS
from herdlab.simcore.table import aligned_zeros

__all__ = ["CHOOSE", "LOG_COLUMNS", "MOVES_SIZE", "STREAMS", "play_games", "tabulate"]


@dataclass(frozen=True, slots=True)
class Position:
    """Where a game stands at the beginning of a turn; it can be played on from here."""

    hands: tuple[tuple[int, ...], ...]
    """For each place its cards: 4 * colour + kind, or SWAP_CARD."""
    discards: tuple[int, ...]
    """The discard pile, its top card last."""
    colour: int
    """The colour in force."""
    pile: tuple[int, ...] = ()
    """Cards in a known order, the first drawn first; what the position does not place of the deck
    lies shuffled on top of them."""
    place: int = 0
    """Whose turn it is."""
    turn: int = 0
    """Turns finished so far."""
    who: tuple[int, ...] = ()
    """Which player sits at each place; () for everybody in his own."""


def card_name(card: int) -> str:
    """Return ``blue SLAP``, ``red plain``, ``SWAP``."""
    if card == SWAP_CARD:
        return "SWAP"
    return f"{COLOURS[card // COLOURED_KINDS]} {KINDS[card % COLOURED_KINDS]}"


_FIELDS = tuple((card, int(SHIFT[card]), int(MASK[card])) for card in range(N_CARDS))


def pack(cards: Iterable[int]) -> int:
    """Return a hand as its word."""
    return sum(int(CARD_WORD[card]) for card in cards)


def unpack(hand: int) -> tuple[int, ...]:
    """Return the cards of a hand in the deck's order."""
    return tuple(card for card, shift, mask in _FIELDS for _ in range(hand >> shift & mask))


def left_over(rules: SwapRules, position: Position) -> list[int]:
    """S1: return the cards of the deck that the position does not place; refuse what it lacks."""
    placed = [card for hand in position.hands for card in hand]
    placed += [*position.discards, *position.pile]
    return unplaced(rules.deck(), placed, card_name, "S1")


def check_position(rules: SwapRules, position: Position) -> None:
    """Refuse a position that breaks a clause, with its number.

    Any colour may be in force, whatever card is on top: so tests and advice can ask "what if".
    """
    players = len(position.hands)
    for place, hand in enumerate(position.hands):
        if not hand:
            raise BadInput(f"place {place} has no cards: the game is over (S10)")
    if not position.discards:
        raise BadInput("the discard pile must have a top card (S2)")
    left_over(rules, position)
    if not 0 <= position.colour < len(COLOURS):
        raise BadInput(f"colour must be from 0 to {len(COLOURS) - 1}, and got {position.colour}")
    if not 0 <= position.place < players:
        raise BadInput(f"place {position.place} cannot be to move at a table of {players} (S3)")
    if position.who and not rules.swap_seats and position.who != tuple(range(players)):
        raise BadInput("everybody sits in his own place unless swap_seats is true (S14)")
    if position.who and sorted(position.who) != list(range(players)):
        raise BadInput(f"who must seat each of {players} players once, and got {position.who}")
    check_below("turn", position.turn, rules.max_turns, "S12")


_SLOWEST_WEIGHT = 1 << 27


def make_book(rules: SwapRules, players: int, start: Position | None) -> npt.NDArray[np.int64]:
    """Return the rules and the position to start from (default: the deal) for the loop."""
    book = np.zeros(BOOK.end, dtype=np.int64)
    speeds = rules.speeds(players)
    write_cards(rules.deck(), BOOK.deck_size, BOOK.deck, book)
    book[BOOK.hand_size] = rules.cards
    book[BOOK.plays_on] = rules.slap_empties == "plays_on"
    book[BOOK.max_turns] = rules.max_turns
    book[BOOK.false_slaps] = round(rules.false_slap_rate * 2**32)
    book[BOOK.swap_seats] = rules.swap_seats
    book[BOOK.next_by_player] = rules.seat_next == "player"
    weights = [max(1, round(_SLOWEST_WEIGHT * min(speeds) / speed)) for speed in speeds]
    book[BOOK.weights : BOOK.weights + players] = weights
    book[BOOK.all_weights] = sum(weights)
    if start is None:
        return book
    if len(start.hands) != players:
        raise BadInput(f"the position has {len(start.hands)} hands for {players} players")
    check_position(rules, start)
    book[BOOK.has_start], book[BOOK.start_place], book[BOOK.start_turn] = 1, start.place, start.turn
    book[BOOK.start_colour] = start.colour
    for place, cards in enumerate(start.hands):
        book[BOOK.start_hands + place] = pack(cards)
        book[BOOK.start_who + place] = start.who[place] if start.who else place
    write_cards(left_over(rules, start), BOOK.n_loose, BOOK.start_loose, book)
    write_cards(start.pile, BOOK.n_fixed, BOOK.start_fixed, book)
    write_cards(start.discards, BOOK.n_discards, BOOK.start_discards, book)
    return book


def new_memory(rules: SwapRules, players: int) -> npt.NDArray[np.int64]:
    """Return a thread's working memory, with the parts of the view that never change."""
    memory = aligned_zeros(MEMORY_SIZE, np.int64)
    memory[SEEN.players] = players
    for place in (SEEN.barred, SEEN.happened_to, SEEN.detail_1, SEEN.detail_2):
        memory[place] = NONE
    return memory
