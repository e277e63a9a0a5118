"""The commands that show what there is: games, rules, strategies."""

from typing import Annotated

import typer

from herdlab.commands import completion
from herdlab.commands.shared import (
    GameName,
    Json,
    Plugin,
    RulesFile,
    Set,
    game_and_rules,
    load_plugins,
    print_json,
)


def games(as_json: Json = False) -> None:
    """List the games."""
    from herdlab.simcore.game import games as all_games

    known = all_games()
    if as_json:
        print_json(
            [
                {
                    "name": game.name,
                    "title": game.title,
                    "min_players": game.min_players,
                    "max_players": game.max_players,
                    "length_unit": game.length_unit,
                    "events": [event.name for event in game.events],
                }
                for game in known.values()
            ]
        )
        return
    from herdlab.analysis.terminal import listings

    listings.games(known.values())


def rules(
    game: GameName, rules_file: RulesFile = None, settings: Set = None, as_json: Json = False
) -> None:
    """Print the clauses of a game, its readings and settings."""
    found, values = game_and_rules(game, rules_file, settings)
    if as_json:
        clauses = dict(found.clauses)
        readings = {k: n.alternatives for k, n in values.notes().items() if n.alternatives}
        print_json(
            {
                "game": found.name,
                "rules": values.as_dict(),
                "rules_hash": values.hash,
                "readings": readings,
                "clauses": clauses,
            }
        )
        return
    from herdlab.analysis.terminal import listings

    listings.rules(found, values)


def strategies(
    game: GameName,
    name: Annotated[
        str | None,
        typer.Argument(
            help="Show this one's parameters.", autocompletion=completion.strategy_names
        ),
    ] = None,
    plugin: Plugin = None,
    as_json: Json = False,
) -> None:
    """List the strategies of a game, or the parameters of one."""
    from herdlab.simcore.errors import find
    from herdlab.simcore.game import find_game
    from herdlab.strategies.registry import strategies_of

    found = find_game(game)
    load_plugins(plugin)
    known = strategies_of(found)
    if name is not None:
        name = find(f"strategy of {found.name}", name, known)
    if as_json:
        chosen = [one for one in known.values() if name in (None, one.name)]
        print_json(
            [
                {
                    "name": one.name,
                    "description": one.words,
                    "source": one.source,
                    "parameters": one.written(p.default for p in one.parameters.values()),
                }
                for one in chosen
            ]
        )
        return
    from herdlab.analysis.terminal import listings

    listings.strategies(found, known, name)
