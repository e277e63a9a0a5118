"""What lies on the table of "Barnyard Swap": cards, rules, hands, piles and full hands.

The clause ids B1..B18 are those of rules/barnyard.md. The play itself is in barnyard.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import NamedTuple, Protocol

ANIMALS = ("sheep", "pigs", "goats", "cows", "horses")  # B1, in the deck's order
NUMBERS = range(1, 11)
FEWEST_PLAYERS, MOST_PLAYERS = 3, 14  # B2
MOST_WITH_ONE_PACK = 7  # B2: from eight players on there are two
FEWEST_FOR_TWO_DONKEYS = 4  # B1

Below = Callable[[int], int]  # the next whole number below n of a session's luck


# CARDS
class Card(NamedTuple):
    """A farm-animal card with its number, or a Donkey or Watchdog, whose number is 0."""

    animal: str
    number: int


DONKEY = Card("Donkey", 0)
WATCHDOG = Card("Watchdog", 0)
Hand = list[Card]


def is_wild(card: Card) -> bool:
    """Say whether a card is a Donkey or Watchdog."""
    return card.number == 0


def is_farm_animal(card: Card) -> bool:
    """Say whether a card shows a farm animal, and so can be named (B5, B6)."""
    return not is_wild(card)


def holds_wild(hand: Hand) -> bool:
    """Say whether there is a Donkey or Watchdog in a hand."""
    return any(is_wild(card) for card in hand)


def holds_all(hand: Hand, cards: Hand) -> bool:
    """Say whether a hand has all these cards, a card named twice being there twice."""
    return all(hand.count(card) >= cards.count(card) for card in cards)


@lru_cache(4096)  # most hands are those of the step before
def in_order(hand: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return a hand sorted."""
    return tuple(sorted(hand))


# RULES
@dataclass(frozen=True)
class Rules:
    """The numbers of the rulebook that can be set, and the readings where it leaves a choice."""

    donkeys: int = 1  # B1, a number a pack
    runaway_wild: str = "out"  # B3 [reading]
    discard_wild: bool = False  # B9, the rulebook's named exception
    recycle: str = "shuffled"  # B10 [reading]
    max_rounds: int = 200  # B13
    collecting: str = "best"  # B15 [reading]
    sessions: int = 4  # B18
    target: int = 0  # B18: 0 is no target, but so many sessions
    max_sessions: int = 100  # B18, where there is a target

    def __post_init__(self) -> None:
        """Refuse what no clause knows."""
        for value, known in (
            (self.donkeys, (1, 2)),
            (self.runaway_wild, ("out", "redraw")),
            (self.recycle, ("shuffled", "turned", "as_is")),
            (self.collecting, ("best", "declared")),
        ):
            if value not in known:
                raise ValueError(f"{value!r} is not one of {known}")

    def check_players(self, players: int) -> None:
        """Raise ValueError if so many cannot play by these rules (B1, B2)."""
        if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
            raise ValueError(f"{players} players")
        if self.donkeys > 1 and players < FEWEST_FOR_TWO_DONKEYS:
            raise ValueError(f"{self.donkeys} Donkeys with {players} players")

    def deck(self, players: int) -> list[Card]:
        """Return the cards that so many players use, in their order before the shuffle (B1, B2)."""
        pack = [Card(animal, number) for animal in ANIMALS for number in NUMBERS]
        pack += [DONKEY] * self.donkeys + [WATCHDOG]
        return pack if players <= MOST_WITH_ONE_PACK else pack + pack


def hand_size(players: int) -> int:
    """Return how many cards a player holds (B2): seven, but six where seven play."""
    return 6 if players == 7 else 7


# TABLE
@dataclass
class Table:
    """Everything on the table in one session, and the match's totals before it."""

    rules: Rules
    hands: list[Hand]
    totals: list[int]
    session: int = 0
    swapper: int = 0
    turn: int = 0  # turns finished in this session
    asked: Card | None = None  # the card on which the swapper asks for bids
    offers: list[tuple[int, Card]] = field(default_factory=list)  # bidder's seat, card
    shuffled: list[Card] = field(default_factory=list)  # the barnyard: any of these comes next,
    ordered: list[Card] = field(default_factory=list)  # and then these, the first first
    discards: list[Card] = field(default_factory=list)  # the second pile, the oldest first
    runaway: Card | None = None
    players: int = field(init=False)  # how many there are

    def __post_init__(self) -> None:
        self.players = len(self.hands)

    @property
    def barnyard(self) -> int:
        """Return the number of cards left in the barnyard."""
        return len(self.shuffled) + len(self.ordered)

    @property
    def pile(self) -> int:
        """Return the number of cards in the discard pile."""
        return len(self.discards)

    @property
    def first_swapper(self) -> int:
        """Return who opens the session: a seat further to the left every time (B4)."""
        return self.session % self.players

    def from_left_of(self, seat: int) -> list[int]:
        """Return the other seats in order from the left of one."""
        return [(seat + step) % self.players for step in range(1, self.players)]

    def draw(self, below: Below) -> Card:
        """Take the top card of the barnyard, or of the second pile (B9, B10)."""
        if self.barnyard == 0:
            self.recycle()
        if self.shuffled:
            return take_any(self.shuffled, below)
        return self.ordered.pop(0)

    def recycle(self) -> None:
        """Make the discard pile the barnyard and begin a new one (B10)."""
        if self.rules.recycle == "shuffled":
            self.shuffled = self.discards
        elif self.rules.recycle == "turned":  # the oldest discard on top
            self.ordered = self.discards
        else:  # as it is: the newest on top
            self.ordered = self.discards[::-1]
        self.discards = []


