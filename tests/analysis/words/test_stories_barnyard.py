"""Traces of Barnyard Swap: what is told has happened, under every reading."""

import json
from collections import Counter
from collections.abc import Iterator

import pytest

from herdlab.analysis.terminal import listings
from herdlab.analysis.words import stories
from herdlab.analysis.words.stories.barnyard import in_words
from herdlab.simcore.barnyard.rules import ANIMALS, DONKEY, NUMBERS, WATCHDOG, BarnyardRules
from herdlab.simcore.barnyard.table import card_name
from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.game import find_game
from herdlab.strategies.registry import seat_players

BARNYARD = find_game("barnyard")
ALL_KINDS_OF_PLAYERS = "collector,random,purist,honest,gatherer:watchdog=pass"
CARDS = {card_name(card): card for card in range(WATCHDOG + 1)}


def told(line_up: str, n_games: int, **settings: object) -> Iterator[stories.Story]:
    rules = BarnyardRules.from_settings(settings)
    bout = Bout(BARNYARD, rules, seat_players(BARNYARD, rules, line_up), stream_seeds(6))
    return (stories.tell(bout, number) for number in range(n_games))


def all_words(line_up: str, n_games: int, **settings: object) -> Iterator[str]:
    found = told(line_up, n_games, **settings)
    return (one.words for story in found for one in story.happenings)


def hand_of(one: stories.Happening, seat: int) -> Counter[str]:
    return Counter(one.facts["hands"][seat])


def test_every_happening_names_the_clauses_that_acted() -> None:
    known, seen = dict(BARNYARD.clauses), set()
    for story in [*told(ALL_KINDS_OF_PLAYERS, 10), *told("random,random,random", 1, max_rounds=1)]:
        for one in story.happenings:
            assert one.clauses and set(one.clauses) <= set(known)
            seen |= set(one.clauses)
            assert "\n" not in one.words
    assert seen == set(known) - {"B1"}


def test_words_and_states_agree() -> None:
    """Hands change by what is said to be given, got, drawn and discarded, and not otherwise."""
    seen = Counter[str]()
    for story in told(ALL_KINDS_OF_PLAYERS, 10):
        last = story.happenings[0]
        for one in story.happenings:
            seat, before, after = one.seat, hand_of(last, one.seat), hand_of(one, one.seat)
            assert one.after == in_words(tuple(CARDS[card] for card in one.facts["hands"][seat]))
            if one.what == "deal":
                assert one.before == "nothing"
            elif one.what == "draw":
                assert after == before + Counter([one.facts["card"]])
            elif one.what == "discard":
                assert after == before - Counter([one.facts["card"]])
                assert before[one.facts["card"]]
            elif one.what == "trade":
                facts, bidder = one.facts, one.facts["bidder"]
                given, received = Counter([facts["given"]]), Counter([facts["received"]])
                assert after == before - given + received
                assert hand_of(one, bidder) == hand_of(last, bidder) - received + given
                named = facts["asked"], facts["accepted"]
                is_other = (facts["given"], facts["received"]) != named
                assert ("instead" in one.words) == is_other
                seen["another card"] += is_other
            else:
                assert one.facts["hands"] == last.facts["hands"]
            seen[one.what] += 1
            last = one
    assert seen["deal"] == 200 and seen["draw"] == seen["discard"] > 500
    assert seen["trade"] > seen["another card"] > 10


