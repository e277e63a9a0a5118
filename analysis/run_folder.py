"""A run folder: what was asked, what the games played so far add up to, and the result.

    manifest.json     what was asked for, by whom; written once
    plugins/          the plug-ins, as they were
    checkpoint.json   sums of every stage of the run so far, and a hash of every file below
    rows/             (on request) one row a game, as Parquet
    result.json       when it is done

A command is made of *stages*, one after another, each a run of consecutive numbers (of lucks, or
of tasks) whose sums are exact.  To go on, the command is called again: stages that are done give
their sums at once, the one that was under way goes on behind the last checkpoint.

Every file is written under another name and renamed, and every byte is accounted for by a hash.
A folder that is not as herdlab left it is refused before anything in it is touched.
"""

import fcntl
import hashlib
import json
import os
import shlex
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from analysis import outputs
from analysis.packing import packed, restore
from analysis.provenance import fingerprint, version
from simcore.errors import BadInput
from strategies.registry import Plugin

MANIFEST, CHECKPOINT, RESULT, PLUGINS = "manifest.json", "checkpoint.json", "result.json", "plugins"
OF_THE_RUN = ("seconds", "games_per_second")
"""What a result says of the run and not of the games; a result on file does without."""
_FORMAT = 1
_LEAST_SECONDS = 1.0
"""Between checkpoints, at least."""
_SHARE = 0.01
"""Of the time at most goes into checkpoints."""


class NotWritten(BadInput):
    """A file of a run folder could not be written; what was there before is as it was."""


@dataclass
class Stage:
    """A run of consecutive numbers, `into` whose sums everything up to `at` has been merged."""

    games: range
    at: int
    into: Any
    looks: list[Any] = field(default_factory=list)
    """The sums, packed, at each look so far: what a look finds may depend on those before it."""

    def look(self) -> None:
        """Note what the sums are at a look."""
        self.looks.append(packed(self.into))

    def replayed_looks(self) -> Iterator[None]:
        """Make `into` what it was at each look in turn, and at last what it was in the end."""
        end = packed(self.into)
        for sums in self.looks:
            restore(self.into, sums)
            yield
        restore(self.into, end)

    def as_json(self) -> dict[str, Any]:
        """Return it for a checkpoint."""
        games = [self.games.start, self.games.stop]
        return {"games": games, "at": self.at, "into": packed(self.into), "looks": self.looks}


