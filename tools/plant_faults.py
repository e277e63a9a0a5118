"""Plant faults in the code, one at a time, and count how many the tests notice.

A fault changes one operator or one constant.  Each is planted in a copy of the checkout, where the
tests that can reach it run: those named after its file first, then the others, quick ones first.
Which these are is seen in a run without any fault; tests that fail there meet none.  A fault is
noticed if one of these tests fails, or does not end.

In compiled code nobody sees who calls a function, so that there the tests of the game run, then
those of no game.  One that fails is tried again without the fault, and counts if it passes.

What goes unnoticed is for a person to look at.  Changes that make no difference are listed with
their reasons in tools/equivalent_faults.toml, and counted apart.

    python -m tools.plant_faults --faults 40 --seed 1
    python -m tools.plant_faults --under analysis/stats --faults 20 --whole-suite
    python -m tools.plant_faults --under simcore/swap --faults 10 --copy /tmp/planted
"""

import argparse
import ast
import copy
import os
import random
import shutil
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tools.fault_tests import (
    COMPILED,
    SAID,
    Baseline,
    baseline_of,
    imported_first,
    noticed_by,
    passes,
    span_of,
)

ROOT = Path(__file__).resolve().parent.parent
UNDER = ("simcore", "analysis/stats", "analysis/sampling")
LEFT_OUT = (ast.Raise, ast.Assert, ast.JoinedStr, ast.Import, ast.ImportFrom)
"""What says that something is wrong, or is for people to read."""
CHECKS = ("strict",)
"""Options that make no difference but where something is wrong."""

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


class Fault(NamedTuple):
    """One expression of a file, and what stands there instead."""

    path: Path
    line: int
    before: str
    after: str
    source: str
    """The whole file with the fault in it."""
    line_before: str
    """The line as it is without the fault, and then with it."""
    line_after: str

    @property
    def key(self) -> tuple[str, str, str]:
        """The file, and the line without and with the fault."""
        return str(self.path), self.line_before, self.line_after

    def __str__(self) -> str:
        return f"{self.path}:{self.line}  {self.before}  ->  {self.after}"


def changed(node: ast.AST) -> ast.expr | None:
    """Return the expression with its operator or constant changed, or None if it has none."""
    new = copy.deepcopy(node)
    match new:
        case ast.Compare(ops=[only]) if type(only) in COMPARED:
            new.ops = [COMPARED[type(only)]()]
        case ast.BinOp() if type(new.op) in COMPUTED:
            new.op = COMPUTED[type(new.op)]()
        case ast.BoolOp():
            new.op = ast.And() if isinstance(new.op, ast.Or) else ast.Or()
        case ast.UnaryOp(op=ast.USub() | ast.Not()):
            return new.operand
        case ast.Constant(value=bool() as value):
            new.value = not value
        case ast.Constant(value=int() as value):
            new.value = value + 1
        case ast.Constant(value=float() as value):
            new.value = value * 1.25 if value else 1.0
        case _:
            return None
    return new


