"""`compare`: the difference that `simulate` would find, with all that the pairing is worth."""

import json
from functools import cache
from math import sqrt
from typing import Any

import pytest

import herdlab
from herdlab.analysis.experiment import Experiment, Interrupted
from herdlab.analysis.runs.run_options import names, names_if
from herdlab.analysis.runs.runner import HERE, on_threads
from herdlab.analysis.sampling.metrics import metric_names
from herdlab.analysis.stats.estimates import quantile
from herdlab.analysis.stats.verdicts import Kind
from herdlab.analysis.studies.compare import CompareRequest, Comparison, compare
from herdlab.analysis.studies.simulation import SimulateRequest, Simulation, simulate
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game
from tests.statistics import LARGEST_Z
from tests.words import meant

HERD = find_game("herd")
DEALS = 400
TWIN = "herder:keep_sheep=1"
"""The default written out: the same play as `herder` under another name."""


def experiment_of(game: str = "herd", seed: int = 3, **settings: Any) -> Experiment:
    found = find_game(game)
    return Experiment(found, found.rules_type.from_settings(settings), seed)


def asked(a: str, b: str, field: str | None = None, **options: Any) -> CompareRequest:
    experiment = options.pop("experiment", None) or experiment_of(seed=options.pop("seed", 3))
    return CompareRequest(experiment, a, b, names_if(field), **{"deals": DEALS, **options})


@cache
def rotated(players: str, deals: int = DEALS, game: str = "herd") -> Simulation:
    settings = {"advanced": True} if game in ("bronco", "horse-trader") else {}
    return simulate(
        SimulateRequest(experiment_of(game, **settings), names(players), deals, rotate=True)
    )


# ---- the difference ----


@pytest.mark.parametrize("field", ["random", "random,herder", "random,herder,climber"])
def test_it_is_the_difference_of_two_rotated_simulations_to_the_last_digit(field: str) -> None:
    found = compare(asked("keeper", "keeper-dog", field))
    a, b = (rotated(f"{who},{field}").seats[0].win_rate for who in ("keeper", "keeper-dog"))
    assert (found.a, found.b) == (a, b)  # the means and their intervals too
    assert found.difference.value == pytest.approx(a.value - b.value, rel=1e-14)
    assert found.deals == DEALS and found.games == 2 * (field.count(",") + 2) * DEALS


def test_copies_in_the_field_are_not_taken_for_the_one_who_is_compared() -> None:
    """`--rotate` pools the copies of a strategy, so here single seats are taken from plain runs."""
    found = compare(asked("keeper", "keeper-dog", "keeper,climber"))
    for who, contender in (("keeper", found.a), ("keeper-dog", found.b)):
        line_up, rates = [who, "keeper", "climber"], []
        for r in range(3):
            turned = ",".join(line_up[-r:] + line_up[:-r])
            rates.append(
                simulate(SimulateRequest(experiment_of(), names(turned), DEALS))
                .seats[r]
                .win_rate.value
            )
        assert contender.value == pytest.approx(sum(rates) / 3, abs=1e-15)
    assert found.a.value != rotated("keeper,keeper,climber").seats[0].win_rate.value


@pytest.mark.parametrize("metric", metric_names(HERD))
def test_every_metric_is_compared(metric: str) -> None:
    found = compare(asked("keeper-dog", "climber", "random", metric=metric))
    figures = []
    for who in ("keeper-dog", "climber"):
        result = rotated(f"{who},random")
        if metric == "win":
            figures.append(result.seats[0].win_rate.value)
        elif metric == "length":
            figures.append(result.length_mean.value)
        else:
            figures.append(result.events[metric][0].value)
    assert (found.a.value, found.b.value) == tuple(figures)
    assert found.difference.value == pytest.approx(figures[0] - figures[1], abs=1e-12)
    assert found.difference.low <= found.difference.value <= found.difference.high
    json.dumps(found.as_json(), allow_nan=False)


@pytest.mark.parametrize(
    ("game", "a", "b", "field", "metric"),
    [
        ("barnyard", "collector", "miser", "watcher,random", "score"),
        ("barnyard", "collector", "miser", "watcher,random", "length"),
        ("swap", "shedder", "raider", "random", "swaps"),
        ("horse-trader", "bluffer", "trader-2", "sceptic,trader-3", "gained_by_bluffs"),
        ("bronco", "hostage", "trader-2", "sceptic,trader-3", "trades"),
    ],
)
def test_other_games_are_compared(game: str, a: str, b: str, field: str, metric: str) -> None:
    settings = {"advanced": True} if game in ("bronco", "horse-trader") else {}
    request = CompareRequest(experiment_of(game, **settings), a, b, names(field), metric, 100)
    found, figures = compare(request), []
    for who in (a, b):
        result = rotated(f"{who},{field}", 100, game)
        score = result.seats[0].score
        by_name = {"score": score, "length": result.length_mean, **result.events}
        one = by_name[metric]
        figures.append((one[0] if isinstance(one, list) else one).value)
    assert found.difference.value == pytest.approx(figures[0] - figures[1], abs=1e-12)
    assert figures[0] != figures[1]


