"""The card game "Barnyard Swap", written from its rulebook to be read beside it.

The clause ids B1..B18 are those of rules/barnyard.md. Nothing here is meant to be fast.
Cards, rules, the deal, the piles and the full hands are in barnyard_table.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from .barnyard_table import (
    ANIMALS,
    DONKEY,
    WATCHDOG,
    Below,
    Card,
    Chooser,
    Detail,
    Hand,
    Result,
    Rules,
    Session,
    Step,
    Table,
    check_conserved,
    deal,
    holds_all,
    holds_wild,
    in_order,
    is_farm_animal,
    is_wild,
    may_claim,
    natural,
)

__all__ = [
    "ANIMALS",
    "DONKEY",
    "WATCHDOG",
    "Card",
    "Chooser",
    "Parts",
    "Result",
    "Rules",
    "Session",
    "SessionPlay",
    "Step",
    "Table",
    "play",
    "score_other",
    "score_successful",
]


# HOW POINTS ARE COUNTED
class Parts(NamedTuple):
    """The parts of a player's score in a session."""

    numbers: int  # B14, B15
    first: int  # B14
    run: int  # B14, B15
    runaway: int  # B16
    donkey: int  # B17
    watchdog: int  # B17


def animal_sum(hand: Hand, animal: str) -> int:
    """Return the sum of the numbers of one animal in a hand."""
    return sum(card.number for card in hand if card.animal == animal)


def best_animal(hand: Hand) -> str:
    """Return the animal with the highest sum; ties: more cards, then the deck's order (B15)."""

    def worth(animal: str) -> tuple[int, int]:
        return animal_sum(hand, animal), sum(card.animal == animal for card in hand)

    return max(ANIMALS, key=worth)  # of equals, max takes the first


def longest_run(numbers: Iterable[int]) -> int:
    """Return how many consecutive numbers there are at most; doubles count once (B15)."""
    there = set(numbers)
    longest = 0
    for low in there:
        high = low
        while high + 1 in there:
            high += 1
        longest = max(longest, high - low + 1)
    return longest


def run_of_successful(hand: Hand) -> int:
    """Return 10 if all cards of the hand are numbered and consecutive (B14)."""
    if holds_wild(hand):
        return 0
    return 10 if longest_run(card.number for card in hand) == len(hand) else 0


def run_of_other(hand: Hand) -> int:
    """Return 5 for five and 6 for six or more consecutive numbers in any one animal (B15)."""
    runs = [
        longest_run(card.number for card in hand if card.animal == animal) for animal in ANIMALS
    ]
    if max(runs) >= 6:
        return 6
    return 5 if max(runs) == 5 else 0


def runaway_points(runaway: Card | None, collected: str) -> int:
    """Return what the runaway adds, if even, or takes, if odd (B16)."""
    if runaway is None or runaway.animal != collected:  # nobody collects a wild one (B3)
        return 0
    return runaway.number if runaway.number % 2 == 0 else -runaway.number


def score_successful(hand: Hand, runaway: Card | None) -> Parts:
    """Return the score of the player who showed a full hand (B14, B16, B17)."""
    (animal,) = {card.animal for card in hand if is_farm_animal(card)}
    return Parts(
        numbers=sum(card.number for card in hand),
        first=5,
        run=run_of_successful(hand),
        runaway=runaway_points(runaway, animal),
        donkey=-10 * hand.count(DONKEY),
        watchdog=10 * hand.count(WATCHDOG),
    )


def score_other(hand: Hand, runaway: Card | None, collected: str) -> Parts:
    """Return the score of any other player, who collects an animal (B15, B16, B17)."""
    others = sum(card.number for card in hand if card.animal != collected)
    return Parts(
        numbers=animal_sum(hand, collected) - others,
        first=0,
        run=run_of_other(hand),
        runaway=runaway_points(runaway, collected),
        donkey=-10 * hand.count(DONKEY),
        watchdog=10 * hand.count(WATCHDOG),
    )


