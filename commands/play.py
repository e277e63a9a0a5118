"""The commands that play a line-up: simulate, trace, verify."""

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from herdlab.commands.shared import (
    EXIT_DIFFERENT,
    Asked,
    ClusterAddress,
    GameName,
    Json,
    MaxGames,
    Out,
    Players,
    Plugin,
    Report,
    RulesFile,
    Save,
    Seed,
    Set,
    Threads,
    answer,
    check_line_up,
    echo,
    game_and_rules,
    how_many,
    keep_out,
    load_engine,
    load_plugins,
    print_json,
    progress,
    read_number,
    read_seed,
    read_whole,
    tell,
    tell_of_plugins,
)
from herdlab.simcore.errors import BadInput
from herdlab.simcore.safe_text import in_one_line


def simulate(
    game: GameName,
    players: Players,
    n_games: Annotated[
        str | None,
        typer.Option(
            "--games", "-n", help="How many (with --rotate: deals), such as 1e6.  [default: 1e5]"
        ),
    ] = None,
    precision: Annotated[
        str | None,
        typer.Option(
            "--precision", help="Play until every win rate is known to ± this, such as 0.001."
        ),
    ] = None,
    max_games: MaxGames = None,
    seed: Seed = "0",
    rotate: Annotated[
        bool, typer.Option("--rotate", help="Play every deal in all rotations of the seats.")
    ] = False,
    rules_file: RulesFile = None,
    settings: Set = None,
    plugin: Plugin = None,
    threads: Threads = None,
    out: Out = None,
    rows: Annotated[
        bool, typer.Option("--rows", help="Keep a row of every game too, as Parquet in DIR/rows.")
    ] = False,
    cluster: ClusterAddress = None,
    as_json: Json = False,
    save: Save = None,
    report: Report = None,
) -> None:
    """Play a line-up many times: who wins, how long, what happens."""
    if rows and out is None:
        raise BadInput("--rows needs --out DIR, where the rows are kept")
    numbers = how_many(n_games, max_games, None if precision is None else "--precision")
    import herdlab

    answer(
        herdlab.simulate,
        "games",
        Asked(seed, rules_file, settings, plugin, threads, as_json, save, report, out, cluster),
        game=game,
        players=players,
        precision=None if precision is None else read_number("--precision", precision),
        rotate=rotate,
        rows=rows,
        **numbers,
    )


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
    game_number, whole_seed = read_whole("--game", number, 0, 2**62), read_seed(seed)
    found, values = game_and_rules(game, rules_file, settings)
    load_plugins(plugin)
    check_line_up(found, values, players)
    load_engine(found)
    from herdlab.analysis.terminal import listings
    from herdlab.analysis.words import stories
    from herdlab.simcore.batch import Bout, stream_seeds
    from herdlab.strategies.registry import seat_players

    seated = seat_players(found, values, players)
    told = stories.tell(Bout(found, values, seated, stream_seeds(whole_seed)), game_number)
    names = [player.name for player in seated]
    if as_json:
        print_json(
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
    title = f"{found.title}, game {game_number} of seed {whole_seed}: {', '.join(names)}"
    listings.story(told, title)


_UNITS = {"simulate": "games", "tournament": "games", "tune": "games"} | dict.fromkeys(
    ("compare", "readings", "sweep"), "deals"
)
"""What the progress of a run that is kept is counted in."""


def resume(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR",
            help="What --out was given.  Plug-ins in it run as programs: resume folders you trust.",
        ),
    ],
    plugin: Annotated[
        list[Path] | None,
        typer.Option(
            "--plugin",
            metavar="FILE.py",
            help="Run your own file of a plug-in, not the copy in DIR; both must be the same.",
        ),
    ] = None,
    threads: Threads = None,
    cluster: ClusterAddress = None,
    as_json: Json = False,
    save: Save = None,
    report: Report = None,
) -> None:
    """Go on with a run that --out keeps, however it ended; of one that is done, tell the result."""
    import herdlab
    from herdlab.analysis.runs.run_folder import RunFolder

    keep_out(folder, [*(save or ()), *(report or ())])
    plugins = plugin or []
    with closing(RunFolder.resume(folder)) as held:
        own = [one for one in held.plugins_from(plugins) if one not in plugins]
        tell_of_plugins(folder, [one.name for one in own])
        tell(
            lambda advance: herdlab.resume(
                held,
                plugins=plugins,
                threads=threads,
                cluster=cluster,
                on_progress=advance,
                prepare=load_engine,
            ),
            _UNITS[held.manifest["command"]],
            as_json=as_json,
            save=save,
            report=report,
        )


def verify(
    result: Annotated[Path, typer.Argument(metavar="RESULT.json", help="What --json printed.")],
    plugin: Plugin = None,
) -> None:
    """Replay a result and say whether it holds."""
    import herdlab
    from herdlab.analysis.experiment import Interrupted
    from herdlab.analysis.runs.run_folder_reading import check_around
    from herdlab.analysis.studies import verify as verifier
    from herdlab.analysis.words.phrases import counted

    check_around(result)
    claimed = verifier.read_result(result)
    verifier.check_plugins(claimed, load_plugins(plugin))
    try:
        with progress("%" if claimed["command"] in ("ask", "solve") else "games") as advance:
            again = herdlab.replay(claimed, on_progress=advance, prepare=load_engine)
    except Interrupted:  # a part of a result tells nothing of the whole
        raise KeyboardInterrupt from None
    found = verifier.differences(claimed, again)
    reworded = [one for one in found if one.is_wording]
    wrong = [one for one in found if not one.is_wording]
    if wrong:
        echo(f"does not hold, figures that differ: {len(wrong)}")
        echo("\n".join(in_one_line(str(one)) for one in wrong))
        raise typer.Exit(EXIT_DIFFERENT)
    games = again.as_json().get("games")
    done = "worked out again" if games is None else f"{counted(games, 'game')} replayed"
    echo(f"holds: {done}, every figure is the same")
    if reworded:
        echo(f"words that this version of herdlab would choose differently: {len(reworded)}")
        echo("\n".join(in_one_line(str(one)) for one in reworded))
