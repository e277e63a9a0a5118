"""What a person sees: every command on a pseudo-terminal, narrow and wide, cold and warm."""

import json
import re
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.children import CLI, CTRL_C, ROOT, Child, herdlab

RUN = ("simulate", "swap", "-p", "shedder,raider")
STUDY = """
title = "A small study"
[[part]]
title = "Two players"
command = "simulate"
game = "swap"
players = "shedder,raider"
games = 200
"""
SESSION: dict[str, tuple[str, ...]] = {
    "simulate": (*RUN, "-n", "10k", "--out", "run", "--save", "result.json"),
    "help": ("--help",),
    "no command": (),
    "games": ("games",),
    "rules": ("rules", "swap"),
    "strategies": ("strategies", "swap"),
    "strategy": ("strategies", "swap", "tactician"),
    "trace": ("trace", "swap", "-p", "shedder,raider"),
    "precision": (*RUN, "--precision", "0.02", "--rotate"),
    "compare": ("compare", "swap", "shedder", "raider", "-n", "500"),
    "decide": ("compare", "swap", "shedder", "raider", "--decide", "--max-games", "20k"),
    "readings": ("compare", "swap", "shedder", "raider", "-n", "500", "--readings"),
    "tournament": ("tournament", "swap", "-e", "shedder,raider,random", "--size", "2", "-n", "200"),
    "sweep": ("sweep", "swap", "tactician", "-v", "swap_gain=1:3:1", "-n", "300"),
    "tune": ("tune", "swap", "tactician", "-v", "swap_gain=1:3:1", "-a", "shedder", "-n", "300"),
    "luck": ("luck", "swap", "-p", "shedder,raider", "-n", "300"),
    "solve": ("solve", "herd", "--strategy", "keeper"),
    "race": ("race", "herd", "-p", "keeper,climber", "-n", "100"),
    "advise": ("advise", "herd", "--herd", "rabbits=6,sheep=2", "-n", "100"),
    "questions": ("ask",),
    "ask": ("ask", "seat", "swap", "--quick"),
    "study": ("report", "small.toml", "--html"),
    "result": ("report", "result.json", "--html"),
    "resume": ("resume", "run"),
    "verify": ("verify", "result.json"),
    "bench": ("bench", "--quick"),
    "cache": ("cache",),
}
"""Every command, in the order in which they are typed."""
FOLDED = {"trace"}
"""Whose long lines the terminal folds."""
DEAR = {"solve", "race", "advise", "bench"}
"""Commands that take most of a minute with an empty cache: so they are played by the slow test."""
BARS = {"simulate", "compare", "tournament", "sweep", "tune", "luck", "race", "ask", "study"}
PLAY = """
import json, sys
import cli
from analysis import bench, progress

progress._QUIET_SECONDS = 0.0  # a bar that is there before the first report: as if that came late
bench.LINE_UPS, bench._ROUND_SECONDS = bench.LINE_UPS[:1], 0.01
for name, words in json.loads(sys.argv[1]).items():
    print(f"<{name}>", flush=True)
    sys.argv = ["herdlab", *words]
    try:
        cli.main()
    except SystemExit as end:
        print(f"<ended {end.code}>", flush=True)
"""
COLOUR = re.compile(r"\x1b\[(\d+;)*(3[0-8]|9[0-7])(;\d+)*m")


class Seen(NamedTuple):
    """What one command left on the terminal."""

    code: int
    raw: str
    lines: list[str]


class Session(NamedTuple):
    """What all commands left, typed one after the other on one terminal."""

    columns: int
    has_colours: bool
    seen: dict[str, Seen]


def played(folder: Path, commands: dict[str, tuple[str, ...]], columns: int, **env: str) -> Session:
    """Type all commands on a terminal; fail at one that does not end as a command ends."""
    (folder / "small.toml").write_text(STUDY)
    command = [sys.executable, "-c", PLAY, json.dumps(commands)]
    env["PYTHONPATH"] = str(ROOT)
    with Child(command, columns=columns, cwd=folder, env=env) as child:
        done = child.finish()
        shown = "\n".join(child.screen())
    assert done.returncode == 0, shown
    seen = {}
    for name in commands:
        raw, lines = (
            re.search(rf"<{name}>\r?\n(.*?)<ended (\d+)>", text, re.DOTALL)
            for text in (done.stderr, shown)
        )
        assert raw and lines, f"{name} did not end: {shown}"
        seen[name] = Seen(int(lines[2]), raw[1], lines[1].splitlines())
    return Session(columns, "NO_COLOR" not in env, seen)


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """80 columns, in colour; an empty cache for all that does not take long then."""
    folder = tmp_path_factory.mktemp("narrow")
    cheap = {name: words for name, words in SESSION.items() if name not in DEAR}
    dear = {name: SESSION[name] for name in DEAR}
    cold = played(folder, cheap, 80, HERDLAB_CACHE=str(folder / "cache"))
    return cold._replace(seen=cold.seen | played(folder, dear, 80).seen)


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """200 columns, without colours, with what the tests have compiled already."""
    return played(tmp_path_factory.mktemp("wide"), SESSION, 200, NO_COLOR="1")


