"""How a measured value follows one parameter, with its uncertainty."""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from herdlab.analysis.figures.parts import style
from herdlab.analysis.figures.parts.headed_rows import HeadedRows, Row
from herdlab.analysis.figures.parts.legend import explain, high_of
from herdlab.analysis.words.numbers import digits_of, written

BEST_REGION = "best region"
IN_BEST = "in_best_region"
"""The column that says of a point whether it belongs to it."""
_HIGH, _NARROW_HIGH = 3.3, 2.9
_BESIDE = 1.3
"""Inches of the width that are not from the first to the last point of a curve."""
_MANY_DOTS = 25
_DOUBLING = 1.5
"""Numbers that grow by such a factor are drawn on a logarithmic axis."""
_DOT, _MARKED_DOT = 5.0, 6.5


def curve(
    points: pd.DataFrame, x: str, wide: float, *, label: str, marked_as: str = BEST_REGION
) -> Figure:
    """Draw a value and its interval against one parameter.

    `points` has the columns `x`, value, low, high, and in_best_region, which says what is marked.
    Numbers are drawn as a line with a band.  Names are drawn one below the other, with their values
    to the right.
    """
    shown = points.replace([np.inf, -np.inf], np.nan)
    is_band = are_numbers(points[x])
    keys = _keys(marked_as if shown[IN_BEST].any() else "", is_band=is_band)
    with style.styled():
        if is_band:
            return _band(shown.sort_values(x), x, wide, label, keys)
        return _dots(shown, x, wide, label, keys)


def are_numbers(column: "pd.Series[Any]") -> bool:
    """Whether a parameter is one of numbers."""
    found = column.infer_objects()
    return pd.api.types.is_numeric_dtype(found) and not pd.api.types.is_bool_dtype(found)


def names_of(values: Sequence[Any]) -> list[str]:
    """Return the values of a parameter as an axis has them."""
    return [f"{one:.12g}" if isinstance(one, float) else str(one) for one in values]


def _band(points: pd.DataFrame, x: str, wide: float, label: str, keys: list[Artist]) -> Figure:
    high_inches = _NARROW_HIGH if wide < style.IS_NARROW else _HIGH
    figure, axes = style.empty(x, label, (wide, high_inches))
    at, value, low, high = (points[name].to_numpy(float) for name in (x, "value", "low", "high"))
    marked = points[IN_BEST].to_numpy(bool)
    names = names_of(list(points[x]))
    is_roomy = _every(at, names, wide) == 1
    is_log = not is_roomy and at[0] > 0 and (at[1:] / at[:-1]).min() >= _DOUBLING
    for span in _spans(np.log(at), marked) if is_log else _spans(at, marked):
        left, right = np.exp(span) if is_log else span
        axes.axvspan(left, right, color=style.ORANGE, alpha=0.16, linewidth=0)
    size = _DOT if len(at) <= _MANY_DOTS else 3.0
    axes.fill_between(at, low, high, color=style.BLUE, alpha=0.22, linewidth=0)
    if len(at) == 1:  # a band of no width cannot be seen
        axes.vlines(at, low, high, color=style.BLUE, alpha=0.5, linewidth=1.5)
    axes.plot(at, value, "-o", color=style.BLUE, markersize=size, linewidth=1.4)
    axes.plot(at[marked], value[marked], "D", color=style.VERMILLION, markersize=size + 1.5)
    if is_log:
        axes.set_xscale("log")
        axes.minorticks_off()
        every = _every(np.log(at), names, wide)
        axes.set_xticks(at[::every], names[::every])
    elif is_roomy:
        axes.set_xticks(at, names)
    else:
        most = max(2, int((wide - _BESIDE) / (style.longest(names) + 0.25)))
        whole = bool((at == np.round(at)).all())
        axes.xaxis.set_major_locator(MaxNLocator(min(9, most), integer=whole))
    below = 1.1 * high_of(axes.get_xlabel()) + explain(figure, keys)
    figure.set_size_inches(wide, high_inches + below)
    return figure


def _dots(points: pd.DataFrame, x: str, wide: float, label: str, keys: list[Artist]) -> Figure:
    value, low, high = (points[name].to_numpy(float) for name in ("value", "low", "high"))
    digits, marked = digits_of((high - low) / 2), points[IN_BEST].to_numpy(bool)
    names = names_of(list(points[x]))
    texts = [written(one, digits) for one in value]
    rows = HeadedRows([Row(*both) for both in zip(names, texts, strict=True)], wide)
    axes, at = rows.axes, np.array(rows.at)
    for row in np.flatnonzero(marked).tolist():
        top, bottom = rows.lane_of(row)
        axes.axhspan(top, bottom, color=style.ORANGE, alpha=0.16, linewidth=0)
    axes.hlines(at, low, high, color=style.BLUE, alpha=0.5, linewidth=2.5)
    axes.plot(value, at, "o", color=style.BLUE, markersize=_DOT)
    axes.plot(value[marked], at[marked], "D", color=style.VERMILLION, markersize=_MARKED_DOT)
    return rows.finish(label, keys)


def _keys(marked_as: str, *, is_band: bool) -> list[Artist]:
    """Return what explains the marks that are used."""
    dot: Any = {"marker": "o", "markersize": _DOT, "linestyle": "-" if is_band else "none"}
    keys: list[Artist] = [Line2D([], [], color=style.BLUE, label="value", **dot)]
    interval: Any = {"color": style.BLUE, "label": "interval"}
    if is_band:
        keys.append(Patch(alpha=0.22, **interval))
    else:
        keys.append(Line2D([], [], alpha=0.5, linewidth=2.5, **interval))
    if marked_as:
        shape: Any = {"marker": "D", "markersize": _MARKED_DOT, "linestyle": "none"}
        keys.append(Line2D([], [], color=style.VERMILLION, label=marked_as, **shape))
    return keys


def _spans(at: npt.NDArray[np.float64], marked: npt.NDArray[np.bool]) -> list[tuple[float, float]]:
    """Return the runs of marked points, each to half the way to its neighbours."""
    if len(at) == 1:
        return []
    middles = (at[1:] + at[:-1]) / 2
    edges = [at[0] - (middles[0] - at[0]), *middles, at[-1] + (at[-1] - middles[-1])]
    spans: list[tuple[float, float]] = []
    for (left, right), is_marked in zip(pairwise(edges), marked, strict=True):
        if is_marked and spans and spans[-1][1] == left:
            spans[-1] = (spans[-1][0], right)
        elif is_marked:
            spans.append((left, right))
    return spans


def _every(at: npt.NDArray[np.float64], names: list[str], wide: float) -> int:
    """Return how many points there must be from one name to the next, if names may not touch."""
    if len(at) == 1:
        return 1
    closest = (wide - _BESIDE) * np.diff(at).min() / (at[-1] - at[0])
    return ceil((style.longest(names) + 0.1) / closest) if closest else len(at)
