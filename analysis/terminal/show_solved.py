"""What `solve` prints."""

from rich.text import Text

from herdlab.analysis.exact.solve import Solved, SolvedStrategy
from herdlab.analysis.terminal.show import console, table
from herdlab.simcore.herd.lattice import NONE, ROLLED_ONLY, SOLD
from herdlab.strategies.herd.solved import OPTIMAL

_WORDS = {
    SOLD: "dogs as the rules have them",
    ROLLED_ONLY: "dogs that the die gives, none for sale",
    NONE: "no dog tiles",
}
_SHARES = (0.05, 0.5, 0.95)


def solved(found: Solved) -> None:
    """Print the turns of every strategy, the best play last."""
    experiment, out = found.request.experiment, console()
    changed = "".join(f", {key}={value}" for key, value in experiment.rules.changed().items())
    out.print(
        Text.assemble((experiment.game.title, "bold"), f"  a player alone, turns, exactly{changed}")
    )
    for dogs in found.request.dogs:
        best = found.optimum(dogs)
        out.print(f"\n{_WORDS[dogs]}")
        head = ["strategy", "mean ", "sd ", "5 % ", "50 % ", "95 % "]
        head += [] if best is None else ["above the best "]
        rows = [_row(one, best) for one in found.results if one.dogs == dogs]
        out.print(table(head, rows))
    if any(one.solo.distribution.any() for one in found.results):
        out.print("\n5 %, 50 %, 95 %: turns within which it is done with that chance")
    if any(one.strategy == OPTIMAL for one in found.results):
        out.print("optimal: the play with the lowest mean that there is")
    for sentence in found.sentences:
        out.print(Text(sentence))
    out.print(f"{found.seconds:.1f} s; rules {experiment.rules.hash}")


def _row(one: SolvedStrategy, best: float | None) -> list[str]:
    mean, sd = one.solo.mean, one.solo.sd
    cells = [
        one.strategy,
        "-" if mean is None else f"{mean:.6f}",
        "-" if sd is None else f"{sd:.6f}",
    ]
    for share in _SHARES:
        turns = one.percentile(share)
        cells.append("-" if turns is None else str(turns))
    if best is not None:
        cells.append("-" if mean is None else f"{mean - best:.6f}")
    return cells
