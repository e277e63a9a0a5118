"""What a player of the puzzle games sees and is asked, and how a thread's memory is laid out."""

from typing import NamedTuple

from herdlab.simcore.asking import asker
from herdlab.simcore.puzzle import HORSE_TRADER
from herdlab.simcore.puzzle.rules import MAX_PLAYERS
from herdlab.simcore.table import MEMORY_START, Ints, event_places
from herdlab.simcore.window import Places, laid_out

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
_HAPPENINGS = "deal", "silent", "offer", "lapse", "trade", "bluff called", "pass", "win", "stall"
HAPPENINGS = ("", *_HAPPENINGS)


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

PLAN = Places(0, "word", "commit", "give", "forced", "id")
PLAN_SLOTS = 8
"""A seat's plan, see `simcore.puzzle.plans`; the next seat's begins so many words later."""
BY_SEAT, BY_GAME = event_places(HORSE_TRADER)
STATE = Places(
    MEMORY_START,
    "answers",  # of everybody with a plan: a byte for each number said, two bits for each seat
    *("start", "point"),  # the first beat, and the next point of the curve of own pieces
    "asked",  # bit s: seat s has no plan, and is asked in play
    "last_caller",  # P7, P8
    "calls_in_a_row",  # P7
    "is_locked",  # P8: whether an offer has followed
    "kept_word",  # P7a: who has the word again
    *("lapses", "silences"),
    "moved",  # bit s: pieces of seat s have moved in this beat
    "is_new",  # whether a plan has changed since it was seen what is ordinary
    holdings=ROOM,  # by seat: what it holds of every puzzle, packed (see `simcore.puzzle.pieces`)
    cards=ROOM,  # the puzzle that it wants
    gifts=ROOM,  # what it parts with in this beat, packed likewise
    plans=ROOM * PLAN_SLOTS,  # what a strategy that looks only at its own does with what it holds
    counts=ROOM * BY_SEAT.end,  # its events
    ordinary=ROOM,  # what its offers lead to while no plan changes (see `simcore.puzzle.ordinary`)
)
SEEN, VIEW = laid_out("PuzzleView", View, STATE.end, pieces=(ROOM,), held=(ROOM,), called=(ROOM,))
MEMORY_SIZE = SEEN.end

DEAL_AT, TABLE_AT = MAX_PLAYERS, MAX_PLAYERS + 1
STREAMS = MAX_PLAYERS + 2

LOG_COLUMNS = 6 + 2 * ROOM
"""A log row: happening, beat, seat, three details, holdings, gifts.  The third detail of a deal has
the seats' puzzle cards, in CARD_BITS each."""
CARD_BITS = 4

CHOOSE, put = asker(VIEW)
