"""The commands that find something out, as a user meets them."""

import json
import runpy
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from tests import children
from tests.children import CTRL_C, EAGER_CLI, ROOT, Child
from tests.command_line import check_refusal, herdlab, result_of
from tests.conftest import Refuses
from tests.words import (
    DIFFERS,
    NO_FOLDER,
    SAME_NUMBERS,
    TOO_FEW_GAMES,
    meant,
    not_together,
    took_too_few_or_many,
    unknown,
    wrote,
)

COMPARE = ("compare", "herd", "keeper", "keeper-dog")
TOURNAMENT = ("tournament", "herd", "--entrants", "keeper,closer,climber", "--size", "2")
SWEEP = ("sweep", "herd", "herder", "--vary", "keep_sheep=0:3:1")
TUNE = ("tune", "herd", "herder", "--vary", "keep_sheep=0:2:1", "--against", "keeper,climber")
LUCK = ("luck", "herd", "--players", "keeper,keeper-dog")
ALL = {
    "simulate": ("simulate", "herd", "--players", "keeper,random", "--precision", "0.03"),
    "compare": (*COMPARE, "--games", "500"),
    "decide": (*COMPARE, "--decide"),
    "readings": (*COMPARE, "--games", "500", "--readings"),
    "tournament": (*TOURNAMENT, "--games", "200"),
    "sweep": (*SWEEP, "--games", "300"),
    "tune": (*TUNE, "--games", "300"),
    "luck": (*LUCK, "--games", "300"),
}

MISTAKES = [
    ((*COMPARE, "--margin", "0"), ["margin must be above 0", "got 0"]),
    ((*COMPARE, "--margin", "-0.1"), ["margin must be above 0"]),
    ((*COMPARE, "--margin", "5"), ["margin of win rates must be below 1", "got 5"]),
    ((*COMPARE, "--margin", "wide"), ["--margin must be a number", "'wide'"]),
    ((*COMPARE, "--metric", "lenght"), ["unknown metric of herd", meant("length")]),
    ((*COMPARE, "--metric", "score"), [unknown("metric of herd", "score")]),
    ((*COMPARE, "--field", "keeper,keeper,keeper,keeper"), took_too_few_or_many(1, 4, 5)),
    ((*COMPARE, "--decide", "--games", "10"), [not_together("--games", "--decide")]),
    ((*COMPARE, "--max-games", "10"), ["--max-games limits", "--games says how many"]),
    ((*COMPARE, "--games", "1"), [TOO_FEW_GAMES]),
    (("compare", "herd", "keeper", "keepr"), ["'keepr'", meant("keeper")]),
    (("compare", "herd", "keeper,closer", "random"), ["one strategy is wanted", "keeper,closer"]),
    ((*COMPARE, "--save", "nowhere/result.csv"), ["'nowhere/result.csv'", NO_FOLDER]),
    ((*COMPARE, "--save", "result.xls"), ["'.xls'", ".csv, .parquet, .json"]),
    (
        ("simulate", "herd", "--players", "keeper,keeper", "--precision", "0"),
        ["half-width of a win rate", "got 0"],
    ),
    (
        ("simulate", "herd", "--players", "keeper,keeper", "--precision", "0.6"),
        ["half-width of a win rate", "got 0.6"],
    ),
    (
        ("simulate", "herd", "--players", "keeper,keeper", "--precision", "0.1", "--games", "9"),
        [not_together("--games", "--precision")],
    ),
    (
        ("tournament", "herd", "--entrants", "keeper,closer", "--size", "3"),
        ["tables of 3 needs at least 3 entrants", "got 2: keeper, closer"],
    ),
    ((*TOURNAMENT[:4], "--size", "two"), ["--size must be a whole number", "'two'"]),
    (
        ("tournament", "herd", "--entrants", "keeper,closer,keeper", "--size", "2"),
        ["named twice: name each one once", "'keeper'"],
    ),
    (
        ("tournament", "herd", "--entrants", "keeper,closr", "--size", "2"),
        [meant("closer")],
    ),
    (
        ("tournament", "herd", "-e", "keeper,closer,climber,random,hermit", "--size", "5"),
        took_too_few_or_many(1, 4, 5),
    ),
    (("sweep", "herd", "herder", "--vary", "keep_sheep=0:999999:1"), ["1,000,000", "at most"]),
    (("sweep", "herd", "herder", "--vary", "keep_sheep=0:3:0"), ["keep_sheep"]),
    (("sweep", "herd", "herder", "--vary", "keep_shep=0:3:1"), [meant("keep_sheep")]),
    (("sweep", "herd", "herder", "--vary", "rules.horse_prise=2:3:1"), ["horse_price"]),
    (("sweep", "herd", "herder", "--vary", "dog=always"), ["'always'", "never, spare, first"]),
    ((*SWEEP, "--figure", "curve.gif"), ["'.gif'", ".svg, .png, .pdf"]),
    ((*SWEEP, "--best", "most"), ["'most'", "high, low"]),
    (("tune", "herd", "herder", "--vary", "keep_sheep=0:2:1", "--against", "kepper"), ["'kepper'"]),
    ((*LUCK, "--games", "3"), [TOO_FEW_GAMES]),
    ((*LUCK, "--metric", "luck"), [unknown("metric of herd", "luck")]),
]


@pytest.mark.parametrize(("words", "parts"), MISTAKES)
def test_a_mistake_gets_one_sentence(
    words: tuple[str, ...], parts: list[str], refuses: Refuses
) -> None:
    refuses(words, parts)


