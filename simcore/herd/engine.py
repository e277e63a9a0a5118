"""Have You Herd? played: legality, effects and the turn, in the order of the rulebook.

The loop works on packed herds and on the book of `simcore.herd.tables`; what happens seldom (a
short supply, a skunk, a T) stands in functions of its own before it.
"""

import numpy as np
import numpy.typing as npt
from numba import int32, int64, uint8, uint64, void
from numba.types import UniTuple

from simcore._jit import inlined, inner, inner_as, njit_as
from simcore.herd.rules import (
    COW,
    DOG,
    HORSE,
    NO_TRADE,
    PIG,
    RABBIT,
    SHEEP,
    SIDES,
    TO_COW,
    TO_DOG,
    TO_HORSE,
    TO_PIG,
    TO_SHEEP,
)
from simcore.herd.tables import (
    DOUBLE,
    EFFECTS,
    EVENT_BITS,
    EVENTS_A_COUNTER,
    FACE_OF,
    LIMITS,
    LOW_BYTE,
    MAX_TURNS,
    PRICES,
    ROLLS,
    SHIFTS,
    SKUNK_CAME,
    START_HERDS,
    START_PHASE,
    START_SEAT,
    START_SKUNK,
    START_SUPPLY,
    START_T,
    START_TURN,
    SUPPLY_GUARD,
    T_CAME,
    TRADE_WORDS,
    WIDTHS,
    WOLF_CAME,
    WOLF_PAIR_LOSES,
)
from simcore.herd.view import (
    AFTER,
    BEFORE,
    COUNTERS,
    DICE_AT,
    HERDS,
    LOST_TURN,
    MOVES,
    NEXT_ROLL,
    NOBODY,
    PARTNER,
    ROLL,
    ROLLED,
    SEEN,
    SEEN_DETAIL_1,
    SEEN_DETAIL_2,
    SEEN_HAPPENING,
    SEEN_HERDS,
    SEEN_LEGAL,
    SEEN_PHASE,
    SEEN_PLAYERS,
    SEEN_SKUNK,
    SEEN_SUPPLY,
    SEEN_T,
    SEEN_TRADE,
    SEEN_TURN,
    SEEN_WHO,
    SKUNK_TO,
    SKUNKED,
    TABLE,
    TRADE,
    TRADED,
    WOLF_ROLLED,
    WON,
    view_at,
)
from simcore.rng import CHOICE, DICE, GAMMA, game_key, mix64, scale, stream_key
from simcore.table import (
    ASKED_ANSWER,
    ASKED_DECISION,
    ASKED_GAME,
    ASKED_SEAT,
    FAILED,
    MIND_WORDS,
    OBSERVE,
    OBSERVES,
    OWN_ONLY,
    SEAT_FLAGS,
    SEAT_MOVES,
    SEAT_WORDS,
    Ints,
    Table,
    me_at,
)

Row = npt.NDArray[np.int32]

COMPLETE, WINS, ASK = 8, 16, 32
"""Marks in a table of moves, beside a trade in the low three bits: the herd is complete already,
the trade completes it, the strategy must be asked."""
TRADE_BITS = 7

FLUSH_TURNS = 4096
"""After so many turns the event counters are emptied; rabbits_lost_to_fox, at most fourteen a
turn, would overflow its sixteen bits first, after 4681."""

ROW_WINNERS, ROW_TURNS, ROW_EVENTS = range(3)
"""Columns of a game's row: bit mask of winning seats, turns, then the events seat by seat."""

_SHIFT = np.array(SHIFTS)
_MASK = (1 << np.array(WIDTHS)) - 1
_RABBITS, _SHEEP, _PIGS, _COWS, _HORSES, _DOGS = (
    ((1 << width) - 1) << shift for shift, width in zip(SHIFTS, WIDTHS, strict=True)
)
_BYTE = 0xFF
_OUTCOMES = SIDES * SIDES
_1, _2, _3, _4, _5, _6 = (np.uint64(i) for i in range(1, 7))
_TRADE_WORDS, _ROLLS, _EFFECTS = np.uint64(TRADE_WORDS), np.uint64(ROLLS), np.uint64(EFFECTS)


@inner
def count(herd: int, animal: int) -> int:
    """Return how many of `animal` a packed herd has."""
    return (herd >> _SHIFT[animal]) & _MASK[animal]


