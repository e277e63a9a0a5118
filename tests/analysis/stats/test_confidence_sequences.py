"""Confidence sequences: the mixture against its integral, and coverage at every look at once."""

from collections.abc import Callable
from copy import copy
from decimal import Decimal, localcontext
from functools import cache
from itertools import product
from math import factorial, inf, isnan, sqrt

import numpy as np
import numpy.typing as npt
import pytest
from scipy.integrate import quad
from scipy.special import gamma, gammainc, hyp1f1
from scipy.stats import binom

from herdlab.analysis.stats import confidence_sequences
from herdlab.analysis.stats.confidence_sequences import (
    LEAST,
    SERIES_FROM,
    AsymptoticSequence,
    BoundedSequence,
    ConfidenceSequence,
    _apart_from_s,
    _stirling,
    asymptotic_half_width,
    boundary,
    looks,
    scatter,
    tuning,
    v_for_half_width,
)
from herdlab.analysis.stats.estimates import quantile
from herdlab.simcore.errors import BadInput
from tests.statistics import LARGEST_Z, z_of_rate

ALPHA = 0.05
EXPERIMENTS = 3_000
LOOKS = list(looks(20, 20_000, 1.1))
TUNED = 2_000
"""Sequences are tuned to this number of observations, a tenth of the most."""

Floats = npt.NDArray[np.float64]


# The boundary


def log_mixture(s: npt.ArrayLike, v: npt.ArrayLike, rho: float, c: float) -> Floats:
    """Return the log of the gamma-exponential mixture [HRMS, Proposition 9].

    It is the mean of exp(l s - psi(l) v) over l = (1 - u) / c, where u in (0, 1) has a density
    proportional to u^(k-1) e^(-k u) and psi(l) = (-log(1 - c l) - c l) / c^2.  With k = rho / c^2,
    b = (v + rho) / c^2, y = s / c, and P the regularised lower incomplete gamma function, that is

        k^k gamma(b) P(b, b + y) e^(b + y - k) / (gamma(k) P(k, k) (b + y)^b),

    where Stirling's formula for both gammas cancels all that is large.
    """
    k = rho / c**2
    b, y = np.asarray(v, dtype=float) / c**2 + k, np.asarray(s, dtype=float) / c
    return np.asarray(
        _apart_from_s(b, k, _stirling(b)) + np.log(gammainc(b, b + y)) + y - b * np.log1p(y / b)
    )


def log_integral(y: float, b: float) -> float:
    """Return the log of the integral of exp(y (1 - e^-z) + b (1 - z - e^-z)) over z > 0.

    That is the integral of the mixture with u = e^-z: nowhere singular, and scaled to its peak.
    """
    peak, width = np.log1p(y / b), 1 / sqrt(b + y)

    def height(z: float) -> float:
        return float(-y * np.expm1(-z) - b * (z + np.expm1(-z)))

    top = height(peak)
    least = max(-peak / width, -40.0)
    ends = [least, *[t for t in (-20, -10, -5, -2, 0, 2, 5, 10, 20, 40) if t > least]]
    total = sum(
        quad(lambda t: np.exp(height(peak + t * width) - top), *pair, epsabs=0, epsrel=1e-12)[0]
        for pair in zip(ends, ends[1:], strict=False)
    )
    if b < 100:  # else nothing is left there
        total += quad(lambda t: np.exp(height(peak + t * width) - top), 40, inf)[0]
    return float(top + np.log(total * width))


@pytest.mark.parametrize("rho", [0.1, 1.0, 30.0, 1e4, 1e8])
@pytest.mark.parametrize("c", [1.0, 2.0])
def test_the_mixture_is_its_integral(rho: float, c: float) -> None:
    for v in (0.0, 0.1, 1.0, 50.0, 1e4, 1e7, 1e9):
        for s in (0.0, 0.5 * sqrt(v + 1), 3 * sqrt(v + 1), 8 * sqrt(v + 1)):
            b, k = (v + rho) / c**2, rho / c**2
            exact = log_integral(s / c, b) - log_integral(0.0, k)
            assert float(log_mixture(s, v, rho, c)) == pytest.approx(exact, rel=1e-9, abs=1e-9)


