"""Clauses S13 and S14 of SWAP! (false slaps, swapped seats), tested from the rulebook."""

from typing import Any

import numpy as np
import pytest

from herdlab.simcore.errors import BadInput
from herdlab.simcore.swap.rules import BLUE, RED, SwapRules
from herdlab.simcore.swap.table import Position
from herdlab.simcore.swap.view import TO_THE_RIGHT
from tests.simcore.swap.harness import cards, of, outcome, play, script, table
from tests.simcore.swap.tables import ONE_EACH, column, games, kinds, lines_of, refused, seated
from tests.statistics import LARGEST_Z, z_of_rate

ALWAYS: Any = {"false_slap_rate": 1}
SEATS: Any = {"swap_seats": True}
BY_PLAYER: Any = {"swap_seats": True, "seat_next": "player"}

# S13 false slaps


@pytest.mark.parametrize(
    ("card", "effect"),
    [
        ("blue plain", []),
        ("blue switch", ["colour"]),
        ("blue super", ["super swap"]),
        ("swap", ["swap", "colour"]),
    ],
)
@pytest.mark.parametrize("is_drawn", [False, True])
def test_s13_every_other_player_slaps_and_draws_before_the_effect(
    card: str, effect: list[str], is_drawn: bool
) -> None:
    hand, pile = ("red plain", f"{card}, ") if is_drawn else (f"{card}, red plain", "")
    lines = play(hand, "red plain", "red plain", "red plain", **ALWAYS,
                 pile=pile + "green plain, green slap, green switch")  # fmt: skip
    assert kinds(lines) == ["draw"] * is_drawn + ["play"] + ["false slap"] * 3 + effect
    slaps = of(lines, "false slap")
    assert [(line.player, line.detail[0]) for line in slaps] == [
        (1, "green plain"),
        (2, "green slap"),
        (3, "green switch"),
    ]
    assert slaps[-1].hands == (
        ("red plain",),
        ("green plain", "red plain"),
        ("green slap", "red plain"),
        ("green switch", "red plain"),
    )
    assert {line.colour for line in slaps} == {"blue"}


def test_s13_the_penalties_are_drawn_in_seat_order_from_his_left() -> None:
    hands = ["red plain"] * 4
    hands[2] = "blue plain, red plain"
    lines = play(*hands, place=2, pile="3 green plain", **ALWAYS)
    assert [line.player for line in of(lines, "false slap")] == [3, 0, 1]
    assert [line.pile for line in of(lines, "false slap")] == [lines[0].pile - n for n in (1, 2, 3)]


def test_s13_nobody_slaps_falsely_at_a_slap() -> None:
    lines = play("blue slap, 2 red plain", "red plain", "green plain", **ALWAYS)
    assert kinds(lines) == ["play", "slap"]


@pytest.mark.parametrize("card", ["blue plain", "blue slap", "blue switch", "blue super", "swap"])
def test_s13_nobody_slaps_at_a_card_that_wins(card: str) -> None:
    made = table(card, "red plain", "green plain", **ALWAYS)
    assert kinds(lines_of(made)) == ["play", "win"]
    assert outcome(made)["cards_drawn"] == 0


def test_s13_nobody_slaps_where_no_card_is_played() -> None:
    assert kinds(play("red plain", "green plain", pile="purple plain", **ALWAYS)) == ["draw"]
    for _, first, *_ in games("random,random,random", 30, max_turns=1, **ALWAYS):
        assert first.what in ("colour", "draw", "play")  # nor at the start card


def test_s13_a_swap_then_exchanges_the_larger_hand() -> None:
    lines = play("swap, red plain", "green plain", pile="purple plain", **ALWAYS)
    assert kinds(lines) == ["play", "false slap", "swap", "colour"]
    assert lines[-1].hands == (("green plain", "purple plain"), ("red plain",))


def test_s13_a_super_swap_then_passes_the_larger_hands() -> None:
    hands = "blue super, red plain", "green plain", "2 green plain"
    lines = play(*hands, pile="purple plain, purple slap", **ALWAYS)
    assert [len(hand) for hand in lines[-1].hands] == [3, 1, 2]
    assert lines[-1].hands[2] == ("green plain", "purple plain")


def test_s13_the_one_to_move_next_has_his_penalty_and_can_play_it() -> None:
    lines = play("blue plain, red plain", "green plain", pile="blue slap", turns=2, **ALWAYS)
    assert lines[3].what == "play" and lines[3].detail == ("blue slap",)


