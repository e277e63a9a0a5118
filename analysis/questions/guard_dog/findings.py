"""The figures of the Guard Dog's answer, by section, and what to bear in mind with them."""

from typing import Any

from herdlab.analysis.findings import (
    PER_CENT,
    POINTS,
    TURNS,
    Finding,
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
        rows += [
            measured(section, f"{WAYS[way]}, {size} players", gains[size, NEVER], POINTS)
            for size in SIZES
        ]
        rows += _extremes(way, gains)
    if found.habits.unfinished:
        deals = min(found.habits.found[size, NEVER].deals for size in SIZES)
        rows.append(without_winner("nobody buys, at most", found.habits.unfinished, deals))
    gains = found.habits.gains(SPARE)
    rows += [
        measured(SPARING, WAYS[others], gains[REFERENCE, others], POINTS)
        for size, others in gains
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
            rows[label] = measured(RANGE, label, gains[size, others], POINTS)
    return list(rows.values())


def _perfect(found: Found) -> list[Finding]:
    exact, section = found.exact, "Turns alone, by when one buys"
    rows = [
        exactly(section, WAYS[way], found.turns[way], TURNS) for way in (NEVER, SPARE, FIRST, TUNED)
    ]
    mine, never = found.turns[TUNED], found.turns[NEVER]
    if mine is not None and never is not None:
        rows.append(exactly(section, f"{WAYS[TUNED]}, less never", mine - never, TURNS))
    rows += [
        exactly(section, "perfect play that never buys", exact.turns[ROLLED_ONLY], TURNS),
        exactly(section, "perfect play that may buy", exact.turns[SOLD], TURNS),
    ]
    section = "What buying saves with perfect play"
    if exact.best.herd is not None:
        herd = described(exact.best.herd[:DOG])
        rows.append(exactly(section, f"at best: {herd}", exact.best.gain, TURNS))
    rows += [
        exactly(section, "on average, where one can buy", exact.usual.gain, TURNS),
        exactly(section, "of that the dog", exact.usual.worth, TURNS),
        exactly(section, "of that its price", -exact.usual.price, TURNS),
        exactly(section, "in all, from the deal", exact.buying, TURNS),
    ]
    section = "What being able to buy adds to perfect play's win rate"
    if found.perfect is not None:
        rows.append(measured(section, f"{REFERENCE} players", found.perfect, POINTS))
    rows += [
        exactly(section, f"in a mere race, {players} players", 100 * gain, POINTS)
        for players, gain in found.race.items()
    ]
    section = f"Win rate of buying now, less that of the best other move, {REFERENCE} players"
    rows += [
        measured(section, f"with {described(one.herd)}", one.buying, POINTS)
        for one in found.moments
        if one.buying is not None
    ]
    return rows


def _owning(found: Found) -> list[Finding]:
    section = "What owning a dog saves"
    rows = []
    for stage in found.exact.stages:
        rows.append(exactly(section, f"{stage.name}, on average", stage.owning, TURNS))
    for stage in found.exact.stages:
        rows.append(exactly(section, described(stage.herd), stage.of_herd, TURNS))
    if found.exact.most_owned:
        rows.append(exactly(section, "at most, with any herd", found.exact.most_owned, TURNS))
    section = f"Win rate with a dog, less that without, {REFERENCE} players"
    rows += [measured(section, described(one.herd), one.owning, POINTS) for one in found.moments]
    return rows


def _hazards(found: Found) -> list[Finding]:
    section, rows = "What a fox or a wolf costs, beside a roll that does nothing", []
    for one in found.exact.hazards:
        rows += [
            exactly(section, f"{one.name}, without a dog", one.costs_without, TURNS),
            exactly(section, f"{one.name}, with a dog", one.costs_with, TURNS),
        ]
    section = "How many a player alone meets"
    for one in found.exact.hazards:
        rows += [
            exactly(section, f"{one.name}, without a dog", one.met_without, TIMES),
            exactly(section, f"{one.name}, with a dog", one.met_with, TIMES),
        ]
    return rows


def _free(found: Found) -> list[Finding]:
    exact = found.exact
    if not shows_dog(exact.rules):
        return []
    section = "The free dog on the dice"
    return [
        exactly(section, "perfect play without any dog", exact.turns[NONE], TURNS),
        exactly(section, "what the free one saves", exact.free, TURNS),
        exactly(section, "turns with one, never buying", 100 * exact.has_dog, PER_CENT),
    ]


def _elsewhere(found: Found) -> list[Finding]:
    if not found.elsewhere:
        return []
    rows = [measured(ELSEWHERE, "as given", found.spare, POINTS)]
    rows += [measured(ELSEWHERE, one.variant.label, one.spare, POINTS) for one in found.elsewhere]
    known = [
        ("as given", found.exact),
        *((one.variant.label, one.exact) for one in found.elsewhere),
    ]
    section = "The same: what perfect play saves by being able to buy"
    rows += [exactly(section, label, one.buying, TURNS) for label, one in known]
    section = "The same: what the free dog saves"
    rows += [exactly(section, label, one.free, TURNS) for label, one in known]
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
        f"{one.variant.label}: {one.variant.why}"
        for one in found.elsewhere
        if one.variant.is_dice and "=" not in one.variant.label
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
