"""The one exception for a user's mistake, and the sentences it carries."""

from collections.abc import Iterable
from difflib import get_close_matches


class BadInput(Exception):
    """What a user gave cannot be used; the message is one sentence fit to be shown as it is."""


def unknown(what: str, given: str, allowed: Iterable[str]) -> BadInput:
    """Return the mistake "no such name", with the nearest valid one and all that are allowed."""
    names = list(allowed)
    lowered = {name.lower(): name for name in reversed(names)}
    close = get_close_matches(given.lower(), lowered, n=1, cutoff=0.5)
    hint = f"did you mean '{lowered[close[0]]}'? " if close else ""
    listed = ", ".join(names) if names else "none"
    return BadInput(f"unknown {what} '{given}': {hint}known: {listed}")
