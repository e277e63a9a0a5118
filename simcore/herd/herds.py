"""Packed herds and what can be told from them: completeness, and which trades are legal."""

import numpy as np

from herdlab.simcore._jit import inlined, inner
from herdlab.simcore.herd.rule_tables import LIMITS, PRICES, SHIFTS, WIDTHS
from herdlab.simcore.herd.rules import (
    COW,
    DOG,
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
        (rabbits >= book[PRICES + TO_SHEEP]) << TO_SHEEP
        | (sheep >= book[PRICES + TO_PIG]) << TO_PIG
        | (count(herd, PIG) >= book[PRICES + TO_COW]) << TO_COW
        | (
            (count(herd, COW) >= book[PRICES + TO_HORSE])
            & (count(herd, HORSE) < book[LIMITS + HORSE])
        )
        << TO_HORSE
        | ((rabbits > 0) & (sheep > 0) & (count(herd, DOG) < book[LIMITS + DOG])) << TO_DOG
    )


@inner
def is_possible(herd: int, book: Ints) -> bool:
    """H7: whether a player can own `herd`."""
    for animal in range(DOG + 1):
        if count(herd, animal) > book[LIMITS + animal]:
            return False
    return True
