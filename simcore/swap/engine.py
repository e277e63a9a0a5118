"""SWAP! played: the deal, the turn, the cards and their effects, clause by clause."""

import numpy as np
from numba import int32, int64

from herdlab.simcore._jit import inlined, inner_as, njit_as
from herdlab.simcore.asking import is_own_only, moves_of, n_logged
from herdlab.simcore.bits import lowest
from herdlab.simcore.piles import PLACES, left_of
from herdlab.simcore.rng import DEAL, GAMMA, game_key, mix64, stream_key
from herdlab.simcore.rng import TABLE as TABLE_EVENTS
from herdlab.simcore.swap import asking, effects, piles, rules, view
from herdlab.simcore.swap.asking import tell
from herdlab.simcore.swap.cards import playable_kinds
from herdlab.simcore.swap.rules import PLAIN, SLAP, SUPER, SWAP_CARD, SWAP_KIND, SWITCH
from herdlab.simcore.swap.view import BOOK, BY_GAME, BY_SEAT, NONE, SEEN, STATE
from herdlab.simcore.table import FAILED, PLAY_GAMES, TABLE, Ints, Rows, Seeds, Table, begin_game

_N_KINDS = len(rules.KINDS)
_KIND_BITS = 7  # tells the compiler that a kind is not negative


@inner_as(int64(TABLE, int32[::1]))
def _play(table: Table, row: Rows) -> int:
    """Play one game; return 0, or FAILED."""
    players, memory, book, streams = table.players, table.memory, table.book, table.streams
    turn, place, passes, colour = 0, 0, 0, NONE
    winners, last_kind, is_taken, player = 0, NONE, 0, NONE
    if book[BOOK.has_start]:
        piles.lay_out_start(players, book, memory)
        turn, colour = book[BOOK.start_turn], book[BOOK.start_colour]
        place = book[BOOK.start_place] & PLACES
    else:
        piles.deal(players, book, memory, streams)
        if memory[SEEN.top] != SWAP_CARD:
            colour = memory[SEEN.top] // rules.COLOURED_KINDS
    memory[SEEN.turn], memory[SEEN.colour] = turn, colour
    tell(view.DEALT, players - 1, memory[SEEN.top], NONE, table)
    if colour == NONE:  # S2: the dealer names the colour
        colour = asking.choose_colour(players - 1, NONE, table)
        if colour == FAILED:
            return FAILED
    last_turn = book[BOOK.max_turns]
    while turn < last_turn:  # S12
        # S4: who can play must play
        memory[SEEN.turn] = turn
        turn += 1
        following = left_of(place, 1, players)
        player = memory[SEEN.who + place] & PLACES
        playable = playable_kinds(memory[STATE.hands + place], colour)
        if playable:
            if is_own_only(player, table.seats):
                kind = np.int64(table.moves[moves_of(player, table.seats) + playable])
            elif playable & (playable - 1) == 0:
                kind = lowest(playable)
            else:
                kind = asking.choose_kind(place, playable, table)
                if kind == FAILED:
                    return FAILED
            card = SWAP_CARD
            if kind != SWAP_KIND:
                card = (rules.COLOURED_KINDS * colour + kind) & piles.CARD_BITS
        else:
            # S5: draw one, and play it at once if it can be played
            card = piles.draw(place, table)
            if card == NONE:  # S11
                tell(view.PASSED, place, NONE, NONE, table)
                passes += 1
                if passes == players:
                    break
                place = following
                continue
            piles.put_into_hand(card, place, memory)
            tell(view.DREW, place, card, NONE, table)
            if card != SWAP_CARD and card // rules.COLOURED_KINDS != colour:
                passes = 0
                place = following
                continue
            kind = SWAP_KIND if card == SWAP_CARD else card % rules.COLOURED_KINDS
        passes = 0
        piles.take_from_hand(card, place, memory)
        discards = memory[SEEN.discards]
        memory[STATE.discards + discards] = memory[SEEN.top] = card
        memory[SEEN.discards] = discards + 1
        memory[STATE.played + (kind & _KIND_BITS)] += 1
        tell(view.PLAYED, place, card, NONE, table)
        if memory[SEEN.cards + place] == 0:  # S10
            winners, last_kind = 1 << player, kind
            break
        if kind == PLAIN and book[BOOK.false_slaps] == 0:
            place = following
            continue
        if kind != SLAP and book[BOOK.false_slaps]:
            effects.false_slaps(place, table)
        if kind == SLAP:
            last = effects.last_to_slap(place, players, book, memory, streams)
            card = effects.take_unseen(place, last, memory, streams)
            tell(view.SLAPPED, place, last, card, table)
            if memory[SEEN.cards + place] == 0:  # S10
                drawn = piles.draw_into_hand(place, table) if book[BOOK.plays_on] else NONE
                if drawn == NONE:
                    winners, is_taken = 1 << player, 1
                    break
                tell(view.EMPTIED, place, drawn, NONE, table)
        elif kind == SWITCH:  # S8
            colour = asking.choose_colour(place, colour, table)
            if colour == FAILED:
                return FAILED
        elif kind == SUPER:  # S7
            direction = asking.choose_direction(place, table)
            if direction == FAILED:
                return FAILED
            effects.pass_round(STATE.hands, direction, players, memory)
            effects.pass_round(SEEN.cards, direction, players, memory)
            tell(view.SUPER_SWAPPED, place, direction, NONE, table)
        elif kind == SWAP_KIND:  # S6
            k = asking.choose_partner(place, table)
            if k == FAILED:
                return FAILED
            other = left_of(place, k, players)
            now_at = place
            if book[BOOK.swap_seats]:  # S14
                effects.exchange(SEEN.who, place, other, memory)
                now_at, other = other, place
                if book[BOOK.next_by_player]:
                    following = left_of(now_at, 1, players)
            else:
                effects.exchange(STATE.hands, place, other, memory)
                effects.exchange(SEEN.cards, place, other, memory)
            tell(view.SWAPPED, now_at, other, NONE, table)
            colour = asking.choose_colour(now_at, NONE, table)
            if colour == FAILED:
                return FAILED
        place = following

    is_drawn = winners == 0
    if is_drawn:
        winners = effects.with_fewest(players, memory)
    if table.watched:
        for other in range(players):  # where the player of the last turn sits now
            if memory[SEEN.who + other] == player:
                place = other
        tell(view.DRAWN_GAME if is_drawn else view.WON, place, winners, NONE, table)
    row[view.ROW_WINNERS], row[view.ROW_TURNS] = winners, turn
    report(is_drawn, last_kind, is_taken, players, memory, table.tallies, row)
    return 0


