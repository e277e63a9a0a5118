"""Asking the strategies of SWAP! for their decisions, and telling them what happens.

Whatever takes a whole table is compiled into its caller: a call would copy a hundred words.
"""

import numpy as np
import numpy.typing as npt
from numba import int64, uint8, void

from herdlab.simcore._jit import inlined, inner_as, njit_as
from herdlab.simcore.asking import drew_luck, is_own_only, observes, write_log
from herdlab.simcore.piles import left_of
from herdlab.simcore.swap import view
from herdlab.simcore.swap.rules import COLOURS, KINDS, SWAP_KIND
from herdlab.simcore.swap.view import NONE, ROOM, SEEN, STATE
from herdlab.simcore.table import FAILED, OBSERVE, TABLE, TELL, Ints, Table

_N_COLOURS = len(COLOURS)
MOVES_SIZE = 1 << len(KINDS)
"""A table of choices has a kind for every set of kinds that can be played."""
_OF_A_DRAW = (view.DREW, view.FALSE_SLAP, view.EMPTIED)


@inlined
def put(decision: int, place: int, minds: Ints, memory: Ints) -> int:
    """Put a decision to the strategy at `place`, which sees its own hand and what all can see."""
    memory[SEEN.hand], memory[SEEN.place] = memory[STATE.hands + place], place
    return view.ask(decision, memory[SEEN.who + place], SEEN.begin, minds, memory)


@inlined
def choose_kind(place: int, playable: int, table: Table) -> int:
    """S4: let the player choose the kind of card he plays; return it, or FAILED."""
    table.memory[SEEN.playable] = playable
    kind = put(view.PLAY, place, table.minds, table.memory)
    table.memory[SEEN.playable] = 0
    return kind if 0 <= kind <= SWAP_KIND and (playable >> kind) & 1 else FAILED


@inlined
def choose_partner(place: int, table: Table) -> int:
    """S6: let the player choose whom to swap with, in places to his left; return it, or FAILED."""
    if table.players == 2:  # noqa: PLR2004
        return 1
    k = put(view.PARTNER, place, table.minds, table.memory)
    return k if 1 <= k < table.players else FAILED


@inlined
def choose_colour(place: int, barred: int, table: Table) -> int:
    """S2, S6, S8: let the player name a colour, not the `barred` one; return it, or FAILED."""
    table.memory[SEEN.barred] = barred
    colour = put(view.COLOUR, place, table.minds, table.memory)
    table.memory[SEEN.barred] = NONE
    if not 0 <= colour < _N_COLOURS or colour == barred:
        return FAILED
    table.memory[SEEN.colour] = colour
    tell(view.NAMED, place, colour, NONE, table)
    return colour


@inlined
def choose_direction(place: int, table: Table) -> int:
    """S7: let the player say which way all hands go; return it, or FAILED."""
    direction = put(view.DIRECTION, place, table.minds, table.memory)
    return direction if direction in (view.TO_THE_LEFT, view.TO_THE_RIGHT) else FAILED


@njit_as(int64(int64, TABLE, uint8[::1]))
def tabulate(seat: int, table: Table, moves: npt.NDArray[np.uint8]) -> int:
    """Fill `moves` with the kind that `seat`'s strategy plays of every set that can be played.

    A strategy that looks at more is asked in play.  Returns FAILED or 0.
    """
    if not is_own_only(seat, table.seats):
        return 0
    memory, streams = table.memory, table.streams
    memory[SEEN.who] = seat
    for playable in range(1, MOVES_SIZE):
        luck = streams[seat]
        kind = choose_kind(0, playable, table)
        if drew_luck(seat, luck, streams, memory) or kind == FAILED:
            return FAILED
        moves[playable] = kind
    return 0


@inlined
def tell(what: int, place: int, first: int, second: int, table: Table) -> None:
    """Log what has happened and tell the strategies that observe.

    `place` is where the player sits whose deed it is; `first` of a swap or slap is a place.
    """
    if table.watched:
        minds, seats, memory, log = table.minds, table.seats, table.memory, table.log
        _tell(what, place, first, second, minds, seats, memory, log)


@inner_as(void(int64, int64, int64, int64, *TELL))
def _tell(
    what: int,
    place: int,
    first: int,
    second: int,
    minds: Ints,
    seats: Ints,
    memory: Ints,
    log: Ints,
) -> None:
    """Log everything; tell what all can see, and to each what it gave or took itself."""
    player, shown, players = memory[SEEN.who + place], first, memory[SEEN.players]
    if what in (view.SLAPPED, view.SWAPPED):
        shown = memory[SEEN.who + first]
    state = memory[SEEN.colour], memory[SEEN.pile], memory[SEEN.discards]
    numbers = (what, memory[SEEN.turn], player, shown, second, *state)
    write_log(numbers, (STATE.hands, SEEN.who), ROOM, memory, log)
    if what in (view.WON, view.DRAWN_GAME):
        return
    memory[SEEN.happening], memory[SEEN.happened_to] = what, player
    memory[SEEN.detail_1] = NONE if what in (view.PASSED, view.RESHUFFLED) else shown
    for observer in range(players):
        if observes(memory[SEEN.who + observer], seats):
            own = observer in (place, first)
            memory[SEEN.detail_2] = second if what == view.SLAPPED and own else NONE
            if what in _OF_A_DRAW:
                memory[SEEN.detail_1] = first if observer == place else NONE
            elif what == view.SWAPPED and own:
                other = first if observer == place else place
                memory[SEEN.given] = memory[STATE.hands + other]
            elif what == view.SUPER_SWAPPED:
                k = 1 if first == view.TO_THE_LEFT else players - 1
                memory[SEEN.given] = memory[STATE.hands + left_of(observer, k, players)]
            put(OBSERVE, observer, minds, memory)
            memory[SEEN.given] = 0
    memory[SEEN.happening], memory[SEEN.happened_to] = 0, NONE
    memory[SEEN.detail_1], memory[SEEN.detail_2] = NONE, NONE
