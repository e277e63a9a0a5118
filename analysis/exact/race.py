"""`race`: Have You Herd? as an independent race, and what the real game adds to it.

A seat that plays for itself has a distribution of finishing turns, which is known exactly
(`strategies.herd.solved`).  If players never met, who wins would follow from these alone.  They do
meet, in three ways: the skunk (H14), trades with one another after a T (H13), and the common supply
(H1).  The same deals are played by the rules as given, then without the skunk, then without it and
from a supply that never runs short.  What still separates this from the race are the trades after
a T: for a player alone a T only bars the final trade (H2).
"""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from herdlab.analysis.exact.race_measurement import MEASURED, RaceMeasurement, Racer
from herdlab.analysis.experiment import FEWEST_DEALS, Experiment, check_games, joined, respell
from herdlab.analysis.result import Result
from herdlab.analysis.runs.provenance import provenance
from herdlab.analysis.runs.runner import HERE, Runner
from herdlab.analysis.sampling.paired_estimates import PairedEstimates
from herdlab.analysis.stats.estimates import CONFIDENCE, Estimate
from herdlab.analysis.stats.precision_goal import FIRST_LOOK, check_precision
from herdlab.simcore.errors import BadInput
from herdlab.simcore.herd.rules import MAX_PLAYERS, PLURALS
from herdlab.strategies.registry import read_line_up

if TYPE_CHECKING:
    from herdlab.simcore.herd.exact import Solo


@dataclass(frozen=True)
class RaceRequest:
    """Everything that decides a result."""

    experiment: Experiment
    players: tuple[str, ...]
    """By seat."""
    deals: int = 100_000
    """How many; with `precision` at most so many."""
    precision: float | None = None
    """Stop when every measured number is known to within ± this."""

    def __post_init__(self) -> None:
        check_games(self.deals, at_least=FEWEST_DEALS)
        if self.precision is not None:
            check_precision(self.precision)
        if self.experiment.game.name != "herd":
            raise BadInput(f"race supports only herd, not '{self.experiment.game.name}'")
        respell(self, players=self.experiment.spelled(self.players))
        if not 2 <= len(self.players) <= MAX_PLAYERS:  # noqa: PLR2004
            raise BadInput(f"a race takes 2 to {MAX_PLAYERS} players, and got {len(self.players)}")
        from herdlab.strategies.herd.solved import check_solvable

        for name in self.players:
            check_solvable(name)
        for experiment in self.experiments:
            experiment.check_line_up(self.players)

    @property
    def experiments(self) -> list[Experiment]:
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


_HARDLY_A_RACE = 0.5


@dataclass(frozen=True, repr=False)
class RaceResult(Result):
    """The race of a line-up beside its real game."""

    request: RaceRequest
    solos: dict[str, "Solo"]
    """By strategy: its solo game under the rules as given."""
    strategies: list[Racer]
    """Each in every seat in turn; none where all are copies of one, who share the wins anyhow."""
    seats: list[Racer]
    """In the line-up as given."""
    turns: float
    """Expected length of the race in turns of all seats, in the line-up as given."""
    watchers: list[str]
    """Who does not promise to look only at what is their own; what comes of it counts with T."""
    hoarders: list[str]
    """Who may run short of even the largest supply; what comes of it counts with T, too."""
    deals: int
    games: int
    interval: str
    """"blocks", or "anytime" where it was stopped by precision."""
    seconds: float

    @property
    def nobody(self) -> float:
        """The chance that nobody finishes the race."""
        return max(0.0, 1 - sum(one.race for one in self.seats))

    @property
    def sentence(self) -> str:
        """Return what the race explains of the first strategy, or that nobody wins it."""
        if self.nobody > _HARDLY_A_RACE:
            return (
                f"with a chance of {100 * self.nobody:.4g} % nobody finishes this race, so there "
                f"is little to explain"
            )
        return (self.strategies or self.seats)[0].sentence

    @property
    def widest(self) -> float:
        """The largest half-width of all numbers."""
        racers = [*self.strategies, *self.seats]
        every: list[Estimate] = [getattr(one, key) for one in racers for key in MEASURED]
        return max(one.half_width for one in every)

    @property
    def is_precise(self) -> bool | None:
        """Whether the precision that was asked for was reached; None if none was."""
        wanted = self.request.precision
        return None if wanted is None else self.widest <= wanted

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``race --json`` prints."""
        return {
            "command": "race",
            **self.request.experiment.as_json(),
            "arguments": self.request.arguments(),
            "players": list(self.request.players),
            "solo": [
                {"strategy": name, "mean_turns": one.mean, "sd_turns": one.sd}
                for name, one in self.solos.items()
            ],
            "strategies": [one.as_json() for one in self.strategies],
            "seats": [one.as_json() for one in self.seats],
            "nobody": self.nobody,
            "race_turns": self.turns,
            "watchers": self.watchers,
            "hoarders": self.hoarders,
            "lucks": self.deals,
            "games": self.games,
            "confidence": CONFIDENCE,
            "interval": self.interval,
            "precision_reached": self.is_precise,
            "sentence": self.sentence,
            **provenance(self.seconds),
        }


def run_race(request: RaceRequest, runner: Runner = HERE) -> RaceResult:
    """Work out the race, play the real game, and say what makes the difference."""
    begun = runner.begin()
    measurement = RaceMeasurement(request.experiments, request.players, request.precision)

    def look(new: PairedEstimates, found: PairedEstimates) -> int | None:
        new.add_to(measurement.sequences)
        so_far = result(found)
        wanted = request.precision or 0
        return None if so_far.is_precise else round(so_far.deals * (so_far.widest / wanted) ** 2)

    def result(found: PairedEstimates) -> RaceResult:
        racers = measurement.racers(found)
        read = read_line_up(request.experiment.game, request.players)
        watchers = [text for one, text, v in read if not one.is_own_only(v)]
        return RaceResult(
            request=request,
            solos=measurement.solos(),
            strategies=[one for one in racers if one.seat is None],
            seats=[one for one in racers if one.seat is not None],
            turns=measurement.race_turns(),
            watchers=list(dict.fromkeys(watchers)),
            hoarders=measurement.hoarders(found),
            deals=found.deals,
            games=found.games,
            interval="anytime" if measurement.sequences else "blocks",
            seconds=time.perf_counter() - begun,
        )

    raced: RaceResult = measurement.samples.measure_for(
        result,
        request.deals,
        first_look=FIRST_LOOK,
        look=None if request.precision is None else look,
        runner=runner,
    )
    return raced
