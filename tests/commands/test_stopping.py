"""Ctrl-C and the time limit on the command line, with strategies that never come back."""

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.children import FORK, ROOT, WARM_CLI, Child, Done, run
from tests.command_line import check_refusal
from tests.command_line import herdlab as in_process
from tests.words import INTERRUPTED

PLUGIN = '''
import numpy as np
from herdlab.simcore._jit import njit
from herdlab.simcore.herd.view import TRADE
from herdlab.strategies import number, strategy


@njit
def never_ends(n):
    while n >= 0:
        n += 1
    return n


@strategy("herd", "loops", wait=number(0, "how long it waits, for tune"))
def loops(decision, view, me):
    """Thinks for ever in its tenth turn."""
    i = 0
    while view.turn >= 10 and i >= 0:
        i += 1
    return 0 if decision == TRADE else 1


@strategy("herd", "loops-alone", own_only=True, deterministic=True)
def loops_alone(decision, view, me):
    """Thinks for ever about three rabbits."""
    i = 0
    while view.herds[0, 0] == 3 and i >= 0:
        i += 1
    return 0 if decision == TRADE else 1


def deaf_data(rules, values):
    print("never ends", flush=True)
    return never_ends(0)


@strategy("herd", "deaf", make_data=deaf_data)
def deaf(decision, view, me):
    """Never begins."""
    return 0
'''
_USER_TIME, _A_WHILE = 11, 20
"""The field of a thread's user time after its name, in hundredths of a second; and how many."""


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    path = tmp_path / "loops.py"
    path.write_text(PLUGIN)
    return path


def is_computing(process: int) -> bool:
    """Whether a thread beside the main one has computed for a while, as one that hangs does."""
    for task in Path(f"/proc/{process}/task").iterdir():
        if int(task.name) != process:
            fields = (task / "stat").read_text().rpartition(")")[2].split()
            if int(fields[_USER_TIME]) >= _A_WHILE:
                return True
    return False


def stopped(words: Sequence[str], plugin: Path) -> Done:
    """Press Ctrl-C once a command computes, and wait for its end."""
    with Child([*WARM_CLI, *words, "--plugin", str(plugin)], cwd=plugin.parent) as child:
        if "deaf,keeper" in words:
            child.wait_for("never ends")
        else:
            child.wait_until(lambda: is_computing(child.process.pid))
        child.interrupt()
        return child.finish()


COMMANDS = [
    ("simulate", "herd", "-p", "loops,keeper"),
    ("simulate", "herd", "-p", "keeper,loops-alone"),
    ("simulate", "herd", "-p", "deaf,keeper"),
    ("trace", "herd", "-p", "loops,keeper"),
    ("tune", "herd", "loops", "-v", "wait=0:3:1", "-a", "keeper"),
    ("tournament", "herd", "-e", "loops,keeper,climber", "--size", "2"),
    ("solve", "herd", "--strategy", "loops-alone"),
    ("advise", "herd", "--herd", "rabbits=6,sheep=2", "-p", "loops,loops"),
]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words[:4]))
def test_one_ctrl_c_ends_a_command_that_would_never_end(plugin: Path, words: Sequence[str]) -> None:
    done = stopped(words, plugin)
    assert done.returncode == 130 and INTERRUPTED in done.stderr, done
    assert "Traceback" not in done.stderr, done


@pytest.mark.parametrize("words", COMMANDS[5:], ids=lambda words: " ".join(words[:4]))
def test_a_strategy_that_takes_too_long_is_named(plugin: Path, words: Sequence[str]) -> None:
    done = run([*WARM_CLI, *words, "--plugin", str(plugin), "--time-limit", "0.05"])
    said = [line for line in done.stderr.splitlines() if "compiling the engine" not in line]
    assert done.returncode == 2 and done.stdout == "" and len(said) == 1, done
    for part in (
        "strategy 'loops",
        " in seat ",
        "more than 0.05 s for one answer",
        "decision 'trad",
    ):
        assert part in said[0], done


def test_a_run_folder_says_how_to_go_on(plugin: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "run")
    words = ["simulate", "herd", "-p", "keeper,loops", "--plugin", str(plugin), "--out", out]
    done = run([*WARM_CLI, *words, "--time-limit", "0.05"])
    assert done.returncode == 2 and f"Go on with: herdlab resume {out}\n" in done.stderr, done
    again = run([*WARM_CLI, "resume", out, "--time-limit", "0.06"])
    assert again.returncode == 2 and "more than 0.06 s for one answer" in again.stderr, again


