"""`sweep`: common deals, the best region, and the sentence that tells of it."""

import json
from dataclasses import replace
from math import sqrt
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pytest

from herdlab.analysis.experiment import Experiment, Interrupted
from herdlab.analysis.runs.run_options import names, names_if
from herdlab.analysis.runs.runner import on_threads
from herdlab.analysis.sampling.paired_estimates import PairedEstimates
from herdlab.analysis.sampling.paired_samples import PairedSamples, PairedSums, in_every_seat
from herdlab.analysis.sampling.parameter_grid import Variable
from herdlab.analysis.stats.estimates import Estimate, corrected, quantile
from herdlab.analysis.stats.verdicts import Kind, kind_of, kind_of_wins
from herdlab.analysis.studies.simulation import SimulateRequest, simulate
from herdlab.analysis.studies.sweep import (
    Sweep,
    SweepPoint,
    SweepRequest,
    difference_to_best,
    sweep,
)
from herdlab.analysis.terminal.show_result import show_result
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game
from tests.statistics import LARGEST_Z, z_of_rate
from tests.words import meant

HERD, SWAP, HORSE_TRADER = find_game("herd"), find_game("swap"), find_game("horse-trader")


def experiment(seed: int = 0, game: Any = HERD, **settings: Any) -> Experiment:
    return Experiment(game, game.rules_type.from_settings(settings), seed)


def request(strategy: str, *vary: str, **options: Any) -> SweepRequest:
    where = options.pop("experiment", None) or experiment(options.pop("seed", 0))
    field = names_if(options.pop("field", None))
    return SweepRequest(where, strategy, vary, field, **{"deals": 300, **options})


@pytest.mark.parametrize("field", ["keeper", "climber,keeper,keeper-dog"])
def test_a_point_is_what_simulate_finds_of_the_same_line_up(field: str) -> None:
    found = sweep(request("herder:dog=never", "keep_sheep=0:1:1", field=field, seed=5))
    for point, sheep in zip(found.measured, "01", strict=True):
        player = f"herder:dog=never:keep_sheep={sheep}"
        alone = simulate(
            SimulateRequest(experiment(5), names(f"{player},{field}"), 300, rotate=True)
        )
        assert point.player == player
        assert point.estimate == alone.seats[0].win_rate


def test_rules_are_varied_as_simulate_has_them() -> None:
    where = experiment(3, SWAP)
    found = sweep(request("shedder", "rules.cards=5,10", experiment=where, metric="length"))
    for point, cards in zip(found.measured, (5, 10), strict=True):
        alone = simulate(
            SimulateRequest(where.under(cards=cards), names("shedder,shedder"), 300, rotate=True)
        )
        for mine, other in zip(
            (point.estimate.value, point.estimate.low, point.estimate.high),
            (alone.length_mean.value, alone.length_mean.low, alone.length_mean.high),
            strict=True,
        ):
            assert mine == pytest.approx(other, rel=1e-12)


def test_one_who_is_like_everybody_has_exactly_his_share() -> None:
    """All points meet the same deals, so all seats together win once."""
    found = sweep(request("herder", "keep_sheep=1:3:1", field="herder,herder"))
    first, *others = found.measured
    assert first.estimate.value == pytest.approx(1 / 3, abs=1e-15)
    assert first.estimate.high - first.estimate.low < 1e-12
    assert all(one.estimate.high - one.estimate.low > 0.01 for one in others)


def test_default_field_is_the_strategy_as_given_at_the_smallest_table() -> None:
    assert request("herder:dog=never", "keep_sheep=1,2").others == ("herder:dog=never",)
    where = experiment(0, HORSE_TRADER)
    others = request("trader-2", "rules.calls=1,2", experiment=where, metric="length").others
    assert len(others) == max(2, HORSE_TRADER.min_players) - 1


def test_a_game_alone_can_be_swept_too() -> None:
    found = sweep(request("herder", "keep_sheep=0:2:1", field="", metric="length"))
    alone = simulate(SimulateRequest(experiment(), names(found.measured[0].player), 300))
    assert found.measured[0].estimate.value == pytest.approx(alone.length_mean.value)


def test_the_number_of_threads_changes_nothing() -> None:
    asked = request("herder", "keep_sheep=0:2:1", "dog=never,spare", deals=1000)
    one, two = (sweep(asked, runner=on_threads(threads)) for threads in (1, 2))
    assert one.measured == two.measured and one.games == two.games == 2 * 6 * 1000


