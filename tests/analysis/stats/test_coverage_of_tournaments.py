"""95 % intervals of near-copies and of the weakest entrants of a tournament cover 93 % at least.

Each check has a companion: what is left without the allowance for unseen deals is caught (|z| < 5).
"""

from itertools import product
from typing import Any

import numpy as np
import pytest

from herdlab.analysis.stats import equilibrium, estimates, ratings
from herdlab.analysis.stats.equilibrium import EmpiricalGame, Mix, resampled
from herdlab.analysis.stats.estimates import Estimate, alikeness
from herdlab.analysis.stats.ratings import POINTS, fit_ratings
from herdlab.analysis.studies import standings
from tests.analysis.stats.test_rare_outcomes import covers

GROUPS, DEALS = 50, 200
LINE_UPS = np.array([[2, 0, 0], [1, 1, 0], [1, 0, 1], [0, 2, 0], [0, 1, 1], [0, 0, 2]])


def shares_by_group(rng: np.random.Generator, expected: float) -> np.ndarray:
    """Return win rates by (group, line-up, entrant) of three copies at tables of two.

    On so many of 200 deals the first wins all its games; all others are even.
    """
    won = rng.multinomial(rng.binomial(DEALS, expected / DEALS), np.full(GROUPS, 1 / GROUPS))
    more = won / (2 * DEALS / GROUPS)
    found = np.where(LINE_UPS > 0, 0.5, 0.0)[None].repeat(GROUPS, axis=0)
    found[:, 1:3, 0] += more[:, None]
    found[:, 1, 1] -= more
    found[:, 2, 2] -= more
    return found


def win_rate(by_group: np.ndarray) -> Estimate:
    """Return the first entrant's, of its line-ups with weights 1, 1 and 1."""
    sample = standings._Sample(6, 6, DEALS)
    return sample.rate(by_group[:, :3, 0].mean(1), 0.0, np.array([1.0, 1, 1, 0, 0, 0]), 0.0)


