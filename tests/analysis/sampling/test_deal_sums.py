"""Means of events: their intervals are over deals, added up from the games one by one."""

from typing import Any

import numpy as np
import pytest

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.runs.run_options import names
from herdlab.analysis.sampling import deal_sums as deal_sums_module
from herdlab.analysis.sampling.deal_sums import (
    ColumnSums,
    DealSums,
    deal_sums,
    mean_event,
    unfinished_rate,
    won_by_seat,
)
from herdlab.analysis.sampling.lineup_runner import LineUpRunner
from herdlab.analysis.stats.estimates import Estimate, deviation, rate_of, ratio_of, wilson
from herdlab.analysis.stats.precision_goal import WinSums
from herdlab.analysis.studies.simulation import SimulateRequest, simulate
from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.game import Event, Game, find_game
from herdlab.simcore.sums import WINNERS, Rows, Sums
from herdlab.strategies.registry import seat_players

DEALS, SEED = 120, 4
TABLES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "herd": ("herd", "keeper,random,climber", {"max_turns": 40}),
    "sessions": ("barnyard", "collector,random,miser", {}),
    "match to a target": ("barnyard", "collector,honest,miser", {"target": 150, "max_sessions": 4}),
}


def played(game: Game, rules: Any, names: list[str], turns: int) -> list[Rows]:
    """Return the rows of each rotation: in the r-th the player of place i sits at i + r."""
    found = []
    for r in range(turns):
        seated = seat_players(game, rules, ",".join(names[-r:] + names[:-r]))
        found.append(Bout(game, rules, seated, stream_seeds(SEED)).rows(0, DEALS))
    return found


def expected(game: Game, event: Event, every: list[Rows], place: int) -> Estimate | None:
    """Return the mean a part of one player's event over deals; None if it never happened."""
    columns = game.columns(3)

    def column(r: int) -> int:
        return columns.index(f"{event.name}_{(place + r) % 3}" if event.per_seat else event.name)

    values = [rows[:, column(r)].astype(np.int64) for r, rows in enumerate(every)]
    x = np.sum(values, axis=0)
    parts = np.full(DEALS, len(every))
    if event.per_part and game.part is not None:
        parts = np.sum([rows[:, columns.index("parts")] for rows in every], axis=0)
    if not x.any():
        return None
    sums = x.sum(), x @ x, x @ parts, parts.sum(), parts @ parts
    total, squares, products, n_parts, squared_parts = (int(one) for one in sums)
    return ratio_of(
        total,
        squares,
        products,
        n_parts,
        squared_parts,
        DEALS,
        size=event.size,
        is_signed=event.is_signed,
    )


@pytest.mark.parametrize("rotate", [False, True])
@pytest.mark.parametrize("table", TABLES)
def test_events_have_the_intervals_of_their_deals(table: str, rotate: bool) -> None:
    name, players, settings = TABLES[table]
    game = find_game(name)
    experiment = Experiment(game, game.rules_type.from_settings(settings), SEED)
    found = simulate(SimulateRequest(experiment, names(players), DEALS, rotate=rotate))
    every = played(game, experiment.rules, players.split(","), 3 if rotate else 1)
    seen = 0
    for event in game.events:
        means = found.events[event.name]
        for place, one in enumerate(means if isinstance(means, list) else [means]):
            wanted = expected(game, event, every, place)
            if wanted is not None:
                seen += 1
                assert one.n == DEALS
                assert (one.value, one.low, one.high) == pytest.approx(
                    (wanted.value, wanted.low, wanted.high)
                ), event.name
    assert seen > len(game.events) / 2
    won = np.array([(rows[:, WINNERS] != 0) for rows in every])
    if not rotate:
        assert found.unfinished == wilson(int((~won).sum()), DEALS)
    assert found.unfinished.value == pytest.approx((~won).mean())


def test_shared_wins_are_added_up_in_whole_units() -> None:
    """In sixths: 5 whole wins, 2 halves and 4 thirds; and one third."""
    sums = Sums(3, wins=[[5, 2, 4], [0, 0, 1], [0, 0, 0]])
    assert won_by_seat(sums) == [
        WinSums(30 + 6 + 8, 5 * 36 + 2 * 9 + 4 * 4, 6),
        WinSums(2, 4, 6),
        WinSums(0, 0, 6),
    ]


def summed(values: list[list[int]]) -> DealSums:
    """Return three rotations of two copies and another, with these values by line and deal."""

    each = [ColumnSums(sum(x), sum(v * v for v in x), -1) for x in values]  # of parts not asked
    columns = {name: each[line] for name, line in (("falls", 0), ("falls_0", 0), ("falls_1", 1))}
    rotations: Any = [None] * 3
    lines: Any = [[None] * 6, [None] * 3]
    return DealSums(rotations, lines, len(values[0]), columns, [])


