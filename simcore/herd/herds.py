"""Packed herds: what a move, a roll or a loss makes of them, and which trades are legal."""

import numpy as np
from numba import int64
from numba.types import UniTuple

from herdlab.simcore._jit import inlined, inner, inner_as, readonly
from herdlab.simcore.herd.rule_tables import BOOK, CHANGE, EFFECTS, ROLL, SHIFTS, TRADE_BITS, WIDTHS
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
def in_supply_of(supply: int, animal: int) -> int:
    """Return how many of `animal` a packed supply has."""
    return (supply >> (8 * animal)) & BYTE


@inlined
def word(at: int, book: Ints) -> int:
    """Return a word of the book; an unsigned index needs no check for being negative."""
    return book[np.uint64(at)]


@inlined
def trade_row(move: int) -> int:
    """H15: return where the book has the words of a trade with the supply, or of none."""
    return BOOK.trades + (move & TRADE_BITS) * CHANGE.end


@inlined
def after_trade(move: int, herd: int, supply: int, book: Ints) -> tuple[int, int, int]:
    """H15: return herd and supply after a trade with the supply, or none, and what it counts."""
    at = trade_row(move)
    herd, supply = herd + word(at + CHANGE.herd, book), supply + word(at + CHANGE.supply, book)
    return herd, supply, word(at + CHANGE.events, book)


@inlined
def effects_of(roll: int, herd: int, book: Ints) -> tuple[int, int, int]:
    """H7-H14: return where the book has the two effects of a roll on `herd`, and its flags."""
    owned = (herd >> word(roll + ROLL.first_shift, book)) & word(roll + ROLL.first_mask, book)
    first = EFFECTS + (word(roll + ROLL.first_row, book) + owned) * CHANGE.end
    owned = (herd >> word(roll + ROLL.second_shift, book)) & word(roll + ROLL.second_mask, book)
    second = EFFECTS + (word(roll + ROLL.second_row, book) + owned) * CHANGE.end
    return first, second, word(roll + ROLL.flags, book)


@inlined
def both(first: int, second: int, what: int, book: Ints) -> int:
    """Return what two effects together add, to `what` of a `CHANGE`."""
    return word(first + what, book) + word(second + what, book)


@inlined
def faces_of(roll: int, book: Ints) -> tuple[int, int]:
    """Return the faces that a roll shows."""
    faces = word(roll + ROLL.faces, book)
    return faces // len(FACES), faces % len(FACES)


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
        bits |= (in_supply_of(supply, animal) > 0) << animal
    return bits


@inner
def affordable(herd: int, book: Ints) -> int:
    """H15, H7: return bit t for every trade t that can be paid and keeps within the limits."""
    rabbits, sheep = count(herd, RABBIT), count(herd, SHEEP)
    has_horse_room = count(herd, HORSE) < book[BOOK.limits + HORSE]
    has_dog_room = count(herd, DOG) < book[BOOK.limits + DOG]
    return (
        (rabbits >= book[BOOK.prices + TO_SHEEP]) << TO_SHEEP
        | (sheep >= book[BOOK.prices + TO_PIG]) << TO_PIG
        | (count(herd, PIG) >= book[BOOK.prices + TO_COW]) << TO_COW
        | ((count(herd, COW) >= book[BOOK.prices + TO_HORSE]) & has_horse_room) << TO_HORSE
        | ((rabbits > 0) & (sheep > 0) & has_dog_room) << TO_DOG
    )


@inner
def is_possible(herd: int, book: Ints) -> bool:
    """H7: whether a player can own `herd`."""
    for animal in range(DOG + 1):
        if count(herd, animal) > book[BOOK.limits + animal]:
            return False
    return True


@inner_as(UniTuple(int64, 3)(int64, int64, int64, int64, readonly(int64)))
def exchange(herd: int, other: int, trade: int, supply: int, book: Ints) -> tuple[int, int, int]:
    """H13: make `trade` with the owner of `other`; return both herds and the supply."""
    other -= 1 << SHIFT[trade]
    rabbits = 0
    if trade == TO_DOG:
        other += 1 << SHIFT[SHEEP]
        rabbits = 1
    elif trade == TO_SHEEP:
        rabbits = book[BOOK.prices + TO_SHEEP]
    else:
        other += book[BOOK.prices + trade] << SHIFT[trade - 1]
    # Rabbits that would take the partner over the limit go to the supply.
    taken = min(rabbits, book[BOOK.limits + RABBIT] - count(other, RABBIT))
    mine, _, _ = after_trade(trade, herd, supply, book)
    return mine, other + taken, supply + (rabbits - taken)


@inner_as(UniTuple(int64, 2)(int64, int64, int64))
def give_what_is_left(before: int, after: int, supply: int) -> tuple[int, int]:
    """H1: multiply again, from a supply that is short; return the herd and the supply."""
    herd = before
    for animal in range(DOG + 1):
        gained = count(after, animal) - count(before, animal)
        gained = min(gained, in_supply_of(supply, animal))
        herd += gained << SHIFT[animal]
        supply -= gained << (8 * animal)
    return herd, supply


@inner_as(UniTuple(int64, 2)(int64, int64, int64))
def lose_one(herd: int, supply: int, face: int) -> tuple[int, int]:
    """H12: one of the herd animal shown is lost, never the last rabbit; specials are ignored."""
    if face <= HORSE and count(herd, face) > (face == RABBIT):
        return herd - (1 << SHIFT[face]), supply + (1 << (8 * face))
    return herd, supply
