"""A table of Pig: what a batch needs to set it up."""

import numpy as np
import numpy.typing as npt

from herdlab.simcore.pig.engine import play_games
from herdlab.simcore.pig.rules import PigRules
from herdlab.simcore.pig.view import BOOK, CHOOSE, LOG_COLUMNS, MEMORY_SIZE, STREAMS
from herdlab.simcore.table import aligned_zeros

__all__ = ["CHOOSE", "LOG_COLUMNS", "MOVES_SIZE", "STREAMS", "play_games"]

MOVES_SIZE = 0
"""Pig tabulates no choices."""


def make_book(rules: PigRules, players: int, start: None) -> npt.NDArray[np.int64]:
    """Return the rules as the loop reads them; every game starts from the beginning."""
    book = np.zeros(BOOK.end, dtype=np.int64)
    book[BOOK.goal], book[BOOK.max_turns] = rules.goal, rules.max_turns
    book[BOOK.one_takes_all] = rules.one_takes == "all"
    return book


def new_memory(rules: PigRules, players: int) -> npt.NDArray[np.int64]:
    """Return a thread's working memory."""
    return aligned_zeros(MEMORY_SIZE, np.int64)
