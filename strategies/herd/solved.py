"""Solutions of the solo game, kept: in memory, and on disk for the next time.

They are kept beside the compiled code, in the folder that is named by a hash of all sources, under
the hash of the rules as far as they matter to a player alone: neither another solver nor other
rules can meet them.
"""

import hashlib
import os
import threading
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from simcore.errors import BadInput
from simcore.game import find_game
from simcore.herd.lattice import SOLD, Lattice, lattice_of
from simcore.herd.rules import HerdRules
from strategies.registry import BUILT_IN, Strategy, read_line_up

if TYPE_CHECKING:  # the functions import it: loading the solver costs every start its time
    from simcore.herd.exact import OnStep, Optimum, Solo

OPTIMAL = "optimal"
"""What the fastest play is called among strategies."""
_HORIZON = 1e-6
"""A race is looked at until the chance of being unbeaten is below this."""

_lock = threading.Lock()
_locks: dict[str, threading.Lock] = {}


def _kept(name: str, make: Callable[[], npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """Return the array kept under `name`; if there is none yet, make it and keep it.

    Whoever finds it being made waits for it.  A file that is no array is made again.
    """
    from simcore import _jit

    path = _jit.CACHE / "solved" / f"{name}.npz"
    with _lock:
        mine = _locks.setdefault(name, threading.Lock())
    with mine:
        try:
            with np.load(path) as file:
                found: npt.NDArray[Any] = file["values"]
                return found
        except (OSError, ValueError, KeyError, EOFError):
            values = make()
        _write(path, values)
    return values


def _write(path: Path, values: npt.NDArray[Any]) -> None:
    """Write an array under a passing name, then give it its own."""
    passing = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}.npz")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(passing, values=values)
        passing.replace(path)
    except OSError:  # a full disk costs time next time, not the answer
        passing.unlink(missing_ok=True)


@cache
def _alone(rules: HerdRules) -> HerdRules:
    """Return the rules without what makes no difference to a player alone (H2, H16)."""
    usual = HerdRules()
    limits = {"rabbits": rules.max_rabbits, "horses": rules.max_horses, "dogs": rules.max_dogs}
    spare = {
        key: max(most, getattr(usual, key))
        for key, most in limits.items()
        if getattr(rules, key) >= most
    }
    return rules.but(skunks=usual.skunks, max_turns=usual.max_turns, **spare)


@cache
def _lattice(rules: HerdRules, dogs: str) -> Lattice:
    return lattice_of(rules, dogs)


_optima: "dict[tuple[str, str], Optimum]" = {}


def optimum(rules: HerdRules, dogs: str = SOLD, on_step: "OnStep | None" = None) -> "Optimum":
    """Return the fastest solo play under `rules`."""
    from simcore.herd import exact

    rules = _alone(rules)
    key = rules.hash, dogs
    if key not in _optima:
        lattice = _lattice(rules, dogs)
        rolling = _kept("-".join(key), lambda: exact.optimum(lattice, on_step).rolling)
        _optima[key] = exact.optimum_from(lattice, rolling)
    return _optima[key]


def check_solvable(strategy: str) -> tuple[Strategy, str, tuple[float, ...]]:
    """Return a strategy that can be solved, its text and its parameters; refuse any other."""
    if "," in strategy:
        raise BadInput(f"one strategy is solved at a time, and got '{strategy}'")
    one, text, values = read_line_up(find_game("herd"), strategy)[0]
    if not one.deterministic(one.written(values)):
        raise BadInput(
            f"strategy '{text}' draws luck, or does not say that it is deterministic, and only "
            f"what does the same with the same herd can be solved"
        )
    if one.notebook:
        raise BadInput(
            f"strategy '{text}' keeps a notebook, and only what decides by what it sees can be "
            f"solved"
        )
    return one, text, values


def solo(
    rules: HerdRules,
    strategy: str,
    dogs: str = SOLD,
    start: Sequence[int] | None = None,
    on_step: "OnStep | None" = None,
) -> "Solo":
    """Return how many turns a strategy takes alone, exactly, from the deal or another herd."""
    from simcore.herd import exact

    rules = _alone(rules)
    one, text, values = check_solvable(strategy)
    lattice = _lattice(rules, dogs)

    def find() -> npt.NDArray[np.float64]:
        if text == OPTIMAL:
            policy = optimum(rules, dogs, on_step).policy()
        else:
            policy = exact.policy_of(lattice, one.seated(text, lattice.rules, values, 1))
        return exact.distribution(lattice, policy, start, on_step).distribution

    if start is not None or one.source != BUILT_IN:  # a plug-in may be another one next time
        return exact.Solo(find())
    return exact.Solo(_kept(f"{rules.hash}-{dogs}-{_short(text)}", find))


def _short(text: str) -> str:
    """Return a name for `text` that a file can have."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def moves_against(
    rules: HerdRules, unbeaten: npt.NDArray[np.float64], rivals: str
) -> npt.NDArray[np.uint8]:
    """Return the best moves against `rivals`, who leave one unbeaten with these chances.

    (turn, herd), as in `exact.Response`, for as long as there is a chance worth naming.
    """
    from simcore.herd import exact

    rules = _alone(rules)
    near = unbeaten[: int((unbeaten > _HORIZON).sum())]
    name = f"{rules.hash}-race-{_short(rivals)}"
    lattice = _lattice(rules, SOLD)
    return _kept(name, lambda: exact.best_response(lattice, near).moves)
