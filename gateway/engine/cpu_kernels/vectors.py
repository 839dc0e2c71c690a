"""Short loops of kernels as explicit vectors: LLVM does not vectorise loops of 16 steps."""

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
    """Return a pointer to vectors at an index of an array."""
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), kind.as_pointer())


def _unpacking(shift: int | None) -> Any:
    """Return a function (codes, at, scale, least, out, to) that computes out[to + i] = code[i] * scale + least for the
    codes in `LANES` bytes from `at` on.

    Args:
        shift: Codes are the four bits of a byte from this bit on; None: all eight.
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


def _tile_products(num_bits: int, group: int) -> Any:
    """Return a function (codes, at, scales, leasts, shared_by, x, steps, sums, num_rows, out) that adds to `out` the
    products of rows with the tile of `LANES` outputs that begins at byte `at` of `codes`: each group's product times
    both scales. It needs the instruction of `HAS_DOT_PRODUCTS`, with one output per lane.

    Args:
        num_bits: Of the outputs' codes, 4 or 8, unsigned; see `products.multiply_tiles`.
        group: Numbers of a row that share a scale, 16 or 32, of sixteen bits: the upper eight bits of the group, then
            the lower ones, both signed. `shared_by` groups share a scale of the outputs.

    Shapes: scales and leasts [groups / shared_by, LANES]; x [groups, num_rows, 2 * group]; steps and sums
    [groups, num_rows]; out [num_rows, LANES].
    """
    word, single, contract = ir.IntType(32), ir.FloatType(), ("contract",)
    quads, vector_bytes = group // 4, LANES * 4

    @intrinsic  # type: ignore[untyped-decorator]
    def multiply(
        typing: Any, codes: Any, at: Any, scales: Any, leasts: Any, shared_by: Any, x: Any, steps: Any, sums: Any,
        rows: Any, out: Any,
    ) -> Any:  # fmt: skip
        number = types.int64
        signature = types.void(codes, number, scales, leasts, number, x, steps, sums, number, out)

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            arrays = {
                place: context.make_array(signature.args[place])(context, builder, args[place])
                for place in (0, 2, 3, 5, 6, 7, 9)
            }
            data = {place: array.data for place, array in arrays.items()}
            add_products = cgutils.get_or_insert_function(
                builder.module, ir.FunctionType(_INTS, [_INTS] * 3), "llvm.x86.avx512.vpdpbusd.512"
            )
            num_rows = args[8]

            def offset(place: Any, size: int, more: int = 0) -> Any:
                return builder.add(builder.mul(place, ir.Constant(place.type, size)), ir.Constant(place.type, more))

            def address(array: int, index: Any, kind: Any) -> Any:
                return builder.bitcast(builder.gep(data[array], [index]), kind.as_pointer())

            def vector(array: int, index: Any, kind: Any) -> Any:
                return builder.load(address(array, index, kind), align=1)

            with cgutils.for_range(builder, builder.extract_value(arrays[6].shape, 0)) as loop:
                begin = builder.add(args[1], offset(loop.index, group * LANES * num_bits // 8))
                packed = [
                    vector(0, builder.add(begin, ir.Constant(begin.type, place * vector_bytes)), _INTS)
                    for place in range(quads * num_bits // 8)
                ]
                if num_bits == 4:
                    low, four = ir.Constant(_INTS, [0x0F0F0F0F] * LANES), ir.Constant(_INTS, [4] * LANES)
                    packed = [builder.and_(each, low) for each in packed] + [
                        builder.and_(builder.lshr(each, four), low) for each in packed
                    ]
                shared = offset(builder.udiv(loop.index, args[4]), LANES)
                own, least = (vector(array, shared, _FLOATS) for array in (2, 3))
                first = builder.mul(loop.index, num_rows)
                with cgutils.for_range(builder, num_rows) as inner:
                    place = builder.add(first, inner.index)
                    halves = []
                    for begin in (0, group):
                        total = ir.Constant(_INTS, [0] * LANES)
                        for quad, code in enumerate(packed):
                            four_numbers = vector(5, offset(place, 2 * group, begin + 4 * quad), word)
                            total = builder.call(add_products, [total, code, _splat(builder, four_numbers, _INTS)])
                        halves.append(total)
                    whole = builder.add(builder.shl(halves[0], ir.Constant(_INTS, [8] * LANES)), halves[1])
                    step, summed = (_splat(builder, vector(array, place, single), _FLOATS) for array in (6, 7))
                    scaled = builder.fmul(builder.sitofp(whole, _FLOATS), step)
                    target = address(9, offset(inner.index, LANES), _FLOATS)
                    result = builder.load(target, align=4)
                    for a, b in ((scaled, own), (summed, least)):
                        result = builder.fadd(result, builder.fmul(a, b, flags=contract), flags=contract)
                    builder.store(result, target, align=4)
            return context.get_dummy_value()

        return signature, generate

    return multiply


unpack_low, unpack_high, unpack_bytes = _unpacking(0), _unpacking(4), _unpacking(None)
add_tile_of_nibbles, add_tile_of_bytes = _tile_products(4, 32), _tile_products(8, 32)
add_tile_of_bytes_in_short_groups = _tile_products(8, 16)


def _is_for(*features: str) -> bool:
    """True if the CPU has these features: this machine's, or the one that numba is configured to compile for."""
    if config.CPU_NAME is None and config.CPU_FEATURES is None:
        here = get_host_cpu_features()
        return all(here.get(name) for name in features)
    configured = (config.CPU_FEATURES or "").split(",")
    return all(f"+{name}" in configured for name in features)


HAS_DOT_PRODUCTS = _is_for("avx512vnni")
"""True if the CPU sums products of eight bits in 32 bits with one instruction (VNNI)."""
