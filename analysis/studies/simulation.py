"""`simulate`: play a line-up and say what came of it, with intervals and all that repeats it."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from herdlab.analysis.experiment import Experiment, Interrupted, check_games, joined, respell
from herdlab.analysis.result import Result
from herdlab.analysis.runs.provenance import provenance
from herdlab.analysis.runs.rows import RowsAndSums
from herdlab.analysis.runs.runner import HERE, Runner
from herdlab.analysis.sampling.curves import MeanCurve, mean_curves
from herdlab.analysis.sampling.deal_sums import DealSums, deal_sums, mean_event, unfinished_rate
from herdlab.analysis.sampling.histograms import HistogramCounts, histograms
from herdlab.analysis.sampling.lineup_runner import LineUpRunner
from herdlab.analysis.stats.estimates import Estimate, as_columns, shared_evenly, wilson
from herdlab.analysis.stats.precision_goal import FIRST_LOOK, PrecisionGoal, check_precision
from herdlab.simcore.batch import LARGEST_CHUNK
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import Event

_SCORE = Event("score", "", per_part=False, is_signed=True)
_LENGTH = Event("length", "", per_seat=False)


def _each(value: Any, show: Callable[[Any], Any]) -> Any:
    """Return `show` of a value, or of each in a list."""
    return [show(one) for one in value] if isinstance(value, list) else show(value)


@dataclass(frozen=True)
class SimulateRequest:
    """Everything that decides a result."""

    experiment: Experiment
    players: tuple[str, ...]
    """By seat, with their parameters: ``herder:keep_sheep=2``."""
    games: int
    rotate: bool = False
    precision: float | None = None
    """Stop when every win rate is known to within ± this; `games` is then the most to play."""
    rows: bool = False
    """Whether the run folder gets a row of every game."""

    def __post_init__(self) -> None:
        check_games(self.games)
        if self.precision is not None:
            check_precision(self.precision)
        respell(self, players=self.experiment.spelled(self.players))
        self.experiment.check_line_up(self.players)

    def arguments(self, deals: int | None = None) -> dict[str, Any]:
        """Return what repeats it, or so many deals of it."""
        return {
            "players": joined(self.players),
            "max_games" if self.precision else "games": deals or self.games,
            "precision": self.precision,
            "rotate": self.rotate,
        }


@dataclass(frozen=True)
class SeatResult:
    """How one seat, or with rotated seats one strategy, fared."""

    seat: int | None
    """None where seats are rotated and results are a strategy's."""
    strategy: str
    copies: int
    """At how many places of the line-up it sat; numbers are for one of them."""
    win_rate: Estimate
    score: Estimate | None
    score_sd: float | None

    def as_json(self) -> dict[str, Any]:
        """Return it as an object of the result."""
        return {
            "seat": self.seat,
            "strategy": self.strategy,
            "copies": self.copies,
            **as_columns(self.win_rate, "win_rate"),
            **as_columns(self.score, "score_mean", "score_ci_"),
            "score_sd": self.score_sd,
        }


