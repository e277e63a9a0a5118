"""What every player of SWAP! can tell from his hand and the table; for strategies to build on."""

from herdlab.simcore._jit import helper, inlined
from herdlab.simcore.rng import Luck, below
from herdlab.simcore.swap.cards import cards_of_colour, count_of
from herdlab.simcore.swap.rules import BLUE, COLOURED_KINDS, COLOURS, SWAP_CARD, SWAP_KIND
from herdlab.simcore.swap.view import NONE, TO_THE_LEFT, TO_THE_RIGHT, View

_N_COLOURS = len(COLOURS)
_PLACE_BITS = 4
_PLACES = (1 << _PLACE_BITS) - 1


@helper
def can_play(view: View, kind: int) -> bool:
    """Whether a card of `kind` can be played."""
    return (view.playable >> kind) & 1 != 0


@inlined
def left_of_me(view: View, k: int) -> int:
    """Return the place `k` to the player's left."""
    place = view.place + k
    return (place if place < view.players else place - view.players) & _PLACES


@inlined
def fewest_cards(view: View) -> int:
    """Return how far to the left the opponent with the fewest cards sits, nearest first."""
    fewest = view.cards[left_of_me(view, 1)] << _PLACE_BITS | 1
    for k in range(2, view.players):  # the place in the low bits: one `min`, no branch to miss
        fewest = min(fewest, view.cards[left_of_me(view, k)] << _PLACE_BITS | k)
    return fewest & _PLACES


@inlined
def most_held_colour(view: View) -> int:
    """Return the colour, not the barred one, that it has most cards of; ties in deck order."""
    most = -1
    for colour in range(_N_COLOURS):
        n = -1 if colour == view.barred else cards_of_colour(view.hand, colour)
        most = max(most, n << _PLACE_BITS | (_N_COLOURS - colour))
    return _N_COLOURS - (most & _PLACES)


@helper
def smaller_hand(view: View) -> int:
    """Return the direction that gives it the smaller hand; to the left if they are equal."""
    from_right = view.cards[left_of_me(view, view.players - 1)]
    return TO_THE_LEFT if from_right <= view.cards[left_of_me(view, 1)] else TO_THE_RIGHT


@helper
def random_kind(view: View, luck: Luck) -> int:
    """Return the kind of one of its playable cards, each card as likely."""
    n = 0
    for kind in range(SWAP_KIND + 1):
        if can_play(view, kind):
            n += _held(view, kind)
    which = below(luck, n)
    for kind in range(SWAP_KIND + 1):
        if can_play(view, kind):
            which -= _held(view, kind)
            if which < 0:
                return kind
    return NONE


@helper
def _held(view: View, kind: int) -> int:
    """Return how many cards of a kind, in the colour in force, it has."""
    return count_of(
        view.hand, SWAP_CARD if kind == SWAP_KIND else COLOURED_KINDS * view.colour + kind
    )


@helper
def random_colour(view: View, luck: Luck) -> int:
    """Return a colour that it may name, each as likely."""
    colour = BLUE + below(luck, _N_COLOURS - (view.barred != NONE))
    return colour + 1 if view.barred != NONE and colour >= view.barred else colour
