"""Playing studies: what was played is kept, and taken only where nothing has changed."""

import json
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import pytest

import herdlab
from herdlab.analysis.experiment import Interrupted
from herdlab.analysis.report.study.running import StudyInterrupted, quickly, run_study
from herdlab.analysis.report.study.study import COMMANDS, Study, read_study
from herdlab.analysis.runs import provenance
from herdlab.simcore.errors import BadInput
from herdlab.strategies import registry

ROOT = Path(__file__).resolve().parents[3]
STUDY = """
title = "Small"
game = "herd"
seed = 3
[[part]]
title = "Who wins"
command = "simulate"
players = "keeper,climber"
games = 200
[[part]]
title = "All"
command = "overview"
[[part]]
title = "The difference"
command = "compare"
a = "keeper"
b = "climber"
games = 100
[[part]]
title = "With a dog"
command = "simulate"
players = ["keeper", "keeper-dog"]
games = 100
"""


class Counted:
    """herdlab's functions, with what was really called, and perhaps a stop at one of the calls."""

    def __init__(self, stop: tuple[int, BaseException] | None = None) -> None:
        self.calls: list[str] = []
        self.stop = stop
        self.functions = {name: self._counted(getattr(herdlab, name)) for name in COMMANDS}

    def _counted(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            if "threads" in kwargs:  # else it is only checked
                self.calls.append(function.__name__)
                if self.stop and len(self.calls) == self.stop[0]:
                    raise self.stop[1]
            return function(*args, **kwargs)

        return call


def read(folder: Path, text: str = STUDY, counted: Counted | None = None) -> Study:
    path = folder / "study.toml"
    path.write_text(text)
    return read_study(path, (counted or Counted()).functions)


def run(
    folder: Path, text: str = STUDY, *, fresh: bool = False, stop: Any = None, quick: bool = False
) -> tuple[list[str], list[dict[str, Any] | None]]:
    """Play a study; return what was called, and the results."""
    counted = Counted(stop)
    study = read(folder, text, counted)
    study = quickly(study) if quick else study
    results = run_study(study, counted.functions, keep=folder / "kept", fresh=fresh)
    return counted.calls, results


ALL = ["simulate", "compare", "simulate"]


def test_the_results_are_those_of_herdlab_in_the_order_of_the_parts(tmp_path: Path) -> None:
    calls, results = run(tmp_path)
    assert calls == ALL
    who, overview, difference, dog = results
    assert who and difference and dog and overview is None
    alone = herdlab.simulate("herd", "keeper,climber", games=200, seed=3).as_json()
    assert who["seats"] == json.loads(json.dumps(alone))["seats"] and who["seed"] == 3
    assert difference["command"] == "compare" and dog["players"] == ["keeper", "keeper-dog"]


def test_what_was_played_is_not_played_again(tmp_path: Path) -> None:
    _, first = run(tmp_path)
    kept = {path: path.read_bytes() for path in (tmp_path / "kept").iterdir()}
    assert sorted(path.name.rsplit("-", 1)[0] for path in kept) == [
        "1-simulate",
        "3-compare",
        "4-simulate",
    ]
    calls, second = run(tmp_path)
    assert calls == [] and second == first
    assert {path: path.read_bytes() for path in (tmp_path / "kept").iterdir()} == kept


def test_a_kept_result_can_be_verified_as_any_other(tmp_path: Path) -> None:
    from herdlab.analysis.studies.verify import differences, read_result

    run(tmp_path)
    for path in (tmp_path / "kept").iterdir():
        whole = read_result(path)
        assert differences(whole, herdlab.replay(whole)) == []


def test_a_fresh_start_plays_all_anew(tmp_path: Path) -> None:
    _, first = run(tmp_path)
    calls, second = run(tmp_path, fresh=True)
    assert calls == ALL
    assert [one and one.get("verdict") for one in first] == [
        one and one.get("verdict") for one in second
    ]


CHANGES = [
    ("seed = 3", "seed = 4", ALL),
    ("seed = 3", "seed = 3\n[rules]\nhorse_price = 3", ALL),
    ('players = "keeper,climber"', 'players = "keeper,climber"\nseed = 9', ["simulate"]),
    ("games = 200", "games = 201", ["simulate"]),
    ('b = "climber"', 'b = "climber"\nmetric = "length"', ["compare"]),
    ("Who wins", "Another title", []),
    ('title = "Small"', 'title = "Small"\ntext = "More words."', []),
]


@pytest.mark.parametrize(("there", "instead", "played"), CHANGES)
def test_only_what_is_asked_otherwise_is_played_again(
    there: str, instead: str, played: list[str], tmp_path: Path
) -> None:
    run(tmp_path)
    calls, _ = run(tmp_path, STUDY.replace(there, instead))
    assert calls == played


def test_another_order_of_the_parts_plays_nothing_again(tmp_path: Path) -> None:
    _, first = run(tmp_path)
    head, *parts = STUDY.split("[[part]]")
    calls, second = run(tmp_path, "[[part]]".join([head, *reversed(parts)]))
    assert calls == [] and second == first[::-1]


def test_another_herdlab_plays_all_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(tmp_path)
    monkeypatch.setattr("herdlab.analysis.report.study.running.fingerprint", lambda: "another")
    assert run(tmp_path)[0] == ALL


def test_the_fingerprint_is_of_all_sources_that_make_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "api/playing.py": True,
        "simcore/herd/rules.py": True,
        "strategies/herd/herder.py": True,
        "analysis/questions/seat.py": True,
        "analysis/report/render/html.py": False,
        "analysis/figures/lines.py": False,
    }
    monkeypatch.setattr(provenance, "_PACKAGE", tmp_path)
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x = 1\n")
    seen = provenance.fingerprint.__wrapped__()
    for name, counts in files.items():
        assert (ROOT / "herdlab" / name).exists()
        (tmp_path / name).write_text("x = 2\n")
        now = provenance.fingerprint.__wrapped__()
        assert (now != seen) == counts, name
        seen = now


