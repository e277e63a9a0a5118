"""The command that answers what people ask."""

from collections.abc import Callable
from typing import Annotated, Any

import typer

from herdlab.commands import completion
from herdlab.commands.options import flag, names, whole
from herdlab.commands.shared import answers
from herdlab.simcore.errors import BadInput


@answers
def ask(
    question: Annotated[
        str | None,
        typer.Argument(
            metavar="[QUESTION]",
            help="Without one, all questions are listed.",
            autocompletion=completion.questions,
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help="Where a question is about more than one game.",
            autocompletion=completion.asked_games,
        ),
    ] = None,
    quick: Annotated[bool, flag("--quick", "A rough answer from few games, in seconds.")] = False,
    players: Annotated[
        str | None,
        names(
            "--players", "-p", help="Strategies to ask it for, with commas, where it takes them."
        ),
    ] = None,
    max_games: Annotated[
        int | None,
        whole(
            "--max-games",
            help="Leave a comparison open that so many deals do not settle.  [default: 2e5]",
        ),
    ] = None,
) -> Callable[..., Any] | None:
    """Answer a question: the verdict in a sentence, then the figures behind it."""
    import herdlab

    if question is None:
        return herdlab.questions
    if quick and max_games is not None:
        raise BadInput(
            "--quick and --max-games do not go together: a quick answer plays a small, fixed number"
        )
    return None
