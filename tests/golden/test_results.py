"""Results that were kept still hold: nothing that any command works out has changed.

Where a change is meant, `python -m tests.golden.regenerate` writes them anew, and the changelog
says so.
"""

import pytest

from tests.command_line import herdlab
from tests.golden.regenerate import RESULTS, commands


@pytest.mark.parametrize("name", commands())
def test_a_kept_result_holds(name: str) -> None:
    """`verify` replays it and finds every figure again."""
    done = herdlab("verify", str(RESULTS / f"{name}.json"))
    assert (done.returncode, done.stdout[:5]) == (0, "holds"), done.stdout + done.stderr


def test_every_kept_result_has_its_command() -> None:
    """No file is left over that nobody replays."""
    assert {one.stem for one in RESULTS.iterdir()} == set(commands())
