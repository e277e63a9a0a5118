"""Strategies that look only at their own: asked once beforehand, they play the same games."""

import dataclasses
from typing import Any

import numpy as np
import pytest

from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import Player
from herdlab.simcore.puzzle.table import Position
from herdlab.simcore.puzzle.view import ANSWER, COMMIT, PASS_LEFT, WORD
from herdlab.simcore.rng import below
from herdlab.simcore.table import OWN_ONLY
from herdlab.strategies.registry import seat_players
from tests.simcore.puzzle.actors import nosy_player, told_by
from tests.simcore.puzzle.harness import EVEN, GAMES, keep, offer, rules_of, script
from tests.simcore.puzzle.tables import EDITIONS, PLAIN, held, made, of_all

PLAIN_LINE_UPS = [
    "trader-1,trader-2,trader-3,trader-4",
    "trader-2,hostage,trader-4",
    "hostage,hostage,hostage,hostage",
    "dealer:few=20:offer_few=1:offer=4,dealer:near=6:offer_near=2:offer=3,"
    "dealer:answer_from=2,dealer:answer_to=2:hostages=1:until=5",
    "trader-2,caller,hostage,test-anything",
]
BLUFF_LINE_UPS = [
    "bluffer,sceptic,trader-2,hostage",
    "bluffer,bluffer,sceptic,sceptic",
    "dealer:offer=4:bluff_4=1:commit=0,dealer:offer=3:call_3=1:call_4=1,trader-1",
    "dealer:bluff_2=1:commit=4,sceptic,dealer:hostages=1:call_1=1:offer=1,bluffer",
    "bluffer,sceptic,caller,test-anything",
]
CASES = [
    *((line_up, edition) for line_up in PLAIN_LINE_UPS for edition in EDITIONS),
    *((line_up, one) for line_up in BLUFF_LINE_UPS for one in EDITIONS if one.get("advanced")),
]
N_GAMES = 60


def asked(player: Player) -> Player:
    """Return the same player without his promise: he is asked in play."""
    return dataclasses.replace(player, flags=player.flags & ~OWN_ONLY)


def both(
    line_up: str, settings: dict[str, Any], start: Position | None = None
) -> tuple[Bout, Bout]:
    """Return the bout of a line-up whose plans are worked out, and of the same players asked."""
    rules = rules_of(**{"max_beats": 600, **settings})
    players = seat_players(GAMES[rules.game], rules, line_up)
    assert any(player.flags & OWN_ONLY for player in players)

    def bout(seats: list[Player]) -> Bout:
        return Bout(GAMES[rules.game], rules, seats, stream_seeds(9), start)

    return bout(players), bout([asked(player) for player in players])


def check_same(planned: Bout, other: Bout, games: int = N_GAMES) -> None:
    rows, sums = planned.rows_and_sums(range(games))
    rows_asked, sums_asked = other.rows_and_sums(range(games))
    assert np.array_equal(rows, rows_asked)
    assert sums == sums_asked  # the curves too
    for number in range(3):
        row, log = planned.logged(number)
        assert np.array_equal(row[0], rows[number])  # watched and unwatched
        assert np.array_equal(log, other.logged(number)[1])


@pytest.mark.parametrize(("line_up", "edition"), CASES, ids=str)
def test_a_player_who_looks_only_at_his_own_plays_the_same_games(
    line_up: str, edition: dict[str, Any]
) -> None:
    check_same(*both(line_up, edition))


@pytest.mark.parametrize("settings", [
    {"simultaneous": "order"}, {"tempo": "1,5,1,2", "reaction": "3,1,1,9"}, {"largest_offer": 3},
    {"largest_offer": 1}, {"max_beats": 10}, {"max_beats": 41}, {"max_beats": 1},
], ids=str)  # fmt: skip
def test_by_all_rules(settings: dict[str, Any]) -> None:
    for edition in EDITIONS:
        check_same(*both("trader-2,trader-4,hostage,trader-1", {**edition, **settings}))


def test_from_positions() -> None:
    near = ((38, 1, 1, 0), (1, 38, 0, 1), (1, 0, 38, 1), (0, 1, 1, 38))
    few = held({1: (1, 1, 0, 1), 2: (1, 0, 0, 0), 3: (0, 1, 1, 0)}, 0)
    for start in (
        Position(near, (0, 1, 2, 3)),
        Position(near, (0, 1, 2, 3), beat=7, speaker=3, last_caller=3, in_a_row=1),
        Position(EVEN[4], (3, 1, 0, 2), beat=333, last_caller=1, in_a_row=2, is_locked=True),
    ):
        for edition in EDITIONS:
            for line_up in ("trader-2,trader-1,hostage,trader-4", "trader-1,caller,hostage,nagger"):
                check_same(*both(line_up, edition, start))
    for edition in EDITIONS:
        if edition.get("advanced"):
            start = Position(few, (2, 1, 0, 3))
            check_same(*both("bluffer,sceptic,trader-2,hostage", edition, start))
            check_same(*both("dealer:offer=4:bluff_4=1:commit=0,sceptic,sceptic,trader-1", edition,
                             start))  # fmt: skip


def test_players_of_one_strategy_share_a_table_and_others_do_not() -> None:
    """Plans of different parameters and data are not mixed up, whatever seats they sit in."""
    for line_up in ("trader-1,trader-4,trader-1,trader-4", "trader-4,trader-1,trader-4,trader-1"):
        check_same(*both(line_up, {"game": "bronco"}))


