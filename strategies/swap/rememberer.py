"""The rememberer: keeps in mind the hands that passed through its own fingers.

It plays like `opportunist`; when it names a colour it thinks of the next player, if that player
holds a hand that it has seen.
"""

from herdlab.simcore._jit import inner
from herdlab.simcore.swap import view as swap
from herdlab.simcore.swap.cards import CARD_WORD, cards_of_colour, count_of
from herdlab.simcore.swap.rules import COLOURS, PLAIN, SLAP, SUPER, SWAP_KIND, SWITCH
from herdlab.simcore.swap.view import ROOM, View
from herdlab.simcore.table import OBSERVE, Me
from herdlab.strategies import number, strategy
from herdlab.strategies.swap.card_sense import can_play, fewest_cards, left_of_me, smaller_hand
from herdlab.strategies.swap.tactician import NEVER, opportunity

P_HINDER, P_HINDER_AT, P_SWAP_AT, P_SUPER_GAIN = range(4)
_N_COLOURS = len(COLOURS)


@inner
def remember(view: View, me: Me) -> None:
    """Keep in notebook[player] the cards that it knows him to hold; 0 where it knows none."""
    known, who, mine = me.notebook, view.happened_to, view.who[view.place]
    if view.happening == swap.PLAYED:
        if count_of(known[who], view.detail_1) > 0:
            known[who] -= CARD_WORD[view.detail_1]
    elif view.happening == swap.SLAPPED:
        if view.detail_2 == swap.NONE:
            known[who] = 0  # one of these cards is gone, nobody says which
        elif who == mine:
            known[view.detail_1] += CARD_WORD[view.detail_2]
        elif count_of(known[who], view.detail_2) > 0:
            known[who] -= CARD_WORD[view.detail_2]
    elif view.happening == swap.SWAPPED:  # whether hands or seats: the players' hands change
        other = view.detail_1
        known[who], known[other] = known[other], known[who]
        if view.given:
            known[other if who == mine else who] = view.given
    elif view.happening == swap.SUPER_SWAPPED:
        step = 1 if view.detail_1 == swap.TO_THE_LEFT else view.players - 1
        for place in range(view.players):
            known[ROOM + view.who[(place + step) % view.players]] = known[view.who[place]]
        for player in range(view.players):
            known[player] = known[ROOM + player]
        known[view.who[left_of_me(view, step)]] = view.given
    known[mine] = 0  # its own hand it sees


@inner
def names_colour(view: View, me: Me) -> int:
    """Return the colour of which it has most, less so much for each that the next player has."""
    following = left_of_me(view, 1)
    theirs = 0
    if view.cards[following] <= me.params[P_HINDER_AT]:
        theirs = me.notebook[view.who[following]]
    best, most = swap.NONE, -1e9
    for colour in range(_N_COLOURS):
        if colour != view.barred:
            worth = cards_of_colour(view.hand, colour) - me.params[P_HINDER] * cards_of_colour(
                theirs, colour
            )
            if worth > most:
                best, most = colour, worth
    return best


@strategy(
    "swap",
    "rememberer",
    deterministic=True,
    observes=True,
    notebook=2 * ROOM,
    hinder=number(
        5, "what a card of the next player counts against a colour", high=10, whole=False
    ),
    hinder_at=number(2, "thinks of the next player when he holds so many cards or fewer"),
    swap_at=number(1, "plays a SWAP first when somebody is down to so many cards"),
    super_gain=number(
        1, "plays a SUPER SWAP first when it gets so many cards fewer; 99: never", low=-99
    ),
)
def rememberer(decision: int, view: View, me: Me) -> int:
    """Plays like opportunist, and names colours that the next player lacks if it knows his hand."""
    if decision == OBSERVE:
        remember(view, me)
        return 0
    if decision == swap.PLAY:
        kind = opportunity(view, NEVER, me.params[P_SWAP_AT], me.params[P_SUPER_GAIN])
        if kind != swap.NONE:
            return kind
        for other in (SLAP, PLAIN, SWITCH, SUPER):
            if can_play(view, other):
                return other
        return SWAP_KIND
    if decision == swap.PARTNER:
        return fewest_cards(view)
    return names_colour(view, me) if decision == swap.COLOUR else smaller_hand(view)
