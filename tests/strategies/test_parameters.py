"""What each parameter of the families of Barnyard Swap does, in positions small enough to see it.

And for all games: every parameter changes something.  For SWAP! see test_parameters_swap.py.
"""

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import tests.simcore.barnyard.harness as barn
from herdlab.simcore.barnyard.rules import KINDS, BarnyardRules
from herdlab.simcore.barnyard.table import Position
from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.game import find_game
from herdlab.strategies.plugins import BUILT_IN
from herdlab.strategies.registry import seat_players, strategies_of

Scripts = Mapping[int, np.ndarray]


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
    start = Position(dealt, runaway, (*drawn, *below), turn=turn)
    line_up = ",".join(who.get(seat, "test-scripted") for seat in range(players))
    made = seat_players(barn.BARNYARD, rules, line_up)
    for seat, script in (says or {}).items():
        made[seat] = dataclasses.replace(made[seat], data=script.view(np.uint8))
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
    made: list[Any] = [line.detail[0] for line in lines if line.seat == 1 and line.turn == 0]
    return made[0] if made else ()


OTHER = "sheep 9, horses 1, goats 1 2, cows 1 2, pigs 1"


def given(who: str, hand: str, as_bidder: bool, **options: Any) -> str:
    """Return what is really given for the highest pig of the hand, in a trade for the 9 sheep."""
    pig = next((one for one in hand.split(", ") if one.startswith("pigs")), "pigs 0").split()[1]
    if as_bidder:
        says = {0: barn.script(ask=barn.card("9 sheep"), accept=barn.offer(1, f"{pig} pigs"))}
        lines = barnyard({1: who}, {0: OTHER, 1: hand}, says, **options)
        return str(first(lines, "trade")[3])
    says = {1: barn.script(bid=[barn.bits("sheep 9"), 0])}
    return str(first(barnyard({0: who}, {0: hand, 1: OTHER}, says, **options), "trade")[2])


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
    who = {0: "gatherer:donkey=keep-to-claim"}
    says = {1: barn.script(bid=[barn.bits("sheep 9"), 0])}
    lines = barnyard(who, {0: hand, 1: OTHER}, says, players=4, donkeys=2)
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
    look = next(x for x in lines if x.what in ("no claim", "full hand"))
    assert (look.seat, look.turn) == (seat, turn + 1)
    return look.what == "full hand"


@pytest.mark.parametrize(("wild", "other"), [("Donkey", "Watchdog"), ("Watchdog", "Donkey")])
def test_claims_with_the_wild_card_that_it_says(wild: str, other: str) -> None:
    key, other_key = f"claim_{wild.lower()}", f"claim_{other.lower()}"
    assert draws_to_claim(f"gatherer:{key}=now:{other_key}=never", wild)
    assert not draws_to_claim(f"gatherer:{key}=never:{other_key}=now", wild)


def test_claim_round_is_how_many_rounds_it_waits() -> None:
    """Two rounds of three turns: after the sixth turn it claims."""
    for turn, claims in ((0, False), (3, False), (4, False), (5, True), (6, True), (9, True)):
        assert draws_to_claim("gatherer:claim_round=2", "Donkey", turn) == claims, turn
    assert draws_to_claim("gatherer:claim_round=0", "Donkey")


@pytest.mark.parametrize(
    ("hand", "top", "card"),
    [
        ("sheep 4 5 6, pigs 10, cows 8, goats 6, Donkey", "horses 1", "Donkey"),
        ("sheep 4 5 6, pigs 10, cows 8, goats 6, horses 1", "Donkey", "Donkey"),
        ("sheep 4 5 6 7 8, pigs 10, Donkey", "sheep 9", "10 pigs"),  # which makes a claim
        ("sheep 4 5 6 7 8 9, Donkey", "sheep 10", "Donkey"),  # seven sheep are better
        ("sheep 4 5 6 7 8, Watchdog, Donkey", "sheep 9", "Donkey"),  # a claim with the Watchdog
        ("sheep 4 5 6 7, Donkey, Donkey, pigs 10", "sheep 9", "Donkey"),
    ],
)
def test_donkey_is_discarded_where_it_may_be(hand: str, top: str, card: str) -> None:
    """It waits with its claims, for the fourth hand to be played on."""
    setting: dict[str, Any] = {"discard_wild": True, "donkeys": 2, "players": 4, "top": top}
    lines = barnyard({0: "gatherer:discard_donkey=now:claim_round=9"}, {0: hand}, **setting)
    assert first(lines, "discard") == (card,)


def test_donkey_is_not_discarded_where_it_may_not_be_or_has_another_use() -> None:
    hand, near = "sheep 4 5 6, pigs 10, cows 8, goats 6, Donkey", "sheep 4 5 6 7 8, pigs 10, Donkey"
    setting: dict[str, Any] = {"top": "sheep 9"}
    for who, held, allowed, card in (
        ("gatherer:discard_donkey=now", hand, False, "10 pigs"),
        ("gatherer", hand, True, "10 pigs"),
        ("gatherer:discard_donkey=now:claim_donkey=never", near, True, "Donkey"),
    ):
        lines = barnyard({0: who}, {0: held}, discard_wild=allowed, **setting)
        assert first(lines, "discard") == (card,), who


