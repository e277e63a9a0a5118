"""A table of Barnyard Swap: the position to start from, and what a batch needs to set it up."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from herdlab.simcore.barnyard import view
from herdlab.simcore.barnyard.cards import DONKEY_BITS, DONKEY_SHIFT, WATCHDOG_BITS, WATCHDOG_SHIFT
from herdlab.simcore.barnyard.engine import play_games
from herdlab.simcore.barnyard.rules import (
    ANIMALS,
    DONKEY,
    KINDS,
    NO_TARGET,
    NUMBERS,
    WATCHDOG,
    BarnyardRules,
    hand_size,
)
from herdlab.simcore.barnyard.view import BOOK, CHOOSE, LOG_COLUMNS, NONE, SEEN, STREAMS
from herdlab.simcore.errors import BadInput, check_below
from herdlab.simcore.piles import unplaced, write_cards
from herdlab.simcore.table import aligned_zeros

__all__ = ["CHOOSE", "LOG_COLUMNS", "STREAMS", "play_games"]

MOVES_SIZE = 0


@dataclass(frozen=True, slots=True)
class Position:
    """Where a match stands at the beginning of a turn; it can be played on from here."""

    hands: tuple[tuple[int, ...], ...]
    """For each seat its cards: kinds, DONKEY, WATCHDOG."""
    runaway: int | None = None
    """None: one of the cards that are left, by luck."""
    barnyard: tuple[int, ...] = ()
    """Cards in a known order, the first drawn first; what the position does not place of the deck
    lies shuffled on top of them."""
    pile: tuple[int, ...] = ()
    """The discards, oldest first."""
    session: int = 0
    turn: int = 0
    """Turns finished in this session: the swapper sits in seat (session + turn) % players."""
    totals: tuple[int, ...] = ()
    """The match totals; () for zero each."""


def card_name(card: int) -> str:
    """Return ``7 pigs``, ``Donkey``."""
    if card >= KINDS:
        return "Donkey" if card == DONKEY else "Watchdog"
    return f"{card % NUMBERS + 1} {ANIMALS[card // NUMBERS]}"


def pack(cards: Iterable[int]) -> tuple[int, int]:
    """Return a hand as its two words."""
    counts = Counter(cards)
    hand = sum(1 << kind for kind in counts if kind < KINDS)
    hand += (counts[DONKEY] << DONKEY_SHIFT) + (counts[WATCHDOG] << WATCHDOG_SHIFT)
    return hand, sum(1 << kind for kind, n in counts.items() if kind < KINDS and n > 1)


def unpack(hand: int, twice: int) -> tuple[int, ...]:
    """Return the cards of a hand in the deck's order."""
    kinds = [k for k in range(KINDS) for word in (hand, twice) if word >> k & 1]
    donkeys = [DONKEY] * (hand >> DONKEY_SHIFT & DONKEY_BITS)
    return (*kinds, *donkeys, *[WATCHDOG] * (hand >> WATCHDOG_SHIFT & WATCHDOG_BITS))


def left_over(rules: BarnyardRules, position: Position) -> list[int]:
    """B1: return the cards of the deck that the position does not place; refuse what it lacks."""
    players = len(position.hands)
    placed = [card for hand in position.hands for card in hand]
    placed += [*position.barnyard, *position.pile]
    placed += [] if position.runaway is None else [position.runaway]
    return unplaced(rules.deck(players), placed, card_name, "B1")


def check_position(rules: BarnyardRules, position: Position) -> None:
    """Refuse a position that cannot come up in a match, with the clause that forbids it."""
    players, size = len(position.hands), hand_size(len(position.hands))
    for seat, hand in enumerate(position.hands):
        if len(hand) != size:
            raise BadInput(f"seat {seat} must hold {size} cards, and has {len(hand)} (B2)")
    left = left_over(rules, position)
    redraws = rules.runaway_wild == "redraw"
    if position.runaway is None and (not left or (redraws and left[0] >= KINDS)):
        raise BadInput("no card is left that could be the runaway (B3)")
    if redraws and position.runaway is not None and position.runaway >= KINDS:
        raise BadInput(f"the {card_name(position.runaway)} would be drawn again (B3)")
    if len(position.totals) not in (0, players):
        raise BadInput(f"there are {players} players and {len(position.totals)} totals (B18)")
    if rules.target != NO_TARGET and max(position.totals, default=0) >= rules.target:
        raise BadInput(f"somebody has reached {rules.target}: the match is over (B18)")
    most = rules.sessions if rules.target == NO_TARGET else rules.max_sessions
    check_below("session", position.session, most, "B18")
    check_below("turn", position.turn, rules.max_rounds * players, "B13")


def make_book(rules: BarnyardRules, players: int, start: Position | None) -> npt.NDArray[np.int64]:
    """Return the rules and the position to start from (default: the deal) for the loop."""
    book = np.zeros(BOOK.end, dtype=np.int64)
    write_cards(rules.deck(players), BOOK.deck_size, BOOK.deck, book)
    book[BOOK.hand_size] = hand_size(players)
    book[BOOK.redraw] = rules.runaway_wild == "redraw"
    book[BOOK.discard_wild] = rules.discard_wild
    book[BOOK.recycle] = view.RECYCLE.index(rules.recycle)
    book[BOOK.max_rounds] = rules.max_rounds
    book[BOOK.declared] = rules.collecting == "declared"
    book[BOOK.sessions] = rules.sessions if rules.target == NO_TARGET else rules.max_sessions
    book[BOOK.target] = rules.target
    book[BOOK.match_scale] = rules.match_scale
    if start is None:
        return book
    if len(start.hands) != players:
        raise BadInput(f"the position has {len(start.hands)} hands for {players} players")
    check_position(rules, start)
    book[BOOK.has_start], book[BOOK.start_session] = 1, start.session
    book[BOOK.start_turn] = start.turn
    book[BOOK.start_runaway] = NONE if start.runaway is None else start.runaway
    for seat, cards in enumerate(start.hands):
        book[BOOK.start_hands + seat], book[BOOK.start_twice + seat] = pack(cards)
    for seat, total in enumerate(start.totals):
        book[BOOK.start_totals + seat] = total
    write_cards(left_over(rules, start), BOOK.n_loose, BOOK.start_loose, book)
    write_cards(start.barnyard, BOOK.n_fixed, BOOK.start_fixed, book)
    write_cards(start.pile, BOOK.n_pile, BOOK.start_pile, book)
    return book


def new_memory(rules: BarnyardRules, players: int) -> npt.NDArray[np.int64]:
    """Return a thread's working memory, with the parts of the view that never change."""
    memory = aligned_zeros(view.MEMORY_SIZE, np.int64)
    memory[SEEN.players], memory[SEEN.hand_size] = players, hand_size(players)
    memory[SEEN.max_rounds], memory[SEEN.target] = rules.max_rounds, rules.target
    memory[SEEN.sessions] = rules.sessions if rules.target == NO_TARGET else 0
    memory[SEEN.donkeys] = rules.deck(players).count(DONKEY)
    memory[SEEN.discard_wild] = rules.discard_wild
    for name in ("asked", "named", "drawn", "happened_to", "given", "received"):
        memory[getattr(SEEN, name)] = NONE
    memory[SEEN.detail_1] = memory[SEEN.detail_2] = NONE
    memory[view.BLANK : view.MEMORY_SIZE] = memory[SEEN.begin : view.BLANK]
    return memory
