"""`solve`: the solo game of Have You Herd? worked out exactly, for strategies and the best play."""

import threading
import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from herdlab.analysis.experiment import Experiment, respell
from herdlab.analysis.result import Result
from herdlab.analysis.runs.provenance import provenance
from herdlab.analysis.runs.runner import HERE, Runner
from herdlab.simcore.errors import BadInput, find
from herdlab.simcore.herd.lattice import DOGS, SOLD
from herdlab.simcore.herd.rules import HerdRules
from herdlab.simcore.workers import Pool, leave_if_unwanted
from herdlab.strategies.herd import solved
from herdlab.strategies.herd.solved import OPTIMAL

if TYPE_CHECKING:
    from herdlab.simcore.herd.exact import OnStep, Solo

DEFAULT = ("climber", "keeper", "keeper-dog", "dog-first", OPTIMAL)
_FINE = 1000
"""Parts of a task that a progress bar tells apart."""


@dataclass(frozen=True)
class SolveRequest:
    """Everything that decides what is solved."""

    experiment: Experiment
    strategies: tuple[str, ...] = DEFAULT
    dogs: tuple[str, ...] = (SOLD,)

    def __post_init__(self) -> None:
        if self.experiment.game.name != "herd":
            raise BadInput(
                f"only herd can be solved exactly, as a game for one, and got "
                f"'{self.experiment.game.name}'"
            )
        dogs = tuple(find("way to have dogs", one, DOGS) for one in self.dogs)
        strategies = tuple(solved.check_solvable(one)[1] for one in self.strategies)
        respell(self, dogs=dogs, strategies=strategies)

    @property
    def rules(self) -> HerdRules:
        """The rules, which are those of Have You Herd?."""
        assert isinstance(self.experiment.rules, HerdRules)
        return self.experiment.rules


@dataclass(frozen=True)
class SolvedStrategy:
    """How many turns a strategy takes, with dogs sold, rolled only, or none."""

    strategy: str
    dogs: str
    solo: "Solo"
    max_turns: int

    @property
    def cut_off(self) -> float:
        """The chance of more turns than the rules allow (H16), which its numbers leave out."""
        within = float(self.solo.distribution[: self.max_turns].sum())
        return max(0.0, 1.0 - within) if self.max_turns < len(self.solo.distribution) else 0.0

    def as_json(self) -> dict[str, Any]:
        """Return it under the names that others rely on."""
        return {
            "strategy": self.strategy,
            "dogs": self.dogs,
            "mean_turns": self.solo.mean,
            "sd_turns": self.solo.sd,
            "sentence": self.solo.sentence,
            "cut_off": self.cut_off,
            "distribution": self.solo.distribution.tolist(),
        }


@dataclass(frozen=True, repr=False)
class Solved(Result):
    """All that was solved."""

    request: SolveRequest
    results: list[SolvedStrategy]
    seconds: float

    def optimum(self, dogs: str) -> float | None:
        """Return the mean of the best play, if it was asked for."""
        found = [one for one in self.results if (one.strategy, one.dogs) == (OPTIMAL, dogs)]
        return found[0].solo.mean if found else None

    @property
    def sentences(self) -> list[str]:
        """What there is to say beside the numbers."""
        said = [f"{one.strategy} {one.solo.sentence}" for one in self.results if one.solo.sentence]
        said += [
            f"{one.strategy}: a chance of {one.cut_off:.3g} to be cut off after "
            f"{one.max_turns:,} turns (H16) is not in its numbers"
            for one in self.results
            if one.cut_off and one.solo.mean is not None
        ]
        return said

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``solve --json`` prints."""
        return {
            "command": "solve",
            **self.request.experiment.as_json(),
            "arguments": {
                "strategies": list(self.request.strategies),
                "dogs": list(self.request.dogs),
            },
            "results": [one.as_json() for one in self.results],
            "sentences": self.sentences,
            **provenance(self.seconds),
        }


def solve(request: SolveRequest, runner: Runner = HERE) -> Solved:
    """Work out every strategy with every kind of dogs, on the cores."""
    begun = time.perf_counter()
    asked = [(strategy, dogs) for dogs in request.dogs for strategy in request.strategies]
    together, futures = _Together(runner, len(asked)), {}
    with Pool(runner.crew.hands) as pool:
        longest_first = sorted(asked, key=lambda one: one[0] != OPTIMAL)
        for number, one in enumerate(longest_first):
            task = partial(solved.solo, request.rules, *one, on_step=together.task(number))
            futures[one] = pool.submit(task)
        found = {one: pool.result(future) for one, future in futures.items()}
    results = [SolvedStrategy(*one, found[one], request.rules.max_turns) for one in asked]
    return Solved(request, results, time.perf_counter() - begun)


class _Together:
    """Tasks that are done side by side, and heard of as one; they stop when it is over."""

    def __init__(self, runner: Runner, total: int) -> None:
        self._runner, self._shares = runner, [0.0] * total
        self._lock = threading.Lock()

    def task(self, number: int) -> "OnStep":
        """Return what hears of one task."""

        def hear(done: int, of: int) -> None:
            leave_if_unwanted()
            with self._lock:
                self._shares[number] = done / max(1, of)
                self._runner.tell(round(_FINE * sum(self._shares)), _FINE * len(self._shares))

        return hear
