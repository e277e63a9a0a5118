"""SWAP! played: the deal, the turn, the cards and their effects, clause by clause."""

import numpy as np
import numpy.typing as npt
from numba import int32, int64, uint8, uint64

from simcore._jit import inlined, inner_as, njit_as
from simcore.bits import lowest
from simcore.rng import CHOICE, DEAL, GAMMA, game_key, mix64, scale, stream_key
from simcore.rng import TABLE as TABLE_EVENTS
from simcore.swap.asking import (
    choose_colour,
    choose_direction,
    choose_kind,
    choose_partner,
    left_of,
    tell,
)
from simcore.swap.book import (
    ALL_WEIGHTS,
    DECK,
    DECK_SIZE,
    FALSE_SLAPS,
    HAND_SIZE,
    HAS_START,
    MAX_TURNS,
    NEXT_BY_PLAYER,
    PLAYS_ON,
    START_COLOUR,
    START_DISCARDS,
    START_DISCARDS_AT,
    START_FIXED,
    START_FIXED_AT,
    START_HANDS,
    START_LOOSE,
    START_LOOSE_AT,
    START_PLACE,
    START_TURN,
    START_WHO,
    SWAP_SEATS,
    WEIGHTS,
)
from simcore.swap.cards import CARD_WORD, count_of, nth_card, playable_kinds
from simcore.swap.rules import (
    COLOURED_KINDS,
    PLAIN,
    SLAP,
    SUPER,
    SWAP_CARD,
    SWAP_KIND,
    SWITCH,
)
from simcore.swap.view import (
    COUNT_DRAWN,
    COUNT_RESHUFFLES,
    COUNTED,
    DEAL_AT,
    DEALT,
    DISCARDS,
    DRAWN_GAME,
    DREW,
    EMPTIED,
    FALSE_SLAP,
    FIXED,
    FIXED_AT,
    HANDS,
    LOOSE,
    N_LOOSE,
    NAMED,
    NONE,
    PASSED,
    PLAYED,
    RESHUFFLED,
    SEEN_CARDS,
    SEEN_COLOUR,
    SEEN_DISCARDS,
    SEEN_PILE,
    SEEN_TOP,
    SEEN_TURN,
    SEEN_WHO,
    SLAPPED,
    SUPER_SWAPPED,
    SWAPPED,
    TABLE_AT,
    TAKEN,
    TO_THE_LEFT,
    WON,
)
from simcore.table import (
    ASKED_ANSWER,
    ASKED_GAME,
    DREW_LUCK,
    FAILED,
    OWN_ONLY,
    SEAT_FLAGS,
    SEAT_MOVES,
    SEAT_WORDS,
    TABLE,
    Ints,
    Table,
)

Row = npt.NDArray[np.int32]
Streams = npt.NDArray[np.uint64]

ROW_WINNERS, ROW_TURNS, ROW_EVENTS = range(3)
"""Columns of a game's row: bit mask of winners, turns, then the events seat by seat and by game."""
_BY_SEAT = 2
_N_KINDS = 5
MOVES_SIZE = 1 << _N_KINDS
"""A table of choices has a kind for every set of kinds that can be played."""
LEFT_BINS = 60
_S32 = np.uint64(32)


@inlined
def _take(loose: int, memory: Ints, streams: Streams) -> int:
    """Take a card from the shuffled part, which has `loose` cards: any of them may be on top."""
    position = streams[DEAL_AT] + GAMMA
    streams[DEAL_AT] = position
    at = LOOSE + scale(mix64(position), loose)
    card = memory[at]
    memory[at] = memory[LOOSE + loose - 1]
    return card


