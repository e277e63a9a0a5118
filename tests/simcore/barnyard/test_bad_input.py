"""What is refused, each with a sentence: settings, tables, positions and strategies' answers."""

import dataclasses
from typing import Any

import numpy as np
import pytest

from herdlab.simcore.barnyard.rules import BarnyardRules
from herdlab.simcore.barnyard.table import Position, check_position
from herdlab.simcore.barnyard.view import PLAN_ASK
from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.simcore.rules import load_settings
from herdlab.strategies.registry import seat_players
from tests.simcore.barnyard.harness import (
    BARNYARD,
    bits,
    card,
    cards,
    name,
    of,
    offer,
    play,
    script,
    start,
)
from tests.simcore.barnyard.tables import MIXED, SIXES, mixed, one_turn, quiet_match
from tests.words import meant

# settings


@pytest.mark.parametrize(
    ("setting", "value", "message"),
    [
        ("donkeys", 0, r"rule donkeys \(B1\) must be 1 or 2, and got '0'"),
        ("donkeys", 3, r"rule donkeys \(B1\) must be 1 or 2, and got '3'"),
        ("donkeys", "two", r"rule donkeys \(B1\) must be 1 or 2, and got 'two'"),
        ("donkeys", True, r"rule donkeys \(B1\) must be 1 or 2, and got 'true'"),
        ("runaway_wild", "redrawn", rf"runaway_wild \(B3\) 'redrawn': {meant('redraw')}"),
        ("runaway_wild", True, r"rule runaway_wild \(B3\)"),
        ("discard_wild", 2, r"rule discard_wild \(B9\) must be true or false, and got '2'"),
        ("discard_wild", "maybe", r"rule discard_wild \(B9\) must be true or false"),
        ("recycle", "shuffle", rf"recycle \(B10\) 'shuffle': {meant('shuffled')}"),
        ("max_rounds", 0, r"rule max_rounds \(B13\) must be a whole number from 1 to 1000"),
        ("max_rounds", 1001, r"rule max_rounds \(B13\) must be a whole number from 1 to 1000"),
        ("max_rounds", "2.5", r"rule max_rounds \(B13\) must be a whole number"),
        ("collecting", "worst", r"collecting \(B15\) 'worst'"),
        ("sessions", 0, r"rule sessions \(B18\) must be a whole number from 1 to 250"),
        ("sessions", 251, r"rule sessions \(B18\) must be a whole number from 1 to 250"),
        ("sessions", 4.0, r"rule sessions \(B18\) must be a whole number"),
        ("target", -1, r"rule target \(B18\) must be a whole number from 0 to 10000"),
        ("target", "far", r"rule target \(B18\) must be a whole number"),
        ("max_sessions", 0, r"rule max_sessions \(B18\) must be a whole number from 1 to 250"),
        ("sesions", 4, rf"unknown rule of barnyard 'sesions': {meant('sessions')}"),
    ],
)
def test_a_wrong_setting_is_refused_with_its_clause(
    setting: str, value: object, message: str
) -> None:
    with pytest.raises(BadInput, match=message):
        BarnyardRules.from_settings({setting: value})


def test_settings_are_read_from_texts() -> None:
    texts = ["donkeys=2", "discard_wild=true", "recycle=as_is", "target=150"]
    rules = BarnyardRules.from_settings(load_settings(None, texts))
    wanted = BarnyardRules(donkeys=2, discard_wild=True, recycle="as_is", target=150)
    assert rules == wanted


def test_every_reading_is_a_setting_of_its_clause() -> None:
    found = {key: (note.clause, note.alternatives) for key, note in BarnyardRules.notes().items()}
    assert {key: value for key, value in found.items() if value[1]} == {
        "runaway_wild": ("B3", ("out", "redraw")),
        "recycle": ("B10", ("shuffled", "turned", "as_is")),
        "collecting": ("B15", ("best", "declared")),
    }


# tables and positions


@pytest.mark.parametrize("n_players", [1, 2, 15])
def test_b2_a_table_that_is_too_small_or_too_large_is_refused_by_the_engine_too(
    n_players: int,
) -> None:
    quiet = seat_players(BARNYARD, BarnyardRules(), "test-scripted,random,random")[0]
    with pytest.raises(BadInput, match=f"3 to 14 players, and got {n_players}"):
        Bout(BARNYARD, BarnyardRules(), [quiet] * n_players, stream_seeds(0))


def test_b1_two_donkeys_with_three_players_are_refused_at_the_deal() -> None:
    with pytest.raises(BadInput, match=r"donkeys \(B1\) .* and there are 3"):
        quiet_match(3, donkeys=2)
    assert len(of(quiet_match(4, donkeys=2, sessions=1, max_rounds=1), "deal")) == 1


