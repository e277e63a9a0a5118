"""Threads that play, and the watch over them: no strategy can hang whoever waits for it.

Compiled code cannot be stopped from outside.  So it always runs in daemon threads, and whoever
waits for them stays in Python: Ctrl-C is heard at once, and a strategy that gives no answer is
reported.  A thread that hangs is left behind; it ends with the process and does not hold it up.
"""

import contextvars
import math
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import Any, Self, TypeVar, cast

import numpy.typing as npt

from herdlab.simcore.errors import BadInput
from herdlab.simcore.table import ASKED_GAME

Result = TypeVar("Result")

TIME_LIMIT = 60.0
"""Seconds of computing that a strategy may take for one answer, unless told otherwise."""
GAME_LIMITS = 10
"""A whole game may take so many times as long."""
_LOOK_SECONDS = 0.25
_LEAVE_SECONDS = 0.25
"""How long to wait for threads to stop when their work is not wanted any more."""

_time_limit = contextvars.ContextVar("time_limit", default=TIME_LIMIT)


class TookTooLong(BadInput):
    """A strategy gave no answer within the time limit."""


class _Unwanted(BaseException):
    """Ends work in a thread that nobody waits for any more."""


def time_limit() -> float:
    """Return the seconds that a strategy may take for one answer; infinite for no limit."""
    return _time_limit.get()


@contextmanager
def limited_to(seconds: float | None) -> Iterator[None]:
    """Set the time limit of what is played here; None or 0 for none."""
    is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if seconds is not None and not (is_number and seconds >= 0):
        raise BadInput(
            f"a time limit is a number of seconds, such as 60, or 0 for none, and got '{seconds}'"
        )
    token = _time_limit.set(float(seconds or math.inf))
    try:
        yield
    finally:
        _time_limit.reset(token)


class Watched:
    """Compiled code that a thread is in, and how long it has been there without moving on."""

    def __init__(self, memory: npt.NDArray[Any], sentence: Callable[[str], BadInput]) -> None:
        """Watch the thread that calls this; `sentence` says who did something, where and when."""
        self._memory, self._sentence = memory, sentence
        self._clock = _cpu_clock(threading.get_ident())
        self._question: tuple[bytes, float] | None = None
        self._game: tuple[int, float] | None = None

    def check(self, limit: float) -> None:
        """Raise TookTooLong if it has computed too long on one question, or on one game.

        A game's memory changes from question to question, and a strategy cannot change it.
        """
        now = self._clock()
        seen, game = self._memory.tobytes(), int(self._memory[ASKED_GAME])
        if self._question is None or self._question[0] != seen:
            self._question = seen, now
        if self._game is None or self._game[0] != game:
            self._game = game, now
        too_long = f"took more than {limit:g} s"
        if now - self._question[1] > limit:
            raise self._too_long(f"{too_long} for one answer")
        if now - self._game[1] > GAME_LIMITS * limit:
            raise self._too_long(f"was asked when a game {too_long.replace('took', 'had taken')}")

    def _too_long(self, what: str) -> TookTooLong:
        return TookTooLong(
            f"{self._sentence(what)}. Mend it, or give it more time with --time-limit"
        )


def _cpu_clock(thread: int) -> Callable[[], float]:
    """Return a clock of the time that a thread has computed.

    It stands still while the process is stopped, the machine asleep or the cores busy with others.
    Where there is no such clock, longer gaps between two looks count as one.
    """
    if hasattr(time, "pthread_getcpuclockid"):
        number = time.pthread_getcpuclockid(thread)

        def computed() -> float:
            try:
                return time.clock_gettime(number)
            except OSError:  # the thread has just ended
                return 0.0

        return computed
    last, total = time.monotonic(), 0.0

    def awake() -> float:
        nonlocal last, total
        now = time.monotonic()
        total += min(now - last, 4 * _LOOK_SECONDS)
        last = now
        return total

    return awake


class _Worker(threading.Thread):
    """A thread of a pool."""

    def __init__(self, pool: "Pool") -> None:
        super().__init__(name="herdlab", daemon=True)
        self.pool = pool
        self.watched: Watched | None = None

    def run(self) -> None:
        """Do tasks until there is none left."""
        while (task := self.pool.tasks.get()) is not None:
            future, context, function = task
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(context.run(function))
                except BaseException as error:
                    future.set_exception(error)
            del task, future, context, function  # nothing stays alive while it waits


class Pool:
    """Daemon threads that do tasks for one thread that waits for them."""

    def __init__(self, hands: int) -> None:
        self._hands = hands
        self._workers: list[_Worker] = []
        self.tasks: SimpleQueue[Any] = SimpleQueue()
        self.is_over = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave undone what has not begun; wait a moment for the rest."""
        self.is_over = True
        try:
            while True:
                self.tasks.get_nowait()[0].cancel()
        except Empty:
            pass
        for _worker in self._workers:
            self.tasks.put(None)
        until = time.monotonic() + _LEAVE_SECONDS
        for worker in self._workers:
            if worker.is_alive():  # not one that Ctrl-C has kept from starting
                worker.join(max(0.0, until - time.monotonic()))

    @property
    def is_alive(self) -> bool:
        """Whether its threads are there; a process that was forked has none of them."""
        return all(worker.is_alive() for worker in self._workers)

    def submit(self, function: Callable[[], Result]) -> "Future[Result]":
        """Let a thread do it."""
        future: Future[Result] = Future()
        self.tasks.put((future, contextvars.copy_context(), function))
        if len(self._workers) < self._hands:
            self._workers.append(_Worker(self))
            self._workers[-1].start()
        return future

    def result(self, future: "Future[Result]") -> Result:
        """Wait for a task; raise what it raises, or that a strategy took too long."""
        while True:
            try:
                return future.result(_LOOK_SECONDS)
            except TimeoutError:
                if future.done():
                    raise
            leave_if_unwanted()
            for worker in self._workers:
                watched = worker.watched
                if watched is not None:
                    watched.check(time_limit())


_attendant = threading.local()
"""A pool of one that each thread keeps for its next call: a new thread takes longer than a game."""


def leave_if_unwanted() -> None:
    """End what this thread does if nobody waits for it any more."""
    worker = threading.current_thread()
    if isinstance(worker, _Worker) and worker.pool.is_over:
        raise _Unwanted


def attended(
    kernel: Callable[[], Result],
    memory: npt.NDArray[Any],
    sentence: Callable[[str], BadInput],
) -> Result:
    """Call compiled code that asks strategies, with somebody to watch over it."""

    def watched() -> Result:
        worker = cast(_Worker, threading.current_thread())
        worker.watched = Watched(memory, sentence)
        try:
            return kernel()
        finally:
            worker.watched = None

    if isinstance(threading.current_thread(), _Worker):  # whoever waits for it looks
        return watched()
    pool: Pool | None = _attendant.__dict__.pop("pool", None)
    if pool is None or not pool.is_alive:
        pool = Pool(1)
    try:
        result = pool.result(pool.submit(watched))
    except BaseException:
        pool.__exit__()
        raise
    _attendant.pool = pool
    return result
