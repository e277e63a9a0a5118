"""Playing a study's parts: each result is kept at once, and taken from there the next time."""

import hashlib
import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from herdlab.analysis.experiment import Interrupted
from herdlab.analysis.report.study.study import OVERVIEW, Functions, Study, StudyPart
from herdlab.analysis.result import plain
from herdlab.analysis.runs.folder_files import FolderFiles
from herdlab.analysis.runs.progress import OnProgress
from herdlab.analysis.runs.provenance import fingerprint
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import Game

OnPart = Callable[[int, StudyPart], None]
"""Hears that a part, counted from 1, begins."""

_FINE = 1000
"""Parts of a part that a progress bar tells apart."""
_QUICK_GAMES = {"simulate": 2_000}
_QUICK_DEALS = 500
_KEPT = "kept"
"""The key under which a kept result says what it was made for, and what it should be."""


_UNFIT = (BadInput, OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError)
"""What comes of a kept file that herdlab did not write so."""


class StudyInterrupted(Exception):
    """Ctrl-C while a part, counted from 1, was played; those before it are kept."""

    def __init__(self, number: int, parts: int) -> None:
        super().__init__(f"interrupted in part {number} of {parts}")


def quickly(study: Study) -> Study:
    """Return the same study with few games in every part, for a look in a few seconds."""
    return replace(study, parts=tuple(map(_quick, study.parts)))


def _quick(part: StudyPart) -> StudyPart:
    given = dict(part.arguments)
    most = [given.pop(key) for key in ("games", "max_games") if key in given]
    if part.command == "ask":
        given["quick"] = True
    elif part.command not in ("solve", OVERVIEW):
        given.pop("precision", None)
        given.pop("decide", None)
        given["games"] = min([_QUICK_GAMES.get(part.command, _QUICK_DEALS), *most])
    return replace(part, arguments=given)


def run_study(
    study: Study,
    functions: Functions,
    *,
    keep: Path,
    fresh: bool = False,
    threads: int | None = None,
    time_limit: float | None = None,
    on_part: OnPart | None = None,
    on_progress: OnProgress | None = None,
    prepare: Callable[[Game], None] | None = None,
) -> list[dict[str, Any] | None]:
    """Return the result of every part as JSON has it, None for an overview.

    What folder `keep` has of the same request and the same herdlab is not played again, unless a
    `fresh` start is wanted.
    """
    results: list[dict[str, Any] | None] = []
    many = len(study.parts)
    how: dict[str, Any] = {"threads": threads}
    if time_limit is not None:
        how["time_limit"] = time_limit
    for number, part in enumerate(study.parts, 1):
        if on_part is not None:
            on_part(number, part)

        def heard(done: int, total: int, before: int = number - 1) -> None:
            """Tell how far a part is as a share of all."""
            if on_progress is not None:
                share = before + done / max(1, done, total)
                on_progress(round(_FINE * share), _FINE * many)

        heard(0, 1)
        if part.command == OVERVIEW:
            results.append(None)
            continue
        name = request_hash(part)
        result = None if fresh else _kept(keep, name)
        if result is None:
            try:
                found = part.call(functions, on_progress=heard, prepare=prepare, **how)
            except (KeyboardInterrupt, Interrupted):
                raise StudyInterrupted(number, many) from None
            except BadInput as mistake:
                raise BadInput(f"part {number} ({part.title!r}): {mistake}") from None
            result = {**plain(found.as_json()), "plugins": list(part.plugins)}
            _keep(result, keep, f"{number}-{part.command}", name)
        results.append(result)
    return results


def request_hash(part: StudyPart) -> str:
    """Return a name for what decides the result of a part: what is asked, and herdlab itself."""
    asked = [part.command, part.arguments, part.game, part.rules, part.seed, part.plugins]
    return _hash([*asked, fingerprint()])[:16]


def _hash(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def _keep(result: dict[str, Any], folder: Path, begin: str, name: str) -> None:
    about = {"request": name, "sha256": _hash(result)}
    content = json.dumps({**result, _KEPT: about}, indent=1, allow_nan=False) + "\n"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with closing(FolderFiles(folder)) as inside:
            inside.write(f"{begin}-{name}.json", content.encode())
    except OSError as error:
        raise BadInput(f"folder '{folder}' cannot be written: {error.strerror}") from None


def _kept(folder: Path, name: str) -> dict[str, Any] | None:
    """Return what was kept of a request, whichever part it was then; None if it is damaged."""
    try:
        inside = FolderFiles(folder)
    except OSError:
        return None
    with closing(inside):
        for file in [one for one in inside.listing() if one.endswith(f"-{name}.json")]:
            try:
                result = json.loads(inside.read(file))
                if result.pop(_KEPT) == {"request": name, "sha256": _hash(result)}:
                    return dict(result)
            except _UNFIT:
                continue
    return None
