"""Clauses B7-B10 of Barnyard Swap (trade, wild cards, barnyard, second pile), from the rulebook."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from herdlab.simcore.barnyard.rules import BarnyardRules
from herdlab.simcore.barnyard.view import AS_NAMED, DREW, NONE, PASS_DONKEY, PASS_WATCHDOG
from herdlab.simcore.errors import BadInput
from tests.simcore.barnyard.harness import (
    Line,
    bits,
    card,
    name,
    of,
    offer,
    play,
    script,
    spied,
    start,
)
from tests.simcore.barnyard.tables import MIXED, SIXES, hand, held, mixed, one_turn, whats
from tests.statistics import FALSE_ALARM, chi_square_p

# B7 trade


def offering(*offers: str, accept: int, hands: tuple[str, ...] = MIXED[:4]) -> list[Line]:
    """Play a turn of seat 0 in which seats 1, 2, … offer `offers`, and he answers `accept`."""
    scripts = {seat: script(bid=bits(one)) for seat, one in enumerate(offers, 1)}
    scripts[0] = script(ask=card("3 pigs"), accept=accept)
    return one_turn(*hands, scripts=scripts)


@pytest.mark.parametrize(("place", "got"), [(1, "6 sheep"), (2, "8 pigs"), (3, "2 cows")])
def test_b7_the_swapper_accepts_one_of_the_cards_offered(place: int, got: str) -> None:
    lines = offering("sheep 5 6", "pigs 8", "cows 1 2", accept=offer(place, got))
    trade = of(lines, "trade")[0]
    assert (trade.seat, trade.detail) == (0, (place, got, "3 pigs", got))
    assert held(trade, 0) == hand(MIXED[0]) - Counter(["3 pigs"]) + Counter([got])
    assert held(trade, place) == hand(MIXED[place]) - Counter([got]) + Counter(["3 pigs"])
    for other in {1, 2, 3} - {place}:
        assert held(trade, other) == hand(MIXED[other])


def test_b7_an_accepted_trade_ends_the_turn_without_the_barnyard() -> None:
    lines = offering("sheep 5 6", accept=offer(1, "5 sheep"))
    assert whats(lines) == ["ask", "bid", "trade", "stall"]
    assert (lines[0].barnyard, lines[0].pile) == (lines[-2].barnyard, lines[-2].pile)


def test_b7_he_may_accept_none() -> None:
    lines = offering("sheep 5 6", "pigs 8", accept=NONE)
    assert whats(lines) == ["ask", "bid", "bid", "draw", "discard", "stall"]


def test_b7_without_offers_there_is_nothing_to_accept() -> None:
    lines = offering(accept=offer(1, "5 sheep"))
    assert whats(lines) == ["ask", "draw", "discard", "stall"]


@pytest.mark.parametrize(
    "answer",
    [
        offer(1, "4 sheep"),  # his, but not offered
        offer(2, "5 sheep"),  # offered by another
        offer(3, "1 cows"),  # offered nothing
        offer(0, "1 sheep"),  # the swapper's own
        offer(4, "5 sheep"),  # nobody sits there
        offer(20, "5 sheep"),
        card("5 sheep"),
        offer(1, "Donkey"),
        -2,
    ],
)
def test_b7_he_accepts_nothing_that_was_not_offered(answer: int) -> None:
    with pytest.raises(BadInput, match=f"seat 0 answered {answer}, .* decision 'accept'"):
        offering("sheep 5 6", "pigs 8", accept=answer)


TWICE = (MIXED[0], "sheep 4 4 5, pigs 4 5 6, goats 2", *mixed(14)[8:])
ALIKE = (MIXED[0], MIXED[1], MIXED[1], *mixed(14)[9:])


def test_b7_of_two_copies_offered_one_is_taken() -> None:
    scripts = {
        0: script(ask=card("3 pigs"), accept=offer(1, "4 sheep")),
        1: script(bid=bits("sheep 4"), bid_twice=bits("sheep 4")),
    }
    trade = of(one_turn(*TWICE, scripts=scripts), "trade")[0]
    assert held(trade, 0)["4 sheep"] == 1
    assert held(trade, 1)["4 sheep"] == 1
    assert held(trade, 1)["3 pigs"] == 1


@pytest.mark.parametrize("place", [1, 2])
def test_b7_the_same_card_of_two_bidders_is_taken_from_the_one_accepted(place: int) -> None:
    scripts = {seat: script(bid=bits("sheep 4")) for seat in (1, 2)}
    scripts[0] = script(ask=card("3 pigs"), accept=offer(place, "4 sheep"))
    trade = of(one_turn(*ALIKE, scripts=scripts), "trade")[0]
    assert trade.detail[0] == place
    assert held(trade, 3 - place) == hand(MIXED[1])


def test_b7_a_card_received_twice_is_held_twice() -> None:
    hands = ("sheep 4 5, pigs 1 2 3, goats 1, cows 1", MIXED[1], *mixed(14)[8:])
    scripts = {
        0: script(ask=card("3 pigs"), accept=offer(1, "4 sheep")),
        1: script(bid=bits("sheep 4")),
    }
    trade = of(one_turn(*hands, scripts=scripts), "trade")[0]
    assert held(trade, 0)["4 sheep"] == 2 and len(trade.hands[0]) == 7


# B8 the wild cards

WILD = (
    "sheep 1 2 3, pigs 1 2, Donkey, Watchdog",
    "sheep 4 5 6, pigs 4 5, Donkey, Donkey",
    "sheep 7 8 9, pigs 7 8, Donkey, Watchdog",
    *mixed(14)[9:14],
)
WAYS = {AS_NAMED: "", PASS_DONKEY: "Donkey", PASS_WATCHDOG: "Watchdog"}


def handing_over(swapper: int, bidder: int, place: int = 1, **options: Any) -> Line:
    """Return the trade of the first sheep of seat 0 and of seat `place`, with what they do."""
    theirs = f"{3 * place + 1} sheep"
    scripts = {
        0: script(ask=card("1 sheep"), accept=offer(place, theirs), hand_over=swapper),
        place: script(bid=1 << card(theirs), hand_over=bidder),
    }
    return of(one_turn(*WILD, donkeys=2, scripts=scripts, **options), "trade")[0]


@pytest.mark.parametrize("swapper", WAYS)
@pytest.mark.parametrize("bidder", WAYS)
def test_b8_either_side_may_hand_over_a_wild_card_instead(swapper: int, bidder: int) -> None:
    trade = handing_over(swapper, bidder, place=2)
    gave, got = WAYS[swapper] or "1 sheep", WAYS[bidder] or "7 sheep"
    assert trade.detail == (2, "7 sheep", gave, got)
    assert held(trade, 0) == hand(WILD[0]) - Counter([gave]) + Counter([got])
    assert held(trade, 2) == hand(WILD[2]) - Counter([got]) + Counter([gave])
    assert all(held(trade, other) == hand(WILD[other]) for other in (1, 3, 4, 5, 6, 7))


def test_b8_one_of_two_donkeys_is_handed_over() -> None:
    trade = handing_over(AS_NAMED, PASS_DONKEY)
    assert (held(trade, 0)["Donkey"], held(trade, 1)["Donkey"]) == (2, 1)
    trade = handing_over(PASS_DONKEY, AS_NAMED)
    assert (held(trade, 0)["Donkey"], held(trade, 1)["Donkey"]) == (0, 3)
    trade = handing_over(PASS_DONKEY, PASS_DONKEY)
    assert (held(trade, 0)["Donkey"], held(trade, 1)["Donkey"]) == (1, 2)


def test_b8_who_holds_no_wild_card_hands_over_what_he_named() -> None:
    scripts = {
        0: script(ask=card("1 sheep"), accept=offer(1, "4 sheep"), hand_over=PASS_DONKEY),
        1: script(bid=bits("sheep 4"), hand_over=PASS_WATCHDOG),
    }
    trade = of(one_turn(*MIXED[:3], scripts=scripts), "trade")[0]
    assert trade.detail == (1, "4 sheep", "1 sheep", "4 sheep")


@pytest.mark.parametrize(("answer", "holds"), [(1, "Watchdog"), (2, "Donkey"), (3, "Donkey"),
                                               (-1, "Watchdog"), (50, "Donkey")])  # fmt: skip
@pytest.mark.parametrize("seat", [0, 1])
def test_b8_nobody_hands_over_a_wild_card_that_he_lacks(answer: int, holds: str, seat: int) -> None:
    hands = [*MIXED[:3]]
    hands[seat] = f"sheep {3 * seat + 1} {3 * seat + 2}, pigs 1 2 3, goats 1, {holds}"
    hands[1 - seat] = f"sheep {4 - 3 * seat} {5 - 3 * seat}, cows 1 2 3, goats 2 5"
    scripts = {
        0: script(ask=card("1 sheep"), accept=offer(1, "4 sheep"), hand_over=answer),
        1: script(bid=bits("sheep 4"), hand_over=answer),
    }
    with pytest.raises(BadInput, match=f"seat {seat} answered {answer}, .* 'hand over'"):
        one_turn(*hands, scripts=scripts)


def test_b8_the_one_who_is_named_is_the_one_who_hands_over_what_he_lacks() -> None:
    """Both hold a wild card and are asked; only the swapper's answer is wrong."""
    hands = ("sheep 1 2 3, pigs 1 2 3, Donkey", "sheep 4 5 6, pigs 4 5 6, Watchdog", MIXED[2])
    scripts = {
        0: script(ask=card("1 sheep"), accept=offer(1, "4 sheep"), hand_over=PASS_WATCHDOG),
        1: script(bid=bits("sheep 4"), hand_over=AS_NAMED),
    }
    with pytest.raises(BadInput, match=f"seat 0 answered {PASS_WATCHDOG}, .* 'hand over'"):
        one_turn(*hands, scripts=scripts)


