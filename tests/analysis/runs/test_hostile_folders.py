"""Run folders of strangers: nothing in them leads out, and what was added is noticed.

Whatever a folder could reach is a decoy in the test's own temporary folder.
"""

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

import herdlab
from herdlab.analysis.runs.folder_files import FolderFiles, NoFile
from herdlab.analysis.runs.run_folder_reading import (
    CHECKPOINT,
    MANIFEST,
    RESULT,
    check_around,
    hash_of,
    sealed,
    unsealed,
)
from herdlab.simcore.errors import BadInput
from tests import command_line
from tests.analysis.runs.run_folders import RUNS, Fragile, Killed, copied, everything
from tests.command_line import check_refusal

ROWS_FILE = "rows/000000000000-000000000128.parquet"
WHOLE_ROWS = "rows/000000000000-000000003000.parquet"
DECOY = b"years of work"


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "finished"
    RUNS["rows"](out=folder)
    return folder


@pytest.fixture(scope="module")
def unfinished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with rows that was killed after two parts."""
    folder = tmp_path_factory.mktemp("runs") / "unfinished"
    with pytest.MonkeyPatch.context() as patch:
        fragile = Fragile(patch)
        fragile.dies_after(2)
        with pytest.raises(Killed):
            RUNS["rows"](out=folder)
    assert (folder / ROWS_FILE).exists(), list((folder / "rows").iterdir())
    assert not (folder / RESULT).exists()
    return folder


def _link(path: Path, decoy: Path) -> None:
    path.symlink_to(decoy)


def _dangling(path: Path, decoy: Path) -> None:
    path.symlink_to(decoy.with_name("not there yet"))


def _pipe(path: Path, _: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path, _: Path) -> None:
    here = os.getcwd()
    os.chdir(path.parent)  # the name of a socket must be short
    try:
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(path.name)
    finally:
        os.chdir(here)


KINDS = {"a link": _link, "a link to nothing": _dangling, "a pipe": _pipe, "a socket": _socket}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "name", [RESULT, MANIFEST, CHECKPOINT, ROWS_FILE, "rows/.herdlab-01", ".herdlab-02", "notes"]
)
def test_what_is_no_file_is_refused_and_the_decoy_stays(
    kind: str, name: str, unfinished: Path, tmp_path: Path
) -> None:
    folder, decoy = copied(unfinished, tmp_path / "run"), tmp_path / "decoy"
    decoy.write_bytes(DECOY)
    (folder / name).unlink(missing_ok=True)
    KINDS[kind](folder / name, decoy)
    there = sorted(os.listdir(folder)), sorted(os.listdir(folder / "rows"))
    for call in (
        lambda: herdlab.resume(folder),
        lambda: herdlab.rows(folder),
        lambda: RUNS["rows"](out=folder),
    ):
        with pytest.raises(BadInput, match="is damaged|is not empty|holds a run already") as no:
            call()
        assert "\n" not in str(no.value)
    assert decoy.read_bytes() == DECOY and not (tmp_path / "not there yet").exists()
    assert (sorted(os.listdir(folder)), sorted(os.listdir(folder / "rows"))) == there


@pytest.mark.parametrize("name", ["rows", "plugins"])
def test_a_folder_that_is_a_link_is_refused(name: str, unfinished: Path, tmp_path: Path) -> None:
    folder, elsewhere = copied(unfinished, tmp_path / "run"), tmp_path / "elsewhere"
    if (folder / name).exists():
        (folder / name).rename(elsewhere)
    else:
        elsewhere.mkdir()
    (folder / name).symlink_to(elsewhere)
    before = everything(elsewhere)
    with pytest.raises(BadInput, match=f"its {name} is a link"):
        herdlab.resume(folder)
    assert everything(elsewhere) == before


def test_another_name_of_the_same_file_keeps_what_it_had(unfinished: Path, tmp_path: Path) -> None:
    """Files are replaced, never written into: a hard link elsewhere is not touched."""
    folder = copied(unfinished, tmp_path / "run")
    decoys = {}
    for name in (CHECKPOINT, ROWS_FILE):
        decoy = tmp_path / name.replace("/", "-")
        os.link(folder / name, decoy)
        decoys[decoy] = decoy.read_bytes()
    os.link(tmp_path / CHECKPOINT, folder / RESULT)  # which the run will write
    herdlab.resume(folder)
    for decoy, content in decoys.items():
        assert decoy.read_bytes() == content
    assert (folder / RESULT).stat().st_nlink == 1


def sealed_anew(folder: Path, change: Callable[[dict, dict], None]) -> None:  # type: ignore[type-arg]
    """Let somebody change manifest and checkpoint and seal both again."""
    manifest = unsealed((folder / MANIFEST).read_bytes())
    kept = unsealed((folder / CHECKPOINT).read_bytes())
    assert manifest is not None and kept is not None
    change(manifest, kept)
    kept["manifest"] = hash_of(sealed(manifest))
    (folder / MANIFEST).write_bytes(sealed(manifest))
    (folder / CHECKPOINT).write_bytes(sealed(kept))


@pytest.mark.parametrize("name", ["../decoy.py", "/decoy.py", "..", "plugins/../../decoy.py", ""])
def test_names_that_lead_out_are_refused(name: str, unfinished: Path, tmp_path: Path) -> None:
    """In the manifest, where the file would be run; in the checkpoint, where it would be read."""
    (tmp_path / "decoy.py").write_text("raise SystemExit('it was run')\n")
    told = hash_of((tmp_path / "decoy.py").read_bytes())
    as_plugin = copied(unfinished, tmp_path / "plug-in")

    def name_plugin(manifest: dict, kept: dict) -> None:  # type: ignore[type-arg]
        manifest["plugins"] = [{"file": name, "sha256": told}]
        kept["files"][f"plugins/{name}"] = told

    sealed_anew(as_plugin, name_plugin)
    with pytest.raises(BadInput, match=f"its {MANIFEST} is not what herdlab writes"):
        herdlab.resume(as_plugin)
    as_file = copied(unfinished, tmp_path / "file")
    sealed_anew(as_file, lambda manifest, kept: kept["files"].update({name: told}))
    with pytest.raises(BadInput, match=f"its {CHECKPOINT} is not what herdlab writes"):
        herdlab.resume(as_file)


@pytest.mark.parametrize(
    "name", ["notes.txt", "rows/copy.parquet", "rows/deeper", "plugins/x.py", "x.html"]
)
def test_what_somebody_added_is_named(name: str, finished: Path, tmp_path: Path) -> None:
    folder = copied(finished, tmp_path / "run")
    (folder / name).parent.mkdir(exist_ok=True)
    if name == "rows/deeper":
        (folder / name).mkdir()
    else:
        (folder / name).write_bytes(
            (folder / "rows/000000000000-000000003000.parquet").read_bytes()
        )
    before = everything(folder)
    sentence = rf"has '{name}', which herdlab did not write: take it out of the folder"
    with pytest.raises(BadInput, match=sentence):
        herdlab.resume(folder)
    for command in ("verify", "report"):
        words = [command, str(folder / RESULT)]
        words += ["--out", str(tmp_path)] if command == "report" else []
        check_refusal(command_line.herdlab(*words), [f"has '{name}'", "did not write"])
    assert everything(folder) == before


def test_hidden_files_of_a_file_manager_are_passed_over(finished: Path, tmp_path: Path) -> None:
    folder = copied(finished, tmp_path / "run")
    for name in (".DS_Store", "rows/.directory"):
        (folder / name).write_bytes(b"where icons are")
    herdlab.resume(folder)
    check_around(folder / RESULT)


def test_rows_are_read_from_the_files_of_the_run_alone(finished: Path, tmp_path: Path) -> None:
    folder = copied(finished, tmp_path / "run")
    (file,) = (folder / "rows").iterdir()
    frame = herdlab.rows(folder)
    pd.testing.assert_frame_equal(frame, pd.read_parquet(file))
    (folder / "rows" / "copy.parquet").write_bytes(file.read_bytes())
    assert len(pd.read_parquet(folder / "rows")) == 2 * len(frame)  # what this is about
    pd.testing.assert_frame_equal(herdlab.rows(folder), frame)
    file.write_bytes(file.read_bytes() + b"x")
    with pytest.raises(BadInput, match="is not what was written"):
        herdlab.rows(folder)
    without = tmp_path / "without"
    RUNS["simulate"](out=without)
    with pytest.raises(BadInput, match="has no rows: they are kept with --rows"):
        herdlab.rows(without)
    with pytest.raises(BadInput, match="cannot be read"):
        herdlab.rows(tmp_path / "nowhere")


def test_rows_behind_the_checkpoint_are_those_of_a_killed_run(
    unfinished: Path, tmp_path: Path
) -> None:
    """A run killed between a file of rows and its checkpoint goes on; the file is made again."""
    folder = copied(unfinished, tmp_path / "run")
    (folder / "rows" / "000000002048-000000002560.parquet").write_bytes(b"half")
    found = herdlab.resume(folder)
    frame = herdlab.rows(folder)
    assert len(frame) == found.games and not frame.duplicated(["game", "rotation"]).any()
    assert len(pd.read_parquet(folder / "rows")) == len(frame)


def test_a_report_is_not_written_into_a_run_folder(finished: Path) -> None:
    before = everything(finished)
    check_refusal(command_line.herdlab("report", str(finished / RESULT)), ["with --out DIR"])
    assert everything(finished) == before


def test_links_beside_a_study_are_not_followed(tmp_path: Path) -> None:
    """The names of a report come from that of the study, which may be somebody else's."""
    study, decoy = tmp_path / "theirs" / "small.toml", tmp_path / "decoy"
    study.parent.mkdir()
    decoy.write_bytes(DECOY)
    study.write_text(
        'title = "Small"\n[[part]]\ntitle = "A"\ncommand = "simulate"\ngame = "swap"\n'
        'players = "shedder,raider"\ngames = 100\n'
    )
    for name, target in (("small.html", decoy), (".herdlab", tmp_path)):
        link = study.parent / name
        link.symlink_to(target)
        done = command_line.herdlab("report", str(study), "--html")
        check_refusal(done, [f"{name}' is a link"])
        link.unlink()
    assert decoy.read_bytes() == DECOY
    assert sorted(os.listdir(tmp_path)) == ["decoy", "theirs"]


def test_files_of_a_folder_are_reached_by_plain_names_alone(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "decoy").write_bytes(DECOY)
    (tmp_path / "inside" / "link").symlink_to(tmp_path / "decoy")
    files = FolderFiles(tmp_path / "inside")
    try:
        for name in ("../decoy", "..", ".", "", "a/../../decoy", "/etc", "a/b/c", "a\0b"):
            for call in (files.read, files.remove, lambda one: files.write(one, b"x")):
                with pytest.raises(BadInput, match="is no name of a file"):
                    call(name)
        with pytest.raises(NoFile, match="'link' is a link"):
            files.read("link")
        files.write("link", b"new")
        assert (tmp_path / "inside" / "link").read_bytes() == b"new"
        assert files.listing() == {"link": "a file"}
    finally:
        files.close()
    assert (tmp_path / "decoy").read_bytes() == DECOY
