"""Playing on in one's head: a second table, laid out in a strategy's own memory.

A strategy that plays positions out has in its data a *kit*, all that no game changes: the rules,
and the one strategy that sits in every seat of the second table.  Its notebook is the *desk*, with
what a game changes.  `simcore.herd.playout_loop` makes kits and has the loop, which is the engine's
own and is called by its address: importing this file compiles nothing.

The player has seat 0 of the second table, the k-th to their left seat k.
"""

import numpy as np

from herdlab.simcore._jit import inner
from herdlab.simcore.herd import rule_tables
from herdlab.simcore.herd.events import EVENTS
from herdlab.simcore.herd.herds import SHIFT, after_trade, exchange, is_complete
from herdlab.simcore.herd.rule_tables import BOOK
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
from herdlab.simcore.table import ME, MIND_CHOOSE, MIND_WORDS, SEAT_WORDS, Me, me_at
from herdlab.simcore.window import WORD, Field, Window, address, opener

_MOST_EFFECTS = 1 + 2 * sum(1 << width for width in rule_tables.WIDTHS) + rule_tables.LOW_BYTE + 1
"""Rows of effects, at most: none, one or two symbols of each animal, a fox."""
BOOK_ROOM = rule_tables.EFFECTS + rule_tables.CHANGE.end * _MOST_EFFECTS
"""Words of the longest book, at most."""

_KIT_WINDOW = Window(
    "HerdKit",
    Field("moves", "uint8", (1 << rule_tables.HERD_BITS,)),  # first, since a kit begins a huge page
    *(Field(name) for name in ("play", "choose", "params", "n_params", "data", "n_data")),
    Field("seats", shape=(SEAT_WORDS * MAX_PLAYERS,)),
    Field("book", shape=(BOOK_ROOM,)),
)
KIT = _KIT_WINDOW.places
"""After its end come the parameters and the data of the strategy in its seats."""
kit_at = opener(_KIT_WINDOW)

_DESK_WINDOW = Window(
    "HerdDesk",
    Field("is_laid_out"),
    Field("players"),
    Field("minds", shape=(MIND_WORDS * MAX_PLAYERS,)),
    Field("seeds", "uint64", (len(KINDS),), is_writable=True),
    Field("streams", "uint64", (STREAMS,), is_writable=True),
    Field("rows", "int32", (1, 2 + len(EVENTS) * MAX_PLAYERS), is_writable=True),
    Field("memory", shape=(MEMORY_SIZE,), is_writable=True),
    Field("book", shape=(BOOK_ROOM,)),
    Field("notebooks", shape=(0,), is_writable=True),
    Field("log", shape=(0, LOG_COLUMNS), is_writable=True),
    Field("tallies", shape=(0,), is_writable=True),
)
DESK = _DESK_WINDOW.places
"""Its end is how many slots the notebook of a strategy that plays out has at least."""
desk_at = opener(_DESK_WINDOW)
_MIND = ME.places


@inner
def fresh_luck(luck: Luck) -> np.uint64:
    """Draw 64 random bits, for luck of one's own making."""
    luck[0] += GAMMA
    return mix64(luck[0])


@inner
def sit_down(view: View, me: Me) -> None:
    """Lay out the desk, once a game."""
    desk = me.notebook
    if desk[DESK.is_laid_out]:
        return
    kit = kit_at(me.data, 0)
    for word in range(BOOK_ROOM):
        desk[DESK.book + word] = kit.book[word]
    for animal in range(DOG + 1):
        desk[DESK.memory + SEEN.prices + animal] = kit.book[BOOK.prices + animal]
        desk[DESK.memory + SEEN.limits + animal] = kit.book[BOOK.limits + animal]
    of_desk, of_kit = address(me.notebook), address(me.data)
    for seat in range(view.players):
        mind = DESK.minds + MIND_WORDS * seat
        desk[mind + _MIND.params] = of_kit + WORD * kit.params
        desk[mind + _MIND.params + 1] = kit.n_params
        desk[mind + _MIND.data] = of_kit + WORD * kit.data
        desk[mind + _MIND.data + 1] = kit.n_data
        desk[mind + _MIND.notebook] = of_desk
        desk[mind + _MIND.notebook + 1] = 0
        desk[mind + _MIND.luck] = of_desk + WORD * (DESK.streams + seat)
        desk[mind + _MIND.luck + 1] = 1
        desk[mind + MIND_CHOOSE] = kit.choose
    desk[DESK.players] = view.players
    desk[DESK.is_laid_out] = 1


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
        desk[DESK.book + BOOK.herds + k] = herd
    desk[DESK.book + BOOK.supply] = supply
    desk[DESK.book + BOOK.seat] = 0
    desk[DESK.book + BOOK.phase] = view.phase
    desk[DESK.book + BOOK.t_in_force] = view.t_in_force
    desk[DESK.book + BOOK.turn] = view.turn
    desk[DESK.book + BOOK.skunk] = view.skunk


@inner
def put_trade(trade: int, partner: int, me: Me) -> int:
    """Make `trade`, or none, on the desk and go on to what follows; return who has won by it.

    It is made with the k-th player to the left, or with the supply if `partner` is 0.
    """
    desk, book = me.notebook, desk_at(me.notebook, 0).book
    herd, other, supply = book[BOOK.herds], np.int64(0), book[BOOK.supply]
    if partner > 0:
        other = book[BOOK.herds + partner]
        herd, other, supply = exchange(herd, other, trade, supply, book)
        desk[DESK.book + BOOK.herds + partner] = other
    else:
        herd, supply, _ = after_trade(trade, herd, supply, book)
    desk[DESK.book + BOOK.herds] = herd
    desk[DESK.book + BOOK.supply] = supply
    if book[BOOK.phase] == BEFORE:
        desk[DESK.book + BOOK.phase] = ROLL
    else:  # H5: the turn is over
        desk[DESK.book + BOOK.seat] = 1 if desk[DESK.players] > 1 else 0
        desk[DESK.book + BOOK.phase] = BEFORE
        desk[DESK.book + BOOK.t_in_force] = 0
        desk[DESK.book + BOOK.turn] = book[BOOK.turn] + 1
    if is_complete(herd):  # H4: the player whose turn it is comes first
        return 0
    return partner if is_complete(other) else NOBODY


@inner
def put_skunk(k: int, me: Me) -> None:
    """Give the skunk to the k-th player to the left and go on to the trade after the roll.

    As if no T had come with it: the player is not told, and on the assumed dice none can.
    """
    desk = me.notebook
    desk[DESK.book + BOOK.skunk] = k
    desk[DESK.book + BOOK.phase] = AFTER


@inner
def draw_luck(me: Me) -> None:
    """Draw the luck of the games to come."""
    seeds, luck = desk_at(me.notebook, 0).seeds, fresh_luck(me.luck)
    for kind in range(seeds.shape[0]):
        seeds[kind] = luck


@inner
def play_out(game: int, view: View, me: Me) -> int:
    """Play a game of this number from the position on the desk; return 1 if they win, 0, or FAILED.

    The same number gives everybody the same dice until luck is drawn again, whatever the position.
    """
    return call_choose(kit_at(me.data, 0).play, game, view, me)
