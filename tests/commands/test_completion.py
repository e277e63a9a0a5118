"""Tab completion: what is offered, and how bash, zsh and fish are answered."""

import os
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pyte
import pytest

from herdlab import cli
from herdlab.commands import completion
from herdlab.simcore.game import games
from herdlab.strategies.declarations import Declared, declared_strategies
from herdlab.strategies.parameters import Parameter
from herdlab.strategies.registry import load_plugin, strategies_of
from herdlab.strategies.strategy import Strategy
from tests.children import ROOT, Child, run

Offers = Callable[..., list[str]]
EXAMPLE = ROOT / "examples" / "patient_farmer.py"
COLUMNS = 120


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Offers:
    """Return a function that asks as a shell's script does, in this process."""

    def ask(shell: str, **asked: str) -> list[str]:
        monkeypatch.setattr(sys, "argv", ["herdlab"])
        monkeypatch.setenv("_HERDLAB_COMPLETE", f"complete_{shell}_words")
        for name, text in asked.items():
            monkeypatch.setenv(f"_TYPER_COMPLETE_{name}", text)
        with pytest.raises(SystemExit) as stopped:
            cli.main()
        out, err = capsys.readouterr()
        assert stopped.value.code == 0 and err == ""
        return out.splitlines()

    return ask


@pytest.fixture
def offers(answers: Offers) -> Offers:
    """Return a function that gives the words offered for the last of a line."""

    def ask(*words: str) -> list[str]:
        *args, word = words
        line = "\n".join(["herdlab", *args])
        kind, *rest = answers("fish", ARGS=line, WORD_TO_COMPLETE=word)
        if kind == "files":
            return [kind]
        return [one.partition("\t")[0] for one in rest[1:]]

    return ask


def described(found: Mapping[str, Declared | Strategy]) -> dict[str, object]:
    """Return all that is known of strategies beyond their code."""
    return {
        name: (one.words, [(key, *described_parameter(p)) for key, p in one.parameters.items()])
        for name, one in found.items()
    }


def described_parameter(p: Parameter) -> tuple[object, ...]:
    return type(p), p.default, p.words, p.options, p.low, p.high, p.is_whole


@pytest.mark.parametrize("game", games())
def test_what_is_read_from_the_files_is_what_the_registry_has(
    game: str, own_registry: None
) -> None:
    plugins = [EXAMPLE, ROOT / "examples" / "chancer.py"]
    for plugin in plugins:
        load_plugin(plugin)
    known = strategies_of(games()[game])
    ours = {n: one for n, one in known.items() if not one.function.__module__.startswith("tests.")}
    real = described(ours)
    assert described(declared_strategies(games()[game], plugins)) == real


def test_fixed_words_and_metrics_are_those_of_the_commands(offers: Offers) -> None:
    from herdlab.analysis.exact.advise_request import PHASES
    from herdlab.analysis.sampling.metrics import metric_names
    from herdlab.analysis.studies.sweep import HIGH, LOW
    from herdlab.simcore.herd.lattice import DOGS

    assert list(completion.DOGS) == list(DOGS)
    assert list(completion.PHASES) == list(PHASES)
    assert list(completion.BEST) == [HIGH, LOW]
    for game in games().values():
        assert offers("luck", game.name, "--metric", "") == metric_names(game)


