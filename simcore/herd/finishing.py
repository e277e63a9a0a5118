"""Who finishes first: independent races of players whose finishing turns have known distributions.

A distribution is P(finish in one's own turn 1), P(2), …; what is missing to 1 never finishes.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
_ROUNDING = 1e-9
_HORIZON = 1e-6
"""A race is looked at until the chance of being unbeaten is below this."""


def race(distributions: Sequence[npt.ArrayLike], most: int | None = None) -> list[float]:
    """Return the chance of each seat to finish first, seat 0 moving first.

    A distribution is P(finish in one's own turn 1), P(2), …; what is missing to 1 never finishes.
    A seat wins if it finishes in fewer turns than all seats before it, and in no more than those
    after it.  After `most` turns of all together nobody wins (H16).  What the chances lack to 1 is
    that of nobody.
    """
    chances = []
    for seat, one in enumerate(distributions):
        own = np.asarray(one, dtype=np.float64)
        others = [other for place, other in enumerate(distributions) if place != seat]
        free = _up_to(unbeaten(others, seat), own.size)
        if most is not None:
            own = own[: max(0, (most - seat - 1) // len(distributions) + 1)]
        chances.append(float(own @ free[: own.size]))
    return chances


def unbeaten(rivals: Sequence[npt.ArrayLike], seat: int) -> Floats:
    """Return the chance that no rival has finished by the end of one's own turn 1, 2, ….

    `rivals` are the distributions of all others in the order of their seats, `seat` is one's own:
    the first `seat` rivals have had as many turns by then, the others one less.  The chance of
    turn t stands in place t - 1; the last one holds for all later turns, too, and is 0 (but for
    rounding) unless every rival may never finish.  What one finishes with in turn t is a win with
    this chance: so this is the worth of finishing for a best response.
    """
    if not 0 <= seat <= len(rivals):
        raise ValueError(f"no seat {seat} among {len(rivals)} rivals")
    turns = 1 + max((np.asarray(one).size for one in rivals), default=0)
    chance = np.ones(turns)
    for place, one in enumerate(rivals):
        left = _up_to(_survival(one), turns + 1)
        chance *= left[1:] if place < seat else left[:-1]
    return chance


def near(chances: Floats) -> Floats:
    """Return the chances of being unbeaten, as far as a best response looks ahead."""
    return chances[: int((chances > _HORIZON).sum())]


def race_turns(distributions: Sequence[npt.ArrayLike], most: int) -> float:
    """Return the expected turns of all seats together, the winning one included, up to `most`."""
    rounds = 1 + max(np.asarray(one).size for one in distributions)
    left = np.array([_up_to(_survival(one), rounds + 1) for one in distributions])
    seats = range(len(distributions))
    going = np.array([left[:seat, 1:].prod(0) * left[seat:, :-1].prod(0) for seat in seats])
    each = going.T.ravel()  # the chance that a turn is played, in the order of play
    return float(each[:most].sum() + max(0, most - each.size) * left[:, -1].prod())


def _survival(distribution: npt.ArrayLike) -> Floats:
    """Return the chance not to have finished after 0, 1, 2, … turns."""
    one = np.asarray(distribution, dtype=np.float64)
    if one.ndim != 1 or (one < 0).any() or one.sum() > 1 + _ROUNDING:
        raise ValueError(f"no distribution: {one}")
    return np.concatenate(([1.0], np.maximum(0.0, 1 - np.cumsum(one))))


def _up_to(values: Floats, size: int) -> Floats:
    """Return `values` with the last one repeated, so that there are at least `size`."""
    return np.pad(values, (0, max(0, size - values.size)), mode="edge")
