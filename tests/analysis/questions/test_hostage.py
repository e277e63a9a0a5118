"""`ask hostage`: the sentence follows from the figures, whatever they are."""

import json
from functools import cache
from typing import Any

import pytest

import herdlab
from herdlab.analysis.figures.parts.style import WIDE
from herdlab.analysis.findings import POINTS
from herdlab.analysis.questions import hostage as asked
from herdlab.analysis.questions.asking import Answer
from herdlab.analysis.questions.hostage_verdict import (
    COSTS,
    NOTHING,
    OPEN,
    PAYS,
    TOO_LATE,
    Holding,
    Seat,
    Together,
    notes,
    state,
)
from herdlab.analysis.questions.hostage_verdict import (
    verdict as sentences,
)
from herdlab.analysis.stats.estimates import Estimate, wilson
from herdlab.analysis.stats.verdicts import Kind
from herdlab.simcore.errors import BadInput
from tests.analysis.questions import checked_drawings


def verdict(found: Holding) -> str:
    """Return all that is said."""
    return ". ".join(sentences(found))


THREE = ("reaction", "1,1,1")  # equal, but it says how many play
YES = "Yes: holding pieces hostage pays"
PAYS_AT = "Holding pieces hostage pays with three players"
DEPENDS, ON_PASSES = "It depends on ", "whether passes are called"
IDLE = "Holding pieces hostage makes no difference that matters under these rules"
NO_WINNER = ", as 100 % of the games have no winner"
"""What several tests look for."""


@cache
def quick(game: str = "horse-trader", *settings: tuple[str, Any], seed: int = 1) -> Answer:
    return herdlab.ask("hostage", game, quick=True, rules=dict(settings), seed=seed)


@pytest.mark.parametrize(("anchor", "offers"), [("hostage", 2), ("stockman", 4)])
def test_holders_are_the_named_strategies(anchor: str, offers: int) -> None:
    found = herdlab.compare("horse-trader", anchor, asked.holder(offers), games=300, seed=2)
    assert found.kind == Kind.SAME


# ---- the sentence ----


def gain(points: float, half: float = 0.4) -> Estimate:
    return Estimate(points / 100, (points - half) / 100, (points + half) / 100, 100)


@pytest.mark.parametrize(
    ("points", "half", "kind"),
    [
        (5, 0.4, PAYS),
        (0.8, 0.5, PAYS),
        (-5, 0.4, COSTS),
        (0.1, 0.3, NOTHING),
        (0.3, 0.1, NOTHING),  # it is there, but does not matter
        (0.7, 0.1, PAYS),
        (0.3, 0.5, OPEN),
        (0.8, 2, OPEN),
    ],
)
def test_a_gain_says_what_its_interval_says(points: float, half: float, kind: str) -> None:
    assert state(gain(points, half)) == kind


def holding(gains: dict[tuple[int, int], float], **more: Any) -> Holding:
    seats = {Seat(*seat): gain(points) for seat, points in gains.items()}
    holders = more.pop("holders", gains)
    return Holding(seats, {Seat(*seat): gain(points) for seat, points in holders.items()}, **more)


def test_the_same_question_has_another_sentence_for_other_figures() -> None:
    yes = holding({(3, 2): 17, (3, 4): 15})
    assert verdict(yes) == (
        f"{YES}. {PAYS_AT} and offers of two or four (17.0 ± 0.4 and 15.0 ± 0.4 points). Where all "
        "others do it too, it pays at 2 of these 2 tables (15.0 to 17.0 points)"
    )
    no = verdict(holding({(3, 2): -3}))
    assert no == (
        "No: it costs wins. Holding pieces hostage costs with three players and offers of two "
        "(-3.0 ± 0.4 points)"
    )
    nothing = verdict(holding({(3, 2): 0.05, (4, 2): -0.05}))
    assert nothing == IDLE
    assert verdict(holding({(3, 2): 0.05}, without_winner=1.0)) == IDLE + NO_WINNER


@pytest.mark.parametrize(
    ("gains", "passes", "on"),
    [
        ({(3, 1): 0, (3, 4): 9}, None, "how many pieces are offered at once"),
        ({(3, 4): 9, (4, 4): -2}, None, "how many play"),
        (
            {(3, 1): 0, (3, 4): 9, (4, 1): 0, (4, 4): 0},
            None,
            "how many pieces are offered at once and how many play",
        ),
        ({(3, 4): 9}, -4, ON_PASSES),
    ],
)
def test_it_depends_is_said_as_on_what(
    gains: dict[tuple[int, int], float], passes: float | None, on: str
) -> None:
    with_passes = {} if passes is None else {"Bronco, three players": gain(passes)}
    found = verdict(holding(gains, with_passes=with_passes))
    assert found.startswith(f"{DEPENDS}{on}. {PAYS_AT}")
    assert ("Where players call passes it costs at 1 of 1 tables (4.0 points)" in found) is (
        passes is not None
    )


def test_passes_that_change_nothing_are_no_reason() -> None:
    found = verdict(holding({(3, 4): 9}, with_passes={"Bronco, three players": gain(8)}))
    assert found.startswith(YES)
    assert "Where players call passes it pays at 1 of 1 tables (8.0 points)" in found


def test_what_is_not_settled_is_not_called_a_reason() -> None:
    found = holding({(3, 1): 0.9, (3, 4): 9})
    found.among_others[Seat(3, 1)] = gain(0.9, 2)
    said = verdict(found)
    assert said.startswith(YES)
    assert "it is not settled with three players and offers of one (0.9 ± 2.0 points)" in said
    assert any(
        "three players, offers of one, others holding none" in one for one in notes(found, {})
    )


