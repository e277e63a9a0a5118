"""Files of other people at the command line: their code is named, their text steers nothing."""

import errno
import json
import os
import shlex
import sys
from pathlib import Path
from typing import Any, NoReturn

import pytest

from herdlab.commands import answering
from tests import children
from tests.children import CLI, ROOT
from tests.command_line import check_refusal, herdlab

PLUGIN = '''
from pathlib import Path
from herdlab.strategies import strategy

Path(__file__).with_suffix(".ran").touch()

@strategy("swap", "theirs")
def theirs(decision, view, me):
    """Plays \x1b]0;what\x07 comes first."""
    return 0
'''
STUDY = """
title = "Small"
plugins = ["{plugin}"]
[[part]]
title = "A"
command = "simulate"
game = "swap"
players = "shedder,raider"
games = 100
"""
RUN = ("simulate", "swap", "-p", "shedder,raider", "-n", "200")


def plugin(path: Path) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(PLUGIN)
    return path


def has_run(file: Path) -> bool:
    """Say whether a plug-in was run since this was asked last."""
    mark = file.with_suffix(".ran")
    was_there = mark.exists()
    mark.unlink(missing_ok=True)
    return was_there


def test_links_that_go_round_are_a_sentence(tmp_path: Path) -> None:
    """Python's own ``Path.resolve`` fails on them."""
    loop, study, saved = tmp_path / "loop.py", tmp_path / "s.toml", str(tmp_path / "x.csv")
    loop.symlink_to(loop)
    study.write_text(STUDY.format(plugin="loop.py"))
    for words in (
        ("resume", str(loop), "--save", saved),
        ("resume", str(tmp_path), "--save", str(loop / "x.csv")),
        (*RUN, "--out", str(loop), "--save", saved),
        ("report", str(study), "--html"),
        ("report", str(study), "--html", "--plugin", str(loop)),
    ):
        check_refusal(herdlab(*words), ["symbolic links"] if words[0] == "report" else ["loop.py"])
    assert sorted(os.listdir(tmp_path)) == ["loop.py", "s.toml"]


@pytest.mark.parametrize("where", ["../mine.py", "{absolute}", "linked.py", "sub/../../mine.py"])
def test_a_study_runs_no_plug_in_from_elsewhere(where: str, tmp_path: Path) -> None:
    """Unless the user names it too, as the refusal says."""
    mine, folder = plugin(tmp_path / "mine.py"), tmp_path / "theirs"
    (folder / "sub").mkdir(parents=True)
    (folder / "linked.py").symlink_to(mine)
    study = folder / "small.toml"
    study.write_text(STUDY.format(plugin=where.format(absolute=mine)))
    words = ("report", str(study), "--html")
    refused = herdlab(*words)
    check_refusal(refused, ["line 3", "is not in the folder of the study", "if you trust it, add"])
    assert not has_run(mine)
    typed = shlex.split(refused.stderr.partition("if you trust it, add ")[2])
    done = herdlab(*words, *typed)
    assert done.returncode == 0 and "running code" not in done.stderr, done
    assert has_run(mine)


def test_plug_ins_beside_a_study_are_named_before_they_run(tmp_path: Path) -> None:
    theirs = plugin(tmp_path / "theirs.py")
    study = tmp_path / "small.toml"
    study.write_text(STUDY.format(plugin="theirs.py"))
    done = herdlab("report", str(study), "--html")
    assert done.returncode == 0 and has_run(theirs)
    assert done.stderr == f"herdlab: running code that comes with '{study}': {theirs}\n"
    named = herdlab("report", str(study), "--html", "--plugin", str(theirs))
    assert named.returncode == 0 and named.stderr == ""


def test_plug_ins_of_a_run_folder_are_named_before_they_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder has a copy; the user's own file is run instead if it is named and the same."""
    mine = plugin(tmp_path / "mine.py")
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    begun = herdlab(*RUN, "--plugin", "../mine.py", "--out", "run")
    assert begun.returncode == 0 and has_run(mine), begun
    copy = work / "run" / "plugins" / "mine.py"
    done = herdlab("resume", "run")
    assert done.returncode == 0 and has_run(copy) and not has_run(mine)
    assert done.stderr == "herdlab: running code that comes with 'run': mine.py\n"
    named = herdlab("resume", "run", "--plugin", "../mine.py")
    assert named.returncode == 0 and named.stderr == "", named
    assert has_run(mine) and not has_run(copy)
    mine.write_text(PLUGIN + "\n# edited\n")
    check_refusal(herdlab("resume", "run", "--plugin", "../mine.py"), ["is not the one", "begun"])
    other = plugin(tmp_path / "other.py")
    refused = herdlab("resume", "run", "--plugin", str(other))
    check_refusal(refused, ["was begun without plug-in 'other.py'"])
    assert not has_run(mine) and not has_run(copy) and not has_run(other)


def test_help_says_that_plug_ins_run_as_programs() -> None:
    for command in ("simulate", "report", "resume", "verify"):
        said = " ".join(herdlab(command, "--help").stdout.split())
        assert "trust" in said and "program" in said, command


