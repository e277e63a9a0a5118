"""The commands that find something out: compare, tournament, sweep, tune, luck."""

from typing import TYPE_CHECKING, Annotated

import typer

from herdlab.commands import completion
from herdlab.commands.shared import (
    Asked,
    ClusterAddress,
    Field,
    Figure,
    GameName,
    Games,
    Json,
    MaxGames,
    Metric,
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
    how_many,
    read_number,
    read_whole,
)

if TYPE_CHECKING:
    from herdlab.analysis.figures.drawing import Drawing
    from herdlab.analysis.studies.sweep import Sweep

_MOST_AT_A_TABLE = 99
_MOST_LINE_UPS = 100_000

Vary = Annotated[
    list[str],
    typer.Option(
        "--vary",
        "-v",
        metavar="NAME=FROM:TO:STEP",
        help="A parameter of the strategy, or rules.NAME; or NAME=value,value,…",
        autocompletion=completion.varied,
    ),
]


def compare(
    game: GameName,
    a: Annotated[
        str,
        typer.Argument(metavar="A", help="A strategy.", autocompletion=completion.strategy),
    ],
    b: Annotated[
        str, typer.Argument(metavar="B", help="Another.", autocompletion=completion.strategy)
    ],
    field: Field = None,
    metric: Metric = "win",
    n_games: Annotated[
        str | None,
        typer.Option(
            "--games",
            "-n",
            help="How many deals (all dice and cards of a game), such as 1e6.  [default: 1e5]",
        ),
    ] = None,
    decide: Annotated[
        bool,
        typer.Option("--decide", help="Play until it is settled which is higher, or that neither."),
    ] = False,
    margin: Annotated[
        str | None,
        typer.Option(
            "--margin",
            help="What lies surely within ± this is no difference that matters, unless its sign is "
            "settled first.  [default: 0.005 for win, half a percentage point]",
        ),
    ] = None,
    max_games: MaxGames = None,
    readings: Annotated[
        bool, typer.Option("--readings", help="Repeat it under every reading of unclear clauses.")
    ] = False,
    seed: Seed = "0",
    rules_file: RulesFile = None,
    settings: Set = None,
    plugin: Plugin = None,
    threads: Threads = None,
    out: Out = None,
    cluster: ClusterAddress = None,
    as_json: Json = False,
    save: Save = None,
    report: Report = None,
) -> None:
    """Play A and B in the same seats, against the same field, on the same deals."""
    numbers = how_many(n_games, max_games, "--decide" if decide else None)
    import herdlab

    answer(
        herdlab.readings if readings else herdlab.compare,
        "deals",
        Asked(seed, rules_file, settings, plugin, threads, as_json, save, report, out, cluster),
        game=game,
        a=a,
        b=b,
        field=field,
        metric=metric,
        decide=decide,
        margin=None if margin is None else read_number("--margin", margin),
        **numbers,
    )


def tournament(
    game: GameName,
    entrants: Annotated[
        str,
        typer.Option(
            "--entrants",
            "-e",
            help="Strategies, with commas, or all (slow ones only by name).",
            autocompletion=completion.strategies,
        ),
    ],
    size: Annotated[str, typer.Option("--size", help="How many sit at a table.")],
    n_games: Annotated[
        str | None,
        typer.Option(
            "--games", "-n", help="For each line-up, in all its seatings.  [default: 1e4]"
        ),
    ] = None,
    max_line_ups: Annotated[
        str | None,
        typer.Option("--max-line-ups", help="Of more than these a sample.  [default: 1000]"),
    ] = None,
    seed: Seed = "0",
    rules_file: RulesFile = None,
    settings: Set = None,
    plugin: Plugin = None,
    threads: Threads = None,
    out: Out = None,
    cluster: ClusterAddress = None,
    as_json: Json = False,
    save: Save = None,
    report: Report = None,
) -> None:
    """Play everybody against everybody: standings, pairs, ratings, and the mix to play."""
    numbers = how_many(n_games, None, None)
    if max_line_ups is not None:
        numbers["max_line_ups"] = read_whole("--max-line-ups", max_line_ups, 1, _MOST_LINE_UPS)
    import herdlab

    answer(
        herdlab.tournament,
        "games",
        Asked(seed, rules_file, settings, plugin, threads, as_json, save, report, out, cluster),
        game=game,
        entrants=entrants,
        size=read_whole("--size", size, 1, _MOST_AT_A_TABLE),
        **numbers,
    )


