"""What lies on the table of Horse Trader and Bronco: rules, pieces, cards, the deal, the luck.

The clause ids P1..P13 are those of rules/puzzle.md. The play itself is in puzzle.py.
Puzzles are numbered from 0, one for each player; so are the seats, and the next seat is the one
to the left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import permutations
from math import isfinite
from typing import NamedTuple, Protocol

from .luck import CHOICE, DEAL, TABLE, below, number

PIECES = 40  # P1: of each puzzle, and dealt to each player
FEWEST_PLAYERS, MOST_PLAYERS = 3, 4  # P1
EDITIONS = ("horse-trader", "bronco")
SIMULTANEOUS = ("share", "order")  # P10
MOST_CALLS, MOST_OFFERED = 9, 4
LOW = 2**32 - 1  # the low half of 64 bits

Counts = tuple[int, ...]
Detail = str | int | Counts


@dataclass(frozen=True)
class Rules:
    """Every number of the game, and the readings where the rulebook leaves a choice."""

    edition: str = "horse-trader"  # or "bronco"
    advanced: bool = False  # P9, P11, P12: the game with bluffs
    tempo: tuple[float, ...] = ()  # P3 [reading]: by seat; empty means 1 each
    reaction: tuple[float, ...] = ()  # P4 [reading]: by seat; empty means 1 each
    calls: int = 3  # P7, P8, P9
    largest_offer: int = 4  # P4
    simultaneous: str = "share"  # P10 [reading], or "order"
    max_beats: int = 20000  # P13


@dataclass
class Table:
    """Everything on the table, and what must be remembered about calls."""

    holdings: list[list[int]]  # by seat: how many pieces of each puzzle (P2)
    cards: list[int]  # by seat: the puzzle on his card (P2)
    rules: Rules
    beat: int = 0  # beats finished so far
    kept: int | None = None  # P7a: who has the word in the next beat, having just called
    last_caller: int | None = None  # who called a pass last
    row: int = 0  # how many calls in a row he has made
    locked: bool = False  # P8: an offer has followed his last call
    calls: list[int] = field(default_factory=list)  # by seat, so far; empty means none
    players: int = field(init=False)  # how many there are

    def __post_init__(self) -> None:
        self.players = len(self.holdings)
        self.calls = self.calls or [0] * self.players
        check_table(self)

    def size(self, seat: int) -> int:
        """Return how many pieces a player holds."""
        return sum(self.holdings[seat])

    def left(self, seat: int, places: int = 1) -> int:
        """Return the seat so many places to the left of a seat; to the right if negative."""
        return (seat + places) % self.players

    def round_from(self, seat: int) -> list[int]:
        """Return all the seats, beginning with one and going to the left."""
        return [self.left(seat, places) for places in range(self.players)]

    def own_first(self, seat: int) -> Counts:
        """Return what a player holds in four counts, of his own puzzle first."""
        own, holding = self.cards[seat], self.holdings[seat]
        counts = holding[own:] + holding[:own]
        return (*counts, *[0] * (MOST_PLAYERS - self.players))

    def is_complete(self, seat: int) -> bool:
        """Say whether a player holds all the pieces of his puzzle (P10)."""
        return self.holdings[seat][self.cards[seat]] == PIECES

    def totals(self) -> list[int]:
        """Return how many pieces of each puzzle there are."""
        return [sum(column) for column in zip(*self.holdings, strict=True)]


# The three things one can do with the word (P3): an offer, a forced pass, or None for silence.
class Offer(NamedTuple):
    """An offer of so many pieces (P4); the numbers may differ in a bluff (P11)."""

    said: int
    committed: int


class ForcedPass(NamedTuple):
    """A call of "Hold your horses" or "Pass the buck" in a direction (P6)."""

    direction: str


Word = Offer | ForcedPass | None


@dataclass(frozen=True)
class Look:
    """What a player sees when he is asked; other holdings and puzzle cards he never sees."""

    question: str  # "word", "commit", "answer", "give", "pay" or "pass"
    seat: int  # his own
    pieces: Counts  # his own, four counts: of his own puzzle first, then of the next ones
    said: int  # the number said in an offer, else 0
    due: int  # how many pieces he must part with now, else 0
    sizes: Counts  # how many pieces everybody holds, by seat
    calls: Counts  # how many passes everybody has called, by seat
    may_call: bool  # whether he may call a pass (P7, P8, P9)
    kept: bool  # whether the word was kept after a call (P7a)
    beat: int
    holder: int  # who has the word
    rules: Rules
    below: Callable[[int], int]  # draws any whole number below n from his own stream of choices


class Chooser(Protocol):
    """The decisions of one player."""

    def word(self, look: Look) -> Word:
        """Return what to do with the word."""

    def answer(self, look: Look) -> str:
        """Return "no", "trade" or, in advanced games, "call"."""

    def keep(self, look: Look) -> Counts:
        """Return how many pieces of each puzzle to keep if possible, own puzzle first."""


@dataclass(frozen=True)
class Step:
    """One thing that happened, and the holdings right after it."""

    kind: str
    beat: int  # beats finished before the one it happened in
    seat: int  # who had the word
    detail: tuple[Detail, ...]
    holdings: tuple[Counts, ...]  # by seat, each by puzzle
    gifts: tuple[Counts, ...]  # by seat: what he parted with, or committed


@dataclass
class Deeds:
    """What one player did in a game."""

    trades: int = 0  # that he took part in
    offers: int = 0  # that he made
    passes: int = 0  # that he called
    bluffs: int = 0  # his offers with two different numbers
    calls_right: int = 0  # bluffs he called, and the numbers differed
    calls_wrong: int = 0
    gained_by_bluffs: int = 0  # pieces
    gained_by_calls: int = 0  # pieces


@dataclass
class Result:
    """A game played to its end, and what was done in it.

    After a start from the middle of a game, `beats` counts all the beats of the game, those
    before the start too; everything else is only what was played.
    """

    winners: list[int]  # nobody in a stall
    beats: int
    steps: list[Step]
    deeds: list[Deeds]  # by seat
    trades: int = 0  # offers answered
    passes: int = 0
    called_right: int = 0  # bluffs called: the numbers differed
    called_wrong: int = 0


class Luck(Protocol):
    """All that chance decides: 64 random bits at a time."""

    def deal(self) -> int:
        """Return the next number for the deal."""

    def table(self) -> int:
        """Return the next number for the beats, one for each."""

    def choice(self, seat: int) -> int:
        """Return the next number of a player's own stream: for his pieces and his choices."""


