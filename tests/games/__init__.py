"""What the tests of all games need of each: `tests/games/GAME.py` has its `CASES`.

One module for each of the games' folders; a folder of several games has one entry a game.
"""

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from herdlab.simcore.game import games

Settings = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Cases:
    """Tables of one game that show what is to be tested."""

    pair: tuple[str, str]
    """Two strategies of which one is better."""
    tables: dict[str, tuple[str, Settings]]
    """Line-ups and settings under which most events happen, by what is special about them."""
    playthrough: tuple[str, int, int, Settings]
    """The golden one: line-up, seed, number of the game, settings."""

    reading_tables: tuple[tuple[str, ...], ...]
    """Line-ups of which one shows every reading that matters."""
    readings: list[tuple[Settings, list[str]]]
    """Settings, and the readings that change nothing under them."""

    short: Settings
    """Rules under which no game takes long."""
    n_games: int
    """How many of these a test of a strategy plays."""
    opponents: str
    """Three opponents, one of whom leaves things to luck."""
    steady: str
    """Opponents that draw no luck."""
    telling: str = "random,random"
    """Opponents against whom strategies that differ show it."""
    family: str
    """The family whose own defaults are those of a member."""
    members: tuple[str, ...] = ()
    """Strategies that are its members."""


def cases() -> dict[str, Cases]:
    """Return the cases of every game by its name."""
    found: dict[str, Cases] = {}
    for folder in dict.fromkeys(game.folder for game in games().values()):
        found |= import_module(f"tests.games.{folder}").CASES
    return {name: found[name] for name in games()}
