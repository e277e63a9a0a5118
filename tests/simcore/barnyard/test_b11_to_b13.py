"""Clauses B11-B13 of Barnyard Swap (full hand, claim, stall), from the rulebook."""

from itertools import product
from typing import Any

import pytest

from herdlab.simcore.barnyard.rules import BarnyardRules
from herdlab.simcore.errors import BadInput
from tests.simcore.barnyard.harness import Line, bits, card, of, offer, play, script, spied
from tests.simcore.barnyard.tables import MIXED, SIXES, mixed, one_turn, row_of, scores, whats

CLAIMS = script(claim=1)


def ending(lines: list[Line]) -> tuple[int, object, int] | None:
    """Return who ended the session, how, and after how many turns; None if it stalled."""
    found = of(lines, "full hand")
    return (found[0].seat, found[0].detail[0], found[0].turn) if found else None


# B11 full hand


@pytest.mark.parametrize(
    "full", ["sheep 1 2 3 4 5 6 7", "pigs 1 3 4 6 7 9 10", "horses 4 5 6 7 8 9 10"]
)
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_b11_seven_of_one_animal_end_the_session_after_the_deal(full: str, seat: int) -> None:
    hands = ["goats 1 2 3, cows 1 2 3 4", "goats 4 5 6, cows 5 6 7 8"]
    hands.insert(seat, full)
    lines = play(*hands)
    assert ending(lines) == (seat, "natural", 0)
    assert whats(lines) == ["full hand"]


def test_b11_six_of_one_animal_and_another_is_no_full_hand() -> None:
    lines = play("sheep 1 2 3 4 5 6, pigs 7", *MIXED[3:5], max_rounds=1)
    assert ending(lines) is None


def test_b11_seven_players_need_six_of_one_animal() -> None:
    hands = ("goats 1 2 3 4 5 6", *SIXES[1:])
    assert ending(play(*hands)) == (0, "natural", 0)
    hands = ("goats 1 2 3 4 5, cows 10", *SIXES[1:6], "sheep 1 2 3, pigs 1 2 3")
    assert ending(play(*hands, max_rounds=1)) is None


@pytest.mark.parametrize("full", ["goats 7 7 8 8 9 9 10", "sheep 10 10, goats 8 8 9 9 10"])
def test_b11_doubled_cards_make_a_full_hand_of_one_animal_only(full: str) -> None:
    lines = play(full, *MIXED, MIXED[0], max_rounds=1)
    assert ending(lines) == ((0, "natural", 0) if "sheep" not in full else None)


def trading(*hands: str, ask: str, gets: str, place: int, **more: Any) -> list[Line]:
    """Play a turn in which seat 0 gives `ask` to the seat `place` and gets `gets`."""
    scripts = more.pop("scripts", {})
    scripts[0] = script(ask=card(ask), accept=offer(place, gets), **more.pop("first", {}))
    scripts[place] = script(bid=1 << card(gets))
    return one_turn(*hands, scripts=scripts, **more)


def test_b11_a_trade_fills_the_swappers_hand() -> None:
    hands = ("sheep 1 2 3 4 5 6, pigs 1", "sheep 7 8, pigs 4 5 6, goats 1 2", MIXED[3])
    lines = trading(*hands, ask="1 pigs", gets="7 sheep", place=1)
    assert ending(lines) == (0, "natural", 3)
    assert whats(lines) == ["ask", "bid", "trade", "full hand"]


def test_b11_a_trade_fills_the_bidders_hand() -> None:
    hands = ("sheep 1 2 3, pigs 1 2 3, goats 1", MIXED[3], "pigs 4 5 6 7 8 9, sheep 7")
    lines = trading(*hands, ask="1 pigs", gets="7 sheep", place=2)
    assert ending(lines) == (2, "natural", 3)


@pytest.mark.parametrize("place", [1, 2])
def test_b11_if_one_trade_fills_both_hands_the_swapper_is_first(place: int) -> None:
    hands = ["sheep 1 2 3 4 5 6, pigs 1", MIXED[3], MIXED[4]]
    hands[place] = "pigs 4 5 6 7 8 9, sheep 7"
    lines = trading(*hands, ask="1 pigs", gets="7 sheep", place=place)
    assert ending(lines) == (0, "natural", 3)
    assert [scores(lines)[seat][2] for seat in (0, place)] == [5, 0]


