"""Reading a file that somebody named, which may be anything."""

import errno
import os
from pathlib import Path

_MOST_BYTES = 1 << 28
"""No rules, plug-in, study or result comes near this; a device such as /dev/zero never ends."""
_STEP_BYTES = 1 << 20


def real_path(path: Path) -> Path:
    """Return where a path leads, links followed; `Path.resolve` fails on links that go round."""
    return Path(os.path.realpath(path))


def read_file(path: Path) -> bytes:
    """Return what a file or the shell's pipe holds; raise OSError if it cannot be read whole.

    A pipe with a name on the disk may wait forever for somebody to write into it.
    """
    steps, size = [], 0
    try:
        if path.is_fifo() and path.parts[1:2] not in (("dev",), ("proc",)):
            raise OSError(errno.EINVAL, "it is a named pipe. Give a file, or /dev/stdin")
        opened = path.open("rb")
    except ValueError:  # a name that no file can have
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL)) from None
    with opened as file:
        while step := file.read(_STEP_BYTES):
            steps.append(step)
            size += len(step)
            if size > _MOST_BYTES:
                raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    return b"".join(steps)
