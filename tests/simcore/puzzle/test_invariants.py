"""What must hold in every game of Horse Trader and Bronco, for any rules, line-up and position."""

import dataclasses
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from herdlab.simcore.batch import Bout, Threads, simulate, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.simcore.puzzle.rules import CURVE_POINTS, CURVE_STEP, PuzzleRules
from herdlab.simcore.puzzle.table import Position
from herdlab.simcore.sums import LENGTH, WINNERS, Sums, add_up
from herdlab.simcore.table import OBSERVES
from herdlab.strategies.registry import seat_players, strategies_of
from tests.simcore.puzzle.harness import GAMES, Line, bout, log_lines, minus, plus, rules_of, script
from tests.simcore.puzzle.tables import EDITIONS, cards_of, lines_of, of_all, seated

FEW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
NAMES = [one for one in strategies_of(GAMES["bronco"]) if one != "test-scripted"]
STEP = {"left": 1, "right": -1, "across": 2}


def plays_plain(name: str) -> bool:
    """Whether a strategy can play the plain game (P11)."""
    one = strategies_of(GAMES["bronco"])[name]
    try:
        if one.check is not None:
            one.check(rules_of("bronco"), one.written(one.read(name, ())), 3)
    except BadInput:
        return False
    return True


PLAIN_NAMES = [name for name in NAMES if plays_plain(name)]


@st.composite
def rule_sets(draw: st.DrawFn, players: int) -> PuzzleRules:
    values: dict[str, Any] = {
        "advanced": draw(st.booleans()),
        "max_beats": draw(st.integers(1, 250)),
        "calls": draw(st.sampled_from((3, 3, 0, 1, 9))),
        "largest_offer": draw(st.sampled_from((4, 4, 1, 2))),
        "simultaneous": draw(st.sampled_from(("share", "order"))),
    }
    for key in ("tempo", "reaction"):
        if draw(st.booleans()):
            weights = st.lists(st.floats(0.001, 1000), min_size=players, max_size=players)
            values[key] = draw(weights)
    return rules_of(draw(st.sampled_from(list(GAMES))), **values)


