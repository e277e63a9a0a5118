"""The gatherer: a family over what a player collects, gives away, passes on and claims.

All anchor strategies of docs/rules/barnyard.md are members of it, but for `random`.
"""

import numpy as np

from herdlab.simcore._jit import inlined, inner
from herdlab.simcore.barnyard import view as barnyard
from herdlab.simcore.barnyard.cards import donkeys_in, watchdogs_in
from herdlab.simcore.barnyard.rules import ANIMALS, DONKEY, WATCHDOG
from herdlab.simcore.barnyard.view import View
from herdlab.simcore.bits import ones
from herdlab.simcore.rng import below
from herdlab.simcore.table import Me
from herdlab.strategies import choice, members, number, strategy
from herdlab.strategies.barnyard import card_sense as sense

P_PER_CARD, P_GIVES, P_OFFERS, P_DONKEY, P_BID_DONKEY, P_WATCHDOG, P_BID_WATCHDOG = range(7)
P_CLAIM_DONKEY, P_CLAIM_WATCHDOG, P_CLAIM_ROUND, P_DISCARD_DONKEY = range(7, 11)
HIGHEST, LOWEST, RAREST = range(3)
PASS, KEEP, KEEP_TO_CLAIM = range(3)
NEVER, NOW = range(2)
_N_ANIMALS = len(ANIMALS)


@inlined
def target(view: View, me: Me) -> int:
    """Return the animal that it collects with the hand it holds."""
    return sense.most_worth(view.hand, view.twice, me.data.view(np.int32))


@inner
def rarest_card(others: int, twice: int) -> int:
    """Return the highest card of the animal it has fewest cards of among `others`."""
    best, fewest = barnyard.NONE, 99
    for animal in range(_N_ANIMALS):
        field = others & sense.cards_of(animal)
        n = ones(field) + ones(field & twice)
        if field and n < fewest:
            best, fewest = sense.highest_card(field), n
    return best


@inlined
def gives_up(view: View, me: Me, animal: int) -> int:
    """Return the card that it likes least to hold while it collects `animal`."""
    others = sense.kinds_of(view.hand) & ~sense.cards_of(animal)
    if not others:
        return sense.lowest_card(sense.kinds_of(view.hand))
    if me.params[P_GIVES] == RAREST:
        return rarest_card(others, view.twice)
    return (
        sense.highest_card(others) if me.params[P_GIVES] == HIGHEST else sense.lowest_card(others)
    )


@inner
def offers(view: View, me: Me, animal: int, twice: bool) -> int:
    """Return the kinds that it offers for a card that it wants, or of which it offers both cards.

    So many cards of other animals as it allows itself, the highest first.
    """
    others = sense.kinds_of(view.hand) & ~sense.cards_of(animal)
    room = int(me.params[P_OFFERS])
    if room >= view.hand_size:
        return others & view.twice if twice else others
    once = both = 0
    while room > 0 and others:
        card = 1 << sense.highest_card(others)
        others &= ~card
        once |= card
        room -= 1
        if room > 0 and view.twice & card:
            both |= card
            room -= 1
    return both if twice else once


@inner
def hands_over(view: View, animal: int, donkey: float, watchdog: float) -> int:
    """Return whether a Donkey or a Watchdog goes in place of the card named, by the policies."""
    if donkeys_in(view.hand):
        wild = donkeys_in(view.hand) + watchdogs_in(view.hand)
        # B12 takes one wild card; the trade itself may bring the last card of the animal
        can_claim = wild == 1 and sense.missing(view, animal) - wild <= 1
        if donkey == PASS or (donkey == KEEP_TO_CLAIM and not can_claim):
            return barnyard.PASS_DONKEY
    if watchdogs_in(view.hand) and watchdog == PASS:
        return barnyard.PASS_WATCHDOG
    return barnyard.AS_NAMED


@inner
def claims(view: View, me: Me) -> int:
    """Return whether it claims a full hand with the wild card it holds."""
    if view.turn < me.params[P_CLAIM_ROUND] * view.players:
        return 0
    policy = me.params[P_CLAIM_DONKEY if donkeys_in(view.hand) else P_CLAIM_WATCHDOG]
    return 1 if policy == NOW else 0


@inner
def discards_donkey(view: View, me: Me, animal: int) -> bool:
    """Whether it gets rid of a Donkey where the rules let it (B9), unless it can claim with it."""
    if not view.discard_wild or me.params[P_DISCARD_DONKEY] == NEVER:
        return False
    donkeys, watchdogs = donkeys_in(view.hand), watchdogs_in(view.hand)
    can_claim = donkeys == 1 and watchdogs == 0 and sense.missing(view, animal) == 1
    return donkeys > 0 and not (can_claim and me.params[P_CLAIM_DONKEY] == NOW)


