"""A cluster as somebody would have started it elsewhere: in processes of its own.

``python -m tests.analysis.runs.clusters NUMBER`` starts a scheduler with so many workers, prints
its address and stays until it is killed.
"""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from herdlab.analysis.runs.cluster import start_workers
from tests.children import FORK, ROOT, Child


@contextmanager
def scheduler(folder: Path, workers: int = 0) -> Iterator[tuple[Child, str]]:
    """Start a scheduler, and workers that it starts again if they die; yield its address too."""
    command = [sys.executable, "-m", "tests.analysis.runs.clusters", str(workers)]
    with Child(command, cwd=ROOT, env=_files_in(folder)) as started:
        started.wait_for("\n")
        yield started, started.out.strip()


def worker(address: str, folder: Path) -> Child:
    """Start a worker that nobody starts again."""
    dask = "from distributed.cli.dask_worker import main; main()"  # as `dask worker` does
    command = [FORK, dask, address, "--no-nanny", "--nthreads", "1"]
    command += ["--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0", "--no-dashboard"]
    return Child(command, cwd=ROOT, env=_files_in(folder))


def _files_in(folder: Path) -> dict[str, str]:
    """Let Dask keep its files where pytest tidies up: it cannot do so itself when it is killed."""
    return {"DASK_TEMPORARY_DIRECTORY": str(folder)}


if __name__ == "__main__":
    print(start_workers(int(sys.argv[1])).scheduler_address, flush=True)
    signal.pause()
