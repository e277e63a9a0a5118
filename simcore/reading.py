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
    """Return what a file or pipe holds; raise OSError if it cannot be read or is far too large."""
    steps, size = [], 0
    try:
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
