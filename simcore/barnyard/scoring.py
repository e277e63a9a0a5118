"""Scoring a session of Barnyard Swap (B14-B17), and what it leaves in totals, row and tallies."""

import numpy as np
from numba import int32, int64, types

from herdlab.simcore._jit import inlined, inner_as
from herdlab.simcore.barnyard import rules, view
from herdlab.simcore.barnyard.asking import put, tell
from herdlab.simcore.barnyard.cards import (
    ALL_KINDS,
    COUNT,
    RUN,
    count_of,
    donkeys_in,
    field_of,
    sum_of,
    watchdogs_in,
)
from herdlab.simcore.barnyard.rules import ANIMALS, KINDS, NUMBERS
from herdlab.simcore.barnyard.view import BOOK, BY_GAME, BY_SEAT, SEEN, STATE
from herdlab.simcore.bits import lowest
from herdlab.simcore.table import FAILED, TABLE, Rows, Table

_N_ANIMALS = len(ANIMALS)
_SHORT_RUN, _LONG_RUN = 5, 6


@inlined
def best_animal(hand: int, twice: int) -> int:
    """B15: return the animal of the highest sum, ties to more cards, then to the deck's order."""
    best, highest = rules.SHEEP, -1
    for animal in range(_N_ANIMALS):
        worth = (sum_of(hand, twice, animal) << 4) | count_of(hand, twice, animal)
        if worth > highest:
            best, highest = animal, worth
    return best


@inlined
def animal_of_full_hand(hand: int) -> int:
    """Return the animal of a hand that has only one."""
    return lowest(hand & ALL_KINDS) // NUMBERS


@inlined
def _total(hand: int, twice: int) -> int:
    total = 0
    for animal in range(_N_ANIMALS):
        total += sum_of(hand, twice, animal)
    return total


@inlined
def _longest_run(hand: int) -> int:
    longest = 0
    for animal in range(_N_ANIMALS):
        longest = max(longest, np.int64(RUN[field_of(hand, animal)]))
    return longest


@inner_as(types.UniTuple(int64, 6)(int64, int64, int64, int64, int64, int64))
def score_parts(
    hand: int, twice: int, animal: int, is_first: int, hand_size: int, runaway: int
) -> tuple[int, int, int, int, int, int]:
    """Return the points for numbers, first, run, runaway, Donkeys and Watchdogs of one player.

    `animal` is the one that he collects.
    """
    collected = sum_of(hand, twice, animal)
    first, run = 0, 0
    numbers = collected
    if is_first:  # B14
        first = rules.POINTS_FIRST
        field = field_of(hand, animal)
        if COUNT[field] == hand_size and RUN[field] == hand_size:
            run = rules.POINTS_WHOLE_RUN
    else:  # B15
        numbers = 2 * collected - _total(hand, twice)
        longest = _longest_run(hand)
        if longest >= _SHORT_RUN:
            run = _LONG_RUN if longest >= _LONG_RUN else _SHORT_RUN
    bonus = 0
    if runaway < KINDS and runaway // NUMBERS == animal:  # B16
        number = runaway % NUMBERS + 1
        bonus = number if number % 2 == 0 else -number
    donkeys = rules.POINTS_DONKEY * donkeys_in(hand)  # B17
    watchdogs = rules.POINTS_WATCHDOG * watchdogs_in(hand)
    return numbers, first, run, bonus, donkeys, watchdogs


@inlined
def _tallied(players: int) -> tuple[int, int, int]:
    """Return where the histograms stand: session scores and totals, seat by seat, then rounds.

    Before them are the squares of rounds and events, see `Game.tallies`.
    """
    scores = 1 + BY_SEAT.end * players + BY_GAME.end
    totals = scores + rules.SCORE_BINS * players
    return scores, totals, totals + rules.MATCH_BINS * players


@inlined
def _count(value: int, event: int, table: Table, row: Rows) -> None:
    """Add what one session gave to the row, and its square to the tallies."""
    row[view.ROW_SCORES + table.players + event] += value
    table.tallies[1 + event] += value * value