@st.composite
def positions(draw: st.DrawFn, rules: PuzzleRules, players: int) -> Position:
    """Draw a position by passing pieces about, from where everyone has his own but for a few."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    pieces = 38 * np.eye(players, dtype=int)
    pieces += np.roll(2 * np.eye(players, dtype=int), 1, axis=0)
    for _ in range(draw(st.integers(0, 300))):
        giver, taker = rng.permutation(players)[:2]
        given, taken = (int(rng.choice(np.flatnonzero(pieces[seat]))) for seat in (giver, taker))
        pieces[giver, given] -= 1
        pieces[taker, given] += 1
        if not rules.advanced or rng.random() < 0.5 or not pieces[giver].any():
            pieces[taker, taken] -= 1
            pieces[giver, taken] += 1
    cards = draw(st.permutations(range(players)))
    complete = [seat for seat in range(players) if pieces[seat, cards[seat]] == 40]
    for seat in complete:
        pieces[[seat, seat - 1]] = pieces[[seat - 1, seat]]
    last = draw(st.none() | st.integers(0, players - 1))
    row = 0 if last is None else draw(st.integers(1, 3))
    return Position(
        tuple(tuple(int(n) for n in held) for held in pieces),
        tuple(cards),
        draw(st.integers(0, rules.max_beats - 1)),
        draw(st.sampled_from((None, last))),
        last,
        row,
        draw(st.booleans()) if last is not None else False,
        tuple(draw(st.integers(0, 3)) for _ in range(players)),
    )


def check_pieces(rules: PuzzleRules, lines: list[Line]) -> None:
    """P1, P4, P6, P11, P12: pieces are never lost or made, and go where they were given."""
    players = len(lines[0].holdings)
    nothing = (0,) * players
    for before, line in pairwise(lines):
        held = np.array(line.holdings)
        assert held.min() >= 0 and held.sum(0).tolist() == [40] * players
        assert rules.advanced or held.sum(1).tolist() == [40] * players
        sizes = [sum(gift) for gift in line.gifts]
        wanted, moved = list(before.holdings), [0] * players
        if line.what == "pass":
            step = STEP[line.detail[0]]
            assert sizes == [int(sum(pieces) > 0) for pieces in before.holdings]
            for seat in range(players):
                wanted[seat] = plus(
                    minus(before.holdings[seat], line.gifts[seat]),
                    line.gifts[(seat - step) % players],
                )
            moved = sizes
        elif line.what in ("trade", "bluff called"):
            other, said, committed = line.detail
            mine, theirs = line.gifts[line.seat], line.gifts[other]
            wanted[line.seat] = plus(minus(wanted[line.seat], mine), theirs)
            wanted[other] = plus(minus(wanted[other], theirs), mine)
            if line.what == "trade":
                moved[line.seat], moved[other] = committed, said
                assert mine == before.gifts[line.seat]
            else:
                payer = line.seat if said != committed else other
                moved[payer] = min(said, sum(before.holdings[payer]))
            assert sum(before.holdings[other]) >= said  # P5, P12
        elif line.what == "offer":
            said, committed = line.detail
            moved[line.seat] = committed
            assert 1 <= said <= rules.largest_offer and 0 <= committed <= rules.largest_offer
            assert rules.advanced or said == committed
            assert min(minus(line.holdings[line.seat], line.gifts[line.seat])) >= 0
        else:
            assert line.gifts == (nothing,) * players
        assert line.holdings == tuple(wanted)
        assert sizes == moved


def check_words(rules: PuzzleRules, lines: list[Line], start: Position | None) -> None:
    """P3, P7-P9: one word a beat, kept after a call, and no call more than may be."""
    players = len(lines[0].holdings)
    last, row, locked, kept = None, 0, False, None
    called, beat = [0] * players, 0
    if start is not None:
        last, row, locked, kept = start.last_caller, start.in_a_row, start.is_locked, start.speaker
        called, beat = list(start.called) or called, start.beat
    for line in lines:
        if line.what not in ("silent", "offer", "pass"):
            continue
        assert line.beat == beat and (kept is None or line.seat == kept)
        beat, kept = beat + 1, None
        locked |= line.what == "offer"
        if line.what == "pass":
            if rules.game == "horse-trader" and rules.advanced:
                assert called[line.seat] < rules.calls
            else:
                assert rules.calls and (last != line.seat or row < rules.calls)
                assert rules.game != "bronco" or last != line.seat or not locked
            row = row + 1 if last == line.seat else 1
            last, locked, kept = line.seat, False, line.seat
            called[line.seat] += 1
            assert players == 4 or line.detail != ("across",)


def check_end(rules: PuzzleRules, lines: list[Line], cards: Any, row: dict[str, int]) -> None:
    """P10, P13: the game ends when somebody is complete, at once, or after the last beat."""
    players, last = len(cards), lines[-1]
    for line in lines:
        complete = [s for s in range(players) if line.holdings[s][cards[s]] == 40]
        assert not complete or line in lines[-2:]
    assert [line.what in ("win", "stall") for line in lines].index(True) == len(lines) - 1
    if rules.simultaneous == "order":
        complete = sorted(complete, key=lambda seat: (seat - last.seat) % players)[:1]
    assert last.what == ("win" if complete else "stall")
    assert row["winners"] == sum(1 << seat for seat in complete)
    assert row["stalls"] == (not complete)
    assert row["length"] == last.beat + 1 <= rules.max_beats
    assert complete or row["length"] == rules.max_beats
    if complete:
        assert last.detail == (tuple(complete),)
    for seat in range(players):
        assert row[f"own_pieces_{seat}"] == last.holdings[seat][cards[seat]]


def counted(lines: list[Line], players: int) -> dict[str, int]:
    """Return what the log says of every event but the end."""
    found: Counter[str] = Counter()
    for line in lines:
        if line.what == "offer":
            found[f"offers_{line.seat}"] += 1
            found[f"bluffs_tried_{line.seat}"] += line.detail[0] != line.detail[1]
        elif line.what == "trade":
            other, said, committed = line.detail
            found["trades"] += 1
            found[f"trades_made_{line.seat}"] += 1
            found[f"trades_made_{other}"] += 1
            found[f"gained_by_bluffs_{line.seat}"] += said - committed
        elif line.what == "bluff called":
            other, said, committed = line.detail
            paid, verdict = sum(map(sum, line.gifts)), "right" if said != committed else "wrong"
            found[f"bluffs_called_{verdict}"] += 1
            found[f"calls_{verdict}_{other}"] += 1
            found[f"gained_by_calls_{other}"] += paid if said != committed else -paid
            found[f"gained_by_bluffs_{line.seat}"] -= paid if said != committed else 0
        elif line.what == "pass":
            found["passes"] += 1
            found[f"passes_called_{line.seat}"] += 1
        found["lapses"] += line.what == "lapse"
        found["silences"] += line.what == "silent"
    return found


def check_events(lines: list[Line], row: dict[str, int], players: int) -> None:
    """A row counts what the log tells."""
    found = counted(lines, players)
    for name, value in row.items():
        if name not in ("winners", "length", "stalls") and not name.startswith("own_pieces"):
            assert value == found[name], name


@FEW
@given(data=st.data(), seed=st.integers(0, 2**64 - 1), players=st.integers(3, 4))
def test_any_game_keeps_to_the_rules(data: st.DataObject, seed: int, players: int) -> None:
    rules = data.draw(rule_sets(players))
    game = GAMES[rules.game]
    assert {"bluffer", "sceptic"} <= set(NAMES) - set(PLAIN_NAMES)
    names = NAMES if rules.advanced else PLAIN_NAMES
    line_up = data.draw(st.lists(st.sampled_from(names), min_size=players, max_size=players))
    start = data.draw(st.none() | positions(rules, players))
    try:
        made = Bout(game, rules, seat_players(game, rules, ",".join(line_up)),
                    stream_seeds(seed), start)  # fmt: skip
    except BadInput as error:  # in such a position somebody is complete
        assert "(P10)" in str(error)
        return
    rows, log = made.logged(0)
    assert np.array_equal(rows, made.rows(0, 1)), "watched and unwatched play differ"
    row = dict(zip(made.columns, rows[0].tolist(), strict=True))
    lines = log_lines(log, players)
    check_pieces(rules, lines)
    check_words(rules, lines, start)
    check_end(rules, lines, cards_of(made) if start is None else start.cards, row)
    check_events(lines, row, players)


def test_a_piece_too_many_and_a_call_too_many_would_be_caught() -> None:
    """The companions: a log with a piece from nowhere, and one of another game's limit."""
    made = seated(of_all("test-anything", 4), max_beats=100)
    lines = lines_of(made)
    check_pieces(rules_of("horse-trader"), lines)
    held = [list(one) for one in lines[9].holdings]
    held[0][1] += 1
    amiss = dataclasses.replace(lines[9], holdings=tuple(map(tuple, held)))
    with pytest.raises(AssertionError):
        check_pieces(rules_of("horse-trader"), [*lines[:9], amiss, *lines[10:]])
    check_words(rules_of("horse-trader"), lines, None)
    for other in (rules_of("bronco"), rules_of("horse-trader", calls=2)):
        with pytest.raises(AssertionError):
            check_words(other, lines, None)