@dataclass(frozen=True, repr=False)
class Simulation(Result):
    """The result of a request."""

    request: SimulateRequest
    players: list[str]
    games: int
    """Games played, in all rotations together."""
    deals: int
    """Different deals; without rotation as many as games."""
    seats: list[SeatResult]
    unfinished: Estimate
    """The rate of games that nobody won."""
    parts: int
    """What length and events are means of: all games, or all parts (sessions) of all games."""
    length_mean: Estimate
    length_sd: float
    events: dict[str, Any]
    """By name: an estimate, or a list of them by line of the result."""
    events_sd: dict[str, Any]
    histograms: dict[str, HistogramCounts | list[HistogramCounts]]
    curves: dict[str, list[MeanCurve]]
    """By name, a course for each line of the result."""
    interval: str
    """"wilson", or "blocks" where seats are rotated or wins shared: sample variance over deals.

    "anytime" when it was stopped by precision: the win rates' intervals hold at any such time.
    """
    seconds: float

    @property
    def widest(self) -> float:
        """The largest half-width of a win rate's interval."""
        return max(one.win_rate.half_width for one in self.seats)

    @property
    def is_precise(self) -> bool | None:
        """Whether the precision that was asked for was reached; None if none was."""
        wanted = self.request.precision
        return None if wanted is None else self.widest <= wanted

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``simulate --json`` prints."""
        request, events = self.request, self.events.items()
        return {
            "command": "simulate",
            **request.experiment.as_json(),
            "arguments": request.arguments(self.deals),
            "games": self.games,
            "parts": self.parts,
            "lucks": self.deals,
            "rotate": request.rotate,
            "players": self.players,
            "seats": [one.as_json() for one in self.seats],
            **as_columns(self.unfinished, "unfinished_rate", "unfinished_ci_"),
            "length": {
                "unit": request.experiment.game.length_unit,
                **as_columns(self.length_mean, "mean"),
                "sd": self.length_sd,
            },
            "events": {key: _each(values, lambda one: one.value) for key, values in events},
            "events_ci": {
                key: _each(values, lambda one: [one.low, one.high]) for key, values in events
            },
            "events_sd": self.events_sd,
            "histograms": {
                key: _each(one, HistogramCounts.as_json) for key, one in self.histograms.items()
            },
            "curves": {key: [one.as_json() for one in each] for key, each in self.curves.items()},
            "interval": self.interval,
            "precision_reached": self.is_precise,
            "games_per_second": self.games / self.seconds if self.seconds else None,
            **provenance(self.seconds),
        }


def simulate(
    request: SimulateRequest, runner: Runner = HERE, *, chunk: int | None = None
) -> Simulation:
    """Play what is requested and return the result."""
    game = request.experiment.game
    line_up = LineUpRunner(request.experiment, request.players, request.rotate, request.rows)
    sums = line_up.empty()
    into: Any = sums
    if request.rows:
        if runner.folder is None:
            raise BadInput("rows are kept in a run folder: give --out a folder for it")
        into, chunk = RowsAndSums(sums, runner.folder), line_up.deals_in_a_part
    goal = None
    if request.precision is not None:
        goal = PrecisionGoal(request.precision, len(line_up.lines), 1 / len(line_up.names))
    begun = runner.begin()

    def look() -> int | None:
        played = deal_sums(game, sums, line_up.groups)
        if goal is None or not played.deals:
            return None
        goal.take_in(played.deals, played.wins)
        return None if goal.is_reached else goal.needed

    def result() -> Simulation:
        played = deal_sums(game, sums, line_up.groups)
        return simulation_of(request, line_up, played, goal, time.perf_counter() - begun)

    try:
        if goal is None:
            runner.simulate(line_up.play, into, range(request.games), chunk=chunk)
        else:
            from herdlab.analysis.stats.confidence_sequences import looks  # brings scipy

            ends = looks(FIRST_LOOK, request.games)
            runner.play_until(line_up.play, into, ends, look, chunk=chunk or LARGEST_CHUNK)
    except KeyboardInterrupt:
        look()
        played = deal_sums(game, sums, line_up.groups).deals
        option = "--games" if goal is None else "--max-games"
        raise Interrupted(result() if played else None, f"{option} {played}") from None
    return result()


def simulation_of(
    request: SimulateRequest,
    line_up: LineUpRunner,
    played: DealSums,
    goal: PrecisionGoal | None,
    seconds: float,
) -> Simulation:
    """Return the result of what has been played."""
    game, lines = request.experiment.game, range(len(line_up.lines))
    interval, rates = _win_rates(request, line_up, played, goal)
    scores: list[tuple[Estimate, float] | tuple[None, None]] = [(None, None)] * len(lines)
    if game.has_scores:
        scores = list(zip(*mean_event(game, _SCORE, played, lines), strict=True))
    events: dict[str, Any] = {}
    events_sd: dict[str, Any] = {}
    for event in game.events:
        found, sd = mean_event(game, event, played, lines if event.per_seat else [None])
        events[event.name] = found if event.per_seat else found[0]
        events_sd[event.name] = sd if event.per_seat else sd[0]
    (length,), (length_sd,) = mean_event(game, _LENGTH, played, [None])
    return Simulation(
        request=request,
        players=line_up.names,
        games=sum(one.games for one in played.rotations),
        deals=played.deals,
        seats=[
            SeatResult(seat, name, line_up.names.count(name) if seat is None else 1, rate, *score)
            for (seat, name), rate, score in zip(line_up.lines, rates, scores, strict=True)
        ],
        unfinished=unfinished_rate(played),
        parts=played.column("parts", None).total,
        length_mean=length,
        length_sd=length_sd,
        events=events,
        events_sd=events_sd,
        histograms=histograms(game, request.experiment.rules, played.rotations, played.lines),
        curves=mean_curves(game, played.lines, played.deals),
        interval=interval,
        seconds=seconds,
    )


def _win_rates(
    request: SimulateRequest, line_up: LineUpRunner, played: DealSums, goal: PrecisionGoal | None
) -> tuple[str, list[Estimate]]:
    """Return the kind of the intervals, and the win rate of each line."""
    if goal is not None:
        return "anytime", goal.rates
    wins = played.rotations[0].wins
    if not request.rotate and not any(sum(row[1:]) for row in wins):
        return "wilson", [wilson(counts[0], played.deals) for counts in wins]
    if request.rotate and line_up.is_one_strategy:
        undecided, game = unfinished_rate(played), request.experiment.game
        decided = undecided.negative().moved(1)
        may_be = game.may_be_undecided(request.experiment.rules)
        rate = shared_evenly(decided, len(line_up.names), may_be_undecided=may_be)
        return "blocks", [rate] * len(line_up.lines)
    return "blocks", [won.rate(played.deals) for won in played.wins]
