"""Two rates in balance: where nobody gains by another, found from pulls with their noise."""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.runs.runner import on_threads
from herdlab.analysis.sampling.paired_samples import PairedSamples, in_every_seat
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.studies import two_rate_equilibrium as balancing
from herdlab.analysis.studies.two_rate_equilibrium import (
    GROUPS,
    Floats,
    FreshDeals,
    GainPlane,
    Rates,
    TwoRateGame,
    break_even,
    estimates,
    find_equilibrium,
    jackknifed,
)
from herdlab.simcore.game import find_game

GAME = find_game("horse-trader")
SCENE = Experiment(GAME, GAME.rules_type.from_settings({"advanced": True}), 5)


def player(bluffs: float, calls: float) -> str:
    """Says two and commits one: pieces alone say 2/5 and 1/5."""
    return f"dealer:bluff_2={bluffs:g}:call_1={calls:g}:call_2={calls:g}"


TABLE = TwoRateGame(SCENE, 3, player)


# ---- figures from groups ----


def test_the_jackknife_of_a_mean_is_its_standard_error() -> None:
    values = np.random.Generator(np.random.PCG64(1)).normal(2, 1, (GROUPS, 3))
    for column, one in enumerate(estimates(values)):
        assert one.value == pytest.approx(values[:, column].mean())
        half = 2.1314 * values[:, column].std(ddof=1) / GROUPS**0.5  # Student, 15 degrees
        assert one.high - one.value == pytest.approx(half, rel=1e-4)
        assert one.value - one.low == pytest.approx(half, rel=1e-4)


def test_the_jackknife_covers_a_ratio_as_often_as_it_says() -> None:
    rng, hits, runs = np.random.Generator(np.random.PCG64(2)), 0, 400
    for _ in range(runs):
        values = rng.normal((3, 2), 0.4, (GROUPS, 2))
        one = jackknifed(values, lambda means: means[:1] / means[1:])[0]
        hits += one.low <= 1.5 <= one.high
    assert 0.92 <= hits / runs <= 0.98


def test_deals_are_taken_one_after_another_whatever_the_threads() -> None:
    contenders = [TABLE.among((1, 0), (0, 0)), TABLE.among((0.3, 0.2), (0.4, 0.2))]
    found = []
    for threads in (1, 2):
        deals = FreshDeals(SCENE, on_threads(threads))
        found.append([deals.groups(contenders, 40), deals.groups(contenders, 16)])
        assert deals.taken == 48 + 16  # whole groups
        assert deals.games == 64 * 6
    for one, other in zip(*found, strict=True):
        assert (one == other).all()
    samples = PairedSamples(GAME, contenders, "win", SCENE.seed)
    for values, part in zip(found[0], (range(48), range(48, 64)), strict=True):
        measured = samples.measure(part)
        assert values.mean(0) == pytest.approx(
            [measured.mean(contender).value for contender in (0, 1)]
        )


# ---- where a plane of pulls is at rest ----

Pull = Callable[[float, float], float]


def plane_of(first: Pull, second: Pull, rates: tuple[float, ...]) -> GainPlane:
    gains = np.zeros((2, len(rates), len(rates)))
    for (i, x), (j, y) in product(enumerate(rates), enumerate(rates)):
        gains[:, i, j] = first(x, y), second(x, y)
    return GainPlane(rates, gains)


CASES: list[tuple[Pull, Pull, tuple[float, float]]] = [
    (
        lambda x, y: 0.3 - y,
        lambda x, y: x - 0.6,
        (0.6, 0.3),
    ),  # round and round, as bluffs and calls
    (lambda x, y: 0.5 - x, lambda x, y: 0.2 - y, (0.5, 0.2)),
    (lambda x, y: 0.1, lambda x, y: x - 0.6, (1.0, 1.0)),  # the first always pays
    (lambda x, y: -0.1, lambda x, y: x - 0.6, (0.0, 0.0)),
    (lambda x, y: 0.1, lambda x, y: 0.25 - y, (1.0, 0.25)),
    (lambda x, y: 0.3 - y, lambda x, y: -0.2, (1.0, 0.0)),  # nobody calls
]


