"""`luck`: what decides a game, who plays what, the seat, or which kind of luck."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from herdlab.analysis.experiment import Experiment, Interrupted, asking_for, check_games, respell
from herdlab.analysis.result import Result
from herdlab.analysis.runs.provenance import provenance
from herdlab.analysis.runs.runner import HERE, Runner
from herdlab.analysis.sampling.metrics import WIN, Metric, find_metric
from herdlab.analysis.sampling.paired_samples import deals_at_once
from herdlab.analysis.stats import variance_shares
from herdlab.analysis.stats.estimates import CONFIDENCE, Estimate, as_columns
from herdlab.analysis.stats.games_to_lead import GamesToLead, StrategyPairs, games_to_lead
from herdlab.analysis.stats.variance_shares import GROUPS, Ints, VarianceShares, VarianceSums
from herdlab.simcore.batch import Bout, ChoiceTables, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.simcore.rng import KINDS
from herdlab.simcore.sums import Rows

PILOT = 1_000
"""Deals in which every kind of luck is redrawn; those that changed nothing are then left alone."""
OTHER = 0x9E3779B97F4A7C15
"""What the seed is mixed with (exclusive or) for the luck that is redrawn."""

_LEAST_SHOWN = 0.001


@dataclass(frozen=True)
class LuckRequest:
    """Everything that decides a result."""

    experiment: Experiment
    players: tuple[str, ...]
    metric: str = WIN
    deals: int = 20_000

    def __post_init__(self) -> None:
        game, rules = self.experiment.game, self.experiment.rules
        check_games(self.deals, at_least=2 * GROUPS)
        respell(self, players=self.experiment.spelled(self.players))
        self.experiment.check_line_up(self.players)
        respell(self, metric=find_metric(game, rules, self.metric, len(self.players)).name)

    def arguments(self) -> dict[str, Any]:
        """Return what repeats it."""
        return {"players": ",".join(self.players), "metric": self.metric, "games": self.deals}


class RedrawnDeals:
    """A line-up in all its different rotations, on luck of which some kinds may be redrawn."""

    def __init__(self, request: LuckRequest) -> None:
        experiment = request.experiment
        self.players = experiment.seat(request.players)
        self.names = [player.name for player in self.players]
        self.n = len(self.players)
        self.metric = find_metric(experiment.game, experiment.rules, request.metric, self.n)
        self.rotations = next(
            r for r in range(1, self.n + 1) if self.names[-r:] + self.names[:-r] == self.names
        )
        """Different ones; each occurs as often as the others."""
        self.pairs = StrategyPairs(self.names)
        self._experiment = experiment
        self._moves = ChoiceTables(experiment.game, len(set(self.names)))
        self._bouts: dict[frozenset[str], list[Bout]] = {}

    def empty(self, kinds: Sequence[str]) -> VarianceSums:
        """Return the sums of no deals."""
        nothing = np.zeros((self.rotations, self.n, 0), dtype=np.int64)
        by_kind = dict.fromkeys(kinds, nothing)
        sums = variance_shares.variance_sums(0, nothing, by_kind, by_kind)
        sums.pairs = self.pairs.empty()
        return sums

    def measure(
        self, deals: range, kinds: Sequence[str], into: VarianceSums, runner: Runner, of: int
    ) -> None:
        """Play `deals`, `of` so many in all, redraw and hold each of `kinds`, and add up `into`."""
        together = _redrawn(kinds)
        for redrawn in together:
            self._seat(redrawn)
        chunk = deals_at_once(self.rotations * len(together))
        runner.simulate(partial(self.play, kinds), into, deals, chunk=chunk, of=of)

    def play(self, kinds: Sequence[str], part: range) -> VarianceSums:
        """Play the deals of `part`."""
        rows = {
            redrawn: [bout.rows(part.start, part.stop) for bout in self._bouts[redrawn]]
            for redrawn in _redrawn(kinds)
        }
        values = {redrawn: self._values(each) for redrawn, each in rows.items()}
        plain = frozenset[str]()
        singly = {kind: frozenset([kind]) for kind in kinds if len(kinds) > 1}
        sums = variance_shares.variance_sums(
            part.start,
            values[plain],
            {kind: values[frozenset(kinds) - {kind}] for kind in kinds},
            {kind: values[redrawn] for kind, redrawn in singly.items()},
        )
        sums.differing = {
            kind
            for kind, redrawn in singly.items()
            if not all(map(np.array_equal, rows[plain], rows[redrawn]))
        }
        sums.games = len(rows) * self.rotations * len(part)
        sums.pairs = self.pairs.sums(rows[plain])
        return sums

    def _seat(self, redrawn: frozenset[str]) -> None:
        """Make the bouts of every rotation in which these kinds are redrawn."""
        if redrawn in self._bouts:
            return
        where = self._experiment
        seeds = stream_seeds(where.seed, **dict.fromkeys(redrawn, where.seed ^ OTHER))
        turned = [self.players[-r:] + self.players[:-r] for r in range(self.rotations)]
        self._bouts[redrawn] = [
            Bout(where.game, where.rules, players, seeds, moves=self._moves) for players in turned
        ]

    def _values(self, rows: Sequence[Rows]) -> Ints:
        """Return the metric by rotation, seat and deal."""
        return np.array([[self.metric.of(one, s) for s in range(self.n)] for one in rows])


def _redrawn(kinds: Sequence[str]) -> set[frozenset[str]]:
    """Return which kinds are redrawn together: none, each, and all but each.

    Of two kinds, to hold one is to redraw the other, which is played once.  A single kind is not
    redrawn: it decides what seat and strategies do not.
    """
    each = [frozenset([kind]) for kind in kinds] if len(kinds) > 1 else []
    return {frozenset(), *each, *(frozenset(kinds) - one for one in each)}


@dataclass(frozen=True, repr=False)
class LuckResult(Result, VarianceShares):
    """What came of it: how the variance of the metric, in its own units, is shared out."""

    request: LuckRequest
    metric: Metric
    players: list[str]
    redrawn: dict[str, int]
    """By unused kind of luck: in how many deals it was redrawn."""
    series: list[GamesToLead]
    deals: int
    games: int
    seconds: float

    @property
    def what(self) -> str:
        """What is decided: "who wins", or another metric."""
        return "who wins" if self.metric.is_rate else f"the {self.metric.words}"

    @property
    def sentence(self) -> str:
        """Return what decides, in a sentence: three shares that add up to all, and details."""
        seat, who, *kinds = self.shares
        open_ = self.luck.total
        assert open_ is not None
        alone = [f"{_named(one.source)} alone {as_known(one.first)}" for one in kinds]
        inside = f" ({', '.join(alone)})" if alone else ""
        rates = (open_.value, who.first.value, seat.first.value)
        luck, player, place = map(in_percent, rates)
        if rates[0] >= rates[1] + rates[2]:
            return (
                f"Luck has a hand in {luck} of {self.what}{inside}; who plays what decides "
                f"{player} alone, the seat {place}"
            )
        return (
            f"Who plays what decides {player} of {self.what} alone, the seat {place}; luck has a "
            f"hand in the other {luck}{inside}"
        )

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``luck --json`` prints."""
        return {
            "command": "luck",
            **self.request.experiment.as_json(),
            "arguments": self.request.arguments(),
            "players": self.players,
            "metric": self.request.metric,
            "lucks": self.deals,
            "games": self.games,
            "variance": self.variance,
            "confidence": CONFIDENCE,
            "interval": f"jackknife of {GROUPS} groups",
            "shares": [one.as_json() for one in self.shares],
            "all_luck": self.luck.as_json(),
            **as_columns(self.together, "together", "together_ci_"),
            "unused": self.unused,
            "unused_lucks": self.redrawn,
            "sentence": self.sentence,
            "series": [one.as_json() for one in self.series],
            **provenance(self.seconds),
        }


