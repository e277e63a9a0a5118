"""Clauses H6-H9 of Have You Herd? (dice, multiplying, doubles, specials), tested from the rulebook.

A test is called after its clause and says in its name what the rulebook says.
"""

from collections import Counter

import pytest

from herdlab.simcore.errors import BadInput
from herdlab.simcore.herd.rules import DICE, HerdRules
from tests.simcore.herd.harness import double_turn, herd, play_turn
from tests.simcore.herd.tables import FOUR, HERD_ANIMALS, RABBIT, play_game, refused, rolling

# H6 dice


def test_h6_assumed_dice() -> None:
    wolf_die, fox_die = HerdRules().wolf_die, HerdRules().fox_die
    one_each = dict.fromkeys(("pig", "cow", "wolf", "skunk", "T"), 1)
    assert Counter(wolf_die) == {"rabbit": 5, "sheep": 2, **one_each}
    assert Counter(fox_die) == {"rabbit": 5, "sheep": 2, "pig": 2, "horse": 1, "fox": 1, "dog": 1}


def test_h6_super_farmer_dice() -> None:
    rules = HerdRules.from_settings({"dice": "super-farmer"})
    assert Counter(rules.wolf_die) == {"rabbit": 6, "sheep": 3, "pig": 1, "cow": 1, "wolf": 1}
    assert Counter(rules.fox_die) == {"rabbit": 6, "sheep": 2, "pig": 2, "horse": 1, "fox": 1}


def test_h6_any_twelve_faces_make_a_die() -> None:
    rules = HerdRules.from_settings({"wolf_die": "6F6T", "fox_die": ["cow"] * 11 + ["skunk"]})
    assert Counter(rules.wolf_die) == {"fox": 6, "T": 6}
    assert Counter(rules.fox_die) == {"cow": 11, "skunk": 1}
    assert rules.dice == "custom"


@pytest.mark.parametrize("faces", ["5R", "13R", "rabbit,pig", ["rabbit"] * 11 + ["goat"]])
def test_h6_a_die_has_twelve_known_faces(faces: object) -> None:
    with pytest.raises(BadInput, match="H6"):
        HerdRules.from_settings({"wolf_die": faces})


def test_h6_an_unknown_pair_of_dice_is_refused() -> None:
    with pytest.raises(BadInput, match="H6"):
        HerdRules.from_settings({"dice": "super-farmers"})


def test_h6_dice_on_which_every_roll_is_a_double_are_refused() -> None:
    with pytest.raises(BadInput, match="H6"):
        HerdRules.from_settings({"wolf_die": "12R", "fox_die": "12R"})


@pytest.mark.parametrize("dice", list(DICE))
def test_h6_each_die_shows_its_own_faces_about_equally_often(dice: str) -> None:
    lines, _ = play_game("hermit,hermit", max_turns=3000, dice=dice)
    rolls = [line.detail for line in lines if line.what == "roll"]
    for die, faces in enumerate(DICE[dice]):
        shown = Counter(roll[die] for roll in rolls)
        assert set(shown) == set(faces)
        for face, times in shown.items():
            p = faces.count(face) / 12
            assert abs(times - len(rolls) * p) < 5 * (len(rolls) * p * (1 - p)) ** 0.5


# H7 multiply


def test_h7_example_a_one_rabbit_and_no_pig_roll_rabbit_and_pig() -> None:
    turn = play_turn(RABBIT, RABBIT, dice=("rabbit", "pig"))
    assert turn.herds == ({"rabbit": 2}, {"rabbit": 1})


def test_h7_example_b_four_rabbits_roll_two_more() -> None:
    turn = double_turn(herd(rabbit=4), RABBIT, animal="rabbit", then="horse")
    assert turn.lines[0].herds[0] == {"rabbit": 7}


def test_h7_example_c_one_rabbit_and_one_sheep_roll_one_of_each() -> None:
    turn = play_turn(herd(rabbit=1, sheep=1), RABBIT, dice=("rabbit", "sheep"))
    assert turn.herds[0] == {"rabbit": 2, "sheep": 2}


