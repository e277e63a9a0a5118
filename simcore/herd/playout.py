"""Playing on in one's head: a second table, laid out in a strategy's own memory.

A strategy that plays positions out has in its data a *kit*, all that no game changes: the rules,
and the one strategy that sits in every seat of the second table.  Its notebook is the *desk*, with
what a game changes.  `simcore.herd.playing_out` makes kits and has the loop, which is the engine's
own and is called by its address: importing this file compiles nothing.

The player himself has seat 0 of the second table, the k-th to his left seat k.
"""

import numpy as np

from herdlab.simcore._jit import inner
from herdlab.simcore.herd.herds import ADD_HERD, ADD_SUPPLY, SHIFT, is_complete, trade_row
from herdlab.simcore.herd.rare_events import exchange
from herdlab.simcore.herd.rule_tables import (
    BOOK,
    EFFECTS,
    EVENTS,
    HERD_BITS,
    LOW_BYTE,
    WIDTHS,
    WORDS,
)
from herdlab.simcore.herd.rules import DOG, MAX_PLAYERS
from herdlab.simcore.herd.view import (
    AFTER,
    BEFORE,
    LOG_COLUMNS,
    MEMORY_SIZE,
    NOBODY,
    ROLL,
    SEEN,
    STREAMS,
    View,
    call_choose,
)
from herdlab.simcore.rng import GAMMA, KINDS, Luck, mix64
from herdlab.simcore.table import (
    MIND_CHOOSE,
    MIND_DATA,
    MIND_LUCK,
    MIND_NOTEBOOK,
    MIND_PARAMS,
    MIND_WORDS,
    SEAT_WORDS,
    Me,
    me_at,
)
from herdlab.simcore.window import WORD, Field, Window, address, opener

_LINE = 8
"""Words of a line of the processor's cache."""
_MOST_EFFECTS = 1 + 2 * sum(1 << width for width in WIDTHS) + LOW_BYTE + 1
"""Rows of effects, at most: none, one or two symbols of each animal, a fox."""
BOOK_ROOM = EFFECTS + WORDS * _MOST_EFFECTS
"""Words of the longest book, at most."""
_ROW_COLUMNS = 2 + len(EVENTS) * MAX_PLAYERS

