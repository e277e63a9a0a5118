"""What compiled code of a plug-in may use, as a list of what is allowed.

numba knows hundreds of functions that read or write memory without a check: ``array.flat``,
`numba.carray`, intrinsics, ctypes.  A list of those would have gaps.  So this is a list of what
cannot reach anything but what a strategy is shown: numbers, tuples, arrays by index, reductions.
Everything else is refused before it is compiled to machine code.
"""

import builtins
import inspect
import math
import operator
import sys
from collections.abc import Iterable
from pathlib import Path
from types import BuiltinFunctionType
from typing import Any

import numpy as np
from numba import types
from numba.core import ir

from herdlab.simcore import bits
from herdlab.simcore.rng import Luck
from herdlab.simcore.window import Window

_OURS = [Path(__file__).parent.parent / package for package in ("simcore", "strategies")]

_BUILTINS = (abs, bool, complex, divmod, enumerate, float, int, len, max, min, pow, range, round)
_OF_AN_ARRAY = (np.all, np.any, np.argmax, np.argmin, np.mean, np.prod, np.sum)
"""Not np.max and np.min, for which numba makes arrays."""
_OF_ANYTHING = {enumerate, len, max, min, builtins.slice, sum, zip, *_OF_AN_ARRAY}
"""Functions that take arrays, tuples or None, not only numbers."""
_BITS = (bits.ones, bits.lowest, bits.highest)
_OF_NUMBERS = {
    one
    for module in (math, operator)
    for one in vars(module).values()
    if isinstance(one, BuiltinFunctionType)  # and nothing that a plug-in has put there
}
"""All that numba knows of these works on numbers and tuples."""
_FUNCTIONS = {*_BUILTINS, *_OF_ANYTHING, *_BITS, *_OF_NUMBERS}
_ATTRIBUTES = {"shape", "size", "ndim", "dtype", "itemsize", "nbytes"}
_METHODS = {"all", "any", "argmax", "argmin", "mean", "prod", "sum", "view"}
_ON_ARRAYS = {operator.contains}
_HARMLESS = {
    *("iternext", "pair_first", "pair_second", "exhaust_iter"),
    *("phi", "cast", "build_tuple", "null", "undef"),
}
"""Steps of numba's own that only move values which were checked where they came from."""
_TRY = "mark_try_block"
_STATEMENTS = (ir.Del, ir.Jump, ir.Branch, ir.Return, ir.PopBlock, ir.StaticRaise)
_INSTEAD = {
    ir.Print: "prints while it plays; watch a game with 'herdlab trace' instead",
    ir.EnterWith: "uses 'with', which a strategy cannot",
    ir.SetAttr: "writes to what it is only shown; a strategy writes nothing but me.notebook",
    ir.Yield: "uses 'yield'; a strategy returns one whole number",
}


class Refused(Exception):
    """Something that a strategy may not use."""

    def __init__(self, what: str, place: str) -> None:
        super().__init__(what)
        self.what, self.place = what, place


