"""The house: which way dependencies point, what is in the wheel, what makes a cache stale."""

import ast
import re
import shutil
import sys
import tomllib
from pathlib import Path

import pytest

from tests import children
from tests.children import ROOT
from tests.conftest import SLOWEST

PACKAGE = ROOT / "herdlab"
TESTS = sorted((ROOT / "tests").rglob("*.py"))

LAYERS = ["simcore", "strategies", "analysis", "api", "commands", "cli"]
"""Below `herdlab`.  Each may import those before it."""
ROOMS = [
    {"stats"},
    {"words", "findings"},
    {"catalogue", "commands", "experiment", "runs"},
    {"sampling"},
    {"tables", "result"},
    {"studies", "exact"},
    {"figures"},
    {"report"},
    {"questions", "terminal"},
]
"""Inside `herdlab.analysis`.  Each may import those before it, and those in its own row."""
_LOADS_REPORTS = "result"
"""A result becomes a page when asked to; it loads the modules that can do it only then."""
_MOST_MODULES = 17
"""In one folder; of more nobody keeps an overview."""


def modules(layer: str) -> list[Path]:
    """Return the files of a layer: one, or all of a folder."""
    alone = PACKAGE / f"{layer}.py"
    found = [alone] if alone.exists() else sorted((PACKAGE / layer).rglob("*.py"))
    assert found, f"there is no {layer}"
    return found