def test_the_boundary_is_where_the_mixture_crosses() -> None:
    v = np.concatenate([[0.0], np.logspace(-1, 9, 60)])
    for rho, c, alpha in product([0.01, 10.0, 1e7], [0.5, 2.0], [0.4, 0.025, 1e-6]):
        s = boundary(v, rho, c, alpha)
        crossing = log_mixture(s, v, rho, c) + np.log(alpha)
        assert np.abs(crossing).max() < 1e-9
        assert (s > 0).all()


def test_the_boundary_of_large_v_is_that_of_normal_deviations() -> None:
    """For c = 0 the mixture would be half-normal; two sides of it together have a closed form."""
    v, rho, alpha = 1e12, 1e11, 0.025
    two_sided = sqrt((v + rho) * (np.log1p(v / rho) - 2 * np.log(2 * alpha)))
    assert float(boundary(v, rho, 1.0, alpha)) == pytest.approx(two_sided, rel=1e-3)


def test_the_boundary_grows_with_v_and_with_what_is_to_be_sure() -> None:
    v = np.concatenate([[0.0], np.logspace(-1, 9, 200)])
    s = boundary(v, 10.0, 1.0, 0.025)
    assert (np.diff(s) > 0).all()
    assert (boundary(v, 10.0, 1.0, 0.005) > s).all()
    assert (boundary(v, 10.0, 2.0, 0.025) > s).all()


@pytest.mark.parametrize("v", [100.0, 1e4, 1e7])
def test_tuning_is_near_the_best(v: float) -> None:
    here = float(boundary(v, tuning(v, ALPHA), 1.0, ALPHA / 2))
    others = [float(boundary(v, v * share, 1.0, ALPHA / 2)) for share in np.logspace(-3, 1, 100)]
    assert here < 1.002 * min(others)
    assert here < 0.85 * max(others)  # it matters


# The supermartingale


def mixture(s: Floats, v: Floats, rho: float) -> Floats:
    """Return the mixture of scale 1 by Kummer's function, which is good for s below 0 too."""
    b, a = v + rho, s + v + rho
    return np.asarray(
        rho**rho * np.exp(a - rho) * hyp1f1(b, b + 1, -a) / (b * gamma(rho) * gammainc(rho, rho))
    )


def expectations(p: float, guess: float, side: int, own_mean: bool = False) -> Floats:
    """Return the exact mean of the mixture after 1 to 5 batches of 3 tosses of a coin.

    With `own_mean` what is expected of a batch is its own mean, which nobody knows beforehand.
    """
    size, batches, rho = 3, 5, 0.5
    paths = np.indices((size + 1,) * batches).reshape(batches, -1)  # heads by batch, all ways
    chance = binom.pmf(paths, size, p).prod(axis=0)
    v, total, means = np.zeros(chance.size), np.zeros(chance.size), []
    expected: Floats = np.full(chance.size, guess)
    for batch, heads in enumerate(paths, 1):
        v = v + scatter(size, heads, heads, heads / size if own_mean else expected)
        total = total + heads
        expected = total / (size * batch)
        s = side * (total - size * batch * p)
        here = mixture(s, v, rho)
        ours = np.exp(log_mixture(np.maximum(s, 0), v, rho, 1.0))
        np.testing.assert_allclose(here[s >= 0], ours[s >= 0], rtol=1e-9)
        means.append(chance @ here)
    return np.array(means)


@pytest.mark.parametrize("p", [0.1, 0.5, 0.8])
@pytest.mark.parametrize("side", [-1, 1])
def test_the_mixture_is_a_supermartingale(p: float, side: int) -> None:
    """Its mean, exact by enumeration, starts at 1 and never rises: so Ville's inequality holds."""
    for guess in (0.0, p, 0.5):
        means = expectations(p, guess, side)
        assert (np.diff([1.0, *means]) <= 1e-12).all()
        assert means[-1] > 0.2  # and is not absurdly small


def test_it_is_none_if_a_batch_is_measured_by_its_own_mean() -> None:
    """What is expected must be known before: the fault would be seen."""
    assert expectations(0.1, 0.1, -1, own_mean=True)[-1] > 1.01


# Coverage with a look after every batch


def sums_at_looks(
    values: tuple[float, ...], chances: tuple[float, ...], seed: int
) -> tuple[Floats, Floats]:
    """Return sums and sums of squares of the batches, by look and experiment."""
    rng, sizes = np.random.default_rng(seed), np.diff([0, *LOOKS])
    counts = rng.multinomial(sizes[:, None], chances, size=(len(LOOKS), EXPERIMENTS))
    return counts @ np.array(values), counts @ np.array(values) ** 2


