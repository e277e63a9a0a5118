"""Positions and the trades they leave open: as the engine and the plain rulebook have them."""

import random
from typing import Any

import pytest

from herdlab.simcore.batch import Bout, ChoiceTables, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.simcore.herd.position import (
    Position,
    after_trade,
    check_position,
    deal,
    has_won,
    legal_trades,
    supply_of,
)
from herdlab.simcore.herd.rules import ANIMALS, TRADES, HerdRules
from herdlab.strategies.registry import seat_players
from tests.reference import herd as reference
from tests.reference.herd_table import Rules as PlainRules
from tests.simcore.herd.harness import HERD, log_lines
from tests.simcore.herd.tables import position

SETTINGS: dict[str, dict[str, Any]] = {
    "usual": {},
    "dear": {"horse_price": 3, "sheep_for_pig": 3, "rabbits_for_sheep": 4},
    "short": {"rabbits": 20, "sheep": 6, "pigs": 4, "cows": 3, "horses": 1, "dogs": 1},
    "wide": {"max_horses": 2, "max_dogs": 2, "max_rabbits": 15},
}
PLAYED_ALONE = {"max_turns": 1}


def drawn(rules: HerdRules, seed: int) -> Position:
    """Return some position with a trade to be decided."""
    lot = random.Random(seed)
    players, left, herds = lot.randint(2, 4), list(rules.tiles), []
    for _ in range(players):
        most = [min(n, limit, 9) for n, limit in zip(left, rules.limits, strict=True)]
        herd = [lot.randint(0, n) if lot.random() < 0.8 else 0 for n in most]
        if has_won(herd):
            herd[lot.randrange(1, 5)] = 0
        left = [n - taken for n, taken in zip(left, herd, strict=True)]
        herds.append(tuple(herd))
    phase = lot.choice(["before", "after"])
    t_in_force = phase == "after" and lot.random() < 0.7
    return Position(tuple(herds), lot.randrange(players), phase, t_in_force)


def by_the_engine(
    rules: HerdRules, start: Position, moves: ChoiceTables
) -> dict[tuple[int, int | None], tuple[tuple[int, ...], ...]]:
    """Return the trades that the engine lets a player make, each with the herds afterwards."""
    n, found = len(start.herds), {}
    for trade in range(1, len(TRADES)):
        for k in range(1, n) if start.t_in_force else [1]:
            line_up = ["hermit"] * n
            line_up[start.seat] = f"scripted:{start.phase}={trade}:partner={k}"
            players = seat_players(HERD, rules, ",".join(line_up))
            try:
                _, log = Bout(HERD, rules, players, stream_seeds(1), start, moves).logged(0)
            except BadInput as refused:
                assert "not a legal choice" in str(refused)
                continue
            lines = log_lines(log, n)
            if lines and lines[0].what == "trade":
                name, other = lines[0].detail
                assert name == TRADES[trade] and (other is None) is not start.t_in_force
                herds = tuple(tuple(one.get(a, 0) for a in ANIMALS) for one in lines[0].herds)
                found[trade, other] = herds
    return found  # type: ignore[return-value]


@pytest.mark.parametrize("name", SETTINGS)
def test_trades_are_those_of_the_engine_with_the_same_effect(name: str) -> None:
    rules = HerdRules.from_settings({**SETTINGS[name], **PLAYED_ALONE})
    moves = {n: ChoiceTables(HERD, 2) for n in (2, 3, 4)}
    total = 0
    for seed in range(40):
        start = drawn(rules, seed)
        check_position(rules, start)
        made = by_the_engine(rules, start, moves[len(start.herds)])
        legal = legal_trades(rules, start)
        assert len(set(legal)) == len(legal)
        assert {one: after_trade(rules, start, *one) for one in legal} == made, start
        total += len(legal)
    assert total > 20


@pytest.mark.parametrize("name", SETTINGS)
def test_trades_are_those_of_the_plain_rulebook(name: str) -> None:
    rules, plain = HerdRules.from_settings(SETTINGS[name]), PlainRules(**SETTINGS[name])
    for seed in range(400):
        start = drawn(rules, 1000 + seed)
        supply = supply_of(rules, start.herds)
        table = reference.Table(
            reference.Position(
                [dict(zip(ANIMALS, herd, strict=True)) for herd in start.herds],
                dict(zip(ANIMALS, supply, strict=True)),
                seat=start.seat,
                phase=start.phase,  # type: ignore[arg-type]
                t_in_force=start.t_in_force,
            ),
            plain,
            None,  # type: ignore[arg-type]
            None,  # type: ignore[arg-type]
        )
        wanted = [
            (trade, other)
            for trade in table.legal_trades()
            for other in (table.servers(trade) if start.t_in_force else [None])
        ]
        found = [(TRADES[trade], other) for trade, other in legal_trades(rules, start)]
        assert sorted(map(str, found)) == sorted(map(str, wanted)), start


def test_before_the_dice_are_rolled_there_is_no_second_trade() -> None:
    """H5: in the phase of the roll nothing can be traded."""
    herd = {"rabbit": 6, "sheep": 2}
    assert legal_trades(HerdRules(), position(herd, herd)) != []
    assert legal_trades(HerdRules(), position(herd, herd, phase="roll")) == []


def test_partners_are_counted_from_the_left() -> None:
    """H13: from the seat of whose turn it is on."""
    herd = {"rabbit": 6, "sheep": 1}
    start = position(herd, herd, herd, herd, seat=2, phase="after", t_in_force=True)
    assert legal_trades(HerdRules(), start) == [(1, 3), (1, 0), (1, 1)]


@pytest.mark.parametrize(
    ("herds", "sentence"),
    [
        (((13, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0)), "seat 0 cannot have 13 rabbits.* 12 .H7"),
        (((1, 0, 0, 0, 0, 0), (0, 0, 0, 0, 2, 0)), "seat 1 cannot have 2 horses.* 1 .H7"),
        (((53, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0)), "cannot have 53 rabbits: there are 52 .H1"),
        (((1, 25, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0)), "cannot have 25 sheep: there are 24 .H1"),
        (((-1, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0)), "cannot have -1 rabbits: 0 to 12 .H7"),
        (((1, 0, 0, 8, 0, 0), (1, 0, 0, 8, 0, 0)), "16 cows together, and there are 15 .H1"),
        (((1, 0, 0, 0, 0, 0), (1, 1, 1, 1, 1, 0)), "seat 1 is complete: the game is over .H4"),
    ],
)
def test_herds_that_cannot_be_are_refused_by_clause(herds: Any, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        check_position(HerdRules(), Position(herds))


def test_a_herd_can_be_named_otherwise_than_by_its_seat() -> None:
    start = Position(((13, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0)))
    with pytest.raises(BadInput, match="^yours cannot have 13 rabbits"):
        check_position(HerdRules(), start, ["yours", "theirs"])


def test_every_deal_is_possible() -> None:
    for first_game in (False, True):
        rules = HerdRules(first_game=first_game)
        for players in range(1, 5):
            check_position(rules, deal(rules, players))
