"""The command that says what to do in a position: advise."""

from typing import Annotated

import typer

from herdlab.commands import completion
from herdlab.commands.shared import (
    Asked,
    GameName,
    Json,
    Plugin,
    Report,
    RulesFile,
    Save,
    Seed,
    Set,
    Threads,
    answer,
    how_many,
    read_whole,
)

_MOST_TURNS = 1_000_000


def advise(
    game: GameName,
    herd: Annotated[
        str,
        typer.Option(
            "--herd",
            metavar="ANIMAL=COUNT,…",
            help="Your own: rabbits=6,sheep=2,dogs=1.",
            autocompletion=completion.herds,
        ),
    ],
    other: Annotated[
        list[str] | None,
        typer.Option(
            "--other",
            "-o",
            metavar="ANIMAL=COUNT,…",
            help="Another player's; once for each, from your left on.  [default: as yours]",
            autocompletion=completion.herds,
        ),
    ] = None,
    players: Annotated[
        str | None,
        typer.Option(
            "--players",
            "-p",
            help="Strategies that play on, with commas, yours first.  [default: keeper for all]",
            autocompletion=completion.strategies,
        ),
    ] = None,
    phase: Annotated[
        str,
        typer.Option(
            "--phase",
            metavar="before|after|skunk",
            help="What to decide: the trade before or after the roll; whom to give the skunk.",
            autocompletion=completion.PHASES,
        ),
    ] = "before",
    t: Annotated[
        bool,
        typer.Option("--t", help="A T was rolled: trade after the roll with another player only."),
    ] = False,
    skunk: Annotated[
        str | None,
        typer.Option("--skunk", metavar="1|2|3", help="Who holds it, counted to your left."),
    ] = None,
    turn: Annotated[
        str,
        typer.Option("--turn", help="Turns finished so far, for strategies that look at it."),
    ] = "0",
    n_games: Annotated[
        str | None,
        typer.Option("--games", "-n", help="For each move, such as 1e6.  [default: 2e4]"),
    ] = None,
    seed: Seed = "0",
    rules_file: RulesFile = None,
    settings: Set = None,
    plugin: Plugin = None,
    threads: Threads = None,
    as_json: Json = False,
    save: Save = None,
    report: Report = None,
) -> None:
    """Say what to do in a position of herd: every legal move with what it is worth."""
    import herdlab

    answer(
        herdlab.advise,
        "games a move",
        Asked(seed, rules_file, settings, plugin, threads, as_json, save, report),
        game=game,
        herd=herd,
        others=other or (),
        players=players,
        phase=phase,
        t=t,
        skunk=skunk,
        turn=read_whole("--turn", turn, 0, _MOST_TURNS),
        **how_many(n_games, None, None),
    )
