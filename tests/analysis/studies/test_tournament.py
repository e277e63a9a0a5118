"""`tournament`: against brute force, reproducible, and honest about what was not played."""

import json
from collections import Counter
from functools import cache, partial
from itertools import product
from math import ceil, comb, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import herdlab
from herdlab.analysis.experiment import Experiment, Interrupted
from herdlab.analysis.runs.run_options import names
from herdlab.analysis.runs.runner import HERE, on_threads
from herdlab.analysis.sampling.line_ups import arrangements
from herdlab.analysis.stats.equilibrium import resampled
from herdlab.analysis.stats.estimates import difference_with, quantile
from herdlab.analysis.studies import standings as standings_module
from herdlab.analysis.studies import tournament as tournament_module
from herdlab.analysis.studies.simulation import SimulateRequest, simulate
from herdlab.analysis.studies.tournament import (
    GROUPS,
    Tournament,
    TournamentRequest,
    schedule,
    tournament,
)
from herdlab.simcore.batch import Bout, ChoiceTables, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game
from herdlab.strategies.registry import seat_players
from tests.words import meant

Floats = npt.NDArray[np.float64]
T = 2.0095752371292397
"""Student's t with 49 degrees of freedom, 97.5 %."""
TWIN = "herder:keep_sheep=1"
"""The same play as `herder` under another name."""


@pytest.fixture(autouse=True)
def few_replicates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standings_module, "resampled", partial(resampled, replicates=10))


def asked(entrants: str, size: int, games: int = 300, **options: Any) -> TournamentRequest:
    game = find_game(options.pop("game", "herd"))
    rules = game.rules_type.from_settings(options.pop("settings", {}))
    experiment = Experiment(game, rules, options.pop("seed", 5))
    return TournamentRequest(experiment, names(entrants), size, games, **options)


def rates(found: Tournament) -> dict[str, float]:
    return {one.strategy: one.win_rate.value for one in found.standings.entrants}


# ---- brute force ----


def shares(request: TournamentRequest, order: tuple[str, ...], moves: ChoiceTables) -> Floats:
    """Return (seat, group): what a seat wins in the deals of each group, at one table."""
    experiment, counts = request.experiment, Counter(order)
    seatings = arrangements(tuple(sorted(list(counts).index(name) for name in order)))
    deals = GROUPS * ceil(request.games / (GROUPS * seatings))
    players = seat_players(experiment.game, experiment.rules, ",".join(order))
    bout = Bout(
        experiment.game, experiment.rules, players, stream_seeds(experiment.seed), moves=moves
    )
    rows = bout.rows(0, deals)
    found = np.zeros((len(order), GROUPS))
    for luck, mask in enumerate(rows[:, 0].tolist()):
        winners = [seat for seat in range(len(order)) if mask >> seat & 1]
        for seat in winners:
            found[seat, luck % GROUPS] += 1 / len(winners)
    return found * GROUPS / deals


BRUTE = [
    ("herd", "keeper,random,spoiler", 2, {}),
    ("herd", "keeper,random,climber", 3, {}),
    ("herd", "keeper,random,climber", 2, {"max_turns": 40}),
    ("barnyard", "collector,miser,random", 3, {}),
    ("swap", "raider,random,shedder,opportunist", 2, {}),
    ("bronco", "trader-1,hostage,trader-3", 3, {}),
]


