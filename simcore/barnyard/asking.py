"""Asking the strategies of Barnyard Swap for their decisions, and telling them what happens.

Whatever takes a whole table is compiled into its caller: a call would copy a hundred words.
"""

from numba import int64, void

from herdlab.simcore._jit import inlined, inner_as
from herdlab.simcore.asking import drew_luck, is_own_only, observes, write_log
from herdlab.simcore.barnyard import view
from herdlab.simcore.barnyard.cards import ALL_KINDS, donkeys_in, holds, watchdogs_in
from herdlab.simcore.barnyard.rules import DONKEY, KINDS, WATCHDOG
from herdlab.simcore.barnyard.view import BLANK, NONE, OFFER_PLACE, PLAN_ASK, ROOM, SEEN, STATE
from herdlab.simcore.table import FAILED, OBSERVE, TELL, Ints, Table

WRONG = -2
"""Returned for an answer that is not legal, where FAILED could be NONE."""


@inlined
def put(decision: int, seat: int, minds: Ints, memory: Ints, at: int = SEEN.begin) -> int:
    """Put a decision to the strategy in `seat`, which sees its own hand and what all can see.

    The view stands in memory from word `at` on: it is the table's, or the BLANK one.
    """
    memory[at + SEEN.hand - SEEN.begin] = memory[STATE.hands + seat]
    memory[at + SEEN.twice - SEEN.begin] = memory[STATE.twice + seat]
    memory[at + SEEN.seat - SEEN.begin] = seat
    return view.ask(decision, seat, at, minds, memory)


@inlined
def plan(seat: int, table: Table) -> int:
    """Let `seat` plan with the hand that it has now; return 0, or FAILED.

    A strategy that looks only at its own hand is asked on which cards it bids and what it will ask
    on, once for every hand; one that looks at more is heard every time.
    """
    memory, streams = table.memory, table.streams
    if not is_own_only(seat, table.seats):
        memory[STATE.plans + seat] = ALL_KINDS
        return 0
    luck = streams[seat]
    made = put(view.PLAN, seat, table.minds, memory, BLANK)
    if drew_luck(seat, luck, streams, memory):
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
    if is_own_only(seat, table.seats):
        return table.memory[STATE.plans + seat] >> PLAN_ASK
    kind = put(view.ASK, seat, table.minds, table.memory)
    return kind if is_kind_of(kind, table.memory[STATE.hands + seat]) else FAILED


@inlined
def hear_bid(place: int, seat: int, table: Table) -> int:
    """B6: let `seat`, `place` places left of the swapper, make offers; return 0, or FAILED."""
    memory = table.memory
    offer = put(view.BID, seat, table.minds, table.memory)
    if offer & ~(memory[STATE.hands + seat] & ALL_KINDS):
        return FAILED
    if offer == 0:
        return 0
    memory[SEEN.offers + place] = offer
    memory[SEEN.bidders] |= 1 << place
    if offer & memory[STATE.twice + seat]:
        offer_twice = put(view.BID_TWICE, seat, table.minds, table.memory)
        if offer_twice & ~(offer & memory[STATE.twice + seat]):
            return FAILED
        memory[SEEN.offers_twice + place] = offer_twice
    tell(view.OFFERED, seat, table, offer, memory[SEEN.offers_twice + place])
    return 0


@inlined
def choose_offer(seat: int, table: Table) -> int:
    """B7: let the swapper accept one offered card or NONE; return his answer, or WRONG."""
    memory = table.memory
    answer = put(view.ACCEPT, seat, table.minds, table.memory)
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
    answer = put(view.HAND_OVER, seat, table.minds, table.memory)
    memory[SEEN.named] = NONE
    if answer == view.AS_NAMED:
        return named
    if answer == view.PASS_DONKEY and donkeys_in(hand):
        return DONKEY
    return WATCHDOG if answer == view.PASS_WATCHDOG and watchdogs_in(hand) else FAILED


@inlined
def choose_discard(seat: int, wild_allowed: int, table: Table) -> int:
    """B9: let the swapper discard one card of his hand; return it, or FAILED."""
    card = put(view.DISCARD, seat, table.minds, table.memory)
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


@inlined
def tell(
    what: int,
    seat: int,
    table: Table,
    first: int = NONE,
    second: int = NONE,
    gave: int = NONE,
    got: int = NONE,
) -> None:
    """Log what has happened, with four details of it, and tell the strategies that observe."""
    if table.watched:
        minds, seats, memory, log = table.minds, table.seats, table.memory, table.log
        _tell(what, seat, first, second, gave, got, minds, seats, memory, log)


@inner_as(void(int64, int64, int64, int64, int64, int64, *TELL))
def _tell(
    what: int,
    seat: int,
    first: int,
    second: int,
    gave: int,
    got: int,
    minds: Ints,
    seats: Ints,
    memory: Ints,
    log: Ints,
) -> None:
    """Log everything; tell what all can see, and of their own trades the cards."""
    when, piles = (
        (memory[SEEN.session], memory[SEEN.turn]),
        (memory[SEEN.barnyard], memory[SEEN.pile]),
    )
    numbers = (what, *when, seat, first, second, gave, got, *piles)
    write_log(numbers, (STATE.hands, STATE.twice), ROOM, memory, log)
    if what not in (view.DEALT, view.ASKED, view.OFFERED, view.TRADED, view.DREW):
        return
    is_hidden = what in (view.DEALT, view.DREW)
    memory[SEEN.happening], memory[SEEN.happened_to] = what, seat
    memory[SEEN.detail_1] = NONE if is_hidden else first
    memory[SEEN.detail_2] = NONE if is_hidden else second
    for observer in range(memory[SEEN.players]):
        if observes(observer, seats):
            if what == view.TRADED and observer == seat:
                memory[SEEN.given], memory[SEEN.received] = gave, got
            elif what == view.TRADED and observer == first:
                memory[SEEN.given], memory[SEEN.received] = got, gave
            put(OBSERVE, observer, minds, memory)
            memory[SEEN.given], memory[SEEN.received] = NONE, NONE
    memory[SEEN.happening], memory[SEEN.happened_to] = 0, NONE
    memory[SEEN.detail_1], memory[SEEN.detail_2] = NONE, NONE
