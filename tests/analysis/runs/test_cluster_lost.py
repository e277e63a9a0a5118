"""A cluster that is not there, or no longer: a sentence, and nothing is lost."""

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from socketserver import BaseRequestHandler, TCPServer
from typing import Any

import psutil
import pytest

import herdlab
from herdlab.analysis.experiment import WorkersLost
from herdlab.analysis.runs import cluster, cluster_address
from herdlab.analysis.runs.cluster import Cluster
from herdlab.analysis.runs.run_folder_reading import CHECKPOINT
from herdlab.simcore.batch import cores
from herdlab.simcore.errors import BadInput
from tests.analysis.runs.clusters import scheduler, worker
from tests.analysis.runs.run_folders import RUNS, kept
from tests.children import CTRL_C, FORK, ROOT, Child, run, wait_until
from tests.conftest import Refuses

ASKED = ("simulate", "swap", "-p", "shedder,raider")
PATIENCE = """
import sys
from herdlab.analysis.runs import cluster, cluster_address, progress, run_folder
from herdlab.cli import main
cluster_address._ANSWER_SECONDS = float(sys.argv.pop(1))
cluster._WORKERLESS_SECONDS = float(sys.argv.pop(1))
cluster._LOOK_SECONDS = 0.05
progress._QUIET_SECONDS = run_folder._LEAST_SECONDS = 0.0
count = cluster.Cluster._threads
async def threads(self):
    found = await count(self)
    if not found:
        open(sys.argv[-1] + ".workerless", "w").close()
    return found
cluster.Cluster._threads = threads
main()
"""
"""Herdlab that is told how long to wait.

It leaves a file beside the folder of --out, its last argument, when it sees no workers.
"""
FOREVER = 1e9


def waiting(*, for_answer: float = FOREVER, for_workers: float = FOREVER) -> list[str]:
    return [FORK, PATIENCE, str(for_answer), str(for_workers)]


class Quiet(TCPServer):
    """A server that says nothing of clients who leave."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass


class Web(BaseHTTPRequestHandler):
    """A web server that keeps no log."""

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def listening(what: str) -> Iterator[str]:
    """Yield an address on this machine where something listens that is no scheduler."""
    if what in ("nobody", "silence"):
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            if what == "silence":
                one.listen()
            yield f"tcp://127.0.0.1:{one.getsockname()[1]}"
        return
    handler = {"web": Web, "closing": BaseRequestHandler}[what]
    with Quiet(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"tcp://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


REFUSED = "the connection was refused. Check the address, or start one there (dask scheduler --host"
NO_DASK = "what listens there does not answer as one. Check the port"


@pytest.mark.parametrize(
    ("what", "why"),
    [("nobody", REFUSED), ("silence", NO_DASK), ("web", NO_DASK), ("closing", NO_DASK)],
)
def test_no_scheduler_is_a_sentence(
    what: str, why: str, refuses: Refuses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_address, "_ANSWER_SECONDS", 0.2)
    with listening(what) as address:
        sentence = f"herdlab: no Dask scheduler answers at '{address}': {why}"
        for out in ([], ["--out", "run"]):
            refuses([*ASKED, "--cluster", address, *out], [sentence])


def test_an_address_that_never_answers_is_a_sentence(
    refuses: Refuses, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Connections beyond those that wait already are never accepted."""
    monkeypatch.setattr(cluster_address, "_CONNECT_SECONDS", 0.2)
    with ExitStack() as stack:
        full = stack.enter_context(socket.socket())
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        for _ in range(3):
            one = stack.enter_context(socket.socket())
            one.setblocking(False)
            one.connect_ex(full.getsockname())
        address = f"tcp://127.0.0.1:{full.getsockname()[1]}"
        refuses([*ASKED, "--cluster", address], [f"'{address}': no answer within 0.2 s. Check"])


def test_an_unknown_host_is_a_sentence(refuses: Refuses) -> None:
    words = [*ASKED, "--cluster", "tcp://nowhere.invalid:8786"]
    refuses(words, ["'tcp://nowhere.invalid:8786': there is no host 'nowhere.invalid'. Check"])


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("", "no host and port"),
        ("tcp://", "no host and port"),
        ("10.0.0.1", "no host and port"),
        ("tcp://127.0.0.1:notaport", "port is not a number up to 65535"),
        ("tcp://127.0.0.1:99999", "port is not a number up to 65535"),
        ("ucx://127.0.0.1:9", "by tcp or tls, not by ucx"),
        ("tls://127.0.0.1:9", "not set up for TLS"),
    ],
)
def test_what_is_no_address_is_refused_without_trying(
    wrong: str, why: str, refuses: Refuses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_address, "_within", None)
    refuses(
        [*ASKED, "--cluster", wrong, "--out", "run"],
        [f"no Dask scheduler answers at '{wrong}': ", why, "Give --cluster an address such as"],
    )


