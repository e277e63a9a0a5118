"""A progress bar with speed and time left, for a terminal."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

_QUIET_SECONDS = 1.0


@contextmanager
def bar(total: int, unit: str) -> Iterator[Callable[[int], None]]:
    """Yield a function to call with how much is done; the bar appears after a second."""
    progress = Progress(
        BarColumn(),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} " + unit),
        TextColumn("{task.fields[speed]:,.0f}/s"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = progress.add_task("", total=total, speed=0.0)
    begun = time.monotonic()
    is_shown = False

    def advance(done: int) -> None:
        nonlocal is_shown
        passed = time.monotonic() - begun
        if not is_shown and passed > _QUIET_SECONDS:
            progress.start()
            is_shown = True
        progress.update(task, completed=done, speed=done / max(passed, 1e-9))

    try:
        yield advance
    finally:
        if is_shown:
            progress.stop()
