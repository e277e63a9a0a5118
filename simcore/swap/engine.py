"""SWAP! played: the deal, the turn, the cards and their effects, clause by clause."""

import numpy as np
import numpy.typing as npt
from numba import int32, int64, uint64

from herdlab.simcore._jit import inlined, inner_as, njit_as
from herdlab.simcore.bits import lowest
from herdlab.simcore.piles import PLACES, left_of
from herdlab.simcore.rng import DEAL, GAMMA, game_key, mix64, stream_key
from herdlab.simcore.rng import TABLE as TABLE_EVENTS
from herdlab.simcore.swap.asking import (
    choose_colour,
    choose_direction,
    choose_kind,
    choose_partner,
    tell,
)
from herdlab.simcore.swap.book import BOOK
from herdlab.simcore.swap.cards import CARD_WORD, playable_kinds
from herdlab.simcore.swap.effects import (
    exchange,
    false_slaps,
    last_to_slap,
    pass_round,
    take_unseen,
    tell_of_draw,
    with_fewest,
)
from herdlab.simcore.swap.piles import CARD_BITS, deal, draw, draw_into_hand, lay_out_start
from herdlab.simcore.swap.rules import (
    COLOURED_KINDS,
    LEFT_BINS,
    PLAIN,
    SLAP,
    SUPER,
    SWAP_CARD,
    SWAP_KIND,
    SWITCH,
)
from herdlab.simcore.swap.view import (
    AHEAD_AT,
    DEAL_AT,
    DEALT,
    DRAWN_GAME,
    DREW,
    EMPTIED,
    NAMED,
    NONE,
    PASSED,
    PLAYED,
    SEEN,
    SLAPPED,
    STATE,
    SUPER_SWAPPED,
    SWAPPED,
    TABLE_AT,
    WON,
)
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

ROW_WINNERS, ROW_TURNS, ROW_EVENTS = range(3)
"""Columns of a game's row: bit mask of winners, turns, then the events seat by seat and by game."""
_BY_SEAT = 2
_N_KINDS = 5
_KIND_BITS = 7


