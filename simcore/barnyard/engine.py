"""Barnyard Swap played: the deal, the turn, the look for full hands, the match."""

import numpy as np
import numpy.typing as npt
from numba import int32, int64, uint64

from herdlab.simcore._jit import inlined, inner_as, njit_as
from herdlab.simcore.barnyard.asking import (
    WRONG,
    choose_ask,
    choose_card_to_give,
    choose_discard,
    choose_offer,
    forget_offers,
    hear_bid,
    plan,
    put,
    tell,
)
from herdlab.simcore.barnyard.book import BOOK
from herdlab.simcore.barnyard.cards import (
    CLAIM_HAND,
    NATURAL_HAND,
    full_hand,
    with_card,
    without_card,
)
from herdlab.simcore.barnyard.outcome import end_match, score_session
from herdlab.simcore.barnyard.piles import deal, lay_out_start, turn_over
from herdlab.simcore.barnyard.rules import KINDS
from herdlab.simcore.barnyard.view import (
    ASKED,
    CLAIM,
    CLAIMED,
    DEAL_AT,
    DEALT,
    DECLINED,
    DISCARDED,
    DREW,
    FULL_HAND,
    NATURAL,
    NONE,
    OFFER_PLACE,
    OFFERED,
    SEEN,
    STALLED,
    STATE,
    TRADED,
    WON,
)
from herdlab.simcore.bits import lowest
from herdlab.simcore.piles import PLACES, left_of, take
from herdlab.simcore.rng import DEAL, GAMMA, game_key, mix64, stream_key
from herdlab.simcore.table import FAILED, TABLE, Table, begin_game

Row = npt.NDArray[np.int32]


@inner_as(int64(int64, int64, TABLE, int32[::1]))
def _session(session: int, logged: int, table: Table, row: Row) -> int:
    """Play one swap session and score it; return the log's length, or FAILED."""
    players, memory, book, streams = table.players, table.memory, table.book, table.streams
    watched = table.watched
    is_start = book[BOOK.has_start] and session == book[BOOK.start_session]
    swapper = (session % players) & PLACES  # B4: the deal moves one seat to the left every session
    turn, fixed_at, fixed_end, pile, runaway = 0, 0, 0, 0, NONE
    if is_start:
        lay_out_start(players, book, memory)
        loose, fixed_end, pile = book[BOOK.n_loose], book[BOOK.n_fixed], book[BOOK.n_pile]
        turn, runaway = book[BOOK.start_turn], book[BOOK.start_runaway]
        swapper = ((session + turn) % players) & PLACES
    else:
        loose = deal(swapper, players, book, memory, streams)
    position = streams[DEAL_AT]
    while runaway == NONE:  # B3
        position += GAMMA
        card = take(STATE.loose, loose, mix64(position), memory)
        loose -= 1
        if card >= KINDS and book[BOOK.redraw]:
            memory[STATE.fixed + fixed_end] = card
            fixed_end += 1
        else:
            runaway = card
    position += GAMMA
    bits = mix64(position)  # the next draw's luck ahead of time, for nobody to wait for it
    natural, claimable = 0, 0
    changed = (1 << players) - 1  # whose hands have changed since they planned
    memory[SEEN.session], memory[SEEN.asked] = session, NONE
    last_turn = book[BOOK.max_rounds] * players
    looker, successful, end, trades = swapper, NONE, 0, 0
    barnyard = loose + fixed_end - fixed_at
    memory[SEEN.swapper], memory[SEEN.turn] = swapper, turn
    memory[SEEN.barnyard], memory[SEEN.pile] = barnyard, pile
    if watched:
        logged = tell(
            DEALT, session, turn, swapper, runaway, NONE, NONE, NONE, barnyard, pile, logged, table
        )
    while True:
        while changed:
            seat = lowest(changed) & PLACES
            changed &= changed - 1
            if plan(seat, table) == FAILED:
                return FAILED
            full = full_hand(memory[STATE.hands + seat])
            natural |= (full == NATURAL_HAND) << seat
            claimable = (claimable & ~(1 << seat)) | ((full == CLAIM_HAND) << seat)

        # B11, B12: one look round, the swapper first, then leftwards
        if natural | claimable:
            for k in range(players):
                seat = left_of(looker, k, players)
                if (natural >> seat) & 1:
                    successful, end = seat, NATURAL
                    break
                if (claimable >> seat) & 1:
                    claims = put(CLAIM, seat, table)
                    if claims == 1:
                        successful, end = seat, CLAIMED
                        break
                    if claims != 0:
                        return FAILED
                    if watched:
                        logged = tell(
                            DECLINED, session, turn, seat, NONE, NONE, NONE, NONE, barnyard, pile,
                            logged, table,
                        )  # fmt: skip
            if successful != NONE:
                break
        if turn >= last_turn:  # B13
            break

        # B5
        memory[SEEN.swapper], memory[SEEN.asked] = swapper, NONE
        if memory[SEEN.bidders]:
            forget_offers(memory, players)
        asked = choose_ask(swapper, table)
        if asked == FAILED:
            return FAILED
        memory[SEEN.asked] = asked
        if watched:
            logged = tell(
                ASKED, session, turn, swapper, asked, NONE, NONE, NONE, barnyard, pile, logged,
                table,
            )  # fmt: skip

        # B6
        wanted_by = 0
        for place in range(1, players):
            plans = memory[STATE.plans + left_of(swapper, place, players)]
            wanted_by |= ((plans >> asked) & 1) << place
        while wanted_by:
            place = lowest(wanted_by) & PLACES
            wanted_by &= wanted_by - 1
            bidder = left_of(swapper, place, players)
            if hear_bid(place, bidder, table) == FAILED:
                return FAILED
            if watched and (memory[SEEN.bidders] >> place) & 1:
                offer, offer_twice = memory[SEEN.offers + place], memory[SEEN.offers_twice + place]
                logged = tell(
                    OFFERED, session, turn, bidder, offer, offer_twice, NONE, NONE, barnyard, pile,
                    logged, table,
                )  # fmt: skip

        # B7
        accepted = NONE
        if memory[SEEN.bidders]:
            accepted = choose_offer(swapper, table)
            if accepted == WRONG:
                return FAILED
        hand, twice = memory[STATE.hands + swapper], memory[STATE.twice + swapper]
        if accepted != NONE:
            place, kind = accepted // OFFER_PLACE, accepted % OFFER_PLACE
            bidder = left_of(swapper, place, players)
            gives = choose_card_to_give(swapper, asked, table)
            if gives == FAILED:
                return FAILED
            gets = choose_card_to_give(bidder, kind, table)
            if gets == FAILED:
                return FAILED
            hand, twice = without_card(hand, twice, gives)
            hand, twice = with_card(hand, twice, gets)
            other, other_twice = memory[STATE.hands + bidder], memory[STATE.twice + bidder]
            other, other_twice = without_card(other, other_twice, gets)
            other, other_twice = with_card(other, other_twice, gives)
            memory[STATE.hands + bidder], memory[STATE.twice + bidder] = other, other_twice
            memory[STATE.hands + swapper], memory[STATE.twice + swapper] = hand, twice
            changed = (1 << swapper) | (1 << bidder)
            trades += 1
            if watched:
                logged = tell(
                    TRADED, session, turn, swapper, bidder, kind, gives, gets, barnyard, pile,
                    logged, table,
                )  # fmt: skip
        else:  # B9
            if barnyard == 0:
                loose, fixed_end = turn_over(pile, book[BOOK.recycle], memory)
                fixed_at, barnyard, pile = 0, pile, 0
            if loose > 0:
                card = take(STATE.loose, loose, bits, memory)
                loose -= 1
                position += GAMMA
                bits = mix64(position)
            else:
                card = memory[STATE.fixed + fixed_at]
                fixed_at += 1
            barnyard -= 1
            hand, twice = with_card(hand, twice, card)
            memory[STATE.hands + swapper], memory[STATE.twice + swapper] = hand, twice
            memory[SEEN.barnyard], memory[SEEN.pile] = barnyard, pile
            if watched:
                logged = tell(
                    DREW, session, turn, swapper, card, NONE, NONE, NONE, barnyard, pile, logged,
                    table,
                )  # fmt: skip
            memory[SEEN.drawn] = card  # for him alone: not while others are told
            discard = choose_discard(swapper, book[BOOK.discard_wild], table)
            if discard == FAILED:
                return FAILED
            memory[SEEN.drawn] = NONE
            hand, twice = without_card(hand, twice, discard)
            memory[STATE.hands + swapper], memory[STATE.twice + swapper] = hand, twice
            memory[STATE.pile + pile] = discard
            pile += 1
            memory[SEEN.pile] = pile
            changed = (discard != card) << swapper
            if watched:
                logged = tell(
                    DISCARDED, session, turn, swapper, discard, NONE, NONE, NONE, barnyard, pile,
                    logged, table,
                )  # fmt: skip
        turn += 1
        memory[SEEN.turn] = turn
        looker = swapper
        swapper = left_of(swapper, 1, players)

    forget_offers(memory, players)
    if watched:
        what = STALLED if successful == NONE else FULL_HAND
        seat = session % players if successful == NONE else successful
        logged = tell(
            what, session, turn, seat, end, NONE, NONE, NONE, barnyard, pile, logged, table
        )
    return score_session(
        session, turn, successful, end, trades, runaway, barnyard, pile, logged, table, row
    )


