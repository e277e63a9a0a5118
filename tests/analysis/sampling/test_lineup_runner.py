"""Line-ups at their tables: how many deals a file of rows has, lines of the result."""

import pickle

import pytest

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.sampling.lineup_runner import LineUpRunner
from herdlab.simcore.game import find_game
from herdlab.simcore.rotation import RotationSums
from herdlab.simcore.sums import Sums

HERD = find_game("herd")
EXPERIMENT = Experiment(HERD, HERD.rules_type(), 5)


@pytest.mark.parametrize("rotate", [False, True])
def test_a_file_of_rows_has_a_power_of_two_of_deals_and_up_to_32_megabytes(rotate: bool) -> None:
    """Four bytes a number, all rotations together."""
    runner = LineUpRunner(EXPERIMENT, ("keeper", "climber", "keeper"), rotate)
    deals = runner.deals_in_a_part
    size = 4 * len(HERD.columns(3)) * (3 if rotate else 1) * deals
    assert 2**24 < size <= 2**25 and deals & (deals - 1) == 0


def test_lines_are_seats_or_with_rotated_seats_strategies() -> None:
    players = ("keeper", "climber", "keeper")
    seats, rotated = (LineUpRunner(EXPERIMENT, players, rotate) for rotate in (False, True))
    assert seats.lines == [(0, "keeper"), (1, "climber"), (2, "keeper")]
    assert rotated.lines == [(None, "keeper"), (None, "climber")]
    assert seats.groups == rotated.groups == [0, 1, 0]
    assert (seats.has_rows, seats.is_one_strategy) == (False, False)
    assert LineUpRunner(EXPERIMENT, ("keeper", "keeper")).is_one_strategy
    assert isinstance(seats.empty(), Sums) and isinstance(rotated.empty(), RotationSums)
    assert seats.rotation is None and rotated.rotation is not None


@pytest.mark.parametrize("rotate", [False, True])
def test_another_process_plays_the_same(rotate: bool) -> None:
    runner = LineUpRunner(EXPERIMENT, ("keeper", "climber"), rotate, True)
    again = pickle.loads(pickle.dumps(runner))
    assert again.has_rows and again.lines == runner.lines
    assert again.play(range(20)) == runner.play(range(20))
