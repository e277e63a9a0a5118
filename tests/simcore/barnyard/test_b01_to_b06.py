"""Clauses B1-B6 of Barnyard Swap (deck, players, deal, order, ask, bids), from the rulebook.

A test is called after its clause and says in its name what the rulebook says.
"""

from collections import Counter
from typing import Any

import pytest

from herdlab.simcore.barnyard.rules import BarnyardRules
from herdlab.simcore.barnyard.table import Position
from herdlab.simcore.errors import BadInput
from tests.simcore.barnyard.harness import (
    bits,
    bout,
    card,
    cards,
    log_lines,
    name,
    of,
    offer,
    play,
    script,
    spied,
)
from tests.simcore.barnyard.tables import (
    MIXED,
    SIXES,
    deck,
    mixed,
    one_turn,
    quiet_match,
    scores,
    whats,
)

# B1 deck


def test_b1_the_deck_has_five_animals_of_ten_a_donkey_and_a_watchdog() -> None:
    found = Counter(name(one) for one in BarnyardRules().deck(3))
    assert found == deck()
    assert found.total() == 52


@pytest.mark.parametrize(
    ("n_players", "donkeys", "total"),
    [(3, 1, 52), (4, 2, 53), (7, 1, 52), (7, 2, 53), (8, 1, 104), (8, 2, 106), (14, 2, 106)],
)
def test_b1_every_card_of_the_deck_is_in_play_once(
    n_players: int, donkeys: int, total: int
) -> None:
    lines = quiet_match(n_players, donkeys=donkeys, sessions=1, max_rounds=10)
    deal, drawn = lines[0], [line.detail[0] for line in of(lines, "draw")]
    found = Counter(one for hand in deal.hands for one in hand)
    found.update([str(deal.detail[0])])
    found.update(str(one) for one in drawn[: deal.barnyard])
    assert found.total() == total
    assert found == deck(2 if n_players > 7 else 1, donkeys)


def test_b1_one_donkey_is_the_default() -> None:
    assert BarnyardRules().donkeys == 1


def test_b1_two_donkeys_need_four_players() -> None:
    with pytest.raises(BadInput, match=r"donkeys \(B1\) can be 2 only with 4 or more players"):
        play(*MIXED[:3], donkeys=2)
    hands = ("sheep 1 2 3, pigs 1 2, Donkey, Donkey", *MIXED[1:4])
    assert play(*hands, donkeys=2, max_rounds=1)[0].hands[0][-2:] == ("Donkey", "Donkey")


def test_b1_the_second_donkey_is_a_number_a_pack() -> None:
    hand = "sheep 1 2 3, Donkey, Donkey, Donkey, Donkey"
    assert play(hand, *mixed(8)[1:], donkeys=2, max_rounds=1)[0].hands[0].count("Donkey") == 4
    with pytest.raises(BadInput, match=r"too many of the Donkey \(B1\)"):
        play(hand, *mixed(8)[1:])


# B2 players


@pytest.mark.parametrize(
    ("n_players", "size", "packs"),
    [(n, 7, 1) for n in (3, 4, 5, 6)] + [(7, 6, 1)] + [(n, 7, 2) for n in range(8, 15)],
)
def test_b2_hands_and_packs_by_the_number_of_players(n_players: int, size: int, packs: int) -> None:
    deal = quiet_match(n_players, max_rounds=1)[0]
    assert [len(hand) for hand in deal.hands] == [size] * n_players
    assert deal.barnyard == 52 * packs - size * n_players - 1
    assert deal.pile == 0


@pytest.mark.parametrize("n_players", [0, 1, 2, 15])
def test_b2_fewer_than_three_or_more_than_fourteen_are_refused(n_players: int) -> None:
    with pytest.raises(BadInput, match=f"barnyard takes 3 to 14 players, and got {n_players}"):
        quiet_match(n_players)


def test_b2_every_card_is_doubled_with_two_packs() -> None:
    hand = "sheep 1 1, pigs 2 2, Donkey, Donkey, Watchdog"
    lines = play(hand, *mixed(14)[7:], max_rounds=1)
    assert Counter(lines[0].hands[0]) == {"1 sheep": 2, "2 pigs": 2, "Donkey": 2, "Watchdog": 1}
    with pytest.raises(BadInput, match=r"too many of the 1 sheep \(B1\)"):
        play("sheep 1 1 2, pigs 1 2 3", *SIXES[1:])


# B3 deal


