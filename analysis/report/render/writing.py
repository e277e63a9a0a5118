"""Reports as files: all rendered before the first is written."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from herdlab.analysis.runs import result_files

if TYPE_CHECKING:
    from herdlab.analysis.report.document import Report

KINDS = (".html", ".pdf")


def check(paths: Iterable[Path]) -> None:
    """Refuse files that could not be written, before hours of work."""
    for path in paths:
        result_files.check(path, KINDS)


def write(report: "Report", paths: Iterable[Path]) -> None:
    """Write a report to files, each in the format that its suffix names."""
    files = list(paths)
    write_rendered(render(report, files), files)


def render(report: "Report", paths: Iterable[Path]) -> dict[str, bytes]:
    """Return a report in every format that files ask for, by suffix."""
    return {kind: _render(report, kind) for kind in {path.suffix.lower() for path in paths}}


def write_rendered(rendered: Mapping[str, bytes], paths: Iterable[Path]) -> None:
    """Write what was rendered for files to them."""
    for path in paths:
        result_files.write(rendered[path.suffix.lower()], path)


def _render(report: "Report", kind: str) -> bytes:
    if kind == ".html":
        from herdlab.analysis.report.render.html import render_html

        return render_html(report).encode()
    from herdlab.analysis.report.render.pdf import render_pdf

    return render_pdf(report)