SECRET = ("sheep 1 2 3, pigs 1 2 3, Donkey", "sheep 4 5 6, pigs 4 5 6, Watchdog", MIXED[2])


def secretly(swapper: int, bidder: int) -> Any:
    """Return scripts for a trade in the first turn, after which all ask on their pigs."""
    return {
        0: script(
            ask=[card("1 sheep"), card("3 pigs")],
            accept=[offer(1, "4 sheep"), NONE],
            hand_over=swapper,
        ),
        1: script(ask=card("4 pigs"), bid=[bits("sheep 4"), 0], hand_over=bidder),
        2: script(ask=card("7 pigs")),
    }


@pytest.mark.parametrize(("swapper", "bidder"), [(1, 0), (0, 2), (1, 2)])
def test_b8_nobody_else_is_told(swapper: int, bidder: int) -> None:
    """All that seat 2 is shown in the two turns after the trade is what an honest one shows."""
    for at in ({"at": "trade"}, {"at": "ask"}, {"at": "bid", "skipped": 2}):
        options: Any = {"by": 2, "max_rounds": 2, **at}
        cheated = spied(*SECRET, scripts=secretly(swapper, bidder), **options)
        assert cheated == spied(*SECRET, scripts=secretly(0, 0), **options)


def test_b8_the_card_named_is_what_the_others_hear() -> None:
    options: Any = {"by": 2, "at": "trade", "scripts": secretly(1, 2)}
    assert spied(*SECRET, field="detail_1", **options) == 1
    assert spied(*SECRET, field="detail_2", **options) == card("4 sheep")
    assert spied(*SECRET, field="given", **options) == NONE
    assert spied(*SECRET, field="received", **options) == NONE


