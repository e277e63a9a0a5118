"""Successive halving: few games for many candidates, many games for the few that are left.

Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013; Jamieson
and Talwalkar, "Non-stochastic best arm identification and hyperparameter optimization", AISTATS
2016.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

FACTOR = 3
"""Of so many candidates one goes on, to so many times the deals."""
_FEWEST_IN_A_ROUND = 64


@dataclass(frozen=True)
class CandidateScore:
    """What the search saw of a candidate, in whole units of the metric."""

    candidate: int
    """The number of its point in the grid."""
    total: int = 0
    squares: int = 0
    deals: int = 0

    def with_more(self, total: int, squares: int, deals: int) -> "CandidateScore":
        """Return it with what was seen on so many more deals."""
        seen = self.total + total, self.squares + squares, self.deals + deals
        return CandidateScore(self.candidate, *seen)


@dataclass(frozen=True)
class Round:
    """A round of the search."""

    candidates: int
    deals: int
    """New ones, that all candidates of the round meet."""


@dataclass(frozen=True)
class HalvingResult:
    """A search that ended with one winner."""

    ranking: list[CandidateScore]
    """The winner first, then whoever was dropped last."""
    rounds: list[Round]


Play = Callable[[Sequence[int], range], Sequence[tuple[int, int]]]
"""Plays some candidates on some deals; returns for each the sum of its values and of squares."""


def rounds_of(candidates: int, deals: int) -> list[Round]:
    """Return the rounds in which so many become one; the last has `deals`, or nearly."""
    sizes = [candidates]
    while sizes[-1] > FACTOR:
        sizes.append(-(-sizes[-1] // FACTOR))
    first = max(_FEWEST_IN_A_ROUND, deals // FACTOR ** (len(sizes) - 1))
    return [Round(size, min(deals, first * FACTOR**place)) for place, size in enumerate(sizes)]


def halve(candidates: Sequence[int], deals: int, begin: int, play: Play) -> HalvingResult:
    """Play rounds until one candidate is left; deals are numbered from `begin` on.

    After each round the best third goes on, by all deals so far.  Of equals the first stays.
    """
    left = [CandidateScore(one) for one in candidates]
    dropped: list[CandidateScore] = []
    rounds = rounds_of(len(left), deals)
    for number, one in enumerate(rounds):
        part = range(begin, begin + one.deals)
        played = play([tried.candidate for tried in left], part)
        both = zip(left, played, strict=True)
        left = [tried.with_more(*sums, one.deals) for tried, sums in both]
        left.sort(key=lambda tried: -tried.total)
        begin = part.stop
        kept = rounds[number + 1].candidates if number + 1 < len(rounds) else 1
        dropped = left[kept:] + dropped
        left = left[:kept]
    return HalvingResult(left + dropped, rounds)
