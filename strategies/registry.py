"""The registry of strategies: how one is declared, replaced, found and given parameters."""

import dataclasses
import importlib
import inspect
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from importlib.metadata import entry_points
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

from herdlab.simcore.errors import BadInput, Names, find, names_in, split_names, unknown
from herdlab.simcore.game import Game, Player, find_game, games
from herdlab.simcore.rules import Rules
from herdlab.simcore.safe_text import in_one_line
from herdlab.strategies import plugins
from herdlab.strategies.parameters import Parameter, name_and_values, with_defaults
from herdlab.strategies.plugins import BUILT_IN, Origin, Plugin
from herdlab.strategies.strategy import Strategy, Values

if TYPE_CHECKING:  # see simcore/game.py
    import numpy.typing as npt

ENTRY_POINTS = "herdlab.strategies"
ALL = "all"
"""Stands for all strategies in a tournament, so no strategy can have this name."""
_NOTEBOOK = "__main__"
"""The module of code that names none, such as a notebook's."""
LARGEST_NOTEBOOK = 1_000_000
"""Slots of a notebook, which is cleared before every game."""
_ARGUMENTS = 3
_NAME = re.compile(r"[a-z][a-z0-9-]*")
Seat = tuple[Strategy, str, tuple[float, ...]]
"""A strategy, how the player is written in registered names, and all parameters."""

_registered: dict[tuple[str, str], Strategy] = {}
_edition = 0


