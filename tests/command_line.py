"""herdlab's command line, run in this process.

A process of its own takes a second or two to start.  `tests.children` has that for the few tests
where the process is what matters: signals, pipes, imports, an empty cache.
"""

import contextlib
import io
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from herdlab import cli
from tests.children import Done


def own_registry(patch: pytest.MonkeyPatch) -> None:
    """Know no plug-in of other tests, and forget those of this one when `patch` is undone."""
    from herdlab.simcore.game import games
    from herdlab.strategies import registry

    for game in games().values():  # built-in strategies are there for everyone
        registry.strategies_of(game)
    known = {key: one for key, one in registry._registered.items() if one.origin.plugin is None}
    patch.setattr(registry, "_registered", known)


def herdlab(*words: str) -> Done:
    """Run a command line as a new process would; return its exit code and what it printed.

    Every run has its own plug-ins and 80 columns.  It does not say that an engine is being
    compiled, which depends on who ran before.
    """
    from herdlab.simcore import compile_once

    out, err = io.StringIO(), io.StringIO()
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        own_registry(patch)
        patch.setattr(compile_once, "is_compiled", lambda what: True)
        patch.setattr(sys, "argv", ["herdlab", *words])
        patch.setenv("COLUMNS", "80")
        try:
            cli.main()
            code: Any = 0
        except SystemExit as stopped:
            code = stopped.code or 0
    assert isinstance(code, int), code
    return Done(code, out.getvalue(), err.getvalue())


def result_of(*words: str) -> dict[str, Any]:
    """Return the JSON that a command line prints."""
    done = herdlab(*words, "--json")
    assert done.returncode == 0, done.stderr
    whole: dict[str, Any] = json.loads(done.stdout)
    return whole


def refuses(words: Sequence[str], parts: Sequence[str]) -> None:
    """Check that a command line is refused in one sentence that has all these parts.

    It runs in an empty folder and must leave nothing there.
    """
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        done = herdlab(*words)
        assert list(Path(folder).iterdir()) == []
    check_refusal(done, parts)


def check_refusal(done: Done, parts: Sequence[str]) -> None:
    """Check that a run printed nothing but one sentence with all these parts, and exit code 2."""
    assert done.returncode == 2 and done.stdout == "", done
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("herdlab: "), done.stderr
    for part in parts:
        assert part in done.stderr, done.stderr
