"""What the pictures of several answers share: which findings they show, under which headings."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from herdlab.analysis.findings import Finding
from herdlab.analysis.stats.verdicts import MARGIN_OF_WIN, is_clear, kind_of

LESS, MORE = "wins less", "wins more"
"""What the way does that others are compared with, where these win more and where they win less."""


def capital(text: str) -> str:
    """Return a text that begins as sentences do."""
    return text[:1].upper() + text[1:]


def sections(findings: Sequence[Finding], *wanted: str) -> list[Finding]:
    """Return the findings with values of some sections, in the order of these."""
    return [
        one for name in wanted for one in findings if one.section == name and one.value is not None
    ]


def headed(findings: Sequence[Finding], section: str) -> list[Finding]:
    """Return findings under another heading."""
    return [replace(one, section=section) for one in findings]


def are_told_apart(findings: Sequence[Finding]) -> bool:
    """Whether any of these differences of win rates is clear: there is something to advise."""
    return any(is_clear(kind_of(one, 100 * MARGIN_OF_WIN)) for one in findings)


def best_others(findings: Sequence[Finding], begins: str, but: Sequence[str] = ()) -> list[Finding]:
    """Return for each change of the rules or the players the best of the other ways.

    Such findings have sections that begin so and end in ": heading", and labels such as "with two
    Donkeys: keep it"; `but` are ways that are left out.
    """
    found = []
    rows = [one for one in findings if one.section.startswith(begins) and one.value is not None]
    for (section, _), ways in groupby(rows, lambda one: (one.section, _changed(one))):
        among = [one for one in ways if one.label.rpartition(": ")[2] not in but]
        best = max(among, key=lambda one: one.value or 0.0)
        found.append(replace(best, section=capital(section.rpartition(": ")[2])))
    return found


def _changed(one: Finding) -> str:
    return one.label.rpartition(": ")[0]
