"""Asking the strategies of Barnyard Swap for their decisions, and telling them what happens.

Whatever takes a whole table is compiled into its caller: a call would copy a hundred words.
"""

from numba import int64, void

from herdlab.simcore._jit import inlined, inner_as
from herdlab.simcore.barnyard.cards import ALL_KINDS, donkeys_in, holds, watchdogs_in
from herdlab.simcore.barnyard.rules import DONKEY, KINDS, WATCHDOG
from herdlab.simcore.barnyard.view import (
    ACCEPT,
    AS_NAMED,
    ASK,
    ASKED,
    BID,
    BID_TWICE,
    BLANK,
    DEALT,
    DISCARD,
    DREW,
    HAND_OVER,
    NONE,
    OFFER_PLACE,
    OFFERED,
    PASS_DONKEY,
    PASS_WATCHDOG,
    PLAN,
    PLAN_ASK,
    ROOM,
    SEEN,
    STATE,
    TRADED,
    call_choose,
    view_at,
)
from herdlab.simcore.table import (
    ASKED_ANSWER,
    ASKED_DECISION,
    ASKED_SEAT,
    DREW_LUCK,
    FAILED,
    MIND_CHOOSE,
    MIND_WORDS,
    OBSERVE,
    OBSERVES,
    OWN_ONLY,
    SEAT_FLAGS,
    SEAT_WORDS,
    TABLE,
    Ints,
    Table,
    me_at,
)

WRONG = -2
"""Returned for an answer that is not legal, where FAILED could be NONE."""


@inlined
def put(decision: int, seat: int, table: Table, seen: int = SEEN.begin) -> int:
    """Put a decision to the strategy in `seat`, which sees its own hand and what all can see.

    `seen` is where the view stands: the table's, or the BLANK one.
    """
    memory = table.memory
    memory[seen + SEEN.hand - SEEN.begin] = memory[STATE.hands + seat]
    memory[seen + SEEN.twice - SEEN.begin] = memory[STATE.twice + seat]
    memory[seen + SEEN.seat - SEEN.begin] = seat
    memory[ASKED_SEAT], memory[ASKED_DECISION] = seat, decision
    mind = MIND_WORDS * seat
    view, me = view_at(memory, seen), me_at(table.minds, mind)
    answer = call_choose(table.minds[mind + MIND_CHOOSE], decision, view, me)
    memory[ASKED_ANSWER] = answer
    return answer


@inlined
def looks_only_at_its_own(seat: int, table: Table) -> bool:
    """Whether `seat`'s strategy plans by its own hand alone."""
    return table.seats[SEAT_WORDS * seat + SEAT_FLAGS] & OWN_ONLY != 0


@inlined
def plan(seat: int, table: Table) -> int:
    """Let `seat` plan with the hand that it has now; return 0, or FAILED.

    A strategy that looks only at its own hand is asked on which cards it bids and what it will ask
    on, once for every hand; one that looks at more is heard every time.
    """
    memory = table.memory
    if not looks_only_at_its_own(seat, table):
        memory[STATE.plans + seat] = ALL_KINDS
        return 0
    luck = table.streams[seat]
    made = put(PLAN, seat, table, BLANK)
    if table.streams[seat] != luck:
        memory[ASKED_ANSWER] = DREW_LUCK
        return FAILED
    if made < 0 or not is_kind_of(made >> PLAN_ASK, memory[STATE.hands + seat]):
        return FAILED
    memory[STATE.plans + seat] = made
    return 0


@inlined
def is_kind_of(kind: int, hand: int) -> bool:
    """Whether `kind` is a farm-animal card that the hand has."""
    return 0 <= kind < KINDS and (hand >> kind) & 1 != 0


@inlined
def choose_ask(seat: int, table: Table) -> int:
    """B5: let the swapper name one farm-animal card of his hand; return it, or FAILED."""
    if looks_only_at_its_own(seat, table):
        return table.memory[STATE.plans + seat] >> PLAN_ASK
    kind = put(ASK, seat, table)
    return kind if is_kind_of(kind, table.memory[STATE.hands + seat]) else FAILED