def test_b13_turns_begin_again_in_every_session_and_a_round_is_one_turn_each() -> None:
    sessions = asks = 0
    for story in told("collector,miser,random", 5):
        for one, following in zip(story.happenings, story.happenings[1:], strict=False):
            assert one.round == -(-one.turn // 3)
            assert one.session is not None and following.session is not None
            if following.session == one.session and following.turn:
                assert following.turn - one.turn in (0, 1)
            if following.session != one.session:
                assert following.session == one.session + 1
                assert (one.what, following.what) == ("score", "deal")
                assert following.turn == 0
                sessions += 1
            if following.what == "ask":  # B4
                assert following.seat == (following.session - 1 + following.turn - 1) % 3
                asks += 1
    assert sessions == 5 * 3 and asks > 100


def test_b14_to_b18_the_parts_of_a_score_add_up_and_so_do_the_totals() -> None:
    scores, runaways = 0, 0
    for story in told("collector,miser,random,purist", 10):
        totals = [0] * 4
        for one in story.happenings:
            if one.what == "score":
                score, points = one.facts["score"], one.facts["points"]
                assert score == sum(points.values())
                assert f"scores {score} = {points['numbers']} numbers" in one.words
                assert ("B16" in one.clauses) == (points["runaway"] != 0)
                totals[one.seat] += score
                scores += 1
                runaways += points["runaway"] != 0
                assert one.words.endswith(f"; total {totals[one.seat]}")
            assert one.facts["totals"] == totals
        last = story.happenings[-1]
        assert last.what == "win" and last.facts["winners"] == story.winners
        assert story.winners == [seat for seat in range(4) if totals[seat] == max(totals)]
        assert story.end.endswith(f"with {max(totals)} points")
    assert scores == 10 * 4 * 4 and runaways > 10


def test_b18_a_shared_win_is_told() -> None:
    ends = [story.end for story in told("random,random,random", 60, sessions=1, max_rounds=1)]
    assert any(" share the win with " in end for end in ends)


def test_the_animal_that_is_shown_is_the_one_in_the_hand() -> None:
    shown = Counter[tuple[str, bool]]()
    for story in told(ALL_KINDS_OF_PLAYERS, 10):
        for one in story.happenings:
            if one.what in ("full hand", "no claim"):
                farm = [CARDS[card] for card in hand_of(one, one.seat) if CARDS[card] < DONKEY]
                assert {ANIMALS[card // NUMBERS] for card in farm} == {one.facts["animal"]}
                assert one.facts["animal"] in one.words
                is_claim = one.facts["wild_card"] is not None
                assert ("with the" in one.words) == is_claim
                shown[one.what, is_claim] += 1
    assert set(shown) == {("full hand", False), ("full hand", True), ("no claim", True)}


SETTINGS: list[tuple[str, dict[str, object]]] = [
    ("random,collector,honest,random", {"donkeys": 2}),
    ("random,miser,random", {"discard_wild": True}),
    ("random,miser,random", {"recycle": "turned", "max_rounds": 40}),
    ("random,miser,random", {"recycle": "as_is", "max_rounds": 40}),
    ("random,miser,random", {"collecting": "declared"}),
    ("random,miser,random", {"runaway_wild": "redraw"}),
    ("collector,miser,random", {"target": 150}),
    ("collector,miser,random", {"target": 10_000, "max_sessions": 2}),
    ("random,random,random", {"max_rounds": 1}),
    ("collector,miser,random,honest,purist,collector,random", {}),
    ("collector,miser,random,honest,purist,collector,random,miser,honest", {"donkeys": 2}),
]


@pytest.mark.parametrize(("line_up", "settings"), SETTINGS, ids=str)
def test_other_rules_are_told_too(line_up: str, settings: dict[str, object]) -> None:
    for story in told(line_up, 5, **settings):
        assert story.end and story.winners and story.beginning
        json.dumps([one.as_json() for one in story.happenings])


@pytest.mark.parametrize(
    ("sentence", "line_up", "settings"),
    [
        (" - 20 Donkeys; total ", "random,random,random,random", {"donkeys": 2, "max_rounds": 1}),
        (", 2 Donkeys and scores ", "random,random,random,random", {"donkeys": 2, "max_rounds": 1}),
        ("discards the Donkey", "random,random,random", {"discard_wild": True}),
        ("pile of discards becomes it, shuffled", "random,random,random", {}),
        ("becomes it, turned over, the oldest", "random,random,random", {"recycle": "turned"}),
        ("becomes it, as it lies, the newest", "random,random,random", {"recycle": "as_is"}),
        (
            "nobody has a full hand after 1 round: a stall",
            "random,random,random",
            {"max_rounds": 1},
        ),
        ("does not claim a full hand of ", "purist,collector,purist", {}),
        ("aside unseen: the Donkey, out of play", "random,random,random", {"max_rounds": 1}),
        (" (both)", ",".join(["miser"] * 12), {}),
        (
            "nobody has 999 points after 1 session, and the match is over",
            "random,random,random",
            {"target": 999, "max_sessions": 1},
        ),
        (" gives the Donkey instead and gets ", ALL_KINDS_OF_PLAYERS, {}),
        (" and gets the Donkey instead", ALL_KINDS_OF_PLAYERS, {}),
        ("gives the Watchdog instead", ALL_KINDS_OF_PLAYERS, {}),
        ("claims a full hand of ", "collector,collector,collector", {}),
        ("what am I offered for 1 pig?", "random,random,random", {}),
    ],
)
def test_what_is_seldom_is_told_as_well(
    sentence: str, line_up: str, settings: dict[str, object]
) -> None:
    assert any(
        sentence in words for words in all_words(line_up, 60, **{"max_rounds": 50} | settings)
    )


@pytest.mark.parametrize(("runaway_wild", "is_seen"), [("out", True), ("redraw", False)])
def test_b16_under_redraw_no_wild_card_is_the_runaway(runaway_wild: str, is_seen: bool) -> None:
    words = all_words("random,random,random", 40, runaway_wild=runaway_wild, max_rounds=1)
    assert any("out of play" in sentence for sentence in words) == is_seen


def test_a_match_to_a_target_ends_with_the_session_that_reaches_it() -> None:
    for story in told("collector,miser,random", 5, target=100):
        assert "once somebody has 100 points" in story.beginning
        finals = {one.session: max(one.facts["totals"]) for one in story.happenings}
        *before, last = finals.values()
        assert last >= 100 and all(total < 100 for total in before)


def test_a_hand_in_words() -> None:
    assert in_words((12, 14, 16, 39, DONKEY)) == "pigs 3 5 7, cows 10, Donkey"
    assert in_words((0, 0, DONKEY, DONKEY, WATCHDOG)) == "sheep 1 1, 2 Donkeys, Watchdog"
    assert in_words(()) == "nothing"


def test_the_printed_story_shows_sessions_turns_and_who_bids(
    capsys: pytest.CaptureFixture[str],
) -> None:
    (story,) = told("collector,random,miser", 1, sessions=2)
    listings.story(story, "A match")
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith("Session")] == ["Session 1", "Session 2"]
    turns = {(one.session, one.turn) for one in story.happenings if one.turn}
    heads = [line for line in lines if line.startswith("Turn ")]
    assert len(heads) == len(turns)
    assert heads[0].startswith("Turn 1 (round 1), seat 0 collector: ")
    bids = [one for one in story.happenings if one.what == "bid"]
    assert bids and all(one.words.startswith(f"seat {one.seat} (") for one in bids)
    assert lines[-1] == story.end
