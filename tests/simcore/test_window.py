"""Windows: a strategy sees what it should, and cannot change it."""

import pickle
from typing import Any

import numpy as np
import pytest

from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game
from herdlab.simcore.herd.rules import NO_TRADE, HerdRules
from herdlab.simcore.herd.view import (
    CHOOSE,
    LOST_TURN,
    PARTNER,
    ROLLED,
    SKUNKED,
    TRADE,
    TRADED,
    VIEW,
    WOLF_ROLLED,
    View,
)
from herdlab.simcore.table import ME, OBSERVE, Me
from herdlab.simcore.window import Places
from herdlab.strategies import number
from herdlab.strategies.herd.table_sense import leader, nearest_partner
from herdlab.strategies.plugins import BUILT_IN, Origin
from herdlab.strategies.registry import seat_players, strategies_of
from herdlab.strategies.strategy import Strategy, compiled

HERD = find_game("herd")
RULES = HerdRules()


def made(function: Any, **options: Any) -> Strategy:
    """Return a strategy that is not registered."""
    values = {
        "game": "herd",
        "name": "under-test",
        "words": "Tests.",
        "function": function,
        "parameters": {"one": number(3, "a number")},
        "own_only": lambda values: False,
        "deterministic": lambda values: False,
        "observes": False,
        "notebook": 0,
        "make_data": None,
        "check": None,
        "origin": Origin("a test", "a test"),
    }
    return Strategy(**(values | options))


def play(one: Strategy, others: str, games: int = 50, **start: Any) -> np.ndarray:
    strategies_of(HERD)
    player = one.seated(one.name, RULES, tuple(p.default for p in one.parameters.values()), 2)
    players = [player, *seat_players(HERD, RULES, others)]
    return Bout(HERD, RULES, players, stream_seeds(1)).rows(0, games)


def test_the_compiled_windows_have_the_documented_fields() -> None:
    assert set(VIEW.fields) == set(View._fields)
    assert set(ME.fields) == set(Me._fields)
    assert CHOOSE.args[1] is VIEW


def write_herd(decision, view, me):  # type: ignore[no-untyped-def]
    view.herds[0, 0] = 12
    return 0


def write_legal(decision, view, me):  # type: ignore[no-untyped-def]
    view.legal[0] = 62
    return 0


def write_number(decision, view, me):  # type: ignore[no-untyped-def]
    view.turn = 3
    return 0


def write_params(decision, view, me):  # type: ignore[no-untyped-def]
    me.params[0] = 3
    return 0


def write_data(decision, view, me):  # type: ignore[no-untyped-def]
    me.data[0] = 3
    return 0


def see_dice(decision, view, me):  # type: ignore[no-untyped-def]
    return view.dice[0]


@pytest.mark.parametrize(
    "function", [write_herd, write_legal, write_number, write_params, write_data, see_dice]
)
def test_a_strategy_that_writes_or_looks_where_it_may_not_does_not_compile(function: Any) -> None:
    with pytest.raises(BadInput, match="'under-test' in a test does not compile"):
        compiled(made(function))


def reach_beyond(decision, view, me):  # type: ignore[no-untyped-def]
    return view.herds[7, 0]


def reach_before(decision, view, me):  # type: ignore[no-untyped-def]
    return view.supply[-30]


@pytest.mark.parametrize("function", [reach_beyond, reach_before])
def test_a_plugin_cannot_reach_beyond_its_window(function: Any) -> None:
    with pytest.raises(BadInput, match="raised IndexError"):
        play(made(function), "keeper")


def lucky_or_not(decision, view, me):  # type: ignore[no-untyped-def]
    """Looks for the dice in what belongs to it: only its own luck and parameters are there."""
    if me.params.shape[0] != 1 or me.data.shape[0] != 0:
        return -5
    if me.notebook.shape[0] != 0 or me.luck.shape[0] != 1:
        return -6
    return NO_TRADE if decision == TRADE else 1


def test_me_holds_what_belongs_to_the_strategy_and_nothing_else() -> None:
    play(made(lucky_or_not), "keeper")


