"""Clauses P7-P9 of the puzzle games (how often passes are called), tested from the rulebooks."""

from typing import Any

import numpy as np
import pytest

from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.simcore.puzzle.table import Position
from herdlab.simcore.puzzle.view import (
    CALL_BLUFF,
    NO,
    OFFER,
    PASS_ACROSS,
    PASS_LEFT,
    PASS_RIGHT,
    SILENT,
    TRADE,
    WORD,
)
from tests.simcore.puzzle.harness import (
    EVEN,
    GAMES,
    Counts,
    bout,
    experiment,
    offer,
    play,
    rules_of,
    script,
)
from tests.simcore.puzzle.tables import EDITIONS, lines_of, made, of, refused

DIRECTIONS = [(3, PASS_LEFT), (3, PASS_RIGHT), (4, PASS_LEFT), (4, PASS_RIGHT), (4, PASS_ACROSS)]
NAMES = {PASS_LEFT: "left", PASS_RIGHT: "right", PASS_ACROSS: "across"}


# P7-P9: who may call; a course of words is played, one a beat, and the last is a call

L, R = PASS_LEFT, PASS_RIGHT
S, T, N = SILENT, offer(1), offer(2)
"""Silence; an offer of one, which is traded; an offer of two, which nobody answers."""
Course = list[tuple[int, int]]
"""(seat with the word, what he does)"""


def is_allowed(course: Course, **options: Any) -> bool:
    """Whether the last call of a course may be called; all before it is legal."""
    words: list[int | None] = []
    for beat, (seat, _) in enumerate(course):
        is_kept = beat > 0 and course[beat - 1][1] in NAMES
        assert not is_kept or seat == course[beat - 1][0], "a course against P7a"
        words.append(None if is_kept else seat)
    scripts: dict[int, np.ndarray] = {}
    for seat in range(4):
        mine = [word for who, word in course if who == seat] or [S]
        heard = [
            TRADE if word == T else NO for who, word in course if word >= OFFER and who != seat
        ]
        scripts[seat] = script(word=mine, answer=heard or [NO])
    *before, (last, call) = course
    assert call in NAMES
    made = experiment(scripts, words=words, **options)
    scripts[last] = script(word=[*(word for who, word in before if who == last), S])
    assert experiment(scripts, words=words, **options).row["stalls"] == 1
    try:
        lines = made.lines
    except BadInput as error:
        assert f"in seat {last} answered {call}, which is not a legal choice" in str(error)
        assert "at the decision 'word'" in str(error)
        return False
    assert [line.seat for line in lines[1:] if line.what in ("silent", "offer", "pass")] == [
        seat for seat, _ in course
    ]
    return True


HORSE: dict[str, Any] = {"game": "horse-trader"}
BRONCO: dict[str, Any] = {"game": "bronco"}
A3: Course = [(0, L), (0, R), (0, L)]
"""Seat 0 calls three times, straight one after another."""

P7_COURSES: list[tuple[Course, bool]] = [
    ([(0, L)], True),
    (A3[:2], True),
    (A3, True),
    ([*A3, (0, L)], False),
    ([*A3, (0, S), (0, L)], False),
    ([*A3, (0, T), (0, L)], False),  # trades do not give them back
    ([*A3, (0, T), (1, T), (2, S), (0, R)], False),
    ([(0, L), (0, T), (0, L), (0, N), (0, L)], True),  # and do not lock
    ([(0, L), (0, T), (0, L), (0, N), (0, L), (0, S), (0, L)], False),  # nor break the row
    ([(0, L), (0, S), (1, T), (0, L), (0, S), (0, L)], True),
    ([(0, L), (0, S), (1, T), (0, L), (0, S), (0, L), (0, L)], False),
    ([*A3, (0, S), (1, L)], True),  # another may
    ([*A3, (0, S), (1, L), (1, S), (0, L)], True),  # and gives him three again
    ([*A3, (0, S), (1, L), (1, S), *A3], True),
    ([*A3, (0, S), (1, L), (1, S), *A3, (0, L)], False),
    ([(0, L), (0, L), (0, S), (1, L), (1, S), *A3], True),  # three, and not only the third
    ([(0, L), (0, L), (0, S), (1, L), (1, S), *A3, (0, L)], False),
    ([*A3, (0, S), (1, L), (1, L), (1, L), (1, L)], False),  # the other has three of his own
]


@pytest.mark.parametrize(("course", "allowed"), P7_COURSES)
def test_p7_three_in_a_row_and_then_not_until_another_has_called(
    course: Course, allowed: bool
) -> None:
    assert is_allowed(course, **HORSE) is allowed