DAMAGES: list[Callable[[str], str]] = [
    lambda text: "",
    lambda text: text[: len(text) // 2],
    lambda text: "[]",
    lambda text: text.replace('"win_rate": 0.', '"win_rate": 1.', 1),
    lambda text: text.replace('"request": "', '"request": "0'),
    lambda text: text.replace('"kept"', '"cept"'),
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_result_is_made_anew(damage: Callable[[str], str], tmp_path: Path) -> None:
    _, first = run(tmp_path)
    (path,) = (tmp_path / "kept").glob("1-simulate-*.json")
    whole = path.read_text()
    path.write_text(damage(whole))
    assert path.read_text() != whole
    calls, second = run(tmp_path)
    assert calls == ["simulate"] and second[1:] == first[1:]
    assert run(tmp_path)[0] == []


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), Interrupted(None, None)])
def test_an_interrupted_study_goes_on_where_it_was(stop: BaseException, tmp_path: Path) -> None:
    with pytest.raises(StudyInterrupted, match="interrupted in part 3 of 4"):
        run(tmp_path, stop=(2, stop))
    assert [path.name[0] for path in (tmp_path / "kept").iterdir()] == ["1"]
    calls, results = run(tmp_path)
    assert calls == ["compare", "simulate"]
    assert [one and one["command"] for one in results] == ["simulate", None, "compare", "simulate"]


def test_a_part_that_fails_in_play_is_named_and_the_others_are_kept(tmp_path: Path) -> None:
    sentence = r"part 3 \('The difference'\): a strategy went wrong"
    with pytest.raises(BadInput, match=sentence):
        run(tmp_path, stop=(2, BadInput("a strategy went wrong")))
    assert [path.name[0] for path in (tmp_path / "kept").iterdir()] == ["1"]


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("a file")
    with pytest.raises(BadInput, match="kept' cannot be written"):
        run(tmp_path)


LONG = """
title = "Long"
game = "herd"
[[part]]
title = "1"
command = "simulate"
players = "keeper,climber"
precision = 0.0001
[[part]]
title = "2"
command = "compare"
a = "keeper"
b = "climber"
decide = true
max_games = 1e9
margin = 0.001
[[part]]
title = "3"
command = "tournament"
entrants = "keeper,climber"
size = 2
[[part]]
title = "4"
command = "ask"
question = "seat"
max_games = 1e9
[[part]]
title = "5"
command = "solve"
[[part]]
title = "6"
command = "luck"
players = "keeper,climber"
games = 123
[[part]]
title = "7"
command = "overview"
"""


def test_a_quick_study_plays_few_games_and_says_so_in_its_requests(tmp_path: Path) -> None:
    study = quickly(read(tmp_path, LONG))
    assert [part.arguments for part in study.parts] == [
        {"players": "keeper,climber", "games": 2000},
        {"a": "keeper", "b": "climber", "margin": 0.001, "games": 500},
        {"entrants": "keeper,climber", "size": 2, "games": 500},
        {"question": "seat", "quick": True},
        {},
        {"players": "keeper,climber", "games": 123},
        {},
    ]
    assert quickly(study) == study


def test_a_quick_result_is_not_taken_for_another(tmp_path: Path) -> None:
    text = STUDY.replace("games = 200", "games = 3000")
    _, quick = run(tmp_path, text, quick=True)
    assert quick[0] and quick[0]["games"] == 2000
    calls, whole = run(tmp_path, text)
    assert calls == ["simulate"] and whole[0] and whole[0]["games"] == 3000
    assert run(tmp_path, text, quick=True)[0] == []


def test_progress_runs_over_all_parts(tmp_path: Path) -> None:
    counted, heard, begun = Counted(), [], []
    study = read(tmp_path, STUDY, counted)
    run_study(
        study,
        counted.functions,
        keep=tmp_path / "kept",
        on_part=lambda number, part: begun.append((number, part.title)),
        on_progress=lambda done, total: heard.append((done, total)),
    )
    assert begun == [(1, "Who wins"), (2, "All"), (3, "The difference"), (4, "With a dog")]
    assert {total for _, total in heard} == {4000}
    done = [one for one, _ in heard]
    assert done == sorted(done) and done[0] == 0 and done[-1] == 4000
    assert {1000, 2000, 3000} <= set(done)


@pytest.mark.usefixtures("own_registry")
def test_a_plugin_is_told_in_the_result_and_another_one_is_another_request(
    tmp_path: Path,
) -> None:
    before = dict(registry._registered)
    plugin = tmp_path / "mine.py"
    plugin.write_text((ROOT / "examples" / "patient_farmer.py").read_text())
    text = STUDY.replace('"keeper,climber"', '"keeper,patient-farmer"')
    text = text.replace("seed = 3", "plugins = ['mine.py']")
    _, first = run(tmp_path, text)
    assert first[0] and [one["file"] for one in first[0]["plugins"]] == ["mine.py"]
    registry._registered.clear()
    registry._registered.update(before)
    assert run(tmp_path, text)[0] == []
    registry._registered.clear()
    registry._registered.update(before)
    plugin.write_text(plugin.read_text() + "\n# an edit\n")
    assert run(tmp_path, text)[0] == ALL