def test_s13_a_penalty_may_need_a_new_pile() -> None:
    options: Any = {**ONE_EACH, "only_these_cards": True, **ALWAYS}
    lines = play("blue plain, red plain", "green plain", discards="purple plain", **options)
    assert kinds(lines) == ["play", "reshuffle", "false slap"]
    assert (lines[2].player, lines[2].pile, lines[2].discards) == (1, 1, 1)
    assert lines[3].hands == (("red plain",), ("green plain", "purple plain"))


def test_s13_with_nothing_to_draw_there_is_no_penalty() -> None:
    options: Any = {**ONE_EACH, "swap_cards": 1, "only_these_cards": True, **ALWAYS}
    hands = "blue plain, red plain", "green plain", "swap"
    made = table(*hands, discards="purple plain", **options)
    slaps = of(lines_of(made), "false slap")
    assert [(line.player, line.detail[0]) for line in slaps] == [(1, "purple plain"), (2, None)]
    assert slaps[1].hands[2] == ("swap",)
    assert outcome(made)["cards_drawn"] == 1


@pytest.mark.parametrize("rate", [0.03, 0.3, 0.9])
def test_s13_each_slaps_with_the_given_chance_and_on_his_own(rate: float) -> None:
    """|z| < 5 for each player, for two together, and for all three; others are told apart."""
    n = 30_000
    made = table("blue plain, red plain", *["green plain"] * 3, seed=6, false_slap_rate=rate)
    rows = made.rows(0, n)
    drew = np.array([column(rows, made, f"cards_left_{seat}") - 1 for seat in range(4)])
    assert not drew[0].any()
    for seat in (1, 2, 3):
        assert abs(z_of_rate(int(drew[seat].sum()), n, rate)) < LARGEST_Z
    for pair in ((1, 2), (2, 3), (1, 3)):
        both = int((drew[pair[0]] & drew[pair[1]]).sum())
        assert abs(z_of_rate(both, n, rate**2)) < LARGEST_Z
    assert abs(z_of_rate(int(drew[1:].prod(0).sum()), n, rate**3)) < LARGEST_Z
    assert (column(rows, made, "cards_drawn") == drew.sum(0)).all()
    assert abs(z_of_rate(int(drew[1].sum()), n, 0.9 * rate + 0.05)) > LARGEST_Z


def test_s13_it_is_off_by_default() -> None:
    assert SwapRules().false_slap_rate == 0
    plain = seated("random,shedder,raider").rows(0, 100)
    assert np.array_equal(seated("random,shedder,raider", false_slap_rate=0).rows(0, 100), plain)
    other = seated("random,shedder,raider", false_slap_rate=0.1).rows(0, 100)
    assert not np.array_equal(other, plain)
    assert not any(of(lines, "false slap") for lines in games("random,random,random", 5))


@pytest.mark.parametrize("rate", [-0.1, 1.1, "often", True, "nan"])
def test_s13_a_rate_that_is_none_is_refused(rate: object) -> None:
    with pytest.raises(
        BadInput, match=r"rule false_slap_rate \(S13\) must be a number from 0 to 1"
    ):
        SwapRules.from_settings({"false_slap_rate": rate})


# S14 swap seats

THREE = "swap, red plain", "2 green plain", "3 purple plain"
LYING = (("red plain",), ("green plain",) * 2, ("purple plain",) * 3)


@pytest.mark.parametrize(("k", "who"), [(1, (1, 0, 2)), (2, (2, 1, 0))])
def test_s14_two_players_exchange_seats_and_the_hands_stay(k: int, who: tuple[int, ...]) -> None:
    lines = play(*THREE, scripts={0: script(partner=k, colour=RED)}, **SEATS)
    assert kinds(lines) == ["play", "swap", "colour"]
    swapped, named = lines[2:4]
    assert (swapped.player, swapped.detail, swapped.who) == (0, (k,), who)
    assert swapped.hands == LYING
    assert (named.player, named.detail, named.who) == (0, ("red",), who)
    assert lines[1].who == (0, 1, 2)


def next_player(players: int, place: int, k: int, **settings: Any) -> int:
    """Return who moves after a SWAP of `place` with the place `k` to its left."""
    hands = ["2 red plain"] * players
    hands[place] += ", swap"
    scripts = {place: script(partner=k, colour=BLUE)}
    lines = play(*hands, place=place, scripts=scripts, pile="2 green plain", turns=2, **settings)
    assert lines[4].what == "draw" and lines[4].turn == 1
    return lines[4].player


