"""Holdings: a player's pieces of each puzzle, counted in one number, and drawing from them.

A holding has twelve bits for each puzzle, so that the four counts are added, compared and drawn
from together: no loop, and no branch that the processor could guess wrong.
"""

import numpy as np
from numba import int64, uint64

from herdlab.simcore._jit import inlined, inner_as
from herdlab.simcore.bits import ones
from herdlab.simcore.puzzle.rules import PIECES
from herdlab.simcore.puzzle.view import KEEP_BITS
from herdlab.simcore.rng import GAMMA, Luck, mix64

BITS = 12
FIELD = (1 << BITS) - 1
EACH = 1 | 1 << BITS | 1 << 2 * BITS | 1 << 3 * BITS
"""One piece of every puzzle."""
ALL = (1 << 4 * BITS) - 1
_TOPS = EACH << (BITS - 1)
"""The top bit of every count, which no count uses."""
_TOTAL_AT = 3 * BITS
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_KEEP_FIELD = (1 << KEEP_BITS) - 1
_KEEP_EACH = 1 | 1 << KEEP_BITS | 1 << 2 * KEEP_BITS | 1 << 3 * KEEP_BITS
_KEEP_TOPS = _KEEP_EACH << (KEEP_BITS - 1)
_TOO_MANY = _KEEP_EACH * ((1 << (KEEP_BITS - 1)) - 1 - PIECES)


@inlined
def count_of(holding: int, puzzle: int) -> int:
    """Return how many pieces of a puzzle a holding has."""
    return (holding >> (BITS * puzzle & 63)) & FIELD


@inlined
def running(holding: int) -> int:
    """Return for each puzzle how many pieces of it and those before it there are."""
    return holding * EACH & ALL


@inlined
def size_of(holding: int) -> int:
    """Return how many pieces a holding has."""
    return running(holding) >> _TOTAL_AT


@inlined
def kinds_of(holding: int) -> int:
    """Return of how many puzzles a holding has a piece."""
    return ones((holding + (_TOPS - EACH)) & _TOPS)


@inlined
def beyond(holding: int, kept: int) -> int:
    """Return what a holding has beyond `kept`, puzzle by puzzle."""
    difference = (holding | _TOPS) - kept
    enough = difference & _TOPS
    return difference & (enough - (enough >> (BITS - 1)))


@inlined
def taken_at(sums: int, index: int) -> int:
    """Return by how much `sums` fall when piece `index` is taken away.

    The pieces lie puzzle by puzzle, more than `index` of them; `sums` is `running` of them.  The
    sums of its puzzle and of those after it fall by one.
    """
    passed = (((index * EACH) | _TOPS) - sums) & _TOPS  # the puzzles that end before this piece
    return EACH - (passed >> (BITS - 1))


@inlined
def of_sums(sums: int) -> int:
    """Return the holding that has these running sums."""
    return sums - (sums << BITS & ALL)


@inlined
def is_keep(answer: int) -> bool:
    """Whether an answer says how many pieces of each puzzle to keep, from 0 to PIECES each."""
    is_small = answer & ~(_KEEP_EACH * ((1 << (KEEP_BITS - 1)) - 1)) == 0
    return is_small and (answer + _TOO_MANY) & _KEEP_TOPS == 0


@inlined
def unpacked_keep(answer: int) -> int:
    """Return a keep answer as a holding, still with its own puzzle first."""
    kept = answer & _KEEP_FIELD
    for place in range(1, 4):
        kept |= ((answer >> (KEEP_BITS * place)) & _KEEP_FIELD) << (BITS * place)
    return kept


@inlined
def packed_keep(holding: int) -> int:
    """Return a holding, its own puzzle first, in the form of a keep answer."""
    packed = holding & _KEEP_FIELD
    for place in range(1, 4):
        packed |= ((holding >> (BITS * place)) & _KEEP_FIELD) << (KEEP_BITS * place)
    return packed


@inlined
def turned(holding: int, card: int, players: int) -> int:
    """Return a holding that had the puzzle `card` first with puzzle 0 first."""
    in_play = (1 << BITS * players) - 1
    up = BITS * card & 63
    return (holding << up | (holding & in_play) >> (BITS * players - up & 63)) & in_play


@inlined
def own_first(holding: int, card: int, players: int) -> int:
    """Return a holding with the puzzle `card` first, then those after it."""
    down = BITS * card & 63
    return (holding >> down | holding << (BITS * players - down & 63)) & ((1 << BITS * players) - 1)


@inlined
def picked(half: np.uint64, size: int) -> int:
    """Return an index below `size` from half of a random number."""
    return np.int64((half * np.uint64(size)) >> _HALF)


@inner_as(int64(int64, int64, int64, int64, uint64[::1]))
def drawn_of_both(holding: int, kept: int, number: int, seat: int, streams: Luck) -> int:
    """Return what `drawn` does where not enough is beyond `kept`."""
    pool = beyond(holding, kept)
    gift = 0
    bits = np.uint64(0)
    for piece in range(number):
        if piece & 1 == 0:
            streams[seat] += GAMMA
            bits = mix64(streams[seat])
        half = bits & _LOW if piece & 1 else bits >> _HALF
        if pool == 0:
            pool = holding - gift
        sums = running(pool)
        one = of_sums(taken_at(sums, picked(half, sums >> _TOTAL_AT)))
        gift += one
        pool -= one
    return gift


@inlined
def drawn(holding: int, kept: int, number: int, seat: int, streams: Luck) -> int:
    """P4, P6, P12: return `number` pieces of a holding, drawn from what is beyond `kept`.

    Only when nothing of that is left are the kept ones drawn from.  Each number of the player's
    own stream gives two pieces.
    """
    sums = running(beyond(holding, kept))
    size = sums >> _TOTAL_AT
    if size < number:
        return drawn_of_both(holding, kept, number, seat, streams)
    taken = 0
    while True:
        streams[seat] += GAMMA
        bits = mix64(streams[seat])
        taken += taken_at(sums - taken, picked(bits >> _HALF, size))
        if number == 1:
            return of_sums(taken)
        taken += taken_at(sums - taken, picked(bits & _LOW, size - 1))
        number -= 2
        if number == 0:
            return of_sums(taken)
        size -= 2
