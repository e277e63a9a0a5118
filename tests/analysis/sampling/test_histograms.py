"""Histograms: quantiles, empty bins, ends that have all beyond them, sums over rotations."""

import numpy as np
import pytest

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.runs.run_options import names
from herdlab.analysis.sampling.histograms import HistogramCounts
from herdlab.analysis.studies.simulation import SimulateRequest, simulate
from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.game import find_game
from herdlab.strategies.registry import seat_players

BARNYARD = find_game("barnyard")


@pytest.mark.parametrize(
    ("share", "value"),
    [(0.0, 3), (0.05, 3), (0.1, 3), (0.11, 5), (0.5, 5), (0.6, 5), (0.61, 6), (1.0, 6)],
)
def test_a_quantile_is_the_smallest_value_that_so_many_do_not_exceed(
    share: float, value: int
) -> None:
    """One 3, five 5s and four 6s; nothing below, and no 4."""
    assert HistogramCounts(1, 1, [0, 0, 1, 0, 5, 4, 0]).quantile(share) == value


def test_in_wide_bins_it_is_the_last_value_of_a_bin() -> None:
    wide = HistogramCounts(-20, 10, [1, 2, 1])
    assert [wide.quantile(share) for share in (0.25, 0.5, 0.75, 1.0)] == [-11, -1, -1, 9]
    assert (
        HistogramCounts(7, 3, []).quantile(0.5) == HistogramCounts(7, 3, [0, 0]).quantile(0.5) == 9
    )


def test_an_end_has_all_beyond_it_too() -> None:
    wide = HistogramCounts(0, 10, [1, 1, 1], beyond=2)
    assert [wide.quantile_in_words(share) for share in (0.3, 0.6, 0.9)] == ["≤9", "19", "≥20"]
    single = HistogramCounts(0, 1, [1, 1, 1], beyond=2)
    assert [single.quantile_in_words(share) for share in (0.3, 0.6, 0.9)] == ["0", "1", "≥2"]
    assert HistogramCounts(0, 1, [1, 1], beyond=1).quantile_in_words(0.9) == "≥1"
    open_end = HistogramCounts(0, 1, [1, 1, 1])
    assert open_end.quantile_in_words(0.9) == "2"
    assert HistogramCounts(0, 1, [5], beyond=0).quantile_in_words(0.5) == "0"
    assert HistogramCounts(0, 2, [5], beyond=0).quantile_in_words(0.5) == "≤1"


def test_empty_bins_at_either_end_are_not_printed() -> None:
    one = HistogramCounts(-4, 2, [0, 0, 3, 0, 1, 0])
    assert one.as_json() == {"low": 0, "width": 2, "counts": [3, 0, 1]}
    assert HistogramCounts(-4, 2, [0, 0]).as_json() == {"low": -4, "width": 2, "counts": []}
    assert HistogramCounts(5, 1, [7]).as_json() == {"low": 5, "width": 1, "counts": [7]}


@pytest.mark.parametrize("name", ["session_score", "match_score", "rounds"])
@pytest.mark.parametrize("sessions", [1, 25])
def test_what_was_printed_is_read_back(name: str, sessions: int) -> None:
    (known,) = (one for one in BARNYARD.histograms if one.name == name)
    rules = BARNYARD.rules_type().but(sessions=sessions)
    width = known.scale(rules) * known.width
    counts = [0] * known.bins
    counts[3], counts[5] = 4, 6
    whole = HistogramCounts(known.scale(rules) * known.low, width, counts, known.bins - 1)
    read = HistogramCounts.from_json(BARNYARD, rules, known.name, whole.as_json())
    assert read == HistogramCounts(whole.low, width, counts[:6], known.bins - 1)
    for share in (0.2, 0.9):
        assert read.quantile_in_words(share) == whole.quantile_in_words(share)
    length = {"low": 4, "width": 1, "counts": [1, 2]}
    read = HistogramCounts.from_json(BARNYARD, rules, "length", length)
    assert read == HistogramCounts(4, 1, [1, 2]) and read.beyond is None


def test_lengths_of_all_rotations_are_counted_one_by_one() -> None:
    herd = find_game("herd")
    players, rules = "keeper,climber", herd.rules_type()
    request = SimulateRequest(Experiment(herd, rules, 3), names(players), 50, rotate=True)
    found = simulate(request).histograms["length"]
    lengths: list[int] = []
    for line_up in (players, "climber,keeper"):
        bout = Bout(herd, rules, seat_players(herd, rules, line_up), stream_seeds(3))
        lengths += bout.rows(0, 50)[:, herd.columns(2).index("length")].tolist()
    wanted = np.bincount(lengths).tolist()
    assert found == HistogramCounts(0, 1, wanted) and found.beyond is None


def test_bins_of_a_long_match_are_wider_and_begin_lower() -> None:
    rules = BARNYARD.rules_type().but(sessions=60)
    experiment = Experiment(BARNYARD, rules, 3)
    players = "collector,watcher,miser"
    result = simulate(SimulateRequest(experiment, names(players), 40))
    (known,) = (one for one in BARNYARD.histograms if one.name == "match_score")
    scale = known.scale(rules)
    assert scale > 1
    found = result.histograms["match_score"]
    assert isinstance(found, list) and len(found) == 3
    bout = Bout(BARNYARD, rules, seat_players(BARNYARD, rules, players), stream_seeds(3))
    rows = bout.rows(0, 40)
    for seat, one in enumerate(found):
        low, width = scale * known.low, scale * known.width
        assert (one.low, one.width, one.beyond) == (low, width, known.bins - 1)
        scores = rows[:, BARNYARD.columns(3).index(f"score_{seat}")].astype(int)
        places = np.clip((scores - low) // width, 0, known.bins - 1)
        assert one.counts == np.bincount(places, minlength=known.bins).tolist()
