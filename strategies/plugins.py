"""Plug-ins (files of strategies), and where each strategy comes from."""

import dataclasses
import hashlib
import importlib.util
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from herdlab.simcore.errors import BadInput
from herdlab.simcore.reading import read_file
from herdlab.strategies.foreign import foreign

BUILT_IN = "built in"


@dataclasses.dataclass(frozen=True)
class Plugin:
    """A file of strategies, as it was read."""

    file: str
    """Its name, without the folder."""
    text: bytes
    source: str
    """Its path as it was given."""
    path: Path
    """Its full path."""

    @cached_property
    def sha256(self) -> str:
        """The hash of its text."""
        return hashlib.sha256(self.text).hexdigest()

    @property
    def module(self) -> str:
        """The name of the Python module that it is run as."""
        return f"herdlab_plugin_{self.path.stem}"

    def as_json(self) -> dict[str, str]:
        """Return what a result says of it."""
        return {"file": self.file, "sha256": self.sha256}

    def run(self) -> None:
        """Run it, which registers its strategies.

        The text that was read is compiled here: Python's own loader may take stale bytecode.
        """
        spec = importlib.util.spec_from_file_location(self.module, self.path)
        if spec is None:
            raise BadInput(f"plug-in '{self.source}' is no Python file: its name must end in .py")
        module, earlier = importlib.util.module_from_spec(spec), sys.modules.get(self.module)
        sys.modules[self.module] = module
        try:
            with running(self):
                exec(compile(self.text, self.path, "exec", dont_inherit=True), module.__dict__)
        except BaseException:
            if earlier is None:
                del sys.modules[self.module]
            else:
                sys.modules[self.module] = earlier
            raise


_running: list[Plugin | str] = []
"""What is being loaded, innermost last: a plug-in, or the name of a package."""
_texts: dict[str, Plugin] = {}
"""Every plug-in loaded so far, by hash, including earlier versions."""


def read_plugin(path: Path) -> Plugin:
    """Return the plug-in in a file."""
    try:
        text = read_file(path)
    except OSError as error:
        raise BadInput(f"plug-in '{path}' cannot be read: {error.strerror}") from None
    return Plugin(path.name, text, str(path), path.resolve())


def keep_text(plugin: Plugin) -> None:
    """Keep a loaded plug-in, so that `loaded_plugins` finds it."""
    _texts[plugin.sha256] = plugin


def loaded_plugins(told: Iterable[Mapping[str, str]]) -> list[Plugin]:
    """Return plug-ins that were loaded, by their `as_json`.

    The same text may have been loaded from a file of another name before.
    """
    return [dataclasses.replace(_texts[one["sha256"]], file=one["file"]) for one in told]


@contextmanager
def running(who: Plugin | str) -> Iterator[None]:
    """Load a plug-in or package; turn its failure into a sentence."""
    source = who if isinstance(who, str) else who.source
    _running.append(who)
    try:
        with foreign(lambda why: BadInput(f"plug-in {source} cannot be loaded: {why}")):
            try:
                yield
            except ModuleNotFoundError as error:
                if error.name not in ("simcore", "strategies"):
                    raise
                raise BadInput(
                    f"plug-in {source} imports '{error.name}', which is part of herdlab; write: "
                    f"from herdlab.{error.name} import …"
                ) from None
            except SyntaxError as error:
                where = f" in line {error.lineno}" if error.lineno else ""
                raise BadInput(f"plug-in {source} has a syntax error{where}: {error.msg}") from None
    finally:
        _running.pop()


def is_running() -> bool:
    """Whether a plug-in or package is being loaded."""
    return bool(_running)


@dataclasses.dataclass(frozen=True)
class Origin:
    """Where a strategy comes from."""

    source: str
    """For people: BUILT_IN, a file as it was given, a package or a module."""
    owner: str
    """For comparing origins: a file's full path, or a module."""
    may_replace: bool = False
    """Whether it may register a name again.

    A module may, since a notebook runs cells again.  An edited file loses its strategies before
    it runs again, so a name that it registers twice is a mistake."""
    plugin: Plugin | None = None


def origin(module: str) -> Origin:
    """Return the origin of what the Python module `module` registers now."""
    who = _running[-1] if _running else None
    if module.startswith(f"{__package__}."):
        return Origin(BUILT_IN, BUILT_IN)
    if isinstance(who, Plugin) and who.module == module:
        return Origin(who.source, str(who.path), plugin=who)
    if isinstance(who, str):
        return Origin(who, f"module {module}")
    return Origin(f"module {module}", f"module {module}", may_replace=True)