@pytest.mark.parametrize("animal", HERD_ANIMALS)
def test_h7_example_d_a_pair_rolled_earns_a_first_tile(animal: str) -> None:
    turn = double_turn(herd(), RABBIT, animal=animal, then="fox")
    assert turn.lines[0].herds[0] == {animal: 1}


def test_h7_example_e_odd_amounts_are_ignored() -> None:
    turn = play_turn(herd(rabbit=6, pig=2), RABBIT, dice=("rabbit", "pig"))
    assert turn.herds[0] == {"rabbit": 9, "pig": 3}


@pytest.mark.parametrize("owned", range(14))
def test_h7_half_of_tiles_owned_and_symbols_rolled(owned: int) -> None:
    turn = play_turn(herd(sheep=owned), herd(), dice=("sheep", "horse"))
    assert turn.herds[0].get("sheep", 0) == owned + (owned + 1) // 2


@pytest.mark.parametrize("owned", [0, 1, 2, 7])
def test_h7_half_of_tiles_owned_and_two_symbols_rolled(owned: int) -> None:
    turn = double_turn(herd(sheep=owned), herd(), animal="sheep", then="fox")
    assert turn.lines[0].herds[0]["sheep"] == owned + (owned + 2) // 2


def test_h7_only_animals_on_the_dice_multiply() -> None:
    mine = herd(rabbit=4, sheep=4, pig=4)
    turn = play_turn(mine, herd(rabbit=4, cow=4), dice=("cow", "sheep"))
    assert turn.herds == ({"rabbit": 4, "sheep": 6, "pig": 4}, {"rabbit": 4, "cow": 4})


@pytest.mark.parametrize("owned", [8, 9, 11, 12])
def test_h7_never_more_than_12_rabbits(owned: int) -> None:
    turn = play_turn(herd(rabbit=owned), RABBIT, dice=("rabbit", "pig"))
    assert turn.herds[0] == {"rabbit": 12}
    assert turn.supply["rabbit"] == 39  # the excess stays in the supply


def test_h7_never_more_than_12_rabbits_on_a_double() -> None:
    turn = double_turn(herd(rabbit=11), RABBIT, animal="rabbit", then="horse")
    assert turn.lines[0].herds[0] == {"rabbit": 12}


def test_h7_never_more_than_one_horse() -> None:
    turn = play_turn(herd(horse=1), RABBIT, dice=("cow", "horse"))
    assert turn.herds[0] == {"horse": 1}
    turn = double_turn(herd(horse=1), RABBIT, animal="horse", then="fox")
    assert turn.herds[0] == {"horse": 1}


def test_h7_sheep_pigs_and_cows_have_no_limit_but_the_supply() -> None:
    turn = play_turn(herd(sheep=16, pig=13), RABBIT, dice=("sheep", "pig"))
    assert turn.herds[0] == {"sheep": 24, "pig": 20}
    turn = play_turn(herd(cow=10), RABBIT, dice=("cow", "fox"))
    assert turn.herds[0] == {"cow": 10}
    assert play_turn(herd(cow=10), RABBIT).herds[0] == {"cow": 15}


@pytest.mark.parametrize("too_many", [{"rabbit": 13}, {"horse": 2}, {"dog": 2}, {"sheep": -1}])
def test_h7_a_position_over_the_limit_is_refused(too_many: dict[str, int]) -> None:
    with pytest.raises(BadInput, match="H7"):
        play_turn(RABBIT, herd(**too_many))


# H8 doubles


@pytest.mark.parametrize("animal", HERD_ANIMALS)
def test_h8_example_f_roll_again_before_trading_on_doubles(animal: str) -> None:
    turn = double_turn(herd(rabbit=12), RABBIT, animal=animal, then="dog", after="sheep")
    assert turn.happened == ["roll", "roll", "trade"]


def test_h8_doubles_multiply_and_then_the_next_roll_multiplies() -> None:
    turn = double_turn(herd(rabbit=1), RABBIT, animal="rabbit", then="pig")
    assert [line.herds[0] for line in turn.lines] == [{"rabbit": 2}, {"rabbit": 3}]


