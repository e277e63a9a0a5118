"""What the commands share: their options, how words are read, what is said on standard error.

Whatever is slow to import (numba, pandas, and all that needs them) is imported inside functions.
"""

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from decimal import Decimal, InvalidOperation, Overflow
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import click
import typer

from herdlab.commands import completion
from herdlab.commands.stopping import EXIT_INTERRUPTED, telling
from herdlab.simcore.errors import BadInput
from herdlab.simcore.reading import real_path
from herdlab.simcore.safe_text import escaped, in_one_line

if TYPE_CHECKING:
    from herdlab.analysis.figures.drawing import Drawing
    from herdlab.analysis.runs.progress import OnProgress
    from herdlab.simcore.game import Game
    from herdlab.simcore.rules import Rules

_MOST_THREADS = 1024
EXIT_BAD_INPUT, EXIT_DIFFERENT = 2, 1

GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A game, as 'herdlab games' lists.",
        autocompletion=completion.games,
    ),
]
Players = Annotated[
    str,
    typer.Option(
        "--players",
        "-p",
        help="Strategies by seat, with commas; parameters with colons: keeper,herder:keep_sheep=2",
        autocompletion=completion.strategies,
    ),
]
Seed = Annotated[
    str, typer.Option("--seed", "-s", help="A whole number; all luck follows from it.")
]
RulesFile = Annotated[Path | None, typer.Option("--rules", help="A TOML file with settings.")]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="A setting of the rules.",
        autocompletion=completion.settings,
    ),
]
Plugin = Annotated[
    list[Path] | None,
    typer.Option(
        "--plugin",
        metavar="FILE.py",
        help="A file with strategies.  It runs as a program: use files you trust.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Save = Annotated[
    list[Path] | None,
    typer.Option("--save", metavar="FILE", help="Write it to FILE.csv, .parquet or .json too."),
]
Report = Annotated[
    list[Path] | None,
    typer.Option("--report", metavar="FILE", help="Write a report too, as FILE.html or .pdf."),
]
Figure = Annotated[
    Path | None,
    typer.Option("--figure", metavar="FILE", help="Draw it, as FILE.svg, .png or .pdf."),
]
Games = Annotated[
    str | None,
    typer.Option(
        "--games",
        "-n",
        help="How many deals (all dice and cards of a game), such as 1e6.  [default: 2e4]",
    ),
]
MaxGames = Annotated[
    str | None,
    typer.Option(
        "--max-games", help="Stop there at the latest, counted as --games.  [default: 1e7]"
    ),
]
Metric = Annotated[
    str,
    typer.Option(
        "--metric",
        "-m",
        help="What is measured: win, length, score or an event, as simulate prints them.",
        autocompletion=completion.metrics,
    ),
]
Field = Annotated[
    str | None,
    typer.Option(
        "--field",
        "-f",
        help="The others at the table, with commas.  [default: copies of the last strategy named, "
        "at the smallest table]",
        autocompletion=completion.strategies,
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out", metavar="DIR", help="Keep what is played in a new folder: resume DIR goes on."
    ),
]
ClusterAddress = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Play on a Dask cluster, such as tcp://10.0.0.1:8786; 'local' starts one here.",
    ),
]


def _limit_time(context: click.Context, option: click.Parameter, text: str | None) -> None:
    """Set the time limit while the command runs."""
    if text is None or context.resilient_parsing:
        return
    seconds = 0.0 if text.casefold() == "none" else read_number("--time-limit", text)
    from herdlab.simcore.workers import limited_to

    context.with_resource(limited_to(seconds))


TIME_LIMIT = click.Option(
    ["--time-limit"],
    metavar="SECONDS",
    help="Stop if a strategy computes longer than this for one answer; none for no limit.  "
    "[default: 60]",
    expose_value=False,
    callback=_limit_time,
)
"""An option of every command that plays."""


def game_and_rules(
    name: str, file: Path | None, settings: list[str] | None
) -> "tuple[Game, Rules]":
    """Return a game by its name, and its rules with a file's settings and single ones."""
    from herdlab.simcore.game import find_game
    from herdlab.simcore.rules import load_settings

    game = find_game(name)
    return game, game.rules_type.from_settings(load_settings(file, settings or []))


def load_plugins(files: list[Path] | None) -> tuple[dict[str, str], ...]:
    """Load files with strategies; return the name and hash of each, for the result."""
    if not files:
        return ()
    from herdlab.strategies.registry import load_plugin

    return tuple(load_plugin(file).as_json() for file in files)