@inner_as(int64(int64[::1], uint64[::1]))
def _draw(memory: Ints, streams: Streams) -> int:
    """Draw a card; return NONE if there is none to draw.

    S11: when the pile is empty, the discards under the top card are shuffled into a new one.
    """
    if memory[SEEN_PILE] == 0:
        under = memory[SEEN_DISCARDS] - 1
        if under == 0:
            return NONE
        for place in range(under):
            memory[LOOSE + place] = memory[DISCARDS + place]
        memory[DISCARDS] = memory[DISCARDS + under]
        memory[SEEN_DISCARDS] = 1
        memory[SEEN_PILE] = memory[N_LOOSE] = under
        memory[COUNT_RESHUFFLES] += 1
    memory[SEEN_PILE] -= 1
    memory[COUNT_DRAWN] += 1
    loose = memory[N_LOOSE]
    if loose > 0:
        memory[N_LOOSE] = loose - 1
        return _take(loose, memory, streams)
    card = memory[FIXED + memory[FIXED_AT]]
    memory[FIXED_AT] += 1
    return card


@inlined
def _draw_into_hand(place: int, memory: Ints, streams: Streams) -> int:
    """Draw a card into the hand at `place`; return it, or NONE."""
    card = _draw(memory, streams)
    if card != NONE:
        memory[HANDS + place] += CARD_WORD[card]
        memory[SEEN_CARDS + place] += 1
    return card


@inlined
def _deal(players: int, book: Ints, memory: Ints, streams: Streams) -> None:
    """S2: deal the hands, one card at a time from seat 0 on, and turn up a card to start."""
    loose = book[DECK_SIZE]
    for place in range(loose):
        memory[LOOSE + place] = book[DECK + place]
    for place in range(players):
        memory[HANDS + place] = 0
        memory[SEEN_CARDS + place] = book[HAND_SIZE]
        memory[SEEN_WHO + place] = place
    for _ in range(book[HAND_SIZE]):
        for place in range(players):
            memory[HANDS + place] += CARD_WORD[_take(loose, memory, streams)]
            loose -= 1
    memory[DISCARDS] = memory[SEEN_TOP] = _take(loose, memory, streams)
    memory[SEEN_DISCARDS] = 1
    memory[N_LOOSE] = memory[SEEN_PILE] = loose - 1
    memory[FIXED_AT] = 0


@inlined
def _lay_out_start(players: int, book: Ints, memory: Ints) -> None:
    """Lay out the hands and piles of the position that the game begins from."""
    for place in range(players):
        hand = book[START_HANDS + place]
        n_cards = 0
        for card in range(SWAP_CARD + 1):
            n_cards += count_of(hand, card)
        memory[HANDS + place], memory[SEEN_CARDS + place] = hand, n_cards
        memory[SEEN_WHO + place] = book[START_WHO + place]
    for at in range(book[START_LOOSE]):
        memory[LOOSE + at] = book[START_LOOSE_AT + at]
    for at in range(book[START_FIXED]):
        memory[FIXED + at] = book[START_FIXED_AT + at]
    for at in range(book[START_DISCARDS]):
        memory[DISCARDS + at] = book[START_DISCARDS_AT + at]
    memory[SEEN_DISCARDS] = book[START_DISCARDS]
    memory[SEEN_TOP] = memory[DISCARDS + book[START_DISCARDS] - 1]
    memory[N_LOOSE] = book[START_LOOSE]
    memory[SEEN_PILE] = book[START_LOOSE] + book[START_FIXED]
    memory[FIXED_AT] = 0


@inlined
def _last_to_slap(place: int, players: int, book: Ints, memory: Ints, streams: Streams) -> int:
    """S9: return the place of the other player who slaps last, drawn by 1 / slap speed."""
    position = streams[TABLE_AT] + GAMMA
    streams[TABLE_AT] = position
    others = book[ALL_WEIGHTS] - book[WEIGHTS + memory[SEEN_WHO + place]]
    at = scale(mix64(position), others)
    last = place
    for _ in range(1, players):
        last = left_of(last, 1, players)
        at -= book[WEIGHTS + memory[SEEN_WHO + last]]
        if at < 0:
            break
    return last


