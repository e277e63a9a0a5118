"""`simulate`: play a line-up and say what came of it, with intervals and all that repeats it."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.estimates import Estimate, clipped, deviation, mean_of, wilson
from analysis.provenance import revision, version
from simcore.batch import Bout, Rotation, RotationSums, Sums, simulate, stream_seeds
from simcore.errors import BadInput
from simcore.game import Game
from simcore.rules import Rules
from strategies.registry import seat_players

MAX_SEED = 2**64 - 1


@dataclass(frozen=True)
class Request:
    """Everything that decides a result."""

    game: Game
    rules: Rules
    players: str
    """As on the command line: ``keeper,herder:keep_sheep=2``."""
    games: int
    seed: int = 0
    rotate: bool = False
    plugins: tuple[dict[str, str], ...] = ()
    """The plug-ins that were loaded: file name and hash."""


@dataclass(frozen=True)
class SeatResult:
    """How one seat, or with rotated seats one strategy, fared."""

    seat: int | None
    """None where seats are rotated and results are a strategy's."""
    strategy: str
    copies: int
    """At how many places of the line-up it sat; figures are for one of them."""
    win_rate: Estimate
    score_mean: float | None
    score_sd: float | None


@dataclass(frozen=True)
class Simulation:
    """The result of a request."""

    request: Request
    players: list[str]
    games: int
    """Games played, in all rotations together."""
    lucks: int
    """Different lucks; without rotation as many as games."""
    seats: list[SeatResult]
    unfinished_rate: float
    length_mean: Estimate
    length_sd: float
    events: dict[str, Any]
    events_sd: dict[str, Any]
    interval: str
    """"wilson", or "blocks" where seats are rotated or wins shared: sample variance over lucks."""
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``simulate --json`` prints."""
        request = self.request
        return {
            "game": request.game.name,
            "rules": request.rules.as_dict(),
            "rules_hash": request.rules.hash,
            "seed": request.seed,
            "games": self.games,
            "lucks": self.lucks,
            "rotate": request.rotate,
            "players": self.players,
            "plugins": list(request.plugins),
            "seats": [
                {
                    "seat": one.seat,
                    "strategy": one.strategy,
                    "copies": one.copies,
                    "win_rate": one.win_rate.value,
                    "ci_low": one.win_rate.low,
                    "ci_high": one.win_rate.high,
                    "score_mean": one.score_mean,
                    "score_sd": one.score_sd,
                }
                for one in self.seats
            ],
            "unfinished_rate": self.unfinished_rate,
            "length": {
                "unit": request.game.length_unit,
                "mean": self.length_mean.value,
                "ci_low": self.length_mean.low,
                "ci_high": self.length_mean.high,
                "sd": self.length_sd,
            },
            "events": self.events,
            "events_sd": self.events_sd,
            "interval": self.interval,
            "games_per_second": self.games / self.seconds if self.seconds else None,
            "seconds": self.seconds,
            "version": version(),
            "revision": revision(),
        }


class Interrupted(Exception):
    """Ctrl-C; carries the result of the games that were played, if there were any."""

    def __init__(self, so_far: Simulation | None) -> None:
        super().__init__("interrupted")
        self.so_far = so_far


def run(
    request: Request,
    *,
    threads: int | None = None,
    chunk: int | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Simulation:
    """Play what is requested and return the result."""
    if request.games < 1:
        raise BadInput(f"the number of games must be at least 1, and got {request.games}")
    if not 0 <= request.seed <= MAX_SEED:
        raise BadInput(f"the seed must be a whole number from 0 to 2^64 - 1, not {request.seed}")
    players = seat_players(request.game, request.rules, request.players)
    names = [player.name for player in players]
    bout = Bout(request.game, request.rules, players, stream_seeds(request.seed))
    rotation = Rotation(bout, _groups(names)) if request.rotate else None
    into = rotation.empty() if rotation else Sums(len(players))
    begun = time.perf_counter()

    def result() -> Simulation:
        seconds = time.perf_counter() - begun
        if isinstance(into, RotationSums):
            return _rotated(request, names, into, seconds)
        return _by_seat(request, names, into, seconds)

    try:
        simulate(
            rotation.play if rotation else bout.sums,
            into,
            range(request.games),
            threads=threads,
            chunk=chunk,
            on_progress=on_progress,
        )
    except KeyboardInterrupt:
        played = into.lucks if isinstance(into, RotationSums) else into.games
        raise Interrupted(result() if played else None) from None
    return result()


def _groups(names: Sequence[str]) -> list[int]:
    """Return for each place the number of its strategy, in order of first appearance."""
    distinct = list(dict.fromkeys(names))
    return [distinct.index(name) for name in names]


def _by_seat(request: Request, names: list[str], sums: Sums, seconds: float) -> Simulation:
    game, n = request.game, sums.games
    is_shared = any(sum(row[1:]) for row in sums.wins)
    seats = []
    for seat, name in enumerate(names):
        if is_shared:
            share = sum(count / k for k, count in enumerate(sums.wins[seat], 1))
            squared = sum(count / k**2 for k, count in enumerate(sums.wins[seat], 1))
            win_rate = clipped(mean_of(share, squared, n))
        else:
            win_rate = wilson(sums.wins[seat][0], n)
        column = _column(game, sums, f"score_{seat}") if game.has_scores else None
        mean = None if column is None else column[0] / n
        sd = None if column is None else deviation(*column, n)
        seats.append(SeatResult(seat, name, 1, win_rate, mean, sd))
    every = [[(sums, seat)] for seat in range(len(names))]
    interval = "blocks" if is_shared else "wilson"
    length = mean_of(*_column(game, sums, "length"), n)
    return _simulation(request, names, seats, [sums], every, length, interval, seconds)


def _rotated(request: Request, names: list[str], sums: RotationSums, seconds: float) -> Simulation:
    game, n_players = request.game, len(names)
    groups = _groups(names)
    seats, every = [], []
    for group, name in enumerate(dict.fromkeys(names)):
        places = [place for place in range(n_players) if groups[place] == group]
        sat = [
            (one, (place + r) % n_players) for r, one in enumerate(sums.sums) for place in places
        ]
        each = sums.unit * len(sums.sums) * len(places)
        win_rate = mean_of(
            sums.shares[group] / each, sums.squared_shares[group] / each**2, sums.lucks
        )
        mean = sd = None
        if game.has_scores:
            columns = [_column(game, one, f"score_{seat}") for one, seat in sat]
            total, squares = (sum(part) for part in zip(*columns, strict=True))
            n_seats = sums.lucks * len(sat)
            mean, sd = total / n_seats, deviation(total, squares, n_seats)
        seats.append(SeatResult(None, name, len(places), clipped(win_rate), mean, sd))
        every.append(sat)
    n_rotations = len(sums.sums)
    total = sum(_column(game, one, "length")[0] for one in sums.sums)
    length = mean_of(total / n_rotations, sums.squared_length / n_rotations**2, sums.lucks)
    return _simulation(request, names, seats, sums.sums, every, length, "blocks", seconds)


def _simulation(
    request: Request,
    names: list[str],
    seats: list[SeatResult],
    rotations: list[Sums],
    every: list[list[tuple[Sums, int]]],
    length: Estimate,
    interval: str,
    seconds: float,
) -> Simulation:
    """Add what does not depend on how win rates were estimated.

    `every` lists for each line of the result where its players sat: (sums, seat).
    """
    game, lucks = request.game, length.n
    games = sum(one.games for one in rotations)
    total, squares = _pooled([_column(game, one, "length") for one in rotations])
    events: dict[str, Any] = {}
    events_sd: dict[str, Any] = {}
    for event in game.events:
        if event.per_seat:
            columns = [
                (_pooled([_column(game, one, f"{event.name}_{seat}") for one, seat in sat]), sat)
                for sat in every
            ]
            events[event.name] = [column[0] / (lucks * len(sat)) for column, sat in columns]
            events_sd[event.name] = [
                deviation(*column, lucks * len(sat)) for column, sat in columns
            ]
        else:
            column = _pooled([_column(game, one, event.name) for one in rotations])
            events[event.name] = column[0] / games
            events_sd[event.name] = deviation(*column, games)
    return Simulation(
        request=request,
        players=names,
        games=games,
        lucks=lucks,
        seats=seats,
        unfinished_rate=sum(one.unfinished for one in rotations) / games,
        length_mean=length,
        length_sd=deviation(total, squares, games),
        events=events,
        events_sd=events_sd,
        interval=interval,
        seconds=seconds,
    )


def _column(game: Game, sums: Sums, name: str) -> tuple[int, int]:
    """Return a column's sum and sum of squares."""
    place = game.columns(sums.n_players).index(name)
    return sums.totals[place], sums.squares[place]


def _pooled(columns: list[tuple[int, int]]) -> tuple[int, int]:
    return sum(total for total, _ in columns), sum(squares for _, squares in columns)
