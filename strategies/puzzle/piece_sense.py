"""What every player of a puzzle game can tell from his pieces; for strategies to build on."""

from herdlab.simcore._jit import helper, inlined
from herdlab.simcore.puzzle.rules import PIECES
from herdlab.simcore.puzzle.view import KEEP_BITS, OFFER, View
from herdlab.simcore.rng import Luck, below
from herdlab.strategies import number

PUZZLE_GAMES = ("horse-trader", "bronco")

UNTIL = number(
    -1,
    "lets its hostages go when it needs so many pieces or fewer; -1: as many as they are",
    low=-1,
    high=40,
)
_PARTS = 1 << 20


@inlined
def needs(view: View) -> int:
    """Return how many pieces his puzzle still lacks."""
    return PIECES - view.own


@inlined
def hostages_kept(view: View, hostages: float, until: float) -> int:
    """Return how many pieces of every other puzzle he keeps who lets them go at `until` needed.

    If that is negative: when he needs no more pieces than he has hostages.
    """
    if until < 0:
        until = hostages * (view.players - 1)
    return int(hostages) if needs(view) > until else 0


@inlined
def free_pieces(view: View, kept: int) -> int:
    """Return how many spare pieces there are beyond `kept` of each puzzle."""
    if kept <= 1:
        return view.spare - kept * view.kinds
    free = 0
    for place in range(1, view.players):
        free += max(0, view.pieces[place] - kept)
    return free


@inlined
def offers(said: int, committed: int) -> int:
    """Return the answer to WORD that offers: the number said, and the pieces committed."""
    return OFFER * said + committed


@inlined
def keeps(own: int, each_other: int) -> int:
    """Return the answer that keeps so many own pieces, and so many of every other puzzle."""
    others = 1 << KEEP_BITS | 1 << 2 * KEEP_BITS | 1 << 3 * KEEP_BITS
    return own + each_other * others


@inlined
def keeps_of(place: int, pieces: int) -> int:
    """Return the part of such an answer that keeps `pieces` of the puzzle at a place."""
    return pieces << KEEP_BITS * place


@helper
def chance(rate: float, luck: Luck) -> bool:
    """Whether something happens that happens at this rate; 0 and 1 draw no luck."""
    if rate <= 0:
        return False
    return rate >= 1 or below(luck, _PARTS) < rate * _PARTS
