"""The line for a shell that makes a result again."""

import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from herdlab.analysis.commands import RESULTS
from herdlab.simcore.errors import BadInput, unknown
from herdlab.simcore.game import find_game
from herdlab.simcore.rules import shown

_OPTIONS = {"strategies": "--strategy", "others": "--other"}
"""Where an option is not called as the argument."""


def command_line(whole: Mapping[str, Any]) -> str:
    """Return the line that makes a result, given as JSON has it, again to the bit."""
    arguments = whole["arguments"]
    if whole["command"] not in RESULTS:
        raise unknown("command of a result", str(whole["command"]), RESULTS)
    command = RESULTS[whole["command"]]
    name, *switches = command.words
    words = ["herdlab", name]
    words += [whole["game"] if key == "game" else arguments[key] for key in command.positional]
    words += switches
    for key, value in arguments.items():
        if key not in command.positional:
            words += _option(_OPTIONS.get(key, f"--{key.replace('_', '-')}"), value)
    if command.is_played:
        words += ["--seed", whole["seed"]]
    for key, value in fewest_settings(whole["game"], whole["rules"]).items():
        words += ["--set", f"{key}={shown(value)}"]
    for plugin in whole["plugins"]:
        words += ["--plugin", plugin["file"]]
    return shlex.join(str(word) for word in words)


def _option(option: str, value: Any) -> Iterator[Any]:
    """Yield an option with its value, once for each of several."""
    if value is True:
        yield option
    elif isinstance(value, list):
        for one in value:
            yield from (option, one)
    elif value is not None and value is not False:
        yield from (option, value)


def fewest_settings(game: str, rules: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fewest settings that make such rules: a pair of dice by its name alone."""
    kind = find_game(game).rules_type
    wanted, default = kind.from_settings(rules), kind().as_dict()
    settings = {key: value for key, value in rules.items() if value != default[key]}
    for key in reversed(list(settings)):
        fewer = {name: value for name, value in settings.items() if name != key}
        try:
            if kind.from_settings(fewer) == wanted:
                settings = fewer
        except BadInput:
            pass  # it takes this setting too
    return settings
