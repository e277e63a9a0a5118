"""Barnyard Swap played: the deal, the turn, the look for full hands, the match, clause by clause."""

import numpy as np
import numpy.typing as npt
from numba import int32, int64, uint64

from simcore._jit import inlined, inner_as, njit_as
from simcore.barnyard.asking import (
    WRONG,
    choose_ask,
    choose_card_to_give,
    choose_discard,
    choose_offer,
    forget_offers,
    hear_bid,
    put,
    tell,
)
from simcore.barnyard.book import (
    DECK,
    DECK_SIZE,
    DECLARED,
    DISCARD_WILD,
    HAND_SIZE,
    HAS_START,
    MAX_ROUNDS,
    RECYCLE,
    REDRAW,
    SESSIONS,
    SHUFFLED,
    START_FIXED,
    START_FIXED_AT,
    START_HANDS,
    START_LOOSE,
    START_LOOSE_AT,
    START_PILE,
    START_PILE_AT,
    START_RUNAWAY,
    START_SESSION,
    START_TOTALS,
    START_TURN,
    START_TWICE,
    TARGET,
    TURNED,
)
from simcore.barnyard.cards import (
    CLAIM_HAND,
    NATURAL_HAND,
    donkeys_in,
    full_hand,
    watchdogs_in,
    with_card,
    without_card,
)
from simcore.barnyard.rules import ANIMALS, KINDS, MAX_PLAYERS, NUMBERS
from simcore.barnyard.scoring import animal_of_full_hand, best_animal, score_parts
from simcore.barnyard.view import (
    ASKED,
    CLAIM,
    CLAIMED,
    COLLECT,
    DEAL_AT,
    DEALT,
    DECLINED,
    DISCARDED,
    DREW,
    FIXED,
    FULL_HAND,
    HANDS,
    LOOSE,
    NATURAL,
    NONE,
    OFFER_PLACE,
    OFFERED,
    PART_BITS,
    PILE,
    PLANS,
    SCORED,
    SEEN_ASKED,
    SEEN_BARNYARD,
    SEEN_BIDDERS,
    SEEN_DRAWN,
    SEEN_OFFERS,
    SEEN_OFFERS_TWICE,
    SEEN_PILE,
    SEEN_SESSION,
    SEEN_SWAPPER,
    SEEN_TOTALS,
    SEEN_TURN,
    STALLED,
    TRADED,
    TWICE,
    WON,
)
from simcore.rng import CHOICE, DEAL, GAMMA, game_key, mix64, scale, stream_key
from simcore.table import ASKED_GAME, FAILED, TABLE, Ints, Table

Row = npt.NDArray[np.int32]

ROW_WINNERS, ROW_ROUNDS, ROW_SESSIONS, ROW_SCORES = range(4)
"""Columns of a match's row: bit mask of winners, rounds, sessions, totals by seat, then events."""
(
    EV_DONKEY_HELD,
    EV_WATCHDOG_HELD,
    EV_FINISHED,
    EV_NUMBERS,
    EV_FIRST,
    EV_RUN,
    EV_RUNAWAY,
    EV_DONKEY,
    EV_WATCHDOG,
) = range(9)
_BY_SEAT = 9
EV_NATURAL, EV_CLAIMS, EV_STALLS, EV_TRADES = range(4)
_BY_SESSION = 4
SCORE_LOW, SCORE_BINS = -128, 256
MATCH_LOW, MATCH_WIDTH, MATCH_BINS = -500, 5, 400
_SEATS = 15  # tells the compiler that a seat is not negative


@inlined
def _left_of(seat: int, k: int, players: int) -> int:
    """Return the seat `k` places to the left of `seat`."""
    return (seat + k if seat + k < players else seat + k - players) & _SEATS


@inlined
def _take(position: np.uint64, loose: int, memory: Ints) -> tuple[int, np.uint64]:
    """Take a card from the shuffled part, which has `loose` cards: any of them may be on top."""
    position += GAMMA
    at = LOOSE + scale(mix64(position), loose)
    card = memory[at]
    memory[at] = memory[LOOSE + loose - 1]
    return card, position


@inlined
def _deal(first: int, players: int, book: Ints, memory: Ints, streams: npt.NDArray[np.uint64]) -> int:
    """B3: deal the hands, one card at a time from the first swapper on; return what is left."""
    loose = book[DECK_SIZE]
    for place in range(loose):
        memory[LOOSE + place] = book[DECK + place]
    for seat in range(players):
        memory[HANDS + seat] = 0
        memory[TWICE + seat] = 0
    position = streams[DEAL_AT]
    for _ in range(book[HAND_SIZE]):
        seat = first
        for _ in range(players):
            card, position = _take(position, loose, memory)
            loose -= 1
            hand, twice = with_card(memory[HANDS + seat], memory[TWICE + seat], card)
            memory[HANDS + seat], memory[TWICE + seat] = hand, twice
            seat = _left_of(seat, 1, players)
    streams[DEAL_AT] = position
    return loose


