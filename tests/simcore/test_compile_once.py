"""One process compiles and the others wait; the cache folder may be full, locked or damaged."""

import errno
import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numba
import numba.core.caching
import pytest

from herdlab.commands import messages
from herdlab.simcore import _jit, compile_once
from herdlab.simcore.compile_once import compiled_once, is_compiled
from herdlab.simcore.game import Game, find_game
from herdlab.strategies.registry import seat_players
from tests import children
from tests.children import CLI, CTRL_C, ROOT, Child

COMPILE = """
import os, sys, time
from herdlab.simcore.compile_once import compiled_once

with compiled_once("thing", on_compile=lambda: print("compiles", flush=True),
                   on_wait=lambda: print("waits", flush=True)):
    while not os.path.exists(sys.argv[1]):
        time.sleep(0.01)
print("has it", flush=True)
"""


def compiler(home: Path, go: Path) -> Child:
    environment = {"PYTHONPATH": str(ROOT), "HERDLAB_CACHE": str(home)}
    return Child([sys.executable, "-c", COMPILE, go], env=environment)


def test_one_compiles_the_others_wait_and_a_killed_one_is_followed(tmp_path: Path) -> None:
    go = tmp_path / "go"
    with ExitStack() as stack:
        first = stack.enter_context(compiler(tmp_path / "cache", go))
        first.wait_for("compiles")
        others = [stack.enter_context(compiler(tmp_path / "cache", go)) for _ in range(3)]
        for one in others:
            one.wait_for("waits")
        first.kill()  # the kernel lets go of its lock
        children.wait_until(lambda: any("compiles" in one.out for one in others))
        go.touch()
        done = [one.finish() for one in others]
    said = sorted(one.stdout.split("\n")[:-1] for one in done)
    assert said == [["waits", "compiles", "has it"]] + 2 * [["waits", "has it"]]
    with compiler(tmp_path / "cache", go) as later:
        assert later.finish().stdout == "has it\n"


def test_ctrl_c_while_another_compiles(tmp_path: Path) -> None:
    folder = tmp_path / _jit.fingerprint()
    folder.mkdir()
    with (folder / "swap.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        words = [*CLI, "simulate", "swap", "-p", "shedder,raider"]
        with Child(words, columns=80, env={"HERDLAB_CACHE": str(tmp_path)}) as child:
            child.wait_for("waiting for another herdlab to compile the engine of SWAP!")
            child.press(CTRL_C)
            done = child.finish()
    assert done.returncode == 130 and "herdlab: interrupted" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache folder, and no faults noted so far."""
    monkeypatch.setattr(_jit, "CACHE", tmp_path)
    monkeypatch.setattr(_jit, "not_kept", [])
    yield tmp_path


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP])
def test_a_folder_that_cannot_be_locked_is_compiled_into(
    number: int, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(*_: Any) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", flock)
    heard: list[str] = []
    with compiled_once("thing", on_compile=lambda: heard.append("compiles")):
        pass
    assert heard == ["compiles"] and is_compiled("thing")


def test_what_failed_or_was_not_kept_is_compiled_again(own_cache: Path) -> None:
    with pytest.raises(ZeroDivisionError), compiled_once("thing"):
        raise ZeroDivisionError
    assert not is_compiled("thing")
    with compiled_once("thing"):
        _jit.not_kept.append("No space left on device")
    assert not is_compiled("thing")
    with compiled_once("thing"):
        pass
    assert is_compiled("thing")


def doubled(number: int) -> int:
    return 2 * number


def test_a_full_disk_costs_time_and_not_the_answer(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def save(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(numba.core.caching.IndexDataCacheFile, "save", save)
    assert numba.njit(cache=True)(doubled)(21) == 42
    assert _jit.not_kept == ["No space left on device"]
    messages.tell_of_cache()
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "cannot be kept" in said and "No space left" in said
    messages.tell_of_cache()
    assert capsys.readouterr().err == ""


def test_a_damaged_cache_is_compiled_again(own_cache: Path) -> None:
    def in_cache() -> list[Path]:
        return list(Path(str(numba.config.CACHE_DIR)).rglob("*doubled*.nb?"))

    assert numba.njit(cache=True)(doubled)(21) == 42
    assert in_cache() and not _jit.not_kept
    try:
        for file in in_cache():
            file.write_bytes(b"no pickle")
        assert numba.njit(cache=True)(doubled)(21) == 42
        assert _jit.not_kept[0] == "a file of it is damaged"
    finally:
        for file in in_cache():
            file.unlink()


def test_strategies_are_compiled_once_too() -> None:
    game = find_game("swap")
    assert seat_players(game, game.rules_type(), "shedder,raider")
    assert is_compiled("swap") and is_compiled("herdlab.strategies.swap.tactician.tactician")


def test_a_cache_that_is_of_no_use_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Instead of the promise that it is compiled once."""
    monkeypatch.setattr(compile_once, "is_compiled", lambda what: False)
    monkeypatch.setattr(Game, "load_engine", lambda game, on_compile, on_wait: on_compile())
    monkeypatch.setenv("HERDLAB_CACHE", str(tmp_path / "closed"))
    messages.load_engine(find_game("swap"))
    said = capsys.readouterr().err
    assert f"each time, since cache folder '{tmp_path / 'closed'}' cannot be used" in said


@pytest.mark.skipif(not Path("/usr/bin/setpriv").exists(), reason="needs util-linux's setpriv")
@pytest.mark.parametrize("mode", [0o000, 0o555, 0o333])
def test_a_closed_cache_folder_is_left_alone(mode: int, tmp_path: Path) -> None:
    """As root too, without the right to pass over permissions."""
    folder = tmp_path / _jit.fingerprint()
    folder.mkdir(mode=mode)
    drop = []
    if os.geteuid() == 0:
        drop = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"]
        drop += ["--inh-caps", "-dac_override,-dac_read_search"]
    script = "from herdlab.simcore import _jit; print(_jit.is_passing(), _jit.CACHE)"
    environment = {"PYTHONPATH": str(ROOT), "HERDLAB_CACHE": str(tmp_path)}
    done = children.run([*drop, sys.executable, "-c", script], env=environment)
    is_passing, used = done.stdout.split()
    assert is_passing == "True" and not Path(used).exists(), done
    folder.chmod(0o755)
    assert os.listdir(folder) == []
