"""What must hold in every match, for any rules and line-up."""

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from herdlab.simcore.barnyard.rules import DONKEY, WATCHDOG, BarnyardRules
from herdlab.simcore.barnyard.table import pack, unpack
from herdlab.simcore.batch import Bout, Threads, simulate, stream_seeds
from herdlab.simcore.sums import LENGTH, PARTS, WINNERS, Sums
from herdlab.strategies.registry import seat_players, strategies_of
from tests.simcore.barnyard.harness import BARNYARD, Line, log_lines
from tests.simcore.barnyard.tables import deck

SCRIPTED = ("test-scripted", "test-spy", "test-planner")
NAMES = [name for name in strategies_of(BARNYARD) if name not in SCRIPTED]
FEW = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
SETTINGS = st.fixed_dictionaries(
    {
        "runaway_wild": st.sampled_from(("out", "redraw")),
        "discard_wild": st.booleans(),
        "recycle": st.sampled_from(("shuffled", "turned", "as_is")),
        "max_rounds": st.integers(1, 12),
        "collecting": st.sampled_from(("best", "declared")),
        "sessions": st.integers(1, 4),
        "target": st.sampled_from((0, 0, 0, 20, 60)),
        "max_sessions": st.integers(1, 4),
    }
)


class Follower:
    """Follows a session's cards from line to line."""

    def __init__(self, n_players: int, donkeys: int) -> None:
        self.size = 6 if n_players == 7 else 7
        self.whole = deck(1 if n_players <= 7 else 2, donkeys)
        self.barnyard, self.pile = Counter[str](), Counter[str]()
        self.before: Line | None = None

    def look(self, line: Line) -> None:
        """Check a line against the one before it."""
        held = Counter(one for hand in line.hands for one in hand)
        if line.what == "deal":
            self.runaway = str(line.detail[0])
            self.pile.clear()
            self.barnyard = self.whole - held - Counter([self.runaway])
            assert self.barnyard.total() == line.barnyard
        elif line.what == "draw":
            self._draw(str(line.detail[0]))
        elif line.what == "discard":
            self.pile[str(line.detail[0])] += 1
        if line.what not in ("win", "deal"):
            self._hands(line)
        if line.what != "win":
            counts = (self.barnyard.total(), self.pile.total())
            assert (line.barnyard, line.pile) == counts
            assert held + self.barnyard + self.pile + Counter([self.runaway]) == self.whole
        for seat, hand in enumerate(line.hands):
            more = line.what == "draw" and seat == line.seat
            assert len(hand) == self.size + more
        self.before = line

    def _draw(self, card: str) -> None:
        if not self.barnyard.total():
            self.barnyard, self.pile = self.pile, Counter()
        assert self.barnyard[card] > 0
        self.barnyard = self.barnyard - Counter([card])

    def _hands(self, line: Line) -> None:
        """Check that hands changed as the line says, and no others."""
        assert self.before is not None
        expected = [Counter(hand) for hand in self.before.hands]
        mine = expected[line.seat]
        if line.what == "trade":
            partner, gave, got = int(str(line.detail[0])), str(line.detail[2]), str(line.detail[3])
            assert partner != line.seat
            mine.subtract([gave])
            expected[partner].subtract([got])
            mine[got] += 1
            expected[partner][gave] += 1
        elif line.what == "draw":
            mine[str(line.detail[0])] += 1
        elif line.what == "discard":
            mine.subtract([str(line.detail[0])])
        assert all(min(hand.values()) >= 0 for hand in expected)
        assert [+hand for hand in expected] == [Counter(hand) for hand in line.hands]


def check_turns(lines: list[Line], n_players: int) -> None:
    """Check that each turn is ask, bids, then a trade of an offer or draw and discard."""
    turns: dict[tuple[int, int], list[Line]] = {}
    for line in lines:
        if line.what in ("ask", "bid", "trade", "draw", "discard"):
            turns.setdefault((line.session, line.turn), []).append(line)
    for (session, turn), events in turns.items():
        swapper = (session + turn) % n_players
        kinds = [one.what for one in events if one.what != "bid"]
        assert kinds in (["ask", "trade"], ["ask", "draw", "discard"])
        assert all(one.seat == swapper for one in events if one.what != "bid")
        places = [(one.seat - swapper) % n_players for one in events if one.what == "bid"]
        assert places == sorted(set(places) - {0})
        if kinds[-1] == "trade":
            trade = events[-1]
            offers = {one.seat: one.detail[0] for one in events if one.what == "bid"}
            assert trade.detail[1] in offers[trade.detail[0]]  # type: ignore[index,operator]
            asked = events[0].detail[0]
            assert trade.detail[2] in (asked, "Donkey", "Watchdog")
            assert trade.detail[3] in (trade.detail[1], "Donkey", "Watchdog")


