"""What lies on the table of "Have You Herd?": tiles, limits, prices, setup, a complete herd.

The clause ids H1..H16 are those of rules/herd.md. The play itself is in herd.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol

ANIMALS = ("rabbit", "sheep", "pig", "cow", "horse", "dog")
HERD_ANIMALS = ("rabbit", "sheep", "pig", "cow", "horse")  # H4, H7: the dog is not one of them
TRADES = ("none", "sheep", "pig", "cow", "horse", "dog")  # named by what is gained
MOST_PLAYERS = 4  # H2

_EACH = set(ANIMALS)

Herd = dict[str, int]
Phase = Literal["before", "roll", "after"]


# EQUIPMENT, limits and Trading Chart
@dataclass(frozen=True)
class Rules:
    """Every number of the rulebook, and the readings where it leaves a choice."""

    rabbits: int = 52  # H1
    sheep: int = 24
    pigs: int = 20
    cows: int = 15
    horses: int = 4
    dogs: int = 4
    skunks: int = 1  # with 0 a skunk goes to nobody but still cancels
    max_rabbits: int = 12  # H7
    max_horses: int = 1
    max_dogs: int = 1
    rabbits_for_sheep: int = 5  # H15
    sheep_for_pig: int = 2
    pigs_for_cow: int = 2
    horse_price: int = 2  # [reading] cows for a horse
    first_game: bool = False  # H3
    t_cancels: bool = False  # H9 [reading]
    wolf_pair_loses: int = 1  # H12 [reading]
    max_turns: int = 10_000  # H16

    def tiles(self) -> Herd:
        """Return how many tiles of each animal the box holds (H1)."""
        numbers = (self.rabbits, self.sheep, self.pigs, self.cows, self.horses, self.dogs)
        return dict(zip(ANIMALS, numbers, strict=True))

    @cached_property
    def box(self) -> Herd:
        """Return the tiles of the box, to be read only: they are counted after every step."""
        return self.tiles()

    @cached_property
    def most(self) -> Herd:
        """Return how many tiles of each animal a player may have (H7)."""
        limits = {"rabbit": self.max_rabbits, "horse": self.max_horses, "dog": self.max_dogs}
        return {**self.tiles(), **limits}  # no limit but the box for the others

    def room(self, herd: Herd, animal: str) -> int:
        """Return how many more tiles of an animal the limits let a player take (H7)."""
        return self.most[animal] - herd[animal]

    @cached_property
    def chart(self) -> dict[str, Herd]:
        """Return the Trading Chart (H15)."""
        return {
            "sheep": {"rabbit": self.rabbits_for_sheep},
            "pig": {"sheep": self.sheep_for_pig},
            "cow": {"pig": self.pigs_for_cow},
            "horse": {"cow": self.horse_price},
            "dog": {"rabbit": 1, "sheep": 1},
        }

    def price(self, trade: str) -> Herd:
        """Return what the Trading Chart asks for one tile of the animal gained (H15)."""
        return self.chart[trade]


@dataclass
class Position:
    """Everything on the table."""

    herds: list[Herd]
    supply: Herd
    skunk: int | None = None  # the seat that holds the skunk tile
    seat: int = 0  # whose turn it is
    phase: Phase = "before"
    t_in_force: bool = False  # H13 binds the final trade of this turn
    turn: int = 0  # turns finished so far

    def opponents(self) -> list[int]:
        """Return the other seats in order from the left of the player whose turn it is."""
        players = len(self.herds)
        return [(self.seat + step) % players for step in range(1, players)]


class Chooser(Protocol):
    """The decisions of all the players; an answer must be one of the options."""

    def trade(self, position: Position, seat: int, options: list[str]) -> str:
        """Return the trade to make, or "none"."""

    def partner(self, position: Position, seat: int, trade: str, options: list[int]) -> int:
        """Return the player to trade with after a T."""

    def skunk(self, position: Position, seat: int, options: list[int]) -> int:
        """Return the opponent who gets the skunk."""


@dataclass(frozen=True)
class Step:
    """One thing that happened, and the table right after it."""

    kind: str
    seat: int
    detail: tuple[str | int | None, ...]
    herds: tuple[tuple[int, ...], ...]
    supply: tuple[int, ...]
    skunk: int | None


@dataclass
class Result:
    """A game played to its end; turns counts the whole game, the winning turn too (H16)."""

    winner: int | None
    turns: int
    steps: list[Step]
    events: dict[str, list[int]]


# SETUP
def deal(players: int, rules: Rules) -> Position:
    """Return the table at the start of a game."""
    if not 1 <= players <= MOST_PLAYERS:  # H2: one player alone for analysis
        raise ValueError(f"{players} players")
    position = Position([dict.fromkeys(ANIMALS, 0) for _ in range(players)], rules.tiles())
    for herd in position.herds:
        move(position.supply, herd, "rabbit", 1)  # H3: one rabbit each
        if rules.first_game:
            move(position.supply, herd, "sheep", 1)  # H3: and a sheep
    check_conserved(position, rules)
    return position


def move(giver: Herd, taker: Herd, animal: str, count: int) -> None:
    """Move tiles from one herd or the supply to another (H1: none appears or vanishes)."""
    giver[animal] -= count
    taker[animal] += count


def check_conserved(position: Position, rules: Rules) -> None:
    """Raise AssertionError if a tile was lost or made, or a limit exceeded (H1, H7)."""
    for holding in [position.supply, *position.herds]:
        if holding.keys() != _EACH or min(holding.values()) < 0:
            raise AssertionError(f"not a holding of tiles: {holding}")
    for animal, tiles in rules.box.items():
        owned = [herd[animal] for herd in position.herds]
        if position.supply[animal] + sum(owned) != tiles:
            raise AssertionError(f"there are not {tiles} {animal} tiles: {position}")
        if max(owned) > rules.most[animal]:
            raise AssertionError(f"too many {animal} tiles in one herd: {position}")
    if position.skunk is not None:
        if rules.skunks == 0 or position.skunk not in range(len(position.herds)):
            raise AssertionError(f"nobody can hold this skunk: {position}")


# OBJECT and WINNING
def complete(herd: Herd) -> bool:
    """Say whether a herd has at least one of each herd animal (H4)."""
    return all(herd[animal] >= 1 for animal in HERD_ANIMALS)