def test_differences_are_those_of_the_panel() -> None:
    found = sweep(request("herder", "keep_sheep=0:2:1", field="keeper"))
    assert found.best is not None
    contenders = [
        in_every_seat(HERD.rules_type(), one.player, ["keeper"]) for one in found.measured
    ]
    measured = PairedSamples(HERD, contenders, "win", 0).measure(range(300))
    for place, one in enumerate(found.measured):
        if place == found.best:
            assert one.difference == Estimate(0.0, 0.0, 0.0, 300) and one.kind == Kind.TIE
        else:
            assert one.difference == measured.difference(place, found.best, corrected(2))
            assert one.kind == kind_of_wins(one.difference)
        assert one.in_region == (one.kind in (Kind.TIE, Kind.OPEN))


def drawn(values: npt.NDArray[np.int64]) -> PairedEstimates:
    """Return contenders as measured, from values by (contender, deal) that differ on every deal."""
    k, n = values.shape
    whole = values.astype(np.float64)
    products = (whole @ whole.T).astype(np.int64)
    samples = SimpleNamespace(
        contenders=[None] * k, scales=[1000] * k, metrics=[SimpleNamespace(is_rate=False)] * k
    )
    exact = [one.astype(object) for one in (values.sum(1), products, np.full(k, n))]
    nothing = np.zeros(0, dtype=object)
    sums = PairedSums(n, exact[0], exact[1], nothing, nothing, exact[2])
    return PairedEstimates(cast(PairedSamples, samples), sums)


def differences(means: npt.NDArray[np.float64], measured: PairedEstimates) -> list[Estimate]:
    """Return all contenders minus the one with the highest mean."""
    best = int(np.argmax(means))
    return [difference_to_best(measured, place, best) for place in range(len(means))]


def coverage(truth: npt.NDArray[np.float64], place: int, runs: int, z: float = 1.0) -> list[bool]:
    """Return in which sweeps a contender is not clearly lower than the best, intervals `z` as wide.

    Contenders share most of their luck.
    """
    rng, k, n = np.random.default_rng(11), len(truth), 100
    found = []
    for _ in range(runs):
        own = rng.standard_normal((k, n)) + truth[:, None] / sqrt(n)
        values = np.round(1000 * (own + 3 * rng.standard_normal(n))).astype(np.int64)
        one = differences(values.mean(1), drawn(values))[place]
        found.append(one.value + z * (one.high - one.value) >= 0)
    return found


def test_the_region_has_the_true_best_in_95_of_100_experiments() -> None:
    """One of 20 equals is a true best; without the correction it is often left out."""
    runs = 1000
    assert z_of_rate(sum(coverage(np.zeros(20), 0, runs)), runs, 0.95) > -LARGEST_Z
    uncorrected = quantile() / quantile(corrected(19))
    assert z_of_rate(sum(coverage(np.zeros(20), 0, runs, uncorrected)), runs, 0.95) < -LARGEST_Z


def test_the_region_has_a_best_that_stands_out_by_chance_only() -> None:
    """The true best is a little better than the rest, and often not the best of the sample."""
    runs, truth = 500, np.zeros(8)
    truth[3] = 0.5
    assert z_of_rate(sum(coverage(truth, 3, runs)), runs, 0.95) > -LARGEST_Z
    assert z_of_rate(sum(coverage(truth, 3, runs, 0.0)), runs, 0.95) < -LARGEST_Z


def test_pairing_makes_the_region_small() -> None:
    """The same values with their deals shuffled for each contender have wider differences."""
    rng = np.random.default_rng(3)
    slope = np.linspace(0, 0.5, 10)[:, None]
    values = np.round(
        1000 * (slope + 0.3 * rng.standard_normal((10, 400)) + 3 * rng.standard_normal(400))
    ).astype(np.int64)
    shuffled = rng.permuted(values, axis=1)
    counts = [
        sum(kind_of(one) == Kind.OPEN for one in differences(values.mean(1), drawn(each)))
        for each in (values, shuffled)
    ]
    assert counts[0] < counts[1] == 10


def test_points_that_play_the_same_belong_to_the_region() -> None:
    """With two at the table it is always the same one who gets the skunk."""
    found = sweep(request("herder", "skunk=leader,left", "keep_sheep=1,4", field="keeper"))
    assert [one.in_region for one in found.measured] == [True, False, True, False]
    assert found.measured[0].difference == Estimate(0.0, 0.0, 0.0, 300)
    unseen = found.measured[2].difference
    assert unseen is not None and unseen.value == 0 and -unseen.low == unseen.high > 0


