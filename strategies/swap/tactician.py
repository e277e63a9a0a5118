"""The tactician: a family over which kind goes first, when a SWAP is worth it, and on whom.

The anchor strategies `shedder` and `raider` of docs/rules/swap.md are members of it.
"""

from herdlab.simcore._jit import inner
from herdlab.simcore.rng import below
from herdlab.simcore.swap.rules import PLAIN, SLAP, SUPER, SWAP_KIND, SWITCH
from herdlab.simcore.swap.view import COLOUR, NONE, PARTNER, PLAY, TO_THE_LEFT, TO_THE_RIGHT, View
from herdlab.simcore.table import Me
from herdlab.strategies import choice, members, number, strategy
from herdlab.strategies.strategy import Values
from herdlab.strategies.swap.card_sense import (
    can_play,
    fewest_cards,
    left_of_me,
    most_held_colour,
    random_colour,
    random_kind,
    smaller_hand,
)

# The ranks of the kinds come first, by kind.
P_SWAP_GAIN, P_SWAP_AT, P_SUPER_GAIN, P_LATE_SLAP, P_PARTNER, P_DIRECTION = range(5, 11)
NEVER = 99
FEWEST, NEXT = range(2)
SMALLER, LEFT, RIGHT = range(3)


@inner
def first_kind(view: View, me: Me) -> int:
    """Return the kind of the lowest rank that it can play."""
    best, lowest = SWAP_KIND, 99.0
    for kind in range(SWAP_KIND + 1):
        if can_play(view, kind) and me.params[kind] < lowest:
            best, lowest = kind, me.params[kind]
    return best


@inner
def opportunity(view: View, swap_gain: float, swap_at: float, super_gain: float) -> int:
    """Return SWAP_KIND or SUPER if one of them brings a smaller hand by these measures, or NONE."""
    stays = view.cards[view.place] - 1
    if (swap_gain != NEVER or swap_at > 0) and can_play(view, SWAP_KIND):
        theirs = view.cards[left_of_me(view, fewest_cards(view))]
        if stays - theirs >= swap_gain or (theirs <= swap_at and theirs < stays):
            return SWAP_KIND
    if super_gain != NEVER and can_play(view, SUPER):
        left, right = left_of_me(view, 1), left_of_me(view, view.players - 1)
        if stays - min(view.cards[left], view.cards[right]) >= super_gain:
            return SUPER
    return NONE


@inner
def chooses_kind(view: View, me: Me) -> int:
    """Return the kind of card that it plays."""
    kind = opportunity(view, me.params[P_SWAP_GAIN], me.params[P_SWAP_AT], me.params[P_SUPER_GAIN])
    if kind != NONE:
        return kind
    if can_play(view, SLAP) and me.params[P_LATE_SLAP] > 0:
        n = view.cards[view.place]
        if n == 2:  # noqa: PLR2004 (one is played, the other taken: S10)
            return SLAP
        if n <= me.params[P_LATE_SLAP]:
            for kind in (PLAIN, SWITCH, SUPER):
                if can_play(view, kind):
                    return kind
    return first_kind(view, me)


def looks_only_at_kinds(values: Values) -> bool:
    """Whether these parameters leave the kind to what can be played alone."""
    never = str(NEVER)
    keys = ("swap_gain", "super_gain", "swap_at", "late_slap")
    return [values[key] for key in keys] == [never, never, "0", "0"]


@strategy(
    "swap",
    "tactician",
    own_only=looks_only_at_kinds,
    deterministic=True,
    plain=number(2, "rank of plain cards: the lowest rank is played first", high=9),
    slap=number(1, "rank of SLAPs", high=9),
    switch=number(3, "rank of SWITCH COLORs", high=9),
    super_swap=number(4, "rank of SUPER SWAPs", high=9),
    swap=number(5, "rank of SWAPs", high=9),
    swap_gain=number(
        NEVER,
        "plays a SWAP first when somebody has so many cards fewer than it would keep; 99: never",
    ),
    swap_at=number(
        0, "plays a SWAP first when somebody is down to so many cards, fewer than it would keep"
    ),
    super_gain=number(
        NEVER,
        "plays a SUPER SWAP first when it gets so many cards fewer than it would keep; 99: never",
        low=-99,
    ),
    late_slap=number(
        0,
        "with so many cards or fewer plays other kinds but a SWAP before a SLAP, until it holds "
        "two cards; 0: never",
    ),
    partner=choice("fewest", ("fewest", "next"), "swaps with who has fewest, or the next player"),
    direction=choice(
        "smaller", ("smaller", "left", "right"), "SUPER SWAP: which way all hands are passed"
    ),
)
def tactician(decision: int, view: View, me: Me) -> int:
    """Plays its kinds by rank, and swaps when a smaller hand is to be had."""
    if decision == PLAY:
        return chooses_kind(view, me)
    if decision == PARTNER:
        return fewest_cards(view) if me.params[P_PARTNER] == FEWEST else 1
    if decision == COLOUR:
        return most_held_colour(view)
    if me.params[P_DIRECTION] == SMALLER:
        return smaller_hand(view)
    return TO_THE_LEFT if me.params[P_DIRECTION] == LEFT else TO_THE_RIGHT


@strategy("swap", "random")
def random(decision: int, view: View, me: Me) -> int:
    """Plays any card that it can, each as likely: somebody who is learning the game."""
    if decision == PLAY:
        return random_kind(view, me.luck)
    if decision == PARTNER:
        return 1 + below(me.luck, view.players - 1)
    return random_colour(view, me.luck) if decision == COLOUR else below(me.luck, 2)


MEMBERS = {
    "shedder": (
        "Plays SLAPs first and SWAPs last, swaps with who has fewest, names its own best colour."
    ),
    "raider:swap_gain=2": (
        "Plays like shedder, but swaps first when somebody has at least two cards fewer than "
        "it keeps."
    ),
    "opportunist:super_gain=1:swap_at=1": (
        "Plays like shedder, but takes a smaller hand by SUPER SWAP, or by SWAP a hand of one card."
    ),
}
members("swap", "tactician", MEMBERS)
