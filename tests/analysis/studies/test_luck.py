"""What decides a game: Sobol's indices of known functions, of real games, and series of games."""

import json
from collections.abc import Callable
from math import sqrt

import numpy as np
import numpy.typing as npt
import pytest

from herdlab.analysis.experiment import Experiment, Interrupted
from herdlab.analysis.report import of_luck
from herdlab.analysis.runs.run_options import names
from herdlab.analysis.runs.runner import on_threads
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.variance_shares import (
    GROUPS,
    SEAT,
    WHO,
    VarianceShares,
    VarianceSums,
    variance_shares,
    variance_sums,
)
from herdlab.analysis.studies import luck as luck_module
from herdlab.analysis.studies.luck import OTHER, LuckRequest, LuckResult, RedrawnDeals, decompose
from herdlab.analysis.terminal.show_result import show_result
from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game
from herdlab.simcore.sums import WINNERS
from herdlab.strategies.registry import seat_players
from tests.statistics import LARGEST_Z

T = 2.0095752371292397
"""Student's t with 49 degrees of freedom, 97.5 %."""

# ---- known functions: rotation, seat, dice (6 values), deal (5 values) ----

ROTATIONS, SEATS, DICE, DEAL = 3, 2, 6, 5


def additive() -> npt.NDArray[np.int64]:
    r, s, a, b = np.ogrid[:ROTATIONS, :SEATS, :DICE, :DEAL]
    return np.asarray(4 * r + 3 * s + 2 * a * (1 + s) - 3 * b)


def multiplicative() -> npt.NDArray[np.int64]:
    r, s, a, b = np.ogrid[:ROTATIONS, :SEATS, :DICE, :DEAL]
    return np.asarray((r + 1) * (a - 2) * (2 * b - 1) + s)


def anything() -> npt.NDArray[np.int64]:
    return np.random.default_rng(4).integers(0, 60, (ROTATIONS, SEATS, DICE, DEAL))


def truth(y: npt.NDArray[np.int64]) -> dict[str, float]:
    """Return all indices from the definition, over every combination of the factors."""
    f = y.astype(float)
    whole = f.var()
    known = {"seat": f.mean((0, 2, 3)).var()}
    for name, axis in ((WHO, 0), ("dice", 2), ("deal", 3)):
        others = tuple({0, 2, 3} - {axis})
        alone = f.mean(others, keepdims=True)
        known[f"{name} first"] = alone.var(axis).mean()
        known[f"{name} total"] = f.var(axis).mean()
    known["luck first"] = f.mean(0).var((1, 2)).mean()
    known["luck total"] = f.var((2, 3)).mean()
    known["together"] = whole - known["seat"]
    known["together"] -= sum(known[f"{name} first"] for name in (WHO, "dice", "deal"))
    return {name: value / whole for name, value in known.items()}


def sample(
    y: npt.NDArray[np.int64], deals: int, seed: int, *, swapped: bool = False
) -> VarianceSums:
    rng = np.random.default_rng(seed)
    a, a2 = rng.integers(0, DICE, (2, deals))
    b, b2 = rng.integers(0, DEAL, (2, deals))
    held = {"dice": y[..., a, b2], "deal": y[..., a2, b]}
    redrawn = {"dice": y[..., a2, b], "deal": y[..., a, b2]}
    return variance_sums(0, y[..., a, b], *((redrawn, held) if swapped else (held, redrawn)))


def figures(found: VarianceShares) -> dict[str, Estimate]:
    by_name = {one.source: one for one in found.shares}
    named = {"seat": by_name[SEAT].first, "together": found.together}
    for name in (WHO, "dice", "deal"):
        total = by_name[name].total
        assert total is not None
        named[f"{name} first"], named[f"{name} total"] = by_name[name].first, total
    assert found.luck.total is not None
    return {**named, "luck first": found.luck.first, "luck total": found.luck.total}


def z_of(estimate: Estimate, exact: float) -> float:
    error = (estimate.high - estimate.low) / (2 * T)
    return (estimate.value - exact) / max(error, 1e-12)


@pytest.mark.parametrize("function", [additive, multiplicative, anything])
def test_indices_of_known_functions(function: Callable[[], npt.NDArray[np.int64]]) -> None:
    y = function()
    known, found = truth(y), variance_shares(sample(y, 20_000, 1))
    for name, estimate in figures(found).items():
        assert abs(z_of(estimate, known[name])) < LARGEST_Z, name
        assert estimate.high - estimate.low < 0.1, name
    assert found.variance == pytest.approx(y.var(), rel=0.03)
    assert found.unused == ["choice", "table"]