def sweep(
    game: GameName,
    strategy: Annotated[
        str,
        typer.Argument(help="Whose parameters, or who plays.", autocompletion=completion.strategy),
    ],
    vary: Vary,
    field: Field = None,
    metric: Metric = "win",
    best: Annotated[
        str | None,
        typer.Option(
            "--best",
            help="high or low: what is good.  [default: by metric]",
            autocompletion=completion.BEST,
        ),
    ] = None,
    n_games: Games = None,
    seed: Seed = "0",
    rules_file: RulesFile = None,
    settings: Set = None,
    plugin: Plugin = None,
    threads: Threads = None,
    out: Out = None,
    cluster: ClusterAddress = None,
    as_json: Json = False,
    save: Save = None,
    report: Report = None,
    figure: Figure = None,
) -> None:
    """Vary one or two parameters over a grid on common deals: curve or heat map."""
    import herdlab

    def draw(found: "Sweep") -> "Drawing":
        from herdlab.analysis.figures.sweeps import sweep_drawing

        return sweep_drawing(found.as_json())

    answer(
        herdlab.sweep,
        "deals",
        Asked(
            *(seed, rules_file, settings, plugin, threads, as_json, save, report, out, cluster),
            figure,
        ),
        game=game,
        strategy=strategy,
        vary=vary,
        field=field,
        metric=metric,
        best=best,
        draw=draw,
        **how_many(n_games, None, None),
    )


def tune(
    game: GameName,
    strategy: Annotated[
        str, typer.Argument(help="Whose parameters.", autocompletion=completion.strategy)
    ],
    vary: Vary,
    against: Annotated[
        str,
        typer.Option(
            "--against",
            "-a",
            help="Who sits at the tables, with commas.",
            autocompletion=completion.strategies,
        ),
    ],
    size: Annotated[
        str | None,
        typer.Option("--size", help="How many sit at a table.  [default: the fewest that can]"),
    ] = None,
    n_games: Games = None,
    seed: Seed = "0",
    rules_file: RulesFile = None,
    settings: Set = None,
    plugin: Plugin = None,
    threads: Threads = None,
    out: Out = None,
    cluster: ClusterAddress = None,
    as_json: Json = False,
    save: Save = None,
    report: Report = None,
) -> None:
    """Search for good parameters, then measure what was found on fresh deals."""
    import herdlab

    answer(
        herdlab.tune,
        "games",
        Asked(seed, rules_file, settings, plugin, threads, as_json, save, report, out, cluster),
        game=game,
        strategy=strategy,
        vary=vary,
        against=against,
        size=None if size is None else read_whole("--size", size, 1, _MOST_AT_A_TABLE),
        **how_many(n_games, None, None),
    )


def luck(
    game: GameName,
    players: Players,
    metric: Metric = "win",
    n_games: Games = None,
    seed: Seed = "0",
    rules_file: RulesFile = None,
    settings: Set = None,
    plugin: Plugin = None,
    threads: Threads = None,
    as_json: Json = False,
    save: Save = None,
    report: Report = None,
) -> None:
    """Say how much is luck, of what kind, and how much is who plays and where he sits."""
    import herdlab

    answer(
        herdlab.luck,
        "deals",
        Asked(seed, rules_file, settings, plugin, threads, as_json, save, report),
        game=game,
        players=players,
        metric=metric,
        **how_many(n_games, None, None),
    )
