"""The curve of own pieces: noted after every ten beats, and once when the game has ended."""

from herdlab.simcore._jit import inlined
from herdlab.simcore.puzzle.pieces import count_of
from herdlab.simcore.puzzle.rules import CURVE_POINTS, CURVE_STEP
from herdlab.simcore.puzzle.view import NONE, STATE
from herdlab.simcore.table import Ints


@inlined
def note_own(point: int, at_end: int, players: int, memory: Ints, tallies: Ints) -> None:
    """Add everybody's own pieces to the curve: at a point, or from there on as the game ended."""
    for seat in range(players):
        own = count_of(memory[STATE.holdings + seat], memory[STATE.cards + seat])
        at = (4 * seat + 2 * at_end) * CURVE_POINTS + point
        tallies[at] += own
        tallies[at + CURVE_POINTS] += own * own


@inlined
def next_point(memory: Ints) -> int:
    """Return the beat at which own pieces are noted next, or NONE."""
    point = memory[STATE.point]
    return memory[STATE.start] + CURVE_STEP * point if point < CURVE_POINTS else NONE


@inlined
def note_point(players: int, memory: Ints, tallies: Ints) -> None:
    """Note own pieces at the next point of the curve."""
    note_own(memory[STATE.point], 0, players, memory, tallies)
    memory[STATE.point] += 1
