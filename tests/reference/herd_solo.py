"""The game alone solved exactly: how many turns a strategy takes, and the fewest that any takes.

A turn and its clauses are in herd_solo_turn.py, all herds and the moves between them in
herd_solo_box.py, the strategies in herd_solo_anchors.py. Turns count the winning one; a game is
never broken off (H16's max_turns is not looked at).

`python -m tests.reference.herd_solo > tests/reference/solo_figures.json` writes the figures that
the solver of the program is compared with.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import fsum, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from .herd_solo_anchors import ANCHORS
from .herd_solo_box import Box, Floats, box_of
from .herd_solo_turn import DICE, DOGS, TRADES, Choose, Herd, Solo, SoloRules

__all__ = ["ANCHORS", "DICE", "DOGS", "Optimum", "Solo", "SoloRules", "distribution", "moments"]

TAIL = 1e-16
"""The chance of a longer game that is left out; its share of a variance is below 1e-10."""
PRECISE = 1e-11
"""How far the fewest turns may be from their limit."""
A_CHANCE = 1e-9
"""More than rounding makes of a chance of nothing, and less than what a turn can bring."""

Strategy = Callable[[Solo], Choose]


# HOW MANY TURNS A STRATEGY TAKES
class Play:
    """A strategy's game from turn to turn."""

    def __init__(self, box: Box, choose: Choose) -> None:
        self.box = box
        self.first_trade = box.places_after("before", choose)
        self.final_trade = box.places_after("after", choose)

    def turn(self, chances: Floats) -> Floats:
        """Return the chances of herds after a turn, from those before it (H5)."""
        size = chances.size
        chances = np.bincount(self.first_trade, chances, size).astype(float)
        free, barred = self.box.after_roll(chances)
        return np.asarray(np.bincount(self.final_trade, free, size) + barred)

    def hopeful(self) -> npt.NDArray[np.bool_]:
        """Return the herds from which the game can end."""
        hope = self.box.is_complete
        while True:
            far = np.where(hope, 0.0, 1.0)
            rolling = self.box.before_roll(far[self.final_trade], far)
            more = hope | (rolling[self.first_trade] < 1 - A_CHANCE)
            if np.array_equal(more, hope):
                return hope
            hope = more


def distribution(
    rules: SoloRules, strategy: Strategy, start: Herd | None = None, dogs: str = "sold"
) -> list[float]:
    """Return the chance to finish in turn 1, 2, ...; less than 1 in all if it may never finish."""
    box = box_of(rules, dogs)
    play = Play(box, strategy(box.solo))
    is_open = play.hopeful() & ~box.is_complete
    chances = np.zeros(len(box.herds))
    chances[box.place(box.solo.deal() if start is None else start)] = 1.0
    chances = np.where(is_open, chances, 0.0)
    finished = []
    while chances.sum() > TAIL:
        chances = play.turn(chances)
        finished.append(float(chances[box.is_complete].sum()))
        chances = np.where(is_open, chances, 0.0)
    return finished


def moments(chances: Sequence[float]) -> tuple[float, float] | None:
    """Return the mean and the standard deviation of the turns; None if it may never finish."""
    if fsum(chances) < 1 - 1e-9:
        return None
    mean = fsum(turn * chance for turn, chance in enumerate(chances, 1))
    square = fsum((turn - mean) ** 2 * chance for turn, chance in enumerate(chances, 1))
    return mean, sqrt(square)


# THE FEWEST TURNS
class Optimum:
    """The least expected number of turns from every herd, and the trades that reach it.

    Turns are counted from the point of a turn that an array is about: the turn under way is added
    at its start, so that a complete herd has 0.
    """

    def __init__(self, rules: SoloRules, dogs: str = "sold") -> None:
        self.box = box_of(rules, dogs)
        self.trades = [self.box.places_after("before", self.always(trade)) for trade in TRADES]
        self.before = self.value_iteration()
        self.after = self.best(self.before)
        self.roll = self.box.before_roll(self.after, self.before)

    @staticmethod
    def always(trade: str) -> Choose:
        """Return a strategy that makes this trade whenever it is legal."""
        return lambda herd, phase, legal: trade if trade in legal else None

    def best(self, turns: Floats) -> Floats:
        """Return the turns before a trade, or none, from those after it (H5)."""
        best: Floats = np.minimum.reduce([turns, *(turns[places] for places in self.trades)])
        return best

    def a_turn_earlier(self, turns: Floats) -> Floats:
        """Return `turns`, given for the start of the next turn, for the start of this one."""
        return self.best(self.box.before_roll(self.best(turns), turns))

    def never(self) -> npt.NDArray[np.bool_]:
        """Return the herds from which no play is sure to finish.

        Those are, at first, the herds from which no play can finish; then also those from which
        every play that can finish may lose its way to such a herd; and so on.
        """
        never = np.zeros(len(self.box.herds), dtype=bool)
        while True:
            far = np.where(never, np.inf, np.where(self.box.is_complete, 0.0, 1.0))
            while True:
                has_a_chance = self.a_turn_earlier(far) < 1 - A_CHANCE
                nearer = np.where(has_a_chance, 0.0, far)
                if np.array_equal(nearer, far):
                    break
                far = nearer
            if np.array_equal(far > 0, never):
                return never
            never = far > 0

    def value_iteration(self) -> Floats:
        """Return the fewest turns from the start of a turn, inf where no play is sure to finish."""
        turns = np.where(self.never(), np.inf, 0.0)
        is_open = np.isfinite(turns) & ~self.box.is_complete
        last = np.inf
        while True:
            more = np.where(is_open, 1 + self.a_turn_earlier(turns), turns)
            change = float((more[is_open] - turns[is_open]).max(initial=0.0))
            turns = more
            if change <= PRECISE * (1 - change / last):  # what is to come, if it shrinks as before
                return turns
            last = change

    def turns(self, herd: Sequence[int], phase: str = "before", t_in_force: bool = False) -> float:
        """Return the expected turns from a point of a turn on, that turn counted."""
        place = self.box.place(herd)
        if phase == "before":
            return float(self.before[place])
        if phase == "roll":
            return 1 + float(self.roll[place])
        return 1 + float((self.before if t_in_force else self.after)[place])

    def choose(self, herd: Herd, phase: str, legal: Sequence[str]) -> str | None:
        """Return the trade with the fewest turns, none if it is as good."""
        turns = self.roll if phase == "before" else self.before
        fewest, choice = turns[self.box.place(herd)] - 1e-11, None
        for trade in legal:
            after = turns[self.box.place(self.box.solo.traded(herd, trade))]
            if after < fewest:
                fewest, choice = after, trade
        return choice


