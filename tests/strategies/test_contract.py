"""The contract that every registered strategy keeps."""

import dataclasses
from itertools import combinations_with_replacement

import numpy as np
import pytest

from simcore.batch import Bout, stream_seeds
from simcore.game import Player, find_game, games
from simcore.herd.rules import HerdRules
from simcore.table import OWN_ONLY
from strategies.registry import Strategy, seat_players, strategies_of

HERD = find_game("herd")
RULES = HerdRules(max_turns=300)
ALL = [
    pytest.param(one, id=f"{game.name}-{one.name}")
    for game in games().values()
    for one in strategies_of(game).values()
    if one.name != "scripted"
]


def rows(players: list[Player], seed: int = 1, **kinds: int) -> np.ndarray:
    return Bout(HERD, RULES, players, stream_seeds(seed, **kinds)).rows(0, 400)


def others(n: int) -> list[Player]:
    return seat_players(HERD, RULES, "keeper-dog,random,climber")[:n]


@pytest.mark.parametrize("one", ALL)
def test_it_says_in_a_sentence_what_a_human_would_do(one: Strategy) -> None:
    assert one.words[0].isupper() and one.words.endswith(".") and len(one.words) < 120
    for key, parameter in one.parameters.items():
        assert parameter.words, key


@pytest.mark.parametrize("one", ALL)
def test_it_makes_only_legal_choices_in_every_seat_and_is_the_same_again(one: Strategy) -> None:
    me = seat_players(HERD, RULES, one.name)[0]
    for n_players in (1, 2, 3, 4):
        for seat in range(n_players):
            line_up = others(n_players - 1)
            line_up.insert(seat, me)
            assert (rows(line_up) == rows(line_up)).all()


@pytest.mark.parametrize("one", ALL)
def test_its_promise_to_draw_no_luck_is_kept(one: Strategy) -> None:
    me = seat_players(HERD, RULES, one.name)[0]
    written = one.written(me.params)
    line_up = [me, *seat_players(HERD, RULES, "keeper,climber")]
    same = (rows(line_up, 5) == rows(line_up, 5, choice=77)).all()
    assert same == one.deterministic(written)


@pytest.mark.parametrize("one", ALL)
def test_its_table_of_choices_is_what_it_chooses_when_asked(one: Strategy) -> None:
    """Without the promise to look at its own herd it is asked each time, with the same result."""
    me = seat_players(HERD, RULES, one.name)[0]
    asked = dataclasses.replace(me, flags=me.flags & ~OWN_ONLY)
    assert (rows([me, *others(3)]) == rows([asked, *others(3)])).all()


@pytest.mark.parametrize("one", ALL)
def test_every_value_of_a_named_parameter_plays(one: Strategy) -> None:
    for key, parameter in one.parameters.items():
        for option in parameter.options:
            me = seat_players(HERD, RULES, f"{one.name}:{key}={option}")[0]
            assert rows([me, *others(1)]).shape[0] == 400


def test_anchors_are_members_of_the_family() -> None:
    """The herder with an anchor's parameters plays the anchor's games."""
    known = strategies_of(HERD)
    for name in ("random", "climber", "keeper", "keeper-dog", "dog-first", "hermit"):
        values = known[name].written(p.default for p in known[name].parameters.values())
        text = "herder:" + ":".join(f"{key}={value}" for key, value in values.items())
        anchor, member = (seat_players(HERD, RULES, t)[0] for t in (name, text))
        assert (rows([anchor, *others(2)]) == rows([member, *others(2)])).all()


def test_hermit_never_trades_and_keeper_never_buys_a_dog() -> None:
    columns = HERD.columns(2)
    played = rows(seat_players(HERD, RULES, "hermit,keeper"))
    assert played[:, columns.index("trades_0")].sum() == 0
    assert played[:, columns.index("dogs_bought_1")].sum() == 0
    assert played[:, columns.index("trades_1")].sum() > 0


def test_strategies_differ_from_one_another() -> None:
    """No two names stand for the same play: in 400 games against random each pair differs."""
    names = [name for name in strategies_of(HERD) if name not in ("herder", "scripted")]
    played = {
        name: rows(seat_players(HERD, RULES, f"{name},random,random,random")) for name in names
    }
    for one, other in combinations_with_replacement(names, 2):
        assert one == other or (played[one] != played[other]).any(), (one, other)
