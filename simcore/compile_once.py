"""One process compiles, the others wait for it: a lock in the cache folder.

The lock is the kernel's (`flock`), so it goes with the process that holds it, however that ends.
Where the folder cannot be locked, as on some network disks, everybody compiles.
"""

import fcntl
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256

from llvmlite.binding import get_host_cpu_name

from herdlab.simcore import _jit


def is_compiled(what: str) -> bool:
    """Whether `what` was compiled for the sources, Python and processor at work."""
    return os.path.exists(_mark(what))


@contextmanager
def compiled_once(
    what: str,
    *,
    on_compile: Callable[[], None] | None = None,
    on_wait: Callable[[], None] | None = None,
) -> Iterator[None]:
    """Compile `what` in the ``with`` block, or load it if it is compiled already.

    While another process compiles it, wait.  `on_wait` hears of that, `on_compile` that this
    process compiles.
    """
    if is_compiled(what):
        yield
        return
    lock = _locked(what, on_wait)
    try:
        if is_compiled(what):  # while this process waited: the others may load it too
            _let_go(lock)
            lock = None
        elif on_compile is not None:
            on_compile()
        faults = len(_jit.not_kept)
        yield
        if len(_jit.not_kept) == faults:
            with suppress(OSError):
                os.close(os.open(_mark(what), os.O_CREAT | os.O_WRONLY, 0o666))
    finally:
        _let_go(lock)


@contextmanager
def one_process_at_a_time(what: str) -> Iterator[None]:
    """Let one process at a time work on `what`, the name of a file in the cache folder."""
    lock = _locked(what, None)
    try:
        yield
    finally:
        _let_go(lock)


def _mark(what: str) -> str:
    """Return the name of the file that says that something is compiled.

    Compiled code is for one Python, one processor and one place of the sources.
    """
    here = f"{sys.implementation.cache_tag} {get_host_cpu_name()} {os.path.dirname(__file__)}"
    return str(_jit.CACHE / f"{what}.{sha256(here.encode()).hexdigest()[:8]}.compiled")


def _locked(what: str, on_wait: Callable[[], None] | None) -> int | None:
    """Return the lock, once this process has it; None where the folder cannot be locked."""
    try:
        lock = os.open(_jit.CACHE / f"{what}.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o666)
    except OSError:
        return None
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if on_wait is not None:
                on_wait()
            fcntl.flock(lock, fcntl.LOCK_EX)
    except OSError:
        _let_go(lock)
        return None
    except BaseException:  # Ctrl-C while it waits
        _let_go(lock)
        raise
    return lock


def _let_go(lock: int | None) -> None:
    if lock is not None:
        os.close(lock)
