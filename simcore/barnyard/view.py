"""What a player of Barnyard Swap sees and is asked; where memory, rules and rows have what."""

from typing import NamedTuple

from herdlab.simcore.asking import asker
from herdlab.simcore.barnyard import BARNYARD
from herdlab.simcore.barnyard.rules import MAX_PLAYERS
from herdlab.simcore.table import MEMORY_START, Ints, event_places
from herdlab.simcore.window import Places, laid_out

PLAN, ASK, BID, BID_TWICE, ACCEPT, HAND_OVER, DISCARD, CLAIM, COLLECT = range(1, 10)

NONE = -1
"""No card, nobody; at ACCEPT: no offer."""
OFFER_PLACE = 64
"""ACCEPT is answered with OFFER_PLACE * (places to the left) + the kind accepted."""
AS_NAMED, PASS_DONKEY, PASS_WATCHDOG = range(3)
"""The answers to HAND_OVER."""
PLAN_ASK = 50
"""PLAN is answered with a bit for each kind to bid on, and the kind to ask on << PLAN_ASK."""

DEALT, ASKED, OFFERED, TRADED, DREW, DISCARDED = range(1, 7)
DECLINED, FULL_HAND, STALLED, SCORED, WON = range(7, 12)
HAPPENINGS = (
    *("", "deal", "ask", "bid", "trade", "draw", "discard"),
    *("no claim", "full hand", "stall", "score", "win"),
)
NATURAL, CLAIMED = 1, 2
"""How a full hand was shown."""
PART_BITS = 8
"""The log of a score has first, run and runaway + 10 in so many bits each."""


class View(NamedTuple):
    """What a player can know.  Players are named by their seats; he himself sits in `seat`."""

    hand: int
    """Bit k: he holds a card of kind k (10 * animal + number - 1).  From bit 50 on the number of
    his Donkeys, from bit 53 on of his Watchdogs: see `strategies.barnyard.card_sense`."""
    twice: int
    """Bit k: he holds a second card of kind k (two packs)."""
    seat: int
    players: int
    swapper: int
    asked: int
    """The kind that the swapper asks on, or NONE."""
    bidders: int
    """Bit j: the j-th player to the swapper's left has offered something."""
    offers: Ints
    """(16) offers[j]: the kinds that the j-th player to the swapper's left offers, as bits."""
    offers_twice: Ints
    """(16) of these, the kinds of which he offers two cards."""
    named: int
    """At HAND_OVER: the kind that he has named and owes."""
    drawn: int
    """At DISCARD: the card that he has drawn (DONKEY and WATCHDOG come after the 50 kinds)."""
    barnyard: int
    """Cards left in the barnyard."""
    pile: int
    """Cards discarded."""
    session: int
    turn: int
    """Turns finished in this session."""
    totals: Ints
    """(16) the match totals by seat."""
    hand_size: int
    max_rounds: int
    sessions: int
    """Sessions of the match; 0 in a match to a target."""
    target: int
    donkeys: int
    """Donkeys in the deck."""
    discard_wild: int
    happening: int
    """At OBSERVE: DEALT, ASKED, OFFERED, TRADED or DREW."""
    happened_to: int
    """At OBSERVE: whose deed it was."""
    detail_1: int
    """At OBSERVE: the kind asked on; the kinds offered; the bidder whose offer was accepted."""
    detail_2: int
    """At OBSERVE: the kinds offered twice; the kind accepted."""
    given: int
    """At OBSERVE of a trade of his own: the card that he really gave, else NONE."""
    received: int
    """At OBSERVE of a trade of his own: the card that he really got, else NONE."""


ROOM = 16
"""Words for one number a player: MAX_PLAYERS and two to spare."""
CARDS = 112
"""Words for a pile of cards: 106 and some to spare."""
assert MAX_PLAYERS < ROOM

STATE = Places(
    MEMORY_START,
    hands=ROOM,  # by seat: two words each, see `simcore.barnyard.cards`
    twice=ROOM,
    plans=ROOM,
    collected=ROOM,  # at the end of a session: the animal that each player collects
    loose=CARDS,  # the shuffled part of the barnyard: any of its cards may come next
    fixed=CARDS,  # its part in a fixed order, which comes after that
    pile=CARDS,
)
SEEN, VIEW = laid_out(
    "BarnyardView", View, STATE.end, offers=(ROOM,), offers_twice=(ROOM,), totals=(ROOM,)
)
BLANK = SEEN.end
"""A second view with nothing in it but the rules and, at PLAN, the player's own hand."""
MEMORY_SIZE = BLANK + BLANK - SEEN.begin

DEAL_AT = MAX_PLAYERS
STREAMS = MAX_PLAYERS + 1

BOOK = Places(  # the rules and the position to start from, as the loop reads them
    0,
    *("hand_size", "deck_size", "redraw", "discard_wild", "recycle", "max_rounds", "declared"),
    *("sessions", "target", "match_scale"),
    *("has_start", "start_session", "start_turn", "start_runaway"),
    *("n_loose", "n_fixed", "n_pile"),
    start_totals=ROOM,
    start_hands=ROOM,  # hands and piles in the order that they have in memory
    start_twice=ROOM,
    deck=CARDS,
    start_loose=CARDS,
    start_fixed=CARDS,
    start_pile=CARDS,
)
RECYCLE = ("shuffled", "turned", "as_is")
SHUFFLED, TURNED, AS_IS = range(3)

BY_SEAT, BY_GAME = event_places(BARNYARD)
ROW_WINNERS, ROW_ROUNDS, ROW_SESSIONS, ROW_SCORES = range(4)
"""Columns of a match's row: bit mask of winners, rounds, sessions, totals by seat, then events."""
LOG_COLUMNS = 10 + 2 * ROOM
"""A log row: happening, session, turn, seat, four details, barnyard, pile, hands, second cards."""

CHOOSE, ask = asker(VIEW)
