"""Standard output for results: in colour only on a terminal, safe for other people's text."""

import re
import sys
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from herdlab.simcore.safe_text import escaped

_PIPED_WIDTH = 120
_BLANKS_AT_THE_END = re.compile(r" +$", re.MULTILINE)


class _Output(Console):
    """Standard output, which may be a pipe that nobody reads to its end.

    What is printed may be somebody else's text: only rich itself may steer the terminal.
    """

    def on_broken_pipe(self) -> None:
        """Leave it to the command line, which ends quietly then."""
        raise BrokenPipeError

    def _render_buffer(self, buffer: Iterable[Segment]) -> str:
        """Return what is printed, with no control character but those of rich."""
        printed = super()._render_buffer(
            one if one.control else Segment(escaped(one.text, keep="\n"), one.style)
            for one in buffer
        )
        return printed if self.is_terminal else _BLANKS_AT_THE_END.sub("", printed)


def console(piped_width: int | None = None) -> Console:
    """Return where results go: standard output, in colour only on a terminal."""
    width = None if sys.stdout.isatty() else piped_width or _PIPED_WIDTH
    return _Output(highlight=False, width=width)


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """Return a plain table; columns whose name ends in a blank are numbers, on the right.

    Where there is no room, texts are set in several lines, and numbers are not.
    """
    cells = [list(row) for row in rows]
    made = Table(box=None, pad_edge=False, header_style="bold")
    for place, name in enumerate(columns):
        if name.endswith(" "):
            widest = max((len(row[place]) for row in cells), default=0)
            made.add_column(name.strip(), justify="right", min_width=widest)
        else:
            made.add_column(name.strip())
    for row in cells:
        made.add_row(*(Text(cell) for cell in row))
    return made
