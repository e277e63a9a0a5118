"""What a strategy of SWAP! is shown and told: all that a player can know, and it adds up."""

from typing import Any

import numpy as np
import pytest

from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.simcore.swap.cards import CARD_WORD, count_of
from herdlab.simcore.swap.rules import SwapRules
from herdlab.simcore.swap.view import (
    COLOUR,
    DEALT,
    DIRECTION,
    DREW,
    EMPTIED,
    FALSE_SLAP,
    NAMED,
    PARTNER,
    PLAY,
    PLAYED,
    RESHUFFLED,
    SLAPPED,
    SUPER_SWAPPED,
    SWAPPED,
    VIEW,
    View,
)
from herdlab.simcore.table import OBSERVE
from herdlab.strategies import number
from herdlab.strategies.registry import seat_players
from tests.simcore.swap.harness import SWAP
from tests.simcore.swap.tables import made

READINGS: list[dict[str, Any]] = [
    {},
    {"slap_empties": "plays_on", "slap_speed": "1,1,1,1", "cards": 3},
    {"swap_seats": True},
    {"swap_seats": True, "seat_next": "player", "false_slap_rate": 0.1},
    {"false_slap_rate": 0.5, "max_turns": 300},
    {"plain": 2, "slap": 2, "switch": 1, "super_swap": 1, "swap_cards": 3, "cards": 5,
     "slap_empties": "plays_on", "false_slap_rate": 0.2, "max_turns": 300},
]  # fmt: skip


def play_with(
    function: Any, line_up: str, settings: dict[str, Any], games: int, **options: Any
) -> np.ndarray:
    """Play games with the strategy under test in seat 1 of a line-up."""
    rules = SwapRules.from_settings(settings)
    one = made(function, parameters={"deck": number(0, "cards", high=999)}, **options)
    player = one.seated(one.name, rules, (float(len(rules.deck())),), 4)
    players = seat_players(SWAP, rules, line_up)
    players[1] = player
    return Bout(SWAP, rules, players, stream_seeds(3)).rows(0, games)


def test_the_compiled_window_has_the_documented_fields() -> None:
    assert set(VIEW.fields) == set(View._fields)


def sees_the_table(decision, view, me):  # type: ignore[no-untyped-def]
    """Fails with a number that says what it saw wrong."""
    held = 0
    for card in range(17):
        held += count_of(view.hand, card)
    if held != view.cards[view.place]:
        return -101
    total, seats = view.pile + view.discards, 0
    for place in range(view.players):
        total += view.cards[place]
        seats |= 1 << view.who[place]
    if total != me.params[0]:
        return -102
    if seats != (1 << view.players) - 1 or view.who[view.place] != 1:
        return -103
    if view.happening != 0 or view.given != 0 or view.detail_2 != -1:
        return -104
    if decision == PLAY:
        can = (count_of(view.hand, 16) > 0) << 4
        for kind in range(4):
            can |= (count_of(view.hand, 4 * view.colour + kind) > 0) << kind
        if can != view.playable or can == 0 or view.barred != -1:
            return -105
        if view.top < 16 and view.top % 4 != 2 and view.top // 4 != view.colour:
            return -106  # only a SWAP and a SWITCH COLOR leave another colour than their own
        for kind in range(5):
            if (can >> ((kind + view.turn) % 5)) & 1:
                return (kind + view.turn) % 5
    if view.playable != 0:
        return -107
    if decision == PARTNER:
        if view.top != 16 or view.players == 2:
            return -108
        return 1 + view.turn % (view.players - 1)
    if decision == COLOUR:
        if view.top == 16:
            return -109 if view.barred != -1 else view.turn % 4
        if view.top % 4 != 2 or view.barred != view.top // 4 or view.colour != view.barred:
            return -110
        return (view.barred + 1 + view.turn % 3) % 4
    if decision == DIRECTION:
        return -111 if view.top % 4 != 3 or view.top // 4 != view.colour else view.turn % 2
    return -112


@pytest.mark.parametrize("settings", READINGS, ids=str)
def test_what_a_strategy_sees_adds_up(settings: dict[str, Any]) -> None:
    alone = {key: value for key, value in settings.items() if key != "slap_speed"}
    assert len(play_with(sees_the_table, "random,random", alone, games=150)) == 150
    line_up = "random,random,raider,shedder"
    assert len(play_with(sees_the_table, line_up, settings, games=150)) == 150


def test_a_strategy_that_misjudges_what_it_sees_is_caught() -> None:
    """The companion: were a single card amiss, the strategy above would fail."""
    one = made(sees_the_table, parameters={"deck": number(0, "cards", high=999)})
    rules = SwapRules()
    other = seat_players(SWAP, rules, "random,random")[1]
    players = [one.seated("one", rules, (103.0,), 2), other]
    with pytest.raises(BadInput, match="answered -10"):
        Bout(SWAP, rules, players, stream_seeds(3)).rows(0, 20)


HAND, PILE, DISCARDED, TOP, IN_FORCE, WRONG = range(12, 18)


