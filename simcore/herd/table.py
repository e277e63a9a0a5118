"""A table of Have You Herd?: what a batch needs to set it up, from any position."""

import numpy as np
import numpy.typing as npt

from herdlab.simcore.errors import BadInput
from herdlab.simcore.herd import view
from herdlab.simcore.herd.asking import tabulate
from herdlab.simcore.herd.engine import play_games
from herdlab.simcore.herd.position import Position, check_position, deal, supply_of
from herdlab.simcore.herd.rule_tables import HERD_BITS, pack, pack_supply, write_book
from herdlab.simcore.herd.rules import ANIMALS, HerdRules
from herdlab.simcore.herd.view import CHOOSE, LOG_COLUMNS, SEEN, STREAMS
from herdlab.simcore.table import aligned_zeros

__all__ = ["CHOOSE", "LOG_COLUMNS", "STREAMS", "play_games", "tabulate"]

MOVES_SIZE = 1 << HERD_BITS


def make_book(rules: HerdRules, players: int, start: Position | None) -> npt.NDArray[np.int64]:
    """Return the rules and the position to start from (default: the deal) for the loop."""
    if start is None:
        start = deal(rules, players)
    elif len(start.herds) != players:
        raise BadInput(f"the position has {len(start.herds)} herds for {players} players")
    check_position(rules, start)
    skunk = view.NOBODY if start.skunk is None else start.skunk
    words = [
        start.seat,
        view.PHASES.index(start.phase),
        int(start.t_in_force),
        start.turn,
        skunk,
        pack_supply(supply_of(rules, start.herds)),
        *(pack(herd) for herd in start.herds),
    ]
    return write_book(rules, words)


def new_memory(rules: HerdRules, players: int) -> npt.NDArray[np.int64]:
    """Return a thread's working memory, with the parts of the view that never change."""
    memory = aligned_zeros(view.MEMORY_SIZE, np.int64)
    memory[SEEN.prices : SEEN.prices + len(ANIMALS)] = [max(price) for price in rules.prices]
    memory[SEEN.limits : SEEN.limits + len(ANIMALS)] = rules.limits
    return memory
