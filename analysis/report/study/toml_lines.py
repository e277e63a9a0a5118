"""In which line of a TOML file each key stands, which tomllib does not say."""

import tomllib
from collections.abc import Iterator
from typing import Any

Where = tuple[str | int, ...]
"""The way to a key, such as ("part", 1, "players")."""

_ENDS = ('"""', "'''", "]")
"""One of these is in the last line of a value that has several."""


def key_lines(source: str) -> dict[Where, int]:
    """Return the line, counted from 1, in which each key and each table of a valid file begins.

    What a value of several lines holds is said to stand where the value begins.
    """
    lines: dict[Where, int] = {}
    tables: dict[Where, int] = {}  # how many there are so far of each [[table]]
    here: Where = ()
    for line, statement in _statements(source):
        parsed = tomllib.loads(statement)
        if not statement.lstrip().startswith("["):
            _note(parsed, here, line, lines)
            continue
        here, inner = (), parsed
        while inner:
            ((key, value),) = inner.items()
            here = (*here, key)
            is_new = isinstance(value, list)
            if is_new:
                tables[here] = tables.get(here, 0) + 1
                value = value[0]
            if here in tables:
                here = (*here, tables[here] - 1)
            inner = value
        for end in range(1, len(here) + 1):
            lines.setdefault(here[:end], line)
    return lines


def unfinished(source: str) -> int | None:
    """Return the line in which begins what a file that is cut off does not end."""
    last = None
    for line, statement in _statements(source):
        try:
            tomllib.loads(statement)
        except tomllib.TOMLDecodeError:
            last = line
    return last


def _statements(source: str) -> Iterator[tuple[int, str]]:
    """Yield each table's head and each key with its value, and the line in which it begins.

    A value that goes on in the next line is one in brackets or three quotation marks that are not
    closed yet: no part of it is valid by itself.
    """
    begun, statement = 0, ""
    for number, line in enumerate(source.replace("\r\n", "\n").split("\n"), 1):
        is_first = not statement
        if is_first:
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            begun = number
        statement += line + "\n"
        if not is_first and not any(end in line for end in _ENDS):
            continue  # not tried: a long text would be read once for each of its lines
        try:
            tomllib.loads(statement)
        except tomllib.TOMLDecodeError:
            continue
        yield begun, statement
        statement = ""
    if statement:
        yield begun, statement


def _note(value: Any, where: Where, line: int, lines: dict[Where, int]) -> None:
    """Note that `value` and all that is in it stand in a line."""
    if where:
        lines.setdefault(where, line)
    if isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            _note(one, (*where, key), line, lines)
