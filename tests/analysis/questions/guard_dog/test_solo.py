"""What a dog is worth alone: every figure against another way to get it."""

from functools import cache
from math import isclose
from typing import Any

import numpy as np
import pytest

import herdlab
from herdlab.analysis.experiment import Experiment
from herdlab.analysis.questions.guard_dog.dice import PAIRS, variants
from herdlab.analysis.questions.guard_dog.solo import (
    NOTEWORTHY,
    STAGES,
    Exact,
    exactly_worth,
    has_dogs,
    race_gain,
    shows_dog,
)
from herdlab.simcore.game import find_game
from herdlab.simcore.herd.lattice import NONE, ROLLED_ONLY, SOLD
from herdlab.simcore.herd.position import Position, after_trade, legal_trades
from herdlab.simcore.herd.rules import DOG, TO_DOG, HerdRules
from herdlab.strategies.herd import solved

SMALL: dict[str, Any] = {"sheep": 8, "pigs": 6, "cows": 5}
FOXES = {**SMALL, "wolf_die": "8R2SPC", "fox_die": "6R4F2S"}
HARMLESS = {**SMALL, "wolf_die": "6R2SPCKT", "fox_die": "6R2S2PHD"}
DOGS = {**SMALL, "wolf_die": "4R2SPCW2DT", "fox_die": "3R2S2PHF3D"}
TWO = {**SMALL, "max_dogs": 2, "first_game": True}
ALL = {"small": SMALL, "foxes": FOXES, "harmless": HARMLESS, "dogs": DOGS, "two": TWO}


def worked_out(rules: HerdRules) -> Exact:
    found = exactly_worth(rules)
    assert found is not None
    return found


@cache
def of(name: str) -> Exact:
    return worked_out(HerdRules.from_settings(ALL[name]))


@pytest.mark.parametrize("name", ALL)
def test_turns_are_those_of_the_three_optima(name: str) -> None:
    found, rules = of(name), HerdRules.from_settings(ALL[name])
    for dogs in (SOLD, ROLLED_ONLY, NONE):
        assert isclose(found.turns[dogs], solved.optimum(rules, dogs).mean, abs_tol=1e-9), dogs
    assert found.buying == found.turns[ROLLED_ONLY] - found.turns[SOLD] >= -1e-9
    assert found.free == found.turns[NONE] - found.turns[ROLLED_ONLY] >= -1e-9
    assert found.is_ever_bought == (found.buying > NOTEWORTHY)


@pytest.mark.parametrize("name", ["small", "foxes", "two"])
def test_buying_is_weighed_as_the_moves_one_by_one(name: str) -> None:
    found, rules = of(name), HerdRules.from_settings(ALL[name])
    fastest = solved.optimum(rules)

    def gain(herd: tuple[int, ...]) -> float:
        here = Position((herd,))
        ways = [trade for trade, _ in legal_trades(rules, here)]
        assert TO_DOG in ways
        turns = {t: fastest.turns(after_trade(rules, here, t, None)[0], "roll") for t in ways}
        bought = turns.pop(TO_DOG)
        return min([fastest.turns(herd, "roll"), *turns.values()]) - bought

    assert found.best.herd is not None
    assert isclose(gain(found.best.herd), found.best.gain, abs_tol=1e-9)
    for rabbits, sheep in ((1, 1), (2, 2), (4, 2), (12, 1), (6, 8)):
        cells = found.maps["nothing more"]
        value = cells[rabbits - 1][sheep - 1]
        assert value is not None and value <= found.best.gain + 1e-12
        assert isclose(gain((rabbits, sheep, 0, 0, 0, 0)), value, abs_tol=1e-9)
        more = found.maps["a pig and a cow"][rabbits - 1][sheep - 1]
        assert more is not None
        assert isclose(gain((rabbits, sheep, 1, 1, 0, 0)), more, abs_tol=1e-9)
    rows = [value for row in found.maps["nothing more"] for value in row if value is not None]
    assert sum(value > NOTEWORTHY for value in rows) <= found.right


def test_owning_is_the_difference_that_a_dog_makes() -> None:
    found, rules = of("small"), HerdRules.from_settings(SMALL)
    fastest = solved.optimum(rules)
    for stage in found.stages:
        with_dog = tuple(n + (animal == DOG) for animal, n in enumerate(stage.herd))
        worth = fastest.turns(stage.herd) - fastest.turns(with_dog)
        assert stage.herd[DOG] == 0 and isclose(worth, stage.of_herd, abs_tol=1e-9)
        assert 0 < stage.owning <= found.most_owned
    assert [one.name for one in found.stages] == list(STAGES)
    assert isclose(sum(stage.turns for stage in found.stages), found.turns[SOLD], abs_tol=1e-6)
    worth = fastest.turns((3, 1, 0, 0, 0, 0)) - fastest.turns((3, 1, 0, 0, 0, 1))
    assert isclose(found.owning_map[2][1], worth, abs_tol=1e-9)
    assert max(max(row) for row in found.owning_map) <= found.most_owned


