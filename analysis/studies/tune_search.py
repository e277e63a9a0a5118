"""What `tune` is asked, and its search, which is successive halving.

All candidates play a few deals, the best third of them three times as many new ones, and so on.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import combinations_with_replacement
from math import ceil
from typing import Any

from herdlab.analysis.experiment import FEWEST_DEALS, Experiment, check_games, joined, respell
from herdlab.analysis.runs.runner import Runner
from herdlab.analysis.sampling.line_ups import arrangements
from herdlab.analysis.sampling.metrics import WIN
from herdlab.analysis.sampling.paired_samples import Contender, PairedSamples, in_every_seat
from herdlab.analysis.sampling.parameter_grid import Grid, read_grid
from herdlab.analysis.stats import successive_halving
from herdlab.analysis.stats.successive_halving import FACTOR, CandidateScore, HalvingResult
from herdlab.analysis.studies.sweep import check_points
from herdlab.simcore.errors import BadInput
from herdlab.strategies.registry import spelled

MOST_VARIABLES = 6
MOST_CANDIDATES = 200
MOST_GAMES_A_DEAL = 20_000
_REFINED = 3
"""Of so many of the best the neighbours are tried as well, where the grid was sampled."""
_SIDE_BY_SIDE = 32
"""Candidates whose tables of choices, megabytes each, are in memory together."""


@dataclass(frozen=True)
class TuneRequest:
    """Everything that decides a search."""

    experiment: Experiment
    strategy: str
    """Whose parameters are searched, with those that stay: ``herder:dog=never``."""
    vary: tuple[str, ...]
    against: tuple[str, ...]
    """The opponents, each once; everybody else at the table is one of them."""
    size: int | None = None
    """How many sit at a table; None: the fewest that can play against each other."""
    deals: int = 20_000
    """Of the final measurement; the last round of the search has about as many."""
    most_points: int = MOST_CANDIDATES

    def __post_init__(self) -> None:
        """Refuse what cannot be played, before any engine is loaded."""
        check_games(self.deals, at_least=FEWEST_DEALS)
        game = self.experiment.game
        game.check_players(self.seats)
        if self.seats < 2:  # noqa: PLR2004
            raise BadInput(f"a table must have 2 players at least, and got {self.seats}")
        respell(self, strategy=spelled(game, self.strategy))
        respell(self, against=self.experiment.spelled(self.against))
        respell(self, vary=self.grid.vary)
        if not self.against:
            raise BadInput("--against names nobody: tuning needs opponents")
        twice = [name for name, count in Counter(self.against).items() if count > 1]
        if twice:
            raise BadInput(f"--against has {twice[0]} twice: name each opponent once")
        players = max(FACTOR, len(self.against) + 2)
        if players * self.games_a_deal > MOST_GAMES_A_DEAL:
            raise BadInput(
                f"--against makes {players * self.games_a_deal:,} tables ({players} players in "
                f"{len(self.fields):,} fields of {self.seats - 1}, in {self.seats} seats); at most "
                f"{MOST_GAMES_A_DEAL:,}: name fewer opponents or a smaller --size"
            )
        for one in self.against:
            others = [one] * (self.seats - 1)
            self.experiment.check_line_up([self.grid.given, *others])
        check_points([self.grid.point(one) for one in self.candidates], others)

    @property
    def seats(self) -> int:
        """How many sit at a table."""
        return self.experiment.smallest_table if self.size is None else self.size

    @cached_property
    def fields(self) -> dict[tuple[str, ...], int]:
        """Who the others are: every combination, and how often it comes up when drawn at random."""
        drawn = combinations_with_replacement(range(len(self.against)), self.seats - 1)
        return {tuple(self.against[i] for i in one): arrangements(one) for one in drawn}

    @property
    def games_a_deal(self) -> int:
        """At how many tables a candidate sits on every deal."""
        return len(self.fields) * self.seats

    @cached_property
    def grid(self) -> Grid:
        """All points."""
        what = self.experiment, self.strategy, self.vary
        return read_grid(*what, most_variables=MOST_VARIABLES, most_points=None, has_rules=False)

    @cached_property
    def candidates(self) -> list[int]:
        """The points that the search begins with: all, or a sample and the strategy as given."""
        most = min(self.most_points, MOST_GAMES_A_DEAL // self.games_a_deal)
        if self.grid.size <= most:
            return list(range(self.grid.size))
        return self.grid.sample(most, self.experiment.seed)

    @property
    def is_sampled(self) -> bool:
        """Whether the grid has more points than are tried."""
        return len(self.candidates) < self.grid.size

    def contender(self, player: str) -> Contender:
        """Return a player in every seat among every field, each as much as it counts."""
        weights = list(self.fields.values())
        return in_every_seat(self.experiment.rules, player, *self.fields, weights=weights)

    @property
    def fresh_seed(self) -> int:
        """The seed of the final measurement: from the search's by SHA-256, and never the same."""
        name = f"herdlab tune, fresh luck, seed {self.experiment.seed}"
        seed = int.from_bytes(sha256(name.encode()).digest()[:8], "big")
        return seed if seed != self.experiment.seed else seed ^ 1

    def arguments(self) -> dict[str, Any]:
        """Return what repeats it."""
        return {
            "strategy": self.strategy,
            "vary": list(self.vary),
            "against": joined(self.against),
            "size": self.size,
            "games": self.deals,
        }


