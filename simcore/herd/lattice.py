"""The solo game laid out for exact work: every herd one player can have, and where it leads.

A herd has a number, rabbits counting fastest: herds that differ only in rabbits lie side by side
and form a *row*.  What a roll does to the other animals, and to the rabbits, is known for a whole
row at once; outcomes that do the same are one *column*, with the chance of all of them.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from herdlab.simcore.errors import BadInput, find
from herdlab.simcore.herd import rule_tables
from herdlab.simcore.herd import rules as rulebook
from herdlab.simcore.herd.rule_tables import DOUBLE, T_CAME, multiply, pack, unpack
from herdlab.simcore.herd.rules import (
    ANIMALS,
    DOG,
    HERD_ANIMALS,
    PLURALS,
    RABBIT,
    TRADES,
    HerdRules,
)

SOLD, ROLLED_ONLY, NONE = "sold", "rolled-only", "none"
DOGS = (SOLD, ROLLED_ONLY, NONE)
"""Dogs as the rules have them; dogs that only the die gives; no dog tiles at all."""

FREE, BOUND, AGAIN = range(3)
"""What comes after a column: the final trade, none because of a T (H2, H13), another roll (H8)."""

_SLOWEST_FIRST = (*HERD_ANIMALS[1:], DOG, RABBIT)
SAME_RABBITS = 0
"""The map of rabbits that changes nothing."""

Counts = npt.NDArray[np.int64]
Act = tuple[Any, ...]
"""What a column does: ("gain", (face, symbols), …), ("fox",) or ("wolf", rabbits lost, sheep …)."""


class Columns(NamedTuple):
    """The different things that a roll can do, and to which row each leads; read-only."""

    after: npt.NDArray[np.int64]
    """FREE, BOUND or AGAIN."""
    chances: npt.NDArray[np.float64]
    rows: npt.NDArray[np.int32]
    """(row, column) the row that it leads to."""
    maps: npt.NDArray[np.uint8]
    """(row, column) which map of rabbits it uses."""
    rabbits: npt.NDArray[np.int64]
    """(map, rabbits before) rabbits after."""


class Lattice:
    """The herds of the solo game under certain rules, with dogs for sale or not."""

    def __init__(self, rules: HerdRules, *, sells_dogs: bool = True) -> None:
        self.rules = rules
        self.sells_dogs = sells_dogs
        self.most = tuple(
            min(limit, tiles) for limit, tiles in zip(rules.limits, rules.tiles, strict=True)
        )
        """H1, H7: the most of each animal that one player can have."""
        self.strides = [0] * len(ANIMALS)
        size = 1
        for animal in reversed(_SLOWEST_FIRST):
            self.strides[animal] = size
            size *= self.most[animal] + 1
        self.size = size
        self.in_row = self.most[RABBIT] + 1
        self.deal = self.number(unpack(rule_tables.dealt_herd(rules)))

    def number(self, herd: Sequence[int]) -> int:
        """Return the number of a herd, given as its count of each animal."""
        return sum(count * stride for count, stride in zip(herd, self.strides, strict=True))

    def place(self, herd: Sequence[int]) -> int:
        """Return the number of a herd that a player alone can have; refuse any other (H1, H7)."""
        if len(herd) != len(ANIMALS):
            raise BadInput(f"a herd is a count of each of {', '.join(PLURALS)}, and got {herd}")
        for animal, (count, most) in enumerate(zip(herd, self.most, strict=True)):
            if not 0 <= count <= most:
                raise BadInput(
                    f"a herd cannot have {count} {PLURALS[animal]}: 0 to {most} (H1, H7)"
                )
        return self.number(herd)

    @cached_property
    def counts(self) -> Counts:
        """(animal, herd) how many of each animal each herd has."""
        numbers = np.arange(self.size)
        pairs = zip(self.strides, self.most, strict=True)
        return np.array([numbers // stride % (most + 1) for stride, most in pairs])

    @cached_property
    def packed(self) -> npt.NDArray[np.int64]:
        """Each herd as the engine writes it."""
        steps = [pack([int(animal == one) for one in range(len(ANIMALS))]) for animal in range(6)]
        return np.tensordot(np.array(steps), self.counts, 1)

    @cached_property
    def complete(self) -> npt.NDArray[np.bool_]:
        """H4: which herds are complete."""
        return np.asarray((self.counts[list(HERD_ANIMALS)] > 0).all(0))

    @cached_property
    def trades(self) -> npt.NDArray[np.uint8]:
        """H15: bit t of a herd's entry: trade t can be made; none with a complete herd."""
        legal = np.zeros(self.size, dtype=np.uint8)
        for trade in range(rulebook.NO_TRADE + 1, len(TRADES)):
            if trade == rulebook.TO_DOG and not self.sells_dogs:
                continue
            can_pay = np.all(
                [self.counts[a] >= price for a, price in enumerate(self.rules.prices[trade])], 0
            )
            has_room = self.counts[trade] < self.most[trade]
            legal |= ((can_pay & has_room & ~self.complete) << trade).astype(np.uint8)
        return legal

    @cached_property
    def steps(self) -> npt.NDArray[np.int64]:
        """H15: what each trade adds to a herd's number."""
        paid = [self.number(price) for price in self.rules.prices]
        gained = [0, *self.strides[1:]]
        return np.array(gained) - np.array(paid)

    @cached_property
    def columns(self) -> Columns:
        """H6-H14: what the dice can do."""
        found = self._acts()
        rows = self.counts[:, :: self.in_row]
        targets, maps = [], []
        rabbits = {tuple(range(self.in_row)): SAME_RABBITS}
        for _, act in found:
            target, with_dog, without = self._lead(act, rows)
            targets.append(target)
            places = [rabbits.setdefault(tuple(one), len(rabbits)) for one in (with_dog, without)]
            maps.append(np.where(rows[DOG] > 0, *places))
        total = sum(found.values())
        made = Columns(
            after=np.array([after for after, _ in found]),
            chances=np.array([count / total for count in found.values()]),
            rows=np.ascontiguousarray(np.array(targets, dtype=np.int32).T),
            maps=np.ascontiguousarray(np.array(maps, dtype=np.uint8).T),
            rabbits=np.array(list(rabbits)),
        )
        for array in made:
            array.flags.writeable = False
        return made

    def _acts(self) -> "Counter[tuple[int, Act]]":
        """Return what the dice can do and how often, in 144 * 144 parts."""
        found: Counter[tuple[int, Act]] = Counter()
        shown = rule_tables.faces_of(self.rules)
        losses = Counter(self._losses(*faces) for faces in shown)
        for faces in shown:
            acts, flags = rule_tables.read_roll(self.rules, *faces)
            after = AGAIN if flags & DOUBLE else BOUND if flags & T_CAME else FREE
            if acts == [(rulebook.WOLF, 1)]:
                for lost, count in losses.items():
                    found[after, ("wolf", *lost)] += count
            elif acts == [(rulebook.FOX, 1)]:
                found[after, ("fox",)] += rule_tables.OUTCOMES
            else:
                found[after, ("gain", *acts)] += rule_tables.OUTCOMES
        return Counter(dict(sorted(found.items(), key=lambda item: item[0][0] == AGAIN)))

    def _losses(self, first: int, second: int) -> tuple[int, ...]:
        """H12: return how many of each herd animal the wolf's second roll asks for."""
        lost = [0] * len(HERD_ANIMALS)
        pair = self.rules.wolf_pair_loses
        for face in (first, second) if first != second or pair > 1 else (first,):
            if face in HERD_ANIMALS:
                lost[face] += 1
        return tuple(lost)

    def _lead(self, act: Act, rows: Counts) -> tuple[Any, Any, Any]:
        """Return where an act leads each row, and the map of rabbits with a dog and without."""
        kind, *details = act
        owned = np.arange(self.in_row)
        same = owned.copy()
        gained = np.zeros_like(rows)
        if kind == "fox":  # H11: without a dog, all rabbits but one are lost
            return self._row(rows), same, np.minimum(owned, 1)
        if kind == "wolf":  # H12: the dog is lost, or one of each animal shown, not the last rabbit
            has_dog = rows[DOG] > 0
            gained[DOG] = -1 * has_dog
            for animal in HERD_ANIMALS[1:]:
                gained[animal] = np.where(has_dog, 0, -np.minimum(rows[animal], details[animal]))
            left = np.maximum(np.minimum(owned, 1), owned - details[RABBIT])
            return self._row(rows + gained), same, left
        rabbits = same
        for animal, symbols in details:
            have = owned if animal == RABBIT else rows[animal]
            if animal == DOG:  # H10
                more = (have < self.most[DOG]).astype(np.int64)
            else:  # H7, from what the supply has left (H1)
                grown = [
                    multiply(n, symbols, self.most[animal]) for n in range(int(have.max()) + 1)
                ]
                more = np.array(grown)[have]
            if animal == RABBIT:
                rabbits = owned + more
            else:
                gained[animal] = more
        return self._row(rows + gained), rabbits, rabbits

    def _row(self, counts: Counts) -> npt.NDArray[np.int64]:
        """Return the rows of herds with these counts."""
        numbers: npt.NDArray[np.int64] = np.tensordot(np.array(self.strides), counts, 1)
        return numbers // self.in_row


def lattice_of(rules: HerdRules, dogs: str = SOLD) -> Lattice:
    """Return the solo game with dogs sold, rolled only, or none."""
    dogs = find("way to have dogs", dogs, DOGS)
    if dogs == NONE:
        return Lattice(rules.but(dogs=0))
    return Lattice(rules, sells_dogs=dogs == SOLD)
