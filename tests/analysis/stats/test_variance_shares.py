"""The intervals of Sobol's indices, by the formulas they cite; test_luck.py has the indices."""

from math import hypot

import numpy as np
import numpy.typing as npt
import pytest

from herdlab.analysis.stats import variance_shares as module
from herdlab.analysis.stats.estimates import Estimate, as_count, quantile, wilson
from herdlab.analysis.stats.games_to_lead import StrategyPairs
from herdlab.analysis.stats.variance_shares import (
    ALL_LUCK,
    GROUPS,
    SEAT,
    WHO,
    VarianceSums,
    _count_of,
    _jackknife,
    _of_squares,
    _squared,
    _sum,
    _wider,
    variance_shares,
    variance_sums,
)
from herdlab.simcore.errors import BadInput

T = 2.0095752371292397
"""Student's t with 49 degrees of freedom, 97.5 %."""
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def without_each(groups: Floats) -> Floats:
    """Return the mean of all groups, and then that without each."""
    total = groups.sum(0)
    return np.array([total / GROUPS, *((total - one) / (GROUPS - 1) for one in groups)])


def noisy(middle: float, spread: float) -> Floats:
    """Return groups with exactly this mean and standard deviation."""
    drawn = np.random.default_rng(1).normal(size=GROUPS)
    found: Floats = middle + spread * (drawn - drawn.mean()) / drawn.std(ddof=1)
    return found


def test_the_jackknife_of_a_mean_is_students_interval() -> None:
    one = _jackknife(without_each(noisy(0.3, 0.05)), 1000)
    half = T * 0.05 / GROUPS**0.5
    assert (one.value, one.low, one.high) == pytest.approx((0.3, 0.3 - half, 0.3 + half))
    assert one.n == 1000


def test_a_poisson_count_varies_as_much_as_its_mean() -> None:
    """A mean of 0.3 with a standard error of 0.05 / sqrt 50 is a count of 0.3² 50 / 0.05²."""
    assert _count_of(without_each(noisy(0.3, 0.05))) == pytest.approx(1800)
    assert _count_of(np.full(GROUPS + 1, 0.25)) == 0


@pytest.mark.parametrize("share", [0.1, 0.49])
def test_a_small_share_has_the_interval_of_a_count(share: float) -> None:
    found = without_each(noisy(share, 0.2))
    one, wanted = (
        _of_squares(found, 1000),
        as_count(share, 0.2**2 / GROUPS * (T / quantile()) ** 2, 1000),
    )
    assert (one.value, one.low, one.high) == pytest.approx((share, wanted.low, wanted.high))


@pytest.mark.parametrize(("spread", "is_count"), [(0.12, True), (0.16, False)])
def test_a_large_share_has_that_of_what_it_lacks_too_unless_it_is_noise(
    spread: float, is_count: bool
) -> None:
    """A tenth of 1,000 deals may lack something up to a variance of 4 * 0.1 / 1000.

    The rare is unsure below, the noise as much above: the interval holds for both.
    """
    variance = spread**2 / GROUPS * (T / quantile()) ** 2
    assert (variance < 4 * 0.1 / 1000) == is_count
    found = without_each(noisy(0.9, spread))
    one, rest, plain = (
        _of_squares(found, 1000),
        as_count(0.1, variance, 1000),
        _jackknife(found, 1000),
    )
    assert 1 - rest.high < plain.low < 1 - rest.low < plain.high
    wanted = (1 - rest.high, plain.high) if is_count else (plain.low, plain.high)
    assert (one.value, one.low, one.high) == pytest.approx((0.9, *wanted))


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_a_share_of_all_or_nothing_has_wilsons(share: float) -> None:
    assert _of_squares(np.full(GROUPS + 1, share), 500) == wilson(round(500 * share), 500)


