"""How many games show who is better, as saved results of any version have it."""

import pytest

from herdlab.analysis.report.columns import NOTHING
from herdlab.analysis.report.of_luck import games_cell


@pytest.mark.parametrize(
    ("value", "low", "high", "words"),
    [
        (305, 203, 1519, "305 (203 to 1,519)"),
        (None, 1343, None, "at least 1,343"),
        (305, None, None, "305"),
        (305, 203, None, "305"),
    ],
)
def test_games_needed_have_the_ends_that_there_are(
    value: int | None, low: int | None, high: int | None, words: str
) -> None:
    one = {"games_95": value, "games_95_low": low, "games_95_high": high}
    assert games_cell(one, "games_95").text == words


def test_results_of_earlier_versions_have_nothing_where_it_is_open_who_is_better() -> None:
    one = {"games_95": None, "games_95_low": None, "games_95_high": None}
    assert games_cell(one, "games_95") == NOTHING
