"""A Dask cluster: the same bits as threads, whoever dies; nobody who could play otherwise."""

import json
import os
import pickle
import signal
import subprocess
import sys
import time
from collections import OrderedDict
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest
from distributed import LocalCluster

import herdlab
from analysis import cluster, cluster_worker
from analysis.cluster import Cluster, start_workers
from analysis.run_folder import CHECKPOINT, OF_THE_RUN
from analysis.scene import Interrupted, Scene
from simcore.batch import Threads, simulate
from simcore.errors import BadInput
from simcore.game import find_game
from tests.analysis.runs import RUNS, kept

SWAP = find_game("swap")
SCENE = Scene(SWAP, SWAP.rules_type())
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


@pytest.fixture(scope="module")
def workers() -> Iterator[LocalCluster]:
    """Return a cluster of two workers, as somebody would have started it elsewhere."""
    started = start_workers(2)
    yield started
    started.close()


@pytest.fixture(scope="module")
def address(workers: LocalCluster) -> str:
    return str(workers.scheduler_address)


def told(found: Any) -> dict[str, Any]:
    whole = json.loads(json.dumps(found.as_json()))
    return {key: value for key, value in whole.items() if key not in OF_THE_RUN}


@pytest.mark.parametrize("name", [name for name in RUNS if name != "rows"])
def test_every_command_gives_the_same_bits_as_on_threads(name: str, address: str) -> None:
    assert told(RUNS[name](cluster=address)) == told(RUNS[name](threads=2))


def test_a_run_folder_of_a_cluster_has_the_same_bytes(address: str, tmp_path: Path) -> None:
    RUNS["rows"](cluster=address, out=tmp_path / "cluster")
    RUNS["rows"](threads=2, out=tmp_path / "threads")
    assert kept(tmp_path / "cluster") == kept(tmp_path / "threads")