@pytest.mark.parametrize("n_players", [3, 6, 7, 14])
def test_b3_the_top_card_is_laid_aside_and_never_drawn(n_players: int) -> None:
    lines = quiet_match(n_players, sessions=1, max_rounds=21, recycle="turned", seed=4)
    runaway, barnyard = lines[0].detail[0], lines[0].barnyard
    drawn = [line.detail[0] for line in of(lines, "draw")]
    seen = Counter(one for hand in lines[0].hands for one in hand) + Counter(drawn[:barnyard])
    copies = deck(2 if n_players > 7 else 1)[str(runaway)]
    assert len(drawn) > barnyard and seen[runaway] == copies - 1


def test_b3_the_runaway_is_laid_aside_unseen() -> None:
    """What everybody is shown until he is asked for the first time does not depend on it."""
    for seat in range(3):
        seen = {
            spied(*MIXED[:3], by=seat, at="bid" if seat else "ask", runaway=one)
            for one in ("9 cows", "2 cows", "Donkey")
        }
        assert len(seen) == 1


@pytest.mark.parametrize("wild", ["Donkey", "Watchdog"])
def test_b3_a_wild_card_laid_aside_changes_no_score_and_is_out_of_play(wild: str) -> None:
    hands = ("horses 1 2 3 4 5 6 8", *MIXED[1:3])
    lines = play(*hands, runaway=wild)
    assert {seat: score[4] for seat, score in scores(lines).items()} == {0: 0, 1: 0, 2: 0}
    assert scores(lines)[0][0] == 29 + 5
    long = play(*MIXED[:3], runaway=wild, max_rounds=25)
    assert len(of(long, "draw")) == 75  # the barnyard twice, and more
    assert all(wild not in hand for line in long for hand in line.hands)


def dealt_runaways(n: int, **settings: Any) -> list[str]:
    played = bout(BarnyardRules.from_settings({"max_rounds": 1, "sessions": 1, **settings}), {}, 3)
    return [str(log_lines(played.logged(number)[1], 3)[0].detail[0]) for number in range(n)]


def test_b3_a_wild_card_is_laid_aside_by_default_and_never_if_redrawn() -> None:
    out = dealt_runaways(200)
    again = dealt_runaways(200, runaway_wild="redraw")
    assert {"Donkey", "Watchdog"} <= set(out)
    assert not {"Donkey", "Watchdog"} & set(again)
    assert BarnyardRules().runaway_wild == "out"
    changed = [a for a, b in zip(out, again, strict=True) if a != b]
    assert set(changed) == {"Donkey", "Watchdog"}  # a farm animal laid aside stays there


def drawn_after_the_deal(wild: str, seed: int) -> tuple[str, list[str]]:
    """Return runaway and all cards drawn, of a barnyard with three unknown cards on top.

    The three are the Donkey, the Watchdog and 10 cows; below them all others in a known order.
    """
    held = tuple(cards(hand) for hand in MIXED[:3])
    taken = {one for hand in held for one in hand}
    below = tuple(k for k in range(50) if k not in taken and k != card("10 cows"))
    settings: Any = {"runaway_wild": wild, "max_rounds": 10, "sessions": 1}
    rules = BarnyardRules.from_settings(settings)
    log = bout(rules, {}, 3, seed, Position(held, barnyard=below)).logged(0)[1]
    lines = log_lines(log, 3)
    assert lines[0].barnyard == 30
    return str(lines[0].detail[0]), [str(line.detail[0]) for line in of(lines, "draw")]


def test_b3_a_redrawn_wild_card_goes_to_the_bottom_and_a_second_one_under_it() -> None:
    ways = Counter[int]()
    for seed in range(40):
        first, drawn = drawn_after_the_deal("out", seed)
        top = [first, *drawn[:2]]
        below = drawn[2:30]
        assert sorted(top) == ["10 cows", "Donkey", "Watchdog"]
        runaway, again = drawn_after_the_deal("redraw", seed)
        n_wild = top.index("10 cows")
        assert runaway == "10 cows"
        assert again == top[n_wild + 1 :] + below + top[:n_wild]
        ways[n_wild] += 1
    assert min(ways[n] for n in (0, 1, 2)) >= 5


# B4 order


@pytest.mark.parametrize("n_players", [3, 4, 7, 8, 14])
def test_b4_the_deal_moves_one_seat_to_the_left_every_session(n_players: int) -> None:
    n_sessions = n_players + 2
    lines = quiet_match(n_players, sessions=n_sessions, max_rounds=1)
    for session in range(n_sessions):
        asks = [line.seat for line in of(lines, "ask") if line.session == session]
        assert asks == [(session + turn) % n_players for turn in range(n_players)]