class Code:
    """One function of a plug-in, as numba has typed it."""

    def __init__(self, func_ir: Any, types_of: Any, checked: Any, *, is_ours: bool) -> None:
        """Take numba's code and types; `checked` are the functions that were checked themselves."""
        self._ir, self._types, self._checked, self._is_ours = func_ir, types_of, checked, is_ours
        self._line = func_ir.loc.line

    def check(self) -> None:
        """Raise Refused if it uses anything that is not on the list."""
        self._require(not self._ir.is_generator, _INSTEAD[ir.Yield])
        for block in self._ir.blocks.values():
            for statement in block.body:
                self._line = statement.loc.line
                self._check_statement(statement)

    def _refuse(self, what: str) -> None:
        function = self._ir.func_id
        file = Path(function.filename).name
        raise Refused(what, f"line {self._line} of {file} ({function.func_name})")

    def _require(self, is_allowed: bool, otherwise: str) -> None:
        if not is_allowed:
            self._refuse(otherwise)

    def _type(self, variable: Any) -> Any:
        return self._types[variable.name]

    def _check_statement(self, statement: Any) -> None:
        if isinstance(statement, ir.Assign):
            self._check_value(statement.value, self._type(statement.target))
        elif isinstance(statement, ir.SetItem | ir.StaticSetItem):
            self._check_write(statement)
        elif not isinstance(statement, _STATEMENTS):
            self._refuse(_instead(statement))

    def _check_value(self, value: Any, result: Any) -> None:
        if isinstance(value, ir.Expr):
            check = getattr(self, f"_check_{value.op}", None)
            if check is not None:
                check(value, result)
                return
            self._require(
                value.op in _HARMLESS,
                f"makes a list, set, dictionary or function ({value.op.replace('_', ' ')}); "
                f"keep numbers in me.notebook instead",
            )
        elif isinstance(value, ir.Global | ir.FreeVar | ir.Const | ir.Arg):
            name = str(getattr(value, "name", None) or getattr(value, "value", value))
            if isinstance(value, ir.Arg):
                is_default = isinstance(self._types.get(f"arg.{name}"), types.Omitted)
                is_good = _is_plain(result) or not is_default
                self._require(is_good, f"has a default value of '{name}' that is no number")
            elif _has_writable(result):
                self._refuse(f"could write to '{name}'; keep numbers in me.notebook")
            self._require(
                _is_value(result) or _is_callable(result),
                f"uses '{name}', which is none of: numbers, tuples, constant arrays, functions "
                f"marked @inner",
            )
        elif not isinstance(value, ir.Var):
            self._refuse(_instead(value))

    def _check_write(self, statement: Any) -> None:
        target = self._type(statement.target)
        self._require(_is_array(target) and target.mutable, _INSTEAD[ir.SetAttr])
        self._check_luck(target)
        self._check_index(statement)
        is_one = _is_number(self._type(statement.value))
        self._require(
            is_one, "writes more than one number at a time; write me.notebook[i] = number"
        )

    def _check_index(self, step: Any) -> None:
        """Allow whole numbers and slices, which numba checks."""
        if isinstance(step.index, ir.Var):
            kind = self._type(step.index)
            parts = kind.types if isinstance(kind, types.BaseTuple) else (kind,)
            is_good = all(isinstance(one, types.Integer | types.SliceType) for one in parts)
        else:
            parts = step.index if isinstance(step.index, tuple) else (step.index,)
            is_good = all(isinstance(one, int | np.integer | slice) for one in parts)
        self._require(is_good, "has an index that is no whole number; use array[i] or array[i, j]")

    def _check_luck(self, array: Any) -> None:
        """Keep plug-ins from reading or setting their luck, which a promise could hide behind."""
        if not self._is_ours and _is_luck(array):
            self._refuse("looks into me.luck; draw with below(me.luck, n) from herdlab.simcore.rng")

    def _check_getitem(self, step: Any, result: Any) -> None:
        looked_at = self._type(step.value)
        if isinstance(looked_at, types.BaseTuple):
            return
        good = _is_array(looked_at)
        self._require(good, f"takes a part of {_words(looked_at)}; use arrays and tuples")
        self._check_luck(looked_at)
        self._check_index(step)
        self._check_kept(looked_at, result)

    _check_static_getitem = _check_typed_getitem = _check_getitem

    def _check_kept(self, array: Any, result: Any) -> None:
        self._require(array.mutable or not _has_writable(result), _INSTEAD[ir.SetAttr])

    def _check_getiter(self, step: Any, result: Any) -> None:
        over = self._type(step.value)
        if _is_array(over):
            self._check_luck(over)
            self._check_kept(over, result.yield_type)
        elif not isinstance(over, types.BaseTuple | types.RangeType | types.IteratorType):
            self._refuse(f"loops over {_words(over)}; loop over a range, an array or a tuple")

    def _check_getattr(self, step: Any, result: Any) -> None:
        owner = self._type(step.value)
        if isinstance(owner, Window | types.BaseNamedTuple | types.Number):
            return
        if _is_array(owner):
            self._require(
                step.attr in _ATTRIBUTES | _METHODS,
                f"uses .{step.attr} of an array; use array[i, j], .shape, .sum(), max(array) or a "
                f"loop",
            )
            if step.attr in _METHODS:
                self._check_luck(owner)
        elif isinstance(owner, types.Module):
            if not (_is_value(result) or _is_callable(result)) or _has_writable(result):
                self._refuse(f"uses {owner.pymod.__name__}.{step.attr}, which a strategy cannot")
        else:
            self._refuse(f"uses .{step.attr} of {_words(owner)}, which a strategy cannot")

    def _check_binop(self, step: Any, result: Any) -> None:
        operands = [self._type(one) for one in step.list_vars()]
        for one in operands:
            if _is_array(one) and step.fn in _ON_ARRAYS:
                self._check_luck(one)
            elif not _is_plain(one):
                self._refuse(f"calculates with {_words(one)}; use single numbers, array[i]")

    _check_inplace_binop = _check_unary = _check_binop

    def _check_call(self, step: Any, result: Any) -> None:
        function = self._type(step.func)
        given = [self._type(one) for one in (*step.args, *(kind for _, kind in step.kws))]
        if step.vararg is not None:
            given += self._type(step.vararg).types
        if isinstance(function, types.RecursiveCall):
            self._refuse("has a function that calls itself; use a loop")
        elif isinstance(function, types.Dispatcher):
            if function.dispatcher not in self._checked:
                self._refuse(f"calls {_words(function)}; put @inner above a helper function")
            self._check_luck_given(function.dispatcher.py_func, step, given)
        elif isinstance(function, types.BoundFunction):
            self._check_method(function, given, result)
        elif isinstance(function, types.NumberClass | types.ExceptionClass):
            self._check_numbers(given, str(function))
        elif isinstance(function, types.Function):
            self._check_meaning(function.templates)
            self._check_function(function.typing_key, given)
        else:
            self._refuse(f"calls {_words(function)}, which a strategy cannot")

    def _check_luck_given(self, called: Any, step: Any, given: list[Any]) -> None:
        """Let herdlab's own functions have me.luck only where they draw from it.

        Others, such as one that takes a card from a pile, would hand out what is in it.
        """
        if self._is_ours or not is_ours(called):
            return
        takes = inspect.signature(called).parameters
        names = [*list(takes)[: len(step.args)], *(name for name, _ in step.kws)]
        names += list(takes)[len(step.args) :][: len(given) - len(names)]  # of *arguments
        for name, one in zip(names, given, strict=True):
            if _is_luck(one) and takes[name].annotation != Luck:
                self._refuse(
                    f"gives me.luck to '{called.__name__}', which does not draw from it; draw with "
                    f"below(me.luck, n) from herdlab.simcore.rng"
                )

    def _check_method(self, method: Any, given: Iterable[Any], result: Any) -> None:
        """Allow methods of arrays; which ones was checked where they were looked up."""
        self._check_meaning([method.template])
        array = method.this
        if not _is_array(array) or any(not isinstance(one, types.NumberClass) for one in given):
            self._refuse(f"calls {_words(method)}, which a strategy cannot")
        if isinstance(result, types.Array):  # of .view
            if array.layout != "C":
                self._refuse("sees a part of an array as another type; see the whole one so")
            self._check_kept(array, result)
            if result.mutable and result.dtype == types.uint64:
                self._refuse("sees me.notebook as uint64; use int64 or float64")

    def _check_meaning(self, templates: Iterable[Any]) -> None:
        """Refuse a function that somebody has given another meaning, with numba's `overload`."""
        for one in templates:
            meaning = getattr(one, "_overload_func", None)
            if meaning is not None and not _is_of_numba(meaning):
                what = f"{meaning.__name__} of {meaning.__module__}"
                self._refuse(f"uses {what}, which changes numba")

    def _check_function(self, function: Any, given: list[Any]) -> None:
        name = getattr(function, "__name__", str(function))
        if name == _TRY:
            self._refuse("uses 'try', which a strategy cannot; test first: if i < len(array)")
        if function not in _FUNCTIONS and not isinstance(function, np.ufunc):
            self._refuse(f"calls {name}, which a strategy cannot; use arithmetic, math and loops")
        if function not in _OF_ANYTHING:
            self._check_numbers(given, name)
            return
        for one in given:
            self._require(_is_value(one), f"calls {name} with {_words(one)}")
            if _is_array(one) and function is not len:
                self._check_luck(one)

    def _check_numbers(self, given: Iterable[Any], name: str) -> None:
        for one in given:
            words = f"calls {name} with {_words(one)}; give it single numbers, array[i]"
            self._require(_is_plain(one), words)


