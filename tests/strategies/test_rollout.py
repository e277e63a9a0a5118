"""Rollout: it does what turns out best in its head, on luck that is not the table's."""

from typing import Any

import numpy as np
import pytest

from herdlab.simcore.batch import Bout, Threads, simulate, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game
from herdlab.simcore.herd.position import Position
from herdlab.simcore.herd.rules import HerdRules
from herdlab.simcore.sums import WINNERS, Sums
from herdlab.strategies import strategy
from herdlab.strategies.registry import read_line_up, seat_players
from tests.simcore.herd.harness import log_lines

HERD = find_game("herd")
RULES = HerdRules()
ABOUT_TO_WIN = (6, 0, 1, 1, 1, 0)
"""Five rabbits for a sheep, before he rolls."""
NONE = ("none", None)


def bout(
    players: str, start: Position | None = None, rules: HerdRules = RULES, **seeds: int
) -> Bout:
    seated = seat_players(HERD, rules, players)
    return Bout(HERD, rules, seated, stream_seeds(**{"seed": 1, **seeds}), start)


def first_trade_of(one: Bout, start: Position, number: int = 0) -> tuple[object, ...]:
    """Return the trade with which a game begins, and the partner's seat."""
    _, log = one.logged(number)
    for line in log_lines(log, len(start.herds))[:1]:
        if line.what == "trade" and (line.turn, line.seat) == (start.turn, start.seat):
            return line.detail
    return NONE


def first_trade(players: str, start: Position, **options: Any) -> tuple[object, ...]:
    return first_trade_of(bout(players, start, **options), start)


def test_it_takes_a_trade_that_wins_at_once() -> None:
    for trade, herd in (("horse", (1, 1, 1, 3, 0, 0)), ("sheep", ABOUT_TO_WIN)):
        start = Position((herd, (1, 0, 0, 0, 0, 0)))
        assert first_trade("rollout:base=hermit:n=1,keeper", start) == (trade, None)


@pytest.mark.parametrize("base", ["herder/keep_cows=3", "hermit"])
def test_it_takes_what_another_is_about_to_win_with(base: str) -> None:
    """With his horse he would win before the dice are rolled again; base would leave it to him."""
    start = Position(((4, 0, 0, 3, 0, 0), ABOUT_TO_WIN), 0, "after", t_in_force=True)
    assert first_trade(f"{base.replace('/', ':')},keeper", start) == NONE
    assert first_trade(f"rollout:base={base}:n=20,keeper", start) == ("horse", 1)


def test_it_does_not_complete_another_herd() -> None:
    """H4, H13: for two pigs he gives a cow, and has all."""
    start = Position(((2, 0, 2, 0, 0, 0), (3, 1, 0, 2, 1, 0)), 0, "after", t_in_force=True)
    assert first_trade("climber,climber", start) == ("cow", 1)
    assert first_trade("rollout:base=climber:n=20,climber", start) == NONE


def test_it_chooses_the_partner_whom_the_trade_does_not_complete() -> None:
    nearest, completed = (1, 2, 0, 0, 0, 0), (0, 2, 1, 2, 1, 1)
    mine = (11, 0, 1, 2, 0, 0)
    start = Position((mine, nearest, completed), 0, "after", t_in_force=True)
    base = "herder/partner=leader"
    others = ",keeper,keeper"
    assert first_trade(base.replace("/", ":") + others, start) == ("sheep", 2)
    assert first_trade(f"rollout:base={base}:n=50{others}", start) == ("sheep", 1)


def test_it_gives_the_skunk_to_whom_it_keeps_from_winning() -> None:
    """He himself will have his cow after the roll, and a sheep before the next."""
    rules = HerdRules.from_settings({"wolf_die": "12K", "fox_die": "12R"})
    start = Position(((6, 0, 3, 0, 1, 0), (1, 0, 0, 0, 0, 0), ABOUT_TO_WIN), 0, "roll")

    def given(who: str) -> object:
        _, log = bout(f"{who},keeper,keeper", start, rules).logged(0)
        return next(line.detail[0] for line in log_lines(log, 3) if line.what == "skunk")

    assert given("herder:skunk=left") == 1
    assert given("rollout:base=herder/skunk=left:n=50") == 2


