"""Asking the strategies of Have You Herd? for their decisions, and telling them what happens.

Whatever takes a whole table is compiled into its caller: a call would copy a hundred words.
"""

import numpy as np
from numba import int64

from herdlab.simcore._jit import inlined, inner_as
from herdlab.simcore.herd.herds import (
    ADD_HERD,
    BYTE,
    MASK,
    SHIFT,
    affordable,
    in_supply,
    is_complete,
    owned,
    trade_row,
)
from herdlab.simcore.herd.rule_tables import TRADE_BITS, WINS
from herdlab.simcore.herd.rules import DOG, NO_TRADE, TO_DOG
from herdlab.simcore.herd.view import (
    BEFORE,
    MEMO,
    MEMO_BITS,
    NOBODY,
    SEEN,
    SKUNKED,
    STATE,
    TRADE,
    TRADED,
    WON,
    call_choose,
    view_at,
)
from herdlab.simcore.rng import GAMMA
from herdlab.simcore.table import (
    ASKED_ANSWER,
    ASKED_DECISION,
    ASKED_SEAT,
    DREW_LUCK,
    FAILED,
    MIND_CHOOSE,
    MIND_WORDS,
    OBSERVE,
    OBSERVES,
    OWN_ONLY,
    SEAT_FLAGS,
    SEAT_MOVES,
    SEAT_WORDS,
    TABLE,
    Ints,
    Table,
    me_at,
)

_PLACES = 3  # tells the compiler that a seat is not negative
_ANIMALS = np.uint64(DOG + 1)  # unsigned indexes need no check for being negative
_SUPPLY_SHIFT = np.array([8 * animal for animal in range(DOG + 1)])
_SEEN_SUPPLY = np.uint64(SEEN.supply)
_LEGAL_BITS, _TRADE_WIDTH = 5, 3
_MEMO_SHIFT = np.uint64(64 - MEMO_BITS)


@inlined
def _unpack(herd: int, at: int, memory: Ints) -> None:
    """Write the six counts of a packed herd from `at` on."""
    for animal in range(_ANIMALS):
        memory[np.uint64(at) + animal] = (herd >> SHIFT[animal]) & MASK[animal]


@inlined
def _lay_out(seat: int, players: int, supply: int, memory: Ints) -> None:
    """Write herds and supply into the view as seen from `seat`."""
    for k in range(players):
        herd = memory[STATE.herds + seat_to_the_left(k, seat, players)]
        _unpack(herd, SEEN.herds + (DOG + 1) * k, memory)
    for animal in range(_ANIMALS):
        memory[_SEEN_SUPPLY + animal] = (supply >> _SUPPLY_SHIFT[animal]) & BYTE


@inlined
def _lay_out_own(herd: int, players: int, memory: Ints) -> None:
    """Write a view that shows nothing but the player's own herd."""
    _unpack(herd, SEEN.herds, memory)
    for animal in range(_ANIMALS):
        memory[_SEEN_SUPPLY + animal] = 0
    for at in range(SEEN.herds + DOG + 1, SEEN.herds + (DOG + 1) * players):
        memory[at] = 0


@inlined
def seat_to_the_left(k: int, seat: int, players: int) -> int:
    """Return the seat `k` places to the left of `seat`."""
    return (seat + k if seat + k < players else seat + k - players) & _PLACES


@inlined
def _relative(other: int, seat: int, players: int) -> int:
    """Return how many places `other` sits to the left of `seat`; NOBODY stays NOBODY."""
    if other == NOBODY:
        return NOBODY
    return other - seat if other >= seat else other - seat + players


@inlined
def _put(decision: int, seat: int, table: Table) -> int:
    """Call the strategy in `seat`, with the view as it is laid out."""
    mind = MIND_WORDS * seat
    view, me = view_at(table.memory, SEEN.begin), me_at(table.minds, mind)
    return call_choose(table.minds[mind + MIND_CHOOSE], decision, view, me)


@inlined
def ask(
    decision: int,
    seat: int,
    supply: int,
    skunk: int,
    turn: int,
    phase: int,
    trade: int,
    t_in_force: int,
    table: Table,
) -> int:
    """Put one decision to the strategy in `seat`; the legal moves are in the view already."""
    memory, players = table.memory, table.players
    holder = _relative(skunk, seat, players)
    if decision == TRADE and table.seats[SEAT_WORDS * seat + SEAT_FLAGS] & OWN_ONLY:
        _lay_out_own(memory[STATE.herds + seat], players, memory)
        players, turn, phase, t_in_force, holder = 1, 0, BEFORE, 0, NOBODY
    else:
        _lay_out(seat, players, supply, memory)
    memory[SEEN.players] = players
    memory[SEEN.turn] = turn
    memory[SEEN.phase] = phase
    memory[SEEN.t_in_force] = t_in_force
    memory[SEEN.skunk] = holder
    memory[SEEN.trade] = trade
    memory[ASKED_SEAT], memory[ASKED_DECISION] = seat, decision
    answer = _put(decision, seat, table)
    memory[ASKED_ANSWER] = answer
    return answer