def is_ours(function: Any) -> bool:
    """Whether a function was written for herdlab itself."""
    path = Path(function.__code__.co_filename)
    return any(folder in path.parents for folder in _OURS)


def _is_luck(one: Any) -> bool:
    """Whether it is an array such as me.luck: nothing else that can be written has its type."""
    return isinstance(one, types.Array) and one.mutable and one.dtype == types.uint64


def _is_of_numba(function: Any) -> bool:
    """Whether a function was written in numba, or made by it; a name alone could be borrowed."""
    names = function.__globals__
    owner = names.get("__name__")
    if owner is None:  # how numba makes functions from text
        return True
    return str(owner).startswith("numba.") and vars(sys.modules.get(owner, sys)) is names


def _is_number(one: Any) -> bool:
    return isinstance(types.unliteral(one), types.Number | types.Boolean)


def _is_array(one: Any) -> bool:
    """Whether it is an array of numbers, and no subclass with habits of its own."""
    return type(one) is types.Array and isinstance(one.dtype, types.Number | types.Boolean)


def _is_plain(one: Any) -> bool:
    """Whether it is a number, text, None, or a tuple of such."""
    if isinstance(one, types.BaseTuple):
        return all(_is_plain(part) for part in one.types)
    texts = types.UnicodeType | types.StringLiteral
    return _is_number(one) or isinstance(one, types.NoneType | texts)


