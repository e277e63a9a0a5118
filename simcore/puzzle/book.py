"""The rules and the position to start from, as the loop of the puzzle games reads them."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from herdlab.simcore._jit import inlined
from herdlab.simcore.puzzle.rules import MAX_PLAYERS, PuzzleRules
from herdlab.simcore.puzzle.view import NONE
from herdlab.simcore.table import Ints
from herdlab.simcore.window import Places

BOOK = Places(
    0,
    *("limit", "calls", "shared", "max_beats"),
    *("has_start", "start_beat", "start_last_caller", "start_row", "start_is_locked"),
    "start_speaker",  # who has kept the word, or NONE
    tempo=6,  # three bounds: as many as a number of 32 bits reaches is the seat that has the word
    start_holdings=MAX_PLAYERS,
    start_cards=MAX_PLAYERS,
    start_called=MAX_PLAYERS,
    first=4 << 2 * MAX_PLAYERS,
)
"""`first` has likewise, for every set of willing seats (bit 2 * seat), who of them is first."""

SEATS = 3
"""Tells the compiler that a seat is not negative."""
_HALF, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)


@inlined
def speaker_of(bits: np.uint64, book: Ints) -> int:
    """P3: return who has the word, by the high half of a beat's number."""
    return _reached(np.int64(bits >> _HALF), BOOK.tempo, book)


@inlined
def first_of_willing(bits: np.uint64, at: int, book: Ints) -> int:
    """P4: return who is first, by its low half; `at` is where the bounds of the willing stand."""
    return _reached(np.int64(bits & _LOW), at, book)


@inlined
def _reached(number: int, at: int, book: Ints) -> int:
    return ((number >= book[at]) + (number >= book[at + 1]) + (number >= book[at + 2])) & SEATS


def bounds(weights: Sequence[float]) -> list[int]:
    """Return the bounds by which a 32-bit number picks a seat in proportion to its weight."""
    total = sum(weights)
    found = [round(2**32 * sum(weights[: seat + 1]) / total) for seat in range(len(weights) - 1)]
    return found + [1 << 32] * (MAX_PLAYERS - 1 - len(found))


def write_rules(rules: PuzzleRules, players: int) -> npt.NDArray[np.int64]:
    """Return the book of a game that begins with the deal."""
    book = np.zeros(BOOK.end, dtype=np.int64)
    book[BOOK.start_last_caller] = book[BOOK.start_speaker] = NONE
    book[BOOK.limit], book[BOOK.calls] = rules.limit, rules.calls
    book[BOOK.shared] = rules.simultaneous == "share"
    book[BOOK.max_beats] = rules.max_beats
    book[BOOK.tempo : BOOK.tempo + 3] = bounds(rules.tempo or (1.0,) * players)
    reaction = rules.reaction or (1.0,) * players
    for willing in range(1, 1 << players):
        seats = [seat for seat in range(players) if willing >> seat & 1]
        at = BOOK.first + 4 * sum(1 << 2 * seat for seat in seats)
        book[at : at + 3] = bounds([reaction[s] if s in seats else 0.0 for s in range(players)])
    return book
