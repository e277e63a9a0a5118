"""What every player of Barnyard Swap can tell from his hand and the offers; to build on.

A set of cards is a number with bit k for kind k = 10 * animal + number - 1, as in `view.hand`.
"""

import numpy as np
import numpy.typing as npt

from herdlab.simcore._jit import helper, inlined
from herdlab.simcore.barnyard.cards import ALL_KINDS, COUNT, FIELD, SUM, count_of, field_of
from herdlab.simcore.barnyard.rules import ANIMALS, COWS, GOATS, HORSES, NUMBERS, PIGS, SHEEP
from herdlab.simcore.barnyard.view import NONE, OFFER_PLACE, View
from herdlab.simcore.bits import highest, lowest, ones
from herdlab.simcore.rng import Luck, below

_N_ANIMALS = len(ANIMALS)
_TIE_BITS = 3
_TIES = (1 << _TIE_BITS) - 1
_HUNDRED = 100
A_POINT = _HUNDRED << _TIE_BITS


@inlined
def kinds_of(word: int) -> int:
    """Return the farm-animal cards of a hand, without the wild cards."""
    return word & ALL_KINDS


@inlined
def cards_of(animal: int) -> int:
    """Return all ten cards of an animal."""
    return FIELD << (NUMBERS * animal)


def worth_table(per_card: float) -> npt.NDArray[np.int32]:
    """Return what every set of numbers of an animal is worth, for `most_worth`.

    In hundredths of a point, with room in the low bits for the animal that wins a tie.
    """
    points = per_card * COUNT.astype(float) + SUM.astype(float)
    hundredths = np.round(_HUNDRED * points)
    return (hundredths * (1 << _TIE_BITS)).astype(np.int32)


@inlined
def _largest(a: int, b: int, c: int, d: int, e: int) -> int:
    """Return the largest of five, in pairs: neither a branch to miss nor a long chain."""
    one, other = max(a, b), max(c, d)
    return max(max(one, other), e)  # noqa: PLW3301 (one after another would be a chain)


@inlined
def worth_of(hand: int, twice: int, animal: int, worths: npt.NDArray[np.int32]) -> int:
    """Return what the cards of `animal` are worth by `worth_table`, the earlier animal a bit more.

    A point is `A_POINT`.
    """
    worth = np.int64(worths[field_of(hand, animal)]) + (_N_ANIMALS - animal)
    return worth + worths[field_of(twice, animal)] if twice else worth


@inlined
def most_worth(hand: int, twice: int, worths: npt.NDArray[np.int32]) -> int:
    """Return the animal whose cards are worth most by `worth_table`, ties in the deck's order."""
    most = _largest(
        worth_of(hand, twice, SHEEP, worths),
        worth_of(hand, twice, PIGS, worths),
        worth_of(hand, twice, GOATS, worths),
        worth_of(hand, twice, COWS, worths),
        worth_of(hand, twice, HORSES, worths),
    )
    return _N_ANIMALS - (most & _TIES)


@inlined
def _top(cards: int, animal: int) -> int:
    return (highest(field_of(cards, animal)) << _TIE_BITS) | (_N_ANIMALS - animal)


@inlined
def highest_card(cards: int) -> int:
    """Return the card with the highest number, ties to the earlier animal; NONE of no cards."""
    top = _largest(
        _top(cards, SHEEP), _top(cards, PIGS), _top(cards, GOATS), _top(cards, COWS),
        _top(cards, HORSES),
    )  # fmt: skip
    if top < 0:
        return NONE
    return NUMBERS * (_N_ANIMALS - (top & _TIES)) + (top >> _TIE_BITS)


@inlined
def lowest_card(cards: int) -> int:
    """Return the card with the lowest number, ties to the earlier animal; NONE of no cards."""
    bottom = NUMBERS << _TIE_BITS
    for animal in range(_N_ANIMALS):
        bottom = min(bottom, (lowest(field_of(cards, animal)) << _TIE_BITS) | animal)
    if bottom == NUMBERS << _TIE_BITS:
        return NONE
    return NUMBERS * (bottom & _TIES) + (bottom >> _TIE_BITS)


@helper
def best_offer(view: View, wanted: int) -> int:
    """Return as an answer to ACCEPT the highest-numbered offer among `wanted`, nearest first."""
    answer, top = NONE, -1
    for place in range(1, view.players):
        if (view.bidders >> place) & 1:
            card = highest_card(view.offers[place] & wanted)
            if card != NONE and card % NUMBERS > top:
                answer, top = OFFER_PLACE * place + card, card % NUMBERS
    return answer


@helper
def random_card(hand: int, twice: int, luck: Luck) -> int:
    """Return one of the farm-animal cards of a hand, each card as likely."""
    kinds = hand & ALL_KINDS
    which = below(luck, ones(kinds) + ones(twice))
    return nth_card(kinds, twice, which)


@helper
def nth_card(kinds: int, twice: int, n: int) -> int:
    """Return card number `n` of the cards, counted card by card from the first kind on."""
    while kinds:
        kind = lowest(kinds)
        n -= 1 + ((twice >> kind) & 1)
        if n < 0:
            return kind
        kinds &= kinds - 1
    return NONE


@helper
def missing(view: View, animal: int) -> int:
    """Return how many cards of the hand are not of `animal`, wild cards included."""
    return view.hand_size - count_of(view.hand, view.twice, animal)
