"""Batches: the same to the bit however the work is split, exact, and honest about failures."""

import signal
import sys
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pytest

from herdlab.simcore.batch import (
    LARGEST_CHUNK,
    Bout,
    ChoiceTables,
    Threads,
    chunks,
    simulate,
    stream_seeds,
    uninterrupted,
)
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game
from herdlab.simcore.herd.rules import HerdRules
from herdlab.simcore.rotation import Rotation
from herdlab.simcore.sums import LENGTH, WINNERS, Sums, add_up
from herdlab.strategies.registry import seat_players
from tests.children import ROOT, run

HERD = find_game("herd")
RULES = HerdRules()


def bout_of(line_up: str, seed: int = 1, **kinds: int) -> Bout:
    return Bout(HERD, RULES, seat_players(HERD, RULES, line_up), stream_seeds(seed, **kinds))


@pytest.mark.parametrize("line_up", ["keeper,random,spoiler,dog-first", "random,climber"])
def test_results_are_the_same_for_any_threads_and_chunks(line_up: str) -> None:
    bout = bout_of(line_up)
    whole = add_up(bout.rows(0, 5000), len(bout.players))
    for threads in (1, 2, 7):
        for chunk in (None, 1, 37, 1000, 5000, 9999):
            if chunk == 1 and threads != 2:
                continue
            games = range(300) if chunk == 1 else range(5000)
            wanted = whole if chunk != 1 else add_up(bout.rows(0, 300), len(bout.players))
            into = Sums(len(bout.players))
            assert simulate(bout.sums, into, games, crew=Threads(threads), chunk=chunk) == wanted


@pytest.mark.parametrize("games", [0, 1, 5, 2400, 2401, 10**6])
@pytest.mark.parametrize("threads", [1, 3])
def test_chunks_are_all_games_in_order_and_as_many_for_each_thread(
    games: int, threads: int
) -> None:
    parts = list(chunks(7, 7 + games, threads))
    assert [game for part in parts for game in part] == list(range(7, 7 + games))
    assert all(0 < len(part) <= LARGEST_CHUNK for part in parts)
    if games >= 2400:  # several for each, so that the slowest thread keeps nobody waiting long
        assert len(parts) >= 8 * threads - 1
    if games == 2400:
        assert len(parts) == 8 * threads
    assert [len(part) for part in chunks(0, 10, 2, 4)] == [4, 4, 2]


def test_sums_are_those_of_the_rows() -> None:
    bout = bout_of("keeper,climber,random")
    rows = bout.rows(0, 2000)
    sums = add_up(rows, 3)
    wide = rows.astype(object)
    assert sums.totals == wide.sum(0).tolist()
    assert sums.squares == (wide * wide).sum(0).tolist()
    assert [row[0] for row in sums.wins] == [int((rows[:, 0] >> s & 1).sum()) for s in range(3)]
    assert sums.lengths == np.bincount(rows[:, LENGTH]).tolist()
    assert sums.games == 2000 and sums.unfinished == 0


def test_shared_wins_and_games_without_a_winner_are_counted_by_sharers() -> None:
    rows = np.zeros((5, 3), dtype=np.int32)
    rows[:, WINNERS] = [0b1, 0b10, 0b11, 0b111, 0]
    rows[:, LENGTH] = [3, 1, 4, 1, 5]
    sums = add_up(rows, 3)
    assert sums.wins == [[1, 1, 1], [1, 1, 1], [0, 0, 1]]
    assert sums.unfinished == 1
    assert sums.lengths == [0, 2, 0, 1, 1, 1]


def test_merging_sums_does_not_overflow() -> None:
    rows = np.full((2, 3), 2_000_000_000, dtype=np.int32)
    rows[:, LENGTH] = 1
    sums = Sums(1)
    for _ in range(5):
        sums.add(add_up(rows, 1))
    assert sums.squares[2] == 10 * 2_000_000_000**2 > 2**63


