"""Reading a run folder that may be anybody's: what it must hold, and whether herdlab left it so.

A seal is a hash, not a signature: a file that was sealed anew by somebody else can hold anything.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from math import isfinite
from pathlib import Path
from typing import Any, Self

from herdlab.analysis.commands import COMMANDS
from herdlab.analysis.runs.folder_files import FILE, FOLDER, PASSING, FolderFiles, NoFile
from herdlab.simcore.errors import BadInput

MANIFEST, CHECKPOINT, RESULT, PLUGINS = "manifest.json", "checkpoint.json", "result.json", "plugins"
ROWS = "rows"
_ROWS_FILE = re.compile(rf"{ROWS}/(\d{{12,13}})-(\d{{12,13}})\.parquet")
_ASKED = {
    "command": str,
    "game": str,
    "rules": dict,
    "rules_hash": str,
    "seed": int,
    "plugins": list,
    "arguments": dict,
}
_KEPT = {"manifest": str, "stages": list, "files": dict, "seconds": float}
_STAGE = {"games": list, "at": int, "into": dict, "looks": list}


def sealed(content: Mapping[str, Any]) -> bytes:
    """Return content as JSON, a key a line, with its own hash as the last of them."""
    lines = [f'"{key}": {json.dumps(value, allow_nan=False)}' for key, value in content.items()]
    inside = ",\n".join(lines)
    return f'{{\n{inside},\n"sha256": "{hash_of(inside.encode())}"\n}}\n'.encode()


def unsealed(content: bytes) -> dict[str, Any] | None:
    """Return what was sealed; None if it is not what was written."""
    try:
        whole = json.loads(content)
        inside = {key: value for key, value in whole.items() if key != "sha256"}
        return inside if sealed(inside) == content else None
    except (ValueError, AttributeError, RecursionError):
        return None


def hash_of(content: bytes) -> str:
    """Return the hash of a file's content."""
    return hashlib.sha256(content).hexdigest()


def is_manifest(whole: Mapping[str, Any]) -> bool:
    """Whether something holds what `resume` needs to know of a run."""
    return (
        _has(whole, _ASKED)
        and whole["command"] in COMMANDS
        and COMMANDS[whole["command"]].is_kept
        and all(
            isinstance(one, dict) and _has(one, {"file": str, "sha256": str}) and _is_name(one)
            for one in whole["plugins"]
        )
    )


def is_checkpoint(whole: Mapping[str, Any]) -> bool:
    """Whether something holds stages, hashes of files in the folder, and seconds."""
    return (
        _has(whole, _KEPT)
        and whole["seconds"] >= 0
        and isfinite(whole["seconds"])
        and all(map(_is_stage, whole["stages"]))
        and all(_is_known(name) and type(told) is str for name, told in whole["files"].items())
    )


def _has(whole: Mapping[str, Any], kinds: Mapping[str, type]) -> bool:
    return all(type(whole.get(key)) is kind for key, kind in kinds.items())


def _is_name(plugin: Mapping[str, str]) -> bool:
    """Whether a plug-in lies in the folder of plug-ins, and not elsewhere."""
    return re.fullmatch(r"[^/\0]+\.py", plugin["file"]) is not None


def _is_stage(one: Any) -> bool:
    if not isinstance(one, dict) or not _has(one, _STAGE):
        return False
    ends = one["games"]
    is_range = len(ends) == 2 and all(type(end) is int for end in ends)  # noqa: PLR2004
    return is_range and ends[0] <= one["at"] <= ends[1]


def _is_known(name: str) -> bool:
    """Whether a checkpoint may account for a file of this name."""
    folder, _, last = name.rpartition("/")
    in_plugins = folder == PLUGINS and last not in ("", ".", "..") and "\0" not in last
    return name == RESULT or in_plugins or _ROWS_FILE.fullmatch(name) is not None


def wrong_kind(there: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the first of what is in a folder that is neither file nor folder, with its kind."""
    return next((one for one in there.items() if one[1] not in (FILE, FOLDER)), None)


def leftovers(there: Mapping[str, str], files: Mapping[str, str]) -> list[str]:
    """Return files that a killed herdlab left behind: half written, or behind its checkpoint."""
    end = max((int(rows[2]) for name in files if (rows := _ROWS_FILE.fullmatch(name))), default=0)
    found = []
    for name, kind in there.items():
        rows = _ROWS_FILE.fullmatch(name)
        is_later = RESULT not in files and (name == RESULT or (rows and int(rows[1]) >= end))
        if kind == FILE and name not in files and (is_later or is_passing(name)):
            found.append(name)
    return found


def is_passing(name: str) -> bool:
    """Whether a file is one that is not whole yet."""
    return name.rpartition("/")[2].startswith(PASSING)


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
        with closed_by_mistakes(folder):
            folder._check_kinds(folder._listing())
            folder.manifest = folder._opened(MANIFEST)
            folder._files = folder._accounts()["files"]
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

    def _check_added(self, there: Mapping[str, str], files: Iterable[str]) -> None:
        """Refuse what herdlab did not put into the folder whose checkpoint accounts for `files`.

        Hidden files, such as those of a file manager, harm nobody: pandas passes over them too.
        """
        known = {MANIFEST: FILE, CHECKPOINT: FILE, PLUGINS: FOLDER, ROWS: FOLDER}
        known |= dict.fromkeys(files, FILE)
        added = [
            name
            for name, kind in there.items()
            if known.get(name) != kind
            and not (kind == FILE and name.rpartition("/")[2].startswith("."))
        ]
        if added:
            many = f" and {len(added) - 1} more" if len(added) > 1 else ""
            raise BadInput(
                f"run folder '{self.path}' has '{added[0]}'{many}, which herdlab did not write: "
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


@contextmanager
def closed_by_mistakes(folder: KeptRun) -> Iterator[None]:
    """Let others have a folder if it cannot be used; Ctrl-C is a mistake here too."""
    try:
        yield
    except BaseException:
        folder.close()
        raise


def check_around(file: Path) -> None:
    """Refuse a result in a run folder that is not as herdlab left it."""
    if file.name != RESULT or not os.path.lexists(file.parent / MANIFEST):
        return
    with closing(KeptRun.looked_into(file.parent)) as folder:
        folder.check_result()


def is_run_folder(path: Path) -> bool:
    """Whether a folder is one that --out made."""
    return os.path.lexists(path / MANIFEST) and os.path.lexists(path / CHECKPOINT)


def open_folder(path: Path) -> FolderFiles:
    """Open the files of a run folder."""
    try:
        return FolderFiles(path)
    except OSError as error:
        raise BadInput(f"run folder '{path}' cannot be read: {error.strerror}") from None
