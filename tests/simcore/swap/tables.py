"""Ways of playing SWAP! that the clause tests share."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.simcore.swap.rules import SwapRules
from herdlab.simcore.swap.table import Position
from herdlab.strategies.plugins import Origin
from herdlab.strategies.registry import seat_players
from herdlab.strategies.strategy import Strategy
from tests.simcore.swap.harness import SWAP, Line, log_lines, play

ONE_EACH: dict[str, Any] = {
    "plain": 1,
    "slap": 0,
    "switch": 0,
    "super_swap": 0,
    "swap_cards": 0,
    "cards": 1,
}
"""A deck of four cards: a plain one of each colour."""


def seated(line_up: str, start: Position | None = None, seed: int = 1, **settings: Any) -> Bout:
    """Return a bout of registered strategies."""
    rules = SwapRules.from_settings(settings)
    return Bout(SWAP, rules, seat_players(SWAP, rules, line_up), stream_seeds(seed), start)


def lines_of(bout: Bout, number: int = 0) -> list[Line]:
    """Return all that happened in one game."""
    return log_lines(bout.logged(number)[1], len(bout.players))


def games(line_up: str, n: int, seed: int = 1, **settings: Any) -> list[list[Line]]:
    """Return all that happened in `n` games."""
    bout = seated(line_up, seed=seed, **settings)
    return [lines_of(bout, number) for number in range(n)]


def kinds(lines: Sequence[Line]) -> list[str]:
    """Return what happened, one word a line, without the deal and the end by S12."""
    return [line.what for line in lines if line.what not in ("deal", "drawn game")]


def column(rows: np.ndarray, bout: Bout, name: str) -> np.ndarray:
    """Return one column of a bout's rows."""
    found: np.ndarray = rows[:, bout.columns.index(name)].astype(np.int64)
    return found


def refused(*hands: str, answer: int, decision: str, seat: int = 0, **options: Any) -> None:
    """Check that an answer is no legal one, and that the message says whose it was and where."""
    wanted = (
        rf"^strategy 'test-scripted' in seat {seat} answered {answer}, which is not a legal "
        rf"choice, at the decision '{decision}' in game 0 with seed 7$"
    )
    with pytest.raises(BadInput, match=wanted):
        play(*hands, seed=7, **options)


def made(function: Any, **options: Any) -> Strategy:
    """Return a strategy that is not registered."""
    values = {
        "game": "swap",
        "name": "under-test",
        "words": "Tests.",
        "function": function,
        "parameters": {},
        "own_only": lambda values: False,
        "deterministic": lambda values: False,
        "observes": False,
        "notebook": 0,
        "make_data": None,
        "check": None,
        "origin": Origin("a test", "a test"),
    }
    return Strategy(**(values | options))
