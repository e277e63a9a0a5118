"""Forged results and run folders: a sentence, whatever is in them, never a traceback."""

import json
from pathlib import Path
from typing import Any, NoReturn

import pytest

import herdlab
from herdlab.analysis.report.compose import compose_result
from herdlab.analysis.runs.run_folder_reading import (
    CHECKPOINT,
    MANIFEST,
    hash_of,
    sealed,
    unsealed,
)
from herdlab.analysis.studies import verify
from herdlab.commands import saved
from herdlab.commands.report import STRANGE
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import Game
from tests import command_line
from tests.analysis.runs.forging import as_text, forgeries
from tests.analysis.runs.run_folders import RUNS, Fragile, Killed, copied

pytestmark = pytest.mark.usefixtures("quick_answers")

RESULTS = ("simulate", "rotate", "compare", "readings", "tournament", "sweep", "tune")
FOUND_GOOD = "found good, and not played"


def stop(_: Game) -> NoReturn:
    raise BadInput(FOUND_GOOD)


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    return {name: RUNS[name]() for name in RESULTS}


@pytest.mark.parametrize("name", RESULTS)
def test_verify_of_anything(
    name: str, results: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through the command line, up to where it would play."""
    monkeypatch.setattr(saved, "load_engine", stop)
    file, said = tmp_path / "result.json", set()
    whole = {key: value for key, value in results[name].as_json().items() if key in verify.NEEDED}
    for number, forged in enumerate(forgeries(whole, 17, 35)):
        file.write_text(as_text(forged))
        done = command_line.herdlab("verify", str(file))
        assert done.returncode == 2 and done.stdout == "", (number, done)
        assert done.stderr[:-1].isprintable(), (number, done)
        said.add(done.stderr.replace(str(file), ""))
    assert len(said) > 10, "they all fail alike, and test one thing"


@pytest.mark.parametrize("name", RESULTS)
def test_differences_from_anything(name: str, results: dict[str, Any]) -> None:
    found = results[name]
    assert verify.differences(json.loads(json.dumps(found.as_json())), found) == []
    damaged = list(forgeries(found.as_json(), 23, 40))
    told = [verify.differences(one, found) for one in damaged if isinstance(one, dict)]
    assert sum(map(bool, told)) > 20


@pytest.mark.parametrize("name", [name for name in RESULTS if name != "tune"])
def test_a_report_of_anything(name: str, results: dict[str, Any]) -> None:
    """What is not refused by name is refused as strange; nothing else comes out of it."""
    many = 0
    for forged in forgeries(json.loads(json.dumps(results[name].as_json())), 29, 60):
        try:
            compose_result(forged)
        except (BadInput, *STRANGE):
            many += 1
    assert 0 < many < 60


@pytest.mark.parametrize("name", ["simulate", "sweep"])
def test_the_page_of_anything(name: str, results: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    for forged in forgeries(json.loads(json.dumps(results[name].as_json())), 31, 8):
        file.write_text(as_text(forged))
        done = command_line.herdlab("report", str(file), "--html", "--out", str(tmp_path / "out"))
        assert done.returncode in (0, 2), done
        assert "\x1b" not in done.stdout + done.stderr


@pytest.fixture(scope="module")
def unfinished(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Runs that were killed after a few parts."""
    home, found = tmp_path_factory.mktemp("runs"), {}
    for name in ("simulate", "decide", "tournament", "tune"):
        with pytest.MonkeyPatch.context() as patch:
            Fragile(patch).dies_after(3)
            with pytest.raises(Killed):
                RUNS[name](out=home / name)
        found[name] = home / name
    return found


def contents(folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    found = [unsealed((folder / name).read_bytes()) for name in (MANIFEST, CHECKPOINT)]
    assert found[0] is not None and found[1] is not None
    return found[0], found[1]


def put(folder: Path, manifest: Any, kept: Any) -> None:
    """Seal what was forged as herdlab would, if it can be sealed."""
    for name, content in ((MANIFEST, manifest), (CHECKPOINT, kept)):
        try:
            (folder / name).write_bytes(sealed(content))
        except ValueError:
            (folder / name).write_bytes(as_text(content).encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("name", ["simulate", "decide", "tournament", "tune"])
def test_resume_of_any_manifest(name: str, unfinished: dict[str, Path], tmp_path: Path) -> None:
    folder, said = copied(unfinished[name], tmp_path / "run"), set()
    manifest, kept = contents(folder)
    for forged in forgeries(manifest, 37, 40):
        try:
            kept["manifest"] = hash_of(sealed(forged))
        except ValueError:
            kept["manifest"] = ""
        put(folder, forged, kept)
        with pytest.raises(BadInput) as refused:
            herdlab.resume(folder, prepare=stop)
        said.add(str(refused.value))
    assert len(said) > 10 and FOUND_GOOD in said


@pytest.mark.parametrize("name", ["simulate", "decide", "tournament", "tune"])
def test_resume_of_any_checkpoint(name: str, unfinished: dict[str, Path], tmp_path: Path) -> None:
    """Sums that nobody can tell from real ones are played on with: a seal is no signature."""
    said = set()
    manifest, kept = contents(unfinished[name])
    for number, forged in enumerate(forgeries(kept, 41, 20)):
        folder = copied(unfinished[name], tmp_path / str(number))
        put(folder, manifest, forged)
        try:
            herdlab.resume(folder)
        except BadInput as mistake:
            said.add(str(mistake).replace(str(folder), ""))
    assert len(said) > 1
