"""The command that answers what people ask."""

from typing import TYPE_CHECKING, Annotated

import typer

from herdlab.commands import completion
from herdlab.commands.shared import (
    Asked,
    Figure,
    Json,
    Plugin,
    Report,
    RulesFile,
    Save,
    Seed,
    Set,
    Threads,
    answer,
    print_json,
    read_games,
    say,
)
from herdlab.commands.stopping import EXIT_INTERRUPTED
from herdlab.simcore.errors import BadInput

if TYPE_CHECKING:
    from herdlab.analysis.figures.drawing import Drawing
    from herdlab.analysis.questions.asking import Answer


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
    quick: Annotated[
        bool, typer.Option("--quick", help="A rough answer from few games, in seconds.")
    ] = False,
    players: Annotated[
        str | None,
        typer.Option(
            "--players",
            "-p",
            help="Strategies to ask it for, with commas, where it takes them.",
            autocompletion=completion.strategies,
        ),
    ] = None,
    max_games: Annotated[
        str | None,
        typer.Option(
            "--max-games",
            help="Leave a comparison open that so many deals do not settle.  [default: 2e5]",
        ),
    ] = None,
    seed: Seed = "0",
    rules_file: RulesFile = None,
    settings: Set = None,
    plugin: Plugin = None,
    threads: Threads = None,
    as_json: Json = False,
    save: Save = None,
    report: Report = None,
    figure: Figure = None,
) -> None:
    """Answer a question: the verdict in a sentence, then the figures behind it."""
    if question is None:
        _list_questions(as_json)
        return
    if quick and max_games is not None:
        raise BadInput(
            "--quick and --max-games do not go together: a quick answer plays a small, fixed number"
        )
    most = None if max_games is None else read_games(max_games, "--max-games")
    import herdlab
    from herdlab.analysis.runs.progress import PER_CENT

    def draw(found: "Answer") -> "Drawing":
        from herdlab.analysis.questions import find_question

        return find_question(found.ask.question).drawings(found)[0]

    try:
        answer(
            herdlab.ask,
            PER_CENT,
            Asked(
                *(seed, rules_file, settings, plugin, threads, as_json, save, report),
                figure=figure,
            ),
            question=question,
            game=game,
            quick=quick,
            players=players,
            max_games=most,
            draw=draw,
        )
    except typer.Exit as end:
        if end.exit_code == EXIT_INTERRUPTED and not quick:
            say("--quick gives a rough answer within seconds")
        raise


def _list_questions(as_json: bool) -> None:
    """Print what can be asked."""
    if as_json:
        from herdlab.analysis.questions import QUESTIONS

        names = ("name", "words", "games")
        print_json([{key: getattr(one, key) for key in names} for one in QUESTIONS.values()])
        return
    from herdlab.analysis.terminal import listings

    listings.questions()