def test_parts_of_a_sum_add_up_their_squared_sides() -> None:
    one, other = Estimate(1.0, 0.7, 1.1, 9), Estimate(2.0, 1.6, 2.5, 9)
    found = _sum([one, other], 3.0)
    assert (found.low, found.high) == pytest.approx((3 - hypot(0.3, 0.4), 3 + hypot(0.1, 0.5)))
    assert (found.value, found.n) == (3.0, 9)
    both = _wider(Estimate(1.0, 0.7, 1.1, 9), Estimate(1.0, 0.8, 1.3, 9))
    assert (both.low, both.high) == (0.7, 1.3)


def squared_lengths(means: Floats) -> Floats:
    """Return the unbiased squared length of the mean vector, and that without each group."""
    found = []
    for kept in [np.arange(GROUPS), *(np.delete(np.arange(GROUPS), g) for g in range(GROUPS))]:
        these = means[kept]
        found.append((these.mean(0) ** 2).sum() - these.var(0, ddof=1).sum() / len(kept))
    return np.array(found)


@pytest.mark.parametrize("length", [0.0, 0.5, 5.0])
@pytest.mark.parametrize("dimensions", [2, 3, 6])
def test_ends_are_the_squared_lengths_within_t_standard_errors(
    length: float, dimensions: int
) -> None:
    """(value - q)² = t² (4 c q + 2 tr(C²)), with the unbiased tr(C²) of Bai and Saranadasa 1996.

    The noise c in the vector's direction is that of the vector, and by the jackknife where the
    vector is clear of noise.
    """
    rng = np.random.default_rng([dimensions, round(10 * length)])
    scales = np.linspace(0.5, 2.0, dimensions)
    means = length / dimensions**0.5 + rng.normal(size=(GROUPS, dimensions)) * scales
    found = squared_lengths(means)
    one = _squared(found, means, 777)

    covariance, mean = np.cov(means.T) / GROUPS, means.mean(0)
    noise, free = np.trace(covariance), GROUPS - 1
    squared = np.trace(covariance @ covariance) - noise**2 / free
    squared = max(squared * free**2 / ((free - 1) * (free + 2)), noise**2 / dimensions)
    along = mean @ covariance @ mean / (mean @ mean)
    if mean @ mean > 10 * noise:
        spread = (GROUPS - 1) / GROUPS * ((found[1:] - found[1:].mean()) ** 2).sum()
        along = spread / (4 * mean @ mean)
    assert (mean @ mean > 10 * noise) == (length == 5.0)
    assert one.value == found[0] and one.n == 777 and one.low <= one.value < one.high
    ends = [one.high] if one.low == one.value else [one.low, one.high]
    for q in ends:
        assert (one.value - q) ** 2 == pytest.approx(T**2 * (4 * along * q + 2 * squared))
    # An estimate so far below 0 that no squared length lies below it.
    assert (len(ends) == 1) == (4 * along * one.value + 2 * squared <= 0)


