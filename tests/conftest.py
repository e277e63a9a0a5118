"""What all tests share."""

import contextlib
import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence

import hypothesis
import pytest

from herdlab.simcore.errors import BadInput
from tests import command_line, quick
from tests.children import ROOT

Refuses = Callable[[Sequence[str], Sequence[str]], None]

# no test depends on how fast the machine is, or writes into the checkout
hypothesis.settings.register_profile(
    "herdlab",
    deadline=None,
    database=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("herdlab")

# hundreds of processes start here, and each would compile herdlab's modules again
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

_OF_TERMINALS = (
    *("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "PY_COLORS"),
    *("TTY_COMPATIBLE", "TTY_INTERACTIVE", "GITHUB_ACTIONS"),
)
"""Environment variables by which a shell or a CI changes what programs print."""


def pytest_sessionstart() -> None:
    """Share the compiling among the processes of pytest-xdist.

    Each begins with another game; herdlab itself waits for what another process compiles.
    Reading the test files compiles already, so this comes before.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker is None:
        return
    from herdlab.simcore.game import games
    from herdlab.strategies.herd.solved import solver
    from herdlab.strategies.registry import seat_players, strategies_of

    by_folder = {game.folder: game for game in games().values()}
    folders = list(by_folder)
    first = int(worker.removeprefix("gw")) * len(folders) // 2 % len(folders)
    for folder in folders[first:] + folders[:first]:
        game = by_folder[folder]
        rules = game.rules_type()
        assert game.engine
        for name in strategies_of(game):
            with contextlib.suppress(BadInput):  # some play the advanced game only
                seat_players(game, rules, ",".join([name] * game.min_players))
    solver()


SLOWEST = (
    "commands/test_first_use.py",
    "commands/test_terminal.py",
    "analysis/questions/guard_dog/test_question.py",
    "strategies/test_allowed.py",
    "analysis/exact/test_race.py",
    "analysis/report/test_published.py",
    "analysis/report/test_browser.py",
    "simcore/test_herd_exact.py",
    "analysis/questions/test_trade_up.py",
    "analysis/runs/test_cluster_lost.py",
    "commands/test_stopping.py",
    "simcore/herd/test_reference.py",
)
"""Files that begin first, so that no worker is left alone with one of them at the end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the slowest files first, and leave all others in their order."""
    places = {ROOT / "tests" / name: place for place, name in enumerate(SLOWEST)}
    items.sort(key=lambda item: places.get(item.path, len(SLOWEST)))


def pytest_collection_finish() -> None:
    """Keep the garbage collector from searching thousands of tests again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


@pytest.fixture(scope="session", autouse=True)
def _plain_environment() -> Iterator[None]:
    """Print the same wherever the tests are started."""
    with pytest.MonkeyPatch.context() as patch:
        for name in _OF_TERMINALS:
            patch.delenv(name, raising=False)
        yield


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Let Ctrl-C interrupt this process, also where the tests were started in the background."""
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, usual)


@pytest.fixture(scope="module")
def quick_answers() -> Iterator[None]:
    """Let tournaments and quick answers about seats take little time."""
    with pytest.MonkeyPatch.context() as patch:
        quick.few_replicates(patch)
        quick.few_games_of_seats(patch)
        yield


@pytest.fixture
def own_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a test load plug-ins that no other test knows of."""
    command_line.own_registry(monkeypatch)


@pytest.fixture
def refuses() -> Refuses:
    """Return the check that a command line is refused in one sentence."""
    return command_line.refuses
