"""Ratings: closed forms, an independent optimiser, a real bootstrap, and coverage with known truth.

Games are simulated as Luce's rule arises from luck: to each seat's strength comes Gumbel noise, and
the largest sum wins.  All seatings get the same noise on the same deals, as in a tournament.
"""

from itertools import product
from math import inf, log, sqrt

import numpy as np
import pytest
from scipy.optimize import brentq, minimize
from scipy.special import stdtrit

from herdlab.analysis.stats import ratings
from herdlab.analysis.stats.estimates import as_columns, rate_with, wilson
from herdlab.analysis.stats.ratings import POINTS, fit_ratings, prior_precision
from herdlab.simcore.errors import BadInput
from tests.statistics import LARGEST_Z, z_of_rate


def all_seatings(n_entrants: int, n: int) -> np.ndarray:
    return np.array(list(product(range(n_entrants), repeat=n)))


def played(
    theta: np.ndarray, beta: np.ndarray, groups: int, deals: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return all seatings, and what their seats won on common deals in each group."""
    seatings = all_seatings(len(theta), len(beta))
    strengths = theta[seatings] + beta
    noise = rng.gumbel(size=(groups, deals, 1, len(beta)))
    winners = (strengths + noise).argmax(axis=-1)
    return seatings, (winners[..., None] == np.arange(len(beta))).sum(axis=1).astype(float)


def centred(values: list[float]) -> np.ndarray:
    result: np.ndarray = np.array(values) - np.mean(values)
    return result


def levelled(values: np.ndarray) -> np.ndarray:
    """Strengths as ratings have them: their exponentials are 1 on the average."""
    result: np.ndarray = values - np.log(np.exp(values).mean())
    return result


def test_two_at_a_table_have_the_closed_form_of_bradley_and_terry() -> None:
    """Each seating's log odds are those of its wins: strength and seat are their half sum."""
    wins = np.array([[700_000.0, 300_000.0], [450_000.0, 550_000.0]])
    first, second = log(7 / 3), log(45 / 55)  # entrant 0 on seat 0; entrant 1 on seat 0
    found = fit_ratings([[0, 1], [1, 0]], [wins / 2, wins / 2], 2, n_games=2_000_000)
    strength, seat = (first - second) / 2, (first + second) / 2
    # The prior counts as one game among two million.
    level = levelled(np.array([strength, 0.0]))
    assert [one.value for one in found.ratings] == pytest.approx(1500 + POINTS * level, abs=1e-3)
    assert found.seats[0].value == pytest.approx(POINTS * seat / 2, abs=1e-3)
    assert found.ratings[0].n == 2_000_000


def test_ten_to_one_are_400_points() -> None:
    wins = np.array([[10e6, 1e6], [1e6, 10e6]])
    found = fit_ratings([[0, 1], [1, 0]], [wins, wins], 2, n_games=1)
    assert found.ratings[0].value - found.ratings[1].value == pytest.approx(400, abs=1e-3)
    assert [seat.value for seat in found.seats] == pytest.approx([0, 0], abs=1e-9)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_fit_is_the_optimum_that_scipy_finds(n: int) -> None:
    rng = np.random.default_rng(n)
    seatings = rng.integers(0, 4, size=(25, n))
    wins = rng.integers(0, 6, size=(2, 25, n)) / 2

    def loss(at: np.ndarray) -> float:
        total = prior_precision(n) / 2 * at @ at
        for seating, won in zip(seatings, wins.sum(axis=0), strict=True):
            weights = np.exp(at[seating] + at[4:])
            total -= won @ np.log(weights / weights.sum())
        return float(total)

    best = minimize(loss, np.zeros(4 + n), method="BFGS", options={"gtol": 1e-7}).x
    found = fit_ratings(seatings, wins, 4, n_games=1)
    values = [(estimate.value - 1500) / POINTS for estimate in found.ratings]
    seats = [estimate.value / POINTS for estimate in found.seats]
    assert values == pytest.approx(levelled(best[:4]), abs=1e-5)
    assert np.exp(values).mean() == pytest.approx(1)
    assert seats == pytest.approx(best[4:], abs=1e-5)
    assert sum(seats) == pytest.approx(0, abs=1e-9)


def test_the_fit_settles_to_the_last_digits() -> None:
    """At the optimum, wins beyond expectation balance the prior, also after a billion games."""
    rng = np.random.default_rng(1)
    theta = centred([0.0, 1.0, 2.0, -3.0])
    seatings, wins = played(theta, np.array([0.3, 0.0, -0.3]), 4, 20, rng)
    for scale in (1.0, 1e7):
        strengths, _ = ratings._fit(seatings, wins.sum(axis=0) * scale, 4)
        chances = np.exp(strengths[seatings] + strengths[4:])
        chances /= chances.sum(axis=1, keepdims=True)
        beyond = wins.sum(axis=0) - wins.sum(axis=(0, 2))[:, None] * chances
        by_entrant = np.bincount(seatings.ravel(), beyond.ravel(), minlength=4) * scale
        assert by_entrant == pytest.approx(
            prior_precision(3) * strengths[:4], abs=1e-8 * max(1.0, scale / 1e3)
        )


def test_the_order_and_the_cutting_of_seatings_do_not_matter() -> None:
    rng = np.random.default_rng(2)
    seatings, wins = played(centred([0.0, 0.5, -0.4]), np.array([0.2, -0.2]), 8, 5, rng)
    whole = fit_ratings(seatings, wins, 3, n_games=1)
    order = rng.permutation(len(seatings))
    cut = fit_ratings(
        np.concatenate([seatings[order], seatings]),
        np.concatenate([wins[:, order] * 0.25, wins * 0.75], axis=1),
        3,
        n_games=1,
    )
    for one, other in zip(whole.ratings + whole.seats, cut.ratings + cut.seats, strict=True):
        assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high))


