"""`advise` as a user meets it."""

import json
from pathlib import Path

import pandas as pd
import pytest

import herdlab as api
from tests.command_line import herdlab, result_of
from tests.conftest import Refuses
from tests.words import DIFFERS, SAME_NUMBERS, TOO_FEW_GAMES, meant

ADVISE = ("advise", "herd", "--herd", "rabbits=6,sheep=2")
BOUND = (*ADVISE, "-o", "sheep=3", "-o", "rabbits=5,pigs=2", "--phase", "after", "--t", "-n", "500")

MISTAKES = [
    (("advise", "herd", "--herd", "rabbits=13"), ["13 rabbits: 0 to 12 (H7)"]),
    (("advise", "herd", "--herd", "sheep=25"), ["25 sheep: there are 24 (H1)"]),
    ((*ADVISE, "--other", "sheep=23"), ["25 sheep together, and there are 24 (H1)"]),
    ((*ADVISE, "--other", "cow=1,pig=1,sheep=1,rabbit=1,horse=1"), ["complete", "(H4)"]),
    ((*ADVISE, "--t"), ["only in the phase 'after' the roll (H13)"]),
    ((*ADVISE, "--skunk", "me"), ["nothing to decide (H14)"]),
    ((*ADVISE, "--skunk", "me", "--phase", "after"), ["loses his turn", "(H14)"]),
    ((*ADVISE, "--skunk", "you"), ["me or 1", "'you' (H14)"]),
    ((*ADVISE, "--phase", "befor"), [meant("before")]),
    ((*ADVISE, "--turn", "soon"), ["--turn must be a whole number", "'soon'"]),
    ((*ADVISE, "--turn", "10000"), ["0 to 9999", "(H16)"]),
    ((*ADVISE, "--players", "keeper"), ["another player"]),
    ((*ADVISE, "--players", "keeper,kepper"), [meant("keeper")]),
    ((*ADVISE, "--games", "5"), [TOO_FEW_GAMES]),
    ((*ADVISE, "--set", "horse_prise=3"), [meant("horse_price")]),
    (("advise", "herd", "--herd", "sheeps=2"), ["'sheeps'", meant("sheep")]),
    (
        ("advise", "herd", "--herd", "6 rabbits"),
        ["a herd is written rabbits=6,sheep=2", "'6 rabbits'"],
    ),
    (("advise", "swap", "--herd", "sheep=2"), ["advice is for herd", "'swap'"]),
    (("advise", "hurd", "--herd", "sheep=2"), [meant("herd")]),
]


@pytest.mark.parametrize(("words", "parts"), MISTAKES)
def test_a_mistake_gets_one_sentence(
    words: tuple[str, ...], parts: list[str], refuses: Refuses
) -> None:
    refuses(words, parts)


def test_the_advice_comes_first_and_all_moves_after_it() -> None:
    done = herdlab(*ADVISE, "--other", "rabbits=4,sheep=1", "--games", "2000")
    assert done.returncode == 0 and done.stderr == "", done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "Have You Herd?  your trade before the roll"
    assert "How sure? 2,000 games a move" in done.stdout
    for words in ("no trade", "5 rabbits for 1 sheep", "2 sheep for 1 pig", "1 rabbit + 1 sheep"):
        assert sum(line.startswith(words) for line in lines) == 1, words
    assert "no --other given" not in done.stdout
    assert "no --other given" in herdlab(*ADVISE, "--games", "100").stdout


def test_the_names_that_others_rely_on() -> None:
    found = result_of(*BOUND)
    assert {"position", "moves", "best", "sentence"} <= set(found)
    wanted = {"move", "win_rate", "ci_low", "ci_high", "solo_turns"}
    assert all(wanted <= set(one) for one in found["moves"])
    assert {one["move"] for one in found["moves"]} == {"none", "sheep from 1", "pig from 2"}
    assert found["best"] == found["moves"][0]["move"]
    assert found["position"]["t_in_force"] is True and found["position"]["phase"] == "after"


def test_it_can_be_verified(tmp_path: Path) -> None:
    found = result_of(*BOUND)
    path = tmp_path / "result.json"
    path.write_text(json.dumps(found))
    done = herdlab("verify", str(path))
    assert done.returncode == 0 and SAME_NUMBERS in done.stdout, done.stdout
    path.write_text(json.dumps(found).replace('"seed": 0', '"seed": 1'))
    done = herdlab("verify", str(path))
    assert done.returncode == 1 and DIFFERS in done.stdout


def test_it_can_be_saved_as_a_table(tmp_path: Path) -> None:
    files = [tmp_path / f"result.{kind}" for kind in ("csv", "parquet", "json")]
    done = herdlab(*BOUND, *(word for file in files for word in ("--save", str(file))))
    assert done.returncode == 0, done.stderr
    rows, again = pd.read_csv(files[0]), pd.read_parquet(files[1])
    assert len(rows) == len(again) == 3 and list(rows.columns) == list(again.columns)
    assert json.loads(files[2].read_text())["arguments"]["others"] == [
        "sheep=3",
        "rabbits=5,pigs=2",
    ]


def test_it_is_the_same_from_python() -> None:
    found = api.advise("herd", {"rabbits": 6, "sheep": 2}, others=["rabbits=3"], games=500)
    again = api.replay(json.loads(json.dumps(found.as_json())))
    assert again.moves == found.moves and again.sentence == found.sentence
