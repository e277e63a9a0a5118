"""Clauses B14-B18 of Barnyard Swap (scores, runaway, wild cards, match), from the rulebook."""

from itertools import combinations
from typing import Any

import pytest

from herdlab.simcore.barnyard.rules import ANIMALS, BarnyardRules
from herdlab.simcore.barnyard.view import SCORED
from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.strategies.registry import seat_players
from tests.simcore.barnyard.harness import BARNYARD, log_lines, of, play, script, spied
from tests.simcore.barnyard.tables import MIXED, Score, fill, match, quiet_match, row_of, scores

FIRST = "horses 1 2 3 4 5 6 8"
"""A full hand that ends a session after the deal: 29 points and 5."""


def successful(hand: str, n_players: int = 3, **options: Any) -> Score:
    """Return the score of a hand that ends the session after the deal, claimed if need be."""
    hands = (hand, *fill(n_players - 1, hand, n_players=n_players))
    lines = play(*hands, scripts={0: script(claim=1)}, **{"runaway": "10 goats", **options})
    assert of(lines, "full hand")[0].seat == 0
    return scores(lines)[0]


def other(hand: str, n_players: int = 3, first: str = FIRST, **options: Any) -> Score:
    """Return the score of a hand, if another player ends the session after the deal.

    Unless a runaway is given, it is a card that counts for nobody.
    """
    runaway = options.pop("runaway", "Watchdog" if "Watchdog" not in hand else "10 goats")
    donkeys = 1 if n_players == 3 else 2
    number, _, animal = runaway.rpartition(" ")
    taken = (first, hand, f"{animal} {number}" if number else animal)
    hands = (first, hand, *fill(n_players - 2, *taken, n_players=n_players, donkeys=donkeys))
    scripts = {1: script(collect=options.pop("collect", 0))}
    lines = play(*hands, runaway=runaway, donkeys=donkeys, scripts=scripts, **options)
    assert of(lines, "full hand")[0].seat == 0
    return scores(lines)[1]


# B14 the successful player


@pytest.mark.parametrize(
    ("hand", "numbers", "run"),
    [
        ("sheep 1 2 3 4 5 6 8", 29, 0),
        ("sheep 1 3 4 5 6 7 8", 34, 0),  # six in a row are for the others
        ("sheep 1 2 3 4 5 6 7", 28, 10),
        ("pigs 2 3 4 5 6 7 8", 35, 10),
        ("horses 4 5 6 7 8 9 10", 49, 10),
        ("cows 10 9 8 1 2 3 4", 37, 0),
    ],
)
def test_b14_the_sum_five_and_ten_for_a_whole_run(hand: str, numbers: int, run: int) -> None:
    assert successful(hand) == (numbers + 5 + run, numbers, 5, run, 0)


@pytest.mark.parametrize(
    ("hand", "numbers", "run"), [("sheep 5 6 7 8 9 10", 45, 10), ("sheep 1 2 3 4 5 7", 22, 0)]
)
def test_b14_with_seven_players_six_in_a_row_are_all(hand: str, numbers: int, run: int) -> None:
    assert successful(hand, 7) == (numbers + 5 + run, numbers, 5, run, 0)


@pytest.mark.parametrize(
    ("hand", "numbers", "run"),
    [
        ("sheep 4 4 5 6 7 8 9", 43, 0),
        ("sheep 6 6 7 7 8 8 9", 51, 0),
        ("sheep 4 5 6 7 8 9 10", 49, 10),
    ],
)
def test_b14_a_doubled_number_is_no_run(hand: str, numbers: int, run: int) -> None:
    assert successful(hand, 8) == (numbers + 5 + run, numbers, 5, run, 0)


@pytest.mark.parametrize(("wild", "worth"), [("Donkey", -10), ("Watchdog", 10)])
@pytest.mark.parametrize(("numbers", "total"), [("1 2 3 4 5 6", 21), ("2 4 6 8 9 10", 39)])
def test_b14_a_claimer_gets_five_and_no_run_of_any_kind(
    wild: str, worth: int, numbers: str, total: int
) -> None:
    assert successful(f"sheep {numbers}, {wild}") == (total + 5 + worth, total, 5, 0, 0)


def test_b14_a_claimer_of_six_cards_gets_no_run_either() -> None:
    assert successful("sheep 6 7 8 9 10, Watchdog", 7) == (40 + 5 + 10, 40, 5, 0, 0)


# B15 every other player


