"""Turns of Barnyard Swap with known cards and known choices, for tests written from the rulebook.

A test says what everybody holds, which cards lie on top of the barnyard and what is chosen, and
looks at what happened.  Choices that a test does not script are quiet ones: ask on the first card
of the hand, offer nothing, accept nothing, hand over the card named, discard the card drawn (a wild
card drawn: the first farm animal), do not claim, collect sheep.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from simcore._jit import inner
from simcore.barnyard.cards import donkeys_in, watchdogs_in
from simcore.barnyard.rules import ANIMALS, DONKEY, KINDS, NUMBERS, WATCHDOG, BarnyardRules
from simcore.barnyard.table import Position, left_over, pack, unpack
from simcore.barnyard.view import (
    ACCEPT,
    ASK,
    BID,
    BID_TWICE,
    CLAIM,
    COLLECT,
    DISCARD,
    HAND_OVER,
    HAPPENINGS,
    NATURAL,
    NONE,
    OFFER_PLACE,
    PART_BITS,
    ROOM,
)
from simcore.batch import Bout, stream_seeds
from simcore.bits import lowest, ones
from simcore.game import Player, find_game
from simcore.rng import below
from strategies.barnyard.card_sense import kinds_of, nth_card, random_card
from strategies.registry import seat_players, strategies_of, strategy

BARNYARD = find_game("barnyard")
strategies_of(BARNYARD)
N_DECISIONS = len(BARNYARD.decisions)
DECISIONS = {
    "ask": ASK,
    "bid": BID,
    "bid_twice": BID_TWICE,
    "accept": ACCEPT,
    "hand_over": HAND_OVER,
    "discard": DISCARD,
    "claim": CLAIM,
    "collect": COLLECT,
}


@strategy("barnyard", "test-scripted", notebook=N_DECISIONS)
def scripted(decision, view, me):  # type: ignore[no-untyped-def]
    """Does what the test says, legal or not."""
    script = me.data.view(np.int64)
    if script.shape[0] > 0:
        begin, n = script[2 * decision], script[2 * decision + 1]
        if n > 0:
            step = me.notebook[decision]
            me.notebook[decision] += 1
            return script[begin + min(step, n - 1)]
    if decision in (ACCEPT,):
        return NONE
    if decision == ASK:
        return lowest(kinds_of(view.hand))
    if decision == DISCARD:
        return view.drawn if view.drawn < KINDS else lowest(kinds_of(view.hand))
    return 0


@inner
def some_of(cards, luck):  # type: ignore[no-untyped-def]
    """Return some of the cards, each with a chance of a third."""
    some = 0
    while cards:
        if below(luck, 3) == 0:
            some |= cards & -cards
        cards &= cards - 1
    return some


@strategy("barnyard", "test-anything")
def anything(decision, view, me):  # type: ignore[no-untyped-def]
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


def card(text: str) -> int:
    """Return the card written ``7 pigs``, ``Donkey`` or ``Watchdog``."""
    if text in ("Donkey", "Watchdog"):
        return DONKEY if text == "Donkey" else WATCHDOG
    number, animal = text.split()
    return NUMBERS * ANIMALS.index(animal) + int(number) - 1


def name(number: int) -> str:
    """Return ``7 pigs``, ``Donkey`` or ``Watchdog``."""
    if number >= KINDS:
        return "Donkey" if number == DONKEY else "Watchdog"
    return f"{number % NUMBERS + 1} {ANIMALS[number // NUMBERS]}"


def cards(text: str) -> tuple[int, ...]:
    """Return cards written ``pigs 1 2 3, cows 10, Donkey``; an animal followed by its numbers."""
    found: list[int] = []
    for part in text.split(","):
        words = part.split()
        if words == ["Donkey"] or words == ["Watchdog"]:
            found.append(card(words[0]))
        elif words:
            found += [card(f"{n} {words[0]}") for n in words[1:]]
    return tuple(found)


def bits(text: str) -> int:
    """Return the set of farm-animal cards written as for `cards`: the answer to BID."""
    return pack(cards(text))[0]


def offer(place: int, text: str) -> int:
    """Return the answer to ACCEPT: the card ``7 pigs`` of the bidder `place` places to the left."""
    return OFFER_PLACE * place + card(text)


def script(**answers: Sequence[int] | int) -> np.ndarray:
    """Return a script: for each decision its answers in order, the last one again and again."""
    head, body = [0, 0] * N_DECISIONS, []
    for decision, given in answers.items():
        listed = [given] if isinstance(given, int) else list(given)
        place = DECISIONS[decision]
        head[2 * place], head[2 * place + 1] = 2 * N_DECISIONS + len(body), len(listed)
        body += listed
    return np.array(head + body, dtype=np.int64)


@dataclass(frozen=True)
class Line:
    """One thing that happened, with the state right after it; cards as ``7 pigs``."""

    what: str
    """deal, ask, bid, trade, draw, discard, no claim, full hand, stall, score, win"""
    session: int
    turn: int
    """Turns finished before this one in the session (full hand, stall, score: turns played)."""
    seat: int
    detail: tuple[object, ...]
    hands: tuple[tuple[str, ...], ...]
    """By seat, in the deck's order."""
    barnyard: int
    pile: int


