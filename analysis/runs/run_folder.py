"""A run folder: what was asked, what the games played so far add up to, and the result.

    manifest.json     what was asked for, by whom; written once
    plugins/          the plug-ins, as they were
    checkpoint.json   sums of every stage of the run so far, and a hash of every file below
    rows/             (on request) one row a game, as Parquet
    result.json       when it is done

A command is made of *stages*, one after another, each a run of consecutive numbers (of deals, or
of tasks) whose sums are exact.  To go on, the command is called again: stages that are done give
their sums at once, the one that was under way goes on behind the last checkpoint.

Every file is written under another name and renamed, and every byte is accounted for by a hash.
A folder that is not as herdlab left it is refused before anything in it is touched: with a link
in it, or a file that somebody added, too.
"""

import fcntl
import json
import os
import shlex
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from herdlab.analysis.runs.folder_files import FolderFiles
from herdlab.analysis.runs.provenance import fingerprint, version
from herdlab.analysis.runs.run_folder_reading import (
    CHECKPOINT,
    MANIFEST,
    PLUGINS,
    RESULT,
    KeptRun,
    closed_by_mistakes,
    hash_of,
    is_checkpoint,
    is_passing,
    leftovers,
    open_folder,
    sealed,
    wrong_kind,
)
from herdlab.analysis.runs.sums_codec import NotKept, Stage, restore
from herdlab.simcore.errors import BadInput
from herdlab.strategies.plugins import Plugin, read_plugin

OF_THE_RUN = ("seconds", "games_per_second")
"""What a result says of the run and not of the games; a result on file does without."""
_FORMAT = 1
_LEAST_SECONDS = 1.0
"""Between checkpoints, at least."""
_SHARE = 0.01
"""Of the time at most goes into checkpoints."""


class NotWritten(BadInput):
    """A file of a run folder could not be written; what was there before is as it was."""


