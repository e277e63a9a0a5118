"""Clauses H14-H16 of Have You Herd? (skunk, trades, long games), tested from the rulebook.

A test is called after its clause and says in its name what the rulebook says.
"""

from typing import Any

import pytest

from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.simcore.herd.rules import TRADES, HerdRules
from herdlab.strategies.registry import seat_players
from tests.simcore.herd.harness import HERD, herd, play_turn
from tests.simcore.herd.tables import LACKS_HORSE, RABBIT, play_game, position, refused

# H14 skunk


@pytest.mark.parametrize(("places", "who"), [(1, 2), (2, 0)])
def test_h14_the_roller_gives_the_skunk_to_an_opponent_of_his_choice(places: int, who: int) -> None:
    turn = play_turn(RABBIT, RABBIT, RABBIT, dice=("skunk", "pig"), seat=1, skunk_to=places)
    assert turn.happened == ["roll", "skunk"]
    assert turn.lines[-1].detail == (who,)
    assert turn.lines[-1].skunk == who


@pytest.mark.parametrize("places", [-1, 0, 2])
def test_h14_the_skunk_goes_to_an_opponent_at_the_table(places: int) -> None:
    refused(RABBIT, RABBIT, dice=("skunk", "pig"), skunk_to=places)


@pytest.mark.parametrize("dice", [("skunk", "rabbit"), ("rabbit", "skunk")])
def test_h14_the_other_die_multiplies_as_usual(dice: tuple[str, str]) -> None:
    turn = play_turn(herd(rabbit=4), RABBIT, dice=dice)
    assert turn.herds == ({"rabbit": 6}, {"rabbit": 1})


def test_h14_the_final_trade_is_free() -> None:
    turn = play_turn(herd(rabbit=4), herd(sheep=1), dice=("skunk", "rabbit"), after="sheep")
    assert turn.happened == ["roll", "skunk", "trade"]
    assert turn.lines[-1].detail == ("sheep", None)


@pytest.mark.parametrize("places", [1, 2])
def test_h14_the_skunk_is_taken_from_whoever_has_it(places: int) -> None:
    turn = play_turn(RABBIT, RABBIT, RABBIT, dice=("skunk", "pig"), skunk=2, skunk_to=places)
    assert turn.lines[-1].skunk == places  # also the same opponent once more


def test_h14_a_player_holding_the_skunk_loses_his_turn_and_returns_it() -> None:
    mine = herd(rabbit=6, sheep=4)
    turn = play_turn(mine, RABBIT, dice=("rabbit", "pig"), skunk=0, before="pig", after="sheep")
    assert turn.happened == ["lost turn"]  # no trade, no roll
    assert turn.herds == ({"rabbit": 6, "sheep": 4}, {"rabbit": 1})
    assert turn.lines[-1].skunk is None
    assert turn.next_seat == 1


FACES: Any = {"wolf_die": "12C", "fox_die": "12H"}


def test_h14_only_one_turn_is_lost_and_only_by_the_holder() -> None:
    lines, _ = play_game("hermit,hermit", position(RABBIT, RABBIT, skunk=1), max_turns=4, **FACES)
    assert [(line.seat, line.what, line.skunk) for line in lines] == [
        (0, "roll", 1),
        (1, "lost turn", None),
        (0, "roll", None),
        (1, "roll", None),
    ]


def test_h14_one_from_whom_the_skunk_was_taken_loses_nothing() -> None:
    start = position(RABBIT, RABBIT, herd(rabbit=2), skunk=1)
    faces = {"wolf_die": "12K", "fox_die": "12P"}
    lines, _ = play_game("hermit,hermit,hermit", start, max_turns=2, **faces)
    assert [(line.seat, line.what, line.skunk) for line in lines] == [
        (0, "roll", 1),
        (0, "skunk", 2),  # to the opponent with the highest herd value
        (1, "roll", 2),
        (1, "skunk", 2),
    ]


