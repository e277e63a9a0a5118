"""Ways weighed on common deals, against brute force; and what is made of them in words."""

from typing import Any

import numpy as np
import pytest

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.questions.advising import Matter, Variant, Words, spanned, worded
from herdlab.analysis.questions.asking import Ask
from herdlab.analysis.questions.ways import Ranking, Weighed, weigh
from herdlab.analysis.sampling.paired_samples import Contender, in_every_seat
from herdlab.analysis.stats.confidence_sequences import BoundedSequence, v_for_half_width
from herdlab.analysis.stats.estimates import (
    CONFIDENCE,
    Estimate,
    difference_of,
    differing_of,
    quantile,
)
from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.game import find_game
from herdlab.strategies.registry import seat_players

SWAP = find_game("swap")
SCENE = Experiment(SWAP, SWAP.rules_type(), 5)
DEALS, FAST = 300, 4.0
WORDS = Words(
    "what one does",
    advised={"a": "do a", "b": "do b", "c": "do c"},
    doing={"a": "doing a", "b": "doing b", "c": "doing c"},
)


def fast_in_every_seat() -> list[Contender]:
    """Return three tables of three: who is fast goes round, and his speed with him."""
    contenders = []
    for seat in range(3):
        speeds = [FAST if n == seat else 1.0 for n in range(3)]
        rules = SCENE.rules.but(slap_speed=speeds)
        contenders.append(Contender(rules, ((("shedder",) * 3, seat),), (1,)))
    return contenders


def won(contender: Contender) -> Any:
    """Return by luck what a contender won, the mean over its tables."""
    total = np.zeros(DEALS)
    for line_up, seat in contender.places:
        players = seat_players(SWAP, contender.rules, ",".join(line_up))
        winners = Bout(SWAP, contender.rules, players, stream_seeds(SCENE.seed)).rows(0, DEALS)[
            :, 0
        ]
        total += ((winners >> seat) & 1) / np.bitwise_count(winners)
    return total / len(contender.places)


def test_a_way_is_the_mean_of_its_arms_and_its_difference_is_taken_luck_by_luck() -> None:
    others = in_every_seat(SCENE.rules, "raider", ["shedder"] * 2)
    ways = {"fast": fast_in_every_seat(), "raider": [others]}
    ask = Ask("test", SCENE, quick=True, intervals=4)
    found = weigh(ask, SCENE, ways, quick_deals=DEALS)
    fast, raider = (
        np.mean([won(one) for one in contenders], axis=0) for contenders in ways.values()
    )
    apart = fast - raider
    squares, confidence = float((apart**2).sum()), 1 - (1 - CONFIDENCE) / 4
    few = differing_of(squares, DEALS)
    wanted = difference_of(apart.sum(), squares, DEALS, few, confidence, largest=1)
    one = found.less("fast", "raider")
    assert found.rates == pytest.approx((fast.mean(), raider.mean()))
    assert (one.value, one.low, one.high) == pytest.approx((apart.mean(), wanted.low, wanted.high))
    half = quantile(confidence) * apart.std(ddof=1) / DEALS**0.5
    assert (one.high - one.low) / 2 == pytest.approx(half, rel=0.1)
    back = found.less("raider", "fast")
    assert (back.value, back.low, back.high) == (-one.value, -one.high, -one.low)
    assert ask.games == DEALS * 6
    assert not found.same


def test_it_goes_on_until_it_is_close_and_knows_what_is_the_same() -> None:
    both = {"a": "shedder", "b": "tactician", "c": "random"}
    ways = {name: [in_every_seat(SCENE.rules, who, ["shedder"])] for name, who in both.items()}
    found = weigh(Ask("test", SCENE, intervals=3), SCENE, ways, quick_deals=1, close=0.02)
    assert found.same == {("a", "b")}
    assert not found.is_all_the_same
    for one in found.apart.values():
        assert (one.high - one.low) / 2 <= max(0.02, 0.1 * abs(one.value))
    assert found.ranking().worse == ("c",)
    few = Ask("test", SCENE, max_deals=200, intervals=3)
    assert weigh(few, SCENE, ways, quick_deals=1).deals == 200


def test_whenever_it_stops_its_intervals_are_those_of_confidence_sequences() -> None:
    """One look at 300 deals: a quarter of the chance of error, tuned to a variance of 0.02."""
    others = in_every_seat(SCENE.rules, "raider", ["shedder"] * 2)
    ways = {"fast": fast_in_every_seat(), "raider": [others]}
    few = Ask("test", SCENE, max_deals=DEALS, intervals=4)
    found = weigh(few, SCENE, ways, quick_deals=1, close=0.01)
    fast, raider = (
        np.mean([won(one) for one in contenders], axis=0) for contenders in ways.values()
    )
    apart, alpha = fast - raider, (1 - CONFIDENCE) / 4
    track = BoundedSequence(-1, 1, alpha, v_for_half_width(0.01, 0.02, alpha, -1, 1), 0)
    track.add(DEALS, float(apart.sum()), float(apart @ apart))
    one, wanted = found.less("fast", "raider"), track.interval()
    assert (one.value, one.low, one.high, one.n) == pytest.approx(
        (wanted.value, wanted.low, wanted.high, DEALS)
    )
    assert few.games == DEALS * 6


