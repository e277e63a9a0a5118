"""Changes of the code that can make no difference, each looked at by a person, and why.

`tools.plant_faults` counts them apart: no test could notice them.
"""

from typing import NamedTuple


class Equivalent(NamedTuple):
    """One expression in one line of a file, and what stands there instead; all if empty."""

    path: str
    line: str
    before: str
    after: str
    why: str


EQUIVALENT: tuple[Equivalent, ...] = ()


def why_equivalent(path: str, line: str, before: str, after: str) -> str:
    """Return why a change makes no difference, or nothing."""
    for one in EQUIVALENT:
        if (one.path, one.line, one.before, one.after) == (path, line, before, after):
            return one.why
    return ""
