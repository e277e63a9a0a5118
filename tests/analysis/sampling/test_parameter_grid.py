"""Grids of settings: how ``--vary`` is read, and what is refused."""

from typing import Any

import pytest

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.sampling.parameter_grid import Grid, read_grid, read_player
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game
from tests.words import meant

HERD, SWAP = find_game("herd"), find_game("swap")


def grid(*vary: str, strategy: str = "herder", **options: Any) -> Grid:
    game = options.pop("game", HERD)
    limits = {"most_variables": 2, **options}
    return read_grid(Experiment(game, game.rules_type()), strategy, vary, **limits)


def texts(*vary: str, **options: Any) -> list[str]:
    return list(grid(*vary, **options).variables[0].texts)


def test_both_ends_of_a_range_belong_to_it() -> None:
    assert texts("keep_sheep=0:4:1") == ["0", "1", "2", "3", "4"]
    assert texts("keep_sheep=0:5:2") == ["0", "2", "4"]
    assert texts("keep_sheep=3:3:1") == ["3"]
    assert texts("keep_sheep=3:1:-1") == ["3", "2", "1"]
    assert texts(" keep_sheep = 1e1 : 30.0 : 1_0 ") == ["10", "20", "30"]


def test_decimals_are_exact() -> None:
    """Ten steps of 0.1, added up in floats, end at 0.9999999999999999 and miss the end."""
    tenths = ["0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1"]
    assert texts("rules.false_slap_rate=0:1:0.1", strategy="shedder", game=SWAP) == tenths
    added = [0.0]
    while added[-1] + 0.1 <= 1:
        added.append(added[-1] + 0.1)
    assert added[3] != 0.3 and len(added) == len(tenths) and added[-1] != 1


def test_values_are_listed_as_they_are_read() -> None:
    assert texts("dog=never,first") == ["never", "first"]
    assert texts("keep_sheep=02, 3.0") == ["2", "3"]
    assert texts("dog_until_horse=true,false") == ["true", "false"]
    assert grid("dog=never,first").variables[0].numbers is None
    assert grid("keep_sheep=1,2").variables[0].numbers == (1, 2)
    halves = grid("rules.false_slap_rate=0:1:0.5", strategy="shedder", game=SWAP)
    assert halves.variables[0].numbers == (0.0, 0.5, 1.0)


def test_a_point_is_a_player_under_certain_rules() -> None:
    made = grid("keep_sheep=2,3", "rules.horse_price=2,3", strategy="herder:dog=never:keep_sheep=9")
    points = list(made.points())
    assert [point.title for point in points] == [
        "keep_sheep=2, rules.horse_price=2",
        "keep_sheep=2, rules.horse_price=3",
        "keep_sheep=3, rules.horse_price=2",
        "keep_sheep=3, rules.horse_price=3",
    ]
    assert points[1].player == "herder:dog=never:keep_sheep=2"
    assert points[1].experiment.under(horse_price=2) == made.experiment == points[0].experiment
    assert made.given == "herder:dog=never:keep_sheep=9" and made.given_place() is None
    assert [made.number(made.places(number)) for number in range(4)] == list(range(4))


def test_the_strategy_as_given_is_found_on_the_grid() -> None:
    assert grid("keep_sheep=0:3:1", "dog=never,spare").given_place() == 3
    assert grid("keep_sheep=0:3:1", strategy="herder:keep_sheep=2").given_place() == 2
    assert grid("keep_sheep=2:3:1").given_place() is None


def test_a_sample_has_every_value_as_often_and_the_strategy_as_given() -> None:
    many = grid("keep_sheep=0:99:1", "keep_pigs=0:3:1", "dog=never,spare", most_variables=3,
                most_points=None)  # fmt: skip
    sample = many.sample(100, 7)
    assert sample == many.sample(100, 7) != many.sample(100, 8)
    assert len(sample) == len(set(sample)) == 100 and many.given_place() in sample
    places = [many.places(number) for number in sample]
    assert len({place[0] for place in places}) >= 98
    for value in range(4):
        assert 22 <= sum(place[1] == value for place in places) <= 28
    nearly = grid("keep_sheep=0:9:1")
    assert len(nearly.sample(9, 1)) == 9


