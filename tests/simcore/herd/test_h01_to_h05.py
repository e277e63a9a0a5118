"""Clauses H1-H5 of Have You Herd? (tiles, players, start, win, turn), tested from the rulebook.

A test is called after its clause and says in its name what the rulebook says.
"""

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from herdlab.simcore.errors import BadInput
from herdlab.simcore.herd.position import deal
from herdlab.simcore.herd.rules import ANIMALS, HerdRules
from tests.simcore.herd.harness import double_turn, herd, play_turn
from tests.simcore.herd.tables import (
    HERD_ANIMALS,
    LACKS_HORSE,
    LACKS_PIG,
    LACKS_RABBIT,
    LACKS_SHEEP,
    RABBIT,
    play_game,
    position,
    refused,
)

# H1 tiles


def test_h1_there_are_120_tiles() -> None:
    rules = HerdRules()
    assert rules.tiles == (52, 24, 20, 15, 4, 4)
    assert sum(rules.tiles) + rules.skunks == 120


def test_h1_what_is_earned_comes_from_the_supply() -> None:
    turn = play_turn(herd(rabbit=4, pig=2), RABBIT, dice=("rabbit", "pig"))
    assert turn.supply == {"rabbit": 45, "sheep": 24, "pig": 17, "cow": 15, "horse": 4, "dog": 4}


def test_h1_what_is_traded_away_returns_to_the_supply() -> None:
    turn = play_turn(herd(rabbit=6), RABBIT, before="sheep")
    assert (turn.supply["rabbit"], turn.supply["sheep"]) == (50, 23)


@pytest.mark.parametrize(
    ("special", "mine", "back"),
    [("fox", {"rabbit": 7}, "rabbit"), ("wolf", {"pig": 1}, "pig"), ("wolf", {"dog": 1}, "dog")],
)
def test_h1_what_is_lost_returns_to_the_supply(
    special: str, mine: dict[str, int], back: str
) -> None:
    turn = play_turn(herd(**mine), herd(), dice=(special, "pig"))
    assert turn.supply[back] == HerdRules().tiles[ANIMALS.index(back)] - (back == "rabbit")


@pytest.mark.parametrize("players", [2, 4])
def test_h1_no_tile_ever_appears_or_vanishes(players: int) -> None:
    """The dice have three wolves and two foxes, so that tiles are lost in every way."""
    line_up = ",".join(["keeper-dog", *["hermit"] * (players - 1)])
    faces: Any = {"wolf_die": "4RSPC3WKT", "fox_die": "4R2S2PH2FD"}
    lines, _ = play_game(line_up, max_turns=400, **faces)
    assert {"roll", "wolf roll", "trade", "skunk", "lost turn"} <= {line.what for line in lines}
    for what in ("roll", "wolf roll", "trade"):
        returned = [
            line.what == what and sum(line.supply.values()) > sum(before.supply.values())
            for before, line in pairwise(lines)
        ]
        assert any(returned), what
    for line in lines:
        owned = Counter(line.supply)
        for one in line.herds:
            owned.update(one)
        assert tuple(owned[animal] for animal in ANIMALS) == HerdRules().tiles
        assert min(line.supply.values()) >= 0


def test_h1_who_multiplies_gets_what_is_left() -> None:
    mine = herd(rabbit=1, sheep=5)
    turn = play_turn(mine, herd(sheep=2), dice=("sheep", "horse"), sheep=8)
    assert turn.herds[0] == {"rabbit": 1, "sheep": 6}  # owed three, one was left
    assert turn.supply["sheep"] == 0


def test_h1_who_multiplies_gets_nothing_from_an_empty_supply() -> None:
    turn = play_turn(herd(sheep=1), herd(sheep=1), dice=("sheep", "horse"), sheep=2)
    assert turn.herds == ({"sheep": 1}, {"sheep": 1})


