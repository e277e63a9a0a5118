"""Threads that play: a strategy that gives no answer is reported, and holds nobody up."""

import re
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import herdlab
from herdlab.simcore import batch, workers
from herdlab.simcore.batch import Bout, Threads, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game
from herdlab.simcore.herd.rules import HerdRules
from herdlab.simcore.table import ASKED_GAME
from herdlab.simcore.workers import GAME_LIMITS, Pool, TookTooLong, Watched, limited_to, time_limit
from herdlab.strategies.registry import seat_players
from tests.children import FORK, ROOT, run

HERD = find_game("herd")
RULES = HerdRules()
LOOPS = '''
from herdlab.simcore.herd.view import TRADE
from herdlab.strategies import strategy


@strategy("herd", "loops")
def loops(decision, view, me):
    """Thinks for ever in its tenth turn."""
    i = 0
    while view.turn >= 10 and i >= 0:
        i += 1
    return 0 if decision == TRADE else 1


@strategy("herd", "loops-alone", own_only=True, deterministic=True)
def loops_alone(decision, view, me):
    """Thinks for ever about three rabbits."""
    i = 0
    while view.herds[0, 0] == 3 and i >= 0:
        i += 1
    return 0 if decision == TRADE else 1
'''

pytestmark = pytest.mark.usefixtures("own_registry")


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    path = tmp_path / "loops.py"
    path.write_text(LOOPS)
    return path


def a_memory() -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    return np.zeros(8, dtype=np.int64)


def a_watch(memory: "np.ndarray[tuple[int], np.dtype[np.int64]]", clock: list[float]) -> Watched:
    """Return a watch whose clock says what the test says."""
    watched = Watched(memory, lambda what: BadInput(f"somebody {what}"))
    watched._clock = lambda: clock[0]
    return watched


def test_one_answer_may_take_as_long_as_the_limit() -> None:
    memory, clock = a_memory(), [100.0]
    watched = a_watch(memory, clock)
    watched.check(5)
    clock[0] = 105
    watched.check(5)
    memory[4] += 1  # it has answered, and is asked the next question
    clock[0] = 109
    watched.check(5)
    clock[0] = 114.5
    with pytest.raises(TookTooLong, match="somebody took more than 5 s for one answer.*time-limit"):
        watched.check(5)
    watched.check(float("inf"))


def test_a_game_may_take_many_answers_but_not_for_ever() -> None:
    memory, clock = a_memory(), [0.0]
    watched = a_watch(memory, clock)
    for second in range(4 * GAME_LIMITS):
        memory[ASKED_GAME], memory[4], clock[0] = second // GAME_LIMITS, second, second
        watched.check(1)
    with pytest.raises(TookTooLong, match="when a game had taken more than 1 s"):
        for second in range(4 * GAME_LIMITS, 6 * GAME_LIMITS):
            memory[4], clock[0] = second, second
            watched.check(1)


def test_the_clock_counts_what_a_thread_computes_and_not_what_it_waits() -> None:
    """So a process that is stopped, or on a busy machine, never trips the limit."""
    begin, end = threading.Event(), threading.Event()

    def waits() -> None:
        begin.set()
        end.wait()

    thread = threading.Thread(target=waits)
    thread.start()
    begin.wait()
    assert thread.ident is not None
    waiting, mine = workers._cpu_clock(thread.ident), workers._cpu_clock(threading.get_ident())
    before = waiting(), mine()
    while mine() < before[1] + 0.2:
        pass
    assert waiting() < before[0] + 0.1
    end.set()
    thread.join()


def test_where_there_is_no_such_clock_long_gaps_count_little(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [0.0]
    monkeypatch.delattr(time, "pthread_getcpuclockid", raising=False)
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    clock = workers._cpu_clock(0)
    now[0] = 0.5
    assert clock() == 0.5
    now[0] = 5000.0  # a lid was closed
    assert clock() == 1.5


def test_the_limit_is_60_seconds_unless_told_otherwise() -> None:
    assert time_limit() == 60
    with limited_to(2):
        assert time_limit() == 2
        with limited_to(0):
            assert time_limit() == float("inf")
    with limited_to(None):
        assert time_limit() == float("inf")
    for wrong in (-1, float("nan"), "5", True):
        with pytest.raises(BadInput, match="a time limit is a number of seconds"):
            with limited_to(wrong):  # type: ignore[arg-type]
                pass


@pytest.mark.parametrize(
    ("players", "where"),
    [
        ("keeper,loops", "'loops' in seat 1 .* 'trade' in game [0-9]+ with seed 0"),
        ("loops-alone,keeper", "'loops-alone' in seat 0 .* before game 0, .* with seed 0"),
        ("rollout:base=loops-alone:n=9,keeper", "loops-alone"),
    ],
)
def test_a_strategy_that_gives_no_answer_is_reported(
    plugin: Path, players: str, where: str
) -> None:
    """In the caller's thread; the one that hangs is left behind and holds nobody up.

    A process of its own ends what hangs.
    """
    script = f"""
import herdlab
try:
    herdlab.simulate("herd", {players!r}, plugins=[{str(plugin)!r}], games=100, time_limit=0.05)
except herdlab.BadInput as stopped:
    print(stopped)
print(herdlab.simulate("herd", "keeper,keeper", games=100).as_json()["games"])
"""
    done = run([FORK, script], cwd=ROOT)
    said, after = done.stdout.splitlines()
    assert done.returncode == 0 and after == "100", done
    assert re.search(where, said) and "more than 0.05 s for one answer" in said, said


def test_work_that_nobody_waits_for_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "_FIRST_PIECE", 1)
    monkeypatch.setattr(batch, "_PIECE_FACTOR", 1)
    bout = Bout(HERD, RULES, seat_players(HERD, RULES, "keeper,keeper"), stream_seeds(0))
    pieces: list[int] = []
    has_begun = threading.Event()
    adapt = bout._adapt

    def count(games: int, seconds: float) -> None:
        pieces.append(games)
        has_begun.set()
        adapt(games, seconds)

    monkeypatch.setattr(bout, "_adapt", count)
    with Pool(1) as pool:
        future = pool.submit(lambda: bout.rows(0, 10**7))
        has_begun.wait()
    assert isinstance(future.exception(), BaseException) and len(pieces) < 10**7


def test_the_size_of_pieces_changes_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def played() -> bytes:
        players = seat_players(HERD, RULES, "herder,random")
        return Bout(HERD, RULES, players, stream_seeds(5)).rows(3, 400).tobytes()

    whole = played()
    for first in (1, 7, 1000):
        monkeypatch.setattr(batch, "_FIRST_PIECE", first)
        assert played() == whole


def test_results_come_in_the_order_of_the_parts_and_errors_reach_the_caller() -> None:
    parts = [range(n, n + 1) for n in range(20)]
    found = [result for _, result in Threads(3).play_all(lambda part: part.start, iter(parts))]
    assert found == list(range(20))

    def fails(part: range) -> int:
        if part.start == 7:
            raise TimeoutError("its own")
        return part.start

    with pytest.raises(TimeoutError, match="its own"):
        list(Threads(3).play_all(fails, iter(parts)))


def test_the_api_takes_a_time_limit() -> None:
    assert herdlab.simulate("herd", "keeper,keeper", games=10, time_limit=None).as_json()
    with pytest.raises(BadInput, match="a time limit is"):
        herdlab.simulate("herd", "keeper,keeper", games=10, time_limit=-5)


def test_ctrl_c_while_a_thread_is_started_is_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: threading.Thread) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt), Pool(1) as pool:
        pool.submit(lambda: None)
