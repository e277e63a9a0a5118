"""A comparison as a report, by itself or under every reading: whether the answer stands."""

from functools import partial
from typing import Any

from herdlab.analysis.figures.drawing import Drawing
from herdlab.analysis.figures.forest import forest_drawing, tallied
from herdlab.analysis.figures.ranking import Ranked, ranking
from herdlab.analysis.findings import POINTS, Finding
from herdlab.analysis.report.composing import (
    Composed,
    Result,
    between,
    digits_for,
    game_of,
    mean_cells,
    metric_words,
    number,
    percent,
    rate_between,
    rate_cells,
    table,
)
from herdlab.analysis.report.document import (
    Cell,
    Paragraph,
    Part,
    Picture,
    Points,
    Section,
    Table,
    Verdict,
)
from herdlab.analysis.words.phrases import capital, listed, sentence

WIN = "win"


def compose_comparison(whole: Result) -> Composed:
    """Return a comparison as parts of a document."""
    return Composed(
        _title(whole),
        Verdict(_verdict(whole), (), _interval(whole)),
        whole["settled"],
        (
            Section("By how much", (_means_picture(whole), _means_table(whole))),
            Section("What common deals were worth", (Paragraph(_pairing(whole)),)),
        ),
        _method(whole),
    )


def compose_readings(whole: Result) -> Composed:
    """Return comparisons under every reading as parts of a document."""
    as_given = compose_comparison(whole)
    rows = whole["readings"]
    stands = Section(
        "Does the answer stand?",
        (_forest(whole), _readings_table(whole), *_not_tried(whole)),
    )
    return Composed(
        as_given.title,
        Verdict(
            as_given.verdict.headline,
            (sentence(f"This {whole['sentence']}"),),
            as_given.verdict.how_sure,
        ),
        whole["settled"],
        (stands, *as_given.sections),
        (
            *as_given.method,
            f"It was repeated with each reading of an unclear clause changed, one at a time, "
            f"{len(rows)} with the rules as given; their intervals hold together with 95 %.",
        ),
    )


def _title(whole: Result) -> str:
    return f"{whole['a']} or {whole['b']}?"


def _verdict(whole: Result) -> str:
    """Return the verdict; one that begins with a strategy's name keeps its small letter."""
    is_name = whole.get("kind") in (None, "higher", "lower")
    return sentence(whole["verdict"] if is_name else capital(whole["verdict"]))


def _is_rate(whole: Result) -> bool:
    return bool(whole["metric"] == WIN)


def _unit(whole: Result) -> str:
    return "games won, %" if _is_rate(whole) else f"mean {metric_words(whole)}"


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
            f"{whole['a']} and {whole['b']} in the same seats, on the same deals",
            partial(ranking, rows, x_label=_unit(whole), unit=unit, digits=digits),
            f"Two dots with their intervals: {values}.",
            f"Dots are means, bars their {_confidence(whole)}s where wider than a dot."
            f"{_sharper(whole)}",
        )
    )


def _sharper(whole: Result) -> str:
    """Return that the difference is known better than either mean, where it is."""
    pairs = [(whole[f"{key}ci_low"], whole[f"{key}ci_high"]) for key in ("", "a_", "b_")]
    known = [high - low for low, high in pairs if low is not None and high is not None]
    if len(known) < len(pairs) or known[0] >= min(known[1:]):
        return ""
    return " As both met the same deals, their difference is known better than either of them."


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
    if not whole["lucks_differing"]:
        note += (
            " No deal came out differently; its interval is how often one still might, unseen in "
            "so many."
        )
    return table("Both, and their difference", ["who", unit, f"{_confidence(whole)} "], rows, note)


def _difference(whole: Result, row: Result) -> tuple[Cell, Cell]:
    value, low, high = row["difference"], row["ci_low"], row["ci_high"]
    if _is_rate(whole):
        return number(value, f"{100 * value:+z.2f}"), number(low, rate_between(low, high, sign="+"))
    digits = digits_for(low, high)
    return number(value, f"{value:+z.{digits}f}"), number(low, between(low, high, digits, sign="+"))


def _pairing(whole: Result) -> str:
    """Return how often luck alone decided, and what common deals were worth."""
    share = whole["lucks_differing"] / whole["lucks"]
    text = f"On {percent(share)} of deals the two did not come out alike in every seat."
    if whole["variance_ratio"] is not None:
        text += (
            f" Playing both in every seat on the same deals was worth "
            f"{whole['variance_ratio']:.1f} times as many games, each on a deal of its own."
        )
    return text


def _forest(whole: Result) -> Picture:
    """Return the differences under all readings, one below the other."""
    scale = 100 if _is_rate(whole) else 1
    unit = POINTS if _is_rate(whole) else "difference"
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
    margin = None if whole["margin"] is None else scale * whole["margin"]
    what = "win rate" if _is_rate(whole) else metric_words(whole)
    more, less = ("wins more", "wins less") if _is_rate(whole) else ("is higher", "is lower")
    return Picture(
        forest_drawing(
            findings,
            tallied(
                findings,
                a,
                above=f"{more} than {b}",
                below=f"{less} than {b}",
                among="readings",
                margin=margin,
            ),
            x_label=f"{what} of {a} less that of {b}" + (f", {unit}" if _is_rate(whole) else ""),
            above=f"{a} is higher",
            below=f"{b} is higher",
            margin=margin,
        )
    )


def _readings_table(whole: Result) -> Table:
    rows = [
        [
            Cell(one["setting"]),
            Cell(one["clause"]),
            *_difference(whole, one),
            number(one["lucks"], f"{one['lucks']:,}"),
            Cell(_same(one)),
        ]
        for one in whole["readings"]
    ]
    head = ["reading", "clause", "difference ", "interval ", "deals ", "same finding"]
    return table("Every reading", head, rows)


def _not_tried(whole: Result) -> tuple[Part, ...]:
    """Return the readings that cannot change a game under the settings given."""
    said = [
        f"Not tried: {one['setting']} ({one['clause']}), which matters only with "
        f"{one['only_with']}."
        for one in whole.get("readings_not_tried", ())  # results of older versions have none
    ]
    return (Points(tuple(said)),) if said else ()


def _same(one: Result) -> str:
    """Return whether a reading gives the finding of the rules as given."""
    if not one["settled"]:
        return "too close to call"
    if not one["clause"]:
        return "as given"
    return "yes" if one["holds"] else "no"


_LIMIT = "It stopped at its limit, unsettled; its intervals hold together whenever one stops"
_INTERVALS = {
    "blocks": "Intervals come from how deals vary, each deal with all its seatings.",
    "anytime": "It went on until it was settled; its intervals hold together whenever one stops.",
    "anytime-asymptotic": "It went on until it was settled; its intervals hold together whenever "
    "one stops, in the limit of many deals.",
}


def _method(whole: Result) -> tuple[str, ...]:
    field = whole["field"]
    beside = f" beside {listed(field)}" if field else " alone"
    return (
        f"{whole['a']} and {whole['b']} each played every seat{beside}, on the same "
        f"{whole['lucks']:,} deals: {whole['games']:,} games of {game_of(whole).title}",
        _interval(whole),
    )


def _interval(whole: Result) -> str:
    if whole["interval"] != "blocks" and not whole["settled"]:
        return _LIMIT
    return _INTERVALS[whole["interval"]]
