"""What a player of SWAP! sees and is asked; where memory, rules and rows have what."""

from typing import NamedTuple

from herdlab.simcore.asking import asker
from herdlab.simcore.swap import SWAP
from herdlab.simcore.swap.rules import KINDS, MAX_PLAYERS, MOST_DECK
from herdlab.simcore.table import MEMORY_START, Ints, event_places
from herdlab.simcore.window import Places, laid_out

PLAY, PARTNER, COLOUR, DIRECTION = range(1, 5)
TO_THE_LEFT, TO_THE_RIGHT = range(2)

NONE = -1

DEALT, NAMED, PLAYED, DREW, PASSED, RESHUFFLED, FALSE_SLAP, SLAPPED, EMPTIED = range(1, 10)
SWAPPED, SUPER_SWAPPED, WON, DRAWN_GAME = range(10, 14)
HAPPENINGS = (
    *("", "deal", "colour", "play", "draw", "pass", "reshuffle", "false slap", "slap", "emptied"),
    *("swap", "super swap", "win", "drawn game"),
)


class View(NamedTuple):
    """What a player can know.

    Places go round the table; the k-th to the left of place p is place (p + k) % players.  Without
    `swap_seats` everybody stays in the place of his number.
    """

    hand: int
    """His cards, counted in a number: see `strategies.swap.card_sense`."""
    cards: Ints
    """(12) how many cards lie at each place."""
    who: Ints
    """(12) which player sits at each place."""
    place: int
    """His own place."""
    players: int
    playable: int
    """At PLAY: bit k: he can play a card of kind k (PLAIN, SLAP, SWITCH, SUPER, SWAP_KIND)."""
    colour: int
    """The colour in force, NONE before the dealer has named one."""
    barred: int
    """At COLOUR: the colour that he must not name, or NONE."""
    top: int
    """The top card of the discard pile."""
    pile: int
    """Cards in the draw pile."""
    discards: int
    turn: int
    """Turns finished so far."""
    happening: int
    """At OBSERVE: DEALT, NAMED, PLAYED, DREW, PASSED, RESHUFFLED, FALSE_SLAP, SLAPPED, EMPTIED,
    SWAPPED or SUPER_SWAPPED."""
    happened_to: int
    """At OBSERVE: the player whose deed it was."""
    detail_1: int
    """At OBSERVE: the colour, the card played, who slapped last, the partner, the direction."""
    detail_2: int
    """At OBSERVE of a slap: the card taken, if he gave or took it, else NONE."""
    given: int
    """At OBSERVE of a swap or super swap: the hand that he has just given away, else 0."""


ROOM = 12
"""Words for one number a player: MAX_PLAYERS and two to spare."""
CARDS = MOST_DECK
assert MAX_PLAYERS < ROOM

STATE = Places(
    MEMORY_START,
    hands=ROOM,  # by place
    drawn=1,
    reshuffles=1,
    n_loose=1,
    fixed_at=1,
    loose=CARDS,  # the shuffled part of the draw pile: any of its cards may come next
    fixed=CARDS,  # its part in a fixed order, which comes after that
    discards=CARDS,
    taken=ROOM,  # by player: SLAPs at which he was last
    played=len(KINDS),  # cards of each kind
)
SEEN, VIEW = laid_out("SwapView", View, STATE.end, cards=(ROOM,), who=(ROOM,))
MEMORY_SIZE = SEEN.end

DEAL_AT, AHEAD_AT, TABLE_AT = range(MAX_PLAYERS, MAX_PLAYERS + 3)
"""Streams; the second has the deal's next number, worked out ahead of time for nobody to wait."""
STREAMS = TABLE_AT + 1

BOOK = Places(  # the rules and the position to start from, as the loop reads them
    0,
    *("deck_size", "hand_size", "plays_on", "max_turns", "swap_seats", "next_by_player"),
    "false_slaps",  # the rate in 2**-32
    "all_weights",
    *("has_start", "start_place", "start_turn", "start_colour"),
    *("n_loose", "n_fixed", "n_discards"),
    weights=ROOM,  # by player: how likely he is to be the last to slap, in parts of all_weights
    start_hands=ROOM,
    start_who=ROOM,
    deck=CARDS,
    start_loose=CARDS,  # the piles in the order that they have in memory
    start_fixed=CARDS,
    start_discards=CARDS,
)

BY_SEAT, BY_GAME = event_places(SWAP)
ROW_WINNERS, ROW_TURNS, ROW_EVENTS = range(3)
"""Columns of a game's row: bit mask of winners, turns, then the events seat by seat and by game."""
LOG_COLUMNS = 8 + 2 * ROOM
"""A log row: happening, turn, player, two details, colour, pile, discards, hands, who sits."""

CHOOSE, ask = asker(VIEW)
