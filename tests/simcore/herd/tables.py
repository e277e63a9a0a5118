"""Positions and ways of playing that the clause tests share."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.simcore.herd.position import Position
from herdlab.simcore.herd.rules import ANIMALS, HerdRules
from herdlab.strategies.registry import seat_players
from tests.simcore.herd.harness import HERD, Line, Turn, herd, log_lines, play_turn

LACKS_HORSE = herd(rabbit=1, sheep=1, pig=1, cow=3)
LACKS_SHEEP = herd(rabbit=6, pig=1, cow=1, horse=1)
LACKS_RABBIT = herd(sheep=2, pig=1, cow=1, horse=1)
LACKS_PIG = herd(rabbit=1, sheep=1, cow=1, horse=1)
RABBIT = herd(rabbit=1)
HERD_ANIMALS = ("rabbit", "sheep", "pig", "cow", "horse")
FOUR = ("fox", "wolf", "skunk", "dog")
SEEDS: dict[tuple[tuple[str, str], ...], int] = {}
"""What `rolling` has found: a seed that gives these rolls."""


def position(*herds: Mapping[str, int], **rest: Any) -> Position:
    """Return a position with these herds."""
    return Position(tuple(tuple(one.get(a, 0) for a in ANIMALS) for one in herds), **rest)


def play_game(
    line_up: str, start: Position | None = None, **settings: Any
) -> tuple[list[Line], dict[str, int]]:
    """Play a game; return its log and its row of outcomes."""
    rules = HerdRules.from_settings(settings)
    players = seat_players(HERD, rules, line_up)
    bout = Bout(HERD, rules, players, stream_seeds(1), start)
    rows, log = bout.logged(0)
    return log_lines(log, len(players)), dict(zip(bout.columns, rows[0].tolist(), strict=True))


def twelve(faces: Iterable[str]) -> list[str]:
    """Return a die with each of `faces` equally often."""
    distinct = list(dict.fromkeys(faces))
    return distinct * (12 // len(distinct))


def rolling(
    *herds: Mapping[str, int], rolls: list[tuple[str, str]], after: str = "none", **options: Any
) -> Turn:
    """Play a turn in which exactly `rolls` come up, the wolf's second roll included."""
    options["wolf_die"] = twelve(wolf for wolf, _ in rolls)
    options["fox_die"] = twelve(fox for _, fox in rolls)
    for seed in [SEEDS.get(tuple(rolls), 0), *range(600)]:
        turn = play_turn(*herds, seed=seed, **options)
        if [line.detail for line in turn.lines if "roll" in line.what] == rolls:
            SEEDS[tuple(rolls)] = seed
            return play_turn(*herds, seed=seed, after=after, **options)
    raise AssertionError(f"no seed below 600 gave {rolls}")


def refused(*herds: Mapping[str, int], play: Callable[..., Turn] = play_turn, **opts: Any) -> None:
    """Check that a choice cannot be made: it is no legal one, or there is none to be asked for."""
    try:
        turn = play(*herds, **opts)
    except BadInput as error:
        assert "not a legal choice" in str(error)
    else:
        assert set(turn.happened) <= {"roll", "wolf roll"}