@inner
def is_complete(herd: int) -> bool:
    """H4: whether a herd has a rabbit, a sheep, a pig, a cow and a horse."""
    return bool(
        herd & _RABBITS and herd & _SHEEP and herd & _PIGS and herd & _COWS and herd & _HORSES
    )


@inner
def owned(herd: int) -> int:
    """Return bit t for every trade t whose animal the owner of `herd` could hand over."""
    return (
        (herd & _SHEEP > 0) << SHEEP
        | (herd & _PIGS > 0) << PIG
        | (herd & _COWS > 0) << COW
        | (herd & _HORSES > 0) << HORSE
        | (herd & _DOGS > 0) << DOG
    )


@inner
def in_supply(supply: int) -> int:
    """Return bit t for every trade t that the supply could serve."""
    bits = 0
    for animal in range(SHEEP, DOG + 1):
        bits |= ((supply >> (8 * animal)) & _BYTE > 0) << animal
    return bits


@inner
def affordable(herd: int, book: Ints) -> int:
    """H15, H7: return bit t for every trade t that can be paid and keeps within the limits."""
    rabbits, sheep = count(herd, RABBIT), count(herd, SHEEP)
    return (
        (rabbits >= book[PRICES + TO_SHEEP]) << TO_SHEEP
        | (sheep >= book[PRICES + TO_PIG]) << TO_PIG
        | (count(herd, PIG) >= book[PRICES + TO_COW]) << TO_COW
        | (
            (count(herd, COW) >= book[PRICES + TO_HORSE])
            & (count(herd, HORSE) < book[LIMITS + HORSE])
        )
        << TO_HORSE
        | ((rabbits > 0) & (sheep > 0) & (count(herd, DOG) < book[LIMITS + DOG])) << TO_DOG
    )


# --- asking and telling the strategies -----------------------------------------------------------


@inlined
def _unpack(herd: int, at: int, memory: Ints) -> None:
    """Write the six counts of a packed herd from `at` on (written out: this is called often)."""
    memory[at] = herd & _RABBITS
    memory[at + 1] = (herd & _SHEEP) >> SHIFTS[SHEEP]
    memory[at + 2] = (herd & _PIGS) >> SHIFTS[PIG]
    memory[at + 3] = (herd & _COWS) >> SHIFTS[COW]
    memory[at + 4] = (herd & _HORSES) >> SHIFTS[HORSE]
    memory[at + 5] = (herd & _DOGS) >> SHIFTS[DOG]


@inner_as(void(int64, int64, int64, int64[::1]))
def _lay_out(seat: int, players: int, supply: int, memory: Ints) -> None:
    """Write herds and supply into the view as seen from `seat`."""
    at = SEEN_HERDS
    for other in range(seat, players):
        _unpack(memory[HERDS + other], at, memory)
        at += DOG + 1
    for other in range(seat):
        _unpack(memory[HERDS + other], at, memory)
        at += DOG + 1
    for animal in range(DOG + 1):
        memory[SEEN_SUPPLY + animal] = (supply >> (8 * animal)) & _BYTE


@inlined
def _lay_out_own(herd: int, players: int, memory: Ints) -> None:
    """Write a view that shows nothing but the player's own herd."""
    _unpack(herd, SEEN_HERDS, memory)
    for animal in range(DOG + 1):
        memory[SEEN_SUPPLY + animal] = 0
    for at in range(SEEN_HERDS + DOG + 1, SEEN_HERDS + (DOG + 1) * players):
        memory[at] = 0


@inlined
def _relative(other: int, seat: int, players: int) -> int:
    """Return how many places `other` sits to the left of `seat`; NOBODY stays NOBODY."""
    return NOBODY if other == NOBODY else (other - seat + players) % players


