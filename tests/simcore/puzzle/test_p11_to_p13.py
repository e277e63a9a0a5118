"""Clauses P11-P13 of the puzzle games (bluff, the bluff called, stall), from the rulebooks."""

from collections import Counter
from typing import Any

import pytest

from herdlab.simcore.errors import BadInput
from herdlab.simcore.puzzle.table import Position
from herdlab.simcore.puzzle.view import CALL_BLUFF, NO, TRADE
from tests.simcore.puzzle.harness import (
    EVEN,
    Experiment,
    Line,
    bout,
    experiment,
    keep,
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
    ADVANCED,
    EDITIONS,
    PLAIN,
    held,
    kinds,
    lines_of,
    of_all,
    refused,
    seated,
)
from tests.statistics import FALSE_ALARM, chi_square_p

NONE = (0, 0, 0, 0)
OWN_GOES = keep(0, 40, 40, 40)
"""Parts with a piece of his own puzzle."""


TWO_LACK_ONE = ((39, 1, 0, 0), (1, 39, 0, 0), (0, 0, 20, 20), (0, 0, 20, 20))
"""Seats 0 and 1 lack a piece each, which the other has."""


# P11 bluff

BLUFFS = [(said, done) for said in range(1, 5) for done in range(5) if said != done]


@pytest.mark.parametrize("edition", ADVANCED, ids=str)
@pytest.mark.parametrize(("said", "committed"), BLUFFS)
def test_p11_who_answers_gives_the_number_said_and_gets_what_was_committed(
    said: int, committed: int, edition: dict[str, Any]
) -> None:
    scripts = {1: script(word=offer(said, committed)), 3: script(answer=TRADE)}
    game = experiment(scripts, words=(1,), **edition)
    offered, traded = game.lines[1:3]
    assert offered.detail == (said, committed) and traded.detail == (3, said, committed)
    assert [sum(gift) for gift in offered.gifts] == [0, committed, 0, 0]
    assert [sum(gift) for gift in traded.gifts] == [0, committed, 0, said]
    assert traded.holdings[1] == plus(minus(EVEN[4][1], traded.gifts[1]), traded.gifts[3])
    assert traded.holdings[3] == plus(minus(EVEN[4][3], traded.gifts[3]), traded.gifts[1])
    row = game.row
    assert (row["bluffs_tried_1"], row["gained_by_bluffs_1"]) == (1, said - committed)
    assert (row["trades"], row["trades_made_1"], row["trades_made_3"]) == (1, 1, 1)
    assert row["gained_by_bluffs_3"] == row["gained_by_calls_3"] == 0


@pytest.mark.parametrize("edition", PLAIN, ids=str)
@pytest.mark.parametrize(("said", "committed"), BLUFFS)
def test_p11_no_bluffs_in_the_plain_game(
    said: int, committed: int, edition: dict[str, Any]
) -> None:
    word = offer(said, committed)
    refused({0: script(word=word)}, word, "word", **edition)


@pytest.mark.parametrize("word", [offer(5), offer(1, 5), offer(4, 7), offer(0, 2), 4, offer(0, 0)])
def test_p11_at_most_four_are_said_and_committed_and_at_least_one_is_said(word: int) -> None:
    scripts = {0: script(word=word)}
    if word == offer(0, 0):  # which is silence
        assert kinds(play(scripts, advanced=True)) == ["silent"]
    elif word == offer(0, 2):  # which is a call
        assert kinds(play(scripts, advanced=True)) == ["pass"]
    else:
        refused(scripts, word, "word", advanced=True)


def test_p11_the_largest_offer_limits_both_numbers() -> None:
    for said in range(1, 5):
        for committed in range(5):
            scripts = {0: script(word=offer(said, committed))}
            options: Any = {"advanced": True, "largest_offer": 2}
            if max(said, committed) > 2:
                refused(scripts, offer(said, committed), "word", **options)
            else:
                assert kinds(play(scripts, **options)) == ["offer", "lapse"]


@pytest.mark.parametrize("pieces", range(5))
def test_p11_he_can_say_more_than_he_holds_but_not_commit_it(pieces: int) -> None:
    before, cards = held({0: one_of(2, n=pieces), 1: (1, 1, 1, 1)}, 3), (0, 1, 3, 2)
    for committed in range(5):
        scripts = {0: script(word=offer(4, committed)), 3: script(answer=TRADE)}
        options: Any = {"holdings": before, "cards": cards, "advanced": True}
        if committed > pieces:
            refused(scripts, offer(4, committed), "word", **options)
        else:
            traded = play(scripts, **options)[1]
            assert sum(traded.holdings[0]) == pieces - committed + 4


def test_p11_who_commits_nothing_is_not_asked_what() -> None:
    scripts = {0: script(word=offer(2, 0), commit=-1), 1: script(answer=TRADE)}
    assert kinds(play(scripts, advanced=True)) == ["offer", "trade"]
    refused({0: script(word=offer(2, 1), commit=-1)}, -1, "commit", advanced=True)


# P12 the bluff called


