"""A line-up measured by three sets of rules, and its races: what `race` is made of."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.sampling.metrics import WIN
from herdlab.analysis.sampling.paired_estimates import PairedEstimates, Sequences
from herdlab.analysis.sampling.paired_samples import Contender, PairedSamples, in_every_seat
from herdlab.analysis.stats.confidence_sequences import BoundedSequence, v_for_half_width
from herdlab.analysis.stats.estimates import CONFIDENCE, Estimate, as_columns
from herdlab.analysis.stats.verdicts import Kind, kind_of
from herdlab.simcore.herd.finishing import Floats, race, race_turns
from herdlab.simcore.rules import Rules

if TYPE_CHECKING:
    from herdlab.simcore.herd.exact import Solo

MEASURED = ("real", "skunk", "supply", "t")
"""The numbers of a racer that were measured."""
_PILED = ("sheep", "pigs", "cows")
"""Of what a player may own as much as there is (H7)."""
REAL, NO_SKUNK, AMPLE = range(3)
"""The rules that a line-up plays by, each with one thing less in which players meet."""
_SCARCE = 0.001
"""A supply of which fewer deals take notice is as good as one that never runs short."""
_USUAL_VARIANCE = 0.1
_TUNED_TO = 1_000_000
"""Deals at most at which a confidence sequence is the tightest; see `precision_goal`."""


@dataclass(frozen=True)
class Racer:
    """A seat, or a strategy in every seat in turn: its chances in the race and in the game.

    The real win rate is the race's plus the three pieces; each piece is a difference of win rates.
    """

    seat: int | None
    """None for a strategy, whose numbers are means over the rotations of the seats."""
    strategy: str
    copies: int
    fair: float
    """The win rate of one among equals in every seat."""
    race: float
    """Exact, for players who never meet, each with the whole supply."""
    ample_race: float
    """The same where the supply never runs short."""
    real: Estimate
    skunk: Estimate
    """What the skunk tile adds."""
    supply: Estimate
    """What it adds that the supply is common."""
    t: Estimate
    """What trades with one another after a T add."""

    @property
    def name(self) -> str:
        """What a sentence calls it."""
        return self.strategy if self.seat is None else f"seat {self.seat} ({self.strategy})"

    @property
    def advantage(self) -> Estimate:
        """The real win rate less the fair share."""
        return self.real.moved(-self.fair)

    @property
    def explained(self) -> Estimate | None:
        """The race's part of the advantage; None where the advantage may be none at all."""
        one, race_ = self.advantage, self.race - self.fair
        if kind_of(one) == Kind.OPEN:
            return None
        low, high = sorted((race_ / one.low, race_ / one.high))
        return Estimate(race_ / one.value, low, high, one.n)

    @property
    def sentence(self) -> str:
        """Return how much of the advantage the race explains."""
        one, race_ = self.advantage, self.race - self.fair
        fair = f"a fair share of {100 * self.fair:.4g} %"
        span = f"{_points(one.low)} to {_points(one.high)}"
        part = self.explained
        if part is None:
            return (
                f"in the real game {self.name} cannot be told from {fair} ({_points(one.value)} "
                f"points, {span}), so there is no advantage to explain; the race alone gives "
                f"{_points(race_)}"
            )
        if part.value <= 0 or part.low > 1:
            return (
                f"the race alone gives {self.name} {_points(race_)} points on {fair}, the real "
                f"game {_points(one.value)} ({span})"
            )
        side = "above" if one.value > 0 else "below"
        share = f"{100 * part.value:.0f} %, {100 * part.low:.0f} to {100 * part.high:.0f}"
        how_much = f"{100 * abs(race_):.2f}" if part.value < 1 else "all"
        return (
            f"the race explains {how_much} of the {100 * abs(one.value):.2f} points by which "
            f"{self.name} is {side} {fair} ({share})"
        )

    def as_json(self) -> dict[str, Any]:
        """Return all numbers."""
        found: dict[str, Any] = {
            "seat": self.seat,
            "strategy": self.strategy,
            "copies": self.copies,
            "fair": self.fair,
            "race": self.race,
            "ample_race": self.ample_race,
        }
        for key in ("explained", *MEASURED):
            found |= as_columns(getattr(self, key), key, f"{key}_ci_")
        return found


@dataclass(frozen=True)
class _Line:
    """Whose numbers are wanted, and in which seats."""

    seat: int | None
    strategy: str
    copies: int
    contender: Contender