@inner_as(int64(int64, int64, int64, int64, int64, int64, int64, int64, TABLE))
def tell(
    what: int,
    seat: int,
    detail_1: int,
    detail_2: int,
    supply: int,
    skunk: int,
    turn: int,
    n_logged: int,
    table: Table,
) -> int:
    """Log what has happened and tell it to the strategies that observe; return the new length."""
    memory, log, players = table.memory, table.log, table.players
    if n_logged < log.shape[0]:
        log[n_logged, 0], log[n_logged, 1], log[n_logged, 2] = what, turn, seat
        log[n_logged, 3], log[n_logged, 4] = detail_1, detail_2
        log[n_logged, 5], log[n_logged, 6] = supply, skunk
        for other in range(players):
            log[n_logged, 7 + other] = memory[STATE.herds + other]
    for observer in range(players):
        if table.seats[SEAT_WORDS * observer + SEAT_FLAGS] & OBSERVES and what != WON:
            _lay_out(observer, players, supply, memory)
            for k in range(players):
                memory[SEEN.legal + k] = 0
            place_1, place_2 = detail_1, detail_2
            if what == SKUNKED:
                place_1 = _relative(detail_1, observer, players)
            elif what == TRADED:
                place_2 = _relative(detail_2, observer, players)
            memory[SEEN.players] = players
            memory[SEEN.turn] = turn
            memory[SEEN.phase] = BEFORE
            memory[SEEN.t_in_force] = 0
            memory[SEEN.skunk] = _relative(skunk, observer, players)
            memory[SEEN.trade] = NO_TRADE
            memory[SEEN.happening] = what
            memory[SEEN.happened_to] = _relative(seat, observer, players)
            memory[SEEN.detail_1], memory[SEEN.detail_2] = place_1, place_2
            memory[ASKED_SEAT], memory[ASKED_DECISION] = observer, OBSERVE
            _put(OBSERVE, observer, table)
            memory[SEEN.happening] = 0
    return n_logged + 1


@inlined
def show_legal(trades: int, players: int, memory: Ints) -> None:
    """Write `trades` as what can be done with the supply, and nothing with other players."""
    memory[SEEN.legal] = trades
    for k in range(1, players):
        memory[SEEN.legal + k] = 0


@inlined
def memo_key(my_moves: int, herd: int, legal: int) -> int:
    """Return the number by which a choice is kept: strategy, herd and legal trades."""
    return (my_moves + herd) << _LEGAL_BITS | legal >> 1


@inlined
def memo_slot(key: int) -> int:
    """Return where the choice with this key would be kept."""
    return MEMO + np.int64((np.uint64(key) * GAMMA) >> _MEMO_SHIFT)


@inlined
def remembered(key: int, memory: Ints) -> int:
    """Return the trade that was chosen before with this key, or FAILED if none is known."""
    kept = memory[memo_slot(key)]
    return kept & TRADE_BITS if kept >> _TRADE_WIDTH == key else FAILED


@inlined
def choose(
    seat: int,
    legal: int,
    supply: int,
    skunk: int,
    turn: int,
    phase: int,
    t_in_force: int,
    table: Table,
) -> int:
    """Let `seat` choose one of the `legal` trades, or none; return it, or FAILED.

    A strategy that looks only at its own herd chooses the same with the same herd and the same
    legal trades, so its answers are kept.
    """
    memory = table.memory
    own_only = table.seats[SEAT_WORDS * seat + SEAT_FLAGS] & OWN_ONLY
    key = 0
    if own_only:
        key = memo_key(
            table.seats[SEAT_WORDS * seat + SEAT_MOVES], memory[STATE.herds + seat], legal
        )
        trade = remembered(key, memory)
        if trade != FAILED:
            return trade
        show_legal(legal, table.players, memory)
    luck = table.streams[seat]
    trade = ask(TRADE, seat, supply, skunk, turn, phase, NO_TRADE, t_in_force, table)
    if own_only and table.streams[seat] != luck:
        memory[ASKED_ANSWER] = DREW_LUCK
        return FAILED
    if trade < NO_TRADE or trade > TO_DOG or not (legal | 1) >> trade & 1:
        return FAILED
    if own_only:
        memory[memo_slot(key)] = key << _TRADE_WIDTH | trade
    return trade


@inlined
def marked(trade: int, herd: int, book: Ints) -> int:
    """Return `trade` with the mark WINS if it completes `herd` (H4); FAILED stays FAILED."""
    if trade > NO_TRADE and is_complete(herd + book[trade_row(trade) + ADD_HERD]):
        return trade | WINS
    return trade


@inlined
def choose_trade(seat: int, supply: int, skunk: int, turn: int, phase: int, table: Table) -> int:
    """H5, H15: let `seat` choose a trade with the supply; return it with its mark, or FAILED."""
    herd = table.memory[STATE.herds + seat]
    legal = affordable(herd, table.book) & in_supply(supply)
    if legal == 0:
        return NO_TRADE
    show_legal(legal, table.players, table.memory)
    trade = choose(seat, legal, supply, skunk, turn, phase, 0, table)
    return marked(trade, herd, table.book)


@inlined
def show_partners(seat: int, table: Table) -> int:
    """Write which trades each other player could serve; return those that anybody could."""
    memory, players = table.memory, table.players
    mine = affordable(memory[STATE.herds + seat], table.book)
    memory[SEEN.legal] = 0
    legal = 0
    if mine == 0:
        return 0
    for k in range(1, players):
        can_serve = mine & owned(memory[STATE.herds + seat_to_the_left(k, seat, players)])
        memory[SEEN.legal + k] = can_serve
        legal |= can_serve
    return legal
