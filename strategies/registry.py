"""The registry of strategies: how one is declared, found, given parameters and compiled."""

import dataclasses
import hashlib
import importlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcore.errors import BadInput, unknown
from simcore.game import Game, Player, find_game, games
from simcore.rules import Rules
from strategies.compiling import compile_strategy
from strategies.parameters import Another, Parameter, another, choice, number, switch

if TYPE_CHECKING:  # see simcore/game.py
    import numpy.typing as npt

__all__ = ["Parameter", "another", "choice", "number", "switch"]

ENTRY_POINTS = "herdlab.strategies"
BUILT_IN = "built in"
_NAME = re.compile(r"[a-z][a-z0-9-]*")


Values = Mapping[str, str]
"""Parameters as a user writes them, for declarations that depend on them."""


@dataclasses.dataclass(frozen=True)
class Strategy:
    """A strategy as declared: words, parameters, promises, and the function to compile."""

    game: str
    name: str
    words: str
    function: Callable[..., int]
    parameters: dict[str, Parameter]
    own_only: Callable[[Values], bool]
    """Whether it looks only at what is its own and the legal moves when it chooses a move."""
    deterministic: Callable[[Values], bool]
    observes: bool
    notebook: int
    make_data: "Callable[[Rules, Values], npt.NDArray[Any]] | None"
    check: Callable[[Rules, Values, int], None] | None
    """Raises BadInput if it cannot play by these rules, so set, with so many players."""
    source: str
    """BUILT_IN, or the file or distribution that it came from."""

    def read(
        self, text: str, settings: Iterable[str], within: tuple[Callable[..., int], ...] = ()
    ) -> tuple[float, ...]:
        """Return all parameters, with the `settings` of a player written as `text`.

        A strategy that is named by another knows `within` which ones it would play.
        """
        values = {key: parameter.default for key, parameter in self.parameters.items()}
        for setting in settings:
            key, equals, value = setting.partition("=")
            if not equals:
                raise BadInput(
                    f"a parameter is written {self.name}{'/' if within else ':'}name=value, and "
                    f"got '{setting}' in '{text}'"
                )
            if key not in self.parameters:
                raise unknown(f"parameter of {self.name}", key, self.parameters)
            values[key] = self.parameters[key].declared(self.name, key, value)
        for key, parameter in self.parameters.items():
            if isinstance(parameter, Another):
                self._check_named(key, parameter.show(values[key]), within)
        return tuple(values.values())

    def _check_named(
        self, key: str, text: str, within: tuple[Callable[..., int], ...] = ()
    ) -> None:
        """Refuse to name as `key` a strategy that is unknown, wrongly set or this one again."""
        one, settings = _find(find_game(self.game), text, "/")
        within = (*within, self.function)
        if one.function in within:
            raise BadInput(
                f"parameter {key} of {self.name} must name a strategy that does not lead back to "
                f"{self.name}, and got '{text}'"
            )
        one.read(text, settings, within)

    def seated(self, text: str, rules: Rules, values: tuple[float, ...], n_players: int) -> Player:
        """Return the strategy with parameters `values`, compiled, as the player called `text`.

        He sits down at a table of `n_players`.
        """
        self.check_table(text, rules, values, n_players)
        return self.set_up(text, rules, values)

    def set_up(self, text: str, rules: Rules, values: tuple[float, ...]) -> Player:
        """Return the same where the rules and the table have been looked at already."""
        import numpy as np

        from simcore.table import OBSERVES, OWN_ONLY

        written = self.written(values)
        data = np.zeros(0, dtype=np.uint8)
        try:
            own_only = self.own_only(written)
            if self.make_data is not None:
                made = np.ascontiguousarray(self.make_data(rules, written))
                data = made.ravel().view(np.uint8)
        except BadInput:
            raise
        except Exception as error:
            raise BadInput(
                f"strategy '{self.name}' in {self.source} cannot be set up: "
                f"{type(error).__name__}: {error}"
            ) from None
        if own_only and self.notebook:
            raise BadInput(
                f"strategy '{self.name}' in {self.source} promises to look only at what is its "
                f"own, and so cannot keep a notebook"
            )
        flags = (OWN_ONLY if own_only else 0) | (OBSERVES if self.observes else 0)
        return Player(text, compiled(self), values, flags, self.notebook, data)

    def check_table(
        self, text: str, rules: Rules, values: tuple[float, ...], n_players: int
    ) -> None:
        """Refuse rules, or a number of players, with which it cannot play."""
        if self.check is not None:
            try:
                self.check(rules, self.written(values), n_players)
            except BadInput as error:
                raise BadInput(f"strategy '{text}' {error}") from None
        for key, parameter in self.parameters.items():
            if isinstance(parameter, Another):
                its_text = self.written(values)[key]
                one, its_values = named(self.game, its_text)
                one.check_table(its_text, rules, its_values, n_players)

    def written(self, values: Iterable[float]) -> dict[str, str]:
        """Return all parameters as a user would write them."""
        pairs = zip(self.parameters.items(), values, strict=True)
        return {key: parameter.show(value) for (key, parameter), value in pairs}


