"""Other rules under which the Guard Dog is looked at again: readings, and pairs of dice.

The rulebook's text does not give the faces (H6).  What it says leaves room for several pairs; each
one here has a reason.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.studies.readings import other_readings


class Pair(NamedTuple):
    """A pair of dice that the rulebook's text allows, or that its parent game suggests."""

    name: str
    wolf_die: str
    fox_die: str
    why: str


_SWAPPED = "the text puts fox and skunk on different dice, and says nothing of dog and T"
_RABBITS = "the three new pictures in place of rabbits, which the parent game has most of"
_SHEEP = "the three new pictures in place of two sheep and a pig"
_TWO_DOGS = "a second free dog, in place of a rabbit"
_HARSH = "a harsher game, in which a dog has twice as much to do"
PAIRS = (
    Pair("dog and T swapped", "5R2SPCWKD", "5R2S2PHFT", _SWAPPED),
    Pair("only rabbits replaced", "4R3SPCWKT", "5R2S2PHFD", _RABBITS),
    Pair("no rabbit replaced", "6RSPCWKT", "6R2SPHFD", _SHEEP),
    Pair("a dog on both dice", "4R2SPCWKTD", "5R2S2PHFD", _TWO_DOGS),
    Pair("two foxes, two wolves", "4R2SPC2WKT", "4R2S2PH2FD", _HARSH),
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