def test_the_known_functions_are_what_they_are_called() -> None:
    known = truth(additive())
    assert known["together"] == pytest.approx(0, abs=1e-12)
    assert known["dice first"] == pytest.approx(known["dice total"])
    assert known["seat"] > 0.02 and known[f"{WHO} first"] > 0.02
    assert truth(multiplicative())["together"] > 0.3


def test_holding_and_redrawing_confused_would_be_seen() -> None:
    y = multiplicative()
    known, found = truth(y), figures(variance_shares(sample(y, 20_000, 1, swapped=True)))
    for name in ("dice first", "dice total", "deal first", "deal total"):
        assert abs(z_of(found[name], known[name])) > LARGEST_Z, name


@pytest.mark.parametrize("function", [additive, multiplicative])
def test_intervals_cover_as_often_as_they_say(
    function: Callable[[], npt.NDArray[np.int64]],
) -> None:
    """300 experiments of 600 deals, within 5 standard errors of 95 %; half as wide is caught."""
    y, runs = function(), 300
    known = truth(y)
    hits, narrow = dict.fromkeys(known, 0), dict.fromkeys(known, 0)
    for run in range(runs):
        for name, one in figures(variance_shares(sample(y, 600, 100 + run))).items():
            hits[name] += one.low - 1e-12 <= known[name] <= one.high + 1e-12
            narrow[name] += (one.low + one.value) / 2 <= known[name] <= (one.high + one.value) / 2
    error = sqrt(0.95 * 0.05 / runs)
    for name, count in hits.items():
        assert count / runs > 0.95 - LARGEST_Z * error, name
    varying = [name for name in known if narrow[name] < runs]
    assert len(varying) >= 6
    assert all(narrow[name] / runs < 0.95 - LARGEST_Z * error for name in varying)


@pytest.mark.parametrize("effect", [0.0, 0.05, 0.1])
def test_noise_does_not_pass_for_a_difference_between_seats(effect: float) -> None:
    """Two seats that differ by luck only, or hardly: the mean estimate is right, and covered.

    The plain variance of the means, from which no noise is removed, is caught; so is an interval
    by the jackknife alone, which misses 0 too often.
    """
    rng, runs, deals = np.random.default_rng(8), 400, 200
    exact, found, plain, covered, jackknife = effect**2 / 0.25, [], [], 0, 0
    for _ in range(runs):
        won = rng.random((2, deals)) < 0.5 + effect
        y = np.stack([won, ~won], axis=1).astype(np.int64)
        seat = variance_shares(variance_sums(0, y, {}, {})).shares[0].first
        covered += seat.low <= exact <= seat.high
        found.append(seat.value)
        plain.append(y.mean((0, 2)).var() / y.var())
        if effect:
            continue
        groups = np.arange(deals) % GROUPS
        without = [_seat_alone(y[..., groups != group]) for group in range(GROUPS)]
        half = T * sqrt((GROUPS - 1) * float(np.var(without)))
        jackknife += abs(seat.value - exact) <= half

    def z(values: list[float]) -> float:
        return float((np.mean(values) - exact) / (np.std(values) / sqrt(runs)))

    enough = 0.95 - LARGEST_Z * sqrt(0.95 * 0.05 / runs)
    assert abs(z(found)) < LARGEST_Z and covered / runs > enough
    if effect == 0:
        assert z(plain) > LARGEST_Z and jackknife / runs < enough


def _seat_alone(y: npt.NDArray[np.int64]) -> float:
    """Return the index of two seats one of which wins: from all pairs of different deals."""
    difference = (y[:, 0] - y[:, 1]).mean(0) / 2
    n = difference.size
    return float((difference.sum() ** 2 - (difference**2).sum()) / (n * (n - 1)) / 0.25)


def test_every_kind_that_changes_nothing_is_unused_and_a_single_one_has_all_that_is_left() -> None:
    y = np.random.default_rng(3).integers(0, 9, (2, 2, 500))
    again = np.random.default_rng(5).integers(0, 9, (2, 2, 500))
    sums = variance_sums(0, y, {"dice": y, "deal": again}, {"dice": again, "deal": y})
    found = variance_shares(sums)
    assert found.unused == ["deal", "choice", "table"]
    (dice,) = found.shares[2:]
    assert dice.total == found.luck.total and dice.first == found.luck.first
    parts = sum(one.first.value for one in found.shares) + found.together.value
    assert parts == pytest.approx(1)


def test_sums_of_large_numbers_are_exact() -> None:
    y = np.full((2, 2, 100), 2**31 - 1, dtype=np.int64)
    y[0, 0, :50] = 0
    sums = variance_sums(7, y, {}, {})
    assert sum(sums.squares) == 350 * (2**31 - 1) ** 2
    assert sum(sums.table_squares) == (50 * 3**2 + 50 * 4**2) * (2**31 - 1) ** 2
    assert sums.deals.tolist() == [2] * GROUPS