NAMES = [*games()]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("ga", ["games"]),
        ("--vers", ["--version"]),
        ("simulate --pl", ["--players", "--plugin"]),
        ("rules ", NAMES),
        ("rules h", ["herd", "horse-trader"]),
        ("ask gu", ["guard-dog"]),
        ("ask bluff ", ["horse-trader", "bronco"]),
        ("ask seat ", NAMES),
        ("ask donkey -p mi", ["miser"]),
        ("ask seat swap -p sh", ["shedder"]),
        ("cache ", ["clear"]),
        ("solve herd --dogs r", ["rolled-only"]),
        ("solve herd --strategy keeper,opt", ["keeper,optimal"]),
        ("sweep herd herder --best ", ["high", "low"]),
        ("advise herd --phase s", ["skunk"]),
        ("advise herd --herd rabbits=6,s", ["rabbits=6,sheep="]),
        ("luck herd --metric tr", ["trades"]),
        ("strategies herd clo", ["closer"]),
        ("compare herd keeper clo", ["closer"]),
        ("compare herd clo", ["closer"]),
        ("compare herd keeper closer --field keeper,clo", ["keeper,closer"]),
        ("tournament barnyard -e collector,mi", ["collector,miser"]),
        ("tune herd herder -a keeper,clo", ["keeper,closer"]),
        ("simulate HERD -p keeper,herd", ["keeper,herder"]),
        ("simulate herd -p", ["-p"]),
        ("simulate herd --players=clo", ["--players=closer"]),
        ("simulate herd --seed 3 --json -p clo", ["closer"]),
        ("simulate bronco -p trader-", [f"trader-{k}" for k in range(1, 5)]),
        ("simulate herd -p keeper,herder:tr", ["keeper,herder:trade="]),
        ("simulate herd -p herder:dog=", [f"herder:dog={x}" for x in ("never", "spare", "first")]),
        (
            "simulate herd -p herder:dog=never:dog_",
            [f"herder:dog=never:dog_{x}=" for x in ("rabbits", "sheep", "until_horse")],
        ),
        ("simulate herd -p HERDER:trade=b", ["HERDER:trade=best"]),
        ("simulate bronco -p dealer:offer=", [f"dealer:offer={k}" for k in range(1, 5)]),
        ("simulate herd -p herder:keep_sheep=", []),
        ("simulate herd -p racer:rival=clo", ["racer:rival=closer"]),
        ("simulate herd -p racer:rival=herder/tra", ["racer:rival=herder/trade="]),
        ("simulate herd --set di", ["dice="]),
        ("simulate herd --set dice=", ["dice=assumed", "dice=super-farmer"]),
        ("simulate herd --set t_cancels=", ["t_cancels=false", "t_cancels=true"]),
        ("simulate herd --set max_horses=", [f"max_horses={k}" for k in (1, 2, 3)]),
        ("simulate herd --set rabbits=", []),
        ("sweep herd herder --vary tra", ["trade="]),
        ("sweep herd herder:dog=never -v tra", ["trade="]),
        ("sweep herd herder -v ru", ["rules."]),
        ("sweep herd herder -v rules.di", ["rules.dice="]),
        ("sweep herd herder -v rules.dice=as", ["rules.dice=assumed"]),
        ("sweep herd herder -v dog=never,s", ["dog=never,spare"]),
        ("sweep herd herder -v dog=never,spare,", ["dog=never,spare,first"]),
        ("verify ", ["files"]),
        ("report re", ["files"]),
        ("resume ", ["files"]),
        ("simulate herd --plugin ", ["files"]),
        ("simulate herd --save=x", ["files"]),
    ],
)
def test_what_is_offered(line: str, expected: list[str], offers: Offers) -> None:
    assert offers(*line.split(" ")) == expected


@pytest.mark.parametrize(
    "line",
    [
        "nonsense ",
        "--nonsense games ",
        "simulate chess -p k",
        "simulate -p k",
        "simulate herd --nonsense",
        "simulate herd --nonsense 3 -p k",
        "simulate herd --threads many -p xx",
        "simulate herd -p nobody:do",
        "simulate herd -p keeper:nothing=",
        "simulate herd -p ,,:=:,/=,:",
        "simulate herd -p racer:rival=nobody/x",
        "simulate herd --set nothing=",
        "simulate herd --set ==",
        "simulate herd extra more words",
        "sweep herd -v x=",
        "sweep herd nobody -v dog=",
        "sweep chess herder -v rules.d",
        "ask nonsense -p k",
        "games \\ \" ' `$(x)",
        "-- x - y",
        "é\x1b[A ☃",
    ],
)
def test_wrong_words_complete_to_nothing(line: str, answers: Offers) -> None:
    *args, word = line.split(" ")
    for shell in ("zsh", "fish"):
        asked = "\n".join(["herdlab", *args])
        assert answers(shell, ARGS=asked, WORD_TO_COMPLETE=word) == [""]
    assert answers("bash", ARGS=f"herdlab {line}", WORDBREAKS=BREAKS) == [""]


def test_the_version_is_not_shown_while_a_line_is_completed(offers: Offers) -> None:
    assert offers("--version", "gam") == ["games"]


def test_a_plugin_on_the_line_is_offered(offers: Offers) -> None:
    line = ("simulate", "herd", "--plugin", str(EXAMPLE), "-p")
    assert offers(*line, "keeper,pat") == ["keeper,patient-farmer"]
    assert offers(*line, "patient-farmer:") == ["patient-farmer:reserve="]


