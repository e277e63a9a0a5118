"""Asking the strategies of Have You Herd? for their decisions, and telling them what happens.

Choices that depend on nothing but a player's own herd are asked for once a run and kept in tables;
the choices of a player alone are what the solo game is solved from.  Whatever takes a whole table
is compiled into its caller: a call would copy a hundred words.
"""

import numpy as np
import numpy.typing as npt
from numba import float64, int64, uint8

from herdlab.simcore._jit import inlined, inner_as, njit_as
from herdlab.simcore.asking import drew_luck, is_own_only, moves_of, observes
from herdlab.simcore.herd import view
from herdlab.simcore.herd.herds import (
    BYTE,
    MASK,
    RABBITS,
    SHIFT,
    affordable,
    after_trade,
    count,
    entry,
    in_supply,
    is_complete,
    is_possible,
    owned,
)
from herdlab.simcore.herd.rule_tables import ASK, BOOK, COMPLETE, LOW_BYTE, TRADE_BITS, WINS
from herdlab.simcore.herd.rules import DOG, HORSE, NO_TRADE, RABBIT, TO_DOG
from herdlab.simcore.herd.view import BEFORE, LOG, NOBODY, SEEN, STATE
from herdlab.simcore.rng import GAMMA
from herdlab.simcore.table import (
    ASKED_ANSWER,
    ASKED_DECISION,
    ASKED_SEAT,
    FAILED,
    MIND_CHOOSE,
    MIND_WORDS,
    OBSERVE,
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
_MEMO_SHIFT = np.uint64(64 - view.MEMO_BITS)


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
    seen, me = view.view_at(table.memory, SEEN.begin), me_at(table.minds, mind)
    return view.call_choose(table.minds[mind + MIND_CHOOSE], decision, seen, me)


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
    if decision == view.TRADE and is_own_only(seat, table.seats):
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
        row = log[n_logged]
        row[LOG.what], row[LOG.turn], row[LOG.seat] = what, turn, seat
        row[LOG.detail_1], row[LOG.detail_2] = detail_1, detail_2
        row[LOG.supply], row[LOG.skunk] = supply, skunk
        for other in range(players):
            row[LOG.herds + other] = memory[STATE.herds + other]
    for observer in range(players):
        if observes(observer, table.seats) and what != view.WON:
            _lay_out(observer, players, supply, memory)
            show_legal(0, players, memory)
            place_1, place_2 = detail_1, detail_2
            if what == view.SKUNKED:
                place_1 = _relative(detail_1, observer, players)
            elif what == view.TRADED:
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
    return view.MEMO + np.int64((np.uint64(key) * GAMMA) >> _MEMO_SHIFT)


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
    own_only = is_own_only(seat, table.seats)
    key = 0
    if own_only:
        key = memo_key(moves_of(seat, table.seats), memory[STATE.herds + seat], legal)
        trade = remembered(key, memory)
        if trade != FAILED:
            return trade
        show_legal(legal, table.players, memory)
    luck = table.streams[seat]
    trade = ask(view.TRADE, seat, supply, skunk, turn, phase, NO_TRADE, t_in_force, table)
    if own_only and drew_luck(seat, luck, table.streams, memory):
        return FAILED
    if trade < NO_TRADE or trade > TO_DOG or not (legal | 1) >> trade & 1:
        return FAILED
    if own_only:
        memory[memo_slot(key)] = key << _TRADE_WIDTH | trade
    return trade


@inlined
def marked(trade: int, herd: int, book: Ints) -> int:
    """Return `trade` with the mark WINS if it completes `herd` (H4); FAILED stays FAILED."""
    if trade > NO_TRADE and is_complete(after_trade(trade, herd, 0, book)[0]):
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


@inlined
def _tabulated(herd: int, seat: int, own_only: bool, table: Table) -> int:
    """Return the move, with its marks, that `seat`'s strategy makes with `herd`, or FAILED."""
    book = table.book
    if is_complete(herd):
        return COMPLETE
    legal = affordable(herd, book)
    if legal == 0:
        return NO_TRADE
    if not own_only:
        return ASK
    table.memory[STATE.herds + seat] = herd
    show_legal(legal, table.players, table.memory)
    return marked(choose(seat, legal, 0, NOBODY, 0, BEFORE, 0, table), herd, book)


@njit_as(int64(int64, TABLE, uint8[::1]))
def tabulate(seat: int, table: Table, moves: npt.NDArray[np.uint8]) -> int:
    """Fill `moves` with the trade that `seat`'s strategy makes with every herd it can have.

    The trades hold while the supply can serve them.  Of a strategy that looks at more than its
    own herd only the marks COMPLETE and ASK are set.  Returns FAILED or 0.
    """
    own_only = is_own_only(seat, table.seats)
    book = table.book
    rabbits, horses = book[BOOK.limits + RABBIT], book[BOOK.limits + HORSE]
    dogs = book[BOOK.limits + DOG]
    for high in range(0, moves.shape[0], LOW_BYTE + 1):
        if not is_possible(high, book):
            continue
        for low in range(0, LOW_BYTE + 1, RABBITS + 1):
            if count(low, HORSE) > horses or count(low, DOG) > dogs:
                continue
            for herd in range(high + low, high + low + rabbits + 1):
                move = _tabulated(herd, seat, own_only, table)
                if move == FAILED:
                    return FAILED
                moves[entry(0, herd)] = move
    return 0


@njit_as(int64(float64[::1], int64[::1], uint8[::1], int64, int64, uint8[::1], TABLE))
def ask_alone(
    chances: npt.NDArray[np.float64],
    herds: Ints,
    legal: npt.NDArray[np.uint8],
    turn: int,
    phase: int,
    moves: npt.NDArray[np.uint8],
    table: Table,
) -> int:
    """Fill `moves` with what the only player does with each of the `herds` that has a chance.

    Returns FAILED or 0.
    """
    tiles = table.book[BOOK.supply]  # and what is dealt, which is put back
    for animal in range(DOG + 1):
        tiles += count(table.book[BOOK.herds], animal) << (8 * animal)
    for number in range(herds.shape[0]):
        moves[number] = NO_TRADE
        if chances[number] == 0.0 or legal[number] == 0:
            continue
        herd, supply = herds[number], tiles
        for animal in range(DOG + 1):
            supply -= count(herd, animal) << (8 * animal)
        table.memory[STATE.herds] = herd
        show_legal(legal[number], 1, table.memory)
        luck = table.streams[0]
        move = choose(0, np.int64(legal[number]), supply, NOBODY, turn, phase, 0, table)
        if drew_luck(0, luck, table.streams, table.memory) or move == FAILED:
            return FAILED
        moves[number] = move
    return 0
