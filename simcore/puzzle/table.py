"""A table of a puzzle game: the position to start from, and what a batch needs to set it up."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from herdlab.simcore.errors import BadInput, check_below
from herdlab.simcore.puzzle.book import BOOK, write_rules
from herdlab.simcore.puzzle.engine import play_games
from herdlab.simcore.puzzle.pieces import BITS, FIELD
from herdlab.simcore.puzzle.plans import MOVES_SIZE, tabulate
from herdlab.simcore.puzzle.rules import PIECES, PuzzleRules
from herdlab.simcore.puzzle.view import CHOOSE, LOG_COLUMNS, MEMORY_SIZE, NONE, SEEN, STREAMS
from herdlab.simcore.table import aligned_zeros

__all__ = ["CHOOSE", "LOG_COLUMNS", "MOVES_SIZE", "STREAMS", "play_games", "tabulate"]


@dataclass(frozen=True, slots=True)
class Position:
    """Where a game stands at the beginning of a beat; it can be played on from here."""

    holdings: tuple[tuple[int, ...], ...]
    """For each seat how many pieces of every puzzle it holds."""
    cards: tuple[int, ...]
    """The puzzle that each seat wants."""
    beat: int = 0
    """Beats finished so far."""
    speaker: int | None = None
    """Who has kept the word after his call (P7a); None: the word is drawn."""
    last_caller: int | None = None
    in_a_row: int = 0
    """Passes that the last caller has called in a row."""
    is_locked: bool = False
    """An offer has followed the last call (P8)."""
    called: tuple[int, ...] = ()
    """Passes that each seat has called so far; () for none."""


def pack(counts: tuple[int, ...]) -> int:
    """Return counts of every puzzle as a holding."""
    return sum(count << BITS * puzzle for puzzle, count in enumerate(counts))


def unpack(holding: int, puzzles: int) -> tuple[int, ...]:
    """Return how many pieces of every puzzle a holding has."""
    return tuple(holding >> BITS * puzzle & FIELD for puzzle in range(puzzles))


def check_position(rules: PuzzleRules, position: Position) -> None:
    """Refuse pieces and cards that break a clause, with its number.

    Any state of the calls is taken, also one that no game comes to: so tests and advice can ask
    "what if he had the word?".
    """
    players = len(position.holdings)
    for seat, counts in enumerate(position.holdings):
        if len(counts) != players or min(counts) < 0:
            raise BadInput(
                f"seat {seat} must hold 0 or more pieces of each of {players} puzzles, and "
                f"got {counts} (P1)"
            )
        if sum(counts) != PIECES and not rules.advanced:
            raise BadInput(
                f"in the plain game every seat holds {PIECES} pieces, and seat {seat} has "
                f"{sum(counts)} (P1)"
            )
    for puzzle in range(players):
        there = sum(counts[puzzle] for counts in position.holdings)
        if there != PIECES:
            raise BadInput(f"puzzle {puzzle} has {PIECES} pieces (P1), and the position {there}")
    if sorted(position.cards) != list(range(players)):
        raise BadInput(
            f"cards must give each of {players} seats another puzzle (P2), and got {position.cards}"
        )
    for seat, (counts, card) in enumerate(zip(position.holdings, position.cards, strict=True)):
        if counts[card] == PIECES:
            raise BadInput(f"seat {seat} has completed its puzzle: the game is over (P10)")
    for name, seat_or_none in (
        ("speaker", position.speaker),
        ("last_caller", position.last_caller),
    ):
        if seat_or_none is not None and not 0 <= seat_or_none < players:
            raise BadInput(f"{name} must be a seat from 0 to {players - 1}, and got {seat_or_none}")
    if position.in_a_row < 0 or min(position.called, default=0) < 0:
        raise BadInput(
            f"passes called must be 0 or more (P7-P9), and got in_a_row {position.in_a_row} and "
            f"called {position.called}"
        )
    if position.called and len(position.called) != players:
        raise BadInput(f"called must have a number for each of {players} seats")
    check_below("beat", position.beat, rules.max_beats, "P13")


def make_book(rules: PuzzleRules, players: int, start: Position | None) -> npt.NDArray[np.int64]:
    """Return the rules and the position to start from (default: the deal) for the loop."""
    book = write_rules(rules, players)
    if start is None:
        return book
    if len(start.holdings) != players:
        raise BadInput(f"the position has {len(start.holdings)} seats for {players} players")
    check_position(rules, start)
    book[BOOK.has_start], book[BOOK.start_beat] = 1, start.beat
    book[BOOK.start_speaker] = NONE if start.speaker is None else start.speaker
    book[BOOK.start_last_caller] = NONE if start.last_caller is None else start.last_caller
    book[BOOK.start_row], book[BOOK.start_is_locked] = start.in_a_row, start.is_locked
    for seat in range(players):
        book[BOOK.start_holdings + seat] = pack(start.holdings[seat])
        book[BOOK.start_cards + seat] = start.cards[seat]
        book[BOOK.start_called + seat] = start.called[seat] if start.called else 0
    return book


def new_memory(rules: PuzzleRules, players: int) -> npt.NDArray[np.int64]:
    """Return a thread's working memory, with the parts of the view that never change."""
    memory = aligned_zeros(MEMORY_SIZE, np.int64)
    memory[SEEN.players], memory[SEEN.advanced] = players, rules.advanced
    memory[SEEN.largest_offer] = rules.largest_offer
    for place in (SEEN.receiver, SEEN.happened_to, SEEN.detail_1, SEEN.detail_2, SEEN.detail_3):
        memory[place] = NONE
    return memory
