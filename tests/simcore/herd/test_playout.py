"""Games played out in a strategy's head are the games that would be played at the table."""

import re
from typing import Any, cast

import pytest

from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import Player, find_game
from herdlab.simcore.herd.playout import (
    DESK,
    desk_at,
    play_out,
    put_position,
    put_skunk,
    put_trade,
    sit_down,
)
from herdlab.simcore.herd.playout_loop import make_kit
from herdlab.simcore.herd.position import Position
from herdlab.simcore.herd.rules import TRADES, HerdRules
from herdlab.simcore.herd.view import SKUNK_TO
from herdlab.simcore.rules import Rules
from herdlab.simcore.sums import WINNERS
from herdlab.strategies import another, number
from herdlab.strategies.plugins import BUILT_IN, Origin
from herdlab.strategies.registry import named_player, seat_players
from herdlab.strategies.strategy import Strategy, Values

HERD = find_game("herd")
LUCK, GAMES = 12345, 300
SAYS = 1000
"""What a player says who has counted: this and the games won; no legal choice."""


def counts(decision, view, me):  # type: ignore[no-untyped-def]
    sit_down(view, me)
    put_position(view, me)
    if decision == SKUNK_TO:
        put_skunk(int(me.params[2]), me)
    else:
        winner = put_trade(int(me.params[1]), int(me.params[2]), me)
        if winner >= 0:
            return SAYS + winner - 10
    seeds = desk_at(me.notebook, 0).seeds
    for kind in range(len(seeds)):
        seeds[kind] = LUCK
    won = 0
    for game in range(GAMES):
        won += play_out(game, view, me)
    return SAYS + won


def make_data(rules: Rules, values: Values) -> Any:
    return make_kit(cast(HerdRules, rules), named_player("herd", rules, values["base"]))


COUNTER = Strategy(
    game="herd",
    name="counter",
    words="Counts.",
    function=counts,
    parameters={
        "base": another("keeper", "who plays"),
        "trade": number(0, "the trade"),
        "with_whom": number(0, "the partner, or who gets the skunk"),
    },
    own_only=lambda values: False,
    deterministic=lambda values: True,
    observes=False,
    notebook=DESK.end,
    make_data=make_data,
    check=None,
    origin=Origin(BUILT_IN, BUILT_IN),  # it tests what only built-in strategies may use
)


def counted(rules: HerdRules, start: Position, base: str, trade: str = "none", k: int = 0) -> int:
    """Return what the player to move counts in his head after a trade, or after giving the skunk.

    -10 and less: somebody has won by the trade.
    """
    settings = [f"base={base}", f"trade={TRADES.index(trade)}", f"with_whom={k}"]
    n = len(start.herds)
    counter = COUNTER.seated("counter", rules, COUNTER.read("counter", settings), n)
    players = [*seat_players(HERD, rules, ",".join(["keeper"] * n))]
    players[start.seat] = counter
    bout = Bout(HERD, rules, players, stream_seeds(7), start)
    with pytest.raises(BadInput) as error:
        bout.rows(0, 1)
    found = re.search(r"answered (\d+)", str(error.value))
    assert found, error.value
    return int(found[1]) - SAYS


def played(rules: HerdRules, start: Position, base: str, seat: int) -> int:
    """Return how many games `seat` wins from a position, at the table and with the same deals."""
    text = base.replace("/", ":")
    players: list[Player] = seat_players(HERD, rules, ",".join([text] * len(start.herds)))
    rows = Bout(HERD, rules, players, stream_seeds(LUCK), start).rows(0, GAMES)
    return int((rows[:, WINNERS] == 1 << seat).sum())


MINE, HIS, HERS = (7, 3, 2, 0, 0, 0), (4, 2, 1, 1, 0, 1), (12, 0, 3, 0, 0, 0)
BASES = ("keeper", "herder/dog=first/keep_sheep=0", "spoiler", "random")


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_trade_before_the_roll_leads_to_the_roll(base: str, n: int) -> None:
    rules = HerdRules()
    before = Position((MINE, HIS, HERS)[:n])
    after = Position(((7, 1, 3, 0, 0, 0), HIS, HERS)[:n], phase="roll")
    assert counted(rules, before, base, "pig") == played(rules, after, base, 0)
    stays = Position((MINE, HIS, HERS)[:n], phase="roll")
    assert counted(rules, before, base) == played(rules, stays, base, 0)


@pytest.mark.parametrize("base", BASES)
def test_a_trade_after_the_roll_leads_to_the_next_turn(base: str) -> None:
    """Seats are counted from the player to move; turns and skunk go with them."""
    rules = HerdRules(max_turns=60)
    before = Position((HERS, MINE, HIS), 1, "after", skunk=0, turn=20)
    after = Position(((2, 4, 2, 0, 0, 0), HIS, HERS), 1, "before", skunk=2, turn=21)
    assert counted(rules, before, base, "sheep") == played(rules, after, base, 0)


def test_a_trade_after_a_t_is_made_with_the_partner_and_keeps_to_his_limit() -> None:
    rules = HerdRules()
    other = (9, 2, 1, 1, 0, 1)
    before = Position((MINE, HIS, other), 0, "after", t_in_force=True)
    after = Position(((2, 4, 2, 0, 0, 0), HIS, (12, 1, 1, 1, 0, 1)), 1)
    assert counted(rules, before, "keeper", "sheep", 2) == played(rules, after, "keeper", 0)
    after = Position(((6, 2, 2, 0, 0, 1), (5, 3, 1, 1, 0, 0), other), 1)
    assert counted(rules, before, "keeper", "dog", 1) == played(rules, after, "keeper", 0)


def test_who_wins_by_a_trade_is_said_at_once() -> None:
    rules = HerdRules()
    start = Position(((1, 1, 1, 3, 0, 0), HIS))
    assert counted(rules, start, "keeper", "horse") == -10
    partner = (3, 1, 0, 2, 1, 0)
    start = Position(((2, 3, 2, 0, 0, 0), HIS, partner), 0, "after", t_in_force=True)
    assert counted(rules, start, "keeper", "cow", 2) == 2 - 10


def test_giving_the_skunk_leads_to_the_trade_after_the_roll() -> None:
    rules = HerdRules.from_settings({"wolf_die": "12K", "fox_die": "12H"})
    herds = (MINE, HIS, HERS)
    start = Position(herds, phase="roll")
    grown = ((*MINE[:4], 0, 0), HIS, HERS)
    after = Position(grown, phase="after", skunk=2)
    assert counted(rules, start, "keeper", k=2) == played(rules, after, "keeper", 0)


def test_the_last_turn_is_the_last_in_the_head_too() -> None:
    """H16: after the trade that ends the last turn nothing is left to be won."""
    rules = HerdRules(max_turns=30)
    nearly = (1, 3, 1, 1, 0, 0)
    assert counted(rules, Position((nearly, HIS), phase="after", turn=29), "keeper", "pig") == 0
    last = Position((nearly, HIS), turn=29)
    assert counted(rules, last, "keeper") == played(
        rules, Position((nearly, HIS), phase="roll", turn=29), "keeper", 0
    )