def tell_of_plugins(where: Path, files: Sequence[str]) -> None:
    """Say which plug-ins run that nobody named on the command line."""
    if files:
        say(f"running code that comes with '{where}': {', '.join(files)}")


def check_line_up(game: "Game", values: "Rules", players: str) -> None:
    """Refuse a wrong line-up before the engine is loaded, perhaps compiled."""
    from herdlab.strategies import registry

    registry.check_line_up(game, values, players)


def load_engine(game: "Game") -> None:
    """Load a game's engine; say so if it must be compiled first, here or by another process."""
    from herdlab.simcore import _jit, compile_once

    if compile_once.is_compiled(game.folder):
        return
    how_often = "once, ten to twenty seconds"
    if _jit.is_passing():
        how_often = (
            f"ten to twenty seconds, each time, since cache folder '{_jit.cache_home()}' cannot be "
            f"used; set HERDLAB_CACHE to one that can be written"
        )
    has_compiled = []

    def compiles() -> None:
        has_compiled.append(game)
        say(f"compiling the engine of {game.title}: {how_often}")

    game.load_engine(
        on_compile=compiles,
        on_wait=lambda: say(f"waiting for another herdlab to compile the engine of {game.title}"),
    )
    if has_compiled:
        _jit.prune()


def tell_of_cache() -> None:
    """Say once if compiled code could not be kept, so that it will be compiled again."""
    jit = sys.modules.get("herdlab.simcore._jit")
    if jit is not None and jit.not_kept:
        say(
            f"compiled code cannot be kept in '{jit.cache_home()}' ({jit.not_kept[0]}): it will be "
            f"compiled again; make room, or try: herdlab cache clear"
        )
        jit.not_kept.clear()


_GROUPED = re.compile(r"\d{1,3}(,\d{3})+")
_THOUSANDS = {"k": 10**3, "m": 10**6, "b": 10**9}


def read_whole(what: str, text: str, low: int, high: int) -> int:
    """Return a whole number written as 1000000, 1_000_000, 1,000,000, 1e6, 1000k or 1M."""
    digits = text.strip().lower().replace("_", "")
    if _GROUPED.fullmatch(digits):
        digits = digits.replace(",", "")
    times = _THOUSANDS.get(digits[-1:], 1)
    try:
        value = times * Decimal(digits[:-1] if times > 1 else digits)
    except (InvalidOperation, Overflow):
        value = Decimal("nan")
    if value.is_nan() or not low <= value <= high or value != int(value):
        raise BadInput(f"{what} must be a whole number from {low:,} to {high:,}, and got '{text}'")
    return int(value)


Threads = Annotated[
    int | None,
    typer.Option(
        "--threads",
        "-t",
        metavar="NUMBER",
        parser=lambda text: read_whole("--threads", text, 1, _MOST_THREADS),
        help="Default: all cores.",
    ),
]


def read_games(text: str, option: str = "--games") -> int:
    """Return a number of games."""
    from herdlab.analysis.experiment import MOST_GAMES

    return read_whole(option, text, 1, MOST_GAMES)


def read_number(option: str, text: str) -> float:
    """Return a number, such as 0.005."""
    try:
        value = float(text)
    except ValueError:
        raise BadInput(f"{option} must be a number, such as 0.005, and got '{text}'") from None
    return value


def how_many(games: str | None, max_games: str | None, stops_by: str | None) -> dict[str, Any]:
    """Return --games, or --max-games beside the option that stops a run by what it sees."""
    if games is not None and stops_by is not None:
        raise BadInput(f"--games and {stops_by} do not go together; --max-games limits the latter")
    if max_games is not None and stops_by is None:
        raise BadInput("--max-games limits a run that stops by what it sees; --games says how many")
    found: dict[str, Any] = {}
    if games is not None:
        found["games"] = read_games(games)
    if max_games is not None:
        found["max_games"] = read_games(max_games, "--max-games")
    return found


def read_seed(text: str) -> int:
    """Return a seed."""
    from herdlab.analysis.experiment import MAX_SEED

    return read_whole("--seed", text, 0, MAX_SEED)