def test_h14_a_player_holding_the_skunk_still_trades_when_another_asks() -> None:
    table = herd(rabbit=6), herd(sheep=1)
    turn = play_turn(*table, dice=("T", "cow"), after="sheep", skunk=1)
    assert turn.herds[0] == {"rabbit": 1, "sheep": 1}
    assert turn.lines[-1].skunk == 1


@pytest.mark.parametrize("phase", ["roll", "after"])
def test_h14_a_player_holding_the_skunk_does_not_roll(phase: str) -> None:
    with pytest.raises(BadInput, match="H14"):
        play_turn(RABBIT, RABBIT, phase=phase, skunk=0)


@pytest.mark.parametrize(("players", "holder"), [(2, 2), (2, -1), (1, 0)])
def test_h14_only_a_player_with_opponents_holds_the_skunk(players: int, holder: int) -> None:
    with pytest.raises(BadInput, match="H14"):
        play_turn(*[RABBIT] * players, skunk=holder)


# H15 trades

CHART: list[tuple[str, dict[str, int]]] = [
    ("sheep", {"rabbit": 5}),
    ("pig", {"sheep": 2}),
    ("cow", {"pig": 2}),
    ("horse", {"cow": 2}),
    ("dog", {"rabbit": 1, "sheep": 1}),
]
PLAIN = ("fox", "skunk")
"""Two specials: nothing happens on the roll."""


@pytest.mark.parametrize(("gain", "price"), CHART)
def test_h15_the_trading_chart(gain: str, price: dict[str, int]) -> None:
    spare = {"rabbit": 3, "sheep": 3} if gain in ("cow", "horse") else {}
    mine = {**spare, **price}
    for when in ("before", "after"):
        choice: Any = {when: gain}
        turn = play_turn(mine, RABBIT, dice=PLAIN, **choice)
        assert turn.herds[0] == {**spare, gain: 1}
        trade = next(line for line in turn.lines if line.what == "trade")
        assert trade.detail == (gain, None)


@pytest.mark.parametrize(
    ("gain", "mine"),
    [
        ("sheep", {"rabbit": 4}),
        ("pig", {"sheep": 1}),
        ("cow", {"pig": 1}),
        ("horse", {"cow": 1}),
        ("dog", {"rabbit": 4}),
        ("dog", {"sheep": 1}),
    ],
)
def test_h15_a_trade_needs_the_whole_price(gain: str, mine: dict[str, int]) -> None:
    other = {"pig": 2} if gain != "cow" else {"sheep": 2}  # so that some trade is legal
    for when in ("before", "after"):
        choice: Any = {when: gain}
        refused({**other, **mine}, RABBIT, dice=PLAIN, **choice)


def test_h15_one_tile_gained_a_trade() -> None:
    turn = play_turn(herd(rabbit=10), RABBIT, dice=PLAIN, before="sheep")
    assert turn.herds[0] == {"rabbit": 5, "sheep": 1}
    turn = play_turn(herd(rabbit=10), RABBIT, dice=PLAIN, before="sheep", after="sheep")
    assert turn.herds[0] == {"sheep": 2}  # ten rabbits for two sheep are two trades


def test_h15_trades_go_upwards_only() -> None:
    assert TRADES == ("none", "sheep", "pig", "cow", "horse", "dog")
    for gained, price in enumerate(HerdRules().prices):
        assert all(paid == 0 for paid in price[gained:5])


@pytest.mark.parametrize("trade", [6, 7, 63, 64])
def test_h15_there_are_no_other_trades(trade: int) -> None:
    table = position(herd(sheep=2, pig=2), RABBIT)
    with pytest.raises(BadInput, match="not a legal choice"):
        play_game(f"scripted:before={trade},hermit", table, max_turns=1, **FACES)


def test_h15_horse_price_2() -> None:
    turn = play_turn(herd(cow=3), RABBIT, dice=PLAIN, before="horse")
    assert turn.herds[0] == {"cow": 1, "horse": 1}


