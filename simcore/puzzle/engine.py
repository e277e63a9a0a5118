"""The beats of Horse Trader and Bronco, in the rulebooks' order.

`play_games` is the loop that a thread runs.  Clause ids (P1 …) are those of docs/rules/puzzle.md.
"""

import numpy as np
import numpy.typing as npt
from numba import int32, int64

from herdlab.simcore._jit import inlined, inner_as, njit_as
from herdlab.simcore.asking import is_own_only, moves_of, n_logged
from herdlab.simcore.bits import lowest
from herdlab.simcore.puzzle import view
from herdlab.simcore.puzzle.asking import ask, tell
from herdlab.simcore.puzzle.book import BOOK, SEATS, speaker_of
from herdlab.simcore.puzzle.curve import next_point, note_own, note_point
from herdlab.simcore.puzzle.deal import deal_cards, deal_pieces
from herdlab.simcore.puzzle.exchanges import forced_pass, may_call, offer
from herdlab.simcore.puzzle.ordinary import ordinary_beats, see_what_is_ordinary
from herdlab.simcore.puzzle.pieces import count_of, size_of
from herdlab.simcore.puzzle.plans import plan_anew, plan_of, planned_word
from herdlab.simcore.puzzle.rules import CURVE_POINTS, PIECES
from herdlab.simcore.puzzle.view import BY_GAME, BY_SEAT, DEAL_AT, NONE, SEEN, STATE, TABLE_AT
from herdlab.simcore.rng import DEAL, game_key, next_number, stream_key
from herdlab.simcore.rng import TABLE as TABLE_EVENTS
from herdlab.simcore.table import FAILED, PLAY_GAMES, TABLE, Ints, Rows, Seeds, Table, begin_game

ROW_WINNERS, ROW_BEATS, ROW_EVENTS = range(3)


@inlined
def set_out(table: Table) -> int:
    """P1, P2: deal, or take up the position to start from; return the first beat."""
    memory, book, players = table.memory, table.book, table.players
    for seat in range(players):
        memory[STATE.gifts + seat] = 0
        memory[SEEN.called + seat] = book[BOOK.start_called + seat]
    for count in range(players * BY_SEAT.end):
        memory[STATE.counts + count] = 0
    memory[STATE.lapses] = memory[STATE.silences] = memory[SEEN.speaker] = 0
    memory[STATE.last_caller] = book[BOOK.start_last_caller]
    memory[STATE.calls_in_a_row] = book[BOOK.start_row]
    memory[STATE.is_locked] = book[BOOK.start_is_locked]
    memory[STATE.kept_word] = book[BOOK.start_speaker]
    memory[STATE.start], memory[STATE.point] = book[BOOK.start_beat], 0
    memory[SEEN.beat] = book[BOOK.start_beat]
    if book[BOOK.has_start]:
        for seat in range(players):
            memory[STATE.holdings + seat] = book[BOOK.start_holdings + seat]
            memory[STATE.cards + seat] = book[BOOK.start_cards + seat]
            memory[SEEN.held + seat] = size_of(memory[STATE.holdings + seat])
    else:
        deal_cards(players, memory, table.streams)
        deal_pieces(players, memory, table.streams)
        for seat in range(players):
            memory[SEEN.held + seat] = PIECES
    memory[STATE.answers] = memory[STATE.asked] = 0
    for seat in range(players):
        if is_own_only(seat, table.seats):
            memory[plan_of(seat) + view.PLAN.id] = NONE
            plan_anew(seat, moves_of(seat, table.seats), table.moves, memory)
        else:
            memory[STATE.asked] |= 1 << seat
    return book[BOOK.start_beat]


@inlined
def cards_in_a_row(players: int, memory: Ints) -> int:
    """Return everybody's puzzle card in one number, for the log; nobody is told."""
    row = 0
    for seat in range(players):
        row |= memory[STATE.cards + seat] << view.CARD_BITS * seat
    return row


@inlined
def any_beat(beat: int, table: Table) -> int:
    """P3: play one beat, whatever happens in it; 0 or FAILED.

    One number is drawn: its high half says who has the word, its low half who is first (P4).
    """
    memory = table.memory
    bits = next_number(table.streams, TABLE_AT)
    speaker, kept_word = speaker_of(bits, table.book), memory[STATE.kept_word]
    if kept_word != NONE:  # P7a
        speaker = kept_word
    memory[SEEN.speaker], memory[SEEN.beat] = speaker, beat
    memory[STATE.kept_word] = NONE
    if (memory[STATE.asked] >> speaker) & 1:
        memory[SEEN.is_kept] = kept_word != NONE
        memory[SEEN.may_call] = may_call(speaker, table.book, memory)
        code = ask(view.WORD, speaker, table.minds, memory)
        memory[SEEN.is_kept] = memory[SEEN.may_call] = 0
        if code == FAILED:
            return FAILED
    else:
        code = planned_word(speaker, memory)
    if code >= view.OFFER:
        return offer(code, speaker, bits, table)
    if code == view.SILENT:
        memory[STATE.silences] += 1
        tell(view.SILENCE, NONE, NONE, NONE, table)
        return 0
    return forced_pass(code, speaker, table)


