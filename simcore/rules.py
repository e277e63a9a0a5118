"""What the rule sets of all games share: typed fields, loading, checking, hashing.

A game's rules are a frozen dataclass derived from `Rules` whose fields are made by `rule` (a number
or switch of the rulebook) or `reading` (an unclear clause, with the alternatives that a study can
vary).  Settings come from keyword values, a TOML file or ``key=value`` texts; whatever is wrong
with them is refused with one sentence.
"""

import dataclasses
import hashlib
import json
import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Self

from herdlab.simcore.errors import BadInput, find, match, unknown
from herdlab.simcore.reading import read_file


def shown(value: Any) -> str:
    """Return `value` as a user would write it after ``--set key=``."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple | list):
        return ",".join(shown(item) for item in value)
    return str(value)


@dataclasses.dataclass(frozen=True, slots=True)
class When:
    """Under which settings a reading can change a game."""

    words: str
    """Such as ``swap_seats=true``."""
    holds: Callable[[Any], bool]
    """Whether it can, under these rules."""


@dataclasses.dataclass(frozen=True, slots=True)
class RuleNote:
    """What the program knows of one field beyond its name and type."""

    clause: str
    words: str
    low: float | None = None
    high: float | None = None
    options: tuple[Any, ...] = ()
    """All allowed values, where they can be listed."""
    alternatives: tuple[Any, ...] = ()
    """The values of a reading that a study should vary; empty for what is no reading."""
    parse: Callable[[str, Any], Any] | None = None
    """Turns (key, given) into the field's value, for fields that are no plain number or word."""
    show: Callable[[Any], str] = shown
    """Turns the value into a few words for a table."""
    when: When | None = None
    """Of a reading: under which settings it matters; under all of them if None."""

    def matters(self, rules: "Rules") -> bool:
        """Return whether its value can change a game under `rules`."""
        return self.when is None or self.when.holds(rules)


def rule(default: Any, clause: str, words: str, **more: Any) -> Any:
    """Declare a field that the rulebook fixes, which a designer may vary.

    `more` is what else its `RuleNote` has, such as ``low`` and ``high``.
    """
    return dataclasses.field(default=default, metadata={"note": RuleNote(clause, words, **more)})


def reading(
    default: Any,
    clause: str,
    words: str,
    *,
    alternatives: tuple[Any, ...],
    only: bool = True,
    **more: Any,
) -> Any:
    """Declare a field for a clause that can be read in several ways.

    With ``only=False`` other values than the alternatives are allowed too.  `when` says under
    which settings it matters; a study does not count it under others.
    """
    options = alternatives if only else ()
    return rule(default, clause, words, options=options, alternatives=alternatives, **more)


_LEAST_WEIGHT, _MOST_WEIGHT = 0.001, 1000.0


def weights(clause: str, words: str) -> Any:
    """Declare a field with a number for each player, such as ``1,2,4,0.5``; default 1 each."""
    return rule(
        (),
        clause,
        words,
        parse=lambda key, given: read_weights(key, clause, given),
        show=lambda given: ",".join(f"{weight:g}" for weight in given) or "1 each",
    )


def read_weights(key: str, clause: str, given: Any) -> tuple[float, ...]:
    """Return weights given as ``1,2,4,0.5`` or a list of numbers."""
    parts = given if isinstance(given, list | tuple) else [given]
    if isinstance(given, str):
        parts = given.split(",") if given.strip() else []
    try:
        read = tuple(float("nan" if isinstance(part, bool) else part) for part in parts)
    except (TypeError, ValueError):
        read = (float("nan"),)
    if not all(_LEAST_WEIGHT <= weight <= _MOST_WEIGHT for weight in read):
        raise BadInput(
            f"rule {key} ({clause}) must be a number from {_LEAST_WEIGHT:g} to {_MOST_WEIGHT:g} "
            f"for each player, such as 1,2,4,0.5, and got '{given}'"
        )
    return read


def check_weights(key: str, clause: str, given: tuple[float, ...], n_players: int) -> None:
    """Refuse weights for another number of players."""
    if len(given) not in (0, n_players):
        raise BadInput(
            f"rule {key} ({clause}) must have a number for each of {n_players} players, and "
            f"got {len(given)} numbers"
        )


