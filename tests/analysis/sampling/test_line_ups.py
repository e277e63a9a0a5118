"""Line-ups: all of them or a balanced sample, and seatings that favour nobody."""

from collections import Counter
from itertools import combinations_with_replacement, product
from math import comb, factorial

import pytest

from herdlab.analysis.sampling.line_ups import (
    LineUp,
    arrangements,
    copies_of_each,
    sample_line_ups,
    seatings,
)


def places(line_ups: list[LineUp], weights: list[int]) -> Counter[int]:
    """Return how many places each entrant has, a line-up counting as often as its weight."""
    found: Counter[int] = Counter()
    for line_up, weight in zip(line_ups, weights, strict=True):
        for entrant in line_up:
            found[entrant] += weight
    return found


# ---- all of them ----


def test_eight_entrants_four_at_a_table() -> None:
    drawn = sample_line_ups(8, 4, 1000, 0)
    assert len(drawn.line_ups) == drawn.possible == 330 and drawn.is_complete
    assert sum(len(seatings(one, 0)) for one in drawn.line_ups) == 4096 == sum(drawn.weights)


@pytest.mark.parametrize(
    ("entrants", "size"), [(2, 2), (3, 2), (5, 2), (4, 3), (3, 4), (6, 4), (3, 6)]
)
def test_every_line_up_is_there_once_and_counts_as_often_as_it_is_drawn(
    entrants: int, size: int
) -> None:
    drawn = sample_line_ups(entrants, size, 10_000, 5)
    orders = Counter(tuple(sorted(one)) for one in product(range(entrants), repeat=size))
    assert dict(zip(drawn.line_ups, drawn.weights, strict=True)) == orders
    assert len(drawn.line_ups) == len(set(drawn.line_ups)) == drawn.possible
    assert drawn.possible == comb(entrants + size - 1, size)
    assert sum(drawn.weights) == entrants**size
    assert len(set(places(drawn.line_ups, drawn.weights).values())) == 1


def test_all_are_played_up_to_the_most_that_are_allowed() -> None:
    assert sample_line_ups(8, 4, 330, 1).is_complete
    assert not sample_line_ups(8, 4, 329, 1).is_complete


def test_copies_and_arrangements() -> None:
    assert copies_of_each([(0, 0, 2), (1, 2, 3)], 4) == [[2, 0, 1, 0], [0, 1, 1, 1]]
    assert [arrangements(one) for one in [(0, 0), (0, 1), (0, 0, 1), (0, 1, 2, 3)]] == [1, 2, 3, 24]
    assert arrangements((0, 0, 1, 1, 2)) == factorial(5) // 4


# ---- a sample ----


@pytest.mark.parametrize(
    ("entrants", "size", "most"), [(8, 4, 50), (8, 4, 329), (20, 4, 333), (7, 5, 100), (14, 3, 14)]
)
@pytest.mark.parametrize("seed", [0, 1, 2**63])
def test_in_a_sample_everybody_has_as_many_places_within_one(
    entrants: int, size: int, most: int, seed: int
) -> None:
    drawn = sample_line_ups(entrants, size, most, seed)
    assert not drawn.is_complete and drawn.possible == comb(entrants + size - 1, size)
    assert sum(drawn.weights) == most >= len(drawn.line_ups)
    assert all(list(one) == sorted(one) and len(one) == size for one in drawn.line_ups)
    assert len(set(drawn.line_ups)) == len(drawn.line_ups)
    found = places(drawn.line_ups, drawn.weights)
    assert sorted(found) == list(range(entrants))
    assert max(found.values()) - min(found.values()) <= 1
    assert (max(found.values()) == min(found.values())) == (most * size % entrants == 0)


def test_a_sample_is_the_seeds() -> None:
    assert sample_line_ups(8, 4, 50, 3) == sample_line_ups(8, 4, 50, 3)
    assert sample_line_ups(8, 4, 50, 3).line_ups != sample_line_ups(8, 4, 50, 4).line_ups


def test_a_sample_is_dealt_at_random() -> None:
    """Over many seeds every line-up of 4 entrants, 2 at a table, comes as often as it should.

    Eight places, two of each entrant, are dealt to four tables of two.  At a table, both places are
    one given entrant's with a chance of 1/28, and of two given entrants with 4/28.
    """
    runs, seen = 2000, Counter[LineUp]()
    for seed in range(runs):
        drawn = sample_line_ups(4, 2, 4, seed)
        for line_up, weight in zip(drawn.line_ups, drawn.weights, strict=True):
            seen[line_up] += weight
    assert set(seen) == set(combinations_with_replacement(range(4), 2))
    for line_up, count in seen.items():
        mean = 1 / 7 if line_up[0] == line_up[1] else 4 / 7
        assert abs(count / runs - mean) < 5 * (mean / runs) ** 0.5


# ---- seatings ----

LINE_UPS = [
    (0, 1),
    (0, 0),
    (0, 1, 2),
    (0, 0, 1),
    (3, 3, 3),
    (0, 1, 2, 3),
    (0, 0, 1, 1),
    (0, 0, 0, 1),
    (0, 1, 2, 3, 4),
    (0, 0, 1, 1, 1),
    (2, 2, 2, 2, 2),
    (0, 0, 0, 1, 1, 1),
    (0, 0, 1, 1, 2, 2),
    (0, 1, 2, 3, 4, 5),
    (0, 0, 1, 2, 2, 5, 6),
    (0, 0, 0, 0, 1, 1, 1, 1),
    (0, 0, 1, 1, 2, 2, 3, 3),
    (0, 1, 2, 3, 4, 5, 6, 7),
]


@pytest.mark.parametrize("line_up", LINE_UPS)
def test_everybody_sits_in_every_seat_as_often(line_up: LineUp) -> None:
    for seed in range(20):
        orders = seatings(line_up, seed)
        assert all(tuple(sorted(one)) == line_up for one in orders)
        assert len(set(orders)) == len(orders)
        for seat in range(len(line_up)):
            sat = Counter(one[seat] for one in orders)
            for entrant in set(line_up):
                assert sat[entrant] * len(line_up) == len(orders) * line_up.count(entrant)


@pytest.mark.parametrize("line_up", LINE_UPS)
def test_up_to_four_players_sit_in_all_orders_and_more_go_round(line_up: LineUp) -> None:
    orders = seatings(line_up, 7)
    if len(line_up) <= 4:
        assert len(orders) == arrangements(line_up)
    else:
        turned = {orders[0][r:] + orders[0][:r] for r in range(len(line_up))}
        assert set(orders) == turned
    assert seatings(line_up, 7) == orders


def test_the_order_at_large_tables_is_the_seeds() -> None:
    first = {tuple(sorted(seatings((0, 1, 2, 3, 4, 5), seed))) for seed in range(10)}
    assert len(first) > 5


def test_samples_and_orders_are_those_of_saved_results() -> None:
    """Saved tournaments have their seed alone, and are played again from it."""
    drawn = sample_line_ups(5, 3, 4, 7)
    assert (drawn.line_ups, drawn.weights) == (
        [(0, 2, 4), (0, 3, 4), (1, 2, 2), (1, 3, 4)],
        [1, 1, 1, 1],
    )
    assert seatings((0, 1, 2, 3, 4), 7)[0] == (4, 2, 1, 0, 3)