@pytest.mark.parametrize(("game", "entrants", "size", "settings"), BRUTE)
def test_it_is_what_single_runs_add_up_to(
    game: str, entrants: str, size: int, settings: dict[str, Any]
) -> None:
    """Every ordered table of entrants drawn at random, as often as every other."""
    request = asked(entrants, size, 250, game=game, settings=settings)
    names, moves = entrants.split(","), ChoiceTables(request.experiment.game, 9)
    tables = {order: shares(request, order, moves) for order in product(names, repeat=size)}
    found = tournament(request)
    for one in found.standings.entrants:
        sat = [
            won[seat]
            for order, won in tables.items()
            for seat in range(size)
            if order[seat] == one.strategy
        ]
        by_group = np.mean(sat, axis=0)
        half = T * by_group.std(ddof=1) / sqrt(GROUPS)
        assert one.win_rate.value == pytest.approx(by_group.mean(), abs=1e-12)
        if half < 1e-12:
            assert one.win_rate.low < one.win_rate.value < one.win_rate.high
            continue
        # Wilson's interval for as much variance is nearly as long.
        assert one.win_rate.high - one.win_rate.low == pytest.approx(2 * half, rel=0.25)
    for pair in found.standings.pairs:
        gaps = []
        for order, won in tables.items():
            if pair.a in order and pair.b in order:
                mine, others = (
                    np.mean([won[s] for s in range(size) if order[s] == who], axis=0)
                    for who in (pair.a, pair.b)
                )
                gaps.append(mine - others)
        gap = np.mean(gaps, axis=0)
        assert pair.difference.value == pytest.approx(gap.mean(), abs=1e-12)
        half = T * gap.std(ddof=1) / sqrt(GROUPS)
        if half < 1e-12:  # the same play: what that can mean is another test's
            continue
        places = {names.index(pair.a), names.index(pair.b)}
        shared = sum(places <= set(one) for one in found.schedule.draw.line_ups)
        deals = int(min(found.schedule.deals)) * shared
        wanted = difference_with(gap.mean(), (half / quantile()) ** 2, deals)
        assert pair.difference.low == pytest.approx(wanted.low, abs=1e-9)
        assert pair.difference.high == pytest.approx(wanted.high, abs=1e-9)


def test_it_is_what_simulate_says_of_each_table() -> None:
    request = asked("keeper,random", 2, 400)
    wins: dict[str, list[float]] = {"keeper": [], "random": []}
    for order in product(wins, repeat=2):
        games = 200 if len(set(order)) == 2 else 400
        result = simulate(SimulateRequest(request.experiment, names(",".join(order)), games))
        for seat, name in enumerate(order):
            wins[name].append(result.seats[seat].win_rate.value)
    assert rates(tournament(request)) == pytest.approx(
        {name: sum(found) / 4 for name, found in wins.items()}
    )


@pytest.mark.parametrize("size", [2, 3, 4])
def test_win_rates_average_to_an_even_share_when_all_games_finish(size: int) -> None:
    found = rates(tournament(asked("keeper,random,climber,spoiler", size, 100)))
    assert sum(found.values()) / 4 == pytest.approx(1 / size)
    short = tournament(
        asked("keeper,random,climber,spoiler", size, 100, settings={"max_turns": 30})
    )
    assert sum(rates(short).values()) / 4 < 0.95 / size


# ---- what is played ----


def test_every_seating_of_a_line_up_has_the_same_deals_and_enough_of_them() -> None:
    request = asked("keeper,random,climber,spoiler", 3, 1000)
    plan = schedule(request)
    assert len(plan.draw.line_ups) == comb(6, 3) and plan.draw.is_complete
    assert [len(one) for one in plan.seatings] == [arrangements(one) for one in plan.draw.line_ups]
    played = [len(one) * deals for one, deals in zip(plan.seatings, plan.deals, strict=True)]
    assert all(1000 <= games < 1000 + GROUPS * 6 for games in played)
    assert all(deals % GROUPS == 0 for deals in plan.deals)
    assert plan.games == sum(played)
    # All deals of all line-ups, each once; and the rest of them after a part.
    nothing = [0] * len(plan.deals)
    done = Counter((number, luck) for number, part in plan.tasks(nothing) for luck in part)
    assert len(done) == sum(plan.deals) and set(done.values()) == {1}
    begun = [deals - GROUPS for deals in plan.deals]
    assert sum(len(part) for _, part in plan.tasks(begun)) == GROUPS * len(plan.deals)


def test_the_big_one_is_twenty_thousand_games_for_each_of_330_line_ups() -> None:
    names = "keeper,random,climber,spoiler,herder,keeper-dog,dog-first,closer"
    plan = schedule(asked(names, 4, 20_000))
    assert len(plan.draw.line_ups) == 330 and sum(map(len, plan.seatings)) == 4096
    assert 330 * 20_000 <= plan.games < 1.02 * 330 * 20_000


def without_time(found: Tournament) -> dict[str, Any]:
    timed = ("seconds", "games_per_second")
    return {key: one for key, one in found.as_json().items() if key not in timed}


