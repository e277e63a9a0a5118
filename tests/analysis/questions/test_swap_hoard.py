"""`ask swap-hoard`: when to play SWAP cards and what speed is worth, by the rules given."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.figures.parts.style import WIDE
from herdlab.analysis.questions import find_question, swap_hoard
from herdlab.analysis.questions.advising import Variant
from herdlab.analysis.questions.asking import Answer, Ask
from herdlab.analysis.questions.swap_hoard import (
    BURN,
    CATCH,
    LAST,
    LESS_THAN_EVEN,
    LESS_THAN_LAST,
    PLAYERS,
    _seats,
    _slow_and_fast,
    answer,
    check,
)
from herdlab.analysis.questions.ways import Weighed
from herdlab.analysis.runs.run_options import names
from herdlab.analysis.stats.estimates import Estimate
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game
from herdlab.strategies.registry import check_line_up
from tests.analysis.questions import checked_drawings

SWAP = find_game("swap")


@pytest.fixture(scope="module", autouse=True)
def _fewer_games() -> Iterator[None]:
    """Play a fifth of a quick answer's games, but of speeds all: their effect is small."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(swap_hoard, "_QUICK_DEALS", 2_500)
        patch.setattr(swap_hoard, "_QUICK_CHANGES", 1_000)
        yield


def experiment(**settings: Any) -> Experiment:
    return Experiment(SWAP, SWAP.rules_type.from_settings(settings))


@cache
def asked(**settings: Any) -> Answer:
    """Return the quick answer under these rules."""
    return answer(Ask("swap-hoard", experiment(**settings), quick=True))


def values(found: Answer, section: str) -> dict[str, float]:
    return {
        one.label: one.value
        for one in found.findings
        if one.section == section and one.value is not None
    }


SAID = {
    CATCH: "Keep SWAP cards until somebody is down to one card",
    "the same": "When one plays SWAP cards changes nothing",
    "fast": "slapping twice as fast as the others wins",
    "not of two": "with 2 players speed changes nothing",
    "no slaps": "Slap speed changes nothing: all games came out alike.",
}
"""All sentences that are looked for here; what they say of is looked up in the figures."""


def are_said(found: Answer) -> list[str]:
    return [name for name, words in SAID.items() if words in found.verdict]


def test_swap_cards_are_to_be_kept_until_somebody_is_nearly_done() -> None:
    found = asked()
    assert found.verdict.startswith(SAID[CATCH])
    assert are_said(found) == [CATCH, "fast", "not of two"]
    assert found.data["advice"] == dict.fromkeys("2346", CATCH)
    apart = values(found, LESS_THAN_LAST)
    gains = [apart[f"{CATCH}, {n} players"] for n in (2, 3, 4, 6)]
    assert gains == sorted(gains, reverse=True)  # with more players it is worth less
    assert gains[-1] > 0


def test_a_fast_hand_wins_more_except_between_two() -> None:
    found = asked()
    apart = values(found, LESS_THAN_EVEN)
    for n in (3, 4, 6):
        hands = ("slap speed 0.25", "slap speed 0.5", "slap speed 2", "slap speed 4", "never last")
        worth = [apart[f"{hand}, {n} players"] for hand in hands]
        assert worth == sorted(worth)
        assert worth[1] < 0 < worth[2]
    assert [apart[f"{hand}, 2 players"] for hand in hands] == [0] * 5


def test_without_slaps_speed_changes_nothing() -> None:
    found = asked(slap=0)
    assert are_said(found) == [CATCH, "no slaps"]
    by_speed = values(found, LESS_THAN_EVEN)
    assert len(by_speed) == 4 * 5 and set(by_speed.values()) == {0.0}


def test_what_too_few_games_do_not_tell_of_the_slow_is_said() -> None:
    assert any("not settled at slap speed" in one for one in asked(slap=0).notes)


def weighed(last: float, half: float) -> Weighed:
    """Keeping them for last gains so much over burning them; waiting is as good as keeping."""
    apart = {
        (BURN, LAST): Estimate(-last, -last - half, -last + half, 100),
        (BURN, CATCH): Estimate(-last, -last - half, -last + half, 100),
        (LAST, CATCH): Estimate(0.0, -0.001, 0.001, 100),
    }
    return Weighed(tuple(PLAYERS), (0.25, 0.25 + last, 0.25 + last), 100, apart, frozenset())


