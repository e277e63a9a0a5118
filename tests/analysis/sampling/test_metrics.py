"""Metrics: shares of wins, and the same figures as `simulate` for every game and every event."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.runs.run_options import names
from herdlab.analysis.sampling.metrics import Metric, find_metric, metric_names
from herdlab.analysis.studies.simulation import SimulateRequest, Simulation, simulate
from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game, games
from herdlab.simcore.sums import WINNERS, Rows
from herdlab.strategies.registry import seat_players
from tests.games import cases
from tests.words import meant

DEALS, SEED = 150, 11

TABLES = {
    ", ".join(filter(None, (game, special))): (game, *table)
    for game, one in cases().items()
    for special, table in one.tables.items()
}


def experiment_of(game: str, settings: dict[str, Any]) -> Experiment:
    found = find_game(game)
    return Experiment(found, found.rules_type.from_settings(settings), SEED)


@cache
def simulated(case: str) -> Simulation:
    game, players, settings = TABLES[case]
    return simulate(
        SimulateRequest(experiment_of(game, settings), names(players), DEALS, rotate=True)
    )


@cache
def played(case: str) -> list[Rows]:
    """Return the rows of each rotation: in the r-th the player of place i sits at i + r."""
    game, players, settings = TABLES[case]
    experiment, names = experiment_of(game, settings), players.split(",")
    found = []
    for r in range(len(names)):
        turned = ",".join(names[-r:] + names[:-r])
        seated = seat_players(experiment.game, experiment.rules, turned)
        found.append(
            Bout(experiment.game, experiment.rules, seated, stream_seeds(SEED)).rows(0, DEALS)
        )
    return found


def mean(case: str, metric: Metric, place: int) -> float:
    """Return the mean over deals and rotations of whoever has this place in the line-up."""
    n = len(played(case))
    total = sum(int(metric.of(rows, (place + r) % n).sum()) for r, rows in enumerate(played(case)))
    return total / (metric.scale * n * DEALS)


def names_of(case: str) -> list[str]:
    return metric_names(find_game(TABLES[case][0]))


@pytest.mark.parametrize(
    ("case", "name"), [(case, name) for case in TABLES for name in names_of(case)]
)
def test_every_metric_of_every_game_is_what_simulate_says(case: str, name: str) -> None:
    game, players, settings = TABLES[case]
    experiment, result = experiment_of(game, settings), simulated(case)
    metric = find_metric(experiment.game, experiment.rules, name, len(players.split(",")))
    for place, line in enumerate(result.seats):
        if name == "win":
            wanted = line.win_rate.value
        elif name == "length":
            wanted = result.length_mean.value
        elif name == "score":
            assert line.score is not None
            wanted = line.score.value
        else:
            by_line = result.events[name]
            wanted = (by_line[place] if isinstance(by_line, list) else by_line).value
        assert mean(case, metric, place) == wanted  # both are one division of exact integers


def test_all_games_are_there_and_their_figures_are_not_all_zero() -> None:
    for case in TABLES:
        experiment, n = experiment_of(TABLES[case][0], TABLES[case][2]), len(simulated(case).seats)
        found = [find_metric(experiment.game, experiment.rules, name, n) for name in names_of(case)]
        moving = [one.name for one in found if any(mean(case, one, place) for place in range(n))]
        assert {"win", "length"} <= set(moving) and len(moving) > len(found) / 2


def test_events_and_scores_are_those_of_the_seat() -> None:
    """Another seat's column has other figures, and so would be seen."""
    for case, name in [("herd", "trades"), ("barnyard", "score"), ("swap", "cards_left")]:
        game, players, settings = TABLES[case]
        n = len(players.split(","))
        metric = find_metric(find_game(game), experiment_of(game, settings).rules, name, n)
        rows = played(case)[0]
        assert len({metric.of(rows, seat).tobytes() for seat in range(n)}) == n


