"""What a report is made of, whatever it is rendered as.

All texts are plain: nothing in them is markup, whoever wrote them, and renderers show them letter
by letter.
"""

from dataclasses import dataclass, field

from herdlab.analysis.figures.drawing import Drawing


@dataclass(frozen=True)
class Verdict:
    """The answer, which stands first."""

    headline: str
    points: tuple[str, ...] = ()
    """Why, where it is different, what to do instead."""
    how_sure: str = ""
    """Intervals, games, and which readings of the rules were tried."""
    is_rough: bool = False
    """Whether it comes from few games and is to be taken for no more than that."""


@dataclass(frozen=True)
class Summary:
    """What the sections say, a sentence each; every one leads to its section."""

    points: tuple[tuple[str, str], ...]
    """(title of the section, sentence)"""


@dataclass(frozen=True)
class Paragraph:
    """A text; empty lines in it begin new paragraphs."""

    text: str


@dataclass(frozen=True)
class Points:
    """Sentences that are better read one by one."""

    points: tuple[str, ...]


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    name: str
    is_number: bool = False
    """Set to the right, and sorted by the cells' keys."""


@dataclass(frozen=True)
class Cell:
    """A cell of a table."""

    text: str
    key: float | None = None
    """What it is sorted by, in a column of numbers; None comes last."""


@dataclass(frozen=True)
class Table:
    """A table, which can be sorted where the page can."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    """What is to be known to read it."""
    is_folded: bool = False
    """Whether a page shows it only to who opens it."""


@dataclass(frozen=True)
class Method:
    """How it was found: a sentence or a few for each point."""

    points: tuple[str, ...]


@dataclass(frozen=True)
class Provenance:
    """What makes it all again, to the bit."""

    command: str
    """A line for a shell."""
    facts: tuple[tuple[str, str], ...]
    """Such as ("seed", "7")."""
    study: str = ""
    """The study file that the command reads, if it reads one."""


Part = Verdict | Summary | Paragraph | Points | Drawing | Table | Method | Provenance


@dataclass(frozen=True)
class Section:
    """Parts under a heading, which the table of contents lists."""

    title: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Composed:
    """A result as parts of a document, by itself or as a part of a study."""

    title: str
    """Of a report of its own."""
    verdict: Verdict
    settled: bool
    """Whether the games were enough for all that the verdict says."""
    sections: tuple[Section, ...]
    method: tuple[str, ...]
    """How it was found, in sentences that hold beside those of other parts."""
    plays: tuple[str, ...] = ()
    """Strategies that it speaks of, which older results do not name themselves."""


@dataclass(frozen=True)
class Report:
    """A document: what stands first, then sections."""

    title: str
    about: str
    """A line above the title, such as the game's name."""
    lead: tuple[Part, ...]
    """The verdict, and perhaps a summary and a text."""
    sections: tuple[Section, ...] = field(default=())

    @property
    def drawings(self) -> list[Drawing]:
        """The pictures in its sections."""
        parts = (part for section in self.sections for part in section.parts)
        return [part for part in parts if isinstance(part, Drawing)]