def test_it_is_the_same_to_the_bit_for_any_threads_and_tasks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    request = asked("keeper,random,climber", 2, 700)
    one = without_time(tournament(request, runner=on_threads(1)))
    assert without_time(tournament(request, runner=on_threads(2))) == one
    monkeypatch.setattr(tournament_module, "_DEALS_AT_ONCE", 2 * GROUPS)
    assert len(schedule(request).tasks([0] * 6)) > 20
    assert without_time(tournament(request, runner=on_threads(2))) == one


def test_it_can_be_made_again_from_its_json() -> None:
    for entrants, size in (
        ("keeper,random,climber", 2),
        ("keeper,random,climber,spoiler,closer", 3),
    ):
        found = tournament(asked(entrants, size, 100, most_line_ups=25))
        again = herdlab.replay(json.loads(json.dumps(found.as_json(), allow_nan=False)))
        assert without_time(again) == without_time(found)


def test_interrupted_it_tells_what_a_tenth_of_the_games_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    request = asked("keeper,random,climber", 2, 2000)
    part = tournament(asked("keeper,random,climber", 2, 200))

    def stop(done: int, total: int) -> None:
        if done > total / 2:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        tournament(request, HERE.telling(stop))
    assert caught.value.again == "--games 200"
    assert without_time(caught.value.so_far) == without_time(part)


def test_progress_is_in_games_up_to_all_of_them() -> None:
    heard: list[tuple[int, int]] = []
    request = asked("keeper,random,climber", 2, 100)
    tournament(request, HERE.telling(lambda done, total: heard.append((done, total))))
    games = schedule(request).games
    assert [one for one, _ in heard] == sorted({one for one, _ in heard})
    assert heard[-1] == (games, games) and {total for _, total in heard} == {games}


# ---- two names of the same play ----


@pytest.mark.parametrize("size", [2, 3])
def test_two_names_of_the_same_play_are_never_told_apart(size: int) -> None:
    for seed in range(3):
        found = tournament(asked(f"keeper,herder,{TWIN}", size, 300, seed=seed)).standings
        by_name = {one.strategy: one for one in found.entrants}
        assert TWIN in by_name["herder"].not_told_apart
        assert "herder" in by_name[TWIN].not_told_apart
        assert by_name["herder"].win_rate.value == pytest.approx(by_name[TWIN].win_rate.value)
        (pair,) = [one for one in found.pairs if {one.a, one.b} == {"herder", TWIN}]
        assert not pair.is_real and pair.difference.value == pytest.approx(0, abs=1e-12)
        assert by_name["herder"].rating.value == pytest.approx(by_name[TWIN].rating.value)
        mixes = [by_name[name].mix for name in ("herder", TWIN)]
        assert mixes[0] is not None and mixes[1] is not None
        assert mixes[0].value == pytest.approx(mixes[1].value)


@cache
def sampled(seed: int) -> Tournament:
    request = asked(f"herder,{TWIN},climber,random,keeper", 3, 2000, seed=seed, most_line_ups=25)
    return tournament(request)


def test_nor_are_they_in_a_sample_of_line_ups() -> None:
    """They meet other opponents there, by lot: that is no difference between them."""
    told = []
    for seed in range(4):
        found = {one.strategy: one for one in sampled(seed).standings.entrants}
        told.append(TWIN not in found["herder"].not_told_apart)
    assert not any(told)


def test_intervals_of_a_sample_have_the_win_rates_of_the_whole_tournament() -> None:
    """The chance which line-ups are drawn is a part of the uncertainty."""
    whole = rates(tournament(asked(f"herder,{TWIN},climber,random,keeper", 3, 2000)))
    missed = total = 0
    for seed in range(4):
        for one in sampled(seed).standings.entrants:
            total += 1
            missed += not one.win_rate.low <= whole[one.strategy] <= one.win_rate.high
    assert missed <= 0.25 * total  # 5 % of 20 are one


