"""`race`: Have You Herd? as an independent race, and what the real game adds to it.

A seat that plays for itself has a distribution of finishing turns, which is known exactly
(`strategies.herd.solved`).  If players never met, who wins would follow from these alone.  They do
meet, in three ways: the skunk (H14), trades with one another after a T (H13), and the common supply
(H1).  The same deals are played by the rules as given, then without the skunk, then without it and
from a supply that never runs short.  What still separates this from the race are the trades after
a T: for one who is alone a T only bars the final trade (H2).
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from herdlab.analysis.exact.race_result import MEASURED, Racer, RaceResult
from herdlab.analysis.experiment import FEWEST_DEALS, Experiment, check_games, respell
from herdlab.analysis.runs.progress import OnProgress
from herdlab.analysis.runs.runner import HERE, Runner
from herdlab.analysis.sampling.metrics import WIN
from herdlab.analysis.sampling.paired_samples import (
    Contender,
    PairedEstimates,
    PairedSamples,
    Sequences,
    in_every_seat,
)
from herdlab.analysis.stats.confidence_sequences import BoundedSequence, v_for_half_width
from herdlab.analysis.stats.estimates import CONFIDENCE, Estimate
from herdlab.analysis.stats.precision_goal import FIRST_LOOK, check_precision
from herdlab.simcore.errors import BadInput, split_names
from herdlab.simcore.herd.finishing import Floats, race, race_turns, unbeaten
from herdlab.simcore.herd.rules import MAX_PLAYERS, PLURALS
from herdlab.simcore.rules import Rules
from herdlab.strategies.registry import check_line_up, read_line_up, spelled

__all__ = ["RaceRequest", "RaceResult", "Racer", "race", "race_turns", "run_race", "unbeaten"]

if TYPE_CHECKING:
    from herdlab.simcore.herd.exact import Solo

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
class RaceRequest:
    """Everything that decides a result."""

    experiment: Experiment
    players: str
    """As on the command line: ``keeper,keeper-dog``."""
    deals: int = 100_000
    """How many; with `precision` at most so many."""
    precision: float | None = None
    """Stop when every measured figure is known to within ± this."""

    def __post_init__(self) -> None:
        check_games(self.deals, at_least=FEWEST_DEALS)
        if self.precision is not None:
            check_precision(self.precision)
        if self.experiment.game.name != "herd":
            raise BadInput(
                f"only herd is a race, each for his own herd, and got '{self.experiment.game.name}'"
            )
        respell(self, players=spelled(self.experiment.game, self.players))
        if not 2 <= len(self.line_up) <= MAX_PLAYERS:  # noqa: PLR2004
            raise BadInput(f"a race takes 2 to {MAX_PLAYERS} players, and got {len(self.line_up)}")
        from herdlab.strategies.herd.solved import check_solvable

        for name in self.line_up:
            check_solvable(name)
        for experiment in self.scenes:
            check_line_up(experiment.game, experiment.rules, self.players)

    @property
    def line_up(self) -> list[str]:
        """Who plays, seat by seat."""
        return split_names(self.players)

    @property
    def scenes(self) -> list[Experiment]:
        """The rules of `REAL`, `NO_SKUNK` and `AMPLE`."""
        rules: Any = self.experiment.rules
        notes = rules.notes()
        has_skunk = "skunk" in (*rules.wolf_die, *rules.fox_die)
        without = self.experiment.under(skunks=0) if has_skunk else self.experiment
        ample = without.under(**{key: int(notes[key].high or 0) for key in PLURALS})
        return [self.experiment, without, ample]

    def arguments(self) -> dict[str, Any]:
        """Return what repeats it."""
        return {
            "players": self.players,
            "max_games" if self.precision else "games": self.deals,
            "precision": self.precision,
        }


def run_race(
    request: RaceRequest,
    *,
    runner: Runner = HERE,
    on_progress: OnProgress | None = None,
) -> RaceResult:
    """Work out the race, play the real game, and say what makes the difference."""
    begun = runner.begin()
    study = _Study(request)

    def look(new: PairedEstimates, found: PairedEstimates) -> int | None:
        new.add_to(study.sequences)
        so_far = result(found)
        wanted = request.precision or 0
        return None if so_far.is_precise else round(so_far.deals * (so_far.widest / wanted) ** 2)

    def result(found: PairedEstimates) -> RaceResult:
        return study.result(found, time.perf_counter() - begun)

    raced: RaceResult = study.samples.measure_for(
        result,
        request.deals,
        first_look=FIRST_LOOK,
        look=None if request.precision is None else look,
        runner=runner,
        on_progress=on_progress,
    )
    return raced


@dataclass(frozen=True)
class _Line:
    """Whose figures are wanted, and where he sits."""

    seat: int | None
    strategy: str
    copies: int
    contender: Contender


class _Study:
    """The contenders of a line-up under the three rules, their races, and what becomes of them."""

    def __init__(self, request: RaceRequest) -> None:
        self.request, up = request, request.line_up
        self._rules = [experiment.rules for experiment in request.scenes]
        self._solos: dict[tuple[str, str], Solo] = {}
        for rules in (self._rules[REAL], self._rules[AMPLE]):
            for name in dict.fromkeys(up):  # before any game, since a strategy may have no solution
                self._solo(rules, name)
        self.lines = _lines(self._rules[REAL], up)
        contenders = [
            replace(one.contender, rules=rules) for one in self.lines for rules in self._rules
        ]
        self.samples = PairedSamples(
            request.experiment.game, contenders, WIN, request.experiment.seed
        )
        self._alpha = (1 - CONFIDENCE) / (len(MEASURED) * len(self.lines))
        self.sequences = {} if request.precision is None else self._sequences(request.precision)

    def _sequences(self, half: float) -> Sequences:
        """Return a confidence sequence for every number; they share one chance of error."""
        found: Sequences = {}
        for place in (place for line in range(len(self.lines)) for place in _places(line)):
            low, guess = (0, 1 / self._n) if place[1] is None else (-1, 0.0)
            v = v_for_half_width(half, _USUAL_VARIANCE, self._alpha, low, 1)
            v = min(v, _TUNED_TO * _USUAL_VARIANCE)
            found[place] = BoundedSequence(low, 1, self._alpha, v, guess)
        return found

    @property
    def _n(self) -> int:
        return len(self.request.line_up)

    def result(self, found: PairedEstimates, seconds: float) -> RaceResult:
        """Return what is known by now."""
        request, racers = self.request, [self._racer(n, found) for n in range(len(self.lines))]
        read = read_line_up(request.experiment.game, request.players)
        watchers = [text for one, text, v in read if not one.is_own_only(v)]
        rules: Any = self._rules[REAL]
        return RaceResult(
            request=request,
            solos={name: self._solo(rules, name) for name in request.line_up},
            strategies=[one for one in racers if one.seat is None],
            seats=[one for one in racers if one.seat is not None],
            turns=race_turns(self._distributions(rules, request.line_up), rules.max_turns),
            watchers=list(dict.fromkeys(watchers)),
            hoarders=self._hoarders(found),
            deals=found.deals,
            games=found.games,
            interval="anytime" if self.sequences else "blocks",
            seconds=seconds,
        )

    def _hoarders(self, found: PairedEstimates) -> list[str]:
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
            for name in dict.fromkeys(self.request.line_up)
            if _apart(*self._distributions(share, [name]), *self._distributions(ample, [name]))
            > _SCARCE
        ]

    def _solo(self, rules: Any, name: str) -> "Solo":
        """Return a strategy's solo game, solved once."""
        from herdlab.strategies.herd.solved import solo

        if (rules.hash, name) not in self._solos:
            self._solos[rules.hash, name] = solo(rules, name)
        return self._solos[rules.hash, name]

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

    def _distributions(self, rules: Rules, line_up: Sequence[str]) -> list[Floats]:
        return [self._solo(rules, name).distribution for name in line_up]

    def _race(self, line: _Line, rules: Any) -> float:
        """Return the mean chance in the race over all places of a line."""
        won = [
            race(self._distributions(rules, line_up), rules.max_turns)[seat]
            for line_up, seat in line.contender.places
        ]
        return sum(won) / len(won)


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
