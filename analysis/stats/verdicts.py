"""The one rule for verdicts on a difference: clearly higher, clearly lower, tie or open.

Everything that judges a difference asks `kind_of`; docs/statistics.md states the rule.
"""

from enum import StrEnum
from math import ceil, isfinite
from typing import Protocol

from herdlab.analysis.stats.estimates import Estimate

MARGIN_OF_WIN = 0.005
"""Win rates that surely differ by less are a tie, unless the user gives another margin."""
_LIKELY = 0.6
"""A half-width of this part of the difference excludes 0 nine times in ten, if it is the truth."""


class Kind(StrEnum):
    """What a difference of A compared with B comes to."""

    HIGHER = "higher"
    """A is clearly higher: the interval lies above 0, and not wholly inside the margin."""
    LOWER = "lower"
    TIE = "tie"
    """The interval lies inside the margin, whatever its sign."""
    OPEN = "open"
    """Too close to call with the deals played."""
    SAME = "same"
    """Identical on every deal; `kind_of` never returns it, since an interval cannot show it."""


class Interval(Protocol):
    """Anything with two ends; None where an end is not known."""

    @property
    def low(self) -> float | None:
        """Return the lower end."""

    @property
    def high(self) -> float | None:
        """Return the upper end."""


def kind_of(
    difference: Interval, margin: float = 0.0, *, zero: float = 0.0, is_real: bool | None = None
) -> Kind:
    """Return the verdict on a difference, from its interval.

    Differences smaller than `margin` are a tie; without a margin there are no ties.  `zero` is the
    value that means no difference.  Where a test of many pairs together decides, `is_real` says
    whether it excludes `zero`; the interval must then hold for all pairs together too.
    """
    if difference.low is None or difference.high is None:
        return Kind.OPEN
    low, high = difference.low - zero, difference.high - zero
    if -margin < low and high < margin:
        return Kind.TIE
    if is_real is None:
        is_real = low > 0 or high < 0
    if not is_real:
        return Kind.OPEN
    return Kind.HIGHER if low + high > 0 else Kind.LOWER


def kind_of_wins(difference: Interval) -> Kind:
    """Return the verdict on a difference of win rates, with the usual margin."""
    return kind_of(difference, MARGIN_OF_WIN)


def is_clear(kind: Kind) -> bool:
    """Return whether one of the two is clearly higher."""
    return kind in (Kind.HIGHER, Kind.LOWER)


def more_to_settle(one: Estimate, margin: float = 0.0) -> int | None:
    """Return about how many more deals would end in a verdict; None if nothing tells."""
    half = (one.high - one.low) / 2
    wanted = _LIKELY * max(abs(one.value), margin - abs(one.value))
    if not wanted or not isfinite(half):
        return None
    return max(1, ceil(one.n * ((half / wanted) ** 2 - 1)))