# Sums, curves and threads

LINE_UPS: list[tuple[str, dict[str, Any]]] = [
    ("trader-2,trader-1,hostage,trader-4", {}),
    ("caller,nagger,trader-3", {"game": "bronco", "max_beats": 300}),
    ("bluffer,sceptic,hostage,caller", {"advanced": True, "max_beats": 150}),
    (of_all("test-anything", 4), {"game": "bronco", "advanced": True, "max_beats": 64}),
    (of_all("trader-2", 3), {"max_beats": 20}),
]


@pytest.mark.parametrize(("line_up", "options"), LINE_UPS)
@pytest.mark.parametrize("start", [None, 7])
def test_the_curves_are_what_the_logs_tell(
    line_up: str, options: dict[str, Any], start: int | None
) -> None:
    """Own pieces at beats 0, 10, 20 … of a game, and at the next point what it ended with."""
    n, players = 40, line_up.count(",") + 1
    position = None
    if start is not None:
        deal = lines_of(seated(line_up, **options))[0].holdings
        position = Position(deal, tuple(range(players)), beat=start)
    made = seated(line_up, **options, start=position)
    wanted = np.zeros((players, 4, CURVE_POINTS), dtype=int)
    for number in range(n):
        cards = cards_of(made, number) if position is None else position.cards
        lines = lines_of(made, number)
        first, last = start or 0, lines[-1].beat + 1
        own = {beat: lines[0].holdings for beat in range(first, last + 1)}
        for line in lines[1:]:
            own |= {beat: line.holdings for beat in range(line.beat + 1, last + 1)}
        for point in range(CURVE_POINTS):
            beat = first + CURVE_STEP * point
            for seat in range(players):
                pieces = own[min(beat, last)][seat][cards[seat]]
                at = 0 if beat < last else 2
                wanted[seat, at : at + 2, point] += pieces, pieces**2
            if beat >= last:
                break
    sums = made.rows_and_sums(range(n))[1]
    for seat in range(players):
        places = made.game.tallies(players)[f"curve own_pieces_{seat}"]
        assert sums.tallied(places) == wanted[seat].ravel().tolist()


