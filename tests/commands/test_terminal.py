"""What a person sees in a wide terminal without colours, and when Ctrl-C is pressed."""

import json
from pathlib import Path

import pytest

from herdlab import simulate as play
from herdlab.analysis.commands import COMMANDS
from herdlab.analysis.experiment import Interrupted
from tests.children import CLI, CTRL_C, EAGER_CLI, WARM_CLI, Child
from tests.command_line import result_of
from tests.terminal import BARS, RUN, SESSION, SMALL, STUDY, Session, check, played
from tests.words import INTERRUPTED


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """200 columns, without colours, with what the tests have compiled already."""
    return played(tmp_path_factory.mktemp("wide"), SESSION, 200, NO_COLOR="1")


@pytest.mark.parametrize("name", SESSION)
def test_every_command_at_200_columns_without_colours(wide: Session, name: str) -> None:
    check(wide, name)


def test_the_bar_is_seen_while_something_is_played(wide: Session) -> None:
    for name in BARS:
        assert "━" in wide.seen[name].raw, name


def test_the_session_has_every_command() -> None:
    typed = {words[0] for words in SESSION.values() if words}
    assert {one.name for one in COMMANDS.values() if one.is_typed} <= typed


LONG: dict[str, tuple[str, ...]] = {
    "simulate": (*RUN, "-n", "1e12"),
    "precision": (*RUN, "--precision", "1e-6", "--max-games", "1e12"),
    "compare": ("compare", "swap", "shedder", "raider", "-n", "1e11"),
    "decide": ("compare", "swap", "shedder", "shedder", "--decide", "--margin", "1e-9"),
    "readings": ("compare", "swap", "shedder", "raider", "-n", "1e11", "--readings"),
    "tournament": ("tournament", "swap", "-e", "shedder,raider", "--size", "2", "-n", "1e9"),
    "sweep": ("sweep", "swap", "tactician", "-v", "swap_gain=1:3:1", "-n", "1e9"),
    "tune": ("tune", "swap", "tactician", "-v", "swap_gain=1:3:1", "-a", "shedder", "-n", "1e9"),
    "luck": ("luck", "swap", "-p", "shedder,raider", "-n", "1e9"),
    "solve": ("solve", "herd", "--set", "wolf_die=4RSPC5W", "--set", "fox_die=4RSPC5F"),
    "race": ("race", "herd", "-p", "keeper,keeper-dog", "-n", "1e11", *SMALL),
    "advise": ("advise", "herd", "--herd", "rabbits=6,sheep=2", "-n", "1e11", *SMALL),
    "ask": ("ask", "seat", "swap", "--max-games", "1e11"),
    "study": ("report", "long.toml"),
    "resume": ("resume", "run"),
    "verify": ("verify", "long.json"),
    "bench": ("bench",),
}
"""Commands that no machine finishes before somebody presses Ctrl-C."""
HAS_NO_THREADS = {"verify", "bench"}


@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_ends_it_cleanly(name: str, tmp_path: Path) -> None:
    prepare = {"study": _long_study, "resume": _long_run, "verify": _long_result}.get(name)
    if prepare is not None:
        prepare(tmp_path)
    one_core = [] if name in HAS_NO_THREADS else ["--threads", "1"]  # others have work to do
    with Child([*EAGER_CLI, *LONG[name], *one_core], columns=80, cwd=tmp_path) as child:
        child.wait_for("━")
        child.press(CTRL_C)
        done = child.finish()
        text = "\n".join(child.screen())
    assert done.returncode == 130, text
    assert INTERRUPTED in text and "Traceback" not in text, text
    assert "━" not in text and done.stderr.count("?25l") == done.stderr.count("?25h")


def _long_study(folder: Path) -> None:
    (folder / "long.toml").write_text(STUDY.replace("games = 200", "games = 1e12"))


def _long_run(folder: Path) -> None:
    """Begin a run that keeps a folder, and stop it."""

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(Interrupted):
        play(
            "swap", "shedder,raider", games=10**12, threads=1, out=folder / "run", on_progress=stop
        )


def _long_result(folder: Path) -> None:
    result = result_of(*RUN, "-n", "100")
    result["arguments"]["games"] = result["games"] = 10**12
    (folder / "long.json").write_text(json.dumps(result))


def test_ctrl_c_while_the_engine_is_compiled(tmp_path: Path) -> None:
    with Child([*CLI, *RUN], columns=80, env={"HERDLAB_CACHE": str(tmp_path)}) as child:
        child.wait_for("compiling the engine")
        child.press(CTRL_C)
        done = child.finish()
        text = "".join(child.screen())  # Ctrl-C may come before that line ends: then it is folded
    assert done.returncode == 130 and INTERRUPTED in text, text
    assert "Traceback" not in text, text


def test_a_dumb_terminal_gets_no_bar(tmp_path: Path) -> None:
    words = [*WARM_CLI, *RUN, "-n", "1e12", "--out", str(tmp_path / "run"), "--threads", "1"]
    with Child(words, columns=80, env={"TERM": "dumb"}) as child:
        child.wait_until((tmp_path / "run" / "checkpoint.json").exists)
        child.press(CTRL_C)
        done = child.finish()
    assert done.returncode == 130 and "━" not in done.stderr and "\x1b" not in done.stderr