def _kinds(word: int, twice: int = 0) -> tuple[str, ...]:
    return tuple(name(one) for one in unpack(word, twice))


def _detail(what: str, d: Sequence[int]) -> tuple[object, ...]:
    if what in ("deal", "ask", "draw", "discard"):
        return (name(d[0]),)
    if what == "bid":
        return (_kinds(d[0], d[1]),)
    if what == "trade":
        return (d[0], name(d[1]), name(d[2]), name(d[3]))
    if what == "full hand":
        return ("natural" if d[0] == NATURAL else "claim",)
    if what == "score":
        mask = (1 << PART_BITS) - 1
        first, run = d[2] & mask, d[2] >> PART_BITS & mask
        return (d[0], d[1], first, run, (d[2] >> (2 * PART_BITS)) - NUMBERS)
    return (d[0],) if what == "win" else ()


def log_lines(log: np.ndarray, n_players: int) -> list[Line]:
    """Return an engine's log as lines.

    The detail of a trade: the bidder's seat, the card accepted, the cards that swapper and bidder
    really gave.  Of a score: score, numbers, first, run, runaway (Donkeys and Watchdogs are the
    rest).  Of a win: the bit mask of winners.
    """
    lines = []
    for what, session, turn, seat, d1, d2, d3, d4, barnyard, pile, *packed in log.tolist():
        hands = tuple(_kinds(packed[s], packed[ROOM + s]) for s in range(n_players))
        kind = HAPPENINGS[what]
        detail = _detail(kind, (d1, d2, d3, d4))
        lines.append(Line(kind, session, turn, seat, detail, hands, barnyard, pile))
    return lines


def rest_of(rules: BarnyardRules, hands: Sequence[tuple[int, ...]], *placed: int) -> list[int]:
    """Return the cards of the deck that are neither in the hands nor `placed`."""
    return left_over(rules, Position(tuple(hands), barnyard=tuple(placed)))


def play(
    *hands: str,
    scripts: Mapping[int, np.ndarray] | None = None,
    barnyard: str = "",
    runaway: str = "",
    pile: str = "",
    session: int = 0,
    turn: int = 0,
    totals: tuple[int, ...] = (),
    seed: int = 0,
    **settings: object,
) -> list[Line]:
    """Play from the hands given, written as for `cards`, and return all that happened.

    `barnyard` are its top cards, the first drawn first; the rest of the deck lies below them in the
    deck's order.  `runaway` is laid aside (default: the last card of the rest).  `scripts` has the
    scripts of some seats; the others make quiet choices.  `settings` are rules; the match has one
    session, unless they say otherwise.  An illegal choice raises BadInput.
    """
    rules = BarnyardRules.from_settings({"sessions": session + 1, **settings})
    held = tuple(cards(hand) for hand in hands)
    top, discarded = cards(barnyard), cards(pile)
    aside = [card(runaway)] if runaway else []
    rest = rest_of(rules, held, *top, *discarded, *aside)
    if not aside:
        farm = [one for one in rest if one < KINDS]
        aside = [farm[-1]]
        rest.remove(farm[-1])
    position = Position(held, aside[0], (*top, *rest), discarded, session, turn, totals)
    return log_lines(bout(rules, scripts or {}, len(hands), seed, position).logged(0)[1], len(hands))


def bout(
    rules: BarnyardRules,
    scripts: Mapping[int, np.ndarray],
    n_players: int,
    seed: int = 0,
    position: Position | None = None,
) -> Bout:
    """Return a bout of scripted players."""
    quiet = seat_players(BARNYARD, rules, ",".join(["test-scripted"] * n_players))
    players: list[Player] = [
        dataclasses.replace(one, data=scripts[seat].view(np.uint8)) if seat in scripts else one
        for seat, one in enumerate(quiet)
    ]
    return Bout(BARNYARD, rules, players, stream_seeds(seed), position)


def of(lines: Sequence[Line], what: str) -> list[Line]:
    """Return the lines of one kind."""
    return [line for line in lines if line.what == what]
