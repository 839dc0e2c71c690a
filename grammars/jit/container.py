"""Many arrays behind one pointer: a kernel takes a container as a single argument, whatever it holds.

A container is a table of addresses and shapes. Kernels read fields without counting references, which in numba's own
structures is an atomic operation a read and was more than half of the time of a mask: who makes a container keeps its
arrays alive.
"""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Mapping
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.extending import (
    NativeValue,
    infer_getattr,
    intrinsic,
    lower_getattr_generic,
    lower_setattr_generic,
    register_model,
    typeof_impl,
    unbox,
)
from numba.core.typing.templates import AttributeTemplate
from numba.np.arrayobj import make_array, populate_array
from numba.np.numpy_support import as_dtype
from numpy.typing import NDArray

_WORDS = 3  # of a field in the table: address, and up to two lengths


class ContainerType(types.Type):  # type: ignore[misc]
    """Numba type of containers with certain fields.

    Args:
        name: of the type; two types with the same name and the same fields are the same type.
        fields: numba type of each field, an array or another container.
        changing: fields that a kernel may read after it has set them.
    """

    def __init__(self, name: str, fields: Mapping[str, types.Type], changing: frozenset[str] = frozenset()) -> None:
        self.fields = dict(fields)
        self.changing = changing
        self.dtypes = {
            name: as_dtype(field.dtype) for name, field in self.fields.items() if not isinstance(field, ContainerType)
        }
        self.places = {field: i * _WORDS for i, field in enumerate(fields)}
        # Of the layout too: a kernel that was kept knows where the fields are.
        layout = hashlib.sha256(repr([*self.fields.items()]).encode()).hexdigest()
        super().__init__(name=f"{name} {layout[:8]}")


def fields_of(**names: str) -> dict[str, types.Type]:
    """Field types: of one dimension as ``int32="a b c"``, of two as ``int32_rows="d e"``."""
    fields = {}
    for form, listed in names.items():
        dtype, _, is_rows = form.partition("_")
        kind = types.Array(getattr(types, dtype), 2 if is_rows else 1, "C")
        fields.update(dict.fromkeys(listed.split(), kind))
    return fields


class Container(int):
    """Arrays and other containers by name, as one argument for kernels: a number, the address of the table.

    Args:
        kind: names and types of the fields.
        values: of the fields; one that is missing has to be set by a kernel before it is read. What kernels set must be
            kept alive by others.
    """

    kind: ContainerType
    _table: NDArray[np.int64]
    _held: dict[str, Any]
    _placed: NDArray[np.int64]

    def __new__(cls, kind: ContainerType, values: Mapping[str, Any]) -> Container:
        return cls._with(kind, np.zeros(_WORDS * len(kind.fields), dtype=np.int64), {})

    @classmethod
    def _with(cls, kind: ContainerType, table: NDArray[np.int64], held: dict[str, Any]) -> Container:
        self = int.__new__(cls, table.__array_interface__["data"][0])
        self.kind, self._table, self._held = kind, table, held
        return self

    def __init__(self, kind: ContainerType, values: Mapping[str, Any]) -> None:
        for name, value in values.items():
            self.put(name, value)

    def put(self, name: str, value: Any) -> None:
        """Sets a field."""
        place = self.kind.places[name]
        if isinstance(value, Container):
            self._table[place] = value
        else:
            field = self.kind.fields[name]
            if value.dtype != self.kind.dtypes[name] or value.ndim != field.ndim:
                raise TypeError(f"{value.dtype}[{value.ndim}d] for a field of {field}")
            value = np.require(value, requirements=("C",))
            self._table[place] = value.__array_interface__["data"][0]
            self._table[place + 1 : place + 1 + value.ndim] = value.shape
        self._held[name] = value

    def place(self, places: Mapping[str, tuple[int, tuple[int, ...]]]) -> None:
        """Sets fields to offsets and lengths of arrays in a memory that is yet to come, see `at`."""
        for name, (offset, lengths) in places.items():
            place = self.kind.places[name]
            self._table[place] = offset
            self._table[place + 1 : place + 1 + len(lengths)] = lengths
        self._placed = np.array([self.kind.places[name] for name in places], dtype=np.int64)

    def at(self, memory: NDArray[np.uint8]) -> Container:
        """The same container with the arrays that were placed in this memory."""
        table = self._table.copy()
        table[self._placed] += memory.__array_interface__["data"][0]
        return self._with(self.kind, table, self._held | {"": memory})


class PlainContainer:
    """The same fields on a plain object, for runs with compilation switched off."""

    kind_of_container: ContainerType

    def __init__(self, kind: ContainerType, values: Mapping[str, Any]) -> None:
        self.__dict__.update(values, kind_of_container=kind)

    def put(self, name: str, value: Any) -> None:
        """Sets a field."""
        setattr(self, name, value)


def new_container(kind: ContainerType, values: Mapping[str, Any]) -> Any:
    """A `Container`, or where compilation is switched off a `PlainContainer`."""
    return PlainContainer(kind, values) if numba.config.DISABLE_JIT else Container(kind, values)


