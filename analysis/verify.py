"""`verify`: replay a result and say whether it holds, figure by figure."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from analysis.simulation import Request, run
from simcore.errors import BadInput
from simcore.game import find_game

_NEEDED: dict[str, tuple[type, str]] = {
    "game": (str, "a name"),
    "rules": (dict, "a table of settings"),
    "seed": (int, "a whole number"),
    "lucks": (int, "a whole number"),
    "players": (list, "a list of names"),
    "rotate": (bool, "true or false"),
    "plugins": (list, "a list of files"),
}
MOST_LUCKS = 10**12
NOT_COMPARED = ("games_per_second", "seconds", "version", "revision", "plugins")
"""What belongs to the run and not to the result."""


def read_result(path: Path) -> dict[str, Any]:
    """Return the object in a file that ``simulate --json`` wrote."""
    try:
        result = json.loads(path.read_text())
    except OSError as error:
        raise BadInput(f"result '{path}' cannot be read: {error.strerror}") from None
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"result '{path}' is not valid JSON: {error}") from None
    if not isinstance(result, dict):
        result = {}
    for key, (kind, words) in _NEEDED.items():
        if key not in result:
            raise BadInput(
                f"result '{path}' is not what 'herdlab simulate --json' writes: it has no '{key}'"
            )
        if type(result[key]) is not kind:
            raise BadInput(f"'{key}' in result '{path}' must be {words}")
    if not 1 <= result["lucks"] <= MOST_LUCKS:
        raise BadInput(
            f"'lucks' in result '{path}' must be from 1 to {MOST_LUCKS}, and is {result['lucks']}"
        )
    texts = all(isinstance(name, str) for name in result["players"])
    if not texts or not all(
        isinstance(one, dict) and {"file", "sha256"} <= set(one) for one in result["plugins"]
    ):
        raise BadInput(f"'players' or 'plugins' in result '{path}' is not what herdlab writes")
    return result


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
    return [
        line
        for key in again
        if key not in NOT_COMPARED
        for line in _compared(key, result.get(key), again[key])
    ]


def _compared(where: str, claimed: Any, replayed: Any) -> list[str]:
    """Return a line for each leaf in which the two differ."""
    if isinstance(claimed, dict) and isinstance(replayed, dict):
        keys = dict.fromkeys([*replayed, *claimed])
        pairs = [(f"{where}.{key}", claimed.get(key), replayed.get(key)) for key in keys]
    elif isinstance(claimed, list) and isinstance(replayed, list) and len(claimed) == len(replayed):
        both = zip(claimed, replayed, strict=True)
        pairs = [(f"{where}[{place}]", one, other) for place, (one, other) in enumerate(both)]
    elif claimed == replayed:
        return []
    else:
        return [f"{where}: the file has {claimed}, the replay gives {replayed}"]
    return [line for pair in pairs for line in _compared(*pair)]
