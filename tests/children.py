"""Child processes of tests: one way to start, watch, signal and reap them.

A child leads a session and process group of its own, with signals as a shell would give them.  It
runs on pipes, or on a pseudo-terminal as a person would use it.  Nothing here waits a fixed time:
a test waits for an event and pytest-timeout ends one that never comes.  Leaving the ``with`` block
kills the whole group.
"""

import atexit
import fcntl
import functools
import json
import os
import pty
import select
import signal
import socket
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, NamedTuple, Self

import pyte

ROOT = Path(__file__).resolve().parent.parent
CLI = (sys.executable, str(ROOT / "cli.py"))
"""Starts herdlab, from whatever folder."""
FORK = "fork"
"""First word of a command that runs as ``python -c`` does, but has herdlab imported already.

For tests of what a process does, and not of how it starts.
"""
WARM_CLI = (FORK, "from herdlab.cli import main; main()")
"""Starts herdlab with a fraction of the work of `CLI`."""
EAGER_CLI = (
    FORK,
    "from herdlab.analysis.runs import progress\n"
    "progress._QUIET_SECONDS = 0.0\n"
    "from herdlab.cli import main; main()",
)
"""Starts herdlab likewise, and nobody has to wait for its progress bar."""
CTRL_C = b"\x03"

_LAUNCH = """
import fcntl, os, signal, sys, termios
for one in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTERM):
    signal.signal(one, signal.SIG_DFL)
signal.pthread_sigmask(signal.SIG_SETMASK, [])
if sys.argv[1] == "terminal":
    fcntl.ioctl(2, termios.TIOCSCTTY, 0)
os.execvp(sys.argv[2], sys.argv[2:])
"""
"""A test run started in the background ignores Ctrl-C, and its children would inherit that."""
_POLL_SECONDS = 0.02
_ROWS, _SCROLLBACK = 24, 5_000


@functools.cache
def _warm() -> socket.socket:
    """Return where to ask `tests.warm` for forks; it ends when this process does."""
    ours, theirs = socket.socketpair()
    with theirs:
        number = theirs.fileno()
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.warm", str(number)],
            cwd=ROOT,
            start_new_session=True,
            pass_fds=[number],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


class _Fork:
    """A fork of `tests.warm`, with what is used here of `subprocess.Popen`."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str],
        cwd: str | Path | None,
        stdin: int,
        stdout: int,
        stderr: int,
        is_on_terminal: bool,
        **_: object,
    ) -> None:
        self.returncode: int | None = None
        self.stdout: IO[bytes] | None = None
        self.stderr: IO[bytes] | None = None
        with ExitStack() as opened:

            def closed_here(file: int) -> int:
                opened.callback(os.close, file)
                return file

            files = {"stdin": stdin, "stdout": stdout, "stderr": stderr}
            for name, file in files.items():
                if file == subprocess.PIPE:
                    ours, theirs = os.pipe()
                    files[name] = closed_here(theirs)
                    setattr(self, name, open(ours, "rb", buffering=0))  # noqa: SIM115
                elif file == subprocess.DEVNULL:
                    files[name] = closed_here(os.open(os.devnull, os.O_RDONLY))
            self._news, told = os.pipe()
            files["told"] = closed_here(told)
            what = {
                "script": command[1],
                "words": command[2:],
                "env": dict(env),
                "cwd": str(cwd or os.getcwd()),
                "is_on_terminal": is_on_terminal,
            }
            asked = json.dumps(what).encode() + b"\n"
            sent = socket.send_fds(_warm(), [asked], list(files.values()))
            _warm().sendall(asked[sent:])
        heard = b""
        while not heard.endswith(b"\n"):  # one byte at a time, since what follows is the end
            one = os.read(self._news, 1)
            assert one, "tests.warm is gone"
            heard += one
        self.pid = int(heard)

    def poll(self) -> int | None:
        """Return how it ended, if it has."""
        if self.returncode is None and select.select([self._news], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def wait(self) -> int:
        """Wait for its end."""
        if self.returncode is None:
            self.returncode = int(os.read(self._news, 16))
            os.close(self._news)
        return self.returncode

    def kill(self) -> None:
        """End it where it stands."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)


class Done(NamedTuple):
    """How a child ended; on a terminal `err` has all that was shown there."""

    returncode: int
    stdout: str
    stderr: str