def test_h1_a_shortage_of_one_animal_leaves_the_other_alone() -> None:
    turn = play_turn(herd(rabbit=8, sheep=2), RABBIT, dice=("rabbit", "sheep"), rabbits=10)
    assert turn.herds[0] == {"rabbit": 9, "sheep": 3}


def test_h1_a_shortage_holds_on_a_double() -> None:
    turn = double_turn(herd(pig=4), RABBIT, animal="pig", then="horse", pigs=5)
    assert [line.herds[0] for line in turn.lines] == [{"pig": 5}, {"pig": 5}]


@pytest.mark.parametrize(
    ("gain", "mine", "theirs", "rule"),
    [
        ("sheep", {"rabbit": 6}, {"sheep": 2}, "sheep"),
        ("pig", {"rabbit": 6, "sheep": 2}, {"pig": 2}, "pigs"),
        ("cow", {"rabbit": 6, "pig": 2}, {"cow": 2}, "cows"),
        ("dog", {"rabbit": 6, "sheep": 2}, {"dog": 1}, "dogs"),
    ],
)
def test_h1_a_trade_needs_the_tile_to_be_there(
    gain: str, mine: dict[str, int], theirs: dict[str, int], rule: str
) -> None:
    table = herd(**mine), herd(**theirs)
    none_left: Any = {rule: theirs[gain]}
    one_left: Any = {rule: theirs[gain] + 1}
    refused(*table, before=gain, **none_left)
    refused(*table, after=gain, **none_left)
    assert "trade" in play_turn(*table, before=gain, **one_left).happened


def test_h1_a_horse_must_be_there_to_be_traded_for() -> None:
    table = herd(cow=2, sheep=2), herd(horse=1), herd(horse=1)
    refused(*table, before="horse", horses=2)
    assert play_turn(*table, before="horse", horses=3).herds[0]["horse"] == 1


def test_h1_players_cannot_own_more_tiles_than_there_are() -> None:
    with pytest.raises(BadInput, match="H1"):
        play_turn(herd(sheep=20), herd(sheep=5))
    with pytest.raises(BadInput, match="H1"):
        play_turn(herd(rabbit=12), herd(rabbit=12), rabbits=23)


# H2 players


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_h2_two_to_four_play_or_one_alone(players: int) -> None:
    turn = play_turn(*[RABBIT] * players, dice=("rabbit", "pig"))
    assert turn.herds == ({"rabbit": 2}, *[{"rabbit": 1}] * (players - 1))
    assert turn.next_seat == 1 % players


def test_h2_five_or_none_are_refused() -> None:
    with pytest.raises(BadInput):
        play_game(",".join(["hermit"] * 5))
    with pytest.raises(BadInput):
        play_game("")


def test_h2_alone_a_skunk_goes_to_nobody_and_the_other_die_multiplies() -> None:
    turn = play_turn(RABBIT, dice=("skunk", "rabbit"))
    assert turn.happened == ["roll"]
    assert turn.herds[0] == {"rabbit": 2}
    assert turn.lines[-1].skunk is None


def test_h2_alone_a_skunk_costs_no_turn() -> None:
    lines, _ = play_game("hermit", max_turns=3, wolf_die="12K", fox_die="12R")
    assert [(line.what, line.herds[0]["rabbit"]) for line in lines] == [
        ("roll", 2),
        ("roll", 3),
        ("roll", 5),
    ]


def test_h2_alone_a_t_bars_the_final_trade_and_the_other_die_multiplies() -> None:
    mine = herd(rabbit=11, sheep=2)
    refused(mine, dice=("T", "sheep"), after="pig", max_turns=1)
    turn = play_turn(mine, dice=("T", "sheep"), before="sheep")
    assert turn.herds[0] == {"rabbit": 6, "sheep": 5}  # the trade before the roll is free


