"""What card games share: piles that are shuffled while they are drawn from, and places."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from herdlab.simcore._jit import inlined
from herdlab.simcore.errors import BadInput
from herdlab.simcore.rng import scale
from herdlab.simcore.table import Ints

PLACES = 15  # tells the compiler that a place is not negative


def unplaced(
    deck: Iterable[int], placed: Iterable[int], name: Callable[[int], str], clause: str
) -> list[int]:
    """Return the cards of the deck that a position does not place; refuse what the deck lacks."""
    left = Counter(deck)
    highest = max(left)
    for card in placed:
        if not 0 <= card <= highest:
            raise BadInput(f"there is no card {card}: cards are 0 to {highest} ({clause})")
        left[card] -= 1
        if left[card] < 0:
            raise BadInput(f"the position has too many of the {name(card)} ({clause})")
    return sorted(left.elements())


def write_cards(cards: Sequence[int], count: int, at: int, book: Ints) -> None:
    """Write into a game's book how many cards there are, at `count`, and from `at` on which."""
    book[count] = len(cards)
    book[at : at + len(cards)] = cards


@inlined
def left_of(place: int, k: int, players: int) -> int:
    """Return the place `k` to the left of `place`."""
    return (place + k if place + k < players else place + k - players) & PLACES


@inlined
def take(pile: int, n: int, bits: np.uint64, memory: Ints) -> int:
    """Take a card from the `n` cards that begin at `pile`: any of them may be on top.

    The last one takes its place, so that what is left lies together.
    """
    at = pile + scale(bits, n)
    card = memory[at]
    memory[at] = memory[pile + n - 1]
    return card


@inlined
def copy_words(n: int, source: Ints, begin: int, memory: Ints, at: int) -> None:
    """Copy `n` numbers, from `begin` in `source` on, into memory from `at` on."""
    for word in range(n):
        memory[at + word] = source[begin + word]
