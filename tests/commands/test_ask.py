"""`herdlab ask` as a user meets it."""

import json
from pathlib import Path

import pytest

import herdlab as api
from herdlab.analysis.experiment import Interrupted
from herdlab.analysis.questions import QUESTIONS, seat
from herdlab.analysis.studies.verify import differences
from herdlab.simcore.errors import BadInput
from tests.command_line import herdlab, result_of
from tests.conftest import Refuses
from tests.quick import few_games_of_seats
from tests.words import NO_FOLDER, SAME_NUMBERS, TOO_FEW_GAMES, meant, not_together, unknown

QUICK = ("ask", "seat", "herd", "--quick")

MISTAKES = [
    (("ask", "guard-dg"), [unknown("question", "guard-dg"), meant("guard-dog")]),
    (("ask", "what?"), [unknown("question", "what?"), "known: guard-dog"]),
    (("ask", "seat"), ["any game, so name one", "herdlab ask seat herd"]),
    (("ask", "seat", "hurd"), [unknown("game", "hurd"), meant("herd")]),
    (("ask", "guard-dog", "swap"), ["question about herd, not about swap"]),
    (("ask", "bluff", "herd"), ["question about horse-trader and bronco, not about herd"]),
    (("ask", "guard-dog", "hurd"), [unknown("game", "hurd")]),
    (("ask", "trade-up", "--players", "keeper"), ["'trade-up'", "takes no players"]),
    ((*QUICK, "--players", "keepr"), ["'keepr'", meant("keeper")]),
    ((*QUICK, "--max-games", "1e5"), [not_together("--quick", "--max-games")]),
    ((*QUICK[:-1], "--max-games", "5"), [TOO_FEW_GAMES]),
    ((*QUICK[:-1], "--max-games", "many"), ["--max-games", "'many'"]),
    ((*QUICK, "--seed", "x"), ["--seed", "'x'"]),
    ((*QUICK, "--set", "horse_pric=3"), [meant("horse_price")]),
    ((*QUICK, "--figure", "seat.gif"), ["'.gif'", ".svg, .png, .pdf"]),
    ((*QUICK, "--figure", "nowhere/seat.svg"), ["nowhere", NO_FOLDER]),
    ((*QUICK, "--save", "seat.xls"), ["'.xls'"]),
]


@pytest.mark.parametrize(("words", "parts"), MISTAKES)
def test_a_mistake_gets_one_sentence(
    words: tuple[str, ...], parts: list[str], refuses: Refuses
) -> None:
    refuses(words, parts)


def test_the_questions_are_listed() -> None:
    code, out, _ = herdlab("ask")
    assert code == 0
    for name, one in QUESTIONS.items():
        assert name in out and one.words.split()[0] in out
    assert "--quick" in out and "herdlab ask seat swap" in out
    assert max(map(len, out.splitlines())) <= 80


def test_the_questions_are_listed_as_json() -> None:
    listed = json.loads(herdlab("ask", "--json").stdout)
    assert [one["name"] for one in listed] == list(QUESTIONS)
    assert listed[0]["games"] == ["herd"]
    assert [one["words"] for one in listed] == [one.words for one in QUESTIONS.values()]


def test_the_names_that_others_rely_on_and_the_replay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few_games_of_seats(monkeypatch)
    path, figure, table = (tmp_path / name for name in ("seat.json", "seat.svg", "seat.csv"))
    found = result_of(*QUICK, "--save", str(table), "--figure", str(figure))
    wanted = "question verdict settled findings games seed rules_hash"
    assert set(wanted.split()) <= set(found)
    assert found["question"] == "seat" and found["settled"] in (True, False) and found["rough"]
    for one in found["findings"]:
        assert {"label", "value", "ci_low", "ci_high", "unit"} <= set(one)
    assert "fair share" in figure.read_text()
    assert len(table.read_text().splitlines()) == 1 + len(found["findings"])

    path.write_text(json.dumps(found))
    done = herdlab("verify", str(path))
    assert done.returncode == 0 and SAME_NUMBERS in done.stdout, done.stdout
    again = api.replay(found)
    found["findings"][0]["value"] += 0.1
    assert [one.where for one in differences(found, again)] == ["findings[0].value"]
    found["findings"][0]["value"] -= 0.1
    found["headline"] = "Another version might say so."
    path.write_text(json.dumps(found))
    done = herdlab("verify", str(path))
    assert done.returncode == 0 and "choose differently: 1\nheadline: " in done.stdout, done.stdout
    found["arguments"]["max_games"] = 1000
    with pytest.raises(BadInput, match=not_together("quick", "max_games")):
        api.replay(found)


def test_the_verdict_comes_first_and_a_pipe_gets_plain_text() -> None:
    done = herdlab(*QUICK, "--set", "horse_price=3")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].endswith(QUESTIONS["seat"].words)
    assert lines[1].startswith("In Have You Herd? at tables of 2 the first seat has ")
    assert "Rough, from few games." in lines
    assert max(map(len, lines)) <= 120 and "\x1b" not in done.stdout
    end = " ".join(lines[-3:])
    assert "seed 0; rules of Have You Herd? horse_price=3 " in end and "300,000 games in " in end


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), Interrupted("a part", None)])
def test_interrupted_it_ends_cleanly(stop: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(ask: object) -> None:
        raise stop

    monkeypatch.setattr(seat, "answer", stopped)
    code, out, err = herdlab("ask", "seat", "herd")
    assert code == 130 and out == ""
    assert "interrupted" in err and "--quick gives a rough answer" in err
