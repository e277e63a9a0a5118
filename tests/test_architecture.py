"""The house: which way dependencies point, what is in the wheel, what makes a cache stale."""

import ast
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LAYERS = ["simcore", "strategies", "analysis", "herdlab", "commands", "cli"]
"""Each may import those before it."""


def modules(layer: str) -> list[Path]:
    """Return the files of a layer: one at the top, or all of a folder."""
    alone = ROOT / f"{layer}.py"
    return [alone] if alone.exists() else sorted((ROOT / layer).rglob("*.py"))


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


@pytest.mark.parametrize("layer", LAYERS)
def test_dependencies_point_one_way(layer: str) -> None:
    above = LAYERS[LAYERS.index(layer) + 1 :]
    for path in modules(layer):
        for name in imported(path):
            assert name.split(".")[0] not in above, f"{path.relative_to(ROOT)} imports {name}"


def test_simcore_knows_nothing_of_tables_statistics_or_the_terminal() -> None:
    for path in modules("simcore"):
        roots = {name.split(".")[0] for name in imported(path)}
        assert not roots & {"pandas", "scipy", "matplotlib", "typer", "rich"}, path


def test_analysis_compiles_nothing() -> None:
    for path in modules("analysis"):
        assert "numba" not in {name.split(".")[0] for name in imported(path)}, path


def test_every_clause_of_the_engine_is_in_the_docs() -> None:
    from simcore.game import games

    for game in games().values():
        page = (ROOT / "docs" / "rules" / f"{game.folder}.md").read_text()
        code = "".join(
            path.read_text()
            for path in (ROOT / "simcore" / game.folder).glob("*.py")
            if path.name != "clauses.py"
        )
        for clause, _ in game.clauses:
            assert re.search(rf"\b{clause}\b", page), clause
            assert re.search(rf"\b{clause}\b", code), clause


def test_an_edit_of_any_compiled_source_changes_the_cache_folder(tmp_path: Path) -> None:
    """The engine's cache cannot go stale: also not by an edit of rules.py."""
    import shutil

    for package in ("simcore", "strategies"):
        shutil.copytree(ROOT / package, tmp_path / package)
    script = "from simcore import _jit; print(_jit.CACHE.name)"

    def folder() -> str:
        done = subprocess.run(
            [sys.executable, "-c", script],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    first = folder()
    assert folder() == first
    rules = tmp_path / "simcore" / "herd" / "rules.py"
    rules.write_text(rules.read_text().replace("HERD_VALUES = (1, 5,", "HERD_VALUES = (1, 6,"))
    second = folder()
    assert second != first
    helper = tmp_path / "strategies" / "herd" / "table_sense.py"
    helper.write_text(helper.read_text() + "\n# an edit\n")
    assert folder() not in (first, second)


@pytest.fixture(scope="module")
def unpacked_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from what git would ship, and unpack it outside the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT],
        check=True,
        capture_output=True,
        cwd=folder,
    )
    (wheel,) = folder.glob("*.whl")
    target = folder / "installed"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target)
    return target


def run_installed(target: Path, *words: str, cache: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-P", "-c", "import cli; cli.main()", *words],
        cwd=target.parent,
        env={**os.environ, "PYTHONPATH": str(target), "HERDLAB_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_the_wheel_has_everything_and_nothing_else(unpacked_wheel: Path) -> None:
    tops = {path.name for path in unpacked_wheel.iterdir() if not path.name.endswith("dist-info")}
    assert tops == {f"{layer}.py" if (ROOT / f"{layer}.py").exists() else layer for layer in LAYERS}
    shipped = {str(p.relative_to(unpacked_wheel)) for p in unpacked_wheel.rglob("*.py")}
    wanted = {str(p.relative_to(ROOT)) for layer in LAYERS for p in modules(layer)}
    assert shipped == wanted


def test_the_wheel_works_outside_the_checkout(unpacked_wheel: Path, tmp_path: Path) -> None:
    assert "H16" in run_installed(unpacked_wheel, "rules", "herd", cache=tmp_path)
    words = ("simulate", "herd", "-p", "keeper,climber", "-n", "1000")
    assert "win rate" in run_installed(unpacked_wheel, *words, cache=tmp_path)
