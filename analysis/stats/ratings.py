"""Ratings from who won at tables of any size, with seats taken into account.

The model is Luce's choice rule (Luce 1959), which statisticians call the conditional logit
(McFadden 1974), and with two at the table Bradley and Terry's (1952):

    P(seat s wins) = exp(theta[entrant at s] + beta[s]) / the sum of the same over all seats.

The prior is weak: every theta and beta is normal around 0, with the precision that one game of n
equals tells about one of them, (n - 1) / n²: a standard deviation of 347 Elo points at a table of
two, 401 at a table of four.  It gives entrants that never or always win a finite rating.  The
interval of an entrant that never won is open below: no games can tell how weak it is.

The middle of the scale, 1500, is the mean strength, the logarithm of the mean of exp(theta).  A
hopeless entrant hardly moves it, but would drag down the mean of the ratings and make every other
rating as uncertain as its own.

Intervals come from the groups of deals (the "sandwich" of Huber 1967 over clusters: Liang and Zeger
1986; also the infinitesimal jackknife: a bootstrap over groups without its noise).  They need
neither a true model nor independent games on a deal.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from math import log

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from herdlab.analysis.stats.estimates import CONFIDENCE, Estimate, alikeness, quantile, rate_with
from herdlab.simcore.errors import BadInput

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

MIDDLE = 1500.0
POINTS = 400 / log(10)
"""Elo points for one unit of theta: 400 points are odds of ten to one."""

FEW = 30
"""Under so many wins, or losses, the spread between groups is not yet to be trusted alone."""

FARTHEST, HALVINGS = 60.0, 50

MOST_TABLES = 50_000
TOLERANCE = 1e-10
MOST_STEPS = 200


@dataclass(frozen=True, slots=True)
class Ratings:
    """How strong entrants and seats are, in Elo points, with 95 % intervals."""

    ratings: list[Estimate]
    """By entrant; 1500 is the mean strength."""
    seats: list[Estimate]
    """By seat: what sitting there is worth; their mean is 0."""

    def chances(self, entrants_at: npt.ArrayLike) -> FloatArray:
        """Return by (seating, seat) the chance to win that the ratings give."""
        entrants = [one.value - MIDDLE for one in self.ratings]
        strengths = np.array(entrants + [one.value for one in self.seats]) / POINTS
        return _chances(np.asarray(entrants_at, dtype=np.int64), strengths, len(entrants))[0]

    def everywhere(self) -> FloatArray:
        """Return by entrant the chance to win among others drawn at random, in any seat.

        Over all tables, or over a fixed draw of so many.
        """
        size, n = len(self.ratings), len(self.seats)
        if size ** (n - 1) <= MOST_TABLES:
            others = np.indices((size,) * (n - 1)).reshape(n - 1, -1).T
        else:
            others = np.random.Generator(np.random.PCG64(0)).integers(0, size, (MOST_TABLES, n - 1))
        found = np.zeros(size)
        for entrant, seat in product(range(size), range(n)):
            tables = np.insert(others, seat, entrant, axis=1)
            found[entrant] += self.chances(tables)[:, seat].mean()
        return found / n


def fit_ratings(
    entrants_at: npt.ArrayLike, group_wins: npt.ArrayLike, n_entrants: int, *, n_games: int
) -> Ratings:
    """Return the ratings of the entrants and of the seats of tables of one size.

    `entrants_at` (seatings, n) has the entrant at each seat, from 0; a seating may occur more than
    once.  `group_wins` (groups, seatings, n) is what the seats won in each group of deals, a shared
    win being a fraction.  There may be more entrants than sit.  `n_games` is the `n` of estimates.
    """
    entrants = np.asarray(entrants_at, dtype=np.int64)
    by_group = np.asarray(group_wins, dtype=np.float64)
    _check(entrants, by_group, n_entrants)
    n_groups, _, n = by_group.shape
    wins = by_group.sum(axis=0)
    strengths, hessian = _fit(entrants, wins, n_entrants)

    decided = by_group.sum(axis=2)
    _, mean = _chances(entrants, strengths, n_entrants)
    scores = _won(entrants, by_group, n_entrants) - decided @ mean
    scores -= scores.mean(axis=0)  # their sum is not zero but what pulls against the prior
    inverse = np.linalg.inv(hessian)
    moved = scores @ inverse
    strengths[:n_entrants] -= log(np.exp(strengths[:n_entrants]).mean())
    centre = _centring(strengths[:n_entrants], n)
    by_groups = np.diag(centre @ (moved.T @ moved) @ centre.T) * n_groups / (n_groups - 1)
    by_model = np.diag(centre @ inverse @ centre.T)
    # One who wins nothing wins nothing in every group: no spread, but no certainty either.
    thin = _thin(entrants, wins, n_entrants)
    variance = np.where(thin, np.maximum(by_groups, by_model), by_groups)
    # Near-copies come out alike on nearly all deals; about four more (z²) may differ.
    is_mixed = (entrants != entrants[:, :1]).any(axis=1)
    near = alikeness(_won(entrants[is_mixed], by_group[:, is_mixed], n_entrants))
    near[n_entrants:] = 0.0
    one_deal = _one_deal(entrants, strengths, n_entrants) @ (centre @ inverse).T
    variance += ~thin * near * (quantile() * np.abs(one_deal).max(axis=0)) ** 2
    half = stdtrit(n_groups - 1, 0.5 + CONFIDENCE / 2) * np.sqrt(np.maximum(variance, 0.0)) * POINTS
    below, above = np.maximum(half, POINTS * _reach(entrants, by_group, strengths, n_entrants))
    values = strengths * POINTS
    values[:n_entrants] += MIDDLE
    estimates = [
        Estimate(float(value), float(value - down), float(value + up), n_games)
        for value, down, up in zip(values, below, above, strict=True)
    ]
    return Ratings(estimates[:n_entrants], estimates[n_entrants:])


def _check(entrants: IntArray, by_group: FloatArray, n_entrants: int) -> None:
    """Refuse arrays that do not belong together."""
    if entrants.ndim != 2 or by_group.shape[1:] != entrants.shape:  # noqa: PLR2004
        raise BadInput(
            f"wins by group, seating and seat do not match the seatings: got {by_group.shape} "
            f"for {entrants.shape}"
        )
    if entrants.shape[1] < 2:  # noqa: PLR2004
        raise BadInput("ratings need tables of at least 2 seats, got 1")
    if by_group.shape[0] < 2:  # noqa: PLR2004
        raise BadInput(f"ratings need at least 2 groups of deals, got {by_group.shape[0]}")
    if entrants.size and not 0 <= entrants.min() <= entrants.max() < n_entrants:
        raise BadInput(f"entrants are numbered from 0 to {n_entrants - 1}, got {entrants.max()}")


def prior_precision(n: int) -> float:
    """Return what one game at a table of `n` equals tells about one of them."""
    return (n - 1) / n**2


def _fit(entrants: IntArray, wins: FloatArray, n_entrants: int) -> tuple[FloatArray, FloatArray]:
    """Return theta and beta at the optimum, one after the other, and the curvature there.

    Newton's method on a concave function; steps are halved while they lead downhill.
    """
    n = entrants.shape[1]
    precision = prior_precision(n)
    decided = wins.sum(axis=1)
    won = _won(entrants, wins[None], n_entrants)[0]
    centre = _centring(np.zeros(n_entrants), n)
    strengths = np.zeros(n_entrants + n)

    def height(at: FloatArray) -> float:
        utilities = at[entrants] + at[n_entrants:]
        top = utilities.max(axis=1)
        total = top + np.log(np.exp(utilities - top[:, None]).sum(axis=1))
        return float(won @ at - decided @ total - precision / 2 * at @ at)

    reached = height(strengths)
    for _ in range(MOST_STEPS):
        chances, mean = _chances(entrants, strengths, n_entrants)
        hessian = _hessian(entrants, chances, mean, decided)
        hessian += precision * np.eye(n_entrants + n)
        slope = won - decided @ mean - precision * strengths
        # The same added to all entrants changes no chance: what rounding says of it is taken out.
        step = centre @ np.linalg.solve(hessian, centre @ slope)
        if np.abs(step).max() < TOLERANCE:
            return strengths + step, hessian
        length = 1.0
        while (new := height(strengths + length * step)) < reached - 1e-12 * abs(reached):
            length /= 2
        strengths, reached = strengths + length * step, new
    raise RuntimeError(f"the ratings did not settle in {MOST_STEPS} steps")


def _chances(
    entrants: IntArray, strengths: FloatArray, n_entrants: int
) -> tuple[FloatArray, FloatArray]:
    """Return each seat's chance to win, and each entrant's and seat's, one after the other."""
    seatings, n = entrants.shape
    utilities = strengths[entrants] + strengths[n_entrants:]
    chances = np.exp(utilities - utilities.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    mean = np.zeros((seatings, n_entrants + n))
    rows = np.arange(seatings)
    for seat in range(n):  # seat by seat, as an entrant may sit at more than one
        mean[rows, entrants[:, seat]] += chances[:, seat]
    mean[:, n_entrants:] = chances
    return chances, mean


def _hessian(
    entrants: IntArray, chances: FloatArray, mean: FloatArray, decided: FloatArray
) -> FloatArray:
    """Return how the log likelihood curves: the covariance of who wins, added over all games."""
    n = entrants.shape[1]
    n_entrants = mean.shape[1] - n
    expected = chances * decided[:, None]
    cross = np.bincount(
        (entrants * n + np.arange(n)).ravel(), expected.ravel(), minlength=n_entrants * n
    ).reshape(n_entrants, n)
    hessian = -(mean.T * decided) @ mean
    hessian[np.diag_indices_from(hessian)] += np.concatenate([cross.sum(axis=1), cross.sum(axis=0)])
    hessian[:n_entrants, n_entrants:] += cross
    hessian[n_entrants:, :n_entrants] += cross.T
    return hessian


def _won(entrants: IntArray, by_group: FloatArray, n_entrants: int) -> FloatArray:
    """Return (groups, entrants + seats): what each won in each group."""
    n_groups = len(by_group)
    places = np.arange(n_groups)[:, None] * n_entrants + entrants.ravel()
    by_entrant = np.bincount(places.ravel(), by_group.ravel(), minlength=n_groups * n_entrants)
    return np.concatenate([by_entrant.reshape(n_groups, -1), by_group.sum(axis=1)], axis=1)


def _centring(levelled: FloatArray, n: int) -> FloatArray:
    """Return how ratings and seats, each above their middle, follow what is fitted.

    `levelled` are the entrants' strengths, their exponentials being 1 on the average.
    """
    n_entrants = len(levelled)
    matrix = np.eye(n_entrants + n)
    matrix[:n_entrants, :n_entrants] -= np.exp(levelled) / n_entrants
    matrix[n_entrants:, n_entrants:] -= 1 / n
    return matrix


def _one_deal(entrants: IntArray, strengths: FloatArray, n_entrants: int) -> FloatArray:
    """Return the scores of deals on which one entrant wins all its games, or none of them."""
    chances, mean = _chances(entrants, strengths, n_entrants)
    found = []
    for entrant in range(n_entrants):
        here = entrants == entrant
        mixed = here.any(axis=1) & ~here.all(axis=1)
        for wins in (here, ~here):
            shares = np.where(mixed[:, None], wins / np.maximum(1, wins.sum(1))[:, None], chances)
            found.append(_won(entrants, shares[None], n_entrants)[0] - mean.sum(axis=0))
    return np.array(found)


def _reach(
    entrants: IntArray, by_group: FloatArray, strengths: FloatArray, n_entrants: int
) -> FloatArray:
    """Return how far below and above its rating each entrant and seat may be: (2, both).

    It is 0 but where the weaker of them won very few games from the stronger ones.  There the
    logarithm of a few wins is not normal, and the prior has its say.  So whoever is weaker is moved
    together, until the wins expected of them are as many as the interval of their number allows.
    Several such gaps add up in squares.  Who won nothing may be weaker by any amount.
    """
    n = entrants.shape[1]
    at_seat = np.broadcast_to(np.arange(n), entrants.shape)
    theta, beta = strengths[:n_entrants], strengths[n_entrants:]
    weights = np.exp(strengths[entrants] + beta)
    below, above = np.concatenate(
        [
            _moved(entrants, theta, by_group, weights, lambda at: log(np.exp(at).mean())),
            _moved(at_seat, beta, by_group, weights, lambda at: float(at.mean())),
        ],
        axis=1,
    )
    won, lost = _from_others(entrants, by_group.sum(axis=0), n_entrants)
    below[:n_entrants][(won == 0) & (lost > 0)] = np.inf
    return np.stack([below, above])


def _moved(
    who: IntArray,
    levels: FloatArray,
    by_group: FloatArray,
    weights: FloatArray,
    middle: Callable[[FloatArray], float],
) -> FloatArray:
    """Return `_reach` of those whose numbers are `who`, by (seating, seat)."""
    squares, order = np.zeros((2, len(levels))), np.argsort(levels, kind="stable")
    for k in range(1, len(levels)):
        is_low = np.isin(np.arange(len(levels)), order[:k])
        low = is_low[who]
        mixed = low.any(axis=1) & ~low.all(axis=1)
        wins = by_group[:, mixed]
        won_by_group = (wins * low[mixed]).sum(axis=(1, 2))
        decided = wins.sum(axis=(0, 2))
        won, games = won_by_group.sum(), decided.sum()
        if min(won, games - won) >= FEW:
            continue
        weak = (weights * low).sum(axis=1)[mixed]
        strong = weights[mixed].sum(axis=1) - weak
        fewest, most = _likely_wins(won_by_group, games) if games else (0.0, 0.0)
        moved = []
        for wanted, none, losers in ((fewest, 0.0, is_low), (most, games, ~is_low)):
            if wanted == none:
                at = np.where(losers, -np.inf, levels)
            else:
                at = levels + is_low * _shift(weak, strong, decided, wanted)
            is_known = np.isfinite(at)
            moved.append(np.subtract(at, middle(at), out=at.copy(), where=is_known) - levels)
        squares[0] += np.minimum(0.0, np.min(moved, axis=0)) ** 2
        squares[1] += np.maximum(0.0, np.max(moved, axis=0)) ** 2
    reach: FloatArray = np.sqrt(squares)
    return reach


def _likely_wins(won_by_group: FloatArray, games: float) -> tuple[float, float]:
    """Return the fewest and the most wins to be expected in `games`, of which a few were won.

    Wins that come several on a deal, and so in a group, count as one.
    """
    won, n = float(won_by_group.sum()), max(1, round(games))
    rate = min(1.0, won / games)
    few = won_by_group if rate <= 0.5 else games / len(won_by_group) - won_by_group  # noqa: PLR2004
    together = max(1.0, float((few**2).sum() / few.sum())) if 0 < rate < 1 else 1.0
    one = rate_with(rate, together * rate * (1 - rate) / n, n)
    return games * one.low, games * one.high


def _shift(weak: FloatArray, strong: FloatArray, decided: FloatArray, wanted: float) -> float:
    """Return by how much the weak must be stronger for so many wins; found by halving."""
    low, high = -FARTHEST, FARTHEST
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        part = weak * np.exp(middle)
        is_more = decided @ (part / (part + strong)) > wanted
        low, high = (low, middle) if is_more else (middle, high)
    return (low + high) / 2


def _thin(entrants: IntArray, wins: FloatArray, n_entrants: int) -> npt.NDArray[np.bool_]:
    """Return (entrants + seats): whether the groups show too little of the spread.

    That is so where one of them won, or lost, only a few games; and then for all entrants (or all
    seats), since their middle is what each is measured from.  A game among copies of one entrant
    tells nothing about it.
    """
    won, lost = _from_others(entrants, wins, n_entrants)
    by_seat = wins.sum(axis=0)
    few_entrants = np.minimum(won, lost).min() < FEW
    few_seats = np.minimum(by_seat, by_seat.sum() - by_seat).min() < FEW
    return np.repeat([few_entrants, few_seats], [n_entrants, len(by_seat)])


def _from_others(
    entrants: IntArray, wins: FloatArray, n_entrants: int
) -> tuple[FloatArray, FloatArray]:
    """Return by entrant what it won and lost of decided games where others sat too."""
    is_mixed = (entrants != entrants[:, :1]).any(axis=1)
    won = _won(entrants[is_mixed], wins[None, is_mixed], n_entrants)[0, :n_entrants]
    decided = wins.sum(axis=1)
    sits = [is_mixed & (entrants == entrant).any(axis=1) for entrant in range(n_entrants)]
    return won, np.array([decided[where].sum() for where in sits]) - won
