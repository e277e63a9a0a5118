"""Turns of SWAP! with known cards and known choices, for tests written from the rulebook.

A test says what lies at each place, which cards lie on top of the draw pile and what is chosen, and
looks at what happened.  Choices that a test does not script are quiet ones: the first kind that
can be played, swap with the next player, the first colour allowed, to the left.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.bits import lowest
from herdlab.simcore.game import Player, find_game
from herdlab.simcore.rng import below
from herdlab.simcore.swap.rules import COLOURED_KINDS, COLOURS, SWAP_CARD, SwapRules
from herdlab.simcore.swap.table import Position, left_over, unpack
from herdlab.simcore.swap.view import (
    COLOUR,
    DIRECTION,
    HAPPENINGS,
    NONE,
    PARTNER,
    PLAY,
    ROOM,
    TO_THE_LEFT,
)
from herdlab.strategies import strategy
from herdlab.strategies.registry import seat_players, strategies_of
from herdlab.strategies.swap.card_sense import random_colour, random_kind
from tests.simcore.scripts import as_script

SWAP = find_game("swap")
strategies_of(SWAP)
N_DECISIONS = len(SWAP.decisions)
DECISIONS = {"play": PLAY, "partner": PARTNER, "colour": COLOUR, "direction": DIRECTION}
KIND_NAMES = ("plain", "slap", "switch", "super")


@strategy("swap", "test-scripted", notebook=N_DECISIONS)
def scripted(decision, view, me):  # type: ignore[no-untyped-def]
    """Does what the test says, legal or not."""
    script = me.data.view(np.int64)
    if script.shape[0] > 0:
        begin, n = script[2 * decision], script[2 * decision + 1]
        if n > 0:
            step = me.notebook[decision]
            me.notebook[decision] += 1
            return script[begin + min(step, n - 1)]
    if decision == PLAY:
        return lowest(view.playable)
    if decision == COLOUR:
        return 1 if view.barred == 0 else 0
    return 1 if decision == PARTNER else 0


@strategy("swap", "test-anything")
def anything(decision, view, me):  # type: ignore[no-untyped-def]
    """Does anything that is legal."""
    if decision == PLAY:
        return random_kind(view, me.luck)
    if decision == PARTNER:
        return 1 + below(me.luck, view.players - 1)
    return random_colour(view, me.luck) if decision == COLOUR else below(me.luck, 2)


def card(text: str) -> int:
    """Return the card written ``blue slap`` (plain, slap, switch, super) or ``swap``."""
    if text == "swap":
        return SWAP_CARD
    colour, kind = text.split()
    return COLOURED_KINDS * COLOURS.index(colour) + KIND_NAMES.index(kind)


def name(number: int) -> str:
    """Return ``blue slap`` or ``swap``."""
    if number == SWAP_CARD:
        return "swap"
    return f"{COLOURS[number // COLOURED_KINDS]} {KIND_NAMES[number % COLOURED_KINDS]}"


def cards(text: str) -> tuple[int, ...]:
    """Return cards written ``blue plain, swap, 3 red slap``."""
    found: list[int] = []
    for part in text.split(","):
        words = part.split()
        if words and words[0].isdigit():
            found += [card(" ".join(words[1:]))] * int(words[0])
        elif words:
            found.append(card(" ".join(words)))
    return tuple(found)


def script(**answers: Sequence[int] | int) -> np.ndarray:
    """Return a script: for each decision its answers in order, the last one again and again.

    Kinds are PLAIN, SLAP, SWITCH, SUPER, SWAP_KIND; partners count places to the left; colours
    are BLUE, GREEN, PURPLE, RED; directions TO_THE_LEFT, TO_THE_RIGHT.
    """
    return as_script(DECISIONS, answers)


@dataclass(frozen=True)
class Line:
    """One thing that happened, with the state right after it; cards as ``blue slap``."""

    what: str
    """deal, colour, play, draw, pass, reshuffle, false slap, slap, emptied, swap, super swap, win,
    drawn game"""
    turn: int
    """Turns finished before this one."""
    player: int
    detail: tuple[object, ...]
    hands: tuple[tuple[str, ...], ...]
    """By place, in the deck's order."""
    who: tuple[int, ...]
    """Which player sits at each place."""
    colour: str
    pile: int
    discards: int