def test_a_line_of_copies_has_as_many_values_a_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two copies in three rotations are six values a deal; a table's own number has three."""
    first, second = [3, 0, 8, 4, 5, 2], [0, 2, 1, 0, 0, 3]
    single = {None: 40, 0: 60, 1: 9}
    monkeypatch.setattr(deal_sums_module, "_squares", lambda *given: single[given[-1]])
    event, sums = Event("falls", "falls", per_part=False), summed([first, second])
    found, deviations = mean_event(find_game("herd"), event, sums, [0, 1])
    for x, each, one, spread, squares in zip(
        (first, second), (6, 3), found, deviations, (60, 9), strict=True
    ):
        total = sum(x)
        wanted = ratio_of(total, sum(v * v for v in x), total * each, 6 * each, 6 * each**2, 6)
        assert (one.value, one.low, one.high) == pytest.approx(
            (wanted.value, wanted.low, wanted.high)
        )
        assert one.n == 6 and spread == pytest.approx(deviation(total, squares, 6 * each))
    (one,), (spread,) = mean_event(find_game("herd"), event, sums, [None])
    wanted = ratio_of(22, 118, 66, 18, 54, 6)
    assert (one.value, one.low, one.high) == pytest.approx((wanted.value, wanted.low, wanted.high))
    assert spread == pytest.approx(deviation(22, 40, 18))


@pytest.mark.parametrize(("size", "expected"), [(1, 3), (5, 5)])
def test_of_what_one_never_did_an_occurrence_counts_as_much_as_with_others(
    size: int, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Squares of 27 for a total of 9 are threes."""
    single = {0: 0, 1: 27}
    monkeypatch.setattr(deal_sums_module, "_squares", lambda *given: single[given[-1]])
    event = Event("falls", "falls", per_part=False, size=size)
    sums = summed([[0] * 6, [0, 3, 0, 6, 0, 0]])
    none, some = mean_event(find_game("herd"), event, sums, [0, 1])[0]
    assert (none.value, none.low) == (0, 0)
    assert none.high == pytest.approx(ratio_of(0, 0, 0, 36, 216, 6, size=expected).high)
    wanted = ratio_of(9, 45, 27, 18, 54, 6, size=size)
    assert (some.low, some.high) == pytest.approx((wanted.low, wanted.high))


def test_a_signed_event_has_its_own_size_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    single = {0: 0, 1: 27}
    monkeypatch.setattr(deal_sums_module, "_squares", lambda *given: single[given[-1]])
    event = Event("falls", "falls", per_part=False, size=2, is_signed=True)
    none, _ = mean_event(find_game("herd"), event, summed([[0] * 6, [0, 3, 0, 6, 0, 0]]), [0, 1])[0]
    assert none.high == pytest.approx(ratio_of(0, 0, 0, 36, 216, 6, size=2, is_signed=True).high)


@pytest.mark.parametrize("rotations", [1, 2])
def test_unfinished_games_of_rotations_have_their_variance(rotations: int) -> None:
    """Two of five deals were not won in one rotation each, and one in both."""
    some: Any = [None] * rotations
    sums = DealSums(some, [], 5, {"unfinished": ColumnSums(4, 6, 0)}, [])
    wanted = wilson(4, 5) if rotations == 1 else rate_of(4, 6, 5, scale=2)
    assert unfinished_rate(sums) == wanted


def test_a_mean_a_part_takes_the_parts_of_all_rotations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values of a line of two copies, and the parts that its deals had in three rotations."""
    x, parts = np.array([3, 0, 8, 4, 5, 2]), np.array([3, 4, 9, 3, 6, 5])
    columns = {
        "falls_0": ColumnSums(int(x.sum()), int(x @ x), int(x @ parts)),
        "parts": ColumnSums(int(parts.sum()), int(parts @ parts), int(parts @ parts)),
    }
    monkeypatch.setattr(deal_sums_module, "_squares", lambda *_: 70)
    sums = DealSums([None] * 3, [[None] * 6], 6, columns, [])  # type: ignore[list-item]
    (one,), (spread,) = mean_event(find_game("barnyard"), Event("falls", "falls"), sums, [0])
    both = 2 * parts
    wanted = ratio_of(22, int(x @ x), int(x @ both), int(both.sum()), int(both @ both), 6)
    assert (one.value, one.low, one.high) == pytest.approx((wanted.value, wanted.low, wanted.high))
    assert spread == pytest.approx(deviation(22, 70, 60))


def test_no_deals_add_up_to_nothing() -> None:
    herd = find_game("herd")
    runner = LineUpRunner(Experiment(herd, herd.rules_type()), ("keeper", "climber"), True)
    sums = deal_sums(herd, runner.empty(), runner.groups)
    assert sums.deals == 0 and sums.columns
    assert set(sums.columns.values()) == {ColumnSums(0, 0, 0)}
    assert [(one.total, one.squares) for one in sums.wins] == [(0, 0)] * 2