@pytest.mark.parametrize(("line_up", "options"), LINE_UPS)
def test_results_are_the_same_for_any_threads_and_chunks(
    line_up: str, options: dict[str, Any]
) -> None:
    made = seated(line_up, **options)
    players = len(made.players)
    whole = made.sums(range(600))
    assert whole.totals == add_up(made.rows(0, 600), players).totals
    for threads, chunk in ((1, None), (2, None), (2, 7), (3, 250), (1, 5000)):
        into = Sums(players)
        assert simulate(made.sums, into, range(600), crew=Threads(threads), chunk=chunk) == whole


@pytest.mark.parametrize(("line_up", "options"), LINE_UPS)
def test_games_do_not_depend_on_those_before(line_up: str, options: dict[str, Any]) -> None:
    """A game in the middle of a batch is the game on its own, in a table used or fresh."""
    made = seated(line_up, **options)
    rows = made.rows(0, 60)
    for number in (59, 0, 17, 18):
        assert np.array_equal(made.rows(number, number + 1)[0], rows[number])
        assert np.array_equal(made.logged(number)[0][0], rows[number])
    assert len(np.unique(rows, axis=0)) > 40


@pytest.mark.parametrize("simultaneous", ["share", "order"])
def test_every_game_has_one_win_to_share_or_a_stall(simultaneous: str) -> None:
    made = seated("caller,caller,nagger,caller", simultaneous=simultaneous, max_beats=90)
    rows, sums = made.rows_and_sums(range(800))
    shares = sum(
        Fraction(k, with_others + 1) for row in sums.wins for with_others, k in enumerate(row)
    )
    shared = sum(int(mask).bit_count() > 1 for mask in rows[:, WINNERS])
    assert shares + sums.unfinished == 800
    assert shared == 0 if simultaneous == "order" else shared > 80


def test_a_game_that_failed_leaves_nothing_behind() -> None:
    """A choice is refused in the middle of one game; the next on the same table is as ever."""
    scripts = {1: script(word=[8 + 1, 8 + 1, -1], answer=1), 2: script(answer=1)}
    rules = rules_of("bronco", advanced=True, max_beats=9)

    def fails(number: int) -> bool:
        try:
            bout(rules, scripts, 3).rows(number, number + 1)
        except BadInput:
            return True
        return False

    failing = next(number for number in range(100) if fails(number))
    sound = next(number for number in range(100) if not fails(number))
    used = bout(rules, scripts, 3)
    with pytest.raises(BadInput):
        used.rows(failing, failing + 1)
    fresh = bout(rules, scripts, 3).rows(sound, sound + 1)
    assert np.array_equal(used.rows(sound, sound + 1), fresh)


@pytest.mark.parametrize("edition", EDITIONS, ids=str)
def test_who_watches_changes_nothing(edition: dict[str, Any]) -> None:
    """Told of every event or of none, they play the same games."""
    rules = rules_of(**edition)
    game = GAMES[rules.game]
    silent = seat_players(game, rules, "trader-2,caller,hostage")
    watching = [dataclasses.replace(one, flags=one.flags | OBSERVES) for one in silent]
    plain = Bout(game, rules, silent, stream_seeds(6)).rows(0, 60)
    assert np.array_equal(Bout(game, rules, watching, stream_seeds(6)).rows(0, 60), plain)
    assert (plain[:, LENGTH] > 0).all()


def test_each_kind_of_luck_has_a_seed_of_its_own() -> None:
    """The deal, the table (who has the word, who is first) and each player's pieces."""
    rules = rules_of("horse-trader")
    players = seat_players(GAMES["horse-trader"], rules, of_all("trader-2", 4))

    def rows(**kinds: int) -> np.ndarray:
        return Bout(GAMES["horse-trader"], rules, players, stream_seeds(1, **kinds)).rows(0, 50)

    assert np.array_equal(rows(dice=9), rows())
    for kind in ("deal", "table", "choice"):
        assert not np.array_equal(rows(**{kind: 9}), rows())
