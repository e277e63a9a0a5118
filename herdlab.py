"""herdlab from Python: every command that finds something out, as a function.

    import herdlab

    found = herdlab.compare("herd", "keeper", "keeper-dog", field="keeper,keeper")
    print(found.verdict)
    found.frame()

Names and defaults are those of the command line.  Each function returns a frozen dataclass with
figures and their intervals, `frame()`, a tidy DataFrame, and `as_json()`, which is what
``--json`` prints and what `replay` plays again.  `rules` are settings as for ``--set``.
`on_progress(done, total)` hears how it goes, `prepare(game)` that a request was found good, before
the game's engine is loaded, perhaps compiled.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, overload

from analysis.scene import MOST_TO_PLAY, Scene, names
from simcore.errors import BadInput, unknown
from simcore.game import Game, find_game

if TYPE_CHECKING:  # each function imports what it needs: some bring scipy
    from analysis.compare import Comparison
    from analysis.luck import LuckResult
    from analysis.progress import OnProgress
    from analysis.readings import Readings
    from analysis.simulation import Simulation
    from analysis.sweep import Sweep
    from analysis.tournament import Tournament
    from analysis.tuned import Tuned

__all__ = [
    "BadInput",
    "compare",
    "luck",
    "readings",
    "replay",
    "simulate",
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


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    one.__name__: one for one in (simulate, compare, readings, tournament, sweep, tune, luck)
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
            result["game"],
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
