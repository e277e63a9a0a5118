"""What `race` prints."""

from typing import Any

from rich.text import Text

from herdlab.analysis.exact.race_result import Racer, RaceResult
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.terminal.show import console, percent, table
from herdlab.analysis.words.phrases import counted

_LEAST_SHOWN = 5e-5
"""A chance that is rounded to nothing is not worth a line."""

INTERVALS = {
    "blocks": "over lucks, each with all its seatings",
    "anytime": "anytime, which hold whenever one stops",
}


def race(found: RaceResult) -> None:
    """Print the race beside the real game, the sentence first."""
    request, out = found.request, console()
    experiment = request.experiment
    out.print(
        Text.assemble(
            (experiment.game.title, "bold"),
            f"  {', '.join(request.line_up)} as a race and as a game: "
            f"{counted(found.lucks, 'luck')}, {counted(found.games, 'game')}, {experiment.title()}",
        )
    )
    out.print(Text(f"{found.sentence}."), style="bold")
    if found.strategies:
        out.print("\nby strategy, each in every seat in turn; all in per cent of games won")
        head = ["strategy", "race ", "skunk ", "T trades ", "supply ", "real game "]
        out.print(table(head, [[one.strategy, *_cells(one)] for one in found.strategies]))
    out.print("\nby seat as given; race + skunk + T trades + supply = real game")
    head = ["seat ", "strategy", "race ", "skunk ", "T trades ", "supply ", "real game "]
    rows = [[str(one.seat), one.strategy, *_cells(one)] for one in found.seats]
    out.print(table(head, rows))
    out.print(Text(f"\nalone, exactly: {', '.join(_solo(*one) for one in found.solos.items())}"))
    out.print(f"the race lasts {found.turns:.2f} turns of all seats together")
    if found.nobody > _LEAST_SHOWN:
        out.print(f"nobody finishes it: {percent(found.nobody)}")
    _remarks(found)


def _remarks(found: RaceResult) -> None:
    """Print what the figures do not say themselves."""
    request, out = found.request, console()
    rules: Any = request.experiment.rules
    if found.watchers:
        names = ", ".join(found.watchers)
        out.print(Text(f"with T trades counts what comes of looking at others, if so: {names}"))
    if found.hoarders:
        names = ", ".join(found.hoarders)
        out.print(Text(f"with T trades counts that no supply is large enough for {names}"))
    if not (found.watchers or found.hoarders or "T" in (*rules.wolf_die, *rules.fox_die)):
        out.print("these dice have no T: what stands there is chance")
    if found.is_precise is False:
        out.print(
            f"± {percent(request.precision or 0)} was not reached: ± {percent(found.widest)} "
            f"after {found.lucks:,} lucks, which is --max-games or where it was stopped"
        )
    speed = found.games / found.seconds if found.seconds else 0
    out.print(
        f"[dim]{speed:,.0f} games a second; rules {rules.hash}; the race is exact; ± holds for all "
        f"figures together with 95 %, {INTERVALS[found.interval]}[/dim]"
    )


def _cells(one: Racer) -> list[str]:
    pieces = [_with_half(part, "+") for part in (one.skunk, one.t, one.supply)]
    return [f"{100 * one.race:.2f}", *pieces, _with_half(one.real)]


def _with_half(one: Estimate, sign: str = "") -> str:
    """Return points with the longer side of the interval."""
    half = max(one.high - one.value, one.value - one.low)
    return f"{100 * one.value:{sign}z.2f} ± {100 * half:.2f}"


def _solo(name: str, solo: Any) -> str:
    if solo.mean is None:
        return f"{name} may never finish"
    return f"{name} {solo.mean:.3f} turns (sd {solo.sd:.2f})"