def test_strengths_and_seats_are_recovered() -> None:
    rng = np.random.default_rng(3)
    theta = levelled(np.array([0.9, 0.4, 0.1, 0.0, -0.5, -1.2]))
    beta = centred([0.3, 0.1, -0.1, -0.4])
    seatings, wins = played(theta, beta, 64, 16, rng)
    found = fit_ratings(seatings, wins, 6, n_games=int(wins.sum()))
    quantile = stdtrit(63, 0.975)
    truths = [*(1500 + POINTS * theta), *(POINTS * beta)]
    for estimate, truth in zip(found.ratings + found.seats, truths, strict=True):
        error = (estimate.high - estimate.low) / 2 / quantile
        assert abs(estimate.value - truth) < LARGEST_Z * error
        assert error < 15  # points: the check means something

    blind = fit_ratings(
        seatings, wins[:, :, ::-1], 6, n_games=1
    )  # as if seats were counted backwards
    assert any(
        abs(estimate.value - truth) > LARGEST_Z * (estimate.high - estimate.low) / 2 / quantile
        for estimate, truth in zip(blind.seats, POINTS * beta, strict=True)
    )


def test_intervals_are_those_of_a_bootstrap_over_groups() -> None:
    """400 refits: their standard deviation is known to 1 / sqrt(800), or 3.5 %.

    Groups are of unequal size, as they are where nobody wins some of the games.
    """
    rng = np.random.default_rng(4)
    theta, beta = levelled(np.array([0.5, 0.0, -0.2, -0.6])), centred([0.3, 0.0, -0.3])
    groups, replicates = 64, 400
    seatings, wins = played(theta, beta, groups, 12, rng)
    wins *= rng.integers(1, 4, size=(groups, 1, 1))
    found = fit_ratings(seatings, wins, 4, n_games=1)
    drawn = np.array(
        [
            ratings._fit(seatings, wins[rng.integers(0, groups, groups)].sum(axis=0), 4)[0]
            for _ in range(replicates)
        ]
    )
    drawn[:, :4] = [levelled(one) for one in drawn[:, :4]]
    spread = drawn.std(axis=0) * POINTS * sqrt(groups / (groups - 1))
    halves = [(each.high - each.low) / 2 for each in found.ratings + found.seats]
    ratio = np.array(halves) / stdtrit(groups - 1, 0.975) / spread
    assert (np.abs(ratio - 1) < LARGEST_Z / sqrt(2 * replicates)).all()


