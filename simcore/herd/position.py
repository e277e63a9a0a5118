"""A position of Have You Herd?: what may lie on the table, and which trades it leaves open."""

from collections.abc import Sequence
from dataclasses import dataclass

from herdlab.simcore.errors import BadInput
from herdlab.simcore.herd import rules as rulebook
from herdlab.simcore.herd.rule_tables import dealt_herd, unpack
from herdlab.simcore.herd.rules import PLURALS, HerdRules
from herdlab.simcore.herd.view import PHASES

Herd = tuple[int, ...]
"""The count of each animal, in the order of `ANIMALS`."""


@dataclass(frozen=True, slots=True)
class Position:
    """Where a game stands; it can be played on from here."""

    herds: tuple[Herd, ...]
    """For each seat its count of each animal, in the order of `ANIMALS`."""
    seat: int = 0
    """Whose turn it is."""
    phase: str = "before"
    """What comes next in the turn: the trade ``before`` the roll, the ``roll``, or ``after`` it."""
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
    owned = [sum(herd[animal] for herd in herds) for animal in range(len(rulebook.ANIMALS))]
    return tuple(tiles - n for tiles, n in zip(rules.tiles, owned, strict=True))


def has_won(herd: Sequence[int]) -> bool:
    """H4: whether a herd has a rabbit, a sheep, a pig, a cow and a horse."""
    return all(herd[animal] > 0 for animal in rulebook.HERD_ANIMALS)


def check_position(
    rules: HerdRules, position: Position, whose: Sequence[str] | None = None
) -> None:
    """Refuse a position that cannot come up in a game, with the clause that forbids it.

    `whose` names each herd in the sentence, by default by its seat.
    """
    players = len(position.herds)
    names = whose or [f"the herd of seat {seat}" for seat in range(players)]
    for name, herd in zip(names, position.herds, strict=True):
        for animal, owned in enumerate(herd):
            tiles, limit = rules.tiles[animal], rules.limits[animal]
            if owned > tiles:
                raise BadInput(
                    f"{name} cannot have {owned} {PLURALS[animal]}: there are {tiles} (H1)"
                )
            if not 0 <= owned <= limit:
                raise BadInput(f"{name} cannot have {owned} {PLURALS[animal]}: 0 to {limit} (H7)")
        if has_won(herd):
            raise BadInput(f"{name} is complete: the game is over (H4)")
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


def legal_trades(rules: HerdRules, position: Position) -> list[tuple[int, int | None]]:
    """H15: return each trade that whose turn it is may make now, and with whom.

    That is the supply (None), if it has the tile (H1); after a T another seat, from the left on,
    that owns it (H13).  To trade nothing is not among them.
    """
    herds, seat = position.herds, position.seat
    if position.phase == "roll":  # H5
        return []
    others: list[int | None] = [None]
    if position.t_in_force:
        others = [(seat + k) % len(herds) for k in range(1, len(herds))]
    supply = supply_of(rules, herds)
    return [
        (trade, other)
        for trade in range(rulebook.NO_TRADE + 1, len(rulebook.TRADES))
        if all(n >= price for n, price in zip(herds[seat], rules.prices[trade], strict=True))
        and herds[seat][trade] < rules.limits[trade]  # H7
        for other in others
        if (supply if other is None else herds[other])[trade] > 0
    ]


def after_trade(
    rules: HerdRules, position: Position, trade: int, other: int | None
) -> tuple[Herd, ...]:
    """H13, H15: return all herds after a legal trade of whose turn it is."""
    price = rules.prices[trade]
    gain = [(animal == trade) - n for animal, n in enumerate(price)]
    herds = list(position.herds)
    mine = herds[position.seat]
    herds[position.seat] = tuple(n + more for n, more in zip(mine, gain, strict=True))
    if other is not None:
        theirs = [n - more for n, more in zip(herds[other], gain, strict=True)]
        theirs[rulebook.RABBIT] = min(theirs[rulebook.RABBIT], rules.limits[rulebook.RABBIT])
        herds[other] = tuple(theirs)
    return tuple(herds)
