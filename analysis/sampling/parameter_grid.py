"""Grids of settings: what ``--vary`` says of a strategy's parameters and of the rules.

A variable is written ``keep_sheep=0:5:1`` (from, to, step; both ends belong to it) or
``dog=never,spare``.  A name that begins with ``rules.`` is a setting of the rules, any other a
parameter of the strategy.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import partial
from math import prod
from random import Random

import numpy as np

from herdlab.analysis.experiment import Experiment
from herdlab.simcore.errors import BadInput, find, match, respell_each, unknown
from herdlab.simcore.game import Game
from herdlab.strategies.registry import find_strategy
from herdlab.strategies.strategy import Strategy

MOST_POINTS = 500
RULES = "rules."
_LARGEST, _MOST_DECIMALS = 10**12, 12
"""Numbers of a range: far beyond what any parameter takes, and exact in decimals."""


@dataclass(frozen=True)
class Variable:
    """A parameter, or a setting of the rules, with the values that it takes one after another."""

    name: str
    texts: tuple[str, ...]
    """As a user would write them."""

    @property
    def is_rule(self) -> bool:
        """Whether it is a setting of the rules."""
        return self.name.startswith(RULES)

    @property
    def numbers(self) -> tuple[float, ...] | None:
        """The values as numbers, if they are numbers; as whole ones if all are."""
        try:
            numbers = tuple(float(text) for text in self.texts)
        except ValueError:
            return None
        are_whole = all(number.is_integer() for number in numbers)
        return tuple(map(int, numbers)) if are_whole else numbers


@dataclass(frozen=True)
class GridPoint:
    """A point of a grid: a player under certain rules."""

    values: dict[str, str]
    """By name of the variable."""
    player: str
    experiment: Experiment

    @property
    def title(self) -> str:
        """The point in words: ``keep_sheep=2, dog=never``."""
        return ", ".join(f"{name}={text}" for name, text in self.values.items())


@dataclass(frozen=True)
class Grid:
    """All combinations of the variables' values; of numbers `0 … size - 1`, the last fastest."""

    experiment: Experiment
    strategy: Strategy
    settings: dict[str, str]
    """The parameters that the strategy was given with, as written."""
    variables: tuple[Variable, ...]
    vary: tuple[str, ...]
    """The ``--vary`` texts in registered names."""

    @property
    def shape(self) -> tuple[int, ...]:
        """How many values each variable takes."""
        return tuple(len(variable.texts) for variable in self.variables)

    @property
    def size(self) -> int:
        """How many points there are."""
        return prod(self.shape)

    @property
    def given(self) -> str:
        """The strategy as it was given, as a player."""
        return self.strategy.called(self.settings)

    def places(self, number: int) -> list[int]:
        """Return for each variable which of its values point `number` has."""
        return [int(place) for place in np.unravel_index(number, self.shape)]

    def number(self, places: Sequence[int]) -> int:
        """Return the number of the point with such values."""
        return int(np.ravel_multi_index(tuple(places), self.shape))

    def point(self, number: int) -> GridPoint:
        """Return a point; refuse it if its rules are impossible."""
        places = zip(self.variables, self.places(number), strict=True)
        values = {variable.name: variable.texts[place] for variable, place in places}
        rules = {n.removeprefix(RULES): v for n, v in values.items() if n.startswith(RULES)}
        settings = {n: v for n, v in values.items() if not n.startswith(RULES)}
        player = self.strategy.called({**self.settings, **settings})
        try:
            experiment = self.experiment.under(**rules) if rules else self.experiment
        except BadInput as error:
            if len(rules) == 1:
                raise  # its own sentence names the setting and its value
            where = ", ".join(f"{RULES}{key}={value}" for key, value in rules.items())
            raise BadInput(f"at {where}: {error}") from None
        return GridPoint(values, player, experiment)

    def points(self) -> Iterator[GridPoint]:
        """Yield all points in order."""
        return map(self.point, range(self.size))

    def sample(self, many: int, seed: int) -> list[int]:
        """Return so many points of a larger grid, in order, such that each value gets its share.

        A Latin hypercube (McKay, Beckman and Conover 1979): each variable's values are dealt out
        evenly, in an order of their own.  One point is the strategy as it was given, if that is on
        the grid.  Points that come up twice are replaced by others.
        """
        rng = Random(seed)
        columns = []
        for variable in self.variables:
            values = len(variable.texts)
            dealt = [int((i + rng.random()) * values / many) for i in range(many)]
            keys = [rng.random() for _ in range(many)]
            columns.append([dealt[i] for i in sorted(range(many), key=keys.__getitem__)])
        given = self.given_place()
        dealt_points = [self.number(places) for places in zip(*columns, strict=True)]
        found = set(dealt_points if given is None else [given, *dealt_points[1:]])
        while len(found) < min(many, self.size):
            found.add(int(rng.random() * self.size))
        return sorted(found)

    def neighbours(self, number: int) -> list[int]:
        """Return the points one step away in one variable."""
        places = self.places(number)
        return [
            self.number([*places[:at], places[at] + step, *places[at + 1 :]])
            for at, values in enumerate(self.shape)
            for step in (-1, 1)
            if 0 <= places[at] + step < values
        ]

    def given_place(self) -> int | None:
        """Return the number of the point at which the strategy is as it was given, if any is."""
        _, *settings = self.given.split(":")
        written = self.strategy.written(self.strategy.read(self.given, settings))
        values = [(one.texts, written.get(one.name)) for one in self.variables]
        if any(value not in texts for texts, value in values):
            return None
        return self.number([texts.index(value) for texts, value in values if value is not None])