def test_a_sample_has_no_mix_and_says_how_much_of_all_it_is() -> None:
    found = sampled(1)
    written = json.loads(json.dumps(found.as_json(), allow_nan=False))
    assert written["equilibrium"] is None and found.standings.equilibrium is None
    assert all(one["equilibrium_share"] is None for one in written["entrants"])
    assert written["line_ups"] <= 25 < written["possible_line_ups"] == 35
    assert len(written["entrants"]) == 5


# ---- how it is written ----


@cache
def small() -> Tournament:
    return tournament(asked("keeper,random,climber", 2, 300))


def test_json_has_the_names_that_others_rely_on() -> None:
    written = json.loads(json.dumps(small().as_json(), allow_nan=False))
    assert {"entrants", "games", "game", "rules_hash", "seed", "version"} <= set(written)
    wanted = "strategy win_rate ci_low ci_high rating rating_low rating_high"
    wanted += " equilibrium_share share_low share_high"
    assert all(set(wanted.split()) <= set(one) for one in written["entrants"])
    for one in written["entrants"]:
        assert one["ci_low"] < one["win_rate"] < one["ci_high"]
        assert one["rating_low"] < one["rating"] < one["rating_high"]
        assert one["share_low"] <= one["equilibrium_share"] <= one["share_high"]
    assert sum(one["equilibrium_share"] for one in written["entrants"]) == pytest.approx(1)
    assert written["games"] == schedule(small().request).games == 6 * 300
    assert len(written["pairs"]) == 3 and len(written["seat_ratings"]) == 2
    assert written["command"] == "tournament"
    assert written["equilibrium"]["sentence"] == small().standings.equilibrium
    assert written["sentence"] == small().standings.leader


def test_frames_have_a_row_an_entrant_and_a_row_a_pair() -> None:
    frame, pairs = small().frame(), small().tables()["pairs"]
    assert frame["strategy"].tolist() == list(rates(small()))
    assert frame["value"].is_monotonic_decreasing
    assert frame["value"].tolist() == list(rates(small()).values())
    assert len(pairs) == 3 and pairs["real"].dtype == bool
    assert (pairs["low"] < pairs["value"]).all()


def test_one_who_never_wins_breaks_nothing_and_is_not_certain_never_to() -> None:
    request = asked("keeper,hermit,random", 2, 200, settings={"max_turns": 300})
    found = {one.strategy: one for one in tournament(request).standings.entrants}
    hermit = found["hermit"]
    assert hermit.win_rate.value == 0 == hermit.win_rate.low
    assert hermit.rating.low < hermit.rating.high < found["random"].rating.low
    assert hermit.win_rate.high > 0  # as `simulate` has it


# ---- refused ----


@pytest.mark.parametrize(
    ("entrants", "size", "options", "sentence"),
    [
        ("keeper,random", 3, {}, "tables of 3 needs at least 3 entrants, and got 2"),
        ("keeper", 2, {}, "needs at least 2 entrants, and got 1: keeper"),
        ("keeper,random,keeper", 2, {}, "entrant 'keeper' is named twice"),
        ("keeper,randm", 2, {}, meant("random")),
        ("keeper,herder:keep_shep=1", 2, {}, meant("keep_sheep")),
        ("keeper,herder:keep_sheep=x", 2, {}, "keep_sheep"),
        ("keeper,random", 1, {}, "at least 2 players, and got 1"),
        ("keeper,random", 0, {}, "at least 2 players, and got 0"),
        ("keeper,random,climber,closer,spoiler", 5, {}, "herd takes 1 to 4 players, and got 5"),
        ("keeper,random", 2, {"games": 0}, "number of games must be from 1"),
        ("keeper,random,climber", 2, {"most_line_ups": 2}, "need 6 line-ups at least"),
        (
            "miser,random,loner",
            2,
            {"game": "barnyard"},
            "barnyard takes 3 to 14 players, and got 2",
        ),
        ("keeper,", 2, {}, "stray comma at the end of 'keeper,'"),
    ],
)
def test_wrong_use_is_refused_with_a_sentence(
    entrants: str, size: int, options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(BadInput, match=sentence):
        asked(entrants, size, **options)


def test_a_strategy_that_cannot_play_by_the_rules_is_refused() -> None:
    with pytest.raises(BadInput, match="strategy 'bluffer'.*advanced"):
        asked("trader-1,bluffer,trader-2", 3, game="bronco")
