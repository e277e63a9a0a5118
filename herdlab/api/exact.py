"""Functions about Have You Herd? worked out exactly, advice, and questions."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from herdlab.analysis.experiment import (
    FEWEST_DEALS,
    MOST_TO_PLAY,
    Experiment,
    Interrupted,
    check_games,
)
from herdlab.analysis.runs.run_options import (
    Files,
    Plan,
    Prepare,
    Rules,
    Whole,
    names,
    names_if,
    plays,
    whole,
)
from herdlab.simcore.errors import BadInput, Names

if TYPE_CHECKING:
    from herdlab.analysis.exact.advise import Advice
    from herdlab.analysis.exact.advise_request import HerdGiven
    from herdlab.analysis.exact.race import RaceResult
    from herdlab.analysis.exact.solve import Solved
    from herdlab.analysis.questions.asking import Answer
    from herdlab.analysis.runs.progress import OnProgress
    from herdlab.analysis.runs.runner import Runner


@plays
def solve(
    game: str,
    *,
    strategies: Names | None = None,
    dogs: Names = "sold",
    rules: Rules = None,
    seed: Whole = 0,
    plugins: Files = (),
    threads: int | None = None,
    time_limit: float | None = 60,
    on_progress: "OnProgress | None" = None,
    prepare: Prepare = None,
) -> "Plan[Solved]":
    """Work out exactly how many turns a player of Have You Herd? takes alone.

    `strategies` are deterministic ones, ``optimal`` being the best play that there is; `dogs` is
    ``sold``, ``rolled-only`` or ``none``.
    """
    from herdlab.analysis.exact import solve as exactly

    chosen = exactly.DEFAULT if strategies is None else names(strategies)
    having = names(dogs)
    return Plan(lambda where: exactly.SolveRequest(where, chosen, having), exactly.solve)


@plays
def race(
    game: str,
    players: Names,
    *,
    games: Whole = 20_000,
    precision: float | None = None,
    max_games: Whole = MOST_TO_PLAY,
    rules: Rules = None,
    seed: Whole = 0,
    plugins: Files = (),
    threads: int | None = None,
    time_limit: float | None = 60,
    on_progress: "OnProgress | None" = None,
    prepare: Prepare = None,
) -> "Plan[RaceResult]":
    """Say how much of the win rates is a mere race, and what skunk, T and supply add to it."""
    from herdlab.analysis.exact import race as racing

    deals = whole(games if precision is None else max_games)
    return Plan(
        lambda where: racing.RaceRequest(where, names(players), deals, precision), racing.run_race
    )


@plays
def advise(
    game: str,
    herd: "HerdGiven",
    *,
    others: "Sequence[HerdGiven]" = (),
    players: Names | None = None,
    phase: str = "before",
    t: bool = False,
    skunk: str | int | None = None,
    turn: Whole = 0,
    games: Whole = 20_000,
    rules: Rules = None,
    seed: Whole = 0,
    plugins: Files = (),
    threads: int | None = None,
    time_limit: float | None = 60,
    on_progress: "OnProgress | None" = None,
    prepare: Prepare = None,
) -> "Plan[Advice]":
    """Say what to do in a position of Have You Herd?: every legal move with what it is worth.

    Herds are such as ``rabbits=6,sheep=2``, or by name; `others` are those of the other players,
    from the left on, by default like one's own.  `players` play on, one's own strategy first.
    """
    from herdlab.analysis.exact.advise import advise as play
    from herdlab.analysis.exact.advise_request import AdviseRequest

    def request(where: Experiment) -> AdviseRequest:
        return AdviseRequest(
            where,
            herd,
            others,
            names_if(players),
            phase=phase,
            t=t,
            skunk=skunk,
            turn=whole(turn, "turn"),
            games=whole(games),
        )

    return Plan(request, play)


@plays
def ask(
    question: str,
    game: str | None = None,
    *,
    quick: bool = False,
    players: Names | None = None,
    max_games: Whole | None = None,
    rules: Rules = None,
    seed: Whole = 0,
    plugins: Files = (),
    threads: int | None = None,
    time_limit: float | None = 60,
    on_progress: "OnProgress | None" = None,
    prepare: Prepare = None,
) -> "Plan[Answer]":
    """Answer one of the `questions`.

    `game` is needed where a question is about any.  `quick` gives a rough answer.  `players` are
    strategies to ask it for, where a question takes them.  `max_games` limits the deals of each
    comparison, which otherwise goes on until it is settled.
    """
    from herdlab.analysis.questions import find_question
    from herdlab.analysis.questions.asking import Ask

    asked = find_question(question)
    if quick and max_games is not None:
        raise BadInput(
            "quick and max_games do not go together: a quick answer plays a small, fixed number"
        )

    def request(where: Experiment) -> Ask:
        line_up = None if players is None else where.spelled(names(players))
        wanted = Ask(asked.name, where, quick, line_up)
        if max_games is not None:
            wanted.max_deals = whole(max_games)
            check_games(wanted.max_deals, at_least=FEWEST_DEALS)
        asked.check(wanted)
        return wanted

    def play(wanted: Ask, runner: "Runner") -> "Answer":
        quiet = runner.telling(None)  # an answer has parts, and tells of all of them together
        try:
            return asked.answer(replace(wanted, runner=quiet, on_progress=runner.on_progress))
        except Interrupted:  # with a part of an answer, which says nothing by itself
            raise KeyboardInterrupt from None

    return Plan(request, play, asked.about(game).name)
