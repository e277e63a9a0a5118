"""`tournament -e all`: who enters, and that a result names them."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import herdlab
from herdlab.analysis.experiment import Experiment
from herdlab.analysis.runs.run_options import names
from herdlab.analysis.stats.equilibrium import resampled
from herdlab.analysis.studies import standings
from herdlab.analysis.studies.tournament import TournamentRequest
from herdlab.analysis.studies.verify import differences
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game, games
from herdlab.strategies.registry import strategies_of
from tests.command_line import herdlab as run_herdlab
from tests.terminal import SMALL
from tests.words import meant

EXAMPLE = Path(__file__).parents[3] / "examples" / "patient_farmer.py"


@pytest.fixture(autouse=True)
def few_replicates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standings, "resampled", partial(resampled, replicates=10))


def entrants(game: str, text: str, size: int, **settings: Any) -> list[str]:
    found = find_game(game)
    experiment = Experiment(found, found.rules_type.from_settings(settings))
    return list(TournamentRequest(experiment, names(text), size).entrants)


@pytest.mark.parametrize("game", games())
def test_all_are_the_strategies_of_the_game_but_slow_ones(game: str) -> None:
    size, advanced = (3, {"advanced": True}) if game in ("horse-trader", "bronco") else (4, {})
    known = strategies_of(find_game(game))
    wanted = [name for name, one in known.items() if not one.slow]
    assert entrants(game, "all", size, **advanced) == entrants(game, "ALL", size, **advanced)
    assert entrants(game, "all", size, **advanced) == wanted
    assert {name for name in known if name not in wanted} <= {"rollout"}


def test_who_cannot_play_by_the_rules_or_at_the_table_does_not_enter() -> None:
    plain = set(entrants("bronco", "all", 3))
    assert set(entrants("bronco", "all", 3, advanced=True)) - plain == {"bluffer", "sceptic"}


def test_all_are_those_that_are_not_named_beside_it() -> None:
    everybody = entrants("herd", "all", 2)
    assert "rollout" not in everybody
    assert entrants("herd", "all,rollout:n=5", 2) == [*everybody, "rollout:n=5"]
    assert entrants("herd", "all,herder:dog=never", 2) == [*everybody, "herder:dog=never"]
    first = entrants("herd", "Keeper,all", 2)
    assert first[0] == "keeper" and sorted(first) == sorted(everybody)


@pytest.mark.parametrize(
    ("text", "size", "sentence"),
    [
        ("all,ALL", 2, "entrant 'all' is named twice"),
        ("all", 5, "herd takes 1 to 4 players, and got 5"),
        ("all", 1, "at least 2 players"),
        ("all,kepper", 2, meant("keeper")),
        ("all:dog=never", 2, "unknown strategy of herd 'all'"),
    ],
)
def test_mistakes_are_refused_with_a_sentence(text: str, size: int, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        entrants("herd", text, size)


@pytest.mark.usefixtures("own_registry")
def test_the_result_names_them_and_can_be_replayed_and_resumed(tmp_path: Path) -> None:
    out = tmp_path / "run"
    play = partial(herdlab.tournament, "swap", size=2, games=50)
    found = play("all", out=out)
    whole = json.loads(json.dumps(found.as_json()))
    names = whole["arguments"]["entrants"].split(",")
    assert "all" not in names and names == list(strategies_of(find_game("swap")))
    assert sorted(one["strategy"] for one in whole["entrants"]) == sorted(names)
    assert differences(whole, herdlab.replay(whole)) == []
    assert differences(whole, play(names)) == []

    file = tmp_path / "newcomer.py"
    file.write_text(
        "from herdlab.strategies import strategy\n\n"
        '@strategy("swap", "newcomer")\n'
        'def newcomer(decision, view, me):\n    """Plays nothing legal."""\n    return -1\n'
    )
    with pytest.raises(BadInput, match="'newcomer' .* not a legal choice"):
        play("all", plugins=[file])
    assert differences(whole, herdlab.replay(whole)) == []  # who came later is not in it
    assert differences(whole, herdlab.resume(out)) == []


def test_all_has_the_plug_ins_of_the_line_too(tmp_path: Path) -> None:
    words = ("tournament", "herd", "-e", "all", "--size", "2", "-n", "1", "--json", *SMALL)
    done = run_herdlab(*words, "--plugin", str(EXAMPLE))
    assert done.returncode == 0, done.stderr
    whole = json.loads(done.stdout)
    assert "patient-farmer" in whole["arguments"]["entrants"].split(",")
    saved = tmp_path / "all.json"
    saved.write_text(done.stdout)
    held = run_herdlab("verify", str(saved), "--plugin", str(EXAMPLE))
    assert held.returncode == 0 and "every number is the same" in held.stdout, held.stderr