CASES = {
    "win 0.1": ((0.0, 1.0), (0.9, 0.1)),
    "win 0.25": ((0.0, 1.0), (0.75, 0.25)),
    "win 0.5": ((0.0, 1.0), (0.5, 0.5)),
    "win 0.9": ((0.0, 1.0), (0.1, 0.9)),
    "shared": ((0.0, 0.5, 1.0), (0.5, 0.2, 0.3)),
    "paired": ((-1.0, 0.0, 1.0), (0.15, 0.6, 0.25)),
    "even": ((-1.0, 0.0, 1.0), (0.15, 0.7, 0.15)),
}


@cache
def looked_at(case: str) -> tuple[float, Floats, Floats, float, BoundedSequence]:
    """Return truth, means and half-widths by look and experiment, the deviation, the settings."""
    values, chances = CASES[case]
    truth = float(np.dot(values, chances))
    variance = float(np.dot(np.square(values), chances)) - truth**2
    settings = BoundedSequence(
        values[0], values[-1], ALPHA, TUNED * variance, sum(values) / len(values)
    )
    totals, squares = sums_at_looks(values, chances, seed=sum(map(ord, case)))
    expected: Floats = np.full(EXPERIMENTS, settings.guess)
    v, so_far = np.zeros(EXPERIMENTS), np.zeros(EXPERIMENTS)
    means, halves = [], []
    for before, n, total, square in zip([0, *LOOKS], LOOKS, totals, squares, strict=False):
        v = v + scatter(n - before, total, square, expected)
        so_far = so_far + total
        expected = so_far / n
        means.append(expected)
        halves.append(settings.boundary(v) / n)
    return truth, np.array(means), np.array(halves), sqrt(variance), settings


@pytest.mark.parametrize("case", CASES)
def test_no_look_misses_the_truth_more_often_than_alpha(case: str) -> None:
    truth, means, halves, _, _ = looked_at(case)
    missed = int((np.abs(means - truth) > halves).any(axis=0).sum())
    assert 0 < missed  # it is no empty promise
    assert z_of_rate(missed, EXPERIMENTS, ALPHA) < LARGEST_Z


@pytest.mark.parametrize("case", CASES)
def test_the_width_is_not_absurd_where_it_is_tuned(case: str) -> None:
    _, _, halves, deviation, _ = looked_at(case)
    look = next(i for i, n in enumerate(LOOKS) if n >= TUNED)
    fixed = quantile() * deviation / sqrt(LOOKS[look])
    assert 1.4 < np.median(halves[look]) / fixed < 1.9


@pytest.mark.parametrize("case", CASES)
def test_peeking_with_the_interval_of_a_fixed_number_is_caught(case: str) -> None:
    """The known fault: stopping when an ordinary 95 % interval says so; even of 100 and more."""
    truth, means, _, deviation, _ = looked_at(case)
    n = np.array(LOOKS)[:, None]
    outside = (np.abs(means - truth) > quantile() * deviation / np.sqrt(n)) & (n >= 100)
    missed = int(outside.any(axis=0).sum())
    assert z_of_rate(missed, EXPERIMENTS, ALPHA) > LARGEST_Z
    assert missed > 0.2 * EXPERIMENTS


@pytest.mark.parametrize("case", CASES)
def test_a_scale_too_small_is_caught(case: str) -> None:
    """The known fault: taking half of the scatter for all of it."""
    truth, means, halves, _, _ = looked_at(case)
    missed = int((np.abs(means - truth) > halves * sqrt(0.5)).any(axis=0).sum())
    assert z_of_rate(missed, EXPERIMENTS, ALPHA) > LARGEST_Z


def test_a_track_says_the_same() -> None:
    """Batch by batch in Python, with integers as sums, it is what was looked at above."""
    _, means, halves, _, settings = looked_at("paired")
    values, chances = CASES["paired"]
    totals, squares = sums_at_looks(values, chances, seed=sum(map(ord, "paired")))
    for experiment in range(3):
        track: ConfidenceSequence = copy(settings)
        for look, (before, n) in enumerate(zip([0, *LOOKS], LOOKS, strict=False)):
            batch = totals[look, experiment], squares[look, experiment]
            track.add(n - before, int(batch[0]), int(batch[1]))
            mean, half = means[look, experiment], halves[look, experiment]
            one = track.interval()
            assert (one.n, one.value) == (n, track.mean) and track.n == n
            assert one.value == pytest.approx(mean, abs=1e-12)
            assert one.low == pytest.approx(max(-1.0, mean - half), abs=1e-9)
            assert one.high == pytest.approx(min(1.0, mean + half), abs=1e-9)


