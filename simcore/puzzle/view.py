"""What a player of the puzzle games sees and is asked, and how a thread's memory is laid out."""

from typing import NamedTuple

from herdlab.simcore.puzzle.rules import MAX_PLAYERS
from herdlab.simcore.table import MEMORY_START, Ints, choose_type
from herdlab.simcore.window import Field, Window, caller, opener

WORD, COMMIT, ANSWER, GIVE, PASS, PAY = range(1, 7)

NONE = -1

SILENT, PASS_LEFT, PASS_RIGHT, PASS_ACROSS = range(4)
"""Answers to WORD; an offer is OFFER * (the number said) + the number committed."""
OFFER = 8

NO, TRADE, CALL_BLUFF = range(3)
"""Answers to ANSWER."""

KEEP_BITS = 8
"""COMMIT, GIVE, PASS and PAY are answered with the pieces that he would rather keep: their number
for each puzzle in so many bits, his own puzzle lowest.  What he holds beyond these can go, each
piece as likely; only when none of it is left do the others go."""

DEALT, SILENCE, OFFERED, LAPSED, TRADED, BLUFF_CALLED, PASSED, WON, STALLED = range(1, 10)
HAPPENINGS = (
    "",
    "deal",
    "silent",
    "offer",
    "lapse",
    "trade",
    "bluff called",
    "pass",
    "win",
    "stall",
)


class View(NamedTuple):
    """What a player can know.  Players are named by their seats; he himself sits in `seat`."""

    own: int
    """How many pieces of his own puzzle he holds."""
    spare: int
    """How many pieces of other puzzles."""
    kinds: int
    """Of how many other puzzles he holds a piece."""
    pieces: Ints
    """(4) how many pieces of each puzzle he holds, his own first; the others are always in the
    same order.  A strategy that promises to look only at its own sees but the three numbers before
    this, the rules and, at ANSWER, the number said."""
    seat: int
    players: int
    advanced: int
    """1 in the advanced game."""
    largest_offer: int
    speaker: int
    """Who has the word."""
    is_kept: int
    """At WORD: 1 if he has the word again because he has called a pass."""
    may_call: int
    """At WORD: 1 if he may call a pass."""
    said: int
    """From an offer until it is known what came of it: the number that the speaker has said."""
    number: int
    """At COMMIT, GIVE, PASS and PAY: how many pieces he must part with (0 in plans)."""
    receiver: int
    """At GIVE, PASS and PAY: who gets them, else NONE (at COMMIT nobody knows yet)."""
    beat: int
    """Beats finished so far."""
    held: Ints
    """(4) how many pieces each player holds."""
    called: Ints
    """(4) how many passes each player has called."""
    happening: int
    """At OBSERVE: DEALT, SILENCE, OFFERED, LAPSED, TRADED, BLUFF_CALLED or PASSED."""
    happened_to: int
    """At OBSERVE: who had the word (seat 0 at the deal)."""
    detail_1: int
    """At OBSERVE: who answered or called the bluff; the direction of a pass."""
    detail_2: int
    """At OBSERVE of an offer and what came of it: the number said."""
    detail_3: int
    """At OBSERVE of a trade or a called bluff: the number committed, as all have seen it."""
    gave: int
    """At OBSERVE: what he himself has just parted with, as KEEP_BITS for each puzzle."""
    got: int
    """At OBSERVE: what he himself has just got, likewise."""


ROOM = MAX_PLAYERS

