"""`tune`: search a strategy's parameters, then say on fresh deals what was found.

The search is successive halving: all candidates play a few deals, the best third of them three
times as many new ones, and so on.  Whoever comes out first was also lucky; so nothing of the
search is reported as it stands, but the winner plays again on deals that the search never saw.
"""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from hashlib import sha256
from itertools import accumulate, combinations_with_replacement
from math import hypot, sqrt
from threading import Lock
from typing import Any

import numpy as np

from herdlab.analysis.experiment import (
    FEWEST_DEALS,
    Experiment,
    Interrupted,
    check_games,
    joined,
    respell,
)
from herdlab.analysis.runs.progress import OnProgress
from herdlab.analysis.runs.runner import HERE, Runner
from herdlab.analysis.sampling.line_ups import arrangements
from herdlab.analysis.sampling.metrics import WIN, find_metric
from herdlab.analysis.sampling.paired_samples import (
    Arm,
    Measured,
    PairedSamples,
    bout_of,
    in_every_seat,
)
from herdlab.analysis.sampling.parameter_grid import Grid, read_grid
from herdlab.analysis.stats.estimates import Estimate, corrected, deviation, quantile, rate_of
from herdlab.analysis.stats.successive_halving import FACTOR, Heat, Tried, halve, rounds_of
from herdlab.analysis.studies.sweep import check_points
from herdlab.analysis.studies.tune_result import Opponent, SearchSoFar, Tuned
from herdlab.simcore.batch import LARGEST_CHUNK, Bout, ChoiceTables, chunks
from herdlab.simcore.errors import BadInput
from herdlab.strategies.registry import spelled

MOST_VARIABLES = 6
MOST_CANDIDATES = 200
MOST_TABLES = 20_000
_REFINED = 3
"""Of so many of the best the neighbours are tried as well, where the grid was sampled."""
_GAMES_AT_ONCE = LARGEST_CHUNK
"""In a task, about: Ctrl-C waits for what a thread is at."""
_FEWEST_AT_ONCE = 512
"""Deals in a task, where so many are asked for."""
_SIDE_BY_SIDE = 32
"""Candidates whose tables of choices, megabytes each, are in memory together."""
_KEPT_TABLES = 4
"""Candidates before the newest whose tables to play at are still there."""


