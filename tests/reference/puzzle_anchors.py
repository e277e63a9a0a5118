"""The anchor strategies of rules/puzzle.md, for the reference game."""

from __future__ import annotations

from collections.abc import Callable

from .puzzle import directions
from .puzzle_table import PIECES, Chooser, Counts, ForcedPass, Look, Offer, Word

ALL_OWN = (PIECES, 0, 0, 0)  # keeps its own puzzle: anything else goes, at random


def any_pass(look: Look) -> ForcedPass:
    """Return a forced pass in any direction that is allowed, all as likely."""
    allowed = directions(len(look.sizes))
    return ForcedPass(allowed[look.below(len(allowed))])


class Trader:
    """Trader-k: offers k spare pieces honestly, and answers all it can."""

    def __init__(self, k: int = 2) -> None:
        self.k = k

    def spare(self, look: Look) -> int:
        """Return how many pieces it would trade away: those of other puzzles than its own."""
        return sum(look.pieces[1:])

    def word(self, look: Look) -> Word:
        """Offer what it can, up to k pieces, or stay silent with nothing to spare."""
        offered = min(self.k, self.spare(look), look.rules.largest_offer)
        return Offer(offered, offered) if offered else None

    def answer(self, look: Look) -> str:
        """Answer every offer for which it has enough spare pieces."""
        return "trade" if self.spare(look) >= look.said else "no"

    def keep(self, look: Look) -> Counts:
        """Keep all its own pieces."""
        return ALL_OWN


class Caller(Trader):
    """As trader-2, but calls a pass whenever it may."""

    def word(self, look: Look) -> Word:
        """Call a pass, also with nothing to spare, or else do as trader-2."""
        return any_pass(look) if look.may_call else super().word(look)


class Nagger(Trader):
    """As trader-2, but calls one pass whenever it gets the word afresh."""

    def word(self, look: Look) -> Word:
        """Call a pass unless the word is kept, or else do as trader-2."""
        return any_pass(look) if look.may_call and not look.kept else super().word(look)


class Bluffer(Trader):
    """As trader-2, but commits one piece and says "two"."""

    def word(self, look: Look) -> Word:
        """Bluff with one spare piece or more."""
        if self.spare(look) == 0:
            return None
        return Offer(min(2, look.rules.largest_offer), 1)


class Sceptic(Trader):
    """As trader-2, but calls the bluff of every offer of two or more."""

    def answer(self, look: Look) -> str:
        """Call every bluff it may call."""
        may_be_called = look.rules.advanced and look.said > 1
        return "call" if may_be_called else super().answer(look)


class Hostage(Trader):
    """As trader-2, but keeps one piece of every other puzzle while its own is far from done."""

    def holds_on(self, look: Look) -> bool:
        """Say whether it needs more pieces than there are other players."""
        return PIECES - look.pieces[0] > len(look.sizes) - 1

    def spare(self, look: Look) -> int:
        """Count no last pieces while it holds on to them."""
        if not self.holds_on(look):
            return super().spare(look)
        return sum(max(0, count - 1) for count in look.pieces[1:])

    def keep(self, look: Look) -> Counts:
        """Keep its last pieces too in a trade; what it must pass or pay is no trade."""
        if look.question in ("commit", "give") and self.holds_on(look):
            return (PIECES, 1, 1, 1)
        return ALL_OWN


ANCHORS: dict[str, Callable[[], Chooser]] = {
    "trader-1": lambda: Trader(1),
    "trader-2": lambda: Trader(2),
    "trader-3": lambda: Trader(3),
    "trader-4": lambda: Trader(4),
    "caller": Caller,
    "nagger": Nagger,
    "bluffer": Bluffer,
    "sceptic": Sceptic,
    "hostage": Hostage,
}
