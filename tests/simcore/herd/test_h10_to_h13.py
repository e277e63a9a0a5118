"""Clauses H10-H13 of Have You Herd? (dog, fox, wolf, T), tested from the rulebook.

A test is called after its clause and says in its name what the rulebook says.
"""

from typing import Any

import pytest

from herdlab.simcore.errors import BadInput
from tests.simcore.herd.harness import herd, play_turn
from tests.simcore.herd.tables import (
    HERD_ANIMALS,
    LACKS_HORSE,
    RABBIT,
    play_game,
    position,
    refused,
    rolling,
)

# H10 dog


@pytest.mark.parametrize("dice", [("dog", "rabbit"), ("rabbit", "dog")])
def test_h10_a_free_dog_for_a_player_who_has_none(dice: tuple[str, str]) -> None:
    turn = play_turn(herd(rabbit=2), RABBIT, dice=dice)
    assert turn.herds[0] == {"rabbit": 3, "dog": 1}  # the other die multiplies as usual
    assert turn.supply["dog"] == 3


def test_h10_no_second_dog() -> None:
    turn = play_turn(herd(rabbit=2, dog=1), RABBIT, dice=("rabbit", "dog"))
    assert turn.herds[0] == {"rabbit": 3, "dog": 1}
    assert turn.supply["dog"] == 3


def test_h10_no_dog_when_none_is_left() -> None:
    turn = play_turn(herd(rabbit=2), herd(dog=1), dice=("rabbit", "dog"), dogs=1)
    assert turn.herds == ({"rabbit": 3}, {"dog": 1})


def test_h10_the_final_trade_is_free() -> None:
    turn = play_turn(herd(rabbit=5), herd(sheep=1), dice=("pig", "dog"), after="sheep")
    assert turn.lines[-1].detail == ("sheep", None)


# H11 fox


@pytest.mark.parametrize("rabbits", [2, 7, 12])
def test_h11_fox_eats_all_rabbits_but_one_without_a_dog(rabbits: int) -> None:
    turn = play_turn(herd(rabbit=rabbits, sheep=3, horse=1), herd(), dice=("pig", "fox"))
    assert turn.herds[0] == {"rabbit": 1, "sheep": 3, "horse": 1}
    assert turn.supply["rabbit"] == 51


@pytest.mark.parametrize("rabbits", [0, 1])
def test_h11_fox_leaves_the_last_rabbit_and_brings_none(rabbits: int) -> None:
    turn = play_turn(herd(rabbit=rabbits, sheep=1), RABBIT, dice=("pig", "fox"))
    assert turn.herds[0].get("rabbit", 0) == rabbits


def test_h11_with_a_dog_nothing_is_lost_and_the_dog_stays() -> None:
    turn = play_turn(herd(rabbit=7, dog=1), RABBIT, dice=("pig", "fox"))
    assert turn.herds[0] == {"rabbit": 7, "dog": 1}


def test_h11_a_dog_of_somebody_else_does_not_help() -> None:
    turn = play_turn(herd(rabbit=7), herd(rabbit=7, dog=1), dice=("pig", "fox"))
    assert turn.herds == ({"rabbit": 1}, {"rabbit": 7, "dog": 1})


@pytest.mark.parametrize("animal", HERD_ANIMALS)
@pytest.mark.parametrize("dog", [0, 1])
def test_h11_nothing_multiplies(animal: str, dog: int) -> None:
    mine = {**herd(dog=dog, rabbit=1), animal: 1}
    for dice in ((animal, "fox"), ("fox", animal)):
        turn = play_turn(mine, RABBIT, dice=dice)
        assert turn.herds[0] == {name: n for name, n in mine.items() if n}


@pytest.mark.parametrize("dog", [0, 1])
def test_h11_a_t_on_the_other_die_is_ignored(dog: int) -> None:
    turn = play_turn(herd(sheep=2, dog=dog), herd(pig=1), dice=("T", "fox"), after="pig")
    assert turn.lines[-1].detail == ("pig", None)


def test_h11_the_final_trade_is_free() -> None:
    turn = play_turn(herd(rabbit=9, sheep=2), RABBIT, dice=("rabbit", "fox"), after="dog")
    assert turn.herds[0] == {"sheep": 1, "dog": 1}


def test_h11_a_dog_bought_before_the_roll_helps() -> None:
    turn = play_turn(herd(rabbit=7, sheep=1), RABBIT, dice=("pig", "fox"), before="dog")
    assert turn.herds[0] == {"rabbit": 6, "dog": 1}


