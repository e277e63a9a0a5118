"""Means of events: their intervals are over deals, added up from the games one by one."""

from typing import Any

import numpy as np
import pytest

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.runs.run_options import names
from herdlab.analysis.sampling.deal_sums import won_by_seat
from herdlab.analysis.stats.estimates import Estimate, ratio_of, wilson
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