@pytest.mark.parametrize(
    ("hand", "numbers", "run"),
    [
        ("sheep 9 10, pigs 1 2 3, goats 1 2", 19 - 6 - 3, 0),
        ("sheep 1 2, pigs 1 2, goats 1 2, cows 1", 3 - 3 - 3 - 1, 0),
        ("sheep 1 2 3 4 5, pigs 10, goats 10", 15 - 20, 5),
        ("sheep 1 2 3 4 5, cows 9 10", 19 - 15, 5),  # not the animal he collects
        ("sheep 1 2 3 4 5 6, cows 9", 21 - 9, 6),
        ("sheep 1 2 3 4 6 7, cows 9", 23 - 9, 0),
        ("sheep 1 2 3 9 10, pigs 4, cows 4", 25 - 8, 0),  # a run does not go round
        ("sheep 1 2 3, pigs 4 5 6, goats 7", 15 - 6 - 7, 0),  # nor from animal to animal
        ("sheep 2 3 4 5 6 7 8", 35, 6),  # a second full hand
        ("sheep 1 2 3 4 5 7 8", 30, 5),
        ("sheep 1 2 3 5 6 7 8", 32, 0),
    ],
)
def test_b15_his_animal_minus_all_others_and_five_or_six_for_a_run(
    hand: str, numbers: int, run: int
) -> None:
    assert other(hand) == (numbers + run, numbers, 0, run, 0)


@pytest.mark.parametrize(
    ("hand", "numbers", "run"),
    [
        ("sheep 1 2 4 5 6, pigs 9, Donkey", 18 - 9, 0),  # a wild card fills no gap
        ("sheep 1 2 3 4 5, pigs 9, Donkey", 15 - 9, 5),
        ("sheep 1 2 3 4 5 6, Donkey", 21, 6),  # he could have claimed
    ],
)
def test_b15_a_wild_card_is_no_number(hand: str, numbers: int, run: int) -> None:
    assert other(hand) == (numbers + run - 10, numbers, 0, run, 0)


@pytest.mark.parametrize(
    ("hand", "numbers", "run"),
    [
        ("sheep 6 6 7 8 9 10, cows 9", 46 - 9, 5),
        ("sheep 7 7 8 8 9 9 10", 58, 0),
        ("sheep 5 6 7 8 9 10 10", 55, 6),
        ("sheep 10 10, pigs 10 10, goats 9 9 10", 28 - 40, 0),
    ],
)
def test_b15_doubled_numbers_count_twice_in_the_sum_and_once_in_a_run(
    hand: str, numbers: int, run: int
) -> None:
    assert other(hand, 8) == (numbers + run, numbers, 0, run, 0)


@pytest.mark.parametrize(
    ("hand", "numbers", "run"),
    [("sheep 5 6 7 8 9 10", 45, 6), ("sheep 6 7 8 9 10, cows 9", 31, 5)],
)
def test_b15_with_seven_players_the_runs_are_the_same(hand: str, numbers: int, run: int) -> None:
    first = "horses 1 2 3 4 5 6"
    assert other(hand, 7, first=first) == (numbers + run, numbers, 0, run, 0)


@pytest.mark.parametrize(("one", "two"), list(combinations(ANIMALS, 2)))
def test_b15_equal_sums_and_counts_go_by_the_order_of_the_deck(one: str, two: str) -> None:
    free = [animal for animal in ANIMALS if animal not in (one, two)]
    hand = f"{one} 4 6, {two} 3 7, {free[1]} 1 2, Donkey"
    options: Any = {"first": f"{free[0]} 1 2 3 4 5 6 8"}
    assert other(hand, runaway=f"8 {one}", **options)[4] == 8
    assert other(hand, runaway=f"8 {two}", **options)[4] == 0


def test_b15_equal_sums_go_to_more_cards() -> None:
    hand = "sheep 10, pigs 4 6, goats 1 2 3, cows 1"
    assert other(hand, runaway="8 pigs")[4] == 8
    assert other(hand, runaway="8 sheep")[4] == 0


def test_b15_the_highest_sum_comes_before_more_cards() -> None:
    hand = "sheep 1 2 3 5, pigs 3 9, goats 1"
    assert BarnyardRules().collecting == "best"
    assert other(hand, runaway="8 pigs") == (12 - 11 - 1 + 8, 0, 0, 0, 8)


@pytest.mark.parametrize(
    ("animal", "numbers"), [(0, 19 - 9), (1, 6 - 22), (2, 3 - 25), (3, -28), (4, -28)]
)
def test_b15_declared_he_collects_what_his_strategy_says(animal: int, numbers: int) -> None:
    hand = "sheep 9 10, pigs 1 2 3, goats 1 2"
    declared: Any = {"collect": animal, "collecting": "declared"}
    assert other(hand, **declared) == (numbers, numbers, 0, 0, 0)
    runaway = f"{7 if animal == 4 else 8} {ANIMALS[animal]}"
    assert other(hand, runaway=runaway, **declared)[4] == (-7 if animal == 4 else 8)
    assert other(hand, collect=animal)[1] == 10  # by default nobody asks him


