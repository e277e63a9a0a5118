"""The reference game of Barnyard Swap in situations made by hand (clauses of rules/barnyard.md)."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest

from .barnyard import SessionPlay, best_animal, over, play, score_other, score_successful
from .barnyard_anchors import ANCHORS, Collector, Honest, Miser, Purist, Seats
from .barnyard_table import DONKEY, WATCHDOG, Card, Rules, Step, Table, deal, may_claim, natural

Points = tuple[int, ...]
LETTERS = {"s": "sheep", "p": "pigs", "g": "goats", "c": "cows", "h": "horses"}


def card(name: str) -> Card:
    if name in "DW":
        return DONKEY if name == "D" else WATCHDOG
    return Card(LETTERS[name[0]], int(name[1:]))


def cards(names: str) -> list[Card]:
    return [card(name) for name in names.split()]


SEVEN_PIGS = "p1 p2 p3 p4 p5 p6 p7"
MIXED = ("s1 s3 g5 g7 c1 c3 h9", "s2 s4 g6 g8 c2 c4 h10", "s5 s7 g1 g3 c5 c7 h1")


def table_of(*hands: str, runaway: str = "h5", top: str = "", rules: Rules | None = None) -> Table:
    """Return a table with these hands; the barnyard has `top` on top, the rest in deck order."""
    rules = rules or Rules()
    table = Table(rules, [cards(hand) for hand in hands], [0] * len(hands), runaway=card(runaway))
    rest = rules.deck(len(hands))
    for known in [card(runaway), *cards(top), *(held for hand in table.hands for held in hand)]:
        rest.remove(known)
    table.ordered = cards(top) + rest
    return table


@dataclass
class Scripted:
    """Does nothing it need not do, unless told so; remembers who was asked what."""

    asks: str = ""
    bids: dict[int, str] = field(default_factory=dict)
    accepts: tuple[int, str] | None = None
    gives: dict[int, str] = field(default_factory=dict)
    discards: str = ""
    claims: tuple[int, ...] = ()
    declared: str = "sheep"
    heard: list[tuple[str, int]] = field(default_factory=list)

    def ask(self, table: Table, seat: int) -> Card:
        self.heard.append(("ask", seat))
        return card(self.asks) if self.asks else self.tame(table, seat)

    def bid(self, table: Table, seat: int) -> list[Card]:
        self.heard.append(("bid", seat))
        return cards(self.bids.get(seat, ""))

    def accept(self, table: Table, seat: int) -> tuple[int, Card] | None:
        self.heard.append(("accept", seat))
        return self.accepts and (self.accepts[0], card(self.accepts[1]))

    def hand_over(self, table: Table, seat: int, named: Card) -> Card:
        self.heard.append(("hand over", seat))
        return card(self.gives[seat]) if seat in self.gives else named

    def discard(self, table: Table, seat: int) -> Card:
        self.heard.append(("discard", seat))
        return card(self.discards) if self.discards else self.tame(table, seat)

    def claim(self, table: Table, seat: int) -> bool:
        self.heard.append(("claim", seat))
        return seat in self.claims

    def collects(self, table: Table, seat: int) -> str:
        self.heard.append(("collects", seat))
        return self.declared

    def tame(self, table: Table, seat: int) -> Card:
        return next(held for held in reversed(table.hands[seat]) if held.number > 0)


def first_card(n: int) -> int:
    return 0


def session(table: Table, chooser: Scripted) -> SessionPlay:
    return SessionPlay(table, first_card, chooser, [])


# B1-B4
@pytest.mark.parametrize(
    ("players", "donkeys", "size", "held"),
    [(3, 1, 52, 7), (4, 2, 53, 7), (7, 1, 52, 6), (8, 1, 104, 7), (14, 2, 106, 7)],
)
def test_deck_and_hands(players: int, donkeys: int, size: int, held: int) -> None:
    deck = Rules(donkeys=donkeys).deck(players)
    assert len(deck) == size
    assert deck[:2] == cards("s1 s2") and deck[49:51] == cards("h10 D")
    assert deck[-1] == WATCHDOG
    table = deal(players, Rules(donkeys=donkeys), 0, [0] * players, first_card)
    assert {len(hand) for hand in table.hands} == {held}
    assert table.barnyard == size - players * held - 1
    table.shuffled[0] = DONKEY  # a card too many, and another lost: seen at the next step
    with pytest.raises(AssertionError):
        session(table, Scripted()).record("deal", 0)


def test_who_cannot_play() -> None:
    for players, rules in [(2, Rules()), (15, Rules()), (3, Rules(donkeys=2))]:
        with pytest.raises(ValueError):
            play(players, rules, lambda session: first_card, Scripted())
    with pytest.raises(ValueError):
        Rules(donkeys=3)
    with pytest.raises(ValueError):
        Rules(recycle="burnt")


def test_deal_goes_round_from_the_first_swapper() -> None:
    # The first card is s1; then the last card of the list always lies in its place.
    table = deal(3, Rules(), 4, [0, 0, 0], first_card)
    assert table.swapper == 1
    assert [table.hands[seat][0] for seat in (1, 2, 0)] == cards("s1 W D")
    assert [table.hands[seat][1] for seat in (1, 2, 0)] == cards("h10 h9 h8")
    assert table.runaway == card("c2")  # after the 21: s1 W D, h10 to h1, c10 to c3


def wild_at_the_end(n: int) -> int:
    """Deal three players tame cards, both wild ones changing places at the end, then take them."""
    return n - 3 if n > 52 - 21 else n - 1


def test_runaway_out_or_redrawn() -> None:
    out = deal(3, Rules(), 0, [0, 0, 0], wild_at_the_end)
    assert (out.runaway, out.ordered, out.barnyard) == (DONKEY, [], 30)
    again = deal(3, Rules(runaway_wild="redraw"), 0, [0, 0, 0], wild_at_the_end)
    assert again.ordered == [DONKEY, WATCHDOG] and again.barnyard == 30
    assert again.runaway == card("g9")  # after the 21: h10 to h1, c10 to c1, g10
    drawn = [again.draw(lambda n: n - 1) for _ in range(30)]
    assert drawn[:2] == cards("g8 g7") and drawn[27:] == cards("s1 D W")


# B5-B10
def test_trade_with_wild_cards_for_named_ones() -> None:
    table = table_of("p1 p2 s3 s4 g5 g6 D", "p8 p9 s1 s2 g1 g2 W", "c1 c2 c3 c4 h1 h2 h3")
    chooser = Scripted("s3", {1: "p9 p8", 2: "c1"}, (1, "p9"), {0: "D", 1: "W"})
    game = session(table, chooser)
    game.take_turn()
    assert chooser.heard[-3:] == [("accept", 0), ("hand over", 0), ("hand over", 1)]
    assert [step.kind for step in game.steps] == ["ask", "bid", "bid", "trade"]
    assert game.steps[1].detail == (tuple(cards("p8 p9")),)
    assert game.steps[3].detail == (1, card("p9"), DONKEY, WATCHDOG)
    assert sorted(table.hands[0]) == sorted(cards("p1 p2 s3 s4 g5 g6 W"))
    assert sorted(table.hands[1]) == sorted(cards("p8 p9 s1 s2 g1 g2 D"))


def test_who_gets_a_wild_card_in_a_trade_cannot_hand_it_back() -> None:
    table = table_of("p1 p2 p3 p4 p5 p6 D", *MIXED[:2])
    chooser = Scripted("p1", {1: "g5"}, (1, "g5"), {0: "D", 1: "D"})
    session(table, chooser).take_turn()
    assert ("hand over", 1) not in chooser.heard
    assert DONKEY in table.hands[1] and card("g5") in table.hands[0]


def test_bidders_are_heard_from_the_left_and_accept_only_with_offers() -> None:
    table = table_of(*MIXED)
    table.swapper = 1
    chooser = Scripted()
    session(table, chooser).take_turn()
    assert chooser.heard == [("ask", 1), ("bid", 2), ("bid", 0), ("discard", 1)]


@pytest.mark.parametrize(
    "chooser",
    [
        Scripted(asks="D"),
        Scripted(asks="p8"),
        Scripted(bids={1: "W"}),
        Scripted(bids={1: "g5 g5"}),
        Scripted(bids={1: "g5"}, accepts=(2, "g5")),
        Scripted(bids={1: "g5"}, accepts=(1, "g7")),
        Scripted(bids={1: "g5"}, accepts=(1, "g5"), gives={0: "p1"}, asks="p2"),
        Scripted(bids={1: "g5"}, accepts=(1, "g5"), gives={0: "W"}, asks="p2"),
        Scripted(discards="D"),
        Scripted(discards="s9"),
    ],
)
def test_illegal_answers(chooser: Scripted) -> None:
    table = table_of("p1 p2 p3 p4 p5 p6 D", "s1 s3 g5 g7 c1 c3 W", MIXED[1], top="h8")
    with pytest.raises(ValueError):
        session(table, chooser).take_turn()


def test_discard_of_a_wild_card_where_allowed() -> None:
    table = table_of("p1 p2 p3 p4 p5 g6 D", *MIXED[:1], MIXED[2], rules=Rules(discard_wild=True))
    session(table, Scripted(discards="D")).take_turn()
    assert table.discards == [DONKEY] and DONKEY not in table.hands[0]


@pytest.mark.parametrize(
    ("recycle", "drawn"),
    [("turned", "s1 p2 g3"), ("as_is", "g3 p2 s1"), ("shuffled", "s1 g3 p2")],
)
def test_second_pile(recycle: str, drawn: str) -> None:
    table = Table(Rules(recycle=recycle), [[], [], []], [0, 0, 0], discards=cards("s1 p2 g3"))
    table.ordered = cards("h7")
    assert table.draw(first_card) == card("h7")
    assert (table.barnyard, table.pile) == (0, 3)  # only the next draw finds it used up
    assert [table.draw(first_card) for _ in range(3)] == cards(drawn)
    assert (table.barnyard, table.pile) == (0, 0)


def test_no_look_between_draw_and_discard() -> None:
    table = table_of("p1 p2 p3 p4 p5 p6 W", *MIXED[:2], top="p7")
    game = session(table, Scripted(discards="p1"))
    game.take_turn()
    draw, discard = game.steps[1:]
    assert (draw.kind, len(draw.hands[0]), draw.pile) == ("draw", 8, 0)
    assert (discard.kind, discard.pile, discard.barnyard) == ("discard", 1, draw.barnyard)
    assert game.look() == ("stall", None)  # he does not claim


# B11-B13
def test_full_hands() -> None:
    assert natural(cards(SEVEN_PIGS)) and not may_claim(cards(SEVEN_PIGS))
    assert not natural(cards("p1 p2 p3 p4 p5 p6 D")) and may_claim(cards("p1 p2 p3 p4 p5 p6 D"))
    assert may_claim(cards("h1 h2 h3 h4 h5 W"))  # six cards where seven play
    for hand in ("p1 p2 p3 p4 p5 D W", "p1 p2 p3 p4 p5 g6 W", "p1 p2 p3 p4 p5 p6 g6"):
        assert not natural(cards(hand)) and not may_claim(cards(hand))
    assert not may_claim(cards("p1 p2 p3 p4 p5 D D"))


def test_an_earlier_claim_beats_a_later_natural_hand() -> None:
    hands = ("s1 s2 s3 s4 s5 s6 D", SEVEN_PIGS, "g1 g2 g3 g4 g5 g6 W")
    for swapper, claims, end in [
        (0, (0, 2), ("claim", 0)),
        (0, (2,), ("natural", 1)),
        (1, (0, 2), ("natural", 1)),
        (2, (0, 2), ("claim", 2)),
        (2, (0,), ("claim", 0)),
    ]:
        table = table_of(*hands)
        table.swapper = swapper
        assert session(table, Scripted(claims=claims)).look() == end


def test_a_second_full_hand_is_scored_as_the_others_are() -> None:
    table = table_of("s1 s2 s3 s4 s5 s6 s7", SEVEN_PIGS, "g1 g2 g3 c4 c5 c6 D", runaway="p8")
    game = session(table, Scripted())
    result = game.play()
    assert (result.turns, result.rounds, result.end, result.successful) == (0, 0, "natural", 0)
    assert [step.kind for step in game.steps] == ["deal", "full hand", *["score"] * 3]
    assert game.steps[3].detail == (28 + 6 + 8, 28, 0, 6, 8, 0, 0)
    assert result.scores == [28 + 5 + 10, 42, 15 - 6 - 10]


def test_a_turn_that_ends_the_session_counts() -> None:
    table = table_of("p1 p2 p3 p4 p5 p6 g9", *MIXED[:2], top="p9")
    game = session(table, Scripted(discards="g9"))
    result = game.play()
    assert (result.turns, result.rounds, result.end, result.successful) == (1, 1, "natural", 0)
    kinds = [(step.kind, step.turn) for step in game.steps[-5:]]
    assert kinds == [("discard", 0), ("full hand", 0), *[("score", 1)] * 3]


def test_stall() -> None:
    table = table_of(*MIXED, rules=Rules(max_rounds=2))
    table.session = 1
    table.swapper = 1
    game = session(table, Scripted())
    result = game.play()
    assert (result.turns, result.rounds, result.end, result.successful) == (6, 2, "stall", None)
    stall = game.steps[-4]
    assert (stall.kind, stall.seat, stall.turn, stall.detail) == ("stall", 1, 6, ())
    assert all(step.detail[2] == 0 for step in game.steps[-3:])  # nobody was first
    asked = [step.seat for step in game.steps if step.kind == "ask"]
    assert asked == [1, 2, 0, 1, 2, 0]


# B14-B17
@pytest.mark.parametrize(
    ("hand", "runaway", "parts"),
    [
        ("p2 p3 p4 p5 p6 p7 p8", "s4", (35, 5, 10, 0, 0, 0)),
        ("p8 p2 p3 p4 p5 p6 p9", "p10", (37, 5, 0, 10, 0, 0)),
        ("p5 p6 p7 p8 p9 p10 D", "p1", (45, 5, 0, -1, -10, 0)),
        ("p5 p6 p7 p8 p9 p10 W", "D", (45, 5, 0, 0, 0, 10)),
        ("p5 p6 p7 p8 p9 p10", "p2", (45, 5, 10, 2, 0, 0)),
        ("p4 p5 p6 p7 p8 p9 p9", "p9", (48, 5, 0, -9, 0, 0)),  # two packs: no run of seven
    ],
)
def test_score_of_the_successful(hand: str, runaway: str, parts: Points) -> None:
    assert score_successful(cards(hand), card(runaway)) == parts


@pytest.mark.parametrize(
    ("hand", "runaway", "collected", "parts"),
    [
        ("p2 p3 p4 p5 p6 s1 s9", "p8", "pigs", (20 - 10, 0, 5, 8, 0, 0)),
        ("p2 p3 p4 p5 p6 p7 s9", "p9", "pigs", (27 - 9, 0, 6, -9, 0, 0)),
        ("p1 p2 p3 p4 p6 p7 s9", "s8", "pigs", (23 - 9, 0, 0, 0, 0, 0)),
        ("p1 p2 p3 p4 p5 s9 s10", "p8", "sheep", (19 - 15, 0, 5, 0, 0, 0)),  # run not collected
        ("p5 p6 p7 p8 p8 p9 D", "W", "pigs", (43, 0, 5, 0, -10, 0)),  # a double counts once
        ("s1 p1 g1 h2 h3 D W", "h7", "horses", (5 - 3, 0, 0, -7, -10, 10)),
        ("s1 p1 g1 h2 h3 D D", "h7", "cows", (-8, 0, 0, 0, -20, 0)),
    ],
)
def test_score_of_others(hand: str, runaway: str, collected: str, parts: Points) -> None:
    assert score_other(cards(hand), card(runaway), collected) == parts


def test_animal_collected() -> None:
    assert best_animal(cards("s1 s2 s3 h7 c2 c3 D")) == "horses"
    assert best_animal(cards("h3 h4 c7 s1 s2 g1 g2")) == "horses"  # as much in more cards
    assert best_animal(cards("h3 h4 c3 c4 g1 D W")) == "cows"  # as much in as many
    rules = Rules(collecting="declared")
    chooser = Scripted(declared="goats")
    game = session(table_of(SEVEN_PIGS, *MIXED[:2], runaway="g2", rules=rules), chooser)
    assert game.play().scores == [43, 12 - 17 + 2, 14 - 22 + 2]
    assert chooser.heard == [("collects", 1), ("collects", 2)]
    with pytest.raises(ValueError):
        session(table_of(SEVEN_PIGS, *MIXED[:2], rules=rules), Scripted(declared="D")).play()


# B18
def test_end_of_a_match() -> None:
    assert not over(Rules(), 3, [500, 0, 0]) and over(Rules(), 4, [-1, -2, -3])
    target = Rules(target=150, max_sessions=9)
    assert not over(target, 8, [149, 0, 0]) and over(target, 1, [0, 150, 0])
    assert over(target, 9, [0, 0, 0])


# Anchors
def test_anchor_targets() -> None:
    hand = cards("s1 s2 s3 c9 c10 D W")
    assert Collector().target(hand) == "sheep" and Miser().target(hand) == "cows"
    assert Collector().target(cards("s1 s2 c2 c3 h1 h4 p9")) == "cows"  # 5 = 5: the earlier
    assert Miser().target(cards("s9 c4 c5 h4 h5 D W")) == "cows"


def test_anchor_choices() -> None:
    table = table_of("s1 s2 s3 c10 h10 D W", "p1 p2 p3 s4 s5 g6 g7", "p4 p5 p6 p7 p8 s6 h6")
    collector = Collector()
    assert collector.ask(table, 0) == card("c10") and Honest().discard(table, 0) == card("c10")
    table.asked = card("p9")
    assert collector.bid(table, 0) == [] and collector.bid(table, 1) == cards("s4 s5 g6 g7")
    table.offers = [(1, card("s5")), (2, card("s6")), (1, card("s6")), (1, card("g7"))]
    assert collector.accept(table, 0) == (1, card("s6"))  # the nearest to the left
    assert collector.accept(table, 2) is None
    assert collector.hand_over(table, 0, card("c10")) == DONKEY
    assert Honest().hand_over(table, 0, card("c10")) == card("c10")
    table.hands[0] = cards("s1 s2 s3 s4 s5 D W")
    assert collector.ask(table, 0) == card("s1")
    table.hands[0].remove(DONKEY)
    assert collector.hand_over(table, 0, card("s1")) == card("s1")  # never the Watchdog
    assert collector.claim(table, 0) and not Purist().claim(table, 0)


# Whole matches
def replayed(before: Step, after: Step) -> list[list[Card]]:
    """Return the hands that the details of a step make of the hands before it."""
    hands = [list(hand) for hand in before.hands]
    if after.kind == "trade":
        bidder, _, given, taken = after.detail
        assert isinstance(bidder, int) and isinstance(given, Card) and isinstance(taken, Card)
        for seat, out, into in [(after.seat, given, taken), (bidder, taken, given)]:
            hands[seat].remove(out)
            hands[seat].append(into)
    elif after.kind in ("draw", "discard"):
        (moved,) = after.detail
        assert isinstance(moved, Card)
        change = hands[after.seat].append if after.kind == "draw" else hands[after.seat].remove
        change(moved)
    return [sorted(hand) for hand in hands]


@pytest.mark.parametrize("players", [3, 4, 6, 7, 8, 14])
@pytest.mark.parametrize("recycle", ["shuffled", "turned", "as_is"])
def test_matches_of_anchors(players: int, recycle: str) -> None:
    names = list(ANCHORS)
    seats = Seats([ANCHORS[names[seat % len(names)]]() for seat in range(players)])
    rules = Rules(1 if players == 3 else 2, "redraw", recycle=recycle, max_rounds=30)
    result = play(players, rules, lambda session: random.Random(session).randrange, seats)
    assert len(result.sessions) == 4
    opened = [step.seat for step in result.steps if step.kind == "deal"]
    assert opened == [session % players for session in range(4)]
    for before, after in zip(result.steps, result.steps[1:], strict=False):
        if after.kind != "deal":
            assert replayed(before, after) == [list(hand) for hand in after.hands]
            assert (before.session, before.turn) <= (after.session, after.turn)
    for seat in range(players):
        assert result.totals[seat] == sum(one.scores[seat] for one in result.sessions)
    assert all(result.totals[seat] == max(result.totals) for seat in result.winners)