def expressions(node: ast.AST) -> Iterator[ast.expr]:
    """Yield every expression that does something when the program runs, no text for people."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, LEFT_OUT):
                continue
            if isinstance(child, ast.keyword) and child.arg in CHECKS:
                continue
            if isinstance(child, ast.expr):
                yield child
            yield from expressions(child)


def faults_of(path: Path) -> list[Fault]:
    """Return every fault that can be planted in a file."""
    text = path.read_text()
    starts = [0]
    for line in text.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []
    for node in expressions(ast.parse(text)):
        new = changed(node)
        if new is None:
            continue
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        raw = text.encode()
        source = raw[:begin] + f"({ast.unparse(new)})".encode() + raw[end:]
        where = path.relative_to(ROOT)
        lines = [one.decode().splitlines()[node.lineno - 1].strip() for one in (raw, source)]
        found.append(
            Fault(
                where,
                node.lineno,
                ast.unparse(node),
                ast.unparse(new),
                source.decode(),
                *lines,
            )
        )
    return found


MISSED = "NOT NOTICED"
GAMES = ("swap", "barnyard", "herd", "puzzle")
ROOMS = (
    *(f"tests/analysis/{room}" for room in ("stats", "sampling", "studies", "exact")),
    "tests/golden",
)
"""Where to look for tests that reach a fault in the statistics."""
NAMES_OF = {"puzzle": ("puzzle", "bronco", "horse-trader", "horse_trader")}


def reaching(fault: Fault, baseline: Baseline) -> list[list[str]]:
    """Return the tests that reach a fault: those named after its file, and then all others.

    Of a fault outside of functions these are all that call anything of its file, or of a file that
    imports it.
    """
    own: list[str] = []
    others: list[str] = []
    span = span_of(fault.path.read_text(), fault.line)
    files = {str(fault.path)} | (set() if span else importers(fault.path))
    for name, ran in baseline.tests.items():
        if span:
            is_reached = any(
                file in files and span[0] <= line <= span[1] for file, line in ran.calls
            )
        else:
            is_reached = any(file in files for file, _ in ran.calls)
        if is_reached:
            is_own = Path(name.partition("::")[0]).stem == f"test_{fault.path.stem}"
            (own if is_own else others).append(name)
    stages = (sorted(one, key=lambda name: baseline.tests[name].seconds) for one in (own, others))
    return [one for one in stages if one]


def in_order(fault: Fault) -> list[list[str]]:
    """Return the tests of a fault in compiled code, where nobody sees who calls a function.

    Those of its game come first, and those of another game are left out, as long as that does not
    import it.
    """
    own = [str(one) for one in Path("tests/simcore").rglob(f"test_{fault.path.stem}.py")]
    root = sorted(str(one) for one in Path("tests/simcore").glob("test_*.py"))
    golden = sorted(one.stem for one in Path("tests/golden/results").glob("*.json"))
    test = "tests/golden/test_results.py::test_a_kept_result_holds"

    def of(game: str) -> list[list[str]]:
        names = NAMES_OF.get(game, (game,))
        kept = [f"{test}[{one}]" for one in golden if any(name in one for name in names)]
        reference = f"tests/reference/test_{game}_reference.py"
        return [[f"tests/simcore/{game}"], [*filter(os.path.exists, [reference]), *kept]]

    here = [game for game in GAMES if game in fault.path.parts]
    if here:
        stages = [stage for game in (*here, *sorted(importing(here[0]))) for stage in of(game)]
        return [*stages, [*root, "tests/strategies"]]
    return [own, root, *(stage for game in GAMES for stage in of(game)), ["tests/strategies"]]


@cache
def importing(game: str) -> set[str]:
    """Return the other games whose files import those of a game."""
    found = set()
    for other in set(GAMES) - {game}:
        for room in COMPILED:
            for path in Path(room, other).rglob("*.py"):
                if f"simcore.{game}" in path.read_text():
                    found.add(other)
    return found


def importers(path: Path) -> set[str]:
    """Return the files that import a file by name."""
    name = ".".join(["herdlab", *path.with_suffix("").parts])
    found = set()
    for room in ("simcore", "strategies", "analysis"):
        for one in Path(room).rglob("*.py"):
            text = one.read_text()
            if f"from {name} import" in text or f"import {name}" in text:
                found.add(str(one))
    return found


def planted(
    fault: Fault, copied: Path, baseline: Baseline, number: int, only: Sequence[str] | None = None
) -> str:
    """Return which test noticed the fault in the copy, or nothing."""
    left_out: list[str] = []
    stages = reaching(fault, baseline)
    if fault.path.parts[0] in COMPILED:
        begin = tuple(only or ["tests"])
        stages = [[one for one in stage if one.startswith(begin)] for stage in in_order(fault)]
    try:
        for tests in filter(None, stages):
            while found := with_fault(fault, copied, baseline, number, [*tests, *left_out]):
                name = found.partition(" (")[0]
                if name in baseline.tests or passes(name, copied, tests):
                    return found
                if "::" not in name or f"--deselect={name}" in left_out:
                    raise SystemExit(f"tests cannot be read without a fault: {copied / SAID}")
                left_out.append(f"--deselect={name}")
        return ""
    finally:
        shutil.rmtree(copied / ".cache-of-fault", ignore_errors=True)


def with_fault(
    fault: Fault, copied: Path, baseline: Baseline, number: int, tests: Sequence[str]
) -> str:
    """Return the first test that fails with the fault, or nothing."""
    file = copied / fault.path
    kept, when = file.read_text(), file.stat().st_mtime
    try:
        if fault.path.parts[0] in COMPILED:  # herdlab keeps a few caches, and this serves no other
            os.environ["HERDLAB_CACHE"] = str(copied / ".cache-of-fault")
        file.write_text(fault.source)
        # no two faults have one time, by which Python and numba know what they compiled
        os.utime(file, (when - 10 * number, when - 10 * number))
        return noticed_by(tests, copied, baseline)
    finally:
        file.write_text(kept)
        os.utime(file, (when, when))
        os.environ["HERDLAB_CACHE"] = str(copied / ".cache")


def equivalents() -> dict[tuple[str, str, str], str]:
    """Return why changes make no difference, by file and line without and with them."""
    text = (ROOT / "tools" / "equivalent_faults.toml").read_text()
    return {
        (one["file"], before, after): one["why"]
        for one in tomllib.loads(text)["equivalent"]
        for before, after in one["faults"]
    }


def copy_of(folder: Path) -> Path:
    """Copy the checkout into a folder, over what an earlier run left there; return where."""
    copied = folder / "herdlab-copy"
    left = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis")
    for one in copied.iterdir() if copied.exists() else ():
        if one.name != ".cache":
            shutil.rmtree(one) if one.is_dir() and not one.is_symlink() else one.unlink()
    shutil.copytree(ROOT, copied, symlinks=True, ignore=left, dirs_exist_ok=True)
    return copied


def main() -> None:
    """Plant a sample of faults and print what became of each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--under", nargs="+", default=UNDER, help="folders or files to plant in")
    parser.add_argument("--faults", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--at", nargs="+", help="FILE:LINE of the lines to plant in, and no others")
    parser.add_argument(
        "--equivalents",
        action="store_true",
        help="plant those that are said to make no difference: what is noticed is no such",
    )
    parser.add_argument("--tests", nargs="+", help="where to look for tests, to be quick")
    parser.add_argument("--whole-suite", action="store_true", help="look in all tests")
    parser.add_argument("--copy", help="a folder that keeps the copy and what was compiled there")
    options = parser.parse_args()
    paths = [path for one in options.under for path in sorted((ROOT / one).rglob("*.py"))]
    paths += [ROOT / one for one in options.under if one.endswith(".py")]
    everything = [fault for path in paths for fault in faults_of(path)]
    if options.at:
        everything = [one for one in everything if f"{one.path}:{one.line}" in options.at]
    listed = equivalents()
    known, read = {one.key for one in everything}, {str(one.relative_to(ROOT)) for one in paths}
    for file, line, _ in sorted(key for key in listed if key[0] in read and key not in known):
        print(f"tools/equivalent_faults.toml has a line that is not in {file}: {line}")
    if options.equivalents:
        everything = [one for one in everything if one.key in listed]
        listed = {}
    sample = random.Random(options.seed).sample(everything, min(options.faults, len(everything)))
    if not sample:
        parser.error(
            f"nothing to plant: {len(everything):,} faults under {', '.join(options.under)}"
        )
    print(f"{len(sample)} of {len(everything):,} faults, seed {options.seed}")
    with tempfile.TemporaryDirectory() as folder:
        run(sample, copy_of(Path(options.copy or folder).resolve()), options, listed)


def run(
    sample: Sequence[Fault],
    copied: Path,
    options: argparse.Namespace,
    listed: dict[tuple[str, str, str], str],
) -> None:
    """Plant all faults of a sample in the copy, and print what becomes of them.

    `listed` are those that make no difference, with reasons.
    """
    begin = time.monotonic()
    imported_first(copied, any(fault.path.parts[0] != "analysis" for fault in sample))
    baseline = Baseline()
    if any(fault.path.parts[0] not in COMPILED for fault in sample):
        baseline = baseline_of(options.tests or ["tests"] * options.whole_suite or ROOMS, copied)
        if not baseline.tests:
            raise SystemExit(f"no test passes without a fault: see {copied / SAID}")
        print(f"{len(baseline.tests):,} tests pass ({time.monotonic() - begin:.0f} s)", flush=True)
    for name in baseline.failing:
        print(f"    and this one fails without a fault, and is left out: {name}")
    noticed = equivalent = 0
    for number, fault in enumerate(sample, 1):
        begin = time.monotonic()
        why = listed.get(fault.key, "")
        by = "" if why else planted(fault, copied, baseline, number, options.tests)
        noticed += bool(by)
        equivalent += bool(why)
        verdict = f"makes no difference: {why}" if why else f"noticed by {by}" if by else MISSED
        print(f"{fault}\n    {verdict}  ({time.monotonic() - begin:.0f} s)", flush=True)
    from herdlab.analysis.stats.estimates import wilson  # of the copy, which has no fault any more

    left = len(sample) - equivalent
    print(f"{equivalent} of {len(sample)} make no difference")
    if left:
        found = wilson(noticed, left)
        span = f"{100 * found.low:.0f} to {100 * found.high:.0f}"
        print(f"{noticed} of the other {left} noticed: {100 * found.value:.0f} % ({span})")


if __name__ == "__main__":
    main()
