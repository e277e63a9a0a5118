"""How the Guard Dog's answer speaks of herds, turns, win rates, and habits of buying."""

from collections.abc import Mapping, Sequence
from itertools import groupby

from herdlab.analysis.questions.guard_dog.habits import (
    FIRST,
    NEVER,
    REFERENCE,
    RULES_OF_THUMB,
    SPARE,
    TUNED,
    Habits,
    Turns,
)
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.verdicts import MARGIN_OF_WIN, Kind, kind_of_wins
from herdlab.analysis.words.phrases import in_words, listed
from herdlab.simcore.herd.rules import ANIMALS, PLURALS

BUYING = {SPARE: "buys a dog whenever he can spare it", FIRST: "buys a dog before all else"}
DOES = {
    Kind.HIGHER: "gains",
    Kind.LOWER: "loses",
    Kind.TIE: "makes no difference that matters",
    Kind.OPEN: "is not settled",
}
_MOST_DIGITS = 6
_SHOWN = 0.05
"""Percentage points that one digit shows."""

Gains = Mapping[tuple[int, str], Estimate]
"""By table and what the others do there."""


def described(herd: Sequence[int]) -> str:
    """Return a herd in words, such as "5 rabbits, 2 sheep and 1 cow"."""
    parts = [
        f"{n} {(ANIMALS if n == 1 else PLURALS)[animal]}" for animal, n in enumerate(herd) if n
    ]
    return listed(parts) if parts else "nothing"


def turns(value: float) -> str:
    """Return a number of turns, in as many digits as it takes to see it."""
    digits = next((n for n in range(2, _MOST_DIGITS) if round(value, n)), _MOST_DIGITS)
    return f"{value:.{digits if value else 2}f} turns"


def sized(one: Estimate) -> str:
    """Return a difference of win rates with its interval, without a sign."""
    value, low, high = 100 * one.value, 100 * one.low, 100 * one.high
    if value < 0:
        value, low, high = -value, -high, -low
    digits = 1 if min(abs(low), abs(high)) >= _SHOWN else 2  # no end that looks like nothing
    return f"{value:.{digits}f} percentage points ({low:.{digits}f} to {high:.{digits}f})"


def ranging(found: Sequence[Estimate], unit: str = " percentage points") -> str:
    """Return from where to where differences lie, without a sign where all have the same."""
    values = [100 * one.value for one in found]
    if min(values) < 0 < max(values):
        return f"{min(values):+.1f} to {max(values):+.1f}{unit}"
    low, high = (f"{one:.1f}" for one in sorted(abs(value) for value in (min(values), max(values))))
    return f"{low}{unit}" if low == high else f"{low} to {high}{unit}"


def buyer(way: str, habits: Habits) -> str:
    """Return somebody by when he buys."""
    if way != TUNED:
        return f"one who {BUYING[way]}"
    when = RULES_OF_THUMB[habits.players[TUNED]]
    return f"one who buys {when}, the fastest of {in_words(len(RULES_OF_THUMB))} rules of thumb,"


def habit_sentences(habits: Habits, alone: Turns) -> list[str]:
    """Return what each way to buy does to the win rate."""
    found, is_first = [], True
    for way in habits.buyers:
        who, gains = buyer(way, habits), habits.gains(way)
        if habits.is_idle(way):
            text = f"{who} came out as one who never does in every single game"
        elif len({kind_of_wins(one) for one in gains.values()}) > 1:
            text = _by_table(who, gains)
        else:
            text = _at_every_table(who, gains, in_full=is_first)
            is_first = False
        found.append(f"{text[0].upper()}{text[1:]}{_slower(way, alone)}.")
    return found


def _slower(way: str, alone: Turns) -> str:
    """Return by how much a rule of thumb is slower or faster alone; exact."""
    mine, never = alone[way], alone[NEVER]
    if way != TUNED or mine is None or never is None or mine == never:
        return ""
    return f", and alone takes {turns(abs(mine - never))} {'more' if mine > never else 'less'}"


def _at_every_table(who: str, gains: Gains, *, in_full: bool) -> str:
    """Return what a way does where it is the same at every table."""
    here, found = gains[REFERENCE, NEVER], list(gains.values())
    kind = kind_of_wins(here)
    sizes = listed(list(dict.fromkeys(size for size, _ in gains)))
    every = f"at every table of {sizes}, whatever the others do"
    if kind == Kind.OPEN:
        return f"of {who.rstrip(',')} it is not settled at any table"
    often = {Kind.HIGHER: "more often", Kind.LOWER: "less often", Kind.TIE: "as often"}[kind]
    if kind == Kind.TIE:
        within = f"{often} as one who never does, within ± {100 * MARGIN_OF_WIN:g} points"
        return f"{who} wins {within}{f', {every}' if in_full else ''}"
    if not in_full:
        return f"{who} wins {ranging(found)} {often}"
    return (
        f"with {REFERENCE} players {who} wins {sized(here)} {often} than one who never does; so "
        f"it is {every}, by {ranging(found, '')}"
    )


def _by_table(who: str, gains: Gains) -> str:
    """Return what a way does at how many tables; at which, if it gains at some and loses at some.

    All tables one by one are in the data.
    """
    by_kind = {kind: [one for one in gains.values() if kind_of_wins(one) == kind] for kind in DOES}
    if by_kind[Kind.HIGHER] and by_kind[Kind.LOWER]:
        parts = [_with_players(sizes, rows) for sizes, rows in _by_size(gains)]
    else:
        parts = [
            f"{DOES[kind]} at {len(rows)} of {len(gains)} tables ({ranging(rows)})"
            for kind, rows in by_kind.items()
            if rows
        ]
    return f"of {who.rstrip(',')}: buying {'; '.join(parts)}"


def _by_size(gains: Gains) -> list[tuple[list[int], list[Estimate]]]:
    """Return the tables by number of players, those together at which it is alike."""
    found: list[tuple[list[int], list[Estimate]]] = []
    for size, group in groupby(gains.items(), lambda item: item[0][0]):
        rows = [one for _, one in group]
        if found and _kinds(found[-1][1]) == _kinds(rows):
            found[-1][0].append(size)
            found[-1][1].extend(rows)
        else:
            found.append(([size], rows))
    return found


def on_what(gains: Gains) -> str:
    """Return on what it depends whether a way gains or loses."""
    is_by_size = all(not {Kind.HIGHER, Kind.LOWER} <= _kinds(rows) for _, rows in _by_size(gains))
    return "how many play" if is_by_size else "how many play, and how the others do"


def _kinds(rows: Sequence[Estimate]) -> set[str]:
    return {kind_of_wins(one) for one in rows}


def _with_players(sizes: Sequence[int], rows: Sequence[Estimate]) -> str:
    says = listed([DOES[kind] for kind in DOES if kind in _kinds(rows)], "or")
    others = ", by what the others do," if len(_kinds(rows)) > 1 else ""
    return f"{says}{others} with {listed(sizes)} players ({ranging(rows)})"