@pytest.mark.parametrize(
    ("game", "b", "others"),
    [("herd", "keeper", 1), ("swap", "raider", 1), ("barnyard", "miser", 2)],
)
def test_the_default_field_is_copies_of_b_at_the_smallest_table(
    game: str, b: str, others: int
) -> None:
    experiment = experiment_of(game)
    a = "random"
    found = compare(CompareRequest(experiment, a, b, deals=100))
    named = compare(CompareRequest(experiment, a, b, (b,) * others, deals=100))
    assert found.request.others == (b,) * others
    assert found.difference == named.difference and found.games == (others + 2) * 100
    assert found.b.value == pytest.approx(1 / (others + 1))  # a copy among copies


# ---- what the pairing is worth ----


def test_it_agrees_with_fifty_times_as_many_unpaired_games() -> None:
    deals = 2000
    found = compare(asked("keeper", "keeper-dog", "keeper,keeper", deals=deals))
    assert found.variance_ratio is not None and found.variance_ratio > 3
    unpaired, variance, of_dog, played = 0.0, 0.0, 0.0, 0
    for sign, who in ((1, "keeper"), (-1, "keeper-dog")):
        for seat in range(3):  # each table on a seed of its own
            line_up = ["keeper"] * 3
            line_up[seat] = who
            experiment = experiment_of(seed=1000 + 10 * seat + sign)
            games = 50 * deals * 4 // 6
            one = (
                simulate(SimulateRequest(experiment, names(",".join(line_up)), games))
                .seats[seat]
                .win_rate.value
            )
            unpaired += sign * one / 3
            variance += one * (1 - one) / games / 9
            of_dog += (who == "keeper-dog") * one * (1 - one) / 9
            played += games
    assert played >= 49 * found.games
    mine = (found.difference.high - found.difference.low) / (2 * quantile())
    assert abs(found.difference.value - unpaired) < LARGEST_Z * sqrt(mine**2 + variance)
    assert abs(found.difference.value) > LARGEST_Z * mine  # so that no difference would be seen
    assert found.kind == Kind.HIGHER
    # As wide an interval takes so many times as many games without pairing.  That keeper wins a
    # third among keepers is known without any.
    assert found.variance_ratio == pytest.approx(of_dog / deals / mine**2, rel=0.1)


def test_a_rate_that_is_known_takes_no_games() -> None:
    """Among its own copies B wins 1 / n; so does A among copies of A, the other way round."""
    found = compare(asked("keeper-dog", "keeper", "keeper", deals=1000))
    turned = compare(asked("keeper", "keeper-dog", "keeper", deals=1000))
    assert found.variance_ratio == pytest.approx(turned.variance_ratio)
    rate = found.a.value
    per_deal = rate * (1 - rate) / 2  # the mean of two games, one in each seat
    spread = (found.difference.high - found.difference.low) / (2 * quantile())
    assert found.variance_ratio == pytest.approx(per_deal / 1000 / spread**2, rel=0.1)
    others = compare(asked("keeper-dog", "keeper", "climber", deals=1000))
    assert others.variance_ratio is not None and others.variance_ratio > 0


def test_the_interval_is_the_smaller_for_the_pairing() -> None:
    """Without it the interval would be that of two independent means."""
    found = compare(asked("keeper", "keeper-dog", "climber,random", deals=1000))
    widths = [one.high - one.low for one in (found.difference, found.a, found.b)]
    plain = compare(asked("keeper", "random", "climber", deals=1000))
    assert widths[0] < 0.7 * sqrt(widths[1] ** 2 + widths[2] ** 2)
    assert found.variance_ratio is not None and plain.variance_ratio is not None
    assert found.variance_ratio > plain.variance_ratio  # what plays alike is paired better


# ---- the same play ----


@pytest.mark.parametrize("metric", ["win", "length", "trades"])
@pytest.mark.parametrize("decide", [False, True])
def test_the_same_play_is_said_to_be_so(metric: str, decide: bool) -> None:
    found = compare(asked("herder", TWIN, "keeper", metric=metric, decide=decide, deals=500))
    assert found.kind == Kind.SAME and found.differing == 0
    assert found.verdict.startswith("the same in every game: herder and herder:keep_sheep=1")
    assert found.variance_ratio is None
    assert found.difference.value == 0
    written = json.loads(json.dumps(found.as_json(), allow_nan=False))
    assert written["variance_ratio"] is None and written["lucks_differing"] == 0
    if metric == "win":  # how often they might still differ is not nothing
        assert found.difference.low < 0 < found.difference.high
    found.frame()


