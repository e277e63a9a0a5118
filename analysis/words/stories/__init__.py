"""A logged game told in a player's words, one file for a game."""

import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
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
    clauses: tuple[str, ...]
    words: str
    facts: dict[str, Any]


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


class Played(NamedTuple):
    """A game that was played again."""

    names: list[str]
    """Of the strategies, by seat."""
    log: list[list[int]]
    winners: list[int]
    length: int


def played(bout: Bout, number: int) -> Played:
    """Play game `number` of the bout again."""
    rows, log = bout.logged(number)
    names = [player.name for player in bout.players]
    winners = [seat for seat in range(len(names)) if rows[0, WINNERS] >> seat & 1]
    return Played(names, log.tolist(), winners, int(rows[0, LENGTH]))


class Teller:
    """Follows a game through its log, and remembers what the log does not repeat."""

    def __init__(self, names: list[str]) -> None:
        self.names = names

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
                *(turn, in_round, one.seat, self.names[one.seat], what, one.clauses, one.words),
                *holding(one.seat),
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
