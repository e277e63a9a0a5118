"""A process that has imported herdlab, whose forks need not: `tests.children` starts it.

Importing takes most of a short command's time.  A fork runs a script as ``python -c`` would, with
a session, files, environment and folder of its own, and ends as any Python ends.
"""

import fcntl
import importlib
import json
import os
import signal
import socket
import sys
import termios
from types import ModuleType
from typing import Any

import numba

_MODULES = (
    *("herdlab.cli", "herdlab.api", "rich.progress"),
    *("herdlab.analysis.terminal.show_result", "herdlab.analysis.runs.progress"),
)
_SIGNALS = (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTERM, signal.SIGCHLD)
_LONGEST = 1 << 20


def _get_ready() -> None:
    """Import what most commands need, and let numba fill its registers."""
    for name in _MODULES:
        importlib.import_module(name)
    from herdlab.simcore.game import games
    from herdlab.strategies.registry import strategies_of

    for game in games().values():
        strategies_of(game)
    numba.njit(lambda: 0)()


def _reap(*_: object) -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def _asked(server: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """Return what to run, and its files: in, out, error and where its end is told."""
    said, files, _, _ = socket.recv_fds(server, _LONGEST, 4)
    if not said:
        return None
    while not said.endswith(b"\n"):
        said += server.recv(_LONGEST)
    return json.loads(said), files


def _tell_its_end(child: int, teller: int) -> None:
    """Wait for a fork, and tell how it ended."""
    for one in _SIGNALS:
        signal.signal(one, signal.SIG_DFL)
    for number in (0, 1, 2):
        os.close(number)
    _, status = os.waitpid(child, 0)
    os.write(teller, b"%d\n" % os.waitstatus_to_exitcode(status))


def _become(asked: dict[str, Any], files: list[int]) -> None:
    """Make this fork what the process would be that ran the script."""
    os.setsid()
    *streams, teller = files
    for number, file in enumerate(streams):
        os.dup2(file, number)
        os.close(file)
    for one in _SIGNALS:
        signal.signal(one, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    if asked["is_on_terminal"]:
        fcntl.ioctl(2, termios.TIOCSCTTY, 0)
    os.environ.clear()
    os.environ.update(asked["env"])
    os.chdir(asked["cwd"])
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        usual = getattr(sys, name)
        stream = open(  # noqa: SIM115 (for as long as it runs)
            number,
            "w" if number else "r",
            encoding=usual.encoding,
            errors=usual.errors,
            buffering=1 if number == 2 or os.isatty(number) else -1,
            closefd=False,
        )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    sys.argv = ["-c", *asked["words"]]
    os.write(teller, b"%d\n" % os.getpid())
    os.close(teller)


def _script() -> str | None:
    """Wait for work; return only in a fork, with what to run there."""
    server = socket.socket(fileno=int(sys.argv[1]))
    _get_ready()
    signal.signal(signal.SIGCHLD, _reap)
    while (found := _asked(server)) is not None:
        asked, files = found
        if not os.fork():  # it stays to tell how its own fork ends
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            server.close()
            child = os.fork()
            if not child:
                _become(asked, files)
                return str(asked["script"])
            for file in files[:3]:
                os.close(file)
            _tell_its_end(child, files[3])
            os._exit(0)
        for file in files:
            os.close(file)
    return None


if __name__ == "__main__":
    script = _script()
    if script is not None:
        main = ModuleType("__main__")  # who spawns a process from here must not find this file
        sys.modules["__main__"] = main
        exec(compile(script, "<string>", "exec"), main.__dict__)