@pytest.mark.parametrize("pair", [("skunk", "fox"), ("wolf", "skunk"), ("dog", "skunk")])
def test_h2_alone_a_skunk_still_cancels(pair: tuple[str, str]) -> None:
    turn = play_turn(herd(rabbit=8), dice=pair, after="sheep", max_turns=1)
    assert turn.happened == ["roll", "trade"]
    assert turn.herds[0] == {"rabbit": 3, "sheep": 1}


def test_h2_alone_a_t_cancels_as_in_h9() -> None:
    options: Any = {"after": "sheep", "max_turns": 1}
    turn = play_turn(herd(rabbit=8), dice=("T", "fox"), t_cancels=True, **options)
    assert turn.herds[0] == {"rabbit": 3, "sheep": 1}
    refused(herd(rabbit=8), dice=("T", "skunk"), **options)
    turn = play_turn(herd(rabbit=8), dice=("T", "skunk"), t_cancels=True, **options)
    assert turn.herds[0] == {"rabbit": 3, "sheep": 1}


# H3 start


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_h3_everybody_starts_with_one_rabbit(players: int) -> None:
    assert deal(HerdRules(), players) == position(*[RABBIT] * players)


def test_h3_in_a_first_game_everybody_takes_a_sheep_as_well() -> None:
    rules = HerdRules.from_settings({"first_game": "true"})
    assert deal(rules, 3) == position(*[herd(rabbit=1, sheep=1)] * 3)
    lines, _ = play_game("hermit,hermit", first_game=True, wolf_die="12C", fox_die="12H")
    assert lines[0].herds == ({"rabbit": 1, "sheep": 1},) * 2
    assert (lines[0].supply["rabbit"], lines[0].supply["sheep"]) == (50, 22)


def test_h3_the_first_seat_begins_and_play_goes_left() -> None:
    lines, _ = play_game("hermit,hermit,hermit", max_turns=5, wolf_die="12C", fox_die="12H")
    assert [line.seat for line in lines] == [0, 1, 2, 0, 1]


def test_h3_a_seat_that_is_not_at_the_table_cannot_be_to_move() -> None:
    with pytest.raises(BadInput, match="H3"):
        play_game("hermit,hermit", position(RABBIT, RABBIT, seat=2))


# H4 win


def test_h4_a_trade_before_the_roll_wins_and_no_roll_follows() -> None:
    turn = play_turn(LACKS_HORSE, RABBIT, before="horse")
    assert (turn.winner, turn.happened, turn.next_seat) == (0, ["trade"], None)


def test_h4_a_trade_after_the_roll_wins() -> None:
    turn = play_turn(RABBIT, LACKS_HORSE, dice=("sheep", "horse"), after="horse", seat=1)
    assert (turn.winner, turn.happened, turn.next_seat) == (1, ["roll", "trade"], None)


def test_h4_a_double_wins_before_the_dice_are_rolled_again() -> None:
    turn = double_turn(LACKS_PIG, RABBIT, animal="pig", then="fox")
    assert (turn.winner, turn.happened) == (0, ["roll"])


@pytest.mark.parametrize("lacking", HERD_ANIMALS)
def test_h4_every_one_of_the_five_animals_is_needed(lacking: str) -> None:
    mine = {animal: int(animal != lacking) for animal in HERD_ANIMALS}
    turn = play_turn({**mine, "dog": 1}, RABBIT, dice=("dog", "fox"))
    assert (turn.winner, turn.next_seat) == (None, 1)
    assert double_turn(mine, RABBIT, animal=lacking, then="fox").winner == 0


def test_h4_one_of_each_is_enough_and_no_dog_is_needed() -> None:
    turn = play_turn(LACKS_HORSE, RABBIT, before="horse")
    assert turn.herds[0] == dict.fromkeys(HERD_ANIMALS, 1)


def test_h4_a_trade_completes_the_herd_of_the_partner_in_another_players_turn() -> None:
    mine = herd(rabbit=5)
    turn = play_turn(mine, LACKS_RABBIT, dice=("T", "horse"), after="sheep")
    assert (turn.winner, turn.next_seat) == (1, None)
    turn = play_turn(LACKS_RABBIT, mine, dice=("T", "horse"), after="sheep", seat=1)
    assert (turn.winner, turn.next_seat) == (0, None)


