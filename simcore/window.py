"""Windows: named, read-only looks at a block of memory, and named places in it.

A strategy must see several arrays and a dozen numbers.  Handed over as numba arrays these are some
sixty words copied for every question (26 ns, and half of a fast game's time); a window is one
pointer, and what a strategy does not look at costs nothing.  A window has no setters and its
arrays have read-only types unless a field says otherwise, so that a strategy which tries to write
does not compile.

A game declares each of its blocks once, as `Places`; the window on what a player sees is made from
the same names.
"""

from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.imputils import lower_constant
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import intrinsic, lower_getattr_generic, register_model, typeof_impl
from numba.np import arrayobj

WORD = 8


class Places:
    """Where numbers and arrays stand in a block of words, by name; constants in compiled code.

    ``Places(4, "turn", herds=3)`` has `turn` 4, `herds` 5, `begin` 4 and `end` 8.
    """

    def __init__(self, begin: int, *numbers: str, **arrays: int) -> None:
        """Lay out `numbers`, one word each, then `arrays` of so many words, from `begin` on."""
        self.begin = self.end = begin
        for name, words in {**dict.fromkeys(numbers, 1), **arrays}.items():
            self.__dict__[name] = self.end
            self.end += words
        self.type = _PlacesType(name=f"Places({self.__dict__})", places=dict(self.__dict__))

    def __getattr__(self, name: str) -> int:  # for mypy: what there is, is found before this
        raise AttributeError(f"no place '{name}'")  # not in what: pickle asks before `type` is set


class _PlacesType(types.Opaque):
    """The compiled type of places: a type of its own for each, since they are constants."""

    def __init__(self, name: str, places: dict[str, int]) -> None:
        self.places = places
        super().__init__(name)


register_model(_PlacesType)(models.OpaqueModel)


@typeof_impl.register(Places)
def _typeof_places(places: Places, context: Any) -> Any:
    return places.type


@lower_constant(_PlacesType)
def _lower_places(context: Any, builder: Any, kind: Any, places: Any) -> Any:
    return context.get_dummy_value()


@infer_getattr
class _Place(AttributeTemplate):
    key = _PlacesType

    def generic_resolve(self, kind: _PlacesType, name: str) -> Any:
        return types.int64 if name in kind.places else None


@lower_getattr_generic(_PlacesType)
def _lower_place(context: Any, builder: Any, kind: _PlacesType, value: Any, name: str) -> Any:
    return context.get_constant(types.int64, kind.places[name])


class Field(NamedTuple):
    """One name in a window."""

    name: str
    dtype: str = "int64"
    shape: tuple[int, ...] = ()
    """Shape of an array that stands in the block itself; () for a number."""
    is_reference: bool = False
    """The block has an array's address and, in the next word, its length."""
    is_writable: bool = False

    @property
    def words(self) -> int:
        """How many words of eight bytes it takes."""
        return 2 if self.is_reference else -(-prod(self.shape) * self.itemsize // WORD)

    @property
    def itemsize(self) -> int:
        """The bytes of one number."""
        return np.dtype(self.dtype).itemsize

    @property
    def type(self) -> Any:
        """The compiled type of the field's value."""
        dtype = getattr(types, self.dtype)
        if not self.shape and not self.is_reference:
            return dtype
        ndim = max(1, len(self.shape))
        return types.Array(dtype, ndim, "C", readonly=not self.is_writable)


class Window(types.Type):
    """The compiled type of a window with certain fields, one after another."""

    def __init__(self, title: str, *fields: Field, begin: int = 0) -> None:
        """Lay out `fields` from word `begin` of a block on."""
        self.fields = {field.name: field for field in fields}
        self.places = Places(begin, **{field.name: field.words for field in fields})
        super().__init__(name=title)

    @property
    def key(self) -> Any:
        """What tells windows apart: their fields too, not only their name."""
        return (self.name, tuple(self.fields.values()))


def laid_out(title: str, view: Any, begin: int, **shapes: tuple[int, ...]) -> tuple[Places, Window]:
    """Return where the fields of a NamedTuple stand from `begin` on, and the window on them.

    Fields with a shape are arrays, which come after the numbers.
    """
    numbers = [Field(name) for name in view._fields if name not in shapes]
    arrays = [Field(name, shape=shape) for name, shape in shapes.items()]
    window = Window(title, *numbers, *arrays, begin=begin)
    return window.places, window


@register_model(Window)
class _WindowModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, ir.IntType(64).as_pointer())


@infer_getattr
class _WindowAttribute(AttributeTemplate):
    key = Window

    def generic_resolve(self, window: Window, name: str) -> Any:
        field = window.fields.get(name)
        return None if field is None else field.type


@lower_getattr_generic(Window)
def _lower_field(context: Any, builder: Any, window: Window, value: Any, name: str) -> Any:
    field = window.fields[name]
    word = context.get_constant(types.intp, getattr(window.places, name) - window.places.begin)
    place = builder.gep(value, [word])
    if not isinstance(field.type, types.Array):
        return builder.load(place)
    shape = [context.get_constant(types.intp, n) for n in field.shape]
    if field.is_reference:
        length = builder.gep(value, [builder.add(word, context.get_constant(types.intp, 1))])
        shape = [builder.load(length)]
        place = builder.inttoptr(builder.load(place), ir.IntType(8).as_pointer())
    strides = [field.itemsize * prod(field.shape[axis + 1 :]) for axis in range(len(shape))]
    array = context.make_array(field.type)(context, builder)
    arrayobj.populate_array(
        array,
        data=builder.bitcast(place, array.data.type),
        shape=shape,
        strides=[context.get_constant(types.intp, stride) for stride in strides],
        itemsize=context.get_constant(types.intp, field.itemsize),
        meminfo=None,
    )
    return array._getvalue()


def caller(signature: Any) -> Callable[[int, int, Any, Any], int]:
    """Return a compiled function (address, decision, view, me) -> answer of a strategy.

    It calls whatever function of this `signature` was compiled to that address, as numba calls its
    own: an exception goes on to the caller.  (numba's first-class functions do the same, but look
    each of them up with the interpreter's help whenever compiled code is entered: a millisecond
    for four.)
    """

    @intrinsic
    def call(typingctx: Any, address: Any, decision: Any, view: Any, me: Any) -> Any:
        def codegen(context: Any, builder: Any, _: Any, args: Any) -> Any:
            convention = context.call_conv
            kind = convention.get_function_type(signature.return_type, signature.args)
            function = builder.inttoptr(args[0], kind.as_pointer())
            status, answer = convention.call_function(
                builder, function, signature.return_type, signature.args, args[1:]
            )
            with cgutils.if_unlikely(builder, status.is_error):
                convention.return_status_propagate(builder, status)
            return answer

        return signature.return_type(types.int64, *signature.args), codegen

    return call


def opener(window: Window) -> Callable[[Any, int], Any]:
    """Return a compiled function (array, word) -> window on that array from that word on."""

    @intrinsic
    def look(typingctx: Any, array: Any, word: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            block = context.make_array(signature.args[0])(context, builder, args[0])
            words = builder.bitcast(block.data, ir.IntType(64).as_pointer())
            return builder.gep(words, [args[1]])

        return window(array, types.int64), codegen

    return look


@intrinsic
def address(typingctx: Any, array: Any) -> Any:
    """Return where an array begins, for a block that refers to it."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        block = context.make_array(signature.args[0])(context, builder, args[0])
        return builder.ptrtoint(block.data, ir.IntType(64))

    return types.int64(array), codegen
