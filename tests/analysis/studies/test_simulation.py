"""`simulate` as a user gets it: figures, JSON names, rotation, and replay."""

import json
from pathlib import Path
from typing import Any

import pytest

from herdlab import replay
from herdlab.analysis.experiment import Experiment, Interrupted
from herdlab.analysis.runs.run_options import names
from herdlab.analysis.runs.runner import Runner, on_threads
from herdlab.analysis.studies.simulation import SimulateRequest, simulate
from herdlab.analysis.studies.verify import check_plugins, differences, read_result
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game
from herdlab.simcore.herd.rules import HerdRules

HERD = find_game("herd")


def request(players: str, games: int = 2000, **options: Any) -> SimulateRequest:
    rules = HerdRules.from_settings(options.pop("settings", {}))
    return SimulateRequest(
        Experiment(HERD, rules, options.pop("seed", 0)), names(players), games, **options
    )


@pytest.mark.parametrize("options", [{}, {"rotate": True}, {"precision": 0.01}])
def test_interrupted_before_any_game_there_is_no_result(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Runner, "simulate", stopped)
    monkeypatch.setattr(Runner, "play_until", stopped)
    with pytest.raises(Interrupted) as caught:
        simulate(request("keeper,random", **options))
    assert caught.value.so_far is None


def test_json_has_the_names_that_others_rely_on() -> None:
    result = simulate(request("keeper,random,climber")).as_json()
    wanted = "game rules rules_hash seed games players seats unfinished_rate length events"
    wanted += " events_sd interval games_per_second seconds version"
    assert set(wanted.split()) <= set(result)
    seat_keys = {"seat", "strategy", "win_rate", "ci_low", "ci_high", "score_mean", "score_sd"}
    assert all(seat_keys <= set(seat) for seat in result["seats"])
    assert {"unit", "mean", "sd"} <= set(result["length"]) and result["length"]["unit"] == "turns"
    assert [seat["seat"] for seat in result["seats"]] == [0, 1, 2]
    assert result["interval"] == "wilson" and result["seats"][0]["score_mean"] is None
    events = {"dogs_bought", "dogs_free", "foxes_with_dog", "foxes_without_dog", "trades"}
    events |= {"wolves_with_dog", "wolves_without_dog", "rabbits_lost_to_fox"}
    assert set(result["events"]) == set(result["events_sd"]) == events
    assert all(len(values) == 3 for values in result["events"].values())
    json.dumps(result, allow_nan=False)


@pytest.mark.parametrize("rotate", [False, True])
def test_win_rates_and_unfinished_games_add_up_to_one(rotate: bool) -> None:
    settings = {"max_turns": 40}
    result = simulate(request("keeper,random,keeper", settings=settings, rotate=rotate))
    assert 0 < result.unfinished.value < 1
    won = sum(one.copies * one.win_rate.value for one in result.seats)
    assert won + result.unfinished.value == pytest.approx(1, abs=1e-12)


def test_rotation_reports_by_strategy_over_all_seats() -> None:
    rotated = simulate(request("keeper,climber,climber", 3000, rotate=True, seed=4))
    assert [(one.strategy, one.copies) for one in rotated.seats] == [("keeper", 1), ("climber", 2)]
    assert (rotated.games, rotated.deals) == (9000, 3000)
    line_ups = ("keeper,climber,climber", "climber,keeper,climber", "climber,climber,keeper")
    plain = [simulate(request(line_up, 3000, seed=4)) for line_up in line_ups]
    wins = [one.seats[seat].win_rate.value for seat, one in enumerate(plain)]
    assert rotated.seats[0].win_rate.value == pytest.approx(sum(wins) / 3)
    trades = [one.events["trades"][seat].value for seat, one in enumerate(plain)]
    assert rotated.events["trades"][0].value == pytest.approx(sum(trades) / 3)
    assert rotated.length_mean.value == pytest.approx(
        sum(one.length_mean.value for one in plain) / 3
    )
    assert rotated.interval == "blocks"


@pytest.mark.parametrize(("games", "seed"), [(0, 1), (-5, 1), (10, -1), (10, 2**64)])
def test_impossible_requests_are_refused(games: int, seed: int) -> None:
    with pytest.raises(BadInput):
        simulate(request("keeper,keeper", games, seed=seed))


@pytest.mark.parametrize("rotate", [False, True])
def test_a_result_can_be_replayed_and_a_changed_one_does_not_hold(
    tmp_path: Path, rotate: bool
) -> None:
    settings = {"dice": "super-farmer"}
    asked = request("herder:keep_sheep=2,random", 500, seed=9, rotate=rotate, settings=settings)
    result = simulate(asked, runner=on_threads(2)).as_json()
    path = tmp_path / "result.json"
    path.write_text(json.dumps(result))
    claimed = read_result(path)
    assert differences(claimed, replay(claimed)) == []
    claimed["seats"][0]["win_rate"] += 1e-9
    found = differences(claimed, replay(claimed))
    assert len(found) == 1 and str(found[0]).startswith("seats[0].win_rate: the file has ")


def test_what_is_no_result_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    for text, reason in (("{", "not valid JSON"), ("[]", "no 'command'"), ("{}", "no 'command'")):
        path.write_text(text)
        with pytest.raises(BadInput, match=reason):
            read_result(path)
    with pytest.raises(BadInput, match="cannot be read"):
        read_result(tmp_path / "none.json")


@pytest.mark.parametrize(
    "wrong",
    [
        {"command": None},
        {"seed": None},
        {"seed": 10.5},
        {"arguments": [1, 2]},
        {"rules": "none"},
        {"plugins": [{}]},
        {"game": ["herd"]},
    ],
)
def test_a_result_with_wrong_types_is_refused(tmp_path: Path, wrong: dict[str, Any]) -> None:
    path = tmp_path / "result.json"
    path.write_text(json.dumps(simulate(request("keeper,keeper", 10)).as_json() | wrong))
    with pytest.raises(BadInput, match="in result"):
        read_result(path)


def test_a_result_made_with_a_plugin_wants_the_same_plugin() -> None:
    result = simulate(request("keeper,keeper", 10)).as_json()
    result["plugins"] = [{"file": "mine.py", "sha256": "abc"}]
    with pytest.raises(BadInput, match="made with plug-in 'mine.py'"):
        check_plugins(result, ())
    with pytest.raises(BadInput, match="not the one"):
        check_plugins(result, ({"file": "mine.py", "sha256": "other"},))


@pytest.mark.parametrize(
    "arguments",
    [
        {"players": 3},
        {"players": "keeper,keeper", "games": "many"},
        {"players": "keeper,keeper", "colour": "red"},
        {},
    ],
)
def test_arguments_that_herdlab_does_not_write_are_refused(arguments: dict[str, Any]) -> None:
    result = simulate(request("keeper,keeper", 10)).as_json()
    with pytest.raises(BadInput, match="arguments of the result|must be a whole number"):
        replay(result | {"arguments": arguments})