def test_nothing_of_a_plugin_is_run_but_plain_declarations(tmp_path: Path, offers: Offers) -> None:
    plugin, trace = tmp_path / "mine.py", tmp_path / "trace"
    plugin.write_text(
        f"""
from pathlib import Path
from os.path import join
from herdlab.strategies import choice, member, number, strategy
from somewhere import SOMETHING

TRACE = Path({str(trace)!r})
TRACE.write_text("run")
EXTRA = TRACE.write_text("run")
LOW, WORDS = 2, ("a", "b")

def mark(): TRACE.write_text("run")

@strategy("herd", "zz-mine", own_only=mark(), low=number(LOW, "words"), kind=choice("a", WORDS, ""))
def mine(decision=mark(), view=mark()):
    '''Do what I like.'''
    mark()

@strategy("herd", "zz-odd", low=number(mark(), "words"))
def odd(decision, view, me):
    '''Never offered.'''

@strategy("herd", "zz-extra", low=number(EXTRA, "words"))
def extra(decision, view, me):
    '''Never offered.'''

@strategy(SOMETHING, "zz-other")
def other(decision, view, me):
    '''Never offered.'''

for k in range(2):
    member("herd", f"zz-{{k}}", "herder", "One of two.", dog="never")
member("herd", "zz-none", "nobody", "Of no family.")
"""
    )
    line = ("simulate", "herd", "--plugin", str(plugin), "-p")
    assert offers(*line, "zz-") == ["zz-mine", "zz-0", "zz-1"]
    assert offers(*line, "zz-mine:kind=") == ["zz-mine:kind=a", "zz-mine:kind=b"]
    assert not trace.exists()


@pytest.mark.parametrize("text", [b"def (:\n", b"\0", b"\xff\xfe", b"(" * 5000, b"x = '\\d'\n"])
def test_a_plugin_that_cannot_be_read_offers_nothing(
    text: bytes, tmp_path: Path, offers: Offers
) -> None:
    plugin = tmp_path / "broken.py"
    plugin.write_bytes(text)
    for one in (plugin, tmp_path, tmp_path / "missing.py", Path("/dev/zero")):
        assert offers("simulate", "herd", "--plugin", str(one), "-p", "clo") == ["closer"]


