"""Positions of the puzzle games that cannot come up are refused, each by its clause."""

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from herdlab.simcore.errors import BadInput
from herdlab.simcore.puzzle.table import Position, check_position, pack, unpack
from herdlab.simcore.puzzle.view import PASS_LEFT
from tests.simcore.puzzle.harness import EVEN, GAMES, bout, rules_of, script
from tests.simcore.puzzle.tables import EDITIONS, lines_of, of_all, seated

SOUND = Position(EVEN[4], (0, 1, 2, 3))


def refusal(start: Position, players: int = 4, game: str = "horse-trader", **rules: Any) -> str:
    """Return the sentence with which a position is refused."""
    with pytest.raises(BadInput) as refused:
        bout(rules_of(game, **rules), {}, players, 0, start)
    return str(refused.value)


def changed(**values: Any) -> Position:
    return dataclasses.replace(SOUND, **values)


def test_p1_every_puzzle_has_forty_pieces() -> None:
    more = ((11, 10, 10, 10), *EVEN[4][1:])
    assert "puzzle 0 has 40 pieces (P1), and the position 41" in refusal(
        changed(holdings=more), advanced=True
    )
    other = ((11, 9, 10, 10), *EVEN[4][1:])
    for advanced in (False, True):
        assert "(P1)" in refusal(changed(holdings=other), advanced=advanced)


def test_p1_in_the_plain_game_everyone_holds_forty() -> None:
    uneven = ((11, 10, 10, 10), (9, 10, 10, 10), *EVEN[4][2:])
    assert "every seat holds 40 pieces, and seat 0 has 41 (P1)" in refusal(changed(holdings=uneven))
    made = bout(rules_of("bronco", advanced=True), {}, 4, 0, changed(holdings=uneven))
    assert lines_of(made)[0].holdings == uneven


@pytest.mark.parametrize("counts", [(-1, 11, 20, 10), (10, 10, 10), (10, 10, 10, 10, 0), ()])
def test_p1_a_holding_counts_each_puzzle(counts: tuple[int, ...]) -> None:
    for advanced in (False, True):
        start = changed(holdings=(counts, *EVEN[4][1:]))
        assert "seat 0 must hold 0 or more pieces of each of 4 puzzles" in refusal(
            start, advanced=advanced
        )


@pytest.mark.parametrize("players", [3, 4])
def test_p1_there_is_a_holding_for_each_player(players: int) -> None:
    other = 7 - players
    start = Position(EVEN[other], tuple(range(other)))
    assert f"the position has {other} seats for {players} players" in refusal(start, players)


@pytest.mark.parametrize("cards", [(0, 1, 2, 2), (0, 1, 2), (0, 1, 2, 4), (-1, 0, 1, 2), ()])
def test_p2_each_player_has_another_card(cards: tuple[int, ...]) -> None:
    assert "must give each of 4 seats another puzzle (P2)" in refusal(changed(cards=cards))


@pytest.mark.parametrize("seat", [-1, 4, 99])
@pytest.mark.parametrize("key", ["speaker", "last_caller"])
def test_p7_who_has_called_or_kept_the_word_sits_at_the_table(key: str, seat: int) -> None:
    assert f"{key} must be a seat from 0 to 3, and got {seat}" in refusal(changed(**{key: seat}))


@pytest.mark.parametrize("called", [(0,), (0, 0, 0), (0, 0, 0, 0, 0)])
def test_p9_calls_are_counted_for_each_seat(called: tuple[int, ...]) -> None:
    assert "called must have a number for each of 4 seats" in refusal(changed(called=called))


@pytest.mark.parametrize(
    "values",
    [
        {"called": (0, -1, 0, 0)},
        {"last_caller": 0, "in_a_row": -1},
        {"last_caller": 0, "in_a_row": -5, "called": (1, 0, 0, 0)},
    ],
    ids=str,
)
def test_p7_p9_nobody_has_called_fewer_than_no_passes(values: dict[str, Any]) -> None:
    for edition in EDITIONS:
        assert refusal(changed(**values), **edition)


def test_p10_a_position_in_which_somebody_is_complete_is_refused() -> None:
    done = ((0, 0, 40), (20, 20, 0), (20, 20, 0))
    assert "seat 0 has completed its puzzle: the game is over (P10)" in refusal(
        Position(done, (2, 0, 1)), 3
    )
    other = bout(rules_of("bronco", max_beats=1), {}, 3, 0, Position(done, (0, 2, 1)))
    assert lines_of(other)[-1].what == "stall"  # all of another puzzle: P2


