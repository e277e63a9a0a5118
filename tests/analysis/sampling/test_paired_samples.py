"""Contenders on common deals, against brute force on the rows, exact however work is split."""

from fractions import Fraction
from functools import cache
from math import sqrt
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from herdlab.analysis.experiment import FEWEST_DEALS, Interrupted
from herdlab.analysis.runs.runner import on_threads
from herdlab.analysis.sampling import paired_samples as paired_samples_module
from herdlab.analysis.sampling.paired_estimates import PairedEstimates
from herdlab.analysis.sampling.paired_samples import (
    Contender,
    PairedSamples,
    PairedSums,
    in_every_seat,
)
from herdlab.analysis.stats.estimates import quantile, rate_of, wilson
from herdlab.simcore.batch import Bout, ChoiceTables, Threads, simulate, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game
from herdlab.simcore.rules import Rules
from herdlab.simcore.sums import Rows
from herdlab.strategies.registry import seat_players
from tests.statistics import LARGEST_Z

HERD = find_game("herd")
RULES = HERD.rules_type()
SHORT = RULES.but(max_turns=60)
SEED, DEALS = 21, 700
MOVES = ChoiceTables(HERD, 50)
"""Tables of choices that all bouts here share, which makes them quicker to set up."""
Floats = npt.NDArray[np.float64]


@cache
def rows_of(rules: Rules, line_up: tuple[str, ...], seed: int) -> Rows:
    seated = seat_players(HERD, rules, ",".join(line_up))
    return Bout(HERD, rules, seated, stream_seeds(seed), moves=MOVES).rows(0, DEALS)


def value(
    rules: Rules, line_up: tuple[str, ...], seat: int, metric: str, seed: int = SEED
) -> Floats:
    """Return a metric of a seat in each game, from the rows as they come."""
    rows = rows_of(rules, line_up, seed)
    if metric != "win":
        column = metric if metric == "length" else f"{metric}_{seat}"
        return np.asarray(rows[:, HERD.columns(len(line_up)).index(column)], dtype=np.float64)
    winners = [[s for s in range(len(line_up)) if mask >> s & 1] for mask in rows[:, 0].tolist()]
    return np.array([1 / len(who) if seat in who else 0.0 for who in winners])


def by_luck(contender: Contender, metric: str, seed: int = SEED) -> Floats:
    """Return a contender's value on each deal: the mean over its places."""
    one = [
        value(contender.rules, line_up, seat, metric, seed) for line_up, seat in contender.places
    ]
    return np.asarray(np.mean(one, axis=0))


ARMS = [
    in_every_seat(RULES, "keeper", ["keeper", "random"]),
    in_every_seat(RULES, "keeper-dog", ["keeper", "random"]),
    in_every_seat(RULES, "climber", ["random"], ["keeper"]),
    in_every_seat(SHORT, "random", ["keeper", "climber", "random"]),
    in_every_seat(RULES, "keeper", []),
]
"""Tables of three, two, four and one; two fields for one contender, other rules for another."""


@cache
def samples_of(metric: str) -> PairedSamples:
    return PairedSamples(HERD, ARMS, metric, SEED)


@cache
def measured(metric: str = "win") -> PairedEstimates:
    return samples_of(metric).measure(range(DEALS))


@pytest.mark.parametrize("metric", ["win", "length", "trades"])
def test_means_and_differences_are_those_of_brute_force(metric: str) -> None:
    found = measured(metric)
    values = [by_luck(contender, metric) for contender in ARMS]
    z = quantile()
    for a, mine in enumerate(values):
        mean = found.mean(a)
        assert mean.value == pytest.approx(mine.mean(), rel=1e-12)
        assert mean.n == found.deals == DEALS
        half = z * mine.std(ddof=1) / sqrt(DEALS)
        if metric != "win":  # the score method's solve (mean - m)^2 = (half-width at m)^2, as m
            m = np.array([mean.low, mean.high])
            assert (mine.mean() - m) ** 2 == pytest.approx(half**2 * m / mine.mean(), rel=5e-3)
        elif half:  # Wilson's solves (rate - p)^2 = (half-width at p)^2, of the same variance
            p, rate = np.array([mean.low, mean.high]), mine.mean()
            at = half**2 * p * (1 - p) / (rate * (1 - rate))
            assert (rate - p) ** 2 == pytest.approx(at, rel=0.05)  # and "plus four"
        total, squares = found.added_up(a)
        assert total == pytest.approx(mine.sum()) and squares == pytest.approx((mine**2).sum())
        for b, other in enumerate(values):
            gap = mine - other  # on the same deals
            difference = found.difference(a, b)
            assert difference.value == pytest.approx(gap.mean(), abs=1e-12)
            half = z * gap.std(ddof=1) / sqrt(DEALS)
            wide = (difference.high - difference.low) / 2
            assert wide == pytest.approx(half, rel=0.01, abs=0.01)  # so many deals differ
            assert found.deviation(a, b) == pytest.approx(gap.std(ddof=1), abs=1e-9)
            total, squares = found.added_up(a, b)
            assert total == pytest.approx(gap.sum(), abs=1e-8)
            assert squares == pytest.approx((gap**2).sum(), abs=1e-8)


