"""The commands that show what there is: games, rules, strategies."""

from typing import Annotated

import typer

from herdlab.commands import completion
from herdlab.commands.options import GameName
from herdlab.commands.shared import answers


@answers
def games() -> None:
    """List the games."""


@answers
def rules(game: GameName) -> None:
    """Print the clauses of a game, its readings and settings."""


@answers
def strategies(
    game: GameName,
    name: Annotated[
        str | None,
        typer.Argument(
            help="Show this one's parameters.", autocompletion=completion.strategy_names
        ),
    ] = None,
) -> None:
    """List the strategies of a game, or the parameters of one."""
