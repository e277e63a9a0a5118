"""What card games share: piles that are shuffled while they are drawn from, and places."""

import numpy as np

from simcore._jit import inlined
from simcore.rng import scale
from simcore.table import Ints

PLACES = 15  # tells the compiler that a place is not negative


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
