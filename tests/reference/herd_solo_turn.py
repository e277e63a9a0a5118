"""One turn of "Have You Herd?" played alone, written from its clauses to be read beside them.

The clause ids H1..H16 are those of rules/herd.md. A herd is a tuple of six numbers in the order of
ANIMALS. Nothing is drawn here: a roll is all that can come of it, each with its probability.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from .herd_table import ANIMALS, HERD_ANIMALS, Rules

RABBIT, SHEEP, PIG, COW, HORSE, DOG = range(6)
UPWARD = ("sheep", "pig", "cow", "horse")  # the trades, named by what is gained (H15)
TRADES = (*UPWARD, "dog")
SIDES = 12  # H6
DOGS = ("sold", "rolled-only", "none")

Herd = tuple[int, ...]
Faces = tuple[str, str]  # wolf die, fox die
Symbols = tuple[int, ...]  # of each herd animal on the dice
Told = TypeVar("Told")
Choose = Callable[[Herd, str, Sequence[str]], str | None]
"""(herd, "before" or "after", legal trades) -> one of them, or None; asked only if there is one."""

# What is left of the turn when a roll has been carried out.
AGAIN, FREE, BARRED = "roll again", "final trade", "no final trade"
Ends = dict[tuple[Herd, str], float]


class Event(NamedTuple):
    """What a pair of faces does to any herd."""

    what: str  # fox, wolf, dog or nothing
    symbols: Symbols  # what multiplies
    rest: str


def die(faces: str) -> tuple[str, ...]:
    """Return a die written as "5 rabbit, 2 sheep, ...", in the way of H6."""
    return tuple(
        face
        for number, face in (part.split() for part in faces.split(", "))
        for _ in range(int(number))
    )


DICE = {  # H6
    "assumed": (
        die("5 rabbit, 2 sheep, 1 pig, 1 cow, 1 wolf, 1 skunk, 1 T"),
        die("5 rabbit, 2 sheep, 2 pig, 1 horse, 1 fox, 1 dog"),
    ),
    "super-farmer": (
        die("6 rabbit, 3 sheep, 1 pig, 1 cow, 1 wolf"),
        die("6 rabbit, 2 sheep, 2 pig, 1 horse, 1 fox"),
    ),
}


@dataclass(frozen=True)
class SoloRules(Rules):
    """The numbers and readings of the rulebook, and the dice."""

    wolf_die: tuple[str, ...] = DICE["assumed"][0]
    fox_die: tuple[str, ...] = DICE["assumed"][1]


def complete(herd: Herd) -> bool:
    """Say whether a herd has at least one of each herd animal (H4)."""
    return all(herd[animal] >= 1 for animal in (RABBIT, SHEEP, PIG, COW, HORSE))


def symbols(faces: Faces) -> Symbols:
    """Return how many symbols of each herd animal the dice show."""
    return tuple(faces.count(animal) for animal in HERD_ANIMALS)


class Solo:
    """The game alone: one method for each clause."""

    def __init__(self, rules: SoloRules, dogs: str = "sold") -> None:
        if dogs not in DOGS:
            raise ValueError(f"no such dogs: {dogs!r}")
        self.rules = replace(rules, dogs=0) if dogs == "none" else rules
        self.is_dog_sold = dogs == "sold"
        self.tiles = tuple(self.rules.tiles()[animal] for animal in ANIMALS)
        self.most = self.limits()
        self.prices = {
            trade: tuple(self.rules.price(trade).get(animal, 0) for animal in ANIMALS)
            for trade in TRADES
        }
        self.events = self.told(self.event)
        self.second_rolls = self.told(symbols)  # H12: specials on it are ignored

    # SETUP
    def deal(self) -> Herd:
        """Return the herd at the start (H3)."""
        return (1, 1 if self.rules.first_game else 0, 0, 0, 0, 0)

    def limits(self) -> Herd:
        """Return the most tiles of each animal that one herd can have (H1, H7)."""
        limit = {
            "rabbit": self.rules.max_rabbits,
            "horse": self.rules.max_horses,
            "dog": self.rules.max_dogs,
        }
        return tuple(
            min(tiles, limit.get(animal, tiles))
            for animal, tiles in zip(ANIMALS, self.tiles, strict=True)
        )

    # TRADING
    def legal_trades(self, herd: Herd) -> list[str]:
        """Return the trades that can be made with the supply (H1, H15).

        Alone, the supply has every tile that is not in the herd, so `most` says both whether the
        tile is there and whether the herd may take it.
        """
        legal = []
        for trade in TRADES:
            can_pay = all(
                owned >= asked for owned, asked in zip(herd, self.prices[trade], strict=True)
            )
            gained = ANIMALS.index(trade)
            can_take = herd[gained] < self.most[gained]
            is_sold = trade != "dog" or self.is_dog_sold
            if can_pay and can_take and is_sold:
                legal.append(trade)
        return legal

    def traded(self, herd: Herd, trade: str) -> Herd:
        """Return the herd after a trade: the price paid, one tile gained (H15)."""
        after = [owned - paid for owned, paid in zip(herd, self.prices[trade], strict=True)]
        after[ANIMALS.index(trade)] += 1
        return tuple(after)

    def trade_once(self, herd: Herd, phase: str, choose: Choose) -> Herd:
        """Return the herd after a trade at most (H5); nothing is asked once it is complete (H4)."""
        legal = [] if complete(herd) else self.legal_trades(herd)
        trade = choose(herd, phase, legal) if legal else None
        if trade is None:
            return herd
        if trade not in legal:
            raise ValueError(f"trade {trade!r} is not one of {legal}")
        return self.traded(herd, trade)

    # ROLLING THE DICE
    def pairs_of_faces(self) -> Counter[Faces]:
        """Return the pairs of faces (H6)."""
        return Counter((wolf, fox) for wolf in self.rules.wolf_die for fox in self.rules.fox_die)

    def told(self, tell: Callable[[Faces], Told]) -> dict[Told, float]:
        """Return what `tell` makes of the pairs of faces, each with its probability."""
        told: dict[Told, float] = {}
        for faces, count in self.pairs_of_faces().items():
            told[tell(faces)] = told.get(tell(faces), 0.0) + count / SIDES**2
        return told

    def cancelled(self, faces: Faces) -> bool:
        """Say whether two specials cancel each other (H9)."""
        specials = {"fox", "wolf", "skunk", "dog"}
        if self.rules.t_cancels:  # [reading]
            specials.add("T")
        return all(face in specials for face in faces)

    def event(self, faces: Faces) -> Event:
        """Return what a pair of faces does."""
        nothing = (0, 0, 0, 0, 0)
        if self.cancelled(faces):  # H9: nothing happens, nothing multiplies
            return Event("nothing", nothing, FREE)
        if "fox" in faces:  # H11: nothing multiplies, the other die is ignored, a T too
            return Event("fox", nothing, FREE)
        rest = BARRED if "T" in faces else FREE  # H13; H2: alone there is nobody to trade with
        if "wolf" in faces:  # H12: nothing multiplies
            return Event("wolf", nothing, rest)
        if faces[0] == faces[1] and faces[0] in HERD_ANIMALS:
            rest = AGAIN  # H8
        what = "dog" if "dog" in faces else "nothing"  # H2: a skunk goes to nobody
        return Event(what, symbols(faces), rest)  # H7, H10, H13, H14: multiply as usual

    def rolled_once(self, herd: Herd) -> Ends:
        """Return what one roll of both dice comes to, doubles as AGAIN."""
        ends: Ends = {}
        for event, chance in self.events.items():
            for after, share in self.carried_out(herd, event).items():
                ends[after, event.rest] = ends.get((after, event.rest), 0.0) + chance * share
        return ends

    def carried_out(self, herd: Herd, event: Event) -> dict[Herd, float]:
        """Return the herds that an event can lead to."""
        if event.what == "fox":
            return {self.fox(herd): 1.0}
        if event.what == "wolf":
            return self.wolf(herd)
        after = self.multiplied(herd, event.symbols)
        return {self.free_dog(after) if event.what == "dog" else after: 1.0}

    def multiplied(self, herd: Herd, rolled: Symbols) -> Herd:
        """Return the herd with (tiles owned + symbols rolled) // 2 new tiles of a kind (H1, H7)."""
        after = list(herd)
        for animal, count in enumerate(rolled):
            if count:
                new = (herd[animal] + count) // 2
                after[animal] = min(herd[animal] + new, self.most[animal])
        return tuple(after)

    # SPECIAL EVENTS
    def free_dog(self, herd: Herd) -> Herd:
        """Return the herd with a dog more, if the limit and the supply have room (H10)."""
        return (*herd[:DOG], min(herd[DOG] + 1, self.most[DOG]))

    def fox(self, herd: Herd) -> Herd:
        """Return the herd after a fox: without a dog only one rabbit stays (H11)."""
        if herd[DOG] >= 1:
            return herd
        return (min(herd[RABBIT], 1), *herd[1:])

    def wolf(self, herd: Herd) -> dict[Herd, float]:
        """Return the herds after a wolf: a dog is lost, or what a second roll says (H12)."""
        if herd[DOG] >= 1:
            return {(*herd[:DOG], herd[DOG] - 1): 1.0}
        herds: dict[Herd, float] = {}
        for rolled, chance in self.second_rolls.items():
            after = self.robbed(herd, rolled)
            herds[after] = herds.get(after, 0.0) + chance
        return herds

    def robbed(self, herd: Herd, rolled: Symbols) -> Herd:
        """Return the herd after the wolf's second roll (H12)."""
        after = list(herd)
        for animal, count in enumerate(rolled):
            if count:
                lost = min(count, self.rules.wolf_pair_loses)  # [reading] of a pair
                least = min(herd[animal], 1) if animal == RABBIT else 0  # never the last rabbit
                after[animal] = max(herd[animal] - lost, least)
        return tuple(after)