def called(said: int, committed: int, **options: Any) -> tuple[Experiment, Line]:
    """Return a game in which seat 2 calls the bluff of seat 1, and the line of it.

    All pieces go as `pay` and `commit` say, by seat; the default is any that is not his own.
    """
    pay, commit = options.pop("pay", {}), options.pop("commit", keep(40))
    scripts = {
        1: script(word=offer(said, committed), commit=commit, pay=pay.get(1, keep(40))),
        2: script(answer=CALL_BLUFF, pay=pay.get(2, keep(40)), give=-1),
    }
    game = experiment(scripts, **{"words": (1,), "advanced": True, **options})
    assert kinds(game.lines)[:2] == ["offer", "bluff called"]
    line = game.lines[2]
    assert line.detail == (2, said, committed)
    return game, line


@pytest.mark.parametrize("edition", ADVANCED, ids=str)
@pytest.mark.parametrize("said", [1, 2, 3, 4])
def test_p12_the_caller_of_an_honest_offer_pays_the_number(
    said: int, edition: dict[str, Any]
) -> None:
    game, line = called(said, said, **edition)
    assert [sum(gift) for gift in line.gifts] == [0, 0, said, 0]
    paid = line.gifts[2]
    assert line.holdings[1] == plus(EVEN[4][1], paid)  # he keeps what he committed
    assert line.holdings[2] == minus(EVEN[4][2], paid)
    row = game.row
    assert (row["calls_wrong_2"], row["calls_right_2"], row["bluffs_called_wrong"]) == (1, 0, 1)
    assert (row["gained_by_calls_2"], row["gained_by_bluffs_1"]) == (-said, 0)
    assert row["bluffs_tried_1"] == row["trades"] == row["trades_made_1"] == 0


@pytest.mark.parametrize("edition", ADVANCED, ids=str)
@pytest.mark.parametrize(("said", "committed"), BLUFFS)
def test_p12_the_offerer_of_a_bluff_pays_the_number_said(
    said: int, committed: int, edition: dict[str, Any]
) -> None:
    """Whether he committed fewer or more."""
    game, line = called(said, committed, **edition)
    assert [sum(gift) for gift in line.gifts] == [0, said, 0, 0]
    paid = line.gifts[1]
    assert line.holdings == (EVEN[4][0], minus(EVEN[4][1], paid), plus(EVEN[4][2], paid),
                             EVEN[4][3])  # fmt: skip
    row = game.row
    assert (row["calls_wrong_2"], row["calls_right_2"], row["bluffs_called_right"]) == (0, 1, 1)
    assert (row["gained_by_calls_2"], row["gained_by_bluffs_1"]) == (said, -said)
    assert (row["bluffs_tried_1"], row["trades"], row["offers_1"]) == (1, 0, 1)


@pytest.mark.parametrize("pieces", range(5))
@pytest.mark.parametrize("said", range(1, 5))
def test_p12_who_holds_fewer_pays_all_he_has(said: int, pieces: int) -> None:
    before, cards = held({1: one_of(3, n=pieces), 2: (2, 2, 2, 2)}, 0), (1, 0, 3, 2)
    for committed in range(pieces + 1):
        if committed == said:
            continue
        pay = {} if pieces else {1: -1}  # who has none is not asked
        game, line = called(said, committed, holdings=before, cards=cards, pay=pay)
        paid = min(said, pieces)
        assert line.gifts == (NONE, one_of(3, n=paid), NONE, NONE)
        assert line.holdings[1] == one_of(3, n=pieces - paid)
        assert line.holdings[2] == plus((2, 2, 2, 2), one_of(3, n=paid))
        assert (game.row["gained_by_calls_2"], game.row["gained_by_bluffs_1"]) == (paid, -paid)
        assert game.row["calls_right_2"] == 1


def test_p12_a_committed_piece_is_still_his_and_may_be_paid_or_not() -> None:
    """Seat 1 commits his only piece of puzzle 3 and says two."""
    before = held({1: (2, 0, 1, 1), 2: (2, 2, 2, 2)}, 0)
    cards, commit = (1, 0, 3, 2), part_with((2, 0, 1, 1), one_of(3), 0)
    for paid in ((1, 0, 0, 1), (2, 0, 0, 0), (1, 0, 1, 0), (0, 0, 1, 1)):
        pay = {1: part_with(before[1], paid, 0)}
        game, line = called(2, 1, holdings=before, cards=cards, pay=pay, commit=commit)
        assert game.lines[1].gifts[1] == one_of(3)
        assert game.lines[1].holdings == before
        assert line.gifts[1] == paid
        assert line.holdings[1] == minus(before[1], paid)


def test_p12_the_payer_chooses_the_pieces() -> None:
    for paid in ((3, 0, 0, 0), (1, 1, 0, 1), (0, 0, 2, 1)):
        _, line = called(3, 3, pay={2: part_with(EVEN[4][2], paid, 2)})
        assert line.gifts == (NONE, NONE, paid, NONE)
        _, line = called(3, 1, pay={1: part_with(EVEN[4][1], paid, 1)})
        assert line.gifts == (NONE, paid, NONE, NONE)


