"""Figures of an independent implementation of the clauses, for all games."""

import json
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.runs.run_options import names
from herdlab.analysis.studies.simulation import SimulateRequest, Simulation, simulate
from herdlab.simcore.game import find_game
from tests.statistics import LARGEST_Z

CASES = [
    pytest.param(case, id=f"{case['game']} {','.join(case['players'])} {case['set'] or ''}")
    for game in ("herd", "barnyard", "swap", "puzzle")
    for case in json.loads((Path(__file__).parent / f"figures_{game}.json").read_text())["cases"]
]
QUICK = {
    "herd": 100_000,
    "barnyard": 20_000,
    "swap": 100_000,
    "horse-trader": 100_000,
    "bronco": 50_000,
}
SHARP = {
    "herd": 4_000_000,
    "barnyard": 1_000_000,
    "swap": 4_000_000,
    "horse-trader": 2_000_000,
    "bronco": 1_000_000,
}
SHARES = ("natural_full_hands", "wild_claims", "stalls")


def played(case: dict[str, Any], games: int, seed: int) -> Simulation:
    game = find_game(case["game"])
    rules = game.rules_type.from_settings(case["set"])
    return simulate(
        SimulateRequest(Experiment(game, rules, seed), names(",".join(case["players"])), games)
    )


def differences(result: Simulation, case: dict[str, Any]) -> list[float]:
    """Return how many standard errors each of our figures lies from theirs."""

    def z(ours: float, theirs: float, sd: float, n: int, their_n: int) -> float:
        return (ours - theirs) / sd / sqrt(1 / n + 1 / their_n) if sd else ours - theirs

    games, theirs = result.games, case["games"]
    parts, their_parts = result.parts, case.get("sessions", theirs)
    length = (result.length_mean.value, case["length_mean"], case["length_sd"])
    found = [z(*length, parts, their_parts)]
    for seat, win, sd in zip(result.seats, case["win"], case["win_sd"], strict=True):
        found.append(z(seat.win_rate.value, win, sd, games, theirs))
    for seat, mean, sd in zip(
        result.seats, case.get("score_mean", []), case.get("score_sd", []), strict=False
    ):
        assert seat.score is not None
        found.append(z(seat.score.value, mean, sd, games, theirs))
    for name, values in case.get("events", {}).items():
        for ours, mean, sd in zip(result.events[name], values, result.events_sd[name], strict=True):
            found.append(z(ours.value, mean, sd, parts, their_parts))
    for name in SHARES:
        if name in case:
            sd = sqrt(case[name] * (1 - case[name]))
            found.append(z(result.events[name].value, case[name], sd, parts, their_parts))
    return found


@pytest.mark.parametrize("case", CASES)
def test_figures_of_an_independent_implementation(case: dict[str, Any]) -> None:
    """Some 240 figures in all, |z| < 5 each: a false alarm once in 7,000 seeds."""
    found = differences(played(case, QUICK[case["game"]], seed=2), case)
    assert max(map(abs, found)) < LARGEST_Z


@pytest.mark.parametrize(
    ("game", "line_up", "reading"),
    [
        ("herd", ["keeper", "keeper-dog", "keeper", "keeper-dog"], {"t_cancels": True}),
        ("barnyard", ["collector", "collector", "collector"], {"recycle": "turned"}),
        ("barnyard", ["collector", "honest", "miser", "purist"], {"donkeys": 2}),
        ("swap", ["shedder", "raider", "random", "shedder"], {"slap_empties": "wins"}),
        ("swap", ["raider", "shedder", "random", "shedder", "raider"], {"seat_next": "player"}),
    ],
)
def test_another_reading_would_not_agree_with_the_figures(
    game: str, line_up: list[str], reading: dict[str, Any]
) -> None:
    """With as many games as above, |z| is 30 and more."""
    (case,) = [
        one.values[0] for one in CASES
        if one.values[0]["game"] == game and one.values[0]["players"] == line_up  # type: ignore[index]
    ]  # fmt: skip
    assert isinstance(case, dict)
    other = {**case, "set": {**case["set"], **reading}}
    found = differences(played(other, QUICK[game], seed=2), case)
    assert max(map(abs, found)) > LARGEST_Z


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_figures_of_an_independent_implementation_sharply(case: dict[str, Any]) -> None:
    found = differences(played(case, SHARP[case["game"]], seed=3), case)
    assert max(map(abs, found)) < LARGEST_Z
