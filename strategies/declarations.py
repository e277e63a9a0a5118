"""What strategies declare, read from their files without running them.

Tab completion needs names, words and parameters at once, and importing a strategy brings numba.
So this runs the declarations alone: ``@strategy(…)`` without the function's body, ``member(…)``,
and the constants that they use.  A declaration that is not plain (it calls a method, say) is left
out.  Pressing Tab therefore never runs what else is in a plug-in.
"""

import ast
import builtins
import inspect
import warnings
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from herdlab.simcore.game import Game
from herdlab.strategies.parameters import (
    Parameter,
    another,
    choice,
    name_and_values,
    number,
    switch,
    with_defaults,
)
from herdlab.strategies.registry import ENTRY_POINTS, strategy

_PACKAGE = Path(__file__).parent.parent
_DECLARING = ("herdlab.strategies", "herdlab.strategies.registry", "herdlab.strategies.parameters")
"""Where the functions that declare are imported from."""
_PROMISES = [
    one.name
    for one in inspect.signature(strategy).parameters.values()
    if one.kind is one.KEYWORD_ONLY
]
"""What ``@strategy`` takes beside parameters; nobody completes it."""
_HARMLESS = ("dict", "enumerate", "float", "int", "len", "list", "range", "str", "tuple", "zip")
_PLAIN = (
    *(ast.Expr, ast.Assign, ast.AnnAssign, ast.For, ast.Name, ast.Constant, ast.expr_context),
    *(ast.Call, ast.keyword, ast.Starred, ast.JoinedStr, ast.FormattedValue),
    *(ast.Tuple, ast.List, ast.Dict, ast.Subscript, ast.Slice),
    *(ast.ListComp, ast.DictComp, ast.GeneratorExp, ast.comprehension),
    *(ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.UnaryOp, ast.USub),
)


@dataclass(frozen=True)
class Declared:
    """A strategy as far as a user can name it."""

    name: str
    words: str
    parameters: dict[str, Parameter]


def declared_strategies(game: Game, plugins: Iterable[Path] = ()) -> dict[str, Declared]:
    """Return all strategies of a game by name: built in, from entry points, from plug-ins."""
    found = _Declarations()
    for file in sorted((_PACKAGE / "strategies" / game.folder).glob("*.py")):
        found.read(file)
    for point in entry_points(group=ENTRY_POINTS):
        for file in _files(point.value.partition(":")[0]):
            found.read(file)
    for file in plugins:
        found.read(file)
    return {name: one for (of_game, name), one in found.known.items() if of_game == game.name}


def _files(module: str) -> Iterator[Path]:
    """Return the file of a module, or all files of a package, without importing either."""
    top, *below = module.split(".")
    spec = find_spec(top)
    if spec is None or spec.origin is None:
        return
    place = Path(spec.origin)
    if place.name == "__init__.py":
        place = place.parent.joinpath(*below)
        if place.is_dir():
            yield from sorted(place.glob("*.py"))
            return
        place = place.with_suffix(".py")
    yield place


class _Declarations:
    """Stands in for the registry while declarations are read."""

    def __init__(self) -> None:
        self.known: dict[tuple[str, str], Declared] = {}

    def read(self, file: Path) -> None:
        """Add what a file declares; nothing if it cannot be read."""
        tree = _parsed(file)
        declarations = [one for one in map(_declaration, tree.body) if one is not None]
        tools: dict[str, Any] = {
            one.__name__: one for one in (self.strategy, self.member, self.members)
        }
        space = _constants(tree, _names(declarations), tools)
        for one in declarations:
            _run(one, space)

    def strategy(
        self, game: str | tuple[str, ...], name: str, **parameters: Parameter
    ) -> Callable[[Callable[..., int]], Callable[..., int]]:
        """Note what `strategies.registry.strategy` registers."""

        def note(function: Callable[..., int]) -> Callable[..., int]:
            words = inspect.cleandoc(function.__doc__ or "").split("\n\n")[0].replace("\n", " ")
            for one in (game,) if isinstance(game, str) else game:
                self.known[one, name] = Declared(name, words, parameters)
            return function

        return note

    def member(
        self, game: str | tuple[str, ...], name: str, family: str, words: str, **values: str
    ) -> None:
        """Note what `strategies.registry.member` registers."""
        for one in (game,) if isinstance(game, str) else game:
            of_family = self.known[one, family].parameters
            parameters = with_defaults(of_family, family, name, values)
            self.known[one, name] = Declared(name, words, parameters)

    def members(self, game: str | tuple[str, ...], family: str, named: dict[str, str]) -> None:
        """Note what `strategies.registry.members` registers."""
        for text, words in named.items():
            name, values = name_and_values(text)
            self.member(game, name, family, words, **values)