# H12 wolf


@pytest.mark.parametrize("dice", [("wolf", "rabbit"), ("rabbit", "wolf")])
def test_h12_with_a_dog_the_dog_is_lost_and_nothing_else(dice: tuple[str, str]) -> None:
    turn = play_turn(herd(rabbit=4, sheep=2, dog=1), RABBIT, dice=dice)
    assert turn.happened == ["roll"]  # no second roll, and the rabbit on the die is ignored
    assert turn.herds[0] == {"rabbit": 4, "sheep": 2}
    assert turn.supply["dog"] == 4


def test_h12_both_dice_are_rolled_again_and_one_of_each_herd_animal_shown_is_lost() -> None:
    mine = herd(rabbit=5, sheep=5, pig=5, cow=5)
    turn = rolling(mine, RABBIT, rolls=[("wolf", "pig"), ("cow", "sheep")])
    assert turn.happened == ["roll", "wolf roll"]
    assert turn.herds[0] == {"rabbit": 5, "sheep": 4, "pig": 5, "cow": 4}
    assert (turn.supply["sheep"], turn.supply["cow"]) == (20, 11)


@pytest.mark.parametrize("animal", HERD_ANIMALS)
def test_h12_a_herd_animal_beside_the_wolf_does_not_multiply(animal: str) -> None:
    mine = {**herd(rabbit=1), animal: 1}
    turn = rolling(mine, RABBIT, rolls=[("wolf", animal), ("wolf", "fox")])
    assert turn.herds[0] == {name: n for name, n in mine.items() if n}


@pytest.mark.parametrize("animal", ["sheep", "pig", "cow", "horse"])
def test_h12_the_last_of_a_kind_can_be_lost(animal: str) -> None:
    turn = play_turn({"rabbit": 1, animal: 1}, RABBIT, dice=("wolf", animal))
    assert turn.herds[0] == {"rabbit": 1}


@pytest.mark.parametrize(("owned", "left"), [(0, 0), (1, 1), (2, 1), (3, 2)])
def test_h12_the_last_rabbit_cannot_be_lost(owned: int, left: int) -> None:
    turn = play_turn(herd(rabbit=owned, pig=1), RABBIT, dice=("wolf", "rabbit"))
    assert turn.herds[0].get("rabbit", 0) == left


def test_h12_an_animal_not_owned_cannot_be_lost() -> None:
    turn = play_turn(herd(rabbit=3), herd(cow=1), dice=("wolf", "cow"))
    assert turn.herds == ({"rabbit": 3}, {"cow": 1})


def wolf_pair(animal: str, owned: int, loses: int) -> int:
    """Return what is left after a wolf's second roll that shows a pair."""
    rolls = [("wolf", animal), (animal, animal)]
    mine = {**herd(rabbit=1), animal: owned}
    turn = rolling(mine, RABBIT, rolls=rolls, wolf_pair_loses=loses)
    assert turn.happened == ["roll", "wolf roll"]  # a pair gives no further roll
    return turn.herds[0].get(animal, 0)


@pytest.mark.parametrize(
    ("animal", "owned", "left"),
    [("rabbit", 5, 4), ("rabbit", 2, 1), ("rabbit", 1, 1), ("sheep", 3, 2), ("cow", 1, 0)],
)
def test_h12_wolf_pair_loses_1_one_tile_of_a_kind(animal: str, owned: int, left: int) -> None:
    assert wolf_pair(animal, owned, 1) == left


@pytest.mark.parametrize(
    ("animal", "owned", "left"),
    [
        ("rabbit", 5, 3),
        ("rabbit", 3, 1),
        ("rabbit", 2, 1),
        ("rabbit", 1, 1),
        ("sheep", 3, 1),
        ("pig", 2, 0),
        ("cow", 1, 0),
        ("horse", 1, 0),
    ],
)
def test_h12_wolf_pair_loses_2_as_many_as_are_owned(animal: str, owned: int, left: int) -> None:
    assert wolf_pair(animal, owned, 2) == left


def test_h12_wolf_pair_loses_2_takes_one_of_each_when_there_is_no_pair() -> None:
    rolls = [("wolf", "pig"), ("cow", "pig")]
    turn = rolling(herd(pig=3, cow=3), RABBIT, rolls=rolls, wolf_pair_loses=2)
    assert turn.herds[0] == {"pig": 2, "cow": 2}