def test_b15_declared_the_successful_player_collects_his_full_hand() -> None:
    hands = (FIRST, *fill(2, FIRST, n_players=3))
    options: Any = {"collecting": "declared", "runaway": "10 horses"}
    lines = play(*hands, scripts={0: script(collect=1)}, **options)
    assert scores(lines)[0] == (29 + 5 + 10, 29, 5, 0, 10)


def test_b15_declared_nobody_knows_the_points_of_others_when_he_says_what_he_collects() -> None:
    """Another hand of seat 0, or another runaway, changes nothing that seat 1 is shown by then."""
    options: Any = {"by": 1, "at": "collect", "collecting": "declared", "totals": (7, 8, 9)}
    seen = set()
    others = ("sheep 4 5 6, pigs 4 5 6, goats 9", "goats 1 2 3 4 6 7 8")
    for last, runaway in (("sheep 1", "10 cows"), ("horses 9", "10 cows"), ("sheep 1", "10 sheep")):
        hands = (f"sheep 2 3, pigs 1 2 3, goats 10, {last}", *others)
        seen.add(spied(*hands, runaway=runaway, **options))
    assert len(seen) == 1


@pytest.mark.parametrize("name", ["collector", "honest", "purist", "random", "miser"])
def test_b15_declared_an_anchor_collects_its_target(name: str) -> None:
    rules = BarnyardRules(collecting="declared", sessions=2, max_rounds=20)
    players = seat_players(BARNYARD, rules, f"{name},{name},{name}")
    bout, checked = Bout(BARNYARD, rules, players, stream_seeds(3)), set()
    for number in range(15):
        log = bout.logged(number)[1]
        lines = log_lines(log, 3)
        for line, row in zip(lines, log.tolist(), strict=True):
            if row[0] != SCORED:
                continue
            held = [one.split() for one in line.hands[line.seat] if " " in one]
            worth = []
            for place, animal in enumerate(ANIMALS):
                numbers = [int(n) for n, of_animal in held if of_animal == animal]
                by = (len(numbers), sum(numbers))
                worth.append((*(by[::-1] if name == "miser" else by), -place))
            assert row[7] == -max(worth)[2]
            checked.add(row[7])
    assert checked == set(range(5))


# B16 runaway


@pytest.mark.parametrize("number", range(1, 11))
def test_b16_an_even_runaway_is_added_and_an_odd_one_subtracted(number: int) -> None:
    high = [n for n in (10, 9, 8, 7) if n != number][:2]
    hand = f"sheep {high[0]} {high[1]}, pigs 1 2, goats 1 2, cows 1"
    worth = number if number % 2 == 0 else -number
    plain = other(hand)
    assert other(hand, runaway=f"{number} sheep") == (plain[0] + worth, *plain[1:4], worth)
    assert other(hand, runaway=f"{number if number > 3 else 4} pigs") == plain


@pytest.mark.parametrize(("runaway", "worth"), [("10 sheep", 10), ("7 sheep", -7)])
@pytest.mark.parametrize("first", ["sheep 1 2 3 4 5 6, Watchdog", "goats 1 2 3 4 5 6 8"])
def test_b16_every_player_who_collects_that_animal_gets_it(
    runaway: str, worth: int, first: str
) -> None:
    hands = (
        first,
        "sheep 9, pigs 1 2, cows 1 2, horses 1 2",
        "sheep 8, pigs 3 4, cows 3 4, horses 3 4",
        "pigs 8 9, cows 8 9, horses 8 9 10",
    )
    lines = play(*hands, runaway=runaway, scripts={0: script(claim=1)})
    is_sheep = first.startswith("sheep")
    assert [score[4] for score in scores(lines).values()] == [worth * is_sheep, worth, worth, 0]


def test_b16_the_second_copy_of_a_card_he_holds_can_be_the_runaway() -> None:
    hand = "sheep 9 10, pigs 10, cows 9 10, goats 9 10"
    assert other(hand, 8, runaway="10 sheep")[4] == 10


# B17 wild cards


@pytest.mark.parametrize("donkeys", range(5))
@pytest.mark.parametrize("watchdogs", range(3))
def test_b17_each_donkey_is_ten_off_and_each_watchdog_ten(donkeys: int, watchdogs: int) -> None:
    farm = f"sheep {' '.join(map(str, range(10, 3 + donkeys + watchdogs, -1)))}"
    hand = ", ".join([farm, *["Donkey"] * donkeys, *["Watchdog"] * watchdogs])
    found = other(hand, 8, runaway="10 goats")
    assert found[0] - sum(found[1:]) == 10 * watchdogs - 10 * donkeys