def made(values: list[float], halves: float, *vary: Variable, **options: Any) -> Sweep:
    """Return a sweep with such results, differences as wide as given."""
    options = {"metric": "win", **options}
    texts = [f"{one.name}={','.join(one.texts)}" for one in vary]
    asked = request("herder", *texts, **options)
    best = None
    if asked.best_is is not None:
        best = int(np.argmax(values) if asked.best_is == "high" else np.argmin(values))
    points = []
    for point, value in zip(asked.points, values, strict=True):
        apart = None
        if best is not None:
            gap = value - values[best]
            half = halves if gap else 0.0
            apart = Estimate(gap, gap - half, gap + half, 300)
        kind = None if apart is None else Kind.TIE if apart.high == 0 else kind_of_wins(apart)
        estimate = Estimate(value, value - 0.01, value + 0.01, 300)
        where = point.values, point.player, point.experiment
        points.append(SweepPoint(*where, estimate, apart, kind))
    sample = sweep(request("herder", "keep_sheep=1", metric=options["metric"], deals=100))
    return Sweep(asked, asked.grid.variables, sample.metric, points, best, 1, 1.0)


SHEEP = Variable("keep_sheep", ("0", "1", "2", "3"))
DOG = Variable("dog", ("never", "spare", "first"))
PRICE = Variable("rules.horse_price", ("1", "2", "3"))


def test_the_sentence_tells_of_the_region() -> None:
    assert made([0.2, 0.31, 0.32, 0.31], 0.05, SHEEP).sentence == (
        "best at keep_sheep=2 (32.00 %, 31.00 to 33.00); keep_sheep 1 to 3 are too close to call"
    )
    assert (
        "; keep_sheep 0 and 2 are too close" in made([0.31, 0.2, 0.32, 0.1], 0.05, SHEEP).sentence
    )
    single = made([0.1, 0.2, 0.3, 0.2], 0.05, SHEEP)
    assert single.sentence.endswith("every other point is clearly worse")
    assert single.headline.startswith("best at keep_sheep=2 (30.00 %); every other")
    assert made([0.3, 0.31, 0.3, 0.3], 0.05, SHEEP).sentence == (
        "best at keep_sheep=1 (31.00 %, 30.00 to 32.00); all other points are too close to call"
    )
    assert "; dog never and first are" in made([0.3, 0.2, 0.31], 0.05, DOG).sentence
    single = made([0.3], 0.05, Variable("keep_sheep", ("1",)))
    assert single.sentence == "a single point, keep_sheep=1 (30.00 %, 29.00 to 31.00)"


def test_the_sentence_on_two_variables() -> None:
    square = made([0.3, 0.1, 0.31, 0.1] * 3, 0.05, DOG, SHEEP)
    assert "; dog never, spare and first, keep_sheep 0 and 2 tie with it or are" in square.sentence
    few = made([0.3, 0.1, 0.1, 0.1] + [0.1, 0.31, 0.1, 0.1] + [0.1] * 4, 0.05, DOG, SHEEP)
    assert "; (dog=never, keep_sheep=0) is too close to call" in few.sentence
    many = made([0.3, 0.3, 0.1, 0.3] + [0.3] * 4 + [0.1, 0.3, 0.1, 0.31], 0.05, DOG, SHEEP)
    assert "; 8 of 11 other points are" in many.sentence


def test_of_rules_nothing_is_best_but_highest_or_lowest() -> None:
    high = made([0.2, 0.3, 0.4], 0.05, PRICE, field="keeper")
    assert high.sentence.startswith("highest at rules.horse_price=3 (40.00 %, 39.00 to 41.00)")
    assert high.sentence.endswith("; every other point is clearly lower")
    low = made([20.0, 30.0, 40.0], 0.05, PRICE, metric="length")
    assert low.sentence.startswith("lowest at rules.horse_price=1 (20.000, 19.990 to 20.010)")
    assert low.sentence.endswith("; every other point is clearly higher")
    mixed = made([0.2, 0.3, 0.4] * 3, 0.05, DOG, PRICE)
    assert mixed.sentence.startswith("best at dog=never, rules.horse_price=3")


def test_of_events_nobody_says_what_is_best_unless_asked() -> None:
    neither = sweep(request("herder", "dog=never,spare", metric="dogs_bought"))
    assert neither.best is None and neither.region == []
    assert neither.sentence.startswith("lowest at dog=never (0.000, 0.000 to 0.006), highest at")
    low = sweep(request("herder", "dog=never,spare", metric="dogs_bought", best="low"))
    assert low.sentence.startswith("best at dog=never") and low.best == 0
    high = sweep(request("herder", "dog=never,spare", metric="dogs_bought", best="high"))
    assert high.best == 1 and [one.in_region for one in high.measured] == [False, True]


