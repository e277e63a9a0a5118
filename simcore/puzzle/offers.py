"""P4, P5, P11, P12: an offer, the first of the willing, and the bluff called."""

import numpy as np

from herdlab.simcore._jit import inlined
from herdlab.simcore.puzzle.asking import ask, tell
from herdlab.simcore.puzzle.book import BOOK, first_of_willing
from herdlab.simcore.puzzle.parting import forced_to_part_with, parted_with
from herdlab.simcore.puzzle.view import (
    ANSWER,
    BLUFF_CALLED,
    COMMIT,
    COUNT,
    GIVE,
    LAPSED,
    N_COUNTS,
    NONE,
    OFFER,
    OFFERED,
    PAY,
    SEEN,
    STATE,
    TRADE,
    TRADED,
)
from herdlab.simcore.rng import Luck
from herdlab.simcore.table import FAILED, Ints, Table

_ANYTHING = 0x55
_FAILED_TO_PAY = -1000
"""What no payment comes to."""


@inlined
def answers_to(said: int, speaker: int, minds: Ints, memory: Ints) -> int:
    """P4, P5, P12: return what everybody answers, two bits for each seat, or FAILED."""
    players = memory[SEEN.players]
    codes = (memory[STATE.answers] >> 8 * (said - 1)) & 0xFF & ~(3 << 2 * speaker)
    asked = memory[STATE.asked] & ~(1 << speaker)
    if asked:
        for k in range(1, players):
            seat = (speaker + k) % players
            if (asked >> seat) & 1 and memory[SEEN.held + seat] >= said:
                answer = ask(ANSWER, seat, minds, memory)
                if answer == FAILED:
                    return FAILED
                codes |= answer << 2 * seat
    return codes


@inlined
def offer(code: int, speaker: int, bits: np.uint64, table: Table) -> int:
    """P4: play the beat of an offer, with the beat's number for who is first; 0 or FAILED."""
    memory, book, minds, streams = table.memory, table.book, table.minds, table.streams
    said, committed = (code // OFFER) & 7, code % OFFER
    mine = STATE.counts + N_COUNTS * speaker
    memory[SEEN.said], memory[STATE.is_locked] = said, 1  # P8
    memory[mine + COUNT.offers] += 1
    if committed != said:  # P11
        memory[mine + COUNT.bluffs_tried] += 1
    gift = 0
    if committed:
        gift = parted_with(COMMIT, committed, speaker, NONE, minds, memory, streams)
        if gift == FAILED:
            return FAILED
    memory[STATE.gifts + speaker] = gift
    if table.watched:
        tell(OFFERED, NONE, said, committed, minds, table.seats, memory, table.log)
    codes = answers_to(said, speaker, minds, memory)
    if codes == FAILED:
        return FAILED
    willing = (codes | codes >> 1) & _ANYTHING
    if willing == 0:
        memory[STATE.lapses] += 1
        memory[STATE.gifts + speaker] = memory[SEEN.said] = 0
        if table.watched:
            tell(LAPSED, NONE, said, NONE, minds, table.seats, memory, table.log)
        return 0
    first = first_of_willing(bits, BOOK.first + 4 * willing, book)
    if (codes >> 2 * first) & 3 == TRADE:
        back = parted_with(GIVE, said, first, speaker, minds, memory, streams)
        if back == FAILED:
            return FAILED
        what, gained = TRADED, said - committed
        memory[mine + COUNT.trades_made] += 1
        memory[STATE.counts + N_COUNTS * first + COUNT.trades_made] += 1
        memory[mine + COUNT.gained_by_bluffs] += gained
    else:
        what = BLUFF_CALLED
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
    if table.watched:
        tell(what, first, said, committed, minds, table.seats, memory, table.log)
    memory[STATE.gifts + speaker] = memory[STATE.gifts + first] = 0
    memory[STATE.moved] = 1 << speaker | 1 << first
    return 0


@inlined
def pay(
    said: int,
    committed: int,
    speaker: int,
    caller: int,
    minds: Ints,
    memory: Ints,
    streams: Luck,
) -> int:
    """P12: let who is wrong pay, as their gifts; return what the speaker gains, or a failure."""
    is_bluff = committed != said
    payer, payee = (speaker, caller) if is_bluff else (caller, speaker)
    paid, gift = min(said, memory[SEEN.held + payer]), 0
    if paid:
        gift = forced_to_part_with(PAY, paid, payer, payee, minds, memory, streams)
        if gift == FAILED:
            return _FAILED_TO_PAY
    memory[STATE.gifts + speaker] = memory[STATE.gifts + caller] = 0
    memory[STATE.gifts + payer] = gift
    theirs = STATE.counts + N_COUNTS * caller
    if is_bluff:
        memory[theirs + COUNT.calls_right] += 1
        memory[theirs + COUNT.gained_by_calls] += paid
        memory[STATE.counts + N_COUNTS * speaker + COUNT.gained_by_bluffs] -= paid
        return -paid
    memory[theirs + COUNT.calls_wrong] += 1
    memory[theirs + COUNT.gained_by_calls] -= paid
    return paid
