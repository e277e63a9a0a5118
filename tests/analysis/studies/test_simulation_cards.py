"""`simulate` of the card games: what is counted a session, score parts, histograms, replay."""

import json
from pathlib import Path
from typing import Any

import pytest

from herdlab import replay
from herdlab.analysis.experiment import Experiment
from herdlab.analysis.runs.run_options import names
from herdlab.analysis.runs.runner import on_threads
from herdlab.analysis.sampling.histograms import HistogramCounts
from herdlab.analysis.studies.simulation import SimulateRequest, Simulation, simulate
from herdlab.analysis.studies.verify import differences, read_result
from herdlab.simcore.game import find_game


def result_of(game: str, players: str, games: int = 400, **options: Any) -> Simulation:
    found = find_game(game)
    rules = found.rules_type.from_settings(options.pop("settings", {}))
    experiment = Experiment(found, rules, options.pop("seed", 0))
    return simulate(SimulateRequest(experiment, names(players), games, **options))


def test_barnyard_has_the_names_that_others_rely_on() -> None:
    result = result_of("barnyard", "collector,honest,miser,purist").as_json()
    wanted = {"natural_full_hands", "wild_claims", "stalls", "donkey_held", "watchdog_held"}
    assert wanted <= set(result["events"]) == set(result["events_sd"])
    assert result["length"]["unit"] == "rounds" and result["parts"] == 4 * 400
    for name in ("natural_full_hands", "wild_claims", "stalls"):
        assert isinstance(result["events"][name], float)
    assert len(result["events"]["donkey_held"]) == len(result["events_ci"]["donkey_held"]) == 4
    assert all(isinstance(seat["score_mean"], float) for seat in result["seats"])
    assert set(result["histograms"]) == {"session_score", "match_score", "rounds"}
    json.dumps(result, allow_nan=False)


def test_swap_has_the_names_that_others_rely_on() -> None:
    result = result_of("swap", "shedder,raider,random").as_json()
    wanted = {"swaps", "super_swaps", "slaps", "cards_drawn", "cards_left", "drawn_games"}
    assert wanted <= set(result["events"]) == set(result["events_sd"])
    assert result["length"]["unit"] == "turns" and result["parts"] == 400
    assert len(result["events"]["cards_left"]) == 3 and result["seats"][0]["score_mean"] is None
    json.dumps(result, allow_nan=False)


@pytest.mark.parametrize("rotate", [False, True])
@pytest.mark.parametrize("settings", [{}, {"target": 120}, {"sessions": 1}])
def test_every_session_ends_in_one_way_and_scores_are_their_parts(
    rotate: bool, settings: dict[str, Any]
) -> None:
    result = result_of(
        "barnyard", "collector,honest,miser,purist", settings=settings, rotate=rotate
    )
    ends = ("natural_full_hands", "wild_claims", "stalls")
    assert sum(result.events[name].value for name in ends) == pytest.approx(1)
    points = [name for name in result.events if name.startswith("points_")]
    for line, seat in enumerate(result.seats):
        a_session = sum(result.events[name][line].value for name in points)
        assert seat.score is not None and seat.score.low < seat.score.value < seat.score.high
        assert result.events["session_score"][line].value == pytest.approx(a_session)
        assert seat.score.value == pytest.approx(result.parts / result.games * a_session)
        donkeys = result.events["donkey_held"][line].value
        assert result.events["points_donkey"][line].value == pytest.approx(-10 * donkeys)
    held = sum(
        one.copies * result.events["donkey_held"][i].value for i, one in enumerate(result.seats)
    )
    assert 0.5 < held <= 1


@pytest.mark.parametrize("rotate", [False, True])
def test_histograms_count_every_session_and_have_the_mean_and_deviation(rotate: bool) -> None:
    result = result_of("barnyard", "collector,miser,random", 300, rotate=rotate)
    rounds = result.histograms["rounds"]
    assert isinstance(rounds, HistogramCounts) and sum(rounds.counts) == result.parts
    mean = sum(n * count for n, count in enumerate(rounds.counts)) / result.parts
    squares = sum(n * n * count for n, count in enumerate(rounds.counts))
    assert result.length_mean.value == pytest.approx(mean)
    variance = (squares - result.parts * mean * mean) / (result.parts - 1)
    assert result.length_sd**2 == pytest.approx(variance)
    sessions, matches = result.histograms["session_score"], result.histograms["match_score"]
    assert isinstance(sessions, list) and isinstance(matches, list)
    for seat, by_session, by_match in zip(result.seats, sessions, matches, strict=True):
        assert sum(by_session.counts) == result.parts * seat.copies
        assert sum(by_match.counts) == result.games * seat.copies
        low = by_session.low
        total = sum((low + n) * count for n, count in enumerate(by_session.counts))
        assert seat.score is not None
        assert seat.score.value == pytest.approx(total / (result.games * seat.copies))


