"""A sweep as a report: the curve or heat map, and every point."""

from herdlab.analysis.figures.curve import are_numbers
from herdlab.analysis.figures.sweeps import sweep_drawing, unit_of
from herdlab.analysis.report import columns
from herdlab.analysis.report.document import Cell, Composed, Part, Section, Table, Verdict
from herdlab.analysis.report.of_comparison import played_on_deals
from herdlab.analysis.sampling.metrics import WIN
from herdlab.analysis.tables import Whole, tables_of
from herdlab.analysis.words.numbers import Look
from herdlab.analysis.words.phrases import capital, listed, sentence

_KINDS = {"tie": "tie", "open": "too close to call", "higher": "higher", "lower": "lower"}
_SURE = (
    "Intervals of points are 95 % each; those of differences to the best hold together with 95 %."
)
_ACROSS = 8
"""Values of the second variable that have a column each; of more every point has a line."""
_MARKS = {"tie": "*", "open": "?"}
_MANY = 10
"""More points than these are in a table that is folded away."""


def compose_sweep(whole: Whole) -> Composed:
    """Return a sweep as parts of a document."""
    who, varied = whole["arguments"]["strategy"], list(whole["points"][0]["values"])
    parts: tuple[Part, ...] = (
        sweep_drawing(whole),
        *_crossed(whole, varied),
        _points(whole, varied),
    )
    values = f" at {len(whole['points'])} values of {listed(varied)}"
    return Composed(
        f"{who}, {listed(varied)} varied",
        Verdict(sentence(capital(f"{whole['unit']}: {whole['sentence']}")), how_sure=_SURE),
        all(one.get("kind") != "open" for one in whole["points"]),
        (Section("Point by point", parts),),
        (f"{who} {played_on_deals(whole, values)}", _SURE),
    )


def _points(whole: Whole, varied: list[str]) -> Table:
    look, apart = columns.looks_of(whole)
    points, best = tables_of(whole)["points"], whole.get("best_word", "best")
    if whole["best"] is None:
        points = points.drop(labels=["difference", "in_best_region"], axis="columns")

    def is_best(row: columns.Row) -> Cell | None:
        return columns.NOTHING if row["difference_low"] == row["difference_high"] == 0 else None

    shown = (
        *(_variable(name, is_number=are_numbers(points[name])) for name in varied),
        columns.value(unit_of(whole), look),
        columns.ends("95 % interval", look),
        columns.instead(columns.value(f"less the {best}", apart, "difference"), is_best),
        columns.instead(columns.ends("interval", apart, "difference"), is_best),
        columns.Shown(f"compared with the {best}", "in_best_region", _compared, is_number=False),
    )
    return columns.table_of("Every point", points, shown, is_folded=len(points) > _MANY)


def _compared(row: columns.Row) -> Cell:
    """Return how a point stands beside the best; results of old versions say less."""
    in_region = "not clearly apart" if row["in_best_region"] else "apart"
    return Cell(_KINDS.get(row.get("kind") or "", in_region))


def _variable(name: str, *, is_number: bool) -> columns.Shown:
    """Return the column of what was varied, with its values as they were written."""

    def cell(row: columns.Row) -> Cell:
        return Cell(f"{row[name]}", float(row[name]) if is_number else None)

    return columns.Shown(name, name, cell, is_number)


def _crossed(whole: Whole, varied: list[str]) -> tuple[Table, ...]:
    """Return a grid of two variables as one, if there is room for it."""
    points, best = tables_of(whole)["points"], whole["best"]
    if len(varied) != 2 or points[varied[1]].nunique() > _ACROSS:  # noqa: PLR2004
        return ()
    look = Look(100, 2) if whole["metric"] == WIN else Look(1, 3)
    points["is_best"] = [one["values"] == best for one in whole["points"]]

    def marked(row: columns.Row) -> Cell:
        mark = "**" if row["is_best"] else _MARKS.get(row.get("kind") or "", "")
        mark = "" if best is None else mark
        return Cell(f"{look.number(row['value'])} {mark:2}", look.scale * row["value"])

    note = f"{varied[0]} down, {varied[1]} across"
    if best is not None:
        note += f"; ** {whole.get('best_word', 'best')}; * ties with it; ? too close to call"
    down = [_variable(varied[0], is_number=are_numbers(points[varied[0]]))]
    cell = columns.Shown("", "value", marked)
    title = capital(unit_of(whole))
    return (columns.crossed(title, points, down, varied[1], cell, f"{note}."),)
