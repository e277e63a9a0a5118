"""The watcher: reads from asks, offers and trades who collects what, and trades accordingly."""

import numpy as np

from herdlab.simcore._jit import inner
from herdlab.simcore.barnyard import view as barnyard
from herdlab.simcore.barnyard.rules import ANIMALS, NUMBERS, SHEEP
from herdlab.simcore.barnyard.view import View
from herdlab.simcore.table import OBSERVE, Me
from herdlab.strategies import choice, members, number, strategy
from herdlab.strategies.barnyard import card_sense as sense
from herdlab.strategies.barnyard.gatherer import KEEP, hands_over

P_PER_CARD, P_SHY, P_ASKS, P_DONKEY, P_BID_FROM, P_ACCEPT_FROM = range(6)
HIGHEST, WANTED_HIGH, WANTED_LOW, UNWANTED = range(4)
_N_ANIMALS = len(ANIMALS)
_NOBODY_KNOWS = 0
_ONES = sum(1 << (NUMBERS * animal) for animal in range(_N_ANIMALS))


@inner
def watch(view: View, me: Me) -> None:
    """Note in the notebook, seat by seat, the animal that each player seems to collect, plus 1."""
    who = view.happened_to
    if view.happening == barnyard.DEALT:
        for seat in range(view.players):
            me.notebook[seat] = _NOBODY_KNOWS
    elif view.happening == barnyard.ASKED:
        if me.notebook[who] == view.detail_1 // NUMBERS + 1:  # he gives it away after all
            me.notebook[who] = _NOBODY_KNOWS
    elif view.happening == barnyard.OFFERED:
        me.notebook[who] = view.asked // NUMBERS + 1
    elif view.happening == barnyard.TRADED:
        me.notebook[who] = view.detail_2 // NUMBERS + 1


@inner
def rivals(view: View, me: Me, animal: int) -> int:
    """Return how many other players seem to collect `animal`."""
    n = 0
    for seat in range(view.players):
        n += seat != view.seat and me.notebook[seat] == animal + 1
    return n


@inner
def target(view: View, me: Me) -> int:
    """Return the animal that it collects: what its cards are worth, less so much a rival."""
    shy = int(sense.A_POINT * me.params[P_SHY])
    best, most = SHEEP, -(10**9)
    for animal in range(_N_ANIMALS):
        worth = sense.worth_of(view.hand, view.twice, animal, me.data.view(np.int32))
        worth -= shy * rivals(view, me, animal)
        if worth > most:
            best, most = animal, worth
    return best


@inner
def asks(view: View, me: Me, animal: int) -> int:
    """Return the card that it asks on."""
    others = sense.kinds_of(view.hand) & ~sense.cards_of(animal)
    if not others:
        return sense.lowest_card(sense.kinds_of(view.hand))
    if me.params[P_ASKS] == HIGHEST:
        return sense.highest_card(others)
    wanted = 0
    for other in range(_N_ANIMALS):
        if rivals(view, me, other):
            wanted |= others & sense.cards_of(other)
    if me.params[P_ASKS] == UNWANTED:
        unwanted = others & ~wanted
        return sense.highest_card(unwanted) if unwanted else sense.lowest_card(wanted)
    if wanted and me.params[P_ASKS] == WANTED_LOW:
        return sense.lowest_card(wanted)
    return sense.highest_card(wanted if wanted else others)


@strategy(
    "barnyard",
    "watcher",
    deterministic=True,
    observes=True,
    notebook=barnyard.ROOM,
    make_data=lambda rules, values: sense.worth_table(float(values["per_card"])),
    per_card=number(
        6, "what a card counts when it chooses its animal, in points", high=1000, whole=False
    ),
    shy=number(
        10, "points off an animal for every other player who collects it", high=100, whole=False
    ),
    asks=choice(
        "highest",
        ("highest", "wanted-high", "wanted-low", "unwanted"),
        "asks on its highest other card, on the highest or lowest that somebody wants, or on the "
        "highest that nobody wants",
    ),
    donkey=choice(
        "pass",
        ("pass", "keep", "keep-to-claim"),
        "passes the Donkey on, keeps it, or keeps it when one card makes a claim",
    ),
    bid_from=number(1, "bids on cards of its animal from this number on", low=1, high=11),
    accept_from=number(3, "accepts cards of its animal from this number on", low=1, high=11),
)
def watcher(decision: int, view: View, me: Me) -> int:
    """Watches who collects what, leaves crowded animals, and accepts no lowest numbers."""
    if decision == OBSERVE:
        watch(view, me)
        return 0
    if decision == barnyard.CLAIM:
        return 1
    animal, hand = target(view, me), sense.kinds_of(view.hand)
    others = hand & ~sense.cards_of(animal)
    if decision == barnyard.ASK:
        return asks(view, me, animal)
    if decision == barnyard.DISCARD:
        return sense.highest_card(others) if others else sense.lowest_card(hand)
    if decision == barnyard.BID:
        if view.asked % NUMBERS + 1 < me.params[P_BID_FROM]:
            return 0
        return others if (sense.cards_of(animal) >> view.asked) & 1 else 0
    if decision == barnyard.BID_TWICE:
        return others & view.twice
    if decision == barnyard.ACCEPT:
        low = int(me.params[P_ACCEPT_FROM])
        return sense.best_offer(view, sense.cards_of(animal) & ~(_ONES * ((1 << (low - 1)) - 1)))
    if decision == barnyard.HAND_OVER:
        return hands_over(view, animal, me.params[P_DONKEY], KEEP)
    return animal


MEMBERS = {
    "loner:asks=unwanted:accept_from=1": (
        "Watches like watcher, and asks on what nobody wants: it would rather draw than trade."
    ),
}
members("barnyard", "watcher", MEMBERS)