def test_a_histogram_tells_its_quantiles_and_leaves_out_empty_ends() -> None:
    one = HistogramCounts(-10, 5, [0, 0, 3, 1, 0, 4, 0])
    assert [one.quantile(share) for share in (0.05, 0.375, 0.5, 0.51, 1)] == [4, 4, 9, 19, 19]
    assert one.as_json() == {"low": 0, "width": 5, "counts": [3, 1, 0, 4]}
    empty = HistogramCounts(0, 1, [0, 0])
    assert empty.as_json()["counts"] == [] and empty.quantile(0.5) == 0


def test_an_end_bin_says_that_it_has_all_beyond_it() -> None:
    one = HistogramCounts(-10, 5, [2, 1, 7], beyond=2)
    words = [one.quantile_in_words(share) for share in (0.2, 0.3, 0.5)]
    assert words == ["≤-6", "-1", "≥0"]
    assert HistogramCounts(0, 1, [2, 1, 7], beyond=2).quantile_in_words(0.2) == "0"
    result = result_of("barnyard", "collector,miser,random", 50)
    for found in result.histograms.values():
        for counted in found if isinstance(found, list) else [found]:
            assert counted.beyond == len(counted.counts) - 1
    alone = result_of("herd", "keeper,random", 50).histograms["length"]
    assert isinstance(alone, HistogramCounts) and alone.beyond is None and alone.low == 0


def test_deviations_of_events_are_those_of_a_session() -> None:
    """A share p of sessions has the deviation of one throw, and single sessions agree."""
    result = result_of("barnyard", "collector,collector,collector", 3000)
    for name in ("natural_full_hands", "wild_claims", "stalls"):
        p, n = result.events[name].value, result.parts
        assert result.events_sd[name] ** 2 == pytest.approx(p * (1 - p) * n / (n - 1))
        half = result.events[name].high - p
        assert half == pytest.approx(1.96 * result.events_sd[name] / n**0.5, rel=0.1)


@pytest.mark.parametrize("game, players", [("barnyard", "watcher,random,miser"),
                                           ("swap", "rememberer,random,raider")])  # fmt: skip
@pytest.mark.parametrize("rotate", [False, True])
def test_a_result_can_be_replayed(tmp_path: Path, game: str, players: str, rotate: bool) -> None:
    settings = {"sessions": 2} if game == "barnyard" else {"slap_speed": "1,2,4"}
    experiment = Experiment(find_game(game), find_game(game).rules_type.from_settings(settings), 5)
    request = SimulateRequest(experiment, names(players), 90, rotate)
    path = tmp_path / "result.json"
    path.write_text(json.dumps(simulate(request, runner=on_threads(2), chunk=7).as_json()))
    claimed = read_result(path)
    assert differences(claimed, replay(claimed)) == []
    name = "stalls" if game == "barnyard" else "slaps"
    claimed["events"][name] += 1e-9
    assert len(differences(claimed, replay(claimed))) == 1


def test_shared_wins_are_shares_and_a_draw_is_no_unfinished_game() -> None:
    result = result_of("swap", "random,random,random", 500, settings={"max_turns": 9})
    assert result.events["drawn_games"].value == 1 and result.unfinished.value == 0
    assert sum(seat.win_rate.value for seat in result.seats) == pytest.approx(1)
    assert result.interval == "blocks" and result.length_mean.value == 9


@pytest.mark.parametrize("settings", [{"sessions": 120}, {"target": 3000}])
def test_long_matches_have_wider_bins_and_none_lies_outside(settings: dict[str, Any]) -> None:
    result = result_of("barnyard", "collector,collector,collector", 60, settings=settings)
    totals = result.histograms["match_score"]
    assert isinstance(totals, list)
    for seat, one in zip(result.seats, totals, strict=True):
        assert one.counts[0] == one.counts[-1] == 0 and one.width > 5
        assert seat.score is not None and seat.score_sd is not None
        assert abs(one.quantile(0.5) - seat.score.value) < seat.score_sd


def test_what_is_counted_once_a_match_is_given_a_match() -> None:
    settings = {"target": 150, "max_sessions": 4}
    result = result_of("barnyard", "collector,miser,honest", 500, settings=settings)
    missed = result.events["targets_missed"]
    assert 0.2 < missed.value < 1
    assert result.events_sd["targets_missed"] ** 2 == pytest.approx(
        missed.value * (1 - missed.value) * 500 / 499
    )
