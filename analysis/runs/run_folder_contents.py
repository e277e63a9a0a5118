"""What the files of a run folder must hold, whoever wrote them.

A seal is a hash, not a signature: a file that was sealed anew by somebody else can hold anything.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Any

from herdlab.analysis.commands import COMMANDS
from herdlab.analysis.runs.folder_files import FILE, FOLDER, PASSING

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
    ends = [int(found[2]) for name in files if (found := _ROWS_FILE.fullmatch(name))]
    end = max(ends, default=0)

    def is_later(name: str) -> bool:
        found = _ROWS_FILE.fullmatch(name)
        return found is not None and int(found[1]) >= end

    return [
        name
        for name, kind in there.items()
        if kind == FILE
        and name not in files
        and (
            name.rpartition("/")[2].startswith(PASSING)
            or (RESULT not in files and (name == RESULT or is_later(name)))
        )
    ]


def added(there: Mapping[str, str], files: Iterable[str]) -> list[str]:
    """Return what herdlab did not put into a folder whose checkpoint accounts for `files`.

    Hidden files, such as those of a file manager, harm nobody: pandas passes over them too.
    """
    known = {MANIFEST: FILE, CHECKPOINT: FILE, PLUGINS: FOLDER, ROWS: FOLDER}
    known |= dict.fromkeys(files, FILE)
    return [
        name
        for name, kind in there.items()
        if known.get(name) != kind and not (kind == FILE and _last(name).startswith("."))
    ]


def _last(name: str) -> str:
    return name.rpartition("/")[2]
