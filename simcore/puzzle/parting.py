"""Parting with pieces: which a player keeps, and which of the others are drawn."""

from simcore._jit import inlined
from simcore.puzzle.asking import ask
from simcore.puzzle.pieces import drawn, turned, unpacked_keep
from simcore.puzzle.plans import PAY_AT, PLAN_COMMIT, PLAN_FORCED, PLAN_GIVE
from simcore.puzzle.view import (
    ASKED,
    CARDS,
    COMMIT,
    GIVE,
    HOLDINGS,
    NONE,
    PAY,
    PLAN_WORDS,
    PLANS,
    SEEN_NUMBER,
    SEEN_RECEIVER,
)
from simcore.table import FAILED, Table


@inlined
def kept_by(decision: int, seat: int, table: Table) -> int:
    """Return what a player would rather keep, as a holding, or FAILED."""
    memory = table.memory
    plan = PLANS + PLAN_WORDS * seat
    if (memory[ASKED] >> seat) & 1:
        answer = ask(decision, seat, table.minds, memory)
        if answer == FAILED:
            return FAILED
    elif decision == COMMIT:
        return memory[plan + PLAN_COMMIT]
    elif decision == GIVE:
        return memory[plan + PLAN_GIVE]
    else:
        answer = memory[plan + PLAN_FORCED]
        if decision == PAY:
            answer >>= PAY_AT
    return turned(unpacked_keep(answer), memory[CARDS + seat], table.players)


@inlined
def parted_with(decision: int, number: int, seat: int, receiver: int, table: Table) -> int:
    """P4, P6, P12: return `number` pieces that a player parts with, or FAILED; none has moved."""
    memory = table.memory
    memory[SEEN_NUMBER], memory[SEEN_RECEIVER] = number, receiver
    kept = kept_by(decision, seat, table)
    memory[SEEN_NUMBER], memory[SEEN_RECEIVER] = 0, NONE
    if kept == FAILED:
        return FAILED
    return drawn(memory[HOLDINGS + seat], kept, number, seat, table.streams)