@inlined
def report(
    is_drawn: bool, last: int, is_taken: int, players: int, memory: Ints, tallies: Ints, row: Rows
) -> None:
    """Write the events of a finished game into its row."""
    for place in range(players):
        player, left = memory[SEEN.who + place], memory[SEEN.cards + place]
        at = view.ROW_EVENTS + BY_SEAT.end * player
        row[at + BY_SEAT.cards_left] = left
        row[at + BY_SEAT.slapped_last] = memory[STATE.taken + player]
        tallies[rules.LEFT_BINS * player + min(left, rules.LEFT_BINS - 1)] += 1
        memory[STATE.taken + player] = 0
    at = view.ROW_EVENTS + BY_SEAT.end * players
    # the effect of the winning card does not take place
    row[at + BY_GAME.swaps] = memory[STATE.played + SWAP_KIND] - (last == SWAP_KIND)
    row[at + BY_GAME.super_swaps] = memory[STATE.played + SUPER] - (last == SUPER)
    row[at + BY_GAME.slaps] = memory[STATE.played + SLAP] - (last == SLAP)
    row[at + BY_GAME.cards_drawn] = memory[STATE.drawn]
    row[at + BY_GAME.reshuffles] = memory[STATE.reshuffles]
    row[at + BY_GAME.drawn_games] = is_drawn
    for kind in range(_N_KINDS):
        row[at + BY_GAME.played_plain + kind] = memory[STATE.played + kind]
        row[at + BY_GAME.last_plain + kind] = last == kind
        memory[STATE.played + kind] = 0
    row[at + BY_GAME.last_taken] = is_taken
    memory[STATE.drawn] = memory[STATE.reshuffles] = 0


@njit_as(PLAY_GAMES)
def play_games(first: int, last: int, seeds: Seeds, table: Table, rows: Rows) -> int:
    """Play games `first` … `last` - 1, a row each; return the last log's length, or FAILED."""
    streams = table.streams
    for game in range(first, last):
        begin_game(game, seeds, table, rows[game - first])
        streams[view.DEAL_AT] = stream_key(game_key(seeds[DEAL], game), DEAL, 0) + GAMMA
        streams[view.AHEAD_AT] = mix64(streams[view.DEAL_AT])
        streams[view.TABLE_AT] = stream_key(game_key(seeds[TABLE_EVENTS], game), TABLE_EVENTS, 0)
        if _play(table, rows[game - first]) == FAILED:
            return FAILED
    return n_logged(table)
