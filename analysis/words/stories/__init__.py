"""A logged game told in a player's words, one file for a game."""

import importlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from herdlab.analysis.words.phrases import listed
from herdlab.simcore.batch import Bout
from herdlab.simcore.sums import LENGTH, WINNERS


@dataclass(frozen=True)
class Happening:
    """One thing that happened, in words and as data."""

    turn: int
    """Counted from 1, in a game of sessions anew in each; 0 in no turn, as at a deal or a score."""
    round: int | None
    """Turns / players, rounded up; None in a game that has no rounds."""
    seat: int
    strategy: str
    what: str
    clauses: tuple[str, ...]
    """The clauses that acted."""
    words: str
    before: str
    """What the player had, in words."""
    after: str
    facts: dict[str, Any]
    """The same as data: details of the happening and the state after it."""
    session: int | None = None
    """Counted from 1; None in a game that has no sessions."""

    def as_json(self) -> dict[str, Any]:
        """Return the record that ``trace --json`` prints."""
        record = {
            **({} if self.session is None else {"session": self.session}),
            "turn": self.turn,
            **({} if self.round is None else {"round": self.round}),
            "seat": self.seat,
            "strategy": self.strategy,
            "what": self.what,
            "clauses": list(self.clauses),
            "words": self.words,
        }
        return {**record, **self.facts}


class Deed(NamedTuple):
    """What one player did, before it is put in its place in a story."""

    seat: int
    clauses: str
    """Those that acted, with blanks between them."""
    words: str
    facts: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Story:
    """One game from beginning to end."""

    beginning: str
    happenings: list[Happening]
    end: str
    winners: list[int]
    length: int
    unit: str = "turn"
    """What a `Happening.turn` is called."""


class Teller(ABC):
    """Follows a game through its log, and remembers what the log does not repeat."""

    unit = "turn"

    def __init__(self, bout: Bout, number: int) -> None:
        rows, log = bout.logged(number)
        self.rules: Any = bout.rules
        self.log: list[list[int]] = log.tolist()
        self.names = [player.name for player in bout.players]
        seats = range(len(self.names))
        self.winners = [seat for seat in seats if rows[0, WINNERS] >> seat & 1]
        self.length = int(rows[0, LENGTH])

    @abstractmethod
    def beginning(self) -> str:
        """Return what there is before the first happening."""

    @abstractmethod
    def tell(self, row: list[int]) -> list[Happening]:
        """Return what a row of the log tells: a deal one happening a player, all else one."""

    @abstractmethod
    def end(self) -> str:
        """Return how it ended, when all has been told."""

    def story(self) -> Story:
        """Tell the whole game."""
        beginning = self.beginning()
        happenings = [one for row in self.log for one in self.tell(row)]
        return Story(beginning, happenings, self.end(), self.winners, self.length, self.unit)

    def who(self, *seats: int) -> str:
        """Return one player or several; nobody is nothing."""
        return listed([f"seat {one} ({self.names[one]})" for one in seats]) if seats else ""

    def placed(
        self,
        deeds: Iterable[Deed],
        when: tuple[int, int | None, int | None],
        what: str,
        state: Mapping[str, Any],
        holding: Callable[[int], tuple[str, str]],
    ) -> list[Happening]:
        """Return deeds as happenings: `when` is turn, round and session.

        `holding` returns what a seat had before and what it has after, in words.
        """
        turn, in_round, session = when
        return [
            Happening(
                *(turn, in_round, one.seat, self.names[one.seat], what),
                *(tuple(one.clauses.split()), one.words, *holding(one.seat)),
                {**one.facts, **state},
                session,
            )
            for one in deeds
        ]


def tell(bout: Bout, number: int) -> Story:
    """Play game `number` of the bout again and tell it."""
    module = importlib.import_module(f"herdlab.analysis.words.stories.{bout.game.folder}")
    story: Story = module.tell(bout, number)
    return story