@strategy(
    "barnyard",
    "gatherer",
    own_only=True,
    deterministic=True,
    make_data=lambda rules, values: sense.worth_table(float(values["per_card"])),
    per_card=number(
        100,
        "what a card counts when it chooses its animal, in points: 100 is count before sum, 0.01 "
        "sum before count",
        high=1000,
        whole=False,
    ),
    gives=choice(
        "highest",
        ("highest", "lowest", "rarest"),
        "which card it asks on and discards: the highest or lowest of another animal, or of the "
        "animal it has fewest of",
    ),
    offers=number(7, "how many cards it offers at most, the highest first", low=1, high=7),
    donkey=choice(
        "pass",
        ("pass", "keep", "keep-to-claim"),
        "as swapper passes the Donkey on, keeps it, or keeps it when one card makes a claim",
    ),
    bid_donkey=choice(
        "pass", ("pass", "keep", "keep-to-claim"), "the same as bidder, when its offer is accepted"
    ),
    watchdog=choice("keep", ("pass", "keep"), "as swapper passes the Watchdog on, or keeps it"),
    bid_watchdog=choice("keep", ("pass", "keep"), "the same as bidder"),
    claim_donkey=choice("now", ("never", "now"), "claims a full hand with a Donkey"),
    claim_watchdog=choice("now", ("never", "now"), "claims a full hand with a Watchdog"),
    claim_round=number(0, "rounds that it waits before it claims", high=1000),
    discard_donkey=choice(
        "never",
        ("never", "now"),
        "discards the Donkey where discard_wild allows it, unless it can claim with it",
    ),
)
def gatherer(decision: int, view: View, me: Me) -> int:
    """Gathers the animal it has most of, offers all else for it, and passes the Donkey on."""
    if decision == barnyard.CLAIM:
        return claims(view, me)
    animal = target(view, me)
    if decision == barnyard.PLAN:
        return sense.cards_of(animal) | gives_up(view, me, animal) << barnyard.PLAN_ASK
    if decision == barnyard.DISCARD and discards_donkey(view, me, animal):
        return DONKEY
    if decision in (barnyard.ASK, barnyard.DISCARD):
        return gives_up(view, me, animal)
    if decision == barnyard.BID:
        return offers(view, me, animal, False) if (sense.cards_of(animal) >> view.asked) & 1 else 0
    if decision == barnyard.BID_TWICE:
        return offers(view, me, animal, True)
    if decision == barnyard.ACCEPT:
        return sense.best_offer(view, sense.cards_of(animal))
    if decision == barnyard.HAND_OVER:
        if view.seat == view.swapper:
            return hands_over(view, animal, me.params[P_DONKEY], me.params[P_WATCHDOG])
        return hands_over(view, animal, me.params[P_BID_DONKEY], me.params[P_BID_WATCHDOG])
    return animal if decision == barnyard.COLLECT else 0


@strategy("barnyard", "random", make_data=lambda rules, values: sense.worth_table(100))
def random(decision: int, view: View, me: Me) -> int:
    """Asks, offers and accepts anything, each as likely: somebody who is learning the game."""
    if decision == barnyard.ASK:
        return sense.random_card(view.hand, view.twice, me.luck)
    if decision == barnyard.BID:
        if below(me.luck, 2) == 0:
            return 0
        return 1 << sense.random_card(view.hand, view.twice, me.luck)
    if decision == barnyard.ACCEPT:
        n_offers = 0
        for place in range(1, view.players):
            n_offers += ones(view.offers[place]) + ones(view.offers_twice[place])
        which = below(me.luck, n_offers + 1)
        for place in range(1, view.players):
            here = ones(view.offers[place]) + ones(view.offers_twice[place])
            if which < here:
                card = sense.nth_card(view.offers[place], view.offers_twice[place], which)
                return barnyard.OFFER_PLACE * place + card
            which -= here
        return barnyard.NONE
    if decision == barnyard.DISCARD:
        n_farm = ones(sense.kinds_of(view.hand)) + ones(view.twice)
        n_donkeys = donkeys_in(view.hand) if view.discard_wild else 0
        n_dogs = watchdogs_in(view.hand) if view.discard_wild else 0
        which = below(me.luck, n_farm + n_donkeys + n_dogs)
        if which < n_farm:
            return sense.nth_card(sense.kinds_of(view.hand), view.twice, which)
        return DONKEY if which < n_farm + n_donkeys else WATCHDOG
    if decision == barnyard.COLLECT:
        return sense.most_worth(view.hand, view.twice, me.data.view(np.int32))
    return 1 if decision == barnyard.CLAIM else barnyard.AS_NAMED


MEMBERS = {
    "collector": (
        "Collects what it has most of, offers all else for it, passes the Donkey and claims "
        "at once."
    ),
    "honest:donkey=keep:bid_donkey=keep": (
        "Plays like collector, but always hands over the card it has named."
    ),
    "miser:per_card=0.01": "Plays like collector, but collects the animal of its highest sum.",
    "purist:claim_donkey=never:claim_watchdog=never": (
        "Plays like collector, but never claims: it waits for seven of one animal."
    ),
    "weigher:per_card=6": (
        "Plays like collector, but six points are as good as a card when it chooses its animal."
    ),
}
members("barnyard", "gatherer", MEMBERS)