class RunFolder(KeptRun):
    """A run folder that this process holds, and nobody else."""

    def __init__(self, path: Path, inside: FolderFiles) -> None:
        """Use `create` or `resume`."""
        super().__init__(path, inside)
        self._made: list[Path] = []
        """Folders that were made for it, the innermost first."""
        self._known: list[dict[str, Any]] = []
        """Stages of the checkpoint that the run went on from, as JSON."""
        self._done: list[dict[str, Any]] = []
        """Stages since the command was called, as JSON, but the one that is under way."""
        self._stage: Stage | None = None
        self._earlier = 0.0
        """Seconds that earlier sessions took."""
        self._is_told = False
        self._begun = self._saved = time.perf_counter()
        self._cost = 0.0

    @classmethod
    def create(cls, path: Path, asked: dict[str, Any], plugins: list[Plugin]) -> Self:
        """Begin a run in a new or empty folder; `asked` is what `resume` will find."""
        made = [one for one in (path, *path.parents) if not os.path.lexists(one)]
        try:
            path.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise BadInput(f"run folder '{path}' cannot be made: it is a file") from None
        except OSError as error:
            _take_away(made)
            raise BadInput(f"run folder '{path}' cannot be made: {error.strerror}") from None
        folder = cls._held(path)
        folder._made = made
        with closed_by_mistakes(folder):
            folder._check_empty()
            try:
                folder._begin(asked, plugins)
            except BaseException:  # Ctrl-C too: what has no manifest is of no use to anybody
                folder._discard()
                raise
        return folder

    @classmethod
    def resume(cls, path: Path) -> Self:
        """Take up a run again; refuse a folder that is not as this herdlab left it."""
        if not path.is_dir():
            raise BadInput(f"there is no run folder '{path}'")
        folder = cls._held(path)
        with closed_by_mistakes(folder):
            folder._read()
        return folder

    @classmethod
    def _held(cls, path: Path) -> Self:
        """Take the folder for this process; the system lets go of it, however the process ends."""
        inside = open_folder(path)
        try:
            fcntl.flock(inside.number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            inside.close()
            raise BadInput(
                f"run folder '{path}' is in use: another herdlab is at work in it"
            ) from None
        except OSError as error:
            inside.close()
            raise BadInput(f"run folder '{path}' cannot be locked: {error.strerror}") from None
        return cls(path, inside)

    @property
    def resume_command(self) -> str:
        """The line that goes on with the run."""
        return f"herdlab resume {shlex.quote(str(self.path))}"

    def plugins_from(self, files: Sequence[Path] = ()) -> list[Path]:
        """Return the plug-ins to run: `files` where they hold the same, else the run's own copies.

        The run's own copies are as they were when the run was begun.
        """
        told = {one["file"]: one["sha256"] for one in self.manifest["plugins"]}
        given = {file.name: file for file in files}
        for name, file in given.items():
            if name not in told:
                raise BadInput(
                    f"run folder '{self.path}' was begun without plug-in '{name}': leave --plugin "
                    f"{shlex.quote(str(file))} out"
                )
            if read_plugin(file).sha256 != told[name]:
                raise BadInput(
                    f"plug-in '{file}' is not the one that run folder '{self.path}' was begun "
                    f"with: leave it out to use the run's own copy, or begin anew"
                )
        return [given.get(name, self.path / PLUGINS / name) for name in told]

    def refused(self, mistake: BadInput) -> None:
        """Take away what `create` wrote, if nothing was played and it is not for want of room."""
        now = self._stage
        has_played = self._done or (now is not None and now.at > now.games.start)
        if not has_played and not isinstance(mistake, NotWritten):
            self._discard()

    def _discard(self) -> None:
        for name in [MANIFEST, CHECKPOINT, *self._files]:
            self._inside.remove(name)
        self._inside.remove_folder(PLUGINS)
        _take_away(self._made)

    def _check_empty(self) -> None:
        there = self._listing()
        if MANIFEST in there:
            raise BadInput(
                f"run folder '{self.path}' holds a run already: give another --out, or go on with: "
                f"{self.resume_command}"
            )
        if not self._never_began(there):
            raise BadInput(
                f"run folder '{self.path}' is not empty, it has '{next(iter(there))}': give --out "
                f"a new one"
            )

    def _never_began(self, there: dict[str, str]) -> bool:
        """Whether nothing is there but what a herdlab left that was killed while it began a run."""
        if wrong_kind(there):
            return False
        rest = {name for name in there if not is_passing(name)}
        if not rest:
            return True
        if CHECKPOINT not in rest:
            return False
        try:
            kept = self._opened(CHECKPOINT)
        except BadInput:
            return False
        return (
            is_checkpoint(kept)
            and not kept["stages"]
            and rest <= {CHECKPOINT, PLUGINS, *kept["files"]}
        )

    def _begin(self, asked: dict[str, Any], plugins: list[Plugin]) -> None:
        texts: dict[str, bytes] = {}
        for plugin in plugins:
            if texts.setdefault(plugin.file, plugin.text) != plugin.text:
                raise BadInput(
                    f"two plug-ins are called '{plugin.file}', and a run folder keeps each under "
                    f"its name: give one of them another"
                )
        self.manifest = {
            "format": _FORMAT,
            "version": version(),
            "fingerprint": fingerprint(),
            **asked,
        }
        self._files = {f"{PLUGINS}/{file}": hash_of(text) for file, text in texts.items()}
        self.save()
        for file, text in texts.items():
            self._write(f"{PLUGINS}/{file}", text)
        self._write(MANIFEST, sealed(self.manifest))
        self._tidy(leftovers(self._listing(), self._files))

    def _read(self) -> None:
        there = self._listing()
        if MANIFEST not in there:
            raise BadInput(
                f"'{self.path}' is no run folder of herdlab: it has no {MANIFEST}, which --out "
                f"writes"
            )
        self._check_kinds(there)
        self.manifest = self._opened(MANIFEST)
        made = [self.manifest.get(key) for key in ("format", "version", "fingerprint")]
        if made != [_FORMAT, version(), fingerprint()]:
            raise BadInput(
                f"run folder '{self.path}' was begun by another herdlab ({made[1]}, "
                f"{str(made[2])[:8]}), and this one ({version()}, {fingerprint()[:8]}) could play "
                f"otherwise: go on with that one, or begin anew"
            )
        kept = self._accounts()
        for name, told in kept["files"].items():
            if hash_of(self._content(name)) != told:
                raise self._damaged(name, "is not what was written")
        gone = leftovers(there, kept["files"])
        self._check_added(there, [*kept["files"], *gone])
        self._known, self._files, self._earlier = kept["stages"], kept["files"], kept["seconds"]
        self._tidy(gone)

    def _tidy(self, leftover: list[str]) -> None:
        """Take away what a process left that was killed while it wrote."""
        for name in leftover:
            self._inside.remove(name)

    def stage(self, into: Any, games: range) -> Stage:
        """Begin the next stage, with `into` as it was when the run was interrupted in it."""
        if self._stage is not None:
            self._done.append(self._stage.as_json())
            self._stage = None
        number, stage = len(self._done), Stage(games, games.start, into)
        if number < len(self._known):
            kept = self._known[number]
            if kept["games"] != [games.start, games.stop]:
                raise self._damaged(CHECKPOINT, "has other stages than the command")
            try:
                restore(into, kept["into"])
            except NotKept:
                raise self._damaged(CHECKPOINT, "has other sums than the command") from None
            stage.at, stage.looks = kept["at"], list(kept["looks"])
        self._stage = stage
        return stage

    def may_save(self) -> None:
        """Write a checkpoint if the last one was some time ago."""
        passed = time.perf_counter() - self._saved
        if passed >= max(_LEAST_SECONDS, self._cost / _SHARE):
            self.save()

    def save(self) -> None:
        """Write a checkpoint."""
        begun = time.perf_counter()
        stages = self._done if self._stage is None else [*self._done, self._stage.as_json()]
        content = {
            "manifest": hash_of(sealed(self.manifest)),
            "stages": stages + self._known[len(stages) :],
            "files": self._files,
            "seconds": self._earlier + begun - self._begun,
        }
        self._write(CHECKPOINT, sealed(content))
        self._saved = time.perf_counter()
        self._cost = self._saved - begun

    def put(self, name: str, content: bytes) -> None:
        """Write a file that the next checkpoint accounts for."""
        self._write(name, content)
        self._files[name] = hash_of(content)

    def finish(self, result: dict[str, Any]) -> None:
        """Write the result, and the last checkpoint; a run that was done before is left alone."""
        told = {key: value for key, value in result.items() if key not in OF_THE_RUN}
        content = (json.dumps(told, indent=1, allow_nan=False) + "\n").encode()
        if self._files.get(RESULT) != hash_of(content):
            self.put(RESULT, content)
            self.save()

    def taken_earlier(self) -> float:
        """Return the seconds that earlier sessions took, to whoever asks first."""
        earlier = 0.0 if self._is_told else self._earlier
        self._is_told = True
        return earlier

    def _write(self, name: str, content: bytes) -> None:
        try:
            self._inside.write(name, content)
        except (BadInput, OSError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            why = f"'{self.path / name}' cannot be written: {why}"
            if self._inside.has(MANIFEST):
                why += f"; what was written before is whole, go on with: {self.resume_command}"
            raise NotWritten(why) from None


def _take_away(folders: list[Path]) -> None:
    """Remove folders that are empty, the innermost first."""
    for folder in folders:
        with suppress(OSError):  # it is not there, or somebody put something into it
            folder.rmdir()
