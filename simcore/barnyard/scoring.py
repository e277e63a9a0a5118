"""Scoring a session of Barnyard Swap (B14-B17)."""

import numpy as np
from numba import int64, types

from herdlab.simcore._jit import inlined, inner_as
from herdlab.simcore.barnyard.cards import (
    ALL_KINDS,
    COUNT,
    RUN,
    count_of,
    donkeys_in,
    field_of,
    sum_of,
    watchdogs_in,
)
from herdlab.simcore.barnyard.rules import (
    ANIMALS,
    KINDS,
    NUMBERS,
    POINTS_DONKEY,
    POINTS_FIRST,
    POINTS_WATCHDOG,
    POINTS_WHOLE_RUN,
    SHEEP,
)
from herdlab.simcore.bits import lowest

_N_ANIMALS = len(ANIMALS)
_SHORT_RUN, _LONG_RUN = 5, 6


@inlined
def best_animal(hand: int, twice: int) -> int:
    """B15: return the animal of the highest sum, ties to more cards, then to the deck's order."""
    best, highest = SHEEP, -1
    for animal in range(_N_ANIMALS):
        worth = (sum_of(hand, twice, animal) << 4) | count_of(hand, twice, animal)
        if worth > highest:
            best, highest = animal, worth
    return best


@inlined
def animal_of_full_hand(hand: int) -> int:
    """Return the animal of a hand that has only one."""
    return lowest(hand & ALL_KINDS) // NUMBERS


@inlined
def _total(hand: int, twice: int) -> int:
    total = 0
    for animal in range(_N_ANIMALS):
        total += sum_of(hand, twice, animal)
    return total


@inlined
def _longest_run(hand: int) -> int:
    longest = 0
    for animal in range(_N_ANIMALS):
        longest = max(longest, np.int64(RUN[field_of(hand, animal)]))
    return longest


@inner_as(types.UniTuple(int64, 6)(int64, int64, int64, int64, int64, int64))
def score_parts(
    hand: int, twice: int, animal: int, is_first: int, hand_size: int, runaway: int
) -> tuple[int, int, int, int, int, int]:
    """Return the points for numbers, first, run, runaway, Donkeys and Watchdogs of one player.

    `animal` is the one that he collects.
    """
    collected = sum_of(hand, twice, animal)
    first, run = 0, 0
    numbers = collected
    if is_first:  # B14
        first = POINTS_FIRST
        field = field_of(hand, animal)
        if COUNT[field] == hand_size and RUN[field] == hand_size:
            run = POINTS_WHOLE_RUN
    else:  # B15
        numbers = 2 * collected - _total(hand, twice)
        longest = _longest_run(hand)
        if longest >= _SHORT_RUN:
            run = _LONG_RUN if longest >= _LONG_RUN else _SHORT_RUN
    bonus = 0
    if runaway < KINDS and runaway // NUMBERS == animal:  # B16
        number = runaway % NUMBERS + 1
        bonus = number if number % 2 == 0 else -number
    donkeys = POINTS_DONKEY * donkeys_in(hand)  # B17
    watchdogs = POINTS_WATCHDOG * watchdogs_in(hand)
    return numbers, first, run, bonus, donkeys, watchdogs
