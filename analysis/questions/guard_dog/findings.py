"""The figures of the Guard Dog's answer, by section, and what to bear in mind with them."""

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
    Moment,
)
from herdlab.analysis.questions.guard_dog.solo import shows_dog
from herdlab.analysis.questions.guard_dog.verdict import seldom
from herdlab.analysis.questions.guard_dog.words import described
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.verdicts import Kind, kind_of_wins
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


def _perfect(found: Found) -> list[Finding]:
    exact, section = found.exact, "Turns alone, by when one buys"
    rows = [
        exactly(section, WAYS[way], found.turns[way], TURNS, Of("alone", way))
        for way in (NEVER, SPARE, FIRST, TUNED)
    ]
    mine, never = found.turns[TUNED], found.turns[NEVER]
    if mine is not None and never is not None:
        label, of = f"{WAYS[TUNED]}, less never", Of("alone", TUNED, NEVER)
        rows.append(exactly(section, label, mine - never, TURNS, of))
    rows += [
        exactly(
            section,
            "perfect play that never buys",
            exact.turns[ROLLED_ONLY],
            TURNS,
            Of("alone", ROLLED_ONLY),
        ),
        exactly(section, "perfect play that may buy", exact.turns[SOLD], TURNS, Of("alone", SOLD)),
    ]
    section = "What buying saves with perfect play"
    if exact.best.herd is not None:
        herd = described(exact.best.herd[:DOG])
        rows.append(
            exactly(section, f"at best: {herd}", exact.best.gain, TURNS, Of("buying saves", herd))
        )
    rows += [
        exactly(
            section,
            "on average, where one can buy",
            exact.usual.gain,
            TURNS,
            Of("buying saves", "on average"),
        ),
        exactly(section, "of that the dog", exact.usual.worth, TURNS, Of("buying saves", "dog")),
        exactly(
            section, "of that its price", -exact.usual.price, TURNS, Of("buying saves", "price")
        ),
        exactly(
            section, "in all, from the deal", exact.buying, TURNS, Of("buying saves", "in all")
        ),
    ]
    section = "What being able to buy adds to perfect play's win rate"
    if found.perfect is not None:
        of = Of("perfect", SOLD, ROLLED_ONLY, REFERENCE, ROLLED_ONLY)
        rows.append(measured(section, f"{REFERENCE} players", found.perfect, POINTS, of))
    rows += [
        exactly(
            *(section, f"in a mere race, {players} players", 100 * gain, POINTS),
            Of("race", SOLD, ROLLED_ONLY, players),
        )
        for players, gain in found.race.items()
    ]
    section = f"Win rate of buying now, less that of the best other move, {REFERENCE} players"
    rows += [
        measured(section, label, one.buying, POINTS, Of("buying now", label, players=REFERENCE))
        for one in found.moments
        for label in [f"with {described(one.herd)}"]
        if one.buying is not None
    ]
    return rows


def _owning(found: Found) -> list[Finding]:
    section = "What owning a dog saves"
    rows = []
    for stage in found.exact.stages:
        label, of = f"{stage.name}, on average", Of("owning saves", stage.name)
        rows.append(exactly(section, label, stage.owning, TURNS, of))
    for stage in found.exact.stages:
        herd = described(stage.herd)
        rows.append(exactly(section, herd, stage.of_herd, TURNS, Of("owning saves", herd)))
    if found.exact.most_owned:
        label, of = "at most, with any herd", Of("owning saves", "at most")
        rows.append(exactly(section, label, found.exact.most_owned, TURNS, of))
    section = f"Win rate with a dog, less that without, {REFERENCE} players"
    rows += [
        measured(section, herd, one.owning, POINTS, Of("owning now", herd, players=REFERENCE))
        for one in found.moments
        for herd in [described(one.herd)]
    ]
    return rows


def _hazards(found: Found) -> list[Finding]:
    rows = []
    for what, section, unit in (
        ("costs", "What a fox or a wolf costs, beside a roll that does nothing", TURNS),
        ("met", "How many a player alone meets", TIMES),
    ):
        for one in found.exact.hazards:
            each = {"costs": (one.costs_without, one.costs_with)}
            without, with_dog = each.get(what, (one.met_without, one.met_with))
            for dog, value in (("without a dog", without), ("with a dog", with_dog)):
                label, of = f"{one.name}, {dog}", Of(f"hazards: {what}", one.name, under=dog)
                rows.append(exactly(section, label, value, unit, of))
    return rows


def _free(found: Found) -> list[Finding]:
    exact = found.exact
    if not shows_dog(exact.rules):
        return []
    section = "The free dog on the dice"
    return [
        exactly(
            section, "perfect play without any dog", exact.turns[NONE], TURNS, Of("alone", NONE)
        ),
        exactly(section, "what the free one saves", exact.free, TURNS, Of("free saves")),
        exactly(
            section, "turns with one, never buying", 100 * exact.has_dog, PER_CENT, Of("has dog")
        ),
    ]


def _elsewhere(found: Found) -> list[Finding]:
    if not found.elsewhere:
        return []
    of, rows = Of("again", SPARE, NEVER, REFERENCE, NEVER), list[Finding]()
    gains = [("as given", of, found.spare)]
    for one in found.elsewhere:
        under = replace(of, change=one.variant.change, under=one.variant.label)
        gains.append((one.variant.label, under, one.spare))
    rows += [measured(ELSEWHERE, label, gain, POINTS, each) for label, each, gain in gains]
    known = [
        ("as given", found.exact),
        *((one.variant.label, one.exact) for one in found.elsewhere),
    ]
    section = "The same: what perfect play saves by being able to buy"
    rows += [
        exactly(section, label, one.buying, TURNS, Of("buying saves", under=label))
        for label, one in known
    ]
    section = "The same: what the free dog saves"
    rows += [
        exactly(section, label, one.free, TURNS, Of("free saves", under=label))
        for label, one in known
    ]
    return rows


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
                "gain": [one.value, one.low, one.high],
                "kind": kind_of_wins(one),
            }
            for way in found.habits.buyers
            for (size, others), one in found.habits.gains(way).items()
        ],
        "moments": [_moment(one) for one in found.moments],
        "elsewhere": [_other(one) for one in found.elsewhere],
    }


def _moment(one: Moment) -> dict[str, Any]:
    buying = one.buying
    return {
        "herd": one.herd,
        "owning": [one.owning.value, one.owning.low, one.owning.high],
        "buying": None if buying is None else [buying.value, buying.low, buying.high],
    }


def _other(one: Elsewhere) -> dict[str, Any]:
    gains = {way: one.habits.less(way, NEVER) for way in (SPARE, FIRST)}
    perfect = one.perfect
    return {
        "label": one.variant.label,
        "rules_hash": one.variant.experiment.rules.hash,
        "settings": {
            key: value
            for key, value in one.variant.experiment.rules.as_dict().items()
            if key in ("wolf_die", "fox_die") or key in one.variant.experiment.rules.changed()
        },
        "exact": one.exact.as_data(),
        "turns_alone": one.turns,
        "gains": {way: [gain.value, gain.low, gain.high] for way, gain in gains.items()},
        "perfect": None if perfect is None else [perfect.value, perfect.low, perfect.high],
    }
