"""Packed herds and what can be told from them: completeness, and which trades are legal."""

import numpy as np

from herdlab.simcore._jit import inlined, inner
from herdlab.simcore.herd.rule_tables import (
    BOOK,
    EFFECTS,
    ROLL_WORDS,
    SHIFTS,
    TRADE_BITS,
    WIDTHS,
    WORDS,
)
from herdlab.simcore.herd.rules import (
    COW,
    DOG,
    FACES,
    HORSE,
    PIG,
    RABBIT,
    SHEEP,
    TO_COW,
    TO_DOG,
    TO_HORSE,
    TO_PIG,
    TO_SHEEP,
)
from herdlab.simcore.table import Ints

SHIFT = np.array(SHIFTS)
MASK = (1 << np.array(WIDTHS)) - 1
RABBITS, SHEEP_BITS, PIGS, COWS, HORSES, DOGS = (
    ((1 << width) - 1) << shift for shift, width in zip(SHIFTS, WIDTHS, strict=True)
)
"""The bits of each animal in a packed herd."""
BYTE = 0xFF
_N_FACES = len(FACES)

# Indexes of a book that are unsigned need no check for being negative.
ADD_HERD, ADD_SUPPLY, ADD_EVENTS = (np.uint64(word) for word in range(3))
"""Words of an effect or trade: what it adds to herd, supply and event counter."""
(
    _FIRST_ROW,
    _FIRST_SHIFT,
    _FIRST_MASK,
    _SECOND_ROW,
    _SECOND_SHIFT,
    _SECOND_MASK,
    _ROLL_FLAGS,
    _ROLL_FACES,
) = (np.uint64(word) for word in range(ROLL_WORDS))
_EFFECTS = np.uint64(EFFECTS)


@inlined
def entry(start: int, herd: int) -> np.uint64:
    """Return where a table of moves that begins at `start` has `herd`.

    Folded (one to one), because herds that differ only in pigs and cows would lie whole pages
    apart, and all of them fight for the same few lines of the processor's cache.
    """
    return np.uint64(start + (herd ^ (herd >> 5) ^ (herd >> 12)))


@inner
def count(herd: int, animal: int) -> int:
    """Return how many of `animal` a packed herd has."""
    return (herd >> SHIFT[animal]) & MASK[animal]


@inlined
def trade_row(move: int) -> np.uint64:
    """H15: return where the book has the words of a trade with the supply, or of none."""
    return np.uint64(BOOK.trades) + np.uint64((move & TRADE_BITS) * WORDS)


@inlined
def effect_rows(roll: int, herd: int, book: Ints) -> tuple[np.uint64, np.uint64, int]:
    """H7-H14: return where the book has the two effects of a roll on `herd`, and its flags."""
    at = np.uint64(roll)
    owned = (herd >> book[at + _FIRST_SHIFT]) & book[at + _FIRST_MASK]
    first = _EFFECTS + np.uint64((book[at + _FIRST_ROW] + owned) * WORDS)
    owned = (herd >> book[at + _SECOND_SHIFT]) & book[at + _SECOND_MASK]
    second = _EFFECTS + np.uint64((book[at + _SECOND_ROW] + owned) * WORDS)
    return first, second, book[at + _ROLL_FLAGS]


@inlined
def faces_of(roll: int, book: Ints) -> tuple[int, int]:
    """Return the faces that a roll shows."""
    faces = book[np.uint64(roll) + _ROLL_FACES]
    return faces // _N_FACES, faces % _N_FACES


@inner
def is_complete(herd: int) -> bool:
    """H4: whether a herd has a rabbit, a sheep, a pig, a cow and a horse."""
    return bool(
        herd & RABBITS and herd & SHEEP_BITS and herd & PIGS and herd & COWS and herd & HORSES
    )


@inner
def owned(herd: int) -> int:
    """Return bit t for every trade t whose animal the owner of `herd` could hand over."""
    return (
        (herd & SHEEP_BITS > 0) << SHEEP
        | (herd & PIGS > 0) << PIG
        | (herd & COWS > 0) << COW
        | (herd & HORSES > 0) << HORSE
        | (herd & DOGS > 0) << DOG
    )


@inner
def in_supply(supply: int) -> int:
    """Return bit t for every trade t that the supply could serve."""
    bits = 0
    for animal in range(SHEEP, DOG + 1):
        bits |= ((supply >> (8 * animal)) & BYTE > 0) << animal
    return bits


@inner
def affordable(herd: int, book: Ints) -> int:
    """H15, H7: return bit t for every trade t that can be paid and keeps within the limits."""
    rabbits, sheep = count(herd, RABBIT), count(herd, SHEEP)
    return (
        (rabbits >= book[BOOK.prices + TO_SHEEP]) << TO_SHEEP
        | (sheep >= book[BOOK.prices + TO_PIG]) << TO_PIG
        | (count(herd, PIG) >= book[BOOK.prices + TO_COW]) << TO_COW
        | (
            (count(herd, COW) >= book[BOOK.prices + TO_HORSE])
            & (count(herd, HORSE) < book[BOOK.limits + HORSE])
        )
        << TO_HORSE
        | ((rabbits > 0) & (sheep > 0) & (count(herd, DOG) < book[BOOK.limits + DOG])) << TO_DOG
    )


@inner
def is_possible(herd: int, book: Ints) -> bool:
    """H7: whether a player can own `herd`."""
    for animal in range(DOG + 1):
        if count(herd, animal) > book[BOOK.limits + animal]:
            return False
    return True