@inlined
def _take_unseen(place: int, last: int, memory: Ints, streams: Streams) -> int:
    """S9: move a card, unseen, from the hand at `place` to the one at `last`; return it."""
    position = streams[TABLE_AT] + GAMMA
    streams[TABLE_AT] = position
    hand = memory[HANDS + place]
    card = nth_card(hand, scale(mix64(position), memory[SEEN_CARDS + place]))
    memory[HANDS + place] = hand - CARD_WORD[card]
    memory[HANDS + last] += CARD_WORD[card]
    memory[SEEN_CARDS + place] -= 1
    memory[SEEN_CARDS + last] += 1
    memory[TAKEN + memory[SEEN_WHO + last]] += 1
    return card


@inlined
def _exchange(at: int, one: int, other: int, memory: Ints) -> None:
    """Exchange what two places have in the array that begins at `at`."""
    memory[at + one], memory[at + other] = memory[at + other], memory[at + one]


@inlined
def _pass_round(at: int, direction: int, players: int, memory: Ints) -> None:
    """S7: move what each place has in the array at `at` one place to the left or to the right."""
    if direction == TO_THE_LEFT:
        moved = memory[at + players - 1]
        for place in range(players - 1, 0, -1):
            memory[at + place] = memory[at + place - 1]
        memory[at] = moved
    else:
        moved = memory[at]
        for place in range(players - 1):
            memory[at + place] = memory[at + place + 1]
        memory[at + players - 1] = moved


@inner_as(int64(int64, int64, int64, TABLE))
def _false_slaps(place: int, colour: int, logged: int, table: Table) -> int:
    """S13: let each other player slap falsely and draw for it; return the log's length."""
    memory, streams = table.memory, table.streams
    for k in range(1, table.players):
        position = streams[TABLE_AT] + GAMMA
        streams[TABLE_AT] = position
        if np.int64(mix64(position) >> _S32) < table.book[FALSE_SLAPS]:
            other = left_of(place, k, table.players)
            before = memory[COUNT_RESHUFFLES]
            card = _draw_into_hand(other, memory, streams)
            if table.watched:
                logged = _tell_of_draw(FALSE_SLAP, other, card, colour, before, logged, table)
    return logged


@inlined
def _tell_of_draw(
    what: int, place: int, card: int, colour: int, reshuffles: int, logged: int, table: Table
) -> int:
    """Tell of a card drawn at `place`, and before it of a new pile if there was one."""
    memory = table.memory
    if memory[COUNT_RESHUFFLES] != reshuffles:  # as the table was before the card was drawn
        memory[SEEN_PILE] += 1
        memory[HANDS + place] -= CARD_WORD[card]
        logged = tell(RESHUFFLED, place, memory[SEEN_PILE], NONE, colour, logged, table)
        memory[HANDS + place] += CARD_WORD[card]
        memory[SEEN_PILE] -= 1
    return tell(what, place, card, NONE, colour, logged, table)


@inlined
def _fewest(players: int, memory: Ints) -> int:
    """S11, S12: return the bit mask of the players with the fewest cards."""
    fewest = memory[SEEN_CARDS]
    for place in range(1, players):
        fewest = min(fewest, memory[SEEN_CARDS + place])
    winners = 0
    for place in range(players):
        winners |= (memory[SEEN_CARDS + place] == fewest) << memory[SEEN_WHO + place]
    return winners


