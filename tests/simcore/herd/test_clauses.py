"""Every clause has tests of its name."""

import re
from pathlib import Path

from herdlab.simcore.herd.clauses import CLAUSES


def test_every_clause_has_a_test_of_its_name() -> None:
    text = "".join(path.read_text() for path in Path(__file__).parent.glob("test_h*.py"))
    tested = {int(number) for number in re.findall(r"^def test_h(\d+)_", text, re.MULTILINE)}
    assert [clause for clause, _ in CLAUSES] == [f"H{n}" for n in range(1, 17)]
    assert tested == set(range(1, 17))
