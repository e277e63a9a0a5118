"""What `compare` and `tournament` print."""

from math import isfinite

from rich.console import Console
from rich.text import Text

from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.verdicts import Kind
from herdlab.analysis.studies.compare import Comparison
from herdlab.analysis.studies.readings import Readings
from herdlab.analysis.studies.tournament import Tournament
from herdlab.analysis.terminal.show import console, percent, table
from herdlab.analysis.words.phrases import counted

_MANY_TIMES = 1_000
_PAIRS_SHOWN = 12
"""Entrants up to which the table of pairs is printed; `--json` has all."""

INTERVALS = {
    "blocks": "over lucks, each with all its seatings",
    "anytime": "anytime: all hold together with {confidence:.4g} % whenever one stops",
    "anytime-asymptotic": "anytime: all hold together with {confidence:.4g} % whenever one stops, "
    "in the limit of many lucks",
}


def comparison(found: Comparison) -> None:
    """Print a comparison, the verdict first."""
    request, out = found.request, console()
    _title(found, out)
    out.print(Text(_sentence(found.verdict)), style="bold")
    confidence = f"{100 * request.confidence:.4g} % interval "
    rows = [
        [name, *_cells(found, one)] for name, one in ((request.a, found.a), (request.b, found.b))
    ]
    rows.append(["difference", *_cells(found, found.difference, is_difference=True)])
    out.print(table(["", f"{found.metric.words} ", confidence], rows))
    out.print(Text(_pairing(found)))
    intervals = INTERVALS[found.interval].format(confidence=100 * request.confidence)
    out.print(
        f"[dim]{found.games / found.seconds:,.0f} games a second; rules "
        f"{request.experiment.rules.hash}; intervals {intervals}[/dim]"
    )


def _title(found: Comparison, out: Console) -> None:
    request = found.request
    field = ", ".join(request.others) if request.others else "nobody"
    out.print(
        Text.assemble(
            (request.experiment.game.title, "bold"),
            f"  {request.a} or {request.b} with {field}, in every seat in turn: "
            f"{found.lucks:,} lucks, {found.games:,} games, {request.experiment.title()}",
        )
    )


def _sentence(text: str) -> str:
    """Return it with a full stop; names of strategies keep their small letters."""
    return f"{text}."


def _cells(found: Comparison, one: Estimate, *, is_difference: bool = False) -> list[str]:
    if not isfinite(one.high - one.low):
        return [f"{one.value:.4f}", "unknown"]
    if not found.metric.is_rate:
        return [f"{one.value:.4f}", f"{one.low:.4f} to {one.high:.4f}"]
    if is_difference:
        return [f"{100 * one.value:+.2f}", f"{100 * one.low:+.2f} to {100 * one.high:+.2f}"]
    return [percent(one.value), f"{percent(one.low)} to {percent(one.high)}"]


def _pairing(found: Comparison) -> str:
    """Return what the pairing was worth."""
    if found.variance_ratio is None:
        return f"{found.differing:,} of {found.lucks:,} lucks came out differently"
    times = f"{found.variance_ratio:.1f}"
    if found.variance_ratio > _MANY_TIMES:
        times = f"more than {_MANY_TIMES:,}"
    worth = (
        f"worth {times} times as many games"
        if found.variance_ratio >= 1
        else f"worth only {found.variance_ratio:.2f} times as many games, so it does harm,"
    )
    return (
        f"{percent(found.differing / found.lucks)} of lucks came out differently; to play both in "
        f"every seat on the same luck is {worth} each on a luck of its own"
    )