def test_p12_what_says_of_no_pieces_to_keep_them_is_refused() -> None:
    for answer in (-1, 41, 1 << 32):
        scripts = {0: script(word=offer(2, 1), pay=answer), 1: script(answer=CALL_BLUFF)}
        refused(scripts, answer, "pay", advanced=True)


@pytest.mark.parametrize("edition", PLAIN, ids=str)
def test_p12_no_bluff_is_called_in_the_plain_game(edition: dict[str, Any]) -> None:
    scripts = {0: script(word=offer(2)), 1: script(answer=CALL_BLUFF)}
    refused(scripts, CALL_BLUFF, "answer", seat=1, **edition)


@pytest.mark.parametrize("pieces", range(4))
def test_p12_only_who_holds_the_number_said_may_call(pieces: int) -> None:
    before = held({0: one_of(0), 2: one_of(0, n=pieces), 3: one_of(2)}, 1)
    for said in range(1, 5):
        scripts = {1: script(word=offer(said, 0)), 2: script(answer=CALL_BLUFF)}
        options: Any = {"holdings": before, "advanced": True, "words": (1,), "cards": (1, 0, 2, 3)}
        wanted = "bluff called" if pieces >= said else "lapse"
        assert kinds(play(scripts, **options)) == ["offer", wanted]


@pytest.mark.parametrize("reaction", [(), (5.0, 2.0, 4.0, 1.0)])
def test_p12_the_first_is_drawn_among_those_who_answer_and_those_who_call(
    reaction: tuple[float, ...],
) -> None:
    """Seats 1 and 3 call, seat 2 answers."""
    scripts = {seat: script(answer=TRADE if seat == 2 else CALL_BLUFF) for seat in (1, 2, 3)}
    scripts[0] = script(word=offer(2, 1))
    start = Position(EVEN[4], (0, 1, 2, 3), speaker=0)
    rules = rules_of("bronco", advanced=True, max_beats=1, reaction=reaction)
    made, n = bout(rules, scripts, 4, 3, start), 1500
    ends = [lines_of(made, number)[2] for number in range(n)]
    assert {(line.what, line.detail[0]) for line in ends} == {
        ("bluff called", 1),
        ("trade", 2),
        ("bluff called", 3),
    }
    found = Counter(line.detail[0] for line in ends)
    weights = reaction[1:] or (1.0, 1.0, 1.0)
    counts = [found[seat] for seat in (1, 2, 3)]
    assert chi_square_p(counts, [n * one / sum(weights) for one in weights]) > FALSE_ALARM
    assert chi_square_p(counts, [n / 2, n / 4, n / 4]) < FALSE_ALARM


# P13 stall


@pytest.mark.parametrize("edition", EDITIONS, ids=str)
@pytest.mark.parametrize("beats", [1, 2, 37])
def test_p13_after_max_beats_the_game_ends_with_no_winner(
    edition: dict[str, Any], beats: int
) -> None:
    made = seated(of_all("test-anything", 4), **edition, max_beats=beats)
    last = lines_of(made)[-1]
    assert (last.what, last.detail, last.beat) == ("stall", (), beats - 1)
    row = Experiment(made, 0).row
    assert (row["winners"], row["length"], row["stalls"]) == (0, beats, 1)


def test_p13_stalls_are_counted() -> None:
    made = seated(of_all("trader-2", 4), max_beats=90)
    rows, sums = made.rows_and_sums(range(300))
    stalls = int(rows[:, made.columns.index("stalls")].sum())
    assert 20 < stalls < 280 and sums.unfinished == stalls
    assert ((rows[:, 0] == 0) == (rows[:, made.columns.index("stalls")] == 1)).all()
    assert (rows[rows[:, 0] == 0, 1] == 90).all()


def test_p13_a_win_in_the_last_beat_is_a_win() -> None:
    scripts = {0: script(word=offer(1)), 1: script(answer=[NO, TRADE])}
    row = experiment(scripts, holdings=TWO_LACK_ONE, words=(0, 0)).row
    assert (row["winners"], row["length"], row["stalls"]) == (3, 2, 0)


def test_p13_beats_before_a_position_count() -> None:
    row = experiment(words=(0, 1, 2), position={"beat": 40}).row
    assert (row["length"], row["silences"]) == (43, 3)


def test_p13_the_default_is_twenty_thousand() -> None:
    assert rules_of("bronco").max_beats == rules_of("horse-trader").max_beats == 20_000
    row = Experiment(bout(rules_of("bronco"), {}, 3), 0).row
    assert (row["length"], row["silences"], row["stalls"]) == (20_000, 20_000, 1)


@pytest.mark.parametrize("value", [0, -1, 1_000_001, "many"])
def test_p13_a_number_of_beats_that_cannot_be_is_refused(value: object) -> None:
    with pytest.raises(BadInput, match=r"rule max_beats \(P13\) must be a whole number from 1 to"):
        rules_of("horse-trader", max_beats=value)
