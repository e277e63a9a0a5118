"""Run folders: whatever ended a run, going on gives to the bit what an unbroken run gives."""

import json
import random
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import herdlab
from herdlab.analysis.experiment import Interrupted
from herdlab.analysis.runs import run_folder, sums_codec
from herdlab.analysis.runs.run_folder import OF_THE_RUN, RunFolder
from herdlab.analysis.runs.run_folder_reading import CHECKPOINT, MANIFEST, RESULT
from herdlab.simcore.batch import Threads
from herdlab.simcore.errors import BadInput
from tests.analysis.runs.run_folders import RUNS, Fragile, Killed, everything, kept

pytestmark = pytest.mark.usefixtures("quick_answers")

SIMULATE = RUNS["simulate"]


@pytest.mark.parametrize("name", RUNS)
def test_killed_again_and_again_it_gives_what_an_unbroken_run_gives(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed after one to five parts each time, with a checkpoint after every one or some."""
    play, drawn = RUNS[name], random.Random(name)
    fragile, broken = Fragile(monkeypatch), tmp_path / "broken"
    whole = play(out=tmp_path / "whole", threads=2)
    usual = RunFolder.may_save

    def now_and_then(folder: RunFolder) -> None:
        if drawn.random() < 0.7:
            usual(folder)

    monkeypatch.setattr(RunFolder, "may_save", now_and_then)
    go_on: Callable[[], Any] = lambda: play(out=broken, threads=3)  # noqa: E731
    kills = 0
    while True:
        fragile.dies_after(drawn.randint(1, 5))
        try:
            found = go_on()
            break
        except Killed:
            kills += 1
            assert not (broken / RESULT).exists()
        go_on = lambda: herdlab.resume(broken, threads=drawn.randint(1, 3))  # noqa: E731
    assert kills >= 2
    assert kept(broken) == kept(tmp_path / "whole")
    told, again = whole.as_json(), found.as_json()
    assert {key: again[key] for key in again if key not in OF_THE_RUN} == {
        key: told[key] for key in told if key not in OF_THE_RUN
    }


def test_a_run_that_would_not_note_how_far_it_is_would_be_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The known fault: a part in the sums that is played again after the kill."""
    SIMULATE(out=tmp_path / "whole")
    fragile = Fragile(monkeypatch)
    usual = RunFolder.save

    def behind(folder: RunFolder) -> None:
        if folder._stage is not None and folder._stage.at:
            folder._stage.at -= 1
        usual(folder)

    monkeypatch.setattr(RunFolder, "save", behind)
    fragile.dies_after(3)
    with pytest.raises(Killed):
        SIMULATE(out=tmp_path / "broken")
    fragile.dies_after(None)
    monkeypatch.setattr(RunFolder, "save", usual)
    herdlab.resume(tmp_path / "broken")
    assert kept(tmp_path / "broken") != kept(tmp_path / "whole")


@pytest.mark.parametrize("name", ["simulate", "decide", "tournament", "tune"])
def test_a_finished_run_tells_its_result_and_plays_nothing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = RUNS[name](out=tmp_path / "run")
    before = everything(tmp_path / "run")

    def nobody(crew: Threads, work: Any, parts: Any) -> Any:
        assert list(parts) == []
        yield from ()

    monkeypatch.setattr(Threads, "play_all", nobody)
    again = herdlab.resume(tmp_path / "run")
    assert everything(tmp_path / "run") == before
    assert again.as_json()["games"] == first.as_json()["games"]
    assert again.as_json()["seconds"] >= first.as_json()["seconds"]


def test_the_result_on_file_is_the_json_but_for_how_long_it_took(tmp_path: Path) -> None:
    found = SIMULATE(out=tmp_path / "run").as_json()
    on_file = json.loads((tmp_path / "run" / RESULT).read_text())
    assert set(found) - set(on_file) == set(OF_THE_RUN)
    assert on_file == json.loads(json.dumps({key: found[key] for key in on_file}))
    manifest = json.loads((tmp_path / "run" / MANIFEST).read_text())
    for key in ("command", "game", "rules", "rules_hash", "seed", "version"):
        assert manifest[key] == found[key]


def test_ctrl_c_keeps_all_that_was_played_and_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_folder, "_LEAST_SECONDS", 1e9)  # no checkpoint but the last

    def stop(done: int, total: int) -> None:
        if done >= 1_000:
            raise KeyboardInterrupt

    folder = tmp_path / "a run"
    with pytest.raises(Interrupted) as stopped:
        SIMULATE(out=folder, on_progress=stop)
    assert stopped.value.resume == f"herdlab resume '{folder}'"
    so_far = stopped.value.so_far
    stage = json.loads((folder / CHECKPOINT).read_text())["stages"][0]
    assert stage["at"] == stage["into"]["games"] == so_far.games >= 1_000
    herdlab.resume(folder)
    SIMULATE(out=tmp_path / "whole")
    assert kept(folder) == kept(tmp_path / "whole")


