"""The deterministic anchor strategies of rules/herd.md, for the reference game."""

from __future__ import annotations

from collections.abc import Callable

from .herd_table import Chooser, Herd, Position, Rules, complete

BEST_FIRST = ("horse", "cow", "pig", "sheep")  # the upward trades, named by what is gained
VALUE = {"rabbit": 1, "sheep": 5, "pig": 10, "cow": 20, "horse": 40, "dog": 6}


def herd_value(herd: Herd) -> int:
    """Return the value of a herd."""
    return sum(VALUE[animal] * count for animal, count in herd.items())


class Climber:
    """Always the best legal upward trade; never a dog."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def trade(self, position: Position, seat: int, options: list[str]) -> str:
        """Return a trade that wins at once, if there is one; otherwise the usual one."""
        herd = position.herds[seat]
        for trade in BEST_FIRST:
            if trade in options and complete(self.herd_after(herd, trade)):
                return trade
        return self.usual_trade(herd, options)

    def partner(self, position: Position, seat: int, trade: str, options: list[int]) -> int:
        """Return the first on the left who can serve the trade."""
        return options[0]

    def skunk(self, position: Position, seat: int, options: list[int]) -> int:
        """Return the opponent with the highest herd value, of equals the nearest on the left."""
        highest = max(herd_value(position.herds[other]) for other in options)
        return next(other for other in options if herd_value(position.herds[other]) == highest)

    def usual_trade(self, herd: Herd, options: list[str]) -> str:
        """Return the best acceptable upward trade, or "none"."""
        for trade in BEST_FIRST:
            if trade in options and self.acceptable(herd, trade):
                return trade
        return "none"

    def acceptable(self, herd: Herd, trade: str) -> bool:
        """Say whether this strategy makes such a trade at all."""
        return True

    def herd_after(self, herd: Herd, trade: str) -> Herd:
        """Return the herd as it would be after a trade."""
        after = dict(herd)
        for animal, count in self.rules.price(trade).items():
            after[animal] -= count
        after[trade] += 1
        return after


class Keeper(Climber):
    """As climber, but at least one of the animal given must stay."""

    def acceptable(self, herd: Herd, trade: str) -> bool:
        """Say whether at least one of each animal given stays."""
        after = self.herd_after(herd, trade)
        return all(after[animal] >= 1 for animal in self.rules.price(trade))


class KeeperDog(Keeper):
    """As keeper; where keeper can make no trade, a dog if it has none."""

    def usual_trade(self, herd: Herd, options: list[str]) -> str:
        """Return keeper's trade, or else the dog."""
        trade = super().usual_trade(herd, options)
        if trade == "none" and self.wants_dog(herd, options):
            return "dog"
        return trade

    def wants_dog(self, herd: Herd, options: list[str]) -> bool:
        """Say whether it has no dog and can buy one so that a rabbit and a sheep stay."""
        return "dog" in options and herd["dog"] == 0 and self.acceptable(herd, "dog")


class DogFirst(KeeperDog):
    """As keeper-dog, but the dog comes before every other trade except one that wins."""

    def usual_trade(self, herd: Herd, options: list[str]) -> str:
        """Return the dog, or else keeper's trade."""
        if self.wants_dog(herd, options):
            return "dog"
        return super().usual_trade(herd, options)


class Hermit(Climber):
    """Never trades, not even to win; skunk as climber."""

    def trade(self, position: Position, seat: int, options: list[str]) -> str:
        """Return "none"."""
        return "none"


ANCHORS: dict[str, Callable[[Rules], Chooser]] = {
    "climber": Climber,
    "keeper": Keeper,
    "keeper-dog": KeeperDog,
    "dog-first": DogFirst,
    "hermit": Hermit,
}