def test_chunks_cover_the_games_once_and_in_order() -> None:
    for first, last, threads, size in [(0, 100, 2, None), (7, 8, 4, None), (3, 1003, 1, 10)]:
        games = [game for part in chunks(first, last, threads, size) for game in part]
        assert games == list(range(first, last))


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_while_a_part_is_merged_waits_until_it_is_noted() -> None:
    """Otherwise a run that goes on would play a part again that is in its sums already."""
    bout, heard = bout_of("keeper,climber"), list[int]()

    class Slow(Sums):
        def add(self, other: Sums) -> None:
            if self.games >= 300:
                signal.raise_signal(signal.SIGINT)
            super().add(other)

    into = Slow(2)
    with pytest.raises(KeyboardInterrupt):
        simulate(bout.sums, into, range(10_000), chunk=100, on_progress=heard.append)
    assert heard[-1] == into.games == 400
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_elsewhere_than_in_the_main_thread_is_left_alone() -> None:
    usual, seen = signal.getsignal(signal.SIGINT), list[object]()

    def look() -> None:
        with uninterrupted():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert seen == [usual]


def test_an_interrupted_run_leaves_an_unbroken_run_of_games() -> None:
    bout = bout_of("keeper,climber")
    into = Sums(2)

    def stop(done: int) -> None:
        if done >= 300:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate(bout.sums, into, range(10_000), crew=Threads(2), chunk=100, on_progress=stop)
    assert into == add_up(bout.rows(0, 300), 2)


def test_few_parts_are_under_way_at_once() -> None:
    asked = []

    def parts() -> Iterator[range]:
        for number in range(1000):
            asked.append(number)
            yield range(number, number + 1)

    for done, _ in Threads(2).play_all(lambda part: part, parts()):
        assert len(asked) - done.start <= 6


def test_each_kind_of_luck_has_a_seed_of_its_own() -> None:
    """Other choices' luck leaves the dice alone; other dice change the games."""
    same = bout_of("keeper,climber", seed=1).rows(0, 500)
    other_choices = bout_of("keeper,climber", seed=1, choice=99).rows(0, 500)
    other_dice = bout_of("keeper,climber", seed=1, dice=99).rows(0, 500)
    assert (same == other_choices).all()
    assert (same != other_dice).any()
    random = bout_of("random,random", seed=1).rows(0, 500)
    assert (random != bout_of("random,random", seed=1, choice=99).rows(0, 500)).any()


def test_another_strategy_in_one_seat_leaves_the_other_seats_dice_alone() -> None:
    """The rolls of seat 1 come in the same order whatever seat 0 does."""
    from tests.simcore.herd.harness import log_lines

    def rolls(line_up: str) -> list[object]:
        _, log = bout_of(line_up).logged(3)
        kinds = ("roll", "wolf roll")
        return [x.detail for x in log_lines(log, 2) if x.seat == 1 and x.what in kinds]

    first, second = rolls("keeper,keeper"), rolls("random,keeper")
    shared = min(len(first), len(second))
    assert shared > 5 and first[:shared] == second[:shared]


def test_rotation_plays_every_place_in_every_seat_on_the_same_luck() -> None:
    first = bout_of("keeper,climber,random")
    rotation = Rotation(first, [0, 1, 2])
    played = rotation.play(range(400))
    for r, bout in enumerate(rotation.bouts):
        names = [player.name for player in bout.players]
        assert names == [["keeper", "climber", "random"][(s - r) % 3] for s in range(3)]
        assert played.sums[r] == add_up(bout.rows(0, 400), 3)
    assert sum(played.of(f"share_{group}")[0] for group in range(3)) == 400 * 3 * played.unit


def test_rotation_does_not_play_equal_rotations_twice() -> None:
    assert len(Rotation(bout_of("keeper,random,keeper,random"), [0, 1, 0, 1]).bouts) == 2
    assert len(Rotation(bout_of("keeper,keeper,keeper"), [0, 0, 0]).bouts) == 1
    assert len(Rotation(bout_of("keeper,random,random,random"), [0, 1, 1, 1]).bouts) == 4


def test_self_play_with_seats_rotated_is_even() -> None:
    """Identical strategies under different names: each wins its part exactly."""
    played = Rotation(bout_of("keeper,keeper"), [0, 1]).play(range(1000))
    assert played.of("share_0")[0] == played.of("share_1")[0] == 1000 * played.unit


def test_a_table_that_is_too_large_is_refused() -> None:
    with pytest.raises(BadInput, match="1 to 4 players, and got 5"):
        bout_of("keeper,keeper,keeper,keeper,keeper")