def read_player(game: Game, text: str) -> tuple[Strategy, dict[str, str]]:
    """Return strategy and parameters of one player, written ``herder:dog=never``."""
    text = text.strip()
    if "," in text:
        raise BadInput(f"one strategy is varied, and got '{text}'")
    one, settings = find_strategy(game, text)
    return one, one.parse(text, settings)[0]


def read_grid(
    experiment: Experiment,
    strategy: str,
    vary: Sequence[str],
    *,
    most_variables: int,
    most_points: int | None = MOST_POINTS,
    has_rules: bool = True,
) -> Grid:
    """Return the grid of a strategy and its ``--vary`` texts, or refuse it with a sentence.

    Without `most_points` only the values of each single variable are limited.
    """
    one, settings = read_player(experiment.game, strategy)
    if not 1 <= len(vary) <= most_variables:
        raise BadInput(
            f"--vary must name from 1 to {most_variables} variables, and got {len(vary)}"
        )
    found: dict[str, tuple[int, Iterable[str]]] = {}
    for text in vary:
        given, count, texts = _read_values(text)
        name = _find_name(experiment, one, given, has_rules)
        if name in found:
            raise BadInput(f"--vary has {name} twice: vary it once")
        found[name] = count, texts
    counts = [count for count, _ in found.values()]
    size, largest = prod(counts), max(counts)
    if most_points is not None and size > most_points:
        raise BadInput(f"--vary makes a grid of {size:,} points; at most {most_points}")
    if largest > MOST_POINTS:
        raise BadInput(f"--vary makes {largest:,} values of one variable; at most {MOST_POINTS}")
    variables, spelled = [], []
    for text, (name, (_, texts)) in zip(vary, found.items(), strict=True):
        spell = partial(one.spelled, name)
        if name.startswith(RULES):
            spell = partial(experiment.rules.spelled, name.removeprefix(RULES))
        variables.append(_variable(one, name, map(spell, texts)))
        given, _, written = text.partition("=")
        values = written if ":" in written else respell_each(written, spell)
        spelled.append(f"{given.replace(given.strip(), name)}={values}")
    return Grid(experiment, one, settings, tuple(variables), tuple(spelled))


def _read_values(text: str) -> tuple[str, int, Iterable[str]]:
    """Return the name and what is behind the equals sign: how many values, and these, unmade."""
    name, equals, written = (part.strip() for part in text.partition("="))
    values = [value.strip() for value in written.split(",")]
    is_range = ":" in written
    bounds = written.split(":")
    if not name or not equals or not all(values) or (is_range and len(bounds) != len("abc")):
        raise BadInput(
            f"--vary takes name=from:to:step or name=value,value, and got '{text.strip()}'"
        )
    if not is_range:
        return name, len(values), values
    first, last, step = (_read_number(name, bound) for bound in bounds)
    if step == 0:
        raise BadInput(f"the step of {name} must not be 0, and got '{written}'")
    if (last - first) * step < 0:
        way = "up" if last > first else "down"
        raise BadInput(f"the step of {name} must lead {way} from {first} to {last}, not by {step}")
    steps = int((last - first) // step) + 1
    # without an exponent and without zeros that say nothing
    return name, steps, (f"{(first + i * step).normalize() + 0:f}" for i in range(steps))


def _read_number(name: str, text: str) -> Decimal:
    try:
        value = Decimal(text.strip())
    except InvalidOperation:
        value = Decimal("nan")
    if value.is_finite():
        exponent = value.as_tuple().exponent
        if isinstance(exponent, int) and exponent >= -_MOST_DECIMALS and abs(value) <= _LARGEST:
            return value
    raise BadInput(
        f"from, to and step of {name} must be numbers of at most {_MOST_DECIMALS} digits before "
        f"and after the point, and got '{text.strip()}'"
    )


def _find_name(experiment: Experiment, one: Strategy, given: str, has_rules: bool) -> str:
    """Return the parameter or rule that was given in any case."""
    rules = experiment.rules.notes()
    if given.lower().startswith(RULES):
        if not has_rules:
            raise BadInput(
                f"only parameters of {one.name} can be tuned; '{given}' is a setting of the "
                f"rules, which 'herdlab sweep' can vary"
            )
        return RULES + find(f"rule of {experiment.game.name}", given[len(RULES) :], rules)
    name = match(given, one.parameters)
    if name is None:
        known = [*one.parameters, *(RULES + key for key in rules if has_rules)]
        raise unknown(f"parameter of {one.name}", given, known)
    return name


def _variable(one: Strategy, name: str, spelled: Iterable[str]) -> Variable:
    """Return a variable with its values read, each once."""
    texts: list[str] = []
    for value in spelled:
        if not name.startswith(RULES):
            value = one.parameters[name].show(one.value_of(name, value))  # noqa: PLW2901
        if value in texts:
            raise BadInput(f"--vary has the value {value} of {name} twice")
        texts.append(value)
    return Variable(name, tuple(texts))
