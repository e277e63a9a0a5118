"""What every player of Barnyard Swap can tell from his hand and the offers; to build on.

A set of cards is a number with bit k for kind k = 10 * animal + number - 1, as in `view.hand`.
"""

from simcore._jit import helper
from simcore.barnyard.cards import ALL_KINDS, ANIMAL_WORD, COUNT, SUM, count_of, field_of, sum_of
from simcore.barnyard.rules import ANIMALS, NUMBERS, SHEEP
from simcore.barnyard.view import NONE, OFFER_PLACE, View
from simcore.bits import highest, lowest, ones
from simcore.rng import Luck, below

_N_ANIMALS = len(ANIMALS)


@helper
def kinds_of(word: int) -> int:
    """Return the farm-animal cards of a hand, without the wild cards."""
    return word & ALL_KINDS


@helper
def cards_of(animal: int) -> int:
    """Return all ten cards of an animal."""
    return ANIMAL_WORD[animal]


@helper
def most_worth(hand: int, twice: int, per_card: int, per_point: int) -> int:
    """Return the animal with the highest per_card * cards + per_point * sum, ties in deck order."""
    best, most = SHEEP, -1
    for animal in range(_N_ANIMALS):
        field = field_of(hand, animal)
        worth = per_card * COUNT[field] + per_point * SUM[field]
        if twice:
            field = field_of(twice, animal)
            worth += per_card * COUNT[field] + per_point * SUM[field]
        if worth > most:
            best, most = animal, worth
    return best


@helper
def highest_card(cards: int) -> int:
    """Return the card with the highest number, ties to the earlier animal; NONE of no cards."""
    best, top = NONE, -1
    for animal in range(_N_ANIMALS):
        number = highest(field_of(cards, animal))
        if number > top:
            best, top = NUMBERS * animal + number, number
    return best


@helper
def lowest_card(cards: int) -> int:
    """Return the card with the lowest number, ties to the earlier animal; NONE of no cards."""
    best, bottom = NONE, NUMBERS
    for animal in range(_N_ANIMALS):
        number = lowest(field_of(cards, animal))
        if number < bottom:
            best, bottom = NUMBERS * animal + number, number
    return best


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


@helper
def points_of(view: View, animal: int) -> int:
    """Return the sum of the numbers of `animal` in the hand."""
    return sum_of(view.hand, view.twice, animal)