def test_b4_turns_go_round_to_the_left() -> None:
    lines = quiet_match(4, sessions=1, max_rounds=3)
    assert [line.seat for line in of(lines, "ask")] == [0, 1, 2, 3] * 3
    assert [line.turn for line in of(lines, "ask")] == list(range(12))


@pytest.mark.parametrize(("session", "turn", "seat"), [(0, 0, 0), (2, 3, 1), (5, 6, 3), (1, 0, 1)])
def test_b4_a_match_can_be_taken_up_at_any_turn(session: int, turn: int, seat: int) -> None:
    lines = play(*MIXED[:4], session=session, turn=turn, max_rounds=2)
    first = of(lines, "ask")[0]
    assert (first.seat, first.session, first.turn) == (seat, session, turn)
    assert len(of(lines, "ask")) == 8 - turn


def test_b4_cards_are_shuffled_afresh_every_session() -> None:
    deals = of(quiet_match(3, sessions=6, max_rounds=1), "deal")
    assert len({line.hands for line in deals}) == 6
    assert len({line.detail for line in deals}) > 1


# B5 ask


@pytest.mark.parametrize("named", ["1 sheep", "3 pigs", "9 horses", "10 cows"])
def test_b5_the_swapper_names_one_farm_animal_of_his_hand(named: str) -> None:
    hands = ("sheep 1, pigs 3, cows 10, horses 9, goats 10, Donkey, Watchdog", *MIXED[1:3])
    lines = one_turn(*hands, scripts={0: script(ask=card(named))})
    assert [line.detail for line in of(lines, "ask")] == [(named,)]


def test_b5_one_card_is_asked_on_in_each_turn() -> None:
    lines = quiet_match(5, sessions=1, max_rounds=4)
    assert [(x.turn, x.seat) for x in of(lines, "ask")] == [(t, t % 5) for t in range(20)]


def test_b5_the_card_is_named_to_everybody() -> None:
    options: Any = {"scripts": {0: script(ask=card("3 pigs"))}}
    for seat in (1, 2):
        assert spied(*MIXED[:3], by=seat, at="bid", field="asked", **options) == card("3 pigs")
        assert spied(*MIXED[:3], by=seat, at="bid", field="swapper", **options) == 0


def test_b5_a_card_held_twice_can_be_asked_on() -> None:
    hands = ("sheep 1 1 2, pigs 1 2 3, goats 1", *mixed(8)[1:6], *mixed(14)[12:])
    lines = one_turn(*hands, scripts={0: script(ask=card("1 sheep"))})
    assert of(lines, "ask")[0].detail == ("1 sheep",)


def test_b5_with_one_farm_animal_and_six_wild_cards_it_is_that_one() -> None:
    hand = "sheep 2, Donkey, Donkey, Donkey, Donkey, Watchdog, Watchdog"
    lines = play(hand, *mixed(8)[1:], donkeys=2, max_rounds=1, barnyard="cows 10")
    assert of(lines, "ask")[0].detail == ("2 sheep",)
    assert whats(lines)[:3] == ["ask", "draw", "discard"]


# B6 bids


def bidding(*seats: int, **options: Any) -> list[int]:
    """Return who offers in one turn, in order, if `seats` offer the first card they hold."""
    offers = {seat: script(bid=bits(MIXED[seat]) & -bits(MIXED[seat])) for seat in seats}
    return [line.seat for line in of(play(*MIXED[:5], scripts=offers, **options), "bid")]


@pytest.mark.parametrize("swapper", range(5))
def test_b6_bidders_are_heard_once_each_from_the_swappers_left_round(swapper: int) -> None:
    options: Any = {"session": swapper + 1, "turn": 4, "max_rounds": 1}
    order = [(swapper + place) % 5 for place in (1, 2, 3, 4)]
    assert bidding(*range(5), **options) == order
    some = bidding(0, 3, **options)
    assert some == [seat for seat in order if seat in (0, 3)]


def test_b6_a_bidder_has_one_say_a_turn() -> None:
    says = script(bid=[bits("sheep 4"), bits("sheep 5"), bits("sheep 6")])
    lines = play(*MIXED[:3], scripts={1: says}, max_rounds=1)
    assert [(x.turn, x.detail) for x in of(lines, "bid")] == [
        (0, (("4 sheep",),)),
        (2, (("5 sheep",),)),  # in turn 1 he is the swapper
    ]


@pytest.mark.parametrize("offered", ["", "sheep 5", "sheep 4 6", MIXED[1]])
def test_b6_none_one_or_several_cards_are_offered(offered: str) -> None:
    lines = one_turn(*MIXED[:3], scripts={1: script(bid=bits(offered))})
    found = [line.detail[0] for line in of(lines, "bid")]
    assert found == ([tuple(name(one) for one in cards(offered))] if offered else [])


