"""A progress bar with speed and time left, for a terminal."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_QUIET_SECONDS = 1.0
_ROOM_FOR_CTRL_C = 3
"""Columns behind the bar: there a terminal writes ^C, and a line that folds is not taken away."""
_WIDE = 100
"""Columns from which the bar itself is long."""


OnProgress = Callable[[int, int], None]
"""Hears how much is done, and of how much as far as is known."""


PER_CENT = "%"
"""The unit of what is not counted in anything."""


@contextmanager
def progress_bar(unit: str, title: Callable[[], str] | None = None) -> Iterator[OnProgress]:
    """Yield a function to call with how much is done; the bar appears after a second.

    It only pulses until the first call, which may come late: after compiling, or from a slow
    strategy.  Behind it stands what `title` says at the time, if it is given.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.table import Column

    console = Console(stderr=True)
    console.width -= _ROOM_FOR_CTRL_C
    progress = Progress(
        BarColumn(bar_width=40 if console.width >= _WIDE else 20),
        TextColumn("{task.fields[amount]}"),
        TimeRemainingColumn(),
        TextColumn(
            "{task.description}",
            markup=False,
            table_column=Column(no_wrap=True, overflow="ellipsis"),
        ),
        console=console,
        transient=True,
    )
    task = progress.add_task("", total=None, amount="")
    first: tuple[float, int] | None = None

    def advance(done: int, total: int) -> None:
        nonlocal first
        now = time.monotonic()
        first = first or (now, done)  # a run that goes on has done much before it begins
        speed = (done - first[1]) / max(now - first[0], 1e-9)
        if unit == PER_CENT:
            amount = f"{100 * done / max(total, 1):.0f} %"
        else:
            amount = f"{done:,} of {total:,} {unit}  {speed:,.0f}/s"
        words = "" if title is None else title()
        progress.update(task, completed=done, total=total, amount=amount, description=words)

    showing = threading.Timer(_QUIET_SECONDS, progress.start)
    showing.daemon = True
    showing.start()
    try:
        yield advance
    finally:
        showing.cancel()
        showing.join()
        if progress.live.is_started:
            progress.stop()
