"""Clauses S10-S12 of SWAP! (win, empty pile, long games), tested from the rulebook."""

from collections import Counter
from typing import Any

import pytest

from herdlab.simcore.errors import BadInput
from herdlab.simcore.swap.rules import GREEN, SwapRules
from tests.simcore.swap.harness import of, outcome, play, script, table
from tests.simcore.swap.tables import ONE_EACH, kinds, lines_of, seated
from tests.statistics import LARGEST_Z, z_of_rate

NOTHING_ELSE: Any = {"only_these_cards": True}
LAST = ["plain", "slap", "switch", "super_swap", "swap"]
EFFECTS = ("swaps", "super_swaps", "slaps", "cards_drawn")

# S10 win


@pytest.mark.parametrize("kind", LAST)
@pytest.mark.parametrize("place", [0, 2])
def test_s10_whoever_plays_his_last_card_wins_at_once_without_its_effect(
    kind: str, place: int
) -> None:
    hands = ["2 red plain", "3 green plain", "4 purple plain"]
    hands[place] = {"swap": "swap", "super_swap": "blue super"}.get(kind, f"blue {kind}")
    made = table(*hands, place=place, turns=50)
    lines, result = lines_of(made), outcome(made)
    assert kinds(lines) == ["play", "win"]
    assert lines[-1].player == place and lines[-1].colour == "blue"
    left = [2, 3, 4]
    left[place] = 0
    assert [len(hand) for hand in lines[-1].hands] == left
    assert [result[f"cards_left_{seat}"] for seat in range(3)] == left
    assert (result["winners"], result["length"], result["drawn_games"]) == (1 << place, 1, 0)
    assert [result[f"last_{one}"] for one in LAST] == [int(one == kind) for one in LAST]
    assert [result[f"played_{one}"] for one in LAST] == [int(one == kind) for one in LAST]
    assert [result[name] for name in (*EFFECTS, "last_taken")] == [0] * 5


def test_s10_a_winning_switch_or_swap_names_no_colour() -> None:
    """An answer that could not be given is not asked for."""
    illegal = {0: script(colour=-5, partner=-5, direction=-5)}
    for card in ("blue switch", "swap", "blue super"):
        assert play(card, "red plain", "red plain", scripts=illegal)[-1].what == "win"


def test_s10_who_is_left_with_a_card_goes_on() -> None:
    made = table("2 blue plain", "2 blue plain", turns=4)
    assert kinds(lines_of(made)) == ["play", "play", "play", "win"]
    assert (outcome(made)["winners"], outcome(made)["length"]) == (1, 3)


@pytest.mark.parametrize("players", [2, 4])
def test_s10_who_loses_his_last_card_to_a_slap_wins(players: int) -> None:
    made = table("blue slap, red plain", *["2 green plain"] * (players - 1), turns=9)
    lines, result = lines_of(made), outcome(made)
    assert kinds(lines) == ["play", "slap", "win"]
    assert lines[-1].hands[0] == () and lines[-1].player == 0
    taker, card = lines[2].detail
    assert card == "red plain" and lines[-1].hands[int(str(taker))] == (
        "green plain", "green plain", "red plain",
    )  # fmt: skip
    assert (result["winners"], result["last_taken"], result["last_slap"]) == (1, 1, 0)
    assert (result["slaps"], result["drawn_games"], result["length"]) == (1, 0, 1)


@pytest.mark.parametrize("drawn", ["blue plain", "red switch", "swap"])
def test_s10_or_he_draws_a_card_and_plays_on(drawn: str) -> None:
    """The card drawn is not played in this turn, whether it could be or not."""
    made = table("blue slap, red plain", "2 green plain", pile=drawn, slap_empties="plays_on")
    lines, result = lines_of(made), outcome(made)
    assert kinds(lines) == ["play", "slap", "emptied"]
    assert (lines[3].player, lines[3].detail) == (0, (drawn,))
    assert lines[-1].hands == ((drawn,), ("green plain", "green plain", "red plain"))
    assert (result["cards_drawn"], result["last_taken"], result["drawn_games"]) == (1, 0, 1)
    following = play("blue slap, red plain", "2 green plain", pile=f"{drawn}, purple plain",
                     slap_empties="plays_on", turns=2)  # fmt: skip
    assert (following[4].what, following[4].player) == ("draw", 1)


def test_s10_who_plays_on_may_have_to_shuffle_the_discards_first() -> None:
    options: Any = {**ONE_EACH, "slap": 1, "only_these_cards": True, "slap_empties": "plays_on"}
    hands = "blue slap, red plain", "green plain, purple plain, green slap, purple slap, red slap"
    lines = play(*hands, **options)
    assert kinds(lines) == ["play", "slap", "reshuffle", "emptied"]
    assert lines[4].hands[0] == ("blue plain",)  # all that lay under the SLAP
    assert (lines[3].pile, lines[3].discards) == (1, 1)
    assert (lines[4].pile, lines[4].discards) == (0, 1)


