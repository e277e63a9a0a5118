"""`--precision`: play until all win rates are known closely; they share one chance of error."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from herdlab.analysis.stats.estimates import CONFIDENCE, Estimate, rate_of
from herdlab.simcore.errors import BadInput

FIRST_LOOK = 1_000
_LEAST_PRECISION, _MOST_PRECISION = 1e-6, 0.5
_TUNED_TO = 1_000_000
_LEAST_VARIANCE = 0.01
"""What a sequence is tuned to at least, where one player plays alone and always wins."""


@dataclass(frozen=True)
class WinSums:
    """Shares of wins added up over deals, in whole units of 1 / scale."""

    total: int
    squares: int
    scale: int

    def rate(self, n: int) -> Estimate:
        """Return the win rate over `n` deals from its sample variance."""
        return rate_of(self.total, self.squares, n, scale=self.scale)


class PrecisionGoal:
    """Whether win rates are known to within ± `half`, asked after every batch."""

    def __init__(self, half: float, rates: int, fair: float) -> None:
        """Begin with no games; `fair` is about what each of the `rates` is expected to be.

        The sequences are the tightest where `half` is reached, but at the latest after `_TUNED_TO`
        deals: one tuned to many more says little for long.
        """
        from herdlab.analysis.stats.confidence_sequences import (  # brings scipy, a quarter second
            BoundedSequence,
            v_for_half_width,
        )

        check_precision(half)
        self.half = half
        alpha = (1 - CONFIDENCE) / rates
        variance = max(_LEAST_VARIANCE, fair * (1 - fair))
        v = min(v_for_half_width(half, variance, alpha, 0, 1), _TUNED_TO * variance)
        self._tracks = [BoundedSequence(0, 1, alpha, v, fair) for _ in range(rates)]
        self._seen = [WinSums(0, 0, 1)] * rates
        self._n = 0

    def take_in(self, n: int, won: Sequence[WinSums]) -> None:
        """Look at all `n` deals so far."""
        if n == self._n:
            return
        for track, seen, one in zip(self._tracks, self._seen, won, strict=True):
            total, squares = one.total - seen.total, one.squares - seen.squares
            track.add(n - self._n, total / one.scale, squares / one.scale**2)
        self._n, self._seen = n, list(won)

    @property
    def rates(self) -> list[Estimate]:
        """The win rates, with intervals that hold whenever one stops."""
        return [track.interval() for track in self._tracks]

    @property
    def widest(self) -> float:
        """The largest half-width."""
        return max(one.half_width for one in self.rates)

    @property
    def needed(self) -> int:
        """About how many deals it will take in all."""
        return ceil(self._n * (self.widest / self.half) ** 2)

    @property
    def is_reached(self) -> bool:
        """Whether all are known closely enough."""
        return self.widest <= self.half


def check_precision(half: float) -> None:
    """Refuse a half-width that is not between 0 and a half."""
    if not _LEAST_PRECISION <= half < _MOST_PRECISION:
        raise BadInput(
            f"the precision is the half-width of a win rate's interval, such as 0.001 for ± 0.1 "
            f"percentage points, from {_LEAST_PRECISION:g} to below {_MOST_PRECISION:g}, and got "
            f"{half:g}"
        )
