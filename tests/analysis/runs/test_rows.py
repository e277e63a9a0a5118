"""A row of every game: the games that were played, under documented names, read in one line."""

import json
import re
import tracemalloc
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import herdlab
from herdlab.analysis.runs.run_folder import RunFolder
from herdlab.analysis.runs.run_folder_reading import ROWS
from herdlab.analysis.sampling import lineup_runner
from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.game import find_game, games
from herdlab.simcore.sums import LENGTH, WINNERS
from herdlab.strategies.registry import seat_players
from tests.children import ROOT

LINE_UPS = {
    "herd": "keeper,random,spoiler",
    "barnyard": "collector,honest,miser",
    "swap": "shedder,raider,random",
    "horse-trader": "trader-2,caller,hostage",
    "bronco": "trader-2,caller,nagger",
}


@pytest.mark.parametrize("name", LINE_UPS)
def test_rows_are_those_of_the_games(name: str, tmp_path: Path) -> None:
    game, players = find_game(name), LINE_UPS[name]
    found = herdlab.simulate(name, players, games=120, seed=4, rows=True, out=tmp_path / "run")
    frame = pd.read_parquet(tmp_path / "run" / "rows")
    rules = game.rules_type()
    bout = Bout(game, rules, seat_players(game, rules, players), stream_seeds(4))
    rows = bout.rows(0, 120)
    assert frame["game"].tolist() == list(range(120))
    for place, column in enumerate(bout.columns):
        if place != WINNERS:
            assert frame[column].tolist() == rows[:, place].tolist()
    shares = frame[["win_0", "win_1", "win_2"]].to_numpy()
    for mask, share in zip(rows[:, WINNERS], shares, strict=True):
        won = [mask >> seat & 1 for seat in range(3)]
        assert share.tolist() == [one / max(1, sum(won)) for one in won]
    rates = [seat.win_rate.value for seat in found.seats]
    assert np.allclose(shares.mean(0), rates, rtol=0, atol=1e-12)


def test_rotated_seats_are_a_row_for_each_rotation(tmp_path: Path) -> None:
    """In rotation r the player of place i sits in seat (i + r) % players."""
    found = herdlab.simulate(
        "swap", "shedder,raider,random", games=400, rotate=True, rows=True, out=tmp_path / "run"
    )
    frame = pd.read_parquet(tmp_path / "run" / "rows")
    assert len(frame) == found.games == 1_200
    assert not frame.duplicated(["game", "rotation"]).any()
    for place, seat in enumerate(found.seats):
        wins = [frame.loc[frame.rotation == r, f"win_{(place + r) % 3}"].mean() for r in range(3)]
        assert np.isclose(np.mean(wins), seat.win_rate.value, rtol=0, atol=1e-12)


def test_the_columns_are_the_same_where_all_rotations_are_one(tmp_path: Path) -> None:
    """Who asks for rotated seats has the column, whoever plays."""
    herdlab.simulate(
        "swap", "shedder,shedder", games=20, rotate=True, rows=True, out=tmp_path / "run"
    )
    frame = pd.read_parquet(tmp_path / "run" / "rows")
    assert frame["rotation"].tolist() == [0] * 20


def test_a_run_that_stops_by_itself_has_the_rows_up_to_there(tmp_path: Path) -> None:
    found = herdlab.simulate(
        "swap", "shedder,raider", precision=0.03, rows=True, out=tmp_path / "run"
    )
    frame = pd.read_parquet(tmp_path / "run" / "rows")
    assert frame["game"].tolist() == list(range(found.games))


def test_a_file_says_what_it_is_of(tmp_path: Path) -> None:
    herdlab.simulate("swap", "shedder,raider", games=50, seed=9, rows=True, out=tmp_path / "run")
    (file,) = (tmp_path / "run" / ROWS).iterdir()
    about = json.loads(pq.read_schema(file).metadata[b"herdlab"])
    assert about["game"] == "swap" and about["seed"] == 9
    assert about["players"] == ["shedder", "raider"] and about["rules_hash"]


def test_every_column_is_documented() -> None:
    """docs/scaling.md has the common ones by name, and where the others are told of."""
    page = (ROOT / "docs" / "scaling.md").read_text()
    for name in ("game", "rotation", "win_0", "length", "parts", "score_0"):
        assert re.search(rf"`{name}`", page), name
    common = {"winners", "length", "parts"}
    for game in games().values():
        names = {re.sub(r"_\d+$", "", one) for one in game.columns(game.min_players)}
        events = {event.name for event in game.events} | {"score"}
        assert names - common <= events


def grows(folder: Path, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether ten times as many games take more than a third more of memory."""
    monkeypatch.setattr(lineup_runner, "_BYTES_OF_ROWS", 1 << 18)  # few games are many parts
    usual = pa.default_memory_pool()
    peaks: list[int] = []
    for games_played in (100, 20_000, 200_000):  # after the first all is loaded
        out = folder / str(games_played)
        pool = pa.proxy_memory_pool(usual)
        pa.set_memory_pool(pool)
        tracemalloc.start()
        try:
            herdlab.simulate(
                "swap", "shedder,raider", games=games_played, rows=True, threads=1, out=out
            )
            peaks.append(tracemalloc.get_traced_memory()[1] + pool.max_memory())
        finally:
            tracemalloc.stop()
            pa.set_memory_pool(usual)
    return peaks[2] > 1.33 * peaks[1]


def test_memory_does_not_grow_with_the_number_of_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not grows(tmp_path, monkeypatch)


def test_memory_that_grows_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the last test looks at: here somebody keeps the files that were written."""
    usual, kept = RunFolder.put, []

    def put(folder: RunFolder, name: str, content: bytes) -> None:
        kept.append(content)
        usual(folder, name, content)

    monkeypatch.setattr(RunFolder, "put", put)
    assert grows(tmp_path, monkeypatch)


def test_lengths_are_whole_numbers_of_a_fixed_type(tmp_path: Path) -> None:
    herdlab.simulate("swap", "shedder,raider", games=50, rows=True, out=tmp_path / "run")
    frame = pd.read_parquet(tmp_path / "run" / "rows")
    assert frame["game"].dtype == np.int64 and frame["length"].dtype == np.int32
    assert frame["win_0"].dtype == np.float64 and LENGTH == 1