@pytest.mark.parametrize("sessions", [1, 3])
def test_lengths_and_events_of_a_match_are_for_one_session(sessions: int) -> None:
    experiment = experiment_of("barnyard", {"sessions": sessions})
    length = find_metric(experiment.game, experiment.rules, "length", 3)
    assert length.words == "length in rounds a session" and length.scale == sessions
    assert find_metric(experiment.game, experiment.rules, "trades", 3).words == "trades a session"
    missed = find_metric(experiment.game, experiment.rules, "targets_missed", 3)
    assert missed.scale == 1 and missed.words == "targets_missed a game"
    score = find_metric(experiment.game, experiment.rules, "score", 3)
    assert score.scale == 1  # the match total


def test_a_match_to_a_target_is_measured_whole() -> None:
    experiment = experiment_of("barnyard", {"target": 100})
    players = "collector,watcher,miser"
    result = simulate(SimulateRequest(experiment, names(players), DEALS))
    bout = Bout(
        experiment.game,
        experiment.rules,
        seat_players(experiment.game, experiment.rules, players),
        stream_seeds(SEED),
    )
    rows = bout.rows(0, DEALS)
    sessions = result.parts / result.games
    assert 1.5 < sessions < 30
    for name, wanted in [
        ("length", result.length_mean.value * sessions),
        ("trades", result.events["trades"].value * sessions),
        ("donkey_held", result.events["donkey_held"][0].value * sessions),
        ("targets_missed", result.events["targets_missed"].value),
    ]:
        metric = find_metric(experiment.game, experiment.rules, name, 3)
        assert metric.of(rows, 0).mean() / metric.scale == pytest.approx(wanted, rel=1e-12)
    assert (
        find_metric(experiment.game, experiment.rules, "length", 3).words
        == "length in rounds a match"
    )


@pytest.mark.parametrize("n_players", [1, 2, 3, 4, 7, 14])
def test_a_shared_win_counts_one_over_the_sharers(n_players: int) -> None:
    game = find_game("barnyard")
    metric = find_metric(game, game.rules_type(), "win", n_players)
    assert metric.is_rate and metric.words == "win rate"
    rng = np.random.default_rng(n_players)
    masks = [0, 2**n_players - 1, *rng.integers(0, 2**n_players, 50).tolist()]
    rows = np.zeros((len(masks), len(game.columns(n_players))), dtype=np.int32)
    rows[:, WINNERS] = masks
    for seat in range(n_players):
        found = metric.of(rows, seat)
        for mask, units in zip(masks, found.tolist(), strict=True):
            sharers = [other for other in range(n_players) if mask >> other & 1]
            assert units * max(1, len(sharers)) == (metric.scale if seat in sharers else 0)


def test_shared_wins_really_happen_here() -> None:
    shared = np.bitwise_count(np.concatenate([one[:, WINNERS] for one in played("barnyard")])) > 1
    assert shared.any()


@pytest.mark.parametrize(
    ("game", "name", "nearest"),
    [
        ("herd", "lenght", "length"),
        ("herd", "wins", "win"),
        ("herd", "foxes_with_dogs", "foxes_with_dog"),
        ("barnyard", "scores", "score"),
        ("swap", "super_swap", "super_swaps"),
    ],
)
def test_an_unknown_metric_is_refused_with_the_nearest_name(
    game: str, name: str, nearest: str
) -> None:
    found = find_game(game)
    with pytest.raises(BadInput, match=f"'{name}'.*{meant(nearest)}"):
        find_metric(found, found.rules_type(), name, 3)


def test_a_game_without_scores_has_no_score() -> None:
    for name, game in games().items():
        assert ("score" in metric_names(game)) == game.has_scores, name
    herd = find_game("herd")
    with pytest.raises(BadInput, match="unknown metric of herd 'score'"):
        find_metric(herd, herd.rules_type(), "score", 2)


def test_what_one_occurrence_counts_is_one_unless_declared() -> None:
    for case in ("herd", "barnyard", "swap"):
        game, players, settings = TABLES[case]
        experiment, n = experiment_of(game, settings), len(players.split(","))
        sizes = {event.name: event.size for event in experiment.game.events}
        signed = {event.name: event.is_signed for event in experiment.game.events}
        for name in metric_names(experiment.game):
            one = find_metric(experiment.game, experiment.rules, name, n)
            assert one.size == sizes.get(name, 1)
            assert one.is_signed == signed.get(name, name == "score")