@inner_as(int64(TABLE, int32[::1]))
def _play(table: Table, row: Row) -> int:
    """Play one game; return the log's length, or FAILED."""
    players, memory, book, streams = table.players, table.memory, table.book, table.streams
    moves, watched = table.moves, table.watched
    logged, turn, place, passes = 0, 0, 0, 0
    colour = NONE
    winners, last_kind, is_taken, player = 0, NONE, 0, NONE
    if book[HAS_START]:
        _lay_out_start(players, book, memory)
        turn, place, colour = book[START_TURN], book[START_PLACE], book[START_COLOUR]
    else:
        _deal(players, book, memory, streams)
        if memory[SEEN_TOP] != SWAP_CARD:
            colour = memory[SEEN_TOP] // COLOURED_KINDS
    memory[SEEN_TURN] = turn
    if watched:
        logged = tell(DEALT, players - 1, memory[SEEN_TOP], NONE, colour, logged, table)
    if colour == NONE:  # S2: the dealer names the colour
        memory[SEEN_COLOUR] = NONE
        colour = choose_colour(players - 1, NONE, table)
        if colour == FAILED:
            return FAILED
        if watched:
            logged = tell(NAMED, players - 1, colour, NONE, colour, logged, table)
    last_turn = book[MAX_TURNS]
    while turn < last_turn:  # S12
        # S4: who can play must play
        following = left_of(place, 1, players)
        player = memory[SEEN_WHO + place]
        playable = playable_kinds(memory[HANDS + place], colour)
        if playable:
            if table.seats[SEAT_WORDS * player + SEAT_FLAGS] & OWN_ONLY:
                kind = np.int64(moves[table.seats[SEAT_WORDS * player + SEAT_MOVES] + playable])
            elif playable & (playable - 1) == 0:
                kind = lowest(playable)
            else:
                memory[SEEN_COLOUR], memory[SEEN_TURN] = colour, turn
                kind = choose_kind(place, playable, table)
                if kind == FAILED:
                    return FAILED
            card = SWAP_CARD if kind == SWAP_KIND else COLOURED_KINDS * colour + kind
            memory[HANDS + place] -= CARD_WORD[card]
            memory[SEEN_CARDS + place] -= 1
        else:
            # S5: draw one, and play it at once if it can be played
            before = memory[COUNT_RESHUFFLES]
            card = _draw(memory, streams)
            if watched:
                memory[SEEN_TURN] = turn
                if card != NONE:
                    memory[HANDS + place] += CARD_WORD[card]
                    logged = _tell_of_draw(DREW, place, card, colour, before, logged, table)
                    memory[HANDS + place] -= CARD_WORD[card]
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
                    memory[HANDS + place] += CARD_WORD[card]
                    memory[SEEN_CARDS + place] += 1
                place = following
                continue
            kind = SWAP_KIND if card == SWAP_CARD else card % COLOURED_KINDS
        passes = 0
        discards = memory[SEEN_DISCARDS]
        memory[DISCARDS + discards] = memory[SEEN_TOP] = card
        memory[SEEN_DISCARDS] = discards + 1
        memory[COUNTED + kind] += 1
        if watched:
            memory[SEEN_TURN] = turn
            logged = tell(PLAYED, place, card, NONE, colour, logged, table)
        turn += 1
        if memory[SEEN_CARDS + place] == 0:  # S10
            winners, last_kind = 1 << player, kind
            break
        if kind == PLAIN and book[FALSE_SLAPS] == 0:
            place = following
            continue
        memory[SEEN_COLOUR], memory[SEEN_TURN] = colour, turn - 1
        if kind != SLAP and book[FALSE_SLAPS]:
            logged = _false_slaps(place, colour, logged, table)
        if kind == SLAP:
            last = _last_to_slap(place, players, book, memory, streams)
            card = _take_unseen(place, last, memory, streams)
            if watched:
                logged = tell(SLAPPED, place, last, card, colour, logged, table)
            if memory[SEEN_CARDS + place] == 0:  # S10
                drawn = NONE
                if book[PLAYS_ON]:
                    before = memory[COUNT_RESHUFFLES]
                    drawn = _draw_into_hand(place, memory, streams)
                    if watched and drawn != NONE:
                        logged = _tell_of_draw(EMPTIED, place, drawn, colour, before, logged, table)
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
            _pass_round(HANDS, direction, players, memory)
            _pass_round(SEEN_CARDS, direction, players, memory)
            if watched:
                logged = tell(SUPER_SWAPPED, place, direction, NONE, colour, logged, table)
        elif kind == SWAP_KIND:  # S6
            k = choose_partner(place, table)
            if k == FAILED:
                return FAILED
            other = left_of(place, k, players)
            now_at = place
            if book[SWAP_SEATS]:  # S14
                _exchange(SEEN_WHO, place, other, memory)
                now_at = other
                if book[NEXT_BY_PLAYER]:
                    following = left_of(now_at, 1, players)
            else:
                _exchange(HANDS, place, other, memory)
                _exchange(SEEN_CARDS, place, other, memory)
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
    memory[SEEN_TURN] = turn - 1
    if is_drawn:
        winners = _fewest(players, memory)
    if watched:
        what = DRAWN_GAME if is_drawn else WON
        for other in range(players):  # where the player of the last turn sits now
            if memory[SEEN_WHO + other] == player:
                place = other
        logged = tell(what, place, winners, NONE, colour, logged, table)
    row[ROW_WINNERS], row[ROW_TURNS] = np.int32(winners), np.int32(turn)
    _report(is_drawn, last_kind, is_taken, players, memory, table.tallies, row)
    return logged