@pytest.mark.parametrize(("swapper", "bidder"), [(0, 0), (1, 0), (0, 2), (1, 2)])
def test_b8_both_sides_see_what_they_gave_and_got(swapper: int, bidder: int) -> None:
    gave, got = WAYS[swapper] or "1 sheep", WAYS[bidder] or "4 sheep"
    options: Any = {"at": "trade", "scripts": secretly(swapper, bidder)}
    for by, given, received in ((0, gave, got), (1, got, gave)):
        assert name(spied(*SECRET, by=by, field="given", **options)) == given
        assert name(spied(*SECRET, by=by, field="received", **options)) == received


def test_b8_who_is_asked_knows_which_card_he_named() -> None:
    options: Any = {"at": "hand_over", "field": "named", "scripts": secretly(0, 0)}
    assert name(spied(*SECRET, by=1, **options)) == "4 sheep"
    hands = (SECRET[0], MIXED[1], SECRET[2])
    assert name(spied(*hands, by=0, **options)) == "1 sheep"


# B9 barnyard


def test_b9_a_swapper_who_accepts_nothing_takes_the_top_card_and_discards_one() -> None:
    scripts = {0: script(discard=card("2 pigs"))}
    lines = one_turn(*MIXED[:3], scripts=scripts, barnyard="cows 9 8")
    draw, discard = of(lines, "draw")[0], of(lines, "discard")[0]
    assert (draw.detail, discard.detail) == (("9 cows",), ("2 pigs",))
    assert held(draw, 0) == hand(MIXED[0] + ", cows 9")
    assert held(discard, 0) == hand("sheep 1 2 3, pigs 1 3, goats 1, cows 9")
    assert (draw.barnyard, draw.pile) == (29, 0)
    assert (discard.barnyard, discard.pile) == (29, 1)
    assert discard.hands[1:] == lines[0].hands[1:]


