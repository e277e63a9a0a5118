"""Fixtures of all tests that look at pages."""

from tests.analysis.report.browser import browser, idle_windows, open_page

__all__ = ["idle_windows", "browser", "open_page"]
