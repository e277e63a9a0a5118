"""Functions that play, or work something out: one for every command whose result can be kept."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from herdlab.analysis.experiment import (
    FEWEST_DEALS,
    MOST_TO_PLAY,
    Experiment,
    Interrupted,
    check_games,
)
from herdlab.analysis.runs.run_options import (
    Kept,
    Played,
    Told,
    Whole,
    names,
    names_if,
    play,
    takes_options,
    texts,
    whole,
)
from herdlab.simcore.errors import BadInput, Names

if TYPE_CHECKING:  # each function imports what it needs: some bring scipy
    from herdlab.analysis.exact.advise import Advice
    from herdlab.analysis.exact.advise_request import HerdGiven
    from herdlab.analysis.exact.race import RaceResult
    from herdlab.analysis.exact.solve import Solved
    from herdlab.analysis.questions.asking import Answer, Ask
    from herdlab.analysis.runs.runner import Runner
    from herdlab.analysis.studies.compare import Comparison
    from herdlab.analysis.studies.luck import LuckResult
    from herdlab.analysis.studies.readings import Readings
    from herdlab.analysis.studies.simulation import Simulation
    from herdlab.analysis.studies.sweep import Sweep
    from herdlab.analysis.studies.tournament import Tournament
    from herdlab.analysis.studies.trace import Trace
    from herdlab.analysis.studies.tune import TuneResult


@takes_options
def simulate(
    game: str,
    players: Names,
    *,
    games: Whole = 100_000,
    precision: float | None = None,
    max_games: Whole = MOST_TO_PLAY,
    rotate: bool = False,
    rows: bool = False,
    **options: Unpack[Kept],
) -> "Simulation":
    """Play a line-up many times: who wins, how long, what happens.

    With `rows` the folder `out` gets a row of every game, as Parquet.
    """
    from herdlab.analysis.studies import simulation

    def request(where: Experiment) -> simulation.SimulateRequest:
        most = whole(games if precision is None else max_games)
        return simulation.SimulateRequest(where, names(players), most, rotate, precision, rows)

    return play("simulate", game, options, request, simulation.simulate, rows=rows)


@takes_options
def compare(
    game: str,
    a: str,
    b: str,
    *,
    field: Names | None = None,
    metric: str = "win",
    games: Whole = 100_000,
    decide: bool = False,
    margin: float | None = None,
    max_games: Whole = MOST_TO_PLAY,
    **options: Unpack[Kept],
) -> "Comparison":
    """Play two strategies in the same seats against the same field on the same deals.

    `field` are the others at the table, by default copies of `b` at the smallest.  `games` counts
    deals.  With `decide` it plays until the difference is settled, or surely within ± `margin` (by
    default 0.005 for win rates), at most `max_games` deals.
    """
    from herdlab.analysis.studies import compare as comparing

    def request(where: Experiment) -> comparing.CompareRequest:
        others, deals = names_if(field), whole(max_games if decide else games)
        return comparing.CompareRequest(where, a, b, others, metric, deals, decide, margin)

    return play("compare", game, options, request, comparing.compare)


@takes_options
def readings(
    game: str,
    a: str,
    b: str,
    *,
    field: Names | None = None,
    metric: str = "win",
    games: Whole = 100_000,
    decide: bool = False,
    margin: float | None = None,
    max_games: Whole = MOST_TO_PLAY,
    **options: Unpack[Kept],
) -> "Readings":
    """Compare under every reading of the rules, to see whether the verdict stands."""
    from herdlab.analysis.studies.compare import CompareRequest
    from herdlab.analysis.studies.readings import compare_readings

    def request(where: Experiment) -> CompareRequest:
        others, deals = names_if(field), whole(max_games if decide else games)
        return CompareRequest(where, a, b, others, metric, deals, decide, margin)

    return play("readings", game, options, request, compare_readings)


@takes_options
def tournament(
    game: str,
    entrants: Names,
    size: Whole,
    *,
    games: Whole = 10_000,
    max_line_ups: Whole = 1_000,
    **options: Unpack[Kept],
) -> "Tournament":
    """Play everybody against everybody at tables of a size, in every seating.

    `entrants` may have ``all``: every other strategy that can play there, except slow ones.
    """
    from herdlab.analysis.studies import tournament as cup

    def request(where: Experiment) -> cup.TournamentRequest:
        seats, most = whole(size, "size"), whole(max_line_ups, "max_line_ups")
        return cup.TournamentRequest(where, names(entrants), seats, whole(games), most)

    return play("tournament", game, options, request, cup.tournament)


@takes_options
def sweep(
    game: str,
    strategy: str,
    vary: Names,
    *,
    field: Names | None = None,
    metric: str = "win",
    best: str | None = None,
    games: Whole = 20_000,
    **options: Unpack[Kept],
) -> "Sweep":
    """Vary one or two parameters, of the strategy or of the rules, over a grid on common deals."""
    from herdlab.analysis.studies import sweep as swept

    def request(where: Experiment) -> swept.SweepRequest:
        grid, others = texts(vary), names_if(field)
        return swept.SweepRequest(where, strategy, grid, others, metric, whole(games), best)

    return play("sweep", game, options, request, swept.sweep)


@takes_options
def tune(
    game: str,
    strategy: str,
    vary: Names,
    against: Names,
    *,
    size: Whole | None = None,
    games: Whole = 20_000,
    **options: Unpack[Kept],
) -> "TuneResult":
    """Search for good parameters, and measure what was found on fresh deals."""
    from herdlab.analysis.studies.tune import tune as search
    from herdlab.analysis.studies.tune_search import TuneRequest

    def request(where: Experiment) -> TuneRequest:
        table = None if size is None else whole(size, "size")
        return TuneRequest(where, strategy, texts(vary), names(against), table, whole(games))

    return play("tune", game, options, request, search)


@takes_options
def luck(
    game: str,
    players: Names,
    *,
    metric: str = "win",
    games: Whole = 20_000,
    **options: Unpack[Played],
) -> "LuckResult":
    """Say how much of the result is luck, of what kind, and how much who plays what."""
    from herdlab.analysis.studies.luck import LuckRequest, decompose

    def request(where: Experiment) -> LuckRequest:
        return LuckRequest(where, names(players), metric, whole(games))

    return play("luck", game, options, request, decompose)


@takes_options
def solve(
    game: str, *, strategies: Names | None = None, dogs: Names = "sold", **options: Unpack[Played]
) -> "Solved":
    """Work out exactly how many turns a player of Have You Herd? takes alone.

    `strategies` are deterministic ones, ``optimal`` being the best play that there is; `dogs` is
    ``sold``, ``rolled-only`` or ``none``.
    """
    from herdlab.analysis.exact import solve as exactly

    def request(where: Experiment) -> exactly.SolveRequest:
        return exactly.SolveRequest(where, names_if(strategies) or exactly.DEFAULT, names(dogs))

    return play("solve", game, options, request, exactly.solve)


@takes_options
def race(
    game: str,
    players: Names,
    *,
    games: Whole = 20_000,
    precision: float | None = None,
    max_games: Whole = MOST_TO_PLAY,
    **options: Unpack[Played],
) -> "RaceResult":
    """Say how much of the win rates is a mere race, and what skunk, T and supply add to it."""
    from herdlab.analysis.exact import race as racing

    def request(where: Experiment) -> racing.RaceRequest:
        deals = whole(games if precision is None else max_games)
        return racing.RaceRequest(where, names(players), deals, precision)

    return play("race", game, options, request, racing.run_race)


@takes_options
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
    **options: Unpack[Played],
) -> "Advice":
    """Say what to do in a position of Have You Herd?: every legal move with what it is worth.

    Herds are such as ``rabbits=6,sheep=2``, or by name; `others` are those of the other players,
    from the left on, by default like one's own.  `players` play on, one's own strategy first.
    """
    from herdlab.analysis.exact import advise as advising
    from herdlab.analysis.exact.advise_request import AdviseRequest

    def request(where: Experiment) -> AdviseRequest:
        who, turns, often = names_if(players), whole(turn, "turn"), whole(games)
        return AdviseRequest(where, herd, others, who, phase, t, skunk, turns, often)

    return play("advise", game, options, request, advising.advise)


@takes_options
def ask(
    question: str,
    game: str | None = None,
    *,
    quick: bool = False,
    players: Names | None = None,
    max_games: Whole | None = None,
    **options: Unpack[Played],
) -> "Answer":
    """Answer one of the `questions`.

    `game` is needed where a question is about any.  `quick` gives a rough answer.  `players` are
    strategies to ask it for, where a question takes them.  `max_games` limits the deals of each
    comparison, which otherwise goes on until it is settled.
    """
    from herdlab.analysis.questions import asking, find_question

    asked = find_question(question)
    if quick and max_games is not None:
        raise BadInput(
            "quick and max_games do not go together: a quick answer plays a small, fixed number"
        )

    def request(where: Experiment) -> "Ask":
        line_up = None if players is None else where.spelled(names(players))
        wanted = asking.Ask(asked.name, where, quick, line_up)
        if max_games is not None:
            wanted.max_deals = whole(max_games)
            check_games(wanted.max_deals, at_least=FEWEST_DEALS)
        asked.check(wanted)
        return wanted

    def answer(wanted: "Ask", runner: "Runner") -> "Answer":
        quiet = runner.telling(None)  # an answer has parts, and tells of all of them together
        try:
            return asked.answer(replace(wanted, runner=quiet, on_progress=runner.on_progress))
        except Interrupted:  # with a part of an answer, which says nothing by itself
            raise KeyboardInterrupt from None

    return play("ask", asked.about(game).name, options, request, answer)


@takes_options
def trace(game: str, players: Names, *, number: Whole = 0, **options: Unpack[Told]) -> "Trace":
    """Tell game `number` of a run, counted from 0, move by move and clause by clause."""
    from herdlab.analysis.studies import trace as tracing

    def request(where: Experiment) -> tracing.TraceRequest:
        return tracing.TraceRequest(where, names(players), whole(number, "number"))

    return play("trace", game, options, request, lambda asked, _: tracing.trace(asked))
