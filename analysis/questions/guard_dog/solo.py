"""What a Guard Dog is worth to a player alone who plays perfectly: exact, in turns.

Buying one gives a rabbit, a sheep and the turn's trade for a dog.  With the values of all herds
(`strategies.herd.solved`) both sides can be weighed for every herd there is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from herdlab.analysis.exact.state_frequencies import (
    StateFrequencies,
    after_column,
    state_frequencies,
)
from herdlab.simcore.herd.finishing import near, unbeaten
from herdlab.simcore.herd.lattice import (
    BOUND,
    NONE,
    ROLLED_ONLY,
    SAME_RABBITS,
    SOLD,
    Lattice,
    lattice_of,
)
from herdlab.simcore.herd.position import Herd
from herdlab.simcore.herd.rules import (
    ANIMALS,
    COW,
    DOG,
    HORSE,
    NO_TRADE,
    PIG,
    RABBIT,
    SHEEP,
    TO_DOG,
    HerdRules,
)

if TYPE_CHECKING:
    from herdlab.simcore.herd.exact import Optimum

NOTEWORTHY = 1e-9
"""Turns below which one move is not faster than another, whatever the last digits are."""
STAGES = ("rabbits only", "sheep or pigs", "a cow or a horse")
_MOST_SHEEP = 8
"""Sheep up to which the map goes."""

Floats = npt.NDArray[np.float64]
Herds = npt.NDArray[np.int64]
T = TypeVar("T")


@dataclass(frozen=True)
class Buying:
    """A dog weighed against what one gives for it, in turns."""

    worth: float
    """What the dog saves."""
    price: float
    """What the rabbit, the sheep and the trade would have saved otherwise."""
    herd: Herd | None = None
    """With which herd; None: on average over the turns in which one can be bought."""

    @property
    def gain(self) -> float:
        """What buying saves; less than nothing where it is wrong."""
        return self.worth - self.price


@dataclass(frozen=True)
class Stage:
    """A part of the game, by what one owns, and what a dog is worth in it."""

    name: str
    turns: float
    """How many of a game's turns begin in it."""
    owning: float
    """What a dog saves, averaged over these turns."""
    herd: Herd
    """The herd one has most often in it, without a dog."""
    of_herd: float
    """What a dog saves with that herd."""


@dataclass(frozen=True)
class Hazard:
    """A fox or a wolf: how often one meets it in a game, and what it costs in turns."""

    name: str
    met_without: float
    met_with: float
    costs_without: float | None
    """None where it is never met."""
    costs_with: float | None


@dataclass(frozen=True)
class Exact:
    """All that is known about dogs under certain rules."""

    rules: HerdRules
    turns: dict[str, float]
    """Mean turns of perfect play with dogs sold, rolled only, none."""
    moments: int
    """Herds with which a dog can be bought."""
    right: int
    """Those of them with which that is the fastest move before the roll."""
    is_ever_bought: bool
    """Whether perfect play buys with any herd at all, before or after the roll."""
    best: Buying
    """Where buying gains most, or costs least."""
    usual: Buying
    """On average over the turns of perfect play in which it can buy."""
    most_owned: float
    """What a dog is worth at the very most."""
    has_dog: float
    """The share of turns that begin with a dog, with perfect play that never buys one."""
    stages: list[Stage]
    hazards: list[Hazard]
    maps: dict[str, list[list[float | None]]]
    """By what one has beside: what buying saves with 1, 2, … rabbits (rows) and sheep."""
    owning_map: list[list[float]]
    """What a dog saves with 1, 2, … rabbits (rows) and 0, 1, … sheep, and nothing more."""

    @property
    def buying(self) -> float:
        """Turns that perfect play saves by being able to buy."""
        return self.turns[ROLLED_ONLY] - self.turns[SOLD]

    @property
    def free(self) -> float:
        """Turns that it saves by the dogs that the dice give."""
        return self.turns[NONE] - self.turns[ROLLED_ONLY]

    def as_data(self) -> dict[str, Any]:
        """Return it for JSON."""
        return {
            "turns": self.turns,
            "herds_that_can_buy": self.moments,
            "herds_that_should": self.right,
            "best": {"herd": self.best.herd, "gain": self.best.gain},
            "when_one_can_buy": {"worth": self.usual.worth, "price": self.usual.price},
            "worth_at_most": self.most_owned,
            "turns_with_a_dog": self.has_dog,
            "stages": [vars(one) for one in self.stages],
            "hazards": [vars(one) for one in self.hazards],
            "maps": self.maps,
            "owning_map": self.owning_map,
        }


