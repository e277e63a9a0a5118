"""`tournament`: everybody against everybody, at tables of a size, every seating on the same deals.

All line-ups meet the same deals, which fall into groups by their number.  Every number's
uncertainty comes from how it varies between groups, whatever is common to line-ups included.
"""

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from herdlab.analysis.experiment import Experiment, Interrupted, check_games, respell
from herdlab.analysis.result import Result
from herdlab.analysis.runs.provenance import provenance
from herdlab.analysis.runs.runner import HERE, Runner
from herdlab.analysis.sampling import line_ups
from herdlab.analysis.sampling.line_ups import LineUp, LineUpSample
from herdlab.analysis.sampling.metrics import WIN, find_metric
from herdlab.analysis.sampling.paired_samples import make_bout
from herdlab.analysis.stats.estimates import as_columns
from herdlab.analysis.studies.standings import FEWEST_SHARED, Standings, standings
from herdlab.simcore.batch import Bout, ChoiceTables
from herdlab.simcore.errors import BadInput, match
from herdlab.strategies.registry import ALL, spelled, strategies_of

GROUPS = 50
MOST_LINE_UPS = 1_000
MOST_IN_ALL = 10**10
"""Games, of which a list of tasks still fits into memory."""
_FIRST_PART = 10
"""The first tenth of the games is played of all line-ups: who interrupts the rest is told that."""
_DEALS_AT_ONCE = 16_000
"""In a task: a multiple of `GROUPS`, so that a task has as many deals of each group."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class TournamentRequest:
    """Everything that decides a tournament."""

    experiment: Experiment
    entrants: tuple[str, ...]
    """Strategies, each once; ``all`` stands for every other one that can play and is not slow."""
    size: int
    games: int = 10_000
    """For each line-up, at least; the same number of deals in every seating."""
    most_line_ups: int = MOST_LINE_UPS

    def __post_init__(self) -> None:
        game, rules = self.experiment.game, self.experiment.rules
        check_games(self.games)
        if self.size < 2:  # noqa: PLR2004
            raise BadInput(f"a table of a tournament has at least 2 players, and got {self.size}")
        game.check_players(self.size)
        rules.check_players(self.size)
        respell(self, entrants=_entrants(self.experiment, self.entrants, self.size))
        if len(self.entrants) < max(2, self.size):
            raise BadInput(
                f"a tournament at tables of {self.size} needs at least {max(2, self.size)} "
                f"entrants, and got {len(self.entrants)}: {', '.join(self.entrants)}"
            )
        for one in self.entrants:
            self.experiment.check_line_up([one] * self.size)
        n, possible = len(self.entrants), line_ups.count_line_ups(len(self.entrants), self.size)
        fewest = min(FEWEST_SHARED * n, possible)
        if self.most_line_ups < fewest:
            raise BadInput(
                f"{n} entrants at tables of {self.size} need {fewest:,} line-ups at least, and "
                f"--max-line-ups allows {self.most_line_ups:,}"
            )
        games = self.games * min(self.most_line_ups, possible)
        if games > MOST_IN_ALL:
            raise BadInput(
                f"a tournament of {games:,} games is too much: at most {MOST_IN_ALL:,}; ask for "
                f"fewer --games or --max-line-ups"
            )

    def arguments(self) -> dict[str, Any]:
        """Return what repeats it."""
        return {
            "entrants": ",".join(self.entrants),
            "size": self.size,
            "games": self.games,
            "max_line_ups": self.most_line_ups,
        }


def _entrants(experiment: Experiment, given: Sequence[str], size: int) -> tuple[str, ...]:
    """Return the entrants by name; `ALL` stands for all others that can play and are not slow."""
    game, entrants = experiment.game, []
    for one in given:
        name = match(one, [ALL]) or spelled(game, one)
        if name in entrants:
            raise BadInput(f"entrant '{name}' is named twice: name each one once")
        entrants.append(name)
    if ALL not in entrants:
        return tuple(entrants)
    rest = []
    for name, strategy in strategies_of(game).items():
        if name not in entrants and not strategy.slow:
            with suppress(BadInput):  # it cannot play
                experiment.check_line_up([name] * size)
                rest.append(name)
    place = entrants.index(ALL)
    return (*entrants[:place], *rest, *entrants[place + 1 :])


@dataclass(frozen=True)
class Schedule:
    """Who plays in which order, how often."""

    draw: LineUpSample
    seatings: list[list[LineUp]]
    """By line-up."""
    deals: list[int]
    """By line-up; a multiple of `GROUPS`."""

    @cached_property
    def first(self) -> list[int]:
        """By line-up, the number of its first seating."""
        return list(accumulate((len(one) for one in self.seatings), initial=0))

    def tasks(self, done: list[int]) -> list[tuple[int, range]]:
        """Return line-ups with deals, each to be played by one thread, but for those `done`."""
        return [
            (number, range(begin, min(begin + _DEALS_AT_ONCE, deals)))
            for number, deals in enumerate(self.deals)
            for begin in range(done[number], deals, _DEALS_AT_ONCE)
        ]

    @property
    def games(self) -> int:
        """All games."""
        return sum(len(orders) * n for orders, n in zip(self.seatings, self.deals, strict=True))


def schedule(request: TournamentRequest) -> Schedule:
    """Return what a tournament plays."""
    seed = request.experiment.seed
    most = request.most_line_ups
    drawn = line_ups.sample_line_ups(len(request.entrants), request.size, most, seed)
    orders = [line_ups.seatings(line_up, seed) for line_up in drawn.line_ups]
    deals = [GROUPS * -(-request.games // (len(one) * GROUPS)) for one in orders]
    return Schedule(drawn, orders, deals)


@dataclass
class SeatWins:
    """Shares of wins: by group of deals, seating and seat, in units of the metric."""

    won: npt.NDArray[np.int64]

    def add(self, other: "tuple[int, npt.NDArray[np.int64]]") -> None:
        """Add what a task won, from its first seating on."""
        first, won = other
        self.won[:, first : first + won.shape[1]] += won


@dataclass(frozen=True, repr=False)
class Tournament(Result):
    """What came of it."""

    request: TournamentRequest
    schedule: Schedule
    standings: Standings
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``tournament --json`` prints."""
        found, drawn = self.standings, self.schedule.draw
        equilibrium = (mix := found.mix) and {
            "regret": mix.mix.regret,
            **as_columns(mix.regret, "resampled_regret", "resampled_regret_"),
            "same_support": mix.same_support,
            "resamples": mix.replicates,
            "sentence": found.equilibrium,
        }
        return {
            "command": "tournament",
            **self.request.experiment.as_json(),
            "arguments": self.request.arguments(),
            "entrants": [one.as_json() for one in found.entrants],
            "pairs": [one.as_json() for one in found.pairs],
            "seat_ratings": [as_columns(one, "rating", "rating_") for one in found.seats],
            "equilibrium": equilibrium,
            "cycles": found.cycles,
            "sentence": found.leader,
            "size": self.request.size,
            "line_ups": len(drawn.line_ups),
            "possible_line_ups": drawn.possible,
            "games": self.schedule.games,
            "games_per_second": self.schedule.games / self.seconds if self.seconds else None,
            **provenance(self.seconds),
        }


