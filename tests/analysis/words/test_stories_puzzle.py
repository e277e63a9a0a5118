"""Traces of Horse Trader and Bronco: what is told has happened, in each edition's words."""

import json
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from herdlab.analysis.terminal import listings
from herdlab.analysis.words import stories
from herdlab.analysis.words.stories.puzzle import PUZZLES, in_words
from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.strategies.registry import seat_players
from tests.reference.puzzle import Rules as ReferenceRules
from tests.reference.puzzle_table import SeededLuck, deal
from tests.simcore.puzzle.harness import GAMES, rules_of

BOASTER = "dealer:offer=4:bluff_4=1:commit=0"
"""Says "four" and commits nothing."""
ANYTHING = ",".join(["test-anything"] * 3)
SEED = 6
Settings = dict[str, object]
ADVANCED: Settings = {"advanced": True}
WILD: Settings = {"advanced": True, "max_beats": 400}
PLAYED: list[tuple[str, str, Settings]] = [
    ("horse-trader", "caller,hostage,nagger,trader-3", {}),
    ("horse-trader", "trader-1,caller,trader-4", {}),
    ("horse-trader", "caller,nagger,caller", {"calls": 1}),
    ("horse-trader", "caller,caller,caller,caller", {"simultaneous": "order"}),
    ("horse-trader", "trader-2,trader-2,caller", {"calls": 0, "largest_offer": 1}),
    ("horse-trader", "hostage,trader-1,hostage", {"max_beats": 9}),
    ("horse-trader", "bluffer,sceptic,caller,hostage", ADVANCED),
    ("horse-trader", f"{BOASTER},caller,sceptic", ADVANCED),
    ("horse-trader", ANYTHING, WILD),
    ("bronco", "caller,hostage,nagger,trader-3", {}),
    ("bronco", "caller,caller,nagger", {"tempo": "4,1,1", "reaction": "1,1,9"}),
    ("bronco", "caller,bluffer,nagger,sceptic", ADVANCED),
    ("bronco", "sceptic,bluffer,nagger", {**ADVANCED, "simultaneous": "order"}),
    ("bronco", f"{ANYTHING},test-anything", WILD),
]


def bout_of(game: str, line_up: str, settings: Settings) -> Bout:
    rules = rules_of(game, **settings)
    return Bout(GAMES[game], rules, seat_players(GAMES[game], rules, line_up), stream_seeds(SEED))


def told(game: str, line_up: str, settings: Settings, n_games: int) -> Iterator[stories.Story]:
    bout = bout_of(game, line_up, settings)
    return (stories.tell(bout, number) for number in range(n_games))


def holdings(one: stories.Happening) -> list[Counter[str]]:
    return [Counter(held) for held in one.facts["holdings"]]


