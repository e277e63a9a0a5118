"""What the pictures of several answers share: which findings they show, and how."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from herdlab.analysis.findings import MARGIN, POINTS, Finding
from herdlab.analysis.stats.verdicts import is_clear
from herdlab.analysis.words.phrases import capital

if TYPE_CHECKING:
    from herdlab.analysis.figures.drawing import Drawing

LESS, MORE = "wins less", "wins more"
"""What the way does that others are compared with, where these win more and where they win less."""


def rows_of(findings: Sequence[Finding], *wanted: str) -> list[Finding]:
    """Return the findings with values that are of these sorts, in the order of these."""
    return [
        one for name in wanted for one in findings if one.of.what == name and one.value is not None
    ]


def headed(findings: Sequence[Finding], section: str) -> list[Finding]:
    """Return findings under another heading."""
    return [replace(one, section=section) for one in findings]


def are_told_apart(findings: Sequence[Finding]) -> bool:
    """Whether any of these differences of win rates is clear: there is something to advise."""
    return any(one.kind is not None and is_clear(one.kind) for one in findings)


def best_others(findings: Sequence[Finding], but: Sequence[str] = ()) -> list[Finding]:
    """Return for each change of the rules or the players the best of the other ways.

    `but` are ways that are left out.
    """
    found = []
    rows = [one for one in rows_of(findings, "again") if one.of.who not in but]
    for (change, _), ways in groupby(rows, lambda one: (one.of.change, one.of.under)):
        best = max(ways, key=lambda one: one.value or 0.0)
        found.append(replace(best, section=capital(change)))
    return found


def forest_of_wins(
    rows: Sequence[Finding],
    subject: str,
    x_label: str,
    *,
    above: str,
    below: str,
    does: tuple[str, str] = (MORE, LESS),
    among: str = "cases",
    caption: str = "",
    title: str = "",
    of_title: Sequence[Finding] = (),
) -> list["Drawing"]:
    """Return a forest plot of differences of win rates; nothing where there are none.

    Its title is how often the subject `does` the one or the other, in all rows or those that are
    given as `of_title`, unless there is another `title`.
    """
    from herdlab.analysis.figures.forest import forest_drawing, tallied

    if not rows:
        return []
    more, less = does
    tally = tallied(of_title or rows, subject, above=more, below=less, among=among, margin=MARGIN)
    title = title or tally
    return [
        forest_drawing(
            *(rows, title),
            x_label=x_label,
            above=above,
            below=below,
            margin=MARGIN,
            caption=caption,
        )
    ]


def drawn_from_words(findings: Sequence[Finding]) -> list["Drawing"]:
    """Return the differences of win rates of an answer that was saved before findings had fields.

    All that is known of each is what it says, so all of them stand in one picture.
    """
    rows = [one for one in findings if one.unit == POINTS and one.value is not None]
    if any(one.of.what for one in findings):
        return []
    x_label, title = "difference of win rates, percentage points", "All differences of win rates"
    return forest_of_wins(rows, "", x_label, above="more", below="less", title=title)
