"""Independent races: closed forms, brute force, and races drawn by lot."""

from collections.abc import Sequence
from itertools import product
from math import inf

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from herdlab.simcore.herd.finishing import race, race_turns, unbeaten
from tests.statistics import LARGEST_Z, z_of_mean, z_of_rate

Floats = npt.NDArray[np.float64]
Distributions = Sequence[Sequence[float]]

MIXED = [
    [0.1, 0.2, 0.3, 0.4],
    [0.3, 0.0, 0.3, 0.2, 0.1, 0.1],
    [0.0, 0.5, 0.2],  # three times in ten he never finishes
    [0.25, 0.25, 0.25],
]


def geometric(p: float, turns: int = 2_000) -> Floats:
    return np.asarray(p * (1 - p) ** np.arange(turns))


def brute_force(distributions: Distributions, most: int = 10_000) -> tuple[list[float], float]:
    """Return everybody's chance, and the expected length, over all combinations of turns."""
    n = len(distributions)
    each = [[*enumerate(one, 1), (inf, 1 - sum(one))] for one in distributions]
    won, length = [0.0] * n, 0.0
    for finishes in product(*each):
        chance = float(np.prod([p for _, p in finishes]))
        # the number of the turn at the table in which a seat would finish
        moments = [(turn - 1) * n + seat + 1 for seat, (turn, _) in enumerate(finishes)]
        first = min(moments)
        if first <= most:
            won[moments.index(first)] += chance
        length += chance * min(first, most) if chance else 0
    return won, length


@pytest.mark.parametrize("p, q", [(0.1, 0.1), (0.3, 0.05), (0.02, 0.4), (1.0, 0.5), (0.5, 1.0)])
def test_two_geometric_distributions_have_a_closed_form(p: float, q: float) -> None:
    first = p / (1 - (1 - p) * (1 - q))
    found = race([geometric(p), geometric(q)])
    assert found == pytest.approx([first, (1 - p) * q / (1 - (1 - p) * (1 - q))], abs=1e-12)
    assert sum(found) == pytest.approx(1)
    turns = (1 + (1 - p)) / (1 - (1 - p) * (1 - q))
    assert race_turns([geometric(p), geometric(q)], 10_000) == pytest.approx(turns)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_equals_share_the_wins_and_the_first_is_ahead(n: int) -> None:
    p = 0.07
    found = race([geometric(p)] * n)
    assert sum(found) == pytest.approx(1, abs=1e-12)
    assert found == sorted(found, reverse=True) and found[0] > 1 / n > found[-1]
    kept = [(1 - p) ** seat for seat in range(n)]
    assert found == pytest.approx([one / sum(kept) for one in kept])


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("shift", range(4))
def test_brute_force_over_all_turns(n: int, shift: int) -> None:
    rotated = [*MIXED[shift:], *MIXED[:shift]][:n]
    wanted, _ = brute_force(rotated)
    assert race(rotated) == pytest.approx(wanted, abs=1e-14)
    for most in (1, 2, 5, 7, 40):
        wanted, length = brute_force(rotated, most)
        assert race(rotated, most) == pytest.approx(wanted, abs=1e-14)
        assert race_turns(rotated, most) == pytest.approx(length, abs=1e-12)


def test_who_never_finishes_never_wins() -> None:
    nothing: list[float] = []
    assert race([nothing, geometric(0.2)]) == pytest.approx([0, 1])
    assert race([nothing, [0.0, 0.5]]) == [0, 0.5]
    assert race([nothing, nothing]) == [0, 0]
    assert race_turns([nothing, nothing], 100) == 100


def test_the_first_to_move_wins_a_tie() -> None:
    assert race([[0, 1], [0, 1], [0, 1]]) == [1, 0, 0]
    assert race([[0, 0, 1], [0, 1], [0, 1]]) == [0, 1, 0]
    assert race_turns([[0, 0, 1], [0, 1], [0, 1]], 100) == 5


small = st.lists(st.integers(0, 9), max_size=4)


@given(st.lists(small, min_size=2, max_size=4), st.integers(0, 5))
def test_races_of_any_small_distributions(weights: list[list[int]], missing: int) -> None:
    each = [[w / max(1, sum(one) + missing) for w in one] for one in weights]
    won, length = brute_force(each, 30)
    assert race(each, 30) == pytest.approx(won, abs=1e-12)
    assert race_turns(each, 30) == pytest.approx(length, abs=1e-9)


# ---- the chance to be unbeaten ----


@pytest.mark.parametrize("seat", range(4))
def test_unbeaten_is_what_finishing_is_worth(seat: int) -> None:
    """Who finishes surely in turn t wins with the chance of being unbeaten."""
    rivals = [one for place, one in enumerate(MIXED) if place != seat]
    found = unbeaten(rivals, seat)
    for turn in range(1, 12):
        surely = [0.0] * (turn - 1) + [1.0]
        wins = race([*rivals[:seat], surely, *rivals[seat:]])[seat]
        assert found[min(turn, found.size) - 1] == pytest.approx(wins, abs=1e-14)
    assert (np.diff(found) <= 0).all()


def test_unbeaten_among_rivals_who_may_never_finish() -> None:
    assert unbeaten([[0.5, 0.25]], 0).tolist() == [1, 0.5, 0.25]  # he moves after me
    assert unbeaten([[0.5, 0.25]], 1).tolist() == [0.5, 0.25, 0.25]  # and before me
    assert unbeaten([], 0).tolist() == [1]
    assert unbeaten([[]], 1).tolist() == [1]


def test_what_is_no_distribution_is_refused() -> None:
    for wrong in ([0.5, -0.1], [0.7, 0.7], [[0.5]]):
        with pytest.raises(ValueError, match="no distribution"):
            race([[1.0], wrong])
    with pytest.raises(ValueError, match="no seat 2"):
        unbeaten([[1.0]], 2)


# ---- races drawn by lot ----


def ties_to_the_last(distributions: Distributions) -> list[float]:
    """A fault: the last to move wins a tie."""
    return race(distributions[::-1])[::-1]


@pytest.mark.parametrize("n", [2, 3, 4])
def test_races_drawn_by_lot_agree(n: int) -> None:
    """|z| < 5 for 9 rates and 3 lengths: a false alarm once in 140,000 runs; the fault is seen."""
    rng, games, never = np.random.default_rng(6), 100_000, 1_000
    each = MIXED[:n]
    drawn = np.array(
        [
            rng.choice([*range(1, len(one) + 1), never], games, p=[*one, max(0.0, 1 - sum(one))])
            for one in each
        ]
    )
    moments = (drawn - 1) * n + np.arange(n)[:, None] + 1
    first, length = moments.argmin(0), moments.min(0)
    assert (length < never).all()
    wins, faulty = race(each), ties_to_the_last(each)
    seen = [int((first == seat).sum()) for seat in range(n)]
    assert all(abs(z_of_rate(seen[s], games, wins[s])) < LARGEST_Z for s in range(n))
    exact = race_turns(each, 10_000)
    assert abs(z_of_mean(length.mean(), length.std(ddof=1), games, exact)) < LARGEST_Z
    assert any(abs(z_of_rate(seen[s], games, faulty[s])) > LARGEST_Z for s in range(n))