# HOW THE GAME IS PLAYED
class SessionPlay:
    """A session in progress: one method for each thing the rulebook tells the players to do."""

    def __init__(self, table: Table, below: Below, chooser: Chooser, steps: list[Step]) -> None:
        self.table = table
        self.below = below
        self.chooser = chooser
        self.steps = steps

    def record(self, kind: str, seat: int, *detail: Detail) -> None:
        """Check the cards and record a step."""
        table = self.table
        check_conserved(table, extra=1 if kind == "draw" else 0)
        hands = tuple(in_order(tuple(hand)) for hand in table.hands)
        self.steps.append(
            Step(kind, table.session, table.turn, seat, detail, hands, table.barnyard, table.pile)
        )

    def play(self) -> Session:
        """Play from the deal to the scores."""
        table = self.table
        assert table.runaway is not None
        self.record("deal", table.swapper, table.runaway)
        end, successful = self.look()  # B11: after the deal, too
        while successful is None and table.turn < self.table.rules.max_rounds * table.players:
            self.take_turn()
            end, successful = self.look()
            table.turn += 1
            if successful is None:
                table.swapper = (table.swapper + 1) % table.players  # B4: to the left
        if successful is None:
            self.record("stall", table.first_swapper)  # B13
        scores = self.count_points(successful)
        rounds = -(-table.turn // table.players)  # B13: rounded up
        return Session(table.turn, rounds, end, successful, scores)

    # A turn
    def take_turn(self) -> None:
        """Ask for bids, and swap with a bidder or else with the barnyard (B5 to B9)."""
        self.ask()
        self.hear_bids()
        accepted = self.accept()
        if accepted is not None:
            self.trade(*accepted)
        else:
            self.swap_with_barnyard()
        self.table.asked = None
        self.table.offers = []

    def ask(self) -> None:
        """Let the swapper name one farm-animal card of his hand (B5)."""
        table, seat = self.table, self.table.swapper
        card = self.chooser.ask(table, seat)
        if is_wild(card) or card not in table.hands[seat]:
            raise ValueError(f"seat {seat} cannot ask for bids on {card}: {table.hands[seat]}")
        table.asked = card
        self.record("ask", seat, card)

    def hear_bids(self) -> None:
        """Hear every bidder once, from the swapper's left round (B6)."""
        table = self.table
        for seat in table.from_left_of(table.swapper):
            cards = list(self.chooser.bid(table, seat))
            if any(is_wild(card) for card in cards) or not holds_all(table.hands[seat], cards):
                raise ValueError(f"seat {seat} cannot offer {cards}: {table.hands[seat]}")
            table.offers += [(seat, card) for card in cards]
            if cards:
                self.record("bid", seat, tuple(sorted(cards)))

    def accept(self) -> tuple[int, Card] | None:
        """Let the swapper accept one offered card, or none (B7)."""
        table, seat = self.table, self.table.swapper
        if not table.offers:
            return None
        accepted = self.chooser.accept(table, seat)
        if accepted is not None and accepted not in table.offers:
            raise ValueError(f"nobody offers {accepted}: {table.offers}")
        return accepted

    def trade(self, bidder: int, offered: Card) -> None:
        """Exchange one card for one, face down (B7)."""
        table, swapper = self.table, self.table.swapper
        assert table.asked is not None
        # Both choose before either sees what he gets: the swapper first, then the bidder.
        from_swapper = self.hand_over(swapper, table.asked)
        from_bidder = self.hand_over(bidder, offered)
        table.hands[swapper].remove(from_swapper)
        table.hands[bidder].remove(from_bidder)
        table.hands[swapper].append(from_bidder)
        table.hands[bidder].append(from_swapper)
        self.record("trade", swapper, bidder, offered, from_swapper, from_bidder)

    def hand_over(self, seat: int, named: Card) -> Card:
        """Return the card named, or a wild card that he holds instead of it (B8)."""
        hand = self.table.hands[seat]
        if not holds_wild(hand):
            return named
        card = self.chooser.hand_over(self.table, seat, named)
        if card != named and not (is_wild(card) and card in hand):
            raise ValueError(f"seat {seat} cannot hand over {card} for {named}: {hand}")
        return card

    def swap_with_barnyard(self) -> None:
        """Take the top card of the barnyard, then discard one (B9, B10)."""
        table, seat = self.table, self.table.swapper
        hand = table.hands[seat]
        drawn = table.draw(self.below)
        hand.append(drawn)
        self.record("draw", seat, drawn)
        card = self.chooser.discard(table, seat)
        if card not in hand or (is_wild(card) and not table.rules.discard_wild):
            raise ValueError(f"seat {seat} cannot discard {card}: {hand}")
        hand.remove(card)
        table.discards.append(card)
        self.record("discard", seat, card)

    # The end of a session
    def look(self) -> tuple[str, int | None]:
        """Look once round for a full hand, the swapper first, then leftwards (B11, B12).

        Returned are how the session ends and who is successful; a stall and None if nobody is.
        """
        table = self.table
        for seat in [table.swapper, *table.from_left_of(table.swapper)]:
            if natural(table.hands[seat]):
                end = "natural"
            elif may_claim(table.hands[seat]) and self.chooser.claim(table, seat):
                end = "claim"
            else:
                continue
            self.record("full hand", seat, end)
            return end, seat
        return "stall", None

    def count_points(self, successful: int | None) -> list[int]:
        """Return everybody's score in this session, by seat (B14 to B17)."""
        scores = []
        for seat, hand in enumerate(self.table.hands):
            if seat == successful:
                parts = score_successful(hand, self.table.runaway)
            else:
                parts = score_other(hand, self.table.runaway, self.collected(seat))
            scores.append(sum(parts))
            self.record("score", seat, sum(parts), *parts)
        return scores

    def collected(self, seat: int) -> str:
        """Return the animal collected by a player who is not the successful one (B15)."""
        if self.table.rules.collecting == "best":
            return best_animal(self.table.hands[seat])
        animal = self.chooser.collects(self.table, seat)
        if animal not in ANIMALS:
            raise ValueError(f"seat {seat} cannot collect {animal!r}")
        return animal


def over(rules: Rules, sessions: int, totals: list[int]) -> bool:
    """Say whether a match is over after so many sessions, with these totals (B18)."""
    if rules.target:
        return max(totals) >= rules.target or sessions >= rules.max_sessions
    return sessions >= rules.sessions


def play(players: int, rules: Rules, luck: Callable[[int], Below], chooser: Chooser) -> Result:
    """Play a match (B18). luck(session) draws the whole numbers of that session's own stream."""
    rules.check_players(players)
    totals = [0] * players
    sessions: list[Session] = []
    steps: list[Step] = []
    while not over(rules, len(sessions), totals):
        below = luck(len(sessions))
        table = deal(players, rules, len(sessions), totals, below)
        session = SessionPlay(table, below, chooser, steps).play()
        sessions.append(session)
        totals = [total + score for total, score in zip(totals, session.scores, strict=True)]
    winners = [seat for seat in range(players) if totals[seat] == max(totals)]  # B18: shared
    return Result(winners, totals, sessions, steps)