@pytest.mark.parametrize(
    "answer",
    [bits("sheep 1"), bits("sheep 4 7"), 1 << 50, 1 << 53, 1 << 51, -1, 8 - (1 << 62)],
)
def test_b6_a_bidder_offers_only_farm_animals_that_he_holds(answer: int) -> None:
    hands = (MIXED[0], "sheep 4 5 6, pigs 4 5, Donkey, Watchdog", MIXED[2])
    with pytest.raises(BadInput, match=f"seat 1 answered {answer}, .* decision 'bid'"):
        one_turn(*hands, scripts={1: script(bid=answer)})


DOUBLES = (
    MIXED[0],
    "sheep 4 4, pigs 5 5 6, goats 9, Donkey",
    *mixed(14)[2:6],
    *mixed(14)[12:],
)


@pytest.mark.parametrize(
    ("bid", "twice", "offered"),
    [
        ("sheep 4", "", ["4 sheep"]),
        ("sheep 4", "sheep 4", ["4 sheep", "4 sheep"]),
        ("sheep 4, pigs 5", "pigs 5", ["4 sheep", "5 pigs", "5 pigs"]),
        ("sheep 4, pigs 5 6", "sheep 4, pigs 5", ["4 sheep"] * 2 + ["5 pigs"] * 2 + ["6 pigs"]),
    ],
)
def test_b6_with_two_packs_both_copies_can_be_offered(
    bid: str, twice: str, offered: list[str]
) -> None:
    lines = one_turn(*DOUBLES, scripts={1: script(bid=bits(bid), bid_twice=bits(twice))})
    assert of(lines, "bid")[0].detail == (tuple(offered),)


@pytest.mark.parametrize("twice", ["pigs 6", "pigs 5", "sheep 1"])
def test_b6_two_copies_are_offered_only_of_a_card_held_and_offered_twice(twice: str) -> None:
    says = script(bid=bits("sheep 4, pigs 6"), bid_twice=bits(twice))
    with pytest.raises(BadInput, match=f"seat 1 answered {bits(twice)}, .* 'bid twice'"):
        one_turn(*DOUBLES, scripts={1: says})


def test_b6_who_holds_a_card_once_is_not_asked_for_a_second() -> None:
    says = script(bid=bits("pigs 6"), bid_twice=bits("pigs 6"))
    assert of(one_turn(*DOUBLES, scripts={1: says}), "bid")[0].detail == (("6 pigs",),)


def test_b6_all_earlier_offers_are_public_and_no_later_ones() -> None:
    hands = MIXED[:4]
    says = {seat: script(bid=bits(hands[seat].split(",")[0])) for seat in (1, 2, 3)}
    options: Any = {"session": 1, "turn": 3, "max_rounds": 1, "scripts": says}
    for seat in (1, 2, 3):
        for place in (1, 2, 3):
            found = spied(*hands, by=seat, at="bid", field=f"offers {place}", **options)
            assert found == (bits(hands[place].split(",")[0]) if place < seat else 0)
    for place in (1, 2, 3):
        found = spied(*hands, by=0, at="accept", field=f"offers {place}", **options)
        assert found == bits(hands[place].split(",")[0])


def test_b6_a_second_copy_is_public_too() -> None:
    says = {1: script(bid=bits("sheep 4, pigs 5"), bid_twice=bits("pigs 5"))}
    options: Any = {"session": 1, "turn": 7, "max_rounds": 1, "scripts": says}
    for seat, at in ((2, "bid"), (0, "accept")):
        found = spied(*DOUBLES, by=seat, at=at, field="offers_twice 1", **options)
        assert found == bits("pigs 5")


def test_b6_offers_are_for_one_turn() -> None:
    says = {1: script(bid=[bits("sheep 4"), 0]), 2: script(bid=0)}
    options: Any = {"scripts": says, "field": "offers 1"}
    assert spied(*MIXED[:3], by=2, at="bid", **options) == bits("sheep 4")
    assert spied(*MIXED[:3], by=2, at="bid", skipped=1, **options) == 0


def test_b6_an_offer_binds_nobody() -> None:
    says = {1: script(bid=bits("sheep 4")), 0: script(accept=offer(1, "4 sheep"))}
    assert "trade" in whats(one_turn(*MIXED[:3], scripts=says))
    del says[0]
    assert whats(one_turn(*MIXED[:3], scripts=says)) == ["ask", "bid", "draw", "discard", "stall"]
