"""The letters of figures: those parts of DejaVu Sans that a page needs, to carry with it.

Figures are laid out by the widths of these letters; in others, words could run into each other.
"""

from base64 import b64encode
from collections.abc import Iterable, Mapping
from io import BytesIO
from pathlib import Path

from fontTools import subset
from matplotlib import get_data_path


def font_faces(letters: Mapping[str, Iterable[str]]) -> str:
    """Return the style sheet that brings these letters, by face as `face_of` names it."""
    return "".join(_font_face(face, set(letters[face])) for face in sorted(letters))


def _font_face(face: str, letters: set[str]) -> str:
    weight = "bold" if "Bold" in face else "normal"
    style = "oblique" if "Oblique" in face else "normal"
    font = b64encode(_subset(face, letters)).decode()
    return (
        f"@font-face{{font-family:'DejaVu Sans';font-weight:{weight};font-style:{style};"
        f"src:url(data:font/woff;base64,{font}) format('woff')}}\n"
    )


def _subset(face: str, letters: set[str]) -> bytes:
    """Return a font of these letters alone; those that DejaVu Sans lacks are left out."""
    name = f"DejaVuSans-{face}.ttf" if face else "DejaVuSans.ttf"
    options = subset.Options(flavor="woff", hinting=False, name_IDs=[0, 1, 2], notdef_outline=True)
    options.drop_tables += ["FFTM"]  # a date of FontForge's
    font = subset.load_font(str(Path(get_data_path(), "fonts", "ttf", name)), options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(text="".join(sorted(letters)))
    subsetter.subset(font)
    content = BytesIO()
    subset.save_font(font, content, options)
    font.close()
    return content.getvalue()
