"""Sobol's indices: what share of a variance comes from which of its sources.

A line-up is played in all its rotations on each deal; Y is the result of a seat.  Its variance is
shared out: first what differs between seats on average; then, within a seat, by Sobol's indices,
whose factors are the rotation ("who plays what") and each kind of luck.  A factor's *first-order*
index is what it decides alone, its *total* index what it decides alone or together with others.

Sources: Sobol, "Sensitivity estimates for nonlinear mathematical models", MMCE 1 (1993); Jansen,
"Analysis of variance designs for model output", Computer Physics Communications 117 (1999);
Saltelli et al., "Variance based sensitivity analysis of model output", the same 181 (2010).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from herdlab.analysis.stats import estimates
from herdlab.analysis.stats.estimates import CONFIDENCE, Estimate
from herdlab.analysis.stats.games_to_lead import StrategyPairSums
from herdlab.simcore.errors import BadInput
from herdlab.simcore.rng import KINDS

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Exact = npt.NDArray[Any]
"""An array of Python's integers, which do not overflow."""

GROUPS = 50
"""Deals are counted in so many groups, by deal number; each is left out once for the intervals."""

SEAT, WHO, ALL_LUCK = "seat", "who plays what", "all luck"
WORDS = {
    SEAT: "where one sits",
    WHO: "which strategy sits there",
    "dice": "each seat's dice",
    "deal": "the deal and the piles",
    "choice": "choices that strategies leave to chance",
    "table": "chance at the table, such as who reacts first",
    ALL_LUCK: "every kind of luck at once",
}
_T = float(stdtrit(GROUPS - 1, 0.5 + CONFIDENCE / 2))
_CLEAR = 10
"""So many times the noise, the square of a mean varies as the jackknife says."""
_FEW = 30
"""Under so many deals that make a difference the jackknife is not to be trusted alone."""
_HALF, _MOST_OF_A_DEAL = 0.5, 4
_LARGEST = 2**62


@dataclass(frozen=True)
class SourceShare:
    """What part of the variance a source has."""

    source: str
    words: str
    first: Estimate
    """Alone."""
    total: Estimate | None
    """Alone or together with others; None for the seat, within which the rest is shared out."""

    def as_json(self) -> dict[str, Any]:
        """Return its numbers; unbiased, so that one near 0 may be below it."""
        return {
            "source": self.source,
            "words": self.words,
            **estimates.as_columns(self.first, "first", "first_ci_"),
            **estimates.as_columns(self.total, "total", "total_ci_"),
        }


@dataclass(frozen=True)
class VarianceShares:
    """How a variance is shared out."""

    shares: list[SourceShare]
    """Seat, who plays what, and each kind of luck that made a difference."""
    luck: SourceShare
    """All luck at once: what it decides whoever plays what, and what is open when that is known."""
    together: Estimate
    """What no source has alone."""
    variance: float
    """In squared units of the observations."""
    unused: list[str]
    """Kinds of luck that made no difference."""