@pytest.mark.parametrize(("first", "second", "rest"), CASES)
def test_the_balance_is_where_pulls_leave_the_rates_alone(
    first: Pull, second: Pull, rest: tuple[float, float]
) -> None:
    plane = plane_of(first, second, (0, 0.25, 0.5, 0.75, 1))
    assert plane.start() == pytest.approx(rest, abs=0.011)
    planes = np.array(
        [[pull(0, 0), pull(1, 0) - pull(0, 0), pull(0, 1) - pull(0, 0)] for pull in (first, second)]
    )
    assert balancing._at_rest(planes) == pytest.approx(rest)


def test_a_crossing_lies_between_its_neighbours_or_nowhere() -> None:
    at = (0.1, 0.2, 0.4)
    assert balancing._crossing(at, np.array([0.3, 0.1, -0.1])) == pytest.approx(0.3)
    assert np.isnan(balancing._crossing(at, np.array([0.3, 0.2, 0.1])))
    assert np.isnan(balancing._crossing(at, np.array([-0.3, -0.2, 0.1])))  # it rises


def test_a_box_stays_within_the_rates_and_solves_what_it_is_told() -> None:
    box = balancing._Box.around((0.02, 0.97), 0.05)
    assert all(0 <= rate <= 1 for field in box.fields for rate in field)
    assert len(box.fields) == 9
    wins = []
    for (x, y), (mine, own), _ in box._trials():
        wins.append(0.3 + (mine - x) * (0.9 - y) + (own - y) * (x - 0.1))
    assert box.solve(np.array(wins)) == pytest.approx([0.1, 0.9])


def rate(value: float, half: float = 0.0) -> Estimate:
    return Estimate(value, value - half, value + half, GROUPS)


def test_a_rate_at_its_end_is_known_only_where_its_pull_holds_it_there() -> None:
    assert balancing._within(rate(0.0), rate(-0.2, 0.1)) == (rate(0.0), True)
    assert balancing._within(rate(1.0), rate(0.2, 0.1)) == (rate(1.0), True)
    low, is_held = balancing._within(rate(0.0), rate(-0.2, 0.3))
    assert [low.low, low.value, low.high] == pytest.approx([0, 0, 0.1]) and not is_held
    high, is_held = balancing._within(rate(1.0), rate(0.2, 0.3))
    assert [high.low, high.value, high.high] == pytest.approx([0.9, 1, 1]) and not is_held
    inside, is_held = balancing._within(rate(0.02, 0.05), rate(0.0, 0.1))
    assert [inside.low, inside.high] == pytest.approx([0, 0.07]) and not is_held


