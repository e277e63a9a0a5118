"""The beats of Horse Trader and Bronco, in the rulebooks' order.

`play_games` is the loop that a thread runs.  Clause ids (P1 …) are those of docs/rules/puzzle.md.
"""

import numpy as np
import numpy.typing as npt
from numba import int32, int64, uint64

from herdlab.simcore._jit import inlined, inner_as, njit_as
from herdlab.simcore.bits import lowest
from herdlab.simcore.puzzle.asking import ask, tell
from herdlab.simcore.puzzle.book import BOOK, SEATS, speaker_of
from herdlab.simcore.puzzle.curve import next_point, note_own, note_point
from herdlab.simcore.puzzle.deal import deal_cards, deal_pieces
from herdlab.simcore.puzzle.offers import offer
from herdlab.simcore.puzzle.ordinary import ordinary_beats, see_what_is_ordinary
from herdlab.simcore.puzzle.passes import forced_pass, may_call
from herdlab.simcore.puzzle.pieces import count_of, size_of
from herdlab.simcore.puzzle.plans import PLAN_ID, plan_anew, planned_word
from herdlab.simcore.puzzle.rules import CURVE_POINTS, PIECES
from herdlab.simcore.puzzle.view import (
    CARD_BITS,
    COUNT,
    DEAL_AT,
    DEALT,
    N_COUNTS,
    NONE,
    OFFER,
    PLAN_SLOTS,
    SEEN,
    SILENCE,
    SILENT,
    STALLED,
    STATE,
    TABLE_AT,
    WON,
    WORD,
)
from herdlab.simcore.rng import DEAL, GAMMA, game_key, mix64, stream_key
from herdlab.simcore.rng import TABLE as TABLE_EVENTS
from herdlab.simcore.table import (
    FAILED,
    OWN_ONLY,
    SEAT_FLAGS,
    SEAT_MOVES,
    SEAT_WORDS,
    TABLE,
    Ints,
    Table,
    begin_game,
)

Row = npt.NDArray[np.int32]

ROW_WINNERS, ROW_BEATS, ROW_EVENTS = 0, 1, 2


@inlined
def set_out(table: Table) -> int:
    """P1, P2: deal, or take up the position to start from; return the first beat."""
    memory, book, players = table.memory, table.book, table.players
    for seat in range(players):
        memory[STATE.gifts + seat] = 0
        memory[SEEN.called + seat] = book[BOOK.start_called + seat]
    for count in range(players * N_COUNTS):
        memory[STATE.counts + count] = 0
    memory[STATE.lapses] = memory[STATE.silences] = memory[STATE.logged] = memory[SEEN.speaker] = 0
    memory[STATE.last_caller], memory[STATE.calls_in_a_row] = (
        book[BOOK.start_last_caller],
        book[BOOK.start_row],
    )
    memory[STATE.is_locked], memory[STATE.kept_word] = (
        book[BOOK.start_is_locked],
        book[BOOK.start_speaker],
    )
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
        if table.seats[SEAT_WORDS * seat + SEAT_FLAGS] & OWN_ONLY:
            memory[STATE.plans + PLAN_SLOTS * seat + PLAN_ID] = NONE
            begin = table.seats[SEAT_WORDS * seat + SEAT_MOVES]
            plan_anew(seat, begin, table.moves, memory)
        else:
            memory[STATE.asked] |= 1 << seat
    return book[BOOK.start_beat]


@inlined
def cards_in_a_row(players: int, memory: Ints) -> int:
    """Return everybody's puzzle card in one number, for the log; nobody is told."""
    row = 0
    for seat in range(players):
        row |= memory[STATE.cards + seat] << CARD_BITS * seat
    return row


@inlined
def any_beat(beat: int, table: Table) -> int:
    """P3: play one beat, whatever happens in it; 0 or FAILED.

    One number is drawn: its high half says who has the word, its low half who is first (P4).
    """
    memory, streams = table.memory, table.streams
    streams[TABLE_AT] += GAMMA
    bits = mix64(streams[TABLE_AT])
    speaker, kept_word = speaker_of(bits, table.book), memory[STATE.kept_word]
    if kept_word != NONE:  # P7a
        speaker = kept_word
    memory[SEEN.speaker], memory[SEEN.beat] = speaker, beat
    memory[STATE.kept_word] = NONE
    if (memory[STATE.asked] >> speaker) & 1:
        memory[SEEN.is_kept] = kept_word != NONE
        memory[SEEN.may_call] = may_call(speaker, table.book, memory)
        code = ask(WORD, speaker, table.minds, memory)
        memory[SEEN.is_kept] = memory[SEEN.may_call] = 0
        if code == FAILED:
            return FAILED
    else:
        code = planned_word(speaker, memory)
    if code >= OFFER:
        return offer(code, speaker, bits, table)
    if code == SILENT:
        memory[STATE.silences] += 1
        if table.watched:
            tell(SILENCE, NONE, NONE, NONE, table.minds, table.seats, memory, table.log)
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
        begin = seats[SEAT_WORDS * seat + SEAT_MOVES]
        if (asked >> seat) & 1 == 0 and plan_anew(seat, begin, moves, memory):
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
def _play(table: Table, row: Row) -> int:
    """Play a game; return the length of its log, or FAILED."""
    memory, book, players = table.memory, table.book, table.players
    beat = set_out(table)
    short_cut = memory[STATE.asked] == 0 and not table.watched
    n_ordinary = see_what_is_ordinary(players, memory) if short_cut else 0
    minds, seats, log = table.minds, table.seats, table.log
    if table.watched:
        cards = cards_in_a_row(players, memory)
        tell(DEALT, NONE, NONE, cards, minds, seats, memory, log)
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
    if table.watched:  # P13
        tell(WON if winners else STALLED, winners, NONE, NONE, minds, seats, memory, log)
    if memory[STATE.point] < CURVE_POINTS:
        note_own(memory[STATE.point], 1, players, memory, table.tallies)
    report(winners, beat, players, memory, row)
    return memory[STATE.logged]


@inlined
def report(winners: int, beat: int, players: int, memory: Ints, row: Row) -> None:
    """Write the outcome of a finished game into its row."""
    row[ROW_WINNERS], row[ROW_BEATS] = np.int32(winners), np.int32(beat)
    trades = passes = right = wrong = 0
    at = ROW_EVENTS
    for seat in range(players):
        counts = STATE.counts + N_COUNTS * seat
        row[at] = np.int32(count_of(memory[STATE.holdings + seat], memory[STATE.cards + seat]))
        for count in range(N_COUNTS):
            row[at + 1 + count] = np.int32(memory[counts + count])
        trades += memory[counts + COUNT.trades_made]
        passes += memory[counts + COUNT.passes_called]
        right += memory[counts + COUNT.calls_right]
        wrong += memory[counts + COUNT.calls_wrong]
        at += 1 + N_COUNTS
    row[at], row[at + 1], row[at + 2] = np.int32(trades // 2), np.int32(passes), np.int32(right)
    row[at + 3], row[at + 4] = np.int32(wrong), np.int32(memory[STATE.lapses])
    row[at + 5], row[at + 6] = np.int32(memory[STATE.silences]), np.int32(winners == 0)


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
        streams[DEAL_AT] = stream_key(game_key(seeds[DEAL], game), DEAL, 0)
        streams[TABLE_AT] = stream_key(game_key(seeds[TABLE_EVENTS], game), TABLE_EVENTS, 0)
        logged = _play(table, row)
        if logged == FAILED:
            return FAILED
    return logged
