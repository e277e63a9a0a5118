"""S7, S9: who slaps last, number by number, and how hands go round; in plain Python."""

from typing import Any

import numpy as np
import pytest

from herdlab.simcore import rng
from herdlab.simcore.piles import left_of
from herdlab.simcore.rng import GAMMA, next_number
from herdlab.simcore.swap import effects
from herdlab.simcore.swap.view import BOOK, SEEN, TABLE_AT, TO_THE_LEFT


def plain(function: Any) -> Any:
    """Return a compiled function as Python runs it."""
    return function.py_func


@pytest.mark.parametrize(("at", "last"), [(0, 3), (1, 3), (2, 0), (6, 0), (7, 1), (9, 1)])
def test_the_last_to_slap_is_drawn_by_weight_from_the_left_on(
    at: int, last: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At place 2 of four; the player there, of weight 4, slaps first.  The others weigh 2, 5, 3."""
    who, weights = [1, 3, 0, 2], [4, 5, 2, 3]  # places 3, 0 and 1 have players 2, 1 and 3
    memory, book = np.zeros(SEEN.end, np.int64), np.zeros(BOOK.end, np.int64)
    memory[SEEN.who : SEEN.who + 4] = who
    book[BOOK.weights : BOOK.weights + 4] = weights
    book[BOOK.all_weights] = sum(weights)
    streams = np.zeros(TABLE_AT + 1, np.uint64)
    asked: list[Any] = []

    def scale(bits: int, n: int) -> int:
        asked.append((bits, n))
        return at

    monkeypatch.setattr(effects, "scale", scale)
    monkeypatch.setattr(effects, "next_number", plain(next_number))
    monkeypatch.setattr(rng, "mix64", lambda position: position)
    monkeypatch.setattr(effects, "left_of", plain(left_of))
    assert plain(effects.last_to_slap)(2, 4, book, memory, streams) == last
    assert asked == [(GAMMA, 10)] and streams[TABLE_AT] == GAMMA


@pytest.mark.parametrize("players", [2, 3, 5])
def test_hands_go_round(players: int) -> None:
    memory = np.arange(10)
    plain(effects.pass_round)(2, TO_THE_LEFT, players, memory)
    hands = list(range(2, 2 + players))
    assert memory.tolist() == [0, 1, hands[-1], *hands[:-1], *range(2 + players, 10)]
    plain(effects.pass_round)(2, 1 - TO_THE_LEFT, players, memory)
    assert memory.tolist() == list(range(10))
    plain(effects.exchange)(3, 0, 4, memory)
    assert memory.tolist() == [0, 1, 2, 7, 4, 5, 6, 3, 8, 9]
