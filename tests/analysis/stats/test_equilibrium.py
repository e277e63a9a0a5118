"""Equilibria: closed forms, linear programming, brute force, and a bootstrap with known truth."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement, product
from math import sqrt

import numpy as np
import numpy.typing as npt
import pytest
from scipy.optimize import linprog

from herdlab.analysis.stats import equilibrium
from herdlab.analysis.stats.equilibrium import EmpiricalGame, Mix, resampled
from herdlab.analysis.stats.estimates import quantile
from herdlab.simcore.errors import BadInput
from tests.statistics import LARGEST_Z, z_of_rate

ROCK_PAPER_SCISSORS = [[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]]


def symmetric_equilibrium(line_ups: npt.ArrayLike, shares: npt.ArrayLike, n: int) -> Mix:
    """Return the equilibrium at the end of the logit path from the even mix."""
    game = EmpiricalGame.of(line_ups, n)
    return game.solve(game.payoffs(np.asarray(shares, dtype=np.float64)))


def all_line_ups(n_entrants: int, n: int) -> np.ndarray:
    members = combinations_with_replacement(range(n_entrants), n)
    return np.array([np.bincount(each, minlength=n_entrants) for each in members])


def duels(matrix: object) -> tuple[np.ndarray, np.ndarray]:
    """Return the line-ups of two, and the shares where `matrix` is what the row wins."""
    wins = np.asarray(matrix, dtype=float)
    line_ups = all_line_ups(len(wins), 2)
    shares = np.full(line_ups.shape, np.nan)  # where nobody sits, nothing may be looked at
    for row, copies in enumerate(line_ups):
        first, second = np.repeat(np.arange(len(wins)), copies)
        shares[row, second], shares[row, first] = wins[second, first], wins[first, second]
    return line_ups, shares


def solved(matrix: object) -> Mix:
    return symmetric_equilibrium(*duels(matrix), 2)


def random_game(
    rng: np.random.Generator, n_entrants: int, n: int, adds_up: bool
) -> tuple[np.ndarray, np.ndarray]:
    line_ups = all_line_ups(n_entrants, n)
    shares = rng.random(line_ups.shape)
    if adds_up:
        shares /= (shares * line_ups).sum(axis=1, keepdims=True)
    return line_ups, np.where(line_ups > 0, shares, np.nan)


def wins_by_hand(line_ups: np.ndarray, shares: np.ndarray, n: int, x: np.ndarray) -> list[float]:
    """Return what each entrant wins against x, over opponents in every order."""
    row_of = {tuple(row): index for index, row in enumerate(line_ups.tolist())}
    size = len(x)
    wins = [0.0] * size
    for entrant in range(size):
        for opponents in product(range(size), repeat=n - 1):
            copies = np.bincount([entrant, *opponents], minlength=size).tolist()
            wins[entrant] += (
                float(np.prod(x[list(opponents)])) * shares[row_of[tuple(copies)], entrant]
            )
    return wins


def test_rock_paper_scissors_is_a_third_each() -> None:
    mix = solved(ROCK_PAPER_SCISSORS)
    assert mix.shares == pytest.approx([1 / 3] * 3, abs=1e-12)
    assert mix.regret < 1e-14
    assert mix.payoffs == pytest.approx([0.5] * 3)


def test_weighted_rock_paper_scissors_has_its_closed_form() -> None:
    """Each is played as often as the duel between the other two weighs."""
    rock_paper, paper_scissors, scissors_rock = 0.1, 0.3, 0.5
    wins = 0.5 + np.array(
        [
            [0.0, -rock_paper, scissors_rock],
            [rock_paper, 0.0, -paper_scissors],
            [-scissors_rock, paper_scissors, 0.0],
        ]
    )
    assert solved(wins).shares == pytest.approx([1 / 3, 5 / 9, 1 / 9], abs=1e-12)


def test_who_is_better_against_all_is_played_alone() -> None:
    mix = solved([[0.5, 0.6, 0.7], [0.4, 0.5, 0.9], [0.3, 0.1, 0.5]])
    assert mix.shares.tolist() == [1, 0, 0]
    assert mix.regret == 0


@pytest.mark.parametrize("prize", [0.2, 0.5, 0.9])
def test_hawks_are_as_many_as_the_prize_is_of_the_cost(prize: float) -> None:
    """Maynard Smith and Price (1973): a prize V against a cost of fighting C = 1."""
    mix = solved([[(prize - 1) / 2, prize], [0.0, prize / 2]])
    assert mix.shares == pytest.approx([prize, 1 - prize], abs=1e-12)
    assert mix.regret < 1e-14


def three_players() -> tuple[np.ndarray, np.ndarray]:
    """Return a game of A and B among three.

    A alone against two B wins always; B alone against two A wins half the time.  With x of A,
    A wins (1-x)² + 2x(1-x)/4 + x²/3, and B (1-x)²/3 + x²/2: six times the difference is 4 - 5x.
    """
    line_ups = np.array([[3, 0], [2, 1], [1, 2], [0, 3]])
    return line_ups, np.array([[1 / 3, np.nan], [1 / 4, 1 / 2], [1, 0], [np.nan, 1 / 3]])


def test_three_players_have_the_mix_worked_out_by_hand() -> None:
    mix = symmetric_equilibrium(*three_players(), 3)
    assert mix.shares == pytest.approx([4 / 5, 1 / 5], abs=1e-12)
    assert mix.payoffs == pytest.approx([1 / 3, 1 / 3])
    # With opponents counted once whatever their order: 4 - 6.5 x + 1.5 x² = 0.
    wrong = (6.5 - sqrt(6.5**2 - 24)) / 3
    assert abs(wrong - 4 / 5) > 0.05


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_payoffs_are_those_over_opponents_in_every_order(n: int) -> None:
    rng = np.random.default_rng(n)
    line_ups, shares = random_game(rng, 4, n, adds_up=False)
    order = rng.permutation(len(line_ups))
    mix = symmetric_equilibrium(line_ups[order], shares[order], n)
    wins = wins_by_hand(line_ups, shares, n, mix.shares)
    assert mix.payoffs == pytest.approx(wins, abs=1e-12)
    assert max(wins) - mix.shares @ wins == pytest.approx(mix.regret, abs=1e-12)
    assert mix.shares.sum() == pytest.approx(1, abs=1e-14)


def test_without_the_multinomial_coefficient_the_answer_is_another() -> None:
    rng = np.random.default_rng(4)
    line_ups, shares = random_game(rng, 4, 4, adds_up=True)
    table = equilibrium.EmpiricalGame.of(line_ups, 4)
    right = table.solve(table.payoffs(shares))
    assert right.regret < 1e-12
    wrong = replace(table, ways=np.ones_like(table.ways))
    other = wrong.solve(wrong.payoffs(shares))
    assert table.mix(table.payoffs(shares), other.shares).regret > 1e-3


def test_duels_agree_with_linear_programming() -> None:
    """A mix is optimal where it wins half against every entrant, at least."""
    rng = np.random.default_rng(5)
    for size in (2, 3, 5, 8):
        for _ in range(6):
            lead = np.triu(rng.uniform(-0.5, 0.5, (size, size)), 1)
            wins = 0.5 + lead - lead.T
            found = linprog(
                np.zeros(size),
                A_ub=-(wins - 0.5).T,
                b_ub=np.zeros(size),
                A_eq=np.ones((1, size)),
                b_eq=1,
            )
            mix = solved(wins)
            assert mix.regret < 1e-13
            assert mix.shares == pytest.approx(found.x, abs=1e-7)


@pytest.mark.parametrize(("n_entrants", "n"), [(6, 2), (6, 3), (5, 4), (3, 7), (2, 14)])
@pytest.mark.parametrize("adds_up", [True, False])
def test_random_games_have_no_regret(n_entrants: int, n: int, adds_up: bool) -> None:
    rng = np.random.default_rng([n_entrants, n, adds_up])
    for _ in range(5):
        mix = symmetric_equilibrium(*random_game(rng, n_entrants, n, adds_up), n)
        assert mix.regret < 1e-12
        assert mix.shares.min() >= 0
        assert mix.shares.sum() == pytest.approx(1, abs=1e-14)


def test_games_with_many_ties_have_no_regret() -> None:
    rng = np.random.default_rng(6)
    for _ in range(30):
        n_entrants, n = (int(each) for each in rng.integers([2, 2], [6, 5]))
        line_ups = all_line_ups(n_entrants, n)
        mix = symmetric_equilibrium(line_ups, rng.integers(0, 3, line_ups.shape) / 2, n)
        assert mix.regret < 1e-9


@pytest.mark.parametrize("noise", [0.0, 1e-16, 1e-12])
def test_entrants_that_play_the_same_share_their_part(noise: float) -> None:
    """Rock, paper, and scissors under two names; also with what rounding may leave between them."""
    twice = [0, 1, 2, 2]
    wins = np.array(ROCK_PAPER_SCISSORS)[np.ix_(twice, twice)]
    wins += noise * np.random.default_rng(7).normal(size=(4, 4))
    mix = solved(wins)
    assert mix.shares == pytest.approx([1 / 3, 1 / 3, 1 / 6, 1 / 6], abs=1e-4 if noise else 1e-6)
    assert mix.regret < 1e-12


def test_where_all_play_the_same_the_mix_is_even() -> None:
    mix = solved(np.full((4, 4), 0.5))
    assert mix.shares == pytest.approx([1 / 4] * 4, abs=1e-14)
    assert mix.regret == 0
    assert solved([[1.0]]).shares.tolist() == [1]


def test_an_equal_answer_that_loses_elsewhere_is_not_played() -> None:
    """B does as well against A, and worse against B: only A is left at the path's end."""
    assert solved([[1, 1], [1, 0]]).shares == pytest.approx([1, 0], abs=1e-6)


