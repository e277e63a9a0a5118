"""Running a plug-in's plain Python: when it is loaded, and its checks, promises and data."""

import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from simcore.errors import BadInput
from simcore.safe_text import in_one_line

_LONGEST = 200
"""Letters of what a plug-in says that are passed on."""


@contextmanager
def foreign(refused: Callable[[str], BadInput]) -> Iterator[None]:
    """Run a plug-in's code; turn whatever it raises into the sentence that `refused` returns.

    What it prints goes to standard error, since it is no result.
    """
    with contextlib.ExitStack() as stack:
        is_main = threading.current_thread() is threading.main_thread()
        pressed = stack.enter_context(_noted_presses()) if is_main else []
        if is_main:
            stack.enter_context(contextlib.redirect_stdout(sys.stderr))
        try:
            yield
        except BadInput:
            raise
        except BaseException as error:
            if pressed:
                raise
            raise refused(_in_words(error)) from None


@contextmanager
def _noted_presses() -> Iterator[list[int]]:
    """Note whether Ctrl-C was pressed: a plug-in can raise KeyboardInterrupt too."""
    pressed: list[int] = []
    usual = signal.getsignal(signal.SIGINT)
    if not callable(usual):
        yield pressed
        return

    def note(number: int, frame: Any) -> None:
        pressed.append(number)
        usual(number, frame)

    signal.signal(signal.SIGINT, note)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, usual)


def _in_words(error: BaseException) -> str:
    """Return an error in one short line; a plug-in's own may not even be printable."""
    try:
        said = in_one_line(str(error))
    except BaseException:
        said = ""
    kind = in_one_line(type(error).__name__)
    return (f"{kind}: {said}" if said else kind)[:_LONGEST]
