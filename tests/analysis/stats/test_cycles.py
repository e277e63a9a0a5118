"""Cycles: known ones, and all small tournaments against a search through all orders."""

from itertools import permutations

import numpy as np
import pytest

from herdlab.analysis.stats.cycles import cycles, in_words

NAMES = ["sceptic", "bluffer", "trader-2", "anchor", "zebra"]


def relation(*pairs: tuple[str, str]) -> np.ndarray:
    beats = np.zeros((len(NAMES), len(NAMES)), dtype=bool)
    for winner, loser in pairs:
        beats[NAMES.index(winner), NAMES.index(loser)] = True
    return beats


def test_a_cycle_is_told_from_its_first_name_on() -> None:
    beats = relation(
        ("trader-2", "sceptic"),
        ("sceptic", "bluffer"),
        ("bluffer", "trader-2"),
        ("bluffer", "zebra"),
    )
    (cycle,) = cycles(NAMES, beats)
    assert cycle == ["bluffer", "trader-2", "sceptic"]
    assert in_words(cycle) == (
        "bluffer beats trader-2, trader-2 beats sceptic, sceptic beats bluffer: "
        "none of them is the best"
    )


def test_where_all_can_be_ranked_there_is_none() -> None:
    ranking = relation(*((a, b) for i, a in enumerate(NAMES) for b in NAMES[i + 1 :]))
    assert cycles(NAMES, ranking) == []
    assert cycles(NAMES, np.zeros((5, 5), dtype=bool)) == []
    assert cycles(NAMES, np.eye(5, dtype=bool)) == []  # nobody beats himself
    assert cycles([], np.zeros((0, 0), dtype=bool)) == []


def test_each_component_has_its_own_cycle() -> None:
    beats = relation(
        ("zebra", "anchor"),
        ("anchor", "zebra"),
        ("zebra", "sceptic"),
        ("sceptic", "bluffer"),
        ("bluffer", "trader-2"),
        ("trader-2", "sceptic"),
    )
    assert cycles(NAMES, beats) == [["anchor", "zebra"], ["bluffer", "trader-2", "sceptic"]]


def test_the_shortest_cycle_is_told_and_of_those_the_first_by_names() -> None:
    long_way = [("anchor", "bluffer"), ("bluffer", "sceptic"), ("sceptic", "trader-2")]
    beats = relation(*long_way, ("trader-2", "zebra"), ("zebra", "anchor"), ("sceptic", "zebra"))
    assert cycles(NAMES, beats) == [["anchor", "bluffer", "sceptic", "zebra"]]
    beats |= relation(("zebra", "bluffer"))
    assert cycles(NAMES, beats) == [["bluffer", "sceptic", "zebra"]]
    beats |= relation(("bluffer", "zebra"))
    assert cycles(NAMES, beats) == [["bluffer", "zebra"]]


def searched(names: list[str], beats: np.ndarray) -> list[list[str]]:
    """Return the cycles by trying every order of every set of names."""
    index = {name: place for place, name in enumerate(names)}
    size = len(names)
    reach = beats & ~np.eye(size, dtype=bool)
    direct = reach.copy()
    for middle in range(size):
        reach |= reach[:, [middle]] & reach[[middle], :]
    found: dict[frozenset[str], list[str]] = {}
    for length in range(2, size + 1):
        for order in permutations(sorted(names), length):
            steps = zip(order, [*order[1:], order[0]], strict=True)
            if order[0] == min(order) and all(direct[index[a], index[b]] for a, b in steps):
                first = index[order[0]]
                together = frozenset(
                    name
                    for name in names
                    if reach[first, index[name]] and reach[index[name], first]
                )
                found.setdefault(together, list(order))
    return [found[together] for together in sorted(found, key=min)]


@pytest.mark.parametrize("density", [0.2, 0.4])
def test_cycles_are_those_of_a_search_through_all_orders(density: float) -> None:
    rng = np.random.default_rng(3)
    with_cycles = 0
    for _ in range(150):
        names = list(rng.permutation(["a", "b", "c", "d", "e", "f"]))
        beats = rng.random((6, 6)) < density
        expected = searched(names, beats)
        assert cycles(names, beats) == expected
        with_cycles += bool(expected)
    assert 30 < with_cycles  # both kinds were seen, or the test would say little
    assert density > 0.3 or with_cycles < 145