SWALLOWED = """
import signal, sys, time
sys.path.insert(0, {root!r})
from herdlab.commands.stopping import one_press_ends_it

class Callback:
    def __del__(self):
        raise {error}

try:
    with one_press_ends_it():
        Callback()
        while "KeyboardInterrupt" == {error!r}:
            time.sleep(0.01)
except KeyboardInterrupt:
    print("heard")
"""


@pytest.mark.parametrize("error", ["KeyboardInterrupt", "ValueError"])
def test_ctrl_c_in_a_callback_where_python_drops_it_is_heard_all_the_same(error: str) -> None:
    script = SWALLOWED.format(root=str(ROOT), error=error)
    done = run([sys.executable, "-c", script])
    if error == "KeyboardInterrupt":
        assert done == Done(0, "heard\n", "")
    else:
        assert done.stdout == "" and "ValueError" in done.stderr, done


WHILE_A_CLASS_IS_MADE = """
from herdlab import cli
from herdlab.commands import answering

def listed(*_, **__):
    exec("raise KeyboardInterrupt")  # as dataclasses and named tuples are made

answering.print_json = listed
cli.main()
"""


def test_ctrl_c_while_a_class_is_made_has_the_usual_exit_code() -> None:
    done = run([FORK, WHILE_A_CLASS_IS_MADE, "games", "--json"])
    assert done == Done(130, "", f"{INTERRUPTED}\n")


HALF_MADE = """
import os, signal
from herdlab import cli
from herdlab.simcore import game


class Half:
    def __init__(self):
        os.kill(os.getpid(), signal.SIGINT)
        self.whole = True

    def __del__(self):
        self.whole  # as llvmlite does


def listed(*_, **__):
    return Half()


game.games = listed
cli.main()
"""


def test_of_what_ctrl_c_left_half_made_nothing_is_said() -> None:
    done = run([FORK, HALF_MADE, "games"])
    assert done.returncode == 130, done
    assert "interrupted" in done.stderr and "AttributeError" not in done.stderr, done


WHILE_COMPILING = """
import os, signal, sys, time
from numba.core.compiler_lock import global_compiler_lock
from herdlab import cli
from herdlab.simcore import game


def listed(*_, **__):
    with global_compiler_lock:
        os.kill(os.getpid(), signal.SIGINT)
        while {goes_on}:
            pass
        print("whole", flush=True)
    while True:
        time.sleep(0.01)


game.games = listed
cli.main()
"""


@pytest.mark.parametrize("goes_on", [False, True])
def test_ctrl_c_waits_for_the_compiler_but_not_for_long(goes_on: bool) -> None:
    done = run([FORK, WHILE_COMPILING.format(goes_on=goes_on), "games"])
    assert done == Done(130, "" if goes_on else "whole\n", f"{INTERRUPTED}\n")


def test_python_does_not_look_for_garbage_before_it_ends(tmp_path: Path) -> None:
    """It takes half a second of computing, and many times that on a busy machine."""
    script = tmp_path / "ends.py"
    script.write_text(
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "import atexit, gc\nfrom herdlab import cli\n"
        "atexit.register(lambda: print(gc.get_freeze_count() > 1000))\n"
        "sys.argv = ['herdlab', 'games']\n"
        "atexit.unregister(gc.freeze)\n"
        "try:\n    cli.main()\nfinally:\n    atexit._run_exitfuncs()\n"
    )
    done = run([sys.executable, script])
    assert done.returncode == 0 and done.stdout.endswith("True\n"), done


@pytest.mark.parametrize("text", ["x", "-1", "nan"])
def test_a_limit_that_is_no_number_of_seconds_is_refused(text: str) -> None:
    done = in_process("simulate", "herd", "-p", "keeper,keeper", "--time-limit", text)
    check_refusal(done, ["time", "limit", "must be" if text == "x" else "0 for none"])


@pytest.mark.parametrize("text", ["none", "NONE", "0", "1e9", "inf"])
def test_the_limit_can_be_switched_off(text: str) -> None:
    words = ["simulate", "herd", "-p", "keeper,keeper", "-n", "10", "--time-limit", text]
    assert in_process(*words).returncode == 0


def test_commands_that_only_look_something_up_have_no_limit() -> None:
    assert "--time-limit" not in in_process("strategies", "--help").stdout
    for command in ("simulate", "ask", "report", "resume", "verify", "trace"):
        assert "--time-limit SECONDS" in in_process(command, "--help").stdout
