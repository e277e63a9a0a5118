"""Reading a run folder that may be anybody's: what is in it, and whether herdlab left it so."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

from herdlab.analysis.runs.folder_files import FILE, FolderFiles, NoFile
from herdlab.analysis.runs.run_folder_contents import (
    CHECKPOINT,
    MANIFEST,
    PLUGINS,
    RESULT,
    ROWS,
    added,
    hash_of,
    is_checkpoint,
    is_manifest,
    leftovers,
    sealed,
    unsealed,
    wrong_kind,
)
from herdlab.simcore.errors import BadInput


class KeptRun:
    """A run folder that is open for reading."""

    def __init__(self, path: Path, inside: FolderFiles) -> None:
        self.path = path
        self._inside = inside
        self.manifest: dict[str, Any] = {}
        self._files: dict[str, str] = {}
        """Files that the checkpoint accounts for, with their hashes."""

    @classmethod
    def looked_into(cls, path: Path) -> Self:
        """Open a run folder to read what is in it, whoever is at work there."""
        folder = cls(path, open_folder(path))
        try:
            there = folder._listing()
            folder._check_kinds(there)
            folder.manifest = folder._opened(MANIFEST)
            folder._files = folder._accounts()["files"]
        except BaseException:
            folder.close()
            raise
        return folder

    def check_result(self) -> None:
        """Refuse a result that is not the run's own, and files that somebody added."""
        if hash_of(self._content(RESULT)) != self._files.get(RESULT):
            raise self._damaged(RESULT, "is not what was written")
        there = self._listing()
        self._check_added(there, [*self._files, *leftovers(there, self._files)])

    def rows_files(self) -> Iterator[bytes]:
        """Yield the files of rows that the checkpoint accounts for, in the order of games."""
        for name in sorted(self._files):
            if name.startswith(f"{ROWS}/"):
                content = self._content(name)
                if hash_of(content) != self._files[name]:
                    raise self._damaged(name, "is not what was written")
                yield content

    def close(self) -> None:
        """Let others have the folder."""
        self._inside.close()

    def _accounts(self) -> dict[str, Any]:
        """Return the checkpoint, which belongs to the manifest."""
        if not is_manifest(self.manifest):
            raise self._damaged(MANIFEST, "is not what herdlab writes")
        kept = self._opened(CHECKPOINT)
        if not is_checkpoint(kept):
            raise self._damaged(CHECKPOINT, "is not what herdlab writes")
        if kept["manifest"] != hash_of(sealed(self.manifest)):
            raise self._damaged(CHECKPOINT, "belongs to another run")
        for one in self.manifest["plugins"]:
            if kept["files"].get(f"{PLUGINS}/{one['file']}") != one["sha256"]:
                raise self._damaged(CHECKPOINT, f"knows no plug-in '{one['file']}'")
        return kept

    def _listing(self) -> dict[str, str]:
        try:
            return self._inside.listing()
        except OSError as error:
            raise BadInput(f"run folder '{self.path}' cannot be read: {error.strerror}") from None

    def _check_kinds(self, there: dict[str, str]) -> None:
        wrong = wrong_kind(there)
        if wrong is not None:
            raise self._damaged(wrong[0], f"is {wrong[1]}, which herdlab never makes")

    def _check_added(self, there: dict[str, str], files: list[str]) -> None:
        extra = added(there, files)
        if extra:
            many = f" and {len(extra) - 1} more" if len(extra) > 1 else ""
            raise BadInput(
                f"run folder '{self.path}' has '{extra[0]}'{many}, which herdlab did not write: "
                f"take it out of the folder"
            )

    def _content(self, name: str) -> bytes:
        try:
            return self._inside.read(name)
        except FileNotFoundError:
            raise self._damaged(name, "is missing") from None
        except NoFile as mistake:
            raise self._damaged(name, f"is {mistake.kind}, not {FILE}") from None
        except OSError as error:
            raise BadInput(f"'{self.path / name}' cannot be read: {error.strerror}") from None

    def _opened(self, name: str) -> dict[str, Any]:
        """Return what a sealed file holds."""
        inside = unsealed(self._content(name))
        if inside is None:
            raise self._damaged(name, "is not what was written")
        return inside

    def _damaged(self, name: str, why: str) -> BadInput:
        return BadInput(f"run folder '{self.path}' is damaged: its {name} {why}")


def check_around(file: Path) -> None:
    """Refuse a result in a run folder that is not as herdlab left it."""
    if file.name != RESULT or not os.path.lexists(file.parent / MANIFEST):
        return
    folder = KeptRun.looked_into(file.parent)
    try:
        folder.check_result()
    finally:
        folder.close()


def is_run_folder(path: Path) -> bool:
    """Whether a folder is one that --out made."""
    return os.path.lexists(path / MANIFEST) and os.path.lexists(path / CHECKPOINT)


def open_folder(path: Path) -> FolderFiles:
    """Open the files of a run folder."""
    try:
        return FolderFiles(path)
    except OSError as error:
        raise BadInput(f"run folder '{path}' cannot be read: {error.strerror}") from None
