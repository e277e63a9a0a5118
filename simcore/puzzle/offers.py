"""P4, P5, P11, P12: an offer, the first of the willing, and the bluff called."""

import numpy as np

from herdlab.simcore._jit import inlined
from herdlab.simcore.puzzle.asking import ask, tell
from herdlab.simcore.puzzle.book import FIRST, first_of_willing
from herdlab.simcore.puzzle.parting import forced_to_part_with, parted_with
from herdlab.simcore.puzzle.view import (
    ANSWER,
    ANSWERS,
    ASKED,
    BLUFF_CALLED,
    COMMIT,
    COUNT_BLUFFS,
    COUNT_OFFERS,
    COUNT_RIGHT,
    COUNT_TRADES,
    COUNT_WRONG,
    COUNTS,
    GAINED_BY_BLUFFS,
    GAINED_BY_CALLS,
    GIFTS,
    GIVE,
    HOLDINGS,
    IS_LOCKED,
    LAPSED,
    LAPSES,
    MOVED,
    N_COUNTS,
    NONE,
    OFFER,
    OFFERED,
    PAY,
    SEEN_HELD,
    SEEN_PLAYERS,
    SEEN_SAID,
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
    players = memory[SEEN_PLAYERS]
    codes = (memory[ANSWERS] >> 8 * (said - 1)) & 0xFF & ~(3 << 2 * speaker)
    asked = memory[ASKED] & ~(1 << speaker)
    if asked:
        for k in range(1, players):
            seat = (speaker + k) % players
            if (asked >> seat) & 1 and memory[SEEN_HELD + seat] >= said:
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
    mine = COUNTS + N_COUNTS * speaker
    memory[SEEN_SAID], memory[IS_LOCKED] = said, 1  # P8
    memory[mine + COUNT_OFFERS] += 1
    if committed != said:  # P11
        memory[mine + COUNT_BLUFFS] += 1
    gift = 0
    if committed:
        gift = parted_with(COMMIT, committed, speaker, NONE, minds, memory, streams)
        if gift == FAILED:
            return FAILED
    memory[GIFTS + speaker] = gift
    if table.watched:
        tell(OFFERED, NONE, said, committed, minds, table.seats, memory, table.log)
    codes = answers_to(said, speaker, minds, memory)
    if codes == FAILED:
        return FAILED
    willing = (codes | codes >> 1) & _ANYTHING
    if willing == 0:
        memory[LAPSES] += 1
        memory[GIFTS + speaker] = memory[SEEN_SAID] = 0
        if table.watched:
            tell(LAPSED, NONE, said, NONE, minds, table.seats, memory, table.log)
        return 0
    first = first_of_willing(bits, FIRST + 4 * willing, book)
    if (codes >> 2 * first) & 3 == TRADE:
        back = parted_with(GIVE, said, first, speaker, minds, memory, streams)
        if back == FAILED:
            return FAILED
        what, gained = TRADED, said - committed
        memory[mine + COUNT_TRADES] += 1
        memory[COUNTS + N_COUNTS * first + COUNT_TRADES] += 1
        memory[mine + GAINED_BY_BLUFFS] += gained
    else:
        what = BLUFF_CALLED
        gained = pay(said, committed, speaker, first, minds, memory, streams)
        if gained == _FAILED_TO_PAY:
            return FAILED
        gift, back = memory[GIFTS + speaker], memory[GIFTS + first]
    memory[SEEN_SAID] = 0
    memory[HOLDINGS + speaker] += back - gift
    memory[HOLDINGS + first] += gift - back
    memory[SEEN_HELD + speaker] += gained
    memory[SEEN_HELD + first] -= gained
    memory[GIFTS + first] = back
    if table.watched:
        tell(what, first, said, committed, minds, table.seats, memory, table.log)
    memory[GIFTS + speaker] = memory[GIFTS + first] = 0
    memory[MOVED] = 1 << speaker | 1 << first
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
    paid, gift = min(said, memory[SEEN_HELD + payer]), 0
    if paid:
        gift = forced_to_part_with(PAY, paid, payer, payee, minds, memory, streams)
        if gift == FAILED:
            return _FAILED_TO_PAY
    memory[GIFTS + speaker] = memory[GIFTS + caller] = 0
    memory[GIFTS + payer] = gift
    theirs = COUNTS + N_COUNTS * caller
    if is_bluff:
        memory[theirs + COUNT_RIGHT] += 1
        memory[theirs + GAINED_BY_CALLS] += paid
        memory[COUNTS + N_COUNTS * speaker + GAINED_BY_BLUFFS] -= paid
        return -paid
    memory[theirs + COUNT_WRONG] += 1
    memory[theirs + GAINED_BY_CALLS] -= paid
    return paid
