"""A Dask cluster as a crew: the same parts, played elsewhere, merged here in the same order."""

import asyncio
import contextlib
import logging
import os
import pickle
import secrets
import signal
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, Self

from herdlab.analysis.experiment import Experiment, WorkersLost
from herdlab.analysis.runs.cluster_address import check_scheduler, no_scheduler
from herdlab.analysis.runs.cluster_worker import check_identity, identity, play_parts
from herdlab.simcore.batch import cores
from herdlab.simcore.errors import BadInput
from herdlab.simcore.workers import time_limit
from herdlab.strategies.plugins import loaded_plugins

if TYPE_CHECKING:
    from distributed import Future, LocalCluster

LOCAL = "local"
_WORKERLESS_SECONDS = 10.0
"""How long a cluster may be without workers before it is given up."""
_SILENT_SECONDS = 60.0
"""How long a scheduler or worker may take to answer: the first time it imports herdlab for it."""
_LOOK_SECONDS = 1.0
"""How often to count the workers while a task takes its time."""
_CLOSE_SECONDS = 3.0
"""How long to wait for a scheduler when leaving: one that hangs would not answer."""
_TASK_SECONDS = 0.5
"""How long a task should take: long against what it costs to send one, short enough to be shared
out evenly and to be played again if its worker dies."""
_GROWTH = 4
"""A task is at most so many times as long as the one before it."""
_LOOPBACK = "127.0.0.1"


def start_workers(number: int) -> "LocalCluster":
    """Start a cluster of so many workers on this machine, which listens to nobody else."""
    from distributed import LocalCluster

    return LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=number,
        threads_per_worker=1,
        host=_LOOPBACK,
        dashboard_address=f"{_LOOPBACK}:0",
        worker_dashboard_address=f"{_LOOPBACK}:0",
        memory_limit=0,
        silence_logs=logging.CRITICAL,
        preload=["herdlab.analysis.runs.cluster_worker"],
    )