class Child:
    """A running process."""

    def __init__(
        self,
        command: Sequence[str | Path],
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | Path | None = None,
        columns: int | None = None,
        piped: bool = False,
    ) -> None:
        """Start `command`, with `env` over this process's environment.

        With `columns` it runs on a terminal of that width; with `piped` too, only standard error
        is on the terminal, as in ``herdlab … | less``.
        """
        self.columns = columns
        self._streams: dict[str, bytearray] = {"out": bytearray(), "err": bytearray()}
        mode = "pipes" if columns is None else "terminal"
        environment = {**os.environ, **(env or {})}
        words = [*map(str, command)]
        launch = [sys.executable, "-I", "-S", "-c", _LAUNCH, mode, *words]
        how: dict[str, Any] = {
            "env": environment,
            "cwd": cwd,
            "start_new_session": True,
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
        }
        self._master: int | None = None
        if columns is not None:
            self._master, terminal = pty.openpty()
            size = struct.pack("HHHH", _ROWS, columns, 0, 0)
            fcntl.ioctl(terminal, termios.TIOCSWINSZ, size)
            # what a terminal says of itself must not be overruled by who runs the tests
            for name in ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "CI"):
                if name not in (env or {}):
                    environment.pop(name, None)
            environment["TERM"] = (env or {}).get("TERM", "xterm-256color")
            how |= {"stdin": terminal, "stderr": terminal}
            if not piped:
                how["stdout"] = terminal
        try:
            self.process: subprocess.Popen[bytes] | _Fork
            if words[0] == FORK:
                self.process = _Fork(words, is_on_terminal=columns is not None, **how)
            else:
                self.process = subprocess.Popen(launch, **how)
        finally:
            if columns is not None:
                os.close(terminal)
        sources: list[tuple[str, int]] = []
        if self.process.stdout is not None:
            sources.append(("out", self.process.stdout.fileno()))
        if self._master is not None:
            sources.append(("err", self._master))
        elif self.process.stderr is not None:
            sources.append(("err", self.process.stderr.fileno()))
        self._readers = [
            threading.Thread(target=self._listen, args=source, daemon=True) for source in sources
        ]
        for reader in self._readers:
            reader.start()

    def _listen(self, name: str, source: int) -> None:
        while True:
            try:
                heard = os.read(source, 1 << 16)
            except OSError:  # how a terminal says that its last program is gone
                heard = b""
            if not heard:
                return
            self._streams[name] += heard

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill whatever is left of the group, and let nothing of it stay open."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        for reader in self._readers:
            reader.join()
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()
        if self._master is not None:
            os.close(self._master)
            self._master = None

    @property
    def out(self) -> str:
        """What came down the pipe of standard output so far."""
        return self._streams["out"].decode(errors="replace")

    @property
    def err(self) -> str:
        """What came from standard error, or from the terminal, so far."""
        return self._streams["err"].decode(errors="replace")

    @property
    def said(self) -> str:
        """All that came so far."""
        return self.out + self.err

    def screen(self) -> list[str]:
        """Return the lines a person sees, scrolled-off ones included."""
        assert self.columns is not None
        screen = pyte.Screen(self.columns, _SCROLLBACK)
        stream = pyte.ByteStream(screen)
        stream.feed(bytes(self._streams["err"]))
        screen.lines = 1 + max(screen.buffer, default=0)  # lines never reached need not be drawn
        lines = [line.rstrip() for line in screen.display]
        while lines and not lines[-1]:
            lines.pop()
        return lines

    def wait_for(self, *texts: str) -> None:
        """Wait until one of `texts` was printed; fail if the child ends before."""
        self.wait_until(lambda: any(text in self.said for text in texts))

    def wait_until(self, is_so: Callable[[], bool]) -> None:
        """Wait until something is so, such as that a file is there; fail if the child ends."""
        while not is_so():
            if self.process.poll() is not None:
                self.close()  # so that all it said is heard
                assert is_so(), f"it ended before, with {self.process.returncode}: {self.said}"
                return
            time.sleep(_POLL_SECONDS)

    def press(self, keys: bytes) -> None:
        """Type something at its terminal."""
        assert self._master is not None
        os.write(self._master, keys)

    def signal(self, number: int) -> None:
        """Send a signal to the whole group, as a terminal does for Ctrl-C."""
        os.killpg(self.process.pid, number)

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        self.signal(signal.SIGINT)

    def kill(self) -> None:
        """End it where it stands, and nothing else of its group."""
        self.process.kill()

    def finish(self) -> Done:
        """Wait for its end, reap the group and return what it left."""
        code = self.process.wait()
        self.close()
        return Done(code, self.out, self.err)


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so that no child of ours has to tell."""
    while not is_so():
        time.sleep(_POLL_SECONDS)


def run(
    command: Sequence[str | Path],
    *,
    env: Mapping[str, str] | None = None,
    cwd: str | Path | None = None,
) -> Done:
    """Run a command to its end."""
    with Child(command, env=env, cwd=cwd) as child:
        return child.finish()


def herdlab(*words: str, **env: str) -> Done:
    """Run herdlab to its end, with `env` over the environment."""
    return run([*CLI, *words], env=env)
