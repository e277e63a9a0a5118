"""`simulate`: play a line-up and say what came of it, with intervals and all that repeats it."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from herdlab.analysis.experiment import Experiment, Interrupted, check_games, joined, respell
from herdlab.analysis.result import Result
from herdlab.analysis.runs.progress import OnProgress, part_of
from herdlab.analysis.runs.provenance import provenance
from herdlab.analysis.runs.rows import RowsAndSums
from herdlab.analysis.runs.runner import HERE, Runner
from herdlab.analysis.sampling.curves import Course, courses
from herdlab.analysis.sampling.deal_sums import (
    Played,
    by_seat,
    mean_event,
    rotated,
    unfinished_rate,
)
from herdlab.analysis.sampling.histograms import Counted, histograms
from herdlab.analysis.sampling.lineup_runner import Seated
from herdlab.analysis.stats.estimates import Estimate, shared_evenly, wilson
from herdlab.analysis.stats.precision_goal import (
    FIRST_LOOK,
    Precision,
    check_precision,
    won_by_group,
    won_by_seat,
)
from herdlab.simcore.batch import LARGEST_CHUNK
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import Event, Game
from herdlab.simcore.rotation import RotationSums
from herdlab.simcore.sums import Sums

if TYPE_CHECKING:
    import pandas as pd


def _each(value: Any, show: Callable[[Any], Any]) -> Any:
    """Return `show` of a value, or of each in a list."""
    return [show(one) for one in value] if isinstance(value, list) else show(value)


@dataclass(frozen=True)
class Request:
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
    """At how many places of the line-up it sat; figures are for one of them."""
    win_rate: Estimate
    score: Estimate | None
    score_sd: float | None


@dataclass(frozen=True, repr=False)
class Simulation(Result):
    """The result of a request."""

    request: Request
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
    histograms: dict[str, Counted | list[Counted]]
    curves: dict[str, list[Course]]
    """By name, a course for each line of the result."""
    interval: str
    """"wilson", or "blocks" where seats are rotated or wins shared: sample variance over deals.

    "anytime" when it was stopped by precision: the win rates' intervals hold at any such time.
    """
    seconds: float

    @property
    def widest(self) -> float:
        """The largest half-width of a win rate's interval."""
        rates = [one.win_rate for one in self.seats]
        return max(max(one.high - one.value, one.value - one.low) for one in rates)

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
            "seats": [
                {
                    "seat": one.seat,
                    "strategy": one.strategy,
                    "copies": one.copies,
                    "win_rate": one.win_rate.value,
                    "ci_low": one.win_rate.low,
                    "ci_high": one.win_rate.high,
                    "score_mean": None if one.score is None else one.score.value,
                    "score_ci_low": None if one.score is None else one.score.low,
                    "score_ci_high": None if one.score is None else one.score.high,
                    "score_sd": one.score_sd,
                }
                for one in self.seats
            ],
            "unfinished_rate": self.unfinished.value,
            "unfinished_ci_low": self.unfinished.low,
            "unfinished_ci_high": self.unfinished.high,
            "length": {
                "unit": request.experiment.game.length_unit,
                "mean": self.length_mean.value,
                "ci_low": self.length_mean.low,
                "ci_high": self.length_mean.high,
                "sd": self.length_sd,
            },
            "events": {key: _each(values, lambda one: one.value) for key, values in events},
            "events_ci": {
                key: _each(values, lambda one: [one.low, one.high]) for key, values in events
            },
            "events_sd": self.events_sd,
            "histograms": {
                key: _each(counts, Counted.as_json) for key, counts in self.histograms.items()
            },
            "curves": {key: [one.as_json() for one in each] for key, each in self.curves.items()},
            "interval": self.interval,
            "precision_reached": self.is_precise,
            "games_per_second": self.games / self.seconds if self.seconds else None,
            **provenance(self.seconds),
        }

    def frame(self) -> "pd.DataFrame":
        """Return one row a seat, or with rotated seats a strategy, with its events."""
        import pandas as pd

        seats = self.as_json()["seats"]
        for name, found in self.events.items():
            each = found if isinstance(found, list) else [found] * len(seats)
            for row, one in zip(seats, each, strict=True):
                row |= {name: one.value, f"{name}_low": one.low, f"{name}_high": one.high}
        return pd.DataFrame(
            [{**row, "lucks": self.deals, "length": self.length_mean.value} for row in seats]
        )


