"""What a worker of a Dask cluster does: look whether it may play, and play.

Everything it is told comes as plain values, which any herdlab can read, so that another version is
refused with a sentence and not by what it stumbles over.
"""

import atexit
import hashlib
import pickle
import shutil
import signal
import tempfile
import threading
import time
from functools import lru_cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from herdlab.analysis.experiment import WorkersLost
from herdlab.analysis.runs.provenance import fingerprint, version
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game
from herdlab.simcore.workers import limited_to
from herdlab.strategies.registry import ENTRY_POINTS, load_plugin

_lock = threading.Lock()


def dask_setup(worker: object) -> None:
    """Leave Ctrl-C, which a terminal sends to all its processes, to the one who started them.

    Dask calls this in every worker that herdlab starts.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def identity() -> dict[str, Any]:
    """Return what must be the same wherever games of one run are played."""
    points = entry_points(group=ENTRY_POINTS)
    packages = {str(one.dist and f"{one.dist.name} {one.dist.version}") for one in points}
    return {"version": version(), "fingerprint": fingerprint(), "packages": sorted(packages)}


def check_identity(worker: str, its: dict[str, Any], told: dict[str, Any]) -> None:
    """Refuse a worker that is not what was told."""

    def short(value: Any) -> str:
        return (", ".join(value) or "none") if isinstance(value, list) else str(value)[:12]

    for key, what in (("version", "version"), ("fingerprint", "code"), ("packages", "packages")):
        if its[key] != told[key]:
            raise WorkersLost(
                f"worker {worker} has another herdlab, whose games could differ: its {what} is "
                f"{short(its[key])}, here it is {short(told[key])}. Install the same on both"
            )


def play_parts(
    told: dict[str, Any], blob: bytes, parts: list[tuple[int, int]]
) -> tuple[list[Any], float]:
    """Do the work that is pickled in `blob` on each part; return results and seconds."""
    from distributed import get_worker

    me = str(get_worker().address)
    check_identity(me, identity(), told["identity"])
    game = find_game(told["game"])
    if game.rules_type.from_settings(told["rules"]).hash != told["rules_hash"]:
        raise WorkersLost(
            f"worker {me} reads the rules of {game.name} otherwise: their hash differs. Install "
            f"the same herdlab there"
        )
    plugins = tuple((one["file"], one["sha256"], one["text"]) for one in told["plugins"])
    with limited_to(told["time_limit"]):
        with _lock:
            work = _work(me, plugins, blob)
        begun = time.perf_counter()
        return [work(range(*part)) for part in parts], time.perf_counter() - begun


@lru_cache(maxsize=4)
def _work(me: str, plugins: tuple[tuple[str, str, bytes], ...], blob: bytes) -> Any:
    """Return the work, seated and compiled; what was played last is made only once.

    The same work with another plug-in is another: what is pickled names strategies, not their code.
    """
    for plugin in plugins:
        _load(me, *plugin)
    return pickle.loads(blob)


def _load(me: str, file: str, sha256: str, text: bytes) -> None:
    if hashlib.sha256(text).hexdigest() != sha256:
        raise WorkersLost(f"plug-in '{file}' did not reach worker {me} as it was sent")
    folder = Path(tempfile.mkdtemp(prefix="herdlab-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = folder / Path(file).name
    path.write_bytes(text)
    try:
        load_plugin(path)
    except BadInput as mistake:
        raise BadInput(
            f"worker {me} cannot load it: {mistake} (a worker that has loaded an earlier version "
            f"must be started again)"
        ) from None