@inlined
def _match(key: np.uint64, table: Table, row: Row) -> int:
    """B18: play a match, its sessions dealt by `key`; return the log's length, or FAILED."""
    players, memory, book = table.players, table.memory, table.book
    for seat in range(players):
        memory[SEEN.totals + seat] = book[BOOK.start_totals + seat]
    logged = 0
    session = book[BOOK.start_session]
    highest = 0
    while session < book[BOOK.sessions]:
        table.streams[DEAL_AT] = stream_key(key, DEAL, session)
        logged = _session(session, logged, table, row)
        if logged == FAILED:
            return FAILED
        session += 1
        highest = memory[SEEN.totals]
        for seat in range(1, players):
            highest = max(highest, memory[SEEN.totals + seat])
        if book[BOOK.target] and highest >= book[BOOK.target]:
            break
    winners = end_match(highest, table, row)
    if table.watched:
        logged = tell(WON, session, 0, 0, winners, NONE, NONE, NONE, 0, 0, logged, table)
    return logged


@njit_as(int64(int64, int64, uint64[::1], TABLE, int32[:, ::1]))
def play_games(
    first: int, last: int, seeds: npt.NDArray[np.uint64], table: Table, rows: npt.NDArray[np.int32]
) -> int:
    """Play matches `first` … `last` - 1, one row each; return the last log's length, or FAILED.

    `seeds` holds a seed for each kind of stream.  Modified in place: `rows`.
    """
    logged = 0
    for game in range(first, last):
        row = rows[game - first]
        begin_game(game, seeds, table, row)
        logged = _match(game_key(seeds[DEAL], game), table, row)
        if logged == FAILED:
            return FAILED
    return logged
