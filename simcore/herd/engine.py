"""Have You Herd? played: effects and the turn, in the order of the rulebook.

The loops work on packed herds and on the book of `rule_tables`.  `play` is the game, clause by
clause; `_ordinary_turns` plays the turns in which nothing out of the ordinary happens, and hands
over to it.
"""

import numpy as np
import numpy.typing as npt
from numba import int32, int64, uint64, void

from herdlab.simcore._jit import inlined, inner, inner_as, njit_as
from herdlab.simcore.herd import asking, rule_tables, view
from herdlab.simcore.herd.asking import ask, choose, seat_to_the_left, show_partners, tell
from herdlab.simcore.herd.events import EVENT_SHIFTS, EVENT_WIDTHS, FLUSH_TURNS
from herdlab.simcore.herd.herds import (
    DOGS,
    affordable,
    both,
    effects_of,
    entry,
    exchange,
    faces_of,
    give_what_is_left,
    is_complete,
    lose_one,
    owned,
    trade_row,
    word,
)
from herdlab.simcore.herd.rule_tables import (
    BOOK,
    CHANGE,
    COMPLETE,
    DOUBLE,
    OUTCOMES,
    SUPPLY_GUARD,
    T_CAME,
)
from herdlab.simcore.herd.rules import NO_TRADE
from herdlab.simcore.herd.view import AFTER, BEFORE, NOBODY, ROLL, SEEN, STATE
from herdlab.simcore.rng import DICE, GAMMA, Luck, game_key, mix64, scale, stream_key
from herdlab.simcore.table import FAILED, SEAT_MOVES, SEAT_WORDS, TABLE, Ints, Table, begin_game

Row = npt.NDArray[np.int32]

ROW_WINNERS, ROW_TURNS, ROW_EVENTS = range(3)
"""Columns of a game's row: bit mask of winning seats, turns, then the events seat by seat."""

_PLACES = 3  # tells the compiler that a seat is not negative
_EVENT_SHIFT = np.array(list(EVENT_SHIFTS.values()))
_EVENT_MASK = (1 << np.array(EVENT_WIDTHS)) - 1
_ONE_FREE_DOG = 1 << EVENT_SHIFTS["dogs_free"]


@inner_as(void(int32[::1], int64, int64[::1]))
def _empty_counters(row: Row, players: int, memory: Ints) -> None:
    """Add the packed event counters to the game's row and clear them."""
    column = ROW_EVENTS
    for seat in range(players):
        packed = memory[STATE.counters + seat]
        memory[STATE.counters + seat] = 0
        for event in range(len(_EVENT_SHIFT)):
            row[column] += np.int32((packed >> _EVENT_SHIFT[event]) & _EVENT_MASK[event])
            column += 1


@inlined
def _next_roll(seat: int, book: Ints, memory: Ints, streams: Luck) -> None:
    """Work out the next roll of `seat`'s dice."""
    position = streams[view.DICE_AT + seat] + GAMMA
    streams[view.DICE_AT + seat] = position
    memory[STATE.next_roll + seat] = book[BOOK.roll_at + scale(mix64(position), OUTCOMES)]


@inner
def _roll(seat: int, book: Ints, memory: Ints, streams: Luck) -> int:
    """H6: roll `seat`'s dice; return where in the book the roll stands, and work out the next.

    Ahead of time, because a wrongly predicted branch on the outcome costs the time from the
    beginning of its computation.
    """
    roll = memory[STATE.next_roll + seat]
    _next_roll(seat, book, memory, streams)
    return roll


@inner
def _second_roll(
    seat: int, herd: int, supply: int, book: Ints, memory: Ints, streams: Luck
) -> tuple[int, int]:
    """H12: roll again for the wolf; one of each herd animal shown is lost, or two of a pair."""
    first, second = faces_of(_roll(seat, book, memory, streams), book)
    herd, supply = lose_one(herd, supply, first)
    if first != second or book[BOOK.wolf_pair_loses] > 1:
        herd, supply = lose_one(herd, supply, second)
    return herd, supply


