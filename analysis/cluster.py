"""A Dask cluster as a crew: the same parts, played elsewhere, merged here in the same order."""

import contextlib
import logging
import pickle
import secrets
from collections import deque
from collections.abc import Callable, Generator, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from analysis.cluster_worker import check_identity, identity, play_parts
from analysis.scene import Lost, Scene
from simcore.batch import cores
from simcore.errors import BadInput
from strategies.registry import loaded_plugins

if TYPE_CHECKING:
    from distributed import Future, LocalCluster

LOCAL = "local"
_SECONDS = 10
"""After which a scheduler that does not answer, or has no worker, is given up."""
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
        preload=["analysis.cluster_worker"],
    )


class Cluster:
    """The workers of a cluster, which play for one scene."""

    def __init__(self, scene: Scene, address: str, hands: int | None = None) -> None:
        """Connect to a scheduler, or start one with `hands` workers here if it is ``local``."""
        plugins = loaded_plugins(scene.plugins)
        self._told: dict[str, Any] = {
            "identity": identity(),
            "game": scene.game.name,
            "rules": scene.rules.as_dict(),
            "rules_hash": scene.rules.hash,
            "plugins": [{**one.as_json(), "text": one.text} for one in plugins],
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
            logging.getLogger(name).setLevel(logging.CRITICAL)  # some have a level of their own
        if address == LOCAL:
            self._local = start_workers(hands or cores())
        try:
            if self._local is None:
                _check_address(address)
            self._client: Client = Client(  # type: ignore[no-untyped-call]
                self._local or address, timeout=_SECONDS, set_as_default=False, name="herdlab"
            )
        except (OSError, ValueError) as error:
            raise BadInput(
                f"no Dask scheduler answers at '{address}' ({_first_line(error)}): give --cluster "
                f"its address, such as tcp://10.0.0.1:8786, or 'local'"
            ) from None
        try:
            self._check_workers()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave the cluster; end it if it was started here."""
        with contextlib.suppress(Exception):  # it may be gone already
            self._client.close()  # type: ignore[no-untyped-call]
        if self._local is not None:
            self._local.close()

    def _check_workers(self) -> None:
        """Refuse a cluster without workers, or with one whose games could differ."""
        try:
            self._client.wait_for_workers(1, timeout=_SECONDS)
        except TimeoutError:
            raise BadInput(f"the cluster at '{self.address}' has no workers") from None
        found: dict[str, Any] = self._client.run(identity, on_error="return")
        for worker, its in found.items():
            if isinstance(its, Exception):
                raise BadInput(f"worker {worker} cannot play: {_first_line(its)}")
            check_identity(worker, its, self._told["identity"])

    @property
    def hands(self) -> int:
        """How many play at the same time, just now."""
        nthreads: dict[str, int] = self._client.nthreads()  # type: ignore[no-untyped-call]
        return max(1, sum(nthreads.values()))

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
                with self._or_lost():
                    room = 2 * self.hands
                    while len(waiting) < room and (mine := list(islice(parts, self._many))):
                        waiting.append((mine, self._submit(run, blob, mine)))
                if not waiting:
                    return
                mine, future = waiting.popleft()
                results, seconds = self._result(future)
                self._adapt(len(mine), seconds)
                yield from zip(mine, results, strict=True)
        finally:
            with contextlib.suppress(Exception):
                self._client.cancel([one for _, one in waiting])  # type: ignore[no-untyped-call]

    def _submit(self, run: str, blob: bytes, mine: list[range]) -> "Future[Any]":
        sent = [(part.start, part.stop) for part in mine]
        key = f"herdlab-{run}-{mine[0].start}"
        future: Future[Any] = self._client.submit(play_parts, self._told, blob, sent, key=key)
        return future

    def _result(self, future: "Future[Any]") -> tuple[list[Any], float]:
        from distributed import KilledWorker

        try:
            with self._or_lost():
                found: tuple[list[Any], float] = future.result()
        except KilledWorker:
            raise Lost(
                "every worker that played one of the tasks died: does a plug-in crash, or is "
                "memory short there?"
            ) from None
        return found

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
            raise Lost(f"the cluster at '{self.address}' was lost: {why}") from None

    def _adapt(self, many: int, seconds: float) -> None:
        """Let tasks become as long as they should be."""
        wanted = many * _TASK_SECONDS / max(seconds, 1e-9)
        self._many = max(1, min(round(wanted), _GROWTH * many))


def _check_address(address: str) -> None:
    """Refuse what is no address, of which Dask would say so only in a traceback."""
    from distributed.security import Security

    scheme, _, rest = address.rpartition("://")
    parts = urlsplit(f"//{rest}")
    if scheme not in ("", "tcp", "tls"):
        raise ValueError(f"a scheduler is reached by tcp or tls, not by {scheme}")
    if not parts.hostname or not parts.port:
        raise ValueError("it has no host and port")
    if scheme == "tls":
        own = Security().get_connection_args("client")  # type: ignore[no-untyped-call]
        if own["ssl_context"] is None:
            raise ValueError("Dask is not set up for TLS here")


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".:")