# A bounded track


def test_alike_observations_narrow_as_1_in_n_and_keep_the_truth() -> None:
    for value in (0, 1):
        track = BoundedSequence(0, 1, ALPHA, 10.0, guess=value)
        widths = []
        for _ in range(20):
            track.add(50, 50 * value, 50 * value)
            one = track.interval()
            assert one.low <= value <= one.high
            widths.append(one.high - one.low)
        assert track.v == 0
        assert widths[9] == pytest.approx(2 * widths[19])
        assert 0 < widths[19] < 0.01


def test_before_observations_all_is_possible() -> None:
    track = BoundedSequence(-1, 1, ALPHA, 10.0, 0.25)
    one = track.interval()
    assert (one.value, one.low, one.high, one.n) == (0.25, -1, 1, 0) and isnan(track.mean)
    track.add(0, 0, 0)
    assert track.interval() == one
    track.add(1, 1, 1)
    assert (track.interval().low, track.interval().high) == (-1, 1)  # clipped


def test_a_bad_guess_costs_width() -> None:
    widths = []
    for guess in (0.0, 0.1, 1.0):
        track = BoundedSequence(0, 1, ALPHA, 90.0, guess)
        track.add(1_000, 100, 100)
        assert track.v == pytest.approx(90 + 1_000 * (guess - 0.1) ** 2)
        widths.append(track.interval().high - track.interval().low)
    assert widths[1] < widths[0] < widths[2]


def test_scatter_loses_no_digits() -> None:
    """A spread of 1/4 each about a mean of a million."""
    n = 10**6
    total, squares = n * 10**6 + n // 2, n * 10**12 + 2 * 10**6 * (n // 2) + n // 2
    assert scatter(n, total, squares, total / n) == n / 4
    assert scatter(n, total, squares, total / n + 1) == pytest.approx(n * 1.25, rel=1e-12)
    assert scatter(3, 0.1 * 3, 0.1 * 0.1 * 3, 0.1) >= 0


def test_observations_beyond_the_limits_are_refused() -> None:
    track = BoundedSequence(0, 1, ALPHA, 10.0, 0.5)
    track.add(3, 0.1 * 3, 3 * 0.01)
    for n, total, squares in [(10, 11, 11), (10, -1, 1), (10, 5, 6)]:
        with pytest.raises(ValueError, match="beyond 0 to 1"):
            track.add(n, total, squares)
    assert track.n == 3


@pytest.mark.parametrize(
    "settings", [(1, 0, 0.05, 1, 0.5), (0, 1, 0, 1, 0.5), (0, 1, 0.05, 0, 0.5), (0, 1, 0.05, 1, 2)]
)
def test_settings_that_guarantee_nothing_are_refused(
    settings: tuple[float, float, float, float, float],
) -> None:
    with pytest.raises(ValueError, match="order|range"):
        BoundedSequence(*settings)


# Asymptotic sequences


def skewed(
    draw: Callable[[np.random.Generator, tuple[int, int]], npt.NDArray[np.floating]],
    truth: float,
    at: list[int],
) -> Floats:
    """Return, by look and experiment, how far a mean is from `truth`, in standard deviations."""
    rng = np.random.default_rng(4)
    total, squares, far = np.zeros(EXPERIMENTS), np.zeros(EXPERIMENTS), []
    for before, n in zip([0, *at], at, strict=False):
        for start in range(before, n, 200):  # little by little, for memory's sake
            x = draw(rng, (EXPERIMENTS, min(200, n - start))).astype(np.float64)
            total, squares = total + x.sum(axis=1), squares + (x * x).sum(axis=1)
        variance = (squares - total**2 / n) / (n - 1)
        far.append(np.abs(total / n - truth) / np.sqrt(variance))
    return np.array(far)


def exponential(rng: np.random.Generator, shape: tuple[int, int]) -> npt.NDArray[np.float32]:
    return rng.standard_exponential(shape, dtype=np.float32)


