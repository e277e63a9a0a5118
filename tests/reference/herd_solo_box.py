"""Herds that one player can have, and one roll and one trade as moves between them.

A number for each herd is an array in the order of `Box.herds`: expected turns, or chances. The
chance flows forward from herd to herd, expected turns are reckoned backward.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise, product

import numpy as np
import numpy.typing as npt
from scipy import sparse

from .herd_solo_turn import AGAIN, BARRED, FREE, Choose, Herd, Solo, SoloRules, complete

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]


class Box:
    """Every herd that tiles and limits allow (H1, H7), those with fewer tiles first."""

    def __init__(self, rules: SoloRules, dogs: str = "sold") -> None:
        self.solo = Solo(rules, dogs)
        self.herds: list[Herd] = list(product(*(range(most + 1) for most in self.solo.most)))
        self.herds.sort(key=sum)
        self.places = {herd: place for place, herd in enumerate(self.herds)}
        self.is_complete = np.array([complete(herd) for herd in self.herds])
        self.write_rolls()

    def write_rolls(self) -> None:
        """Write one roll of both dice as matrices from herds to herds; the complete do not roll."""
        entries = {rest: (array("i"), array("i"), array("d")) for rest in (AGAIN, FREE, BARRED)}
        for herd, place in self.places.items():
            if not complete(herd):
                for (after, rest), chance in self.solo.rolled_once(herd).items():
                    rows, columns, chances = entries[rest]
                    rows.append(place)
                    columns.append(self.places[after])
                    chances.append(chance)
        size = len(self.herds)
        again, self.to_free, self.to_barred = (
            sparse.csr_array(
                (np.asarray(chances), (np.asarray(rows), np.asarray(columns))), shape=(size, size)
            )
            for rows, columns, chances in entries.values()
        )
        self.from_free, self.from_barred = self.to_free.T.tocsr(), self.to_barred.T.tocsr()
        self.same_again = again.diagonal()
        again = (again - sparse.diags_array(self.same_again)).tocsr()
        again.eliminate_zeros()
        edges = np.searchsorted([sum(herd) for herd in self.herds], range(sum(self.solo.most) + 2))
        self.by_tiles = [slice(*edge) for edge in pairwise(edges.tolist())]
        self.to_again = [again[part] for part in self.by_tiles]
        self.from_again = [again.T.tocsr()[part] for part in self.by_tiles]

    def before_roll(self, free: Floats, barred: Floats) -> Floats:
        """Return what is expected before the roll, from what is after it with and without a trade.

        H8: doubles only add to a herd, so that herds with more tiles are settled first; those that
        change nothing are the geometric series of their chance. The number of a complete herd,
        which does not roll, is 0.
        """
        expected: Floats = self.to_free @ free + self.to_barred @ barred
        for part, again in zip(reversed(self.by_tiles), reversed(self.to_again), strict=True):
            expected[part] += again @ expected
            expected[part] /= 1 - self.same_again[part]
        return expected

    def after_roll(self, chances: Floats) -> tuple[Floats, Floats]:
        """Return the chances of herds after the roll with a final trade, and without.

        The same as `before_roll`, forward: herds with fewer tiles are settled first.
        """
        rolls = chances.copy()
        for part, again in zip(self.by_tiles, self.from_again, strict=True):
            rolls[part] += again @ rolls
            rolls[part] /= 1 - self.same_again[part]
        won = np.where(self.is_complete, rolls, 0.0)  # H4: and no further roll
        return self.from_free @ rolls + won, self.from_barred @ rolls

    def places_after(self, phase: str, choose: Choose) -> Places:
        """Return each herd's place after the trade that `choose` makes of it, or none (H5)."""
        traded = (self.solo.trade_once(herd, phase, choose) for herd in self.herds)
        return np.array([self.places[herd] for herd in traded])

    def place(self, herd: Sequence[int]) -> int:
        """Return a herd's place in the arrays."""
        return self.places[tuple(herd)]


@lru_cache(maxsize=1)
def box_of(rules: SoloRules, dogs: str) -> Box:
    """Return the box of these rules; the last one is kept."""
    return Box(rules, dogs)
