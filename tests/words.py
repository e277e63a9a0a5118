"""Sentences that tests of many subjects look for: each stands here once.

What is said of one subject only stands in the tests of that subject.
"""

TOO_FEW_GAMES = "number of games must be from 100"
NO_FOLDER = "no folder"
HOLDS, SAME_NUMBERS, DIFFERS = "holds", "every number is the same", "does not hold"
"""What `verify` says."""
INTERRUPTED = "herdlab: interrupted"


def meant(name: str) -> str:
    """Return what is said of a name that comes near this one."""
    return f"did you mean '{name}'"


def unknown(kind: str, name: str) -> str:
    """Return what is said of a name that there is not."""
    return f"unknown {kind} '{name}'"


def not_together(one: str, other: str) -> str:
    """Return what is said of two options of which only one can be given."""
    return f"{one} and {other} do not go together"


def took_too_few_or_many(least: int, most: int, got: int) -> list[str]:
    """Return what is said of a table for so many players, when there were others."""
    return [f"{least} to {most} players", f"got {got}"]


def wrote(path: object) -> str:
    """Return the line that names a file that was written."""
    return f"herdlab: wrote {path}\n"


def goes_on_from(part: int, of: int) -> str:
    """Return what an interrupted study says."""
    return f"interrupted in part {part} of {of}; the same command goes on from there"
