"""Hands of SWAP! as packed words: so many bits for the count of each card.

Each colour has 14 bits: five for plain cards, three each for SLAP, SWITCH COLOR and SUPER SWAP.
The SWAPs are counted above the four colours.
"""

import numpy as np

from herdlab.simcore._jit import helper, inlined
from herdlab.simcore.swap.rules import COLOURED_KINDS, COLOURS, N_CARDS, SWAP_CARD

COLOUR_BITS = 14
SWAP_SHIFT = COLOUR_BITS * len(COLOURS)
KIND_SHIFT = (0, 5, 8, 11)
KIND_MASK = (31, 7, 7, 7)
_N_COLOURS = len(COLOURS)

SHIFT = np.array(
    [COLOUR_BITS * (card // 4) + KIND_SHIFT[card % 4] for card in range(SWAP_CARD)] + [SWAP_SHIFT]
)
MASK = np.array([KIND_MASK[card % 4] for card in range(SWAP_CARD)] + [127])
CARD_WORD = np.array([1 << int(SHIFT[card]) for card in range(N_CARDS)], dtype=np.int64)
"""What a card adds to a hand."""
_PLAIN, _SLAP, _SWITCH, _SUPER = (
    mask << shift for mask, shift in zip(KIND_MASK, KIND_SHIFT, strict=True)
)


@helper
def count_of(hand: int, card: int) -> int:
    """Return how many of `card` (4 * colour + kind, or SWAP_CARD) a hand has."""
    return (hand >> SHIFT[card]) & MASK[card]


@inlined
def cards_of_colour(hand: int, colour: int) -> int:
    """Return how many cards of `colour` a hand has."""
    field = hand >> (COLOUR_BITS * colour)
    return (field & 31) + ((field >> 5) & 7) + ((field >> 8) & 7) + ((field >> 11) & 7)


@inlined
def playable_kinds(hand: int, colour: int) -> int:
    """S4: return bit k for each kind k that can be played: of the colour in force, or a SWAP."""
    field = hand >> (COLOUR_BITS * colour)
    return (
        (field & _PLAIN != 0)
        | ((field & _SLAP != 0) << 1)
        | ((field & _SWITCH != 0) << 2)
        | ((field & _SUPER != 0) << 3)
        | ((hand >> SWAP_SHIFT != 0) << 4)
    )


@inlined
def nth_card(hand: int, n: int) -> int:
    """Return card number `n` of a hand, in the order of the deck."""
    for colour in range(_N_COLOURS):
        here = cards_of_colour(hand, colour)
        if n < here:
            for card in range(COLOURED_KINDS * colour, COLOURED_KINDS * colour + COLOURED_KINDS):
                n -= count_of(hand, card)
                if n < 0:
                    return card
        n -= here
    return SWAP_CARD