def check_states(story: stories.Story) -> None:
    """Pieces move as is said, and not otherwise; none is lost."""
    last = story.happenings[0]
    for one in story.happenings:
        facts, then, now = one.facts, holdings(last), holdings(one)
        n = len(now)
        assert sum(now, Counter()) == Counter({puzzle: 40 for puzzle in PUZZLES[:n]})
        wanted = PUZZLES.index(facts["puzzles"][one.seat])
        assert one.after == in_words(tuple(now[one.seat][p] for p in PUZZLES[:n]), wanted)
        moved = [Counter[str]() for _ in range(n)]
        if one.what == "offer":
            assert facts["pieces"] == then[one.seat] & Counter(facts["pieces"])
            assert sum(facts["pieces"].values()) == facts["committed"]
            few = [s for s in range(n) if s != one.seat and now[s].total() < facts["said"]]
            assert facts["cannot_answer"] == few
            assert ("P5" in one.clauses) == bool(few)
            assert ("P11" in one.clauses) == (facts["said"] != facts["committed"])
        elif one.what == "trade":
            assert sum(facts["got"].values()) == facts["said"]
            assert sum(facts["gave"].values()) == facts["committed"]
            assert (last.what, last.seat, last.turn) == ("offer", one.seat, one.turn)
            assert facts["gave"] == last.facts["pieces"]
            assert facts["partner"] not in (one.seat, *last.facts["cannot_answer"])
            moved[one.seat].update(facts["got"])
            moved[one.seat].subtract(facts["gave"])
            moved[facts["partner"]].update(facts["gave"])
            moved[facts["partner"]].subtract(facts["got"])
        elif one.what == "bluff called":
            assert facts["is_bluff"] == (facts["said"] != facts["committed"])
            payer, paid = facts["payer"], facts["paid"]
            payee = one.seat + facts["caller"] - payer
            assert payer == (one.seat if facts["is_bluff"] else facts["caller"])
            assert sum(paid.values()) == min(facts["said"], then[payer].total())
            moved[payer].subtract(paid)
            moved[payee].update(paid)
        elif one.what == "pass":
            step = {"left": 1, "right": n - 1, "across": 2}[facts["direction"]]
            for seat, passed in enumerate(facts["passed"]):
                assert sum(passed.values()) == (1 if then[seat].total() else 0)
                moved[seat].subtract(passed)
                moved[(seat + step) % n].update(passed)
                piece = " ".join(f"{count} {puzzle}" for puzzle, count in passed.items())
                to = f"from seat {seat} to seat {(seat + step) % n}"
                assert re.search(rf"{piece or 'nothing'}( goes)? {to}", one.words)
        if one.what != "deal":
            assert [{p: now[s][p] - then[s][p] for p in PUZZLES} for s in range(n)] == [
                {p: change[p] for p in PUZZLES} for change in moved
            ]
        last = one


@pytest.mark.parametrize(("game", "line_up", "settings"), PLAYED, ids=str)
def test_words_and_states_agree(game: str, line_up: str, settings: Settings) -> None:
    bout = bout_of(game, line_up, settings)
    for number in range(5):
        story = stories.tell(bout, number)
        check_states(story)
        last = story.happenings[-1]
        row = dict(zip(bout.columns, bout.rows(number, number + 1)[0].tolist(), strict=True))
        assert last.turn == story.length == row["length"] and story.unit == "beat"
        assert last.facts["winners"] == story.winners
        assert {one.turn for one in story.happenings} == set(range(story.length + 1))
        for seat, puzzle in enumerate(last.facts["puzzles"]):
            assert last.facts["holdings"][seat].get(puzzle, 0) == row[f"own_pieces_{seat}"]
            assert last.facts["passes_called"][seat] == row[f"passes_called_{seat}"]
        json.dumps([one.as_json() for one in story.happenings])
        assert all("round" not in one.as_json() for one in story.happenings)
        assert not any("\n" in one.words or "  " in one.words for one in story.happenings)


@pytest.mark.parametrize("game", ["horse-trader", "bronco"])
def test_every_happening_names_the_clauses_that_acted(game: str) -> None:
    known = set(dict(GAMES[game].clauses))
    seen = set()
    for name, line_up, settings in PLAYED:
        if name == game:
            for story in told(game, line_up, settings, 5):
                for one in story.happenings:
                    assert one.clauses and set(one.clauses) <= known
                    assert len(set(one.clauses)) == len(one.clauses)
                    seen |= set(one.clauses)
    assert seen == known


@pytest.mark.parametrize("line_up", ["caller,caller,caller", "caller,trader-1,nagger,trader-4"])
def test_p1_p2_the_deal_is_that_of_the_seed(line_up: str) -> None:
    players = len(line_up.split(","))
    for number, story in enumerate(told("bronco", line_up, {}, 20)):
        dealt = deal(players, ReferenceRules(edition="bronco"), SeededLuck(SEED, number))
        first = story.happenings[:players]
        assert [one.what for one in first] == ["deal"] * players
        for seat, one in enumerate(first):
            puzzle = PUZZLES[dealt.cards[seat]]
            assert one.turn == 0 and one.seat == seat and one.before == "nothing"
            assert one.words.endswith(f"is dealt 40 pieces and wants puzzle {puzzle}")
            assert one.after == in_words(tuple(dealt.holdings[seat]), dealt.cards[seat])


