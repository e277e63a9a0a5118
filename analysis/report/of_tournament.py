"""A tournament as a report: standings, pairs, ratings, and the mix to play."""

from functools import partial

import pandas as pd

from herdlab.analysis.figures.drawing import Drawing
from herdlab.analysis.figures.pairs import Pair, pairs
from herdlab.analysis.figures.ranking import ranking_drawing
from herdlab.analysis.report import columns
from herdlab.analysis.report.document import (
    Cell,
    Composed,
    Paragraph,
    Part,
    Section,
    Table,
    Verdict,
)
from herdlab.analysis.tables import Whole, tables_of
from herdlab.analysis.words.numbers import RATE, Look
from herdlab.analysis.words.phrases import capital, counted, sentence
from herdlab.simcore.game import find_game

_AVERAGE = 1500.0
"""The rating of an average entrant."""
_NAMED = 6
"""Entrants that a cell of a table names; more would fill pages."""
_PAIRS_SHOWN = 12
"""Entrants up to which there is a table of pairs."""
_MARKS = {"tie": " =", "open": " ?"}
_SPOKEN = 6
"""Entrants that an alternative text speaks of."""
_SURE = (
    "Uncertainty is how numbers vary between groups of deals. Verdicts hold for all pairs "
    "together: clear differences by Holm's test, ties by corrected intervals."
)
_APART, _POINTS = Look(100, 1, "+"), Look(digits=0)
_ENTRANT = columns.text("entrant", "strategy")
_STANDINGS = (
    _ENTRANT,
    columns.value("win rate, %", RATE),
    columns.ends("95 % interval", RATE),
    columns.text("no clear difference from", "others"),
)
_RATINGS = (
    _ENTRANT,
    columns.value("rating", _POINTS, "rating"),
    columns.ends("95 % interval", _POINTS, "rating"),
)
_MIX = (
    _ENTRANT,
    columns.value("share, %", Look(100, 1), "share"),
    columns.ends("95 % interval", RATE, "share"),
)


def compose_tournament(whole: Whole) -> Composed:
    """Return a tournament as parts of a document."""
    entrants, mix = tables_of(whole)["entrants"], whole["equilibrium"]
    cycles = tuple(map(sentence, whole["cycles"]))
    met: list[Part] = [_pairs(whole), *map(Paragraph, cycles), *_pair_table(whole)]
    sections = [
        Section("Standings", (_win_rates(whole, entrants), _standings(whole, entrants))),
        Section("Everybody against everybody", tuple(met)),
        Section("Ratings", _ratings(whole, entrants)),
    ]
    if mix is not None:
        said = Paragraph(sentence(capital(mix["sentence"])))
        is_mixed = (entrants["share"] > 0).sum() > 1
        several = (columns.table_of("Shares of the mix", entrants, _MIX),) if is_mixed else ()
        sections.append(Section("What a table settles on", (said, *several)))
    return Composed(
        f"A tournament of {len(entrants)} strategies",
        Verdict(sentence(whole["sentence"]), cycles, _SURE),
        not whole["entrants"][0]["not_told_apart"],
        tuple(sections),
        _method(whole),
    )


def _win_rates(whole: Whole, entrants: pd.DataFrame) -> Drawing:
    return ranking_drawing(
        columns.marks(RATE, entrants, "strategy"),
        f"Win rates at tables of {whole['size']}",
        what="win rates",
        most_told=_SPOKEN,
        x_label="games won against opponents drawn from the entrants, %",
        unit="%",
        line=100 / whole["size"],
        line_label="fair share",
    )


def _standings(whole: Whole, entrants: pd.DataFrame) -> Table:
    others = [one["not_told_apart"] for one in whole["entrants"]]
    shown = [
        ", ".join(names) or "–" if len(names) <= _NAMED else f"{len(names)} others"
        for names in others
    ]
    note = f"Where others are more than {_NAMED}, the result that --json prints names them."
    note = note if max(map(len, others)) > _NAMED else ""
    return columns.table_of("Standings", entrants.assign(others=shown), _STANDINGS, note)


def _pairs(whole: Whole) -> Drawing:
    names = [one["strategy"] for one in whole["entrants"]]
    found = [
        Pair(one["a"], one["b"], 100 * one["difference"], one["real"]) for one in whole["pairs"]
    ]
    unclear = sum(not one.is_real for one in found)
    widest = sorted(whole["pairs"], key=lambda one: -abs(one["difference"]))[:3]
    values = "; ".join(
        f"{one['a']} less {one['b']} "
        f"{_APART.whole(one['difference'], one['ci_low'], one['ci_high'])}"
        for one in widest
    )
    return Drawing(
        "Who wins more where both sit",
        partial(pairs, names, found),
        f"Heat map of the row's win rate less the column's, in percentage points. The largest "
        f"differences: {values}. No clear difference: {unclear} of {len(found)} pairs.",
        "A cell is the row's win rate less the column's at tables where both sit, in percentage "
        "points. Muted cells are ties or too close to call: fewer tables count here than in the "
        "standings.",
    )


def _pair_table(whole: Whole) -> tuple[Table, ...]:
    """Return every two at the tables where both sit, if there is room for all."""
    names = [one["strategy"] for one in whole["entrants"]]
    if len(names) > _PAIRS_SHOWN:
        return ()
    known = {}
    for one in whole["pairs"]:
        mark = _MARKS.get(one.get("kind"), "")
        known[one["a"], one["b"]] = one["difference"], mark
        known[one["b"], one["a"]] = -one["difference"], mark
    cells = [(a, b, *known.get((a, b), (None, ""))) for a in names for b in names]
    frame = pd.DataFrame(cells, columns=["a", "b", "value", "mark"])
    note = (
        "The row's win rate less the column's at tables where both sit, in percentage points; "
        "= tie, ? too close to call."
    )

    def marked(row: columns.Row) -> Cell:
        if row["value"] is None:
            return Cell("")
        return Cell(f"{_APART.number(row['value'])}{row['mark']}", 100 * row["value"])

    down, cell = [columns.text("", "a")], columns.Shown("", "value", marked)
    return (columns.crossed("Every pair", frame, down, "b", cell, note, is_folded=True),)


def _ratings(whole: Whole, entrants: pd.DataFrame) -> tuple[Part, ...]:
    drawing = ranking_drawing(
        columns.marks(_POINTS, entrants, "strategy", key="rating"),
        "Strength of entrants by their ratings",
        what="ratings",
        more=" 100 points more win 64 % of games between two.",
        most_told=_SPOKEN,
        x_label="rating, points",
        digits=0,
        line=_AVERAGE,
        line_label="average",
    )
    look = Look(digits=0, sign="+")
    seats = "; ".join(
        f"seat {seat} {look.whole(*columns.estimate_of(one, 'rating'))}"
        for seat, one in enumerate(whole["seat_ratings"])
    )
    table = columns.table_of("Ratings", entrants, _RATINGS, is_folded=True)
    return drawing, table, Paragraph(f"What a seat is worth, in points of rating: {seats}.")


def _method(whole: Whole) -> tuple[str, ...]:
    which = "all" if whole["line_ups"] == whole["possible_line_ups"] else "a sample of"
    return (
        f"{counted(len(whole['entrants']), 'entrant')} met at tables of {whole['size']} in {which} "
        f"{whole['line_ups']:,} of {counted(whole['possible_line_ups'], 'line-up')}, every seating "
        f"on the same deals: {counted(whole['games'], 'game')} of {find_game(whole['game']).title}",
        "Win rates are those against opponents drawn at random from the entrants, ratings those "
        "of a model of strength.",
        _SURE,
    )
