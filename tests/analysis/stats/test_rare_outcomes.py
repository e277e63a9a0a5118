"""95 % intervals cover where outcomes are rare, or where nearly every deal comes out the same.

The least that an interval may cover is 93 %; each check has a companion in which the interval of a
mean and its standard error, which collapses there, is caught.
"""

from collections.abc import Callable, Sequence
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy.special import bdtr, pdtr

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.runs.run_options import names
from herdlab.analysis.sampling.deal_sums import deal_sums
from herdlab.analysis.sampling.line_ups import copies_of_each, sample_line_ups, seatings
from herdlab.analysis.sampling.lineup_runner import LineUpRunner
from herdlab.analysis.stats.estimates import Estimate, rate_of, ratio_of, wilson
from herdlab.analysis.stats.variance_shares import VarianceSums, variance_shares
from herdlab.analysis.studies.luck import LuckRequest, RedrawnDeals, _redrawn
from herdlab.analysis.studies.simulation import SimulateRequest, Simulation, simulation_of
from herdlab.analysis.studies.standings import standings
from herdlab.simcore.game import find_game
from tests.analysis.studies.test_standings import GROUPS, World, named
from tests.statistics import LARGEST_Z, mean_of, z_of_rate

LEAST = 0.93
RUNS = 2000


def is_inside(one: Estimate, truth: float) -> bool:
    return one.low - 1e-12 <= truth <= one.high + 1e-12


def covers(found: Sequence[Estimate], truth: float) -> bool:
    """Whether so many have the truth in them that it may be 93 % (|z| < 5)."""
    inside = sum(is_inside(one, truth) for one in found)
    return z_of_rate(inside, len(found), LEAST) > -LARGEST_Z


# ---- synthetic rates and counts ----


def binomial_coverage(n: int, p: float, interval: Callable[[int], Estimate]) -> float:
    """Return the exact chance that the interval of a rate has the truth in it."""
    most = min(n, int(n * p + 10 * sqrt(n * p) + 20))
    chances = np.diff([0.0, *(float(bdtr(k, n, p)) for k in range(most + 1))])
    return float(chances @ np.array([is_inside(interval(k), p) for k in range(most + 1)]))


def poisson_coverage(expected: float, interval: Callable[[int], Estimate], unit: float) -> float:
    """Return the exact chance that an interval of a Poisson count has the truth in it."""
    most = int(expected + 10 * sqrt(expected) + 20)
    counts = range(most + 1)
    chances = np.diff([0.0, *(float(pdtr(k, expected)) for k in counts)])
    inside = [is_inside(interval(k), expected * unit) for k in counts]
    return float(chances @ np.array(inside))


@pytest.mark.parametrize("n", [400, 1000, 100_000])
def test_rare_successes_and_rare_events(n: int) -> None:
    """Whatever number is expected, by the exact law; Wilson's own bounds cover 84 % at 0.17."""
    for expected in np.geomspace(0.01, 60, 300):
        p = expected / n
        assert binomial_coverage(n, p, lambda k: wilson(k, n)) > LEAST
        assert binomial_coverage(n, p, lambda k: rate_of(k, k, n)) > LEAST
        assert binomial_coverage(n, p, lambda k: ratio_of(k, k, k, n, n, n)) > LEAST
    assert binomial_coverage(n, 0.5 / n, lambda k: mean_of(k, k, n)) < 0.5


@pytest.mark.parametrize("size", [1, 5, 10])
@pytest.mark.parametrize("expected", [0.1, 0.5, 1.0, 2.0, 4.0, 8.0])
def test_rare_events_that_count_more_than_one(size: int, expected: float) -> None:
    """An event of a session of four: what it counts is declared, or seen."""
    n, parts = 400, 1600

    def counted(k: int) -> Estimate:
        return ratio_of(k * size, k * size**2, 4 * k * size, parts, 16 * n, n, size=size)

    assert poisson_coverage(expected, counted, size / parts) > LEAST


