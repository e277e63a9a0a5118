"""A drawing: a picture that can be drawn for any width, with what it says in words.

Reports set its title and caption as text around it and draw it for a screen, for paper and for a
phone; a file of its own has the title on top.
"""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from herdlab.analysis.figures.parts.style import WIDE, styled, wrapped
from herdlab.analysis.runs import result_files

_TITLE_SIZE = 12
_TITLE_LINE = 0.25
"""Inches."""


@dataclass(frozen=True)
class Drawing:
    """What is drawn, and what is to be said about it."""

    title: str
    """Its one message, in a sentence without a full stop: "keeper wins most"."""
    draw: Callable[[float], Figure]
    """Draws it so many inches wide, without the title."""
    alt: str
    """For who cannot see it: what kind of picture it is, and what it shows, with numbers."""
    caption: str = ""
    """How to read it: what marks, bars and colours mean, in sentences."""


def as_svg(figure: Figure) -> str:
    """Return a figure as SVG whose letters are text, in a font that is not part of it."""
    return _rendered(figure, "svg", {"svg.fonttype": "none"}).decode()


def save_drawing(drawing: Drawing, path: Path, wide: float = WIDE) -> None:
    """Write a drawing with its title as the file's suffix says: .svg, .png or .pdf."""
    result_files.check(path, result_files.FIGURES)
    kind = path.suffix.lower().removeprefix(".")
    with any_letters():
        figure = drawing.draw(wide)
        width, high = figure.get_size_inches()
        title = wrapped(drawing.title, width - 0.3, 1.25)
        figure.set_size_inches(width, high + _TITLE_LINE * (title.count("\n") + 1))
        figure.suptitle(title, x=0.015, ha="left", size=_TITLE_SIZE)
        figure.set_facecolor("white")
        content = _rendered(figure, kind, {})
    result_files.write(content, path)


@contextmanager
def any_letters() -> Iterator[None]:
    """Let boxes, or another font of the reader's, stand for such letters, without a warning."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"Glyph \d+ .*missing from", UserWarning)
        yield


def _rendered(figure: Figure, kind: str, style: Any) -> bytes:
    """Return a figure as a file's bytes, the same ones every time."""
    undated: dict[str, dict[str, Any]] = {
        "svg": {"Date": None, "Creator": None},
        "pdf": {"CreationDate": None},
    }
    content = BytesIO()
    with styled(), mpl.rc_context(style):
        svg: Any = FigureCanvasSVG(figure)  # so that letters are measured as they are drawn
        engine = figure.get_layout_engine()
        if engine is not None:
            engine.execute(figure)
        figure.set_layout_engine("none")  # with a colour bar it would move a little every time
        if kind == "svg":  # savefig would draw it twice, to see what it should see anew
            svg.print_svg(content, metadata=undated[kind])
        else:
            figure.savefig(content, format=kind, dpi=160, metadata=undated.get(kind))
    return content.getvalue()
