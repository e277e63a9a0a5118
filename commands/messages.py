"""What is said beside a result, on standard error, and how a result is printed.

Whatever is slow to import (numba, pandas, and all that needs them) is imported inside functions.
"""

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from herdlab.simcore.safe_text import escaped, in_one_line

if TYPE_CHECKING:
    from herdlab.analysis.runs.progress import OnProgress
    from herdlab.simcore.game import Game

_ENDLESS = re.compile(r"(\S{150})\S{200,}(\S{50})")


def print_json(value: Any) -> None:
    """Print a result as JSON, all in ASCII."""
    echo(json.dumps(value, indent=1, allow_nan=False).replace("\x7f", "\\u007f"))


def echo(lines: str) -> None:
    """Print lines of a result."""
    print(escaped(lines, keep="\n"))  # typer.echo takes an ASCII locale for a mistake


def say(sentence: str) -> None:
    """Say something that is no result, in one line on standard error.

    A sentence repeats what was given; the middle of an endless word is left out.
    """
    sentence = _ENDLESS.sub(r"\1…\2", sentence)
    with suppress(OSError, ValueError):  # a full disk, nobody reads it, or a plug-in has closed it
        print(f"herdlab: {in_one_line(sentence)}", file=sys.stderr, flush=True)


def tell_of_plugins(where: Path, files: Sequence[str | Path]) -> None:
    """Say which plug-ins run that nobody named on the command line."""
    if files:
        say(f"running code that comes with '{where}': {', '.join(map(str, files))}")


def load_engine(game: "Game") -> None:
    """Load a game's engine; say so if it must be compiled first, here or by another process."""
    from herdlab.simcore import _jit, compile_once

    if compile_once.is_compiled(game.folder):
        return
    how_often = "once, ten to twenty seconds"
    if _jit.is_passing():
        how_often = (
            f"ten to twenty seconds, each time, since cache folder '{_jit.cache_home()}' cannot be "
            f"used; set HERDLAB_CACHE to one that can be written"
        )
    has_compiled = []

    def compiles() -> None:
        has_compiled.append(game)
        say(f"compiling the engine of {game.title}: {how_often}")

    game.load_engine(
        on_compile=compiles,
        on_wait=lambda: say(f"waiting for another herdlab to compile the engine of {game.title}"),
    )
    if has_compiled:
        _jit.prune()


def tell_of_cache() -> None:
    """Say once if compiled code could not be kept, so that it will be compiled again."""
    jit = sys.modules.get("herdlab.simcore._jit")
    if jit is not None and jit.not_kept:
        say(
            f"compiled code cannot be kept in '{jit.cache_home()}' ({jit.not_kept[0]}): it will be "
            f"compiled again; make room, or try: herdlab cache clear"
        )
        jit.not_kept.clear()


@contextmanager
def progress(unit: str, title: Callable[[], str] | None = None) -> "Iterator[OnProgress | None]":
    """Show a bar on a terminal, on standard error, for what takes longer than a second."""
    is_dumb = os.environ.get("TERM") == "dumb"  # and cannot take a bar away
    if not unit or not sys.stderr.isatty() or is_dumb:
        yield None
        return
    from herdlab.analysis.runs.progress import progress_bar

    with progress_bar(unit, title) as advance:
        yield advance