@pytest.mark.parametrize("thrown", ["9 cows", "1 sheep", "3 pigs", "1 goats"])
def test_b9_any_farm_animal_may_be_discarded_the_drawn_one_too(thrown: str) -> None:
    lines = one_turn(*MIXED[:3], scripts={0: script(discard=card(thrown))}, barnyard="cows 9")
    assert held(lines[-2], 0) == hand(MIXED[0] + ", cows 9") - Counter([thrown])


def test_b9_the_top_cards_come_one_after_another() -> None:
    lines = play(*MIXED[:3], max_rounds=2, barnyard="cows 9 2 7, horses 1 8, goats 10")
    drawn = [line.detail[0] for line in of(lines, "draw")]
    assert drawn == ["9 cows", "2 cows", "7 cows", "1 horses", "8 horses", "10 goats"]


@pytest.mark.parametrize("thrown", ["Donkey", "Watchdog"])
@pytest.mark.parametrize("drawn", ["Donkey", "Watchdog", "cows 9"])
def test_b9_a_wild_card_cannot_be_discarded_unless_the_rule_is_set(thrown: str, drawn: str) -> None:
    kept = ", ".join({"Donkey", "Watchdog"} - {drawn})
    hands = (f"sheep 1 2, pigs 1 2, goats 1, {kept}{', cows 1' * (',' not in kept)}", *MIXED[1:3])
    options: Any = {"scripts": {0: script(discard=card(thrown))}, "barnyard": drawn}
    with pytest.raises(BadInput, match=f"seat 0 answered {card(thrown)}, .* 'discard'"):
        one_turn(*hands, **options)
    lines = one_turn(*hands, discard_wild=True, **options)
    assert of(lines, "discard")[0].detail == (thrown,)
    assert thrown not in lines[-2].hands[0] and len(lines[-2].hands[0]) == 7


def test_b9_wild_cards_stay_by_default() -> None:
    assert BarnyardRules().discard_wild is False
    lines = one_turn(*MIXED[:3], barnyard="Donkey")
    assert "Donkey" in lines[-2].hands[0]


@pytest.mark.parametrize("wild", [False, True])
@pytest.mark.parametrize("answer", ["4 sheep", "10 cows", "Donkey"])
def test_b9_only_a_card_of_the_hand_can_be_discarded(answer: str, wild: bool) -> None:
    with pytest.raises(BadInput, match=f"seat 0 answered {card(answer)}, .* decision 'discard'"):
        one_turn(*MIXED[:3], scripts={0: script(discard=card(answer))}, discard_wild=wild)


def test_b9_of_two_copies_one_is_discarded() -> None:
    hands = ("sheep 1 1 2 3, pigs 1 2 3", *mixed(14)[7:])
    lines = one_turn(*hands, scripts={0: script(discard=card("1 sheep"))}, barnyard="sheep 2")
    assert held(lines[-2], 0) == hand("sheep 1 2 2 3, pigs 1 2 3")