@pytest.mark.parametrize("extra", ["sheep 9", "Donkey", "Watchdog"])
def test_b1_a_position_with_too_many_of_a_card_is_refused(extra: str) -> None:
    """Two of a card need two packs, and there are no three."""
    hands = (f"sheep 1 2 3, pigs 1 2 3, {extra}", f"sheep 5 6, pigs 4 5 6, goats 2, {extra}")
    wanted = rf"too many of the {name(cards(extra)[0])} \(B1\)"
    with pytest.raises(BadInput, match=wanted):
        play(*hands, MIXED[3])
    eight = (*hands, *mixed(14)[9:14], "cows 1 2 3 4, horses 1 2 3")
    assert len(play(*eight, max_rounds=1)[0].hands) == 8
    with pytest.raises(BadInput, match=wanted):
        play(*eight[:7], f"cows 1 2 3, horses 1 2 3, {extra}")


@pytest.mark.parametrize("place", ["barnyard", "pile", "runaway"])
def test_b1_a_card_in_a_hand_lies_nowhere_else(place: str) -> None:
    elsewhere: Any = {place: "5 pigs" if place == "runaway" else "pigs 5"}
    with pytest.raises(BadInput, match=r"too many of the 5 pigs \(B1\)"):
        play(*MIXED[:3], **elsewhere)


@pytest.mark.parametrize("odd", [-1, 52, 99])
def test_b1_a_card_that_does_not_exist_is_refused(odd: int) -> None:
    hands = tuple(cards(hand) for hand in MIXED[:3])
    with pytest.raises(BadInput, match=rf"there is no card {odd}: cards are 0 to 51 \(B1\)"):
        check_position(BarnyardRules(), Position(((odd, *hands[0][1:]), *hands[1:])))
    with pytest.raises(BadInput, match=rf"there is no card {odd}"):
        check_position(BarnyardRules(), Position(hands, pile=(odd,)))


@pytest.mark.parametrize(
    ("hands", "seat", "size"),
    [
        (("sheep 1 2 3, pigs 1 2 3", *MIXED[1:3]), 0, 7),
        ((*MIXED[:3], "cows 1 2 3 4, horses 1 2 3 4"), 3, 7),
        ((SIXES[0], "sheep 4 5 6, pigs 4 5 6, goats 2", *SIXES[2:]), 1, 6),
        ((*mixed(8)[:7], "cows 4 5 6, horses 4 5 6"), 7, 7),
    ],
)
def test_b2_a_position_with_another_size_of_hand_is_refused(
    hands: tuple[str, ...], seat: int, size: int
) -> None:
    with pytest.raises(BadInput, match=rf"seat {seat} must hold {size} cards, and has .* \(B2\)"):
        play(*hands)


def test_b2_a_position_has_as_many_hands_as_players() -> None:
    players = seat_players(BARNYARD, BarnyardRules(), "random,random,random")
    hands = tuple(cards(hand) for hand in MIXED[:4])
    with pytest.raises(BadInput, match="the position has 4 hands for 3 players"):
        Bout(BARNYARD, BarnyardRules(), players, stream_seeds(0), Position(hands))


def test_b3_without_a_card_for_the_runaway_a_position_is_refused() -> None:
    hands = tuple(cards(hand) for hand in MIXED[:3])
    taken = {one for hand in hands for one in hand}
    rest = tuple(one for one in range(52) if one not in taken)
    check_position(BarnyardRules(), Position(hands, barnyard=rest[1:]))
    with pytest.raises(BadInput, match="B3"):
        check_position(BarnyardRules(), Position(hands, barnyard=rest))


def test_b3_where_only_wild_cards_are_left_one_is_laid_aside_unless_it_is_redrawn() -> None:
    hands = tuple(cards(hand) for hand in MIXED[:3])
    taken = {one for hand in hands for one in hand}
    farm = tuple(one for one in range(50) if one not in taken)
    with pytest.raises(BadInput, match="B3"):
        check_position(BarnyardRules(runaway_wild="redraw"), Position(hands, barnyard=farm))
    check_position(BarnyardRules(), Position(hands, barnyard=farm))


def test_b3_a_wild_card_that_is_redrawn_cannot_be_the_runaway_of_a_position() -> None:
    with pytest.raises(BadInput, match="B3"):
        play(*MIXED[:3], runaway="Donkey", runaway_wild="redraw", max_rounds=1)


@pytest.mark.parametrize(("session", "rules"), [(4, {}), (-1, {}), (7, {"target": 9}),
                                                (2, {"sessions": 2})])  # fmt: skip
def test_b18_a_position_in_a_session_that_is_not_played_is_refused(
    session: int, rules: dict[str, Any]
) -> None:
    position = Position(tuple(cards(hand) for hand in MIXED[:3]), session=session)
    settings = {"max_sessions": 7, **rules}
    with pytest.raises(BadInput, match=rf"session must be from 0 to .*, and got {session} \(B18\)"):
        check_position(BarnyardRules.from_settings(settings), position)


