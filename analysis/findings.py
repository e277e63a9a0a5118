"""Findings: numbers with their intervals, as answers and reports list them.

What a figure is of stands in fields; its section and its label say the same to people, and nothing
is read back out of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import isfinite
from typing import Any, Self

from herdlab.analysis.stats.estimates import Estimate, wilson
from herdlab.analysis.stats.verdicts import MARGIN_OF_WIN, Kind, kind_of

POINTS, PER_CENT, TURNS = "percentage points", "%", "turns"
MARGIN = 100 * MARGIN_OF_WIN
"""Within this, in percentage points, differences of win rates are a tie."""


@dataclass(frozen=True)
class Of:
    """What a figure is of, in fields."""

    what: str = ""
    """What was measured or compared; findings of one sort have the same."""
    who: str = ""
    """The way to play, the strategy or the seat that it is of."""
    against: str = ""
    """What that is compared with."""
    players: int | None = None
    others: str = ""
    """What all others at the table do."""
    change: str = ""
    """In what the game differs from the one asked about: its rules, their reading, the players."""
    under: str = ""
    """That change itself, such as a setting of the rules."""


NOT_SAID = Of()
"""Of findings that were kept before they said what they are of."""


@dataclass(frozen=True)
class Finding:
    """A figure of an answer, with its interval; an exact one is its own interval."""

    section: str
    label: str
    value: float | None
    low: float | None
    high: float | None
    unit: str
    of: Of = NOT_SAID
    is_exact: bool = False

    @property
    def margin(self) -> float | None:
        """Within what a difference of win rates is a tie; None for other findings."""
        return MARGIN if self.unit == POINTS else None

    @property
    def kind(self) -> Kind | None:
        """The verdict on a difference of win rates; None for other findings."""
        return None if self.margin is None else kind_of(self, self.margin)

    def as_json(self) -> dict[str, Any]:
        """Return it under the names that others rely on; an interval without an end has none."""
        low, high = (one if one is None or isfinite(one) else None for one in (self.low, self.high))
        return {
            "section": self.section,
            "label": self.label,
            "value": self.value,
            "ci_low": low,
            "ci_high": high,
            "unit": self.unit,
            "exact": self.is_exact,
            **vars(self.of),
            "margin": self.margin,
            "kind": self.kind,
        }

    @classmethod
    def from_json(cls, one: Mapping[str, Any]) -> Self:
        """Return what `as_json` was made from; older ones say only in words what they are of."""
        figure = one["value"], one["ci_low"], one["ci_high"], one["unit"]
        of = Of(**{key.name: one[key.name] for key in fields(Of) if key.name in one})
        return cls(one["section"], one["label"], *figure, of, one["exact"])


def exactly(section: str, label: str, value: float | None, unit: str, of: Of = NOT_SAID) -> Finding:
    """Return a figure that was worked out, not measured; None: there is no such figure."""
    return Finding(section, label, value, value, value, unit, of, is_exact=True)


def measured(section: str, label: str, one: Estimate, unit: str, of: Of = NOT_SAID) -> Finding:
    """Return a figure with its interval; rates as per cent or percentage points."""
    scale = 100 if unit in (POINTS, PER_CENT) else 1
    return Finding(section, label, scale * one.value, scale * one.low, scale * one.high, unit, of)


def without_winner(label: str, share: float, games: int, **where: Any) -> Finding:
    """Return the share of so many independent games that nobody won."""
    one, of = wilson(round(share * games), games), Of("no winner", **where)
    return measured("games without a winner", label, one, PER_CENT, of)
