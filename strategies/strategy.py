"""A strategy as it was declared: its name, what can be set, what it promises."""

import copy
import dataclasses
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from herdlab.simcore.errors import BadInput, find
from herdlab.simcore.game import Player, find_game
from herdlab.simcore.rules import Rules
from herdlab.strategies.compiling import compile_strategy
from herdlab.strategies.foreign import foreign
from herdlab.strategies.parameters import Another, Parameter
from herdlab.strategies.plugins import BUILT_IN, Origin

if TYPE_CHECKING:  # see simcore/game.py
    import numpy.typing as npt

Values = Mapping[str, str]
"""Parameters as a user writes them, for declarations that depend on them."""
LARGEST_DATA = 1 << 30
"""Bytes of a strategy's data."""

_compiled: dict[Callable[..., int], Any] = {}
"""Never emptied: a strategy that names another holds only the address of its code."""


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
    slow: bool = False
    """Whether it is too slow to be entered in a tournament of all strategies."""
    origin: Origin = Origin(BUILT_IN, BUILT_IN)
    family: "Strategy | None" = None
    """The strategy whose function it plays, if it is a member of a family."""
    values: Values = dataclasses.field(default_factory=dict)
    """Its defaults that differ from those of its family."""

    @property
    def source(self) -> str:
        """BUILT_IN, or the file, package or module that it came from."""
        return self.origin.source

    @property
    def title(self) -> str:
        """What messages call it."""
        return f"strategy '{self.name}' in {self.source}"

    def parse(
        self,
        text: str,
        settings: Iterable[str],
        sign: str = ":",
        within: tuple[Callable[..., int], ...] = (),
    ) -> tuple[dict[str, str], tuple[float, ...]]:
        """Return the settings of the player `text` in registered names, and all parameters.

        Numbers stay as they were written.  `within` are the strategies that name this one.
        """
        given = self._by_name(text, settings, sign)
        values = []
        for key, parameter in self.parameters.items():
            value = parameter.default
            if key in given or isinstance(parameter, Another):
                value = self.value_of(key, given.get(key, parameter.show(value)), within)
            if key in given and parameter.is_word:
                given[key] = parameter.show(value)
            values.append(value)
        return given, tuple(values)

    def _by_name(self, text: str, settings: Iterable[str], sign: str) -> dict[str, str]:
        found: dict[str, str] = {}
        for setting in settings:
            written, equals, value = setting.partition("=")
            if not equals:
                raise BadInput(
                    f"a parameter is written {self.name}{sign}name=value, and got '{setting}' in "
                    f"'{text}'"
                )
            key = find(f"parameter of {self.name}", written, self.parameters)
            if key in found:
                raise BadInput(f"parameter {key} is set twice in '{text}': set it once")
            found[key] = value
        return found

    def read(self, text: str, settings: Iterable[str]) -> tuple[float, ...]:
        """Return all parameters, with the `settings` of a player written as `text`."""
        return self.parse(text, settings)[1]

    def called(self, settings: Values, sign: str = ":") -> str:
        """Return how a player with these settings is written."""
        return sign.join([self.name, *(f"{key}={value}" for key, value in settings.items())])

    def value_of(self, key: str, text: str, within: tuple[Callable[..., int], ...] = ()) -> float:
        """Return the number that `text` stands for as parameter `key`.

        Refuse another strategy that is unknown, wrongly set or leads back to this one.
        """
        from herdlab.strategies.registry import find_strategy

        if isinstance(self.parameters[key], Another):
            one, settings = find_strategy(find_game(self.game), text, "/")
            within = (*within, self.function)
            if one.function in within:
                raise BadInput(
                    f"parameter {key} of {self.name} must name a strategy that does not lead back "
                    f"to {self.name}, and got '{text}'"
                )
            text = one.called(one.parse(text, settings, "/", within)[0], "/")
        return self.parameters[key].read(self.name, key, text)

    def spelled(self, key: str, text: str) -> str:
        """Return a value of parameter `key` in registered names; a number stays as written."""
        value = self.value_of(key, text)
        return self.parameters[key].show(value) if self.parameters[key].is_word else text

    def seated(self, text: str, rules: Rules, values: tuple[float, ...], n_players: int) -> Player:
        """Return the strategy with parameters `values`, compiled, as the player called `text`.

        It sits down at a table of `n_players`.
        """
        self.check_table(text, rules, values, n_players)
        return self.set_up(text, rules, values)

    def set_up(self, text: str, rules: Rules, values: tuple[float, ...]) -> Player:
        """Return the same where the rules and the table have been looked at already."""
        import numpy as np

        from herdlab.simcore.table import OBSERVES, OWN_ONLY

        own_only = self.is_own_only(values)
        data = np.zeros(0, dtype=np.uint8)
        if self.make_data is not None:
            with foreign(self._cannot_be_set_up):
                made = np.asarray(self.make_data(self._copied(rules), self.written(values)))
                if made.nbytes > LARGEST_DATA:
                    raise self._cannot_be_set_up(
                        f"its data has {made.nbytes:,} bytes, and {LARGEST_DATA:,} is the most"
                    )
                data = made.ravel().view(np.uint8)
                if self._is_foreign:  # which may change it later
                    data = data.copy()
        if own_only and self.notebook:
            raise BadInput(
                f"{self.title} promises to look only at what is its own, and so cannot keep a "
                f"notebook"
            )
        flags = (OWN_ONLY if own_only else 0) | (OBSERVES if self.observes else 0)
        return Player(text, compiled(self), values, flags, self.notebook, data)

    def check_table(
        self, text: str, rules: Rules, values: tuple[float, ...], n_players: int
    ) -> None:
        """Refuse rules, or a number of players, with which it cannot play."""
        from herdlab.strategies.registry import named

        if self.check is not None:
            try:
                with foreign(lambda why: BadInput(f"cannot be checked: {why}")):
                    self.check(self._copied(rules), self.written(values), n_players)
            except BadInput as error:
                raise BadInput(f"strategy '{text}' {error}") from None
        for key, parameter in self.parameters.items():
            if isinstance(parameter, Another):
                its_text = self.written(values)[key]
                one, its_values = named(self.game, its_text)
                one.check_table(its_text, rules, its_values, n_players)

    def is_own_only(self, values: tuple[float, ...]) -> bool:
        """Whether it promises to look only at what is its own, with these parameters."""
        with foreign(self._cannot_be_set_up):
            return bool(self.own_only(self.written(values)))

    def is_deterministic(self, values: tuple[float, ...]) -> bool:
        """Whether it promises to draw no luck, with these parameters."""
        with foreign(self._cannot_be_set_up):
            return bool(self.deterministic(self.written(values)))

    def _cannot_be_set_up(self, why: str) -> BadInput:
        return BadInput(f"{self.title} cannot be set up: {why}")

    @property
    def _is_foreign(self) -> bool:
        return _author(self).source != BUILT_IN

    def _copied(self, rules: Rules) -> Rules:
        """Return rules that a plug-in may do with as it likes."""
        return copy.deepcopy(rules) if self._is_foreign else rules

    def written(self, values: Iterable[float]) -> dict[str, str]:
        """Return all parameters as a user would write them."""
        pairs = zip(self.parameters.items(), values, strict=True)
        return {key: parameter.show(value) for (key, parameter), value in pairs}


def compiled(one: Strategy) -> Any:
    """Return the strategy's function compiled to its game's signature, each compiled once."""
    if one.function not in _compiled:
        _compiled[one.function] = compile_strategy(
            one.function,
            find_game(one.game).engine.CHOOSE,
            f"'{one.name}' in {one.source}",
            is_plugin=one._is_foreign,
        )
    return _compiled[one.function]


def _author(one: Strategy) -> Strategy:
    """Return the strategy whose function it plays, which may be built in for a plug-in's member."""
    return one if one.family is None else _author(one.family)