@inlined
def _lay_out_start(players: int, book: Ints, memory: Ints) -> None:
    """Lay out the hands and piles of the position that the match begins from."""
    for seat in range(players):
        memory[HANDS + seat] = book[START_HANDS + seat]
        memory[TWICE + seat] = book[START_TWICE + seat]
    for place in range(book[START_LOOSE]):
        memory[LOOSE + place] = book[START_LOOSE_AT + place]
    for place in range(book[START_FIXED]):
        memory[FIXED + place] = book[START_FIXED_AT + place]
    for place in range(book[START_PILE]):
        memory[PILE + place] = book[START_PILE_AT + place]


@inlined
def _turn_over(pile: int, how: int, memory: Ints) -> tuple[int, int]:
    """B10: the discards become the barnyard; return how many are shuffled and how many fixed."""
    for place in range(pile):
        card = memory[PILE + place]
        if how == SHUFFLED:
            memory[LOOSE + place] = card
        elif how == TURNED:
            memory[FIXED + place] = card
        else:
            memory[FIXED + pile - 1 - place] = card
    return (pile, 0) if how == SHUFFLED else (0, pile)


@inlined
def _count(
    value: int, event: int, row_at: int, tally_at: int, row: Row, tallies: Ints
) -> None:
    """Add what one session gave to the row, and its square to the tallies."""
    row[row_at + event] += np.int32(value)
    tallies[tally_at + event] += value * value


@inner_as(int64(int64, int64, int64, int64, int64, int64, int64, int64, int64, TABLE, int32[::1]))
def _score(
    session: int,
    turn: int,
    successful: int,
    end: int,
    trades: int,
    runaway: int,
    barnyard: int,
    pile: int,
    logged: int,
    table: Table,
    row: Row,
) -> int:
    """B14-B17: score a session, into totals, row and tallies; return the log's length or FAILED."""
    players, memory, book, tallies = table.players, table.memory, table.book, table.tallies
    events, squares = ROW_SCORES + players, 1
    histogram = 1 + _BY_SEAT * players + _BY_SESSION
    for seat in range(players):
        hand, twice = memory[HANDS + seat], memory[TWICE + seat]
        if seat == successful:
            animal = animal_of_full_hand(hand)
        elif book[DECLARED]:
            animal = put(COLLECT, seat, table)
            if animal < 0 or animal >= len(ANIMALS):
                return FAILED
        else:
            animal = best_animal(hand, twice)
        numbers, first, run, bonus, donkeys, watchdogs = score_parts(
            hand, twice, animal, seat == successful, book[HAND_SIZE], runaway
        )
        score = numbers + first + run + bonus + donkeys + watchdogs
        memory[SEEN_TOTALS + seat] += score
        finished = np.int64(seat == successful)
        _count(donkeys_in(hand), EV_DONKEY_HELD, events, squares, row, tallies)
        _count(watchdogs_in(hand), EV_WATCHDOG_HELD, events, squares, row, tallies)
        _count(finished, EV_FINISHED, events, squares, row, tallies)
        _count(numbers, EV_NUMBERS, events, squares, row, tallies)
        _count(first, EV_FIRST, events, squares, row, tallies)
        _count(run, EV_RUN, events, squares, row, tallies)
        _count(bonus, EV_RUNAWAY, events, squares, row, tallies)
        _count(donkeys, EV_DONKEY, events, squares, row, tallies)
        _count(watchdogs, EV_WATCHDOG, events, squares, row, tallies)
        events += _BY_SEAT
        squares += _BY_SEAT
        place = min(max(score - SCORE_LOW, 0), SCORE_BINS - 1)
        tallies[histogram + SCORE_BINS * seat + place] += 1
        if table.watched:
            parts = first | (run << PART_BITS) | ((bonus + NUMBERS) << (2 * PART_BITS))
            logged = tell(
                SCORED, session, turn, seat, score, numbers, parts, animal, barnyard, pile, logged,
                table,
            )  # fmt: skip
    rounds = (turn + players - 1) // players  # B13
    row[ROW_ROUNDS] += np.int32(rounds)
    row[ROW_SESSIONS] += np.int32(1)
    tallies[0] += rounds * rounds
    _count(np.int64(end == NATURAL), EV_NATURAL, events, squares, row, tallies)
    _count(np.int64(end == CLAIMED), EV_CLAIMS, events, squares, row, tallies)
    _count(np.int64(end == 0), EV_STALLS, events, squares, row, tallies)
    _count(trades, EV_TRADES, events, squares, row, tallies)
    tallies[histogram + (SCORE_BINS + MATCH_BINS) * players + rounds] += 1
    return logged


