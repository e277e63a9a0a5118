"""Standard input, output and error as the commands need them: open, and never at a loss."""

import contextlib
import errno
import os
import sys
from io import TextIOWrapper

from herdlab.simcore.errors import BadInput
from herdlab.simcore.safe_text import ERRORS, register_fallback


def prepare_streams() -> None:
    """Let every locale print everything; refuse a closed standard output.

    The numbers of closed streams are taken, or the next file that is opened would get one of
    them, and whatever is printed would land in it.
    """
    closed = [number for number in (0, 1, 2) if not _is_open(number)]
    for number in closed:
        _fill(number)
    if sys.stderr is None:
        sys.stderr = _nowhere()
    register_fallback()
    if sys.stdout is None:
        sys.stdout = _nowhere()
        raise BadInput(
            "standard output is closed, so that nothing could be shown: send it to a file, or to "
            "/dev/null"
        )
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=ERRORS)


def leave_output() -> None:
    """Let what is still to be printed go nowhere, so that Python does not complain at its end."""
    with contextlib.suppress(OSError, ValueError):  # a captured output has no number
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def showable(text: str) -> str:
    """Return a text with what standard output lacks in ASCII, for those who write past it."""
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, ERRORS).decode(encoding)


def is_want_of_memory(error: Exception) -> bool:
    """Whether an error says that the system gives no more memory, or no more threads."""
    if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
        return True
    signs = ("start new thread", "failed to map segment", "cannot allocate memory", "libllvmlite")
    return any(sign in str(error).lower() for sign in signs)


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _fill(number: int) -> None:
    """Open nothing under a number; lower ones are open, so that it is the next to be given."""
    opened = os.open(os.devnull, os.O_RDWR)
    if opened != number:
        os.dup2(opened, number)
        os.close(opened)


def _nowhere() -> TextIOWrapper:
    return open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (for as long as it runs)