def diarist(decision, view, me):  # type: ignore[no-untyped-def]
    """Keeps books on what it is told, and fails when they are not what it sees.

    The first twelve slots count the cards at each place.
    """
    book, what, mine = me.notebook, view.happening, view.who[view.place]
    if decision == OBSERVE:
        at, other = 0, 0
        for place in range(view.players):
            if view.who[place] == view.happened_to:
                at = place
            if view.who[place] == view.detail_1:
                other = place
        is_mine = view.happened_to == mine
        is_moved = what == SUPER_SWAPPED or (what == SWAPPED and (is_mine or view.detail_1 == mine))
        if what == DEALT:
            for place in range(view.players):
                book[place] = view.cards[place]
            book[HAND], book[PILE], book[DISCARDED] = view.hand, view.pile, view.discards
            book[TOP], book[IN_FORCE] = view.detail_1, view.colour
        elif what == NAMED:
            book[IN_FORCE] = view.detail_1
        elif what == PLAYED:
            book[at] -= 1
            book[DISCARDED] += 1
            book[TOP] = view.detail_1
            if is_mine:
                book[HAND] -= CARD_WORD[view.detail_1]
        elif what == RESHUFFLED:
            book[PILE], book[DISCARDED] = book[DISCARDED] - 1, 1
        elif what in (DREW, FALSE_SLAP, EMPTIED):
            if book[PILE] > 0:
                book[at] += 1
                book[PILE] -= 1
                if is_mine:
                    book[HAND] += CARD_WORD[view.detail_1]
            if not is_mine and view.detail_1 != -1:
                book[WRONG] = 201  # it was told what another drew
        elif what == SLAPPED:
            book[at] -= 1
            book[other] += 1
            if is_mine:
                book[HAND] -= CARD_WORD[view.detail_2]
            elif view.detail_1 == mine:
                book[HAND] += CARD_WORD[view.detail_2]
            elif view.detail_2 != -1:
                book[WRONG] = 202  # it was told what one took from another
        elif what == SWAPPED and me.params[1] == 0:
            book[at], book[other] = book[other], book[at]
        elif what == SUPER_SWAPPED:
            if view.detail_1 == 0:
                last = book[view.players - 1]
                for place in range(view.players - 1, 0, -1):
                    book[place] = book[place - 1]
                book[0] = last
            else:
                first = book[0]
                for place in range(view.players - 1):
                    book[place] = book[place + 1]
                book[view.players - 1] = first
        if is_moved and view.given != book[HAND]:
            book[WRONG] = 203  # it was told of another hand than its own
        if not is_moved and view.given != 0:
            book[WRONG] = 204
        if is_moved:
            book[HAND] = view.hand
    is_to_check = decision != OBSERVE or me.params[2] != 0
    if is_to_check and book[WRONG] == 0:
        for place in range(view.players):
            if book[place] != view.cards[place] and (decision != OBSERVE or me.params[2] == 2):
                book[WRONG] = 205
        if book[HAND] != view.hand:
            book[WRONG] = 206
        if book[PILE] != view.pile or book[DISCARDED] != view.discards:
            book[WRONG] = 207
        if book[TOP] != view.top or book[IN_FORCE] != view.colour:
            book[WRONG] = 208
        if book[WRONG] != 0:
            book[WRONG] = 1000 * what + book[WRONG]
    if decision == OBSERVE:
        return 0
    if book[WRONG] != 0:
        return -book[WRONG]
    if decision == PLAY:
        for kind in range(5):
            if (view.playable >> ((kind + view.turn) % 5)) & 1:
                return (kind + view.turn) % 5
    if decision == COLOUR:
        return (view.barred + 1) % 4
    return 1


AT_CHOICES, AT_EVENTS, AT_EVENTS_WITH_COUNTS = range(3)


def keep_books(settings: dict[str, Any], check: int, observes: bool = True) -> int:
    """Let diarists play who check their books then; return how many games they played."""
    rules = SwapRules.from_settings(settings)
    names = ("deck", "seats", "events")
    parameters = {name: number(0, "a number", high=999) for name in names}
    one = made(diarist, parameters=parameters, observes=observes, notebook=18)
    values = (float(len(rules.deck())), float(rules.swap_seats), float(check))
    player = one.seated(one.name, rules, values, 4)
    first, second = seat_players(SWAP, rules, "random,raider")
    bout = Bout(SWAP, rules, [first, player, second, player], stream_seeds(4))
    return len(bout.rows(0, 100))


@pytest.mark.parametrize("settings", READINGS, ids=str)
def test_an_observer_can_keep_the_books_of_all_that_is_public_and_his_own(
    settings: dict[str, Any],
) -> None:
    assert keep_books(settings, AT_CHOICES) == 100


@pytest.mark.parametrize("settings", READINGS, ids=str)
def test_at_every_event_an_observer_sees_the_table_as_it_is(settings: dict[str, Any]) -> None:
    assert keep_books(settings, AT_EVENTS) == 100


@pytest.mark.parametrize("settings", READINGS, ids=str)
def test_at_every_event_an_observer_sees_how_many_cards_each_has(settings: dict[str, Any]) -> None:
    assert keep_books(settings, AT_EVENTS_WITH_COUNTS) == 100


def test_who_does_not_observe_is_told_nothing() -> None:
    """The companion: without what is told, the books are empty and the diarist fails."""
    with pytest.raises(BadInput, match="answered -20"):
        keep_books({}, AT_CHOICES, observes=False)
