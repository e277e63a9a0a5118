"""A person's session at a terminal: every command typed, and what each leaves on the screen."""

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tests.children import FORK, ROOT, Child

RUN = ("simulate", "swap", "-p", "shedder,raider")
SMALL = tuple(
    word for rule in ("sheep=8", "pigs=6", "cows=5", "max_turns=300") for word in ("--set", rule)
)
"""Few animals, so that Have You Herd? is solved at once; other tests have the usual rules."""
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
    "solve": ("solve", "herd", "--strategy", "keeper", *SMALL),
    "race": ("race", "herd", "-p", "keeper,keeper-dog", "-n", "100", *SMALL),
    "advise": ("advise", "herd", "--herd", "rabbits=6,sheep=2", "-n", "100", *SMALL),
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
BARS = {"simulate", "compare", "tournament", "sweep", "tune", "luck", "race", "ask", "study"}
PLAY = """
import json, sys
from functools import partial
from herdlab import cli
from herdlab.analysis.stats.equilibrium import resampled
from herdlab.analysis.studies import bench, standings
from herdlab.analysis.runs import progress
from herdlab.analysis.questions import seat

progress._QUIET_SECONDS = 0.0  # a bar that is there before the first report: as if that came late
tables, bench._ROUND_SECONDS, usual_plan = bench.benchmarks()[:1], 0.01, seat._plan
bench.benchmarks = lambda: tables
seat._plan = lambda game: usual_plan(game)._replace(quick_games=5_000)
standings.resampled = partial(resampled, replicates=20)
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


def played(
    folder: Path,
    commands: Mapping[str, tuple[str, ...]],
    columns: int,
    *,
    sources: Path = ROOT,
    **env: str,
) -> Session:
    """Type all commands on a terminal; fail at one that does not end as a command ends.

    `sources` is where herdlab is: this checkout, or an installed wheel.
    """
    (folder / "small.toml").write_text(STUDY)
    is_cold = sources != ROOT or "HERDLAB_CACHE" in env
    start = [sys.executable, "-c"] if is_cold else [FORK]
    command = [*start, PLAY, json.dumps(dict(commands))]
    env["PYTHONPATH"] = str(sources)
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