def test_text_of_others_does_not_steer_the_terminal(tmp_path: Path) -> None:
    """Names, titles, words of strategies, and whatever a forged result has."""
    theirs = plugin(tmp_path / "theirs.py")
    listed = herdlab("strategies", "swap", "--plugin", str(theirs))
    shown = herdlab("strategies", "swap", "theirs", "--plugin", str(theirs))
    result = tmp_path / "result\x1b[31m.json"
    made = json.loads(herdlab(*RUN, "--json").stdout)
    made["events"]["\x1b[2J\x9b1m\u202e"] = "\x07\ud800\r\nnext"
    result.write_text(json.dumps(made))
    verified = herdlab("verify", str(result))
    missing = herdlab("verify", str(tmp_path / "no\x1b[1mfile.json"))
    asked = herdlab("simulate", "swap", "-p", "\x1b[5mshedder,\udcffraider")
    option = herdlab("simulate", "--\x1b[5m")
    assert verified.returncode == 1 and "events.\\x1b[2J\\x9b1m\\u202e" in verified.stdout
    assert "\\x07\\ud800" in verified.stdout
    assert "\\x1b[1mfile.json" in missing.stderr
    assert "'\\x1b[5mshedder'" in asked.stderr
    assert "Plays \\x1b]0;what\\x07 comes first." in shown.stdout
    for done in (listed, shown, verified, missing, asked, option):
        for line in (done.stdout + done.stderr).split("\n"):
            assert line.isprintable(), line


PLAIN = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
MANY = """
import sys
from functools import partial
from herdlab import cli
from herdlab.analysis.stats.equilibrium import resampled
from herdlab.analysis.studies import standings

standings.resampled = partial(resampled, replicates=20)
for words in (["simulate", "swap", "-p", "shedder,raider,random", "-n", "200", "--rotate"],
              ["compare", "swap", "shedder", "raider", "-n", "300"],
              ["tournament", "swap", "-e", "shedder,raider,random", "--size", "2", "-n", "200"],
              ["sweep", "swap", "tactician", "-v", "swap_gain=1:3:1", "-n", "300"],
              ["luck", "swap", "-p", "shedder,raider", "-n", "300"],
              ["ask"], ["games"], ["rules", "swap"], ["strategies", "swap"], ["--help"],
              ["sweep", "--help"], ["report", "small.toml", "--html"],
              ["simulate", "swap", "-p", "\\u2212"]):
    sys.argv = ["herdlab", *words]
    try:
        cli.main()
    except SystemExit as end:
        print(f"<{end.code}>", flush=True)
"""


def test_a_locale_without_signs_prints_ascii(tmp_path: Path) -> None:
    study = STUDY.replace('plugins = ["{plugin}"]\n', "").replace(
        "Small", "Small \u2212 \u00b1\u2026"
    )
    (tmp_path / "small.toml").write_text(study, encoding="utf-8")
    command = [sys.executable, "-c", MANY]
    done = children.run(command, cwd=tmp_path, env={**PLAIN, "PYTHONPATH": str(ROOT)})
    assert done.returncode == 0 and done.stdout.count("<0>") == 12, done
    assert done.stdout.endswith("<2>\n") and "Traceback" not in done.stderr, done.stderr
    assert (done.stdout + done.stderr).isascii() and "+/-" in done.stdout
    assert "unknown strategy of swap '-'" in done.stderr or "\\xe2" in done.stderr, done.stderr


def test_a_bar_in_a_locale_without_signs(tmp_path: Path) -> None:
    words = ["simulate", "swap", "-p", "shedder,raider", "-n", "1e12", "-t", "1"]
    script = children.EAGER_CLI[1]  # in a process that has this locale from its start
    command = [sys.executable, "-c", script, *words]
    environment = {**PLAIN, "PYTHONPATH": str(ROOT)}
    with children.Child(command, columns=80, env=environment) as child:
        child.wait_for("/s")
        child.press(children.CTRL_C)
        done = child.finish()
    assert done.returncode == 130 and done.stderr.isascii() and "Traceback" not in done.stderr


def shell(line: str, **env: str) -> children.Done:
    """Run herdlab with redirections, as a shell does; its exit code is printed last."""
    command = " ".join(map(shlex.quote, CLI))
    return children.run(["sh", "-c", f"{command} {line}"], env=env)


def test_closed_and_full_outputs_end_properly(tmp_path: Path) -> None:
    run = " ".join(RUN)
    closed = shell(f"{run} >&-")
    check_refusal(closed, ["standard output is closed", "/dev/null"])
    silent = shell(f"{run} 2>&-")
    assert silent.returncode == 0 and "win rate" in silent.stdout
    assert shell(f"{run} --out {tmp_path / 'run'} <&- >&- 2>&-") == (2, "", "")
    assert not (tmp_path / "run").exists()
    full = shell(f"{run} >/dev/full")
    check_refusal(full, ["the output cannot be written: No space left on device"])
    assert shell(f"{run} 2>/dev/full").returncode == 0


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        OSError(errno.ENOMEM, "Cannot allocate memory"),
        OSError("Could not find/load shared object file 'libllvmlite.so'"),
        ImportError("x.so: failed to map segment from shared object"),
        RuntimeError("can't start new thread"),
    ],
    ids=repr,
)
def test_too_little_memory_is_a_sentence(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """What ``ulimit -v`` leads to, at whatever limit; other errors are not taken for it."""

    def fail(*_: Any, **__: Any) -> NoReturn:
        raise error

    monkeypatch.setattr(answering, "tell", fail)
    check_refusal(herdlab(*RUN), ["not enough memory", "fewer --threads"])
    error = RuntimeError("something else")
    with pytest.raises(RuntimeError, match="something else"):
        herdlab(*RUN)


def test_a_full_disk_for_saved_files_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was there before stays, and nothing half written."""
    saved = tmp_path / "result.json"
    saved.write_text("before")

    def fsync(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fsync)
    done = herdlab(*RUN, "--save", str(saved))
    check_refusal(done, ["result.json' cannot be written: No space left on device"])
    assert saved.read_text() == "before" and os.listdir(tmp_path) == ["result.json"]