def test_the_pairing_counts() -> None:
    """The error of a difference is not that of two independent means, which would be seen."""
    found = measured()
    a, b = by_luck(ARMS[0], "win"), by_luck(ARMS[1], "win")
    independent = sqrt(a.var(ddof=1) + b.var(ddof=1))
    assert found.deviation(0, 1) < 0.7 * independent


def test_another_confidence_is_wider_by_the_quantiles() -> None:
    found = measured("length")
    usual, wide = found.difference(0, 1), found.difference(0, 1, 0.99)
    assert (wide.high - wide.low) / (usual.high - usual.low) == pytest.approx(
        2.5758 / 1.95996, 2e-3
    )
    usual, wide = found.mean(1), found.mean(1, 0.99)
    assert (wide.high - wide.low) / (usual.high - usual.low) == pytest.approx(
        2.5758 / 1.95996, 2e-3
    )


@pytest.mark.parametrize("metric", ["win", "length"])
def test_sums_are_the_same_to_the_bit_for_any_threads_and_chunks(metric: str) -> None:
    samples = samples_of(metric)
    whole = vars_of(samples.play(range(DEALS)))
    for threads in (1, 2):
        assert vars_of(samples.measure(range(DEALS), runner=on_threads(threads)).sums) == whole
        for chunk in (101, 699):
            sums = samples.empty()
            simulate(samples.play, sums, range(DEALS), crew=Threads(threads), chunk=chunk)
            assert vars_of(sums) == whole


def vars_of(sums: PairedSums) -> dict[str, Any]:
    found = {key: np.asarray(one).tolist() for key, one in vars(sums).items()}
    assert all(type(one) is int for one in found["totals"])  # not numpy's, which overflow
    return found


def test_measuring_goes_on_where_it_was() -> None:
    samples = samples_of("win")
    sums = samples.empty()
    samples.measure(range(111), into=sums)
    before = sums.copy()
    done: list[int] = []
    found = samples.measure(range(111, DEALS), into=sums, on_progress=done.append)
    assert vars_of(found.sums) == vars_of(samples.play(range(DEALS)))
    assert vars_of(sums.less(before)) == vars_of(samples.play(range(111, DEALS)))
    assert before.deals == 111 and done[-1] == DEALS - 111 and done == sorted(done)