@pytest.mark.parametrize("beat", [-1, 100, 101])
def test_p13_a_position_is_before_the_last_beat(beat: int) -> None:
    sentence = refusal(changed(beat=beat), max_beats=100)
    assert f"beat must be from 0 to 99, and got {beat} (P13)" in sentence


@pytest.mark.parametrize("edition", EDITIONS, ids=str)
@pytest.mark.parametrize("players", [3, 4])
def test_a_game_can_be_played_on_from_where_it_stands(
    edition: dict[str, Any], players: int
) -> None:
    """From the middle of a game: what everybody may do then is what the log says of before."""
    rules: Any = {**edition, "max_beats": 60}
    made = seated(of_all("test-anything", players), **rules)
    for number in range(10):
        lines = [line for line in lines_of(made, number)[1:-1] if line.what != "offer"]
        for at in (0, 20, 40):
            line = lines[at]
            passed = [one for one in lines[: at + 1] if one.what == "pass"]
            called = tuple(sum(one.seat == s for one in passed) for s in range(players))
            start = Position(
                line.holdings,
                tuple(range(players)),
                beat=line.beat + 1,
                speaker=line.seat if line.what == "pass" else None,
                last_caller=passed[-1].seat if passed else None,
                in_a_row=1 if passed else 0,
                called=called,
            )
            on = seated(of_all("test-anything", players), **rules, start=start)
            following = lines_of(on, number)
            assert following[0].holdings == line.holdings
            assert following[1].beat == line.beat + 1 and following[-1].beat == 59
            if line.what == "pass":
                assert following[1].seat == line.seat  # P7a
            assert on.rows(number, number + 1)[0][1] == 60


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("is_locked", [False, True])
@pytest.mark.parametrize("in_a_row", [1, 2, 3])
def test_p7_p8_a_position_knows_the_row_and_the_lock(
    game: str, in_a_row: int, is_locked: bool
) -> None:
    for seat in range(4):
        start = changed(last_caller=2, in_a_row=in_a_row, is_locked=is_locked, speaker=seat)
        if seat != 2:
            start = dataclasses.replace(start, speaker=None)
        tempo = ",".join("1000" if seat == other else "0.001" for other in range(4))
        rules = rules_of(game, max_beats=1, tempo=tempo)
        made = bout(rules, {seat: script(word=PASS_LEFT)}, 4, 0, start)
        locked = is_locked and game == "bronco"
        if seat == 2 and (in_a_row == 3 or locked):
            with pytest.raises(BadInput, match="in seat 2 answered 1, which is not a legal choice"):
                made.rows(0, 1)
        else:
            assert lines_of(made)[1].what == "pass"


@given(st.lists(st.integers(0, 40), min_size=3, max_size=4).map(tuple))
@settings(max_examples=60, deadline=None)
def test_packing_a_holding_loses_nothing(counts: tuple[int, ...]) -> None:
    assert unpack(pack(counts), len(counts)) == counts


@given(data=st.data(), players=st.integers(3, 4), advanced=st.booleans())
@settings(max_examples=60, deadline=None)
def test_every_position_that_is_accepted_is_possible(
    data: st.DataObject, players: int, advanced: bool
) -> None:
    seats = st.integers(-1, players)
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    pieces = rng.multinomial(40, [1 / players] * players, size=players).T
    if data.draw(st.booleans()):  # often everyone holds forty
        pieces = np.array(EVEN[players])
    pieces[data.draw(st.integers(0, players - 1)), 0] += data.draw(st.sampled_from((0, 0, 1, -40)))
    start = Position(
        tuple(tuple(int(n) for n in row) for row in pieces),
        tuple(data.draw(st.lists(seats, min_size=players, max_size=players, unique=True))),
        data.draw(st.integers(-1, 9)),
        data.draw(st.none() | seats),
        data.draw(st.none() | seats),
    )
    try:
        check_position(rules_of("bronco", advanced=advanced, max_beats=9), start)
    except BadInput:
        return
    assert (pieces >= 0).all() and pieces.sum(0).tolist() == [40] * players
    assert advanced or pieces.sum(1).tolist() == [40] * players
    assert sorted(start.cards) == list(range(players)) and 0 <= start.beat < 9
    for seat in (start.speaker, start.last_caller):
        assert seat is None or 0 <= seat < players
