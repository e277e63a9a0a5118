"""Damage to JSON, as somebody would do it who wants a program to trip."""

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

_STRANGE: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2**31, 2**63, 2**64, -(10**30), 10**400),
    *(0.5, -0.0, 1e-320, 1e308, -1e308, float("nan"), float("inf"), float("-inf")),
    *("", "x", "keeper", "1e9", "\x1b[31m\x07", "\ud800", "\u202e\0", "ä" * 300, "../../x"),
    *([], {}, [[]], [None], {"": None}, [[[[[]]]]], {"file": 1}, [1, "a", None]),
)


def forgeries(whole: Any, seed: int, many: int) -> Iterator[Any]:
    """Yield damaged copies of something, each with one to three changes."""
    drawn = random.Random(seed)
    for _ in range(many):
        damaged = copy.deepcopy(whole)
        for _ in range(drawn.choice((1, 1, 1, 2, 3))):
            _change(damaged, drawn)
        yield damaged


def as_text(whole: Any) -> str:
    """Return JSON, with the words that Python has for what is no number."""
    return json.dumps(whole)


def _places(value: Any, found: list[tuple[Any, Any]]) -> None:
    """Add every place inside a value: what holds it, and its key there."""
    keys = list(value) if isinstance(value, dict) else range(len(value))
    for key in keys:
        found.append((value, key))
        if isinstance(value[key], dict | list):
            _places(value[key], found)


def _change(whole: Any, drawn: random.Random) -> None:
    found: list[tuple[Any, Any]] = []
    _places(whole, found)
    if not found:
        return
    top = [(holder, key) for holder, key in found if holder is whole]
    holder, key = drawn.choice(top if top and drawn.random() < 0.25 else found)
    value, what = holder[key], drawn.randrange(7)
    if what == 0:
        del holder[key]
    elif what == 1:
        holder[key] = [value]
    elif what == 2:
        other, its_key = drawn.choice(found)
        holder[key] = copy.deepcopy(other[its_key]) if its_key in _keys(other) else None
    elif what == 3 and isinstance(value, list) and value:
        holder[key] = value[1:] if drawn.random() < 0.5 else value + value
    elif what == 4 and isinstance(holder, dict):
        holder[f"{key}\x1b"] = holder.pop(key)
    elif what == 5 and isinstance(value, int | float) and not isinstance(value, bool):
        holder[key] = drawn.choice([-value, value + 1, value * 10**9, str(value), value / 3])
    else:
        holder[key] = copy.deepcopy(drawn.choice(_STRANGE))


def _keys(holder: Any) -> Any:
    return holder if isinstance(holder, dict) else range(len(holder))
