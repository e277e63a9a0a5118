"""`trace`: one game of a run told move by move."""

from dataclasses import dataclass
from typing import Any

from herdlab.analysis.catalogue import Listing
from herdlab.analysis.experiment import Experiment
from herdlab.analysis.words import stories
from herdlab.analysis.words.stories import Story
from herdlab.simcore.batch import Bout, stream_seeds


@dataclass(frozen=True)
class TraceRequest:
    """Which game is told."""

    experiment: Experiment
    players: tuple[str, ...]
    number: int

    def __post_init__(self) -> None:
        self.experiment.check_line_up(self.players)


@dataclass(frozen=True, repr=False)
class Trace(Listing):
    """A game from beginning to end."""

    experiment: Experiment
    number: int
    players: tuple[str, ...]
    story: Story

    @property
    def headline(self) -> str:
        """Which game it is."""
        title, seed = self.experiment.game.title, self.experiment.seed
        return f"{title}, game {self.number} of seed {seed}: {', '.join(self.players)}"

    def rows(self) -> list[dict[str, Any]]:
        """Return what happened, one after the other."""
        return [one.as_json() for one in self.story.happenings]

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``trace --json`` prints."""
        where = self.experiment.as_json()
        del where["plugins"]
        return {
            **where,
            "number": self.number,
            "players": list(self.players),
            "winners": self.story.winners,
            "length": self.story.length,
            "happenings": self.rows(),
        }


def trace(request: TraceRequest) -> Trace:
    """Play the game again, and tell it."""
    where, number = request.experiment, request.number
    seated = where.seat(request.players)
    bout = Bout(where.game, where.rules, seated, stream_seeds(where.seed))
    names = tuple(player.name for player in seated)
    return Trace(where, number, names, stories.tell(bout, number))
