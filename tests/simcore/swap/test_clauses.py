"""Every clause has tests of its name."""

import re
from pathlib import Path

from herdlab.simcore.swap.clauses import CLAUSES


def test_every_clause_has_several_tests_of_its_name() -> None:
    text = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    tested = [int(number) for number in re.findall(r"^def test_s(\d+)_", text, re.MULTILINE)]
    assert [clause for clause, _ in CLAUSES] == [f"S{n}" for n in range(1, 15)]
    assert set(tested) == set(range(1, 15))
    assert min(map(tested.count, range(1, 15))) >= 3


def test_every_setting_and_reading_is_named_in_a_test_of_its_clause() -> None:
    from herdlab.simcore.swap.rules import SwapRules

    text = "".join(path.read_text() for path in Path(__file__).parent.glob("test_s*.py"))
    for key, note in SwapRules.notes().items():
        assert re.search(rf"\b{key}\b", text), (key, note.clause)
        for alternative in note.alternatives:
            assert f'"{alternative}"' in text
