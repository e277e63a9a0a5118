"""`verify`: compare a result with its replay, number by number."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import isclose
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from herdlab.analysis.catalogue import Listing
from herdlab.analysis.words.phrases import counted
from herdlab.simcore.errors import BadInput
from herdlab.simcore.reading import read_file

NEEDED: dict[str, tuple[type, str]] = {
    "command": (str, "a name"),
    "game": (str, "a name"),
    "rules": (dict, "a table of settings"),
    "seed": (int, "a whole number"),
    "plugins": (list, "a list of files"),
    "arguments": (dict, "a table of arguments"),
}
"""What a result must have to be replayed: of which type, in words."""
_COMMA = re.compile(r"\s*,\s*")
_ROUNDING = 1e-11
NOT_COMPARED = ("games_per_second", "seconds", "version", "revision", "plugins")
"""What belongs to the run and not to the result."""


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


def read_result(path: Path) -> dict[str, Any]:
    """Return the object in a file that ``--json`` wrote."""
    try:
        result = json.loads(read_file(path).decode(), parse_constant=_no_number)
    except OSError as error:
        raise BadInput(f"result '{path}' cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        written = "as --json prints and --save FILE.json writes"
        raise BadInput(f"result '{path}' is not valid JSON, {written}: {error}") from None
    if not isinstance(result, dict):
        result = {}
    if result.get("command") == "report":
        raise BadInput(
            f"result '{path}' is of a whole study, not of one command: give the study itself, or "
            f"one of its 'parts' in a file of its own"
        )
    for key, (kind, words) in NEEDED.items():
        if key not in result:
            raise BadInput(f"result '{path}' is not what --json writes: it has no '{key}'")
        if type(result[key]) is not kind:
            raise BadInput(f"'{key}' in result '{path}' must be {words}")
    plugins = result["plugins"]
    if not all(isinstance(one, dict) and {"file", "sha256"} <= set(one) for one in plugins):
        raise BadInput(f"'plugins' in result '{path}' is not what herdlab writes")
    return result


def check_plugins(result: Mapping[str, Any], plugins: Iterable[Mapping[str, str]]) -> None:
    """Refuse other plug-ins than a result was made with."""
    given = {one["file"]: one["sha256"] for one in plugins}
    for one in result["plugins"]:
        file = one["file"]
        if file not in given:
            raise BadInput(f"the result was made with plug-in '{file}': give it with --plugin")
        if given[file] != one["sha256"]:
            raise BadInput(f"plug-in '{file}' is not the one that the result was made with")


class Difference(NamedTuple):
    """A place where a result and its replay differ."""

    where: str
    claimed: Any
    replayed: Any

    @property
    def is_wording(self) -> bool:
        """Whether both are sentences: another version may choose other words."""
        return _is_text(self.claimed) and _is_text(self.replayed)

    def __str__(self) -> str:
        claimed, replayed = ("nothing" if x is None else x for x in (self.claimed, self.replayed))
        return f"{self.where}: the file has {claimed}, the replay gives {replayed}"


def _is_text(value: Any) -> bool:
    """Whether something is a sentence, or a list of some."""
    if isinstance(value, list):
        return all(isinstance(one, str) and _is_text(one) for one in value)
    return isinstance(value, str) and " " in value


@dataclass(frozen=True, repr=False)
class Verified(Listing):
    """A result, and what came when it was played again."""

    claimed: Mapping[str, Any]
    again: Any

    @cached_property
    def differences(self) -> list[Difference]:
        """Where they differ."""
        return differences(self.claimed, self.again)

    @property
    def wrong(self) -> list[Difference]:
        """Numbers that differ."""
        return [one for one in self.differences if not one.is_wording]

    @property
    def reworded(self) -> list[Difference]:
        """Sentences that this version would choose differently."""
        return [one for one in self.differences if one.is_wording]

    @property
    def holds(self) -> bool:
        """Whether every number is the same."""
        return not self.wrong

    @property
    def headline(self) -> str:
        """Whether it holds."""
        if self.wrong:
            return f"does not hold, numbers that differ: {len(self.wrong)}"
        games = self.again.as_json().get("games")
        done = "worked out again" if games is None else f"{counted(games, 'game')} replayed"
        return f"holds: {done}, every number is the same"

    def rows(self) -> list[dict[str, Any]]:
        """Return one row a difference."""
        return [{**one._asdict(), "is_wording": one.is_wording} for one in self.differences]

    def as_json(self) -> dict[str, Any]:
        """Return what was found as JSON has it."""
        return {"command": "verify", "holds": self.holds, "differences": self.rows()}


def differences(result: Mapping[str, Any], replayed: Any) -> list[Difference]:
    """Return what of `result` is not what its replay says; an older file may say less."""
    again = json.loads(json.dumps(replayed.as_json()))
    claimed = {**result, "arguments": _without_blanks(result.get("arguments"))}
    return [
        found
        for key in again
        if key in result and key not in NOT_COMPARED
        for found in _compared(key, claimed[key], again[key])
    ]


def _without_blanks(arguments: Any) -> Any:
    """Return arguments without blanks behind commas, which earlier versions kept."""
    if not isinstance(arguments, dict):
        return arguments
    return {
        key: _COMMA.sub(",", value.strip()) if isinstance(value, str) else value
        for key, value in arguments.items()
    }


def _compared(where: str, claimed: Any, replayed: Any) -> Iterator[Difference]:
    """Yield each leaf in which the two differ."""
    if isinstance(claimed, dict) and isinstance(replayed, dict):
        for key, one in claimed.items():
            yield from _compared(f"{where}.{key}", one, replayed.get(key))
    elif isinstance(claimed, list) and isinstance(replayed, list) and len(claimed) == len(replayed):
        for place, (one, other) in enumerate(zip(claimed, replayed, strict=True)):
            yield from _compared(f"{where}[{place}]", one, other)
    elif claimed != replayed and not _is_rounding(claimed, replayed):
        yield Difference(where, claimed, replayed)


def _is_rounding(claimed: Any, replayed: Any) -> bool:
    """Whether two differ as sums of floats do on another processor (ratings, the mix)."""
    both_floats = isinstance(claimed, float) and isinstance(replayed, float)
    return both_floats and isclose(claimed, replayed, rel_tol=_ROUNDING, abs_tol=_ROUNDING)
