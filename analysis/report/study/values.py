"""What values the keys of a study may have: by the signatures of herdlab's own functions."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from herdlab.analysis.runs.run_options import OPTIONS, Whole


@dataclass(frozen=True)
class Kind:
    """What a value may be."""

    words: str
    fits: Callable[[Any], bool]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    return _is_number(value) and abs(value) < float("inf") and value == int(value)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


TEXT = Kind("a text", lambda value: isinstance(value, str))
TEXTS = Kind("a list of texts", _are_texts)
WHOLE = Kind("a whole number", _is_whole)  # 1e6 too, which TOML takes for a broken one
NUMBER = Kind("a number", _is_number)
SWITCH = Kind("true or false", lambda value: isinstance(value, bool))
BRIEF = "brief"
SHOWN = Kind(f'true, false or "{BRIEF}"', lambda value: isinstance(value, bool) or value == BRIEF)
TABLE = Kind("a table", lambda value: isinstance(value, dict))
_KINDS: dict[Any, Kind] = {
    str: TEXT,
    Sequence[str]: TEXTS,
    Whole: WHOLE,
    float: NUMBER,
    bool: SWITCH,
}


def arguments_of(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """Return the arguments that a function of herdlab has of its own."""
    parameters = inspect.signature(function).parameters
    return {key: one for key, one in parameters.items() if key not in OPTIONS}


def kinds_of(parameter: inspect.Parameter) -> list[Kind]:
    """Return what an argument may be in a file, which has no word for None."""
    given = parameter.annotation
    allowed = get_args(given) if get_origin(given) in (Union, UnionType) else (given,)
    return [_KINDS[one] for one in allowed if one is not NoneType]
