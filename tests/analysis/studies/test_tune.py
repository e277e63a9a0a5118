"""`tune`: the search, its luck, and what is left of it on fresh deals."""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.runs.run_options import names
from herdlab.analysis.runs.runner import HERE, on_threads
from herdlab.analysis.sampling.paired_samples import PairedSamples, in_every_seat
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.successive_halving import (
    FACTOR,
    CandidateScore,
    HalvingResult,
    halve,
    rounds_of,
)
from herdlab.analysis.studies.simulation import SimulateRequest, simulate
from herdlab.analysis.studies.tune import overestimate, tune
from herdlab.analysis.studies.tune_search import TuneRequest
from herdlab.analysis.terminal.show_result import show_result
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game
from tests.statistics import LARGEST_Z

HERD = find_game("herd")
Sums = list[tuple[int, int]]


def request(*vary: str, against: str = "keeper,climber", **options: Any) -> TuneRequest:
    where = Experiment(HERD, HERD.rules_type(), options.pop("seed", 0))
    strategy = options.pop("strategy", "herder")
    return TuneRequest(where, strategy, vary, names(against), **{"deals": 300, **options})


class Noise:
    """Candidates whose values on every deal are whole numbers around a mean of their own."""

    def __init__(self, means: Sequence[float], seed: int, deviation: float = 1000) -> None:
        self.means, self.deviation = means, deviation
        self.rng = np.random.default_rng(seed)
        self.asked: list[tuple[list[int], range]] = []

    def play(self, candidates: Sequence[int], deals: range) -> Sums:
        self.asked.append((list(candidates), deals))
        found = []
        for one in candidates:
            drawn = self.rng.normal(self.means[one], self.deviation, len(deals))
            values = np.rint(drawn).astype(np.int64)
            found.append((int(values.sum()), int((values**2).sum())))
        return found


def believed(one: CandidateScore) -> float:
    return one.total / one.deals


