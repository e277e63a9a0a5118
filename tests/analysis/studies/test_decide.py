"""`compare --decide`: looking after every batch does not make wrong verdicts more likely."""

from collections import Counter
from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.runs.run_options import names_if
from herdlab.analysis.runs.runner import on_threads
from herdlab.analysis.sampling import paired_samples as paired_samples_module
from herdlab.analysis.sampling.metrics import find_metric
from herdlab.analysis.stats.confidence_sequences import BoundedSequence, looks
from herdlab.analysis.stats.verdicts import Kind, kind_of
from herdlab.analysis.studies.compare import CompareRequest, Comparison, _sequences, compare
from herdlab.simcore.game import find_game
from herdlab.simcore.sums import WINNERS, Rows
from tests.statistics import LARGEST_Z, mean_of, z_of_rate

HERD = find_game("herd")
STATED = 0.05
TWIN = "random:skunk=left"
"""At a table of two the only other player gets the skunk either way, but `random` draws for it.

So both play alike, on other choices from the first skunk on: equal value, not the same play.
"""


def asked(a: str = TWIN, b: str = "random", field: str | None = None, **options: Any) -> Any:
    experiment = Experiment(HERD, HERD.rules_type(), options.pop("seed", 0))
    return CompareRequest(
        experiment, a, b, names_if(field), **{"decide": True, "deals": 20_000, **options}
    )


# ---- real games ----


@pytest.mark.parametrize("seed", range(5))
def test_equals_are_found_alike_or_left_open(seed: int) -> None:
    found = compare(asked(field="keeper", margin=0.02, seed=seed))
    assert found.differing > 0.1 * found.deals
    assert found.kind == Kind.TIE and found.interval == "anytime"
    left = compare(asked(field="keeper", margin=0.001, deals=2500, seed=seed))
    assert left.kind == Kind.OPEN and left.deals == 2500
    assert left.more is not None and left.more > 2500


def test_it_stops_at_the_first_look_that_settles_it() -> None:
    found = compare(asked("closer", "keeper", margin=0.02))
    assert found.is_settled
    all_looks = list(looks(1000, 20_000))
    assert found.deals in all_looks[1:-1]
    before = all_looks[all_looks.index(found.deals) - 1]
    short = compare(asked("closer", "keeper", margin=0.02, deals=before))
    assert short.kind == Kind.OPEN and short.deals == before
    assert found.difference.value == pytest.approx(
        compare(asked("closer", "keeper", deals=found.deals, decide=False)).difference.value
    )


@pytest.mark.parametrize(
    ("a", "b", "kind"), [("keeper", "climber", Kind.HIGHER), ("climber", "keeper", Kind.LOWER)]
)
def test_a_large_difference_is_settled_at_the_first_look(a: str, b: str, kind: str) -> None:
    found = compare(asked(a, b, deals=100_000))
    assert found.kind == kind and found.deals == 1000
    wide = found.difference.high - found.difference.low
    usual = compare(asked(a, b, decide=False, deals=1000)).difference
    assert wide > usual.high - usual.low  # what looking at any time costs


def test_other_metrics_are_asymptotic_from_a_least_number_on_and_say_so() -> None:
    found = compare(asked("climber", "keeper", metric="length", deals=100_000))
    assert found.interval == "anytime-asymptotic" and found.deals == 10_000
    assert found.kind in (Kind.HIGHER, Kind.LOWER)
    few = compare(asked("climber", "keeper", metric="length", deals=999))
    assert few.kind == Kind.OPEN and few.more is None
    written = few.as_json()
    assert written["ci_low"] is None and written["ci_high"] is None


def test_the_same_play_stops_early_too() -> None:
    found = compare(asked("herder", "herder:keep_sheep=1", deals=100_000))
    assert found.kind == Kind.SAME and found.variance_ratio is None
    assert 10_000 <= found.deals < 20_000
    assert found.difference.high < 0.005
    length = compare(asked("herder", "herder:keep_sheep=1", metric="length", deals=100_000))
    assert length.kind == Kind.SAME and length.deals == 10_000


# ---- games of which the truth is known, played through all of `compare` ----

MOST = 6000


