"""What must hold in every game, for any rules, line-up and position."""

from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.simcore.herd.position import Position, check_position, supply_of
from herdlab.simcore.herd.rule_tables import pack, pack_supply, unpack, unpack_supply
from herdlab.simcore.herd.rules import ANIMALS, HERD_ANIMALS, HerdRules
from herdlab.simcore.sums import LENGTH, WINNERS
from herdlab.strategies.registry import seat_players
from tests.simcore.herd.harness import ALL, HERD, log_lines

NAMES = [
    name for name in ALL if name not in ("optimal", "racer")
]  # which would solve all these rules
DIE = st.lists(st.sampled_from("RSPCHDFWKT"), min_size=12, max_size=12).map("".join)
FEW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def rule_sets(draw: st.DrawFn) -> HerdRules:
    values: dict[str, Any] = {
        "max_turns": draw(st.integers(1, 150)),
        "t_cancels": draw(st.booleans()),
        "wolf_pair_loses": draw(st.sampled_from((1, 2))),
        "horse_price": draw(st.integers(1, 4)),
        "first_game": draw(st.booleans()),
        "skunks": draw(st.integers(0, 1)),
    }
    if draw(st.booleans()):
        values |= {"wolf_die": draw(DIE), "fox_die": draw(DIE)}
    if draw(st.booleans()):
        values |= {
            "rabbits": draw(st.integers(4, 60)),
            "sheep": draw(st.integers(4, 31)),
            "pigs": draw(st.integers(0, 31)),
            "cows": draw(st.integers(0, 31)),
            "horses": draw(st.integers(0, 8)),
            "dogs": draw(st.integers(0, 8)),
            "max_rabbits": draw(st.integers(1, 15)),
            "max_horses": draw(st.integers(1, 3)),
            "max_dogs": draw(st.integers(0, 3)),
        }
    try:
        return HerdRules.from_settings(values)
    except BadInput:  # dice that always double
        return HerdRules(max_turns=100)


@st.composite
def positions(draw: st.DrawFn, rules: HerdRules, players: int) -> Position | None:
    herds = []
    left = list(rules.tiles)
    for _ in range(players):
        herd = []
        for animal in range(len(ANIMALS)):
            most = min(left[animal], rules.limits[animal])
            herd.append(draw(st.integers(0, min(most, 6))))
            left[animal] -= herd[-1]
        if all(herd[animal] for animal in HERD_ANIMALS):
            left[4] += herd[4]
            herd[4] = 0
        herds.append(tuple(herd))
    phase = draw(st.sampled_from(("before", "roll", "after")))
    seat = draw(st.integers(0, players - 1))
    skunk = draw(st.none() | st.integers(0, players - 1))
    if players == 1 or not rules.skunks or (skunk == seat and phase != "before"):
        skunk = None
    t_in_force = phase == "after" and draw(st.booleans())
    return Position(tuple(herds), seat, phase, t_in_force, skunk)


@FEW
@given(data=st.data(), rules=rule_sets(), seed=st.integers(0, 2**64 - 1))
def test_tiles_are_conserved_and_limits_kept(
    data: st.DataObject, rules: HerdRules, seed: int
) -> None:
    names = data.draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4))
    start = data.draw(st.none() | positions(rules, len(names)))
    players = seat_players(HERD, rules, ",".join(names))
    bout = Bout(HERD, rules, players, stream_seeds(seed), start)
    row, log = bout.logged(0)
    assert (row == bout.rows(0, 1)).all(), "watched and unwatched play differ"
    for line in log_lines(log, len(names)):
        for animal, tiles, limit in zip(ANIMALS, rules.tiles, rules.limits, strict=True):
            owned = [herd.get(animal, 0) for herd in line.herds]
            assert sum(owned) + line.supply[animal] == tiles
            assert max(owned) <= limit and line.supply[animal] >= 0
        assert line.skunk is None or (rules.skunks and 0 <= line.skunk < len(names))
    turns, winners = int(row[0, LENGTH]), int(row[0, WINNERS])
    assert 1 <= turns <= rules.max_turns
    assert winners in (0, 1, 2, 4, 8) and winners < 1 << len(names)
    assert winners or turns == rules.max_turns
    if winners and len(log):
        last = log_lines(log, len(names))[-1]
        assert last.what == "win" and 1 << last.seat == winners
        assert all(ANIMALS[animal] in last.herds[last.seat] for animal in HERD_ANIMALS)


@FEW
@given(counts=st.tuples(*[st.integers(0, n) for n in (15, 31, 31, 31, 3, 3)]))
def test_packing_a_herd_loses_nothing(counts: tuple[int, ...]) -> None:
    assert unpack(pack(counts)) == counts
    assert unpack_supply(pack_supply(counts)) == counts


def test_every_position_that_is_accepted_is_possible() -> None:
    accepted = refused = 0

    @settings(FEW, derandomize=True)
    @given(data=st.data(), rules=rule_sets())
    def check(data: st.DataObject, rules: HerdRules) -> None:
        nonlocal accepted, refused
        players = data.draw(st.integers(1, 4))
        counts = [st.integers(0, min(limit, 6)) for limit in rules.limits]
        herds = [[data.draw(count) for count in counts] for _ in range(players)]
        if data.draw(st.booleans()):
            animal = data.draw(st.integers(0, len(ANIMALS) - 1))
            herds[0][animal] = rules.limits[animal] + 1
        position = Position(tuple(map(tuple, herds)), data.draw(st.integers(-1, players)))
        try:
            check_position(rules, position)
        except BadInput:
            refused += 1
            return
        accepted += 1
        assert min(supply_of(rules, position.herds)) >= 0
        for herd in herds:
            assert all(n <= limit for n, limit in zip(herd, rules.limits, strict=True))
        assert 0 <= position.seat < players

    check()
    assert accepted > 5 and refused > 5


def test_no_herd_is_complete_before_the_last_line() -> None:
    """H4: the game ends the moment a herd is complete."""
    rules = HerdRules()
    players = seat_players(HERD, rules, "keeper,random,climber,spoiler")
    bout = Bout(HERD, rules, players, stream_seeds(4))
    for number in range(200):
        _, log = bout.logged(number)
        lines = log_lines(log, 4)
        for line in lines[:-2]:
            for herd in line.herds:
                assert not all(ANIMALS[animal] in herd for animal in HERD_ANIMALS)
        assert lines[-1].what == "win"


def test_a_finished_turn_count_is_the_same_in_long_games() -> None:
    """Event counters are emptied every 4096 turns; none of it may be lost."""
    rules = HerdRules(max_turns=20_000)
    players = seat_players(HERD, rules, "hermit,hermit")
    bout = Bout(HERD, rules, players, stream_seeds(2))
    row, log = bout.logged(0)
    assert (row == bout.rows(0, 1)).all()
    assert int(row[0, LENGTH]) == 20_000 and int(row[0, WINNERS]) == 0
    lines = log_lines(log, 2)
    eaten = [0, 0]
    for before, line in zip(lines, lines[1:], strict=False):
        if line.what == "roll" and "fox" in line.detail:
            lost = before.herds[line.seat].get("rabbit", 0) - line.herds[line.seat].get("rabbit", 0)
            eaten[line.seat] += lost
    column = {name: i for i, name in enumerate(HERD.columns(2))}
    counted = [int(row[0, column[f"rabbits_lost_to_fox_{seat}"]]) for seat in range(2)]
    assert counted == eaten and np.min(eaten) > 500
