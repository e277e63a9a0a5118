"""Functions that tell what there is: games, rules, strategies, questions; and the speed."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from herdlab.analysis.runs.progress import OnProgress
from herdlab.analysis.runs.run_options import Files, Prepare, Rules, RunOptions

if TYPE_CHECKING:
    from herdlab.analysis.catalogue import GameRules, Games, Questions, Strategies
    from herdlab.analysis.studies.bench import Bench


def games() -> "Games":
    """Return the games."""
    from herdlab.analysis.catalogue import Games
    from herdlab.simcore.game import games as all_games

    return Games(tuple(all_games().values()))


def rules(game: str, *, rules: Rules = None) -> "GameRules":
    """Return the clauses of a game, its readings and settings; `rules` are settings to change."""
    from herdlab.analysis.catalogue import GameRules

    where = RunOptions(rules).experiment(game)
    return GameRules(where.game, where.rules)


def strategies(game: str, name: str | None = None, *, plugins: Files = ()) -> "Strategies":
    """Return the strategies of a game, or one by its name."""
    from herdlab.analysis.catalogue import Strategies
    from herdlab.simcore.errors import find
    from herdlab.simcore.game import find_game
    from herdlab.strategies.registry import load_plugin, strategies_of

    found = find_game(game)
    for file in plugins:
        load_plugin(Path(file))
    known = strategies_of(found)
    if name is None:
        return Strategies(found, tuple(known.values()))
    return Strategies(found, (known[find(f"strategy of {found.name}", name, known)],), is_one=True)


def questions() -> "Questions":
    """Return what can be asked."""
    from herdlab.analysis.catalogue import Questions
    from herdlab.analysis.questions import QUESTIONS

    return Questions(tuple(QUESTIONS.values()))


def bench(
    *,
    quick: bool = False,
    on_step: Callable[[str], None] | None = None,
    on_progress: OnProgress | None = None,
    prepare: Prepare = None,
) -> "Bench":
    """Measure the speed; a quick one is rough, and leaves starts out.

    `on_step` hears what is measured next.
    """
    from herdlab.simcore.game import games as all_games

    for game in all_games().values():
        if prepare is not None:
            prepare(game)
    from herdlab.analysis.studies.bench import run

    return run(quick=quick, on_step=on_step or (lambda what: None), on_progress=on_progress)
