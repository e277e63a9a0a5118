"""Turns of Barnyard Swap with known cards and known choices, for tests written from the rulebook.

A test says what everybody holds, which cards lie on top of the barnyard and what is chosen, and
looks at what happened.  Choices that a test does not script are quiet ones: ask on the first card
of the hand, offer nothing, accept nothing, hand over the card named, discard the card drawn (a wild
card drawn: the first farm animal), do not claim, collect sheep.
"""

import dataclasses
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from herdlab.simcore.barnyard.rules import ANIMALS, DONKEY, KINDS, NUMBERS, WATCHDOG, BarnyardRules
from herdlab.simcore.barnyard.table import Position, left_over, pack, unpack
from herdlab.simcore.barnyard.view import (
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
    OFFER_PLACE,
    PART_BITS,
    ROOM,
)
from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import Player, find_game
from herdlab.simcore.table import OBSERVE
from herdlab.strategies.registry import seat_players
from tests.simcore.barnyard.actors import ARRAYS_SEEN, NUMBERS_SEEN, REVEALED
from tests.simcore.scripts import as_script

BARNYARD = find_game("barnyard")
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
        if words in (["Donkey"], ["Watchdog"]):
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
    return as_script(DECISIONS, answers)


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


@lru_cache(4096)  # most hands are those of the line before
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

    For the rest see `start`.  An illegal choice raises BadInput.
    """
    given = {"barnyard": barnyard, "runaway": runaway, "pile": pile, "totals": totals}
    options: Any = {**given, "session": session, "turn": turn, "seed": seed, **settings}
    return log_lines(start(*hands, scripts=scripts, **options).logged(0)[1], len(hands))


def start(
    *hands: str,
    scripts: Mapping[int, np.ndarray] | None = None,
    barnyard: str = "",
    runaway: str = "",
    pile: str = "",
    session: int = 0,
    turn: int = 0,
    totals: tuple[int, ...] = (),
    seed: int = 0,
    spies: Mapping[int, tuple[float, ...]] | None = None,
    **settings: object,
) -> Bout:
    """Return a bout that begins with the hands given, written as for `cards`.

    `barnyard` are its top cards, the first drawn first; the rest of the deck lies below them in the
    deck's order.  `runaway` is laid aside (default: the last card of the rest).  `scripts` has the
    scripts of some seats; the others make quiet choices.  `settings` are rules; the match has one
    session, unless they say otherwise.  `spies` has the parameters of seats that are spies.
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
    return bout(rules, scripts or {}, len(hands), seed, position, spies or {})


def bout(
    rules: BarnyardRules,
    scripts: Mapping[int, np.ndarray],
    n_players: int,
    seed: int = 0,
    position: Position | None = None,
    spies: Mapping[int, tuple[float, ...]] | None = None,
) -> Bout:
    """Return a bout of scripted players, and spies with their parameters."""
    spies = spies or {}
    names = ["test-spy" if seat in spies else "test-scripted" for seat in range(n_players)]
    quiet = seat_players(BARNYARD, rules, ",".join(names))
    players: list[Player] = [
        dataclasses.replace(one, data=scripts[seat].view(np.uint8)) if seat in scripts else one
        for seat, one in enumerate(quiet)
    ]
    for seat, params in spies.items():
        players[seat] = dataclasses.replace(players[seat], params=params)
    return Bout(BARNYARD, rules, players, stream_seeds(seed), position)


def of(lines: Sequence[Line], what: str) -> list[Line]:
    """Return the lines of one kind."""
    return [line for line in lines if line.what == what]


def spied(
    *hands: str, by: int, at: str, field: str = "everything", skipped: int = 0, **options: Any
) -> int:
    """Play like `play` and return what the player in seat `by` saw, `at` a decision or an event.

    An event is written ``trade``, or ``told ask`` where a decision has the same name.  `field` is a
    name of the view's, with a place such as ``offers 2``, or ``everything`` that he was shown up to
    then.  `skipped` times he is asked, or it happens, without being noted.
    """
    name, _, place = field.partition(" ")
    fields = (*NUMBERS_SEEN, "everything", *ARRAYS_SEEN)
    decision, happening = DECISIONS.get(at, OBSERVE), 0
    if decision == OBSERVE:
        happening = HAPPENINGS.index(at.removeprefix("told "))
    params = (decision, happening, skipped, fields.index(name), int(place or 0))
    try:
        start(*hands, spies={by: tuple(map(float, params))}, **options).logged(0)
    except BadInput as error:
        found = re.match(rf"strategy 'test-spy' in seat {by} answered (\d+)", str(error))
        assert found is not None, str(error)
        return int(found[1]) - REVEALED
    raise AssertionError(f"seat {by} was never asked after the {skipped + 1}. {at}")
