"""The commands that play a line-up: simulate, trace."""

from typing import Annotated

from herdlab.commands.options import GameName, MaxGames, Players, Shared, flag, number, whole
from herdlab.commands.shared import answers
from herdlab.simcore.errors import BadInput


@answers
def simulate(
    game: GameName,
    players: Players,
    games: Annotated[
        int | None,
        whole(
            "--games", "-n", help="How many (with --rotate: deals), such as 1e6.  [default: 1e5]"
        ),
    ] = None,
    precision: Annotated[
        float | None,
        number("--precision", help="Play until every win rate is known to ± this, such as 0.001."),
    ] = None,
    max_games: MaxGames = None,
    rotate: Annotated[
        bool, flag("--rotate", "Play every deal in all rotations of the seats.")
    ] = False,
    rows: Annotated[
        bool, flag("--rows", "Keep a row of every game too, as Parquet in DIR/rows.")
    ] = False,
    *,
    shared: Shared,
) -> None:
    """Play a line-up many times: who wins, how long, what happens."""
    if rows and shared.out is None:
        raise BadInput("--rows needs --out DIR, where the rows are kept")


@answers
def trace(
    game: GameName,
    players: Players,
    number: Annotated[
        int,
        whole(
            "--game",
            "--number",
            "-g",
            help="Which game of the run, counted from 0.",
            low=0,
            high=2**62,
        ),
    ] = 0,
) -> None:
    """Tell one game of a run move by move, clause by clause."""