@pytest.mark.parametrize("seat", [0, 1])
def test_h4_if_one_trade_completes_two_herds_the_player_whose_turn_it_is_wins(seat: int) -> None:
    herds = (LACKS_SHEEP, LACKS_RABBIT) if seat == 0 else (LACKS_RABBIT, LACKS_SHEEP)
    turn = play_turn(*herds, phase="after", t_in_force=True, after="sheep", seat=seat)
    assert turn.winner == seat
    assert all(set(one) == set(HERD_ANIMALS) for one in turn.herds)


def test_h4_a_whole_trade_is_one_change() -> None:
    mine = herd(rabbit=1, sheep=2, cow=1, horse=1)
    turn = play_turn(mine, RABBIT, before="pig", dice=("dog", "fox"))
    assert turn.winner is None  # the sheep are gone when the pig comes
    theirs = herd(rabbit=1, pig=1, cow=1, horse=1)
    turn = play_turn(herd(sheep=2), theirs, dice=("T", "dog"), after="pig")
    assert turn.winner is None  # his pig is gone when the sheep come


def test_h4_a_roll_that_is_no_double_cannot_give_a_first_tile_and_so_cannot_win() -> None:
    for special in ("skunk", "dog", "T"):
        turn = play_turn(LACKS_PIG, RABBIT, dice=(special, "pig"))
        assert turn.winner is None


def test_h4_a_position_with_a_complete_herd_is_refused() -> None:
    with pytest.raises(BadInput, match="H4"):
        play_turn(RABBIT, dict.fromkeys(HERD_ANIMALS, 1))


# H5 turn


def test_h5_a_turn_is_trade_once_roll_both_dice_trade_again() -> None:
    turn = play_turn(herd(rabbit=5, sheep=1), RABBIT, before="sheep", after="pig")
    assert turn.happened == ["trade", "roll", "trade"]
    assert turn.herds[0] == {"pig": 1}


def test_h5_at_most_one_trade_before_and_one_after() -> None:
    turn = play_turn(herd(sheep=8), RABBIT, before="pig", after="pig")
    assert turn.happened == ["trade", "roll", "trade"]
    assert turn.herds[0] == {"sheep": 4, "pig": 2}


def test_h5_nobody_has_to_trade() -> None:
    turn = play_turn(herd(rabbit=10, sheep=4), RABBIT)
    assert turn.happened == ["roll"]


def test_h5_what_a_trade_before_the_roll_gained_multiplies() -> None:
    turn = play_turn(herd(rabbit=6), RABBIT, before="sheep", dice=("rabbit", "sheep"))
    assert turn.herds[0] == {"rabbit": 2, "sheep": 2}


def test_h5_what_a_roll_gained_can_be_traded() -> None:
    turn = play_turn(herd(rabbit=4), RABBIT, dice=("rabbit", "pig"), after="sheep")
    assert turn.herds[0] == {"rabbit": 1, "sheep": 1}


def test_h5_a_game_can_be_taken_up_before_the_roll_without_a_trade() -> None:
    turn = play_turn(herd(sheep=8), RABBIT, before="pig", after="pig", phase="roll")
    assert turn.happened == ["roll", "trade"]


def test_h5_a_game_can_be_taken_up_after_the_roll() -> None:
    turn = play_turn(herd(sheep=8), RABBIT, before="pig", after="pig", phase="after")
    assert turn.happened == ["trade"]
    assert turn.next_seat == 1
    assert play_turn(RABBIT, RABBIT, seat=1, phase="after").happened == []


def test_h5_a_phase_that_does_not_exist_is_refused() -> None:
    with pytest.raises(BadInput, match="phase"):
        play_turn(RABBIT, RABBIT, phase="between")
