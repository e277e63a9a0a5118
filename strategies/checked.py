"""Compiles a plug-in's code so that it cannot reach beyond what it is shown.

Every function that a plug-in's strategy calls, its own or herdlab's, is compiled again as a
*checked twin*: with its indexes checked, and refused if it uses what is not allowed.  The engines
and built-in strategies use the functions themselves, which stay as fast as they are.
"""

import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numba
import numpy as np
from numba.core import ir
from numba.core.caching import Cache, CompileResultCacheImpl
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.dispatcher import Dispatcher
from numba.core.typed_passes import NopythonTypeInference
from numba.core.untyped_passes import IRProcessing, LiteralPropagationSubPipelinePass

from herdlab.simcore._jit import strategy_options
from herdlab.strategies.allowed import Code, is_ours

_twins: dict[Callable[..., Any], Any] = {}
_checked: set[Any] = set()
"""The twins, as they are known where they are called."""
_constants: dict[int, Any] = {}
"""Copies of arrays that plug-ins read, by identity: their code refers to large ones by address."""
_lock = threading.RLock()


class _TwinCacheImpl(CompileResultCacheImpl):  # type: ignore[misc]
    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        return f"checked.{super().get_filename_base(fullname, abiflags)}"


class _TwinCache(Cache):  # type: ignore[misc]
    """Keeps twins of herdlab's own functions apart from the functions themselves."""

    _impl_class = _TwinCacheImpl


def twin_of(function: Callable[..., Any]) -> Any:
    """Return a Python function compiled with checks, for plug-ins to call."""
    with _lock:
        if function not in _twins:
            twin = numba.njit(**checked_options(function))(function)
            if is_ours(function):
                twin._cache = _TwinCache(function)
            _twins[function] = twin
            _checked.add(twin)
        return _twins[function]


def checked_options(function: Any) -> dict[str, Any]:
    """Return the compiler options for a function that a plug-in has or calls."""
    options = {**strategy_options(is_plugin=True), "pipeline_class": _CheckedCompiler}
    return {**options, "error_model": "numpy"} if is_ours(function) else options


def _constant(array: Any) -> Any:
    """Return a copy of an array, so that nothing changes or frees what compiled code reads."""
    if id(array) in _constants:
        return array
    copy = np.array(array, order="C")
    copy.flags.writeable = False
    _constants[id(copy)] = copy
    return copy


def _replaced(value: Any) -> Any:
    """Return what a plug-in gets in place of a global value: a twin, or a copy."""
    if isinstance(value, Dispatcher):
        return value if value in _checked else twin_of(value.py_func)
    if isinstance(value, np.ndarray):
        return _constant(value)
    return value


@register_pass(mutates_CFG=False, analysis_only=False)
class _UseTwins(FunctionPass):  # type: ignore[misc]
    """Let a plug-in's code refer to twins and to constants of its own."""

    _name = "herdlab_use_twins"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        is_changed = False
        for block in state.func_ir.blocks.values():
            for one in block.body:
                if not isinstance(one, ir.Assign):
                    continue
                known = _known_value(one.value, state.func_ir)
                replaced = _replaced(known)
                if replaced is not known:
                    one.value = ir.Global(_name_of(one.value), replaced, one.loc)
                    state.func_ir._definitions[one.target.name] = [one.value]
                    is_changed = True
        return is_changed


def _known_value(value: Any, func_ir: Any) -> Any:
    """Return what a step takes from outside the function, such as ``helpers.peek``."""
    if isinstance(value, ir.Global | ir.FreeVar):
        return value.value
    if isinstance(value, ir.Expr) and value.op == "getattr":
        try:
            owner = _known_value(func_ir.get_definition(value.value), func_ir)
        except KeyError:
            return None
        if isinstance(owner, ModuleType):
            return getattr(owner, value.attr, None)
    return None


def _name_of(value: Any) -> str:
    return str(value.attr if isinstance(value, ir.Expr) else value.name)


@register_pass(mutates_CFG=False, analysis_only=True)
class _Check(FunctionPass):  # type: ignore[misc]
    """Refuse what is not on the list."""

    _name = "herdlab_check"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        ours = is_ours(state.func_id.func)
        Code(state.func_ir, state.typemap, _checked, is_ours=ours).check()
        return False


class _CheckedCompiler(CompilerBase):  # type: ignore[misc]
    """numba's compiler with these passes in it."""

    def define_pipelines(self) -> list[Any]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(_UseTwins, IRProcessing)
        passes.add_pass_after(_UseTwins, LiteralPropagationSubPipelinePass)
        passes.add_pass_after(_Check, NopythonTypeInference)
        passes.finalize()
        return [passes]
