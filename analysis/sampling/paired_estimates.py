"""What paired samples come to: means, and differences deal by deal."""

from dataclasses import dataclass
from math import hypot, lcm
from typing import TYPE_CHECKING

from herdlab.analysis.stats import estimates
from herdlab.analysis.stats.estimates import CONFIDENCE, FAR, Estimate

if TYPE_CHECKING:
    from herdlab.analysis.sampling.paired_samples import PairedSamples, PairedSums
    from herdlab.analysis.stats.confidence_sequences import ConfidenceSequence

Sequences = dict[tuple[int, int | None], "ConfidenceSequence"]
"""By contender, or by the two of a difference."""


@dataclass(frozen=True)
class PairedEstimates:
    """Contenders as measured: means and paired differences."""

    samples: "PairedSamples"
    sums: "PairedSums"

    @property
    def deals(self) -> int:
        """How many deals."""
        return self.sums.deals

    @property
    def games(self) -> int:
        """All games that were played."""
        return self.sums.deals * self.samples.games_a_deal

    def mean(self, contender: int, confidence: float = CONFIDENCE) -> Estimate:
        """Return a contender's mean with the interval of blocks: one deal, all its tables."""
        who, metric = self.samples.contenders[contender], self.samples.metrics[contender]
        scale, total, squares = self._sums(contender, None)
        n = self.deals
        if not self._is_rate:
            sums = total, squares, total * scale, n * scale, n * scale**2
            size = metric.size * who.heaviest_table
            signed = metric.is_signed
            return estimates.ratio_of(*sums, n, confidence, size=size, is_signed=signed)
        seats = self.samples.even_seats(contender)
        if not seats:
            return estimates.rate_of(total, squares, n, confidence, scale=scale)
        # Of copies at all places only the games that nobody wins are left to chance.
        decided = estimates.rate_of(total * seats, squares * seats**2, n, confidence, scale=scale)
        may_be = self.samples.game.may_be_undecided(who.rules)
        return estimates.shared_evenly(decided, seats, may_be_undecided=may_be)

    @property
    def _is_rate(self) -> bool:
        return self.samples.metrics[0].is_rate  # the same is measured of all

    def _sums(self, a: int, b: int | None) -> tuple[int, int, int]:
        """Return scale, sum and sum of squares of a contender, or of `a` minus `b`."""
        scales, totals, products = self.samples.scales, self.sums.totals, self.sums.products
        if b is None:
            return scales[a], totals[a], products[a, a]
        scale = lcm(scales[a], scales[b])
        x, y = scale // scales[a], scale // scales[b]
        squares = x * x * products[a, a] - 2 * x * y * products[a, b] + y * y * products[b, b]
        return scale, x * totals[a] - y * totals[b], squares

    def difference(self, a: int, b: int, confidence: float = CONFIDENCE) -> Estimate:
        """Return contender `a` minus `b` with its interval over deals, good also if few differ.

        Where no deal differs, one of a metric without a known range may yet differ by three times
        what two unrelated deals do.
        """
        scale, total, squares = self._sums(a, b)
        apart = self._apart(a, b)
        differing = self._differing(a, b, squares / scale**2, apart)
        largest = apart if self._is_rate else None
        n, mean = self.deals, total / (scale * self.deals)
        if largest is None and a != b and not estimates.deviation(total, squares, n):
            return estimates.unvaried(0.0, n, -FAR * apart, FAR * apart, confidence).moved(mean)
        sums = total, squares, n, differing
        return estimates.difference_of(*sums, confidence, scale=scale, largest=largest)

    def _apart(self, a: int, b: int) -> float:
        """Return how far two contenders are apart on a deal that differs: rates by 1 at most.

        Others by about as far as two unrelated deals, or by one occurrence if nothing ever varied.
        """
        if self._is_rate:
            return 1.0
        usual = hypot(self.deviation(a), self.deviation(b))
        return usual or max(self._occurrence(a), self._occurrence(b))

    def _occurrence(self, contender: int) -> float:
        """Return the most that one occurrence counts in a contender's mean."""
        heaviest = self.samples.contenders[contender].heaviest_table
        return self.samples.metrics[contender].size * heaviest / self.samples.scales[contender]

    def _differing(self, a: int, b: int, squares: float, apart: float) -> int:
        """Return on how many deals two contenders differ, which is counted only for the first one.

        Of two others it is known to lie between two numbers, and taken for as few as have the
        squares if they are `apart`.
        """
        one, other = int(self.sums.differing[a]), int(self.sums.differing[b])
        most = min(self.deals, one + other)
        if 0 in (a, b):
            return most
        return max(abs(one - other), estimates.differing_of(squares / apart**2, most))

    def estimate(self, a: int, b: int | None, confidence: float = CONFIDENCE) -> Estimate:
        """Return a contender's mean, or that of `a` minus `b`."""
        return self.mean(a, confidence) if b is None else self.difference(a, b, confidence)

    def added_up(self, a: int, b: int | None = None) -> tuple[float, float]:
        """Return the sum, and the sum of squares, of a contender's values, or of `a` minus `b`."""
        scale, total, squares = self._sums(a, b)
        return total / scale, squares / scale**2

    def deviation(self, a: int, b: int | None = None) -> float:
        """Return the standard deviation, over deals, of a contender, or of `a` minus `b`."""
        scale, total, squares = self._sums(a, b)
        return estimates.deviation(total, squares, self.deals) / scale

    def add_to(self, sequences: Sequences) -> None:
        """Let confidence sequences, of contenders or of differences, take in these deals."""
        for (a, b), sequence in sequences.items():
            sequence.add(self.deals, *self.added_up(a, b))

    def unpaired_variance(self, contender: int) -> float:
        """Return the variance of a contender's mean a deal, had each game had a deal of its own."""
        at, sums = self.samples.places[contender], self.sums
        weights = self.samples.contenders[contender].weights
        each = zip(weights, sums.seat_totals[at], sums.seat_squares[at], strict=True)
        n, scale = self.deals, self.samples.scales[contender]
        deviation = estimates.deviation
        spread = [(weight * deviation(total, squares, n)) ** 2 for weight, total, squares in each]
        return sum(spread) / scale**2