def as_field(array: NDArray[Any]) -> NDArray[Any]:
    """The array, contiguous and writable: others are of another type, for which every kernel is compiled again."""
    return array if array.flags.carray else np.require(array, requirements=("C", "W"))


@typeof_impl.register(Container)  # type: ignore[untyped-decorator]
def _typeof(value: Container, context: Any) -> ContainerType:
    return value.kind


@typeof_impl.register(PlainContainer)  # type: ignore[untyped-decorator]
def _typeof_plain(value: PlainContainer, context: Any) -> ContainerType:
    return value.kind_of_container


register_model(ContainerType)(models.OpaqueModel)


@unbox(ContainerType)  # type: ignore[untyped-decorator]
def _unbox(kind: ContainerType, value: Any, c: Any) -> NativeValue:
    return NativeValue(c.pyapi.long_as_voidptr(value), is_error=c.pyapi.c_api_error())


@infer_getattr
class _Fields(AttributeTemplate):  # type: ignore[misc]
    key = ContainerType

    def generic_resolve(self, kind: ContainerType, name: str) -> types.Type | None:
        return kind.fields.get(name)


def _word(builder: Any, container: Any, index: int) -> Any:
    table = builder.bitcast(container, cgutils.intp_t.as_pointer())
    return cgutils.gep_inbounds(builder, table, index)


@lower_getattr_generic(ContainerType)  # type: ignore[untyped-decorator]
def _get(context: Any, builder: Any, kind: ContainerType, container: Any, name: str) -> Any:
    """The field, as an array that owns nothing.

    The loads may be moved and merged: no kernel reads a field that it has set, but for those that are `changing`.
    """
    field, place = kind.fields[name], kind.places[name]
    fixed = None if name in kind.changing else builder.module.add_metadata([])

    def load(index: int) -> Any:
        value = builder.load(_word(builder, container, place + index))
        if fixed is not None:
            value.set_metadata("invariant.load", fixed)
        return value

    address = load(0)
    if isinstance(field, ContainerType):
        return builder.inttoptr(address, cgutils.voidptr_t)
    array = make_array(field)(context, builder)
    size = context.get_constant(types.intp, field.dtype.bitwidth // 8)
    shape = [load(1 + i) for i in range(field.ndim)]
    strides = [size] if field.ndim == 1 else [builder.mul(size, shape[1]), size]
    data = builder.inttoptr(address, array.data.type)
    populate_array(array, data=data, shape=shape, strides=strides, itemsize=size, meminfo=None)
    return array._getvalue()


@lower_setattr_generic(ContainerType)  # type: ignore[untyped-decorator]
def _set(context: Any, builder: Any, signature: Any, arguments: Any, name: str) -> None:
    kind, given = signature.args
    container, value = arguments
    field, place = kind.fields[name], kind.places[name]
    if isinstance(field, ContainerType):
        builder.store(builder.ptrtoint(value, cgutils.intp_t), _word(builder, container, place))
        return
    array = make_array(field)(context, builder, value=context.cast(builder, value, given, field))
    builder.store(builder.ptrtoint(array.data, cgutils.intp_t), _word(builder, container, place))
    for i in range(field.ndim):
        builder.store(builder.extract_value(array.shape, i), _word(builder, container, place + 1 + i))


@intrinsic  # type: ignore[untyped-decorator]
def _reread(context: Any, container: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        # Nothing is done, but what is stored before is stored, and what is read of the answer is read after.
        kind = ir.FunctionType(arguments[0].type, [arguments[0].type])
        return builder.asm(kind, "", "=r,0,~{memory}", arguments, side_effect=True)

    return container(container), generate


@intrinsic  # type: ignore[untyped-decorator]
def table_of(context: Any, container: Any) -> Any:
    """The table of a container, so that fields can be set in a loop: address and up to two lengths each."""
    words = types.Array(types.int64, 1, "C")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = make_array(words)(context, builder)
        size, length = (context.get_constant(types.intp, number) for number in (8, _WORDS * len(container.fields)))
        data = builder.bitcast(arguments[0], array.data.type)
        populate_array(array, data=data, shape=[length], strides=[size], itemsize=size, meminfo=None)
        return array._getvalue()

    return words(container), generate


def _same(container: Any) -> Any:
    return container


reread: Any = _same if numba.config.DISABLE_JIT else _reread
"""The container for reading fields that the same kernel has set before; elsewhere no kernel may do that."""


@intrinsic  # type: ignore[untyped-decorator]
def _int64s_at(context: Any, address: Any, length: Any) -> Any:
    kind = types.Array(types.int64, 1, "C")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = make_array(kind)(context, builder)
        size = context.get_constant(types.intp, 8)
        data = builder.inttoptr(arguments[0], array.data.type)
        populate_array(array, data=data, shape=[arguments[1]], strides=[size], itemsize=size, meminfo=None)
        return array._getvalue()

    return kind(types.int64, types.int64), generate


def _plain_int64s_at(address: Any, length: Any) -> NDArray[np.int64]:
    return np.ctypeslib.as_array((ctypes.c_int64 * int(length)).from_address(int(address)))


int64s_at: Any = _plain_int64s_at if numba.config.DISABLE_JIT else _int64s_at
"""An int64 array over memory at an address, which the caller keeps alive."""
