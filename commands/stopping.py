"""Ctrl-C: one press ends any command within two seconds, whatever it is doing.

Usually Python raises KeyboardInterrupt and the command tells what it knows.  But Python hears
nothing while another library works, a compiler must not be interrupted, and a plug-in may catch the
exception.  A thread of its own hears every press, and ends the process if nobody else does.
"""

import atexit
import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

EXIT_INTERRUPTED = 130
_DEAF_SECONDS = 1.2
"""How long the main thread may be out of Python before the process is ended."""
_COMPUTED_SECONDS, _WAITED_SECONDS = 3.0, 15.0
"""How long it may compute, or wait, before it tells that it was interrupted."""
_LOOK_SECONDS = 0.1
_SHOW_CURSOR = b"\r\x1b[K\x1b[?25h"

_heard, _put_off, _told = threading.Event(), threading.Event(), threading.Event()


def telling() -> None:
    """Note that a command was interrupted and is about to tell what it knows."""
    _told.set()


@contextmanager
def one_press_ends_it() -> Iterator[None]:
    """Make sure that Ctrl-C ends what is done here."""
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield  # somebody else cares, or it was started in the background
        return
    for event in (_heard, _put_off, _told):
        event.clear()
    atexit.unregister(gc.freeze)
    atexit.register(gc.freeze)  # Python would look for garbage for half a second before it ends
    ear, bell = os.pipe()
    os.set_blocking(bell, False)
    usual = signal.set_wakeup_fd(bell, warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, _interrupt)
    usual_hook, sys.unraisablehook = sys.unraisablehook, _lost
    threading.Thread(target=_listen, args=(ear, _main_clock()), daemon=True).start()
    try:
        yield
    finally:
        sys.unraisablehook = usual_hook
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.set_wakeup_fd(usual)
        os.close(bell)
        # Python notes a Ctrl-C that came while a dataclass was being made, and would end by that
        # signal instead of with our exit code; running any text makes it forget
        exec("")


def _interrupt(number: int, frame: FrameType | None) -> None:
    if _is_compiling():
        _put_off.set()
        return
    _heard.set()
    signal.default_int_handler(number, frame)


def _is_compiling() -> bool:
    """Whether this thread works for the compiler: interrupted there, it frees memory twice."""
    numba = sys.modules.get("numba.core.compiler_lock")
    return numba is not None and numba.global_compiler_lock.is_locked()


def _lost(what: "sys.UnraisableHookArgs") -> None:
    """Press Ctrl-C once more where Python had to drop it: in a callback of the compiler's.

    Nobody wants to hear of an object that Ctrl-C left half made, and that cannot be taken apart.
    """
    if what.exc_type is KeyboardInterrupt:
        again = threading.Timer(_LOOK_SECONDS, os.kill, [os.getpid(), signal.SIGINT])
        again.daemon = True
        again.start()
    elif not _heard.is_set():
        sys.__unraisablehook__(what)


def _main_clock() -> int | None:
    """Return the clock of what the main thread computes, where there is one."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return None
    return time.pthread_getcpuclockid(threading.get_ident())


def _listen(ear: int, clock: int | None) -> None:
    while rung := os.read(ear, 64):
        if signal.SIGINT in rung and not _is_answered(clock):
            _end()
    os.close(ear)


def _is_answered(clock: int | None) -> bool:
    """Wait for the main thread to hear of it, and then to tell what it knows."""
    begun, deaf = time.monotonic(), 0.0
    while not _heard.wait(_LOOK_SECONDS):
        if _put_off.is_set():
            _put_off.clear()
            os.kill(os.getpid(), signal.SIGINT)
        deaf += 0 if _is_held_off() else _LOOK_SECONDS
        if deaf > _DEAF_SECONDS or time.monotonic() - begun > _WAITED_SECONDS:
            return False
    begun, computed = time.monotonic(), _computed(clock)
    while not _told.wait(_LOOK_SECONDS):
        if time.monotonic() - begun > _WAITED_SECONDS:
            return False
        if _computed(clock) - computed > _COMPUTED_SECONDS:
            return False
    return True


def _is_held_off() -> bool:
    """Whether the main thread has put Ctrl-C off, to save something."""
    batch = sys.modules.get("herdlab.simcore.batch")
    return batch is not None and batch.is_held_off.is_set()


def _computed(clock: int | None) -> float:
    return 0.0 if clock is None else time.clock_gettime(clock)


def _end() -> None:
    """End the process and those it started; nothing here can wait for the main thread."""
    if "multiprocessing" in sys.modules:
        for child in sys.modules["multiprocessing"].active_children():
            child.kill()
    if sys.__stderr__ is not None and sys.__stderr__.isatty():
        os.write(2, _SHOW_CURSOR)
    os.write(2, b"herdlab: interrupted\n")
    os._exit(EXIT_INTERRUPTED)