def watched(who: str, hand: str, on: str, bidders: int = 1) -> str:
    """Return what the second player asks on, when the first has asked on `on` and others bid."""
    number, animal = on.split()
    swapper = f"{animal} {number}, sheep 1 2 3, goats 2, cows 5, pigs 1"
    hands = {0: swapper, 1: hand, 2: "sheep 8, pigs 2 3, goats 4 5, cows 6, horses 10",
             3: "sheep 9, pigs 4 5, goats 6 7, cows 7, horses 9"}  # fmt: skip
    says = {0: barn.script(ask=barn.card(on))}
    for seat in range(2, 2 + bidders):
        says[seat] = barn.script(bid=[barn.bits(f"sheep {6 + seat}"), 0])
    lines = barnyard({1: who}, hands, says, players=4)
    return str(next(line.detail[0] for line in barn.of(lines, "ask") if line.seat == 1))


def test_shy_is_points_off_for_every_rival() -> None:
    """Horses are worth 33 points, pigs 29; one or two others have bid on a horse."""
    hand = "horses 4 5 6, pigs 8 9, cows 2, goats 1"
    for shy, bidders, card in ((0, 2, "9 pigs"), (3.5, 1, "9 pigs"), (4.5, 1, "6 horses"),
                               (1.5, 2, "9 pigs"), (2.5, 2, "6 horses"),
                               (100, 0, "9 pigs")):  # fmt: skip
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
        says = {1: barn.script(bid=[barn.bits(f"sheep {offered}"), 0])}
        who = {0: f"watcher:accept_from={accept_from}"}
        assert bool(first(barnyard(who, {0: hand, 1: other}, says), "trade")) == accepts


# ALL FAMILIES
OTHER_VALUES = {
    "herder": {"keep_rabbits": "4", "keep_sheep": "3", "keep_pigs": "2", "keep_cows": "2",
               "dog_rabbits": "9", "dog_sheep": "9"},
    "gap-filler": {"keep": "3", "dog_rabbits": "9", "dog_sheep": "9"},
    "spoiler": {"keep": "3"},
    "rollout": {"base": "climber", "n": "9", "doubt": "4"},
    "optimal": {},
    "racer": {"rival": "climber"},
    "gatherer": {"per_card": "0.01", "offers": "1", "claim_round": "8"},
    "watcher": {"per_card": "100", "shy": "0", "bid_from": "8", "accept_from": "8"},
    "tactician": {"plain": "9", "slap": "9", "switch": "0", "super_swap": "0", "swap": "0",
                  "swap_gain": "1", "swap_at": "2", "super_gain": "1", "late_slap": "9"},
    "rememberer": {"hinder": "0", "hinder_at": "9", "swap_at": "4", "super_gain": "99"},
}  # fmt: skip
"""Clearly different values of the numbers; named values are all tried."""
ALSO = {
    ("herder", "dog_until_horse"): ":keep_rabbits=0:keep_sheep=0:dog_rabbits=0:dog_sheep=1",
    ("gap-filler", "dog_rabbits"): ":dog=true",
    ("gap-filler", "dog_sheep"): ":dog=true",
    **{("rollout", key): ":n=5" for key in ("base", "n", "doubt")},
}
"""What else must be set for a parameter to tell."""
SELDOM = ("dog_until_horse",)
"""Parameters that change one game in some hundreds."""
OPPONENTS = {"herd": "random,keeper", "barnyard": "random,random", "swap": "random,shedder"}
SHORT: dict[str, dict[str, Any]] = {
    "herd": {"max_turns": 300},
    "barnyard": {"max_rounds": 30, "sessions": 2, "discard_wild": True},
    "swap": {},
}
SMALL = {"sheep": 8, "pigs": 6, "cows": 5}
BESIDES: dict[str, dict[str, Any]] = {
    "optimal": {**SMALL, "wolf_die": "3R2SPC3WKT", "fox_die": "3R2S2PH4F"},
    "racer": SMALL,
}
"""Rules under which a parameter tells (dogs are bought where foxes abound), soon solved."""
PARAMETERS = [
    pytest.param(game, name, key, id=f"{name}-{key}")
    for game in OPPONENTS
    for name in OTHER_VALUES
    if name in strategies_of(find_game(game))
    for key in strategies_of(find_game(game))[name].parameters
]


def test_all_families_are_here() -> None:
    for game in OPPONENTS:
        known = strategies_of(find_game(game))
        here = [known[name].function for name in OTHER_VALUES if name in known]
        for one in known.values():
            is_ours = one.source == BUILT_IN and one.name != "scripted"  # which is a test's own
            assert not (one.parameters and is_ours) or one.function in here, one.name


@pytest.mark.parametrize(("game_name", "name", "key"), PARAMETERS)
def test_every_parameter_changes_some_game(game_name: str, name: str, key: str) -> None:
    game = find_game(game_name)
    rules = game.rules_type.from_settings({**SHORT[game_name], **BESIDES.get(name, {})})
    parameter, also = strategies_of(game)[name].parameters[key], ALSO.get((name, key), "")
    beside = "" if f":{key}=" in also else also
    n_games = 5000 if key in SELDOM else 200

    def rows(text: str) -> np.ndarray:
        players = seat_players(game, rules, f"{text},{OPPONENTS[game_name]}")
        return Bout(game, rules, players, stream_seeds(6)).rows(0, n_games)

    options = [one for n, one in enumerate(parameter.options) if n != parameter.default]
    for value in options or [OTHER_VALUES[name][key]]:
        assert (rows(name + also) != rows(f"{name}{beside}:{key}={value}")).any(), value
