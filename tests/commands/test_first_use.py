"""What a new user sees: the wheel, installed outside the checkout, with nothing compiled yet."""

import shutil
import sys
import zipfile
from pathlib import Path

import pytest

from herdlab.simcore.game import games
from tests import children
from tests.children import ROOT
from tests.terminal import BARS, COLOUR, SESSION, Session, check, played
from tests.test_architecture import LAYERS, PACKAGE, modules

DEAR = {"solve", "race", "advise", "bench"}
"""Commands that take most of a minute with an empty cache: so they are played by the slow test."""
FIRST_USE = {name: words for name, words in SESSION.items() if name not in DEAR}
MINE = ("simulate", "swap", "-p", "first-card,raider", "-n", "100", "--plugin", "mine.py")
FIRST_USE["plug-in"] = MINE
CLEAR = {"clear": ("cache", "clear")}
PLUGIN = '''
from herdlab.simcore.swap.view import COLOUR, PARTNER, PLAY
from herdlab.strategies import strategy
from herdlab.strategies.swap.card_sense import can_play, most_held_colour

@strategy("swap", "first-card")
def first_card(decision, view, me):
    """Play the first kind that can be played."""
    if decision == PLAY:
        for kind in range(5):
            if can_play(view, kind):
                return kind
    if decision == COLOUR:
        return most_held_colour(view)
    return 1 if decision == PARTNER else 0
'''
API = """
import herdlab
found = herdlab.simulate("swap", "shedder,raider", games=100)
print(found.games, sorted(set(dir(herdlab)) - set(herdlab.__all__)))
"""


@pytest.fixture(scope="module")
def unpacked_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a copy of the sources, and unpack it outside the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    sources = folder / "sources"
    no_cache = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE, sources / "herdlab", symlinks=True, ignore=no_cache)
    for name in ("simcore", "strategies", "analysis", "commands", "tests"):
        shutil.copytree(ROOT / name, sources / name, ignore=no_cache)
    for name in ("cli.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, sources / name)
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    done = children.run([*build, sources], cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = folder.glob("*.whl")
    target = folder / "installed"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target)
    return target


def test_the_wheel_has_everything_and_nothing_else(unpacked_wheel: Path) -> None:
    tops = {path.name for path in unpacked_wheel.iterdir() if not path.name.endswith("dist-info")}
    assert tops == {"herdlab"}
    shipped = {str(path.relative_to(unpacked_wheel)) for path in unpacked_wheel.rglob("*.py")}
    wanted = {str(path.relative_to(ROOT)) for layer in LAYERS for path in modules(layer)}
    assert shipped == {*wanted, "herdlab/__init__.py"}
    assert (unpacked_wheel / "herdlab" / "py.typed").exists()
    scripts = (unpacked_wheel / "herdlab" / "commands" / "scripts").iterdir()
    assert {path.suffix for path in scripts} == {".bash", ".zsh", ".fish"}


def test_an_editable_install_is_a_path_that_type_checkers_follow(unpacked_wheel: Path) -> None:
    """They do not follow the import hook that setuptools makes otherwise."""
    sources = unpacked_wheel.parent / "sources"
    build = "from setuptools import build_meta; print(build_meta.build_editable('..'))"
    done = children.run([sys.executable, "-c", build], cwd=sources)
    assert done.returncode == 0, done.stdout + done.stderr
    with zipfile.ZipFile(unpacked_wheel.parent / done.stdout.split()[-1]) as archive:
        (path,) = [name for name in archive.namelist() if name.endswith(".pth")]
        assert archive.read(path).decode().strip() == str(sources)


@pytest.fixture(scope="module")
def narrow(unpacked_wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Session:
    """80 columns, in colour; the wheel and an empty cache for all that does not take long then.

    The folder has files that are called as parts of herdlab are.
    """
    folder = tmp_path_factory.mktemp("narrow")
    for name in ("analysis", "cli", "commands", "simcore", "strategies"):
        (folder / f"{name}.py").write_text("raise SystemExit('a file of the user was imported')")
    (folder / "mine.py").write_text(PLUGIN)
    cache = str(folder / "cache")
    first = played(folder, FIRST_USE, 80, sources=unpacked_wheel, HERDLAB_CACHE=cache)
    environment = {"PYTHONPATH": str(unpacked_wheel), "HERDLAB_CACHE": cache}
    api = children.run([sys.executable, "-c", API], cwd=folder, env=environment)
    assert api.stdout == "100 []\n", api.stderr
    last = played(folder, CLEAR, 80, sources=unpacked_wheel, HERDLAB_CACHE=cache)
    assert not Path(cache).exists(), "a cache that is cleared is gone"
    for game in games().values():
        game.load_engine()  # or a new checkout would compile what its user does not wait for here
    dear = played(folder, {name: SESSION[name] for name in DEAR}, 80)
    return first._replace(seen=first.seen | last.seen | dear.seen)


@pytest.mark.parametrize("name", [*SESSION, "plug-in", "clear"])
def test_every_command_at_80_columns(narrow: Session, name: str) -> None:
    check(narrow, name)


def test_the_bar_is_seen_in_colour_while_something_is_played(narrow: Session) -> None:
    for name in BARS:
        assert "━" in narrow.seen[name].raw, name
    assert COLOUR.search(narrow.seen["simulate"].raw), "the check of colours sees none"


def test_only_the_first_run_says_that_it_compiles(narrow: Session) -> None:
    says = "compiling the engine of SWAP!: once"
    assert says in narrow.seen["simulate"].lines[0]
    for name in set(narrow.seen) - {"simulate"}:
        assert says not in "\n".join(narrow.seen[name].lines), name


def test_the_cache_is_named_and_cleared(narrow: Session) -> None:
    shown = " ".join(narrow.seen["cache"].lines)
    assert "cache" in shown and " 0 files" not in shown
    assert "cleared" in " ".join(narrow.seen["clear"].lines)


def test_the_files_that_were_written_are_named(narrow: Session) -> None:
    assert "herdlab: wrote result.json" in narrow.seen["simulate"].lines


@pytest.mark.slow
def test_every_command_with_an_empty_cache(tmp_path: Path) -> None:
    session = played(tmp_path, SESSION, 80, HERDLAB_CACHE=str(tmp_path / "cache"))
    for name in SESSION:
        check(session, name)
