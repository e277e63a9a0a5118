"""The exception for a user's mistake, and how typed names are read."""

from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches

Names = str | Sequence[str]
"""Strategies, in one text with commas as on the command line, or as a list."""


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


def check_below(name: str, given: int, end: int, clause: str) -> None:
    """Refuse a number that is not from 0 to `end` - 1, by the clause that forbids it."""
    if not 0 <= given < end:
        raise BadInput(f"{name} must be from 0 to {end - 1}, and got {given} ({clause})")


def match(given: str, allowed: Iterable[str]) -> str | None:
    """Return the allowed name that equals `given`, or else the only one but for case."""
    names = list(allowed)
    if given in names:
        return given
    same = [name for name in names if name.casefold() == given.casefold()]
    return same[0] if len(same) == 1 else None


def find(what: str, given: str, allowed: Iterable[str]) -> str:
    """Return the allowed name that was given in any case; refuse anything else."""
    names = list(allowed)
    name = match(given, names)
    if name is None:
        raise unknown(what, given, names)
    return name


def split_names(text: str) -> list[str]:
    """Return the names between commas; refuse a stray comma."""
    if not text.strip():
        return []
    names = [name.strip() for name in text.split(",")]
    given, what_to_do = text.strip(), "remove it or add what is missing"
    if not names[-1]:
        raise BadInput(f"stray comma at the end of '{given}': {what_to_do}")
    if not names[0]:
        raise BadInput(f"stray comma at the start of '{given}': {what_to_do}")
    if "" in names:
        raise BadInput(f"two commas in a row in '{given}': remove one or add what is missing")
    return names


def names_in(given: Names) -> list[str]:
    """Return names one by one, however they are given."""
    return split_names(given if isinstance(given, str) else ",".join(given))


def respell_each(text: str, spell: Callable[[str], str]) -> str:
    """Return a list with commas, each name replaced by `spell` of it; spaces stay."""
    if not split_names(text):
        return text
    parts = [(part, part.strip()) for part in text.split(",")]
    return ",".join(part.replace(name, spell(name)) for part, name in parts)