def test_where_nothing_tells_it_does_as_its_base() -> None:
    """H16: after the last turn nobody wins, whatever was done."""
    rules = HerdRules(max_turns=30)
    start = Position(((12, 6, 4, 1, 0, 0), (1, 0, 0, 0, 0, 0)), 0, "after", turn=29)
    for base in ("keeper", "hermit", "herder/dog=first", "climber"):
        usual = first_trade(f"{base.replace('/', ':')},keeper", start, rules=rules)
        assert first_trade(f"rollout:base={base}:n=9,keeper", start, rules=rules) == usual


START = Position(((8, 3, 2, 1, 0, 0), (6, 4, 1, 1, 0, 0), (7, 2, 2, 0, 1, 1)))
FEW = "rollout:n=15:doubt=0"


def test_it_does_not_see_the_dice() -> None:
    """Its first choice depends on its own luck, and not on what will be rolled."""
    players = seat_players(HERD, RULES, f"{FEW},keeper,keeper")
    choices = set()
    for phase in ("before", "after"):
        start = Position(START.herds, phase=phase)
        bouts = [
            Bout(HERD, RULES, players, stream_seeds(1, dice=dice), start) for dice in (1, 2, 3)
        ]
        for number in range(20):
            ways = {first_trade_of(one, start, number) for one in bouts}
            assert len(ways) == 1
            choices |= ways
        assert len({one.logged(0)[1].tobytes() for one in bouts}) == len(bouts)  # the dice differ
    assert len(choices) > 1  # its own luck does tell


def test_it_gives_the_same_games_in_any_number_of_threads_and_chunks() -> None:
    line_up = f"{FEW},random,rollout:base=random:n=5,rollout:base=spoiler:n=5"
    sums = []
    for threads, chunk in ((1, 40), (2, 7), (3, 1)):
        one, into = bout(line_up), Sums(4)
        simulate(one.sums, into, range(40), crew=Threads(threads), chunk=chunk)
        sums.append(into)
    assert sums[0] == sums[1] == sums[2]


def test_a_logged_game_is_the_same_game() -> None:
    one = bout(f"keeper,{FEW}")
    rows = one.rows(0, 8)
    for number in range(8):
        assert (one.logged(number)[0][0] == rows[number]).all()


def test_tables_after_one_another_leave_nothing_behind() -> None:
    """The second table is laid out again for every game, whatever was on it."""
    rows = bout(f"{FEW},climber,{FEW}").rows(0, 12)
    for number in (11, 5):
        assert (bout(f"{FEW},climber,{FEW}").rows(number, number + 1)[0] == rows[number]).all()


def z_against(base: str, text: str, deals: int, seed: int) -> float:
    """Return by how many standard errors it wins more than half against its base, both seats."""
    won = np.zeros(deals)
    for seat in (0, 1):
        players = [base, base]
        players[seat] = text
        won += bout(",".join(players), seed=seed).rows(0, deals)[:, WINNERS] == 1 << seat
    return float((won.mean() - 1) / (won.std(ddof=1) / deals**0.5))


def test_it_beats_its_base() -> None:
    assert z_against("climber", "rollout:base=climber:n=20", 150, seed=1) > 3
    assert z_against("keeper", "rollout:n=100:doubt=2", 300, seed=1) > 2


def test_doubt_keeps_it_to_its_base_until_the_games_tell() -> None:
    """With all the doubt there is it plays as its base, and draws the same luck at the table."""
    assert (
        bout("rollout:n=3:doubt=99,climber").rows(0, 200) == bout("keeper,climber").rows(0, 200)
    ).all()


@pytest.mark.usefixtures("own_registry")
def test_what_it_cannot_play_as_is_refused() -> None:
    @strategy("herd", "test-clerk", notebook=3)
    def clerk(decision, view, me):  # type: ignore[no-untyped-def]
        """Takes notes."""
        return 0

    with pytest.raises(BadInput, match="'rollout:base=test-clerk' cannot play out as 'test-clerk'"):
        seat_players(HERD, RULES, "rollout:base=test-clerk,keeper")
    with pytest.raises(BadInput, match="must name a strategy that does not lead back to rollout"):
        read_line_up(HERD, "rollout:base=rollout,keeper")


@pytest.mark.usefixtures("own_registry")
def test_a_base_that_breaks_the_rules_is_found_out() -> None:
    @strategy("herd", "test-cheat")
    def cheat(decision, view, me):  # type: ignore[no-untyped-def]
        """Buys what it cannot have, later."""
        return 77 if view.turn > 4 else 0

    with pytest.raises(BadInput, match=r"'rollout:base=test-cheat:n=5' .* not a legal choice"):
        bout("rollout:base=test-cheat:n=5,keeper").rows(0, 50)