@cache
def _parsed(file: Path) -> ast.Module:
    """Return a file's syntax; that of an empty file if it cannot be read."""
    try:
        if file.is_file():  # a pipe or a device may never end
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        pass
    return ast.Module(body=[], type_ignores=[])


def _declaration(statement: ast.stmt) -> ast.stmt | None:
    """Return the part of a statement that declares strategies; None if it declares none."""
    if isinstance(statement, ast.FunctionDef):
        calls = [one for one in statement.decorator_list if isinstance(one, ast.Call)]
        calls = [one for one in calls if _names([one.func]) == {"strategy"}]
        if not calls:
            return None
        for call in calls:
            call.keywords = [one for one in call.keywords if one.arg not in _PROMISES]
        bare = copy(statement)
        bare.args, bare.returns = ast.arguments([], [], None, [], [], None, []), None
        bare.body = [ast.Expr(ast.Constant(ast.get_docstring(statement) or ""))]
        bare.decorator_list = list(calls)
        return bare
    declares = _names([statement]) & {"member", "members"}
    if isinstance(statement, ast.Expr | ast.For) and declares:
        return statement
    return None


def _names(nodes: Iterable[ast.AST]) -> set[str]:
    return {one.id for node in nodes for one in ast.walk(node) if isinstance(one, ast.Name)}


def _constants(tree: ast.Module, wanted: set[str], tools: dict[str, Any]) -> dict[str, Any]:
    """Return the `wanted` names of a file: its own constants, and what it imports.

    `tools` are what declares strategies, by the names they have in the registry.
    """
    chosen: list[ast.stmt] = []
    for statement in reversed(tree.body):
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            if _names(targets) & wanted:
                chosen.append(statement)
                wanted = wanted | _names([statement.value])
    harmless = {name: getattr(builtins, name) for name in _HARMLESS}
    space: dict[str, Any] = {"__builtins__": harmless}
    tools = {"number": number, "choice": choice, "switch": switch, "another": another, **tools}
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module and not statement.level:
            for alias in statement.names:
                name = alias.asname or alias.name
                if name not in wanted:
                    continue
                if statement.module in _DECLARING:
                    space[name] = tools.get(alias.name)
                else:
                    space[name] = _constant(statement.module, alias.name)
    for statement in reversed(chosen):
        _run(statement, space)
    return space


def _constant(module: str, name: str) -> Any:
    """Return a constant of one of herdlab's own modules; None if it has none of this name."""
    top, *parts = module.split(".")
    if top != "herdlab" or not parts:
        return None
    file = _PACKAGE.joinpath(*parts).with_suffix(".py")
    return _constants(_parsed(file), {name}, {}).get(name)


def _run(statement: ast.stmt, space: dict[str, Any]) -> None:
    """Run a statement if it is plain; leave out one that fails."""
    parts: list[ast.AST] = [statement]
    if isinstance(statement, ast.FunctionDef):  # without a body, see `_declaration`
        parts = list(statement.decorator_list)
    if not all(isinstance(one, _PLAIN) for part in parts for one in ast.walk(part)):
        return
    module = ast.fix_missing_locations(ast.Module(body=[statement], type_ignores=[]))
    try:
        exec(compile(module, "<declared>", "exec"), space)
    except Exception:  # an error would land in the middle of the user's line
        return
