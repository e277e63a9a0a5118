"""Answers tested whole: what they say, and that all their pictures can be looked at."""

import json
import re
from collections.abc import Callable, Sequence

from matplotlib.figure import Figure

from herdlab.analysis.figures.drawing import Drawing, as_svg
from herdlab.analysis.figures.parts.style import NARROW, PAPER, WIDE
from herdlab.analysis.findings import Finding
from herdlab.analysis.questions import find_question
from herdlab.analysis.questions.asking import Answer
from tests.analysis.figures import check_texts

_NUMBER = r"[+-]?\d[\d,]*(?:\.\d+)?"
_WITH_INTERVAL = re.compile(rf"({_NUMBER})(?: [a-z%][\w%]*){{0,5}} \(({_NUMBER}) to ({_NUMBER})\)")
_GIVE_OR_TAKE = re.compile(rf"({_NUMBER}) ± ({_NUMBER})")
_ALONE = re.compile(
    rf"(?<![\w=.,-])({_NUMBER})(?: (?:to|and|or) ({_NUMBER}))?"
    rf"(?= %| percentage points| points| turns| beats)|(?<![\w=.,-])(\d+\.\d+)"
)
_NOT_MEASURED = re.compile(r"within ± 0\.5|after [\d,]+ turns|less than 0\.001")
"""The margin, a setting of the rules, and what is too small to be written."""


def numbers_not_found(verdict: str, findings: Sequence[Finding]) -> list[str]:
    """Return the figures of a verdict that stand in no finding: value and interval together."""
    rows = []
    for one in findings:
        if one.value is not None:
            low, high = (one.value if end is None else end for end in (one.low, one.high))
            rows += [(one.value, low, high), (-one.value, -high, -low)]
    text, missing = _NOT_MEASURED.sub("", verdict), list[str]()

    def take(pattern: re.Pattern[str], is_found: Callable[[re.Match[str]], bool]) -> None:
        nonlocal text
        missing.extend(one.group(0) for one in pattern.finditer(text) if not is_found(one))
        text = pattern.sub(" # ", text)

    take(
        _WITH_INTERVAL,
        lambda m: any(all(map(_is, m.groups(), row)) for row in rows),
    )
    take(
        _GIVE_OR_TAKE,
        lambda m: any(_is(m[1], v) and _is(m[2], max(h - v, v - lo)) for v, lo, h in rows),
    )
    take(
        _ALONE,
        lambda m: all(t is None or any(_is(t, x) for row in rows for x in row) for t in m.groups()),
    )
    return missing


def _is(written: str, value: float) -> bool:
    """Whether a number is that value, in as many digits as it has."""
    plain = written.replace(",", "")
    return f"{value:z.{len(plain.partition('.')[2])}f}" == plain.removeprefix("+")


def checked_drawings(found: Answer) -> list[Drawing]:
    """Return an answer's drawings, legible at all widths and the same after a journey as JSON."""
    missing = numbers_not_found(found.verdict, found.findings)
    assert not missing, f"{missing} of: {found.verdict}"
    question = find_question(found.ask.question)
    again = Answer.from_json(json.loads(json.dumps(found.as_json())))
    drawings, others = question.drawings(found), question.drawings(again)
    words = [(one.title, one.alt, one.caption) for one in drawings]
    assert words == [(one.title, one.alt, one.caption) for one in others]
    for drawing, other in zip(drawings, others, strict=True):
        for wide in (WIDE, PAPER, NARROW):
            figure = drawing.draw(wide)
            if wide == WIDE:  # before it is laid out, which takes half the time
                assert _not_laid_out(figure) == _not_laid_out(other.draw(wide))
                figure = drawing.draw(wide)
            check_texts(figure)
            assert figure.get_size_inches()[0] == wide
            assert not figure.get_suptitle()
        assert drawing.title and not drawing.title.endswith(".")
        assert len(drawing.alt) > 60 and drawing.caption.endswith(".")
    return drawings


def _not_laid_out(figure: Figure) -> str:
    """Return a figure as SVG as it was made."""
    figure.set_layout_engine("none")
    return as_svg(figure)
