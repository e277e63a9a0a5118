"""The contract that every registered strategy of every game keeps."""

import dataclasses
from itertools import combinations

import numpy as np
import pytest

from herdlab.simcore.batch import Bout, ChoiceTables, stream_seeds
from herdlab.simcore.game import Player, find_game, games
from herdlab.simcore.rules import Rules
from herdlab.simcore.table import OWN_ONLY
from herdlab.strategies.registry import seat_players, strategies_of
from herdlab.strategies.strategy import Strategy
from tests.games import cases

CASES = cases()
QUICKLY = {"rollout": "rollout:n=2:doubt=0"}
"""How those who take their time sit down here."""


def is_ours(one: Strategy) -> bool:
    return one.name != "scripted" and not one.name.startswith("test-")


ALL = [
    pytest.param(one, id=f"{game.name}-{one.name}")
    for game in games().values()
    for one in strategies_of(game).values()
    if is_ours(one)
]


def text_of(one: Strategy) -> str:
    return QUICKLY.get(one.name, one.name)


def rules_of(game: str) -> Rules:
    return find_game(game).rules_type.from_settings(CASES[game].short)


def seated(game: str, line_up: str) -> list[Player]:
    """Return the players of a part of a line-up, at a table of four."""
    known, players = strategies_of(find_game(game)), []
    for text in line_up.split(","):
        name, *settings = text.split(":")
        one = known[name]
        players.append(one.seated(text, rules_of(game), one.read(text, settings), 4))
    return players


def rows(
    game: str, players: list[Player], seed: int = 1, moves: ChoiceTables | None = None, **kinds: int
) -> np.ndarray:
    seeds = stream_seeds(seed, **kinds)
    bout = Bout(find_game(game), rules_of(game), players, seeds, moves=moves)
    return bout.rows(0, CASES[game].n_games)


def shared_moves(game: str) -> ChoiceTables:
    """Return room for the choices of all players of a test, each worked out once."""
    return ChoiceTables(find_game(game), 64)


def others(game: str, n: int) -> list[Player]:
    return seated(game, CASES[game].opponents)[:n]


@pytest.mark.parametrize("one", ALL)
def test_it_says_in_a_sentence_what_a_human_would_do(one: Strategy) -> None:
    assert one.words[0].isupper() and one.words.endswith(".") and len(one.words) < 120
    for key, parameter in one.parameters.items():
        assert parameter.words, key


@pytest.mark.parametrize("one", ALL)
def test_it_makes_only_legal_choices_in_every_seat_and_is_the_same_again(one: Strategy) -> None:
    me, game = seated(one.game, text_of(one))[0], find_game(one.game)
    moves = shared_moves(one.game)
    for n_players in range(max(1, game.min_players), 5):
        for seat in range(n_players):
            line_up = others(one.game, n_players - 1)
            line_up.insert(seat, me)
            assert (rows(one.game, line_up) == rows(one.game, line_up, moves=moves)).all()


@pytest.mark.parametrize("one", ALL)
def test_it_plays_at_the_largest_table(one: Strategy) -> None:
    players = seated(one.game, text_of(one)) * find_game(one.game).max_players
    bout = Bout(find_game(one.game), rules_of(one.game), players, stream_seeds(1))
    assert len(bout.rows(0, 20)) == 20


@pytest.mark.parametrize("one", ALL)
def test_its_promise_to_draw_no_luck_is_kept(one: Strategy) -> None:
    me = seated(one.game, text_of(one))[0]
    line_up = [me, *seated(one.game, CASES[one.game].steady)]
    same = (rows(one.game, line_up, 5) == rows(one.game, line_up, 5, choice=77)).all()
    assert same == one.deterministic(one.written(me.params))


@pytest.mark.parametrize("one", ALL)
def test_what_it_chooses_by_its_own_alone_is_what_it_chooses_when_asked(one: Strategy) -> None:
    """Without the promise to look only at its own it is asked each time, with the same result."""
    me = seated(one.game, text_of(one))[0]
    asked = dataclasses.replace(me, flags=me.flags & ~OWN_ONLY)
    table, asked_table = [me, *others(one.game, 3)], [asked, *others(one.game, 3)]
    assert (rows(one.game, table) == rows(one.game, asked_table)).all()


@pytest.mark.parametrize("one", ALL)
def test_every_value_of_a_named_parameter_plays(one: Strategy) -> None:
    moves = shared_moves(one.game)
    for key, parameter in one.parameters.items():
        for option in parameter.options:
            me = seated(one.game, f"{one.name}:{key}={option}")[0]
            played = rows(one.game, [me, *others(one.game, 3)], moves=moves)
            assert len(played) == CASES[one.game].n_games


@pytest.mark.parametrize("game", CASES)
def test_anchors_are_members_of_the_family(game: str) -> None:
    """The family with an anchor's parameters plays the anchor's games."""
    known = strategies_of(find_game(game))
    family = CASES[game].family
    for name in CASES[game].members:
        values = known[name].written(p.default for p in known[name].parameters.values())
        text = f"{family}:" + ":".join(f"{key}={value}" for key, value in values.items())
        anchor, member = (seated(game, t)[0] for t in (name, text))
        table, member_table = [anchor, *others(game, 2)], [member, *others(game, 2)]
        assert (rows(game, table) == rows(game, member_table)).all()


def test_hermit_never_trades_and_keeper_never_buys_a_dog() -> None:
    columns = find_game("herd").columns(2)
    played = rows("herd", seated("herd", "hermit,keeper"))
    assert played[:, columns.index("trades_0")].sum() == 0
    assert played[:, columns.index("dogs_bought_1")].sum() == 0
    assert played[:, columns.index("trades_1")].sum() > 0


@pytest.mark.parametrize("game", CASES)
def test_strategies_differ_from_one_another(game: str) -> None:
    """No two names stand for the same play: against some opponents each pair differs."""
    known, case = strategies_of(find_game(game)).values(), CASES[game]
    names = [text_of(one) for one in known if is_ours(one) and one.name != case.family]
    played = {
        name: rows(game, seat_players(find_game(game), rules_of(game), f"{name},{case.telling}"))
        for name in names
    }
    for one, other in combinations(names, 2):
        assert (played[one] != played[other]).any(), (one, other)
