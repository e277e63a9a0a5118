"""A line-up at its table, that plays deals into sums; made again by any process that needs it."""

from typing import Any

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.runs.provenance import version
from herdlab.analysis.runs.rows import RowsPart, parquet
from herdlab.analysis.sampling.line_ups import are_alike
from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.rotation import Rotation, RotationSums
from herdlab.simcore.sums import Sums

_BYTES_OF_ROWS = 1 << 25
"""About how much a part of all rows takes in memory: for each core a few times as much."""


class LineUpRunner:
    """Plays a line-up, in every rotation of the seats if so asked, with all rows if so asked."""

    def __init__(
        self,
        experiment: Experiment,
        players: tuple[str, ...],
        rotate: bool = False,
        rows: bool = False,
    ) -> None:
        self._made_of = experiment, players, rotate, rows
        self.experiment, self.has_rows = experiment, rows
        seated = experiment.seat(players)
        self.names = [player.name for player in seated]
        distinct = list(dict.fromkeys(self.names))
        self.groups = [distinct.index(name) for name in self.names]
        """For each place the number of its strategy, in order of first appearance."""
        self.lines: list[tuple[int | None, str]] = list(enumerate(self.names))
        if rotate:
            self.lines = [(None, name) for name in distinct]
        """Of the result, with seat and strategy: a seat each, or with rotated seats a strategy."""
        self.is_one_strategy = are_alike(seated)
        self._bout = Bout(experiment.game, experiment.rules, seated, stream_seeds(experiment.seed))
        self.rotation = Rotation(self._bout, self.groups) if rotate else None

    def __reduce__(self) -> tuple[Any, ...]:
        """Let another process seat the same line-up."""
        return LineUpRunner, self._made_of

    def empty(self) -> Sums | RotationSums:
        """Return the sums of no deals."""
        return Sums(len(self.names)) if self.rotation is None else self.rotation.empty()

    @property
    def deals_in_a_part(self) -> int:
        """How many deals a file of rows has: the same for any crew, and a power of two."""
        rotations = 1 if self.rotation is None else len(self.rotation.bouts)
        most = _BYTES_OF_ROWS // (4 * len(self._bout.columns) * rotations)
        return 1 << (most.bit_length() - 1)

    def play(self, part: range) -> Sums | RotationSums | RowsPart:
        """Play the deals of `part`."""
        rotation = self.rotation
        if not self.has_rows:
            return self._bout.sums(part) if rotation is None else rotation.play(part)
        each: list[Any]
        sums: Sums | RotationSums
        if rotation is None:
            *each, sums = self._bout.rows_and_sums(part)
        else:
            each, sums = rotation.rows_and_sums(part)
        about = {**self.experiment.as_json(), "players": self.names, "version": version()}
        game, n, is_rotated = self.experiment.game, len(self.names), rotation is not None
        return RowsPart(sums, part, parquet(game, n, part, each, about, is_rotated=is_rotated))
