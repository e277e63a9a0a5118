"""What all tests of the command line share."""

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

import cli

Refuses = Callable[[Sequence[str], Sequence[str]], None]


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Let Ctrl-C interrupt this process, also where the tests were started in the background."""
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, usual)


@pytest.fixture
def own_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a test load plug-ins that no other test knows of."""
    from simcore.game import games
    from strategies import registry

    for game in games().values():  # what is built in is there for all
        registry.strategies_of(game)
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))


@pytest.fixture
def refuses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Refuses:
    """Return a check that a command line is refused in one sentence, with all these parts.

    It runs in this process, which takes a hundredth of the time of one of its own, in an empty
    folder, and leaves nothing behind there.
    """
    folder = tmp_path / "empty"
    folder.mkdir()

    def check(words: Sequence[str], parts: Sequence[str]) -> None:
        monkeypatch.chdir(folder)
        monkeypatch.setattr(sys, "argv", ["herdlab", *words])
        with pytest.raises(SystemExit) as stopped:
            cli.main()
        out, err = capsys.readouterr()
        assert stopped.value.code == 2 and out == ""
        assert err.count("\n") == 1 and err.startswith("herdlab: "), err
        for part in parts:
            assert part in err, err
        assert list(folder.iterdir()) == []

    return check
