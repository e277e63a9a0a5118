"""Answers tested whole: what they say, and that all their pictures can be looked at."""

import json
from itertools import product

from analysis.figures.drawing import Drawing, as_svg
from analysis.figures.style import NARROW, PAPER, WIDE
from analysis.questions import find_question
from analysis.questions.asking import Answer
from tests.analysis.figures import check_texts


def checked_drawings(found: Answer) -> list[Drawing]:
    """Return an answer's drawings, legible at all widths and the same after a journey as JSON."""
    question = find_question(found.ask.question)
    again = Answer.from_json(json.loads(json.dumps(found.as_json())))
    drawings, others = question.drawings(found), question.drawings(again)
    words = [(one.title, one.alt, one.caption) for one in drawings]
    assert words == [(one.title, one.alt, one.caption) for one in others]
    for drawing, wide in product(drawings, (WIDE, PAPER, NARROW)):
        figure = drawing.draw(wide)
        check_texts(figure)
        assert figure.get_size_inches()[0] == wide
        assert not figure.get_suptitle()
    for drawing, other in zip(drawings, others, strict=True):
        assert as_svg(drawing.draw(WIDE)) == as_svg(other.draw(WIDE))
        assert drawing.title and not drawing.title.endswith(".")
        assert len(drawing.alt) > 60 and drawing.caption.endswith(".")
    return drawings
