"""A tournament as a report: standings, pairs, ratings, and the mix to play."""

from functools import partial

from herdlab.analysis.figures.drawing import Drawing
from herdlab.analysis.figures.pairs import Pair, pairs
from herdlab.analysis.figures.ranking import Ranked, ranking
from herdlab.analysis.report.composing import (
    NOTHING,
    Composed,
    Result,
    between,
    game_of,
    in_per_cent,
    number,
    percent,
    rate_between,
    rate_cells,
    table,
)
from herdlab.analysis.report.document import Cell, Paragraph, Part, Picture, Section, Table, Verdict
from herdlab.analysis.words.phrases import capital, counted, sentence

_AVERAGE = 1500
"""The rating of an average entrant."""
_NAMED = 6
"""Entrants that a cell of a table names; more would fill pages."""
_PAIRS_SHOWN = 12
"""Entrants up to which there is a table of pairs."""
_MARKS = {"tie": " =", "open": " ?"}
_SPOKEN = 6
"""Entrants that an alternative text speaks of."""


_SURE = (
    "Uncertainty is how figures vary between groups of deals. Verdicts hold for all pairs "
    "together: clear differences by Holm's test, ties by corrected intervals."
)


def compose_tournament(whole: Result) -> Composed:
    """Return a tournament as parts of a document."""
    cycles = tuple(Paragraph(sentence(one)) for one in whole["cycles"])
    mix = whole["equilibrium"]
    sections = [
        Section("Standings", (_win_rates(whole), _standings(whole))),
        Section("Everybody against everybody", (_pairs(whole), *cycles, *_pair_table(whole))),
        Section("Ratings", tuple(_ratings(whole))),
    ]
    if mix is not None:
        shares = [one["equilibrium_share"] for one in whole["entrants"]]
        said = Paragraph(sentence(capital(mix["sentence"])))
        several = (_mix(whole),) if sum(share > 0 for share in shares) > 1 else ()
        sections.append(Section("What a table settles on", (said, *several)))
    return Composed(
        f"A tournament of {len(whole['entrants'])} strategies",
        Verdict(sentence(whole["sentence"]), tuple(map(sentence, whole["cycles"])), _SURE),
        not whole["entrants"][0]["not_told_apart"],
        tuple(sections),
        _method(whole),
    )


def _win_rates(whole: Result) -> Picture:
    rows = [
        Ranked(one["strategy"], *in_per_cent(one["win_rate"], one["ci_low"], one["ci_high"]))
        for one in whole["entrants"]
    ]
    fair = 100 / whole["size"]
    values = "; ".join(
        f"{one['strategy']} {percent(one['win_rate'])} "
        f"({rate_between(one['ci_low'], one['ci_high'])})"
        for one in whole["entrants"][:_SPOKEN]
    )
    return Picture(
        Drawing(
            f"Win rates at tables of {whole['size']}",
            lambda wide: ranking(
                rows,
                wide,
                x_label="games won against opponents drawn from the entrants, %",
                unit="%",
                digits=1,
                line=fair,
                line_label="fair share",
            ),
            f"Win rates with their 95 % intervals, the highest on top: {values}"
            f"{' and so on' if len(rows) > _SPOKEN else ''}. A fair share is {fair:.1f} %.",
            "Dots are win rates, bars their 95 % intervals where wider than a dot; the dashed line "
            "is a fair share.",
        )
    )


def _standings(whole: Result) -> Table:
    rows = [
        [
            Cell(one["strategy"]),
            *rate_cells(one["win_rate"], one["ci_low"], one["ci_high"]),
            Cell(_others(one["not_told_apart"])),
        ]
        for one in whole["entrants"]
    ]
    head = ["entrant", "win rate, % ", "95 % interval ", "no clear difference from"]
    has_more = any(len(one["not_told_apart"]) > _NAMED for one in whole["entrants"])
    note = f"Where others are more than {_NAMED}, the result that --json prints names them."
    return table("Standings", head, rows, note if has_more else "")


def _others(names: list[str]) -> str:
    return ", ".join(names) or "–" if len(names) <= _NAMED else f"{len(names)} others"


