"""Which mix of entrants nobody could beat: a symmetric equilibrium of the empirical game.

Each of n players picks an entrant at random from the same mix x.  Entrant e wins on average

    u_e(x) = the sum over all line-ups of n - 1 opponents, of the chance that x picks them
             (multinomial) times what e wins against them.

In equilibrium the regret, max u_e(x) - sum x_e u_e(x), is nil: no entrant wins more against the mix
than the mix does.  With more than two players, or where wins do not add up to one, there can be
several equilibria.  The one returned is the end of the logit path: mixes in which e is picked in
proportion to exp(lambda u_e(x)), along the unbroken branch from lambda = 0, where all entrants are
as likely, to lambda = infinity, where only best answers are left (McKelvey and Palfrey 1995; traced
as by Turocy 2005, whose tracer is in Gambit).  Entrants that play the same have equal shares.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb, exp, factorial, log, prod, sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from herdlab.analysis.stats.estimates import CONFIDENCE, Estimate, alikeness, quantile
from herdlab.simcore.errors import BadInput

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

EXACT, CLOSE = 1e-13, 1e-9
"""Regrets, in units of the payoffs' range: all that rounding leaves; and good enough."""

# The path.  Lambda is in units of 1 / the payoffs' range.
FIRST_LAMBDA, LAST_LAMBDA, POLISH_FROM = 0.1, 1e10, 1e2
LONGEST_STEPS = (1.0, 0.05)
"""The longest step along the path; the second where the first lost it."""
SHORTEST_STEP, CROSSING = 1e-7, 1e-3
LARGEST_ERROR, SMALL_ERROR, SMALLEST_COSINE = 0.05, 0.0125, 0.9
MOST_STEPS, MOST_CORRECTIONS = 4_000, 8
CORRECTED, HOPELESS = 1e-5, 10.0

# Its end.
FARTHEST = 1e-3
"""How far a share may lie from the path and still be taken for the path's end."""
CUTS = (1e-3, 1e-6, 1e-9)
"""Shares under which an entrant may be taken for absent at the path's end, tried in this order."""
MOST_POLISHES, POLISHED, SINGULAR = 10, 1e-12, 1e-10
RANDOM_STARTS = 20


@dataclass(frozen=True, slots=True)
class Mix:
    """A mix of entrants and what playing against it brings."""

    shares: FloatArray
    """(entrants,): how often each is picked; exactly 0 outside the support."""
    regret: float
    """What the best single entrant wins more than the mix itself does, against this mix."""
    payoffs: FloatArray
    """(entrants,): what each wins on average against n - 1 opponents from the mix."""


@dataclass(frozen=True, slots=True)
class ResampledMix:
    """A mix, and how it varies with the luck: a bootstrap over groups of deals."""

    mix: Mix
    low: FloatArray
    """(entrants,): the least of the replicates' shares."""
    high: FloatArray
    """(entrants,): the largest."""
    same_support: float
    """How often a replicate's equilibrium consists of the same entrants."""
    replicates: int
    regret: Estimate
    """Of this mix in the replicates' games: mean, and 97.5 % percentile.

    It is never negative, and so above nil on average even where the mix is right: hence the lower
    bound is 0.
    """


def resampled(
    line_ups: npt.ArrayLike,
    group_shares: npt.ArrayLike,
    shares: npt.ArrayLike,
    n: int,
    *,
    deals: int | None = None,
    replicates: int = 200,
    seed: int = 0,
) -> ResampledMix:
    """Return the equilibrium with its bootstrap over groups, the same groups for all line-ups.

    `group_shares` is (groups, line-ups, entrants): `shares` in each group of as many deals.  Every
    replicate follows its own path from the even mix, so all select their equilibrium in one way.

    Resampled groups cannot show what no deal showed.  With the number of `deals`, shares in
    line-ups where few deals came out differently vary by about four more deals (z²).
    """
    game = EmpiricalGame.of(line_ups, n)
    mix = game.solve(game.payoffs(np.asarray(shares, dtype=np.float64)))
    by_group = game.payoffs(np.asarray(group_shares, dtype=np.float64))
    n_groups = len(by_group)
    rng = np.random.Generator(np.random.PCG64(seed))
    weights = rng.multinomial(n_groups, np.full(n_groups, 1 / n_groups), size=replicates) / n_groups
    unseen = _unseen(np.asarray(line_ups), np.asarray(group_shares), deals)
    drawn = np.empty((replicates, len(mix.shares)))
    regrets = np.empty(replicates)
    for replicate, weight in enumerate(weights):
        payoffs = np.tensordot(weight, by_group, axes=1)
        if unseen.any():
            payoffs = np.clip(payoffs + game.payoffs(_moved(line_ups, unseen, rng)), 0.0, 1.0)
        drawn[replicate] = game.solve(payoffs).shares
        regrets[replicate] = game.mix(payoffs, mix.shares).regret
    # Shares jump where the mix changes its strategies: percentiles are too narrow next to that.
    low, high = drawn.min(axis=0), drawn.max(axis=0)
    same = ((drawn > 0) == (mix.shares > 0)).all(axis=1).mean()
    most = float(np.quantile(regrets, 0.5 + CONFIDENCE / 2))
    regret = Estimate(float(regrets.mean()), 0.0, most, n_groups)
    return ResampledMix(mix, low, high, float(same), replicates, regret)


