"""Hands of Barnyard Swap as packed words.

A hand is two words.  In the first, bit k says that a card of kind k is held; bits 50 to 52
count the Donkeys and bits 53 to 54 the Watchdogs.  In the second, bit k says that a second card of
kind k is held, which needs two packs.
"""

import numpy as np

from herdlab.simcore._jit import helper, inlined
from herdlab.simcore.barnyard.rules import ANIMALS, DONKEY, KINDS, NUMBERS, WATCHDOG
from herdlab.simcore.bits import lowest

FIELD = (1 << NUMBERS) - 1
ALL_KINDS = (1 << KINDS) - 1
DONKEY_SHIFT, WATCHDOG_SHIFT = 50, 53
DONKEY_BITS, WATCHDOG_BITS = 7, 3

CARD_WORD = np.array(
    [1 << kind for kind in range(KINDS)] + [1 << DONKEY_SHIFT, 1 << WATCHDOG_SHIFT], dtype=np.int64
)
"""What a card adds to the first word of a hand that does not hold it yet."""
ANIMAL_WORD = np.array([FIELD << (NUMBERS * a) for a in range(len(ANIMALS))], dtype=np.int64)
"""All kinds of an animal."""
_OF_KIND = np.array([ANIMAL_WORD[min(k, KINDS - 1) // NUMBERS] for k in range(64)])
"""All kinds of the animal of a kind."""


def _longest_run(field: int) -> int:
    runs = "".join("1" if field >> n & 1 else "0" for n in range(NUMBERS)).split("0")
    return max(len(run) for run in runs)


COUNT = np.array([field.bit_count() for field in range(FIELD + 1)], dtype=np.int8)
"""By the ten bits of an animal: how many cards.  (Small numbers keep the tables in the cache.)"""
SUM = np.array(
    [sum(n + 1 for n in range(NUMBERS) if field >> n & 1) for field in range(FIELD + 1)],
    dtype=np.int8,
)
"""By the ten bits of an animal: the sum of the numbers."""
RUN = np.array([_longest_run(field) for field in range(FIELD + 1)], dtype=np.int8)
"""By the ten bits of an animal: how many consecutive numbers at most."""

_CARDS = 63  # tells the compiler that a card is not negative

NO_FULL_HAND, NATURAL_HAND, CLAIM_HAND = range(3)
_ONE_DONKEY, _ONE_WATCHDOG = 1, 1 << (WATCHDOG_SHIFT - DONKEY_SHIFT)


@inlined
def field_of(word: int, animal: int) -> int:
    """Return the ten bits of `animal`, its numbers 1 to 10."""
    return (word >> (NUMBERS * animal)) & FIELD


@helper
def sum_of(hand: int, twice: int, animal: int) -> int:
    """Return the sum of the numbers of `animal`."""
    return np.int64(SUM[field_of(hand, animal)]) + SUM[field_of(twice, animal)]


@helper
def count_of(hand: int, twice: int, animal: int) -> int:
    """Return how many cards of `animal` there are."""
    return np.int64(COUNT[field_of(hand, animal)]) + COUNT[field_of(twice, animal)]


@helper
def donkeys_in(hand: int) -> int:
    """Return how many Donkeys a hand has."""
    return (hand >> DONKEY_SHIFT) & DONKEY_BITS


@helper
def watchdogs_in(hand: int) -> int:
    """Return how many Watchdogs a hand has."""
    return (hand >> WATCHDOG_SHIFT) & WATCHDOG_BITS


@helper
def holds(hand: int, card: int) -> bool:
    """Whether a hand has `card`, a kind or a wild card."""
    if card == DONKEY:
        return donkeys_in(hand) > 0
    if card == WATCHDOG:
        return watchdogs_in(hand) > 0
    return 0 <= card < KINDS and (hand >> card) & 1 != 0


@inlined
def with_card(hand: int, twice: int, card: int) -> tuple[int, int]:
    """Return a hand with one card more."""
    word = CARD_WORD[card & _CARDS]
    if hand & word & ALL_KINDS:
        return hand, twice | word
    return hand + word, twice


@inlined
def without_card(hand: int, twice: int, card: int) -> tuple[int, int]:
    """Return a hand with one card less, which it has."""
    word = CARD_WORD[card & _CARDS]
    if twice & word & ALL_KINDS:
        return hand, twice & ~word
    return hand - word, twice


@inlined
def full_hand(hand: int) -> int:
    """B11, B12: return whether a hand is full by nature, may be claimed as full, or neither."""
    kinds = hand & ALL_KINDS
    if kinds & ~_OF_KIND[lowest(kinds) & 63]:
        return NO_FULL_HAND
    wild = hand >> DONKEY_SHIFT
    if wild == 0:
        return NATURAL_HAND
    return CLAIM_HAND if wild in (_ONE_DONKEY, _ONE_WATCHDOG) else NO_FULL_HAND
