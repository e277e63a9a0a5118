"""Asking the strategies of SWAP! for their decisions, and telling them what happens.

Whatever takes a whole table is compiled into its caller: a call would copy a hundred words.
"""

from numba import int64

from herdlab.simcore._jit import inlined, inner_as
from herdlab.simcore.piles import left_of
from herdlab.simcore.swap.rules import COLOURS, SWAP_KIND
from herdlab.simcore.swap.view import (
    COLOUR,
    DEALT,
    DIRECTION,
    DRAWN_GAME,
    DREW,
    EMPTIED,
    FALSE_SLAP,
    NAMED,
    NONE,
    PARTNER,
    PLAY,
    PLAYED,
    ROOM,
    SEEN,
    SLAPPED,
    STATE,
    SUPER_SWAPPED,
    SWAPPED,
    TO_THE_LEFT,
    TO_THE_RIGHT,
    WON,
    call_choose,
    view_at,
)
from herdlab.simcore.table import (
    ASKED_ANSWER,
    ASKED_DECISION,
    ASKED_SEAT,
    FAILED,
    MIND_CHOOSE,
    MIND_WORDS,
    OBSERVE,
    OBSERVES,
    SEAT_FLAGS,
    SEAT_WORDS,
    TABLE,
    Table,
    me_at,
)

_N_COLOURS = len(COLOURS)


@inlined
def put(decision: int, place: int, table: Table) -> int:
    """Put a decision to the strategy at `place`, which sees its own hand and what all can see."""
    memory = table.memory
    player = memory[SEEN.who + place]
    memory[SEEN.hand] = memory[STATE.hands + place]
    memory[SEEN.place] = place
    memory[ASKED_SEAT], memory[ASKED_DECISION] = player, decision
    mind = MIND_WORDS * player
    view, me = view_at(memory, SEEN.begin), me_at(table.minds, mind)
    answer = call_choose(table.minds[mind + MIND_CHOOSE], decision, view, me)
    memory[ASKED_ANSWER] = answer
    return answer


@inlined
def choose_kind(place: int, playable: int, table: Table) -> int:
    """S4: let the player choose the kind of card he plays; return it, or FAILED."""
    memory = table.memory
    memory[SEEN.playable] = playable
    kind = put(PLAY, place, table)
    memory[SEEN.playable] = 0
    return kind if 0 <= kind <= SWAP_KIND and (playable >> kind) & 1 else FAILED


@inlined
def choose_partner(place: int, table: Table) -> int:
    """S6: let the player choose whom to swap with, in places to his left; return it, or FAILED."""
    if table.players == 2:  # noqa: PLR2004
        return 1
    k = put(PARTNER, place, table)
    return k if 1 <= k < table.players else FAILED


@inlined
def choose_colour(place: int, barred: int, table: Table) -> int:
    """S2, S6, S8: let the player name a colour, not the `barred` one; return it, or FAILED."""
    table.memory[SEEN.barred] = barred
    colour = put(COLOUR, place, table)
    table.memory[SEEN.barred] = NONE
    return colour if 0 <= colour < _N_COLOURS and colour != barred else FAILED


@inlined
def choose_direction(place: int, table: Table) -> int:
    """S7: let the player say which way all hands go; return it, or FAILED."""
    direction = put(DIRECTION, place, table)
    return direction if direction in (TO_THE_LEFT, TO_THE_RIGHT) else FAILED


@inner_as(int64(int64, int64, int64, int64, int64, int64, TABLE))
def tell(
    what: int, place: int, detail_1: int, detail_2: int, colour: int, n_logged: int, table: Table
) -> int:
    """Log what has happened and tell the strategies that observe; return the new length.

    The log has everything; a strategy is told what all can see, and what it gave or took itself.
    `place` is where the player sits whose deed it is; `detail_1` of a swap or slap is a place.
    """
    memory, log, players = table.memory, table.log, table.players
    player = memory[SEEN.who + place]
    first = detail_1
    if what in (SLAPPED, SWAPPED):
        first = memory[SEEN.who + detail_1]
    if n_logged < log.shape[0]:
        log[n_logged, 0], log[n_logged, 1], log[n_logged, 2] = what, memory[SEEN.turn], player
        log[n_logged, 3], log[n_logged, 4], log[n_logged, 5] = first, detail_2, colour
        log[n_logged, 6], log[n_logged, 7] = memory[SEEN.pile], memory[SEEN.discards]
        for other in range(players):
            log[n_logged, 8 + other] = memory[STATE.hands + other]
            log[n_logged, 8 + ROOM + other] = memory[SEEN.who + other]
    if what not in (WON, DRAWN_GAME):
        memory[SEEN.colour] = colour
        memory[SEEN.happening], memory[SEEN.happened_to] = what, player
        is_public = what in (DEALT, NAMED, PLAYED, SLAPPED, SWAPPED, SUPER_SWAPPED)
        memory[SEEN.detail_1] = first if is_public else NONE
        for observer in range(players):
            if table.seats[SEAT_WORDS * memory[SEEN.who + observer] + SEAT_FLAGS] & OBSERVES:
                own = observer in (place, detail_1)
                memory[SEEN.detail_2] = detail_2 if what == SLAPPED and own else NONE
                if (what in (DREW, FALSE_SLAP, EMPTIED)) and observer == place:
                    memory[SEEN.detail_1] = detail_1
                if what == SWAPPED and own:
                    memory[SEEN.given] = memory[
                        STATE.hands + (detail_1 if observer == place else place)
                    ]
                elif what == SUPER_SWAPPED:
                    k = 1 if detail_1 == TO_THE_LEFT else players - 1
                    memory[SEEN.given] = memory[STATE.hands + left_of(observer, k, players)]
                put(OBSERVE, observer, table)
                memory[SEEN.given] = 0
                if not is_public:
                    memory[SEEN.detail_1] = NONE
        memory[SEEN.happening], memory[SEEN.happened_to] = 0, NONE
        memory[SEEN.detail_1], memory[SEEN.detail_2] = NONE, NONE
    return n_logged + 1