def readings(found: Readings) -> None:
    """Print a comparison under every reading."""
    first, out = found.rows[0].comparison, console()
    _title(first, out)
    out.print(Text(_sentence(first.verdict)), style="bold")
    out.print(Text(_sentence(f"This {found.sentence}")), style="bold")
    rows = [
        [
            one.setting,
            one.clause,
            *_cells(one.comparison, one.comparison.difference, is_difference=True),
            f"{one.comparison.lucks:,}",
            one.comparison.short,
        ]
        for one in found.rows
    ]
    head = ["reading", "clause", "difference ", f"{100 * first.request.confidence:.4g} % interval "]
    out.print(table([*head, "lucks ", "verdict"], rows))
    for one in found.skipped:
        out.print(
            f"[dim]not tried: {one.setting} ({one.clause}), which matters only with "
            f"{one.only_with}[/dim]"
        )
    out.print(
        "[dim]the intervals of all readings hold together with "
        f"{100 * (1 - (1 - first.request.confidence) * len(found.rows)):.4g} %[/dim]"
    )


def tournament(found: Tournament) -> None:
    """Print the standings of a tournament."""
    request, plan, standings, out = found.request, found.schedule, found.standings, console()
    drawn = plan.draw
    which = "all" if drawn.is_complete else f"a sample of {len(drawn.line_ups):,} of"
    out.print(
        Text.assemble(
            (request.experiment.game.title, "bold"),
            f"  {counted(len(request.entrants), 'entrant')} at tables of {request.size}, {which} "
            f"{counted(drawn.possible, 'line-up')}: {counted(plan.games, 'game')}, "
            f"{request.experiment.title()}",
        )
    )
    out.print(Text(_sentence(standings.leader)), style="bold")
    for sentence in (*standings.cycles, standings.equilibrium):
        if sentence is not None:
            out.print(Text(_sentence(sentence)))
    rows = [
        [
            one.strategy,
            percent(one.win_rate.value),
            f"{percent(one.win_rate.low)} to {percent(one.win_rate.high)}",
            f"{one.rating.value:.0f}",
            f"{one.rating.low:.0f} to {one.rating.high:.0f}",
            *_mixed(one.mix),
            ", ".join(one.not_told_apart) or "-",
        ]
        for one in standings.entrants
    ]
    head = ["entrant", "win rate ", "95 % interval ", "rating ", "95 % ", "in the mix ", "95 % "]
    out.print(table([*head, "no clear difference from"], rows))
    _pairs(found, out)
    seats = ", ".join(f"seat {n} {one.value:+.0f}" for n, one in enumerate(standings.seats))
    out.print(f"\nwhat a seat is worth, in points of rating: {seats}")
    if not drawn.is_complete:
        out.print(
            "[dim]no mix: it needs every line-up, and --max-line-ups allows "
            f"{request.most_line_ups:,} of {drawn.possible:,}; which line-ups were drawn is in the "
            "intervals of win rates, not in those of ratings[/dim]"
        )
    out.print(
        f"[dim]{plan.games / found.seconds:,.0f} games a second; "
        f"rules {request.experiment.rules.hash}; "
        f"win rates: against opponents drawn at random from the entrants; ratings: by a model of "
        f"strength; the mix: what tables settle on if everybody learns[/dim]"
    )


def _mixed(share: Estimate | None) -> list[str]:
    if share is None:
        return ["-", "-"]
    return [f"{100 * share.value:.1f} %", f"{100 * share.low:.0f} to {100 * share.high:.0f}"]


def _pairs(found: Tournament, out: Console) -> None:
    """Print every two at the tables where both sit, in percentage points."""
    names = [one.strategy for one in found.standings.entrants]
    if len(names) > _PAIRS_SHOWN:
        out.print(f"\n[dim]the {len(found.standings.pairs)} pairs are in --json[/dim]")
        return
    cells = {}
    for pair in found.standings.pairs:
        value, mark = (
            100 * pair.difference.value,
            {Kind.TIE: "=", Kind.OPEN: "?"}.get(pair.kind, ""),
        )
        cells[pair.a, pair.b] = f"{value:+.1f}{mark or ' '}"
        cells[pair.b, pair.a] = f"{-value:+.1f}{mark or ' '}"
    out.print(
        "\nwho wins more where both sit: the row's win rate less the column's, in percentage "
        "points; = tie, ? too close to call"
    )
    rows = [[one, *(cells.get((one, other), "") for other in names)] for one in names]
    out.print(table(["", *(f"{name} " for name in names)], rows))
