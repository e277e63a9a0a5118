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

from herdlab.analysis.exact.race_result import MEASURED, Racer, RaceResult, moved
from herdlab.analysis.experiment import (
    FEWEST_DEALS,
    Experiment,
    Interrupted,
    check_games,
    joined,
    respell,
)
from herdlab.analysis.runs.progress import OnProgress, part_of
from herdlab.analysis.runs.runner import HERE, Runner
from herdlab.analysis.sampling.metrics import WIN
from herdlab.analysis.sampling.paired_samples import Arm, Measured, PairedSamples, in_every_seat
from herdlab.analysis.stats.confidence_sequences import Bounded, Track, looks, v_for_half_width
from herdlab.analysis.stats.estimates import CONFIDENCE, Estimate
from herdlab.analysis.stats.precision_goal import FIRST_LOOK, check_precision
from herdlab.simcore.errors import BadInput
from herdlab.simcore.herd.finishing import Floats, race, race_turns, unbeaten
from herdlab.simcore.herd.rules import MAX_PLAYERS, PLURALS
from herdlab.simcore.rules import Rules
from herdlab.strategies.registry import read_line_up

__all__ = ["RaceRequest", "RaceResult", "Racer", "race", "race_turns", "run", "unbeaten"]

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
    players: tuple[str, ...]
    """By seat."""
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
        respell(self, players=self.experiment.spelled(self.players))
        if not 2 <= len(self.players) <= MAX_PLAYERS:  # noqa: PLR2004
            raise BadInput(f"a race takes 2 to {MAX_PLAYERS} players, and got {len(self.players)}")
        from herdlab.strategies.herd.solved import check_solvable

        for name in self.players:
            check_solvable(name)
        for experiment in self.scenes:
            experiment.check_line_up(self.players)

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
            "players": joined(self.players),
            "max_games" if self.precision else "games": self.deals,
            "precision": self.precision,
        }


def run(
    request: RaceRequest,
    *,
    runner: Runner = HERE,
    on_progress: OnProgress | None = None,
) -> RaceResult:
    """Work out the race, play the real game, and say what makes the difference."""
    begun = runner.begin()
    study = _Study(request)
    sums = study.panel.empty()
    seen = sums.copy()

    def look() -> int | None:
        nonlocal seen
        if sums.deals > seen.deals:
            study.take_in(Measured(study.panel, sums.less(seen)))
            seen = sums.copy()
        found = result()
        wanted = request.precision or 0
        return None if found.is_precise else round(found.deals * (found.widest / wanted) ** 2)

    def result() -> RaceResult:
        return study.result(Measured(study.panel, sums), time.perf_counter() - begun)

    try:
        if request.precision is None:
            heard = part_of(on_progress, 0, request.deals)
            study.panel.measure(range(request.deals), into=sums, runner=runner, on_progress=heard)
        else:
            runner.play_until(
                study.panel.play,
                sums,
                looks(FIRST_LOOK, request.deals),
                look,
                chunk=study.panel.chunk,
                on_progress=on_progress,
            )
    except KeyboardInterrupt:
        so_far = None
        if sums.deals >= FEWEST_DEALS:
            if request.precision is not None:
                look()
            so_far = replace(result(), request=replace(request, deals=sums.deals))
        option = "--games" if request.precision is None else "--max-games"
        raise Interrupted(so_far, f"{option} {sums.deals}") from None
    return result()


@dataclass(frozen=True)
class _Line:
    """Whose figures are wanted, and where he sits."""

    seat: int | None
    strategy: str
    copies: int
    arm: Arm


