"""What can be measured of a game: who wins, how long it takes, scores, and every event."""

from dataclasses import dataclass
from functools import partial
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from herdlab.simcore.errors import find
from herdlab.simcore.game import Game
from herdlab.simcore.rules import Rules
from herdlab.simcore.sums import LENGTH, WINNERS, Rows

WIN, LENGTH_NAME, SCORE = "win", "length", "score"


@dataclass(frozen=True)
class Metric:
    """A number of each game, for one seat, in whole units of 1 / `scale`."""

    name: str
    words: str
    """For tables: "win rate", "length in turns"."""
    scale: int
    column: str | None
    """The column of a row that has it, `{seat}` standing for the seat; None: the share of a win."""
    columns: tuple[str, ...]
    n_players: int
    size: int = 1
    """The most that one occurrence counts."""
    is_signed: bool = False
    """Whether it may be below 0."""

    @property
    def is_rate(self) -> bool:
        """Whether it is the share of a win, from 0 to 1, printed in per cent."""
        return self.column is None

    def of(self, rows: Rows, seat: int) -> npt.NDArray[np.int64]:
        """Return the metric of `seat` in each row, in whole units."""
        if self.column is not None:
            place = self.columns.index(self.column.format(seat=seat))
            return rows[:, place].astype(np.int64)
        winners = rows[:, WINNERS]
        shares = np.array([0, *(self.scale // k for k in range(1, self.n_players + 1))])
        won: npt.NDArray[np.int64] = ((winners >> seat) & 1) * shares[np.bitwise_count(winners)]
        return won


def metric_names(game: Game) -> list[str]:
    """Return all metrics of a game by name."""
    scores = [SCORE] if game.has_scores else []
    return [WIN, LENGTH_NAME, *scores, *(event.name for event in game.events)]


def find_metric(game: Game, rules: Rules, name: str, n_players: int) -> Metric:
    """Return the metric called `name`, in any case, at a table of so many under these rules."""
    name = find(f"metric of {game.name}", name, metric_names(game))
    columns = tuple(game.columns(n_players))
    metric = partial(Metric, name, columns=columns, n_players=n_players)
    if name == WIN:
        return metric("win rate", lcm(*range(1, n_players + 1)), None)
    if name == SCORE:
        return metric("score", 1, "score_{seat}", is_signed=True)
    scale, each = _per_part(game, rules)
    if name == LENGTH_NAME:
        assert columns[LENGTH] == LENGTH_NAME
        return metric(f"length in {game.length_unit}{each}", scale, LENGTH_NAME)
    event = next(one for one in game.events if one.name == name)
    if not event.per_part:
        scale, each = 1, ""
    words, column = f"{name}{each or ' a game'}", f"{name}_{{seat}}" if event.per_seat else name
    return metric(words, scale, column, size=event.size, is_signed=event.is_signed)


def _per_part(game: Game, rules: Any) -> tuple[int, str]:
    """Return what to divide sums by, and its words; a match to a target is measured whole."""
    if game.part is None:
        return 1, ""
    if rules.target:
        return 1, " a match"
    return rules.sessions, f" a {game.part}"
