"""What every game declares, and the registry of games.

A `Game` is light: nothing compiled is loaded until its `engine` is asked for.
docs/adding-a-game.md walks through a new one.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from herdlab.simcore.errors import BadInput, find
from herdlab.simcore.rules import Rules

if TYPE_CHECKING:  # numpy would double the time that tab completion takes
    import numpy as np
    import numpy.typing as npt

_PACKAGES = (
    "herdlab.simcore.herd",
    "herdlab.simcore.barnyard",
    "herdlab.simcore.swap",
    "herdlab.simcore.puzzle",
)
"""Where the games are: each package has a tuple `GAMES`.  A new game is a line here."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that is counted in every game."""

    name: str
    words: str
    per_seat: bool = True
    per_part: bool = True
    """In a game of parts: whether it is counted in each part, or once a game."""
    size: int = 1
    """The most that one occurrence counts, such as the points for a run."""
    is_signed: bool = False
    """Whether a game's number may be below 0."""


@dataclass(frozen=True, slots=True)
class Histogram:
    """How often a number took which values; what lies beyond the ends is counted at them."""

    name: str
    words: str
    low: int
    width: int
    bins: int
    per_seat: bool = True
    scale: Callable[[Any], int] = lambda rules: 1
    """How many times wider the bins are, and lower the first begins, under certain rules."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A number of each seat's, noted after every `step` units of length.

    A game that has ended counts from there on with what it ended with.  Tallied seat by
    seat, `points` numbers each: sums and sums of squares while the game went on, then, at the
    first point after the end, sums and sums of squares of what it ended with.
    """

    name: str
    words: str
    step: int
    points: int


class SeatPlan(NamedTuple):
    """Which tables the question `seat` looks at."""

    strategies: tuple[str, ...]
    """The first is what verdicts are about, the others say whether it is a matter of play."""
    sizes: tuple[int, ...]
    quick_games: int = 5_000


class Benchmark(NamedTuple):
    """A table whose speed `bench` measures."""

    players: str
    settings: dict[str, Any] = {}
    """Rules other than the defaults."""


def _no_data() -> "npt.NDArray[np.uint8]":
    import numpy as np

    return np.zeros(0, dtype=np.uint8)


@dataclass(frozen=True, eq=False)
class Player:
    """A strategy with its parameters, ready to sit down at a table."""

    name: str
    """As it was asked for, such as ``herder:keep_sheep=2``."""
    choose: Any
    """The compiled function, of the game's signature."""
    params: tuple[float, ...]
    flags: int = 0
    """OWN_ONLY, OBSERVES."""
    notebook: int = 0
    """How many slots its notebook has."""
    data: "npt.NDArray[np.uint8]" = field(default_factory=_no_data)


class Engine(Protocol):
    """The compiled side of a game, as `simcore.batch` uses it."""

    CHOOSE: Any
    """The compiled signature of a strategy."""
    STREAMS: int
    LOG_COLUMNS: int
    MOVES_SIZE: int
    """Bytes of one table of tabulated choices; 0 where there are none."""
    play_games: Callable[..., int]
    tabulate: Callable[..., int]
    """Fills such a table; a module without tables has none."""

    def make_book(self, rules: Any, players: int, start: Any) -> "npt.NDArray[np.int64]":
        """Return the rules and the position to start from as the loop reads them."""

    def new_memory(self, rules: Any, players: int) -> "npt.NDArray[np.int64]":
        """Return a thread's working memory."""


@dataclass(frozen=True)
class Game:
    """One game: its people, its words, its rules, and where its engine is."""

    name: str
    title: str
    about: str
    min_players: int
    max_players: int
    rules_type: type[Rules]
    clauses: tuple[tuple[str, str], ...]
    """(id, what it says in short)"""
    decisions: tuple[str, ...]
    """By number; 0 is always the observe hook."""
    length_unit: str
    has_scores: bool
    events: tuple[Event, ...]
    """A row of outcomes has: winners' bit mask, length, [number of parts,] [scores,] events seat
    by seat, then events per game."""
    folder: str
    """The name of its packages in simcore and strategies, its stories, and its rulebook."""
    part: str | None = None
    """What a game is made of, such as a session: length and events are then given for one part.

    Its rules have `sessions` and `target` then."""
    histograms: tuple[Histogram, ...] = ()
    curves: tuple[Curve, ...] = ()
    may_be_undecided: Callable[[Any], bool] = lambda rules: False
    """Whether under these rules a game may well end with no winner."""
    seat_plan: SeatPlan | None = None
    """By default its first strategy, at its smallest table."""
    benchmarks: tuple[Benchmark, ...] = field(default=(), hash=False)

    def __reduce__(self) -> tuple[Any, ...]:
        """Let another process take its own game of this name."""
        return find_game, (self.name,)

    @cached_property
    def engine(self) -> Engine:
        """The compiled side, loaded (and at first use compiled) when it is needed."""
        return self.load_engine()

    def load_engine(
        self,
        *,
        on_compile: Callable[[], None] | None = None,
        on_wait: Callable[[], None] | None = None,
    ) -> Engine:
        """Load the compiled side; see `simcore.compile_once` for who hears what."""
        from herdlab.simcore.compile_once import compiled_once

        with compiled_once(self.folder, on_compile=on_compile, on_wait=on_wait):
            module: Any = import_module(f"herdlab.simcore.{self.folder}.table")
        return module  # type: ignore[no-any-return]

    def check_players(self, n_players: int) -> None:
        """Refuse a table that is too small or too large."""
        if not self.min_players <= n_players <= self.max_players:
            raise BadInput(
                f"{self.name} takes {self.min_players} to {self.max_players} players, "
                f"and got {n_players}"
            )

    def columns(self, n_players: int) -> list[str]:
        """Return the names of a row's columns at a table of so many."""
        seats = range(n_players)
        parts = [] if self.part is None else ["parts"]
        scores = [f"score_{seat}" for seat in seats] if self.has_scores else []
        return ["winners", "length", *parts, *scores, *self._event_columns(n_players)]

    def _event_columns(self, n_players: int) -> list[str]:
        by_seat = [
            f"{e.name}_{seat}" for seat in range(n_players) for e in self.events if e.per_seat
        ]
        return by_seat + [e.name for e in self.events if not e.per_seat]

    def tallies(self, n_players: int) -> dict[str, slice]:
        """Return where a table's tallies have what.

        In a game of parts first the sum over all parts of the square of length and of each event;
        then the histograms and curves, seat by seat.
        """
        names = [] if self.part is None else ["length", *self._event_columns(n_players)]
        sizes = dict.fromkeys(names, 1)
        seats = [f"_{seat}" for seat in range(n_players)]
        for one in self.histograms:
            keys = seats if one.per_seat else [""]
            sizes |= dict.fromkeys([f"histogram {one.name}{key}" for key in keys], one.bins)
        for curve in self.curves:
            sizes |= dict.fromkeys([f"curve {curve.name}{key}" for key in seats], 4 * curve.points)
        ends = accumulate(sizes.values())
        return {key: slice(end - sizes[key], end) for key, end in zip(sizes, ends, strict=True)}


def games() -> dict[str, Game]:
    """Return all games by name."""
    found = [game for package in _PACKAGES for game in import_module(package).GAMES]
    return {game.name: game for game in found}


def find_game(name: str) -> Game:
    """Return the game called `name`, in any case."""
    known = games()
    return known[find("game", name, known)]
