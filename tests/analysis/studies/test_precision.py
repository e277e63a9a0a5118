"""`simulate --precision`: it stops in time, with intervals that hold although it looked."""

import json
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

import herdlab
from herdlab.analysis.experiment import Experiment, Interrupted
from herdlab.analysis.runs.run_options import names
from herdlab.analysis.runs.runner import on_threads
from herdlab.analysis.sampling.deal_sums import won_by_seat
from herdlab.analysis.stats.confidence_sequences import BoundedSequence, looks, v_for_half_width
from herdlab.analysis.stats.estimates import Estimate, wilson
from herdlab.analysis.stats.precision_goal import FIRST_LOOK, PrecisionGoal, WinSums
from herdlab.analysis.studies.simulation import SimulateRequest, Simulation, simulate
from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game
from herdlab.strategies.registry import seat_players
from tests.statistics import LARGEST_Z, z_of_rate

HERD = find_game("herd")
MOST = 100_000


def request(
    players: str, precision: float | None, most: int = MOST, **options: Any
) -> SimulateRequest:
    game = find_game(options.pop("game", "herd"))
    rules = game.rules_type.from_settings(options.pop("settings", {}))
    return SimulateRequest(
        Experiment(game, rules, options.pop("seed", 2)),
        names(players),
        most,
        precision=precision,
        **options,
    )


def half_width(one: Estimate) -> float:
    return max(one.high - one.value, one.value - one.low)


def without_time(found: Simulation) -> dict[str, Any]:
    timed = ("seconds", "games_per_second")
    return {key: one for key, one in found.as_json().items() if key not in timed}


# ---- where it stops ----


@pytest.mark.parametrize("rotate", [False, True])
@pytest.mark.parametrize("players", ["keeper,random", "keeper,climber,keeper,spoiler"])
def test_it_stops_at_the_first_look_at_which_all_are_known_so_well(
    players: str, rotate: bool
) -> None:
    half = 0.02
    found = simulate(request(players, half, rotate=rotate))
    assert found.interval == "anytime"
    assert all(half_width(one.win_rate) <= half for one in found.seats)
    assert all(0 <= one.win_rate.low <= one.win_rate.high <= 1 for one in found.seats)
    ends = list(looks(FIRST_LOOK, MOST))
    assert found.deals in ends[1:-1]
    before = ends[ends.index(found.deals) - 1]
    short = simulate(request(players, half, before, rotate=rotate))
    assert short.deals == before
    assert max(half_width(one.win_rate) for one in short.seats) > half
    # But for the intervals it is the same as so many games without stopping.
    plain = simulate(request(players, None, found.deals, rotate=rotate))
    values = [one.win_rate.value for one in plain.seats]
    assert [one.win_rate.value for one in found.seats] == pytest.approx(values, abs=1e-12)
    assert found.events == plain.events and found.games == plain.games
    assert found.length_mean == plain.length_mean


def test_a_finer_precision_takes_about_as_many_more_as_its_square() -> None:
    coarse, fine = (simulate(request("keeper,random", half)).deals for half in (0.03, 0.01))
    assert 5 < fine / coarse < 13


def test_it_gives_up_at_the_most_that_it_may_play() -> None:
    found = simulate(request("keeper,keeper", 0.001, 3000))
    assert found.deals == 3000 and found.interval == "anytime"
    assert all(half_width(one.win_rate) > 0.001 for one in found.seats)
    few = simulate(request("keeper,keeper", 0.4, 10))
    assert few.deals == 10


def test_anytime_intervals_are_wider_than_wilsons_but_not_by_much() -> None:
    found = simulate(request("keeper,climber", 0.01))
    for one in found.seats:
        wins = round(one.win_rate.value * found.deals)
        assert 1.2 < half_width(one.win_rate) / half_width(wilson(wins, found.deals)) < 2.5


@pytest.mark.parametrize(
    ("game", "players"), [("barnyard", "collector,miser,watcher"), ("swap", "raider,shedder")]
)
def test_shared_wins_are_shares_here_too(game: str, players: str) -> None:
    found = simulate(request(players, 0.05, game=game))
    assert all(half_width(one.win_rate) <= 0.05 for one in found.seats)
    total = sum(one.win_rate.value for one in found.seats) + found.unfinished.value
    assert total == pytest.approx(1)


def test_one_who_plays_alone_is_soon_known() -> None:
    found = simulate(request("keeper", 0.01))
    assert found.seats[0].win_rate.value == 1 and found.seats[0].win_rate.high == 1
    assert found.deals < 5000


# ---- made again ----


@pytest.mark.parametrize("rotate", [False, True])
def test_it_is_the_same_to_the_bit_for_any_threads_and_chunks(rotate: bool) -> None:
    asked = request("keeper,random,climber", 0.02, rotate=rotate)
    one = simulate(asked, runner=on_threads(1))
    for chunk in (None, 333):
        assert without_time(simulate(asked, runner=on_threads(2), chunk=chunk)) == without_time(one)


