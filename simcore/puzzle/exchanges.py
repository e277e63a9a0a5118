"""Pieces change hands: offers and called bluffs (P4, P5, P11, P12), forced passes (P6-P9)."""

import numpy as np
from numba import int64, uint64

from herdlab.simcore._jit import inlined, inner_as, readonly
from herdlab.simcore.puzzle import view
from herdlab.simcore.puzzle.asking import ask, receiver_of, tell
from herdlab.simcore.puzzle.book import BOOK, first_of_willing
from herdlab.simcore.puzzle.pieces import drawn, turned, unpacked_keep
from herdlab.simcore.puzzle.plans import PAY_AT, plan_of, planned_answers
from herdlab.simcore.puzzle.rules import STRAIGHT, WHOLE_GAME
from herdlab.simcore.puzzle.view import BY_SEAT, NONE, OFFER, PLAN, SEEN, STATE
from herdlab.simcore.rng import Luck
from herdlab.simcore.table import FAILED, Ints, Table

_ANYTHING = 0x55
_FAILED_TO_PAY = -1000
"""What no payment comes to."""


@inlined
def parted_with(
    decision: int, number: int, seat: int, receiver: int, minds: Ints, memory: Ints, streams: Luck
) -> int:
    """P4, P6, P12: return `number` pieces that a player parts with, or FAILED; none has moved."""
    plan = plan_of(seat)
    if (memory[STATE.asked] >> seat) & 1:
        memory[SEEN.number], memory[SEEN.receiver] = number, receiver
        answer = ask(decision, seat, minds, memory)
        memory[SEEN.number], memory[SEEN.receiver] = 0, NONE
        if answer == FAILED:
            return FAILED
        kept = turned(unpacked_keep(answer), memory[STATE.cards + seat], memory[SEEN.players])
    elif decision == view.COMMIT:
        kept = memory[plan + PLAN.commit]
    elif decision == view.GIVE:
        kept = memory[plan + PLAN.give]
    else:
        answer = memory[plan + PLAN.forced]
        if decision == view.PAY:
            answer >>= PAY_AT
        kept = turned(unpacked_keep(answer), memory[STATE.cards + seat], memory[SEEN.players])
    return drawn(memory[STATE.holdings + seat], kept, number, seat, streams)


@inner_as(int64(int64, int64, int64, int64, readonly(int64), int64[::1], uint64[::1]))
def forced_to_part_with(
    decision: int, number: int, seat: int, receiver: int, minds: Ints, memory: Ints, streams: Luck
) -> int:
    """Return what `parted_with` does, for the decisions that are not put in most beats."""
    return parted_with(decision, number, seat, receiver, minds, memory, streams)


@inlined
def answers_to(said: int, speaker: int, minds: Ints, memory: Ints) -> int:
    """P4, P5, P12: return what everybody answers, two bits for each seat, or FAILED."""
    players = memory[SEEN.players]
    codes = planned_answers(said, speaker, memory)
    asked = memory[STATE.asked] & ~(1 << speaker)
    if asked:
        for k in range(1, players):
            seat = (speaker + k) % players
            if (asked >> seat) & 1 and memory[SEEN.held + seat] >= said:
                answer = ask(view.ANSWER, seat, minds, memory)
                if answer == FAILED:
                    return FAILED
                codes |= answer << 2 * seat
    return codes


