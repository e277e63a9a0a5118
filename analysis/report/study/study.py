"""Studies: TOML files that say what a report is to find out, read and checked before any play.

    title = "Is the Guard Dog worth it?"
    text = "What this is about."
    game = "herd"
    seed = 7
    [rules]
    horse_price = 3

    [[part]]
    title = "At a table of three"
    command = "simulate"
    players = "keeper,keeper-dog,closer"
    precision = 0.001

Each part is a function of herdlab with its arguments; ``command = "overview"`` is a table of all
the others.  `game`, `seed` and `rules` of the study are those of every part that does not say
otherwise: a part's rules update the study's, which belong to the study's game and are not those of
a part about another one.  A part with ``show = false`` is no section of the report, and only tells
the overview something; one with ``show = "brief"`` has only its verdict and first figure.
`plugins` are files beside the study, loaded once for all parts.
"""

import json
import shlex
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from herdlab.analysis.commands import RESULTS
from herdlab.analysis.experiment import MAX_SEED
from herdlab.analysis.report.study.refusals import Blame, refusal
from herdlab.analysis.report.study.toml_lines import Where, key_lines, unfinished
from herdlab.analysis.report.study.values import (
    SHOWN,
    TABLE,
    TEXT,
    TEXTS,
    WHOLE,
    Kind,
    arguments_of,
    kinds_of,
)
from herdlab.simcore.errors import BadInput, match, unknown
from herdlab.simcore.game import find_game
from herdlab.simcore.reading import read_file, real_path
from herdlab.simcore.rules import shown

COMMANDS = tuple(name for name, one in RESULTS.items() if one.is_part)
OVERVIEW = "overview"
"""The command of a part that shows all the others side by side."""

_PLAYABLE = (*COMMANDS, OVERVIEW)

Functions = Mapping[str, Callable[..., Any]]
"""herdlab's own functions by name: of each of COMMANDS."""

OnPlugins = Callable[[Sequence[Path]], None]
"""Hears which plug-ins are about to run."""

_OF_STUDY = ("title", "text", "game", "seed", "rules", "plugins", "part")
_OF_PART = ("title", "text", "command", "show")
_HINT = (
    "; texts stand in quotes (three of them around several lines), lists have commas, and each "
    "part begins with [[part]], in two brackets"
)
_NO_LETTER = "\N{REPLACEMENT CHARACTER}"
"""Instead of what no file can have in its name."""
_SETTING = ("game", "seed", "rules")
"""What a part may say anew."""


@dataclass(frozen=True)
class StudyPart:
    """A part of a study: what is played, and what stands above it in the report."""

    title: str
    text: str
    command: str
    game: str | None
    """None where a question is about one game only, or for an overview."""
    rules: dict[str, Any]
    seed: int
    plugins: tuple[dict[str, str], ...]
    """File name and hash of each, as results have them."""
    arguments: dict[str, Any]
    line: int
    """Where it begins in the file."""
    show: bool | str = True
    """Whether it is a section of the report (else it only tells the overview something); BRIEF:
    with its verdict and first figure alone."""

    @property
    def is_shown(self) -> bool:
        """Whether it is a section of the report."""
        return self.show is not False

    def call(self, functions: Functions, **how: Any) -> Any:
        """Return what herdlab finds; its plug-ins are loaded already."""
        game = {} if self.game is None else {"game": self.game}
        function = functions[self.command]
        return function(**game, **self.arguments, rules=self.rules, seed=self.seed, **how)


@dataclass(frozen=True)
class Study:
    """A study file, found good."""

    path: Path
    source: str
    """The file as it was read."""
    title: str
    text: str
    parts: tuple[StudyPart, ...]
    added: tuple[str, ...] = ()
    """Files of plug-ins that were given beside it."""


def read_study(
    path: Path,
    functions: Functions,
    plugins: Sequence[Path] = (),
    on_plugins: OnPlugins | None = None,
) -> Study:
    """Return the study in a file, all of whose parts can be played; load its plug-ins.

    More `plugins` are loaded beside those that the file names.  A plug-in that the file names is
    refused if it lies outside the study's folder, unless it is among `plugins`; `on_plugins` hears
    of those that the file alone names, before they run.
    """
    source = _read(path)
    try:
        whole = tomllib.loads(source + "\n")  # without one, the last line's number is not told
        lines = key_lines(source)
    except tomllib.TOMLDecodeError as error:
        begun = unfinished(source) if "at end of document" in str(error) else None
        hint = f"; what begins in line {begun} does not end" if begun else _HINT
        raise BadInput(f"study '{path}' is not valid TOML: {error}{hint}") from None
    except (ValueError, RecursionError) as error:
        what = "a number of it is too long" if isinstance(error, ValueError) else "it is too deep"
        raise BadInput(f"study '{path}' is not what herdlab reads: {what}") from None
    return _Reader(path, source, whole, lines, functions, on_plugins).study(plugins)