class TournamentRunner:
    """All games of a tournament as a row of tasks: first a part of every line-up, then the rest."""

    def __init__(self, request: TournamentRequest) -> None:
        experiment = request.experiment
        self.request = request
        part = replace(request, games=max(1, request.games // _FIRST_PART))
        self.plans = {one: schedule(one) for one in dict.fromkeys([part, request])}
        self.whole = self.plans[request]
        self.tasks: list[tuple[int, range]] = []
        self.ends: list[int] = []
        """By plan, the number of the first task after it."""
        done = [0] * len(self.whole.deals)
        for plan in self.plans.values():
            self.tasks += plan.tasks(done)
            self.ends.append(len(self.tasks))
            done = plan.deals
        games = (len(self.whole.seatings[n]) * len(deals) for n, deals in self.tasks)
        self.games = list(accumulate(games, initial=0))
        """Games of so many tasks."""
        self.metric = find_metric(experiment.game, experiment.rules, WIN, request.size)
        self._moves = ChoiceTables(experiment.game, len(request.entrants) + 1)
        for one in request.entrants:  # compiled and tabulated here, not in a thread
            self._bout([one] * request.size)

    def __reduce__(self) -> tuple[Any, ...]:
        """Let another process make the same runner of its own."""
        return TournamentRunner, (self.request,)

    def _bout(self, names: list[str]) -> Bout:
        experiment = self.request.experiment
        return make_bout(experiment.game, experiment.rules, names, experiment.seed, self._moves)

    def empty(self) -> SeatWins:
        """Return the wins of no games."""
        return SeatWins(np.zeros((GROUPS, self.whole.first[-1], self.request.size), dtype=np.int64))

    def play(self, part: range) -> tuple[int, npt.NDArray[np.int64]]:
        """Play one task; return what was won, and the first seating that it is about."""
        number, deals = self.tasks[part.start]
        size, seatings = self.request.size, self.whole.seatings[number]
        in_groups = np.arange(len(deals)) % GROUPS
        won = np.zeros((GROUPS, len(seatings), size), dtype=np.int64)
        for place, order in enumerate(seatings):
            bout = self._bout([self.request.entrants[entrant] for entrant in order])
            rows = bout.rows(deals.start, deals.stop)
            for seat in range(size):
                won[:, place, seat] = np.bincount(in_groups, self.metric.of(rows, seat), GROUPS)
        return self.whole.first[number], won


def tournament(request: TournamentRequest, runner: Runner = HERE) -> Tournament:
    """Play a tournament."""
    begun = runner.begin()
    playing = TournamentRunner(request)
    wins, first = playing.empty(), 0
    so_far: SeatWins | None = None
    for end in playing.ends:

        def heard(done: int, first: int = first) -> None:
            runner.tell(playing.games[first + done], playing.games[-1])

        try:
            runner.simulate(playing.play, wins, range(first, end), chunk=1, on_progress=heard)
        except KeyboardInterrupt:
            part = next(iter(playing.plans))
            told = so_far and _result(playing, part, so_far, begun)
            raise Interrupted(told, f"--games {part.games}") from None
        first, so_far = end, SeatWins(wins.won.copy())
    return _result(playing, request, wins, begun)


def _result(
    playing: TournamentRunner, request: TournamentRequest, wins: SeatWins, begun: float
) -> Tournament:
    plan = playing.plans[request]
    found = standings(
        entrants_at=np.array([order for orders in plan.seatings for order in orders]),
        wins=wins.won / playing.metric.scale,
        line_up_of=np.repeat(np.arange(len(plan.deals)), [len(one) for one in plan.seatings]),
        deals=np.array(plan.deals) / GROUPS,
        line_ups=np.array(line_ups.copies_of_each(plan.draw.line_ups, len(request.entrants))),
        weights=np.array(plan.draw.weights, dtype=float),
        possible=plan.draw.possible,
        with_mix=plan.draw.is_complete,
        names=request.entrants,
        seed=request.experiment.seed,
    )
    return Tournament(request, plan, found, time.perf_counter() - begun)