@inlined
def offer(code: int, speaker: int, bits: np.uint64, table: Table) -> int:
    """P4: play the beat of an offer, with the beat's number for who is first; 0 or FAILED."""
    memory, book, minds, streams = table.memory, table.book, table.minds, table.streams
    said, committed = (code // OFFER) & 7, code % OFFER
    mine = STATE.counts + BY_SEAT.end * speaker
    memory[SEEN.said], memory[STATE.is_locked] = said, 1  # P8
    memory[mine + BY_SEAT.offers] += 1
    if committed != said:  # P11
        memory[mine + BY_SEAT.bluffs_tried] += 1
    gift = 0
    if committed:
        gift = parted_with(view.COMMIT, committed, speaker, NONE, minds, memory, streams)
        if gift == FAILED:
            return FAILED
    memory[STATE.gifts + speaker] = gift
    tell(view.OFFERED, NONE, said, committed, table)
    codes = answers_to(said, speaker, minds, memory)
    if codes == FAILED:
        return FAILED
    willing = (codes | codes >> 1) & _ANYTHING
    if willing == 0:
        memory[STATE.lapses] += 1
        memory[STATE.gifts + speaker] = memory[SEEN.said] = 0
        tell(view.LAPSED, NONE, said, NONE, table)
        return 0
    first = first_of_willing(bits, BOOK.first + 4 * willing, book)
    if (codes >> 2 * first) & 3 == view.TRADE:
        back = parted_with(view.GIVE, said, first, speaker, minds, memory, streams)
        if back == FAILED:
            return FAILED
        what, gained = view.TRADED, said - committed
        memory[mine + BY_SEAT.trades_made] += 1
        memory[STATE.counts + BY_SEAT.end * first + BY_SEAT.trades_made] += 1
        memory[mine + BY_SEAT.gained_by_bluffs] += gained
    else:
        what = view.BLUFF_CALLED
        gained = pay(said, committed, speaker, first, minds, memory, streams)
        if gained == _FAILED_TO_PAY:
            return FAILED
        gift, back = memory[STATE.gifts + speaker], memory[STATE.gifts + first]
    memory[SEEN.said] = 0
    memory[STATE.holdings + speaker] += back - gift
    memory[STATE.holdings + first] += gift - back
    memory[SEEN.held + speaker] += gained
    memory[SEEN.held + first] -= gained
    memory[STATE.gifts + first] = back
    tell(what, first, said, committed, table)
    memory[STATE.gifts + speaker] = memory[STATE.gifts + first] = 0
    memory[STATE.moved] = 1 << speaker | 1 << first
    return 0


@inlined
def pay(
    said: int, committed: int, speaker: int, caller: int, minds: Ints, memory: Ints, streams: Luck
) -> int:
    """P12: let who is wrong pay, as their gifts; return what the speaker gains, or a failure."""
    is_bluff = committed != said
    payer, payee = (speaker, caller) if is_bluff else (caller, speaker)
    paid, gift = min(said, memory[SEEN.held + payer]), 0
    if paid:
        gift = forced_to_part_with(view.PAY, paid, payer, payee, minds, memory, streams)
        if gift == FAILED:
            return _FAILED_TO_PAY
    memory[STATE.gifts + speaker] = memory[STATE.gifts + caller] = 0
    memory[STATE.gifts + payer] = gift
    theirs = STATE.counts + BY_SEAT.end * caller
    if is_bluff:
        memory[theirs + BY_SEAT.calls_right] += 1
        memory[theirs + BY_SEAT.gained_by_calls] += paid
        memory[STATE.counts + BY_SEAT.end * speaker + BY_SEAT.gained_by_bluffs] -= paid
        return -paid
    memory[theirs + BY_SEAT.calls_wrong] += 1
    memory[theirs + BY_SEAT.gained_by_calls] -= paid
    return paid


@inlined
def may_call(seat: int, book: Ints, memory: Ints) -> int:
    """P7, P8, P9: 1 if a player may call a pass."""
    limit, calls = book[BOOK.limit], book[BOOK.calls]
    if limit == WHOLE_GAME:  # P9
        return 1 if memory[SEEN.called + seat] < calls else 0
    if calls == 0:
        return 0
    if seat != memory[STATE.last_caller]:
        return 1
    if memory[STATE.calls_in_a_row] >= calls:  # P7
        return 0
    return 0 if limit == STRAIGHT and memory[STATE.is_locked] else 1  # P8


@inlined
def forced_pass(direction: int, speaker: int, table: Table) -> int:
    """P6: let everybody pass a piece; all choose before any piece moves.  0 or FAILED."""
    memory, players = table.memory, table.players
    for k in range(players):
        seat = (speaker + k) % players
        memory[STATE.gifts + seat] = 0
        if memory[SEEN.held + seat]:
            to = receiver_of(seat, direction, players)
            gift = forced_to_part_with(view.PASS, 1, seat, to, table.minds, memory, table.streams)
            if gift == FAILED:
                return FAILED
            memory[STATE.gifts + seat] = gift
    for seat in range(players):
        gift, to = memory[STATE.gifts + seat], receiver_of(seat, direction, players)
        memory[STATE.holdings + seat] -= gift
        memory[STATE.holdings + to] += gift
        memory[SEEN.held + seat] -= gift != 0
        memory[SEEN.held + to] += gift != 0
    memory[STATE.counts + BY_SEAT.end * speaker + BY_SEAT.passes_called] += 1
    memory[SEEN.called + speaker] += 1
    memory[STATE.calls_in_a_row] = (
        memory[STATE.calls_in_a_row] + 1 if memory[STATE.last_caller] == speaker else 1
    )  # P7
    memory[STATE.last_caller], memory[STATE.is_locked] = speaker, 0
    memory[STATE.kept_word] = speaker  # P7a
    tell(view.PASSED, direction, NONE, NONE, table)
    for seat in range(players):
        memory[STATE.gifts + seat] = 0
    memory[STATE.moved] = (1 << players) - 1
    return 0