@dataclasses.dataclass(frozen=True)
class Rules:
    """Base of every game's rules."""

    game: ClassVar[str] = ""

    @classmethod
    def notes(cls) -> dict[str, RuleNote]:
        """Return each field's note, in the order of the rulebook."""
        return {field.name: field.metadata["note"] for field in dataclasses.fields(cls)}

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> Self:
        """Return the rules with `settings` over the defaults, each read and checked."""
        fields = {field.name: field for field in dataclasses.fields(cls)}
        named = cls.by_name(settings)
        return cls(**{key: _read(key, given, fields[key]) for key, given in named.items()})

    @classmethod
    def by_name(cls, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return `settings` by the names of the fields; refuse a rule that is set twice."""
        found: dict[str, Any] = {}
        for given, value in settings.items():
            key = find(f"rule of {cls.game}", given, cls.notes())
            if key in found:
                raise BadInput(f"rule {key} is set twice: set it once")
            found[key] = value
        return found

    @classmethod
    def spelled(cls, key: str, text: str) -> str:
        """Return a value of rule `key` in the case of the rulebook; a number stays as it is."""
        note, kind = cls.notes()[key], cls.__dataclass_fields__[key].type
        words = (False, True) if kind is bool else note.options or note.alternatives
        return match(text, [shown(word) for word in words]) or text

    def but(self, **settings: Any) -> Self:
        """Return the same rules with other `settings`, each read and checked."""
        return self.from_settings({**self.as_dict(), **self.by_name(settings)})

    def __post_init__(self) -> None:
        """Check every field by its note, then what the game itself adds."""
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if field.metadata["note"].parse is None:
                _check(field.name, value, field, value)
        self.check()

    def check(self) -> None:
        """Refuse impossible combinations of values; a game's rules override this."""

    def check_players(self, n_players: int) -> None:
        """Refuse rules that do not go with so many players; a game's rules override this."""

    def as_dict(self) -> dict[str, Any]:
        """Return plain values, fit for JSON, in the order of the rulebook."""
        plain = dataclasses.asdict(self)
        return {key: list(v) if isinstance(v, tuple) else v for key, v in plain.items()}

    def changed(self) -> dict[str, str]:
        """Return the settings that are not the defaults, as a user would write them."""
        default = type(self)()
        return {
            key: note.show(getattr(self, key))
            for key, note in self.notes().items()
            if getattr(self, key) != getattr(default, key)
        }

    @cached_property
    def hash(self) -> str:
        """A short name for exactly these rules of this game."""
        text = json.dumps([self.game, self.as_dict()], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]


def load_settings(file: Path | None, assignments: Iterable[str]) -> dict[str, Any]:
    """Return the settings of a TOML `file` with ``key=value`` `assignments` over them.

    Two assignments to one rule are refused, since only one can be meant.
    """
    settings: dict[str, Any] = {}
    if file is not None:
        try:
            settings = tomllib.loads(read_file(file).decode("utf-8-sig"))
        except OSError as error:
            raise BadInput(f"rules file '{file}' cannot be read: {error.strerror}") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise BadInput(f"rules file '{file}' is not valid TOML: {error}") from None
        except (ValueError, RecursionError) as error:
            is_long = isinstance(error, ValueError)
            what = "a number in it is too long" if is_long else "it has too many brackets"
            raise BadInput(f"rules file '{file}' cannot be used: {what}") from None
    assigned: dict[str, str] = {}
    for assignment in assignments:
        key, equals, value = (part.strip() for part in assignment.partition("="))
        if not equals or not key:
            raise BadInput(f"--set takes key=value, a rule and its value, and got '{assignment}'")
        earlier = match(key, assigned)
        if earlier is not None:
            raise BadInput(
                f"--set has {earlier} twice, {earlier}={assigned[earlier]} and {key}={value}: "
                f"give it once"
            )
        assigned[key] = value
    kept = {key: value for key, value in settings.items() if match(key, assigned) is None}
    return {**kept, **assigned}


def _read(key: str, given: Any, field: "dataclasses.Field[Any]") -> Any:
    note: RuleNote = field.metadata["note"]
    if note.parse is not None:
        return note.parse(key, given)
    value = given
    if isinstance(given, str):
        words = note.options if field.type is str else ()
        value = match(given, words) or _from_text(given, field.type)
    _check(key, value, field, given)
    if field.type is float:
        value = float(value)  # 0 and 0.0 are the same rules, with the same hash
    return value


def _from_text(text: str, kind: Any) -> Any:
    """Return `text` as a value of `kind`, or unchanged if it is none (the check refuses it)."""
    if kind is bool:
        return {"true": True, "false": False}.get(text.lower(), text)
    try:
        return kind(text)
    except ValueError:
        return text


def _check(key: str, value: Any, field: "dataclasses.Field[Any]", given: Any) -> None:
    note: RuleNote = field.metadata["note"]
    kind: Any = field.type
    if (
        (type(value) is kind or (kind is float and type(value) is int))
        and (not note.options or value in note.options)
        and (note.low is None or value >= note.low)
        and (note.high is None or value <= note.high)
    ):
        return
    if note.options:
        wanted = " or ".join(shown(option) for option in note.options)
        if isinstance(value, str) and kind is str:
            raise unknown(f"value of rule {key} ({note.clause})", value, note.options)
    else:
        wanted = {bool: "true or false", int: "a whole number", float: "a number", str: "a word"}[
            kind
        ]
        if note.low is not None and note.high is not None:
            wanted += f" from {note.low} to {note.high}"
    raise BadInput(f"rule {key} ({note.clause}) must be {wanted}, and got '{shown(given)}'")


def clauses(text: str) -> tuple[tuple[str, str], ...]:
    """Return (id, words) of each clause in a text; a clause's further lines are indented."""
    found: list[list[str]] = []
    for line in text.split("\n"):
        if line.startswith(" "):
            found[-1].append(line.strip())
        elif line:
            found.append(line.split(" ", 1))
    return tuple((clause, " ".join(words)) for clause, *words in found)
