"""Other rules under which the Guard Dog is looked at again: readings, and pairs of dice.

The rulebook's text does not give the faces (H6).  What it says leaves room for several pairs; each
one here has a reason.
"""

from dataclasses import dataclass
from typing import Any

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.studies.readings import other_readings


@dataclass(frozen=True)
class Pair:
    """A pair of dice that the rulebook's text allows, or that its parent game suggests."""

    name: str
    wolf_die: str
    fox_die: str
    why: str


PAIRS = (
    Pair(
        "dog and T swapped",
        "5R2SPCWKD",
        "5R2S2PHFT",
        "the text puts fox and skunk on different dice, and says nothing of dog and T",
    ),
    Pair(
        "only rabbits replaced",
        "4R3SPCWKT",
        "5R2S2PHFD",
        "the three new pictures in place of rabbits, which the parent game has most of",
    ),
    Pair(
        "no rabbit replaced",
        "6RSPCWKT",
        "6R2SPHFD",
        "the three new pictures in place of two sheep and a pig",
    ),
    Pair(
        "a dog on both dice",
        "4R2SPCWKTD",
        "5R2S2PHFD",
        "a second free dog, in place of a rabbit",
    ),
    Pair(
        "two foxes, two wolves",
        "4R2SPC2WKT",
        "4R2S2PH2FD",
        "a harsher game, in which a dog has twice as much to do",
    ),
)


@dataclass(frozen=True)
class Variant:
    """The rules with something changed."""

    label: str
    experiment: Experiment
    is_dice: bool
    why: str
    """Where it comes from: a clause, or why dice are plausible."""
    is_named: bool = False
    """Whether its label is a name of ours and no setting of the rules."""

    @property
    def change(self) -> str:
        """What is changed, in a word."""
        return "dice" if self.is_dice else "readings"


def variants(experiment: Experiment) -> list[Variant]:
    """Return every other reading, and every other pair of dice, one at a time."""
    given: Any = experiment.rules
    found = []
    for one in other_readings(experiment):
        rules: Any = one.experiment.rules
        found.append(Variant(one.setting, one.experiment, rules.dice != given.dice, one.clause))
    for pair in PAIRS:
        under = experiment.under(wolf_die=pair.wolf_die, fox_die=pair.fox_die)
        if under.rules != experiment.rules:
            faces = f"wolf_die={pair.wolf_die}, fox_die={pair.fox_die}: {pair.why}"
            found.append(Variant(pair.name, under, is_dice=True, why=faces, is_named=True))
    return found