@pytest.mark.parametrize("share", [0.5, 1 / 3, 0.25])
@pytest.mark.parametrize("differing", [0.2, 0.5, 1.0, 2.0, 5.0, 20.0, 100.0])
@pytest.mark.parametrize("better", [0.0, 0.5, 1.0])
def test_near_copies(share: float, differing: float, better: float) -> None:
    """`differing` deals in a sample of 400 on which one of them wins all its games, or none."""
    n, scale = 400, 12
    rng = np.random.default_rng([round(100 * share), round(10 * differing), round(10 * better)])
    values = np.full((RUNS, n), round(share * scale))
    is_other = rng.random(values.shape) < differing / n
    is_won = rng.random(values.shape) < better
    values[is_other & is_won], values[is_other & ~is_won] = scale, 0
    truth = share + differing / n * (better * (1 - share) - (1 - better) * share)
    totals, squares = values.sum(1).tolist(), (values**2).sum(1).tolist()
    sums = list(zip(totals, squares, strict=True))
    assert covers([rate_of(a, b, n, scale=scale) for a, b in sums], truth)
    if differing < 2 and better != 0.5:
        assert not covers([mean_of(a, b, n, scale=scale) for a, b in sums], truth)


def test_what_was_never_seen_of_one_is_as_large_as_it_is_seen_of_others() -> None:
    found = result("barnyard", "collector,miser,random", range(400), seed=4).events["points_run"]
    assert found[2].value == found[2].low == 0
    assert 9 * 3.84 / 1600 < found[2].high < 11 * 3.84 / 1600


# ---- everything that `simulate` prints ----


def seated(game: str, players: str, rotate: bool, seed: int, **settings: Any) -> Any:
    known = find_game(game)
    experiment = Experiment(known, known.rules_type.from_settings(settings), seed)
    request = SimulateRequest(experiment, names(players), 400, rotate=rotate)
    return request, LineUpRunner(experiment, request.players, rotate, False)


def read(request: SimulateRequest, table: LineUpRunner, sums: Any) -> Simulation:
    played = deal_sums(request.experiment.game, sums, table.groups)
    return simulation_of(request, table, played, None, 1.0)


def result(game: str, players: str, deals: range, *, rotate: bool = False, seed: int) -> Simulation:
    request, table = seated(game, players, rotate, seed)
    return read(request, table, table.play(deals))


def intervals(found: Simulation) -> dict[tuple[str, int], Estimate]:
    """Return all intervals but those of curves."""
    each = {("length", 0): found.length_mean, ("unfinished", 0): found.unfinished}
    for line, one in enumerate(found.seats):
        each["win", line] = one.win_rate
        if one.score is not None:
            each["score", line] = one.score
    for name, means in found.events.items():
        for line, one in enumerate(means if isinstance(means, list) else [means]):
            each[name, line] = one
    return each


@pytest.mark.parametrize(
    ("game", "players", "rotate", "settings"),
    [
        ("herd", "keeper,herder:dog_rabbits=7", True, {}),
        ("herd", "keeper,herder:dog_rabbits=7", False, {}),
        ("herd", "keeper,keeper", True, {"max_turns": 75}),
        ("barnyard", "collector,miser,random", False, {}),
        ("horse-trader", "trader-1,caller,hostage", True, {}),
    ],
)
def test_all_that_simulate_prints(
    game: str, players: str, rotate: bool, settings: dict[str, Any]
) -> None:
    """Samples of 400 deals; the truth is what they all add up to."""
    n, runs = 400, 300 if game == "herd" else 150
    request, table = seated(game, players, rotate, 11, **settings)
    total, found = table.empty(), []
    for run in range(runs):
        sums = table.play(range(run * n, run * n + n))
        found.append(intervals(read(request, table, sums)))
        total.add(sums)
    truths = intervals(read(request, table, total))
    for name, truth in truths.items():
        assert covers([one[name] for one in found], truth.value), name


def test_scores_of_rotated_seats_are_not_wider_than_they_need_be() -> None:
    """The standard error of means of 60 samples, against the half-width of their intervals."""
    request, table = seated("barnyard", "collector,miser,random", True, 3)
    found = [
        read(request, table, table.play(range(400 * run, 400 * run + 400))) for run in range(60)
    ]
    for line in range(3):
        scores = [one.seats[line].score for one in found]
        assert all(one is not None for one in scores)
        error = np.std([one.value for one in scores if one], ddof=1)
        half = np.mean([(one.high - one.low) / 2 for one in scores if one])
        assert 0.65 < half / (1.96 * error) < 1.35  # of 60 it is known to 9 %


def test_copies_are_known_from_the_line_up_and_near_copies_are_not_from_the_sample() -> None:
    same = result("herd", "keeper,keeper,keeper", range(400), rotate=True, seed=1).seats[0].win_rate
    assert same.low == same.value == same.high == 1 / 3
    near = result("herd", "keeper,herder:dog_rabbits=9", range(400), rotate=True, seed=1).seats
    assert all(one.win_rate.low < 0.5 < one.win_rate.high for one in near)
    undecided = result("bronco", "trader-1,trader-1,trader-1", range(400), rotate=True, seed=1)
    rate = undecided.seats[0].win_rate
    assert undecided.unfinished.value == 0 and rate.high == 1 / 3 and rate.low < 1 / 3