class Rehearsed:
    """A table and its deals in one: pulls cross at (0.6, 0.3), with noise of a known size."""

    def __init__(self, of_x: float, of_y: float) -> None:
        self.of_x, self.of_y = of_x, of_y
        self.asked: list[int] = []
        self.tables: list[Rates] = []

    def among(self, mine: Rates, others: Rates) -> tuple[Rates, Rates]:
        return mine, others

    def groups(
        self, contenders: list[tuple[Rates, Rates]], number: int, on_progress: object = None
    ) -> Floats:
        """Half of the groups see the balance farther up, and as many farther down."""
        self.asked.append(number)
        self.tables = list(dict.fromkeys(others for _, others in contenders))
        return np.array(
            [
                [
                    0.3
                    + (mine[0] - x) * (0.3 + sign * self.of_y - y)
                    + (mine[1] - y) * (x - 0.6 - sign * self.of_x)
                    for mine, (x, y) in contenders
                ]
                for sign in (1, -1) * (GROUPS // 2)
            ]
        )


@pytest.mark.parametrize(
    ("of_x", "of_y", "half_width", "number"),
    [
        (0.02, 0.01, 0.005, 156),  # a half-width of 0.011007 on 32 deals: 32 x 4.846 = 155.07
        (0.01, 0.02, 0.005, 156),  # whichever rate is the less certain
        (0.02, 0.01, 0.02, 32),  # never fewer than the pilot
        (0.02, 0.01, 0.001, 1000),  # never more than the most
        (0.02, 0.01, None, 1000),
    ],
)
def test_the_last_measurement_is_planned_for_the_half_width(
    of_x: float, of_y: float, half_width: float | None, number: int
) -> None:
    """The standard error of 16 groups of ± 0.02 is 0.02 / √15; Student's 2.1314 makes 0.011007."""
    stage: Any = Rehearsed(of_x, of_y)
    found = find_equilibrium(stage, stage, (0.5, 0.4), pilot=32, most=1000, half_width=half_width)
    assert stage.asked == [32, 32, 32, number] and found.deals == number
    for one, middle, noise in ((found.x, 0.6, of_x), (found.y, 0.3, of_y)):
        half = 2.13145 * noise / 15**0.5
        assert [one.low, one.value, one.high] == pytest.approx(
            [middle - half, middle, middle + half], rel=1e-5
        )


@pytest.mark.parametrize(
    ("near", "tried"),
    [
        (0.26, [0.14, 0.18, 0.22, 0.26, 0.30, 0.34, 0.38]),
        (0.33, [0.21, 0.25, 0.29, 0.33, 0.37, 0.41, 0.45]),
        (0.05, [0.01, 0.05, 0.09, 0.13, 0.17]),  # no rates below 0
    ],
)
def test_a_break_even_is_looked_for_in_even_steps(near: float, tried: list[float]) -> None:
    """Always gains 0.3 - y more than never, so 0.3 is where it breaks even, if that is near."""
    stage: Any = Rehearsed(0.0, 0.02)
    found = break_even(stage, stage, 0.4, near, 32)
    assert stage.tables == [(0.4, y) for y in tried]
    if near == 0.05:
        assert found is None
    else:
        half = 2.13145 * 0.02 / 15**0.5
        assert found is not None
        assert [found.low, found.value, found.high] == pytest.approx(
            [0.3 - half, 0.3, 0.3 + half], rel=1e-5
        )


# ---- in the game ----


def test_bluffs_and_calls_balance_near_what_the_pieces_say() -> None:
    deals = FreshDeals(SCENE)
    whole = balancing.gain_plane(TABLE, deals, (0, 0.25, 0.5, 0.75, 1), 32)
    assert whole.start() == pytest.approx((0.4, 0.2), abs=0.12)
    found = find_equilibrium(TABLE, deals, whole.start(), pilot=32, most=400, half_width=0.02)
    assert found.is_found and 32 <= found.deals <= 400
    assert found.rates == pytest.approx((0.4, 0.2), abs=0.05)
    assert found.held == (False, False)
    for one in (found.x, found.y):
        assert one.low < one.value < one.high and one.high - one.low < 0.1


def test_a_bluff_breaks_even_near_what_the_pieces_say() -> None:
    found = break_even(TABLE, FreshDeals(SCENE), 0.4, 0.2, 160)
    assert found is not None and found.value == pytest.approx(0.2, abs=0.03)
    assert found.low < found.value < found.high
    surer = break_even(TABLE, FreshDeals(SCENE), 0.4, 0.2, 160, confidence=0.99)
    assert surer is not None and surer.value == found.value and surer.low < found.low
    assert break_even(TABLE, FreshDeals(SCENE), 0.4, 0.8, 32) is None  # nowhere near


def test_a_table_seats_one_among_others() -> None:
    assert TABLE.among((1, 0), (0, 0.5)) == in_every_seat(
        SCENE.rules, player(1, 0), [player(0, 0.5)] * 2
    )


@pytest.mark.parametrize("centre", [(0.02, 0.97), (0.97, 0.02), (0.5, 0.5)])
def test_who_tries_out_another_rate_stays_within_0_and_1(centre: tuple[float, float]) -> None:
    """A quarter more and a quarter less where there is room; how far apart is what is left."""
    trials = list(balancing._Box.around(centre, 0.05)._trials())
    assert len(trials) == 9 * 4
    for (more, less), axis in zip(
        zip(trials[::2], trials[1::2], strict=True), 18 * [0, 1], strict=False
    ):
        at, highest, apart = more
        assert less[0] == at and less[2] == apart
        assert highest[1 - axis] == less[1][1 - axis] == at[1 - axis]
        assert highest[axis] == min(1.0, at[axis] + 0.25)
        assert less[1][axis] == max(0.0, at[axis] - 0.25)
        assert apart == highest[axis] - less[1][axis]