@pytest.mark.parametrize("reading", ["wins", "plays_on"])
def test_s10_a_slap_as_the_last_card_wins_and_a_slap_that_leaves_cards_does_not(
    reading: str,
) -> None:
    lines = play("blue slap", "2 green plain", slap_empties=reading)
    assert kinds(lines) == ["play", "win"]
    lines = play("blue slap, 2 red plain", "2 green plain", slap_empties=reading)
    assert kinds(lines) == ["play", "slap"]


def test_s10_the_default_reading_is_wins_and_there_are_two() -> None:
    assert SwapRules().slap_empties == "wins"
    with pytest.raises(BadInput, match=r"value of rule slap_empties \(S10\) 'win': .*'wins'"):
        SwapRules.from_settings({"slap_empties": "win"})


def test_s10_an_exchange_of_hands_wins_nothing() -> None:
    """Somebody gets one card, and has to play it."""
    lines = play("swap, 2 red plain", "green plain", scripts={0: script(colour=GREEN)}, turns=3)
    assert kinds(lines) == ["play", "swap", "colour", "draw", "play", "win"]
    assert lines[3].hands == (("green plain",), ("red plain", "red plain"))
    assert lines[-1].what == "win" and lines[-1].player == 0 and lines[-1].turn == 2


# S11 empty pile

EIGHT: Any = {**ONE_EACH, "plain": 2, "only_these_cards": True}
UNDER = "2 blue plain, 2 purple plain, red plain"


def test_s11_the_discards_under_the_top_card_become_the_pile() -> None:
    lines = play("red plain", "green plain", discards=f"{UNDER}, green plain", **EIGHT)
    assert kinds(lines)[:2] == ["reshuffle", "draw"]
    shuffled, drawn = lines[1:3]
    assert (shuffled.player, shuffled.detail) == (0, (5,))
    assert (lines[0].pile, lines[0].discards) == (0, 6)
    assert (shuffled.pile, shuffled.discards) == (5, 1)
    assert (drawn.pile, drawn.discards) == (4, 1)
    assert drawn.hands[0] != ("green plain", "red plain")  # the top card stays
    assert {line.colour for line in lines} == {"blue"}


def test_s11_each_of_them_is_as_likely_to_be_drawn_and_the_top_card_is_not() -> None:
    """|z| < 5 for each card under the top one; the companion has the top card among them."""
    made = table("red plain", "green plain", discards=f"{UNDER}, green plain", seed=5, **EIGHT)
    n = 1500
    drawn = Counter(lines_of(made, game)[2].detail[0] for game in range(n))
    for card, p in {"blue plain": 2 / 5, "purple plain": 2 / 5, "red plain": 1 / 5}.items():
        assert abs(z_of_rate(drawn[card], n, p)) < LARGEST_Z
    assert drawn["green plain"] == 0
    assert abs(z_of_rate(drawn["green plain"], n, 1 / 6)) > LARGEST_Z


def test_s11_a_new_pile_is_drawn_to_its_end_before_the_next() -> None:
    options: Any = {**ONE_EACH, "plain": 2, "only_these_cards": True, "turns": 4}
    discards = "2 purple plain, red plain, red plain, blue plain"
    for seed in range(5):
        made = table("green plain, blue plain", "green plain", discards=discards, seed=seed,
                     colour="blue", place=1, **options)  # fmt: skip
        lines = lines_of(made)
        assert kinds(lines)[:2] == ["reshuffle", "draw"]
        drawn = Counter(str(line.detail[0]) for line in of(lines, "draw"))
        assert not drawn - Counter({"purple plain": 2, "red plain": 2})
        assert outcome(made)["reshuffles"] == 1


def test_s11_nothing_is_shuffled_before_somebody_must_draw() -> None:
    options: Any = {**ONE_EACH, "plain": 2, "only_these_cards": True, "turns": 2}
    hands = "red plain, green plain", "2 blue plain, green plain"
    lines = play(*hands, pile="purple plain", discards="purple plain, red plain", **options)
    assert kinds(lines) == ["draw", "play"]
    assert lines[1].pile == 0 and lines[-1].discards == 3


def test_s11_a_swap_among_the_discards_can_come_back() -> None:
    options: Any = {**ONE_EACH, "swap_cards": 1, "only_these_cards": True}
    lines = play("red plain", "green plain, purple plain", discards="swap, blue plain", **options)
    assert kinds(lines) == ["reshuffle", "draw", "play", "swap", "colour"]
    assert lines[-1].discards == 2


def test_s11_with_nothing_to_draw_he_passes_and_when_all_pass_it_is_a_draw() -> None:
    made = table("red plain", "green plain", "purple plain", **ONE_EACH, **NOTHING_ELSE, turns=9)
    lines, result = lines_of(made), outcome(made)
    assert [(line.what, line.player) for line in lines[1:]] == [
        ("pass", 0),
        ("pass", 1),
        ("pass", 2),
        ("drawn game", 2),
    ]
    assert lines[-1].detail == ((0, 1, 2),)
    assert (result["winners"], result["length"], result["drawn_games"]) == (0b111, 3, 1)
    assert result["cards_drawn"] == 0