@inner_as(int64(TABLE, int32[::1]))
def _play(table: Table, row: Row) -> int:
    """Play one game; return the log's length, or FAILED."""
    players, memory, book, streams = table.players, table.memory, table.book, table.streams
    moves, watched = table.moves, table.watched
    logged, turn, place, passes = 0, 0, 0, 0
    colour = NONE
    winners, last_kind, is_taken, player = 0, NONE, 0, NONE
    if book[BOOK.has_start]:
        lay_out_start(players, book, memory)
        turn, colour = book[BOOK.start_turn], book[BOOK.start_colour]
        place = book[BOOK.start_place] & PLACES
    else:
        deal(players, book, memory, streams)
        if memory[SEEN.top] != SWAP_CARD:
            colour = memory[SEEN.top] // COLOURED_KINDS
    memory[SEEN.turn] = turn
    if watched:
        logged = tell(DEALT, players - 1, memory[SEEN.top], NONE, colour, logged, table)
    if colour == NONE:  # S2: the dealer names the colour
        memory[SEEN.colour] = NONE
        colour = choose_colour(players - 1, NONE, table)
        if colour == FAILED:
            return FAILED
        if watched:
            logged = tell(NAMED, players - 1, colour, NONE, colour, logged, table)
    last_turn = book[BOOK.max_turns]
    while turn < last_turn:  # S12
        # S4: who can play must play
        following = left_of(place, 1, players)
        player = memory[SEEN.who + place] & PLACES
        playable = playable_kinds(memory[STATE.hands + place], colour)
        if playable:
            if table.seats[SEAT_WORDS * player + SEAT_FLAGS] & OWN_ONLY:
                kind = np.int64(moves[table.seats[SEAT_WORDS * player + SEAT_MOVES] + playable])
            elif playable & (playable - 1) == 0:
                kind = lowest(playable)
            else:
                memory[SEEN.colour], memory[SEEN.turn] = colour, turn
                kind = choose_kind(place, playable, table)
                if kind == FAILED:
                    return FAILED
            card = SWAP_CARD if kind == SWAP_KIND else (COLOURED_KINDS * colour + kind) & CARD_BITS
            memory[STATE.hands + place] -= CARD_WORD[card]
            memory[SEEN.cards + place] -= 1
        else:
            # S5: draw one, and play it at once if it can be played
            before = memory[STATE.reshuffles]
            card = draw(memory, streams)
            if watched:
                memory[SEEN.turn] = turn
                if card != NONE:
                    memory[STATE.hands + place] += CARD_WORD[card]
                    memory[SEEN.cards + place] += 1
                    logged = tell_of_draw(DREW, place, card, colour, before, logged, table)
                    memory[STATE.hands + place] -= CARD_WORD[card]
                    memory[SEEN.cards + place] -= 1
                else:
                    logged = tell(PASSED, place, NONE, NONE, colour, logged, table)
            if card != SWAP_CARD and (card == NONE or card // COLOURED_KINDS != colour):
                turn += 1
                if card == NONE:  # S11
                    passes += 1
                    if passes == players:
                        break
                else:
                    passes = 0
                    memory[STATE.hands + place] += CARD_WORD[card]
                    memory[SEEN.cards + place] += 1
                place = following
                continue
            kind = SWAP_KIND if card == SWAP_CARD else card % COLOURED_KINDS
        passes = 0
        discards = memory[SEEN.discards]
        memory[STATE.discards + discards] = memory[SEEN.top] = card
        memory[SEEN.discards] = discards + 1
        memory[STATE.played + (kind & _KIND_BITS)] += 1
        if watched:
            memory[SEEN.turn] = turn
            logged = tell(PLAYED, place, card, NONE, colour, logged, table)
        turn += 1
        if memory[SEEN.cards + place] == 0:  # S10
            winners, last_kind = 1 << player, kind
            break
        if kind == PLAIN and book[BOOK.false_slaps] == 0:
            place = following
            continue
        memory[SEEN.colour], memory[SEEN.turn] = colour, turn - 1
        if kind != SLAP and book[BOOK.false_slaps]:
            logged = false_slaps(place, colour, logged, table)
        if kind == SLAP:
            last = last_to_slap(place, players, book, memory, streams)
            card = take_unseen(place, last, memory, streams)
            if watched:
                logged = tell(SLAPPED, place, last, card, colour, logged, table)
            if memory[SEEN.cards + place] == 0:  # S10
                drawn = NONE
                if book[BOOK.plays_on]:
                    before = memory[STATE.reshuffles]
                    drawn = draw_into_hand(place, memory, streams)
                    if watched and drawn != NONE:
                        logged = tell_of_draw(EMPTIED, place, drawn, colour, before, logged, table)
                if drawn == NONE:
                    winners, is_taken = 1 << player, 1
                    break
        elif kind == SWITCH:  # S8
            colour = choose_colour(place, colour, table)
            if colour == FAILED:
                return FAILED
            if watched:
                logged = tell(NAMED, place, colour, NONE, colour, logged, table)
        elif kind == SUPER:  # S7
            direction = choose_direction(place, table)
            if direction == FAILED:
                return FAILED
            pass_round(STATE.hands, direction, players, memory)
            pass_round(SEEN.cards, direction, players, memory)
            if watched:
                logged = tell(SUPER_SWAPPED, place, direction, NONE, colour, logged, table)
        elif kind == SWAP_KIND:  # S6
            k = choose_partner(place, table)
            if k == FAILED:
                return FAILED
            other = left_of(place, k, players)
            now_at = place
            if book[BOOK.swap_seats]:  # S14
                exchange(SEEN.who, place, other, memory)
                now_at = other
                if book[BOOK.next_by_player]:
                    following = left_of(now_at, 1, players)
            else:
                exchange(STATE.hands, place, other, memory)
                exchange(SEEN.cards, place, other, memory)
            if watched:
                other = place if now_at == other else other
                logged = tell(SWAPPED, now_at, other, NONE, colour, logged, table)
            colour = choose_colour(now_at, NONE, table)
            if colour == FAILED:
                return FAILED
            if watched:
                logged = tell(NAMED, now_at, colour, NONE, colour, logged, table)
        place = following

    is_drawn = winners == 0
    memory[SEEN.turn] = turn - 1
    if is_drawn:
        winners = with_fewest(players, memory)
    if watched:
        what = DRAWN_GAME if is_drawn else WON
        for other in range(players):  # where the player of the last turn sits now
            if memory[SEEN.who + other] == player:
                place = other
        logged = tell(what, place, winners, NONE, colour, logged, table)
    row[ROW_WINNERS], row[ROW_TURNS] = np.int32(winners), np.int32(turn)
    report(is_drawn, last_kind, is_taken, players, memory, table.tallies, row)
    return logged


@inlined
def report(
    is_drawn: bool, last: int, is_taken: int, players: int, memory: Ints, tallies: Ints, row: Row
) -> None:
    """Write the events of a finished game into its row."""
    for place in range(players):
        player, left = memory[SEEN.who + place], memory[SEEN.cards + place]
        row[ROW_EVENTS + _BY_SEAT * player] = np.int32(left)
        row[ROW_EVENTS + _BY_SEAT * player + 1] = np.int32(memory[STATE.taken + player])
        tallies[LEFT_BINS * player + min(left, LEFT_BINS - 1)] += 1
        memory[STATE.taken + player] = 0
    at = ROW_EVENTS + _BY_SEAT * players
    row[at] = np.int32(memory[STATE.played + SWAP_KIND] - (last == SWAP_KIND))
    row[at + 1] = np.int32(memory[STATE.played + SUPER] - (last == SUPER))
    row[at + 2] = np.int32(memory[STATE.played + SLAP] - (last == SLAP))
    row[at + 3] = np.int32(memory[STATE.drawn])
    row[at + 4] = np.int32(memory[STATE.reshuffles])
    row[at + 5] = np.int32(is_drawn)
    at += 6
    for kind in range(_N_KINDS):
        row[at + kind] = np.int32(memory[STATE.played + kind])
        row[at + _N_KINDS + kind] = np.int32(last == kind)
        memory[STATE.played + kind] = 0
    row[at + 2 * _N_KINDS] = np.int32(is_taken)
    memory[STATE.drawn] = memory[STATE.reshuffles] = 0


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
        streams[DEAL_AT] = stream_key(game_key(seeds[DEAL], game), DEAL, 0) + GAMMA
        streams[AHEAD_AT] = mix64(streams[DEAL_AT])
        streams[TABLE_AT] = stream_key(game_key(seeds[TABLE_EVENTS], game), TABLE_EVENTS, 0)
        logged = _play(table, row)
        if logged == FAILED:
            return FAILED
    return logged
