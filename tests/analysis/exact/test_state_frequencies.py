"""How often perfect play has each herd: exact, and the same as in games that were played."""

from math import isclose
from typing import Any

import numpy as np
import pytest

import herdlab
from herdlab.analysis.exact.state_frequencies import StateFrequencies, state_frequencies
from herdlab.simcore.herd.lattice import AGAIN, SOLD
from herdlab.simcore.herd.rules import DOG, HerdRules
from herdlab.strategies.herd import solved

SMALL: dict[str, Any] = {"sheep": 8, "pigs": 6, "cows": 5}
RULES = [
    SMALL,
    {**SMALL, "dice": "super-farmer"},
    {**SMALL, "wolf_die": "4R2SPC2WKT", "fox_die": "4R2S2PH2FD", "t_cancels": True},
    {**SMALL, "first_game": True, "max_dogs": 2},
]


def played(settings: dict[str, Any]) -> tuple[HerdRules, StateFrequencies]:
    rules = HerdRules.from_settings(settings)
    fastest = solved.optimum(rules, SOLD)
    return rules, state_frequencies(fastest.lattice, fastest.policy())


@pytest.mark.parametrize("settings", RULES)
def test_the_turns_that_begin_add_up_to_the_mean(settings: dict[str, Any]) -> None:
    rules, found = played(settings)
    assert isclose(found.begun.sum(), solved.optimum(rules).mean, abs_tol=1e-6)
    assert found.begun[solved.optimum(rules).lattice.deal] >= 1


@pytest.mark.parametrize("settings", RULES[:2])
def test_rolls_are_first_ones_and_those_after_a_double(settings: dict[str, Any]) -> None:
    rules, found = played(settings)
    lattice = solved.optimum(rules).lattice
    doubles = lattice.columns.chances[lattice.columns.after == AGAIN].sum()
    # a turn that a trade wins has no roll, and a double that wins no other one
    assert found.rolled.sum() * (1 - doubles) < found.begun.sum()
    assert found.rolled.sum() > found.begun.sum() - 1
    assert not found.rolled[lattice.complete].any() and not found.begun[lattice.complete].any()


def test_games_that_are_played_meet_as_many_foxes() -> None:
    rules, found = played(SMALL)
    lattice = solved.optimum(rules).lattice
    games = 20_000
    events = herdlab.simulate("herd", "optimal", games=games, rules=SMALL).as_json()
    chance = sum(face == "fox" for face in rules.fox_die) / 12 * 10 / 12  # no wolf, no skunk
    has_dog = lattice.counts[DOG] > 0
    for name, inside in (("foxes_with_dog", has_dog), ("foxes_without_dog", ~has_dog)):
        seen, spread = (np.ravel(events[key][name])[0] for key in ("events", "events_sd"))
        expected = chance * found.rolled[inside].sum()
        assert abs(seen - expected) < 5 * spread / games**0.5, name