@dataclass
class VarianceSums:
    """What deals add up to, in groups by deal number; exact.

    Y is what a seat has in a rotation of a deal, z its sum over the rotations.
    """

    deals: Exact
    totals: Exact
    """By group, rotation and seat: the sum of Y."""
    squares: Exact
    """By group: the sum of all Y²."""
    seat_squares: Exact
    """By group: the sum over seats of z²."""
    table_squares: Exact
    """By group: of the square of all Y of a deal together."""
    held: dict[str, Exact]
    """By kind; then by group and seat: the sum of z where only this kind of luck is the same."""
    products: dict[str, Exact]
    """By kind; then by group: the sum over seats of z times z where only this kind is the same."""
    redrawn: dict[str, Exact]
    """By kind; then by group: the sum of (Y - Y')², where only this kind of luck is another."""
    differing: set[str] = field(default_factory=set)
    """Kinds that, redrawn, made anything at all different in some game."""
    games: int = 0
    pairs: StrategyPairSums | None = None

    def add(self, other: "VarianceSums") -> None:
        """Merge `other` into this; the order does not matter.  Kinds it lacks are forgotten."""
        for name in ("deals", "totals", "squares", "seat_squares", "table_squares", "games"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("held", "products", "redrawn"):
            mine, others = getattr(self, name), getattr(other, name)
            setattr(self, name, {kind: mine[kind] + others[kind] for kind in others})
        self.differing = self.differing | other.differing
        if self.pairs is not None and other.pairs is not None:
            self.pairs.add(other.pairs)

    def used(self) -> list[str]:
        """Return the kinds that made a difference to Y; a single one is not redrawn to find out."""
        moving = [kind for kind in self.held if kind in self.differing]
        return moving if len(moving) == 1 else [k for k in moving if self.redrawn[k].sum()]


def variance_sums(
    first: int, base: Ints, held: Mapping[str, Ints], redrawn: Mapping[str, Ints]
) -> VarianceSums:
    """Return the sums of deals `first`, `first` + 1, … from whole numbers Y.

    `base` is Y by rotation, seat and deal.  By kind, `held` is Y of the same deals with all *other*
    kinds redrawn, and `redrawn` with this kind redrawn.
    """
    differing = {kind for kind, values in redrawn.items() if not np.array_equal(base, values)}
    base = _wide(base)
    by_seat = base.sum(0)
    at_seat = {kind: _wide(values).sum(0) for kind, values in held.items()}
    others = {kind: _wide(values) for kind, values in redrawn.items()}
    grouped = partial(_grouped, first)
    return VarianceSums(
        deals=grouped(np.ones(base.shape[-1], dtype=np.int64)),
        totals=grouped(base),
        squares=grouped((base * base).sum((0, 1))),
        seat_squares=grouped((by_seat * by_seat).sum(0)),
        table_squares=grouped(by_seat.sum(0) ** 2),
        held={kind: grouped(values) for kind, values in at_seat.items()},
        products={kind: grouped((by_seat * z).sum(0)) for kind, z in at_seat.items()},
        redrawn={kind: grouped(((base - y) ** 2).sum((0, 1))) for kind, y in others.items()},
        differing=differing,
    )


def _wide(values: Ints) -> Exact:
    """Return numbers whose squares can be added up: Python's where 64 bits might not do."""
    largest = int(np.abs(values).max(initial=0)) * values.shape[0] * values.shape[1]
    return values.astype(object) if 4 * largest**2 * values.shape[2] >= _LARGEST else values


def _grouped(first: int, values: Exact) -> Exact:
    """Return sums by group, the first axis, of values whose last axis is deals from `first` on."""
    *shape, deals = values.shape
    ahead = first % GROUPS
    stop = ahead + deals
    padded = np.zeros((*shape, stop + -stop % GROUPS), values.dtype)
    padded[..., ahead:stop] = values
    sums = np.moveaxis(padded.reshape(*shape, -1, GROUPS).sum(-2), -1, 0)
    return np.array(sums.tolist(), dtype=object)


def variance_shares(sums: VarianceSums) -> VarianceShares:
    """Return how the variance is shared out, with intervals by leaving out each group once.

    All estimators are unbiased: a squared mean is that of products of two different deals, so that
    noise does not pass for a difference.  Below, the numbers divided by `variance` are whole: the
    estimates times (rotations * seats)² * deals * (deals - 1), of all groups and without each.
    """
    n, totals = _without_each(sums.deals), _without_each(sums.totals)
    by_seat = totals.sum(1)
    rotations, seats = totals.shape[1:]
    deals, everything = int(n[0]), rotations * seats
    squares, seat_squares = _without_each(sums.squares), _without_each(sums.seat_squares)
    cells = (totals * totals).sum((1, 2)) - squares
    at_seats = (by_seat * by_seat).sum(1) - seat_squares
    at_table = by_seat.sum(1) ** 2 - _without_each(sums.table_squares)
    variance = everything * (n - 1) * squares - at_table
    if not all(variance > 0):
        raise BadInput("it was the same in all games, or nearly: there is no variance to share out")

    def part(numerator: Exact) -> Exact:
        return np.array([a / b for a, b in zip(numerator, variance, strict=True)])

    seat = part(seats * at_seats - at_table)
    who = part(seats * (rotations * cells - at_seats))
    in_units = variance[0] / (deals * (deals - 1))
    foretold = _foretold(seat, who, sums, sqrt(in_units / everything))
    who_total = part(seats * (n - 1) * (rotations * squares - seat_squares))
    luck_alone = part(seats * ((n - 1) * seat_squares - at_seats))
    luck_total = foretold["both"].negative().moved(1)
    who_or_luck = _of_squares(who_total, deals)
    who_alone = foretold[WHO]
    if rotations == 1:  # known from the line-up
        who_or_luck = who_alone = Estimate(0.0, 0.0, 0.0, deals)
    elif not who_or_luck.value:  # the same in every rotation so far
        who_alone = who_or_luck
    shares = [
        SourceShare(SEAT, WORDS[SEAT], foretold[SEAT], None),
        SourceShare(WHO, WORDS[WHO], who_alone, who_or_luck),
    ]
    luck_first = luck_total
    if rotations > 1:  # of copies luck decides alone what it decides
        luck_first = _jackknife(luck_alone, deals)
        rest = foretold[SEAT].negative(), who_or_luck.negative()
        luck_first = _wider(luck_first, _sum(rest, luck_first.value))
    together = 1 - seat - who
    used = sums.used() if (deals - 1) * squares[0] != cells[0] else []  # Y the same on all deals
    for kind in used:
        means = (by_seat * _without_each(sums.held[kind])).sum(1)
        first = part(seats * (n * _without_each(sums.products[kind]) - means))
        alone, total = luck_first, luck_total  # if there is no other luck
        if len(used) > 1:
            redrawn = _without_each(sums.redrawn[kind])
            total = _of_squares(part(everything * (n - 1) * redrawn) / 2, deals)
            alone = _jackknife(first, deals)
        shares.append(SourceShare(kind, WORDS[kind], alone, total))
        together = together - first
    jointly = _jackknife(together, deals)
    if len(used) == 1 and rotations > 1 and _count_of(who_total) < _FEW:
        # What who plays what decides with luck, and not alone.
        jointly = _wider(jointly, _sum([who_or_luck, who_alone.negative()], jointly.value))
    return VarianceShares(
        shares=shares,
        luck=SourceShare(ALL_LUCK, WORDS[ALL_LUCK], luck_first, luck_total),
        together=jointly,
        variance=in_units / everything**2,
        unused=[kind for kind in KINDS if kind not in used],
    )


def _foretold(seat: Exact, who: Exact, sums: VarianceSums, scale: float) -> dict[str, Estimate]:
    """Return what seat, strategy and both foretell, in units of `scale`²: squared differences."""
    means = (sums.totals / sums.deals[:, None, None]).astype(np.float64) / scale
    of_seats = np.broadcast_to(means.mean(1, keepdims=True), means.shape)
    around = means.mean((1, 2), keepdims=True)
    deals = int(sums.deals.sum())
    found = {
        SEAT: _squared(seat, of_seats - around, deals),
        WHO: _squared(who, means - of_seats, deals),
        "both": _squared(seat + who, means - around, deals),
    }
    if found["both"].value == 1:  # the same on every deal: another may leave up to twice its part
        rest = 2 * estimates.wilson(0, deals).high
        for name, one in found.items():
            found[name] = replace(one, low=one.low - rest * (one.value > 0))
    return found


def _without_each(groups: Exact) -> Exact:
    """Return the sum of all groups, and then that without each."""
    total = groups.sum(0, keepdims=True)
    return np.concatenate([total, total - groups])


def _jackknife(found: Exact, deals: int) -> Estimate:
    """Return an estimate with its interval, from all groups and without each (Student's t)."""
    value, half = float(found[0]), _T * sqrt(_variance_of(found))
    return Estimate(value, value - half, value + half, deals)


def _of_squares(found: Exact, deals: int) -> Estimate:
    """Return a mean of squares with its interval, good also where few deals have any.

    It is that of the Poisson count that varies as much, for the share or for what it lacks to 1.
    A deal has about a whole share at most, so where none has any, or all have, it is Wilson's.
    """
    value, variance = float(found[0]), _variance_of(found) * (_T / estimates.quantile()) ** 2
    if value in (0, 1):
        return estimates.wilson(round(value) * deals, deals)
    if value < _HALF:
        return estimates.as_count(value, variance, deals)
    if variance <= _MOST_OF_A_DEAL / deals * (1 - value):  # so few lack something, not noise
        rest = estimates.as_count(1 - value, variance, deals)
        # Or noise after all, which is as large on both sides.
        return _wider(replace(rest.negative().moved(1), value=value), _jackknife(found, deals))
    return _jackknife(found, deals)


def _count_of(found: Exact) -> float:
    """Return the Poisson count that varies as much as an estimate does."""
    return float(found[0]) ** 2 / (_variance_of(found) or inf)


def _sum(parts: Sequence[Estimate], value: float) -> Estimate:
    """Return a sum, each side of its interval from the same sides of its parts.

    Zou and Donner, "Construction of confidence limits about effect measures", Statistics in
    Medicine 27 (2008).
    """
    below = sqrt(sum((one.value - one.low) ** 2 for one in parts))
    above = sqrt(sum((one.high - one.value) ** 2 for one in parts))
    return Estimate(value, value - below, value + above, parts[0].n)


def _wider(one: Estimate, other: Estimate) -> Estimate:
    return Estimate(one.value, min(one.low, other.low), max(one.high, other.high), one.n)


def _variance_of(found: Exact) -> float:
    without = found[1:].astype(np.float64)
    return float(((without - without.mean()) ** 2).sum()) * (GROUPS - 1) / GROUPS


def _squared(found: Exact, means: Floats, deals: int) -> Estimate:
    """Return the squared length of a vector of means, estimated without bias, with its interval.

    `found` is the estimate from all groups and without each, `means` the vector by group.  Near 0
    the jackknife would not do: leaving out a group moves the estimate less than noise did.  For a
    vector with covariance C, the estimate of the squared length q varies by about 4 c q + 2 tr(C²),
    where c is the noise in the vector's direction; the interval has every q within t of its own
    standard errors of the estimate, as Wilson's has for rates.
    """
    means = means.reshape(GROUPS, -1)
    value, mean = float(found[0]), means.mean(0)
    deviations = (means - mean) / sqrt(GROUPS * (GROUPS - 1))
    # einsum adds up in one order, where matrix products depend on the machine's cores
    gram = np.einsum("ij,kj->ik", deviations, deviations)
    noise, free, length = float(np.trace(gram)), GROUPS - 1, float((mean * mean).sum())
    squared = float((gram * gram).sum()) - noise**2 / free  # without what few groups add to it
    squared = max(squared * free**2 / ((free - 1) * (free + 2)), noise**2 / mean.size)
    if length > _CLEAR * noise:
        along = _variance_of(found) / (4 * length)
    else:
        along = float(((deviations * mean).sum(1) ** 2).sum()) / length if length else noise
    middle = value + 2 * _T**2 * along
    half = sqrt(max(0.0, middle**2 - value**2 + 2 * _T**2 * squared))
    return Estimate(value, min(value, middle - half), max(value, middle + half), deals)
