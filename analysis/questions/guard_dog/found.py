"""All that is found out about the Guard Dog, before it is put into words."""

from dataclasses import dataclass

from herdlab.analysis.questions.guard_dog.dice import Variant
from herdlab.analysis.questions.guard_dog.habits import (
    NEVER,
    REFERENCE,
    SPARE,
    Habits,
    Moment,
    Turns,
)
from herdlab.analysis.questions.guard_dog.solo import Exact
from herdlab.analysis.questions.ways import Weighed
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.verdicts import Kind, kind_of_wins

PAYS = 0.01
"""Turns from which on buying at the right moments is worth speaking of."""


@dataclass(frozen=True)
class Elsewhere:
    """What was found under other rules."""

    variant: Variant
    exact: Exact
    turns: Turns
    habits: Weighed
    perfect: Estimate | None
    """What buying adds to perfect play's win rate; None where it never buys."""

    @property
    def spare(self) -> Estimate:
        """What buying whenever one can spare it adds to the win rate."""
        return self.habits.less(SPARE, NEVER)

    @property
    def kind(self) -> Kind:
        """The verdict on that."""
        return kind_of_wins(self.spare)


@dataclass(frozen=True)
class Found:
    """All that an answer is composed from."""

    exact: Exact
    turns: Turns
    habits: Habits
    moments: list[Moment]
    race: dict[int, float]
    """By players: what being able to buy adds to the chance in a race, exact."""
    perfect: Estimate | None
    """What buying adds to perfect play's win rate; None where it never buys."""
    elsewhere: list[Elsewhere]
    endless: list[Variant]
    """Other rules under which even perfect play may never complete a herd: left out."""

    @property
    def spare(self) -> Estimate:
        """What was measured elsewhere too, under the rules as given."""
        return self.habits.gains(SPARE)[REFERENCE, NEVER]

    @property
    def kinds(self) -> dict[str, set[str]]:
        """By way to buy, what was found at the tables."""
        return {
            way: {kind_of_wins(one) for one in self.habits.gains(way).values()}
            for way in self.habits.buyers
        }

    @property
    def is_settled(self) -> bool:
        """Whether nothing is open that the verdict speaks of."""
        measured = [one.spare for one in self.elsewhere]
        measured += [self.perfect] if self.perfect is not None else []
        kinds = set().union(*self.kinds.values(), (kind_of_wins(one) for one in measured))
        return Kind.OPEN not in kinds


def pays(exact: Exact) -> bool:
    """Whether perfect play gains by buying what is worth speaking of."""
    return exact.is_ever_bought and exact.buying >= PAYS