def test_so_it_does_in_a_process_of_its_own() -> None:
    check_refusal(children.herdlab(*MISTAKES[0][0]), MISTAKES[0][1])


@pytest.mark.parametrize("name", ALL)
def test_every_finding_can_be_verified(name: str, tmp_path: Path) -> None:
    found = result_of(*ALL[name])
    path = tmp_path / "result.json"
    path.write_text(json.dumps(found))
    done = herdlab("verify", str(path))
    assert done.returncode == 0 and SAME_NUMBERS in done.stdout, done.stdout

    changed = json.dumps(found).replace('"seed": 0', '"seed": 1')
    path.write_text(changed)
    done = herdlab("verify", str(path))
    assert done.returncode == 1 and DIFFERS in done.stdout


@pytest.mark.parametrize("name", ALL)
def test_every_finding_can_be_saved_as_a_table(name: str, tmp_path: Path) -> None:
    files = [tmp_path / f"result.{kind}" for kind in ("csv", "parquet", "json")]
    saves = [word for file in files for word in ("--save", str(file))]
    done = herdlab(*ALL[name], *saves)
    assert done.returncode == 0
    assert done.stderr == "".join(wrote(file) for file in files)
    assert sorted(tmp_path.iterdir()) == sorted(files)
    rows, again = pd.read_csv(files[0]), pd.read_parquet(files[1])
    assert len(rows) == len(again) >= 1 and list(rows.columns) == list(again.columns)
    whole = json.loads(files[2].read_text())
    assert whole["game"] == "herd" and whole["arguments"]


def test_what_is_printed_names_the_verdict_first_and_the_intervals() -> None:
    words = (*COMPARE, "--field", "keeper,keeper")
    lines, verdict = herdlab(*words).stdout.splitlines(), result_of(*words)["verdict"]
    assert lines[0] == "Have You Herd?  keeper or keeper-dog?"
    text = " ".join(line.strip() for line in lines)
    assert text.removeprefix(lines[0]).strip().startswith(verdict) and len(verdict) > 30
    assert "95 % interval" in text and "times as many games, each on a deal of its own" in text
    assert "100,000 deals: 400,000 games" in text


def test_the_names_that_others_rely_on() -> None:
    compared = result_of(*ALL["compare"])
    wanted = "a b field metric difference ci_low ci_high lucks games variance_ratio verdict"
    assert set(wanted.split()) <= set(compared)
    cup = result_of(*ALL["tournament"])
    wanted = "strategy win_rate ci_low ci_high rating rating_low rating_high equilibrium_share"
    wanted += " share_low share_high"
    assert all(set(wanted.split()) <= set(one) for one in cup["entrants"]) and cup["games"]
    run = result_of(*ALL["simulate"])
    assert run["interval"] == "anytime"
    assert all(one["ci_high"] - one["ci_low"] <= 0.06 for one in run["seats"])


@pytest.mark.parametrize("key", ["plugins", "threads", "prepare", "seed"])
def test_a_result_cannot_make_verify_run_anything_else(key: str, tmp_path: Path) -> None:
    """A file from somebody else is data: it names no plug-in of its own."""
    found = result_of(*ALL["compare"])
    plugin = tmp_path / "evil.py"
    plugin.write_text("raise SystemExit('was run')")
    found["arguments"][key] = [str(plugin)]
    path = tmp_path / "result.json"
    path.write_text(json.dumps(found))
    done = herdlab("verify", str(path))
    assert done.returncode == 2 and f"have '{key}'" in done.stderr, done.stderr


def test_a_sweep_is_drawn(tmp_path: Path) -> None:
    for kind in ("svg", "png", "pdf"):
        path = tmp_path / f"curve.{kind}"
        done = herdlab(*ALL["sweep"], "--figure", str(path))
        assert done.returncode == 0 and done.stderr == wrote(path) and path.stat().st_size > 1000
    both = (*ALL["sweep"], "--vary", "dog=never,spare", "--figure", str(tmp_path / "heat.svg"))
    assert herdlab(*both).returncode == 0
    assert "keep_sheep" in (tmp_path / "heat.svg").read_text()


@pytest.mark.parametrize(
    "words",
    [
        ("simulate", "herd", "-p", "keeper,keeper", "--precision", "1e-6", "--max-games", "1e12"),
        (*COMPARE, "--games", "1e12"),
        (*LUCK, "--games", "1e12"),
    ],
)
def test_interrupted_it_says_what_is_known_and_how_to_print_it_again(
    words: tuple[str, ...],
) -> None:
    with Child([*EAGER_CLI, *words, "--json", "-t", "1"], columns=120, piped=True) as child:
        child.wait_for("/s")  # the progress bar tells a speed: some games were played
        child.press(CTRL_C)
        done = child.finish()
    assert done.returncode == 130, done.stderr
    so_far: dict[str, Any] = json.loads(done.stdout)
    assert so_far["lucks"] > 0
    option, deals = done.stderr.split("with ")[1].split()[:2]
    assert option in ("--games", "--max-games") and int(deals) == so_far["lucks"], done.stderr


def test_the_example_in_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(ROOT / "examples" / "findings.py"))["main"](2_000)
    printed = capsys.readouterr().out
    for part in ("wins more often than", "readings", "in_best_region", "rating", "Luck has"):
        assert part in printed, printed
