"""What stopping by what one sees costs: ``python -m tools.stopping`` (two minutes).

In games, against a number fixed beforehand; and in time, for the looks.
"""

import time
from statistics import median

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.sampling.paired_samples import make_bout
from herdlab.analysis.stats.confidence_sequences import v_for_half_width
from herdlab.analysis.stats.estimates import CONFIDENCE, quantile
from herdlab.analysis.studies.simulation import SimulateRequest, simulate
from herdlab.simcore.batch import ChoiceTables
from herdlab.simcore.game import find_game

PAIRS, GAMES = 5, 10_000_000
PLAYERS = ["keeper", "keeper-dog", "keeper", "keeper-dog"]


def main() -> None:
    """Print both, and what it takes to set up a bout."""
    variance = 0.25 * 0.75
    for rates in (1, 4):
        for half in (0.001, 0.01, 0.05):
            v = v_for_half_width(half, variance, (1 - CONFIDENCE) / rates, 0, 1)
            fixed = quantile() ** 2 * variance / half**2
            print(f"{rates} win rates near 25 % to ± {half}: {v / variance / fixed:.2f} times")
    herd = find_game("herd")
    experiment = Experiment(herd, herd.rules_type())
    moves = ChoiceTables(herd, len(PLAYERS))
    make_bout(herd, experiment.rules, PLAYERS, 0, moves)
    begun = time.perf_counter()
    for _ in range(200):
        make_bout(herd, experiment.rules, PLAYERS, 0, moves)
    print(f"setting up a bout that shares its tables: {5 * (time.perf_counter() - begun):.2f} ms")
    ratios = []
    for _ in range(PAIRS):
        plain = simulate(SimulateRequest(experiment, tuple(PLAYERS), GAMES))
        looked = simulate(SimulateRequest(experiment, tuple(PLAYERS), GAMES, precision=1e-6))
        ratios.append(looked.seconds / plain.seconds)
        print(f"{GAMES:,} games with looks take {ratios[-1]:.3f} times as long as without")
    print(f"median {median(ratios):.3f}")


if __name__ == "__main__":
    main()