class Coins:
    """A table whose winner is drawn by lot, on each deal and at each table anew."""

    def __init__(self, line_up: Sequence[str], seed: int, skill: float) -> None:
        rng = np.random.default_rng([seed, *map(ord, "".join(line_up))])
        weights = np.array([skill if name == "keeper" else 1.0 for name in line_up])
        self.all = np.zeros((MOST, len(HERD.columns(len(line_up)))), dtype=np.int32)
        self.all[:, WINNERS] = 1 << rng.choice(len(line_up), MOST, p=weights / weights.sum())

    def rows(self, first: int, last: int) -> Rows:
        return self.all[first:last]


@pytest.fixture
def coins(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Comparison]]:
    def play(runs: int, skill: float = 1.0, **options: Any) -> list[Comparison]:
        def make_bout(game: Any, rules: Any, line_up: Any, seed: int, *rest: Any) -> Coins:
            return Coins(line_up, seed, skill)

        monkeypatch.setattr(paired_samples_module, "make_bout", make_bout)
        return [
            compare(
                asked("keeper", "climber", "random", deals=MOST, seed=one, **options),
                runner=on_threads(1),
            )
            for one in range(runs)
        ]

    return play


def test_equals_on_independent_luck_get_no_wrong_verdict(
    coins: Callable[..., list[Comparison]],
) -> None:
    kinds = Counter(one.kind for one in coins(40, margin=0.005))
    assert kinds[Kind.OPEN] >= 35  # 5 % of 40 are 2; more than 5 come once in 10,000
    (one,) = coins(1, margin=0.06)
    assert one.kind == Kind.TIE and one.deals < MOST


def test_a_real_difference_is_found_and_its_intervals_hold(
    coins: Callable[..., list[Comparison]],
) -> None:
    truth = 1.5 / 2.5 - 0.5
    found = coins(40, skill=1.5)
    assert Counter(one.kind for one in found) == {Kind.HIGHER: 40}
    missed = [not one.difference.low <= truth <= one.difference.high for one in found]
    contenders = [
        one.a.low <= 0.6 <= one.a.high and one.b.low <= 0.5 <= one.b.high for one in found
    ]
    assert sum(missed) + contenders.count(False) <= 5
    # Stopped when it looks best: the estimates are biased, and plain intervals would not do.
    assert len({one.deals for one in found}) > 1


# ---- wrong verdicts by the thousand: sums of synthetic blocks ----

SUPPORT = np.array([-1.0, -0.5, 0.0, 0.5, 1.0])
LAST = 20_000


def chances(mean: float, spread: float = 0.2) -> npt.NDArray[np.float64]:
    """Return the chances of the values of `SUPPORT` with this mean."""
    p = np.array([spread / 4, spread / 2, 1 - 1.5 * spread, spread / 2, spread / 4])
    p[[0, 4]] += np.array([-mean, mean]) / 2
    return p


@cache
def batches(mean: float, runs: int, seed: int) -> list[list[tuple[int, float, float]]]:
    """Return for each run what each look adds: deals, the sum of differences, and of squares."""
    rng, ends = np.random.default_rng(seed), list(looks(1000, LAST))
    sizes = np.diff([0, *ends]).tolist()
    drawn = [rng.multinomial(size, chances(mean), size=runs) for size in sizes]
    return [
        [
            (size, float(counts[run] @ SUPPORT), float(counts[run] @ SUPPORT**2))
            for size, counts in zip(sizes, drawn, strict=True)
        ]
        for run in range(runs)
    ]


def verdicts(mean: float, margin: float, runs: int, seed: int, *, naive: bool) -> Counter[str]:
    """Return how often each verdict ends a run that looks after every batch."""
    request = asked("keeper", "climber", margin=margin, deals=LAST)
    metric = find_metric(HERD, request.experiment.rules, "win", 2)
    fresh, ends = _sequences(request, metric)[0, 1], Counter[str]()
    for run in batches(mean, runs, seed):
        track, sums = deepcopy(fresh), np.zeros(3)
        kind = Kind.OPEN
        for n, total, squares in run:
            if naive:
                sums += (n, total, squares)
                one = mean_of(sums[1], sums[2], int(sums[0]))
            else:
                track.add(n, total, squares)
                one = track.interval()
            kind = kind_of(one, request.tolerance or 0)
            if kind != Kind.OPEN:
                break
        ends[kind] += 1
    return ends


