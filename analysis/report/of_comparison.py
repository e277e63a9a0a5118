"""A comparison as a report, by itself or under every reading: whether the answer stands."""

from functools import partial
from typing import Any

from analysis.figures.drawing import Drawing
from analysis.figures.forest import forest
from analysis.figures.ranking import Ranked, ranking
from analysis.questions.asking import POINTS, Finding
from analysis.questions.wording import listed
from analysis.report.composing import (
    Composed,
    Result,
    between,
    digits_for,
    game_of,
    mean_cells,
    number,
    percent,
    rate_between,
    rate_cells,
    sentence,
    table,
)
from analysis.report.document import Cell, Paragraph, Picture, Section, Table, Verdict

WIN = "win"


def compose_comparison(whole: Result) -> Composed:
    """Return a comparison as parts of a document."""
    return Composed(
        _title(whole),
        Verdict(sentence(whole["verdict"])),
        (
            Section("By how much", (_means_picture(whole), _means_table(whole))),
            Section("What made it sharp", (Paragraph(_pairing(whole)),)),
        ),
        _method(whole),
    )


def compose_readings(whole: Result) -> Composed:
    """Return comparisons under every reading as parts of a document."""
    as_given = compose_comparison(whole)
    rows = whole["readings"]
    stands = Section(
        "Does the answer stand?",
        (_forest(whole), _readings_table(whole)),
    )
    return Composed(
        as_given.title,
        Verdict(as_given.verdict.text, sentence(f"This {whole['sentence']}")),
        (stands, *as_given.sections),
        (
            *as_given.method,
            f"It was repeated with each reading of an unclear clause changed, one at a time, "
            f"{len(rows)} in all; their intervals hold together with 95 %.",
        ),
    )


def _title(whole: Result) -> str:
    return f"{whole['a']} or {whole['b']}?"


def _is_rate(whole: Result) -> bool:
    return bool(whole["metric"] == WIN)


def _unit(whole: Result) -> str:
    return "games won, %" if _is_rate(whole) else f"mean {whole['metric']}"


def _confidence(whole: Result) -> str:
    return f"{100 * whole['confidence']:.4g} % interval"


def _means_picture(whole: Result) -> Picture:
    scale, digits = (100, 2) if _is_rate(whole) else (1, 3)
    unit = "%" if _is_rate(whole) else ""
    rows = [
        Ranked(whole[who], scale * whole[f"{who}_mean"], *_scaled(whole, who, scale))
        for who in ("a", "b")
    ]
    values = " and ".join(
        f"{one.label} {one.value:.{digits}f} {unit}".rstrip()
        + f" ({between(one.low, one.high, digits)})"
        for one in rows
    )
    return Picture(
        Drawing(
            f"{whole['a']} and {whole['b']} in the same seats, on the same luck",
            partial(ranking, rows, x_label=_unit(whole), unit=unit, digits=digits),
            f"Two dots with their intervals: {values}.",
            f"Dots are means, bars their intervals ({_confidence(whole)}). As both met the same "
            "luck, their difference is known better than either of them.",
        )
    )


def _scaled(whole: Result, who: str, scale: float) -> tuple[float | None, float | None]:
    low, high = (whole[f"{who}_ci_{end}"] for end in ("low", "high"))
    return None if low is None else scale * low, None if high is None else scale * high


def _means_table(whole: Result) -> Table:
    cells: Any = rate_cells if _is_rate(whole) else mean_cells
    rows = [
        [
            Cell(whole[who]),
            *cells(whole[f"{who}_mean"], whole[f"{who}_ci_low"], whole[f"{who}_ci_high"]),
        ]
        for who in ("a", "b")
    ]
    rows.append([Cell("difference"), *_difference(whole, whole)])
    unit = f"{_unit(whole)} "
    note = "The difference is in percentage points." if _is_rate(whole) else ""
    return table("Both, and their difference", ["who", unit, f"{_confidence(whole)} "], rows, note)


def _difference(whole: Result, row: Result) -> tuple[Cell, Cell]:
    value, low, high = row["difference"], row["ci_low"], row["ci_high"]
    if _is_rate(whole):
        return number(value, f"{100 * value:+.2f}"), number(low, rate_between(low, high, sign="+"))
    digits = digits_for(low, high)
    return number(value, f"{value:+.{digits}f}"), number(low, between(low, high, digits, sign="+"))


def _pairing(whole: Result) -> str:
    """Return how often luck alone decided, and what common luck was worth."""
    share = whole["lucks_differing"] / whole["lucks"]
    text = f"On {percent(share)} of lucks the two did not come out alike in every seat."
    if whole["variance_ratio"] is not None:
        text += (
            f" To play both in every seat on the same luck was worth "
            f"{whole['variance_ratio']:.1f} times as many games, each on a luck of its own."
        )
    return text


def _forest(whole: Result) -> Picture:
    """Return the differences under all readings, one below the other."""
    scale = 100 if _is_rate(whole) else 1
    unit = POINTS if _is_rate(whole) else whole["metric"]
    findings = [
        Finding(
            "",
            one["setting"] + (f" ({one['clause']})" if one["clause"] else ""),
            scale * one["difference"],
            None if one["ci_low"] is None else scale * one["ci_low"],
            None if one["ci_high"] is None else scale * one["ci_high"],
            unit,
        )
        for one in whole["readings"]
    ]
    a, b = whole["a"], whole["b"]
    values = "; ".join(
        f"{row.label} {row.value:+.2f} ({between(row.low, row.high, 2, sign='+')})"
        for row in findings
    )
    margin = whole["margin"]
    what = "win rate" if _is_rate(whole) else whole["metric"]
    return Picture(
        Drawing(
            f"{a} less {b} under every reading of the rules",
            partial(
                forest,
                findings,
                x_label=f"{what} of {a} less that of {b}, {unit}",
                above=f"{a} is higher",
                below=f"{b} is higher",
                margin=None if margin is None else scale * margin,
            ),
            f"Differences with their intervals, a row for each reading: {values}.",
            "Dots are differences, bars their intervals, which hold together with 95 %.",
        )
    )


def _readings_table(whole: Result) -> Table:
    rows = [
        [
            Cell(one["setting"]),
            Cell(one["clause"]),
            *_difference(whole, one),
            number(one["lucks"], f"{one['lucks']:,}"),
            Cell("yes" if one["holds"] else "no" if one["settled"] else "not settled"),
        ]
        for one in whole["readings"]
    ]
    head = ["reading", "clause", "difference ", "interval ", "lucks ", "same finding"]
    return table("Every reading", head, rows)


_INTERVALS = {
    "blocks": "Intervals come from how lucks vary, each luck with all its seatings.",
    "anytime": "It went on until it was settled; its intervals hold together whenever one stops.",
    "anytime-asymptotic": "It went on until it was settled; its intervals hold together whenever "
    "one stops, in the limit of many lucks.",
}


def _method(whole: Result) -> tuple[str, ...]:
    field = whole["field"]
    beside = f" beside {listed(field)}" if field else " alone"
    return (
        f"{whole['a']} and {whole['b']} each played every seat{beside}, on the same "
        f"{whole['lucks']:,} lucks: {whole['games']:,} games of {game_of(whole).title}",
        _INTERVALS[whole["interval"]],
    )
