"""What `tune` found, and how it is said."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from herdlab.analysis.result import Result
from herdlab.analysis.runs.provenance import provenance
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.successive_halving import Round
from herdlab.analysis.stats.verdicts import Kind, kind_of_wins

if TYPE_CHECKING:
    import pandas as pd

    from herdlab.analysis.studies.tune import TuneRequest


@dataclass(frozen=True)
class OpponentResult:
    """The winner beside one of the opponents, on fresh deals; intervals hold for all together."""

    player: str
    rate: Estimate
    """The opponent's own win rate in the winner's place (pointwise interval)."""
    difference: Estimate
    """The winner's win rate less this."""
    is_same: bool
    """Whether both came out the same on every deal."""
    alone: Estimate
    """The winner's win rate when everybody else is this opponent."""

    @property
    def words(self) -> str:
        """What the winner does to it, as the beginning of a clause."""
        if self.is_same:
            return "comes out the same as"
        return {
            Kind.HIGHER: "beats",
            Kind.LOWER: "does worse than",
            Kind.TIE: "ties with",
            Kind.OPEN: "is too close to call with",
        }[self.kind]

    @property
    def kind(self) -> Kind:
        """Return the verdict on the winner compared with it."""
        return kind_of_wins(self.difference)


@dataclass(frozen=True, repr=False)
class TuneResult(Result):
    """What was found."""

    request: "TuneRequest"
    player: str
    values: dict[str, str]
    rounds: list[Round]
    """Of the search; where it was refined, both times."""
    tried: dict[str, Estimate]
    """What the search believed of every candidate, by player, the best first."""
    rate: Estimate
    """The winner's win rate on fresh deals."""
    given: Estimate
    """That of the strategy as it was given."""
    over_given: Estimate
    """The winner less the strategy as it was given."""
    is_as_given: bool
    """Whether both came out the same on every deal."""
    over_believed: Estimate
    """What the search believed of the winner less what it is on fresh deals."""
    opponents: list[OpponentResult]
    games: int
    """All, of the search and after it."""
    seconds: float

    @property
    def believed(self) -> Estimate:
        """What the search believed of the winner."""
        return self.tried[self.player]

    @property
    def beaten(self) -> list[str]:
        """Opponents that the winner does better than, in the same places."""
        return [one.player for one in self.opponents if one.kind == Kind.HIGHER]

    @property
    def verdict(self) -> str:
        """Whether the winner is better than every opponent, in a sentence."""
        names = ", ".join(one.player for one in self.opponents)
        if len(self.beaten) == len(self.opponents):
            every = names if len(self.opponents) == 1 else f"every one of {names}"
            return f"{self.player} beats {every} in a field of them, confirmed on fresh deals"
        said: dict[str, list[str]] = {}
        for one in self.opponents:
            said.setdefault(one.words, []).append(one.player)
        parts = [f"{words} {', '.join(players)}" for words, players in said.items()]
        return f"on fresh deals {self.player} {'; '.join(parts)}, in a field of {names}"

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``tune --json`` prints."""
        request = self.request
        return {
            **request.experiment.as_json(),
            "command": "tune",
            "arguments": request.arguments(),
            "size": request.table,
            "even_share": 1 / request.table,
            "fields": len(request.fields),
            "weights": "multinomial",
            "fresh_seed": request.fresh_seed,
            "grid_points": request.grid.size,
            "candidates": len(self.tried),
            "rounds": [{"candidates": one.candidates, "lucks": one.deals} for one in self.rounds],
            "winner": self.player,
            "values": self.values,
            "lucks": self.rate.n,
            "games": self.games,
            "win_rate": _json(self.rate),
            "given": {"player": request.grid.given, "win_rate": _json(self.given)},
            "over_given": _json(self.over_given),
            "is_as_given": self.is_as_given,
            "believed": _json(self.believed),
            "over_believed": _json(self.over_believed),
            "opponents": [
                {
                    "player": one.player,
                    "win_rate": _json(one.rate),
                    "difference": _json(one.difference),
                    "kind": one.kind,
                    "is_same": one.is_same,
                    "one_among_copies": _json(one.alone),
                }
                for one in self.opponents
            ],
            "interval": "blocks; over opponents simultaneous",
            "tried": [{"player": player, **_json(one)} for player, one in self.tried.items()],
            "verdict": self.verdict,
            "settled": all(one.kind != Kind.OPEN for one in self.opponents),
            **provenance(self.seconds),
        }

    def frame(self) -> "pd.DataFrame":
        """Return one row for the winner, the strategy as given, and each opponent, on fresh deals.

        `difference` is the winner less this one; `alone` the winner among copies of this one.
        """
        import pandas as pd

        nothing = Estimate(float("nan"), float("nan"), float("nan"), 0)
        rows = [
            ("winner", self.player, self.rate, nothing, nothing),
            ("given", self.request.grid.given, self.given, self.over_given, nothing),
            *(("opponent", o.player, o.rate, o.difference, o.alone) for o in self.opponents),
        ]
        return pd.DataFrame(
            {
                "role": role,
                "player": player,
                "value": rate.value,
                "low": rate.low,
                "high": rate.high,
                "n": rate.n,
                "difference": apart.value,
                "difference_low": apart.low,
                "difference_high": apart.high,
                "alone": alone.value,
                "alone_low": alone.low,
                "alone_high": alone.high,
            }
            for role, player, rate, apart, alone in rows
        )


@dataclass(frozen=True, repr=False)
class SearchSoFar(Result):
    """What an interrupted search has seen; nothing of it was measured on fresh deals."""

    request: "TuneRequest"
    tried: dict[str, Estimate]
    """By player: who came furthest in the search first, and of those the best."""
    games: int
    seconds: float

    @property
    def sentence(self) -> str:
        """Who leads, and why that is not to be believed yet."""
        player, rate = next(iter(self.tried.items()))
        return (
            f"of {len(self.tried):,} candidates {player} leads, with "
            f"{100 * rate.value:.2f} % ({100 * rate.low:.2f} to {100 * rate.high:.2f}) of "
            f"{rate.n:,} deals won; the best of many has been lucky too, and this was not measured "
            f"on fresh deals"
        )

    def as_json(self) -> dict[str, Any]:
        """Return the object that an interrupted ``tune --json`` prints."""
        return {
            **self.request.experiment.as_json(),
            "command": "tune",
            "arguments": self.request.arguments(),
            "interrupted": True,
            "games": self.games,
            "tried": [{"player": player, **_json(one)} for player, one in self.tried.items()],
            "sentence": self.sentence,
            **provenance(self.seconds),
        }

    def frame(self) -> "pd.DataFrame":
        """Return one row a candidate."""
        import pandas as pd

        return pd.DataFrame(self.as_json()["tried"])


def _json(one: Estimate) -> dict[str, float | int]:
    return {"value": one.value, "ci_low": one.low, "ci_high": one.high, "lucks": one.n}