def geometric(rng: np.random.Generator, shape: tuple[int, int]) -> npt.NDArray[np.float32]:
    """Lengths from 0 on, as an exponential number's whole part."""
    return np.floor(10 * exponential(rng, shape))


@pytest.mark.parametrize(
    ("draw", "truth"), [(exponential, 1.0), (geometric, 1 / np.expm1(0.1))], ids=["exp", "geom"]
)
def test_an_asymptotic_sequence_covers_from_its_least_number_on(
    draw: Callable[[np.random.Generator, tuple[int, int]], npt.NDArray[np.floating]], truth: float
) -> None:
    """With looks from `LEAST` on it does; ordinary intervals at the same looks do not."""
    at = list(looks(LEAST, 10_000, 1.05))
    far = skewed(draw, truth, at)
    missed = int((far > asymptotic_half_width(at, 2_000, ALPHA)[:, None]).any(axis=0).sum())
    assert missed > 0
    assert z_of_rate(missed, EXPERIMENTS, ALPHA) < LARGEST_Z
    naive = int((far > (quantile() / np.sqrt(at))[:, None]).any(axis=0).sum())
    assert z_of_rate(naive, EXPERIMENTS, ALPHA) > LARGEST_Z
    look = next(i for i, n in enumerate(at) if n >= 2_000)
    assert 1.4 < asymptotic_half_width(at, 2_000, ALPHA)[look] / (quantile() / sqrt(at[look])) < 1.6


def test_without_a_least_number_skewness_is_caught() -> None:
    """The reason for `LEAST`: from 10 on, exponential lengths miss far too often."""
    at = list(looks(10, 1_000, 1.1))
    missed = (skewed(exponential, 1.0, at) > asymptotic_half_width(at, 10, ALPHA)[:, None]).any(
        axis=0
    )
    assert z_of_rate(int(missed.sum()), EXPERIMENTS, ALPHA) > LARGEST_Z


def test_the_margin_has_the_published_form() -> None:
    t, target = 5_000, 2_000
    rho2 = (-2 * np.log(ALPHA) + np.log(-2 * np.log(ALPHA) + 1)) / target
    exact = sqrt(2 * (t * rho2 + 1) / (t**2 * rho2) * np.log(sqrt(t * rho2 + 1) / ALPHA))
    assert float(asymptotic_half_width(t, target, ALPHA)) == pytest.approx(exact)
    others = [
        float(asymptotic_half_width(target, n_opt, ALPHA)) for n_opt in np.logspace(2, 5, 301)
    ]
    assert (
        float(asymptotic_half_width(target, target, ALPHA))
        < 1.001 * min(others)
        < 0.7 * max(others)
    )


def test_an_asymptotic_track_says_nothing_too_early() -> None:
    track: ConfidenceSequence = AsymptoticSequence(ALPHA, 2_000)
    assert isnan(track.interval().value) and track.interval().high == inf
    track.add(LEAST - 1, 5 * (LEAST - 1), 30 * (LEAST - 1))
    assert (track.interval().low, track.interval().high) == (-inf, inf)
    track.add(1, 5, 30)
    one = track.interval()
    half = sqrt(5 * LEAST / (LEAST - 1)) * float(asymptotic_half_width(LEAST, 2_000, ALPHA))
    assert (one.value, one.n) == (5, LEAST)
    assert one.low == pytest.approx(5 - half) and one.high == pytest.approx(5 + half)


def test_an_asymptotic_track_is_not_sure_because_all_were_alike() -> None:
    track = AsymptoticSequence(ALPHA, 2_000)
    track.add(2 * LEAST, 0, 0)
    assert (track.mean, track.interval().low, track.interval().high) == (0, -inf, inf)
    with pytest.raises(ValueError, match="range"):
        AsymptoticSequence(1.0, 2_000)


# How far Stirling's formula is off


@pytest.mark.parametrize("x", [1, 2, 10, 19, 20, 21, 40, 1_000])
def test_stirlings_formula_is_off_by_what_factorials_say(x: int) -> None:
    """Of log (x - 1)! in fifty digits; by the series from `SERIES_FROM` on."""
    with localcontext() as context:
        context.prec = 50
        n, two_pi = Decimal(x), 2 * Decimal("3.14159265358979323846264338327950288419716939937511")
        formula = (n - Decimal("0.5")) * n.ln() - n + two_pi.ln() / 2
        off = float(Decimal(factorial(x - 1)).ln() - formula)
    within = 2e-15 if x >= SERIES_FROM else 1e-13  # directly, digits are lost to large numbers
    assert float(_stirling(np.array(float(x)))) == pytest.approx(off, rel=0, abs=within)