@pytest.mark.parametrize("rotate", [False, True])
@pytest.mark.parametrize("most", [1500, MOST])
def test_it_can_be_played_again_from_its_json(rotate: bool, most: int) -> None:
    found = simulate(request("keeper,random", 0.02, most, rotate=rotate))
    written = json.loads(json.dumps(found.as_json(), allow_nan=False))
    assert written["arguments"]["max_games"] == found.deals
    again = herdlab.replay(written)
    assert without_time(again) == without_time(found)


def test_an_interrupted_run_is_that_of_the_deals_so_far() -> None:
    def stop(done: int, total: int) -> None:
        assert done <= total <= MOST
        if done > 2500:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        simulate(request("keeper,random", 0.005), on_threads(1, stop))
    so_far = caught.value.so_far
    assert 2500 < so_far.deals < MOST and so_far.interval == "anytime"
    assert caught.value.again == f"--max-games {so_far.deals}"
    again = simulate(request("keeper,random", 0.005, so_far.deals))
    assert [one.win_rate for one in again.seats] == [one.win_rate for one in so_far.seats]


# ---- the sequences ----


def test_seats_share_one_chance_of_error() -> None:
    rules = HERD.rules_type()
    players = seat_players(HERD, rules, "keeper,climber,random")
    bout = Bout(HERD, rules, players, stream_seeds(1))
    won = won_by_seat(bout.sums(range(1000)))
    shared = PrecisionGoal(0.02, 3, 1 / 3)
    shared.take_in(1000, won)
    alpha = 0.05 / 3
    v = v_for_half_width(0.02, 2 / 9, alpha, 0, 1)
    for sums, found in zip(won, shared.rates, strict=True):
        track = BoundedSequence(0, 1, alpha, v, 1 / 3)
        track.add(1000, sums.total / sums.scale, sums.squares / sums.scale**2)
        assert found.low == pytest.approx(track.interval().low, abs=1e-9)
        assert found.high == pytest.approx(track.interval().high, abs=1e-9)
    alone = PrecisionGoal(0.02, 1, 1 / 3)
    alone.take_in(1000, won[:1])
    assert half_width(alone.rates[0]) < half_width(shared.rates[0])


def test_looking_twice_at_the_same_changes_nothing() -> None:
    precision = PrecisionGoal(0.05, 1, 0.5)
    precision.take_in(1000, [WinSums(520, 520, 1)])
    once = precision.rates
    precision.take_in(1000, [WinSums(520, 520, 1)])
    assert precision.rates == once
    assert precision.widest == half_width(once[0]) and precision.is_reached == (
        precision.widest <= 0.05
    )


def test_what_is_needed_is_foretold() -> None:
    precision = PrecisionGoal(0.01, 1, 0.5)
    precision.take_in(10_000, [WinSums(5000, 5000, 1)])
    needed = precision.needed
    assert needed > 10_000
    precision.take_in(needed, [WinSums(needed // 2, needed // 2, 1)])
    assert precision.widest == pytest.approx(0.01, rel=0.1)


@pytest.mark.parametrize("rotate", [False, True])
@pytest.mark.parametrize("half", [0.0, -0.01, 0.5, 0.7, 1.0, float("nan"), float("inf"), 1e-9])
def test_a_bad_precision_is_refused(half: float, rotate: bool) -> None:
    with pytest.raises(BadInput, match=f"half-width.*got {half:g}"):
        request("keeper,keeper", half, rotate=rotate)


# ---- coverage: jointly over all seats, whenever it stopped ----


def stopped(
    fresh: PrecisionGoal, p: list[float], rng: np.random.Generator
) -> tuple[int, PrecisionGoal]:
    """Return when a run with these chances stops, and what it knows then."""
    precision, won, n = deepcopy(fresh), np.zeros(len(p), dtype=np.int64), 0
    for end in looks(FIRST_LOOK, 10**6):
        won += rng.multinomial(end - n, p)
        n = end
        precision.take_in(n, [WinSums(int(one), int(one), 1) for one in won])
        if precision.is_reached:
            break
    return n, precision


@pytest.mark.parametrize(
    ("half", "p"),
    [
        (0.05, [0.5, 0.3, 0.2]),
        pytest.param(0.04, [0.9, 0.1], marks=pytest.mark.slow),
        pytest.param(0.02, [0.4, 0.3, 0.2, 0.1], marks=pytest.mark.slow),
    ],
)
def test_precision_stopped_runs_cover_at_least_as_often_as_stated(
    half: float, p: list[float]
) -> None:
    """2,000 runs, all seats of each at once.  Intervals a third as wide would be caught."""
    runs, rng = 2000, np.random.default_rng(7)
    fresh = PrecisionGoal(half, len(p), 1 / len(p))
    covered = narrow = 0
    for _ in range(runs):
        _, precision = stopped(fresh, p, rng)
        found = precision.rates
        covered += all(one.low <= x <= one.high for one, x in zip(found, p, strict=True))
        narrow += all(
            abs(one.value - x) <= half_width(one) / 3 for one, x in zip(found, p, strict=True)
        )
    assert covered >= 0.95 * runs
    assert z_of_rate(narrow, runs, 0.95) < -LARGEST_Z
