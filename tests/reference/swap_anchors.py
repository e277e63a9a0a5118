"""The anchor strategies of rules/swap.md, for the reference game."""

from __future__ import annotations

from collections.abc import Callable

from .swap_table import COLOURS, DIRECTIONS, KINDS, SWAP, Card, Chooser, Table

FIRST_TO_GO = ("slap", "plain", "switch", "super", "swap")


def cards(table: Table, player: int) -> int:
    """Return how many cards a player holds."""
    return len(table.hand(player))


class Shedder:
    """Gets rid of cards, of SWAP cards last; always after the smaller hand."""

    def play(self, table: Table, player: int, options: list[str]) -> str:
        """Return the first kind it can play."""
        return next(kind for kind in FIRST_TO_GO if kind in options)

    def partner(self, table: Table, player: int, options: list[int]) -> int:
        """Return who holds fewest cards, of equals the nearest on the left."""
        from_the_left = [other for other in table.others(player) if other in options]
        return min(from_the_left, key=lambda other: cards(table, other))

    def colour(self, table: Table, player: int, options: list[str]) -> str:
        """Return the colour it holds most of, of equals the first in the alphabet."""
        held = [card.colour for card in table.hand(player)]
        return max(sorted(options), key=held.count)  # max takes the first of equals

    def direction(self, table: Table, player: int) -> str:
        """Return the direction that gives it the smaller hand, of equals to the left."""
        from_right = cards(table, table.left(player, -1))  # the hand it gets if all go left
        from_left = cards(table, table.left(player))
        return "left" if from_right <= from_left else "right"


class Raider(Shedder):
    """As shedder, but swaps first when that saves at least two cards."""

    def play(self, table: Table, player: int, options: list[str]) -> str:
        """Return a SWAP if somebody holds at least two cards fewer than it would keep."""
        keeps = cards(table, player) - 1
        fewest = min(cards(table, other) for other in table.others(player))
        if "swap" in options and fewest <= keeps - 2:
            return "swap"
        return super().play(table, player, options)


class Random:
    """Does anything, all as likely; ``below`` draws from the player's own stream of choices."""

    def __init__(self, below: Callable[[int], int]) -> None:
        self.below = below

    def play(self, table: Table, player: int, options: list[str]) -> str:
        """Return the kind of any card that it can play, counted card by card."""
        hand = table.hand(player)
        playable = [
            kind
            for kind in KINDS
            if kind in options
            for _ in range(hand.count(SWAP if kind == "swap" else Card(table.colour, kind)))
        ]
        return playable[self.below(len(playable))]

    def partner(self, table: Table, player: int, options: list[int]) -> int:
        """Return any other player, the next on the left counted first."""
        return table.others(player)[self.below(len(options))]

    def colour(self, table: Table, player: int, options: list[str]) -> str:
        """Return any colour that it may name."""
        allowed = [colour for colour in COLOURS if colour in options]
        return allowed[self.below(len(allowed))]

    def direction(self, table: Table, player: int) -> str:
        """Return either direction."""
        return DIRECTIONS[self.below(len(DIRECTIONS))]


ANCHORS: dict[str, Callable[[], Chooser]] = {"shedder": Shedder, "raider": Raider}