def edition() -> int:
    """Return a number that changes when a strategy is replaced or removed.

    A cache that is keyed by a strategy's name needs the edition in its key.
    """
    return _edition


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
    slow: bool = False,
    **parameters: Parameter,
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Register the decorated function ``choose(decision, view, me) -> int`` as a strategy.

    Its docstring's first line says what a human would do.  `own_only` promises that the choice of
    a move depends only on what is the player's own and on the legal moves: it is then shown
    nothing else, and plays several times as fast.  `deterministic` promises that it draws no
    luck.  Promises may be functions of the parameters' written values.  `check` raises BadInput
    if the strategy cannot play by the rules or with the number of players given, with a sentence
    that goes on after its name: "strategy 'bluffer' …".  `slow` keeps it out of tournaments of
    all strategies.  A strategy for several games has all their names.

    A module or notebook that registers a name again replaces its earlier strategy.
    """

    def register(function: Callable[..., int]) -> Callable[..., int]:
        words = in_one_line((inspect.getdoc(function) or "").split("\n\n")[0])
        where = plugins.origin(getattr(function, "__module__", None) or _NOTEBOOK)
        promises = _promise(own_only), _promise(deterministic)
        declared = partial(Strategy, "", name, words, function, parameters, *promises)
        new = declared(observes, notebook, make_data, check, slow, where)
        _add([dataclasses.replace(new, game=one) for one in _names_of(game)])
        return function

    return register


def member(game: str | tuple[str, ...], name: str, family: str, words: str, **values: str) -> None:
    """Register a strategy of a family under a name of its own: `family` with other defaults.

    It follows its family: when that is replaced, it plays as the new one.
    """
    _add_member(_caller(), game, name, family, words, values)


def members(game: str | tuple[str, ...], family: str, named: dict[str, str]) -> None:
    """Register strategies of a family, written as players are: ``{"calm:n=8": "Plays …"}``."""
    where = _caller()
    for text, words in named.items():
        name, values = name_and_values(text)
        _add_member(where, game, name, family, words, values)


def _caller() -> Origin:
    """Return the origin of whoever calls the function that calls this."""
    return plugins.origin(sys._getframe(2).f_globals.get("__name__", _NOTEBOOK))


def _add_member(
    where: Origin,
    game: str | tuple[str, ...],
    name: str,
    family: str,
    words: str,
    values: dict[str, str],
) -> None:
    new = []
    for one in _names_of(game):
        _load_earlier(where, one)
        known = {strategy: s for (of_game, strategy), s in _registered.items() if of_game == one}
        if family not in known:
            raise unknown(f"family of {one}", family, known)
        base: Strategy | None = known[family]
        while base is not None:
            if base.name == name:
                raise BadInput(f"strategy '{name}' cannot be of its own family, {family}")
            base = base.family
        new.append(_derived(known[family], name, words, values, where))
    _add(new)


def _names_of(game: str | tuple[str, ...]) -> list[str]:
    return [find_game(one).name for one in ((game,) if isinstance(game, str) else game)]


def _derived(family: Strategy, name: str, words: str, values: Values, where: Origin) -> Strategy:
    """Return a strategy of a family, with `values` as its defaults."""
    parameters = with_defaults(family.parameters, family.name, name, values)
    one = dataclasses.replace(family, name=name, words=in_one_line(words), parameters=parameters)
    return dataclasses.replace(one, origin=where, family=family, values=values)


def _promise(given: bool | Callable[[Values], bool]) -> Callable[[Values], bool]:
    return given if callable(given) else lambda values: bool(given)


def _add(all_new: list[Strategy]) -> None:
    """Register a strategy for all its games, or for none if one of them refuses it."""
    for new in all_new:
        _check(new)
    for new in all_new:
        _put(new)
    _settle()


def _check(new: Strategy) -> None:
    """Refuse a declaration that is wrong, or whose name is taken."""
    of_it = f"of {new.title}"
    if not _NAME.fullmatch(new.name) or new.name == ALL:
        raise BadInput(
            f"strategy name '{new.name}' in {new.source} must be lower-case letters, digits and "
            f"dashes, such as 'my-strategy', and not '{ALL}'"
        )
    if type(new.notebook) is not int or not 0 <= new.notebook <= LARGEST_NOTEBOOK:
        raise BadInput(
            f"{new.title} must ask for a whole number of notebook slots from 0 to "
            f"{LARGEST_NOTEBOOK:,}, and asks for '{new.notebook}'"
        )
    _check_function(new)
    for key, parameter in new.parameters.items():
        if not key.isidentifier() or not key.isprintable():
            raise BadInput(
                f"parameter '{key}' {of_it} must have a name of letters, digits and underscores"
            )
        if not isinstance(parameter, Parameter):
            raise BadInput(
                f"parameter {key} {of_it} must be declared with number, choice, switch or another, "
                f'such as {key}=number(2, "what it means")'
            )
        for option in parameter.options:
            if not option.isprintable():
                raise BadInput(
                    f"parameter {key} {of_it} has a value that cannot be printed: '{option}'"
                )
        parameter.read(new.name, key, parameter.show(parameter.default))
    if not new.words:
        raise BadInput(
            f"{new.title} needs a docstring that says in a sentence what a human would do"
        )
    _load_earlier(new.origin, new.game)
    taken = _registered.get((new.game, new.name))
    if taken is None or (new.origin.may_replace and new.origin.owner == taken.origin.owner):
        return
    theirs = "that is built in" if taken.source == BUILT_IN else f"from {_place(taken)}"
    raise BadInput(
        f"strategy name '{new.name}' in {_place(new)} is taken: {new.game} has one {theirs}; "
        f"choose another name"
    )


def _check_function(new: Strategy) -> None:
    """Refuse what is not a function of (decision, view, me)."""
    if not isinstance(new.function, FunctionType):
        raise BadInput(
            f"{new.title} must be a function, with no decorator but @strategy, and is a "
            f"{type(new.function).__name__}"
        )
    takes = inspect.signature(new.function).parameters
    plain = [
        one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD) and one.default is one.empty
        for one in takes.values()
    ]
    if plain != [True] * _ARGUMENTS:
        given = ", ".join(takes)
        raise BadInput(f"{new.title} must take (decision, view, me), and takes ({given})")


def _place(one: Strategy) -> str:
    plugin = one.origin.plugin
    return one.source if plugin is None else str(plugin.path)


def _load_earlier(where: Origin, game: str) -> None:
    """Load built-in strategies and packages before a notebook can take their names."""
    if where.source == BUILT_IN:
        return
    _load_built_in(find_game(game))
    if not plugins.is_running():
        _load_entry_points()


def _put(new: Strategy) -> None:
    global _edition  # noqa: PLW0603 (one registry a process)
    parameters = {
        key: dataclasses.replace(one, words=in_one_line(one.words))
        for key, one in new.parameters.items()
    }
    if (new.game, new.name) in _registered:
        _edition += 1
    _registered[new.game, new.name] = dataclasses.replace(new, parameters=parameters)


def _remove(one: Strategy) -> None:
    global _edition  # noqa: PLW0603
    _edition += 1
    del _registered[one.game, one.name]


def _settle() -> None:
    """Let members play as their families do now; remove those that no longer fit theirs."""
    if plugins.is_running():
        return

    def has_other_family(one: Strategy) -> bool:
        family = one.family
        return family is not None and _registered.get((one.game, family.name)) is not family

    while stale := [one for one in _registered.values() if has_other_family(one)]:
        for one in stale:
            assert one.family is not None
            family = _registered.get((one.game, one.family.name))
            _remove(one)
            if family is not None:
                with suppress(BadInput):
                    _put(_derived(family, one.name, one.words, one.values, one.origin))


def strategies_of(game: Game) -> dict[str, Strategy]:
    """Return all strategies of a game by name: built in, from entry points, from plug-ins."""
    _load_built_in(game)
    _load_entry_points()
    known = list(_registered.items())  # another thread may be loading a plug-in
    return {name: s for (of_game, name), s in known if of_game == game.name}


def _load_built_in(game: Game) -> None:
    importlib.import_module(f"herdlab.strategies.{game.folder}")


@cache
def _load_entry_points() -> None:
    for point in entry_points(group=ENTRY_POINTS):
        with plugins.running(f"package {point.value.split(':')[0]}"):
            point.load()


def load_plugin(path: Path) -> Plugin:
    """Run a plug-in file, which registers strategies; the same text runs only once.

    An edited file replaces everything it registered before.  If it fails, nothing changes.
    """
    for game in games().values():  # first, so that what a plug-in imports of them is theirs
        strategies_of(game)
    plugin = plugins.read_plugin(path)
    there = [(one, one.origin.plugin) for one in _registered.values()]
    loaded = [(one, its) for one, its in there if its is not None]
    earlier = [
        one for one, its in loaded if its.path == plugin.path and its.sha256 != plugin.sha256
    ]
    for one in earlier:
        _remove(one)
    try:
        if not any(its.sha256 == plugin.sha256 for _, its in loaded):
            plugin.run()
    except BaseException:
        for one in [one for one in _registered.values() if one.origin.plugin is plugin]:
            _remove(one)
        for one in earlier:
            _put(one)
        raise
    finally:
        _settle()
    plugins.keep_text(plugin)
    return plugin


def find_strategy(game: Game, text: str, sign: str = ":") -> tuple[Strategy, list[str]]:
    """Return the strategy and the settings of a player whose settings are parted by `sign`."""
    known = strategies_of(game)
    name, *settings = text.split(sign)
    return known[find(f"strategy of {game.name}", name, known)], settings


def _seat(game: Game, text: str, sign: str = ":") -> Seat:
    one, settings = find_strategy(game, text, sign)
    given, values = one.parse(text, settings, sign)
    return one, one.called(given, sign), values


def read_line_up(game: Game, line_up: Names) -> list[Seat]:
    """Return strategy, text and parameters of players such as ``herder:keep_sheep=2``."""
    texts = names_in(line_up)
    game.check_players(len(texts))
    return [_seat(game, text) for text in texts]


def spelled(game: Game, player: str) -> str:
    """Return a player with every name in the case it was registered in."""
    if len(split_names(player)) > 1:
        raise BadInput(f"one strategy is wanted here, and got '{player}'")
    return _seat(game, player.strip())[1]


def named(game: str, text: str) -> tuple[Strategy, tuple[float, ...]]:
    """Return the strategy, with its parameters, that another names as ``herder/keep_sheep=2``."""
    one, _, values = _seat(find_game(game), text, "/")
    return one, values


def named_player(game: str, rules: Rules, text: str) -> Player:
    """Return the same compiled, for the `make_data` of the strategy that names it."""
    one, its_text, values = _seat(find_game(game), text, "/")
    return one.set_up(its_text, rules, values)


def check_line_up(game: Game, rules: Rules, line_up: Names) -> None:
    """Refuse a wrong line-up; nothing is compiled for it."""
    chosen = read_line_up(game, line_up)
    rules.check_players(len(chosen))
    for one, text, values in chosen:
        one.check_table(text, rules, values, len(chosen))


def seat_players(game: Game, rules: Rules, line_up: Names) -> list[Player]:
    """Return the players of a line-up, compiled."""
    chosen = read_line_up(game, line_up)
    return [one.seated(text, rules, values, len(chosen)) for one, text, values in chosen]
