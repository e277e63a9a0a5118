"""docs/adding-a-game.md is true: Pig, copied into the folders and named in one line, is a game.

It is added to a copy of herdlab, as a reader of the page would add it.
"""

import json
import re
import shutil
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests import children
from tests.children import ROOT
from tests.words import meant

PIG = ROOT / "examples" / "pig"
PAGE = (ROOT / "docs" / "adding-a-game.md").read_text()
BEFORE, LINE = '    "herdlab.simcore.puzzle",\n', '    "herdlab.simcore.pig",\n'
COPIED = ("herdlab", "simcore", "strategies", "analysis", "commands", "docs", "cli.py")
COMMANDS = {
    "games": ["games"],
    "rules": ["rules", "pig"],
    "strategies": ["strategies", "pig", "holder"],
    "simulate": ["simulate", "pig", "-p", "holder,timid,bold", "-n", "2000", "--json"],
    "other rules": ["simulate", "pig", "-p", "bold,random", "-n", "10", "--set", "one_takes=all"],
    "trace": ["trace", "pig", "-p", "holder,random"],
    "compare": ["compare", "pig", "holder", "timid", "-n", "2000", "--readings"],
    "tournament": ["tournament", "pig", "-e", "all", "--size", "2", "-n", "200"],
    "sweep": ["sweep", "pig", "holder", "-v", "at=10:30:10", "-n", "500"],
    "luck": ["luck", "pig", "-p", "holder,timid", "-n", "500"],
    "ask": ["ask", "seat", "pig", "--quick"],
    "report": ["simulate", "pig", "-p", "holder,timid", "-n", "500", "--report", "pig.html"],
    "mistake": ["simulate", "pig", "-p", "holder,timyd"],
    "too many": ["simulate", "pig", "-p", ",".join(["holder"] * 7)],
}
COMPLETIONS = {
    "complete a game": ("simulate", "pi"),
    "complete a strategy": ("simulate", "pig", "-p", "ti"),
    "complete a parameter": ("simulate", "pig", "-p", "holder:"),
    "complete a rule": ("simulate", "pig", "--set", "one_takes="),
}
SCRIPT = """
import contextlib, io, json, os, sys
from herdlab import cli

def run(words):
    sys.argv = ["herdlab", *words]
    out, err, code = io.StringIO(), io.StringIO(), 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            cli.main()
        except SystemExit as end:
            code = end.code or 0
    return code, out.getvalue(), err.getvalue()

commands, completions = json.loads(sys.argv[1])
seen = {name: run(words) for name, words in commands.items()}
os.environ["_HERDLAB_COMPLETE"] = "complete_fish_words"
for name, (*words, last) in completions.items():
    os.environ["_TYPER_COMPLETE_ARGS"] = "\\n".join(["herdlab", *words])
    os.environ["_TYPER_COMPLETE_WORD_TO_COMPLETE"] = last
    seen[name] = run([])
print(json.dumps(seen))
"""


class Done(NamedTuple):
    """What a command left."""

    code: int
    out: str
    err: str


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of herdlab to which Pig was added."""
    folder = tmp_path_factory.mktemp("with-pig")
    for name in COPIED:
        if (ROOT / name).is_dir():
            unwanted = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, folder / name, symlinks=True, ignore=unwanted)
        else:
            shutil.copy(ROOT / name, folder)
    shutil.copytree(PIG, folder, dirs_exist_ok=True)
    registry = folder / "simcore" / "game.py"
    text = registry.read_text()
    assert text.count(BEFORE) == 1
    registry.write_text(text.replace(BEFORE, BEFORE + LINE))
    return folder


@pytest.fixture(scope="module")
def seen(copy: Path) -> dict[str, Done]:
    """Return what each command says there."""
    asked = json.dumps([COMMANDS, COMPLETIONS])
    environment = {"PYTHONPATH": str(copy), "HERDLAB_CACHE": str(copy / "cache"), "COLUMNS": "100"}
    done = children.run([sys.executable, "-c", SCRIPT, asked], cwd=copy, env=environment)
    assert done.returncode == 0, done.stderr
    return {name: Done(*told) for name, told in json.loads(done.stdout).items()}


def test_it_is_listed_with_its_rules_and_strategies(seen: dict[str, Done]) -> None:
    assert re.search(r"^pig +Pig +1-6 ", seen["games"].out, re.MULTILINE)
    assert "one_takes = turn or all (G3)" in seen["rules"].out
    assert "banks at so many points" in seen["strategies"].out


def test_it_is_played(seen: dict[str, Done]) -> None:
    whole = json.loads(seen["simulate"].out)
    rates = {seat["strategy"]: seat["win_rate"] for seat in whole["seats"]}
    assert rates["timid"] < min(rates["holder"], rates["bold"]) and sum(rates.values()) == 1
    assert whole["length"]["unit"] == "turns" and len(whole["events"]["ones"]) == len(rates)
    assert seen["other rules"].code == 0 and "one_takes" in seen["other rules"].out


def test_a_game_is_told(seen: dict[str, Done]) -> None:
    assert "banks: " in seen["trace"].out and "(G3)" in seen["trace"].out


@pytest.mark.parametrize("name", ["compare", "tournament", "sweep", "luck", "ask", "report"])
def test_it_is_studied(seen: dict[str, Done], name: str) -> None:
    done = seen[name]
    assert done.code == 0 and "Pig" in done.out and "Traceback" not in done.err, done


def test_a_report_is_written(seen: dict[str, Done], copy: Path) -> None:
    page = (copy / "pig.html").read_text()
    assert "Pig" in page and "turns that a 1 ended" in page and "<svg" in page


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("mistake", meant("timid")), ("too many", "pig takes 1 to 6 players")],
)
def test_mistakes_are_refused(seen: dict[str, Done], name: str, sentence: str) -> None:
    assert seen[name].code == 2 and sentence in seen[name].err


@pytest.mark.parametrize(
    ("name", "offered"),
    [
        ("complete a game", {"pig"}),
        ("complete a strategy", {"timid"}),
        ("complete a parameter", {"holder:at="}),
        ("complete a rule", {"one_takes=turn", "one_takes=all"}),
    ],
)
def test_its_names_complete(seen: dict[str, Done], name: str, offered: set[str]) -> None:
    assert {one.partition("\t")[0] for one in seen[name].out.splitlines()} >= offered


def test_the_page_names_every_file_and_the_line() -> None:
    for path in PIG.rglob("*"):
        if path.is_file() and path.name != "holder.py":
            name = path.relative_to(PIG).as_posix().replace("pig", "GAME")
            assert f"`{name}`" in PAGE, path
    assert LINE.strip().rstrip(",") in PAGE