@inner_as(int64(int64, int64, TABLE, int32[::1]))
def _session(session: int, logged: int, table: Table, row: Row) -> int:
    """Play one swap session and score it; return the log's length, or FAILED."""
    players, memory, book, streams = table.players, table.memory, table.book, table.streams
    watched = table.watched
    is_start = book[HAS_START] and session == book[START_SESSION]
    swapper = session % players  # B4: the deal moves one seat to the left every session
    turn, fixed_at, fixed_end, pile, runaway = 0, 0, 0, 0, NONE
    if is_start:
        _lay_out_start(players, book, memory)
        loose, fixed_end, pile = book[START_LOOSE], book[START_FIXED], book[START_PILE]
        turn, runaway = book[START_TURN], book[START_RUNAWAY]
        swapper = (session + turn) % players
    else:
        loose = _deal(swapper, players, book, memory, streams)
    position = streams[DEAL_AT]
    while runaway == NONE:  # B3
        card, position = _take(position, loose, memory)
        loose -= 1
        if card >= KINDS and book[REDRAW]:
            memory[FIXED + fixed_end] = card
            fixed_end += 1
        else:
            runaway = card
    natural, claimable = 0, 0
    for seat in range(players):
        memory[PLANS + seat] = NONE
        full = full_hand(memory[HANDS + seat])
        natural |= (full == NATURAL_HAND) << seat
        claimable |= (full == CLAIM_HAND) << seat
    memory[SEEN_SESSION], memory[SEEN_ASKED] = session, NONE
    last_turn = book[MAX_ROUNDS] * players
    looker, successful, end, trades = swapper, NONE, 0, 0
    barnyard = loose + fixed_end - fixed_at
    memory[SEEN_SWAPPER], memory[SEEN_TURN] = swapper, turn
    memory[SEEN_BARNYARD], memory[SEEN_PILE] = barnyard, pile
    if watched:
        logged = tell(
            DEALT, session, turn, swapper, runaway, NONE, NONE, NONE, barnyard, pile, logged, table
        )
    while True:
        # B11, B12: one look round, the swapper first, then leftwards
        if natural | claimable:
            for k in range(players):
                seat = _left_of(looker, k, players)
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
        memory[SEEN_SWAPPER], memory[SEEN_ASKED] = swapper, NONE
        forget_offers(memory, players)
        asked = choose_ask(swapper, table)
        if asked == FAILED:
            return FAILED
        memory[SEEN_ASKED] = asked
        if watched:
            logged = tell(
                ASKED, session, turn, swapper, asked, NONE, NONE, NONE, barnyard, pile, logged,
                table,
            )  # fmt: skip

        # B6
        for place in range(1, players):
            bidder = _left_of(swapper, place, players)
            if hear_bid(place, bidder, asked, table) == FAILED:
                return FAILED
            if watched and (memory[SEEN_BIDDERS] >> place) & 1:
                offer, offer_twice = memory[SEEN_OFFERS + place], memory[SEEN_OFFERS_TWICE + place]
                logged = tell(
                    OFFERED, session, turn, bidder, offer, offer_twice, NONE, NONE, barnyard, pile,
                    logged, table,
                )  # fmt: skip

        # B7
        accepted = NONE
        if memory[SEEN_BIDDERS]:
            accepted = choose_offer(swapper, table)
            if accepted == WRONG:
                return FAILED
        hand, twice = memory[HANDS + swapper], memory[TWICE + swapper]
        if accepted != NONE:
            place, kind = accepted // OFFER_PLACE, accepted % OFFER_PLACE
            bidder = _left_of(swapper, place, players)
            gives = choose_card_to_give(swapper, asked, table)
            gets = choose_card_to_give(bidder, kind, table)
            if gives == FAILED or gets == FAILED:
                return FAILED
            hand, twice = without_card(hand, twice, gives)
            hand, twice = with_card(hand, twice, gets)
            other, other_twice = memory[HANDS + bidder], memory[TWICE + bidder]
            other, other_twice = without_card(other, other_twice, gets)
            other, other_twice = with_card(other, other_twice, gives)
            memory[HANDS + bidder], memory[TWICE + bidder] = other, other_twice
            memory[HANDS + swapper], memory[TWICE + swapper] = hand, twice
            memory[PLANS + bidder] = NONE
            memory[PLANS + swapper] = NONE
            both = ~((1 << swapper) | (1 << bidder))
            full, others_full = full_hand(hand), full_hand(other)
            natural |= ((full == NATURAL_HAND) << swapper) | (
                (others_full == NATURAL_HAND) << bidder
            )
            claimable = (
                (claimable & both)
                | ((full == CLAIM_HAND) << swapper)
                | ((others_full == CLAIM_HAND) << bidder)
            )
            trades += 1
            if watched:
                logged = tell(
                    TRADED, session, turn, swapper, bidder, kind, gives, gets, barnyard, pile,
                    logged, table,
                )  # fmt: skip
        else:  # B9
            if barnyard == 0:
                loose, fixed_end = _turn_over(pile, book[RECYCLE], memory)
                fixed_at, barnyard, pile = 0, pile, 0
            if loose > 0:
                card, position = _take(position, loose, memory)
                loose -= 1
            else:
                card = memory[FIXED + fixed_at]
                fixed_at += 1
            barnyard -= 1
            hand, twice = with_card(hand, twice, card)
            memory[HANDS + swapper], memory[TWICE + swapper] = hand, twice
            memory[SEEN_DRAWN] = card
            memory[SEEN_BARNYARD], memory[SEEN_PILE] = barnyard, pile
            if watched:
                logged = tell(
                    DREW, session, turn, swapper, card, NONE, NONE, NONE, barnyard, pile, logged,
                    table,
                )  # fmt: skip
            discard = choose_discard(swapper, book[DISCARD_WILD], table)
            if discard == FAILED:
                return FAILED
            memory[SEEN_DRAWN] = NONE
            hand, twice = without_card(hand, twice, discard)
            memory[HANDS + swapper], memory[TWICE + swapper] = hand, twice
            memory[PILE + pile] = discard
            pile += 1
            memory[SEEN_PILE] = pile
            if discard != card:
                memory[PLANS + swapper] = NONE
                full = full_hand(hand)
                natural |= (full == NATURAL_HAND) << swapper
                claimable = (claimable & ~(1 << swapper)) | ((full == CLAIM_HAND) << swapper)
            if watched:
                logged = tell(
                    DISCARDED, session, turn, swapper, discard, NONE, NONE, NONE, barnyard, pile,
                    logged, table,
                )  # fmt: skip
        turn += 1
        memory[SEEN_TURN] = turn
        looker = swapper
        swapper = _left_of(swapper, 1, players)

    forget_offers(memory, players)
    if watched:
        what = STALLED if successful == NONE else FULL_HAND
        seat = session % players if successful == NONE else successful
        logged = tell(
            what, session, turn, seat, end, NONE, NONE, NONE, barnyard, pile, logged, table
        )
    return _score(
        session, turn, successful, end, trades, runaway, barnyard, pile, logged, table, row
    )


