"""Keeps a number and its sign or unit in one line, on a page and on paper."""

import re

_BOUND = re.compile(r"(?<=\d) (?=%)|(?<=±) (?=\d)")
"""The blanks of "± 0.6 %"."""


def bound(text: str) -> str:
    """Return a text whose lines do not end between a number and its per cent, or after a ±."""
    return _BOUND.sub("\N{NO-BREAK SPACE}", text)
