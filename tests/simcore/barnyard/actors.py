"""The players of the tests: scripted ones, planners, spies, and those who do anything.

All that is compiled is in this file, so that the compiler's cache knows when it changes.
"""

import numpy as np

from herdlab.simcore._jit import inner
from herdlab.simcore.barnyard.cards import donkeys_in, watchdogs_in
from herdlab.simcore.barnyard.rules import DONKEY, KINDS, WATCHDOG
from herdlab.simcore.barnyard.view import (
    ACCEPT,
    ASK,
    BID,
    BID_TWICE,
    CLAIM,
    DISCARD,
    HAND_OVER,
    NONE,
    OFFER_PLACE,
    PLAN,
    ROOM,
    View,
)
from herdlab.simcore.bits import lowest, ones
from herdlab.simcore.game import find_game
from herdlab.simcore.rng import Luck, below
from herdlab.simcore.table import OBSERVE, Me
from herdlab.strategies import strategy
from herdlab.strategies.barnyard.card_sense import kinds_of, nth_card, random_card
from herdlab.strategies.registry import strategies_of

BARNYARD = find_game("barnyard")
strategies_of(BARNYARD)
N_DECISIONS = len(BARNYARD.decisions)

ARRAYS_SEEN = ("offers", "offers_twice", "totals")
NUMBERS_SEEN = tuple(field for field in View._fields if field not in ARRAYS_SEEN)
EVERYTHING = len(NUMBERS_SEEN)
"""The field that stands for all that a player was ever shown, as a number."""
REVEALED = 1 << 60
"""Added to what a spy reveals; no decision has such an answer."""
_MULTIPLIER, _KEPT = 6364136223846793005, (1 << 50) - 1


@inner
def follow_script(decision: int, view: View, me: Me) -> int:
    """Return what the test says, legal or not, or else a quiet choice."""
    script = me.data.view(np.int64)
    if script.shape[0] > 0:
        begin, n = script[2 * decision], script[2 * decision + 1]
        if n > 0:
            step = me.notebook[decision]
            me.notebook[decision] += 1
            return int(script[begin + min(step, n - 1)])
    if decision == ACCEPT:
        return NONE
    if decision == DISCARD and view.drawn < KINDS:
        return view.drawn
    return int(lowest(kinds_of(view.hand))) if decision in (ASK, DISCARD) else 0


@strategy("barnyard", "test-scripted", notebook=N_DECISIONS)
def scripted(decision: int, view: View, me: Me) -> int:
    """Does what the test says, legal or not."""
    return follow_script(decision, view, me)


@strategy("barnyard", "test-planner", own_only=True)
def planner(decision: int, view: View, me: Me) -> int:
    """Plans what the test says, legal or not, or by luck; bids and discards its lowest card."""
    if decision == PLAN:
        if me.data.shape[0] == 0:
            return below(me.luck, 2)
        return int(me.data.view(np.int64)[0])
    if decision == BID:
        return kinds_of(view.hand) & -kinds_of(view.hand)
    return int(lowest(kinds_of(view.hand))) if decision == DISCARD else NONE


@inner
def mixed(seen: int, value: int) -> int:
    """Return a number that depends on both, and on hardly anything else."""
    seen = (seen ^ value) * _MULTIPLIER + value
    return seen ^ (seen >> 29)


@inner
def numbers_in(view: View) -> tuple[int, ...]:
    """Return all numbers of a view, in the order of NUMBERS_SEEN."""
    return (
        (view.hand, view.twice, view.seat, view.players, view.swapper, view.asked, view.bidders)
        + (view.named, view.drawn, view.barnyard, view.pile, view.session, view.turn)
        + (view.hand_size, view.max_rounds, view.sessions, view.target, view.donkeys)
        + (view.discard_wild, view.happening, view.happened_to, view.detail_1, view.detail_2)
        + (view.given, view.received)
    )


@strategy("barnyard", "test-spy", observes=True, notebook=N_DECISIONS + 3)
def spy(decision: int, view: View, me: Me) -> int:
    """Follows its script until it has seen what the test asks for, and then answers with that.

    Parameters: decision, happening (0: any) and how many times before; field, and place in it.
    """
    times, found, told = N_DECISIONS, N_DECISIONS + 1, N_DECISIONS + 2
    numbers, notes = numbers_in(view), me.notebook
    seen = mixed(notes[told], decision)
    for number in numbers:
        seen = mixed(seen, number)
    for place in range(ROOM):
        seen = mixed(mixed(seen, view.offers[place]), view.offers_twice[place])
        seen = mixed(seen, view.totals[place])
    notes[told] = seen
    wanted, happening, skipped, field, place = me.params
    if decision == wanted and happening in (0, view.happening):
        notes[times] += 1
        if notes[times] == skipped + 1:
            value = seen & _KEPT
            if field < EVERYTHING:
                value = numbers[int(field)]
            elif field == EVERYTHING + 1:
                value = view.offers[int(place)]
            elif field == EVERYTHING + 2:
                value = view.offers_twice[int(place)]
            elif field == EVERYTHING + 3:
                value = view.totals[int(place)]
            notes[found] = REVEALED + value
    if notes[found] != 0 and decision != OBSERVE:
        return int(notes[found])
    return follow_script(decision, view, me)


@inner
def some_of(cards: int, luck: Luck) -> int:
    """Return some of the cards, each with a chance of a third."""
    some = 0
    while cards:
        if below(luck, 3) == 0:
            some |= cards & -cards
        cards &= cards - 1
    return some


@strategy("barnyard", "test-anything")
def anything(decision: int, view: View, me: Me) -> int:
    """Does anything that is legal, odd things too: several offers, wild cards, claims or not."""
    if decision == ASK:
        return random_card(view.hand, view.twice, me.luck)
    if decision == BID:
        return some_of(kinds_of(view.hand), me.luck)
    if decision == BID_TWICE:
        place = (view.seat - view.swapper) % view.players
        return some_of(view.offers[place] & view.twice, me.luck)
    if decision == ACCEPT:
        n_offers = 0
        for place in range(1, view.players):
            n_offers += ones(view.offers[place])
        which = below(me.luck, n_offers + 1)
        for place in range(1, view.players):
            here = ones(view.offers[place])
            if which < here:
                return OFFER_PLACE * place + nth_card(view.offers[place], 0, which)
            which -= here
        return NONE
    if decision == HAND_OVER:
        which = below(me.luck, 3)
        if which == 1 and donkeys_in(view.hand):
            return 1
        return 2 if which == 2 and watchdogs_in(view.hand) else 0
    if decision == DISCARD:
        which = below(me.luck, 4)
        if view.discard_wild and which == 0 and donkeys_in(view.hand):
            return DONKEY
        if view.discard_wild and which == 1 and watchdogs_in(view.hand):
            return WATCHDOG
        return random_card(view.hand, view.twice, me.luck)
    if decision == CLAIM:
        return below(me.luck, 2)
    return below(me.luck, 5)