@pytest.mark.parametrize("special", ["dog", "fox", "skunk", "wolf", "T"])
def test_h12_specials_on_the_second_roll_are_ignored(special: str) -> None:
    rolls = [("wolf", "pig"), (special, "pig")]
    mine, theirs = herd(rabbit=6, pig=2), herd(rabbit=1)
    turn = rolling(mine, theirs, rolls=rolls, after="sheep")
    assert turn.happened == ["roll", "wolf roll", "trade"]  # no third roll
    assert turn.lines[1].herds[0] == {"rabbit": 6, "pig": 1}  # the herd animal is lost all the same
    assert turn.lines[1].skunk is None
    assert turn.lines[2].detail == ("sheep", None)  # a T does not bind the final trade


@pytest.mark.parametrize("second", [("wolf", "fox"), ("skunk", "dog"), ("T", "wolf")])
def test_h12_two_specials_on_the_second_roll_are_ignored(second: tuple[str, str]) -> None:
    turn = rolling(herd(rabbit=6), RABBIT, rolls=[("wolf", "cow"), second], after="sheep")
    assert turn.happened == ["roll", "wolf roll", "trade"]
    assert turn.herds[0] == {"rabbit": 1, "sheep": 1}


def test_h12_a_wolf_after_a_double_acts_on_what_was_earned() -> None:
    rolls = [("rabbit", "rabbit"), ("wolf", "rabbit"), ("rabbit", "sheep")]
    turn = rolling(herd(rabbit=4, sheep=1), RABBIT, rolls=rolls)
    assert turn.happened == ["roll", "roll", "wolf roll"]
    assert turn.herds[0] == {"rabbit": 6}


# H13 T


@pytest.mark.parametrize("dice", [("T", "rabbit"), ("rabbit", "T")])
def test_h13_the_other_die_multiplies_as_usual(dice: tuple[str, str]) -> None:
    turn = play_turn(herd(rabbit=6), RABBIT, dice=dice)
    assert turn.happened == ["roll"]
    assert turn.herds[0] == {"rabbit": 9}


def test_h13_five_rabbits_go_to_another_player_for_his_sheep() -> None:
    turn = play_turn(herd(rabbit=6), herd(rabbit=1, sheep=2), dice=("T", "cow"), after="sheep")
    assert turn.lines[-1].detail == ("sheep", 1)
    assert turn.herds == ({"rabbit": 1, "sheep": 1}, {"rabbit": 6, "sheep": 1})
    assert (turn.supply["rabbit"], turn.supply["sheep"]) == (45, 22)


def test_h13_a_rabbit_and_a_sheep_go_to_another_player_for_his_dog() -> None:
    turn = play_turn(herd(rabbit=1, sheep=1), herd(dog=1), dice=("T", "cow"), after="dog")
    assert turn.herds == ({"dog": 1}, {"rabbit": 1, "sheep": 1})


@pytest.mark.parametrize(
    ("gain", "give"),
    [("pig", {"sheep": 2}), ("cow", {"pig": 2}), ("horse", {"cow": 2})],
)
def test_h13_every_trade_of_the_chart_can_be_made_with_a_player(
    gain: str, give: dict[str, int]
) -> None:
    turn = play_turn(give, {gain: 1}, dice=("T", "rabbit"), after=gain)
    assert turn.herds == ({gain: 1}, give)


def test_h13_what_nobody_has_cannot_be_traded_for() -> None:
    refused(herd(rabbit=6), RABBIT, dice=("T", "cow"), after="sheep")
    refused(herd(rabbit=6, sheep=2), herd(sheep=1), dice=("T", "cow"), after="pig")
    refused(herd(rabbit=6, sheep=2), herd(pig=1), herd(sheep=1), dice=("T", "cow"), after="dog")


def test_h13_the_partner_must_own_what_is_asked_for() -> None:
    table: Any = herd(rabbit=6), RABBIT, herd(sheep=1)
    refused(*table, dice=("T", "cow"), after="sheep", partner=1)
    turn = play_turn(*table, dice=("T", "cow"), after="sheep", partner=2)
    assert turn.lines[-1].detail == ("sheep", 2)
    assert turn.herds == ({"rabbit": 1, "sheep": 1}, {"rabbit": 1}, {"rabbit": 5})


