"""Asking a strategy of any game, and writing down what happens: what all games share."""

from collections.abc import Callable
from typing import Any

import numpy as np

from herdlab.simcore._jit import inlined
from herdlab.simcore.rng import Luck
from herdlab.simcore.table import (
    ASKED_ANSWER,
    ASKED_DECISION,
    ASKED_SEAT,
    DREW_LUCK,
    LOGGED,
    MIND_CHOOSE,
    MIND_WORDS,
    OBSERVES,
    OWN_ONLY,
    SEAT_FLAGS,
    SEAT_MOVES,
    SEAT_WORDS,
    Ints,
    Table,
    choose_type,
    me_at,
)
from herdlab.simcore.window import Window, caller, opener


def asker(view: Window) -> tuple[Any, Callable[[int, int, int, Ints, Ints], int]]:
    """Return the signature of strategies that see `view`, and a compiled function that asks one.

    ``ask(decision, seat, at, minds, memory)`` shows what stands in memory from word `at` on.
    """
    signature = choose_type(view)
    call, view_at = caller(signature), opener(view)

    @inlined
    def ask(decision: int, seat: int, at: int, minds: Ints, memory: Ints) -> int:
        memory[ASKED_SEAT], memory[ASKED_DECISION] = seat, decision
        mind = MIND_WORDS * seat
        choose = minds[mind + MIND_CHOOSE]
        answer = call(choose, decision, view_at(memory, at), me_at(minds, mind))
        memory[ASKED_ANSWER] = answer
        return answer

    return signature, ask


@inlined
def is_own_only(seat: int, seats: Ints) -> bool:
    """Whether the strategy in `seat` looks only at what is its own and at the legal moves."""
    return bool(seats[SEAT_WORDS * seat + SEAT_FLAGS] & OWN_ONLY)


@inlined
def observes(seat: int, seats: Ints) -> bool:
    """Whether the strategy in `seat` wants to be told what happens."""
    return bool(seats[SEAT_WORDS * seat + SEAT_FLAGS] & OBSERVES)


@inlined
def drew_luck(seat: int, before: np.uint64, streams: Luck, memory: Ints) -> bool:
    """Whether the strategy in `seat` has drawn luck since `before`; notes it as its answer."""
    if streams[seat] == before:
        return False
    memory[ASKED_ANSWER] = DREW_LUCK
    return True


@inlined
def moves_of(seat: int, seats: Ints) -> int:
    """Return where the tabulated choices of `seat` begin."""
    return int(seats[SEAT_WORDS * seat + SEAT_MOVES])


@inlined
def write_log(
    numbers: tuple[int, ...], by_seat: tuple[int, ...], room: int, memory: Ints, log: Ints
) -> None:
    """Add a row to the log, if there is room in it.

    It has the `numbers`, then `room` words each for what stands in memory seat by seat, where
    `by_seat` says.
    """
    row = memory[LOGGED]
    memory[LOGGED] += 1
    if row < log.shape[0]:
        for column in range(len(numbers)):
            log[row, column] = numbers[column]
        for block in range(len(by_seat)):
            for seat in range(room):
                log[row, len(numbers) + room * block + seat] = memory[by_seat[block] + seat]


@inlined
def n_logged(table: Table) -> int:
    """Return how many rows the log has, or would have with room for them."""
    return int(table.memory[LOGGED])