class Cluster:
    """The workers of a cluster, which play for one scene."""

    def __init__(self, experiment: Experiment, address: str, hands: int | None = None) -> None:
        """Connect to a scheduler, or start one with `hands` workers here if it is ``local``."""
        plugins = loaded_plugins(experiment.plugins)
        self._told: dict[str, Any] = {
            "identity": identity(),
            "game": experiment.game.name,
            "rules": experiment.rules.as_dict(),
            "rules_hash": experiment.rules.hash,
            "plugins": [{**one.as_json(), "text": one.text} for one in plugins],
            "time_limit": time_limit(),
        }
        self.address = address
        self._local: Any = None
        self._many = 1
        """Parts in a task, so that it takes about as long as it should."""
        try:
            from distributed import Client
        except ModuleNotFoundError:
            raise BadInput(
                "--cluster needs Dask, which is not installed: pip install 'herdlab[cluster]'"
            ) from None
        for name in [
            one for one in logging.root.manager.loggerDict if one.startswith("distributed")
        ]:
            logging.getLogger(name).setLevel(logging.CRITICAL)  # herdlab says it in a sentence
        with contextlib.ExitStack() as started:
            if address == LOCAL:
                self._local = start_workers(hands or cores())
                started.callback(self._local.close)
            else:
                check_scheduler(address)
            try:
                self._client: Any = Client(  # type: ignore[no-untyped-call]
                    self._local or address,
                    timeout=_SILENT_SECONDS,
                    set_as_default=False,
                    name="herdlab",
                )
            except (OSError, ValueError, ImportError) as error:
                raise no_scheduler(address, _first_line(error)) from None
            started.callback(self._leave)
            with self._or_lost():
                self._check_workers()
            self._started = started.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Leave the cluster; end it if it was started here, also workers that hang."""
        if kind is not None and self._local is not None:
            for nanny in self._local.workers.values():
                nanny.auto_restart = False
                with contextlib.suppress(ProcessLookupError, TypeError):  # there is no process
                    os.kill(nanny.pid, signal.SIGKILL)
        self._started.close()

    def _leave(self) -> None:
        with contextlib.suppress(Exception):  # it may be gone already
            self._client.close(timeout=_CLOSE_SECONDS)

    def _check_workers(self) -> None:
        """Refuse a cluster without workers, or with one whose games could differ."""
        try:
            self._client.wait_for_workers(1, timeout=_WORKERLESS_SECONDS)
        except TimeoutError:
            raise BadInput(
                f"the cluster at '{self.address}' has no workers. Start some (dask worker "
                f"{self.address})"
            ) from None
        try:
            self._ask(self._client.run_on_scheduler, identity)
        except Exception as error:
            raise BadInput(
                f"the scheduler at '{self.address}' cannot read herdlab's tasks: "
                f"{_first_line(error)}. Install the same herdlab there"
            ) from None
        try:
            found = self._ask(self._client.run, identity, on_error="return")
        except TimeoutError:
            raise BadInput(
                f"a worker of the cluster at '{self.address}' gave no answer within "
                f"{_SILENT_SECONDS:g} s. Find the one that hangs and stop it"
            ) from None
        for worker, its in found.items():
            if isinstance(its, Exception):
                raise BadInput(
                    f"worker {worker} cannot play: {_first_line(its)}. Install the same herdlab "
                    f"there"
                )
            check_identity(worker, its, self._told["identity"])

    def _ask(self, question: Callable[..., Any], *args: Any, **more: Any) -> Any:
        """Return what a question to the cluster finds; raise TimeoutError after a while."""
        return self._client.sync(question, *args, callback_timeout=_SILENT_SECONDS, **more)

    @property
    def hands(self) -> int:
        """How many play at the same time, just now."""
        with self._or_lost():
            threads: int = self._ask(self._threads)
        return max(1, threads)

    async def _threads(self) -> int:
        nthreads: dict[str, int] = await self._client.nthreads()
        return sum(nthreads.values())

    def play_all(
        self, work: Callable[[range], Any], parts: Iterator[range]
    ) -> Generator[tuple[range, Any], None, None]:
        """Do `work` on all parts; yield results in the order of the parts.

        A worker that dies is Dask's affair: its tasks are played again elsewhere, and a result is
        taken once, whoever it comes from.
        """
        blob, run = pickle.dumps(work), secrets.token_hex(8)
        waiting: deque[tuple[list[range], Future[Any]]] = deque()
        try:
            while True:
                room = 2 * self.hands
                with self._or_lost():
                    while len(waiting) < room and (mine := list(islice(parts, self._many))):
                        sent = [(part.start, part.stop) for part in mine]
                        key = f"herdlab-{run}-{mine[0].start}"
                        task = self._client.submit(play_parts, self._told, blob, sent, key=key)
                        waiting.append((mine, task))
                if not waiting:
                    return
                mine, future = waiting[0]
                results, seconds = self._result(future)
                waiting.popleft()
                wanted = len(mine) * _TASK_SECONDS / max(seconds, 1e-9)
                self._many = max(1, min(round(wanted), _GROWTH * len(mine)))
                yield from zip(mine, results, strict=True)
        finally:
            for _, future in waiting:  # nobody plays on what nobody waits for
                future.release()  # type: ignore[no-untyped-call]

    def _result(self, future: "Future[Any]") -> tuple[list[Any], float]:
        from distributed import KilledWorker

        try:
            with self._or_lost():
                found: tuple[list[Any], float] = self._client.sync(self._awaited, future)
        except KilledWorker:
            raise WorkersLost(
                "every worker that played one of the tasks died. Check for a plug-in that crashes, "
                "and for too little memory there"
            ) from None
        return found

    async def _awaited(self, future: "Future[Any]") -> Any:
        """Return a result, as long as there are workers to play it."""
        result = asyncio.ensure_future(future)
        seen, at = time.monotonic(), self.address
        try:
            while not (await asyncio.wait([result], timeout=_LOOK_SECONDS))[0]:
                async with asyncio.timeout(_SILENT_SECONDS):
                    threads = await self._threads()
                if threads:
                    seen = time.monotonic()
                elif time.monotonic() - seen >= _WORKERLESS_SECONDS:
                    why = f": none for {_WORKERLESS_SECONDS:g} s. Start some (dask worker {at})"
                    if self._local is not None:
                        why = ". Check for a plug-in that crashes, and for too little memory"
                    raise WorkersLost(f"the cluster at '{at}' has lost all its workers{why}")
            return await result
        finally:
            result.cancel()

    @contextlib.contextmanager
    def _or_lost(self) -> Iterator[None]:
        """Say in a sentence that the scheduler is gone, whatever Dask raises then."""
        from concurrent.futures import CancelledError

        try:
            yield
        except BadInput:
            raise
        except Exception as error:
            is_lost = isinstance(error, CancelledError | OSError)
            if not is_lost and self._client.status == "running":
                raise
            why = _first_line(error)
            if isinstance(error, TimeoutError):
                why = f"its scheduler gave no answer within {_SILENT_SECONDS:g} s"
            raise WorkersLost(
                f"the cluster at '{self.address}' was lost: {why}. Check that its scheduler runs"
            ) from None


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".:")
