"""What a question to a strategy costs, by how its view is handed over.

    python -m tools.pointer_calls

Prints nanoseconds a call through a function pointer to the same small strategy, and what it takes
to enter the compiled loop: with numba's first-class functions and the view as arrays, counted and
not counted; with an address and the view as a window; and, as the floor, with the strategy compiled
into the loop.  docs/architecture.md quotes it.
"""

import time
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import float64, int64, types, uint8, uint64

from herdlab.simcore._jit import address_of, readonly
from herdlab.simcore.herd.view import CHOOSE, MEMORY_SIZE, SEEN, call_choose, view_at
from herdlab.simcore.table import MIND_WORDS, me_at

SEATS, CALLS, ROUNDS, ENTRIES = 4, 2_000_000, 7, 100


class ArrayView(NamedTuple):
    """The herd's view as it would be with arrays."""

    herds: Any
    supply: Any
    legal: Any
    players: int
    turn: int
    skunk: int


class ArrayMe(NamedTuple):
    """What belongs to a strategy, with arrays."""

    params: Any
    data: Any
    notebook: Any
    luck: Any


ARRAY_VIEW = types.NamedTuple(
    (readonly(int64, 2), readonly(int64), readonly(int64), int64, int64, int64), ArrayView
)
ARRAY_ME = types.NamedTuple((readonly(float64), readonly(uint8), int64[::1], uint64[::1]), ArrayMe)


def leader(decision: int, view: Any, me: Any) -> int:
    """Return the opponent with the most valuable herd: a typical small decision."""
    best, who = -1, 1
    for k in range(1, view.players):
        value = 0
        for animal in range(6):
            value += view.herds[k, animal] * (animal + 1)
        if value > best:
            best, who = value, k
    return who


def with_arrays(counted: bool) -> Callable[[int], int]:
    """Return a loop that hands over arrays."""
    options = {"nogil": True, "error_model": "numpy", "_nrt": counted}
    signature = int64(int64, ARRAY_VIEW, ARRAY_ME)
    chosen = numba.njit(signature, **options)(leader)
    pointers = types.UniTuple(types.FunctionType(signature), SEATS)

    @numba.njit(
        int64(int64, pointers, int64[:, ::1], *[readonly(int64, 2)], readonly(int64),
              readonly(float64, 2), readonly(uint8), int64[:, ::1], uint64[:, ::1]),
        **options,
    )  # fmt: skip
    def loop(n, choose, herds, seen, row, params, data, notebooks, luck):  # type: ignore[no-untyped-def]
        total = 0
        for i in range(n):
            seat = i & 3
            herds[1, 2] = i & 7
            me = ArrayMe(params[seat], data, notebooks[seat], luck[seat])
            total += choose[seat](0, ArrayView(seen, row, row, 4, i, 2), me)
        return total

    herds = np.ones((SEATS, 6), dtype=np.int64)
    arrays = [herds, herds.view(), np.ones(6, dtype=np.int64), np.ones((SEATS, 8))]
    for array in arrays[1:]:
        array.flags.writeable = False
    data = np.ones(8, dtype=np.uint8)
    data.flags.writeable = False
    rest = (np.zeros((SEATS, 8), dtype=np.int64), np.zeros((SEATS, 1), dtype=np.uint64))
    return lambda n: loop(n, (chosen,) * SEATS, *arrays, data, *rest)


def with_windows(through_pointer: bool) -> Callable[[int], int]:
    """Return a loop that hands over windows, through a pointer or compiled in."""
    options = {"nogil": True, "error_model": "numpy", "_nrt": False}
    chosen = numba.njit(CHOOSE, **options)(leader)
    players, herds = SEEN.players, SEEN.herds

    @numba.njit(int64(int64, int64, int64[::1], int64[::1]), **options)
    def loop(n, address, memory, minds):  # type: ignore[no-untyped-def]
        total = 0
        memory[players] = 4
        for i in range(n):
            seat = i & 3
            memory[herds + 8] = i & 7
            me = me_at(minds, MIND_WORDS * seat)
            if through_pointer:
                total += call_choose(address, 0, view_at(memory, SEEN.begin), me)
            else:
                total += chosen(0, view_at(memory, SEEN.begin), me)
        return total

    memory = np.ones(MEMORY_SIZE, dtype=np.int64)
    minds = np.zeros(SEATS * MIND_WORDS, dtype=np.int64)
    return lambda n: loop(n, address_of(chosen, CHOOSE), memory, minds)


def main() -> None:
    """Measure all ways in turn, the best of several rounds each."""
    warnings.simplefilter("ignore")  # first-class functions are called experimental
    ways = {
        "arrays, reference counted": with_arrays(True),
        "arrays, not counted": with_arrays(False),
        "windows": with_windows(True),
        "windows, compiled in": with_windows(False),
    }
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(ROUNDS):
        for name, loop in ways.items():
            begun = time.perf_counter()
            loop(CALLS)
            best[name] = min(best[name], time.perf_counter() - begun)
    for name, seconds in best.items():
        begun = time.perf_counter()
        for _ in range(ENTRIES):
            ways[name](0)
        entry = (time.perf_counter() - begun) / ENTRIES
        call, enter = seconds / CALLS * 1e9, entry * 1e6
        print(f"{name:28s} {call:6.1f} ns a call, {enter:6.0f} us to enter the loop")


if __name__ == "__main__":
    main()
