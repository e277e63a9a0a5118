"""`ask guard-dog`: whole answers, under rules that make the dog useless, free, or worth it.

Small herds are solved in no time, and say the same of dogs as the usual ones.
"""

import json
from collections.abc import Iterator
from functools import cache
from math import isfinite
from typing import Any

import pytest
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

import herdlab
from herdlab.analysis.figures.parts.style import NARROW, WIDE
from herdlab.analysis.findings import POINTS, TURNS
from herdlab.analysis.questions.asking import Answer
from herdlab.analysis.questions.guard_dog import habits
from herdlab.analysis.questions.guard_dog.habits import BUYERS, FIRST, SIZES, SPARE
from herdlab.analysis.stats.verdicts import Kind
from herdlab.simcore.errors import BadInput
from tests.analysis.questions import checked_drawings
from tests.analysis.questions.guard_dog import FREE as GIVEN_FREE
from tests.analysis.questions.guard_dog import NO, NO_USE, NONE, YES

SMALL: dict[str, Any] = {"sheep": 8, "pigs": 6, "cows": 5, "max_turns": 300}
USELESS = {"wolf_die": "6R2SPCKT", "fox_die": "6R2S2PHD"}
FREE = {"wolf_die": "4R2SPCW2DT", "fox_die": "3R2S2PHF3D"}
CHEAP = {"rabbits_for_sheep": 1}
FOXES = {"wolf_die": "8R2SPC", "fox_die": "6R4F2S", "sheep": 16, "pigs": 12, "cows": 12}
"""With fewer tiles nobody could go on, without a horse on the dice."""


