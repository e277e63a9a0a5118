"""What a session of Barnyard Swap leaves in totals, row and tallies."""

import numpy as np
import numpy.typing as npt
from numba import int32, int64

from herdlab.simcore._jit import inlined, inner_as
from herdlab.simcore.barnyard.asking import put, tell
from herdlab.simcore.barnyard.book import BOOK
from herdlab.simcore.barnyard.cards import donkeys_in, watchdogs_in
from herdlab.simcore.barnyard.rules import (
    ANIMALS,
    MATCH_BINS,
    MATCH_LOW,
    MATCH_WIDTH,
    NUMBERS,
    SCORE_BINS,
    SCORE_LOW,
)
from herdlab.simcore.barnyard.scoring import animal_of_full_hand, best_animal, score_parts
from herdlab.simcore.barnyard.view import CLAIMED, COLLECT, NATURAL, PART_BITS, SCORED, SEEN, STATE
from herdlab.simcore.table import FAILED, TABLE, Ints, Table

Row = npt.NDArray[np.int32]

ROW_WINNERS, ROW_ROUNDS, ROW_SESSIONS, ROW_SCORES = range(4)
"""Columns of a match's row: bit mask of winners, rounds, sessions, totals by seat, then events."""
(
    EV_DONKEY_HELD,
    EV_WATCHDOG_HELD,
    EV_FINISHED,
    EV_SCORE,
    EV_NUMBERS,
    EV_FIRST,
    EV_RUN,
    EV_RUNAWAY,
    EV_DONKEY,
    EV_WATCHDOG,
) = range(10)
_BY_SEAT = 10
EV_NATURAL, EV_CLAIMS, EV_STALLS, EV_TRADES, EV_TARGETS_MISSED = range(5)
_BY_TABLE = 5


@inlined
def _count(value: int, event: int, row_at: int, tally_at: int, row: Row, tallies: Ints) -> None:
    """Add what one session gave to the row, and its square to the tallies."""
    row[row_at + event] += np.int32(value)
    tallies[tally_at + event] += value * value


@inner_as(int64(int64, int64, int64, int64, int64, int64, int64, int64, int64, TABLE, int32[::1]))
def score_session(
    session: int,
    turn: int,
    successful: int,
    end: int,
    trades: int,
    runaway: int,
    barnyard: int,
    pile: int,
    logged: int,
    table: Table,
    row: Row,
) -> int:
    """B14-B17: score a session, into totals, row and tallies; return the log's length or FAILED."""
    players, memory, book, tallies = table.players, table.memory, table.book, table.tallies
    events, squares = ROW_SCORES + players, 1
    histogram = 1 + _BY_SEAT * players + _BY_TABLE
    for seat in range(players):  # all declare before anybody's score is known
        hand, twice = memory[STATE.hands + seat], memory[STATE.twice + seat]
        if seat == successful:
            animal = animal_of_full_hand(hand)
        elif book[BOOK.declared]:
            animal = put(COLLECT, seat, table)
            if animal < 0 or animal >= len(ANIMALS):
                return FAILED
        else:
            animal = best_animal(hand, twice)
        memory[STATE.collected + seat] = animal
    for seat in range(players):
        hand, twice, animal = (
            memory[STATE.hands + seat],
            memory[STATE.twice + seat],
            memory[STATE.collected + seat],
        )
        numbers, first, run, bonus, donkeys, watchdogs = score_parts(
            hand, twice, animal, seat == successful, book[BOOK.hand_size], runaway
        )
        score = numbers + first + run + bonus + donkeys + watchdogs
        memory[SEEN.totals + seat] += score
        finished = np.int64(seat == successful)
        _count(donkeys_in(hand), EV_DONKEY_HELD, events, squares, row, tallies)
        _count(watchdogs_in(hand), EV_WATCHDOG_HELD, events, squares, row, tallies)
        _count(finished, EV_FINISHED, events, squares, row, tallies)
        _count(score, EV_SCORE, events, squares, row, tallies)
        _count(numbers, EV_NUMBERS, events, squares, row, tallies)
        _count(first, EV_FIRST, events, squares, row, tallies)
        _count(run, EV_RUN, events, squares, row, tallies)
        _count(bonus, EV_RUNAWAY, events, squares, row, tallies)
        _count(donkeys, EV_DONKEY, events, squares, row, tallies)
        _count(watchdogs, EV_WATCHDOG, events, squares, row, tallies)
        events += _BY_SEAT
        squares += _BY_SEAT
        place = min(max(score - SCORE_LOW, 0), SCORE_BINS - 1)
        tallies[histogram + SCORE_BINS * seat + place] += 1
        if table.watched:
            parts = first | (run << PART_BITS) | ((bonus + NUMBERS) << (2 * PART_BITS))
            logged = tell(
                SCORED, session, turn, seat, score, numbers, parts, animal, barnyard, pile, logged,
                table,
            )  # fmt: skip
    rounds = (turn + players - 1) // players  # B13
    row[ROW_ROUNDS] += np.int32(rounds)
    row[ROW_SESSIONS] += np.int32(1)
    tallies[0] += rounds * rounds
    _count(np.int64(end == NATURAL), EV_NATURAL, events, squares, row, tallies)
    _count(np.int64(end == CLAIMED), EV_CLAIMS, events, squares, row, tallies)
    _count(np.int64(end == 0), EV_STALLS, events, squares, row, tallies)
    _count(trades, EV_TRADES, events, squares, row, tallies)
    tallies[histogram + (SCORE_BINS + MATCH_BINS) * players + rounds] += 1
    return logged


@inlined
def end_match(highest: int, table: Table, row: Row) -> int:
    """B18: write totals and winners into the row, and the totals' histogram; return the winners."""
    players, memory, book = table.players, table.memory, table.book
    events = ROW_SCORES + players + _BY_SEAT * players
    histogram = 1 + (_BY_SEAT + SCORE_BINS) * players + _BY_TABLE
    winners = 0
    for seat in range(players):
        total = memory[SEEN.totals + seat]
        winners |= (total == highest) << seat
        row[ROW_SCORES + seat] = np.int32(total)
        scale = book[BOOK.match_scale]
        place = (total - MATCH_LOW * scale) // (MATCH_WIDTH * scale)
        place = min(max(place, 0), MATCH_BINS - 1)
        table.tallies[histogram + MATCH_BINS * seat + place] += 1
    row[ROW_WINNERS] = np.int32(winners)
    missed = book[BOOK.target] > 0 and highest < book[BOOK.target]  # max_sessions have ended it
    row[events + EV_TARGETS_MISSED] = np.int32(missed)
    return winners
