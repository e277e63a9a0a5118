"""Runs that stop by what they see: batches of lucks, with a look after each."""

from collections.abc import Callable, Iterable
from contextlib import closing
from itertools import pairwise
from typing import Any

from analysis.progress import OnProgress
from simcore.batch import LARGEST_CHUNK, chunks, cores, play_all


def play_until(
    work: Callable[[range], Any],
    into: Any,
    ends: Iterable[int],
    look: Callable[[], int | None],
    *,
    threads: int | None = None,
    chunk: int = LARGEST_CHUNK,
    on_progress: OnProgress | None = None,
) -> None:
    """Play lucks up to each of `ends`, merging all `into` one, until a `look` finds it enough.

    A look returns None then, otherwise about how many lucks it will take in all.  The threads do
    not wait for it, so that a batch need not be cut up evenly among them: what they have played too
    much by then is not used.
    """
    threads, stops = threads or cores(), list(ends)
    batches = pairwise([0, *stops])
    parts = (part for begin, end in batches for part in chunks(begin, end, threads, chunk))
    at, total = set(stops), stops[-1]
    with closing(play_all(work, parts, threads)) as played:
        for part, result in played:
            into.add(result)
            if on_progress is not None:
                on_progress(part.stop, max(part.stop, total))
            if part.stop in at:
                expected = look()
                if expected is None:
                    return
                total = min(stops[-1], expected)
