"""Solutions of the solo game, kept: in memory, and on disk for the next time.

They are kept beside the compiled code, in the folder that is named by a hash of all sources, under
the hash of the rules as far as they matter to a player alone: neither another solver nor other
rules can meet them.
"""

import hashlib
import os
import threading
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game
from herdlab.simcore.herd.finishing import near
from herdlab.simcore.herd.lattice import ROLLED_ONLY, SOLD, Lattice, lattice_of
from herdlab.simcore.herd.rules import HerdRules
from herdlab.strategies.parameters import Another
from herdlab.strategies.plugins import BUILT_IN
from herdlab.strategies.registry import named, read_line_up
from herdlab.strategies.strategy import Strategy

if TYPE_CHECKING:  # the functions import it: loading the solver costs every start its time
    from herdlab.simcore.herd.exact import OnStep, Optimum, Solo

OPTIMAL = "optimal"
"""What the fastest play is called among strategies."""

_LONGEST_RACE = 400
"""Turns of a race, at most: each takes half a megabyte."""


def _kept(name: str, make: Callable[[], npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """Return the array kept under `name`; if there is none yet, make it and keep it.

    A thread or process that finds it being made waits for it.  A file that is no array is made
    again.
    """
    from herdlab.simcore import _jit
    from herdlab.simcore.compile_once import one_process_at_a_time

    path = _jit.CACHE / "solved" / f"{name}.npz"
    with suppress(OSError):  # what cannot be kept is made again next time
        path.parent.mkdir(parents=True, exist_ok=True)
    found = _read(path)
    if found is None:
        with one_process_at_a_time(f"solved/{name}"):  # and one thread
            found = _read(path)
            if found is None:
                found = make()
                _write(path, found)
    return found


def _read(path: Path) -> npt.NDArray[Any] | None:
    """Return the array in a file; None if it has none."""
    try:
        with path.open("rb") as file, np.load(file) as kept:
            found: npt.NDArray[Any] = kept["values"]
            return found
    except (OSError, ValueError, KeyError, EOFError, BadZipFile, zlib.error):
        return None


def _write(path: Path, values: npt.NDArray[Any]) -> None:
    """Write an array under a passing name, then give it its own."""
    passing = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}.npz")
    try:
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
def solver() -> Any:
    """Return the module with the solver, compiled by one process if it is not yet."""
    from herdlab.simcore.compile_once import compiled_once

    with compiled_once("solver"):
        from herdlab.simcore.herd import exact
    return exact


@cache
def _lattice(rules: HerdRules, dogs: str) -> Lattice:
    return lattice_of(rules, dogs)


_optima: "dict[tuple[str, str], Optimum]" = {}


def optimum(rules: HerdRules, dogs: str = SOLD, on_step: "OnStep | None" = None) -> "Optimum":
    """Return the fastest solo play under `rules`."""
    exact = solver()
    rules = _alone(rules)
    key = rules.hash, dogs
    if key not in _optima:
        lattice = _lattice(rules, dogs)

        def find() -> npt.NDArray[np.float64]:
            # Play that may buy dogs and play that may not differ little, if at all.
            guess = optimum(rules, SOLD, on_step) if dogs == ROLLED_ONLY else None
            return exact.optimum(lattice, on_step, guess).rolling

        rolling = _kept("-".join(key), find)
        _optima[key] = exact.optimum_from(lattice, rolling)
    return _optima[key]


def check_solvable(strategy: str) -> tuple[Strategy, str, tuple[float, ...]]:
    """Return a strategy that can be solved, its text and its parameters; refuse any other."""
    if "," in strategy:
        raise BadInput(f"one strategy is solved at a time, and got '{strategy}'")
    one, text, values = read_line_up(find_game("herd"), strategy)[0]
    if not one.is_deterministic(values):
        raise BadInput(
            f"strategy '{text}' cannot be solved: it draws luck, or does not declare that it is "
            f"deterministic"
        )
    if one.notebook:
        raise BadInput(
            f"strategy '{text}' cannot be solved: it keeps a notebook, and so does not decide by "
            f"what it sees alone"
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
    exact = solver()
    rules = _alone(rules)
    one, text, values = check_solvable(strategy)
    lattice = _lattice(rules, dogs)

    def find() -> npt.NDArray[np.float64]:
        if text == OPTIMAL:
            policy = optimum(rules, dogs, on_step).policy()
        else:
            policy = exact.policy_of(lattice, one.seated(text, lattice.rules, values, 1))
        return exact.distribution(lattice, policy, start, on_step).distribution

    if start is not None or not _is_lasting(one, values):
        return exact.Solo(find())
    return exact.Solo(_kept(f"{rules.hash}-{dogs}-{_short(text.encode())}", find))


def _is_lasting(one: Strategy, values: tuple[float, ...]) -> bool:
    """Whether it will be the same next time: no plug-in, nor does it name one."""
    if one.source != BUILT_IN:
        return False
    written = one.written(values)
    names = [written[key] for key, kind in one.parameters.items() if isinstance(kind, Another)]
    return all(_is_lasting(*named("herd", name)) for name in names)


def _short(of: bytes) -> str:
    """Return a name that a file can have."""
    return hashlib.sha256(of).hexdigest()[:12]


def moves_against(rules: HerdRules, unbeaten: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    """Return the best moves against rivals who leave one unbeaten with these chances.

    (turn, herd), as in `exact.Response`, for as long as there is a chance worth naming.
    """
    exact = solver()
    rules = _alone(rules)
    chances = near(unbeaten)
    if len(chances) > _LONGEST_RACE:
        raise BadInput(
            f"the race takes too long to be worked out: after {_LONGEST_RACE} turns the rivals are "
            f"not done with a chance of {unbeaten[_LONGEST_RACE]:.2g}"
        )
    name = f"{rules.hash}-race-{_short(chances.tobytes())}"
    lattice = _lattice(rules, SOLD)
    return _kept(name, lambda: exact.best_response(lattice, chances).moves)
