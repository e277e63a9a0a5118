"""Run folders that are refused, and left as they were; nothing is left of a refused command."""

import json
import os
import random
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import herdlab
from herdlab.analysis.runs import run_folder
from herdlab.analysis.runs.folder_files import PASSING
from herdlab.analysis.runs.run_folder import RunFolder
from herdlab.analysis.runs.run_folder_reading import CHECKPOINT, MANIFEST, RESULT, hash_of, sealed
from herdlab.simcore.errors import BadInput
from tests import children, command_line
from tests.analysis.runs.run_folders import RUNS, Fragile, Killed, copied, everything, kept
from tests.command_line import check_refusal

SIMULATE = RUNS["simulate"]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "finished"
    RUNS["rows"](out=folder)
    return folder


FILES = [MANIFEST, CHECKPOINT, RESULT, "rows/000000000000-000000003000.parquet"]


@pytest.mark.parametrize("name", FILES)
def test_a_flipped_byte_is_refused_and_nothing_is_touched(
    name: str, finished: Path, tmp_path: Path
) -> None:
    """Any bit of any file, white space in JSON included; some of each are tried."""
    folder = copied(finished, tmp_path / "run")
    content, drawn = (folder / name).read_bytes(), random.Random(name)
    places = {0, len(content) - 1, *(drawn.randrange(len(content)) for _ in range(25))}
    for place in places:
        damaged = bytearray(content)
        damaged[place] ^= 1 << drawn.randrange(8)
        (folder / name).write_bytes(damaged)
        before = everything(folder)
        with pytest.raises(BadInput, match="is damaged|another herdlab") as refused:
            herdlab.resume(folder)
        assert name in str(refused.value) and "\n" not in str(refused.value)
        assert everything(folder) == before
    (folder / name).write_bytes(content)
    herdlab.resume(folder)


