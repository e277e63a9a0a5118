"""`herdlab report` and ``--report`` as a user meets them."""

import json
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import herdlab as api
from herdlab.analysis.experiment import Interrupted
from herdlab.analysis.report.document import Report, Summary, Verdict
from herdlab.analysis.report.render import writing
from tests import children
from tests.children import CTRL_C, EAGER_CLI, WARM_CLI, Child
from tests.command_line import check_refusal, herdlab
from tests.words import goes_on_from, meant

STUDY = """title = "Small <script>"
game = "herd"

[[part]]
title = "Who wins"
command = "simulate"
players = "keeper,climber"
games = 3000

[[part]]
title = "The difference"
command = "compare"
a = "keeper"
b = "climber"
games = 200
"""
SIMULATE = ("simulate", "herd", "--players", "keeper,climber", "--games", "100")


@pytest.fixture
def plain_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compose and render reports that only say which results they are of: at once.

    Whatever imports the true module for good does so before.
    """
    import_module("herdlab.analysis.terminal.show_result")
    compose = ModuleType("herdlab.analysis.report.compose")

    def of_study(study: Any, results: Any, *, is_quick: bool) -> Report:
        said = [f"{one['command']} {one['games']}" for one in results if one]
        points = tuple(zip([part.title for part in study.parts], said, strict=False))
        return Report(study.title, "", (Verdict(f"All of it: {is_quick}."), Summary(points)))

    def of_result(whole: Any) -> Report:
        return Report(whole["command"], "", (Verdict(f"{whole['lucks']} deals."),))

    def render(report: Report, kind: str) -> bytes:
        return f"{kind} {report.title} {report.lead}".encode()

    monkeypatch.setattr(compose, "compose_study", of_study, raising=False)
    monkeypatch.setattr(compose, "compose_result", of_result, raising=False)
    monkeypatch.setitem(sys.modules, "herdlab.analysis.report.compose", compose)
    monkeypatch.setattr(writing, "_render", render)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.toml").write_text(STUDY)
    return tmp_path


def files(folder: Path) -> set[str]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix() for path in found}


MISTAKES = [
    (("report", "gone.toml"), ["study 'gone.toml' cannot be read"]),
    (("report", "gone.json"), ["result 'gone.json' cannot be read"]),
    (("report", "small.txt"), ["unknown kind of file '.txt'", ".toml, .json"]),
    (("report", "small"), ["unknown kind of file 'small'"]),
    (("report", "bad.toml"), ["line 7, part 1 ('Who wins')", meant("players")]),
    (("report", "bad.toml", "--out", "new"), ["line 7"]),
    (("report", "broken.json"), ["is not valid JSON"]),
    (("report", "other.json"), ["is not what --json writes"]),
    (("report", "small.toml", "--plugin", "gone.py"), ["plug-in 'gone.py' cannot be read"]),
    (("report", "small.toml", "--out", "bad.toml"), ["'bad.toml' cannot be made"]),
    (("report", "broken.json", "--quick"), ["a result is only shown"]),
    (("report", "steering.toml"), ["line 2: unknown key 'a b\\x1b[31m'"]),
    (("report", "study.json"), ["'study.json' is of a whole study"]),
    (("report", "small.toml", "--out", "x.html"), ["--out is the folder", "got 'x.html'"]),
    ((*SIMULATE, "--report", "report.doc"), ["'.doc'", ".html, .pdf"]),
    ((*SIMULATE, "--report", "nowhere/report.html"), ["there is no folder 'nowhere'"]),
    ((*SIMULATE, "--report", "x.html", "--report", "page"), ["must end in one of .html, .pdf"]),
]


@pytest.mark.usefixtures("plain_pages")
@pytest.mark.parametrize(("words", "parts"), MISTAKES)
def test_a_mistake_gets_one_sentence_and_leaves_nothing_behind(
    words: tuple[str, ...],
    parts: list[str],
    folder: Path,
) -> None:
    (folder / "bad.toml").write_text(STUDY.replace("players", "plyers"))
    (folder / "broken.json").write_text("{")
    (folder / "other.json").write_text("{}")
    (folder / "steering.toml").write_text('title = "x"\n"a\\nb\\u001b[31m" = 1\n')
    (folder / "study.json").write_text('{"command": "report", "title": "Small", "parts": []}')
    before = set(folder.rglob("*"))
    check_refusal(herdlab(*words), parts)
    assert set(folder.rglob("*")) == before


def test_a_mistake_in_a_process_of_its_own_has_no_traceback(folder: Path) -> None:
    (folder / "small.toml").write_text(STUDY.replace("games = 200", "games = 'many'"))
    done = children.herdlab("report", str(folder / "small.toml"))
    check_refusal(done, ["line 15, part 2 ('The difference'): 'games' must be a whole number"])


@pytest.mark.usefixtures("plain_pages")
def test_a_study_is_played_once_written_and_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, err = herdlab("report", "small.toml")
    assert code == 0, err
    assert out.splitlines() == [
        "All of it: False.",
        "- Who wins: simulate 3000",
        "- The difference: compare 600",
        "written: small.html",
        "written: small.pdf",
    ]
    kept = {name for name in files(folder) if name.startswith(".herdlab/small/")}
    assert files(folder) == {"small.toml", "small.html", "small.pdf", *kept} and len(kept) == 2
    page = (folder / "small.html").read_bytes()

    for function in (
        "herdlab.analysis.studies.simulation.simulate",
        "herdlab.analysis.studies.compare.compare",
    ):
        monkeypatch.setattr(function, lambda *_, **__: pytest.fail("was played again"))
    assert herdlab("report", "small.toml")[1] == out
    assert (folder / "small.html").read_bytes() == page


@pytest.mark.usefixtures("plain_pages")
@pytest.mark.parametrize(
    ("options", "written"),
    [
        (("--html",), {"out/small.html"}),
        (("--pdf",), {"out/small.pdf"}),
        (("--html", "--pdf"), {"out/small.html", "out/small.pdf"}),
    ],
)
def test_one_chooses_what_is_written_and_where(
    options: tuple[str, ...],
    written: set[str],
    folder: Path,
) -> None:
    words = ("report", "small.toml", "--quick", "--out", "out", *options)
    code, out, _ = herdlab(*words)
    assert code == 0 and out.startswith("All of it: True.\n- Who wins: simulate 2000\n")
    assert {name for name in files(folder) if ".herdlab" not in name} == {"small.toml", *written}


@pytest.mark.usefixtures("plain_pages")
def test_json_has_the_results_of_the_parts_and_nothing_else_is_printed(folder: Path) -> None:
    code, out, _ = herdlab("report", "small.toml", "--quick", "--json")
    assert code == 0
    whole = json.loads(out)
    assert (whole["command"], whole["title"]) == ("report", "Small <script>")
    assert [one["command"] for one in whole["parts"]] == ["simulate", "compare"]
    assert "small.pdf" in files(folder)
    _, again, _ = herdlab("report", "small.toml", "--quick", "--json")
    assert again == out  # to the second: nothing was played


@pytest.mark.usefixtures("plain_pages")
def test_a_saved_result_is_shown_and_not_played(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert herdlab(*SIMULATE, "--save", "won.json")[0] == 0
    monkeypatch.setattr(api, "simulate", lambda *_, **__: pytest.fail("was played"))
    code, out, _ = herdlab("report", "won.json", "--html")
    assert code == 0 and out == "100 deals.\nwritten: won.html\n"
    assert files(folder) == {"small.toml", "won.json", "won.html"}


@pytest.mark.usefixtures("plain_pages")
def test_a_result_that_somebody_has_cut_is_refused(folder: Path) -> None:
    assert herdlab(*SIMULATE, "--save", "won.json")[0] == 0
    path = folder / "won.json"
    path.write_text(path.read_text().replace('"lucks"', '"luck"'))
    code, out, err = herdlab("report", "won.json", "--out", "new")
    assert code == 2 and out == "" and "won.json' is not what --json writes" in err
    assert set(folder.iterdir()) == {folder / "small.toml", path}


@pytest.mark.parametrize("value", ["1" + 400 * "0", '"many"', "[]"])
def test_a_result_with_a_value_that_herdlab_never_writes_is_refused(
    value: str, folder: Path
) -> None:
    assert herdlab(*SIMULATE, "--save", "won.json")[0] == 0
    path = folder / "won.json"
    whole = json.loads(path.read_text())
    whole["events_ci"]["trades"][0][1] = json.loads(value)
    path.write_text(json.dumps(whole))
    code, out, err = herdlab("report", "won.json", "--html")
    assert code == 2 and out == "" and "some value in it is of another kind" in err
    assert files(folder) == {"small.toml", "won.json"}


@pytest.mark.usefixtures("plain_pages")
@pytest.mark.parametrize("stop", [KeyboardInterrupt(), Interrupted("a part", "--games 5")])
def test_an_interrupted_study_says_where_and_goes_on(
    stop: BaseException,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stopped(*_: Any, **__: Any) -> None:
        raise stop

    with monkeypatch.context() as patched:
        patched.setattr("herdlab.analysis.studies.compare.compare", stopped)
        code, out, err = herdlab("report", "small.toml")
    assert code == 130 and out == ""
    assert err == f"herdlab: {goes_on_from(2, 2)}\n"
    assert not {"small.html", "small.pdf"} & files(folder)
    monkeypatch.setattr(
        "herdlab.analysis.studies.simulation.simulate", lambda *_, **__: pytest.fail("played again")
    )
    with monkeypatch.context() as patched:
        patched.setattr("herdlab.analysis.studies.simulation.simulate", stopped)
        _, _, err = herdlab("report", "small.toml", "--fresh")
    assert "part 1 of 2; the same command without --fresh goes on from there" in err
    assert herdlab("report", "small.toml")[0] == 0
    assert {"small.html", "small.pdf"} <= files(folder)


@pytest.mark.usefixtures("plain_pages")
def test_what_cannot_be_rendered_leaves_the_old_report_as_it_was(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    herdlab("report", "small.toml", "--quick")
    before = (folder / "small.html").read_bytes()
    render = writing._render

    def fails(report: Report, kind: str) -> bytes:
        return render(report, kind) + b"new" if kind == ".html" else pytest.fail("no PDF")

    monkeypatch.setattr(writing, "_render", fails)
    with pytest.raises(pytest.fail.Exception):
        herdlab("report", "small.toml", "--quick")
    assert (folder / "small.html").read_bytes() == before


@pytest.mark.usefixtures("plain_pages")
@pytest.mark.parametrize("name", ["a b'c$(x).toml", "ünï…<b>.toml", "two.dots.toml", "-x.toml"])
def test_strange_names_of_files_are_kept(name: str, folder: Path) -> None:
    (folder / "small.toml").rename(folder / name)
    code, _, err = herdlab("report", "--quick", "--html", "--", name)
    assert code == 0, err
    stem = name.removesuffix(".toml")
    assert f"{stem}.html" in files(folder) and (folder / ".herdlab" / stem).is_dir()


@pytest.mark.usefixtures("plain_pages")
def test_a_command_writes_its_report_beside_what_it_prints(folder: Path) -> None:
    words = (*SIMULATE, "--report", "won.html", "--report", "won.PDF")
    code, out, _ = herdlab(*words, "--json")
    assert code == 0 and json.loads(out)["lucks"] == 100
    page = (folder / "won.html").read_text()
    assert page.startswith(".html simulate (Verdict(headline='100 deals")
    assert (folder / "won.PDF").read_text().startswith(".pdf simulate")


COMMANDS = ["simulate", "compare", "tournament", "sweep", "ask", "luck", "solve", "race"]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_that_has_a_report_says_so(command: str) -> None:
    code, out, _ = herdlab(command, "--help")
    assert code == 0 and "--report FILE" in out and "FILE.html or .pdf" in out


def test_a_progress_bar_is_for_a_terminal_only_and_names_the_part(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from herdlab.analysis.runs import progress

    monkeypatch.setattr(progress, "_QUIET_SECONDS", -1.0)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich takes what is captured for a terminal
    with progress.progress_bar(progress.PER_CENT, lambda: "part 2 of 5: [red]A table") as advance:
        advance(1, 4)
        shown = ""
        while "part 2 of 5: [red]A table" not in shown:  # drawn by a thread of its own
            shown += capsys.readouterr().err


def test_a_real_study_is_interrupted_and_resumed_in_processes_of_their_own(folder: Path) -> None:
    path = folder / "small.toml"
    path.write_text(STUDY.replace("games = 200", "games = 1e12"))
    with Child([*EAGER_CLI, "report", path, "-t", "1"], columns=120, piped=True) as child:
        child.wait_for("part 2 of 2")
        child.press(CTRL_C)
        done = child.finish()
    assert done.returncode == 130 and done.stdout == "", done.stderr
    assert goes_on_from(2, 2) in done.stderr
    assert any(".herdlab" in name for name in files(folder))
    assert "small.html" not in files(folder) and not list(folder.rglob(".herdlab-*"))

    path.write_text(STUDY)
    done = children.run([*WARM_CLI, "report", path])
    assert done.returncode == 0 and done.stderr == "", done.stderr
    page, paper = folder / "small.html", folder / "small.pdf"
    assert "Small &lt;script&gt;" in page.read_text() and paper.read_bytes().startswith(b"%PDF")
