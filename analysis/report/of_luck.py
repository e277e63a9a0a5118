"""What decides a game, as a report: shares of luck, seat and strategy; how many games it takes."""

from functools import partial

from analysis.figures.drawing import Drawing
from analysis.figures.shares import Share, shares
from analysis.questions.wording import listed
from analysis.report.composing import (
    NOTHING,
    Composed,
    Result,
    game_of,
    in_per_cent,
    number,
    percent,
    rate_between,
    sentence,
    table,
)
from analysis.report.document import Cell, Part, Picture, Section, Table, Verdict


def compose_luck(whole: Result) -> Composed:
    """Return a decomposition of luck as parts of a document."""
    game = game_of(whole)
    sections = [Section("What decides a game", (_picture(whole), _table(whole)))]
    if whole["series"]:
        series: tuple[Part, ...] = (_series(whole),)
        sections.append(Section("How many games show who is better", series))
    return Composed(
        "How much is luck?",
        Verdict(sentence(whole["sentence"])),
        tuple(sections),
        (
            f"{whole['lucks']:,} lucks of {game.title} were played in every rotation of "
            f"{listed(whole['players'])}, and again with one kind of luck drawn anew: "
            f"{whole['games']:,} games. Shares are those of the variance of the result, seat by "
            f"seat (Sobol indices), with 95 % intervals by jackknife.",
        ),
    )


def _within(value: float, low: float, high: float) -> tuple[float, float, float]:
    """Return a share and its interval moved to where shares are: none is below 0 or above 1."""
    held = max(0.0, min(1.0, value))
    return held, max(0.0, low + held - value), min(1.0, high + held - value)


def _rows(whole: Result) -> list[tuple[Result, tuple[float, float, float]]]:
    return [
        (one, _within(one["first"], one["first_ci_low"], one["first_ci_high"]))
        for one in whole["shares"]
    ]


def _picture(whole: Result) -> Picture:
    rows = [Share(one["source"], *in_per_cent(*held), one["words"]) for one, held in _rows(whole)]
    together = _within(whole["together"], whole["together_ci_low"], whole["together_ci_high"])
    rows.append(Share("together", *in_per_cent(*together), "none of them alone"))
    values = "; ".join(f"{one.label} {one.value:.1f} %" for one in rows)
    return Picture(
        Drawing(
            "What each decides alone, and what only several decide together",
            partial(shares, rows, x_label="share of the variance of the result, %"),
            f"Bars of shares of the variance: {values}.",
            "Thin lines are 95 % intervals. All bars add up to the whole.",
        )
    )


def _table(whole: Result) -> Table:
    rows = []
    for one, (value, low, high) in _rows(whole):
        row = [Cell(one["source"]), number(value, percent(value)), *_span(low, high)]
        if one["total"] is None:
            row += [NOTHING, NOTHING]
        else:
            total, *ends = _within(one["total"], one["total_ci_low"], one["total_ci_high"])
            row += [number(total, percent(total)), *_span(*ends)]
        rows.append([*row, Cell(one["words"])])
    head = ["source", "alone ", "95 % interval, % ", "with all it meets "]
    return table("Shares", [*head, "95 % interval, % ", "what it is"], rows)


def _span(low: float, high: float) -> list[Cell]:
    return [number(low, rate_between(low, high))]


def _series(whole: Result) -> Table:
    rows = []
    for one in whole["series"]:
        low, high = one["ci_low"], one["ci_high"]
        row = [
            Cell(one["better"]),
            Cell(one["worse"]),
            number(one["difference"], f"{100 * one['difference']:.2f}"),
            number(low, rate_between(low, high)),
        ]
        row += [_games(one, f"games_{share}") for share in ("75", "95")]
        rows.append(row)
    head = ["better", "worse", "difference a game, % points ", "95 % interval "]
    return table(
        "Games after which the better one has won more often",
        [*head, "with 75 % ", "with 95 % "],
        rows,
    )


def _games(one: Result, key: str) -> Cell:
    value, low, high = one[key], one[f"{key}_low"], one[f"{key}_high"]
    if value is None:
        return NOTHING
    ends = "" if low is None or high is None else f" ({low:,} to {high:,})"
    return number(value, f"{value:,}{ends}")
