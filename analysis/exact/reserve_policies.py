"""Ways to keep animals back for breeding, and which of them is the fastest alone.

A *keeping* says how many of each animal must stay when some are traded up.  Players who meet
nobody else are quickly played: so the fastest is searched for among all of them.
"""

from dataclasses import dataclass
from itertools import product

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.runs.runner import HERE, Runner
from herdlab.analysis.sampling.metrics import LENGTH_NAME
from herdlab.analysis.sampling.paired_estimates import PairedEstimates
from herdlab.analysis.sampling.paired_samples import Contender, PairedSamples
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.words.phrases import listed
from herdlab.simcore.herd.rules import ANIMALS, PLURALS

KEPT = PLURALS[:4]
"""The animals that can be traded up."""
_SINGULAR = ANIMALS[:4]
_NAMES = {
    (0, 0, 0, 0): "climber",
    (1, 1, 1, 1): "keeper",
    (1, 1, 1, 0): "closer",
    (1, 1, 2, 0): "tuned",
}
MOST_KEPT = 2
"""More than these of an animal are not tried."""
_FRESH = 10**9
"""Deals from here on are played in the search, so that what it finds meets others later."""
_PATIENCE = 500
"""Turns after which a search gives a player up, whatever the rules say (H16)."""


@dataclass(frozen=True)
class Reserve:
    """How many of each animal stay."""

    numbers: tuple[int, ...]

    @property
    def strategy(self) -> str:
        """The strategy that plays so, by its short name where it has one."""
        if self.numbers in _NAMES:
            return _NAMES[self.numbers]
        kept = [f"keep_{animal}={n}" for animal, n in zip(KEPT, self.numbers, strict=True)]
        return ":".join(["herder", *kept, "dog=never"])

    @property
    def words(self) -> str:
        """Such as "1 rabbit, 1 sheep, 2 pigs and no cow"."""
        animals = zip(self.numbers, _SINGULAR, KEPT, strict=True)
        return listed([f"{n or 'no'} {one if n <= 1 else many}" for n, one, many in animals])

    def but(self, animal: int, number: int) -> "Reserve":
        """Return the same with another number of one animal."""
        return Reserve((*self.numbers[:animal], number, *self.numbers[animal + 1 :]))


KEEPER, CLIMBER = Reserve((1,) * len(KEPT)), Reserve((0,) * len(KEPT))


def one_at_a_time() -> dict[str, Reserve]:
    """Return what differs from keeper in one animal, with a few words for each."""
    return {
        f"keep {number or 'no'} {KEPT[animal] if number != 1 else _SINGULAR[animal]}": KEEPER.but(
            animal, number
        )
        for animal in range(len(KEPT))
        for number in range(MOST_KEPT + 1)
        if number != KEEPER.numbers[animal]
    }


def reserves(most_changes: int = len(KEPT)) -> list[Reserve]:
    """Return all that differ from keeper in so many animals at most."""
    found = [Reserve(numbers) for numbers in product(range(MOST_KEPT + 1), repeat=len(KEPT))]
    return [one for one in found if _changes(one) <= most_changes]


def _changes(one: Reserve) -> int:
    return sum(a != b for a, b in zip(one.numbers, KEEPER.numbers, strict=True))


@dataclass(frozen=True)
class SoloTurns:
    """Turns that reserves take alone, as measured on the same deals.

    Who is given up has taken at least so many: means are too low, if anything.
    """

    ways: list[Reserve]
    found: PairedEstimates

    @property
    def games(self) -> int:
        """All games that were played."""
        return self.found.games

    def turns(self, one: Reserve) -> Estimate:
        """Return the turns of one."""
        return self.found.mean(self.ways.index(one))

    def ranking(self) -> list[Reserve]:
        """Return them, the fastest first; of equals the one nearest to keeper."""
        return sorted(self.ways, key=lambda one: (self.turns(one).value, _changes(one)))


def play_alone(
    experiment: Experiment, ways: list[Reserve], deals: int, *, runner: Runner = HERE
) -> SoloTurns:
    """Let each way play alone on so many common deals."""
    rules = experiment.rules.but(max_turns=_PATIENCE)
    contenders = [Contender(rules, (((one.strategy,), 0),), (1,)) for one in ways]
    samples = PairedSamples(experiment.game, contenders, LENGTH_NAME, experiment.seed)
    part = range(_FRESH, _FRESH + deals)
    return SoloTurns(ways, samples.measure(part, runner=runner))


_ROUNDS, _QUICK_ROUNDS = (1_500, 20_000), (500, 4_000)
"""Deals for all reserves, then for the best of them."""
_BEST = 6
_QUICK_CHANGES = 2
"""A quick search tries what differs from keeper in so many animals at most."""


def fastest_reserves(experiment: Experiment, *, quick: bool, runner: Runner = HERE) -> SoloTurns:
    """Return the fastest reserves of all, and those that are spoken of anyway."""
    first, second = _QUICK_ROUNDS if quick else _ROUNDS
    ways = reserves(_QUICK_CHANGES if quick else len(KEPT))
    every = play_alone(experiment, ways, first, runner=runner.for_part(0, 2))
    named = [KEEPER, CLIMBER, *one_at_a_time().values()]
    chosen = list(dict.fromkeys([*every.ranking()[:_BEST], *named]))
    return play_alone(experiment, chosen, second, runner=runner.for_part(1, 2))