def _read(path: Path) -> str:
    try:
        return read_file(path).decode("utf-8-sig")
    except OSError as error:
        raise BadInput(f"study '{path}' cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise BadInput(f"study '{path}' is no UTF-8 text: {error.reason}") from None


@dataclass(frozen=True)
class _Reader:
    """Reads a study, and says of a mistake in which line and part it stands."""

    path: Path
    source: str
    whole: dict[str, Any]
    lines: dict[Where, int]
    functions: Functions
    on_plugins: OnPlugins | None

    def study(self, plugins: Sequence[Path]) -> Study:
        """Return the study."""
        for key in self.whole:
            if key not in _OF_STUDY:
                raise self.refused((key,), unknown("key", key, _OF_STUDY))
        title, text = self.title((), "a study"), self.text(())
        tables = self.whole.get("part", [])
        if isinstance(tables, dict):
            raise self.refused(("part",), "a part begins with [[part]], in two brackets")
        if not tables or not isinstance(tables, list):
            raise BadInput(f"study '{self.path}' has no parts: each begins with [[part]]")
        loaded = self.plugins(plugins)
        parts = tuple(self.part(number, loaded) for number in range(len(tables)))
        if not any(part.is_shown for part in parts):
            raise self.refused(("part", 0, "show"), "at least one part must be shown")
        self.check_told_apart(parts)
        for number, part in enumerate(parts):
            if part.command != OVERVIEW:
                self.check_playable(number, part)
            elif all(one.command == OVERVIEW for one in parts):
                raise self.refused(("part", number), "an overview needs other parts to show")
        added = tuple(file.name for file in plugins)
        return Study(self.path, self.source, title, text, parts, added)

    def part(self, number: int, plugins: tuple[dict[str, str], ...]) -> StudyPart:
        """Return a part, whose keys are all known and have values of the right kind."""
        here = ("part", number)
        table = self.at(here)
        if not isinstance(table, dict):
            raise self.refused(here, "a part begins with [[part]]")
        command = self.value(here, "command", TEXT)
        if command is None:
            raise self.refused(here, f"a part needs a command, one of {', '.join(_PLAYABLE)}")
        if command not in _PLAYABLE:
            raise self.refused((*here, "command"), unknown("command", command, _PLAYABLE))
        is_played = command != OVERVIEW
        takes = arguments_of(self.functions[command]) if is_played else {}
        setting = _SETTING if is_played else ()
        allowed = list(dict.fromkeys((*_OF_PART, *setting, *takes)))
        for key in table:
            if key not in allowed:
                raise self.refused((*here, key), unknown(f"key of {command}", key, allowed))
        title = self.title(here, "a part")
        own = [key for key in table if key in takes and key not in setting]
        arguments = {key: self.value(here, key, *kinds_of(takes[key])) for key in own}
        game = self.value(here, "game", TEXT) or self.value((), "game", TEXT)
        needed = [key for key, one in takes.items() if one.default is one.empty]
        if "game" in needed and game is None:
            raise self.refused(here, f"{command} needs a game, here or at the top of the study")
        for key in needed:
            if key not in table and key != "game":
                raise self.refused(here, f"{command} needs '{key}', which is missing")
        self.check_how_many(here, command, arguments)
        return StudyPart(
            title,
            self.text(here),
            command,
            game if is_played else None,
            self.rules(here, game),
            self.seed(here),
            plugins,
            arguments,
            self.lines[here],
            self.value(here, "show", SHOWN, usually=True),
        )

    def title(self, here: Where, what: str) -> str:
        """Return the title of the study or of a part, in one line."""
        given = self.value(here, "title", TEXT)
        if given is None:
            raise self.refused(here, f"{what} needs a title")
        title = " ".join("".join(c if c.isprintable() else " " for c in given).split())
        if not title:
            raise self.refused((*here, "title"), "the title is empty")
        return title

    def text(self, here: Where) -> str:
        """Return the text of the study or of a part, without what cannot be printed."""
        given = self.value(here, "text", TEXT, usually="")
        return "".join(c for c in given if c.isprintable() or c == "\n").strip()

    def seed(self, here: Where) -> int:
        """Return the seed of a part."""
        where = here if "seed" in self.at(here) else ()
        seed = self.value(where, "seed", WHOLE, usually=0)
        if not 0 <= seed <= MAX_SEED:
            raise self.refused((*where, "seed"), f"seed: must be from 0 to 2^64 - 1, not {seed}")
        return int(seed)

    def rules(self, here: Where, game: str | None) -> dict[str, Any]:
        """Return the rules of a part about a game."""
        general, own = ({**(self.value(one, "rules", TABLE) or {})} for one in ((), here))
        if match(str(game), [str(self.whole.get("game", game))]) is None:
            general = {}
        return {key: one for key, one in general.items() if match(key, own) is None} | own

    def plugins(self, more: Sequence[Path]) -> tuple[dict[str, str], ...]:
        """Load plug-ins; return the name and hash of each."""
        names = self.value((), "plugins", TEXTS, usually=())
        named = [self.path.parent / one.replace("\0", _NO_LETTER) for one in names]
        if not named and not more:
            return ()
        from herdlab.strategies.plugins import read_plugin
        from herdlab.strategies.registry import load_plugin

        given = {real_path(file) for file in more}
        for file in named:
            self.check_beside(file, given)
            with self.naming_plugins():
                read_plugin(file)  # before anybody is told that it runs
        own = [file for file in named if real_path(file) not in given]
        if own and self.on_plugins is not None:
            self.on_plugins(own)
        loaded = {}
        for file in (*named, *more):
            if real_path(file) not in loaded:
                with self.naming_plugins() if file in named else nullcontext():
                    loaded[real_path(file)] = load_plugin(file).as_json()
        return tuple(loaded.values())

    @contextmanager
    def naming_plugins(self) -> Iterator[None]:
        """Say of a mistake that it is in what the study calls plugins."""
        try:
            yield
        except BadInput as mistake:
            raise self.refused(("plugins",), f"plugins: {mistake}") from None

    def check_beside(self, file: Path, given: set[Path]) -> None:
        """Refuse a plug-in elsewhere than beside the study, unless the user names it too."""
        beside = real_path(self.path.parent)
        if beside not in real_path(file).parents and real_path(file) not in given:
            raise self.refused(
                ("plugins",),
                f"plug-in '{file}' is not in the folder of the study, and would run as a program: "
                f"look at it, and if you trust it, add --plugin {shlex.quote(str(file))}",
            )

    def check_how_many(self, here: Where, command: str, given: dict[str, Any]) -> None:
        """Refuse numbers of games that say nothing beside the other arguments."""
        stops = "precision" if "precision" in given else "decide" if given.get("decide") else None
        if stops and "games" in given:
            sentence = f"games and {stops} do not go together; max_games limits the latter"
            raise self.refused((*here, "games"), sentence)
        if not stops and "max_games" in given and command != "ask":
            sentence = "max_games limits a run that stops by what it sees; games says how many"
            raise self.refused((*here, "max_games"), sentence)

    def check_told_apart(self, parts: Sequence[StudyPart]) -> None:
        """Refuse parts that have the same title."""
        first: dict[str, StudyPart] = {}
        for number, part in enumerate(parts):
            if part.title in first:
                line = first[part.title].line
                sentence = f"the title is that of the part in line {line} already"
                raise self.refused(("part", number, "title"), sentence)
            first[part.title] = part

    def check_playable(self, number: int, part: StudyPart) -> None:
        """Refuse what herdlab's function refuses, and say which key is to blame."""
        here: Where = ("part", number)
        if part.game is not None:
            try:
                find_game(part.game)
            except BadInput as mistake:
                where = here if "game" in self.at(here) else ()
                raise self.refused((*where, "game"), f"game: {mistake}") from None
        refused = refusal(part, self.functions)
        if refused is None:
            return
        blame = Blame(part, self.functions, refused)
        where = blame.place(here, self.at(here).get("rules", {}))
        sentence = blame.in_words_of_studies()
        if where != here:
            key = ".".join(str(one) for one in where if one not in here)
            sentence = f"{key}: {sentence}"
        raise self.refused(where, sentence, here)

    def at(self, here: Where) -> Any:
        """Return what stands somewhere."""
        found: Any = self.whole
        for key in here:
            found = found[key]
        return found

    def value(self, here: Where, key: str, *kinds: Kind, usually: Any = None) -> Any:
        """Return a value of one of some kinds; if there is none, what is `usually` meant."""
        value = self.at(here).get(key)
        if value is None:
            return usually
        fitting = [kind for kind in kinds if kind.fits(value)]
        if not fitting:
            words = " or ".join(kind.words for kind in kinds)
            is_several = isinstance(value, list | dict)
            got = json.dumps(value, default=str, ensure_ascii=False) if is_several else shown(value)
            got = f"'{value}'" if isinstance(value, str) else got
            raise self.refused((*here, key), f"'{key}' must be {words}, and got {got}")
        return int(value) if fitting[0] is WHOLE else value

    def refused(self, where: Where, why: "str | BadInput", here: Where = ()) -> BadInput:
        """Return a mistake with the line and the part in which it stands."""
        place, about = f"study '{self.path}'", here or where
        if where:
            place += f", line {self.lines[where]}"
        if about[:1] == ("part",) and len(about) > 1:
            number = int(about[1])
            table = self.at(("part", number))
            title = table.get("title") if isinstance(table, dict) else None
            place += f", part {number + 1}"
            place += f" ({' '.join(title.split())!r})" if title and isinstance(title, str) else ""
        return BadInput(f"{place}: {why}")
