"""Single turns with known dice and known choices, for tests written from the rulebook.

A die whose twelve faces are all the same shows a known face; a scripted strategy makes known
choices.  So a test says what lies on the table, what is rolled and what is chosen, and looks at
what lies there afterwards.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.game import find_game
from herdlab.simcore.herd.position import Position
from herdlab.simcore.herd.rule_tables import unpack, unpack_supply
from herdlab.simcore.herd.rules import ANIMALS, FACES, TRADES, HerdRules
from herdlab.simcore.herd.view import BEFORE, HAPPENINGS, NOBODY, PARTNER, TRADE
from herdlab.strategies import number, strategy
from herdlab.strategies.registry import seat_players, strategies_of
from herdlab.strategies.strategy import Strategy

HERD = find_game("herd")
QUICKLY = {"rollout": "rollout:n=2:doubt=0"}
"""How those who take their time sit down where anything that they do will do."""
ALL = [QUICKLY.get(name, name) for name in strategies_of(HERD)]


@strategy(
    "herd",
    "scripted",
    before=number(0, "the trade before the roll"),
    after=number(0, "the trade after the roll"),
    partner=number(1, "the partner, places to the left", low=-9),
    skunk=number(1, "who gets the skunk, places to the left", low=-9),
)
def scripted(decision, view, me):  # type: ignore[no-untyped-def]
    """Does what the test says, legal or not."""
    if decision == TRADE:
        return int(me.params[0]) if view.phase == BEFORE else int(me.params[1])
    if decision == PARTNER:
        return int(me.params[2])
    return int(me.params[3])


@dataclass(frozen=True)
class Line:
    """One thing that happened, with the state right after it."""

    what: str
    """lost turn, trade, roll, wolf roll, skunk, win"""
    turn: int
    """Turns finished before this one."""
    seat: int
    detail: tuple[object, ...]
    herds: tuple[dict[str, int], ...]
    supply: dict[str, int]
    skunk: int | None


@dataclass(frozen=True)
class Turn:
    """The first turn that was played."""

    lines: list[Line]
    winner: int | None
    """Who won in that turn."""
    next_seat: int | None
    """Whose turn was next, if anything happened in it."""

    @property
    def happened(self) -> list[str]:
        """What happened, in order."""
        return [line.what for line in self.lines]

    @property
    def herds(self) -> tuple[dict[str, int], ...]:
        """The herds at the end of the turn, only animals that are owned."""
        return self.lines[-1].herds

    @property
    def supply(self) -> dict[str, int]:
        """The supply at the end of the turn."""
        return self.lines[-1].supply


def herd(**animals: int) -> dict[str, int]:
    """Return a herd; ``herd(rabbit=2)``."""
    return {animal: animals.get(animal, 0) for animal in ANIMALS}


def only(counts: Sequence[int]) -> dict[str, int]:
    """Return counts by name, without the zeros."""
    return {name: n for name, n in zip(ANIMALS, counts, strict=True) if n}


@lru_cache(4096)  # most herds are those of the line before
def _counts(herd: int) -> dict[str, int]:
    return only(unpack(herd))


@lru_cache(4096)
def _supply(supply: int) -> dict[str, int]:
    return dict(zip(ANIMALS, unpack_supply(supply), strict=True))


def log_lines(log: np.ndarray, n_players: int) -> list[Line]:
    """Return an engine's log as lines."""
    lines = []
    for what, turn, seat, one, two, supply, skunk, *packed in log.tolist():
        name = HAPPENINGS[what]
        detail: tuple[object, ...] = ()
        if name == "trade":
            detail = (TRADES[one], None if two == NOBODY else two)
        elif name in ("roll", "wolf roll"):
            detail = (FACES[one], FACES[two])
        elif name == "skunk":
            detail = (one,)
        herds = tuple(_counts(one_herd) for one_herd in packed[:n_players])
        lines.append(
            Line(
                name, turn, seat, detail, herds, _supply(supply), None if skunk == NOBODY else skunk
            )
        )
    return lines


def play_turn(
    *herds: Mapping[str, int],
    dice: tuple[str, str] = ("cow", "horse"),
    before: str = "none",
    after: str = "none",
    partner: int = 1,
    skunk_to: int = 1,
    seat: int = 0,
    phase: str = "before",
    t_in_force: bool = False,
    skunk: int | None = None,
    seed: int = 0,
    **rules: object,
) -> Turn:
    """Play one turn of `seat` from the position given and return it.

    `dice` are the faces that wolf die and fox die show at every roll of the turn, the wolf's
    second roll included.  (Two equal herd animals would roll for ever: use `double_turn`.)
    `before` and `after` name the trades by what they gain ("none", "sheep", "pig", "cow", "horse",
    "dog"); `partner` and `skunk_to` count places to the left.  `rules` are settings of the rules.
    A choice that is not legal raises BadInput.
    """
    faces = {"wolf_die": [dice[0]] * 12, "fox_die": [dice[1]] * 12}
    return _play(herds, {**faces, **rules}, before, after, partner, skunk_to, seat, phase,
                 t_in_force, skunk, seed)  # fmt: skip


def double_turn(*herds: Mapping[str, int], animal: str, then: str, **options: object) -> Turn:
    """Play a turn with dice that show `animal` and, half of the time, `then` on the fox die.

    Tries seeds until the first roll is a double and the second is not.
    """
    fox_die = [animal] * 6 + [then] * 6
    for seed in range(200):
        turn = play_turn(
            *herds,
            dice=(animal, then),
            fox_die=fox_die,
            seed=seed,
            **options,  # type: ignore[arg-type]
        )
        rolls = [line.detail for line in turn.lines if line.what == "roll"]
        if rolls[0] == (animal, animal) and rolls[1:2] in ([(animal, then)], []):
            return turn
    raise AssertionError("no seed below 200 gave one double")


def _play(
    herds: Sequence[Mapping[str, int]],
    settings: Mapping[str, object],
    before: str,
    after: str,
    partner: int,
    skunk_to: int,
    seat: int,
    phase: str,
    t_in_force: bool,
    skunk: int | None,
    seed: int,
) -> Turn:
    rules = HerdRules.from_settings({"max_turns": 2, **settings})
    script = (
        f"scripted:before={TRADES.index(before)}:after={TRADES.index(after)}"
        f":partner={partner}:skunk={skunk_to}"
    )
    n = len(herds)
    line_up = ["hermit"] * n
    line_up[seat] = script
    players = seat_players(HERD, rules, ",".join(line_up))
    counts = tuple(tuple(one.get(animal, 0) for animal in ANIMALS) for one in herds)
    position = Position(counts, seat, phase, t_in_force, skunk)
    bout = Bout(HERD, rules, players, stream_seeds(seed), position)
    _, log = bout.logged(0)
    turns = log[:, 1]
    lines = log_lines(log, n)
    first = [line for line, turn in zip(lines, turns, strict=True) if turn == 0]
    later = [line for line, turn in zip(lines, turns, strict=True) if turn == 1]
    winners = [line.seat for line in first if line.what == "win"]
    return Turn(
        [line for line in first if line.what != "win"],
        winners[0] if winners else None,
        later[0].seat if later else None,
    )


__all__ = ["HERD", "Line", "Strategy", "Turn", "double_turn", "herd", "log_lines", "play_turn"]
