"""Pig played, clause by clause."""

import numpy as np
import numpy.typing as npt
from numba import int32, int64, uint64

from herdlab.simcore._jit import inlined, inner_as, njit_as
from herdlab.simcore.pig.rules import FACES
from herdlab.simcore.pig.view import (
    BANKED,
    BANKS,
    DICE_AT,
    LOST,
    ROLL,
    ROLL_ON,
    SCORED,
    SEEN,
    SEEN_AT_STAKE,
    SEEN_BEST,
    SEEN_GOAL,
    SEEN_MINE,
    SEEN_TURN,
    call_choose,
    view_at,
)
from herdlab.simcore.rng import DICE, GAMMA, game_key, mix64, scale, stream_key
from herdlab.simcore.table import (
    ASKED_ANSWER,
    ASKED_DECISION,
    ASKED_SEAT,
    FAILED,
    MIND_CHOOSE,
    MIND_WORDS,
    TABLE,
    Table,
    begin_game,
    me_at,
)

Row = npt.NDArray[np.int32]

GOAL, MAX_TURNS, ONE_TAKES_ALL = range(3)
"""The book: the rules as the loop reads them."""
ROW_WINNERS, ROW_TURNS, ROW_SCORES = range(3)
"""A game's row: bit mask of winners, turns, scores, then the events seat by seat and by game."""


@inlined
def roll(seat: int, table: Table) -> int:
    """G2: return what the seat's die shows."""
    at = DICE_AT + seat
    table.streams[at] += GAMMA
    return 1 + scale(mix64(table.streams[at]), FACES)


@inlined
def rolls_on(seat: int, table: Table) -> int:
    """G2: let the player choose BANK or ROLL; return it, or FAILED."""
    memory = table.memory
    best = 0
    for other in range(table.players):
        if other != seat:
            best = max(best, memory[BANKS + other])
    memory[SEEN_MINE], memory[SEEN_BEST] = memory[BANKS + seat], best
    memory[ASKED_SEAT], memory[ASKED_DECISION] = seat, ROLL_ON
    mind = MIND_WORDS * seat
    view, me = view_at(memory, SEEN), me_at(table.minds, mind)
    answer = call_choose(table.minds[mind + MIND_CHOOSE], ROLL_ON, view, me)
    memory[ASKED_ANSWER] = answer
    return answer if 0 <= answer <= ROLL else FAILED


@inlined
def note(what: int, seat: int, face: int, n_logged: int, table: Table) -> int:
    """Log what has happened, as far as there is room; return the new length."""
    memory, log = table.memory, table.log
    if n_logged < log.shape[0]:
        log[n_logged, 0], log[n_logged, 1], log[n_logged, 2] = what, memory[SEEN_TURN], seat
        log[n_logged, 3], log[n_logged, 4] = face, memory[SEEN_AT_STAKE]
        log[n_logged, 5] = memory[BANKS + seat]
    return n_logged + 1


@inner_as(int64(TABLE, int32[::1]))
def _play(table: Table, row: Row) -> int:
    """Play one game; return the log's length, or FAILED."""
    players, memory, book = table.players, table.memory, table.book
    events = ROW_SCORES + players
    logged, turn, seat = 0, 0, 0
    for other in range(players):
        memory[BANKS + other] = 0
    memory[SEEN_GOAL] = book[GOAL]
    while turn < book[MAX_TURNS] and row[ROW_WINNERS] == 0:  # G5
        memory[SEEN_TURN], memory[SEEN_AT_STAKE] = turn, 0
        answer = ROLL
        while answer == ROLL:
            face = roll(seat, table)
            row[events + players] += np.int32(1)
            if face == 1:  # G3
                memory[SEEN_AT_STAKE] = 0
                if book[ONE_TAKES_ALL]:
                    memory[BANKS + seat] = 0
                row[events + seat] += np.int32(1)
                logged = note(LOST, seat, face, logged, table)
                break
            memory[SEEN_AT_STAKE] += face
            logged = note(SCORED, seat, face, logged, table)
            answer = rolls_on(seat, table)
            if answer == FAILED:
                return FAILED
        memory[BANKS + seat] += memory[SEEN_AT_STAKE]
        if memory[SEEN_AT_STAKE] > 0:
            memory[SEEN_AT_STAKE] = 0
            logged = note(BANKED, seat, 0, logged, table)
        if memory[BANKS + seat] >= book[GOAL]:  # G4
            row[ROW_WINNERS] = np.int32(1 << seat)
        turn += 1
        seat = seat + 1 if seat + 1 < players else 0  # G1
    row[ROW_TURNS] = np.int32(turn)
    for other in range(players):
        row[ROW_SCORES + other] = np.int32(memory[BANKS + other])
    return logged


@njit_as(int64(int64, int64, uint64[::1], TABLE, int32[:, ::1]))
def play_games(
    first: int, last: int, seeds: npt.NDArray[np.uint64], table: Table, rows: npt.NDArray[np.int32]
) -> int:
    """Play games `first` … `last` - 1, one row each; return the last log's length, or FAILED.

    `seeds` holds a seed for each kind of stream.  Modified in place: `rows`.
    """
    logged = 0
    for game in range(first, last):
        row = rows[game - first]
        begin_game(game, seeds, table, row)
        for seat in range(table.players):
            table.streams[DICE_AT + seat] = stream_key(game_key(seeds[DICE], game), DICE, seat)
        logged = _play(table, row)
        if logged == FAILED:
            return FAILED
    return logged