@pytest.mark.parametrize("expected", [0.5, 1.0, 2.0, 4.0, 10.0])
def test_win_rates_of_near_copies(expected: float, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(round(10 * expected))
    played = [shares_by_group(rng, expected) for _ in range(1000)]
    truth = 0.5 + expected / DEALS / 3
    assert covers([win_rate(one) for one in played], truth)
    monkeypatch.setattr(estimates, "alikeness", lambda _: 0.0)
    if expected == 2:
        assert not covers([win_rate(one) for one in played], truth)


def test_groups_that_all_differ_are_not_alike() -> None:
    """So the intervals of other entrants than near-copies are what they were."""
    values = np.linspace(0.4, 0.6, GROUPS)
    assert alikeness(values) == 0 and alikeness(np.full(GROUPS, 0.3)) == 1
    values[:40] = 0.5
    assert alikeness(values) == pytest.approx(0.6)


def best_of_three(self: EmpiricalGame, payoffs: np.ndarray) -> Mix:
    """Solve a duel of three entrants in closed form, many times as fast as the path."""
    gaps = np.round(payoffs[0].T - payoffs[0], 12)
    beats_all = (gaps >= 0).all(axis=1)
    shares = beats_all / max(1, beats_all.sum())
    if not beats_all.any():  # each beats one: as in rock, paper, scissors
        shares = np.abs(np.array([gaps[1, 2], gaps[0, 2], gaps[0, 1]]))
    return self.mix(payoffs, shares / shares.sum())


def test_the_closed_form_is_the_end_of_the_path() -> None:
    table, rng = EmpiricalGame.of(LINE_UPS, 2), np.random.default_rng(3)
    for _ in range(10):
        won = np.where(LINE_UPS > 0, 0.5, 0.0)
        for row, (a, b) in ((1, (0, 1)), (2, (0, 2)), (4, (1, 2))):
            won[row, a] = rng.normal(0.5, 0.02)
            won[row, b] = 1 - won[row, a]
        payoffs = table.payoffs(won)
        found = best_of_three(table, payoffs).shares
        assert found == pytest.approx(table.solve(payoffs).shares, abs=1e-9)


def mixes(expected: float, runs: int, deals: int | None) -> tuple[list[Estimate], list[Estimate]]:
    """Return the first entrant's shares, and regrets less their truth."""
    rng, table = np.random.default_rng(round(10 * expected)), EmpiricalGame.of(LINE_UPS, 2)
    truth = np.where(LINE_UPS > 0, 0.5, 0.0)
    more = expected / DEALS / 2
    truth[1:3, 0] += more
    truth[1, 1] -= more
    truth[2, 2] -= more
    found, regrets = [], []
    for run in range(runs):
        played = shares_by_group(rng, expected)
        one = resampled(LINE_UPS, played, played.mean(0), 2, deals=deals, replicates=30, seed=run)
        found.append(Estimate(one.mix.shares[0], one.low[0], one.high[0], GROUPS))
        real = table.mix(table.payoffs(truth), one.mix.shares).regret
        regrets.append(Estimate(0.0, one.regret.low - real, one.regret.high - real, GROUPS))
    return found, regrets


@pytest.mark.parametrize("expected", [0.5, 2.0])
def test_shares_and_regret_of_near_copies(expected: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first is truly the whole mix; where no deal shows it, its share may be anything."""
    monkeypatch.setattr(equilibrium.EmpiricalGame, "solve", best_of_three)
    for found, truth in zip(mixes(expected, 60, DEALS), (1.0, 0.0), strict=True):
        assert covers(found, truth)
    if expected < 1:
        for found, truth in zip(mixes(expected, 60, None), (1.0, 0.0), strict=True):
            assert not covers(found, truth)


# ---- ratings ----


def weak(expected: float, runs: int, *, is_block: bool) -> tuple[list[list[Estimate]], np.ndarray]:
    """Return ratings of three and one or two weak entrants, who win so often in all, and truths.

    Who is expected to win 0 times wins once in 10²⁰ games.
    """
    n = 5 if is_block else 4
    seatings = np.array(list(product(range(n), repeat=2)))
    low = seatings > 2
    mixed = low.any(1) & ~low.all(1)

    def chances(shift: float) -> tuple[np.ndarray, np.ndarray]:
        theta = np.array([0.5, 0.0, -0.2, shift, shift - 0.5][:n])
        weights = np.exp(theta[seatings])
        return theta, weights / weights.sum(axis=1, keepdims=True)

    below, above = -60.0, 10.0
    for _ in range(60):
        middle = (below + above) / 2
        wins = (chances(middle)[1] * low)[mixed].sum() * DEALS
        below, above = (below, middle) if wins > expected else (middle, above)
    theta, each = chances(below)
    rng, found = np.random.default_rng(round(10 * expected)), []
    for _ in range(runs):
        won = rng.multinomial(DEALS // GROUPS, each, size=(GROUPS, len(seatings))).astype(float)
        found.append(fit_ratings(seatings, won, n, n_games=1).ratings)
    return found, 1500 + POINTS * (theta - np.log(np.exp(theta).mean()))


@pytest.mark.parametrize("expected", [0.0, 0.0005, 0.05, 2.0])
@pytest.mark.parametrize("is_block", [False, True])
def test_ratings_of_the_weakest(
    expected: float, is_block: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check() -> list[bool]:
        found, truths = weak(expected, 100, is_block=is_block)
        return [covers([one[e] for one in found], truth) for e, truth in enumerate(truths)]

    assert all(check())
    if expected < 1:
        monkeypatch.setattr(ratings, "_reach", lambda *_: np.zeros((2, 1)))
        assert not any(check()[3:])


def near_copies(rng: np.random.Generator, expected: float) -> tuple[np.ndarray, np.ndarray]:
    seatings = np.array(list(product(range(3), repeat=2)))
    each = DEALS // GROUPS
    won = rng.multinomial(rng.binomial(DEALS, expected / DEALS), np.full(GROUPS, 1 / GROUPS))
    first = rng.binomial(each, 0.5, GROUPS)  # deals that the first seat wins, but for those
    wins = np.zeros((GROUPS, 9, 2))
    wins[..., 0], wins[..., 1] = first[:, None], each - first[:, None]
    for place, (a, b) in enumerate(seatings.tolist()):
        if (a == 0) != (b == 0):
            seat = 0 if a == 0 else 1
            moved = np.minimum(won, wins[:, place, 1 - seat])
            wins[:, place, seat] += moved
            wins[:, place, 1 - seat] -= moved
    return seatings, wins


def test_ratings_of_near_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no deal differs, the groups show no spread at all; the truth is one large sample's."""
    rng = np.random.default_rng(8)
    played = [near_copies(rng, 1.0) for _ in range(100)]
    seatings = played[0][0]
    whole = np.sum([wins for _, wins in played], axis=0)
    truths = [one.value for one in fit_ratings(seatings, whole, 3, n_games=1).ratings]

    def check() -> Any:
        found = [fit_ratings(*one, 3, n_games=1).ratings for one in played]
        return [covers([one[e] for one in found], truths[e]) for e in range(3)]

    assert all(check())
    monkeypatch.setattr(ratings, "_one_deal", lambda *_: np.zeros((1, 5)))
    assert not any(check())
