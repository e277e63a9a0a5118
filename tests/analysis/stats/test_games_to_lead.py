"""How many games the better of two needs: exact against convolution, play and brute force."""

from math import sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy.optimize import minimize_scalar

from herdlab.analysis.stats import games_to_lead as series_module
from herdlab.analysis.stats.estimates import Estimate, difference_with, unvaried, wilson
from herdlab.analysis.stats.games_to_lead import (
    GameDifference,
    LeadChance,
    StrategyPairs,
    games_to_lead,
)
from herdlab.analysis.studies.luck import decompose
from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.sums import WINNERS
from herdlab.strategies.registry import seat_players
from tests.analysis.studies.test_luck import request_of
from tests.statistics import LARGEST_Z, z_of_rate


def brute(values: list[int], chances: list[float], most: int) -> npt.NDArray[np.float64]:
    """Return the chance to be ahead after 1 … most games, by adding up all outcomes."""
    reach = max(map(abs, values))
    one = np.zeros(2 * reach + 1)
    for value, chance in zip(values, chances, strict=True):
        one[value + reach] += chance
    total, found = np.ones(1), []
    for games in range(1, most + 1):
        total = np.convolve(total, one)
        found.append(total[games * reach + 1 :].sum())
    return np.array(found)


GAMES = [
    ([-1, 1], [0.4, 0.6]),
    ([-1, 1], [0.25, 0.75]),
    ([-1, 0, 1], [0.3, 0.3, 0.4]),
    ([-1, 0, 1], [0.02, 0.9, 0.08]),
    ([-1, 0, 1], [0.0, 0.7, 0.3]),
    ([-12, -6, -4, 0, 4, 6, 12], [0.2, 0.03, 0.01, 0.4, 0.02, 0.04, 0.3]),
    ([-6, -3, 6], [0.3, 0.2, 0.5]),
]


@pytest.mark.parametrize(("values", "chances"), GAMES)
def test_games_needed_are_exact(values: list[int], chances: list[float]) -> None:
    most = 700
    game, exact = GameDifference(values, chances, max(values)), brute(values, chances, most)
    assert np.abs(LeadChance(game, most).probabilities(1, most) - exact).max() < 1e-11
    for probability in (0.75, 0.95):
        failing = np.flatnonzero(exact < probability - 1e-12)
        wanted = failing[-1] + 2 if failing.size else 1
        assert wanted < most / 2
        assert game.games_needed(probability) == wanted


def test_an_odd_number_that_is_enough_is_not_while_the_next_even_one_is_not() -> None:
    """Without draws, 60 %: ahead after 9 games with 73 % but after 10 with 63 %."""
    game = GameDifference([-1, 1], [0.4, 0.6])
    exact = brute([-1, 1], [0.4, 0.6], 100)
    first = int(np.flatnonzero(exact >= 0.75)[0]) + 1
    needed = game.games_needed(0.75)
    assert needed is not None and first < needed and exact[needed - 2] < 0.75


def test_games_needed_against_play() -> None:
    rng, runs = np.random.default_rng(6), 200_000
    values, chances = GAMES[5]
    game = GameDifference(values, chances, 12)
    needed = game.games_needed(0.75)
    assert needed is not None
    sums = rng.multinomial(needed, chances, size=runs) @ np.array(values)
    exact = float(LeadChance(game, needed).probabilities(needed, needed)[0])
    assert abs(z_of_rate(int((sums > 0).sum()), runs, exact)) < LARGEST_Z
    # Who is level is not ahead: that would be seen.
    assert abs(z_of_rate(int((sums >= 0).sum()), runs, exact)) > LARGEST_Z