# Looks and planning


@pytest.mark.parametrize(
    ("first", "most", "growth"), [(1, 1, 1.5), (1, 50, 1.01), (100, 10**9, 1.5), (7, 5, 2.0)]
)
def test_looks_grow_and_end_exactly(first: int, most: int, growth: float) -> None:
    at = list(looks(first, most, growth))
    assert at[0] == min(first, most) and at[-1] == most
    for before, after in zip(at, at[1:], strict=False):
        assert before < after < before * growth + 1


def test_the_next_look_comes_after_a_fifth_more() -> None:
    assert list(looks(1000, 2500)) == [1000, 1200, 1440, 1728, 2074, 2489, 2500]


def test_looks_need_to_grow() -> None:
    for first, most, growth in [(0, 5, 1.5), (1, 0, 1.5), (1, 5, 1.0)]:
        with pytest.raises(ValueError, match="no looks"):
            list(looks(first, most, growth))


@pytest.mark.parametrize("limits", [(0.0, 1.0), (-1.0, 1.0)])
@pytest.mark.parametrize("half", [0.05, 0.01, 0.001])
def test_a_wanted_half_width_comes_when_planned(half: float, limits: tuple[float, float]) -> None:
    variance = 0.25
    v = v_for_half_width(half, variance, ALPHA, *limits)
    settings = BoundedSequence(*limits, ALPHA, v, 0.5)
    n = v / variance
    assert float(settings.boundary(v)) / n == pytest.approx(half, rel=1e-6)
    fixed = quantile() ** 2 * variance / half**2
    assert 2.3 < n / fixed < 3.1  # the price of looking


def test_planning_without_a_variance_and_without_a_width() -> None:
    assert v_for_half_width(0.01, 0.0, ALPHA, 0.0, 1.0) == 1.0
    assert v_for_half_width(0.01, 1e-9, ALPHA, -1.0, 1.0) == 4.0
    for half in (0.0, -1.0, inf, float("nan")):
        with pytest.raises(BadInput, match="above 0"):
            v_for_half_width(half, 0.25, ALPHA, 0.0, 1.0)


# Borders


