"""A reading counts only where it can change a game: played, not taken on trust."""

from typing import Any

import numpy as np
import pytest

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.sampling.paired_samples import make_bout
from herdlab.analysis.studies.readings import compare_readings, other_readings, skipped_readings
from herdlab.simcore.batch import ChoiceTables
from herdlab.simcore.game import find_game
from herdlab.simcore.rules import Rules
from tests.analysis.studies.test_readings import asked
from tests.games import cases

CASES = [
    (game, settings, skipped) for game, one in cases().items() for settings, skipped in one.readings
]
GAMES = 600


def played(game: str, rules: Rules) -> list[Any]:
    """Return the rows of the first games of every line-up."""
    found, line_ups = find_game(game), cases()[game].reading_tables
    moves = ChoiceTables(found, len({name for line_up in line_ups for name in line_up}))
    return [make_bout(found, rules, one, 0, moves).rows(0, GAMES) for one in line_ups]


def are_alike(some: list[Any], others: list[Any]) -> bool:
    return all(np.array_equal(one, other) for one, other in zip(some, others, strict=True))


@pytest.mark.parametrize(("game", "settings", "skipped"), CASES, ids=str)
def test_counted_readings_change_a_game_and_skipped_ones_none(
    game: str, settings: dict[str, Any], skipped: list[str]
) -> None:
    rules = find_game(game).rules_type.from_settings(settings)
    experiment = Experiment(find_game(game), rules, 0)
    left_out = skipped_readings(experiment)
    assert [one["setting"].partition("=")[0] for one in left_out] == skipped
    as_given = played(game, rules)
    for counted in other_readings(experiment):
        assert not are_alike(as_given, played(game, counted.experiment.rules)), counted.setting
    for one in left_out:
        key, _, value = one["setting"].partition("=")
        assert are_alike(as_given, played(game, rules.but(**{key: value}))), one["setting"]


def test_what_was_not_tried_is_said_and_not_counted() -> None:
    found = compare_readings(asked("swap", 100))
    assert [one.setting for one in found.rows] == ["as given", "slap_empties=plays_on"]
    whole = found.as_json()
    assert whole["readings_not_tried"] == [
        {
            "setting": "seat_next=player",
            "clause": "S14",
            "only_with": "swap_seats=true and SWAP cards in the deck",
        }
    ]
    assert {"kind", "verdict", "setting"} <= set(whole["readings"][0])