def _pairs(whole: Result) -> Picture:
    names = [one["strategy"] for one in whole["entrants"]]
    found = [
        Pair(
            one["a"],
            one["b"],
            *in_per_cent(one["difference"], one["ci_low"], one["ci_high"]),
            one["real"],
        )
        for one in whole["pairs"]
    ]
    unclear = sum(not one.is_real for one in found)
    widest = sorted(found, key=lambda one: -abs(one.difference))[:3]
    values = "; ".join(
        f"{one.a} less {one.b} {one.difference:+.1f} ({between(one.low, one.high, 1, sign='+')})"
        for one in widest
    )
    return Picture(
        Drawing(
            "Who wins more where both sit",
            partial(pairs, names, found),
            f"Heat map of the row's win rate less the column's, in percentage points. The largest "
            f"differences: {values}. No clear difference: {unclear} of {len(found)} pairs.",
            "A cell is the row's win rate less the column's at tables where both sit, in "
            "percentage points. Muted cells are ties or too close to call: fewer tables count here "
            "than in the standings.",
        )
    )


def _pair_table(whole: Result) -> tuple[Table, ...]:
    """Return every two at the tables where both sit, if there is room for all."""
    names = [one["strategy"] for one in whole["entrants"]]
    if len(names) > _PAIRS_SHOWN:
        return ()
    cells = {}
    for one in whole["pairs"]:
        value, mark = 100 * one["difference"], _MARKS.get(one.get("kind"), "")
        cells[one["a"], one["b"]] = Cell(f"{value:+.1f}{mark}", value)
        cells[one["b"], one["a"]] = Cell(f"{-value:+.1f}{mark}", -value)
    rows = [[Cell(one), *(cells.get((one, other), Cell("")) for other in names)] for one in names]
    note = (
        "The row's win rate less the column's at tables where both sit, in percentage points; "
        "= tie, ? too close to call."
    )
    return (table("Every pair", ["", *(f"{name} " for name in names)], rows, note, is_folded=True),)


def _ratings(whole: Result) -> list[Part]:
    rows = [
        Ranked(one["strategy"], one["rating"], one["rating_low"], one["rating_high"])
        for one in whole["entrants"]
    ]
    values = "; ".join(f"{one.label} {one.value:.0f}" for one in rows[:_SPOKEN])
    seats = "; ".join(
        f"seat {seat} {one['rating']:+z.0f} "
        f"({between(one['rating_low'], one['rating_high'], 0, sign='+')})"
        for seat, one in enumerate(whole["seat_ratings"])
    )
    return [
        Picture(
            Drawing(
                "Strength of entrants by their ratings",
                partial(
                    ranking,
                    rows,
                    x_label="rating, points",
                    digits=0,
                    line=float(_AVERAGE),
                    line_label="average",
                ),
                f"Ratings with their 95 % intervals, the highest on top: {values}.",
                "Dots are ratings, bars their 95 % intervals where wider than a dot. 100 points "
                "more win 64 % of games between two.",
            )
        ),
        _rating_table(whole),
        Paragraph(f"What a seat is worth, in points of rating: {seats}."),
    ]


def _rating_table(whole: Result) -> Table:
    rows = [
        [
            Cell(one["strategy"]),
            number(one["rating"], f"{one['rating']:.0f}"),
            number(one["rating_low"], between(one["rating_low"], one["rating_high"], 0)),
        ]
        for one in whole["entrants"]
    ]
    return table("Ratings", ["entrant", "rating ", "95 % interval "], rows, is_folded=True)


def _mix(whole: Result) -> Table:
    rows = [
        [
            Cell(one["strategy"]),
            NOTHING
            if one["equilibrium_share"] is None
            else number(one["equilibrium_share"], f"{100 * one['equilibrium_share']:.1f}"),
            number(one["share_low"], rate_between(one["share_low"], one["share_high"])),
        ]
        for one in whole["entrants"]
    ]
    return table("Shares of the mix", ["entrant", "share, % ", "95 % interval "], rows)


def _method(whole: Result) -> tuple[str, ...]:
    which = "all" if whole["line_ups"] == whole["possible_line_ups"] else "a sample of"
    return (
        f"{counted(len(whole['entrants']), 'entrant')} met at tables of {whole['size']} in {which} "
        f"{whole['line_ups']:,} of {counted(whole['possible_line_ups'], 'line-up')}, every seating "
        f"on the same deals: {counted(whole['games'], 'game')} of {game_of(whole).title}",
        "Win rates are those against opponents drawn at random from the entrants, ratings those "
        "of a model of strength.",
        _SURE,
    )
