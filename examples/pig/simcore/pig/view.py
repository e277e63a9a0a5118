"""What a player of Pig sees and is asked, and where memory, rules and rows have what."""

from typing import NamedTuple

from herdlab.simcore.asking import asker
from herdlab.simcore.pig import PIG
from herdlab.simcore.pig.rules import MAX_PLAYERS
from herdlab.simcore.table import MEMORY_START, event_places
from herdlab.simcore.window import Places, laid_out

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


STATE = Places(MEMORY_START, banks=MAX_PLAYERS)  # by seat: points banked
SEEN, VIEW = laid_out("PigView", View, STATE.end)
MEMORY_SIZE = SEEN.end
BOOK = Places(0, "goal", "max_turns", "one_takes_all")
"""The rules as the loop reads them."""

DICE_AT = MAX_PLAYERS
"""The seats' dice come after the streams of their own choices."""
STREAMS = DICE_AT + MAX_PLAYERS

BY_SEAT, BY_GAME = event_places(PIG)
ROW_WINNERS, ROW_TURNS, ROW_SCORES = range(3)
"""A game's row: bit mask of winners, turns, scores, then the events seat by seat and by game."""
LOG_COLUMNS = 5 + MAX_PLAYERS
"""A log row: happening, turn, seat, face, points at stake, points banked by seat."""

CHOOSE, ask = asker(VIEW)
