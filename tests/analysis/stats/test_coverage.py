"""95 % intervals cover the truth as often as theory says, over thousands of small experiments.

Each check has a companion: the same intervals, a fifth narrower, do not pass.
"""

from collections.abc import Iterable
from functools import cache

import numpy as np
import numpy.typing as npt
import pytest
from scipy.special import bdtr

from herdlab.analysis.runs.runner import on_threads
from herdlab.analysis.sampling.deal_sums import won_by_seat
from herdlab.analysis.sampling.paired_estimates import PairedEstimates
from herdlab.analysis.sampling.paired_samples import PairedSamples, PairedSums, in_every_seat
from herdlab.analysis.stats.estimates import Estimate, difference_of, wilson
from herdlab.simcore.game import find_game
from herdlab.simcore.sums import WINNERS, add_up
from tests.statistics import LARGEST_Z, z_of_rate

HERD = find_game("herd")
RUNS = 2000
STATED = 0.95
NARROW = 0.8


def covering(found: Iterable[Estimate], truth: float, width: float = 1.0) -> int:
    """Return how many intervals, made narrower or not, have the truth in them."""
    inside = 0
    for one in found:
        low = one.value - width * (one.value - one.low)
        inside += low <= truth <= one.value + width * (one.high - one.value)
    return inside


def check(found: list[Estimate], truth: float, theory: float = STATED) -> None:
    assert len(found) == RUNS
    assert abs(z_of_rate(covering(found, truth), RUNS, theory)) < LARGEST_Z
    assert z_of_rate(covering(found, truth, NARROW), RUNS, theory) < -LARGEST_Z


# ---- win rates ----


@cache
def exact_coverage(n: int, p: float) -> float:
    """Return the chance that Wilson's interval has p in it, from the binomial distribution."""
    inside = [k for k in range(n + 1) if (one := wilson(k, n)).low <= p <= one.high]
    assert inside == list(range(inside[0], inside[-1] + 1))
    return float(bdtr(inside[-1], n, p) - bdtr(inside[0] - 1, n, p))


@pytest.mark.parametrize("n", [400, 1000])
@pytest.mark.parametrize("p", [0.1, 0.25, 1 / 3, 0.5, 0.9])
def test_win_rates(n: int, p: float) -> None:
    wins = np.random.default_rng([n, round(1000 * p)]).binomial(n, p, RUNS).tolist()
    theory = exact_coverage(n, p)
    assert 0.935 < theory < 0.965
    check([wilson(one, n) for one in wins], p, theory)


# ---- shared wins ----


@pytest.mark.parametrize(
    ("n", "chances"),
    [
        # P(nobody, seat 0, seat 1, both, all three of three), for seats 0 … 2
        (400, [0.0, 0.3, 0.2, 0.3, 0.2]),
        (400, [0.7, 0.05, 0.05, 0.1, 0.1]),
        (600, [0.1, 0.7, 0.0, 0.2, 0.0]),
    ],
)
def test_shared_wins(n: int, chances: list[float]) -> None:
    """Through the sums of rows, as `simulate` does it."""
    masks = np.array([0b000, 0b001, 0b010, 0b011, 0b111])
    shares = np.array([0, 1, 0, 1 / 2, 1 / 3])
    truth = float(shares @ np.array(chances))
    assert 0.1 <= truth <= 0.9
    rng = np.random.default_rng([n, *[round(100 * one) for one in chances]])
    rows = np.zeros((n, 3), dtype=np.int32)
    found = []
    for _ in range(RUNS):
        rows[:, WINNERS] = rng.choice(masks, n, p=chances)
        sums = add_up(rows, 3)
        found.append(won_by_seat(sums)[0].rate(n))
    check(found, truth)
    # A shared win is not a coin's: Wilson's interval about the mean would be too wide.
    as_if_whole = covering([wilson(round(one.value * n), n) for one in found], truth)
    assert z_of_rate(as_if_whole, RUNS, STATED) > LARGEST_Z


# ---- paired differences ----


@cache
def samples() -> PairedSamples:
    contenders = [
        in_every_seat(HERD.rules_type(), who, ["random"]) for who in ("keeper", "climber")
    ]
    return PairedSamples(HERD, contenders, "win", 0)


def paired(a: npt.NDArray[np.int64], b: npt.NDArray[np.int64]) -> PairedEstimates:
    """Return two contenders measured, from their values on each deal in units of the scale."""
    values = np.stack([a, b])
    none = samples().empty()
    sums = PairedSums(
        a.size,
        values.sum(1).astype(object),
        (values @ values.T).astype(object),
        none.seat_totals,
        none.seat_squares,
        np.array([0, int((a != b).sum())], dtype=object),
    )
    return PairedEstimates(samples(), sums)


