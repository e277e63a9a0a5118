"""Write golden playthroughs and results anew, after a change that is meant to change them.

python -m tests.golden.regenerate [GAME or name of a result …]
"""

import json
import shlex
import sys
from pathlib import Path

from herdlab.analysis.words import stories
from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.game import find_game
from herdlab.simcore.rules import shown
from herdlab.strategies.registry import seat_players
from tests.command_line import result_of
from tests.games import cases

FOLDER = Path(__file__).parent
RESULTS = FOLDER / "results"
OF_THE_RUN = ("games_per_second", "seconds", "revision")
"""What belongs to the run and not to the result."""
PLAYTHROUGHS = {game: one.playthrough for game, one in cases().items()}
"""Game -> line-up, seed, number of the game, settings of the rules."""


def playthrough(game_name: str) -> str:
    """Return one game as text: each happening, the clauses that acted, the state after it."""
    line_up, seed, number, settings = PLAYTHROUGHS[game_name]
    game = find_game(game_name)
    rules = game.rules_type.from_settings(settings)
    bout = Bout(game, rules, seat_players(game, rules, line_up), stream_seeds(seed))
    told = stories.tell(bout, number)
    where = f"{line_up}, seed {seed}, game {number}, rules {rules.hash}"
    where += "".join(f", {key}={shown(value)}" for key, value in settings.items())
    lines = [f"# {game.title}: {where}"]
    for one in told.happenings:
        session = "" if one.session is None else f"session {one.session}, "
        when = f"{session}{told.unit} {one.turn}, seat {one.seat}"
        lines.append(f"{when}: {one.words} ({', '.join(one.clauses)})")
        lines.append("  " + json.dumps(one.facts, sort_keys=True))
    return "\n".join([*lines, told.end, ""])


def commands() -> dict[str, list[str]]:
    """Return by name of a result the command that it is of."""
    lines = (FOLDER / "commands.txt").read_text().splitlines()
    words = [shlex.split(line, comments=True) for line in lines]
    return {line[0]: line[1:] for line in words if line}


def result(name: str) -> str:
    """Return the JSON that the command of that name prints."""
    whole = result_of(*commands()[name])
    return json.dumps({key: whole[key] for key in whole if key not in OF_THE_RUN}, indent=1) + "\n"


if __name__ == "__main__":
    for name in sys.argv[1:] or [*PLAYTHROUGHS, *commands()]:
        if name in PLAYTHROUGHS:
            (FOLDER / f"{name}.txt").write_text(playthrough(name))
        else:
            (RESULTS / f"{name}.json").write_text(result(name))
