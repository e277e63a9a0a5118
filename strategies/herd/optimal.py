"""Perfect play of the solo game as strategies: the fastest, and the best in a race.

Both look up their own herd in tables that the solver made (strategies/herd/solved.py).  They know
nothing of other players but a T's offers, the skunk and, the racer, how fast the rivals are.
"""

from functools import cache

import numpy as np
import numpy.typing as npt

from herdlab.simcore._jit import inner
from herdlab.simcore.errors import BadInput
from herdlab.simcore.herd.finishing import unbeaten
from herdlab.simcore.herd.lattice import ROLLED_ONLY, SOLD
from herdlab.simcore.herd.rules import (
    ANIMALS,
    DOG,
    MAX_PLAYERS,
    NO_TRADE,
    TO_DOG,
    TRADES,
    HerdRules,
)
from herdlab.simcore.herd.view import AFTER, BEFORE, PARTNER, TRADE, View
from herdlab.simcore.rules import Rules
from herdlab.simcore.table import Me
from herdlab.strategies import another, choice, strategy
from herdlab.strategies.herd import solved
from herdlab.strategies.herd.table_sense import can_trade, leader, richest_partner
from herdlab.strategies.registry import edition
from herdlab.strategies.strategy import Values

# The tables begin with numbers, then have the turns to come of each herd, about to roll and about
# to trade; those of the racer go on with its moves.
STRIDES, STEPS = 0, len(ANIMALS)
SIZE = STEPS + len(TRADES)
SELLS_DOGS, HORIZONS = SIZE + 1, SIZE + 2
"""For 1, 2 and 3 rivals, for how many turns there are moves."""
ROLLING = HORIZONS + MAX_PLAYERS - 1

_NOTEWORTHY = 1e-9
"""What is faster by less is taken for equal, whatever the last digits are."""
_MOVE_BITS = 7


@inner
def number_of(view: View, table: npt.NDArray[np.float64]) -> int:
    """Return the number of the player's herd in the solver's tables."""
    number = 0
    for animal in range(DOG + 1):
        number += view.herds[0, animal] * np.int64(table[STRIDES + animal])
    return number


@inner
def fastest_trade(view: View, table: npt.NDArray[np.float64]) -> int:
    """Return the trade after which a complete herd is nearest, no trade before any."""
    size = np.int64(table[SIZE])
    at = number_of(view, table) + ROLLING + (0 if view.phase == BEFORE else size)
    least, best = table[at], NO_TRADE
    for trade in range(NO_TRADE + 1, TO_DOG + 1):
        if can_trade(view, trade) and (trade != TO_DOG or table[SELLS_DOGS] == 1):
            turns = table[at + np.int64(table[STEPS + trade])]
            if turns < least - _NOTEWORTHY:
                least, best = turns, trade
    return best


@cache
def _table(rules: HerdRules, dogs: str) -> npt.NDArray[np.float64]:
    """Return the fastest play for compiled code."""
    fastest = solved.optimum(rules, dogs)
    lattice = fastest.lattice
    numbers = [*lattice.strides, *lattice.steps, lattice.size, dogs == SOLD]
    horizons = [0] * (MAX_PLAYERS - 1)
    return np.concatenate([numbers, horizons, fastest.rolling, fastest.before])


def _fastest(rules: Rules, values: Values) -> npt.NDArray[np.float64]:
    assert isinstance(rules, HerdRules)
    return _table(rules, values["dogs"])


@strategy(
    "herd",
    "optimal",
    deterministic=True,
    make_data=_fastest,
    dogs=choice(SOLD, (SOLD, ROLLED_ONLY), "buys dogs when it is faster, or never does"),
)
def optimal(decision: int, view: View, me: Me) -> int:
    """Trades as the exact solution of the solo game says: the fewest turns on average."""
    if decision == TRADE:
        return fastest_trade(view, me.data.view(np.float64))
    if decision == PARTNER:
        return richest_partner(view)
    return leader(view)


@cache
def _race(rules: HerdRules, rival: str, edition: int) -> npt.NDArray[np.uint8]:
    """Return the fastest play, and the best moves against 1, 2 and 3 rivals, turn by turn.

    In another edition of the registry the rival may be another one under the same name.
    """
    alone = solved.solo(rules, rival.replace("/", ":"))
    if alone.mean is None:
        raise BadInput(f"strategy 'racer' needs a rival who finishes: '{rival}' {alone.sentence}")
    pace = alone.distribution
    table = _table(rules, SOLD).copy()
    parts = []
    for rivals in range(1, MAX_PLAYERS):
        seats = [unbeaten([pace] * rivals, seat) for seat in range(rivals + 1)]
        moves = solved.moves_against(rules, np.mean(seats, axis=0))
        table[HORIZONS + rivals - 1] = len(moves)
        parts.append(moves.ravel())
    return np.concatenate([table.view(np.uint8), *parts])


def _best_in_race(rules: Rules, values: Values) -> npt.NDArray[np.uint8]:
    assert isinstance(rules, HerdRules)
    return _race(rules, values["rival"], edition())


@strategy(
    "herd",
    "racer",
    deterministic=True,
    make_data=_best_in_race,
    rival=another("keeper", "whom it means to beat; all others are taken for such"),
)
def racer(decision: int, view: View, me: Me) -> int:
    """Trades so that it has the best chance of finishing before rivals of a known pace."""
    if decision == PARTNER:
        return richest_partner(view)
    if decision != TRADE:
        return leader(view)
    size = np.int64(me.data[8 * SIZE : 8 * SIZE + 8].view(np.float64)[0])
    end = 8 * (ROLLING + 2 * size)
    table = me.data[:end].view(np.float64)
    rivals, turn = max(1, view.players - 1), view.turn // view.players
    if view.t_in_force == 0 and turn < table[HORIZONS + rivals - 1]:
        place = end + turn * size
        for fewer in range(1, rivals):
            place += np.int64(table[HORIZONS + fewer - 1]) * size
        move = np.int64(me.data[place + number_of(view, table)])
        trade = (move >> 3 if view.phase == AFTER else move) & _MOVE_BITS
        if trade == NO_TRADE or can_trade(view, trade):
            return trade
    return fastest_trade(view, table)