def weighed(a: float, b: float, half: float = 0.002, c: float | None = None) -> Weighed:
    """Return ways that win so much, known so closely."""
    rates = {"a": a, "b": b} | ({} if c is None else {"c": c})
    names = tuple(rates)
    apart = {
        (x, y): Estimate(rates[x] - rates[y], rates[x] - rates[y] - half,
                         rates[x] - rates[y] + half, 1000)
        for n, x in enumerate(names)
        for y in names[n + 1 :]
    }  # fmt: skip
    return Weighed(names, tuple(rates.values()), 1000, apart, frozenset())


def test_ranking_tells_worse_from_as_good_and_from_not_settled() -> None:
    assert weighed(0.25, 0.20).ranking() == Ranking(("a",), ("b",), ())
    assert weighed(0.20, 0.25).ranking() == Ranking(("b",), ("a",), ())
    assert weighed(0.252, 0.25).ranking() == Ranking(("a", "b"), (), ())  # by less than matters
    assert weighed(0.26, 0.25, 0.02).ranking() == Ranking(("a",), (), ("b",))
    three = weighed(0.25, 0.26, 0.002, 0.27)
    assert three.ranking() == Ranking(("c",), ("a", "b"), ())
    assert three.ranking(("a", "b")) == Ranking(("b",), ("a",), ())


def test_how_many_times_too_wide_intervals_are() -> None:
    """Of a difference a tenth of itself will do; of a ranking half of the margin, 0.0025."""
    assert weighed(0.5, 0.4, 0.02).too_wide(0.003) == pytest.approx(2)
    assert weighed(0.5, 0.4, 0.02).too_wide(0.05) == pytest.approx(0.4)
    assert weighed(0.5, 0.49, 0.02).too_wide(0.004) == pytest.approx(5)
    assert weighed(0.26, 0.25, 0.02).too_unsettled("ab") == pytest.approx(8)
    assert weighed(0.2525, 0.25, 0.00251).too_unsettled("ab") == 1.01  # a bit more, to go on at all
    assert weighed(0.25, 0.20).too_unsettled("ab") == 0


@pytest.mark.parametrize(
    ("tables", "says"),
    [
        ({2: weighed(0.5, 0.4), 3: weighed(0.3, 0.2)}, "do a: with 3 players doing b wins 10.0"),
        ({2: weighed(0.4, 0.5), 3: weighed(0.2, 0.3)}, "do b: with 3 players doing a wins 10.0"),
        ({2: weighed(0.5, 0.5), 3: weighed(0.3, 0.3)},
         "what one does makes no difference that matters with 2 and 3 players"),
        ({2: weighed(0.5, 0.4), 3: weighed(0.2, 0.3)},
         "it depends on the number of players: with 2 players do a; with 3 players do b: with 3 "
         "players doing a wins 10.0 percentage points less often"),
        ({2: weighed(0.5, 0.4), 3: weighed(0.3, 0.3)},
         "it makes no difference that matters"),
        ({2: weighed(0.5, 0.4), 3: weighed(0.3, 0.29, 0.02)},
         "; so it is with 2 players; with 3 players it is not settled whether doing b is worse"),
        ({2: weighed(0.5, 0.4, c=0.5), 3: weighed(0.3, 0.2, c=0.1)},
         "; so it is with 3 players; with 2 players doing c is as good"),
    ],
)  # fmt: skip
def test_the_sentence_says_what_the_numbers_say(tables: dict[int, Weighed], says: str) -> None:
    assert says in Matter(WORDS, tables[3].names, tables, 3).sentence


def test_ways_that_never_differed_change_nothing() -> None:
    one = weighed(0.5, 0.5)
    one = Weighed(one.names, one.rates, 1000, one.apart, frozenset(one.apart))
    assert Matter(WORDS, one.names, {2: one}, 2).sentence == (
        "what one does changes nothing: all games came out alike"
    )


def given(one: Weighed, variants: list[Variant]) -> Matter:
    """Return ways weighed under the rules as given, and again under some changes."""
    return Matter(WORDS, one.names, {3: one}, 3, variants)


def test_where_it_holds_and_where_not() -> None:
    variants = [
        Variant("rules", "with x", weighed(0.5, 0.4), "ab"),
        Variant("rules", "with y", weighed(0.4, 0.5), "ab"),
        Variant("rules", "with z", weighed(0.5, 0.5), "ab"),
        Variant("rules", "with w", weighed(0.5, 0.49, 0.02), "ab"),
        *(Variant("readings", f"with r={n}", weighed(0.5, 0.4), "ab") for n in range(3)),
    ]
    holds, fails = given(weighed(0.5, 0.4), variants).where_it_holds()
    assert holds == ["it holds with x and under all 3 readings", "it is not settled with w"]
    assert fails == [
        "with y do b: compared with doing a, it wins 10.0 percentage points more often "
        "(9.8 to 10.2)",
        "with z it makes no difference that matters",
    ]
    _, fails = given(weighed(0.5, 0.5), variants[:1]).where_it_holds()
    assert fails == [
        "with x it matters: doing b wins 10.0 percentage points less often (9.8 to 10.2)"
    ]
    three = Variant("rules", "with v", weighed(0.5, 0.4, c=0.5), "abc")
    holds, fails = given(weighed(0.5, 0.4, c=0.4), [three]).where_it_holds()
    assert holds == ["with v, doing c is as good"]
    assert not fails


def test_words() -> None:
    assert worded(Estimate(0.001, -0.002, 0.004, 9)).startswith("makes no difference that matters")
    assert worded(Estimate(0.01, -0.02, 0.04, 9)) == (
        "may be worth anything from -2.0 to +4.0 percentage points"
    )
    assert spanned([3, 4, 5]) == "3 to 5 players"
    assert spanned([2, 4, 10]) == "2, 4 and 10 players"