@pytest.mark.parametrize(
    ("last", "half", "says"),
    [
        (0.0, 0.001, "makes no difference that matters (+0.0, -0.1 to +0.1)"),
        (0.05, 0.01, "wins 5.0 percentage points more often (4.0 to 6.0)"),
        (0.002, 0.02, "may be worth anything from -1.8 to +2.2 percentage points"),
    ],
)
def test_the_slow_and_the_fast_are_told_what_it_is_worth(
    last: float, half: float, says: str
) -> None:
    hands = [Variant("other speeds", "at some speed", weighed(last, half), tuple(PLAYERS))] * 2
    said = _slow_and_fast(LAST, hands)
    assert said.startswith(f"keeping them for last, compared with burning them, {says} at ")
    assert said.endswith(f"and {says} at slap speed 4")


def test_without_swap_cards_there_is_nothing_to_keep() -> None:
    found = asked(swap_cards=0)
    assert are_said(found) == ["the same", "fast", "not of two"]
    apart = values(found, LESS_THAN_LAST)
    assert len(apart) == 4 * 2 and set(apart.values()) == {0.0}


def test_where_seats_are_swapped_keeping_them_is_worth_several_times_as_much() -> None:
    label = f"{CATCH}, 4 players"
    hands, seats = (
        values(asked(**one), LESS_THAN_LAST)[label] for one in ({}, {"swap_seats": True})
    )
    assert seats > 3 * hands


def test_who_is_fast_takes_his_speed_along() -> None:
    contenders = _seats(experiment(), PLAYERS[BURN], 3, PLAYERS[LAST], 4.0)
    for contender in contenders:
        ((line_up, seat),) = contender.places
        rules: Any = contender.rules
        assert line_up[seat] == PLAYERS[BURN]
        assert rules.slap_speed[seat] == 4
        assert sum(rules.slap_speed) == 6
    assert sorted(contender.places[0][1] for contender in contenders) == [0, 1, 2]


def test_speeds_of_seats_and_decks_for_nobody_are_refused() -> None:
    with pytest.raises(BadInput, match="slap_speed"):
        check(Ask("swap-hoard", experiment(slap_speed="1,2,1,1")))
    with pytest.raises(BadInput, match="S2"):
        check(Ask("swap-hoard", experiment(cards=30, plain=0)))
    with pytest.raises(BadInput, match="takes no players"):
        find_question("swap-hoard").check(
            Ask("swap-hoard", experiment(), players=names("shedder,shedder"))
        )


def test_the_json_has_all_numbers_and_the_figures_both_parts() -> None:
    found = asked()
    written = found.as_json()
    assert written["rough"] is True
    assert all(one["ci_low"] <= one["value"] <= one["ci_high"] for one in written["findings"])
    ways, hands, _again = (one.draw(WIDE).axes[0] for one in checked_drawings(found))
    assert [line.get_label() for line in ways.get_lines()][1:] == [BURN, CATCH]
    assert len(hands.get_lines()) == 5


def test_a_full_answer_looks_at_other_rules_decks_and_players() -> None:
    found = answer(Ask("swap-hoard", experiment(), max_deals=200))
    sections = {one.section.split(": ")[-1] for one in found.findings}
    wanted = {"optional rules", "other readings", "other decks", "other players", "other speeds"}
    assert wanted <= sections
    assert found.data["tables"] == [2, 3, 4, 6, 8, 10]
    drawing = checked_drawings(found)[-1]
    assert "± 0.5" in drawing.caption  # what the sentence calls as good is so in the figure
    again = drawing.draw(WIDE).axes[0]
    labels = [label.get_text() for label in again.get_yticklabels()]
    assert any(one.startswith("with 8 SWAP cards: ") for one in labels) and len(labels) == 12


@pytest.mark.parametrize("who", PLAYERS.values())
def test_the_ways_can_be_played(who: str) -> None:
    check_line_up(SWAP, SWAP.rules_type(), f"{who},shedder")