@pytest.mark.parametrize(
    ("place", "k", "by_place", "by_player"),
    [
        (0, 1, 0, 2),  # 1, 0, 2 sit there: the place to the left is his own new one; or 2's
        (0, 2, 1, 2),  # 2, 1, 0: the place to the left is 1's; or, from where he sits now, 2's
        (1, 1, 1, 0),  # 0, 2, 1
        (1, 2, 2, 0),  # 1, 0, 2: he sits at place 0 now, and 0 to the left of him
        (2, 1, 2, 1),  # 2, 1, 0
        (2, 2, 0, 1),  # 0, 2, 1
    ],
)
def test_s14_who_is_next_of_three(place: int, k: int, by_place: int, by_player: int) -> None:
    assert next_player(3, place, k, **SEATS) == by_place
    assert next_player(3, place, k, **SEATS, seat_next="place") == by_place
    assert next_player(3, place, k, **BY_PLAYER) == by_player


@pytest.mark.parametrize("place", [0, 1])
def test_s14_with_two_he_moves_again_or_the_other_does(place: int) -> None:
    assert next_player(2, place, 1, **SEATS) == place
    assert next_player(2, place, 1, **BY_PLAYER) == 1 - place


@pytest.mark.parametrize("settings", [SEATS, BY_PLAYER])
def test_s14_who_is_next_of_five(settings: Any) -> None:
    for place in range(5):
        for k in range(1, 5):
            who = list(range(5))
            other = (place + k) % 5
            who[place], who[other] = other, place
            left_of = other if "seat_next" in settings else place
            assert next_player(5, place, k, **settings) == who[(left_of + 1) % 5]


def test_s14_he_takes_over_the_cards_lying_there_and_may_win_with_them() -> None:
    made = table("swap, 2 red plain", "blue plain", "green plain", turns=2, **SEATS,
                 scripts={0: script(partner=1, colour=BLUE)})  # fmt: skip
    lines, result = lines_of(made), outcome(made)
    assert kinds(lines) == ["play", "swap", "colour", "play", "win"]
    assert (lines[-1].player, result["winners"]) == (0, 0b001)
    assert [result[f"cards_left_{player}"] for player in range(3)] == [0, 2, 1]
    assert (result["swaps"], result["last_plain"]) == (1, 1)


def test_s14_the_colour_is_named_by_the_cards_lying_where_he_sits_now() -> None:
    start = Position(
        (cards("swap, 4 green plain"), cards("2 red plain")), cards("blue plain"), BLUE
    )
    lines = lines_of(seated("shedder,shedder", start, max_turns=1, swap_seats=True))
    assert lines[3].what == "colour" and lines[3].detail == ("red",)


def test_s14_from_a_new_place_the_turns_go_on_by_place() -> None:
    lines = play(*THREE, scripts={0: script(partner=2, colour=BLUE)}, pile="9 green plain", turns=5,
                 **SEATS)  # fmt: skip
    assert [line.player for line in of(lines, "draw")] == [1, 0, 2, 1]  # places 1, 2, 0, 1


def test_s14_a_partner_is_counted_from_where_he_sits() -> None:
    lines = play(*THREE, who=(2, 0, 1), scripts={2: script(partner=1)}, **SEATS)
    assert (lines[2].player, lines[2].detail, lines[2].who) == (2, (0,), (0, 2, 1))
    for seat, answer in ((2, 0), (2, 3)):
        refused(*THREE, who=(2, 0, 1), seat=seat, answer=answer, decision="partner",
                scripts={2: script(partner=answer)}, **SEATS)  # fmt: skip


def test_s14_a_drawn_swap_exchanges_seats_as_well() -> None:
    lines = play("red plain", "green plain", "purple plain", pile="swap", **SEATS)
    assert kinds(lines) == ["draw", "play", "swap", "colour"]
    assert lines[-1].who == (1, 0, 2) and lines[-1].hands == lines[0].hands


def test_s14_a_swap_that_wins_exchanges_nothing() -> None:
    made = table("swap", "green plain", "purple plain", who=(1, 0, 2), **SEATS)
    lines = lines_of(made)
    assert kinds(lines) == ["play", "win"]
    assert (lines[-1].player, lines[-1].who) == (1, (1, 0, 2))
    assert outcome(made)["winners"] == 0b010


