"""Barnyard Swap played: the deal, the turn, the look for full hands, the match."""

import numpy as np
from numba import int32, int64

from herdlab.simcore._jit import inlined, inner_as, njit_as
from herdlab.simcore.asking import n_logged
from herdlab.simcore.barnyard import asking, piles, view
from herdlab.simcore.barnyard.asking import WRONG, tell
from herdlab.simcore.barnyard.cards import CLAIM_HAND, NATURAL_HAND, full_hand
from herdlab.simcore.barnyard.rules import KINDS
from herdlab.simcore.barnyard.scoring import end_match, score_session
from herdlab.simcore.barnyard.view import BOOK, DEAL_AT, NONE, OFFER_PLACE, SEEN, STATE
from herdlab.simcore.bits import lowest
from herdlab.simcore.piles import PLACES, left_of, take
from herdlab.simcore.rng import DEAL, GAMMA, game_key, mix64, stream_key
from herdlab.simcore.table import FAILED, PLAY_GAMES, TABLE, Rows, Seeds, Table, begin_game


@inner_as(int64(int64, TABLE, int32[::1]))
def _session(session: int, table: Table, row: Rows) -> int:
    """Play one swap session and score it; return 0, or FAILED."""
    players, memory, book, streams = table.players, table.memory, table.book, table.streams
    is_start = book[BOOK.has_start] and session == book[BOOK.start_session]
    swapper = (session % players) & PLACES  # B4: the deal moves one seat to the left every session
    turn, fixed_at, fixed_end, pile, runaway = 0, 0, 0, 0, NONE
    if is_start:
        piles.lay_out_start(book, memory)
        loose, fixed_end, pile = book[BOOK.n_loose], book[BOOK.n_fixed], book[BOOK.n_pile]
        turn, runaway = book[BOOK.start_turn], book[BOOK.start_runaway]
        swapper = ((session + turn) % players) & PLACES
    else:
        loose = piles.deal(swapper, players, book, memory, streams)
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
    tell(view.DEALT, swapper, table, runaway)
    while True:
        while changed:
            seat = lowest(changed) & PLACES
            changed &= changed - 1
            if asking.plan(seat, table) == FAILED:
                return FAILED
            full = full_hand(memory[STATE.hands + seat])
            natural |= (full == NATURAL_HAND) << seat
            claimable = (claimable & ~(1 << seat)) | ((full == CLAIM_HAND) << seat)

        # B11, B12: one look round, the swapper first, then leftwards
        if natural | claimable:
            for k in range(players):
                seat = left_of(looker, k, players)
                if (natural >> seat) & 1:
                    successful, end = seat, view.NATURAL
                    break
                if (claimable >> seat) & 1:
                    claims = asking.put(view.CLAIM, seat, table.minds, memory)
                    if claims == 1:
                        successful, end = seat, view.CLAIMED
                        break
                    if claims != 0:
                        return FAILED
                    tell(view.DECLINED, seat, table)
            if successful != NONE:
                break
        if turn >= last_turn:  # B13
            break

        # B5
        memory[SEEN.swapper], memory[SEEN.asked] = swapper, NONE
        if memory[SEEN.bidders]:
            asking.forget_offers(memory, players)
        asked = asking.choose_ask(swapper, table)
        if asked == FAILED:
            return FAILED
        memory[SEEN.asked] = asked
        tell(view.ASKED, swapper, table, asked)

        # B6
        wanted_by = 0
        for place in range(1, players):
            plans = memory[STATE.plans + left_of(swapper, place, players)]
            wanted_by |= ((plans >> asked) & 1) << place
        while wanted_by:
            place = lowest(wanted_by) & PLACES
            wanted_by &= wanted_by - 1
            if asking.hear_bid(place, left_of(swapper, place, players), table) == FAILED:
                return FAILED

        # B7
        accepted = NONE
        if memory[SEEN.bidders]:
            accepted = asking.choose_offer(swapper, table)
            if accepted == WRONG:
                return FAILED
        if accepted != NONE:
            place, kind = accepted // OFFER_PLACE, accepted % OFFER_PLACE
            bidder = left_of(swapper, place, players)
            gives = asking.choose_card_to_give(swapper, asked, table)
            if gives == FAILED:
                return FAILED
            gets = asking.choose_card_to_give(bidder, kind, table)
            if gets == FAILED:
                return FAILED
            piles.exchange(gives, gets, swapper, memory)
            piles.exchange(gets, gives, bidder, memory)
            changed = (1 << swapper) | (1 << bidder)
            trades += 1
            tell(view.TRADED, swapper, table, bidder, kind, gives, gets)
        else:  # B9
            if barnyard == 0:
                loose, fixed_end = piles.turn_over(pile, book[BOOK.recycle], memory)
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
            piles.put_into_hand(card, swapper, memory)
            memory[SEEN.barnyard], memory[SEEN.pile] = barnyard, pile
            tell(view.DREW, swapper, table, card)
            memory[SEEN.drawn] = card  # for him alone: not while others are told
            discard = asking.choose_discard(swapper, book[BOOK.discard_wild], table)
            if discard == FAILED:
                return FAILED
            memory[SEEN.drawn] = NONE
            piles.take_from_hand(discard, swapper, memory)
            memory[STATE.pile + pile] = discard
            pile += 1
            memory[SEEN.pile] = pile
            changed = (discard != card) << swapper
            tell(view.DISCARDED, swapper, table, discard)
        turn += 1
        memory[SEEN.turn] = turn
        looker = swapper
        swapper = left_of(swapper, 1, players)

    asking.forget_offers(memory, players)
    if successful == NONE:
        tell(view.STALLED, session % players, table, end)
    else:
        tell(view.FULL_HAND, successful, table, end)
    return score_session(successful, end, trades, runaway, table, row)


@inlined
def _match(key: np.uint64, table: Table, row: Rows) -> int:
    """B18: play a match, its sessions dealt by `key`; return 0, or FAILED."""
    players, memory, book = table.players, table.memory, table.book
    for seat in range(players):
        memory[SEEN.totals + seat] = book[BOOK.start_totals + seat]
    session, highest = book[BOOK.start_session], 0
    while session < book[BOOK.sessions]:
        table.streams[DEAL_AT] = stream_key(key, DEAL, session)
        if _session(session, table, row) == FAILED:
            return FAILED
        session += 1
        highest = memory[SEEN.totals]
        for seat in range(1, players):
            highest = max(highest, memory[SEEN.totals + seat])
        if book[BOOK.target] and highest >= book[BOOK.target]:
            break
    memory[SEEN.session] = session
    end_match(highest, table, row)
    return 0


@njit_as(PLAY_GAMES)
def play_games(first: int, last: int, seeds: Seeds, table: Table, rows: Rows) -> int:
    """Play matches `first` … `last` - 1, a row each; return the last log's length, or FAILED."""
    for game in range(first, last):
        begin_game(game, seeds, table, rows[game - first])
        if _match(game_key(seeds[DEAL], game), table, rows[game - first]) == FAILED:
            return FAILED
    return n_logged(table)
