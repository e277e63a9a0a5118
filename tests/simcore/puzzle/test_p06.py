"""Clause P6 of the puzzle games (the forced pass), tested from the rulebooks."""

from typing import Any

import pytest

from herdlab.simcore.puzzle.view import PASS_ACROSS, PASS_LEFT, PASS_RIGHT
from tests.simcore.puzzle.harness import EVEN, keep, minus, one_of, part_with, play, plus, script
from tests.simcore.puzzle.tables import ADVANCED, EDITIONS, held, kinds, refused

DIRECTIONS = [(3, PASS_LEFT), (3, PASS_RIGHT), (4, PASS_LEFT), (4, PASS_RIGHT), (4, PASS_ACROSS)]
NAMES = {PASS_LEFT: "left", PASS_RIGHT: "right", PASS_ACROSS: "across"}


# P6 forced pass


def receiver(seat: int, direction: int, players: int) -> int:
    """Return to whom a seat passes; the next seat sits to the left."""
    return (seat + {PASS_LEFT: 1, PASS_RIGHT: -1, PASS_ACROSS: 2}[direction]) % players


@pytest.mark.parametrize("edition", EDITIONS, ids=str)
@pytest.mark.parametrize(("players", "direction"), DIRECTIONS)
@pytest.mark.parametrize("shift", [0, 1, 2])
def test_p6_every_player_passes_one_piece_of_his_choice_as_called(
    players: int, direction: int, shift: int, edition: dict[str, Any]
) -> None:
    before, cards = EVEN[players], tuple((seat + 1) % players for seat in range(players))
    gifts = tuple(one_of((seat + shift) % players, players) for seat in range(players))
    scripts = {
        seat: script(word=direction, pass_on=part_with(before[seat], gifts[seat], cards[seat]))
        for seat in range(players)
    }
    for caller in range(players):
        options: Any = {"players": players, "cards": cards, **edition}
        lines = play(scripts, words=(caller,), **options)
        passed = lines[0]
        assert (passed.what, passed.detail, passed.seat) == ("pass", (NAMES[direction],), caller)
        assert passed.gifts == gifts
        for seat in range(players):
            giver = next(s for s in range(players) if receiver(s, direction, players) == seat)
            assert passed.holdings[seat] == plus(minus(before[seat], gifts[seat]), gifts[giver])
        assert kinds(lines) == ["pass"]


def test_p6_across_only_with_four_players() -> None:
    for edition in EDITIONS:
        refused({0: script(word=PASS_ACROSS)}, PASS_ACROSS, "word", players=3, **edition)
        assert kinds(play({0: script(word=PASS_ACROSS)}, **edition)) == ["pass"]


def test_p6_there_are_no_other_directions() -> None:
    for word in (-1, -2, 4, 5, 7):
        refused({0: script(word=word)}, word, "word")


@pytest.mark.parametrize("caller", range(4))
def test_p6_the_caller_chooses_first_and_then_those_to_his_left(caller: int) -> None:
    for k in range(4):
        wrong = [(caller + more) % 4 for more in range(k, 4)]
        scripts = {seat: script(word=PASS_LEFT, pass_on=-1) for seat in wrong}
        if k:
            scripts[caller] = script(word=PASS_LEFT)
        refused(scripts, -1, "pass", seat=(caller + k) % 4, words=(caller,))


@pytest.mark.parametrize("direction", [PASS_LEFT, PASS_RIGHT, PASS_ACROSS])
@pytest.mark.parametrize("caller", range(4))
def test_p6_all_choose_before_any_piece_moves(caller: int, direction: int) -> None:
    """Three hold a single piece and would rather pass on what they get; yet they pass that one."""
    before, cards = held({1: one_of(1), 2: one_of(2), 3: one_of(3)}, 0), (1, 2, 3, 0)
    gone = [one_of(0), (0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0)]
    scripts = {
        seat: script(word=direction, pass_on=part_with(before[seat], gone[seat], cards[seat]))
        for seat in range(4)
    }
    options: Any = {"holdings": before, "cards": cards, "advanced": True}
    passed = play(scripts, words=(caller,), **options)[0]
    assert passed.gifts == tuple(one_of(seat) for seat in range(4))
    for seat in (1, 2, 3):
        (giver,) = (s for s in range(4) if receiver(s, direction, 4) == seat)
        assert passed.holdings[seat] == one_of(giver)


@pytest.mark.parametrize("edition", ADVANCED, ids=str)
@pytest.mark.parametrize(("players", "direction"), DIRECTIONS)
def test_p6_a_player_with_no_piece_passes_none_and_gets_one(
    players: int, direction: int, edition: dict[str, Any]
) -> None:
    """Seat 1 has none: what he would answer is illegal, so he is not asked."""
    before = held({2: (3, 1, 2, 1)[:players]}, 0, players)
    scripts = {1: script(word=direction, pass_on=-1)}
    for caller in (0, 1):
        scripts[0] = script(word=direction)
        passed = play(scripts, words=(caller,), players=players, holdings=before, **edition)[0]
        has_one = [int(sum(one) > 0) for one in before]
        assert [sum(gift) for gift in passed.gifts] == has_one
        for seat in range(players):
            (giver,) = (s for s in range(players) if receiver(s, direction, players) == seat)
            change = sum(passed.holdings[seat]) - sum(before[seat])
            assert change == has_one[giver] - has_one[seat]


def test_p6_what_says_of_no_pieces_to_keep_them_is_refused() -> None:
    for kept in (-1, 41, keep(0, 41), 1 << 32):
        scripts = {0: script(word=PASS_LEFT), 2: script(pass_on=kept)}
        refused(scripts, kept, "pass", seat=2)