def test_s14_a_super_swap_still_passes_hands_from_place_to_place() -> None:
    hands = "blue super, red plain", "2 green plain", "3 purple plain"
    lines = play(*hands, who=(1, 2, 0), scripts={1: script(direction=TO_THE_RIGHT)}, **SEATS)
    assert lines[2].who == (1, 2, 0)
    assert [len(hand) for hand in lines[2].hands] == [2, 3, 1]


def test_s14_false_slaps_come_first_and_the_penalty_lies_where_it_was_drawn() -> None:
    lines = play("swap, red plain", "green plain", pile="purple plain", **SEATS, **ALWAYS)
    assert kinds(lines) == ["play", "false slap", "swap", "colour"]
    assert lines[2].player == 1 and lines[-1].who == (1, 0)
    assert lines[-1].hands == (("red plain",), ("green plain", "purple plain"))


def test_s14_false_slaps_go_by_place_from_his_left() -> None:
    lines = play(*["blue plain, red plain"] * 4, who=(3, 1, 0, 2), place=1, **SEATS, **ALWAYS)
    assert [line.player for line in of(lines, "false slap")] == [0, 2, 3]


@pytest.mark.parametrize("who", [(0, 1, 2, 3), (3, 1, 0, 2), (1, 2, 3, 0)])
@pytest.mark.parametrize("place", [0, 3])
def test_s14_slap_speed_goes_with_the_player(who: tuple[int, ...], place: int) -> None:
    """|z| < 5 for each player; the companion has the speed stay with the place."""
    speeds, n = (1, 2, 4, 0.5), 30_000
    hands = ["green plain, red plain"] * 4
    hands[place] += ", blue slap"
    made = table(*hands, who=who, place=place, slap_speed=speeds, seed=7, **SEATS)
    rows = made.rows(0, n)
    lasts = [int(column(rows, made, f"slapped_last_{player}").sum()) for player in range(4)]
    slapper = who[place]
    assert lasts[slapper] == 0
    inverse = [0 if player == slapper else 1 / speed for player, speed in enumerate(speeds)]
    for player in set(range(4)) - {slapper}:
        assert abs(z_of_rate(lasts[player], n, inverse[player] / sum(inverse))) < LARGEST_Z
    fixed = [0 if one == place else 1 / speed for one, speed in enumerate(speeds)]
    zs = [
        z_of_rate(lasts[who[one]], n, fixed[one] / sum(fixed)) for one in range(4) if one != place
    ]
    assert (max(map(abs, zs)) > LARGEST_Z) == (who != (0, 1, 2, 3))


def test_s14_draws_are_shared_by_player_and_not_by_place() -> None:
    made = table("2 red plain", "green plain", "3 purple plain", who=(2, 0, 1), turns=1, **SEATS,
                 pile="red plain")  # fmt: skip
    result = outcome(made)
    assert result["winners"] == 0b001 and lines_of(made)[-1].detail == ((0,),)
    assert [result[f"cards_left_{player}"] for player in range(3)] == [1, 3, 3]


def test_s14_it_is_off_by_default_and_then_nobody_moves() -> None:
    rules = SwapRules()
    assert (rules.swap_seats, rules.seat_next) == (False, "place")
    for lines in games("random,random,random,random", 5):
        assert {line.who for line in lines} == {(0, 1, 2, 3)}
    plain = seated("random,raider,random").rows(0, 100)
    other = seated("random,raider,random", seat_next="player").rows(0, 100)
    assert np.array_equal(plain, other)
    seats = seated("random,raider,random", **SEATS).rows(0, 100)
    assert not np.array_equal(seats, seated("random,raider,random", **BY_PLAYER).rows(0, 100))


def test_s14_in_whole_games_everybody_sits_somewhere_and_only_a_swap_moves_two() -> None:
    swaps = 0
    for lines in games("random,random,random,random", 5, **SEATS):
        for before, line in zip(lines, lines[1:], strict=False):
            assert sorted(line.who) == [0, 1, 2, 3]
            moved = sum(a != b for a, b in zip(before.who, line.who, strict=True))
            assert moved == 2 * (line.what == "swap")
            if line.what == "swap":
                assert before.hands == line.hands
                swaps += 1
    assert swaps > 20


def test_s14_settings_that_are_none_are_refused() -> None:
    with pytest.raises(BadInput, match=r"rule swap_seats \(S14\) must be true or false"):
        SwapRules.from_settings({"swap_seats": "maybe"})
    with pytest.raises(BadInput, match=r"value of rule seat_next \(S14\) 'seat'"):
        SwapRules.from_settings({"seat_next": "seat"})