def _unseen(copies: IntArray, by_group: FloatArray, deals: int | None) -> FloatArray:
    """Return by line-up and entrant how far its share may be off by unseen deals.

    That is z deals that differ as much as a deal can; none where many differed, or among copies.
    """
    if deals is None:
        return np.zeros(copies.shape)
    mean = by_group.mean(axis=0)
    far = np.maximum(mean, 1 - mean) * quantile() / deals
    is_mixed = (copies > 0) & (copies < copies.sum(axis=1, keepdims=True))
    found: FloatArray = np.where(is_mixed, far * np.sqrt(alikeness(by_group)), 0.0)
    return found


def _moved(line_ups: npt.ArrayLike, unseen: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Return random changes of shares; what one entrant gains, others in the game lose."""
    copies = np.asarray(line_ups, dtype=np.float64)
    found = rng.standard_normal(unseen.shape) * unseen
    found -= (found * copies).sum(axis=1, keepdims=True) / copies.sum(axis=1, keepdims=True)
    moved: FloatArray = np.where(unseen > 0, found, 0.0)
    return moved


@dataclass(frozen=True, slots=True)
class EmpiricalGame:
    """Which line-ups meet in the payoffs of n players with `size` entrants to pick from.

    Beside e and one player j, `others` are the remaining n - 2.  Then u_e(x) = sum over j of
    x_j a[j, e](x), where a[j, e] is what e wins against j and others drawn from x; and the slope of
    u_e with x_j is (n - 1) a[j, e].
    """

    size: int
    n: int
    others: IntArray
    """(multisets, n - 2): entrants, in ascending order."""
    ways: FloatArray
    """(multisets,): in how many orders the others can be drawn."""
    rows: IntArray
    """(multisets, entrants j, entrants e): the line-up of others, j and e."""

    @classmethod
    def of(cls, line_ups: npt.ArrayLike, n: int) -> "EmpiricalGame":
        """Return the game of these line-ups; refuse them unless all are there."""
        copies = np.asarray(line_ups, dtype=np.int64)
        size = copies.shape[1]
        if n < 2:  # noqa: PLR2004
            raise BadInput(f"an equilibrium needs at least 2 players, got {n}")
        if (copies.sum(axis=1) != n).any() or (copies < 0).any():
            raise BadInput(f"every line-up of a game of {n} players has {n} entrants")
        row_of = {tuple(row): index for index, row in enumerate(copies.tolist())}
        if len(row_of) != comb(size + n - 1, n):
            raise BadInput(
                f"an equilibrium of {size} entrants and {n} players needs all "
                f"{comb(size + n - 1, n)} line-ups, got {len(row_of)}"
            )
        multisets = list(combinations_with_replacement(range(size), n - 2))
        others = np.array(multisets, dtype=np.int64).reshape(len(multisets), n - 2)
        counts = np.array([np.bincount(row, minlength=size) for row in others])
        unit = np.eye(size, dtype=np.int64)
        whole = counts[:, None, None] + unit[:, None] + unit
        rows = [row_of[tuple(row)] for row in whole.reshape(-1, size).tolist()]
        ways = [factorial(n - 2) / prod(map(factorial, row)) for row in counts.tolist()]
        return cls(size, n, others, np.array(ways), np.array(rows).reshape(-1, size, size))

    def payoffs(self, shares: FloatArray) -> FloatArray:
        """Return (..., multisets, j, e): what e wins against the others and j."""
        return shares[..., self.rows, np.arange(self.size)]

    def against(self, payoffs: FloatArray, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return u(x), and a[j, e](x) of which it is made."""
        chances = self.ways * x[self.others].prod(axis=1)
        pairs = (chances @ payoffs.reshape(len(chances), -1)).reshape(self.size, self.size)
        return x @ pairs, pairs

    def mix(self, payoffs: FloatArray, x: FloatArray) -> Mix:
        """Return `x` with its payoffs and regret."""
        wins, _ = self.against(payoffs, x)
        return Mix(x, max(0.0, float(wins.max() - x @ wins)), wins)

    def solve(self, payoffs: FloatArray) -> Mix:
        """Return the equilibrium at the end of the logit path."""
        if not np.isfinite(payoffs).all():
            raise BadInput("the win shares of an equilibrium must be numbers, got one that is not")
        low, high = payoffs.min(), payoffs.max()
        if high == low:
            return self.mix(payoffs, np.full(self.size, 1 / self.size))
        scaled = (payoffs - low) / (high - low)
        return self.mix(payoffs, _path_end(self, scaled))


def _path_end(game: EmpiricalGame, payoffs: FloatArray) -> FloatArray:
    """Return the mix at the path's end: an equilibrium next to a late point of the path.

    If those next to the path are not isolated, it is the last one found.  If the tracer loses the
    path, it takes finer steps; if that fails too, it is the mix of least regret that is found
    without the path.
    """
    best, least = np.full(game.size, 1 / game.size), np.inf
    for longest in LONGEST_STEPS:
        next_try = POLISH_FROM
        for x, rate in _logit_path(game, payoffs, longest):
            if rate < next_try:
                continue
            next_try = rate * 4
            as_it_is = np.where(x > EXACT, x, 0.0)
            for candidate, is_isolated in (*_polished(game, payoffs, x), (as_it_is, False)):
                regret = max(EXACT, game.mix(payoffs, candidate).regret)
                if regret == EXACT and is_isolated:
                    return candidate
                if regret < least or (regret == EXACT and candidate is not as_it_is):
                    best, least = candidate, regret
        if least < CLOSE:
            return best
    return min(best, _descended(game, payoffs), key=lambda x: game.mix(payoffs, x).regret)


class _Point(NamedTuple):
    """A point of the path."""

    place: FloatArray
    """log x and log lambda."""
    ahead: FloatArray
    """The direction of the path there, of length 1."""
    sign: float
    """Which way round the path runs: the same all along a branch."""


def _logit_path(
    game: EmpiricalGame, payoffs: FloatArray, longest: float
) -> Iterator[tuple[FloatArray, float]]:
    """Yield mixes along the path, each with its lambda.

    Predictor and corrector along the arc of (log x, log lambda), as lambda may turn back.  Lengths
    have weights x for log x (Fisher's metric): entrants on their way out, whose logarithms fall
    without end, do not hold up the others.
    """
    even = np.append(np.full(game.size, -log(game.size)), log(FIRST_LAMBDA / (game.n - 1)))
    here = _corrected(game, payoffs, even, np.append(np.zeros(game.size), 1.0))
    step = longest
    for _ in range(MOST_STEPS):
        if here is None:
            return
        x, rate = np.exp(here.place[:-1]), float(np.exp(here.place[-1]))
        yield x, rate
        if rate > LAST_LAMBDA:
            return
        there = None
        while there is None and step > SHORTEST_STEP:
            guess = here.place + step * here.ahead
            there = _corrected(game, payoffs, guess, here.ahead)
            error = np.inf
            if there is not None:
                # An entrant that comes back counts as what it is there.
                error = _length(np.maximum(x, np.exp(there.place[:-1])), there.place - guess)
                # A neighbouring branch runs the other way round.  But where branches cross, as they
                # do in games with symmetries, the sign changes however short the step is.
                is_other = there.sign != here.sign and step > CROSSING
                cosine = x @ (there.ahead * here.ahead)[:-1] + there.ahead[-1] * here.ahead[-1]
                if error > LARGEST_ERROR or cosine < SMALLEST_COSINE or is_other:
                    there = None
            if there is None:
                step /= 2
            elif error < SMALL_ERROR:
                step = min(longest, step * 2)
        here = there


def _corrected(
    game: EmpiricalGame, payoffs: FloatArray, guess: FloatArray, direction: FloatArray
) -> _Point | None:
    """Return the path's point straight across `direction` from a guess, or None if none is near.

    Newton's method on log x = the log of the answers to x, which are as exp(lambda u(x)).
    """
    size = game.size
    identity = np.eye(size)
    place = guess.copy()
    system = np.empty((size + 1, size + 1))
    sides = np.zeros((size + 1, 2))
    sides[size, 1] = 1.0
    for _ in range(MOST_CORRECTIONS):
        logs = place[:size]
        x = _normalised(logs)
        rate = exp(place[size])
        wins, pairs = game.against(payoffs, x)
        logits = rate * (wins - wins.max())
        answers = np.exp(logits)
        total = answers.sum()
        answers /= total
        slopes = (rate * (game.n - 1)) * (pairs.T * x)
        system[:size, :size] = identity + answers @ slopes - slopes
        system[:size, size] = rate * (answers @ wins - wins)
        system[size, :size] = direction[:size] * x
        system[size, size] = direction[size]
        sides[:size, 0] = logits - log(total) - logs
        try:
            change, ahead = np.linalg.solve(system, sides).T
        except np.linalg.LinAlgError:
            return None
        place += change
        distance = _length(x, change)
        if not distance < HOPELESS:
            return None
        if distance < CORRECTED:
            _normalised(logs)
            sign = float(np.linalg.slogdet(system)[0])
            return _Point(place, ahead / _length(x, ahead), sign)
    return None


def _normalised(logs: FloatArray) -> FloatArray:
    """Return the mix that has these logarithms but for their sum.  Modified in place: `logs`."""
    logs -= logs.max()
    x = np.exp(logs)
    total = x.sum()
    logs -= log(total)
    x /= total
    return x


def _length(x: FloatArray, change: FloatArray) -> float:
    """Return the length of a change of log x and log lambda at the mix `x`."""
    return sqrt(x @ change[:-1] ** 2 + change[-1] ** 2)


def _polished(
    game: EmpiricalGame, payoffs: FloatArray, near: FloatArray, farthest: float = FARTHEST
) -> Iterator[tuple[FloatArray, bool]]:
    """Yield mixes near by in which all that are left win the same, and whether that is isolated.

    Newton's method with the shortest steps: entrants that play the same keep equal shares.
    """
    kept = np.arange(0)
    for cut in CUTS:
        if len(kept) == (near > cut).sum():
            continue
        kept = np.flatnonzero(near > cut)
        k = len(kept)
        system = np.zeros((k + 1, k + 1))
        system[:k, k], system[k, :k] = -1.0, 1.0
        x = np.where(near > cut, near, 0.0)
        x /= x.sum()
        rank = 0
        for _ in range(MOST_POLISHES):
            wins, pairs = game.against(payoffs, x)
            system[:k, :k] = (game.n - 1) * pairs[np.ix_(kept, kept)].T
            sides = np.append(x @ wins - wins[kept], 0.0)
            change, _, rank, _ = np.linalg.lstsq(system, sides, rcond=SINGULAR)
            x[kept] += change[:k]
            if not POLISHED < np.abs(change[:k]).max() < 1:
                break
        if x.min() >= 0 and np.abs(x - near).max() < farthest:
            yield x / x.sum(), rank == k + 1


def _descended(game: EmpiricalGame, payoffs: FloatArray) -> FloatArray:
    """Return the mix of least regret that is found by descent from several starts.

    Of the mix x and its value v, v minus what x wins against itself is made least, where no entrant
    wins more than v.  At an equilibrium that is nil.
    """
    from scipy.optimize import LinearConstraint, NonlinearConstraint, minimize  # rarely needed

    size, slope = game.size, game.n - 1

    def regret(at: FloatArray) -> tuple[float, FloatArray]:
        wins, pairs = game.against(payoffs, at[:size])
        gradient = np.append(-wins - slope * pairs @ at[:size], 1.0)
        return float(at[size] - at[:size] @ wins), gradient

    def slack(at: FloatArray) -> FloatArray:
        wins, _ = game.against(payoffs, at[:size])
        return at[size:] - wins

    def slack_slope(at: FloatArray) -> FloatArray:
        pairs = game.against(payoffs, at[:size])[1]
        return np.column_stack([-slope * pairs.T, np.ones(size)])

    rng = np.random.Generator(np.random.PCG64(0))
    starts = [np.full(size, 1 / size), *np.eye(size), *rng.dirichlet(np.ones(size), RANDOM_STARTS)]
    found: list[FloatArray] = []
    for start in starts:
        result = minimize(
            regret,
            np.append(start, game.against(payoffs, start)[0].max()),
            jac=True,
            method="SLSQP",
            bounds=[(0.0, 1.0)] * size + [(None, None)],
            constraints=[
                LinearConstraint(np.append(np.ones(size), 0.0), 1.0, 1.0),
                NonlinearConstraint(slack, 0.0, np.inf, jac=slack_slope),
            ],
            options={"ftol": EXACT},
        )
        x = np.maximum(result.x[:size], 0.0)
        x /= x.sum()
        found += [x, *(near for near, _ in _polished(game, payoffs, x, farthest=1.0))]
        best = min(found, key=lambda x: game.mix(payoffs, x).regret)
        if game.mix(payoffs, best).regret < CLOSE:
            return best
    return best
