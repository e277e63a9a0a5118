"""Pig played, clause by clause."""

from numba import int32, int64

from herdlab.simcore._jit import inlined, inner_as, njit_as
from herdlab.simcore.asking import n_logged, write_log
from herdlab.simcore.pig import view
from herdlab.simcore.pig.rules import FACES, MAX_PLAYERS
from herdlab.simcore.pig.view import BOOK, BY_GAME, BY_SEAT, DICE_AT, ROW_SCORES, SEEN, STATE
from herdlab.simcore.rng import DICE, game_key, next_number, scale, stream_key
from herdlab.simcore.table import FAILED, PLAY_GAMES, TABLE, Rows, Seeds, Table, begin_game


@inlined
def roll(seat: int, table: Table) -> int:
    """G2: return what the seat's die shows."""
    return 1 + scale(next_number(table.streams, DICE_AT + seat), FACES)


@inlined
def rolls_on(seat: int, table: Table) -> int:
    """G2: let the player choose BANK or ROLL; return it, or FAILED."""
    memory = table.memory
    best = 0
    for other in range(table.players):
        if other != seat:
            best = max(best, memory[STATE.banks + other])
    memory[SEEN.mine], memory[SEEN.best] = memory[STATE.banks + seat], best
    answer = view.ask(view.ROLL_ON, seat, SEEN.begin, table.minds, memory)
    return answer if 0 <= answer <= view.ROLL else FAILED


@inlined
def note(what: int, seat: int, face: int, table: Table) -> None:
    """Log what has happened."""
    memory = table.memory
    numbers = (what, memory[SEEN.turn], seat, face, memory[SEEN.at_stake])
    write_log(numbers, (STATE.banks,), MAX_PLAYERS, memory, table.log)


@inner_as(int64(TABLE, int32[::1]))
def _play(table: Table, row: Rows) -> int:
    """Play one game; return 0, or FAILED."""
    players, memory, book = table.players, table.memory, table.book
    events = ROW_SCORES + players
    rolls = events + BY_SEAT.end * players + BY_GAME.rolls
    turn, seat = 0, 0
    for other in range(players):
        memory[STATE.banks + other] = 0
    memory[SEEN.goal] = book[BOOK.goal]
    while turn < book[BOOK.max_turns] and row[view.ROW_WINNERS] == 0:  # G5
        memory[SEEN.turn], memory[SEEN.at_stake] = turn, 0
        answer = view.ROLL
        while answer == view.ROLL:
            face = roll(seat, table)
            row[rolls] += 1
            if face == 1:  # G3
                memory[SEEN.at_stake] = 0
                if book[BOOK.one_takes_all]:
                    memory[STATE.banks + seat] = 0
                row[events + BY_SEAT.end * seat + BY_SEAT.ones] += 1
                note(view.LOST, seat, face, table)
                break
            memory[SEEN.at_stake] += face
            note(view.SCORED, seat, face, table)
            answer = rolls_on(seat, table)
            if answer == FAILED:
                return FAILED
        memory[STATE.banks + seat] += memory[SEEN.at_stake]
        if memory[SEEN.at_stake] > 0:
            memory[SEEN.at_stake] = 0
            note(view.BANKED, seat, 0, table)
        if memory[STATE.banks + seat] >= book[BOOK.goal]:  # G4
            row[view.ROW_WINNERS] = 1 << seat
        turn += 1
        seat = seat + 1 if seat + 1 < players else 0  # G1
    row[view.ROW_TURNS] = turn
    for other in range(players):
        row[ROW_SCORES + other] = memory[STATE.banks + other]
    return 0


@njit_as(PLAY_GAMES)
def play_games(first: int, last: int, seeds: Seeds, table: Table, rows: Rows) -> int:
    """Play games `first` … `last` - 1, a row each; return the last log's length, or FAILED."""
    for game in range(first, last):
        begin_game(game, seeds, table, rows[game - first])
        for seat in range(table.players):
            table.streams[DICE_AT + seat] = stream_key(game_key(seeds[DICE], game), DICE, seat)
        if _play(table, rows[game - first]) == FAILED:
            return FAILED
    return n_logged(table)