class _Study:
    """The arms of a line-up under the three rules, their races, and what becomes of them."""

    def __init__(self, request: RaceRequest) -> None:
        self.request, up = request, request.players
        self._rules = [experiment.rules for experiment in request.scenes]
        self._solos: dict[tuple[str, str], Solo] = {}
        for rules in (self._rules[REAL], self._rules[AMPLE]):
            for name in dict.fromkeys(up):  # before any game, since a strategy may have no solution
                self._solo(rules, name)
        self.lines = _lines(self._rules[REAL], up)
        arms = [replace(one.arm, rules=rules) for one in self.lines for rules in self._rules]
        self.panel = PairedSamples(request.experiment.game, arms, WIN, request.experiment.seed)
        self._alpha = (1 - CONFIDENCE) / (len(MEASURED) * len(self.lines))
        self._tracks = None if request.precision is None else self._sequences(request.precision)

    def _sequences(self, half: float) -> list[Track]:
        """Return a confidence sequence for every figure; they share one chance of error."""
        found: list[Track] = []
        for _ in self.lines:
            for low in (0, -1, -1, 0):
                v = v_for_half_width(half, _USUAL_VARIANCE, self._alpha, low, 1)
                v, guess = min(v, _TUNED_TO * _USUAL_VARIANCE), 0 if low else 1 / self._n
                found.append(Bounded(low, 1, self._alpha, v, guess).start())
        return found

    @property
    def _n(self) -> int:
        return len(self.request.players)

    def take_in(self, new: Measured) -> None:
        """Look at what has been played since the last look."""
        tracks = iter(self._tracks or ())
        for line in range(len(self.lines)):
            real, without, ample = _arms(line)
            for total, squares in (
                new.of_arm(real),
                new.of_difference(real, without),
                new.of_difference(without, ample),
                new.of_arm(ample),
            ):
                next(tracks).add(new.deals, total, squares)

    def result(self, found: Measured, seconds: float) -> RaceResult:
        """Return what is known by now."""
        request, racers = self.request, [self._racer(n, found) for n in range(len(self.lines))]
        read = read_line_up(request.experiment.game, ",".join(request.players))
        watchers = [text for one, text, v in read if not one.is_own_only(v)]
        rules: Any = self._rules[REAL]
        return RaceResult(
            request=request,
            solos={name: self._solo(rules, name) for name in request.players},
            strategies=[one for one in racers if one.seat is None],
            seats=[one for one in racers if one.seat is not None],
            turns=race_turns(self._distributions(rules, request.players), rules.max_turns),
            watchers=list(dict.fromkeys(watchers)),
            hoarders=self._hoarders(found),
            deals=found.deals,
            games=found.games,
            interval="blocks" if self._tracks is None else "anytime",
            seconds=seconds,
        )

    def _hoarders(self, found: Measured) -> list[str]:
        """Return who may run short of even the largest supply: one's share of it would not do.

        Worked out only where the supply was seen to matter at all.
        """
        arms = [_arms(number) for number in range(len(self.lines))]
        if all(found.deviation_of_difference(b, c) ** 2 < _SCARCE for _, b, c in arms):
            return []
        ample: Any = self._rules[AMPLE]
        share = ample.but(**{key: getattr(ample, key) // self._n for key in _PILED})
        return [
            name
            for name in dict.fromkeys(self.request.players)
            if _apart(*self._distributions(share, [name]), *self._distributions(ample, [name]))
            > _SCARCE
        ]

    def _solo(self, rules: Any, name: str) -> "Solo":
        """Return a strategy's solo game, solved once."""
        from herdlab.strategies.herd.solved import solo

        if (rules.hash, name) not in self._solos:
            self._solos[rules.hash, name] = solo(rules, name)
        return self._solos[rules.hash, name]

    def _racer(self, number: int, found: Measured) -> Racer:
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
            supply=moved(supply, ample_alone - alone),
            t=moved(ample, -ample_alone),
        )

    def _estimates(self, number: int, found: Measured) -> list[Estimate]:
        """Return the real rate, the two differences between rules, and the rate by the last."""
        real, without, ample = _arms(number)
        confidence = 1 - self._alpha
        estimates = [
            found.mean(real, confidence),
            found.difference(real, without, confidence),
            found.difference(without, ample, confidence),
            found.mean(ample, confidence),
        ]
        if self._tracks is not None:
            first = len(MEASURED) * number
            estimates = [one.interval() for one in self._tracks[first : first + len(MEASURED)]]
        for place, (a, b) in enumerate(((real, without), (without, ample)), 1):
            if self.panel.arms[a].rules == self.panel.arms[b].rules:
                estimates[place] = Estimate(0.0, 0.0, 0.0, found.deals)
        return estimates

    def _distributions(self, rules: Rules, line_up: Sequence[str]) -> list[Floats]:
        return [self._solo(rules, name).distribution for name in line_up]

    def _race(self, line: _Line, rules: Any) -> float:
        """Return the mean chance in the race over all places of a line."""
        won = [
            race(self._distributions(rules, line_up), rules.max_turns)[seat]
            for line_up, seat in line.arm.places
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
        found.append(_Line(seat, who, 1, Arm(rules, ((tuple(line_up), seat),), (1,))))
    return found


def _arms(line: int) -> tuple[int, int, int]:
    """Return the arms of a line: `REAL`, `NO_SKUNK` and `AMPLE`."""
    return 3 * line + REAL, 3 * line + NO_SKUNK, 3 * line + AMPLE


def _apart(one: Floats, other: Floats) -> float:
    """Return how far the chances to have finished by some turn differ at most."""
    turns = max(one.size, other.size)
    gaps = np.cumsum(np.pad(one, (0, turns - one.size)) - np.pad(other, (0, turns - other.size)))
    return float(np.abs(gaps).max(initial=0.0))
