"""The public functions of herdlab: every command that finds something out.

Names and defaults are those of the command line.  Each function returns a frozen dataclass with
figures and their intervals, `frame()`, a tidy DataFrame, and `as_json()`, which is what
``--json`` prints, what `replay` plays again and what `report` makes a page or a PDF of.  `rules`
are settings as for ``--set``.  Those that may play for days take `out`, a folder that `resume` goes
on from, and `cluster`, the address of a Dask scheduler.  `time_limit` is how many seconds a
strategy may compute for one answer (60; None for no limit).  `on_progress(done, total)` hears how
it goes, `prepare(game)` that a request was found good, before the game's engine is loaded, perhaps
compiled.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, Unpack, cast, overload

from herdlab.analysis.experiment import FEWEST_DEALS, MOST_TO_PLAY, Interrupted, check_games
from herdlab.analysis.runs.run_options import (
    LongRunOptions,
    RunOptions,
    check_keys,
    experiment_of,
    play_long,
    thread_runner,
)
from herdlab.simcore.errors import BadInput, split_names, unknown

if TYPE_CHECKING:  # each function imports what it needs: some bring scipy
    import pandas as pd

    from herdlab.analysis.exact.advise import Advice
    from herdlab.analysis.exact.advise_request import HerdGiven
    from herdlab.analysis.exact.race import RaceResult
    from herdlab.analysis.exact.solve import Solved
    from herdlab.analysis.questions.asking import Answer
    from herdlab.analysis.runs.run_folder import RunFolder
    from herdlab.analysis.studies.compare import Comparison
    from herdlab.analysis.studies.luck import LuckResult
    from herdlab.analysis.studies.readings import Readings
    from herdlab.analysis.studies.simulation import Simulation
    from herdlab.analysis.studies.sweep import Sweep
    from herdlab.analysis.studies.tournament import Tournament
    from herdlab.analysis.studies.tune import TuneResult

__all__ = [
    "BadInput",
    "advise",
    "ask",
    "compare",
    "luck",
    "race",
    "readings",
    "replay",
    "report",
    "resume",
    "rows",
    "simulate",
    "solve",
    "sweep",
    "tournament",
    "tune",
]


Names = str | Sequence[str]
"""Strategies, with commas as on the command line, or as a list."""
Function = TypeVar("Function", bound=Callable[..., Any])


def _limited(function: Function) -> Function:
    """Let a function play with the `time_limit` of its setting."""

    @wraps(function)
    def limited(*args: Any, **setting: Any) -> Any:
        if "time_limit" not in setting:
            return function(*args, **setting)
        from herdlab.simcore.workers import limited_to

        with limited_to(setting["time_limit"]):
            return function(*args, **setting)

    return cast(Function, limited)


@_limited
def simulate(
    game: str,
    players: Names,
    *,
    games: int = 100_000,
    precision: float | None = None,
    max_games: int = MOST_TO_PLAY,
    rotate: bool = False,
    rows: bool = False,
    **setting: Unpack[LongRunOptions],
) -> "Simulation":
    """Play a line-up many times: who wins, how long, what happens.

    With `rows` the folder `out` gets a row of every game, as Parquet.
    """
    from herdlab.analysis.studies import simulation

    most = games if precision is None else max_games
    experiment = experiment_of(game, setting)
    request = simulation.SimulateRequest(experiment, _text(players), most, rotate, precision, rows)
    found: Simulation = play_long("simulate", request, simulation.simulate, setting, rows=rows)
    return found


@_limited
def compare(
    game: str,
    a: str,
    b: str,
    *,
    field: Names | None = None,
    metric: str = "win",
    games: int = 100_000,
    decide: bool = False,
    margin: float | None = None,
    max_games: int = MOST_TO_PLAY,
    **setting: Unpack[LongRunOptions],
) -> "Comparison":
    """Play two strategies in the same seats against the same field on the same deals.

    `field` are the others at the table, by default copies of `b` at the smallest.  `games` counts
    deals.  With `decide` it plays until the difference is settled, or surely within ± `margin` (by
    default 0.005 for win rates), at most `max_games` deals.
    """
    from herdlab.analysis.studies.compare import CompareRequest
    from herdlab.analysis.studies.compare import compare as play

    experiment, deals = experiment_of(game, setting), max_games if decide else games
    request = CompareRequest(experiment, a, b, _text(field), metric, deals, decide, margin)
    found: Comparison = play_long("compare", request, play, setting)
    return found


@_limited
def readings(
    game: str,
    a: str,
    b: str,
    *,
    field: Names | None = None,
    metric: str = "win",
    games: int = 100_000,
    decide: bool = False,
    margin: float | None = None,
    max_games: int = MOST_TO_PLAY,
    **setting: Unpack[LongRunOptions],
) -> "Readings":
    """Compare under every reading of the rules, to see whether the verdict stands."""
    from herdlab.analysis.studies.compare import CompareRequest
    from herdlab.analysis.studies.readings import compare_readings

    experiment, deals = experiment_of(game, setting), max_games if decide else games
    request = CompareRequest(experiment, a, b, _text(field), metric, deals, decide, margin)
    found: Readings = play_long("readings", request, compare_readings, setting)
    return found


@_limited
def tournament(
    game: str,
    entrants: Names,
    size: int,
    *,
    games: int = 10_000,
    max_line_ups: int = 1_000,
    **setting: Unpack[LongRunOptions],
) -> "Tournament":
    """Play everybody against everybody at tables of a size, in every seating.

    `entrants` may have ``all``: every other strategy that can play there, except slow ones.
    """
    from herdlab.analysis.studies import tournament as cup

    request = cup.TournamentRequest(
        experiment_of(game, setting), tuple(split_names(_text(entrants))), size, games, max_line_ups
    )
    found: Tournament = play_long("tournament", request, cup.tournament, setting)
    return found


@_limited
def sweep(
    game: str,
    strategy: str,
    vary: Names,
    *,
    field: Names | None = None,
    metric: str = "win",
    best: str | None = None,
    games: int = 20_000,
    **setting: Unpack[LongRunOptions],
) -> "Sweep":
    """Vary one or two parameters, of the strategy or of the rules, over a grid on common deals."""
    from herdlab.analysis.studies import sweep as swept

    request = swept.SweepRequest(
        experiment_of(game, setting), strategy, _grid(vary), _text(field), metric, games, best
    )
    found: Sweep = play_long("sweep", request, swept.sweep, setting)
    return found


@_limited
def tune(
    game: str,
    strategy: str,
    vary: Names,
    against: Names,
    *,
    size: int | None = None,
    games: int = 20_000,
    **setting: Unpack[LongRunOptions],
) -> "TuneResult":
    """Search for good parameters, and measure what was found on fresh deals."""
    from herdlab.analysis.studies.tune import tune as play
    from herdlab.analysis.studies.tune_search import TuneRequest

    request = TuneRequest(
        experiment_of(game, setting), strategy, _grid(vary), _text(against), size, games
    )
    found: TuneResult = play_long("tune", request, play, setting)
    return found


@_limited
def luck(
    game: str,
    players: Names,
    *,
    metric: str = "win",
    games: int = 20_000,
    **setting: Unpack[RunOptions],
) -> "LuckResult":
    """Say how much of the result is luck, of what kind, and how much who plays what."""
    from herdlab.analysis.studies.luck import LuckRequest, decompose

    request = LuckRequest(experiment_of(game, setting), _text(players), metric, games)
    return decompose(request, runner=thread_runner(request.experiment, setting))


@_limited
def advise(
    game: str,
    herd: "HerdGiven",
    *,
    others: "Sequence[HerdGiven]" = (),
    players: Names | None = None,
    phase: str = "before",
    t: bool = False,
    skunk: str | int | None = None,
    turn: int = 0,
    games: int = 20_000,
    **setting: Unpack[RunOptions],
) -> "Advice":
    """Say what to do in a position of Have You Herd?: every legal move with what it is worth.

    Herds are such as ``rabbits=6,sheep=2``, or by name; `others` are those of the other players,
    from the left on, by default like one's own.  `players` play on, one's own strategy first.
    """
    from herdlab.analysis.exact.advise import advise as play
    from herdlab.analysis.exact.advise_request import AdviseRequest

    experiment, line_up = experiment_of(game, setting), _text(players)
    request = AdviseRequest(
        experiment, herd, others, line_up, phase=phase, t=t, skunk=skunk, turn=turn, games=games
    )
    return play(request, runner=thread_runner(experiment, setting))


@_limited
def ask(
    question: str,
    game: str | None = None,
    *,
    quick: bool = False,
    players: Names | None = None,
    max_games: int | None = None,
    **setting: Unpack[RunOptions],
) -> "Answer":
    """Answer one of the questions that ``herdlab ask`` lists.

    `game` is needed where a question is about any.  `quick` gives a rough answer.  `players` are
    strategies to ask it for, where a question takes them.  `max_games` limits the deals of each
    comparison, which otherwise goes on until it is settled.
    """
    from herdlab.analysis.questions import find_question
    from herdlab.analysis.questions.asking import Ask
    from herdlab.strategies.registry import spelled

    asked = find_question(question)
    experiment = experiment_of(asked.about(game).name, setting)
    line_up = None if players is None else spelled(experiment.game, _text(players))
    wanted = Ask(asked.name, experiment, quick, line_up)
    if max_games is not None:
        if quick:
            raise BadInput(
                "quick and max_games do not go together: a quick answer plays a small, fixed number"
            )
        check_games(max_games, at_least=FEWEST_DEALS)
        wanted.max_deals = max_games
    asked.check(wanted)
    runner = thread_runner(experiment, setting)
    try:
        return asked.answer(
            replace(wanted, runner=runner.telling(None), on_progress=runner.on_progress)
        )
    except Interrupted:  # with a part of an answer, which says nothing by itself
        raise KeyboardInterrupt from None


@_limited
def solve(
    game: str,
    *,
    strategies: Names | None = None,
    dogs: Names = "sold",
    **setting: Unpack[RunOptions],
) -> "Solved":
    """Work out exactly how many turns a player of Have You Herd? takes alone.

    `strategies` are deterministic ones, ``optimal`` being the best play that there is; `dogs` is
    ``sold``, ``rolled-only`` or ``none``.
    """
    from herdlab.analysis.exact import solve as exactly

    chosen = exactly.DEFAULT if strategies is None else tuple(split_names(_text(strategies)))
    request = exactly.SolveRequest(
        experiment_of(game, setting), chosen, tuple(split_names(_text(dogs)))
    )
    return exactly.solve(request, runner=thread_runner(request.experiment, setting))


@_limited
def race(
    game: str,
    players: Names,
    *,
    games: int = 20_000,
    precision: float | None = None,
    max_games: int = MOST_TO_PLAY,
    **setting: Unpack[RunOptions],
) -> "RaceResult":
    """Say how much of the win rates is a mere race, and what skunk, T and supply add to it."""
    from herdlab.analysis.exact import race as racing

    deals = games if precision is None else max_games
    request = racing.RaceRequest(experiment_of(game, setting), _text(players), deals, precision)
    return racing.run_race(request, runner=thread_runner(request.experiment, setting))


def report(found: Any, *files: str | Path) -> None:
    """Write the report of what was found to files, each as its suffix says, .html or .pdf.

    `found` is what a function of herdlab returned, or its JSON.
    """
    from herdlab.analysis.report import writing
    from herdlab.analysis.report.compose import compose_result

    paths = [Path(file) for file in files]
    writing.check(paths)
    whole = found if isinstance(found, Mapping) else found.as_json()
    writing.write(compose_result(writing.plain(whole)), paths)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    one.__name__: one
    for one in (
        simulate,
        compare,
        readings,
        tournament,
        sweep,
        tune,
        luck,
        advise,
        ask,
        solve,
        race,
    )
}


_STRANGE = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, AssertionError)
"""What comes of values that no command ever wrote, where nothing refuses them before."""


@_limited
def replay(result: Mapping[str, Any], **setting: Unpack[RunOptions]) -> Any:
    """Play again what `as_json` of a result describes; plug-ins must be loaded already."""
    function = _FUNCTIONS.get(result["command"])
    if function is None:
        raise unknown("command of a result", str(result["command"]), _FUNCTIONS)
    _check_arguments(result["arguments"], "the result")
    try:
        return function(
            game=result["game"],
            **result["arguments"],
            **{**setting, "rules": result["rules"], "seed": result["seed"]},
        )
    except _STRANGE as error:
        raise BadInput(
            f"the arguments of the result are not what herdlab writes: {error}"
        ) from error


@_limited
def resume(folder: "str | Path | RunFolder", **setting: Unpack[LongRunOptions]) -> Any:
    """Go on with what was begun with ``out=folder``; return what it finds.

    What is asked for stands in the folder; `setting` says how to play on: `threads`, `cluster`,
    `on_progress`, `prepare`, `time_limit`.  A run that is done plays nothing more.  The plug-ins
    that the run was begun with are run, as the folder has them, or from the files in `plugins` if
    these hold the same.
    """
    from herdlab.analysis.runs.run_folder import RunFolder

    check_keys(setting, ("threads", "cluster", "on_progress", "prepare", "plugins", "time_limit"))
    held = folder if isinstance(folder, RunFolder) else RunFolder.resume(Path(folder))
    asked = held.manifest
    try:
        _check_arguments(asked["arguments"], f"run folder '{held.path}'")
        return _FUNCTIONS[asked["command"]](
            game=asked["game"],
            **asked["arguments"],
            **{
                **setting,
                "rules": asked["rules"],
                "seed": asked["seed"],
                "plugins": held.plugins_from([Path(one) for one in setting.get("plugins", ())]),
                "out": held,
            },
        )
    except _STRANGE as error:
        raise BadInput(
            f"run folder '{held.path}' is damaged: what it holds is not what herdlab writes: "
            f"{error}"
        ) from error
    finally:
        held.close()


def rows(folder: str | Path) -> "pd.DataFrame":
    """Return the rows of all games that a run with ``rows=True`` has kept in its folder.

    Only files that the run accounts for are read, and only if they are as they were written.
    """
    from herdlab.analysis.runs.rows import read_rows

    return read_rows(Path(folder))


def _check_arguments(arguments: Mapping[str, Any], where: str) -> None:
    """Refuse arguments that say how to play, such as a plug-in, which would be run."""
    for key in (*LongRunOptions.__optional_keys__, "game"):
        if key in arguments:
            raise BadInput(f"the arguments of {where} have '{key}', which herdlab never writes")


@overload
def _text(given: Names) -> str: ...
@overload
def _text(given: None) -> None: ...
@overload
def _text(given: Names | None) -> str | None: ...
def _text(given: Names | None) -> str | None:
    """Return strategies as on the command line."""
    return given if given is None or isinstance(given, str) else ",".join(given)


def _grid(vary: Names) -> tuple[str, ...]:
    return (vary,) if isinstance(vary, str) else tuple(vary)
