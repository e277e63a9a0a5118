"""The commands that find something out: compare, tournament, sweep, tune, luck."""

from collections.abc import Callable
from typing import Annotated, Any

import typer

from herdlab.commands import completion
from herdlab.commands.options import (
    Deals,
    FewerDeals,
    Field,
    GameName,
    MaxGames,
    Metric,
    Players,
    flag,
    named,
    names,
    number,
    whole,
)
from herdlab.commands.shared import answers

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


@answers
def compare(
    game: GameName,
    a: Annotated[str, named("A strategy.", "A")],
    b: Annotated[str, named("Another.", "B")],
    field: Field = None,
    metric: Metric = "win",
    games: Deals = None,
    decide: Annotated[
        bool, flag("--decide", "Play until it is settled which is higher, or that neither.")
    ] = False,
    margin: Annotated[
        float | None,
        number(
            "--margin",
            help="What lies surely within ± this is no difference that matters, unless its sign is "
            "settled first.  [default: 0.005 for win, half a percentage point]",
        ),
    ] = None,
    max_games: MaxGames = None,
    readings: Annotated[
        bool, flag("--readings", "Repeat it under every reading of unclear clauses.")
    ] = False,
) -> Callable[..., Any] | None:
    """Play A and B in the same seats, against the same field, on the same deals."""
    import herdlab

    return herdlab.readings if readings else None


@answers
def tournament(
    game: GameName,
    entrants: Annotated[
        str,
        names("--entrants", "-e", help="Strategies, with commas, or all (slow ones only by name)."),
    ],
    size: Annotated[int, whole("--size", help="How many sit at a table.", high=_MOST_AT_A_TABLE)],
    games: Annotated[
        int | None,
        whole("--games", "-n", help="For each line-up, in all its seatings.  [default: 1e4]"),
    ] = None,
    max_line_ups: Annotated[
        int | None,
        whole(
            "--max-line-ups",
            help="Of more than these a sample.  [default: 1000]",
            high=_MOST_LINE_UPS,
        ),
    ] = None,
) -> None:
    """Play everybody against everybody: standings, pairs, ratings, and the mix to play."""


@answers
def sweep(
    game: GameName,
    strategy: Annotated[str, named("Whose parameters, or who plays.")],
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
    games: FewerDeals = None,
) -> None:
    """Vary one or two parameters over a grid on common deals: curve or heat map."""


@answers
def tune(
    game: GameName,
    strategy: Annotated[str, named("Whose parameters.")],
    vary: Vary,
    against: Annotated[str, names("--against", "-a", help="Who sits at the tables, with commas.")],
    size: Annotated[
        int | None,
        whole(
            "--size",
            help="How many sit at a table.  [default: the fewest that can]",
            high=_MOST_AT_A_TABLE,
        ),
    ] = None,
    games: FewerDeals = None,
) -> None:
    """Search for good parameters, then measure what was found on fresh deals."""


@answers
def luck(
    game: GameName, players: Players, metric: Metric = "win", games: FewerDeals = None
) -> None:
    """Say how much is luck, of what kind, and how much is who plays and where he sits."""
