"""Long runs from the command line: killed, interrupted, gone on with, refused."""

import json
import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from tests.analysis.runs import kept
from tests.conftest import Refuses

COMMAND = [sys.executable, "-m", "cli"]
ROOT = Path(__file__).resolve().parent.parent


def herdlab(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *words], capture_output=True, text=True, check=False)


KILLS = """
    import os, random, signal, sys, time
    import pyarrow.parquet  # here, as the children have no time for it
    import herdlab
    from analysis import run_folder, seated

    run_folder._LEAST_SECONDS, run_folder._SHARE = 0.01, 0.5
    seated._BYTES_OF_ROWS = 1 << 19
    folder, drawn = sys.argv[1], random.Random(5)

    def play(out, **how):
        return herdlab.simulate("herd", "keeper,random", games=500_000, rows=True, out=out, **how)

    if len(sys.argv) > 2:
        play(folder, threads=1)
        sys.exit()
    herdlab.simulate("herd", "keeper,random", games=100)  # compiled before any child is born
    kills = 0
    while True:
        child = os.fork()
        if not child:
            try:
                there = os.path.exists(f"{folder}/manifest.json")
                herdlab.resume(folder, threads=2) if there else play(folder, threads=2)
            except BaseException as error:
                print(error, flush=True)
                os._exit(1)
            os._exit(0)
        time.sleep(drawn.uniform(0.02, 0.2 + 0.01 * kills))  # on a busy machine little is played
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            sys.exit(os.waitstatus_to_exitcode(status) or print(kills))
        kills += 1
"""


def test_killed_by_sigkill_dozens_of_times_it_gives_the_same_bytes(tmp_path: Path) -> None:
    """A new process goes on each time; sums, rows and result are those of one that was let be."""
    script = [sys.executable, "-c", textwrap.dedent(KILLS)]
    broken = subprocess.run(
        [*script, str(tmp_path / "broken")], capture_output=True, text=True, check=False
    )
    assert broken.returncode == 0, broken.stdout + broken.stderr
    assert int(broken.stdout.split()[-1]) >= 24, broken.stdout
    subprocess.run([*script, str(tmp_path / "whole"), "whole"], check=True)
    ours, wanted = kept(tmp_path / "broken"), kept(tmp_path / "whole")
    assert set(ours) == set(wanted) and len(ours) > 10
    for name, content in wanted.items():
        assert ours[name] == content, name


@pytest.mark.slow
def test_twenty_million_games_killed_until_they_are_done(tmp_path: Path) -> None:
    """The command line itself, killed one to four seconds after each start."""
    asked = ["simulate", "herd", "-p", "keeper,keeper-dog,keeper,keeper-dog", "-n", "2e7"]
    drawn, kills, folder = random.Random(20), 0, tmp_path / "broken"
    words = [*asked, "--out", str(folder)]
    while True:
        running = subprocess.Popen([*COMMAND, *words], stdout=subprocess.DEVNULL)
        try:
            assert running.wait(drawn.uniform(1, 4)) == 0
            break
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()
            kills += 1
        if (folder / "manifest.json").exists():
            words = ["resume", str(folder)]
    assert kills >= 3
    assert herdlab(*asked, "--out", str(tmp_path / "whole")).returncode == 0
    assert kept(folder) == kept(tmp_path / "whole")


def test_ctrl_c_prints_what_is_known_and_the_line_that_goes_on(tmp_path: Path) -> None:
    """Interrupted, gone on with on another number of threads, and told again."""
    asked = ["simulate", "swap", "-p", "shedder,raider,random", "--games", "2e6"]
    folder = tmp_path / "a run"
    running = subprocess.Popen(
        [*COMMAND, *asked, "--out", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while not (folder / "manifest.json").exists():
        time.sleep(0.02)
        assert running.poll() is None, running.stderr and running.stderr.read()
    time.sleep(0.5)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130, err
    assert "95 % interval" in out
    assert f"interrupted; go on with: herdlab resume '{folder}'\n" in err
    played = json.loads((folder / "checkpoint.json").read_text())["stages"][0]["at"]
    assert 0 < played < 2_000_000 and f"{played:,} games" in out
    on = herdlab("resume", str(folder), "--threads", "1", "--json")
    assert on.returncode == 0, on.stderr
    again = herdlab("resume", str(folder))
    assert again.returncode == 0 and "2,000,000 games" in again.stdout
    plain = herdlab(*asked, "--json")
    ours, wanted = json.loads(on.stdout), json.loads(plain.stdout)
    for one in (ours, wanted):
        del one["seconds"], one["games_per_second"]
    assert ours == wanted
    saved = tmp_path / "result.json"
    saved.write_bytes((folder / "result.json").read_bytes())
    assert herdlab("verify", str(saved)).stdout.startswith("holds: ")


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
            ["unknown strategy", "did you mean 'shedder'"],
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
        done = subprocess.run(
            [*drop, *COMMAND, *words], capture_output=True, text=True, check=False, cwd=ROOT
        )
        assert done.returncode == 2 and done.stdout == "", done.stderr
        assert done.stderr.count("\n") == 1 and "Permission denied" in done.stderr
    assert list(closed.iterdir()) == []