def test_b11_a_discard_fills_the_hand() -> None:
    hands = ("sheep 1 2 3 4 5 6, pigs 1", *MIXED[2:4])
    lines = one_turn(*hands, barnyard="sheep 10", scripts={0: script(discard=card("1 pigs"))})
    assert ending(lines) == (0, "natural", 3)
    assert whats(lines) == ["ask", "draw", "discard", "full hand"]


def test_b11_the_extra_card_between_draw_and_discard_is_not_looked_at() -> None:
    hands = ("sheep 1 2 3 4 5 6, pigs 1", *MIXED[2:4])
    lines = one_turn(*hands, barnyard="sheep 10", scripts={0: script(discard=card("3 sheep"))})
    assert "10 sheep" in of(lines, "draw")[0].hands[0]  # seven sheep, for a moment
    assert ending(lines) is None


def test_b11_a_wild_card_drawn_by_six_of_one_animal_is_not_looked_at_either() -> None:
    hands = ("sheep 1 2 3 4 5 6, pigs 1", *MIXED[2:4])
    says = script(claim=1, discard=card("3 sheep"))
    assert ending(one_turn(*hands, barnyard="Donkey", scripts={0: says})) is None
    says = script(claim=1, discard=card("1 pigs"))
    assert ending(one_turn(*hands, barnyard="Donkey", scripts={0: says})) == (0, "claim", 3)


ANIMALS = ("sheep", "pigs", "goats", "cows")
WAYS = ("nothing", "natural", "claim", "no claim")


def looked_at(ways: tuple[str, ...], swapper: int) -> tuple[list[tuple[str, int]], list[Line]]:
    """Return what the rulebook says of a look after the deal, and what happened."""
    wild = iter(("Donkey", "Watchdog", "Donkey"))
    hands, scripts = [], {}
    for seat, (animal, way) in enumerate(zip(ANIMALS, ways, strict=True)):
        last = f", horses {seat + 1}"
        if way != "nothing":
            last = " 7" if way == "natural" else f", {next(wild)}"
        hands.append(f"{animal} 1 2 3 4 5 6{last}")
        scripts[seat] = script(claim=int(way == "claim"))
    expected = []
    for seat in (swapper, *range(swapper + 1, 4), *range(swapper)):
        if ways[seat] == "no claim":
            expected.append(("no claim", seat))
        elif ways[seat] in ("natural", "claim"):
            expected.append((ways[seat], seat))
            break
    lines = play(*hands, scripts=scripts, session=swapper, donkeys=2, max_rounds=1)
    return expected, lines


@pytest.mark.parametrize("swapper", range(4))
def test_b11_the_look_goes_from_the_swapper_leftwards_and_the_first_ends_it(swapper: int) -> None:
    """All hands of four players; an earlier claim beats a later natural hand, and the reverse."""
    for ways in product(WAYS, repeat=4):
        if sum(way in ("claim", "no claim") for way in ways) > 3:
            continue
        expected, lines = looked_at(ways, swapper)
        found = [("no claim", x.seat) for x in lines if x.what == "no claim" and x.turn == 0]
        end = ending(lines)
        if end is not None and end[2] == 0:
            found.append((str(end[1]), end[0]))
        assert found == expected, (ways, swapper)


@pytest.mark.parametrize("swapper", range(4))
@pytest.mark.parametrize("without", range(4))
def test_b11_the_look_after_a_turn_begins_with_its_swapper(swapper: int, without: int) -> None:
    """Three may claim and decline after the deal; after the first turn they all would."""
    wild = iter(("Donkey", "Watchdog", "Donkey"))
    hands = [
        f"{animal} 1 2 3 4 5 6, {'horses 1' if seat == without else next(wild)}"
        for seat, animal in enumerate(ANIMALS)
    ]
    scripts = {seat: script(claim=[0, 1]) for seat in range(4)}
    lines = play(*hands, scripts=scripts, session=swapper, donkeys=2, barnyard="horses 9")
    first = swapper if swapper != without else (swapper + 1) % 4
    assert ending(lines) == (first, "claim", 1)


