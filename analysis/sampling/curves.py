"""Curves: a number of each player's over the course of a game, averaged, with its interval."""

from dataclasses import dataclass
from itertools import accumulate
from math import sqrt
from typing import Any

from herdlab.analysis.stats.estimates import Estimate, ratio_of
from herdlab.simcore.game import Curve, Game
from herdlab.simcore.sums import Sums

LineSeats = list[tuple[Sums, int]]
"""Where the players of one line of a result sat: (sums, seat)."""


@dataclass(frozen=True)
class MeanCurve:
    """A line's mean after 0, step, 2 * step … units; games that ended count with their last."""

    step: int
    means: list[Estimate]

    def as_json(self) -> dict[str, Any]:
        """Return the record that ``simulate --json`` prints."""
        return {
            "step": self.step,
            "means": [one.value for one in self.means],
            "ci_low": [one.low for one in self.means],
            "ci_high": [one.high for one in self.means],
        }


def mean_curves(game: Game, every: list[LineSeats], deals: int) -> dict[str, list[MeanCurve]]:
    """Return all curves by name, one for each line, until all games or the curve have ended."""
    longest = max(len(sums.lengths) for sat in every for sums, _ in sat) - 1
    return {
        one.name: [
            MeanCurve(one.step, _means(game, one, sat, deals)[: -(-longest // one.step) + 1])
            for sat in every
        ]
        for one in game.curves
    }


def _means(game: Game, curve: Curve, sat: LineSeats, deals: int) -> list[Estimate]:
    """Return the mean at each point, with the interval of as many games as there are deals."""
    blocks = [[0] * curve.points for _ in range(4)]
    for sums, seat in sat:
        tallied = sums.tallied(game.tallies(sums.n_players)[f"curve {curve.name}_{seat}"])
        for place, count in enumerate(tallied):
            blocks[place // curve.points][place % curve.points] += count
    playing, playing_squares, ended, ended_squares = blocks
    games = sum(sums.games for sums, _ in sat)
    totals = [a + b for a, b in zip(playing, accumulate(ended), strict=True)]
    squares = [a + b for a, b in zip(playing_squares, accumulate(ended_squares), strict=True)]
    found, wider = [], sqrt(games / deals)
    for total, square in zip(totals, squares, strict=True):
        one = ratio_of(total, square, total, games, games, games)
        below, above = wider * (one.value - one.low), wider * (one.high - one.value)
        found.append(Estimate(one.value, one.value - below, one.value + above, deals))
    return found
