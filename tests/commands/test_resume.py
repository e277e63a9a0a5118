"""Long runs from the command line: killed, interrupted, gone on with, refused."""

import json
import os
import random
import signal
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from herdlab.simcore.batch import Threads
from tests import children
from tests.analysis.runs.run_folders import kept
from tests.children import CLI, FORK, ROOT, WARM_CLI, Child, Done
from tests.command_line import check_refusal, herdlab, result_of
from tests.conftest import Refuses
from tests.words import HOLDS, meant

LIVES = """
    import os, random, signal, sys
    import herdlab
    from herdlab.analysis.runs import run_folder
    from herdlab.analysis.sampling import lineup_runner
    from herdlab.simcore.batch import Threads

    run_folder._LEAST_SECONDS, run_folder._SHARE = 0.0, float("inf")  # save after every part
    lineup_runner._BYTES_OF_ROWS = 1 << 15
    folder, lives = sys.argv[1], int(sys.argv[2])
    left = None

    def live():
        global left
        if left is not None:
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

    def dangerous(function):
        def call(*args, **how):
            live()
            result = function(*args, **how)
            live()
            return result
        return call

    os.fsync = lambda _: None  # what is written outlives a process; the disk need not hurry
    for name in ("fsync", "replace", "rename", "mkdir", "unlink"):
        setattr(os, name, dangerous(getattr(os, name)))
    usual = Threads.play_all

    def play_all(*args):
        for part, result in usual(*args):
            live()  # it is played, and not yet merged
            yield part, result
            live()

    Threads.play_all = play_all

    def play(out, games):
        herdlab.simulate("herd", "keeper,random", games=games, rows=True, out=out, threads=2)

    def live_on(folder, life, dies_at):
        global left
        child = os.fork()
        if not child:
            left = dies_at
            try:
                there = os.path.exists(f"{folder}/manifest.json")
                herdlab.resume(folder, threads=1 + life % 2) if there else play(folder, 25_000)
            except BaseException as error:
                print(error, flush=True)
                os._exit(1)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)

    play(f"{folder}/before", 100)  # all is loaded before any child is born
    live_on(f"{folder}/whole", 0, None)
    drawn = random.Random(5)
    for life in range(lives + 1):
        live_on(f"{folder}/broken", life, drawn.randint(0, 30) if life < lives else None)
"""


def test_killed_by_sigkill_dozens_of_times_it_gives_the_same_bytes(tmp_path: Path) -> None:
    """A new process goes on each time; sums, rows and result are those of one that was let be."""
    done = children.run([FORK, textwrap.dedent(LIVES), tmp_path, "40"], cwd=ROOT)
    ends = done.stdout.split()
    assert done.returncode == 0 and ends == ["0"] + 40 * ["-9"] + ["0"], done
    ours, wanted = kept(tmp_path / "broken"), kept(tmp_path / "whole")
    assert set(ours) == set(wanted) and len(ours) > 10
    for name, content in wanted.items():
        assert ours[name] == content, name


@pytest.mark.slow
def test_twenty_million_games_killed_until_they_are_done(tmp_path: Path) -> None:
    """The command line itself, killed after a few checkpoints of each life."""
    asked = ["simulate", "herd", "-p", "keeper,keeper-dog,keeper,keeper-dog", "-n", "2e7"]
    drawn, folder = random.Random(20), tmp_path / "broken"
    words = [*asked, "--out", str(folder)]
    for _ in range(4):
        with Child([*CLI, *words]) as child:
            for _ in range(drawn.randint(1, 2)):
                wait_for_checkpoint(child, folder)
            child.kill()
            child.finish()
        if (folder / "manifest.json").exists():
            words = ["resume", str(folder)]
    assert children.herdlab(*words).returncode == 0
    assert herdlab(*asked, "--out", str(tmp_path / "whole")).returncode == 0
    assert kept(folder) == kept(tmp_path / "whole")


def checkpoint(folder: Path) -> dict[str, Any]:
    """Return the checkpoint as it is, or one of a run that has not begun."""
    path = folder / "checkpoint.json"
    found: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {"stages": []}
    return found


