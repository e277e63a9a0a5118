"""One row a game, as Parquet, in parts of consecutive games; docs/scaling.md has the columns."""

import json
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from herdlab.analysis.runs.result_files import parquet_file
from herdlab.analysis.runs.run_folder_reading import ROWS, KeptRun
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import Game
from herdlab.simcore.rotation import RotationSums
from herdlab.simcore.sums import WINNERS, Rows, Sums

if TYPE_CHECKING:
    import pandas as pd

    from herdlab.analysis.runs.run_folder import RunFolder


@dataclass(frozen=True)
class RowsPart:
    """What was played of a run of consecutive deals: their sums, and all rows."""

    sums: Sums | RotationSums
    deals: range
    content: bytes
    """A whole Parquet file."""

    @property
    def name(self) -> str:
        """The file's name: in the order of names are the deals."""
        return f"{ROWS}/{self.deals.start:012}-{self.deals.stop:012}.parquet"


@dataclass
class RowsAndSums:
    """Sums, beside a folder that is given the rows of all games in them."""

    sums: Sums | RotationSums
    folder: "RunFolder" = field(metadata={"kept": False})

    def add(self, part: RowsPart) -> None:
        """Write the rows of a part and merge its sums."""
        self.folder.put(part.name, part.content)
        self.sums.add(part.sums)  # type: ignore[arg-type]  # of the same kind


def parquet(
    game: Game,
    n_players: int,
    deals: range,
    rotations: list[Rows],
    about: dict[str, Any],
    *,
    is_rotated: bool,
) -> bytes:
    """Return the rows of `deals` as a Parquet file, with what they are `about` in its metadata.

    If `is_rotated`, every deal was played in all different rotations of the seats, of which there
    is one where all play alike; otherwise there is one.
    """
    import pyarrow as pa

    numbers = np.arange(deals.start, deals.stop, dtype=np.int64)
    columns: dict[str, Any] = {"game": np.tile(numbers, len(rotations))}
    if is_rotated:
        columns["rotation"] = np.repeat(np.arange(len(rotations), dtype=np.int8), len(deals))
    rows = np.concatenate(rotations)
    won = (rows[:, WINNERS, None] >> np.arange(n_players)) & 1
    sharers = np.maximum(1, won.sum(1))
    columns |= {f"win_{seat}": won[:, seat] / sharers for seat in range(n_players)}
    names = game.columns(n_players)
    columns |= {name: rows[:, place] for place, name in enumerate(names) if place != WINNERS}
    told = json.dumps(about, sort_keys=True, allow_nan=False)
    return parquet_file(pa.table(columns), told, compression="zstd")


def read_rows(path: Path) -> "pd.DataFrame":
    """Return the rows that a run folder accounts for, in the order of games.

    Other files in the folder are not read: they would double games, or come from elsewhere.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    with closing(KeptRun.looked_into(path)) as folder:
        try:
            tables = [pq.read_table(pa.BufferReader(one)) for one in folder.rows_files()]
            frame: pd.DataFrame | None = pa.concat_tables(tables).to_pandas() if tables else None
        except (pa.ArrowException, UnicodeError) as error:
            why = f"the rows in run folder '{path}' are no Parquet files: {error}"
            raise BadInput(why) from None
    if frame is None:
        raise BadInput(f"run folder '{path}' has no rows: they are kept with --rows (rows=True)")
    return frame