def check(session: Session, name: str) -> None:
    """Check that a command ended well, and left the terminal as a command should."""
    code, raw, lines = session.seen[name]
    text = "\n".join(lines)
    assert code == 0 and len(text) > 20, text
    assert "Traceback" not in text and "Error" not in text
    assert "━" not in text, "a bar is left"
    assert raw.count("\x1b[?25l") == raw.count("\x1b[?25h"), "the cursor is left hidden"
    if name not in FOLDED:
        assert max(len(line.rstrip()) for line in _plain(raw)) <= session.columns
    assert session.has_colours or not COLOUR.search(raw)


def _plain(raw: str) -> list[str]:
    """Return the lines as they were printed, before a terminal folds them."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", raw.replace("\r", "\n")).split("\n")


@pytest.mark.parametrize("name", SESSION)
def test_every_command_at_80_columns(narrow: Session, name: str) -> None:
    check(narrow, name)


@pytest.mark.parametrize("name", SESSION)
def test_every_command_at_200_columns_without_colours(wide: Session, name: str) -> None:
    check(wide, name)


@pytest.mark.slow
def test_every_command_with_an_empty_cache(tmp_path: Path) -> None:
    session = played(tmp_path, SESSION, 80, HERDLAB_CACHE=str(tmp_path / "cache"))
    for name in SESSION:
        check(session, name)


def test_the_session_has_every_command() -> None:
    import cli

    typed = {words[0] for words in SESSION.values() if words}
    assert {command.__name__ for command, _ in cli.COMMANDS} <= typed


def test_the_bar_is_seen_while_something_is_played(narrow: Session, wide: Session) -> None:
    for session in (narrow, wide):
        for name in BARS & set(session.seen):
            assert "━" in session.seen[name].raw, name
    assert COLOUR.search(narrow.seen["simulate"].raw), "the check of colours sees none"


def test_a_cold_start_says_why_it_takes_long(narrow: Session, wide: Session) -> None:
    says = "compiling the engine of SWAP!: once"
    assert says in narrow.seen["simulate"].lines[0]
    for name in set(narrow.seen) - {"simulate"}:
        assert says not in "\n".join(narrow.seen[name].lines), name


def test_the_files_that_were_written_are_named(narrow: Session) -> None:
    assert "herdlab: wrote result.json" in narrow.seen["simulate"].lines


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
    "race": ("race", "herd", "-p", "keeper,climber", "-n", "1e11"),
    "advise": ("advise", "herd", "--herd", "rabbits=6,sheep=2", "-n", "1e11"),
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
    with Child([*CLI, *LONG[name], *one_core], columns=80, cwd=tmp_path) as child:
        child.wait_for("━")
        child.press(CTRL_C)
        done = child.finish()
        text = "\n".join(child.screen())
    assert done.returncode == 130, text
    assert "herdlab: interrupted" in text and "Traceback" not in text, text
    assert "━" not in text and done.stderr.count("?25l") == done.stderr.count("?25h")


def _long_study(folder: Path) -> None:
    (folder / "long.toml").write_text(STUDY.replace("games = 200", "games = 1e12"))


def _long_run(folder: Path) -> None:
    """Begin a run that keeps a folder, and kill it."""
    with Child([*CLI, *RUN, "-n", "1e12", "-t", "1", "--out", "run"], cwd=folder) as child:
        child.wait_until((folder / "run" / "manifest.json").exists)


def _long_result(folder: Path) -> None:
    result = json.loads(herdlab(*RUN, "-n", "100", "--json").stdout)
    result["arguments"]["games"] = result["games"] = 10**12
    (folder / "long.json").write_text(json.dumps(result))


def test_ctrl_c_while_the_engine_is_compiled(tmp_path: Path) -> None:
    with Child([*CLI, *RUN], columns=80, env={"HERDLAB_CACHE": str(tmp_path)}) as child:
        child.wait_for("compiling the engine")
        child.press(CTRL_C)
        done = child.finish()
        text = "\n".join(child.screen())
    assert done.returncode == 130 and "herdlab: interrupted" in text, text
    assert "Traceback" not in text, text


def test_a_dumb_terminal_gets_no_bar(tmp_path: Path) -> None:
    words = [*CLI, *RUN, "-n", "1e12", "--out", str(tmp_path / "run")]
    with Child(words, columns=80, env={"TERM": "dumb"}) as child:
        child.wait_until((tmp_path / "run" / "checkpoint.json").exists)
        child.press(CTRL_C)
        done = child.finish()
    assert done.returncode == 130 and "━" not in done.stderr and "\x1b" not in done.stderr
