"""What there is: games, the rules of one, strategies, questions."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from herdlab.simcore.game import Game
from herdlab.simcore.rules import Rules

if TYPE_CHECKING:
    import pandas as pd

    from herdlab.strategies.strategy import Strategy


class Listing(ABC):
    """Something to look at, without an answer in it."""

    @property
    def headline(self) -> str:
        """What is listed, in a line."""
        return ", ".join(self)

    @abstractmethod
    def rows(self) -> list[dict[str, Any]]:
        """Return one row for each thing listed."""

    def as_json(self) -> Any:
        """Return what ``--json`` prints."""
        return self.rows()

    def frame(self) -> "pd.DataFrame":
        """Return the rows as a table."""
        import pandas as pd

        return pd.DataFrame(self.rows())

    def __iter__(self) -> Iterator[str]:
        """Yield the names."""
        return iter([row["name"] for row in self.rows()])

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.headline}>"

    def _repr_html_(self) -> str:
        return str(self.frame().to_html(index=False))


@dataclass(frozen=True, repr=False)
class Games(Listing):
    """The games."""

    games: tuple[Game, ...]

    def rows(self) -> list[dict[str, Any]]:
        """Return one row a game."""
        return [
            {
                "name": game.name,
                "title": game.title,
                "min_players": game.min_players,
                "max_players": game.max_players,
                "length_unit": game.length_unit,
                "events": [event.name for event in game.events],
            }
            for game in self.games
        ]


@dataclass(frozen=True, repr=False)
class GameRules(Listing):
    """The clauses of a game, its settings and how unclear clauses can be read."""

    game: Game
    values: Rules

    @property
    def headline(self) -> str:
        """The game, and what is not as its rulebook says."""
        changed = ", ".join(f"{key}={value}" for key, value in self.values.changed().items())
        return f"{self.game.title}, {changed or 'as printed'}"

    def rows(self) -> list[dict[str, Any]]:
        """Return one row a setting."""
        return [
            {"name": key, "value": self.values.as_dict()[key], "meaning": note.words}
            for key, note in self.values.notes().items()
        ]

    def as_json(self) -> dict[str, Any]:
        """Return what ``rules --json`` prints."""
        notes = self.values.notes()
        return {
            "game": self.game.name,
            "rules": self.values.as_dict(),
            "rules_hash": self.values.hash,
            "readings": {k: n.alternatives for k, n in notes.items() if n.alternatives},
            "clauses": dict(self.game.clauses),
        }


@dataclass(frozen=True, repr=False)
class Strategies(Listing):
    """Strategies of a game."""

    game: Game
    strategies: "tuple[Strategy, ...]"
    is_one: bool = False
    """Whether it was one by its name that was asked for."""

    def rows(self) -> list[dict[str, Any]]:
        """Return one row a strategy."""
        return [
            {
                "name": one.name,
                "description": one.words,
                "source": one.source,
                "parameters": one.written(p.default for p in one.parameters.values()),
            }
            for one in self.strategies
        ]


@dataclass(frozen=True, repr=False)
class Questions(Listing):
    """What can be asked."""

    questions: tuple[Any, ...]
    """Of `herdlab.analysis.questions`, of which this knows nothing."""

    def rows(self) -> list[dict[str, Any]]:
        """Return one row a question."""
        names = ("name", "words", "games")
        return [{key: getattr(one, key) for key in names} for one in self.questions]