# The kit: six numbers, then its arrays.
KIT_PLAY, KIT_CHOOSE, KIT_PARAMS, KIT_N_PARAMS, KIT_DATA, KIT_N_DATA = range(6)
KIT_SEATS = _LINE
KIT_BOOK = KIT_SEATS + SEAT_WORDS * MAX_PLAYERS
KIT_MOVES = -(-(KIT_BOOK + BOOK_ROOM) // _LINE) * _LINE
KIT_END = KIT_MOVES + (1 << HERD_BITS) // WORD
"""From here on the parameters and the data of the strategy in its seats."""
KIT = Window(
    "HerdKit",
    (
        Field("play", KIT_PLAY),
        Field("choose", KIT_CHOOSE),
        Field("params", KIT_PARAMS),
        Field("n_params", KIT_N_PARAMS),
        Field("data", KIT_DATA),
        Field("n_data", KIT_N_DATA),
        Field("seats", KIT_SEATS, shape=(SEAT_WORDS * MAX_PLAYERS,)),
        Field("book", KIT_BOOK, shape=(BOOK_ROOM,)),
        Field("moves", KIT_MOVES, "uint8", shape=(1 << HERD_BITS,)),
    ),
)
kit_at = opener(KIT)

# The desk: two numbers, then the arrays of the second table.
_READY, _PLAYERS = range(2)
_MINDS = _LINE
_SEEDS = _MINDS + MIND_WORDS * MAX_PLAYERS
_STREAMS = _SEEDS + len(KINDS)
_ROWS = _STREAMS + STREAMS
_MEMORY = _ROWS + -(-_ROW_COLUMNS // 2)
_BOOK = _MEMORY + MEMORY_SIZE
DESK_WORDS = _BOOK + BOOK_ROOM
"""Slots of the notebook of a strategy that plays out."""
DESK = Window(
    "HerdDesk",
    (
        Field("players", _PLAYERS),
        Field("minds", _MINDS, shape=(MIND_WORDS * MAX_PLAYERS,)),
        Field("seeds", _SEEDS, "uint64", shape=(len(KINDS),), is_writable=True),
        Field("streams", _STREAMS, "uint64", shape=(STREAMS,), is_writable=True),
        Field("rows", _ROWS, "int32", shape=(1, _ROW_COLUMNS), is_writable=True),
        Field("memory", _MEMORY, shape=(MEMORY_SIZE,), is_writable=True),
        Field("book", _BOOK, shape=(BOOK_ROOM,)),
        Field("notebooks", 0, shape=(0,), is_writable=True),
        Field("log", 0, shape=(0, LOG_COLUMNS), is_writable=True),
        Field("tallies", 0, shape=(0,), is_writable=True),
    ),
)
desk_at = opener(DESK)


@inner
def fresh_luck(luck: Luck) -> np.uint64:
    """Draw 64 random bits, for luck of one's own making."""
    luck[0] += GAMMA
    return mix64(luck[0])


@inner
def sit_down(view: View, me: Me) -> None:
    """Lay out the desk, once a game."""
    desk = me.notebook
    if desk[_READY]:
        return
    kit = kit_at(me.data, 0)
    for word in range(BOOK_ROOM):
        desk[_BOOK + word] = kit.book[word]
    for animal in range(DOG + 1):
        desk[_MEMORY + SEEN.prices + animal] = kit.book[BOOK.prices + animal]
        desk[_MEMORY + SEEN.limits + animal] = kit.book[BOOK.limits + animal]
    of_desk, of_kit = address(me.notebook), address(me.data)
    for seat in range(view.players):
        mind = _MINDS + MIND_WORDS * seat
        desk[mind + MIND_PARAMS] = of_kit + WORD * kit.params
        desk[mind + MIND_PARAMS + 1] = kit.n_params
        desk[mind + MIND_DATA] = of_kit + WORD * kit.data
        desk[mind + MIND_DATA + 1] = kit.n_data
        desk[mind + MIND_NOTEBOOK] = of_desk
        desk[mind + MIND_NOTEBOOK + 1] = 0
        desk[mind + MIND_LUCK] = of_desk + WORD * (_STREAMS + seat)
        desk[mind + MIND_LUCK + 1] = 1
        desk[mind + MIND_CHOOSE] = kit.choose
    desk[_PLAYERS] = view.players
    desk[_READY] = 1


@inner
def choice_of_kit(decision: int, view: View, me: Me) -> int:
    """Return what the strategy of the kit would do now."""
    desk = desk_at(me.notebook, 0)
    desk.streams[0] = fresh_luck(me.luck)
    return call_choose(kit_at(me.data, 0).choose, decision, view, me_at(desk.minds, 0))


@inner
def put_position(view: View, me: Me) -> None:
    """Put on the desk what the player sees."""
    desk = me.notebook
    supply = 0
    for animal in range(DOG + 1):
        supply += view.supply[animal] << (8 * animal)
    for k in range(view.players):
        herd = 0
        for animal in range(DOG + 1):
            herd += view.herds[k, animal] << SHIFT[animal]
        desk[_BOOK + BOOK.start_herds + k] = herd
    desk[_BOOK + BOOK.start_supply] = supply
    desk[_BOOK + BOOK.start_seat] = 0
    desk[_BOOK + BOOK.start_phase] = view.phase
    desk[_BOOK + BOOK.start_t] = view.t_in_force
    desk[_BOOK + BOOK.start_turn] = view.turn
    desk[_BOOK + BOOK.start_skunk] = view.skunk


@inner
def put_trade(trade: int, partner: int, me: Me) -> int:
    """Make `trade`, or none, on the desk and go on to what follows; return who has won by it.

    It is made with the k-th player to the left, or with the supply if `partner` is 0.
    """
    desk, book = me.notebook, desk_at(me.notebook, 0).book
    herd, other, supply = book[BOOK.start_herds], np.int64(0), book[BOOK.start_supply]
    if partner > 0:
        other = book[BOOK.start_herds + partner]
        herd, other, supply = exchange(herd, other, trade, supply, book)
        desk[_BOOK + BOOK.start_herds + partner] = other
    else:
        herd += book[trade_row(trade) + ADD_HERD]
        supply += book[trade_row(trade) + ADD_SUPPLY]
    desk[_BOOK + BOOK.start_herds] = herd
    desk[_BOOK + BOOK.start_supply] = supply
    if book[BOOK.start_phase] == BEFORE:
        desk[_BOOK + BOOK.start_phase] = ROLL
    else:  # H5: the turn is over
        desk[_BOOK + BOOK.start_seat] = 1 if desk[_PLAYERS] > 1 else 0
        desk[_BOOK + BOOK.start_phase] = BEFORE
        desk[_BOOK + BOOK.start_t] = 0
        desk[_BOOK + BOOK.start_turn] = book[BOOK.start_turn] + 1
    if is_complete(herd):  # H4: he whose turn it is comes first
        return 0
    return partner if is_complete(other) else NOBODY


@inner
def put_skunk(k: int, me: Me) -> None:
    """Give the skunk to the k-th player to the left and go on to the trade after the roll.

    As if no T had come with it: the player is not told, and on the assumed dice none can.
    """
    desk = me.notebook
    desk[_BOOK + BOOK.start_skunk] = k
    desk[_BOOK + BOOK.start_phase] = AFTER


@inner
def draw_luck(me: Me) -> None:
    """Draw the luck of the games to come."""
    seeds, luck = desk_at(me.notebook, 0).seeds, fresh_luck(me.luck)
    for kind in range(seeds.shape[0]):
        seeds[kind] = luck


@inner
def play_out(game: int, view: View, me: Me) -> int:
    """Play a game of this number from the position on the desk; return 1 if he wins, 0, or FAILED.

    The same number gives everybody the same dice until luck is drawn again, whatever the position.
    """
    return call_choose(kit_at(me.data, 0).play, game, view, me)
