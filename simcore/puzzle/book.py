"""The rules and the position to start from, as the loop of the puzzle games reads them."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from herdlab.simcore._jit import inlined
from herdlab.simcore.puzzle.rules import MAX_PLAYERS, PuzzleRules
from herdlab.simcore.puzzle.view import NONE
from herdlab.simcore.table import Ints

(
    LIMIT,
    CALLS,
    SHARED,
    MAX_BEATS,
    HAS_START,
    START_BEAT,
    START_SPEAKER,
    START_LAST_CALLER,
    START_ROW,
    START_IS_LOCKED,
) = range(10)
"""START_SPEAKER: who has kept the word, or NONE."""
TEMPO = 12
"""Three bounds: as many as a number of 32 bits reaches is the seat that has the word."""
START_HOLDINGS = 16
START_CARDS = START_HOLDINGS + MAX_PLAYERS
START_CALLED = START_CARDS + MAX_PLAYERS
FIRST = START_CALLED + MAX_PLAYERS
"""Likewise, for every set of willing seats (bit 2 * seat): who of them is first."""
BOOK_SIZE = FIRST + 4 * (1 << 2 * MAX_PLAYERS)


SEATS = 3
"""Tells the compiler that a seat is not negative."""
_HALF, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)


@inlined
def speaker_of(bits: np.uint64, book: Ints) -> int:
    """P3: return who has the word, by the high half of a beat's number."""
    return _reached(np.int64(bits >> _HALF), TEMPO, book)


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
    book = np.zeros(BOOK_SIZE, dtype=np.int64)
    book[START_LAST_CALLER] = book[START_SPEAKER] = NONE
    book[LIMIT], book[CALLS] = rules.limit, rules.calls
    book[SHARED] = rules.simultaneous == "share"
    book[MAX_BEATS] = rules.max_beats
    book[TEMPO : TEMPO + 3] = bounds(rules.tempo or (1.0,) * players)
    reaction = rules.reaction or (1.0,) * players
    for willing in range(1, 1 << players):
        seats = [seat for seat in range(players) if willing >> seat & 1]
        at = FIRST + 4 * sum(1 << 2 * seat for seat in seats)
        book[at : at + 3] = bounds([reaction[s] if s in seats else 0.0 for s in range(players)])
    return book