def test_resume_says_how_to_go_on_without_a_cluster(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    RUNS["simulate"](out=folder)
    with listening("nobody") as address:
        with pytest.raises(BadInput, match=re.escape(REFUSED)) as refused:
            herdlab.resume(folder, cluster=address)
    assert str(refused.value).endswith(f". Or go on without a cluster: herdlab resume {folder}")


@pytest.mark.parametrize("what", ["nobody", "silence"])
def test_nothing_else_is_said_when_herdlab_ends(what: str, tmp_path: Path) -> None:
    """Neither by Dask's loggers nor by what is left of a connection."""
    with listening(what) as address:
        words = [*ASKED, "--cluster", address, "--out", str(tmp_path / "run")]
        done = run([*waiting(for_answer=0.2), *words], cwd=ROOT)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("herdlab: no Dask scheduler answers") and done.stderr[-1] == "\n"
    assert done.stderr.count("\n") == 1, done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.fixture(autouse=True)
def look_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_LOOK_SECONDS", 0.05)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start a scheduler without workers."""
    with scheduler(tmp_path_factory.mktemp("dask")) as (_, address):
        yield address


def test_a_cluster_without_workers_is_a_sentence(
    address: str, refuses: Refuses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "_WORKERLESS_SECONDS", 0.3)
    sentence = f"the cluster at '{address}' has no workers. Start some (dask worker {address})"
    refuses([*ASKED, "--cluster", address, "--out", "run"], [sentence])


PLAY = partial(herdlab.simulate, "swap", "shedder,raider,random", games=200_000)


@contextmanager
def connected(address: str, folder: Path) -> Iterator[Child]:
    """Yield a worker when its scheduler knows it."""
    with worker(address, folder) as one:
        one.wait_for("Starting established connection")
        yield one


def test_all_workers_lost_is_a_sentence_and_the_run_goes_on_to_the_same_bits(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "run"
    with connected(address, tmp_path) as only:

        def kill(done: int, total: int) -> None:
            monkeypatch.setattr(cluster, "_WORKERLESS_SECONDS", 0.3)
            only.kill()

        with pytest.raises(WorkersLost) as lost:
            PLAY(cluster=address, out=folder, on_progress=kill)
    assert str(lost.value) == (
        f"the cluster at '{address}' has lost all its workers: none for 0.3 s. "
        f"Start some (dask worker {address}). Go on with: herdlab resume {folder}"
    )
    herdlab.resume(folder)
    PLAY(out=tmp_path / "whole")
    assert kept(folder) == kept(tmp_path / "whole")


def test_a_worker_that_comes_back_in_time_plays_on_to_the_same_bits(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "_WORKERLESS_SECONDS", FOREVER)
    count = Cluster._threads
    with connected(address, tmp_path) as first, ExitStack() as others:
        came: list[Child] = []

        async def threads(self: Cluster) -> int:
            found = await count(self)
            if found == 0 and not came:
                came.append(others.enter_context(worker(address, tmp_path)))
            return found

        monkeypatch.setattr(Cluster, "_threads", threads)
        PLAY(cluster=address, out=tmp_path / "run", on_progress=lambda *_: first.kill())
        assert came
    PLAY(out=tmp_path / "whole")
    assert kept(tmp_path / "run") == kept(tmp_path / "whole")


@contextmanager
def playing(
    address: str, folder: Path, *, for_workers: float = FOREVER, columns: int | None = None
) -> Iterator[Child]:
    """Yield a run on a cluster that has kept some games."""
    words = [*ASKED, "-n", "1e9", "--cluster", address, "--out", str(folder)]
    with Child([*waiting(for_workers=for_workers), *words], cwd=ROOT, columns=columns) as running:
        running.wait_until(lambda: has_played(folder))
        yield running


def has_played(folder: Path) -> bool:
    path = folder / CHECKPOINT
    content = path.read_bytes() if path.exists() else b""
    return b'"at"' in content and b'"at": 0' not in content


def test_on_a_terminal_the_sentence_is_all_that_is_left(address: str, tmp_path: Path) -> None:
    """The bar was there before, and is gone."""
    folder = tmp_path / "run"
    with connected(address, tmp_path) as only:
        with playing(address, folder, for_workers=0.3, columns=300) as running:
            running.wait_for("/s")
            only.kill()
            done = running.finish()
            assert done.returncode == 2
            (line,) = running.screen()
    assert line.startswith(f"herdlab: the cluster at '{address}' has lost all its workers: ")
    assert line.endswith(f". Go on with: herdlab resume {folder}")


def test_ctrl_c_while_there_are_no_workers_is_the_usual_sentence(
    address: str, tmp_path: Path
) -> None:
    folder, seen = tmp_path / "run", tmp_path / "run.workerless"
    with connected(address, tmp_path) as only:
        with playing(address, folder, columns=300) as running:
            only.kill()
            running.wait_until(seen.exists)
            running.press(CTRL_C)
            done = running.finish()
            assert done.returncode == 130
            assert running.screen()[-1].endswith(
                f"herdlab: interrupted; go on with: herdlab resume {folder}"
            )
    assert "Traceback" not in done.stderr


def test_a_local_cluster_listens_on_loopback_only_and_ctrl_c_ends_all_of_it(tmp_path: Path) -> None:
    """A terminal interrupts every process of its group, and it is still one sentence."""
    folder = tmp_path / "run"
    with playing("local", folder) as running:
        me = psutil.Process(running.process.pid)
        everyone = [me, *me.children(recursive=True)]
        sockets = [
            one.laddr
            for process in everyone
            for one in process.net_connections()
            if one.status == psutil.CONN_LISTEN
        ]
        assert len(sockets) >= 1 + cores(), "the scheduler's and the workers'"
        assert {one.ip for one in sockets} == {"127.0.0.1"}
        running.interrupt()
        running.process.wait()
        wait_until(lambda: not any(is_alive(one) for one in everyone))
        done = running.finish()
    assert done.returncode == 130 and "95 % interval" in done.stdout
    assert done.stderr == f"herdlab: interrupted; go on with: herdlab resume {folder}\n"


def is_alive(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def test_a_scheduler_that_is_killed_is_a_sentence_and_the_run_goes_on(tmp_path: Path) -> None:
    """Dask logs what it thinks of it on loggers that have levels of their own."""
    folder = tmp_path / "run"
    with scheduler(tmp_path, 1) as (there, address):
        with playing(address, folder) as running:
            there.kill()
            done = running.finish()
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith(f"herdlab: the cluster at '{address}' was lost: "), done.stderr
    assert done.stderr.endswith(f". Go on with: herdlab resume {folder}\n")
    assert done.stderr.count("\n") == 1
