"""Functions that play: simulate, compare, readings, tournament, sweep, tune, luck."""

from pathlib import Path
from typing import TYPE_CHECKING

from herdlab.analysis.experiment import MOST_TO_PLAY
from herdlab.analysis.runs.run_options import (
    Files,
    Plan,
    Prepare,
    Rules,
    Whole,
    names,
    names_if,
    plays,
    texts,
    whole,
)
from herdlab.simcore.errors import Names

if TYPE_CHECKING:  # each function imports what it needs: some bring scipy
    from herdlab.analysis.runs.progress import OnProgress
    from herdlab.analysis.runs.run_folder import RunFolder
    from herdlab.analysis.studies.compare import Comparison
    from herdlab.analysis.studies.luck import LuckResult
    from herdlab.analysis.studies.readings import Readings
    from herdlab.analysis.studies.simulation import Simulation
    from herdlab.analysis.studies.sweep import Sweep
    from herdlab.analysis.studies.tournament import Tournament
    from herdlab.analysis.studies.tune import TuneResult


@plays
def simulate(
    game: str,
    players: Names,
    *,
    games: Whole = 100_000,
    precision: float | None = None,
    max_games: Whole = MOST_TO_PLAY,
    rotate: bool = False,
    rows: bool = False,
    rules: Rules = None,
    seed: Whole = 0,
    plugins: Files = (),
    threads: int | None = None,
    time_limit: float | None = 60,
    on_progress: "OnProgress | None" = None,
    prepare: Prepare = None,
    out: "str | Path | RunFolder | None" = None,
    cluster: str | None = None,
) -> "Plan[Simulation]":
    """Play a line-up many times: who wins, how long, what happens.

    With `rows` the folder `out` gets a row of every game, as Parquet.
    """
    from herdlab.analysis.studies import simulation

    most = whole(games if precision is None else max_games)
    return Plan(
        lambda where: simulation.SimulateRequest(
            where, names(players), most, rotate, precision, rows
        ),
        simulation.simulate,
        arguments={"rows": rows},
    )


@plays
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
    rules: Rules = None,
    seed: Whole = 0,
    plugins: Files = (),
    threads: int | None = None,
    time_limit: float | None = 60,
    on_progress: "OnProgress | None" = None,
    prepare: Prepare = None,
    out: "str | Path | RunFolder | None" = None,
    cluster: str | None = None,
) -> "Plan[Comparison]":
    """Play two strategies in the same seats against the same field on the same deals.

    `field` are the others at the table, by default copies of `b` at the smallest.  `games` counts
    deals.  With `decide` it plays until the difference is settled, or surely within ± `margin` (by
    default 0.005 for win rates), at most `max_games` deals.
    """
    from herdlab.analysis.studies.compare import CompareRequest
    from herdlab.analysis.studies.compare import compare as play

    others, deals = names_if(field), whole(max_games if decide else games)
    return Plan(
        lambda where: CompareRequest(where, a, b, others, metric, deals, decide, margin), play
    )


@plays
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
    rules: Rules = None,
    seed: Whole = 0,
    plugins: Files = (),
    threads: int | None = None,
    time_limit: float | None = 60,
    on_progress: "OnProgress | None" = None,
    prepare: Prepare = None,
    out: "str | Path | RunFolder | None" = None,
    cluster: str | None = None,
) -> "Plan[Readings]":
    """Compare under every reading of the rules, to see whether the verdict stands."""
    from herdlab.analysis.studies.compare import CompareRequest
    from herdlab.analysis.studies.readings import compare_readings

    others, deals = names_if(field), whole(max_games if decide else games)
    return Plan(
        lambda where: CompareRequest(where, a, b, others, metric, deals, decide, margin),
        compare_readings,
    )


@plays
def tournament(
    game: str,
    entrants: Names,
    size: Whole,
    *,
    games: Whole = 10_000,
    max_line_ups: Whole = 1_000,
    rules: Rules = None,
    seed: Whole = 0,
    plugins: Files = (),
    threads: int | None = None,
    time_limit: float | None = 60,
    on_progress: "OnProgress | None" = None,
    prepare: Prepare = None,
    out: "str | Path | RunFolder | None" = None,
    cluster: str | None = None,
) -> "Plan[Tournament]":
    """Play everybody against everybody at tables of a size, in every seating.

    `entrants` may have ``all``: every other strategy that can play there, except slow ones.
    """
    from herdlab.analysis.studies import tournament as cup

    who, seats = names(entrants), whole(size, "size")
    most = whole(max_line_ups, "max_line_ups")
    return Plan(
        lambda where: cup.TournamentRequest(where, who, seats, whole(games), most), cup.tournament
    )


@plays
def sweep(
    game: str,
    strategy: str,
    vary: Names,
    *,
    field: Names | None = None,
    metric: str = "win",
    best: str | None = None,
    games: Whole = 20_000,
    rules: Rules = None,
    seed: Whole = 0,
    plugins: Files = (),
    threads: int | None = None,
    time_limit: float | None = 60,
    on_progress: "OnProgress | None" = None,
    prepare: Prepare = None,
    out: "str | Path | RunFolder | None" = None,
    cluster: str | None = None,
) -> "Plan[Sweep]":
    """Vary one or two parameters, of the strategy or of the rules, over a grid on common deals."""
    from herdlab.analysis.studies import sweep as swept

    grid, others, deals = texts(vary), names_if(field), whole(games)
    return Plan(
        lambda where: swept.SweepRequest(where, strategy, grid, others, metric, deals, best),
        swept.sweep,
    )


@plays
def tune(
    game: str,
    strategy: str,
    vary: Names,
    against: Names,
    *,
    size: Whole | None = None,
    games: Whole = 20_000,
    rules: Rules = None,
    seed: Whole = 0,
    plugins: Files = (),
    threads: int | None = None,
    time_limit: float | None = 60,
    on_progress: "OnProgress | None" = None,
    prepare: Prepare = None,
    out: "str | Path | RunFolder | None" = None,
    cluster: str | None = None,
) -> "Plan[TuneResult]":
    """Search for good parameters, and measure what was found on fresh deals."""
    from herdlab.analysis.studies.tune import tune as play
    from herdlab.analysis.studies.tune_search import TuneRequest

    table = None if size is None else whole(size, "size")
    grid, others, deals = texts(vary), names(against), whole(games)
    return Plan(lambda where: TuneRequest(where, strategy, grid, others, table, deals), play)


@plays
def luck(
    game: str,
    players: Names,
    *,
    metric: str = "win",
    games: Whole = 20_000,
    rules: Rules = None,
    seed: Whole = 0,
    plugins: Files = (),
    threads: int | None = None,
    time_limit: float | None = 60,
    on_progress: "OnProgress | None" = None,
    prepare: Prepare = None,
) -> "Plan[LuckResult]":
    """Say how much of the result is luck, of what kind, and how much who plays what."""
    from herdlab.analysis.studies.luck import LuckRequest, decompose

    deals = whole(games)
    return Plan(lambda where: LuckRequest(where, names(players), metric, deals), decompose)