def test_neighbours_are_one_step_away() -> None:
    made = grid("keep_sheep=0:3:1", "keep_pigs=0:3:1")
    corner, inside = made.number([0, 3]), made.number([1, 2])
    assert [made.places(one) for one in made.neighbours(corner)] == [[1, 3], [0, 2]]
    assert [made.places(one) for one in made.neighbours(inside)] == [[0, 2], [2, 2], [1, 1], [1, 3]]


REFUSED = {
    ("keep_sheep",): "takes name=from:to:step or name=value,value, and got 'keep_sheep'",
    ("keep_sheep=",): "takes name=from:to:step",
    ("=1,2",): "takes name=from:to:step",
    ("keep_sheep=1,,2",): "takes name=from:to:step",
    ("keep_sheep=1:2",): "takes name=from:to:step",
    ("keep_sheep=1:2:1:1",): "takes name=from:to:step",
    ("keep_sheep=0:5:0",): "the step of keep_sheep must not be 0, and got '0:5:0'",
    ("keep_sheep=0:5:-1",): "must lead up from 0 to 5, not by -1",
    ("keep_sheep=5:0:1",): "must lead down from 5 to 0, not by 1",
    ("keep_sheep=a:5:1",): "from, to and step of keep_sheep must be numbers .* got 'a'",
    ("keep_sheep=0:inf:1",): "must be numbers .* got 'inf'",
    ("keep_sheep=0:nan:1",): "must be numbers .* got 'nan'",
    ("keep_sheep=0:1e99999:1",): "must be numbers .* got '1e99999'",
    ("keep_sheep=0:1:1e-99999",): "must be numbers .* got '1e-99999'",
    ("keep_sheep=0:5:1", "keep_sheep=1,2"): "--vary has keep_sheep twice",
    ("keep_sheep=1,2,1",): "has the value 1 of keep_sheep twice",
    ("keep_sheep=1,1.0",): "has the value 1 of keep_sheep twice",
    ("keep_sheep=0:500:1",): "a grid of 501 points; at most 500",
    ("keep_sheep=0:999:1", "keep_pigs=0:999:1"): "a grid of 1,000,000 points; at most 500",
    ("keep_sheep=0:1e12:1e-12",): "a grid of 1,000,000,000,000,000,000,000,001 points",
    ("keep_sheep=1", "keep_pigs=1", "keep_cows=1"): "from 1 to 2 variables, and got 3",
    (): "from 1 to 2 variables, and got 0",
    ("keep_shep=1,2",): f"unknown parameter of herder 'keep_shep': {meant('keep_sheep')}",
    ("horse_price=1,2",): meant("rules.horse_price"),
    ("rules.hors_price=1,2",): f"unknown rule of herd 'hors_price': {meant('horse_price')}",
    ("keep_sheep=0:1:0.5",): "keep_sheep of herder must be a whole number from 0 to 99.* '0.5'",
    ("keep_sheep=98:100:1",): "must be a whole number from 0 to 99, and got '100'",
    ("dog=never,sometimes",): "unknown value of parameter dog of herder 'sometimes'",
    ("dog=0:2:1",): "unknown value of parameter dog of herder '0'",
}


@pytest.mark.parametrize("vary", REFUSED)
def test_wrong_grids_are_refused_with_a_sentence(vary: tuple[str, ...]) -> None:
    with pytest.raises(BadInput, match=REFUSED[vary]) as mistake:
        grid(*vary)
    assert "\n" not in str(mistake.value)


def test_impossible_rules_are_refused_and_the_point_named() -> None:
    with pytest.raises(BadInput, match=r"^rule horse_price \(H15\) must be .* and got '99'"):
        list(grid("rules.horse_price=2,99").points())
    fine = list(grid("rules.first_game=false,true", "rules.sheep=10,20").points())
    assert len(fine) == 4
    both = grid("rules.first_game=false,true", "rules.sheep=3,20")
    with pytest.raises(BadInput, match=r"^at rules.first_game=true, rules.sheep=3: rule sheep"):
        list(both.points())


def test_a_pair_of_dice_is_varied_by_its_name() -> None:
    made = grid("rules.dice=assumed,super-farmer")
    assert [point.experiment.rules for point in made.points()] == [
        HERD.rules_type.from_settings({"dice": name}) for name in ("assumed", "super-farmer")
    ]