def test_results_as_json_and_as_a_table() -> None:
    found = sweep(request("herder", "keep_sheep=0:2:1", "dog=never,spare", seed=2))
    plain = json.loads(json.dumps(found.as_json(), allow_nan=False))
    assert plain["command"] == "sweep" and plain["seed"] == 2 and plain["lucks"] == 300
    again = sweep(
        SweepRequest(
            experiment(2),
            plain["arguments"]["strategy"],
            tuple(plain["arguments"]["vary"]),
            names_if(plain["arguments"]["field"]),
            plain["arguments"]["metric"],
            plain["arguments"]["games"],
            plain["arguments"]["best"],
        )
    ).as_json()
    assert {**again, "seconds": 0} == {**found.as_json(), "seconds": 0}
    frame = found.frame()
    assert list(frame.columns) == [
        *("keep_sheep", "dog", "player", "rules_hash", "value", "low", "high"),
        *("difference", "difference_low", "difference_high", "kind", "in_best_region", "n"),
    ]
    assert frame["keep_sheep"].tolist() == [0, 0, 1, 1, 2, 2] and frame["keep_sheep"].dtype == int
    assert frame["in_best_region"].dtype == bool and frame["in_best_region"].any()
    assert frame["difference"].max() == 0
    events = sweep(request("herder", "dog=never,spare", metric="trades")).frame()
    assert events["difference"].isna().all() and not events["in_best_region"].any()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"metric": "wins"}, f"unknown metric of herd 'wins': {meant('win')}"),
        ({"best": "highest"}, f"unknown value of --best 'highest': {meant('high')}"),
        ({"deals": 99}, "the number of games must be from 100 to"),
        ({"field": "keper"}, f"^unknown strategy of herd 'keper': {meant('keeper')}"),
        ({"field": "keeper,,keeper"}, "^two commas in a row in 'keeper,,keeper'"),
        ({"field": "keeper," * 30 + "keeper"}, "^herd takes 1 to 4 players, and got 32"),
    ],
)
def test_wrong_requests_are_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        request("herder", "keep_sheep=1,2", **options)


@pytest.mark.parametrize("field", [None, "herder", "HERDER"])
def test_win_rates_of_copies_under_other_rules_are_refused(field: str | None) -> None:
    """Everybody plays alike in every seat: a column of 50.00."""
    with pytest.raises(BadInput, match="everyone at the table plays herder.* --metric length"):
        request("herder", "rules.horse_price=2,3", field=field)
    assert request("herder", "rules.horse_price=2,3", field="keeper").points
    assert request("herder", "rules.horse_price=2,3", metric="length").points
    assert request("herder", "rules.horse_price=2,3", "keep_sheep=1,2").points


def test_a_point_that_cannot_be_played_is_named() -> None:
    with pytest.raises(BadInput, match=r"^at rules\.advanced=false: strategy 'bluffer'"):
        request("bluffer", "rules.advanced=true,false", experiment=experiment(0, HORSE_TRADER))


def test_ctrl_c_leaves_what_was_played() -> None:
    asked = request("herder", "keep_sheep=0:2:1", deals=40_000)
    calls = 0

    def stop(done: int, total: int) -> None:
        nonlocal calls
        calls += 1
        assert total == 40_000
        if calls == 2:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        sweep(asked, on_threads(2, stop))
    so_far = stopped.value.so_far
    assert 100 <= so_far.deals < 40_000 and stopped.value.again == f"--games {so_far.deals}"
    assert sweep(replace(asked, deals=so_far.deals)).measured == so_far.measured


def test_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    show_result(sweep(request("herder", "keep_sheep=0:4:2", field="keeper")))
    text = capsys.readouterr().out
    assert "3 values of keep_sheep, on the same 300 deals" in " ".join(text.split())
    assert "Win rate: best at" in text and "keep_sheep  win rate, %" in text
    show_result(sweep(request("herder", "keep_sheep=0:4:2", "dog=never,spare")))
    text = capsys.readouterr().out
    assert "keep_sheep down, dog across" in text and "**" in text
    show_result(sweep(request("herder", "dog=never,spare", metric="dogs_bought")))
    assert "cannot be told" not in capsys.readouterr().out
