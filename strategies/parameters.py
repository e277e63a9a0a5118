"""The parameters of strategies: numbers, named values, and other strategies."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from herdlab.simcore.errors import BadInput, find, unknown
from herdlab.simcore.rules import shown


@dataclass(frozen=True, slots=True)
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
            option = find(f"value of parameter {key} of {who}", text, self.options)
            return float(self.options.index(option))
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

    @property
    def is_word(self) -> bool:
        """Whether a user writes a word, not a number."""
        return bool(self.options) or isinstance(self, Another)

    @property
    def allowed(self) -> str:
        """What a user may write, in words."""
        return " or ".join(self.options) or f"{self.low:g} to {self.high:g}"


_written: list[str] = []
"""The texts that name strategies; compiled code gets a text's place among them."""


def place_of(text: str) -> float:
    """Return the number that stands for a text in this process."""
    if text not in _written:
        _written.append(text)
    return float(_written.index(text))


@dataclass(frozen=True, slots=True)
class Another(Parameter):
    """A parameter that names another strategy of the same game: ``herder/dog=never``.

    Its number says nothing to compiled code: a strategy that names another has `make_data` set
    it up, see `strategies.registry.named` and `named_player`.
    """

    def read(self, who: str, key: str, text: str) -> float:
        """Return the number that `text` stands for in this process.

        It may name a strategy that is not there yet: `Strategy.value_of` looks for it.
        """
        return place_of(text)

    def show(self, value: float) -> str:
        """Return the strategy as a user would write it."""
        return _written[int(value)]

    @property
    def allowed(self) -> str:
        """What a user may write, in words."""
        return "a strategy, such as keeper or keeper/parameter=value"


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


def another(default: str, words: str) -> Parameter:
    """Declare a parameter that names another strategy of the game, its parameters after slashes."""
    return Another(place_of(default), words)


def name_and_values(text: str) -> tuple[str, dict[str, str]]:
    """Return the name and the settings of a member of a family, written ``calm:keep_pigs=2``."""
    name, *settings = text.split(":")
    return name, {key: value for key, _, value in (one.partition("=") for one in settings)}


def with_defaults(
    of_family: Mapping[str, Parameter], family: str, name: str, values: Mapping[str, str]
) -> dict[str, Parameter]:
    """Return the parameters of the member `name` of a family, with `values` as its defaults."""
    found = dict(of_family)
    for key, text in values.items():
        if key not in found:
            raise unknown(f"parameter of {family}", key, found)
        found[key] = replace(found[key], default=found[key].read(name, key, text))
    return found
