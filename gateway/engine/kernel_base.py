"""What compiled kernels are made with: how they are compiled and kept, and how they read and write numbers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from llvmlite.binding import get_host_cpu_features
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from grammars.machine_code import KernelCache

# Sums may be taken in any order and products fused into sums; nan and infinity stay what they are.
FAST = {"reassoc", "contract", "arcp", "nsz"}
Kernel = Callable[..., Any]


@cache
def _sources() -> str:
    """Of all kernels, since they call each other."""
    files = sorted(Path(__file__).parent.glob("*kernel*.py"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def kernel(function: Kernel) -> Kernel:
    """Compiled on first use, kept on disk, run without the GIL."""
    compiled: Any = numba.njit(nogil=True, error_model="numpy", fastmath=FAST)(function)
    if not numba.config.DISABLE_JIT:
        compiled._cache = KernelCache(function, _sources())
    return compiled  # type: ignore[no-any-return]


LANES = 16
"""Numbers that are unpacked at once."""

_FLOATS, _INTS = ir.VectorType(ir.FloatType(), LANES), ir.VectorType(ir.IntType(32), LANES)
_BYTES = ir.VectorType(ir.IntType(8), LANES)


def _address(context: Any, builder: Any, array_type: Any, array: Any, index: Any, kind: Any) -> Any:
    """A pointer to vectors at an index of an array."""
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), kind.as_pointer())


def _unpacking(shift: int | None) -> Any:
    """A function (codes, at, scale, least, out, to): out[to + i] = code[i] * scale + least, for the codes in `LANES`
    bytes from `at` on. In vectors of its own, since LLVM makes none of loops that are so short.

    Args:
        shift: Codes are the four bits of a byte from there on; None: all eight.
    """

    @intrinsic  # type: ignore[untyped-decorator]
    def unpack(typing: Any, codes: Any, at: Any, scale: Any, least: Any, out: Any, to: Any) -> Any:
        signature = types.void(codes, types.int64, types.float32, types.float32, out, types.int64)

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            source = builder.load(_address(context, builder, codes, args[0], args[1], _BYTES), align=1)
            if shift is not None:
                shifted = builder.lshr(source, ir.Constant(_BYTES, [shift] * LANES))
                source = builder.and_(shifted, ir.Constant(_BYTES, [15] * LANES))
            factor, least = (_splat(builder, each, _FLOATS) for each in args[2:4])
            wide = builder.zext(source, _INTS)
            scaled = builder.fmul(builder.sitofp(wide, _FLOATS), factor, flags=("contract",))
            target = _address(context, builder, out, args[4], args[5], _FLOATS)
            builder.store(builder.fadd(scaled, least, flags=("contract",)), target, align=4)
            return context.get_dummy_value()

        return signature, generate

    return unpack


def _splat(builder: Any, number: Any, kind: Any) -> Any:
    nothing = ir.Constant(kind, ir.Undefined)
    one = builder.insert_element(nothing, number, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(
        one, nothing, ir.Constant(ir.VectorType(ir.IntType(32), kind.count), [0] * kind.count)
    )


def _dot_product(num_bits: int) -> Any:
    """A function (codes, at, scales, row, x, x_scales): the sum over groups of 32 of the products of an output's codes
    with a row's, each group's times both scales. It takes the instruction that `HAS_DOT_PRODUCTS` is about.

    Args:
        num_bits: Of the output's codes, 4 or 8, unsigned; the row's are signed, of eight.

    Shapes: codes as `product_kernels.unpack_row` reads them, from the byte `at` on; scales [outputs, groups];
    x [inputs]; x_scales [groups].
    """
    width, lanes = 2 * LANES, LANES // 2
    byte, index = ir.IntType(8), ir.IntType(64)
    wide, sums, floats = (
        ir.VectorType(*each) for each in ((byte, width), (ir.IntType(32), lanes), (ir.FloatType(), lanes))
    )
    step = width * num_bits // 8

    @intrinsic  # type: ignore[untyped-decorator]
    def dot(typing: Any, codes: Any, at: Any, scales: Any, row: Any, x: Any, x_scales: Any) -> Any:
        signature = types.float32(codes, types.int64, scales, types.int64, x, x_scales)

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            arrays = {
                place: context.make_array(signature.args[place])(context, builder, args[place])
                for place in (0, 2, 4, 5)
            }
            groups = builder.extract_value(arrays[2].shape, 1)
            first, total = builder.mul(args[3], groups), cgutils.alloca_once(builder, floats)
            builder.store(ir.Constant(floats, [0.0] * lanes), total)
            multiply = cgutils.get_or_insert_function(
                builder.module, ir.FunctionType(sums, [sums] * 3), "llvm.x86.avx512.vpdpbusd.256"
            )

            def vector(place: int, offset: Any, kind: Any) -> Any:
                pointer = builder.gep(arrays[place].data, [offset])
                return builder.load(builder.bitcast(pointer, kind.as_pointer()), align=1)

            with cgutils.for_range(builder, groups) as loop:
                offset = builder.add(args[1], builder.mul(loop.index, ir.Constant(index, step)))
                code = vector(0, offset, ir.VectorType(byte, step))
                if num_bits == 4:
                    low = builder.and_(code, ir.Constant(code.type, [15] * step))
                    high = builder.lshr(code, ir.Constant(code.type, [4] * step))
                    code = builder.shuffle_vector(
                        low, high, ir.Constant(ir.VectorType(ir.IntType(32), width), list(range(width)))
                    )
                number = vector(4, builder.mul(loop.index, ir.Constant(index, width)), wide)
                operands = (builder.bitcast(each, sums) for each in (code, number))
                exact = builder.call(multiply, [ir.Constant(sums, [0] * lanes), *operands])
                scale = builder.fmul(
                    builder.load(builder.gep(arrays[2].data, [builder.add(first, loop.index)])),
                    builder.load(builder.gep(arrays[5].data, [loop.index])),
                )
                scaled = builder.fmul(
                    builder.sitofp(exact, floats), _splat(builder, scale, floats), flags=("contract",)
                )
                builder.store(builder.fadd(builder.load(total), scaled, flags=("contract",)), total)
            add_up = cgutils.get_or_insert_function(
                builder.module,
                ir.FunctionType(ir.FloatType(), [ir.FloatType(), floats]),
                f"llvm.vector.reduce.fadd.v{lanes}f32",
            )
            return builder.call(
                add_up, [ir.Constant(ir.FloatType(), 0.0), builder.load(total)], fastmath=("reassoc", "nsz")
            )

        return signature, generate

    return dot


unpack_low, unpack_high, unpack_bytes = _unpacking(0), _unpacking(4), _unpacking(None)
dot_nibbles, dot_bytes = _dot_product(4), _dot_product(8)
HAS_DOT_PRODUCTS = all(get_host_cpu_features().get(name) for name in ("avx512vnni", "avx512vl"))
"""Whether this CPU adds up products of eight bits in 32 by one instruction."""


@numba.njit(error_model="numpy")
def widened(number):
    """The float32 that these bits of a bfloat16 mean."""
    return np.uint32(np.uint32(number) << np.uint32(16)).view(np.float32)


@numba.njit(error_model="numpy")
def narrowed(number):
    """The bits of the nearest bfloat16, even in a tie; nan stays nan."""
    whole = np.float32(number).view(np.uint32)
    if number != number:
        return np.uint16(0x7FC0)
    return np.uint16((whole + np.uint32(0x7FFF) + ((whole >> np.uint32(16)) & np.uint32(1))) >> np.uint32(16))


def load(number: Any) -> Any:
    """An element of an array as float32."""


def store(number: Any, like: Any) -> Any:
    """A float32 as an element of the array that `like` is of."""


def rounded(number: Any, like: Any) -> Any:
    """A float32 as it would be after being stored there."""


def singles(rows: Any) -> Any:
    """Rows as float32; they are their own, or a copy."""


@overload(load, inline="always")
def _load(number):
    return (lambda number: widened(number)) if number == numba.uint16 else (lambda number: number)


@overload(store, inline="always")
def _store(number, like):
    return (
        (lambda number, like: narrowed(number)) if like == numba.uint16 else (lambda number, like: np.float32(number))
    )


@overload(rounded, inline="always")
def _rounded(number, like):
    if like == numba.uint16:
        return lambda number, like: widened(narrowed(number))
    return lambda number, like: np.float32(number)


@overload(singles)
def _singles(rows):
    if rows.dtype == numba.float32:
        return lambda rows: rows

    def copied(rows):
        out = np.empty(rows.shape, np.float32)
        for row in range(rows.shape[0]):
            for i in range(rows.shape[1]):
                out[row, i] = load(rows[row, i])
        return out

    return copied