@pytest.mark.parametrize("edition", [HORSE, BRONCO, {**BRONCO, "advanced": True}], ids=str)
@pytest.mark.parametrize("calls", [0, 1, 2, 5])
def test_p7_p8_how_many_in_a_row_is_a_setting(calls: int, edition: dict[str, Any]) -> None:
    some = [(0, L)] * calls
    if some:
        assert is_allowed(some, calls=calls, **edition)
    assert not is_allowed([*some, (0, L)], calls=calls, **edition)
    if calls:
        assert is_allowed([*some, (0, S), (1, L), (1, S), (0, R)], calls=calls, **edition)


@pytest.mark.parametrize("value", [-1, 10, "three"])
def test_p7_p8_p9_a_number_of_calls_that_cannot_be_is_refused(value: object) -> None:
    for game in GAMES:
        with pytest.raises(BadInput, match=r"rule calls \(P7-P9\) must be a whole number from 0"):
            rules_of(game, calls=value)


# P7a the word after a call


@pytest.mark.parametrize("edition", EDITIONS, ids=str)
@pytest.mark.parametrize("then", [S, T, R])
def test_p7a_the_caller_has_the_word_in_the_next_beat(edition: dict[str, Any], then: int) -> None:
    """The luck of the second beat would give the word to each of the others in turn."""
    for other in (0, 1, 3):
        scripts = {2: script(word=[L, then, S]), other: script(answer=TRADE)}
        lines = play(scripts, words=(2, other), **edition)
        words = [line for line in lines if line.what in ("silent", "offer", "pass")]
        assert [(line.beat, line.seat) for line in words] == [(0, 2), (1, 2)]
        assert words[1].what == {S: "silent", T: "offer", R: "pass"}[then]


@pytest.mark.parametrize("edition", EDITIONS, ids=str)
def test_p7a_each_call_is_a_beat_of_its_own(edition: dict[str, Any]) -> None:
    game = experiment({1: script(word=[L, R, L, S])}, words=(1, None, None, None, 2), **edition)
    lines = game.lines[1:-1]
    assert [(line.what, line.beat, line.seat) for line in lines] == [
        ("pass", 0, 1),
        ("pass", 1, 1),
        ("pass", 2, 1),
        ("silent", 3, 1),
        ("silent", 4, 2),  # after silence the word is drawn again
    ]
    assert (game.row["length"], game.row["passes"], game.row["passes_called_1"]) == (5, 3, 3)


@pytest.mark.parametrize("edition", EDITIONS, ids=str)
@pytest.mark.parametrize("then", [S, T, N])
def test_p7a_after_silence_or_an_offer_the_word_is_drawn(
    edition: dict[str, Any], then: int
) -> None:
    for other in (0, 1, 3):
        scripts = {2: script(word=[L, then, S]), other: script(answer=TRADE if then == T else NO)}
        lines = play(scripts, words=(2, None, other), **edition)
        assert (lines[-2].what, lines[-2].seat, lines[-2].beat) == ("silent", other, 2)


def calls_when_afresh(decision, view, me):  # type: ignore[no-untyped-def]
    """Calls whenever it has the word afresh; with a kept word it is silent."""
    if decision == WORD:
        return 0 if view.is_kept else 1
    return 40 if decision > WORD else 0


def test_p7a_he_sees_whether_he_has_kept_the_word() -> None:
    rules = rules_of("horse-trader", max_beats=200)
    one = made(calls_when_afresh).seated("one", rules, (), 4)
    log = lines_of(Bout(GAMES["horse-trader"], rules, [one] * 4, stream_seeds(3)))
    words = [line for line in log if line.what in ("silent", "pass")]
    called = -1
    for number, (word, following) in enumerate(zip(words, words[1:], strict=False)):
        if word.what == "pass":
            assert (following.what, following.seat) == ("silent", word.seat), number
        else:
            assert following.what == "pass"
        called += word.what == "pass"
    assert called > 20


@pytest.mark.parametrize("speaker", range(4))
def test_p7a_a_position_can_have_a_kept_word(speaker: int) -> None:
    for seat in range(4):
        lines = play(words=(seat,), position={"speaker": speaker, "last_caller": speaker})
        assert lines[0].seat == speaker


# P8