def imported(path: Path, *, when_run: bool = False) -> set[str]:
    """Return the full names of all modules and names that a file imports, or does when it runs."""
    names, tree = set(), ast.parse(path.read_text())
    if when_run:
        tree.body = [one for one in tree.body if not _is_of_types(one)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            begin = "." * node.level + node.module
            names |= {f"{begin}.{alias.name}" for alias in node.names}
    return names


def _is_of_types(node: ast.stmt) -> bool:
    """Whether a statement is there for type checkers alone."""
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def part_of(name: str, package: str) -> str | None:
    """Return which part of a package a name is from; None if it is from elsewhere."""
    if not name.startswith(f"{package}."):
        return None
    return name.removeprefix(f"{package}.").split(".")[0]


def test_an_import_is_seen_wherever_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "one.py"
    path.write_text(
        "import herdlab.cli\n"
        "if TYPE_CHECKING:\n    from herdlab.analysis import result\n"
        "def f():\n    from herdlab.commands.play import verify\n"
    )
    late, types = "herdlab.commands.play.verify", "herdlab.analysis.result"
    assert imported(path) == {"herdlab.cli", late, types}
    assert imported(path, when_run=True) == {"herdlab.cli", late}
    assert [part_of(one, "herdlab") for one in ("herdlab.cli", late, "numpy")] == [
        "cli",
        "commands",
        None,
    ]
    path.write_text("from ..commands import play")
    assert imported(path) == {"..commands.play"}


@pytest.mark.parametrize("layer", LAYERS)
def test_dependencies_point_one_way(layer: str) -> None:
    above = LAYERS[LAYERS.index(layer) + 1 :]
    for path in modules(layer):
        for name in imported(path):
            assert part_of(name, "herdlab") not in above, f"{path} imports {name}"


def test_dependencies_inside_analysis_point_one_way() -> None:
    rooms = set().union(*ROOMS)
    for number, row in enumerate(ROOMS):
        allowed = set().union(*ROOMS[: number + 1])
        for room in row - {_LOADS_REPORTS}:
            for path in modules(f"analysis/{room}"):
                for name in imported(path, when_run=room == "result"):
                    used = part_of(name, "herdlab.analysis")
                    assert used is None or used in allowed, f"{path} imports {name}"
    found = {path.stem for path in (PACKAGE / "analysis").iterdir() if path.suffix == ".py"}
    folders = {path.parent.name for path in (PACKAGE / "analysis").glob("*/__init__.py")}
    assert (found | folders) - {"__init__"} == rooms


def test_questions_know_of_figures_what_they_draw_and_not_how() -> None:
    for path in modules("analysis/questions"):
        for name in imported(path):
            assert not name.startswith("herdlab.analysis.figures.parts"), f"{path} imports {name}"


def test_everything_is_imported_by_its_full_name() -> None:
    """A user may have an `analysis.py` or a `cli.py` of their own."""
    tops = {"analysis", "cli", "commands", "simcore", "strategies"}
    for path in (*[one for layer in LAYERS for one in modules(layer)], *TESTS):
        assert not {name.split(".")[0] for name in imported(path)} & tops, path
    for layer in LAYERS:
        for path in modules(layer):
            for node in ast.walk(ast.parse(path.read_text())):
                assert not (isinstance(node, ast.ImportFrom) and node.level), path


def test_no_folder_has_more_modules_than_one_can_overlook() -> None:
    folders = {path.parent for layer in LAYERS for path in modules(layer)} - {PACKAGE}
    for folder in folders:
        found = [path for path in folder.glob("*.py") if path.name != "__init__.py"]
        assert len(found) <= _MOST_MODULES, f"{folder}: {len(found)}"


COMPILED = {"__init__", "rng", "piles"}
"""Beside the games' folders; numba's types decide there."""


def test_what_is_not_compiled_has_strict_types() -> None:
    """A game's folders may be lax without being named; everything beside them is named."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]
    strict = {
        name for one in config["overrides"] if "enable_error_code" in one for name in one["module"]
    }
    there = {
        f"herdlab.{layer}.{path.stem}"
        for layer in ("simcore", "strategies")
        for path in (PACKAGE / layer).glob("*.py")
        if path.stem not in COMPILED
    }
    assert strict == there


def test_simcore_knows_nothing_of_tables_statistics_or_the_terminal() -> None:
    for path in modules("simcore"):
        roots = {name.split(".")[0] for name in imported(path)}
        assert not roots & {"pandas", "scipy", "matplotlib", "typer", "rich"}, path


def test_analysis_compiles_nothing() -> None:
    for path in modules("analysis"):
        assert "numba" not in {name.split(".")[0] for name in imported(path)}, path


_ENDS = {"low", "high", "ci_low", "ci_high"}
_EQUAL = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)
_OTHER_MATTERS = {
    "verdicts.py",  # the rule itself
    "luck.py",  # a share of variance, which cannot be below 0
    "shares.py",  # how far an axis goes
}


def _is_end(node: ast.expr) -> bool:
    """Whether an expression is an end of an interval, or the larger of two."""
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name in _ENDS
        case ast.Subscript(slice=ast.Constant(value=name)):
            return name in _ENDS
        case ast.UnaryOp(operand=inner):
            return _is_end(inner)
        case ast.Call(func=ast.Name(id="max" | "min" | "abs"), args=parts):
            return any(map(_is_end, parts))
    return False


def _is_limit(node: ast.expr) -> bool:
    """Whether an expression is 0 or a margin."""
    match node:
        case ast.Constant(value=value):
            return value == 0 and not isinstance(value, bool)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return "margin" in name.lower() or name == "tolerance"
        case ast.UnaryOp(operand=inner) | ast.BinOp(right=inner):
            return _is_limit(inner)
    return False


def private_verdicts(source: str) -> list[str]:
    """Return the comparisons of an interval with 0 or a margin."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare) and not any(isinstance(op, _EQUAL) for op in node.ops):
            parts = [node.left, *node.comparators]
            pairs = [*zip(parts, parts[1:], strict=False), *zip(parts[1:], parts, strict=False)]
            if any(_is_end(a) and _is_limit(b) for a, b in pairs):
                found.append(ast.unparse(node))
    return found


def test_verdicts_are_made_in_one_place() -> None:
    for path in (*modules("analysis"), *modules("commands")):
        if path.name not in _OTHER_MATTERS:
            found = private_verdicts(path.read_text())
            assert not found, (
                f"{path.relative_to(ROOT)}: {found}: ask herdlab.analysis.stats.verdicts.kind_of"
            )


@pytest.mark.parametrize(
    "source",
    [
        "is_better = gain.low > 0",
        "if one.low <= 0 <= one.high: pass",
        "better = [one for one in rows if one.low is not None and one.low > 0]",
        "is_small = max(gain.high, -gain.low) < MARGIN_OF_WIN",
        "is_small = -margin < gain.low and gain.high < margin",
        "is_real = whole['ci_high'] < 0",
        "is_small = gain.high < 100 * MARGIN",
    ],
)
def test_a_private_verdict_is_caught(source: str) -> None:
    assert private_verdicts(source)
    assert not private_verdicts("a = one.low > other.high; b = low is None; c = value < 0")


def test_every_clause_of_the_engine_is_in_the_docs() -> None:
    from herdlab.simcore.game import games

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
    package = tmp_path / "herdlab"
    package.mkdir()
    shutil.copy(PACKAGE / "__init__.py", package)
    for part in ("simcore", "strategies"):
        shutil.copytree(ROOT / part, package / part)
    script = "from herdlab.simcore import _jit; print(_jit.CACHE.name)"

    def folder() -> str:
        environment = {"PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
        environment["HERDLAB_CACHE"] = str(tmp_path / "cache")
        done = children.run([sys.executable, "-c", script], cwd=tmp_path, env=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    first = folder()
    assert folder() == first
    rules = package / "simcore" / "herd" / "rules.py"
    rules.write_text(rules.read_text().replace("HERD_VALUES = (1, 5,", "HERD_VALUES = (1, 6,"))
    second = folder()
    assert second != first
    helper = package / "strategies" / "herd" / "table_sense.py"
    helper.write_text(helper.read_text() + "\n# an edit\n")
    assert folder() not in (first, second)


def test_tests_start_processes_in_one_way() -> None:
    """`tests.children` gives them signals as a shell would, and leaves none behind."""
    for path in TESTS:
        if path.name != "children.py":
            roots = {name.split(".")[0] for name in imported(path)}
            assert not roots & {"subprocess", "multiprocessing", "pty"}, path


def test_no_test_depends_on_how_fast_the_machine_is() -> None:
    """They wait for events, and measure no time."""
    clocks = {"sleep", "perf_counter", "monotonic", "process_time", "time", "alarm"}
    for path in TESTS:
        if path.name == "children.py":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
                assert name not in clocks, f"{path}, line {node.lineno}"


def test_the_files_that_begin_first_are_there() -> None:
    assert all((ROOT / "tests" / name).exists() for name in SLOWEST)
