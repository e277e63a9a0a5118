"""Positions of SWAP! that cannot come up in a game are refused, each by its clause."""

import pytest

from herdlab.simcore.errors import BadInput
from herdlab.simcore.swap.rules import BLUE, SwapRules
from herdlab.simcore.swap.table import Position
from tests.simcore.swap.harness import bout, cards, play


def test_s1_a_position_cannot_have_more_cards_than_the_deck() -> None:
    with pytest.raises(BadInput, match=r"too many of the blue SUPER SWAP \(S1\)"):
        play("2 blue super", "blue super")
    with pytest.raises(BadInput, match=r"too many of the SWAP \(S1\)"):
        play("15 swap", "swap", discards="swap")
    with pytest.raises(BadInput, match=r"too many of the red plain \(S1\)"):
        play("12 red plain", "blue plain", pile="red plain")
    assert play("2 blue super", "12 red plain", "15 swap", discards="swap")


@pytest.mark.parametrize("number", [-1, 17, 99])
def test_s1_a_position_cannot_have_cards_that_do_not_exist(number: int) -> None:
    start = Position(((0,), (number,)), (4,), BLUE)
    with pytest.raises(BadInput, match=rf"there is no card {number}: .*S1"):
        bout(SwapRules(), {}, 2, position=start)


def test_s2_a_position_must_have_what_a_deal_leaves() -> None:
    hands = cards("red plain"), cards("green plain")
    for start, wanted in (
        (Position(hands, (), BLUE), r"the discard pile must have a top card \(S2\)"),
        (Position(hands, cards("swap"), -1), "colour must be from 0 to 3, and got -1"),
        (Position(hands, cards("swap"), 4), "colour must be from 0 to 3, and got 4"),
        (Position((*hands, hands[0]), cards("swap"), 0), "has 3 hands for 2 players"),
    ):
        with pytest.raises(BadInput, match=wanted):
            bout(SwapRules(), {}, 2, position=start)


@pytest.mark.parametrize("top", ["red slap", "swap"])
def test_s2_the_card_on_top_of_a_position_is_its_last_discard(top: str) -> None:
    first = play("blue plain", "red plain", discards=f"green switch, purple plain, {top}")[0]
    assert (first.what, first.detail, first.discards) == ("deal", (top,), 3)


def test_s3_whoever_is_to_move_must_sit_at_the_table() -> None:
    for place in (-1, 2):
        with pytest.raises(BadInput, match=r"S3"):
            play("blue plain", "red plain", place=place)


def test_s10_a_position_in_which_somebody_has_no_cards_is_refused() -> None:
    with pytest.raises(BadInput, match=r"place 1 has no cards: the game is over \(S10\)"):
        play("blue plain", "")


@pytest.mark.parametrize("turn", [-1, 100, 101])
def test_s12_a_position_must_be_before_the_last_turn(turn: int) -> None:
    start = Position(((0,), (4,)), (8,), BLUE, turn=turn)
    with pytest.raises(BadInput, match=r"turn must be from 0 to 99, and got .* \(S12\)"):
        bout(SwapRules(max_turns=100), {}, 2, position=start)


@pytest.mark.parametrize("who", [(0, 0, 1), (0, 1), (1, 2, 3), (0, 1, 2, 3), (-1, 0, 1)])
def test_s14_a_position_must_seat_everybody_once(who: tuple[int, ...]) -> None:
    hands = cards("red plain"), cards("green plain"), cards("purple plain")
    start = Position(hands, cards("blue plain"), BLUE, who=who)
    with pytest.raises(BadInput, match="who must seat each of 3 players once"):
        bout(SwapRules(swap_seats=True), {}, 3, position=start)


def test_s14_without_swap_seats_everybody_sits_in_his_own_place() -> None:
    hands = cards("red plain"), cards("green plain"), cards("purple plain")
    start = Position(hands, cards("blue plain"), BLUE, who=(0, 2, 1))
    with pytest.raises(BadInput, match=r"own place unless swap_seats is true \(S14\)"):
        bout(SwapRules(), {}, 3, position=start)
    assert bout(SwapRules(swap_seats=True), {}, 3, position=start).rows(0, 1).shape[0] == 1
