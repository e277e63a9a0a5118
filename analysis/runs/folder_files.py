"""The files of one folder, and of folders right inside it, by ways that lead nowhere else.

A folder may come from somebody else, with links in it to files of one's own.  So every file is
opened by its name inside the folder that is held open, and never through a link.
"""

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from herdlab.simcore.errors import BadInput

PASSING = ".herdlab-"
"""How names of files begin that are not whole yet; nobody takes such a file for a result."""
FILE, FOLDER = "a file", "a folder"
_KINDS = {
    stat.S_IFREG: FILE,
    stat.S_IFDIR: FOLDER,
    stat.S_IFLNK: "a link",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


class NoFile(BadInput):
    """What should be a file is something else; `kind` says what."""

    def __init__(self, name: str, kind: str) -> None:
        super().__init__(f"'{name}' is {kind}, not {FILE}")
        self.kind = kind


class FolderFiles:
    """The files of a folder that is held open; all names are relative to it."""

    def __init__(self, path: Path) -> None:
        """Open the folder, which may itself be named by a link."""
        self.number = os.open(path, _FOLDER)

    def close(self) -> None:
        """Let go of the folder."""
        if self.number >= 0:
            os.close(self.number)
            self.number = -1

    def listing(self) -> dict[str, str]:
        """Return what is in the folder, and in those right inside it: what kind by its name."""
        found = _kinds_in(self.number, "")
        for name in [name for name, kind in found.items() if kind == FOLDER]:
            with self._opened(name) as inside:
                found |= _kinds_in(inside, f"{name}/")
        return dict(sorted(found.items()))

    def has(self, name: str) -> bool:
        """Whether there is anything of a name."""
        with suppress(OSError):
            os.stat(name, dir_fd=self.number, follow_symlinks=False)
            return True
        return False

    def read(self, name: str) -> bytes:
        """Return what a file holds; refuse anything but a file."""
        with self._folder_of(name) as (folder, last):
            kind = stat.S_IFMT(os.stat(last, dir_fd=folder, follow_symlinks=False).st_mode)
            if kind != stat.S_IFREG:
                raise NoFile(name, _KINDS.get(kind, "no file"))
            # not to wait for the other end of a pipe that has just taken the file's place
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
            with os.fdopen(os.open(last, flags, dir_fd=folder), "rb") as file:
                return file.read()

    def write(self, name: str, content: bytes) -> None:
        """Write a file under another name, bring it to the disk, and give it its own.

        What had the name is replaced, never written into: a link or another name of the same file
        elsewhere keeps what it had.
        """
        inside, _ = _split(name)
        if inside != ".":
            with suppress(FileExistsError):
                os.mkdir(inside, dir_fd=self.number)
        passing = f"{PASSING}{secrets.token_hex(8)}"
        with self._folder_of(name) as (folder, last):
            try:
                with os.fdopen(os.open(passing, _NEW, 0o666, dir_fd=folder), "wb") as file:
                    file.write(content)
                    file.flush()
                    os.fsync(file.fileno())  # or the name might be on the disk before its content
                os.replace(passing, last, src_dir_fd=folder, dst_dir_fd=folder)
            finally:
                with suppress(FileNotFoundError):
                    os.unlink(passing, dir_fd=folder)
            os.fsync(folder)

    def probe(self) -> None:
        """Raise OSError if the folder takes no file."""
        passing = f"{PASSING}{secrets.token_hex(8)}"
        os.close(os.open(passing, _NEW, 0o666, dir_fd=self.number))
        os.unlink(passing, dir_fd=self.number)

    def remove(self, name: str) -> None:
        """Remove a file, or a link itself, if it is there."""
        with suppress(FileNotFoundError), self._folder_of(name) as (folder, last):
            os.unlink(last, dir_fd=folder)

    def remove_folder(self, name: str) -> None:
        """Remove a folder that is empty; leave it otherwise."""
        with suppress(OSError):
            os.rmdir(name, dir_fd=self.number)

    @contextmanager
    def _folder_of(self, name: str) -> Iterator[tuple[int, str]]:
        """Open the folder that a file is in, and yield it with the file's name there."""
        inside, last = _split(name)
        with self._opened(inside) as folder:
            yield folder, last

    @contextmanager
    def _opened(self, inside: str) -> Iterator[int]:
        folder = os.open(inside, _FOLDER | os.O_NOFOLLOW, dir_fd=self.number)
        try:
            yield folder
        finally:
            os.close(folder)


def _kinds_in(folder: int, before: str) -> dict[str, str]:
    with os.scandir(folder) as entries:
        modes = {one.name: one.stat(follow_symlinks=False).st_mode for one in entries}
    return {before + name: _KINDS.get(stat.S_IFMT(mode), "no file") for name, mode in modes.items()}


def _split(name: str) -> tuple[str, str]:
    """Return the folder that a name has, and what follows; refuse one that leads elsewhere."""
    *folders, last = name.split("/")
    if len(folders) > 1 or {"", ".", ".."} & {*folders, last} or "\0" in name:
        raise BadInput(f"'{name}' is no name of a file in this folder")
    return (folders or ["."])[0], last