def test_a_number_that_never_varies_is_refused() -> None:
    with pytest.raises(BadInput, match="no variance"):
        variance_shares(variance_sums(0, np.ones((2, 2, 100), dtype=np.int64), {}, {}))


# ---- real games ----


def request_of(game: str, players: str, deals: int = 400, metric: str = "win") -> LuckRequest:
    found = find_game(game)
    return LuckRequest(Experiment(found, found.rules_type(), 5), names(players), metric, deals)


def sources(result: LuckResult) -> list[str]:
    return [one.source for one in result.shares[2:]]


def without_time(result: LuckResult) -> str:
    figures = result.as_json()
    return json.dumps({k: v for k, v in figures.items() if k != "seconds"}, allow_nan=False)


def test_strategies_that_leave_nothing_to_chance_use_no_choice() -> None:
    plain = decompose(request_of("herd", "keeper,keeper-dog"))
    assert sources(plain) == ["dice"] and plain.unused == ["deal", "choice", "table"]
    assert set(plain.redrawn.values()) == {400}
    chancy = decompose(request_of("herd", "keeper,random"))
    assert sources(chancy) == ["dice", "choice"] and chancy.unused == ["deal", "table"]


@pytest.mark.parametrize(
    ("game", "players"), [("barnyard", "collector,watcher,miser"), ("swap", "shedder,raider")]
)
def test_card_games_use_the_deal(game: str, players: str) -> None:
    result = decompose(request_of(game, players, 200))
    assert "deal" in sources(result) and "dice" in result.unused


def test_equal_players_decide_nothing() -> None:
    result = decompose(request_of("herd", "keeper,keeper,keeper"))
    seat, who, dice = result.shares
    assert who.first == who.total == Estimate(0.0, 0.0, 0.0, 400)
    assert result.series == [] and dice.first.value == pytest.approx(1 - seat.first.value)
    assert result.deals == 400 and "who plays what decides 0 %" in result.sentence


def test_line_ups_that_repeat_are_played_once() -> None:
    draws = RedrawnDeals(request_of("herd", "keeper,climber,keeper,climber"))
    assert draws.rotations == 2


@pytest.mark.parametrize(
    ("game", "players"), [("herd", "keeper,random,climber"), ("swap", "shedder,random,raider")]
)
def test_the_same_to_the_bit_for_any_threads_and_chunks(game: str, players: str) -> None:
    request = request_of(game, players, 1_500)
    one = decompose(request, runner=on_threads(1))
    assert without_time(one) == without_time(decompose(request, runner=on_threads(2)))
    assert one.redrawn == dict.fromkeys(one.unused, luck_module.PILOT)
    draws = RedrawnDeals(request)
    kinds = sources(one)
    whole, split = draws.empty(kinds), draws.empty(kinds)
    draws.measure(range(1_500), kinds, whole, on_threads(1), 10_000)
    for first, last in ((700, 1_500), (0, 33), (34, 700), (33, 34)):
        split.add(draws.play(kinds, range(first, last)))
    for name in ("deals", "totals", "squares", "seat_squares", "table_squares"):
        assert (getattr(whole, name) == getattr(split, name)).all(), name
    assert variance_shares(whole) == variance_shares(split)
    # The pilot redraws more kinds than it turns out to need, and has the same games.
    assert (
        variance_shares(whole).shares == one.shares
        and variance_shares(whole).together == one.together
    )


def test_each_kind_is_held_and_redrawn_as_it_says() -> None:
    """By bouts of their own, with the seeds that the docs name."""
    request = request_of("swap", "shedder,random,raider", 150)
    experiment, draws = request.experiment, RedrawnDeals(request)
    kinds = ["deal", "choice", "table"]
    sums = draws.empty(kinds)
    draws.measure(range(150), kinds, sums, on_threads(1), 10_000)
    players = seat_players(experiment.game, experiment.rules, ",".join(request.players))
    other = experiment.seed ^ OTHER

    def won(**seeds: int) -> npt.NDArray[np.int64]:
        rows = [
            Bout(
                experiment.game,
                experiment.rules,
                players[-r:] + players[:-r],
                stream_seeds(experiment.seed, **seeds),
            ).rows(0, 150)[:, WINNERS]
            for r in range(3)
        ]
        assert set(np.concatenate(rows).tolist()) <= {1, 2, 4}
        return np.array([[6 * ((row >> s) & 1) for s in range(3)] for row in rows])

    plain = won()
    assert sums.totals.sum(0).tolist() == plain.sum(2).tolist()
    for kind in kinds:
        held = won(**{name: other for name in kinds if name != kind})
        assert sums.held[kind].sum(0).tolist() == held.sum((0, 2)).tolist(), kind
        assert sums.products[kind].sum() == (plain.sum(0) * held.sum(0)).sum(), kind
        redrawn = won(**{kind: other})
        assert sums.redrawn[kind].sum() == ((plain - redrawn) ** 2).sum(), kind


