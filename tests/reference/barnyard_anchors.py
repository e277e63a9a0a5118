"""The anchor strategies of rules/barnyard.md, for the reference game.

Each plays one seat and looks at nothing but its own hand, the card asked on and the offers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .barnyard_table import (
    ANIMALS,
    DONKEY,
    WATCHDOG,
    Below,
    Card,
    Chooser,
    Hand,
    Table,
    is_farm_animal,
)


def cards_of(hand: Hand, animal: str) -> list[Card]:
    """Return the cards of one animal in a hand."""
    return [card for card in hand if card.animal == animal]


def not_of(hand: Hand, animal: str) -> list[Card]:
    """Return the farm-animal cards of all other animals in a hand."""
    return [card for card in hand if is_farm_animal(card) and card.animal != animal]


def highest(cards: list[Card]) -> Card:
    """Return the card with the highest number, of equals the earlier animal."""
    return min(cards, key=lambda card: (-card.number, ANIMALS.index(card.animal)))


class Collector:
    """Collects the animal it holds most of and passes the Donkey on."""

    def target(self, hand: Hand) -> str:
        """Return the animal with most cards; ties: higher sum, then the deck's order."""

        def liking(animal: str) -> tuple[int, int]:
            cards = cards_of(hand, animal)
            return len(cards), sum(card.number for card in cards)

        return max(ANIMALS, key=liking)  # of equals, max takes the first

    def worst(self, hand: Hand) -> Card:
        """Return the highest non-target card; with none, the lowest target card."""
        target = self.target(hand)
        others = not_of(hand, target)
        if others:
            return highest(others)
        return min(cards_of(hand, target), key=lambda card: card.number)

    def ask(self, table: Table, seat: int) -> Card:
        """Return its worst card."""
        return self.worst(table.hands[seat])

    def bid(self, table: Table, seat: int) -> list[Card]:
        """Return every non-target farm-animal card for a card of its target, else nothing."""
        target = self.target(table.hands[seat])
        if table.asked is None or table.asked.animal != target:
            return []
        return not_of(table.hands[seat], target)

    def accept(self, table: Table, seat: int) -> tuple[int, Card] | None:
        """Return the highest offer of its target; ties: the nearest bidder to its left."""
        target = self.target(table.hands[seat])
        wanted = [(bidder, card) for bidder, card in table.offers if card.animal == target]
        if not wanted:
            return None
        top = max(card.number for _, card in wanted)
        nearest = table.from_left_of(seat)
        return min(
            ((bidder, card) for bidder, card in wanted if card.number == top),
            key=lambda offer: nearest.index(offer[0]),
        )

    def hand_over(self, table: Table, seat: int, named: Card) -> Card:
        """Return a Donkey, if it has one; never the Watchdog."""
        return DONKEY if DONKEY in table.hands[seat] else named

    def discard(self, table: Table, seat: int) -> Card:
        """Return its worst card, the drawn one among them; never a wild one."""
        return self.worst(table.hands[seat])

    def claim(self, table: Table, seat: int) -> bool:
        """Claim whenever it may."""
        return True

    def collects(self, table: Table, seat: int) -> str:
        """Return its target."""
        return self.target(table.hands[seat])


class Honest(Collector):
    """As collector, but always hands over the card named."""

    def hand_over(self, table: Table, seat: int, named: Card) -> Card:
        """Return the card named."""
        return named


class Miser(Collector):
    """As collector, but its target is the animal with the highest sum."""

    def target(self, hand: Hand) -> str:
        """Return the animal with the highest sum; ties: more cards, then the deck's order."""

        def liking(animal: str) -> tuple[int, int]:
            cards = cards_of(hand, animal)
            return sum(card.number for card in cards), len(cards)

        return max(ANIMALS, key=liking)


class Purist(Collector):
    """As collector, but never claims by B12."""

    def claim(self, table: Table, seat: int) -> bool:
        """Never claim."""
        return False


def in_deck_order(cards: list[Card]) -> list[Card]:
    """Return cards as they lie in the deck before the shuffle, Donkeys and Watchdogs last."""
    animals = (*ANIMALS, DONKEY.animal, WATCHDOG.animal)
    return sorted(cards, key=lambda card: (animals.index(card.animal), card.number))


class Random:
    """Does anything, all as likely; ``below`` draws from the seat's own stream of choices."""

    def __init__(self, below: Below) -> None:
        self.below = below

    def any_of(self, cards: list[Card]) -> Card:
        """Return one of the cards, counted one by one in the deck's order."""
        return in_deck_order(cards)[self.below(len(cards))]

    def ask(self, table: Table, seat: int) -> Card:
        """Return any farm-animal card of its hand."""
        return self.any_of([card for card in table.hands[seat] if is_farm_animal(card)])

    def bid(self, table: Table, seat: int) -> list[Card]:
        """Return nothing half of the time, else exactly one farm-animal card of its hand."""
        if self.below(2) == 0:
            return []
        return [self.any_of([card for card in table.hands[seat] if is_farm_animal(card)])]

    def accept(self, table: Table, seat: int) -> tuple[int, Card] | None:
        """Return any of the cards offered, or none; each as likely, equal cards once each."""
        choices: list[tuple[int, Card] | None] = []
        for bidder in table.from_left_of(seat):
            offered = [card for other, card in table.offers if other == bidder]
            choices += [(bidder, card) for card in in_deck_order(offered)]
        choices.append(None)
        return choices[self.below(len(choices))]

    def hand_over(self, table: Table, seat: int, named: Card) -> Card:
        """Return the card named."""
        return named

    def discard(self, table: Table, seat: int) -> Card:
        """Return any card that may be discarded: a wild one only under that exception (B9)."""
        wild_too = table.rules.discard_wild
        return self.any_of([card for card in table.hands[seat] if wild_too or is_farm_animal(card)])

    def claim(self, table: Table, seat: int) -> bool:
        """Claim whenever it may."""
        return True

    def collects(self, table: Table, seat: int) -> str:
        """Return its target, which is that of collector."""
        return Collector().target(table.hands[seat])


class Seats:
    """The decisions of all the players, each made by the strategy at his seat."""

    def __init__(self, strategies: Sequence[Chooser]) -> None:
        self.strategies = strategies

    def ask(self, table: Table, seat: int) -> Card:
        """Let the seat's strategy decide."""
        return self.strategies[seat].ask(table, seat)

    def bid(self, table: Table, seat: int) -> list[Card]:
        """Let the seat's strategy decide."""
        return self.strategies[seat].bid(table, seat)

    def accept(self, table: Table, seat: int) -> tuple[int, Card] | None:
        """Let the seat's strategy decide."""
        return self.strategies[seat].accept(table, seat)

    def hand_over(self, table: Table, seat: int, named: Card) -> Card:
        """Let the seat's strategy decide."""
        return self.strategies[seat].hand_over(table, seat, named)

    def discard(self, table: Table, seat: int) -> Card:
        """Let the seat's strategy decide."""
        return self.strategies[seat].discard(table, seat)

    def claim(self, table: Table, seat: int) -> bool:
        """Let the seat's strategy decide."""
        return self.strategies[seat].claim(table, seat)

    def collects(self, table: Table, seat: int) -> str:
        """Let the seat's strategy decide."""
        return self.strategies[seat].collects(table, seat)


ANCHORS: dict[str, Callable[[], Chooser]] = {
    "collector": Collector,
    "honest": Honest,
    "miser": Miser,
    "purist": Purist,
}