def test_b9_what_is_drawn_is_shown_to_nobody() -> None:
    """Seat 0 draws another card and throws it away again: the others are shown the same."""
    for seat in (1, 2):
        for at in ("draw", "bid" if seat == 2 else "ask"):
            seen = {
                spied(*MIXED[:3], by=seat, at=at, skipped=at == "bid", barnyard=one)
                for one in ("cows 9, goats 9", "cows 2, goats 9", "horses 5, goats 9")
            }
            assert len(seen) == 1, (seat, at)


# B10 second pile

GOATS: Any = {"pile": "goats 1 2 3 4 5 6 7 8", "barnyard": "goats 9", "runaway": "10 goats"}
ROUND = [f"{n} goats" for n in range(1, 10)]


def goats_drawn(n_rounds: int, **options: Any) -> list[object]:
    """Return what seven quiet players draw from a barnyard of one goat, with eight discarded."""
    lines = play(*SIXES, max_rounds=n_rounds, **{**GOATS, **options})
    return [line.detail[0] for line in of(lines, "draw")]


def test_b10_discards_form_a_pile_that_is_drawn_from_when_the_first_is_used_up() -> None:
    lines = [x for x in play(*SIXES, max_rounds=1, **GOATS) if x.what in ("draw", "discard")]
    assert [(x.barnyard, x.pile) for x in lines] == [
        (0, 8), (0, 9),  # the last card of the first pile; the second one waits for a draw
        (8, 0), (8, 1), (7, 1), (7, 2), (6, 2), (6, 3), (5, 3), (5, 4), (4, 4), (4, 5), (3, 5),
        (3, 6),
    ]  # fmt: skip


def test_b10_turned_over_the_oldest_discard_comes_first() -> None:
    assert goats_drawn(4, recycle="turned") == ["9 goats", *ROUND, *ROUND, *ROUND]


def test_b10_as_it_is_the_newest_discard_comes_first() -> None:
    back = ROUND[::-1]
    assert goats_drawn(4, recycle="as_is") == ["9 goats", *back, *ROUND, *back]


@pytest.mark.parametrize(("recycle", "first"), [("turned", "1 goats"), ("as_is", "1 sheep")])
def test_b10_what_was_discarded_is_what_is_drawn(recycle: str, first: str) -> None:
    scripts = {0: script(discard=[card("1 sheep"), card("9 goats")])}
    drawn = goats_drawn(2, scripts=scripts, recycle=recycle)
    assert drawn[1] == first and "9 goats" not in drawn[1:10]
    assert sorted(map(str, drawn[1:10])) == sorted(["1 sheep", *ROUND[:-1]])


def test_b10_shuffled_is_the_default_and_each_time_a_new_order() -> None:
    assert BarnyardRules().recycle == "shuffled"
    rounds = set()
    for seed in range(10):
        drawn = goats_drawn(4, seed=seed)
        assert drawn[0] == "9 goats"
        for begin in (1, 10, 19):
            assert sorted(map(str, drawn[begin : begin + 9])) == sorted(ROUND)
            rounds.add(tuple(drawn[begin : begin + 9]))
    assert len(rounds) == 30


def test_b10_shuffled_every_card_is_as_likely_in_every_place() -> None:
    played, n = start(*SIXES, max_rounds=2, **GOATS), 900
    counts = np.zeros((3, 9), dtype=int)
    for number in range(n):
        log = played.logged(number)[1]
        draws = log[log[:, 0] == DREW, 4]
        for row, place in enumerate((1, 5, 9)):
            counts[row, draws[place] - card("1 goats")] += 1
    assert all(chi_square_p(row, n / 9) > FALSE_ALARM for row in counts)
    faulty = counts[0] + counts[1] * (np.arange(9) == 0)  # one card twice as likely
    assert chi_square_p(faulty, faulty.sum() / 9) < FALSE_ALARM


def test_b10_a_discarded_wild_card_comes_back() -> None:
    hands = (SIXES[6], *SIXES[:6])
    scripts = {0: script(discard=[card("Donkey"), card("10 sheep")])}
    options: Any = {"recycle": "as_is", "discard_wild": True, "scripts": scripts}
    lines = play(*hands, max_rounds=1, **GOATS, **options)
    assert [line.detail[0] for line in of(lines, "draw")][:2] == ["9 goats", "Donkey"]
    assert "Donkey" in lines[-2].hands[1]
