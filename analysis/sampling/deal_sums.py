"""What games add up to deal by deal, by seat or with rotated seats, and means taken from that."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import starmap
from math import lcm

from herdlab.analysis.sampling.curves import LineSeats
from herdlab.analysis.stats.estimates import Estimate, deviation, rate_of, ratio_of, wilson
from herdlab.analysis.stats.precision_goal import WinSums
from herdlab.simcore.game import Event, Game
from herdlab.simcore.rotation import RotationSums
from herdlab.simcore.sums import Sums


@dataclass(frozen=True)
class ColumnSums:
    """What a column of all deals adds up to."""

    total: int
    squares: int
    by_parts: int
    """The sum of products with the number of parts."""


@dataclass(frozen=True)
class DealSums:
    """What a result is made of: sums over deals, which are independent of each other.

    A line of the result is a seat, or with rotated seats a strategy.
    """

    rotations: list[Sums]
    lines: list[LineSeats]
    """For each line of the result where its players sat: (sums, seat)."""
    deals: int
    columns: dict[str, ColumnSums]
    """Of all games of a deal together; a player's has the number of the line behind its name."""
    wins: list[WinSums]
    """By line, for one of its players in one game."""

    def column(self, name: str, line: int | None) -> ColumnSums:
        """Return a column, of one line if it is a player's."""
        return self.columns[name if line is None else f"{name}_{line}"]


def deal_sums(game: Game, sums: Sums | RotationSums, groups: Sequence[int]) -> DealSums:
    """Return what games add up to; with rotated seats `groups` has the line of each place."""
    if isinstance(sums, Sums):  # a deal is one game, a line of the result one seat
        by_parts = sums.totals if game.part is None else sums.by_parts
        each = zip(sums.totals, sums.squares, by_parts, strict=True)
        columns = dict(zip(game.columns(sums.n_players), starmap(ColumnSums, each), strict=False))
        columns["unfinished"] = ColumnSums(*[sums.unfinished] * 3)
        if game.part is None:
            columns["parts"] = ColumnSums(*[sums.games] * 3)
        lines = [[(sums, seat)] for seat in range(sums.n_players)]
        return DealSums([sums], lines, sums.games, columns, won_by_seat(sums))
    n, rotations = len(groups), list(enumerate(sums.sums))
    lines = [
        [(one, (place + r) % n) for r, one in rotations for place in range(n) if groups[place] == k]
        for k in range(max(groups) + 1)
    ]
    unit = sums.unit * len(sums.sums)
    none = ColumnSums(0, 0, 0)
    columns = {name: ColumnSums(*sums.of(name)) if sums.deals else none for name in sums.columns}
    shares = [columns[f"share_{line}"] for line in range(len(lines))]
    wins = [
        WinSums(one.total, one.squares, unit * groups.count(line))
        for line, one in enumerate(shares)
    ]
    return DealSums(sums.sums, lines, sums.deals, columns, wins)


def won_by_seat(sums: Sums) -> list[WinSums]:
    """Return the wins of each seat; a shared win counts 1 / k."""
    unit = lcm(*range(1, sums.n_players + 1))
    found = []
    for counts in sums.wins:
        shares = [(unit // k, count) for k, count in enumerate(counts, 1)]
        total = sum(share * count for share, count in shares)
        found.append(WinSums(total, sum(share**2 * count for share, count in shares), unit))
    return found


def unfinished_rate(sums: DealSums) -> Estimate:
    """Return the rate of games that nobody won."""
    found, rotations = sums.column("unfinished", None), len(sums.rotations)
    if rotations == 1:
        return wilson(found.total, sums.deals)
    return rate_of(found.total, found.squares, sums.deals, scale=rotations)


def mean_event(
    game: Game, event: Event, sums: DealSums, lines: Sequence[int | None]
) -> tuple[list[Estimate], list[float]]:
    """Return for each line an event's mean and its standard deviation, both a game or a part.

    Games of a deal are not independent: the interval is over deals.  Where it never happened to
    one, what an occurrence counts is seen from the others.
    """
    n, rotations = sums.deals, len(sums.rotations)
    parts = ColumnSums(n * rotations, n * rotations**2, n * rotations**2)  # games
    if event.per_part:
        parts = sums.column("parts", None)
    both = [(sums.column(event.name, line), _squares(game, event, sums, line)) for line in lines]
    seen = [each / one.total for one, each in both if one.total and not event.is_signed]
    unseen = max([event.size, *seen])
    found, deviations = [], []
    for line, (one, each) in zip(lines, both, strict=True):
        copies = 1 if line is None else len(sums.lines[line]) // rotations
        by_parts = one.by_parts if event.per_part else one.total * rotations
        of_parts = by_parts * copies, parts.total * copies, parts.squares * copies**2
        size, is_signed = event.size if one.total else unseen, event.is_signed
        found.append(ratio_of(one.total, one.squares, *of_parts, n, size=size, is_signed=is_signed))
        deviations.append(deviation(one.total, each, parts.total * copies))
    return found, deviations


def _squares(game: Game, event: Event, sums: DealSums, line: int | None) -> int:
    """Return the sum of squares over single games, or over all parts of all games."""
    if line is None:
        keyed = [(one, event.name) for one in sums.rotations]
    else:
        keyed = [(one, f"{event.name}_{seat}") for one, seat in sums.lines[line]]
    if game.part is not None and event.per_part:
        return sum(sum(one.tallied(game.tallies(one.n_players)[name])) for one, name in keyed)
    return sum(one.squares[game.columns(one.n_players).index(name)] for one, name in keyed)