@pytest.fixture(scope="module", autouse=True)
def _fewer_games() -> Iterator[None]:
    """Play an eighth of a quick answer's games: enough for what is checked here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(habits, "_QUICK_DEALS", 500)
        patch.setattr(habits, "_QUICK_MOMENTS", 1_000)
        yield


@cache
def quick(**settings: Any) -> Answer:
    found = herdlab.ask("guard-dog", quick=True, rules={**SMALL, **settings})
    assert isinstance(found, Answer)
    return found


def no_nonsense(found: Answer) -> None:
    """Every figure is one, its interval holds it, and all of it can be written as JSON."""
    for one in found.findings:
        if one.value is not None:
            assert one.low is not None and one.high is not None and isfinite(one.value), one
            assert one.low <= one.value <= one.high, one
            assert not one.is_exact or one.low == one.high, one
    text = json.dumps(found.as_json(), allow_nan=False)
    assert "nan" not in found.verdict and " inf" not in found.verdict and len(text) > 1000
    assert not any("nan" in note.split() for note in found.notes)


def kinds(found: Answer) -> set[Kind]:
    """Return how those fare who buy a dog whenever they can spare it, or before all else."""
    return {row["kind"] for row in found.data["habits"] if row["way"] in (SPARE, FIRST)}


def should_buy(found: Answer) -> int:
    return int(found.data["exact"]["herds_that_should"])


def test_usual_dice_say_no() -> None:
    found = quick()
    no_nonsense(found)
    assert found.verdict.startswith(NO)
    assert kinds(found) == {Kind.LOWER} and should_buy(found) == 0
    assert "Perfect play never buys one" in found.verdict
    saves = next(one for one in found.findings if one.label == "what the free one saves")
    turns = found.data["exact"]["turns"]
    assert saves.value == pytest.approx(turns["none"] - turns["rolled-only"]) and saves.is_exact
    assert f"The free one on the dice is worth {saves.value:.2f} turns" in found.verdict
    assert any("usually a good idea" in note for note in found.notes)


def test_without_fox_and_wolf_it_is_useless() -> None:
    found = quick(**USELESS)
    no_nonsense(found)
    assert found.verdict.startswith(f"{NO_USE}. ")
    worth = [one.value for one in found.findings if one.section == "What owning a dog saves"]
    assert worth and set(worth) == {0.0}


def test_dice_full_of_dogs_give_it_free() -> None:
    found = quick(**FREE)
    no_nonsense(found)
    assert found.verdict.startswith(GIVEN_FREE)
    assert kinds(found) == {Kind.LOWER} and should_buy(found) == 0
    assert found.data["exact"]["turns_with_a_dog"] > 0.5 > quick().data["exact"]["turns_with_a_dog"]


def test_cheap_sheep_are_still_worth_more_than_a_dog(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = quick()
    monkeypatch.setattr(habits, "_QUICK_DEALS", 4_000)  # the difference is small
    found = quick(**CHEAP)
    no_nonsense(found)
    assert found.verdict.startswith(NO)
    assert Kind.LOWER in kinds(found) and Kind.HIGHER not in kinds(found)
    gains = [[row["gain"][0] for row in one.data["habits"]] for one in (found, usual)]
    assert gains[0] != gains[1]


def test_many_foxes_make_it_worth_it() -> None:
    found = quick(**FOXES)
    no_nonsense(found)
    assert found.verdict.startswith(f"{YES}a dog before all else pays.") and found.settled
    assert kinds(found) == {Kind.HIGHER} and should_buy(found) > 100
    assert f"Perfect play buys one with {should_buy(found)} of the " in found.verdict
    assert "The dice give none free." in found.verdict
    assert not any("good idea" in note for note in found.notes)


@pytest.mark.parametrize("setting", ["dogs", "max_dogs"])
def test_without_dogs_there_is_nothing_to_decide(setting: str) -> None:
    found = quick(**{setting: 0})
    assert found.verdict.startswith(f"{NONE}{setting}=0")
    assert found.settled and found.games == 0 and found.findings[0].is_exact
    (drawing,) = checked_drawings(found)
    assert drawing.title == found.verdict.split(". ")[0].rstrip(".")


def test_games_cut_short_are_said_to_be() -> None:
    found = quick(max_turns=5)
    no_nonsense(found)
    assert {row["gain"][0] for row in found.data["habits"]} == {0.0} and not found.settled
    assert "100 % of games have no winner after 5 turns" in found.verdict


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"horses": 0}, "rule horses (H1, H4) must be above 0"),
        ({"sheep": 0}, "rule sheep (H1, H4) must be above 0"),
        ({"horse_price": 31, "fox_die": "6R2S2PFD"}, "may never complete a herd"),
        ({"horse_price": 31, "fox_die": "6R2S2PFD", "dogs": 0}, "may never complete a herd"),
    ],
)
def test_rules_under_which_nobody_can_win_are_refused(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput) as refused:
        herdlab.ask("guard-dog", quick=True, rules={**SMALL, **settings})
    assert words in str(refused.value)


def test_more_than_one_dog_and_a_first_game() -> None:
    found = quick(max_dogs=2, first_game=True)
    no_nonsense(found)
    assert found.verdict.startswith(NO)
    assert kinds(found) == {Kind.LOWER}


def test_the_same_answer_for_any_number_of_threads() -> None:
    one = herdlab.ask("guard-dog", quick=True, rules=SMALL, threads=1)
    assert (one.verdict, one.findings, one.data) == (
        quick().verdict,
        quick().findings,
        quick().data,
    )


def test_every_habit_is_played_at_every_table() -> None:
    rows = quick().data["habits"]
    assert {(row["way"], row["players"], row["others"]) for row in rows} == {
        (way, size, others)
        for way in BUYERS
        for size in SIZES
        for others in ("never", "spare", "first", "tuned")
    }
    assert all(row["gain"][1] <= row["gain"][0] <= row["gain"][2] for row in rows)


@cache
def in_full(max_games: int, **settings: Any) -> Answer:
    found = herdlab.ask("guard-dog", rules={**SMALL, **settings}, max_games=max_games)
    assert isinstance(found, Answer)
    return found


def test_in_full_it_goes_through_readings_and_dice() -> None:
    found = in_full(2_000)
    no_nonsense(found)
    assert found.verdict.startswith(NO)
    rules = "all three other readings of the rules and all six other pairs of dice"
    assert f"with {rules}" in found.verdict
    assert "Where only being first counts" in found.verdict
    sections = list(dict.fromkeys(one.section for one in found.findings))
    wanted = ["Win rate", "Turns alone", "What buying", "What owning", "What a fox", "The free dog"]
    places = [next(n for n, one in enumerate(sections) if one.startswith(w)) for w in wanted]
    others = next(n for n, one in enumerate(sections) if one.startswith("Other readings"))
    assert places == sorted(places) and others > max(places)
    assert {one.unit for one in found.findings} == {POINTS, TURNS, "%", "a game"}
    elsewhere = found.data["elsewhere"]
    assert len(elsewhere) == 9 and all("exact" in one and "gains" in one for one in elsewhere)
    assert {row["others"] for row in found.data["habits"]} == {
        "never",
        "spare",
        "first",
        "tuned",
        "perfect",
    }


@pytest.mark.slow
def test_where_it_pays_it_depends_on_the_dice() -> None:
    found = in_full(10_000, **FOXES)
    no_nonsense(found)
    assert found.verdict.startswith(YES)
    assert "It depends on the dice: buying a dog whenever you can spare it" in found.verdict
    assert "with all seven other pairs of dice" in found.verdict


def test_a_reading_that_never_ends_is_left_out() -> None:
    """Of two cows and no horse on the dice, a horse for three cows is out of reach."""
    found = herdlab.ask(
        "guard-dog",
        rules={**SMALL, "cows": 2, "fox_die": "6R2S2PFD", "max_turns": 100},
        max_games=400,
    )
    no_nonsense(found)
    assert any("With horse_price=3 even perfect play may never" in note for note in found.notes)
    assert "horse_price=3" not in found.verdict


# ---- the pictures ----


def test_the_pictures_are_the_map_the_habits_and_where_it_stands() -> None:
    dogs, habits, again = checked_drawings(in_full(2_000))
    axes = dogs.draw(WIDE).axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("rabbits", "sheep")
    written = [text.get_text() for text in axes.texts]
    assert len([one for one in written if one[0] in "+\N{MINUS SIGN}"]) == 12 * 8
    assert not framed(axes) and "With none of the 96 herds" in dogs.title
    narrow = dogs.draw(NARROW).axes[0]
    assert (narrow.get_xlabel(), narrow.get_ylabel()) == ("sheep", "rabbits")
    assert sorted(text.get_text() for text in narrow.texts) == sorted(written)
    assert habits.title.startswith("Buying ")
    labels = [label.get_text() for label in again.draw(WIDE).axes[0].get_yticklabels()]
    assert {"dice=super-farmer", "horse_price=3", "2 players"} <= set(labels)
    assert "others buy when they can spare it" in labels
    assert "as given" not in labels  # that is "3 players", and counts once


def framed(axes: Axes) -> list[Any]:
    return [one for one in axes.collections if isinstance(one, LineCollection)]


def test_the_map_frames_where_to_buy() -> None:
    found = quick(**FOXES)
    cells = found.data["exact"]["maps"]["nothing more"]
    is_right = {
        (rabbits, sheep)
        for rabbits, row in enumerate(cells)
        for sheep, value in enumerate(row)
        if value > 1e-9
    }
    dogs = checked_drawings(found)[0]
    border = sum(
        (rabbits + right, sheep + up) not in is_right
        for rabbits, sheep in is_right
        for right, up in ((1, 0), (-1, 0), (0, 1), (0, -1))
    )
    sides = [len(one.get_segments()) for one in framed(dogs.draw(WIDE).axes[0])]
    assert sides == [border, border]  # a light line below a dark one
    assert dogs.title.startswith(f"Buying a dog saves turns with {len(is_right)} of the ")
