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
from typing import Any

import numpy as np
import numpy.typing as npt

from simcore.errors import BadInput, unknown
from simcore.game import Game, Player, find_game, games
from simcore.rules import Rules, shown

ENTRY_POINTS = "herdlab.strategies"
BUILT_IN = "built in"
_NAME = re.compile(r"[a-z][a-z0-9-]*")


@dataclasses.dataclass(frozen=True, slots=True)
class Parameter:
    """A number of a strategy that a user can set; choices are numbered from 0."""

    default: float
    words: str
    options: tuple[str, ...] = ()
    low: float = -1e9
    high: float = 1e9
    is_whole: bool = True

    def read(self, who: str, key: str, text: str) -> float:
        """Return the number that `text` stands for."""
        if self.options:
            if text not in self.options:
                raise unknown(f"value of parameter {key} of {who}", text, self.options)
            return float(self.options.index(text))
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not self.low <= value <= self.high or (self.is_whole and value != int(value)):
            kind = "a whole number" if self.is_whole else "a number"
            raise BadInput(
                f"parameter {key} of {who} must be {kind} from {self.low:g} to {self.high:g}, "
                f"and got '{text}'"
            )
        return value

    def show(self, value: float) -> str:
        """Return `value` as a user would write it."""
        return self.options[int(value)] if self.options else f"{value:.15g}"


def number(
    default: float, words: str, *, low: float = 0, high: float = 99, whole: bool = True
) -> Parameter:
    """Declare a parameter that is a number."""
    return Parameter(default, words, (), low, high, whole)


def choice(default: str, options: Iterable[str], words: str) -> Parameter:
    """Declare a parameter with named values; compiled code gets the value's place in `options`."""
    options = tuple(options)
    return Parameter(float(options.index(default)), words, options)


def switch(default: bool, words: str) -> Parameter:
    """Declare a parameter that is true or false; compiled code gets 1 or 0."""
    return choice(shown(default), ("false", "true"), words)


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
    make_data: Callable[[Rules, Values], npt.NDArray[Any]] | None
    check: Callable[[Rules, Values, int], None] | None
    """Raises BadInput if it cannot play by these rules, so set, with so many players."""
    source: str
    """BUILT_IN, or the file or distribution that it came from."""

    def read(self, text: str, settings: Iterable[str]) -> tuple[float, ...]:
        """Return all parameters, with the `settings` of a player written as `text`."""
        values = {key: parameter.default for key, parameter in self.parameters.items()}
        for setting in settings:
            key, equals, value = setting.partition("=")
            if not equals:
                raise BadInput(
                    f"a parameter is written {self.name}:name=value, and got '{setting}' in "
                    f"'{text}'"
                )
            if key not in self.parameters:
                raise unknown(f"parameter of {self.name}", key, self.parameters)
            values[key] = self.parameters[key].read(self.name, key, value)
        return tuple(values.values())

    def seated(self, text: str, rules: Rules, values: tuple[float, ...], n_players: int) -> Player:
        """Return the strategy with parameters `values`, compiled, as the player called `text`.

        He sits down at a table of `n_players`.
        """
        from simcore.table import OBSERVES, OWN_ONLY

        self.check_table(text, rules, values, n_players)
        written = self.written(values)
        data = np.zeros(0, dtype=np.uint8)
        try:
            own_only = self.own_only(written)
            if self.make_data is not None:
                made = np.ascontiguousarray(self.make_data(rules, written))
                data = made.ravel().view(np.uint8)
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

    def written(self, values: Iterable[float]) -> dict[str, str]:
        """Return all parameters as a user would write them."""
        pairs = zip(self.parameters.items(), values, strict=True)
        return {key: parameter.show(value) for (key, parameter), value in pairs}


