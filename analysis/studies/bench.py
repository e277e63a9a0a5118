"""`bench`: how fast it is, in a unit that travels between machines.

The unit is the *chain step*: one step ``x = mix64(x + GAMMA)`` of SplitMix64, each needing the
last, compiled by numba and timed on the same core in the same run.  Chain and games take turns,
and the best of several rounds counts: other work on the machine only ever makes things slower.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from herdlab.analysis.catalogue import Listing
from herdlab.analysis.runs.progress import OnProgress
from herdlab.simcore.batch import Bout, Threads, cores, simulate, stream_seeds
from herdlab.simcore.game import Benchmark, Game, games
from herdlab.simcore.rng import chain
from herdlab.simcore.sums import Sums
from herdlab.strategies.registry import seat_players

_CHAIN = 2_000_000
_ROUND_SECONDS = 0.15
"""How long a round takes: long against starting threads, short against the noise of the machine."""
_ROUNDS, _QUICK_ROUNDS = 20, 2
_START_ROUNDS = 60
"""A cold start and some warm ones take about as long as so many rounds; for the progress bar."""


@dataclass(frozen=True)
class BenchResult:
    """The speed of one line-up on so many threads."""

    game: str
    players: list[str]
    settings: dict[str, Any]
    """Rules other than the defaults."""
    threads: int
    games_per_second: float
    chain_steps_per_game: float
    """Chain steps of one core in the time of one game, all threads together."""


@dataclass(frozen=True, repr=False)
class Bench(Listing):
    """All that was measured."""

    chain_step_ns: float
    results: list[BenchResult]
    starts: dict[str, tuple[float, float]]
    """By game: seconds of a small run, the first time with compiling and later; none if quick."""

    @property
    def headline(self) -> str:
        """The unit."""
        return f"one chain step takes {self.chain_step_ns:.2f} ns"

    def rows(self) -> list[dict[str, Any]]:
        """Return one row for each line-up and number of threads."""
        return [vars(result) for result in self.results]

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``bench --json`` prints."""
        return {
            "chain_step_ns": self.chain_step_ns,
            "results": self.rows(),
            "cold_start_s": max((cold for cold, _ in self.starts.values()), default=None),
            "warm_start_s": max((warm for _, warm in self.starts.values()), default=None),
            "starts": {
                game: {"cold_start_s": cold, "warm_start_s": warm}
                for game, (cold, warm) in self.starts.items()
            },
        }


def benchmarks() -> list[tuple[Game, Benchmark]]:
    """Return the tables that are measured."""
    return [(game, one) for game in games().values() for one in game.benchmarks]


def run(
    *,
    quick: bool = False,
    on_step: Callable[[str], None] = lambda what: None,
    on_progress: OnProgress | None = None,
) -> Bench:
    """Measure everything; a quick one takes fewer rounds and leaves starts out."""
    chain(10, np.uint64(0))
    rounds = _QUICK_ROUNDS if quick else _ROUNDS
    tables = benchmarks()
    starting = {} if quick else {game.name: one.players for game, one in reversed(tables)}
    total = rounds * len(tables) + _START_ROUNDS * len(starting)
    done = 0

    def advance(many: int) -> None:
        nonlocal done
        done += many
        if on_progress is not None:
            on_progress(done, total)

    steps, results = [], []
    for game, one in tables:
        on_step(f"{game.name}: {one.players}")
        step, seconds = _measure(game, one, rounds, advance)
        steps.append(step)
        table = game.name, one.players.split(","), one.settings
        for threads, each in seconds.items():
            results.append(BenchResult(*table, threads, 1 / each, each / step))
    starts = {}
    for name, line_up in starting.items():
        on_step(f"{name}: first and later starts")
        starts[name] = _starts(name, line_up)
        advance(_START_ROUNDS)
    return Bench(min(steps) * 1e9, results, dict(reversed(starts.items())))


def _measure(
    game: Game, one: Benchmark, rounds: int, advance: Callable[[int], None]
) -> tuple[float, dict[int, float]]:
    """Return the seconds of a chain step, and of a game by number of threads."""
    rules = game.rules_type.from_settings(one.settings)
    players = seat_players(game, rules, one.players)
    bout = Bout(game, rules, players, stream_seeds(1))
    step = float("inf")
    best = dict.fromkeys(sorted({1, cores()}), float("inf"))
    n_games = _games_in(_ROUND_SECONDS, bout)
    for number in range(rounds):
        step = min(step, _timed(partial(chain, _CHAIN, np.uint64(number))) / _CHAIN)
        for threads, fastest in best.items():
            n = n_games * threads
            numbers, crew = range(number * n, (number + 1) * n), Threads(threads)
            play = partial(simulate, bout.sums, Sums(len(players)), numbers, crew=crew)
            best[threads] = min(fastest, _timed(play) / n)
        advance(1)
    return step, best


def _games_in(seconds: float, bout: Bout) -> int:
    """Return about how many games one thread plays in so many seconds."""
    games = 1 << 6
    while (taken := _timed(partial(bout.rows, 0, games))) < seconds / 4:
        games *= 2
    return max(1, int(seconds * games / taken))


def _timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def _starts(game: str, line_up: str) -> tuple[float, float]:
    """Return how long a small run takes in a new process, first without and then with a cache."""
    command = [sys.executable, "-m", "herdlab.cli", "simulate", game]
    command += ["--players", line_up, "--games", "1_000", "--json"]
    root = Path(__file__).parents[3]  # of the package herdlab
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "HERDLAB_CACHE": folder, "PYTHONPATH": str(root)}

        def start() -> None:
            subprocess.run(command, env=environment, check=True, capture_output=True)

        return _timed(start), min(_timed(start) for _ in range(3))