@contextmanager
def progress(unit: str, title: Callable[[], str] | None = None) -> "Iterator[OnProgress | None]":
    """Show a bar on a terminal, on standard error, for what takes longer than a second."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":  # which cannot take it away
        yield None
        return
    from herdlab.analysis.runs.progress import progress_bar

    with progress_bar(unit, title) as advance:
        yield advance


class Asked(NamedTuple):
    """The options that all commands that find something out have; the last ones only some."""

    seed: str
    rules_file: Path | None
    settings: list[str] | None
    plugin: list[Path] | None
    threads: int | None
    as_json: bool
    save: list[Path] | None
    report: list[Path] | None = None
    out: Path | None = None
    cluster: str | None = None
    figure: Path | None = None


def answer(
    function: Callable[..., Any],
    unit: str,
    asked: Asked,
    draw: "Callable[[Any], Drawing] | None" = None,
    **arguments: Any,
) -> None:
    """Call a function of the Python API, save what it finds where asked to, and print it."""
    from herdlab.simcore.rules import load_settings

    if asked.out is not None:
        files = [*(asked.save or ()), *(asked.report or ()), asked.figure]
        keep_out(asked.out, [one for one in files if one is not None])
    kept = {"out": asked.out, "cluster": asked.cluster}
    tell(
        lambda advance: function(
            **arguments,
            rules=load_settings(asked.rules_file, asked.settings or []),
            seed=read_seed(asked.seed),
            plugins=asked.plugin or (),
            threads=asked.threads,
            on_progress=advance,
            prepare=load_engine,
            **{key: value for key, value in kept.items() if value is not None},
        ),
        unit,
        as_json=asked.as_json,
        save=asked.save,
        report=asked.report,
        figure=asked.figure,
        draw=draw,
    )


def keep_out(folder: Path, files: Sequence[Path]) -> None:
    """Refuse to write anything of one's own into a run folder, which would be damaged then."""
    for file in files:
        if real_path(folder) in real_path(file).parents:
            raise BadInput(f"'{file}' is in the run folder '{folder}': write it elsewhere")


def tell(
    find: "Callable[[OnProgress | None], Any]",
    unit: str,
    *,
    as_json: bool,
    save: list[Path] | None,
    report: list[Path] | None,
    figure: Path | None = None,
    draw: "Callable[[Any], Drawing] | None" = None,
) -> None:
    """Find something out, save it where asked to, and print it.

    Files come first: whoever reads only the head of what is printed wants them too.  `draw` makes
    what goes to the file `figure`.
    """
    from herdlab.analysis.experiment import Interrupted
    from herdlab.analysis.runs import result_files

    for path in save or ():
        result_files.check(path)
    if figure is not None:
        result_files.check(figure, result_files.FIGURES)
    if report:
        from herdlab.analysis.report import writing

        writing.check(report)
    stopped = None
    try:
        with progress(unit) as advance:
            result = find(advance)
    except Interrupted as interrupted:
        telling()
        stopped, result = interrupted, interrupted.so_far
    except KeyboardInterrupt:
        telling()
        result = None
    goes_on = f"; go on with: {stopped.resume}" if stopped and stopped.resume else ""
    if result is None:
        say(f"interrupted before there was anything to tell{goes_on}")
        raise typer.Exit(EXIT_INTERRUPTED)
    written = [*(save or ()), *(report or ())]
    for path in save or ():
        result_files.save(result.frame(), result.as_json(), path)
    if report:
        import herdlab

        herdlab.report(result, *report)
    if figure is not None and draw is not None:
        from herdlab.analysis.figures.drawing import save_drawing

        save_drawing(draw(result), figure)
        written.append(figure)
    try:
        if as_json:
            print_json(result.as_json())
        else:
            from herdlab.analysis.terminal.show_result import show_result

            show_result(result)
    finally:  # also where only the head of it was read
        for path in dict.fromkeys(written):
            say(f"wrote {path}")
    if stopped is not None:
        part = "this is a part of what was asked for"
        if stopped.again:
            part = f"the same command with {stopped.again} prints exactly this"
        say(f"interrupted; {goes_on.removeprefix('; ') or part}")
        raise typer.Exit(EXIT_INTERRUPTED)


def print_json(value: Any) -> None:
    """Print a result as JSON, all in ASCII."""
    echo(json.dumps(value, indent=1, allow_nan=False).replace("\x7f", "\\u007f"))


def echo(lines: str) -> None:
    """Print lines of a result."""
    print(escaped(lines, keep="\n"))  # typer.echo takes an ASCII locale for a mistake


_ENDLESS = re.compile(r"(\S{150})\S{200,}(\S{50})")


def say(sentence: str) -> None:
    """Say something that is no result, in one line on standard error.

    A sentence repeats what was given; the middle of an endless word is left out.
    """
    sentence = _ENDLESS.sub(r"\1…\2", sentence)
    with suppress(OSError):  # standard error is a full disk, or nobody reads it
        print(f"herdlab: {in_one_line(sentence)}", file=sys.stderr, flush=True)
