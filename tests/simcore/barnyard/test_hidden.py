"""No strategy sees a hidden card: other hands, the barnyard's order, the runaway."""

import dataclasses
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from herdlab.simcore.barnyard.rules import DONKEY, KINDS, WATCHDOG, BarnyardRules
from herdlab.simcore.barnyard.table import Position, pack
from herdlab.simcore.barnyard.view import View
from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.game import Player
from herdlab.strategies.registry import seat_players, strategies_of
from tests.simcore.barnyard.actors import ARRAYS_SEEN, NUMBERS_SEEN
from tests.simcore.barnyard.harness import (
    BARNYARD,
    Line,
    bits,
    card,
    log_lines,
    name,
    offer,
    script,
    spied,
)
from tests.simcore.barnyard.tables import MIXED

SCRIPTED = ("test-scripted", "test-spy", "test-planner")
NAMES = [one for one in strategies_of(BARNYARD) if one not in SCRIPTED]
RULES = BarnyardRules(sessions=2, max_rounds=1)
PLAYERS, PAIRS = 4, 25
Deal = tuple[list[list[int]], list[int], int]
"""What is the same in two deals: for every seat some cards, the cards that are hidden in any order,
and the card on top of the barnyard."""


def deal(number: int, me: int) -> Deal:
    """Return a deal in which seat `me` holds a known hand and every other seat one known card."""
    luck = Random(number)
    cards = luck.sample(range(KINDS), KINDS)
    animal = [one for one in cards if one // 10 == number % 5]
    mine = (animal[: number % 5 + 1] + [one for one in cards if one // 10 != number % 5])[:7]
    if number % 3 == 0:
        mine[-1] = DONKEY
    if number % 7 == 0:
        mine[-2] = WATCHDOG
    left = [one for one in (*cards, DONKEY, WATCHDOG) if one not in mine]
    luck.shuffle(left)
    farm = [one for one in left if one < KINDS]
    farm.sort(key=lambda one: one // 10 != number % 5)  # seat 0 asks on a card that `me` wants
    known = [[farm[seat]] for seat in range(PLAYERS)]
    known[me] = mine
    top = farm[-1]
    taken = {one for hand in known for one in hand} | {top}
    return known, [one for one in left if one not in taken], top


def hidden_so(known: list[list[int]], hidden: list[int], top: int, order: int) -> Position:
    """Return a position with the hidden cards dealt in one of many orders."""
    rest = Random(order).sample(hidden, len(hidden))
    hands = []
    for hand in known:
        more = 7 - len(hand)
        hands.append((*hand, *rest[:more]))
        del rest[:more]
    return Position(tuple(hands), rest[0], (top, *rest[1:]), session=1, turn=PLAYERS - 1)


def played(me: int, player: Player, position: Position, known: list[list[int]]) -> list[Line]:
    """Play a turn of seat 0; the others offer, and ask on, the one card of theirs that is known."""
    others = seat_players(BARNYARD, RULES, ",".join(["test-scripted"] * PLAYERS))
    players = []
    for seat, one in enumerate(others):
        says = script(ask=known[seat][0], bid=1 << known[seat][0])
        players.append(dataclasses.replace(one, data=says.view(np.uint8)))
    players[me] = player
    _, log = Bout(BARNYARD, RULES, players, stream_seeds(0), position).logged(0)
    return log_lines(log, PLAYERS)


def its_choices(me: int, lines: list[Line]) -> list[tuple[str, tuple[object, ...]]]:
    """Return what the player in seat `me` chose in the first turn."""
    chosen = ("no claim", "full hand", "ask", "bid", "trade", "discard")
    return [(x.what, x.detail) for x in lines if x.seat == me and x.what in chosen]


def differs(me: int, maker: Callable[[Position], Player], pairs: int = PAIRS) -> list[int]:
    """Return the pairs of deals, alike but for hidden cards, in which a choice differs."""
    found = []
    for number in range(pairs):
        known, hidden, top = deal(number, me)
        made = []
        for order in (1, 2):
            position = hidden_so(known, hidden, top, order)
            made.append(its_choices(me, played(me, maker(position), position, known)))
        assert made[0], "it was not asked"
        if made[0] != made[1]:
            found.append(number)
    return found


def player(name: str) -> Player:
    return seat_players(BARNYARD, RULES, ",".join([name] * 3))[0]


@pytest.mark.parametrize("name", NAMES)
def test_hidden_cards_change_nothing_in_its_first_turn_as_swapper(name: str) -> None:
    """Its ask, and with the same offers and the same card drawn all that it does in the turn."""
    me = player(name)
    assert differs(0, lambda position: me) == []


@pytest.mark.parametrize("name", NAMES)
def test_hidden_cards_change_nothing_in_its_first_bid(name: str) -> None:
    me, offered = player(name), 0
    for number in range(PAIRS):
        known, hidden, top = deal(number, 2)
        made = [
            its_choices(2, played(2, me, hidden_so(known, hidden, top, order), known))
            for order in (1, 2)
        ]
        assert made[0] == made[1]
        offered += "bid" in dict(made[0])
    assert offered > 0


@pytest.mark.parametrize("name", NAMES)
def test_its_own_cards_change_its_choices(name: str) -> None:
    """So the test above has something to find: other hands of its own, other choices."""
    me = player(name)
    for seat in (0, 2):
        choices = set()
        for number in range(10):
            known, hidden, top = deal(number, seat)
            lines = played(seat, me, hidden_so(known, hidden, top, 1), known)
            choices.add(str(its_choices(seat, lines)))
        assert len(choices) > 3


def test_a_strategy_that_saw_another_hand_would_be_caught() -> None:
    """It asks on its lowest card if its neighbour has more points than it has, else its highest."""

    def peeks(position: Position) -> Player:
        mine = sorted(one for one in position.hands[0] if one < KINDS)
        theirs = sum(one % 10 for one in position.hands[1] if one < KINDS)
        ask = mine[0] if theirs > sum(one % 10 for one in mine) else mine[-1]
        return dataclasses.replace(player("test-scripted"), data=script(ask=ask).view(np.uint8))

    assert len(differs(0, peeks)) > 3


def test_a_strategy_that_saw_the_runaway_would_be_caught() -> None:
    def peeks(position: Position) -> Player:
        mine = sorted(one for one in position.hands[0] if one < KINDS)
        ask = mine[(position.runaway or 0) % len(mine)]
        return dataclasses.replace(player("test-scripted"), data=script(ask=ask).view(np.uint8))

    assert len(differs(0, peeks)) > 3


# the view itself


def text(cards: tuple[int, ...]) -> str:
    return ", ".join(" ".join(reversed(name(one).split())) for one in cards)


@pytest.mark.parametrize("at", ["ask", "bid", "accept", "discard"])
def test_all_that_a_player_is_shown_is_the_same_whatever_is_hidden(at: str) -> None:
    """Every word of the view, at every question and event up to this one."""
    me = 2 if at == "bid" else 0
    for number in range(12):
        known, hidden, top = deal(number, me)
        bids = {s: script(bid=1 << known[s][0], ask=known[s][0]) for s in range(4) if s != me}
        if at == "discard":
            bids = {}
        seen = set()
        for order in range(3):
            position = hidden_so(known, hidden, top, order)
            runaway = name(position.runaway or 0)
            below = text(position.barnyard)
            hands = [text(hand) for hand in position.hands]
            options: Any = {"scripts": bids, "barnyard": below, "runaway": runaway}
            seen.add(spied(*hands, by=me, at=at, **options))
        assert len(seen) == 1, number


def test_a_word_that_is_shown_changes_what_a_spy_has_seen() -> None:
    """So the test above has something to find: an offer, a total, a card of his own."""
    table = MIXED[:4]
    plain = spied(*table, by=0, at="discard")
    for options in (
        {"scripts": {1: script(bid=bits("sheep 5"))}},
        {"totals": (0, 0, 0, 1)},
        {"barnyard": "cows 10"},
        {"max_rounds": 7},
    ):
        assert spied(*table, by=0, at="discard", **options) != plain
    other = ("sheep 1 2 10, pigs 1 2 3, goats 1", *table[1:])
    assert spied(*other, by=0, at="discard", barnyard="cows 10") != plain


def test_a_spy_sees_what_it_is_asked_for() -> None:
    """The spies of other tests read the fields that they name."""
    assert set(NUMBERS_SEEN) | set(ARRAYS_SEEN) == set(View._fields)
    says = {
        1: script(bid=bits("sheep 5 6"), hand_over=1),
        0: script(ask=card("2 pigs"), accept=offer(1, "5 sheep")),
    }
    table = (MIXED[0], "sheep 4 5 6, pigs 4 5, goats 2, Donkey", *MIXED[2:4])
    expected = {
        "hand": pack([*range(3, 6), 13, 14, 21, DONKEY])[0],
        "twice": 0,
        "seat": 1,
        "players": 4,
        "swapper": 0,
        "asked": card("2 pigs"),
        "bidders": 2,
        "named": card("5 sheep"),
        "drawn": -1,
        "barnyard": 52 - 28 - 1,
        "pile": 0,
        "session": 0,
        "turn": 0,
        "hand_size": 7,
        "max_rounds": 9,
        "sessions": 3,
        "target": 0,
        "donkeys": 1,
        "discard_wild": 1,
        "happening": 0,
        "happened_to": -1,
        "detail_1": -1,
        "detail_2": -1,
        "given": -1,
        "received": -1,
        "offers 1": bits("sheep 5 6"),
        "offers 2": 0,
        "offers_twice 1": 0,
        "totals 3": 44,
    }
    options: Any = {
        "totals": (11, 22, 33, 44),
        "max_rounds": 9,
        "sessions": 3,
        "discard_wild": True,
    }
    for field, value in expected.items():
        found = spied(*table, by=1, at="hand_over", field=field, scripts=says, **options)
        assert found == value, field


def test_it_is_told_what_its_own_trades_showed_it_and_no_more() -> None:
    """Of a trade of others it hears who and what was named; of a draw, who drew."""
    says = {1: script(bid=bits("sheep 5")), 0: script(accept=offer(1, "5 sheep"))}
    found = {
        seat: [
            spied(*MIXED[:4], by=seat, at="trade", field=field, scripts=says)
            for field in ("happened_to", "detail_1", "detail_2", "given", "received")
        ]
        for seat in range(4)
    }
    public = [0, 1, card("5 sheep")]
    assert found[0] == [*public, card("1 sheep"), card("5 sheep")]
    assert found[1] == [*public, card("5 sheep"), card("1 sheep")]
    assert found[2] == found[3] == [*public, -1, -1]
    for field, value in (("happened_to", 0), ("detail_1", -1), ("detail_2", -1)):
        assert spied(*MIXED[:4], by=2, at="draw", field=field) == value, field


def test_an_observer_is_told_the_asks_and_offers_of_all() -> None:
    says = {0: script(ask=card("3 pigs")), 1: script(bid=bits("sheep 5"))}
    for seat in (1, 2, 3):
        options: Any = {"by": seat, "scripts": says}
        assert spied(*MIXED[:4], at="told ask", field="detail_1", **options) == card("3 pigs")
        assert spied(*MIXED[:4], at="told ask", field="happened_to", **options) == 0
        if seat > 1:
            found = spied(*MIXED[:4], at="told bid", field="detail_1", **options)
            assert found == bits("sheep 5")
            assert spied(*MIXED[:4], at="told bid", field="happened_to", **options) == 1
