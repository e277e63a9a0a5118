"""What lies on the table of SWAP!: cards, rules, hands, piles and the deal.

The clause ids S1..S14 are those of rules/swap.md. The play itself is in swap.py.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple, Protocol

COLOURS = ("blue", "green", "purple", "red")  # S1
COLOURED_KINDS = ("plain", "slap", "switch", "super")
KINDS = (*COLOURED_KINDS, "swap")
DIRECTIONS = ("left", "right")  # S7
FEWEST_PLAYERS, MOST_PLAYERS = 2, 10  # S2


class Card(NamedTuple):
    """A card; a SWAP card has no colour."""

    colour: str
    kind: str


SWAP = Card("", "swap")
Detail = Card | str | int | tuple[int, ...] | None


@dataclass(frozen=True)
class Rules:
    """Every number of the game, and the readings where the rulebook leaves a choice."""

    swap_cards: int = 16  # S1 [reading]
    plain: int = 12  # S1: this one and the next three in each colour
    slap: int = 4
    switch: int = 4
    super_swap: int = 2
    cards: int = 10  # S2: dealt to each
    slap_speed: tuple[float, ...] = ()  # S9: by player; empty means 1 each
    slap_empties: str = "wins"  # S10 [reading], or "plays_on"
    max_turns: int = 5000  # S12
    false_slap_rate: float = 0.0  # S13
    swap_seats: bool = False  # S14
    seat_next: str = "place"  # S14 [reading], or "player"

    def deck(self) -> list[Card]:
        """Return the whole deck, unshuffled (S1)."""
        copies = (self.plain, self.slap, self.switch, self.super_swap)
        deck = []
        for colour in COLOURS:
            for kind, count in zip(COLOURED_KINDS, copies, strict=True):
                deck += [Card(colour, kind)] * count
        return deck + [SWAP] * self.swap_cards

    def speed(self, player: int) -> float:
        """Return how fast a player slaps (S9)."""
        return self.slap_speed[player] if self.slap_speed else 1.0


def in_deck_order(cards: list[Card]) -> list[Card]:
    """Return cards sorted as in the unshuffled deck: by colour, by kind, SWAP cards last."""
    return list(sorted_hand(tuple(cards)))


@lru_cache(4096)  # most hands are those of the step before
def sorted_hand(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return cards sorted as by `in_deck_order`."""
    return tuple(sorted(cards, key=_place_in_deck))


@cache
def _place_in_deck(card: Card) -> tuple[int, int]:
    return (*COLOURS, SWAP.colour).index(card.colour), KINDS.index(card.kind)


@dataclass
class Table:
    """Everything on the table.

    A place is a place in the order of play; the next place is the one to the left. A player
    keeps the number of his first place, also when he changes places (S14).
    """

    hands: list[list[Card]]  # by place
    players: list[int]  # by place
    colour: str  # in force; "" until the dealer has named one (S2)
    draw_pile: list[Card]
    discards: list[Card]  # oldest first
    rules: Rules
    turn: int = 0  # turns finished so far

    @property
    def top(self) -> Card:
        """Return the top card of the discard pile."""
        return self.discards[-1]

    def place(self, player: int) -> int:
        """Return where a player sits."""
        return self.players.index(player)

    def hand(self, player: int) -> list[Card]:
        """Return a player's hand: the one at his place."""
        return self.hands[self.place(player)]

    def left(self, player: int, places: int = 1) -> int:
        """Return the player so many places to the left of a player; to the right if negative."""
        return self.players[(self.place(player) + places) % len(self.players)]

    def others(self, player: int) -> list[int]:
        """Return the other players in order from the left of a player."""
        return [self.left(player, places) for places in range(1, len(self.players))]

    def all_cards(self) -> dict[Card, int]:
        """Return how often every card is there, wherever it lies."""
        return dict(Counter(sum(self.hands, [*self.draw_pile, *self.discards])))


class Luck(Protocol):
    """All that chance decides."""

    def deal(self, n: int) -> int:
        """Return the next whole number below n, for the deck and the piles."""

    def table(self, n: int) -> int:
        """Return the next whole number below n, for events at the table."""

    def last_slapper(self, weights: list[float]) -> int:
        """Return the place in the list of who is last: probability proportional to 1/w (S9)."""

    def false_slap(self, rate: float) -> bool:
        """Say whether a player slaps falsely (S13)."""


class Chooser(Protocol):
    """The decisions of all the players; an answer must be one of the options."""

    def play(self, table: Table, player: int, options: list[str]) -> str:
        """Return the kind of card to play (S4)."""

    def partner(self, table: Table, player: int, options: list[int]) -> int:
        """Return the player to swap with (S6); the options are in order from the left."""

    def colour(self, table: Table, player: int, options: list[str]) -> str:
        """Return the colour to name (S2, S6, S8)."""

    def direction(self, table: Table, player: int) -> str:
        """Return "left" or "right" (S7)."""


@dataclass(frozen=True)
class Step:
    """One thing that happened, and the table right after it."""

    kind: str
    turn: int  # turns finished before the one it happened in
    player: int
    detail: tuple[Detail, ...]
    hands: tuple[tuple[Card, ...], ...]  # by place, each in deck order
    players: tuple[int, ...]  # by place
    colour: str
    draw_pile: int
    discards: int  # the top card included


@dataclass
class Result:
    """A game played to its end; turns counts them all, the last one included."""

    winners: list[int]
    turns: int
    is_draw: bool  # S11, S12
    steps: list[Step]
    cards_left: list[int]  # by player


# SET UP
def draw_from(pile: list[Card], luck: Luck) -> Card:
    """Take the next card from a shuffled pile: any of its cards, as likely as any other."""
    number = luck.deal(len(pile))
    if number not in range(len(pile)):
        raise ValueError(f"card {number!r} of {len(pile)}")
    card = pile[number]
    pile[number] = pile[-1]
    pile.pop()
    return card


def check(players: int, rules: Rules) -> None:
    """Raise ValueError if so many players cannot play by such rules."""
    if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:  # S2
        raise ValueError(f"{players} players")
    copies = (rules.swap_cards, rules.plain, rules.slap, rules.switch, rules.super_swap)
    if min(copies) < 0 or rules.cards < 1 or len(rules.deck()) < players * rules.cards + 1:
        raise ValueError(f"no deck to deal from: {rules}")
    if rules.slap_speed and (len(rules.slap_speed) != players or min(rules.slap_speed) <= 0):
        raise ValueError(f"slap speeds {rules.slap_speed} of {players} players")
    if rules.slap_empties not in ("wins", "plays_on") or rules.seat_next not in ("place", "player"):
        raise ValueError(f"no such reading: {rules}")
    if rules.max_turns < 1 or not 0 <= rules.false_slap_rate <= 1:
        raise ValueError(f"not a number of turns or a rate: {rules}")


def deal(players: int, rules: Rules, luck: Luck) -> Table:
    """Return the table at the start of a game (S2); after a SWAP no colour is named yet."""
    check(players, rules)
    draw_pile = rules.deck()
    hands: list[list[Card]] = [[] for _ in range(players)]
    for _ in range(rules.cards):
        for hand in hands:  # seat 0, left of the dealer, gets the first card
            hand.append(draw_from(draw_pile, luck))
    start = draw_from(draw_pile, luck)
    # S2: of any special card but a SWAP only the colour counts; that of a SWAP is "".
    return Table(hands, list(range(players)), start.colour, draw_pile, [start], rules)