def test_h8_roll_again_as_often_as_it_happens() -> None:
    pair = ("sheep", "sheep")
    turn = rolling(herd(), RABBIT, rolls=[pair, pair, pair, ("sheep", "pig")])
    assert [line.herds[0]["sheep"] for line in turn.lines] == [1, 2, 4, 6]
    assert turn.next_seat == 1


def test_h8_different_doubles_in_one_turn() -> None:
    turn = rolling(RABBIT, RABBIT, rolls=[("cow", "cow"), ("pig", "pig"), ("pig", "cow")])
    assert turn.herds[0] == {"rabbit": 1, "pig": 2, "cow": 2}


def test_h8_a_double_that_earns_nothing_is_rolled_again() -> None:
    turn = double_turn(herd(horse=1), RABBIT, animal="horse", then="dog")
    assert turn.herds[0] == {"horse": 1, "dog": 1}


def test_h8_no_second_roll_without_doubles() -> None:
    assert play_turn(RABBIT, RABBIT, dice=("rabbit", "pig")).happened == ["roll"]


def test_h8_no_trade_before_the_roll_again() -> None:
    turn = double_turn(herd(sheep=8), RABBIT, animal="cow", then="dog", before="pig")
    assert turn.happened == ["trade", "roll", "roll"]


def test_h8_a_special_after_a_double_acts_on_what_was_earned() -> None:
    turn = double_turn(herd(rabbit=4), RABBIT, animal="rabbit", then="fox")
    assert [line.herds[0] for line in turn.lines] == [{"rabbit": 7}, {"rabbit": 1}]
    turn = double_turn(herd(rabbit=4), RABBIT, animal="rabbit", then="T", after="none")
    assert turn.herds[0] == {"rabbit": 11}


def test_h8_a_t_after_a_double_binds_the_final_trade() -> None:
    rolls = [("pig", "pig"), ("T", "pig")]
    refused(herd(rabbit=6, sheep=2), herd(sheep=1), play=rolling, rolls=rolls, after="pig")
    turn = rolling(herd(rabbit=6), herd(sheep=1), rolls=rolls, after="sheep")
    assert turn.lines[-1].detail == ("sheep", 1)


# H9 two specials

ANIMAL_PAIRS = [(one, two) for one in FOUR for two in FOUR]
T_PAIRS = [pair for other in FOUR for pair in (("T", other), (other, "T"))]


@pytest.mark.parametrize("t_cancels", [False, True])
@pytest.mark.parametrize("pair", ANIMAL_PAIRS, ids="+".join)
def test_h9_two_of_fox_wolf_skunk_and_dog_cancel(pair: tuple[str, str], t_cancels: bool) -> None:
    mine = herd(rabbit=7, sheep=2)
    turn = play_turn(mine, RABBIT, dice=pair, t_cancels=t_cancels)
    assert turn.happened == ["roll"]
    assert turn.herds == ({"rabbit": 7, "sheep": 2}, {"rabbit": 1})
    assert turn.lines[-1].skunk is None


@pytest.mark.parametrize("pair", ANIMAL_PAIRS, ids="+".join)
def test_h9_cancelled_specials_leave_dog_and_skunk_where_they_are(pair: tuple[str, str]) -> None:
    turn = play_turn(herd(rabbit=7, dog=1), RABBIT, dice=pair, skunk=1)
    assert turn.herds[0] == {"rabbit": 7, "dog": 1}
    assert turn.lines[-1].skunk == 1


@pytest.mark.parametrize("pair", ANIMAL_PAIRS, ids="+".join)
def test_h9_the_final_trade_follows_with_the_supply(pair: tuple[str, str]) -> None:
    turn = play_turn(herd(rabbit=7), herd(sheep=1), dice=pair, after="sheep")
    assert turn.lines[-1].detail == ("sheep", None)
    assert turn.herds[0] == {"rabbit": 2, "sheep": 1}


