"""A Dask cluster: the same bits as threads, whoever dies; nobody who could play otherwise."""

import json
import pickle
import re
import signal
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

import herdlab
from herdlab.analysis.experiment import Experiment, Interrupted, WorkersLost
from herdlab.analysis.runs import cluster, cluster_worker
from herdlab.analysis.runs.cluster import Cluster
from herdlab.analysis.runs.run_folder import OF_THE_RUN
from herdlab.analysis.runs.run_options import names
from herdlab.simcore.batch import Threads, simulate
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game
from tests.analysis.runs.clusters import scheduler
from tests.analysis.runs.run_folders import RUNS, kept
from tests.children import Child

pytestmark = pytest.mark.usefixtures("quick_answers")

SWAP = find_game("swap")
SCENE = Experiment(SWAP, SWAP.rules_type())


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Child, str]]:
    """Start a scheduler with two workers."""
    with scheduler(tmp_path_factory.mktemp("dask"), 2) as both:
        yield both


@pytest.fixture(scope="module")
def address(started: tuple[Child, str]) -> str:
    return started[1]


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


def test_a_worker_that_is_killed_changes_nothing(started: tuple[Child, str]) -> None:
    """Killed while it plays; Dask starts another."""
    there, address = started
    play = partial(herdlab.simulate, "swap", "shedder,raider,random", games=200_000)
    killed: list[psutil.Process] = []

    def kill(done: int, total: int) -> None:
        if not killed:
            killed.append(a_worker(there))
            killed[0].kill()

    found = play(cluster=address, on_progress=kill)
    assert killed
    assert told(found) == told(play(threads=2))


def a_worker(there: Child) -> psutil.Process:
    """Return one of its workers, which multiprocessing has spawned."""
    spawned = psutil.Process(there.process.pid).children()
    return next(one for one in spawned if "spawn_main" in " ".join(one.cmdline()))


@pytest.mark.usefixtures("own_registry")
def test_a_plug_in_reaches_the_workers(address: str, tmp_path: Path) -> None:
    file = Path(__file__).parents[3] / "examples" / "chancer.py"
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
    monkeypatch.setattr(cluster_worker, "_load", lambda *plugin: loaded.append(plugin[2]))
    for sha256 in ("1", "1", "2"):
        plugins = (("a.py", sha256, b"x = 1"),)
        assert cluster_worker._work("here", plugins, pickle.dumps("work")) == "work"
    assert loaded == ["1", "2"]


ILLEGAL = '''
from herdlab.strategies import strategy

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
    monkeypatch.setattr("distributed.get_worker", lambda: SimpleNamespace(address="tcp://there"))
    good = {
        "identity": cluster_worker.identity(),
        "game": "swap",
        "rules": SCENE.rules.as_dict(),
        "rules_hash": SCENE.rules.hash,
        "plugins": [],
    }
    other = {**good, "identity": {**cluster_worker.identity(), "version": "0.0.9"}}
    with pytest.raises(WorkersLost, match=r"tcp://there has another herdlab.*here it is 0\.0\.9"):
        cluster_worker.play_parts(other, b"never read", [(0, 1)])
    other = {**good, "rules_hash": "0123456789ab"}
    with pytest.raises(WorkersLost, match="tcp://there reads the rules of swap otherwise"):
        cluster_worker.play_parts(other, b"never read", [(0, 1)])


@pytest.mark.parametrize(
    ("asked", "error", "sentence"),
    [
        ("run", TimeoutError(), "a worker of the cluster at '{}' gave no answer within 60 s. Find"),
        (
            "run_on_scheduler",
            ModuleNotFoundError("No module named 'analysis'"),
            "the scheduler at '{}' cannot read herdlab's tasks: No module named 'analysis'. ",
        ),
    ],
)
def test_who_does_not_answer_as_herdlab_is_refused(
    asked: str, error: Exception, sentence: str, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = Cluster._ask

    def ask(self: Cluster, question: Any, *args: Any, **more: Any) -> Any:
        if question.__name__ == asked:
            raise error
        return usual(self, question, *args, **more)

    monkeypatch.setattr(Cluster, "_ask", ask)
    with pytest.raises(BadInput, match=re.escape(sentence.format(address))):
        RUNS["simulate"](cluster=address)


def test_the_address_of_a_worker_is_refused_with_that_of_its_scheduler(address: str) -> None:
    with Cluster(SCENE, address) as crew:
        worker = next(iter(crew._client.nthreads()))
    sentence = f"a Dask worker listens there. Give its scheduler's address: {address}"
    with pytest.raises(BadInput, match=re.escape(f"at '{worker}': {sentence}")):
        RUNS["simulate"](cluster=worker)


def test_a_scheduler_that_hangs_is_a_sentence(
    started: tuple[Child, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    there, address = started

    def freeze(done: int, total: int) -> None:
        monkeypatch.setattr(cluster, "_SILENT_SECONDS", 0.3)
        monkeypatch.setattr(cluster, "_CLOSE_SECONDS", 0.3)
        there.signal(signal.SIGSTOP)

    try:
        with pytest.raises(WorkersLost) as lost:
            RUNS["simulate"](cluster=address, on_progress=freeze)
    finally:
        there.signal(signal.SIGCONT)
    assert str(lost.value) == (
        f"the cluster at '{address}' was lost: its scheduler gave no answer within 0.3 s. "
        f"Check that its scheduler runs. Run the command again"
    )


def test_without_dask_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BadInput, match=r"needs Dask.*herdlab\[cluster\]"):
        RUNS["simulate"](cluster="local")


def test_tasks_grow_until_they_take_their_time(address: str) -> None:
    """So that what it costs to send one does not matter."""
    from herdlab.analysis.sampling.lineup_runner import LineUpRunner

    seated = LineUpRunner(SCENE, names("shedder,raider"), False, False)
    with Cluster(SCENE, address) as crew:
        into, whole = seated.empty(), seated.empty()
        simulate(seated.play, into, range(40_000), crew=crew, chunk=100)
        assert crew._many > 16
        simulate(seated.play, whole, range(40_000), crew=Threads(2), chunk=1_000)
        assert into == whole
