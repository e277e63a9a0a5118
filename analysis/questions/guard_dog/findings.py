"""The figures of the Guard Dog's answer, by section, and what to bear in mind with them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from herdlab.analysis.findings import (
    NO_WINNER,
    PER_CENT,
    POINTS,
    TURNS,
    Finding,
    Of,
    exactly,
    measured,
    without_winner,
)
from herdlab.analysis.questions.guard_dog.found import Elsewhere, Found
from herdlab.analysis.questions.guard_dog.habits import (
    ANCHORS,
    FIRST,
    NEVER,
    PERFECT,
    REFERENCE,
    SIZES,
    SPARE,
    TUNED,
)
from herdlab.analysis.questions.guard_dog.solo import shows_dog
from herdlab.analysis.questions.guard_dog.verdict import seldom
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.verdicts import Kind, kind_of_wins
from herdlab.analysis.words.stories.herd import described
from herdlab.simcore.herd.lattice import NONE, ROLLED_ONLY, SOLD
from herdlab.simcore.herd.rules import DOG, HERD_VALUES

WAYS = {
    NEVER: "never",
    SPARE: "when he can spare it",
    FIRST: "before all else",
    TUNED: "by a rule of thumb",
    PERFECT: "when it is fastest",
}
"""When somebody buys, in few words."""
OTHERS_BUY = {SPARE: "when they can spare it"}
"""The same of several, where it differs."""
TIMES = "a game"
HABITS = "Win rate of one who buys, less that of one who never does"
RANGE = "The same at the tables where it gains least and most"
SPARING = f"The same for when he can spare it, {REFERENCE} players, the others buying"
ELSEWHERE = f"Other readings and dice: when he can spare it, {REFERENCE} players"


def findings(found: Found) -> list[Finding]:
    """Return all figures, in the order in which one asks for them."""
    return [
        *_habits(found),
        *_perfect(found),
        *_owning(found),
        *_hazards(found),
        *_free(found),
        *_elsewhere(found),
    ]


def _habits(found: Found) -> list[Finding]:
    section, rows = HABITS, []
    for way in found.habits.buyers:
        gains = found.habits.gains(way)
        for size in SIZES:
            label, of = f"{WAYS[way]}, {size} players", Of("habits", way, NEVER, size, NEVER)
            rows.append(measured(section, label, gains[size, NEVER], POINTS, of))
        rows += _extremes(way, gains)
    if found.habits.unfinished:
        deals = min(found.habits.found[size, NEVER].deals for size in SIZES)
        rows.append(
            without_winner("nobody buys, at most", found.habits.unfinished, deals, NO_WINNER)
        )
    gains = found.habits.gains(SPARE)
    of = Of("sparing", SPARE, NEVER, REFERENCE)
    rows += [
        measured(SPARING, WAYS[others], one, POINTS, replace(of, others=others))
        for (size, others), one in gains.items()
        if size == REFERENCE and others != NEVER
    ]
    return rows


def _extremes(way: str, gains: dict[tuple[int, str], Estimate]) -> list[Finding]:
    """Return where a way gains least and most, of the tables with the same verdict."""
    rows = {}
    for kind in Kind:
        those = {table: one for table, one in gains.items() if kind_of_wins(one) == kind}
        for ends in (min, max) if those else ():
            size, others = ends(those, key=lambda table: gains[table].value)
            label = f"{WAYS[way]}, {size} players, others {WAYS[others]}"
            of = Of("range", way, NEVER, size, others)
            rows[label] = measured(RANGE, label, gains[size, others], POINTS, of)
    return list(rows.values())


def _exactly(section: str, what: str, values: Mapping[str, float | None]) -> list[Finding]:
    """Return exact turns, by label."""
    return [exactly(section, name, one, TURNS, Of(what, name)) for name, one in values.items()]


def _perfect(found: Found) -> list[Finding]:
    exact, turns = found.exact, found.turns
    alone = {WAYS[way]: turns[way] for way in (NEVER, SPARE, FIRST, TUNED)}
    mine, never = turns[TUNED], turns[NEVER]
    if mine is not None and never is not None:
        alone[f"{WAYS[TUNED]}, less never"] = mine - never
    alone["perfect play that never buys"] = exact.turns[ROLLED_ONLY]
    alone["perfect play that may buy"] = exact.turns[SOLD]
    saves: dict[str, float | None] = {
        "on average, where one can buy": exact.usual.gain,
        "of that the dog": exact.usual.worth,
        "of that its price": -exact.usual.price,
        "in all, from the deal": exact.buying,
    }
    if exact.best.herd is not None:
        saves = {f"at best: {described(exact.best.herd[:DOG])}": exact.best.gain, **saves}
    rows = _exactly("Turns alone, by when one buys", "alone", alone)
    rows += _exactly("What buying saves with perfect play", "buying saves", saves)
    section = "What being able to buy adds to perfect play's win rate"
    if found.perfect is not None:
        of = Of("perfect", SOLD, ROLLED_ONLY, REFERENCE, ROLLED_ONLY)
        rows.append(measured(section, f"{REFERENCE} players", found.perfect, POINTS, of))
    for players, gain in found.race.items():
        label, of = f"in a mere race, {players} players", Of("race", SOLD, ROLLED_ONLY, players)
        rows.append(exactly(section, label, 100 * gain, POINTS, of))
    section = f"Win rate of buying now, less that of the best other move, {REFERENCE} players"
    buying = [(f"with {described(one.herd)}", one.buying) for one in found.moments]
    return rows + _now(section, "buying now", buying)


def _now(section: str, what: str, gains: Sequence[tuple[str, Estimate | None]]) -> list[Finding]:
    return [
        measured(section, herd, gain, POINTS, Of(what, herd, players=REFERENCE))
        for herd, gain in gains
        if gain is not None
    ]


def _owning(found: Found) -> list[Finding]:
    stages, most = found.exact.stages, found.exact.most_owned
    saves: dict[str, float | None] = {f"{one.name}, on average": one.owning for one in stages}
    saves |= {described(one.herd): one.of_herd for one in stages}
    saves |= {"at most, with any herd": most} if most else {}
    section = f"Win rate with a dog, less that without, {REFERENCE} players"
    owning = [(described(one.herd), one.owning) for one in found.moments]
    rows = _exactly("What owning a dog saves", "owning saves", saves)
    return rows + _now(section, "owning now", owning)


def _hazards(found: Found) -> list[Finding]:
    costs, met = list[Finding](), list[Finding]()
    section = "What a fox or a wolf costs, beside a roll that does nothing"
    for one in found.exact.hazards:
        for dog, cost, times in (
            ("without a dog", one.costs_without, one.met_without),
            ("with a dog", one.costs_with, one.met_with),
        ):
            label, of = f"{one.name}, {dog}", Of("costs", one.name, under=dog)
            costs.append(exactly(section, label, cost, TURNS, of))
            of = Of("met", one.name, under=dog)
            met.append(exactly("How many a player alone meets", label, times, TIMES, of))
    return costs + met


def _free(found: Found) -> list[Finding]:
    exact, section, label = found.exact, "The free dog on the dice", "turns with one, never buying"
    if not shows_dog(exact.rules):
        return []
    saves: dict[str, float | None] = {
        "perfect play without any dog": exact.turns[NONE],
        "what the free one saves": exact.free,
    }
    has_dog = exactly(section, label, 100 * exact.has_dog, PER_CENT, Of("free", label))
    return [*_exactly(section, "free", saves), has_dog]


def _elsewhere(found: Found) -> list[Finding]:
    if not found.elsewhere:
        return []
    of = Of("again", SPARE, NEVER, REFERENCE, NEVER)
    rows, known = [measured(ELSEWHERE, "as given", found.spare, POINTS, of)], found.elsewhere
    for one in known:
        under = replace(of, change=one.variant.change, under=one.variant.label)
        rows.append(measured(ELSEWHERE, one.variant.label, one.spare, POINTS, under))
    exact = {"as given": found.exact, **{one.variant.label: one.exact for one in known}}
    section = "The same: what perfect play saves by being able to buy"
    rows += _exactly(section, "buying saves again", {n: one.buying for n, one in exact.items()})
    section = "The same: what the free dog saves"
    return rows + _exactly(section, "free again", {n: one.free for n, one in exact.items()})


def notes(found: Found, *, is_quick: bool) -> list[str]:
    """Return what to bear in mind."""
    tuned = found.habits.players[TUNED]
    said = [
        f"Who never buys is {ANCHORS[NEVER]}; {ANCHORS[SPARE]} buys when no trade up is left and a "
        f"rabbit and a sheep stay, {ANCHORS[FIRST]} before all else on the same condition; the "
        f"rule of thumb is {tuned}; each in every seat, among others who all do the same",
        "Perfect play has the fewest turns on average alone, and what is exact is so for it: a "
        "player alone meets no skunk, and a T only bars his final trade; the win rates are from "
        "whole games, with both, and all intervals hold together with 95 %",
        "At a table perfect play may still take a dog from another player after a T, when it can "
        "make no other trade",
    ]
    rules = found.exact.rules
    if rules.skunks and "skunk" in {*rules.wolf_die, *rules.fox_die}:
        said.append(
            f"Who has a dog draws the skunk, which is in his win rate: it is given to the herd of "
            f"the highest value, in which a dog counts {HERD_VALUES[DOG]}"
        )
    does_not_pay = all(Kind.HIGHER not in kinds for kinds in found.kinds.values())
    if does_not_pay and not found.exact.is_ever_bought:
        said.append("The rulebook calls buying a dog 'usually a good idea'")
    said += seldom(found)
    said += [
        f"{one.variant.label}: {one.variant.why}" for one in found.elsewhere if one.variant.is_named
    ]
    said += [
        f"With {one.label} even perfect play may never complete a herd; it is left out"
        for one in found.endless
    ]
    if is_quick:
        said.append(
            "Other readings of the rules and other dice were not tried; without --quick they are"
        )
    return said


def as_data(found: Found) -> dict[str, Any]:
    """Return all numbers, for JSON and the picture."""
    return {
        "exact": found.exact.as_data(),
        "turns_alone": found.turns,
        "race": {str(players): gain for players, gain in found.race.items()},
        "habits": [
            {
                "way": way,
                "strategy": found.habits.players[way],
                "players": size,
                "others": others,
                "lucks": found.habits.found[size, others].deals,
                "gain": _ends(one),
                "kind": kind_of_wins(one),
            }
            for way in found.habits.buyers
            for (size, others), one in found.habits.gains(way).items()
        ],
        "moments": [
            {"herd": one.herd, "owning": _ends(one.owning), "buying": _ends(one.buying)}
            for one in found.moments
        ],
        "elsewhere": [_other(one) for one in found.elsewhere],
    }


def _ends(one: Estimate | None) -> list[float] | None:
    return None if one is None else [one.value, one.low, one.high]


def _other(one: Elsewhere) -> dict[str, Any]:
    rules = one.variant.experiment.rules
    shown = {"wolf_die", "fox_die", *rules.changed()}
    return {
        "label": one.variant.label,
        "rules_hash": rules.hash,
        "settings": {key: value for key, value in rules.as_dict().items() if key in shown},
        "exact": one.exact.as_data(),
        "turns_alone": one.turns,
        "gains": {way: _ends(one.habits.less(way, NEVER)) for way in (SPARE, FIRST)},
        "perfect": _ends(one.perfect),
    }
