"""Histograms of a result: how often a number took which values, and its quantiles."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate, zip_longest
from typing import Any, Self

from herdlab.analysis.sampling.curves import LineSeats
from herdlab.simcore.game import Game, Histogram
from herdlab.simcore.rules import Rules
from herdlab.simcore.sums import Sums


@dataclass(frozen=True)
class HistogramCounts:
    """A histogram: counts[i] values from low + i * width on; both ends include what is beyond."""

    low: int
    width: int
    counts: list[int]
    beyond: int | None = None
    """The last bin, if it has all values beyond it too."""

    def as_json(self) -> dict[str, Any]:
        """Return it without the empty bins at either end."""
        filled = [place for place, n in enumerate(self.counts) if n] or [0, -1]
        first, last = filled[0], filled[-1]
        low = self.low + self.width * first
        return {"low": low, "width": self.width, "counts": self.counts[first : last + 1]}

    @classmethod
    def from_json(cls, game: Game, rules: Rules, name: str, one: Mapping[str, Any]) -> Self:
        """Return what `as_json` was made from, but for empty bins at the end."""
        low, width, counts = one["low"], one["width"], list(one["counts"])
        known = [histogram for histogram in game.histograms if histogram.name == name]
        if not known:
            return cls(low, width, counts)
        first = known[0].scale(rules) * known[0].low
        return cls(first, width, [0] * ((low - first) // width) + counts, known[0].bins - 1)

    def quantile(self, share: float) -> int:
        """Return the smallest value that `share` of all do not exceed; of a wide bin its last."""
        return self.low + self.width * (self._bin(share) + 1) - 1

    def quantile_in_words(self, share: float) -> str:
        """Return the quantile; from an end bin, which has all beyond it too, with ≤ or ≥."""
        place, value = self._bin(share), self.quantile(share)
        if self.width > 1 and place == 0:
            return f"≤{value}"
        return f"≥{value - self.width + 1}" if 0 < place == self.beyond else f"{value}"

    def _bin(self, share: float) -> int:
        wanted = share * sum(self.counts)
        below = enumerate(accumulate(self.counts))
        return next((place for place, seen in below if seen >= wanted and seen), 0)


def histograms(
    game: Game, rules: Rules, rotations: list[Sums], every: list[LineSeats]
) -> dict[str, HistogramCounts | list[HistogramCounts]]:
    """Return the histograms of a result; the length's, for games without parts, is by game."""
    found: dict[str, HistogramCounts | list[HistogramCounts]] = {}
    if game.part is None:
        columns = zip_longest(*(s.lengths for s in rotations), fillvalue=0)
        lengths = [sum(counts) for counts in columns]
        found["length"] = HistogramCounts(0, 1, lengths)

    def counted(one: Histogram, keyed: list[tuple[Sums, str]]) -> HistogramCounts:
        parts = [s.tallied(game.tallies(s.n_players)[f"histogram {key}"]) for s, key in keyed]
        counts, scale = [sum(column) for column in zip(*parts, strict=True)], one.scale(rules)
        return HistogramCounts(scale * one.low, scale * one.width, counts, one.bins - 1)

    for one in game.histograms:
        found[one.name] = (
            [counted(one, [(s, f"{one.name}_{seat}") for s, seat in sat]) for sat in every]
            if one.per_seat
            else counted(one, [(s, one.name) for s in rotations])
        )
    return found
