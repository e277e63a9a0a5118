"""What a player of Pig sees and is asked, and how a thread's memory is laid out."""

from typing import NamedTuple

from herdlab.simcore.pig.rules import MAX_PLAYERS
from herdlab.simcore.table import MEMORY_START, choose_type
from herdlab.simcore.window import Field, Window, caller, opener

ROLL_ON = 1
"""The one decision; 0 is always the observe hook, which Pig does not call."""
BANK, ROLL = range(2)
"""Its answers."""

SCORED, LOST, BANKED = range(3)
HAPPENINGS = ("roll", "lose", "bank")


class View(NamedTuple):
    """What a player can know."""

    at_stake: int
    """Points of this turn, not yet banked."""
    mine: int
    """Points that the player has banked."""
    best: int
    """Points of the best other player; 0 alone."""
    goal: int
    turn: int
    """Turns finished so far."""


BANKS = MEMORY_START
"""By seat: points banked."""
SEEN = BANKS + MAX_PLAYERS
"""Here the view begins."""
SEEN_AT_STAKE, SEEN_MINE, SEEN_BEST, SEEN_GOAL, SEEN_TURN = range(SEEN, SEEN + len(View._fields))
MEMORY_SIZE = SEEN + len(View._fields)

DICE_AT = MAX_PLAYERS
"""The seats' dice come after the streams of their own choices."""
STREAMS = DICE_AT + MAX_PLAYERS

LOG_COLUMNS = 6
"""A log row: happening, turn, seat, face, points at stake, points banked."""

VIEW = Window("PigView", tuple(Field(name, place) for place, name in enumerate(View._fields)))
view_at = opener(VIEW)
CHOOSE = choose_type(VIEW)
call_choose = caller(CHOOSE)
