"""A comparison as a report, by itself or under every reading: whether the answer stands."""

from collections.abc import Callable
from dataclasses import replace

from herdlab.analysis.figures.drawing import Drawing
from herdlab.analysis.figures.forest import forest_drawing, tallied
from herdlab.analysis.figures.ranking import ranking_drawing
from herdlab.analysis.findings import POINTS as POINTS_UNIT
from herdlab.analysis.findings import Finding
from herdlab.analysis.report import columns, document
from herdlab.analysis.sampling.metrics import WIN
from herdlab.analysis.tables import Whole, tables_of
from herdlab.analysis.words.numbers import Look, percent
from herdlab.analysis.words.phrases import capital, listed, sentence
from herdlab.simcore.game import find_game


def compose_comparison(whole: Whole) -> document.Composed:
    """Return a comparison as parts of a document."""
    by_how_much = (_means_picture(whole), _means_table(whole))
    worth = (document.Paragraph(_pairing(whole)),)
    is_name = whole.get("kind") in (None, "higher", "lower")  # which keeps its small letter
    return document.Composed(
        f"{whole['a']} or {whole['b']}?",
        document.Verdict(
            sentence(whole["verdict"] if is_name else capital(whole["verdict"])),
            how_sure=_interval(whole),
        ),
        whole["settled"],
        (
            document.Section("By how much", by_how_much),
            document.Section("What common deals were worth", worth),
        ),
        (f"{whole['a']} and {whole['b']} each {played_on_deals(whole)}", _interval(whole)),
    )


def compose_readings(whole: Whole) -> document.Composed:
    """Return comparisons under every reading as parts of a document."""
    as_given = compose_comparison(whole)
    stands = (_forest(whole), _readings_table(whole), *_not_tried(whole))
    repeated = (
        f"It was repeated with each reading of an unclear clause changed, one at a time, "
        f"{len(whole['readings'])} with the rules as given; their intervals hold together with "
        f"95 %."
    )
    return replace(
        as_given,
        verdict=replace(as_given.verdict, points=(sentence(f"This {whole['sentence']}"),)),
        settled=whole["settled"],
        sections=(document.Section("Does the answer stand?", stands), *as_given.sections),
        method=(*as_given.method, repeated),
    )


def played_on_deals(whole: Whole, at: str = "") -> str:
    """Return that somebody played every seat, beside whom, `at` what, and on how many deals."""
    beside = f"beside {listed(whole['field'])}" if whole["field"] else "alone"
    return (
        f"played every seat {beside}{at}, on the same {whole['lucks']:,} deals: "
        f"{whole['games']:,} games of {find_game(whole['game']).title}"
    )


def _metric(whole: Whole) -> str:
    """Return what was measured, with its unit."""
    game, metric = find_game(whole["game"]), whole["metric"]
    if metric == "length":
        return f"length in {game.length_unit}"
    return next((one.words for one in game.events if one.name == metric), str(metric))


def _unit(whole: Whole) -> str:
    return "games won, %" if whole["metric"] == WIN else f"mean {_metric(whole)}"


def _means_picture(whole: Whole) -> Drawing:
    means, is_rate = tables_of(whole)["means"], whole["metric"] == WIN
    width = means["high"] - means["low"]
    sharper = " As both met the same deals, their difference is known better than either of them."
    return ranking_drawing(
        columns.marks(columns.looks_of(whole)[0], means[:2], "who"),
        f"{whole['a']} and {whole['b']} in the same seats, on the same deals",
        what="means",
        intervals=f"{columns.confidence_of(whole)} intervals",
        more=sharper if width[2] < width[:2].min() else "",
        x_label=_unit(whole),
        unit="%" if is_rate else "",
        digits=2 if is_rate else 3,
    )


def _means_table(whole: Whole) -> document.Table:
    """Return both and their difference, which alone has a sign."""
    look, apart = columns.looks_of(whole)

    def signed(make: Callable[[str, Look], columns.Shown], name: str) -> columns.Shown:
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
        signed(columns.ends, f"{columns.confidence_of(whole)} interval"),
    )
    return columns.table_of("Both, and their difference", tables_of(whole)["means"], shown, note)


def _pairing(whole: Whole) -> str:
    """Return how often luck alone decided, and what common deals were worth."""
    share = whole["lucks_differing"] / whole["lucks"]
    said = f"On {percent(share)} of deals the two did not come out alike in every seat."
    if whole["variance_ratio"] is not None:
        said += (
            f" Playing both in every seat on the same deals was worth "
            f"{whole['variance_ratio']:.1f} times as many games, each on a deal of its own."
        )
    return said


def _forest(whole: Whole) -> Drawing:
    """Return the differences under all readings, one below the other."""
    readings, is_rate = tables_of(whole)["readings"], whole["metric"] == WIN
    a, b, scale = whole["a"], whole["b"], 100 if is_rate else 1
    clauses = readings["clause"].map(lambda one: f" ({one})" if one else "")
    named = readings.assign(reading=readings["setting"] + clauses)
    findings = [
        Finding("", one.label, one.value, one.low, one.high, POINTS_UNIT if is_rate else "")
        for one in columns.marks(columns.looks_of(whole)[0], named, "reading")
    ]
    margin = None if whole["margin"] is None else scale * whole["margin"]
    more, less = ("wins more", "wins less") if is_rate else ("is higher", "is lower")
    said = {"above": f"{more} than {b}", "below": f"{less} than {b}", "among": "readings"}
    what, unit = ("win rate", f", {POINTS_UNIT}") if is_rate else (_metric(whole), "")
    return forest_drawing(
        findings,
        tallied(findings, a, **said, margin=margin),
        x_label=f"{what} of {a} less that of {b}{unit}",
        above=f"{a} is higher",
        below=f"{b} is higher",
        margin=margin,
    )


def _readings_table(whole: Whole) -> document.Table:
    look = columns.looks_of(whole)[1]
    shown = (
        columns.text("reading", "setting"),
        columns.text("clause", "clause"),
        columns.value("difference", look),
        columns.ends("interval", look),
        columns.number("deals", "n"),
        columns.Shown("same finding", "holds", _same, is_number=False),
    )
    return columns.table_of("Every reading", tables_of(whole)["readings"], shown)


def _not_tried(whole: Whole) -> tuple[document.Part, ...]:
    """Return the readings that cannot change a game under the settings given."""
    said = [
        f"Not tried: {one['setting']} ({one['clause']}), which matters only with "
        f"{one['only_with']}."
        for one in whole.get("readings_not_tried", ())  # results of older versions have none
    ]
    return (document.Points(tuple(said)),) if said else ()


def _same(row: columns.Row) -> document.Cell:
    """Return whether a reading gives the finding of the rules as given."""
    if not row["settled"]:
        return document.Cell("too close to call")
    if not row["clause"]:
        return document.Cell("as given")
    return document.Cell("yes" if row["holds"] else "no")


_LIMIT = "It stopped at its limit, unsettled; its intervals hold together whenever one stops"
_INTERVALS = {
    "blocks": "Intervals come from how deals vary, each deal with all its seatings.",
    "anytime": "It went on until it was settled; its intervals hold together whenever one stops.",
    "anytime-asymptotic": "It went on until it was settled; its intervals hold together whenever "
    "one stops, in the limit of many deals.",
}


def _interval(whole: Whole) -> str:
    is_at_limit = whole["interval"] != "blocks" and not whole["settled"]
    return _LIMIT if is_at_limit else _INTERVALS[whole["interval"]]
