"""Sums as JSON and back: the same to the bit, whatever they are the sums of."""

import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.runs.run_options import names
from herdlab.analysis.runs.sums_codec import packed, restore
from herdlab.analysis.sampling.lineup_runner import LineUpRunner
from herdlab.analysis.sampling.paired_samples import PairedSamples, in_every_seat
from herdlab.analysis.studies.tournament import SeatWins
from herdlab.simcore.game import find_game

BARNYARD, SWAP = find_game("barnyard"), find_game("swap")


def through_json(value: Any) -> Any:
    return json.loads(json.dumps(packed(value), allow_nan=False))


@pytest.mark.parametrize("rotate", [False, True])
@pytest.mark.parametrize(
    ("game", "players"),
    [("barnyard", "collector,honest,miser"), ("swap", "shedder,raider"), ("herd", "keeper,random")],
)
def test_sums_of_games_come_back_as_they_were(game: str, players: str, rotate: bool) -> None:
    """Tallies (histograms, squares a session) and lengths of any number included."""
    found = find_game(game)
    seated = LineUpRunner(Experiment(found, found.rules_type()), names(players), rotate, rows=False)
    sums = seated.empty()
    sums.add(seated.play(range(40)))  # type: ignore[arg-type]
    again = seated.empty()
    restore(again, through_json(sums))
    assert again == sums
    more = seated.play(range(40, 90))
    sums.add(more)  # type: ignore[arg-type]
    again.add(more)  # type: ignore[arg-type]
    assert again == sums


def test_sums_of_a_panel_come_back_as_whole_numbers_of_any_size() -> None:
    contenders = [
        in_every_seat(SWAP.rules_type(), one, ["shedder"]) for one in ("shedder", "raider")
    ]
    samples = PairedSamples(SWAP, contenders, "win", 0)
    sums = samples.empty()
    sums.add(samples.play(range(50)))
    sums.products = sums.products * 10**30 + 1
    again = samples.empty()
    restore(again, through_json(sums))
    for name, value in vars(sums).items():
        mine = vars(again)[name]
        assert np.array_equal(mine, value), name
        if isinstance(value, np.ndarray):
            assert mine.dtype == object and mine.shape == value.shape
            assert all(type(one) is int for one in mine.ravel())


def test_arrays_and_lists_come_back_and_can_be_added_to() -> None:
    wins = SeatWins(np.arange(24, dtype=np.int64).reshape(2, 3, 4) - 5)
    again = SeatWins(np.zeros((2, 3, 4), dtype=np.int64))
    restore(again, through_json(wins))
    assert np.array_equal(again.won, wins.won)
    again.add((1, np.ones((2, 2, 4), dtype=np.int64)))
    scores, other = Lists([1, 2**70], [3, 4]), Lists([0, 0], [0, 0])
    restore(other, through_json(scores))
    assert other == scores


@dataclass
class Lists:
    totals: list[int]
    squares: list[int]


@dataclass
class Odd:
    numbers: Any
    elsewhere: object = field(default=None, metadata={"kept": False})


def test_what_is_not_to_be_kept_is_left_alone_and_no_float_gets_in() -> None:
    there = object()
    one = Odd([1], there)
    restore(one, through_json(Odd([2], "anything")))
    assert one.numbers == [2] and one.elsewhere is there
    with pytest.raises(TypeError, match="whole numbers"):
        packed(Odd(np.zeros(3)))
