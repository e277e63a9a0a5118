"""The dice game "Have You Herd?", written from its rulebook to be read beside it.

The clause ids H1..H16 are those of rules/herd.md. Nothing here is meant to be fast.
Equipment, trading chart, setup and the complete herd are in herd_table.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

from .herd_table import (
    ANIMALS,
    HERD_ANIMALS,
    TRADES,
    Chooser,
    Herd,
    Phase,
    Position,
    Result,
    Rules,
    Step,
    check_conserved,
    complete,
    deal,
    move,
)

__all__ = [
    "ANIMALS",
    "TRADES",
    "Chooser",
    "Position",
    "Result",
    "Rules",
    "Step",
    "check_conserved",
    "deal",
    "play",
]

SPECIAL_EVENTS = ("fox", "wolf", "skunk", "dog", "T")
EVENTS = (
    "dogs_bought",
    "dogs_free",
    "foxes_with_dog",
    "foxes_without_dog",
    "wolves_with_dog",
    "wolves_without_dog",
    "rabbits_lost_to_fox",
    "trades",
)
Faces = tuple[str, str]  # wolf die, fox die


class HerdCompleteError(Exception):
    """Somebody has won: play stops on the spot (H4)."""


# ROLLING THE DICE
def doubles(faces: Faces) -> bool:
    """Say whether the dice show two identical herd animals (H8)."""
    return faces[0] == faces[1] and faces[0] in HERD_ANIMALS


def cancelled(faces: Faces, rules: Rules) -> bool:
    """Say whether two special events cancel each other out (H9)."""
    cancelling = ["fox", "wolf", "skunk", "dog"]
    if rules.t_cancels:  # H9 [reading]
        cancelling.append("T")
    return all(face in cancelling for face in faces)


# PLAY
class Table:
    """A game in progress: one method for each heading of the rulebook."""

    def __init__(
        self, position: Position, rules: Rules, dice: Callable[[int], Faces], chooser: Chooser
    ) -> None:
        self.position = position
        self.rules = rules
        self.dice = dice
        self.chooser = chooser
        self.winner: int | None = None
        self.steps: list[Step] = []
        self.events = {event: [0] * len(position.herds) for event in EVENTS}

    def herd(self) -> Herd:
        """Return the herd of the player whose turn it is."""
        return self.position.herds[self.position.seat]

    def count(self, event: str, number: int = 1) -> None:
        """Count an event for the player whose turn it is."""
        self.events[event][self.position.seat] += number

    def changed(self, kind: str, *detail: str | int | None) -> None:
        """Check the tiles, record a step and look for a winner."""
        position = self.position
        check_conserved(position, self.rules)
        herds = tuple([tuple([herd[animal] for animal in ANIMALS]) for herd in position.herds])
        supply = tuple([position.supply[animal] for animal in ANIMALS])
        self.steps.append(Step(kind, position.seat, detail, herds, supply, position.skunk))
        # H4: after every change, anybody's herd; the player whose turn it is comes first.
        for seat in [position.seat, *position.opponents()]:
            if complete(position.herds[seat]):
                self.winner = seat
                raise HerdCompleteError

    def turn(self) -> None:
        """Play a turn, or what is left of it (H5): trade once, roll both dice, trade again."""
        position = self.position
        if position.phase == "before":
            position.t_in_force = False  # a T binds the final trade only
            if position.skunk == position.seat:  # H14: no trade, no roll; the tile goes back
                position.skunk = None
                self.changed("lost turn")
                return
            self.trade()
            position.phase = "roll"
        if position.phase == "roll":
            self.roll()
            position.phase = "after"
        self.trade()

    # TRADING
    def servers(self, trade: str) -> list[int]:
        """Return the opponents, from the left, who own what is asked for (H13)."""
        position = self.position
        return [seat for seat in position.opponents() if position.herds[seat][trade] >= 1]

    def legal_trades(self) -> list[str]:
        """Return the trades that can be made now (H13, H15)."""
        legal, herd = [], self.herd()
        for trade in TRADES[1:]:  # all but "none"
            price = self.rules.price(trade)
            if any([herd[animal] < count for animal, count in price.items()]):
                continue
            can_take = self.rules.room(herd, trade) >= 1  # H15: limits of H7 hold
            if self.position.t_in_force:
                can_be_served = self.servers(trade) != []  # H13: the supply is not needed
            else:
                can_be_served = self.position.supply[trade] >= 1  # H1
            if can_take and can_be_served:
                legal.append(trade)
        return legal

    def trade(self) -> None:
        """Trade at most once (H5, H13, H15)."""
        position, seat = self.position, self.position.seat
        options = self.legal_trades()
        if not options:
            return
        trade = self.chooser.trade(position, seat, list(options))
        if trade == "none":
            return
        if trade not in options:
            raise ValueError(f"trade {trade!r} is not one of {options}")
        partner: int | None = None
        if position.t_in_force:  # H13: only with another player, who cannot refuse
            partners = self.servers(trade)
            partner = self.chooser.partner(position, seat, trade, list(partners))
            if partner not in partners:
                raise ValueError(f"partner {partner!r} is not one of {partners}")
        self.exchange(trade, partner)
        self.count("trades")
        if trade == "dog":
            self.count("dogs_bought")
        self.changed("trade", trade, partner)  # H4: a whole trade is one change

    def exchange(self, trade: str, partner: int | None) -> None:
        """Pay the price and take the one tile, with the supply or with a partner."""
        supply = self.position.supply
        other = supply if partner is None else self.position.herds[partner]
        for animal, count in self.rules.price(trade).items():
            move(self.herd(), other, animal, count)
        move(other, self.herd(), trade, 1)
        if partner is not None:  # H13: his rabbits over 12 go to the supply
            move(other, supply, "rabbit", max(0, other["rabbit"] - self.rules.max_rabbits))

    # ROLLING THE DICE
    def roll_both_dice(self) -> Faces:
        """Return the two faces of the next roll (H6: which dice they are is the caller's)."""
        faces = self.dice(self.position.seat)
        if any(face not in HERD_ANIMALS + SPECIAL_EVENTS for face in faces):
            raise ValueError(f"no such dice: {faces}")
        return faces

    def roll(self) -> None:
        """Roll, and roll again after doubles, as often as they come (H8)."""
        faces = self.roll_both_dice()
        self.resolve(faces)
        while doubles(faces):
            faces = self.roll_both_dice()
            self.resolve(faces)

    def resolve(self, faces: Faces) -> None:
        """Do what a roll says."""
        self.position.t_in_force = False
        if cancelled(faces, self.rules):  # H9: nothing happens, nothing multiplies
            self.changed("roll", *faces)
            return
        # From here on at most one of fox, wolf, skunk and dog is on the dice.
        if "T" in faces and "fox" not in faces:  # H9, H13; H11: a fox ignores a T too
            self.position.t_in_force = True
        if "fox" in faces:
            self.fox(faces)
        elif "wolf" in faces:
            self.wolf(faces)
        else:
            self.multiply(faces)
            if "dog" in faces:
                self.guard_dog()
            self.changed("roll", *faces)
            if "skunk" in faces:
                self.skunk()

    def multiply(self, faces: Faces) -> None:
        """Take a new tile for each pair of tiles owned and symbols rolled (H7)."""
        for animal in HERD_ANIMALS:
            if animal in faces:
                pairs = (self.herd()[animal] + faces.count(animal)) // 2
                room = self.rules.room(self.herd(), animal)  # H7: the excess is ignored
                left = self.position.supply[animal]  # H1: who is owed more gets what is left
                move(self.position.supply, self.herd(), animal, min(pairs, room, left))

    # SPECIAL EVENTS
    def guard_dog(self) -> None:
        """Take a free dog, if the limit and the supply allow it (H10)."""
        if self.rules.room(self.herd(), "dog") >= 1 and self.position.supply["dog"] >= 1:
            move(self.position.supply, self.herd(), "dog", 1)
            self.count("dogs_free")

    def wolf(self, faces: Faces) -> None:
        """Lose the dog, or roll again and lose herd animals (H12)."""
        if self.herd()["dog"] >= 1:
            self.count("wolves_with_dog")
            move(self.herd(), self.position.supply, "dog", 1)
            self.changed("roll", *faces)
            return
        self.count("wolves_without_dog")
        self.changed("roll", *faces)
        again = self.roll_both_dice()
        for animal in HERD_ANIMALS:  # H12: specials on this roll are ignored
            if animal in again:
                self.lose(animal, self.rules.wolf_pair_loses if doubles(again) else 1)
        self.changed("wolf roll", *again)

    def fox(self, faces: Faces) -> None:
        """Lose all rabbits but one, unless a dog is there, who stays (H11)."""
        if self.herd()["dog"] >= 1:
            self.count("foxes_with_dog")
        else:
            self.count("foxes_without_dog")
            self.count("rabbits_lost_to_fox", self.lose("rabbit", self.herd()["rabbit"]))
        self.changed("roll", *faces)

    def lose(self, animal: str, asked: int) -> int:
        """Return tiles to the supply, never the last rabbit; say how many (H11, H12)."""
        owned = self.herd()[animal]
        can_be_lost = max(owned - 1, 0) if animal == "rabbit" else owned
        lost = min(asked, can_be_lost)
        move(self.herd(), self.position.supply, animal, lost)
        return lost

    def skunk(self) -> None:
        """Give the skunk tile, from wherever it is, to an opponent (H14)."""
        position = self.position
        options = position.opponents()
        if not options or self.rules.skunks == 0:  # H2: it goes to nobody
            return
        receiver = self.chooser.skunk(position, position.seat, list(options))
        if receiver not in options:
            raise ValueError(f"skunk to {receiver!r}, not one of {options}")
        position.skunk = receiver
        self.changed("skunk", receiver)


def play(
    position: Position, rules: Rules, dice: Callable[[int], Faces], chooser: Chooser
) -> Result:
    """Play on from a position, which is changed in place, until a win or max_turns (H16).

    After a win the position stays as it was won, with that turn counted. A position in which
    somebody has won already cannot be played on from: ValueError.
    """
    check_conserved(position, rules)
    if position.phase not in get_args(Phase):
        raise ValueError(f"no such phase: {position.phase!r}")
    if any(complete(herd) for herd in position.herds):
        raise ValueError("somebody has won already")
    table = Table(position, rules, dice, chooser)
    try:
        while position.turn < rules.max_turns:
            table.turn()
            position.turn += 1  # H16: lost turns are counted too
            position.seat = (position.seat + 1) % len(position.herds)  # H3: to the left
            position.phase = "before"
            position.t_in_force = False
    except HerdCompleteError:
        position.turn += 1  # H16: the winning turn is counted too
    return Result(table.winner, position.turn, table.steps, table.events)