@pytest.mark.parametrize(("partner", "who"), [(1, 3), (2, 0), (3, 1)])
def test_h13_any_other_player_can_be_the_partner(partner: int, who: int) -> None:
    table = [herd(sheep=1), herd(sheep=1), herd(rabbit=6), herd(sheep=1)]
    turn = play_turn(*table, dice=("T", "cow"), after="sheep", partner=partner, seat=2)
    assert turn.lines[-1].detail == ("sheep", who)
    assert turn.herds[who] == {"rabbit": 5}


@pytest.mark.parametrize("partner", [-1, 0, 2, 3])
def test_h13_the_partner_is_another_player_at_the_table(partner: int) -> None:
    table = herd(rabbit=6, sheep=1), herd(sheep=1)
    refused(*table, dice=("T", "cow"), after="sheep", partner=partner)


def test_h13_the_supply_is_not_needed() -> None:
    turn = play_turn(herd(rabbit=6), herd(sheep=2), dice=("T", "cow"), after="sheep", sheep=2)
    assert turn.herds == ({"rabbit": 1, "sheep": 1}, {"rabbit": 5, "sheep": 1})


@pytest.mark.parametrize(("owned", "excess"), [(7, 0), (8, 1), (10, 3), (12, 5)])
def test_h13_rabbits_over_12_go_to_the_supply(owned: int, excess: int) -> None:
    theirs = herd(rabbit=owned, sheep=1)
    turn = play_turn(herd(rabbit=6), theirs, dice=("T", "cow"), after="sheep")
    assert turn.herds == ({"rabbit": 1, "sheep": 1}, {"rabbit": owned + 5 - excess})
    assert turn.supply["rabbit"] == 52 - 6 - owned + excess


def test_h13_a_rabbit_for_a_dog_goes_to_the_supply_when_the_partner_has_12() -> None:
    theirs = herd(rabbit=12, dog=1)
    turn = play_turn(herd(rabbit=2, sheep=1), theirs, dice=("T", "cow"), after="dog")
    assert turn.herds == ({"rabbit": 1, "dog": 1}, {"rabbit": 12, "sheep": 1})
    assert turn.supply["rabbit"] == 39


def test_h13_limits_hold_with_players_too() -> None:
    refused(herd(cow=2, horse=1), herd(horse=1, pig=1), dice=("T", "sheep"), after="horse")
    mine, theirs = herd(rabbit=1, sheep=1, dog=1), herd(dog=1)
    refused(mine, theirs, dice=("T", "cow"), after="dog")


def test_h13_nobody_has_to_trade_after_a_t() -> None:
    turn = play_turn(herd(rabbit=6), herd(sheep=1), dice=("T", "cow"))
    assert turn.happened == ["roll"]


def test_h13_what_was_earned_beside_the_t_can_be_traded() -> None:
    turn = play_turn(herd(rabbit=4), herd(sheep=1), dice=("T", "rabbit"), after="sheep")
    assert turn.herds == ({"rabbit": 1, "sheep": 1}, {"rabbit": 5})


def test_h13_the_trade_before_the_roll_is_with_the_supply() -> None:
    turn = play_turn(herd(rabbit=6), herd(sheep=1), dice=("T", "cow"), before="sheep")
    assert turn.lines[0].detail == ("sheep", None)


def test_h13_only_the_final_trade_of_this_turn_is_bound() -> None:
    table = position(RABBIT, herd(rabbit=6), phase="after", t_in_force=True)
    faces = {"wolf_die": "12C", "fox_die": "12H"}
    for script in ("before", "after"):
        players = f"hermit,scripted:{script}=1"
        lines, _ = play_game(players, table, max_turns=2, **faces)
        assert [line.detail for line in lines if line.what == "trade"] == [("sheep", None)]


def test_h13_a_game_can_be_taken_up_with_a_t_in_force() -> None:
    table = herd(rabbit=6, sheep=2), herd(sheep=1)
    turn = play_turn(*table, phase="after", t_in_force=True, after="sheep")
    assert turn.happened == ["trade"]
    assert turn.herds == ({"rabbit": 1, "sheep": 3}, {"rabbit": 5})
    refused(*table, phase="after", t_in_force=True, after="pig")


@pytest.mark.parametrize("phase", ["before", "roll"])
def test_h13_a_t_in_force_before_the_roll_is_refused(phase: str) -> None:
    with pytest.raises(BadInput, match="H13"):
        play_turn(RABBIT, RABBIT, phase=phase, t_in_force=True)


def test_h13_a_trade_with_a_player_can_win() -> None:
    turn = play_turn(LACKS_HORSE, herd(horse=1), dice=("T", "dog"), after="horse")
    assert turn.winner == 0
