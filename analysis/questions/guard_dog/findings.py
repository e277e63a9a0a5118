"""The findings of the Guard Dog's answer, by section, and what to bear in mind with them."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from herdlab.analysis.findings import (
    PER_CENT,
    POINTS,
    TURNS,
    Finding,
    Of,
    exactly,
    measured,
    without_winner,
)
from herdlab.analysis.questions.guard_dog import habits as played
from herdlab.analysis.questions.guard_dog.habits import FIRST, NEVER, REFERENCE, SPARE, TUNED
from herdlab.analysis.questions.guard_dog.solo import Exact, shows_dog
from herdlab.analysis.questions.guard_dog.verdict import Elsewhere, Found, seldom
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.verdicts import Kind, kind_of_wins
from herdlab.analysis.words.stories.herd import described
from herdlab.simcore.herd.lattice import NONE, ROLLED_ONLY, SOLD
from herdlab.simcore.herd.rules import DOG, HERD_VALUES

WAYS = {
    NEVER: "never",
    SPARE: "when they can spare it",
    FIRST: "before all else",
    TUNED: "by a rule of thumb",
    played.PERFECT: "when it is fastest",
}
"""When players buy, in few words."""
HABITS = "Win rate with buying, minus that without"
RANGE = "The same at the tables where it gains least and most"
SPARING = f"The same for when they can spare it, {REFERENCE} players, the others buying"
ELSEWHERE = f"Other readings and dice: when they can spare it, {REFERENCE} players"


def findings(found: Found) -> list[Finding]:
    """Return all findings, in the order in which one asks for them."""
    exact = found.exact
    return [
        *_habits(found.habits),
        *_perfect(found),
        *_owning(found),
        *_hazards(exact),
        *(_free(exact) if shows_dog(exact.rules) else ()),
        *(_elsewhere(found) if found.elsewhere else ()),
    ]


def _habits(habits: played.Habits) -> Iterator[Finding]:
    for way in habits.buyers:
        gains = habits.gains(way)
        for size in played.SIZES:
            label, of = f"{WAYS[way]}, {size} players", Of("habits", way, NEVER, size, NEVER)
            yield measured(HABITS, label, gains[size, NEVER], POINTS, of)
        for size, others in _extremes(gains):
            label = f"{WAYS[way]}, {size} players, others {WAYS[others]}"
            of = Of("range", way, NEVER, size, others)
            yield measured(RANGE, label, gains[size, others], POINTS, of)
    if habits.unfinished:
        deals = min(habits.found[size, NEVER].deals for size in played.SIZES)
        yield without_winner("nobody buys, at most", habits.unfinished, deals)
    for (size, others), one in habits.gains(SPARE).items():
        if size == REFERENCE and others != NEVER:
            of = Of("sparing", SPARE, NEVER, REFERENCE, others)
            yield measured(SPARING, WAYS[others], one, POINTS, of)


def _extremes(gains: Mapping[tuple[int, str], Estimate]) -> list[tuple[int, str]]:
    """Return the tables where a way gains least and most, of those with the same verdict."""
    found = []
    for kind in Kind:
        those = [table for table, one in gains.items() if kind_of_wins(one) == kind]
        found += [ends(those, key=lambda table: gains[table].value) for ends in (min, max) if those]
    return list(dict.fromkeys(found))


def _exactly(section: str, what: str, values: Mapping[str, float | None]) -> list[Finding]:
    """Return exact turns, by label."""
    return [exactly(section, name, one, TURNS, Of(what, name)) for name, one in values.items()]


def _perfect(found: Found) -> Iterator[Finding]:
    exact, turns = found.exact, found.turns
    alone = {WAYS[way]: turns[way] for way in (NEVER, SPARE, FIRST, TUNED)}
    mine, never = turns[TUNED], turns[NEVER]
    if mine is not None and never is not None:
        alone[f"{WAYS[TUNED]}, less never"] = mine - never
    alone["perfect play that never buys"] = exact.turns[ROLLED_ONLY]
    alone["perfect play that may buy"] = exact.turns[SOLD]
    yield from _exactly("Turns alone, by when one buys", "alone", alone)
    saves: dict[str, float | None] = {}
    if exact.best.herd is not None:
        saves[f"at best: {described(exact.best.herd[:DOG])}"] = exact.best.gain
    saves["on average, where one can buy"] = exact.usual.gain
    saves["of that the dog"] = exact.usual.worth
    saves["of that its price"] = -exact.usual.price
    saves["in all, from the deal"] = exact.buying
    yield from _exactly("What buying saves with perfect play", "buying saves", saves)
    section = "What being able to buy adds to perfect play's win rate"
    if found.perfect is not None:
        of = Of("perfect", SOLD, ROLLED_ONLY, REFERENCE, ROLLED_ONLY)
        yield measured(section, f"{REFERENCE} players", found.perfect, POINTS, of)
    for players, gain in found.race.items():
        label, of = f"in a mere race, {players} players", Of("race", SOLD, ROLLED_ONLY, players)
        yield exactly(section, label, 100 * gain, POINTS, of)
    section = f"Win rate of buying now, less that of the best other move, {REFERENCE} players"
    for one in found.moments:
        if one.buying is not None:
            herd = f"with {described(one.herd)}"
            yield measured(section, herd, one.buying, POINTS, Of("buying now", herd, "", REFERENCE))


def _owning(found: Found) -> Iterator[Finding]:
    stages, most = found.exact.stages, found.exact.most_owned
    saves: dict[str, float | None] = {f"{one.name}, on average": one.owning for one in stages}
    saves |= {described(one.herd): one.of_herd for one in stages}
    saves |= {"at most, with any herd": most} if most else {}
    yield from _exactly("What owning a dog saves", "owning saves", saves)
    section = f"Win rate with a dog, less that without, {REFERENCE} players"
    for one in found.moments:
        herd = described(one.herd)
        yield measured(section, herd, one.owning, POINTS, Of("owning now", herd, "", REFERENCE))


def _hazards(exact: Exact) -> Iterator[Finding]:
    rows = [
        (one.name, dog, cost, times)
        for one in exact.hazards
        for dog, cost, times in (
            ("without a dog", one.costs_without, one.met_without),
            ("with a dog", one.costs_with, one.met_with),
        )
    ]
    section = "What a fox or a wolf costs, beside a roll that does nothing"
    for name, dog, cost, _ in rows:
        yield exactly(section, f"{name}, {dog}", cost, TURNS, Of("costs", name, under=dog))
    section = "How many a player alone meets"
    for name, dog, _, times in rows:
        yield exactly(section, f"{name}, {dog}", times, "a game", Of("met", name, under=dog))


def _free(exact: Exact) -> Iterator[Finding]:
    section, label = "The free dog on the dice", "turns with one, never buying"
    saves = {
        "perfect play without any dog": exact.turns[NONE],
        "what the free one saves": exact.free,
    }
    yield from _exactly(section, "free", saves)
    yield exactly(section, label, 100 * exact.has_dog, PER_CENT, Of("free", label))


def _elsewhere(found: Found) -> Iterator[Finding]:
    of = Of("again", SPARE, NEVER, REFERENCE, NEVER)
    yield measured(ELSEWHERE, "as given", found.spare, POINTS, of)
    for one in found.elsewhere:
        under = replace(of, change=one.variant.change, under=one.variant.label)
        yield measured(ELSEWHERE, one.variant.label, one.spare, POINTS, under)
    exact = {"as given": found.exact, **{one.variant.label: one.exact for one in found.elsewhere}}
    section = "The same: what perfect play saves by being able to buy"
    yield from _exactly(section, "buying saves again", {n: one.buying for n, one in exact.items()})
    section = "The same: what the free dog saves"
    yield from _exactly(section, "free again", {n: one.free for n, one in exact.items()})


def notes(found: Found, *, is_quick: bool) -> list[str]:
    """Return what to bear in mind."""
    anchors, rules = played.ANCHORS, found.exact.rules
    said = [
        f"Who never buys is {anchors[NEVER]}; {anchors[SPARE]} buys when no trade up is left and a "
        f"rabbit and a sheep stay, {anchors[FIRST]} before all else on the same condition; the "
        f"rule of thumb is {found.habits.players[TUNED]}; each in every seat, among others who all "
        f"do the same",
        "Perfect play has the fewest turns on average alone, and what is exact is so for it: a "
        "player alone meets no skunk, and a T only bars the final trade; the win rates are from "
        "whole games, with both, and all intervals hold together with 95 %",
        "At a table perfect play may still take a dog from another player after a T, when it can "
        "make no other trade",
    ]
    if rules.skunks and "skunk" in {*rules.wolf_die, *rules.fox_die}:
        said.append(
            f"Who has a dog draws the skunk, which is in the win rates: it is given to the herd of "
            f"the highest value, in which a dog counts {HERD_VALUES[DOG]}"
        )
    does_not_pay = all(Kind.HIGHER not in kinds for kinds in found.kinds.values())
    if does_not_pay and not found.exact.is_ever_bought:
        said.append("The rulebook calls buying a dog 'usually a good idea'")
    said += seldom(found)
    variants = [one.variant for one in found.elsewhere]
    said += [f"{one.label}: {one.why}" for one in variants if one.is_named]
    said += [
        f"With {one.label} even perfect play may never complete a herd; it is left out"
        for one in found.endless
    ]
    if is_quick:
        said.append("Other readings and other dice were not tried; without --quick they are")
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