def has_dogs(rules: HerdRules) -> bool:
    """Whether there is a dog for anybody to have (H1, H7)."""
    return min(rules.dogs, rules.max_dogs) > 0


def shows_dog(rules: HerdRules) -> bool:
    """Whether the dice can give one (H6, H10)."""
    return ANIMALS[DOG] in {*rules.wolf_die, *rules.fox_die}


def exactly_worth(rules: HerdRules) -> Exact | None:
    """Work out what dogs are worth, where there are dogs; None where a game may never end."""
    from herdlab.strategies.herd import solved

    sold = solved.optimum(rules, SOLD)
    if not isfinite(sold.mean):
        return None
    lattice = sold.lattice
    can_buy = (lattice.trades >> TO_DOG) & 1
    herds = np.flatnonzero(can_buy & (lattice.counts[DOG] == 0))
    gains, worths = _buying(sold, sold.rolling, herds)
    phases = sold.rolling, sold.before  # what a trade before the roll leads to, and one after it
    most = max(_buying(sold, values, np.flatnonzero(can_buy))[0].max() for values in phases)
    is_ever_bought = bool(most > NOTEWORTHY)
    rolled_only = solved.optimum(rules, ROLLED_ONLY) if is_ever_bought else sold
    none = solved.optimum(rules, NONE) if shows_dog(rules) else rolled_only
    played = state_frequencies(lattice, sold.policy())
    unbought = (
        state_frequencies(rolled_only.lattice, rolled_only.policy()) if is_ever_bought else played
    )
    owning, by_herd = _owning(sold), dict(zip(herds.tolist(), gains.tolist(), strict=True))
    best = int(gains.argmax())
    worth = float(worths[best])
    return Exact(
        rules=rules,
        turns={SOLD: sold.mean, ROLLED_ONLY: rolled_only.mean, NONE: none.mean},
        moments=len(herds),
        right=int((gains > NOTEWORTHY).sum()),
        is_ever_bought=is_ever_bought,
        best=Buying(worth, worth - float(gains[best]), _herd(lattice, int(herds[best]))),
        usual=_average(worths, gains, played.begun[herds]),
        most_owned=float(owning.max(initial=0.0)),
        has_dog=float(unbought.begun[lattice.counts[DOG] > 0].sum() / unbought.begun.sum()),
        stages=_stages(lattice, owning, played),
        hazards=_hazards(sold, played),
        maps={
            " and ".join(f"a {ANIMALS[animal]}" for animal in more) or "nothing more": _grid(
                lattice, by_herd.get, 1, more
            )
            for more in ((), (PIG,), (PIG, COW))
            if all(lattice.most[animal] for animal in more)
        },
        owning_map=_grid(lattice, owning.tolist().__getitem__, 0),
    )


def race_gain(rules: HerdRules, players: int) -> float:
    """Return the chance that buying adds against others who play perfectly, seats averaged.

    The fastest mean is not the best chance.  The best play against rivals of a known pace is worked
    out twice, with dogs for sale and without; those who race never meet.
    """
    from herdlab.simcore.herd.exact import best_response
    from herdlab.strategies.herd import solved

    pace = [solved.solo(rules, "optimal").distribution] * (players - 1)
    chances = near(np.mean([unbeaten(pace, seat) for seat in range(players)], axis=0))
    sold, unsold = (
        best_response(lattice_of(rules, dogs), chances).chance for dogs in (SOLD, ROLLED_ONLY)
    )
    return sold - unsold


def _buying(sold: "Optimum", values: Floats, herds: Herds) -> tuple[Floats, Floats]:
    """Return what buying saves with each of the herds, and what the dog does of that."""
    lattice = sold.lattice
    otherwise = values[herds].copy()
    for trade in range(NO_TRADE + 1, TO_DOG):
        can = np.flatnonzero((lattice.trades[herds] >> trade) & 1)
        reached = values[herds[can] + lattice.steps[trade]]
        otherwise[can] = np.minimum(otherwise[can], reached)
    bought = herds + lattice.steps[TO_DOG]
    paid = bought - lattice.strides[DOG]
    return _less(otherwise, values[bought]), _less(values[paid], values[bought])


def _less(slow: Floats, fast: Floats) -> Floats:
    """Return the difference; that of two herds that never finish is none."""
    both = np.isinf(slow) & np.isinf(fast)
    return np.subtract(slow, fast, out=np.zeros_like(slow), where=~both)


