"""Where games are played, by whom, and what is kept of them on the way."""

import time
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from herdlab.analysis.runs.progress import OnProgress
from herdlab.analysis.runs.sums_codec import Stage
from herdlab.simcore.batch import LARGEST_CHUNK, Crew, Threads, chunks, simulate, uninterrupted

if TYPE_CHECKING:
    from herdlab.analysis.runs.run_folder import RunFolder


@dataclass(frozen=True)
class Runner:
    """A crew that plays, perhaps a folder that keeps it, and perhaps somebody who hears of it."""

    crew: Crew
    folder: "RunFolder | None" = None
    on_progress: OnProgress | None = None

    def telling(self, on_progress: OnProgress | None) -> "Runner":
        """Return the same, but that another hears how far it is."""
        return replace(self, on_progress=on_progress)

    def for_part(self, number: int, of: int) -> "Runner":
        """Return the same for part `number` of so many that take as long."""
        tell = self.on_progress
        if tell is None:
            return self
        return self.telling(lambda done, total: tell(number * total + done, of * total))

    def tell(self, done: int, total: int) -> None:
        """Tell how much is done, if anybody wants to hear it."""
        if self.on_progress is not None:
            self.on_progress(done, total)

    def begin(self) -> float:
        """Return when a command began, on the clock of `time.perf_counter`.

        Of a run that goes on, as if its earlier sessions had just been.
        """
        return time.perf_counter() - (0 if self.folder is None else self.folder.taken_earlier())

    def simulate(
        self,
        work: Callable[[range], Any],
        into: Any,
        games: range,
        *,
        chunk: int | None = None,
        of: int | None = None,
        on_progress: Callable[[int], None] | None = None,
    ) -> None:
        """Do `work` on `games` and merge all `into` one; see `simcore.batch.simulate`.

        `of` is how many there are in all, where these are but the last.  Where numbers do not stand
        for games, `on_progress` hears how many are done.
        """

        def tell(done: int) -> None:
            if on_progress is not None:
                on_progress(done)
            elif of is None:
                self.tell(done, len(games))
            else:
                self.tell(games.start + done, of)

        stage = self._stage(into, games)
        begin = stage.at

        def heard(done: int) -> None:
            stage.at = begin + done
            if self.folder is not None:
                self.folder.may_save()
            tell(stage.at - games.start)

        if begin > games.start:
            tell(begin - games.start)
        left = range(begin, games.stop)
        simulate(work, into, left, crew=self.crew, chunk=chunk, on_progress=heard)

    def play_until(
        self,
        work: Callable[[range], Any],
        into: Any,
        ends: Iterable[int],
        look: Callable[[], int | None],
        *,
        chunk: int = LARGEST_CHUNK,
    ) -> None:
        """Play deals up to each of `ends`, merging all `into` one, until a `look` finds it enough.

        A look returns None then, otherwise about how many deals it will take in all.  The crew
        does not wait for it, so that a batch need not be cut up evenly among them: what they have
        played too much by then is not used.
        """
        stops = list(ends)
        stage = self._stage(into, range(stops[-1]))
        expected: int | None = stops[-1]
        with uninterrupted():  # the sums are those of earlier looks meanwhile
            for _ in stage.replayed_looks():
                expected = look()
        if expected is None:
            return
        total = min(stops[-1], expected)
        batches = pairwise([stage.at, *(end for end in stops if end > stage.at)])
        parts = (part for a, b in batches for part in chunks(a, b, self.crew.hands, chunk))
        at = set(stops)
        with closing(self.crew.play_all(work, parts)) as played:
            for part, result in played:
                with uninterrupted():
                    into.add(result)
                    stage.at = part.stop
                    if self.folder is not None:
                        if part.stop in at:
                            stage.look()
                        self.folder.may_save()
                    self.tell(part.stop, max(part.stop, total))
                if part.stop in at:
                    expected = look()
                    if expected is None:
                        return
                    total = min(stops[-1], expected)

    def _stage(self, into: Any, games: range) -> Stage:
        """Begin what is played next; a folder knows how far an earlier session came with it."""
        if self.folder is None:
            return Stage(games, games.start, into)
        return self.folder.stage(into, games)


def on_threads(number: int | None = None, on_progress: OnProgress | None = None) -> Runner:
    """Return this machine, with so many threads or one for each core; nothing is kept."""
    return Runner(Threads(number), None, on_progress)


HERE = on_threads()