def test_products_are_exact_where_floats_would_not_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lengths in units that make their squares too large for a float."""
    samples = samples_of("length")
    fast = vars_of(samples.play(range(DEALS)))
    monkeypatch.setattr(paired_samples_module, "_EXACT_IN_FLOATS", 0)
    assert vars_of(samples.play(range(DEALS))) == fast
    wide = np.array([[2**30 + 1, 2**30 - 3, 5], [2**29 + 7, 1, 2**31 - 1]], dtype=np.int64)
    exact = wide.astype(object)
    monkeypatch.undo()
    assert paired_samples_module._products(wide).tolist() == (exact @ exact.T).tolist()


def test_sums_of_many_large_numbers_do_not_overflow() -> None:
    samples = PairedSamples(HERD, ARMS[:2], "length", SEED)
    sums = samples.empty()
    part = samples.play(range(10))
    part.products = part.products + 2**61
    for _ in range(9):
        sums.add(part)
    assert sums.products[0, 1] == 9 * part.products[0, 1] > 2**63


@pytest.mark.parametrize("metric", ["win", "length"])
def test_unpaired_variance_is_that_of_samples_seat_by_seat(metric: str) -> None:
    found = measured(metric)
    for a, contender in enumerate(ARMS):
        seats = [
            value(contender.rules, line_up, seat, metric) for line_up, seat in contender.places
        ]
        wanted = sum(one.var(ddof=1) for one in seats) / len(seats) ** 2
        assert found.unpaired_variance(a) == pytest.approx(wanted, rel=1e-9, abs=1e-15)


def test_unpaired_variance_is_what_independent_deals_give() -> None:
    """Every place on a seed of its own: the variance of the mean is the one foretold.

    That of common deals is another: the seats of one table cannot all win.
    """
    contender, found = ARMS[0], measured()
    places = enumerate(contender.places)
    own = [value(RULES, line_up, seat, "win", 100 + p) for p, (line_up, seat) in places]
    mean = np.mean(own, axis=0)
    variance = mean.var(ddof=1)
    spread = ((mean - mean.mean()) ** 2).std() / sqrt(DEALS)
    assert abs(variance - found.unpaired_variance(0)) < LARGEST_Z * spread
    common = by_luck(contender, "win").var(ddof=1)
    assert abs(variance - common) > LARGEST_Z * spread


def test_everybody_sits_in_every_seat_and_the_others_go_round() -> None:
    contender = in_every_seat(RULES, "a", ["b", "c"], ["d"])
    assert sorted(contender.places) == sorted(
        [
            (("a", "b", "c"), 0),
            (("c", "a", "b"), 1),
            (("b", "c", "a"), 2),
            (("a", "d"), 0),
            (("d", "a"), 1),
        ]
    )
    assert all(line_up[seat] == "a" for line_up, seat in contender.places)
    assert in_every_seat(RULES, "a", []).places == ((("a",), 0),)


def test_a_table_that_several_arms_share_is_played_once() -> None:
    contenders = [in_every_seat(RULES, who, ["keeper"]) for who in ("keeper", "climber")]
    found = PairedSamples(HERD, contenders, "win", SEED).measure(range(50))
    assert (found.samples.games_a_deal, found.games) == (3, 150)  # keeper-keeper is one table
    other = [contenders[0], in_every_seat(SHORT, "keeper", ["keeper"])]
    assert (
        PairedSamples(HERD, other, "win", SEED).games_a_deal == 2
    )  # other rules are another table


def test_deals_that_differ_are_counted() -> None:
    found = measured("trades")
    first = [value(RULES, line_up, seat, "trades") for line_up, seat in ARMS[0].places]
    second = [value(RULES, line_up, seat, "trades") for line_up, seat in ARMS[1].places]
    differ = np.any(np.array(first) != np.array(second), axis=0).sum()
    assert found.sums.differing[:2].tolist() == [0, differ] and 0 < differ < DEALS


def test_copies_at_one_table_differ_although_their_means_do_not() -> None:
    """Keeper wins as often as its copy does on every deal, but not in the same games."""
    seat_0 = Contender(RULES, ((("keeper", "keeper"), 0), (("keeper", "keeper"), 1)), (1, 1))
    seat_1 = Contender(RULES, ((("keeper", "keeper"), 1), (("keeper", "keeper"), 0)), (1, 1))
    found = PairedSamples(HERD, [seat_0, seat_1], "win", SEED).measure(range(100))
    assert found.difference(0, 1).value == 0 == found.deviation(0, 1)
    assert found.sums.differing.tolist() == [0, 100]


def test_one_who_never_wins_has_wilsons_interval() -> None:
    contenders = [in_every_seat(SHORT, "hermit", ["keeper"]), in_every_seat(SHORT, "keeper", [])]
    found = PairedSamples(HERD, contenders, "win", SEED).measure(range(200))
    assert found.mean(0) == wilson(0, 200)


def test_rates_stay_between_0_and_1() -> None:
    contenders = [in_every_seat(RULES, "climber", ["keeper", "keeper"])]
    samples = PairedSamples(HERD, contenders, "win", SEED)
    firsts = [samples.measure(range(n, n + 3)).mean(0) for n in range(0, 60, 3)]
    assert all(0 <= one.low <= one.value <= one.high <= 1 for one in firsts)


def test_means_are_exact_fractions() -> None:
    """A third is a third, not a sum of rounded thirds."""
    found = measured()
    wins = sum(int(value(RULES, up, seat, "win").sum()) for up, seat in ARMS[0].places)
    assert found.mean(0).value == float(Fraction(wins, 3 * DEALS))


def test_products_do_not_overflow() -> None:
    """Shares of fourteen players, weighted, are some 1e10 units: their squares need 70 bits."""
    from herdlab.analysis.sampling.paired_samples import _products

    for largest in (10, 10**6, 4 * 10**10):
        values = np.random.default_rng(1).integers(-largest, largest, size=(3, 500))
        exact = [
            [sum(int(x) * int(y) for x, y in zip(a, b, strict=True)) for b in values]
            for a in values
        ]
        assert _products(values).tolist() == exact


def test_copies_in_all_seats_share_the_rate_of_games_that_somebody_wins() -> None:
    """One table of three copies, cut short: a game is won by one of them or by nobody."""
    rules = HERD.rules_type.from_settings({"max_turns": 60})
    contender = in_every_seat(rules, "keeper", ["keeper"] * 2)
    found = PairedSamples(HERD, [contender], "win", SEED).measure(range(DEALS)).mean(0)
    decided = sum(value(rules, ("keeper",) * 3, seat, "win") for seat in range(3))
    won = round(float(np.sum(decided)))
    assert 0 < won < DEALS
    wanted = rate_of(won, won, DEALS)
    assert (found.value, found.low, found.high, found.n) == pytest.approx(
        (wanted.value / 3, wanted.low / 3, wanted.high / 3, DEALS)
    )


def test_the_heaviest_table_is_that_of_which_most_seats_count() -> None:
    here, there = ("a", "b"), ("a", "c", "a")
    places = ((here, 0), (there, 0), (there, 2), (here, 1))
    assert Contender(RULES, places, (1, 1, 1, 2)).heaviest_table == 3
    assert Contender(RULES, places, (1, 2, 2, 1)).heaviest_table == 4
    assert Contender(RULES, places[:1], (5,)).heaviest_table == 5


def test_fields_may_count_more_than_others() -> None:
    contender = in_every_seat(RULES, "a", ["b", "c"], ["d"], weights=[1, 4])
    assert contender.weights == (1, 1, 1, 4, 4)
    assert in_every_seat(RULES, "a", ["b"], ["d"]).weights == (1, 1, 1, 1)
    assert contender.places[:3] == (
        (("a", "b", "c"), 0),
        (("c", "a", "b"), 1),
        (("b", "c", "a"), 2),
    )


def test_weighted_places_count_as_much() -> None:
    """Once among keepers and three times among climbers, in quarters of both seats."""
    contender = in_every_seat(RULES, "keeper", ["climber"], ["random"], weights=[1, 3])
    samples = PairedSamples(HERD, [contender, ARMS[0]], "length", SEED)
    found = samples.measure(range(DEALS))
    seats = [value(RULES, line_up, seat, "length") for line_up, seat in contender.places]
    mine = (seats[0] + seats[1] + 3 * seats[2] + 3 * seats[3]) / 8
    assert samples.scales == [8, 3] and found.mean(0).value == pytest.approx(mine.mean())
    assert found.deviation(0) == pytest.approx(mine.std(ddof=1))
    wanted = sum(w**2 * s.var(ddof=1) for w, s in zip((1, 1, 3, 3), seats, strict=True)) / 64
    assert found.unpaired_variance(0) == pytest.approx(wanted)
    assert samples.values(range(5)).tolist()[0] == (8 * mine[:5]).round().tolist()


@pytest.mark.parametrize(
    ("places", "weights", "even"),
    [
        ((0, 1), (1, 1), 2),
        ((0, 1), (1, 2), 0),
        ((0, 0), (1, 1), 0),
        ((0, 1, 0, 1), (1, 2, 2, 1), 2),
    ],
)
def test_copies_are_even_where_all_seats_count_alike(
    places: tuple[int, ...], weights: tuple[int, ...], even: int
) -> None:
    copies = Contender(RULES, tuple((("keeper", "keeper"), seat) for seat in places), weights)
    mixed = Contender(RULES, tuple((("keeper", "climber"), seat) for seat in places), weights)
    samples = PairedSamples(HERD, [copies, mixed], "win", SEED)
    assert (samples.even_seats(0), samples.even_seats(1)) == (even, 0)


def test_contenders_at_other_numbers_of_tables_differ_on_all_deals() -> None:
    sums = PairedSamples(HERD, ARMS[:1] + ARMS[2:3], "win", SEED).measure(range(40)).sums
    assert len(ARMS[0].places) != len(ARMS[2].places) and sums.differing.tolist() == [0, 40]


@pytest.mark.parametrize("odd", [112_000_001, 2_300_000_001])
def test_products_are_exact_beyond_floats_and_beyond_64_bits(odd: int) -> None:
    """Squares between 2^53 and 2^54, and two of them between 2^63 and 2^64."""
    n = 1 if odd < 2**30 else 2
    assert 2**53 < odd**2 < 2**54 or 2**63 < 2 * odd**2 < 2**64
    values = np.full((2, n), odd, dtype=np.int64)
    assert paired_samples_module._products(values).tolist() == [[n * odd**2] * 2] * 2
    least = np.full((1, 2), 2**31, dtype=np.int64)  # the first that 64 bits do not hold
    assert paired_samples_module._products(least).tolist() == [[2**63]]


def test_different_lengths_are_not_held_against_each_other() -> None:
    barnyard = find_game("barnyard")
    rules = barnyard.rules_type()
    contenders = [
        in_every_seat(one, "collector", ["miser", "miser"]) for one in (rules, rules.but(target=50))
    ]
    with pytest.raises(BadInput, match="length in rounds a session and length in rounds a match"):
        PairedSamples(barnyard, contenders, "length", SEED)


def test_looks_are_given_what_is_new_and_all() -> None:
    seen: list[tuple[int, int]] = []

    def look(new: PairedEstimates, all_so_far: PairedEstimates) -> int | None:
        seen.append((new.deals, all_so_far.deals))
        return None if all_so_far.deals >= 144 else 1000

    samples = PairedSamples(HERD, ARMS[:2], "win", SEED)
    found = samples.measure_until(100, 1000, look)
    assert seen == [(100, 100), (20, 120), (24, 144)] and found.deals == 144
    assert vars_of(found.sums) == vars_of(samples.play(range(144)))


def test_ctrl_c_gives_what_was_played_if_that_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """`measure_for` looks once more at what is new, and says how to ask for just that."""
    samples = PairedSamples(HERD, ARMS[:2], "win", SEED)
    monkeypatch.setattr(paired_samples_module, "asking_for", lambda deals, found: (deals, found))
    looked: list[tuple[int, int]] = []

    def look(new: PairedEstimates, all_so_far: PairedEstimates) -> int:
        looked.append((new.deals, all_so_far.deals))
        return 1000

    def interrupted(most: int, first: int = 10, **more: Any) -> Any:
        def play_until(play: Any, sums: Any, ends: Any, looked: Any, *, chunk: int) -> None:
            assert chunk == samples.chunk
            sums.add(samples.play(range(first)))
            looked()
            if most > first:
                sums.add(samples.play(range(first, most)))
            raise KeyboardInterrupt

        def simulate(play: Any, sums: Any, *_: Any, **__: Any) -> None:
            sums.add(samples.play(range(most)))
            raise KeyboardInterrupt

        runner: Any = SimpleNamespace(play_until=play_until, simulate=simulate)
        with pytest.raises(Interrupted) as stopped:
            samples.measure_for(lambda one: one.deals, 500, runner=runner, **more)
        return stopped.value.so_far, stopped.value.again

    assert FEWEST_DEALS == 100
    assert interrupted(130) == ((130, 130), "--games 130")
    assert interrupted(100) == ((100, 100), "--games 100")
    assert interrupted(99) == (None, "--games 99")
    looking: dict[str, Any] = {"look": look, "first_look": 10}
    assert interrupted(130, **looking) == ((130, 130), "--max-games 130")
    assert interrupted(100, **looking) == ((100, 100), "--max-games 100")
    assert interrupted(99, **looking) == (None, "--max-games 99")
    assert interrupted(120, 120, **looking) == ((120, 120), "--max-games 120")
    assert looked == [(10, 10), (120, 130), (10, 10), (90, 100), (10, 10), (120, 120)]


def test_without_a_look_all_deals_are_played_at_once() -> None:
    samples = PairedSamples(HERD, ARMS[:2], "win", SEED)
    assert samples.measure_for(lambda one: one.deals, 30, first_look=10) == 30
