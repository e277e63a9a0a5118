"""What each parameter of the families of SWAP! does, in positions small enough to see it."""

import dataclasses
from typing import Any

import pytest

import tests.simcore.swap.harness as deck
from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.swap.rules import COLOURS, SwapRules
from herdlab.simcore.swap.table import Position, left_over, unpack
from herdlab.simcore.swap.view import ROOM
from herdlab.strategies.registry import seat_players


def swap(who: str, *hands: str, colour: str = "blue", **settings: Any) -> list[deck.Line]:
    """Play one turn of the strategy in place 0 against scripted players."""
    rules = SwapRules.from_settings({"max_turns": 1, "cards": 1, **settings})
    start = Position(tuple(map(deck.cards, hands)), deck.cards("blue plain"), COLOURS.index(colour))
    start = dataclasses.replace(start, pile=tuple(left_over(rules, start)))
    line_up = ",".join([who, *["test-scripted"] * (len(hands) - 1)])
    bout = Bout(deck.SWAP, rules, seat_players(deck.SWAP, rules, line_up), stream_seeds(0), start)
    return deck.log_lines(bout.logged(0)[1], len(hands))


def played(who: str, *hands: str) -> str:
    """Return the kind of card that a strategy plays."""
    return str(deck.of(swap(who, *hands), "play")[0].detail[0]).split()[-1]


RANKS = {
    "plain": "plain",
    "slap": "slap",
    "switch": "switch",
    "super_swap": "super",
    "swap": "swap",
}


@pytest.mark.parametrize(("key", "kind"), RANKS.items())
def test_the_kind_of_the_lowest_rank_goes_first(key: str, kind: str) -> None:
    hand = "blue plain, blue slap, blue switch, blue super, swap, red plain"
    equal = [f"{other}=5" for other in RANKS if other != key]
    lower, higher = (":".join(["tactician", *equal, f"{key}={rank}"]) for rank in (4, 6))
    assert played(lower, hand, "9 red plain") == kind
    assert played(higher, hand, "9 red plain") != kind


def test_the_ranks_are_followed_in_order() -> None:
    held = ["blue plain", "blue slap", "blue switch", "blue super", "swap"]
    ranks = "tactician:super_swap=0:switch=1:swap=2:plain=3:slap=4"
    for kind in ("super", "switch", "swap", "plain", "slap"):
        assert played(ranks, ", ".join([*held, "3 green plain"]), "9 red plain") == kind
        held.remove(kind if kind == "swap" else f"blue {kind}")


@pytest.mark.parametrize("opponents", [(3, 9), (9, 3)])
def test_swap_gain_is_how_many_cards_fewer(opponents: tuple[int, int]) -> None:
    """It holds six cards and would keep five; somebody has three, whoever it is."""
    theirs = (f"{opponents[0]} red plain", f"{opponents[1]} purple plain")
    for gain, kind in ((1, "swap"), (2, "swap"), (3, "plain"), (99, "plain")):
        who = f"tactician:swap_gain={gain}"
        assert played(who, "swap, blue plain, 4 green plain", *theirs) == kind


@pytest.mark.parametrize("family", ["tactician", "rememberer:super_gain=99"])
def test_swap_at_is_how_few_cards_somebody_has_left(family: str) -> None:
    """Somebody has `theirs`; it would keep `keeps`, and takes no hand that is not smaller."""
    for at, theirs, keeps, kind in ((2, 2, 5, "swap"), (1, 2, 5, "plain"), (1, 1, 5, "swap"),
                                    (0, 1, 5, "plain"), (2, 2, 2, "plain"), (2, 2, 3, "swap"),
                                    (2, 1, 2, "swap")):  # fmt: skip
        hand = f"swap, blue plain, {keeps - 1} green plain"
        hands = (hand, "9 purple plain", f"{theirs} red plain")
        assert played(f"{family}:swap_at={at}", *hands) == kind, (at, theirs, keeps)


@pytest.mark.parametrize("family", ["tactician", "rememberer"])
def test_super_gain_is_how_many_cards_fewer_it_gets(family: str) -> None:
    """It holds six cards and would keep five; three lie to its left or right, or opposite."""
    hand = "blue super, blue plain, 4 green plain"
    three, nine, more = "3 red plain", "9 purple plain", "9 red plain"
    last = "9 blue plain"
    for gain, kind in ((1, "super"), (2, "super"), (3, "plain"), (99, "plain")):
        who = f"{family}:super_gain={gain}"
        assert played(who, hand, three, nine, more) == kind
        assert played(who, hand, nine, more, three) == kind
        assert played(who, hand, nine, three, more) == "plain"  # no neighbour's
    assert played(f"{family}:super_gain=-4", hand, nine, more, last) == "super"
    assert played(f"{family}:super_gain=-3", hand, nine, more, last) == "plain"