def test_no_kind_decides_more_alone_than_with_others() -> None:
    for request in (request_of("swap", "shedder,random,raider", 3_000),):
        for one in decompose(request).shares[1:]:
            assert one.total is not None
            assert one.first.low < one.total.high and one.total.low > 0


def test_another_metric_and_one_that_is_the_tables() -> None:
    result = decompose(request_of("barnyard", "collector,random,miser", 200, "length"))
    seat = result.shares[0].first
    assert abs(seat.value) < 1e-12 and "length in" in result.sentence
    assert result.variance > 0 and result.series


def test_mistakes_are_told() -> None:
    with pytest.raises(BadInput, match="from 100 to"):
        request_of("herd", "keeper,climber", 99)
    with pytest.raises(BadInput, match="unknown metric"):
        request_of("herd", "keeper,climber", 100, "luck")
    with pytest.raises(BadInput, match="metric 'dogs_bought' of keeper,climber.*no variance"):
        decompose(request_of("herd", "keeper,climber", 100, "dogs_bought"))


def test_interrupted_it_gives_what_fewer_deals_give() -> None:
    heard: list[tuple[int, int]] = []

    def stop(done: int, total: int) -> None:
        heard.append((done, total))
        if done == 1_000:
            raise KeyboardInterrupt

    request = request_of("herd", "keeper,random", 3_000)
    with pytest.raises(Interrupted) as caught:
        decompose(request, on_threads(2, stop))
    so_far = caught.value.so_far
    assert so_far is not None and heard[-1] == (1_000, 3_000)
    fewer = decompose(request_of("herd", "keeper,random", 1_000))
    assert (so_far.deals, so_far.shares, so_far.series) == (1_000, fewer.shares, fewer.series)
    assert so_far.as_json()["arguments"] == fewer.as_json()["arguments"]


def test_what_is_printed_and_saved(capsys: pytest.CaptureFixture[str]) -> None:
    result = decompose(request_of("herd", "keeper,random,climber", 200))
    show_result(result)
    printed = " ".join(capsys.readouterr().out.split())
    assert result.sentence in printed and "All luck at once" in printed
    assert "Made no difference in 200 deals: deal and table" in printed
    assert "keeper is ahead of random after" in printed and "-0.00" not in printed
    frame = result.frame()
    assert frame["source"].tolist() == [SEAT, WHO, "dice", "choice", "together"]
    assert frame["value"].sum() == pytest.approx(1)
    saved = result.as_json()
    assert saved["arguments"] == {
        "players": "keeper,random,climber",
        "metric": "win",
        "games": 200,
    }


def test_a_share_below_0_is_printed_as_none_with_its_uncertainty() -> None:
    assert of_luck.share_cell(-0.003, -0.005, -0.001).text == "0.00 (0.00 to 0.20)"
    assert of_luck.share_cell(1.01, 0.99, 1.03).text == "100.00 (98.00 to 100.00)"


def test_the_sentence_names_what_decides() -> None:
    result = decompose(request_of("herd", "keeper,hermit", 200))
    assert result.sentence == (
        "Who plays what decides 100 % of who wins alone, the seat 0 %; luck has a hand in the "
        "other 0 %"
    )
    assert result.unused == ["dice", "deal", "choice", "table"]
    even = decompose(request_of("herd", "keeper,keeper-dog", 200))
    assert even.sentence.startswith("Luck has a hand in 9")


def test_a_share_that_may_be_nothing_is_not_given_a_size() -> None:
    shown = luck_module.as_known
    assert shown(Estimate(-0.001, -0.004, 0.002, 10)) == "nothing that shows"
    assert shown(Estimate(0.003, -0.003, 0.008, 10)) == "nothing that shows"
    assert shown(Estimate(0.0001, -0.0001, 0.0003, 10)) == "less than 0.1 %"
    assert shown(Estimate(0.05, 0.04, 0.06, 10)) == "5 %"


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (0.0, "0 %"),
        (-0.01, "less than 0.1 %"),
        (0.0004, "less than 0.1 %"),
        (0.0006, "0.1 %"),
        (0.004, "0.4 %"),
        (0.0149, "1 %"),
        (0.71, "71 %"),
        (0.994, "99.4 %"),
        (0.9997, "more than 99.9 %"),
        (1.0, "100 %"),
    ],
)
def test_shares_in_few_digits(share: float, shown: str) -> None:
    assert luck_module.in_percent(share) == shown
