"""A sweep as a report: the curve or heat map, and every point."""

from herdlab.analysis.figures.curve import are_numbers
from herdlab.analysis.figures.sweeps import sweep_drawing
from herdlab.analysis.report import columns
from herdlab.analysis.report.composing import Composed, Result, game_of
from herdlab.analysis.report.document import Cell, Part, Picture, Section, Table, Verdict
from herdlab.analysis.tables import tables_of
from herdlab.analysis.words.phrases import capital, listed, sentence

_WIN = "win"
_KINDS = {"tie": "tie", "open": "too close to call", "higher": "higher", "lower": "lower"}
_SURE = (
    "Intervals of points are 95 % each; those of differences to the best hold together with 95 %."
)
_ACROSS = 8
"""Values of the second variable that have a column each; of more every point has a line."""
_MARKS = {"tie": "*", "open": "?"}
_MANY = 10
"""More points than these are in a table that is folded away."""


def compose_sweep(whole: Result) -> Composed:
    """Return a sweep as parts of a document."""
    given, varied = whole["arguments"], list(whole["points"][0]["values"])
    text = f"{whole['unit']}: {whole['sentence']}"
    parts: tuple[Part, ...] = (
        Picture(sweep_drawing(whole)),
        *_crossed(whole, varied),
        _points(whole, varied),
    )
    return Composed(
        f"{given['strategy']}, {listed(varied)} varied",
        Verdict(sentence(capital(text)), (), _SURE),
        all(one.get("kind") != "open" for one in whole["points"]),
        (Section("Point by point", parts),),
        _method(whole, varied),
    )


def _unit(whole: Result) -> str:
    return f"{whole['unit']}, %" if whole["metric"] == _WIN else str(whole["unit"])


def _points(whole: Result, varied: list[str]) -> Table:
    look, apart = (
        (columns.RATE, columns.POINTS)
        if whole["metric"] == _WIN
        else (columns.MEAN, columns.CHANGE)
    )
    points, best = tables_of(whole)["points"], whole.get("best_word", "best")
    if whole["best"] is None:
        points = points.drop(labels=["difference", "in_best_region"], axis="columns")
    shown = (
        *(_variable(name, is_number=are_numbers(points[name])) for name in varied),
        columns.value(_unit(whole), look),
        columns.ends("95 % interval", look),
        columns.instead(columns.value(f"less the {best}", apart, "difference"), _none_for_the_best),
        columns.instead(columns.ends("interval", apart, "difference"), _none_for_the_best),
        columns.Shown(f"compared with the {best}", "in_best_region", _compared, is_number=False),
    )
    return columns.table_of("Every point", points, shown, is_folded=len(points) > _MANY)


def _none_for_the_best(row: columns.Row) -> Cell | None:
    return columns.NOTHING if row["difference_low"] == row["difference_high"] == 0 else None


def _variable(name: str, *, is_number: bool) -> columns.Shown:
    """Return the column of what was varied, with its values as they were written."""
    return columns.Shown(
        name,
        name,
        lambda row: Cell(f"{row[name]}", float(row[name]) if is_number else None),
        is_number,
    )


def _crossed(whole: Result, varied: list[str]) -> tuple[Table, ...]:
    """Return a grid of two variables as one, if there is room for it."""
    points, best = tables_of(whole)["points"], whole["best"]
    if len(varied) != 2 or points[varied[1]].nunique() > _ACROSS:  # noqa: PLR2004
        return ()
    look = columns.Look(100, 2) if whole["metric"] == _WIN else columns.Look(1, 3)
    chosen = [one["values"] == best for one in whole["points"]]

    def marked(row: columns.Row) -> Cell:
        mark = "**" if row["is_best"] else _MARKS.get(row.get("kind") or "", "")
        mark = "" if best is None else mark
        return Cell(f"{look.number(row['value'])} {mark:2}", look.scale * row["value"])

    note = f"{varied[0]} down, {varied[1]} across"
    if best is not None:
        note += f"; ** {whole.get('best_word', 'best')}; * ties with it; ? too close to call"
    return (
        columns.crossed(
            capital(_unit(whole)),
            points.assign(is_best=chosen),
            [_variable(varied[0], is_number=are_numbers(points[varied[0]]))],
            varied[1],
            columns.Shown("", "value", marked),
            f"{note}.",
        ),
    )


def _compared(row: columns.Row) -> Cell:
    """Return how a point stands beside the best; results of old versions say less."""
    in_region = "not clearly apart" if row["in_best_region"] else "apart"
    return Cell(_KINDS.get(row.get("kind") or "", in_region))


def _method(whole: Result, varied: list[str]) -> tuple[str, ...]:
    field = whole["field"]
    beside = f" beside {listed(field)}" if field else " alone"
    return (
        f"{whole['arguments']['strategy']} played every seat{beside} at {len(whole['points'])} "
        f"values of {listed(varied)}, on the same {whole['lucks']:,} deals: {whole['games']:,} "
        f"games of {game_of(whole).title}",
        _SURE,
    )
