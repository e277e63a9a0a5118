"""What decides a game, as a report: shares of luck, seat and strategy; how many games it takes."""

from collections import defaultdict
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
    percent,
    rate_between,
    table,
)
from herdlab.analysis.report.document import Cell, Part, Picture, Section, Table, Verdict
from herdlab.analysis.words.phrases import listed, sentence

_WITH_ONE_KIND = 3
"""Sources where there is one kind of luck: seat, strategy, and that one."""


def compose_luck(whole: Result) -> Composed:
    """Return a decomposition of luck as parts of a document."""
    game = game_of(whole)
    sections = [Section("What decides a game", (_picture(whole), _table(whole)))]
    if whole["series"]:
        series: tuple[Part, ...] = (_series(whole),)
        sections.append(Section("How many games show who is better", series))
    return Composed(
        "How much is luck?",
        Verdict(sentence(whole["sentence"]), _ahead(whole), _SURE),
        all(one["settled"] for one in whole["series"]),
        tuple(sections),
        (
            f"{whole['lucks']:,} deals of {game.title} were played in every rotation of "
            f"{listed(whole['players'])}, and again with one kind of luck drawn anew: "
            f"{whole['games']:,} games. Shares are those of the variance of the result, seat by "
            f"seat (Sobol indices), with 95 % intervals by jackknife.",
        ),
    )


_SURE = (
    "Intervals of shares are 95 % each, by jackknife; those of differences hold for all pairs "
    "together."
)


def _ahead(whole: Result) -> tuple[str, ...]:
    """Return after how many games the better of each two is seen to be ahead."""
    return tuple(sentence(one["sentence"]) for one in whole["series"])


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
        total = NOTHING if one["total"] is None else share_cell(*_of(one, "total"))
        alone = share_cell(*_of(one, "first"))
        rows.append([Cell(one["source"]), alone, total, Cell(one["words"])])
    together = share_cell(whole["together"], whole["together_ci_low"], whole["together_ci_high"])
    rows.append([Cell("together"), together, NOTHING, Cell("what none of them decides alone")])
    head = ["source", "alone, % ", "with all, % ", "what it is"]
    return table("Shares, with their 95 % intervals", head, rows, _note(whole))


def _note(whole: Result) -> str:
    """Return what all luck at once decides, and which kinds made no difference."""
    said = ["With all: with everything it has a hand in."]
    if len(whole["shares"]) > _WITH_ONE_KIND and whole["all_luck"]["total"] is not None:
        value, low, high = _of(whole["all_luck"], "total")
        said.append(
            f"All luck at once: {percent(value)} ({rate_between(low, high)}), what seat and "
            f"strategy do not foretell."
        )
    by_deals = defaultdict(list)
    for kind in whole["unused"]:
        by_deals[whole["unused_lucks"][kind]].append(kind)
    said += [
        f"Made no difference in {deals:,} deals: {listed(kinds)}."
        for deals, kinds in by_deals.items()
    ]
    return " ".join(said)


def share_cell(value: float, low: float, high: float) -> Cell:
    """Return a share and its interval, moved to where shares are: none is below 0 or above 1."""
    shown = max(0.0, min(1.0, value))
    ends = max(0.0, low + shown - value), min(1.0, high + shown - value)
    return number(shown, f"{100 * shown:.2f} ({rate_between(*ends)})")


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
