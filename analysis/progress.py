"""A progress bar with speed and time left, for a terminal."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_QUIET_SECONDS = 1.0


OnProgress = Callable[[int, int], None]
"""Hears how much is done, and of how much as far as is known."""


def part_of(
    on_progress: OnProgress | None, before: int, total: int
) -> Callable[[int], None] | None:
    """Return what hears how much of a part is done, `before` which so much was."""
    return None if on_progress is None else lambda done: on_progress(before + done, total)


PER_CENT = "%"
"""The unit of what is not counted in anything."""


@contextmanager
def bar(unit: str, title: Callable[[], str] | None = None) -> Iterator[OnProgress]:
    """Yield a function to call with how much is done; the bar appears after a second.

    Behind it stands what `title` says at the time, if it is given.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = [
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} " + unit),
        TextColumn("{task.fields[speed]:,.0f}/s"),
    ]
    if unit == PER_CENT:
        columns = [TextColumn("{task.percentage:.0f} %")]
    progress = Progress(
        BarColumn(),
        *columns,
        TimeRemainingColumn(),
        TextColumn("{task.description}", markup=False),
        console=Console(stderr=True),
        transient=True,
    )
    task = progress.add_task("", total=None, speed=0.0)
    begun, is_shown = time.monotonic(), False
    first: tuple[float, int] | None = None

    def advance(done: int, total: int) -> None:
        nonlocal is_shown, first
        now = time.monotonic()
        if not is_shown and now - begun > _QUIET_SECONDS:
            progress.start()
            is_shown = True
        first = first or (now, done)  # a run that goes on has done much before it begins
        speed = (done - first[1]) / max(now - first[0], 1e-9)
        words = "" if title is None else title()
        progress.update(task, completed=done, total=total, speed=speed, description=words)

    try:
        yield advance
    finally:
        if is_shown:
            progress.stop()
