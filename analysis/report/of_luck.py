"""What decides a game, as a report: shares of luck, seat and strategy; how many games it takes."""

from collections import defaultdict
from typing import Any

from herdlab.analysis.figures.shares import shares_drawing
from herdlab.analysis.report import columns
from herdlab.analysis.report.columns import NOTHING, Row, Shown, estimate_of, table_of
from herdlab.analysis.report.document import Cell, Composed, Section, Verdict
from herdlab.analysis.tables import Whole, tables_of
from herdlab.analysis.words.numbers import RATE, percent
from herdlab.analysis.words.phrases import listed, sentence
from herdlab.simcore.game import find_game

_WITH_ONE_KIND = 3
"""Sources where there is one kind of luck: seat, strategy, and that one."""
_SURE = (
    "Intervals of shares are 95 % each, by jackknife; those of differences hold for all pairs "
    "together."
)


def share_cell(value: float | None, low: float, high: float) -> Cell:
    """Return a share and its interval, moved to where shares are: none is below 0 or above 1."""
    if value is None:
        return NOTHING
    shown = max(0.0, min(1.0, value))
    ends = max(0.0, low + shown - value), min(1.0, high + shown - value)
    return Cell(RATE.whole(shown, *ends), shown)


def games_cell(row: Row, key: str) -> Cell:
    """Return how many games it takes, with those ends that are known."""
    value, low, high = estimate_of(row, key)
    if value is None:  # results of earlier versions have no low end either
        return NOTHING if low is None else Cell(f"at least {low:,.0f}", low)
    ends = "" if low is None or high is None else f" ({low:,.0f} to {high:,.0f})"
    return Cell(f"{value:,.0f}{ends}", value)


_SHARES = (
    columns.text("source", "source"),
    Shown("alone, %", "value", lambda row: share_cell(*estimate_of(row))),
    Shown("with all, %", "total", lambda row: share_cell(*estimate_of(row, "total"))),
    columns.text("what it is", "words"),
)
_SERIES = (
    columns.text("pair", "pair"),
    columns.whole("wins more, % points", RATE),
    Shown("with 75 %", "games_75", lambda row: games_cell(row, "games_75")),
    Shown("with 95 %", "games_95", lambda row: games_cell(row, "games_95")),
)


def compose_luck(whole: Whole) -> Composed:
    """Return a decomposition of luck as parts of a document."""
    frames = tables_of(whole)
    drawing = shares_drawing(
        columns.marks(RATE, frames["shares"], "source", "words"),
        "What each decides alone, and what only several decide together",
        "A share is an estimate: one near 0 may come out below.",
        x_label="share of the variance of the result, %",
    )
    title = "Shares, with their 95 % intervals"
    table = table_of(title, frames["shares"], _SHARES, _note(whole))
    sections = [Section("What decides a game", (drawing, table))]
    if "series" in frames:
        pairs = frames["series"]
        pairs["pair"] = pairs["better"] + " before " + pairs["worse"]
        title = "Games after which the first of a pair has won more often"
        table = table_of(title, pairs, _SERIES)
        sections.append(Section("How many games show who is better", (table,)))
    points = tuple(sentence(one["sentence"]) for one in whole["series"])
    played = (
        f"{whole['lucks']:,} deals of {find_game(whole['game']).title} were played in every "
        f"rotation of {listed(whole['players'])}, and again with one kind of luck drawn anew: "
        f"{whole['games']:,} games. Shares are those of the variance of the result, seat by "
        f"seat (Sobol indices), with 95 % intervals by jackknife."
    )
    return Composed(
        "How much is luck?",
        Verdict(sentence(whole["sentence"]), points, _SURE),
        all(one["settled"] for one in whole["series"]),
        tuple(sections),
        (played,),
    )


def _note(whole: Whole) -> str:
    """Return what all luck at once decides, and which kinds made no difference."""
    said = ["With all: with everything it has a hand in."]
    luck = whole["all_luck"]
    if len(whole["shares"]) > _WITH_ONE_KIND and luck["total"] is not None:
        span = RATE.between(luck["total_ci_low"], luck["total_ci_high"])
        said.append(
            f"All luck at once: {percent(luck['total'])} ({span}), what seat and strategy do not "
            f"foretell."
        )
    by_deals: defaultdict[Any, list[str]] = defaultdict(list)
    for kind in whole["unused"]:
        by_deals[whole["unused_lucks"][kind]].append(kind)
    said += [
        f"Made no difference in {deals:,} deals: {listed(kinds)}."
        for deals, kinds in by_deals.items()
    ]
    return " ".join(said)
