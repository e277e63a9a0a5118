"""What every player of Have You Herd? can tell from the table; for strategies to build on."""

import numpy as np

from herdlab.simcore._jit import helper
from herdlab.simcore.herd import rules
from herdlab.simcore.herd.view import View
from herdlab.simcore.rng import Luck, below

_VALUES = np.array(rules.HERD_VALUES)


@helper
def can_trade(view: View, trade: int) -> bool:
    """Whether `trade` is legal: with the supply, or after a T with somebody."""
    for k in range(view.players):
        if (view.legal[k] >> trade) & 1:
            return True
    return False


@helper
def stays(view: View, trade: int) -> int:
    """Return how many of the animal given an upward `trade` leaves to the player."""
    return view.herds[0, trade - 1] - view.prices[trade]


@helper
def can_spare_for_dog(view: View, rabbits: float, sheep: float) -> bool:
    """Whether the player has no dog, may buy one, and has so many rabbits and sheep."""
    return (
        can_trade(view, rules.TO_DOG)
        and view.herds[0, rules.DOG] == 0
        and view.herds[0, rules.RABBIT] >= rabbits
        and view.herds[0, rules.SHEEP] >= sheep
    )


@helper
def winning_trade(view: View) -> int:
    """Return the best legal trade that completes the player's herd at once, or NO_TRADE."""
    for trade in range(rules.TO_HORSE, rules.NO_TRADE, -1):
        if can_trade(view, trade) and stays(view, trade) >= 1:
            complete = True
            for animal in range(rules.HORSE + 1):
                if animal != trade and view.herds[0, animal] == 0:
                    complete = False
            if complete:
                return trade
    return rules.NO_TRADE


@helper
def herd_value(view: View, k: int) -> int:
    """Return the value of the k-th player's herd by `HERD_VALUES`."""
    value = 0
    for animal in range(rules.DOG + 1):
        value += view.herds[k, animal] * _VALUES[animal]
    return value


@helper
def can_serve(view: View, k: int) -> bool:
    """Whether the k-th player to the left can serve the trade that was chosen after a T."""
    return (view.legal[k] >> view.trade) & 1 != 0


@helper
def leader(view: View) -> int:
    """Return the opponent with the highest herd value, ties to the nearest on the left."""
    best, highest = 1, -1
    for k in range(1, view.players):
        value = herd_value(view, k)
        if value > highest:
            best, highest = k, value
    return best


@helper
def nearest_partner(view: View) -> int:
    """Return the first player to the left who can serve the chosen trade."""
    k = 1
    while k < view.players - 1 and not can_serve(view, k):
        k += 1
    return k


@helper
def richest_partner(view: View) -> int:
    """Return the player of highest herd value who can serve the chosen trade, nearest first."""
    best, highest = 0, -1
    for k in range(1, view.players):
        value = herd_value(view, k)
        if can_serve(view, k) and value > highest:
            best, highest = k, value
    return best


@helper
def random_partner(view: View, luck: Luck) -> int:
    """Return one of the players who can serve the chosen trade, each as likely."""
    able = 0
    for k in range(1, view.players):
        able += can_serve(view, k)
    wanted = below(luck, able)
    for k in range(1, view.players):
        if can_serve(view, k):
            if wanted == 0:
                return k
            wanted -= 1
    return 0