P8_COURSES: list[tuple[Course, bool]] = [
    (A3, True),
    ([*A3, (0, L)], False),
    ([(0, L), (0, S), (0, L)], True),  # silence does not lock
    ([(0, L), (0, S), (1, S), (2, S), (0, L), (0, S), (0, L)], True),
    ([(0, L), (0, S), (1, S), (2, S), (0, L), (0, S), (0, L), (0, L)], False),
    ([(0, L), (0, T), (0, L)], False),  # his own trade does
    ([(0, L), (0, N), (0, L)], False),  # and his own offer that lapses
    ([(0, L), (0, S), (1, T), (0, L)], False),  # a trade of others
    ([(0, L), (0, S), (1, N), (0, L)], False),  # an offer of another that lapses
    ([(0, L), (0, L), (0, S), (3, N), (3, S), (0, L)], False),
    ([(0, L), (0, N), (1, L)], True),  # it locks him alone
    ([(0, L), (0, N), (1, L), (1, S), (0, L)], True),  # until another has called
    ([(0, L), (0, N), (1, L), (1, S), *A3], True),
    ([(0, L), (0, N), (1, L), (1, T), (0, L)], True),  # the lock is now the other's
    ([(0, L), (0, N), (1, L), (1, T), (1, L)], False),
    ([(0, L), (0, S), (1, L), (1, S), (2, N), (1, R)], False),
    ([(0, L), (0, S), (1, L), (1, S), (2, N), (0, R)], True),
    ([(0, T), (1, N), (0, L)], True),  # offers before any call lock nobody
    ([*A3, (0, S), (1, L), (1, S), *A3, (0, L)], False),
]


@pytest.mark.parametrize("advanced", [False, True])
@pytest.mark.parametrize(("course", "allowed"), P8_COURSES)
def test_p8_three_straight_and_an_offer_locks_until_another_has_called(
    course: Course, allowed: bool, advanced: bool
) -> None:
    assert is_allowed(course, **BRONCO, advanced=advanced) is allowed


@pytest.mark.parametrize("course", [course for course, allowed in P8_COURSES if not allowed])
def test_p8_in_horse_trader_no_offer_locks(course: Course) -> None:
    """The other game's rule (P7): a course that Bronco refuses is refused there by its row only."""
    row = 0
    last_caller, last = -1, course[-1][0]
    for seat, word in course[:-1]:
        if word in NAMES:
            row, last_caller = (row + 1 if seat == last_caller else 1), seat
    assert is_allowed(course, **HORSE) is (last != last_caller or row < 3)


def test_p8_a_called_bluff_was_an_offer_too() -> None:
    for answer in (CALL_BLUFF, TRADE, NO):
        scripts = {0: script(word=[L, offer(2, 1), L]), 1: script(answer=answer)}
        options: Any = {"words": (0, None, 0), "advanced": True}
        refused(scripts, L, "word", **options, game="bronco")
        assert len(of(play(scripts, **options), "pass")) == 2  # Horse Trader: P9


# P9

P9_COURSES: list[tuple[Course, bool]] = [
    (A3, True),
    ([*A3, (0, L)], False),
    ([*A3, (0, S), (1, L), (1, S), (0, L)], False),  # another's call gives nothing back
    ([(0, L), (0, S), (1, L), (1, S), (0, L), (0, S), (1, R), (1, S), (0, L)], True),
    ([(0, L), (0, S), (1, L), (1, S), (0, L), (0, L), (0, S), (1, R), (1, S), (0, L)], False),
    ([(0, L), (0, T), (0, L), (0, N), (0, L)], True),  # trades do not matter
    ([*A3, (0, S), (1, L), (1, L), (1, L)], True),  # three for each
    ([*A3, (0, S), (1, L), (1, L), (1, L), (1, L)], False),
]


@pytest.mark.parametrize(("course", "allowed"), P9_COURSES)
def test_p9_three_calls_in_the_whole_game_for_each(course: Course, allowed: bool) -> None:
    assert is_allowed(course, **HORSE, advanced=True) is allowed


@pytest.mark.parametrize("game", GAMES)
def test_p9_is_no_rule_of_the_plain_game_nor_of_bronco(game: str) -> None:
    course = P9_COURSES[2][0]
    assert is_allowed(course, game=game)
    assert is_allowed(course, game=game, advanced=True) is (game == "bronco")


@pytest.mark.parametrize("calls", [0, 1, 2, 5])
def test_p9_how_many_is_a_setting(calls: int) -> None:
    some = [(0, L)] * calls
    edition: dict[str, Any] = {**HORSE, "advanced": True, "calls": calls}
    if calls:
        assert is_allowed(some, **edition)
        assert not is_allowed([*some, (0, S), (1, L), (1, S), (0, L)], **edition)
    assert not is_allowed([*some, (0, L)], **edition)


def test_p9_calls_before_a_position_count() -> None:
    def may(called: Counts, seat: int) -> bool:
        start = Position(EVEN[4], (0, 1, 2, 3), speaker=seat, called=called)
        rules = rules_of("horse-trader", advanced=True, max_beats=1)
        try:
            return bool(bout(rules, {seat: script(word=L)}, 4, 0, start).rows(0, 1).size)
        except BadInput:
            return False

    assert [may((3, 2, 0, 3), seat) for seat in range(4)] == [False, True, True, False]
