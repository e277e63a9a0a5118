"""Compiler options and the cache folder: the only place that configures numba.

numba decides from a function's own file alone whether its cached machine code is still good, so
that an edit in ``rules.py`` would leave a stale ``engine.py`` running.  The cure is a cache folder
named by a hash of every source file that compiled code can depend on.

The engine is compiled without numba's reference counting (``_nrt=False``).  It allocates nothing
then (the compiler refuses it), and has no atomic counters for two threads to fight over.
"""

import atexit
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numba.core.caching
import numba.np.linalg
from numba import types
from numba.core.compiler_lock import global_compiler_lock

from herdlab.simcore.errors import BadInput

Function = TypeVar("Function", bound=Callable[..., Any])

_KEPT_FOLDERS = 4
_PACKAGE = Path(__file__).parent.parent
"""The folder `herdlab`.  Not resolved: in a checkout its parts are links to folders beside it."""
_COMPILED_PACKAGES = ("simcore", "strategies")
_OUR_MODULES = tuple(f"herdlab.{package}." for package in _COMPILED_PACKAGES)


def cache_home() -> Path:
    """Return the folder that holds one cache folder for each version of the sources."""
    chosen = os.environ.get("HERDLAB_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "herdlab"


def fingerprint() -> str:
    """Return a hash of all sources that compiled code can depend on."""
    digest = hashlib.sha256(numba.__version__.encode())
    for package in _COMPILED_PACKAGES:
        for path in sorted((_PACKAGE / package).rglob("*.py")):
            digest.update(str(path.relative_to(_PACKAGE)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _folder() -> Path:
    """Return this version's cache folder; a passing one where it cannot be used.

    numba would fall back on a folder beside the sources, in which an edit leaves a stale engine.
    """
    folder = cache_home() / fingerprint()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            return folder
    except OSError:
        pass
    try:
        passing = Path(tempfile.mkdtemp(prefix="herdlab-"))
    except OSError as error:
        raise BadInput(
            f"there is no room for compiled code, in '{cache_home()}' or for passing files: "
            f"{error.strerror}; set HERDLAB_CACHE to a folder that can be written"
        ) from None
    atexit.register(shutil.rmtree, passing, ignore_errors=True)
    return passing


CACHE = _folder()


def is_passing() -> bool:
    """Whether compiled code goes when the process ends, since the cache folder is of no use."""
    return CACHE.parent != cache_home()


def prune() -> None:
    """Delete the cache folders of old sources, all but the newest few."""
    ages = {}
    try:
        for folder in cache_home().iterdir():
            if folder != CACHE and not folder.is_symlink() and folder.is_dir():
                ages[folder] = folder.stat().st_mtime
    except OSError:  # there is none, or another process prunes too
        return
    for folder in sorted(ages, key=lambda one: ages[one], reverse=True)[_KEPT_FOLDERS - 1 :]:
        shutil.rmtree(folder, ignore_errors=True)


setattr(numba.config, "CACHE_DIR", str(CACHE))  # noqa: B010 (numba makes its settings at run time)


not_kept: list[str] = []
"""Why compiled code could not be read from the cache folder or written there, if so."""


@contextmanager
def _or_compile(_: Any) -> Iterator[None]:
    """Do without the cache where a file of it is damaged, or the disk is full."""
    try:
        yield
    except Exception as error:  # a damaged pickle raises anything
        said = error.strerror if isinstance(error, OSError) else None
        not_kept.append(said or "a file of it is damaged")


# numba's own guard is for Windows; elsewhere a full disk would end a run that needs no disk.
setattr(numba.core.caching.Cache, "_guard_against_spurious_io_errors", _or_compile)  # noqa: B010


def _no_blas() -> None:
    raise ImportError("herdlab compiles no linear algebra")


# Where scipy is installed numba would load all of scipy.linalg to see whether it can multiply
# matrices: a fifth of a second at every start, for something that no game loop does.
setattr(numba.np.linalg, "ensure_blas", _no_blas)  # noqa: B010

_ENGINE = partial(numba.njit, cache=True, nogil=True, error_model="numpy", _nrt=False)
_INNER = partial(_ENGINE, cache=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def _checks(function: Any) -> dict[str, Any]:
    """Return the options that check a plug-in's own code: indexes and division by zero."""
    is_ours = function.__module__.startswith(_OUR_MODULES)
    return {} if is_ours else {"boundscheck": True, "error_model": "python", "cache": False}


def njit(function: Function) -> Function:
    """Compile a helper of the engine: cached, without the interpreter's lock, no allocation."""
    return cast(Function, _ENGINE(**_checks(function))(function))


def _inner(function: Function, **options: Any) -> Function:
    """Compile what only compiled code calls, in one version per type of its arguments.

    numba tries the literals of a call first, so that ``count(herd, 3)`` and ``count(herd, 4)``
    would each compile ``count`` anew: a fifth of all compiling.
    """
    dispatcher = _INNER(**{**options, **_checks(function)})(function)
    resolve = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        plain = {name: types.unliteral(kind) for name, kind in kws.items()}
        return resolve(tuple(types.unliteral(kind) for kind in args), plain)

    dispatcher.get_call_template = get_call_template
    return cast(Function, dispatcher)


def inner(function: Function) -> Function:
    """Compile like `njit` what only compiled code calls: no wrappers for Python, no cache file.

    What is cached are the callers, with this in them.
    """
    return _inner(function)


def helper(function: Function) -> Function:
    """Compile like `inner` what strategies build on, and cache it: plug-ins then compile fast."""
    return _inner(function, cache=True)


def inner_as(signature: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Compile like `inner`, in the one version of `signature`, when a caller is compiled.

    Not at once: a caller that comes from the cache has the code in it, and loading this too would
    cost every start its time.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        dispatcher = _INNER()(function)
        resolve = dispatcher.get_call_template

        def get_call_template(args: Any, kws: Any) -> Any:
            if not dispatcher.overloads:
                dispatcher.compile(signature)
                dispatcher.disable_compile()
            return resolve(args, kws)

        dispatcher.get_call_template = get_call_template
        return cast(Callable[..., Any], dispatcher)

    return decorate


def inlined(function: Function) -> Function:
    """Compile into every caller: a call with a whole table copies a hundred words."""
    return _inner(function, forceinline=True)


def njit_as(signature: Any) -> Callable[[Function], Function]:
    """Compile like `njit`, at once and for `signature` only."""
    return cast(Callable[[Function], Function], _ENGINE(signature))


def strategy_options(is_plugin: bool) -> dict[str, Any]:
    """Return the compiler options for a strategy; a plug-in's are checked and not cached."""
    options = {**_INNER.keywords, "cache": not is_plugin}
    return {**options, "boundscheck": True, "error_model": "python"} if is_plugin else options


def address_of(function: Any, signature: Any) -> int:
    """Return where the machine code of a compiled function is, for `simcore.window.caller`."""
    with global_compiler_lock:  # in which Ctrl-C waits
        compiled = function.get_compile_result(signature)
        address: int = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
    return address


def readonly(dtype: Any, ndim: int = 1) -> Any:
    """Return the type of a contiguous array that compiled code can read and not write."""
    return types.Array(dtype, ndim, "C", readonly=True)