@pytest.mark.parametrize(("margin", "runs"), [(0.001, 400), (0.02, 1000)])
def test_wrong_verdicts_stay_under_what_is_stated(margin: float, runs: int) -> None:
    """Equal value, and a look after each of 17 batches: no sign may be settled."""
    wrong = verdicts(0.0, margin, runs, 1, naive=False)
    assert wrong[Kind.HIGHER] + wrong[Kind.LOWER] <= STATED * runs


def test_naive_peeking_breaks_it() -> None:
    runs = 1000
    found = verdicts(0.0, 0.001, runs, 1, naive=True)
    wrong = found[Kind.HIGHER] + found[Kind.LOWER]
    assert z_of_rate(wrong, runs, STATED) > LARGEST_Z and wrong > 0.15 * runs


@pytest.mark.parametrize("sign", [1, -1])
def test_a_difference_as_large_as_the_margin_is_not_called_alike(sign: int) -> None:
    runs, margin = 400, 0.02
    found = verdicts(sign * margin, margin, runs, 2, naive=False)
    wrong, right = (Kind.LOWER, Kind.HIGHER) if sign > 0 else (Kind.HIGHER, Kind.LOWER)
    assert found[Kind.TIE] + found[wrong] <= STATED * runs
    assert found[right] > runs / 2


def test_equals_are_found_alike_in_the_end() -> None:
    found = verdicts(0.0, 0.02, 100, 3, naive=False)
    assert found[Kind.TIE] >= 95


VALUES = np.array([-1.0, 0.0, 1.0, 2.0, 60.0])
RARE = np.array([0.06, 0.9370, 0.0, 0.002, 0.001])
"""Rare and large on one side, often and small on the other: a difference of events, skewed."""


def test_asymptotic_sequences_of_skewed_differences_hold_too() -> None:
    runs, last = 500, 200_000
    mean = float(VALUES @ RARE)
    request = asked("keeper", "climber", metric="length", deals=last)
    metric = find_metric(HERD, request.experiment.rules, "length", 2)
    rng, ends = np.random.default_rng(4), list(looks(10_000, last))
    fresh = _sequences(request, metric)[0, 1]
    missed = naive = 0
    for _ in range(runs):
        track, sums, before = deepcopy(fresh), np.zeros(3), 0
        bad = peeked = False
        for end in ends:
            counts = rng.multinomial(end - before, RARE)
            new = (end - before, float(counts @ VALUES), float(counts @ VALUES**2))
            track.add(*new)
            sums += new
            one, plain = track.interval(), mean_of(sums[1], sums[2], int(sums[0]))
            bad |= not one.low <= mean <= one.high
            peeked |= not plain.low <= mean <= plain.high
            before = end
        missed, naive = missed + bad, naive + peeked
    assert missed <= STATED * runs
    assert z_of_rate(naive, runs, STATED) > LARGEST_Z


def test_difference_and_both_arms_share_one_chance_of_error() -> None:
    """The sequences' own alphas add up to the stated 5 %."""
    for metric_name in ("win", "length"):
        request = asked("keeper", "climber", metric=metric_name)
        metric = find_metric(HERD, request.experiment.rules, metric_name, 2)
        tracks: list[Any] = list(_sequences(request, metric).values())
        assert len(tracks) == 3
        assert sum(one.alpha for one in tracks) == pytest.approx(STATED)


@pytest.mark.parametrize(("margin", "half"), [(None, 0.005), (0.02, 0.02), (0.001, 0.005)])
def test_sequences_share_one_chance_of_error_and_are_tuned_to_the_margin(
    margin: float | None, half: float
) -> None:
    """Tuned to v they are the tightest there: after v / 0.1 deals the half-width is the margin."""
    request = asked("keeper", "climber", margin=margin)
    tracks = _sequences(request, find_metric(HERD, HERD.rules_type(), "win", request.seats))
    settings = [one for one in tracks.values() if isinstance(one, BoundedSequence)]
    assert sum(one.alpha for one in settings) == pytest.approx(0.05) and len(settings) == 3
    difference, *rates = settings
    assert (difference.low, difference.high, difference.guess) == (-1, 1, 0)
    assert difference.alpha == pytest.approx(0.04)
    assert float(difference.boundary(difference.v_opt)) * 0.1 / difference.v_opt == pytest.approx(
        half, rel=1e-6
    )
    fair = 1 / request.seats
    assert rates == [BoundedSequence(0, 1, rates[0].alpha, difference.v_opt, fair)] * 2
