"""Plant faults in the code, one at a time, and count how many the tests notice.

A fault changes one operator or one constant.  Each is planted in a copy of the checkout, where the
tests named after its file run first, then kept results are replayed, then the tests of its room
run, and with ``--whole-suite`` all others.
What goes unnoticed is for a person to look at: some changes make no difference.

    python -m tools.plant_faults --faults 40 --seed 1
    python -m tools.plant_faults --under analysis/stats --faults 20 --whole-suite
"""

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from herdlab.analysis.stats.estimates import wilson

ROOT = Path(__file__).resolve().parent.parent
UNDER = ("simcore", "analysis/stats", "analysis/sampling")
TEST_SECONDS = 150
"""A test that runs longer has met a fault that never ends."""
LEFT_OUT = (ast.Raise, ast.Assert, ast.JoinedStr, ast.Import, ast.ImportFrom)

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
        found.append(
            Fault(where, node.lineno, ast.unparse(node), ast.unparse(new), source.decode())
        )
    return found


def stages(fault: Fault, is_whole: bool) -> list[list[str]]:
    """Return the tests to run: those named after the file, those of its room, all if wanted."""
    room = "tests" / fault.path.parent
    own = sorted(room.rglob(f"test_{fault.path.stem}.py"))
    rooms = [room]
    if fault.path.parts[0] == "simcore":
        rooms += [Path("tests/reference"), Path("tests/strategies"), Path("tests/simcore")]
    elif fault.path.parts[0] == "analysis":
        rooms += [
            Path(f"tests/analysis/{one}") for one in ("stats", "sampling", "studies", "exact")
        ]
    found = [[str(one) for one in tests] for tests in (own, [Path("tests/golden")], rooms) if tests]
    return [*found, ["tests"]] if is_whole else found


def failing(tests: list[str], copied: Path) -> str:
    """Run tests in the copy and return the first that fails, or nothing."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", f"--timeout={TEST_SECONDS}"]
    ended = subprocess.run(
        [*command, "-p", "no:cacheprovider", *tests],
        check=False,
        cwd=copied,
        env={**os.environ, "HERDLAB_CACHE": str(copied / ".cache")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    if not ended.returncode:
        return ""
    said = [line for line in ended.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return said[0] if said else (ended.stdout + ended.stderr)[-300:]


def noticed_by(fault: Fault, copied: Path, is_whole: bool) -> str:
    """Return which test noticed the fault, or nothing."""
    planted = copied / fault.path
    kept = planted.read_text()
    planted.write_text(fault.source)
    try:
        for tests in stages(fault, is_whole):
            found = failing(tests, copied)
            if found:
                return found
        return ""
    finally:
        planted.write_text(kept)


def main() -> None:
    """Plant a sample of faults and print what became of each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--under", nargs="+", default=UNDER, help="folders or files to plant in")
    parser.add_argument("--faults", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--whole-suite", action="store_true", help="minutes for each that is left")
    options = parser.parse_args()
    paths = [path for one in options.under for path in sorted((ROOT / one).rglob("*.py"))]
    paths += [ROOT / one for one in options.under if one.endswith(".py")]
    everything = [fault for path in paths for fault in faults_of(path)]
    sample = random.Random(options.seed).sample(everything, min(options.faults, len(everything)))
    if not sample:
        parser.error(
            f"nothing to plant: {len(everything):,} faults under {', '.join(options.under)}"
        )
    print(f"{len(sample)} of {len(everything):,} faults, seed {options.seed}")
    noticed = 0
    with tempfile.TemporaryDirectory() as folder:
        copied = Path(folder) / "herdlab"
        left = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis")
        shutil.copytree(ROOT, copied, symlinks=True, ignore=left)
        tests = {one for fault in sample for stage in stages(fault, False) for one in stage}
        already = failing(sorted(tests), copied)
        if already:
            sys.exit(f"a test fails before any fault is planted, and would notice all: {already}")
        for fault in sample:
            begin = time.monotonic()
            by = noticed_by(fault, copied, options.whole_suite)
            noticed += bool(by)
            verdict = f"noticed by {by}" if by else "NOT NOTICED"
            print(f"{fault}\n    {verdict}  ({time.monotonic() - begin:.0f} s)", flush=True)
    found = wilson(noticed, len(sample))
    span = f"{100 * found.low:.0f} to {100 * found.high:.0f}"
    print(f"{noticed} of {len(sample)} noticed: {100 * found.value:.0f} % ({span})")


if __name__ == "__main__":
    main()