@inlined
def _report(
    is_drawn: bool, last: int, is_taken: int, players: int, memory: Ints, tallies: Ints, row: Row
) -> None:
    """Write the events of a finished game into its row."""
    for place in range(players):
        player, left = memory[SEEN_WHO + place], memory[SEEN_CARDS + place]
        row[ROW_EVENTS + _BY_SEAT * player] = np.int32(left)
        row[ROW_EVENTS + _BY_SEAT * player + 1] = np.int32(memory[TAKEN + player])
        tallies[LEFT_BINS * player + min(left, LEFT_BINS - 1)] += 1
        memory[TAKEN + player] = 0
    at = ROW_EVENTS + _BY_SEAT * players
    row[at] = np.int32(memory[COUNTED + SWAP_KIND] - (last == SWAP_KIND))
    row[at + 1] = np.int32(memory[COUNTED + SUPER] - (last == SUPER))
    row[at + 2] = np.int32(memory[COUNTED + SLAP] - (last == SLAP))
    row[at + 3] = np.int32(memory[COUNT_DRAWN])
    row[at + 4] = np.int32(memory[COUNT_RESHUFFLES])
    row[at + 5] = np.int32(is_drawn)
    at += 6
    for kind in range(_N_KINDS):
        row[at + kind] = np.int32(memory[COUNTED + kind])
        row[at + _N_KINDS + kind] = np.int32(last == kind)
        memory[COUNTED + kind] = 0
    row[at + 2 * _N_KINDS] = np.int32(is_taken)
    memory[COUNT_DRAWN] = memory[COUNT_RESHUFFLES] = 0


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
        choice_key = game_key(seeds[CHOICE], game)
        for seat in range(table.players):
            streams[seat] = stream_key(choice_key, CHOICE, seat)
        streams[DEAL_AT] = stream_key(game_key(seeds[DEAL], game), DEAL, 0)
        streams[TABLE_AT] = stream_key(game_key(seeds[TABLE_EVENTS], game), TABLE_EVENTS, 0)
        for slot in range(notebooks.shape[0]):
            notebooks[slot] = 0
        logged = _play(table, rows[game - first])
        if logged == FAILED:
            return FAILED
    return logged


@njit_as(int64(int64, TABLE, uint8[::1]))
def tabulate(seat: int, table: Table, moves: npt.NDArray[np.uint8]) -> int:
    """Fill `moves` with the kind that `seat`'s strategy plays of every set that can be played.

    A strategy that looks at more is asked in play.  Returns FAILED or 0.
    """
    if table.seats[SEAT_WORDS * seat + SEAT_FLAGS] & OWN_ONLY == 0:
        return 0
    table.memory[SEEN_WHO] = seat
    for playable in range(1, MOVES_SIZE):
        luck = table.streams[seat]
        kind = choose_kind(0, playable, table)
        if table.streams[seat] != luck:
            table.memory[ASKED_ANSWER] = DREW_LUCK
            return FAILED
        if kind == FAILED:
            return FAILED
        moves[playable] = kind
    return 0