class SeededLuck:
    """The luck of one game of a seed: number(seed, game, kind, index, draw)."""

    def __init__(self, seed: int, game: int) -> None:
        self.seed = seed
        self.game = game
        self.drawn: dict[tuple[int, int], int] = {}  # by kind and index

    def next(self, kind: int, index: int) -> int:
        """Return the next number of a stream."""
        draw = self.drawn.get((kind, index), 0)
        self.drawn[kind, index] = draw + 1
        return number(self.seed, self.game, kind, index, draw)

    def deal(self) -> int:
        """Return the next number for the deal."""
        return self.next(DEAL, 0)

    def table(self) -> int:
        """Return the next number for the beats."""
        return self.next(TABLE, 0)

    def choice(self, seat: int) -> int:
        """Return the next number of a player's own stream."""
        return self.next(CHOICE, seat)


def pick(counts: Sequence[int], index: int) -> int:
    """Return the puzzle of a piece by its place, pieces laid out puzzle by puzzle, 0 first."""
    laid_out = [puzzle for puzzle, count in enumerate(counts) for _ in range(count)]
    return laid_out[index]


def drawn_seat(weights: Sequence[float], half: int) -> int:
    """Return a seat from 32 random bits, with probability proportional to its weight (P3, P4)."""
    return sum(half >= bound for bound in bounds_of(tuple(weights)))


@lru_cache
def bounds_of(weights: tuple[float, ...]) -> list[int]:
    """Return where in 32 bits each seat but the last ends."""
    total = sum(weights)
    return [round(2**32 * sum(weights[: j + 1]) / total) for j in range(len(weights) - 1)]


def check(players: int, rules: Rules) -> None:
    """Raise ValueError if so many players cannot play by such rules."""
    if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:  # P1
        raise ValueError(f"{players} players")
    if rules.edition not in EDITIONS or rules.simultaneous not in SIMULTANEOUS:
        raise ValueError(f"no such edition or reading: {rules}")
    for weights in (rules.tempo, rules.reaction):
        if weights and (len(weights) != players or not all(isfinite(w) and w > 0 for w in weights)):
            raise ValueError(f"weights {weights} of {players} players")
    if not 0 <= rules.calls <= MOST_CALLS or not 1 <= rules.largest_offer <= MOST_OFFERED:
        raise ValueError(f"not a number of calls or of pieces to offer: {rules}")
    if rules.max_beats < 1:
        raise ValueError(f"not a number of beats: {rules}")


def check_table(table: Table) -> None:
    """Raise ValueError if this is not a table of the game."""
    players = table.players
    check(players, table.rules)
    seats = range(players)
    if sorted(table.cards) != list(seats):
        raise ValueError(f"puzzle cards {table.cards}")
    if any(len(holding) != players or min(holding) < 0 for holding in table.holdings):
        raise ValueError(f"holdings {table.holdings}")
    if table.totals() != [PIECES] * players:
        raise ValueError(f"not {PIECES} pieces of each puzzle: {table.holdings}")
    for seat in (table.kept, table.last_caller):
        if seat is not None and seat not in seats:
            raise ValueError(f"no such seat: {seat}")
    if len(table.calls) != players or min(*table.calls, table.row) < 0:
        raise ValueError(f"calls {table.calls}, {table.row} in a row")
    if not 0 <= table.beat < table.rules.max_beats:
        raise ValueError(f"beat {table.beat} of {table.rules.max_beats}")


# THE SET-UP
def deal(players: int, rules: Rules, luck: Luck) -> Table:
    """Deal a puzzle card and 40 pieces to each player (P1, P2)."""
    check(players, rules)
    orders = list(permutations(range(players)))
    cards = list(orders[below(luck.deal(), len(orders))])
    places = throw(players, luck)
    even_out(players, places, luck)
    return Table(places[:players], cards, rules)


def throw(players: int, luck: Luck) -> list[list[int]]:
    """Throw every piece to one of four places: the seats and, with three, the table's middle."""
    places = [[0] * players for _ in range(MOST_PLAYERS)]
    for puzzle in range(players):
        high, low = luck.deal(), luck.deal()
        for piece in range(PIECES):
            place = 2 * (high >> piece & 1) + (low >> piece & 1)
            places[place][puzzle] += 1
    return places


def even_out(players: int, places: list[list[int]], luck: Luck) -> None:
    """Move pieces, drawn at random, from places with too many until each seat has 40."""
    due = [PIECES if place < players else 0 for place in range(MOST_PLAYERS)]
    while True:
        too_many = [place for place in range(MOST_PLAYERS) if sum(places[place]) > due[place]]
        if not too_many:
            return
        giver = too_many[0]
        taker = next(seat for seat in range(players) if sum(places[seat]) < PIECES)
        puzzle = pick(places[giver], below(luck.deal(), sum(places[giver])))
        places[giver][puzzle] -= 1
        places[taker][puzzle] += 1