@dataclass(frozen=True)
class TuneRequest:
    """Everything that decides a search."""

    experiment: Experiment
    strategy: str
    """Whose parameters are searched, with those that stay: ``herder:dog=never``."""
    vary: tuple[str, ...]
    against: tuple[str, ...]
    """The opponents, each once; everybody else at the table is one of them."""
    size: int | None = None
    """How many sit at a table; None: the fewest that can play against each other."""
    deals: int = 20_000
    """Of the final measurement; the last round of the search has about as many."""
    most_points: int = MOST_CANDIDATES

    def __post_init__(self) -> None:
        """Refuse what cannot be played, before any engine is loaded."""
        check_games(self.deals, at_least=FEWEST_DEALS)
        game = self.experiment.game
        game.check_players(self.table)
        if self.table < 2:  # noqa: PLR2004
            raise BadInput(f"a table must have 2 players at least, and got {self.table}")
        respell(self, strategy=spelled(game, self.strategy))
        respell(self, against=self.experiment.spelled(self.against))
        respell(self, vary=self.grid.vary)
        if not self.against:
            raise BadInput("--against names nobody: tuning needs opponents")
        twice = [name for name, count in Counter(self.against).items() if count > 1]
        if twice:
            raise BadInput(f"--against has {twice[0]} twice: name each opponent once")
        players = max(FACTOR, len(self.against) + 2)
        if players * self.tables > MOST_TABLES:
            raise BadInput(
                f"--against makes {players * self.tables:,} tables ({players} players in "
                f"{len(self.fields):,} fields of {self.table - 1}, in {self.table} seats); at most "
                f"{MOST_TABLES:,}: name fewer opponents or a smaller --size"
            )
        for one in self.against:
            others = [one] * (self.table - 1)
            self.experiment.check_line_up([self.grid.given, *others])
        check_points([self.grid.point(one) for one in self.candidates], others)

    def __reduce__(self) -> tuple[Any, ...]:
        """Let another process read the grid for itself."""
        return TuneRequest, tuple(getattr(self, one.name) for one in fields(self))

    @property
    def table(self) -> int:
        """How many sit at a table."""
        return self.experiment.smallest_table if self.size is None else self.size

    @cached_property
    def fields(self) -> dict[tuple[str, ...], int]:
        """Who the others are: every combination, repetition included, and how much it counts.

        A field counts as often as it comes up when each of the others is drawn at random.
        """
        drawn = combinations_with_replacement(range(len(self.against)), self.table - 1)
        return {tuple(self.against[i] for i in one): arrangements(one) for one in drawn}

    @property
    def tables(self) -> int:
        """At how many tables a candidate sits on every deal."""
        return len(self.fields) * self.table

    @cached_property
    def grid(self) -> Grid:
        """All points."""
        return read_grid(
            self.experiment,
            self.strategy,
            self.vary,
            most_variables=MOST_VARIABLES,
            most_points=None,
            has_rules=False,
        )

    @cached_property
    def candidates(self) -> list[int]:
        """The points that the search begins with: all, or a sample and the strategy as given."""
        most = min(self.most_points, MOST_TABLES // self.tables)
        if self.grid.size <= most:
            return list(range(self.grid.size))
        return self.grid.sample(most, self.experiment.seed)

    @property
    def is_sampled(self) -> bool:
        """Whether the grid has more points than are tried."""
        return len(self.candidates) < self.grid.size

    def arm(self, player: str) -> Arm:
        """Return a player in every seat among every field, each as much as it counts."""
        weights = list(self.fields.values())
        return in_every_seat(self.experiment.rules, player, *self.fields, weights=weights)

    @property
    def fresh_seed(self) -> int:
        """The seed of the final measurement: from the search's by SHA-256, and never the same."""
        name = f"herdlab tune, fresh luck, seed {self.experiment.seed}"
        seed = int.from_bytes(sha256(name.encode()).digest()[:8], "big")
        return seed if seed != self.experiment.seed else seed ^ 1

    def arguments(self) -> dict[str, Any]:
        """Return what repeats it."""
        return {
            "strategy": self.strategy,
            "vary": list(self.vary),
            "against": joined(self.against),
            "size": self.size,
            "games": self.deals,
        }


Tables = list[tuple[Bout, int, int]]
"""Where a candidate plays: the bout, its seat there, and how much that counts."""


@dataclass
class Scores:
    """What candidates scored, by their place among those who play."""

    totals: list[int]
    squares: list[int]

    def add(self, other: tuple[int, int, int]) -> None:
        """Add what one of them scored: place, total, squares."""
        place, total, squares = other
        self.totals[place] += total
        self.squares[place] += squares


class Trial:
    """Some candidates on the same deals, as a row of tasks."""

    def __init__(self, request: TuneRequest, candidates: Sequence[int], deals: range) -> None:
        self.request, self.candidates, self.deals = request, list(candidates), deals
        experiment = request.experiment
        self._metric = find_metric(experiment.game, experiment.rules, WIN, request.table)
        self._moves = ChoiceTables(experiment.game, len(self.candidates) + len(request.against))
        size = max(_FEWEST_AT_ONCE, _GAMES_AT_ONCE // request.tables)
        parts = list(chunks(deals.start, deals.stop, 1, size))
        self.tasks = [(place, part) for place in range(len(self.candidates)) for part in parts]
        played = accumulate(len(part) * request.tables for _, part in self.tasks)
        self.games = [0, *played]
        """Games of so many tasks."""
        self._tables: dict[int, Tables] = {}
        self._lock = Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        """Let another process make the same trial of its own."""
        return Trial, (self.request, self.candidates, self.deals)

    def empty(self) -> Scores:
        """Return the scores of no games."""
        return Scores([0] * len(self.candidates), [0] * len(self.candidates))

    def play(self, task: range) -> tuple[int, int, int]:
        """Play one task; return the candidate's place, his total and his squares."""
        place, part = self.tasks[task.start]
        values = np.zeros(len(part), dtype=np.int64)
        for bout, seat, weight in self._tables_of(place):
            values += weight * self._metric.of(bout.rows(part.start, part.stop), seat)
        whole = values.tolist()  # squares of 14 players' shares do not fit into 64 bits
        return place, sum(whole), sum(value * value for value in whole)

    def _tables_of(self, place: int) -> Tables:
        """Return where a candidate plays; those long past are forgotten."""
        with self._lock:
            if place not in self._tables:
                for old in [one for one in self._tables if one < place - _KEPT_TABLES]:
                    del self._tables[old]
                self._tables[place] = self._seated(self.candidates[place])
            return self._tables[place]

    def _seated(self, candidate: int) -> Tables:
        request = self.request
        game, rules, seed = (
            request.experiment.game,
            request.experiment.rules,
            request.experiment.seed,
        )
        player = request.grid.point(candidate).player
        return [
            (bout_of(game, rules, line_up, seed, self._moves), seat, weight)
            for field, weight in request.fields.items()
            for line_up, seat in in_every_seat(rules, player, field).places
        ]


class _Search:
    """Plays the candidates of a request, and counts the games."""

    def __init__(
        self, request: TuneRequest, runner: Runner, on_progress: OnProgress | None
    ) -> None:
        self.request, self.runner, self.on_progress = request, runner, on_progress
        self.games = 0
        self.seen: dict[int, Tried] = {}
        """What has been seen of each candidate."""
        self.planned = (len(request.against) + 2) * request.tables * request.deals
        """Games that are to come after the search, and those of it that are known of."""

    def plan(self, candidates: int) -> None:
        """Foresee a search among so many."""
        rounds = rounds_of(candidates, self.request.deals)
        self.planned += sum(one.candidates * one.deals for one in rounds) * self.request.tables

    def reached(self, games: int) -> None:
        """Hear how many games there have been."""
        self.games = games
        if self.on_progress is not None:
            self.on_progress(self.games, max(self.games, self.planned))

    def play(self, candidates: Sequence[int], deals: range) -> list[tuple[int, int]]:
        """Play some candidates on the search's luck."""
        found: list[tuple[int, int]] = []
        for first in range(0, len(candidates), _SIDE_BY_SIDE):
            block = candidates[first : first + _SIDE_BY_SIDE]
            trial, before = Trial(self.request, block, deals), self.games
            scores = trial.empty()
            try:
                self.runner.simulate(
                    trial.play,
                    scores,
                    range(len(trial.tasks)),
                    chunk=1,
                    on_progress=lambda tasks: self.reached(before + trial.games[tasks]),  # noqa: B023
                )
            finally:  # interrupted, it knows of those who were through
                through = (self.games - before) // (len(deals) * self.request.tables)
                seen = zip(scores.totals, scores.squares, strict=True)
                for one, (total, squares) in zip(block[:through], seen, strict=False):
                    self.seen[one] = self.seen.get(one, Tried(one)).with_more(total, squares, deals)
            found += zip(scores.totals, scores.squares, strict=True)
        return found

    def so_far(self, seconds: float) -> SearchSoFar | None:
        """Return what an interrupted search can tell."""
        request = self.request
        scale = find_metric(
            request.experiment.game, request.experiment.rules, WIN, request.table
        ).scale
        scale *= sum(request.fields.values()) * request.table
        order = sorted(self.seen.values(), key=lambda one: (-one.deals, -one.total))
        tried = {
            request.grid.point(one.candidate).player: rate_of(
                one.total, one.squares, one.deals, scale=scale
            )
            for one in order
        }
        return SearchSoFar(request, tried, self.games, seconds) if tried else None


def tune(
    request: TuneRequest,
    *,
    runner: Runner = HERE,
    on_progress: OnProgress | None = None,
) -> Tuned:
    """Search the grid, and measure what was found; `on_progress` is told games."""
    begun = runner.begin()
    grid = request.grid
    for one in request.against:  # compiled here, not in several threads at once
        request.experiment.seat([grid.given, *[one] * (request.table - 1)])
    search = _Search(request, runner, on_progress)
    try:
        return _found(request, search, begun)
    except KeyboardInterrupt:
        raise Interrupted(search.so_far(time.perf_counter() - begun), None) from None


def _found(request: TuneRequest, search: _Search, begun: float) -> Tuned:
    """Search, perhaps twice, and measure the winner."""
    grid = request.grid
    search.plan(len(request.candidates))
    heat = halve(request.candidates, request.deals, 0, search.play)
    heats = [heat]
    if request.is_sampled:
        seen = set(request.candidates)
        best = [tried.candidate for tried in heat.ranking[:_REFINED]]
        near = {number for one in best for number in grid.neighbours(one)} - seen
        if near:
            search.plan(len(best) + len(near))
            after = sum(one.deals for one in heat.rounds)
            heats.append(halve([*best, *sorted(near)], request.deals, after, search.play))
    return _confirmed(request, heats, search, begun)


def _confirmed(
    request: TuneRequest,
    heats: Sequence[Heat],
    search: _Search,
    begun: float,
) -> Tuned:
    """Measure the winner of the last heat on fresh deals, beside all that it is compared with."""
    grid, opponents, rules = request.grid, request.against, request.experiment.rules
    winner = grid.point(heats[-1].ranking[0].candidate)
    arms = [request.arm(one) for one in (winner.player, grid.given, *opponents)]
    first_alone = len(arms)
    arms += [in_every_seat(rules, winner.player, (one,) * (request.table - 1)) for one in opponents]
    panel = PairedSamples(request.experiment.game, arms, WIN, request.fresh_seed)
    before = search.games
    search.planned = before + request.deals * panel.tables
    found = panel.measure(
        range(request.deals),
        runner=search.runner,
        on_progress=lambda deals: search.reached(before + deals * panel.tables),
    )
    confidence = corrected(len(opponents) + 1)  # and the strategy as given

    def is_same(arm: int) -> bool:
        return found.of_difference(0, arm) == (0, 0)

    scale = panel.scales[0]
    tried: dict[str, Estimate] = {}
    for one in [one for heat in reversed(heats) for one in heat.ranking]:
        believed = rate_of(one.total, one.squares, one.deals, scale=scale)
        tried.setdefault(grid.point(one.candidate).player, believed)
    last = heats[-1].ranking[0]
    return Tuned(
        request=request,
        player=winner.player,
        values=winner.values,
        rounds=[one for heat in heats for one in heat.rounds],
        tried=tried,
        rate=found.mean(0),
        given=found.mean(1),
        over_given=found.difference(0, 1, confidence),
        is_as_given=is_same(1),
        over_believed=apart(last, replace(last, **_sums(found)), scale),
        opponents=[
            Opponent(
                one,
                found.mean(2 + number),
                found.difference(0, 2 + number, confidence),
                is_same(2 + number),
                found.mean(first_alone + number, confidence),
            )
            for number, one in enumerate(opponents)
        ],
        games=search.games,
        seconds=time.perf_counter() - begun,
    )


def _sums(found: Measured) -> dict[str, int]:
    """Return what fresh deals say of the winner, as the search would have noted it."""
    return {
        "total": int(found.sums.totals[0]),
        "squares": int(found.sums.products[0, 0]),
        "deals": found.deals,
    }


def apart(search: Tried, fresh: Tried, scale: int) -> Estimate:
    """Return by how much a search believed too much, from deals that have nothing in common."""
    means = [one.total / (one.deals * scale) for one in (search, fresh)]
    errors = [
        deviation(one.total, one.squares, one.deals) / (scale * sqrt(one.deals))
        for one in (search, fresh)
    ]
    value, half = means[0] - means[1], quantile() * hypot(*errors)
    return Estimate(value, value - half, value + half, fresh.deals)
