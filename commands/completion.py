"""What the Tab key offers for each argument and option; commands/shells.py talks to the shells.

A completer returns whole words with a description each; typer drops those that do not begin with
what was typed.  Nothing here imports numba or numpy, so that the answer comes at once.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from herdlab.analysis.questions import Question
    from herdlab.simcore.game import Game
    from herdlab.strategies.declarations import Declared
    from herdlab.strategies.parameters import Parameter

Words = list[tuple[str, str]]
"""Words to offer, each with its description."""
_DEFAULT = "default"
_RULES = "rules."
_MOST_NUMBERS = 12
"""A range of at most so many whole numbers is listed."""


class Open(str):
    """A word that may go on, so that no space should follow it."""

    __slots__ = ()


DOGS = {
    "sold": "dogs can be bought, as the rules say",
    "rolled-only": "dogs come from the die only",
    "none": "no dog tiles",
}
BEST = {"high": "higher values are better", "low": "lower values are better"}
PHASES = {
    "before": "the trade before the roll",
    "after": "the trade after the roll",
    "skunk": "who gets the skunk",
}
CACHE = {"clear": "delete the compiled code"}


def choices(described: dict[str, str]) -> Callable[[str], Words]:
    """Return a completer for a few fixed words."""
    return lambda incomplete: list(described.items())


def games(incomplete: str) -> Words:
    """Offer the games."""
    from herdlab.simcore.game import games as all_games

    return [(game.name, game.title) for game in all_games().values()]


def questions(incomplete: str) -> Words:
    """Offer the questions of `ask`."""
    from herdlab.analysis.questions import QUESTIONS

    return [(one.name, one.words) for one in QUESTIONS.values()]


def asked_games(ctx: typer.Context, incomplete: str) -> Words:
    """Offer the games that the question on the line is about."""
    question = _question(ctx)
    about = question.games if question else ()
    return [(name, title) for name, title in games("") if name in about or not about]


def strategy(ctx: typer.Context, incomplete: str) -> Words:
    """Offer strategies; after a colon parameters, after an equals sign their values."""
    return _player(_strategies(ctx), incomplete, ":")


def strategies(ctx: typer.Context, incomplete: str) -> Words:
    """Offer the same in a list with commas."""
    before, last = _last_of_list(incomplete)
    return _open(before, _player(_strategies(ctx), last, ":"))


def strategy_names(ctx: typer.Context, incomplete: str) -> Words:
    """Offer strategies without parameters."""
    return _player(_strategies(ctx), "", ":")


def metrics(ctx: typer.Context, incomplete: str) -> Words:
    """Offer what can be measured of the game on the line."""
    game = _game(ctx)
    if game is None:
        return []
    scores = [("score", "points")] if game.has_scores else []
    events = [(event.name, event.words) for event in game.events]
    return [("win", "win rate"), ("length", f"length in {game.length_unit}"), *scores, *events]


def settings(ctx: typer.Context, incomplete: str) -> Words:
    """Offer the rules of the game on the line; after an equals sign their values."""
    key, equals, _ = incomplete.partition("=")
    if not equals:
        return _rule_names(ctx)
    return [(f"{key}={word}", about) for word, about in _rule_values(ctx, key)]


def varied(ctx: typer.Context, incomplete: str) -> Words:
    """Offer what can be varied: parameters of the strategy on the line, and rules.NAME."""
    name, equals, values = incomplete.partition("=")
    if name.startswith(_RULES):
        if not equals:
            return _open(_RULES, _rule_names(ctx))
        found = _rule_values(ctx, name.removeprefix(_RULES))
    else:
        player = ctx.params.get("strategy") or ""
        one = _strategies(ctx).get(player.partition(":")[0].lower())
        parameters = one.parameters if one else {}
        if not equals:
            return [*_names(parameters), (Open(_RULES), "a setting of the rules")]
        found = _values(parameters[name]) if name in parameters else []
    before, _ = _last_of_list(values)
    taken = before.split(",")
    return _open(f"{name}={before}", [one for one in found if one[0] not in taken])


def herds(incomplete: str) -> Words:
    """Offer the animals of a herd, such as ``rabbits=6,sheep=2``."""
    from herdlab.simcore.herd.rules import PLURALS

    before, _ = _last_of_list(incomplete)
    taken = {part.partition("=")[0].strip().lower() for part in before.split(",")}
    return [(Open(f"{before}{name}="), "") for name in PLURALS if name not in taken]


def _question(ctx: typer.Context) -> "Question | None":
    from herdlab.analysis.questions import QUESTIONS

    return QUESTIONS.get(ctx.params.get("question") or "")


def _game(ctx: typer.Context) -> "Game | None":
    """Return the game on the line, or the usual one of the question there."""
    from herdlab.simcore.game import games as all_games

    name = ctx.params.get("game")
    question = _question(ctx)
    if name is None and question is not None and question.games:
        name = question.games[0]
    return all_games().get((name or "").lower())


def _strategies(ctx: typer.Context) -> "dict[str, Declared]":
    """Return the strategies of the game on the line, with those of its plug-ins."""
    game = _game(ctx)
    if game is None:
        return {}
    from herdlab.strategies.declarations import declared_strategies

    plugins = [Path(file).expanduser() for file in ctx.params.get("plugin") or ()]
    return declared_strategies(game, plugins)


def _last_of_list(text: str) -> tuple[str, str]:
    """Return what stands before the last part of a list with commas, and that part."""
    before, comma, last = text.rpartition(",")
    bare = last.lstrip()
    return before + comma + last[: len(last) - len(bare)], bare


def _open(before: str, words: Words) -> Words:
    return [(Open(before + word), about) for word, about in words]


def _player(known: "dict[str, Declared]", text: str, sign: str) -> Words:
    """Offer what a player's text can become, whose parameters are parted by `sign`."""
    from herdlab.strategies.parameters import Another

    name, *given = text.split(sign)
    if not given:
        return [(one.name, one.words) for one in known.values()]
    if name.lower() not in known:
        return []
    parameters = known[name.lower()].parameters
    key, equals, value = given[-1].partition("=")
    before = text[: len(text) - len(given[-1])]
    if not equals:
        taken = {setting.partition("=")[0] for setting in given[:-1]}
        free = {key: one for key, one in parameters.items() if key not in taken}
        return _open(before, _names(free))
    if key not in parameters:
        return []
    one = parameters[key]
    found = _player(known, value, "/") if isinstance(one, Another) else _values(one)
    return [(type(word)(f"{before}{key}={word}"), about) for word, about in found]