def check_row(row: dict[str, int], lines: list[Line], n_players: int, target: int) -> None:
    """Check a row of outcomes against the log of its match."""
    seats = range(n_players)
    sums: Counter[str] = Counter()
    for line in lines:
        if line.what == "score":
            score, *parts = (int(str(one)) for one in line.detail)
            hand, seat = line.hands[line.seat], line.seat
            wild = (-10 * hand.count("Donkey"), 10 * hand.count("Watchdog"))
            assert score == sum(parts) + sum(wild)
            sums[f"score_{seat}"] += score
            sums[f"session_score_{seat}"] += score
            names = ("numbers", "first", "run", "runaway", "donkey", "watchdog")
            for name, points in zip(names, (*parts, *wild), strict=True):
                sums[f"points_{name}_{seat}"] += points
            sums[f"donkey_held_{seat}"] += hand.count("Donkey")
            sums[f"watchdog_held_{seat}"] += hand.count("Watchdog")
        elif line.what in ("full hand", "stall"):
            sums["length"] += -(-line.turn // n_players)
            sums["parts"] += 1
            if line.what == "stall":
                sums["stalls"] += 1
            else:
                sums[f"finished_{line.seat}"] += 1
                natural = line.detail[0] == "natural"
                sums["natural_full_hands" if natural else "wild_claims"] += 1
        sums["trades"] += line.what == "trade"
    best = max(sums[f"score_{seat}"] for seat in seats)
    sums["winners"] = sum((sums[f"score_{seat}"] == best) << seat for seat in seats)
    sums["targets_missed"] = int(bool(target) and best < target)
    assert row == {name: sums[name] for name in row}


def follow(names: list[str], given: dict[str, Any], seed: int, game: int = 0) -> list[Line]:
    """Play a match, check all of it, and return its lines."""
    rules = BarnyardRules.from_settings(given)
    players = seat_players(BARNYARD, rules, ",".join(names))
    bout = Bout(BARNYARD, rules, players, stream_seeds(seed))
    row, log = bout.logged(game)
    assert (row == bout.rows(game, game + 1)).all(), "watched and unwatched play differ"
    lines = log_lines(log, len(names))
    follower = Follower(len(names), rules.donkeys)
    for line in lines:
        follower.look(line)
    check_turns(lines, len(names))
    outcome = dict(zip(bout.columns, row[0].tolist(), strict=True))
    check_row(outcome, lines, len(names), rules.target)
    most = rules.max_sessions if rules.target else rules.sessions
    assert 1 <= row[0, PARTS] <= most and row[0, LENGTH] <= rules.max_rounds * row[0, PARTS]
    assert 0 < row[0, WINNERS] < 1 << len(names)
    return lines


@FEW
@given(data=st.data(), rules=SETTINGS, seed=st.integers(0, 2**64 - 1), two=st.booleans())
def test_cards_scores_and_rows_add_up(
    data: st.DataObject, rules: dict[str, Any], seed: int, two: bool
) -> None:
    names = data.draw(st.lists(st.sampled_from(NAMES), min_size=3, max_size=14))
    follow(names, {**rules, "donkeys": 2 if two and len(names) > 3 else 1}, seed)


@pytest.mark.parametrize("n_players", range(3, 15))
def test_they_add_up_for_every_number_of_players_who_do_anything(n_players: int) -> None:
    donkeys = 1 if n_players == 3 else 2
    rules: Any = {"max_rounds": 36 // n_players, "discard_wild": True, "donkeys": donkeys}
    lines = follow(["test-anything"] * n_players, rules, seed=n_players)
    assert {"ask", "bid", "trade", "draw", "discard"} <= {line.what for line in lines}


@pytest.mark.parametrize("name", NAMES)
def test_they_add_up_for_every_strategy(name: str) -> None:
    for game in range(3):
        follow([name, "test-anything", name, "random"], {"max_rounds": 10}, seed=8, game=game)


def test_a_fault_in_the_cards_would_be_caught() -> None:
    """The same log with one card changed, or one hand too large, does not pass."""
    lines = follow(["test-anything"] * 4, {"max_rounds": 3, "sessions": 1}, seed=3)
    draw = next(place for place, line in enumerate(lines) if line.what == "draw")
    line = lines[draw]
    wrong = "1 sheep" if line.detail[0] != "1 sheep" else "2 sheep"
    hands = list(line.hands)
    hands[line.seat] = hands[line.seat][:-1]
    for faulty in (
        replace(line, detail=(wrong,)),
        replace(line, hands=tuple(hands)),
        replace(line, barnyard=line.barnyard + 1),
    ):
        follower = Follower(4, 1)
        with pytest.raises(AssertionError):
            for one in (*lines[:draw], faulty):
                follower.look(one)


@FEW
@given(data=st.data())
def test_packing_a_hand_loses_nothing(data: st.DataObject) -> None:
    """Two packs with four Donkeys and two Watchdogs, seven cards or eight."""
    whole = sorted([*range(50), *range(50), *[DONKEY] * 4, *[WATCHDOG] * 2])
    hand = data.draw(st.lists(st.sampled_from(range(106)), unique=True, min_size=6, max_size=8))
    cards = tuple(sorted(whole[place] for place in hand))
    assert unpack(*pack(cards)) == cards


LINE_UPS = ["collector,honest,miser", "test-anything,random,purist,collector", "random,miser," * 4]


@pytest.mark.parametrize("line_up", [one.rstrip(",") for one in LINE_UPS])
def test_sums_are_the_same_for_any_threads_and_chunks(line_up: str) -> None:
    rules = BarnyardRules(max_rounds=40)
    players = seat_players(BARNYARD, rules, line_up)
    bout = Bout(BARNYARD, rules, players, stream_seeds(1))
    n = len(players)
    whole = bout.sums(range(120))
    for threads, chunk in ((1, None), (1, 7), (2, None), (2, 1), (2, 50), (3, 1000)):
        assert simulate(bout.sums, Sums(n), range(120), crew=Threads(threads), chunk=chunk) == whole
    parts = [bout.rows(first, first + 40) for first in (80, 0, 40)]
    assert (np.vstack([parts[1], parts[2], parts[0]]) == bout.rows(0, 120)).all()


def test_tallies_are_those_of_the_sessions() -> None:
    """In matches of one session the squares and histograms can be had from the rows."""
    rules = BarnyardRules(max_rounds=40, sessions=1)
    players = seat_players(BARNYARD, rules, "random,miser,honest")
    bout = Bout(BARNYARD, rules, players, stream_seeds(2))
    rows, sums = bout.rows(0, 300), bout.sums(range(300))
    places = BARNYARD.tallies(3)
    column = {name: rows[:, place].astype(int) for place, name in enumerate(bout.columns)}
    for name in bout.columns:
        if name in places:
            assert sums.tallied(places[name]) == [int((column[name] ** 2).sum())], name
    for seat in range(3):
        scores = column[f"score_{seat}"]
        found = sums.tallied(places[f"histogram session_score_{seat}"])
        assert found == np.bincount(scores + 128, minlength=256).tolist()
        found = sums.tallied(places[f"histogram match_score_{seat}"])
        assert found == np.bincount((scores + 500) // 5, minlength=400).tolist()
    found = sums.tallied(places["histogram rounds"])
    assert found == np.bincount(column["length"], minlength=1001).tolist()


def test_another_strategy_in_one_seat_leaves_the_deal_alone() -> None:
    def deals(line_up: str) -> list[Line]:
        rules = BarnyardRules()
        bout = Bout(BARNYARD, rules, seat_players(BARNYARD, rules, line_up), stream_seeds(6))
        return [x for x in log_lines(bout.logged(2)[1], 3) if x.what == "deal"]

    first, second = deals("random,honest,miser"), deals("test-anything,collector,purist")
    assert len(first) == 4 and first == second
