"""Figures tested as people see them: through the texts that a renderer really draws."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from unittest.mock import patch

import numpy as np
from matplotlib.backend_bases import RendererBase
from matplotlib.figure import Figure
from matplotlib.text import Text
from numpy.typing import NDArray

from herdlab.analysis.figures.drawing import as_svg
from herdlab.analysis.figures.parts.style import NARROW, PAPER, WIDE, styled

WIDTHS = (WIDE, PAPER, NARROW)
LONG = "a strategy of sixty letters, which takes two lines or three."
HOSTILE = ("", "$x_1$ <script>", LONG, "W" * 60, "\\frac{1}{2} %s {0}")
"""Names that are hard to set, and must be shown letter by letter."""

_DPI = 100
_TOLERANCE = 1.5
"""Pixels: a text's box is a little larger than its letters."""
_SMALLEST = 8.0
"""Points."""


@dataclass(frozen=True)
class DrawnText:
    """A text as it was drawn, and the four corners of its box in pixels, rotated as it is."""

    text: str
    points: float
    corners: NDArray[np.float64]


def drawn_texts(figure: Figure) -> list[DrawnText]:
    """Draw a figure and return all texts that are seen, tick labels and legends included."""
    found: dict[int, DrawnText] = {}
    draw = Text.draw

    def noted(text: Text, renderer: RendererBase) -> None:
        draw(text, renderer)
        if text.get_visible() and text.get_text().strip():
            points = float(text.get_fontsize())
            found[id(text)] = DrawnText(text.get_text(), points, _corners(text, renderer))

    with styled():
        figure.set_dpi(_DPI)
        engine = figure.get_layout_engine()
        if engine is not None:
            engine.execute(figure)
        figure.set_layout_engine("none")  # it is laid out
        with patch.object(Text, "draw", noted):
            figure.draw_without_rendering()
    return list(found.values())


def check_texts(figure: Figure) -> list[str]:
    """Draw a figure, raise if a text is cut, too small or over another; return the texts."""
    texts = drawn_texts(figure)
    size = figure.get_size_inches() * _DPI
    wrong = []
    for one in texts:
        if one.points < _SMALLEST:
            wrong.append(f"too small, {one.points:g} pt: {one.text!r}")
        if (one.corners < -_TOLERANCE).any() or (one.corners > size + _TOLERANCE).any():
            wrong.append(f"cut: {one.text!r}")
    for one, other in _near(texts):
        depth = _overlap(one.corners, other.corners)
        if depth > _TOLERANCE:
            wrong.append(f"overlap by {depth:.1f} pixels: {one.text!r} and {other.text!r}")
    if wrong:
        raise AssertionError("\n".join(wrong))
    return [one.text for one in texts]


def check_figure(draw: Callable[[float], Figure], wide: float) -> list[str]:
    """Check a figure's width and texts; return the texts."""
    figure = draw(wide)
    texts = check_texts(figure)
    assert figure.get_size_inches()[0] == wide
    return texts


def check_bytes(draw: Callable[[float], Figure]) -> None:
    """Check that a figure is the same bytes each time, and that nothing in it is markup."""
    for wide in (PAPER, NARROW):
        svg = as_svg(draw(wide))
        assert svg == as_svg(draw(wide))
        assert "<script" not in svg


def unwrapped(texts: Iterable[str]) -> str:
    """Return texts as one without any spaces, so that what was broken into lines is found."""
    return "".join("".join(text.split()) for text in texts)


def _corners(text: Text, renderer: RendererBase) -> NDArray[np.float64]:
    """Return the corners of a text's box: upright boxes around tilted texts would be too large."""
    box = text.get_window_extent(renderer)
    centre = np.array([box.x0 + box.x1, box.y0 + box.y1]) / 2
    angle = text.get_rotation()
    if angle:
        text.set_rotation(0)
        box = text.get_window_extent(renderer)
        text.set_rotation(angle)
    half = np.array([box.width, box.height]) / 2
    turn = np.deg2rad(angle)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    corners: NDArray[np.float64] = centre + (signs * half) @ rotation.T
    return corners


def _near(texts: list[DrawnText]) -> Iterator[tuple[DrawnText, DrawnText]]:
    """Yield the pairs of texts whose upright boxes overlap: only they may overlap themselves."""
    lows = np.array([one.corners.min(axis=0) for one in texts]).reshape(-1, 2)
    highs = np.array([one.corners.max(axis=0) for one in texts]).reshape(-1, 2)
    meet = ((lows[:, None] < highs[None]) & (lows[None] < highs[:, None])).all(axis=2)
    for first, second in np.argwhere(np.triu(meet, 1)):
        yield texts[first], texts[second]


def _overlap(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Return by how much two rectangles overlap: what one had to be moved for none (or less)."""
    depths = []
    for corners in (one, other):
        for side in (corners[1] - corners[0], corners[2] - corners[1]):
            length = float(np.hypot(*side))
            if length == 0:
                return 0.0
            along, beside = one @ side / length, other @ side / length
            depths.append(min(along.max(), beside.max()) - max(along.min(), beside.min()))
    return float(min(depths))
