"""What a new user sees: the wheel, installed outside the checkout, with nothing compiled yet."""

import shutil
import sys
import zipfile
from pathlib import Path

import pytest

from tests import children
from tests.children import ROOT
from tests.terminal import BARS, COLOUR, SESSION, Session, check, played
from tests.test_architecture import LAYERS, modules

DEAR = {"solve", "race", "advise", "bench"}
"""Commands that take most of a minute with an empty cache: so they are played by the slow test."""
FIRST_USE = {name: words for name, words in SESSION.items() if name not in DEAR}
FIRST_USE["clear"] = ("cache", "clear")


@pytest.fixture(scope="module")
def unpacked_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a copy of the sources, and unpack it outside the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    sources = folder / "sources"
    no_cache = shutil.ignore_patterns("__pycache__")
    for name in (*LAYERS, "tests", "pyproject.toml", "README.md", "LICENSE"):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, sources / name, ignore=no_cache)
        else:
            sources.mkdir(exist_ok=True)
            file = name if (ROOT / name).exists() else f"{name}.py"
            shutil.copy(ROOT / file, sources / file)
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
    assert tops == {f"{layer}.py" if (ROOT / f"{layer}.py").exists() else layer for layer in LAYERS}
    shipped = {str(p.relative_to(unpacked_wheel)) for p in unpacked_wheel.rglob("*.py")}
    wanted = {str(p.relative_to(ROOT)) for layer in LAYERS for p in modules(layer)}
    assert shipped == wanted


@pytest.fixture(scope="module")
def narrow(unpacked_wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Session:
    """80 columns, in colour; the wheel and an empty cache for all that does not take long then."""
    folder = tmp_path_factory.mktemp("narrow")
    cache = str(folder / "cache")
    first = played(folder, FIRST_USE, 80, sources=unpacked_wheel, HERDLAB_CACHE=cache)
    assert not (folder / "cache").exists(), "a cache that is cleared is gone"
    dear = played(folder, {name: SESSION[name] for name in DEAR}, 80)
    return first._replace(seen=first.seen | dear.seen)


@pytest.mark.parametrize("name", [*SESSION, "clear"])
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