def test_b11_a_bystanders_claim_beats_the_natural_hand_of_a_later_bidder() -> None:
    claimer = "cows 1 2 3 4 5 6, Donkey"
    bidder = "pigs 4 5 6 7 8 9, sheep 7"
    options: Any = {"ask": "1 pigs", "gets": "7 sheep"}
    scripts = {1: script(claim=[0, 1])}
    lines = trading(MIXED[0], claimer, bidder, place=2, scripts=scripts, **options)
    assert ending(lines) == (1, "claim", 3)
    scripts = {2: script(claim=[0, 1])}
    lines = trading(MIXED[0], bidder, claimer, place=1, scripts=scripts, **options)
    assert ending(lines) == (1, "natural", 3)


def test_b11_the_swapping_stops_at_once() -> None:
    lines = play("sheep 1 2 3 4 5 6 10", *MIXED[3:5], sessions=2, max_rounds=1)
    first = [line.what for line in lines if line.session == 0]
    assert first == ["deal", "full hand", "score", "score", "score"]
    assert [line.what for line in lines if line.session == 1][:2] == ["deal", "ask"]


# B12 claim


@pytest.mark.parametrize("wild", ["Donkey", "Watchdog"])
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_b12_all_cards_but_one_of_an_animal_and_a_wild_card_may_be_claimed(
    wild: str, seat: int
) -> None:
    hands = [MIXED[3], MIXED[4]]
    hands.insert(seat, f"sheep 1 3 4 6 7 9, {wild}")
    assert ending(play(*hands, scripts={seat: CLAIMS})) == (seat, "claim", 0)


@pytest.mark.parametrize("wild", ["Donkey", "Watchdog"])
def test_b12_it_is_his_choice(wild: str) -> None:
    hands = (f"sheep 1 3 4 6 7 9, {wild}", MIXED[3], MIXED[4])
    lines = play(*hands, max_rounds=1)
    assert ending(lines) is None and whats(lines)[0] == "no claim"


def test_b12_seven_players_claim_with_five_and_a_wild_card() -> None:
    hands = ("goats 1 2 3 4 5, Donkey", *SIXES[1:6], "sheep 1 2 3, pigs 1 2, Watchdog")
    assert ending(play(*hands, scripts={0: CLAIMS})) == (0, "claim", 0)


def test_b12_doubled_cards_may_be_claimed() -> None:
    hands = ("goats 8 8 9 9 10 10, Watchdog", *MIXED, MIXED[0])
    assert ending(play(*hands, scripts={0: CLAIMS})) == (0, "claim", 0)


@pytest.mark.parametrize(
    "nearly",
    [
        "goats 7 8 9 10 10, Donkey, Watchdog",
        "goats 7 8 9 10 10, Donkey, Donkey",
        "goats 7 8 9 10 10, Watchdog, Watchdog",
        "goats 7 8 9, Donkey, Donkey, Watchdog, Watchdog",
        "goats 7 8 9 10 10, cows 10, Donkey",
        "goats 7 8 9 10 10, cows 10, Watchdog",
    ],
)
def test_b12_two_wild_cards_or_another_animal_are_no_full_hand(nearly: str) -> None:
    """He would claim, and with players who never trade he is never asked."""
    lines = play(nearly, *MIXED, MIXED[0], scripts={0: CLAIMS}, donkeys=2, max_rounds=1)
    assert ending(lines) is None and "no claim" not in whats(lines)


def test_b12_who_declines_is_asked_again_at_every_look() -> None:
    hands = (MIXED[3], "sheep 1 3 4 6 7 9, Donkey", MIXED[4])
    lines = play(*hands, max_rounds=2)
    asked = [(line.seat, line.turn) for line in of(lines, "no claim")]
    assert asked == [(1, turn) for turn in range(7)]
    lines = play(*hands, max_rounds=2, scripts={1: script(claim=[0, 0, 0, 1])})
    assert ending(lines) == (1, "claim", 3)
    assert len(of(lines, "no claim")) == 3


def test_b12_who_gave_the_wild_card_away_is_not_asked_again_and_the_other_is() -> None:
    claim, other = "sheep 1 2 3 4 5 6, Donkey", "pigs 1 2 3 4 5 6, sheep 9"
    scripts = {
        0: script(ask=card("1 sheep"), accept=offer(1, "9 sheep"), hand_over=1, claim=0),
        1: script(bid=bits("sheep 9"), claim=1),
    }
    lines = one_turn(claim, other, MIXED[5], scripts=scripts)
    assert ending(lines) == (0, "natural", 3)
    other = "pigs 1 2 3 4 5 6, cows 9"
    scripts[0] = script(ask=card("1 sheep"), accept=offer(1, "9 cows"), hand_over=1, claim=0)
    scripts[1] = script(bid=bits("cows 9"), claim=1)
    lines = one_turn(claim, other, "sheep 7 8 9, pigs 7 8 9, goats 3", scripts=scripts)
    assert ending(lines) == (1, "claim", 3)
    assert [x.turn for x in of(lines, "no claim")] == [2]


