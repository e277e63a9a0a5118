"""`solve` and `race` as a user meets them."""

import json
from pathlib import Path

import pandas as pd
import pytest

from tests.command_line import herdlab, refuses, result_of
from tests.words import meant

SMALL = ("--set", "sheep=4", "--set", "pigs=3", "--set", "cows=3", "--set", "max_rabbits=6")
NOTED = """
from herdlab.strategies import strategy

@strategy("herd", "noted", deterministic=True, notebook=1)
def noted(decision, view, me):
    \"\"\"Keeps notes.\"\"\"
    return 0 if decision == 1 else 1
"""

MISTAKES = [
    (("solve", "herd", "--strategy", "random"), ["'random' cannot be solved", "draws luck"]),
    (("solve", "herd", "--strategy", "herder:skunk=random"), ["draws luck"]),
    (("solve", "herd", "--strategy", "rollout"), ["'rollout' cannot be solved"]),
    (("solve", "herd", "--strategy", "kepper"), [meant("keeper")]),
    (("solve", "herd", "--dogs", "sole"), [meant("sold"), "rolled-only"]),
    (("solve", "swap"), ["only herd can be solved", "'swap'"]),
    (("solve", "hurd"), [meant("herd")]),
    (("solve", "herd", "--set", "horse_prize=3"), [meant("horse_price")]),
    (("race", "herd", "-p", "keeper"), ["a race takes 2 to 4 players, and got 1"]),
    (("race", "swap", "-p", "keeper,keeper"), ["race supports only herd"]),
    (("race", "herd", "-p", "keeper,random"), ["'random' cannot be solved"]),
]


@pytest.mark.parametrize(("words", "parts"), MISTAKES)
def test_a_mistake_is_one_sentence(words: tuple[str, ...], parts: list[str]) -> None:
    refuses(words, parts)


def test_a_strategy_with_a_notebook_is_refused(tmp_path: Path) -> None:
    plugin = tmp_path / "noted.py"
    plugin.write_text(NOTED)
    refuses(("solve", "herd", "--strategy", "noted", "--plugin", str(plugin)), ["keeps a notebook"])


def test_the_names_that_others_rely_on() -> None:
    found = result_of("solve", "herd", *SMALL, "--strategy", "keeper", "--strategy", "optimal")
    assert found["game"] == "herd"
    assert found["rules_hash"]
    keeper, best = found["results"]
    assert (keeper["strategy"], keeper["dogs"], best["strategy"]) == ("keeper", "sold", "optimal")
    assert best["mean_turns"] < keeper["mean_turns"]
    for one in (keeper, best):
        turns = [n * chance for n, chance in enumerate(one["distribution"], 1)]
        assert sum(turns) == pytest.approx(one["mean_turns"], abs=1e-9)
        assert 1 - sum(one["distribution"]) < 1e-12


def test_every_kind_of_dogs_stands_in_one_result() -> None:
    kinds = ("sold", "rolled-only", "none")
    dogs = [word for kind in kinds for word in ("--dogs", kind)]
    found = result_of("solve", "herd", *SMALL, "--strategy", "optimal", *dogs)
    assert [one["dogs"] for one in found["results"]] == list(kinds)
    sold, rolled, none = (one["mean_turns"] for one in found["results"])
    assert sold <= rolled < none


def test_who_never_finishes_has_no_mean_and_a_sentence() -> None:
    found = result_of("solve", "herd", *SMALL, "--strategy", "hermit")
    assert found["results"][0]["mean_turns"] is None
    assert found["results"][0]["distribution"] == []
    assert found["sentences"] == ["hermit never finishes"]


def test_what_the_rules_would_cut_off_is_said() -> None:
    done = herdlab("solve", "herd", *SMALL, "--strategy", "keeper", "--set", "max_turns=20")
    assert "to be cut off after 20 turns (H16) is not in its numbers" in done.stdout


def test_it_is_saved_turn_by_turn_and_verified(tmp_path: Path) -> None:
    files = [tmp_path / "turns.csv", tmp_path / "turns.json"]
    saving = [word for file in files for word in ("--save", str(file))]
    assert herdlab("solve", "herd", *SMALL, "--strategy", "keeper", *saving).returncode == 0
    frame = pd.read_csv(files[0])
    assert list(frame)[:4] == ["strategy", "dogs", "turns", "chance"]
    assert frame["chance"].sum() == pytest.approx(1)
    done = herdlab("verify", str(files[1]))
    assert done.stdout == "holds: worked out again, every number is the same\n"
    result = json.loads(files[1].read_text())
    result["results"][0]["mean_turns"] += 0.001
    files[1].write_text(json.dumps(result))
    assert herdlab("verify", str(files[1])).returncode == 1


def test_a_race_is_verified(tmp_path: Path) -> None:
    file = tmp_path / "race.json"
    race = ("race", "herd", "-p", "keeper,keeper-dog", "-n", "500")  # which others solve too
    assert herdlab(*race, "--save", str(file)).returncode == 0
    assert herdlab("verify", str(file)).returncode == 0
