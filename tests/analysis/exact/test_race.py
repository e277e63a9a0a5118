"""The race beside the real game: equal where players cannot meet, and else the pieces add up."""

import json
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest

import herdlab
from herdlab.analysis.exact import race_measurement
from herdlab.analysis.exact.race import RaceRequest, RaceResult, run_race
from herdlab.analysis.exact.race_measurement import MEASURED, Racer
from herdlab.analysis.experiment import Experiment, Interrupted
from herdlab.analysis.runs.run_options import names
from herdlab.analysis.runs.runner import HERE, on_threads
from herdlab.analysis.stats.confidence_sequences import BoundedSequence, boundary, tuning
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.studies.simulation import SimulateRequest, simulate
from herdlab.analysis.studies.verify import differences
from herdlab.analysis.terminal.show_result import show_result
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game
from tests.statistics import LARGEST_Z, z_of_rate

HERD = find_game("herd")
AMPLE = {"rabbits": 127, "sheep": 31, "pigs": 31, "cows": 31, "horses": 31, "dogs": 31}
FEW_HERDS = {"max_rabbits": 6}
"""Half as many herds to solve, and still enough rabbits for every trade."""
APART = {"wolf_die": "7R2SPCW", "skunks": 0, **AMPLE, **FEW_HERDS}
"""No T, no skunk and enough for all: nobody has anything to do with the others."""
DEALS, FEW, SEED = 20_000, 200, 6
TABLES = ["keeper,keeper-dog", "dog-first,keeper,keeper-dog", "keeper,keeper-dog,keeper,dog-first"]


def asked(players: str, deals: int = FEW, **settings: Any) -> RaceRequest:
    rules = HERD.rules_type.from_settings({**FEW_HERDS, **settings})
    return RaceRequest(Experiment(HERD, rules, SEED), names(players), deals)


@cache
def found(players: str, deals: int = FEW) -> RaceResult:
    return run_race(asked(players, deals))


def z_of_piece(one: Racer, key: str, result: RaceResult) -> float:
    """Return how many standard errors a piece lies from 0; intervals hold all together."""
    from herdlab.analysis.stats.estimates import quantile

    figures = len(MEASURED) * (len(result.strategies) + len(result.seats))
    piece: Estimate = getattr(one, key)
    if piece.low == piece.high:
        return 0.0 if not piece.value else float("inf")
    return piece.value / ((piece.high - piece.low) / 2) * quantile(1 - 0.05 / figures)


# ---- where the real game is a race ----


@pytest.mark.parametrize("players", TABLES)
def test_players_who_cannot_meet_win_as_in_the_race(players: str) -> None:
    """|z| < 5 for 9 seats, twice, and 8 strategies: a false alarm once in 60,000 runs."""
    result = run_race(asked(players, DEALS, **APART))
    assert sum(one.race for one in result.seats) == pytest.approx(1, abs=1e-9)
    for one in result.seats:
        wins = round(one.real.value * DEALS)
        assert abs(z_of_rate(wins, DEALS, one.race)) < LARGEST_Z
    for one in (*result.strategies, *result.seats):
        assert abs(z_of_piece(one, "t", result)) < LARGEST_Z
        assert one.ample_race == one.race  # the rules are the same
        assert one.skunk == one.supply == Estimate(0, 0, 0, DEALS)
    # the fault that the last to move wins a tie would be seen
    turned = run_race(asked(",".join(reversed(players.split(","))), FEW, **APART)).seats[::-1]
    assert any(
        abs(z_of_rate(round(one.real.value * DEALS), DEALS, wrong.race)) > LARGEST_Z
        for one, wrong in zip(result.seats, turned, strict=True)
    )


def test_games_that_are_cut_off_are_cut_off_in_the_race_too() -> None:
    """Two rates, and nobody's: a false alarm once in 580,000 runs."""
    result = run_race(asked("keeper,dog-first", DEALS, **APART, max_turns=35))
    rates = [*((one.real.value, one.race) for one in result.seats)]
    nobody = 1 - sum(real for real, _ in rates)
    assert 0.1 < nobody < 0.9 and result.nobody == pytest.approx(1 - sum(r for _, r in rates))
    for real, exact in (*rates, (nobody, result.nobody)):
        assert abs(z_of_rate(round(real * DEALS), DEALS, exact)) < LARGEST_Z
    assert result.turns < 35


