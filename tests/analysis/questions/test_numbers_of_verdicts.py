"""Every number of a verdict stands in the findings, compared with the same thing.

`checked_drawings` looks at the answers that the tests of each question play; here it is seen that a
number from elsewhere is caught.
"""

import pytest

from herdlab.analysis.findings import POINTS, TURNS, Finding, exactly
from tests.analysis.questions import numbers_not_found

FINDINGS = [
    Finding("", "burn them, 4 players", -0.96, -1.58, -0.34, POINTS),
    Finding("", "three players", 16.24, 13.02, 19.45, POINTS),
    exactly("", "alone", 17.66, TURNS),
]


@pytest.mark.parametrize(
    ("verdict", "missing"),
    [
        ("burning them wins 1.0 percentage points less often (0.3 to 1.6)", []),
        ("it pays (16.2 ± 3.2 points) with 4 players", []),
        ("alone it takes 17.7 turns, within ± 0.5 points", []),
        ("by 1.0 to 16.2 points over all tables", []),
        # The same size with another baseline's interval, as `swap-hoard` once had it:
        (
            "burning them wins 0.1 percentage points less often (0.3 to 1.6)",
            ["0.1 percentage points less often (0.3 to 1.6)"],
        ),
        ("burning them wins 1.0 points (0.4 to 1.6) less", ["1.0 points (0.4 to 1.6)"]),
        ("it pays (16.2 ± 2.2 points)", ["16.2 ± 2.2"]),
        ("alone it takes 18.0 turns", ["18.0"]),
        ("games take 22 to 24 % longer", ["22 to 24"]),
    ],
)
def test_a_number_that_no_finding_has_is_caught(verdict: str, missing: list[str]) -> None:
    assert numbers_not_found(verdict, FINDINGS) == missing
