"""Results as files: what is read again is what was written, and nothing is left half-written."""

import csv
import json
import os
import signal
import sys
from functools import partial
from math import inf, nan, pi
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from herdlab.analysis.runs import result_files
from herdlab.analysis.runs.folder_files import FolderFiles
from herdlab.simcore.errors import BadInput
from tests.children import ROOT, Child
from tests.words import meant

FRAME = pd.DataFrame(
    {
        "strategy": ["keeper", "herder:keep_sheep=2", 'with "quotes", a comma and ü'],
        "games": [1, 2**62 + 1, 3],
        "value": [0.1 + 0.2, 1 / 3, 5e-324],
        "low": [-pi, 1e300, 0.1],
        "high": [None, nan, inf],
        "best": [True, False, True],
    }
)
WHOLE: dict[str, Any] = {
    "command": "sweep",
    "seed": 2**64 - 1,
    "value": 0.1 + 0.2,
    "nothing": None,
    "nested": {"few": [1, None], "many": list(range(65)), "pairs": [[i, i] for i in range(33)]},
    "many": [0.5] * 65,
    "title": "Hüte",
}
SAVED = FRAME.assign(seed=pd.array([2**64 - 1] * 3, dtype="uint64").to_numpy())
"""Every row says where it comes from, as far as the result does."""


@pytest.fixture
def read_only(tmp_path: Path) -> Path:
    folder = tmp_path / "read-only"
    folder.mkdir()
    folder.chmod(0o555)
    if os.access(folder, os.W_OK):
        pytest.skip("the super-user may write everywhere")
    return folder


def test_a_csv_file_has_every_digit(tmp_path: Path) -> None:
    path = tmp_path / "result.csv"
    result_files.save(FRAME, WHOLE, path)
    assert_frame_equal(pd.read_csv(path), SAVED, check_exact=True)
    rows = list(csv.DictReader(path.read_text("utf-8").splitlines()))
    assert [float(row["value"]) for row in rows] == list(FRAME["value"])
    assert [row["strategy"] for row in rows] == list(FRAME["strategy"])
    assert b"\r" not in path.read_bytes()


def test_a_parquet_file_has_rows_types_and_the_result_without_its_long_lists(
    tmp_path: Path,
) -> None:
    import pyarrow.parquet as pq

    path = tmp_path / "result.parquet"
    result_files.save(FRAME, WHOLE, path)
    assert_frame_equal(pd.read_parquet(path), SAVED, check_exact=True)
    about = json.loads(pq.read_schema(path).metadata[b"herdlab"])
    kept = {key: value for key, value in WHOLE.items() if key != "many"}
    assert about == {**kept, "nested": {"few": [1, None]}}


def test_numbers_beside_names_become_text_in_parquet(tmp_path: Path) -> None:
    path = tmp_path / "result.parquet"
    result_files.save(pd.DataFrame({"choice": [1, "never", None]}), {}, path)
    assert list(pd.read_parquet(path)["choice"].dropna()) == ["1", "never"]