@inlined
def _ordinary_turns(
    seat: int, turn: int, supply: int, skunk: int, last_turn: int, table: Table
) -> tuple[int, int, int, int, int, int]:
    """Play whole turns as long as nobody must be asked and nothing out of the ordinary happens.

    Out of the ordinary are a strategy that must be asked, a skunk on the dice, a T after which a
    trade may be made, a short supply and the end.  Stops before it happens and returns where:
    seat, phase, whether a T is in force, turn, supply and the skunk's holder, from which `play`
    goes on.  Most turns never leave this loop, and it is small enough to live in the processor's
    registers.  Modified in place: memory, streams.
    """
    book, memory, streams, moves = table.book, table.memory, table.streams, table.moves
    players = table.players
    while turn < last_turn:
        if seat == skunk:  # H14
            skunk = NOBODY
            turn += 1
            seat = seat + 1 if seat + 1 < players else 0
            continue
        place = seat & _PLACES
        herd = memory[STATE.herds + place]
        my_moves = memory[STATE.moves + place]
        move = np.int64(moves[entry(my_moves, herd)])
        trade = trade_row(move)
        left = supply + word(trade + CHANGE.supply, book)
        if move >= COMPLETE or left & SUPPLY_GUARD:
            return seat, BEFORE, 0, turn, supply, skunk
        supply = left
        herd += word(trade + CHANGE.herd, book)
        events = word(trade + CHANGE.events, book)
        phase, flags = ROLL, 0
        while phase == ROLL:
            roll = memory[STATE.next_roll + place]
            one, two, flags = effects_of(roll, herd, book)
            if flags & rule_tables.SKUNK_CAME:
                break
            left = supply + both(one, two, CHANGE.supply, book)
            if left & SUPPLY_GUARD:
                break
            _next_roll(place, book, memory, streams)
            supply = left
            if flags & rule_tables.WOLF_CAME and herd & DOGS == 0:
                herd, supply = _second_roll(place, herd, supply, book, memory, streams)
            herd += both(one, two, CHANGE.herd, book)
            events += both(one, two, CHANGE.events, book)
            if flags != DOUBLE or moves[entry(my_moves, herd)] & COMPLETE:
                phase = AFTER
        if phase == AFTER:
            move = np.int64(moves[entry(my_moves, herd)])
            trade = trade_row(move)
            left = supply + word(trade + CHANGE.supply, book)
            if flags & T_CAME:
                others = 0
                for k in range(1, players):
                    others |= memory[STATE.herds + seat_to_the_left(k, seat, players)]
                legal = affordable(herd, book) & owned(others)
                key = asking.memo_key(my_moves, herd, legal)
                is_refused = legal == 0 or asking.remembered(key, memory) == NO_TRADE
                if not move & COMPLETE and is_refused:
                    phase = BEFORE
            elif move < COMPLETE and not left & SUPPLY_GUARD:
                supply = left
                herd += word(trade + CHANGE.herd, book)
                events += word(trade + CHANGE.events, book)
                phase = BEFORE
        memory[STATE.herds + place] = herd
        memory[STATE.counters + place] += events
        if phase != BEFORE:
            t_in_force = flags & T_CAME if phase == AFTER else 0
            return seat, phase, t_in_force, turn, supply, skunk
        turn += 1
        seat = seat + 1 if seat + 1 < players else 0
    return seat, BEFORE, 0, turn, supply, skunk


@inlined
def _trade(
    seat: int, herd: int, supply: int, skunk: int, turn: int, phase: int, table: Table
) -> tuple[int, int, int, int]:
    """H5: let `seat` trade with the supply; return the move, or FAILED, herd, supply and events."""
    book, memory = table.book, table.memory
    move = np.int64(table.moves[entry(memory[STATE.moves + seat], herd)])
    trade = trade_row(move)
    if move & rule_tables.ASK or (supply + word(trade + CHANGE.supply, book)) & SUPPLY_GUARD:
        move = asking.choose_trade(seat, supply, skunk, turn, phase, table)
        trade = trade_row(move)
    herd += word(trade + CHANGE.herd, book)
    supply += word(trade + CHANGE.supply, book)
    return move, herd, supply, word(trade + CHANGE.events, book)