@pytest.mark.parametrize(("game", "line_up", "settings"), PLAYED, ids=str)
def test_p3_p7a_who_has_called_has_the_word_again(
    game: str, line_up: str, settings: Settings
) -> None:
    words = Counter[bool]()
    for story in told(game, line_up, settings, 5):
        caller = None
        for one in story.happenings:
            if one.what in ("offer", "pass", "silent"):
                is_kept = caller is not None
                assert one.words.startswith("has the word again and ") == is_kept
                assert one.clauses[0] == ("P7a" if is_kept else "P3")
                assert caller in (None, one.seat)
                caller = one.seat if one.what == "pass" else None
                words[is_kept] += 1
    is_called = settings.get("calls") != 0 and re.search("caller|nagger|anything", line_up)
    assert words[False] and bool(words[True]) == bool(is_called)


def test_p7_calls_are_counted_through_trades_until_another_calls() -> None:
    sentences = Counter[str]()
    for story in told("horse-trader", "caller,nagger,caller,trader-2", {}, 10):
        last, row = None, 0
        for one in story.happenings:
            if one.what == "pass":
                row = row + 1 if one.seat == last else 1
                last = one.seat
                assert one.facts["in_a_row"] == row <= 3 and "P7" in one.clauses
                said = re.search(r"!\", (his .+?): ", one.words)
                assert said is not None
                sentences[f"{row} {said[1]}"] += 1
    assert set(sentences) == {
        "1 his first call in a row",
        "2 his second call in a row",
        "3 his third call in a row and his last until another player calls",
    }


def test_p8_an_offer_after_the_call_locks_the_caller() -> None:
    locks = Counter[str]()
    for story in told("bronco", "caller,nagger,trader-2,trader-1", {"calls": 2}, 20):
        last, row, locked = None, 0, False
        for one in story.happenings:
            if one.what == "pass":
                assert not (locked and one.seat == last)
                row = row + 1 if one.seat == last else 1
                last, locked = one.seat, False
                assert row <= 2 and one.clauses[-1] == "P8"
            if one.what == "offer":
                is_new = last is not None and not locked and row < 2
                assert ("P8" in one.clauses) == is_new
                if is_new:
                    who = "he" if one.seat == last else f"seat {last} ("
                    assert f"; now {who}" in one.words
                    assert one.words.endswith("may not call a pass again until another player has")
                    locks["own" if one.seat == last else "other"] += 1
                locked = last is not None
    assert locks["own"]


def test_p9_calls_of_the_whole_game_are_counted() -> None:
    for story in told("horse-trader", "caller,trader-2,nagger", ADVANCED, 5):
        calls = Counter[int]()
        for one in story.happenings:
            if one.what == "pass":
                calls[one.seat] += 1
                count = ("", "first", "second", "third")[calls[one.seat]]
                assert f", his {count} call of three in the whole game: " in one.words
                assert "P9" in one.clauses
        assert calls[0] == 3


HORSE_TRADER_SAYS = [
    'commits nothing, a bluff: "Who\'ll trade four?"',
    'trades with seat 1 (caller), the first to say "four": gives nothing and gets ',
    'calls "Horse feathers!" and is right: nothing is committed, not four. Seat 0 (',
    'calls "Horse feathers!" and is wrong: two pieces are committed. He pays ',
    'calls "Hold your horses! Left!", his first call of three in the whole game: ',
]
BRONCO_SAYS = [
    ': "Who\'ll swap two pieces?"',
    ': "Who\'ll swap one piece?"',
    "swaps with seat 1 (bluffer), the first to accept: gives ",
    ', a bluff: "Who\'ll swap two pieces?"',
    'calls "Horse Shoes!" and is right: one piece is committed, not two. Seat 1 (bluffer) pays ',
    'calls "Horse Shoes!" and is wrong: two pieces are committed. He pays ',
    'calls "Pass the Buck - right!", his first call in a row: ',
    ', shouts "BRONCO" and wins',
]
SELDOM: list[tuple[str, str, str, Settings]] = [
    *(("horse-trader", f"{BOASTER},caller,sceptic", s, ADVANCED) for s in HORSE_TRADER_SAYS),
    *(("bronco", "caller,bluffer,nagger,sceptic", sentence, ADVANCED) for sentence in BRONCO_SAYS),
    ("horse-trader", "caller,trader-2,nagger,nagger", '"Hold your horses! Across!", his first', {}),
    ("horse-trader", "trader-1,trader-4,hostage", "nobody answers: the offer lapses", {}),
    ("bronco", ANYTHING, "nobody answers or calls the bluff: the offer lapses", WILD),
    ("horse-trader", ANYTHING, "pays all that he holds, ", WILD),
    ("horse-trader", ANYTHING, ") has nothing to pay", WILD),
    ("horse-trader", "trader-2,trader-2,sceptic,sceptic", "(sceptic) hold too few", ADVANCED),
    ("horse-trader", ANYTHING, "holds too few to answer", WILD),
    ("horse-trader", ANYTHING, "nothing from seat ", WILD),
    ("horse-trader", "trader-2,sceptic,sceptic", "stays silent", ADVANCED),
    ("bronco", "caller,caller,caller", ', shout "BRONCO" at once and share the win', {}),
    (
        "horse-trader",
        "caller,caller,caller,caller",
        ") has completed a puzzle in the same movement, but comes later to the left of the word",
        {"simultaneous": "order"},
    ),
]