@inlined
def _ask(
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
        _lay_out_own(memory[HERDS + seat], players, memory)
        players, turn, phase, t_in_force, holder = 1, 0, BEFORE, 0, NOBODY
    else:
        _lay_out(seat, players, supply, memory)
    memory[SEEN_PLAYERS] = players
    memory[SEEN_TURN] = turn
    memory[SEEN_PHASE] = phase
    memory[SEEN_T] = t_in_force
    memory[SEEN_SKUNK] = holder
    memory[SEEN_TRADE] = trade
    memory[ASKED_SEAT], memory[ASKED_DECISION] = seat, decision
    view, me = view_at(memory, SEEN), me_at(table.minds, MIND_WORDS * seat)
    answer = table.choose[seat](decision, view, me)
    memory[ASKED_ANSWER] = answer
    return answer


@inner_as(int64(int64, int64, int64, int64, int64, int64, int64, int64, TABLE))
def _tell(
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
            log[n_logged, 7 + other] = memory[HERDS + other]
    for observer in range(players):
        if table.seats[SEAT_WORDS * observer + SEAT_FLAGS] & OBSERVES and what != WON:
            _lay_out(observer, players, supply, memory)
            for k in range(players):
                memory[SEEN_LEGAL + k] = 0
            place_1, place_2 = detail_1, detail_2
            if what == SKUNKED:
                place_1 = _relative(detail_1, observer, players)
            elif what == TRADED:
                place_2 = _relative(detail_2, observer, players)
            memory[SEEN_PLAYERS] = players
            memory[SEEN_TURN] = turn
            memory[SEEN_PHASE] = BEFORE
            memory[SEEN_T] = 0
            memory[SEEN_SKUNK] = _relative(skunk, observer, players)
            memory[SEEN_TRADE] = NO_TRADE
            memory[SEEN_HAPPENING] = what
            memory[SEEN_WHO] = _relative(seat, observer, players)
            memory[SEEN_DETAIL_1], memory[SEEN_DETAIL_2] = place_1, place_2
            memory[ASKED_SEAT], memory[ASKED_DECISION] = observer, OBSERVE
            view, me = view_at(memory, SEEN), me_at(table.minds, MIND_WORDS * observer)
            table.choose[observer](OBSERVE, view, me)
            memory[SEEN_HAPPENING] = 0
    return n_logged + 1


# --- what happens seldom -------------------------------------------------------------------------


@inlined
def _show_legal(trades: int, players: int, memory: Ints) -> None:
    """Write `trades` as what can be done with the supply, and nothing with other players."""
    memory[SEEN_LEGAL] = trades
    for k in range(1, players):
        memory[SEEN_LEGAL + k] = 0


@inlined
def _asked_trade(
    seat: int, legal: int, supply: int, skunk: int, turn: int, phase: int, table: Table
) -> int:
    """Ask `seat` which of the `legal` trades with the supply it makes; mark one that wins (H4)."""
    _show_legal(legal, table.players, table.memory)
    trade = _ask(TRADE, seat, supply, skunk, turn, phase, NO_TRADE, 0, table)
    if trade == NO_TRADE:
        return NO_TRADE
    if trade < NO_TRADE or trade > TO_DOG or not (legal >> trade) & 1:
        return FAILED
    herd = table.memory[HERDS + seat] + table.book[TRADE_WORDS + 4 * trade]
    return trade | WINS if is_complete(herd) else trade


@inlined
def _choose_trade(seat: int, supply: int, skunk: int, turn: int, phase: int, table: Table) -> int:
    """H5, H15: let `seat` choose a trade with the supply; return it with its mark, or FAILED."""
    legal = affordable(table.memory[HERDS + seat], table.book) & in_supply(supply)
    if legal == 0:
        return NO_TRADE
    return _asked_trade(seat, legal, supply, skunk, turn, phase, table)


@inlined
def _show_partners(seat: int, table: Table) -> int:
    """Write which trades each other player could serve; return those that anybody could."""
    memory, players = table.memory, table.players
    mine = affordable(memory[HERDS + seat], table.book)
    memory[SEEN_LEGAL] = 0
    legal = 0
    if mine == 0:
        return 0
    for k in range(1, players):
        can_serve = mine & owned(memory[HERDS + (seat + k) % players])
        memory[SEEN_LEGAL + k] = can_serve
        legal |= can_serve
    return legal


@inlined
def _trade_with_player(
    seat: int, supply: int, skunk: int, turn: int, table: Table
) -> tuple[int, int, int]:
    """H13: the final trade after a T, which no partner can refuse.

    Returns the trade (or FAILED), the partner's seat and the supply.  Modified in place: herds.
    """
    book, memory, players = table.book, table.memory, table.players
    legal = _show_partners(seat, table)
    if legal == 0:
        return NO_TRADE, NOBODY, supply
    looks_at_own = table.seats[SEAT_WORDS * seat + SEAT_FLAGS] & OWN_ONLY
    if looks_at_own:
        _show_legal(legal, players, memory)
    trade = _ask(TRADE, seat, supply, skunk, turn, AFTER, NO_TRADE, 1, table)
    if trade == NO_TRADE:
        return NO_TRADE, NOBODY, supply
    if trade < NO_TRADE or trade > TO_DOG or not (legal >> trade) & 1:
        return FAILED, NOBODY, supply
    if looks_at_own:
        _show_partners(seat, table)
    k = _ask(PARTNER, seat, supply, skunk, turn, AFTER, trade, 1, table)
    if k < 1 or k >= players or not (memory[SEEN_LEGAL + k] >> trade) & 1:
        return FAILED, NOBODY, supply
    partner = (seat + k) % players
    memory[HERDS + seat] += book[TRADE_WORDS + 4 * trade]
    herd = memory[HERDS + partner] - (1 << _SHIFT[trade])
    rabbits = 0
    if trade == TO_DOG:
        herd += 1 << _SHIFT[SHEEP]
        rabbits = 1
    elif trade == TO_SHEEP:
        rabbits = book[PRICES + TO_SHEEP]
    else:
        herd += book[PRICES + trade] << _SHIFT[trade - 1]
    # Rabbits that would take the partner over his limit go to the supply.
    taken = min(rabbits, book[LIMITS + RABBIT] - count(herd, RABBIT))
    memory[HERDS + partner] = herd + taken
    return trade, partner, supply + (rabbits - taken)


@inlined
def _give_skunk(seat: int, supply: int, skunk: int, turn: int, table: Table) -> int:
    """H14: the roller gives the skunk to an opponent; return his seat, or FAILED."""
    _show_legal(0, table.players, table.memory)
    k = _ask(SKUNK_TO, seat, supply, skunk, turn, ROLL, NO_TRADE, 0, table)
    if k < 1 or k >= table.players:
        return FAILED
    return (seat + k) % table.players


@inner_as(UniTuple(int64, 2)(int64, int64, int64))
def _give_what_is_left(before: int, after: int, supply: int) -> tuple[int, int]:
    """H1: multiply again, from a supply that is short; return the herd and the supply."""
    herd = before
    for animal in range(DOG + 1):
        gained = count(after, animal) - count(before, animal)
        gained = min(gained, (supply >> (8 * animal)) & _BYTE)
        herd += gained << _SHIFT[animal]
        supply -= gained << (8 * animal)
    return herd, supply


@inner_as(UniTuple(int64, 2)(int64, int64, int64))
def _lose_one(herd: int, supply: int, face: int) -> tuple[int, int]:
    """H12: one of the herd animal shown is lost, never the last rabbit; specials are ignored."""
    if face <= HORSE and count(herd, face) > (face == RABBIT):
        return herd - (1 << _SHIFT[face]), supply + (1 << (8 * face))
    return herd, supply


@inner_as(void(int32[::1], int64, int64[::1]))
def _empty_counters(row: Row, players: int, memory: Ints) -> None:
    """Add the packed event counters to the game's row and clear them."""
    column = ROW_EVENTS
    for counter in range(COUNTERS, COUNTERS + 2 * players):
        packed = memory[counter]
        memory[counter] = 0
        for place in range(EVENTS_A_COUNTER):
            row[column] += np.int32((packed >> (EVENT_BITS * place)) & ((1 << EVENT_BITS) - 1))
            column += 1


# --- the game ------------------------------------------------------------------------------------


@inner
def _roll(seat: int, memory: Ints, streams: npt.NDArray[np.uint64]) -> int:
    """H6: return the outcome of `seat`'s dice, wolf die * 12 + fox die, and work out the next.

    Ahead of time, because a wrongly predicted branch on the outcome costs the time from the
    beginning of its computation.
    """
    outcome = memory[NEXT_ROLL + seat]
    streams[DICE_AT + seat] += GAMMA
    memory[NEXT_ROLL + seat] = scale(mix64(streams[DICE_AT + seat]), _OUTCOMES)
    return outcome


@inner_as(int64(TABLE, int32[::1]))
def play(table: Table, row: Row) -> int:
    """Play one game from the book's position; return the length of its log, or FAILED.

    Modified in place: `row`, the game's outcome.
    """
    book, memory, streams, moves = table.book, table.memory, table.streams, table.moves
    players, watched, max_turns = table.players, table.watched, book[MAX_TURNS]
    for seat in range(players):
        memory[HERDS + seat] = book[START_HERDS + seat]
        memory[MOVES + seat] = table.seats[SEAT_WORDS * seat + SEAT_MOVES]
    seat, phase, turn = book[START_SEAT], book[START_PHASE], book[START_TURN]
    t_in_force, supply, skunk = book[START_T], book[START_SUPPLY], book[START_SKUNK]
    winner = NOBODY
    flush_at = turn + FLUSH_TURNS
    logged = 0

    while turn < max_turns:  # H16
        if phase == BEFORE and skunk == seat:  # H14: he loses the turn and returns the tile
            skunk = NOBODY
            if watched:
                logged = _tell(LOST_TURN, seat, 0, 0, supply, skunk, turn, logged, table)
            turn += 1
            seat = seat + 1 if seat + 1 < players else 0
            continue
        herd = memory[HERDS + seat]
        my_moves = memory[MOVES + seat]
        counter_1, counter_2 = 0, 0

        # H5: trade at most once ...
        if phase == BEFORE:
            move = np.int64(moves[np.uint64(my_moves + herd)])
            words = _TRADE_WORDS + np.uint64((move & TRADE_BITS) << 2)
            if move & ASK or (supply + book[words + _1]) & SUPPLY_GUARD:
                move = _choose_trade(seat, supply, skunk, turn, BEFORE, table)
                if move == FAILED:
                    return FAILED
                words = _TRADE_WORDS + np.uint64((move & TRADE_BITS) << 2)
            herd += book[words]
            supply += book[words + _1]
            counter_1 += book[words + _2]
            if watched and move & TRADE_BITS:
                memory[HERDS + seat] = herd
                trade = move & TRADE_BITS
                logged = _tell(TRADED, seat, trade, NOBODY, supply, skunk, turn, logged, table)
            if move & WINS:  # H4
                winner = seat

        # ... roll both dice ...
        if phase <= ROLL and winner == NOBODY:
            flags = DOUBLE
            before = herd
            while flags & DOUBLE:  # H8: after a double he rolls again
                outcome = _roll(seat, memory, streams)
                roll = _ROLLS + np.uint64(outcome << 3)
                before = herd
                had = (before >> book[roll + _1]) & book[roll + _2]
                one = _EFFECTS + np.uint64((book[roll] + had) << 2)
                had = (before >> book[roll + _4]) & book[roll + _5]
                two = _EFFECTS + np.uint64((book[roll + _3] + had) << 2)
                flags = book[roll + _6]
                herd = before + book[one] + book[two]
                left = supply + book[one + _1] + book[two + _1]
                counter_1 += book[one + _2] + book[two + _2]
                counter_2 += book[one + _3] + book[two + _3]
                if left & SUPPLY_GUARD:
                    herd, left = _give_what_is_left(before, herd, supply)
                supply = left
                if watched:
                    memory[HERDS + seat] = herd
                    first = book[FACE_OF + outcome // SIDES]
                    second = book[FACE_OF + SIDES + outcome % SIDES]
                    logged = _tell(ROLLED, seat, first, second, supply, skunk, turn, logged, table)
                if flags & DOUBLE and is_complete(herd):  # H4
                    break
            t_in_force = flags & T_CAME
            if flags & (WOLF_CAME | SKUNK_CAME):
                if flags & WOLF_CAME:
                    if before & _DOGS == 0:  # H12
                        outcome = _roll(seat, memory, streams)
                        first = book[FACE_OF + outcome // SIDES]
                        second = book[FACE_OF + SIDES + outcome % SIDES]
                        herd, supply = _lose_one(herd, supply, first)
                        if first != second or book[WOLF_PAIR_LOSES] > 1:
                            herd, supply = _lose_one(herd, supply, second)
                        if watched:
                            memory[HERDS + seat] = herd
                            logged = _tell(
                                WOLF_ROLLED, seat, first, second, supply, skunk, turn, logged, table
                            )
                elif players > 1 and not is_complete(herd):  # H2, H14
                    memory[HERDS + seat] = herd
                    skunk = _give_skunk(seat, supply, skunk, turn, table)
                    if skunk == FAILED:
                        return FAILED
                    if watched:
                        logged = _tell(SKUNKED, seat, skunk, 0, supply, skunk, turn, logged, table)

        # ... trade at most once
        memory[HERDS + seat] = herd
        if winner == NOBODY:
            move = np.int64(moves[np.uint64(my_moves + herd)])
            if move & COMPLETE:  # H4: the roll has completed the herd
                winner = seat
            elif t_in_force:
                trade, partner, supply = _trade_with_player(seat, supply, skunk, turn, table)
                if trade == FAILED:
                    return FAILED
                if trade != NO_TRADE:
                    counter_1 += book[TRADE_WORDS + 4 * trade + 2]
                    if watched:
                        logged = _tell(
                            TRADED, seat, trade, partner, supply, skunk, turn, logged, table
                        )
                    if is_complete(memory[HERDS + seat]):  # H4: he whose turn it is comes first
                        winner = seat
                    elif is_complete(memory[HERDS + partner]):
                        winner = partner
            else:
                words = _TRADE_WORDS + np.uint64((move & TRADE_BITS) << 2)
                if move & ASK or (supply + book[words + _1]) & SUPPLY_GUARD:
                    move = _choose_trade(seat, supply, skunk, turn, AFTER, table)
                    if move == FAILED:
                        return FAILED
                    words = _TRADE_WORDS + np.uint64((move & TRADE_BITS) << 2)
                memory[HERDS + seat] = herd + book[words]
                supply += book[words + _1]
                counter_1 += book[words + _2]
                if watched and move & TRADE_BITS:
                    trade = move & TRADE_BITS
                    logged = _tell(TRADED, seat, trade, NOBODY, supply, skunk, turn, logged, table)
                if move & WINS:  # H4
                    winner = seat

        memory[COUNTERS + 2 * seat] += counter_1
        memory[COUNTERS + 2 * seat + 1] += counter_2
        turn += 1
        if winner != NOBODY:
            break
        phase, t_in_force = BEFORE, 0
        seat = seat + 1 if seat + 1 < players else 0
        if turn == flush_at:
            _empty_counters(row, players, memory)
            flush_at += FLUSH_TURNS

    _empty_counters(row, players, memory)
    row[ROW_WINNERS] = 0 if winner == NOBODY else 1 << winner
    row[ROW_TURNS] = turn
    if watched and winner != NOBODY:
        logged = _tell(WON, winner, 0, 0, supply, skunk, turn - 1, logged, table)
    return logged


@njit_as(int64(int64, int64, uint64[::1], TABLE, int32[:, ::1]))
def play_games(
    first: int, last: int, seeds: npt.NDArray[np.uint64], table: Table, rows: npt.NDArray[np.int32]
) -> int:
    """Play games `first` … `last` - 1, one row each; return the last log's length, or FAILED.

    `seeds` holds a seed for each kind of stream.  Modified in place: `rows`.
    """
    notebooks, streams = table.notebooks, table.streams
    logged = 0
    for game in range(first, last):
        table.memory[ASKED_GAME] = game
        dice_key, choice_key = game_key(seeds[DICE], game), game_key(seeds[CHOICE], game)
        for seat in range(table.players):
            streams[seat] = stream_key(choice_key, CHOICE, seat)
            streams[DICE_AT + seat] = stream_key(dice_key, DICE, seat)
            _roll(seat, table.memory, streams)
        for slot in range(notebooks.shape[0]):
            notebooks[slot] = 0
        row = rows[game - first]
        for column in range(row.shape[0]):
            row[column] = 0
        logged = play(table, row)
        if logged == FAILED:
            return FAILED
    return logged


@inner
def _is_possible(herd: int, book: Ints) -> bool:
    """H7: whether a player can own `herd`."""
    for animal in range(DOG + 1):
        if count(herd, animal) > book[LIMITS + animal]:
            return False
    return True


@inner
def _tabulated(herd: int, seat: int, own_only: int, table: Table) -> int:
    """Return the move, with its marks, that `seat`'s strategy makes with `herd`, or FAILED."""
    book = table.book
    if not _is_possible(herd, book):
        return NO_TRADE
    if is_complete(herd):
        return COMPLETE
    legal = affordable(herd, book)
    if legal == 0:
        return NO_TRADE
    if not own_only:
        return ASK
    table.memory[HERDS + seat] = herd
    return _asked_trade(seat, legal, 0, NOBODY, 0, BEFORE, table)


@njit_as(int64(int64, TABLE, uint8[::1]))
def tabulate(seat: int, table: Table, moves: npt.NDArray[np.uint8]) -> int:
    """Fill `moves` with the trade that `seat`'s strategy makes with every herd it can have.

    The trades hold while the supply can serve them.  Of a strategy that looks at more than its
    own herd only the marks COMPLETE and ASK are set.  Returns FAILED or 0.
    """
    own_only = table.seats[SEAT_WORDS * seat + SEAT_FLAGS] & OWN_ONLY
    for high in range(0, moves.shape[0], LOW_BYTE + 1):
        if not _is_possible(high, table.book):
            continue
        for herd in range(high, high + LOW_BYTE + 1):
            move = _tabulated(herd, seat, own_only, table)
            if move == FAILED:
                return FAILED
            moves[herd] = move
    return 0
