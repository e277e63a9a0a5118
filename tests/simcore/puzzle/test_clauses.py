"""Every clause of the puzzle games has tests of its name."""

import re
from pathlib import Path

from herdlab.simcore.puzzle.clauses import BRONCO_CLAUSES, HORSE_TRADER_CLAUSES
from herdlab.simcore.puzzle.rules import PuzzleRules

HERE = Path(__file__).parent
BOTH = [*(f"P{n}" for n in range(1, 7)), "P7a", *(f"P{n}" for n in range(10, 14))]


def test_both_games_have_their_clauses() -> None:
    """P7 and P9 are Horse Trader's limits, P8 is Bronco's; all others are the same in both."""
    horse_trader, bronco = dict(HORSE_TRADER_CLAUSES), dict(BRONCO_CLAUSES)
    assert set(horse_trader) == {*BOTH, "P7", "P9"}
    assert set(bronco) == {*BOTH, "P8"}
    assert all(horse_trader[clause] == bronco[clause] for clause in BOTH)


def test_every_clause_has_several_tests_of_its_name() -> None:
    text = "".join(path.read_text() for path in HERE.glob("test_p[01]*.py"))
    tested = re.findall(r"^def test_((?:p\d+a?_)+)", text, re.MULTILINE)
    names = [clause for one in tested for clause in one.strip("_").split("_")]
    wanted = [clause.lower() for clause in {**dict(HORSE_TRADER_CLAUSES), **dict(BRONCO_CLAUSES)}]
    assert set(names) == set(wanted)
    assert min(map(names.count, wanted)) >= 3


def test_every_setting_and_reading_is_named_in_a_test_of_its_clause() -> None:
    text = "".join(path.read_text() for path in HERE.glob("test_p[01]*.py"))
    for key, note in PuzzleRules.notes().items():
        assert re.search(rf"\b{key}\b", text), (key, note.clause)
        for alternative in note.alternatives:
            assert f'"{alternative}"' in text
