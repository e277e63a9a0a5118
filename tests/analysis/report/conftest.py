"""Fixtures of all tests that look at pages."""

from tests.analysis.report.browser import browser, open_page

__all__ = ["browser", "open_page"]