def test_intervals_cover_as_often_as_they_say() -> None:
    """600 tournaments of 32 groups of 4 deals, the same for all seatings.

    Coverage within 5 standard errors of 95 %.  Taking the games of one deal for independent (groups
    put together from other deals for each seating) would be caught: seats then hardly cover.
    """
    rng = np.random.default_rng(5)
    theta, beta = levelled(np.array([0.6, 0.0, -0.2])), centred([0.2, 0.0, -0.4])
    truths = np.array([*(1500 + POINTS * theta), *(POINTS * beta)])
    repetitions = 600
    covered, covered_if_mixed = np.zeros(6, dtype=int), np.zeros(6, dtype=int)
    for _ in range(repetitions):
        seatings, wins = played(theta, beta, 32, 4, rng)
        found = fit_ratings(seatings, wins, 3, n_games=1)
        estimates = found.ratings + found.seats
        covered += [
            each.low <= truth <= each.high for each, truth in zip(estimates, truths, strict=True)
        ]
        mixed = fit_ratings(seatings, rng.permuted(wins, axis=0), 3, n_games=1)
        estimates = mixed.ratings + mixed.seats
        covered_if_mixed += [
            each.low <= truth <= each.high for each, truth in zip(estimates, truths, strict=True)
        ]
    assert all(abs(z_of_rate(count, repetitions, 0.95)) < LARGEST_Z for count in covered)
    assert all(z_of_rate(count, repetitions, 0.95) < -LARGEST_Z for count in covered_if_mixed[3:])


