"""What a player of Have You Herd? sees and is asked, and how a thread's memory is laid out."""

from typing import NamedTuple

from herdlab.simcore.herd.rules import MAX_PLAYERS
from herdlab.simcore.table import MEMORY_START, Ints, choose_type
from herdlab.simcore.window import Field, Window, caller, opener

TRADE, PARTNER, SKUNK_TO = 1, 2, 3

BEFORE, ROLL, AFTER = range(3)
PHASES = ("before", "roll", "after")

NOBODY = -1

LOST_TURN, TRADED, ROLLED, WOLF_ROLLED, SKUNKED, WON = range(1, 7)
HAPPENINGS = ("", "lost turn", "trade", "roll", "wolf roll", "skunk", "win")


class View(NamedTuple):
    """Everything on the table, counted from the player's own seat to the left."""

    herds: Ints
    """(seats, 6) herds[0] is his own, herds[k] that of the k-th player to his left."""
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
    """Who holds the skunk: 0 he himself, k the k-th to his left, NOBODY."""
    trade: int
    """At PARTNER: the trade he has chosen."""
    happening: int
    """At OBSERVE: LOST_TURN, TRADED, ROLLED, WOLF_ROLLED or SKUNKED."""
    happened_to: int
    """At OBSERVE: whose turn it is, counted as above."""
    detail_1: int
    """At OBSERVE: the trade; the wolf die's face; who got the skunk, counted as above."""
    detail_2: int
    """At OBSERVE: the partner, counted as above, or NOBODY; the fox die's face."""


# The layout of a thread's memory and streams.
HERDS = MEMORY_START
NEXT_ROLL = HERDS + MAX_PLAYERS
MOVES = NEXT_ROLL + MAX_PLAYERS
COUNTERS = MOVES + MAX_PLAYERS
SEEN = COUNTERS + MAX_PLAYERS
"""Here the view begins: ten numbers, then its arrays."""
(
    SEEN_PLAYERS,
    SEEN_TURN,
    SEEN_PHASE,
    SEEN_T,
    SEEN_SKUNK,
    SEEN_TRADE,
    SEEN_HAPPENING,
    SEEN_WHO,
    SEEN_DETAIL_1,
    SEEN_DETAIL_2,
) = range(SEEN, SEEN + 10)
SEEN_SUPPLY = SEEN + 10
SEEN_LEGAL = SEEN_SUPPLY + 6
SEEN_HERDS = SEEN_LEGAL + MAX_PLAYERS
SEEN_PRICES = SEEN_HERDS + 6 * MAX_PLAYERS
SEEN_LIMITS = SEEN_PRICES + 6
MEMO_BITS = 11
MEMO = SEEN_LIMITS + 6
"""Choices of strategies that look only at their own herd, found again by herd and legal trades."""
MEMORY_SIZE = MEMO + (1 << MEMO_BITS)
DICE_AT = MAX_PLAYERS
STREAMS = 2 * MAX_PLAYERS

LOG_COLUMNS = 7 + MAX_PLAYERS
"""A log row: happening, turn, seat, two details, supply, skunk's holder, the packed herds."""


VIEW = Window(
    "HerdView",
    (
        Field("herds", SEEN_HERDS - SEEN, shape=(MAX_PLAYERS, 6)),
        Field("supply", SEEN_SUPPLY - SEEN, shape=(6,)),
        Field("legal", SEEN_LEGAL - SEEN, shape=(MAX_PLAYERS,)),
        Field("prices", SEEN_PRICES - SEEN, shape=(6,)),
        Field("limits", SEEN_LIMITS - SEEN, shape=(6,)),
        Field("players", SEEN_PLAYERS - SEEN),
        Field("turn", SEEN_TURN - SEEN),
        Field("phase", SEEN_PHASE - SEEN),
        Field("t_in_force", SEEN_T - SEEN),
        Field("skunk", SEEN_SKUNK - SEEN),
        Field("trade", SEEN_TRADE - SEEN),
        Field("happening", SEEN_HAPPENING - SEEN),
        Field("happened_to", SEEN_WHO - SEEN),
        Field("detail_1", SEEN_DETAIL_1 - SEEN),
        Field("detail_2", SEEN_DETAIL_2 - SEEN),
    ),
)
view_at = opener(VIEW)
CHOOSE = choose_type(VIEW)
call_choose = caller(CHOOSE)
