"""The command line of herdlab: parses, calls, prints.

Whatever is slow to import (numba, and all that needs it) is imported inside the commands.
"""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simcore.errors import BadInput

if TYPE_CHECKING:
    from simcore.game import Game
    from simcore.rules import Rules

EXIT_BAD_INPUT, EXIT_DIFFERENT, EXIT_INTERRUPTED = 2, 1, 130
MOST_GAMES = 10**12

app = typer.Typer(
    help="Monte Carlo strategy analysis for trading games.",
    epilog="Try: herdlab simulate herd --players keeper,keeper-dog --games 1e6",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,  # plain help takes half the time of a decorated one
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(is_wanted: bool) -> None:
    if is_wanted:
        from analysis.provenance import version

        typer.echo(f"herdlab {version()}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show it.")
    ] = False,
) -> None:
    pass


GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game, as 'herdlab games' lists.")]
Players = Annotated[
    str,
    typer.Option(
        "--players",
        "-p",
        help="Strategies by seat, with commas; parameters with colons: keeper,herder:keep_sheep=2",
    ),
]
Seed = Annotated[
    str, typer.Option("--seed", "-s", help="A whole number; all luck follows from it.")
]
RulesFile = Annotated[Path | None, typer.Option("--rules", help="A TOML file with settings.")]
Set = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A setting of the rules.")
]
Plugin = Annotated[
    list[Path] | None, typer.Option("--plugin", metavar="FILE.py", help="A file with strategies.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def games(as_json: Json = False) -> None:
    """List the games."""
    from simcore.game import games as all_games

    known = all_games()
    if as_json:
        _print_json(
            [
                {
                    "name": game.name,
                    "title": game.title,
                    "min_players": game.min_players,
                    "max_players": game.max_players,
                    "length_unit": game.length_unit,
                    "events": [event.name for event in game.events],
                }
                for game in known.values()
            ]
        )
        return
    from analysis import show

    show.games(known.values())


@app.command(epilog="Example: herdlab rules herd --set dice=super-farmer")
def rules(
    game: GameName, rules_file: RulesFile = None, settings: Set = None, as_json: Json = False
) -> None:
    """Print the clauses of a game, its readings and settings."""
    found, values = _game_and_rules(game, rules_file, settings)
    if as_json:
        clauses = dict(found.clauses)
        readings = {k: n.alternatives for k, n in values.notes().items() if n.alternatives}
        _print_json(
            {
                "game": found.name,
                "rules": values.as_dict(),
                "rules_hash": values.hash,
                "readings": readings,
                "clauses": clauses,
            }
        )
        return
    from analysis import show

    show.rules(found, values)


@app.command(epilog="Example: herdlab strategies herd herder")
def strategies(
    game: GameName,
    name: Annotated[str | None, typer.Argument(help="Show this one's parameters.")] = None,
    plugin: Plugin = None,
    as_json: Json = False,
) -> None:
    """List the strategies of a game, or the parameters of one."""
    from simcore.errors import unknown
    from simcore.game import find_game
    from strategies.registry import strategies_of

    found = find_game(game)
    _load_plugins(plugin)
    known = strategies_of(found)
    if name is not None and name not in known:
        raise unknown(f"strategy of {game}", name, known)
    if as_json:
        chosen = [one for one in known.values() if name in (None, one.name)]
        _print_json(
            [
                {
                    "name": one.name,
                    "description": one.words,
                    "source": one.source,
                    "parameters": one.written(p.default for p in one.parameters.values()),
                }
                for one in chosen
            ]
        )
        return
    from analysis import show

    show.strategies(found, known, name)


@app.command(epilog="Example: herdlab simulate herd -p keeper,herder:dog=first -n 1e6 --rotate")
def simulate(
    game: GameName,
    players: Players,
    n_games: Annotated[
        str, typer.Option("--games", "-n", help="How many (with --rotate: lucks), such as 1e6.")
    ] = "100_000",
    seed: Seed = "0",
    rotate: Annotated[
        bool, typer.Option("--rotate", help="Play every luck in all rotations of the seats.")
    ] = False,
    rules_file: RulesFile = None,
    settings: Set = None,
    plugin: Plugin = None,
    threads: Annotated[
        int | None, typer.Option("--threads", "-t", min=1, max=1024, help="Default: all cores.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Play a line-up many times: who wins, how long, what happens."""
    number, whole_seed = _read_games(n_games), _read_seed(seed)
    found, values = _game_and_rules(game, rules_file, settings)
    plugins = _load_plugins(plugin)
    _check_line_up(found, values, players)
    _load_engine(found)
    from analysis import simulation

    request = simulation.Request(found, values, players, number, whole_seed, rotate, plugins)
    try:
        with _progress(number, "games") as advance:
            result = simulation.run(request, threads=threads, on_progress=advance)
    except simulation.Interrupted as interrupted:
        if interrupted.so_far is not None:
            _print_simulation(interrupted.so_far, as_json)
            _say(
                f"interrupted after {interrupted.so_far.lucks:,} of {number:,}; the same command "
                f"with --games {interrupted.so_far.lucks} prints exactly this"
            )
        else:
            _say("interrupted before any game was finished")
        raise typer.Exit(EXIT_INTERRUPTED) from None
    _print_simulation(result, as_json)


@app.command(epilog="Example: herdlab trace herd -p keeper,keeper-dog --seed 1 --game 42")
def trace(
    game: GameName,
    players: Players,
    seed: Seed = "0",
    number: Annotated[
        str, typer.Option("--game", "-g", help="Which game of the run, counted from 0.")
    ] = "0",
    rules_file: RulesFile = None,
    settings: Set = None,
    plugin: Plugin = None,
    as_json: Json = False,
) -> None:
    """Tell one game of a run move by move, clause by clause."""
    game_number, whole_seed = _read_whole("--game", number, 0, 2**62), _read_seed(seed)
    found, values = _game_and_rules(game, rules_file, settings)
    _load_plugins(plugin)
    _check_line_up(found, values, players)
    _load_engine(found)
    from analysis import show, stories
    from simcore.batch import Bout, stream_seeds
    from strategies.registry import seat_players

    seated = seat_players(found, values, players)
    told = stories.tell(Bout(found, values, seated, stream_seeds(whole_seed)), game_number)
    names = [player.name for player in seated]
    if as_json:
        _print_json(
            {
                "game": found.name,
                "rules": values.as_dict(),
                "rules_hash": values.hash,
                "seed": whole_seed,
                "number": game_number,
                "players": names,
                "winners": told.winners,
                "length": told.length,
                "happenings": [one.as_json() for one in told.happenings],
            }
        )
        return
    show.story(told, f"{found.title}, game {game_number} of seed {whole_seed}: {', '.join(names)}")


@app.command()
def bench(as_json: Json = False) -> None:
    """Measure the speed."""
    from simcore.game import games as all_games

    for game in all_games().values():
        _load_engine(game)
    from analysis import bench as benchmark
    from analysis import show

    measured = benchmark.run(_say if sys.stderr.isatty() else lambda what: None)
    if as_json:
        _print_json(measured.as_json())
    else:
        show.bench(measured)


@app.command(
    epilog="Example: herdlab simulate herd -p keeper,random --json > r.json; herdlab verify r.json"
)
def verify(
    result: Annotated[Path, typer.Argument(metavar="RESULT.json", help="What --json printed.")],
    plugin: Plugin = None,
) -> None:
    """Replay a result and say whether it holds."""
    from analysis import verify as verifier

    claimed = verifier.read_result(result)
    plugins = _load_plugins(plugin)
    request = verifier.request_of(claimed, plugins)
    _load_engine(request.game)
    with _progress(request.games, "games") as advance:
        lines = verifier.differences(claimed, request, advance)
    if lines:
        typer.echo(f"does not hold, figures that differ: {len(lines)}\n" + "\n".join(lines))
        raise typer.Exit(EXIT_DIFFERENT)
    typer.echo(f"holds: {request.games:,} lucks replayed, every figure is the same")


@app.command()
def cache(
    action: Annotated[str | None, typer.Argument(metavar="[clear]")] = None,
) -> None:
    """Show where compiled code is kept, or 'clear' it."""
    import shutil

    from simcore import _jit
    from simcore.errors import unknown

    if action not in (None, "clear"):
        raise unknown("action of cache", str(action), ("clear",))
    home = _jit.cache_home()
    files = [path for path in home.rglob("*") if path.is_file()] if home.is_dir() else []
    size = sum(path.stat().st_size for path in files) / 1e6
    if action == "clear":
        shutil.rmtree(home, ignore_errors=True)
        typer.echo(f"cleared {home}: {len(files)} files, {size:.1f} MB")
        return
    typer.echo(f"{home}: {len(files)} files, {size:.1f} MB")
    typer.echo(f"in use: {_jit.CACHE.name}")


# --- what the commands share ---------------------------------------------------------------------


def _game_and_rules(
    name: str, file: Path | None, settings: list[str] | None
) -> "tuple[Game, Rules]":
    from simcore.game import find_game
    from simcore.rules import load_settings

    game = find_game(name)
    return game, game.rules_type.from_settings(load_settings(file, settings or []))


def _load_plugins(files: list[Path] | None) -> tuple[dict[str, str], ...]:
    if not files:
        return ()
    from strategies.registry import load_plugin

    return tuple({"file": file.name, "sha256": load_plugin(file)} for file in files)


def _check_line_up(game: "Game", values: "Rules", players: str) -> None:
    """Refuse a wrong line-up before the engine is loaded, perhaps compiled."""
    from strategies.registry import check_line_up

    check_line_up(game, values, players)


def _load_engine(game: "Game") -> None:
    """Load a game's engine; say so if it must be compiled first."""
    from simcore import _jit

    if _jit.is_compiled(game.engine_module):
        return
    _say(f"compiling the engine of {game.title}: once, ten to twenty seconds")
    assert game.engine
    _jit.prune()


def _read_whole(what: str, text: str, low: int, high: int) -> int:
    """Return a whole number written as 1000000, 1_000_000 or 1e6."""
    try:
        value = Decimal(text.replace("_", ""))
    except InvalidOperation:
        value = Decimal("nan")
    if value.is_nan() or not low <= value <= high or value != int(value):
        raise BadInput(f"{what} must be a whole number from {low} to {high}, and got '{text}'")
    return int(value)


def _read_games(text: str) -> int:
    return _read_whole("--games", text, 1, MOST_GAMES)


def _read_seed(text: str) -> int:
    return _read_whole("--seed", text, 0, 2**64 - 1)


@contextmanager
def _progress(total: int, unit: str) -> Iterator[Callable[[int], None] | None]:
    """Show a bar on a terminal, on standard error, for what takes longer than a second."""
    if not sys.stderr.isatty():
        yield None
        return
    from analysis.progress import bar

    with bar(total, unit) as advance:
        yield advance


def _print_simulation(result: Any, as_json: bool) -> None:
    if as_json:
        _print_json(result.as_json())
        return
    from analysis import show

    show.simulation(result)


def _print_json(value: Any) -> None:
    typer.echo(json.dumps(value, indent=1))


def _say(sentence: str) -> None:
    print(f"herdlab: {sentence}", file=sys.stderr)


def main() -> None:
    """Run the command line; a user's mistake is one sentence and exit code 2."""
    try:
        app()
    except BadInput as mistake:
        _say(str(mistake))
        sys.exit(EXIT_BAD_INPUT)
    except KeyboardInterrupt:
        _say("interrupted")
        sys.exit(EXIT_INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        _say(f"the output cannot be written: {error.strerror}")
        sys.exit(EXIT_BAD_INPUT)


if __name__ == "__main__":
    main()
