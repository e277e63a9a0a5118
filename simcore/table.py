"""The table that every game is played at, as the compiled loops get it.

A strategy of any game is one compiled function, ``choose(decision, view, me) -> int``.  The *view*
is the game's own window and shows what a player could know; *me* is the same everywhere.
docs/architecture.md has why it is so, and what was measured.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import int32, int64, types, uint8, uint64

from herdlab.simcore._jit import inlined, readonly
from herdlab.simcore.game import Game
from herdlab.simcore.rng import CHOICE, Luck, game_key, stream_key
from herdlab.simcore.window import Field, Places, Window, opener

Ints = npt.NDArray[np.int64]
Rows = npt.NDArray[np.int32]
"""What a game leaves, or several: see `Game.columns`."""
Seeds = npt.NDArray[np.uint64]
"""A seed for each kind of stream."""

OBSERVE = 0
"""The decision number with which a strategy is told of an event; its answer is ignored."""

OWN_ONLY, OBSERVES = 1, 2
"""Flags of a strategy: looks only at what is its own and at the legal moves; wants events."""

FAILED = -1
"""What a loop returns when a strategy's choice was not legal; `Table.memory` tells which."""

DREW_LUCK = -(1 << 62)
"""Noted as the answer of a strategy that drew luck though it looks only at what is its own."""


class Me(NamedTuple):
    """What belongs to the strategy that is asked."""

    params: npt.NDArray[np.float64]
    """Its parameters, in the order of their declaration; read-only."""
    data: npt.NDArray[np.uint8]
    """Its table, made once from rules and parameters, as bytes (``data.view(np.float64)`` reads
    others); read-only."""
    notebook: Ints
    """Its memory within a game, zero at the start; it alone writes it."""
    luck: Luck
    """Its own stream of random numbers, for `simcore.rng.below`."""


ME = Window(
    "Me",
    Field("params", "float64", is_reference=True),
    Field("data", "uint8", is_reference=True),
    Field("notebook", is_reference=True, is_writable=True),
    Field("luck", "uint64", is_reference=True, is_writable=True),
)
MIND_CHOOSE = ME.places.end
"""Where a seat's compiled function is, after what the window shows."""
MIND_WORDS = MIND_CHOOSE + 1
me_at = opener(ME)


class Table(NamedTuple):
    """One thread's table: the rules and strategies, which it reads, and its working memory."""

    players: int
    watched: int
    """Whether anything is logged or observed."""
    minds: Ints
    """(seats * MIND_WORDS) where each seat's arrays for `Me`, and its compiled function, are;
    read-only."""
    seats: Ints
    """(seats * SEAT_WORDS) flags, and where the tabulated choices begin; read-only."""
    moves: npt.NDArray[np.uint8]
    """Tabulated choices, one table after another; read-only."""
    book: Ints
    """The rules and the position to start from, as the game lays them out; read-only."""
    memory: Ints
    """The game's state: first what all games note (ASKED_GAME …), then as each lays it out."""
    streams: Luck
    """Positions in the streams of random numbers; the seats' own choices come first."""
    notebooks: Ints
    """All seats' notebooks, one after another."""
    log: Ints
    """(rows, columns) what happened, as far as there is room."""
    tallies: Ints
    """What a game adds up over its parts, its histograms and curves, where `Game.tallies` says."""


SEAT_WORDS = 2
SEAT_FLAGS, SEAT_MOVES = range(SEAT_WORDS)

ASKED_GAME, ASKED_SEAT, ASKED_DECISION, ASKED_ANSWER, LOGGED = range(5)
"""The last question, and how many rows the log has, or would have with room for them."""
MEMORY_START = 8


_CACHE_LINE, _HUGE_PAGE = 64, 1 << 21


def aligned_zeros(size: int, dtype: Any) -> npt.NDArray[Any]:
    """Return an array of zeros that begins a cache line; a large one begins a huge page.

    Left to chance, a table that straddles lines, or is scattered over small pages, makes some
    processes a third slower than others.
    """
    n_bytes = size * np.dtype(dtype).itemsize
    unit = _HUGE_PAGE if n_bytes >= _HUGE_PAGE else _CACHE_LINE
    room = np.zeros(n_bytes + unit, dtype=np.uint8)
    begin = -room.ctypes.data % unit
    return room[begin : begin + n_bytes].view(dtype)


_READ, _WRITE = readonly(int64), int64[::1]
TABLE = types.NamedTuple(
    (
        *(int64, int64, _READ, _READ, readonly(uint8), _READ),
        *(_WRITE, uint64[::1], _WRITE, int64[:, ::1], _WRITE),
    ),
    Table,
)


TELL = (_READ, _READ, _WRITE, int64[:, ::1])
"""The types of a table's minds, seats, memory and log: all that telling takes."""
PLAY_GAMES = int64(int64, int64, uint64[::1], TABLE, int32[:, ::1])
"""The compiled signature of `play_games(first, last, seeds, table, rows)`."""


def choose_type(view: Window) -> Any:
    """Return the compiled signature of a strategy in the game with this view."""
    return int64(int64, view, ME)


@inlined
def begin_game(game: int, seeds: Seeds, table: Table, row: Rows) -> None:
    """Set out for a game: the seats' own luck, empty notebooks, an empty row and log."""
    table.memory[ASKED_GAME], table.memory[LOGGED] = game, 0
    key = game_key(seeds[CHOICE], game)
    for seat in range(table.players):
        table.streams[seat] = stream_key(key, CHOICE, seat)
    for slot in range(table.notebooks.shape[0]):
        table.notebooks[slot] = 0
    for column in range(row.shape[0]):
        row[column] = 0


def event_places(game: Game) -> tuple[Places, Places]:
    """Return where each event of a seat stands among its events, and each of a game likewise."""
    of_seat = Places(0, *[one.name for one in game.events if one.per_seat])
    return of_seat, Places(0, *[one.name for one in game.events if not one.per_seat])