def test_where_nothing_is_settled_it_says_so() -> None:
    found = holding({(3, 4): 2})
    found.among_others[Seat(3, 4)] = gain(2, 5)
    assert verdict(found) == (
        "It is not settled whether holding pieces hostage pays. Holding pieces hostage is not "
        "settled with three players and offers of four (2.0 ± 5.0 points)"
    )


def test_among_holders_it_may_pay_only_here_and_there() -> None:
    gains = {(3, 2): 17.0, (4, 2): 3.0}
    some = verdict(holding(gains, holders={(3, 2): 8.0, (4, 2): 0.1}))
    assert "all others do it too, it pays at 1 of these 2 tables (8.0 points)" in some
    none = verdict(holding(gains, holders={(3, 2): 0.0, (4, 2): -1.0}))
    assert none.endswith("Where all others do it too, it pays at 0 of these 2 tables")


def test_what_becomes_of_the_game() -> None:
    together = {3: Together(Estimate(5, 4, 6, 9), Estimate(0.0, 0.0, 0.01, 9))}
    late = {TOO_LATE: {3: Estimate(1.0, 0.9, 1.0, 9)}}
    found = verdict(holding({(3, 4): 9}, together=together, stalled=late))
    assert found.endswith(
        "Where all do it, games take 5.0 beats longer and 0 % (0.0 to 1.0) never end. If one "
        "player holds a piece too long, 100 % (90.0 to 100.0) of games never end"
    )
    together[4] = Together(Estimate(1, 0.5, 1.5, 9), Estimate(0.02, 0.01, 0.05, 9))
    found = verdict(holding({(3, 4): 9}, together=together))
    assert "take 1.0 to 5.0 beats longer and 0 to 2 % (0.0 to 5.0) never end" in found


def test_intervals_of_one_table_of_figures_hold_together() -> None:
    one = quick("horse-trader", THREE)
    shares = [each for each in one.findings if each.section == "games never finished"]
    assert len(shares) == 3
    late = next(each for each in shares if TOO_LATE in each.label)
    assert late.low == pytest.approx(100 * wilson(16, 16, 1 - 0.05 / 3).low)
    bluffs = [each.label for each in one.findings if each.section == asked.BLUFFS]
    assert bluffs == ["three players, 33 % bluffs, 33 % calls"]  # by counting pieces


def test_what_the_verdict_does_not_claim_needs_not_be_settled() -> None:
    some = holding({(3, 1): -5, (3, 4): 9})
    some.among_holders[Seat(3, 1)] = gain(0.5, 5)
    assert not any(state(one) == OPEN for one in asked._decisive(some))
    some.among_holders[Seat(3, 4)] = gain(0.5, 5)
    assert any(state(one) == OPEN for one in asked._decisive(some))


# ---- asked of the games ----


def test_a_quick_answer_of_one_table() -> None:
    one = quick("horse-trader", THREE)
    assert one.verdict.startswith(DEPENDS) and ON_PASSES in one.verdict
    assert not one.settled and one.as_json()["rough"]
    by_label = {(each.section, each.label): each for each in one.findings}
    two = by_label[asked.AMONG_OTHERS, "three players, offers of two"]
    assert two.value == pytest.approx(17, abs=4) and two.unit == POINTS
    late = by_label["games never finished", f"three players, {TOO_LATE}"]
    assert late.value == 100
    again = json.loads(json.dumps(one.as_json()))
    assert {each["section"] for each in again["findings"]} >= {asked.PASSES, asked.READINGS}


def test_without_passes_it_pays_and_nothing_is_said_of_them() -> None:
    one = quick("horse-trader", THREE, ("calls", 0))
    assert one.verdict.startswith(YES) and "passes" not in one.verdict
    gains = [each for each in one.findings if each.section == asked.AMONG_OTHERS]
    assert len(gains) == 3 and any((each.low or 0) > 0.5 for each in gains)
    assert asked.PASSES not in {each.section for each in one.findings}


def test_under_rules_that_no_game_survives_it_makes_no_difference() -> None:
    one = quick("horse-trader", ("max_beats", 5))
    assert one.verdict == f"{IDLE}{NO_WINNER}."
    gains = [each.value for each in one.findings if each.section == asked.AMONG_OTHERS]
    assert gains and set(gains) == {0.0}


def test_the_largest_offer_limits_what_is_asked() -> None:
    one = quick("bronco", THREE, ("largest_offer", 1))
    labels = [each.label for each in one.findings if each.section == asked.AMONG_OTHERS]
    assert labels == ["three players, offers of one"]
    assert one.verdict != quick("bronco", THREE).verdict


def test_both_editions_differ_only_in_which_is_named_first() -> None:
    one, other = quick("horse-trader", THREE), quick("bronco", THREE)
    assert sorted(str(each) for each in one.findings) == sorted(str(e) for e in other.findings)


def test_it_needs_rules_for_one_number_of_players() -> None:
    with pytest.raises(BadInput, match="for each of"):
        quick("horse-trader", ("tempo", "1,1,1"), ("reaction", "1,1,1,1"))


def test_the_pictures_have_a_row_for_every_gain() -> None:
    one = quick("horse-trader", THREE)
    figures = [drawing.draw(WIDE) for drawing in checked_drawings(one)]
    gains = [each for each in one.findings if each.unit == POINTS]
    assert sum(len(figure.axes[0].get_yticks()) for figure in figures) == len(gains)
