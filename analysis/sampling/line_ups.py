"""Who sits down with whom: the line-ups of a tournament and their seatings."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, permutations
from math import comb, factorial, prod

import numpy as np

from herdlab.simcore.game import Player

ALL_ORDERS = 4
"""Of so many players all 24 orders are played."""

LineUp = tuple[int, ...]
"""Entrants by number, in ascending order, repetition included."""


@dataclass(frozen=True)
class LineUpSample:
    """The line-ups of a tournament."""

    line_ups: list[LineUp]
    weights: list[int]
    """How often each comes up when everybody at the table is drawn at random."""
    possible: int

    @property
    def is_complete(self) -> bool:
        """Whether every possible line-up is there."""
        return len(self.line_ups) == self.possible


def sample_line_ups(entrants: int, size: int, most: int, seed: int) -> LineUpSample:
    """Return all line-ups of `size`, or of too many a seeded sample of at most `most`.

    In the sample every entrant has as many places (within one), dealt at random; a line-up that
    is dealt twice counts twice.
    """
    if count_line_ups(entrants, size) <= most:
        every = list(combinations_with_replacement(range(entrants), size))
        return LineUpSample(every, [arrangements(one) for one in every], len(every))
    rng = np.random.Generator(np.random.PCG64(seed))
    turns = -(-most * size // entrants)
    places = np.concatenate([rng.permutation(entrants) for _ in range(turns)])[: most * size]
    hands = np.sort(rng.permutation(places).reshape(most, size), axis=1).tolist()
    dealt = Counter(map(tuple, hands))
    in_order = sorted(dealt)
    return LineUpSample(in_order, [dealt[one] for one in in_order], count_line_ups(entrants, size))


def count_line_ups(entrants: int, size: int) -> int:
    """Return how many line-ups there are, repetition included."""
    return comb(entrants + size - 1, size)


def copies_of_each(line_ups: Iterable[LineUp], entrants: int) -> list[list[int]]:
    """Return how often each entrant sits in each line-up."""
    return [[line_up.count(entrant) for entrant in range(entrants)] for line_up in line_ups]


def arrangements(line_up: LineUp) -> int:
    """Return in how many different orders a line-up can sit."""
    return factorial(len(line_up)) // prod(factorial(line_up.count(one)) for one in set(line_up))


def seatings(line_up: LineUp, seed: int) -> list[LineUp]:
    """Return the orders in which a line-up is played, every entrant in every seat as often.

    All different ones of up to `ALL_ORDERS` players; of more the rotations of one order, which
    the seed decides.
    """
    if len(line_up) <= ALL_ORDERS:
        return sorted(set(permutations(line_up)))
    rng = np.random.Generator(np.random.PCG64([seed, *line_up]))
    order = rng.permutation(np.array(line_up)).tolist()
    return list(dict.fromkeys(tuple(order[r:] + order[:r]) for r in range(len(order))))


def are_alike(players: Sequence[Player]) -> bool:
    """Whether all play the same, under whatever names: one function, parameters and data."""
    first, *others = players
    return all(
        one.choose is first.choose
        and (one.params, one.flags) == (first.params, first.flags)
        and np.array_equal(one.data, first.data)
        for one in others
    )
