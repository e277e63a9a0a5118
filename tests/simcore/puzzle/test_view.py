"""What a strategy of the puzzle games is shown and told: all that a player can know."""

import inspect
import re
from typing import Any

import pytest

from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.puzzle.table import Position
from herdlab.simcore.puzzle.view import VIEW, View
from herdlab.strategies.registry import seat_players
from tests.simcore.puzzle.actors import (
    DIARY,
    SEES,
    diarist,
    nosy,
    passes_on,
    refusal_of,
    sees_the_table,
)
from tests.simcore.puzzle.harness import GAMES, rules_of
from tests.simcore.puzzle.tables import EDITIONS, held, made, of_all

FEW_PIECES = Position(held({1: (1, 1, 0, 1), 2: (1, 0, 0, 0), 3: (0, 1, 1, 0)}, 0), (2, 1, 0, 3))
"""A position in which players run out of pieces."""


def bout_with(function: Any, players: int, edition: dict[str, Any], **options: Any) -> Bout:
    """Return a bout in which everyone but two plays the strategy under test."""
    start, values = options.pop("start", None), options.pop("values", ())
    rules = rules_of(**{"max_beats": 250, **edition})
    one = made(function, game=rules.game, **options).seated("one", rules, values, players)
    others = seat_players(GAMES[rules.game], rules, of_all("test-anything", players))
    seats = [one if seat % 3 else other for seat, other in enumerate(others)]
    return Bout(GAMES[rules.game], rules, seats, stream_seeds(4), start)


def test_the_compiled_window_has_the_documented_fields() -> None:
    assert set(VIEW.fields) == set(View._fields)


def test_the_nosy_player_looks_at_every_field() -> None:
    """The companion of all that `test_hidden` says: a field that is new is looked at too."""
    text = inspect.getsource(nosy)
    assert set(re.findall(r"view\.(\w+)", text)) == set(View._fields)


@pytest.mark.parametrize(("players", "direction"), [(3, 1), (3, 2), (4, 1), (4, 2), (4, 3)])
def test_who_passes_a_piece_sees_who_gets_it(players: int, direction: int) -> None:
    rules = rules_of("horse-trader", max_beats=60)
    one = made(passes_on, **SEES).seated("one", rules, (float(direction),), players)
    played = Bout(GAMES["horse-trader"], rules, [one] * players, stream_seeds(4))
    assert (played.rows(0, 20)[:, played.columns.index("passes")] > 3).all()


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("edition", EDITIONS, ids=str)
def test_what_a_strategy_sees_adds_up(edition: dict[str, Any], players: int) -> None:
    played = bout_with(sees_the_table, players, edition, values=(float(players),), **SEES)
    assert len(played.rows(0, 60)) == 60


@pytest.mark.parametrize("edition", [one for one in EDITIONS if one.get("advanced")], ids=str)
def test_what_a_strategy_with_few_pieces_sees_adds_up(edition: dict[str, Any]) -> None:
    options: Any = {"values": (4.0,), "start": FEW_PIECES, **SEES}
    assert len(bout_with(sees_the_table, 4, edition, **options).rows(0, 60)) == 60


def test_a_strategy_that_misjudges_what_it_sees_is_caught() -> None:
    """The companion: were a single puzzle amiss, the strategy above would fail."""
    played = bout_with(sees_the_table, 4, EDITIONS[0], values=(3.0,), **SEES)
    assert "answered -101" in refusal_of(played, 5)


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("edition", EDITIONS, ids=str)
def test_an_observer_can_keep_the_books_of_all_that_is_public_and_his_own(
    edition: dict[str, Any], players: int
) -> None:
    """At every event and at every choice: his pieces, what everyone holds, who has called."""
    assert len(bout_with(diarist, players, edition, **DIARY).rows(0, 60)) == 60


@pytest.mark.parametrize("edition", [one for one in EDITIONS if one.get("advanced")], ids=str)
def test_an_observer_keeps_his_books_when_players_run_out_of_pieces(
    edition: dict[str, Any],
) -> None:
    played = bout_with(diarist, 4, edition, start=FEW_PIECES, **DIARY)
    assert len(played.rows(0, 60)) == 60


def test_who_does_not_observe_is_told_nothing() -> None:
    """The companion: without what is told, the books are empty and the diarist fails."""
    played = bout_with(diarist, 4, EDITIONS[0], **{**DIARY, "observes": False})
    assert "answered -20" in refusal_of(played, 5)