@pytest.mark.parametrize(
    ("hands", "winner", "place"),
    [
        (("red plain, green plain", "purple plain"), 1, 0),
        (("red plain, green plain", "purple plain"), 1, 1),
        (("red plain", "green plain, purple plain"), 0, 1),
    ],
)
def test_s11_such_a_draw_is_shared_by_those_with_the_fewest_cards(
    hands: tuple[str, ...], winner: int, place: int
) -> None:
    made = table(*hands, **ONE_EACH, **NOTHING_ELSE, turns=9, place=place)
    lines, result = lines_of(made), outcome(made)
    assert kinds(lines) == ["pass", "pass"]
    assert lines[-1].detail == ((winner,),)
    assert (result["winners"], result["drawn_games"]) == (1 << winner, 1)


def test_s11_only_a_whole_circuit_of_passes_ends_the_game() -> None:
    """Pass, play, draw, pass, pass: the play and the draw between begin the count anew."""
    made = table("purple plain", "red plain, green plain", colour="red", turns=50,
                 **ONE_EACH, **NOTHING_ELSE)  # fmt: skip
    lines, result = lines_of(made), outcome(made)
    assert kinds(lines) == ["pass", "play", "reshuffle", "draw", "pass", "pass"]
    assert [line.player for line in lines[1:-1]] == [0, 1, 0, 0, 1, 0]
    assert (result["winners"], result["length"], result["reshuffles"]) == (0b10, 5, 1)


def test_s11_a_card_that_is_played_begins_the_count_of_passes_anew() -> None:
    """Nobody draws in his turn here: a false slap takes the only card that there is to draw."""
    made = table("purple plain", "red plain, green plain", colour="red", turns=50,
                 false_slap_rate=1, **ONE_EACH, **NOTHING_ELSE)  # fmt: skip
    lines, result = lines_of(made), outcome(made)
    assert kinds(lines) == ["pass", "play", "reshuffle", "false slap", "pass", "pass"]
    assert [line.player for line in lines if line.what == "pass"] == [0, 0, 1]
    assert (result["winners"], result["length"], result["drawn_games"]) == (0b10, 4, 1)


# S12 long games


def test_s12_after_max_turns_the_game_is_a_draw_shared_by_the_fewest() -> None:
    hands = "9 green plain", "8 red plain", "7 purple plain, 2 blue plain"
    made = table(*hands, pile="3 green slap", turns=4)
    lines, result = lines_of(made), outcome(made)
    assert kinds(lines) == ["draw", "draw", "play", "draw"]
    assert [len(hand) for hand in lines[-1].hands] == [11, 9, 8]
    assert (lines[-1].what, lines[-1].detail) == ("drawn game", ((2,),))
    assert (result["winners"], result["length"], result["drawn_games"]) == (0b100, 4, 1)


def test_s12_a_tie_is_shared_by_all_who_have_the_fewest() -> None:
    made = table("2 red plain, blue plain", "3 green plain", "2 purple plain", turns=1)
    assert outcome(made)["winners"] == 0b101
    assert lines_of(made)[-1].detail == ((0, 2),)


def test_s12_the_default_is_5000_turns() -> None:
    assert SwapRules().max_turns == 5000
    endless = {**EIGHT, "max_turns": SwapRules().max_turns}
    hands = "green plain", "green plain, 2 purple plain"
    made = table(*hands, discards="blue plain, 2 red plain, blue plain", **endless, colour="blue")
    result = outcome(made)
    assert (result["length"], result["drawn_games"]) == (5000, 1)


@pytest.mark.parametrize("n", [1, 2, 17])
def test_s12_max_turns_is_a_setting(n: int) -> None:
    bout = seated("random,random,random", max_turns=n)
    rows = bout.rows(0, 50)
    assert rows[:, 1].max() == n
    drawn = rows[:, bout.columns.index("drawn_games")]
    assert (drawn == 1).any() and ((rows[:, 1] == n) | (drawn == 0)).all()


def test_s12_a_win_in_the_last_turn_is_a_win() -> None:
    result = outcome(table("blue plain", "red plain", turns=1))
    assert (result["winners"], result["drawn_games"], result["length"]) == (1, 0, 1)


@pytest.mark.parametrize("turns", [0, -1, 1_000_001, "soon"])
def test_s12_a_limit_that_cannot_be_is_refused(turns: object) -> None:
    with pytest.raises(BadInput, match=r"rule max_turns \(S12\) must be a whole number from 1 to"):
        SwapRules.from_settings({"max_turns": turns})


def test_s12_turns_before_the_position_count() -> None:
    made = table("red plain", "green plain", pile="2 purple plain", turn=98, turns=2)
    assert [line.turn for line in of(lines_of(made), "draw")] == [98, 99]
    assert outcome(made)["length"] == 100