def test_foxes_and_wolves_are_met_as_in_games() -> None:
    found, games = of("small"), 20_000
    told = herdlab.simulate("herd", "optimal", games=games, rules=SMALL, seed=3).as_json()
    plural = {"fox": "foxes", "wolf": "wolves"}
    for one in found.hazards:
        for met, word in ((one.met_without, "without"), (one.met_with, "with")):
            name = f"{plural[one.name]}_{word}_dog"
            seen, spread = (np.ravel(told[key][name])[0] for key in ("events", "events_sd"))
            assert abs(seen - met) < 5 * spread / games**0.5, name
    fox, wolf = found.hazards
    assert fox.costs_with == 0 and fox.costs_without is not None and fox.costs_without > 0
    assert wolf.costs_with is not None and 0 < wolf.costs_with <= found.most_owned
    assert wolf.costs_without is not None and wolf.costs_without > 0


def test_a_wolf_that_is_not_on_the_dice_is_never_met() -> None:
    found = of("foxes")
    fox, wolf = found.hazards
    assert (wolf.met_with, wolf.met_without) == (0, 0) and wolf.costs_without is None
    assert fox.met_with > 0 and fox.costs_with == 0


def test_without_fox_and_wolf_a_dog_is_worth_nothing() -> None:
    found = of("harmless")
    assert found.most_owned == 0 and found.free == 0 and found.right == 0
    assert not found.is_ever_bought and found.usual.worth == 0 < found.usual.price
    assert all(stage.owning == 0 for stage in found.stages)


def test_dice_full_of_dogs_give_one_and_make_it_worth_less() -> None:
    free, usual = of("dogs"), of("small")
    assert free.has_dog > 0.6 > usual.has_dog and free.free > usual.free
    assert free.usual.worth < usual.usual.worth and not free.is_ever_bought


def test_many_foxes_make_it_right_to_buy() -> None:
    found = of("foxes")
    assert found.is_ever_bought and found.right > 50 and found.buying > 0.1
    assert found.best.gain > 0 and found.free == 0 and found.has_dog == 0


def test_usual_rules_have_no_moment_to_buy() -> None:
    """The exact answer under the rules as they are: with no herd at all."""
    found = worked_out(HerdRules())
    assert (found.moments, found.right, found.is_ever_bought) == (107_136, 0, False)
    assert isclose(found.turns[SOLD], 17.738484, abs_tol=1e-6) and found.buying == 0
    assert isclose(found.turns[NONE], 18.717352, abs_tol=1e-6)
    assert found.best.herd == (5, 2, 3, 1, 0, 0) and isclose(found.best.gain, -0.0820, abs_tol=1e-4)
    assert found.usual.price > 3 * found.usual.worth
    cells = [value for row in found.maps["nothing more"] for value in row]
    assert len(cells) == 96 and all(value is not None and value < -0.4 for value in cells)


def test_a_race_gains_by_a_sale_only_where_one_should_buy() -> None:
    usual, foxes = (race_gain(HerdRules.from_settings(ALL[name]), 3) for name in ("small", "foxes"))
    assert 0 <= usual < 1e-5 < foxes


def test_rules_that_may_never_end_have_no_worth() -> None:
    endless = {"horse_price": 31, "fox_die": "6R2S2PFD", "sheep": 4, "pigs": 4, "cows": 4}
    assert exactly_worth(HerdRules.from_settings(endless)) is None


def test_who_can_have_a_dog() -> None:
    assert has_dogs(HerdRules()) and shows_dog(HerdRules())
    assert not has_dogs(HerdRules(dogs=0)) and not has_dogs(HerdRules(max_dogs=0))
    assert not shows_dog(HerdRules.from_settings({"dice": "super-farmer"}))


# ---- the dice ----


def experiment(**settings: Any) -> Experiment:
    return Experiment(find_game("herd"), HerdRules.from_settings(settings))


def test_every_reading_and_every_pair_of_dice_is_looked_at() -> None:
    found = variants(experiment())
    assert {one.label for one in found if not one.is_dice} == {
        "t_cancels=true",
        "wolf_pair_loses=2",
        "horse_price=3",
    }
    assert sum(one.is_dice for one in found) >= 4
    hashes = [one.experiment.rules.hash for one in found]
    assert len({*hashes, experiment().rules.hash}) == len(found) + 1


def test_the_dice_are_such_as_the_text_allows() -> None:
    for pair in PAIRS:
        rules = HerdRules.from_settings({"wolf_die": pair.wolf_die, "fox_die": pair.fox_die})
        assert {"wolf", "skunk", "rabbit"} <= set(rules.wolf_die)
        assert {"fox", "rabbit"} <= set(rules.fox_die) and "skunk" not in rules.fox_die
        assert {"dog", "T"} <= {*rules.wolf_die, *rules.fox_die}
        assert pair.why


def test_dice_that_were_given_are_not_tried_again() -> None:
    one = PAIRS[0]
    given = experiment(wolf_die=one.wolf_die, fox_die=one.fox_die, horse_price=3)
    labels = [each.label for each in variants(given)]
    assert one.name not in labels and "dice=assumed" in labels and "horse_price=2" in labels
    kept = [each for each in variants(given) if each.is_dice]
    assert all(each.experiment.rules.as_dict()["horse_price"] == 3 for each in kept)