def test_b18_a_position_has_a_total_for_everybody() -> None:
    with pytest.raises(BadInput, match=r"there are 3 players and 2 totals \(B18\)"):
        play(*MIXED[:3], totals=(1, 2))


# answers of strategies

WILD = ("sheep 1 2 3, pigs 1 2 3, Donkey", *MIXED[1:3])
NEARLY = ("sheep 1 2 3 7 8 9, Donkey", *MIXED[4:6])
DOUBLED = ("sheep 1 2 3, pigs 1 2 3, goats 1", "sheep 4 4 5, pigs 4 5 6, goats 2", *mixed(14)[8:])
TRADES: Any = {"ask": card("1 sheep"), "accept": offer(1, "4 sheep")}
DECLARED: Any = {"collecting": "declared"}


@pytest.mark.parametrize(
    ("decision", "seat", "answers", "hands", "scripts", "settings"),
    [
        ("ask", 0, [-1, 3, 50, 51, 52, 63, 64, 1 << 40], WILD, {}, {}),
        ("bid", 1, [-1, 1, 8 + 1, 1 << 50, 1 << 53, 1 << 62], WILD, {}, {}),
        ("bid_twice", 1, [-1, 16, 1, 1 << 50], DOUBLED, {1: {"bid": bits("sheep 4 5")}}, {}),
        ("accept", 0, [-2, 0, 3, offer(2, "4 sheep"), offer(1, "5 sheep"), 1 << 40], WILD,
         {1: {"bid": bits("sheep 4")}}, {}),
        ("hand_over", 0, [-1, 2, 3, 50], WILD, {0: TRADES, 1: {"bid": bits("sheep 4")}}, {}),
        ("discard", 0, [-1, 3, 50, 51, 52, 64], WILD, {}, {}),
        ("discard", 0, [-1, 3, 51, 52, 64], WILD, {}, {"discard_wild": True}),
        ("claim", 0, [-1, 2, 50], NEARLY, {}, {}),
        ("collect", 1, [-1, 5, 50], MIXED[:3], {}, DECLARED),
    ],
)  # fmt: skip
def test_an_answer_that_is_not_legal_names_strategy_decision_game_and_seed(
    decision: str,
    seat: int,
    answers: list[int],
    hands: tuple[str, ...],
    scripts: dict[int, dict[str, Any]],
    settings: dict[str, Any],
) -> None:
    for answer in answers:
        says: Any = {**scripts, seat: {**scripts.get(seat, {}), decision: answer}}
        made = {one: script(**given) for one, given in says.items()}
        words = decision.replace("_", " ")
        wanted = (
            rf"^strategy 'test-scripted' in seat {seat} answered {answer}, which is not a legal "
            rf"choice, at the decision '{words}' in game 0 with seed 77$"
        )
        with pytest.raises(BadInput, match=wanted):
            one_turn(*hands, scripts=made, seed=77, **settings)


def test_the_game_is_the_one_in_which_it_happened() -> None:
    """The swapper discards a card that he may hold by then or not."""
    played = start(*MIXED[:3], max_rounds=1, scripts={0: script(discard=card("10 cows"))})
    whole = Bout(BARNYARD, played.rules, played.players, stream_seeds(5))
    with pytest.raises(BadInput, match=r"'discard' in game (\d+) with seed 5") as caught:
        whole.rows(0, 1000)
    failed = int(str(caught.value).split("game ")[1].split()[0])
    assert whole.rows(0, failed).shape[0] == failed
    with pytest.raises(BadInput, match=f"in game {failed} with"):
        whole.logged(failed)


def planned(plan: int | None) -> None:
    """Play a turn of seat 0, who plans so; without a plan he draws luck."""
    bout = start(*MIXED[:3], session=1, turn=2, max_rounds=1)
    me = seat_players(BARNYARD, bout.rules, "test-planner,random,random")[0]
    if plan is not None:
        me = dataclasses.replace(me, data=np.array([plan]).view(np.uint8))
    hands = tuple(cards(hand) for hand in MIXED[:3])
    place = Position(hands, session=1, turn=2)
    Bout(BARNYARD, bout.rules, [me, *bout.players[1:]], stream_seeds(9), place).logged(3)


def test_b5_a_plan_asks_on_a_card_of_the_hand() -> None:
    planned(card("3 pigs") << PLAN_ASK)
    wrong = ["4 sheep", "Donkey", "Watchdog"]
    for plan in (-1, *(card(one) << PLAN_ASK for one in wrong)):
        with pytest.raises(BadInput, match=f"'test-planner' in seat 0 answered {plan}, .* 'plan'"):
            planned(plan)


def test_a_plan_by_luck_is_refused() -> None:
    with pytest.raises(BadInput, match="drew luck .* 'plan' in game 3 with seed 9"):
        planned(None)