class RaceMeasurement:
    """The contenders of a line-up under the three rules, their races, and what becomes of them."""

    def __init__(
        self, experiments: Sequence[Experiment], line_up: Sequence[str], precision: float | None
    ) -> None:
        """Take experiments by the rules of `REAL`, `NO_SKUNK` and `AMPLE`."""
        self.line_up, self._n = line_up, len(line_up)
        self._rules = [experiment.rules for experiment in experiments]
        for rules, name in product((self._rules[REAL], self._rules[AMPLE]), line_up):
            _solo(rules, name)  # before any game: it may have no solution
        self.lines = _lines(self._rules[REAL], line_up)
        contenders = [
            replace(one.contender, rules=rules) for one in self.lines for rules in self._rules
        ]
        self.samples = PairedSamples(experiments[0].game, contenders, WIN, experiments[0].seed)
        self._alpha = (1 - CONFIDENCE) / (len(MEASURED) * len(self.lines))
        self.sequences = {} if precision is None else self._sequences(precision)

    def _sequences(self, half: float) -> Sequences:
        """Return a confidence sequence for every number; they share one chance of error."""
        found: Sequences = {}
        for place in (place for line in range(len(self.lines)) for place in _places(line)):
            low, guess = (0, 1 / self._n) if place[1] is None else (-1, 0.0)
            v = v_for_half_width(half, _USUAL_VARIANCE, self._alpha, low, 1)
            v = min(v, _TUNED_TO * _USUAL_VARIANCE)
            found[place] = BoundedSequence(low, 1, self._alpha, v, guess)
        return found

    def racers(self, found: PairedEstimates) -> list[Racer]:
        """Return what is known by now, of strategies and then of seats."""
        return [self._racer(number, found) for number in range(len(self.lines))]

    def race_turns(self) -> float:
        """Return the expected length of the race as given, in turns of all seats."""
        rules: Any = self._rules[REAL]
        return race_turns(_distributions(rules, self.line_up), rules.max_turns)

    def hoarders(self, found: PairedEstimates) -> list[str]:
        """Return who may run short of even the largest supply: one's share of it would not do.

        Worked out only where the supply was seen to matter at all.
        """
        supplies = [_places(number)[2] for number in range(len(self.lines))]
        if all(found.deviation(*pair) ** 2 < _SCARCE for pair in supplies):
            return []
        ample: Any = self._rules[AMPLE]
        share = ample.but(**{key: getattr(ample, key) // self._n for key in _PILED})
        return [
            name
            for name in dict.fromkeys(self.line_up)
            if _apart(*_distributions(share, [name]), *_distributions(ample, [name])) > _SCARCE
        ]

    def solos(self) -> dict[str, "Solo"]:
        """Return by strategy its solo game under the rules as given."""
        return {name: _solo(self._rules[REAL], name) for name in self.line_up}

    def _racer(self, number: int, found: PairedEstimates) -> Racer:
        line = self.lines[number]
        real, skunk, supply, ample = self._estimates(number, found)
        alone, ample_alone = (self._race(line, self._rules[step]) for step in (REAL, AMPLE))
        return Racer(
            seat=line.seat,
            strategy=line.strategy,
            copies=line.copies,
            fair=1 / self._n,
            race=alone,
            ample_race=ample_alone,
            real=real,
            skunk=skunk,
            supply=supply.moved(ample_alone - alone),
            t=ample.moved(-ample_alone),
        )

    def _estimates(self, number: int, found: PairedEstimates) -> list[Estimate]:
        """Return the real rate, the two differences between rules, and the rate by the last."""
        contenders, places = self.samples.contenders, _places(number)
        estimates = []
        for a, b in places:
            if b is not None and contenders[a].rules == contenders[b].rules:
                estimates.append(Estimate(0.0, 0.0, 0.0, found.deals))
            elif self.sequences:
                estimates.append(self.sequences[a, b].interval())
            else:
                estimates.append(found.estimate(a, b, 1 - self._alpha))
        return estimates

    def _race(self, line: _Line, rules: Any) -> float:
        """Return the mean chance in the race over all places of a line."""
        won = [
            race(_distributions(rules, line_up), rules.max_turns)[seat]
            for line_up, seat in line.contender.places
        ]
        return sum(won) / len(won)


@cache
def _solo(rules: Any, name: str) -> "Solo":
    """Return a strategy's solo game, solved once."""
    from herdlab.strategies.herd.solved import solo

    return solo(rules, name)


def _distributions(rules: Rules, line_up: Sequence[str]) -> list[Floats]:
    return [_solo(rules, name).distribution for name in line_up]


def _lines(rules: Rules, line_up: Sequence[str]) -> list[_Line]:
    """Return the strategies, unless there is but one, and the seats."""
    found = []
    distinct = list(dict.fromkeys(line_up))
    for who in distinct if len(distinct) > 1 else ():
        at = [place for place, name in enumerate(line_up) if name == who]
        fields = [[*line_up[place + 1 :], *line_up[:place]] for place in at]
        found.append(_Line(None, who, len(at), in_every_seat(rules, who, *fields)))
    for seat, who in enumerate(line_up):
        found.append(_Line(seat, who, 1, Contender(rules, ((tuple(line_up), seat),), (1,))))
    return found


def _places(line: int) -> list[tuple[int, int | None]]:
    """Return what is measured of a line, as `MEASURED` has it: contenders and differences."""
    real, without, ample = (3 * line + rules for rules in (REAL, NO_SKUNK, AMPLE))
    return [(real, None), (real, without), (without, ample), (ample, None)]


def _apart(one: Floats, other: Floats) -> float:
    """Return how far the chances to have finished by some turn differ at most."""
    turns = max(one.size, other.size)
    gaps = np.cumsum(np.pad(one, (0, turns - one.size)) - np.pad(other, (0, turns - other.size)))
    return float(np.abs(gaps).max(initial=0.0))


def _points(rate: float) -> str:
    return f"{100 * rate:+z.2f}"