@pytest.mark.parametrize("strength", [-40.0, 40.0])
def test_one_who_never_or_always_wins_has_a_finite_rating(
    strength: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(6)
    theta = np.array([strength, 0.2, 0.0, -0.2])
    found = {
        deals: fit_ratings(*played(theta, np.zeros(3), 16, deals, rng), 4, n_games=1).ratings
        for deals in (2, 200)
    }
    for estimates in found.values():
        first, others = estimates[0], estimates[1:]
        values = [(each.value - first.value) * np.sign(-strength) for each in others]
        assert min(values) > 400
        # No certainty from no spread; but one who is hopeless makes nobody else uncertain.
        unsure, sure = ([first], others) if strength < 0 else (others, [first])
        assert all(each.high - each.low > 200 for each in unsure)
        assert all(each.high - each.low < 200 for each in sure)
    apart = {deals: abs(one[0].value - one[1].value) for deals, one in found.items()}
    assert apart[200] > apart[2] + 100

    monkeypatch.setattr(ratings, "FEW", 0)  # the groups alone would see next to no spread
    monkeypatch.setattr(ratings, "_reach", lambda *_: np.zeros((2, 1)))
    monkeypatch.setattr(ratings, "_one_deal", lambda *_: np.zeros((1, 7)))
    narrow = fit_ratings(*played(theta, np.zeros(3), 16, 200, rng), 4, n_games=1).ratings
    assert all(each.high - each.low < 50 for each in narrow)


def test_whoever_never_won_has_no_lower_end() -> None:
    """Also two who beat each other, but nobody else; others have both ends."""
    theta = np.array([0.2, 0.0, -50.0, -50.3])
    seatings, wins = played(theta, np.zeros(2), 50, 4, np.random.default_rng(9))
    found = fit_ratings(seatings, wins, 4, n_games=1)
    assert [each.low for each in found.ratings[2:]] == [-inf, -inf]
    assert all(each.value > 1400 and each.low > 1300 for each in found.ratings[:2])
    assert all(each.high < 1400 for each in found.ratings[2:])
    assert as_columns(found.ratings[2], "rating", "")["low"] is None


def test_who_never_won_has_no_lower_end_though_another_seems_weaker() -> None:
    """The third lost its only games, to the first; the second won one of very many."""
    wins = np.zeros((2, 4, 2))
    wins[:, 0], wins[:, 1], wins[:, 2:] = [500, 0.5], [0.5, 500], [[1, 0], [0, 1]]
    found = fit_ratings([[0, 1], [1, 0], [0, 2], [2, 0]], wins, 3, n_games=1).ratings
    assert found[1].value < found[2].value
    assert found[2].low == -inf and min(found[0].low, found[1].low) > -inf


def test_a_seat_that_never_won_leaves_the_others_without_an_upper_end() -> None:
    """What a seat is worth is measured from the mean of all."""
    wins = np.zeros((4, 3, 3))
    wins[..., :2] = 10
    found = fit_ratings([[0, 0, 0], [0, 1, 0], [1, 1, 1]], wins, 2, n_games=1).seats
    assert [(each.low > -inf, each.high < inf) for each in found] == [
        (True, False),
        (True, False),
        (False, True),
    ]


def test_intervals_of_a_weak_entrant_cover() -> None:
    """About ten wins in 2,880 games a tournament, 400 tournaments; too few for the groups alone."""
    rng = np.random.default_rng(7)
    theta = np.array([0.5, 0.0, -0.2, -6.0])
    truths = 1500 + POINTS * levelled(theta)
    seatings = all_seatings(4, 2)
    chances = np.exp(theta[seatings])
    chances /= chances.sum(axis=1, keepdims=True)
    covered = np.zeros(4, dtype=int)
    for _ in range(400):
        wins = rng.multinomial(20, chances, size=(32, 16)).astype(float)
        found = fit_ratings(seatings, wins, 4, n_games=1).ratings
        covered += [
            each.low <= truth <= each.high for each, truth in zip(found, truths, strict=True)
        ]
    assert all(abs(z_of_rate(count, 400, 0.95)) < LARGEST_Z for count in covered)


@pytest.mark.parametrize("n", [2, 3, 4, 14])
def test_the_prior_counts_as_one_game_among_equals(n: int) -> None:
    """The information on one at the table is the variance of its winning."""
    is_won = np.arange(n) == 0
    assert prior_precision(n) == pytest.approx(is_won.var())


def test_who_never_sat_at_a_table_is_in_the_middle_and_uncertain() -> None:
    wins = np.full((4, 2, 2), 50.0)
    absent = fit_ratings([[0, 1], [1, 0]], wins, 3, n_games=400).ratings[2]
    assert absent.value == pytest.approx(1500)
    assert absent.high - absent.low > 1000


def test_without_a_game_all_are_in_the_middle() -> None:
    found = fit_ratings([[0, 1], [1, 0]], np.zeros((4, 2, 2)), 2, n_games=0)
    assert [each.value for each in found.ratings + found.seats] == [1500, 1500, 0, 0]
    alone = fit_ratings([[0, 0]], np.full((4, 1, 2), 3.0), 1, n_games=24).ratings[0]
    assert (alone.low, alone.value, alone.high) == pytest.approx((1500, 1500, 1500))


def test_arrays_that_do_not_belong_together_are_refused() -> None:
    wins = np.ones((4, 2, 2))
    with pytest.raises(BadInput, match="do not match the seatings"):
        fit_ratings([[0, 1]], wins, 2, n_games=1)
    with pytest.raises(BadInput, match="at least 2 groups of deals, got 1"):
        fit_ratings([[0, 1], [1, 0]], wins[:1], 2, n_games=1)
    with pytest.raises(BadInput, match="from 0 to 1, got 2"):
        fit_ratings([[0, 1], [2, 0]], wins, 2, n_games=1)
    with pytest.raises(BadInput, match="at least 2 seats, got 1"):
        fit_ratings([[0], [1]], wins[:, :, :1], 2, n_games=1)


def test_intervals_are_exact_for_two_in_three_groups() -> None:
    """Wins in 50, 60 and 70 % of each group's games; in either seat as many, so seats are even.

    The rate varies by (0.1)² / 3.  Strength, the log odds, moves by 1 / p (1 - p) of that, and a
    rating, above the mean strength, by the other's share of the move.
    """
    p, each = np.array([0.5, 0.6, 0.7]), 1_000_000.0
    first = np.stack([p, 1 - p], axis=1) * each
    found = fit_ratings([[0, 1], [1, 0]], np.stack([first, first[:, ::-1]], axis=1), 2, n_games=6)
    error = 0.1 / sqrt(3) / (0.6 * 0.4)
    for one, others_share in zip(found.ratings, (0.4, 0.6), strict=True):
        half = stdtrit(2, 0.975) * POINTS * others_share * error
        assert (one.high - one.value, one.value - one.low) == pytest.approx((half, half), rel=1e-4)
        assert one.n == 6
    assert [one.value for one in found.seats] == pytest.approx([0, 0], abs=1e-6)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_everywhere_is_the_mean_over_all_tables_and_seats(n: int) -> None:
    """By the model itself, table by table; the chances at a table add up to 1."""
    theta, beta = np.array([0.0, 0.5, -1.0, 0.2]), np.array([0.3, 0.0, -0.3, 0.1])[:n]
    seatings = all_seatings(4, n)
    strengths = np.exp(theta[seatings] + beta)
    chances = strengths / strengths.sum(axis=1, keepdims=True)
    found = fit_ratings(seatings, [1e5 * chances, 1e5 * chances], 4, n_games=1)
    wanted = [chances[seatings == entrant].mean() for entrant in range(4)]
    assert found.chances(seatings) == pytest.approx(chances, abs=1e-4)
    assert found.everywhere() == pytest.approx(wanted, abs=1e-4)
    assert found.everywhere().mean() == pytest.approx(1 / n)


def test_everywhere_is_a_mean_over_a_draw_where_tables_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seatings = all_seatings(3, 4)
    rng = np.random.default_rng(8)
    wins = rng.integers(50, 500, size=(2, *seatings.shape)).astype(float)
    found = fit_ratings(seatings, wins, 3, n_games=1)
    monkeypatch.setattr(ratings, "MOST_TABLES", 27)
    exact = found.everywhere()
    whole = found.chances(seatings)
    assert exact == pytest.approx([whole[seatings == one].mean() for one in range(3)])
    monkeypatch.setattr(ratings, "MOST_TABLES", 26)
    drawn = found.everywhere()
    assert (drawn != exact).all()
    others = np.random.Generator(np.random.PCG64(0)).integers(0, 3, (26, 3))  # as saved results had
    wanted = np.zeros(3)
    for entrant, seat in product(range(3), range(4)):
        wanted[entrant] += found.chances(np.insert(others, seat, entrant, 1))[:, seat].mean() / 4
    assert drawn == pytest.approx(wanted)
    spread = found.chances(seatings).std() / sqrt(26)  # a table for every seat of every entrant
    assert np.abs(drawn - exact).max() < LARGEST_Z * spread


@pytest.mark.parametrize(
    "tables",
    [
        [[0, 1], [1, 1], [1, 0], [0, 0], [1, 2]],
        [[0, 1, 0], [1, 1, 1], [2, 1, 1], [0, 1, 2], [2, 2, 2]],
    ],
)
def test_a_deal_that_one_entrant_wins_or_loses_scores_what_it_is_above_the_expected(
    tables: list[list[int]],
) -> None:
    """Its wins at each table are shared among its copies; tables without it, or all of it, do not
    tell."""
    seatings, n_entrants = np.array(tables), 3
    strengths = np.array([0.4, -0.3, 0.1, 0.2, -0.2, 0.3][: 3 + len(tables[0])])
    found = ratings._one_deal(seatings, strengths, n_entrants)
    wanted = []
    for entrant in range(n_entrants):
        for is_won in (True, False):
            score = np.zeros(len(strengths))
            for seats in seatings:
                weights = np.exp(strengths[seats] + strengths[n_entrants:])
                expected = weights / weights.sum()
                winners = (seats == entrant) if is_won else (seats != entrant)
                is_told = 0 < (seats == entrant).sum() < len(seats)
                shares = winners / winners.sum() if is_told else expected
                for seat, who in enumerate(seats):
                    score[who] += shares[seat] - expected[seat]
                    score[n_entrants + seat] += shares[seat] - expected[seat]
            wanted.append(score)
    assert found == pytest.approx(np.array(wanted))


# Few wins


@pytest.mark.parametrize(
    ("won", "games", "together"),
    [
        ([3, 0, 1, 0], 1000, 10 / 4),  # three of four wins came together
        ([0, 1, 0, 1], 1000, 1.0),
        ([250, 250, 247, 249], 1000, 10 / 4),  # of more than half the losses are counted
        ([40, 20], 100, 1000 / 40),
        ([0.25, 0.5], 1.2, 1.0),  # at least one
    ],
)
def test_wins_that_come_together_count_as_one(
    won: list[float], games: float, together: float
) -> None:
    rate, n = sum(won) / games, round(games)
    one = rate_with(rate, together * rate * (1 - rate) / n, n)
    found = ratings._likely_wins(np.array(won, dtype=float), games)
    assert found == pytest.approx((games * one.low, games * one.high))


@pytest.mark.parametrize("games", [800.0, 0.4])
def test_of_no_win_and_of_all_one_end_is_open(games: float) -> None:
    most = games * wilson(0, max(1, round(games))).high
    assert ratings._likely_wins(np.zeros(4), games) == pytest.approx((0.0, most))
    found = ratings._likely_wins(np.full(4, games / 4), games)
    assert found == pytest.approx((games - most, games))
    beyond = ratings._likely_wins(np.full(4, games / 4 + 1e-9), games)  # by rounding
    assert beyond == pytest.approx((games - most, games))


def test_the_weak_are_moved_until_so_many_wins_are_expected() -> None:
    weak, strong = np.array([0.5, 2.0, 1e-3]), np.array([1.5, 1.0, 4.0])
    decided = np.array([10.0, 20.0, 70.0])
    for wanted in (1e-3, 3.0, 50.0, 99.99):
        by = ratings._shift(weak, strong, decided, wanted)
        part = weak * np.exp(by)
        assert decided @ (part / (part + strong)) == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize(
    ("wins", "thin_entrants", "thin_seats"),
    [
        ([[30, 70], [70, 30], [500, 500]], False, False),  # copies of 0 tell nothing of it
        ([[30, 70], [71, 29.9], [500, 500]], False, False),
        ([[29.9, 70], [71, 0], [500, 500]], True, False),
        ([[70, 29.9], [0, 70], [500, 500]], True, False),
        ([[100, 0], [0, 100], [0, 0]], True, False),
        ([[85, 14], [85, 15], [0, 0]], False, True),
        ([[15, 85], [14, 85], [0, 0]], False, True),
        ([[85, 15], [85, 15], [0, 0]], False, False),
        ([[15, 85], [15, 85], [0, 0]], False, False),
    ],
)
def test_under_thirty_wins_or_losses_groups_are_not_trusted_alone(
    wins: list[list[float]], thin_entrants: bool, thin_seats: bool
) -> None:
    seatings = np.array([[0, 1], [1, 0], [0, 0]])
    found = ratings._thin(seatings, np.array(wins, dtype=float), 2)
    assert found.tolist() == [thin_entrants] * 2 + [thin_seats] * 2


def expected_of(who: list[int], at: np.ndarray, seatings: np.ndarray, games: np.ndarray) -> float:
    """Return the wins expected of some entrants in games with others, seats being even."""
    total = 0.0
    for seats, played_there in zip(seatings, games, strict=True):
        is_low = np.isin(seats, who)
        if is_low.any() and not is_low.all():
            weights = np.exp(at[seats])
            total += played_there * weights[is_low].sum() / weights.sum()
    return total


@pytest.mark.parametrize("won", [[5.0, 0.0], [29.0, 0.5], [0.0, 0.0], [20.0, 10.0]])
def test_few_wins_move_the_weaker_together(won: list[float]) -> None:
    """Three entrants on even seats, the last of which won a few games from the others.

    Its rating may lie where the wins expected of it are as few or as many as `_likely_wins` has;
    the others' follow, as the middle is the mean strength.  With thirty it does not count.
    """
    seatings = np.array([[0, 1], [0, 2], [1, 2]])
    by_group = np.zeros((2, 3, 2))
    by_group[:, 0] = 500.0
    by_group[:, 1, 1] = np.array(won)
    by_group[:, 1:, 0] = 1000.0
    strengths = np.array([*levelled(np.array([0.1, 0.0, -4.0])), 0.0, 0.0])
    below, above = ratings._reach(seatings, by_group, strengths, 3)
    games = by_group.sum(axis=(0, 2))
    wanted = ratings._likely_wins(by_group[:, 1, 1], float(games[1:].sum()))
    theta, moves = strengths[:3], []
    for wins in wanted:

        def lacks(by: float, wins: float = wins) -> float:
            return expected_of([2], theta + [0, 0, by], seatings, games) - wins

        by = brentq(lacks, -50, 50, xtol=1e-12) if wins else -np.inf  # as weak as can be
        moves.append(levelled(theta + [0, 0, by]) - theta)
    counts = sum(won) < 30
    down, up = np.minimum(0, np.min(moves, axis=0)), np.maximum(0, np.max(moves, axis=0))
    assert below[:3] == pytest.approx(-down * counts, abs=1e-6)
    assert above[:3] == pytest.approx(up * counts, abs=1e-6)
    assert below[3:].tolist() == above[3:].tolist() == [0, 0]


def test_gaps_add_up_in_squares() -> None:
    """The last lost nearly all to the others, and the last two nearly all to the first."""
    seatings = np.array([[0, 1], [0, 2], [1, 2]])
    by_group = np.zeros((2, 3, 2))
    by_group[:, :, 0] = 500.0
    by_group[0, :, 1] = 4.0, 1.0, 7.0
    strengths = np.array([*levelled(np.array([5.0, 0.0, -4.0])), 0.0, 0.0])
    theta, games = strengths[:3], by_group.sum(axis=(0, 2))
    below, above = ratings._reach(seatings, by_group, strengths, 3)
    squares = np.zeros((2, 3))
    for weak, tables in (([2], [1, 2]), ([1, 2], [0, 1])):
        won = by_group[:, tables, 1].sum(axis=1)
        moves = []
        for wins in ratings._likely_wins(won, float(games[tables].sum())):

            def lacks(by: float, wins: float = wins, weak: list[int] = weak) -> float:
                at = theta + by * np.isin([0, 1, 2], weak)
                return expected_of(weak, at, seatings, games) - wins

            by = brentq(lacks, -50, 50, xtol=1e-12)
            moves.append(levelled(theta + by * np.isin([0, 1, 2], weak)) - theta)
        squares[0] += np.minimum(0, np.min(moves, axis=0)) ** 2
        squares[1] += np.maximum(0, np.max(moves, axis=0)) ** 2
    assert below[:3] == pytest.approx(np.sqrt(squares[0]), abs=1e-6)
    assert above[:3] == pytest.approx(np.sqrt(squares[1]), abs=1e-6)


def test_a_seat_that_seldom_wins_is_moved_too() -> None:
    """Copies on both seats; seats are measured from their mean, so half the move each."""
    seatings, by_group = np.array([[0, 0]]), np.zeros((2, 1, 2))
    by_group[:, 0, 0] = 500.0
    by_group[0, 0, 1] = 8.0
    strengths = np.array([0.0, 2.0, -2.0])
    below, above = ratings._reach(seatings, by_group, strengths, 1)
    low, high = (
        log(wins / (1008 - wins)) for wins in ratings._likely_wins(np.array([8.0, 0.0]), 1008)
    )
    assert below[0] == above[0] == 0
    assert below[1:] == pytest.approx([(high + 4) / 2, (-4 - low) / 2], abs=1e-9)
    assert above[1:] == pytest.approx([(-4 - low) / 2, (high + 4) / 2], abs=1e-9)


def test_the_wider_of_both_intervals_counts() -> None:
    """Of an entrant with two wins in 4,000 games the few wins' own, and not the groups'."""
    seatings = [[0, 1], [1, 0]]
    wins = np.zeros((4, 2, 2))
    wins[:, 0, 0] = wins[:, 1, 1] = 500.0
    wins[0, 0, 1] = wins[1, 1, 0] = 1.0
    found = fit_ratings(seatings, wins, 2, n_games=4002)
    values = np.array([one.value - 1500 for one in found.ratings]) / POINTS
    seats = np.array([one.value for one in found.seats]) / POINTS
    reach = ratings._reach(np.array(seatings), wins, np.array([*values, *seats]), 2) * POINTS
    weak = found.ratings[1]
    assert (
        weak.value - weak.low >= reach[0, 1] * 0.999
        and weak.high - weak.value >= 0.999 * reach[1, 1]
    )
    assert weak.value - weak.low > weak.high - weak.value  # two wins are nearer to none than to six


def test_chances_of_the_strongest_do_not_overflow() -> None:
    """Strengths far beyond what a float's exponential holds; only differences count."""
    seatings = np.array([[0, 1], [1, 0]])
    for level in (0.0, 900.0, -900.0):
        strengths = np.array([level + 2.0, level, 0.0, 0.0])
        chances, mean = ratings._chances(seatings, strengths, 2)
        odds = np.exp(2.0) / (1 + np.exp(2.0))
        assert chances == pytest.approx(np.array([[odds, 1 - odds], [1 - odds, odds]]))
        assert mean == pytest.approx(np.hstack([[[odds, 1 - odds]] * 2, chances]))
