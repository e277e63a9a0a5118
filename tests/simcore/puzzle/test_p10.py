"""Clause P10 of the puzzle games (win), tested from the rulebooks."""

from typing import Any

import pytest

from herdlab.simcore.errors import BadInput
from herdlab.simcore.puzzle.view import CALL_BLUFF, PASS_ACROSS, PASS_LEFT, PASS_RIGHT, TRADE
from tests.simcore.puzzle.harness import (
    Counts,
    experiment,
    keep,
    offer,
    one_of,
    part_with,
    play,
    plus,
    rules_of,
    script,
)
from tests.simcore.puzzle.tables import ADVANCED, EDITIONS, held, kinds
from tests.words import meant

NONE = (0, 0, 0, 0)
OWN_GOES = keep(0, 40, 40, 40)
"""Parts with a piece of his own puzzle."""


# P10 win

STEPS = {PASS_LEFT: 1, PASS_RIGHT: -1, PASS_ACROSS: 2}


def ring(players: int, step: int) -> tuple[Counts, ...]:
    """Return holdings in which each lacks one piece, and the seat `step` to his right has it."""
    return tuple(
        plus(one_of(seat, players, 39), one_of((seat + step) % players, players))
        for seat in range(players)
    )


TWO_LACK_ONE = ((39, 1, 0, 0), (1, 39, 0, 0), (0, 0, 20, 20), (0, 0, 20, 20))
"""Seats 0 and 1 lack a piece each, which the other has."""


@pytest.mark.parametrize("edition", EDITIONS, ids=str)
def test_p10_the_first_to_hold_all_forty_wins_and_the_game_is_over(edition: dict[str, Any]) -> None:
    """Seat 0 gets his last piece of seat 1, or another one and no win."""
    before = ((39, 0, 1, 0), (1, 38, 0, 1), (0, 1, 19, 20), (0, 1, 20, 19))
    for puzzle, wins in ((0, True), (1, False), (3, False)):
        give = part_with(before[1], one_of(puzzle), 1)
        scripts = {0: script(word=[offer(1), 0]), 1: script(answer=TRADE, give=give)}
        game = experiment(scripts, holdings=before, words=(0, 1, 2), **edition)
        what = [line.what for line in game.lines[1:]]
        if wins:
            assert what == ["offer", "trade", "win"]
            last = game.lines[-1]
            assert (last.detail, last.beat, last.seat) == (((0,),), 0, 0)
            assert (game.row["winners"], game.row["length"]) == (1, 1)
        else:
            assert what == ["offer", "trade", "silent", "silent", "stall"]


@pytest.mark.parametrize("edition", EDITIONS, ids=str)
def test_p10_who_answers_can_win_by_it(edition: dict[str, Any]) -> None:
    """Seat 0 offers what seat 1 lacks, and gets nothing that he lacks."""
    before = ((38, 1, 1, 0), (1, 39, 0, 0), (1, 0, 19, 20), (0, 0, 20, 20))
    scripts = {
        0: script(word=offer(1), commit=part_with(before[0], one_of(1), 0)),
        1: script(answer=TRADE),
    }
    game = experiment(scripts, holdings=before, words=(0, 1), **edition)
    assert (game.lines[-1].what, game.lines[-1].detail, game.lines[-1].seat) == ("win", ((1,),), 0)
    assert (game.row["winners"], game.row["length"], game.row["stalls"]) == (0b10, 1, 0)


@pytest.mark.parametrize(
    ("players", "call"), [(3, PASS_LEFT), (3, PASS_RIGHT), (4, PASS_LEFT), (4, PASS_ACROSS)]
)
@pytest.mark.parametrize("edition", EDITIONS, ids=str)
def test_p10_several_share_the_win_or_the_one_with_the_word_has_it(
    players: int, call: int, edition: dict[str, Any]
) -> None:
    before = ring(players, STEPS[call])
    for caller in range(players):
        scripts = {caller: script(word=call)}
        options: Any = {"holdings": before, "words": (caller,), **edition}
        shared = experiment(scripts, **options)  # the default
        assert shared.lines[-1].detail == (tuple(range(players)),)
        assert shared.row["winners"] == (1 << players) - 1
        assert experiment(scripts, **options, simultaneous="share").lines == shared.lines
        alone = experiment(scripts, **options, simultaneous="order")
        assert alone.lines[-1].detail == ((caller,),) and alone.row["winners"] == 1 << caller


@pytest.mark.parametrize("spoiler", range(4))
@pytest.mark.parametrize("is_next", [False, True])
def test_p10_if_he_with_the_word_is_not_among_them_it_goes_to_his_left(
    spoiler: int, is_next: bool
) -> None:
    """The spoiler passes an own piece: he and the next do not complete, the other two do."""
    caller = (spoiler + is_next) % 4
    scripts = {caller: script(word=PASS_LEFT)}
    scripts[spoiler] = script(word=PASS_LEFT, pass_on=OWN_GOES)
    others = sorted([(spoiler + 2) % 4, (spoiler + 3) % 4])
    options: Any = {"holdings": ring(4, 1), "words": (caller,)}
    assert play(scripts, **options)[-1].detail == (tuple(others),)
    assert play(scripts, **options, simultaneous="order")[-1].detail == (((spoiler + 2) % 4,),)


@pytest.mark.parametrize("speaker", [0, 1])
def test_p10_both_who_trade_can_complete_their_puzzles(speaker: int) -> None:
    scripts = {speaker: script(word=offer(1)), 1 - speaker: script(answer=TRADE)}
    options: Any = {"holdings": TWO_LACK_ONE, "words": (speaker,)}
    assert play(scripts, **options)[-1].detail == ((0, 1),)
    assert play(scripts, **options, simultaneous="order")[-1].detail == ((speaker,),)


def test_p10_a_reading_that_is_none_is_refused() -> None:
    with pytest.raises(BadInput, match=rf"simultaneous \(P10\).*{meant('share')}"):
        rules_of("bronco", simultaneous="shared")


@pytest.mark.parametrize("edition", ADVANCED, ids=str)
@pytest.mark.parametrize("is_bluff", [False, True])
def test_p10_a_payment_can_win(edition: dict[str, Any], is_bluff: bool) -> None:
    """Of a bluff the caller gets what he lacks; of an honest offer the offerer.  Both hold more
    than forty pieces then, or fewer: only those of the puzzle count."""
    before = held({1: (1, 39, 5, 0), 2: one_of(2, n=3), 3: one_of(1, n=0)}, 0)
    assert before[0] == (39, 1, 32, 40)
    word = offer(1, 2) if is_bluff else offer(1)
    scripts = {
        0: script(word=word, commit=keep(39, 1, 0, 40), pay=keep(39, 0, 32, 40)),
        1: script(answer=CALL_BLUFF, pay=keep(39, 5, 0, 0)),
    }
    last = play(scripts, holdings=before, words=(0, 2), **edition)[-1]
    assert (last.what, last.detail) == ("win", ((1,) if is_bluff else (0,),))


def test_p10_an_offer_alone_moves_nothing_and_wins_nothing() -> None:
    lines = play({0: script(word=offer(1))}, holdings=TWO_LACK_ONE, words=(0, 1))
    assert kinds(lines) == ["offer", "lapse", "silent"]
