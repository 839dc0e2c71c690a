"""Short loops of compiled kernels in vectors of their own, which LLVM would not make of loops that are so short."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from llvmlite.binding import get_host_cpu_features
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

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


def _dot_products(num_bits: int, num_rows: int) -> Any:
    """A function (codes, at, scales, output, x, first, x_scales, out): out[i] = the sum over groups of 32 of products
    of an output's codes with the row first + i, each group's times both scales. It takes the instruction that
    `HAS_DOT_PRODUCTS` is about.

    Args:
        num_bits: Of the output's codes, 4 or 8, unsigned. A row's are of sixteen: of each group the upper eight of all,
            then the lower ones, both signed.
        num_rows: For which the output's codes are read once.

    Shapes: codes as `product_kernels.unpack_row` reads them, from the byte `at` on; scales [outputs, groups];
    x [rows, 2 * inputs]; x_scales [rows, groups]; out [num_rows].
    """
    width, lanes = 2 * LANES, LANES // 2
    byte, single = ir.IntType(8), ir.FloatType()
    wide, sums, floats = (ir.VectorType(*each) for each in ((byte, width), (ir.IntType(32), lanes), (single, lanes)))
    step = width * num_bits // 8
    in_order = ir.Constant(ir.VectorType(ir.IntType(32), width), list(range(width)))

    @intrinsic  # type: ignore[untyped-decorator]
    def dot(
        typing: Any, codes: Any, at: Any, scales: Any, output: Any, x: Any, first: Any, x_scales: Any, out: Any
    ) -> Any:
        number = types.int64
        signature = types.void(codes, number, scales, number, x, number, x_scales, out)

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            arrays = {
                place: context.make_array(signature.args[place])(context, builder, args[place])
                for place in (0, 2, 4, 6, 7)
            }
            groups, inputs = (builder.extract_value(arrays[place].shape, 1) for place in (2, 4))
            rows = [builder.add(args[5], ir.Constant(args[5].type, row)) for row in range(num_rows)]
            totals = [cgutils.alloca_once_value(builder, ir.Constant(floats, [0.0] * lanes)) for _ in rows]
            multiply = cgutils.get_or_insert_function(
                builder.module, ir.FunctionType(sums, [sums] * 3), "llvm.x86.avx512.vpdpbusd.256"
            )
            add_up = cgutils.get_or_insert_function(
                builder.module, ir.FunctionType(single, [single, floats]), f"llvm.vector.reduce.fadd.v{lanes}f32"
            )

            def at_row(row: Any, size: Any, place: Any, size_of: int = 1) -> Any:
                return builder.add(builder.mul(row, size), builder.mul(place, ir.Constant(place.type, size_of)))

            def vector(array: Any, offset: Any, kind: Any) -> Any:
                pointer = builder.gep(arrays[array].data, [offset])
                return builder.load(builder.bitcast(pointer, kind.as_pointer()), align=1)

            def scale(array: int, row: Any, group: Any) -> Any:
                loaded = builder.load(builder.gep(arrays[array].data, [at_row(row, groups, group)]))
                return _splat(builder, loaded, floats)

            with cgutils.for_range(builder, groups) as loop:
                begin = builder.mul(loop.index, ir.Constant(loop.index.type, step))
                code = vector(0, builder.add(args[1], begin), ir.VectorType(byte, step))
                if num_bits == 4:
                    low = builder.and_(code, ir.Constant(code.type, [15] * step))
                    high = builder.lshr(code, ir.Constant(code.type, [4] * step))
                    code = builder.shuffle_vector(low, high, in_order)
                code, own = builder.bitcast(code, sums), scale(2, args[3], loop.index)
                for row, total in zip(rows, totals, strict=True):
                    begin = at_row(row, inputs, loop.index, 2 * width)
                    upper, lower = (
                        builder.bitcast(vector(4, builder.add(begin, ir.Constant(begin.type, place)), wide), sums)
                        for place in (0, width)
                    )
                    exact = builder.call(multiply, [ir.Constant(sums, [0] * lanes), code, upper])
                    shifted = builder.shl(exact, ir.Constant(sums, [8] * lanes))
                    exact = builder.sitofp(builder.call(multiply, [shifted, code, lower]), floats)
                    both = builder.fmul(own, scale(6, row, loop.index))
                    scaled = builder.fmul(exact, both, flags=("contract",))
                    builder.store(builder.fadd(builder.load(total), scaled, flags=("contract",)), total)
            for place, total in enumerate(totals):
                summed = builder.call(
                    add_up, [ir.Constant(single, 0.0), builder.load(total)], fastmath=("reassoc", "nsz")
                )
                builder.store(summed, builder.gep(arrays[7].data, [ir.Constant(args[5].type, place)]))
            return context.get_dummy_value()

        return signature, generate

    return dot


unpack_low, unpack_high, unpack_bytes = _unpacking(0), _unpacking(4), _unpacking(None)
dot_nibbles, dot_bytes = _dot_products(4, 1), _dot_products(8, 1)
dot_nibbles_of_four, dot_bytes_of_four = _dot_products(4, 4), _dot_products(8, 4)


def _is_for(*features: str) -> bool:
    """True if machine code is made for a CPU with these: the one here, or the one that numba is told of."""
    if config.CPU_NAME is None and config.CPU_FEATURES is None:
        here = get_host_cpu_features()
        return all(here.get(name) for name in features)
    told = (config.CPU_FEATURES or "").split(",")
    return all(f"+{name}" in told for name in features)


HAS_DOT_PRODUCTS = _is_for("avx512vnni", "avx512vl")
"""Whether the CPU adds up products of eight bits in 32 by one instruction."""