def _named(source: str) -> str:
    """Return a kind of luck as a sentence calls it."""
    return {"choice": "random choice", "table": "chance at the table"}.get(source, f"the {source}")


def as_known(share: Estimate) -> str:
    """Return a share of which no more is said than its interval shows."""
    is_open = share.low <= 0 and share.high > _LEAST_SHOWN
    return "nothing that shows" if is_open else in_percent(share.value)


def in_percent(share: float) -> str:
    """Return a share in as few digits as it deserves."""
    if share in (0, 1):
        return f"{100 * share:.0f} %"
    if share < _LEAST_SHOWN / 2:
        return f"less than {100 * _LEAST_SHOWN} %"
    if share > 1 - _LEAST_SHOWN / 2:
        return f"more than {100 * (1 - _LEAST_SHOWN)} %"
    return f"{100 * share:.1f} %" if min(share, 1 - share) < 0.01 else f"{100 * share:.0f} %"  # noqa: PLR2004


def decompose(request: LuckRequest, runner: Runner = HERE) -> LuckResult:
    """Play what is requested and return what decides."""
    begun = time.perf_counter()
    draws = RedrawnDeals(request)
    pilot = min(PILOT, request.deals)
    sums, kinds = draws.empty(KINDS), list(KINDS)

    def result() -> LuckResult:
        return _result(request, draws, sums, time.perf_counter() - begun)

    try:
        draws.measure(range(pilot), kinds, sums, runner, request.deals)
        kinds = [kind for kind in KINDS if kind in sums.differing]
        sums.add(draws.empty(kinds))
        draws.measure(range(pilot, request.deals), kinds, sums, runner, request.deals)
    except KeyboardInterrupt:
        played = int(sums.deals.sum())
        so_far = asking_for(played, result()) if played >= 2 * GROUPS else None
        raise Interrupted(so_far, f"--games {played}") from None
    return result()


def _result(
    request: LuckRequest, draws: RedrawnDeals, sums: VarianceSums, seconds: float
) -> LuckResult:
    assert sums.pairs is not None
    deals = int(sums.deals.sum())
    try:
        found = variance_shares.variance_shares(sums)
    except BadInput as error:
        who = ",".join(request.players)
        raise BadInput(f"metric '{request.metric}' of {who}: {error}") from None
    return LuckResult(
        **vars(replace(found, variance=found.variance / draws.metric.scale**2)),
        request=request,
        metric=draws.metric,
        players=draws.names,
        redrawn={k: deals if k in sums.held else min(PILOT, deals) for k in found.unused},
        series=games_to_lead(draws.pairs, sums.pairs, deals, draws.rotations),
        deals=deals,
        games=sums.games,
        seconds=seconds,
    )