def test_begun_on_a_cluster_it_goes_on_on_threads(address: str, tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        if done >= 1_000:
            raise KeyboardInterrupt

    play = partial(herdlab.simulate, "swap", "shedder,raider,random", games=60_000)
    with pytest.raises(Interrupted):
        play(cluster=address, out=tmp_path / "broken", on_progress=stop)
    herdlab.resume(tmp_path / "broken", threads=2)
    play(out=tmp_path / "whole")
    assert kept(tmp_path / "broken") == kept(tmp_path / "whole")


def test_a_worker_that_is_killed_changes_nothing(workers: LocalCluster, address: str) -> None:
    """Killed in the middle of the run, while it plays; Dask starts another."""
    play = partial(herdlab.simulate, "swap", "shedder,raider,random", games=1_500_000)
    victims = [one.pid for one in workers.workers.values()]
    assert len(victims) == 2
    killed: list[int] = []

    def kill(done: int, total: int) -> None:
        if done > total / 4 and not killed:
            killed.append(victims[0])
            os.kill(victims[0], signal.SIGKILL)

    found = play(cluster=address, on_progress=kill)
    assert killed and not psutil.pid_exists(killed[0])
    assert told(found) == told(play(threads=2))


@pytest.mark.usefixtures("own_registry")
def test_a_plug_in_reaches_the_workers(address: str, tmp_path: Path) -> None:
    file = Path(__file__).parents[2] / "examples" / "chancer.py"
    play = partial(herdlab.simulate, "horse-trader", "chancer,trader-2,caller", games=300)
    assert told(play(cluster=address, plugins=[file])) == told(play(plugins=[file]))


def test_a_plug_in_that_is_not_what_was_sent_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[Path] = []
    monkeypatch.setattr(cluster_worker, "load_plugin", loaded.append)
    with pytest.raises(BadInput, match=r"'a\.py' did not reach worker here as it was sent"):
        cluster_worker._load("here", "a.py", "0" * 64, b"x = 1\n")
    assert loaded == []


def test_the_same_work_with_an_edited_plug_in_is_not_what_was_seated_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is pickled of a comparison has the names of strategies alone."""
    loaded: list[str] = []
    monkeypatch.setattr(cluster_worker, "_works", OrderedDict())
    monkeypatch.setattr(cluster_worker, "_load", lambda me, sha256: loaded.append(sha256))
    for sha256 in ("1", "1", "2"):
        told = {"plugins": [{"sha256": sha256}]}
        assert cluster_worker._work("here", told, pickle.dumps("work")) == "work"
    assert loaded == ["1", "2"]


ILLEGAL = '''
from strategies.registry import strategy

@strategy("swap", "illegal-here")
def illegal(decision, view, me):
    """Answers what is no choice at all."""
    return 12345
'''


@pytest.mark.usefixtures("own_registry")
def test_a_strategys_mistake_is_the_same_sentence_as_on_threads(
    address: str, tmp_path: Path
) -> None:
    file = tmp_path / "illegal.py"
    file.write_text(ILLEGAL)
    sentences = []
    for where in (None, address):
        with pytest.raises(BadInput, match="answered 12345, which is not a legal choice") as one:
            herdlab.simulate(
                "swap", "illegal-here,shedder", games=100, plugins=[file], cluster=where
            )
        sentences.append(str(one.value))
    assert sentences[0] == sentences[1]


@pytest.mark.parametrize(
    ("key", "what"), [("version", "version"), ("fingerprint", "code"), ("packages", "packages")]
)
def test_a_worker_with_another_herdlab_is_refused_before_anything_is_played(
    key: str, what: str, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = {**cluster_worker.identity(), key: ["other 1.0"] if key == "packages" else "other"}
    monkeypatch.setattr(Cluster, "_check_workers", checking_as(mine))
    with pytest.raises(BadInput, match=f"worker tcp://.* has another herdlab.* its {what} is"):
        RUNS["simulate"](cluster=address, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def checking_as(mine: dict[str, Any]) -> Any:
    """Return a check of workers by somebody who is another herdlab himself."""
    usual = Cluster._check_workers

    def check(self: Cluster) -> None:
        self._told["identity"] = mine
        usual(self)

    return check


def test_a_worker_looks_itself_whether_it_may_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """One may join in the middle of a run."""
    monkeypatch.setattr(cluster_worker, "_address", lambda: "tcp://there")
    good = {
        "identity": cluster_worker.identity(),
        "game": "swap",
        "rules": SCENE.rules.as_dict(),
        "rules_hash": SCENE.rules.hash,
        "plugins": [],
    }
    other = {**good, "identity": {**cluster_worker.identity(), "version": "0.0.9"}}
    with pytest.raises(BadInput, match=r"tcp://there has another herdlab.*here it is 0\.0\.9"):
        cluster_worker.play_parts(other, b"never read", [(0, 1)])
    other = {**good, "rules_hash": "0123456789ab"}
    with pytest.raises(BadInput, match="tcp://there reads the rules of swap otherwise"):
        cluster_worker.play_parts(other, b"never read", [(0, 1)])


def test_nobody_there_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_SECONDS", 0.5)
    for wrong in ("tcp://127.0.0.1:9", "127.0.0.1:9", "nonsense://x", "loca"):
        with pytest.raises(BadInput, match="no Dask scheduler answers at") as refused:
            RUNS["simulate"](cluster=wrong, out=tmp_path / "run")
        assert "\n" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("", "no host and port"),
        ("tcp://", "no host and port"),
        ("10.0.0.1", "no host and port"),
        ("tcp://127.0.0.1:notaport", "notaport"),
        ("tcp://127.0.0.1:99999", "out of range"),
        ("ucx://127.0.0.1:9", "by tcp or tls, not by ucx"),
        ("tls://127.0.0.1:9", "not set up for TLS"),
    ],
)
def test_what_is_no_address_is_a_sentence_at_once(wrong: str, why: str, tmp_path: Path) -> None:
    """Dask would raise what it raises for nothing else, and be closed for twenty seconds."""
    begun = time.monotonic()
    with pytest.raises(BadInput, match=f"no Dask scheduler answers at '{wrong}' .*{why}"):
        RUNS["simulate"](cluster=wrong, out=tmp_path / "run")
    assert time.monotonic() - begun < 5 and list(tmp_path.iterdir()) == []


def test_a_cluster_without_workers_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_SECONDS", 0.5)
    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=0, host="127.0.0.1", dashboard_address="127.0.0.1:0"
    ) as empty:
        with pytest.raises(BadInput, match="has no workers"):
            RUNS["simulate"](cluster=empty.scheduler_address)


def test_without_dask_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BadInput, match=r"needs Dask.*herdlab\[cluster\]"):
        RUNS["simulate"](cluster="local")


def test_a_local_cluster_listens_on_loopback_only_and_is_gone_afterwards() -> None:
    """All sockets of this process and of its children that were not there before."""
    me = psutil.Process()
    before = {one.pid for one in me.children(recursive=True)}
    old = {one.laddr for one in me.net_connections() if one.status == psutil.CONN_LISTEN}
    with Cluster(SCENE, "local", 2) as started:
        assert started.hands == 2
        new = [one for one in me.children(recursive=True) if one.pid not in before]
        sockets = [
            one.laddr
            for process in [me, *new]
            for one in process.net_connections()
            if one.status == psutil.CONN_LISTEN and one.laddr not in old
        ]
        assert len(sockets) >= 3, "scheduler and two workers"
        assert {one.ip for one in sockets} == {"127.0.0.1"}
    assert not [one for one in new if one.is_running() and one.status() != psutil.STATUS_ZOMBIE]


def test_tasks_grow_until_they_take_their_time(address: str) -> None:
    """So that what it costs to send one does not matter."""
    from analysis.seated import Seated

    seated = Seated(SCENE, "shedder,raider", False, False)
    with Cluster(SCENE, address) as crew:
        into, whole = seated.empty(), seated.empty()
        simulate(seated.play, into, range(40_000), crew=crew, chunk=100)
        assert crew._many > 16
        simulate(seated.play, whole, range(40_000), crew=Threads(2), chunk=1_000)
        assert into == whole


def test_ctrl_c_of_a_terminal_reaches_the_workers_too_and_is_still_one_sentence(
    tmp_path: Path,
) -> None:
    """A terminal interrupts every process of its group."""
    folder = tmp_path / "run"
    running = playing(folder, "local")
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130 and "95 % interval" in out
    assert err == f"herdlab: interrupted; go on with: herdlab resume {folder}\n"


def playing(folder: Path, where: str) -> subprocess.Popen[str]:
    """Return a run on a cluster, in a process group of its own, that has kept some games."""
    words = ["simulate", "swap", "-p", "shedder,raider", "-n", "1e9", "--out", str(folder)]
    running = subprocess.Popen(
        [sys.executable, "-m", "cli", *words, "--cluster", where],
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 120
    while b'"at": 0' in _checkpoint(folder):
        if running.poll() is not None or time.monotonic() > deadline:
            running.kill()
            pytest.fail(f"it does not play: {running.communicate()}")
        time.sleep(0.05)
    return running


def _checkpoint(folder: Path) -> bytes:
    path = folder / CHECKPOINT
    content = path.read_bytes() if path.exists() else b""
    return content if b'"at"' in content else b'"at": 0'


def test_a_scheduler_that_is_killed_is_a_sentence_and_the_run_goes_on(tmp_path: Path) -> None:
    """Dask logs what it thinks of it on loggers that have levels of their own."""
    begin = "import sys, time; from analysis.cluster import start_workers as start\n"
    script = begin + "if __name__ == '__main__': print(start(1).scheduler_address, flush=True)\n"
    script += "if __name__ == '__main__': time.sleep(300)\n"
    (tmp_path / "elsewhere.py").write_text(script)
    there = subprocess.Popen(
        [sys.executable, tmp_path / "elsewhere.py"], stdout=subprocess.PIPE, text=True
    )
    assert there.stdout is not None
    address, folder = there.stdout.readline().strip(), tmp_path / "run"
    running = playing(folder, address)
    there.kill()
    out, err = running.communicate(timeout=60)
    there.communicate()
    assert running.returncode == 2 and out == ""
    assert err.startswith(f"herdlab: the cluster at '{address}' was lost: "), err
    assert err.endswith(f"; go on with: herdlab resume {folder}\n") and err.count("\n") == 1
    assert b'"at": 0' not in _checkpoint(folder)
