"""What the commands print: results as tables for people."""

import sys
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from herdlab.analysis.stats.estimates import LOPSIDED, Estimate
from herdlab.analysis.studies.bench import Bench
from herdlab.analysis.studies.simulation import SeatResult, Simulation
from herdlab.analysis.words.phrases import counted
from herdlab.analysis.words.stories import Story
from herdlab.simcore.game import Event, Game
from herdlab.simcore.rules import Rules, shown
from herdlab.simcore.safe_text import escaped
from herdlab.strategies.registry import BUILT_IN, Strategy

_PIPED_WIDTH = 120


class _Output(Console):
    """Standard output, which may be a pipe that nobody reads to its end.

    What is printed may be somebody else's text: only rich itself may steer the terminal.
    """

    def on_broken_pipe(self) -> None:
        """Leave it to the command line, which ends quietly then."""
        raise BrokenPipeError

    def _render_buffer(self, buffer: Iterable[Segment]) -> str:
        """Return what is printed, with no control character but those of rich."""
        return super()._render_buffer(
            one if one.control else Segment(escaped(one.text, keep="\n"), one.style)
            for one in buffer
        )


def console(piped_width: int | None = None) -> Console:
    """Return where results go: standard output, in colour only on a terminal."""
    width = None if sys.stdout.isatty() else piped_width or _PIPED_WIDTH
    return _Output(highlight=False, width=width)


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """Return a plain table; columns whose name ends in a blank are set to the right."""
    made = Table(box=None, pad_edge=False, header_style="bold")
    for name in columns:
        made.add_column(name.strip(), justify="right" if name.endswith(" ") else "left")
    for row in rows:
        made.add_row(*(Text(cell) for cell in row))
    return made


def percent(rate: float) -> str:
    """Return a rate as a percentage with two digits."""
    return f"{100 * rate:.2f} %"


def simulation(result: Simulation) -> None:
    """Print a simulation: who won, how long it took, what happened."""
    request, out = result.request, console()
    game = request.experiment.game
    played = counted(result.games, "game")
    if request.rotate:
        lucks = counted(result.lucks, "luck")
        played = f"{lucks}, each in every rotation of the seats: {played}"
    if game.part is not None:
        played += f" of {counted(result.parts, game.part)}"
    out.print(f"[bold]{game.title}[/bold]  {played}, {request.experiment.title()}")
    head = ["copies " if request.rotate else "seat ", "strategy", "win rate ", "95 % interval "]
    head += ["mean score ", "sd "] if game.has_scores else []
    out.print(table(head, [_seat_cells(one) for one in result.seats]))
    if result.is_precise is False:
        out.print(
            f"± {percent(request.precision or 0)} was not reached: ± {percent(result.widest)} "
            f"after {result.lucks:,}, which is --max-games or where it was stopped"
        )
    length = result.length_mean
    each = "" if game.part is None else f" a {game.part}"
    out.print(
        f"length {length.value:.3f} {game.length_unit}{each} "
        f"({length.low:.3f} to {length.high:.3f}), sd {result.length_sd:.2f}"
    )
    if result.unfinished.value:
        one = result.unfinished
        out.print(
            f"nobody won: {percent(one.value)} of games ({percent(one.low)} to {percent(one.high)})"
        )
    happened = [event for event in game.events if _is_seen(result, event)]
    by_seat = [event.name for event in happened if event.per_seat]
    lines = [
        one.strategy if one.seat is None else f"{one.seat} {one.strategy}" for one in result.seats
    ]
    unit = game.part or "game"
    if by_seat:
        out.print(f"\nmean a {unit}, with its 95 % interval")
        cells = {name: list(map(_with_interval, result.events[name])) for name in by_seat}
        beside = _seats_beside(out.width, cells, lines)
        for first in range(0, len(lines), beside):
            block = slice(first, first + beside)
            rows = [[name, *each[block]] for name, each in cells.items()]
            out.print(table(["event", *(f"{line} " for line in lines[block])], rows))
    for each_of, events in _by_table(game, happened).items():
        rows = [[one.name, _with_interval(result.events[one.name]), one.words] for one in events]
        together = ", all players together" if by_seat else ""
        out.print(f"\nmean a {each_of}{together}")
        out.print(table(["event", "mean ", "what"], rows))
    never = [event.name for event in game.events if event not in happened]
    if never:
        most = max(one.high for name in never for one in _lines_of(result.events[name]))
        out.print(
            f"\n[dim]0 in every game (at most {most:.2g} on average, 95 %): "
            f"{', '.join(never)}[/dim]"
        )
    _spreads(result, lines)
    _courses(result, lines)
    speed = result.games / result.seconds if result.seconds else 0
    out.print(
        f"\n[dim]{speed:,.0f} games a second; rules {request.experiment.rules.hash}; "
        f"intervals: {_INTERVALS.get(result.interval, result.interval)}[/dim]"
    )


