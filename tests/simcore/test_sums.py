"""What rows add up to, number by number."""

import numpy as np
import pytest

from herdlab.simcore.sums import LENGTH, PARTS, WINNERS, Sums, add_up, added


def rows_of(*rows: list[int]) -> np.ndarray:
    return np.array(rows, dtype=np.int32)


@pytest.mark.parametrize("has_parts", [False, True])
def test_rows_add_up(has_parts: bool) -> None:
    """Winners 0 and 2; nobody; 1; all three. Lengths, or parts, and a number of its own."""
    assert (WINNERS, LENGTH, PARTS) == (0, 1, 2) or LENGTH == PARTS == 1
    width = max(LENGTH, PARTS) + 2
    rows = np.zeros((4, width), dtype=np.int32)
    rows[:, WINNERS] = 0b101, 0, 0b010, 0b111
    rows[:, LENGTH] = 3, 0, 3, 5
    rows[:, PARTS] = rows[:, LENGTH] if PARTS == LENGTH else (2, 1, 4, 3)
    rows[:, -1] = 7, -2, 50_000, 1
    wide = rows.astype(int)
    found = add_up(rows, 3, has_parts)
    assert (found.n_players, found.games, found.unfinished) == (3, 4, 1)
    assert found.wins == [[0, 1, 1], [1, 0, 1], [0, 1, 1]]
    assert found.totals == wide.sum(0).tolist()
    assert found.squares == (wide**2).sum(0).tolist()
    assert found.lengths == ([] if has_parts else [1, 0, 0, 2, 0, 1])
    products = (wide * wide[:, [PARTS]]).sum(0).tolist()
    assert found.by_parts == (products if has_parts else [])


def test_no_rows_add_up_to_nothing() -> None:
    found = add_up(np.zeros((0, 4), dtype=np.int32), 2)
    assert found.wins == [[0, 0], [0, 0]] and found.totals == [0, 0, 0, 0]
    assert (found.games, found.unfinished, found.lengths, found.by_parts) == (0, 0, [0], [])


def test_lists_are_added_place_by_place() -> None:
    assert added([1, 2], [10, 20, 30]) == added([10, 20, 30], [1, 2]) == [11, 22, 30]
    assert added([], [4]) == [4] and added([1], [2]) == [3] and added([], []) == []


def test_sums_are_merged() -> None:
    one, none = add_up(rows_of([1, 2, 5, 4]), 2), Sums(2)
    none.add(one)
    assert none == one
    none.add(add_up(rows_of([0, 4, 1, -1], [3, 1, 1, 1]), 2))
    assert (none.games, none.unfinished, none.wins) == (3, 1, [[1, 1], [0, 1]])
    assert none.lengths == [0, 1, 1, 0, 1] and none.totals == [4, 7, 7, 4]
    none.tallies.update({3: 5, 4: 6})
    assert none.tallied(slice(2, 5)) == [0, 5, 6]
