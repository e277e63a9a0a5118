"""Compiles strategies, and says in a sentence why one does not compile."""

import re
import warnings
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from herdlab.simcore.errors import BadInput

_PLAIN_FUNCTION = re.compile(
    r"Untyped global name '(\w+)'.*type of <class 'function'>", flags=re.DOTALL
)


def compile_strategy(
    function: Callable[..., int], signature: Any, title: str, *, is_plugin: bool
) -> Any:
    """Compile the strategy `title`; refuse one that does not, or whose answer is no integer.

    A plug-in is compiled afresh in every process, with its indexes checked and only if it uses
    nothing but what is allowed: it is somebody's first try, it may import files that no cache
    knows of, and it takes a fraction of a second.
    """
    import numba
    from numba import types

    from herdlab.simcore._jit import strategy_options
    from herdlab.simcore.compile_once import compiled_once
    from herdlab.strategies.allowed import Refused
    from herdlab.strategies.checked import checked_options

    options = checked_options(function) if is_plugin else strategy_options(is_plugin=False)
    name = f"{function.__module__}.{function.__qualname__}"
    kept = nullcontext() if is_plugin else compiled_once(name)
    try:
        with kept, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what is refused is said in one sentence
            compiled = numba.njit(signature.args, **options)(function)
            answer = compiled.nopython_signatures[0].return_type
            if isinstance(answer, types.Integer | types.Boolean) and answer != types.int64:
                compiled = numba.njit(signature, **options)(function)
                answer = types.int64
    except Refused as refused:
        raise BadInput(
            f"strategy {title} does not compile: {refused.place} {refused.what}"
        ) from None
    except Exception as error:  # numba's own errors have no common base
        raise BadInput(f"strategy {title} does not compile: {_reason(error)}") from None
    if answer != types.int64:
        raise BadInput(
            f"strategy {title} must return a whole number on every path, and returns "
            f"{_in_words(answer)}"
        )
    return compiled


def _in_words(answer: Any) -> str:
    """Return what a compiled type is to somebody who writes Python."""
    name = str(answer)
    if "str" in name.lower() or "unicode" in name.lower():
        return "text"
    if "none" in name.lower() or "optional" in name.lower():
        return "nothing on some path"
    return "a float" if name.startswith("float") else name


def _reason(error: Exception) -> str:
    """Return the telling line of a compiler's message."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    if "NRT required" in text or re.search(r"function (zeros|ones|empty|full|array|arange)>", text):
        return (
            "it makes an array, list or other object while it plays; keep numbers in me.notebook "
            "instead"
        )
    if re.search(r"function (npy_|a?)(max|min) ", text):
        return "it uses .max() or .min() of an array; write max(array) or min(array) instead"
    if found := _PLAIN_FUNCTION.search(text):
        return (
            f"it calls '{found[1]}', which is plain Python; put @inner from herdlab.simcore._jit "
            f"above it"
        )
    if isinstance(error, AttributeError):  # numba stumbles over what it does not expect
        return "numba cannot compile it; use single numbers and loops"
    if "Cannot modify readonly array" in text:
        return "it writes to what it is only shown; a strategy writes nothing but me.notebook"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith(("Failed in", "File ", "-", "During"))]
    return (telling or lines or [type(error).__name__])[0].rstrip(":")
