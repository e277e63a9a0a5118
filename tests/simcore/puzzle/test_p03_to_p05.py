"""Clauses P3-P5 of the puzzle games (time, offer, who can answer), tested from the rulebooks.

False-alarm rate of what is a matter of luck: |z| < 5 and chi-square tests at the same rate, with
fixed seeds.
"""

from collections import Counter
from itertools import pairwise
from math import comb
from typing import Any

import numpy as np
import pytest

from herdlab.simcore.errors import BadInput
from herdlab.simcore.puzzle.table import Position
from herdlab.simcore.puzzle.view import NO, TRADE
from tests.simcore.puzzle.harness import (
    EVEN,
    Line,
    bout,
    experiment,
    keep,
    log_lines,
    minus,
    offer,
    one_of,
    part_with,
    play,
    plus,
    rules_of,
    script,
)
from tests.simcore.puzzle.tables import (
    EDITIONS,
    PLAIN,
    held,
    kinds,
    lines_of,
    of,
    of_all,
    refused,
    row_of,
    seated,
)
from tests.statistics import FALSE_ALARM, LARGEST_Z, chi_square_p, z_of_rate

BEATS = 8_000
ANY = keep(0, 0, 0, 0)
"""Parts with any of his pieces."""


def p_of(counts: Counter[int], weights: tuple[float, ...]) -> float:
    """Return the chance of such counts by seat if they go by the weights; seats of 0 have none."""
    seats = [seat for seat, weight in enumerate(weights) if weight > 0]
    assert set(counts) <= set(seats)
    expected = np.array([weights[seat] for seat in seats]) * counts.total() / sum(weights)
    return chi_square_p([counts[seat] for seat in seats], expected)  # type: ignore[arg-type]


# P3 time


@pytest.mark.parametrize("edition", EDITIONS, ids=str)
def test_p3_in_each_beat_one_player_does_one_thing(edition: dict[str, Any]) -> None:
    lines = lines_of(seated(of_all("test-anything", 4), **edition, max_beats=400))
    words = [line for line in lines if line.what in ("silent", "offer", "pass")]
    assert [line.beat for line in words] == list(range(400))
    assert {line.what for line in words} == {"silent", "offer", "pass"}
    for before, line in pairwise(lines[:-1]):
        if line.what in ("lapse", "trade", "bluff called"):  # what comes of an offer
            assert (before.what, before.beat, before.seat) == ("offer", line.beat, line.seat)
        else:
            assert line.beat == before.beat + (before.what != "deal") and before.what != "offer"


def word_holders(players: int, seed: int = 3, **settings: Any) -> list[int]:
    """Return who has the word, beat by beat, in a game of silence."""
    made = bout(rules_of("horse-trader", max_beats=BEATS, **settings), {}, players, seed)
    return [line.seat for line in lines_of(made)[1:-1]]


@pytest.mark.parametrize("players", [3, 4])
def test_p3_everyone_has_the_word_as_often(players: int) -> None:
    found = word_holders(players)
    assert len(found) == BEATS
    assert p_of(Counter(found), (1.0,) * players) > FALSE_ALARM
    after = Counter(seat * players + other for seat, other in pairwise(found))
    assert p_of(after, (1.0,) * players**2) > FALSE_ALARM  # whoever had it before


@pytest.mark.parametrize("tempo", [(1.0, 2.0, 4.0, 0.5), (3.0, 1.0, 1.0), (0.05, 1.0, 2.0, 1.0)])
def test_p3_the_word_goes_in_proportion_to_the_tempo(tempo: tuple[float, ...]) -> None:
    found = Counter(word_holders(len(tempo), tempo=tempo))
    assert p_of(found, tempo) > FALSE_ALARM
    assert p_of(found, (1.0,) * len(tempo)) < FALSE_ALARM  # equal tempos would be caught
    assert p_of(found, tempo[::-1]) < FALSE_ALARM  # and the weights of others


def test_p3_equal_tempos_of_any_size_are_the_default() -> None:
    assert word_holders(4) == word_holders(4, tempo="7,7,7,7") == word_holders(4, tempo=())


@pytest.mark.parametrize("key", ["tempo", "reaction"])
@pytest.mark.parametrize("given", ["1,2,x,1", "1,0,1,1", "1,-1,1,1", "nan,1,1,1", "1;2;3;4", True])
def test_p3_p4_weights_that_are_none_are_refused(key: str, given: object) -> None:
    clause = {"tempo": "P3", "reaction": "P4"}[key]
    with pytest.raises(BadInput, match=rf"rule {key} \({clause}\) must be a number from 0.001 to"):
        rules_of("bronco", **{key: given})