@pytest.mark.parametrize(
    "key, settings",
    [
        ("skunk", {"wolf_die": "4R2SPCW3K"}),
        ("t", {"wolf_die": "3R2SPC5T"}),
        ("supply", {"wolf_die": "7R2SPCW", "sheep": 5, "pigs": 3, "cows": 3}),
    ],
)
def test_each_piece_is_found_where_it_is_and_nowhere_else(key: str, settings: Any) -> None:
    """|z| < 5 for 30 others: a false alarm once in 50,000 runs; the one there is, is clear."""
    deals = DEALS if key == "supply" else 3 * DEALS  # a supply that short is soon seen
    result = run_race(asked("keeper,dog-first,keeper", deals, **settings))
    racers = [*result.strategies, *result.seats]
    for other in {"skunk", "supply", "t"} - {key}:
        assert all(abs(z_of_piece(one, other, result)) < LARGEST_Z for one in racers), other
    assert any(abs(z_of_piece(one, key, result)) > LARGEST_Z for one in racers)


# ---- what the figures are ----


@pytest.mark.parametrize("players", TABLES)
def test_the_pieces_add_up_to_the_real_game(players: str) -> None:
    result = found(players)
    for one in (*result.strategies, *result.seats):
        total = one.race + one.skunk.value + one.t.value + one.supply.value
        assert total == pytest.approx(one.real.value, abs=1e-12)
        assert one.real.low < one.real.value < one.real.high


@pytest.mark.parametrize("players", TABLES)
def test_real_rates_are_those_of_simulate(players: str) -> None:
    result = found(players)
    for rotate, racers in ((True, result.strategies), (False, result.seats)):
        other = simulate(
            SimulateRequest(result.request.experiment, names(players), FEW, rotate)
        ).seats
        assert [one.strategy for one in racers] == [one.strategy for one in other]
        assert [one.copies for one in racers] == [one.copies for one in other]
        assert [one.seat for one in racers] == [one.seat for one in other]
        rates = [one.win_rate.value for one in other]
        assert [one.real.value for one in racers] == pytest.approx(rates, abs=1e-12)


@pytest.mark.parametrize("players", TABLES)
def test_a_strategy_has_the_mean_of_its_seats_in_all_rotations(players: str) -> None:
    up, sums = players.split(","), dict[str, list[float]]()
    for r in range(len(up)):
        for one in found(",".join(up[r:] + up[:r])).seats:
            sums.setdefault(one.strategy, []).append(one.race)
    means = {name: sum(rates) / len(rates) for name, rates in sums.items()}
    assert {one.strategy: one.race for one in found(players).strategies} == pytest.approx(means)
    assert {one.fair for one in found(players).strategies} == {1 / len(up)}


def test_copies_share_the_wins_and_have_seats_alone() -> None:
    result = found("keeper,keeper,keeper")
    assert result.strategies == [] and [one.seat for one in result.seats] == [0, 1, 2]
    rates = [one.race for one in result.seats]
    assert sum(rates) == pytest.approx(1) and rates == sorted(rates, reverse=True)
    assert result.sentence == result.seats[0].sentence and "seat 0 (keeper)" in result.sentence


def test_the_solo_games_are_those_of_the_solver() -> None:
    from herdlab.strategies.herd.solved import solo

    result = found("keeper,keeper-dog")
    for name, one in result.solos.items():
        exact = solo(result.request.experiment.rules, name)  # type: ignore[arg-type]
        assert one.mean == exact.mean and one.distribution.sum() == pytest.approx(1)
    assert result.nobody == pytest.approx(0, abs=1e-9)
    means = [one.mean or 0 for one in result.solos.values()]
    assert 1 < result.turns < 2 * min(means)


def test_who_never_finishes() -> None:
    result = run_race(asked("hermit,keeper", FEW, max_turns=1000))
    assert [one.race for one in result.seats] == pytest.approx([0, 1])
    assert result.solos["hermit"].mean is None
    nobody = run_race(asked("hermit,hermit", FEW, max_turns=40))
    assert nobody.nobody == 1 and nobody.turns == 40
    assert [one.real.value for one in nobody.seats] == [0, 0]


