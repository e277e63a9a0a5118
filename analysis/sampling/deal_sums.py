"""What games add up to deal by deal, by seat or with rotated seats, and means taken from that."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from herdlab.analysis.sampling.curves import LineSeats
from herdlab.analysis.stats.estimates import Estimate, deviation, rate_of, ratio_of, wilson
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
    """What a result is made of: sums over deals, which are independent of each other."""

    rotations: list[Sums]
    every: list[LineSeats]
    """For each line of the result where its players sat: (sums, seat)."""
    deals: int
    column: Callable[[str, int | None], ColumnSums]
    """Returns a column of all games of a deal together, of one line if it is a player's."""


def sums_by_seat(game: Game, sums: Sums) -> DealSums:
    """Return games as they were played: a deal is one game, a line of the result one seat."""

    def column(name: str, line: int | None) -> ColumnSums:
        if name == "unfinished":
            return ColumnSums(*[sums.unfinished] * 3)
        if name == "parts" and game.part is None:
            return ColumnSums(*[sums.games] * 3)
        place = game.columns(sums.n_players).index(name if line is None else f"{name}_{line}")
        total = sums.totals[place]
        by_parts = total if game.part is None else sums.by_parts[place]
        return ColumnSums(total, sums.squares[place], by_parts)

    every = [[(sums, seat)] for seat in range(sums.n_players)]
    return DealSums([sums], every, sums.games, column)


def sums_by_strategy(sums: RotationSums, groups: Sequence[int]) -> DealSums:
    """Return rotated games: a deal is one in every rotation, a line of the result one strategy."""

    def column(name: str, line: int | None) -> ColumnSums:
        return ColumnSums(*sums.of(name if line is None else f"{name}_{line}"))

    n = len(groups)
    every = [
        [
            (one, (place + r) % n)
            for r, one in enumerate(sums.sums)
            for place in range(n)
            if groups[place] == group
        ]
        for group in range(max(groups) + 1)
    ]
    return DealSums(sums.sums, every, sums.deals, column)


def unfinished_rate(played: DealSums) -> Estimate:
    """Return the rate of games that nobody won."""
    found, rotations = played.column("unfinished", None), len(played.rotations)
    if rotations == 1:
        return wilson(found.total, played.deals)
    return rate_of(found.total, found.squares, played.deals, scale=rotations)


def mean_event(
    game: Game, event: Event, played: DealSums, lines: Sequence[int | None]
) -> tuple[list[Estimate], list[float]]:
    """Return for each line an event's mean and its standard deviation, both a game or a part.

    Games of a deal are not independent: the interval is over deals.  Where it never happened to
    one, what an occurrence counts is seen from the others.
    """
    columns = [played.column(event.name, line) for line in lines]
    squares = [_squares(game, event, played, line) for line in lines]
    both = zip(columns, squares, strict=True)
    seen = [each / one.total for one, each in both if one.total and not event.is_signed]
    size = max([event.size, *seen])
    found, deviations = [], []
    for line, one, each in zip(lines, columns, squares, strict=True):
        copies = 1 if line is None else len(played.every[line]) // len(played.rotations)
        parts, by_parts = _parts(event, played), one.by_parts
        if not event.per_part:
            by_parts = one.total * len(played.rotations)
        estimate = ratio_of(
            one.total,
            one.squares,
            by_parts * copies,
            parts.total * copies,
            parts.squares * copies**2,
            played.deals,
            size=event.size if one.total else size,
            is_signed=event.is_signed,
        )
        found.append(estimate)
        deviations.append(deviation(one.total, each, parts.total * copies))
    return found, deviations


def _parts(event: Event, played: DealSums) -> ColumnSums:
    """Return what an event is a mean of, as a column: parts, or games."""
    if event.per_part:
        return played.column("parts", None)
    each, n = len(played.rotations), played.deals
    return ColumnSums(n * each, n * each**2, n * each**2)


def _squares(game: Game, event: Event, played: DealSums, line: int | None) -> int:
    """Return the sum of squares over single games, or over all parts of all games."""
    if line is None:
        keyed = [(sums, event.name) for sums in played.rotations]
    else:
        keyed = [(sums, f"{event.name}_{seat}") for sums, seat in played.every[line]]
    if game.part is not None and event.per_part:
        return sum(sum(one.tallied(game.tallies(one.n_players)[name])) for one, name in keyed)
    return sum(one.squares[game.columns(one.n_players).index(name)] for one, name in keyed)