def sees_the_table(decision, view, me):  # type: ignore[no-untyped-def]
    """Fails with -9 unless what it sees adds up."""
    if view.players != 2 or view.turn < 0 or view.phase > 2:
        return -9
    if view.prices[4] != 2 or view.limits[0] != 12:
        return -9
    for animal in range(6):
        tiles = view.herds[0, animal] + view.herds[1, animal] + view.supply[animal]
        total = (52, 24, 20, 15, 4, 4)[animal]
        if tiles != total:
            return -9
    if decision == TRADE:
        if view.t_in_force and view.legal[0] != 0:
            return -9
        if not view.t_in_force and view.legal[1] != 0:
            return -9
        return NO_TRADE
    if decision == PARTNER:
        return nearest_partner(view)
    return leader(view)


def test_a_strategy_sees_the_whole_table() -> None:
    play(made(sees_the_table), "keeper", games=300)


def sees_only_its_own(decision, view, me):  # type: ignore[no-untyped-def]
    """Fails with -9 if a trade decision shows anything but the own herd and the legal trades."""
    if decision == TRADE:
        if view.players != 1 or view.turn != 0 or view.phase != 0 or view.t_in_force != 0:
            return -9
        if view.skunk != -1 or view.legal[1] != 0:
            return -9
        for animal in range(6):
            if view.herds[1, animal] != 0 or view.supply[animal] != 0:
                return -9
        for trade in range(5, 0, -1):
            if (view.legal[0] >> trade) & 1:
                return trade
        return NO_TRADE
    if decision == PARTNER:
        return nearest_partner(view)
    return leader(view)


def test_a_strategy_that_promises_to_look_at_its_own_only_is_shown_nothing_else() -> None:
    one = made(sees_only_its_own, own_only=lambda values: True)
    rows = play(one, "keeper", games=300)
    assert rows.shape[0] == 300


def diarist(decision, view, me):  # type: ignore[no-untyped-def]
    """Keeps books on what it observes and compares them with what it sees."""
    book = me.notebook
    if decision == OBSERVE:
        book[view.happening] += 1
        if view.happening == TRADED and view.happened_to == 0:
            book[8] += 1
        if view.happening == SKUNKED:
            book[9] = view.detail_1
        if view.happening == LOST_TURN and view.happened_to == book[9]:
            book[9] = -1
        return 12345
    if decision == TRADE:
        if book[ROLLED] < view.turn - book[LOST_TURN]:
            return -9
        if book[10] == 0 and book[ROLLED] > 0 and view.turn == 0 and view.phase == 0:
            return -9
        book[10] = 1
        for trade in range(4, 0, -1):
            if (view.legal[0] >> trade) & 1:
                return trade
        return NO_TRADE
    if book[WOLF_ROLLED] > book[ROLLED]:
        return -9
    return nearest_partner(view) if decision == PARTNER else leader(view)


def test_observers_keep_a_notebook_that_is_empty_at_the_start_of_every_game() -> None:
    one = made(diarist, observes=True, notebook=12)
    rows = play(one, "random,keeper", games=200)
    silent = made(diarist, observes=False, notebook=12)
    with pytest.raises(BadInput, match="answered -9"):
        play(silent, "random,keeper", games=200)
    assert (rows[:, 1] > 0).all()


def reads_data(decision, view, me):  # type: ignore[no-untyped-def]
    weights = me.data.view(np.float64)
    return int(weights[0]) if decision == TRADE else int(weights[1])


def test_a_strategy_reads_the_table_made_for_it() -> None:
    def make_data(rules: HerdRules, values: Any) -> np.ndarray:
        assert values == {"one": "3"}
        return np.array([0.0, rules.horse_price - 1.0])

    play(made(reads_data, make_data=make_data), "keeper")


def test_a_megabyte_of_data_is_no_trouble() -> None:
    def make_data(rules: HerdRules, values: Any) -> np.ndarray:
        return np.concatenate([[0.0, 1.0], np.zeros(1_000_000)])

    play(made(reads_data, make_data=make_data), "keeper")


def test_built_in_strategies_are_marked_so() -> None:
    assert strategies_of(HERD)["keeper"].source == BUILT_IN


def test_places_can_be_kept_in_a_cache() -> None:
    """As numba's index of compiled functions does; `__getattr__` is asked before all is set."""
    places = pickle.loads(pickle.dumps(Places(4, "turn", herds=3)))
    assert (places.turn, places.herds, places.end) == (4, 5, 8)