def test_late_slap_keeps_a_slap_until_two_cards() -> None:
    for late, others, kind in ((0, 2, "slap"), (4, 2, "plain"), (3, 2, "slap"), (4, 3, "slap"),
                               (4, 1, "plain"), (4, 0, "slap")):  # fmt: skip
        hand = "blue slap, blue plain" + (f", {others} green plain" if others else "")
        assert played(f"tactician:late_slap={late}", hand, "9 red plain") == kind, (late, others)
    last_two = "blue slap, blue plain"  # here even where plain cards have the lower rank
    assert played("tactician:late_slap=4:slap=9", last_two, "9 red plain") == "slap"
    assert played("tactician:slap=9", last_two, "9 red plain") == "plain"


def test_partner_is_who_has_fewest_or_the_next() -> None:
    hands = ("swap, 3 green plain", "5 red plain", "2 purple plain", "3 purple plain")
    for partner, player in (("fewest", 2), ("next", 1)):
        lines = swap(f"tactician:partner={partner}", *hands)
        assert deck.of(lines, "swap")[0].detail == (player,)


def test_direction_is_the_smaller_hand_or_always_the_same() -> None:
    hand, two, four = "blue super, 3 green plain", "2 red plain", "4 purple plain"
    for direction, two_left, two_right in (("smaller", "right", "left"), ("left", "left", "left"),
                                           ("right", "right", "right")):  # fmt: skip
        for hands, wanted in (((hand, two, four), two_left), ((hand, four, two), two_right)):
            lines = swap(f"tactician:direction={direction}", *hands)
            assert deck.of(lines, "super swap")[0].detail == (wanted,)


def named(who: str, *hands: str, **options: Any) -> str:
    """Return the colour that a strategy names."""
    return str(deck.of(swap(who, *hands, **options), "colour")[0].detail[0])


@pytest.mark.parametrize("swap_seats", [False, True])
def test_hinder_and_hinder_at_weigh_what_the_next_player_is_known_to_hold(swap_seats: bool) -> None:
    """After the swap it has three reds and a blue; the next player the red and green it gave."""
    hands = ("swap, red plain, green plain", "3 red plain, blue plain")
    options: dict[str, Any] = {"colour": "purple", "swap_seats": swap_seats}
    for hinder, at, colour in ((0, 9, "red"), (1.5, 2, "red"), (2.5, 2, "blue"), (10, 2, "blue"),
                               (10, 1, "red"), (10, 0, "red")):  # fmt: skip
        who = f"rememberer:hinder={hinder}:hinder_at={at}"
        assert named(who, *hands, **options) == colour, (hinder, at)


def test_hinder_does_not_matter_where_the_next_hand_is_not_known() -> None:
    """It has swapped with the player after the next: all it knows is what that one holds."""
    hands = ("swap, red plain, green plain", "2 red plain", "red plain")
    assert named("rememberer:hinder=10", *hands, colour="purple") == "red"
    assert named("rememberer:hinder=10", "blue switch, 2 red plain", "red plain") == "red"


# THE REMEMBERER'S MEMORY
def is_in(known: int, hand: int) -> bool:
    """Whether all cards that are known are in a hand."""
    held = list(unpack(hand))
    for card in unpack(known):
        if card not in held:
            return False
        held.remove(card)
    return True


SEATS: list[dict[str, Any]] = [
    {},
    {"swap_seats": True},
    {"swap_seats": True, "seat_next": "player"},
]
MIXED = "rememberer,random,random,rememberer,raider"


@pytest.mark.parametrize("seats", SEATS, ids=str)
@pytest.mark.parametrize("rate", [0.0, 0.1])
@pytest.mark.parametrize("names", ["rememberer,random", "random,rememberer,rememberer", MIXED])
def test_what_a_rememberer_knows_is_true(names: str, rate: float, seats: dict[str, Any]) -> None:
    """Its notebook is looked at after every so many turns of the same games."""
    knows = whole = 0
    for turns in range(1, 60, 3):
        settings = {**seats, "false_slap_rate": rate, "slap_empties": "plays_on"}
        rules = SwapRules.from_settings({**settings, "max_turns": turns})
        bout = Bout(deck.SWAP, rules, seat_players(deck.SWAP, rules, names), stream_seeds(9))
        n = len(bout.players)
        for game in range(4):
            bout.rows(game, game + 1)
            books = bout._tables.own[0].notebooks.reshape(n, -1)
            log = bout.logged(game)[1]
            hands = {int(log[-1, 8 + ROOM + place]): int(log[-1, 8 + place]) for place in range(n)}
            for player in range(n):
                if bout.players[player].name != "rememberer":
                    continue
                known = [int(word) for word in books[player, :n]]
                assert known[player] == 0
                where = (names, settings, turns, game, player)
                assert all(is_in(known[other], hands[other]) for other in range(n)), where
                knows += any(known)
                whole += any(word and word == hands[o] for o, word in enumerate(known))
                last = [x for x in deck.log_lines(log, n) if x.turn == turns - 1]
                for line in deck.of(last, "swap"):  # of hands or seats: it knows what it gave
                    pair = {line.player, int(str(line.detail[0]))}
                    if player in pair:
                        other = (pair - {player}).pop()
                        assert known[other] == hands[other], where
    assert knows > 20 and whole > 5