_registered: dict[tuple[str, str], Strategy] = {}
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
    make_data: Callable[[Rules, Values], npt.NDArray[Any]] | None = None,
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
        key: dataclasses.replace(p, default=p.read(name, key, values.get(key, p.show(p.default))))
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
                f'number, choice or switch, such as {key}=number(2, "what it means")'
            )
        parameter.read(new.name, key, parameter.show(parameter.default))
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
    _registered[new.game, new.name] = new


def strategies_of(game: Game) -> dict[str, Strategy]:
    """Return all strategies of a game by name: built in, from entry points, from plug-ins."""
    importlib.import_module(f"strategies.{game.folder}")
    _load_entry_points()
    return {name: s for (of_game, name), s in _registered.items() if of_game == game.name}


def read_line_up(game: Game, line_up: str) -> list[tuple[Strategy, str, tuple[float, ...]]]:
    """Return strategy, text and parameters of players written ``keeper,herder:keep_sheep=2``."""
    known = strategies_of(game)
    texts = [text.strip() for text in line_up.split(",")] if line_up.strip() else []
    game.check_players(len(texts))
    chosen = []
    for text in texts:
        name, *settings = text.split(":")
        if name not in known:
            raise unknown(f"strategy of {game.name}", name, known)
        chosen.append((known[name], text, known[name].read(text, settings)))
    return chosen


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


def load_plugin(path: Path) -> str:
    """Run a plug-in file, which registers strategies; return the hash of its text."""
    for game in games().values():  # first, so that what a plug-in imports of them is theirs
        strategies_of(game)
    try:
        text = path.read_bytes()
    except OSError as error:
        raise BadInput(f"plug-in '{path}' cannot be read: {error.strerror}") from None
    spec = importlib.util.spec_from_file_location(f"herdlab_plugin_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise BadInput(f"plug-in '{path}' is no Python file: its name must end in .py")
    loader, module = spec.loader, importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module
    _run_from(str(path), lambda: loader.exec_module(module))
    return hashlib.sha256(text).hexdigest()


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
        _compiled[one.function] = _compile(one)
    return _compiled[one.function]


def _compile(one: Strategy) -> Any:
    """Compile a strategy; refuse one that does not compile or whose answer is no integer.

    A plug-in is compiled afresh in every process and with its indexes checked: it is somebody's
    first try, it may import files that no cache knows of, and it takes a fraction of a second.
    """
    import numba
    from numba import types

    from simcore._jit import strategy_options

    signature = find_game(one.game).engine.CHOOSE
    options = strategy_options(is_plugin=one.source != BUILT_IN)
    try:
        function = numba.njit(signature.args, **options)(one.function)
        answer = function.nopython_signatures[0].return_type
        if isinstance(answer, types.Integer | types.Boolean) and answer != types.int64:
            function = numba.njit(signature, **options)(one.function)
            answer = types.int64
    except Exception as error:  # numba's own errors have no common base
        raise BadInput(
            f"strategy '{one.name}' in {one.source} does not compile: {_reason(error)}"
        ) from None
    if answer != types.int64:
        raise BadInput(
            f"strategy '{one.name}' in {one.source} must return a whole number on every path, and "
            f"returns {_in_words(answer)}"
        )
    return function


def _in_words(answer: Any) -> str:
    """Return what a compiled type is to somebody who writes Python."""
    name = str(answer)
    if "str" in name.lower() or "unicode" in name.lower():
        return "text"
    if "none" in name.lower() or "optional" in name.lower():
        return "nothing on some path"
    return "a float" if name.startswith("float") else name


def _reason(error: Exception) -> str:
    """Return the telling line of a compiler's message."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    if "NRT required" in text or re.search(r"function (zeros|ones|empty|full|array|arange)>", text):
        return (
            "it makes an array, list or other object while it plays; keep numbers in me.notebook "
            "instead"
        )
    if "Cannot modify readonly array" in text:
        return "it writes to what it is only shown; a strategy writes nothing but me.notebook"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith(("Failed in", "File ", "-", "During"))]
    return (telling or lines or [type(error).__name__])[0].rstrip(":")
