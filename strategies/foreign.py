"""Running a plug-in's plain Python: when it is loaded, and its checks, promises and data."""

import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from herdlab.simcore.errors import BadInput
from herdlab.simcore.safe_text import error_in_words


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
            raise refused(error_in_words(error)) from None


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
