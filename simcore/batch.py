"""Plays game numbers [a, b) on the cores and returns sums.

Games are played in chunks of consecutive numbers by threads that hold no lock.  Each game leaves a
row of small integers; a chunk's rows are added up, and the sums of all chunks merged as Python
integers, which do not overflow: so the result is the same to the bit for any number of threads
and any size of chunk, and memory does not grow with the number of games.
"""

import math
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import lru_cache, partial
from itertools import islice
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from herdlab.simcore._jit import address_of
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import Game, Player, find_game
from herdlab.simcore.rng import KINDS
from herdlab.simcore.rules import Rules
from herdlab.simcore.safe_text import error_in_words
from herdlab.simcore.sums import Rows, Sums, add_up
from herdlab.simcore.table import (
    ASKED_ANSWER,
    ASKED_DECISION,
    ASKED_GAME,
    ASKED_SEAT,
    DREW_LUCK,
    FAILED,
    ME,
    MIND_CHOOSE,
    MIND_WORDS,
    OBSERVES,
    OWN_ONLY,
    SEAT_FLAGS,
    SEAT_MOVES,
    SEAT_WORDS,
    Ints,
    Me,
    Table,
    aligned_zeros,
)
from herdlab.simcore.workers import Pool, attended, leave_if_unwanted

LARGEST_CHUNK = 1 << 14
"""Games in a chunk, at most: long against the tenth of a millisecond that a chunk costs in Python,
short enough for progress and for rows that stay near the processor."""
_FEWEST_ROUNDS = 8
"""Chunks that each thread gets at least, so that none waits long for another at the end."""
_KEPT_MOVES = 8
"""Line-ups whose tables of choices are kept for the next bout: asking takes longer than a game."""
_FIRST_LOG = 256
"""Rows of a log, at first: most games fill fewer."""
_FIRST_PIECE, _PIECE_FACTOR = 64, 8
"""Games that compiled code plays in one go, at first; and how many times more or fewer then."""
_LONG_PIECE_SECONDS = 0.5
_NOBODY_ASKED = _NO_GAME = -1


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def stream_seeds(seed: int, **by_kind: int) -> npt.NDArray[np.uint64]:
    """Return a seed for each kind of stream: `seed`, or one of its own for the kinds named."""
    return np.array([by_kind.get(kind, seed) for kind in KINDS], dtype=np.uint64)


_KEPT_TABLES = 16
"""Tables of choices that are kept to be copied; a usual one has 3 MB."""
_PAGE = 4096
"""Bytes; the largest part of a table is never written, and most of its pages are not there."""


_filled: dict[Any, tuple[npt.NDArray[np.intp], npt.NDArray[np.uint8]]] = {}
"""The tables that were used last, oldest first: which pages are not empty, and these.

A copy takes a hundredth of the time that it takes to ask a strategy about all it may hold.
"""
_filling = threading.Lock()


class ChoiceTables:
    """What bouts of one game share, each made once: tables of tabulated choices, and books."""

    def __init__(self, game: Game, room: int) -> None:
        """Make room for so many tables; what is not filled takes no memory."""
        self._game, self._engine = game.name, game.engine
        self.size = game.engine.MOVES_SIZE
        self._books: dict[tuple[str, int], npt.NDArray[np.int64]] = {}
        self.tables = aligned_zeros(room * self.size, np.uint8)
        self._places: dict[Any, int] = {}

    def book(self, rules: Rules, players: int) -> npt.NDArray[np.int64]:
        """Return the book of games from the deal, at a table of so many."""
        with _filling:
            key = rules.hash, players
            if key not in self._books:
                self._books[key] = _read_only(self._engine.make_book(rules, players, None))
            return self._books[key]

    def place(self, key: Any, fill: Callable[[npt.NDArray[np.uint8]], None]) -> int:
        """Return where the table of `key` begins; `fill` it if it is new.

        Of a table that is kept from another run a copy is made.
        """
        with _filling:
            if key not in self._places:
                begin = len(self._places) * self.size
                if begin == self.tables.size:
                    raise ValueError("more tables of choices than there is room for")
                part = self.tables[begin : begin + self.size]
                pages = part.reshape(-1, math.gcd(part.size, _PAGE))
                kept = _filled.pop((self._game, key), None)
                if kept is None:
                    fill(part)
                    numbers = np.flatnonzero(pages.any(axis=1))
                    kept = numbers, pages[numbers]
                else:
                    pages[kept[0]] = kept[1]
                _filled[self._game, key] = kept
                if len(_filled) > _KEPT_TABLES:
                    del _filled[next(iter(_filled))]
                self._places[key] = begin
            return self._places[key]


