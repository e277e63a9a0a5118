"""Parting with pieces: which a player keeps, and which of the others are drawn."""

from numba import int64, uint64

from herdlab.simcore._jit import inlined, inner_as, readonly
from herdlab.simcore.puzzle.asking import ask
from herdlab.simcore.puzzle.pieces import drawn, turned, unpacked_keep
from herdlab.simcore.puzzle.plans import PAY_AT, PLAN_COMMIT, PLAN_FORCED, PLAN_GIVE
from herdlab.simcore.puzzle.view import COMMIT, GIVE, NONE, PAY, PLAN_SLOTS, SEEN, STATE
from herdlab.simcore.rng import Luck
from herdlab.simcore.table import FAILED, Ints


@inlined
def parted_with(
    decision: int,
    number: int,
    seat: int,
    receiver: int,
    minds: Ints,
    memory: Ints,
    streams: Luck,
) -> int:
    """P4, P6, P12: return `number` pieces that a player parts with, or FAILED; none has moved."""
    plan = STATE.plans + PLAN_SLOTS * seat
    if (memory[STATE.asked] >> seat) & 1:
        memory[SEEN.number], memory[SEEN.receiver] = number, receiver
        answer = ask(decision, seat, minds, memory)
        memory[SEEN.number], memory[SEEN.receiver] = 0, NONE
        if answer == FAILED:
            return FAILED
        kept = turned(unpacked_keep(answer), memory[STATE.cards + seat], memory[SEEN.players])
    elif decision == COMMIT:
        kept = memory[plan + PLAN_COMMIT]
    elif decision == GIVE:
        kept = memory[plan + PLAN_GIVE]
    else:
        answer = memory[plan + PLAN_FORCED]
        if decision == PAY:
            answer >>= PAY_AT
        kept = turned(unpacked_keep(answer), memory[STATE.cards + seat], memory[SEEN.players])
    return drawn(memory[STATE.holdings + seat], kept, number, seat, streams)


@inner_as(int64(int64, int64, int64, int64, readonly(int64), int64[::1], uint64[::1]))
def forced_to_part_with(
    decision: int,
    number: int,
    seat: int,
    receiver: int,
    minds: Ints,
    memory: Ints,
    streams: Luck,
) -> int:
    """Return what `parted_with` does, for the decisions that are not put in most beats."""
    return parted_with(decision, number, seat, receiver, minds, memory, streams)
