"""Runs of every command that keeps a folder, and processes that are as good as killed."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import herdlab
from herdlab.analysis.runs import run_folder
from herdlab.analysis.runs.run_folder_contents import CHECKPOINT
from herdlab.simcore.batch import Threads

RUNS: dict[str, Callable[..., Any]] = {
    "simulate": lambda **how: herdlab.simulate(
        "swap", "shedder,raider,random", games=3_000, seed=3, **how
    ),
    "rotate": lambda **how: herdlab.simulate(
        "barnyard", "collector,honest,miser", games=150, rotate=True, **how
    ),
    "precision": lambda **how: herdlab.simulate(
        "swap", "shedder,raider", precision=0.02, max_games=50_000, **how
    ),
    "rows": lambda **how: herdlab.simulate(
        "swap", "shedder,raider", games=3_000, rotate=True, rows=True, **how
    ),
    "compare": lambda **how: herdlab.compare("swap", "shedder", "raider", games=3_000, **how),
    "decide": lambda **how: herdlab.compare(
        "swap", "shedder", "raider", decide=True, max_games=20_000, **how
    ),
    "readings": lambda **how: herdlab.readings("swap", "shedder", "raider", games=900, **how),
    "tournament": lambda **how: herdlab.tournament(
        "swap", "shedder,raider,random", 2, games=1_000, **how
    ),
    "sweep": lambda **how: herdlab.sweep(
        "swap", "tactician", "swap_gain=1:3:1", games=2_000, **how
    ),
    "tune": lambda **how: herdlab.tune(
        "swap", "tactician", "swap_gain=1:3:1", "shedder,raider", games=2_000, **how
    ),
}
"""By name, each a second or less."""


class Killed(BaseException):
    """Ends a run as no run expects it."""


class Fragile:
    """Lets the crew of threads die after so many parts, as a process dies that is killed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Cut runs into many pieces, and save after every one."""
        self.left: int | None = None
        usual = Threads.play_all

        def play_all(crew: Threads, work: Any, parts: Iterator[range]) -> Iterator[Any]:
            for part, result in usual(crew, work, parts):
                if self.left is not None:
                    self.left -= 1
                    if self.left < 0:
                        raise Killed
                yield part, result

        monkeypatch.setattr(Threads, "play_all", play_all)
        monkeypatch.setattr("herdlab.analysis.sampling.lineup_runner._BYTES_OF_ROWS", 1 << 15)
        monkeypatch.setattr("herdlab.analysis.sampling.paired_samples._GAMES_AT_ONCE", 1 << 9)
        monkeypatch.setattr("herdlab.analysis.studies.tune._FEWEST_AT_ONCE", 1 << 7)
        monkeypatch.setattr("herdlab.analysis.studies.tune._GAMES_AT_ONCE", 1 << 8)
        monkeypatch.setattr("herdlab.analysis.studies.tournament._DEALS_AT_ONCE", 100)
        monkeypatch.setattr("herdlab.analysis.runs.runner.LARGEST_CHUNK", 1 << 8)
        monkeypatch.setattr("herdlab.analysis.studies.simulation.LARGEST_CHUNK", 1 << 8)
        monkeypatch.setattr(run_folder, "_LEAST_SECONDS", 0.0)
        monkeypatch.setattr(run_folder, "_SHARE", float("inf"))

    def dies_after(self, parts: int | None) -> None:
        """Let it die after so many more parts, or never."""
        self.left = parts


def kept(folder: Path) -> dict[str, bytes]:
    """Return all that a finished run leaves and that does not depend on how long it took."""
    names = [path for path in folder.rglob("*") if path.is_file()]
    found = {str(path.relative_to(folder)): path.read_bytes() for path in names}
    stages = json.loads(found.pop(CHECKPOINT))
    found["sums"] = json.dumps([stages["stages"], stages["files"]]).encode()
    return found


def everything(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Return all files with contents and times of change."""
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def copied(folder: Path, to: Path) -> Path:
    """Return a folder like another."""
    shutil.copytree(folder, to)
    return to