@pytest.mark.parametrize("key", ["tempo", "reaction"])
def test_p3_p4_there_is_a_weight_for_each_player(key: str) -> None:
    three: dict[str, Any] = {key: "1,2,3"}
    wanted = rf"rule {key} \(P\d\) must have a number for each of 4 players, and got 3"
    with pytest.raises(BadInput, match=wanted):
        seated(of_all("trader-2", 4), **three)
    assert seated(of_all("trader-2", 3), **three)


def test_p3_in_silence_no_piece_moves() -> None:
    lines = play(words=(2, 0, 1, 3))
    assert kinds(lines) == ["silent"] * 4
    assert [line.seat for line in lines[:4]] == [2, 0, 1, 3]
    assert {line.holdings for line in lines} == {EVEN[4]}


# P4 offer


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("number", [1, 2, 3, 4])
@pytest.mark.parametrize("edition", EDITIONS, ids=str)
def test_p4_both_give_the_number_said(edition: dict[str, Any], number: int, players: int) -> None:
    scripts = {1: script(word=offer(number)), 2: script(answer=TRADE)}
    offered, traded = play(scripts, words=(1,), players=players, **edition)[:2]
    assert (offered.what, offered.detail, offered.seat) == ("offer", (number, number), 1)
    assert offered.holdings == EVEN[players]  # not yet
    assert (traded.what, traded.detail) == ("trade", (2, number, number))
    assert [sum(gift) for gift in traded.gifts] == [0, number, number, 0][:players]
    assert traded.gifts[1] == offered.gifts[1]  # what he has committed and nothing else
    before, gifts, after = EVEN[players], traded.gifts, traded.holdings
    assert after[1] == plus(minus(before[1], gifts[1]), gifts[2])
    assert after[2] == plus(minus(before[2], gifts[2]), gifts[1])
    assert [after[seat] for seat in (0, 3)[: players - 2]] == [before[0], *before[3:]]


@pytest.mark.parametrize("theirs", [(0, 1, 1, 1), (3, 0, 0, 0), (0, 0, 0, 3), (1, 2, 0, 0)])
@pytest.mark.parametrize("mine", [(1, 1, 0, 1), (0, 3, 0, 0), (0, 0, 1, 2)])
def test_p4_each_chooses_his_pieces(mine: tuple[int, ...], theirs: tuple[int, ...]) -> None:
    cards = (2, 0, 3, 1)
    scripts = {
        3: script(word=offer(3), commit=part_with(EVEN[4][3], mine, cards[3])),
        0: script(answer=TRADE, give=part_with(EVEN[4][0], theirs, cards[0])),
    }
    lines = play(scripts, words=(3,), cards=cards)
    none = (0, 0, 0, 0)
    assert lines[1].gifts == (theirs, none, none, mine)


@pytest.mark.parametrize("willing", [(1, 2, 3), (1, 3), (2,)])
@pytest.mark.parametrize("reaction", [(), (1.0, 2.0, 4.0, 0.5)])
def test_p4_the_first_is_drawn_among_the_willing_by_reaction(
    willing: tuple[int, ...], reaction: tuple[float, ...]
) -> None:
    settings: Any = {"tempo": "1000,0.001,0.001,0.001", "reaction": reaction, "max_beats": 5000}
    scripts = {seat: script(answer=TRADE, give=ANY) for seat in willing}
    scripts[0] = script(word=offer(1), commit=ANY, answer=TRADE)
    made = bout(rules_of("bronco", **settings), scripts, 4, seed=5)
    found = Counter(line.detail[0] for line in of(lines_of(made), "trade") if line.seat == 0)
    weights = tuple(
        (reaction[seat] if reaction else 1.0) if seat in willing else 0.0 for seat in range(4)
    )
    assert found.total() > 4900
    if len(willing) == 1:
        assert set(found) == {2}
        return
    assert p_of(found, weights) > FALSE_ALARM
    wrong = (0.0, *(1.0 if reaction else 1.0 + 0.5 * (s == 1) for s in (1, 2, 3)))
    assert p_of(found, tuple(w * (weights[s] > 0) for s, w in enumerate(wrong))) < FALSE_ALARM


@pytest.mark.parametrize("edition", EDITIONS, ids=str)
def test_p4_nobody_willing_the_offer_lapses(edition: dict[str, Any]) -> None:
    game = experiment({0: script(word=offer(3))}, words=(0, 1), **edition)
    lines = game.lines[1:]
    assert kinds(lines) == ["offer", "lapse", "silent"]
    assert (lines[1].detail, lines[1].seat, lines[1].beat) == ((3,), 0, 0)
    assert {line.holdings for line in lines} == {EVEN[4]}
    row = game.row
    assert (row["trades"], row["lapses"], row["offers_0"], row["trades_made_0"]) == (0, 1, 1, 0)