def test_newtons_steps_begin_above_the_boundary(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where 3 y^2 / (6 b + 4 y) is what the log of the mixture lacks: a parabola's root."""
    monkeypatch.setattr(confidence_sequences, "STEPS", 0)
    for v, rho, c in product([0.0, 1.0, 50.0, 1e6], [0.01, 10.0, 1e7], [0.5, 2.0]):
        alpha, k, b = 0.025, rho / c**2, (v + rho) / c**2
        y = float(boundary(v, rho, c, alpha)) / c
        assert log_mixture(c * y, v, rho, c) > -np.log(alpha)
        at_s_0 = _apart_from_s(np.asarray(b), k, _stirling(np.asarray(b)))
        lacks = np.log(2) - np.log(alpha) - float(at_s_0)
        assert 3 * y**2 / (6 * b + 4 * y) == pytest.approx(lacks)


def test_a_few_steps_of_newtons_lead_to_the_boundary(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each squares the error, so that seven do from where they begin."""
    v = np.concatenate([[0.0], np.logspace(-1, 9, 60)])
    for rho, c, alpha in product([0.01, 10.0, 1e7], [0.5, 2.0], [0.4, 0.025, 1e-6]):
        exact = boundary(v, rho, c, alpha)
        with monkeypatch.context() as patch:
            patch.setattr(confidence_sequences, "STEPS", 7)
            assert boundary(v, rho, c, alpha) == pytest.approx(exact, rel=1e-9)


def test_stirlings_series_begins_where_its_next_term_is_below_2e_15() -> None:
    """The next term is 1 / 1188 x^9."""
    assert min(x for x in range(1, 100) if 1 / (1188 * x**9) < 2e-15) == SERIES_FROM


def test_an_asymptotic_track_begins_with_a_thousand() -> None:
    track = AsymptoticSequence(ALPHA, 2_000)
    track.add(999, 999, 2 * 999)
    assert track.interval().high == inf
    track.add(1, 1, 2)
    assert track.interval().high < 1.2


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (0.0, 0.5), (-1.0, 2.0), (-3.0, 1.0)])
def test_observations_may_be_beyond_the_limits_by_rounding(low: float, high: float) -> None:
    """By a billionth of the square of the farther limit, or of 1, each: of the sum, and of

    the sum of (x - low) (high - x), which is so far below 0 as the range times how far beyond.
    """
    allowed = 1e-9 * max(abs(low), abs(high), 1.0) ** 2
    beyond = allowed / max(1.0, high - low)
    for end, sign in ((low, -1), (high, 1)):
        for part, is_refused in ((0.95, False), (1.05, True)):
            x = end + sign * part * beyond
            track = BoundedSequence(low, high, ALPHA, 10.0, (low + high) / 2)
            if is_refused:
                with pytest.raises(ValueError, match="beyond"):
                    track.add(10, 10 * x, 10 * x * x)
            else:
                track.add(10, 10 * x, 10 * x * x)
                assert track.n == 10


@pytest.mark.parametrize("n", [1, 1000])
def test_sums_may_be_beyond_the_limits_by_rounding(n: int) -> None:
    """Also where the sum of squares is as if each were 0 or 1."""
    for total, sign in ((0, -1), (n, 1)):
        for part, is_refused in ((0.95, False), (1.05, True)):
            seen = total + sign * part * 1e-9 * n
            track = BoundedSequence(0, 1, ALPHA, 10.0, 0.5)
            if is_refused:
                with pytest.raises(ValueError, match="beyond"):
                    track.add(n, seen, seen)
            else:
                track.add(n, seen, seen)


@pytest.mark.parametrize(
    "settings",
    [
        (1, 1, 0.05, 1.0, 1),
        (0, 1, 1.0, 1.0, 0.5),
        (0, 1, 0.05, inf, 0.5),
        (0, 1, 0.05, -1.0, 0.5),
        (0, 1, 0.05, 1.0, -0.1),
    ],
)
def test_settings_at_the_borders_are_refused(
    settings: tuple[float, float, float, float, float],
) -> None:
    with pytest.raises(ValueError, match="order|range"):
        BoundedSequence(*settings)


@pytest.mark.parametrize("settings", [(0.0, 10), (1.0, 10), (0.05, 0), (0.05, inf)])
def test_settings_of_an_asymptotic_track_are_refused(settings: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="out of range"):
        AsymptoticSequence(*settings)


def test_looks_may_begin_and_end_with_one() -> None:
    assert list(looks(1, 1)) == [1]
    assert list(looks(1, 4, 1.0001)) == [1, 2, 3, 4]
    assert list(looks(5, 5)) == list(looks(9, 5)) == [5]


def test_planning_is_exact_to_a_billionth() -> None:
    """And never too narrow: at the v that is returned, the half-width is reached."""
    for half, variance, low, high in ((0.01, 0.25, 0.0, 1.0), (0.3, 0.5, -1.0, 1.0)):
        v = v_for_half_width(half, variance, ALPHA, low, high)
        for at, is_reached in ((v, True), (v * (1 - 2e-9), False)):
            reached = float(boundary(at, tuning(at, ALPHA), high - low, ALPHA / 2)) * variance
            assert (reached <= half * at) == is_reached


def test_what_is_all_alike_and_as_expected_has_no_scatter() -> None:
    assert scatter(4, 8, 16, 2) == 0
    assert scatter(4, 8, 16, 3) == 4
    assert scatter(np.array([2, 2]), np.array([2, 3]), np.array([2, 5]), 1).tolist() == [0, 1]


def test_sequences_are_made_of_their_settings_and_equal_if_these_are() -> None:
    one, other = (BoundedSequence(0, 1, ALPHA, 10.0, 0.5) for _ in range(2))
    one.add(10, 5, 5)
    assert one == other != BoundedSequence(0, 1, ALPHA, 11.0, 0.5)
    with pytest.raises(TypeError):
        BoundedSequence(0, 1, ALPHA, 10.0, 0.5, 0.0)  # type: ignore[call-arg]
    long, short = (AsymptoticSequence(ALPHA, 2_000) for _ in range(2))
    long.add(2_000, 5, 5)
    assert long == short