def test_play_that_differs_with_no_difference_on_the_average_is_not_the_same() -> None:
    found = compare(asked("random:skunk=left", "random", "random", deals=1000))
    assert found.kind != Kind.SAME and found.differing > 100


# ---- how it is written ----


def test_json_and_frame_have_the_names_that_others_rely_on() -> None:
    found = compare(asked("keeper", "climber", "keeper,random"))
    written = found.as_json()
    wanted = "a b field metric difference ci_low ci_high lucks games variance_ratio verdict kind"
    wanted += " game rules rules_hash seed version arguments command"
    assert set(wanted.split()) <= set(written)
    assert written["command"] == "compare" and written["field"] == ["keeper", "random"]
    assert written["ci_low"] < written["difference"] < written["ci_high"]
    frame = found.frame()
    assert len(frame) == 1 and frame.loc[0, "field"] == "keeper,random"
    assert frame.loc[0, "value"] == found.difference.value
    assert frame.loc[0, "verdict"] == found.verdict


@pytest.mark.parametrize(
    "options", [{}, {"decide": True, "margin": 0.02}, {"metric": "length", "margin": 0.5}]
)
def test_it_can_be_made_again_from_its_json_with_any_threads(options: dict[str, Any]) -> None:
    found = compare(
        asked("keeper", "spoiler", "random", deals=10000, **options), runner=on_threads(2)
    )
    again = herdlab.replay(json.loads(json.dumps(found.as_json())), threads=1)
    assert isinstance(again, Comparison)
    assert without_time(again) == without_time(found)


def without_time(found: Comparison) -> dict[str, Any]:
    return {key: one for key, one in found.as_json().items() if key != "seconds"}


@pytest.mark.parametrize("decide", [False, True])
def test_an_interrupted_comparison_is_that_of_the_deals_so_far(decide: bool) -> None:
    calls: list[tuple[int, int]] = []

    def stop(done: int, total: int) -> None:
        calls.append((done, total))
        if done > 10_000:
            raise KeyboardInterrupt

    options: dict[str, Any] = {"decide": decide, "margin": 1e-4}
    request = asked("closer", "keeper", "spoiler", deals=200_000, **options)
    with pytest.raises(Interrupted) as caught:
        compare(request, HERE.telling(stop))
    so_far = caught.value.so_far
    assert 10_000 < so_far.deals < 200_000
    option = "--max-games" if decide else "--games"
    assert caught.value.again == f"{option} {so_far.deals}"
    again = compare(asked("closer", "keeper", "spoiler", deals=so_far.deals, **options))
    assert again.difference == so_far.difference and again.kind == so_far.kind
    assert again.variance_ratio == so_far.variance_ratio
    done = [one for one, _ in calls]
    assert done == sorted(done) and all(one <= total for one, total in calls)


# ---- refused ----


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"margin": 0.0}, "margin must be above 0.*got 0"),
        ({"margin": -0.01}, "margin must be above 0.*got -0.01"),
        ({"margin": float("nan")}, "margin must be above 0.*got nan"),
        ({"margin": float("inf")}, "margin.*got inf"),
        ({"margin": 1.0}, "margin of win rates must be below 1.*got 1"),
        ({"margin": 1.5, "decide": True}, "margin of win rates must be below 1"),
        ({"a": "keeper,climber"}, "one strategy is wanted here, and got 'keeper,climber'"),
        ({"b": "keeper,climber"}, "'keeper,climber'"),
        ({"field": "keeper,keeper,keeper,keeper"}, "herd takes 1 to 4 players, and got 5"),
        ({"deals": 1}, "number of games must be from 100"),
        ({"deals": 0}, "number of games must be from 100"),
        ({"deals": 10**13}, "number of games must be from 100"),
        ({"metric": "wins"}, meant("win")),
        ({"metric": "score"}, "unknown metric of herd 'score'"),
        ({"a": "keepr"}, meant("keeper")),
        ({"b": "herder:keep_shep=2"}, meant("keep_sheep")),
        ({"field": "keeper,"}, "stray comma at the end of 'keeper,'"),
    ],
)
def test_wrong_use_is_refused_with_a_sentence(options: dict[str, Any], sentence: str) -> None:
    given = {"a": "keeper", "b": "climber", "field": "random", **options}
    with pytest.raises(BadInput, match=sentence):
        asked(**given)


def test_a_field_too_small_for_the_game_is_refused() -> None:
    with pytest.raises(BadInput, match="barnyard takes 3 to 14 players, and got 2"):
        CompareRequest(experiment_of("barnyard"), "miser", "collector", names("random"))


def test_a_margin_of_one_is_fine_for_lengths() -> None:
    assert asked("keeper", "climber", metric="length", margin=1.0).tolerance == 1
