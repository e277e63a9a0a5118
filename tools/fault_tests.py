"""Run tests on a copy of the checkout, in forks of a process that has the libraries imported.

A first run of all tests, with no fault planted, says which of them pass, how long each takes and
which functions it calls.  So a fault need only meet the tests that can reach it.
"""

import ast
import gc
import importlib
import json
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

LIBRARIES = (
    *(
        "pytest",
        "hypothesis",
        "numpy",
        "numpy.random",
        "numpy.fft",
        "pandas",
        "typer",
        "rich.table",
    ),
    *("numba", "scipy.special", "scipy.stats", "scipy.optimize", "pytest_timeout"),
)
COMPILED = ("simcore", "strategies")
LONGEST = 400.0
"""Seconds in which a fork says of no test that it begins or ends; then it is taken to hang."""
HANDICAP, TIMES = 30.0, 10
"""A test has so many seconds more, and takes so many times as long as without a fault, at most."""


SAID = ".tests-said"
"""The file in the copy that has what pytest printed last."""


class Ran(NamedTuple):
    """A test as it went without any fault."""

    seconds: float
    calls: set[tuple[str, int]]
    """File and first line of the functions that it calls."""


@dataclass
class Baseline:
    """What is known of the tests before a fault is planted."""

    tests: dict[str, Ran] = field(default_factory=dict)
    """Those that pass."""
    failing: list[str] = field(default_factory=list)
    """Those that fail already, which no fault meets."""


def imported_first(copied: Path, is_compiled_faulted: bool) -> None:
    """Import what no fault is planted in, so that the forks need not."""
    os.chdir(copied)
    outside = Path(__file__).resolve().parent.parent
    sys.path[:] = [str(copied), *(one for one in sys.path if one not in ("", ".", str(outside)))]
    os.environ["PYTHONPATH"] = str(copied)
    os.environ["HERDLAB_CACHE"] = str(copied / ".cache")
    for name in LIBRARIES:
        importlib.import_module(name)
    for package in (
        () if is_compiled_faulted else COMPILED
    ):  # these import nothing of the other folders
        for path in sorted((copied / package).rglob("*.py")):
            parts = path.relative_to(copied).with_suffix("").parts
            importlib.import_module(".".join(["herdlab", *parts]).removesuffix(".__init__"))
    allowed = ("herdlab", *(f"herdlab.{one}" for one in COMPILED))
    ours = [name for name in sys.modules if name.startswith(("herdlab", "tests"))]
    assert all(one == "herdlab" or one.startswith(allowed[1:]) for one in ours), ours
    assert is_compiled_faulted or str(copied) in str(sys.modules["herdlab"].__file__)
    gc.collect()
    gc.freeze()  # or each fork would go through all of it, and so copy it