@inlined
def _trade_with_player(
    seat: int, supply: int, skunk: int, turn: int, table: Table
) -> tuple[int, int, int]:
    """H13: the final trade after a T, which no partner can refuse.

    Returns the trade (or FAILED), the partner's seat and the supply.  Modified in place: herds.
    """
    book, memory, players = table.book, table.memory, table.players
    legal = show_partners(seat, table)
    if legal == 0:
        return NO_TRADE, NOBODY, supply
    trade = choose(seat, legal, supply, skunk, turn, AFTER, 1, table)
    if trade <= NO_TRADE:
        return trade, NOBODY, supply
    show_partners(seat, table)
    k = ask(view.PARTNER, seat, supply, skunk, turn, AFTER, trade, 1, table)
    if k < 1 or k >= players or not (memory[SEEN.legal + k] >> trade) & 1:
        return FAILED, NOBODY, supply
    partner = seat_to_the_left(k, seat, players)
    memory[STATE.herds + seat], memory[STATE.herds + partner], supply = exchange(
        memory[STATE.herds + seat], memory[STATE.herds + partner], trade, supply, book
    )
    return trade, partner, supply


@inlined
def _give_skunk(seat: int, supply: int, skunk: int, turn: int, table: Table) -> int:
    """H14: the roller gives the skunk to an opponent; return their seat, or FAILED."""
    asking.show_legal(0, table.players, table.memory)
    k = ask(view.SKUNK_TO, seat, supply, skunk, turn, ROLL, NO_TRADE, 0, table)
    if k < 1 or k >= table.players:
        return FAILED
    return seat_to_the_left(k, seat, table.players)