@pytest.mark.parametrize("name", FILES)
def test_a_missing_or_short_file_is_refused_and_nothing_is_touched(
    name: str, finished: Path, tmp_path: Path
) -> None:
    folder = copied(finished, tmp_path / "run")
    content = (folder / name).read_bytes()
    (folder / name).write_bytes(content[: len(content) // 2])
    before = everything(folder)
    with pytest.raises(BadInput, match=f"its {name} is not what was written"):
        herdlab.resume(folder)
    assert everything(folder) == before
    (folder / name).unlink()
    before = everything(folder)
    with pytest.raises(BadInput, match=f"no {name}" if name == MANIFEST else f"{name} is missing"):
        herdlab.resume(folder)
    assert everything(folder) == before


def test_another_version_code_or_run_is_refused(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copied(finished, tmp_path / "run")
    before = everything(folder)
    for name in ("version", "fingerprint"):
        with monkeypatch.context() as patch:
            patch.setattr(run_folder, name, lambda: "0.0.9")
            with pytest.raises(BadInput, match=r"begun by another herdlab .*0\.0\.9"):
                herdlab.resume(folder)
    assert everything(folder) == before
    other = tmp_path / "other"
    SIMULATE(out=other)
    (folder / CHECKPOINT).write_bytes((other / CHECKPOINT).read_bytes())
    with pytest.raises(BadInput, match=f"its {CHECKPOINT} belongs to another run"):
        herdlab.resume(folder)


def test_other_rules_are_refused(finished: Path, tmp_path: Path) -> None:
    """Also by a manifest that somebody has sealed anew."""
    folder = copied(finished, tmp_path / "run")
    for change in ({"rules_hash": "0123456789ab"}, {"rules": {"hand": 6}}):
        manifest = {**json.loads((finished / MANIFEST).read_text()), **change}
        checkpoint = json.loads((finished / CHECKPOINT).read_text())
        for one in (manifest, checkpoint):
            del one["sha256"]
        checkpoint["manifest"] = hash_of(sealed(manifest))
        (folder / MANIFEST).write_bytes(sealed(manifest))
        (folder / CHECKPOINT).write_bytes(sealed(checkpoint))
        before = everything(folder)
        with pytest.raises(BadInput, match="other rules|setting|rule"):
            herdlab.resume(folder)
        assert everything(folder) == before


def test_a_folder_with_anything_in_it_is_not_taken(finished: Path, tmp_path: Path) -> None:
    before = everything(finished)
    with pytest.raises(BadInput, match="holds a run already: .* go on with: herdlab resume "):
        SIMULATE(out=finished)
    assert everything(finished) == before
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(BadInput, match="is not empty, it has 'thesis.tex'"):
        SIMULATE(out=tmp_path)
    with pytest.raises(BadInput, match="is no run folder of herdlab: it has no manifest.json"):
        herdlab.resume(tmp_path)
    with pytest.raises(BadInput, match="it is a file"):
        SIMULATE(out=tmp_path / "thesis.tex")
    with pytest.raises(BadInput, match="cannot be made"):
        SIMULATE(out=tmp_path / "thesis.tex" / "run")
    with pytest.raises(BadInput, match="there is no run folder"):
        herdlab.resume(tmp_path / "nowhere")
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_two_processes_cannot_have_one_folder(finished: Path, tmp_path: Path) -> None:
    folder = copied(finished, tmp_path / "run")
    held = RunFolder.resume(folder)
    try:
        for call in (partial(herdlab.resume, folder), partial(SIMULATE, out=folder)):
            with pytest.raises(BadInput, match="is in use: another herdlab is at work in it"):
                call()
        check_refusal(children.herdlab("resume", str(folder)), ["is in use"])
    finally:
        held.close()
    herdlab.resume(folder)


@pytest.mark.parametrize("writes", [1, 2, 3, 5, 8])
def test_a_full_disk_is_a_sentence_and_what_was_written_before_goes_on(
    writes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Fragile(monkeypatch)
    RUNS["rows"](out=tmp_path / "whole")
    usual, left = os.fsync, [writes]

    def fsync(file: int) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(28, "No space left on device")
        usual(file)

    folder = tmp_path / "run"
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        with pytest.raises(BadInput, match="No space left on device") as refused:
            RUNS["rows"](out=folder)
        assert "\n" not in str(refused.value)
    assert not list(folder.rglob(f"{PASSING}*")) if folder.exists() else True
    if (folder / MANIFEST).exists():
        assert f"herdlab resume {folder}" in str(refused.value)
        herdlab.resume(folder)
        ours = json.loads((folder / RESULT).read_text())
        assert ours == json.loads((tmp_path / "whole" / RESULT).read_text())


def test_what_a_killed_process_left_half_written_is_taken_away(
    finished: Path, tmp_path: Path
) -> None:
    folder = copied(finished, tmp_path / "run")
    for place in (folder, folder / "rows"):
        (place / f"{PASSING}0123").write_bytes(b"half")
    herdlab.resume(folder)
    assert set(everything(folder)) == set(everything(finished))


PLUGIN = '''
from herdlab.strategies import strategy

@strategy("swap", "mine")
def mine(decision, view, me):
    """Plays what comes first."""
    return {answer}
'''


@pytest.mark.usefixtures("own_registry")
def test_a_command_that_is_refused_leaves_no_folder(tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(PLUGIN.replace('"mine"', '"wrong"').format(answer="1.5"))
    with pytest.raises(BadInput, match="must return a whole number"):
        herdlab.simulate("swap", "wrong,shedder", plugins=[file], out=tmp_path / "run")
    with pytest.raises(BadInput, match="unknown strategy"):
        herdlab.simulate("swap", "shreder,shedder", out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_only_functions_that_keep_a_folder_take_one(tmp_path: Path) -> None:
    for wrong in ({"out": tmp_path / "run"}, {"cluster": "local"}):
        with pytest.raises(TypeError, match="unexpected keyword argument"):
            herdlab.luck("swap", "shedder,raider", games=200, **wrong)
    with pytest.raises(TypeError, match="unexpected keyword argument 'seed'"):
        herdlab.resume(tmp_path, seed=3)  # type: ignore[call-arg]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("own_registry")
def test_plug_ins_of_one_name_are_refused_and_one_text_under_two_names_is_kept_twice(
    tmp_path: Path,
) -> None:
    """A folder keeps plug-ins by their names; the second would have taken the first's place."""
    files = [tmp_path / one / "mine.py" for one in ("a", "b")]
    for number, file in enumerate(files):
        file.parent.mkdir()
        file.write_text(PLUGIN.replace('"mine"', f'"mine-{number}"').format(answer="0"))
    play = partial(herdlab.simulate, "swap", "shedder,raider", games=200, out=tmp_path / "run")
    with pytest.raises(BadInput, match=r"two plug-ins are called 'mine\.py'"):
        play(plugins=files)
    assert not (tmp_path / "run").exists()
    other = tmp_path / "other.py"
    other.write_bytes(files[0].read_bytes())
    play(plugins=[files[0], other])
    herdlab.resume(tmp_path / "run")


@pytest.mark.usefixtures("own_registry")
def test_nothing_is_left_of_a_folder_that_was_never_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C while it is made, or a refusal: what was there before is there, and nothing else."""
    usual = RunFolder.save

    def stop(folder: RunFolder) -> None:
        usual(folder)
        raise KeyboardInterrupt

    there = tmp_path / "empty"
    there.mkdir()
    with monkeypatch.context() as patch:
        patch.setattr(RunFolder, "save", stop)
        for out in (there, tmp_path / "a" / "b"):
            with pytest.raises(KeyboardInterrupt):
                SIMULATE(out=out)
    with pytest.raises(BadInput, match="cannot be made: File name too long"):
        SIMULATE(out=tmp_path / "a" / ("b" * 300))
    file = tmp_path / "late.py"
    file.write_text(PLUGIN.replace('"mine"', '"late"').format(answer="-1"))
    for out in (there, tmp_path / "a" / "b"):
        with pytest.raises(BadInput, match="not a legal choice"):
            herdlab.simulate("swap", "late,shedder", plugins=[file], out=out)
    file.unlink()
    assert [path.name for path in tmp_path.rglob("*")] == ["empty"]
    SIMULATE(out=there)


@pytest.mark.usefixtures("own_registry")
@pytest.mark.parametrize("writes", [1, 2, 3, 4, 5, 6])
def test_killed_while_it_is_made_a_folder_can_be_begun_again(
    writes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After any of its first files, or in the middle of one; Killed leaves all as it lies."""
    file, left, usual = tmp_path / "mine.py", [writes], os.replace
    file.write_text(PLUGIN.replace('"mine"', '"first"').format(answer="0"))
    play = partial(herdlab.simulate, "swap", "shedder,raider", games=200, plugins=[file])

    def replace(*names: Any, **how: Any) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise Killed  # the file has still its passing name
        usual(*names, **how)
        left[0] -= 1
        if left[0] == 0:
            raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", replace)
        patch.setattr(os, "unlink", lambda *_, **__: None)
        patch.setattr(RunFolder, "_discard", lambda folder: None)
        with pytest.raises(Killed):
            play(out=tmp_path / "run")
    if (tmp_path / "run" / MANIFEST).exists():
        herdlab.resume(tmp_path / "run")
    else:
        play(out=tmp_path / "run")
    play(out=tmp_path / "whole")
    assert kept(tmp_path / "run") == kept(tmp_path / "whole")


def test_only_what_herdlab_left_is_taken_for_a_run_that_never_began(
    finished: Path, tmp_path: Path
) -> None:
    """A checkpoint of a run that played, or plug-ins that no checkpoint knows of, are not."""
    played, own = tmp_path / "played", tmp_path / "own"
    played.mkdir()
    (played / CHECKPOINT).write_bytes((finished / CHECKPOINT).read_bytes())
    (own / "plugins").mkdir(parents=True)
    (own / "plugins" / "mine.py").write_text("years of work")
    for folder in (played, own):
        before = everything(folder)
        with pytest.raises(BadInput, match="is not empty"):
            SIMULATE(out=folder)
        assert everything(folder) == before


def test_files_of_ones_own_are_kept_out_of_a_run_folder(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copied(finished, tmp_path / "run")
    before = everything(folder)
    monkeypatch.chdir(tmp_path)
    play = ["simulate", "swap", "-p", "shedder,raider"]
    for words in (
        ["resume", "run", "--save", "run/result.json"],
        ["resume", "run", "--report", "run/rows/page.html"],
        [*play, "--out", "new", "--save", "new/table.csv"],
        [*play, "--cluster", "tcp://127.0.0.1:9", "--threads", "2"],
    ):
        code, _, said = command_line.herdlab(*words)
        assert code == 2
        assert "is in the run folder" in said or "--threads is for this machine" in said
    assert everything(folder) == before and not (tmp_path / "new").exists()