class Reporter:
    """A plug-in of pytest that says of every test when it begins and how it ended."""

    def __init__(self, say: Callable[..., None], root: Path | None = None) -> None:
        """With a `root` also say which functions of that folder were called."""
        self._say, self._root, self._calls = say, root, dict[int, CodeType]()

    def _trace(self, frame: FrameType, event: str, arg: Any) -> None:
        self._calls[id(frame.f_code)] = frame.f_code

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Say that a test begins."""
        import threading

        self._say(begins=nodeid)
        self._calls = {}
        self._begun = time.monotonic()
        if self._root is not None:
            sys.settrace(self._trace)
            threading.settrace(self._trace)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Say that it failed, at whatever stage."""
        if report.failed:
            self._say(failed=report.nodeid)

    def pytest_collectreport(self, report: Any) -> None:
        """Say that a file could not be read."""
        if report.failed:
            self._say(failed=report.nodeid or "collecting")

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Say how long it took, and what it called."""
        sys.settrace(None)
        called = {
            (
                os.path.relpath(code.co_filename, self._root).removeprefix("herdlab/"),
                code.co_firstlineno,
            )
            for code in self._calls.values()
            if self._root is not None and code.co_filename.startswith(str(self._root))
        }
        took = time.monotonic() - self._begun
        self._say(ended=nodeid, seconds=took, calls=sorted(called))


def forked(
    tests: Sequence[str], copied: Path, *, longest: Callable[[str], float], is_recorded: bool
) -> Iterator[dict[str, Any]]:
    """Run tests in a fork, all if recorded and else up to the first that fails; yield reports."""
    reading, writing = os.pipe()
    pid = os.fork()
    if not pid:
        os.setsid()
        os.close(reading)
        _run(tests, copied, writing, is_recorded)
    os.close(writing)
    os.set_blocking(reading, False)
    waiting, until, kept = "collecting", time.monotonic() + LONGEST, b""
    try:
        while True:
            try:
                heard = os.read(reading, 1 << 16)
            except BlockingIOError:
                if time.monotonic() > until:
                    yield {"failed": f"{waiting} (never ends)"}
                    return
                time.sleep(0.01)
                continue
            if not heard:
                break
            *lines, kept = (kept + heard).split(b"\n")
            for line in lines:
                said = json.loads(line)
                if "begins" in said:
                    waiting = said["begins"]
                    until = time.monotonic() + longest(waiting)
                elif "ended" in said:
                    until = time.monotonic() + LONGEST
                yield said
    finally:
        os.close(reading)
        try:
            os.killpg(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        _, status = os.waitpid(pid, 0)
    if status:
        yield {"failed": f"{waiting} (ended with status {status})"}


def _run(tests: Sequence[str], copied: Path, writing: int, is_recorded: bool) -> None:
    """Run pytest in this fork, and end it."""
    import pytest

    code = 99
    try:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        said = os.open(copied / SAID, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for stream in (1, 2):
            os.dup2(said, stream)

        def say(**what: Any) -> None:
            os.write(writing, json.dumps(what).encode() + b"\n")

        words = [f"--rootdir={copied}", "-q", "-p", "no:cacheprovider", "--timeout=0"]
        words += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # hypothesis is imported
        reporter = Reporter(say, copied if is_recorded else None)
        ended = pytest.main(words + ([] if is_recorded else ["-x"]) + list(tests), [reporter])
        # that a test failed was said already, and no tests is what faults of test names come to
        code = 0 if ended in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED) else 98
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def baseline_of(rooms: Sequence[str], copied: Path) -> Baseline:
    """Run all tests of some folders or files without any fault."""
    found = Baseline()
    for said in forked(rooms, copied, longest=lambda _: LONGEST, is_recorded=True):
        if "failed" in said:
            found.failing.append(said["failed"])
        elif "ended" in said:
            calls = {(name, line) for name, line in said["calls"]}
            found.tests[said["ended"]] = Ran(said["seconds"], calls)
    for name in found.failing:
        found.tests.pop(name, None)
    return found


def noticed_by(tests: Sequence[str], copied: Path, baseline: Baseline) -> str:
    """Run tests, and return the first that fails or does not end, or nothing."""

    def longest(name: str) -> float:
        return (
            HANDICAP + TIMES * baseline.tests[name].seconds if name in baseline.tests else LONGEST
        )

    for said in forked(tests, copied, longest=longest, is_recorded=False):
        if "failed" in said:
            return str(said["failed"])
    return ""


def passes(test: str, copied: Path, among: Sequence[str]) -> bool:
    """Return whether a test passes as things are; of a file, or of none, whether all are found."""
    words = [test] if "::" in test else ["--collect-only", *among]
    return not noticed_by(words, copied, Baseline())


def span_of(source: str, line: int) -> tuple[int, int] | None:
    """Return the lines of the outermost function, or method, in which a line is, if any."""

    def within(body: Sequence[ast.stmt]) -> tuple[int, int] | None:
        for node in body:
            if isinstance(node, ast.ClassDef):
                found = within(node.body)
                if found is not None:
                    return found
            elif isinstance(node, ast.FunctionDef):
                first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
                if first <= line <= (node.end_lineno or first):
                    return first, node.end_lineno or first
        return None

    return within(ast.parse(source).body)