def test_p4_after_a_lapse_he_may_offer_again() -> None:
    scripts = {0: script(word=[offer(3), offer(2)]), 3: script(answer=[NO, TRADE])}
    lines = play(scripts, words=(0, 0))
    assert kinds(lines) == ["offer", "lapse", "offer", "trade"]
    assert [sum(gift) for gift in lines[3].gifts] == [2, 0, 0, 2]


@pytest.mark.parametrize("speaker", range(4))
def test_p4_opponents_answer_from_his_left_round_and_not_he_himself(speaker: int) -> None:
    """Whoever is asked first is named when all answers are illegal, and so on round the table."""
    for k in range(1, 4):
        wrong = [(speaker + more) % 4 for more in range(k, 4)] + [speaker]
        scripts = {seat: script(answer=9, word=offer(1)) for seat in wrong}
        scripts[speaker] = script(answer=9, word=offer(1))
        refused(scripts, 9, "answer", seat=(speaker + k) % 4, words=(speaker,))
    alone = {speaker: script(answer=9, word=offer(1))}
    assert kinds(play(alone, words=(speaker,))) == ["offer", "lapse"]


@pytest.mark.parametrize("edition", PLAIN, ids=str)
@pytest.mark.parametrize("word", [-1, 4, 5, 7, 8, 16, 40, 45, 5 * 8 + 5, 1 << 40, -(2**62) + 1])
def test_p4_what_is_no_offer_of_one_to_four_is_refused(edition: dict[str, Any], word: int) -> None:
    refused({0: script(word=word)}, word, "word", **edition)


@pytest.mark.parametrize("largest", [1, 2, 3, 4])
def test_p4_the_largest_offer_is_a_setting(largest: int) -> None:
    for number in range(1, 5):
        scripts = {0: script(word=offer(number)), 1: script(answer=TRADE)}
        if number <= largest:
            assert kinds(play(scripts, largest_offer=largest)) == ["offer", "trade"]
        else:
            refused(scripts, offer(number), "word", largest_offer=largest)


@pytest.mark.parametrize("value", [0, 5, "four", 2.5])
def test_p4_a_largest_offer_that_cannot_be_is_refused(value: object) -> None:
    with pytest.raises(BadInput, match=r"rule largest_offer \(P4\) must be a whole number from 1"):
        rules_of("horse-trader", largest_offer=value)


@pytest.mark.parametrize("answer", [-1, 2, 3, 99])
def test_p4_what_is_no_answer_is_refused(answer: int) -> None:
    refused({0: script(word=offer(1)), 2: script(answer=answer)}, answer, "answer", seat=2)


@pytest.mark.parametrize("kept", [-1, 41, keep(0, 41), keep(0, 0, 0, 41), 1 << 32, keep(0, 128)])
@pytest.mark.parametrize("decision", ["commit", "give"])
def test_p4_what_says_of_no_pieces_to_keep_them_is_refused(decision: str, kept: int) -> None:
    word: Any = {"word": offer(2)}
    if decision == "commit":
        refused({0: script(**word, commit=kept)}, kept, "commit")
    else:
        refused({0: script(**word), 3: script(answer=TRADE, give=kept)}, kept, "give", seat=3)


def gifts_of(kept: int, number: int, n: int, decision: str = "commit") -> list[tuple[int, ...]]:
    """Return what seat 0 (who wants puzzle 1 and holds 10 of each) gives in `n` games."""
    if decision == "commit":
        scripts = {0: script(word=offer(number), commit=kept)}
    else:
        scripts = {0: script(answer=TRADE, give=kept), 1: script(word=offer(number))}
    rules = rules_of("horse-trader", max_beats=1)
    start = Position(EVEN[4], (1, 0, 2, 3), speaker=0 if decision == "commit" else 1)
    made = bout(rules, scripts, 4, 21, start)
    line = 1 if decision == "commit" else 2  # after the deal: the offer, or what came of it
    return [log_lines(made.logged(number)[1], 4)[line].gifts[0] for number in range(n)]


@pytest.mark.parametrize("decision", ["commit", "give"])
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_p4_pieces_of_the_choice_are_drawn_each_as_likely(number: int, decision: str) -> None:
    """He keeps his own, 4 of puzzle 2 and all of puzzle 3: 6 of puzzle 2 and 10 of 0 can go."""
    n = 800
    found = gifts_of(keep(10, 4, 10, 0), number, n, decision)
    assert all(gift[1] == gift[3] == 0 and sum(gift) == number for gift in found)
    ways = [comb(6, k) * comb(10, number - k) / comb(16, number) for k in range(number + 1)]
    counts = Counter(gift[2] for gift in found)
    for k, chance in enumerate(ways):
        assert abs(z_of_rate(counts[k], n, chance)) < LARGEST_Z
    each_puzzle = [comb(number, k) / 2**number for k in range(number + 1)]  # a wrong way to draw
    assert max(abs(z_of_rate(counts[k], n, w)) for k, w in enumerate(each_puzzle)) > LARGEST_Z


