"""Findings: figures with their intervals, as answers and reports list them."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, Self

from herdlab.analysis.stats.estimates import Estimate, wilson

POINTS, PER_CENT, TURNS = "percentage points", "%", "turns"


@dataclass(frozen=True)
class Finding:
    """A figure of an answer, with its interval; an exact one is its own interval."""

    section: str
    label: str
    value: float | None
    low: float | None
    high: float | None
    unit: str
    is_exact: bool = False

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
        }

    @classmethod
    def from_json(cls, one: Mapping[str, Any]) -> Self:
        """Return what `as_json` was made from."""
        ends = one["ci_low"], one["ci_high"]
        return cls(one["section"], one["label"], one["value"], *ends, one["unit"], one["exact"])


def exactly(section: str, label: str, value: float | None, unit: str) -> Finding:
    """Return a figure that was worked out, not measured; None: there is no such figure."""
    return Finding(section, label, value, value, value, unit, is_exact=True)


def measured(section: str, label: str, one: Estimate, unit: str) -> Finding:
    """Return a figure with its interval; rates as per cent or percentage points."""
    scale = 100 if unit in (POINTS, PER_CENT) else 1
    return Finding(section, label, scale * one.value, scale * one.low, scale * one.high, unit)


def without_winner(label: str, share: float, games: int) -> Finding:
    """Return the share of so many independent games that nobody won."""
    return measured("games without a winner", label, wilson(round(share * games), games), PER_CENT)
