"""What `race` found, and how it is said."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from herdlab.analysis.result import Result
from herdlab.analysis.runs.provenance import provenance
from herdlab.analysis.stats.estimates import CONFIDENCE, Estimate
from herdlab.analysis.stats.verdicts import Kind, kind_of

if TYPE_CHECKING:
    import pandas as pd

    from herdlab.analysis.exact.race import RaceRequest
    from herdlab.simcore.herd.exact import Solo

MEASURED = ("real", "skunk", "supply", "t")
"""The figures of a racer that were measured."""


@dataclass(frozen=True)
class Racer:
    """A seat, or a strategy in every seat in turn: its chances in the race and in the game.

    The real win rate is the race's plus the three pieces; each piece is a difference of win rates.
    """

    seat: int | None
    """None for a strategy, whose figures are means over the rotations of the seats."""
    strategy: str
    copies: int
    fair: float
    """The win rate of one among equals in every seat."""
    race: float
    """Exact, for players who never meet, each with the whole supply for himself."""
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
        return moved(self.real, -self.fair)

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
        """Return all figures."""
        part = self.explained
        found: dict[str, Any] = {
            "seat": self.seat,
            "strategy": self.strategy,
            "copies": self.copies,
            "fair": self.fair,
            "race": self.race,
            "ample_race": self.ample_race,
            "explained": None if part is None else part.value,
            "explained_ci_low": None if part is None else part.low,
            "explained_ci_high": None if part is None else part.high,
        }
        for key in MEASURED:
            one: Estimate = getattr(self, key)
            found |= {key: one.value, f"{key}_ci_low": one.low, f"{key}_ci_high": one.high}
        return found


_HARDLY_A_RACE = 0.5


@dataclass(frozen=True, repr=False)
class RaceResult(Result):
    """The race of a line-up beside its real game."""

    request: "RaceRequest"
    solos: dict[str, "Solo"]
    """By strategy: its solo game under the rules as given."""
    strategies: list[Racer]
    """Each in every seat in turn; none where all are copies of one, who share the wins anyhow."""
    seats: list[Racer]
    """In the line-up as given."""
    turns: float
    """Expected length of the race in turns of all seats, in the line-up as given."""
    watchers: list[str]
    """Who does not promise to look only at what is his own; what comes of it counts with T."""
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
        """The largest half-width of all figures."""
        racers = [*self.strategies, *self.seats]
        every: list[Estimate] = [getattr(one, key) for one in racers for key in MEASURED]
        return max(max(one.high - one.value, one.value - one.low) for one in every)

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

    def frame(self) -> "pd.DataFrame":
        """Return one row a strategy, then one a seat."""
        import pandas as pd

        return pd.DataFrame([one.as_json() for one in (*self.strategies, *self.seats)])


def moved(one: Estimate, by: float) -> Estimate:
    """Return an estimate of something that is more by an exact amount."""
    return Estimate(one.value + by, one.low + by, one.high + by, one.n)


def _points(rate: float) -> str:
    return f"{100 * rate:+z.2f}"