@lru_cache(_KEPT_MOVES)
def _moves_of(game: str, rules_hash: str, players: int, keys: frozenset[Any]) -> ChoiceTables:
    return ChoiceTables(find_game(game), len(keys))


def _moves_key(player: Player) -> Any:
    """Return what players have in common who can share a table of choices."""
    if player.flags & OWN_ONLY:
        return (player.choose, player.params, player.data.tobytes())
    return None


class Bout:
    """A line-up that plays a game under certain rules with certain luck."""

    def __init__(
        self,
        game: Game,
        rules: Rules,
        players: Sequence[Player],
        seeds: npt.NDArray[np.uint64],
        start: Any = None,
        moves: ChoiceTables | None = None,
    ) -> None:
        """Seat `players`; `moves` are shared by bouts that begin with the deal."""
        game.check_players(len(players))
        rules.check_players(len(players))
        self.game, self.rules, self.players, self.seeds = game, rules, list(players), seeds
        self.columns = game.columns(len(players))
        self._n_tallies = max((one.stop for one in game.tallies(len(players)).values()), default=0)
        self._watched = any(player.flags & OBSERVES for player in players)
        self.moves = moves or self._kept_moves()
        self._book = (
            self.moves.book(rules, len(players))
            if start is None
            else _read_only(game.engine.make_book(rules, len(players), start))
        )
        self._seats = np.zeros(len(players) * SEAT_WORDS, dtype=np.int64)
        self._tables = threading.local()
        for seat, player in enumerate(players):
            self._seats[SEAT_WORDS * seat + SEAT_FLAGS] = player.flags
        if self.moves.size:
            self._tabulate()

    def _kept_moves(self) -> ChoiceTables:
        """Return the moves of an earlier bout of such players, which need not be asked again."""
        if not self.game.engine.MOVES_SIZE:
            return ChoiceTables(self.game, 0)
        keys = frozenset(_moves_key(player) for player in self.players)
        return _moves_of(self.game.name, self.rules.hash, len(self.players), keys)

    def _tabulate(self) -> None:
        """Work out the choices that depend on nothing but what is a player's own."""
        for seat, player in enumerate(self.players):
            key = (self.rules.hash, len(self.players), _moves_key(player))
            place = self.moves.place(key, partial(self._fill, seat))
            self._seats[SEAT_WORDS * seat + SEAT_MOVES] = place

    def _fill(self, seat: int, part: npt.NDArray[np.uint8]) -> None:
        self.work_out(lambda table: self.game.engine.tabulate(seat, table, part))

    def work_out(self, kernel: Callable[[Table], int]) -> None:
        """Let compiled code ask the strategies outside of any game, at a table of their own."""
        own = self._new_table(0)
        own[0].memory[ASKED_GAME] = _NO_GAME
        self._guarded(kernel, own, own[0])

    def _new_table(self, log_rows: int) -> tuple[Table, list[Any]]:
        """Return a table of one thread's own, and the arrays that it points into."""
        engine, n_seats = self.game.engine, len(self.players)
        slots = max(player.notebook for player in self.players)
        notebooks = aligned_zeros(n_seats * slots, np.int64)
        streams = aligned_zeros(engine.STREAMS, np.uint64)
        minds = aligned_zeros(n_seats * MIND_WORDS, np.int64)
        keep: list[Any] = []
        for seat, player in enumerate(self.players):
            params = np.array(player.params, dtype=np.float64)
            notebook = notebooks[seat * slots : seat * slots + player.notebook]
            luck = streams[seat : seat + 1]
            own = Me(params, player.data, notebook, luck)
            for name, array in own._asdict().items():
                place = MIND_WORDS * seat + getattr(ME.places, name)
                minds[place : place + 2] = array.ctypes.data, array.size
            keep += own
            minds[MIND_WORDS * seat + MIND_CHOOSE] = address_of(player.choose, engine.CHOOSE)
        table = Table(
            players=len(self.players),
            watched=int(self._watched or log_rows > 0),
            minds=_read_only(minds),
            seats=_read_only(self._seats),
            moves=_read_only(self.moves.tables),
            book=self._book,
            memory=engine.new_memory(self.rules, len(self.players)),
            streams=streams,
            notebooks=notebooks,
            log=np.zeros((log_rows, engine.LOG_COLUMNS), dtype=np.int64),
            tallies=aligned_zeros(self._n_tallies, np.int64),
        )
        return table, keep

    def _guarded(self, kernel: Callable[..., int], own: tuple[Table, list[Any]], *args: Any) -> int:
        """Call compiled code; turn a strategy's failure into a sentence.

        A thread that hangs in it keeps the table and all that the table points into.
        """
        table, keep = own
        table.memory[ASKED_SEAT] = _NOBODY_ASKED

        def play(keep: list[Any] = keep) -> int:
            return kernel(*args)

        try:
            result = attended(play, table.memory, lambda what: self._failure(table, what))
        except BadInput:
            raise
        except Exception as error:
            if table.memory[ASKED_SEAT] == _NOBODY_ASKED:
                raise
            raise self._failure(table, f"raised {error_in_words(error)}") from None
        if result == FAILED:
            answer = int(table.memory[ASKED_ANSWER])
            if answer == DREW_LUCK:
                own_only = self.players[int(table.memory[ASKED_SEAT])].flags & OWN_ONLY
                promise = "look only at its own" if own_only else "be deterministic"
                raise self._failure(table, f"drew luck though it promises to {promise}")
            raise self._failure(table, f"answered {answer}, which is not a legal choice")
        return result

    def _failure(self, table: Table, what: str) -> BadInput:
        seat = int(table.memory[ASKED_SEAT])
        game = int(table.memory[ASKED_GAME])
        when = f"in game {game}" if game >= 0 else "before game 0, working out all its choices,"
        if seat == _NOBODY_ASKED:
            return BadInput(f"the game {what}, {when} with seed {int(self.seeds[0])}")
        decision = self.game.decisions[int(table.memory[ASKED_DECISION])]
        return BadInput(
            f"strategy '{self.players[seat].name}' in seat {seat} {what}, at the decision "
            f"'{decision}' {when} with seed {int(self.seeds[0])}"
        )

    def rows(self, first: int, last: int) -> Rows:
        """Play games `first` … `last` - 1 in this thread; return one row of outcomes each."""
        return self._play(first, last, self._empty_rows(last - first))

    def sums(self, part: range) -> Sums:
        """Play the games of `part` in this thread; return their sums."""
        rows = getattr(self._tables, "rows", None)
        if rows is None or len(rows) != len(part):
            rows = self._tables.rows = self._empty_rows(len(part))
        return self._added_up(self._play(part.start, part.stop, rows))

    def _added_up(self, rows: Rows) -> Sums:
        """Return the sums of the rows that this thread has just played, with their tallies."""
        sums = add_up(rows, len(self.players), self.game.part is not None)
        table, _ = self._tables.own
        filled = np.flatnonzero(table.tallies)
        counts = table.tallies[filled]
        sums.tallies.update(dict(zip(filled.tolist(), counts.tolist(), strict=True)))
        return sums

    def rows_and_sums(self, part: range) -> tuple[Rows, Sums]:
        """Play the games of `part` in this thread; return their rows and sums."""
        rows = self.rows(part.start, part.stop)
        return rows, self._added_up(rows)

    def _empty_rows(self, n_games: int) -> Rows:
        return np.empty((n_games, len(self.columns)), dtype=np.int32)

    def _play(self, first: int, last: int, rows: Rows) -> Rows:
        if not hasattr(self._tables, "own"):
            self._tables.own = self._new_table(0)
            self._tables.piece = _FIRST_PIECE
        own = self._tables.own
        table, _ = own
        table.tallies[:] = 0
        try:
            begin = first
            while begin < last:
                leave_if_unwanted()
                end, begun = min(last, begin + self._tables.piece), time.perf_counter()
                part = rows[begin - first : end - first]
                play_games = self.game.engine.play_games
                self._guarded(play_games, own, begin, end, self.seeds, table, part)
                self._adapt(end - begin, time.perf_counter() - begun)
                begin = end
        except BaseException:
            del self._tables.own  # it was left in the middle of a game
            raise
        return rows

    def _adapt(self, games: int, seconds: float) -> None:
        """Let a piece be as long as may pass before a thread sees that it is not wanted."""
        if seconds > _LONG_PIECE_SECONDS:
            self._tables.piece = max(1, games // _PIECE_FACTOR)
        elif seconds < _LONG_PIECE_SECONDS / _PIECE_FACTOR**2 and games == self._tables.piece:
            self._tables.piece = games * _PIECE_FACTOR

    def logged(self, number: int) -> tuple[Rows, Ints]:
        """Play one game; return its row and its log."""
        while True:
            own = getattr(self._tables, "logging", None) or self._new_table(_FIRST_LOG)
            self._tables.logging = None  # unless it comes through, it is left in mid-game
            table, _ = own
            room = len(table.log)
            rows = self._empty_rows(1)
            args = (number, number + 1, self.seeds, table, rows)
            length = self._guarded(self.game.engine.play_games, own, *args)
            if length <= room:
                self._tables.logging = own
                return rows, table.log[:length].copy()
            self._tables.logging = self._new_table(length)


def _read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a window on `array` that cannot be written."""
    window = array.view()
    window.flags.writeable = False
    return window


def chunks(first: int, last: int, threads: int, size: int | None = None) -> Iterator[range]:
    """Split games `first` … `last` - 1 into runs of consecutive numbers, as many a thread."""
    if size is None:
        n_games = last - first
        rounds = max(_FEWEST_ROUNDS, -(-n_games // (threads * LARGEST_CHUNK)))
        size = max(1, -(-n_games // (threads * rounds)))
    for begin in range(first, last, size):
        yield range(begin, min(begin + size, last))


class Crew(Protocol):
    """Who plays: the threads of this process, or others elsewhere."""

    @property
    def hands(self) -> int:
        """How many play at the same time."""

    def play_all(
        self, work: Callable[[range], Any], parts: Iterator[range]
    ) -> Generator[tuple[range, Any], None, None]:
        """Do `work` on all parts; yield results in the order of the parts."""


class Threads:
    """Threads of this process, one for each core unless told otherwise."""

    def __init__(self, hands: int | None = None) -> None:
        self.hands = hands or cores()

    def play_all(
        self, work: Callable[[range], Any], parts: Iterator[range]
    ) -> Generator[tuple[range, Any], None, None]:
        """Do `work` on all parts; yield results in the order of the parts.

        At most a few parts are under way, so that memory does not grow with their number.
        """
        with Pool(self.hands) as pool:
            waiting = deque(
                (part, pool.submit(partial(work, part))) for part in islice(parts, 2 * self.hands)
            )
            while waiting:
                part, future = waiting.popleft()
                result = pool.result(future)
                for following in islice(parts, 1):
                    waiting.append((following, pool.submit(partial(work, following))))
                yield part, result


is_held_off = threading.Event()
"""Set while Ctrl-C waits."""


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let Ctrl-C wait until what is begun here is whole."""
    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or usual is None:
        yield  # only the main thread is interrupted, and only by a handler of Python's
        return
    pressed: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number))
    is_held_off.set()
    try:
        yield
    finally:
        is_held_off.clear()
        signal.signal(signal.SIGINT, usual)
        if pressed:
            signal.raise_signal(signal.SIGINT)


def simulate(
    work: Callable[[range], Any],
    into: Any,
    games: range,
    *,
    crew: Crew | None = None,
    chunk: int | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Any:
    """Do `work` (such as `Bout.sums`) on `games`, merge all `into` one and return it.

    Interrupted, it leaves in `into` the sums of an unbroken run of games from the first on.
    """
    crew = crew or Threads()
    parts = chunks(games.start, games.stop, crew.hands, chunk)
    with closing(crew.play_all(work, parts)) as played:
        for part, result in played:
            with uninterrupted():  # whoever notes how far it is must know what has been added
                into.add(result)
                if on_progress is not None:
                    on_progress(part.stop - games.start)
    return into
