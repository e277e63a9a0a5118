"""The picture that most answers need: findings one below the other, with their intervals.

A *forest plot*: each finding is a mark with its interval beside a line at nothing; colour and
shape are its verdict.
"""

from collections.abc import Sequence
from math import floor, isfinite, log10
from statistics import median
from typing import Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from herdlab.analysis.figures.drawing import Drawing
from herdlab.analysis.figures.parts import style
from herdlab.analysis.figures.parts.headed_rows import HeadedRows, Row
from herdlab.analysis.findings import PER_CENT, POINTS, TURNS, Finding
from herdlab.analysis.stats.verdicts import Kind, kind_of
from herdlab.analysis.words.numbers import first_of, spanned, written

_LOOKS: dict[Kind, dict[str, Any]] = {
    Kind.HIGHER: {"color": style.BLUE, "marker": "o"},
    Kind.LOWER: {"color": style.VERMILLION, "marker": "s"},
    Kind.TIE: {"color": style.ORANGE, "marker": "|"},
    Kind.OPEN: {"color": style.GREY, "marker": "o", "markerfacecolor": style.PAGE},
}
_MOST_DIGITS = 3


def forest_drawing(
    findings: Sequence[Finding], title: str, *, caption: str = "", **how: Any
) -> Drawing:
    """Return a forest plot with its words; `caption` says what is special about this one.

    `how` it is drawn, `forest` knows.
    """
    margin = how.get("margin")
    drawn = [one for one in findings if one.value is not None]
    said = [caption] if caption else []
    if any(not one.is_exact for one in drawn):
        said.append(
            "Marks are what was found, bars the intervals, which hold with 95 % for the whole "
            "figure together; a hollow mark is too close to call"
        )
    if any(one.is_exact for one in drawn):
        said.append("Diamonds are exact")
    if margin is not None:
        said.append(
            f"A difference whose whole interval lies within the shaded band, ± {margin:g}, is a tie"
        )
    return Drawing(
        title,
        lambda wide: forest(drawn, wide, **how),
        f"Forest plot, a row a finding; across: {how['x_label']}. {_told(drawn)}.",
        " ".join(f"{one}." for one in said),
    )


def forest(
    findings: Sequence[Finding],
    wide: float,
    *,
    x_label: str,
    above: str,
    below: str,
    zero: float = 0.0,
    margin: float | None = None,
) -> Figure:
    """Draw findings of one unit by section, with a line at `zero` and a band of ± `margin`.

    `above` and `below` say what it means to lie wholly on either side of the line.  Exact
    numbers are diamonds; those without a value are left out.
    """
    drawn = [one for one in findings if one.value is not None]
    texts = values_of(drawn)
    with style.styled():
        named = zip(drawn, texts, strict=True)
        rows = HeadedRows([Row(one.label, text, one.section) for one, text in named], wide)
        if margin is not None:
            rows.across(zero - margin, zero + margin, color=style.ORANGE, alpha=0.16)
        rows.line(zero, color=style.GREY, linestyle="--", linewidth=1.2)
        for one, at in zip(drawn, rows.at, strict=True):
            _mark(rows, one, at, _kind(one, margin, zero))
        rows.axes.margins(x=0.04)
        return rows.finish(x_label, _keys(drawn, zero, above, below, margin))


def values_of(findings: Sequence[Finding]) -> list[str]:
    """Return the values in words, all with as many digits as their intervals deserve."""
    digits, sign = _digits(findings), _sign(findings)
    values = [one.value for one in findings]
    return ["" if one is None else written(one, digits, sign=sign) for one in values]


def _digits(findings: Sequence[Finding]) -> int:
    """Return how many decimals the intervals of most findings deserve."""
    intervals = [_interval(one) for one in findings]
    halves = [(ends[1] - ends[0]) / 2 for ends in intervals if ends and ends[1] > ends[0]]
    units = {one.unit for one in findings}
    if not halves:
        return 2 if TURNS in units else 1
    few = 1 if units & {POINTS, PER_CENT} else 0
    return min(_MOST_DIGITS, max(few, -floor(log10(median(halves)))))


