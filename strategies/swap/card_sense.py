"""What every player of SWAP! can tell from his hand and the table; for strategies to build on."""

from simcore._jit import helper
from simcore.rng import Luck, below
from simcore.swap.cards import cards_of_colour, count_of
from simcore.swap.rules import BLUE, COLOURED_KINDS, COLOURS, SWAP_CARD, SWAP_KIND
from simcore.swap.view import NONE, TO_THE_LEFT, TO_THE_RIGHT, View

_N_COLOURS = len(COLOURS)


@helper
def can_play(view: View, kind: int) -> bool:
    """Whether a card of `kind` can be played."""
    return (view.playable >> kind) & 1 != 0


@helper
def left_of_me(view: View, k: int) -> int:
    """Return the place `k` to the player's left."""
    place = view.place + k
    return place if place < view.players else place - view.players


@helper
def fewest_cards(view: View) -> int:
    """Return how far to the left the opponent with the fewest cards sits, nearest first."""
    best = 1
    for k in range(2, view.players):
        if view.cards[left_of_me(view, k)] < view.cards[left_of_me(view, best)]:
            best = k
    return best


@helper
def most_held_colour(view: View) -> int:
    """Return the colour, not the barred one, that it has most cards of; ties in deck order."""
    best, most = NONE, -1
    for colour in range(_N_COLOURS):
        if colour != view.barred:
            n = cards_of_colour(view.hand, colour)
            if n > most:
                best, most = colour, n
    return best


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
