"""Where games are played: which game, by which rules, on which luck."""

from dataclasses import dataclass, field, replace
from typing import Any, Self

from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import Game, Player
from herdlab.simcore.rules import Rules

LineUp = tuple[str, ...] | list[str]
"""Of strategies, one by one: a text with commas is split by the API."""
MAX_SEED = 2**64 - 1
MOST_GAMES = 10**12
FEWEST_DEALS = 100
"""With fewer the normal distribution says little of a difference's standard error."""
MOST_TO_PLAY = 10_000_000
"""Games after which a run that stops on what it sees gives up, unless told otherwise."""


class Interrupted(Exception):
    """Ctrl-C; carries the result of what was played, if it was enough for one."""

    def __init__(self, so_far: Any, again: str | None, resume: str | None = None) -> None:
        super().__init__("interrupted")
        self.so_far = so_far
        self.again = again
        """The option with which the same command prints exactly this, if there is one."""
        self.resume = resume
        """The command that goes on from here, if what was played is kept."""


class WorkersLost(BadInput):
    """Those who played are gone, and what was asked for is as good as before."""


@dataclass(frozen=True)
class Experiment:
    """Everything that decides a result beside who plays and what is measured."""

    game: Game
    rules: Rules
    seed: int = 0
    plugins: tuple[dict[str, str], ...] = field(default=(), hash=False)
    """The plug-ins that were loaded: file name and hash."""

    def __post_init__(self) -> None:
        check_seed(self.seed)

    def under(self, **settings: Any) -> Self:
        """Return the same with other settings of the rules."""
        return replace(self, rules=self.rules.but(**settings))

    @property
    def smallest_table(self) -> int:
        """How many players make a table at which somebody can win against another."""
        return max(2, self.game.min_players)

    def spelled(self, names: LineUp) -> tuple[str, ...]:
        """Return strategies in the names that they are registered under."""
        from herdlab.strategies import registry

        return tuple(registry.spelled(self.game, name) for name in names)

    def check_line_up(self, names: LineUp) -> None:
        """Refuse a wrong line-up; nothing is compiled for it."""
        from herdlab.strategies import registry

        registry.check_line_up(self.game, self.rules, names)

    def seat(self, names: LineUp) -> list[Player]:
        """Return the players of a line-up, compiled."""
        from herdlab.strategies import registry

        return registry.seat_players(self.game, self.rules, names)

    def as_json(self) -> dict[str, Any]:
        """Return what every result begins with."""
        return {
            "game": self.game.name,
            "rules": self.rules.as_dict(),
            "rules_hash": self.rules.hash,
            "seed": self.seed,
            "plugins": list(self.plugins),
        }

    def title(self) -> str:
        """Return seed and changed settings, as a result's first line has them."""
        settings = "".join(f", {key}={value}" for key, value in self.rules.changed().items())
        return f"seed {self.seed}{settings}"


def joined(names: LineUp | None) -> str | None:
    """Return strategies as results have them, in one text with commas."""
    return None if names is None else ",".join(names)


def respell(request: Any, **fields: Any) -> None:
    """Set fields of a frozen request to registered names, while it is made."""
    for key, value in fields.items():
        object.__setattr__(request, key, value)


def asking_for(deals: int, result: Any) -> Any:
    """Return a result whose request asks for as many deals as were played."""
    name = "deals" if hasattr(result.request, "deals") else "games"
    return replace(result, request=replace(result.request, **{name: deals}))


def check_games(games: int, *, at_least: int = 1) -> None:
    """Refuse a number of games that is too small or too large."""
    if not isinstance(games, int):
        raise BadInput(f"the number of games must be a whole number, and got {games!r}")
    if not at_least <= games <= MOST_GAMES:
        raise BadInput(
            f"the number of games must be from {at_least:,} to {MOST_GAMES:,}, and got {games:,}"
        )


def check_seed(seed: int) -> None:
    """Refuse a seed that is no 64-bit number."""
    if not 0 <= seed <= MAX_SEED:
        raise BadInput(f"the seed must be a whole number from 0 to 2^64 - 1, not {seed}")