def _names(parameters: "dict[str, Parameter]") -> Words:
    return [(Open(f"{key}="), one.words) for key, one in parameters.items()]


def _values(one: "Parameter") -> Words:
    listed = one.options or _whole_numbers(one.low, one.high if one.is_whole else None)
    return _with_default(listed, one.show(one.default))


def _rule_names(ctx: typer.Context) -> Words:
    game = _game(ctx)
    notes = game.rules_type.notes() if game else {}
    return [(Open(f"{name}="), note.words) for name, note in notes.items()]


def _rule_values(ctx: typer.Context, key: str) -> Words:
    """Offer the values of a rule, as far as they can be listed."""
    import dataclasses

    from herdlab.simcore.rules import shown

    game = _game(ctx)
    fields = {field.name: field for field in dataclasses.fields(game.rules_type)} if game else {}
    if key not in fields:
        return []
    field, note = fields[key], fields[key].metadata["note"]
    listed = [shown(value) for value in note.options or note.alternatives]
    if field.type is bool:
        listed = ["false", "true"]
    elif field.type is int and not listed:
        listed = list(_whole_numbers(note.low, note.high))
    return _with_default(listed, shown(field.default))


def _whole_numbers(low: float | None, high: float | None) -> Iterator[str]:
    """Return the numbers of a short range."""
    if low is not None and high is not None and high - low < _MOST_NUMBERS:
        yield from map(str, range(int(low), int(high) + 1))


def _with_default(values: Iterable[str], default: str) -> Words:
    return [(value, _DEFAULT if value == default else "") for value in values]