# FIGURES
SETS: list[dict[str, Any]] = [
    {},
    {"dice": "super-farmer"},
    {"t_cancels": True},
    {"wolf_pair_loses": 2},
    {"horse_price": 3},
    {"first_game": True},
]
NEVER_BUY = ("climber", "keeper")  # to whom rolled-only is no different
PLACES: list[tuple[Herd, str, bool]] = [
    ((1, 0, 0, 0, 0, 0), "before", False),
    ((0, 1, 0, 0, 0, 0), "before", False),
    ((6, 2, 0, 0, 0, 0), "before", False),
    ((12, 3, 1, 0, 0, 0), "roll", False),
    ((7, 2, 2, 1, 0, 0), "after", False),
    ((7, 2, 2, 1, 0, 0), "after", True),
    ((0, 0, 0, 4, 0, 0), "before", False),
    ((3, 24, 20, 15, 0, 0), "roll", False),
    ((0, 5, 3, 2, 1, 0), "after", False),
    ((12, 0, 0, 0, 1, 0), "before", False),
]


def with_settings(settings: dict[str, Any]) -> SoloRules:
    """Return rules with settings as a user writes them, a pair of dice by name."""
    rest = {key: value for key, value in settings.items() if key != "dice"}
    wolf_die, fox_die = DICE[settings.get("dice", "assumed")]
    return replace(SoloRules(wolf_die=wolf_die, fox_die=fox_die), **rest)


def figure(name: str, settings: dict[str, Any], dogs: str, strategy: Strategy) -> dict[str, Any]:
    """Return the mean and the standard deviation as an entry of the file."""
    found = moments(distribution(with_settings(settings), strategy, None, dogs))
    mean, sd = (round(number, 10) for number in found) if found else (None, None)
    print(name, settings, dogs, mean, sd, file=sys.stderr, flush=True)  # it takes a while
    return {"strategy": name, "set": settings, "dogs": dogs, "mean_turns": mean, "sd_turns": sd}


def is_different(name: str, settings: dict[str, Any], dogs: str) -> bool:
    """Say whether an anchor is worked out with other dogs too: all are under the default rules.

    Elsewhere the two who buy would only trade as keeper does, and he as if dogs were sold; the dice
    of the parent game give no dogs.
    """
    if not settings:
        return name != "hermit"
    return dogs == "none" and name in NEVER_BUY and settings.get("dice") != "super-farmer"


def figures_of_anchors(settings: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the entries of the anchors, other dogs where they make a difference."""
    return [
        figure(name, settings, dogs, strategy)
        for dogs in DOGS
        for name, strategy in ANCHORS.items()
        if dogs == "sold" or is_different(name, settings, dogs)
    ]


def figures_of_optimum(settings: dict[str, Any], dogs: str) -> dict[str, Any]:
    """Return the entry of the optimum, with the turns from some places in a game."""
    optimum = Optimum(with_settings(settings), dogs)
    entry = figure("optimum", settings, dogs, lambda solo: optimum.choose)
    entry["fewest_turns"] = round(optimum.turns(optimum.box.solo.deal()), 10)
    entry["places"] = []
    for herd, phase, t in PLACES:
        turns = round(optimum.turns(herd, phase, t), 10)
        entry["places"].append({"herd": herd, "phase": phase, "t_in_force": t, "turns": turns})
    return entry


def main() -> None:
    """Print the figures as JSON."""
    figures = [entry for settings in SETS for entry in figures_of_anchors(settings)]
    figures += [figures_of_optimum({}, dogs) for dogs in DOGS]
    figures += [figures_of_optimum(settings, "sold") for settings in SETS[1:5]]
    about = (
        "Exact figures of the game alone, by `python -m tests.reference.herd_solo > "
        "tests/reference/solo_figures.json`: mean and standard deviation of the turns, the winning "
        "one counted. Other dogs than sold are left out where they change nothing. optimum: the "
        "fewest expected turns, by value iteration (fewest_turns) and by evolving the herds under "
        "the policy found (mean_turns); places: the fewest from there, the turn under way counted."
    )
    json.dump({"about": about, "figures": figures}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
