"""`ask donkey`: the verdict follows the rules, and says on what it depends."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.figures.parts.style import WIDE
from herdlab.analysis.questions import donkey
from herdlab.analysis.questions.asking import Answer, Ask
from herdlab.analysis.questions.donkey import (
    CLAIM,
    DISCARD,
    KEEP,
    LESS_THAN_PASSING,
    PASS,
    PLAYERS,
    WAIT,
    answer,
)
from herdlab.simcore.game import find_game
from herdlab.strategies.registry import check_line_up
from tests.analysis.questions import checked_drawings

BARNYARD = find_game("barnyard")


@pytest.fixture(scope="module", autouse=True)
def _fewer_games() -> Iterator[None]:
    """Play half of a quick answer's games at its tables: enough for what is checked here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(donkey, "_QUICK_DEALS", 500)
        yield


@cache
def asked(**settings: Any) -> Answer:
    """Return the quick answer under these rules."""
    experiment = Experiment(BARNYARD, BARNYARD.rules_type.from_settings(settings))
    return answer(Ask("donkey", experiment, quick=True))


def differences(found: Answer) -> dict[str, float]:
    """Return by way and table what it wins more than passing on."""
    return {
        one.label: one.value
        for one in found.findings
        if one.section == LESS_THAN_PASSING and one.value is not None
    }


SAID = {
    PASS: "Pass the Donkey on in every trade",
    DISCARD: "Discard the Donkey, or pass it on",
    "claim": "Claim with it when it makes a full hand",
    "no matter": "Whether one claims with it makes no difference that matters",
    "may discard": "Where it may be discarded discard the Donkey",
    "may not discard": "Where it may not be discarded pass the Donkey on",
}
"""All sentences that are looked for here; what they say of is looked up in the figures."""


def are_said(found: Answer) -> list[str]:
    return [name for name, words in SAID.items() if words in found.verdict]


def test_the_donkey_is_to_be_passed_on() -> None:
    found = asked()
    assert are_said(found) == [PASS, "claim", "may discard"]
    assert found.verdict.startswith(SAID[PASS])
    assert found.data["advice"] == dict.fromkeys("3456", PASS)
    assert found.data["claims"] == dict.fromkeys("3456", True)
    apart = differences(found)
    for n in range(3, 7):
        assert apart[f"{KEEP}, {n} players"] < -4
        assert apart[f"{KEEP}, {n} players"] < apart[f"{CLAIM}, {n} players"] < 0
        assert apart[f"{WAIT}, {n} players"] < 0


def test_keeping_costs_more_with_two_donkeys() -> None:
    def kept(found: Answer) -> float | None:
        return next(one.value for one in found.findings if one.label == f"{KEEP}, 4 players")

    two, one = kept(asked(donkeys=2)), kept(asked())
    assert two is not None and one is not None and two < one - 3  # noqa: PT018
    assert asked(donkeys=2).data["tables"] == [4, 5, 6]  # B1
    assert asked(donkeys=2).data["advice"] == dict.fromkeys("456", PASS)


def test_where_it_may_be_discarded_it_is_to_be_discarded() -> None:
    found = asked(discard_wild=True)
    assert are_said(found) == [DISCARD, "claim", "may not discard"]
    assert found.data["advice"] == dict.fromkeys("3456", DISCARD)
    assert differences(found)[f"{DISCARD}, 4 players"] > 1
    assert DISCARD not in {label.partition(",")[0] for label in differences(asked())}


def test_in_one_round_nobody_gets_to_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    """With sessions of one round claims are too rare to matter, and so is waiting for one."""
    monkeypatch.setattr(donkey, "TABLES", (3, 4))
    monkeypatch.setattr(donkey, "_changes", lambda ask: iter(()))
    experiment = Experiment(BARNYARD, BARNYARD.rules_type.from_settings({"max_rounds": 1}))
    found = answer(Ask("donkey", experiment))
    assert found.settled
    assert are_said(found) == [PASS, "no matter"]
    ends = {one.label: (one.low, one.high) for one in found.findings}
    for way in (CLAIM, WAIT):
        for n in (3, 4):
            low, high = ends[f"{way}, {n} players"]
            assert low is not None and high is not None and -0.5 < low <= high < 0.5
    assert differences(found)[f"{KEEP}, 4 players"] < -3


def test_points_are_those_of_the_donkey_and_of_all_else() -> None:
    found = {one.label: one for one in asked().findings if one.unit == "points a session"}
    kept, price = found[KEEP].value, found[f"{KEEP}: of that, Donkeys"].value
    assert kept is not None and price is not None  # noqa: PT018
    assert -3 < kept < -1.5
    assert abs(kept - price) < 0.5
    assert found[f"{WAIT}: of that, Donkeys"].value == 0  # it holds the Donkey as often
    assert "points a match" in {one.unit for one in asked(target=60).findings}


def test_the_json_has_all_numbers_and_the_figure_every_way() -> None:
    found = asked()
    written = found.as_json()
    assert written["rough"] is True
    assert len(written["findings"]) == len(found.findings) > 20
    assert all(one["ci_low"] <= one["value"] <= one["ci_high"] for one in written["findings"])
    lines = checked_drawings(found)[0].draw(WIDE).axes[0].get_lines()
    labels = [line.get_label() for line in lines]
    assert labels[1:] == [CLAIM, KEEP, WAIT]


def test_a_full_answer_looks_at_readings_and_at_other_players() -> None:
    experiment = Experiment(BARNYARD, BARNYARD.rules_type())
    steps: list[float] = []
    ask = Ask("donkey", experiment, max_deals=200, on_progress=lambda n, of: steps.append(n / of))
    found = answer(ask)
    sections = {one.section.split(": ")[-1] for one in found.findings}
    assert {"other rules", "other readings", "other players"} <= sections
    assert steps == sorted(steps)
    assert steps[-1] == 1
    assert not found.settled  # 200 deals are too few
    again = checked_drawings(found)[1]
    assert again.title.endswith("8 changes of rules or players is clear")
    assert "± 0.5" in again.caption  # what the sentence calls as good is so in the figure


@pytest.mark.parametrize("who", PLAYERS.values())
def test_the_ways_can_be_played(who: str) -> None:
    check_line_up(BARNYARD, BARNYARD.rules_type(), f"{who},collector,collector")