@pytest.mark.parametrize("pair", [*T_PAIRS, ("T", "T")], ids="+".join)
def test_h9_t_cancels_true_t_is_one_of_them_and_leaves_the_final_trade_free(
    pair: tuple[str, str],
) -> None:
    turn = play_turn(herd(rabbit=7), RABBIT, dice=pair, after="sheep", t_cancels=True)
    assert turn.happened == ["roll", "trade"]
    assert turn.herds[0] == {"rabbit": 2, "sheep": 1}
    kept = play_turn(herd(rabbit=7, dog=1), RABBIT, dice=pair, t_cancels=True)
    assert kept.herds[0] == {"rabbit": 7, "dog": 1}


@pytest.mark.parametrize("pair", [("T", "dog"), ("dog", "T")], ids="+".join)
def test_h9_t_cancels_false_t_leaves_a_dog_in_force(pair: tuple[str, str]) -> None:
    turn = play_turn(herd(rabbit=7), herd(sheep=1), dice=pair, after="sheep")
    assert turn.herds == ({"rabbit": 2, "sheep": 1, "dog": 1}, {"rabbit": 5})
    refused(herd(rabbit=7, sheep=2), herd(sheep=1), dice=pair, after="pig")


@pytest.mark.parametrize("pair", [("T", "skunk"), ("skunk", "T")], ids="+".join)
def test_h9_t_cancels_false_t_leaves_a_skunk_in_force(pair: tuple[str, str]) -> None:
    turn = play_turn(herd(rabbit=7), herd(sheep=1), dice=pair, after="sheep")
    assert turn.happened == ["roll", "skunk", "trade"]
    assert turn.lines[-1].skunk == 1
    assert turn.lines[-1].detail == ("sheep", 1)
    refused(herd(rabbit=7, sheep=2), herd(sheep=1), dice=pair, after="pig")


@pytest.mark.parametrize("pair", [("T", "wolf"), ("wolf", "T")], ids="+".join)
def test_h9_t_cancels_false_t_leaves_a_wolf_in_force(pair: tuple[str, str]) -> None:
    turn = play_turn(herd(rabbit=7, dog=1), herd(sheep=1), dice=pair, after="sheep")
    assert turn.happened == ["roll", "trade"]
    assert turn.herds == ({"rabbit": 2, "sheep": 1}, {"rabbit": 5})  # the dog is lost
    refused(herd(rabbit=7, sheep=2, dog=1), herd(sheep=1), dice=pair, after="pig")
    turn = play_turn(herd(rabbit=7), herd(sheep=1), dice=pair, after="sheep")
    assert turn.happened == ["roll", "wolf roll", "trade"]
    assert turn.lines[-1].detail == ("sheep", 1)


def test_h9_t_cancels_false_the_wolf_beside_a_t_takes_what_its_own_roll_shows() -> None:
    rolls = [("wolf", "T"), ("rabbit", "pig")]
    turn = rolling(herd(rabbit=7, pig=2), herd(sheep=1), rolls=rolls, after="sheep")
    assert turn.herds[0] == {"rabbit": 1, "sheep": 1, "pig": 1}
    assert turn.lines[-1].detail == ("sheep", 1)


@pytest.mark.parametrize("pair", [("T", "fox"), ("fox", "T")], ids="+".join)
def test_h9_t_cancels_false_a_fox_ignores_the_t(pair: tuple[str, str]) -> None:
    turn = play_turn(herd(rabbit=7, sheep=2), herd(pig=1), dice=pair, after="pig")
    assert turn.herds == ({"rabbit": 1, "pig": 1}, {"pig": 1})
    turn = play_turn(herd(rabbit=7, sheep=2, dog=1), herd(pig=1), dice=pair, after="pig")
    assert turn.herds == ({"rabbit": 7, "pig": 1, "dog": 1}, {"pig": 1})


def test_h9_t_cancels_false_t_with_t_is_a_t() -> None:
    turn = play_turn(herd(rabbit=7), herd(sheep=1), dice=("T", "T"), after="sheep")
    assert turn.happened == ["roll", "trade"]
    assert turn.lines[-1].detail == ("sheep", 1)
    refused(herd(rabbit=7, sheep=2), herd(sheep=1), dice=("T", "T"), after="pig")
