"""The line that makes a result again: run as it stands, it does."""

import shlex
from pathlib import Path
from typing import Any

import pytest

from herdlab.analysis.report.command_line import command_line, fewest_settings
from herdlab.analysis.studies.verify import NOT_COMPARED
from herdlab.simcore.errors import BadInput
from herdlab.simcore.herd.rules import HerdRules
from herdlab.simcore.swap.rules import SwapRules
from tests import command_line as here
from tests.words import meant

pytestmark = pytest.mark.usefixtures("quick_answers")

ROOT = Path(__file__).resolve().parents[3]
LINES = {
    "simulate": "simulate herd -p keeper,keeper-dog -n 200 --rotate --set first_game=true",
    "a strategy with parameters": "simulate herd -p keeper,herder:keep_sheep=2:dog=first -n 200",
    "precision": "simulate herd -p keeper,climber --precision 0.05 --max-games 3000 --seed 5",
    "compare": "compare herd keeper climber -n 200 --field keeper,keeper --metric length",
    "nobody else": "compare herd keeper climber -n 200 --field '' --metric length",
    "decide": "compare herd keeper climber --decide --max-games 2000 --margin 0.01 --seed 3",
    "readings": "compare herd keeper climber -n 100 --readings --set horse_price=3",
    "tournament": "tournament herd -e keeper,climber,random --size 2 -n 50 --max-line-ups 30",
    "sweep": "sweep herd herder -v keep_sheep=0:1:1 -v rules.horse_price=2,3 -n 100 --best low",
    "luck": "luck herd -p keeper,random -n 100 --metric length",
    "solve": "solve herd --strategy climber --dogs none --dogs sold --set sheep=8 --set cows=5",
    "race": "race herd -p keeper,keeper-dog -n 200 --seed 18446744073709551615 --set sheep=8",
    "ask": "ask seat herd --quick -p keeper --set dice=super-farmer",
}


SOLVED = {
    "command": "solve",
    "game": "herd",
    "rules": HerdRules(horse_price=3).as_dict(),
    "seed": 0,
    "plugins": [],
    "arguments": {"strategies": ["climber", "keeper"], "dogs": ["none"]},
}


def result_of(line: str) -> dict[str, Any]:
    return here.result_of(*shlex.split(line))


def figures(whole: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in whole.items() if key not in NOT_COMPARED}


@pytest.mark.parametrize("name", LINES)
def test_the_line_makes_the_same_result(name: str) -> None:
    whole = result_of(LINES[name])
    line = command_line(whole)
    assert line.startswith("herdlab ")
    assert figures(result_of(line.removeprefix("herdlab "))) == figures(whole)


def test_the_line_is_one_that_a_reader_understands() -> None:
    assert command_line(result_of(LINES["simulate"])) == (
        "herdlab simulate herd --players keeper,keeper-dog --games 200 --rotate --seed 0 "
        "--set first_game=true"
    )
    assert command_line(SOLVED) == (
        "herdlab solve herd --strategy climber --strategy keeper --dogs none --set horse_price=3"
    )


DICE = "rabbit,rabbit,rabbit,rabbit,rabbit,rabbit,sheep,sheep,pig,cow,wolf,T".split(",")
SETTINGS: list[dict[str, Any]] = [
    {},
    {"dice": "super-farmer"},
    {"wolf_die": DICE},
    {"first_game": True, "t_cancels": True, "horse_price": 3},
]


@pytest.mark.parametrize("settings", SETTINGS)
def test_only_settings_that_are_needed_are_named(settings: dict[str, Any]) -> None:
    rules = HerdRules.from_settings(settings)
    assert fewest_settings("herd", rules.as_dict()) == settings


def test_lists_and_truth_values_are_written_as_set_reads_them() -> None:
    rules = SwapRules.from_settings(
        {"slap_speed": "1,2,0.5", "swap_seats": "true", "false_slap_rate": "0.25"}
    )
    line = command_line({**SOLVED, "game": "swap", "rules": rules.as_dict()})
    given = dict(word.split("=") for word in shlex.split(line) if "=" in word)
    assert sorted(given) == ["false_slap_rate", "slap_speed", "swap_seats"]
    assert SwapRules.from_settings(given) == rules


def test_what_a_result_says_cannot_become_a_command() -> None:
    whole = result_of(LINES["simulate"])
    evil = "keeper; rm -rf / $(x) `y` 'z'"
    whole["arguments"]["players"] = evil
    whole["plugins"] = [{"file": "my plug-in.py", "sha256": "0"}]
    words = shlex.split(command_line(whole))
    assert words[words.index("--players") + 1] == evil
    assert words[words.index("--plugin") + 1] == "my plug-in.py"


def test_a_plugin_is_named() -> None:
    plugin = ROOT / "examples" / "patient_farmer.py"
    line = f"simulate herd -p patient-farmer,keeper -n 50 --plugin {plugin}"
    assert command_line(result_of(line)).endswith(" --plugin patient_farmer.py")


def test_a_result_of_no_known_command_is_refused() -> None:
    whole = {**result_of(LINES["simulate"]), "command": "simulte"}
    with pytest.raises(BadInput, match=f"'simulte': {meant('simulate')}"):
        command_line(whole)