def take_any(cards: list[Card], below: Below) -> Card:
    """Take the top card of a shuffled pile: any one; the last takes its place."""
    chosen = below(len(cards))
    if not 0 <= chosen < len(cards):
        raise ValueError(f"card {chosen} of {len(cards)}")
    card = cards[chosen]
    cards[chosen] = cards[-1]
    cards.pop()
    return card


def deal(players: int, rules: Rules, session: int, totals: list[int], below: Below) -> Table:
    """Return the table at the start of a session (B3, B4)."""
    rules.check_players(players)
    table = Table(rules, [[] for _ in range(players)], list(totals), session)
    table.shuffled = rules.deck(players)
    table.swapper = table.first_swapper
    for _ in range(hand_size(players)):
        for seat in [table.swapper, *table.from_left_of(table.swapper)]:
            table.hands[seat].append(take_any(table.shuffled, below))
    runaway = take_any(table.shuffled, below)
    while is_wild(runaway) and rules.runaway_wild == "redraw":  # B3 [reading]
        table.ordered.append(runaway)  # to the bottom, under one that went there before
        runaway = take_any(table.shuffled, below)
    table.runaway = runaway
    return table


@cache
def counted_deck(rules: Rules, players: int) -> dict[Card, int]:
    """Return how often each card is in the deck."""
    return dict(Counter(rules.deck(players)))


def check_conserved(table: Table, extra: int = 0) -> None:
    """Raise AssertionError if a card was lost or made, or a hand is not of its size (B1, B9).

    The swapper has ``extra`` cards more than the others: one, between draw and discard.
    """
    cards = table.shuffled + table.ordered + table.discards
    cards += [card for hand in table.hands for card in hand]
    if table.runaway is not None:
        cards.append(table.runaway)
    if dict(Counter(cards)) != counted_deck(table.rules, table.players):
        raise AssertionError(f"these are not the cards of the deck: {table}")
    size = hand_size(table.players)
    for seat, hand in enumerate(table.hands):
        right = size + (extra if seat == table.swapper else 0)
        if len(hand) != right:
            raise AssertionError(f"seat {seat} does not hold {right} cards: {table}")


# FULL HANDS
def natural(hand: Hand) -> bool:
    """Say whether the whole hand is one farm animal (B11)."""
    return len({card.animal for card in hand}) == 1 and not holds_wild(hand)


def may_claim(hand: Hand) -> bool:
    """Say whether all cards but one are of one animal, and that one is wild (B12)."""
    farm_animals = [card for card in hand if is_farm_animal(card)]
    is_one_wild = len(farm_animals) == len(hand) - 1
    return is_one_wild and len({card.animal for card in farm_animals}) == 1


# DECISIONS AND RESULTS
class Chooser(Protocol):
    """The decisions of all the players. An answer against the rules is a ValueError."""

    def ask(self, table: Table, seat: int) -> Card:
        """Return the farm-animal card of his hand to ask for bids on (B5)."""

    def bid(self, table: Table, seat: int) -> list[Card]:
        """Return the farm-animal cards of his hand to offer, or none (B6)."""

    def accept(self, table: Table, seat: int) -> tuple[int, Card] | None:
        """Return one of table.offers, or None to refuse them all (B7)."""

    def hand_over(self, table: Table, seat: int, named: Card) -> Card:
        """Return the card named, or a Donkey or Watchdog he holds (B8)."""

    def discard(self, table: Table, seat: int) -> Card:
        """Return the card to discard; the drawn one is in the hand (B9)."""

    def claim(self, table: Table, seat: int) -> bool:
        """Say whether to claim a full hand with a wild card (B12)."""

    def collects(self, table: Table, seat: int) -> str:
        """Return the animal he says he collects (B15 [reading] "declared")."""


Detail = Card | str | int | tuple[Card, ...]


@dataclass(frozen=True)
class Step:
    """One thing that happened, and the table right after it."""

    kind: str
    session: int
    turn: int  # turns finished before this one in the session
    seat: int
    detail: tuple[Detail, ...]
    hands: tuple[tuple[Card, ...], ...]  # sorted
    barnyard: int
    pile: int


@dataclass
class Session:
    """How a session ended; the turn that ended it is counted."""

    turns: int
    rounds: int  # B13: turns / players, rounded up
    end: str  # "natural", "claim" or "stall"
    successful: int | None
    scores: list[int]


@dataclass
class Result:
    """A match played to its end; more than one winner share the win (B18)."""

    winners: list[int]
    totals: list[int]
    sessions: list[Session]
    steps: list[Step]