def test_h15_horse_price_3() -> None:
    turn = play_turn(herd(cow=3), RABBIT, dice=PLAIN, before="horse", horse_price=3)
    assert turn.herds[0] == {"horse": 1}
    refused(herd(cow=2, pig=2), RABBIT, dice=PLAIN, before="horse", horse_price=3)
    turn = play_turn(herd(cow=3), herd(horse=1), dice=("T", "pig"), after="horse", horse_price=3)
    assert turn.herds == ({"horse": 1}, {"cow": 3})


def test_h15_the_last_rabbit_may_be_traded_away() -> None:
    turn = play_turn(herd(rabbit=5), RABBIT, dice=PLAIN, before="sheep")
    assert turn.herds[0] == {"sheep": 1}
    turn = play_turn(herd(rabbit=1, sheep=1), RABBIT, dice=PLAIN, after="dog")
    assert turn.herds[0] == {"dog": 1}


def test_h15_no_second_horse_and_no_second_dog() -> None:
    refused(herd(cow=2, pig=2, horse=1), RABBIT, dice=PLAIN, before="horse")
    refused(herd(rabbit=5, sheep=2, dog=1), RABBIT, dice=PLAIN, before="dog")


def test_h15_without_a_t_trades_are_with_the_supply() -> None:
    turn = play_turn(herd(rabbit=5), herd(sheep=1), dice=PLAIN, before="sheep")
    assert turn.herds[1] == {"sheep": 1}
    refused(herd(rabbit=5, pig=2), herd(sheep=1), dice=PLAIN, before="sheep", sheep=1)


# H16 long games


def test_h16_after_max_turns_the_game_has_no_winner() -> None:
    lines, row = play_game("hermit,hermit,hermit", max_turns=7, **FACES)
    assert (row["winners"], row["length"]) == (0, 7)
    assert [line.seat for line in lines] == [0, 1, 2, 0, 1, 2, 0]


def test_h16_games_without_a_winner_are_counted() -> None:
    rules = HerdRules.from_settings({"max_turns": 5})
    bout = Bout(HERD, rules, seat_players(HERD, rules, "hermit,hermit"), stream_seeds(1))
    assert bout.sums(range(3)).unfinished == 3


def test_h16_max_turns_is_10000() -> None:
    _, row = play_game("hermit,hermit")  # nobody can get a horse without trading
    assert (row["winners"], row["length"]) == (0, 10_000)


def test_h16_a_roll_again_is_no_turn_of_its_own() -> None:
    lines, row = play_game("hermit,hermit", wolf_die="6R6C", fox_die="12R", max_turns=40)
    assert row["length"] == 40
    assert sum(line.what == "roll" for line in lines) > 40


def test_h16_lost_turns_count() -> None:
    start = position(RABBIT, RABBIT, skunk=0)
    lines, row = play_game("hermit,hermit", start, max_turns=3, **FACES)
    assert [line.what for line in lines] == ["lost turn", "roll", "roll"]
    assert row["length"] == 3


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_h16_the_winning_turn_counts(seat: int) -> None:
    herds = [RABBIT] * 3
    herds[seat] = LACKS_HORSE
    _, row = play_game("climber,climber,climber", position(*herds), **FACES)
    assert (row["winners"], row["length"]) == (1 << seat, seat + 1)


def test_h16_a_win_in_the_last_turn_is_a_win() -> None:
    start = position(RABBIT, LACKS_HORSE)
    _, row = play_game("climber,climber", start, max_turns=2, **FACES)
    assert (row["winners"], row["length"]) == (2, 2)
    _, row = play_game("climber,climber", start, max_turns=1, **FACES)
    assert (row["winners"], row["length"]) == (0, 1)


def test_h16_turns_before_the_position_count() -> None:
    start = position(RABBIT, RABBIT, turn=5)
    lines, row = play_game("hermit,hermit", start, max_turns=7, **FACES)
    assert (len(lines), row["length"]) == (2, 7)


def test_h16_a_position_at_or_past_max_turns_is_refused() -> None:
    with pytest.raises(BadInput, match="H16"):
        play_game("hermit,hermit", position(RABBIT, RABBIT, turn=7), max_turns=7)