def _average(worths: Floats, gains: Floats, often: Floats) -> Buying:
    total = often.sum()
    if not total:
        return Buying(0.0, 0.0)
    worth, gain = (float(each @ often / total) for each in (worths, gains))
    return Buying(worth, worth - gain)


def _herd(lattice: Lattice, number: int) -> Herd:
    return tuple(int(n) for n in lattice.counts[:, number])


def _owning(sold: "Optimum") -> Floats:
    """Return by herd without a dog what having one would save."""
    lattice = sold.lattice
    owning = np.zeros(lattice.size)
    without = np.flatnonzero((lattice.counts[DOG] == 0) & ~lattice.complete)
    saved = _less(sold.before[without], sold.before[without + lattice.strides[DOG]])
    owning[without] = np.where(saved > NOTEWORTHY, saved, 0.0)
    return owning


def _stages(lattice: Lattice, owning: Floats, played: StateFrequencies) -> list[Stage]:
    """Return the stages of the game as perfect play goes through them, with a dog or without."""
    counts = lattice.counts
    without = np.arange(lattice.size) - counts[DOG] * lattice.strides[DOG]
    often = np.bincount(without, played.begun, lattice.size)
    is_late = (counts[COW] > 0) | (counts[HORSE] > 0)
    has_more = (counts[SHEEP] > 0) | (counts[PIG] > 0)
    found = []
    for name, inside in zip(
        STAGES, (~is_late & ~has_more, ~is_late & has_more, is_late), strict=True
    ):
        turns = np.where(inside, often, 0.0)
        if not turns.sum():  # such as rabbits only, where all begin with a sheep (H3)
            continue
        most = int(turns.argmax())
        mean = float(turns @ owning / turns.sum())
        herd = _herd(lattice, most)
        found.append(Stage(name, float(turns.sum()), mean, herd, float(owning[most])))
    return found


def _hazards(sold: "Optimum", played: StateFrequencies) -> list[Hazard]:
    """Return what foxes and wolves cost perfect play, beside a roll that does nothing."""
    from herdlab.simcore.herd.sweeps import value_trades

    lattice, columns = sold.lattice, sold.lattice.columns
    free = np.zeros(lattice.size)
    moves = np.zeros(lattice.size, dtype=np.uint8)
    value_trades(-sold.before, lattice.trades, lattice.steps, free, moves)
    herds = np.flatnonzero(played.rolled)
    often, has_dog = played.rolled[herds], lattice.counts[DOG, herds] > 0
    found = []
    for name, at in _hazard_columns(lattice).items():
        met, cost = np.zeros(2), np.zeros(2)
        for column in at:
            values = sold.before if columns.after[column] == BOUND else -free
            there = after_column(lattice, herds, column)
            chances = columns.chances[column] * often
            met += np.bincount(has_dog, chances, 2)
            cost += np.bincount(has_dog, chances * _less(values[there], values[herds]), 2)
        each = [float(c / n) if n else None for c, n in zip(cost, met, strict=True)]
        found.append(Hazard(name, float(met[0]), float(met[1]), each[0], each[1]))
    return found


def _hazard_columns(lattice: Lattice) -> dict[str, list[int]]:
    """Return what of all that a roll can do is a fox, and what a wolf: by what they do.

    A wolf takes a dog that is all there is; a fox all rabbits but one, if there is none.
    """
    columns = lattice.columns
    without, with_dog = 0, lattice.strides[DOG] // lattice.in_row
    eaten = np.minimum(np.arange(lattice.in_row), 1)
    wolves = [c for c, row in enumerate(columns.rows[with_dog]) if row < with_dog]
    foxes = [
        c
        for c, row in enumerate(columns.rows[with_dog])
        if row == with_dog
        and columns.maps[with_dog, c] == SAME_RABBITS
        and lattice.most[RABBIT] > 1
        and (columns.rabbits[columns.maps[without, c]] == eaten).all()
    ]
    return {"fox": foxes, "wolf": wolves}


def _grid(
    lattice: Lattice, value: Callable[[int], T], least_sheep: int, more: Sequence[int] = ()
) -> list[list[T]]:
    """Return the values of herds by rabbits, from 1 on, and sheep, with one each of some `more`."""
    others = [int(animal in more) for animal in range(PIG, DOG + 1)]
    return [
        [
            value(lattice.number([rabbits, sheep, *others]))
            for sheep in range(least_sheep, min(_MOST_SHEEP, lattice.most[SHEEP]) + 1)
        ]
        for rabbits in range(1, lattice.most[RABBIT] + 1)
    ]
