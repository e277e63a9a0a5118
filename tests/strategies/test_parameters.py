"""What each parameter of the card games' families does, in positions small enough to see it."""

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import tests.simcore.barnyard.harness as barn
import tests.simcore.swap.harness as deck
from simcore.barnyard.rules import KINDS, BarnyardRules
from simcore.barnyard.table import Position as BarnyardPosition
from simcore.batch import Bout, stream_seeds
from simcore.game import Game, Player, find_game
from simcore.rules import Rules
from simcore.swap.rules import COLOURS, SwapRules
from simcore.swap.table import Position as SwapPosition
from simcore.swap.table import left_over, unpack
from simcore.swap.view import ROOM
from strategies.registry import seat_players, strategies_of

Scripts = Mapping[int, np.ndarray]


def seated(game: Game, rules: Rules, n: int, who: Mapping[int, str], says: Scripts) -> list[Player]:
    """Return `n` players: strategies in the seats of `who`, else scripted ones."""
    names = [who.get(seat, "test-scripted") for seat in range(n)]
    return [
        dataclasses.replace(one, data=says[seat].view(np.uint8)) if seat in says else one
        for seat, one in enumerate(seat_players(game, rules, ",".join(names)))
    ]


# BARNYARD SWAP
def barnyard(
    who: Mapping[int, str],
    hands: Mapping[int, str],
    says: Scripts | None = None,
    top: str = "",
    players: int = 3,
    turn: int = 0,
    **settings: Any,
) -> list[barn.Line]:
    """Play to the end of the round; who has no hand given gets a bit of everything.

    `top` are the top cards of the barnyard.
    """
    rounds = turn // players + 1
    rules = BarnyardRules.from_settings({"sessions": 1, "max_rounds": rounds, **settings})
    held = {seat: barn.cards(hand) for seat, hand in hands.items()}
    drawn = barn.cards(top)
    rest = barn.rest_of(rules, [held.get(seat, ()) for seat in range(players)], *drawn)
    farm = [one for one in rest if one < KINDS]
    fillers = [seat for seat in range(players) if seat not in held]
    for n, seat in enumerate(fillers):
        held[seat] = tuple(farm[n :: len(farm) // 7][:7])
    dealt = tuple(held[seat] for seat in range(players))
    below = barn.rest_of(rules, dealt, *drawn)
    runaway = next(one for one in below if one < KINDS)
    below.remove(runaway)
    start = BarnyardPosition(dealt, runaway, (*drawn, *below), turn=turn)
    made = seated(barn.BARNYARD, rules, players, who, says or {})
    bout = Bout(barn.BARNYARD, rules, made, stream_seeds(0), start)
    return barn.log_lines(bout.logged(0)[1], players)


def first(lines: list[barn.Line], what: str) -> Any:
    """Return the detail of the first line of a kind, None if there is none."""
    found = barn.of(lines, what)
    return found[0].detail if found else None


def asked(who: str, hand: str, **options: Any) -> str:
    """Return what a swapper with this hand asks on."""
    return str(first(barnyard({0: who}, {0: hand}, **options), "ask")[0])


def bid(who: str, hand: str, on: str, **options: Any) -> tuple[str, ...]:
    """Return what the second player offers for the card `on` of the first."""
    number, animal = on.split()
    swapper = f"{animal} {number}, horses 1, goats 1 2, cows 1 2, pigs 1"
    says = {0: barn.script(ask=barn.card(on))}
    lines = barn.of(barnyard({1: who}, {0: swapper, 1: hand}, says, **options), "bid")
    return next((line.detail[0] for line in lines if line.seat == 1 and line.turn == 0), ())  # type: ignore[return-value]


def given(who: str, hand: str, as_bidder: bool, **options: Any) -> str:
    """Return what is really given for the highest pig of the hand, in a trade for the 9 sheep."""
    other = "sheep 9, horses 1, goats 1 2, cows 1 2, pigs 1"
    pig = next((one for one in hand.split(", ") if one.startswith("pigs")), "pigs 0").split()[1]
    if as_bidder:
        says = {0: barn.script(ask=barn.card("9 sheep"), accept=barn.offer(1, f"{pig} pigs"))}
        lines = barnyard({1: who}, {0: other, 1: hand}, says, **options)
        return str(first(lines, "trade")[3])
    says = {1: barn.script(bid=barn.bits("sheep 9"))}
    return str(first(barnyard({0: who}, {0: hand, 1: other}, says, **options), "trade")[2])


@pytest.mark.parametrize("family", ["gatherer", "watcher:shy=0"])
def test_per_card_is_what_a_card_counts_in_points(family: str) -> None:
    """Three sheep with sum 6, two pigs with sum 19: a card must count 13 for them to be equal."""
    hand = "sheep 1 2 3, pigs 9 10, cows 8, goats 5"
    for per_card, wanted in (("0.01", "8 cows"), ("12.5", "8 cows"), ("13.5", "10 pigs"),
                             ("100", "10 pigs")):  # fmt: skip
        assert asked(f"{family}:per_card={per_card}", hand) == wanted


GIVES = [("highest", "10 pigs"), ("lowest", "3 pigs"), ("rarest", "8 cows")]


@pytest.mark.parametrize(("gives", "card"), GIVES)
def test_gives_is_what_it_asks_on_and_discards(gives: str, card: str) -> None:
    hand = "sheep 4 5 6, pigs 10 3, cows 8, Watchdog"
    lines = barnyard({0: f"gatherer:gives={gives}"}, {0: hand}, top="sheep 7")
    assert first(lines, "ask") == first(lines, "discard") == (card,)


def test_gives_rarest_counts_cards_and_not_kinds() -> None:
    hand = "sheep 4 5 6, pigs 9 9, cows 8, Watchdog"
    assert asked("gatherer:gives=rarest", hand, players=8) == "8 cows"


@pytest.mark.parametrize(
    ("offers", "cards"),
    [
        (7, ("3 pigs", "10 pigs", "9 goats", "8 cows")),
        (3, ("10 pigs", "9 goats", "8 cows")),
        (2, ("10 pigs", "9 goats")),
        (1, ("10 pigs",)),
    ],
)
def test_offers_is_how_many_cards_the_highest_first(offers: int, cards: tuple[str, ...]) -> None:
    hand = "sheep 4 5 6, pigs 3 10, goats 9, cows 8"
    assert bid(f"gatherer:offers={offers}", hand, on="1 sheep") == cards
    assert bid(f"gatherer:offers={offers}", hand, on="5 horses") == ()


@pytest.mark.parametrize(
    ("offers", "cards"),
    [
        (7, ("10 pigs", "10 pigs", "8 cows", "8 cows")),
        (3, ("10 pigs", "10 pigs", "8 cows")),
        (1, ("10 pigs",)),
    ],
)
def test_offers_counts_two_copies_as_two_cards(offers: int, cards: tuple[str, ...]) -> None:
    hand = "sheep 4 5 6, pigs 10 10, cows 8 8"
    assert bid(f"gatherer:offers={offers}", hand, on="1 sheep", players=8) == cards


FAR, NEAR = "sheep 4 5 6 7, pigs 10, cows 8, Donkey", "sheep 4 5 6 7 8, pigs 10, Donkey"
"""Two cards, and one card, besides the sheep and the Donkey."""
BOTH, BOTH_NEARER = "sheep 4 5 6 7, pigs 10, Donkey, Watchdog", "sheep 4 5 6 7 8, Donkey, Watchdog"
ROLES = [("donkey", "bid_donkey", False), ("bid_donkey", "donkey", True)]


@pytest.mark.parametrize(("key", "other_key", "as_bidder"), ROLES)
def test_donkey_is_passed_or_kept(key: str, other_key: str, as_bidder: bool) -> None:
    """What it does in the other role is set to the contrary, and does not matter."""
    for hand in (FAR, NEAR, BOTH):
        passes, keeps = f"gatherer:{key}=pass:{other_key}=keep", f"gatherer:{key}=keep"
        assert given(passes, hand, as_bidder) == "Donkey"
        assert given(keeps, hand, as_bidder) == "10 pigs"


@pytest.mark.parametrize(("key", "other_key", "as_bidder"), ROLES)
def test_donkey_is_kept_where_it_makes_a_claim(key: str, other_key: str, as_bidder: bool) -> None:
    keeps = f"gatherer:{key}=keep-to-claim:{other_key}=pass"
    assert given(keeps, NEAR, as_bidder) == "10 pigs"
    for hand in (FAR, BOTH):
        assert given(keeps, hand, as_bidder) == "Donkey"


@pytest.mark.parametrize("hand", [BOTH_NEARER, "sheep 4 5 6 7 8, Donkey, Donkey"])
def test_of_two_wild_cards_the_donkey_goes(hand: str) -> None:
    """B12 takes one wild card: the trade for the 9 sheep makes a claim with the other."""
    who, other = (
        {0: "gatherer:donkey=keep-to-claim"},
        "sheep 9, horses 1, goats 1 2, cows 1 2, pigs 1",
    )
    says = {1: barn.script(bid=barn.bits("sheep 9"))}
    lines = barnyard(who, {0: hand, 1: other}, says, players=4, donkeys=2)
    assert first(lines, "trade")[2] == "Donkey"
    assert first(lines, "full hand") == ("claim",)


@pytest.mark.parametrize("as_bidder", [False, True])
def test_a_watcher_does_the_same_with_a_donkey_in_both_roles(as_bidder: bool) -> None:
    wanted = {"pass": ("Donkey",) * 3, "keep": ("10 pigs",) * 3,
              "keep-to-claim": ("Donkey", "10 pigs", "Donkey")}  # fmt: skip
    for value, cards in wanted.items():
        got = [given(f"watcher:donkey={value}", hand, as_bidder) for hand in (FAR, NEAR, BOTH)]
        assert tuple(got) == cards, value


@pytest.mark.parametrize(
    ("key", "other_key", "as_bidder"),
    [("watchdog", "bid_watchdog", False), ("bid_watchdog", "watchdog", True)],
)
def test_watchdog_is_passed_or_kept(key: str, other_key: str, as_bidder: bool) -> None:
    hand = "sheep 4 5 6, pigs 10, cows 8, goats 6, Watchdog"
    assert given(f"gatherer:{key}=pass:{other_key}=keep", hand, as_bidder) == "Watchdog"
    assert given(f"gatherer:{key}=keep:{other_key}=pass", hand, as_bidder) == "10 pigs"
    keeps_donkey = f"gatherer:{key}=pass:donkey=keep:bid_donkey=keep"
    assert given(keeps_donkey, BOTH, as_bidder) == "Watchdog"


def draws_to_claim(who: str, wild: str, turn: int = 0) -> bool:
    """Let the swapper draw the card with which it may claim; return whether it does."""
    hand = f"sheep 4 5 6 7 8, pigs 10, {wild}"
    seat = turn % 3
    lines = barnyard({seat: who}, {seat: hand}, top="sheep 9", turn=turn)
    assert first(lines, "discard") == ("10 pigs",)
    declined = [line for line in barn.of(lines, "no claim") if line.seat == seat]
    claimed = first(lines, "full hand") == ("claim",)
    assert claimed == (not declined)
    return claimed


@pytest.mark.parametrize(("wild", "other"), [("Donkey", "Watchdog"), ("Watchdog", "Donkey")])
def test_claims_with_the_wild_card_that_it_says(wild: str, other: str) -> None:
    key, other_key = f"claim_{wild.lower()}", f"claim_{other.lower()}"
    assert draws_to_claim(f"gatherer:{key}=now:{other_key}=never", wild)
    assert not draws_to_claim(f"gatherer:{key}=never:{other_key}=now", wild)


def test_claim_round_is_how_many_rounds_it_waits() -> None:
    for turn, claims in ((0, False), (3, False), (5, False), (6, True), (8, True), (9, True)):
        assert draws_to_claim("gatherer:claim_round=2", "Donkey", turn) == claims, turn
    assert draws_to_claim("gatherer:claim_round=0", "Donkey")


def watched(who: str, hand: str, on: str, bidders: int = 1) -> str:
    """Return what the second player asks on, when the first has asked on `on` and others bid."""
    number, animal = on.split()
    swapper = f"{animal} {number}, sheep 1 2 3, goats 2, cows 5, pigs 1"
    hands = {0: swapper, 1: hand, 2: "sheep 8, pigs 2 3, goats 4 5, cows 6, horses 10",
             3: "sheep 9, pigs 4 5, goats 6 7, cows 7, horses 9"}  # fmt: skip
    says = {0: barn.script(ask=barn.card(on))}
    for seat in range(2, 2 + bidders):
        says[seat] = barn.script(bid=[barn.card("8 sheep") * 0 + barn.bits(f"sheep {6 + seat}"), 0])
    lines = barnyard({1: who}, hands, says, players=4)
    return str(next(line.detail[0] for line in barn.of(lines, "ask") if line.seat == 1))


def test_shy_is_points_off_for_every_rival() -> None:
    """Horses are worth 33 points, pigs 29; one or two others have bid on a horse."""
    hand = "horses 4 5 6, pigs 8 9, cows 2, goats 1"
    for shy, bidders, card in ((0, 2, "9 pigs"), (3.5, 1, "9 pigs"), (4.5, 1, "6 horses"),
                               (1.5, 2, "9 pigs"), (2.5, 2, "6 horses"), (100, 0, "9 pigs")):  # fmt: skip
        assert watched(f"watcher:shy={shy}", hand, "1 horses", bidders) == card, (shy, bidders)


@pytest.mark.parametrize(
    ("asks", "low_pig", "high_pig", "nobody_bids"),
    [
        ("highest", "9 goats", "10 pigs", "10 pigs"),
        ("wanted-high", "9 goats", "9 goats", "10 pigs"),
        ("wanted-low", "3 goats", "3 goats", "10 pigs"),
        ("unwanted", "8 pigs", "10 pigs", "10 pigs"),
    ],
)
def test_asks_on_what_others_want_or_not(
    asks: str, low_pig: str, high_pig: str, nobody_bids: str
) -> None:
    """Somebody has bid on a goat, and so collects goats; or nobody has."""
    who = f"watcher:asks={asks}"
    rest = "horses 4 5 6, goats 9 3, cows 2"
    assert watched(who, f"{rest}, pigs 8", "1 goats") == low_pig
    assert watched(who, f"{rest}, pigs 10", "1 goats") == high_pig
    assert watched(who, f"{rest}, pigs 10", "1 goats", bidders=0) == nobody_bids


def test_bid_from_is_the_lowest_number_that_it_bids_on() -> None:
    hand = "sheep 7 8 9, pigs 3, goats 9, cows 8, horses 4"
    for bid_from, number, bids in ((5, 4, False), (5, 5, True), (1, 1, True), (11, 10, False)):
        made = bid(f"watcher:bid_from={bid_from}", hand, on=f"{number} sheep")
        assert made == (("3 pigs", "9 goats", "8 cows", "4 horses") if bids else ())


def test_accept_from_is_the_lowest_number_that_it_accepts() -> None:
    hand = "sheep 7 8 9, pigs 3, goats 9, cows 8, horses 4"
    other = "sheep 1 4 5 10, goats 1, cows 1, pigs 1"
    for accept_from, offered, accepts in (
        (5, 4, False),
        (5, 5, True),
        (1, 1, True),
        (11, 10, False),
    ):
        says = {1: barn.script(bid=barn.bits(f"sheep {offered}"))}
        who = {0: f"watcher:accept_from={accept_from}"}
        assert bool(first(barnyard(who, {0: hand, 1: other}, says), "trade")) == accepts


# SWAP!
def swap(who: str, *hands: str, colour: str = "blue", **settings: Any) -> list[deck.Line]:
    """Play one turn of the strategy in place 0 against scripted players."""
    rules = SwapRules.from_settings({"max_turns": 1, "cards": 1, **settings})
    start = SwapPosition(
        tuple(map(deck.cards, hands)), deck.cards("blue plain"), COLOURS.index(colour)
    )
    start = dataclasses.replace(start, pile=tuple(left_over(rules, start)))
    made = seated(deck.SWAP, rules, len(hands), {0: who}, {})
    return deck.log_lines(
        Bout(deck.SWAP, rules, made, stream_seeds(0), start).logged(0)[1], len(hands)
    )


def played(who: str, *hands: str) -> str:
    """Return the kind of card that a strategy plays."""
    return str(deck.of(swap(who, *hands), "play")[0].detail[0]).split()[-1]


REDS = "{} red plain"
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
    hands = ["swap, blue plain, 4 green plain", *(f"{n} red plain" for n in opponents)]
    for gain, kind in ((1, "swap"), (2, "swap"), (3, "plain"), (99, "plain")):
        hands[2] = hands[2].replace("red", "purple")
        assert played(f"tactician:swap_gain={gain}", *hands) == kind


@pytest.mark.parametrize("family", ["tactician", "rememberer:super_gain=99"])
def test_swap_at_is_how_few_cards_somebody_has_left(family: str) -> None:
    for at, theirs, more, kind in ((2, 2, 4, "swap"), (1, 2, 4, "plain"), (1, 1, 4, "swap"),
                                   (0, 1, 4, "plain"), (2, 2, 1, "plain"), (2, 2, 2, "swap"),
                                   (2, 1, 1, "swap")):  # fmt: skip
        hand = f"swap, blue plain, {more} green plain"  # it would keep one more than that
        hands = (hand, "9 purple plain", f"{theirs} red plain")
        if (theirs, more) == (2, 1):
            assert len(deck.cards(hand)) - 1 == theirs  # no fewer than it would keep
        assert played(f"{family}:swap_at={at}", *hands) == kind, (at, theirs, more)


@pytest.mark.parametrize("family", ["tactician", "rememberer"])
def test_super_gain_is_how_many_cards_fewer_it_gets(family: str) -> None:
    """It holds six cards and would keep five; three lie to its left or right, or opposite."""
    hand = "blue super, blue plain, 4 green plain"
    three, nine, more = "3 red plain", "9 purple plain", "9 red plain"
    for gain, kind in ((1, "super"), (2, "super"), (3, "plain"), (99, "plain")):
        who = f"{family}:super_gain={gain}"
        assert played(who, hand, three, nine, more) == kind
        assert played(who, hand, nine, more, three) == kind
        assert played(who, hand, nine, three, more) == "plain"  # no neighbour's
    assert played(f"{family}:super_gain=-4", hand, nine, more, nine[0] + " blue plain") == "super"
    assert played(f"{family}:super_gain=-3", hand, nine, more, nine[0] + " blue plain") == "plain"


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


@pytest.mark.parametrize("seats", [{}, {"swap_seats": True},
                                   {"swap_seats": True, "seat_next": "player"}], ids=str)  # fmt: skip
@pytest.mark.parametrize("rate", [0.0, 0.1])
@pytest.mark.parametrize("names", [
    "rememberer,random", "random,rememberer,rememberer", "rememberer,random,random,rememberer,raider"])  # fmt: skip
def test_what_a_rememberer_knows_is_true(names: str, rate: float, seats: dict[str, Any]) -> None:
    """Its notebook is looked at after every so many turns of the same games."""
    knows = whole = 0
    for turns in range(1, 60, 2):
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


# ALL FAMILIES
LOW_AND_HIGH = {  # clearly different values of numbers, and what else must be set for them to tell
    "herder": {"keep_rabbits": "4", "keep_sheep": "3", "keep_pigs": "2", "keep_cows": "2",
               "dog_rabbits": "9", "dog_sheep": "9"},
    "gap-filler": {"keep": "3", "dog_rabbits": "9:dog=true", "dog_sheep": "9:dog=true"},
    "spoiler": {"keep": "3"},
    "gatherer": {"per_card": "0.01", "offers": "1", "claim_round": "8"},
    "watcher": {"per_card": "100", "shy": "0", "bid_from": "8", "accept_from": "8"},
    "tactician": {"plain": "9", "slap": "9", "switch": "0", "super_swap": "0", "swap": "0",
                  "swap_gain": "1", "swap_at": "2", "super_gain": "1", "late_slap": "9"},
    "rememberer": {"hinder": "0", "hinder_at": "9", "swap_at": "4", "super_gain": "99"},
}  # fmt: skip
OPPONENTS = {"herd": "random,keeper", "barnyard": "random,random", "swap": "random,shedder"}
PARAMETERS = [
    pytest.param(game, name, key, id=f"{name}-{key}")
    for game in OPPONENTS
    for name in LOW_AND_HIGH
    if name in strategies_of(find_game(game))
    for key in strategies_of(find_game(game))[name].parameters
]


def test_all_families_are_here() -> None:
    with_parameters = {
        min(
            strategies_of(find_game(game)).values(),
            key=lambda o: (o.function is not one.function, len(o.words) * 0),
        ).name
        for game in OPPONENTS
        for one in strategies_of(find_game(game)).values()
        if one.parameters
    }
    assert with_parameters


@pytest.mark.parametrize(("name_of_game", "name", "key"), PARAMETERS)
def test_every_parameter_changes_some_game(name_of_game: str, name: str, key: str) -> None:
    game = find_game(name_of_game)
    short = {"herd": {"max_turns": 300}, "barnyard": {"max_rounds": 30, "sessions": 2}, "swap": {}}
    rules = game.rules_type.from_settings(short[name_of_game])
    parameter = strategies_of(game)[name].parameters[key]
    options = [one for n, one in enumerate(parameter.options) if n != parameter.default]
    for value in options or [LOW_AND_HIGH[name][key]]:
        also = ":".join(value.split(":")[1:])
        plain = f"{name}:{also}" if also else name
        rows = []
        for text in (plain, f"{name}:{key}={value}"):
            players = seat_players(game, rules, f"{text},{OPPONENTS[name_of_game]}")
            rows.append(Bout(game, rules, players, stream_seeds(6)).rows(0, 200))
        assert (rows[0] != rows[1]).any(), (key, value)
