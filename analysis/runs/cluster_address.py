"""Find out, quickly and quietly, whether a Dask scheduler answers at an address.

Dask's own client keeps trying an address where nobody listens, waits without end where somebody
listens and says nothing, and logs what it thinks of either.  So herdlab asks first.
"""

import asyncio
import socket
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any
from urllib.parse import urlsplit

from herdlab.simcore.errors import BadInput

_CONNECT_SECONDS = 5.0
"""How long an address has to accept a connection."""
_ANSWER_SECONDS = 5.0
"""How long what listens there has to say that it is a scheduler."""
_USAGE = "Give --cluster an address such as tcp://10.0.0.1:8786, or local"


def check_scheduler(address: str) -> None:
    """Refuse an address where no Dask scheduler answers."""
    try:
        host, port = _host_and_port(address)
        options = _connection_options(address)
    except ValueError as error:
        raise no_scheduler(address, f"{error}. {_USAGE}") from None
    try:
        _within(_CONNECT_SECONDS, lambda: _connect(host, port))
    except OSError as error:
        raise no_scheduler(address, _why_not_reached(error, host, port)) from None
    try:
        found = _within(2 * _ANSWER_SECONDS, lambda: asyncio.run(_identity(address, options)))
    except Exception:  # no answer in time, or whatever Dask makes of what another program sent
        why = "what listens there does not answer as one. Check the port; Dask usually has 8786"
        raise no_scheduler(address, why) from None
    if "workers" not in found:
        elsewhere = found.get("scheduler", "one such as tcp://10.0.0.1:8786")
        why = f"a Dask {str(found.get('type')).lower()} listens there. "
        raise no_scheduler(address, f"{why}Give its scheduler's address: {elsewhere}")


def no_scheduler(address: str, why: str) -> BadInput:
    """Return the sentence for an address at which no scheduler answers."""
    return BadInput(f"no Dask scheduler answers at '{address}': {why}")


def _host_and_port(address: str) -> tuple[str, int]:
    scheme, _, rest = address.rpartition("://")
    parts = urlsplit(f"//{rest}")
    if scheme not in ("", "tcp", "tls"):
        raise ValueError(f"a scheduler is reached by tcp or tls, not by {scheme}")
    try:
        port = parts.port
    except ValueError:
        raise ValueError("its port is not a number up to 65535") from None
    if not parts.hostname or not port:
        raise ValueError("it has no host and port")
    return parts.hostname, port


def _connection_options(address: str) -> dict[str, Any]:
    """Return how Dask is set up to connect, with TLS or without."""
    from distributed.security import Security

    options: dict[str, Any] = Security().get_connection_args("client")  # type: ignore[no-untyped-call]
    if address.startswith("tls://") and options["ssl_context"] is None:
        raise ValueError("Dask is not set up for TLS here")
    return options


def _connect(host: str, port: int) -> None:
    socket.create_connection((host, port), _CONNECT_SECONDS).close()


def _why_not_reached(error: OSError, host: str, port: int) -> str:
    if isinstance(error, ConnectionRefusedError):
        start = f"dask scheduler --host {host} --port {port}"
        return f"the connection was refused. Check the address, or start one there ({start})"
    if isinstance(error, socket.gaierror):
        return f"there is no host '{host}'. Check the name"
    if isinstance(error, TimeoutError):
        return f"no answer within {_CONNECT_SECONDS:g} s. Check the address and the firewall"
    return f"{error.strerror or error}. Check the address"


async def _identity(address: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return what a Dask server says of itself."""
    from distributed import rpc

    async with asyncio.timeout(_ANSWER_SECONDS):
        async with rpc(address, connection_args=options) as server:  # type: ignore[no-untyped-call]
            found: dict[str, Any] = await server.identity()
    return found


def _within(seconds: float, ask: Callable[[], Any]) -> Any:
    """Return what `ask` does; raise TimeoutError if it takes longer.

    It runs in a thread that nobody waits for at the end: looking up a name cannot be cut short.
    """
    answer: Future[Any] = Future()

    def run() -> None:
        try:
            answer.set_result(ask())
        except BaseException as error:
            answer.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return answer.result(seconds)