def test_only_parameters_where_rules_are_not_allowed() -> None:
    with pytest.raises(BadInput, match="'rules.horse_price' is a setting .* 'herdlab sweep'"):
        grid("rules.horse_price=2,3", has_rules=False)
    with pytest.raises(BadInput, match="unknown parameter of herder 'horse_price'") as mistake:
        grid("horse_price=2,3", has_rules=False)
    assert "rules." not in str(mistake.value)


def test_a_large_grid_may_be_asked_for_but_no_variable_without_end() -> None:
    large = grid(*(f"keep_{one}=0:99:1" for one in ("rabbits", "sheep", "pigs", "cows")),
                 most_variables=6, most_points=None)  # fmt: skip
    assert large.size == 10**8 and large.point(10**8 - 1).values["keep_cows"] == "99"
    with pytest.raises(BadInput, match="makes 1,000,001 values of one variable; at most 500"):
        grid("keep_sheep=0:1:0.000001", most_points=None)


@pytest.mark.parametrize(
    ("strategy", "sentence"),
    [
        ("hearder", f"unknown strategy of herd 'hearder': {meant('herder')}"),
        ("herder,keeper", "one strategy is varied, and got 'herder,keeper'"),
        ("herder:dog", "a parameter is written"),
        ("herder:dogs=1", "unknown parameter of herder 'dogs'"),
    ],
)
def test_wrong_strategies_are_refused(strategy: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        read_player(HERD, strategy)


def test_numbers_of_a_range_have_twelve_digits_before_and_after_the_point() -> None:
    for vary in ("keep_sheep=1e12:1e12:1", "keep_sheep=-1e12:-1e12:1"):
        with pytest.raises(BadInput, match="whole number from 0 to 99"):
            grid(vary)
    tiny = grid("rules.false_slap_rate=0:1e-12:1e-12", strategy="shedder", game=SWAP)
    assert tiny.variables[0].texts == ("0", "0.000000000001")
    for far in ("1000000000001", "-1000000000001", "1e-13", "0.5000000000001"):
        with pytest.raises(BadInput, match=f"at most 12 digits .* and got '{far}'"):
            grid(f"keep_sheep=0:{far}:1")


def test_five_hundred_points_and_five_hundred_values_are_the_most() -> None:
    assert grid("rules.max_turns=1:500:1").size == 500
    assert grid("rules.max_turns=1:500:1", most_points=None).size == 500
    assert grid("rules.max_turns=1:3:1", most_points=3).size == 3
    with pytest.raises(BadInput, match="501 values of one variable; at most 500"):
        grid("rules.max_turns=1:501:1", most_points=None)
    with pytest.raises(BadInput, match="a grid of 3 points; at most 2"):
        grid("rules.max_turns=1:3:1", most_points=2)


def test_a_sample_of_one_variable_has_one_of_each_stratum() -> None:
    """Of 60 values in 20 each three have one, unless the strategy as given takes another's place.

    A value that is there already is replaced by any other.
    """
    other = grid("keep_sheep=0:59:1", strategy="herder:keep_sheep=80")
    given = grid("keep_sheep=0:59:1", strategy="herder:keep_sheep=7")
    assert (other.given_place(), given.given_place()) == (None, 7)
    was_there = 0
    for seed in range(40):
        dealt, sample = set(other.sample(20, seed)), set(given.sample(20, seed))
        assert sorted(one // 3 for one in dealt) == list(range(20))
        assert len(sample) == 20 and 7 in sample and max(sample) < 60
        if 7 in dealt:  # it may be the one whose place it takes
            was_there += 1
            assert len(sample & dealt) >= 19
        else:
            assert len(sample & dealt) == 19
    assert 0 < was_there < 40
    assert other.sample(60, 1) == list(range(60)) == other.sample(99, 1)


def test_the_values_of_two_variables_are_dealt_each_in_an_order_of_its_own() -> None:
    made = grid("keep_sheep=0:9:1", "keep_pigs=0:9:1", strategy="herder:keep_sheep=80")
    pairs = [tuple(made.places(number)) for seed in range(30) for number in made.sample(10, seed)]
    assert 0.02 < sum(a == b for a, b in pairs) / len(pairs) < 0.25
    for seed in range(5):
        places = [made.places(number) for number in made.sample(10, seed)]
        assert len({a for a, _ in places}) == len({b for _, b in places}) == 10