class CandidateSearch:
    """Plays the candidates of a request, and counts the games."""

    def __init__(self, request: TuneRequest, runner: Runner) -> None:
        self.request, self.runner = request, runner
        self.games = 0
        self.seen: dict[int, CandidateScore] = {}
        """What has been seen of each candidate."""
        self.planned = (len(request.against) + 2) * request.games_a_deal * request.deals
        """Games that are to come after the search, and those of it that are known of."""

    def run(self) -> list[HalvingResult]:
        """Search the grid; where it was sampled, once more among the neighbours of the best."""
        request = self.request
        found = [self._halve(request.candidates, 0)]
        if request.is_sampled:
            best = [one.candidate for one in found[0].ranking[:_REFINED]]
            near = {number for one in best for number in request.grid.neighbours(one)}
            if new := sorted(near - set(request.candidates)):
                after = sum(one.deals for one in found[0].rounds)
                found.append(self._halve([*best, *new], after))
        return found

    def _halve(self, candidates: Sequence[int], begin: int) -> HalvingResult:
        rounds = successive_halving.rounds_of(len(candidates), self.request.deals)
        each = self.request.games_a_deal
        self.planned += each * sum(one.candidates * one.deals for one in rounds)
        return successive_halving.halve(candidates, self.request.deals, begin, self._play)

    def reached(self, games: int) -> None:
        """Hear how many games there have been."""
        self.games = games
        self.runner.tell(games, max(games, self.planned))

    def _play(self, candidates: Sequence[int], deals: range) -> list[tuple[int, int]]:
        """Play some candidates on the search's deals; return the totals and squares of each."""
        request, found = self.request, list[tuple[int, int]]()
        experiment = request.experiment
        for first in range(0, len(candidates), _SIDE_BY_SIDE):
            block = candidates[first : first + _SIDE_BY_SIDE]
            players = [request.contender(request.grid.point(one).player) for one in block]
            samples = PairedSamples(experiment.game, players, WIN, experiment.seed)
            sums, before = samples.empty(), self.games
            each = len(block) * request.games_a_deal

            def heard(done: int, before: int = before, each: int = each) -> None:
                self.reached(before + done * each)

            chunk = min(samples.chunk, ceil(len(deals) / (2 * self.runner.crew.hands)))
            try:
                self.runner.simulate(samples.play, sums, deals, chunk=chunk, on_progress=heard)
            finally:  # interrupted, it knows what all of them have played
                squares = sums.products.diagonal()
                scores = list(zip(sums.totals.tolist(), squares.tolist(), strict=True))
                for one, score in zip(block if sums.deals else [], scores, strict=False):
                    seen = self.seen.get(one, CandidateScore(one))
                    self.seen[one] = seen.with_more(*score, sums.deals)
            found += scores
        return found