HOLDINGS = MEMORY_START
"""By seat: what it holds of every puzzle, packed (see `simcore.puzzle.pieces`)."""
CARDS = HOLDINGS + ROOM
"""By seat: the puzzle that it wants."""
GIFTS = CARDS + ROOM
"""By seat: what it parts with in this beat, packed likewise."""
PLANS = GIFTS + ROOM
PLAN_SLOTS = 8
"""By seat: what a strategy that looks only at its own does with what it holds now."""
COUNTS = PLANS + ROOM * PLAN_SLOTS
"""By seat: what is counted in a game."""
N_COUNTS = 8
(
    COUNT_TRADES,
    COUNT_OFFERS,
    COUNT_PASSES,
    COUNT_BLUFFS,
    COUNT_RIGHT,
    COUNT_WRONG,
    GAINED_BY_BLUFFS,
    GAINED_BY_CALLS,
) = range(N_COUNTS)
ORDINARY = COUNTS + ROOM * N_COUNTS
"""By seat: what its offers lead to, as long as no plan changes: see `simcore.puzzle.ordinary`."""
ANSWERS = ORDINARY + ROOM
"""What everybody with a plan answers: for each number said a byte, with two bits for each seat."""
START, POINT = ANSWERS + 1, ANSWERS + 2
"""The first beat, and the next point of the curve of own pieces."""
ASKED = ANSWERS + 3
"""Bit s: seat s has no plan, and is asked in play."""
LAST_CALLER, CALLS_IN_A_ROW, IS_LOCKED, KEPT_WORD = range(ANSWERS + 4, ANSWERS + 8)
"""P7, P8, P7a: who called last, how often in a row, whether an offer has followed; who has the word
again."""
LAPSES, SILENCES = ANSWERS + 8, ANSWERS + 9
MOVED = ANSWERS + 10
"""Bit s: pieces of seat s have moved in this beat."""
IS_NEW = ANSWERS + 11
"""Whether a plan has changed since it was seen what is ordinary."""
LOGGED = ANSWERS + 12
"""How much has been logged."""
SEEN = ANSWERS + 13
"""Here the view begins."""
_NUMBERS = (
    "own",
    "spare",
    "kinds",
    "seat",
    "players",
    "advanced",
    "largest_offer",
    "speaker",
    "is_kept",
    "may_call",
    "said",
    "number",
    "receiver",
    "beat",
    "happening",
    "happened_to",
    "detail_1",
    "detail_2",
    "detail_3",
    "gave",
    "got",
)
(
    SEEN_OWN,
    SEEN_SPARE,
    SEEN_KINDS,
    SEEN_SEAT,
    SEEN_PLAYERS,
    SEEN_ADVANCED,
    SEEN_LARGEST_OFFER,
    SEEN_SPEAKER,
    SEEN_KEPT,
    SEEN_MAY_CALL,
    SEEN_SAID,
    SEEN_NUMBER,
    SEEN_RECEIVER,
    SEEN_BEAT,
    SEEN_HAPPENING,
    SEEN_HAPPENED_TO,
    SEEN_DETAIL_1,
    SEEN_DETAIL_2,
    SEEN_DETAIL_3,
    SEEN_GAVE,
    SEEN_GOT,
) = range(SEEN, SEEN + len(_NUMBERS))
SEEN_PIECES = SEEN + len(_NUMBERS)
SEEN_HELD = SEEN_PIECES + ROOM
SEEN_CALLED = SEEN_HELD + ROOM
MEMORY_SIZE = SEEN_CALLED + ROOM

DEAL_AT = MAX_PLAYERS
TABLE_AT = MAX_PLAYERS + 1
STREAMS = MAX_PLAYERS + 2

LOG_COLUMNS = 6 + 2 * ROOM
"""A log row: happening, beat, seat, three details, holdings, gifts.  The third detail of a deal has
the seats' puzzle cards, in CARD_BITS each."""
CARD_BITS = 4

VIEW = Window(
    "PuzzleView",
    (
        *(Field(name, place) for place, name in enumerate(_NUMBERS)),
        Field("pieces", SEEN_PIECES - SEEN, shape=(ROOM,)),
        Field("held", SEEN_HELD - SEEN, shape=(ROOM,)),
        Field("called", SEEN_CALLED - SEEN, shape=(ROOM,)),
    ),
)
view_at = opener(VIEW)
CHOOSE = choose_type(VIEW)
call_choose = caller(CHOOSE)
