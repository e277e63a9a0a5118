"""herdlab from Python: every command that finds something out, as a function.

    import herdlab

    found = herdlab.compare("herd", "keeper", "keeper-dog", field="keeper,keeper")
    print(found.verdict)
    found.frame()

Names and defaults are those of the command line.  Each function returns a frozen dataclass with
figures and their intervals, `frame()`, a tidy DataFrame, and `as_json()`, which is what
``--json`` prints, what `replay` plays again and what `report` makes a page or a PDF of.  `rules`
are settings as for ``--set``.  `on_progress(done, total)` hears how it goes, `prepare(game)` that a
request was found good, before the game's engine is loaded, perhaps compiled.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, overload

from analysis.scene import FEWEST_LUCKS, MOST_TO_PLAY, Interrupted, Scene, check_games, names
from simcore.errors import BadInput, unknown
from simcore.game import Game, find_game

if TYPE_CHECKING:  # each function imports what it needs: some bring scipy
    from analysis.advice import Advice
    from analysis.advise import HerdGiven
    from analysis.compare import Comparison
    from analysis.luck import LuckResult
    from analysis.progress import OnProgress
    from analysis.questions.asking import Answer
    from analysis.raced import RaceResult
    from analysis.readings import Readings
    from analysis.simulation import Simulation
    from analysis.solve import Solved
    from analysis.sweep import Sweep
    from analysis.tournament import Tournament
    from analysis.tuned import Tuned

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
    "simulate",
    "solve",
    "sweep",
    "tournament",
    "tune",
]


class Setting(TypedDict, total=False):
    """What every function takes beside its own arguments."""

    rules: Mapping[str, Any] | None
    seed: int
    plugins: Sequence[str | Path]
    threads: int | None
    on_progress: "OnProgress | None"
    prepare: Callable[[Game], None] | None


Names = str | Sequence[str]
"""Strategies, with commas as on the command line, or as a list."""


def simulate(
    game: str,
    players: Names,
    *,
    games: int = 100_000,
    precision: float | None = None,
    max_games: int = MOST_TO_PLAY,
    rotate: bool = False,
    **setting: Unpack[Setting],
) -> "Simulation":
    """Play a line-up many times: who wins, how long, what happens."""
    from analysis import simulation

    most = games if precision is None else max_games
    request = simulation.Request(_scene(game, setting), _text(players), most, rotate, precision)
    return simulation.run(request, **_how(request.scene, setting))


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
    **setting: Unpack[Setting],
) -> "Comparison":
    """Play two strategies in the same seats against the same field on the same luck.

    `field` are the others at the table, by default copies of `b` at the smallest.  `games` counts
    lucks.  With `decide` it plays until the difference is settled, or surely within ± `margin` (by
    default 0.005 for win rates), at most `max_games` lucks.
    """
    from analysis.compare import CompareRequest
    from analysis.compare import compare as play

    scene, lucks = _scene(game, setting), max_games if decide else games
    request = CompareRequest(scene, a, b, _text(field), metric, lucks, decide, margin)
    return play(request, **_how(scene, setting))


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
    **setting: Unpack[Setting],
) -> "Readings":
    """Compare under every reading of the rules, to see whether the verdict stands."""
    from analysis.compare import CompareRequest
    from analysis.readings import over_readings

    scene, lucks = _scene(game, setting), max_games if decide else games
    request = CompareRequest(scene, a, b, _text(field), metric, lucks, decide, margin)
    return over_readings(request, **_how(scene, setting))


def tournament(
    game: str,
    entrants: Names,
    size: int,
    *,
    games: int = 10_000,
    max_line_ups: int = 1_000,
    **setting: Unpack[Setting],
) -> "Tournament":
    """Play everybody against everybody at tables of a size, in every seating."""
    from analysis import tournament as cup

    request = cup.TournamentRequest(
        _scene(game, setting), tuple(names(_text(entrants))), size, games, max_line_ups
    )
    return cup.tournament(request, **_how(request.scene, setting))


def sweep(
    game: str,
    strategy: str,
    vary: Names,
    *,
    field: Names | None = None,
    metric: str = "win",
    best: str | None = None,
    games: int = 20_000,
    **setting: Unpack[Setting],
) -> "Sweep":
    """Vary one or two parameters, of the strategy or of the rules, over a grid on common luck."""
    from analysis import sweep as swept

    request = swept.SweepRequest(
        _scene(game, setting), strategy, _grid(vary), _text(field), metric, games, best
    )
    return swept.sweep(request, **_how(request.scene, setting))


def tune(
    game: str,
    strategy: str,
    vary: Names,
    against: Names,
    *,
    size: int | None = None,
    games: int = 20_000,
    **setting: Unpack[Setting],
) -> "Tuned":
    """Search for good parameters, and measure what was found on fresh luck."""
    from analysis import tune as tuned

    request = tuned.TuneRequest(
        _scene(game, setting), strategy, _grid(vary), _text(against), size, games
    )
    return tuned.tune(request, **_how(request.scene, setting))


def luck(
    game: str,
    players: Names,
    *,
    metric: str = "win",
    games: int = 20_000,
    **setting: Unpack[Setting],
) -> "LuckResult":
    """Say how much of the result is luck, of what kind, and how much who plays what."""
    from analysis.luck import LuckRequest, decompose

    request = LuckRequest(_scene(game, setting), _text(players), metric, games)
    return decompose(request, **_how(request.scene, setting))


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
    **setting: Unpack[Setting],
) -> "Advice":
    """Say what to do in a position of Have You Herd?: every legal move with what it is worth.

    Herds are such as ``rabbits=6,sheep=2``, or by name; `others` are those of the other players,
    from the left on, by default like one's own.  `players` play on, one's own strategy first.
    """
    from analysis import advise as advising

    scene, line_up = _scene(game, setting), _text(players)
    request = advising.AdviseRequest(
        scene, herd, others, line_up, phase=phase, t=t, skunk=skunk, turn=turn, games=games
    )
    return advising.advise(request, **_how(scene, setting))


def ask(
    question: str,
    game: str | None = None,
    *,
    quick: bool = False,
    players: Names | None = None,
    max_games: int | None = None,
    **setting: Unpack[Setting],
) -> "Answer":
    """Answer one of the questions that ``herdlab ask`` lists.

    `game` is needed where a question is about any.  `quick` gives a rough answer.  `players` are
    strategies to ask it for, where a question takes them.  `max_games` limits the lucks of each
    comparison, which otherwise goes on until it is settled.
    """
    from analysis.questions import find_question
    from analysis.questions.asking import Ask

    asked = find_question(question)
    scene = _scene(asked.about(game).name, setting)
    wanted = Ask(question, scene, quick, _text(players))
    if max_games is not None:
        if quick:
            raise BadInput(
                "quick and max_games do not go together: a quick answer plays a small, fixed number"
            )
        check_games(max_games, at_least=FEWEST_LUCKS)
        wanted.max_lucks = max_games
    asked.check(wanted)
    how = _how(scene, setting)
    try:
        return asked.answer(replace(wanted, **how))
    except Interrupted:  # with a part of an answer, which says nothing by itself
        raise KeyboardInterrupt from None


def solve(
    game: str,
    *,
    strategies: Names | None = None,
    dogs: Names = "sold",
    **setting: Unpack[Setting],
) -> "Solved":
    """Work out exactly how many turns a player of Have You Herd? takes alone.

    `strategies` are deterministic ones, ``optimal`` being the best play that there is; `dogs` is
    ``sold``, ``rolled-only`` or ``none``.
    """
    from analysis import solve as exactly

    chosen = exactly.DEFAULT if strategies is None else tuple(names(_text(strategies)))
    request = exactly.SolveRequest(_scene(game, setting), chosen, tuple(names(_text(dogs))))
    return exactly.solve(request, **_how(request.scene, setting))


def race(
    game: str,
    players: Names,
    *,
    games: int = 20_000,
    precision: float | None = None,
    max_games: int = MOST_TO_PLAY,
    **setting: Unpack[Setting],
) -> "RaceResult":
    """Say how much of the win rates is a mere race, and what skunk, T and supply add to it."""
    from analysis import race as racing

    lucks = games if precision is None else max_games
    request = racing.RaceRequest(_scene(game, setting), _text(players), lucks, precision)
    return racing.run(request, **_how(request.scene, setting))


def report(found: Any, *files: str | Path) -> None:
    """Write the report of what was found to files, each as its suffix says, .html or .pdf.

    `found` is what a function of herdlab returned, or its JSON; those of `tune` and `advise` have
    no report.
    """
    from analysis.report import writing
    from analysis.report.compose import compose_result

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


def replay(result: Mapping[str, Any], **setting: Unpack[Setting]) -> Any:
    """Play again what `as_json` of a result describes; plug-ins must be loaded already."""
    function = _FUNCTIONS.get(result["command"])
    if function is None:
        raise unknown("command of a result", str(result["command"]), _FUNCTIONS)
    for key in Setting.__annotations__:
        if key in result["arguments"]:  # such as a plug-in, which would be run
            raise BadInput(f"the arguments of the result have '{key}', which herdlab never writes")
    try:
        return function(
            game=result["game"],
            **result["arguments"],
            **{**setting, "rules": result["rules"], "seed": result["seed"]},
        )
    except (TypeError, AttributeError) as error:
        raise BadInput(
            f"the arguments of the result are not what herdlab writes: {error}"
        ) from None


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


def _scene(game: str, setting: Setting) -> Scene:
    for key in setting:
        if key not in Setting.__annotations__:
            raise TypeError(f"unexpected argument '{key}'")
    found, rules = find_game(game), setting.get("rules") or {}
    if not isinstance(rules, Mapping):
        raise BadInput(f"rules are a table, such as {{'horse_price': 3}}, and got '{rules}'")
    files = [Path(file) for file in setting.get("plugins", ())]
    plugins: tuple[dict[str, str], ...] = ()
    if files:
        from strategies.registry import load_plugin

        plugins = tuple({"file": file.name, "sha256": load_plugin(file)} for file in files)
    return Scene(found, found.rules_type.from_settings(rules), setting.get("seed", 0), plugins)


def _how(scene: Scene, setting: Setting) -> dict[str, Any]:
    """Return how to play what was found good."""
    prepare = setting.get("prepare")
    if prepare is not None:
        prepare(scene.game)
    return {"threads": setting.get("threads"), "on_progress": setting.get("on_progress")}
