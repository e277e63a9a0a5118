"""What long runs cost: ``python -m tools.scaling`` (six minutes on two cores).

The time of a run that keeps a folder, and of one on a cluster of this machine, over that of the
same run on threads; all in turn, start-up excluded, and the median of several rounds.
"""

import tempfile
from pathlib import Path
from statistics import median

import herdlab
from herdlab.analysis.runs.cluster import start_workers
from herdlab.simcore.batch import cores

ROUNDS, GAMES = 3, 50_000_000
PLAYERS = "keeper,keeper-dog,keeper,keeper-dog"


def main() -> None:
    """Print the ratios of every round, and their medians."""
    started = start_workers(cores())
    found: dict[str, list[float]] = {"a run folder": [], f"a cluster of {cores()} workers": []}
    with started, tempfile.TemporaryDirectory() as folder:
        address = str(started.scheduler_address)
        for where in (None, address):
            herdlab.simulate("herd", PLAYERS, games=1_000_000, cluster=where)
        for number in range(ROUNDS):
            plain = _seconds()
            print(f"threads: {plain:.1f} s, {GAMES / plain:,.0f} games a second", flush=True)
            kept = _seconds(out=Path(folder, str(number)))
            spread = _seconds(cluster=address)
            for name, seconds in zip(found, (kept, spread), strict=True):
                found[name].append(seconds / plain)
                print(f"{name}: {found[name][-1]:.3f} times as long", flush=True)
    for name, ratios in found.items():
        print(f"{name}: median {median(ratios):.3f}")


def _seconds(**how: object) -> float:
    played = herdlab.simulate("herd", PLAYERS, games=GAMES, **how)  # type: ignore[arg-type]
    return played.seconds


if __name__ == "__main__":
    main()
