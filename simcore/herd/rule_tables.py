"""The rulebook as tables for the compiled loop, made from the clauses once a run.

A herd is one small integer, a bit field for each animal, which is an index at the same time:
whatever depends on a player's own herd alone is one look-up.  A roll of two dice is one of 144
outcomes; each names at most two *effects*, and an effect's row, indexed by the animals it depends
on, holds what to add to the herd, to the supply and to the counted events.  So the loop that plays
has no branch for multiplying, dogs, foxes and the dog that a wolf takes.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain

import numpy as np
import numpy.typing as npt

from herdlab.simcore.herd.events import EVENT_SHIFTS
from herdlab.simcore.herd.rules import (
    ANIMALS,
    DOG,
    FACES,
    FOX,
    HERD_ANIMALS,
    MAX_PLAYERS,
    NO_TRADE,
    RABBIT,
    SIDES,
    SKUNK,
    TO_DOG,
    TRADES,
    WOLF,
    HerdRules,
    T,
)
from herdlab.simcore.table import aligned_zeros
from herdlab.simcore.window import Places

SHIFTS = (0, 8, 13, 18, 6, 4)
"""Where each animal's count stands in a herd; what varies most in play stands lowest, so that the
herds that occur lie close together in a table."""
WIDTHS = (4, 5, 5, 5, 2, 2)
HERD_BITS = 23
LOW_BYTE = 0xFF

SUPPLY_GUARD = 0x808080808080
"""The supply has a byte for each animal; a set top bit says that more was taken than there was."""

CHANGE = Places(0, "herd", "supply", "events", "unused")
"""Words of an effect or trade: what it adds to herd, supply and event counter."""
ROLL = Places(
    0,
    *("first_row", "first_shift", "first_mask", "second_row", "second_shift", "second_mask"),
    *("flags", "faces"),
)
"""Words of a roll: its two effects, what is left to do after them, the faces as one number."""

DOUBLE, WOLF_CAME, SKUNK_CAME, T_CAME = 1, 2, 4, 8
"""Flags of a roll: what is left to do after its effects."""

COMPLETE, WINS, ASK = 8, 16, 32
"""Marks in a table of moves, beside a trade in the low three bits: the herd is complete already,
the trade completes it, the strategy must be asked."""
TRADE_BITS = 7

Words = tuple[int, int, int, int]


def pack(counts: Sequence[int]) -> int:
    """Return the herd with these counts of `ANIMALS` as one integer."""
    return sum(count << shift for count, shift in zip(counts, SHIFTS, strict=True))


def unpack(herd: int) -> tuple[int, ...]:
    """Return the counts of `ANIMALS` in a packed herd."""
    return tuple(
        (herd >> shift) & ((1 << width) - 1) for shift, width in zip(SHIFTS, WIDTHS, strict=True)
    )


def pack_supply(counts: Sequence[int]) -> int:
    """Return the supply with these counts of `ANIMALS` as one integer."""
    return sum(count << (8 * animal) for animal, count in enumerate(counts))


def unpack_supply(supply: int) -> tuple[int, ...]:
    """Return the counts of `ANIMALS` in a packed supply."""
    return tuple((supply >> (8 * animal)) & LOW_BYTE for animal in range(len(ANIMALS)))


def _words(gains: Mapping[int, int], **events: int) -> Words:
    """Return what a change of a player's herd adds everywhere; `gains` are by animal."""
    counts = [gains.get(animal, 0) for animal in range(len(ANIMALS))]
    counter = sum(n << EVENT_SHIFTS[name] for name, n in events.items())
    return pack(counts), -pack_supply(counts), counter, 0


