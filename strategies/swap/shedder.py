"""The shedder: a family over which kind it plays first, whom it swaps with, and colours."""

from simcore._jit import inner
from simcore.rng import below
from simcore.swap.rules import PLAIN, SLAP, SUPER, SWAP_KIND, SWITCH
from simcore.swap.view import COLOUR, DIRECTION, PARTNER, PLAY, View
from simcore.table import Me
from strategies.registry import strategy
from strategies.swap.card_sense import (
    can_play,
    fewest_cards,
    left_of_me,
    most_held_colour,
    random_colour,
    random_kind,
    smaller_hand,
)


@inner
def first_kind(view: View) -> int:
    for kind in (SLAP, PLAIN, SWITCH, SUPER):
        if can_play(view, kind):
            return kind
    return SWAP_KIND


@strategy("swap", "shedder", own_only=True, deterministic=True)
def shedder(decision: int, view: View, me: Me) -> int:
    """Plays SLAPs first and SWAPs last, swaps with who has fewest, names its own best colour."""
    if decision == PLAY:
        return first_kind(view)
    if decision == PARTNER:
        return fewest_cards(view)
    if decision == COLOUR:
        return most_held_colour(view)
    return smaller_hand(view)


@strategy("swap", "raider", deterministic=True)
def raider(decision: int, view: View, me: Me) -> int:
    """Raids."""
    if decision == PLAY:
        if can_play(view, SWAP_KIND):
            keeps = view.cards[view.place] - 1
            if keeps - view.cards[left_of_me(view, fewest_cards(view))] >= 2:
                return SWAP_KIND
        return first_kind(view)
    if decision == PARTNER:
        return fewest_cards(view)
    if decision == COLOUR:
        return most_held_colour(view)
    return smaller_hand(view)


@strategy("swap", "random")
def random(decision: int, view: View, me: Me) -> int:
    """Plays any card that it can, each as likely: somebody who is learning the game."""
    if decision == PLAY:
        return random_kind(view, me.luck)
    if decision == PARTNER:
        return 1 + below(me.luck, view.players - 1)
    if decision == COLOUR:
        return random_colour(view, me.luck)
    return below(me.luck, 2)