def test_strategies_of_installed_packages_are_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, offers: Offers
) -> None:
    package, facts = tmp_path / "farmers" / "good", tmp_path / "farmers-1.0.dist-info"
    package.mkdir(parents=True)
    (package.parent / "__init__.py").write_text("raise RuntimeError")
    shutil.copy(EXAMPLE, package)
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: farmers\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text("[herdlab.strategies]\nany = farmers.good\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert offers("strategies", "herd", "pat") == ["patient-farmer"]


BREAKS = " \t\n\"'@><=;|&(:"
"""What parts words in bash, unless somebody changes it."""


@pytest.mark.parametrize(
    ("line", "breaks", "expected"),
    [
        ("simu", BREAKS, ["words", "simulate"]),
        ("simulate herd -p keeper,herd", BREAKS, ["open", "keeper,herder"]),
        ("simulate herd -p keeper,herder:tr", BREAKS, ["open", "trade="]),
        ("simulate herd -p keeper,herder:trade=b", BREAKS, ["open", "best"]),
        ("simulate herd -p keeper,herder:trade=b", " =", ["open", "best"]),
        ("simulate herd -p keeper,herder:tr", " =", ["open", "keeper,herder:trade="]),
        ("simulate herd -p 'herder:tr", BREAKS, ["open", "herder:trade="]),
        ('simulate herd -p "keeper, herder:tr', BREAKS, ["open", "keeper, herder:trade="]),
        ("simulate herd --players=herder:trade=b", BREAKS, ["open", "best"]),
        ("simulate  'herd' --players=clo", BREAKS, ["open", "closer"]),
        ("simulate herd --set dice=s", BREAKS, ["words", "super-farmer"]),
        ("simulate herd --plugin=x", BREAKS, ["files"]),
    ],
)
def test_bash_gets_what_readline_puts_in(
    line: str, breaks: str, expected: list[str], answers: Offers
) -> None:
    assert answers("bash", ARGS=f"herdlab {line}", WORDBREAKS=breaks) == expected


def test_zsh_lists_only_what_is_new_and_describes_it(answers: Offers) -> None:
    line = "herdlab\nsimulate\nherd\n-p"
    kind, kept, *offered = answers("zsh", ARGS=line, WORD_TO_COMPLETE="keeper,her")
    assert (kind, kept) == ("open", str(len("keeper,")))
    assert [one.partition(":")[0] for one in offered] == ["herder", "hermit"]
    assert offered[1].endswith(":Never trades: the floor that everybody should beat.")
    assert answers("zsh", ARGS="herdlab\nreport", WORD_TO_COMPLETE="--out=x") == ["files", "6"]


def test_descriptions_are_short(answers: Offers) -> None:
    for line in ("herdlab", "herdlab\nsimulate", "herdlab\nsimulate\nherd\n-p"):
        for word in ("", "--", "herder:"):
            for one in answers("fish", ARGS=line, WORD_TO_COMPLETE=word)[2:]:
                about = one.partition("\t")[2]
                assert len(about) <= 70 and "[default" not in about


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_nothing_heavy_is_imported(shell: str) -> None:
    script = (
        "import sys\nfrom herdlab import cli\nsys.argv = ['herdlab']\n"
        "try:\n    cli.main()\nexcept SystemExit:\n    pass\n"
        "heavy = {'numba', 'numpy', 'pandas', 'scipy', 'matplotlib', 'rich'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    words = "herdlab simulate herd -p".split()
    asked = {
        "_HERDLAB_COMPLETE": f"complete_{shell}_words",
        "_TYPER_COMPLETE_ARGS": "\n".join(words),
        "_TYPER_COMPLETE_WORD_TO_COMPLETE": "keeper,herder:",
        "_TYPER_COMPLETE_WORDBREAKS": BREAKS,
    }
    if shell == "bash":
        asked["_TYPER_COMPLETE_ARGS"] = " ".join([*words, "keeper,herder:"])
    done = run([sys.executable, "-c", script], env=asked, cwd=ROOT)
    assert done.returncode == 0 and done.stderr == ""
    assert "trade=" in done.stdout


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home with `herdlab` in bin/, a file, and shells that say when they are ready."""
    program = tmp_path / "bin" / "herdlab"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\nexec '{sys.executable}' '{ROOT / 'cli.py'}' \"$@\"\n")
    program.chmod(0o755)
    (tmp_path / "chancer.py").touch()
    fish = tmp_path / ".config" / "fish" / "config.fish"
    fish.parent.mkdir(parents=True)
    fish.write_text(
        "set -g fish_autosuggestion_enabled 0\nfunction fish_prompt; echo -n 'ready> '; end\n"
    )
    (tmp_path / ".bashrc").write_text("PS1='ready> '\n")
    (tmp_path / ".zshrc").write_text("PS1='ready> '\n")
    return tmp_path


def edited(child: Child) -> str:
    """Return the line that the cursor is on."""
    screen = pyte.Screen(COLUMNS, 24)
    pyte.Stream(screen).feed(child.err)
    line: str = screen.display[screen.cursor.y]
    return line.rstrip()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_person_presses_tab(shell: str, home: Path) -> None:
    """The completion is installed as README.md says, and used in a terminal."""
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    env = {
        "HOME": str(home),
        "PATH": f"{home / 'bin'}:{os.environ['PATH']}",
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_DATA_HOME": str(home / ".local"),
    }
    # without `true` the shell would become herdlab, which asks what shell it is run by
    done = run([shell, "-c", "herdlab --install-completion; true"], env=env, cwd=home)
    assert f"{shell} completion installed" in done.stdout
    with Child([shell, "-i"], env=env, cwd=home, columns=COLUMNS) as child:
        child.wait_for("ready> ")

        def press(keys: bytes, line: str) -> None:
            child.press(keys)
            child.wait_until(lambda: edited(child) == f"ready> {line}")

        press(b"herdlab sim\t", "herdlab simulate")
        press(b"herd -p keeper,herd\t", "herdlab simulate herd -p keeper,herder")
        if shell == "fish":  # which puts a space after every word
            child.press(b"\x7f")
        press(b":tra\t", "herdlab simulate herd -p keeper,herder:trade=")
        press(b"be\t", "herdlab simulate herd -p keeper,herder:trade=best")
        press(b"\x15herdlab verify cha\t", "herdlab verify chancer.py")
        press(b"\x15herdlab nonsense cha\tX", "herdlab nonsense chaX")