def wait_for_checkpoint(child: Child, folder: Path) -> None:
    """Wait until more is kept than now."""
    before = checkpoint(folder)["stages"]
    child.wait_until(lambda: bool(checkpoint(folder)["stages"] != before))


ASKED = ("simulate", "swap", "-p", "shedder,raider,random", "--games")


SAVES_AT_ONCE = """
from herdlab.analysis.runs import run_folder
run_folder._LEAST_SECONDS = 0.0
"""


def test_ctrl_c_ends_a_run_that_can_go_on(tmp_path: Path) -> None:
    """In processes, and with so many games that none finishes."""
    folder, before = tmp_path / "a run", 0
    for words in (
        [*ASKED, "1e12", "--out", str(folder)],
        ["resume", str(folder), "--threads", "1"],
    ):
        with Child([FORK, SAVES_AT_ONCE + WARM_CLI[1], *words]) as child:
            wait_for_checkpoint(child, folder)
            child.interrupt()
            done = child.finish()
        check_interrupted(done, folder)
        played = checkpoint(folder)["stages"][0]["at"]
        assert before < played < 10**12 and f"{played:,} games" in done.stdout
        before = played


def check_interrupted(done: Done, folder: Path) -> None:
    """Check that a run says what is known and how to go on."""
    assert done.returncode == 130, done.stderr
    assert "95 % interval" in done.stdout
    assert f"interrupted; go on with: herdlab resume '{folder}'\n" in done.stderr


@pytest.mark.usefixtures("ctrl_c")
def test_an_interrupted_run_goes_on_to_what_an_unbroken_one_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On another number of threads; afterwards it is told again and verified."""
    usual = Threads.play_all

    def play_all(*args: Any) -> Iterator[Any]:
        for number, one in enumerate(usual(*args)):
            if number == 5:
                signal.raise_signal(signal.SIGINT)
            yield one

    asked, folder = [*ASKED, "20000"], tmp_path / "a run"
    with monkeypatch.context() as patch:
        patch.setattr(Threads, "play_all", play_all)
        done = herdlab(*asked, "--threads", "2", "--out", str(folder))
    check_interrupted(done, folder)
    played = checkpoint(folder)["stages"][0]["at"]
    assert 0 < played < 20_000 and f"{played:,} games" in done.stdout
    on = herdlab("resume", str(folder), "--threads", "1", "--json")
    assert on.returncode == 0, on.stderr
    again = herdlab("resume", str(folder))
    assert again.returncode == 0 and "20,000 games" in again.stdout
    ours, wanted = json.loads(on.stdout), result_of(*asked)
    for one in (ours, wanted):
        del one["seconds"], one["games_per_second"]
    assert ours == wanted
    saved = tmp_path / "result.json"
    saved.write_bytes((folder / "result.json").read_bytes())
    assert herdlab("verify", str(saved)).stdout.startswith(HOLDS)


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["resume", "nowhere"], ["no run folder 'nowhere'"]),
        (["resume", "."], ["no run folder of herdlab", "manifest.json"]),
        (
            ["simulate", "swap", "-p", "shedder,raider", "--rows"],
            ["--rows needs --out DIR"],
        ),
        (
            ["simulate", "swap", "-p", "sheder,raider", "--out", "run"],
            ["unknown strategy", meant("shedder")],
        ),
        (
            ["compare", "swap", "shedder", "raider", "--games", "7", "--out", "run"],
            ["from 100 to", "got 7"],
        ),
    ],
)
def test_mistakes_are_a_sentence_and_leave_no_folder(
    words: list[str], parts: list[str], refuses: Refuses
) -> None:
    refuses(words, parts)


@pytest.mark.skipif(not Path("/usr/bin/setpriv").exists(), reason="needs util-linux's setpriv")
def test_a_folder_without_permission_is_a_sentence(tmp_path: Path) -> None:
    """As root too, without the right to pass over permissions."""
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o555)
    drop = []
    if os.geteuid() == 0:
        drop = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"]
        drop += ["--inh-caps", "-dac_override,-dac_read_search"]
    for out in (closed, closed / "run"):
        words = ["simulate", "swap", "-p", "shedder,raider", "-n", "100", "--out", str(out)]
        check_refusal(children.run([*drop, *CLI, *words]), ["Permission denied"])
    assert list(closed.iterdir()) == []
