"""What a player of Have You Herd? sees and is asked, and how a thread's memory is laid out."""

from typing import NamedTuple

from herdlab.simcore.herd.rules import MAX_PLAYERS
from herdlab.simcore.table import MEMORY_START, Ints, choose_type
from herdlab.simcore.window import Places, caller, laid_out, opener

TRADE, PARTNER, SKUNK_TO = 1, 2, 3

BEFORE, ROLL, AFTER = range(3)
PHASES = ("before", "roll", "after")

NOBODY = -1

LOST_TURN, TRADED, ROLLED, WOLF_ROLLED, SKUNKED, WON = range(1, 7)
HAPPENINGS = ("", "lost turn", "trade", "roll", "wolf roll", "skunk", "win")


class View(NamedTuple):
    """Everything on the table, counted from the player's own seat to the left."""

    herds: Ints
    """(seats, 6) herds[0] is the player's own, herds[k] that of the k-th to the left."""
    supply: Ints
    """(6) what is left of each animal."""
    legal: Ints
    """(seats) bit t of legal[0]: trade t can be made with the supply; of legal[k]: after a T,
    with the k-th player to the left.  A strategy that looks only at its own herd finds in legal[0]
    the trades that can be made at all."""
    prices: Ints
    """(6) how many of animal t - 1 trade t costs; a dog costs one rabbit and one sheep."""
    limits: Ints
    """(6) how many of each animal a player may own."""
    players: int
    turn: int
    """Turns finished so far."""
    phase: int
    """BEFORE, ROLL or AFTER."""
    t_in_force: int
    skunk: int
    """Who holds the skunk: 0 the player, k the k-th to the left, NOBODY."""
    trade: int
    """At PARTNER: the trade that was chosen."""
    happening: int
    """At OBSERVE: LOST_TURN, TRADED, ROLLED, WOLF_ROLLED or SKUNKED."""
    happened_to: int
    """At OBSERVE: whose turn it is, counted as above."""
    detail_1: int
    """At OBSERVE: the trade; the wolf die's face; who got the skunk, counted as above."""
    detail_2: int
    """At OBSERVE: the partner, counted as above, or NOBODY; the fox die's face."""


# The layout of a thread's memory and streams.
STATE = Places(
    MEMORY_START, herds=MAX_PLAYERS, next_roll=MAX_PLAYERS, moves=MAX_PLAYERS, counters=MAX_PLAYERS
)
SEEN, VIEW = laid_out(
    "HerdView",
    View,
    STATE.end,
    **dict.fromkeys(("supply", "prices", "limits"), (6,)),
    legal=(MAX_PLAYERS,),
    herds=(MAX_PLAYERS, 6),
)
MEMO_BITS = 11
MEMO = SEEN.end
"""Choices of strategies that look only at their own herd, found again by herd and legal trades."""
MEMORY_SIZE = MEMO + (1 << MEMO_BITS)
DICE_AT = MAX_PLAYERS
STREAMS = 2 * MAX_PLAYERS

LOG = Places(
    0,
    *("what", "turn", "seat", "detail_1", "detail_2", "supply", "skunk"),
    herds=MAX_PLAYERS,
)
"""The columns of a log: a happening, and the packed supply and herds after it."""
LOG_COLUMNS = LOG.end

view_at = opener(VIEW)
CHOOSE = choose_type(VIEW)
call_choose = caller(CHOOSE)
