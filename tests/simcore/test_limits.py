"""What each rule may be: the rulebooks' own numbers, and the least and the most that is allowed.

Most limits of herd are how many bits a count has, of swap how large a deck a seat's counts hold.
"""

import dataclasses

import pytest

from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game

LIMITS: dict[str, dict[str, tuple[int, int, int]]] = {
    "herd": {
        **{"rabbits": (52, 4, 127), "sheep": (24, 0, 31), "pigs": (20, 0, 31)},
        **{"cows": (15, 0, 31), "horses": (4, 0, 31), "dogs": (4, 0, 31), "skunks": (1, 0, 1)},
        **{"max_rabbits": (12, 1, 15), "max_horses": (1, 1, 3), "max_dogs": (1, 0, 3)},
        **{"rabbits_for_sheep": (5, 1, 15), "sheep_for_pig": (2, 1, 31)},
        **{"pigs_for_cow": (2, 1, 31), "horse_price": (2, 1, 31)},
        "max_turns": (10_000, 1, 1_000_000),
    },
    "barnyard": {
        **{"max_rounds": (200, 1, 1_000), "sessions": (4, 1, 250)},
        **{"target": (0, 0, 10_000), "max_sessions": (100, 1, 250)},
    },
    "swap": {
        **{"swap_cards": (16, 0, 60), "plain": (12, 0, 31), "slap": (4, 0, 7)},
        **{"switch": (4, 0, 7), "super_swap": (2, 0, 7), "cards": (10, 1, 30)},
        **{"max_turns": (5_000, 1, 1_000_000), "false_slap_rate": (0, 0, 1)},
    },
    "horse-trader": {
        **{"largest_offer": (4, 1, 4), "calls": (3, 0, 9), "max_beats": (20_000, 1, 1_000_000)},
    },
}
OTHERS = {
    "herd": {"first_game": False, "dice": "assumed", "t_cancels": False, "wolf_pair_loses": 1},
    "barnyard": {
        **{"donkeys": 1, "runaway_wild": "out", "discard_wild": False},
        **{"recycle": "shuffled", "collecting": "best"},
    },
    "swap": {"slap_speed": (), "slap_empties": "wins", "swap_seats": False, "seat_next": "place"},
    "horse-trader": {"advanced": False, "tempo": (), "reaction": (), "simultaneous": "share"},
}
NUMBERS = [(game, key) for game, limits in LIMITS.items() for key in limits]


@pytest.mark.parametrize("game", LIMITS)
def test_defaults_are_the_rulebooks(game: str) -> None:
    rules = find_game(game).rules_type()
    for key, (default, _, _) in LIMITS[game].items():
        assert getattr(rules, key) == default, key
    for key, value in OTHERS[game].items():
        assert getattr(rules, key) == value, key
    dice = {"wolf_die", "fox_die"} if game == "herd" else set()
    assert {*LIMITS[game], *OTHERS[game], *dice} == {one.name for one in dataclasses.fields(rules)}


@pytest.mark.parametrize(("game", "key"), NUMBERS)
def test_the_least_and_the_most_are_allowed_and_nothing_beyond(game: str, key: str) -> None:
    """Some go only with other rules, which then say so and do not name a limit."""
    rules_type = find_game(game).rules_type
    _, least, most = LIMITS[game][key]
    for value in (least, most):
        try:
            assert getattr(rules_type.from_settings({key: value}), key) == value
        except BadInput as refused:
            assert f" {least} to {most}" not in str(refused)
    for value in (least - 1, most + 1):
        with pytest.raises(BadInput, match=f"rule {key} .* {least} to {most}, and got '{value}'"):
            rules_type.from_settings({key: value})