def test_each_round_has_a_third_of_the_candidates_on_three_times_the_deals() -> None:
    rounds = rounds_of(200, 20_000)
    assert [one.candidates for one in rounds] == [200, 67, 23, 8, 3]
    assert [one.deals for one in rounds] == [246, 738, 2214, 6642, 19_926]
    assert [one.deals for one in rounds_of(27, 1000)] == [111, 333, 999]
    assert [(one.candidates, one.deals) for one in rounds_of(1, 500)] == [(1, 500)]
    short = rounds_of(100, 300)
    assert [one.deals for one in short] == [64, 192, 300, 300, 300]
    for first, second in pairwise(short):
        assert second.candidates == -(-first.candidates // FACTOR)


def test_every_round_meets_new_luck_and_all_rounds_count() -> None:
    noise = Noise(range(30), seed=1, deviation=10)
    heat = halve(range(30), 900, 1000, noise.play)
    deals = [part for _, part in noise.asked]
    assert deals[0].start == 1000
    assert all(before.stop == after.start for before, after in pairwise(deals))
    assert [len(part) for part in deals] == [one.deals for one in heat.rounds]
    assert sorted(one.candidate for one in heat.ranking) == list(range(30))
    winner = heat.ranking[0]
    assert winner.candidate == 29 and winner.deals == sum(map(len, deals))
    for candidates, _ in noise.asked:
        assert 29 in candidates


def test_earlier_rounds_are_not_forgotten() -> None:
    """Who led by far in the first round is not dropped for being second in the next."""
    scores = iter([{0: 900, 1: 500, 2: 0, 3: 0}, {0: 10, 1: 60}])

    def play(candidates: Sequence[int], deals: range) -> Sums:
        score = next(scores)
        return [(score[one], 0) for one in candidates]

    assert [one.candidate for one in halve(range(4), 300, 0, play).ranking] == [0, 1, 2, 3]


def test_of_equals_the_first_stays() -> None:
    heat = halve([5, 3, 8], 300, 0, lambda candidates, deals: [(1, 1)] * len(candidates))
    assert [one.candidate for one in heat.ranking] == [5, 3, 8]


def test_the_best_is_found_where_it_stands_out() -> None:
    means = [0.0] * 60
    means[17] = 400  # of 1000, the standard deviation on a deal
    found = [halve(range(60), 2000, 0, Noise(means, seed).play) for seed in range(20)]
    assert [heat.ranking[0].candidate for heat in found].count(17) >= 19


def bias(choose: int, experiments: int = 300) -> tuple[float, float]:
    """Return z of what a search believed, and of fresh deals, of the one that it ranks so.

    All candidates are equal, with mean 0.
    """
    errors = []
    for seed in range(experiments):
        noise = Noise([0.0] * 12, seed, deviation=100)
        heat: HalvingResult = halve(range(12), 100, 0, noise.play)
        tried = heat.ranking[choose]
        ((total, squares),) = noise.play([tried.candidate], range(200))
        errors.append((believed(tried), total / 200))
    values = np.array(errors)
    z = values.mean(0) / (values.std(0, ddof=1) / np.sqrt(experiments))
    return float(z[0]), float(z[1])


def test_a_search_believes_too_much_of_its_winner_and_fresh_luck_does_not() -> None:
    """Of equal candidates the winner was the luckiest: selection bias."""
    search, fresh = bias(0)
    assert search > LARGEST_Z
    assert abs(fresh) < LARGEST_Z
    last, _ = bias(-1)
    assert last < -LARGEST_Z  # and too little of the one that it dropped first


def test_the_error_of_a_search_has_an_honest_interval() -> None:
    """Without a choice there is no bias, and the interval holds in 95 of 100."""
    hits = 0
    for seed in range(400):
        noise = Noise([50.0], seed, deviation=100)
        ((a, a2), (b, b2)) = noise.play([0], range(150)) + noise.play([0], range(300))
        found = overestimate(CandidateScore(0, a, a2, 150), CandidateScore(0, b, b2, 300), scale=7)
        assert found.n == 300 and found.value == pytest.approx((a / 150 - b / 300) / 7)
        hits += found.low <= 0 <= found.high
    assert abs(hits - 380) < LARGEST_Z * np.sqrt(400 * 0.95 * 0.05)


def test_fresh_luck_is_never_that_of_the_search() -> None:
    seeds = [*range(200), 2**64 - 1]
    fresh = [request("keep_sheep=1,2", seed=seed).fresh_seed for seed in seeds]
    assert len({*seeds, *fresh}) == 2 * len(seeds)
    assert all(0 <= seed < 2**64 for seed in fresh)
    assert fresh[0] == 15120257929123300691  # written in the docs: it must not change


def test_the_number_of_threads_changes_nothing() -> None:
    asked = request("keep_sheep=0:4:1", "dog=never,spare", seed=3)
    one, two = (tune(asked, runner=on_threads(threads)).as_json() for threads in (1, 2))
    assert {**one, "seconds": 0} == {**two, "seconds": 0}


def test_the_winner_is_measured_as_simulate_would_on_the_fresh_seed() -> None:
    found = tune(request("keep_sheep=2,3", against="keeper", strategy="herder:dog=never"))
    experiment = Experiment(HERD, HERD.rules_type(), found.request.fresh_seed)
    alone = simulate(SimulateRequest(experiment, names(f"{found.player},keeper"), 300, rotate=True))
    assert found.rate == alone.seats[0].win_rate
    (keeper,) = found.opponents
    given = simulate(
        SimulateRequest(experiment, names("herder:dog=never,keeper"), 300, rotate=True)
    )
    assert found.given == given.seats[0].win_rate
    assert keeper.rate.value == 0.5 and keeper.alone.value == found.rate.value
    assert keeper.difference.value == pytest.approx(found.rate.value - 0.5)
    stale = simulate(
        SimulateRequest(found.request.experiment, names(f"{found.player},keeper"), 300, rotate=True)
    )
    assert found.rate != stale.seats[0].win_rate


def test_the_search_counts_what_a_panel_would() -> None:
    """The one round of a search among two is its whole belief: the same tables, the same deals."""
    asked = request("keep_sheep=1,2", size=3, deals=200, seed=4)
    found = tune(asked)
    for player, belief in found.tried.items():
        samples = PairedSamples(HERD, [asked.contender(player)], "win", 4)
        assert belief == samples.measure(range(200)).mean(0)


def test_fields_count_as_often_as_they_are_drawn() -> None:
    """Of two opponents drawn from two, one of each comes up twice as often as two of a kind."""
    asked = request("keep_sheep=1", size=3, deals=200)
    assert list(asked.fields.values()) == [1, 2, 1] and asked.games_a_deal == 9
    found = tune(asked)
    rates = []
    for field in (("keeper", "keeper"), ("keeper", "climber"), ("climber", "climber")):
        contender = in_every_seat(HERD.rules_type(), found.player, field)
        rates.append(
            PairedSamples(HERD, [contender], "win", asked.fresh_seed)
            .measure(range(200))
            .mean(0)
            .value
        )
    weighted = (rates[0] + 2 * rates[1] + rates[2]) / 4
    assert found.rate.value == pytest.approx(weighted, abs=1e-12)
    assert abs(found.rate.value - sum(rates) / 3) > 1e-3
    assert [one.alone.value for one in found.opponents] == [
        pytest.approx(rates[0]),
        pytest.approx(rates[2]),
    ]


def test_a_large_grid_is_sampled_and_the_best_neighbours_are_tried() -> None:
    asked = request("keep_rabbits=0:9:1", "keep_sheep=0:9:1", most_points=12, deals=100)
    assert asked.is_sampled and len(asked.candidates) == 12
    assert asked.grid.given_place() in asked.candidates
    assert asked.candidates == replace(asked).candidates
    other = replace(asked, experiment=replace(asked.experiment, seed=1))
    assert other.candidates != asked.candidates
    found = tune(asked)
    starts = [one.candidates for one in found.rounds]
    assert starts[0] == 12 and starts[3] > starts[2]  # 12, 4, 2, and the neighbours
    assert len(found.tried) > 12
    assert found.player == next(iter(found.tried))
    whole = request("keep_rabbits=0:3:1", "keep_sheep=0:2:1", most_points=12)
    assert not whole.is_sampled and whole.candidates == list(range(12))


def test_many_tables_mean_fewer_candidates() -> None:
    crowd = request(
        "keep_rabbits=0:13:1",
        "keep_sheep=0:13:1",
        against="climber,keeper,keeper-dog,dog-first,random,hermit",
        size=4,
    )
    assert (len(crowd.fields), crowd.games_a_deal, len(crowd.candidates)) == (
        56,
        224,
        20_000 // 224,
    )


@pytest.mark.parametrize(
    ("vary", "options", "sentence"),
    [
        (("rules.horse_price=2,3",), {}, "'rules.horse_price' is a setting .* 'herdlab sweep'"),
        ((), {}, "from 1 to 6 variables, and got 0"),
        (tuple(f"keep_sheep={n}" for n in range(7)), {}, "from 1 to 6 variables, and got 7"),
        (("keep_shep=1,2",), {}, "unknown parameter of herder 'keep_shep'"),
        (("keep_sheep=1,2",), {"against": "keeper, keeper"}, "--against has keeper twice"),
        (("keep_sheep=1,2",), {"against": "keper"}, "unknown strategy of herd 'keper'"),
        (("keep_sheep=1,2",), {"against": ""}, "--against names nobody"),
        (("keep_sheep=1,2",), {"size": 5}, "herd takes 1 to 4 players, and got 5"),
        (("keep_sheep=1,2",), {"size": 1}, "a table must have 2 players at least, and got 1"),
        (("keep_sheep=1,2",), {"deals": 10}, "the number of games must be from 100 to"),
        (
            ("keep_sheep=1,2",),
            {"against": ",".join(f"herder:keep_pigs={n}" for n in range(14)), "size": 4},
            r"makes 35,840 tables \(16 players in 560 fields of 3, in 4 seats\); at most 20,000",
        ),
    ],
)
def test_wrong_requests_are_refused(
    vary: tuple[str, ...], options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(BadInput, match=sentence):
        request(*vary, **options)


def test_the_verdict_names_who_is_not_beaten() -> None:
    found = tune(request("keep_sheep=1", strategy="herder:dog=never", deals=200))
    keeper, climber = found.opponents
    assert keeper.is_same and keeper.difference.value == 0 < keeper.difference.high < 0.1
    assert found.is_as_given and not climber.is_same
    assert found.points[0].startswith("It came out the same as herder:dog=never")
    assert found.points[2].startswith("Where all others are keeper it ties with")
    assert found.verdict == (
        "on fresh deals herder:dog=never:keep_sheep=1 comes out the same as keeper; beats climber, "
        "in a field of keeper, climber"
    )

    def verdict(low: float, high: float) -> str:
        estimate = Estimate((low + high) / 2, low, high, 200)
        one = replace(keeper, difference=estimate, is_same=False)
        return replace(found, opponents=[one, climber]).verdict

    assert verdict(0.01, 0.02).endswith(
        " beats every one of keeper, climber in a field of them, confirmed on fresh deals"
    )
    assert " is too close to call with keeper; beats climber, in a" in verdict(-0.01, 0.02)
    assert " does worse than keeper; beats climber, in a" in verdict(-0.02, -0.01)
    alone = replace(found, opponents=[climber]).verdict
    assert alone.endswith(" beats climber in a field of them, confirmed on fresh deals")


def test_differences_from_several_opponents_are_corrected_for_their_number() -> None:
    found = tune(request("keep_sheep=2", against="keeper,climber,random", deals=200))
    contenders = [found.request.contender(one) for one in (found.player, "keeper")]
    measured = PairedSamples(HERD, contenders, "win", found.request.fresh_seed).measure(range(200))
    assert found.opponents[0].difference == measured.difference(0, 1, 1 - 0.05 / 4)
    assert found.opponents[0].difference != measured.difference(0, 1)


def test_progress_ends_at_the_whole() -> None:
    told: list[tuple[int, int]] = []
    found = tune(request("keep_sheep=0:2:1"), HERE.telling(lambda *one: told.append(one)))
    assert told[-1] == (found.games, found.games)
    assert all(a[0] < b[0] for a, b in pairwise(told)) and all(a <= b for a, b in told)


def test_results_as_json_as_a_table_and_in_print(capsys: pytest.CaptureFixture[str]) -> None:
    found = tune(request("keep_sheep=0:2:1", seed=2))
    plain = json.loads(json.dumps(found.as_json(), allow_nan=False))
    assert plain["command"] == "tune" and plain["winner"] == found.player
    given = plain["arguments"]
    assert list(given) == ["strategy", "vary", "against", "size", "games"]
    again = request(
        *given["vary"],
        against=given["against"],
        strategy=given["strategy"],
        size=given["size"],
        deals=given["games"],
        seed=plain["seed"],
    )
    assert {**tune(again).as_json(), "seconds": 0} == {**found.as_json(), "seconds": 0}
    frame = found.frame()
    assert frame["role"].tolist() == ["winner", "given", "opponent", "opponent"]
    assert frame["value"].between(0, 1).all() and frame["difference"].isna().sum() == 1
    show_result(found)
    text = " ".join(capsys.readouterr().out.split())
    assert found.player in text and "Measured on 300 fresh deals" in text
    assert "The search believed it wins" in text and "rounds, 3 on 300 new deals" in text
    assert "herder, as given" in text and "seed of the fresh deals" in text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "deals", "vary"),
    [
        (2, 5000, ("keep_sheep=0:2:1", "keep_pigs=0:3:1", "keep_cows=0:2:1")),
        (4, 300, ("keep_pigs=1:3:1", "keep_cows=0:1:1")),
    ],
)
def test_a_herder_is_found_that_beats_every_anchor(
    size: int, deals: int, vary: tuple[str, ...]
) -> None:
    anchors = "climber,keeper,keeper-dog,dog-first,random,hermit"
    found = tune(
        request(*vary, against=anchors, size=size, strategy="herder:dog=never", deals=deals)
    )
    assert len(found.beaten) == len(found.opponents) and "beats every one of" in found.verdict
    assert all(one.alone.low > 1 / size for one in found.opponents)
