"""The verdict follows from the figures: the same code, other numbers, another sentence."""

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.questions.guard_dog.dice import Variant
from herdlab.analysis.questions.guard_dog.habits import (
    ANCHORS,
    BUYERS,
    FIRST,
    NEVER,
    PERFECT,
    RULES_OF_THUMB,
    SIZES,
    SPARE,
    TUNED,
    Habits,
)
from herdlab.analysis.questions.guard_dog.solo import Exact, exactly_worth
from herdlab.analysis.questions.guard_dog.verdict import Elsewhere, Found, seldom
from herdlab.analysis.questions.guard_dog.verdict import verdict as sentences
from herdlab.analysis.questions.ways import Weighed
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.words.phrases import ranging, sized, turns
from herdlab.analysis.words.stories.herd import described
from herdlab.simcore.game import find_game
from herdlab.simcore.herd.lattice import NONE, ROLLED_ONLY, SOLD
from herdlab.simcore.herd.rules import HerdRules
from tests.analysis.questions.guard_dog import FREE, NO, NO_MATTER, NO_USE, YES


def verdict(found: Found) -> str:
    """Return all that is said."""
    return ". ".join(sentences(found))


SMALL = {"sheep": 8, "pigs": 6, "cows": 5}
FIELDS = (*ANCHORS, TUNED, PERFECT)
Gain = float | dict[int, float]


@cache
def usual() -> Exact:
    found = exactly_worth(HerdRules.from_settings(SMALL))
    assert found is not None
    return found


def about(points: float, half: float = 0.3) -> Estimate:
    return Estimate(points / 100, (points - half) / 100, (points + half) / 100, 1000)


def weighed(gains: dict[str, float], half: float = 0.3, size: int = 3) -> Weighed:
    apart = {(way, NEVER): about(points, half) for way, points in gains.items()}
    same = frozenset(pair for pair, one in apart.items() if half == 0 and not one.value)
    return Weighed((NEVER, *gains), (1 / size,) * (1 + len(gains)), 1000, apart, same)


def found(
    spare: Gain = -5.0,
    first: Gain = -6.0,
    tuned: Gain = 0.0,
    *,
    half: float = 0.3,
    exact: Exact | None = None,
    elsewhere: list[Elsewhere] | None = None,
    **more: Any,
) -> Found:
    def at(gain: Gain, size: int) -> float:
        return gain[size] if isinstance(gain, dict) else gain

    tables = {
        (size, others): weighed(
            {way: at(gain, size) for way, gain in zip(BUYERS, (spare, first, tuned), strict=True)},
            half,
            size,
        )
        for size in SIZES
        for others in FIELDS
    }
    players = {**ANCHORS, TUNED: next(iter(RULES_OF_THUMB))}
    alone: dict[str, float | None] = {NEVER: 18.5, SPARE: 19.5, FIRST: 19.8, TUNED: 18.6}
    return Found(
        exact=exact or usual(),
        turns=alone,
        habits=Habits(players, tables),
        moments=[],
        race=more.get("race", {3: 1e-9}),
        perfect=more.get("perfect"),
        elsewhere=elsewhere or [],
        endless=[],
    )


def bought(buying: float = 0.3, **changes: Any) -> Exact:
    mean = usual().turns[SOLD]
    changed = {SOLD: mean - buying, ROLLED_ONLY: mean, NONE: mean + 1}
    return replace(usual(), turns=changed, is_ever_bought=True, right=7, **changes)


def other(
    label: str, spare: float, exact: Exact | None = None, *, is_dice: bool = True
) -> Elsewhere:
    variant = Variant(label, Experiment(find_game("herd"), HerdRules()), is_dice, "why")
    games = weighed({SPARE: spare, FIRST: spare})
    return Elsewhere(variant, exact or usual(), {}, games, None)


HEADLINES = [
    (found, {}, NO),
    (found, {"spare": 4.0}, f"{YES}a dog whenever you can spare it pays."),
    (found, {"first": 4.0, "spare": 2.0}, f"{YES}a dog before all else pays."),
    (found, {"tuned": 2.0}, f"{YES}by a rule of thumb pays."),
    (
        found,
        {"spare": {2: 3.0, 3: 0.0, 4: -3.0}},
        "It depends on the table whether buying a dog pays.",
    ),
    (
        found,
        {"spare": {2: 3.0, 3: 0.0, 4: 0.0}},
        "At some tables: there buying a dog whenever you can spare it pays.",
    ),
    (found, {"spare": 0.0, "first": 0.0}, NO_MATTER),
    (found, {"half": 9.0}, "It is not settled whether buying a dog pays."),
]


@pytest.mark.parametrize(("make", "gains", "words"), HEADLINES)
def test_the_first_sentence_says_which(make: Any, gains: dict[str, Any], words: str) -> None:
    assert verdict(make(**gains)).startswith(words)


def test_perfect_play_that_gains_makes_it_a_matter_of_the_moment() -> None:
    told = verdict(found(exact=bought(), perfect=about(1.0)))
    assert told.startswith("Only at the right moment")
    assert "buys one with 7 of the 5,184 herds" in told and "saves 0.30 turns of" in told
    able = "Being able to buy, perfect play"
    assert f"{able} wins 1.0 percentage points more often (0.7 to 1.3)" in told
    slower = verdict(found(exact=bought(), perfect=about(-1.0)))
    assert f"{able} wins 1.0 percentage points less often (0.7 to 1.3)" in slower
    assert f"{able} may be worth anything" in verdict(found(exact=bought(), perfect=about(0.4, 2)))


def test_a_gain_too_small_to_speak_of_is_no_reason_to_buy() -> None:
    assert verdict(found(exact=bought(0.001))).startswith(NO)


