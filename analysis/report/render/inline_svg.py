"""Turns a figure's SVG into one that can stand within a page.

It takes its colours and letters from the page, so that it is legible on a dark one; it shares no
ids with other figures; and it is half as long.
"""

import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass

from herdlab.analysis.figures.parts import style

_TONES = (
    *("ink", "axis", "grid", "empty", "page", "grey"),
    *("blue", "orange", "vermillion", "green", "purple"),
)
"""The page's names of herdlab's colours: those that they have in `style`."""
_TONE_OF = {getattr(style, tone.upper()).lower(): tone for tone in _TONES}
_LETTERED = {"orange", "vermillion", "green", "purple"}
"""Too light to read words in them on paper; words have a darker tone."""

_COLOUR = re.compile(r"#[0-9a-f]{6}\b", re.IGNORECASE)
_NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?|-?\d+e[-+]?\d+", re.IGNORECASE)
_UPRIGHT = re.compile(r"rotate\(-?0(?:\.0*)? [^)]*\)")
_REFERENCE = re.compile(r"url\(#([^)]*)\)")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PLACES = ("d", "x", "y", "width", "height", "points", "transform")
_PAINTS = ("fill", "stroke")
_PIXELS_PER_POINT = 4 / 3


@dataclass(frozen=True)
class InlineSvg:
    """An SVG element, and what it needs from the page."""

    markup: str
    letters: dict[str, frozenset[str]]
    """Those written in each face, such as "Bold"; see `face_of`."""


def inline(svg: str, *, prefix: str, label: str, kind: str) -> InlineSvg:
    """Return an SVG of matplotlib's for a page: of class `kind`, read out as `label`.

    `prefix` begins its ids and belongs to no other figure of the page.
    """
    root = ET.fromstring(_NOT_XML.sub("\N{REPLACEMENT CHARACTER}", svg))
    for element in root.iter():
        _without_namespaces(element)
    _prune(root)
    _rename(root, prefix)
    letters: dict[str, set[str]] = {}
    for element in root.iter():
        _round(element)
        _paint(element)
        if element.tag == "text":
            letters.setdefault(face_of(element.get("style", "")), set()).update(
                "".join(element.itertext())
            )
            _restyle(element)
    box = root.get("viewBox", "0 0 1 1")
    width = float(box.split()[2]) * _PIXELS_PER_POINT
    said = {"role": "img", "aria-label": label, "style": f"max-width:{width:.0f}px"}
    root.attrib.clear()
    root.attrib.update({"class": f"plot {kind}", "viewBox": box, **said})
    markup = ET.tostring(root, encoding="unicode")
    return InlineSvg(markup, {face: frozenset(found) for face, found in letters.items()})


def face_of(css: str) -> str:
    """Return the face that a text's style asks for: "", "Bold", "Oblique" or "BoldOblique"."""
    is_bold = re.search(r"\b(bold|semibold|heavy|black|[6-9]00)\b", css) is not None
    is_oblique = re.search(r"\b(italic|oblique)\b", css) is not None
    return "Bold" * is_bold + "Oblique" * is_oblique


def _without_namespaces(element: ET.Element) -> None:
    """Name an element and its attributes as HTML does: no prefix says that it is SVG."""
    element.tag = element.tag.rpartition("}")[2]
    for name in [name for name in element.attrib if "}" in name]:
        element.set(name.rpartition("}")[2], element.attrib.pop(name))


def _prune(element: ET.Element) -> None:
    """Take away what is not seen: metadata, style sheets, empty shapes, groups of nothing."""
    kept: list[ET.Element] = []
    for child in element:
        _prune(child)
        is_bare = child.tag == "path" and child.get("style") == "fill: none"
        if (
            child.tag in {"metadata", "style"}
            or (child.tag in {"defs", "g"} and len(child) == 0)
            or (is_bare and "id" not in child.attrib)
        ):
            continue
        if child.tag == "g" and not set(child.attrib) - {"id"}:
            kept.extend(child)
        else:
            kept.append(child)
    element[:] = kept
    if element.tag not in {"text", "tspan"}:
        element.text = None
        for child in element:
            child.tail = None


def _rename(root: ET.Element, prefix: str) -> None:
    """Give new ids to what is referred to, and none to the rest."""
    used: dict[str, str] = {}
    for element in root.iter():
        for name, value in element.attrib.items():
            found = _REFERENCE.findall(value)
            if name == "href" and value.startswith("#"):
                found = [value[1:]]
            for one in found:
                used.setdefault(one, f"{prefix}-{len(used) + 1}")
    for element in root.iter():
        old = element.attrib.pop("id", None)
        if old in used:
            element.set("id", used[old])
        for name, value in element.attrib.items():
            if name == "href" and value.startswith("#"):
                element.set(name, "#" + used[value[1:]])
            elif name == "href":
                element.set(name, "".join(value.split()))
            else:
                element.set(name, _REFERENCE.sub(lambda m: f"url(#{used[m[1]]})", value))


def _round(element: ET.Element) -> None:
    """Round places to a hundredth of a point, and set paths without needless blanks."""
    for name in _PLACES:
        value = element.get(name)
        if value is None:
            continue
        if name == "transform":
            value = _UPRIGHT.sub("", value).strip()
            if not value:
                del element.attrib[name]
                continue
            if "matrix" in value or "scale" in value:
                continue  # factors are not places
        value = _NUMBER.sub(lambda match: _short(float(match[0])), value)
        if name == "d":
            value = re.sub(r"\s*([A-Za-z])\s*", r"\1", value).strip()
        element.set(name, value)


def _short(number: float) -> str:
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _paint(element: ET.Element) -> None:
    """Replace herdlab's colours by the page's; only a style can name those."""
    css = element.get("style", "")
    for name in _PAINTS:
        if element.get(name, "").lower() in _TONE_OF:
            css = f"{name}: {element.attrib.pop(name)}; {css}"
    is_text = element.tag == "text"

    def toned(match: re.Match[str]) -> str:
        tone = _TONE_OF.get(match[0].lower())
        if tone is None:
            return match[0]
        return f"var(--{tone}-words)" if is_text and tone in _LETTERED else f"var(--{tone})"

    css = _COLOUR.sub(toned, css)
    if css:
        element.set("style", ";".join(part.strip() for part in css.split(";") if part.strip()))


def _restyle(text: ET.Element) -> None:
    """Leave the family of letters to the page, which has more than one to fall back on."""
    css = re.sub(r"(;|^)font-family:[^;]*", "", text.get("style", ""))
    text.set("style", css.removeprefix(";"))
