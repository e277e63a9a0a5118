"""`tune`: search a strategy's parameters, then say on fresh deals what was found.

The winner of a search was also lucky, so it plays again on deals that the search never saw.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot, sqrt
from typing import Any

from herdlab.analysis.experiment import Interrupted
from herdlab.analysis.result import Result
from herdlab.analysis.runs.provenance import provenance
from herdlab.analysis.runs.runner import HERE, Runner
from herdlab.analysis.sampling.metrics import WIN, find_metric
from herdlab.analysis.sampling.paired_samples import PairedSamples, in_every_seat
from herdlab.analysis.stats import estimates
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.successive_halving import CandidateScore, HalvingResult, Round
from herdlab.analysis.stats.verdicts import Kind, kind_of_wins
from herdlab.analysis.studies.tune_search import CandidateSearch, TuneRequest


@dataclass(frozen=True)
class OpponentResult:
    """The winner compared with an opponent, on fresh deals; intervals hold for all together."""

    player: str
    rate: Estimate
    """The opponent's own win rate in the winner's place (pointwise interval)."""
    difference: Estimate
    """The winner's win rate minus this."""
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

    request: TuneRequest
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
    """The winner minus the strategy as it was given."""
    is_as_given: bool
    """Whether both came out the same on every deal."""
    over_believed: Estimate
    """What the search believed of the winner minus what it is on fresh deals."""
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
            "size": request.seats,
            "even_share": 1 / request.seats,
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


@dataclass(frozen=True, repr=False)
class SearchSoFar(Result):
    """What an interrupted search has seen; nothing of it was measured on fresh deals."""

    request: TuneRequest
    tried: dict[str, Estimate]
    """By player: who came furthest in the search first, and of those the best."""
    games: int
    seconds: float

    @property
    def sentence(self) -> str:
        """Who leads, and why that is not to be believed yet."""
        player, rate = next(iter(self.tried.items()))
        span = f"{100 * rate.value:.2f} % ({100 * rate.low:.2f} to {100 * rate.high:.2f})"
        return (
            f"of {len(self.tried):,} candidates {player} leads, with {span} of {rate.n:,} deals "
            f"won; the best of many has been lucky too, and this was not measured on fresh deals"
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


def _json(one: Estimate) -> dict[str, float | int | None]:
    return {**estimates.as_columns(one, "value"), "lucks": one.n}


def tune(request: TuneRequest, runner: Runner = HERE) -> TuneResult:
    """Search the grid, and measure what was found."""
    begun = runner.begin()
    search = CandidateSearch(request, runner)
    try:
        return _confirmed(search, search.run(), begun)
    except KeyboardInterrupt:
        raise Interrupted(_so_far(search, time.perf_counter() - begun), None) from None


def _so_far(search: CandidateSearch, seconds: float) -> SearchSoFar | None:
    """Return what an interrupted search can tell."""
    request, experiment = search.request, search.request.experiment
    scale = find_metric(experiment.game, experiment.rules, WIN, request.seats).scale
    scale *= sum(request.fields.values()) * request.seats
    tried = {}
    for one in sorted(search.seen.values(), key=lambda one: (-one.deals, -one.total)):
        player = request.grid.point(one.candidate).player
        tried[player] = estimates.rate_of(one.total, one.squares, one.deals, scale=scale)
    return SearchSoFar(request, tried, search.games, seconds) if tried else None


def _confirmed(
    search: CandidateSearch, halvings: Sequence[HalvingResult], begun: float
) -> TuneResult:
    """Measure the winner of the last halving on fresh deals, and all that it is compared with."""
    request = search.request
    grid, opponents, rules = request.grid, request.against, request.experiment.rules
    winner = grid.point(halvings[-1].ranking[0].candidate)
    contenders = [request.contender(one) for one in (winner.player, grid.given, *opponents)]
    for one in opponents:  # the winner among copies of each
        contenders.append(in_every_seat(rules, winner.player, (one,) * (request.seats - 1)))
    samples = PairedSamples(request.experiment.game, contenders, WIN, request.fresh_seed)
    before = search.games
    search.planned = before + request.deals * samples.games_a_deal
    found = samples.measure(
        range(request.deals),
        runner=search.runner,
        on_progress=lambda deals: search.reached(before + deals * samples.games_a_deal),
    )
    confidence = estimates.corrected(len(opponents) + 1)  # and the strategy as given

    def is_same(contender: int) -> bool:
        return found.added_up(0, contender) == (0, 0)

    scale, sums = samples.scales[0], found.sums
    tried: dict[str, Estimate] = {}
    for seen in [one for halving in reversed(halvings) for one in halving.ranking]:
        believed = estimates.rate_of(seen.total, seen.squares, seen.deals, scale=scale)
        tried.setdefault(grid.point(seen.candidate).player, believed)
    last = halvings[-1].ranking[0]
    fresh = replace(last, total=sums.totals[0], squares=sums.products[0, 0], deals=found.deals)
    return TuneResult(
        request=request,
        player=winner.player,
        values=winner.values,
        rounds=[one for halving in halvings for one in halving.rounds],
        tried=tried,
        rate=found.mean(0),
        given=found.mean(1),
        over_given=found.difference(0, 1, confidence),
        is_as_given=is_same(1),
        over_believed=overestimate(last, fresh, scale),
        opponents=[
            OpponentResult(
                one,
                found.mean(number),
                found.difference(0, number, confidence),
                is_same(number),
                found.mean(number + len(opponents), confidence),
            )
            for number, one in enumerate(opponents, 2)
        ],
        games=search.games,
        seconds=time.perf_counter() - begun,
    )


def overestimate(search: CandidateScore, fresh: CandidateScore, scale: int) -> Estimate:
    """Return by how much a search believed too much, from deals that have nothing in common."""
    both = [(one.total, one.squares, one.deals) for one in (search, fresh)]
    before, after = (total / (deals * scale) for total, _, deals in both)
    errors = [estimates.deviation(*one) / (scale * sqrt(one[2])) for one in both]
    value, half = before - after, estimates.quantile() * hypot(*errors)
    return Estimate(value, value - half, value + half, fresh.deals)