# ---- luck ----


def luck_samples(players: str, n: int, runs: int) -> list[VarianceSums]:
    game = find_game("herd")
    draws = RedrawnDeals(
        LuckRequest(Experiment(game, game.rules_type(), 3), names(players), "win", n)
    )
    for redrawn in _redrawn(["dice"]):
        draws._seat(redrawn)
    found = []
    for run in range(runs):
        sums = draws.empty(["dice"])
        sums.add(draws.play(["dice"], range(run * n, run * n + n)))
        sums.differing = {"dice"}
        found.append(sums)
    return found


def shares(sums: VarianceSums) -> dict[str, Estimate]:
    found = variance_shares(sums)
    each = {f"{one.source} alone": one.first for one in found.shares}
    each |= {f"{one.source} total": one.total for one in found.shares if one.total is not None}
    return {**each, "together": found.together}


@pytest.mark.parametrize("players", ["keeper,herder:dog_rabbits=7", "keeper,climber"])
def test_shares_of_luck(players: str) -> None:
    """Of near-copies, where nearly all is the dice's, and of others; 200 times 1,000 deals."""
    found = luck_samples(players, 1000, 200)
    total = luck_samples(players, 1000, 1)[0]
    for one in found[1:]:
        total.add(one)
    truths, each = shares(total), [shares(one) for one in found]
    for name, truth in truths.items():
        assert covers([one[name] for one in each], truth.value), name


def test_one_number_has_one_interval() -> None:
    found = shares(luck_samples("keeper,keeper", 400, 1)[0])
    assert found["dice alone"] == found["dice total"]
    assert found["who plays what total"].high == 0


# ---- tournaments of a sample of line-ups ----


def sampled(world: World, most: int, seed: int) -> dict[str, Any]:
    """Return what `standings` takes, of line-ups and wins drawn anew."""
    drawn = sample_line_ups(len(world.skills), world.size, most, seed)
    orders = [seatings(one, 0) for one in drawn.line_ups]
    at = [order for one in orders for order in one]
    rng = np.random.default_rng(seed)
    won = [rng.multinomial(world.deals, world.chances(order), size=GROUPS) for order in at]
    return {
        "entrants_at": np.array(at),
        "wins": np.stack(won, axis=1).astype(float),
        "line_up_of": np.repeat(np.arange(len(orders)), [len(one) for one in orders]),
        "deals": np.full(len(orders), float(world.deals)),
        "line_ups": np.array(copies_of_each(drawn.line_ups, len(world.skills))),
        "weights": np.array(drawn.weights, dtype=float),
        "possible": drawn.possible,
        "with_mix": False,
        "names": world.names,
        "seed": 0,
    }


def plain(arrays: dict[str, Any], entrant: int) -> Estimate:
    """Return the mean over the line-ups that were drawn, with the error of their ratio."""
    groups, line_ups = arrays["wins"].sum(0), arrays["line_ups"]
    won: npt.NDArray[np.float64] = np.zeros(len(line_ups))
    at = arrays["entrants_at"] == entrant
    np.add.at(won, arrays["line_up_of"], (groups * at).sum(1))
    games = np.bincount(arrays["line_up_of"]) * arrays["deals"] * GROUPS
    weights = arrays["weights"] * line_ups[:, entrant]
    values = won / (games * np.maximum(1, line_ups[:, entrant]))
    mean = float((values * weights).sum() / weights.sum())
    half = 2 * float(np.sqrt(((weights * (values - mean)) ** 2).sum()) / weights.sum())
    return Estimate(mean, mean - half, mean + half, GROUPS)


def test_weak_entrants_of_a_sample_of_line_ups() -> None:
    """They win at few tables, among others as weak and their own copies."""
    world, runs = World([0.02, 0.05, 1.0, 1.0, 1.5, 3.0], 3, deals=2), 120
    found, old = [], []
    for run in range(runs):
        arrays = sampled(world, 30, run)
        found.append(standings(**arrays))
        old.append(plain(arrays, 0))
    for entrant, name in enumerate(world.names):
        rates = [named(one, name).win_rate for one in found]
        assert covers(rates, world.truth(entrant)), name
    assert not covers(old, world.truth(0))