@pytest.mark.parametrize(("length", "is_clear"), [(9.5, False), (10.5, True)])
def test_a_vector_ten_times_as_long_as_its_noise_is_clear_of_it(
    length: float, is_clear: bool
) -> None:
    """One dimension whose noise is 4, while the jackknife saw none at all."""
    means = length**0.5 + (GROUPS - 1) ** 0.5 * np.array([1.0, -1.0] * (GROUPS // 2))
    one = _squared(np.full(GROUPS + 1, 4 * length), 2 * means, 10)
    along = 0 if is_clear else 4
    for q in (one.low, one.high):
        assert (4 * length - q) ** 2 == pytest.approx(T**2 * (4 * along * q + 2 * 4**2))


def test_a_vector_without_noise_is_known() -> None:
    means = np.tile([1.0, 2.0], (GROUPS, 1))
    one = _squared(np.full(GROUPS + 1, 5.0), means, 10)
    assert (one.value, one.low, one.high) == (5.0, 5.0, 5.0)


# Everything from the definitions, on a few deals

DEALS, FIRST = 130, 37


def drawn(rotations: int, seats: int, seed: int = 5) -> dict[str, Ints]:
    """Return Y as it is and as it is with dice, deal and choices held or redrawn.

    It depends on the dice, on the deal and on who plays what, and on the choice hardly.
    """
    rng = np.random.default_rng(seed)
    (a, a2), (b, b2) = rng.integers(0, 6, (2, 2, DEALS))
    c, c2 = rng.integers(0, 40, (2, DEALS)) == 0

    def y(dice: Ints, deal: Ints, choice: Ints) -> Ints:
        r, s = np.ogrid[:rotations, :seats]
        r, s = r[..., None], s[..., None]
        found: Ints = (r + 1) * dice + 2 * s + (deal > 3 + s) * (4 - 3 * r) + choice
        return found.astype(np.int64)

    return {
        "base": y(a, b, c),
        **{"held dice": y(a, b2, c2), "held deal": y(a2, b, c2), "held choice": y(a2, b2, c)},
        **{"dice": y(a2, b, c), "deal": y(a, b2, c), "choice": y(a, b, c2)},
        "table": y(a, b, c),
    }


def indices(y: dict[str, Ints]) -> dict[str, float]:
    """Return all indices of these deals from their definitions, without bias.

    The square of a mean is the mean of products of two different deals.
    """
    base = y["base"].astype(float)
    deals = base.shape[-1]

    def of_two(x: Floats, z: Floats) -> float:
        products = np.einsum("...i,...j->...ij", x, z)
        alike = np.einsum("...ii->...i", products)
        return float((products.sum((-2, -1)) - alike.sum(-1)).mean() / (deals * (deals - 1)))

    seat = base.mean(0)
    cells, seats, table = (of_two(x, x) for x in (base, seat, seat.mean(0)))
    variance = float((base**2).mean()) - table
    found = {
        "variance": variance,
        "seat": (seats - table) / variance,
        "who": (cells - seats) / variance,
        "who total": float((base.var(0)).mean()) / variance,
        "luck": (float((seat**2).mean()) - seats) / variance,
    }
    found["together"] = 1 - found["seat"] - found["who"]
    for kind in (one for one in ("dice", "deal", "choice") if one in y):
        z = y[f"held {kind}"].mean(0)
        found[f"{kind} first"] = (float((seat * z).mean()) - of_two(seat, z)) / variance
        found[f"{kind} total"] = float(((base - y[kind]) ** 2).mean()) / 2 / variance
        found["together"] -= found[f"{kind} first"]
    return found


def sums_of(y: dict[str, Ints]) -> VarianceSums:
    kinds = [name for name in y if name != "base" and "held" not in name]
    held = {kind: y[f"held {kind}"] for kind in kinds if f"held {kind}" in y}
    return variance_sums(FIRST, y["base"], held, {kind: y[kind] for kind in kinds})


@pytest.mark.parametrize(
    ("rotations", "seats", "kinds"),
    [
        (2, 2, ("dice", "deal", "choice")),
        (3, 2, ("dice", "deal", "choice")),
        (2, 3, ("dice", "deal", "choice")),
        (2, 2, ("dice", "deal")),
    ],
)
def test_indices_and_their_ends_are_those_of_the_definitions(
    rotations: int, seats: int, kinds: tuple[str, ...]
) -> None:
    y = drawn(rotations, seats)
    if "choice" not in kinds:
        y = {name: values for name, values in y.items() if "choice" not in name}
    group = (FIRST + np.arange(DEALS)) % GROUPS
    each = [indices(y)]
    each += [indices({k: v[..., group != g] for k, v in y.items()}) for g in range(GROUPS)]
    known = {name: np.array([one[name] for one in each]) for name in each[0]}
    found = variance_shares(sums_of(y))
    shares = {one.source: one for one in found.shares}
    assert list(shares) == [SEAT, WHO, *kinds]
    unused = [one for one in ("choice", "table") if one not in kinds]
    assert found.unused == unused and found.luck.source == ALL_LUCK
    assert found.variance == pytest.approx(known["variance"][0])

    y_by_group = [y["base"][..., group == g].mean(-1) for g in range(GROUPS)]
    means = np.array(y_by_group) / known["variance"][0] ** 0.5 / (rotations * seats) ** 0.5
    of_seats = np.broadcast_to(means.mean(1, keepdims=True), means.shape)
    middle = means.mean((1, 2), keepdims=True)
    seat = _squared(known["seat"], of_seats - middle, DEALS)
    who = _squared(known["who"], means - of_seats, DEALS)
    both = _squared(known["seat"] + known["who"], means - middle, DEALS)
    who_total = _of_squares(known["who total"], DEALS)
    luck = _jackknife(known["luck"], DEALS)
    rest = _sum([seat.negative(), who_total.negative()], luck.value)

    def check(one: Estimate | None, wanted: Estimate) -> None:
        assert one is not None and one.n == DEALS
        assert (one.value, one.low, one.high) == pytest.approx(
            (wanted.value, wanted.low, wanted.high), abs=1e-9
        )

    check(shares[SEAT].first, seat)
    assert shares[SEAT].total is None
    check(shares[WHO].first, who)
    check(shares[WHO].total, who_total)
    check(found.luck.first, _wider(luck, rest))
    check(found.luck.total, Estimate(1 - both.value, 1 - both.high, 1 - both.low, DEALS))
    for kind in kinds:
        check(shares[kind].first, _jackknife(known[f"{kind} first"], DEALS))
        check(shares[kind].total, _of_squares(known[f"{kind} total"], DEALS))
    check(found.together, _jackknife(known["together"], DEALS))


@pytest.mark.parametrize("every", [2, 40])
def test_with_one_kind_of_luck_it_has_all_that_luck_has(every: int) -> None:
    """What is together is what who plays what decides with luck, and not alone; while on fewer

    than thirty deals that makes a difference, its interval is also that of these parts.
    """
    rng = np.random.default_rng(3)
    dice, other = rng.integers(0, 6, (2, 1, 1, DEALS))
    seats = np.arange(2)[None, :, None]
    turned = (np.arange(2)[:, None, None] == 1) & (np.arange(DEALS) % every == 0)
    y = {
        "base": (dice + seats + 2 * turned * dice).astype(np.int64),
        "dice": (other + seats + 2 * turned * other).astype(np.int64),
    }
    y["held dice"] = y["base"]
    found = variance_shares(sums_of(y))
    assert [one.source for one in found.shares] == [SEAT, WHO, "dice"]
    _, who, one = found.shares
    assert one.first == found.luck.first and one.total == found.luck.total
    assert who.total is not None and found.together.value == pytest.approx(
        1 - found.shares[0].first.value - who.first.value - one.first.value
    )
    parts = _sum([who.total, who.first.negative()], found.together.value)
    is_as_wide = (
        found.together.low <= parts.low + 1e-12 and parts.high - 1e-12 <= found.together.high
    )
    group = (FIRST + np.arange(DEALS)) % GROUPS
    shares = [
        ((y["base"][..., kept].astype(float).var(0)).mean())
        / (y["base"][..., kept].astype(float) ** 2).mean()
        for kept in [group >= 0, *(group != g for g in range(GROUPS))]
    ]
    assert (_count_of(np.array(shares)) < 30) == (every == 40) == is_as_wide


def test_sums_are_by_group_of_the_number_of_the_deal() -> None:
    y = drawn(2, 3)
    found, group = sums_of(y), (FIRST + np.arange(DEALS)) % GROUPS
    base = y["base"]
    for g in range(GROUPS):
        here = base[..., group == g]
        z = here.sum(0)
        assert found.deals[g] == here.shape[-1]
        assert found.totals[g].tolist() == here.sum(-1).tolist()
        assert found.squares[g] == (here**2).sum()
        assert found.seat_squares[g] == (z**2).sum()
        assert found.table_squares[g] == (z.sum(0) ** 2).sum()
        held = y["held dice"][..., group == g].sum(0)
        assert found.held["dice"][g].tolist() == held.sum(-1).tolist()
        assert found.products["dice"][g] == (z * held).sum()
        assert found.redrawn["dice"][g] == ((here - y["dice"][..., group == g]) ** 2).sum()
    assert found.differing == {"dice", "deal", "choice"} and found.games == 0
    twice = sums_of(y)
    twice.games, found.games = 3, 4
    twice.add(found)
    assert twice.games == 7 and (twice.deals == 2 * found.deals).all()
    assert (twice.held["dice"] == 2 * found.held["dice"]).all()
    assert (twice.redrawn["deal"] == 2 * found.redrawn["deal"]).all()
    assert (twice.products["choice"] == 2 * found.products["choice"]).all()


@pytest.mark.parametrize("far", [2**30 - 1, 2**30, 2**33])
def test_squares_beyond_64_bits_are_exact(far: int) -> None:
    base = np.full((1, 1, 2 * GROUPS), far, dtype=np.int64)
    found = variance_sums(0, base, {"dice": base}, {"dice": -base})
    assert found.redrawn["dice"].tolist() == [2 * (2 * far) ** 2] * GROUPS
    assert found.table_squares.tolist() == found.squares.tolist() == [2 * far**2] * GROUPS


def test_pairs_are_added_where_both_have_them() -> None:
    pairs = StrategyPairs(["a", "b"])
    one, other = sums_of(drawn(2, 2)), sums_of(drawn(2, 2))
    one.pairs = pairs.empty()
    one.add(other)
    assert one.pairs is not None and one.pairs.totals.tolist() == [0]
    other.pairs = pairs.empty()
    other.pairs.totals[0] = 5
    one.add(other)
    assert one.pairs.totals.tolist() == [5]
    third = sums_of(drawn(2, 2))
    third.add(other)
    assert third.pairs is None


def test_what_varied_not_at_all_within_a_seat_is_all_seat() -> None:
    """Every game alike but for the seat: another may leave up to twice its part of that."""
    base = np.broadcast_to(np.array([[[1], [4]]]), (1, 2, 100)).astype(np.int64)
    found = variance_shares(variance_sums(0, base, {"dice": base}, {"dice": base}))
    one, who = found.shares
    rest = 2 * wilson(0, 100).high
    assert (one.first.value, one.first.high) == (1.0, 1.0)
    assert one.first.low == pytest.approx(1 - rest)
    assert who.first == who.total == Estimate(0.0, 0.0, 0.0, 100)
    assert found.luck.total is not None and found.luck.total.value == 0
    assert found.luck.total.high == pytest.approx(rest) and found.luck.first == found.luck.total
    assert found.together.value == 0 and found.unused == ["dice", "deal", "choice", "table"]
    assert found.variance == pytest.approx(9 / 4)


@pytest.mark.parametrize("value", [0.5, 0.5 - 1e-9])
def test_from_a_half_on_a_share_is_what_others_lack(value: float) -> None:
    found, variance = without_each(noisy(value, 0.05)), 0.05**2 / GROUPS * (T / quantile()) ** 2
    one = _of_squares(found, 1000)
    wanted = as_count(0.5, variance, 1000)
    if value == 0.5:
        wanted = _wider(wanted.negative().moved(1), _jackknife(found, 1000))
    assert (one.low, one.high) == pytest.approx((wanted.low, wanted.high), abs=1e-6)


@pytest.mark.parametrize(("count", "is_wider"), [(29.99, True), (30.0, False)])
def test_of_fewer_than_thirty_what_is_together_is_not_the_jackknifes_alone(
    count: float, is_wider: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(3)
    dice, other = rng.integers(0, 6, (2, 1, 1, DEALS))
    r, s = np.arange(2)[:, None, None], np.arange(2)[None, :, None]
    y = {
        "base": dice + s + r * dice,
        "dice": other + s + r * other,
        "held dice": dice + s + r * dice,
    }
    monkeypatch.setattr(module, "_count_of", lambda _: count)
    monkeypatch.setattr(module, "_wider", lambda one, other: Estimate(one.value, -9.0, 9.0, one.n))
    together = variance_shares(sums_of(y)).together
    assert (together.low == -9.0) == is_wider


def test_what_never_varies_is_refused() -> None:
    same = variance_sums(0, np.full((1, 1, 4), 7), {}, {})
    with pytest.raises(BadInput, match="no variance to share out"):
        variance_shares(same)