@inlined
def settle(moved: int, seats: Ints, moves: npt.NDArray[np.uint8], memory: Ints) -> int:
    """See to the seats whose pieces have moved; return who is complete (P10), as bits.

    Notes in memory[IS_NEW] whether a plan has changed.
    """
    asked, winners = memory[STATE.asked], 0
    while moved:
        seat = lowest(moved) & SEATS
        moved &= moved - 1
        own = count_of(memory[STATE.holdings + seat], memory[STATE.cards + seat])
        winners |= (1 if own == PIECES else 0) << seat
        if (asked >> seat) & 1 == 0 and plan_anew(seat, moves_of(seat, seats), moves, memory):
            memory[STATE.is_new] = 1
    return winners


@inlined
def first_of(winners: int, speaker: int, players: int) -> int:
    """P10: of several who complete their puzzles, the speaker, or the first to his left."""
    for k in range(players):
        seat = (speaker + k) % players
        if (winners >> seat) & 1:
            return 1 << seat
    return 0


@inner_as(int64(TABLE, int32[::1]))
def _play(table: Table, row: Rows) -> int:
    """Play a game; return 0, or FAILED."""
    memory, book, players = table.memory, table.book, table.players
    beat = set_out(table)
    short_cut = memory[STATE.asked] == 0 and not table.watched
    n_ordinary = see_what_is_ordinary(players, memory) if short_cut else 0
    tell(view.DEALT, NONE, NONE, cards_in_a_row(players, memory), table)
    winners, max_beats = 0, book[BOOK.max_beats]
    while beat < max_beats and winners == 0:
        memory[STATE.moved], played = 0, beat
        if 2 * n_ordinary > players and memory[STATE.kept_word] == NONE:
            played = ordinary_beats(beat, table)
        if played != beat:
            beat = played
        else:
            if beat == next_point(memory):
                note_point(players, memory, table.tallies)
            if any_beat(beat, table) == FAILED:
                return FAILED
            beat += 1
        winners = settle(memory[STATE.moved], table.seats, table.moves, memory)
        if short_cut and memory[STATE.is_new]:
            n_ordinary = see_what_is_ordinary(players, memory)
    if not book[BOOK.shared]:
        winners = first_of(winners, memory[SEEN.speaker], players)
    tell(view.WON if winners else view.STALLED, winners, NONE, NONE, table)  # P13
    if memory[STATE.point] < CURVE_POINTS:
        note_own(memory[STATE.point], 1, players, memory, table.tallies)
    report(winners, beat, players, memory, row)
    return 0


@inlined
def report(winners: int, beat: int, players: int, memory: Ints, row: Rows) -> None:
    """Write the outcome of a finished game into its row."""
    row[ROW_WINNERS], row[ROW_BEATS] = winners, beat
    of_game = ROW_EVENTS + BY_SEAT.end * players
    for seat in range(players):
        counts, at = STATE.counts + BY_SEAT.end * seat, ROW_EVENTS + BY_SEAT.end * seat
        own = count_of(memory[STATE.holdings + seat], memory[STATE.cards + seat])
        memory[counts + BY_SEAT.own_pieces] = own
        for event in range(BY_SEAT.end):
            row[at + event] = memory[counts + event]
        row[of_game + BY_GAME.trades] += memory[counts + BY_SEAT.trades_made]
        row[of_game + BY_GAME.passes] += memory[counts + BY_SEAT.passes_called]
        row[of_game + BY_GAME.bluffs_called_right] += memory[counts + BY_SEAT.calls_right]
        row[of_game + BY_GAME.bluffs_called_wrong] += memory[counts + BY_SEAT.calls_wrong]
    row[of_game + BY_GAME.trades] //= 2  # two have made each
    row[of_game + BY_GAME.lapses] = memory[STATE.lapses]
    row[of_game + BY_GAME.silences] = memory[STATE.silences]
    row[of_game + BY_GAME.stalls] = winners == 0


@njit_as(PLAY_GAMES)
def play_games(first: int, last: int, seeds: Seeds, table: Table, rows: Rows) -> int:
    """Play games `first` … `last` - 1, a row each; return the last log's length, or FAILED."""
    streams = table.streams
    for game in range(first, last):
        begin_game(game, seeds, table, rows[game - first])
        streams[DEAL_AT] = stream_key(game_key(seeds[DEAL], game), DEAL, 0)
        streams[TABLE_AT] = stream_key(game_key(seeds[TABLE_EVENTS], game), TABLE_EVENTS, 0)
        if _play(table, rows[game - first]) == FAILED:
            return FAILED
    return n_logged(table)