def run(
    request: Request,
    *,
    runner: Runner = HERE,
    chunk: int | None = None,
    on_progress: OnProgress | None = None,
) -> Simulation:
    """Play what is requested and return the result."""
    seated = Seated(request.experiment, request.players, request.rotate, request.rows)
    sums, names, groups = seated.empty(), seated.names, seated.groups
    into: Any = sums
    if request.rows:
        if runner.folder is None:
            raise BadInput("rows are kept in a run folder: give --out a folder for it")
        into, chunk = RowsAndSums(sums, runner.folder), seated.deals_in_a_part
    precision = None
    if request.precision is not None:
        rates = len(set(groups)) if request.rotate else len(names)
        precision = Precision(request.precision, rates, 1 / len(names))
    begun = runner.begin()

    def played() -> int:
        return sums.deals if isinstance(sums, RotationSums) else sums.games

    def look() -> int | None:
        if precision is None or not played():
            return None
        if isinstance(sums, RotationSums):
            precision.take_in(played(), won_by_group(sums, groups))
        else:
            precision.take_in(played(), won_by_seat(sums))
        return None if precision.is_reached else precision.needed

    def result() -> Simulation:
        seconds = time.perf_counter() - begun
        if isinstance(sums, RotationSums):
            return _rotated(request, seated, sums, precision, seconds)
        return _by_seat(request, names, sums, precision, seconds)

    try:
        if precision is None:
            heard = part_of(on_progress, 0, request.games)
            games = range(request.games)
            runner.simulate(seated.play, into, games, chunk=chunk, on_progress=heard)
        else:
            from herdlab.analysis.stats.confidence_sequences import (
                looks,  # brings scipy, a quarter second
            )

            runner.play_until(
                seated.play,
                into,
                looks(FIRST_LOOK, request.games),
                look,
                chunk=chunk or LARGEST_CHUNK,
                on_progress=on_progress,
            )
    except KeyboardInterrupt:
        look()
        option = "--games" if precision is None else "--max-games"
        raise Interrupted(result() if played() else None, f"{option} {played()}") from None
    return result()


def _by_seat(
    request: Request, names: list[str], sums: Sums, precision: Precision | None, seconds: float
) -> Simulation:
    n = sums.games
    is_shared = any(sum(row[1:]) for row in sums.wins)
    if precision is not None:
        interval, rates = "anytime", precision.rates
    elif is_shared:
        interval, rates = "blocks", [won.rate(n) for won in won_by_seat(sums)]
    else:
        interval, rates = "wilson", [wilson(counts[0], n) for counts in sums.wins]
    played = by_seat(request.experiment.game, sums)
    seats = [
        SeatResult(seat, name, 1, rates[seat], *_score(request.experiment.game, played, seat))
        for seat, name in enumerate(names)
    ]
    return _simulation(request, names, seats, played, interval, seconds)


def _rotated(
    request: Request,
    seated: Seated,
    sums: RotationSums,
    precision: Precision | None,
    seconds: float,
) -> Simulation:
    experiment, names, groups = request.experiment, seated.names, seated.groups
    played = rotated(sums, groups)
    if precision is not None:
        interval, rates = "anytime", precision.rates
    elif seated.is_one_strategy:
        rate = _of_copies(experiment, len(names), unfinished_rate(played))
        interval, rates = "blocks", [rate] * len(set(names))
    else:
        interval = "blocks"
        rates = [won.rate(sums.deals) for won in won_by_group(sums, groups)]
    seats = [
        SeatResult(
            None, name, groups.count(group), rates[group], *_score(experiment.game, played, group)
        )
        for group, name in enumerate(dict.fromkeys(names))
    ]
    return _simulation(request, names, seats, played, interval, seconds)


def _of_copies(experiment: Experiment, seats: int, unfinished: Estimate) -> Estimate:
    """Return the win rate of copies of one strategy in every seat: known, if somebody always wins.

    That is so by symmetry, not because all deals of the sample came out alike.
    """
    low, high = unfinished.low, unfinished.high
    if not unfinished.value and not experiment.game.may_be_undecided(experiment.rules):
        high = 0.0
    return shared_evenly(Estimate(1 - unfinished.value, 1 - high, 1 - low, unfinished.n), seats)


def _score(game: Game, played: Played, line: int) -> tuple[Estimate | None, float | None]:
    """Return mean and standard deviation of a line's score in a game."""
    if not game.has_scores:
        return None, None
    score = Event("score", "", per_part=False, is_signed=True)
    found, sd = mean_event(game, score, played, [line])
    return found[0], sd[0]


def _simulation(
    request: Request,
    names: list[str],
    seats: list[SeatResult],
    played: Played,
    interval: str,
    seconds: float,
) -> Simulation:
    """Add what does not depend on how win rates were estimated."""
    game, rotations = request.experiment.game, played.rotations
    events: dict[str, Any] = {}
    events_sd: dict[str, Any] = {}
    for event in game.events:
        lines = list(range(len(seats))) if event.per_seat else [None]
        found, sd = mean_event(game, event, played, lines)
        events[event.name] = found if event.per_seat else found[0]
        events_sd[event.name] = sd if event.per_seat else sd[0]
    (length,), (length_sd,) = mean_event(game, Event("length", "", per_seat=False), played, [None])
    return Simulation(
        request=request,
        players=names,
        games=sum(one.games for one in rotations),
        deals=played.deals,
        seats=seats,
        unfinished=unfinished_rate(played),
        parts=played.column("parts", None).total,
        length_mean=length,
        length_sd=length_sd,
        events=events,
        events_sd=events_sd,
        histograms=histograms(game, request.experiment.rules, rotations, played.every),
        curves=courses(game, played.every, played.deals),
        interval=interval,
        seconds=seconds,
    )
