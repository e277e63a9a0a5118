"""The commands about the exact solution of Have You Herd?: solve, race."""

from typing import Annotated, Any

import typer

from herdlab.commands import completion
from herdlab.commands.shared import (
    Asked,
    GameName,
    Games,
    Json,
    MaxGames,
    Players,
    Plugin,
    Report,
    RulesFile,
    Save,
    Seed,
    Set,
    Threads,
    answer,
    how_many,
    read_number,
)


def solve(
    game: GameName,
    strategy: Annotated[
        list[str] | None,
        typer.Option(
            "--strategy",
            help="Whose turns; repeatable, or with commas.  [default: climber, keeper, keeper-dog, "
            "dog-first, optimal, which is the best play]",
            autocompletion=completion.strategies,
        ),
    ] = None,
    dogs: Annotated[
        list[str] | None,
        typer.Option(
            "--dogs",
            help="sold, as the rules have them; rolled-only, given by the die but not sold; none, "
            "no dog tiles.  Repeatable.  [default: sold]",
            autocompletion=completion.DOGS,
        ),
    ] = None,
    rules_file: RulesFile = None,
    settings: Set = None,
    plugin: Plugin = None,
    threads: Threads = None,
    as_json: Json = False,
    save: Save = None,
    report: Report = None,
) -> None:
    """Work out the solo game exactly: mean, spread and distribution of turns, and the best play."""
    import herdlab
    from herdlab.analysis.runs.progress import PER_CENT

    given: dict[str, Any] = {"strategies": strategy, "dogs": dogs}
    answer(
        herdlab.solve,
        PER_CENT,
        Asked("0", rules_file, settings, plugin, threads, as_json, save, report),
        game=game,
        **{key: value for key, value in given.items() if value},
    )


def race(
    game: GameName,
    players: Players,
    n_games: Games = None,
    precision: Annotated[
        str | None,
        typer.Option("--precision", help="Play until every figure is known to ± this, as 0.002."),
    ] = None,
    max_games: MaxGames = None,
    seed: Seed = "0",
    rules_file: RulesFile = None,
    settings: Set = None,
    plugin: Plugin = None,
    threads: Threads = None,
    as_json: Json = False,
    save: Save = None,
    report: Report = None,
) -> None:
    """Say how much of the win rates is a mere race, and what skunk, T and supply add to it."""
    import herdlab

    answer(
        herdlab.race,
        "deals",
        Asked(seed, rules_file, settings, plugin, threads, as_json, save, report),
        game=game,
        players=players,
        precision=None if precision is None else read_number("--precision", precision),
        **how_many(n_games, max_games, None if precision is None else "--precision"),
    )