@inlined
def declare(successful: int, table: Table) -> int:
    """B15: let every player collect an animal, before anybody's score is known; 0 or FAILED."""
    memory = table.memory
    for seat in range(table.players):
        hand = memory[STATE.hands + seat]
        if seat == successful:
            animal = animal_of_full_hand(hand)
        elif table.book[BOOK.declared]:
            animal = put(view.COLLECT, seat, table.minds, memory)
            if animal < 0 or animal >= len(ANIMALS):
                return FAILED
        else:
            animal = best_animal(hand, memory[STATE.twice + seat])
        memory[STATE.collected + seat] = animal
    return 0


@inner_as(int64(int64, int64, int64, int64, TABLE, int32[::1]))
def score_session(
    successful: int, end: int, trades: int, runaway: int, table: Table, row: Rows
) -> int:
    """B14-B17: score a session, into totals, row and tallies; return 0 or FAILED."""
    players, memory, tallies = table.players, table.memory, table.tallies
    if declare(successful, table) == FAILED:
        return FAILED
    scores_at, _, rounds_at = _tallied(players)
    for seat in range(players):
        hand, animal = memory[STATE.hands + seat], memory[STATE.collected + seat]
        is_first, size = seat == successful, table.book[BOOK.hand_size]
        parts = score_parts(hand, memory[STATE.twice + seat], animal, is_first, size, runaway)
        numbers, first, run, bonus, donkeys, watchdogs = parts
        score = numbers + first + run + bonus + donkeys + watchdogs
        memory[SEEN.totals + seat] += score
        at = BY_SEAT.end * seat
        _count(donkeys_in(hand), at + BY_SEAT.donkey_held, table, row)
        _count(watchdogs_in(hand), at + BY_SEAT.watchdog_held, table, row)
        _count(np.int64(is_first), at + BY_SEAT.finished, table, row)
        _count(score, at + BY_SEAT.session_score, table, row)
        _count(numbers, at + BY_SEAT.points_numbers, table, row)
        _count(first, at + BY_SEAT.points_first, table, row)
        _count(run, at + BY_SEAT.points_run, table, row)
        _count(bonus, at + BY_SEAT.points_runaway, table, row)
        _count(donkeys, at + BY_SEAT.points_donkey, table, row)
        _count(watchdogs, at + BY_SEAT.points_watchdog, table, row)
        place = min(max(score - rules.SCORE_LOW, 0), rules.SCORE_BINS - 1)
        tallies[scores_at + rules.SCORE_BINS * seat + place] += 1
        packed = first | (run << view.PART_BITS) | ((bonus + NUMBERS) << (2 * view.PART_BITS))
        tell(view.SCORED, seat, table, score, numbers, packed, animal)
    rounds = (memory[SEEN.turn] + players - 1) // players  # B13
    row[view.ROW_ROUNDS] += rounds
    row[view.ROW_SESSIONS] += 1
    tallies[0] += rounds * rounds
    tallies[rounds_at + rounds] += 1
    at = BY_SEAT.end * players
    _count(np.int64(end == view.NATURAL), at + BY_GAME.natural_full_hands, table, row)
    _count(np.int64(end == view.CLAIMED), at + BY_GAME.wild_claims, table, row)
    _count(np.int64(end == 0), at + BY_GAME.stalls, table, row)
    _count(trades, at + BY_GAME.trades, table, row)
    return 0


@inlined
def end_match(highest: int, table: Table, row: Rows) -> None:
    """B18: write totals and winners into the row, and the totals' histogram."""
    players, memory, book = table.players, table.memory, table.book
    _, totals_at, _ = _tallied(players)
    scale = book[BOOK.match_scale]
    winners = 0
    for seat in range(players):
        total = memory[SEEN.totals + seat]
        winners |= (total == highest) << seat
        row[view.ROW_SCORES + seat] = total
        place = (total - rules.MATCH_LOW * scale) // (rules.MATCH_WIDTH * scale)
        place = min(max(place, 0), rules.MATCH_BINS - 1)
        table.tallies[totals_at + rules.MATCH_BINS * seat + place] += 1
    row[view.ROW_WINNERS] = winners
    missed = book[BOOK.target] > 0 and highest < book[BOOK.target]  # max_sessions have ended it
    row[view.ROW_SCORES + players + BY_SEAT.end * players + BY_GAME.targets_missed] = missed
    memory[SEEN.turn] = memory[SEEN.barnyard] = memory[SEEN.pile] = 0
    tell(view.WON, 0, table, winners)