def test_memory_does_not_grow_with_the_number_of_games() -> None:
    """The peak of a process that plays two million games is that of one that plays ten thousand."""
    script = """
import sys
from herdlab.analysis.experiment import Experiment
from herdlab.analysis.runs.runner import HERE
from herdlab.analysis.studies.simulation import SimulateRequest, simulate
from herdlab.simcore.game import find_game
game = find_game("herd")
where = Experiment(game, game.rules_type())
simulate(SimulateRequest(where, ("keeper", "keeper-dog"), int(sys.argv[1])), HERE)
lines = open("/proc/self/status").read().splitlines()
print(next(line.split()[1] for line in lines if line.startswith("VmHWM")))
"""
    peaks = []
    for games in (10_000, 2_000_000):
        done = run([sys.executable, "-c", script, str(games)], cwd=ROOT)
        assert done.returncode == 0, done.stderr
        peaks.append(int(done.stdout) / 1024)
    assert peaks[1] < 400 and peaks[1] - peaks[0] < 60, peaks


def test_a_copied_table_of_choices_is_the_one_that_was_filled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("herdlab.simcore.batch._filled", {})
    monkeypatch.setattr("herdlab.simcore.batch._KEPT_TABLES", 2)
    whole = np.zeros(8 << 10, dtype=np.uint8)
    whole[5_000:5_010] = range(10)
    odd = np.arange(123, dtype=np.uint8)
    filled: list[str] = []

    def place(key: str, table: npt.NDArray[np.uint8]) -> None:
        def fill(part: npt.NDArray[np.uint8]) -> None:
            filled.append(key)
            part[:] = table

        engine = SimpleNamespace(MOVES_SIZE=table.size)
        tables = ChoiceTables(cast(Any, SimpleNamespace(name="test", engine=engine)), 1)
        assert tables.place(key, fill) == 0
        assert (tables.tables == table).all()

    for key, table in (("whole", whole), ("odd", odd)):
        place(key, table)
        place(key, table)
    place("whole", whole)
    assert filled == ["whole", "odd"]
    place("third", whole)  # and what was not used for longest goes
    place("whole", whole)
    assert filled == ["whole", "odd", "third"]
    place("odd", odd)
    assert filled == ["whole", "odd", "third", "odd"]


@pytest.mark.parametrize(
    "others", [{"horse_price": 3}, {"max_dogs": 2}, {"sheep": 8, "pigs": 6, "cows": 5}]
)
def test_tables_of_choices_are_copied_under_the_same_rules_only(others: dict[str, int]) -> None:
    rules = HerdRules.from_settings(others)

    def tables(by: HerdRules, who: str, fresh: bool) -> bytes:
        with pytest.MonkeyPatch.context() as patch:
            if fresh:
                patch.setattr("herdlab.simcore.batch._filled", {})
            moves = ChoiceTables(HERD, 1)
            players = seat_players(HERD, by, ",".join([who] * 3))
            Bout(HERD, by, players, stream_seeds(1), None, moves)
            return moves.tables.tobytes()

    for _ in range(2):
        for by in (RULES, rules):
            for one in ("keeper", "climber"):
                assert tables(by, one, fresh=False) == tables(by, one, fresh=True)
    assert tables(RULES, "keeper", fresh=False) != tables(RULES, "climber", fresh=False)


def test_everybody_has_parameters_data_a_notebook_and_luck_of_their_own() -> None:
    """As large as the strategy asked for, and none in another's."""
    swap = find_game("swap")
    players = seat_players(swap, swap.rules_type(), "rememberer,random,rememberer")
    bout = Bout(swap, swap.rules_type(), players, stream_seeds(1))
    table, keep = bout._new_table(0)
    sizes = [(len(p.params), p.data.size, p.notebook, 1) for p in players]
    assert [array.size for array in keep] == [size for each in sizes for size in each]
    assert players[0].notebook > 0 == players[1].notebook
    notebooks = keep[2::4]
    for seat, notebook in enumerate(notebooks):
        notebook[:] = seat + 1
    at = table.notebooks
    slots = players[0].notebook
    assert at.tolist() == [1] * slots + [0] * slots + [3] * slots
    minds = table.minds.reshape(3, -1)
    for seat in range(3):
        for word, array in enumerate(keep[4 * seat : 4 * seat + 4]):
            assert minds[seat, 2 * word : 2 * word + 2].tolist() == [array.ctypes.data, array.size]
