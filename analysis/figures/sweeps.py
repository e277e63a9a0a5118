"""The picture of a sweep: a curve with its band, or for two parameters a heat map."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from herdlab.analysis.figures.curve import curve
from herdlab.analysis.figures.drawing import Drawing
from herdlab.analysis.figures.heat import heat
from herdlab.analysis.figures.parts.style import written
from herdlab.analysis.sampling.metrics import WIN
from herdlab.analysis.sampling.parameter_grid import RULES, Variable
from herdlab.analysis.studies.sweep import BEST

_TOLD = 12
"""So many points are told to who cannot see them."""


def sweep_drawing(whole: Mapping[str, Any]) -> Drawing:
    """Return the picture of what ``sweep --json`` printed."""
    points, names = _points(whole), list(whole["points"][0]["values"])
    unit = f"{whole['unit']}, %" if whole["metric"] == WIN else whole["unit"]
    player = whole["arguments"]["strategy"]
    headline = whole.get("headline", whole["sentence"])
    marked_as = _marked_as(whole, names)
    kind = "Curve with a band" if len(names) == 1 else "Heat map"
    axes = f"across {names[0]}" + (f", up {names[1]}" if len(names) > 1 else "")
    means = (
        "Each point is the mean, the band its 95 % interval, by itself"
        if len(names) == 1
        else "Colour is the mean; where there is room it is written, with half its 95 % interval"
    )
    marks = f" What is marked {marked_as}." if any(points["in_best_region"]) else ""

    def draw(wide: float) -> Figure:
        if len(names) == 1:
            return curve(
                points,
                names[0],
                wide,
                x_label=names[0],
                y_label=unit,
                marked=points["in_best_region"].tolist(),
                marked_as=marked_as,
            )
        return heat(
            points,
            names[0],
            names[1],
            wide,
            x_label=names[0],
            y_label=names[1],
            value_label=unit,
            region="in_best_region",
            marked_as=marked_as,
        )

    return Drawing(
        f"{player}: {headline}",
        draw,
        f"{kind}; {axes}; {unit}. {_told(points, names)}.",
        f"{player} with {', '.join(whole['field'])}, on {whole['lucks']:,} common deals, in every "
        f"seat. {means}.{marks}",
    )


def _points(whole: Mapping[str, Any]) -> pd.DataFrame:
    """Return one row a point; rates in per cent."""
    scale = 100 if whole["metric"] == WIN else 1
    points = whole["points"]
    columns: dict[str, list[Any]] = {}
    for name in points[0]["values"]:
        texts = [one["values"][name] for one in points]
        variable = Variable(name, tuple(dict.fromkeys(texts)))
        known = dict(zip(variable.texts, variable.numbers or variable.texts, strict=True))
        columns[name] = [known[text] for text in texts]
    for name, key in (("value", "value"), ("low", "ci_low"), ("high", "ci_high")):
        columns[name] = [float("nan") if one[key] is None else scale * one[key] for one in points]
    columns["in_best_region"] = [one["in_best_region"] for one in points]
    return pd.DataFrame(columns)


def _marked_as(whole: Mapping[str, Any], names: list[str]) -> str:
    """Return what the best region is called; of rules alone nothing is better."""
    best = "best"
    if all(name.startswith(RULES) for name in names):
        best = f"{whole['arguments']['best'] or BEST.get(whole['metric'], 'high')}est"
    return f"ties with the {best} or is too close to call"


def _told(points: pd.DataFrame, names: list[str]) -> str:
    """Return points in words, the first of many."""
    lines = [
        f"{', '.join(str(row[name]) for name in names)}: {written(row['value'], 2)} "
        f"({written(row['low'], 2)} to {written(row['high'], 2)})"
        for _, row in points.head(_TOLD).iterrows()
    ]
    more = len(points) - _TOLD
    return "; ".join(lines) + (f"; and {more} more points" if more > 0 else "")