@pytest.mark.parametrize("n", [400, 900])
@pytest.mark.parametrize("apart", [0.05, 0.3, 1.0])
def test_paired_differences(n: int, apart: float) -> None:
    """Two contenders that meet the same deals and come apart on a part of the deals."""
    scale = samples().scales[0]
    assert scale == samples().scales[1] == 4  # two seats, halves of a win
    rng = np.random.default_rng([n, round(100 * apart)])
    p, better = 0.4, 0.1  # better on the deals on which they come apart
    truth = apart * better
    found, unpaired = [], []
    for _ in range(RUNS):
        common = rng.binomial(2, p, n) * 2
        own = rng.binomial(2, p + better, n) * 2
        measured = paired(np.where(rng.random(n) < apart, own, common), common)
        found.append(measured.difference(0, 1))
        unpaired.append(two_means(measured))
    check(found, truth)
    if apart < 0.5:  # the pairing counts: without it nearly all cover
        assert z_of_rate(covering(unpaired, truth), RUNS, STATED) > LARGEST_Z


def two_means(found: PairedEstimates) -> Estimate:
    """Return the difference with the interval of two independent means."""
    a, b = found.mean(0), found.mean(1)
    half = np.hypot(a.high - a.value, b.high - b.value)
    value = a.value - b.value
    return Estimate(value, value - half, value + half, a.n)


def test_paired_differences_of_real_games_with_equal_strategies() -> None:
    """At a table of two, `skunk=left` does what `random` does, on other choices: the truth is 0."""
    n, runs = 400, 300
    contenders = [
        in_every_seat(HERD.rules_type(), who, ["keeper"]) for who in ("random", "random:skunk=left")
    ]
    real = PairedSamples(HERD, contenders, "length", 17)
    found = []
    for run in range(runs):
        found.append(
            real.measure(range(run * n, run * n + n), runner=on_threads(2)).difference(0, 1)
        )
    assert abs(z_of_rate(covering(found, 0.0), runs, STATED)) < LARGEST_Z
    assert covering(found, 0.0, NARROW) < covering(found, 0.0)
    assert z_of_rate(covering(found, 0.0, 0.6), runs, STATED) < -LARGEST_Z


# ---- differences of two contenders that both differ from the first ----


@cache
def of_three(metric: str) -> PairedSamples:
    contenders = [in_every_seat(HERD.rules_type(), who, ["random"]) for who in ("hermit", "keeper")]
    contenders.append(in_every_seat(HERD.rules_type(), "climber", ["random"]))
    return PairedSamples(HERD, contenders, metric, 0)


def three(metric: str, values: npt.NDArray[np.int64]) -> PairedEstimates:
    none = of_three(metric).empty()
    differing = [int((one != values[0]).sum()) for one in values]
    sums = PairedSums(
        values.shape[1],
        values.sum(1).astype(object),
        (values @ values.T).astype(object),
        none.seat_totals,
        none.seat_squares,
        np.array(differing, dtype=object),
    )
    return PairedEstimates(of_three(metric), sums)


@pytest.mark.parametrize("metric", ["win", "length"])
@pytest.mark.parametrize("expected", [0.3, 1.0, 3.0, 10.0])
def test_two_that_differ_on_few_deals_and_from_the_first_on_many(
    metric: str, expected: float
) -> None:
    """As points of a sweep do, or rules in `race`; how many deals differ is then not counted."""
    n, runs, scale = 400, 400, of_three(metric).scales[0]
    rng, found, old = np.random.default_rng([n, round(10 * expected)]), [], []
    for _ in range(runs):
        first, usual = rng.binomial(2, 0.5, (2, n)) * scale // 4
        more: npt.NDArray[np.int64] = np.full(n, scale // 2)
        if metric == "length":
            first, usual = (np.round(rng.gamma(6, 10, (2, n)) * scale)).astype(np.int64)
            more = rng.geometric(0.05, n) * scale
        is_other = rng.random(n) < expected / n
        measured = three(metric, np.stack([first, usual, usual + more * is_other]))
        found.append(measured.difference(2, 1))
        total, squares = measured.added_up(2, 1)
        old.append(difference_of(total, squares, n, n))
    truth = expected / n * (20 if metric == "length" else 0.5)
    assert z_of_rate(covering(found, truth), runs, 0.93) > -LARGEST_Z
    if expected < 3:  # as if all deals differed
        assert z_of_rate(covering(old, truth), runs, 0.93) < -LARGEST_Z


def test_events_that_never_happened_may_differ_after_all() -> None:
    found = three("length", np.zeros((3, 400), dtype=np.int64)).difference(2, 1)
    assert found.value == 0 and -0.1 < found.low < 0 < found.high < 0.1