def test_those_who_look_at_the_others_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who looks does not depend on the solutions: the keeper's stand in for the spoiler's."""
    from herdlab.strategies.herd import solved

    assert found("keeper,keeper-dog").watchers == []
    solo = solved.solo
    monkeypatch.setattr(solved, "solo", lambda rules, name: solo(rules, "keeper"))
    assert run_race(asked("keeper,spoiler,spoiler", 100)).watchers == ["spoiler"]


def test_those_for_whom_no_supply_is_enough_are_named() -> None:
    """Climbers with a horse turn everything into cows until there are no more."""
    assert found("keeper,keeper-dog").hoarders == []
    assert run_race(asked("keeper,keeper", 100, sheep=5, pigs=3, cows=3)).hoarders == []
    short = {"max_rabbits": 5, "max_dogs": 0, "wolf_die": "6R3SPCT", "fox_die": "6R2S3PH"}
    assert run_race(asked("climber,climber", 500, **short)).hoarders == ["climber"]


# ---- how it is said ----


def racer(race: float, real: float, half: float = 0.01, **changes: Any) -> Racer:
    nothing = Estimate(0, 0, 0, 1000)
    at = Estimate(real, real - half, real + half, 1000)
    one = Racer(None, "keeper", 1, 0.5, race, race, at, nothing, nothing, nothing)
    return replace(one, **changes)


def test_a_part_of_an_advantage_is_explained() -> None:
    one = racer(0.54, 0.55)
    assert one.explained is not None
    assert one.explained.value == pytest.approx(0.8)
    assert [one.explained.low, one.explained.high] == pytest.approx([0.04 / 0.06, 1])
    assert one.sentence == (
        "the race explains 4.00 of the 5.00 points by which keeper is above a fair share of 50 % "
        "(80 %, 67 to 100)"
    )
    below = racer(0.46, 0.45, seat=2).sentence
    assert below.startswith("the race explains 4.00 of the 5.00 points by which seat 2 (keeper) is")
    assert "below a fair share" in below and "(80 %, 67 to 100)" in below


def test_a_race_that_gives_a_little_more_explains_all() -> None:
    assert racer(0.555, 0.55).sentence == (
        "the race explains all of the 5.00 points by which keeper is above a fair share of 50 % "
        "(110 %, 92 to 138)"
    )


def test_where_there_is_no_advantage_none_is_explained() -> None:
    one = racer(0.52, 0.505)
    assert one.explained is None
    assert one.sentence == (
        "in the real game keeper cannot be told from a fair share of 50 % (+0.50 points, -0.50 to "
        "+1.50), so there is no advantage to explain; the race alone gives +2.00"
    )
    assert one.as_json()["explained"] is None


@pytest.mark.parametrize("race, words", [(0.48, "-2.00"), (0.58, "+8.00"), (0.5, "+0.00")])
def test_a_race_that_says_otherwise_explains_nothing(race: float, words: str) -> None:
    assert racer(race, 0.55).sentence == (
        f"the race alone gives keeper {words} points on a fair share of 50 %, the real game "
        f"+5.00 (+4.00 to +6.00)"
    )


def test_json_and_frame_have_all_figures() -> None:
    result = found("keeper,keeper-dog")
    plain = json.loads(json.dumps(result.as_json()))
    assert plain["command"] == "race" and plain["players"] == ["keeper", "keeper-dog"]
    assert plain["arguments"] == {"players": "keeper,keeper-dog", "games": FEW, "precision": None}
    assert plain["sentence"] == result.sentence and plain["games"] == 6 * FEW == result.games
    for key, racers in (("strategies", result.strategies), ("seats", result.seats)):
        for row, one in zip(plain[key], racers, strict=True):
            assert row["race"] == one.race and row["t_ci_low"] == one.t.low
            assert row["real"] == one.real.value and row["strategy"] == one.strategy
    frame = result.frame()
    assert len(frame) == 4 and frame["race"].sum() == pytest.approx(2)


def test_it_can_be_made_again_from_its_json() -> None:
    for precision in (None, 0.1):
        result = run_race(replace(asked("keeper,keeper-dog", 2_000), precision=precision))
        again = herdlab.replay(json.loads(json.dumps(result.as_json())), threads=1)
        assert differences(result.as_json(), again) == [] and again.seats == result.seats


@pytest.mark.parametrize("players", [*TABLES, "keeper,keeper"])
def test_tables_fit_a_terminal(players: str, capsys: pytest.CaptureFixture[str]) -> None:
    result = found(players, 2_000)
    show_result(result)
    lines = capsys.readouterr().out.splitlines()
    tables = [line for line in lines if " ± " in line and "games a second" not in line]
    assert len(tables) == len(result.strategies) + len(result.seats)
    assert max(map(len, tables)) <= 80
    assert any(result.sentence[1:60] in line for line in lines)


# ---- how it is played ----


def test_it_is_the_same_for_any_number_of_threads() -> None:
    once, twice = (
        run_race(asked("keeper,keeper-dog"), runner=on_threads(threads)) for threads in (1, 2)
    )
    assert once.strategies == twice.strategies and once.seats == twice.seats


def test_it_stops_when_all_is_known_closely_enough() -> None:
    request = replace(asked("keeper,keeper-dog", 100_000), precision=0.05)
    result = run_race(request)
    assert result.is_precise and result.widest <= 0.05 and result.interval == "anytime"
    assert 1_000 <= result.deals < 100_000
    assert result.as_json()["arguments"]["max_games"] == 100_000
    fixed = run_race(replace(request, precision=None, deals=result.deals))
    for one, other in zip(result.seats, fixed.seats, strict=True):
        assert one.real.value == pytest.approx(other.real.value)
        assert one.real.high > other.real.high  # the price of looking often
    short = run_race(replace(request, deals=1_000, precision=0.001))
    assert short.is_precise is False and short.deals == 1_000


def test_same_rules_have_no_difference_however_one_stops() -> None:
    result = run_race(replace(asked("keeper,keeper-dog", 5_000, skunks=0), precision=0.05))
    assert {one.skunk for one in result.seats} == {Estimate(0, 0, 0, result.deals)}


@pytest.mark.parametrize("precision", [None, 0.001])
def test_interrupted_it_says_what_is_known_and_how_to_see_it_again(precision: Any) -> None:
    def stop(done: int, total: int) -> None:
        if done >= 2_000:
            raise KeyboardInterrupt

    request = replace(asked("keeper,keeper-dog", 20_000), precision=precision)
    with pytest.raises(Interrupted) as caught:
        run_race(request, HERE.telling(stop))
    so_far = caught.value.so_far
    assert 2_000 <= so_far.deals < 20_000
    option = "--games" if precision is None else "--max-games"
    assert caught.value.again == f"{option} {so_far.deals}"
    assert run_race(so_far.request).seats == so_far.seats


@pytest.mark.parametrize(
    "players, options, words",
    [
        ("keeper", {}, "a race takes 2 to 4 players, and got 1"),
        ("keeper,keeper,keeper,keeper,keeper", {}, "a race takes 2 to 4 players, and got 5"),
        ("keeper,kepeer", {}, "kepeer"),
        ("keeper,keeper-dog", {"deals": 5}, "the number of games must be from 100"),
        ("keeper,keeper-dog", {"precision": 2.0}, "precision"),
    ],
)
def test_wrong_requests_are_refused(players: str, options: Any, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        replace(RaceRequest(asked("keeper,keeper").experiment, names(players)), **options)


def test_other_games_are_no_races() -> None:
    swap = find_game("swap")
    with pytest.raises(BadInput, match="race supports only herd"):
        RaceRequest(Experiment(swap, swap.rules_type()), names("raider,shedder"))


def test_a_strategy_that_draws_luck_has_no_race() -> None:
    with pytest.raises(BadInput, match="random"):
        asked("keeper,random")


@pytest.mark.parametrize(("half", "is_capped"), [(0.05, False), (1e-5, True)])
def test_intervals_are_tuned_to_the_precision_asked_for(
    half: float, is_capped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a variance of 0.1, after v / 0.1 deals; a million deals are the most it is tuned to."""
    made: list[tuple[float, ...]] = []

    def noted(*given: float) -> BoundedSequence:
        made.append(given)
        return BoundedSequence(*given)

    monkeypatch.setattr(race_measurement, "BoundedSequence", noted)
    study: Any = SimpleNamespace(lines=["one"], _alpha=0.0125, _n=4)
    race_measurement.RaceMeasurement._sequences(study, half)
    assert [(low, guess) for low, _, _, _, guess in made] == [
        (0, 0.25),
        (-1, 0),
        (-1, 0),
        (0, 0.25),
    ]
    for low, high, alpha, v, _ in made:
        assert (high, alpha) == (1, 0.0125)
        if is_capped:
            assert v == pytest.approx(1_000_000 * 0.1)
        else:
            width = float(boundary(v, tuning(v, alpha), high - low, alpha / 2))
            assert width / (v / 0.1) == pytest.approx(half)