@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize("name", ["decide", "precision"])
def test_ctrl_c_while_earlier_looks_are_gone_through_spoils_nothing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Meanwhile the sums are not those of all that was played, and must not be kept."""
    RUNS[name](out=tmp_path / "whole")
    fragile, broken = Fragile(monkeypatch), tmp_path / "broken"
    fragile.dies_after(20)
    with pytest.raises(Killed):
        RUNS[name](out=broken)
    fragile.dies_after(None)
    usual = sums_codec.restore
    calls: list[Any] = []

    def interrupted(into: Any, sums: dict[str, Any]) -> None:
        usual(into, sums)
        if calls and into is not calls[0]:
            return  # a part of the sums
        calls.append(into)
        if len(calls) == 3:  # the stage as it was, the first look, the second
            signal.raise_signal(signal.SIGINT)

    before = json.loads((broken / CHECKPOINT).read_text())["stages"]
    with monkeypatch.context() as patch, pytest.raises(Interrupted):
        for module in ("run_folder", "sums_codec"):
            patch.setattr(f"herdlab.analysis.runs.{module}.restore", interrupted)
        herdlab.resume(broken)
    assert len(calls) >= 3
    assert json.loads((broken / CHECKPOINT).read_text())["stages"] == before
    herdlab.resume(broken)
    assert kept(broken) == kept(tmp_path / "whole")


def test_an_interrupted_search_tells_who_leads(tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        if done >= 1_500 * 12:  # three candidates, against two opponents in two seats
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        RUNS["tune"](out=tmp_path / "run", on_progress=stop)
    so_far = stopped.value.so_far
    assert "leads" in so_far.sentence and "not measured on fresh deals" in so_far.sentence
    first = so_far.as_json()["tried"][0]
    assert 0 < first["ci_low"] < first["value"] < first["ci_high"] < 1
    assert len(so_far.frame()) == len(so_far.tried) == 3


def test_ctrl_c_while_the_result_is_written_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(folder: RunFolder, result: dict[str, Any]) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(Interrupted) as stopped:
        patch.setattr(RunFolder, "finish", stop)
        SIMULATE(out=tmp_path / "run")
    assert stopped.value.resume == f"herdlab resume {tmp_path / 'run'}"
    herdlab.resume(tmp_path / "run")


@pytest.mark.usefixtures("own_registry")
def test_plug_ins_are_kept_with_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "mine.py"
    example = Path(__file__).parents[3] / "examples" / "patient_farmer.py"
    file.write_bytes(example.read_bytes())
    play = partial(herdlab.simulate, "herd", "patient-farmer,keeper", games=2_000)
    play(out=tmp_path / "whole", plugins=[file])
    fragile = Fragile(monkeypatch)
    fragile.dies_after(2)
    with pytest.raises(Killed):
        play(out=tmp_path / "run", plugins=[file])
    fragile.dies_after(None)
    file.unlink()
    herdlab.resume(tmp_path / "run")
    assert kept(tmp_path / "run") == kept(tmp_path / "whole")
    copy = tmp_path / "run" / "plugins" / "mine.py"
    copy.write_text(copy.read_text() + "\n")
    with pytest.raises(BadInput, match=r"its plugins/mine\.py is not what was written"):
        herdlab.resume(tmp_path / "run")