def test_p4_what_he_would_rather_keep_goes_last_and_then_any_of_it() -> None:
    """Two pieces of puzzle 3 can go; the other two are drawn from all that is left."""
    n = 800
    found = gifts_of(keep(10, 10, 8, 10), 4, n)
    assert all(gift[3] >= 2 for gift in found)
    for k in range(3):  # of 38 pieces 8 are of puzzle 3
        chance = comb(8, k) * comb(30, 2 - k) / comb(38, 2)
        assert abs(z_of_rate(sum(gift[3] == 2 + k for gift in found), n, chance)) < LARGEST_Z


# P5 who can answer

POOR = {1: (0, 2, 0, 0), 2: (0, 1, 1, 1), 3: (0, 0, 0, 0)}
"""Seats 1, 2 and 3 hold two, three and no pieces; seat 0 the rest."""


def outcome(number: int, willing: int, **options: Any) -> list[Line]:
    """Return what comes of an offer of seat 0 that `willing` alone would answer."""
    scripts = {0: script(word=offer(number)), willing: script(answer=TRADE)}
    options = {"advanced": True, "cards": (1, 2, 3, 0), **options}
    return play(scripts, holdings=held(POOR, 0), **options)


@pytest.mark.parametrize("game", ["horse-trader", "bronco"])
@pytest.mark.parametrize("number", [1, 2, 3, 4])
@pytest.mark.parametrize("seat", [1, 2, 3])
def test_p5_who_holds_fewer_pieces_cannot_answer(seat: int, number: int, game: str) -> None:
    can = sum(POOR[seat]) >= number
    lines = outcome(number, seat, game=game)
    assert kinds(lines) == ["offer", "trade" if can else "lapse"]
    if can:
        assert sum(lines[1].gifts[seat]) == number


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_p5_who_cannot_answer_is_not_asked(number: int) -> None:
    """His answer would be illegal; so it would be noticed."""
    scripts = {0: script(word=offer(number))}
    scripts |= {s: script(answer=9) for s, pieces in POOR.items() if sum(pieces) < number}
    options: Any = {"advanced": True, "cards": (1, 2, 3, 0), "holdings": held(POOR, 0)}
    assert kinds(play(scripts, **options)) == ["offer", "lapse"]
    can = [seat for seat, pieces in POOR.items() if sum(pieces) >= number]
    for seat in can:
        refused(scripts | {seat: script(answer=9)}, 9, "answer", seat=seat, **options)


def test_p5_he_is_not_first_among_the_willing_either() -> None:
    scripts = {seat: script(answer=TRADE, give=ANY) for seat in (1, 2, 3)}
    scripts[0] = script(word=offer(3), commit=ANY)
    start = Position(held(POOR, 0), (1, 2, 3, 0), speaker=0)
    made = bout(rules_of("bronco", advanced=True, max_beats=1), scripts, 4, 1, start)
    assert {lines_of(made, number)[2].detail[0] for number in range(60)} == {2}


def test_p5_what_he_gets_counts_from_the_next_offer_on() -> None:
    """Seat 3 gets four pieces of a bluff of one, and can then answer an offer of three."""
    scripts = {
        0: script(word=[offer(1, 4), offer(3)]),
        1: script(answer=NO),
        3: script(answer=TRADE),
    }
    poor = {**POOR, 3: one_of(3)}
    options: Any = {"advanced": True, "cards": (1, 2, 3, 0), "holdings": held(poor, 0)}
    lines = play(scripts, **options, words=(0, 0))
    assert kinds(lines) == ["offer", "trade", "offer", "trade"]
    other = play({**scripts, 0: script(word=offer(3))}, **options, words=(0, 0))
    assert kinds(other) == ["offer", "lapse", "offer", "lapse"]


def test_p5_also_a_strategy_of_which_all_is_worked_out_beforehand_is_not_asked() -> None:
    """The `sceptic` calls every offer of two or more, but not with fewer pieces."""
    for pieces, number, is_called in ((1, 2, False), (2, 2, True), (3, 4, False), (4, 4, True)):
        poor = {1: one_of(2, n=pieces), 2: one_of(0), 3: one_of(1)}
        start = Position(held(poor, 0), (0, 1, 2, 3), speaker=0)
        line_up = f"trader-{number},sceptic,test-scripted,test-scripted"
        made = seated(line_up, "bronco", start, advanced=True, max_beats=1)
        wanted = ["offer", "bluff called" if is_called else "lapse"]
        assert kinds(lines_of(made)) == wanted
        assert row_of(made)["calls_wrong_1"] == is_called
