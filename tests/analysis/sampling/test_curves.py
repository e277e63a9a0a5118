"""The curves of a result: means, intervals, rotated seats; against games played one by one."""

from statistics import mean
from types import SimpleNamespace
from typing import Any

import pytest

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.runs.run_options import names
from herdlab.analysis.runs.runner import on_threads
from herdlab.analysis.sampling import curves as curves_module
from herdlab.analysis.stats.estimates import ratio_of
from herdlab.analysis.studies.simulation import SimulateRequest, simulate
from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.game import find_game
from herdlab.simcore.puzzle.table import unpack
from herdlab.simcore.puzzle.view import CARD_BITS, LAPSED, OFFERED
from herdlab.strategies.registry import seat_players

GAME = find_game("horse-trader")
(CURVE,) = GAME.curves
N_GAMES = 30
CASES: list[tuple[str, dict[str, Any]]] = [
    ("trader-2,trader-4,hostage,caller", {}),
    ("trader-1,trader-3,nagger", {}),
    ("bluffer,sceptic,trader-2,trader-2", {"advanced": True}),
]


def own_by_beat(bout: Bout, number: int) -> list[list[int]]:
    """Return everybody's own pieces after 0, 1, 2 … beats, from the log of a game."""
    players = len(bout.players)
    _, log = bout.logged(number)
    cards = [int(log[0, 5]) >> CARD_BITS * seat & 15 for seat in range(players)]

    def own(row: Any) -> list[int]:
        return [unpack(int(row[6 + seat]), players)[cards[seat]] for seat in range(players)]

    after = [own(log[0])]
    after += [own(row) for row in log[1:-1] if row[0] not in (OFFERED, LAPSED)]
    lapses = {int(row[1]) for row in log if row[0] == LAPSED}
    for beat in sorted(lapses):
        after.insert(beat + 1, after[beat])
    return after


@pytest.mark.parametrize(("line_up", "settings"), CASES)
def test_a_curve_is_the_mean_over_games_and_ended_games_keep_their_last(
    line_up: str, settings: dict[str, Any]
) -> None:
    rules = GAME.rules_type.from_settings(settings)
    bout = Bout(GAME, rules, seat_players(GAME, rules, line_up), stream_seeds(4))
    played = [own_by_beat(bout, number) for number in range(N_GAMES)]
    result = simulate(SimulateRequest(Experiment(GAME, rules, 4), names(line_up), N_GAMES))
    longest = max(len(one) - 1 for one in played)
    for seat, course in enumerate(result.curves["own_pieces"]):
        assert len(course.means) == min(-(-longest // CURVE.step) + 1, CURVE.points)
        for point, found in enumerate(course.means):
            at = [one[min(point * CURVE.step, len(one) - 1)][seat] for one in played]
            assert found.value == pytest.approx(mean(at))
            as_counts = ratio_of(sum(at), sum(x * x for x in at), sum(at), *[N_GAMES] * 3)
            assert (found.low, found.high) == pytest.approx((as_counts.low, as_counts.high))
            assert found.n == N_GAMES


def test_rotated_curves_are_a_strategys_over_all_its_seats() -> None:
    line_up = ["trader-2", "trader-4", "trader-2", "hostage"]
    result = simulate(
        SimulateRequest(
            Experiment(GAME, GAME.rules_type(), 9), names(",".join(line_up)), 20, rotate=True
        )
    )
    rules = GAME.rules_type()
    sums = dict.fromkeys(line_up, 0)
    counts = dict.fromkeys(line_up, 0)
    for r in range(4):
        turned = line_up[-r:] + line_up[:-r]
        bout = Bout(GAME, rules, seat_players(GAME, rules, ",".join(turned)), stream_seeds(9))
        for number in range(20):
            at = own_by_beat(bout, number)
            for seat, name in enumerate(turned):
                sums[name] += at[min(30, len(at) - 1)][seat]
                counts[name] += 1
    for seat_result, course in zip(result.seats, result.curves["own_pieces"], strict=True):
        name = seat_result.strategy
        assert course.means[3].value == pytest.approx(sums[name] / counts[name])


def test_a_curve_does_not_depend_on_threads_or_chunks() -> None:
    request = SimulateRequest(
        Experiment(GAME, GAME.rules_type(), 2), names("trader-1,caller,hostage"), 60
    )
    one, other = (
        simulate(request, runner=on_threads(1), chunk=60),
        simulate(request, runner=on_threads(2), chunk=7),
    )
    assert one.curves == other.curves


def test_curves_are_in_the_json_and_other_games_have_none() -> None:
    result = simulate(
        SimulateRequest(
            Experiment(GAME, GAME.rules_type(), 2), names("trader-1,caller,hostage"), 10
        )
    )
    courses = result.as_json()["curves"]["own_pieces"]
    assert [set(one) for one in courses] == [{"step", "means", "ci_low", "ci_high"}] * 3
    means = [one.value for one in result.curves["own_pieces"][0].means]
    assert courses[0]["means"] == means
    herd = find_game("herd")
    asked = SimulateRequest(Experiment(herd, herd.rules_type()), names("keeper,keeper"), 10)
    assert simulate(asked).as_json()["curves"] == {}


@pytest.mark.parametrize(
    ("longest", "points"), [(0, 1), (1, 2), (9, 2), (10, 2), (11, 3), (100, 11), (10_000, 41)]
)
def test_a_curve_runs_until_all_games_have_ended(
    longest: int, points: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After 0, 10, 20 ... beats, up to 400: as far as the longest game of any line."""
    assert (CURVE.step, CURVE.points) == (10, 41)
    monkeypatch.setattr(curves_module, "_means", lambda *_: list(range(CURVE.points)))
    short, long = SimpleNamespace(lengths=[1]), SimpleNamespace(lengths=[0] * longest + [1])
    every: Any = [[(short, 0)], [(short, 1), (long, 0)]]
    found = curves_module.mean_curves(GAME, every, 1)[CURVE.name]
    assert [len(one.means) for one in found] == [points] * 2


def test_rotated_curves_have_the_interval_of_as_many_games_as_deals() -> None:
    """docs/statistics.md: wider than need be. Of three rotations by the square root of 3."""
    line_up, rules = ["trader-2", "trader-4", "hostage"], GAME.rules_type()
    asked = names(",".join(line_up))
    request = SimulateRequest(Experiment(GAME, rules, 9), asked, 25, rotate=True)
    values: list[list[int]] = [[], [], []]
    for r in range(3):
        turned = ",".join(line_up[-r:] + line_up[:-r])
        bout = Bout(GAME, rules, seat_players(GAME, rules, turned), stream_seeds(9))
        for number in range(25):
            at = own_by_beat(bout, number)
            for line in range(3):
                values[line].append(at[min(20, len(at) - 1)][(line + r) % 3])
    for line, course in enumerate(simulate(request).curves["own_pieces"]):
        x = values[line]
        one = ratio_of(sum(x), sum(v * v for v in x), sum(x), 75, 75, 75)
        found = course.means[2]
        wider = 3**0.5
        assert found.value == pytest.approx(one.value) and found.n == 25
        assert found.value - found.low == pytest.approx(wider * (one.value - one.low))
        assert found.high - found.value == pytest.approx(wider * (one.high - one.value))