def _detail(what: str, d1: int, d2: int) -> tuple[object, ...]:
    if what in ("deal", "play", "draw", "emptied"):
        return (name(d1),)
    if what == "false slap":
        return (None if d1 == NONE else name(d1),)
    if what == "colour":
        return (COLOURS[d1],)
    if what == "slap":
        return (d1, name(d2))
    if what == "super swap":
        return ("left" if d1 == TO_THE_LEFT else "right",)
    if what == "drawn game":
        return (tuple(p for p in range(ROOM) if d1 >> p & 1),)
    return (d1,) if what in ("swap", "reshuffle") else ()


@lru_cache(4096)  # most hands are those of the line before
def _kinds(hand: int) -> tuple[str, ...]:
    return tuple(name(one) for one in unpack(hand))


def log_lines(log: np.ndarray, n_players: int) -> list[Line]:
    """Return an engine's log as lines."""
    lines = []
    for what, turn, player, d1, d2, colour, pile, discards, *rest in log.tolist():
        hands = tuple(_kinds(hand) for hand in rest[:n_players])
        who = tuple(rest[ROOM : ROOM + n_players])
        kind = HAPPENINGS[what]
        in_force = "" if colour == NONE else COLOURS[colour]
        lines.append(
            Line(kind, turn, player, _detail(kind, d1, d2), hands, who, in_force, pile, discards)
        )
    return lines


def play(*hands: str, **options: Any) -> list[Line]:
    """Play `turns` turns from the hands given; return all that happened.

    What can be said is what `table` takes.  An illegal choice raises BadInput.  The last line is a
    drawn game by S12 if nobody has won.
    """
    return log_lines(table(*hands, **options).logged(0)[1], len(hands))


def table(
    *hands: str,
    scripts: Mapping[int, np.ndarray] | None = None,
    colour: str = "blue",
    pile: str = "",
    discards: str = "blue plain",
    place: int = 0,
    turn: int = 0,
    turns: int = 1,
    who: tuple[int, ...] = (),
    only_these_cards: bool = False,
    seed: int = 0,
    **settings: object,
) -> Bout:
    """Return a bout of `turns` turns of scripted players from the hands given, as for `cards`.

    `pile` are the top cards of the draw pile, the first drawn first; the rest of the deck lies
    below them in the deck's order, unless `only_these_cards` leaves the pile at that (the deck is
    then the cards named, which must be as many in each colour as the rules can say).
    `discards` has the top card last.  `scripts` has the scripts of some players; the others make
    quiet choices.  `settings` are rules.
    """
    rules = SwapRules.from_settings({"max_turns": turn + turns, "cards": 1, **settings})
    held = tuple(cards(hand) for hand in hands)
    down, top = cards(discards), cards(pile)
    position = Position(held, down, COLOURS.index(colour), top, place, turn, who)
    rest = left_over(rules, position)
    if not only_these_cards:
        position = dataclasses.replace(position, pile=(*top, *rest))
    elif rest:
        raise AssertionError(f"the deck has other cards: {[name(one) for one in rest]}")
    return bout(rules, scripts or {}, len(hands), seed, position)


def bout(
    rules: SwapRules,
    scripts: Mapping[int, np.ndarray],
    n_players: int,
    seed: int = 0,
    position: Position | None = None,
) -> Bout:
    """Return a bout of scripted players."""
    quiet = seat_players(SWAP, rules, ",".join(["test-scripted"] * n_players))
    players: list[Player] = [
        dataclasses.replace(one, data=scripts[seat].view(np.uint8)) if seat in scripts else one
        for seat, one in enumerate(quiet)
    ]
    return Bout(SWAP, rules, players, stream_seeds(seed), position)


def of(lines: Sequence[Line], what: str) -> list[Line]:
    """Return the lines of one kind."""
    return [line for line in lines if line.what == what]


def outcome(made: Bout, number: int = 0) -> dict[str, int]:
    """Return the row of a game by the names of its columns."""
    return dict(zip(made.columns, made.rows(number, number + 1)[0].tolist(), strict=True))
