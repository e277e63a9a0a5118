"""What a player of Have You Herd? may do in a position, in words, and where it leads."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from herdlab.analysis.words.stories.herd import amount, priced
from herdlab.simcore.errors import BadInput, match, split_names, unknown
from herdlab.simcore.herd.position import Herd, Position, after_trade, has_won, legal_trades
from herdlab.simcore.herd.rules import ANIMALS, NO_TRADE, PLURALS, TRADES, HerdRules

NOTHING = "nothing"
PLACES = ("1st", "2nd", "3rd")
_TWO = 2


def read_herd(given: str | Mapping[str, int]) -> Herd:
    """Return the herd written ``rabbits=6,sheep=2``, animals in singular or plural."""
    if isinstance(given, str):
        is_empty = match(given.strip(), [NOTHING]) is not None
        parts = [] if is_empty else [part.partition("=") for part in split_names(given) or [""]]
        pairs: list[tuple[str, Any]] = [(name.strip(), count.strip()) for name, _, count in parts]
    else:
        pairs = list(given.items())
    known = {name: animal for words in (ANIMALS, PLURALS) for animal, name in enumerate(words)}
    herd: dict[int, int] = {}
    for name, count in pairs:
        animal = known.get(match(name, known) or "", -1)
        if not name or count == "" or (animal >= 0 and not _is_whole(count)):
            raise BadInput(
                f"a herd is written rabbits=6,sheep=2, or '{NOTHING}', and got '{given}'"
            )
        if animal < 0:
            raise unknown("animal", name, PLURALS)
        if animal in herd:
            raise BadInput(f"'{given}' names {PLURALS[animal]} twice: name each animal once")
        herd[animal] = int(count)
    return tuple(herd.get(animal, 0) for animal in range(len(ANIMALS)))


def _is_whole(count: Any) -> bool:
    text = str(count).removeprefix("-")
    return text.isascii() and text.isdecimal() and len(text) < len("1000000")


def written(herd: Herd) -> str:
    """Return a herd as `read_herd` reads it."""
    owned = [f"{PLURALS[animal]}={n}" for animal, n in enumerate(herd) if n]
    return ",".join(owned) or NOTHING


def other_player(place: int, players: int) -> str:
    """Return the player so many places to the left, in words."""
    return "the opponent" if players == _TWO else f"the {PLACES[place - 1]} player to the left"


@dataclass(frozen=True)
class Move:
    """Something that the player in seat 0 may do in a turn."""

    name: str
    """The animal gained, ``none``, or ``skunk``; the other player's place after it, if any."""
    words: str
    partner: int | None
    """Places to the left: whom the trade after a T is with, who gets the skunk."""
    herd: Herd
    """His own afterwards."""
    start: Position | None
    """From where it is played on; None where the game ends at once."""
    winner: int | None = None
    """Who has won then; None: nobody, since the last turn is over (H16)."""

    @property
    def at_once(self) -> str | None:
        """How the game ends with this move, if it does: win, loss, or nobody."""
        if self.start is not None:
            return None
        return "nobody" if self.winner is None else "loss" if self.winner else "win"

    @property
    def order(self) -> str:
        """What to do, in words."""
        if self.name.startswith("skunk"):
            return f"Give {self.words}"
        return "Make no trade" if self.name == TRADES[NO_TRADE] else f"Trade {self.words}"


def skunk_moves(position: Position) -> list[Move]:
    """H14: return whom seat 0 may give the skunk; the final trade is still to come."""
    mine, n = position.herds[0], len(position.herds)
    names = {k: f"the skunk to {other_player(k, n)}" for k in range(1, n)}
    return [
        Move(f"skunk to {k}", words, k, mine, replace(position, skunk=k))
        for k, words in names.items()
    ]


def trade_moves(rules: HerdRules, position: Position) -> list[Move]:
    """H5, H13, H15: return what seat 0 may trade, nothing first."""

    def move(name: str, words: str, partner: int | None, herds: tuple[Herd, ...]) -> Move:
        """Return the move that leaves these herds; H4: who is to move comes first."""
        winner = next((seat for seat, herd in enumerate(herds) if has_won(herd)), None)
        start = replace(position, herds=herds, phase="roll")
        if position.phase == "after":
            start = Position(herds, 1, "before", skunk=position.skunk, turn=position.turn + 1)
        is_over = winner is not None or start.turn >= rules.max_turns
        return Move(name, words, partner, herds[0], None if is_over else start, winner)

    moves = [move("none", "no trade", None, position.herds)]
    for trade, other in legal_trades(rules, position):
        name, words = TRADES[trade], f"{priced(rules.prices[trade])} for {amount(trade, 1)}"
        if other is not None:
            name = f"{name} from {other}"
            words = f"{words} from {other_player(other, len(position.herds))}"
        moves.append(move(name, words, other, after_trade(rules, position, trade, other)))
    return moves