def test_a_dog_that_comes_free_need_not_be_bought() -> None:
    told = verdict(found(exact=replace(usual(), has_dog=0.74)))
    assert told.startswith(FREE)
    assert "you have a dog in 74 % of your turns" in told


def test_a_dog_that_guards_nothing_is_said_to() -> None:
    rules = HerdRules.from_settings({**SMALL, "wolf_die": "6R2SPCKT", "fox_die": "6R2S2PHD"})
    told = verdict(found(exact=replace(usual(), rules=rules, most_owned=0.0)))
    assert told.startswith(NO_USE)
    assert "Owning one saves" not in told
    told = verdict(found(exact=replace(usual(), most_owned=0.0)))
    assert "neither fox nor wolf takes anything that it could keep" in told


def test_the_sentence_has_size_interval_and_range() -> None:
    told = verdict(found(spare={2: -4.0, 3: -5.0, 4: -4.5}))
    assert "wins 5.0 percentage points less often (4.7 to 5.3)" in told
    assert "spare it loses at all 15 tables (4.0 to 5.0 percentage points)" in told
    assert "before all else loses at all 15 tables (6.0 percentage points)" in told
    assert "rule of thumb makes no difference that matters at all 15 tables" in told
    assert "the fastest of seven rules; alone it takes 0.10 turns more" in told
    assert "with none of the 5,184 herds" in told and "less than 0.001 percentage points" in told


def test_games_without_a_difference_are_said_to_be_the_same() -> None:
    told = verdict(found(spare=0.0, first=0.0, tuned=0.0, half=0.0))
    assert told.count("changes nothing in any game") == 3


def test_tables_that_differ_are_counted() -> None:
    told = verdict(found(tuned={2: 0.0, 3: 0.0, 4: -2.0}))
    assert "loses at 5 of 15 tables (2.0 percentage points)" in told
    assert "makes no difference that matters at 10 of 15 tables (0.0 percentage points)" in told


def test_games_that_nobody_wins_are_mentioned() -> None:
    some = found()
    tables = {key: replace(one, rates=(0.1,) * 4) for key, one in some.habits.found.items()}
    told = verdict(replace(some, habits=replace(some.habits, found=tables)))
    assert "Up to 80 % of games have no winner after 10,000 turns (H16)" in told
    assert "no winner" not in verdict(some)


# ---- other rules ----


def test_it_is_the_same_elsewhere() -> None:
    others = [other("a", -4.0), other("b", -6.0), other("c=1", -5.0, is_dice=False)]
    told = verdict(found(elsewhere=others))
    assert (
        "It is the same under other rules: buying a dog whenever you can spare it loses (4.0 to "
        "6.0 percentage points) with c=1 and all two other pairs of dice" in told
    )
    assert "Nor does perfect play gain by buying under any of these" in told


def test_a_purchase_that_gains_next_to_nothing_does_not_contradict_the_verdict() -> None:
    some = found(elsewhere=[other("a", -4.0, bought(0.0001)), other("b", -6.0)])
    assert "Nor does perfect play gain by buying under any of these" in verdict(some)
    (note,) = seldom(some)
    assert note.startswith("Perfect play does buy, but gains next to nothing by it, with a with 7 ")
    assert seldom(found()) == []


def test_it_depends_is_said_with_on_what() -> None:
    others = [other("dice A", 3.0), other("dice B", -5.0), other("price=3", 0.0, is_dice=False)]
    told = verdict(found(elsewhere=others))
    assert "It depends on the dice and how the rules are read: " in told
    assert "spare it gains (3.0 percentage points) with dice A" in told
    assert "makes no difference that matters (0.0 percentage points) with price=3" in told
    assert "it loses (5.0 percentage points) with dice B" in told


def test_all_dice_that_say_the_same_are_not_listed() -> None:
    others = [other("A", 3.0), other("B", 4.0), other("x=1", -5.0, is_dice=False)]
    told = verdict(found(elsewhere=others))
    assert "gains (3.0 to 4.0 percentage points) with all two other pairs of dice" in told


def test_what_is_open_elsewhere_is_said_and_not_settled() -> None:
    doubtful = replace(other("A", 0.3), habits=weighed({SPARE: 0.3, FIRST: 0.3}, 2.0))
    some = found(elsewhere=[doubtful, other("B", -5.0)])
    assert "It depends on the dice: buying" in verdict(some)
    assert "it is not settled (0.3 percentage points) with A" in verdict(some)
    assert not some.is_settled and found().is_settled
    assert not found(half=9.0).is_settled


def test_where_perfect_play_gains_elsewhere_is_said() -> None:
    told = verdict(found(elsewhere=[other("A", -5.0, bought(0.25)), other("B", -5.0)]))
    assert told.endswith("There perfect play gains by buying 0.25 turns with A")


# ---- words ----


def test_herds_turns_and_rates_in_words() -> None:
    assert described((5, 1, 0, 2, 1, 1)) == "5 rabbits, 1 sheep, 2 cows, 1 horse and 1 dog"
    assert described((0,) * 6) == "nothing"
    assert [turns(one) for one in (2.0, 0.98, 0.004, 0.00002)] == [
        "2.00 turns",
        "0.98 turns",
        "0.004 turns",
        "0.00002 turns",
    ]
    unit = " percentage points"
    assert sized(about(-5.0), unit, 2) == "5.0 percentage points (4.7 to 5.3)"
    assert sized(about(0.4, 0.38), unit, 2) == "0.40 percentage points (0.02 to 0.78)"
    assert ranging([about(-1.0), about(2.0)]) == "-1.0 to +2.0 percentage points"
    assert ranging([about(-1.0), about(-2.0)], "") == "1.0 to 2.0"