def test_of_several_equilibria_the_one_at_the_path_s_end_is_returned() -> None:
    """Of two pure ones: the one that risks less (Harsanyi and Selten 1988), not the best."""
    assert solved([[2, 0], [0, 1]]).shares.tolist() == [1, 0]
    assert solved([[3, 0], [2, 2]]).shares.tolist() == [0, 1]
    assert solved(np.eye(3)).shares == pytest.approx([1 / 3] * 3)  # no reason to break the evenness


def games_of_three(n_games: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(8)
    for _ in range(n_games):
        yield random_game(rng, 5, 3, adds_up=False)


def test_the_tracer_keeps_to_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps twenty times as fine end at the same mix; careless steps often do not."""
    games = list(games_of_three(16))
    found = [symmetric_equilibrium(*game, 3).shares for game in games]
    monkeypatch.setattr(equilibrium, "LONGEST_STEPS", (0.05,))
    for game, shares in zip(games, found, strict=True):
        assert symmetric_equilibrium(*game, 3).shares == pytest.approx(shares, abs=1e-9)
    monkeypatch.setattr(equilibrium, "LONGEST_STEPS", (4.0,))
    monkeypatch.setattr(equilibrium, "LARGEST_ERROR", np.inf)
    monkeypatch.setattr(equilibrium, "SMALLEST_COSINE", -np.inf)
    monkeypatch.setattr(equilibrium, "CROSSING", np.inf)
    monkeypatch.setattr(equilibrium, "MOST_STEPS", 200)
    careless = [symmetric_equilibrium(*game, 3).shares for game in games]
    gaps = [np.abs(a - b).max() for a, b in zip(found, careless, strict=True)]
    assert sum(gap > 0.01 for gap in gaps) >= 3


def test_points_of_the_path_are_logit_answers_to_themselves() -> None:
    turns_back = 0
    for line_ups, shares in games_of_three(10):
        table = equilibrium.EmpiricalGame.of(line_ups, 3)
        payoffs = table.payoffs(shares)
        rates = []
        for x, rate in equilibrium._logit_path(table, payoffs, 1.0):
            rates.append(rate)
            if rate < 100:  # the answers magnify errors of x by as much
                wins, _ = table.against(payoffs, x)
                answers = np.exp(rate * (wins - wins.max()))
                assert x == pytest.approx(answers / answers.sum(), abs=1e-6)
        assert rates[0] < 0.1 and rates[-1] > 1e10
        turns_back += any(np.diff(rates) < 0)
    assert turns_back  # lambda does not always rise


def test_without_the_path_descent_finds_an_equilibrium(monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(*_: object) -> Iterator[tuple[np.ndarray, float]]:
        return iter(())

    monkeypatch.setattr(equilibrium, "_logit_path", lost)
    rng = np.random.default_rng(9)
    for n in (2, 3, 4):
        for adds_up in (True, False):
            mix = symmetric_equilibrium(*random_game(rng, 5, n, adds_up), n)
            assert mix.regret < 1e-9
            assert mix.shares.sum() == pytest.approx(1, abs=1e-12)


def test_a_lost_path_is_traced_again_in_finer_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    trace = equilibrium._logit_path
    tried = []

    def clumsy(*given: object) -> Iterator[tuple[np.ndarray, float]]:
        tried.append(given[-1])
        return trace(*given) if given[-1] == 0.05 else iter(())  # type: ignore[arg-type]

    monkeypatch.setattr(equilibrium, "_logit_path", clumsy)
    assert solved(ROCK_PAPER_SCISSORS).shares == pytest.approx([1 / 3] * 3)
    assert tried == [1.0, 0.05]


def test_line_ups_that_are_not_all_there_are_refused() -> None:
    line_ups, shares = duels(ROCK_PAPER_SCISSORS)
    with pytest.raises(BadInput, match="needs all 6 line-ups, got 5"):
        symmetric_equilibrium(line_ups[1:], shares[1:], 2)
    with pytest.raises(BadInput, match="has 3 entrants"):
        symmetric_equilibrium(line_ups, shares, 3)
    with pytest.raises(BadInput, match="at least 2 players, got 1"):
        symmetric_equilibrium(np.eye(3), np.eye(3), 1)
    with pytest.raises(BadInput, match="must be numbers"):
        symmetric_equilibrium(line_ups, np.full_like(shares, np.nan), 2)


LEADS = np.array([0.2, 0.3, 0.25])
"""What paper, scissors and rock win more than half, against the one that they beat."""


def noisy_groups(
    rng: np.random.Generator, common: float, private: float, n_groups: int = 64
) -> np.ndarray:
    """Return (groups, 3): the leads in each group of deals, which are common to all duels."""
    noise = common * rng.normal(size=(n_groups, 1)) + private * rng.normal(size=(n_groups, 3))
    result: np.ndarray = LEADS + noise
    return result


def as_shares(leads: np.ndarray) -> np.ndarray:
    """Return (..., 6, 3): the win shares of the duels with these leads."""
    line_ups = all_line_ups(3, 2)
    shares = np.full((*leads.shape[:-1], 6, 3), 0.5)
    for winner, loser, lead in ((1, 0, 0), (2, 1, 1), (0, 2, 2)):
        row = int(np.flatnonzero((line_ups[:, winner] == 1) & (line_ups[:, loser] == 1))[0])
        shares[..., row, winner] += leads[..., lead]
        shares[..., row, loser] -= leads[..., lead]
    return shares


def closed_form(leads: np.ndarray) -> np.ndarray:
    shares: np.ndarray = leads[..., [1, 2, 0]] / leads.sum(axis=-1, keepdims=True)
    return shares


def test_the_bootstrap_has_the_spread_of_the_mix() -> None:
    """Against the mix of 20,000 other tournaments, from the closed form.

    Deals that favour winners in all duels alike hardly change the mix.  Groups drawn for each duel
    on their own would be caught: intervals would be more than twice as wide.
    """
    rng = np.random.default_rng(10)
    common, private, n_groups, replicates = 0.2, 0.05, 64, 200
    others = LEADS + rng.normal(size=(20_000, 3)) * private / sqrt(n_groups)
    others += rng.normal(size=(20_000, 1)) * common / sqrt(n_groups)
    low, high = np.quantile(closed_form(others), [0.025, 0.975], axis=0)

    leads = noisy_groups(rng, common, private)
    shares = as_shares(leads)
    found = resampled(
        all_line_ups(3, 2), shares, shares.mean(axis=0), 2, replicates=replicates, seed=1
    )
    assert found.mix.shares == pytest.approx(closed_form(leads.mean(axis=0)), abs=1e-12)
    # The spread of 64 groups is known to 1 / sqrt(126); that of two percentiles of 200 to 7 %.
    tolerance = LARGEST_Z * sqrt(1 / (2 * 63) + 0.07**2)
    assert (found.high - found.low) / (high - low) == pytest.approx([1] * 3, abs=tolerance)
    assert (found.low < found.mix.shares).all() and (found.mix.shares < found.high).all()
    assert (found.same_support, found.replicates) == (1.0, replicates)

    mixed = as_shares(rng.permuted(leads, axis=0))
    wide = resampled(
        all_line_ups(3, 2), mixed, mixed.mean(axis=0), 2, replicates=replicates // 2, seed=1
    )
    assert ((wide.high - wide.low) / (high - low) > 1 + tolerance).all()


def test_the_regret_of_the_mix_is_that_in_the_replicates_games() -> None:
    rng = np.random.default_rng(11)
    leads = noisy_groups(rng, 0.2, 0.2)
    shares = as_shares(leads)
    found = resampled(all_line_ups(3, 2), shares, shares.mean(axis=0), 2, replicates=60, seed=2)
    weights = np.random.Generator(np.random.PCG64(2)).multinomial(64, np.full(64, 1 / 64), size=60)
    regrets = []
    for weight in weights / 64:
        paper, scissors, rock = weight @ leads
        wins = np.array([[0, -paper, rock], [paper, 0, -scissors], [-rock, scissors, 0]])
        regrets.append((wins @ found.mix.shares).max())  # the mix itself wins half
    assert found.regret.value == pytest.approx(np.mean(regrets))
    assert found.regret.low == 0  # no sample shows that the mix is not an equilibrium
    assert found.regret.high == pytest.approx(np.quantile(regrets, 0.975))
    assert found.regret.n == 64 and found.mix.regret < 1e-14 < found.regret.value


def test_the_same_seed_gives_the_same_and_equal_groups_no_spread() -> None:
    line_ups, shares = all_line_ups(3, 2), as_shares(LEADS)
    still = resampled(line_ups, [shares] * 8, shares, 2, replicates=5, seed=0)
    assert still.low == pytest.approx(still.high, abs=1e-12)
    assert still.regret.high < 1e-12
    groups = as_shares(noisy_groups(np.random.default_rng(12), 0.1, 0.1))
    runs = [
        resampled(line_ups, groups, groups.mean(axis=0), 2, replicates=10, seed=seed)
        for seed in (3, 3, 4)
    ]
    assert runs[0].low.tolist() == runs[1].low.tolist() != runs[2].low.tolist()


def test_how_often_the_support_is_the_same_is_counted() -> None:
    """Two nearly equal entrants: which is better changes from replicate to replicate."""
    rng = np.random.default_rng(13)
    lead = rng.normal(0, 0.1, size=64)
    lead -= lead.mean() - 0.005  # better by 0.4 standard errors: so in 66 % of replicates
    line_ups = all_line_ups(2, 2)
    shares = np.full((64, 3, 2), 0.5)
    shares[:, 1] += np.column_stack([lead, -lead])
    found = resampled(line_ups, shares, shares.mean(axis=0), 2, replicates=100, seed=1)
    assert found.mix.shares.tolist() == [1, 0]
    error = lead.std() / 8
    weights = np.random.Generator(np.random.PCG64(1)).multinomial(64, np.full(64, 1 / 64), size=100)
    assert found.same_support == ((weights @ lead) > 0).mean()
    assert 0.5 < found.same_support < 0.8 and error > 0.005
    assert (found.low.tolist(), found.high.tolist()) == ([0, 0], [1, 1])


@pytest.mark.slow
def test_the_bootstrap_covers() -> None:
    """30 tournaments with 80 replicates each; half the width would cover 67 %."""
    rng = np.random.default_rng(14)
    covered = np.zeros(3, dtype=int)
    for seed in range(30):
        shares = as_shares(noisy_groups(rng, 0.1, 0.1))
        found = resampled(
            all_line_ups(3, 2), shares, shares.mean(axis=0), 2, replicates=80, seed=seed
        )
        truth = closed_form(LEADS)
        covered += (found.low <= truth) & (truth <= found.high)
    assert all(abs(z_of_rate(int(count), 30, 0.95)) < LARGEST_Z for count in covered)


# How the path is traced


class Steps:
    """Watches the corrector: from which guesses it was asked, and what it found."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[tuple[np.ndarray, equilibrium._Point | None]] = []
        correct = equilibrium._corrected

        def watched(
            game: EmpiricalGame, payoffs: np.ndarray, guess: np.ndarray, direction: np.ndarray
        ) -> equilibrium._Point | None:
            found = correct(game, payoffs, guess, direction)
            self.asked.append((guess.copy(), found))
            return found

        monkeypatch.setattr(equilibrium, "_corrected", watched)


def test_a_step_is_taken_unless_it_goes_astray(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half as far where the guess was off by more than 0.05, where the path turns by more than its

    cosine of 0.9 allows, or onto a branch that runs the other way; twice as far where it was off
    by less than 0.0125, up to the longest.  Lengths are measured with the larger shares.
    """
    steps, refused, taken, doubled = Steps(monkeypatch), 0, 0, 0
    for line_ups, shares in games_of_three(12):
        steps.asked.clear()
        table = EmpiricalGame.of(line_ups, 3)
        path = list(equilibrium._logit_path(table, table.payoffs(shares), 1.0))
        (start, here), *asked = steps.asked
        assert here is not None and start[:-1] == pytest.approx(np.log(1 / 5))
        assert path[0][1] == pytest.approx(0.05) == np.exp(here.place[-1])  # 0.1 / (n - 1)
        step, points = 1.0, [here]
        for guess, there in asked:
            assert guess == pytest.approx(here.place + step * here.ahead, abs=1e-12)
            is_taken, error = False, np.inf
            if there is not None:
                x, new = np.exp(here.place[:-1]), np.exp(there.place[:-1])
                off = there.place - guess
                error = sqrt(float(np.maximum(x, new) @ off[:-1] ** 2) + off[-1] ** 2)
                along = here.ahead * there.ahead
                cosine = float(x @ along[:-1]) + along[-1]
                is_other = there.sign != here.sign and step > 1e-3
                is_taken = not (error > 0.05 or cosine < 0.9 or is_other)
            if not is_taken or there is None:
                refused += 1
                step /= 2
                continue
            taken += 1
            if error < 0.0125:
                doubled += step < 1
                step = min(1.0, 2 * step)
            here = there
            points.append(here)
        assert len(points) == len(path)
        for point, (x, rate) in zip(points, path, strict=True):
            assert np.exp(point.place) == pytest.approx(np.append(x, rate))
            ahead = point.ahead
            assert float(x @ ahead[:-1] ** 2) + ahead[-1] ** 2 == pytest.approx(1, abs=1e-4)
        assert path[-1][1] > 1e10 and all(rate <= 1e10 for _, rate in path[:-1])
    assert refused > 20 and doubled > 20 and taken > 300


SETTINGS = {
    **{"FIRST_LAMBDA": 0.125, "LAST_LAMBDA": 1.25e10, "POLISH_FROM": 125.0, "CORRECTED": 1.25e-5},
    **{"LONGEST_STEPS": (1.25, 0.0625), "SHORTEST_STEP": 1.25e-7, "CROSSING": 1.25e-3},
    **{"LARGEST_ERROR": 0.0625, "SMALL_ERROR": 0.015625, "SMALLEST_COSINE": 0.8},
    **{"MOST_STEPS": 4_001, "MOST_CORRECTIONS": 9, "HOPELESS": 12.5, "FARTHEST": 1.25e-3},
    **{"CUTS": (1.25e-3, 1.25e-6, 1.25e-9), "MOST_POLISHES": 11, "POLISHED": 1.25e-12},
    **{"SINGULAR": 1.25e-10, "RANDOM_STARTS": 21, "EXACT": 1.25e-13, "CLOSE": 1.25e-9},
}


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_of_the_tracer_do_not_move_its_end(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They say how the path is followed; Newton's method finds where it ends to the last digits."""
    games = [*games_of_three(6), random_game(np.random.default_rng(5), 4, 2, adds_up=True)]
    sizes = [3] * 6 + [2]
    found = [symmetric_equilibrium(*game, n).shares for game, n in zip(games, sizes, strict=True)]
    monkeypatch.setattr(equilibrium, name, SETTINGS[name])
    for game, n, shares in zip(games, sizes, found, strict=True):
        again = symmetric_equilibrium(*game, n).shares
        assert again == pytest.approx(shares, abs=1e-12)
        assert ((again > 0) == (shares > 0)).all()


def test_settings_of_the_tracer_are_all_there() -> None:
    others = {"IntArray", "FloatArray", "CONFIDENCE"}
    named = {name for name in vars(equilibrium) if name.isupper()} - others
    assert named == set(SETTINGS)


# Deals that nobody saw


def test_near_copies_may_be_off_by_z_deals_and_those_that_differ_by_none() -> None:
    """The far end of a share, times z, by the number of deals; copies among themselves share it."""
    line_ups = all_line_ups(2, 2)  # two of the second, one each, two of the first
    rows = {tuple(row): place for place, row in enumerate(line_ups.tolist())}
    alike = np.full((10, 3, 2), 0.5)
    alike[:, rows[1, 1]] = 0.7, 0.3
    found = equilibrium._unseen(line_ups, alike, 400)
    z = quantile()
    assert found[rows[1, 1]] == pytest.approx([0.7 * z / 400, 0.7 * z / 400])
    assert found[rows[2, 0]].tolist() == found[rows[0, 2]].tolist() == [0, 0]
    some = alike.copy()
    some[:2, rows[1, 1], 0] = 0.6, 0.8  # eight groups of ten are alike: six tenths
    halved = equilibrium._unseen(line_ups, some, 400)[rows[1, 1]]
    assert halved == pytest.approx([0.7 * z / 400 * sqrt(0.6), 0.7 * z / 400])
    assert not equilibrium._unseen(line_ups, alike, None).any()


def test_what_is_moved_for_one_is_moved_the_other_way_for_others() -> None:
    line_ups = np.array([[2, 1, 0], [1, 1, 1], [3, 0, 0]])
    unseen = np.array([[0.01, 0.02, 0.0], [0.01, 0.01, 0.03], [0.0, 0.0, 0.0]])
    drawn = np.array(
        [
            equilibrium._moved(line_ups, unseen, np.random.Generator(np.random.PCG64(seed)))
            for seed in range(4_000)
        ]
    )
    assert not drawn[:, 2].any() and not drawn[:, 0, 2].any()
    assert (drawn[:, :2] * line_ups[:2]).sum(axis=-1) == pytest.approx(0, abs=1e-15)
    # Of a (twice) and b at the first table: a is moved by a third of the difference, b by two.
    apart = sqrt(0.01**2 + 0.02**2)
    assert drawn[:, 0, :2].std(axis=0) == pytest.approx([apart / 3, apart * 2 / 3], rel=0.06)
    first = np.random.Generator(np.random.PCG64(0)).standard_normal((3, 3)) * unseen
    assert drawn[0, 0, 0] == pytest.approx((first[0, 0] - first[0, 1]) / 3)


def test_replicates_of_near_copies_vary_although_no_deal_showed_it() -> None:
    line_ups = all_line_ups(2, 2)
    shares = np.full((3, 2), 0.5)
    groups = [shares] * 20
    still = resampled(line_ups, groups, shares, 2, replicates=30, seed=1)
    assert still.low.tolist() == still.high.tolist() == [0.5, 0.5]
    moved = resampled(line_ups, groups, shares, 2, deals=100, replicates=30, seed=1)
    assert moved.low.tolist() == [0, 0] and moved.high.tolist() == [1, 1]
    assert moved.same_support < 0.2 and 0 < moved.regret.value < 0.05 and moved.regret.low == 0
    assert moved.regret.n == 20 and moved.replicates == 30
    # In half of the replicates the first wins |x| more against the even mix, in half the second.
    assert moved.regret.value == pytest.approx(0.5 * 0.5 * quantile() / 100 * 0.56, rel=0.5)


def test_two_hundred_replicates_of_seed_0_unless_asked() -> None:
    shares = as_shares(noisy_groups(np.random.default_rng(12), 0.1, 0.1, 8))
    given = (all_line_ups(3, 2), shares, shares.mean(axis=0), 2)
    usual, asked = resampled(*given), resampled(*given, replicates=200, seed=0)
    assert usual.replicates == 200 and usual.low.tolist() == asked.low.tolist()


# Newton's method at the path's end


def test_mixes_near_by_in_which_all_win_the_same() -> None:
    """From not too far away; one for each set of entrants that the cuts leave."""
    line_ups, shares = duels(ROCK_PAPER_SCISSORS)
    game = EmpiricalGame.of(line_ups, 2)
    payoffs = game.payoffs(shares)
    near = np.array([1 / 3 + 9e-4, 1 / 3 - 4e-4, 1 / 3 - 5e-4])
    ((mix, is_isolated),) = equilibrium._polished(game, payoffs, near)
    assert mix == pytest.approx([1 / 3] * 3, abs=1e-14) and is_isolated
    far = np.array([1 / 3 + 1.1e-3, 1 / 3 - 6e-4, 1 / 3 - 5e-4])
    assert list(equilibrium._polished(game, payoffs, far)) == []
    ((mix, _),) = equilibrium._polished(game, payoffs, far, farthest=1.0)
    assert mix == pytest.approx([1 / 3] * 3, abs=1e-14)


@pytest.mark.parametrize(
    ("third", "supports"), [(2e-3, [3]), (5e-4, [2, 3]), (5e-7, [2, 3]), (5e-10, [2])]
)
def test_shares_under_the_cuts_may_be_none(third: float, supports: list[int]) -> None:
    """Two that are even against each other, and a third that is as good as they are."""
    game = EmpiricalGame.of(all_line_ups(3, 2), 2)
    payoffs = game.payoffs(np.full((6, 3), 0.5))
    near = np.array([0.5, 0.5 - third, third])
    found = list(equilibrium._polished(game, payoffs, near))
    assert [int((mix > 0).sum()) for mix, _ in found] == supports
    assert all(mix.sum() == pytest.approx(1, abs=1e-15) for mix, _ in found)
    assert not any(is_isolated for _, is_isolated in found)  # any mix would do


def test_a_mix_has_what_it_wins_and_how_much_more_the_best_would() -> None:
    line_ups, shares = duels([[0.5, 0.9], [0.1, 0.5]])
    game = EmpiricalGame.of(line_ups, 2)
    mix = game.mix(game.payoffs(shares), np.array([0.25, 0.75]))
    assert mix.payoffs == pytest.approx([0.25 * 0.5 + 0.75 * 0.9, 0.25 * 0.1 + 0.75 * 0.5])
    assert mix.regret == pytest.approx(mix.payoffs[0] - (0.25 * mix.payoffs[0] + 0.75 * 0.4))


@pytest.mark.parametrize("n", [2, 3])
def test_payoffs_may_be_in_any_unit(n: int) -> None:
    line_ups, shares = random_game(np.random.default_rng(n), 4, n, adds_up=False)
    plain = symmetric_equilibrium(line_ups, shares, n)
    other = symmetric_equilibrium(line_ups, 1000 * shares - 300, n)
    assert other.shares == pytest.approx(plain.shares, abs=1e-12)
    assert other.payoffs == pytest.approx(1000 * plain.payoffs - 300)


def test_replicates_are_those_of_the_seed() -> None:
    """Groups first, then what was not seen, replicate by replicate; the mix by its closed form."""
    line_ups, shares = all_line_ups(3, 2), as_shares(LEADS)
    found = resampled(line_ups, [shares] * 8, shares, 2, deals=300, replicates=12, seed=5)
    rng = np.random.Generator(np.random.PCG64(5))
    rng.multinomial(8, np.full(8, 1 / 8), size=12)
    unseen = equilibrium._unseen(line_ups, np.array([shares] * 8), 300)
    rows = {tuple(row): place for place, row in enumerate(line_ups.tolist())}
    mixes = []
    for _ in range(12):
        moved = equilibrium._moved(line_ups, unseen, rng)
        leads = [
            LEADS[0] + moved[rows[1, 1, 0], 1],
            LEADS[1] + moved[rows[0, 1, 1], 2],
            LEADS[2] + moved[rows[1, 0, 1], 0],
        ]
        mixes.append(closed_form(np.array(leads)))
    assert found.low == pytest.approx(np.min(mixes, axis=0), abs=1e-9)
    assert found.high == pytest.approx(np.max(mixes, axis=0), abs=1e-9)
    assert (found.high - found.low > 0.001).all()
