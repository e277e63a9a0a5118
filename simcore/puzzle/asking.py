"""Asking the strategies of the puzzle games for their decisions, and telling them what happens.

Everything that a question needs stands in the thread's memory, so that a question is a call with
two arrays and not with a whole table.
"""

from numba import int64, void

from herdlab.simcore._jit import inlined, inner_as, readonly
from herdlab.simcore.puzzle.pieces import count_of, is_keep, kinds_of, own_first, packed_keep
from herdlab.simcore.puzzle.rules import MAX_PLAYERS
from herdlab.simcore.puzzle.view import (
    ANSWER,
    BLUFF_CALLED,
    CALL_BLUFF,
    NO,
    NONE,
    OFFER,
    PASS_ACROSS,
    PASS_LEFT,
    PASS_RIGHT,
    PASSED,
    ROOM,
    SEEN,
    SILENT,
    STALLED,
    STATE,
    TRADE,
    TRADED,
    WON,
    WORD,
    call_choose,
    view_at,
)
from herdlab.simcore.table import (
    ASKED_ANSWER,
    ASKED_DECISION,
    ASKED_SEAT,
    FAILED,
    MIND_CHOOSE,
    MIND_WORDS,
    OBSERVE,
    OBSERVES,
    SEAT_FLAGS,
    SEAT_WORDS,
    Ints,
    me_at,
)

_READ, _WRITE = readonly(int64), int64[::1]


@inlined
def put(decision: int, seat: int, minds: Ints, memory: Ints) -> int:
    """Put a decision to the strategy in `seat`; what it sees stands in memory already."""
    memory[ASKED_SEAT], memory[ASKED_DECISION] = seat, decision
    mind = MIND_WORDS * seat
    answer = call_choose(
        minds[mind + MIND_CHOOSE], decision, view_at(memory, SEEN.begin), me_at(minds, mind)
    )
    memory[ASKED_ANSWER] = answer
    return answer


@inlined
def show_own(seat: int, memory: Ints) -> None:
    """Show a player his seat and what he holds."""
    memory[SEEN.seat] = seat
    holding, card, players = (
        memory[STATE.holdings + seat],
        memory[STATE.cards + seat],
        memory[SEEN.players],
    )
    own = count_of(holding, card)
    memory[SEEN.own], memory[SEEN.spare] = own, memory[SEEN.held + seat] - own
    memory[SEEN.kinds] = kinds_of(holding) - (own > 0)
    mine = own_first(holding, card, players)
    for place in range(ROOM):
        memory[SEEN.pieces + place] = count_of(mine, place)


@inlined
def is_legal_word(code: int, held: int, memory: Ints) -> bool:
    """P4, P6, P7-P9, P11: whether a player with so many pieces may do this with the word."""
    if code < OFFER:
        return code == SILENT or (
            memory[SEEN.may_call] != 0
            and (
                code in (PASS_LEFT, PASS_RIGHT)
                or (code == PASS_ACROSS and memory[SEEN.players] == MAX_PLAYERS)
            )
        )
    said, committed, largest = code // OFFER, code % OFFER, memory[SEEN.largest_offer]
    return (
        said <= largest
        and committed <= largest
        and committed <= held
        and (said == committed or memory[SEEN.advanced] != 0)
    )


@inlined
def answer_of(decision: int, seat: int, held: int, minds: Ints, memory: Ints) -> int:
    """Return the answer of a player who holds so many pieces, or FAILED if it is not legal."""
    answer = put(decision, seat, minds, memory)
    if decision == WORD:
        return answer if is_legal_word(answer, held, memory) else FAILED
    if decision == ANSWER:  # P4; P12: a bluff can be called in the advanced game only
        last = CALL_BLUFF if memory[SEEN.advanced] else TRADE
        return answer if NO <= answer <= last else FAILED
    return answer if is_keep(answer) else FAILED


@inner_as(int64(int64, int64, _READ, _WRITE))
def ask(decision: int, seat: int, minds: Ints, memory: Ints) -> int:
    """Ask the player in `seat`, who sees what he holds; return his answer, or FAILED."""
    show_own(seat, memory)
    return answer_of(decision, seat, memory[SEEN.held + seat], minds, memory)


@inlined
def receiver_of(seat: int, direction: int, players: int) -> int:
    """P6: return to whom a player passes."""
    step = 1 if direction == PASS_LEFT else players - 1 if direction == PASS_RIGHT else 2
    return (seat + step) % players


@inner_as(void(int64, int64, int64, int64, _READ, _READ, _WRITE, int64[:, ::1]))
def tell(
    what: int,
    detail_1: int,
    detail_2: int,
    detail_3: int,
    minds: Ints,
    seats: Ints,
    memory: Ints,
    log: Ints,
) -> None:
    """Log what has happened, and tell the strategies that observe.

    The log has everything; a strategy is told what all can see, and what it gave and got itself.
    """
    speaker, players = memory[SEEN.speaker], memory[SEEN.players]
    n_logged = memory[STATE.logged]
    memory[STATE.logged] += 1
    if n_logged < log.shape[0]:
        log[n_logged, 0], log[n_logged, 1], log[n_logged, 2] = what, memory[SEEN.beat], speaker
        log[n_logged, 3], log[n_logged, 4], log[n_logged, 5] = detail_1, detail_2, detail_3
        for seat in range(players):
            log[n_logged, 6 + seat] = memory[STATE.holdings + seat]
            log[n_logged, 6 + ROOM + seat] = memory[STATE.gifts + seat]
    if what in (WON, STALLED):
        return
    memory[SEEN.happening], memory[SEEN.happened_to] = what, speaker
    memory[SEEN.detail_1], memory[SEEN.detail_2] = detail_1, detail_2
    # what was committed is turned up when the pieces change hands, or the bluff is called (P12)
    memory[SEEN.detail_3] = detail_3 if what in (TRADED, BLUFF_CALLED) else NONE
    for seat in range(players):
        if seats[SEAT_WORDS * seat + SEAT_FLAGS] & OBSERVES:
            gave = got = 0
            if what == PASSED:
                gave = memory[STATE.gifts + seat]
                for other in range(players):
                    if receiver_of(other, detail_1, players) == seat:
                        got = memory[STATE.gifts + other]
            elif what in (TRADED, BLUFF_CALLED) and seat in (speaker, detail_1):
                gave = memory[STATE.gifts + seat]
                got = memory[STATE.gifts + (detail_1 if seat == speaker else speaker)]
            card = memory[STATE.cards + seat]
            memory[SEEN.gave] = packed_keep(own_first(gave, card, players))
            memory[SEEN.got] = packed_keep(own_first(got, card, players))
            show_own(seat, memory)
            put(OBSERVE, seat, minds, memory)
    memory[SEEN.happening], memory[SEEN.happened_to] = 0, NONE
    memory[SEEN.detail_1] = memory[SEEN.detail_2] = memory[SEEN.detail_3] = NONE
    memory[SEEN.gave] = memory[SEEN.got] = 0
