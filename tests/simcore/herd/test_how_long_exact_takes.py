"""About how many steps an exact answer takes: what its progress bar runs to."""

import pytest

from herdlab.simcore.herd import exact
from herdlab.simcore.herd.exact import _expected


@pytest.mark.parametrize(
    ("done", "left", "steps"),
    [
        (100, 1e-4, 300),  # a ten thousandth after 100, so a trillionth after 300
        (10, 1e-6, 20),
        (50, 1e-12, 50),
        (50, 1e-13, 50),
        (50, 0.9e-12 / 0.9 + 1e-15, 51),  # one more, at least
    ],
)
def test_what_is_left_goes_on_falling_at_its_rate(done: int, left: float, steps: int) -> None:
    assert _expected(done, left, 1e-12, 5_000) == steps


def test_while_nearly_all_is_left_it_may_take_the_most() -> None:
    assert _expected(7, 1.0, 1e-12, 5_000) == 5_000
    assert _expected(7, exact._SOME + 1e-9, 1e-12, 5_000) == 5_000
    assert _expected(7, exact._SOME, 1e-12, 5_000) < 5_000
    assert _expected(6_000, 1.0, 1e-12, 5_000) == 6_001