def test_b17_they_count_after_a_stall_too_and_for_whoever_holds_them_at_the_end() -> None:
    hands = ("sheep 1 2 3, pigs 1 2 3, Watchdog", *MIXED[1:3])
    row = row_of(*hands, max_rounds=1, barnyard="goats 9, Donkey, goats 8")
    held = [(row[f"donkey_held_{seat}"], row[f"watchdog_held_{seat}"]) for seat in range(3)]
    assert held == [(0, 1), (1, 0), (0, 0)]
    points = [(row[f"points_donkey_{seat}"], row[f"points_watchdog_{seat}"]) for seat in range(3)]
    assert points == [(0, 10), (-10, 0), (0, 0)]


# B18 match

LAST: Any = {"runaway": "Donkey"}
TABLE = (FIRST, "sheep 9 10, pigs 1 2 3, goats 1 2", "sheep 7 8, pigs 4 5 6, goats 3 4")
"""Scores 34, 10 and 15 - 15 - 7."""


def won(*totals: int, **options: Any) -> tuple[list[int], list[int], int]:
    """Return winners, final totals and the sessions played, if TABLE is the next one."""
    lines = play(*TABLE, totals=totals, **{**LAST, **options})
    row = row_of(*TABLE, totals=totals, **{**LAST, **options})
    winners = [seat for seat in range(3) if row["winners"] >> seat & 1]
    assert of(lines, "win")[0].detail == (row["winners"],)
    return winners, [row[f"score_{seat}"] for seat in range(3)], row["parts"]


def test_b18_four_sessions_are_the_default() -> None:
    assert (BarnyardRules().sessions, BarnyardRules().target) == (4, 0)
    assert len(of(quiet_match(3, max_rounds=1), "deal")) == 4


@pytest.mark.parametrize("sessions", [1, 2, 7])
def test_b18_totals_are_the_sums_of_the_sessions(sessions: int) -> None:
    lines, row = match("collector,random,miser,purist", sessions=sessions, max_rounds=30)
    assert row["parts"] == len(of(lines, "deal")) == sessions
    totals = [0, 0, 0, 0]
    for line in of(lines, "score"):
        totals[line.seat] += int(str(line.detail[0]))
    assert [row[f"score_{seat}"] for seat in range(4)] == totals
    assert row["winners"] == sum((total == max(totals)) << s for s, total in enumerate(totals))
    ends = [line for line in lines if line.what in ("full hand", "stall")]
    assert row["length"] == sum(-(-line.turn // 4) for line in ends)


@pytest.mark.parametrize(
    ("totals", "winners"),
    [
        ((0, 0, 0), [0]),
        ((0, 23, 0), [0]),
        ((0, 25, 0), [1]),
        ((-50, -20, -10), [1]),
        ((0, 24, 0), [0, 1]),
        ((0, 24, 41), [0, 1, 2]),
        ((0, 25, 42), [1, 2]),
    ],
)
def test_b18_the_highest_total_wins_and_equal_ones_share(
    totals: tuple[int, ...], winners: list[int]
) -> None:
    expected = [total + score for total, score in zip(totals, (34, 10, -7), strict=True)]
    assert won(*totals, session=3, sessions=4) == (winners, expected, 1)


@pytest.mark.parametrize("target", [150, 200])
def test_b18_a_match_to_a_target_ends_when_a_total_reaches_it(target: int) -> None:
    options: Any = {"target": target, "max_sessions": 2, "max_rounds": 1}
    assert won(target - 34, 0, 0, **options) == ([0], [target, 10, -7], 1)
    assert won(target - 34, target - 9, 0, **options)[:2] == ([1], [target, target + 1, -7])
    assert won(target - 35, 0, 0, **options)[2] == 2
    assert won(0, target - 11, target - 1, **options)[2] == 2  # 10 more and 7 less: short of it
    with pytest.raises(BadInput, match=rf"somebody has reached {target}: the match is over .B18."):
        won(target, 0, 0, **options)


def test_b18_to_a_target_the_number_of_sessions_does_not_count() -> None:
    assert won(0, 0, 0, target=150, sessions=1, max_sessions=6, max_rounds=1)[2] == 6
    lines, row = match("collector,honest,miser", target=150, sessions=1)
    totals = [row[f"score_{seat}"] for seat in range(3)]
    assert max(totals) >= 150 and row["parts"] > 1
    last = {seat: score[0] for seat, score in scores(lines).items()}
    assert all(totals[seat] - last[seat] < 150 for seat in range(3))


@pytest.mark.parametrize("n", [1, 3])
def test_b18_to_a_target_the_highest_wins_after_the_most_sessions(n: int) -> None:
    lines, row = match("collector,honest,miser", target=10_000, max_sessions=n)
    totals = [row[f"score_{seat}"] for seat in range(3)]
    assert row["parts"] == len(of(lines, "deal")) == n
    assert row["winners"] >> totals.index(max(totals)) & 1 and BarnyardRules().max_sessions == 100
    assert row["targets_missed"] == 1
    assert match("collector,honest,miser", target=20, max_sessions=50)[1]["targets_missed"] == 0
