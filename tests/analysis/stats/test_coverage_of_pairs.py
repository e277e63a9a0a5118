"""95 % intervals of tournament pairs and of `advise` cover 93 % at least, the rarest included.

Each check has a companion: the formula of a mean and its standard error is caught (|z| < 5).
"""

import numpy as np
import pytest
from scipy.special import stdtrit

from herdlab.analysis.exact.advise import wins_apart
from herdlab.analysis.stats.estimates import CONFIDENCE, Estimate, difference_of
from herdlab.analysis.studies.standings import _Sample
from tests.analysis.stats.test_rare_outcomes import LEAST, covers
from tests.statistics import mean_of

RUNS, GROUPS = 2000, 50


def by_standard_error(values: np.ndarray) -> Estimate:
    mean, error = float(values.mean()), float(values.std(ddof=1)) / GROUPS**0.5
    half = float(stdtrit(GROUPS - 1, 0.5 + CONFIDENCE / 2)) * error
    return Estimate(mean, mean - half, mean + half, GROUPS)


@pytest.mark.parametrize("expected", [2.0, 3.2, 5.0, 8.0])
def test_pairs_of_which_one_hardly_ever_wins(expected: float) -> None:
    """Tables of two, 200 deals in both orders; so many wins of the weaker are expected."""
    sample = _Sample(1, 1, 200)
    wins = np.random.default_rng(round(10 * expected)).binomial(8, expected / 400, (RUNS, GROUPS))
    values, truth = 1 - wins / 4, 1 - expected / 200
    assert covers([sample.difference(one, 0.0, 1) for one in values], truth)
    if expected > 3:
        assert not covers([by_standard_error(one) for one in values], truth)


@pytest.mark.parametrize("expected", [1.0, 2.0, 4.0, 10.0])
def test_pairs_of_near_copies(expected: float) -> None:
    """So many of 200 deals are expected to differ, all in favour of the same one."""
    sample = _Sample(1, 1, 200)
    won = np.random.default_rng(round(10 * expected)).binomial(4, expected / 200, (RUNS, GROUPS))
    assert covers([sample.difference(one, 0.0, 1) for one in won / 4], expected / 200)


def advised(for_one: int, for_other: int, n: int) -> Estimate:
    return wins_apart(n, for_one, for_other, 0, CONFIDENCE)


def half_a_game_added(for_one: int, for_other: int, n: int) -> Estimate:
    """Return the interval of Agresti and Min (2005), too narrow where one side is rare."""
    mean = (for_one - for_other) / (n + 2)
    half = 1.96 * (for_one + for_other + 1 - mean**2 * (n + 2)) ** 0.5 / (n + 2)
    return Estimate(mean, mean - half, mean + half, n)


@pytest.mark.parametrize("expected", [1.0, 2.0, 4.0, 10.0])
@pytest.mark.parametrize("n", [400, 20_000])
def test_moves_of_which_one_is_hardly_better(n: int, expected: float) -> None:
    won = np.random.default_rng([n, round(expected)]).binomial(n, expected / n, RUNS).tolist()
    assert covers([advised(one, 0, n) for one in won], expected / n)
    if expected == 2:
        assert not covers([half_a_game_added(one, 0, n) for one in won], expected / n)


@pytest.mark.parametrize("expected", [3, 5, 10, 20])
def test_lengths_that_differ_on_few_deals(expected: int) -> None:
    """By a geometric number of turns, the same one always longer; nothing limits it."""
    rng, n, found, old = np.random.default_rng(expected), 400, [], []
    for differing in rng.binomial(n, expected / n, RUNS).tolist():
        sizes = rng.geometric(0.05, differing)
        total, squares = int(sizes.sum()), int((sizes**2).sum())
        if differing:
            found.append(difference_of(total, squares, n, differing))
            old.append(mean_of(total, squares, n))
    assert len(found) > LEAST * RUNS
    assert covers(found, 20 * expected / n)
    if expected < 10:
        assert not covers(old, 20 * expected / n)