def _is_value(one: Any) -> bool:
    if isinstance(one, types.BaseTuple):
        return all(_is_value(part) for part in one.types)
    if isinstance(one, types.SliceType | types.RangeType | types.IteratorType):
        return True
    return _is_plain(one) or _is_array(one) or isinstance(one, Window)


def _is_callable(one: Any) -> bool:
    """Whether it is something to call, which is checked where it is called."""
    functions = types.Function | types.Dispatcher | types.RecursiveCall
    return isinstance(one, functions | types.NumberClass | types.ExceptionClass | types.Module)


def _has_writable(one: Any) -> bool:
    if isinstance(one, types.BaseTuple):
        return any(_has_writable(part) for part in one.types)
    return isinstance(one, types.Array) and one.mutable


def _instead(step: Any) -> str:
    """Return what a step does that a strategy cannot."""
    uses = f"uses '{type(step).__name__.lower()}', which a strategy cannot"
    return _INSTEAD.get(type(step), uses)


def _words(one: Any) -> str:
    """Return what a compiled type is to somebody who writes Python."""
    if isinstance(one, types.Array):
        return "a whole array"
    if isinstance(one, types.Dispatcher):
        return f"'{one.dispatcher.py_func.__name__}'"
    if isinstance(one, types.BoundFunction):
        return f"'.{str(one.typing_key).rsplit('.', maxsplit=1)[-1]}' with arguments"
    return f"something of type {str(one)[:60]}"