@inlined
def _match(key: np.uint64, table: Table, row: Row) -> int:
    """B18: play a match, its sessions dealt by `key`; return the log's length, or FAILED."""
    players, memory, book = table.players, table.memory, table.book
    for seat in range(players):
        memory[SEEN_TOTALS + seat] = book[START_TOTALS + seat]
    logged = 0
    session = book[START_SESSION]
    highest = 0
    while session < book[SESSIONS]:
        table.streams[DEAL_AT] = stream_key(key, DEAL, session)
        logged = _session(session, logged, table, row)
        if logged == FAILED:
            return FAILED
        session += 1
        highest = memory[SEEN_TOTALS]
        for seat in range(1, players):
            highest = max(highest, memory[SEEN_TOTALS + seat])
        if book[TARGET] and highest >= book[TARGET]:
            break
    winners = 0
    histogram = 1 + _BY_SEAT * players + _BY_SESSION + SCORE_BINS * players
    for seat in range(players):
        total = memory[SEEN_TOTALS + seat]
        winners |= (total == highest) << seat
        row[ROW_SCORES + seat] = np.int32(total)
        place = min(max((total - MATCH_LOW) // MATCH_WIDTH, 0), MATCH_BINS - 1)
        table.tallies[histogram + MATCH_BINS * seat + place] += 1
    row[ROW_WINNERS] = np.int32(winners)
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
    notebooks, streams = table.notebooks, table.streams
    logged = 0
    for game in range(first, last):
        table.memory[ASKED_GAME] = game
        choice_key = game_key(seeds[CHOICE], game)
        for seat in range(table.players):
            streams[seat] = stream_key(choice_key, CHOICE, seat)
        for slot in range(notebooks.shape[0]):
            notebooks[slot] = 0
        row = rows[game - first]
        for column in range(row.shape[0]):
            row[column] = 0
        logged = _match(game_key(seeds[DEAL], game), table, row)
        if logged == FAILED:
            return FAILED
    return logged


assert MAX_PLAYERS <= _SEATS