def test_a_json_file_has_the_whole_result(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    result_files.save(FRAME, WHOLE, path)
    assert json.loads(path.read_text("utf-8")) == WHOLE
    assert path.read_text("utf-8").startswith('{\n "command"')


@pytest.mark.parametrize("suffix", [".json", ".parquet"])
@pytest.mark.parametrize("value", [nan, inf, -inf])
def test_what_json_cannot_say_is_not_written(tmp_path: Path, suffix: str, value: float) -> None:
    path = tmp_path / f"result{suffix}"
    path.write_text("before")
    with pytest.raises(ValueError, match="JSON"):
        result_files.save(FRAME, {"value": value}, path)
    assert path.read_text() == "before" and os.listdir(tmp_path) == [path.name]


def test_a_suffix_may_be_in_capitals(tmp_path: Path) -> None:
    result_files.save(FRAME, WHOLE, tmp_path / "RESULT.CSV")
    assert (tmp_path / "RESULT.CSV").read_text("utf-8").startswith("strategy,games,value")


def test_a_file_is_replaced_and_its_neighbours_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    for name in ("result.json", "result.json.tmp", ".result.json"):
        (tmp_path / name).write_text("before")
    result_files.check(path)
    assert path.read_text() == "before"
    result_files.save(FRAME, WHOLE, path)
    assert json.loads(path.read_text("utf-8")) == WHOLE
    assert (tmp_path / "result.json.tmp").read_text() == "before"
    assert len(os.listdir(tmp_path)) == 3


def test_a_link_stays_and_what_it_points_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "result.json", tmp_path / "latest.json"
    link.symlink_to(target)
    result_files.save(FRAME, WHOLE, link)
    assert link.is_symlink() and json.loads(target.read_text("utf-8")) == WHOLE


@pytest.mark.skipif(os.name != "posix", reason="modes")
def test_a_file_may_be_read_by_whom_the_user_lets_read(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        result_files.save(FRAME, WHOLE, tmp_path / "result.csv")
    finally:
        os.umask(mask)
    assert (tmp_path / "result.csv").stat().st_mode & 0o777 == 0o640


MISTAKES = [
    ("result.cvs", ["unknown kind of file '.cvs'", meant(".csv"), ".parquet, .json"]),
    ("result.jsn", [meant(".json")]),
    ("result.xlsx", ["'.xlsx'", ".csv, .parquet, .json"]),
    ("result", ["must end in one of .csv, .parquet, .json", "result'"]),
    ("no-such/result.csv", ["result.csv' cannot be written: there is no folder", "no-such'"]),
    ("file/result.csv", ["there is no folder", "file'"]),
    ("folder.csv", ["folder.csv' cannot be written: it is a folder"]),
    (f"{'long' * 64}.csv", ["cannot be written", "too long"]),
]


@pytest.mark.parametrize(("name", "parts"), MISTAKES, ids=lambda value: str(value)[:20])
def test_a_mistake_is_refused_before_and_after_the_work(
    tmp_path: Path, name: str, parts: list[str]
) -> None:
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "file").touch()
    for attempt in (result_files.check, partial(result_files.save, FRAME, WHOLE)):
        with pytest.raises(BadInput) as mistake:
            attempt(tmp_path / name)
        for part in parts:
            assert part in str(mistake.value)
        assert "\n" not in str(mistake.value)
    assert sorted(os.listdir(tmp_path)) == ["file", "folder.csv"]


def test_a_folder_that_cannot_be_written_is_refused(read_only: Path) -> None:
    with pytest.raises(BadInput, match="cannot be written: Permission denied"):
        result_files.check(read_only / "result.csv")


def test_a_disk_that_refuses_is_a_mistake_known_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a folder without permission, which the super-user does not know."""

    def refuse(self: FolderFiles) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(FolderFiles, "probe", refuse)
    with pytest.raises(BadInput, match="result.csv' cannot be written: Permission denied"):
        result_files.check(tmp_path / "result.csv")


@pytest.mark.parametrize("failure", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_what_fails_half_way_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: BaseException
) -> None:
    def fail(file: int) -> None:
        assert len(os.listdir(tmp_path)) == 2  # the new file is there, beside the one before
        raise failure

    path = tmp_path / "result.csv"
    path.write_text("before")
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises((BadInput, KeyboardInterrupt)) as raised:
        result_files.save(FRAME, WHOLE, path)
    if isinstance(failure, OSError):
        assert str(raised.value) == f"'{path}' cannot be written: No space left on device"
    assert os.listdir(tmp_path) == ["result.csv"] and path.read_text() == "before"


def test_what_is_no_ordinary_file_is_left_alone(tmp_path: Path) -> None:
    """A device that is replaced is gone; through a link too."""
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    link = tmp_path / "link.csv"
    link.symlink_to(pipe)
    for path in (pipe, link):
        with pytest.raises(BadInput, match="no ordinary file"):
            result_files.save(FRAME, WHOLE, path)
    assert pipe.is_fifo() and link.is_symlink()


DIES = """
import os, signal, sys
from pathlib import Path
from herdlab.analysis.runs import folder_files, result_files as outputs

path = Path(sys.argv[1])

def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

class Half:
    def __init__(self, path):
        self.file = open(path, "wb", buffering=0)
    def __enter__(self):
        return self
    def __exit__(self, *_):
        pass
    def write(self, content):
        self.file.write(content[: len(content) // 2])
        die()

"""


@pytest.mark.parametrize(
    "dies",
    [
        "folder_files.secrets.token_hex = die",
        "os.fdopen = lambda number, mode: Half(number)",
        "os.fsync = die",
        "os.replace = die",
    ],
    ids=["before", "half way", "before it is on the disk", "before it has its name"],
)
def test_killed_while_writing_it_leaves_the_old_file(dies: str, tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_bytes(b"old and whole")
    with Child(
        [sys.executable, "-c", f"{DIES}{dies}\noutputs.write(b'new' * 10_000, path)", str(path)],
        env={"PYTHONPATH": str(ROOT)},
    ) as child:
        assert child.finish().returncode == -signal.SIGKILL
    assert path.read_bytes() == b"old and whole"