@pytest.mark.parametrize(("game", "line_up", "sentence", "settings"), SELDOM)
def test_each_edition_has_its_own_words_and_what_is_seldom_is_told_too(
    game: str, line_up: str, sentence: str, settings: Settings
) -> None:
    found = told(game, line_up, settings, 30)
    assert any(sentence in one.words for story in found for one in story.happenings)


@pytest.mark.parametrize(("game", "line_up", "settings"), PLAYED, ids=str)
def test_no_edition_speaks_like_the_other(game: str, line_up: str, settings: Settings) -> None:
    others = r"Buck|Horse Shoes|BRONCO|swap" if game == "horse-trader" else r"[Hh]orses|feathers"
    for story in told(game, line_up, settings, 2):
        assert not any(re.search(others, one.words) for one in story.happenings)


def test_p10_a_win_alone_and_a_win_that_is_shared() -> None:
    shared = alone = 0
    for story in told("horse-trader", "caller,caller,caller,caller", {}, 20):
        last = story.happenings[-1]
        assert last.what == "win" and last.clauses == ("P10",) and last.seat == story.winners[0]
        assert last.facts["complete"] == story.winners
        for seat in story.winners:
            assert last.facts["holdings"][seat] == {last.facts["puzzles"][seat]: 40}
        if len(story.winners) == 1:
            alone += 1
            assert story.end == f"seat {last.seat} (caller) wins in beat {story.length}"
        else:
            shared += 1
            assert story.end.endswith(f"(caller) share the win in beat {story.length}")
    assert shared and alone


def test_p13_a_stall_has_no_winner() -> None:
    for story in told("bronco", "hostage,trader-1,nagger", {"max_beats": 9}, 5):
        last = story.happenings[-1]
        assert (last.what, last.turn, last.clauses) == ("stall", 9, ("P13",))
        assert last.words == "nobody has completed his puzzle in 9 beats: no winner"
        assert story.winners == [] and story.end == "nobody has won in 9 beats (P13)"


def test_a_holding_in_words() -> None:
    assert in_words((9, 8, 12, 11), 2) == "12 C (own), 9 A, 8 B, 11 D"
    assert in_words((0, 3, 0), 0) == "0 A (own), 3 B"
    assert in_words((0, 40, 0), 1) == "40 B (own)"
    assert in_words((0, 0, 0), 1) == "nothing"


def test_the_printed_story_has_a_heading_for_every_beat(
    capsys: pytest.CaptureFixture[str],
) -> None:
    (story,) = told("bronco", "caller,hostage,nagger", {}, 1)
    listings.story(story, "A game")
    lines = capsys.readouterr().out.splitlines()
    heads = [line for line in lines if line.startswith("Beat ")]
    assert len(heads) == story.length
    assert re.fullmatch(r"Beat 1, seat \d \S+: \d+ [ABC] \(own\).*", heads[0])
    assert not any(line.startswith(("Turn", "Session")) or "round" in line for line in lines)
    assert lines[-1] == story.end