@dataclasses.dataclass(frozen=True)
class Plugin:
    """A file of strategies, as it was read."""

    file: str
    """Its name, without the folder."""
    text: bytes
    source: str
    """Where it was read from, as its strategies say."""

    @property
    def sha256(self) -> str:
        """The hash of its text."""
        return hashlib.sha256(self.text).hexdigest()

    def as_json(self) -> dict[str, str]:
        """Return what a result says of it."""
        return {"file": self.file, "sha256": self.sha256}


_registered: dict[tuple[str, str], Strategy] = {}
_plugins: dict[str, Plugin] = {}
"""Those that were loaded, by hash."""
_compiled: dict[Callable[..., int], Any] = {}
_sources = [BUILT_IN]
"""Whose code is being run, innermost last."""


def strategy(
    game: str | tuple[str, ...],
    name: str,
    *,
    own_only: bool | Callable[[Values], bool] = False,
    deterministic: bool | Callable[[Values], bool] = False,
    observes: bool = False,
    notebook: int = 0,
    make_data: "Callable[[Rules, Values], npt.NDArray[Any]] | None" = None,
    check: Callable[[Rules, Values, int], None] | None = None,
    **parameters: Parameter,
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Register the decorated function ``choose(decision, view, me) -> int`` as a strategy.

    Its docstring's first line says what a human would do.  `own_only` promises that the choice of
    a move depends only on what is the player's own and on the legal moves: it is then shown
    nothing else, and plays several times as fast.  `deterministic` promises that it draws no
    luck.  Promises may be functions of the parameters' written values.  `check` raises BadInput
    if the strategy cannot play by the rules or with the number of players given, with a sentence
    that goes on after its name: "strategy 'bluffer' …".
    A strategy for several games has all their names.
    """

    def register(function: Callable[..., int]) -> Callable[..., int]:
        words = (inspect.getdoc(function) or "").split("\n\n")[0].replace("\n", " ")
        for one in (game,) if isinstance(game, str) else game:
            _add(
                Strategy(
                    one,
                    name,
                    words,
                    function,
                    parameters,
                    _promise(own_only),
                    _promise(deterministic),
                    observes,
                    notebook,
                    make_data,
                    check,
                    _sources[-1],
                )
            )
        return function

    return register


def member(game: str | tuple[str, ...], name: str, family: str, words: str, **values: str) -> None:
    """Register a strategy of a family under a name of its own: `family` with other defaults."""
    for one in (game,) if isinstance(game, str) else game:
        _add_member(one, name, family, words, values)


def _add_member(game: str, name: str, family: str, words: str, values: Values) -> None:
    if (game, family) not in _registered:
        raise unknown(f"family of {game}", family, [name for g, name in _registered if g == game])
    base = _registered[game, family]
    for key in values:
        if key not in base.parameters:
            raise unknown(f"parameter of {family}", key, base.parameters)
    parameters = {
        key: dataclasses.replace(p, default=p.declared(name, key, values[key]))
        if key in values
        else p
        for key, p in base.parameters.items()
    }
    _add(
        dataclasses.replace(
            base, name=name, words=words, parameters=parameters, source=_sources[-1]
        )
    )


def _promise(given: bool | Callable[[Values], bool]) -> Callable[[Values], bool]:
    return given if callable(given) else lambda values: bool(given)


def _add(new: Strategy) -> None:
    if not _NAME.fullmatch(new.name):
        raise BadInput(
            f"strategy name '{new.name}' in {new.source} must be lower-case letters, digits and "
            f"dashes, such as 'my-strategy'"
        )
    find_game(new.game)
    if type(new.notebook) is not int or new.notebook < 0:
        raise BadInput(
            f"strategy '{new.name}' in {new.source} must ask for a whole number of notebook slots, "
            f"and asks for '{new.notebook}'"
        )
    for key, parameter in new.parameters.items():
        if not isinstance(parameter, Parameter):
            raise BadInput(
                f"parameter {key} of strategy '{new.name}' in {new.source} must be declared with "
                f'number, choice, switch or another, such as {key}=number(2, "what it means")'
            )
        parameter.declared(new.name, key, parameter.show(parameter.default))
    if not new.words:
        raise BadInput(
            f"strategy '{new.name}' in {new.source} needs a docstring that says in a sentence "
            f"what a human would do"
        )
    taken = _registered.get((new.game, new.name))
    if taken is not None:
        raise BadInput(
            f"strategy name '{new.name}' in {new.source} is taken: {new.game} has one that is "
            f"{taken.source}" + ("" if taken.source == BUILT_IN else " as well")
        )
    parameters = {
        key: dataclasses.replace(one, check=new._check_named) if isinstance(one, Another) else one
        for key, one in new.parameters.items()
    }
    _registered[new.game, new.name] = dataclasses.replace(new, parameters=parameters)


def strategies_of(game: Game) -> dict[str, Strategy]:
    """Return all strategies of a game by name: built in, from entry points, from plug-ins."""
    importlib.import_module(f"strategies.{game.folder}")
    _load_entry_points()
    known = list(_registered.items())  # another thread may be loading a plug-in
    return {name: s for (of_game, name), s in known if of_game == game.name}


def read_line_up(game: Game, line_up: str) -> list[tuple[Strategy, str, tuple[float, ...]]]:
    """Return strategy, text and parameters of players written ``keeper,herder:keep_sheep=2``."""
    texts = [text.strip() for text in line_up.split(",")] if line_up.strip() else []
    game.check_players(len(texts))
    chosen = []
    for text in texts:
        one, settings = _find(game, text, ":")
        chosen.append((one, text, one.read(text, settings)))
    return chosen


def _find(game: Game, text: str, sign: str) -> tuple[Strategy, list[str]]:
    """Return the strategy and the settings of a player whose settings are parted by `sign`."""
    known = strategies_of(game)
    name, *settings = text.split(sign)
    if name not in known:
        raise unknown(f"strategy of {game.name}", name, known)
    return known[name], settings


def named(game: str, text: str) -> tuple[Strategy, tuple[float, ...]]:
    """Return the strategy, with its parameters, that another names as ``herder/keep_sheep=2``."""
    one, settings = _find(find_game(game), text, "/")
    return one, one.read(text, settings, (one.function,))


def named_player(game: str, rules: Rules, text: str) -> Player:
    """Return the same compiled, for the `make_data` of the strategy that names it."""
    one, values = named(game, text)
    return one.set_up(text, rules, values)


def check_line_up(game: Game, rules: Rules, line_up: str) -> None:
    """Refuse a wrong line-up; nothing is compiled for it."""
    chosen = read_line_up(game, line_up)
    rules.check_players(len(chosen))
    for one, text, values in chosen:
        one.check_table(text, rules, values, len(chosen))


def seat_players(game: Game, rules: Rules, line_up: str) -> list[Player]:
    """Return the players of a line-up, compiled."""
    chosen = read_line_up(game, line_up)
    return [one.seated(text, rules, values, len(chosen)) for one, text, values in chosen]


def load_plugin(path: Path) -> Plugin:
    """Run a plug-in file, which registers strategies; the very same text is run only once."""
    for game in games().values():  # first, so that what a plug-in imports of them is theirs
        strategies_of(game)
    try:
        text = path.read_bytes()
    except OSError as error:
        raise BadInput(f"plug-in '{path}' cannot be read: {error.strerror}") from None
    plugin = Plugin(path.name, text, str(path))
    there = _plugins.get(plugin.sha256)
    if there is not None and any(one.source == there.source for one in _registered.values()):
        return plugin
    spec = importlib.util.spec_from_file_location(f"herdlab_plugin_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise BadInput(f"plug-in '{path}' is no Python file: its name must end in .py")
    loader, module = spec.loader, importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module
    _run_from(plugin.source, lambda: loader.exec_module(module))
    _plugins[plugin.sha256] = plugin
    return plugin


def loaded_plugins(told: Iterable[Mapping[str, str]]) -> list[Plugin]:
    """Return plug-ins that were loaded, by their `as_json`.

    The same text may have been loaded from a file of another name before.
    """
    return [dataclasses.replace(_plugins[one["sha256"]], file=one["file"]) for one in told]


@cache
def _load_entry_points() -> None:
    for point in entry_points(group=ENTRY_POINTS):
        _run_from(f"package {point.value.split(':')[0]}", point.load)


def _run_from(source: str, load: Callable[[], Any]) -> None:
    """Run somebody's code that registers strategies, with `source` as their origin."""
    _sources.append(source)
    try:
        load()
    except BadInput:
        raise
    except SyntaxError as error:
        where = f" in line {error.lineno}" if error.lineno else ""
        raise BadInput(f"plug-in {source} has a syntax error{where}: {error.msg}") from None
    except (Exception, SystemExit) as error:
        raise BadInput(
            f"plug-in {source} cannot be loaded: {type(error).__name__}: {error}"
        ) from None
    finally:
        _sources.pop()


def compiled(one: Strategy) -> Any:
    """Return the strategy's function compiled to its game's signature, each compiled once."""
    if one.function not in _compiled:
        _compiled[one.function] = compile_strategy(
            one.function,
            find_game(one.game).engine.CHOOSE,
            f"'{one.name}' in {one.source}",
            is_plugin=one.source != BUILT_IN,
        )
    return _compiled[one.function]