def _interval(one: Finding) -> tuple[float, float] | None:
    """Return both ends, if they are known."""
    if one.low is None or one.high is None or not isfinite(one.high - one.low):
        return None
    return one.low, one.high


def tallied(
    findings: Sequence[Finding],
    subject: str,
    *,
    above: str = "wins more",
    below: str = "wins less",
    among: str = "cases",
    margin: float | None = None,
) -> str:
    """Return how many findings come to which verdict: "Buying wins less in all 9 cases".

    `above` and `below` say what the subject does on either side; `among` what the findings are.
    """
    kinds = [_kind(one, margin) for one in findings if one.value is not None]
    n, is_open = len(kinds), kinds.count(Kind.OPEN)
    if is_open == n:
        return f"{subject.rstrip(',')}: none of {n} {among} is clear"
    does = {Kind.HIGHER: above, Kind.LOWER: below, Kind.TIE: "is a tie"}
    found = sorted((one for one in does if one in kinds), key=lambda kind: -kinds.count(kind))
    parts = [f"{does[kind]} in {kinds.count(kind)}" for kind in found]
    most = kinds.count(found[0])
    all_of_them = "both" if n == 2 else f"all {n}"  # noqa: PLR2004
    parts[0] = f"{does[found[0]]} in {all_of_them if most == n else f'{most} of {n}'} {among}"
    rest = f"; {is_open} {'is' if is_open == 1 else 'are'} too close to call" if is_open else ""
    return f"{subject} {', '.join(parts)}{rest}"


def _kind(one: Finding, margin: float | None, zero: float = 0.0) -> Kind:
    return kind_of(one, margin or 0.0, zero=zero)


def _mark(rows: HeadedRows, one: Finding, at: float, kind: Kind) -> None:
    look = _LOOKS[kind]
    if one.is_exact:
        look = {"color": look["color"], "marker": "D"}
    elif ends := _interval(one):
        bar: Any = {"alpha": 0.7 if kind == Kind.OPEN else 0.55, "linewidth": 2.5, "zorder": 2}
        rows.axes.hlines(at, *ends, color=look["color"], **bar)
    assert one.value is not None
    rows.axes.plot([one.value], [at], markersize=5, linestyle="none", zorder=4, **look)


def _keys(
    drawn: Sequence[Finding], zero: float, above: str, below: str, margin: float | None
) -> list[Line2D | Patch]:
    """Return what explains the colours and marks that were used."""
    words = {Kind.HIGHER: above, Kind.LOWER: below, Kind.TIE: "tie", Kind.OPEN: "too close to call"}
    kinds = {_kind(one, margin, zero) for one in drawn if not one.is_exact}
    keys: list[Line2D | Patch] = [
        Line2D([], [], markersize=5, linewidth=2.5, label=label, **_LOOKS[kind])
        for kind, label in words.items()
        if kind in kinds
    ]
    if any(one.is_exact for one in drawn):
        keys.append(Line2D([], [], color=style.GREY, marker="D", linestyle="none", label="exact"))
    if margin is not None:
        keys.append(Patch(color=style.ORANGE, alpha=0.16, label="the margin of a tie"))
    return keys


def _told(drawn: Sequence[Finding]) -> str:
    """Return findings in words, the first of many."""
    lines, section, digits, sign = list[str](), "", _digits(drawn), _sign(drawn)
    for one in drawn:
        estimate = one.value, *((None, None) if one.is_exact else (one.low, one.high))
        value = spanned(estimate, digits, sign=sign)
        heading = f"{one.section}: " if one.section != section else ""
        section = one.section
        lines.append(f"{heading}{one.label}: {value}")
    return first_of(lines, "rows")


def _sign(findings: Sequence[Finding]) -> str:
    """Return how numbers are signed: differences of rates always."""
    return "+" if any(one.unit == POINTS for one in findings) else "-"
