"""Ways of playing the puzzle games that the clause tests share."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.simcore.puzzle.rules import PIECES
from herdlab.simcore.puzzle.table import Position
from herdlab.simcore.puzzle.view import PASS_LEFT
from herdlab.strategies.plugins import Origin
from herdlab.strategies.registry import seat_players
from herdlab.strategies.strategy import Strategy
from tests.simcore.puzzle.harness import (
    GAMES,
    Counts,
    Experiment,
    Line,
    bout,
    keep,
    log_lines,
    minus,
    play,
    plus,
    rules_of,
    script,
)

EDITIONS: list[dict[str, Any]] = [
    {"game": "horse-trader"},
    {"game": "horse-trader", "advanced": True},
    {"game": "bronco"},
    {"game": "bronco", "advanced": True},
]
"""Both games, plain and advanced."""
ADVANCED = [one for one in EDITIONS if one.get("advanced")]
PLAIN = [one for one in EDITIONS if not one.get("advanced")]


def seated(
    line_up: str,
    game: str = "horse-trader",
    start: Position | None = None,
    seed: int = 1,
    **settings: Any,
) -> Bout:
    """Return a bout of registered strategies."""
    rules = rules_of(game, **settings)
    players = seat_players(GAMES[game], rules, line_up)
    return Bout(GAMES[game], rules, players, stream_seeds(seed), start)


def of_all(strategy: str, players: int) -> str:
    """Return a line-up of one strategy."""
    return ",".join([strategy] * players)


def lines_of(made: Bout, number: int = 0) -> list[Line]:
    """Return all that happened in one game."""
    return log_lines(made.logged(number)[1], len(made.players))


def row_of(made: Bout, number: int = 0) -> dict[str, int]:
    """Return the row of one game by the names of its columns."""
    return Experiment(made, number).row


def column(rows: np.ndarray, made: Bout, name: str) -> np.ndarray:
    """Return one column of a bout's rows."""
    found: np.ndarray = rows[:, made.columns.index(name)].astype(np.int64)
    return found


def kinds(lines: Sequence[Line]) -> list[str]:
    """Return what happened, a word a line, without the deal and the end by P13."""
    return [line.what for line in lines if line.what not in ("deal", "stall")]


def of(lines: Sequence[Line], what: str) -> list[Line]:
    """Return the lines of one kind."""
    return [line for line in lines if line.what == what]


def cards_of(made: Bout, number: int = 0) -> Counts:
    """Return the puzzle cards dealt in a game (P2), which the log does not tell.

    The same deal is played with players who call a pass and pass a piece of their own puzzle on.
    """
    n = len(made.players)
    own = {seat: script(word=PASS_LEFT, pass_on=keep(0, *[PIECES] * 3)) for seat in range(n)}
    rules = rules_of(made.game.name, max_beats=1)
    log = bout(rules, own, n, int(made.seeds[1])).logged(number)[1]
    return tuple(gift.index(1) for gift in log_lines(log, n)[1].gifts)


def held(given: Mapping[int, Counts], rest: int, players: int = 4) -> tuple[Counts, ...]:
    """Return holdings in which some seats hold this, seat `rest` all else, and others nothing."""
    nothing = (0,) * players
    holdings = [given.get(seat, nothing) for seat in range(players)]
    holdings[rest] = plus(holdings[rest], minus((PIECES,) * players, plus(*holdings)))
    return tuple(holdings)


def refused(
    scripts: Mapping[int, np.ndarray], answer: int, decision: str, seat: int = 0, **options: Any
) -> None:
    """Check that an answer is no legal one, and that the message says whose it was and where."""
    wanted = (
        rf"^strategy 'test-scripted' in seat {seat} answered {answer}, which is not a legal "
        rf"choice, at the decision '{decision}' in game \d+ with seed 7$"
    )
    with pytest.raises(BadInput, match=wanted):
        play(scripts, seed=7, **options)


def made(function: Any, game: str = "horse-trader", **options: Any) -> Strategy:
    """Return a strategy that is not registered."""
    values = {
        "game": game,
        "name": "under-test",
        "words": "Tests.",
        "function": function,
        "parameters": {},
        "own_only": lambda values: False,
        "deterministic": lambda values: False,
        "observes": False,
        "notebook": 0,
        "make_data": None,
        "check": None,
        "origin": Origin("a test", "a test"),
    }
    return Strategy(**(values | options))