@inlined
def hear_bid(place: int, seat: int, table: Table) -> int:
    """B6: let `seat`, `place` places left of the swapper, make offers; return 0, or FAILED."""
    memory = table.memory
    offer = put(BID, seat, table)
    if offer & ~(memory[STATE.hands + seat] & ALL_KINDS):
        return FAILED
    if offer == 0:
        return 0
    memory[SEEN.offers + place] = offer
    memory[SEEN.bidders] |= 1 << place
    if offer & memory[STATE.twice + seat]:
        offer_twice = put(BID_TWICE, seat, table)
        if offer_twice & ~(offer & memory[STATE.twice + seat]):
            return FAILED
        memory[SEEN.offers_twice + place] = offer_twice
    return 0


@inlined
def choose_offer(seat: int, table: Table) -> int:
    """B7: let the swapper accept one offered card or NONE; return his answer, or WRONG."""
    memory = table.memory
    answer = put(ACCEPT, seat, table)
    if answer == NONE:
        return NONE
    place, kind = answer // OFFER_PLACE, answer % OFFER_PLACE
    if answer < 0 or place >= ROOM or (memory[SEEN.offers + place] >> kind) & 1 == 0:
        return WRONG
    return answer


@inlined
def choose_card_to_give(seat: int, named: int, table: Table) -> int:
    """B8: let a party hand over the card named or a wild card he holds; return it, or FAILED."""
    memory = table.memory
    hand = memory[STATE.hands + seat]
    if hand <= ALL_KINDS:
        return named
    memory[SEEN.named] = named
    answer = put(HAND_OVER, seat, table)
    memory[SEEN.named] = NONE
    if answer == AS_NAMED:
        return named
    if answer == PASS_DONKEY and donkeys_in(hand):
        return DONKEY
    return WATCHDOG if answer == PASS_WATCHDOG and watchdogs_in(hand) else FAILED


@inlined
def choose_discard(seat: int, wild_allowed: int, table: Table) -> int:
    """B9: let the swapper discard one card of his hand; return it, or FAILED."""
    card = put(DISCARD, seat, table)
    if not holds(table.memory[STATE.hands + seat], card) or (card >= KINDS and not wild_allowed):
        return FAILED
    return card


@inner_as(void(int64[::1], int64))
def forget_offers(memory: Ints, players: int) -> None:
    """Clear the offers of the last turn."""
    memory[SEEN.bidders] = 0
    for place in range(players):
        memory[SEEN.offers + place] = 0
        memory[SEEN.offers_twice + place] = 0


@inner_as(int64(int64, int64, int64, int64, int64, int64, int64, int64, int64, int64, int64, TABLE))
def tell(
    what: int,
    session: int,
    turn: int,
    seat: int,
    detail_1: int,
    detail_2: int,
    detail_3: int,
    detail_4: int,
    barnyard: int,
    pile: int,
    n_logged: int,
    table: Table,
) -> int:
    """Log what has happened and tell the strategies that observe; return the new length.

    The log has everything; a strategy is told what all can see, and of its own trades the cards.
    """
    memory, log, players = table.memory, table.log, table.players
    if n_logged < log.shape[0]:
        log[n_logged, 0], log[n_logged, 1], log[n_logged, 2] = what, session, turn
        log[n_logged, 3], log[n_logged, 4], log[n_logged, 5] = seat, detail_1, detail_2
        log[n_logged, 6], log[n_logged, 7] = detail_3, detail_4
        log[n_logged, 8], log[n_logged, 9] = barnyard, pile
        for other in range(players):
            log[n_logged, 10 + other] = memory[STATE.hands + other]
            log[n_logged, 10 + ROOM + other] = memory[STATE.twice + other]
    if what in (DEALT, ASKED, OFFERED, TRADED, DREW):
        is_hidden = what in (DEALT, DREW)
        memory[SEEN.happening], memory[SEEN.happened_to] = what, seat
        memory[SEEN.detail_1] = NONE if is_hidden else detail_1
        memory[SEEN.detail_2] = NONE if is_hidden else detail_2
        for observer in range(players):
            if table.seats[SEAT_WORDS * observer + SEAT_FLAGS] & OBSERVES:
                if what == TRADED and observer == seat:
                    memory[SEEN.given], memory[SEEN.received] = detail_3, detail_4
                elif what == TRADED and observer == detail_1:
                    memory[SEEN.given], memory[SEEN.received] = detail_4, detail_3
                put(OBSERVE, observer, table)
                memory[SEEN.given], memory[SEEN.received] = NONE, NONE
        memory[SEEN.happening], memory[SEEN.happened_to] = 0, NONE
        memory[SEEN.detail_1], memory[SEEN.detail_2] = NONE, NONE
    return n_logged + 1
