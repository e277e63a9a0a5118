"""Who beats whom in a circle: then no entrant is the single best."""

from collections import deque
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt


def cycles(names: Sequence[str], beats: npt.ArrayLike) -> list[list[str]]:
    """Return a shortest cycle of each group of entrants in which chains of "beats" go round.

    `beats` (entrants, entrants) says whether the first is really better than the second; the
    diagonal does not count.  A cycle begins with its first name in alphabetical order; of cycles as
    short, the one whose names come first is taken, and cycles stand in the order of their first
    names.  There are none where the entrants can be ranked.
    """
    is_better = np.asarray(beats, dtype=bool)
    order = sorted(range(len(names)), key=lambda entrant: names[entrant])
    beaten = {e: [f for f in order if is_better[e, f] and f != e] for e in order}
    chains = {e: _chains(e, beaten) for e in order}
    found: list[list[int]] = []
    grouped: set[int] = set()
    for e in order:
        if e in chains[e] and e not in grouped:
            group = [f for f in order if f in chains[e] and e in chains[f]]
            grouped.update(group)
            found.append(min((chains[f][f] for f in group), key=len))  # of equals the first
    return [[names[entrant] for entrant in cycle] for cycle in found]


def in_words(cycle: Sequence[str]) -> str:
    """Return a cycle as a sentence: "a beats b, b beats c, c beats a: none of them is the best"."""
    pairs = zip(cycle, [*cycle[1:], cycle[0]], strict=True)
    beats = ", ".join(f"{winner} beats {loser}" for winner, loser in pairs)
    return f"{beats}: none of them is the best"


def _chains(start: int, beaten: dict[int, list[int]]) -> dict[int, list[int]]:
    """Return the shortest chain to each entrant within reach, without that entrant itself.

    The chain to `start` is the shortest cycle through it, if there is one.  Breadth first, in the
    order of names: of chains as short the first by names is found.
    """
    chains: dict[int, list[int]] = {}
    queue: deque[list[int]] = deque([[start]])
    while queue:
        chain = queue.popleft()
        for entrant in beaten[chain[-1]]:
            if entrant not in chains:
                chains[entrant] = chain
                if entrant != start:
                    queue.append([*chain, entrant])
    return chains