def test_b12_a_claimer_sees_his_hand_and_the_turn() -> None:
    hands = (MIXED[3], "sheep 1 3 4 6 7 9, Donkey", MIXED[4])
    options: Any = {"by": 1, "at": "claim", "skipped": 2}
    assert spied(*hands, field="hand", **options) == bits("sheep 1 3 4 6 7 9") + (1 << 50)
    assert spied(*hands, field="turn", **options) == 2


# B13 stall


@pytest.mark.parametrize("max_rounds", [1, 2, 7])
@pytest.mark.parametrize("n_players", [3, 7, 8])
def test_b13_a_session_nobody_finishes_stops_after_its_rounds(
    max_rounds: int, n_players: int
) -> None:
    hands = mixed(n_players)
    lines = play(*hands, max_rounds=max_rounds)
    assert len(of(lines, "ask")) == max_rounds * n_players
    assert [(line.what, line.turn) for line in lines if line.what in ("stall", "full hand")] == [
        ("stall", max_rounds * n_players)
    ]
    row = row_of(*hands, max_rounds=max_rounds)
    assert (row["length"], row["stalls"]) == (max_rounds, 1)
    assert (row["natural_full_hands"], row["wild_claims"]) == (0, 0)


def test_b13_two_hundred_rounds_are_the_default() -> None:
    assert BarnyardRules().max_rounds == 200
    row = row_of(*MIXED[:3])
    assert (row["length"], row["stalls"]) == (200, 1)


def test_b13_after_a_stall_nobody_is_successful_and_every_hand_is_scored() -> None:
    found = scores(play(*MIXED[:3], max_rounds=1, barnyard="goats 4 5 6", runaway="1 cows"))
    # sheep or pigs minus the other two: 6 - 6 - 1, 15 - 15 - 2, 24 - 24 - 3
    assert found == {0: (-1, -1, 0, 0, 0), 1: (-2, -2, 0, 0, 0), 2: (-3, -3, 0, 0, 0)}
    row = row_of(*MIXED[:3], max_rounds=1)
    assert [row[f"finished_{seat}"] for seat in range(3)] == [0, 0, 0]


def test_b13_a_full_hand_in_the_very_last_turn_is_in_time() -> None:
    hands = ("sheep 1 2 3 4 5 6, pigs 1", *MIXED[2:4])
    options: Any = {"barnyard": "sheep 10", "scripts": {0: script(discard=card("1 pigs"))}}
    late = row_of(*hands, session=1, turn=2, max_rounds=1, **options)
    assert (late["stalls"], late["natural_full_hands"], late["length"]) == (0, 1, 1)


@pytest.mark.parametrize(
    ("declined", "rounds"), [(0, 0), (1, 1), (3, 1), (4, 2), (6, 2), (7, 3), (9, 3)]
)
def test_b13_length_in_rounds_is_turns_by_players_rounded_up(declined: int, rounds: int) -> None:
    hands = (MIXED[3], "sheep 1 3 4 6 7 9, Donkey", MIXED[4])
    row = row_of(*hands, scripts={1: script(claim=[0] * declined + [1])})
    assert (row["length"], row["wild_claims"], row["finished_1"]) == (rounds, 1, 1)


def test_b13_who_never_claims_cannot_finish_with_the_watchdog() -> None:
    hands = (MIXED[3], "sheep 1 3 4 6 7 9, Watchdog", MIXED[4])
    says = script(claim=0, discard=card("1 sheep"))
    lines = play(*hands, max_rounds=1, barnyard="goats 7, sheep 10", scripts={1: says})
    assert len(set(lines[-2].hands[1])) == 7 and "10 sheep" in lines[-2].hands[1]
    assert ending(lines) is None


def test_b13_a_position_after_the_last_round_is_refused() -> None:
    with pytest.raises(BadInput, match=r"turn must be from 0 to 5, and got 6 \(B13\)"):
        play(*MIXED[:3], turn=6, max_rounds=2)
    with pytest.raises(BadInput, match=r"\(B13\)"):
        play(*MIXED[:3], turn=-1, max_rounds=2)