_INTERVALS = {
    "anytime": "anytime (win rates: hold together with 95 % whenever one stops; all else as of a "
    "fixed number of games)"
}


def _lines_of(found: Any) -> list[Any]:
    """Return what is by line of a result, or the whole table's, as a list."""
    return found if isinstance(found, list) else [found]


def _is_seen(result: Simulation, event: Event) -> bool:
    """Whether an event has happened to anybody."""
    means, deviations = result.events[event.name], result.events_sd[event.name]
    return any(one.value for one in _lines_of(means)) or any(_lines_of(deviations))


def _by_table(game: Game, events: Sequence[Event]) -> dict[str, list[Event]]:
    """Return those events that are the whole table's by what they are counted in."""
    found: dict[str, list[Event]] = {}
    for one in events:
        if not one.per_seat:
            unit = game.part if game.part and one.per_part else "game"
            found.setdefault(unit, []).append(one)
    return found


def _seat_cells(one: SeatResult) -> list[str]:
    cells = [
        str(one.copies if one.seat is None else one.seat),
        one.strategy,
        percent(one.win_rate.value),
        f"{percent(one.win_rate.low)} to {percent(one.win_rate.high)}",
    ]
    if one.score is not None and one.score_sd is not None:
        cells += [_with_interval(one.score, 2), f"{one.score_sd:.2f}"]
    return cells


def _with_interval(one: Estimate, digits: int = 4) -> str:
    """Return a mean with ± the longer side of its interval, or from where to where if lopsided."""
    sides = one.high - one.value, one.value - one.low
    if max(sides) > LOPSIDED * min(sides):
        return f"{one.value:.{digits}f} ({one.low:.{digits}f} to {one.high:.{digits}f})"
    return f"{one.value:.{digits}f} ±{max(sides):.{digits}f}"


