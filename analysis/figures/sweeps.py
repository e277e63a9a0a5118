"""The picture of a sweep: a curve with its band, or for two parameters a heat map."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import pandas as pd

from herdlab.analysis.figures.curve import IN_BEST, curve
from herdlab.analysis.figures.drawing import Drawing
from herdlab.analysis.figures.heat import heat
from herdlab.analysis.sampling.metrics import WIN
from herdlab.analysis.sampling.parameter_grid import RULES
from herdlab.analysis.studies.sweep import BEST
from herdlab.analysis.tables import tables_of
from herdlab.analysis.words.numbers import first_of, spanned


def sweep_drawing(whole: Mapping[str, Any]) -> Drawing:
    """Return the picture of what ``sweep --json`` printed."""
    points, names = tables_of(whole)["points"], list(whole["points"][0]["values"])
    is_rate, is_curve = whole["metric"] == WIN, len(names) == 1
    ends = ["value", "low", "high"]
    points[ends] = points[ends].astype(float) * (100 if is_rate else 1)
    unit, player = unit_of(whole), whole["arguments"]["strategy"]
    marked_as = _marked_as(whole, names)
    draw: Any = curve if is_curve else heat
    kind = "Curve with a band" if is_curve else "Heat map"
    axes = f"across {names[0]}" if is_curve else f"across {names[0]}, up {names[1]}"
    means = (
        "Each point is the mean, the band its 95 % interval, by itself"
        if is_curve
        else "Colour is the mean; where there is room it is written, with half its 95 % interval"
    )
    marks = f" What is marked {marked_as}." if any(points[IN_BEST]) else ""
    return Drawing(
        f"{player}: {whole.get('headline', whole['sentence'])}",
        partial(draw, points, *names, label=unit, marked_as=marked_as),
        f"{kind}; {axes}; {unit}. {_told(points, names)}.",
        f"{player} with {', '.join(whole['field'])}, on {whole['lucks']:,} common deals, in every "
        f"seat. {means}.{marks}",
    )


def unit_of(whole: Mapping[str, Any]) -> str:
    """Return what was measured, and in what."""
    return f"{whole['unit']}, %" if whole["metric"] == WIN else str(whole["unit"])


def _marked_as(whole: Mapping[str, Any], names: list[str]) -> str:
    """Return what the best region is called; of rules alone nothing is better."""
    best = "best"
    if all(name.startswith(RULES) for name in names):
        best = f"{whole['arguments']['best'] or BEST.get(whole['metric'], 'high')}est"
    return f"ties with the {best} or is too close to call"


def _told(points: pd.DataFrame, names: list[str]) -> str:
    """Return points in words, the first of many."""
    at = points[names].astype(str).agg(", ".join, axis="columns")
    ends = points[["value", "low", "high"]].to_numpy()
    each = [f"{one}: {spanned(estimate, 2)}" for one, estimate in zip(at, ends, strict=True)]
    return first_of(each, "points")
