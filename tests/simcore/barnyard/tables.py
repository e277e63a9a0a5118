"""Hands and ways of playing that the clause tests share."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from herdlab.simcore.barnyard.rules import ANIMALS, KINDS, NUMBERS, BarnyardRules
from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.strategies.registry import seat_players
from tests.simcore.barnyard.harness import (
    BARNYARD,
    Line,
    cards,
    log_lines,
    name,
    of,
    play,
    rest_of,
    start,
)

MIXED = (
    "sheep 1 2 3, pigs 1 2 3, goats 1",
    "sheep 4 5 6, pigs 4 5 6, goats 2",
    "sheep 7 8 9, pigs 7 8 9, goats 3",
    "cows 1 2 3, horses 1 2 3, goats 4",
    "cows 4 5 6, horses 4 5 6, goats 5",
    "cows 7 8 9, horses 7 8 9, goats 6",
)
SIXES = (
    "sheep 1 2 3, pigs 1 2 3",
    "sheep 4 5 6, pigs 4 5 6",
    "sheep 7 8 9, pigs 7 8 9",
    "cows 1 2 3, horses 1 2 3",
    "cows 4 5 6, horses 4 5 6",
    "cows 7 8 9, horses 7 8 9",
    "sheep 10, pigs 10, cows 10, horses 10, Donkey, Watchdog",
)
"""Seven hands of six cards; left are the goats."""
TENS = ("sheep 10 10, pigs 10 10, goats 10 10 7", "cows 10 10, horses 10 10, goats 7 8 8")
Score = tuple[int, int, int, int, int]
"""Score, and in it: numbers, first, run, runaway (the rest is for Donkeys and Watchdogs)."""


def mixed(n_players: int) -> tuple[str, ...]:
    """Return hands for so many players, of which none is nearly full."""
    if n_players == len(SIXES):
        return SIXES
    return (*MIXED, *MIXED, *TENS)[:n_players]


def deck(packs: int = 1, donkeys: int = 1) -> Counter[str]:
    """B1: return the cards as the rulebook has them."""
    animals = ("sheep", "pigs", "goats", "cows", "horses")
    found = Counter({f"{n} {animal}": packs for animal in animals for n in range(1, 11)})
    found["Donkey"], found["Watchdog"] = donkeys * packs, packs
    return found


def fill(n_hands: int, *held: str, n_players: int, **settings: object) -> list[str]:
    """Return hands for `n_hands` players, of cards that are not `held`: far from full ones."""
    rules = BarnyardRules.from_settings(settings)
    taken = cards(",".join(held))
    size = 6 if n_players == len(SIXES) else 7
    nobody = [()] * (n_players - 1)
    rest = [one for one in rest_of(rules, [*nobody, taken]) if one < KINDS]
    rest.sort(key=lambda one: (one % NUMBERS, one))
    chosen = [rest[size * place : size * (place + 1)] for place in range(n_hands)]
    return [", ".join(f"{ANIMALS[c // NUMBERS]} {c % NUMBERS + 1}" for c in one) for one in chosen]


def one_turn(*hands: str, **options: Any) -> list[Line]:
    """Play from the hands given the last turn before a stall: one turn, of seat 0."""
    n = len(hands)
    return play(*hands, **{"session": 1, "turn": n - 1, "max_rounds": 1, **options})


def whats(lines: Sequence[Line]) -> list[str]:
    """Return what happened, in order, without the scores."""
    return [line.what for line in lines if line.what not in ("deal", "score", "win")]


def scores(lines: Sequence[Line]) -> dict[int, Score]:
    """Return the scores of the last session by seat."""
    last = max(line.session for line in of(lines, "score"))
    found = {x.seat: x.detail for x in of(lines, "score") if x.session == last}
    return found  # type: ignore[return-value]


def held(line: Line, seat: int) -> Counter[str]:
    """Return the cards in a hand."""
    return Counter(line.hands[seat])


def hand(text: str) -> Counter[str]:
    """Return the cards of a hand written as for `cards`."""
    return Counter(name(one) for one in cards(text))


def row_of(*hands: str, **options: Any) -> dict[str, int]:
    """Play like `play` and return the row of outcomes."""
    return _named(start(*hands, **options))


def match(
    line_up: str, *, seed: int = 1, game: int = 0, **settings: object
) -> tuple[list[Line], dict[str, int]]:
    """Play a whole match from its deal; return its log and its row."""
    rules = BarnyardRules.from_settings(settings)
    players = seat_players(BARNYARD, rules, line_up)
    bout = Bout(BARNYARD, rules, players, stream_seeds(seed))
    return log_lines(bout.logged(game)[1], len(players)), _named(bout, game)


def quiet_match(n_players: int, **options: Any) -> list[Line]:
    """Play a whole match of quiet players from its deal; return its log."""
    return match(",".join(["test-scripted"] * n_players), **options)[0]


def _named(bout: Bout, game: int = 0) -> dict[str, int]:
    return dict(zip(bout.columns, bout.logged(game)[0][0].tolist(), strict=True))
