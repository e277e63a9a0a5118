"""What each parameter of the puzzle families does, the anchors to the letter, and who beats whom.

The strategy sits in seat 0 and wants puzzle 0; all others do what the test says, or nothing.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

import tests.simcore.puzzle.harness as horse
from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.simcore.puzzle.rules import PIECES
from herdlab.simcore.puzzle.table import Position
from herdlab.simcore.puzzle.view import (
    CALL_BLUFF,
    NO,
    PASS_ACROSS,
    PASS_LEFT,
    PASS_RIGHT,
    SILENT,
    TRADE,
)
from herdlab.strategies.registry import seat_players, strategies_of
from tests.simcore.puzzle.harness import EVEN, GAMES, Counts, Line, offer, script
from tests.simcore.puzzle.tables import column, lines_of, of, of_all, seated
from tests.statistics import FALSE_ALARM, LARGEST_Z, chi_square_p, z_of_rate

Scripts = Mapping[int, np.ndarray]
Words = Sequence[int | None]
N = 400  # deals, where something is drawn
ADVANCED: dict[str, Any] = {"advanced": True}
ALWAYS_0: dict[str, Any] = {"tempo": (1000, 0.001, 0.001, 0.001)}
"""Rules under which seat 0 has the word, in the game that is played when `words` are all None."""


def bout_of(who: str, counts: Counts, says: Scripts, **options: Any) -> Bout:
    """Return a bout of the strategy, which holds this, against players who have all else evenly."""
    n, game = len(counts), options.pop("game", "horse-trader")
    cards, speaker = options.pop("cards", tuple(range(n))), options.pop("speaker", None)
    rest = [puzzle for puzzle, have in enumerate(counts) for _ in range(PIECES - have)]
    shares = [rest[seat :: n - 1] for seat in range(n - 1)]
    holdings = (counts, *(tuple(map(one.count, range(n))) for one in shares))
    rules = horse.rules_of(game, **options)
    players = seat_players(GAMES[game], rules, f"{who},{of_all('test-scripted', n - 1)}")
    for seat, lines in says.items():
        players[seat] = dataclasses.replace(players[seat], data=lines.view(np.uint8))
    return Bout(GAMES[game], rules, players, stream_seeds(0), Position(holdings, cards, 0, speaker))


def play(who: str, counts: Counts, says: Scripts, words: Words, **options: Any) -> list[Line]:
    """Return what happens after the deal when these seats get the word; None: it is kept."""
    bout = bout_of(who, counts, says, max_beats=len(words), **options)
    return lines_of(bout, horse.game_with(tuple(words), len(counts)))[1:-1]


def word(who: str, counts: Counts = EVEN[4][0], **options: Any) -> tuple[Any, ...]:
    """Return what it does with the word: silent, offer and two numbers, pass and where."""
    line = play(who, counts, {}, (0,), **options)[0]
    return (line.what, *line.detail)


def reply(who: str, counts: Counts, said: int, committed: int | None = None, **options: Any) -> str:
    """Return what becomes of an offer of seat 1."""
    return play(who, counts, {1: script(word=offer(said, committed))}, (1,), **options)[1].what


def often(who: str, counts: Counts, speaks: int, says: Scripts, **options: Any) -> list[Line]:
    """Return what came of the first beat, for many deals."""
    bout = bout_of(who, counts, says, speaker=speaks, max_beats=1, **options)
    return [lines_of(bout, number)[-2] for number in range(N)]


def gave(who: str, counts: Counts, decision: str, n: int = 1) -> list[Counts]:
    """Return the n pieces (in a pass: one) that a dealer parts with, for many deals."""
    who += {"commit": f":offer={n}", "pay": f":call_{n}=1"}.get(decision, "")
    says = {1: script(word=PASS_LEFT if decision == "pass" else offer(n), answer=TRADE)}
    return [x.gifts[0] for x in often(who, counts, int(decision != "commit"), says, **ADVANCED)]


TRADERS = [f"trader-{k}" for k in range(1, 5)]
PLAIN_ANCHORS = [*TRADERS, "caller", "nagger", "hostage"]
DETECTIVES = [("detective", 3), ("detective", 4), ("marshal", 3), ("marshal", 4)]


def test_all_families_and_parameters_are_here() -> None:
    for known in map(strategies_of, GAMES.values()):
        here = {known[name].function: n for name, n in (("dealer", 23), ("detective", 8))}
        for one in known.values():
            is_ours = one.parameters and not one.name.startswith("test-")
            assert not is_ours or len(one.parameters) == here[one.function], one.name


# OFFERS AND ANSWERS
@pytest.mark.parametrize("k", range(1, 5))
def test_offer_is_how_many_pieces_or_all_that_it_can_spare(k: int) -> None:
    for who in (f"trader-{k}", f"dealer:offer={k}", f"detective:offer={k}:hostages=0"):
        for spare in range(1, 6):
            counts = (PIECES - spare, spare - spare // 2, spare // 2, 0)
            assert word(who, counts) == ("offer", min(k, spare), min(k, spare)), (who, spare)
        assert word(who, largest_offer=1, game="bronco") == ("offer", 1, 1)
        assert word(who, (20, 0, 0, 0), **ADVANCED) == ("silent",)


def test_few_and_near_are_when_it_offers_another_number() -> None:
    for key, value, own, spare, said in (
        ("few", 9, 31, 9, 3), ("few", 9, 30, 10, 4), ("few", 9, 5, 9, 3), ("few", 9, 31, 10, 4),
        ("near", 9, 31, 9, 3), ("near", 9, 30, 10, 4), ("near", 9, 31, 10, 3), ("near", 9, 5, 9, 4),
    ):  # fmt: skip
        who = f"dealer:offer=4:{key}={value}:offer_{key}=3"
        assert word(who, (own, spare, 0, 0), **ADVANCED) == ("offer", said, said), (key, own)


@pytest.mark.parametrize("decision", ["commit", "give", "pass", "pay"])
def test_gives_is_which_spare_pieces_go_first(decision: str) -> None:
    """At random they are as likely as they are many; the own puzzle is never touched."""
    went = np.array(gave("dealer", (10, 15, 9, 6), decision)).sum(0)
    assert went[0] == 0 and chi_square_p(went[1:], [N / 2, N * 3 / 10, N / 5]) > FALSE_ALARM
    most, least = "dealer:gives=most", "dealer:gives=least"
    assert set(gave(most, (10, 15, 9, 6), decision)) == {(0, 1, 0, 0)}
    assert set(gave(least, (10, 15, 9, 6), decision)) == {(0, 0, 0, 1)}
    if decision != "pass":
        assert set(gave(most, (20, 2, 9, 2), decision, 3)) == {(0, 0, 3, 0)}
        assert set(gave(most, (20, 2, 1, 0), decision, 3)) == {(0, 2, 1, 0)}
        assert set(gave(least, (20, 9, 2, 0), decision, 3)) == {(0, 1, 2, 0)}
    if decision in ("pass", "pay"):  # own ones only when it must, and nothing else is left
        for who in ("dealer", most, least):
            assert set(gave(who, (9, 0, 0, 0), decision)) == {(1, 0, 0, 0)}


@pytest.mark.parametrize("who", [*TRADERS, "caller", "nagger", "bluffer", "dealer", "detective"])
def test_every_offer_is_answered_for_which_it_can_spare_enough(who: str) -> None:
    for said in range(1, 5):
        for spare in range(1, 6):
            did = reply(f"{who}:hostages=0", (PIECES - spare, spare, 0, 0), said, **ADVANCED)
            assert did == ("trade" if spare >= said else "lapse"), (said, spare)


def test_answer_from_and_answer_to_are_the_numbers_that_it_answers() -> None:
    for low, high in ((1, 4), (2, 4), (1, 3), (2, 3), (3, 3), (5, 4), (1, 0), (3, 2)):
        for said in range(1, 5):
            did = reply(f"dealer:answer_from={low}:answer_to={high}", EVEN[4][0], said)
            assert did == ("trade" if low <= said <= high else "lapse"), (low, high, said)


# PASSES
def test_passes_are_called_never_once_afresh_or_whenever_it_may() -> None:
    """Who has called keeps the word; after an offer he may not call in Bronco (P8)."""
    marks = {"pass": "P", "offer": "o", "silent": "-", "lapse": ""}

    def six(who: str, counts: Counts = EVEN[4][0], **options: Any) -> str:
        return "".join(marks[x.what] for x in play(who, counts, {}, (0,) * 6, **options))

    for names, plain, in_bronco in (
        ("dealer:passes=never detective", "oooooo", "oooooo"),
        ("dealer:passes=fresh nagger", "PoPoPo", "Pooooo"),
        ("dealer:passes=always caller marshal", "PPPooo", "PPPooo"),
    ):
        for who in names.split():
            assert six(who) == six(who, **ADVANCED) == plain
            assert six(who, game="bronco") == in_bronco and six(who, calls=0) == "oooooo"
            assert plain[:3] != "PPP" or six(who, (20, 0, 0, 0), **ADVANCED)[:3] == "PPP"


def test_pass_from_and_pass_at_are_how_many_pieces_it_needs() -> None:
    for who, need, calls in (
        ("caller:pass_at=9", 9, True), ("caller:pass_at=9", 10, False),
        ("caller:pass_at=0", 1, False), ("caller:pass_from=3:pass_at=5", 4, True),
        ("caller:pass_from=9", 9, True), ("caller:pass_from=9", 8, False),
        ("detective:pass_at=9", 9, True), ("detective:pass_at=9", 10, False),
        ("detective:pass_at=0", 1, False), ("detective:pass_at=40", 40, True),
    ):  # fmt: skip
        did = word(who, (PIECES - need, need, 0, 0))[0]
        assert did == ("pass" if calls else "offer"), (who, need)


def test_direction_is_where_it_calls_the_pass_to() -> None:
    for direction in ("left", "right", "across"):
        assert word(f"nagger:direction={direction}") == ("pass", direction)
    for players, allowed in ((4, ("left", "right", "across")), (3, ("left", "right"))):
        went = [line.detail[0] for line in often("caller", EVEN[players][0], 0, {})]
        counts = [went.count(one) for one in allowed]
        assert sum(counts) == N and chi_square_p(counts, N / len(allowed)) > FALSE_ALARM
    lines = play("marshal", EVEN[3][0], {}, (0, None, None))
    assert [line.detail[0] for line in lines] == ["left", "right", "left"]


# HOSTAGES
@pytest.mark.parametrize("who", ["dealer:offer=4", "detective"])
def test_hostages_are_kept_in_trades_until_it_needs_few(who: str) -> None:
    """What is left when it offers, or answers, all that it may."""
    for values, counts, left in (
        ("hostages=0", (36, 2, 1, 1), (36, 0, 0, 0)), ("hostages=1", (34, 3, 2, 1), (34, 1, 1, 1)),
        ("hostages=2", (33, 4, 2, 1), (33, 2, 2, 1)), ("hostages=3", (30, 3, 4, 3), (30, 3, 3, 3)),
        ("hostages=2", (36, 2, 1, 1), (36, 0, 0, 0)), ("hostages=3", (30, 3, 3, 4), (30, 3, 3, 3)),
        ("hostages=2:until=4", (35, 3, 2), (35, 2, 2)), ("hostages=1", (37, 2, 1), (37, 1, 1)),
        ("hostages=2:until=4", (36, 3, 1), (36, 0, 0)), ("hostages=1", (38, 1, 1), (38, 0, 0)),
        ("hostages=1", (36, 2, 1, 1), (36, 1, 1, 1)), ("hostages=1", (37, 1, 1, 1), (37, 0, 0, 0)),
        ("hostages=9:until=0", (37, 1, 1, 1), (37, 1, 1, 1)),
    ):  # fmt: skip
        one, gift = f"{who}:{values}", horse.minus(counts, left)
        free, first = sum(gift), play(one, counts, {}, (0,))[0]
        assert first.detail == ((free, free) if free else ()) and first.gifts[0] == gift, values
        said = {1: script(word=offer(max(free, 1)))}
        assert play(one, counts, said, (1,))[1].gifts[0] == gift, values
        assert free == 4 or reply(one, counts, free + 1) == "lapse"


def test_the_anchor_hostage_gives_last_pieces_in_forced_passes() -> None:
    last, near = (20, 1, 1, 1), (37, 1, 1, 1)
    assert word("hostage", last, **ADVANCED) == ("silent",)
    assert reply("hostage", last, 1, **ADVANCED) == "lapse"
    assert set(gave("hostage", (9, 0, 1, 0), "pay", 3)) == {(2, 0, 1, 0)}
    for decision in ("pass", "pay"):
        went = np.array(gave("hostage", last, decision)).sum(0)
        assert went[0] == 0 and chi_square_p(went[1:], N / 3) > FALSE_ALARM
    assert word("hostage", near) == ("offer", 2, 2) and reply("hostage", near, 3) == "trade"
    assert word("stockman", near) == ("offer", 3, 3) and word("stockman") == ("offer", 4, 4)


@pytest.mark.parametrize("who", [*PLAIN_ANCHORS, "bluffer", "sceptic", "stockman", "detective"])
def test_no_own_piece_and_no_hostage_goes_in_a_voluntary_trade(who: str) -> None:
    """In whole games against players who do anything."""
    line_up, start = f"{who},{of_all('test-anything', 3)}", Position(EVEN[4], (0, 1, 2, 3))
    made, traded = seated(line_up, start=start, max_beats=300, **ADVANCED), 0
    for number in range(8):
        lines = lines_of(made, number)
        for before, line in zip(lines, lines[1:], strict=False):
            is_in = line.what == "trade" and 0 in (line.seat, line.detail[0])
            if is_in or (line.what == "offer" and line.seat == 0):
                gift, had = line.gifts[0], before.holdings[0]
                keeps = who in ("hostage", "stockman") and PIECES - had[0] > 3
                left = [have - go for have, go in zip(had, gift, strict=True) if go]
                assert gift[0] == 0 and min(left, default=1) >= keeps
                traded += is_in
    assert traded > 20


# BLUFFS
@pytest.mark.parametrize("k", range(1, 5))
def test_bluffs_calls_and_commit_are_for_the_number_that_is_said(k: int) -> None:
    others = "".join(f":bluff_{n}=1:call_{n}=1" for n in range(1, 5) if n != k)
    for commit in range(5):
        who = f"dealer:offer={k}:commit={commit}"
        assert word(f"{who}{others}", **ADVANCED) == ("offer", k, k)
        assert word(f"{who}:bluff_{k}=1", **ADVANCED) == ("offer", k, commit)
        few = word(f"{who}:bluff_{k}=1", (20, 1, 1, 0), **ADVANCED)
        assert few == ("offer", k, min(commit, 2))  # no own piece, but it says as much
        assert reply(f"dealer:call_{k}=1", (9, 0, 0, 0), k, commit, **ADVANCED) == "bluff called"
        assert reply(f"dealer{others}", EVEN[4][0], k, commit, **ADVANCED) == "trade"
    who, says = f"dealer:offer={k}:commit=0:bluff_{k}=0.3:call_{k}=0.3", script(answer=TRADE)
    lines = often(who, EVEN[4][0], 0, {1: says}, **ADVANCED)
    assert abs(z_of_rate(sum(x.detail[2] == 0 for x in lines), N, 0.3)) < LARGEST_Z
    lines = often(who, EVEN[4][0], 1, {1: script(word=offer(k))}, **ADVANCED)
    assert abs(z_of_rate(len(of(lines, "bluff called")), N, 0.3)) < LARGEST_Z
    for key in ("bluff", "call"):
        with pytest.raises(BadInput, match="the advanced game"):
            word(f"dealer:{key}_{k}=0.1")


def test_a_bluffer_says_two_and_commits_one_and_a_sceptic_calls() -> None:
    for counts in ((10, 10, 10, 10), (38, 1, 1, 0), (39, 1, 0, 0), (20, 0, 0, 1)):
        assert word("bluffer", counts, **ADVANCED) == ("offer", 2, 1)
    assert word("bluffer", (20, 0, 0, 0), **ADVANCED) == ("silent",)
    assert word("bluffer:commit=4", largest_offer=2, **ADVANCED) == ("offer", 2, 2)
    for held, one in ((EVEN[4][0], "trade"), ((39, 1, 0, 0), "trade"), ((4, 0, 0, 0), "lapse")):
        for committed in (0, 1, 2):
            assert reply("sceptic", held, 1, committed, **ADVANCED) == one
            for said in (2, 3, 4):
                assert reply("sceptic", held, said, committed, **ADVANCED) == "bluff called"
    assert reply("sceptic", (1, 1, 0, 0), 3, **ADVANCED) == "lapse"  # P12: it may not
    assert word("sceptic", **ADVANCED) == ("offer", 2, 2)


# THE DETECTIVE
WAYS: dict[str, tuple[int, list[int], int, Words]] = {
    "it answers": (1, [offer(1), offer(1)], NO, (1, 1, 1)),
    "it offers": (1, [], TRADE, (0, 0, 1)),
    "it is paid": (1, [], CALL_BLUFF, (0, 0, 1)),
    "from the left": (1, [PASS_RIGHT, PASS_RIGHT], NO, (1, None, None)),
    "from the right": (3, [PASS_LEFT, PASS_LEFT], NO, (3, None, None)),
    "from across": (2, [PASS_ACROSS, PASS_ACROSS], NO, (2, None, None)),
}
"""How it gets two pieces: from whom, what he says with the word and answers, and who speaks."""


def learns(way: str, wanted: int, last: int = offer(1), more: str = "") -> list[Counts]:
    """Return what it gives when it gets two pieces that somebody does not want, and then again."""
    giver, first, answer, words = WAYS[way]
    rest = [puzzle for puzzle in (1, 2, 3) if puzzle != wanted]
    cards = (0, *rest[: giver - 1], wanted, *rest[giver - 1 :])
    counts = tuple({0: 10, wanted: 16}.get(puzzle, 7) for puzzle in range(4))
    keeps = [[PIECES * ((wanted + k) % 4 != puzzle) for k in range(4)] for puzzle in rest]
    parts = dict.fromkeys(("commit", "give", "pass_on", "pay"), [horse.keep(*x) for x in keeps])
    says = script(word=[*first, last], answer=answer, **parts)
    who = f"detective:offer=1:bluff_below=0{more}"
    lines = play(who, counts, {giver: says}, words, cards=cards, **ADVANCED)
    return [line.gifts[0] for line in lines if line.what in ("trade", "bluff called", "pass")]


@pytest.mark.parametrize("wanted", [1, 2, 3])
def test_a_detective_learns_from_what_it_got_and_gives_nobody_what_he_wants(wanted: int) -> None:
    """From one piece it cannot tell what he wants, and gives what it holds most of."""
    most = horse.one_of(wanted)
    for way in WAYS:
        *before, after = learns(way, wanted)
        assert before == [(0,) * 4 if way == "it is paid" else most] * 2
        assert sum(after[1:]) == 1 and after[wanted] == 0, way
    to_him, to_another = (learns("from the left", wanted, x)[-1] for x in (PASS_LEFT, PASS_RIGHT))
    paid = learns("from the left", wanted, more=":call_above=0")[-1]
    assert to_another == most and all(sum(x[1:]) == 1 and not x[wanted] for x in (to_him, paid))


def test_with_three_players_one_piece_tells_a_detective_what_both_others_want() -> None:
    """Seat 2 has given a piece of puzzle 1: so he wants puzzle 2, and seat 1 puzzle 1."""
    says = {1: script(word=offer(1)), 2: script(word=offer(1), commit=horse.keep(40, 40, 0))}
    for who, seat, gift in (("marshal", 1, (0, 0, 1)), ("detective:gives=least", 2, (0, 1, 0))):
        unknown, known = (play(who, (14, 14, 12), says, x)[-1] for x in ((seat,), (2, seat)))
        assert known.gifts[0] == gift != unknown.gifts[0]


def test_which_pieces_a_detective_parts_with_first() -> None:
    """Seat 3 has passed it two pieces of puzzle 2: nobody seems to lead in that."""
    says = {3: script(word=[PASS_LEFT, PASS_LEFT, SILENT], pass_on=horse.keep(40, 40, 40, 0))}
    for gives, puzzle in (("most", 1), ("least", 3), ("not-led", 2)):
        who = f"detective:offer=1:gives={gives}"
        lines = play(who, (10, 15, 9, 6), says, (3, None, None, 0))
        assert of(lines, "offer")[0].gifts[0] == horse.one_of(puzzle)
        assert play(who, (20, 18, 1, 1), {}, (0,))[0].gifts[0] == horse.one_of(1)  # hostages


def test_a_detective_lowers_its_offers_after_lapses_and_raises_them_after_trades() -> None:
    says = {1: script(answer=[NO, NO, TRADE, TRADE, NO])}
    lines = play("detective", EVEN[4][0], says, (None,) * 9, **ALWAYS_0)
    assert [line.detail[0] for line in of(lines, "offer")] == [4, 3, 2, 3, 4, 3, 2, 1, 1]


def test_a_detective_lets_its_hostages_go_when_it_gets_no_further_for_long() -> None:
    lines = play("detective", (20, 1, 1, 1), {}, (None,) * 600, **ADVANCED, **ALWAYS_0)
    assert {line.what for line in lines[:15]} == {"silent"} and of(lines, "offer")


def test_call_above_and_refuse_above_are_how_often_somebody_bluffs() -> None:
    """It begins with half a bluff in two offers; after a bluff 1/2, two: 5/8, one of two: 3/8."""
    for values, bluffs, honest, did in (
        ("", 0, 0, "trade"), ("", 1, 0, "lapse"), ("", 2, 0, "bluff called"), ("", 1, 1, "trade"),
        (":call_above=0.49", 1, 0, "bluff called"), (":call_above=0.63", 2, 0, "lapse"),
        (":call_above=0.62", 2, 0, "bluff called"), (":refuse_above=0.37", 1, 1, "lapse"),
        (":call_above=0.63:refuse_above=0.63", 2, 0, "trade"), (":refuse_above=0.5", 1, 0, "trade"),
        (":call_above=0.24", 0, 0, "bluff called"), (":call_above=0.24", 0, 1, "trade"),
    ):  # fmt: skip
        seen = bluffs + honest
        says = {1: script(word=[offer(2, 1)] * bluffs + [offer(2)] * (honest + 1)),
                2: script(answer=[TRADE] * seen + [NO]), 3: script(word=offer(2))}  # fmt: skip
        for last in (1, 3) if not values else (1,):  # the other has not bluffed
            lines = play(f"detective{values}", EVEN[4][0], says, [1] * seen + [last], **ADVANCED)
            assert lines[-1].what == (did if last == 1 else "trade"), (values, bluffs, honest)
    says = {1: script(word=[offer(2, 1), offer(2)])}  # an offer that lapsed makes good for a bluff
    lines = play("detective", EVEN[4][0], says, (1, 1, 1), **ADVANCED)
    assert [line.what for line in lines if line.what != "offer"] == ["trade", "lapse", "trade"]


def test_bluff_below_is_how_seldom_offers_are_called() -> None:
    """It begins with half a call in two offers; whoever made those that it saw counts."""
    says = {1: script(word=offer(1), answer=[TRADE, CALL_BLUFF, TRADE])}
    for below, committed in ((0.25, [4, 0, 4, 4, 4, 0]), (0, [4] * 6), (1, [0] * 6),
                             (0.26, [0, 0, 4, 4, 0, 0]), (0.16, [4] * 6)):  # fmt: skip
        who = f"detective:bluff_below={below}"
        lines = play(who, EVEN[4][0], says, (None,) * 6, **ADVANCED, **ALWAYS_0)
        assert [x.detail for x in of(lines, "offer")] == [(4, n) for n in committed], below
    assert of(play("detective", EVEN[4][0], says, (1, 0), **ADVANCED), "offer")[1].detail == (4, 0)
    assert word("detective:bluff_below=1") == ("offer", 4, 4)
    says = {1: script(answer=[NO, TRADE])}  # when its own offer has lapsed it is honest
    lines = play("detective:bluff_below=1", EVEN[4][0], says, (None,) * 3, **ADVANCED, **ALWAYS_0)
    assert [x.detail for x in of(lines, "offer")] == [(4, 0), (3, 3), (4, 0)]


# WHO BEATS WHOM
def lead(who: str, other: str, players: int, games: int, **options: Any) -> tuple[float, float]:
    """Return the share in the wins of one among copies of another, and how clear it is of 1/n."""
    made = seated(f"{who},{of_all(other, players - 1)}", **options)
    winners = column(made.rows(0, games), made, "winners")
    wins = float(((winners & 1) / np.maximum(np.bitwise_count(winners), 1)).sum())
    return wins / games, z_of_rate(int(wins), games, 1 / players)


@pytest.mark.parametrize(("who", "players"), DETECTIVES)
def test_detectives_beat_every_plain_anchor(who: str, players: int) -> None:
    for other in PLAIN_ANCHORS:
        assert lead(who, other, players, 8_000)[1] > LARGEST_Z, other


@pytest.mark.slow
@pytest.mark.parametrize("game", horse.NAMES)
@pytest.mark.parametrize(("who", "players"), [*DETECTIVES, ("stockman", 4)])
def test_who_beats_every_plain_anchor_sharply(who: str, players: int, game: str) -> None:
    games = 400_000 if who == "stockman" else 40_000
    for other in PLAIN_ANCHORS:
        assert lead(who, other, players, games, game=game, seed=2)[1] > LARGEST_Z, other


@pytest.mark.parametrize("game", horse.NAMES)
def test_a_detective_is_not_broken_by_bluffs_and_calls(game: str) -> None:
    for other, players in (("bluffer", 3), ("bluffer", 4), ("sceptic", 3), ("sceptic", 4)):
        assert lead("detective", other, players, 2000, game=game, **ADVANCED)[0] > 0.95