@inner_as(int64(TABLE, int32[::1]))
def play(table: Table, row: Row) -> int:
    """Play one game from the book's position; return the length of its log, or FAILED.

    Modified in place: `row`, the game's outcome.
    """
    book, memory, streams, moves = table.book, table.memory, table.streams, table.moves
    players, watched, max_turns = table.players, table.watched, book[BOOK.max_turns]
    for seat in range(players):
        memory[STATE.herds + seat] = book[BOOK.herds + seat]
        memory[STATE.moves + seat] = table.seats[SEAT_WORDS * seat + SEAT_MOVES]
    seat, phase, turn = book[BOOK.seat], book[BOOK.phase], book[BOOK.turn]
    t_in_force, supply, skunk = book[BOOK.t_in_force], book[BOOK.supply], book[BOOK.skunk]
    winner = NOBODY
    flush_at = turn + FLUSH_TURNS
    logged = 0

    while turn < max_turns:  # H16
        if phase == BEFORE and not watched:
            seat, phase, t_in_force, turn, supply, skunk = _ordinary_turns(
                seat, turn, supply, skunk, min(max_turns, flush_at), table
            )
            if turn == flush_at:
                _empty_counters(row, players, memory)
                flush_at += FLUSH_TURNS
                continue
            if turn == max_turns:
                break
        if phase == BEFORE and skunk == seat:  # H14: lost, and the tile goes back
            skunk = NOBODY
            if watched:
                logged = tell(view.LOST_TURN, seat, 0, 0, supply, skunk, turn, logged, table)
            turn += 1
            seat = seat + 1 if seat + 1 < players else 0
            continue
        herd = memory[STATE.herds + seat]
        my_moves = memory[STATE.moves + seat]
        events = 0

        # H5: trade at most once ...
        if phase == BEFORE:
            move, herd, supply, events = _trade(seat, herd, supply, skunk, turn, BEFORE, table)
            if move == FAILED:
                return FAILED
            if watched and move & rule_tables.TRADE_BITS:
                memory[STATE.herds + seat] = herd
                trade = move & rule_tables.TRADE_BITS
                logged = tell(view.TRADED, seat, trade, NOBODY, supply, skunk, turn, logged, table)
            if move & rule_tables.WINS:  # H4
                winner = seat

        # ... roll both dice ...
        if phase <= ROLL and winner == NOBODY:
            flags = DOUBLE
            before = herd
            while flags & DOUBLE:  # H8
                roll = _roll(seat, book, memory, streams)
                before = herd
                one, two, flags = effects_of(roll, before, book)
                herd += both(one, two, CHANGE.herd, book)
                left = supply + both(one, two, CHANGE.supply, book)
                events += both(one, two, CHANGE.events, book)
                if left & SUPPLY_GUARD:
                    due = herd
                    herd, left = give_what_is_left(before, due, supply)
                    if due & DOGS != herd & DOGS:  # H10: the dog that was due was not there
                        events -= _ONE_FREE_DOG
                supply = left
                if watched:
                    memory[STATE.herds + seat] = herd
                    first, second = faces_of(roll, book)
                    logged = tell(
                        view.ROLLED, seat, first, second, supply, skunk, turn, logged, table
                    )
                if flags & DOUBLE and moves[entry(my_moves, herd)] & COMPLETE:  # H4
                    break
            t_in_force = flags & T_CAME
            if flags & (rule_tables.WOLF_CAME | rule_tables.SKUNK_CAME):
                if flags & rule_tables.WOLF_CAME:
                    if before & DOGS == 0:  # H12
                        first, second = faces_of(memory[STATE.next_roll + seat], book)
                        herd, supply = _second_roll(seat, herd, supply, book, memory, streams)
                        if watched:
                            memory[STATE.herds + seat] = herd
                            logged = tell(
                                view.WOLF_ROLLED,
                                seat,
                                first,
                                second,
                                supply,
                                skunk,
                                turn,
                                logged,
                                table,
                            )
                elif players > 1 and not is_complete(herd):  # H2, H14
                    memory[STATE.herds + seat] = herd
                    skunk = _give_skunk(seat, supply, skunk, turn, table)
                    if skunk == FAILED:
                        return FAILED
                    if watched:
                        logged = tell(
                            view.SKUNKED, seat, skunk, 0, supply, skunk, turn, logged, table
                        )

        # ... trade at most once
        memory[STATE.herds + seat] = herd
        if winner == NOBODY:
            move = np.int64(moves[entry(my_moves, herd)])
            if move & COMPLETE:  # H4: the roll has completed the herd
                winner = seat
            elif t_in_force:
                trade, partner, supply = _trade_with_player(seat, supply, skunk, turn, table)
                if trade == FAILED:
                    return FAILED
                if trade != NO_TRADE:
                    events += word(trade_row(trade) + CHANGE.events, book)
                    if watched:
                        logged = tell(
                            view.TRADED, seat, trade, partner, supply, skunk, turn, logged, table
                        )
                    if is_complete(memory[STATE.herds + seat]):  # H4: whose turn it is comes first
                        winner = seat
                    elif is_complete(memory[STATE.herds + partner]):
                        winner = partner
            else:
                move, herd, supply, counted = _trade(seat, herd, supply, skunk, turn, AFTER, table)
                if move == FAILED:
                    return FAILED
                memory[STATE.herds + seat] = herd
                events += counted
                if watched and move & rule_tables.TRADE_BITS:
                    trade = move & rule_tables.TRADE_BITS
                    logged = tell(
                        view.TRADED, seat, trade, NOBODY, supply, skunk, turn, logged, table
                    )
                if move & rule_tables.WINS:  # H4
                    winner = seat

        memory[STATE.counters + seat] += events
        turn += 1
        if winner != NOBODY:
            break
        phase, t_in_force = BEFORE, 0
        seat = seat + 1 if seat + 1 < players else 0
        if turn >= flush_at:
            _empty_counters(row, players, memory)
            flush_at = turn + FLUSH_TURNS

    _empty_counters(row, players, memory)
    row[ROW_WINNERS] = 0 if winner == NOBODY else 1 << winner
    row[ROW_TURNS] = turn
    if watched and winner != NOBODY:
        logged = tell(view.WON, winner, 0, 0, supply, skunk, turn - 1, logged, table)
    return logged


@njit_as(int64(int64, int64, uint64[::1], TABLE, int32[:, ::1]))
def play_games(
    first: int, last: int, seeds: npt.NDArray[np.uint64], table: Table, rows: npt.NDArray[np.int32]
) -> int:
    """Play games `first` … `last` - 1, one row each; return the last log's length, or FAILED.

    `seeds` holds a seed for each kind of stream.  Modified in place: `rows`.
    """
    streams = table.streams
    logged = 0
    for game in range(first, last):
        row = rows[game - first]
        begin_game(game, seeds, table, row)
        dice_key = game_key(seeds[DICE], game)
        for seat in range(table.players):
            streams[view.DICE_AT + seat] = stream_key(dice_key, DICE, seat)
            _roll(seat, table.book, table.memory, streams)
        logged = play(table, row)
        if logged == FAILED:
            return FAILED
    return logged
