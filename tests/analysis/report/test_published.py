"""The published reports as people see them: in a browser, on a phone and on a desktop."""

import pytest

from tests.analysis.report.browser import (
    Open,
    cut_texts,
    faint_texts,
    overlapping_texts,
    small_texts,
    violations,
)
from tests.analysis.report.test_gallery import REPORTS, STUDIES

PHONE, DESKTOP = (360, 640), (1280, 720)


@pytest.mark.parametrize("name", STUDIES)
@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "light"), (DESKTOP, "dark")])
def test_a_report_is_quiet_fits_and_can_be_read(
    name: str, size: tuple[int, int], scheme: str, open_page: Open
) -> None:
    visit = open_page((REPORTS / f"{name}.html").read_text(), size, scheme)
    page = visit.page
    assert visit.troubles == []
    assert page.evaluate("document.scrollingElement.scrollWidth") <= size[0]
    answer = page.locator(".verdict .answer").first.bounding_box()
    assert answer is not None and answer["y"] + answer["height"] <= size[1]
    for faults in (overlapping_texts, cut_texts, small_texts, faint_texts, violations):
        assert faults(page) == [], faults.__name__
