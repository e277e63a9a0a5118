"""`verify`: replay a result and say whether it holds, figure by figure."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from analysis.simulation import Request, run
from simcore.errors import BadInput
from simcore.game import find_game

NOT_COMPARED = ("games_per_second", "seconds", "version", "revision", "plugins")
"""What belongs to the run and not to the result."""


def read_result(path: Path) -> dict[str, Any]:
    """Return the object in a file that ``simulate --json`` wrote."""
    try:
        result = json.loads(path.read_text())
    except OSError as error:
        raise BadInput(f"result '{path}' cannot be read: {error.strerror}") from None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"result '{path}' is not valid JSON: {error}") from None
    needed = ("game", "rules", "seed", "lucks", "players", "rotate", "plugins")
    missing = [key for key in needed if not isinstance(result, dict) or key not in result]
    if missing:
        raise BadInput(
            f"result '{path}' is not what 'herdlab simulate --json' writes: it has no "
            f"'{missing[0]}'"
        )
    return result  # type: ignore[no-any-return]


def request_of(result: dict[str, Any], plugins: tuple[dict[str, str], ...]) -> Request:
    """Return the request that a result answers; refuse other plug-ins than it was made with."""
    wanted = {one["file"]: one["sha256"] for one in result["plugins"]}
    given = {one["file"]: one["sha256"] for one in plugins}
    for file, digest in wanted.items():
        if file not in given:
            raise BadInput(f"the result was made with plug-in '{file}': give it with --plugin")
        if given[file] != digest:
            raise BadInput(f"plug-in '{file}' is not the one that the result was made with")
    game = find_game(result["game"])
    rules = game.rules_type.from_settings(result["rules"])
    players = ",".join(result["players"])
    return Request(game, rules, players, result["lucks"], result["seed"], result["rotate"], plugins)


def differences(
    result: dict[str, Any], request: Request, on_progress: Callable[[int], None] | None = None
) -> list[str]:
    """Replay `request`; return a line for each figure that is not what `result` says."""
    again = json.loads(json.dumps(run(request, on_progress=on_progress).as_json()))
    lines = []
    for key in again:
        if key not in NOT_COMPARED and result.get(key) != again[key]:
            lines.append(f"{key}: the file has {result.get(key)}, the replay gives {again[key]}")
    return lines
