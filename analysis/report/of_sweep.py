"""A sweep as a report: the curve or heat map, and every point."""

from typing import Any

from herdlab.analysis.figures.sweeps import sweep_drawing
from herdlab.analysis.report.composing import (
    NOTHING,
    Composed,
    Result,
    between,
    digits_for,
    game_of,
    mean_cells,
    number,
    rate_between,
    rate_cells,
    table,
)
from herdlab.analysis.report.document import Cell, Picture, Section, Table, Verdict
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
    return Composed(
        f"{given['strategy']}, {listed(varied)} varied",
        Verdict(sentence(capital(text)), (), _SURE),
        all(one.get("kind") != "open" for one in whole["points"]),
        (
            Section(
                "Point by point",
                (Picture(sweep_drawing(whole)), *_crossed(whole), _points(whole, varied)),
            ),
        ),
        _method(whole, varied),
    )


def _points(whole: Result, varied: list[str]) -> Table:
    is_rate = whole["metric"] == _WIN
    cells: Any = rate_cells if is_rate else mean_cells
    rows = []
    for one in whole["points"]:
        row = [_value(one["values"][name]) for name in varied]
        row += cells(one["value"], one["ci_low"], one["ci_high"])
        row += _apart(one, is_rate)
        row.append(Cell(_compared(one)))
        rows.append(row)
    is_number = [all(row[place].key is not None for row in rows) for place in range(len(varied))]
    head = [f"{name} " if is_it else name for name, is_it in zip(varied, is_number, strict=True)]
    unit = f"{whole['unit']}{', %' if is_rate else ''} "
    best = whole.get("best_word", "best")
    head += [
        unit,
        "95 % interval ",
        f"less the {best} ",
        "interval ",
        f"compared with the {best}",
    ]
    if whole["best"] is None:
        head, rows = head[:-3], [row[:-3] for row in rows]
    return table("Every point", head, rows, is_folded=len(rows) > _MANY)


def _crossed(whole: Result) -> tuple[Table, ...]:
    """Return a grid of two variables as one, if there is room for it."""
    names = list(whole["points"][0]["values"])
    if len(names) != 2 or len({one["values"][names[1]] for one in whole["points"]}) > _ACROSS:  # noqa: PLR2004
        return ()
    rows: dict[str, list[Cell]] = {}
    scale, digits = (100, 2) if whole["metric"] == _WIN else (1, 3)
    best = whole["best"]
    for one in whole["points"]:
        row, value = one["values"][names[0]], scale * one["value"]
        mark = (
            ""
            if best is None
            else "**"
            if one["values"] == best
            else _MARKS.get(one.get("kind"), "")
        )
        rows.setdefault(row, [_value(row)]).append(number(value, f"{value:.{digits}f} {mark:2}"))
    across = list(dict.fromkeys(one["values"][names[1]] for one in whole["points"]))
    note = f"{names[0]} down, {names[1]} across"
    if best is not None:
        note += f"; ** {whole.get('best_word', 'best')}; * ties with it; ? too close to call"
    title = f"{whole['unit']}{', %' if scale > 1 else ''}"
    head = [f"{names[0]} ", *(f"{text} " for text in across)]
    return (table(capital(title), head, rows.values(), f"{note}."),)


def _compared(one: Result) -> str:
    """Return how a point stands beside the best; results of old versions say less."""
    in_region = "not clearly apart" if one["in_best_region"] else "apart"
    return _KINDS.get(one.get("kind", ""), in_region)


def _value(text: str) -> Cell:
    try:
        return Cell(text, float(text))
    except ValueError:
        return Cell(text)


def _apart(one: Result, is_rate: bool) -> tuple[Cell, Cell]:
    value, low, high = (one[f"difference_{key}"] for key in ("to_best", "ci_low", "ci_high"))
    if value is None or low == high == 0:
        return NOTHING, NOTHING
    if is_rate:
        return number(value, f"{100 * value:+z.2f}"), number(low, rate_between(low, high, sign="+"))
    digits = digits_for(low, high)
    return number(value, f"{value:+z.{digits}f}"), number(low, between(low, high, digits, sign="+"))


def _method(whole: Result, varied: list[str]) -> tuple[str, ...]:
    field = whole["field"]
    beside = f" beside {listed(field)}" if field else " alone"
    return (
        f"{whole['arguments']['strategy']} played every seat{beside} at {len(whole['points'])} "
        f"values of {listed(varied)}, on the same {whole['lucks']:,} deals: {whole['games']:,} "
        f"games of {game_of(whole).title}",
        _SURE,
    )