@pytest.mark.parametrize(("values", "chances"), [GAMES[0], GAMES[2], GAMES[5]])
def test_very_long_series_go_by_the_normal_approximation(
    values: list[int], chances: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = GameDifference(values, chances, max(values)).with_mean(0.004)
    exact = game.games_needed(0.95)
    monkeypatch.setattr(series_module, "EXACT_UP_TO", 0)
    about = game.games_needed(0.95)
    assert exact is not None and about is not None and exact > 10_000
    assert about == pytest.approx(exact, rel=1e-3)


@pytest.mark.parametrize("probability", [0.75, 0.95])
def test_from_where_the_normal_approximation_says_enough(probability: float) -> None:
    """The fewest games at which Phi(-sqrt(N) m/s) + 0.4748 r / (s³ sqrt(N)) is small enough."""
    game = GameDifference([-2, 0, 1], [0.3, 0.1, 0.6], 2)
    amounts, chances = np.array([-1, 0, 0.5]), np.array([0.3, 0.1, 0.6])
    game = game.with_mean(0.1)
    mean = float(game.chances @ amounts)
    assert mean == pytest.approx(0.1) and chances @ amounts == pytest.approx(0)
    spread = sqrt(float(game.chances @ (amounts - mean) ** 2))
    third = float(game.chances @ np.abs(amounts - mean) ** 3)

    def is_enough(games: int) -> bool:
        below = NormalDist().cdf(-sqrt(games) * mean / spread)
        return below + 0.4748 * third / spread**3 / sqrt(games) <= 1 - probability

    found = game._berry_esseen(probability)
    assert is_enough(found) and not is_enough(found - 1)


def test_certain_and_hopeless_games() -> None:
    assert GameDifference([-1, 0, 1], [0, 0, 1]).games_needed(0.95) == 1
    assert GameDifference([-1, 0, 1], [0.5, 0, 0.5]).games_needed(0.75) is None
    assert GameDifference([-1, 1], [0.6, 0.4]).games_needed(0.75) is None
    assert GameDifference([-1, 0, 1], [0, 0.5, 0.5]).games_needed(0.95) == 5  # 1 - 1/32


@pytest.mark.parametrize("mean", [-0.5, 0.01, 0.3, 1.0])
def test_a_game_with_another_mean(mean: float) -> None:
    moved = GameDifference([-2, 0, 1, 2], [0.2, 0.3, 0.1, 0.4], 2).with_mean(mean)
    assert moved.mean == pytest.approx(mean) and moved.chances.sum() == pytest.approx(1)
    assert (moved.chances >= 0).all()


def rows_of(winners: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
    rows = np.zeros((winners.size, 2), dtype=np.int32)
    rows[:, WINNERS] = winners
    return rows


def test_pairs_count_shares_copies_and_rotations() -> None:
    """Three at the table, two of them copies; the two rows are the same deals, rotated by one."""
    pairs = StrategyPairs(["a", "b", "a"])
    assert pairs.names == [("a", "b")]
    first = rows_of(np.array([0b001, 0b010, 0b011, 0b111, 0]))
    second = rows_of(np.array([0b010, 0b010, 0b100, 0b010, 0]))  # a sits in 1 and 0, b in 2
    sums = pairs.sums([first, second])
    # Of copies (0, 1) and (2, 1), by luck, in sixths: the first row's, then the second's.
    each = [(6, 0, 6, 0), (-6, -6, 6, 0), (0, -3, -6, -6), (0, 0, 6, 0), (0, 0, 0, 0)]
    assert sums.totals.tolist() == [sum(map(sum, each))]
    assert sums.squares.tolist() == [sum(sum(one) ** 2 for one in each)]
    assert sums.counts.tolist() == [[0, 1, 4, 11, 4, 0, 0]]
    assert pairs.games_of_a_deal(0, 2) == 4


def test_equals_are_not_settled_and_better_ones_are() -> None:
    rng, pairs, deals = np.random.default_rng(9), StrategyPairs(["a", "b"]), 5_000

    def series(chance: float) -> series_module.GamesToLead:
        won = rng.random((2, deals)) < chance
        sums = pairs.sums([rows_of(np.where(won[0], 1, 2)), rows_of(np.where(won[1], 2, 1))])
        (one,) = games_to_lead(pairs, sums, deals, 2)
        return one

    equal = series(0.5)
    assert not equal.is_settled and "not settled which of" in equal.sentence
    assert equal.games_75 is equal.games_95 is equal.games_95_high is None
    assert equal.difference.high >= -equal.difference.low > 0
    most = GameDifference([-1, 1], [0.5, 0.5]).with_mean(equal.difference.high)
    assert equal.games_95_low == most.games_needed(0.95)
    assert equal.games_75_low == most.games_needed(0.75)
    assert f"at least {equal.games_95_low:,} games" in equal.sentence
    one = series(0.4)
    assert (one.better, one.worse) == ("b", "a")
    assert one.difference.low < 0.2 < one.difference.high
    assert one.deviation == pytest.approx(sqrt(1 - 0.2**2), rel=0.01)
    exact = GameDifference([-1, 1], [0.4, 0.6]).games_needed(0.95)
    assert one.games_95_low is not None and one.games_95_high is not None and exact is not None
    assert one.games_95_low <= exact <= one.games_95_high
    assert one.sentence.startswith("b is ahead of a after ")


def test_somebody_who_always_wins_may_still_lose() -> None:
    pairs = StrategyPairs(["a", "b"])
    sums = pairs.sums([rows_of(np.full(300, 1)), rows_of(np.full(300, 2))])
    (one,) = games_to_lead(pairs, sums, 300, 2)
    assert one.difference.value == one.difference.high == 1 and 0.95 < one.difference.low < 1
    assert (one.games_95, one.games_95_low, one.games_95_high) == (1, 1, 1)


def test_two_names_of_the_same_play_are_not_settled() -> None:
    result = decompose(request_of("herd", "herder,herder:keep_sheep=1", 300))
    (one,) = result.series
    assert one.is_same and not one.is_settled
    assert one.sentence.endswith("won as often as each other on each of 300 deals")
    assert one.difference.low < 0 < one.difference.high


def test_a_series_has_the_difference_of_win_rates() -> None:
    request = request_of("herd", "keeper,climber,hermit", 300)
    experiment = request.experiment
    players = seat_players(experiment.game, experiment.rules, ",".join(request.players))
    wins = np.zeros(3)
    for r in range(3):
        turned = players[-r:] + players[:-r]
        bout = Bout(experiment.game, experiment.rules, turned, stream_seeds(experiment.seed))
        rows = bout.rows(0, 300)
        for place in range(3):
            wins[place] += ((rows[:, WINNERS] >> (place + r) % 3) & 1).sum()
    found = {(one.better, one.worse): one.difference.value for one in decompose(request).series}
    rates = dict(zip(["keeper", "climber", "hermit"], wins / 900, strict=True))
    assert len(found) == 3
    for (better, worse), value in found.items():
        assert value == pytest.approx(rates[better] - rates[worse])


def test_what_is_printed_covers_whether_settled_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """300 samples of 400 deals, a third of them settled; 93 % must hold (|z| < 5: 85.6 %).

    The estimate itself, taken for a lower end, would not pass.
    """
    monkeypatch.setattr(series_module, "EXACT_UP_TO", 0)  # the normal approximation, for all alike
    rng, pairs, deals, chance = np.random.default_rng(5), StrategyPairs(["a", "b"]), 400, 0.53
    truth = GameDifference([-1, 1], [1 - chance, chance]).games_needed(0.95)
    assert truth is not None
    covered = by_the_estimate = settled = 0
    for _ in range(300):
        won = rng.random((2, deals)) < chance
        sums = pairs.sums([rows_of(np.where(won[0], 1, 2)), rows_of(np.where(won[1], 2, 1))])
        (one,) = games_to_lead(pairs, sums, deals, 2)
        low, high, mean = one.games_95_low, one.games_95_high, one.difference.value
        assert low is not None
        is_right = one.better == "a" or not one.is_settled
        covered += is_right and low <= truth <= (high or truth)
        about = GameDifference([-1, 1], [(1 - mean) / 2, (1 + mean) / 2]).games_needed(0.95)
        by_the_estimate += about is None or about <= truth
        settled += one.is_settled
    assert 50 < settled < 200
    least = 300 * 0.93 - 5 * sqrt(300 * 0.93 * 0.07)
    assert by_the_estimate < least < covered


# Borders and words


@pytest.mark.parametrize(("about", "is_exact"), [(1_000_000, True), (1_000_001, False)])
def test_up_to_a_million_games_it_is_exact(
    about: int, is_exact: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(GameDifference, "_normal", lambda *_: about)
    assert GameDifference([-1, 0, 1], [0, 0.5, 0.5]).games_needed(0.95) == (
        5 if is_exact else about
    )


def test_a_chance_that_is_short_by_rounding_is_enough() -> None:
    """After N games of which half are won and none lost it is 1 - 1 / 2^N; by a trillionth."""
    game = GameDifference([0, 1], [0.5, 0.5])
    assert [game.games_needed(0.75 + more) for more in (0.0, 0.9e-12, 1.1e-12)] == [2, 2, 3]


@pytest.mark.parametrize(
    ("values", "chances", "unit", "step"),
    [
        ([-1, 1], [0.45, 0.55], 1, 2.0),
        ([-1, 0, 1], [0.4, 0.1, 0.5], 1, 1.0),
        ([-6, -3, 6], [0.5, 0.0, 0.5], 6, 2.0),
        ([-6, -3, 6], [0.4, 0.1, 0.5], 6, 0.5),
        ([0, 6, 3], [0.6, 0.4, 0.0], 6, 1.0),
    ],
)
def test_by_the_normal_law_half_a_step_more_than_a_draw_is_needed(
    values: list[int], chances: list[float], unit: int, step: float
) -> None:
    """The fewest N at which N m - step / 2 is z s sqrt(N) or more."""
    game = GameDifference(values, chances, unit).with_mean(0.03)
    amounts = np.array(values) / unit
    spread = sqrt(float(game.chances @ (amounts - 0.03) ** 2))
    z = NormalDist().inv_cdf(0.95)

    def is_enough(games: int) -> bool:
        return games * 0.03 - step / 2 >= z * spread * sqrt(games)

    found = game._normal(0.95)
    assert is_enough(found) and not is_enough(found - 1)


@pytest.mark.parametrize(("values", "chances"), GAMES)
@pytest.mark.parametrize("probability", [0.75, 0.95])
def test_chernoffs_bound_is_that_of_the_best_tilt(
    values: list[int], chances: list[float], probability: float
) -> None:
    """P(S <= 0) <= min over t of (E exp(-t X))^N; tried on a grid, so a little more games."""
    unit = max(values)
    amounts = np.array(values) / unit
    rate = minimize_scalar(
        lambda t: float(np.exp(-t * amounts) @ chances), bounds=(0, 40), method="bounded"
    ).fun
    exact = np.log(1 - probability) / np.log(rate)
    found = GameDifference(values, chances, unit)._chernoff(probability)
    assert exact <= found <= 1.01 * exact + 1


def test_a_mean_that_it_has_already_changes_nothing() -> None:
    game = GameDifference([-2, 0, 2], [0.25, 0.25, 0.5], 2)
    assert (game.mean, game.deviation) == pytest.approx((0.25, sqrt(0.75 - 0.0625)))
    assert game.with_mean(0.25) is game
    sure = GameDifference([-2, 0, 2], [0.0, 0.0, 1.0], 2)
    assert sure.with_mean(1.0) is sure and sure.deviation == 0
    worse = game.with_mean(-0.375)  # halfway to all lost
    assert worse.chances == pytest.approx([0.625, 0.125, 0.25])
    better = game.with_mean(0.625)  # halfway to all won
    assert better.chances == pytest.approx([0.125, 0.125, 0.75])


def test_the_circle_is_too_large_to_go_round() -> None:
    """Hoeffding: the sum of N is beyond N m + L sqrt(2 N 40) once in exp(40) times."""
    values, chances = [-1, 0, 1], [0.25, 0.25, 0.5]
    for most in (10, 1_000, 3_000, 40_000):
        farthest = min(most, most * 0.25 + sqrt(2 * most * 40))
        size = LeadChance(GameDifference(values, chances), most)._size
        assert size > 2 * farthest + 2 >= size / 2 - 1 and size & (size - 1) == 0


def test_equals_are_told_in_the_order_of_the_line_up() -> None:
    pairs = StrategyPairs(["b", "a"])
    even = pairs.sums([rows_of(np.array([1, 2] * 50)), rows_of(np.array([2, 1] * 50))])
    assert even.totals[0] == 0 and even.squares[0] > 0
    (one,) = games_to_lead(pairs, even, 100, 2)
    assert (one.better, one.worse, one.difference.value, one.is_same) == ("b", "a", 0.0, False)


def test_pairs_add_up_and_begin_with_nothing() -> None:
    pairs = StrategyPairs(["a", "b", "c"])
    assert pairs.names == [("a", "b"), ("a", "c"), ("b", "c")] and pairs.unit == 6
    none = pairs.empty()
    assert none.counts.tolist() == [[0] * 7] * 3
    assert none.totals.tolist() == none.squares.tolist() == [0] * 3
    rows = [rows_of(np.array([1, 2, 3, 4])) for _ in range(3)]
    once, twice = pairs.sums(rows), pairs.sums(rows)
    twice.add(once)
    for name in ("counts", "totals", "squares"):
        assert (getattr(twice, name) == 2 * getattr(once, name)).all()
    assert pairs.games_of_a_deal(1, 3) == 3
    assert StrategyPairs(["a", "a", "b", "b"]).games_of_a_deal(0, 5) == 20


def lead(**more: Any) -> series_module.GamesToLead:
    known = {
        **{"better": "a", "worse": "b", "difference": Estimate(0.0512, 0.01, 0.0949, 4000)},
        **{"deviation": 0.5, "is_same": False},
        **{"games_75": 12, "games_75_low": 3, "games_75_high": 1234},
        **{"games_95": 100, "games_95_low": 20, "games_95_high": 5000},
    }
    return series_module.GamesToLead(**{**known, **more})


def test_games_to_lead_in_words() -> None:
    assert lead().sentence == (
        "a is ahead of b after 12 games (3 to 1,234) with 75 % probability, "
        "after 100 (20 to 5,000) with 95 %"
    )
    one = lead(games_75=1, games_75_low=1, games_75_high=1, games_95_low=100, games_95_high=100)
    assert one.sentence == (
        "a is ahead of b after 1 game with 75 % probability, after 100 with 95 %"
    )
    unknown = {"games_75": None, "games_75_high": None, "games_95": None, "games_95_high": None}
    assert lead(**unknown).sentence == (
        "it is not settled which of a and b is better: the difference of their win rates is "
        "5.12 percentage points (1.00 to 9.49). The better one needs at least 20 games to be "
        "ahead with 95 % probability"
    )
    assert (
        lead(is_same=True).sentence == "a and b won as often as each other on each of 4,000 deals"
    )
    assert lead().as_json() == {
        **{"better": "a", "worse": "b", "settled": True, "deviation_a_game": 0.5},
        **{"difference": 0.0512, "ci_low": 0.01, "ci_high": 0.0949},
        **{"games_75": 12, "games_75_low": 3, "games_75_high": 1234},
        **{"games_95": 100, "games_95_low": 20, "games_95_high": 5000},
        "sentence": lead().sentence,
    }


def test_pairs_of_a_line_up_share_five_per_cent() -> None:
    """Three pairs, so each interval is of 98 1/3 %, of the deals' differences."""
    rng, pairs, deals = np.random.default_rng(12), StrategyPairs(["a", "b", "c"]), 500
    rotations = [rows_of(1 << rng.choice(3, size=deals, p=[0.5, 0.3, 0.2])) for _ in range(3)]
    sums = pairs.sums(rotations)
    for pair, one in enumerate(games_to_lead(pairs, sums, deals, 3)):
        total, squares = abs(sums.totals[pair]), sums.squares[pair]
        mean = total / deals / 18
        variance = (squares / 18**2 - deals * mean**2) / (deals - 1) / deals
        wanted = difference_with(mean, variance, deals, 1 - 0.05 / 3)
        assert (one.difference.low, one.difference.high) == pytest.approx((wanted.low, wanted.high))
        counts = sums.counts[pair] / (deals * 3)
        amounts = np.array([-1 / 3, -1 / 2, -1, 0, 1, 1 / 2, 1 / 3])
        spread = sqrt(float(counts @ amounts**2) - float(counts @ amounts) ** 2)
        assert one.deviation == pytest.approx(spread)


def test_one_game_that_is_not_enough_is_looked_at() -> None:
    """70 % after one game, 91 % after two, of which none is lost."""
    assert GameDifference([-1, 0, 1], [0.0, 0.3, 0.7]).games_needed(0.75) == 2
    assert GameDifference([-1, 0, 1], [0.0, 0.2, 0.8]).games_needed(0.75) == 1


def test_what_came_out_alike_may_differ_on_wilsons_share_of_deals() -> None:
    """In either direction, and in one rotation as in several."""
    pairs = StrategyPairs(["a", "b"])
    sums = pairs.sums([rows_of(np.full(200, 0b11))])
    assert sums.counts.tolist() == [[0, 0, 200, 0, 0]]
    (one,) = games_to_lead(pairs, sums, 200, 1)
    assert one.is_same and one.difference == unvaried(0.0, 200, -1.0, 1.0)
    assert one.difference.high == pytest.approx(wilson(0, 200).high)
