"""How numbers and their intervals are written for people: in figures, in tables, in sentences."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import floor, isfinite, log10
from statistics import median
from typing import Any

from herdlab.analysis.stats.estimates import LOPSIDED

_LONG = 10_000
"""Numbers from here on have commas."""


def bound(text: str) -> str:
    """Return a text whose lines do not end between a number and its per cent, or after a ±."""
    return _BOUND.sub("\N{NO-BREAK SPACE}", text)


_BOUND = re.compile(r"(?<=\d) (?=%)|(?<=±) (?=\d)")
"""The blanks of "± 0.6 %"."""


def percent(rate: float, digits: int = 2) -> str:
    """Return a rate as per cent, such as "33.40 %"."""
    return f"{100 * rate:.{digits}f} %"


def written(value: float, digits: int = 1, unit: str = "", sign: str = "-") -> str:
    """Return a number as figures show it: "−3.5 %"; `sign` "+" shows the sign of all but zero."""
    if not isfinite(value):
        return "unknown"
    value = round(value, digits) + 0.0  # no -0.0
    comma = "," if abs(value) >= _LONG else ""
    number = f"{value:{sign if value else '-'}{comma}.{digits}f}".replace("-", "\u2212")
    return f"{number}\u00a0{unit}" if unit else number


def spanned(one: Iterable[Any], digits: int, unit: str = "", sign: str = "-") -> str:
    """Return value, low and high in words, such as "33.4 % (33.1 to 33.7)"."""
    value, low, high = one
    found = written(value, digits, unit, sign)
    known = [end for end in (low, high) if end is not None]
    if not known or not all(map(isfinite, known)):
        return found
    ends = " to ".join(written(end, digits, sign=sign) for end in known)
    return f"{found} ({opening(low, high)}{ends})"


def opening(low: float | None, high: float | None) -> str:
    """Return what stands before the only end of an interval, nothing before two."""
    return "below " if low is None else "above " if high is None else ""


def first_of(told: Sequence[str], what: str, most: int = 12) -> str:
    """Return what is told to who cannot see a picture; of many things the first."""
    more = len(told) - most
    return "; ".join(told[:most]) + (f"; and {more} more {what}" if more > 0 else "")


def digits_of(halves: Iterable[float], few: int = 3, most: int = 6) -> int:
    """Return the decimals with which half-widths have about two digits; `few` where none is."""
    known = [half for half in halves if isfinite(half) and half > 0]
    return min(most, max(0, 1 - floor(log10(median(known))))) if known else few


def digits_for(low: float | None, high: float | None) -> int:
    """Return the decimals with which an interval's half-width has about two digits."""
    return 3 if low is None or high is None else digits_of([(high - low) / 2])


@dataclass(frozen=True)
class Look:
    """How an estimate is written: its scale, its decimals, and whether a plus is."""

    scale: float = 1
    digits: int | None = None
    """None: as many as its interval is worth."""
    sign: str = ""

    def number(self, value: float, low: Any = None, high: Any = None) -> str:
        """Return a value, which its interval tells how many decimals it deserves."""
        digits = digits_for(low, high) if self.digits is None else self.digits
        return f"{self.scale * value:{self.sign}z.{digits}f}"

    def between(self, low: float | None, high: float | None) -> str:
        """Return an interval, without its unit; "unknown" if it has no ends."""
        known = [end for end in (low, high) if end is not None]
        if not known or not all(map(isfinite, known)):
            return "unknown"
        return opening(low, high) + " to ".join(self.number(end, low, high) for end in known)

    def whole(self, value: float, low: float | None, high: float | None) -> str:
        """Return such as "5.3 (5.0 to 5.7)"."""
        return f"{self.number(value, low, high)} ({self.between(low, high)})"

    def half(self, value: float, low: float, high: float, most: float = LOPSIDED) -> str:
        """Return such as "5.3 ± 0.4", with the longer side; in full if it is far the longer."""
        if not high > low:
            return self.number(value, low, high)
        sides = high - value, value - low
        if max(sides) > most * min(sides):
            return self.whole(value, low, high)
        size = Look(self.scale, digits_for(low, high) if self.digits is None else self.digits)
        return f"{self.number(value, low, high)} ± {size.number(max(sides))}"


RATE, POINTS = Look(100, 2), Look(100, 2, "+")
"""In per cent, and in percentage points."""
MEAN, CHANGE = Look(), Look(sign="+")