def multiply(owned: int, symbols: int, limit: int) -> int:
    """H7: return how many new tiles a player gets, if the supply has them."""
    return max(0, min((owned + symbols) // 2, limit - owned))


def _effect(rules: HerdRules, face: int, symbols: int, herd: Sequence[int]) -> Words:
    """Return what so many `symbols` of `face` do to a player who owns `herd`."""
    dogs = herd[DOG]
    if face == FOX:  # H11: without a dog all rabbits but one are lost; with one nothing is
        if dogs:
            return _words({}, foxes_with_dog=1)
        lost = max(0, herd[RABBIT] - 1)
        return _words({RABBIT: -lost}, foxes_without_dog=1, rabbits_lost_to_fox=lost)
    if face == WOLF:  # H12: a dog is lost; without a dog nothing happens until the second roll
        return _words({DOG: -1}, wolves_with_dog=1) if dogs else _words({}, wolves_without_dog=1)
    if face == DOG:  # H10: a free dog tile for a player who has room for it
        return _words({DOG: 1}, dogs_free=1) if dogs < rules.max_dogs else _words({})
    return _words({face: multiply(herd[face], symbols, rules.limits[face])})


class Effects:
    """The rows of all effects that a pair of dice can have, each made once."""

    def __init__(self, rules: HerdRules) -> None:
        self._rules = rules
        self.words = [_words({})]
        self._places: dict[tuple[int, int], tuple[int, int, int]] = {}

    def place(self, face: int, symbols: int) -> tuple[int, int, int]:
        """Return (row, shift, mask) of what `symbols` symbols of `face` do.

        Shift and mask are of the part of a herd that it depends on: for a fox rabbits and dogs.
        """
        if (face, symbols) not in self._places:
            animal = DOG if face == WOLF else face
            shift, mask = (
                (0, LOW_BYTE) if face == FOX else (SHIFTS[animal], (1 << WIDTHS[animal]) - 1)
            )
            self._places[face, symbols] = (len(self.words), shift, mask)
            for part in range(mask + 1):
                self.words.append(_effect(self._rules, face, symbols, unpack(part << shift)))
        return self._places[face, symbols]


def read_roll(rules: HerdRules, first: int, second: int) -> tuple[list[tuple[int, int]], int]:
    """H7-H14: return what two faces do, as (face, symbols) each, and the flags."""
    faces = (first, second)
    cancelling = {FOX, WOLF, SKUNK, DOG} | ({T} if rules.t_cancels else set())
    if first in cancelling and second in cancelling:
        return [], 0  # H9: nothing happens, nothing multiplies
    if FOX in faces:
        return [(FOX, 1)], 0  # H11: the other die is ignored, a T too
    if WOLF in faces:  # H12: a herd animal is ignored; a T still binds (H9)
        return [(WOLF, 1)], WOLF_CAME | (T_CAME if T in faces else 0)
    if first == second and first in HERD_ANIMALS:
        return [(first, 2)], DOUBLE  # H8
    flags = 0
    if SKUNK in faces and rules.skunks:
        flags |= SKUNK_CAME  # H14
    if T in faces:
        flags |= T_CAME  # H13
    return [(face, 1) for face in faces if face not in (SKUNK, T)], flags


def _roll(rules: HerdRules, effects: Effects, first: int, second: int) -> list[int]:
    """Return the words of the roll that shows faces `first` and `second`."""
    acts, flags = read_roll(rules, first, second)
    places = [effects.place(face, symbols) for face, symbols in acts]
    nothing = [(0, 0, 0)] * (2 - len(places))
    return [*chain(*places, *nothing), flags, first * len(FACES) + second]


def faces_of(rules: HerdRules) -> list[tuple[int, int]]:
    """H6: return the faces that each of the 144 outcomes shows, wolf die * 12 + fox die."""
    wolf_die, fox_die = (
        [FACES.index(face) for face in die] for die in (rules.wolf_die, rules.fox_die)
    )
    return [(first, second) for first in wolf_die for second in fox_die]


OUTCOMES = SIDES * SIDES
BOOK = Places(
    0,
    *("seat", "phase", "t_in_force", "turn", "skunk", "supply"),  # to start from
    herds=MAX_PLAYERS,
    wolf_pair_loses=1,
    max_turns=1,
    prices=len(TRADES),  # how many of the animal below; the dog's is one of each (H15)
    limits=len(ANIMALS),  # how many of each animal a player may own (H7)
    trades=8 * CHANGE.end,  # for each trade with the supply its words
    roll_at=OUTCOMES,  # for each outcome, wolf die * 12 + fox die, where its roll stands
    rolls=ROLL.end * len(FACES) ** 2,
)
"""Outcomes that show the same faces share a roll, which keeps the rolls in the fastest cache."""
EFFECTS = BOOK.end
"""For each effect, and each count of the animals it depends on, its words."""
_KEPT_BOOKS = 32


def write_book(rules: HerdRules, start: Sequence[int]) -> npt.NDArray[np.int64]:
    """Return `rules` and the position `start` (the first words of a book) for the loop."""
    written = _without_start(rules)
    book = aligned_zeros(written.size, np.int64)
    book[:] = written
    book[: len(start)] = start
    book.flags.writeable = False
    return book


@lru_cache(_KEPT_BOOKS)
def _without_start(rules: HerdRules) -> npt.NDArray[np.int64]:
    """Return a book without a position: rules play from many, and each takes 2 ms to write."""
    effects = Effects(rules)
    shown = faces_of(rules)
    different = list(dict.fromkeys(shown))
    rolls = [_roll(rules, effects, *faces) for faces in different]
    roll_at = [BOOK.rolls + ROLL.end * different.index(faces) for faces in shown]
    trades = [_words({})]
    for trade in range(NO_TRADE + 1, len(TRADES)):
        paid = {animal: -n for animal, n in enumerate(rules.prices[trade])}
        bought = {"dogs_bought": 1} if trade == TO_DOG else {}
        trades.append(_words({**paid, trade: 1}, trades=1, **bought))
    book = np.zeros(EFFECTS + CHANGE.end * len(effects.words), np.int64)
    for at, part in (
        (BOOK.wolf_pair_loses, (rules.wolf_pair_loses, rules.max_turns)),
        (BOOK.prices, [max(price) for price in rules.prices]),
        (BOOK.limits, rules.limits),
        (BOOK.trades, trades),
        (BOOK.roll_at, roll_at),
        (BOOK.rolls, rolls),
        (EFFECTS, effects.words),
    ):
        flat = np.array(part, dtype=np.int64).ravel()
        book[at : at + flat.size] = flat
    return book


def dealt_herd(rules: HerdRules) -> int:
    """H3: return what each player starts with."""
    return pack((1, 1 if rules.first_game else 0, 0, 0, 0, 0))
