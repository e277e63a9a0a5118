"""Clauses S6-S9 of SWAP! (SWAP, SUPER SWAP, SWITCH COLOR, SLAP), tested from the rulebook."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from herdlab.simcore.errors import BadInput
from herdlab.simcore.swap.rules import (
    BLUE,
    COLOURS,
    GREEN,
    PURPLE,
    RED,
    SLAP,
    SUPER,
    SWITCH,
    SwapRules,
)
from herdlab.simcore.swap.table import Position
from herdlab.simcore.swap.view import TO_THE_LEFT, TO_THE_RIGHT
from tests.simcore.swap.harness import Line, cards, of, outcome, play, script, table
from tests.simcore.swap.tables import column, kinds, lines_of, refused, seated
from tests.statistics import LARGEST_Z, z_of_rate

A, B, C, D, E = (
    ("green plain",),
    ("purple plain", "red plain"),
    ("green slap", "red slap", "red switch"),
    ("purple slap", "purple switch", "red super", "red super"),
    ("green plain",) * 5,
)
FIVE = [", ".join(hand) for hand in (A, B, C, D, E)]


def with_card(card: str, players: int = 5, place: int = 0) -> list[str]:
    """Return hands of which the one at `place` can only play `card`."""
    hands = list(FIVE[:players])
    hands[place] += ", " + card
    return hands


# S6 SWAP


@pytest.mark.parametrize("k", [1, 2, 3, 4])
@pytest.mark.parametrize("place", [0, 3])
def test_s6_he_exchanges_hands_with_the_player_of_his_choice(k: int, place: int) -> None:
    lines = play(*with_card("swap", place=place), scripts={place: script(partner=k)}, place=place)
    assert kinds(lines) == ["play", "swap", "colour"]
    other = (place + k) % 5
    wanted = [A, B, C, D, E]
    wanted[place], wanted[other] = wanted[other], wanted[place]
    assert lines[2].hands == tuple(wanted)
    assert (lines[2].player, lines[2].detail) == (place, (other,))


def test_s6_with_two_the_other_is_the_only_choice() -> None:
    for answer in (1, 0, 7):  # nobody is asked where there is no choice
        lines = play(*with_card("swap", 2), scripts={0: script(partner=answer)})
        assert lines[2].hands == (B, A)


@pytest.mark.parametrize("colour", COLOURS)
def test_s6_a_swap_goes_on_any_colour(colour: str) -> None:
    other = COLOURS[COLOURS.index(colour) - 1]
    lines = play(f"swap, {other} plain", "blue plain", colour=colour, discards=f"{colour} slap")
    assert lines[1].what == "play" and lines[1].detail == ("swap",)


@pytest.mark.parametrize("named", range(4))
@pytest.mark.parametrize("before", ["blue", "red"])
def test_s6_he_names_any_colour_and_need_not_change_it(named: int, before: str) -> None:
    hands = "swap, purple plain", "green plain", "purple plain"
    lines = play(*hands, colour=before, scripts={0: script(colour=named)})
    assert (lines[3].what, lines[3].player, lines[3].detail) == ("colour", 0, (COLOURS[named],))
    assert lines[2].colour == before and lines[-1].colour == COLOURS[named]


def test_s6_the_colour_named_is_in_force_for_the_next_player() -> None:
    hands = "swap, 2 purple plain", "2 purple plain, red plain, blue plain"
    lines = play(*hands, "red plain", scripts={0: script(partner=2, colour=RED)}, turns=2)
    assert of(lines, "play")[1].detail == ("red plain",)


def test_s6_a_swap_may_be_played_on_a_swap() -> None:
    hands = "swap, 2 red plain", "green plain, swap", "purple plain"
    scripts = {0: script(partner=2, colour=BLUE)}
    lines = play(*hands, discards="swap", turns=2, scripts=scripts)
    assert [line.detail[0] for line in of(lines, "play")] == ["swap", "swap"]
    assert lines[-1].hands == (("purple plain",), ("red plain", "red plain"), ("green plain",))


def test_s6_the_colour_is_named_after_the_exchange_by_the_new_hand() -> None:
    """The `shedder` swaps with who has fewest and names the colour that he holds most of then."""
    hands = "swap, 4 green plain", "3 red plain", "purple plain, purple slap"
    start = Position(tuple(cards(hand) for hand in hands), cards("blue plain"), BLUE)
    lines = lines_of(seated("shedder,random,random", start, max_turns=1))
    assert lines[2].detail == (2,) and lines[3].detail == ("purple",)
    assert lines[3].hands[0] == ("purple plain", "purple slap")


def test_s6_the_hand_he_gives_is_without_the_swap_that_he_played() -> None:
    lines = play("2 swap, red plain", "green plain", "blue plain")
    assert lines[2].hands == (("green plain",), ("red plain", "swap"), ("blue plain",))


def test_s6_he_must_exchange_though_it_costs_him() -> None:
    lines = play("swap, red plain", "9 green plain", "8 purple plain")
    assert [len(hand) for hand in lines[2].hands] == [9, 1, 8]


@pytest.mark.parametrize("answer", [0, -1, 5, 6, 64])
def test_s6_a_partner_must_be_another_player(answer: int) -> None:
    illegal: Any = {"answer": answer, "decision": "partner"}
    refused(*with_card("swap"), **illegal, scripts={0: script(partner=answer)})
    theirs = {4: script(partner=answer)}
    refused(*with_card("swap", place=4), **illegal, place=4, seat=4, scripts=theirs)


@pytest.mark.parametrize("answer", [-1, 4, 17])
def test_s6_only_the_four_colours_can_be_named(answer: int) -> None:
    scripts = {0: script(colour=answer)}
    refused(*with_card("swap"), answer=answer, decision="colour", scripts=scripts)


def test_s6_swaps_are_counted() -> None:
    hands = "swap, red plain", "swap, green plain", "purple plain"
    result = outcome(table(*hands, turns=1))
    assert (result["swaps"], result["played_swap"], result["super_swaps"]) == (1, 1, 0)


# S7 SUPER SWAP


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("place", [0, 1])
def test_s7_to_the_left_everybody_gets_the_hand_of_his_right_neighbour(
    players: int, place: int
) -> None:
    scripts = {place: script(direction=TO_THE_LEFT)}
    lines = play(*with_card("blue super", players, place), scripts=scripts, place=place)
    before = [A, B, C, D, E][:players]
    assert kinds(lines) == ["play", "super swap"]
    assert (lines[2].player, lines[2].detail) == (place, ("left",))
    assert lines[2].hands == tuple(before[(seat - 1) % players] for seat in range(players))


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("place", [0, 1])
def test_s7_to_the_right_everybody_gets_the_hand_of_his_left_neighbour(
    players: int, place: int
) -> None:
    scripts = {place: script(direction=TO_THE_RIGHT)}
    lines = play(*with_card("blue super", players, place), scripts=scripts, place=place)
    before = [A, B, C, D, E][:players]
    assert lines[2].detail == ("right",)
    assert lines[2].hands == tuple(before[(seat + 1) % players] for seat in range(players))


def test_s7_the_colour_stays_and_the_left_neighbour_is_next_with_his_new_hand() -> None:
    hands = "blue super, blue plain, red plain", "2 green plain", "2 purple plain"
    lines = play(*hands, scripts={0: script(play=SUPER)}, turns=2)
    assert kinds(lines) == ["play", "super swap", "play"]
    assert (lines[3].player, lines[3].detail, lines[3].colour) == (1, ("blue plain",), "blue")


def test_s7_it_goes_only_on_its_own_colour() -> None:
    lines = play("red super, green plain", "green plain", pile="red plain")
    assert kinds(lines) == ["draw"]
    lines = play("red super, green plain", "green plain", colour="red", discards="red super")
    assert kinds(lines) == ["play", "super swap"]
    lines = play("red super, green plain", "green plain", discards="blue super", pile="red plain")
    assert kinds(lines) == ["draw"]


@pytest.mark.parametrize("answer", [-1, 2, 64])
def test_s7_a_direction_is_left_or_right(answer: int) -> None:
    scripts = {0: script(direction=answer)}
    refused(*with_card("blue super"), answer=answer, decision="direction", scripts=scripts)
    refused(*with_card("blue super", 2), answer=answer, decision="direction", scripts=scripts)


def test_s7_super_swaps_are_counted() -> None:
    result = outcome(table(*with_card("blue super")))
    assert (result["super_swaps"], result["played_super_swap"], result["swaps"]) == (1, 1, 0)
    assert [result[f"cards_left_{seat}"] for seat in range(5)] == [5, 1, 2, 3, 4]


# S8 SWITCH COLOR


@pytest.mark.parametrize("before", range(4))
@pytest.mark.parametrize("after", range(4))
def test_s8_switch_color_must_name_a_different_colour(before: int, after: int) -> None:
    colour = COLOURS[before]
    hand = f"{colour} switch, {COLOURS[before - 1]} plain"
    options: Any = {"colour": colour, "scripts": {0: script(colour=after)}}
    if after == before:
        refused(hand, "swap", answer=after, decision="colour", **options)
    else:
        lines = play(hand, "swap", **options)
        assert kinds(lines) == ["play", "colour"]
        assert (lines[2].player, lines[2].detail) == (0, (COLOURS[after],))
        assert lines[-1].colour == COLOURS[after]


@pytest.mark.parametrize("answer", [-1, 4, 64])
def test_s8_only_the_four_colours_can_be_named(answer: int) -> None:
    scripts = {0: script(colour=answer)}
    refused(*with_card("blue switch"), answer=answer, decision="colour", scripts=scripts)


def test_s8_it_goes_only_on_its_own_colour() -> None:
    lines = play("red switch, green plain", "green plain", pile="red plain")
    assert kinds(lines) == ["draw"]


def test_s8_it_goes_on_another_only_in_the_newly_named_colour() -> None:
    hands = "blue switch, blue plain", "green switch, blue switch, blue plain"
    scripts = {0: script(play=SWITCH, colour=GREEN), 1: script(colour=PURPLE)}
    lines = play(*hands, scripts=scripts, turns=2)
    assert [line.detail[0] for line in of(lines, "play")] == ["blue switch", "green switch"]
    assert lines[-1].colour == "purple"
    scripts[0] = script(play=SWITCH, colour=RED)
    assert kinds(play(*hands, scripts=scripts, turns=2, pile="green plain"))[-1] == "draw"


def test_s8_no_hand_changes() -> None:
    lines = play(*with_card("blue switch"))
    assert lines[-1].hands == (A, B, C, D, E)


# S9 SLAP


@pytest.mark.parametrize("place", [0, 1])
def test_s9_with_two_the_other_takes_a_card(place: int) -> None:
    hands = [", ".join(C), ", ".join(D)]
    hands[place] += ", blue slap"
    made = table(*hands, place=place)
    lines = lines_of(made)
    assert kinds(lines) == ["play", "slap"]
    slap = lines[2]
    taker, taken = slap.detail
    assert (slap.player, taker) == (place, 1 - place)
    before = [Counter(C), Counter(D)]
    before[place] -= Counter([str(taken)])
    before[1 - place] += Counter([str(taken)])
    assert [Counter(hand) for hand in slap.hands] == before
    assert outcome(made)[f"slapped_last_{1 - place}"] == 1


def slaps(hands: list[str], n: int, **options: Any) -> list[Line]:
    """Return the slap of each of `n` games."""
    made = table(*hands, **options)
    found = [lines_of(made, game)[2] for game in range(n)]
    assert {line.what for line in found} == {"slap"}
    return found


def test_s9_the_card_is_taken_unseen_each_as_likely_whoever_takes_it() -> None:
    """|z| < 5 for each card and taker; a card that lies twice in the hand goes twice as often."""
    hands = ["blue slap, 2 red plain, blue plain, swap", "green plain", "2 green plain"]
    n = 2000
    taken = Counter(line.detail for line in slaps(hands, n, seed=2, scripts={0: script(play=SLAP)}))
    exact = {"red plain": 1 / 2, "blue plain": 1 / 4, "swap": 1 / 4}
    for card, p in exact.items():
        for taker in (1, 2):
            assert abs(z_of_rate(taken[taker, card], n, p / 2)) < LARGEST_Z
    assert taken.total() == sum(taken[taker, card] for taker in (1, 2) for card in exact)
    # the companion: card kinds as likely as each other would be caught
    assert abs(z_of_rate(taken[1, "red plain"], n, 1 / 6)) > LARGEST_Z


def last_rates(speeds: Any, place: int, n: int, **options: Any) -> list[int]:
    """Return by player how often he was the last of `n` slaps of four players."""
    hands = ["green plain, red plain"] * 4
    hands[place] += ", blue slap"
    made = table(*hands, place=place, slap_speed=speeds, **options)
    rows = made.rows(0, n)
    return [int(column(rows, made, f"slapped_last_{player}").sum()) for player in range(4)]


@pytest.mark.parametrize("place", range(4))
def test_s9_everybody_else_is_as_likely_to_be_last_by_default(place: int) -> None:
    n = 30_000
    lasts = last_rates((), place, n, seed=3)
    assert lasts.pop(place) == 0
    assert sum(lasts) == n
    for count in lasts:
        assert abs(z_of_rate(count, n, 1 / 3)) < LARGEST_Z


@pytest.mark.parametrize("speeds", [(1, 2, 4, 0.5), (0.1, 3, 3, 10), (0.001, 0.002, 500, 1000)])
@pytest.mark.parametrize("place", [0, 2])
def test_s9_who_is_last_goes_by_one_over_speed(speeds: tuple[float, ...], place: int) -> None:
    n = 50_000
    lasts = last_rates(speeds, place, n, seed=4)
    inverse = [0 if player == place else 1 / speed for player, speed in enumerate(speeds)]
    assert lasts[place] == 0 and sum(lasts) == n
    for player in set(range(4)) - {place}:
        p = inverse[player] / sum(inverse)
        assert abs(z_of_rate(lasts[player], n, p)) < LARGEST_Z, player


def test_s9_another_law_of_speed_would_be_caught() -> None:
    """The companion: |z| is far above 5 if speed itself, or its square, were what counts."""
    n, speeds = 50_000, (1, 2, 4, 0.5)
    lasts = last_rates(speeds, 0, n, seed=4)
    for power in (1, -2, 0):
        weights = [speed**power for speed in speeds[1:]]
        assert abs(z_of_rate(lasts[1], n, weights[0] / sum(weights))) > LARGEST_Z


@pytest.mark.parametrize("speeds", [(1, 1, 1), "1,1,1", [2.5, 2.5, 2.5], "7,7,7"])
def test_s9_default_speeds_are_one_each(speeds: Any) -> None:
    plain = seated("random,shedder,random").rows(0, 200)
    assert np.array_equal(seated("random,shedder,random", slap_speed=speeds).rows(0, 200), plain)
    other = seated("random,shedder,random", slap_speed="1,2,3").rows(0, 200)
    assert not np.array_equal(other, plain)


def test_s9_the_colour_stays_and_it_goes_only_on_its_colour() -> None:
    assert play(*with_card("blue slap"))[-1].colour == "blue"
    assert kinds(play(*with_card("red slap"), pile="green plain")) == ["draw"]
    lines = play("blue slap, red plain", "green plain", discards="blue slap")
    assert kinds(lines)[:2] == ["play", "slap"]
    lines = play("blue slap, red plain", "green plain", discards="red slap", colour="red")
    assert lines[1].detail == ("red plain",)


def test_s9_slaps_are_counted_for_who_was_last() -> None:
    made = table(*with_card("blue slap"), seed=8)
    result, slap = outcome(made), lines_of(made)[2]
    assert (result["slaps"], result["played_slap"]) == (1, 1)
    lasts = [result[f"slapped_last_{player}"] for player in range(5)]
    assert lasts == [int(player == slap.detail[0]) for player in range(5)]


@pytest.mark.parametrize(
    "speeds",
    ["0,1,1", "-1,1,1", "1,2,fast", "1,,2", "nan,1,1", "inf,1,1", "1001,1,1", "0.0009,1,1",
     [1, None, 2], [1, "x", 2], True, [True, True, True]],
)  # fmt: skip
def test_s9_a_speed_that_is_none_is_refused(speeds: Any) -> None:
    with pytest.raises(BadInput, match=r"rule slap_speed \(S9\) must be a number from 0.001"):
        SwapRules.from_settings({"slap_speed": speeds})


@pytest.mark.parametrize("speeds", ["1,2", "1,2,3,4", "5", 5])
def test_s9_everybody_needs_a_speed(speeds: Any) -> None:
    wanted = r"rule slap_speed \(S9\) must have a number for each of 3 players"
    with pytest.raises(BadInput, match=wanted):
        seated("random,random,random", slap_speed=speeds)


def test_s9_a_swap_taken_by_a_slap_can_be_played_by_who_took_it() -> None:
    lines = play("blue slap, swap", "2 red plain", turns=2, slap_empties="plays_on")
    plays = of(lines, "play")
    assert plays[1].player == 1 and plays[1].detail == ("swap",)
