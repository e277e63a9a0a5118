"""A table of Have You Herd?: the position to start from, and what a batch needs to set it up."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simcore.errors import BadInput
from simcore.game import Player
from simcore.herd.engine import play_games
from simcore.herd.rules import ANIMALS, HERD_ANIMALS, PLURALS, HerdRules
from simcore.herd.tables import HERD_BITS, dealt_herd, pack, pack_supply, unpack, write_book
from simcore.herd.tabulate import tabulate
from simcore.herd.view import (
    CHOOSE,
    LOG_COLUMNS,
    MEMORY_SIZE,
    NOBODY,
    PHASES,
    SEEN_LIMITS,
    SEEN_PRICES,
    STREAMS,
)
from simcore.table import OWN_ONLY, aligned_zeros

__all__ = ["CHOOSE", "LOG_COLUMNS", "STREAMS", "play_games", "tabulate"]

MOVES_SIZE = 1 << HERD_BITS


@dataclass(frozen=True, slots=True)
class Position:
    """Where a game stands; it can be played on from here."""

    herds: tuple[tuple[int, ...], ...]
    """For each seat its count of each animal, in the order of `ANIMALS`."""
    seat: int = 0
    """Whose turn it is."""
    phase: str = "before"
    """What comes next in his turn: the trade ``before`` the roll, the ``roll``, or ``after`` it."""
    t_in_force: bool = False
    """Whether a T binds the trade after the roll (H13)."""
    skunk: int | None = None
    """Who holds the skunk."""
    turn: int = 0
    """Turns finished so far."""


def deal(rules: HerdRules, players: int) -> Position:
    """H3: return the position in which a game begins."""
    return Position((unpack(dealt_herd(rules)),) * players)


def supply_of(rules: HerdRules, herds: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """H1: return what the supply has left beside these herds."""
    owned = [sum(herd[animal] for herd in herds) for animal in range(len(ANIMALS))]
    return tuple(tiles - n for tiles, n in zip(rules.tiles, owned, strict=True))


def check_position(rules: HerdRules, position: Position) -> None:
    """Refuse a position that cannot come up in a game, with the clause that forbids it."""
    players = len(position.herds)
    for seat, herd in enumerate(position.herds):
        for animal, (owned, limit) in enumerate(zip(herd, rules.limits, strict=True)):
            if not 0 <= owned <= limit:
                raise BadInput(
                    f"seat {seat} cannot own {owned} {PLURALS[animal]}: 0 to {limit} (H7)"
                )
        if all(herd[animal] > 0 for animal in HERD_ANIMALS):
            raise BadInput(f"seat {seat} has a complete herd: the game is over (H4)")
    for animal, left in enumerate(supply_of(rules, position.herds)):
        if left < 0:
            raise BadInput(
                f"the players own {rules.tiles[animal] - left} {PLURALS[animal]} together, and "
                f"there are {rules.tiles[animal]} (H1)"
            )
    if not 0 <= position.seat < players:
        raise BadInput(f"seat {position.seat} cannot be to move at a table of {players} (H3)")
    if position.phase not in PHASES:
        raise BadInput(f"phase must be one of {', '.join(PHASES)}, and got '{position.phase}'")
    if position.t_in_force and position.phase != "after":
        raise BadInput("a T is in force only in the phase 'after' the roll (H13)")
    if position.skunk is not None:
        if not rules.skunks or not 0 <= position.skunk < players or players == 1:
            raise BadInput(f"seat {position.skunk} cannot hold the skunk (H14)")
        if position.skunk == position.seat and position.phase != "before":
            raise BadInput("a player holding the skunk loses his turn and does not roll (H14)")
    if not 0 <= position.turn < rules.max_turns:
        raise BadInput(
            f"turn must be from 0 to {rules.max_turns - 1}, and got {position.turn} (H16)"
        )


def make_book(rules: HerdRules, players: int, start: Position | None) -> npt.NDArray[np.int64]:
    """Return the rules and the position to start from (default: the deal) for the loop."""
    if start is None:
        start = deal(rules, players)
    elif len(start.herds) != players:
        raise BadInput(f"the position has {len(start.herds)} herds for {players} players")
    check_position(rules, start)
    skunk = NOBODY if start.skunk is None else start.skunk
    words = [
        start.seat,
        PHASES.index(start.phase),
        int(start.t_in_force),
        start.turn,
        skunk,
        pack_supply(supply_of(rules, start.herds)),
        *(pack(herd) for herd in start.herds),
    ]
    return write_book(rules, words)


def new_memory(rules: HerdRules, players: int) -> npt.NDArray[np.int64]:
    """Return a thread's working memory, with the parts of the view that never change."""
    memory = aligned_zeros(MEMORY_SIZE, np.int64)
    memory[SEEN_PRICES : SEEN_PRICES + len(ANIMALS)] = [max(price) for price in rules.prices]
    memory[SEEN_LIMITS : SEEN_LIMITS + len(ANIMALS)] = rules.limits
    return memory


def moves_key(player: Player) -> object:
    """Return what players have in common who can share a table of moves."""
    if player.flags & OWN_ONLY:
        return (player.choose, player.params, player.data.tobytes())
    return None
