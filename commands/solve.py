"""The commands about Have You Herd? worked out exactly: solve, race, advise."""

from typing import Annotated

import typer

from herdlab.commands import completion
from herdlab.commands.options import (
    FewerDeals,
    GameName,
    MaxGames,
    Players,
    flag,
    names,
    number,
    whole,
)
from herdlab.commands.shared import answers


@answers
def solve(
    game: GameName,
    strategies: Annotated[
        list[str] | None,
        names(
            "--strategy",
            "--strategies",
            help="Whose turns; repeatable, or with commas.  [default: climber, keeper, keeper-dog, "
            "dog-first, optimal, which is the best play]",
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
) -> None:
    """Work out the solo game exactly: mean, spread and distribution of turns, and the best play."""


@answers
def race(
    game: GameName,
    players: Players,
    games: FewerDeals = None,
    precision: Annotated[
        float | None,
        number("--precision", help="Play until every figure is known to ± this, as 0.002."),
    ] = None,
    max_games: MaxGames = None,
) -> None:
    """Say how much of the win rates is a mere race, and what skunk, T and supply add to it."""


@answers
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
    others: Annotated[
        list[str] | None,
        typer.Option(
            "--other",
            "--others",
            "-o",
            metavar="ANIMAL=COUNT,…",
            help="Another player's; once for each, from your left on.  [default: as yours]",
            autocompletion=completion.herds,
        ),
    ] = None,
    players: Annotated[
        str | None,
        names(
            "--players",
            "-p",
            help="Strategies that play on, with commas, yours first.  [default: keeper for all]",
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
        bool, flag("--t", "A T was rolled: trade after the roll with another player only.")
    ] = False,
    skunk: Annotated[
        str | None,
        typer.Option("--skunk", metavar="1|2|3", help="Who holds it, counted to your left."),
    ] = None,
    turn: Annotated[
        int,
        whole(
            "--turn",
            help="Turns finished so far, for strategies that look at it.",
            low=0,
            high=1_000_000,
        ),
    ] = 0,
    games: Annotated[
        int | None, whole("--games", "-n", help="For each move, such as 1e6.  [default: 2e4]")
    ] = None,
) -> None:
    """Say what to do in a position of herd: every legal move with what it is worth."""