def test_that_a_plan_makes_a_difference_would_be_noticed() -> None:
    """The companion: one who breaks his promise, and looks at the beat, plays other games."""
    rules = rules_of("horse-trader", max_beats=200)
    game = GAMES["horse-trader"]
    others = seat_players(game, rules, of_all("trader-2", 4))[1:]
    players = [
        made(looks_at_the_beat, own_only=lambda values, own=own: own).seated("one", rules, (), 4)
        for own in (False, True)
    ]
    in_play, planned = (
        Bout(game, rules, [one, *others], stream_seeds(1)).rows(0, 50) for one in players
    )
    assert not np.array_equal(in_play, planned)


def looks_at_the_beat(decision, view, me):  # type: ignore[no-untyped-def]
    """Offers two pieces in every third beat."""
    if decision == WORD:
        return offers_two if view.spare >= 2 and view.beat % 3 == 0 else 0
    return 1 if decision == ANSWER and view.spare >= view.said else 0 if decision == ANSWER else 40


offers_two = offer(2)

# What he sees when his plans are worked out


def sees_only_his_own(decision, view, me):  # type: ignore[no-untyped-def]
    """Fails if it is shown anything but its own three numbers, the rules and the question."""
    for seat in range(4):
        if view.pieces[seat] != 0 or view.held[seat] != 0 or view.called[seat] != 0:
            return -301
    if view.beat != 0 or view.is_kept != 0 or view.may_call != 0:
        return -302
    if view.happening != 0 or view.gave != 0 or view.got != 0 or view.receiver != -1:
        return -303
    if view.detail_1 != -1 or view.detail_2 != -1 or view.detail_3 != -1:
        return -304
    if view.seat != -1:  # players in several seats share a plan
        return -309
    if not 0 <= view.own < 40 or not 0 <= view.kinds < view.players:
        return -305
    if not view.kinds <= view.spare <= 40 * view.kinds:
        return -306
    if not view.advanced and view.own + view.spare != 40:
        return -307
    if decision == ANSWER and not 1 <= view.said <= min(4, view.own + view.spare):
        return -308
    if decision == WORD:
        return offers_two if view.spare >= 2 else 0
    return 1 if decision == ANSWER and view.spare >= view.said else 0 if decision == ANSWER else 40


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("edition", EDITIONS, ids=str)
def test_at_planning_he_is_shown_his_own_three_numbers_and_nothing_else(
    edition: dict[str, Any], players: int
) -> None:
    rules = rules_of(**edition)
    game = GAMES[rules.game]
    one = made(sees_only_his_own, game=rules.game, own_only=lambda values: True)
    seats = [one.seated("one", rules, (), players) for _ in range(players)]
    rows = Bout(game, rules, seats, stream_seeds(2)).rows(0, 30)
    trader = seat_players(game, rules, of_all("trader-2", players))
    if not rules.advanced:  # with fewer than two he does not offer one: another strategy
        assert (rows[:, 1] > 20).all()
    assert len(Bout(game, rules, [seats[0], *trader[1:]], stream_seeds(2)).rows(0, 30)) == 30


def draws_luck(decision, view, me):  # type: ignore[no-untyped-def]
    """Breaks the promise that it draws no deal."""
    return below(me.luck, 1)


def draws_luck_to_answer(decision, view, me):  # type: ignore[no-untyped-def]
    """Breaks it at one decision only."""
    return below(me.luck, 1) if decision == ANSWER else 0


def calls_a_pass(decision, view, me):  # type: ignore[no-untyped-def]
    """Calls a pass, which nobody can who does not look whether he may."""
    return PASS_LEFT if decision == WORD else 0


def keeps_too_many(decision, view, me):  # type: ignore[no-untyped-def]
    """Answers no keep."""
    return offers_two if decision == WORD and view.spare > 1 else 99 if decision == COMMIT else 0


@pytest.mark.parametrize(
    ("function", "parts"),
    [
        (draws_luck, ["drew luck though it promises to look only at its own"]),
        (draws_luck_to_answer, ["drew luck though it promises", "'answer'"]),
        (calls_a_pass, [f"answered {PASS_LEFT}, which is not a legal choice", "'word'"]),
        (keeps_too_many, ["answered 99, which is not a legal choice", "'commit'"]),
    ],
)
@pytest.mark.parametrize("edition", PLAIN, ids=str)
def test_what_is_illegal_in_a_plan_is_refused_before_the_games(
    function: Any, parts: list[str], edition: dict[str, Any]
) -> None:
    rules = rules_of(**edition)
    one = made(function, game=rules.game, own_only=lambda values: True).seated("one", rules, (), 3)
    others = seat_players(GAMES[rules.game], rules, of_all("trader-2", 3))[1:]
    with pytest.raises(BadInput) as refused:
        Bout(GAMES[rules.game], rules, [*others, one], stream_seeds(2))
    for part in [*parts, "'one' in seat 2", "before game 0"]:
        assert part in str(refused.value)


# What the others see does not depend on it


@pytest.mark.parametrize("observes", [False, True])
@pytest.mark.parametrize("edition", [one for one in EDITIONS if one.get("advanced")], ids=str)
@pytest.mark.parametrize("other", ["sceptic", "bluffer", "trader-3"])
def test_another_player_sees_the_same_whether_plans_are_worked_out_or_not(
    other: str, edition: dict[str, Any], observes: bool
) -> None:
    """At each of his first questions, whatever they are: also when he must pay."""
    rules = rules_of(**edition, max_beats=200)
    game = GAMES[rules.game]
    mine = script(
        word=[offer(2, 1), offer(2), PASS_LEFT, 0, offer(3, 4)], answer=[2, 1, 0], pay=keep(40)
    )
    planned = seat_players(game, rules, of_all(other, 4))[1:]
    for question in range(12):
        one = nosy_player(rules, question, mine, 4, observes)
        told = [
            told_by(Bout(game, rules, [one, *others], stream_seeds(3)), 0)
            for others in (planned, [asked(player) for player in planned])
        ]
        assert told[0] is not None and told[0] == told[1], question
