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
from pathlib import Path

from llvmlite.binding import get_host_cpu_name

from herdlab.simcore import _jit


def is_compiled(what: str) -> bool:
    """Whether `what` was compiled for the sources, Python and processor at work."""
    return _mark(what).exists()


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
    if not is_compiled(what):
        with one_process_at_a_time(what, on_wait):
            if not is_compiled(what):
                if on_compile is not None:
                    on_compile()
                faults = len(_jit.not_kept)
                yield
                if len(_jit.not_kept) == faults:
                    with suppress(OSError):
                        _mark(what).touch()
                return
    yield  # it was compiled before, or while this process waited: the others may load it too


@contextmanager
def one_process_at_a_time(what: str, on_wait: Callable[[], None] | None = None) -> Iterator[None]:
    """Let one process at a time work on `what`, the name of a file in the cache folder."""
    lock = None
    try:
        with suppress(OSError):  # of a folder that cannot be locked
            flags = os.O_CREAT | os.O_RDWR | os.O_CLOEXEC
            lock = os.open(_jit.CACHE / f"{what}.lock", flags, 0o666)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if on_wait is not None:
                    on_wait()
                fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        if lock is not None:
            os.close(lock)


def _mark(what: str) -> Path:
    """Return the file that says that something is compiled.

    Compiled code is for one Python, one processor and one place of the sources.
    """
    here = f"{sys.implementation.cache_tag} {get_host_cpu_name()} {os.path.dirname(__file__)}"
    return _jit.CACHE / f"{what}.{sha256(here.encode()).hexdigest()[:8]}.compiled"
