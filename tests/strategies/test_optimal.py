"""`optimal` and `racer`: the solver's tables as players."""

import numpy as np
import pytest

import herdlab
from herdlab.simcore.errors import BadInput
from herdlab.simcore.herd import exact
from herdlab.simcore.herd.finishing import race, unbeaten
from herdlab.simcore.herd.lattice import ROLLED_ONLY, lattice_of
from herdlab.simcore.herd.rules import HerdRules
from herdlab.strategies.herd import solved

ANCHORS = ("random", "climber", "keeper", "keeper-dog", "dog-first", "hermit")
Z = 5.0
"""Chance of a false alarm with |z| < 5, fixed seeds: one in 1.7 million a figure."""


SMALL = HerdRules(max_rabbits=6, sheep=12, pigs=10, cows=8)
"""An eighth of the usual herds: enough where a programme is compared with what it promises."""


@pytest.mark.parametrize("who", ["optimal", "racer", "tuned"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_perfect_play_beats_every_anchor(who: str, players: int) -> None:
    """Games are cut off ten times as late as they end, where anybody means to win."""
    for anchor in ANCHORS:
        field, rules = [anchor] * (players - 1), {"max_turns": 1_000}
        games = 10_000 if anchor == "keeper" else 2_000
        found = herdlab.compare("herd", who, anchor, field=field, games=games, seed=5, rules=rules)
        error = (found.a.high - found.a.low) / (2 * 1.959964)
        assert found.a.value - Z * error > 1 / players, (anchor, found.a)


def test_the_strategy_optimal_has_the_mean_of_the_optimum() -> None:
    """Asked through the engine, herd by herd, it plays what value iteration found."""
    lattice = lattice_of(SMALL)
    one, text, values = solved.check_solvable("optimal")
    asked = exact.policy_of(lattice, one.seated(text, SMALL, values, 1))
    found = exact.distribution(lattice, asked)
    assert found.mean == pytest.approx(solved.optimum(SMALL).mean, abs=1e-8)


def test_optimal_without_buying_is_the_optimum_of_dogs_rolled_only() -> None:
    found = solved.solo(SMALL, f"optimal:dogs={ROLLED_ONLY}")
    assert found.mean == pytest.approx(solved.optimum(SMALL, ROLLED_ONLY).mean, abs=1e-8)


def test_the_racer_has_the_chance_that_the_programme_promises() -> None:
    """What the backward programme promises is what the strategy, played forward, gets."""
    keeper = solved.solo(SMALL, "keeper").distribution
    worth = np.mean([unbeaten([keeper], seat) for seat in (0, 1)], axis=0)
    promised = exact.best_response(lattice_of(SMALL), worth).chance
    own = solved.solo(SMALL, "racer").distribution
    got = float(own[: worth.size] @ worth[: own.size])
    assert got == pytest.approx(promised, abs=1e-6)  # its tables end where chances are that small


def test_the_racer_races_better_than_anything_else() -> None:
    rules = HerdRules()

    def chance(who: str) -> float:
        own, keeper = (solved.solo(rules, one).distribution for one in (who, "keeper"))
        return (race([own, keeper])[0] + race([keeper, own])[1]) / 2

    others = ("keeper", "optimal", "climber", "dog-first", "tuned")
    assert chance("keeper") == pytest.approx(0.5, abs=1e-12)
    assert all(chance("racer") > chance(other) + 1e-4 for other in others)


def test_a_rival_who_never_finishes_is_refused() -> None:
    with pytest.raises(BadInput, match="needs a rival who finishes: 'hermit' never finishes"):
        herdlab.simulate("herd", "racer:rival=hermit,keeper", games=10)
    with pytest.raises(BadInput, match="strategy 'random' cannot be solved: it draws luck"):
        herdlab.simulate("herd", "racer:rival=random,keeper", games=10)


def test_rules_without_horses_have_no_fastest_play() -> None:
    found = herdlab.solve("herd", strategies="optimal,keeper", rules={"horses": 0})
    assert [one.solo.mean for one in found.results] == [None, None]
    assert found.sentences == ["optimal never finishes", "keeper never finishes"]
    played = herdlab.simulate("herd", "optimal,keeper", games=10, rules={"horses": 0})
    assert played.as_json()["unfinished_rate"] == 1