class RunFolder:
    """A run folder that this process holds, and nobody else."""

    def __init__(self, path: Path, lock: int) -> None:
        """Use `create` or `resume`."""
        self.path = path
        self._lock = lock
        self._made: list[Path] = []
        """Folders that were made for it, the innermost first."""
        self.manifest: dict[str, Any] = {}
        self._known: list[dict[str, Any]] = []
        """Stages of the checkpoint that the run went on from, as JSON."""
        self._stages: list[Stage | dict[str, Any]] = []
        """Stages since the command was called: those before the last as JSON."""
        self._files: dict[str, str] = {}
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
        try:
            folder._check_empty()
            try:
                folder._begin(asked, plugins)
            except BaseException:  # Ctrl-C too: what has no manifest is of no use to anybody
                folder._discard()
                raise
        except BaseException:
            folder.close()
            raise
        return folder

    @classmethod
    def resume(cls, path: Path) -> Self:
        """Take up a run again; refuse a folder that is not as this herdlab left it."""
        if not path.is_dir():
            raise BadInput(f"there is no run folder '{path}'")
        folder = cls._held(path)
        try:
            folder._read()
        except BaseException:
            folder.close()
            raise
        return folder

    @classmethod
    def _held(cls, path: Path) -> Self:
        """Take the folder for this process; the system lets go of it, however the process ends."""
        try:
            lock = os.open(path, os.O_RDONLY)
        except OSError as error:
            raise BadInput(f"run folder '{path}' cannot be read: {error.strerror}") from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            raise BadInput(
                f"run folder '{path}' is in use: another herdlab is at work in it"
            ) from None
        except OSError as error:
            os.close(lock)
            raise BadInput(f"run folder '{path}' cannot be locked: {error.strerror}") from None
        return cls(path, lock)

    def close(self) -> None:
        """Let others have the folder."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    @property
    def resume_command(self) -> str:
        """The line that goes on with the run."""
        return f"herdlab resume {shlex.quote(str(self.path))}"

    @property
    def plugin_files(self) -> list[Path]:
        """The plug-ins, as they were when the run was begun."""
        return [self.path / PLUGINS / one["file"] for one in self.manifest["plugins"]]

    def refused(self, mistake: BadInput) -> None:
        """Take away what `create` wrote, if nothing was played and it is not for want of room."""
        has_played = any(
            not isinstance(one, Stage) or one.at > one.games.start for one in self._stages
        )
        if not has_played and not isinstance(mistake, NotWritten):
            self._discard()

    def _discard(self) -> None:
        for name in [MANIFEST, CHECKPOINT, *self._files]:
            (self.path / name).unlink(missing_ok=True)
        _take_away([self.path / PLUGINS, *self._made])

    def _check_empty(self) -> None:
        there = sorted(one.name for one in self.path.iterdir())
        if MANIFEST in there:
            raise BadInput(
                f"run folder '{self.path}' holds a run already: give another --out, or go on with: "
                f"{self.resume_command}"
            )
        if not self._never_began(there):
            raise BadInput(
                f"run folder '{self.path}' is not empty, it has '{there[0]}': give --out a new one"
            )

    def _never_began(self, there: list[str]) -> bool:
        """Whether nothing is there but what a herdlab left that was killed while it began a run."""
        rest = {name for name in there if not name.startswith(outputs.PASSING)}
        if not rest:
            return True
        if CHECKPOINT not in rest or not rest <= {CHECKPOINT, PLUGINS}:
            return False
        try:
            kept = self._opened(CHECKPOINT)
        except BadInput:
            return False
        names = (one.name for one in (self.path / PLUGINS).glob("*"))
        plugins = {f"{PLUGINS}/{name}" for name in names if not name.startswith(outputs.PASSING)}
        return not kept["stages"] and plugins <= set(kept["files"])

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
        self._files = {f"{PLUGINS}/{file}": _hash(text) for file, text in texts.items()}
        self.save()
        for file, text in texts.items():
            self._write(f"{PLUGINS}/{file}", text)
        self._write(MANIFEST, _sealed(self.manifest))
        self._tidy()

    def _read(self) -> None:
        if not (self.path / MANIFEST).is_file():
            raise BadInput(
                f"'{self.path}' is no run folder of herdlab: it has no {MANIFEST}, which --out "
                f"writes"
            )
        self.manifest = self._opened(MANIFEST)
        made = [self.manifest.get(key) for key in ("format", "version", "fingerprint")]
        if made != [_FORMAT, version(), fingerprint()]:
            raise BadInput(
                f"run folder '{self.path}' was begun by another herdlab ({made[1]}, "
                f"{str(made[2])[:8]}), and this one ({version()}, {fingerprint()[:8]}) could play "
                f"otherwise: go on with that one, or begin anew"
            )
        kept = self._opened(CHECKPOINT)
        if kept["manifest"] != _hash(_sealed(self.manifest)):
            raise self._damaged(CHECKPOINT, "belongs to another run")
        for name, told in kept["files"].items():
            if _hash(self._content(name)) != told:
                raise self._damaged(name, "is not what was written")
        self._known, self._files, self._earlier = kept["stages"], kept["files"], kept["seconds"]
        self._tidy()

    def _tidy(self) -> None:
        """Take away what a process left that was killed while it wrote."""
        for leftover in [one for one in self.path.rglob(f"{outputs.PASSING}*") if one.is_file()]:
            leftover.unlink()

    def _content(self, name: str) -> bytes:
        try:
            return (self.path / name).read_bytes()
        except FileNotFoundError:
            raise self._damaged(name, "is missing") from None
        except OSError as error:
            raise BadInput(f"'{self.path / name}' cannot be read: {error.strerror}") from None

    def _opened(self, name: str) -> dict[str, Any]:
        """Return what a sealed file holds."""
        content = self._content(name)
        try:
            whole = json.loads(content)
            inside = {key: value for key, value in whole.items() if key != "sha256"}
            if _sealed(inside) == content:
                return inside
        except (ValueError, AttributeError, RecursionError):
            pass
        raise self._damaged(name, "is not what was written")

    def _damaged(self, name: str, why: str) -> BadInput:
        return BadInput(f"run folder '{self.path}' is damaged: its {name} {why}")

    def stage(self, into: Any, games: range) -> Stage:
        """Begin the next stage, with `into` as it was when the run was interrupted in it."""
        number = len(self._stages)
        if number:
            last = self._stages[-1]
            assert isinstance(last, Stage)
            self._stages[-1] = last.as_json()
        stage = Stage(games, games.start, into)
        if number < len(self._known):
            kept = self._known[number]
            if kept["games"] != [games.start, games.stop]:
                raise self._damaged(CHECKPOINT, "has other stages than the command")
            restore(into, kept["into"])
            stage.at, stage.looks = kept["at"], list(kept["looks"])
        self._stages.append(stage)
        return stage

    def may_save(self) -> None:
        """Write a checkpoint if the last one was some time ago."""
        passed = time.perf_counter() - self._saved
        if passed >= max(_LEAST_SECONDS, self._cost / _SHARE):
            self.save()

    def save(self) -> None:
        """Write a checkpoint."""
        begun = time.perf_counter()
        stages = [one.as_json() if isinstance(one, Stage) else one for one in self._stages]
        content = {
            "manifest": _hash(_sealed(self.manifest)),
            "stages": stages + self._known[len(stages) :],
            "files": self._files,
            "seconds": self._earlier + begun - self._begun,
        }
        self._write(CHECKPOINT, _sealed(content))
        self._saved = time.perf_counter()
        self._cost = self._saved - begun

    def put(self, name: str, content: bytes) -> None:
        """Write a file that the next checkpoint accounts for."""
        self._write(name, content)
        self._files[name] = _hash(content)

    def finish(self, result: dict[str, Any]) -> None:
        """Write the result, and the last checkpoint; a run that was done before is left alone."""
        told = {key: value for key, value in result.items() if key not in OF_THE_RUN}
        content = (json.dumps(told, indent=1, allow_nan=False) + "\n").encode()
        if self._files.get(RESULT) != _hash(content):
            self.put(RESULT, content)
            self.save()

    def taken_earlier(self) -> float:
        """Return the seconds that earlier sessions took, to whoever asks first."""
        earlier = 0.0 if self._is_told else self._earlier
        self._is_told = True
        return earlier

    def _write(self, name: str, content: bytes) -> None:
        path = self.path / name
        try:
            path.parent.mkdir(exist_ok=True)
            outputs.write(content, path)
        except (BadInput, OSError) as error:
            why = str(error)
            if (self.path / MANIFEST).exists():
                why += f"; what was written before is whole, go on with: {self.resume_command}"
            raise NotWritten(why) from None


def _take_away(folders: list[Path]) -> None:
    """Remove folders that are empty, the innermost first."""
    for folder in folders:
        with suppress(OSError):  # it is not there, or somebody put something into it
            folder.rmdir()


def _sealed(content: dict[str, Any]) -> bytes:
    """Return content as JSON, a key a line, with its own hash as the last of them."""
    lines = [f'"{key}": {json.dumps(value, allow_nan=False)}' for key, value in content.items()]
    inside = ",\n".join(lines)
    return f'{{\n{inside},\n"sha256": "{_hash(inside.encode())}"\n}}\n'.encode()


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
