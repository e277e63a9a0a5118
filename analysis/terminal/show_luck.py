"""What `luck` prints."""

from collections import defaultdict

from rich.text import Text

from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.games_to_lead import Series
from herdlab.analysis.stats.variance_shares import Share
from herdlab.analysis.studies.luck import LuckResult
from herdlab.analysis.terminal.show import console, percent, table

_WITH_ONE_KIND = 3
"""Sources where there is one kind of luck: seat, strategy, and that one."""


def luck(result: LuckResult) -> None:
    """Print what decides a game, and how many games it takes to see who is better."""
    out, experiment = console(), result.request.experiment
    out.print(
        f"[bold]{experiment.game.title}[/bold]  {', '.join(result.players)}: "
        f"{result.lucks:,} lucks in "
        f"every rotation, {result.games:,} games in all, {experiment.title()}"
    )
    out.print(Text(f"{result.sentence}\n"))
    rows = [_cells(one) for one in result.shares]
    rows.append(["together", *_share(result.together), "", "", "what none of them decides alone"])
    head = ["source", "alone ", "95 % interval ", "with all ", "95 % interval ", "what it is"]
    out.print(f"shares of the variance of {result.what}, seat by seat")
    out.print(table(head, rows))
    if len(result.shares) > _WITH_ONE_KIND and result.luck.total is not None:
        value, span = _share(result.luck.total)
        out.print(f"all luck at once: {value} ({span}), what seat and strategy do not foretell")
    by_lucks = defaultdict(list)
    for kind in result.unused:
        by_lucks[result.redrawn[kind]].append(kind)
    for lucks, kinds in by_lucks.items():
        out.print(f"[dim]made no difference in {lucks:,} lucks: {', '.join(kinds)}[/dim]")
    if result.series and result.metric.is_rate:
        out.print("\nhow many games the better one needs to have won more than the other")
        head = ["better", "worse", "difference a game ", "interval ", "75 % ", "95 % "]
        out.print(table(head, [_series(one) for one in result.series]))
        for one in result.series:
            out.print(Text(one.sentence))
    speed = result.games / result.seconds if result.seconds else 0
    out.print(
        f"\n[dim]{speed:,.0f} games a second; rules {experiment.rules.hash}; intervals: jackknife; "
        f"of differences: over lucks, 95 % for all pairs at once[/dim]"
    )


def _cells(one: Share) -> list[str]:
    total = ["", ""] if one.total is None else _share(one.total)
    return [one.source, *_share(one.first), *total, one.words]


def _share(one: Estimate) -> list[str]:
    """Return a share and its interval, moved to where shares are: none is below 0 or above 1."""
    value = max(0.0, min(1.0, one.value))
    low, high = max(0.0, one.low + value - one.value), min(1.0, one.high + value - one.value)
    return [percent(value), f"{percent(low)} to {percent(high)}"]


def _series(one: Series) -> list[str]:
    span = f"{percent(one.difference.low)} to {percent(one.difference.high)}"
    often = _games(one.games_75, one.games_75_low, one.games_75_high)
    mostly = _games(one.games_95, one.games_95_low, one.games_95_high)
    return [one.better, one.worse, percent(one.difference.value), span, often, mostly]


def _games(games: int | None, low: int | None, high: int | None) -> str:
    return f"at least {low:,}" if games is None else f"{games:,} ({low:,} to {high:,})"