def _seats_beside(width: int, cells: dict[str, list[str]], lines: list[str]) -> int:
    """Return how many seats fit beside each other."""
    blank = 1
    names = max(map(len, cells)) + blank
    widest = max(len(one) for one in [*lines, *(cell for each in cells.values() for cell in each)])
    return max(1, min(_SEATS_BESIDE, (width - names) // (widest + blank)))


_SEATS_BESIDE = 5
"""More seats than these are printed in several tables, one under the other."""
_SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)


def _spreads(result: Simulation, lines: list[str]) -> None:
    """Print how the histograms lie: the values that so many per cent do not exceed."""
    rows = []
    for key, found in result.histograms.items():
        each = found if isinstance(found, list) else [found]
        names = lines if isinstance(found, list) else [""]
        what = f"{key}, {result.request.experiment.game.length_unit}" if key == "length" else key
        for name, one in zip(names, each, strict=True):
            rows.append([what, name, *(one.quantile_in_words(share) for share in _SHARES)])
    head = [f"{100 * share:.0f} % " for share in _SHARES]
    console().print("\nhow they spread: the value that so many per cent do not exceed")
    console().print(table(["what", "strategy", *head], rows))


_POINTS_SHOWN = 12


def _courses(result: Simulation, lines: list[str]) -> None:
    """Print the curves, at a dozen points at most; `--json` has all."""
    game = result.request.experiment.game
    for curve in game.curves:
        found = result.curves[curve.name]
        points = len(found[0].means)
        stride = -(-points // _POINTS_SHOWN)
        rows = [
            [str(curve.step * point), *(_with_interval(one.means[point]) for one in found)]
            for point in sorted({*range(0, points, stride), points - 1})
        ]
        head = [f"{game.length_unit} ", *(f"{line} " for line in lines)]
        console().print(
            f"\n{curve.words} over time, with its 95 % interval; a game that has ended counts "
            f"with its last"
        )
        console().print(table(head, rows))


def games(all_games: Iterable[Game]) -> None:
    """Print what games there are."""
    rows = [
        [game.name, game.title, f"{game.min_players}-{game.max_players}", game.about]
        for game in all_games
    ]
    console().print(table(["name", "game", "players", "about"], rows))


def rules(game: Game, values: Rules) -> None:
    """Print the clauses, then every setting with its value and what is allowed."""
    out = console()
    out.print(f"[bold]{game.title}[/bold]: the clauses\n")
    out.print(table(["clause", "what it says"], game.clauses))
    rows = []
    for key, note in values.notes().items():
        value = getattr(values, key)
        allowed = "true or false"
        if note.parse is not None:
            allowed = "see meaning"
        elif note.options:
            allowed = " or ".join(map(shown, note.options))
        elif note.low is not None:
            allowed = f"{note.low} to {note.high}"
        elif note.alternatives:
            allowed = " or ".join(map(shown, note.alternatives))
        rows.append([key, note.show(value), note.clause, allowed, note.words])
    out.print("\nthe settings, for --set name=value or a TOML file")
    out.print(table(["name", "value", "clause", "allowed", "meaning"], rows))
    out.print("\nreadings of unclear clauses, for studies to vary:")
    for key, note in values.notes().items():
        if note.alternatives:
            only = "" if note.when is None else f", only with {note.when.words}"
            values_ = " or ".join(map(shown, note.alternatives))
            out.print(f"  {key} = {values_} ({note.clause}{only})")
    out.print(f"[dim]hash of these rules: {values.hash}[/dim]")


def strategies(game: Game, known: dict[str, Strategy], name: str | None) -> None:
    """Print all strategies of a game, or one with its parameters."""
    out = console()
    if name is None:
        rows = [
            [one.name, one.words + ("" if one.source == BUILT_IN else f" ({one.source})")]
            for one in known.values()
        ]
        out.print(f"strategies of {game.title}")
        out.print(table(["name", "what a human would do"], rows))
        out.print(
            f"\n[dim]'herdlab strategies {game.name} NAME' shows a strategy's parameters; "
            f"set them as NAME:parameter=value[/dim]"
        )
        return
    one = known[name]
    out.print(Text(f"{one.name}: {one.words}"))
    rows = []
    for key, parameter in one.parameters.items():
        default = parameter.show(parameter.default)
        rows.append([key, default, parameter.allowed, parameter.words])
    if rows:
        out.print(table(["parameter", "default", "allowed", "meaning"], rows))
    else:
        out.print("It has no parameters.")


def story(told: Story, title: str) -> None:
    """Print a game move by move."""
    out = console()
    out.print(Text(title), style="bold")
    out.print(told.beginning)
    session, turn = None, 0
    for one in told.happenings:
        if one.session != session:
            session, turn = one.session, 0
            out.print(Text(f"\nSession {session}"), style="bold underline")
        if one.turn != turn:
            turn = one.turn
            who = f"seat {one.seat} {one.strategy}"
            round_ = "" if one.round is None else f" (round {one.round})"
            unit = told.unit.capitalize()
            head = f"\n{unit} {turn}{round_}, {who}: {one.before}" if turn else ""
            out.print(Text(head), style="bold", soft_wrap=True)
        clauses = ", ".join(one.clauses)
        change = f" -> {one.after}" if one.after != one.before else ""
        out.print(Text(f"  {one.words} ({clauses}){change}"), soft_wrap=True)
    out.print(Text(f"\n{told.end}"), style="bold")


def bench(measured: Bench) -> None:
    """Print the speeds."""
    out = console()
    out.print(f"one chain step takes {measured.chain_step_ns:.2f} ns")
    rows = [
        [
            one.game,
            " ".join(
                [",".join(one.players), *(f"{key}={shown(v)}" for key, v in one.settings.items())]
            ),
            str(one.threads),
            f"{one.games_per_second:,.0f}",
            f"{one.chain_steps_per_game:,.0f}",
        ]
        for one in measured.results
    ]
    head = ["game", "players", "threads ", "games a second ", "chain steps a game "]
    out.print(table(head, rows))
    for game, (cold, warm) in measured.starts.items():
        out.print(f"{game}: first start, compiling, {cold:.1f} s; later starts {warm:.2f} s")
