"""A comparison as a report, by itself or under every reading: whether the answer stands."""

from collections.abc import Callable
from dataclasses import replace

from herdlab.analysis.figures.forest import forest_drawing, tallied
from herdlab.analysis.figures.ranking import ranking_drawing
from herdlab.analysis.findings import POINTS as POINTS_UNIT
from herdlab.analysis.findings import Finding
from herdlab.analysis.report import columns, document
from herdlab.analysis.report.composing import Composed, Result, game_of, metric_words, percent
from herdlab.analysis.tables import tables_of
from herdlab.analysis.words.phrases import capital, listed, sentence

WIN = "win"


def compose_comparison(whole: Result) -> Composed:
    """Return a comparison as parts of a document."""
    return Composed(
        _title(whole),
        document.Verdict(_verdict(whole), (), _interval(whole)),
        whole["settled"],
        (
            document.Section("By how much", (_means_picture(whole), _means_table(whole))),
            document.Section(
                "What common deals were worth", (document.Paragraph(_pairing(whole)),)
            ),
        ),
        _method(whole),
    )


def compose_readings(whole: Result) -> Composed:
    """Return comparisons under every reading as parts of a document."""
    as_given = compose_comparison(whole)
    stands = (_forest(whole), _readings_table(whole), *_not_tried(whole))
    return Composed(
        as_given.title,
        replace(as_given.verdict, points=(sentence(f"This {whole['sentence']}"),)),
        whole["settled"],
        (document.Section("Does the answer stand?", stands), *as_given.sections),
        (
            *as_given.method,
            f"It was repeated with each reading of an unclear clause changed, one at a time, "
            f"{len(whole['readings'])} with the rules as given; their intervals hold together with "
            f"95 %.",
        ),
    )


def _title(whole: Result) -> str:
    return f"{whole['a']} or {whole['b']}?"


def _verdict(whole: Result) -> str:
    """Return the verdict; one that begins with a strategy's name keeps its small letter."""
    is_name = whole.get("kind") in (None, "higher", "lower")
    return sentence(whole["verdict"] if is_name else capital(whole["verdict"]))


def _looks(whole: Result) -> tuple[columns.Look, columns.Look]:
    """Return how what was measured is written, and how differences of it are."""
    return (
        (columns.RATE, columns.POINTS) if whole["metric"] == WIN else (columns.MEAN, columns.CHANGE)
    )


def _unit(whole: Result) -> str:
    return "games won, %" if whole["metric"] == WIN else f"mean {metric_words(whole)}"


def _confidence(whole: Result) -> str:
    return f"{100 * whole['confidence']:.4g} % interval"


def _means_picture(whole: Result) -> document.Picture:
    means, is_rate = tables_of(whole)["means"], whole["metric"] == WIN
    width = means["high"] - means["low"]
    sharper = " As both met the same deals, their difference is known better than either of them."
    return document.Picture(
        ranking_drawing(
            _looks(whole)[0].marks(means[:2], "who"),
            f"{whole['a']} and {whole['b']} in the same seats, on the same deals",
            what="means",
            intervals=f"{_confidence(whole)}s",
            more=sharper if width[2] < width[:2].min() else "",
            x_label=_unit(whole),
            unit="%" if is_rate else "",
            digits=2 if is_rate else 3,
        )
    )


def _means_table(whole: Result) -> document.Table:
    """Return both and their difference, which alone has a sign."""
    means, (look, apart) = tables_of(whole)["means"], _looks(whole)

    def signed(make: Callable[[str, columns.Look], columns.Shown], name: str) -> columns.Shown:
        other = make(name, apart).cell
        return columns.instead(
            make(name, look), lambda row: other(row) if row["who"] == "difference" else None
        )

    note = "The difference is in percentage points." if whole["metric"] == WIN else ""
    if not whole["lucks_differing"]:
        note += (
            " No deal came out differently; its interval is how often one still might, unseen in "
            "so many."
        )
    shown = (
        columns.text("who", "who"),
        signed(columns.value, _unit(whole)),
        signed(columns.ends, _confidence(whole)),
    )
    return columns.table_of("Both, and their difference", means, shown, note)


def _pairing(whole: Result) -> str:
    """Return how often luck alone decided, and what common deals were worth."""
    share = whole["lucks_differing"] / whole["lucks"]
    said = f"On {percent(share)} of deals the two did not come out alike in every seat."
    if whole["variance_ratio"] is not None:
        said += (
            f" Playing both in every seat on the same deals was worth "
            f"{whole['variance_ratio']:.1f} times as many games, each on a deal of its own."
        )
    return said


def _forest(whole: Result) -> document.Picture:
    """Return the differences under all readings, one below the other."""
    readings, is_rate = tables_of(whole)["readings"], whole["metric"] == WIN
    scale, unit = (100, POINTS_UNIT) if is_rate else (1, "difference")
    clauses = readings["clause"].map(lambda one: f" ({one})" if one else "")
    named = readings.assign(reading=readings["setting"] + clauses)
    findings = [
        Finding("", one.label, one.value, one.low, one.high, unit)
        for one in _looks(whole)[0].marks(named, "reading")
    ]
    a, b = whole["a"], whole["b"]
    margin = None if whole["margin"] is None else scale * whole["margin"]
    what = "win rate" if is_rate else metric_words(whole)
    more, less = ("wins more", "wins less") if is_rate else ("is higher", "is lower")
    said = {"above": f"{more} than {b}", "below": f"{less} than {b}", "among": "readings"}
    return document.Picture(
        forest_drawing(
            findings,
            tallied(findings, a, **said, margin=margin),
            x_label=f"{what} of {a} less that of {b}" + (f", {unit}" if is_rate else ""),
            above=f"{a} is higher",
            below=f"{b} is higher",
            margin=margin,
        )
    )


def _readings_table(whole: Result) -> document.Table:
    look = _looks(whole)[1]
    shown = (
        columns.text("reading", "setting"),
        columns.text("clause", "clause"),
        columns.value("difference", look),
        columns.ends("interval", look),
        columns.number("deals", "n"),
        columns.Shown(
            "same finding", "holds", lambda row: document.Cell(_same(row)), is_number=False
        ),
    )
    return columns.table_of("Every reading", tables_of(whole)["readings"], shown)


def _not_tried(whole: Result) -> tuple[document.Part, ...]:
    """Return the readings that cannot change a game under the settings given."""
    said = [
        f"Not tried: {one['setting']} ({one['clause']}), which matters only with "
        f"{one['only_with']}."
        for one in whole.get("readings_not_tried", ())  # results of older versions have none
    ]
    return (document.Points(tuple(said)),) if said else ()


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
