"""What decides a game, as a report: shares of luck, seat and strategy; how many games it takes."""

from functools import partial

from herdlab.analysis.figures.drawing import Drawing
from herdlab.analysis.figures.shares import Share, shares
from herdlab.analysis.report.composing import (
    NOTHING,
    Composed,
    Result,
    game_of,
    in_per_cent,
    number,
    rate_between,
    sentence,
    table,
)
from herdlab.analysis.report.document import Cell, Part, Picture, Section, Table, Verdict
from herdlab.analysis.words.phrases import listed


def compose_luck(whole: Result) -> Composed:
    """Return a decomposition of luck as parts of a document."""
    game = game_of(whole)
    sections = [Section("What decides a game", (_picture(whole), _table(whole)))]
    if whole["series"]:
        series: tuple[Part, ...] = (_series(whole),)
        sections.append(Section("How many games show who is better", series))
    return Composed(
        "How much is luck?",
        Verdict(sentence(whole["sentence"]), _ahead(whole)),
        tuple(sections),
        (
            f"{whole['lucks']:,} lucks of {game.title} were played in every rotation of "
            f"{listed(whole['players'])}, and again with one kind of luck drawn anew: "
            f"{whole['games']:,} games. Shares are those of the variance of the result, seat by "
            f"seat (Sobol indices), with 95 % intervals by jackknife.",
        ),
    )


def _ahead(whole: Result) -> str:
    """Return after how many games the best is seen to be ahead of the next."""
    settled = [one for one in whole["series"] if one["settled"]]
    return sentence(settled[0]["sentence"]) if settled else ""


def _picture(whole: Result) -> Picture:
    rows = [
        Share(one["source"], *in_per_cent(*_of(one, "first")), one["words"])
        for one in whole["shares"]
    ]
    together = in_per_cent(whole["together"], whole["together_ci_low"], whole["together_ci_high"])
    rows.append(Share("together", *together, "none of them alone"))
    values = "; ".join(f"{one.label} {one.value:.1f} %" for one in rows)
    return Picture(
        Drawing(
            "What each decides alone, and what only several decide together",
            partial(shares, rows, x_label="share of the variance of the result, %"),
            f"Bars of shares of the variance: {values}.",
            "Thin lines are 95 % intervals. A share is an estimate: one near 0 may come out below.",
        )
    )


def _of(one: Result, key: str) -> tuple[float, float, float]:
    return one[key], one[f"{key}_ci_low"], one[f"{key}_ci_high"]


def _table(whole: Result) -> Table:
    rows = []
    for one in whole["shares"]:
        total = NOTHING if one["total"] is None else _span(*_of(one, "total"))
        rows.append([Cell(one["source"]), _span(*_of(one, "first")), total, Cell(one["words"])])
    head = ["source", "alone, % ", "with all it has a hand in, % ", "what it is"]
    return table("Shares, with their 95 % intervals", head, rows)


def _span(value: float, low: float, high: float) -> Cell:
    return number(value, f"{100 * value:z.2f} ({rate_between(low, high)})")


def _series(whole: Result) -> Table:
    rows = []
    for one in whole["series"]:
        low, high = one["ci_low"], one["ci_high"]
        more = f"{100 * one['difference']:.2f} ({rate_between(low, high)})"
        row = [Cell(f"{one['better']} before {one['worse']}"), number(one["difference"], more)]
        row += [_games(one, f"games_{share}") for share in ("75", "95")]
        rows.append(row)
    head = ["pair", "wins more, % points "]
    return table(
        "Games after which the first of a pair has won more often",
        [*head, "with 75 % ", "with 95 % "],
        rows,
    )


def _games(one: Result, key: str) -> Cell:
    value, low, high = one[key], one[f"{key}_low"], one[f"{key}_high"]
    if value is None:  # results of earlier versions have no low end either
        return NOTHING if low is None else number(low, f"at least {low:,}")
    ends = "" if low is None or high is None else f" ({low:,} to {high:,})"
    return number(value, f"{value:,}{ends}")
