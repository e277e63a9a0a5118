"""Monte Carlo against exact values: one turn by enumeration, the solo game by its solution."""

from collections import Counter, defaultdict
from itertools import product
from math import sqrt

import pytest

from herdlab.simcore.batch import Bout, simulate, stream_seeds
from herdlab.simcore.herd.rules import HerdRules
from herdlab.simcore.sums import LENGTH, Sums
from herdlab.strategies.registry import seat_players
from tests.simcore.herd.harness import HERD, log_lines
from tests.statistics import LARGEST_Z, z_of_mean, z_of_rate

SOLO = [
    # strategy, settings, exact mean and sd of the number of turns (an independent solver's)
    ("climber", {}, 45.2313335842, 21.6073696912),
    ("keeper", {}, 18.544307624, 5.2553878374),
    ("keeper-dog", {"horse_price": 3}, 21.969493667, 5.8300679279),
]


def solo_turns(name: str, settings: dict[str, object], n: int, seed: int) -> Sums:
    rules = HerdRules.from_settings(settings)
    bout = Bout(HERD, rules, seat_players(HERD, rules, name), stream_seeds(seed))
    sums: Sums = simulate(bout.sums, Sums(1), range(n))
    return sums


@pytest.mark.parametrize(("name", "settings", "mean", "sd"), SOLO)
def test_the_solo_game_takes_the_exact_number_of_turns(
    name: str, settings: dict[str, object], mean: float, sd: float
) -> None:
    n = 400_000
    sums = solo_turns(name, settings, n, seed=3)
    assert abs(z_of_mean(sums.totals[LENGTH] / n, sd, n, mean)) < LARGEST_Z


def test_another_reading_would_be_told_apart() -> None:
    """With 400,000 games the mean of another reading is far outside."""
    n = 400_000
    sums = solo_turns("keeper", {"wolf_pair_loses": 2}, n, seed=3)
    _, _, mean, sd = SOLO[1]
    assert abs(z_of_mean(sums.totals[LENGTH] / n, sd, n, mean)) > LARGEST_Z


def rabbits_after_one_turn(rules: HerdRules) -> dict[tuple[int, ...], float]:
    """Return the exact distribution of (rabbits, sheep, pigs, dogs) after a hermit's first turn.

    By hand from the rulebook: a double multiplies and rolls again, so the distribution is worked
    out over chains of doubles until what is left has a chance below 10^-12.
    """
    rolls = Counter(product(rules.wolf_die, rules.fox_die))
    found: dict[tuple[int, ...], float] = defaultdict(float)
    waiting: dict[tuple[int, ...], float] = {(1, 0, 0, 0): 1.0}
    names = ("rabbit", "sheep", "pig")
    while sum(waiting.values()) > 1e-12:
        following: dict[tuple[int, ...], float] = defaultdict(float)
        for herd, chance in waiting.items():
            for faces, count in rolls.items():
                p = chance * count / 144
                specials = [f for f in faces if f in ("fox", "wolf", "skunk", "dog")]
                rabbits, sheep, pigs, dogs = herd
                if len(specials) == 2:
                    found[herd] += p
                elif "fox" in faces:
                    found[(1, sheep, pigs, dogs)] += p
                elif "wolf" in faces:
                    for second, times in rolls.items():
                        q = p * times / 144
                        left = list(herd)
                        for place, name in enumerate(names):
                            if name in second and left[place] > (place == 0):
                                left[place] -= 1
                        found[tuple(left)] += q
                else:
                    new = [
                        min(n + (n + faces.count(name)) // 2, 12 if name == "rabbit" else 99)
                        if name in faces
                        else n
                        for n, name in zip(herd[:3], names, strict=True)
                    ]
                    after = (*new, 1 if "dog" in faces else dogs)
                    double = faces[0] == faces[1] and faces[0] in names
                    (following if double else found)[after] += p
        waiting = following
    return found


@pytest.mark.parametrize("dice", ["assumed", "super-farmer"])
def test_one_turn_has_the_exact_distribution(dice: str) -> None:
    """False-alarm rate: |z| < 5 for each of the states with an expected count of 20 or more."""
    rules = HerdRules.from_settings({"dice": dice, "max_turns": 1})
    exact = rabbits_after_one_turn(rules)
    assert abs(sum(exact.values()) - 1) < 1e-11
    n = 4000
    bout = Bout(HERD, rules, seat_players(HERD, rules, "hermit"), stream_seeds(9))
    counts: Counter[tuple[int, ...]] = Counter()
    for number in range(n):
        _, log = bout.logged(number)
        herd = log_lines(log, 1)[-1].herds[0]
        counts[tuple(herd.get(a, 0) for a in ("rabbit", "sheep", "pig", "dog"))] += 1
    assert set(counts) <= set(exact)
    checked = 0
    for state, p in exact.items():
        if p * n >= 20:
            checked += 1
            assert abs(z_of_rate(counts[state], n, p)) < LARGEST_Z, state
    assert checked >= 5
    wrong = exact[(2, 0, 0, 0)] + 6 * sqrt(0.25 / n)
    assert abs(z_of_rate(counts[(2, 0, 0, 0)], n, wrong)) > LARGEST_Z
